"""Transforms between maps and coefficients under healpy's names.

Maps are in RING order, units are free; T, Q, U in, T, E, B out, signs as in HEALPix. Results are
double.
"""
from __future__ import annotations

from typing import Any, List, Optional, Tuple

import numpy as np

from ..transform import Plan
from ._inputs import (Error, alm_size, band, band_of, integer, iqu_plan, plan, read_alms, read_maps)
from .weights import Weights, weights
from .windows import has_beam, multiply_rows, pixel_windows, smooth


def _plan_of(nside: int, lmax: int, mmax: int, n: int, pol: bool, name: str, weighted: bool = False
             ) -> Tuple[Plan, int]:
    """The plan of n rows, and how many it transforms: of T, Q, U only T where lmax < 2, for fields
    of spin 2 have no such degrees."""
    if n != 1 and pol:
        if n != 3:
            raise Error(f"{name}: {n} of them: with pol = True must be 1 or 3")
        if lmax >= 2:
            return iqu_plan(nside, lmax, mmax, weighted), n
        n = 1
    return plan(nside, lmax, mmax, weighted=weighted), n


def _rows(sht: Plan, values: np.ndarray) -> np.ndarray:
    """(n, x) as a plan takes them: n scalars, or all components of one transform."""
    return values[None] if len(sht.map_shape) > 1 else values


def _with_zeros(values: np.ndarray, n: int) -> np.ndarray:
    """(n, x): the rows, and zeros."""
    if len(values) == n:
        return values
    return np.concatenate([values, np.zeros((n - len(values), values.shape[1]), values.dtype)])


def _analyse(sht: Plan, values: np.ndarray, iterations: int, factors: Optional[np.ndarray] = None
             ) -> np.ndarray:
    """Analysis of values (n, npix) that are multiplied by factors (npix,) already, and corrections
    as pseudo_analysis by Jacobi makes them, without the last synthesis, which is only for its
    report: a <- a + Y^T W (map - Y a) = a + a_0 - Y^T W Y a."""
    values = _rows(sht, values)
    alm = sht.analysis(values, missing="propagate")
    if iterations:
        first, image, step = alm.copy(), np.empty_like(values), np.empty_like(alm)
    for _ in range(iterations):
        sht.synthesis(alm, out=image)
        if factors is not None:
            image *= factors
        alm += first
        alm -= sht.analysis(image, out=step, missing="propagate")
    return alm.reshape(-1, alm.shape[-1])


def analyse(values: np.ndarray, nside: int, lmax: int, mmax: int, iterations: int, pol: bool,
            weighted: Weights) -> np.ndarray:
    """Maps (n, npix) -> coefficients (n, size). Pixel weights: without iterations, as in healpy."""
    iterations = iterations if weighted.iterates else 0
    factors = weighted.factors
    if factors is not None:
        values = values * factors
    sht, used = _plan_of(nside, lmax, mmax, len(values), pol, "maps", weighted.computed)
    return _with_zeros(_analyse(sht, values[:used], iterations, factors), len(values))


def synthesize(alms: np.ndarray, nside: int, lmax: int, mmax: int, pol: bool) -> np.ndarray:
    """Coefficients (n, size) -> maps (n, npix)."""
    maps = np.zeros((len(alms), 12 * nside * nside))
    sht, used = _plan_of(nside, lmax, mmax, len(alms), pol, "alms")
    sht.synthesis(_rows(sht, alms[:used]), out=_rows(sht, maps[:used]))
    return maps


def cut_galaxy(values: np.ndarray, nside: int, gal_cut: float) -> np.ndarray:
    """Maps with 0 at latitudes of less than gal_cut degrees."""
    if not gal_cut:
        return values
    from .pixels import latitudes_below
    return np.where(latitudes_below(nside, gal_cut), 0.0, values)


