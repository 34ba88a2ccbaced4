#!/usr/bin/env python3
"""A beam applied in two ways: in harmonic space, and as a sum over the pixels around each pixel.

On a map of low degrees they agree up to HEALPix' quadrature, whose weights are all equal: better
with more pixels, or with the ring weights that the third way takes. Around a masked disc the sum
over pixels can take the weighted mean of what is left.

Usage: radial_smoothing.py [FOLDER]     writes radial.png, difference.png, holes.png there
"""
import sys
import time
from pathlib import Path

import numpy as np

import armilla

NSIDE, LMAX, FWHM = 128, 128, np.radians(3)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    grid = armilla.Grid.healpix(NSIDE)
    sht = armilla.SHT(grid, LMAX)
    alm = armilla.alm.random(LMAX, 1 / (1 + np.arange(LMAX + 1.0)) ** 2, seed=1)
    sky = sht.synthesis(alm)
    beam = armilla.spectrum.gaussian_beam(FWHM, LMAX)
    harmonic = sht.synthesis(armilla.alm.multiply_window(alm, beam))

    kernel = armilla.Kernel.gaussian(FWHM)
    for name, pixels, bound in (
            ("equal weights", grid, 5e-4),
            ("ring weights", armilla.Grid.healpix(NSIDE, weights_lmax=2 * NSIDE), 1e-5)):
        radial = armilla.Radial(pixels, kernel)
        start = time.perf_counter()
        smooth = radial.convolve(sky)
        seconds = time.perf_counter() - start
        error = np.sqrt(np.mean((smooth - harmonic) ** 2) / np.mean(harmonic ** 2))
        print(f"{name}: rms difference {error:.1e} of the rms, {seconds:.3f} s")
        assert error < bound
    told = radial.describe()
    print(f"support {np.degrees(told.support):.2f} deg, truncation error "
          f"{told.truncation_error:.1e}, {told.pairs / told.npix:.0f} pixels in each sum, method "
          f"{told.method}")

    # a disc of 10 degrees is missing: the mean of what is left, at its edge, too
    z = np.cos(grid.pixels()[0])
    holes = np.where(z > np.cos(np.radians(10)), armilla.io.UNSEEN, sky)
    kept = armilla.convolve(holes, kernel)
    filled = armilla.convolve(holes, kernel, fill=True)
    print(f"{(holes == armilla.io.UNSEEN).sum()} pixels are missing, "
          f"{(filled == armilla.io.UNSEEN).sum()} of them further from others than the kernel says")
    assert ((kept == armilla.io.UNSEEN) == (holes == armilla.io.UNSEEN)).all()

    limit = 3 * float(harmonic.std())
    for name, values, top in (("radial", smooth, limit), ("difference", smooth - harmonic, None),
                              ("holes", filled, limit)):
        armilla.io.write_picture(folder / f"{name}.png", values, width=800, title=name,
                                 minimum=None if top is None else -top, maximum=top,
                                 overwrite=True)


if __name__ == "__main__":
    main()
