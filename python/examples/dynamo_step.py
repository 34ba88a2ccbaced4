#!/usr/bin/env python3
"""The induction step of a dynamo: magnetic fields on shells, carried by a flow, in Q, S, T.

    dB/dt = curl(u x B)

On each shell B comes from its radial, spheroidal and toroidal coefficients, meets u on the grid,
and u x B goes back; the radial part of the curl is l (l + 1) / r times its toroidal part. With a
solid rotation Omega the field turns: dQ_lm/dt = -i m Omega Q_lm. Flows with a symmetry of order
mres need every mres-th order alone, on a sector of longitudes. SHTns takes the same step where it
is installed.

Usage: dynamo_step.py [FOLDER [LMAX]]     prints errors and times
"""
import sys
import time

import numpy as np

import armilla

SHELLS, OMEGA, REPEATS = 4, 0.7, 15


class Armilla:
    """Q, S, T of all shells to fields on a Gauss-Legendre grid and back, in one call each."""

    def __init__(self, lmax: int, mres: int) -> None:
        nlat = lmax + 2 - lmax % 2
        grid = armilla.Grid.gauss_legendre(nlat, 2 * nlat // mres)
        self.plan = armilla.VectorSHT(grid, lmax, mres=mres, form="spheroidal_toroidal",
                                      components="theta_phi", radial=True, two_dimensional=True)
        self.speed = OMEGA * np.sin(grid.rings["theta"])[:, None]  # eastward
        self.field, self.product = np.zeros((2, SHELLS, 3, nlat, 2 * nlat // mres))

    def synthesis(self, qst: np.ndarray) -> np.ndarray:
        return self.plan.synthesis(qst, nthreads=1)

    def step(self, qst: np.ndarray) -> np.ndarray:
        """Q, S, T of u x B on all shells."""
        b = self.plan.synthesis(qst, out=self.field, nthreads=1)
        np.multiply(-self.speed, b[:, 1], out=self.product[:, 0])
        np.multiply(self.speed, b[:, 0], out=self.product[:, 1])
        return self.plan.analysis(self.product, nthreads=1)


class SHTns:
    """The same, a shell at a time."""

    def __init__(self, lmax: int, mres: int) -> None:
        import shtns
        nlat = lmax + 2 - lmax % 2
        shtns.set_verbosity(0)
        self.transform = shtns.sht(lmax, lmax // mres, mres, nthreads=1)
        self.transform.set_grid(nlat, 2 * nlat // mres, shtns.sht_gauss | shtns.SHT_PHI_CONTIGUOUS,
                                0.0)
        self.speed = OMEGA * np.sqrt(1 - self.transform.cos_theta ** 2)[:, None]

    def synthesis(self, qst: np.ndarray) -> np.ndarray:
        return np.stack([self.transform.synth(*shell) for shell in qst])

    def step(self, qst: np.ndarray) -> np.ndarray:
        made = np.empty_like(qst)
        for shell, target in zip(qst, made):
            b = self.transform.synth(*shell)
            target[:] = self.transform.analys(-self.speed * b[1], self.speed * b[0],
                                              np.zeros_like(b[0]))
        return made


def check(lmax: int, mres: int) -> None:
    codes = [Armilla(lmax, mres)]
    m = np.concatenate([np.full(lmax + 1 - m, m) for m in range(0, lmax + 1, mres)])
    l = np.concatenate([np.arange(m, lmax + 1) for m in range(0, lmax + 1, mres)])
    rng = np.random.default_rng(1)
    qst = rng.standard_normal((SHELLS, 3, l.size, 2)).view(np.complex128)[..., 0]
    qst /= (1 + l) ** np.array([1, 2, 2])[:, None]
    qst[..., m == 0] = qst[..., m == 0].real
    qst[:, 1:, 0], qst[..., l == lmax] = 0, 0
    made = codes[0].step(qst)
    expected = -1j * m * OMEGA * qst[:, 0]
    error = np.abs(l * (l + 1) * made[:, 2] - expected).max() / np.abs(expected).max()
    print(f"lmax {lmax}, mres {mres}, {SHELLS} shells: rotation to {error:.1e} of the largest rate")
    assert error < 1e-12
    try:
        codes.append(SHTns(lmax, mres))
    except ImportError:
        print("peer not installed: SHTns")
    seconds = [np.inf, np.inf]
    for _ in range(REPEATS):
        for number, code in enumerate(codes):
            start = time.perf_counter()
            code.step(qst)
            seconds[number] = min(seconds[number], time.perf_counter() - start)
    if len(codes) > 1:
        one, other = (code.synthesis(qst) for code in codes)
        apart = np.abs(one - other).max() / np.abs(other).max()
        assert apart < 1e-12
        print(f"against SHTns | dynamo step, lmax {lmax}, mres {mres}, {SHELLS} shells | "
              f"{apart:.1e} | {seconds[0] * 1e3:.2f} | {seconds[1] * 1e3:.2f}")
    else:
        print(f"{seconds[0] * 1e3:.2f} ms a step on one thread")


def main() -> None:
    lmax = int(sys.argv[2]) if len(sys.argv) > 2 else 255
    for mres in (1, 4):
        check(lmax, mres)


if __name__ == "__main__":
    main()
