#!/usr/bin/env python3
"""Makes the tables of docs/radial.md on how well radial convolution approximates the integral.

    make python
    PYTHONPATH=build/python build/python-venv/bin/python bench/radial_accuracy.py
    ... bench/radial_accuracy.py --nside 64,128 beams constants edges modes

beams: four skies of C_l = 1 / (l + 1)^2 up to lmax = 2 nside, 540 at most, under a Gaussian of 2
degrees: rms of the difference to the product with the beam's window over the rms of that, for equal
weights (normalizations integral and sum), for harmonic smoothing without iterations (lmax 3 nside -
1) and for ring weights; then Q and U of spectra E = B.
constants: what maps of 1 become under each normalization, by the kernel's width in pixels.
edges: what a pixel of 1, and one of NaN, leave beyond the support, by each method.
modes: exact against standard sums on grids whose rings all have as many pixels.
"""
import argparse

import numpy as np

import armilla
import armilla.healpy

FWHM = np.radians(2)
SKIES = 4


def rms(values):
    return float(np.sqrt(np.mean(np.square(values))))


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def head(*cells):
    row(*cells)
    print("|" + "---|" * len(cells))


# --- Beams ----------------------------------------------------------------------------------------


def skies_of(nside, spin):
    """Maps, and what the beam's window makes of them."""
    lmax = min(2 * nside, 540)
    cl = 1 / (np.arange(lmax + 1) + 1.0) ** 2
    alm = np.array([armilla.alm.random(lmax, cl, seed=nside, field=field)
                    for field in range(2 * SKIES if spin else SKIES)])
    beam = armilla.spectrum.gaussian_beam(FWHM, lmax, spin=spin)
    degree = np.concatenate([np.arange(m, lmax + 1) for m in range(lmax + 1)])
    plan = armilla.SHT(armilla.Grid.healpix(nside), lmax, spin=spin)
    shaped = np.where(degree >= spin, alm.reshape(SKIES, 2, -1) if spin else alm, 0)
    return plan.synthesis(shaped), plan.synthesis(shaped * beam[degree])


def harmonic(sky, nside, spin):
    lmax = 3 * nside - 1
    degree = np.concatenate([np.arange(m, lmax + 1) for m in range(lmax + 1)])
    plan = armilla.SHT(armilla.Grid.healpix(nside), lmax, spin=spin)
    return plan.synthesis(plan.analysis(sky)
                          * armilla.spectrum.gaussian_beam(FWHM, lmax, spin=spin)[degree])


def beams(nsides):
    kernel = armilla.Kernel.gaussian(FWHM)
    for spin, word in ((0, "scalars"), (2, "Q and U")):
        print(f"\nbeams: {word}, 2 degrees\n")
        head("nside", "pixels, integral", "pixels, sum", "harmonic, `--iter 0`", "ring weights")
        for nside in nsides:
            sky, truth = skies_of(nside, spin)
            equal = armilla.Grid.healpix(nside)
            weighted = armilla.Grid.healpix(nside, weights_lmax=2 * nside)
            made = [armilla.Radial(grid, kernel, normalization=how, spin=spin).convolve(sky)
                    for grid, how in ((equal, "integral"), (equal, "sum"), (weighted, "integral"))]
            made.insert(2, harmonic(sky, nside, spin))
            row(nside, *(f"{rms(m - truth) / rms(truth):.1e}" for m in made))


# --- Constants ------------------------------------------------------------------------------------


KERNELS = {"Gaussian": armilla.Kernel.gaussian, "top hat": lambda w: armilla.Kernel.tophat(w / 2),
           "cone": lambda w: armilla.Kernel.table(np.linspace(0, w, 20), np.linspace(1, 0, 20))}


def constants(nsides):
    for nside in nsides[:1]:
        grid = armilla.Grid.healpix(nside)
        one, pixel = np.ones(grid.npix), np.sqrt(4 * np.pi / grid.npix)
        print(f"\nconstants: nside {nside}, largest and rms deviation of a map of ones\n")
        head("kernel", "pixels", "integral", "", "auto is", "auto")
        for name, make in KERNELS.items():
            for width in (0.3, 0.6, 1, 1.5, 2, 2.5, 3, 4, 6, 10, 20):
                kernel = make(width * pixel)
                off = armilla.Radial(grid, kernel, normalization="integral").convolve(one) - 1
                chosen = armilla.Radial(grid, kernel)
                row(name, width, f"{np.abs(off).max():.2g}", f"{rms(off):.1g}",
                    chosen.describe(1).normalization,
                    f"{np.abs(chosen.convolve(one) - 1).max():.2g}")


# --- Edges ----------------------------------------------------------------------------------------


def edges(nsides):
    for nside in nsides[:1]:
        grid = armilla.Grid.healpix(nside)
        there = np.array(armilla.healpy.pix2vec(nside, np.arange(grid.npix)))
        print(f"\nedges: nside {nside}, a Gaussian of 10 degrees, support 37 degrees\n")
        head("method", "largest beyond the support", "over the largest", "NaN beyond")
        pixel = 5 * nside * nside
        angle = np.arccos(np.clip(there[:, pixel] @ there, -1, 1))
        for method in ("pixels", "rings"):
            plan = armilla.Radial(grid, armilla.Kernel.gaussian(np.radians(10)), np.radians(37),
                                  method=method)
            point, hole = np.zeros(grid.npix), np.zeros(grid.npix)
            point[pixel], hole[pixel] = 1, np.nan
            made = plan.convolve(point)
            beyond = angle > plan.describe(1).support + 1e-9
            lost = np.isnan(plan.convolve(hole, missing="propagate"))
            row(method, f"{np.abs(made[beyond]).max():.1e}",
                f"{np.abs(made[beyond]).max() / made.max():.1e}", int(lost[beyond].sum()))


# --- Modes ----------------------------------------------------------------------------------------


def modes(_):
    print("\nmodes: largest difference of exact and standard over the largest value\n")
    head("rings", "pixels", "phi0", "difference")
    for rings, pixels in ((9, 7), (9, 8), (9, 22), (9, 23), (9, 24), (16, 31), (16, 32)):
        for phi0 in (0.0, 0.1):
            theta = np.pi * (np.arange(rings) + 0.5) / rings
            grid = armilla.Grid.custom(theta, pixels, phi0,
                                       weight=np.sin(theta) * 2 * np.pi ** 2 / rings / pixels)
            sky = np.random.default_rng(1).standard_normal(grid.npix)
            kernel = armilla.Kernel.gaussian(0.8)
            made = [armilla.Radial(grid, kernel, normalization="integral", mode=mode).convolve(sky)
                    for mode in ("exact", "standard")]
            off = np.abs(made[0] - made[1]).max() / np.abs(made[0]).max()
            row(rings, pixels, phi0, f"{off:.1e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    tables = {"beams": beams, "constants": constants, "edges": edges, "modes": modes}
    parser.add_argument("tables", nargs="*", help=", ".join(tables) + "; default: all")
    parser.add_argument("--nside", default="64,128,256,512")
    options = parser.parse_args()
    nsides = [int(n) for n in options.nside.split(",")]
    unknown = set(options.tables) - set(tables)
    if unknown:
        parser.error(f"no such table: {', '.join(sorted(unknown))}")
    for name in options.tables or tables:
        tables[name](nsides)


if __name__ == "__main__":
    main()
