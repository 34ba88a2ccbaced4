"""armilla.alm: correlated random coefficients, and the real packing."""
import numpy as np
import pytest

import armilla
from helpers import dot_alm, random_alm

LMAX = 200


def spectra():
    """(3, 3, LMAX + 1): T, E, B like the sky's, T and E correlated, B with neither."""
    l = np.arange(LMAX + 1)
    t, e, b = 1 / (l + 1.0) ** 2, 0.1 / (l + 1.0), np.full(LMAX + 1, 0.01)
    cl = np.zeros((3, 3, LMAX + 1))
    cl[0, 0], cl[1, 1], cl[2, 2] = t, e, b
    cl[1, 0] = cl[0, 1] = 0.6 * np.sqrt(t * e)
    return cl


def test_correlated_fields_have_their_spectra():
    """Sum over l of the normalised difference: chi^2 of 2 l + 1 values for each l and pair. The
    mean of (c / C - 1) sqrt((2 l + 1) / 2) over 201 degrees has a standard deviation of 0.07."""
    cl = spectra()
    alm = armilla.alm.random_correlated(LMAX, cl, 5)
    assert alm.shape == (3, armilla.alm.size(LMAX)) and alm.dtype == np.complex128
    weight = np.sqrt((2 * np.arange(LMAX + 1) + 1) / 2)
    for i in range(3):
        for j in range(i + 1):
            found = armilla.spectrum.compute(alm[i], alm[j])
            scale = np.sqrt(cl[i, i] * cl[j, j])
            assert abs(np.mean((found - cl[i, j]) / scale * weight)) < 0.3, (i, j)
    np.testing.assert_array_equal(alm[0], armilla.alm.random(LMAX, cl[0, 0], 5))
    assert not np.array_equal(alm, armilla.alm.random_correlated(LMAX, cl, 6))


def test_correlated_fields_are_those_of_the_factor():
    """With the fields' own random numbers e: a = L e, L the factor of the matrix of each l."""
    cl = spectra()
    alm = armilla.alm.random_correlated(LMAX, cl, 5, mmax=7)
    unit = [armilla.alm.random(LMAX, np.ones(LMAX + 1), 5, field=i, mmax=7) for i in range(3)]
    factor = np.linalg.cholesky(np.moveaxis(cl, -1, 0))
    l = np.concatenate([np.arange(m, LMAX + 1) for m in range(8)])
    expected = np.einsum("lij,jl->il", factor[l], np.array(unit))
    np.testing.assert_allclose(alm, expected, rtol=1e-13, atol=1e-15)


def test_degrees_beyond_the_spectra_are_zero_and_the_upper_triangle_is_not_read():
    cl = spectra()[:, :, :4]
    alm = armilla.alm.random_correlated(6, cl, 1)
    for l in range(7):
        values = [alm[:, armilla.alm.index(6, l, m)] for m in range(l + 1)]
        assert np.any(values) == (l < 4)
    cl[0, 1] = np.nan
    np.testing.assert_array_equal(alm, armilla.alm.random_correlated(6, cl, 1))


@pytest.mark.parametrize("dtype, real", [(np.complex128, np.float64), (np.complex64, np.float32)])
@pytest.mark.parametrize("lmax, mmax", [(0, 0), (7, 7), (7, 3), (7, 0)])
def test_real_packing(dtype, real, lmax, mmax):
    alm = random_alm(lmax, mmax, (2, 3), dtype=dtype)
    packed = armilla.alm.to_real(alm, lmax=lmax, mmax=mmax)
    assert packed.dtype == real
    assert packed.shape == (2, 3, armilla.alm.real_size(lmax, mmax))
    np.testing.assert_array_equal(packed[..., : lmax + 1], alm[..., : lmax + 1].real)
    rest = packed[..., lmax + 1:].reshape(2, 3, -1, 2) / np.sqrt(2)
    np.testing.assert_allclose(rest[..., 0] + 1j * rest[..., 1], alm[..., lmax + 1:], rtol=2e-7)
    back = armilla.alm.from_real(packed, lmax=lmax, mmax=mmax)
    assert back.dtype == dtype
    np.testing.assert_allclose(back, alm, rtol=1e-15 if dtype == np.complex128 else 1e-6)


def test_dot_products_of_real_coefficients_are_inner_products():
    first, second = random_alm(9, seed=1), random_alm(9, seed=2)
    assert armilla.alm.real_size(9) == 100
    packed = armilla.alm.to_real(first) @ armilla.alm.to_real(second)
    assert abs(packed - dot_alm(first, second, 9)) < 1e-13 * abs(packed)
    np.testing.assert_allclose(armilla.alm.from_real(armilla.alm.to_real(first)), first)


