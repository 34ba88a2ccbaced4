"""Pixels in discs, polygons and strips.

inclusive: pixels that overlap with the region, and maybe a few more: those that hold a pixel of
nside * fact whose centre is no farther from the region than its largest radius.
"""
from __future__ import annotations

from typing import Any, Callable, Optional

import numpy as np
from numpy.typing import ArrayLike

from .. import healpix
from ._inputs import Error, Failure, integer
from .pixels import one_nside, optional_sort, ring2nest


def _fact(inclusive: bool, fact: int, nest: bool) -> int:
    """What the library takes: 0 for pixels by their centres."""
    if not inclusive:
        return 0
    fact = integer("fact", fact, 1)
    if nest and fact & (fact - 1):
        raise Error(f"fact = {fact}: must be a power of two with nest = True")
    return fact


def _found(query: Callable[..., np.ndarray], nside: int, *region: Any, nest: bool,
           buff: Optional[np.ndarray], return_ranges: bool, **more: Any) -> np.ndarray:
    n = one_nside(nside, nest)
    if n == 0:
        raise Error(f"nside = {nside}: must be one number")
    if buff is not None and return_ranges:
        raise Error("buff: Cannot use both buff and return_ranges = True")
    made = query(n, *region, nested=nest, ranges=return_ranges, **more)
    return made if buff is None else optional_sort(made, buff)


def query_disc(nside: int, vec: ArrayLike, radius: float, inclusive: bool = False, fact: int = 4,
               nest: bool = False, buff: Optional[np.ndarray] = None,
               return_ranges: bool = False) -> np.ndarray:
    """Pixels with centres within radius (radians) of the direction vec (3,), sorted.

    inclusive: also those that overlap with the disc, and maybe a few more. buff: array for the
    result. return_ranges: (n, 2), first and end of runs of pixels, instead.
    """
    try:
        return _found(healpix.query_disc, nside, vec, radius, nest=nest, buff=buff,
                      return_ranges=return_ranges, fact=_fact(inclusive, fact, nest))
    except (TypeError, ValueError) as error:
        raise error if isinstance(error, Error) else Error(
            str(error).replace("centre", "vec")) from error


def query_polygon(nside: int, vertices: ArrayLike, inclusive: bool = False, fact: int = 4,
                  nest: bool = False, buff: Optional[np.ndarray] = None,
                  return_ranges: bool = False) -> np.ndarray:
    """Pixels with centres in a convex polygon of vertices (n, 3); other arguments as query_disc."""
    try:
        return _found(healpix.query_polygon, nside, vertices, nest=nest, buff=buff,
                      return_ranges=return_ranges, fact=_fact(inclusive, fact, nest))
    except (TypeError, ValueError) as error:
        raise error if isinstance(error, Error) else Failure(str(error)) from error


def query_strip(nside: int, theta1: float, theta2: float, inclusive: bool = False,
                nest: bool = False, buff: Optional[np.ndarray] = None,
                return_ranges: bool = False) -> np.ndarray:
    """Pixels with centres at colatitudes theta1 to theta2, radians; theta1 > theta2: the pixels
    with theta >= theta1 or <= theta2. In the order of the rings, with nest, too, but for
    return_ranges. inclusive: and the next ring on each side."""
    one_nside(nside, nest)
    in_rings = nest and not return_ranges
    try:
        made = _found(healpix.query_strip, nside, theta1, theta2, nest=nest and not in_rings,
                      buff=None if in_rings else buff, return_ranges=return_ranges,
                      inclusive=inclusive)
    except (TypeError, ValueError) as error:
        raise error if isinstance(error, Error) else Error(str(error)) from error
    if not in_rings:
        return made
    made = ring2nest(nside, made)
    return made if buff is None else optional_sort(made, buff)
