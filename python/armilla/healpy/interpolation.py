"""Bilinear interpolation in pixels, and neighbours.

Along each of the two rings next to a direction linear in phi, then linear in theta; beyond the
first and last ring the mean of the four pixels of that ring stands at the pole.
"""
from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from .. import healpix
from ._inputs import UNSEEN, Error, Maps, integer, is_sequence, nside_of, read_maps
from .pixels import ang2pix, colatitude, pix2ang, ring2nest, rings
from .sizes import check_nside, nside2npix

_BLOCK = 8192  # pixels: 512 KB of neighbours


def _on_ring(nside: int, i: np.ndarray, phi: np.ndarray) -> Tuple[np.ndarray, np.ndarray, Any]:
    """Two pixels (2, ...) of ring i next to phi, their weights, and theta of the ring."""
    ring = rings(nside, i)
    place = phi / (2 * np.pi / ring.length) - ring.shift
    left = np.floor(place).astype(np.int64)
    part = place - left
    pix = ring.start + np.stack([left, left + 1]) % ring.length
    return pix, np.stack([1 - part, part]), ring.theta


def _weights(nside: int, theta: np.ndarray, phi: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """RING pixels (4, ...) and weights (4, ...)."""
    z = np.cos(theta)
    cap = np.floor(nside * np.sqrt(3 * np.maximum(1 - np.abs(z), 0))).astype(np.int64)
    above = np.where(np.abs(z) <= 2 / 3.0, np.floor(nside * (2 - 1.5 * z)).astype(np.int64),
                     np.where(z > 0, cap, 4 * nside - cap - 1))
    last = 4 * nside - 1
    phi = np.mod(phi, 2 * np.pi)
    top, top_weight, top_theta = _on_ring(nside, np.maximum(above, 1), phi)
    low, low_weight, low_theta = _on_ring(nside, np.minimum(above + 1, last), phi)
    north, south = above == 0, above == last
    first, length = np.where(north, 0.0, top_theta), np.where(south, np.pi, low_theta)
    part = (theta - first) / (length - first)
    base = 12 * nside * nside - 4
    top = np.where(north, (low + 2) & 3, top)
    low = np.where(south, ((top - base + 2) & 3) + base, low)
    top_weight = np.where(north, 0.0, top_weight) * (1 - part)
    low_weight = np.where(south, 0.0, low_weight) * part
    quarter = np.where(north, (1 - part) / 4, 0) + np.where(south, part / 4, 0)
    return np.concatenate([top, low]), np.concatenate([top_weight, low_weight]) + quarter


def get_interp_weights(nside: int, theta: ArrayLike, phi: Optional[ArrayLike] = None,
                       nest: bool = False, lonlat: bool = False) -> Tuple[np.ndarray, np.ndarray]:
    """Four pixels (4, ...) next to directions, and their weights (4, ...).

    theta, phi: radians; lonlat: longitude and latitude in degrees; phi None: theta are pixels.
    """
    check_nside(nside, nest)
    if phi is None:
        theta, phi = pix2ang(nside, theta, nest)
    else:
        theta, phi = colatitude(theta, phi, lonlat)
    theta, phi = np.broadcast_arrays(theta, phi)
    pix, weights = _weights(nside, theta, phi)
    return (ring2nest(nside, pix) if nest else pix), weights


def interpolate(maps: Maps, theta: np.ndarray, phi: np.ndarray) -> np.ndarray:
    """Values (n, ...) of maps; UNSEEN where a pixel is missing that has a weight."""
    pix, weights = get_interp_weights(maps.nside, theta, phi)
    made = np.einsum("i...,ni...->n...", weights, maps.values[:, pix])
    for row, missing in zip(made, maps.missing):
        if missing is not None:
            row[(missing[pix] & (weights > 1e-15)).any(axis=0)] = UNSEEN
    return made


def get_interp_val(m: Any, theta: ArrayLike, phi: ArrayLike, nest: bool = False,
                   lonlat: bool = False) -> Any:
    """Interpolated values (...) of a map, or (n, ...) of n maps; as in healpy dimensions of length
    1 are dropped from the result.

    UNSEEN pixels are numbers like all others, as in healpy; give a masked array (see ma) to leave
    missing pixels out: then the weights of the others are scaled to a sum of 1.
    """
    rows = list(m) if is_sequence(m) else [m]
    nside = nside_of(len(rows[0]))
    pix, weights = get_interp_weights(nside, theta, phi, nest, lonlat)
    made = [_mean(row, pix, weights) for row in rows]
    if any(np.ma.isMA(row) for row in made):
        return np.ma.stack(made).squeeze()[()]
    return np.array(made).squeeze()[()]


def _mean(row: Any, pix: np.ndarray, weights: np.ndarray) -> Any:
    if not isinstance(row, np.ma.MaskedArray):
        return (np.asarray(row)[pix] * weights).sum(axis=0)
    good = ~np.ma.getmaskarray(row)[pix]
    values = np.where(good, np.ma.getdata(row)[pix], 0)
    total = (weights * good).sum(axis=0)
    mean = (values * weights).sum(axis=0) / np.where(total > 0, total, 1)
    return np.ma.masked_array(mean, total <= 0, fill_value=UNSEEN)[()]


def _around(nside: int, pix: np.ndarray, nest: bool) -> np.ndarray:
    """Neighbours (8, ...): in blocks, so that turning the axes stays in the cache."""
    flat = pix.reshape(-1)
    found = np.empty((8, flat.size), np.int64)
    for start in range(0, flat.size, _BLOCK):
        block = slice(start, start + _BLOCK)
        found[:, block] = healpix.neighbours(nside, flat[block], nested=nest).T
    return found.reshape((8,) + pix.shape)


def get_all_neighbours(nside: int, theta: ArrayLike, phi: Optional[ArrayLike] = None,
                       nest: bool = False, lonlat: bool = False) -> np.ndarray:
    """The 8 pixels around each: SW, W, NW, N, NE, E, SE, S; -1 where there is none: (8, ...).

    Arguments as in get_interp_weights: theta and phi, or theta alone: pixels. nside may be an array
    as well. What is no pixel raises an error (healpy returns other numbers).
    """
    check_nside(nside, nest)
    pix = np.asarray(theta if phi is None else ang2pix(nside, theta, phi, nest, lonlat))
    if pix.size and pix.dtype.kind not in "iu":
        raise Error(f"theta: has type {pix.dtype}; pixel numbers must be integers")
    if np.any((pix < 0) | (pix >= nside2npix(np.asarray(nside)))):
        raise Error(f"theta: pixel numbers must be 0 to 12 nside^2 - 1, nside = {nside}")
    if np.ndim(nside) == 0:
        return _around(int(nside), pix, nest)
    sides, pix = np.broadcast_arrays(nside, pix)
    found = np.empty((8,) + pix.shape, np.int64)
    for n in np.unique(sides):
        here = sides == n
        found[:, here] = _around(int(n), pix[here], nest)
    return found


def boundaries(nside: int, pix: ArrayLike, step: int = 1, nest: bool = False) -> np.ndarray:
    """Unit vectors of points on the boundaries of pixels, step >= 1 on each side: (3, 4 step), or
    (n, 3, 4 step) for pix (n,). The first is the north corner, then westward."""
    check_nside(nside, nest)
    if np.ndim(pix) > 1:
        raise Error(f"pix: has shape {np.shape(pix)}, must be one number or (n,)")
    try:
        points = healpix.boundaries(integer("nside", nside), pix, integer("step", step, 1),
                                    nested=nest)
    except (TypeError, ValueError) as error:
        raise Error(str(error).replace("pixels", "pix")) from error
    return np.ascontiguousarray(np.moveaxis(points, -1, -2))


def hotspots(m: Any) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Local extrema of a map (npix,), RING: larger, or smaller, than all 8 (7) neighbours.

    Missing pixels are none, and do not count as neighbours. Result: the map with UNSEEN elsewhere;
    pixel numbers of minima; of maxima.
    """
    given = read_maps(m)
    if not given.single:
        raise Error("m: must be one map (npix,)")
    values, missing = given.values[0].copy(), given.missing[0]
    if missing is not None:
        values[missing] = np.nan
    around = get_all_neighbours(given.nside, np.arange(values.size))
    neighbours = np.where(around >= 0, values[around], np.nan)
    minima = np.flatnonzero(values < np.fmin.reduce(neighbours))
    maxima = np.flatnonzero(values > np.fmax.reduce(neighbours))
    made = np.full(values.shape, UNSEEN)
    for pixels in (minima, maxima):
        made[pixels] = values[pixels]
    return made, minima, maxima
