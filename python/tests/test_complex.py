"""Transforms of complex fields in Python: against real transforms, pyssht, and what is refused."""
import pickle

import numpy as np
import pytest

import armilla

L = 17
GRID = armilla.Grid.equidistant("MW", L, 2 * L - 1)


def random_flm(spin=0, *lead):
    """Random coefficients, 0 below the spin."""
    rng = np.random.default_rng(4)
    flm = rng.standard_normal(lead + (L * L,)) + 1j * rng.standard_normal(lead + (L * L,))
    flm[..., :spin * spin] = 0
    return flm


@pytest.mark.parametrize("spin", [-2, 0, 1, 3])
def test_round_trips_and_adjoints(spin):
    sht = armilla.ComplexSHT(GRID, L - 1, spin=spin)
    flm = random_flm(abs(spin), 2)
    sky = sht.synthesis(flm)
    assert sky.shape == (2,) + sht.map_shape and sky.dtype == np.complex128
    np.testing.assert_allclose(sht.analysis(sky), flm, atol=1e-13)
    back = sht.adjoint_synthesis(sky)
    np.testing.assert_allclose(np.vdot(flm, back), np.vdot(sky, sky), rtol=1e-13)
    np.testing.assert_allclose(np.vdot(sky, sht.adjoint_analysis(flm)), np.vdot(flm, flm),
                               rtol=1e-13)
    few = sht.analysis(sht.synthesis(flm.astype(np.complex64)))
    assert few.dtype == np.complex64
    np.testing.assert_allclose(few, flm, atol=1e-5)


def test_out_and_strides():
    sht = armilla.ComplexSHT(GRID, L - 1)
    flm = random_flm(0, 3)
    expected = sht.synthesis(flm)
    out = np.empty((3, GRID.npix + 4), complex)[:, 2:-2]
    assert sht.synthesis(flm, out=out) is out
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(sht.synthesis(np.asfortranarray(flm)), expected)
    with pytest.raises(ValueError, match="alm: has shape"):
        sht.synthesis(flm[:, 1:])
    sky = expected[0].copy()
    sky[5] = np.nan
    with pytest.raises(ValueError, match="missing|NaN|nan"):
        sht.analysis(sky)
    assert np.isnan(sht.analysis(sky, missing="propagate")).any()


def test_missing_numbers_are_named_as_numpy_counts_them():
    sht = armilla.ComplexSHT("gl:5x9", 4)
    maps = np.ones((2, 45), np.complex128)
    maps[1, 7] = complex(0, np.inf)
    with pytest.raises(ValueError, match=r"map\[52\]: its imaginary part inf .* transform 1 "):
        sht.analysis(maps)
    maps[0, 3] = np.nan
    with pytest.raises(ValueError, match=r"map\[3\]: its real part nan .*missing = 'propagate'"):
        sht.adjoint_synthesis(maps)
    assert np.isnan(sht.analysis(maps[0], missing="propagate")).any()


def test_a_plan_is_what_it_was():
    sht = armilla.ComplexSHT(GRID, L - 1, 5, spin=1)
    again = pickle.loads(pickle.dumps(sht))
    assert (again.lmax, again.mmax, again.spin, repr(again)) == (L - 1, 5, 1, repr(sht))
    told = sht.describe()
    assert (told.alm_size, told.npix, told.mmax) == (L * L, GRID.npix, 5)
    assert sht.explain() and sht.alm_shape == (L * L,) and sht.grid is GRID
    with pytest.raises(ValueError, match="spin"):
        armilla.ComplexSHT(GRID, L - 1, spin=L)
    with pytest.raises(TypeError, match="grid"):
        armilla.ComplexSHT(8, L - 1)
    with pytest.warns(armilla.ExactnessWarning):
        armilla.ComplexSHT(GRID, L, spin=1).analysis(np.zeros(GRID.npix))


@pytest.mark.parametrize("spin", [-3, -1, 0, 1, 2])
def test_pyssht_agrees(spin):
    pyssht = pytest.importorskip("pyssht")
    sht, flm = armilla.ComplexSHT(GRID, L - 1, spin=spin), random_flm(abs(spin))
    sky = pyssht.inverse(flm, L, Method="MW", Spin=spin)
    np.testing.assert_allclose(sht.synthesis(flm), sky.ravel(), atol=3e-14 * np.abs(sky).max())
    mine = sht.analysis(sky.ravel())
    np.testing.assert_allclose(mine, pyssht.forward(sky, L, Method="MW", Spin=spin),
                               atol=3e-14 * np.abs(flm).max())
