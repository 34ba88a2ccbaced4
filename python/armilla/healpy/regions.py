"""Pixels in discs, polygons and strips.

inclusive: pixels that overlap with the region, and maybe a few more: those that hold a pixel of
nside * fact whose centre is no farther from the region than its largest radius.
"""
from __future__ import annotations

from typing import Optional

import numpy as np
from numpy.typing import ArrayLike

from .. import healpix
from .._arrays import angle
from ._inputs import Error, Failure, integer
from .pixels import one_nside, optional_sort, ring2nest
from .sizes import _LARGEST


def _fact(fact: int, nest: bool) -> int:
    if fact.__class__ is not int or fact < 1:
        fact = integer("fact", fact, 1)
    if nest and fact & (fact - 1):
        raise Error(f"fact = {fact}: must be a power of two with nest = True")
    return fact


def _filled(buff: np.ndarray, return_ranges: bool, found: np.ndarray) -> np.ndarray:
    if return_ranges:
        raise Error("buff: Cannot use both buff and return_ranges = True")
    return optional_sort(found, buff)


def query_disc(nside: int, vec: ArrayLike, radius: float, inclusive: bool = False, fact: int = 4,
               nest: bool = False, buff: Optional[np.ndarray] = None,
               return_ranges: bool = False) -> np.ndarray:
    """Find the pixels in a disc.

    Parameters
    ----------
    %(nside.any)s
    vec : array_like, shape (3,)
        Vector to the centre, of any length but 0.
    %(radius)s
    inclusive : bool, optional
        Whether all pixels that overlap with the disc are found, and maybe a few more. By default
        only pixels are found whose centres lie in it.
    fact : int, optional
        With `inclusive`, each pixel is judged by fact^2 parts of it; a power of two with `nest`.
    %(nest)s
    buff : ndarray of int64, optional
        Array for the result; the part of it that is filled is returned.
    %(return_ranges)s

    %(Returns.pixels_or_runs)s

    Raises
    ------
    ValueError
        If a number is out of range, or `buff` is too short.

    See Also
    --------
    query_strip : Pixels between two colatitudes.
    query_polygon : Pixels in a convex polygon.

    Examples
    --------
    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> disc = hp.query_disc(64, hp.ang2vec(0.0, 0.0), np.radians(5))
    >>> disc.size, disc[:4]
    (84, array([0, 1, 2, 3]))
    """
    if buff is not None:
        return _filled(buff, return_ranges, query_disc(nside, vec, radius, inclusive, fact, nest))
    radius = radius if radius.__class__ is float else angle("radius", radius)
    try:
        if nside.__class__ is int and 0 < nside <= _LARGEST and not (inclusive or nest):
            return healpix._disc(nside, vec, radius, 0, False, return_ranges)
        return healpix._disc(one_nside(nside, nest), vec, radius,
                             _fact(fact, nest) if inclusive else 0, nest, return_ranges)
    except (TypeError, ValueError) as error:
        raise error if isinstance(error, Error) else Error(
            str(error).replace("centre", "vec")) from error


def query_polygon(nside: int, vertices: ArrayLike, inclusive: bool = False, fact: int = 4,
                  nest: bool = False, buff: Optional[np.ndarray] = None,
                  return_ranges: bool = False) -> np.ndarray:
    """Find the pixels in a convex polygon.

    Parameters
    ----------
    %(nside.any)s
    vertices : array_like, shape (n, 3)
        Vectors to the corners, three or more.
    inclusive : bool, optional
        Whether all pixels that overlap with the polygon are found, and maybe a few more.
    fact : int, optional
        With `inclusive`, each pixel is judged by fact^2 parts of it.
    %(nest)s
    buff : ndarray of int64, optional
        Array that the result is written to.
    %(return_ranges)s

    %(Returns.pixels_or_runs)s

    Raises
    ------
    ValueError
        If a number is out of range; a polygon that is not convex gives a RuntimeError as well.
    """
    if buff is not None:
        return _filled(buff, return_ranges, query_polygon(nside, vertices, inclusive, fact, nest))
    try:
        return healpix.query_polygon(one_nside(nside, nest), vertices, nested=nest,
                                     fact=_fact(fact, nest) if inclusive else 0,
                                     ranges=return_ranges)
    except (TypeError, ValueError) as error:
        raise error if isinstance(error, Error) else Failure(str(error)) from error


def query_strip(nside: int, theta1: float, theta2: float, inclusive: bool = False,
                nest: bool = False, buff: Optional[np.ndarray] = None,
                return_ranges: bool = False) -> np.ndarray:
    """Find the pixels between two colatitudes.

    Parameters
    ----------
    %(nside.any)s
    theta1 : float
        First colatitude in radians.
    theta2 : float
        Second colatitude in radians. If it is smaller than the first, the pixels with theta >=
        theta1 or theta <= theta2 are found.
    inclusive : bool, optional
        Whether the next ring on each side is included.
    %(nest)s
    buff : ndarray of int64, optional
        Array that the result is written to.
    %(return_ranges)s

    Returns
    -------
    ndarray of int64, shape (n,) or (n, 2)
        Pixel numbers ring by ring, also with `nest`; or the first pixel of each run and the one
        after its last.

    %(Raises.number)s
    """
    if buff is not None:
        return _filled(buff, return_ranges, query_strip(nside, theta1, theta2, inclusive, nest))
    one = one_nside(nside, nest)
    try:
        theta1, theta2 = angle("theta1", theta1), angle("theta2", theta2)
        if nest and not return_ranges:
            return ring2nest(one, healpix._strip(one, theta1, theta2, inclusive, False, False))
        return healpix._strip(one, theta1, theta2, inclusive, nest, return_ranges)
    except (TypeError, ValueError) as error:
        raise error if isinstance(error, Error) else Error(str(error)) from error
