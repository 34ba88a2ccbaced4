"""Two-point functions of spectra, and means over bins of angles: armilla/coupling.h."""
from __future__ import annotations

from typing import Any, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import angles, plain, pointer, reals
from ._aside import aside
from ._errors import degree, threads
from ._mixing import component_names
from ._native import ffi, lib


def _problem(theta: ArrayLike, lmax: int, spins: Tuple[int, int], bins: bool, nthreads: int
             ) -> Tuple[Any, np.ndarray, int]:
    """The struct, the angles that it points to, and how many numbers a function has."""
    given = reals(angles(theta, "theta"), "theta")
    if given.ndim != 1:
        raise ValueError(f"theta: has shape {given.shape}, but must have one axis")
    if bins and given.size < 2:
        raise ValueError("theta: must hold two edges or more, of bins of angles")
    problem = ffi.new("armilla_correlation *")
    lib.armilla_correlation_init(problem)
    problem.lmax, problem.bins, problem.nthreads = lmax, bool(bins), threads(nthreads)
    problem.spin1, problem.spin2 = spins
    problem.ntheta, problem.theta = given.size - bool(bins), pointer(given)
    return problem, given, problem.ntheta


def _names(spins: Tuple[int, int]) -> Tuple[str, ...]:
    for i, spin in enumerate(spins):
        degree(f"spins[{i}]", spin)
    return component_names(spins)


def _shape(ncl: int, n: int) -> Tuple[int, ...]:
    return (ncl, n) if ncl > 1 else (n,)


def correlation(cl: ArrayLike, theta: ArrayLike, spins: Tuple[int, int] = (0, 0), *,
                bins: bool = False, nthreads: int = 0) -> np.ndarray:
    """Compute two-point functions of spectra at angles, or their means over bins of angles.

    They are sums over l of (2 l + 1) / (4 pi) d^l(theta) C_l on the whole sphere, to rounding at
    all angles: Legendre polynomials of two scalars, d^l_0s of a scalar and a spin s (which is above
    0 at small angles), and for two spins xi+ and xi-.

    Parameters
    ----------
    cl : array_like, shape (lmax + 1,), or (2, lmax + 1) or (4, lmax + 1)
        Spectra: TT of two scalars; TE, TB of a scalar and a spin; EE, EB, BE, BB of two spins.
    theta : array_like, shape (n,), or (n + 1,) with `bins`
        Angles in radians, 0 to pi; or rising edges of bins.
    spins : tuple of two ints, optional
        Spins of the two fields.
    bins : bool, optional
        Whether to take means over bins, in which each angle has the weight sin(theta).
    %(nthreads)s

    Returns
    -------
    ndarray, shape (n,), or (2, n) or (4, n)
        One function for each spectrum. Of two spins they are xi+ of EE + BB, xi- of EE - BB, and
        their imaginary parts, of EB - BE and EB + BE.

    Raises
    ------
    ValueError
        If an angle or a number is wrong, or a shape.

    See Also
    --------
    correlation_adjoint : The transpose.

    Examples
    --------
    >>> import numpy as np
    >>> from armilla import pseudo_cl
    >>> cl = 1 / (10 + np.arange(101.0)) ** 2
    >>> at = pseudo_cl.correlation(cl, np.radians([0.5, 1, 2]))
    >>> mean = pseudo_cl.correlation(cl, np.radians([0, 1, 2, 4]), bins=True)
    >>> at.shape, mean.shape
    ((3,), (3,))
    """
    names = _names(spins)
    given = reals(plain(cl, "cl"), "cl")
    if given.shape[:-1] != _shape(len(names), 1)[:-1] or not given.shape[-1:] > (0,):
        raise ValueError(f"cl: has shape {given.shape}, but must have "
                         f"{_shape(len(names), 1)[:-1] + ('lmax + 1',)} for spins {tuple(spins)}")
    lmax = given.shape[-1] - 1
    problem, places, n = _problem(theta, lmax, spins, bins, nthreads)
    made = np.empty(_shape(len(names), n))
    aside(lambda: lib.armilla_correlation_from_cl(problem, pointer(given), pointer(made)),
          n * lmax // 100, given, made, places, problem)
    return made


def correlation_adjoint(xi: ArrayLike, theta: ArrayLike, lmax: int,
                        spins: Tuple[int, int] = (0, 0), *, bins: bool = False,
                        nthreads: int = 0) -> np.ndarray:
    """Compute the transpose of `correlation`: gradients with respect to spectra.

    Parameters
    ----------
    xi : array_like, shape (n,), or (2, n) or (4, n)
        Weights of the functions, as `correlation` returns them.
    theta : array_like, shape (n,), or (n + 1,) with `bins`
        Angles in radians, 0 to pi; or rising edges of bins.
    %(lmax)s
    spins : tuple of two ints, optional
        Spins of the two fields.
    bins : bool, optional
        Whether functions are means over bins.
    %(nthreads)s

    Returns
    -------
    ndarray, shape (lmax + 1,), or (2, lmax + 1) or (4, lmax + 1)
        One row for each spectrum.

    Raises
    ------
    ValueError
        If an angle or a number is wrong, or a shape.

    See Also
    --------
    correlation : The functions.

    Examples
    --------
    A spectrum comes back from its function at the nodes of a rule on the sphere:

    >>> import numpy as np
    >>> from armilla import pseudo_cl
    >>> cl = 1 / (10 + np.arange(51.0)) ** 2
    >>> x, weight = np.polynomial.legendre.leggauss(51)
    >>> xi = pseudo_cl.correlation(cl, np.arccos(x))
    >>> back = pseudo_cl.correlation_adjoint(weight * xi, np.arccos(x), 50)
    >>> bool(np.allclose(8 * np.pi ** 2 / (2 * np.arange(51) + 1) * back, cl, rtol=1e-10))
    True
    """
    names = _names(spins)
    lmax = degree("lmax", lmax)
    problem, places, n = _problem(theta, lmax, spins, bins, nthreads)
    given = reals(plain(xi, "xi"), "xi")
    if given.shape != _shape(len(names), n):
        raise ValueError(f"xi: has shape {given.shape}, but must have {_shape(len(names), n)}")
    made = np.empty(_shape(len(names), lmax + 1))
    aside(lambda: lib.armilla_correlation_adjoint(problem, pointer(given), pointer(made)),
          n * lmax // 100, given, made, places, problem)
    return made
