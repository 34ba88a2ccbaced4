"""The functions of ducc0.sht under their names, with their arguments, shapes and results.

Arguments that many functions share:

    alm          ([ntrans,] nalm, x), complex64 or complex128; x may be larger than needed
    map          ([ntrans,] nmaps, x), or ([ntrans,] nmaps, ntheta, nphi) in the functions `_2d`;
                 float32 or float64, the precision of alm
    lmax         largest degree, inclusive
    mmax         largest order, inclusive; default that of mstart, else lmax
    mstart       (mmax + 1,), integers: a_lm is element mstart[m] + l * lstride (default: healpy's
                 order)
    lstride      distance of neighbouring degrees in the last axis of alm
    spin         0 or more; nmaps is 1 for spin 0, else 2
    mode         "STANDARD"; "GRAD_ONLY" (spin > 0, curl 0); "DERIV1" (d/dtheta and
                 d/dphi / sin theta); nalm is 1 for spin 0 and outside "STANDARD", else 2
    theta        (nrings,): colatitudes of the rings, radians
    nphi         (nrings,): numbers of pixels of the rings; in the functions `_2d` one number
    phi0         (nrings,): longitudes of their first pixels, radians; in `_2d` one number
    ringstart    (nrings,): indices of their first pixels in the last axis of map
    pixstride    distance of neighbouring pixels in the last axis of map
    geometry     "CC", "F1", "F2", "DH", "MW", "MWflip", "GL"
    ringfactor   (nrings,): rings of a map are multiplied by it, at the end (to map) or at the
                 beginning (to alm)
    nthreads     0: all available; default 1
    leg          (nmaps, ntheta, nm), complex: coefficients of exp(i m phi) on each ring
    theta_interpol   accepted; the library chooses the way by itself
    loc          (npix, 2), float64: colatitude and longitude of each point, radians
    epsilon      of the functions `_general`: largest error relative to all values, 1e-13 or more
                 (float32: 1e-6); pseudo_analysis: where iteration stops
    sigma_min, sigma_max, verbose   accepted; the library chooses its oversampling by itself

An output array may be given as map= or alm=; it is returned. Wrong values raise Error, which is a
RuntimeError as in ducc0 (and a ValueError); wrong types TypeError. The text says which argument is
wrong and how, and in brackets what ducc0 says of it. Lists and numbers of other types are taken
for theta, nphi, phi0, ringstart, mstart, mval, ringfactor where nothing is lost. Where ducc0 would
read or write beyond an array, that is an error.

The plans of the last calls are kept: see kept_plans, limit_plans, clear_plans.
"""
from __future__ import annotations

from typing import Any, Iterator, List, Optional, Tuple, Union

import numpy as np

from .._ducc import (PLANS, Call, Error, array, call_2d, call_on_rings, count, grid_2d,
                     new_or_given, ring_factor, rows, run, translated)
from .._general import (adjoint_synthesis_general, pseudo_analysis_general,
                        synthesis_general)
from .._leg import alm2leg, alm2leg_deriv1, leg2alm, leg2map, map2leg
from .._errors import real
from .._explained import explain
from .._linear import operate
from .._meridians import Meridians, ring_weights, rule
from .._native import ffi, lib
from .._plans import Kept
from ..alm import size
from ..rotation import Rotation

__all__ = ["Error", "adjoint_analysis_2d", "adjoint_synthesis", "adjoint_synthesis_2d",
           "adjoint_synthesis_general", "alm2leg", "alm2leg_deriv1", "analysis_2d", "clear_plans",
           "experimental", "get_gridweights", "kept_plans", "leg2alm", "leg2map", "limit_plans",
           "map2leg", "maximum_safe_l", "pseudo_analysis", "pseudo_analysis_general", "rotate_alm",
           "synthesis", "synthesis_2d", "synthesis_2d_deriv1", "synthesis_deriv1",
           "synthesis_general"]

Array = Optional[np.ndarray]
_REAL = {"F": "f", "D": "d"}
_COMPLEX = {"f": "F", "d": "D"}


def __dir__() -> List[str]:
    return __all__


