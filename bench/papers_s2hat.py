"""Figures 6.1, 6.2, 6.4, 6.6 and 6.7 of the paper on s2hat's synthesis on GPUs (Hupca, Falcou,
Grigori & Stompor 2010): settings, threads, the sums over degrees, which it calls Delta_m, their
efficiency, and whole transforms. Instead of its figures 6.3 and 6.5, which are of GPUs, there are
two quantities of ours."""
import numpy as np

import armilla
import kernels
import problems
import scaling
from foretold import predictions
from libarmilla import Plan
from papers_common import COLOURS, FORETOLD, PAPER, READ, Figure, best, select, series
from plots import line, log_axis, panels, side_legend, sizes_axis

TITLE = "s2hat on GPUs"
ABOUT = ("Hupca, Falcou, Grigori & Stompor 2010: NVIDIA GTX 480 beside an Intel Core i7-960 (4 "
         "cores), GTX 260 beside an AMD Phenom 9850 (4 cores). Only synthesis of scalars. The "
         "paper's sizes, 1 K to 5 K, are lmax + 1 here, on Gauss-Legendre grids.")
THOUSANDS = (1, 2, 3, 4, 5)
SCALAR_TO = 2  # thousands: beyond, code without vectors takes minutes
# Seconds on an H100, arrays on the device: as in docs/gpu-figures.md.
FORETOLD_SECONDS = predictions()["GL lmax 4095, synthesis"]
FORETOLD_SIZE = 4
MARKS = "sv^D"
# Figure 6.7, whose bars have numbers: the GTX 480's whole synthesis over the Fortran code's.
BARS = {"FFTW, 1 process": (7.0, 10.6, 13.8, 16.3, 18.2),
        "HEALPix FFT, 1 process": (4.2, 8.6, 12.4, 15.4, 17.7),
        "FFTW, 4 processes": (5.3, 6.3, 9.3, 6.1, 8.2),
        "HEALPix FFT, 4 processes": (2.0, 3.5, 4.7, 4.2, 5.5)}


def sizes_of(context):
    return context.choose(THOUSANDS, (1,))


def k_axis(panel, sizes):
    sizes_axis(panel, sizes, "size, thousands of lmax + 1")


# --- 6.1, 6.2: what is kept for calls, threads ----------------------------------------------------

# Every way to keep what the sums over degrees need between calls, or to make it in each.
KEPT = [f"legendre.starts={starts},legendre.tables={tables},legendre.recurrences={recurrences}"
        for starts in (0, 1, 2) for tables in (0, 1) for recurrences in (0, 1)]
BINS = (-5, 5, 15, 25, 50, 100, 400)  # edges, percent


def gauss_legendre(thousand):
    size = int(1024 * thousand)
    return armilla.Grid.gauss_legendre(size, 2 * size), size - 1


def own_setting(plan):
    """What the plan has chosen, as KEPT has it."""
    chosen = {choice.name: choice.value.split(":")[0] for choice in plan.explain()}
    return ",".join(f"{name}={chosen[name]}" for name in (
        "legendre.starts", "legendre.tables", "legendre.recurrences"))


def plans_of(grid, lmax):
    """{setting: plan}, of those that exist at this size; "": the plan's own, which is not among
    the others."""
    plans = {"": armilla.SHT(grid, lmax)}
    for name in KEPT:
        if name == own_setting(plans[""]):
            continue
        try:
            plans[name] = armilla.SHT(grid, lmax, choices=name)
        except ValueError:
            continue  # recurrences are only kept where tables are
    return plans


def measure_kept(context):
    for thousand in context.choose((0.25, 0.5, 1, 2), (0.25,)):
        grid, lmax = gauss_legendre(thousand)
        alm = armilla.alm.random(lmax, np.ones(lmax + 1), seed=1)
        plans, sky = plans_of(grid, lmax), np.zeros(grid.npix)
        runs = {name: lambda plan=plan: plan.synthesis(alm, out=sky, nthreads=1)
                for name, plan in plans.items()}
        seconds = best(context, runs, 1, 3)
        usual = seconds.pop("")
        context.say(f"  {thousand} K: usual {usual:.3g} s, worst "
                    f"{max(seconds.values()) / usual:.2f} times")
        yield {"size": thousand, "threads": 1, "usual": usual, "seconds": seconds}


def slower(records):
    """Percent, of all settings."""
    return [100.0 * (value / one["usual"] - 1.0) for one in records
            for value in one["seconds"].values()]


