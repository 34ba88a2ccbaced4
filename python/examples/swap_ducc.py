#!/usr/bin/env python3
"""A program written for ducc0.sht runs with armilla.sht: only the import changes.

Usage: swap_ducc.py     compares the two if ducc0 is installed
"""
import time

import numpy as np

import armilla
from armilla import sht as armilla_sht

try:
    from ducc0 import sht as ducc_sht
except ImportError:
    ducc_sht = None

NSIDE, LMAX = 128, 255


def work(sht) -> dict:
    """Some of what one does with either module: the calls are the same."""
    rng = np.random.default_rng(1)
    size = (LMAX + 1) * (LMAX + 2) // 2
    alm = rng.standard_normal((2, size)) + 1j * rng.standard_normal((2, size))
    alm[:, :LMAX + 1].imag = 0
    alm[:, [0, 1, LMAX + 1]] = 0  # spin 2 has no degrees below 2
    rings = armilla.Grid.healpix(NSIDE).rings
    where = {"theta": rings["theta"].copy(), "nphi": rings["nphi"].astype(np.uint64),
             "phi0": rings["phi0"].copy(), "ringstart": rings["offset"].astype(np.uint64)}
    sky = sht.synthesis(alm=alm, lmax=LMAX, spin=2, nthreads=0, **where)
    return {
        "synthesis": sky,
        "adjoint_synthesis": sht.adjoint_synthesis(map=sky, lmax=LMAX, spin=2, nthreads=0, **where),
        "pseudo_analysis": sht.pseudo_analysis(map=sky, lmax=LMAX, spin=2, nthreads=0, maxiter=20,
                                               epsilon=1e-10, **where)[0],
        "synthesis_2d": sht.synthesis_2d(alm=alm[:1], spin=0, lmax=LMAX, geometry="CC",
                                         ntheta=LMAX + 2, nphi=2 * LMAX + 2, nthreads=0),
        "rotate_alm": sht.rotate_alm(alm[0], LMAX, 0.1, 0.2, 0.3, nthreads=0),
    }


def timed(module) -> tuple:
    start = time.perf_counter()
    return work(module), time.perf_counter() - start


def main() -> None:
    made, seconds = timed(armilla_sht)
    print(f"armilla.sht: {seconds:.2f} s")
    if ducc_sht is None:
        print("ducc0 is not installed: nothing to compare with")
        return
    judges, seconds = timed(ducc_sht)
    print(f"ducc0.sht:   {seconds:.2f} s")
    for name, judge in judges.items():
        error = np.linalg.norm(made[name] - judge) / np.linalg.norm(judge)
        print(f"{name:18} differs by {error:.1e}")
        assert error < (1e-8 if name == "pseudo_analysis" else 1e-11)


if __name__ == "__main__":
    main()