def clear_plans() -> None:
    """Frees the plans that were kept for repeated calls; those of positions in armilla.torch and
    armilla.jax, too."""
    PLANS.clear()
    lib.armilla_python_sights_clear()


def limit_plans(plans: int = 16, nbytes: int = 2 << 30) -> None:
    """Sets how many plans are kept, and how much memory they may take with their workspaces.

    A plan that alone needs more is made for its call and freed. As many again may be kept for
    positions in armilla.torch and armilla.jax.
    """
    plans, nbytes = int(plans), int(min(nbytes, 2 ** 63 - 1))
    PLANS.limit(plans, nbytes)
    lib.armilla_python_sights_limit(plans, nbytes)


def kept_plans() -> Kept:
    """Number of plans that are kept now, and the bytes they take; with those of positions in
    armilla.torch and armilla.jax."""
    sights = ffi.new("int64_t[2]")
    lib.armilla_python_sights_kept(sights, sights + 1)
    kept = PLANS.kept()
    return Kept(kept.plans + sights[0], kept.bytes + sights[1])


# --- Any rings ------------------------------------------------------------------------------------


def synthesis(*, alm: np.ndarray, theta: np.ndarray, lmax: int, mstart: Array = None,
              nphi: np.ndarray, phi0: np.ndarray, ringstart: np.ndarray, ringfactor: Array = None,
              spin: int, lstride: int = 1, pixstride: int = 1, nthreads: int = 1,
              map: Array = None, mmax: Optional[int] = None, mode: str = "STANDARD",
              theta_interpol: bool = False) -> np.ndarray:
    """Coefficients ([ntrans,] nalm, x) -> map ([ntrans,] nmaps, npix)."""
    call = call_on_rings(theta, nphi, phi0, ringstart, pixstride, lmax, mmax, mstart, lstride, spin,
                         mode)
    factor = ring_factor(ringfactor, len(call.rings.nphi))
    plan, ndim = call.plan, len(call.plan.alm_shape)
    alm = array("alm", alm, "FD")
    given = rows("alm", alm, call.alm_shape, ndim)
    map = new_or_given("map", map, alm.shape[:-2] + call.map_shape, _REAL[alm.dtype.char])
    target = rows("map", map, call.map_shape, len(plan.map_shape))
    run(plan.synthesis, given, out=target, nthreads=nthreads)
    if factor is not None:
        call.rings.multiply(target, factor)
    return map


def synthesis_deriv1(*, alm: np.ndarray, theta: np.ndarray, lmax: int, mstart: Array = None,
                     nphi: np.ndarray, phi0: np.ndarray, ringstart: np.ndarray,
                     ringfactor: Array = None, lstride: int = 1, pixstride: int = 1,
                     nthreads: int = 1, map: Array = None, mmax: Optional[int] = None,
                     theta_interpol: bool = False) -> np.ndarray:
    """Coefficients ([ntrans,] 1, x) -> map ([ntrans,] 2, npix): d/dtheta, d/dphi / sin theta."""
    return synthesis(alm=alm, theta=theta, lmax=lmax, mstart=mstart, nphi=nphi, phi0=phi0,
                     ringstart=ringstart, ringfactor=ringfactor, spin=1, lstride=lstride,
                     pixstride=pixstride, nthreads=nthreads, map=map, mmax=mmax, mode="DERIV1")


def adjoint_synthesis(*, map: np.ndarray, theta: np.ndarray, lmax: int, mstart: Array = None,
                      nphi: np.ndarray, phi0: np.ndarray, ringstart: np.ndarray,
                      ringfactor: Array = None, spin: int, lstride: int = 1, pixstride: int = 1,
                      nthreads: int = 1, alm: Array = None, mmax: Optional[int] = None,
                      mode: str = "STANDARD", theta_interpol: bool = False) -> np.ndarray:
    """Map ([ntrans,] nmaps, x) -> coefficients ([ntrans,] nalm, size): the adjoint of synthesis."""
    call = call_on_rings(theta, nphi, phi0, ringstart, pixstride, lmax, mmax, mstart, lstride, spin,
                         mode)
    given, alm, target = _map_and_alm(call, map, alm, ringfactor)
    run(call.plan.adjoint_synthesis, given, out=target, nthreads=nthreads, missing="propagate")
    return alm


