"""Another resolution by way of coefficients."""
from __future__ import annotations

import warnings
from typing import Any, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from .._arrays import angle, reals
from .._errors import shown as _shown
from ._inputs import Error, band, band_of, integer, read_alms, read_maps
from .alms import resize_alm
from .transforms import analyse, synthesize
from .weights import weights
from .windows import gauss_beam, multiply_rows, pixel_windows


def effective_resolution_fwhm(nside: int, arcmin: bool = False) -> float:
    """Return the width of the Gaussian beam that is usual for a resolution: 160 arcmin at nside 64.

    Parameters
    ----------
    %(nside)s
    arcmin : bool, optional
        Whether the result is in minutes of arc. By default it is in radians.

    Returns
    -------
    float
        Full width at half maximum.
    """
    width = 160.0 * 64 / abs(nside)
    return width if arcmin else float(np.radians(width / 60))


def _width(name: str, given: Any) -> float:
    width = angle(name, given)
    if width < 0:
        raise Error(f"{name} = {width}: must not be negative")
    return width


def _beam(name: str, window: Optional[ArrayLike], fwhm: float, lmax: int, polarised: bool
          ) -> np.ndarray:
    """(2, lmax + 1): of temperature and of polarisation."""
    if window is None:
        return gauss_beam(fwhm, lmax, pol=True).T[:2]
    given = reals(window, "window")
    if given.ndim not in (1, 2) or given.shape[0] <= lmax or polarised and given.ndim == 1:
        raise Error(f"{name}: has shape {given.shape}, must have (n,), or (n, 2 or more) "
                    f"for polarised maps, n > lmax = {lmax}")
    columns = given[: lmax + 1, None] if given.ndim == 1 else given[: lmax + 1]
    return np.stack([columns[:, 0], columns[:, min(1, columns.shape[1] - 1)]])


def _over(out: np.ndarray, of_input: np.ndarray) -> np.ndarray:
    """out / of_input; 0 where the window of the input is 0, and what it took away cannot return."""
    return np.divide(out, of_input, out=np.zeros_like(out), where=of_input > 0)


def _coefficients(map_in: Any, nside_out: int, lmax: Any, mmax: Any, iter: Any,
                  pol: bool, use_weights: bool, datapath: Optional[str], use_pixel_weights: bool
                  ) -> Tuple[np.ndarray, int, int, int, bool]:
    """Coefficients of a map, lmax, mmax, nside, and whether there was but one."""
    given = read_maps(map_in)
    lmax, mmax = band(lmax, mmax, 3 * min(given.nside, nside_out) - 1)
    if iter is None:
        iter = 0 if use_pixel_weights and lmax <= 1.5 * given.nside else 3
    weighted = weights(given.nside, use_weights, use_pixel_weights, datapath)
    alms = analyse(given.values, given.nside, lmax, mmax, integer("iter", iter), pol, weighted)
    return alms, lmax, mmax, given.nside, given.single


def _warn_of_ignored(**given: Any) -> None:
    """A warning of what only an analysis of maps needs; None and False: not given."""
    for name, value in given.items():
        if value is not None and value is not False:
            warnings.warn(f"{name}: is ignored with input_type = 'alm'", stacklevel=3)


def harmonic_ud_grade(map_in: Any, nside_out: int, nside_in: Optional[int] = None,
                      lmax: Optional[int] = None, mmax: Optional[int] = None,
                      iter: Optional[int] = None, pol: bool = True, pixwin: bool = True,
                      fwhm_in: float = 0, fwhm_out: Optional[float] = 0,
                      beam_window_in: Optional[ArrayLike] = None,
                      beam_window_out: Optional[ArrayLike] = None, use_weights: bool = False,
                      datapath: Optional[str] = None, use_pixel_weights: bool = True,
                      dtype: Optional[DTypeLike] = None, input_type: str = "map") -> np.ndarray:
    """Bring a map to another nside by way of its coefficients.

    The coefficients are multiplied by the pixel window and the beam of the result, and divided by
    the pixel window and the beam of the map.

    Parameters
    ----------
    map_in : array_like, shape (npix,) or (n, npix)
        One map, or several, in RING order; or coefficients, with input_type="alm".
    nside_out : int
        Resolution of the result.
    nside_in : int, optional
        Resolution that coefficients come from, with input_type="alm".
    lmax : int, optional
        Largest degree. The default is the smaller 3 nside - 1 of the two.
    %(mmax.lmax)s
    iter : int, optional
        Number of Jacobi corrections. The default is 0 with pixel weights and lmax <= 1.5 nside_in,
        and 3 otherwise.
    %(pol)s
    pixwin : bool, optional
        Whether pixel windows are applied.
    fwhm_in : float, optional
        Full width at half maximum of the Gaussian beam of the map, in radians.
    fwhm_out : float, optional
        Full width at half maximum of the Gaussian beam of the result, in radians. None means
        `effective_resolution_fwhm` of `nside_out`.
    beam_window_in : array_like, shape (n,) or (n, 2), optional
        Window of the beam of the map, for temperature and polarisation, n > lmax. It is used
        instead of `fwhm_in`.
    beam_window_out : array_like, shape (n,) or (n, 2), optional
        Window of the beam of the result, used instead of `fwhm_out`.
    %(use_weights)s
    %(datapath)s
    %(use_pixel_weights)s
    dtype : dtype, optional
        Type of the result. By default it is float64.
    input_type : {"map", "alm"}, optional
        What `map_in` is.

    Returns
    -------
    ndarray, shape (npix_out,) or (n, npix_out)
        The map in RING order. It has nothing where a window of the map is 0.

    Raises
    ------
    ValueError
        If a number is out of range, or a window is too short.

    See Also
    --------
    ud_grade : Means of pixels, or pixels repeated.
    """
    nside_out = integer("nside_out", nside_out, 1)
    fwhm_in = _width("fwhm_in", fwhm_in)
    fwhm_out = None if fwhm_out is None else _width("fwhm_out", fwhm_out)
    if input_type == "map":
        alms, lmax, mmax, nside_in, single = _coefficients(
            map_in, nside_out, lmax, mmax, iter, bool(pol), use_weights, datapath,
            use_pixel_weights)
    elif input_type == "alm":
        if nside_in is None:
            raise Error("nside_in: must be given with input_type = 'alm'")
        _warn_of_ignored(iter=iter, use_weights=bool(use_weights), datapath=datapath,
                         use_pixel_weights=not use_pixel_weights)
        nside_in = integer("nside_in", nside_in, 1)
        given, single = read_alms(map_in, "map_in")
        size = band_of(given.shape[1], None, None, "map_in")
        lmax, mmax = band(lmax, mmax, min(3 * min(nside_in, nside_out) - 1, size[0]))
        alms = np.stack(resize_alm(list(given), *size, lmax, mmax))
    else:
        raise Error(f"input_type = {_shown(input_type)}: must be 'map' or 'alm'")
    fwhm_out = effective_resolution_fwhm(nside_out) if fwhm_out is None else fwhm_out
    polarised = bool(pol) and len(alms) == 3
    ratio = _over(_beam("beam_window_out", beam_window_out, fwhm_out, lmax, polarised),
                  _beam("beam_window_in", beam_window_in, fwhm_in, lmax, polarised))
    if pixwin:
        ratio *= _over(pixel_windows(nside_out, lmax), pixel_windows(nside_in, lmax))
    multiply_rows(alms, ratio, lmax, mmax, bool(pol))
    maps = synthesize(alms, nside_out, lmax, mmax, bool(pol))
    made = maps[0] if single else maps
    return made if dtype is None else made.astype(dtype)
