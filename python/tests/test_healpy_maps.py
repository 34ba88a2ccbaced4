"""Masks, orders, resolutions, monopole and dipole, and places of coefficients, against healpy."""
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armilla.healpy as ours
from healpy_judge import alike, hp, many

SEEDS = st.integers(0, 2 ** 32 - 1)


@st.composite
def maps(draw, nsides=(1, 2, 4, 16), finite=False):
    """One map of some type, with missing pixels, maybe NaN."""
    nside = draw(st.sampled_from(nsides))
    rng = np.random.default_rng(draw(SEEDS))
    m = 10 * rng.standard_normal(12 * nside ** 2)
    if draw(st.booleans()):
        m[rng.random(m.size) < 0.3] = hp.UNSEEN
    if not finite and draw(st.integers(0, 3)) == 0:
        m[rng.random(m.size) < 0.1] = np.nan
    return m.astype(draw(st.sampled_from([np.float64, np.float64, np.float32])))


# --- Masks ----------------------------------------------------------------------------------------


@many
@given(maps(), st.sampled_from([hp.UNSEEN, 0.0, 3.0]), st.sampled_from([1e-5, 0.5]))
def test_masks(m, bad, rtol):
    for name in ("mask_bad", "mask_good"):
        alike(name, m, badval=bad, rtol=rtol, atol=0.1)
        alike(name, float(m[0]))
        alike(name, [float(m[0]), bad], bad)
    masked = alike("ma", m, badval=bad, rtol=rtol)
    assert masked.fill_value == hp.ma(m, badval=bad, rtol=rtol).fill_value
    alike("ma", np.stack([m, m]))
    for name in ("is_ma", "ma_to_array"):
        for given_map in (m, ours.ma(m), [m, m], [ours.ma(m)] * 2, (ours.ma(m),) * 3):
            alike("pixelfunc:" + name, given_map)


def test_functions_of_masked_maps():
    """accept_ma: gets them filled, and masks what it returns."""
    def doubled(m, factor=2):
        assert not np.ma.isMA(m)
        return np.where(m == hp.UNSEEN, m, factor * m)
    m = np.arange(12.0)
    m[3] = hp.UNSEEN
    for given_map in (m, hp.ma(m), [hp.ma(m), hp.ma(m)]):
        mine, judge = (h.pixelfunc.accept_ma(doubled)(given_map, factor=3) for h in (ours, hp))
        assert type(mine) is type(judge)
        np.testing.assert_array_equal(np.ma.filled(mine, 0), np.ma.filled(judge, 0))


# --- Orders and resolutions -----------------------------------------------------------------------


@many
@given(maps(), st.sampled_from(["RING", "NEST", "nested", "ring"]), st.sampled_from(
    ["RING", "NESTED", "x", None]), st.sampled_from([{}, {"r2n": True}, {"n2r": True}]))
def test_reorder(m, inp, out, more):
    for given_map in (m, ours.ma(m), np.stack([m, m]), [m, m], [ours.ma(m)] * 2):
        alike("reorder", given_map, inp, out, **more)


def test_reorder_goes_there_and_back():
    for wrong in (np.zeros(13), np.zeros(108)):
        alike("reorder", wrong, r2n=True)
    m = np.random.default_rng(1).standard_normal((2, 12 * 8 ** 2))
    np.testing.assert_array_equal(ours.reorder(ours.reorder(m, r2n=True), n2r=True), m)


@many
@given(maps(), st.sampled_from([1, 2, 4, 8, 32, 3, 0]), st.booleans(), st.sampled_from(
    ["RING", "NESTED"]), st.sampled_from([None, "RING", "NESTED"]), st.sampled_from([None, -2, 1]),
    st.sampled_from([None, np.float32, np.float64]))
def test_ud_grade(m, nside, pess, order_in, order_out, power, dtype):
    """With power healpy multiplies UNSEEN, too, where pixels are repeated or kept."""
    more = {"pess": pess, "order_in": order_in, "order_out": order_out, "dtype": dtype}
    atol = 1e-4 if np.float32 in (m.dtype, dtype) else 1e-11
    if power and (m == hp.UNSEEN).any() and nside >= ours.get_nside(m):
        made = ours.ud_grade(m, max(nside, 1) if nside != 3 else 4, power=power)
        assert set(np.unique(made[made < -1e20])) <= {made.dtype.type(hp.UNSEEN)}
        power = None
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        made = alike("ud_grade", m, nside, power=power, atol=atol, **more)
        alike("ud_grade", [m, m], nside, power=power, atol=atol, **more)
        if not isinstance(made, Exception) and dtype is None:
            assert made.dtype == m.dtype


@pytest.mark.parametrize("m", [np.arange(48), np.arange(48) - 24, np.arange(48) > 9,
                               np.arange(48) * 1j, list(range(48)), np.arange(49.0),
                               ours.ma(np.where(np.arange(48) % 5, 1.5, hp.UNSEEN))])
@pytest.mark.parametrize("nside", [1, 2, 4])
def test_ud_grade_of_other_types(m, nside):
    """Means of whole numbers are not whole: here they are floats, healpy cuts them off."""
    if np.asarray(m).dtype.kind not in "ib" or nside >= 2:
        alike("ud_grade", m, nside)
    alike("ud_grade", m, nside, dtype=float)


