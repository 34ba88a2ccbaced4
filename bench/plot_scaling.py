"""Pictures of run.py scaling, in the manner of libsharp's paper (figures 5 to 11)."""
import plot_kernels
import plots
import targets
from report_scaling import pairs, weak_points
from results import newest_of

GRIDS = {"gl": "Gauss-Legendre", "healpix": "HEALPix"}
OF_ONE_RUN = ("strong", "weak", "many")
MOST_MEMORY = 200  # %: what the pictures show; some peers need more on small grids


def figures(results):
    """(name, figure) of each scenario: the newest of each problem, or of all threads at once."""
    for name, draw in DRAW.items():
        having = [result for result in results
                  if result["command"] == "scaling" and result.get(name)]
        if having:
            done = [one for one in having if name in one.get("finished", ())] or having
            some = done[-1:] if name in OF_ONE_RUN else having
            yield "scaling-" + name, draw(newest_of(some, name), some[-1]["machine"])


# --- Threads ------------------------------------------------------------------------------------


def dashes_of(values):
    return dict(zip(sorted(set(values)), plots.PATTERNS))


def style_of(library):
    return {"color": plots.colour(library), "marker": "o", "markersize": 4,
            "linewidth": plots.width(library)}


def libraries_of(records):
    return plots.library_lines(record["library"] for record in records)


def strong(records, machine):
    """A panel per grid."""
    grids = list(dict.fromkeys((record["kind"], record["lmax"]) for record in records))
    figure, axes = plots.panels(len(grids), "Strong scaling: the same transforms on more threads "
                                "(both operators)", machine, key_width=1.5)
    dashes = dashes_of(record["spin"] for record in records)
    for panel, (kind, lmax) in zip(axes, grids):
        some = [r for r in records if (r["kind"], r["lmax"]) == (kind, lmax)]
        draw_gains(panel, some, dashes)
        panel.set_title(f"{GRIDS[kind]}, lmax {lmax}", fontsize=10)
    plots.side_legend(figure, libraries_of(records)
                      + [plots.line(f"spin {spin}", linestyle=dash)
                         for spin, dash in dashes.items()]
                      + [plots.line("ideal", color="black", linewidth=0.8),
                         plots.line(f"target, {targets.TWO_THREADS}", color="#888888", marker="_",
                                    markersize=16, markeredgewidth=2, linewidth=0.0)])
    return figure


def draw_gains(panel, records, dashes):
    spin = {record["scenario"]: record["spin"] for record in records}
    counts = [n for record in records for n in record["numbers"]]
    for (library, scenario), seconds in pairs(records).items():
        gains = [seconds[1] / seconds[n] for n in seconds]
        panel.plot(list(seconds), gains, linestyle=dashes[spin[scenario]], **style_of(library))
    panel.plot([1, max(counts)], [1, max(counts)], color="black", linewidth=0.8)
    panel.plot([2], [targets.TWO_THREADS], "_", color="#888888", markersize=16, markeredgewidth=2)
    plots.counts_axis(panel, counts, "threads")
    plots.zero_based(panel, "speed over one thread")


def weak(records, machine):
    figure, (times, efficiency) = plots.panels(2, "Weak scaling: the same work for each thread, "
                                               "Gauss-Legendre, spin 0", machine, key_width=1.3)
    for library, points in weak_points(records).items():
        threads = [point[0] for point in points]
        times.plot(threads, [point[2] for point in points], **style_of(library))
        efficiency.plot(threads, [100.0 * point[3] for point in points], **style_of(library))
        times.axhline(points[0][2], color=plots.colour(library), linestyle=":", linewidth=1)
    efficiency.axhline(100.0, color="black", linestyle=":", linewidth=1)
    sizes = dict((point[0], point[1]) for points in weak_points(records).values()
                 for point in points)
    for panel in (times, efficiency):
        plots.counts_axis(panel, list(sizes), "threads (below: lmax)")
        panel.set_xticks(sorted(sizes), [f"{n}\n{sizes[n]}" for n in sorted(sizes)])
    plots.zero_based(times, "time of synthesis + analysis, s")
    plots.zero_based(efficiency, "efficiency, work allowed for, %")
    plots.side_legend(figure, libraries_of(records)
                      + [plots.line("ideal", linestyle=":", linewidth=1)])
    return figure