def draw_kept(records, machine):
    figure, (panel,) = panels(1, "s2hat, figure 6.1: how much slower a synthesis is with other "
                              "settings than the plan's own", machine)
    names = [f"{low} to {high}" for low, high in zip(BINS, BINS[1:])]
    some = np.clip(slower(records), BINS[0], BINS[-1])
    panel.bar(names, np.histogram(some, BINS)[0], color=COLOURS[0])
    panel.set_xlabel("% slower, one thread")
    panel.set_ylabel("settings")
    panel.tick_params(axis="x", labelsize=7)
    return figure


def table_kept(records):
    rows = []
    for one in records:
        some = slower([one])
        rows.append([f"{one['size']:g} K", str(len(some)), f"{one['usual']:.3g}",
                     f"{min(some):.0f}", f"{float(np.median(some)):.0f}", f"{max(some):.0f}"])
    return ["size", "other settings", "the plan's own, s", "least, % slower", "median, %",
            "most, %"], rows


def measure_threads(context):
    """Up to twice as many threads as cores: on a GPU more threads than units are faster."""
    for thousand in context.choose((1, 2, 3, 4), (1,)):
        grid, lmax = gauss_legendre(thousand)
        plan, sky = armilla.SHT(grid, lmax), np.zeros(grid.npix)
        alm = armilla.alm.random(lmax, np.ones(lmax + 1), seed=1)
        seconds = {str(n): best(context, {"": lambda n=n: plan.synthesis(
            alm, out=sky, nthreads=n)}, 2, 3)[""] for n in range(1, 2 * context.threads + 1)}
        context.say(f"  {thousand} K: {seconds}")
        yield {"size": thousand, "by_threads": seconds}


def draw_threads(records, machine):
    figure, (panel,) = panels(1, "s2hat, figure 6.2: time of a synthesis by threads, the best in a "
                              "box", machine, key_width=1.6)
    for k, one in enumerate(records):
        counts = [int(n) for n in one["by_threads"]]
        times = list(one["by_threads"].values())
        panel.plot(counts, times, color=COLOURS[k], marker="o", markersize=3)
        least = int(np.argmin(times))
        panel.plot(counts[least], times[least], color=COLOURS[k], marker="s", markersize=9,
                   fillstyle="none")
    panel.set_xlabel("threads")
    panel.set_xticks(counts)
    log_axis(panel, "seconds by the clock")
    side_legend(figure, [line(f"{one['size']} K", color=COLOURS[k], marker="o", markersize=3)
                         for k, one in enumerate(records)])
    return figure


def table_threads(records):
    counts = list(records[0]["by_threads"])
    rows = []
    for one in records:
        least = min(one["by_threads"].values())
        rows.append([f"{one['size']} K"] + [
            f"**{value:.3g}**" if value == least else f"{value:.3g}"
            for value in one["by_threads"].values()])
    return ["size"] + [f"{n} thread" + ("s" if n != "1" else "") + ", s" for n in counts], rows


# --- 6.3 to 6.5: the sums over degrees ------------------------------------------------------------


def measure_sums(context):
    """bench_kernels, one core, each instruction set."""
    every = context.library.instruction_sets()
    for thousand in sizes_of(context):
        for isa in every:
            if isa not in kernels.WIDE and thousand > SCALAR_TO:
                continue
            lmax = 1024 * thousand - 1
            for one in kernels.call(context.options, 2 if thousand < 3 else 1, 0, 1, isa, (lmax,),
                                    context.say):
                if one.get("operator") == "synthesis":
                    context.say(f"  {kernels.line(one)}")
                    yield {"size": thousand, **{name: one[name] for name in (
                        "isa", "seconds", "gflops", "peak", "share_beside", "stolen")}}


def sets_of(records):
    return list(dict.fromkeys(one["isa"] for one in records if "isa" in one))


def isa_lines(records):
    return [line(isa, color=COLOURS[k], marker="o", markersize=3)
            for k, isa in enumerate(sets_of(records))]


def improvements(records):
    """{instruction set: ([thousand], [times as fast as without vectors])}; beyond the sizes where
    that was timed, it is taken to grow with the cube of the size."""
    plain = {one["size"]: one["seconds"] for one in select(records, isa="scalar")}
    last = max(plain, default=0)

    def base(size):
        return plain.get(size) or plain[last] * (size / last) ** 3
    return {isa: series(select(records, isa=isa), "size",
                        lambda one: base(one["size"]) / one["seconds"])
            for isa in sets_of(records) if isa != "scalar" and plain}


