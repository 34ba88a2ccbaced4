"""armilla.libsharp has libsharp's packed coefficients and rings: in one process, over ranks (the
cases are in mpi_libsharp.py), and under pysm3."""
import importlib.util

import mpi_start
import numpy as np
import pytest

import armilla
from armilla import libsharp

MPIRUN, WHY = mpi_start.launcher()
needs_mpi = pytest.mark.skipif(MPIRUN is None, reason=WHY)
SEVERAL = 3 if WHY == "openmpi" else 2  # MPICH's ranks never sleep
needs_pysm3 = pytest.mark.skipif(importlib.util.find_spec("pysm3") is None,
                                 reason="pysm3 is not installed")


@needs_mpi
@pytest.mark.parametrize("nranks", [1, SEVERAL])
def test_ranks_have_their_parts(nranks):
    assert mpi_start.run(nranks, "mpi_libsharp.py").count("is right") == 3


@needs_mpi
@needs_pysm3
@pytest.mark.parametrize("nranks", [1, SEVERAL])
def test_pysm3_smooths(nranks):
    assert "with_pysm3 is right" in mpi_start.run(nranks, "mpi_libsharp.py", "with_pysm3")


# --- In one process -------------------------------------------------------------------------------


def test_coefficients_are_those_of_real_harmonics():
    grid, order = libsharp.healpix_grid(8), libsharp.packed_real_order(12)
    maps = np.random.default_rng(1).standard_normal((3, 2, 768))
    alm = armilla.SHT(armilla.Grid.healpix(8), 12, spin=2).analysis(maps)
    made = libsharp.analysis(grid, order, maps, spin=2)
    np.testing.assert_allclose(made, armilla.alm.to_real(alm), rtol=0, atol=1e-14)
    assert order.local_size() == armilla.alm.real_size(12) and grid.local_size() == 768
    np.testing.assert_allclose(np.vdot(libsharp.synthesis(grid, order, made, spin=2), maps),
                               np.vdot(made, libsharp.adjoint_synthesis(grid, order, maps, spin=2)))


def test_a_part_alone_is_the_whole_with_zeros():
    grid, whole = libsharp.healpix_grid(4, rings=[2, 14, 1, 15]), libsharp.healpix_grid(4)
    order, triangle = libsharp.packed_real_order(6, ms=[3, 0]), libsharp.packed_real_order(6)
    alm = np.random.default_rng(1).standard_normal((1, 1, order.local_size()))
    full = np.zeros((1, 1, triangle.local_size()))
    full[..., :7], full[..., 29:37] = alm[..., 8:], alm[..., :8]
    assert triangle.mvstart()[3] + 2 * 3 == 29
    maps = libsharp.synthesis(whole, triangle, full)
    ring = {1: slice(0, 4), 2: slice(4, 12), 14: slice(180, 188), 15: slice(188, 192)}
    made = libsharp.synthesis(grid, order, alm)
    judge = np.concatenate([maps[..., ring[r]] for r in (2, 14, 1, 15)], -1)
    np.testing.assert_allclose(made, judge, rtol=0, atol=1e-13)


def test_orders_are_told_as_libsharp_does():
    order = libsharp.packed_real_order(4, ms=np.array([0, 2, 3], np.int32))
    assert order.mval().tolist() == [0, 2, 3]
    assert order.mvstart().tolist() == [0, 5 - 4, 5 + 6 - 6]
    assert order.local_size() == 5 + 6 + 4


def test_almxfl_multiplies_in_place():
    order = libsharp.packed_real_order(3, ms=[2, 0])  # l: 2 2 3 3, 0 1 2 3
    alm = np.ones((1, 2, 8))
    order.almxfl(alm, [[1, 10], [2, 20], [3, 30], [4, 40]])
    assert alm[0].tolist() == [[3, 3, 4, 4, 1, 2, 3, 4], [30, 30, 40, 40, 10, 20, 30, 40]]
    order.almxfl(alm, np.array([[1], [0], [0], [2]]))
    assert alm[0, 0].tolist() == [0, 0, 8, 8, 1, 0, 0, 8]
    order.almxfl(alm, [0, 0, 0, 1])
    assert alm[0, 0].tolist() == [0, 0, 8, 8, 0, 0, 0, 8]


@pytest.mark.parametrize("call, words", [
    (lambda: libsharp.healpix_grid(4, rings=[0]), "rings: must be 1 .. 15"),
    (lambda: libsharp.healpix_grid(4, rings=[3, 3]), "rings: a number is there twice"),
    (lambda: libsharp.healpix_grid(4, weights=[1]), r"weights: has shape \(1,\)"),
    (lambda: libsharp.packed_real_order(4, ms=[5]), "ms: must be 0 .. 4"),
    (lambda: libsharp.packed_real_order(-1), "lmax = -1"),
    (lambda: libsharp.packed_real_order(4, stride=2), "stride = 2"),
    (lambda: libsharp.packed_real_order(4).almxfl(np.ones((1, 1, 3)), np.ones(5)), "alm: has"),
    (lambda: libsharp.packed_real_order(4).almxfl(np.ones((1, 1, 25)), np.ones(4)), "fl: has"),
    (lambda: libsharp.sht("X", libsharp.healpix_grid(2), libsharp.packed_real_order(2), 0),
     "jobtype = 'X': must be one of Y, Yt, YtW, WY"),
    (lambda: libsharp.analysis(libsharp.healpix_grid(2), libsharp.packed_real_order(2),
                               np.ones((1, 2, 48))), "input: has shape")])
def test_wrong_values_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
