"""Picture of run.py radial: speed of radial convolution over harmonic smoothing against the support
of the kernel, as in figure 2 of the ARKCoS paper (Elsner & Wandelt 2011)."""
import plots
from report_radial import gain_over_harmonic, gain_over_peer
from results import newest_of


def figures(results):
    some = [result for result in results if result["command"] == "radial"]
    records = newest_of(some, "supports")
    if records:
        yield "radial-supports", picture(records, some[-1]["machine"])


def picture(records, machine):
    sizes = sorted({record["nside"] for record in records})
    colours = dict(zip(sizes, plots.OTHERS))
    figure, (panel,) = plots.panels(1, "Radial convolution: speed over harmonic smoothing, "
                                    "lmax = 2 nside", machine, key_width=2.2)
    for nside in sizes:
        some = sorted((r for r in records if r["nside"] == nside), key=lambda r: r["support"])
        for gain, dash in ((gain_over_peer, "-"), (gain_over_harmonic, "--")):
            points = [(r["support"], gain(r)) for r in some if gain(r)]
            if points:
                panel.plot(*zip(*points), color=colours[nside], linestyle=dash, marker="o",
                           markersize=3)
    panel.axhline(1.0, **dict(plots.TARGET, label="as fast"))
    plots.sizes_axis(panel, [record["support"] for record in records], "support, degrees")
    plots.log_axis(panel, "times as fast")
    plots.side_legend(figure, [plots.line(f"nside {n}", color=colours[n]) for n in sizes]
                      + [plots.line("over the fastest peer"),
                         plots.line("over Armilla, harmonic", linestyle="--")])
    return figure
