#!/usr/bin/env python3
"""Polarisation: Q and U of a sky with E only, rotated by 45 degrees into B, and back to E and B.

Usage: polarised_maps.py [FOLDER]     writes q.png, u.png there
"""
import sys
from pathlib import Path

import numpy as np

import armilla

NSIDE, LMAX = 64, 128
SPECTRUM = Path(__file__).resolve().parents[2] / "data" / "lcdm_planck2018_cl.txt"


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    ee = armilla.io.read_cl(SPECTRUM).cl[1, :LMAX + 1]

    # spin 2: coefficients (2, size) are E and B, maps (2, npix) are Q and U
    sht = armilla.SHT(armilla.Grid.healpix(NSIDE), LMAX, spin=2)
    alm = np.zeros(sht.alm_shape, complex)
    alm[0] = armilla.alm.random(LMAX, ee, seed=1)
    q, u = sht.synthesis(alm)

    # a rotation of the polarisation by alpha everywhere turns E into B
    for alpha in (0, np.pi / 8, np.pi / 4):
        turned = np.stack([q * np.cos(2 * alpha) - u * np.sin(2 * alpha),
                           q * np.sin(2 * alpha) + u * np.cos(2 * alpha)])
        back, _ = sht.pseudo_analysis(turned, tolerance=1e-10)
        power = [armilla.spectrum.compute(x)[2:].sum() for x in back]
        share = power[1] / sum(power)
        print(f"turned by {np.degrees(alpha):4.1f} degrees: B has {share:.6f} of the power, "
              f"expected {np.sin(2 * alpha) ** 2:.6f}")
        assert abs(share - np.sin(2 * alpha) ** 2) < 1e-8

    for name, values in (("q", q), ("u", u)):
        armilla.io.write_picture(folder / f"{name}.png", values, width=800, title=name.upper(),
                                 unit="uK", overwrite=True)


if __name__ == "__main__":
    main()
