"""Figures 3 to 6, A1, C1 and table D1 of cunuSHT's paper (Belkner et al. 2024): values at
deflected points of a Gauss-Legendre grid (type 2) and the adjoint (type 1), next to ducc0 on the
same core."""
import copy
import importlib.util
import os

import numpy as np

import armilla
import armilla.lensing
import points
import problems
from libarmilla import Points
from papers_common import COLOURS, READ, Figure, best, select, series
from plots import line, log_axis, panels, side_legend, sizes_axis

TITLE = "cunuSHT"
ABOUT = ("Belkner, Duivenvoorden, Carron, Schaeffer & Reinecke 2024: one NVIDIA A100 against "
         "ducc0 on an Intel Xeon Gold 8358 with 32 threads. Points are those of a Gauss-Legendre "
         "grid with lmax + 1 rings of 2 lmax + 2 pixels, deflected by 2.5 arcminutes rms; spin "
         "0, double precision. Here both libraries have one core, unless a line says otherwise; "
         "a call of Armilla has its plan, a call of ducc0 sorts the points.")
EPSILONS = (1e-10, 1e-6, 1e-2)
TYPES = {"synthesis": "type 2", "adjoint_synthesis": "type 1"}
PLANNED = "armilla, plan made in the call"
HOW = {"armilla": "points sorted before, by the plan", PLANNED: "plan made in the call",
       "ducc0": "sorts in the call"}
STAGES = ("sorting", "Legendre", "theta, phi", "points")
NORM = 6067  # of table D1
# Table D1: {(processor or GPU, type): {epsilon: (alpha, beta)}}, seconds.
D1 = {("CPU", "type 2"): {1e-10: (0.152, 0.696), 1e-6: (0.141, 0.616), 1e-2: (0.167, 0.411)},
      ("GPU", "type 2"): {1e-10: (1.04e-6, 0.272), 1e-6: (1.06e-2, 0.160), 1e-2: (1.39e-4, 0.119)},
      ("CPU", "type 1"): {1e-10: (0.124, 0.734), 1e-6: (0.106, 0.667), 1e-2: (0.168, 0.372)},
      ("GPU", "type 1"): {1e-10: (1.31e-8, 0.433), 1e-6: (1.07e-6, 0.284), 1e-2: (2.16e-5, 0.164)}}
COLOUR = dict(zip(EPSILONS, COLOURS))


def terms(lmax):
    """The two terms of equation (D1)."""
    l = np.asarray(lmax, float)
    return (l / NORM) ** 3, l ** 2 * np.log(l) / (NORM ** 2 * np.log(NORM))


def model(lmax, coefficients):
    return sum(c * term for c, term in zip(coefficients, terms(lmax)))


# --- The problem ----------------------------------------------------------------------------------


def deflection(lmax):
    """Coefficients of a gradient of 2.5 arcminutes rms, with most of it at degree 60."""
    degree = np.arange(lmax + 1.0)
    power = degree / (1.0 + (degree / 60.0) ** 3)
    power[0] = 0.0
    cl = power / np.maximum(degree * (degree + 1.0), 1.0)
    rms = np.sqrt(np.sum((2.0 * degree + 1.0) * cl) / (4.0 * np.pi))
    return armilla.alm.random(lmax, cl * (np.radians(2.5 / 60.0) / rms) ** 2, 3)


def square(lmax):
    return armilla.Grid.gauss_legendre(lmax + 1, 2 * lmax + 2)


def deflected(context, lmax):
    """Colatitudes and longitudes of the points."""
    angles = armilla.lensing.dlm2angles(deflection(lmax), square(lmax), nthreads=context.threads)
    return np.ascontiguousarray(angles[:, :2])


