"""armilla.interpolate: maps of known coefficients against the values of these."""
import numpy as np
import pytest

import armilla
from helpers import random_alm, relative
from test_points import locations

LMAX = 16
EXACT = [armilla.Grid.gauss_legendre(LMAX + 1, 2 * LMAX + 1),
         armilla.Grid.equidistant("mw", LMAX + 1, 2 * LMAX + 1),
         armilla.Grid.equidistant("cc", LMAX + 2, 2 * LMAX + 2)]


def sky(grid, spin=0, lead=(), seed=1):
    """Coefficients and their map."""
    alm = random_alm(LMAX, LMAX, lead + ((2,) if spin else ()), spin, seed)
    return alm, armilla.SHT(grid, LMAX, spin=spin).synthesis(alm)


@pytest.mark.parametrize("grid", EXACT)
@pytest.mark.parametrize("spin, derivatives", [(0, 0), (0, 2), (2, 0), (2, 1)])
def test_exact_grids(grid, spin, derivatives):
    loc = locations(30)
    alm, maps = sky(grid, spin, (2, 3))
    judge = armilla.evaluate(alm, LMAX, loc, spin, derivatives=derivatives)
    keywords = {"lmax": LMAX, "derivatives": derivatives}
    made = armilla.interpolate(maps, grid, loc, spin, **keywords)
    assert made.shape == judge.shape and relative(made, judge) < 1e-12
    wide = np.zeros(made.shape[:-1] + (2 * made.shape[-1],))
    assert np.shares_memory(
        armilla.interpolate(maps[..., ::-1][..., ::-1], grid, loc, spin, out=wide[..., ::2],
                            **keywords), wide)
    np.testing.assert_array_equal(wide[..., ::2], made)
    assert not wide[..., 1::2].any()
    single = armilla.interpolate(maps.astype("f"), grid, loc, spin, **keywords)
    assert single.dtype == np.float32 and relative(single, made) < 1e-5


def test_healpix():
    grid, loc = armilla.Grid.healpix(8), locations(30)
    alm, values = sky(grid)
    judge = armilla.evaluate(alm, LMAX, loc)
    made = armilla.interpolate(values, grid, loc, lmax=LMAX, epsilon=1e-8)
    assert relative(made, judge) < 1e-8
    with pytest.warns(RuntimeWarning, match="ended early, after 2 iterations"):
        rough = armilla.interpolate(values, grid, loc, lmax=LMAX, max_iterations=2)
    assert 1e-8 < relative(rough, judge) < 0.1
    with pytest.raises(ValueError, match="lmax = -1: must be given"):
        armilla.interpolate(values, grid, loc)


@pytest.mark.parametrize("changes, error, text", [
    ({"loc": [[4, 0]]}, ValueError, "loc: theta of point 0 = 4"),
    ({"map": np.ones(4)}, ValueError, r"map: has shape \(4,\), must have \(..., 768\)"),
    ({"spin": 1}, ValueError, r"map: has shape \(768,\), must have \(..., 2, 768\)"),
    ({"epsilon": 1}, ValueError, "^epsilon = 1: must be 1e-13 to 0.1"),
    ({"derivatives": 3}, ValueError, "^derivatives = 3"),
    ({"mmax": 9}, ValueError, "mmax = 9"), ({"max_iterations": -1}, ValueError, "^max_iterations"),
    ({"map": np.ones(768) * 1j}, TypeError, "map: must be real")])
def test_wrong_calls(changes, error, text):
    keywords = {"map": np.ones(768), "grid": armilla.Grid.healpix(8), "loc": locations(5),
                "lmax": 8, **changes}
    with pytest.raises(error, match=text):
        armilla.interpolate(**keywords)
