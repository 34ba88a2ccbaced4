"""Draws what mpi_model.py predicts: balance, strong and weak scaling, with measured points and with
what others have published."""
import json

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

import mpi_model
from plots import OTHERS, TARGET, line, log_axis, panels, save, side_legend

GRID_DASHES = {"gl": "-", "healpix": "--"}
COLOURS = dict(zip(mpi_model.STRONG, OTHERS))
QUANTITIES = {"work": "work of orders", "ring_work": "work of rings", "sent": "bytes sent"}
LIBSHARP = {"color": OTHERS[3], "linestyle": "-.", "linewidth": 1.2}
ECTRANS = {"color": OTHERS[4], "marker": "s", "markersize": 5, "linewidth": 0.8}
MEASURED = {"color": "black", "marker": "x", "markersize": 6, "linestyle": "none"}


def ranks_axis(panel, label="ranks (cores)"):
    panel.set_xscale("log", base=2)
    panel.xaxis.set_major_locator(FixedLocator([4 ** k for k in range(8)]))
    panel.xaxis.set_minor_locator(NullLocator())
    panel.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.0f}"))
    panel.set_xlim(0.8, 20000)
    panel.set_xlabel(label)


def efficiency_axis(panel):
    panel.set_ylim(0, 1.12)
    panel.set_ylabel("efficiency, against one rank")
    panel.axhline(0.8, **TARGET)


def draw_balance(panel, model, lmax):
    panel.set_title(f"Imbalance, counted: lmax {lmax}", fontsize=10)
    for grid, dash in GRID_DASHES.items():
        counts = mpi_model.strong(model.options, grid, lmax)
        for colour, quantity in zip(OTHERS, QUANTITIES):
            points = [(n, 100 * mpi_model.imbalance(one, quantity)) for n, one in counts.items()]
            panel.plot(*zip(*[(n, value) for n, value in points if value > 0]),
                       color=colour, linestyle=dash, marker="o", markersize=3)
    panel.axhline(2.0, **TARGET)
    panel.axvline((lmax + 1) / 8, **TARGET)
    panel.text((lmax + 1) / 8 * 1.1, 2e-3, "8 orders a rank", rotation=90, ha="left", fontsize=7)
    ranks_axis(panel)
    panel.set_yscale("log")
    panel.set_ylim(1e-3, 300)
    panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.set_ylabel("largest above the mean, %")
    panel.legend(handles=[line(name, color=colour) for colour, name
                          in zip(OTHERS, QUANTITIES.values())], fontsize=7, loc="upper left")


def libsharp_mark(panel, cores, text, height):
    """height: of the text's foot, a share of the panel's."""
    panel.axvline(cores, **LIBSHARP)
    panel.annotate(text, (cores, height), xytext=(3, 0), textcoords="offset points", rotation=90,
                   xycoords=panel.get_xaxis_transform(), ha="left", va="bottom", fontsize=7,
                   color=LIBSHARP["color"])


def draw_times(panel, model, measured):
    panel.set_title("Strong scaling, predicted: time of a synthesis", fontsize=10)
    for lmax, colour in COLOURS.items():
        for grid, dash in GRID_DASHES.items():
            counts = mpi_model.strong(model.options, grid, lmax)
            points = [(n, model.seconds(one)) for n, one in counts.items()]
            panel.plot(*zip(*points), color=colour, linestyle=dash)
            if grid == "gl":
                panel.plot(*zip(*[(n, points[0][1] / n) for n, _ in points]), color=colour,
                           linestyle=":", linewidth=0.9)
    for one in measured:
        panel.plot([one["ranks"]], [one["seconds"]], **MEASURED)
    ranks_axis(panel)
    log_axis(panel, "seconds")
    libsharp_mark(panel, mpi_model.LIBSHARP_NODE, "libsharp: jump", 0.46)
    libsharp_mark(panel, mpi_model.LIBSHARP_STRONG_END, "libsharp: end of scaling", 0.5)


