"""Holds the Legendre stage against the machine's peak of multiply-adds, by the C program
bench_kernels, and makes the table of that."""
import json
import os
import subprocess

import targets
from results import number, table

SPINS = (0, 2)
LMAX = (255, 511, 1023, 2047, 4095)
SEVERAL, SEVERAL_LMAX = 10, (1023, 2047)  # transforms that share a recurrence, spin 0
WIDE = ("avx512", "avx2", "neon")
NARROW_LMAX = 511  # the largest of the other instruction sets
FULL_ROUNDS = 4096  # smaller lmax + 1 get as many rounds more as they are smaller
MOST_ROUNDS = 1000  # of bench_kernels


def program_of(options):
    path = os.path.join(os.path.dirname(os.path.abspath(options.library)), "bench",
                        "bench_kernels")
    if not os.path.exists(path):
        raise SystemExit(f"run.py: {path} is missing: build first (cmake --preset release && "
                         "cmake --build --preset release)")
    return path


def call(options, rounds, spin, ntrans, isa, lmax, say):
    """What the program prints, one dictionary per line; what was done where it fails."""
    command = [program_of(options)] + [str(part) for part in (rounds, spin, ntrans, isa, *lmax)]
    found = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        for text in child.stdout:
            found.append(json.loads(text))
    if child.returncode:
        say(f"run.py: bench_kernels with spin {spin} ended early ({child.returncode})")
    return found


def peaks(options, say, isa):
    """{instruction set: GFlop/s}"""
    return {one["isa"]: one["peak"] for one in call(options, 1, 0, 1, isa, (), say)}


def cases(options, isa, lmax):
    """[(spin, transforms at once, lmax)]"""
    several = () if options.quick else options.lmax or SEVERAL_LMAX
    if isa not in WIDE:
        lmax, several = [n for n in lmax if n <= NARROW_LMAX], ()
    spins = SPINS if options.spin is None else options.spin
    return ([(spin, 1, n) for spin in spins for n in lmax]
            + [(0, SEVERAL, n) for n in several if 0 in spins])


def stages(options, say, isa, lmax, done=()):
    """Yields the records of one instruction set. done: those that there are already."""
    known = {(one["isa"], one["spin"], one["ntrans"], one["lmax"]) for one in done}
    for spin, ntrans, size in cases(options, isa, lmax):
        if (isa, spin, ntrans, size) in known:
            continue
        rounds = min(MOST_ROUNDS, options.repeat * max(1, FULL_ROUNDS // (size + 1)))
        for one in call(options, rounds, spin, ntrans, isa, (size,), say):
            if "share" in one:
                say(line(one))
                yield one


def line(one):
    several = f", {one['ntrans']} at once" if one["ntrans"] > 1 else ""
    text = (f"kernels {one['isa']} lmax {one['lmax']} spin {one['spin']}{several} "
            f"{one['operator']}: {one['gflops']:.1f} GFlop/s, {one['share_beside']:.1%} of the "
            f"peak beside, {one['share']:.1%} of {one['peak']:.0f}")
    return text + (f"; disturbed: {disturbance(one)}" if disturbance(one) else "")


def disturbance(one):
    """What says that other programs ran, or None."""
    signs = [(one["stolen"] > 0.02 and one["seconds"] > 0.002,
              f"{one['stolen']:.0%} of the core taken"),
             (one["peak_lowest"] < 0.95 * one["peak"],
              f"peak {one['peak_lowest']:.0f} to {one['peak']:.0f}"),
             (one["median"] > 1.05 * one["seconds"],
              f"median time {one['median'] / one['seconds']:.2f} times the shortest"),
             (abs(one["library_flops"] * flops_ratio(one) / one["flops"] - 1.0) > 0.01,
              "the library counts other operations")]
    return ", ".join(text for sign, text in signs if sign) or None


def flops_ratio(one):
    """Operations of several transforms at once over those of one."""
    return (1 + 2 * one["ntrans"]) / 3.0 if one["spin"] == 0 else 1.0


def run(options, say, kept):
    kept.result["peak"] = peaks(options, say, options.isa or "all")
    done = list(kept.list("stage"))
    lmax = options.lmax or ((255, 1023) if options.quick else LMAX)
    for isa in kept.result["peak"]:
        for one in stages(options, say, isa, lmax, done):
            kept.add("stage", one)


# --- The table -----------------------------------------------------------------------------------

def text(result):
    peak = [[isa, f"{value:.1f}"] for isa, value in result["peak"].items()]
    rows = [stage_row(record) for record in result["stage"]]
    header = ["lmax", "spin", "at once", "isa", "operator", "s", "useful GFlop/s", "% of the peak",
              "% of the highest peak", "target", "", "disturbed"]
    return table(["instruction set", "peak, GFlop/s"], peak) + "\n\n" + table(header, rows)


def stage_row(record):
    target = targets.kernel(record)
    return [str(record["lmax"]), str(record["spin"]), str(record["ntrans"]), record["isa"],
            record["operator"], f"{record['seconds']:.3e}", f"{record['gflops']:.1f}",
            f"{100.0 * record['share_beside']:.1f}", f"{100.0 * record['share']:.1f}",
            number(target and 100.0 * target, "{:.0f}"),
            targets.at_least(record["share_beside"], target), disturbance(record) or "no"]
