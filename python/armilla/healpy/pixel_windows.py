"""Windows of HEALPix pixels, computed from their shapes.

A pixel's value is the mean of the field over the pixel. For an isotropic field of C_l = 1 the mean
square of these values over all pixels is, degree by degree,

    W_l^2 = mean over pixels of (1 / Omega^2) int int d^l_ss(gamma) cos(s A) dn dn',

s = 0 for temperature and 2 for polarisation, gamma the distance of n and n'. Q and U are carried
to the pixel's centre c along great circles before they are averaged; A is the area of the triangle
c, n, n'. This is what HEALPix' files hold for nside <= 128, which agree with it to 1e-8; for larger
ones they extrapolate, and are off by up to 1.4e-5.

All that depends on the pixels is how u = sin^2(gamma / 2) is distributed, with weights 1 and
cos(2 A). That is kept as weights on a few Chebyshev nodes of u, with which polynomials, like
d^l_ss, are integrated.

In the plane of the HEALPix projection a northern pixel is a square on its corner, and areas are
those of the sphere. n counts rings from the pole as parts of a face, d goes along them:

    z = 1 - n^2 / 3, phi = (pi / 4) d / n      n <= 1
    z = (2 - n) 2 / 3, phi = (pi / 4) d        1 <= n <= 2

Northern and southern halves of a pixel have Gauss rules of their own. Pixels of a ring of the cap
differ: sums over rings, and over pixels of a ring, are taken by Gauss rules for sums.
"""
from __future__ import annotations

import functools
from typing import Iterator, Tuple

import numpy as np

_EACH = 16  # rings nearer to the pole are taken one by one, shorter ones pixel by pixel
_RINGS, _ALONG = 8, 14  # nodes of the rules for sums
_ACROSS, _WITHIN = 6, 7  # nodes across half a pixel, and along its rings
_DEGREE = 24  # Chebyshev nodes of the distribution


def _rule_of_a_sum(count: float, most: int) -> Tuple[np.ndarray, np.ndarray]:
    """Places and weights with which f(0) + ... + f(count - 1) is exact up to degree 2 most - 1.

    The polynomials that are orthogonal on 0, ..., count - 1 are Gram's; the rule is analytic in
    count, which need not be whole if it is above most.
    """
    if count <= most:
        return np.arange(round(count), dtype=float), np.ones(round(count))
    k = np.arange(1, most)
    beside = np.sqrt(k * k * (count * count - k * k) / (4.0 * (4 * k * k - 1)))
    places, vectors = np.linalg.eigh(np.diag(beside, 1) + np.diag(beside, -1))
    return places + (count - 1) / 2, count * vectors[0] ** 2


def _cap(nside: int) -> Iterator[Tuple[float, float, float]]:
    """(ring, d nside, how many) of the pixels of rings 1 to nside, both caps."""
    first = 1
    while first <= nside:
        last = first if first < _EACH or first == nside else min(nside - 1, 2 * first - 1)
        rings, counts = _rule_of_a_sum(last - first + 1, _RINGS)
        for ring, count in zip(first + rings, counts):
            places, weights = _rule_of_a_sum(ring, _ALONG)
            for place, weight in zip(2 * places - (ring - 1), weights):
                if place > -1e-9:  # others are mirror images of these
                    yield ring, place, count * weight * (8 if place < 1e-9 else 16)
        first = last + 1


def _pixels(nside: int) -> Iterator[Tuple[float, float, float]]:
    """Pixels that stand for all: (ring, d nside, share of all pixels)."""
    npix = 12.0 * nside * nside
    for ring, place, count in _cap(nside):
        yield ring, place, count / npix
    rings, counts = _rule_of_a_sum(nside - 1, _RINGS)
    for ring, count in zip(nside + 1 + rings, counts):
        yield ring, 0.0, count * 8 * nside / npix
    yield 2.0 * nside, 0.0, 4 * nside / npix


