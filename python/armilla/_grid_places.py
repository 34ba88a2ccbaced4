"""Where the pixels of a grid are: on the sphere, and in a map. grid.py has the methods."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Tuple

import numpy as np

if TYPE_CHECKING:
    from .grid import Grid

_EVERY = slice(None)


def rounded(degrees: np.ndarray) -> np.ndarray:
    """Without the last bits that radians leave behind whole degrees."""
    near = np.round(degrees, 9)
    return np.where(np.abs(near - degrees) < 2e-13, near, degrees) + 0.0


def _numbers(nphi: np.ndarray) -> np.ndarray:
    """0, 1, ... on each ring, ring after ring."""
    return np.arange(nphi.sum()) - np.repeat(np.cumsum(nphi) - nphi, nphi)


def places(grid: "Grid", some: Any = _EVERY) -> np.ndarray:
    """Where the pixels of rings are in a map, eastward, ring after ring."""
    rings = grid.rings[some]
    nphi, number = rings["nphi"], _numbers(rings["nphi"])
    layout = grid.layout
    if layout is None or not layout.nested:
        return np.repeat(rings["offset"], nphi) + number * np.repeat(rings["stride"], nphi)
    from .healpix import ring_to_nest  # which needs the grid
    every = grid.rings["nphi"]
    ring = np.repeat((np.cumsum(every) - every)[some], nphi) + number
    return ring_to_nest((grid.nrings + 1) // 4, ring)


def directions(grid: "Grid") -> Tuple[np.ndarray, np.ndarray]:
    """Colatitudes and longitudes (npix,) in the order of a map; NaN where no pixel is."""
    rings = grid.rings
    nphi, where = rings["nphi"], places(grid)
    theta, phi = np.full(grid.npix, math.nan), np.full(grid.npix, math.nan)
    theta[where] = np.repeat(rings["theta"], nphi)
    turn = np.repeat(rings["phi0"], nphi) + 2 * math.pi * (_numbers(nphi) / np.repeat(nphi, nphi))
    turn %= 2 * math.pi
    turn[turn == 2 * math.pi] = 0  # of a longitude just below 0
    phi[where] = turn
    return theta, phi
