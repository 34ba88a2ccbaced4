"""Smoothing of maps."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from ._inputs import UNSEEN, band, integer, read_maps
from .transforms import analyse, synthesize
from .weights import weights
from .windows import smooth


def smoothing(map_in: Any, fwhm: float = 0.0, sigma: Optional[float] = None,
              beam_window: Optional[ArrayLike] = None, pol: bool = True, iter: int = 3,
              lmax: Optional[int] = None, mmax: Optional[int] = None, use_weights: bool = False,
              use_pixel_weights: bool = False, datapath: Optional[str] = None, verbose: bool = True,
              nest: bool = False) -> np.ndarray:
    """A map (npix,), or (n, npix), convolved with a beam.

    fwhm, sigma: of a Gaussian, radians; sigma wins; beam_window: (n,), wins over both. pol: 3 maps
    are T, Q, U. nest: the map is, and the result will be, NESTED. Missing pixels count as 0 and are
    UNSEEN, or masked, in the result. Other arguments as in map2alm.
    """
    given = read_maps(map_in, nest)
    lmax, mmax = band(lmax, mmax, 3 * given.nside - 1)
    weighted = weights(given.nside, use_weights, use_pixel_weights, datapath)
    alms = analyse(given.values, given.nside, lmax, mmax, integer("iter", iter), bool(pol),
                   weighted)
    smooth(alms, lmax, mmax, fwhm, sigma, beam_window, pol)
    maps = synthesize(alms, given.nside, lmax, mmax, bool(pol))
    for row, missing in zip(maps, given.missing):
        if missing is not None:
            row[missing] = UNSEEN
    if nest:
        from .maps import reorder
        maps = reorder(maps, r2n=True)
    result = maps[0] if given.single else maps
    if given.masked:
        from .maps import ma
        return ma(result, copy=False)
    return np.asarray(result)
