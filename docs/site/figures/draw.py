#!/usr/bin/env python3
"""Draws the pictures of the how-to pages and of the page on conventions.

Usage: draw.py [FOLDER]     writes NAME.png there (default: next to this script); needs matplotlib
"""
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

import armilla
import armilla.healpy as hp

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[2] / "python" / "examples"
plt.rcParams.update({"font.size": 9, "axes.titlesize": 9, "savefig.dpi": 100,
                     "axes.spines.top": False, "axes.spines.right": False})


def shrink(path, target, colours=64):
    picture = Image.open(path).convert("RGB")
    picture.quantize(colours, Image.Quantize.MAXCOVERAGE).save(target, optimize=True)


def save(figure, folder, name):
    path = folder / f"{name}.png"
    figure.savefig(path, bbox_inches="tight", pad_inches=0.05)
    plt.close(figure)
    shrink(path, path)


def patch(axis, values, nside, centre, width, limit, title):
    """A gnomonic view of a HEALPix map around centre (longitude, latitude), width in degrees."""
    half = np.tan(np.radians(width / 2))
    x, y = np.meshgrid(np.linspace(half, -half, 200), np.linspace(-half, half, 200))
    lon, lat = np.radians(centre)
    east = np.array([-np.sin(lon), np.cos(lon), 0])
    north = np.array([-np.sin(lat) * np.cos(lon), -np.sin(lat) * np.sin(lon), np.cos(lat)])
    ahead = np.array([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
    vector = ahead + x[..., None] * east + y[..., None] * north
    shown = values[hp.vec2pix(nside, *np.moveaxis(vector, -1, 0))]
    axis.imshow(np.ma.masked_less(shown, -1e30), origin="lower", cmap="RdBu_r", vmin=-limit,
                vmax=limit)
    axis.set_title(title)
    axis.set_facecolor("0.8")
    axis.set_xticks([])
    axis.set_yticks([])


def smooth_masked(folder):
    nside, lmax = 128, 256
    grid = armilla.Grid.healpix(nside)
    cl = 1 / (1 + np.arange(lmax + 1.0)) ** 2
    teb = np.stack([armilla.alm.random(lmax, cl, seed) for seed in (1, 2, 3)])
    sky = armilla.IQU(grid, lmax).synthesis(teb)
    theta, _ = grid.pixels()
    mask = np.abs(theta - np.pi / 2) > np.radians(6)
    smooth = armilla.convolve(sky, armilla.Kernel.gaussian(np.radians(5)), mask=mask, pol=True)
    fading = hp.smoothing(np.where(mask, sky, 0), fwhm=np.radians(5), lmax=lmax)[1]
    shown = (np.where(mask, sky[1], hp.UNSEEN), np.where(mask, fading, hp.UNSEEN), smooth[1])
    titles = "Q, a band is hidden", "through harmonic space", "armilla.convolve"
    figure, axes = plt.subplots(1, 3, figsize=(7.2, 2.6))
    for axis, values, title in zip(axes, shown, titles):
        patch(axis, values, nside, (30, 0), 50, 0.8 * np.abs(smooth[1][mask]).max(), title)
    save(figure, folder, "smooth_masked")


def lensed(folder):
    lmax, nside = 300, 256
    degree = np.arange(lmax + 1.0)
    cl, spectrum = np.loadtxt(HERE.parents[2] / "data" / "lcdm_planck2018_cl.txt", usecols=(0, 1)).T
    t = armilla.alm.random(lmax, np.interp(degree, cl, spectrum) * (degree > 1), seed=1)
    phi = armilla.alm.random(lmax, 7e-4 * (degree > 1) * (degree < 30) / (1 + degree) ** 4, seed=2)
    grid = armilla.Grid.healpix(nside)
    before = armilla.SHT(grid, lmax).synthesis(t)
    after = armilla.Lensing(grid, phi, lmax, epsilon=1e-4).alm2lenmap(t)
    figure, axes = plt.subplots(1, 3, figsize=(7.2, 2.6))
    for axis, values, title in zip(axes, (before, after, after - before),
                                   ("unlensed", "lensed", "difference")):
        patch(axis, values, nside, (0, 20), 25, 2.5 * before.std(), title)
    save(figure, folder, "lensed")


def beam(folder):
    theta = np.radians(np.linspace(0, 8, 200))
    profile = (np.exp(-0.5 * (theta / np.radians(1.3)) ** 2)
               + 0.02 * np.exp(-theta / np.radians(2)))
    profile -= profile[-1]
    window = armilla.Kernel.table(theta, profile).harmonic_window(160)
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.2, 2.2))
    left.semilogy(np.degrees(theta[:-1]), profile[:-1] / profile[0])
    left.set(xlabel="theta [degrees]", title="profile K(theta) / K(0)", ylim=(1e-5, 2))
    right.plot(window / window[0])
    right.set(xlabel="degree l", title="window b_l / b_0")
    save(figure, folder, "beam")


