"""Decoupled band powers of armilla.pseudo_cl against theory, in the mean over many random skies.

    make test-monte-carlo               # 200 skies a case, a minute; ends with an error if a
                                        # mean is off by more than 3 of its standard deviations
    python monte_carlo_pseudo_cl.py --skies 50 --table

Cases: T, E and B at nside 64 with an apodised mask and holes, with and without pure B; and winds
and a scalar of a region on O160. --table prints the table of docs/results/pseudo_cl.md.
"""
import argparse
import sys

import numpy as np

import armilla
from armilla import pseudo_cl
from masked_skies import apodised, places

MOST = 3.0  # standard deviations of a mean


def gaussian_skies(plan, cl, count):
    """Maps of fields T, E, B with these spectra (3, 3, lmax + 1)."""
    for seed in range(count):
        yield plan.synthesis(list(armilla.alm.random_correlated(plan.lmax, cl, seed=seed)))


def cmb(lmax):
    """T, E, B: steep spectra, with B a hundredth of E."""
    l = np.arange(lmax + 1.0)
    tt, ee, bb = 1 / (l + 10) ** 2, 0.1 / (l + 10) ** 2, 0.001 / (l + 10) ** 2
    te = 0.5 * np.sqrt(tt * ee)
    for cl in (ee, bb, te):
        cl[:2] = 0
    zero = np.zeros(lmax + 1)
    return np.array([[tt, te, zero], [te, ee, zero], [zero, zero, bb]])


def judged(name, powers, expected, rows):
    """Adds a row for each component; returns the largest deviation."""
    mean, scatter = powers.mean(axis=0), powers.std(axis=0, ddof=1)
    off = (mean - expected) / (scatter / np.sqrt(len(powers)))
    for component, values, wide, target in zip(name[1], off, scatter, expected):
        if component != "BE":  # of one field the same as EB
            share = f"{(wide / abs(target)).mean():.2f}" if target.any() else "theory is 0"
            rows.append((name[0], component, len(values), abs(values).max(),
                         np.sqrt((values ** 2).mean()), share))
    return abs(off).max()


def holes(theta, phi):
    """An apodised mask with a cap, a hole and thirty small ones."""
    mask = apodised(theta, phi)
    rng = np.random.default_rng(5)
    vectors = np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)])
    for centre in rng.standard_normal((30, 3)):
        distance = np.arccos(np.clip(centre / np.linalg.norm(centre) @ vectors, -1, 1))
        mask = mask * np.sin(np.clip((distance - 0.02) / 0.15, 0, 1) * np.pi / 2) ** 2
    return mask


def polarised_cases(skies, rows):
    nside, lmax = 64, 128
    grid = armilla.Grid.healpix(nside)
    mask, cl = holes(*places(grid)), cmb(lmax)
    bands = pseudo_cl.Bands.linear(lmax, 9)
    blank = np.zeros(grid.npix)
    t = pseudo_cl.Field.from_map(blank, mask, iterations=3)
    pairs = {"T": (t, t)}
    for word, pure in (("", False), (", pure B", True)):
        qu = pseudo_cl.Field.from_map([blank, blank], mask, spin=2, purify_b=pure, iterations=3)
        pairs["E, B" + word], pairs["T with E, B" + word] = (qu, qu), (t, qu)
    couplings = {name: pseudo_cl.Coupling(*pair, bands) for name, pair in pairs.items()}
    theory = {"TT": cl[0, 0], "TE": cl[0, 1], "TB": cl[0, 2], "EE": cl[1, 1], "EB": cl[1, 2],
              "BE": cl[1, 2], "BB": cl[2, 2]}
    powers = {name: [] for name in pairs}
    for sky in gaussian_skies(armilla.IQU(grid, lmax), cl, skies):
        made = {}
        for name, (one, two) in pairs.items():
            for field in (one, two):
                if id(field) not in made:
                    made[id(field)] = field.with_map(sky[1:] if field.spin else sky[0])
            powers[name].append(couplings[name].decouple(
                pseudo=pseudo_cl.pseudo(made[id(one)], made[id(two)])).powers)
    return max(judged((name + ", nside 64", coupling.components), np.array(powers[name]),
                      np.atleast_2d(coupling.theory(np.squeeze([theory[one] for one
                                                                in coupling.components]))), rows)
               for name, coupling in couplings.items())


def regional_cases(skies, rows):
    grid, lmax = armilla.Grid.octahedral(160), 120
    theta, phi = places(grid)
    north = np.clip((np.radians(60) - theta) / np.radians(25), 0, 1)
    east = np.clip((np.radians(60) - abs(phi - np.radians(90))) / np.radians(30), 0, 1)
    mask = np.sin(0.5 * np.pi * north) ** 2 * np.sin(0.5 * np.pi * east) ** 2
    l = np.arange(lmax + 1.0)
    cl = np.array([1 / (l + 10) ** 2, np.where(l < 1, 0, 1 / (l + 5) ** 3),
                   np.where(l < 1, 0, 5 / (l + 5) ** 3)])
    bands = pseudo_cl.Bands.linear(lmax, 14)
    worst = 0
    for spin, words in ((0, "region on O160, scalar"), (1, "region on O160, wind")):
        plan = armilla.SHT(grid, lmax, spin=spin)
        field = pseudo_cl.Field.from_map(np.zeros((2,) * spin + (grid.npix,)), mask, grid,
                                         spin=spin, lmax=lmax)
        coupling = pseudo_cl.Coupling(field, bands=bands)
        powers = []
        for seed in range(skies):
            parts = (1, 2) if spin else (0,)
            alm = np.stack([armilla.alm.random(lmax, cl[i], seed=1000 * i + seed) for i in parts])
            drawn = field.with_map(plan.synthesis(alm if spin else alm[0]))
            powers.append(coupling.decouple(pseudo=pseudo_cl.pseudo(drawn)).powers)
        zero = np.zeros(lmax + 1)
        expected = coupling.theory([cl[1], zero, zero, cl[2]] if spin else cl[0])
        worst = max(worst, judged((words, coupling.components), np.array(powers),
                                  np.atleast_2d(expected), rows))
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--skies", type=int, default=200)
    parser.add_argument("--table", action="store_true", help="print Markdown")
    given = parser.parse_args()
    rows = []
    worst = max(polarised_cases(given.skies, rows), regional_cases(given.skies, rows))
    if given.table:
        print("| case | spectrum | bands | largest deviation of a mean | rms | scatter / theory |")
        print("|---|---|---|---|---|---|")
    for row in rows:
        text = "{} | {} | {} | {:.2f} | {:.2f} | {}".format(*row)
        print(f"| {text} |" if given.table else text)
    if worst > MOST:
        sys.exit(f"a mean of {given.skies} skies is {worst:.2f} standard deviations from theory")


if __name__ == "__main__":
    main()
