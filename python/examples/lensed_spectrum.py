#!/usr/bin/env python3
"""Spectra of lensed skies against lensed spectra of theory (CAMB), within the sample variance.

Gaussian T, E and phi from the unlensed spectra of data/lensing_cl_LMAX.txt are lensed without
pixels in between, analysed on Gauss-Legendre rings, and compared with the lensed columns of that
file, which are of the same degrees l <= LMAX. Bands of l of the mean of all skies, in units of
their standard deviations, those of Gaussian fields.

The difference between a sky's spectra with and without lensing scatters far less than these: it is
compared, too, with the scatter seen among the skies.

Usage: lensed_spectrum.py [FOLDER [SKIES [LMAX]]]     writes lensed_spectrum.png there
LMAX: 2500 (20 skies: five minutes on a core and 3 GB of memory) or 800.
"""
import sys
from pathlib import Path

import matplotlib
import numpy as np

import armilla

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

DATA = Path(__file__).resolve().parents[2] / "data"
NAMES = ("TT", "EE", "BB", "TE")
EPSILON = 1e-6


def read_spectra(lmax: int) -> tuple:
    """C_l, (4, lmax + 1) unlensed and lensed in microkelvin^2, and of phi."""
    rows = np.loadtxt(DATA / f"lensing_cl_{lmax}.txt").T
    l = rows[0]
    columns = np.zeros((9, lmax + 1))
    columns[:, 2:] = rows * 2 * np.pi / (l * (l + 1))
    columns[4, 2:] /= l * (l + 1)
    tt, ee, te, pp = columns[1:5]
    return np.stack([tt, ee, np.zeros(lmax + 1), te]), columns[5:], pp


def spectra_of(t: np.ndarray, e: np.ndarray, b: np.ndarray) -> np.ndarray:
    """C_l of coefficients, (4, lmax + 1)."""
    return np.stack([armilla.spectrum.compute(*pair) for pair in ((t,), (e,), (b,), (t, e))])


class Sky:
    """Plans for the analysis, and skies from their seeds."""

    def __init__(self, lmax: int, last: int) -> None:
        """Fields up to lmax, spectra up to last."""
        # Lensing spreads power by the degrees of phi, up to 2 lmax: rings enough that it does not
        # alias to degrees up to last. With 1.2 lmax rings B had 16 % too much power at l = 780.
        nrings = lmax + (last + 1) // 2 + 1
        self.grid = armilla.Grid.gauss_legendre(nrings, 2 * nrings)
        self.scalar = armilla.SHT(self.grid, last)
        self.polar = armilla.SHT(self.grid, last, spin=2)

    def spectra(self, unlensed: np.ndarray, pp: np.ndarray, seed: int) -> tuple:
        """C_l of one sky with and without lensing."""
        tt, ee, _, te = unlensed
        none = np.zeros_like(tt)
        lmax = len(tt) - 1
        t, e, phi = armilla.alm.random_correlated(
            lmax, [[tt, te, none], [te, ee, none], [none, none, pp]], seed)
        lensing = armilla.Lensing(self.grid, phi, lmax, epsilon=EPSILON)
        lensed_t = self.scalar.analysis(lensing.alm2lenmap(t))
        polar = lensing.beside(lmax, 2, EPSILON, mode="gradient_only")
        lensed_eb = self.polar.analysis(polar.alm2lenmap(e))
        before = spectra_of(t, e, 0 * e)
        return spectra_of(lensed_t, *lensed_eb), before[:, :self.scalar.lmax + 1]


