#!/usr/bin/env python3
"""A Gaussian sky with the spectrum of the standard model, seen through a beam, and its spectrum.

Usage: simulate_smooth_spectrum.py [FOLDER]     writes sky.png, smooth.png, spectrum.txt there
"""
import sys
from pathlib import Path

import numpy as np

import armilla

NSIDE, LMAX, FWHM = 128, 256, np.radians(2)
SPECTRUM = Path(__file__).resolve().parents[2] / "data" / "lcdm_planck2018_cl.txt"


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    cl = armilla.io.read_cl(SPECTRUM).cl[0, :LMAX + 1]  # TT

    sht = armilla.SHT(armilla.Grid.healpix(NSIDE), LMAX)
    alm = armilla.alm.random(LMAX, cl, seed=1)
    beam = armilla.spectrum.gaussian_beam(FWHM, LMAX)
    sky = sht.synthesis(alm)
    smooth = sht.synthesis(armilla.alm.multiply_window(alm, beam))

    back, report = sht.pseudo_analysis(smooth, tolerance=1e-10)
    measured = armilla.spectrum.compute(back)
    truth = armilla.spectrum.compute(alm) * beam ** 2
    error = np.abs(measured - truth).max() / truth.max()
    print(f"analysis: {report.iterations} iterations, residual {report.residual:.1e}")
    print(f"spectrum of the smooth map: largest error {error:.1e} of its maximum")
    assert error < 1e-8

    limit = 3 * float(sky.std())
    for name, values, title in (("sky", sky, "Gaussian sky"), ("smooth", smooth, "beam of 2 deg")):
        armilla.io.write_picture(folder / f"{name}.png", values, width=800, title=title, unit="uK",
                                 minimum=-limit, maximum=limit, overwrite=True)
    armilla.io.write_cl(folder / "spectrum.txt", measured, overwrite=True)


if __name__ == "__main__":
    main()
