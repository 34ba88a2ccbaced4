"""Functions on the sphere by sums that textbooks have: what test_conventions_page.py judges by."""
from math import comb, factorial, pi

import numpy as np


def wigner(l, m, n, theta):
    """d^l_mn by Wigner's sum."""
    root = np.sqrt(float(factorial(l + m) * factorial(l - m) * factorial(l + n) * factorial(l - n)))
    total = 0.0
    for k in range(max(0, n - m), min(l + n, l - m) + 1):
        below = factorial(l + n - k) * factorial(k) * factorial(m - n + k) * factorial(l - m - k)
        total = total + ((-1) ** (m - n + k) / below * np.cos(theta / 2) ** (2 * l + n - m - 2 * k)
                         * np.sin(theta / 2) ** (m - n + 2 * k))
    return root * total


def goldberg(s, l, m, theta, phi):
    """sY_lm as Goldberg et al. (1967) have it, with the Condon-Shortley sign."""
    total = 0.0
    for r in range(max(0, m - s), min(l - s, l + m) + 1):
        total = total + (comb(l - s, r) * comb(l + s, r + s - m) * (-1) ** (l - r - s)
                         * np.cos(theta / 2) ** (2 * r + s - m)
                         * np.sin(theta / 2) ** (2 * l - 2 * r - s + m))
    norm = factorial(l + m) * factorial(l - m) * (2 * l + 1) / (factorial(l + s) * factorial(l - s))
    return (-1) ** m * np.sqrt(norm / (4 * pi)) * total * np.exp(1j * m * phi)


def legendre(l, m, x):
    """P_lm without the Condon-Shortley sign, by its sum, whose terms cancel: at l = 20 doubles
    leave 1e-11 of it."""
    x = np.asarray(x, np.longdouble)
    total = sum((-1) ** k * comb(l, k) * comb(2 * l - 2 * k, l) * factorial(l - 2 * k)
                / factorial(l - 2 * k - m) * x ** (l - 2 * k - m) for k in range((l - m) // 2 + 1))
    return np.asarray((1 - x * x) ** (m / 2) * total / 2**l, np.float64)[()]


def schmidt_norm(l, m):
    return np.sqrt((2 if m else 1) * factorial(l - m) / factorial(l + m))
