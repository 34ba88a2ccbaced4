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


def _band_edges(theta: np.ndarray, nphi: int) -> np.ndarray:
    """Colatitudes between which the pixels of rings lie that go southward, one more than rings; as
    armilla_grid_pixels_at has them. nphi: pixels of a lone ring, whose pixels are squares."""
    if len(theta) == 1:
        north = south = 2 * math.pi / nphi
    else:
        north, south = theta[1] - theta[0], theta[-1] - theta[-2]
    to_poles = theta[0], math.pi - theta[-1]
    begin, end = (room if room <= step * (1 + 1e-9) else step / 2
                  for step, room in zip((north, south), to_poles))
    return np.r_[theta[0] - begin, (theta[:-1] + theta[1:]) / 2, theta[-1] + end]


def areas_of_rings(grid: "Grid") -> np.ndarray:
    """Area in steradians of a pixel of each ring."""
    maker, args = grid._recipe
    if maker == "_rebuild_laid_out":
        return areas_of_rings(args[0])
    if maker == "_rebuild_subset":  # whose pixels stay as large as they are
        return areas_of_rings(args[0])[args[1]:args[1] + args[2]]
    nphi = grid.rings["nphi"]
    if grid.kind == "healpix":
        return np.full(len(nphi), 4 * math.pi / nphi.sum())
    theta, band = np.unique(grid.rings["theta"], return_inverse=True)
    edges = _band_edges(theta, int(nphi[0]))
    heights = 2 * np.sin((edges[1:] + edges[:-1]) / 2) * np.sin(np.diff(edges) / 2)
    pixels = np.bincount(band, nphi)  # of all rings at one colatitude
    return (2 * math.pi * heights / pixels)[band]


def spread(grid: "Grid", of_rings: np.ndarray) -> np.ndarray:
    """A map (npix,) from one value for each ring; 0 where no pixel is."""
    made = np.zeros(grid.npix)
    made[places(grid)] = np.repeat(of_rings, grid.rings["nphi"])
    return made


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
