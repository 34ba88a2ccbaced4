"""Beams and windows b_l: multiplication of coefficients, Gaussians, profiles, pixel windows.

    b_l = 2 pi int b(theta) P_l(cos theta) sin(theta) dtheta,
    b(theta) = sum over l of (2 l + 1) / (4 pi) b_l P_l(cos theta).
"""
from __future__ import annotations

import os
from typing import Any, Iterator, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import angle, reals
from .. import alm as _alm
from .. import io as _io
from .._errors import shown as _shown
from ._inputs import Error, NoFile, alm_size, band_of, integer, read_alms
from .pixel_windows import computed

_TO_SIGMA = 1 / np.sqrt(8 * np.log(2))


def _multiply(alm: np.ndarray, fl: np.ndarray, lmax: int, mmax: int) -> None:
    """alm (..., size), contiguous, times fl, which may be complex, in place."""
    if fl.dtype.kind != "c":
        _alm.multiply_rows(alm, fl, lmax, mmax)
        return
    imaginary = alm * 1j
    _alm.multiply_rows(alm, fl.real, lmax, mmax)
    _alm.multiply_rows(imaginary, fl.imag, lmax, mmax)
    alm += imaginary


def almxfl(alm: Any, fl: ArrayLike, mmax: Optional[int] = None, inplace: bool = False
           ) -> np.ndarray:
    """Multiply coefficients by a function of the degree: a_lm times fl[l].

    Parameters
    ----------
    alm : array_like, shape (size,)
        Coefficients.
    fl : array_like, shape (n,)
        Real or complex factors, 0 for l >= n.
    %(mmax.largest_degree)s
    inplace : bool, optional
        Whether `alm` is changed, if it is a contiguous complex128 array.

    Returns
    -------
    ndarray, shape (size,)
        The product, complex128.

    %(Raises.shape)s

    Examples
    --------
    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> hp.almxfl(np.ones(3, complex), [2.0, 0.5])
    array([2. +0.j, 0.5+0.j, 0.5+0.j])
    """
    bare = _bare(alm)
    values, single = read_alms(bare, "alm")
    fl = np.asarray(fl)
    if not single or fl.ndim != 1:
        raise Error("alm, fl: must be (size,) and (n,)")
    if not values.size:  # healpy takes it
        return bare if inplace and _changeable(bare) else values[0].copy()
    lmax, mmax = band_of(values.shape[1], None, mmax, "alm")
    if inplace and _changeable(bare):
        _multiply(bare, fl, lmax, mmax)
        return alm
    made = values[0].copy()
    _multiply(made, fl, lmax, mmax)
    return made


def _bare(alm: Any) -> Any:
    """The numbers of an array with a unit, on the same memory: a factor leaves the unit alone."""
    is_quantity = isinstance(alm, np.ndarray) and hasattr(alm, "unit")
    return alm.view(np.ndarray) if is_quantity else alm


def _changeable(alm: Any) -> bool:
    return (isinstance(alm, np.ndarray) and alm.dtype == np.complex128
            and alm.flags.c_contiguous and alm.flags.writeable)


def _gaussian(sigma: float, lmax: int, spin: int) -> np.ndarray:
    l = np.arange(lmax + 1.0)
    return np.exp(-0.5 * (l * (l + 1) - spin ** 2) * sigma ** 2)


def beams(lmax: int, fwhm: float, sigma: Optional[float], beam_window: Any
          ) -> Optional[Tuple[np.ndarray, np.ndarray]]:
    """Windows of scalars and of spin 2 that a beam multiplies coefficients by; None: by 1. One of
    the caller's may end before lmax, where 0 follows."""
    sigma = angle("fwhm", fwhm) * _TO_SIGMA if sigma is None else angle("sigma", sigma)
    if beam_window is not None:
        window = np.asarray(beam_window)
        if window.ndim != 1:
            raise Error(f"beam_window: has shape {window.shape}, must be (n,)")
        return window, window
    return None if sigma == 0 else (_gaussian(sigma, lmax, 0), _gaussian(sigma, lmax, 2))


def has_beam(fwhm: Any, sigma: Any) -> bool:
    """Is there more to do than to multiply by 1?"""
    return any(value is not None and angle(name, value) != 0
               for name, value in (("fwhm", fwhm), ("sigma", sigma)))


def smooth(alms: np.ndarray, lmax: int, mmax: int, fwhm: float, sigma: Optional[float],
           beam_window: Any, pol: bool) -> None:
    """Multiplies coefficients (n, size), contiguous, by a beam in place."""
    windows = beams(lmax, fwhm, sigma, beam_window)
    if windows is not None:
        scalars = 1 if pol else len(alms)
        _multiply(alms[:scalars], windows[0], lmax, mmax)
        if len(alms) > scalars:
            _multiply(alms[scalars:], windows[1], lmax, mmax)


