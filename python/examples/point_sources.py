#!/usr/bin/env python3
"""Points seen through a narrow beam: sums over pixels leave exact zeros around them, harmonic
smoothing rings over the whole sky.

Eight pixels of 1, four near the pole and four near the equator, under a Gaussian beam of 2.7
pixels, 4.7 arcmin at nside 2048. The pictures show 16 FWHM around each, the logarithm of the
absolute value.

Usage: point_sources.py [FOLDER [NSIDE]]     writes points_radial.png, points_harmonic.png there
"""
import sys
from pathlib import Path

import matplotlib
import numpy as np

import armilla
import armilla.healpy as hp

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

PLACES = np.radians([[6, 20], [14, 75], [25, 200], [36, 310], [60, 40], [75, 130], [90, 220],
                     [105, 300]])  # colatitude, longitude


def smooth_harmonic(sky: np.ndarray, nside: int, fwhm: float) -> np.ndarray:
    """Analysis with three iterations, a_lm b_l, synthesis; lmax 4096 at nside 2048, where b_l is
    0.06: what the beam still lets through there is missing."""
    lmax = 2 * nside
    sht = armilla.SHT(armilla.Grid.healpix(nside), lmax)
    alm, _ = sht.pseudo_analysis(sky, method="jacobi", max_iterations=3)
    beam = armilla.spectrum.gaussian_beam(fwhm, lmax)
    return sht.synthesis(armilla.alm.multiply_window(alm, beam))


def tell(name: str, values: np.ndarray, near: np.ndarray, reached: np.ndarray) -> tuple:
    """Largest value beyond the support, on rings that it reaches and on others, and the lowest of
    all: relative to the largest."""
    top = float(values.max())
    beyond = np.where(near, 0, np.abs(values)) / top
    told = (float(beyond[reached].max()), float(beyond[~reached].max()), float(values.min() / top))
    print(f"{name}: beyond the support at most {told[0]:.1e} of the maximum on the rings it "
          f"reaches, {told[1]:.1e} on the others; lowest value {told[2]:.1e}; "
          f"{(beyond[~near] != 0).mean():.1%} of the pixels there are not 0")
    return told


def draw(path: Path, values: np.ndarray, nside: int, side: float, title: str) -> None:
    """A square of `side` radians around each point."""
    steps = (np.arange(240) + 0.5) / 240 - 0.5
    colours = matplotlib.colormaps["viridis"].with_extremes(under="white")
    across, along = np.meshgrid(side * steps, -side * steps)
    figure, panels = plt.subplots(2, 4, figsize=(11, 6), layout="constrained")
    for panel, (theta, phi) in zip(panels.flat, PLACES):
        out = hp.ang2vec(theta, phi)
        south = np.array([np.cos(theta) * np.cos(phi), np.cos(theta) * np.sin(phi), -np.sin(theta)])
        east = np.array([-np.sin(phi), np.cos(phi), 0.0])
        vectors = out - along[..., None] * south - across[..., None] * east  # east to the left
        pixels = hp.vec2pix(nside, *np.moveaxis(vectors, -1, 0))
        shown = np.log10(np.maximum(np.abs(values[pixels]) / values.max(), 1e-30))
        image = panel.imshow(shown, vmin=-17, vmax=0, cmap=colours, interpolation="nearest")
        panel.set_title(f"colatitude {np.degrees(theta):.0f} deg", fontsize=9)
        panel.set_xticks([])
        panel.set_yticks([])
    figure.colorbar(image, ax=panels, label="log10 of |value| over the maximum; white: 0",
                    shrink=0.8)
    figure.suptitle(f"{title}, {np.degrees(side) * 60:.0f} arcmin squares")
    figure.savefig(path, dpi=72)
    plt.close(figure)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    nside = int(sys.argv[2]) if len(sys.argv) > 2 else 2048
    fwhm = np.radians(4.7 / 60) * 2048 / nside
    grid = armilla.Grid.healpix(nside)
    sky = np.zeros(grid.npix)
    points = hp.ang2pix(nside, *PLACES.T)
    sky[points] = 1

    radial = armilla.Radial(grid, armilla.Kernel.gaussian(fwhm))
    support = radial.describe().support
    near = np.zeros(grid.npix, bool)
    reached = np.zeros(grid.nrings, bool)
    for theta, vector in zip(hp.pix2ang(nside, points)[0], np.transpose(hp.pix2vec(nside, points))):
        near[hp.query_disc(nside, vector, support)] = True
        reached |= np.abs(grid.rings["theta"] - theta) <= support
    on_reached = np.repeat(reached, grid.rings["nphi"])
    print(f"nside {nside}, beam {np.degrees(fwhm) * 60:.1f} arcmin, support "
          f"{np.degrees(support) * 60:.1f} arcmin, {(~on_reached).mean():.0%} of the pixels on "
          f"rings that no support reaches")

    by_pixels = radial.convolve(sky)
    told = tell("radial", by_pixels, near, on_reached)
    assert told[0] <= 1e-15 and told[1] == 0 and told[2] >= -1e-15
    by_harmonics = smooth_harmonic(sky, nside, fwhm)
    assert tell("harmonic", by_harmonics, near, on_reached)[0] > 1e-6
    draw(folder / "points_radial.png", by_pixels, nside, 16 * fwhm, "sum over pixels")
    draw(folder / "points_harmonic.png", by_harmonics, nside, 16 * fwhm, "harmonic smoothing")


if __name__ == "__main__":
    main()
