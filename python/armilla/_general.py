"""Transforms to and from arbitrary points, as ducc0.sht has them; armilla.sht explains them."""
from __future__ import annotations

from typing import Any, NamedTuple, Optional, Tuple, Union

import numpy as np

from ._ducc import (MODES, PLANS, Coefficients, Error, array, band_key, count, key_of, new_or_given,
                    one_of, rows, run, spin_within, translated, with_components)
from ._errors import real
from .points import Points

_REAL = {"F": "f", "D": "d"}
_COMPLEX = {"f": "F", "d": "D"}
Array = Optional[np.ndarray]


class Content:
    """An array in a key. Two are the same if all numbers are; so that a key costs no copy where the
    plan is there, it holds the caller's array first, and then the plan's."""

    __slots__ = ("array",)

    def __init__(self, values: np.ndarray) -> None:
        self.array = values

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Content) or self.array.shape != other.array.shape:
            return False
        few = slice(None, None, max(1, len(self.array) // 64))  # most that differ do so everywhere
        return (np.array_equal(self.array[few], other.array[few])
                and np.array_equal(self.array, other.array))


class Call(NamedTuple):
    """What a call needs beside its arrays, kept for the next with the same arguments."""

    plan: Points
    alm_shape: Tuple[int, int]  # with an axis of components, as ducc0 has it
    map_shape: Tuple[int, int]


def _locations(loc: Any) -> np.ndarray:
    loc = array("loc", loc, "d")
    if loc.ndim != 2 or loc.shape[1] != 2:
        raise Error(f"loc: has shape {loc.shape}, must have (npix, 2)", "dimensionality mismatch"
                    if loc.ndim != 2 else "last dimension of loc must have size 2")
    return loc


def _accuracy(epsilon: Any, char: str) -> float:
    """What ducc0 has no kernel for is an error; above 0.1 it gives what it gives for 0.1."""
    value, least = real("epsilon", epsilon), 1e-13 if char in "dD" else 1e-6
    if not value >= least:
        raise Error(f"epsilon = {value}: must be at least {least}",
                    "(epsilon, sigma_min, sigma_max, ndim, floating point precision).")
    return min(value, 0.1)


def _call(loc: Any, epsilon: float, lmax: Any, mmax: Any, mstart: Any, lstride: Any, spin: Any,
          mode: str, nthreads: Any) -> Call:
    """The call for these points, kept or new; made by so many threads."""
    loc = _locations(loc)
    content = Content(loc)
    key = ("points", epsilon, *band_key(lmax, mmax, lstride, spin, mode), *key_of(mstart, "mstart"),
           content)

    def make() -> Call:
        of_mode = one_of("mode", mode, MODES, "unknown SHT mode")
        coefficients = Coefficients.of(lmax, mmax, mstart, lstride)
        s = count("spin", spin)
        if s == 0 and of_mode != "STANDARD":
            raise Error(f"spin = 0: must be larger with mode = {mode}",
                        "spin must be positive for grad-only SHTs"
                        if of_mode == "GRAD_ONLY" else "need two Legendre components")
        s = spin_within(s, coefficients.lmax, of_mode)
        threads = count("nthreads", nthreads)
        with translated():
            plan = Points(coefficients.lmax, loc, s, epsilon, coefficients.mmax, MODES[of_mode],
                          coefficients.layout(), nthreads=threads)
        content.array = plan.loc
        return Call(plan, with_components(plan.alm_shape), with_components(plan.map_shape))

    return PLANS.get(key, make)


def _numbers(sigma_min: Any, sigma_max: Any) -> None:
    real("sigma_min", sigma_min), real("sigma_max", sigma_max)


def _given_alm(alm: np.ndarray, call: Call) -> np.ndarray:
    if alm.ndim in (2, 3) and alm.shape[-2] != call.alm_shape[0]:
        raise Error(f"alm: has shape {alm.shape}, must have {call.alm_shape[0]} components",
                    "number of components mismatch in alm")
    if alm.ndim not in (2, 3):
        raise Error(f"alm: has shape {alm.shape}, must have ([ntrans,] {call.alm_shape[0]}, "
                    f"{call.alm_shape[1]} or more)", "dimensionality mismatch")
    return rows("alm", alm, call.alm_shape, len(call.plan.alm_shape))


def _of_points(name: str, values: np.ndarray, lead: Optional[Tuple[int, ...]], call: Call,
               phrases: Tuple[str, str]) -> np.ndarray:
    """Values as the plan takes them. lead: shape of the transforms, None: any. phrases: what ducc0
    says of the number of dimensions, and of the shape."""
    right = values.ndim in (2, 3) if lead is None else values.ndim == len(lead) + 2
    wanted = (values.shape[:-2] if lead is None else lead) + call.map_shape
    if not right or values.shape != wanted:
        raise Error(f"{name}: has shape {values.shape}, must have ([ntrans,] {call.map_shape[0]}, "
                    f"{call.map_shape[1]})", phrases[right])
    return values[..., 0, :] if len(call.plan.map_shape) == 1 else values


def synthesis_general(*, alm: np.ndarray, spin: int, lmax: int, loc: np.ndarray, epsilon: float,
                      mstart: Array = None, lstride: int = 1, mmax: Optional[int] = None,
                      nthreads: int = 1, map: Array = None, sigma_min: float = 1.1,
                      sigma_max: float = 2.6, mode: str = "STANDARD", verbose: bool = False
                      ) -> np.ndarray:
    """Transform coefficients to values at arbitrary points.

    Parameters
    ----------
    %(alm.ducc)s
    %(arguments.general)s
    map : ndarray, shape ([ntrans,] nmaps, npix), optional
        Array for the result, which is returned.
    %(sigma_min)s
    %(sigma_max)s
    %(mode.ducc)s
    %(verbose)s

    Returns
    -------
    ndarray, shape ([ntrans,] nmaps, npix)
        Values at the points, of the precision of `alm`.

    %(Raises.ducc)s

    See Also
    --------
    armilla.Points : The same by a plan.
    """
    alm = array("alm", alm, "FD")
    _numbers(sigma_min, sigma_max)
    call = _call(loc, _accuracy(epsilon, alm.dtype.char), lmax, mmax, mstart, lstride, spin, mode,
                 nthreads)
    given, lead = _given_alm(alm, call), alm.shape[:-2]
    phrase = "map: dimension mismatch"
    map = new_or_given("map", map, lead + call.map_shape, _REAL[alm.dtype.char], phrase=phrase)
    target = _of_points("map", map, lead, call, (phrase, phrase))
    run(call.plan.synthesis, given, out=target, nthreads=nthreads)
    return map


def _new_alm(alm: Array, map: np.ndarray, call: Call) -> Tuple[np.ndarray, np.ndarray]:
    """The output array, for the caller and as the plan takes it."""
    if isinstance(alm, np.ndarray) and alm.ndim == map.ndim and alm.shape[-2] != call.alm_shape[0]:
        raise Error(f"alm: has shape {alm.shape}, must have {call.alm_shape[0]} components",
                    "number of components mismatch in alm")
    alm = new_or_given("alm", alm, map.shape[:-2] + call.alm_shape, _COMPLEX[map.dtype.char])
    return alm, rows("alm", alm, call.alm_shape, len(call.plan.alm_shape))


_OF_MAP = ("dimensionality mismatch", "array shape mismatch")


def adjoint_synthesis_general(*, map: np.ndarray, spin: int, lmax: int, loc: np.ndarray,
                              epsilon: float, mstart: Array = None, lstride: int = 1,
                              mmax: Optional[int] = None, nthreads: int = 1, alm: Array = None,
                              sigma_min: float = 1.1, sigma_max: float = 2.6,
                              mode: str = "STANDARD", verbose: bool = False) -> np.ndarray:
    """Apply the adjoint of synthesis_general.

    Parameters
    ----------
    map : ndarray, shape ([ntrans,] nmaps, npix)
        Values at the points, float32 or float64; nmaps is 1 for spin 0, else 2.
    %(arguments.general)s
    %(alm.ducc.out)s
    %(sigma_min)s
    %(sigma_max)s
    %(mode.ducc)s
    %(verbose)s

    %(Returns.ducc_alm)s

    %(Raises.ducc)s
    """
    map = array("map", map, "fd")
    _numbers(sigma_min, sigma_max)
    call = _call(loc, _accuracy(epsilon, map.dtype.char), lmax, mmax, mstart, lstride, spin, mode,
                 nthreads)
    given = _of_points("map", map, None, call, _OF_MAP)
    alm, target = _new_alm(alm, map, call)
    run(call.plan.adjoint_synthesis, given, out=target, nthreads=nthreads)
    return alm


_STOPS = {"zero": 0, "residual": 1, "gradient": 2, "condition": 3, "iterations": 7}
Several = Union[Any, list]


def pseudo_analysis_general(*, lmax: int, map: np.ndarray, loc: np.ndarray, spin: int,
                            nthreads: int = 1, maxiter: int, epsilon: float,
                            sigma_min: float = 1.1, sigma_max: float = 2.6, mstart: Array = None,
                            lstride: int = 1, mmax: Optional[int] = None, alm: Array = None,
                            verbose: bool = False, alm_contains_initial_guess: bool = False
                            ) -> Tuple[np.ndarray, Several, Several, Several, Several]:
    """Fit coefficients to values at arbitrary points: least squares by iteration (LSMR).

    Parameters
    ----------
    %(lmax.inclusive)s
    map : ndarray, shape ([ntrans,] nmaps, npix)
        Values at the points, float32 or float64; nmaps is 1 for spin 0, else 2.
    loc : ndarray, shape (npix, 2)
        Colatitude and longitude of each point in radians.
    %(spin.required)s
    %(nthreads.1)s
    maxiter : int
        Limit of iterations.
    epsilon : float
        Relative accuracy at which the iteration stops; values at points are computed to a tenth of
        it.
    %(sigma_min)s
    %(sigma_max)s
    %(mstart)s
    %(lstride)s
    %(mmax.mstart)s
    %(alm.ducc.out)s
    %(verbose)s
    alm_contains_initial_guess : bool, optional
        Whether `alm` holds coefficients to begin with.

    Returns
    -------
    alm : ndarray, shape ([ntrans,] nalm, size)
        Coefficients, of the precision of `map`.
    istop : int or list of int
        Why it stopped: see `pseudo_analysis`; so are the next three.
    itn : int or list of int
        Number of iterations.
    rms : float or list of float
        Norm of the residual over the norm of the values.
    quality : float or list of float
        Quality of the solution of the least squares.

    %(Raises.ducc)s
    """
    map = array("map", map, "fd")
    _numbers(sigma_min, sigma_max)
    if alm_contains_initial_guess and alm is None:
        raise Error("alm_contains_initial_guess: needs alm",
                    "alm must be supplied if alm_contains_initial_guess is True")
    tolerance = real("epsilon", epsilon)
    call = _call(loc, _accuracy(0.1 * tolerance, map.dtype.char), lmax, mmax, mstart, lstride, spin,
                 "STANDARD", nthreads)
    given = _of_points("map", map, None, call, _OF_MAP)
    alm, target = _new_alm(alm, map, call)
    _, report = run(call.plan.pseudo_analysis, given, tolerance=tolerance,
                    max_iterations=count("maxiter", maxiter), out=target, nthreads=nthreads,
                    guess=target.copy() if alm_contains_initial_guess else None)
    if map.ndim == 2:
        return (alm, _STOPS[report.stop], *report[1:])
    return (alm, [_STOPS[word] for word in report.stop], *(x.tolist() for x in report[1:]))
