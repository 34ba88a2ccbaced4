"""Figures 5 to 12 and table 1 of libsharp's paper (Reinecke & Seljebotn 2013). Here are threads,
band limits, the share of the peak, transforms at once and memory; errors of round trips and other
libraries have files of their own."""
import numpy as np

import kernels
import problems
import scaling
from libarmilla import Plan, aligned_zeros
from papers_common import (COLOURS, PAPER, READ, Figure, ReducedGauss, best, pair, select, series,
                           uniform_alm)
from papers_libsharp_errors import ERRORS, spin_lines
from papers_libsharp_others import OTHERS
from plots import line, log_axis, panels, side_legend, sizes_axis

TITLE = "libsharp"
ABOUT = ("Reinecke & Seljebotn 2013: Intel Xeon E5-2680 at 2.7 GHz (AVX, 21.6 GFlop/s a core), "
         "nodes of 16 cores. Grids are reduced Gauss-Legendre ones, lmax = 2^n - 1.")


def both(one):
    return one["synthesis"] + one["analysis"]


# --- 6: strong scaling ----------------------------------------------------------------------------


def measure_strong(context):
    for lmax in context.choose((2047, 4095), (511,)):
        for threads in scaling.thread_counts(context.threads):
            yield pair(context, ReducedGauss(lmax, 2), threads, 3)


def strong_groups(records):
    """{lmax: [records of spin 2]}, where there is more than one number of threads, or it is as
    large as the paper's."""
    groups = {}
    for one in select(records, spin=2):
        groups.setdefault(one["lmax"], {}).setdefault(one["threads"], one)
    return {lmax: list(some.values()) for lmax, some in groups.items()
            if len(some) > 1 or lmax == 16383}


def draw_strong(records, machine):
    figure, (panel,) = panels(1, "libsharp, figure 6: time of all cores together, spin 2, "
                              "synthesis + analysis", machine, key_width=2.4)
    groups = strong_groups(records)
    for k, (lmax, some) in enumerate(sorted(groups.items())):
        counts, seconds = series(some, "threads", lambda one: one["threads"] * both(one))
        panel.plot(counts, seconds, color=COLOURS[k], marker="o", markersize=4)
        panel.axhline(seconds[0], color=COLOURS[k], linestyle=":", linewidth=0.8)
    sizes_axis(panel, [one["threads"] for some in groups.values() for one in some], "threads")
    values = [one["threads"] * both(one) for some in groups.values() for one in some]
    panel.set_ylim(min(values) / 3.0, 3.0 * max(values))
    log_axis(panel, "threads x seconds")
    side_legend(figure, [line(f"lmax {lmax}", color=COLOURS[k], marker="o", markersize=4)
                         for k, lmax in enumerate(sorted(groups))]
                + [line("perfect scaling", color="#444444", linestyle=":")])
    return figure


def table_strong(records):
    rows = []
    for lmax, some in sorted(strong_groups(records).items()):
        alone = [both(one) for one in some if one["threads"] == 1]
        for one in sorted(some, key=lambda one: one["threads"]):
            gain = f"{alone[0] / both(one):.2f}" if alone else "-"
            rows.append([str(lmax), str(one["threads"]), f"{both(one):.3g}",
                         f"{one['threads'] * both(one):.3g}", gain])
    return ["lmax", "threads", "s", "threads x s", "over one thread"], rows


def headline_strong(records):
    for lmax, some in sorted(strong_groups(records).items()):
        if len(some) > 1:
            seconds = {one["threads"]: both(one) for one in some}
            most = max(seconds)
            yield [f"spin 2, lmax {lmax}, {most} threads over one", "nearly ideal to 16 cores",
                   f"{seconds[1] / seconds[most]:.2f}"]


# --- 7: weak scaling ------------------------------------------------------------------------------


def measure_weak(context):
    base = context.choose(4096, 512)
    for threads in scaling.thread_counts(context.threads):
        yield pair(context, ReducedGauss(round(base * threads ** (1 / 3)) - 1), threads, 2)


def draw_weak(records, machine):
    figure, (panel,) = panels(1, "libsharp, figure 7: the same work for each thread, spin 0, "
                              "lmax = 4096 N^(1/3) - 1", machine, key_width=1.8)
    counts, seconds = series(records, "threads", both)
    panel.plot(counts, seconds, color=COLOURS[0], marker="o", markersize=4)
    panel.plot(counts, [seconds[0]] * len(counts), color="#444444", linestyle=":")
    sizes_axis(panel, counts, "threads N")
    panel.set_ylabel("seconds, synthesis + analysis")
    panel.set_ylim(0, 1.3 * max(seconds))
    side_legend(figure, [line("Armilla", color=COLOURS[0], marker="o", markersize=4),
                         line("perfect scaling", linestyle=":")])
    return figure


