"""Pictures of results: one PNG per scenario and machine."""
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
from results import label  # noqa: E402

COLOURS = {"armilla": "#0b3d91", "ducc0": "#e07b00", "shtns": "#2a8f3c", "healpy": "#c0392b",
           "libsharp": "#7d4bb0"}
OTHERS = ("#0b3d91", "#e07b00", "#2a8f3c", "#c0392b", "#7d4bb0", "#444444")
TARGET = {"color": "#888888", "linestyle": ":", "linewidth": 1.6, "label": "target"}
PATTERNS, MARKERS = ("-", "--", "-.", ":") * 8, "osD^vP*X" * 4
DASHES = {"synthesis": "-", "analysis": "--", "adjoint_synthesis": "--"}
OPERATORS = {"synthesis": "synthesis", "analysis": "analysis",
             "adjoint_synthesis": "adjoint synthesis"}
OURS_WIDTH, PEER_WIDTH = 2.2, 1.2
REACHED, MISSED, UNJUDGED = "#0b3d91", "#e0a080", "#aaaaaa"


def colour(library):
    return COLOURS.get(library.split(",")[0], "#444444")


def width(library):
    return OURS_WIDTH if library.startswith("armilla") else PEER_WIDTH


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


def counts_axis(panel, counts, label):
    panel.set_xticks(sorted(set(counts)))
    panel.set_xlabel(label)
    panel.set_xlim(min(counts) - 0.3, max(counts) + 0.3)


def zero_based(panel, label):
    panel.set_ylabel(label)
    panel.set_ylim(0, 1.05 * panel.get_ylim()[1])


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


def library_lines(libraries):
    return [line(name, color=colour(name), linewidth=width(name), marker="o", markersize=3)
            for name in dict.fromkeys(libraries)]


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


def draw_all(results, folder, copies):
    """results: oldest first. The newest of each scenario counts. copies: a second folder, or None.
    Returns the paths."""
    import plot_kernels
    import plot_radial
    import plot_scaling
    import plot_sht
    machines, paths = {}, []
    for result in results:
        machines.setdefault(label(result), []).append(result)
    for prefix, some in machines.items():
        for module in (plot_sht, plot_scaling, plot_kernels, plot_radial):
            for name, figure in module.figures(some):
                paths.append(save(figure, folder, f"{prefix}-{name}"))
    if copies:
        os.makedirs(copies, exist_ok=True)
        paths += [shutil.copy(path, copies) for path in paths]
    return paths
