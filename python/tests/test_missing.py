"""NaN and UNSEEN in maps: errors by default, numbers where they are to propagate."""
import numpy as np
import pytest

import armilla
from armilla import IQU, SHT, Grid, Kernel, Radial

UNSEEN = -1.6375e30
GRID = Grid.healpix(8)
CALLS = {
    "analysis": lambda m, **how: SHT(GRID, 9).analysis(m, **how),
    "adjoint_synthesis": lambda m, **how: SHT(GRID, 9).adjoint_synthesis(m, **how),
    "pseudo_analysis": lambda m, **how: SHT(GRID, 9).pseudo_analysis(m, **how)[0],
    "polarised": lambda m, **how: IQU(GRID, 9).analysis(np.stack([m, m, m]), **how),
    "convolve": lambda m, **how: Radial(GRID, Kernel.gaussian(.3)).convolve(m, **how),
    "adjoint": lambda m, **how: Radial(GRID, Kernel.gaussian(.3)).adjoint(m, **how),
    "interpolate": lambda m, **how: armilla.interpolate(m, GRID, [[1., 2.]], lmax=9, **how),
}


@pytest.mark.parametrize("value", [np.nan, np.inf, UNSEEN])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", CALLS)
def test_missing_values_are_errors_with_count_and_index(name, dtype, value):
    values = np.ones(768, dtype)
    values[[17, 40]] = value
    words = r"^map\[17\] = .*: is missing, one of [26] values .*'propagate'"
    with pytest.raises(ValueError, match=words):
        CALLS[name](values)


@pytest.mark.parametrize("name", CALLS)
def test_missing_values_propagate_where_they_are_to(name):
    values = np.ones(768)
    values[17] = UNSEEN
    assert np.abs(CALLS[name](values, missing="propagate")).max() > 1e25


@pytest.mark.parametrize("name", CALLS)
def test_other_words_are_refused(name):
    with pytest.raises(ValueError, match="missing = 'skip': must be one of error, propagate"):
        CALLS[name](np.ones(768), missing="skip")


def test_masked_pixels_may_hold_anything():
    values, mask = np.ones(768), np.ones(768)
    values[17], values[18], mask[17:19] = UNSEEN, np.nan, 0
    alm, _ = SHT(GRID, 4).pseudo_analysis(values, mask=mask)
    assert np.allclose(alm, np.eye(1, 15) * np.sqrt(4 * np.pi), atol=1e-8)
    radial = Radial(GRID, Kernel.gaussian(.3))
    assert np.allclose(radial.convolve(values, weights=mask), 1)


@pytest.mark.parametrize("shape", [(3, 768), (2, 3, 768)])
def test_places_are_those_of_the_caller(shape):
    values = np.ones(shape)
    values[..., -1, 700] = np.nan
    first = 700 + 768 * 2
    with pytest.raises(ValueError, match=rf"map\[{first}\] .*\(pixel 700 of component 2\)"):
        SHT(GRID, 9).analysis(values)


def test_interfaces_of_others_propagate():
    import armilla.healpy as healpy
    import armilla.sht as sht
    values = np.full(768, np.nan)
    rings = {"theta": GRID.rings["theta"], "phi0": GRID.rings["phi0"],
             "nphi": GRID.rings["nphi"].astype(np.uint64),
             "ringstart": GRID.rings["offset"].astype(np.uint64)}
    alm = sht.adjoint_synthesis(map=values[None], lmax=4, spin=0, **rings)
    assert np.isnan(alm).any()
    seen = np.ones(768)
    seen[5] = UNSEEN  # left out, as healpy does
    assert np.abs(healpy.map2alm(seen, 4)).max() < 4