def in_bands(cl: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Means over bands of the modes' powers, (..., bands)."""
    modes = 2 * np.arange(cl.shape[-1]) + 1
    sums = np.add.reduceat(modes * cl, edges[:-1], axis=-1)
    return sums / np.add.reduceat(modes, edges[:-1])


def deviations(theory: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Standard deviations of bands of one sky's spectra, (4, bands)."""
    tt, ee, bb, te = theory
    l = np.arange(len(tt))
    variance = np.stack([2 * tt**2, 2 * ee**2, 2 * bb**2, te**2 + tt * ee]) / (2 * l + 1)
    modes = 2 * l + 1
    sums = np.add.reduceat(modes**2 * variance, edges[:-1], axis=-1)
    return np.sqrt(sums) / np.add.reduceat(modes, edges[:-1])


def tell(title: str, scores: np.ndarray, names: tuple) -> None:
    """chi^2 of each spectrum, and the largest deviation."""
    print(title)
    for name, row in zip(names, scores):
        print(f"  {name}: chi^2 = {(row**2).sum():6.1f} of {len(row)} bands, largest deviation "
              f"{np.abs(row).max():.1f} sigma, mean {row.mean():+.2f} "
              f"+- {1 / np.sqrt(len(row)):.2f}")


def draw(path: Path, edges: np.ndarray, bands: dict, title: str) -> None:
    """Differences from theory, relative; the unlensed theory's as a line."""
    centres = (edges[:-1] + edges[1:] - 1) / 2
    figure, panels = plt.subplots(2, 2, figsize=(11, 7), sharex=True, layout="constrained")
    tt, ee = bands["theory"][0], bands["theory"][1]
    for i, (name, panel) in enumerate(zip(NAMES, panels.flat)):
        scale = np.sqrt(tt * ee) if name == "TE" else bands["theory"][i]
        panel.axhline(0, color="black", linewidth=0.8)
        if name != "BB":
            panel.plot(centres, (bands["unlensed"][i] - bands["theory"][i]) / scale,
                       color="tab:orange", label="theory without lensing")
        panel.errorbar(centres, (bands["mean"][i] - bands["theory"][i]) / scale,
                       bands["sigma"][i] / scale, fmt="o", markersize=3, linewidth=1,
                       label="mean of the lensed skies")
        reach = np.abs(bands["mean"][i] - bands["theory"][i]) + bands["sigma"][i]
        if name != "BB":
            reach = np.maximum(reach, np.abs(bands["unlensed"][i] - bands["theory"][i]))
        limit = 1.3 * (reach / scale)[2:].max()  # the first bands have few modes
        panel.set_ylim(-limit, limit)
        panel.set_title(f"{name}: difference from the lensed theory"
                        + (" / sqrt(TT EE)" if name == "TE" else " / theory"), fontsize=10)
        panel.set_xlabel("l")
        panel.legend(fontsize=8)
    figure.suptitle(title)
    figure.savefig(path, dpi=80)
    plt.close(figure)


def compare(pairs: np.ndarray, lmax: int, folder: Path) -> None:
    """What `Sky.spectra` made of several skies, [sky][lensed or not][4][l], against theory."""
    unlensed, lensed, _ = read_spectra(lmax)
    skies, last = len(pairs), pairs.shape[-1] - 1
    edges = np.arange(2, last + 2, 50 if lmax > 2000 else 40)
    seen, before = (in_bands(pairs[:, i, :, :edges[-1]], edges) for i in range(2))
    theory, plain = (in_bands(cl[:, :edges[-1]], edges) for cl in (lensed, unlensed))
    sigma = deviations(lensed[:, :edges[-1]], edges) / np.sqrt(skies)
    mean = seen.mean(0)
    scores = (mean - theory) / sigma
    tell(f"{skies} skies, lmax {lmax}, bands of {edges[1] - edges[0]} degrees, 2 to "
         f"{edges[-1] - 1}:", scores, NAMES)
    for first, row in zip(edges, scores.T):
        print(f"  l >= {first:4d}: " + "  ".join(f"{n} {x:+.2f}" for n, x in zip(NAMES, row)))
    without = ((mean - plain) / sigma)[[0, 1, 3]]
    tell("against the theory without lensing:", without, ("TT", "EE", "TE"))
    change, expected = seen - before, theory - plain
    scatter = change.std(0, ddof=1) / np.sqrt(skies)
    tell("what lensing changed, errors from its scatter:",
         (change.mean(0) - expected) / scatter, NAMES)
    ratio = mean[2].sum() / theory[2].sum()
    print(f"power of B: {ratio:.4f} of what theory says")
    draw(folder / "lensed_spectrum.png", edges,
         {"theory": theory, "unlensed": plain, "mean": mean, "sigma": sigma},
         f"{skies} lensed skies, fields of l <= {lmax}, against CAMB")

    # B's modes are correlated by the lenses: 19 bands of 2 skies have 41, of 4 skies 20
    chi2 = (scores**2).sum(1) / [1, 1, 2, 1]
    assert (chi2 < len(edges) - 1 + 4 * np.sqrt(2 * len(edges))).all()
    assert abs(scores[[0, 1, 3]]).max() < 4.5
    assert (without[:2] ** 2).sum() > 2 * chi2[:2].sum()  # else the comparison would say nothing
    assert abs(ratio - 1) < 0.02


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    skies = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    lmax = int(sys.argv[3]) if len(sys.argv) > 3 else 2500
    unlensed, _, pp = read_spectra(lmax)
    sky = Sky(lmax, 2000 if lmax > 2000 else lmax)
    pairs = [sky.spectra(unlensed, pp, seed) for seed in range(1, skies + 1)]
    compare(np.array(pairs), lmax, folder)


if __name__ == "__main__":
    main()