def grids(folder):
    shown = (("octahedral O16", armilla.Grid.octahedral(16)),
             ("HEALPix, nside 8", armilla.Grid.healpix(8)),
             ("regular, 33 x 64", armilla.Grid.equidistant("CC", 33, 64)))
    figure, axes = plt.subplots(1, 3, figsize=(7.2, 2.5))
    for axis, (title, grid) in zip(axes, shown):
        theta, phi = grid.pixels()
        tilt = np.radians(35)
        x, y, z = np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)
        ahead, up = np.cos(tilt) * x + np.sin(tilt) * z, np.cos(tilt) * z - np.sin(tilt) * x
        axis.plot(y[ahead > 0], up[ahead > 0], ".", markersize=1.8)
        axis.set_title(f"{title}: {grid.npix} pixels")
        axis.set_aspect("equal")
        axis.axis("off")
    save(figure, folder, "grids")


def angles(folder):
    """The angles of a point, and the unit vectors there, seen from outside."""
    figure, (axis, frame) = plt.subplots(1, 2, figsize=(7.2, 2.9))
    tilt, turn = np.radians(20), np.radians(-20)

    def seen(theta, phi, radius=1.0):
        x = radius * np.sin(theta) * np.cos(phi + turn)
        y, z = radius * np.sin(theta) * np.sin(phi + turn), radius * np.cos(theta)
        return y, np.cos(tilt) * z - np.sin(tilt) * x

    line = np.linspace(0, 1, 100)
    axis.add_patch(plt.Circle((0, 0), 1, fill=False, color="0.6"))
    axis.plot(*seen(np.pi / 2, np.radians(-70 + 180 * line)), color="0.6", linewidth=0.8)
    theta, phi = np.radians(50), np.radians(55)
    axis.plot(*seen(np.pi * line, 0), color="0.6", linewidth=0.8)
    axis.plot(*seen(theta * line, phi), color="C0", linewidth=2)
    axis.plot(*seen(np.pi / 2, phi * line), color="C1", linewidth=2)
    axis.plot(*seen(theta + (np.pi / 2 - theta) * line, phi), color="0.6", linewidth=0.8)
    axis.plot(*np.array(seen(theta, phi)), "ko")
    for place, text, colour in (((theta / 2, phi + 0.25), "theta", "C0"),
                                ((np.pi / 2 + 0.17, phi / 2), "phi", "C1"),
                                ((0, 0, 1.13), "north, theta = 0", "k"),
                                ((np.pi / 2 + 0.42, 0.05), "phi = 0", "0.4")):
        axis.annotate(text, seen(*place), color=colour, ha="center", va="center")
    axis.set(xlim=(-1.15, 1.15), ylim=(-1.1, 1.25), aspect="equal")
    axis.axis("off")
    for end, text, place in (((0, -1), "e_theta (south)", (0.05, -1.12)),
                             ((1, 0), "e_phi (east)", (1.05, 0.1))):
        frame.annotate("", end, (0, 0), arrowprops={"arrowstyle": "->", "color": "k"})
        frame.annotate(text, place)
    for turned, text, colour in ((np.pi / 2, "Q > 0", "C0"), (0, "Q < 0", "C1"),
                                 (-np.pi / 4, "U > 0", "C2"), (np.pi / 4, "U < 0", "C3")):
        x, y = 0.75 * np.cos(turned), 0.75 * np.sin(turned)
        frame.plot([-x, x], [-y, y], color=colour, linewidth=3, alpha=0.7)
        side = 1.3 if turned == np.pi / 2 else -1.35
        frame.annotate(text, (side * x, side * y), color=colour, ha="center", va="center")
    frame.set(xlim=(-1.3, 1.9), ylim=(-1.3, 1.2), aspect="equal",
              title="seen from outside the sphere, north is up")
    frame.axis("off")
    save(figure, folder, "angles")


