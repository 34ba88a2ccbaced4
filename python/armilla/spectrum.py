"""Angular power spectra, and windows in harmonic space."""
from __future__ import annotations

from typing import List, Optional

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import angle, as_alm, pointer
from ._errors import check, whole
from ._native import lib
from .alm import band

__all__ = ["compute", "gaussian_beam"]


def __dir__() -> List[str]:
    return __all__


def compute(alm: ArrayLike, other: Optional[ArrayLike] = None, *, lmax: Optional[int] = None,
            mmax: Optional[int] = None) -> np.ndarray:
    """Compute the power spectrum of one field, or the cross spectrum of two.

    Parameters
    ----------
    alm : array_like, shape (size,)
        Coefficients in the order of healpy.
    other : array_like, shape (size,), optional
        Coefficients of the other field. By default it is the same field.
    lmax : int, optional
        Largest degree. By default it follows from the number of coefficients.
    mmax : int, optional
        Largest order, 0 to `lmax`. By default it is `lmax`.

    Returns
    -------
    ndarray, shape (lmax + 1,)
        The sum over m of a_lm conj(b_lm), divided by 2 l + 1; float64, in the unit of `alm` times
        that of `other`.

    Raises
    ------
    ValueError
        If the shapes differ, or do not fit `lmax` and `mmax`.

    See Also
    --------
    armilla.healpy.anafast : From maps to spectra.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> alm = armilla.alm.random(512, 1 / np.arange(1, 514.0), seed=1)
    >>> cl = armilla.spectrum.compute(alm)
    >>> bool(abs(cl[400:].mean() * 457 - 1) < 0.1)
    True
    """
    first = np.ascontiguousarray(as_alm(alm), dtype=np.complex128)
    second = first if other is None else np.ascontiguousarray(as_alm(other), dtype=np.complex128)
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(f"alm: shapes {first.shape} and {second.shape}: must be equal, (size,)")
    lmax, mmax = band(first, lmax, mmax)
    cl = np.empty(lmax + 1)
    check(lib.armilla_spectrum_compute(lmax, mmax, pointer(first), pointer(second), pointer(cl)))
    return cl


def gaussian_beam(fwhm: float, lmax: int, *, spin: int = 0) -> np.ndarray:
    """Compute the window of a Gaussian beam of unit integral.

    Parameters
    ----------
    fwhm : float
        Full width at half maximum, in radians.
    lmax : int
        Largest degree.
    spin : int, optional
        Spin of the field: 0 for T, 2 for E and B.

    Returns
    -------
    ndarray, shape (lmax + 1,)
        b_l = exp(-(l (l + 1) - spin^2) sigma^2 / 2) with sigma = fwhm / sqrt(8 log 2); 0 for l <
        spin.

    Raises
    ------
    ValueError
        If a number is out of range.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> armilla.spectrum.gaussian_beam(np.radians(1), lmax=3).round(6)
    array([1.      , 0.999945, 0.999835, 0.99967 ])
    """
    fwhm, spin, lmax = angle("fwhm", fwhm), whole("spin", spin), whole("lmax", lmax)
    if lmax < 0:
        raise ValueError(f"lmax = {lmax}: must be at least 0")
    window = np.empty(lmax + 1)
    check(lib.armilla_spectrum_gaussian_beam(fwhm, spin, lmax, pointer(window)))
    return window