def smoothalm(alms: Any, fwhm: float = 0.0, sigma: Optional[float] = None,
              beam_window: Optional[ArrayLike] = None, pol: bool = True, mmax: Optional[int] = None,
              verbose: bool = True, inplace: bool = True) -> Any:
    """Multiply coefficients by the window of a beam.

    Parameters
    ----------
    alms : array_like, shape (size,) or (n, size)
        Coefficients.
    %(fwhm.optional)s
    %(sigma)s
    %(beam_window)s
    pol : bool, optional
        Whether all arrays but the first are E or B, which get the window of spin 2.
    %(mmax.largest_degree)s
    %(verbose)s
    inplace : bool, optional
        Whether contiguous complex128 arrays are changed. True is the default.

    Returns
    -------
    ndarray, shape (size,) or (n, size)
        The product; `alms` itself if it was changed.

    %(Raises.shape)s

    See Also
    --------
    smoothing : The same for maps.
    """
    values, single = read_alms(_bare(alms) if isinstance(alms, np.ndarray) else [
        _bare(row) for row in alms])
    lmax, mmax = band_of(values.shape[1], None, mmax)
    made = values.copy(order="C")
    smooth(made, lmax, mmax, fwhm, sigma, beam_window, pol)
    rows = [_bare(row) for row in ([alms] if single else alms)]
    if inplace and all(_changeable(row) for row in rows):
        for row, new in zip(rows, made):
            row[...] = new
        return alms
    return made[0] if single else made


def gauss_beam(fwhm: float, lmax: int = 512, pol: bool = False) -> np.ndarray:
    """Compute the window of a Gaussian beam.

    Parameters
    ----------
    %(fwhm)s
    %(lmax.optional)s
    pol : bool, optional
        Whether the windows of polarisation are returned, too.

    Returns
    -------
    ndarray, shape (lmax + 1,) or (lmax + 1, 4)
        The window of T; with `pol` those of T, E, B and T x E.

    Raises
    ------
    ValueError
        If `lmax` is no integer.

    Examples
    --------
    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> hp.gauss_beam(np.radians(1), lmax=2).round(6)
    array([1.      , 0.999945, 0.999835])
    """
    sigma = angle("fwhm", fwhm) * _TO_SIGMA
    window = _gaussian(sigma, integer("lmax", lmax, -1), 0)
    if not pol:
        return window
    return window[:, None] * np.exp([0, 2 * sigma ** 2, 2 * sigma ** 2, sigma ** 2])


def _legendre_rows(x: np.ndarray, lmax: int) -> Iterator[np.ndarray]:
    """P_0(x), ..., P_lmax(x), one after the other."""
    before, now = np.zeros_like(x), np.ones_like(x)
    for l in range(lmax + 1):
        yield now
        before, now = now, ((2 * l + 1) * x * now - l * before) / (l + 1)


def beam2bl(beam: ArrayLike, theta: ArrayLike, lmax: int) -> np.ndarray:
    """Compute the window of a circular beam from its profile, by the trapezoidal rule.

    Parameters
    ----------
    beam : array_like, shape (n,)
        Profile of the beam.
    theta : array_like, shape (n,)
        Radii in radians.
    %(lmax)s

    Returns
    -------
    ndarray, shape (lmax + 1,)
        The window, 2 pi times the integral of b(theta) P_l(cos theta) sin(theta).

    Raises
    ------
    ValueError
        If the shapes differ.
    """
    beam, theta = reals(beam, "beam"), reals(theta, "theta")
    if beam.ndim != 1 or beam.shape != theta.shape:
        raise Error(f"beam, theta: have shapes {beam.shape} and {theta.shape}, must be equal (n,)")
    weighted = beam * np.sin(theta)
    step = np.diff(theta)
    share = 0.5 * (np.append(step, 0) + np.append(0, step))
    window = [(weighted * p) @ share
              for p in _legendre_rows(np.cos(theta), integer("lmax", lmax))]
    return 2 * np.pi * np.array(window)


def bl2beam(bl: ArrayLike, theta: ArrayLike) -> np.ndarray:
    """Compute the profile of a circular beam from its window.

    Parameters
    ----------
    bl : array_like, shape (lmax + 1,)
        The window.
    theta : array_like, shape (n,)
        Radii in radians.

    Returns
    -------
    ndarray, shape (n,)
        The sum over l of (2 l + 1) / (4 pi) b_l P_l(cos theta).

    %(Raises.shape)s
    """
    bl, theta = reals(bl, "bl"), reals(theta, "theta")
    if bl.ndim != 1 or theta.ndim != 1:
        raise Error("bl, theta: must have one dimension")
    beam = np.zeros(theta.shape)
    for l, p in enumerate(_legendre_rows(np.cos(theta), len(bl) - 1)):
        beam += (2 * l + 1) * bl[l] / (4 * np.pi) * p
    return beam


