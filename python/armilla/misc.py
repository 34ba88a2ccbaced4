"""Functions of ducc0.misc under their names: Gauss-Legendre rings, deflected directions; coupling
matrices of masks in `experimental`.

Arguments and results are those of ducc0; wrong values raise `armilla.sht.Error`.
"""
from __future__ import annotations

from typing import Any, Iterator, List, Optional, Tuple

import numpy as np

from . import _misc_experimental as experimental
from ._arrays import pointer
from ._ducc import Error, Rings, array, count, integer, is_writeable, translated, vector
from ._errors import check
from ._native import lib
from .grid import Grid

__all__ = ["GL_thetas", "GL_weights", "experimental", "get_deflected_angles", "lensing_rotate"]

Array = Optional[np.ndarray]
_TURN = 2 * np.pi
_BLOCK = 1 << 20  # pixels at a time, so that temporary arrays stay small


def __dir__() -> List[str]:
    return __all__


def _gauss_legendre(nlat: Any, nlon: Any) -> np.ndarray:
    nlat, nlon = count("nlat", nlat), count("nlon", nlon)
    for name, number in (("nlat", nlat), ("nlon", nlon)):
        if number == 0:
            raise Error(f"{name} = 0: must be at least 1", "number of points must be at least 1")
    with translated():
        return Grid.gauss_legendre(nlat, nlon).rings


def GL_thetas(nlat: int) -> np.ndarray:
    """Return the colatitudes of the Gauss-Legendre rings.

    Parameters
    ----------
    nlat : int
        Number of rings, 1 or more.

    Returns
    -------
    ndarray, shape (nlat,)
        Colatitudes in radians, from north to south.

    Raises
    ------
    Error
        If `nlat` is 0.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> np.cos(armilla.misc.GL_thetas(2)).round(6)
    array([ 0.57735, -0.57735])
    """
    return _gauss_legendre(nlat, 1)["theta"].copy()


def GL_weights(nlat: int, nlon: int) -> np.ndarray:
    """Return the weights of the pixels of Gauss-Legendre rings.

    Parameters
    ----------
    nlat : int
        Number of rings, 1 or more.
    nlon : int
        Number of pixels of each ring, 1 or more.

    Returns
    -------
    ndarray, shape (nlat,)
        Weights of the pixels in steradians.

    Raises
    ------
    Error
        If a number is 0.
    """
    return _gauss_legendre(nlat, nlon)["weight"].copy()


# --- Deflections ----------------------------------------------------------------------------------


def _deflections(deflect: Any) -> np.ndarray:
    deflect = array("deflect", deflect, "fd")
    if deflect.ndim != 2 or deflect.shape[1] != 2:
        raise Error(f"deflect: has shape {deflect.shape}, must have (npix, 2)",
                    "dimensionality mismatch" if deflect.ndim != 2
                    else "second dimension of deflect must be 2")
    return deflect


def _result(res: Any, shape: Tuple[int, int], char: str) -> np.ndarray:
    if res is None:
        return np.zeros(shape, char)
    res = array("res", res, char)
    is_writeable("res", res)
    if res.shape != shape:
        raise Error(f"res: has shape {res.shape}, must have {shape}", "res: dimension mismatch")
    return res


def _distances(rings: Rings, dphi: Any) -> np.ndarray:
    """Longitude from one pixel to the next, on each ring."""
    if dphi is None:
        return _TURN / np.maximum(rings.nphi, 1)
    dphi = vector("dphi", dphi, "fiu", np.float64)
    if dphi.shape != rings.nphi.shape:
        raise Error(f"dphi: has {dphi.size} entries, must have {rings.nphi.size}, as nphi",
                    "nrings mismatch")
    return dphi


def _batches(nphi: np.ndarray) -> Iterator[slice]:
    """Some rings at a time, of a million pixels together, or a single one."""
    ends, first = np.cumsum(nphi), 0
    while first < nphi.size:
        before = ends[first] - nphi[first]
        last = max(first + 1, int(np.searchsorted(ends, before + _BLOCK, "right")))
        yield slice(first, last)
        first = last


