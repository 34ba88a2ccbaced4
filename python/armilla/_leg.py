"""The two stages of a transform on their own, as ducc0.sht has them: alm <-> leg <-> map.

leg ([ncomp], ntheta, nm), complex64 or complex128: the coefficients of exp(i m phi) on each ring.
"""
from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from ._arrays import pointer
from ._ducc import MODES, Error, Rings, array, count, new_or_given, ring_factor
from ._errors import check, in_words_of_ducc0, message
from ._native import ffi, lib
from .grid import _RING as RING

_MODES = {"STANDARD": lib.ARMILLA_SHT_STANDARD, "GRAD_ONLY": lib.ARMILLA_SHT_GRADIENT_ONLY,
          "DERIV1": lib.ARMILLA_SHT_DERIVATIVES}
_PROBLEM, _INTEGERS = ffi.typeof("armilla_leg_problem *"), ffi.typeof("int64_t[]")
Array = Optional[np.ndarray]


def _integers(name: str, values: Any) -> np.ndarray:
    values = np.asarray(values)
    if values.ndim != 1 or values.size == 0 or values.dtype.kind not in "iu":
        raise Error(f"{name}: must be integers, one per order")
    return np.ascontiguousarray(values, dtype=np.int64)


class Problem:
    """An armilla_leg_problem and the arrays that it points to."""

    def __init__(self, lmax: Any, theta: Any, spin: Any, mval: Any, mstart: Any, lstride: Any,
                 mode: str, nthreads: Any) -> None:
        if mode not in MODES:
            raise Error(f"mode = {mode!r}: must be one of {', '.join(MODES)}")
        lmax, spin = count("lmax", lmax), 1 if mode == "DERIV1" else count("spin", spin)
        if (mval is None) != (mstart is None):
            raise Error("mval and mstart: both or none")
        if mval is None:
            orders = np.arange(lmax + 1, dtype=np.int64)
        else:
            orders = _integers("mval", mval)
            if np.unique(orders).size != orders.size:
                raise Error("mval: has an order twice")
        if mstart is None:
            mstart = orders * (2 * lmax + 1 - orders) // 2
        else:
            mstart = _integers("mstart", mstart)
        if mstart.shape != orders.shape:
            raise Error(f"mstart: must have {orders.size} entries, as mval")
        theta = np.ascontiguousarray(theta, dtype=np.float64)
        if theta.ndim != 1:
            raise Error("theta: must have one dimension")
        self._kept = orders, mstart, theta
        self.given = given = ffi.new(_PROBLEM)
        lib.armilla_leg_problem_init(given)
        given.lmax, given.spin, given.mode = lmax, spin, _MODES[mode]
        given.norders, given.nrings, given.stride = orders.size, theta.size, int(lstride)
        given.orders = ffi.from_buffer(_INTEGERS, orders)
        given.mstart = ffi.from_buffer(_INTEGERS, mstart)
        given.theta = pointer(theta)
        given.nthreads = count("nthreads", nthreads)
        self.ncomp = 1 if spin == 0 else 2
        self.nalm = self.ncomp if mode == "STANDARD" else 1
        self.leg_shape = (self.ncomp, theta.size, orders.size)
        self.alm_size: int = lib.armilla_leg_alm_size(given)
        if self.alm_size < 0:
            raise Error(in_words_of_ducc0(message()))


def _contiguous(values: np.ndarray) -> np.ndarray:
    """Contiguous and aligned; the same array if it is."""
    flags = values.flags
    if flags.c_contiguous and flags.aligned:
        return values
    return np.require(values, requirements=["C", "A"])


def _call(name: str, is_single: bool, *arguments: Any) -> None:
    try:
        check(getattr(lib, name + ("_float" if is_single else ""))(*arguments))
    except ValueError as error:
        raise Error(in_words_of_ducc0(str(error))) from error


def _at_least(name: str, values: np.ndarray, rows: int, size: int) -> np.ndarray:
    """(rows, size or more), contiguous."""
    if values.ndim != 2 or values.shape[0] != rows or values.shape[1] < size:
        raise Error(f"{name}: has shape {values.shape}, must have ({rows}, {size} or more)")
    return _contiguous(values)


def _legs(leg: Any, shape: Tuple[int, ...]) -> np.ndarray:
    """leg of exactly this shape."""
    leg = array("leg", leg, "FD")
    if leg.shape != shape:
        raise Error(f"leg: has shape {leg.shape}, must have {shape}")
    return leg


def alm2leg(*, alm: np.ndarray, lmax: int, theta: np.ndarray, spin: int = 0, mval: Array = None,
            mstart: Array = None, lstride: int = 1, nthreads: int = 1, leg: Array = None,
            mode: str = "STANDARD", theta_interpol: bool = False) -> np.ndarray:
    """Coefficients (nalm, x) -> leg (nleg, ntheta, nm).

    mval: the orders, (nm,), default 0 .. lmax; mstart: (nm,), of each of them.
    """
    problem = Problem(lmax, theta, spin, mval, mstart, lstride, mode, nthreads)
    given = _at_least("alm", array("alm", alm, "FD"), problem.nalm, problem.alm_size)
    leg = _legs(new_or_given("leg", leg, problem.leg_shape, alm.dtype.char), problem.leg_shape)
    made = _contiguous(leg)
    problem.given.alm_distance = given.shape[-1]
    _call("armilla_leg_from_alm", alm.dtype.char == "F", problem.given, pointer(given),
          pointer(made))
    if made is not leg:
        leg[...] = made
    return leg


