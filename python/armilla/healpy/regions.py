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
    """Pixels with centres within radius (radians) of the direction vec (3,), sorted.

    inclusive: also those that overlap with the disc, and maybe a few more. buff: array for the
    result. return_ranges: (n, 2), first and end of runs of pixels, instead.
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
    """Pixels with centres in a convex polygon of vertices (n, 3); other arguments as query_disc."""
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
    """Pixels with centres at colatitudes theta1 to theta2, radians; theta1 > theta2: the pixels
    with theta >= theta1 or <= theta2. In the order of the rings, with nest, too, but for
    return_ranges. inclusive: and the next ring on each side."""
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