def _deflect(loc: np.ndarray, field: np.ndarray, nthreads: int) -> np.ndarray:
    """Where directions (n, 2) come to, and gamma, (n, 3)."""
    field = np.ascontiguousarray(field.T, np.float64)
    moved: np.ndarray = np.empty(loc.shape)
    gamma: np.ndarray = np.empty(len(loc))
    with translated():
        check(lib.armilla_lensing_deflect(len(loc), pointer(loc), pointer(field), nthreads,
                                          pointer(moved), pointer(gamma)))
    moved[:, 1] %= _TURN
    return np.column_stack([moved, gamma])


def get_deflected_angles(theta: np.ndarray, phi0: np.ndarray, nphi: np.ndarray,
                         ringstart: np.ndarray, deflect: np.ndarray, calc_rotation: bool = False,
                         res: Array = None, nthreads: int = 1, dphi: Array = None) -> np.ndarray:
    """Compute where the pixels of rings are moved to along geodesics.

    Parameters
    ----------
    %(theta.rings)s
    phi0 : ndarray, shape (nrings,)
        Longitudes of their first pixels in radians.
    nphi : ndarray of int, shape (nrings,)
        Numbers of their pixels.
    ringstart : ndarray of int, shape (nrings,)
        Indices of their first pixels.
    deflect : ndarray, shape (npix, 2)
        Components of the deflection along theta and phi, in radians; float32 or float64.
    calc_rotation : bool, optional
        Whether gamma is computed, too.
    res : ndarray, optional
        Array for the result. Places that are no pixels stay as they are.
    %(nthreads.short)s
    dphi : ndarray, shape (nrings,), optional
        Longitude from one pixel to the next, in radians. By default the pixels go all around.

    Returns
    -------
    ndarray, shape (npix, 2) or (npix, 3)
        Colatitude, longitude from 0 to 2 pi and, with `calc_rotation`, gamma in radians, of the
        type of `deflect`: a field of spin s turns by exp(i s gamma). Places that are no pixels are
        0.

    Raises
    ------
    Error
        If a shape is wrong, or an angle is out of range.

    See Also
    --------
    armilla.lensing.deflect : The same for directions of any kind.
    """
    deflect, threads = _deflections(deflect), count("nthreads", nthreads)
    rings = Rings.of(theta, nphi, phi0, ringstart, 1)
    step = _distances(rings, dphi)
    most = max(int(start) + int(n) for start, n in zip(rings.ringstart, rings.nphi))
    if most > len(deflect):
        raise Error(f"deflect: has {len(deflect)} pixels, the rings have {most}")
    res = _result(res, (len(deflect), 3 if calc_rotation else 2), deflect.dtype.char)
    for some in _batches(rings.nphi):
        n = rings.nphi[some]
        number = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
        pixel = np.repeat(rings.ringstart[some], n) + number
        loc = np.stack([np.repeat(rings.theta[some], n),
                        np.repeat(rings.phi0[some], n) + number * np.repeat(step[some], n)], axis=1)
        res[pixel] = _deflect(loc, deflect[pixel], threads)[:, :res.shape[1]]
    return res


def lensing_rotate(values: np.ndarray, gamma: np.ndarray, spin: int, nthreads: int = 1) -> None:
    """Multiply values by exp(i spin gamma), in place.

    Parameters
    ----------
    values : ndarray
        Complex values of any shape.
    gamma : ndarray
        Angles in radians, of the same shape and precision.
    spin : int
        Spin of the field.
    nthreads : int, optional
        Has no effect: one thread does the work.

    Raises
    ------
    Error
        If the shapes differ.
    %(TypeError)s
    """
    values, spin = array("values", values, "FD"), integer("spin", spin)
    gamma = array("gamma", gamma, "f" if values.dtype.char == "F" else "d")
    is_writeable("values", values)
    count("nthreads", nthreads)
    if values.shape != gamma.shape:
        raise Error(f"gamma: has shape {gamma.shape}, values {values.shape}", "shape mismatch")
    if values.ndim == 0:
        values, gamma = values.reshape(1), gamma.reshape(1)
    rows = max(1, _BLOCK // max(1, int(np.prod(values.shape[1:]))))
    for first in range(0, len(values), rows):
        part = slice(first, first + rows)
        values[part] *= np.exp(1j * spin * gamma[part].astype(np.float64))