def triangle(folder):
    """Where a_lm is in memory."""
    lmax = 5
    figure, axis = plt.subplots(figsize=(4.2, 2.4))
    for m in range(lmax + 1):
        for l in range(m, lmax + 1):
            axis.add_patch(plt.Rectangle((l - 0.5, m - 0.5), 1, 1, color=f"C{m}", alpha=0.35))
            axis.annotate(armilla.alm.index(lmax, l, m), (l, m), ha="center", va="center")
    axis.set(xlim=(-0.6, lmax + 0.6), ylim=(lmax + 0.6, -0.6), xlabel="degree l", ylabel="order m",
             xticks=range(lmax + 1), yticks=range(lmax + 1), title="index of a_lm, lmax = mmax = 5")
    save(figure, folder, "triangle")


def rings(folder):
    """Colatitudes of the equidistant grids."""
    kinds = "CC", "F1", "F2", "DH", "MW", "MWSS", "MWFLIP"
    figure, axis = plt.subplots(figsize=(5.6, 2.8))
    shown = [(kind, armilla.Grid.equidistant(kind, 7 if kind == "MWSS" else 6, 12))
             for kind in kinds]
    shown.append(("Gauss-\nLegendre", armilla.Grid.gauss_legendre(6, 12)))
    for place, (_, grid) in enumerate(shown):
        axis.plot([place] * grid.nrings, np.degrees(grid.rings["theta"]), "o", markersize=4)
    axis.set(ylim=(185, -5), yticks=range(0, 181, 30), ylabel="theta [degrees]",
             xticks=range(len(shown)), title="rings of grids with 6 rings (MWSS: 7)")
    axis.set_xticklabels([name for name, _ in shown])
    axis.grid(axis="y", linewidth=0.4)
    save(figure, folder, "rings")


def winds(folder):
    """Wind (u, v) of one coefficient of E, and of one of B."""
    figure, axes = plt.subplots(1, 2, figsize=(7.2, 2.3))
    grid = armilla.Grid.equidistant("F1", 12, 24)
    sht = armilla.SHT(grid, 10, spin=1, two_dimensional=True)
    theta, phi = np.degrees(grid.rings["theta"]), np.arange(24) * 15.0
    for axis, row, title in zip(axes, (0, 1), ("E alone: diverges, does not turn",
                                               "B alone: turns, does not diverge")):
        modes = np.zeros(sht.alm_shape, complex)
        modes[row, armilla.alm.index(10, 3, 2)] = 1
        minus_v, u = sht.synthesis(modes)
        axis.quiver(phi, 90 - theta, u, -minus_v, scale=13, width=0.004, color=f"C{row}")
        axis.set(xlabel="longitude", title=title, xticks=range(0, 361, 90),
                 yticks=range(-90, 91, 45))
    axes[0].set_ylabel("latitude")
    save(figure, folder, "winds")


def of_examples(folder):
    """What the examples on winds and gravity write: a wind, its vorticity, a gravity anomaly."""
    for example, names in (("winds_reduced_grid", {"wind": "wind_o160",
                                                   "vorticity": "vorticity_o160"}),
                           ("gravity_anomaly", {"anomaly": "anomaly"})):
        with tempfile.TemporaryDirectory() as place:
            subprocess.run([sys.executable, str(EXAMPLES / f"{example}.py"), place], check=True)
            for name, target in names.items():
                shrink(Path(place) / f"{name}.png", folder / f"{target}.png", 256)


def energy(folder):
    """Kinetic energy by degree of the wind of that example, with a divergent part of a tenth."""
    l = np.arange(160)
    cl = 4e-11 / (1 + (l / 8.0) ** 4) * (l > 0)
    wind = armilla.Wind(armilla.Grid.octahedral(160), 159, radius=armilla.wind.EARTH_RADIUS_ECMWF)
    u, v = wind.transform.synthesis(np.stack([armilla.alm.random(159, cl, seed=7),
                                              armilla.alm.random(159, cl / 100, seed=8)]))
    figure, axis = plt.subplots(figsize=(5.2, 3.2))
    for part, name in zip(wind.energy_spectrum(u, v), ("rotational", "divergent")):
        axis.loglog(l[1:], part[1:], label=name)
    axis.loglog(l[20:], 2e6 * l[20:] ** -5.0, "k:", lw=1, label="$l^{-5}$")
    axis.set(xlabel="degree l", ylabel="kinetic energy, m²/s²", title="a wind on O160, T159")
    axis.legend(frameon=False)
    save(figure, folder, "energy_spectrum")


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else HERE)
    for draw in (smooth_masked, lensed, beam, grids, angles, triangle, rings, winds,
                 of_examples, energy):
        draw(folder)


if __name__ == "__main__":
    main()