def map2alm(maps: Any, lmax: Optional[int] = None, mmax: Optional[int] = None, iter: int = 3,
            pol: bool = True, use_weights: bool = False, datapath: Optional[str] = None,
            gal_cut: float = 0, use_pixel_weights: bool = False, verbose: bool = True
            ) -> np.ndarray:
    """Compute the coefficients of a map, or of maps of T, Q and U.

    Parameters
    ----------
    maps : array_like, shape (npix,) or (n, npix)
        One map, or several, in RING order. Missing pixels are those that are UNSEEN (to a relative
        1e-5) or that a masked array hides; they count as 0.
    %(lmax.3nside)s
    %(mmax.lmax)s
    %(iter)s
    pol : bool, optional
        Whether three maps are T, Q and U, whose coefficients are T, E and B. If it is False each
        map is a scalar. With True, the default, there must be one map or three.
    %(arguments.weights)s
    %(verbose)s

    Returns
    -------
    ndarray, shape (size,) or (n, size)
        Coefficients a_lm with m >= 0, complex128, at the places that `Alm.getidx` tells.

    Raises
    ------
    ValueError
        If no HEALPix map has this many pixels, their number differs between maps, or a number is
        out of range.
    FileNotFoundError
        If `datapath` has no such file.

    See Also
    --------
    alm2map : The way back.
    map2alm_lsq : Least squares to a tolerance.
    armilla.SHT : Transforms on any grid, with masks and weights.

    Notes
    -----
    The sign of U is that of HEALPix (COSMO), not of the IAU. Q + iU = -sum (E + iB) 2Ylm.

    Examples
    --------
    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> alm = hp.map2alm(np.ones(hp.nside2npix(16)), lmax=32)
    >>> alm.shape, complex(alm[0].round(4))
    ((561,), (3.5449+0j))
    """
    given = read_maps(maps)
    lmax, mmax = band(lmax, mmax, 3 * given.nside - 1)
    weighted = weights(given.nside, use_weights, use_pixel_weights, datapath)
    values = cut_galaxy(given.values, given.nside, gal_cut)
    alm = analyse(values, given.nside, lmax, mmax, integer("iter", iter), bool(pol), weighted)
    return alm[0] if len(alm) == 1 else alm


def alm2map(alms: Any, nside: int, lmax: Optional[int] = None, mmax: Optional[int] = None,
            pixwin: bool = False, fwhm: float = 0.0, sigma: Optional[float] = None,
            pol: bool = True, inplace: bool = False, verbose: bool = True) -> np.ndarray:
    """Compute the map of coefficients, or maps of T, Q and U.

    Parameters
    ----------
    alms : array_like, shape (size,) or (n, size)
        Coefficients a_lm with m >= 0, at the places that `Alm.getidx` tells.
    %(nside.any)s
    %(lmax.of_size)s
    mmax : int, optional
        Largest order. By default it is `lmax`; if they differ, both must be given.
    pixwin : bool, optional
        Whether coefficients are multiplied by the pixel window of `nside`; those above 3 nside - 1
        become 0.
    %(fwhm.optional)s
    %(sigma)s
    pol : bool, optional
        Whether three arrays are T, E and B, whose maps are T, Q and U. If it is False each array
        is a scalar. With True, the default, there must be one array or three.
    inplace : bool, optional
        Allows that `alms` is changed by the beam, which is never done.
    %(verbose)s

    Returns
    -------
    ndarray, shape (npix,) or (n, npix)
        The maps in RING order, float64.

    Raises
    ------
    ValueError
        If the number of coefficients does not fit `lmax` and `mmax`, or a number is out of range.

    See Also
    --------
    map2alm : The way back.
    synfast : A random map with a power spectrum.
    alm2map_der1 : A map and its derivatives.

    Examples
    --------
    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> alm = np.zeros(hp.Alm.getsize(lmax=4), complex)
    >>> alm[hp.Alm.getidx(4, 0, 0)] = np.sqrt(4 * np.pi)
    >>> hp.alm2map(alm, nside=4)[:3].round(6)
    array([1., 1., 1.])
    """
    nside = integer("nside", nside, 1)
    values, single = read_alms(alms)
    if pol and not single and len(values) != 3:
        raise Error(f"alms: {len(values)} of them: with pol = True must be 3")
    lmax, mmax = band_of(values.shape[1], lmax, mmax)
    if has_beam(fwhm, sigma) or pixwin:
        values = values.copy(order="C")
        smooth(values, lmax, mmax, fwhm, sigma, None, pol)
    if pixwin:
        windows = np.zeros((2, lmax + 1))
        most = min(lmax, 3 * nside - 1)  # where pixwin(nside) ends
        windows[:, :most + 1] = pixel_windows(nside, most)
        multiply_rows(values, windows, lmax, mmax, bool(pol))
    maps = synthesize(values, nside, lmax, mmax, bool(pol))
    return maps[0] if single else maps


def _pair(name: str, given: np.ndarray) -> np.ndarray:
    if len(given) != 2:
        raise Error(f"{name}: {len(given)} of them: must be 2")
    return given


def map2alm_spin(maps: Any, spin: int, lmax: Optional[int] = None, mmax: Optional[int] = None
                 ) -> List[np.ndarray]:
    """Compute the gradient and curl coefficients of a field of any spin, without iteration.

    Parameters
    ----------
    maps : array_like, shape (2, npix)
        Real and imaginary part of the field, in RING order.
    spin : int
        Spin, 0 or more. 0 means two scalars with the sign of gradients, as in healpy: -1 times
        ``map2alm(iter=0)``.
    %(lmax.3nside)s
    %(mmax.lmax)s

    Returns
    -------
    list of ndarray, shape (size,)
        Gradient and curl coefficients, complex128.

    Raises
    ------
    ValueError
        If there are not two maps, or a number is out of range.
    """
    spin = integer("spin", spin)
    given = read_maps(maps)
    values = _pair("maps", given.values)
    lmax, mmax = band(lmax, mmax, 3 * given.nside - 1)
    if spin > lmax:
        return list(np.zeros((2, alm_size(lmax, mmax)), complex))
    alm = _analyse(plan(given.nside, lmax, mmax, spin), values, 0)
    return list(alm if spin else -alm)


