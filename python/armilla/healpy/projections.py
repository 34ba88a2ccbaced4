"""Projections of the sphere: plane -> unit vectors, and back. The middle is the x axis.

inverse(x, y): x to the east, y to the north; unit vectors (3, ...), and where there are any.
forward(vectors, east): (3, ...) -> where they stand in the picture; east -1: to the left. NaN
where they cannot be seen.
"""
from __future__ import annotations

from typing import Callable, NamedTuple, Tuple

import numpy as np

Plane = Tuple[np.ndarray, np.ndarray]


class Projection(NamedTuple):
    """Both ways."""

    inverse: Callable[[np.ndarray, np.ndarray], Plane]
    forward: Callable[[np.ndarray, int], Plane]


def _from_cartesian(x: np.ndarray, y: np.ndarray) -> Plane:
    lon, lat = np.radians(x), np.radians(y)
    directions = np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
    return directions, np.abs(y) <= 90


def _to_cartesian(v: np.ndarray, east: int) -> Plane:
    lat = np.arctan2(v[2], np.hypot(v[0], v[1]))
    return east * np.degrees(np.arctan2(v[1], v[0])), np.degrees(lat)


cartesian = Projection(_from_cartesian, _to_cartesian)  # longitude and latitude, degrees


def _from_mollweide(x: np.ndarray, y: np.ndarray) -> Plane:
    inside = x * x / 4 + y * y <= 1
    angle = np.arcsin(np.clip(y, -1, 1))
    z = np.clip((2 * angle + np.sin(2 * angle)) / np.pi, -1, 1)
    lon = np.pi * x / (2 * np.maximum(np.cos(angle), 1e-12))
    sine = np.sqrt(1 - z * z)
    return np.stack([sine * np.cos(lon), sine * np.sin(lon), z]), inside


def _to_mollweide(v: np.ndarray, east: int) -> Plane:
    """2 t + sin 2t = pi z by bisection: it is flat at the poles."""
    low, high = np.full(v[2].shape, -np.pi / 2), np.full(v[2].shape, np.pi / 2)
    for _ in range(52):
        middle = (low + high) / 2
        is_low = 2 * middle + np.sin(2 * middle) < np.pi * v[2]
        low, high = np.where(is_low, middle, low), np.where(is_low, high, middle)
    return east * np.arctan2(v[1], v[0]) * (2 / np.pi) * np.cos(low), np.sin(low)


mollweide = Projection(_from_mollweide, _to_mollweide)  # |x| <= 2, |y| <= 1


def _from_gnomonic(x: np.ndarray, y: np.ndarray) -> Plane:
    length = np.sqrt(1 + x * x + y * y)
    return np.stack([1 / length, x / length, y / length]), np.ones(x.shape, bool)


def _to_gnomonic(v: np.ndarray, east: int) -> Plane:
    depth = np.where(v[0] > 1e-3, v[0], np.nan)
    return east * v[1] / depth, v[2] / depth


gnomonic = Projection(_from_gnomonic, _to_gnomonic)


def orthographic(half_sky: bool) -> Projection:
    """One disc, or two: the front on the left, the back on the right."""

    def inverse(x: np.ndarray, y: np.ndarray) -> Plane:
        east = -1.0 if x[0, 0] > x[0, -1] else 1.0
        front = np.ones(x.shape, bool) if half_sky else x * east < 0
        u = x if half_sky else x + np.where(front, east, -east)
        depth = np.sqrt(np.maximum(1 - u * u - y * y, 0))
        vectors = np.stack([np.where(front, depth, -depth), np.where(front, u, -u), y])
        return vectors, u * u + y * y <= 1

    def forward(v: np.ndarray, east: int) -> Plane:
        if half_sky:
            return np.where(v[0] >= 0, east * v[1], np.nan), v[2] + 0
        return np.where(v[0] >= 0, -1 + east * v[1], 1 - east * v[1]), v[2] + 0

    return Projection(inverse, forward)


def azimuthal(lamb: bool, half_sky: bool) -> Projection:
    """Distances from the middle kept (radians), or (lamb) areas."""

    def inverse(x: np.ndarray, y: np.ndarray) -> Plane:
        radius = np.hypot(x, y)
        angle = 2 * np.arcsin(np.minimum(radius / 2, 1)) if lamb else radius
        inside = (radius <= 2) if lamb else (radius <= np.pi)
        if half_sky:
            inside &= angle <= np.pi / 2
        sine = np.sinc(angle / np.pi) * angle / np.where(radius > 0, radius, 1)
        return np.stack([np.cos(angle), sine * x, sine * y]), inside

    def forward(v: np.ndarray, east: int) -> Plane:
        sine = np.hypot(v[1], v[2])
        angle = np.arctan2(sine, v[0])
        radius = 2 * np.sin(angle / 2) if lamb else angle
        scale = radius / np.where(sine > 0, sine, 1)
        if half_sky:
            scale = np.where(v[0] >= 0, scale, np.nan)
        return east * scale * v[1], scale * v[2]

    return Projection(inverse, forward)
