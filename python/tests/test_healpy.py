"""armilla.healpy against healpy, over the space of arguments.

healpy ends the process on some arguments (spin > lmax, missing pixels beside -1.6375e30) and its
synalm writes past its arrays where lmax exceeds the spectra: such are only given to Armilla.
"""
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armilla.healpy as ours
from healpy_judge import BOUND, agree, many
from helpers import relative, rms

hp = pytest.importorskip("healpy", reason="healpy is not installed: nothing to compare with")
@st.composite
def skies(draw):
    """Maps: shape, type, missing pixels; and nside."""
    nside = draw(st.sampled_from([2, 3, 4, 8]))
    n = draw(st.sampled_from([None, None, 3, 2]))
    rng = np.random.default_rng(draw(st.integers(0, 2 ** 32 - 1)))
    m = rng.standard_normal((n or 1, 12 * nside ** 2))
    if draw(st.booleans()):
        m[rng.random(m.shape) < 0.1] = hp.UNSEEN
    m = m[0] if n is None else m
    return draw(st.sampled_from([m, m, m.astype(np.float32)])), nside


@st.composite
def analyses(draw, nside, n):
    more = {"pol": n == 3 and draw(st.booleans())}
    if draw(st.booleans()):
        more["lmax"] = draw(st.integers(2, 4 * nside))
        if draw(st.booleans()):
            more["mmax"] = draw(st.integers(0, more["lmax"]))
    more["iter"] = draw(st.sampled_from([0, 1, 3]))
    return more


@many
@given(st.data())
def test_analysis_spectra_and_smoothing(data):
    m, nside = data.draw(skies())
    more = data.draw(analyses(nside, m.shape[0] if m.ndim == 2 else 1))
    cut = {"gal_cut": data.draw(st.sampled_from([0, 0, 20.0]))}
    agree("map2alm", m, **more, **cut)
    agree("anafast", m, **more, **cut)
    beam = data.draw(st.sampled_from([{"fwhm": 0.3}, {"fwhm": 3, "sigma": 0.1}, {},
                                      {"beam_window": np.linspace(1, 0, 7)}]))
    if "mmax" not in more or "lmax" in more:
        agree("smoothing", m, **beam, **more)
        masked = ours.smoothing(ours.ma(m), **beam, **more)
        judge = hp.smoothing(hp.ma(m), **beam, **more)
        assert relative(masked.filled(0), judge.filled(0)) <= BOUND
        np.testing.assert_array_equal(masked.mask, judge.mask)


@many
@given(st.data())
def test_synthesis(data):
    nside, lmax = data.draw(st.sampled_from([1, 2, 3, 8])), data.draw(st.integers(2, 30))
    mmax = data.draw(st.integers(1, lmax))  # some of healpy's functions take 0 for None
    n = data.draw(st.sampled_from([None, 3]))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    shape = (n or 1, ours.Alm.getsize(lmax, mmax))
    alm = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
    alm = alm[0] if n is None else alm
    pol = data.draw(st.booleans())
    beam = data.draw(st.sampled_from([{}, {"fwhm": 0.1}])) if lmax == mmax else {}
    agree("alm2map", alm, nside, lmax, mmax, pol=pol, **beam)
    agree("alm2cl", alm, lmax=lmax, mmax=mmax)
    if n is None:
        agree("alm2map_der1", alm, nside, lmax, mmax)
        agree("almxfl", alm, np.linspace(2, 0, 9), mmax)
        agree("resize_alm", alm, lmax, mmax, 12, 7)
    else:
        for spin in (0, 1, 2):
            pair = alm[:2]
            mine = ours.alm2map_spin(list(pair), nside, spin, lmax, mmax)
            judge = hp.alm2map_spin(list(pair), nside, spin, lmax, mmax)
            assert relative(np.array(mine), np.array(judge)) <= BOUND
            mine, judge = (np.array(h.map2alm_spin(judge, spin, lmax, mmax)) for h in (ours, hp))
            assert relative(mine, judge) <= BOUND
        agree("smoothalm", alm, sigma=0.2, mmax=mmax, pol=pol, inplace=False)


