"""Pixel windows and pixel weights of armilla.healpy, which are computed, and what uses them."""
from math import comb

import numpy as np
import pytest

import armilla.healpy as ours
from helpers import relative

hp = pytest.importorskip("healpy", reason="healpy is not installed: nothing to compare with")


# --- Pixel windows --------------------------------------------------------------------------------


def frames(centre, n):
    """Unit vectors south and east of the centre (3,), carried to directions n (3, k)."""
    east = np.cross([0, 0, 1], centre)
    east /= np.linalg.norm(east)
    for axis in (np.cross(east, centre), east):
        yield axis[:, None] - (axis @ n) / (1 + centre @ n) * (centre[:, None] + n)


def jacobi(l, u):
    """d^l_22 of u = sin^2(gamma / 2), by its finite sum."""
    return (1 - u) ** 2 * sum(comb(l - 2, k) * comb(l + 2 + k, k) * (-u) ** k
                              for k in range(l - 1))


def squares(nside, parts, lmax):
    """Squares of the windows, (2, lmax + 1), each pixel given by centres of parts^2 small ones."""
    small = np.arange(12 * (nside * parts) ** 2)
    points = np.array(hp.pix2vec(nside * parts, small, nest=True)).reshape(3, -1, parts ** 2)
    made = np.zeros((2, lmax + 1))
    for pixel in range(12 * nside ** 2):
        n = points[:, pixel]
        u = np.maximum((1 - n.T @ n) / 2, 0)
        south, east = frames(np.array(hp.pix2vec(nside, pixel, nest=True)), n)
        # angles of the great circle between two points, in the frames at both
        here = np.arctan2(east.T @ n, south.T @ n)
        there = np.arctan2(-(n.T @ east), -(n.T @ south))
        turn = np.where(u > 1e-12, np.cos(2 * (here - there)), 1)
        for l in range(lmax + 1):
            made[0, l] += np.polynomial.legendre.legval(1 - 2 * u, np.eye(l + 1)[l]).mean()
            if l >= 2:
                made[1, l] += (jacobi(l, u) * turn).mean()
    return made / (12 * nside ** 2)


@pytest.mark.parametrize("nside", [1, 2, 4])
def test_window_is_that_of_many_small_pixels(nside):
    lmax = min(3 * nside, 6)
    two, four, eight = (squares(nside, parts, lmax) for parts in (2, 4, 8))
    limit = (4 * (4 * eight - four) - (4 * four - two) / 4) / 11.25  # without h^2 and h^4
    window = np.array(ours.pixwin(nside, True, lmax))
    np.testing.assert_allclose(window ** 2, limit, atol=2e-4 / nside ** 2)
    assert np.abs(eight - limit).max() > 2e-3 / nside ** 2  # the bound is not a wide one


def squares_of_some(nside, parts, degrees, count=600):
    """Squares of the window of temperature, where pixels are so small that P_l is a Bessel function
    to 1e-9: of the pixels along a spiral over the sky, each given by centres of parts^2 small ones.
    """
    bessel = pytest.importorskip("scipy.special").j0
    k = np.arange(count) + 0.5
    pixels = hp.ang2pix(nside, np.arccos(1 - 2 * k / count), np.pi * (1 + 5 ** 0.5) * k, nest=True)
    made = np.zeros(len(degrees))
    for some in np.split(pixels, 12):
        small = some[:, None] * parts ** 2 + np.arange(parts ** 2)
        points = np.stack(hp.pix2vec(nside * parts, small, nest=True), -1)
        apart = np.linalg.norm(points[:, :, None] - points[:, None], axis=-1)
        angles = 2 * np.arcsin(apart / 2)
        made += [bessel((l + 0.5) * angles).mean() for l in degrees]
    return made / 12


@pytest.mark.parametrize("nside, most", [(16384, 4), (32768, 1)])
def test_windows_of_the_finest_maps_are_direct_sums(nside, most):
    degrees = np.array([2, *range(nside, most * nside + 1, nside)])
    two, four, eight = (squares_of_some(nside, parts, degrees) for parts in (2, 4, 8))
    limit = (4 * (4 * eight - four) - (4 * four - two) / 4) / 11.25  # without h^2 and h^4
    window = np.array(ours.pixwin(nside, True, most * nside))[:, degrees]
    np.testing.assert_allclose(window[0] ** 2, limit, atol=6e-5)
    np.testing.assert_allclose(window[1], window[0], rtol=1e-8)
    assert np.abs(eight - limit).max() > 1e-3  # the bound is not a wide one


def test_windows_of_all_resolutions():
    before = None
    for nside in 4 ** np.arange(1, 6):
        t, p = ours.pixwin(nside, pol=True, lmax=4 * nside)
        assert t.shape == p.shape == (4 * nside + 1,) and t[0] == pytest.approx(1, abs=1e-13)
        assert np.all(np.diff(t) < 0) and np.all(p[:2] == 0) and np.all(np.diff(p[2:]) < 0)
        now = t[nside::nside]
        assert before is None or np.abs(now - before).max() < 0.6 / nside
        before = now
    assert np.array_equal(ours.pixwin(16), ours.pixwin(16, lmax=100)[:48])
    assert len(ours.pixwin(16)) == 48 and len(ours.pixwin(16, lmax=100)) == 65