@pytest.mark.parametrize("kind", [np.uint8, bool, np.int64, np.int16])
@pytest.mark.parametrize("order", ["RING", "NEST"])
def test_means_of_whole_numbers_are_floats(kind, order):
    m = np.tile([0, 1], 96).astype(kind)
    m = m if order == "NEST" else ours.reorder(m, n2r=True)
    for given in (m, [m, m]):
        made = ours.ud_grade(given, 2, order_in=order)
        assert made.dtype == np.float64 and np.all(made == 0.5)
    assert ours.ud_grade(m, 2, order_in=order, dtype=kind).dtype == kind
    finer = ours.ud_grade(m, 8, order_in=order)
    assert finer.dtype == kind and np.all(ours.ud_grade(finer, 4, order_in=order) == m)
    assert np.all(ours.ud_grade(m, 8, order_in=order, power=-1) == finer / 2)


def test_numbers_that_doubles_cannot_hold_stay_when_they_are_repeated():
    m = np.arange(48) + 2 ** 53 + 1
    for order in ("RING", "NEST"):
        finer = ours.ud_grade(m, 4, order_in=order, order_out="NEST")
        judge = m if order == "NEST" else ours.reorder(m, r2n=True)
        np.testing.assert_array_equal(finer, np.repeat(judge, 4))


# --- Monopole and dipole --------------------------------------------------------------------------


@many
@given(maps((2, 4, 8), finite=True), st.booleans(), st.sampled_from([0, 10, 40.0, 89.9]),
       st.sampled_from([hp.UNSEEN, 0.0]))
def test_monopole_and_dipole(m, nest, cut, bad):
    m = np.where(m < -1e20, m.dtype.type(bad), m)
    more = {"nest": nest, "gal_cut": cut, "bad": bad}
    atol = 1e-3 if m.dtype == np.float32 else 1e-7  # the cuts leave badly conditioned fits
    for name in ("fit_monopole", "remove_monopole", "fit_dipole", "remove_dipole"):
        if cut > 80 and "dipole" in name:
            continue
        alike(name, m, atol=atol, **more)
        if name.startswith("remove"):
            if bad == hp.UNSEEN:  # healpy takes masked pixels for good ones with another bad
                alike(name, ours.ma(m), fitval=True, atol=atol, **more)
            alike(name, m, fitval=True, atol=atol, **more)
    for name in ("remove_monopole", "remove_dipole"):
        pair = m.copy(), m.copy()
        for h, given_map in zip((ours, hp), pair):
            getattr(h, name)(given_map, copy=False)
        np.testing.assert_allclose(*pair, atol=1e-3 if m.dtype == np.float32 else 1e-9)


def test_fits_find_what_was_put_in():
    vectors = np.array(ours.pix2vec(8, np.arange(768)))
    m = 3 + np.array([0.5, -1, 2]) @ vectors
    mono, dipole = ours.fit_dipole(m, gal_cut=20)
    np.testing.assert_allclose([mono, *dipole], [3, 0.5, -1, 2], atol=1e-12)
    assert np.abs(ours.remove_dipole(m)).max() < 1e-12
    assert ours.remove_monopole(np.arange(12)).dtype == np.float64  # healpy refuses integers
    for name in ("fit_monopole", "fit_dipole", "remove_monopole", "remove_dipole"):
        alike(name, np.zeros(13))
        alike(name, np.zeros((2, 12)))
    alike("fit_monopole", np.full(12, hp.UNSEEN))
    alike("fit_dipole", np.full(12, hp.UNSEEN))


# --- Coefficients ---------------------------------------------------------------------------------


@many
@given(st.integers(0, 200), st.data())
def test_places_of_coefficients(lmax, data):
    mmax = data.draw(st.sampled_from([None, -1, 0, lmax // 2, lmax, lmax + 3]))
    size = alike("Alm.getsize", lmax, mmax)
    alike("Alm.getlmax", size, mmax)
    alike("Alm.getlmax", size + 1, mmax)
    alike("Alm.getlm", lmax)
    whole = ours.Alm.getsize(lmax)
    one = data.draw(st.integers(0, whole - 1))
    l, m = alike("Alm.getlm", lmax, one)
    assert alike("Alm.getidx", lmax, l, m) == one
    some = np.random.default_rng(one).integers(0, whole, 7)
    assert np.array_equal(ours.Alm.getidx(lmax, *alike("Alm.getlm", lmax, some)), some)
    for beyond in (whole, whole + 10 ** 9, np.array([0, whole])):
        assert isinstance(alike("Alm.getlm", lmax, beyond), AssertionError)


@pytest.mark.parametrize("count", [1, 3, 6, 10])
def test_orders_of_spectra(count):
    names = [f"cl{i}" for i in range(count)]
    alike("sphtfunc:new_to_old_spectra_order", names)


@pytest.mark.parametrize("count", [2, 4, 5])
def test_wrong_numbers_of_spectra(count):
    alike("sphtfunc:new_to_old_spectra_order", ["cl"] * count)


# --- The small ones -------------------------------------------------------------------------------


@pytest.mark.parametrize("o", [5, None, "text", [], [1, 2], [[1], [2, 3]], [[1], None], np.ones(3),
                               np.ones((2, 3)), np.array(5.0), [None, [1, 2]], {},
                               [[1, 2], [3, 4]]])
@pytest.mark.parametrize("name", ["is_seq", "is_seq_of_seq", "is_like2d", "len_array_or_arrays"])
def test_kinds_of_sequences(name, o):
    alike("cookbook:" + name, o)
    if name == "is_seq_of_seq":
        alike("cookbook:" + name, o, allow_none=True)


def test_warnings_of_healpy_can_be_silenced():
    ours.disable_warnings()
    ours.enable_warnings()
    from armilla.healpy.utils.deprecation import HealpyDeprecationWarning
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HealpyDeprecationWarning)
