"""The functions of ducc0.sht under their names, with their arguments, shapes and results.

An output array may be given as map= or alm=; it is returned. Wrong values raise `Error`, which is
a RuntimeError as in ducc0 (and a ValueError), and wrong types a TypeError. The text says which
argument is wrong and how, and in brackets what ducc0 says of it. Lists and numbers of other types
are taken for theta, nphi, phi0, ringstart, mstart, mval and ringfactor where nothing is lost.
Where ducc0 would read or write beyond an array, that is an error.

The plans of the last calls are kept: see `kept_plans`, `limit_plans` and `clear_plans`.

    >>> import armilla, numpy as np
    >>> from armilla import sht
    >>> alm = armilla.alm.random(31, np.ones(32), seed=1)[None]
    >>> sky = sht.synthesis_2d(alm=alm, spin=0, lmax=31, geometry="GL", ntheta=32, nphi=64)
    >>> back = sht.analysis_2d(map=sky, spin=0, lmax=31, geometry="GL")
    >>> bool(np.allclose(back, alm))
    True
"""
from __future__ import annotations

from typing import Any, Iterator, List, Optional, Tuple, Union

import numpy as np

from .._arrays import angle
from .._ducc import (PLANS, Call, Error, array, call_2d, call_on_rings, count, grid_2d,
                     new_or_given, ring_factor, rows, run, translated)
from .._general import (adjoint_synthesis_general, pseudo_analysis_general,
                        synthesis_general)
from .._leg import alm2leg, alm2leg_deriv1, leg2alm, leg2map, map2leg
from .._linear import operate
from .._meridians import Meridians, ring_weights, rule
from .._native import ffi, lib
from .._plans import Kept
from .._pseudo import reported, warn_of_fit
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
    """Free the plans that are kept for repeated calls.

    Those of positions in armilla.torch and armilla.jax are freed, too.
    """
    PLANS.clear()
    lib.armilla_python_sights_clear()


def limit_plans(plans: int = 16, nbytes: int = 2 << 30) -> None:
    """Set how many plans are kept, and how much memory they may take with their workspaces.

    A plan that alone needs more is made for its call and freed. As many again may be kept for
    positions in armilla.torch and armilla.jax.

    %(sections.cache)s
    """
    plans, nbytes = int(plans), int(min(nbytes, 2 ** 63 - 1))
    PLANS.limit(plans, nbytes)
    lib.armilla_python_sights_limit(plans, nbytes)


def kept_plans() -> Kept:
    """Return the number of plans that are kept now, and the bytes they take.

    Those of positions in armilla.torch and armilla.jax count as well.

    Returns
    -------
    Kept
        plans and bytes.
    """
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
    """Transform coefficients to a map on any rings.

    Parameters
    ----------
    %(alm.ducc)s
    %(arguments.transform_of_rings)s
    map : ndarray, shape ([ntrans,] nmaps, x), optional
        Array for the result, which is returned; its precision is that of `alm`.
    %(mmax.mstart)s
    %(mode.ducc)s
    %(theta_interpol)s

    Returns
    -------
    ndarray, shape ([ntrans,] nmaps, npix)
        The map, of the precision of `alm`.

    %(Raises.ducc)s

    See Also
    --------
    armilla.SHT.synthesis : The same by a plan.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> from armilla import sht
    >>> rings = armilla.healpix.Healpix_Base(16, "RING").sht_info()
    >>> alm = armilla.alm.random(32, np.ones(33), seed=1)[None]
    >>> sht.synthesis(alm=alm, lmax=32, spin=0, **rings).shape
    (1, 3072)
    """
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
    """Transform coefficients to the first derivatives of a map: d/dtheta and d/dphi / sin(theta).

    Parameters
    ----------
    alm : ndarray, shape ([ntrans,] 1, x)
        Coefficients, complex64 or complex128; x may be larger than needed.
    %(theta.rings)s
    %(lmax.inclusive)s
    %(mstart)s
    %(arguments.rings)s
    %(lstride)s
    %(pixstride)s
    %(nthreads.1)s
    map : ndarray, shape ([ntrans,] nmaps, x), optional
        Array for the result, which is returned; its precision is that of `alm`.
    %(mmax.mstart)s
    %(theta_interpol)s

    Returns
    -------
    ndarray, shape ([ntrans,] nmaps, npix)
        The map, of the precision of `alm`.

    %(Raises.ducc)s
    """
    return synthesis(alm=alm, theta=theta, lmax=lmax, mstart=mstart, nphi=nphi, phi0=phi0,
                     ringstart=ringstart, ringfactor=ringfactor, spin=1, lstride=lstride,
                     pixstride=pixstride, nthreads=nthreads, map=map, mmax=mmax, mode="DERIV1")


