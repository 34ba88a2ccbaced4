#!/usr/bin/env python3
"""Layers of networks against torch-harmonics: times of both directions and their gradients, memory.

Each library runs in processes of its own, in turns, on the same numbers in float32; the best time
of each counts. Memory is the largest resident set without that of the imported libraries, the batch
included.

Usage: networks.py [NLAT NLON FIELDS [GRID [ROUNDS]]]     721 1440 64 equiangular 2
"""
import json
import resource
import subprocess
import sys
import time
import warnings

LIBRARIES = ("torch_harmonics", "armilla.torch")
STEPS = ("setup", "analysis", "its gradient", "synthesis", "gradient of that")


def resident() -> float:
    """MB that this process has in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


def timed(call):
    begin = time.perf_counter()
    made = call()
    return made, time.perf_counter() - begin


def measure(library, nlat, nlon, fields, grid) -> None:
    """One process: prints its best times, and its memory."""
    import importlib

    import torch

    warnings.simplefilter("ignore")
    torch.set_num_threads(2)
    torch.manual_seed(1)
    layers = importlib.import_module(library)
    before = resident()
    (forward, back), setup = timed(lambda: (layers.RealSHT(nlat, nlon, grid=grid),
                                            layers.InverseRealSHT(nlat, nlon, grid=grid)))
    tables = resident() - before
    best = [setup] + [float("inf")] * 4
    for _ in range(3):
        maps = torch.randn(fields, nlat, nlon, requires_grad=True)
        alm, first = timed(lambda: forward(maps))
        slope = torch.ones_like(alm)
        _, second = timed(lambda: alm.backward(slope))
        given = alm.detach().requires_grad_()
        made, third = timed(lambda: back(given))
        _, fourth = timed(lambda: made.backward(made.detach()))
        best = [min(pair) for pair in zip(best, (setup, first, second, third, fourth))]
        del maps, alm, slope, given, made
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3 * 1.024 - before
    print(json.dumps({"seconds": best, "tables": tables, "peak": peak, "lmax": forward.lmax}))


def main() -> None:
    if sys.argv[1:2] == ["measure"]:
        measure(sys.argv[2], *map(int, sys.argv[3:6]), sys.argv[6])
        return
    given = sys.argv[1:] + ["721", "1440", "64", "equiangular", "2"][len(sys.argv) - 1:]
    told = {}
    for _ in range(int(given[4])):
        for library in LIBRARIES:
            run = subprocess.run([sys.executable, __file__, "measure", library, *given[:4]],
                                 check=True, stdout=subprocess.PIPE, text=True)
            one = json.loads(run.stdout)
            last = told.setdefault(library, one)
            last["seconds"] = [min(pair) for pair in zip(last["seconds"], one["seconds"])]
    print(f"{given[0]} x {given[1]}, {given[2]} fields, {given[3]}, lmax = {last['lmax']}, float32")
    print(f"{'':20s}" + "".join(f"{library:>18s}" for library in LIBRARIES))
    for i, step in enumerate(STEPS):
        print(f"{step + ', s':20s}" + "".join(f"{told[one]['seconds'][i]:18.3f}"
                                              for one in LIBRARIES))
    for name in ("tables", "peak"):
        print(f"{name + ', MB':20s}" + "".join(f"{told[one][name]:18.0f}" for one in LIBRARIES))


if __name__ == "__main__":
    main()
