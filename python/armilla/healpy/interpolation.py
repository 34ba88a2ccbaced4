"""Bilinear interpolation in pixels, and neighbours.

Along each of the two rings next to a direction linear in phi, then linear in theta; beyond the
first and last ring the mean of the four pixels of that ring stands at the pole.
"""
from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from .. import healpix
from ._inputs import UNSEEN, Error, Maps, in_radians, integer, is_sequence, nside_of, read_maps
from .pixels import _workers, ang2pix, colatitude, one_nside, pix2ang
from .sizes import nside2npix


def get_interp_weights(nside: int, theta: ArrayLike, phi: Optional[ArrayLike] = None,
                       nest: bool = False, lonlat: bool = False) -> Tuple[np.ndarray, np.ndarray]:
    """Return the four pixels next to directions, and their weights in an interpolation.

    Parameters
    ----------
    %(nside)s
    %(arguments.theta_or_pixels)s

    %(Returns.pixels+weights)s

    %(Raises.number)s
    """
    n = one_nside(nside, nest)
    if n == 0:
        raise Error(f"nside = {nside}: must be one number")
    if phi is None:
        theta, phi = pix2ang(n, theta, nest)
    elif lonlat:
        theta, phi = in_radians(theta, phi, True)
    workers = _workers(theta)
    try:
        return healpix.interpolation_weights(n, theta, phi, nested=nest, nthreads=workers)
    except ValueError:
        theta, phi = colatitude(theta, phi, words_of_latitude=lonlat)
    return healpix.interpolation_weights(n, theta, phi, nested=nest, nthreads=workers)


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
    """Interpolate a map linearly between its pixels.

    Parameters
    ----------
    m : array_like, shape (npix,) or (n, npix)
        One map, or several. UNSEEN pixels are numbers like all others, as in healpy. A masked
        array leaves missing pixels out: the weights of the others are scaled to a sum of 1.
    %(theta.to_pi)s
    %(phi.lonlat)s
    %(nest.map)s
    %(lonlat.given)s

    Returns
    -------
    float64, ndarray or MaskedArray, shape (...) or (n, ...)
        The values. As in healpy, axes of length 1 are dropped.

    %(Raises.number)s

    See Also
    --------
    armilla.interpolate : Values of the band-limited field that a map samples.

    Examples
    --------
    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> z = hp.pix2vec(64, np.arange(hp.nside2npix(64)))[2]
    >>> bool(abs(hp.get_interp_val(z, 1.0, 2.0) - np.cos(1.0)) < 1e-3)
    True
    """
    rows = list(m) if is_sequence(m) else [m]
    nside = one_nside(nside_of(len(rows[0])), nest)
    if any(len(row) != len(rows[0]) for row in rows):
        raise Error("m: the maps of a sequence must have one size")
    theta, phi = _directions(theta, phi, lonlat)
    pix: Any = None
    weights: Any = None
    made = []
    for row in rows:
        if type(row) is np.ndarray and row.dtype.char in "fd" and row.dtype.isnative:
            made.append(healpix.interpolate(row, theta, phi, nested=nest, nthreads=_workers(theta)))
            continue
        if pix is None:
            pix, weights = healpix.interpolation_weights(nside, theta, phi, nested=nest,
                                                         nthreads=_workers(theta))
        made.append(_mean(row, pix, weights))
    if any(np.ma.isMA(row) for row in made):
        return np.ma.stack(made).squeeze()[()]
    return np.array(made).squeeze()[()]


def _directions(theta: ArrayLike, phi: ArrayLike, lonlat: bool) -> Tuple[np.ndarray, np.ndarray]:
    """Colatitudes and longitudes that the library takes."""
    theta, phi = in_radians(theta, phi, lonlat)
    low, high = (theta.min(), theta.max()) if theta.size else (0.0, 0.0)
    if not (low >= 0 and high <= np.pi and np.isfinite(phi).all()):
        theta, phi = colatitude(theta, phi, words_of_latitude=lonlat)
    return theta, phi