def test_strided_input_is_left_alone():
    alm = random_alm(5, lead=(4,))
    given = np.repeat(alm, 2, axis=1)[::2, ::2]
    before = given.copy()
    np.testing.assert_array_equal(armilla.alm.to_real(given), armilla.alm.to_real(alm[::2]))
    np.testing.assert_array_equal(given, before)


NEGATIVE = np.array([[[1.0], [0.0]], [[2.0], [1.0]]])  # [[1, 2], [2, 1]]
WRONG = [
    (lambda: armilla.alm.random_correlated(3, np.ones((2, 3, 4)), 1), ValueError, "cl: has shape"),
    (lambda: armilla.alm.random_correlated(3, np.ones(4), 1), ValueError, "cl: has shape"),
    (lambda: armilla.alm.random_correlated(3, NEGATIVE, 1), ValueError, "cl.*l = 0"),
    (lambda: armilla.alm.random_correlated(3, np.ones((0, 0, 4)), 1), ValueError, "nfields = 0"),
    (lambda: armilla.alm.random_correlated(3, np.ones((1, 1, 4)), -1), ValueError, "seed = -1"),
    (lambda: armilla.alm.random_correlated(-1, np.ones((1, 1, 4)), 1), ValueError, "lmax = -1"),
    (lambda: armilla.alm.to_real(np.ones(11, complex)), ValueError, r"alm: has shape \(11,\): no"),
    (lambda: armilla.alm.to_real(1j), ValueError, "alm: must have at least one"),
    (lambda: armilla.alm.from_real(np.ones(8)), ValueError, "real: has 8 values"),
    (lambda: armilla.alm.from_real(np.ones(9), mmax=2), ValueError, "lmax: must be given"),
    (lambda: armilla.alm.from_real(np.ones(0)), ValueError, "lmax: must be given"),
    (lambda: armilla.alm.from_real(1.0), ValueError, "real: must have at least one"),
    (lambda: armilla.alm.from_real(np.ones(9) + 0j), TypeError, "real: must be real"),
    (lambda: armilla.alm.from_real(np.ones(9), lmax=2, mmax=3), ValueError, "mmax = 3"),
]


@pytest.mark.parametrize("call, kind, text", WRONG)
def test_errors_name_the_argument(call, kind, text):
    with pytest.raises(kind, match=text):
        call()


def test_sizes_that_no_lmax_has_are_named():
    for call, words in (
            (lambda: armilla.alm.lmax(560), "^size = 560: no lmax .* mmax is less"),
            (lambda: armilla.alm.lmax(560, 2), "^size = 560: no lmax .* with mmax = 2"),
            (lambda: armilla.spectrum.compute(np.zeros(560, complex)),
             r"^alm: has shape \(560,\): no lmax")):
        with pytest.raises(ValueError, match=words):
            call()


@pytest.mark.parametrize("lmax, mmax", [(0, 0), (5, 5), (7, 2)])
def test_degrees_and_orders_of_coefficients(lmax, mmax):
    degrees, orders = armilla.alm.degrees(lmax, mmax), armilla.alm.orders(lmax, mmax)
    assert degrees.size == armilla.alm.size(lmax, mmax) and degrees.dtype == np.int64
    assert list(zip(degrees, orders)) == [(l, m) for m in range(mmax + 1)
                                          for l in range(m, lmax + 1)]
    for wrong in (armilla.alm.degrees, armilla.alm.orders):
        with pytest.raises(ValueError, match="must be 0 <= mmax <= lmax"):
            wrong(3, 4)
        with pytest.raises(TypeError, match="lmax"):
            wrong(3.5)


def test_random_coefficients_have_defaults():
    cl = np.full(10, 4.0)
    want = armilla.alm.random(9, cl, 1)
    assert np.array_equal(armilla.alm.random(cl=cl, seed=1), want)
    assert np.array_equal(armilla.alm.random(9, 4.0, 1), want)
    assert np.array_equal(armilla.alm.random(9, seed=1), armilla.alm.random(9, np.ones(10), 1))
    assert not np.array_equal(armilla.alm.random(9), armilla.alm.random(9))
    with pytest.raises(TypeError, match="lmax: must be given, or a spectrum"):
        armilla.alm.random(cl=1.0)
    with pytest.raises(TypeError, match=r"a spectrum is cl=, .* random\(cl=cl\)"):
        armilla.alm.random(cl)
    with pytest.raises(ValueError, match="lmax = -1"):
        armilla.alm.random(-1)
