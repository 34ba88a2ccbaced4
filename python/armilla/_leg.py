"""The two stages of a transform on their own, as ducc0.sht has them: alm <-> leg <-> map.

leg ([ncomp], ntheta, nm), complex64 or complex128: the coefficients of exp(i m phi) on each ring.
"""
from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from ._arrays import apart, pointer
from ._ducc import (MODES, Error, Rings, array, count, error_of, integer, new_or_given, one_of,
                    ring_factor, spin_within, vector)
from ._errors import check, message
from ._native import ffi, lib
from ._progress import heed_signals, raise_kept
from .grid import _RING as RING

_MODES = {"STANDARD": lib.ARMILLA_SHT_STANDARD, "GRAD_ONLY": lib.ARMILLA_SHT_GRADIENT_ONLY,
          "DERIV1": lib.ARMILLA_SHT_DERIVATIVES}
_PROBLEM, _INTEGERS = ffi.typeof("armilla_leg_problem *"), ffi.typeof("int64_t[]")
Array = Optional[np.ndarray]


def _orders(lmax: int, mval: Any, mstart: Any) -> Tuple[np.ndarray, np.ndarray]:
    """Orders, and where each begins."""
    if (mval is None) != (mstart is None):
        raise Error("mval and mstart: both or none", "mval and mstart must be supplied together")
    if mval is None:
        orders = np.arange(lmax + 1, dtype=np.int64)
        return orders, orders * (2 * lmax + 1 - orders) // 2
    orders, mstart = vector("mval", mval, "iu", np.int64), vector("mstart", mstart, "iu", np.int64)
    if np.unique(orders).size != orders.size:
        raise Error("mval: has an order twice", "m value present more than once")
    if mstart.shape != orders.shape:
        raise Error(f"mstart: has {mstart.size} entries, must have {orders.size}, as mval",
                    "size mismatch between mval and mstart")
    return orders, mstart


class Problem:
    """An armilla_leg_problem and the arrays that it points to."""

    def __init__(self, lmax: Any, theta: Any, spin: Any, mval: Any, mstart: Any, lstride: Any,
                 mode: str, nthreads: Any) -> None:
        if mode != "STANDARD":
            one_of("mode", mode, MODES, "unknown SHT mode")
        lmax, spin = count("lmax", lmax), count("spin", spin)
        if mode == "DERIV1" and spin == 0:
            raise Error("spin = 0: must be larger with mode = DERIV1",
                        "need two Legendre components")
        spin = spin_within(spin, lmax, mode)
        orders, mstart = _orders(lmax, mval, mstart)
        theta = vector("theta", theta, "fiu", np.float64)
        self._kept: Tuple[np.ndarray, ...] = orders, mstart, theta
        self.given = given = ffi.new(_PROBLEM)
        lib.armilla_leg_problem_init(given)
        given.lmax, given.spin, given.mode = lmax, spin, _MODES[mode]
        given.norders, given.nrings = orders.size, theta.size
        given.stride = integer("lstride", lstride)
        given.orders = ffi.from_buffer(_INTEGERS, orders)
        given.mstart = ffi.from_buffer(_INTEGERS, mstart)
        given.theta = pointer(theta)
        given.nthreads = count("nthreads", nthreads)
        self.ncomp = 1 if spin == 0 else 2
        self.nalm = self.ncomp if mode == "STANDARD" else 1
        self.leg_shape = (self.ncomp, theta.size, orders.size)
        self.alm_components = ("incorrect number of a_lm components" if self.nalm == self.ncomp
                               else "need one a_lm component")
        self.alm_size: int = self._size()

    def _size(self) -> int:
        """Of one component of alm; an error if the problem is wrong."""
        given = self.given
        if given.norders == 0:
            return 1  # as ducc0 has it: an empty share of orders is no mistake
        if given.nrings == 0:  # nor is one of rings; the library wants one, any will do
            self._kept += (np.ones(1),)
            given.nrings, given.theta = 1, pointer(self._kept[-1])
        size: int = lib.armilla_leg_alm_size(given)
        if size < 0:
            raise error_of(message())
        return size


