"""Differential operators on coefficients, which are functions of armilla.alm."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from . import alm as _alm  # which imports this module: its names are there when they are needed
from ._arrays import as_alm, pointer
from ._errors import check, choice, real, whole
from ._native import lib
from ._types import Mean

MEANS = {"error": lib.ARMILLA_MEAN_ERROR, "ignore": lib.ARMILLA_MEAN_IGNORE}


def _copied(alm: ArrayLike, lmax: Optional[int], mmax: Optional[int]) -> Any:
    """A copy in double precision, the type for the result, lmax and mmax."""
    alm = as_alm(alm)
    lmax, mmax = _alm.band(alm, lmax, mmax)
    return np.array(alm, dtype=np.complex128, order="C"), alm.dtype, lmax, mmax


def apply_laplacian(alm: ArrayLike, *, radius: float = 1.0, lmax: Optional[int] = None,
                    mmax: Optional[int] = None) -> np.ndarray:
    """Apply the Laplacian on the sphere: a_lm times -l (l + 1) / radius^2, in a new array.

    Parameters
    ----------
    %(alm)s
    radius : float, optional
        Radius of the sphere.
    %(arguments.lmax_mmax)s

    Returns
    -------
    ndarray, shape (..., size)
        Coefficients of the Laplacian, complex64 or complex128 as `alm` is.

    Raises
    ------
    ValueError
        If the number of coefficients does not fit `lmax` and `mmax`, or the radius is not above 0.

    Examples
    --------
    >>> import armilla
    >>> armilla.alm.apply_laplacian([1, 1, 1], lmax=2, mmax=0).real.tolist()
    [0.0, -2.0, -6.0]
    """
    result, dtype, lmax, mmax = _copied(alm, lmax, mmax)
    radius = real("radius", radius)
    for row in result.reshape(-1, result.shape[-1]):
        check(lib.armilla_alm_apply_laplacian(lmax, mmax, radius, pointer(row)))
    return result.astype(dtype, copy=False)


def invert_laplacian(alm: ArrayLike, *, radius: float = 1.0, mean: Mean = "error",
                     lmax: Optional[int] = None, mmax: Optional[int] = None) -> np.ndarray:
    """Invert the Laplacian on the sphere: a_lm times -radius^2 / (l (l + 1)), in a new array.

    Parameters
    ----------
    alm : array_like, shape (..., size)
        Coefficients, whose a_00 must be 0 to rounding: no Laplacian has a mean.
    radius : float, optional
        Radius of the sphere.
    mean : {"error", "ignore"}, optional
        What is done about an a_00 above 1e-5 of the norm of all others: "error" refuses it,
        "ignore" leaves it out.
    %(arguments.lmax_mmax)s

    Returns
    -------
    ndarray, shape (..., size)
        Coefficients of the field without mean whose Laplacian is `alm`.

    Raises
    ------
    ValueError
        If there is a mean, the number of coefficients does not fit, or the radius is not above 0.

    Examples
    --------
    >>> import armilla
    >>> armilla.alm.invert_laplacian([0, -2, -6], lmax=2, mmax=0).real.tolist()
    [0.0, 1.0, 1.0]
    """
    result, dtype, lmax, mmax = _copied(alm, lmax, mmax)
    radius, rule = real("radius", radius), choice("mean", mean, MEANS)
    for row in result.reshape(-1, result.shape[-1]):
        check(lib.armilla_alm_invert_laplacian(lmax, mmax, radius, rule, pointer(row)))
    return result.astype(dtype, copy=False)


def derive_phi(alm: ArrayLike, *, lmax: Optional[int] = None, mmax: Optional[int] = None
               ) -> np.ndarray:
    """Differentiate in longitude, d/dphi: a_lm times i m, in a new array.

    Parameters
    ----------
    %(alm)s
    %(arguments.lmax_mmax)s

    Returns
    -------
    ndarray, shape (..., size)
        Coefficients of the derivative.

    %(Raises.size)s

    Examples
    --------
    >>> import armilla
    >>> bool(armilla.alm.derive_phi([1, 1, 1 + 2j])[2] == 1j - 2)
    True
    """
    result, dtype, lmax, mmax = _copied(alm, lmax, mmax)
    for row in result.reshape(-1, result.shape[-1]):
        check(lib.armilla_alm_derive_phi(lmax, mmax, pointer(row)))
    return result.astype(dtype, copy=False)


def _couple(function: Any, alm: ArrayLike, lmax: Optional[int], mmax: Optional[int],
            result_lmax: Optional[int]) -> np.ndarray:
    from .alm import size
    given, dtype, lmax, mmax = _copied(alm, lmax, mmax)
    most = lmax + 1 if result_lmax is None else whole("result_lmax", result_lmax)
    if not mmax <= most <= lmax + 1:
        raise ValueError(f"result_lmax = {most}: must be in mmax = {mmax} to lmax + 1 = {lmax + 1}")
    result = np.empty(given.shape[:-1] + (size(most, mmax),), np.complex128)
    for row, made in zip(given.reshape(-1, given.shape[-1]),
                         result.reshape(-1, result.shape[-1])):
        check(function(lmax, mmax, pointer(row), most, pointer(made)))
    return result.astype(dtype, copy=False)


def multiply_cos_theta(alm: ArrayLike, *, result_lmax: Optional[int] = None,
                       lmax: Optional[int] = None, mmax: Optional[int] = None) -> np.ndarray:
    """Multiply a field by the cosine of the colatitude, which is the sine of the latitude.

    Parameters
    ----------
    %(alm)s
    result_lmax : int, optional
        Largest degree of the result, mmax to lmax + 1. By default it is lmax + 1, which has the
        whole product; what is above a smaller one is cut off.
    %(lmax.of_size)s
    mmax : int, optional
        Largest order, 0 to `lmax`, of the result as well. By default it is `lmax`.

    Returns
    -------
    ndarray, shape (..., armilla.alm.size(result_lmax, mmax))
        Coefficients of the product.

    Raises
    ------
    ValueError
        If the number of coefficients does not fit, or `result_lmax` is out of range.

    See Also
    --------
    derive_theta : sin(theta) d/dtheta.

    Notes
    -----
    `mul_ct_matrix` of SHTns cuts at lmax: ``result_lmax=lmax``.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> made = armilla.alm.multiply_cos_theta([1.0])                    # of Y_00, with lmax 1
    >>> bool(np.allclose(made, [0, 1 / np.sqrt(3)]))                    # Y_10 / sqrt(3)
    True
    """
    return _couple(lib.armilla_alm_multiply_cos_theta, alm, lmax, mmax, result_lmax)


def derive_theta(alm: ArrayLike, *, result_lmax: Optional[int] = None,
                 lmax: Optional[int] = None, mmax: Optional[int] = None) -> np.ndarray:
    """Apply sin(theta) d/dtheta, theta being the colatitude.

    Parameters
    ----------
    %(alm)s
    result_lmax : int, optional
        Largest degree of the result, mmax to lmax + 1. By default it is lmax + 1, which has the
        whole result; what is above a smaller one is cut off.
    %(lmax.of_size)s
    mmax : int, optional
        Largest order, 0 to `lmax`, of the result as well. By default it is `lmax`.

    Returns
    -------
    ndarray, shape (..., armilla.alm.size(result_lmax, mmax))
        Coefficients of the result.

    Raises
    ------
    ValueError
        If the number of coefficients does not fit, or `result_lmax` is out of range.

    See Also
    --------
    multiply_cos_theta : The product with cos(theta).

    Notes
    -----
    `st_dt_matrix` of SHTns cuts at lmax: ``result_lmax=lmax``. On the sphere the adjoint of
    sin(theta) d/dtheta is -sin(theta) d/dtheta - 2 cos(theta).

    Examples
    --------
    >>> import armilla, numpy as np
    >>> made = armilla.alm.derive_theta([0, 1.0], mmax=0)               # of Y_10, up to degree 2
    >>> bool(np.allclose(made, [-2 / np.sqrt(3), 0, 2 / np.sqrt(15)]))
    True
    """
    return _couple(lib.armilla_alm_derive_theta, alm, lmax, mmax, result_lmax)