def table_weak(records):
    first = both(min(records, key=lambda one: one["threads"]))
    return ["threads", "lmax", "s", "efficiency"], [
        [str(one["threads"]), str(one["lmax"]), f"{both(one):.3g}", f"{first / both(one):.0%}"]
        for one in sorted(records, key=lambda one: one["threads"])]


# --- 8, 9: band limits, share of the peak ---------------------------------------------------------


def measure_cost(context):
    """One thread, and the peak of one core beside it."""
    for n in range(5, context.choose(12, 9) + 1):
        for spin in (0, 2):
            record = pair(context, ReducedGauss(2 ** n - 1, spin), 1)
            peak = kernels.peaks(context.options, context.say, record["isa"])[record["isa"]]
            yield dict(record, peak=peak)


def core_seconds(one):
    return one["threads"] * both(one)


def draw_cost(records, machine):
    figure, (panel,) = panels(1, "libsharp, figure 8: time of a pair of transforms over the band "
                              "limit", machine, key_width=2.2)
    for k, spin in enumerate((0, 2)):
        some = select(records, spin=spin)
        sizes, seconds = series(select(some, threads=1), "lmax", core_seconds)
        panel.plot(sizes, seconds, color=COLOURS[k], marker="o", markersize=3)
        many = [one for one in some if one["threads"] > 1 and one["lmax"] > sizes[-1]]
        panel.plot(*series(many, "lmax", core_seconds), color=COLOURS[k], marker="o",
                   markersize=5, fillstyle="none", linestyle="none")
        cubes = np.array([n for n in sizes if n >= 511] + [one["lmax"] for one in many], float)
        panel.plot(cubes, seconds[-1] * (cubes / sizes[-1]) ** 3, **READ)
    sizes_axis(panel, [31, 127, 511, 2047] + [one["lmax"] for one in many], "band limit lmax")
    log_axis(panel, "seconds of one core, synthesis + analysis")
    side_legend(figure, spin_lines((0, 2)) + [
        line("all cores, threads x s", color="#444444", marker="o", markersize=5,
             fillstyle="none", linestyle="none"),
        line(**dict(READ, label="the paper's trend\nfrom lmax 511 on: lmax^3"))])
    return figure


def cost_rows(records):
    for one in sorted(records, key=lambda one: (one["spin"], one["lmax"])):
        if one["spin"] in (0, 2) and (one["threads"] == 1 or one["lmax"] > 4095):
            yield one


def table_cost(records):
    return ["spin", "lmax", "threads", "synthesis, s", "analysis, s", "ps / (lmax + 1)^3"], [
        [str(one["spin"]), str(one["lmax"]), str(one["threads"]), f"{one['synthesis']:.3g}",
         f"{one['analysis']:.3g}", f"{1e12 * core_seconds(one) / (one['lmax'] + 1) ** 3:.1f}"]
        for one in cost_rows(records)]


def share(one, operator=None):
    """Useful operations over what the core could have done in the same time."""
    seconds = both(one) / 2.0 if operator is None else one[operator]
    return 1e-9 * one["flops"] / seconds / one["threads"] / one["peak"]


def draw_peak(records, machine):
    figure, (panel,) = panels(1, "libsharp, figure 9: share of the peak of whole transforms, one "
                              "core", machine, key_width=2.4)
    for k, spin in enumerate((0, 2)):
        for operator, dash in (("synthesis", "-"), ("analysis", "--")):
            sizes, shares = series([one for one in records if one["spin"] == spin], "lmax",
                                   lambda one, operator=operator: 100.0 * share(one, operator))
            panel.plot(sizes, shares, color=COLOURS[k], linestyle=dash, marker="o", markersize=3)
    panel.axhline(70, **READ)
    panel.annotate("libsharp's best: almost 70 %", (sizes[0], 71), fontsize=7, color=PAPER)
    sizes_axis(panel, sizes, "band limit lmax")
    panel.set_ylim(0, 100)
    panel.set_ylabel("% of the measured peak of multiply-adds")
    side_legend(figure, spin_lines((0, 2)) + [line("synthesis"), line("analysis", linestyle="--"),
                                              line(**dict(READ, label="the paper's text"))])
    return figure


def table_peak(records):
    return ["spin", "lmax", "peak, GFlop/s", "synthesis, %", "analysis, %"], [
        [str(one["spin"]), str(one["lmax"]), f"{one['peak']:.0f}",
         f"{100 * share(one, 'synthesis'):.0f}", f"{100 * share(one, 'analysis'):.0f}"]
        for one in sorted(records, key=lambda one: (one["spin"], one["lmax"]))]


