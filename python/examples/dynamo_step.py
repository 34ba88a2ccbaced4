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

import armilla.shtns

SHELLS, OMEGA, REPEATS = 4, 0.7, 15


class Code:
    """Q, S, T to fields on a Gauss-Legendre grid and back, by calls that both modules have."""

    def __init__(self, module, lmax: int, mres: int) -> None:
        nlat = lmax + 2 - lmax % 2
        module.set_verbosity(0)
        self.transform = module.sht(lmax, lmax // mres, mres, nthreads=1)
        self.transform.set_grid(nlat, 2 * nlat // mres,
                                module.sht_gauss | module.SHT_PHI_CONTIGUOUS, 0.0)
        self.sine = np.sqrt(1 - self.transform.cos_theta ** 2)[:, None]

    def synthesis(self, qst: np.ndarray) -> np.ndarray:
        return np.stack([self.transform.synth(*shell) for shell in qst])

    def step(self, qst: np.ndarray) -> np.ndarray:
        """Q, S, T of u x B on all shells."""
        made, speed = np.empty_like(qst), OMEGA * self.sine  # eastward
        for shell, target in zip(qst, made):
            b = self.transform.synth(*shell)
            target[:] = self.transform.analys(-speed * b[1], speed * b[0], np.zeros_like(b[0]))
        return made


def check(lmax: int, mres: int) -> None:
    codes = [Code(armilla.shtns, lmax, mres)]
    ours = codes[0]
    l, m = ours.transform.l, ours.transform.m
    rng = np.random.default_rng(1)
    qst = rng.standard_normal((SHELLS, 3, l.size, 2)).view(np.complex128)[..., 0]
    qst /= (1 + l) ** np.array([1, 2, 2])[:, None]
    qst[..., m == 0] = qst[..., m == 0].real
    qst[:, 1:, 0], qst[..., l == lmax] = 0, 0
    made = ours.step(qst)
    expected = -1j * m * OMEGA * qst[:, 0]
    error = np.abs(l * (l + 1) * made[:, 2] - expected).max() / np.abs(expected).max()
    print(f"lmax {lmax}, mres {mres}, {SHELLS} shells: rotation to {error:.1e} of the largest rate")
    assert error < 1e-12
    try:
        import shtns
        codes.append(Code(shtns, lmax, mres))
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
