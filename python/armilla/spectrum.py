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
    """Spectrum of one field, or cross spectrum of two.

    alm, other: (size,) in healpy's order. Result: (lmax + 1,), float64, unit of alm times unit of
    other: sum over m of a_lm conj(b_lm) / (2 l + 1).
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
    """Window b_l of a Gaussian beam of unit integral, shape (lmax + 1,); 0 for l < spin.

    fwhm: full width at half maximum, radians.
    """
    fwhm, spin, lmax = angle("fwhm", fwhm), whole("spin", spin), whole("lmax", lmax)
    if lmax < 0:
        raise ValueError(f"lmax = {lmax}: must be at least 0")
    window = np.empty(lmax + 1)
    check(lib.armilla_spectrum_gaussian_beam(fwhm, spin, lmax, pointer(window)))
    return window