def headline_peak(records):
    for spin in (0, 2):
        some = [one for one in records if one["spin"] == spin]
        found = [max(100 * share(one, operator) for one in some)
                 for operator in ("synthesis", "analysis")]
        yield [f"highest share of the peak, spin {spin}", "almost 70 %",
               f"synthesis {found[0]:.0f} %, analysis {found[1]:.0f} %"]


# --- 10: several at once --------------------------------------------------------------------------


def measure_many(context):
    """One by one over as many arrays as the last count has: the same array again and again would
    stay in the caches."""
    cases = context.choose(((2047, 0, (1, 2, 3, 4, 6, 8, 10)), (2047, 2, (1, 2, 4)),
                            (8191, 0, (1, 4))), ((511, 0, (1, 2, 4, 10)),))
    for lmax, spin, counts in cases:
        threads = 1 if lmax < 8191 else context.threads
        most = ReducedGauss(lmax, spin, counts[-1])
        alm = aligned_zeros(most.alm_shape, np.complex128)
        alm[:] = uniform_alm(most.times(1))
        sky, plan = problems.outputs(most, "synthesis"), Plan(context.library, most.times(1))
        sky.fill(0.0)
        for count in counts:
            calls = {"synthesis": calls_of(plan, "synthesis", alm, sky, count, threads),
                     "analysis": calls_of(plan, "analysis", sky, alm, count, threads)}
            seconds = best(context, calls, threads, 1 if lmax == 8191 else 3)
            if count == 1:
                seconds = {name: value / counts[-1] for name, value in seconds.items()}
            context.say(f"  lmax {lmax}, spin {spin}, {count} at once: {seconds}")
            yield {"lmax": lmax, "spin": spin, "count": count, "threads": threads, **seconds}


def calls_of(plan, operator, source, target, count, threads):
    """One call of the first `count` transforms; for 1 all of them, one by one."""
    if count > 1:
        return plan.bind(operator, source[:count], target[:count], threads)
    runs = [plan.bind(operator, source[k:k + 1], target[k:k + 1], threads)
            for k in range(len(source))]

    def run():
        for one in runs:
            one()
    return run


def gains(records):
    """{(lmax, spin): ([count], [times as fast as one by one])}"""
    found = {}
    for lmax, spin in sorted({(one["lmax"], one["spin"]) for one in records}):
        some = select(records, lmax=lmax, spin=spin)
        alone = both(select(some, count=1)[0])
        found[lmax, spin] = series(some, "count", lambda one, a=alone: one["count"] * a / both(one))
    return found


def draw_many(records, machine):
    figure, (panel,) = panels(1, "libsharp, figure 10: several transforms in one call over one by "
                              "one", machine, key_width=2.2)
    found = gains(records)
    for k, (counts, values) in enumerate(found.values()):
        panel.plot(counts, values, color=COLOURS[k], marker="o", markersize=3)
    panel.axhline(1.6, **READ)
    panel.set_xlabel("transforms at once")
    panel.set_ylabel("times as fast")
    panel.set_ylim(0.9, 2.0)
    side_legend(figure, [line(f"lmax {lmax}, spin {spin}", color=COLOURS[k], marker="o",
                              markersize=3) for k, (lmax, spin) in enumerate(found)]
                + [line(**dict(READ, label="libsharp, lmax 8191:\nsaturates at about 1.6"))])
    return figure


def table_many(records):
    return ["lmax", "spin", "times as fast, by transforms at once"], [
        [str(lmax), str(spin), ", ".join(f"{n}: {gain:.2f}" for n, gain in zip(*found))]
        for (lmax, spin), found in gains(records).items()]


def headline_many(records):
    for (lmax, spin), (counts, values) in gains(records).items():
        yield [f"{counts[-1]} at once over one by one, lmax {lmax}, spin {spin}",
               "up to about 1.6", f"{values[-1]:.2f}"]


# --- 11: memory -----------------------------------------------------------------------------------


def measure_memory(context):
    """By what plans say, and, up to lmax 4095, by what the system says of a process."""
    for n in range(8, context.choose(14, 10) + 1):
        for spin in (0, 2):
            problem = problems.GaussLegendre(2 ** n - 1, spin)
            info = Plan(context.library, problem).describe(context.threads)
            in_out = (16 * problems.alm_size(problem.lmax) + 8 * problem.npix) * problem.ncomp
            record = {"lmax": problem.lmax, "spin": spin, "in_out_bytes": in_out,
                      "said": (info["plan_bytes"] + info["workspace_bytes"]) / in_out}
            if 511 <= problem.lmax <= 4095:
                found = scaling.memory_of(context.options, problem, "synthesis", context.ours)
                record["measured"] = found["share"] if found else None
            context.say(f"  memory lmax {problem.lmax}, spin {spin}: {record}")
            yield record


