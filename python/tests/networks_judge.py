"""Layers by textbook formulas: functions by sums, weights by closed forms, Fourier sums written
out. What test_networks.py judges by."""
from math import comb, factorial, pi

import numpy as np


def polynomial(l, m, x):
    """P_lm / sin^m, without the Condon-Shortley sign."""
    return sum((-1) ** k * comb(l, k) * comb(2 * l - 2 * k, l) * factorial(l - 2 * k)
               / factorial(l - 2 * k - m) * x ** (l - 2 * k - m)
               for k in range((l - m) // 2 + 1)) / 2**l


def rows(grid, nlat):
    """Colatitudes and weights for the integral over cos(theta)."""
    if grid == "legendre-gauss":
        x, w = np.polynomial.legendre.leggauss(nlat)
        return np.arccos(x[::-1]), w[::-1]
    if grid == "lobatto":
        top = np.polynomial.legendre.Legendre.basis(nlat - 1)
        x = np.concatenate([[-1], np.sort(top.deriv().roots().real), [1]])
        return np.arccos(x[::-1]), (2 / (nlat * (nlat - 1) * top(x) ** 2))[::-1]
    n, theta = nlat - 1, np.arange(nlat) * pi / (nlat - 1)
    weight = np.ones(nlat)
    for k in range(1, n // 2 + 1):
        weight -= (1 if 2 * k == n else 2) / (4 * k * k - 1) * np.cos(2 * k * theta)
    weight *= 2 / n
    weight[[0, -1]] /= 2
    return theta, weight


def functions(theta, size, norm, csphase):
    """Y, dY/dtheta and m Y / sin(theta) without exp(i m phi), each (size, size, nlat) by l and m,
    as a synthesis has them; and what an analysis multiplies by once more."""
    made = np.zeros((3, size, size, len(theta)))
    for l in range(size):
        for m in range(l + 1):
            scale = np.sqrt((2 * l + 1) / (4 * pi) * factorial(l - m) / factorial(l + m))
            scale *= (-1) ** m if csphase else 1
            step = theta + 1e-30j
            made[0, l, m] = scale * np.sin(theta) ** m * polynomial(l, m, np.cos(theta))
            moved = np.sin(step) ** m * polynomial(l, m, np.cos(step))
            made[1, l, m] = scale * moved.imag / 1e-30
            if m:
                made[2, l, m] = (scale * m * np.sin(theta) ** (m - 1)
                                 * polynomial(l, m, np.cos(theta)))
    l = np.arange(size)[:, None, None]
    factor = {"ortho": 1 + 0 * l, "schmidt": np.sqrt(4 * pi / (2 * l + 1)),
              "unnorm": np.sqrt(4 * pi) + 0 * l, "four-pi": np.sqrt(4 * pi) + 0 * l}[norm]
    return made / factor, factor ** 2


def waves(nlon, size):
    """exp(i m phi_j), (size, nlon)."""
    return np.exp(2j * pi * np.outer(np.arange(size), np.arange(nlon)) / nlon)


def synthesis(alm, grid, nlat, nlon, norm="ortho", csphase=True):
    """alm (..., l, m) -> (..., nlat, nlon)."""
    size = alm.shape[-1]
    table, _ = functions(rows(grid, nlat)[0], size, norm, csphase)
    counts = np.where((np.arange(size) == 0) | (2 * np.arange(size) == nlon), 1, 2)
    return np.einsum("...lm,lmk,mj,m->...kj", alm, table[0], waves(nlon, size), counts).real


def analysis(maps, size, grid, norm="ortho", csphase=True):
    """(..., nlat, nlon) -> alm (..., l, m)."""
    nlat, nlon = maps.shape[-2:]
    theta, weight = rows(grid, nlat)
    table, again = functions(theta, size, norm, csphase)
    return np.einsum("...kj,lmk,k,mj->...lm", maps, table[0] * again, weight * 2 * pi / nlon,
                     waves(nlon, size).conj())


def vector_synthesis(alm, grid, nlat, nlon, norm="ortho", csphase=True):
    """S and T (..., 2, l, m) -> v_theta, v_phi (..., 2, nlat, nlon): grad S + curl T."""
    size = alm.shape[-1]
    (_, slope, turn), _ = functions(rows(grid, nlat)[0], size, norm, csphase)
    counts = np.where((np.arange(size) == 0) | (2 * np.arange(size) == nlon), 1, 2)
    s, t = alm[..., 0, :, :], alm[..., 1, :, :]

    def made(one, other):
        return (np.einsum("...lm,lmk,mj,m->...kj", one, slope, waves(nlon, size), counts)
                + np.einsum("...lm,lmk,mj,m->...kj", 1j * other, turn, waves(nlon, size),
                            counts)).real

    return np.stack([made(s, t), made(-t, s)], axis=-3)


def vector_analysis(maps, size, grid, norm="ortho", csphase=True):
    """v_theta, v_phi (..., 2, nlat, nlon) -> S and T (..., 2, l, m)."""
    nlat, nlon = maps.shape[-2:]
    theta, weight = rows(grid, nlat)
    (_, slope, turn), again = functions(theta, size, norm, csphase)
    again = again / np.maximum(np.arange(size) * (np.arange(size) + 1), 1)[:, None, None]
    v, u = maps[..., 0, :, :], maps[..., 1, :, :]

    def made(one, other):
        spectrum = waves(nlon, size).conj()
        return (np.einsum("...kj,lmk,k,mj->...lm", one, slope * again, weight * 2 * pi / nlon,
                          spectrum)
                - 1j * np.einsum("...kj,lmk,k,mj->...lm", other, turn * again,
                                 weight * 2 * pi / nlon, spectrum))

    return np.stack([made(v, u), made(-u, v)], axis=-3)
