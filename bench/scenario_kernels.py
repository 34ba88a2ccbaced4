"""The Legendre stage against the machine's peak: runs the C program bench_kernels."""
import json
import os
import subprocess


def run(options, say):
    program = os.path.join(os.path.dirname(os.path.abspath(options.library)), "bench",
                           "bench_kernels")
    if not os.path.exists(program):
        raise SystemExit(f"run.py: {program} is missing: build first (cmake --preset release && "
                         "cmake --build --preset release)")
    lmax = options.lmax or ((255, 1023) if options.quick else (255, 511, 1023, 2047, 4095))
    result = {"peak": {}, "stage": [], "versions": {}}
    command = [program, str(options.repeat)] + [str(n) for n in lmax]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        for text in child.stdout:
            found = json.loads(text)
            say(text.strip())
            if "peak" in found:
                result["peak"][found["isa"]] = found["peak"]
            else:
                result["stage"].append(found)
    if child.returncode:
        raise SystemExit(f"run.py: {program} failed ({child.returncode})")
    for record in result["stage"]:
        record["share"] = record["gflops"] / result["peak"][record["isa"]]
    return result
