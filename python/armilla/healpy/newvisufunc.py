"""healpy.newvisufunc: pictures on the projections of matplotlib."""
from __future__ import annotations

from typing import Any, Tuple

import numpy as np
from numpy.typing import ArrayLike

from . import _absent
from .maps import mask_bad, remove_dipole, remove_monopole
from .pixels import ang2pix
from .projview import newprojplot, projview
from .rotator import Rotator
from .sizes import npix2nside


def thetaphi2lonlat(theta: ArrayLike, phi: ArrayLike) -> Tuple[np.ndarray, np.ndarray]:
    """Convert colatitude and longitude to longitude and latitude, all in radians.

    Parameters
    ----------
    %(theta)s
    %(phi)s

    Returns
    -------
    lon : ndarray
        Longitudes in radians.
    lat : ndarray
        Latitudes in radians.
    """
    return np.asarray(phi), np.pi / 2 - np.asarray(theta)


__getattr__ = _absent.explains(__name__)
