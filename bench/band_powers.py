#!/usr/bin/env python3
"""Times band powers of masked fields beside NaMaster, one thread, seconds of the processor.

    PYTHON bench/band_powers.py [--lmax 1535,3071] [--points 1000000] [--bands 60] [--repeat 3]

PYTHON: an interpreter that has pymaster (tools/peers_venv.sh makes one); without it Armilla alone
is timed. Both take the steps in turn; minima count.

    map         from the spectrum of a mask: windows of all bands and band powers of a spectrum,
                spins 00, 02, 22. NaMaster: NmtWorkspace, decouple_cell, get_bandpower_windows
    catalogue   spin 2 at points with weights: field and mask, the coupling, pseudo-spectra and
                band powers. NaMaster: NmtFieldCatalog, NmtWorkspace, compute_coupled_cell,
                decouple_cell
"""
import argparse
import os
import resource
import sys
import time
from pathlib import Path

for name in ("OMP_NUM_THREADS", "ARMILLA_NUM_THREADS", "DUCC0_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
if "PYTHONPATH" not in os.environ:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "build" / "python"))

import numpy as np  # noqa: E402

from armilla import pseudo_cl  # noqa: E402

try:
    import healpy
    import pymaster as nmt
except ImportError:
    nmt = None


def timed(steps):
    """{step: seconds} of functions that take the results before them."""
    made, kept = {}, {}
    for step, function in steps.items():
        start = time.process_time()
        kept[step] = function(kept)
        made[step] = time.process_time() - start
    return made, kept


def band_edges(lmax, nbands):
    width = (lmax - 1) // nbands
    return 2 + width * np.arange(nbands + 1)


# --- Spectra of a mask ----------------------------------------------------------------------------


def mask_spectrum(lmax):
    """As of an apodised mask, up to the degree that NaMaster takes."""
    l = np.arange(lmax + 1.0)
    return 1 / (1 + (l / 5) ** 4)


def map_ours(lmax, edges, spins, cl):
    bands = pseudo_cl.Bands.edges(edges)
    return {
        "coupling": lambda _: pseudo_cl.Coupling.from_masks(mask_spectrum(lmax), lmax, bands, spins,
                                                            nthreads=1),
        "powers": lambda kept: kept["coupling"].decouple(pseudo=cl).powers,
        "windows": lambda kept: kept["coupling"].windows}


def map_theirs(lmax, edges, spins, cl):
    """The fields have coefficients of a mask with this spectrum, and no maps."""
    # any map will do, since the coefficients are put in its place
    nside = 2 ** int(np.ceil(np.log2((lmax + 1) / 3)))
    fields, mask_cl = [], mask_spectrum(lmax)
    alm = np.zeros(healpy.Alm.getsize(lmax), complex)
    alm[:lmax + 1] = np.sqrt(mask_cl * (2 * np.arange(lmax + 1) + 1))
    for spin in spins:
        field = nmt.NmtField(np.ones(12 * nside**2), None, spin=spin, lmax=lmax, lmax_mask=lmax)
        field.alm_mask = alm
        fields.append(field)
    bins = nmt.NmtBin.from_edges(edges[:-1], edges[1:])
    if bins.lmax < lmax:
        bins = nmt.NmtBin(bpws=np.repeat(np.arange(len(edges) - 1), np.diff(edges)),
                          ells=np.arange(edges[0], edges[-1]), lmax=lmax)
    return {
        "coupling": lambda _: nmt.NmtWorkspace.from_fields(*fields, bins),
        "powers": lambda kept: kept["coupling"].decouple_cell(cl),
        "windows": lambda kept: kept["coupling"].get_bandpower_windows()}


# --- Catalogues -----------------------------------------------------------------------------------


def catalogue(npoints):
    rng = np.random.default_rng(1)
    loc = np.column_stack([np.arccos(rng.uniform(-0.4, 0.9, npoints)),
                           2 * np.pi * rng.random(npoints)])
    return loc, rng.uniform(0.5, 1.5, npoints), rng.standard_normal((2, npoints))


