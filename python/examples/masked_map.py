#!/usr/bin/env python3
"""A map with a mask: a band around the equator and some discs are filled from what is seen.

pseudo_analysis finds the coefficients of a field of low degree by least squares over the pixels
that the mask leaves, and synthesis on the whole grid fills the rest.

Usage: masked_map.py [FOLDER]     writes masked.png, filled.png, error.png there
"""
import sys
from pathlib import Path

import numpy as np

import armilla

NSIDE, LMAX = 32, 24


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    grid = armilla.Grid.healpix(NSIDE)
    sht = armilla.SHT(grid, LMAX)
    alm = armilla.alm.random(LMAX, 1 / (1 + np.arange(LMAX + 1.0)) ** 2, seed=3)
    sky = sht.synthesis(alm)

    # the band |latitude| < 6 degrees is missing, and three discs of 8 degrees
    theta, phi = grid.pixels()
    seen = np.abs(np.pi / 2 - theta) >= np.radians(6)
    for disc_theta, disc_phi in ((0.5, 1.0), (1.1, 4.0), (2.2, 2.5)):
        cosine = (np.cos(theta) * np.cos(disc_theta)
                  + np.sin(theta) * np.sin(disc_theta) * np.cos(phi - disc_phi))
        seen &= cosine < np.cos(np.radians(8))
    masked = np.where(seen, sky, armilla.io.UNSEEN)

    back, report = sht.pseudo_analysis(masked, mask=seen, tolerance=1e-12, max_iterations=2000)
    filled = sht.synthesis(back)
    missing = ~seen
    error = np.sqrt(np.mean((filled - sky)[missing] ** 2) / np.mean(sky ** 2))
    print(f"{missing.mean():.1%} of the pixels are missing; {report.iterations} iterations, "
          f"stopped by {report.stop}, residual {report.residual:.1e}")
    print(f"inside the mask, rms error over rms of the sky: {error:.1e}")
    assert error < 1e-6

    limit = float(np.abs(sky).max())
    for name, values, top in (("masked", masked, limit), ("filled", filled, limit),
                              ("error", filled - sky, None)):
        armilla.io.write_picture(folder / f"{name}.png", values, width=800, title=name,
                                 minimum=None if top is None else -top, maximum=top,
                                 overwrite=True)


if __name__ == "__main__":
    main()