def _contiguous(values: np.ndarray) -> np.ndarray:
    """Contiguous and aligned; the same array if it is."""
    flags = values.flags
    if flags.c_contiguous and flags.aligned:
        return values
    return np.require(values, requirements=["C", "A"])


def _call(name: str, is_single: bool, struct: Any, *arguments: Any) -> None:
    heed_signals(struct)
    status = getattr(lib, name + ("_float" if is_single else ""))(struct, *arguments)
    raise_kept()
    try:
        check(status)
    except ValueError as error:
        raise error_of(str(error)) from error


def _at_least(name: str, values: np.ndarray, rows: int, size: int, components: str) -> np.ndarray:
    """(rows, size or more), contiguous. components: what ducc0 says of a wrong number of rows."""
    if values.ndim != 2 or values.shape[0] != rows or values.shape[1] < size:
        short = f"bad {'a_lm' if name == 'alm' else name} array size"
        raise Error(f"{name}: has shape {values.shape}, must have ({rows}, {size} or more)",
                    "dimensionality mismatch" if values.ndim != 2 else
                    components if values.shape[0] != rows else short)
    return _contiguous(values)


def _given_legs(leg: Any, shape: Tuple[int, ...]) -> np.ndarray:
    """leg of exactly this shape."""
    leg = array("leg", leg, "FD")
    if leg.shape == shape:
        return _contiguous(leg)
    wrong = "dimensionality mismatch" if leg.ndim != 3 else "; ".join(
        said for said, have, want in zip(("bad number of components in leg array; need two "
                                          "Legendre components", "bad leg array size",
                                          "nm mismatch"), leg.shape, shape) if have != want)
    raise Error(f"leg: has shape {leg.shape}, must have {shape}", wrong)


def _made_legs(leg: Any, shape: Tuple[int, ...], char: str) -> np.ndarray:
    """A new leg, or the caller's of exactly this shape."""
    wrong = "leg: dimension mismatch"
    made = new_or_given("leg", leg, shape, char, phrase=wrong)
    if made.shape != shape:
        raise Error(f"leg: has shape {made.shape}, must have {shape}", wrong)
    return made


def alm2leg(*, alm: np.ndarray, lmax: int, theta: np.ndarray, spin: int = 0, mval: Array = None,
            mstart: Array = None, lstride: int = 1, nthreads: int = 1, leg: Array = None,
            mode: str = "STANDARD", theta_interpol: bool = False) -> np.ndarray:
    """Transform coefficients to coefficients of exp(i m phi) on rings: the Legendre stage.

    Parameters
    ----------
    alm : ndarray, shape (nalm, x)
        Coefficients, complex64 or complex128. nalm is 1 for spin 0 and for modes other than
        "STANDARD", else 2.
    %(arguments.legendre)s
    leg : ndarray, shape (nleg, ntheta, nm), optional
        Array for the result, which is returned.
    %(mode.ducc)s
    %(theta_interpol)s

    Returns
    -------
    ndarray, shape (nleg, ntheta, nm)
        Coefficients of exp(i m phi) on each ring, of the type of `alm`.

    %(Raises.ducc)s

    See Also
    --------
    leg2map : The next stage.
    """
    problem = Problem(lmax, theta, spin, mval, mstart, lstride, mode, nthreads)
    given = _at_least("alm", array("alm", alm, "FD"), problem.nalm, problem.alm_size,
                      problem.alm_components)
    leg = _made_legs(leg, problem.leg_shape, alm.dtype.char)
    if leg.size == 0:
        return leg
    made = _contiguous(leg)
    problem.given.alm_distance = given.shape[-1]
    _call("armilla_leg_from_alm", alm.dtype.char == "F", problem.given,
          pointer(apart(given, made)), pointer(made))
    if made is not leg:
        leg[...] = made
    return leg


