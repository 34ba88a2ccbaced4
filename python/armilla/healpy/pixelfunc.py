"""healpy.pixelfunc: pixels, sizes, orders, masks, interpolation, monopole and dipole."""
from __future__ import annotations

import functools
from typing import Any, Callable, Tuple

import numpy as np
from numpy.typing import ArrayLike

from . import _absent
from ._inputs import UNSEEN, Error
from .interpolation import get_all_neighbours, get_interp_val, get_interp_weights
from .maps import (fit_dipole, fit_monopole, ma, mask_bad, mask_good, remove_dipole,
                   remove_monopole, reorder, ud_grade)
from .pixels import (_folded, ang2pix, ang2vec, max_pixrad, nest2ring, pix2ang, pix2vec, pix2xyf,
                     ring2nest, vec2ang, vec2pix, xyf2pix)
from .sizes import (check_nside, get_map_size, get_min_valid_nside, get_nside, isnpixok, isnsideok,
                    maptype, npix2nside, npix2order, nside2npix, nside2order, nside2pixarea,
                    nside2resol, order2npix, order2nside)

max_nside = 1 << 29  # the largest whose pixel numbers fit in 64 bits


def check_theta_valid(theta: ArrayLike) -> None:
    """Raise an error unless all colatitudes are valid.

    Parameters
    ----------
    %(theta)s

    Raises
    ------
    ValueError
        If one is not 0 to pi, to 1e-5.
    """
    theta = np.asarray(theta)
    if not np.all((theta >= 0) & (theta <= np.pi + 1e-5)):
        raise Error("theta: must be 0 to pi")


def lonlat2thetaphi(lon: ArrayLike, lat: ArrayLike, latauto: bool = False, latbounce: bool = True
                    ) -> Tuple[Any, Any]:
    """Convert longitude and latitude in degrees to colatitude and longitude in radians.

    Parameters
    ----------
    lon : array_like
        Longitudes in degrees.
    %(lat)s
    latauto : bool, optional
        Whether latitudes beyond a pole are folded back: see `ang2pix`.
    latbounce : bool, optional
        With `latauto`, whether they come back on the same longitude.

    Returns
    -------
    theta : float or ndarray
        Colatitudes in radians.
    phi : float or ndarray
        Longitudes in radians.
    """
    if not latauto:
        return np.pi / 2 - np.radians(lat), np.radians(lon)
    folded = np.broadcast_arrays(*_folded(lon, lat, latbounce))
    phi, theta = (np.radians(a).astype(np.radians(given).dtype, copy=False)[()]
                  for a, given in zip(folded, (lon, lat)))
    return np.pi / 2 - theta, phi


def thetaphi2lonlat(theta: ArrayLike, phi: ArrayLike) -> Tuple[Any, Any]:
    """Convert colatitude and longitude in radians to longitude and latitude in degrees.

    Parameters
    ----------
    %(theta)s
    %(phi)s

    Returns
    -------
    lon : float or ndarray
        Longitudes in degrees.
    lat : float or ndarray
        Latitudes in degrees.
    """
    return np.degrees(phi), 90 - np.degrees(theta)


def is_ma(m: Any) -> bool:
    """Tell whether a map, or the first of a sequence, is a masked array.

    Parameters
    ----------
    %(m.any)s

    %(Returns.bool)s
    """
    return hasattr(m, "filled") or hasattr(m[0], "filled")


def ma_to_array(m: Any) -> Any:
    """Fill masked arrays with their fill_value.

    Parameters
    ----------
    %(m.any)s

    Returns
    -------
    ndarray or array_like
        The filled array; other things as they are.
    """
    if hasattr(m, "filled"):
        return m.filled()
    try:
        return np.array([row.filled() for row in m])
    except AttributeError:
        return m


def accept_ma(f: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of a map one of masked maps, too.

    Parameters
    ----------
    f : callable
        A function whose first argument is a map, and which returns a map.

    Returns
    -------
    callable
        A function that gives `f` the map filled, and masks what it returns where that is UNSEEN.
    """

    @functools.wraps(f)
    def accepts(map_in: Any, *args: Any, **kwds: Any) -> Any:
        made = f(ma_to_array(map_in), *args, **kwds)
        return ma(made) if is_ma(map_in) else made

    return accepts


__getattr__ = _absent.explains(__name__)