def leg2alm(*, leg: np.ndarray, lmax: int, theta: np.ndarray, spin: int = 0, mval: Array = None,
            mstart: Array = None, lstride: int = 1, nthreads: int = 1, alm: Array = None,
            mode: str = "STANDARD", theta_interpol: bool = False) -> np.ndarray:
    """leg (nleg, ntheta, nm) -> coefficients (nalm, size): the adjoint of alm2leg."""
    problem = Problem(lmax, theta, spin, mval, mstart, lstride, mode, nthreads)
    given = _contiguous(_legs(leg, problem.leg_shape))
    alm = new_or_given("alm", alm, (problem.nalm, problem.alm_size), leg.dtype.char)
    made = _contiguous(alm)
    problem.given.alm_distance = made.shape[-1]
    _call("armilla_leg_to_alm", leg.dtype.char == "F", problem.given, pointer(given), pointer(made))
    if made is not alm:
        alm[...] = made
    return alm


def alm2leg_deriv1(*, alm: np.ndarray, lmax: int, theta: np.ndarray, mval: Array = None,
                   mstart: Array = None, lstride: int = 1, nthreads: int = 1, leg: Array = None,
                   theta_interpol: bool = False) -> np.ndarray:
    """Coefficients (1, x) -> leg (2, ntheta, nm) of d/dtheta and d/dphi / sin theta."""
    return alm2leg(alm=alm, lmax=lmax, theta=theta, spin=1, mval=mval, mstart=mstart,
                   lstride=lstride, nthreads=nthreads, leg=leg, mode="DERIV1")


class _Pixels:
    """An armilla_leg_rings and the array that it points to."""

    def __init__(self, nphi: Any, phi0: Any, ringstart: Any, ringfactor: Any, pixstride: Any,
                 mmax: int, ncomp: int, nthreads: Any) -> None:
        nphi = np.asarray(nphi)
        rings = Rings.of(np.ones(nphi.shape), nphi, phi0, ringstart, pixstride)
        factor = ring_factor(ringfactor, nphi.size)
        self._kept = kept = np.empty(nphi.shape, RING)
        kept["theta"], kept["nphi"], kept["phi0"] = 1, rings.nphi, rings.phi0
        kept["offset"], kept["stride"] = rings.ringstart, rings.pixstride
        kept["weight"] = 1 if factor is None else factor
        self.npix = int((rings.ringstart + np.maximum((rings.nphi - 1) * rings.pixstride, 0)).max(
            initial=-1)) + 1
        self.given = ffi.new("armilla_leg_rings *")
        lib.armilla_leg_rings_init(self.given)
        self.given.nrings, self.given.mmax, self.given.ncomp = nphi.size, mmax, ncomp
        self.given.rings = ffi.from_buffer("armilla_ring[]", kept)
        self.given.nthreads = count("nthreads", nthreads)


def _three(leg: Any) -> np.ndarray:
    leg = array("leg", leg, "FD")
    if leg.ndim != 3 or leg.shape[-1] == 0:
        raise Error(f"leg: has shape {leg.shape}, must have (ncomp, ntheta, mmax + 1)")
    return _contiguous(leg)


def leg2map(*, leg: np.ndarray, nphi: np.ndarray, phi0: np.ndarray, ringstart: np.ndarray,
            ringfactor: Array = None, pixstride: int = 1, nthreads: int = 1,
            map: Array = None) -> np.ndarray:
    """leg (ncomp, ntheta, mmax + 1), orders 0 .. mmax -> map (ncomp, npix)."""
    given = _three(leg)
    pixels = _Pixels(nphi, phi0, ringstart, ringfactor, pixstride, leg.shape[2] - 1, leg.shape[0],
                     nthreads)
    if leg.shape[1] != pixels.given.nrings:
        raise Error(f"leg: has {leg.shape[1]} rings, nphi {pixels.given.nrings}")
    char = "f" if leg.dtype.char == "F" else "d"
    map = new_or_given("map", map, (leg.shape[0], pixels.npix), char)
    made = _contiguous(map)
    pixels.given.map_distance = made.shape[-1]
    _call("armilla_leg_to_map", char == "f", pixels.given, pointer(given), pointer(made))
    if made is not map:
        map[...] = made
    return map


def map2leg(*, map: np.ndarray, nphi: np.ndarray, phi0: np.ndarray, ringstart: np.ndarray,
            ringfactor: Array = None, mmax: int, pixstride: int = 1, nthreads: int = 1,
            leg: Array = None) -> np.ndarray:
    """Map (ncomp, x) -> leg (ncomp, ntheta, mmax + 1): the adjoint of leg2map."""
    map = array("map", map, "fd")
    mmax = count("mmax", mmax)
    if map.ndim != 2:
        raise Error(f"map: has shape {map.shape}, must have (ncomp, npix)")
    pixels = _Pixels(nphi, phi0, ringstart, ringfactor, pixstride, mmax, map.shape[0], nthreads)
    given = _at_least("map", map, map.shape[0], pixels.npix)
    shape = (map.shape[0], pixels.given.nrings, mmax + 1)
    char = "F" if map.dtype.char == "f" else "D"
    leg = _legs(new_or_given("leg", leg, shape, char), shape)
    made = _contiguous(leg)
    pixels.given.map_distance = given.shape[-1]
    _call("armilla_leg_from_map", char == "F", pixels.given, pointer(given), pointer(made))
    if made is not leg:
        leg[...] = made
    return leg
