"""Sizes and shapes of HEALPix maps: healpy's names for arithmetic on nside and npix."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._inputs import Error, integer, is_sequence, nside_of

_LARGEST = 2 ** 29  # the largest nside whose pixel numbers fit in 64 bits


def isnsideok(nside: Any, nest: bool = False) -> Any:
    """Tell whether numbers are values of nside.

    Parameters
    ----------
    nside : int or array_like
        Numbers.
    nest : bool, optional
        Whether they must be powers of two.

    Returns
    -------
    bool or ndarray of bool
        True for integers from 1 to 2^29.
    """
    n = np.asarray(nside)
    ok = (n == np.floor(n)) & (n > 0) & (n <= _LARGEST)
    if nest:
        whole = np.where(ok, n, 1).astype(np.int64)
        ok = ok & (whole & (whole - 1) == 0)
    return ok if ok.ndim else bool(ok)


def check_nside(nside: Any, nest: bool = False) -> None:
    """Raise an error unless isnsideok.

    Parameters
    ----------
    nside : int or array_like
        Numbers.
    nest : bool, optional
        Whether they must be powers of two.

    Raises
    ------
    ValueError
        If one is not an nside.
    """
    if not np.all(isnsideok(nside, nest)):
        raise Error(f"nside = {nside}: must be {'a power of two' if nest else 'an integer'} from 1 "
                    f"to 2**29")


def check_max_nside(nside: int) -> int:
    """Raise an error for an nside beyond 8192, the largest that healpy transforms.

    Parameters
    ----------
    %(nside)s

    Returns
    -------
    int
        0.

    Raises
    ------
    ValueError
        If `nside` is larger.
    """
    if nside > 8192:
        raise Error(f"nside = {nside}: must be at most 8192")
    return 0


def nside2npix(nside: Any) -> Any:
    """Return the number of pixels of a map.

    Parameters
    ----------
    %(nside.array)s

    Returns
    -------
    int or ndarray
        12 nside^2.

    Examples
    --------
    >>> import armilla.healpy as hp
    >>> hp.nside2npix(512)
    3145728
    """
    return 12 * nside * nside


def npix2nside(npix: int) -> int:
    """Return nside of a map.

    Parameters
    ----------
    %(npix)s

    Returns
    -------
    int
        The resolution; 0 for 0 pixels.

    %(Raises.npix)s
    """
    return 0 if npix == 0 else nside_of(int(npix))


def nside2order(nside: int) -> int:
    """Return the order of a resolution: the exponent of the power of two.

    Parameters
    ----------
    %(nside.power_of_two)s

    Returns
    -------
    int
        log2(nside).

    Raises
    ------
    ValueError
        If `nside` is not a power of two.
    """
    check_nside(nside, nest=True)
    return int(nside).bit_length() - 1


def order2nside(order: int) -> int:
    """Return the resolution of an order.

    Parameters
    ----------
    order : int
        Order, 0 to 29.

    Returns
    -------
    int
        2^order.

    Raises
    ------
    ValueError
        If `order` is out of range.
    """
    order = integer("order", order)
    if not 0 <= order <= 29:
        raise Error(f"order = {order}: must be 0 to 29")
    return 1 << int(order)


def order2npix(order: int) -> int:
    """Return the number of pixels of an order.

    Parameters
    ----------
    order : int
        Order, 0 to 29.

    Returns
    -------
    int
        12 times 4^order.

    Raises
    ------
    ValueError
        If `order` is out of range.
    """
    return nside2npix(order2nside(order))


def npix2order(npix: int) -> int:
    """Return the order of a map.

    Parameters
    ----------
    %(npix)s

    Returns
    -------
    int
        log2(nside).

    Raises
    ------
    ValueError
        If no HEALPix map whose nside is a power of two has so many pixels.
    """
    return nside2order(npix2nside(npix))


def isnpixok(npix: Any) -> Any:
    """Tell whether HEALPix maps have so many pixels.

    Parameters
    ----------
    npix : int or array_like
        Numbers of pixels.

    Returns
    -------
    bool or ndarray of bool
        True for 12 nside^2.
    """
    nside = np.sqrt(np.asarray(npix) / 12.0)
    return nside == np.floor(nside)


def nside2pixarea(nside: Any, degrees: bool = False) -> Any:
    """Return the area of a pixel.

    Parameters
    ----------
    %(nside.array)s
    degrees : bool, optional
        Whether the result is in square degrees. By default it is in steradians.

    Returns
    -------
    float or ndarray
        The area.
    """
    area = 4 * np.pi / nside2npix(nside)
    return np.rad2deg(np.rad2deg(area)) if degrees else area


def nside2resol(nside: Any, arcmin: bool = False) -> Any:
    """Return the side of a pixel: the square root of its area.

    Parameters
    ----------
    %(nside.array)s
    arcmin : bool, optional
        Whether the result is in minutes of arc. By default it is in radians.

    Returns
    -------
    float or ndarray
        The side.

    Examples
    --------
    >>> import armilla.healpy as hp
    >>> round(float(hp.nside2resol(512, arcmin=True)), 3)
    6.871
    """
    side = np.sqrt(nside2pixarea(nside))
    return np.rad2deg(side) * 60 if arcmin else side


def maptype(m: Any) -> int:
    """Tell whether something is a map or a sequence of maps.

    Parameters
    ----------
    %(m.any)s

    Returns
    -------
    int
        0 for a map, and n for a sequence of n maps.

    Raises
    ------
    ValueError
        If it is neither.
    """
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
    """Return the smallest power of two whose maps have at least so many pixels.

    Parameters
    ----------
    %(npix)s

    %(Returns.nside)s
    """
    nside = 1
    while 12 * nside * nside < npix:
        nside *= 2
    return nside


def get_map_size(m: Any) -> int:
    """Return the number of pixels of a map.

    Parameters
    ----------
    m : array_like or dict
        A map, or a dictionary of pixels: its nside counts, else the smallest power of two that
        holds its pixels.

    Returns
    -------
    int
        The number of pixels.

    %(Raises.npix)s
    """
    if isinstance(m, dict):
        if "nside" in m:
            return nside2npix(m["nside"])
        if hasattr(m, "nside"):
            return nside2npix(m.nside)
        return nside2npix(get_min_valid_nside(max(m) + 1))
    nside_of(len(m))
    return len(m)


def get_nside(m: Any) -> int:
    """Return nside of a map, or of a sequence of maps.

    Parameters
    ----------
    %(m.maps)s

    %(Returns.nside)s

    %(Raises.npix)s
    """
    return nside_of(len(m) if maptype(m) == 0 else len(m[0]))