def test_pixwin_of_transforms(monkeypatch):
    """healpy's code with our windows: its own would be downloaded."""
    monkeypatch.setattr(hp.sphtfunc, "pixwin", ours.pixwin)
    rng = np.random.default_rng(1)
    alm = np.array([hp.synalm(np.ones(24)) for _ in range(3)])
    alm[1:, hp.Alm.getlm(23)[0] < 2] = 0
    m = rng.standard_normal((3, 768))
    none = {"use_pixel_weights": False}
    for name, args, more in (
            ("alm2map", (alm[0], 8), {}), ("alm2map", (alm, 8), {"fwhm": 0.1}),
            ("alm2map", (alm, 8), {"pol": False}), ("harmonic_ud_grade", (m, 4), none),
            ("harmonic_ud_grade", (m[0], 4), none),
            ("harmonic_ud_grade", (alm, 4), {"nside_in": 16, "input_type": "alm"})):
        mine, judge, without = (getattr(h, name)(*args, pixwin=on, **more) for h, on in (
            (ours, True), (hp, True), (ours, False)))
        assert relative(mine, judge) < 1e-11 < 1e-3 < relative(mine, without), (name, more)
    made = []
    for h in (ours, hp):
        np.random.seed(3)
        made.append(h.synfast(np.ones((4, 24)), 8, pixwin=True, alm=True, new=True, fwhm=0.05))
    for a, b in zip(*made):
        assert relative(a, b) < 1e-11
    beyond = (h.alm2map(alm[0], 4, pixwin=True) for h in (ours, hp))  # 0 above 3 nside - 1
    assert relative(*beyond) < 1e-11


def test_a_window_that_ends_leaves_nothing():
    """Where the beam of a map is 0, the result is 0, not infinite."""
    beam = np.ones(24)
    beam[5:] = 0
    m = np.random.default_rng(1).standard_normal(768)
    made = ours.harmonic_ud_grade(m, 8, beam_window_in=beam, pixwin=False)
    alm = ours.map2alm(m, lmax=23, use_pixel_weights=True)
    assert relative(made, ours.alm2map(ours.almxfl(alm, beam), 8)) < 1e-12
    with pytest.warns(UserWarning, match="datapath: is ignored"):
        ours.harmonic_ud_grade(alm, 4, nside_in=8, input_type="alm", datapath="here")


# --- Pixel weights --------------------------------------------------------------------------------


def weights_of(nside):
    """Relative weights (npix,), from what they do to a map of a single pixel each."""
    from armilla.healpy.weights import weights
    return weights(nside, False, True, None).factors


def test_pixel_weights_are_least_and_exact():
    nside, lmax = 8, 22
    made = weights_of(nside) - 1
    columns = []
    for i in range(hp.Alm.getsize(lmax)):
        for unit in (1, 1j):
            alm = np.zeros(hp.Alm.getsize(lmax), complex)
            alm[i] = unit
            columns.append(hp.alm2map(alm, nside))
    y = np.array(columns)
    wrong = -y.sum(axis=1)
    wrong[0] += 768 * y[0, 0]
    least = np.linalg.lstsq(y, wrong, rcond=1e-12)[0]
    np.testing.assert_allclose(made, least, atol=1e-6)


@pytest.mark.parametrize("nside", [1, 2, 4, 16, 32])
def test_pixel_weights_integrate(nside):
    lmax = 3 * nside - (2 if 1 < nside < 16 else 0)
    w = weights_of(nside)
    assert np.all(w > 0)
    alm, plain = (hp.map2alm(m, lmax, iter=0) for m in (w, np.ones_like(w)))
    alm[0], plain[0] = alm[0] - np.sqrt(4 * np.pi), 0
    assert np.abs(alm).max() < 1e-6 < 1e-3 < np.abs(plain).max()


def test_pixel_weights_make_analysis_exact():
    """What they are for: no iterations up to l = 1.5 nside."""
    rng = np.random.default_rng(1)
    lmax = 24
    alm = rng.standard_normal((3, hp.Alm.getsize(lmax))) + 0j
    alm[1:, hp.Alm.getlm(lmax)[0] < 2] = 0
    m = ours.alm2map(alm, 16)
    assert relative(ours.map2alm(m, lmax, use_pixel_weights=True), alm) < 1e-6
    assert relative(ours.map2alm(m, lmax, iter=0), alm) > 1e-4
    rotator = ours.Rotator(rot=(10, 20, 30))
    turned = ours.alm2map(rotator.rotate_alm(alm), 16)
    assert relative(np.asarray(rotator.rotate_map_alms(m, lmax=lmax)), turned) < 1e-6
    window_in, window = (ours.pixwin(n, True, 24) for n in (16, 8))
    sharp = np.array([ours.almxfl(row, window[k] / np.where(window_in[k] > 0, window_in[k], 1))
                      for row, k in zip(alm, (0, 1, 1))])
    made = ours.harmonic_ud_grade(m, 8, lmax=23)
    sharp = np.array(ours.resize_alm(sharp, 24, 24, 23, 23))
    assert relative(made, ours.alm2map(sharp, 8)) < 1e-6


def test_what_has_no_weights_says_so():
    with pytest.raises(ValueError, match="datapath must be .*computed up to nside = 128"):
        ours.map2alm(np.ones(12 * 256 ** 2), use_pixel_weights=True)