def draw_memory(records, machine):
    figure, (panel,) = panels(1, "libsharp, figure 11: memory beyond input and output over all "
                              "memory", machine, key_width=2.6)

    def overhead(name):
        return lambda one: 100.0 * one[name] / (1.0 + one[name])
    for k, spin in enumerate((0, 2)):
        some = select(records, spin=spin)
        panel.plot(*series(some, "lmax", overhead("said")), color=COLOURS[k], marker="o",
                   markersize=3)
        some = [one for one in some if one.get("measured") is not None]
        panel.plot(*series(some, "lmax", overhead("measured")), color=COLOURS[k], marker="x",
                   linestyle="none")
    sizes = sorted({one["lmax"] for one in records})
    panel.plot([2047, max(2047, sizes[-1])], [45, 45], **READ)
    sizes_axis(panel, sizes, "band limit lmax")
    panel.set_ylim(0, 100)
    panel.set_ylabel("% of all memory")
    side_legend(figure, spin_lines((0, 2)) + [
        line("of the process", color="#444444", marker="x", linestyle="none"),
        line(**dict(READ, label="libsharp: below 45 %\nfrom lmax 2047 on"))])
    return figure


def table_memory(records):
    def percent(value):
        return "-" if value is None else f"{100 * value / (1 + value):.0f}"
    return ["lmax", "spin", "in + out, MB", "plan and call, % of all", "process, % of all"], [
        [str(one["lmax"]), str(one["spin"]), f"{1e-6 * one['in_out_bytes']:.1f}",
         percent(one["said"]), percent(one.get("measured"))] for one in records]


def headline_memory(records):
    some = [one["said"] / (1 + one["said"]) for one in records if one["lmax"] >= 2047]
    if some:
        yield ["memory beyond input and output, of all, from lmax 2047 on", "below 45 %",
               f"at most {100 * max(some):.0f} %"]


# --- All of them ----------------------------------------------------------------------------------

CLUSTER = "more than the cores of this machine: the paper has 1 to 4096, over MPI"
FIGURES = (
    *ERRORS,
    Figure("libsharp-6", "Figure 6: strong scaling",
           "A pair of spin 2 on more and more threads; flat is perfect. The pair at lmax 16383, "
           "the paper's size, is the one of figure 5, on all cores.",
           "nearly ideal up to 16 cores of one node.",
           measure_strong, draw_strong, table_strong, (CLUSTER,), ("libsharp-5",),
           headline_strong),
    Figure("libsharp-7", "Figure 7: weak scaling",
           "The band limit grows with the cube root of the number of threads; flat is perfect.",
           "slightly better than flat within a node.",
           measure_weak, draw_weak, table_weak, (CLUSTER,)),
    Figure("libsharp-8", "Figure 8: time over the band limit",
           "Pairs on one thread; hollow circles are threads times seconds on all cores, from "
           "figure 5.",
           "lmax^3 from lmax 511 on.",
           measure_cost, draw_cost, table_cost,
           ("lmax above 16383: memory and a cluster",), ("libsharp-5",)),
    Figure("libsharp-9", "Figure 9: share of the peak",
           "Useful operations of the sums over degrees, per second of a whole transform, over the "
           "multiply-add peak that was measured beside it. The paper's peak is an addition and a "
           "multiplication of four numbers in each cycle; ours is two multiply-adds of eight.",
           "almost 70 % of the peak in the most favourable regime for both spins, above 50 % in "
           "the range of cosmology.",
           lambda context: (), draw_peak, table_peak, (), ("libsharp-8",), headline_peak),
    Figure("libsharp-10", "Figure 10: several transforms at once",
           "Time of so many transforms one by one over their time in one call.",
           "gains grow to about 1.6 at lmax 8191.",
           measure_many, draw_many, table_many,
           ("more than four transforms at lmax 8191: memory",), (), headline_many),
    Figure("libsharp-11", "Figure 11: memory",
           "Memory of plan and call over all memory, input and output included: what plans say of "
           "their most expensive call, and crosses, what the system says of a process that does a "
           "synthesis.",
           "below 45 % from lmax 2047 on; nearly 100 % below, mostly the program and MPI.",
           measure_memory, draw_memory, table_memory, (), (), headline_memory),
    *OTHERS,
)

LEFT = ("figures 1 to 4 are loops of its code, not measurements",)