def example():
    """The functions of python/examples/points_figures.py."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "examples",
                        "points_figures.py")
    spec = importlib.util.spec_from_file_location("points_figures", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# --- 3 to 5: times --------------------------------------------------------------------------------


def race(context, problem, operator, threads=1):
    """{name: seconds} of a call, in turns: Armilla with its plan, and with a new one."""
    source, target = problems.source_for(problem, operator), problems.outputs(problem, operator)

    def planned():
        made = Points(context.library, problem, nthreads=threads)
        return made.bind(operator, source, target, threads)
    runs = {"armilla": planned(), PLANNED: lambda: planned()()}
    if "ducc0" in context.peers:
        peer = copy.copy(context.peers["ducc0"])
        peer.threads = threads
        runs["ducc0"] = points.peer_call(peer, problem, operator, source).run
    return best(context, runs, threads, 2)


def ducc_sums(context, lmax):
    """Seconds of ducc0's sums over degrees on rings enough for the points."""
    if "ducc0" not in context.peers:
        return None
    sht, rings = context.peers["ducc0"].sht, lmax + 2
    alm = np.ascontiguousarray(problems.random_alm(problems.GaussLegendre(lmax))[0])
    theta = np.pi * np.arange(rings) / (rings - 1)
    run = {"sums": lambda: sht.alm2leg(alm=alm, lmax=lmax, spin=0, theta=theta, nthreads=1)}
    return best(context, run, 1, 2)["sums"]


