"""Picture of run.py kernels: share of peak of the Legendre stage."""
import plots
import targets
from results import newest_of


def figures(results):
    some = [result for result in results if result["command"] == "kernels" and result["stage"]]
    records = [record for record in newest_of(some, "stage") if "share_beside" in record]
    wide = {record["isa"] for record in records if record["lmax"] >= targets.KERNEL_FROM}
    records = [record for record in records if record["isa"] in wide] or records
    if records:
        yield "kernels", picture(records, some[-1]["machine"])


def picture(records, machine):
    """A panel per spin, and one for several transforms at once."""
    kinds = sorted({(record["ntrans"], record["spin"]) for record in records})
    figure, axes = plots.panels(len(kinds), "Legendre stage, share of the multiply-add peak of one "
                                "core, useful operations", machine, key_width=1.9)
    peaks = highest_peaks(records)
    for panel, (ntrans, spin) in zip(axes, kinds):
        some = [r for r in records if (r["ntrans"], r["spin"]) == (ntrans, spin)]
        draw(panel, some, colours_of(peaks))
        if ntrans == 1:
            draw_targets(panel, some)
        plots.share_axis(panel, some)
        panel.set_title(f"spin {spin}" + (f", {ntrans} at once" if ntrans > 1 else ""), fontsize=10)
    plots.side_legend(figure, set_lines(peaks) + plots.operator_lines(
        {record["operator"] for record in records}) + target_lines())
    return figure


def highest_peaks(records):
    """{instruction set: GFlop/s}"""
    peaks = {}
    for record in records:
        peaks[record["isa"]] = max(record["peak"], peaks.get(record["isa"], 0.0))
    return peaks


def colours_of(peaks):
    return dict(zip(peaks, plots.OTHERS))


def set_lines(peaks):
    """One colour per instruction set."""
    return [plots.line(f"{isa} ({peaks[isa]:.0f} GFlop/s)", color=colour)
            for isa, colour in colours_of(peaks).items()]


def target_lines():
    return [plots.line(**dict(plots.TARGET, label="targets, " + " / ".join(
        f"{100.0 * share:.0f}" for share in targets.KERNEL.values()) + " %"))]


def draw_targets(panel, records):
    """Of both operators, where the sizes reach them."""
    largest = max(record["lmax"] for record in records)
    for share in targets.KERNEL.values() if largest >= targets.KERNEL_FROM else ():
        panel.plot([targets.KERNEL_FROM / 1.2, 1.2 * largest], [100.0 * share] * 2, **plots.TARGET)


def draw(panel, records, colours):
    for isa, colour in colours.items():
        for operator, dash in plots.DASHES.items():
            points = [(r["lmax"], 100.0 * r["share_beside"]) for r in records
                      if (r["isa"], r["operator"]) == (isa, operator)]
            if points:
                panel.plot(*zip(*sorted(points)), color=colour, linestyle=dash, marker="o",
                           markersize=3)
