"""Projections of the sphere as healpy's views have them, made of the library's: plane -> unit
vectors, and back. The middle is the x axis.

inverse(x, y): x to the east, y to the north; unit vectors (3, ...), NaN outside, and where there
are any. forward(vectors, east): (3, ...) -> where they stand in the picture; east -1: to the left.
NaN where they cannot be seen.
"""
from __future__ import annotations

from typing import Callable, NamedTuple, Tuple

import numpy as np

from .. import _projections

Plane = Tuple[np.ndarray, np.ndarray]


class Projection(NamedTuple):
    """Both ways."""

    inverse: Callable[[np.ndarray, np.ndarray], Plane]
    forward: Callable[[np.ndarray, int], Plane]


def _seen(vectors: np.ndarray) -> Plane:
    return vectors, ~np.isnan(vectors[0])


def _whole(name: str, unit: float = 1.0) -> Projection:
    """One of the library's, as it is; unit: of this plane, in the library's."""

    def inverse(x: np.ndarray, y: np.ndarray) -> Plane:
        return _seen(_projections.inverse(name, np.multiply(x, unit), np.multiply(y, unit)))

    def forward(v: np.ndarray, east: int) -> Plane:
        x, y = _projections.forward(name, v)
        return east * x / unit, y / unit

    return Projection(inverse, forward)


cartesian = _whole("equirectangular", np.pi / 180)  # longitude and latitude, degrees
mollweide = _whole("mollweide")  # |x| <= 2, |y| <= 1
gnomonic = _whole("gnomonic")


def orthographic(half_sky: bool) -> Projection:
    """One disc, or two: the front on the left, the back on the right, which is the front of the
    sphere after half a turn about the z axis."""
    disc = _whole("orthographic")
    if half_sky:
        return disc

    def inverse(x: np.ndarray, y: np.ndarray) -> Plane:
        east = -1.0 if x[0, 0] > x[0, -1] else 1.0
        front = x * east < 0
        vectors = _projections.inverse("orthographic", x + np.where(front, east, -east), y)
        vectors[:2] *= np.where(front, 1.0, -1.0)
        return _seen(vectors)

    def forward(v: np.ndarray, east: int) -> Plane:
        front = v[0] >= 0
        sign = np.where(front, 1.0, -1.0)
        x, y = disc.forward(np.stack([sign * v[0], sign * v[1], v[2]]), east)
        return x - sign, y

    return Projection(inverse, forward)


def azimuthal(lamb: bool, half_sky: bool) -> Projection:
    """Distances from the middle kept (radians), or (lamb) areas."""
    whole = _whole("lambert" if lamb else "equidistant")
    if not half_sky:
        return whole

    def inverse(x: np.ndarray, y: np.ndarray) -> Plane:
        vectors, inside = whole.inverse(x, y)
        return vectors, inside & (vectors[0] >= 0)

    def forward(v: np.ndarray, east: int) -> Plane:
        x, y = whole.forward(v, east)
        return np.where(v[0] >= 0, x, np.nan), np.where(v[0] >= 0, y, np.nan)

    return Projection(inverse, forward)