def draw_improvement(records, machine):
    figure, (panel,) = panels(1, "Sums over degrees, one core: times as fast as code without "
                              "vectors", machine, key_width=2.2)
    k = 0
    for k, found in enumerate(improvements(records).values()):
        panel.plot(*found, color=COLOURS[k + 1], marker="o", markersize=3)
    k_axis(panel, [one["size"] for one in records])
    panel.set_ylim(1, 20)
    log_axis(panel, "times as fast")
    names = list(improvements(records))
    side_legend(figure, [line(f"{isa}, one core", color=COLOURS[n + 1], marker="o", markersize=3)
                         for n, isa in enumerate(names)])
    return figure


def table_improvement(records):
    return ["instruction set", "times as fast as without vectors, by size"], [
        [isa, ", ".join(f"{size} K: {gain:.1f}" for size, gain in zip(*found))]
        for isa, found in improvements(records).items()]


def over_size(title, what, label, levels, limit):
    """A picture of one quantity of the sums over the size, and the paper's levels."""
    def draw(records, machine):
        figure, (panel,) = panels(1, title, machine, key_width=2.2)
        for k, isa in enumerate(sets_of(records)):
            panel.plot(*series(select(records, isa=isa), "size", what), color=COLOURS[k],
                       marker="o", markersize=3)
        for level, text in levels:
            panel.axhline(level, **READ)
            panel.annotate(text, (1.02, level + 0.01 * limit), fontsize=7, color=PAPER)
        marks = [line(**dict(READ, label="the paper's levels"))] if levels else []
        k_axis(panel, [one["size"] for one in records])
        panel.set_ylim(0, limit)
        panel.set_ylabel(label)
        side_legend(figure, isa_lines(records) + marks)
        return figure
    return draw


draw_efficiency = over_size("s2hat, figure 6.4: efficiency of the sums over degrees, one core",
                            lambda one: 100.0 * one["share_beside"], "% of the peak",
                            ((30, "GTX 480, its best"), (10, "GTX 260, and s2hat on the i7")), 100)
draw_gflops = over_size("Useful operations of the sums over degrees, one core", "gflops",
                        "GFlop/s", (), 120)


def table_sums(records):
    return ["size", "set", "s", "GFlop/s", "peak beside, GFlop/s", "% of it"], [
        [f"{one['size']} K", one["isa"], f"{one['seconds']:.3g}", f"{one['gflops']:.1f}",
         f"{one['peak']:.0f}", f"{100 * one['share_beside']:.0f}"] for one in records]


def headline_sums(records):
    one = max(records, key=lambda one: one["gflops"])
    yield [f"share of the peak, {one['isa']}", "s2hat 10 % on a core, the GTX 480 30 %",
           f"{100 * one['share_beside']:.0f} % on a core"]


# --- 6.6, 6.7: whole transforms -------------------------------------------------------------------


def whole_calls(context, problem, threads, alm, sky):
    """{name: function}: ours, and ducc0's with the same arrays."""
    plan = Plan(context.library, problem)
    found = {"armilla": plan.bind("synthesis", alm, sky, threads)}
    if "ducc0" in context.peers and threads == 1:
        peer = context.peers["ducc0"]
        variant = scaling.fastest_variant(peer, problem, "synthesis", alm, sky, 1)
        found["ducc0"] = peer.prepare(problem, "synthesis", variant)(alm, sky).run
    return found


def measure_whole(context):
    for thousand in sizes_of(context):
        problem = problems.GaussLegendre(1024 * thousand - 1)
        alm, sky = problems.random_alm(problem), problems.outputs(problem, "synthesis")
        sky.fill(0.0)
        for threads in sorted({1, context.threads}):
            seconds = best(context, whole_calls(context, problem, threads, alm, sky), threads, 2)
            context.say(f"  {problem.name}, {threads} threads: {seconds}")
            yield {"size": thousand, "threads": threads, "whole": seconds}


def whole_series(records):
    """{(library, threads): ([size], [seconds])}"""
    some = [one for one in records if "whole" in one]
    kinds = dict.fromkeys((name, one["threads"]) for one in some for name in one["whole"])
    return {(name, threads): series([one for one in select(some, threads=threads)
                                     if name in one["whole"]], "size",
                                    lambda one, name=name: one["whole"][name])
            for name, threads in kinds}