def _vectors(n: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Unit vectors (3, ...) of places on the plane."""
    in_cap = n < 1
    below = np.where(in_cap, n * n / 3, 1 - (2 - n) * (2 / 3))  # 1 - z
    phi = np.pi / 4 * d / np.where(in_cap, n, 1)
    sine = np.sqrt(below * (2 - below))
    return np.array([sine * np.cos(phi), sine * np.sin(phi), 1 - below])


def _inside(nside: int, ring: float, place: float) -> Tuple[np.ndarray, np.ndarray]:
    """Directions (3, k) from the pixel's centre to the nodes of its rule, and weights (k,)."""
    across, across_weights = np.polynomial.legendre.leggauss(_ACROSS)
    within, within_weights = np.polynomial.legendre.leggauss(_WITHIN)
    half = np.concatenate([across - 1, across + 1]) / 2  # n - n of the centre, by its largest
    width = 1 - np.abs(half)
    n = (ring + half)[:, None] / nside + np.zeros(_WITHIN)
    d = (place + width[:, None] * within) / nside
    weights = (np.tile(across_weights, 2) * width)[:, None] * within_weights
    centre = _vectors(np.array([ring / nside]), np.array([place / nside]))
    return np.concatenate([centre, _vectors(n, d).reshape(3, -1) - centre], axis=1), (
        weights.ravel() / weights.sum())


def _pairs(nside: int, ring: float, place: float) -> Tuple[np.ndarray, np.ndarray]:
    """u of pairs of nodes of a pixel (p,), and their weights (2, p) for spin 0 and 2."""
    vectors, weights = _inside(nside, ring, place)
    centre, from_centre = vectors[:, 0], vectors[:, 1:]
    one, other = np.triu_indices(weights.size)
    apart = from_centre[:, one] - from_centre[:, other]
    u = (apart * apart).sum(axis=0) / 4
    to_centre = (from_centre * from_centre).sum(axis=0) / 2  # 1 - cos(distance)
    turned = np.cross(centre, from_centre, axis=0)
    # tan(A / 2) = c (n x n') / (1 + c n + c n' + n n')
    tangent = (turned[:, one] * from_centre[:, other]).sum(axis=0) / (
        4 - to_centre[one] - to_centre[other] - 2 * u)
    carried = 1 - 8 * (tangent / (1 + tangent * tangent)) ** 2  # cos(2 A)
    both = weights[one] * weights[other] * np.where(one == other, 1, 2)
    return u, np.array([both, both * carried])


@functools.lru_cache(maxsize=32)
def _distribution(nside: int) -> Tuple[np.ndarray, np.ndarray]:
    """Nodes of u, and their weights (2, nodes) for spin 0 and 2."""
    longest = 2.12 if nside > 1 else 1.6  # distances within a pixel, times nside, are less
    largest = np.sin(longest / nside / 2) ** 2
    moments = np.zeros((2, _DEGREE))
    for ring, place, share in _pixels(nside):
        u, weights = _pairs(nside, ring, place)
        values = np.polynomial.chebyshev.chebvander(2 * u / largest - 1, _DEGREE - 1)
        moments += share * (weights @ values)
    angles = np.pi * (np.arange(_DEGREE) + 0.5) / _DEGREE
    moments *= np.where(np.arange(_DEGREE) > 0, 2, 1) / _DEGREE
    return largest * (np.cos(angles) + 1) / 2, moments @ np.cos(
        np.outer(np.arange(_DEGREE), angles))


def _window(nside: int, lmax: int, spin: int) -> np.ndarray:
    """W_l (lmax + 1,); 0 below the spin.

    d^l_ss by its recurrence in differences, which keeps the digits of small u:
    (l + 1 - s^2 / (l + 1)) (d^{l+1} - d^l) = (l - s^2 / l) (d^l - d^{l-1}) - 2 u (2 l + 1) d^l.
    """
    u, weights = _distribution(nside)
    weights = weights[spin // 2]
    window = np.zeros(lmax + 1)
    d, step = (1 - u) ** spin, np.zeros_like(u)
    for l in range(spin, lmax + 1):
        window[l] = d @ weights
        before = l - spin * spin / l if l else 0.0
        step = (before * step - 2 * (2 * l + 1) * u * d) / (l + 1 - spin * spin / (l + 1))
        d = d + step
    return np.sqrt(window)


def computed(nside: int, lmax: int) -> np.ndarray:
    """Windows of temperature and polarisation, (2, lmax + 1), lmax <= 4 nside."""
    return np.array([_window(nside, lmax, 0), _window(nside, lmax, 2)])