def catalogue_ours(lmax, edges, loc, weights, shear, epsilon):
    bands = pseudo_cl.Bands.edges(edges)
    return {
        "field": lambda _: pseudo_cl.Field.from_catalogue(
            loc, shear, lmax, weights=weights, spin=2, lmask=lmax, epsilon=epsilon, nthreads=1),
        "coupling": lambda kept: pseudo_cl.Coupling(kept["field"], bands=bands, nthreads=1),
        "powers": lambda kept: kept["coupling"].decouple().powers}


def catalogue_theirs(lmax, edges, loc, weights, shear, _):
    bins = nmt.NmtBin(bpws=np.repeat(np.arange(len(edges) - 1), np.diff(edges)),
                      ells=np.arange(edges[0], edges[-1]), lmax=lmax)
    return {
        "field": lambda _: nmt.NmtFieldCatalog(loc.T, weights, shear, lmax, lmax_mask=lmax, spin=2),
        "coupling": lambda kept: nmt.NmtWorkspace.from_fields(kept["field"], kept["field"], bins),
        "powers": lambda kept: kept["coupling"].decouple_cell(
            nmt.compute_coupled_cell(kept["field"], kept["field"]))}


# --- Both -----------------------------------------------------------------------------------------


def contest(what, makers, arguments, rounds, rare):
    """Rows of one problem. rare: rounds of what takes more than ten seconds."""
    best, last, seconds = {}, {}, {}
    for turn in range(rounds):
        for name, make in makers.items():
            if turn >= rare and seconds[name] > 10:
                continue
            made, last[name] = timed(make(*arguments))
            seconds[name] = sum(made.values())
            kept = best.setdefault(name, made)
            best[name] = {step: min(kept[step], made[step]) for step in made}
    for name, made in best.items():
        total = sum(made.values())
        steps = ", ".join(f"{step} {value:.3g}" for step, value in made.items())
        ratio = "" if name == "Armilla" else f"{total / sum(best['Armilla'].values()):.1f}"
        print(f"| {what} | {name} | {total:.3g} | {ratio} | {steps} |", flush=True)
    if len(last) > 1:
        ours, theirs = (last[name]["powers"] for name in last)
        apart = np.abs(ours - theirs).max() / np.abs(theirs).max()
        print(f"| | | | | powers differ by {apart:.1e} of the largest |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lmax", default="1535")
    parser.add_argument("--points", type=int, default=1000000)
    parser.add_argument("--bands", type=int, default=60)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--rare", type=int, default=1, help="repeats of what takes ten seconds")
    parser.add_argument("--only", choices=("map", "catalogue"))
    parser.add_argument("--epsilon", type=float, default=1e-5, help="of points; NaMaster's is 1e-5")
    given = parser.parse_args()
    print("| problem | | seconds | / Armilla | steps |\n|---|---|---|---|---|")
    peers = nmt is not None
    for lmax in map(int, given.lmax.split(",")):
        edges = band_edges(lmax, given.bands)
        l = np.arange(lmax + 1.0)
        if given.only != "catalogue":
            for spins in ((0, 0), (0, 2), (2, 2)):
                ncl = {0: 1, 2: 2, 4: 4}[sum(spins)]
                cl = 1 / (10 + l) ** 1.5 * np.arange(1, ncl + 1)[:, None] * (l >= max(spins))
                makers = {"Armilla": map_ours, **({"NaMaster": map_theirs} if peers else {})}
                contest(f"mask, spins {spins[0]}{spins[1]}, lmax {lmax}", makers,
                        (lmax, edges, spins, cl), given.repeat, given.rare)
        if given.only != "map":
            makers = {"Armilla": catalogue_ours,
                      **({"NaMaster": catalogue_theirs} if peers else {})}
            contest(f"{given.points} points, spin 2, lmax {lmax}", makers,
                    (lmax, edges, *catalogue(given.points), given.epsilon), given.repeat,
                    given.rare)
    print(f"largest memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GB")


if __name__ == "__main__":
    main()
