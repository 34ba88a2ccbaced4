"""Coupling matrices of bands beside ducc0's whole ones: processor seconds of one thread, in turns.

    PYTHONPATH=build/python python bench/coupling.py          # L = 2001, 3001
    PYTHONPATH=build/python python bench/coupling.py --large  # and 240 bands at L = 12001

Build ducc0 from its source (pip install --no-binary ducc0 ducc0), so that it uses all that the
machine has. Its matrices are those of its newest code, in its best form: all kinds in one call,
double precision, no approximation. What users need of them is made by bands alone here: the matrix
of bands (powers without a mask), and the windows of all degrees.
"""
import argparse
import resource
import time

import ducc0
import numpy as np

import armilla
from armilla import pseudo_cl

KINDS = {"00": (0, 0), "22": (2, 2)}


def seconds(function):
    begin = time.process_time()
    function()
    return time.process_time() - begin


def mask_spectrum(lmax):
    return 4 * np.pi * np.exp(-np.arange(2 * lmax + 1) / 30)


def theirs(lmax, kind, module):
    """Whole matrices, of one kind or of ++ and --."""
    matrices = np.empty((2 if kind == "22" else 1, lmax + 1, lmax + 1))
    module.coupling_matrix_rect_new(mask_spectrum(lmax)[np.newaxis], (4 if kind == "22" else 0,),
                                    matrices, nthreads=1)
    return matrices


def of_bands(lmax, kind, bands, windows):
    coupling = pseudo_cl.Coupling.from_masks(mask_spectrum(lmax), lmax, bands, KINDS[kind],
                                             nthreads=1)
    assert coupling.matrix.shape[-1] == bands.nbands
    if windows:
        assert coupling._mixing.windows().shape[-1] == lmax + 1


def compare(length, nbands, repeats, ducc):
    lmax = length - 1
    bands = pseudo_cl.Bands.linear(lmax, (lmax - 1) // nbands)
    jobs = {}
    for kind in KINDS:
        jobs[f"ducc0, whole matrix, {kind}"] = lambda k=kind: theirs(
            lmax, k, ducc0.misc.experimental)
        jobs[f"whole matrix, {kind}"] = lambda k=kind: theirs(lmax, k, armilla.misc.experimental)
        jobs[f"matrix of bands, {kind}"] = lambda k=kind: of_bands(lmax, k, bands, False)
        jobs[f"matrix and windows, {kind}"] = lambda k=kind: of_bands(lmax, k, bands, True)
    if not ducc:
        jobs = {name: job for name, job in jobs.items() if "whole" not in name}
    best = dict.fromkeys(jobs, np.inf)
    for _ in range(repeats):
        for name, job in jobs.items():
            best[name] = min(best[name], seconds(job))
    for name, value in best.items():
        peer = best.get(f"ducc0, whole matrix, {name[-2:]}")
        ratio = f" | {peer / value:.2f}" if peer else ""
        print(f"L = {length}, {bands.nbands} bands | {name} | {value:.3f} s{ratio}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    print(f"ducc0 {ducc0.__version__}, armilla {armilla.version()}, {armilla.info().isa}")
    compare(2001, 40, given.repeats, True)
    compare(3001, 60, given.repeats, True)
    if given.large:
        compare(12001, 240, 1, False)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"peak of the process {peak:.0f} MB")


if __name__ == "__main__":
    main()