def kind_name(kind):
    return f"{kind[0]}, {kind[1]} thread" + ("s" if kind[1] > 1 else "")


def draw_runtimes(records, machine):
    figure, (panel,) = panels(1, "s2hat, figure 6.6: time of a synthesis, Delta_m and FFTs",
                              machine, key_width=2.6)
    found = whole_series(records)
    for k, values in enumerate(found.values()):
        panel.plot(*values, color=COLOURS[k], marker="o", markersize=3)
    widest = sets_of(records)[-1:]
    if widest:
        panel.plot(*series(select(records, isa=widest[0]), "size", "seconds"), color=COLOURS[0],
                   linestyle=":")
    panel.plot([FORETOLD_SIZE] * 2, FORETOLD_SECONDS, **dict(FORETOLD, marker="_", markersize=9))
    k_axis(panel, THOUSANDS)
    log_axis(panel, "seconds")
    side_legend(figure, [line(kind_name(kind), color=COLOURS[k], marker="o", markersize=3)
                         for k, kind in enumerate(found)]
                + [line("Delta_m alone, 1 thread", color=COLOURS[0], linestyle=":"),
                   line(**dict(FORETOLD, label="H100, predicted", marker="_"))])
    return figure


def table_runtimes(records):
    found = whole_series(records)
    widest = sets_of(records)[-1:]
    sums = dict(zip(*series(select(records, isa=widest[0]), "size", "seconds"))) if widest else {}
    sizes = sorted({one["size"] for one in records})
    rows = []
    for size in sizes:
        times = [dict(zip(*values)).get(size) for values in found.values()]
        alone = times[0]
        rows.append([f"{size} K"] + ["-" if t is None else f"{t:.3g}" for t in times]
                    + [f"{sums[size]:.3g}" if size in sums else "-",
                       f"{100 * (1 - sums[size] / alone):.0f}" if size in sums and alone else "-"])
    return (["size"] + [kind_name(kind) + ", s" for kind in found]
            + ["Delta_m, 1 thread, s", "the rest, %"]), rows


def draw_overall(records, machine):
    figure, (panel,) = panels(1, "s2hat, figure 6.7: improvement of a whole synthesis", machine,
                              key_width=3.0, height=4.2)
    for values, mark in zip(BARS.values(), MARKS):
        panel.plot(THOUSANDS, values, marker=mark, markersize=4, **READ)
    found = whole_series(records)
    ours = dict(zip(*found["armilla", 1]))
    lines = []
    for k, (kind, values) in enumerate(found.items()):
        times = dict(zip(*values))
        if kind[0] == "armilla":
            gpu = [times[FORETOLD_SIZE] / t for t in FORETOLD_SECONDS if FORETOLD_SIZE in times]
            panel.plot([FORETOLD_SIZE + 0.08 * kind[1]] * len(gpu), gpu,
                       **dict(FORETOLD, marker="_", markersize=9))
        if kind != ("armilla", 1):
            gains = [ours[n] / t if kind[0] == "armilla" else t / ours[n]
                     for n, t in times.items()]
            panel.plot(list(times), gains, color=COLOURS[k], marker="o", markersize=3)
            label = (f"{kind[1]} threads over one" if kind[0] == "armilla"
                     else f"Armilla over {kind[0]}, one core")
            lines.append(line(label, color=COLOURS[k], marker="o", markersize=3))
    k_axis(panel, THOUSANDS)
    panel.set_ylim(0.8, 1000)
    log_axis(panel, "times as fast")
    side_legend(figure, lines + [
        line(**dict(READ, label=f"GTX 480 over s2hat:\n{name}", marker=mark, markersize=4))
        for name, mark in zip(BARS, MARKS)]
        + [line(**dict(FORETOLD, label="H100, predicted, over\n1 core and over all", marker="_"))])
    return figure


def table_overall(records):
    found = whole_series(records)
    ours = dict(zip(*found["armilla", 1]))
    rows = []
    for size in sorted(ours):
        cells = [f"{size} K"]
        for kind, values in found.items():
            t = dict(zip(*values)).get(size)
            if kind != ("armilla", 1):
                gain = None if t is None else (ours[size] / t if kind[0] == "armilla"
                                               else t / ours[size])
                cells.append("-" if gain is None else f"{gain:.2f}")
        rows.append(cells + [f"{values[size - 1]:g}" for values in BARS.values()])
    names = [f"{kind[1]} threads over one" if kind[0] == "armilla" else f"over {kind[0]}, one core"
             for kind in found if kind != ("armilla", 1)]
    return ["size"] + names + [f"GTX 480 over s2hat, {name}" for name in BARS], rows