def cost_curves(records):
    """{(library, threads): [(lmax, seconds of the pair, seconds on one thread)]}"""
    lmax = {record["scenario"]: record["lmax"] for record in records}
    curves = {}
    for (library, scenario), seconds in pairs(records).items():
        for threads, value in seconds.items():
            curves.setdefault((library, threads), []).append((lmax[scenario], value, seconds[1]))
    return curves


def cost(records, machine):
    curves = cost_curves(records)
    counts = sorted({threads for _, threads in curves})
    figure, axes = plots.panels(1 if counts == [1] else 2, "Cost over the band limit, synthesis + "
                                "analysis, Gauss-Legendre, spin 0", machine, key_width=1.3)
    dashes = dashes_of(counts)
    for (library, threads), points in ((key, sorted(some)) for key, some in curves.items()):
        style = dict(style_of(library), linestyle=dashes[threads])
        sizes = [point[0] for point in points]
        axes[0].plot(sizes, [1e12 * t * threads / (n + 1.0) ** 3 for n, t, _ in points], **style)
        if threads > 1:
            axes[1].plot(sizes, [100.0 * one / t / threads for _, t, one in points], **style)
    for panel in axes:
        plots.sizes_axis(panel, [record["lmax"] for record in records], "band limit lmax")
    plots.log_axis(axes[0], "threads x time / (lmax + 1)$^3$, ps")
    for panel in axes[1:]:
        plots.zero_based(panel, "time of one thread / (threads x time), %")
    plots.side_legend(figure, libraries_of(records)
                      + [plots.line(f"{n} thread" + ("s" if n > 1 else ""), linestyle=dash)
                         for n, dash in dashes.items()])
    return figure


def many(records, machine):
    spins = sorted({record["spin"] for record in records})
    figure, axes = plots.panels(len(spins), "Several transforms in one call, Gauss-Legendre "
                                "(both operators)", machine, key_width=1.3)
    dashes = dashes_of(record["lmax"] for record in records)
    for panel, spin in zip(axes, spins):
        some = [record for record in records if record["spin"] == spin]
        lmax = {record["scenario"]: record["lmax"] for record in some}
        for (library, scenario), seconds in pairs(some).items():
            gains = [n * seconds[1] / value for n, value in seconds.items()]
            panel.plot(list(seconds), gains, linestyle=dashes[lmax[scenario]],
                       **style_of(library))
        if spin == 0:
            panel.axhline(targets.MANY, **plots.TARGET)
        panel.axhline(1.0, color="black", linewidth=0.8)
        plots.counts_axis(panel, [n for r in some for n in r["numbers"]], "transforms in one call")
        plots.zero_based(panel, "time one by one / at once")
        panel.set_title(f"spin {spin}", fontsize=10)
    plots.side_legend(figure, libraries_of(records)
                      + [plots.line(f"lmax {n}", linestyle=dash) for n, dash in dashes.items()]
                      + [plots.line(**plots.TARGET)])
    return figure


# --- Sizes --------------------------------------------------------------------------------------


def memory(records, machine):
    keys = sorted(dict.fromkeys((record["kind"], record["spin"]) for record in records))
    figure, axes = plots.panels(len(keys), "Memory beyond input and output (plan and call)",
                                machine, key_width=1.5)
    for panel, (kind, spin) in zip(axes, keys):
        draw_memory(panel, [r for r in records if (r["kind"], r["spin"]) == (kind, spin)])
        grid = {"gl": "Gauss-Legendre", "healpix": "HEALPix, lmax = 2 nside"}[kind]
        panel.set_title(f"{grid}, spin {spin}", fontsize=10)
    plots.side_legend(figure, plots.library_lines(record["library"] for record in records)
                      + plots.operator_lines({record["operator"] for record in records})
                      + [plots.line(**plots.TARGET)])
    return figure


