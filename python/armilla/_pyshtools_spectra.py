"""Power spectra of armilla.pyshtools."""
from __future__ import annotations

import math
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from ._errors import real, shown, whole
from ._pyshtools_grids import coefficients
from .conventions import convert

_NAMES = ("4pi", "ortho", "schmidt", "unnorm")
_CONVENTIONS = ("power", "energy", "l2norm")
_UNITS = ("per_l", "per_lm", "per_dlogl")


def _one_of(name: str, word: str, words: Any) -> None:
    if word not in words:
        raise ValueError(f"{name} = {shown(word)}: must be one of {', '.join(words)}")


def _in_norm(clm: Any, normalization: str, convention: str) -> np.ndarray:
    """Coefficients of the 4 pi norm, or as they are for l2norm; what no degree has is 0."""
    is_complex = bool(np.iscomplexobj(clm))
    given = coefficients(clm, is_complex)
    kind = ":complex:complex-field" if is_complex else ""
    source = f"shtools:{normalization}{kind}"
    return convert(given, source, source if convention == "l2norm" else f"shtools:4pi{kind}")


def cross_spectrum(clm1: ArrayLike, clm2: ArrayLike, normalization: str = "4pi",
                   degrees: Optional[ArrayLike] = None, lmax: Optional[int] = None,
                   convention: str = "power", unit: str = "per_l", base: float = 10.0
                   ) -> np.ndarray:
    """Compute the cross-spectrum of two fields.

    Parameters
    ----------
    clm1 : array_like, shape (2, lmax + 1, lmax + 1)
        Coefficients of a field, real or complex.
    clm2 : array_like, shape (2, lmax + 1, lmax + 1)
        Coefficients of the other.
    normalization : {"4pi", "ortho", "schmidt", "unnorm"}, optional
        Norm of the coefficients.
    degrees : array_like of int, optional
        Degrees that are wanted. By default they are 0 to lmax.
    lmax : int, optional
        Largest degree. By default it is that of the coefficients.
    convention : {"power", "energy", "l2norm"}, optional
        The mean of the product over the sphere, its integral, or the sum of the products of the
        coefficients as they are.
    unit : {"per_l", "per_lm", "per_dlogl"}, optional
        Of a degree, of one of its 2 l + 1 orders, or of a unit of the logarithm of l.
    base : float, optional
        Base of that logarithm.

    Returns
    -------
    ndarray
        The spectrum at the degrees.

    Examples
    --------
    >>> import armilla.pyshtools as pysh, numpy as np
    >>> clm = np.zeros((2, 3, 3))
    >>> clm[0, 2, 1], clm[1, 2, 1] = 3.0, 4.0
    >>> pysh.cross_spectrum(clm, clm)
    array([ 0.,  0., 25.])
    """
    _one_of("normalization", normalization, _NAMES)
    _one_of("convention", convention, _CONVENTIONS)
    _one_of("unit", unit, _UNITS)
    if convention == "l2norm" and normalization == "unnorm":
        raise ValueError("convention = 'l2norm': not for normalization = 'unnorm'")
    if np.iscomplexobj(clm1) != np.iscomplexobj(clm2):
        raise TypeError("clm2: must be complex where clm1 is, and only there")
    first, second = (_in_norm(clm, normalization, convention) for clm in (clm1, clm2))
    if first.shape != second.shape:
        raise ValueError(f"clm2: has shape {second.shape}, must have that of clm1, {first.shape}")
    top = first.shape[1] - 1
    last = top if lmax is None else whole("lmax", lmax)
    if not 0 <= last <= top:
        raise ValueError(f"lmax = {last}: must be from 0 to {top}")
    wanted = np.arange(last + 1) if degrees is None else np.asarray(degrees)
    if wanted.dtype.kind not in "iu" or (
            wanted.size and not 0 <= wanted.min() <= wanted.max() <= last):
        raise ValueError(f"degrees: must be whole numbers from 0 to {last}")
    made = (first * second.conj()).sum((0, 2)) * (4 * math.pi if convention == "energy" else 1)
    l = np.arange(top + 1)
    if unit == "per_lm":
        made = made / (2 * l + 1)
    elif unit == "per_dlogl":
        if not real("base", base) > 1:
            raise ValueError(f"base = {base}: must be above 1")
        made = made * l * math.log(base)
    return made[wanted]


def spectrum(clm: ArrayLike, normalization: str = "4pi", degrees: Optional[ArrayLike] = None,
             lmax: Optional[int] = None, convention: str = "power", unit: str = "per_l",
             base: float = 10.0) -> np.ndarray:
    """Compute the spectrum of a field.

    Parameters
    ----------
    clm : array_like, shape (2, lmax + 1, lmax + 1)
        Coefficients, real or complex.
    normalization : {"4pi", "ortho", "schmidt", "unnorm"}, optional
        As in `cross_spectrum`; so are the parameters below.
    degrees : array_like of int, optional
        Degrees that are wanted.
    %(lmax.optional)s
    convention : {"power", "energy", "l2norm"}, optional
        What is summed.
    unit : {"per_l", "per_lm", "per_dlogl"}, optional
        What the spectrum is of.
    base : float, optional
        Base of the logarithm for "per_dlogl".

    Returns
    -------
    ndarray
        The spectrum at the degrees, float64.
    """
    return cross_spectrum(clm, clm, normalization, degrees, lmax, convention, unit, base).real


def SHPowerSpectrum(cilm: ArrayLike, lmax: Optional[int] = None) -> np.ndarray:
    """Compute the power of each degree of coefficients in the 4 pi norm.

    Parameters
    ----------
    cilm : array_like, shape (2, lmax + 1, lmax + 1)
        Coefficients.
    %(lmax.optional)s

    Returns
    -------
    ndarray, shape (lmax + 1,)
        The sum of the squares.
    """
    return spectrum(cilm, lmax=lmax)


def SHPowerSpectrumDensity(cilm: ArrayLike, lmax: Optional[int] = None) -> np.ndarray:
    """Compute the power of each coefficient by degree, in the 4 pi norm.

    Parameters
    ----------
    cilm : array_like, shape (2, lmax + 1, lmax + 1)
        Coefficients.
    %(lmax.optional)s

    Returns
    -------
    ndarray, shape (lmax + 1,)
        The sum of the squares, over 2 l + 1.
    """
    return spectrum(cilm, lmax=lmax, unit="per_lm")


def SHCrossPowerSpectrum(cilm1: ArrayLike, cilm2: ArrayLike, lmax: Optional[int] = None
                         ) -> np.ndarray:
    """Compute the cross-power of each degree of coefficients in the 4 pi norm.

    Parameters
    ----------
    %(arguments.two_fields)s

    Returns
    -------
    ndarray, shape (lmax + 1,)
        The sum of the products.
    """
    return cross_spectrum(cilm1, cilm2, lmax=lmax)


def SHCrossPowerSpectrumDensity(cilm1: ArrayLike, cilm2: ArrayLike, lmax: Optional[int] = None
                                ) -> np.ndarray:
    """Compute the cross-power of each coefficient by degree, in the 4 pi norm.

    Parameters
    ----------
    %(arguments.two_fields)s

    Returns
    -------
    ndarray, shape (lmax + 1,)
        The sum of the products, over 2 l + 1.
    """
    return cross_spectrum(cilm1, cilm2, lmax=lmax, unit="per_lm")
