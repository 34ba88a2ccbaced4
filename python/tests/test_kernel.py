"""armilla.Kernel: values and windows against closed forms and sums by NumPy."""
import pickle

import numpy as np
import pytest
from numpy.polynomial.legendre import leggauss, legval

import armilla
from armilla import Kernel

FWHM = 0.3
SIGMA = FWHM / np.sqrt(8 * np.log(2))
L = np.arange(61)
WINDOW = 1 / (1 + np.arange(31.0)) ** 2
KERNELS = {"gaussian": Kernel.gaussian(FWHM), "tophat": Kernel.tophat(0.4),
           "mexican_hat": Kernel.mexican_hat(FWHM), "needlet": Kernel.needlet(2, 3),
           "table": Kernel.table([0.1, 0.2, 0.35, 0.6], [3, 2.5, 1, -0.5]),
           "window": Kernel.window(WINDOW)}
KINK = {"tophat": (0.4,), "table": (0.1, 0.2, 0.35, 0.6)}  # pieces between them are smooth
TYPES = pytest.mark.parametrize("name", KERNELS)


def legendre_sum(window, theta):
    return legval(np.cos(theta), window * (2 * np.arange(len(window)) + 1) / (4 * np.pi))


def integrals(name, start, end, lmax):
    """Window of the part from start to end, and the integral of its square over the sphere: Gauss'
    rule on each smooth piece."""
    nodes, weights = leggauss(120)
    ends = [start, *(t for t in KINK.get(name, ()) if start < t < end), end]
    window, square = np.zeros(lmax + 1), 0.0
    for a, b in zip(ends[:-1], ends[1:]):
        theta = (a + b) / 2 + nodes * (b - a) / 2
        factor = np.pi * (b - a) * weights * np.sin(theta)  # 2 pi times half the length
        values = KERNELS[name].values(theta)
        polynomials = legval(np.cos(theta), np.eye(lmax + 1))
        window += polynomials @ (values * factor)
        square += np.sum(values ** 2 * factor)
    return window, square


def test_gaussian_is_the_beam():
    window = KERNELS["gaussian"].harmonic_window(60)
    judge = armilla.spectrum.gaussian_beam(FWHM, 60)
    np.testing.assert_allclose(window, judge, rtol=0, atol=2e-13)
    # in the plane 1 / (2 pi sigma^2) exp(-theta^2 / 2 sigma^2); curvature changes order sigma^2
    sharp = Kernel.gaussian(1e-3)
    sigma = 1e-3 / np.sqrt(8 * np.log(2))
    theta = np.array([0, 0.5, 1, 2]) * sigma
    judge = np.exp(-theta ** 2 / (2 * sigma ** 2)) / (2 * np.pi * sigma ** 2)
    np.testing.assert_allclose(sharp.values(theta), judge, rtol=1e-6)


def test_mexican_hat():
    judge = L * (L + 1) * SIGMA ** 2 * np.exp(-L * (L + 1) * SIGMA ** 2 / 2)
    assert np.abs(KERNELS["mexican_hat"].harmonic_window(60) - judge).max() < 2e-13


def test_tophat():
    kernel, edge = KERNELS["tophat"], np.cos(0.4)
    inside, outside = kernel.values([[0, 0.2], [0.399999, 0.4]]), kernel.values([0.400001, 3])
    np.testing.assert_allclose(inside, 1 / (2 * np.pi * (1 - edge)), rtol=1e-14)
    assert inside.shape == (2, 2) and (outside == 0).all()
    p = legval(edge, np.eye(62))
    judge = np.append(1, (p[:-2] - p[2:]) / ((2 * L[1:] + 1) * (1 - edge)))
    assert np.abs(kernel.harmonic_window(60) - judge).max() < 2e-13


def test_needlets():
    """Squares of all scales add up to 1; each lives between its neighbours' centres."""
    total = sum(Kernel.needlet(2, j).harmonic_window(60) ** 2 for j in range(9))
    np.testing.assert_allclose(total[1:], 1, rtol=0, atol=1e-12)
    window = KERNELS["needlet"].harmonic_window(60)
    assert (np.abs(window[(L <= 4) | (L >= 16)]) < 1e-13).all() and (window[6:15] > 0.01).all()


def test_table():
    kernel = KERNELS["table"]
    np.testing.assert_allclose(kernel.values([0, 0.05, 0.1, 0.2, 0.35, 0.6]),
                               [3, 3, 3, 2.5, 1, -0.5], rtol=1e-15)
    assert (kernel.values([0.601, 1, np.pi]) == 0).all()
    fine = kernel.values(np.linspace(0.1, 0.6, 501))
    assert (np.diff(fine) <= 1e-15).all()  # its values fall, so does the interpolant


@TYPES
def test_values_are_the_sum_over_the_window(name):
    if name in KINK:
        return  # their sums do not end
    lmax = {"gaussian": 90, "mexican_hat": 90, "needlet": 16, "window": 30}[name]
    kernel, theta = KERNELS[name], np.array([0, 1e-9, 0.01, 0.1, 0.3, 1, 2, np.pi])
    judge = legendre_sum(kernel.harmonic_window(lmax), theta)
    assert np.abs(kernel.values(theta) - judge).max() < 3e-13 * np.abs(judge).max()


