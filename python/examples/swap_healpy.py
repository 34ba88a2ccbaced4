#!/usr/bin/env python3
"""The same analysis with healpy and with Armilla: only the import changes.

Usage: swap_healpy.py     compares the two if healpy is installed
"""
import importlib
import importlib.util
import time

import numpy as np

NSIDE = 128


def analysis(hp, nside):
    """A script as many have it: simulate, smooth, spectra, rotate."""
    lmax = 2 * nside
    cl = 1 / (np.arange(lmax + 1) + 10.0) ** 2
    np.random.seed(1)
    sky = hp.synfast([cl, cl, cl, 0.3 * cl], nside, lmax=lmax, new=True)
    smooth = hp.smoothing(sky, fwhm=np.radians(1), lmax=lmax)
    spectra = hp.anafast(smooth, lmax=lmax)
    alm = hp.map2alm(smooth[0], lmax=lmax, iter=3)
    rotated = hp.Rotator(coord=["G", "C"]).rotate_alm(alm)
    return {"sky": sky, "smooth": smooth, "spectra": spectra, "rotated": rotated}


def timed(name):
    """The results of the script with one of the two modules."""
    start = time.perf_counter()
    made = analysis(importlib.import_module(name), NSIDE)
    print(f"import {name} as hp: {time.perf_counter() - start:.2f} s")
    return made


def main():
    ours = timed("armilla.healpy")
    if importlib.util.find_spec("healpy") is None:
        print("healpy is not installed: nothing to compare with")
        return
    for key, judge in timed("healpy").items():
        difference = np.sqrt(np.mean(np.abs(ours[key] - judge) ** 2))
        error = difference / np.sqrt(np.mean(np.abs(judge) ** 2))
        print(f"{key:8s} {judge.shape}: relative difference {error:.1e}")
        assert error < 1e-11


if __name__ == "__main__":
    main()
