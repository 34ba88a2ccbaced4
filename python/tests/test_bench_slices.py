"""bench/slices.py: its functions, its slices, and what their errors depend on."""
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import slices  # noqa: E402


def test_functions_against_closed_forms():
    theta = np.linspace(0.1, 1.5, 7).astype(np.longdouble)
    x, y = np.cos(theta), np.sin(theta)
    for m, wanted in ((0, np.sqrt(5 / np.pi) / 4 * (3 * x * x - 1)),
                      (2, np.sqrt(15 / np.pi / 2) / 4 * y * y)):
        assert np.allclose(slices.functions(3, m, theta)[:, 2 - m], wanted, rtol=1e-14)


@pytest.mark.parametrize("m, steepness", [(0, 3), (1, 0), (24, 0)])
def test_sums_by_both_kinds_of_functions_agree(m, steepness):
    one = slices.make_order(63, m, steepness)
    x = np.cos(one.theta)[:, None]
    for wanted, made in ((slices.exact(*one.even), slices.exact(one.p, one.of_p[0])),
                         (slices.exact(*one.odd), x * slices.exact(one.p, one.of_p[1]))):
        assert slices.largest_error(made, wanted) < 1e-14


@pytest.mark.parametrize("bits", slices.BITS)
def test_digits_make_the_number_and_fit(bits):
    values = np.random.default_rng(1).uniform(-1, 1, (5, 40)) * np.exp2(-np.arange(40.0) / 2)
    values[0, 0], values[1, 3] = 1, -0.5  # largest, and halves of the last digit
    scale, found = slices.digits(values, 1, bits)
    whole = sum(digit * 2.0 ** (1 - bits - bits * i) for i, digit in enumerate(found))
    assert np.max(np.abs(whole * scale - values)) <= 2.0 ** (1 - 8 * bits)
    for digit in found:
        assert -2 ** (bits - 1) <= digit.min() and digit.max() < 2 ** (bits - 1)
        assert np.array_equal(digit, np.rint(digit))


def test_a_slice_is_worth_its_bits():
    one = slices.make_order(127, 3, 0)
    for bits in (7, 8):
        for errors in dict(slices.slice_errors(one, bits)).values():
            assert errors[4] > errors[5] * 2 ** (bits - 2.5) > errors[6] * 2 ** (2 * bits - 5)
            assert errors[8] < 1e-14


def test_three_products_against_fused_sums_of_floats():
    one = slices.make_order(255, 3, 0)
    for name, rms, largest in slices.float_errors(one):
        assert 1e-8 < rms < 1e-6 and largest < 1e-6, name
    values = np.array([1 + 2.0 ** -23 + 2.0 ** -24, -1 - 2.0 ** -24, 3.0])
    assert np.array_equal(slices.cut(values), [1 + 2.0 ** -23, -1, 3])
