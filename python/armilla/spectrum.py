"""Angular power spectra, and windows in harmonic space."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, List, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import angle, as_alm, pointer
from ._errors import check, choice, real, whole
from ._hints import absent
from ._native import lib
from ._types import NormOfHarmonics, Power, PowerUnit
from .alm import band
from .conventions import NORMS

__all__ = ["compute", "gaussian_beam", "lowes", "power"]
_POWERS = {"mean": lib.ARMILLA_POWER_MEAN, "integral": lib.ARMILLA_POWER_INTEGRAL,
           "squares": lib.ARMILLA_POWER_SQUARES}
_UNITS = {"per_l": lib.ARMILLA_POWER_PER_DEGREE, "per_lm": lib.ARMILLA_POWER_PER_ORDER,
          "per_dlogl": lib.ARMILLA_POWER_PER_LOGARITHM}


def __dir__() -> List[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = absent(__name__)


def _both(alm: ArrayLike, other: Optional[ArrayLike], lmax: Optional[int], mmax: Optional[int]
          ) -> Tuple[np.ndarray, np.ndarray, int, int]:
    """Both fields' coefficients, which are the same where there is no other, and their band."""
    first = np.ascontiguousarray(as_alm(alm), dtype=np.complex128)
    second = first if other is None else np.ascontiguousarray(as_alm(other), dtype=np.complex128)
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(f"alm: shapes {first.shape} and {second.shape}: must be equal, (size,)")
    return (first, second, *band(first, lmax, mmax))


def compute(alm: ArrayLike, other: Optional[ArrayLike] = None, *, lmax: Optional[int] = None,
            mmax: Optional[int] = None) -> np.ndarray:
    """Compute the power spectrum of one field, or the cross spectrum of two.

    Parameters
    ----------
    alm : array_like, shape (size,)
        Coefficients in the order of healpy.
    other : array_like, shape (size,), optional
        Coefficients of the other field. By default it is the same field.
    %(arguments.lmax_mmax)s

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
    first, second, lmax, mmax = _both(alm, other, lmax, mmax)
    cl = np.empty(lmax + 1)
    check(lib.armilla_spectrum_compute(lmax, mmax, pointer(first), pointer(second), pointer(cl)))
    return cl


def gaussian_beam(fwhm: float, lmax: int, *, spin: int = 0) -> np.ndarray:
    """Compute the window of a Gaussian beam of unit integral.

    Parameters
    ----------
    %(fwhm)s
    %(lmax)s
    spin : int, optional
        Spin of the field: 0 for T, 2 for E and B.

    Returns
    -------
    ndarray, shape (lmax + 1,)
        b_l = exp(-(l (l + 1) - spin^2) sigma^2 / 2) with sigma = fwhm / sqrt(8 log 2); 0 for l <
        spin.

    %(Raises.number)s

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


def power(alm: ArrayLike, other: Optional[ArrayLike] = None, *, quantity: Power = "mean",
          unit: PowerUnit = "per_l", normalization: NormOfHarmonics = "4pi", base: float = math.e,
          lmax: Optional[int] = None, mmax: Optional[int] = None) -> np.ndarray:
    """Compute the power of each degree, or the cross power of two fields.

    Parameters
    ----------
    alm : array_like, shape (size,)
        Coefficients in the order of healpy.
    other : array_like, shape (size,), optional
        Coefficients of the other field. By default it is the same field.
    quantity : {"mean", "integral", "squares"}, optional
        What is counted: the mean of the product of the fields over the sphere (pyshtools' "power"),
        its integral ("energy"), or the products of the coefficients of a norm.
    unit : {"per_l", "per_lm", "per_dlogl"}, optional
        Of a degree; of one of its 2 l + 1 orders; of a unit of the logarithm of l.
    normalization : {"ortho", "4pi", "schmidt"}, optional
        Norm of the coefficients for ``quantity="squares"``.
    base : float, optional
        Base of the logarithm of "per_dlogl"; pyshtools' is 10 by default.
    %(arguments.lmax_mmax)s

    Returns
    -------
    ndarray, shape (lmax + 1,)
        The power, float64, in the unit of `alm` times that of `other`.

    Raises
    ------
    ValueError
        If a word is unknown, or shapes do not fit.

    See Also
    --------
    compute : C_l, the mean over the orders of a degree.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> alm = armilla.alm.random(64, np.ones(65), seed=1)
    >>> sht = armilla.SHT(armilla.Grid.gauss_legendre(65, 130), 64)
    >>> square = sht.grid.weights() * sht.synthesis(alm) ** 2
    >>> bool(np.isclose(armilla.spectrum.power(alm).sum(), square.sum() / (4 * np.pi)))
    True
    """
    first, second, lmax, mmax = _both(alm, other, lmax, mmax)
    what, by = choice("quantity", quantity, _POWERS), choice("unit", unit, _UNITS)
    norm, base = choice("normalization", normalization, NORMS), real("base", base)
    if not 1 < base < math.inf:
        raise ValueError(f"base = {base}: must be finite and above 1")
    made = np.empty(lmax + 1)
    check(lib.armilla_spectrum_power(lmax, mmax, pointer(first), pointer(second), what, norm, by,
                                     pointer(made)))
    return made * math.log(base) if unit == "per_dlogl" else made


def lowes(alm: ArrayLike, ratio: float = 1.0, *, lmax: Optional[int] = None,
          mmax: Optional[int] = None) -> np.ndarray:
    """Compute Lowes' spectrum of a magnetic field: its mean square by degree.

    Parameters
    ----------
    alm : array_like, shape (size,)
        Coefficients of the potential over the reference radius, in the unit of the field:
        ``armilla.conventions.convert(gh, "igrf", "healpy")`` of Gauss coefficients.
    ratio : float, optional
        Reference radius over that of the sphere where the field is looked at.
    %(arguments.lmax_mmax)s

    Returns
    -------
    ndarray, shape (lmax + 1,)
        (l + 1) ratio^(2 l + 4) times the sum of g^2 + h^2 over the orders.

    Raises
    ------
    ValueError
        If `ratio` is not above 0, or a value leaves the doubles.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> gh = np.zeros((3, 2))
    >>> gh[1, 0] = -29350.0                       # g of l = 1, m = 0, nT
    >>> alm = armilla.conventions.convert(gh, "igrf", "healpy")
    >>> bool(np.isclose(armilla.spectrum.lowes(alm)[1], 2 * 29350.0**2))
    True
    """
    first, _, lmax, mmax = _both(alm, None, lmax, mmax)
    made = np.empty(lmax + 1)
    check(lib.armilla_spectrum_lowes(lmax, mmax, pointer(first), real("ratio", ratio),
                                     pointer(made)))
    return made
