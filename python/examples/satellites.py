#!/usr/bin/env python3
"""The geopotential and its gradient at 50 000 satellites, 400 to 1000 km above the Earth.

The field has Kaula's rule, the Earth's mass and its flattening. Each satellite is summed by itself,
to rounding, and then all of them are interpolated between spheres with an error that is asked for.
A few satellites are summed in extended precision as well, and, where pyshtools can be imported, by
its MakeGravGridPoint.

Usage: satellites.py [FOLDER [NUMBER [LMAX]]]     50000, 360; writes satellites.txt there
"""
import sys
import time
from pathlib import Path
from typing import List

import numpy as np

import armilla

GM, RADIUS = 3.986004415e14, 6378136.3
CHECKED = 5


def field(lmax: int) -> np.ndarray:
    """Coefficients 4 pi-normalised, with variances of 1e-10 / l^4 for each of them."""
    degree = np.arange(lmax + 1.0)
    alm = armilla.alm.random(lmax, 4e-10 * np.pi / np.maximum(degree, 2) ** 4, seed=11)
    cilm = armilla.conventions.convert(alm, "healpy", "shtools")
    cilm[:, :2] = 0
    cilm[0, 0, 0], cilm[0, 2, 0] = 1, -4.841651437e-4
    return cilm


def satellites(number: int) -> np.ndarray:
    rng = np.random.default_rng(3)
    return np.column_stack([np.arccos(rng.uniform(-1, 1, number)),
                            rng.uniform(0, 2 * np.pi, number),
                            rng.uniform(6778e3, 7378e3, number)])


def extended(cilm: np.ndarray, point: np.ndarray) -> np.ndarray:
    """V, V_r, V_theta, V_phi at one point, degree by degree in numpy.longdouble."""
    real, lmax = np.longdouble, cilm.shape[1] - 1
    theta, phi, r = point.astype(real)
    x, sine, power = np.cos(theta), np.sin(theta), (real(RADIUS) / r) ** np.arange(lmax + 1)
    diagonal, total = real(1), np.zeros(4, real)
    for m in range(lmax + 1):
        p, degree = np.zeros(lmax + 1, real), np.arange(m, lmax + 1, dtype=real)
        p[m] = diagonal
        for n in range(m + 1, lmax + 1):
            a = np.sqrt(real(4 * n * n - 1) / real(n * n - m * m))
            p[n] = a * (x * p[n - 1] - (p[n - 2] / last if n > m + 1 else 0))
            last = a
        cos, sin = np.cos(m * phi), np.sin(m * phi)
        both = (cilm[0, m:, m] * cos + cilm[1, m:, m] * sin) * power[m:]
        turned = (cilm[1, m:, m] * cos - cilm[0, m:, m] * sin) * power[m:] * m
        before = np.concatenate([[real(0)], p[m:-1]])
        down = np.sqrt((2 * degree + 1) / np.maximum(2 * degree - 1, 1) * (degree**2 - m * m))
        slope = (degree * x * p[m:] - down * before) / sine
        total += [both @ p[m:], -((degree + 1) * both) @ p[m:], both @ slope, turned @ p[m:] / sine]
        diagonal *= sine * np.sqrt(real(2 * m + 3) / real(2 * m + 2 if m else 1))
    return total * real(GM) / r / np.array([1, r, r, r])


def compare(name: str, values: np.ndarray, exact: np.ndarray) -> float:
    """Errors of each component, relative to its largest value at all satellites: the largest."""
    error = np.abs(values[:, :CHECKED] - exact.T).max(axis=1) / np.abs(values).max(axis=1)
    print(f"{name}: errors of V, V_r, V_theta, V_phi " + " ".join(f"{e:.1e}" for e in error))
    return float(error.max())


def peer(cilm: np.ndarray, loc: np.ndarray, ours_took: float) -> None:
    try:
        from pyshtools.gravmag import MakeGravGridPoint
    except ImportError:
        print("peer not installed: pyshtools")
        return
    some = loc[:20]
    start = time.perf_counter()
    found: List[np.ndarray] = [MakeGravGridPoint(cilm, GM, RADIUS, r, 90 - np.degrees(theta),
                                                 np.degrees(phi)) for theta, phi, r in some]
    took = (time.perf_counter() - start) / len(some)
    alm = armilla.conventions.convert(cilm, "shtools", "healpy") * (GM / RADIUS)
    ours = armilla.evaluate_solid(alm, cilm.shape[1] - 1, some, radius=RADIUS, derivatives=1,
                                  frame="local")[1:]
    error = np.abs(np.array(found).T - ours).max() / np.abs(ours).max()
    print(f"against pyshtools | gradient at satellites, degree {cilm.shape[1] - 1}, a point | "
          f"{error:.1e} | {1e3 * ours_took:.4f} | {1e3 * took:.3f}")


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 50000
    lmax = int(sys.argv[3]) if len(sys.argv) > 3 else 360
    cilm, loc = field(lmax), satellites(number)
    alm = armilla.conventions.convert(cilm, "shtools", "healpy") * (GM / RADIUS)
    exact = np.array([extended(cilm, point) for point in loc[:CHECKED]])
    for epsilon in (0.0, 1e-11, 1e-8):
        call = {"radius": RADIUS, "derivatives": 1, "epsilon": epsilon}
        start = time.perf_counter()
        values = armilla.evaluate_solid(alm, lmax, loc, frame="local", nthreads=1, **call)
        took = (time.perf_counter() - start) / number
        name = "summed" if epsilon == 0 else f"epsilon {epsilon:g}"
        error = compare(f"{name}, {1e6 * took:.2f} us a point on one core", values, exact)
        assert error < 1e-14 if epsilon == 0 else error < 100 * epsilon
        if epsilon == 0:
            summed = took
            np.savetxt(folder / "satellites.txt", np.vstack([loc.T, values]).T[:100],
                       header="theta phi r V V_r V_theta V_phi")
    print(armilla.explain_solid(alm, lmax, loc, **call)[0].value)
    peer(cilm, loc, summed)


if __name__ == "__main__":
    main()
