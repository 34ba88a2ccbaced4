"""Picture of run.py kernels: share of peak of the Legendre stage."""
import plots


def figures(results):
    newest = [result for result in results if result["command"] == "kernels" and result["stage"]]
    if newest:
        result = newest[-1]
        spins = sorted({record["spin"] for record in result["stage"]})
        figure, axes = plots.panels(len(spins), "Legendre stage, share of the multiply-add peak "
                                    "of one core", result["machine"], key_width=1.7)
        colours = dict(zip(result["peak"], plots.OTHERS))
        for panel, spin in zip(axes, spins):
            draw(panel, [r for r in result["stage"] if r["spin"] == spin], colours)
            panel.set_title(f"spin {spin}", fontsize=10)
        plots.side_legend(figure, set_lines(colours, result["peak"]) + plots.operator_lines(
            {record["operator"] for record in result["stage"]}))
        yield "kernels", figure


def set_lines(colours, peaks):
    """One colour per instruction set."""
    return [plots.line(f"{isa} ({peaks[isa]:.0f} GFlop/s)", color=colour)
            for isa, colour in colours.items()]


def draw(panel, records, colours):
    for isa, colour in colours.items():
        for operator, dash in plots.DASHES.items():
            points = [(r["lmax"], 100.0 * r["share"]) for r in records
                      if (r["isa"], r["operator"]) == (isa, operator)]
            if points:
                panel.plot(*zip(*sorted(points)), color=colour, linestyle=dash, marker="o",
                           markersize=3)
    plots.sizes_axis(panel, [record["lmax"] for record in records], "band limit lmax")
    panel.set_ylabel("useful operations, % of peak")
    panel.set_ylim(0, 100)
