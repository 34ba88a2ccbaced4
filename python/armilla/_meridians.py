"""Weights of analysis_2d along meridians, as ducc0 has them where rings are more than needed.

Of order m, a column of a map on n rings, continued over the poles, is P numbers on a circle; the
parity (-1)^(m + spin) is that of the continuation. With g >= lmax + 1 and N = 4 g,

    W = E'^T I(N <- 2 g)^T D I(N <- P) E

takes columns to g + 1 rings of a Clenshaw-Curtis grid: E continues, I(N <- P) interpolates by the
common frequencies of both circles, D multiplies by the Clenshaw-Curtis weights of N / 2 + 1 rings.
The sum over those g + 1 rings is then the coefficient. All steps keep the parity, so that an even
and an odd order share a circle.

The library's own rule is the integral of lambda_lm times the interpolated column. Both give the
same numbers where the degrees lmax + P / 2 of that product do not reach beyond N / 2; else D, whose
weights end there, makes another rule, which is exact for the same maps.
"""
from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ._geometries import _COMPLEX, _good_size
from .grid import Grid

_BLOCK = 64  # an even number of orders at a time: circles of a few of them stay in the caches
_POLES = {"CC": (1, 1), "F1": (0, 0), "MW": (0, 1), "MWflip": (1, 0)}  # north, south


class Circle(NamedTuple):
    """Equidistant points of a great circle; the first lies half a step, or none, from the pole."""

    points: int
    half: int  # 1 or 0

    @classmethod
    def of(cls, geometry: str, ntheta: int) -> "Circle":
        """Through all rings of a grid."""
        north, south = _POLES[geometry]
        return cls(2 * ntheta - north - south, 1 - north)

    def mirrored(self, rings: int) -> np.ndarray:
        """The points on the other side of the rings; on a pole it is the same point."""
        return (self.points - self.half - np.arange(rings)) % self.points


def fine_rings(lmax: int) -> int:
    """The number g."""
    return _good_size(lmax + 1, _COMPLEX)


def rule(geometry: str, ntheta: int, lmax: int) -> str:
    """What gives ducc0's numbers: "library" (the plan's analysis), "weights" (those of the rings
    themselves) or "meridians" (W)."""
    if geometry not in _POLES or ntheta < 2:
        return "library"
    if geometry == "CC" and ntheta >= 2 * lmax + 2:
        return "weights"
    circle, half = Circle.of(geometry, ntheta), 2 * fine_rings(lmax)
    few = circle.points <= 2 * half and circle.points // 2 + lmax <= half + 1
    return "library" if few else "meridians"


@lru_cache(maxsize=16)
def ring_weights(nrings: int, nphi: int) -> np.ndarray:
    """Clenshaw-Curtis weights of the pixels of each ring; read-only, kept for the next call."""
    return Grid.equidistant("CC", nrings, nphi).rings["weight"]


def _frequencies(values: np.ndarray, source: Circle, target: Circle) -> np.ndarray:
    """I(target <- source) of columns (ncomp, points, orders). The last frequency of an even circle
    belongs to both signs, one half to each."""
    last = min(source.points, target.points) // 2
    given = np.fft.fft(values, axis=1, norm="forward")
    made = np.zeros((values.shape[0], target.points, values.shape[2]), given.dtype)
    turn = np.pi * (target.half / target.points - source.half / source.points)
    for sign in (1, -1):
        k = np.arange(1 if sign < 0 else 0, last + 1)
        factor = np.exp(1j * sign * turn * k)
        if min(source.points, target.points) % 2 == 0:
            factor[-1] *= 0.5
        at, place = sign * k % source.points, sign * k % target.points
        made[:, place] += factor[:, None].astype(given.dtype) * given[:, at]
    return np.fft.ifft(made, axis=1, norm="forward")


def _transposed(values: np.ndarray, source: Circle, target: Circle) -> np.ndarray:
    """I(source <- target)^T of columns on the source."""
    return _frequencies(values, source, target) * (source.points / target.points)


def _continued(columns: np.ndarray, spin: int, circle: Circle) -> np.ndarray:
    """E: columns (ncomp, rings, orders) on the circle, an even and an odd one on each; at a pole
    the mean of both sides."""
    even, odd = columns[:, :, spin % 2::2], columns[:, :, 1 - spin % 2::2]
    ncomp, rings, both = columns.shape[0], columns.shape[1], (columns.shape[2] + 1) // 2
    made = np.zeros((ncomp, circle.points, both), columns.dtype)
    mirrored = circle.mirrored(rings)
    north = made[:, :rings, :odd.shape[2]]
    made[:, :rings, :even.shape[2]] = even
    made[:, mirrored] = made[:, :rings]
    at_no_pole = mirrored != np.arange(rings)
    north[:, at_no_pole] += odd[:, at_no_pole]
    made[:, mirrored[at_no_pole], :odd.shape[2]] -= odd[:, at_no_pole]
    return made


def _folded(values: np.ndarray, spin: int, circle: Circle, made: np.ndarray) -> None:
    """E^T, to columns made (ncomp, rings, orders)."""
    rings = made.shape[1]
    mirrored = circle.mirrored(rings)
    north, south = values[:, :rings], values[:, mirrored]
    even, odd = made[:, :, spin % 2::2], made[:, :, 1 - spin % 2::2]
    even[...] = (north + south)[:, :, :even.shape[2]]
    odd[...] = (north - south)[:, :, :odd.shape[2]]  # 0 at a pole
    even[:, mirrored == np.arange(rings)] *= 0.5


class Meridians:
    """W of a grid and band limit, and its transpose, on columns of leg (ncomp, rings, orders)."""

    def __init__(self, geometry: str, ntheta: int, nphi: int, lmax: int, spin: int) -> None:
        g = fine_rings(lmax)
        self._given, self._rings, self._spin = Circle.of(geometry, ntheta), ntheta, spin
        self._fine, self._coarse = Circle(4 * g, 0), Circle(2 * g, 0)
        weight = 0.5 * ring_weights(2 * g + 1, nphi)
        weight[[0, -1]] *= 2
        self._weight = np.concatenate([weight, weight[-2:0:-1]])[:, None]
        self.theta = np.pi * np.arange(g + 1) / g  # of the rings that W takes columns to

    def _apply(self, leg: np.ndarray, forth: bool) -> np.ndarray:
        grid, coarse = (self._given, self._rings), (self._coarse, len(self.theta))
        (source, _), (target, rings) = (grid, coarse) if forth else (coarse, grid)
        made = np.empty((leg.shape[0], rings, leg.shape[2]), leg.dtype)
        for first in range(0, leg.shape[2], _BLOCK):
            part = leg[:, :, first:first + _BLOCK]
            values = _frequencies(_continued(part, self._spin, source), source, self._fine)
            values = _transposed(values * self._weight, self._fine, target)
            _folded(values, self._spin, target, made[:, :, first:first + _BLOCK])
        return made

    def to_coefficients(self, leg: np.ndarray) -> np.ndarray:
        """W: columns on the grid's rings -> columns on the rings theta."""
        return self._apply(leg, True)

    def to_grid(self, leg: np.ndarray) -> np.ndarray:
        """The transpose of W."""
        return self._apply(leg, False)