def alm2map_spin(alms: Any, nside: int, spin: int, lmax: int, mmax: Optional[int] = None
                 ) -> List[np.ndarray]:
    """Compute the maps of a field of any spin from its gradient and curl coefficients.

    Parameters
    ----------
    alms : array_like, shape (2, size)
        Gradient and curl coefficients.
    %(nside.any)s
    spin : int
        Spin, 0 or more. 0 means two scalars with the sign of gradients, as in healpy.
    %(lmax)s
    %(mmax.lmax)s

    Returns
    -------
    list of ndarray, shape (npix,)
        Real and imaginary part of the field, in RING order.

    Raises
    ------
    ValueError
        If there are not two arrays, or a number is out of range.
    """
    spin, nside = integer("spin", spin), integer("nside", nside, 1)
    values = _pair("alms", read_alms(alms)[0])
    lmax, mmax = band_of(values.shape[1], *band(lmax, mmax, 0))
    if spin > lmax:
        return list(np.zeros((2, 12 * nside * nside)))
    sht = plan(nside, lmax, mmax, spin)
    maps = sht.synthesis(_rows(sht, values))
    return list(maps[0] if spin else -maps)


def map2alm_lsq(maps: Any, lmax: int, mmax: int, pol: bool = True, tol: float = 1e-10,
                maxiter: int = 20) -> Tuple[np.ndarray, float, int]:
    """Fit coefficients to maps: least squares by iteration.

    Parameters
    ----------
    maps : array_like, shape (npix,) or (n, npix)
        One map, or several, in RING order. Missing pixels count as 0.
    %(lmax)s
    %(mmax.given)s
    %(pol)s
    tol : float, optional
        Relative accuracy at which the iteration stops.
    maxiter : int, optional
        Limit of iterations of LSMR. healpy has another method, so its numbers of iterations
        differ.

    Returns
    -------
    alm : ndarray, shape (size,) or (n, size)
        Coefficients, complex128.
    residual : float
        Norm of map - Y a over the norm of the map.
    iterations : int
        Number of iterations.

    %(Raises.npix_or_number)s
    """
    given = read_maps(maps)
    if lmax is None or mmax is None:
        raise Error("lmax, mmax: must be given")
    lmax, mmax = band(lmax, mmax, 0)
    values = given.values
    sht, used = _plan_of(given.nside, lmax, mmax, len(values), bool(pol), "maps")
    made, report = sht.pseudo_analysis(_rows(sht, values[:used]), tolerance=tol,
                                       max_iterations=integer("maxiter", maxiter),
                                       missing="propagate")
    alm = _with_zeros(made.reshape(-1, made.shape[-1]), len(values))
    squares = (values ** 2).sum(axis=1)
    # of each problem: one row, or T, and Q with U
    norms = np.array([squares[0], squares[1:].sum()]) if len(sht.map_shape) > 1 else squares[:used]
    left = (norms * np.ravel(report.residual) ** 2).sum() + squares[used:].sum()
    residual = float(np.sqrt(left / squares.sum())) if squares.any() else 0.0
    return (alm[0] if len(alm) == 1 else alm), residual, int(np.max(report.iterations))


def alm2map_der1(alm: Any, nside: int, lmax: Optional[int] = None, mmax: Optional[int] = None
                 ) -> np.ndarray:
    """Compute a map and its first derivatives.

    Parameters
    ----------
    alm : array_like, shape (size,)
        Coefficients.
    %(nside.any)s
    %(lmax.of_size)s
    %(mmax.lmax)s

    Returns
    -------
    ndarray, shape (3, npix)
        f, df/dtheta and df/dphi / sin(theta), in RING order, float64.

    Raises
    ------
    ValueError
        If the number of coefficients does not fit `lmax` and `mmax`, or a number is out of range.
    """
    nside = integer("nside", nside, 1)
    values, single = read_alms(alm, "alm")
    if not single:
        raise Error("alm: must be one array (size,)")
    lmax, mmax = band_of(values.shape[1], lmax, mmax, "alm")
    maps = np.zeros((3, 12 * nside * nside))
    plan(nside, lmax, mmax).synthesis(values[0], out=maps[0])
    if lmax > 0:
        slope = plan(nside, lmax, mmax, 1, "derivatives")
        slope.synthesis(values[0], out=maps[1:])
    return maps
