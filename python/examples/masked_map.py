#!/usr/bin/env python3
"""A map with a mask: a band around the equator is filled from the rings that are there.

The rings outside the mask are a grid, too: pseudo_analysis finds the coefficients of a field of low
degree by least squares, and synthesis on the whole grid fills the band.

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

    # the band |latitude| < 6 degrees is missing: the rings above and below it are a grid, too
    rings = grid.rings
    kept = np.abs(np.pi / 2 - rings["theta"]) >= np.radians(6)
    seen = rings[kept]
    part = armilla.Grid.custom(seen["theta"], seen["nphi"], seen["phi0"], seen["offset"],
                               weight=seen["weight"])
    short = armilla.SHT(part, LMAX)
    masked = np.full(grid.npix, armilla.io.UNSEEN)
    for ring in seen:
        pixels = slice(ring["offset"], ring["offset"] + ring["nphi"])
        masked[pixels] = sky[pixels]

    back, report = short.pseudo_analysis(masked[:short.map_shape[-1]], tolerance=1e-12,
                                         max_iterations=2000)
    filled = sht.synthesis(back)
    missing = masked == armilla.io.UNSEEN
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