def _map_and_alm(call: Call, map: Any, alm: Array, ringfactor: Array
                 ) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The map as the plan takes it, multiplied by the ring factors; the output array, for the
    caller and as the plan takes it."""
    factor = ring_factor(ringfactor, len(call.rings.nphi))
    map = array("map", map, "fd")
    given = rows("map", map, call.map_shape, len(call.plan.map_shape))
    if factor is not None:
        given = given.copy()
        call.rings.multiply(given, factor)
    alm = new_or_given("alm", alm, map.shape[:-2] + call.alm_shape, _COMPLEX[map.dtype.char])
    return given, alm, rows("alm", alm, call.alm_shape, len(call.plan.alm_shape))


Several = Union[Any, List[Any]]


def pseudo_analysis(*, map: np.ndarray, theta: np.ndarray, lmax: int, mstart: Array = None,
                    nphi: np.ndarray, phi0: np.ndarray, ringstart: np.ndarray,
                    ringfactor: Array = None, spin: int, lstride: int = 1, pixstride: int = 1,
                    nthreads: int = 1, alm: Array = None, maxiter: int, epsilon: float,
                    mmax: Optional[int] = None, theta_interpol: bool = False,
                    alm_contains_initial_guess: bool = False
                    ) -> Tuple[np.ndarray, Several, Several, Several, Several]:
    """Map ([ntrans,] nmaps, x) -> coefficients by least squares (LSMR).

    Result: alm; why it stopped (0 map is zero, 1 equations solved, 2 least-squares solution, 3 the
    condition is too bad, 7 maxiter reached); iterations; residual over norm of map; quality of the
    least-squares solution. The last four are lists if there is an axis ntrans.
    """
    call = call_on_rings(theta, nphi, phi0, ringstart, pixstride, lmax, mmax, mstart, lstride, spin,
                         "STANDARD")
    plan = call.plan
    if alm_contains_initial_guess and alm is None:
        raise Error("alm_contains_initial_guess: needs alm",
                    "alm must be supplied if alm_contains_initial_guess is True")
    given, alm, target = _map_and_alm(call, map, alm, ringfactor)
    _, report = run(plan._iterate, given, method="lsmr", tolerance=epsilon,
                    max_iterations=count("maxiter", maxiter), weights=None,
                    guess=target if alm_contains_initial_guess else None, out=target,
                    nthreads=nthreads, progress=None)
    told = (report["stop"], report["iterations"], report["residual"], report["gradient"])
    return (alm, *(values.tolist() for values in told))  # numbers without an axis ntrans


# --- Grids of named geometries --------------------------------------------------------------------


def synthesis_2d(*, alm: np.ndarray, spin: int, lmax: int, geometry: str,
                 ntheta: Optional[int] = None, nphi: Optional[int] = None,
                 mmax: Optional[int] = None, nthreads: int = 1, map: Array = None,
                 mode: str = "STANDARD", phi0: float = 0.0, ringfactor: Array = None,
                 mstart: Array = None, lstride: int = 1) -> np.ndarray:
    """Coefficients ([ntrans,] nalm, x) -> map ([ntrans,] nmaps, ntheta, nphi)."""
    return _to_map_2d("synthesis", alm, spin, lmax, geometry, (ntheta, nphi), mmax, nthreads, map,
                      mode, phi0, ringfactor, mstart, lstride)


def synthesis_2d_deriv1(*, alm: np.ndarray, lmax: int, geometry: str,
                        ntheta: Optional[int] = None, nphi: Optional[int] = None,
                        mmax: Optional[int] = None, nthreads: int = 1, map: Array = None,
                        phi0: float = 0.0, ringfactor: Array = None, mstart: Array = None,
                        lstride: int = 1) -> np.ndarray:
    """Coefficients ([ntrans,] 1, x) -> ([ntrans,] 2, ntheta, nphi): d/dtheta, d/dphi / sin."""
    return _to_map_2d("synthesis", alm, 1, lmax, geometry, (ntheta, nphi), mmax, nthreads, map,
                      "DERIV1", phi0, ringfactor, mstart, lstride)


def adjoint_synthesis_2d(*, map: np.ndarray, spin: int, lmax: int, geometry: str,
                         mmax: Optional[int] = None, nthreads: int = 1, alm: Array = None,
                         mode: str = "STANDARD", phi0: float = 0.0, ringfactor: Array = None,
                         mstart: Array = None, lstride: int = 1) -> np.ndarray:
    """Map ([ntrans,] nmaps, ntheta, nphi) -> coefficients: the adjoint of synthesis_2d."""
    return _to_alm_2d("adjoint_synthesis", map, spin, lmax, geometry, mmax, nthreads, alm, mode,
                      phi0, ringfactor, mstart, lstride)


def analysis_2d(*, map: np.ndarray, spin: int, lmax: int, geometry: str,
                mmax: Optional[int] = None, nthreads: int = 1, alm: Array = None,
                phi0: float = 0.0, ringfactor: Array = None, mstart: Array = None,
                lstride: int = 1) -> np.ndarray:
    """Map ([ntrans,] nmaps, ntheta, nphi) -> coefficients; inverts synthesis_2d.

    lmax must not exceed maximum_safe_l(geometry, ntheta); orders up to (nphi - 1) / 2 come back,
    those above alias. The weights are those of ducc0, also of maps that hold more than lmax.
    (Another rule, by which nothing beyond lmax leaks that the rings resolve, is SHT.analysis.)
    """
    return _to_alm_2d("analysis", map, spin, lmax, geometry, mmax, nthreads, alm, "STANDARD",
                      phi0, ringfactor, mstart, lstride)


def adjoint_analysis_2d(*, alm: np.ndarray, spin: int, lmax: int, geometry: str,
                        ntheta: Optional[int] = None, nphi: Optional[int] = None,
                        mmax: Optional[int] = None, nthreads: int = 1, map: Array = None,
                        phi0: float = 0.0, ringfactor: Array = None, mstart: Array = None,
                        lstride: int = 1) -> np.ndarray:
    """Coefficients ([ntrans,] nalm, x) -> map: the adjoint of analysis_2d."""
    return _to_map_2d("adjoint_analysis", alm, spin, lmax, geometry, (ntheta, nphi), mmax, nthreads,
                      map, "STANDARD", phi0, ringfactor, mstart, lstride)


def _shape_2d(shape: Tuple[Any, Any], map: Array) -> Tuple[int, int]:
    """(ntheta, nphi), from the arguments or from the given map."""
    if map is not None:
        if not isinstance(map, np.ndarray):
            raise TypeError(f"map: must be a numpy array, not {type(map).__name__}")
        if map.ndim not in (3, 4):
            raise Error(f"map: has shape {map.shape}, must have ([ntrans,] nmaps, ntheta, nphi)",
                        "map size mismatch; dimensionality mismatch")
    given = (None, None) if map is None else map.shape[-2:]
    return _length("ntheta", shape[0], given[0]), _length("nphi", shape[1], given[1])


def _length(name: str, asked: Any, given: Optional[int]) -> int:
    if asked is None:
        if given is None:
            raise Error(f"{name}: needed where map is not given",
                        "you need to specify either 'map' or 'ntheta' and 'nphi'")
        return given
    asked = count(name, asked)
    if given is not None and given != asked:
        raise Error(f"{name} = {asked}: does not match that of map, {given}", f"{name} mismatch")
    return asked


def _checked_call_2d(name: str, geometry: str, shape: Tuple[int, int], lmax: Any, mmax: Any,
                     mstart: Array, lstride: Any, spin: Any, mode: str) -> Call:
    inverts = name in ("analysis", "adjoint_analysis")
    few = f"too few rings for {name.replace('_', ' ')} up to requested lmax" if inverts else ""
    call = call_2d(geometry, shape, lmax, mmax, mstart, lstride, spin, mode, few)
    if inverts and lmax > call.plan.grid._rings_lmax:
        raise Error(f"lmax = {lmax}: {geometry} with {shape[0]} rings allows "
                    f"{call.plan.grid._rings_lmax}", few)
    return call


_WITHOUT_WEIGHTS = {"analysis": "adjoint_synthesis", "adjoint_analysis": "synthesis"}


def _rule(name: str, geometry: str, shape: Tuple[int, int], call: Call
          ) -> Tuple[str, Array, Optional[Meridians]]:
    """How a call gets ducc0's quadrature: the plan's operator; weights of rings besides it, or
    None; what stands for the operator, or None."""
    kind = "library"
    if name in _WITHOUT_WEIGHTS:
        kind = rule(geometry, shape[0], call.coefficients.lmax)
    if kind == "weights":
        return _WITHOUT_WEIGHTS[name], ring_weights(*shape), None
    if kind == "meridians":
        return name, None, Meridians(geometry, *shape, call.coefficients.lmax, call.plan.spin)
    return name, None, None


def _stages(call: Call, shape: Tuple[int, int], nthreads: Any) -> Tuple[dict, dict]:
    """Arguments of the Legendre stage, and of that along the rings."""
    lmax, mmax, mstart, lstride = call.coefficients
    orders = np.arange(mmax + 1)
    if mstart is None:
        mstart = orders * (2 * lmax + 1 - orders) // 2
    legendre = dict(lmax=lmax, spin=call.plan.spin, mval=orders, mstart=mstart, lstride=lstride)
    along = dict(nphi=np.full(shape[0], shape[1]), phi0=np.zeros(shape[0]),
                 ringstart=np.arange(shape[0]) * shape[1])
    return dict(legendre, nthreads=nthreads), dict(along, nthreads=nthreads)


def _pairs(call: Call, alm: np.ndarray, map: np.ndarray) -> Iterator[Tuple[np.ndarray, np.ndarray]]:
    """alm (nalm, x) and map (nmaps, npix) of each transform, as views."""
    ncomp = call.alm_shape[0]
    return zip(alm.reshape(-1, ncomp, alm.shape[-1]), map.reshape(-1, ncomp, map.shape[-1]))


def _along_meridians_to_map(call: Call, meridians: Meridians, shape: Tuple[int, int],
                            alm: np.ndarray, map: np.ndarray, nthreads: Any) -> None:
    legendre, along = _stages(call, shape, nthreads)
    for one, result in _pairs(call, alm, map):
        leg = alm2leg(alm=one, theta=meridians.theta, **legendre)
        result[...] = leg2map(leg=meridians.to_grid(leg), **along)


def _along_meridians_to_alm(call: Call, meridians: Meridians, shape: Tuple[int, int],
                            map: np.ndarray, alm: np.ndarray, nthreads: Any) -> None:
    legendre, along = _stages(call, shape, nthreads)
    for result, one in _pairs(call, alm, map):
        leg = map2leg(map=one, mmax=call.coefficients.mmax, **along)
        leg2alm(leg=meridians.to_coefficients(leg), theta=meridians.theta, alm=result, **legendre)


def _to_map_2d(name: str, alm: np.ndarray, spin: Any, lmax: Any, geometry: str,
               shape: Tuple[Any, Any], mmax: Any, nthreads: Any, map: Array, mode: str, phi0: float,
               ringfactor: Array, mstart: Array, lstride: Any) -> np.ndarray:
    shape, phi0 = _shape_2d(shape, map), real("phi0", phi0)
    call = _checked_call_2d(name, geometry, shape, lmax, mmax, mstart, lstride, spin, mode)
    factor = ring_factor(ringfactor, shape[0])
    plan = call.plan
    alm = array("alm", alm, "FD")
    given = rows("alm", alm, call.alm_shape, len(plan.alm_shape))
    if phi0:
        given = given.copy()
        call.coefficients.multiply_phases(given, phi0)
    name, weight, meridians = _rule(name, geometry, shape, call)
    full = alm.shape[:-2] + call.map_shape[:1] + shape
    map = new_or_given("map", map, full, _REAL[alm.dtype.char],
                       phrase="map size mismatch; dimensionality mismatch")
    flat = map.reshape(full[:-2] + (-1,))
    target = rows("map", flat, call.map_shape, len(plan.map_shape))
    if meridians:
        _along_meridians_to_map(call, meridians, shape, given, target, nthreads)
    else:
        run(operate, plan, name, given, out=target, nthreads=nthreads)
    if not np.may_share_memory(flat, map):
        map[...] = flat.reshape(full)
    for each in (weight, factor):
        if each is not None:
            map *= each[:, None].astype(map.dtype)
    return map


def _to_alm_2d(name: str, map: np.ndarray, spin: Any, lmax: Any, geometry: str, mmax: Any,
               nthreads: Any, alm: Array, mode: str, phi0: float, ringfactor: Array, mstart: Array,
               lstride: Any) -> np.ndarray:
    map = array("map", map, "fd")
    shape, phi0 = _shape_2d((None, None), map), real("phi0", phi0)
    call = _checked_call_2d(name, geometry, shape, lmax, mmax, mstart, lstride, spin, mode)
    factor = ring_factor(ringfactor, shape[0])
    plan = call.plan
    name, weight, meridians = _rule(name, geometry, shape, call)
    for each in (factor, weight):
        if each is not None:
            map = map * each[:, None].astype(map.dtype)
    flat = map.reshape(map.shape[:-2] + (-1,))
    given = rows("map", flat, call.map_shape, len(plan.map_shape))
    alm = new_or_given("alm", alm, map.shape[:-3] + call.alm_shape, _COMPLEX[map.dtype.char])
    target = rows("alm", alm, call.alm_shape, len(plan.alm_shape))
    if meridians:
        _along_meridians_to_alm(call, meridians, shape, given, target, nthreads)
    else:
        run(operate, plan, name, given, out=target, nthreads=nthreads)
    if phi0:
        call.coefficients.multiply_phases(target, -phi0)
    return alm


def get_gridweights(geometry: str, ntheta: int) -> np.ndarray:
    """Quadrature weights of the rings, shape (ntheta,), sum 4 pi; a pixel has weight / nphi."""
    phrase = ("too few rings for Clenshaw-Curtis grid" if geometry == "CC"
              else "number of points must be at least 1")
    return grid_2d(geometry, count("ntheta", ntheta), 1, phrase).rings["weight"].copy()


def maximum_safe_l(geometry: str, ntheta: int) -> int:
    """Largest lmax that analysis_2d recovers on such a grid."""
    phrase = f"need at least {'two rings' if geometry in ('CC', 'DH') else 'one ring'}"
    limit = grid_2d(geometry, count("ntheta", ntheta), 1, phrase)._rings_lmax
    if limit < 0:
        raise Error(f"ntheta = {ntheta}: must be at least 2", phrase)
    return limit


# --- Rotation -------------------------------------------------------------------------------------


def rotate_alm(alm: np.ndarray, lmax: int, psi: float, theta: float, phi: float, nthreads: int = 1,
               *, mmax_in: Optional[int] = None, mmax_out: Optional[int] = None,
               out: Array = None) -> np.ndarray:
    """Rotated coefficients ([ncomp,] size(lmax, mmax_out)), same type.

    psi, theta, phi: radians; right-handed, first about z, then the original y, then the original
    z axis. mmax_in, mmax_out: default lmax.
    """
    alm = array("alm", alm, "FD")
    if alm.ndim not in (1, 2):
        raise Error(f"alm: has {alm.ndim} dimensions, must have 1 or 2",
                    "alm: array has too many dimensions")
    lmax = count("lmax", lmax)
    mmax_in = lmax if mmax_in is None else count("mmax_in", mmax_in)
    mmax_out = lmax if mmax_out is None else count("mmax_out", mmax_out)
    with translated():
        rotation = Rotation(psi, theta, phi)
        shape = alm.shape[:-1] + (size(lmax, mmax_out),)
    if out is not None:
        new_or_given("out", out, shape, alm.dtype.char, phrase="out: dimension mismatch")
    return run(rotation.rotate_alm, alm, lmax=lmax, mmax=mmax_in, mmax_out=mmax_out, out=out,
               nthreads=nthreads)


explain([globals()[_name] for _name in __all__ if _name not in ("Error", "experimental")],
        __doc__ or "")

from . import experimental  # noqa: E402, which imports what stands above