@TYPES
@pytest.mark.parametrize("support", [0.15, 0.5, 2.5])
def test_window_of_the_cut_kernel(name, support):
    judge, _ = integrals(name, 0, support, 60)
    made = KERNELS[name].harmonic_window(60, support)
    assert np.abs(made - judge).max() < 1e-12 * np.abs(judge).max()


@TYPES
@pytest.mark.parametrize("support", [0.1, 0.33])
def test_truncation_error(name, support):
    """White map: Parseval, the part of the integral of K^2. Other maps: the sum over degrees."""
    kernel = KERNELS[name]
    _, lost = integrals(name, support, np.pi, 0)
    _, whole = integrals(name, 0, np.pi, 0)
    assert abs(kernel.truncation_error(support) / np.sqrt(lost / whole) - 1) < 1e-9
    cl = 1 / (1.0 + L) ** 3
    outside, _ = integrals(name, support, np.pi, 60)
    window, _ = integrals(name, 0, np.pi, 60)
    power = (2 * L + 1) * cl
    judge = np.sqrt(np.sum(power * outside ** 2) / np.sum(power * window ** 2))
    assert abs(kernel.truncation_error(support, cl) / judge - 1) < 1e-9


@pytest.mark.parametrize("error", [1e-2, 1e-4, 1e-7])
def test_choose_support(error):
    for name in ("gaussian", "mexican_hat"):
        kernel = KERNELS[name]
        support = kernel.choose_support(error)
        assert kernel.truncation_error(support) <= error
        assert kernel.truncation_error(0.98 * support) > error
    red = 1 / (1.0 + L) ** 6  # dominated by l = 0, to which the wings count most
    gaussian = KERNELS["gaussian"]
    support = gaussian.choose_support(error, red)
    assert gaussian.truncation_error(support, red) <= error < gaussian.truncation_error(
        0.98 * support, red)
    assert error < 1e-3 or support != gaussian.choose_support(error)
    assert abs(KERNELS["tophat"].choose_support(error) - 0.4) < 1e-12
    assert KERNELS["table"].choose_support(error) <= 0.6
    assert gaussian.choose_support() == gaussian.choose_support(1e-7)


@TYPES
def test_pickle(name):
    again = pickle.loads(pickle.dumps(KERNELS[name]))
    theta = np.linspace(0, np.pi, 50)
    np.testing.assert_array_equal(again.values(theta), KERNELS[name].values(theta))
    assert repr(again) == repr(KERNELS[name])


def test_reprs():
    assert repr(KERNELS["gaussian"]) == "<armilla.Kernel gaussian(0.3)>"
    assert repr(KERNELS["needlet"]) == "<armilla.Kernel needlet(2.0, 3)>"
    assert repr(KERNELS["table"]) == "<armilla.Kernel table(4 values)>"


@pytest.mark.parametrize("call, kind, text", [
    (lambda: Kernel(), TypeError, "Kernel.gaussian"),
    (lambda: Kernel.gaussian(0), ValueError, "fwhm = 0"),
    (lambda: Kernel.gaussian(float("nan")), ValueError, "fwhm = nan"),
    (lambda: Kernel.gaussian("1 K"), TypeError, "fwhm = '1 K'"),
    (lambda: Kernel.mexican_hat(7), ValueError, "fwhm = 7"),
    (lambda: Kernel.tophat(4), ValueError, "radius = 4"),
    (lambda: Kernel.needlet(1, 3), ValueError, "base = 1"),
    (lambda: Kernel.needlet(2, 40), ValueError, "scale = 40"),
    (lambda: Kernel.needlet(2, 1.5), TypeError, "scale = 1.5"),
    (lambda: Kernel.table([0, 1], [1, 2, 3]), ValueError, "values: has 3 numbers, theta has 2"),
    (lambda: Kernel.table([0, 1, 1], [1, 2, 3]), ValueError, r"theta\[2\] = 1"),
    (lambda: Kernel.table([0, 1, 2], [1, np.nan, 3]), ValueError, r"values\[1\] = nan"),
    (lambda: Kernel.table([0, 1, 4], [1, 2, 3]), ValueError, r"theta\[2\] = 4"),
    (lambda: Kernel.table([[0, 1]], [[1, 2]]), ValueError, "theta: has shape"),
    (lambda: Kernel.table([0], [1]), ValueError, "theta: has one number"),
    (lambda: Kernel.window([]), ValueError, "bl: has shape"),
    (lambda: Kernel.window([1, np.inf]), ValueError, r"^bl\[1\] = inf: must be finite"),
    (lambda: Kernel.window([1j]), TypeError, "bl: must hold real numbers"),
    (lambda: KERNELS["gaussian"].values([0, 4]), ValueError, r"theta\[1\] = 4"),
    (lambda: KERNELS["gaussian"].harmonic_window(-1), ValueError, "lmax = -1"),
    (lambda: KERNELS["gaussian"].harmonic_window(10 ** 7), ValueError, "lmax = 10000000"),
    (lambda: KERNELS["gaussian"].harmonic_window(9, 0), ValueError, "support = 0"),
    (lambda: KERNELS["gaussian"].truncation_error(4), ValueError, "support = 4"),
    (lambda: KERNELS["gaussian"].truncation_error(1, [1, -1]), ValueError, r"cl\[1\] = -1"),
    (lambda: KERNELS["gaussian"].choose_support(0), ValueError, "error = 0"),
])
def test_wrong_arguments(call, kind, text):
    with pytest.raises(kind, match=text):
        call()
