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
    """Smooth a map, or maps of T, Q and U, with a beam.

    The maps are analysed, their coefficients are multiplied by the window of the beam, and the
    maps are synthesised again.

    Parameters
    ----------
    map_in : array_like, shape (npix,) or (n, npix)
        One map, or several. Missing pixels are those that are UNSEEN (to a relative 1e-5) or that
        a masked array hides; they count as 0.
    %(fwhm.optional)s
    %(sigma)s
    %(beam_window)s
    pol : bool, optional
        Whether three maps are T, Q and U, of which Q and U are smoothed together as a field of
        spin 2. If it is False each map is smoothed as a scalar. With True, the default, there must
        be one map or three.
    %(iter)s
    %(lmax.3nside)s
    %(mmax.lmax)s
    %(use_weights)s
    %(use_pixel_weights)s
    %(datapath)s
    %(verbose)s
    nest : bool, optional
        Whether the maps, and the result, are in NESTED order, which needs a power of two as nside.
        By default they are in RING order.

    Returns
    -------
    ndarray, shape (npix,) or (n, npix)
        The smoothed maps, float64, in the unit of the input. Pixels that were missing are UNSEEN.
        If the input is a masked array, so is the result.

    Raises
    ------
    ValueError
        If no HEALPix map has this many pixels, their number differs between maps, or a number is
        out of range. It is also a TypeError, because healpy raises one or the other.

    See Also
    --------
    smoothalm : The same for coefficients.
    armilla.convolve :
        Convolution pixel by pixel, which does not ring at the edges of missing regions.
    armilla.mpi.smoothing : The same over the ranks of MPI.

    Notes
    -----
    The window of a Gaussian beam is exp(-l (l + 1) sigma^2 / 2) for scalars, and exp(-(l (l + 1) -
    4) sigma^2 / 2) for Q and U, where sigma = fwhm / sqrt(8 log 2). A beam whose window is 1 at l
    = 0 keeps the mean of a map.

    Because missing pixels count as 0, the map is drawn towards 0 next to them. To get the mean of
    the pixels that are not missing, use `armilla.convolve`.

    Examples
    --------
    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> sky = np.random.default_rng(1).standard_normal(hp.nside2npix(32))
    >>> smooth = hp.smoothing(sky, fwhm=np.radians(10))
    >>> bool(smooth.std() < 0.3 * sky.std())
    True

    Polarised maps, and a beam that is given by its sigma:

    >>> tqu = hp.smoothing([sky, sky, sky], sigma=0.1)
    >>> tqu.shape
    (3, 12288)
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
