#!/usr/bin/env python3
"""Ten degrees of a CMB sky before and after lensing, by values at points: no map of the whole sky.

Fields from data/lensing_cl_800.txt, the potential as strong as it is: deflections of two arc
minutes, coherent over degrees. The third picture is the difference. The convergence of the same
deflection, drawn over it as contours, is where the sky is magnified.

Usage: lensed_maps.py [FOLDER]     writes unlensed.png, lensed.png, lensing_difference.png there
"""
import sys
from pathlib import Path

import matplotlib
import numpy as np

import armilla

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

LMAX, SIDE, PIXELS = 800, np.radians(10), 250
SPECTRA = Path(__file__).resolve().parents[2] / "data" / "lensing_cl_800.txt"


def read_spectra() -> tuple:
    """C_l of T, microkelvin^2, and of the potential."""
    l, tt, _, _, pp = np.loadtxt(SPECTRA)[:, :5].T
    scale = 2 * np.pi / (l * (l + 1))
    return np.append([0, 0], tt * scale), np.append([0, 0], pp * scale / (l * (l + 1)))


def patch() -> np.ndarray:
    """Directions (PIXELS^2, 2) around a point on the equator, row by row from the north."""
    steps = SIDE * ((np.arange(PIXELS) + 0.5) / PIXELS - 0.5)
    latitude, longitude = np.meshgrid(-steps, -steps, indexing="ij")  # east to the left
    return np.stack([np.pi / 2 - latitude.ravel(), np.pi + longitude.ravel()], axis=1)


def draw(path: Path, values: np.ndarray, limit: float, title: str, kappa: np.ndarray) -> None:
    """One picture, microkelvin."""
    half = np.degrees(SIDE) / 2
    extent = (half, -half, -half, half)
    figure, panel = plt.subplots(figsize=(7, 6), layout="constrained")
    image = panel.imshow(values.reshape(PIXELS, PIXELS), vmin=-limit, vmax=limit, extent=extent,
                         cmap="RdBu_r")
    if kappa.any():
        panel.contour(kappa.reshape(PIXELS, PIXELS), levels=4, colors="black", linewidths=0.5,
                      extent=extent, origin="upper")
    panel.set_title(title)
    panel.set_xlabel("degrees")
    figure.colorbar(image, label="uK")
    figure.savefig(path, dpi=80)
    plt.close(figure)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    tt, pp = read_spectra()
    t, phi = armilla.alm.random(LMAX, tt, seed=1), armilla.alm.random(LMAX, pp, seed=2)
    loc, l = patch(), np.arange(LMAX + 1.0)

    unlensed = armilla.Points(LMAX, loc, epsilon=1e-6)
    alpha = armilla.Points(LMAX, loc, 1, 1e-6, mode="derivatives").synthesis(phi)
    moved, _ = armilla.lensing.deflect(loc, alpha)
    lensed = unlensed.with_points(moved)
    before, after = unlensed.synthesis(t), lensed.synthesis(t)
    kappa = unlensed.synthesis(armilla.alm.multiply_window(phi, l * (l + 1) / 2))

    arcmin = np.degrees(np.hypot(*alpha)) * 60
    change = (after - before).std() / before.std()
    print(f"deflections of {np.sqrt((arcmin**2).mean()):.2f} arcmin (rms), convergence "
          f"{kappa.std():.3f} (rms); values change by {change:.3f} of their rms")
    assert 1 < np.sqrt((arcmin**2).mean()) < 4 and 0.01 < change < 0.3

    limit = 3 * before.std()
    none = np.zeros(1)
    draw(folder / "unlensed.png", before, limit, "T without lensing", none)
    draw(folder / "lensed.png", after, limit, "T lensed", none)
    draw(folder / "lensing_difference.png", after - before, limit / 5,
         "T lensed - unlensed; contours: convergence", kappa)


if __name__ == "__main__":
    main()
