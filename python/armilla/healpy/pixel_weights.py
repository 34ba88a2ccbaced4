"""Pixel weights, computed: with them sums over pixels are integrals up to l = 3 nside.

Weights 1 + v of the pixels p, such that for all m and 0 <= l <= 3 nside

    (4 pi / npix) sum over p of (1 + v_p) Y_lm(p) = sqrt(4 pi) where l = 0, else 0,

and sum of v_p^2 is least: v = Y x, where Y^T Y x = b is what is wrong with v = 0. These are the
weights of HEALPix' files, which were made by the same equations. By the symmetries of the grid only
even l and m = 0, 4, 8, ... have one; below nside 16 those of l = 3 nside would be more than there
are weights, or nearly.

Conjugate gradients: the highest degrees are nearly dependent, so that all digits of v take some
16 nside iterations. They end where b is matched to 1e-6; then v is that of HEALPix' files to 3e-6.
"""
from __future__ import annotations

import functools
from typing import Callable, Tuple

import numpy as np

from ._inputs import Error, plan

LARGEST = 128  # nside: some ten seconds of a processor; larger ones take minutes to hours
_TOLERANCE = 1e-6

_Operator = Callable[[np.ndarray], np.ndarray]


def _places(lmax: int) -> Tuple[np.ndarray, np.ndarray]:
    """Which coefficients have an equation, (size,), and how often each of them counts."""
    l = np.concatenate([np.arange(m, lmax + 1) for m in range(lmax + 1)])
    m = np.repeat(np.arange(lmax + 1), lmax + 1 - np.arange(lmax + 1))
    used = (l % 2 == 0) & (m % 4 == 0)
    return used, np.where(m > 0, 2.0, 1.0)[used]


def _solved(operator: _Operator, left: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """x with operator(x) = left, which is changed."""
    x, way = np.zeros_like(left), left.copy()
    square = first = counts @ left ** 2
    while square > _TOLERANCE ** 2 * first:
        change = operator(way)
        step = square / (counts @ (way * change))
        x += step * way
        left -= step * change
        before, square = square, counts @ left ** 2
        way = left + square / before * way
    return x


@functools.lru_cache(maxsize=8)
def computed(nside: int) -> np.ndarray:
    """v, (npix,); not to be written to."""
    if nside > LARGEST:
        raise Error(f"nside = {nside}: pixel weights are computed up to nside = {LARGEST}")
    lmax = 3 * nside - (2 if 1 < nside < 16 else 0)
    used, counts = _places(lmax)
    npix = 12 * nside * nside
    sht = plan(nside, lmax, lmax)

    def synthesis(x: np.ndarray) -> np.ndarray:
        alm = np.zeros(used.size, complex)
        alm[used] = x
        return np.asarray(sht.synthesis(alm))

    def adjoint(v: np.ndarray) -> np.ndarray:
        return np.asarray(sht.adjoint_synthesis(v)[used].real)

    wrong = -adjoint(np.ones(npix))
    wrong[0] += npix / np.sqrt(4 * np.pi)
    return synthesis(_solved(lambda x: adjoint(synthesis(x)), wrong, counts))
