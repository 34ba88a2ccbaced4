"""What the tests of armilla.libsharp run on several ranks: transforms of what a rank has against
those of the whole sphere, and the smoothing of pysm3.

    mpirun -n 3 python mpi_libsharp.py
"""
import sys

import numpy as np
from mpi_ranks import COMM, RANK, SIZE, fails, numbers, run_cases

import armilla
import armilla.healpy
from armilla import libsharp

NSIDE, LMAX = 8, 20
JOBS = ("Y", "Yt", "YtW", "WY")


def own_lists():
    """Rings from 1 on and orders of this rank, as pysm3 deals them."""
    north = np.arange(RANK + 1, 2 * NSIDE + 1, SIZE)
    return np.unique(np.concatenate([north, 4 * NSIDE - north])), np.arange(RANK, LMAX + 1, SIZE)


def pixels_of(rings):
    table = armilla.Grid.healpix(NSIDE).rings[np.asarray(rings) - 1]
    return np.concatenate([np.arange(n) + first
                           for n, first in zip(table["nphi"], table["offset"])])


def packed(alm, orders):
    """Coefficients (..., size) in healpy's order -> packed real ones of these orders."""
    parts = []
    for m in orders:
        first = armilla.alm.index(LMAX, m, m)
        row = alm[..., first:first + LMAX + 1 - m]
        both = np.stack([row.real, row.imag], -1).reshape(row.shape[:-1] + (-1,))
        parts.append(row.real if m == 0 else np.sqrt(2) * both)
    return np.concatenate(parts, -1)


def compare(rings, orders, spin, weights=None):
    grid = libsharp.healpix_grid(NSIDE, rings=rings, weights=weights)
    order = libsharp.packed_real_order(LMAX, ms=orders)
    alone = armilla.SHT(armilla.Grid.healpix(NSIDE), LMAX, spin=spin)
    alm = numbers((2,) + alone.alm_shape, complex).reshape(2, 2 if spin else 1, -1)
    alm[..., :LMAX + 1].imag = 0
    maps = numbers((2, alm.shape[1], 768))
    mine, my_alm = pixels_of(rings), packed(alm, orders)
    assert (grid.local_size(), order.local_size()) == (len(mine), my_alm.shape[-1])
    factors = np.ones(768)
    if weights is not None:
        for ring in range(1, 32):
            factors[pixels_of([ring])] = weights[min(ring, 32 - ring) - 1]
    for _ in range(2):  # with new plans, and with the kept ones
        shape = (2,) + alone.alm_shape
        judge = alone.synthesis(alm.reshape(shape)).reshape(maps.shape)[..., mine]
        made = libsharp.synthesis(grid, order, my_alm, spin=spin, comm=COMM)
        np.testing.assert_allclose(made, judge, rtol=0, atol=1e-12)
        made = libsharp.adjoint_analysis(grid, order, my_alm, spin=spin, comm=COMM)
        judge = judge * 4 * np.pi / 768 * factors[mine]
        np.testing.assert_allclose(made, judge, rtol=0, atol=1e-12)
        shape = (2,) + alone.map_shape
        judge = packed(alone.adjoint_synthesis(maps.reshape(shape)).reshape(alm.shape), orders)
        made = libsharp.adjoint_synthesis(grid, order, maps[..., mine], spin=spin, comm=COMM)
        np.testing.assert_allclose(made, judge, rtol=0, atol=1e-10)
        judge = packed(alone.analysis((maps * factors).reshape(shape)).reshape(alm.shape), orders)
        made = libsharp.analysis(grid, order, maps[..., mine], spin=spin, comm=COMM)
        np.testing.assert_allclose(made, judge, rtol=0, atol=1e-12)


def case_transforms():
    rings, orders = own_lists()
    compare(rings, orders, 0)
    compare(rings, orders, 2)
    compare(rings[::-1], orders[::-1], 2, weights=np.linspace(0.9, 1.1, 2 * NSIDE))
    apart = list(range(1 + RANK, 4 * NSIDE, SIZE))  # a ring and its mirror image on two ranks
    compare(apart, orders, 0)
    compare(apart, orders[::-1], 2, weights=np.linspace(0.9, 1.1, 2 * NSIDE))


def case_empty_ranks():
    """All rings on the first rank, all orders on the last one."""
    grid = libsharp.healpix_grid(NSIDE, rings=range(1, 32) if RANK == 0 else [])
    order = libsharp.packed_real_order(LMAX, ms=range(LMAX + 1) if RANK == SIZE - 1 else [])
    alm = np.ones((1, 1, order.local_size()))
    order.almxfl(alm, np.sqrt(4 * np.pi) * (np.arange(LMAX + 1) == 0))
    maps = libsharp.synthesis(grid, order, alm, comm=COMM)
    np.testing.assert_allclose(maps, np.ones((1, 1, grid.local_size())))
    back = libsharp.analysis(grid, order, maps, comm=COMM)
    assert RANK < SIZE - 1 or abs(back[0, 0, 0] - alm[0, 0, 0]) < 1e-12


def case_errors():
    rings, orders = own_lists()
    grid = libsharp.healpix_grid(NSIDE, rings=rings)
    order = libsharp.packed_real_order(LMAX, ms=orders)
    short = np.ones((1, 1, grid.local_size() - (RANK == SIZE - 1)))
    fails(ValueError, "input: has shape", lambda: libsharp.analysis(grid, order, short, comm=COMM))
    fails(TypeError, "comm: must be", lambda: libsharp.analysis(grid, order, short, comm=3))
    if SIZE > 1:
        full = libsharp.healpix_grid(NSIDE)
        fails(ValueError, "rings: ranks 0 and 1 both give 0 (the first ring is 0 here)",
              lambda: libsharp.analysis(full, order, np.ones((1, 1, 768)), comm=COMM))


def with_pysm3():
    """pysm3 as it is, which imports libsharp."""
    sys.modules["libsharp"] = libsharp
    import pysm3
    import pysm3.units as u

    assert pysm3.mpi.libsharp is libsharp
    maps = np.random.default_rng(1).standard_normal((3, 12 * 32 ** 2))
    place = pysm3.MapDistribution(mpi_comm=COMM, nside=32, smoothing_lmax=64)
    assert COMM.allreduce(len(place.pixel_indices)) == maps.shape[1]
    judge = armilla.healpy.smoothing(maps, np.radians(5), lmax=64, iter=0)[:, place.pixel_indices]
    made = pysm3.mpi_smoothing(maps[:, place.pixel_indices], 5 * u.deg, map_dist=place)
    np.testing.assert_allclose(made, judge, rtol=0, atol=1e-12)
    made = pysm3.mpi_smoothing(maps[0, place.pixel_indices], 5 * u.deg, map_dist=place)
    np.testing.assert_allclose(made[0], judge[0], rtol=0, atol=1e-12)
    whole = pysm3.mpi.assemble_map_on_rank0(COMM, made, place.pixel_indices, 1, maps.shape[1])
    assert (whole is None) == (RANK > 0)


if __name__ == "__main__":
    run_cases(globals())
