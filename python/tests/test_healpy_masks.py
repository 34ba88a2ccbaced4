"""Masks of armilla.healpy: distances to holes, small holes, galactic cuts."""
import numpy as np
import pytest

import armilla.healpy as ours
from armilla.healpy import _masktools

hp = pytest.importorskip("healpy", reason="healpy is not installed: nothing to compare with")


def area(pixels, nside):
    """Square arcminutes of so many pixels."""
    return pixels * hp.nside2pixarea(nside) * (180 * 60 / np.pi) ** 2


def masks(nside):
    rng = np.random.default_rng(nside)
    npix = 12 * nside ** 2
    yield rng.random(npix) < 0.02
    yield rng.integers(0, 2, npix)
    discs = np.zeros(npix, bool)
    discs[hp.query_disc(nside, [0.1, 0.2, 0.9], 0.3)] = True
    discs[hp.query_disc(nside, [0.1, 0.2, -0.9], 0.1)] = True
    yield discs


@pytest.mark.parametrize("nside", [1, 2, 8, 32])
def test_distances_and_holes(nside):
    for mask in masks(nside):
        for size, surface, maxdist in ((None, None, np.pi), (None, None, 0.2), (3, None, np.pi),
                                       (None, area(3.5, nside), 1), (4, area(2.5, nside), np.pi),
                                       (2, area(4.5, nside), np.pi)):
            mine, judge = (h.dist2holes(mask, maxdist, size, surface) for h in (ours, hp))
            np.testing.assert_allclose(mine, judge, atol=1e-12)
            mine, judge = (tools.fill_small_holes(mask, size, surface)
                           for tools in (_masktools, hp._masktools))
            np.testing.assert_array_equal(mine, judge)
            assert mine.dtype == judge.dtype


@pytest.mark.parametrize("nside", [64, 128])
def test_distance_to_one_pixel(nside):
    """healpy 1.20 is off by up to 0.1 here."""
    mask = np.zeros(12 * nside ** 2, bool)
    pixel = 12345
    mask[pixel] = True
    judge = hp.rotator.angdist(hp.pix2vec(nside, pixel), hp.pix2vec(nside, np.arange(mask.size)))
    np.testing.assert_allclose(ours.dist2holes(mask), judge, atol=1e-7)


def test_no_holes_and_nothing_else():
    assert np.all(ours.dist2holes(np.zeros(48)) == np.pi) and not ours.dist2holes(np.ones(48)).any()
    assert np.all(ours.dist2holes(np.zeros(48), 0.5) == 0.5)
    mask = np.arange(48) == 7
    filled = _masktools.fill_small_holes(mask, 2)
    assert not filled.any() and mask.any()
    hidden = np.ma.array(np.zeros(48), mask=mask)
    assert np.array_equal(ours.dist2holes(hidden), ours.dist2holes(mask))
    for args, more, text in (((np.zeros(47),), {}, "47 pixels"), ((mask,), {"hole_min_size": -1},
                             "hole_min_size = -1"), ((mask,), {"hole_min_size": 1.5}, "integer"),
                             ((mask,), {"hole_min_surf_arcmin2": -1}, "hole_min_surf_arcmin2 = -1"),
                             ((np.zeros((2, 48)),), {}, "shape")):
        with pytest.raises(ValueError, match=text):
            ours.dist2holes(*args, **more)


@pytest.mark.parametrize("nside", [2, 8, 32])
def test_galactic_cut_of_rings_at_its_limit(nside):
    """Of the rings at latitudes of 30 and -30 degrees rounding leaves one out, as in healpy."""
    rings = np.arange(1, 4 * nside)
    for cut in (30, 29.9, 30.1, 60):
        m = np.repeat(1.0 + rings, hp.ringinfo(nside, rings)[1])
        mine, judge = (h.map2alm(m, lmax=2, iter=0, gal_cut=cut) for h in (ours, hp))
        np.testing.assert_allclose(mine, judge, atol=1e-10)
