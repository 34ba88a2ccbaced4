#!/usr/bin/env python3
"""Scalar fields in one call against one by one: gains at small band limits, with outputs given.

Usage: batches.py [FIELDS [THREADS]]      64 1
"""
import sys
import time

import numpy as np

import armilla


def fastest(calls, rounds: int) -> list:
    """The best time of each, in turns."""
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for i, call in enumerate(calls):
            start = time.perf_counter()
            call()
            best[i] = min(best[i], time.perf_counter() - start)
    return best


def row(lmax: int, grid: str, fields: int, threads: int) -> str:
    plan = armilla.SHT(grid, lmax)
    alm = np.stack([armilla.alm.random(lmax, np.ones(lmax + 1), seed) for seed in range(fields)])
    maps = plan.synthesis(alm)
    made, back = np.empty_like(maps), np.empty_like(alm)

    def one_by_one(call, given, out):
        for one, target in zip(given, out):
            call(one, out=target, nthreads=threads)

    calls = [lambda: one_by_one(plan.synthesis, alm, made),
             lambda: plan.synthesis(alm, out=made, nthreads=threads),
             lambda: one_by_one(plan.adjoint_synthesis, maps, back),
             lambda: plan.adjoint_synthesis(maps, out=back, nthreads=threads)]
    best = fastest(calls, max(5, 20000 // (lmax * fields) * 4))
    return (f"| {lmax} | {grid} | {best[0] / best[1]:.2f} | {1e3 * best[1] / fields:.3f} | "
            f"{best[2] / best[3]:.2f} | {1e3 * best[3] / fields:.3f} |")


def main(fields=64, threads=1) -> None:
    print("| lmax | grid | synthesis: gain | ms a field | adjoint: gain | ms a field |")
    print("|---|---|---|---|---|---|")
    for lmax in (63, 127, 255):
        half = (lmax + 1) // 2
        for grid in (f"gl:{lmax + 1}x{2 * lmax + 2}", f"O{half + 1}", f"H{half}"):
            print(row(lmax, grid, int(fields), int(threads)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