def draw_memory(panel, records):
    for library in dict.fromkeys(record["library"] for record in records):
        for operator, dash in plots.DASHES.items():
            points = [(r["lmax"], 100.0 * r["share"]) for r in records
                      if (r["library"], r["operator"]) == (library, operator)]
            if points:
                panel.plot(*zip(*sorted(points)), color=plots.colour(library), linestyle=dash,
                           marker="o", markersize=3, linewidth=plots.width(library))
    sizes = [record["lmax"] for record in records]
    if max(sizes) >= targets.MEMORY_FROM:
        panel.plot([targets.MEMORY_FROM / 1.2, 1.2 * max(sizes)], [100.0 * targets.MEMORY] * 2,
                   **plots.TARGET)
    plots.sizes_axis(panel, sizes, "band limit lmax")
    panel.set_ylabel("% of input and output")
    panel.set_ylim(0, MOST_MEMORY)


def accuracy(records, machine):
    figure, axes = plots.panels(2, "Error of alm -> map -> alm, Gauss-Legendre, coefficients "
                                "uniform in [-1, 1)", machine, key_width=1.0)
    markers = dict(zip(sorted({record["spin"] for record in records}), plots.MARKERS))
    for panel, quantity, label in zip(axes, ("rms", "largest"),
                                      ("rms error / rms of the coefficients", "largest error")):
        draw_errors(panel, records, quantity, markers)
        plots.sizes_axis(panel, [record["lmax"] for record in records], "band limit lmax")
        plots.log_axis(panel, label)
    plots.side_legend(figure, plots.library_lines(record["library"] for record in records)
                      + [plots.line(f"spin {spin}", marker=marker, markersize=4, linewidth=0.0)
                         for spin, marker in markers.items()])
    return figure


def draw_errors(panel, records, quantity, markers):
    for key in dict.fromkeys((record["library"], record["spin"]) for record in records):
        points = [(r["lmax"], r[quantity]) for r in records if (r["library"], r["spin"]) == key]
        ours = key[0] == "armilla"
        panel.plot(*zip(*sorted(points)), color=plots.colour(key[0]), marker=markers[key[1]],
                   markersize=5 if ours else 3, linewidth=1.4 if ours else 0.8,
                   alpha=1.0 if ours else 0.7)


def peak(records, machine):
    """One panel per spin; thick: whole transforms, thin: the Legendre stage alone."""
    spins = sorted({record["spin"] for record in records})
    figure, axes = plots.panels(len(spins), "Share of the multiply-add peak of one core, useful "
                                "operations", machine, key_width=1.9)
    peaks = plot_kernels.highest_peaks(records)
    for panel, spin in zip(axes, spins):
        some = [r for r in records if r["spin"] == spin]
        draw_shares(panel, some, plot_kernels.colours_of(peaks))
        plot_kernels.draw_targets(panel, some)
        plots.share_axis(panel, some)
        panel.set_title(f"spin {spin}", fontsize=10)
    plots.side_legend(figure, plot_kernels.set_lines(peaks)
                      + [plots.line("whole transform", linewidth=2.2),
                         plots.line("Legendre stage", linewidth=0.9, marker="x", markersize=4)]
                      + plots.operator_lines({record["operator"] for record in records})
                      + plot_kernels.target_lines())
    return figure


def draw_shares(panel, records, colours):
    for key in dict.fromkeys((r["isa"], r["what"], r["operator"]) for r in records):
        isa, what, operator = key
        points = [(r["lmax"], 100.0 * r["share"]) for r in records
                  if (r["isa"], r["what"], r["operator"]) == key]
        stage = what != "whole transform"
        panel.plot(*zip(*sorted(points)), color=colours[isa], linestyle=plots.DASHES[operator],
                   linewidth=0.9 if stage else 2.2, marker="x" if stage else "o",
                   markersize=4 if stage else 3)


DRAW = {"strong": strong, "weak": weak, "cost": cost, "many": many, "memory": memory,
        "accuracy": accuracy, "peak": peak}
