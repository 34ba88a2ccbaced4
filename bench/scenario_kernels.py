"""The Legendre stage against the machine's peak: runs the C program bench_kernels."""
import json
import os
import subprocess

SPINS = (0, 2)
LMAX = (255, 511, 1023, 2047, 4095)


def program_of(options):
    path = os.path.join(os.path.dirname(os.path.abspath(options.library)), "bench",
                        "bench_kernels")
    if not os.path.exists(path):
        raise SystemExit(f"run.py: {path} is missing: build first (cmake --preset release && "
                         "cmake --build --preset release)")
    return path


def results(options, spin, isa, lmax, say):
    """What the program prints, one dictionary per line; what was done where it fails."""
    command = [program_of(options), str(options.repeat), str(spin), isa] + [str(n) for n in lmax]
    found = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        for text in child.stdout:
            found.append(json.loads(text))
            say(text.strip())
    if child.returncode:
        say(f"run.py: bench_kernels with spin {spin} ended early ({child.returncode})")
    return found


def peaks(options, say, isa="all"):
    """{instruction set: GFlop/s}"""
    return {one["isa"]: one["peak"] for one in results(options, 0, isa, (), say)}


def stages(options, say, isa="all"):
    """({instruction set: peak}, records with their share of it). Each spin measures the peak again:
    the highest one counts, a lower one is a disturbed run."""
    lmax = options.lmax or ((255, 1023) if options.quick else LMAX)
    peak, stage = {}, []
    for spin in SPINS if options.spin is None else options.spin:
        for one in results(options, spin, isa, lmax, say):
            if "peak" in one:
                peak[one["isa"]] = max(one["peak"], peak.get(one["isa"], 0.0))
            else:
                stage.append(one)
    for record in stage:
        record["share"] = record["gflops"] / peak[record["isa"]]
    return peak, stage


def run(options, say):
    peak, stage = stages(options, say, options.isa or "all")
    return {"peak": peak, "stage": stage, "versions": {}}
