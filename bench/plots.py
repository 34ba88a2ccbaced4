"""Draws pictures of results, one PNG per machine and command: ratios to the fastest peer (sht),
shares of the peak (kernels), speed over harmonic smoothing (radial)."""
import os
import shutil
import textwrap

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402
from matplotlib.ticker import (FixedLocator, FuncFormatter, LogLocator,  # noqa: E402
                               NullFormatter, NullLocator)
from PIL import Image  # noqa: E402

import targets  # noqa: E402
from problems import EQUIDISTANT, SCENARIOS  # noqa: E402
from radial import gain_over_harmonic, gain_over_peer  # noqa: E402
from results import (best_peer, by_problem, combined, label, newest_of,  # noqa: E402
                     newest_records)

OTHERS = ("#0b3d91", "#e07b00", "#2a8f3c", "#c0392b", "#7d4bb0", "#444444")
TARGET = {"color": "#888888", "linestyle": ":", "linewidth": 1.6, "label": "target"}
DASHES = {"synthesis": "-", "analysis": "--", "adjoint_synthesis": "--"}
OPERATORS = {"synthesis": "synthesis", "analysis": "analysis",
             "adjoint_synthesis": "adjoint synthesis"}
REACHED, MISSED, UNJUDGED = "#0b3d91", "#e0a080", "#aaaaaa"


def panels(count, title, machine, key_width=0.0, height=3.6):
    """Figure with panels side by side (more than two: in rows of two), its title, and the machine
    below. key_width: inches for a legend at the right; height: of a panel."""
    rows, columns = (1, count) if count <= 2 else ((count + 1) // 2, 2)
    figure, axes = plt.subplots(rows, columns, squeeze=False, layout="constrained",
                                figsize=(4.6 * columns + 0.9 + key_width, height * rows + 0.7))
    width_of_all = figure.get_size_inches()[0]
    figure.suptitle(textwrap.fill(title, int(9.0 * width_of_all)), fontsize=12)
    figure.supxlabel(f"{machine['cpu']}, {machine['column'] or 'scalar'}, {machine['date'][:10]}",
                     fontsize=8, color="#666666")
    for panel in axes.flat:
        panel.grid(True, which="major", color="#dddddd", linewidth=0.6)
        panel.set_axisbelow(True)
    for panel in axes.flat[count:]:
        panel.set_visible(False)
    return figure, list(axes.flat[:count])


def sizes_axis(panel, sizes, label):
    """Logarithmic axis with a tick at each size."""
    panel.set_xscale("log", base=2)
    panel.xaxis.set_major_locator(FixedLocator(sorted(set(sizes))))
    panel.xaxis.set_minor_locator(NullLocator())
    panel.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.0f}"))
    panel.set_xlabel(label)
    if min(sizes) == max(sizes):
        panel.set_xlim(min(sizes) / 2, 2 * max(sizes))


def share_axis(panel, records):
    sizes_axis(panel, [record["lmax"] for record in records], "band limit lmax")
    panel.set_ylabel("% of the peak of the instruction set")
    panel.set_ylim(0, 100)


def log_axis(panel, label):
    """Vertical, with plain numbers at 1, 2, 5, 10, ... where there is room for them."""
    panel.set_yscale("log")
    panel.set_ylabel(label)
    low, high = panel.get_ylim()
    steps = (1.0, 2.0, 5.0) if high < 300.0 * low else (1.0,)
    panel.yaxis.set_major_locator(LogLocator(subs=steps))
    panel.yaxis.set_major_formatter(FuncFormatter(plain))
    panel.yaxis.set_minor_formatter(NullFormatter())


def plain(value, _):
    return f"{value:g}" if 1e-4 <= value < 1e6 else f"{value:.0e}"


def line(label, **style):
    """An entry of a legend."""
    return Line2D([], [], label=label, **dict({"color": "#444444", "linewidth": 1.4}, **style))


def operator_lines(operators):
    """Solid and dashed; those of the second kind share one entry."""
    there = [name for name in DASHES if name in operators]
    second = " / ".join(OPERATORS[name] for name in there[1:])
    return [line(OPERATORS[there[0]])] + ([line(second, linestyle="--")] if second else [])


def side_legend(figure, handles):
    figure.legend(handles=handles, loc="outside right center", fontsize=8, handlelength=2.6)


