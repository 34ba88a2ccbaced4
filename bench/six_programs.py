#!/usr/bin/env python3
"""Prints a table of errors and times of example programs beside other packages, in the same run.

    bench/six_programs.py [PYTHON]      PYTHON: an interpreter that has the other packages

Each program of python/examples that is named here runs on one thread and says its own rows: what it
was compared with, the largest difference as a part of the largest number, and milliseconds. Where
the other package is not installed it says so, and the row is left out. armilla is taken from
PYTHONPATH, or from build/python.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = (("dynamo_step", "255"), ("dynamo_step", "511"), ("gravity_anomaly",),
            ("winds_reduced_grid",), ("barotropic_wave",), ("spectral_network_torch",),
            ("complex_spin_mw", "128"), ("complex_spin_mw", "512"), ("satellites",))


def rows_of(python: str, name: str, *arguments: str) -> list:
    """What a program says, as rows; its errors and what it lacks go to the standard error."""
    one = {name: "1" for name in ("OMP_NUM_THREADS", "ARMILLA_NUM_THREADS", "MKL_NUM_THREADS")}
    place = {"PYTHONPATH": os.environ.get("PYTHONPATH", str(ROOT / "build" / "python"))}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([python, str(ROOT / "python" / "examples" / f"{name}.py"), folder,
                               *arguments], text=True, capture_output=True, check=False,
                              env={**os.environ, **one, **place})
    if done.returncode:
        print(f"{name}: {done.stderr}", file=sys.stderr)
    lines = done.stdout.splitlines()
    for line in lines:
        if line.startswith("peer not installed"):
            print(f"{name}: {line}", file=sys.stderr)
    return [line[len("against "):].split(" | ") for line in lines if line.startswith("against ")]


def main() -> int:
    python = sys.argv[1] if len(sys.argv) > 1 else sys.executable
    print("| program | against | difference | Armilla, ms | the other, ms | ratio |")
    print("|---|---|---|---|---|---|")
    made = 0
    for program in PROGRAMS:
        for peer, what, apart, ours, theirs in rows_of(python, *program):
            ratio = "" if theirs == "none" else f"{float(ours) / float(theirs):.2f}"
            print(f"| {what} | {peer} | {apart} | {ours} | {theirs} | {ratio} |", flush=True)
            made += 1
    return 0 if made else 1


if __name__ == "__main__":
    sys.exit(main())
