"""Neighbours and boundaries of HEALPix pixels: against healpy, and by what must hold."""
import subprocess
import sys

import numpy as np
import pytest

import armilla
import armilla.healpy as ours

ORDERS = [(nside, nest) for nside in (1, 2, 3, 4, 8, 12, 16, 1000, 2 ** 20, 2 ** 29)
          for nest in (False, True) if not nest or nside & (nside - 1) == 0]


def pixels(nside):
    """All of small maps; the first, the last and random ones of large maps."""
    npix = 12 * nside ** 2
    if nside <= 16:
        return np.arange(npix)
    some = np.random.default_rng(nside).integers(0, npix, 20000)
    return np.concatenate([np.arange(60), npix - 1 - np.arange(60), some])


@pytest.mark.parametrize("nside, nest", ORDERS)
def test_neighbours_are_those_of_healpy(nside, nest):
    hp = pytest.importorskip("healpy")
    pix = pixels(nside)
    mine = ours.get_all_neighbours(nside, pix, nest=nest)
    judge = hp.get_all_neighbours(nside, pix, nest=nest)
    assert mine.dtype == judge.dtype and mine.flags.c_contiguous
    np.testing.assert_array_equal(mine, judge)
    theta, phi = ours.pix2ang(nside, pix[:200], nest)
    for more, at in (({}, (theta, phi)),
                     ({"lonlat": True}, (np.degrees(phi), 90 - np.degrees(theta)))):
        np.testing.assert_array_equal(ours.get_all_neighbours(nside, *at, nest=nest, **more),
                                      hp.get_all_neighbours(nside, *at, nest=nest, **more))


@pytest.mark.parametrize("nside, nest", ORDERS)
@pytest.mark.parametrize("step", [1, 2, 5])
def test_boundaries_are_those_of_healpy(nside, nest, step):
    """To 2e-15: measured 1.6e-15, of which healpy's longitudes make most; ours are right to 3e-16,
    see src/grid/healpix_boundaries.c."""
    hp = pytest.importorskip("healpy")
    pix = pixels(nside)[:3000]
    mine = ours.boundaries(nside, pix, step, nest)
    judge = hp.boundaries(nside, pix, step, nest)
    assert mine.shape == judge.shape == (len(pix), 3, 4 * step) and mine.flags.c_contiguous
    np.testing.assert_allclose(mine, judge, rtol=0, atol=2e-15)


def test_shapes_are_those_of_healpy():
    hp = pytest.importorskip("healpy")
    for nside, pix in ((4, 3), (4, [3, 4]), (4, [[1, 2], [3, 4]]), (4, np.int32(3)),
                       (np.array([4, 8]), 3), ([4, 8, 4], [3, 5, 7]), (4, np.arange(3)[:0])):
        np.testing.assert_array_equal(ours.get_all_neighbours(nside, pix),
                                      hp.get_all_neighbours(nside, pix), strict=True)
    for pix in (3, [3, 4], np.arange(3)[:0]):
        assert ours.boundaries(4.0, pix, 2).shape == hp.boundaries(4.0, pix, 2).shape


WRONG = [
    (lambda: armilla.healpix.neighbours(4, [0, 192]), ValueError, r"pixels\[1\] = 192"),
    (lambda: armilla.healpix.neighbours(4, -1), ValueError, r"pixels\[0\] = -1"),
    (lambda: armilla.healpix.neighbours(4, 1.5), TypeError, "pixels: must be integers"),
    (lambda: armilla.healpix.neighbours(0, 1), ValueError, "nside = 0"),
    (lambda: armilla.healpix.neighbours(3, 1, nested=True), ValueError, "nside = 3: .*power of"),
    (lambda: armilla.healpix.neighbours(2.5, 1), TypeError, "nside = 2.5"),
    (lambda: armilla.healpix.boundaries(4, 1, 0), ValueError, "step = 0"),
    (lambda: armilla.healpix.boundaries(4, 1, -1), ValueError, "step = -1"),
    (lambda: armilla.healpix.boundaries(4, 1, 0.5), TypeError, "step = 0.5"),
    (lambda: armilla.healpix.boundaries(4, 192), ValueError, r"pixels\[0\] = 192"),
    (lambda: ours.get_all_neighbours(4, [0, 192]), ValueError, "theta: pixel .* nside = 4"),
    (lambda: ours.get_all_neighbours(4, 3.5), TypeError, "theta: .*must be integers"),
    (lambda: ours.get_all_neighbours(3, 1, nest=True), ValueError, "nside = 3"),
    (lambda: ours.get_all_neighbours(4, -1.0, 0.0), ValueError, "theta: must be 0 to pi"),
    (lambda: ours.boundaries(4, 192), ValueError, r"pix\[0\] = 192"),
    (lambda: ours.boundaries(4, [0.5]), TypeError, "pix: must be integers"),
    (lambda: ours.boundaries(4, [[1]]), ValueError, "pix: has shape"),
    (lambda: ours.boundaries(4, 1, 0), ValueError, "step = 0"),
    (lambda: ours.boundaries(3, 1, nest=True), ValueError, "nside = 3"),
]


@pytest.mark.parametrize("call, kind, text", WRONG)
def test_errors_name_the_argument(call, kind, text):
    with pytest.raises(kind, match=text):
        call()


def test_native_shapes():
    around = armilla.healpix.neighbours(8, np.arange(6, dtype=np.uint8).reshape(2, 3))
    assert around.shape == (2, 3, 8) and around.dtype == np.int64
    assert armilla.healpix.boundaries(8, np.arange(6).reshape(2, 3), 3).shape == (2, 3, 12, 3)
    strided = np.arange(768)[::3]
    np.testing.assert_array_equal(armilla.healpix.neighbours(8, strided),
                                  armilla.healpix.neighbours(8, strided.copy()))


def test_hotspots_of_any_nside():
    """One peak and one hollow, at nside that is no power of two."""
    m = np.zeros(12 * 25)
    m[100], m[200] = 1, -1
    made, minima, maxima = ours.hotspots(m)
    assert list(minima) == [200] and list(maxima) == [100]
    assert np.flatnonzero(made != ours.UNSEEN).tolist() == [100, 200]


def test_pixels_need_no_other_package():
    """Pixel functions with every package but numpy and cffi out of reach."""
    code = """
import sys
for name in ("astropy", "astropy_healpix", "healpy", "ducc0", "matplotlib", "scipy"):
    sys.modules[name] = None
import numpy as np, armilla.healpy as hp
assert hp.get_all_neighbours(3, [1, 2]).shape == (8, 2)
assert hp.boundaries(3, 1, 2).shape == (3, 8)
assert len(hp.hotspots(np.arange(48.0))) == 3
corners = hp.boundaries(4, 20)
assert 20 in hp.query_polygon(4, corners.T, inclusive=True)
assert len(hp.query_disc(4, [1, 0, 0], 0.5)) and len(hp.query_strip(4, 1, 2))
assert hp.get_interp_val(np.ones(48), 1.0, 2.0) == 1
"""
    subprocess.run([sys.executable, "-c", code], check=True)