@pytest.mark.parametrize("count", [1, 3, 4, 6])
@pytest.mark.parametrize("new", [False, True])
def test_random_numbers_are_those_of_healpy(count, new):
    cl = 1 / (np.arange(30) + 1.0) ** 2
    autos = {1: [0], 3: [0, 1] if new else [0, 2], 4: [0, 1, 2] if new else [0, 2, 3],
             6: [0, 1, 2] if new else [0, 3, 5]}[count]
    cls = [cl if i in autos else 0.2 * cl for i in range(count)]
    for nside, lmax in ((4, None), (8, 12)):
        made = []
        for h in (ours, hp):
            np.random.seed(7)
            made.append((h.synalm(cls if count > 1 else cl, lmax, new=new),
                         h.synfast(cls if count > 1 else cl, nside, lmax, new=new,
                                   pol=count != 3, fwhm=0.1)))
        for mine, judge in zip(*made):
            assert relative(mine, judge) <= BOUND


@many
@given(st.data())
def test_spectra_of_no_fields_give_the_numbers_of_healpy_and_a_warning(data):
    """A pivot that is not positive counts as 0, and so does its column."""
    n = data.draw(st.integers(1, 4))
    rng = np.random.default_rng(data.draw(st.integers(0, 2 ** 32 - 1)))
    lmax = data.draw(st.integers(0, 9))
    cls = list(rng.standard_normal((n * (n + 1) // 2, lmax + 1)))
    cls[0][0] = data.draw(st.sampled_from([-1.0, 0.0, -0.0]))
    if n > 1 and data.draw(st.booleans()):
        cls[data.draw(st.integers(1, len(cls) - 1))] = None
    cls[0][lmax] = -1  # no matrix is: there is always a warning
    new = data.draw(st.booleans())
    made = []
    for h in (ours, hp):
        np.random.seed(3)
        given_cls = cls if n > 1 else cls[0]
        if h is ours:
            with pytest.warns(UserWarning, match="not positive semidefinite"):
                made.append(h.synalm(given_cls, new=new))
        else:
            made.append(h.synalm(given_cls, new=new))
    np.testing.assert_allclose(made[0], made[1], rtol=1e-12, atol=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours.synalm([np.ones(3), np.ones(3), np.ones(3)])  # singular is not wrong


@many
@given(st.data())
def test_harmonic_ud_grade(data):
    """With an alm, a beam and mmax < lmax healpy 1.20 multiplies the wrong coefficients."""
    m, nside = data.draw(skies())
    n = m.shape[0] if m.ndim == 2 else 1
    pol = n == 3 and data.draw(st.booleans())
    window = np.stack([np.linspace(1, 0.5, 50), np.linspace(1, 0.4, 50)], axis=1)
    more = data.draw(st.sampled_from([
        {}, {"fwhm_in": 0.1, "fwhm_out": 0.3}, {"fwhm_out": None}, {"iter": 1},
        {"beam_window_in": window if pol else window[:, 0], "fwhm_out": 0.2},
        {"beam_window_out": window}, {"dtype": np.float32}]))
    if data.draw(st.booleans()):
        more = {**more, "lmax": data.draw(st.integers(4, 3 * nside - 1))}
    arguments = dict(pol=pol, pixwin=False, use_pixel_weights=False, **more)
    bound = 1e-6 if "dtype" in more else BOUND
    agree("harmonic_ud_grade", m, data.draw(st.sampled_from([2, 4, 16])), bound=bound, **arguments)
    if n != 2:
        alm = hp.map2alm(m, lmax=7, pol=pol)
        agree("harmonic_ud_grade", alm, 4, nside, input_type="alm", bound=bound, **arguments)


@many
@given(st.data())
def test_hotspots(data):
    """healpy's map is not set where pixels are missing."""
    nside = data.draw(st.sampled_from([1, 2, 4, 16]))
    m = np.random.default_rng(data.draw(st.integers(0, 99))).standard_normal(12 * nside ** 2)
    m[3:data.draw(st.integers(3, 8))] = hp.UNSEEN
    mine, judge = ours.hotspots(m), hp.hotspots(m)
    judge[0][m == hp.UNSEEN] = hp.UNSEEN
    for a, b in zip(mine, judge):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
    assert not any(len(pixels) for pixels in ours.hotspots(np.ones(192))[1:])


def test_least_squares():
    m = np.random.default_rng(1).standard_normal((3, 192))
    mine, judge = (h.map2alm_lsq(m, 6, 6, tol=1e-13, maxiter=100) for h in (ours, hp))
    assert relative(mine[0], judge[0]) <= 1e-10 and abs(mine[1] - judge[1]) <= 1e-11


def test_ring_weights():
    """Healpy reads files with other weights; ours are as good."""
    alm = hp.map2alm(np.random.default_rng(1).standard_normal(12 * 32 ** 2), lmax=48)
    m = hp.alm2map(alm, 32)
    mine, judge = (rms(h.map2alm(m, 48, iter=0, use_weights=True) - alm) for h in (ours, hp))
    assert mine <= 1.1 * judge


@many
@given(st.data())
def test_beams_and_rotations(data):
    fwhm, lmax = data.draw(st.floats(0.01, 1)), data.draw(st.integers(2, 60))
    for pol in (False, True):
        agree("gauss_beam", fwhm, lmax, pol)
        agree("blm_gauss", fwhm, lmax, pol)
    theta = np.linspace(0, 4 * fwhm, 200)
    agree("beam2bl", np.exp(-theta ** 2 / fwhm ** 2), theta, lmax)
    agree("bl2beam", ours.gauss_beam(fwhm, lmax), theta)
    more = {"rot": data.draw(st.tuples(*[st.floats(-180, 180)] * 3)),
            "coord": data.draw(st.sampled_from([None, "G", "GC", ["C", "E"]])),
            "inv": data.draw(st.booleans()), "eulertype": data.draw(st.sampled_from(["ZYX", "X"]))}
    mine, judge = ours.Rotator(**more), hp.Rotator(**more)
    np.testing.assert_allclose(mine.mat, judge.mat, atol=1e-13)
    np.testing.assert_allclose(mine(1.0, 2.0), judge(1.0, 2.0), atol=1e-11)
    np.testing.assert_allclose(mine.angle_ref(1.0, 2.0), judge.angle_ref(1.0, 2.0), atol=1e-11)
    m = np.random.default_rng(1).standard_normal((3, 192))
    assert relative(np.array(mine.rotate_map_pixel(m)), np.array(judge.rotate_map_pixel(m))) < 1e-9
    alm = hp.map2alm(m, lmax=9)
    assert relative(mine.rotate_alm(alm), judge.rotate_alm(alm)) <= BOUND
    pair = alm.copy(), alm.copy()
    ours.rotate_alm(pair[0], 0.1, fwhm, 0.3)
    hp.rotate_alm(pair[1], 0.1, fwhm, 0.3)
    assert relative(*pair) <= BOUND


def test_nested_maps_are_missing_where_they_were():
    """healpy 1.20 marks other pixels as missing."""
    m = np.random.default_rng(1).standard_normal(192)
    agree("smoothing", m, 0.2, nest=True)
    m[[3, 9]] = ours.UNSEEN
    assert list(np.flatnonzero(ours.smoothing(m, 0.2, nest=True) == ours.UNSEEN)) == [3, 9]


WRONG = [("map2alm", (np.ones(191),), {}, "191 pixels"), ("map2alm", (np.ones(192),), {"iter": -1},
         "iter = -1"), ("map2alm", (np.ones(192),), {"lmax": 5, "mmax": 6}, "mmax = 6"),
         ("map2alm", (np.ones(192),), {"use_pixel_weights": True, "use_weights": True}, "both"),
         ("harmonic_ud_grade", (np.ones(192), 2), {"lmax": 9}, "window of nside = 2 ends at 8"),
         ("harmonic_ud_grade", (np.ones(15), 2), {"input_type": "alm"}, "nside_in"),
         ("harmonic_ud_grade", (np.ones(192), 2), {"input_type": "x"}, "input_type"),
         ("harmonic_ud_grade", (np.ones(192), 2), {"fwhm_in": -1}, "fwhm_in"),
         ("hotspots", (np.ones((3, 192)),), {}, "m: must be one map"),
         ("pixwin", (0,), {}, "nside = 0"), ("alm2map", (np.ones(14, complex), 4), {}, "alms"),
         ("map2alm", (np.ones((2, 192)),), {}, "pol"), ("ring2nest", (3, 5), {}, "nside = 3"),
         ("pix2ang", (4, 192), {}, "ipix"), ("ang2pix", (4, -1.0, 0.0), {}, "theta"),
         ("rotate_alm", (np.ones(15, np.complex64),), {}, "alm")]


@pytest.mark.parametrize("name, args, more, text", WRONG)
def test_errors_name_the_argument(name, args, more, text):
    with pytest.raises((ValueError, NotImplementedError), match=text):
        getattr(ours, name)(*args, **more)


def test_spins_beyond_lmax_are_zero():
    alm = ours.map2alm(np.ones((3, 48)), lmax=1)
    assert alm.shape == (3, 3) and not alm[1:].any() and ours.alm2map(alm, 2).shape == (3, 48)


def test_plans_are_kept():
    ours.clear_plans()
    for lmax in range(1, 21):
        ours.map2alm(np.ones(48), lmax=lmax)
        ours.map2alm(np.ones(48), lmax=lmax)
    assert ours.kept_plans().plans == 16
    ours.limit_plans(plans=2)
    assert ours.kept_plans().plans == 2
    ours.limit_plans()
    ours.clear_plans()
    assert ours.kept_plans() == (0, 0)


# --- Pixels, files, views -------------------------------------------------------------------------


@many
@given(st.data())
def test_pixels(data):
    nside = data.draw(st.sampled_from([1, 2, 3, 4, 7, 64, 2 ** 20]))
    nest = nside not in (3, 7) and data.draw(st.booleans())
    rng = np.random.default_rng(data.draw(st.integers(0, 2 ** 32 - 1)))
    pix = rng.integers(0, 12 * nside ** 2, 200)
    theta, phi = np.arccos(rng.uniform(-1, 1, 200)), rng.uniform(-9, 9, 200)
    for name in ("pix2ang", "pix2vec"):
        for mine, judge in zip(*(getattr(h, name)(nside, pix, nest) for h in (ours, hp))):
            assert relative(mine, judge) < 1e-13
    np.testing.assert_array_equal(ours.ang2pix(nside, theta, phi, nest),
                                  hp.ang2pix(nside, theta, phi, nest))
    if nside not in (3, 7):
        np.testing.assert_array_equal(ours.ring2nest(nside, pix), hp.ring2nest(nside, pix))
        np.testing.assert_array_equal(ours.nest2ring(nside, pix), hp.nest2ring(nside, pix))
    if nside < 100:
        vec, radius = rng.standard_normal(3), rng.uniform(0, 3.2)
        disc = ours.query_disc(nside, vec, radius, nest=nest)
        np.testing.assert_array_equal(disc, hp.query_disc(nside, vec, radius, nest=nest))
        wide = ours.query_disc(nside, vec, radius, inclusive=True, nest=nest)
        assert set(disc) <= set(wide) and set(wide) <= set(
            ours.query_disc(nside, vec, radius + 2 * ours.max_pixrad(nside), nest=nest))
        made = (h.get_interp_weights(nside, theta, phi, nest) for h in (ours, hp))
        for mine, judge in zip(*made):
            np.testing.assert_allclose(mine, judge, atol=1e-11)


@pytest.mark.parametrize("nest", [False, True])
def test_files(tmp_path, nest):
    m = np.random.default_rng(1).standard_normal((3, 192))
    for i, (writer, reader) in enumerate(((ours, hp), (hp, ours), (ours, ours))):
        path = str(tmp_path / f"{i}.fits")
        writer.write_map(path, m, nest=nest)
        np.testing.assert_array_equal(reader.read_map(path, field=None, nest=nest), m)
        writer.write_alm(path, ours.map2alm(m), overwrite=True)
        np.testing.assert_array_equal(reader.read_alm(path, hdu=(1, 2, 3)), ours.map2alm(m))
        writer.write_cl(path, ours.anafast(m), overwrite=True)
        np.testing.assert_array_equal(reader.read_cl(path), ours.anafast(m))
        with pytest.raises(OSError):
            writer.write_cl(path, ours.anafast(m))