NO_GPU = "the GTX 480 and 260, or any GPU: there is none here"
NO_S2HAT = "s2hat itself: its Fortran code is not among the peers"
FIGURES = (
    Figure("s2hat-6.1", "Figure 6.1: what other settings cost",
           "The paper's histograms have the loss that the GTX 480's cache for global memory brings "
           "over buffers that are filled by hand, over all other settings, by threads of a block. "
           "A processor's cache cannot be switched off; what it has is what a plan keeps in memory "
           "for its calls (starts of the recurrences, tables, their coefficients), or makes in "
           "each call. These are all other combinations at each size, over the plan's own choice, "
           "on one thread.",
           "the cache never helps: 200 % slower on average with few threads, 0 to 200 % with 64 "
           "of a block, 0 to 60 % with 128.",
           measure_kept, draw_kept, table_kept, (NO_GPU,)),
    Figure("s2hat-6.2", "Figure 6.2: time by the number of threads",
           "The paper has threads of a block of a GPU, 16 to 512. Here they are those of a call, "
           "up to twice as many as there are cores.",
           "64 or 128 threads of a block are best on both GPUs; more threads than units of "
           "arithmetic are faster, unlike on a processor.",
           measure_threads, draw_threads, table_threads, (NO_GPU,)),
    Figure("s2hat-sums", "Sums over degrees: what wide registers give",
           "No figure of the paper: what wide registers of one core give over the same code "
           "without vectors (from 3 K on that is the time at 2 K times the cube of the ratio of "
           "sizes). The paper's figure 6.3 has a GPU over processors, which is not measured here.",
           "nothing of this kind; of its own quantity, that the GTX 480 levels out at 60 and 42 "
           "times one core of the Phenom and the i7, 14 and 10 times four cores, and the GTX 260 "
           "at 17, 12, 4 and 3.",
           measure_sums, draw_improvement, table_improvement, (NO_GPU, NO_S2HAT)),
    Figure("s2hat-6.4", "Figure 6.4: efficiency",
           "Useful operations of the sums over degrees over the multiply-add peak of each "
           "instruction set, which is measured beside it.",
           "10 % for s2hat on the i7-960 and for the GTX 260; the GTX 480 peaks at 30 %.",
           lambda context: (), draw_efficiency, table_sums, (NO_GPU,), ("s2hat-sums",),
           headline_sums),
    Figure("s2hat-operations", "Sums over degrees: useful operations per second",
           "No figure of the paper: useful operations per second of one core, by instruction set; "
           "the numbers are those of figure 6.4. The paper's figure 6.5 counts all operations of a "
           "GPU, by the threads of a block, which is not measured here.",
           "nothing of this kind; of its own quantity, levels of 50 to 52 GFlop/s (GTX 480) and 14 "
           "(GTX 260).",
           lambda context: (), draw_gflops, table_sums, (NO_GPU,), ("s2hat-sums",)),
    Figure("s2hat-6.6", "Figure 6.6: time of a synthesis",
           "Whole syntheses by Armilla and ducc0; dotted, Delta_m alone by Armilla; the prediction "
           "for an H100 has its arrays on the device. The curves of the paper have no numbers in "
           "its text.",
           "FFTs take 5 to 10 % of the processor's time, and dominate once Delta_m is on the GPU.",
           measure_whole, draw_runtimes, table_runtimes, (NO_GPU, NO_S2HAT), ("s2hat-sums",)),
    Figure("s2hat-6.7", "Figure 6.7: improvement of a synthesis",
           "The paper's numbers are those at its bars: which are which follows from its legend and "
           "its text. Ours are ratios of the times of figure 6.6.",
           "factors from 5 to 18 at its largest size, over the best and the worst processor code.",
           lambda context: (), draw_overall, table_overall, (NO_GPU, NO_S2HAT), ("s2hat-6.6",)),
)

LEFT = ("figures 1.1, 4.1 and the algorithms are pictures of a sky and of code",
        "figure 6.3 (a GPU over processors) and 6.5 (operations of a GPU by threads of a block): "
        "they need a GPU; what stands in their place is above",
        "the 32-bit halves, shared or own tables of factors and segments of section 6.1: settings "
        "of GPU kernels that a processor does not have")
