#!/usr/bin/env python3
"""One scale of a map: its convolution with a needlet, and all scales together, which give it back.

The squares of the windows of all needlets add up to 1, so that convolving twice with each, and
adding, returns the map without its mean. Here one scale comes from a sum over pixels. A needlet
falls off slowly: cutting it where that changes this map by half a percent saves work.

Usage: needlet_scale.py [FOLDER]     writes sky.png, scale.png, windows.txt there
"""
import sys
from pathlib import Path

import numpy as np

import armilla

NSIDE, LMAX, BASE, SCALE, CUT = 32, 32, 2.0, 4, 5e-3


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    # ring weights: HEALPix' quadrature exact for products of two degrees up to lmax, but for what
    # aliases
    grid = armilla.Grid.healpix(NSIDE, weights_lmax=2 * LMAX)
    sht = armilla.SHT(grid, LMAX)
    cl = 1 / (1 + np.arange(LMAX + 1.0)) ** 2
    alm = armilla.alm.random(LMAX, cl, seed=5)
    sky = sht.synthesis(alm)

    kernel = armilla.Kernel.needlet(BASE, SCALE)
    radial = armilla.Radial(grid, kernel, kernel.choose_support(CUT, cl))
    scale = radial.convolve(sky)
    window = kernel.harmonic_window(LMAX)
    judge = sht.synthesis(armilla.alm.multiply_window(alm, window))
    error = np.sqrt(np.mean((scale - judge) ** 2) / np.mean(judge ** 2))
    told = radial.describe()
    print(f"scale {SCALE}: degrees {np.flatnonzero(window)[0]} to {np.flatnonzero(window)[-1]}, "
          f"half its height at {np.degrees(told.width):.2f} deg, cut at "
          f"{np.degrees(told.support):.1f} deg")
    print(f"sum over pixels against coefficients times window: {error:.1e} of the rms")
    assert error < 2 * CUT

    windows = [armilla.Kernel.needlet(BASE, j).harmonic_window(LMAX) for j in range(8)]
    total = sum(w ** 2 for w in windows)
    print(f"squares of all windows: 1 to {np.abs(total[1:] - 1).max():.1e}")
    assert np.abs(total[1:] - 1).max() < 1e-12

    for name, values in (("sky", sky), ("scale", scale)):
        limit = 3 * float(values.std())
        armilla.io.write_picture(folder / f"{name}.png", values, width=800, title=name,
                                 minimum=-limit, maximum=limit, overwrite=True)
    np.savetxt(folder / "windows.txt", np.stack([np.arange(LMAX + 1), *windows], 1), "%.6g",
               header="l, then b_l of scales 0, 1, ...")


if __name__ == "__main__":
    main()
