"""Transforms of every mres-th order in Python: against all orders, SHTns, and what is refused."""
import pickle

import numpy as np
import pytest

import armilla

LMAX, MRES = 20, 4


def coefficients(layout, seed=1):
    """Random coefficients of a layout, of all orders or of some."""
    whole = armilla.Layout(layout.lmax)
    alm = armilla.alm.random(layout.lmax, np.ones(layout.lmax + 1), seed)
    return whole.convert(alm, layout)


def test_a_sector_is_a_part_of_the_sphere():
    layout, nphi = armilla.Layout(LMAX, mres=MRES), 12
    sector = armilla.SHT(armilla.Grid.gauss_legendre(LMAX + 1, nphi), LMAX, mres=MRES)
    whole = armilla.SHT(armilla.Grid.gauss_legendre(LMAX + 1, MRES * nphi), LMAX)
    assert (layout.mmax, layout.mres, sector.mmax, sector.mres) == (5, MRES, 5, MRES)
    assert sector.alm_shape == (layout.size,) and sector.describe().mres == MRES
    alm = coefficients(layout)
    part = sector.synthesis(alm).reshape(LMAX + 1, nphi)
    all_of_it = whole.synthesis(layout.convert(alm, armilla.Layout(LMAX)))
    np.testing.assert_allclose(np.tile(part, MRES), all_of_it.reshape(LMAX + 1, -1), atol=1e-13)
    np.testing.assert_allclose(sector.analysis(part.ravel()), alm, atol=1e-13)


def test_a_layout_says_mres():
    layout = armilla.Layout(LMAX, 3, mres=MRES)
    sht = armilla.SHT(armilla.Grid.gauss_legendre(LMAX + 1, 8), LMAX, layout=layout)
    assert (sht.mmax, sht.mres) == (3, MRES)
    with pytest.raises(ValueError, match="mres = 2: differs"):
        armilla.SHT(sht.grid, LMAX, 3, layout=layout, mres=2)
    for again in (pickle.loads(pickle.dumps(layout)), pickle.loads(pickle.dumps(sht)).layout):
        assert (again.mmax, again.mres, again.size) == (3, MRES, layout.size)
    assert pickle.loads(pickle.dumps(sht)).mres == MRES
    assert "mres 4" in repr(layout)
    assert "mres 2, spin 0" in repr(armilla.SHT("F8", 8, mres=2))
    assert "real coefficients" in repr(armilla.SHT("F8", 8, form="real"))
    assert repr(armilla.SHT("F8", 8)).startswith(
        "<armilla.SHT lmax 8, mmax 8, spin 0, standard, on <armilla.Grid")


@pytest.mark.parametrize("make, words", [
    (lambda grid: armilla.SHT(grid, LMAX, mres=0), "mres = 0"),
    (lambda grid: armilla.SHT(grid, LMAX, 6, mres=MRES), "mmax mres must not be above lmax"),
    (lambda grid: armilla.Layout(LMAX, 6, mres=MRES), "mmax mres must not be above lmax"),
    (lambda grid: armilla.IQU(grid, LMAX, layout=armilla.Layout(LMAX, mres=MRES)), "mres"),
    (lambda grid: armilla.Points(LMAX, [[1, 1]], layout=armilla.Layout(LMAX, mres=MRES)), "mres"),
])
def test_refusals(make, words):
    with pytest.raises(ValueError, match=words):
        make(armilla.Grid.gauss_legendre(LMAX + 1, 12))


def test_few_pixels_warn():
    sht = armilla.SHT(armilla.Grid.gauss_legendre(LMAX + 1, 8), LMAX, mres=MRES)
    with pytest.warns(armilla.ExactnessWarning, match="mres = 4"):
        sht.analysis(np.zeros(sht.map_shape))


@pytest.mark.parametrize("mres", [1, 4])
@pytest.mark.parametrize("vector", [False, True])
def test_shtns_agrees(mres, vector):
    shtns = pytest.importorskip("shtns")
    lmax = 47
    judge = shtns.sht(lmax, lmax // mres, mres)
    judge.set_grid(64, 100 // mres // 2 * 2 + 4, shtns.sht_quick_init | shtns.SHT_PHI_CONTIGUOUS,
                   0.0)
    layout = armilla.Layout(lmax, mres=mres)
    grid = armilla.Grid.gauss_legendre(judge.nlat, judge.nphi)
    alm = coefficients(layout)
    l = judge.l.astype(float)
    if vector:
        other = coefficients(layout, 2)
        other[0] = alm[0] = 0
        sht = armilla.SHT(grid, lmax, spin=1, mres=mres)
        root = np.sqrt(l * (l + 1))
        made = sht.synthesis(np.stack([root * alm, root * other]))
        expected = np.stack(judge.synth(alm, -other)).reshape(2, -1)
    else:
        made = armilla.SHT(grid, lmax, mres=mres).synthesis(alm)
        expected = judge.synth(alm).ravel()
    np.testing.assert_allclose(made, expected, atol=1e-13 * np.abs(expected).max())