def blm_gauss(fwhm: float, lmax: int, pol: bool = False) -> np.ndarray:
    """Compute the coefficients of a Gaussian beam at the north pole.

    Parameters
    ----------
    %(fwhm)s
    %(lmax)s
    pol : bool, optional
        Whether the beam is linearly polarised.

    Returns
    -------
    ndarray, shape (1, size) or (3, size)
        Coefficients with mmax = 0; with `pol` those of T, E and B with mmax = 2.

    Raises
    ------
    ValueError
        If `lmax` is less than 2 with `pol`.
    """
    lmax, mmax = integer("lmax", lmax), 2 if pol else 0
    if lmax < mmax:
        raise Error(f"lmax = {lmax}: must be at least 2 with pol = True")
    l = np.arange(lmax + 1)
    sigma = angle("fwhm", fwhm) * _TO_SIGMA
    scalar = np.sqrt((2 * l + 1) / (4 * np.pi)) * _gaussian(sigma, lmax, 0)
    blm = np.zeros((3 if pol else 1, alm_size(lmax, mmax)), complex)
    blm[0, : lmax + 1] = scalar
    if pol:
        blm[1, 2 * lmax + 1:] = scalar[2:] / np.sqrt(8)
        blm[2] = 1j * blm[1]
    return blm


def _window_file(datapath: str, nside: int) -> np.ndarray:
    name = f"pixel_window_n{nside:04d}.fits"
    places = [os.path.join(datapath, "pixel_window_functions", name), os.path.join(datapath, name)]
    path = next((place for place in places if os.path.exists(place)), None)
    if path is None:
        raise NoFile(f"datapath = {_shown(datapath)}: has no {name}")
    return _io.read_cl(path).cl


def pixwin(nside: int, pol: bool = False, lmax: Optional[int] = None,
           datapath: Optional[str] = None) -> Union[np.ndarray, Tuple[np.ndarray, np.ndarray]]:
    """Compute the pixel window of HEALPix.

    Parameters
    ----------
    %(nside.any)s
    pol : bool, optional
        Whether the window of polarisation is returned, too.
    lmax : int, optional
        Largest degree. The default is 3 nside - 1; the window always ends at 4 nside, as in
        healpy.
    datapath : str, optional
        Folder with a copy of the files of HEALPix,
        `pixel_window_functions/pixel_window_n<nside>.fits`. By default the window is computed, for
        any nside.

    Returns
    -------
    temperature : ndarray, shape (lmax + 1,)
        The window of temperature.
    polarisation : ndarray, shape (lmax + 1,)
        The window of polarisation, with `pol`.

    Raises
    ------
    %(ValueError.number)s
    FileNotFoundError
        If `datapath` has no such file.

    Notes
    -----
    The files of HEALPix agree with what is computed to 2e-9 up to nside 128, and to 1.4e-5 above,
    where they are extrapolated.

    Examples
    --------
    >>> import armilla.healpy as hp
    >>> hp.pixwin(8, lmax=2).round(4)
    array([1.    , 0.9985, 0.9957])
    """
    nside = integer("nside", nside, 1)
    lmax = 3 * nside - 1 if lmax is None else integer("lmax", lmax)
    windows = (computed(nside, min(lmax, 4 * nside)) if datapath is None
               else _window_file(datapath, nside)[:, : lmax + 1])
    return (windows[0], windows[1]) if pol else windows[0]


def pixel_windows(nside: int, lmax: int, datapath: Optional[str] = None) -> np.ndarray:
    """Those of temperature and polarisation, (2, lmax + 1); an error if lmax is beyond their end.
    """
    found = np.stack(pixwin(nside, True, lmax, datapath))  # type: ignore[arg-type]
    if found.shape[1] <= lmax:
        raise Error(f"lmax = {lmax}: the pixel window of nside = {nside} ends at "
                    f"{found.shape[1] - 1}")
    return found


def multiply_rows(alms: np.ndarray, windows: np.ndarray, lmax: int, mmax: int, pol: bool) -> None:
    """Coefficients (n, size), contiguous, times (2, lmax + 1), in place. pol: all but the first are
    E or B and get the second."""
    scalars = 1 if pol else len(alms)
    _alm.multiply_rows(alms[:scalars], windows[0], lmax, mmax)
    if len(alms) > scalars:
        _alm.multiply_rows(alms[scalars:], windows[1], lmax, mmax)