def _mean(row: Any, pix: np.ndarray, weights: np.ndarray) -> Any:
    if not isinstance(row, np.ma.MaskedArray):
        return (np.asarray(row)[pix] * weights).sum(axis=0)
    good = ~np.ma.getmaskarray(row)[pix]
    values = np.where(good, np.ma.getdata(row)[pix], 0)
    total = (weights * good).sum(axis=0)
    mean = (values * weights).sum(axis=0) / np.where(total > 0, total, 1)
    return np.ma.masked_array(mean, total <= 0, fill_value=UNSEEN)[()]


def get_all_neighbours(nside: int, theta: ArrayLike, phi: Optional[ArrayLike] = None,
                       nest: bool = False, lonlat: bool = False) -> np.ndarray:
    """Return the eight neighbours of pixels.

    Parameters
    ----------
    nside : int or array_like
        Resolution.
    %(arguments.theta_or_pixels)s

    Returns
    -------
    ndarray of int64, shape (8, ...)
        The pixels to the SW, W, NW, N, NE, E, SE and S; -1 where there is none.

    Raises
    ------
    ValueError
        If a number is out of range; healpy returns other numbers for what is no pixel.
    """
    n = one_nside(nside, nest)
    pix = np.asarray(theta if phi is None else ang2pix(nside, theta, phi, nest, lonlat))
    if pix.size and pix.dtype.kind not in "iu":
        raise Error(f"theta: has type {pix.dtype}; pixel numbers must be integers")
    if n:
        try:
            return healpix.neighbours(n, pix, nested=nest, axis=0, nthreads=_workers(pix))
        except ValueError as error:
            raise Error(f"theta: pixel numbers must be 0 to 12 nside^2 - 1, nside = {nside}: "
                        f"{error}") from error
    if np.any((pix < 0) | (pix >= nside2npix(np.asarray(nside)))):
        raise Error(f"theta: pixel numbers must be 0 to 12 nside^2 - 1, nside = {nside}")
    sides, pix = np.broadcast_arrays(nside, pix)
    found = np.empty((8,) + pix.shape, np.int64)
    for one in np.unique(sides):
        here = sides == one
        found[:, here] = healpix.neighbours(int(one), pix[here], nested=nest, axis=0)
    return found


def boundaries(nside: int, pix: ArrayLike, step: int = 1, nest: bool = False) -> np.ndarray:
    """Return points on the boundaries of pixels.

    Parameters
    ----------
    %(nside)s
    pix : int or array_like of int, shape (n,)
        Pixel numbers.
    step : int, optional
        Number of points on each side, 1 or more.
    %(nest)s

    Returns
    -------
    ndarray, shape (3, 4 step) or (n, 3, 4 step)
        Unit vectors, from the north corner westward.

    %(Raises.number)s
    """
    n = one_nside(nside, nest)
    if n == 0:
        raise Error(f"nside = {nside}: must be one number")
    step = step if step.__class__ is int and step > 0 else integer("step", step, 1)
    try:
        if isinstance(pix, (int, np.integer)):
            return healpix._one_boundary(n, int(pix), step, nest).T.copy()
        if np.ndim(pix) > 1:
            raise Error(f"pix: has shape {np.shape(pix)}, must be one number or (n,)")
        points = healpix.boundaries(n, pix, step, nested=nest)
    except (TypeError, ValueError) as error:
        raise Error(str(error).replace("pixels", "pix")) from error
    return np.ascontiguousarray(points.swapaxes(-1, -2))


def hotspots(m: Any) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find the local extrema of a map.

    Parameters
    ----------
    m : array_like, shape (npix,)
        A map in RING order. Missing pixels are no extrema, and do not count as neighbours.

    Returns
    -------
    map : ndarray, shape (npix,)
        The map at its extrema, and UNSEEN elsewhere.
    minima : ndarray of int
        Pixels that are smaller than all their neighbours.
    maxima : ndarray of int
        Pixels that are larger than all their neighbours.

    %(Raises.one_map)s
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
