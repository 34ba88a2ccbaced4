"""Sizes and shapes of HEALPix maps: healpy's names for arithmetic on nside and npix."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._inputs import Error, integer, is_sequence, nside_of

_LARGEST = 2 ** 29  # the largest nside whose pixel numbers fit in 64 bits


def isnsideok(nside: Any, nest: bool = False) -> Any:
    """Whether nside (number or array) is one: a positive integer, for nest a power of two."""
    n = np.asarray(nside)
    ok = (n == np.floor(n)) & (n > 0) & (n <= _LARGEST)
    if nest:
        whole = np.where(ok, n, 1).astype(np.int64)
        ok = ok & (whole & (whole - 1) == 0)
    return ok if ok.ndim else bool(ok)


def check_nside(nside: Any, nest: bool = False) -> None:
    """Raises an error unless isnsideok."""
    if not np.all(isnsideok(nside, nest)):
        raise Error(f"nside = {nside}: must be {'a power of two' if nest else 'an integer'} from 1 "
                    f"to 2**29")


def check_max_nside(nside: int) -> int:
    """0; an error for nside > 8192, the largest that healpy transforms."""
    if nside > 8192:
        raise Error(f"nside = {nside}: must be at most 8192")
    return 0


def nside2npix(nside: Any) -> Any:
    """12 nside^2."""
    return 12 * nside * nside


def npix2nside(npix: int) -> int:
    """nside of a map of npix pixels; 0 of 0."""
    return 0 if npix == 0 else nside_of(int(npix))


def nside2order(nside: int) -> int:
    """log2(nside)."""
    check_nside(nside, nest=True)
    return int(nside).bit_length() - 1


def order2nside(order: int) -> int:
    """2^order."""
    order = integer("order", order)
    if not 0 <= order <= 29:
        raise Error(f"order = {order}: must be 0 to 29")
    return 1 << int(order)


def order2npix(order: int) -> int:
    """12 * 4^order."""
    return nside2npix(order2nside(order))


def npix2order(npix: int) -> int:
    """log2(nside) of a map of npix pixels."""
    return nside2order(npix2nside(npix))


def isnpixok(npix: Any) -> Any:
    """Whether npix (number or array) is 12 nside^2."""
    nside = np.sqrt(np.asarray(npix) / 12.0)
    return nside == np.floor(nside)


def nside2pixarea(nside: Any, degrees: bool = False) -> Any:
    """Area of a pixel in steradians, or square degrees."""
    area = 4 * np.pi / nside2npix(nside)
    return np.rad2deg(np.rad2deg(area)) if degrees else area


def nside2resol(nside: Any, arcmin: bool = False) -> Any:
    """Square root of the area of a pixel in radians, or arcminutes."""
    side = np.sqrt(nside2pixarea(nside))
    return np.rad2deg(side) * 60 if arcmin else side


def maptype(m: Any) -> int:
    """0 for one map, n for a sequence of n maps; an error for anything else."""
    if not hasattr(m, "__len__"):
        raise Error("map: is a scalar")
    if len(m) == 0:
        raise Error("map: is empty")
    if not is_sequence(m):
        nside_of(len(m))
        return 0
    if len({len(row) for row in m}) != 1:
        raise Error("map: the maps of a sequence must have one size")
    nside_of(len(m[0]))
    return len(m)


def get_min_valid_nside(npix: int) -> int:
    """The smallest power of two that has at least npix pixels."""
    nside = 1
    while 12 * nside * nside < npix:
        nside *= 2
    return nside


def get_map_size(m: Any) -> int:
    """npix of a map, or of a dictionary of pixels (its nside, or the smallest power of
    two that holds it)."""
    if isinstance(m, dict):
        if "nside" in m:
            return nside2npix(m["nside"])
        if hasattr(m, "nside"):
            return nside2npix(m.nside)
        return nside2npix(get_min_valid_nside(max(m) + 1))
    nside_of(len(m))
    return len(m)


def get_nside(m: Any) -> int:
    """nside of a map or of a sequence of maps."""
    return nside_of(len(m) if maptype(m) == 0 else len(m[0]))
