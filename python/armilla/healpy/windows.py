"""Beams and windows b_l: multiplication of coefficients, Gaussians, profiles, pixel windows.

    b_l = 2 pi int b(theta) P_l(cos theta) sin(theta) dtheta,
    b(theta) = sum over l of (2 l + 1) / (4 pi) b_l P_l(cos theta).
"""
from __future__ import annotations

import os
from typing import Any, Iterator, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from .. import alm as _alm
from .. import io as _io
from .._errors import real
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
    """alm[l, m] * fl[l], complex128 (size,); fl is 0 where it is not defined.

    fl: (n,), real or complex. inplace: alm is changed if it is a contiguous complex128 array.
    """
    values, single = read_alms(alm, "alm")
    fl = np.asarray(fl)
    if not single or fl.ndim != 1:
        raise Error("alm, fl: must be (size,) and (n,)")
    lmax, mmax = band_of(values.shape[1], None, mmax, "alm")
    made = alm if inplace and _changeable(alm) else values[0].copy()
    _multiply(made, fl, lmax, mmax)
    return made


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
    sigma = real("fwhm", fwhm) * _TO_SIGMA if sigma is None else real("sigma", sigma)
    if beam_window is not None:
        window = np.asarray(beam_window)
        if window.ndim != 1:
            raise Error(f"beam_window: has shape {window.shape}, must be (n,)")
        return window, window
    return None if sigma == 0 else (_gaussian(sigma, lmax, 0), _gaussian(sigma, lmax, 2))


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
    """Coefficients (size,) or (n, size) times a beam.

    fwhm, sigma: of a Gaussian, radians; sigma wins. beam_window: (n,), wins over both. pol: all
    but the first are E or B and get the window of spin 2. inplace: contiguous complex128 arrays are
    changed, and alms itself is the result; otherwise a new array is.
    """
    values, single = read_alms(alms)
    lmax, mmax = band_of(values.shape[1], None, mmax)
    made = values.copy(order="C")
    smooth(made, lmax, mmax, fwhm, sigma, beam_window, pol)
    rows = [alms] if single else list(alms)
    if inplace and all(_changeable(row) for row in rows):
        for row, new in zip(rows, made):
            row[...] = new
        return alms
    return made[0] if single else made


def gauss_beam(fwhm: float, lmax: int = 512, pol: bool = False) -> np.ndarray:
    """Window of a Gaussian beam, (lmax + 1,); pol: (lmax + 1, 4): T, E, B, T x E.

    fwhm: radians.
    """
    sigma = fwhm * _TO_SIGMA
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
    """Window (lmax + 1,) of a circular beam (n,) at radii theta (n,), radians; trapezoidal rule."""
    beam, theta = np.asarray(beam, float), np.asarray(theta, float)
    if beam.ndim != 1 or beam.shape != theta.shape:
        raise Error(f"beam, theta: have shapes {beam.shape} and {theta.shape}, must be equal (n,)")
    weighted = beam * np.sin(theta)
    step = np.diff(theta)
    share = 0.5 * (np.append(step, 0) + np.append(0, step))
    window = [(weighted * p) @ share
              for p in _legendre_rows(np.cos(theta), integer("lmax", lmax))]
    return 2 * np.pi * np.array(window)


def bl2beam(bl: ArrayLike, theta: ArrayLike) -> np.ndarray:
    """Circular beam (n,) at radii theta (n,), radians, of a window (lmax + 1,)."""
    bl, theta = np.asarray(bl, float), np.asarray(theta, float)
    if bl.ndim != 1 or theta.ndim != 1:
        raise Error("bl, theta: must have one dimension")
    beam = np.zeros(theta.shape)
    for l, p in enumerate(_legendre_rows(np.cos(theta), len(bl) - 1)):
        beam += (2 * l + 1) * bl[l] / (4 * np.pi) * p
    return beam


def blm_gauss(fwhm: float, lmax: int, pol: bool = False) -> np.ndarray:
    """Coefficients of a Gaussian beam at the north pole: (1, size) with mmax = 0; pol: (3, size)
    with mmax = 2, linearly polarised. fwhm: radians."""
    lmax, mmax = integer("lmax", lmax), 2 if pol else 0
    if lmax < mmax:
        raise Error(f"lmax = {lmax}: must be at least 2 with pol = True")
    l = np.arange(lmax + 1)
    scalar = np.sqrt((2 * l + 1) / (4 * np.pi)) * _gaussian(fwhm * _TO_SIGMA, lmax, 0)
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
        raise NoFile(f"datapath = {datapath!r}: has no {name}")
    return _io.read_cl(path).cl


def pixwin(nside: int, pol: bool = False, lmax: Optional[int] = None,
           datapath: Optional[str] = None) -> Union[np.ndarray, Tuple[np.ndarray, np.ndarray]]:
    """Pixel window (lmax + 1,); pol: those of temperature and of polarisation.

    lmax: default 3 nside - 1; as in healpy the window ends at 4 nside, whatever lmax is. Without
    datapath it is computed, for any nside (pixel_windows.py: HEALPix' files agree to 2e-9 up to
    nside 128, and to 1.4e-5 above, where they extrapolate). With datapath it is read from
    datapath/pixel_window_functions/pixel_window_n<nside>.fits (a checkout of healpy-data) or
    datapath/pixel_window_n<nside>.fits.
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
