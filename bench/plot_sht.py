"""Pictures of run.py sht: times and ratios of each scenario."""
import plots
import targets
from ratios import ALONE, OURS, best_peer, by_problem, combined, gain_at_once, ratio
from results import newest_records
from scenarios import MANY, SHT, TITLES


def figures(results):
    """(name, figure) of each scenario that has records."""
    sht = [result for result in results if result["command"] == "sht"]
    records = [r for r in newest_records(sht).values() if r["group"] in SHT]
    for name in SHT:
        some = sorted((r for r in records if r["group"] == name), key=lambda r: r["size"])
        if some:
            yield "sht-" + name, scenario_figure(name, some, sht[-1]["machine"])
    if any(combined(group) for group in by_problem(records)):
        yield "sht-ratios", overview(records, sht[-1]["machine"])


def axis_label(name):
    return "band limit lmax" if SHT[name][0] == "gl" else "nside"


def scenario_figure(name, records, machine):
    figure, (times, gains) = plots.panels(2, TITLES[name], machine, key_width=1.6)
    draw_times(times, name, records)
    (draw_at_once if name == "many" else draw_ratios)(gains, name, records, machine["column"])
    plots.side_legend(figure, key(records))
    return figure


def draw_times(panel, name, records):
    """Over the cube of the band limit: else all lines would be one."""
    number = MANY if name == "many" else 1
    for operator, dash in plots.DASHES.items():
        some = [record for record in records if record["operator"] == operator]
        for library in sorted({library for record in some for library in record["seconds"]}):
            points = [(r["size"], 1e12 * r["seconds"][library] / number / (r["lmax"] + 1.0) ** 3)
                      for r in some if library in r["seconds"]]
            panel.plot(*zip(*points), color=plots.colour(library), linestyle=dash,
                       **style_of(library))
    plots.sizes_axis(panel, [record["size"] for record in records], axis_label(name))
    plots.log_axis(panel, "time of one transform / (lmax + 1)$^3$, ps")


def style_of(library):
    alone = library.endswith("one by one")
    return {"linewidth": 0.8 if alone else plots.width(library), "marker": "x" if alone else "o",
            "markersize": 4 if alone else 3}


def key(records):
    libraries = {library.split(",")[0] for record in records for library in record["seconds"]}
    found = plots.library_lines(sorted(libraries))
    found += plots.operator_lines({record["operator"] for record in records})
    if any(ALONE in record["seconds"] for record in records):
        found.append(plots.line("one by one", marker="x", linewidth=0.8))
    found.append(plots.line("both together", color=plots.colour(OURS), marker="D", markersize=5,
                            linewidth=plots.OURS_WIDTH))
    return found + [plots.line(**plots.TARGET)]


def by_size(records):
    found = {}
    for record in records:
        found.setdefault(record["size"], []).append(record)
    return found


def draw_gains(panel, name, records, gain_of_one, gain_of_both):
    for operator in plots.DASHES:
        points = [(r["size"], gain_of_one(r)) for r in records
                  if r["operator"] == operator and gain_of_one(r)]
        if points:
            panel.plot(*zip(*points), color=plots.colour(OURS), linestyle=plots.DASHES[operator],
                       linewidth=1.0, marker="o", markersize=3)
    both = [(size, gain_of_both(some)) for size, some in by_size(records).items()
            if len(some) == 2 and gain_of_both(some)]
    if both:
        panel.plot(*zip(*both), color=plots.colour(OURS), linewidth=plots.OURS_WIDTH, marker="D",
                   markersize=5)
    panel.axhline(1.0, color="black", linewidth=0.8)
    plots.sizes_axis(panel, [record["size"] for record in records], axis_label(name))


def draw_ratios(panel, name, records, column):
    draw_gains(panel, name, records, ratio, combined)
    wanted = [(record["size"], targets.ratio(name, record["lmax"], column)) for record in records]
    wanted = [point for point in wanted if point[1]]
    if wanted:
        panel.plot(*zip(*wanted), drawstyle="steps-mid", **plots.TARGET)
    plots.zero_based(panel, "time of the fastest peer / Armilla's")


def draw_at_once(panel, name, records, column):
    draw_gains(panel, name, records, lambda record: gain_at_once([record])
               if ALONE in record["seconds"] else None, gain_at_once)
    panel.axhline(targets.MANY, **plots.TARGET)
    plots.zero_based(panel, f"Armilla: time one by one / {MANY} at once")


# --- All of them --------------------------------------------------------------------------------


def overview(records, machine):
    """A bar per problem: the ratio of both operators together, and its target."""
    groups = [group for name in SHT for group in by_problem(sorted(
        (r for r in records if r["group"] == name), key=lambda r: r["size"])) if combined(group)]
    figure, (panel,) = plots.panels(1, "Fastest peer's time / Armilla's, both operators together",
                                    machine, key_width=1.5, height=1.2 + 0.21 * len(groups))
    for place, group in enumerate(groups):
        draw_bar(panel, -place, group, targets.ratio(group[0]["group"], group[0]["lmax"],
                                                     machine["column"]))
    panel.axvline(1.0, color="black", linewidth=0.8)
    panel.set_yticks([-place for place in range(len(groups))],
                     [group[0]["scenario"] for group in groups], fontsize=8)
    panel.set_ylim(-len(groups) + 0.4, 0.6)
    panel.set_xlim(0, 1.4 * panel.get_xlim()[1])
    panel.set_xlabel("ratio")
    panel.grid(False, axis="y")
    plots.side_legend(figure, [plots.line(name, color=colour, linewidth=6.0) for name, colour in (
        ("reached", plots.REACHED), ("missed", plots.MISSED), ("no target", plots.UNJUDGED))]
                      + [plots.line("target", color="black", marker="|", markersize=10,
                                    markeredgewidth=2, linewidth=0.0)])
    return figure


def draw_bar(panel, place, group, target):
    gain = combined(group)
    colour = {"reached": plots.REACHED, "missed": plots.MISSED}.get(
        targets.at_least(gain, target), plots.UNJUDGED)
    panel.barh(place, gain, height=0.7, color=colour)
    if target:
        panel.plot([target], [place], "|", color="black", markersize=10, markeredgewidth=2)
    peers = " / ".join(dict.fromkeys(best_peer(record).split(",")[0] for record in group))
    panel.annotate(f"{gain:.2f}  {peers}", (max(gain, target or 0.0), place), xytext=(7, 0),
                   textcoords="offset points", va="center", fontsize=7, color="#444444")