def draw_efficiency(panel, model, measured):
    panel.set_title("Strong scaling, predicted: efficiency", fontsize=10)
    for lmax, colour in COLOURS.items():
        for grid, dash in GRID_DASHES.items():
            counts = mpi_model.strong(model.options, grid, lmax)
            panel.plot(*zip(*[(n, model.efficiency(counts, n)) for n in counts]), color=colour,
                       linestyle=dash)
            n = (lmax + 1) // 64
            panel.plot([n], [model.efficiency(counts, n)], color=colour, marker="o", markersize=5)
    for one in measured:
        first = [other["seconds"] for other in measured if other["ranks"] == 1
                 and (other["grid"], other["lmax"]) == (one["grid"], one["lmax"])]
        if first and one["ranks"] > 1:
            panel.plot([one["ranks"]], [first[0] / one["ranks"] / one["seconds"]], **MEASURED)
    ranks_axis(panel)
    efficiency_axis(panel)


def ectrans_points():
    """Efficiency of each cycle against the first: (truncation + 1)^3 for each node-second."""
    rate = [(n + 1) ** 3 / (nodes * seconds) for n, nodes, seconds in mpi_model.ECTRANS]
    return [(nodes, value / rate[0])
            for (_, nodes, _), value in zip(mpi_model.ECTRANS, rate)]


def draw_weak(panel, model):
    panel.set_title("Weak scaling, predicted", fontsize=10)
    for grid, dash in GRID_DASHES.items():
        points = mpi_model.weak(model, grid, mpi_model.WEAK)
        panel.plot(*zip(*[(n, value) for _, n, _, value in points]), color=OTHERS[2],
                   linestyle=dash, marker="o", markersize=3)
    points = mpi_model.weak(model, "gl", mpi_model.LIBSHARP_WEAK)
    panel.plot(*zip(*[(n, value) for _, n, _, value in points]), color="#444444", marker="o",
               markersize=3)
    panel.plot(*zip(*ectrans_points()), **ECTRANS)
    ranks_axis(panel, "ranks (cores); ecTrans: nodes")
    efficiency_axis(panel)
    panel.set_ylim(0, 1.6)
    libsharp_mark(panel, mpi_model.LIBSHARP_WEAK_END, "libsharp: end of scaling", 0.05)


def legend_lines(measured):
    lines = [line(mpi_model.GRIDS[grid], linestyle=dash) for grid, dash in GRID_DASHES.items()]
    lines += [line(f"lmax {lmax}", color=colour) for lmax, colour in COLOURS.items()]
    lines += [line("ideal", linestyle=":", linewidth=0.9),
              line("with 64 orders a rank", linestyle="none", marker="o", markersize=5),
              line("weak: lmax doubles,\nranks times four", color=OTHERS[2], marker="o",
                   markersize=3),
              line("weak: lmax + 1 =\n4096 ranks^(1/3)", marker="o", markersize=3),
              line(**dict(TARGET, label="required: 2 %, 0.8")),
              line("libsharp, what its\npaper says in words", **LIBSHARP),
              line("ecTrans, published cycles:\ntruncation^3 for each\nnode-second, first = 1",
                   **ECTRANS)]
    return lines + ([line("measured", **MEASURED)] if measured else [])


def read_measured(path):
    """Scalars on one thread a rank: [{"grid", "lmax", "ranks", "seconds"}]"""
    if not path:
        return []
    with open(path, encoding="utf-8") as lines:
        records = [json.loads(text) for text in lines]
    return [{"grid": one["grid"].split()[0], "lmax": one["lmax"], "ranks": one["ranks"],
             "seconds": one["synthesis_s"]}
            for one in records if one["spin"] == 0 and one["threads"] == 1]


def draw(model, options):
    """Returns the path of the picture."""
    measured = read_measured(options.measured)
    machine = {"cpu": "", "column": "", "date": ""}
    figure, axes = panels(4, "Transforms over ranks: a model. Counts are exact, times predicted",
                          machine, key_width=2.0, height=3.5)
    cores, network, copies = (model.constants[name] for name in ("cores", "network", "copies"))
    figure.supxlabel(f"{cores['what']}: {cores['status']}. {network['what']}: "
                     f"{network['status']}. Packing: {copies['status']}.", fontsize=7,
                     color="#666666")
    draw_balance(axes[0], model, mpi_model.STRONG[-1])
    draw_times(axes[1], model, measured)
    draw_efficiency(axes[2], model, measured)
    draw_weak(axes[3], model)
    side_legend(figure, legend_lines(measured))
    return save(figure, options.folder, "mpi_scaling")
