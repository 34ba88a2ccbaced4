#!/usr/bin/env python3
"""Complex fields of a spin on the grid of McEwen and Wiaux: both signs of m in one call.

The coefficients stand at l^2 + l + m, as in SSHT; L rings of 2 L - 1 samples are exact for all
degrees below L. Errors are those of the way there and back, and of an eigenfunction whose value is
known: a spin-s harmonic of degree |s| at the north pole. SSHT takes the same way where it is
installed.

Usage: complex_spin_mw.py [FOLDER [L]]     prints errors and times
"""
import sys
import time

import numpy as np

import armilla

SPIN, REPEATS = 2, 5


def fastest(call, *given) -> float:
    best = np.inf
    for _ in range(REPEATS):
        start = time.perf_counter()
        call(*given)
        best = min(best, time.perf_counter() - start)
    return best


def largest(made: np.ndarray, expected: np.ndarray) -> float:
    return float(np.abs(made - expected).max() / np.abs(expected).max())


def main() -> None:
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 128
    sht = armilla.ComplexSHT(armilla.Grid.equidistant("MW", size, 2 * size - 1), size - 1,
                             spin=SPIN)
    rng = np.random.default_rng(1)
    flm = rng.standard_normal(size ** 2) + 1j * rng.standard_normal(size ** 2)
    flm[:SPIN ** 2] = 0
    sky = sht.synthesis(flm, nthreads=1)
    error = largest(sht.analysis(sky, nthreads=1), flm)
    print(f"L = {size}, spin {SPIN}: there and back to {error:.1e}")
    assert error < 1e-12

    one = np.zeros(size ** 2, complex)
    one[SPIN ** 2 + SPIN + SPIN] = 1  # l = m = s: at the south pole |sYlm| = sqrt((2 l + 1) / 4 pi)
    top = np.abs(sht.synthesis(one)).max()
    assert abs(top - np.sqrt((2 * SPIN + 1) / (4 * np.pi))) < 1e-14

    ours = fastest(lambda: sht.synthesis(flm, nthreads=1)), fastest(
        lambda: sht.analysis(sky, nthreads=1))
    print(f"synthesis {ours[0] * 1e3:.2f} ms, analysis {ours[1] * 1e3:.2f} ms on one thread")
    try:
        import pyssht
    except ImportError:
        print("peer not installed: pyssht")
        return
    theirs = pyssht.inverse(flm, size, Method="MW", Spin=SPIN)
    back = pyssht.forward(theirs, size, Method="MW", Spin=SPIN)
    apart = largest(sky, theirs.ravel()), largest(sht.analysis(theirs.ravel()), back)
    times = (fastest(lambda: pyssht.inverse(flm, size, Method="MW", Spin=SPIN)),
             fastest(lambda: pyssht.forward(theirs, size, Method="MW", Spin=SPIN)))
    for name, *row in zip(("synthesis", "analysis"), apart, ours, times):
        print(f"against pyssht | complex spin {SPIN} on MW, L = {size}, {name} | {row[0]:.1e} | "
              f"{row[1] * 1e3:.2f} | {row[2] * 1e3:.2f}")


if __name__ == "__main__":
    main()