def save(figure, folder, name):
    """As a PNG of few colours, which keeps it small."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name + ".png")
    figure.savefig(path, dpi=110)
    plt.close(figure)
    with Image.open(path) as picture:
        few = picture.convert("RGB").quantize(128, method=Image.Quantize.MAXCOVERAGE)
    few.save(path, optimize=True)
    return path


# --- Ratios of transforms ------------------------------------------------------------------------


def sht(results):
    some = [result for result in results if result["command"] == "sht"]
    records = [r for r in newest_records(some).values() if r["group"] != EQUIDISTANT]
    if any(combined(group) for group in by_problem(records)):
        yield "sht-ratios", overview(records, some[-1]["machine"])


def overview(records, machine):
    """A bar per problem: the ratio of both operators together, and its target."""
    groups = [group for name in SCENARIOS["sht"] for group in by_problem(sorted(
        (r for r in records if r["group"] == name), key=lambda r: r["size"])) if combined(group)]
    figure, (panel,) = panels(1, "Fastest peer's time / Armilla's, both operators together",
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
    meanings = (("reached", REACHED), ("missed", MISSED), ("no target", UNJUDGED))
    side_legend(figure, [line(name, color=colour, linewidth=6.0) for name, colour in meanings]
                + [line("target", color="black", marker="|", markersize=10, markeredgewidth=2,
                        linewidth=0.0)])
    return figure


def draw_bar(panel, place, group, target):
    gain = combined(group)
    colour = {"reached": REACHED, "missed": MISSED}.get(
        targets.at_least(gain, target), UNJUDGED)
    panel.barh(place, gain, height=0.7, color=colour)
    if target:
        panel.plot([target], [place], "|", color="black", markersize=10, markeredgewidth=2)
    peers = " / ".join(dict.fromkeys(best_peer(record).split(",")[0] for record in group))
    panel.annotate(f"{gain:.2f}  {peers}", (max(gain, target or 0.0), place), xytext=(7, 0),
                   textcoords="offset points", va="center", fontsize=7, color="#444444")


# --- Share of the peak of the Legendre stage -----------------------------------------------------


def kernels(results):
    some = [result for result in results if result["command"] == "kernels" and result["stage"]]
    records = [record for record in newest_of(some, "stage") if "share_beside" in record]
    wide = {record["isa"] for record in records if record["lmax"] >= targets.KERNEL_FROM}
    records = [record for record in records if record["isa"] in wide] or records
    if records:
        yield "kernels", kernels_picture(records, some[-1]["machine"])


def kernels_picture(records, machine):
    """A panel per spin, and one for several transforms at once."""
    kinds = sorted({(record["ntrans"], record["spin"]) for record in records})
    figure, axes = panels(len(kinds), "Legendre stage, share of the multiply-add peak of one "
                          "core, useful operations", machine, key_width=1.9)
    peaks = highest_peaks(records)
    for panel, (ntrans, spin) in zip(axes, kinds):
        some = [r for r in records if (r["ntrans"], r["spin"]) == (ntrans, spin)]
        draw_shares(panel, some, colours_of(peaks))
        if ntrans == 1:
            draw_targets(panel, some)
        share_axis(panel, some)
        panel.set_title(f"spin {spin}" + (f", {ntrans} at once" if ntrans > 1 else ""), fontsize=10)
    side_legend(figure, set_lines(peaks) + operator_lines(
        {record["operator"] for record in records}) + target_lines())
    return figure


def highest_peaks(records):
    """{instruction set: GFlop/s}"""
    peaks = {}
    for record in records:
        peaks[record["isa"]] = max(record["peak"], peaks.get(record["isa"], 0.0))
    return peaks


def colours_of(peaks):
    return dict(zip(peaks, OTHERS))


def set_lines(peaks):
    """One colour per instruction set."""
    return [line(f"{isa} ({peaks[isa]:.0f} GFlop/s)", color=colour)
            for isa, colour in colours_of(peaks).items()]


def target_lines():
    return [line(**dict(TARGET, label="targets, " + " / ".join(
        f"{100.0 * share:.0f}" for share in targets.KERNEL.values()) + " %"))]


def draw_targets(panel, records):
    """Of both operators, where the sizes reach them."""
    largest = max(record["lmax"] for record in records)
    for share in targets.KERNEL.values() if largest >= targets.KERNEL_FROM else ():
        panel.plot([targets.KERNEL_FROM / 1.2, 1.2 * largest], [100.0 * share] * 2, **TARGET)


def draw_shares(panel, records, colours):
    for isa, colour in colours.items():
        for operator, dash in DASHES.items():
            points = [(r["lmax"], 100.0 * r["share_beside"]) for r in records
                      if (r["isa"], r["operator"]) == (isa, operator)]
            if points:
                panel.plot(*zip(*sorted(points)), color=colour, linestyle=dash, marker="o",
                           markersize=3)


# --- Radial convolution --------------------------------------------------------------------------


# Against the support of the kernel, as in figure 2 of the ARKCoS paper (Elsner & Wandelt 2011).


def radial(results):
    some = [result for result in results if result["command"] == "radial"]
    records = newest_of(some, "supports")
    if records:
        yield "radial-supports", radial_picture(records, some[-1]["machine"])


def radial_picture(records, machine):
    sizes = sorted({record["nside"] for record in records})
    colours = dict(zip(sizes, OTHERS))
    figure, (panel,) = panels(1, "Radial convolution: speed over harmonic smoothing, "
                              "lmax = 2 nside", machine, key_width=2.2)
    for nside in sizes:
        some = sorted((r for r in records if r["nside"] == nside), key=lambda r: r["support"])
        for gain, dash in ((gain_over_peer, "-"), (gain_over_harmonic, "--")):
            points = [(r["support"], gain(r)) for r in some if gain(r)]
            if points:
                panel.plot(*zip(*points), color=colours[nside], linestyle=dash, marker="o",
                           markersize=3)
    panel.axhline(1.0, **dict(TARGET, label="as fast"))
    sizes_axis(panel, [record["support"] for record in records], "support, degrees")
    log_axis(panel, "times as fast")
    side_legend(figure, [line(f"nside {n}", color=colours[n]) for n in sizes]
                + [line("over the fastest peer"),
                   line("over Armilla, harmonic", linestyle="--")])
    return figure


# --- All of them ---------------------------------------------------------------------------------


def draw_all(results, folder, copies):
    """results: oldest first. The newest of each scenario counts. copies: a second folder, or None.
    Returns the paths."""
    machines, paths = {}, []
    for result in results:
        machines.setdefault(label(result), []).append(result)
    for prefix, some in machines.items():
        for figures in (sht, kernels, radial):
            for name, figure in figures(some):
                paths.append(save(figure, folder, f"{prefix}-{name}"))
    if copies:
        os.makedirs(copies, exist_ok=True)
        paths += [shutil.copy(path, copies) for path in paths]
    return paths