def adjoint_synthesis(*, map: np.ndarray, theta: np.ndarray, lmax: int, mstart: Array = None,
                      nphi: np.ndarray, phi0: np.ndarray, ringstart: np.ndarray,
                      ringfactor: Array = None, spin: int, lstride: int = 1, pixstride: int = 1,
                      nthreads: int = 1, alm: Array = None, mmax: Optional[int] = None,
                      mode: str = "STANDARD", theta_interpol: bool = False) -> np.ndarray:
    """Apply the adjoint of synthesis.

    Parameters
    ----------
    map : ndarray, shape ([ntrans,] nmaps, x)
        Map, float32 or float64; nmaps is 1 for spin 0, else 2, and x may be larger than needed.
    %(arguments.transform_of_rings)s
    %(alm.ducc.out)s
    %(mmax.mstart)s
    %(mode.ducc)s
    %(theta_interpol)s

    %(Returns.ducc_alm)s

    %(Raises.ducc)s

    Examples
    --------
    >>> import armilla, numpy as np
    >>> from armilla import sht
    >>> rings = armilla.healpix.Healpix_Base(16, "RING").sht_info()
    >>> sht.adjoint_synthesis(map=np.ones((1, 3072)), lmax=32, spin=0, **rings).shape
    (1, 561)
    """
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
    """Fit coefficients to a map on any rings: least squares by iteration (LSMR).

    Parameters
    ----------
    map : ndarray, shape ([ntrans,] nmaps, x)
        Map, float32 or float64; nmaps is 1 for spin 0, else 2, and x may be larger than needed.
    %(arguments.transform_of_rings)s
    %(alm.ducc.out)s
    maxiter : int
        Limit of iterations.
    epsilon : float
        Relative accuracy at which the iteration stops.
    %(mmax.mstart)s
    %(theta_interpol)s
    alm_contains_initial_guess : bool, optional
        Whether `alm` holds coefficients to begin with.

    Returns
    -------
    alm : ndarray, shape ([ntrans,] nalm, size)
        Coefficients, of the precision of `map`.
    istop : int or list of int
        Why it stopped: 0, the map is zero; 1, the equations are solved; 2, the least squares are
        reached; 3, the condition is too bad; 7, maxiter is reached. This and the next three are
        lists if there is an axis ntrans.
    itn : int or list of int
        Number of iterations.
    rms : float or list of float
        Norm of the residual over the norm of the map.
    quality : float or list of float
        Quality of the solution of the least squares: the gradient over the product of the norms of
        Y and of the residual.

    %(Raises.ducc)s
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
    warn_of_fit(reported(report), "lsmr", epsilon, plan._sizes_of_fit(None),
                bool(alm_contains_initial_guess))
    told = (report["stop"], report["iterations"], report["residual"], report["gradient"])
    return (alm, *(values.tolist() for values in told))  # numbers without an axis ntrans


# --- Grids of named geometries --------------------------------------------------------------------


def synthesis_2d(*, alm: np.ndarray, spin: int, lmax: int, geometry: str,
                 ntheta: Optional[int] = None, nphi: Optional[int] = None,
                 mmax: Optional[int] = None, nthreads: int = 1, map: Array = None,
                 mode: str = "STANDARD", phi0: float = 0.0, ringfactor: Array = None,
                 mstart: Array = None, lstride: int = 1) -> np.ndarray:
    """Transform coefficients to a map on a grid with a name.

    Parameters
    ----------
    %(alm.ducc)s
    %(spin.required)s
    %(lmax.inclusive)s
    %(geometry)s
    ntheta : int, optional
        Number of rings; needed if `map` is not given.
    nphi : int, optional
        Number of pixels of each ring; needed if `map` is not given.
    %(mmax.mstart)s
    %(nthreads.1)s
    map : ndarray, shape ([ntrans,] nmaps, ntheta, nphi), optional
        Array for the result, which is returned; its precision is that of `alm`.
    %(mode.ducc)s
    %(arguments.phi0_to_lstride)s

    Returns
    -------
    ndarray, shape ([ntrans,] nmaps, ntheta, nphi)
        The map, of the precision of `alm`.

    %(Raises.ducc)s

    Examples
    --------
    >>> import armilla, numpy as np
    >>> from armilla import sht
    >>> alm = armilla.alm.random(15, np.ones(16), seed=1)[None]
    >>> sht.synthesis_2d(alm=alm, spin=0, lmax=15, geometry="CC", ntheta=17, nphi=32).shape
    (1, 17, 32)
    """
    return _to_map_2d("synthesis", alm, spin, lmax, geometry, (ntheta, nphi), mmax, nthreads, map,
                      mode, phi0, ringfactor, mstart, lstride)


def synthesis_2d_deriv1(*, alm: np.ndarray, lmax: int, geometry: str,
                        ntheta: Optional[int] = None, nphi: Optional[int] = None,
                        mmax: Optional[int] = None, nthreads: int = 1, map: Array = None,
                        phi0: float = 0.0, ringfactor: Array = None, mstart: Array = None,
                        lstride: int = 1) -> np.ndarray:
    """Transform coefficients to the first derivatives of a map on a grid with a name.

    Parameters
    ----------
    alm : ndarray, shape ([ntrans,] 1, x)
        Coefficients, complex64 or complex128; x may be larger than needed.
    %(arguments.analysis_2d)s

    Returns
    -------
    ndarray, shape ([ntrans,] 2, ntheta, nphi)
        d/dtheta and d/dphi / sin(theta), of the precision of `alm`.

    %(Raises.ducc)s
    """
    return _to_map_2d("synthesis", alm, 1, lmax, geometry, (ntheta, nphi), mmax, nthreads, map,
                      "DERIV1", phi0, ringfactor, mstart, lstride)


def adjoint_synthesis_2d(*, map: np.ndarray, spin: int, lmax: int, geometry: str,
                         mmax: Optional[int] = None, nthreads: int = 1, alm: Array = None,
                         mode: str = "STANDARD", phi0: float = 0.0, ringfactor: Array = None,
                         mstart: Array = None, lstride: int = 1) -> np.ndarray:
    """Apply the adjoint of synthesis_2d.

    Parameters
    ----------
    map : ndarray, shape ([ntrans,] nmaps, ntheta, nphi)
        Map, float32 or float64; nmaps is 1 for spin 0, else 2.
    %(spin.required)s
    %(lmax.inclusive)s
    %(geometry)s
    %(mmax.mstart)s
    %(nthreads.1)s
    %(alm.ducc.out)s
    %(mode.ducc)s
    %(arguments.phi0_to_lstride)s

    %(Returns.ducc_alm)s

    %(Raises.ducc)s
    """
    return _to_alm_2d("adjoint_synthesis", map, spin, lmax, geometry, mmax, nthreads, alm, mode,
                      phi0, ringfactor, mstart, lstride)


def analysis_2d(*, map: np.ndarray, spin: int, lmax: int, geometry: str,
                mmax: Optional[int] = None, nthreads: int = 1, alm: Array = None,
                phi0: float = 0.0, ringfactor: Array = None, mstart: Array = None,
                lstride: int = 1) -> np.ndarray:
    """Transform a map on a grid with a name to coefficients: the inverse of synthesis_2d.

    Parameters
    ----------
    map : ndarray, shape ([ntrans,] nmaps, ntheta, nphi)
        Map, float32 or float64; nmaps is 1 for spin 0, else 2.
    %(spin.required)s
    lmax : int
        Largest degree, at most ``maximum_safe_l(geometry, ntheta)``.
    %(geometry)s
    %(mmax.mstart)s
    %(nthreads.1)s
    %(alm.ducc.out)s
    %(arguments.phi0_to_lstride)s

    %(Returns.ducc_alm)s

    %(Raises.ducc)s

    See Also
    --------
    armilla.SHT.analysis :
        Has another rule, by which nothing leaks that the rings resolve beyond lmax.

    Notes
    -----
    Orders up to (nphi - 1) / 2 come back; higher ones alias. The weights of ducc0 are used, also
    for maps that hold degrees beyond lmax.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> from armilla import sht
    >>> alm = sht.analysis_2d(map=np.ones((1, 17, 32)), spin=0, lmax=15, geometry="CC")
    >>> complex(alm[0, 0].round(6))
    (3.544908+0j)
    """
    return _to_alm_2d("analysis", map, spin, lmax, geometry, mmax, nthreads, alm, "STANDARD",
                      phi0, ringfactor, mstart, lstride)


def adjoint_analysis_2d(*, alm: np.ndarray, spin: int, lmax: int, geometry: str,
                        ntheta: Optional[int] = None, nphi: Optional[int] = None,
                        mmax: Optional[int] = None, nthreads: int = 1, map: Array = None,
                        phi0: float = 0.0, ringfactor: Array = None, mstart: Array = None,
                        lstride: int = 1) -> np.ndarray:
    """Apply the adjoint of analysis_2d.

    Parameters
    ----------
    %(alm.ducc)s
    %(spin.required)s
    %(arguments.analysis_2d)s

    Returns
    -------
    ndarray, shape ([ntrans,] nmaps, ntheta, nphi)
        The map, of the precision of `alm`.

    %(Raises.ducc)s
    """
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
    shape, phi0 = _shape_2d(shape, map), angle("phi0", phi0)
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
    shape, phi0 = _shape_2d((None, None), map), angle("phi0", phi0)
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
    """Return the quadrature weights of the rings of a grid with a name.

    Parameters
    ----------
    %(geometry)s
    ntheta : int
        Number of rings.

    Returns
    -------
    ndarray, shape (ntheta,)
        Weights of whole rings in steradians, with the sum 4 pi; a pixel has the weight over nphi.

    %(Raises.ducc)s

    Examples
    --------
    >>> from armilla import sht
    >>> round(float(sht.get_gridweights("GL", 8).sum()), 6)
    12.566371
    """
    phrase = ("too few rings for Clenshaw-Curtis grid" if geometry == "CC"
              else "number of points must be at least 1")
    return grid_2d(geometry, count("ntheta", ntheta), 1, phrase).rings["weight"].copy()


def maximum_safe_l(geometry: str, ntheta: int) -> int:
    """Return the largest lmax that analysis_2d recovers on a grid with a name.

    Parameters
    ----------
    %(geometry)s
    ntheta : int
        Number of rings.

    Returns
    -------
    int
        The largest degree.

    %(Raises.ducc)s
    """
    phrase = f"need at least {'two rings' if geometry in ('CC', 'DH') else 'one ring'}"
    limit = grid_2d(geometry, count("ntheta", ntheta), 1, phrase)._rings_lmax
    if limit < 0:
        raise Error(f"ntheta = {ntheta}: must be at least 2", phrase)
    return limit


# --- Rotation -------------------------------------------------------------------------------------


def rotate_alm(alm: np.ndarray, lmax: int, psi: float, theta: float, phi: float, nthreads: int = 1,
               *, mmax_in: Optional[int] = None, mmax_out: Optional[int] = None,
               out: Array = None) -> np.ndarray:
    """Rotate fields given by their coefficients.

    Parameters
    ----------
    alm : ndarray, shape ([ncomp,] size(lmax, mmax_in))
        Coefficients in the order of healpy, complex64 or complex128.
    %(lmax)s
    psi : float
        First angle in radians, about z; all angles are right-handed.
    theta : float
        Second angle in radians, about the original y axis.
    phi : float
        Third angle in radians, about the original z axis.
    %(nthreads.1)s
    mmax_in : int, optional
        Largest order of `alm`. By default it is `lmax`.
    mmax_out : int, optional
        Largest order of the result. By default it is `lmax`.
    out : ndarray, optional
        Array for the result, which is returned.

    Returns
    -------
    ndarray, shape ([ncomp,] size(lmax, mmax_out))
        Coefficients of the type of `alm`.

    %(Raises.ducc)s
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


from . import experimental  # noqa: E402, which imports what stands above