def stages(loc, lmax, epsilon, operator):
    """Seconds of each stage, by differences as in the example; few points are from everywhere."""
    tools, adjoint = example(), operator != "synthesis"
    plan = armilla.Points(lmax, loc, 0, epsilon, nthreads=1)
    few = plan.with_points(loc[::len(loc) // max(2000, lmax)])
    sorting = (tools.seconds(lambda: plan.with_points(loc), 2)
               - tools.seconds(lambda: few.with_points(few.loc), 2))
    sums = tools.legendre_seconds(lmax, 0, plan.describe().near_rings, adjoint)
    samples = tools.transform_seconds(few, tools.field(lmax, 0), adjoint)
    whole = tools.transform_seconds(plan, tools.field(lmax, 0), adjoint)
    return dict(zip(STAGES, (sorting, sums, samples - sums, whole - samples)))


def measure_times(context):
    for lmax in context.choose((255, 511, 1023, 2047), (255, 511)):
        loc, sums = deflected(context, lmax), ducc_sums(context, lmax)
        for epsilon in EPSILONS:
            problem = points.PointsProblem(lmax, 0, epsilon, loc)
            for operator in TYPES:
                seconds = race(context, problem, operator)
                parts = stages(loc, lmax, epsilon, operator)
                context.say(f"  lmax {lmax}, {epsilon:.0e}, {TYPES[operator]}: {seconds}")
                yield {"lmax": lmax, "npoints": len(loc), "epsilon": epsilon, "threads": 1,
                       "type": TYPES[operator], "seconds": seconds,
                       "stages": parts, "ducc0_sums": sums}
    if not context.quick:
        yield from measure_paper_size(context)


def measure_paper_size(context):
    """The size of table D1 on all cores."""
    loc = deflected(context, NORM)
    problem = points.PointsProblem(NORM, 0, 1e-6, loc)
    for operator in TYPES:
        seconds = race(context, problem, operator, context.threads)
        context.say(f"  lmax {NORM}, {TYPES[operator]}, {context.threads} threads: {seconds}")
        yield {"lmax": NORM, "npoints": len(loc), "epsilon": 1e-6, "threads": context.threads,
               "type": TYPES[operator], "seconds": seconds}


def times_of(records, kind, epsilon, name):
    some = [one for one in select(records, type=kind, epsilon=epsilon, threads=1)
            if name in one["seconds"]]
    return series(some, "lmax", lambda one: one["seconds"][name])


def epsilon_lines():
    return [line(f"epsilon {epsilon:.0e}", color=COLOUR[epsilon], marker="o", markersize=3)
            for epsilon in EPSILONS]


def seconds_sorted(one):
    """A call of Armilla, and sorting the points, which ducc0 does in its call; None: not known."""
    return one["seconds"]["armilla"] + one["stages"]["sorting"] if one.get("stages") else None


def draw_speed(records, machine):
    figure, axes = panels(2, "cunuSHT, figure 3: speed over ducc0 on the same processor", machine,
                          key_width=2.5)
    for panel, kind in zip(axes, ("type 2", "type 1")):
        for epsilon in EPSILONS:
            sizes, ours = times_of(records, kind, epsilon, "armilla")
            _, theirs = times_of(records, kind, epsilon, "ducc0")
            if theirs:
                panel.plot(sizes, np.divide(theirs, ours), color=COLOUR[epsilon], marker="o",
                           markersize=3)
                some = select(records, type=kind, epsilon=epsilon, threads=1)
                panel.plot(sizes, np.divide(theirs, series(some, "lmax", seconds_sorted)[1]),
                           color=COLOUR[epsilon], linestyle="--", linewidth=0.9)
            gpu = (model(sizes, D1["CPU", kind][epsilon]) / model(sizes, D1["GPU", kind][epsilon]))
            panel.plot(sizes, gpu, **dict(READ, color=COLOUR[epsilon]))
        panel.axhline(1.0, color="black", linewidth=0.8)
        panel.set_title(kind, fontsize=10)
        panel.set_ylim(0, 6)
        panel.set_ylabel("times as fast")
        sizes_axis(panel, sizes, "band limit lmax")
    side_legend(figure, epsilon_lines() + [
        line("Armilla over ducc0,\none core each"),
        line("the same, Armilla's\nsorting counted", linestyle="--", linewidth=0.9),
        line("the paper's fits (D1):\nA100 over ducc0 on\n32 cores", linestyle=":")])
    return figure


def ratio(over, below):
    return f"{over / below:.2f}" if over and below else "-"


def table_speed(records):
    header = ["lmax", "points", "epsilon", "type", "Armilla, s", "ducc0, s",
              "ducc0 / Armilla, plan kept", "sorting counted", "plan made in the call",
              "the paper's fit: A100 over 32 cores"]
    rows = []
    for one in records:
        ours, theirs = one["seconds"]["armilla"], one["seconds"].get("ducc0")
        fit = [model(one["lmax"], D1[unit, one["type"]][one["epsilon"]]) for unit in ("CPU", "GPU")]
        threads = "" if one["threads"] == 1 else f" ({one['threads']} threads)"
        rows.append([str(one["lmax"]), f"{one['npoints']:.2g}", f"{one['epsilon']:.0e}",
                     one["type"], f"{ours:.3g}{threads}",
                     f"{theirs:.3g}{threads}" if theirs else "-", ratio(theirs, ours),
                     ratio(theirs, seconds_sorted(one)),
                     ratio(theirs, one["seconds"].get(PLANNED)), f"{fit[0] / fit[1]:.1f}"])
    return header, rows


def headline_times(records):
    for one in select(records, lmax=NORM):
        cpu, gpu = [sum(D1[unit, one["type"]][one["epsilon"]]) for unit in ("CPU", "GPU")]
        yield [f"{one['type']}, lmax {NORM}, {one['epsilon']:.0e}",
               f"{gpu:.2g} s on the A100, ducc0 {cpu:.2g} s on 32 cores",
               ", ".join(f"{name} {one['seconds'][name]:.3g} s ({how})" for name, how in HOW.items()
                         if name in one["seconds"]) + f"; {one['threads']} cores"]


def totals(panel, records, kind, name, unit):
    """Times over the band limit, and the paper's fits."""
    for epsilon in EPSILONS:
        sizes, seconds = times_of(records, kind, epsilon, name)
        panel.plot(sizes, seconds, color=COLOUR[epsilon], marker="o", markersize=3)
        wide = np.geomspace(255, NORM, 30)
        panel.plot(wide, model(wide, D1[unit, kind][epsilon]),
                   **dict(READ, color=COLOUR[epsilon]))
    for one in select(records, type=kind, lmax=NORM):
        if name in one["seconds"]:
            panel.plot([NORM], [one["seconds"][name]], "o", color=COLOUR[one["epsilon"]],
                       markersize=6, fillstyle="none")
    sizes_axis(panel, [255, 511, 1023, 2047, NORM], "band limit lmax")
    log_axis(panel, "seconds")


def breakdown(name, parts, title, unit, colours):
    """A picture of shares of stages above, whole times below. parts(record): {stage: seconds}."""
    def draw(records, machine):
        figure, axes = panels(4, title, machine, key_width=2.6)
        for column, kind in enumerate(("type 2", "type 1")):
            some = [one for one in select(records, type=kind, threads=1) if parts(one)]
            some.sort(key=lambda one: (one["lmax"], one["epsilon"]))
            labels = [f"{one['lmax']}, {one['epsilon']:.0e}" for one in some]
            left = np.zeros(len(some))
            for stage, colour in colours.items():
                shares = [100.0 * max(0.0, parts(one)[stage]) / sum(
                    max(0.0, value) for value in parts(one).values()) for one in some]
                axes[column].bar(range(len(some)), shares, bottom=left, color=colour, width=0.8)
                left += shares
            axes[column].set_xticks(range(len(some)), labels, rotation=90, fontsize=6)
            axes[column].set_ylabel("% of a call")
            axes[column].set_title(kind, fontsize=10)
            totals(axes[2 + column], records, kind, name, unit)
        where = "A100" if unit == "GPU" else "32 cores"
        side_legend(figure, [line(stage, color=colour, linewidth=6)
                             for stage, colour in colours.items()] + epsilon_lines() + [
            line("all cores", marker="o", fillstyle="none", linestyle="none"),
            line(f"the paper's fits (D1),\n{where}", linestyle=":")])
        return figure
    return draw


def our_parts(one):
    return one.get("stages")


def ducc_parts(one):
    if "ducc0" not in one["seconds"] or not one.get("ducc0_sums"):
        return None
    sums = one["ducc0_sums"]
    return {"Legendre": sums, "all else": one["seconds"]["ducc0"] - sums}


draw_ours = breakdown("armilla", our_parts, "cunuSHT, figure 4, on one core of a processor: stages "
                      "of Armilla", "GPU", dict(zip(STAGES, COLOURS[1:])))
draw_ducc = breakdown("ducc0", ducc_parts, "cunuSHT, figure 5: stages of ducc0 on one core", "CPU",
                      {"Legendre": COLOURS[2], "all else": COLOURS[5]})


def table_parts(parts, names, what):
    def table(records):
        rows = []
        for one in sorted(records, key=lambda one: (one["type"], one["lmax"], one["epsilon"])):
            found = parts(one)
            if found:
                rows.append([one["type"], str(one["lmax"]), f"{one['epsilon']:.0e}"]
                            + [f"{1e9 * found[name] / one['npoints']:.0f}" for name in names])
        return ["type", "lmax", "epsilon"] + [f"{name}, {what}" for name in names], rows
    return table


# --- 6: accuracy ----------------------------------------------------------------------------------


def measure_accuracy(context):
    lmax, count = context.choose((511, 100000), (127, 2000))
    loc, alm = example().random_points(count), example().field(lmax, 0)
    exact = armilla.evaluate(alm, lmax, loc, nthreads=context.threads)

    def error(values):
        return float(np.linalg.norm(values - exact) / np.linalg.norm(exact))
    for n in range(1, 14):
        epsilon = 10.0 ** -n
        plan = armilla.Points(lmax, loc, 0, epsilon, nthreads=context.threads)
        record = {"lmax": lmax, "npoints": count, "epsilon": epsilon,
                  "armilla": error(plan.synthesis(alm, nthreads=context.threads))}
        if "ducc0" in context.peers and n < 13:
            record["ducc0"] = error(context.peers["ducc0"].sht.synthesis_general(
                alm=alm.reshape(1, -1), spin=0, lmax=lmax, loc=loc, epsilon=epsilon,
                nthreads=context.threads)[0])
        context.say(f"  epsilon {epsilon:.0e}: {record}")
        yield record


def draw_accuracy(records, machine):
    figure, (panel,) = panels(1, "cunuSHT, figure 6: accuracy reached over accuracy asked for",
                              machine, key_width=2.3)
    for k, name in enumerate(("armilla", "ducc0")):
        some = [one for one in records if name in one]
        panel.plot(*series(some, "epsilon", name), color=COLOURS[k], marker="o", markersize=4,
                   linestyle="none", fillstyle=("full", "none")[k])
    asked = sorted(one["epsilon"] for one in records)
    panel.plot(asked, asked, color="black", linewidth=0.8)
    panel.plot([min(asked), max(asked)], [1e-4, 1e-4], **READ)
    panel.set_xscale("log")
    panel.invert_xaxis()
    panel.set_xlabel("epsilon asked for")
    log_axis(panel, "error of all values, relative")
    side_legend(figure, [line("Armilla", color=COLOURS[0], marker="o", linestyle="none"),
                         line("ducc0", color=COLOURS[1], marker="o", fillstyle="none",
                              linestyle="none"),
                         line("as asked for", color="black"),
                         line(**dict(READ, label="cunuSHT in float32:\nnot below 1e-4"))])
    return figure


def table_accuracy(records):
    return ["epsilon", "Armilla", "ducc0"], [
        [f"{one['epsilon']:.0e}", f"{one['armilla']:.1e}",
         f"{one['ducc0']:.1e}" if "ducc0" in one else "-"] for one in records]


# --- C1: deflected directions ---------------------------------------------------------------------


def deflect_calls(context, lmax):
    """{name: function}: from the deflection's coefficients to the directions."""
    dlm, grid = deflection(lmax), square(lmax)
    found = {"armilla": lambda: armilla.lensing.dlm2angles(dlm, grid, nthreads=1)}
    if "ducc0" in context.peers:
        sht, misc = context.peers["ducc0"].sht, context.peers["ducc0"].misc
        nphi, theta = 2 * lmax + 2, np.unique(grid.rings["theta"])
        degree = np.arange(lmax + 1.0)
        gradient = np.sqrt(np.maximum(degree, 0.5) * (degree + 1.0))
        phi = armilla.alm.multiply_window(dlm, 1.0 / gradient)
        common = {"phi0": np.zeros(lmax + 1), "nphi": np.full(lmax + 1, nphi, np.uint64),
                  "ringstart": np.arange(lmax + 1, dtype=np.uint64) * nphi, "theta": theta}

        def ducc():
            field = sht.synthesis_deriv1(alm=phi.reshape(1, -1), lmax=lmax, nthreads=1, **common)
            return misc.get_deflected_angles(deflect=np.ascontiguousarray(field.T),
                                             calc_rotation=True, nthreads=1, **common)
        found["ducc0"] = ducc
    return found


def measure_pointing(context):
    for lmax in context.choose((255, 511, 1023, 2047), (255, 511)):
        calls = deflect_calls(context, lmax)
        angles = [call()[:, 0] for call in calls.values()]
        off = max(float(np.abs(angles[0] - one).max()) for one in angles)
        if off > 1e-10:
            context.say(f"  pointing, lmax {lmax}: colatitudes DISAGREE by {off:.1e}; not timed")
            continue
        seconds = best(context, calls, 1, 2)
        context.say(f"  pointing, lmax {lmax}: {seconds}, colatitudes agree to {off:.1e}")
        yield {"lmax": lmax, "npoints": (lmax + 1) * (2 * lmax + 2), "seconds": seconds}


def draw_pointing(records, machine):
    figure, (panel,) = panels(1, "cunuSHT, figure C1: from the deflection to the directions, one "
                              "core", machine, key_width=1.8)
    names = list(dict.fromkeys(name for one in records for name in one["seconds"]))
    for k, name in enumerate(names):
        panel.plot(*series(records, "lmax", lambda one, name=name: one["seconds"][name]),
                   color=COLOURS[k], marker="o", markersize=3)
    sizes_axis(panel, [one["lmax"] for one in records], "band limit lmax")
    log_axis(panel, "seconds")
    side_legend(figure, [line(name, color=COLOURS[k], marker="o", markersize=3)
                         for k, name in enumerate(names)])
    return figure


def table_pointing(records):
    names = list(dict.fromkeys(name for one in records for name in one["seconds"]))
    return ["lmax", "pixels"] + [f"{name}, s" for name in names] + ["Armilla, ns a pixel"], [
        [str(one["lmax"]), f"{one['npoints']:.2g}"] + [f"{one['seconds'][n]:.3g}" for n in names]
        + [f"{1e9 * one['seconds']['armilla'] / one['npoints']:.0f}"] for one in records]


# --- D1: fits -------------------------------------------------------------------------------------


def fit(sizes, seconds):
    """(alpha, beta) >= 0 with the least squares of relative errors."""
    columns = np.array(terms(sizes)).T / np.array(seconds)[:, None]
    both = np.linalg.lstsq(columns, np.ones(len(seconds)), rcond=None)[0]
    if (both >= 0).all():
        return both
    single = [columns[:, k].sum() / (columns[:, k] ** 2).sum() for k in (0, 1)]
    rest = [np.sum((columns[:, k] * single[k] - 1.0) ** 2) for k in (0, 1)]
    best_one = int(np.argmin(rest))
    return np.array([single[k] if k == best_one else 0.0 for k in (0, 1)])


def table_fits(records):
    rows = []
    for kind in TYPES.values():
        for epsilon in EPSILONS:
            row = [kind, f"{epsilon:.0e}"]
            for name in ("armilla", "ducc0"):
                found = times_of(records, kind, epsilon, name)
                values = fit(*found) if found[0] else None
                row += ["-", "-"] if values is None else [f"{value:.3g}" for value in values]
            for unit in ("CPU", "GPU"):
                row += [f"{value:.3g}" for value in D1[unit, kind][epsilon]]
            rows.append(row)
    return ["type", "epsilon"] + [f"{name}, {who}" for who in (
        "Armilla, one core", "ducc0, one core", "paper, 32 cores", "paper, A100")
        for name in ("alpha", "beta")], rows


NO_GPU = "cunuSHT on an A100, or any GPU: there is none here"
FIGURES = (
    Figure("cunusht-3", "Figure 3: speed over ducc0",
           "The paper has cunuSHT on a GPU over ducc0 on 32 cores (dotted: the ratio of the fits "
           "in its table D1); the solid lines are Armilla on one core over ducc0 on the same core. "
           "There Armilla's plan is kept and has sorted the points, while ducc0 sorts them in each "
           "call; dashed lines and the column 'sorting counted' add the time of sorting to "
           "Armilla's call, and a plan that is made in the call costs more. Another run, on "
           "2026-11-28, had all three: 2.85 with the plan kept, 1.72 with sorting counted, 1.46 "
           "with the plan made in the call (its machine and size are not on record).",
           "1 to 5 times for type 2 in single precision, 1 to 3 in double; type 1 at most 3.",
           measure_times, draw_speed, table_speed,
           (NO_GPU, "lmax up to 9000 in steps: one size beyond 2047, on all cores"), (),
           headline_times),
    Figure("cunusht-4", "Figure 4: stages",
           "Shares of the stages (sorting is done once by a plan) and whole times. Stages are "
           "differences of calls with many points and with few. Dotted: the paper's fits for the "
           "A100. The hollow circle is lmax 6067 on all cores.",
           "at large lmax the rSHT takes about 20 % of the GPU's time.",
           lambda context: (), draw_ours, table_parts(our_parts, STAGES, "ns a point"), (NO_GPU,),
           ("cunusht-3",)),
    Figure("cunusht-5", "Figure 5: ducc0's stages",
           "ducc0's sums over degrees are timed by its alm2leg; the rest of a call is all else: "
           "doubling, FFTs, points and their sorting. Dotted: the paper's fits for 32 cores.",
           "the sums over degrees grow with lmax; the most accurate run takes at most twice the "
           "least accurate one.",
           lambda context: (), draw_ducc,
           table_parts(ducc_parts, ("Legendre", "all else"), "ns a point"), (), ("cunusht-3",)),
    Figure("cunusht-6", "Figure 6: accuracy",
           "Norm of the error over norm of the values, random points all over the sphere, against "
           "sums over all harmonics at each point.",
           "both codes reach what is asked for, the processor's with more margin; in single "
           "precision the GPU does not go below 1e-4. (10^6 points.)",
           measure_accuracy, draw_accuracy, table_accuracy, (NO_GPU,)),
    Figure("cunusht-A1", "Figure A1: copies between host and device",
           "Copies exist only with a GPU; gpu-figures.md has the rows and no prediction for them.",
           "", lambda context: (), lambda *_: None, lambda _: ((), ()), (NO_GPU,)),
    Figure("cunusht-C1", "Figure C1: deflected directions",
           "From coefficients of the deflection to the directions and angles of rotation of all "
           "pixels: the gradient's synthesis and the geometry (Armilla also sorts the points).",
           "a curve of the GPU's times, without numbers in the text.",
           measure_pointing, draw_pointing, table_pointing, (NO_GPU,)),
    Figure("cunusht-D1", "Table D1: fits",
           "Fits of alpha (l / 6067)^3 + beta l^2 log(l) / (6067^2 log 6067) to seconds, alpha and "
           "beta at least 0; alpha + beta is the time at lmax 6067. Ours are of one core, from "
           "lmax 255 to 2047.",
           "its table, to the right.",
           lambda context: (), lambda *_: None, table_fits, (), ("cunusht-3",)),
)

LEFT = ("figures 1 and 2 are a sketch of the doubling and pictures of a lensed sky",)
