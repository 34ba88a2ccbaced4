#!/usr/bin/env python3
"""Point sources in a map of the microwave background, found with a Mexican hat.

The sky is simulated: the background and sources of known place and amplitude through a beam, and
white noise. The hat suppresses what is wider than the beam; what stands out of the filtered map is
a source, its amplitude the filter's answer over that to a source of 1. The list is compared with
the truth.

Usage: find_sources.py [FOLDER]     writes filtered.png, catalogue.txt there
"""
import sys
from pathlib import Path

import numpy as np

import armilla

NSIDE, FWHM = 256, np.radians(40 / 60)
SIGMA = FWHM / np.sqrt(8 * np.log(2))
NOISE, SOURCES, THRESHOLD = 20.0, 150, 5.0  # uK in a pixel; number; standard deviations
SPECTRUM = Path(__file__).resolve().parents[2] / "data" / "lcdm_planck2018_cl.txt"


def vectors_of(grid: armilla.Grid) -> np.ndarray:
    """Unit vectors of all pixels, (npix, 3)."""
    theta, phi = grid.pixels()
    return np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], 1)


def plant(rng: np.random.Generator, pixels: np.ndarray) -> tuple:
    """Places that are at least 4 FWHM apart, amplitudes (uK at the peak), and their map."""
    places: list = []
    while len(places) < SOURCES:
        place = rng.standard_normal(3)
        place /= np.linalg.norm(place)
        if all(np.linalg.norm(place - other) > 4 * FWHM for other in places):
            places.append(place)
    amplitudes = rng.uniform(150, 1500, SOURCES)
    sky = np.zeros(len(pixels))
    for place, amplitude in zip(places, amplitudes):
        near = np.flatnonzero(pixels @ place > np.cos(8 * SIGMA))
        angle = 2 * np.arcsin(np.linalg.norm(pixels[near] - place, axis=1) / 2)
        sky[near] += amplitude * np.exp(-angle ** 2 / (2 * SIGMA ** 2))
    return np.array(places), amplitudes, sky


def answer_to_a_source(kernel: armilla.Kernel) -> float:
    """The filtered map in the middle of a source of peak 1."""
    lmax = int(8 / SIGMA)
    factor = (2 * np.arange(lmax + 1) + 1) / (4 * np.pi)
    profile = 2 * np.pi * SIGMA ** 2 * armilla.spectrum.gaussian_beam(FWHM, lmax)
    return float(np.sum(factor * profile * kernel.harmonic_window(lmax)))


def peaks(filtered: np.ndarray, threshold: float) -> np.ndarray:
    """Pixels above the threshold and above their neighbours."""
    candidates = np.flatnonzero(filtered > threshold)
    around = armilla.healpix.neighbours(NSIDE, candidates)
    highest = np.where(around >= 0, filtered[around], -np.inf).max(axis=-1)
    return candidates[filtered[candidates] > highest]


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    rng = np.random.default_rng(7)
    grid, lmax = armilla.Grid.healpix(NSIDE), 2 * NSIDE
    pixels = vectors_of(grid)
    places, amplitudes, sky = plant(rng, pixels)
    beam = armilla.spectrum.gaussian_beam(FWHM, lmax)
    alm = armilla.alm.random(lmax, armilla.io.read_cl(SPECTRUM).cl[0, :lmax + 1], seed=2)
    background = armilla.SHT(grid, lmax).synthesis(armilla.alm.multiply_window(alm, beam))
    sky += background + NOISE * rng.standard_normal(grid.npix)

    kernel = armilla.Kernel.mexican_hat(FWHM)
    filtered = armilla.Radial(grid, kernel).convolve(sky) / answer_to_a_source(kernel)
    noise = 1.4826 * float(np.median(np.abs(filtered)))  # of a Gaussian; sources do not count
    found = peaks(filtered, THRESHOLD * noise)

    distance = 2 * np.arcsin(np.linalg.norm(pixels[found][:, None] - places[None], axis=2) / 2)
    nearest, match = distance.min(axis=1), distance.argmin(axis=1)
    true = nearest < FWHM / 2
    bright = amplitudes > 2 * THRESHOLD * noise
    complete = np.isin(np.arange(SOURCES), match[true])
    error = filtered[found[true]] / amplitudes[match[true]] - 1
    offset = np.degrees(np.sqrt(np.mean(nearest[true] ** 2))) * 60
    print(f"rms of the map {sky.std():.0f} uK, of the filtered one {noise:.1f} uK")
    print(f"{SOURCES} sources: {complete.sum()} found, {(~true).sum()} false ones; of those above "
          f"{2 * THRESHOLD * noise:.0f} uK {complete[bright].mean():.0%}")
    pixel = np.degrees(np.sqrt(4 * np.pi / grid.npix)) * 60
    print(f"places: rms {offset:.1f} arcmin, pixels are {pixel:.1f} wide; amplitudes: mean error "
          f"{error.mean():+.1%}, rms {error.std():.1%}")
    assert complete[bright].all() and (~true).sum() <= 3 and offset < 8 and error.std() < 0.15

    order = np.argsort(-filtered[found])
    x, y, z = pixels[found[order]].T
    np.savetxt(folder / "catalogue.txt",
               np.stack([np.degrees(np.arctan2(y, x)) % 360, np.degrees(np.arcsin(z)),
                         filtered[found[order]], filtered[found[order]] / noise], 1),
               "%9.4f %9.4f %8.1f %7.1f", header="longitude latitude (deg), amplitude (uK), over "
               "standard deviation")
    armilla.io.write_picture(folder / "filtered.png", filtered, width=800, unit="uK",
                             title="Mexican hat", minimum=-3 * noise, maximum=10 * noise,
                             overwrite=True)


if __name__ == "__main__":
    main()