def leg2alm(*, leg: np.ndarray, lmax: int, theta: np.ndarray, spin: int = 0, mval: Array = None,
            mstart: Array = None, lstride: int = 1, nthreads: int = 1, alm: Array = None,
            mode: str = "STANDARD", theta_interpol: bool = False) -> np.ndarray:
    """Apply the adjoint of alm2leg.

    Parameters
    ----------
    leg : ndarray, shape (nleg, ntheta, nm)
        Coefficients of exp(i m phi) on each ring, complex64 or complex128; nleg is 1 for spin 0,
        else 2.
    %(arguments.legendre)s
    alm : ndarray, shape (nalm, x), optional
        Array for the result, which is returned.
    %(mode.ducc)s
    %(theta_interpol)s

    Returns
    -------
    ndarray, shape (nalm, size)
        Coefficients, of the type of `leg`.

    %(Raises.ducc)s
    """
    problem = Problem(lmax, theta, spin, mval, mstart, lstride, mode, nthreads)
    given = _given_legs(leg, problem.leg_shape)
    alm = new_or_given("alm", alm, (problem.nalm, problem.alm_size), leg.dtype.char,
                       components=problem.alm_components)
    if given.shape[2] == 0:
        return alm
    if given.shape[1] == 0:  # the sum over no rings
        given = np.zeros((given.shape[0], 1, given.shape[2]), given.dtype)
    made = _contiguous(alm)
    problem.given.alm_distance = made.shape[-1]
    _call("armilla_leg_to_alm", leg.dtype.char == "F", problem.given, pointer(apart(given, made)),
          pointer(made))
    if made is not alm:
        alm[...] = made
    return alm


def alm2leg_deriv1(*, alm: np.ndarray, lmax: int, theta: np.ndarray, mval: Array = None,
                   mstart: Array = None, lstride: int = 1, nthreads: int = 1, leg: Array = None,
                   theta_interpol: bool = False) -> np.ndarray:
    """Transform coefficients to the Legendre stage of d/dtheta and d/dphi / sin(theta).

    Parameters
    ----------
    alm : ndarray, shape (1, x)
        Coefficients, complex64 or complex128.
    %(lmax.inclusive)s
    %(theta.rings)s
    mval : ndarray of int, shape (nm,), optional
        The orders. By default they are 0 to `lmax`.
    %(mstart.mval)s
    %(lstride)s
    %(nthreads.1)s
    leg : ndarray, shape (nleg, ntheta, nm), optional
        Array for the result, which is returned.
    %(theta_interpol)s

    Returns
    -------
    ndarray, shape (2, ntheta, nm)
        Coefficients of exp(i m phi) on each ring, of the type of `alm`.

    %(Raises.ducc)s
    """
    return alm2leg(alm=alm, lmax=lmax, theta=theta, spin=1, mval=mval, mstart=mstart,
                   lstride=lstride, nthreads=nthreads, leg=leg, mode="DERIV1")


class _Pixels:
    """An armilla_leg_rings and the array that it points to."""

    def __init__(self, nphi: Any, phi0: Any, ringstart: Any, ringfactor: Any, pixstride: Any,
                 mmax: int, ncomp: int, nthreads: Any) -> None:
        rings = Rings.of(None, nphi, phi0, ringstart, pixstride)
        factor = ring_factor(ringfactor, rings.nphi.size)
        self._kept = kept = np.empty(rings.nphi.shape, RING)
        kept["theta"], kept["nphi"], kept["phi0"] = 1, rings.nphi, rings.phi0
        kept["offset"], kept["stride"] = rings.ringstart, rings.pixstride
        kept["weight"] = 1 if factor is None else factor
        self.npix = int((rings.ringstart + np.maximum((rings.nphi - 1) * rings.pixstride, 0)).max(
            initial=-1)) + 1
        self.given = ffi.new("armilla_leg_rings *")
        lib.armilla_leg_rings_init(self.given)
        self.given.nrings, self.given.mmax, self.given.ncomp = rings.nphi.size, mmax, ncomp
        self.given.rings = ffi.from_buffer("armilla_ring[]", kept)
        self.given.nthreads = count("nthreads", nthreads)


