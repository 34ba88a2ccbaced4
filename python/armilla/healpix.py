"""HEALPix pixels: those around a pixel, and points on its boundary.

Pixel numbers are RING, for any nside, or NESTED, for powers of two.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import pointer
from ._errors import check, whole
from ._native import ffi, lib

_INTEGERS = ffi.typeof("int64_t[]")


def _numbers(pixels: ArrayLike) -> np.ndarray:
    """Contiguous int64; TypeError for what is no integer."""
    given = np.asarray(pixels)
    if given.dtype.kind not in "iu" and given.size:
        raise TypeError(f"pixels: must be integers, not {given.dtype}")
    return np.asarray(given, dtype=np.int64, order="C")


def _integers(array: np.ndarray) -> Any:
    return ffi.from_buffer(_INTEGERS, array)


def neighbours(nside: int, pixels: ArrayLike, *, nested: bool = False) -> np.ndarray:
    """The pixels that share an edge or a corner with each of pixels (...).

    Result: (..., 8), int64, numbers in the same order: to the SW, W, NW, N, NE, E, SE, S; -1 where
    there is none (24 pixels of a map lack one; at nside 1 each lacks two).
    ValueError: a pixel or nside is out of range; TypeError: they are no integers.
    """
    given = _numbers(pixels)
    found = np.empty(given.shape + (8,), np.int64)
    check(lib.armilla_healpix_neighbours(whole("nside", nside), bool(nested), given.size,
                                         _integers(given), _integers(found)))
    return found


def boundaries(nside: int, pixels: ArrayLike, step: int = 1, *,
               nested: bool = False) -> np.ndarray:
    """Points on the boundaries of pixels (...), step on each side, 1 to 2^24.

    Result: (..., 4 step, 3), unit vectors, from the north corner to the west, south and east one.
    ValueError: a pixel, nside or step is out of range; TypeError: they are no integers.
    """
    given, step = _numbers(pixels), whole("step", step)
    points = np.empty(given.shape + (4 * max(step, 0), 3))
    check(lib.armilla_healpix_boundaries(whole("nside", nside), bool(nested), given.size,
                                         _integers(given), step, pointer(points)))
    return points