def _three(leg: Any) -> np.ndarray:
    leg = array("leg", leg, "FD")
    if leg.ndim != 3 or leg.shape[-1] == 0:
        raise Error(f"leg: has shape {leg.shape}, must have (ncomp, ntheta, mmax + 1)",
                    "bad mmax" if leg.ndim == 3 else "dimensionality mismatch")
    return _contiguous(leg)


def leg2map(*, leg: np.ndarray, nphi: np.ndarray, phi0: np.ndarray, ringstart: np.ndarray,
            ringfactor: Array = None, pixstride: int = 1, nthreads: int = 1,
            map: Array = None) -> np.ndarray:
    """Transform coefficients of exp(i m phi) on rings to a map.

    Parameters
    ----------
    leg : ndarray, shape (ncomp, ntheta, mmax + 1)
        Coefficients of exp(i m phi) on each ring, of the orders 0 to mmax; complex64 or
        complex128.
    %(arguments.rings)s
    %(pixstride)s
    %(nthreads.1)s
    map : ndarray, shape (ncomp, x), optional
        Array for the result, which is returned.

    Returns
    -------
    ndarray, shape (ncomp, npix)
        The map, of the precision of `leg`.

    %(Raises.ducc)s
    """
    given = _three(leg)
    pixels = _Pixels(nphi, phi0, ringstart, ringfactor, pixstride, leg.shape[2] - 1, leg.shape[0],
                     nthreads)
    if leg.shape[1] != pixels.given.nrings:
        raise Error(f"leg: has {leg.shape[1]} rings, nphi {pixels.given.nrings}",
                    "inconsistent number of rings")
    char = "f" if leg.dtype.char == "F" else "d"
    map = new_or_given("map", map, (leg.shape[0], pixels.npix), char)
    if leg.shape[0] == 0:
        return map
    made = _contiguous(map)
    pixels.given.map_distance = made.shape[-1]
    _call("armilla_leg_to_map", char == "f", pixels.given, pointer(apart(given, made)),
          pointer(made))
    if made is not map:
        map[...] = made
    return map


def map2leg(*, map: np.ndarray, nphi: np.ndarray, phi0: np.ndarray, ringstart: np.ndarray,
            ringfactor: Array = None, mmax: int, pixstride: int = 1, nthreads: int = 1,
            leg: Array = None) -> np.ndarray:
    """Apply the adjoint of leg2map.

    Parameters
    ----------
    map : ndarray, shape (ncomp, x)
        Map, float32 or float64.
    %(arguments.rings)s
    %(mmax.given)s
    %(pixstride)s
    %(nthreads.1)s
    leg : ndarray, shape (ncomp, ntheta, mmax + 1), optional
        Array for the result, which is returned.

    Returns
    -------
    ndarray, shape (ncomp, ntheta, mmax + 1)
        Coefficients of exp(i m phi) on each ring, of the precision of `map`.

    %(Raises.ducc)s
    """
    map = array("map", map, "fd")
    mmax = count("mmax", mmax)
    if map.ndim != 2:
        raise Error(f"map: has shape {map.shape}, must have (ncomp, npix)",
                    "dimensionality mismatch")
    pixels = _Pixels(nphi, phi0, ringstart, ringfactor, pixstride, mmax, map.shape[0], nthreads)
    given = _at_least("map", map, map.shape[0], pixels.npix, "")
    shape = (map.shape[0], pixels.given.nrings, mmax + 1)
    char = "F" if map.dtype.char == "f" else "D"
    leg = _made_legs(leg, shape, char)
    if map.shape[0] == 0:
        return leg
    made = _contiguous(leg)
    pixels.given.map_distance = given.shape[-1]
    _call("armilla_leg_from_map", char == "F", pixels.given, pointer(apart(given, made)),
          pointer(made))
    if made is not leg:
        leg[...] = made
    return leg
