"""What pseudo_analysis takes besides the arrays, weights and a guess, and what it reports."""
from __future__ import annotations

import math
import warnings
from typing import Any, Dict, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Output, apart, as_alm, as_map, plain, pointer
from ._errors import ConvergenceWarning, choice, real, whole
from ._exactness import level_of_caller, warn
from ._native import ffi, lib

_PSEUDO_METHODS = {"lsmr": lib.ARMILLA_PSEUDO_LSMR, "jacobi": lib.ARMILLA_PSEUDO_JACOBI,
                   "auto": lib.ARMILLA_PSEUDO_AUTO}
_STOPS = {lib.ARMILLA_STOP_ZERO: "zero", lib.ARMILLA_STOP_RESIDUAL: "residual",
          lib.ARMILLA_STOP_GRADIENT: "gradient", lib.ARMILLA_STOP_CONDITION: "condition",
          lib.ARMILLA_STOP_CHANGE: "change", lib.ARMILLA_STOP_EXACT: "exact",
          lib.ARMILLA_STOP_ITERATIONS: "iterations"}
_REPORT = np.dtype({"names": ["stop", "iterations", "residual", "gradient"],
                    "formats": ["i4", "i8", "f8", "f8"], "offsets": [0, 8, 16, 24],
                    "itemsize": 32})
assert _REPORT.itemsize == ffi.sizeof("armilla_pseudo_report")


class PseudoReport(NamedTuple):
    """How pseudo_analysis ended, in numbers, or in arrays of the shape of the leading axes.

    The report of an IQU has a last axis of length 2: T, and E with B; so has that of a VectorSHT
    with a radial component: that one, and the others.

    Attributes
    ----------
    stop : str or ndarray of str
        Why it ended: "zero" (the map is 0), "residual" (the equations are solved), "gradient" (the
        least squares are reached), "condition" (the problem is too badly conditioned), "iterations"
        (the limit was reached) or, of method "auto", "change" (a further step would change last
        digits only) or "exact" (no step was needed).
    iterations : int or ndarray of int
        Number of iterations.
    residual : float or ndarray of float
        Norm of map - Y a over the norm of the map, both with the weights; of method "auto" before
        the last step, and NaN without steps.
    gradient : float or ndarray of float
        Norm of Y^T (map - Y a) over the product of the norms of Y and of map - Y a; NaN for
        Jacobi; for "auto" the norm of the last step over that of a.
    """

    stop: Any  # a number, or an array of them: a union of both would fit neither use
    iterations: Any
    residual: Any
    gradient: Any


def new_reports(shape: Tuple[int, ...]) -> Tuple[np.ndarray, Any]:
    """For the library to write, as it sees them as well."""
    told = np.zeros(shape, _REPORT)
    return told, ffi.from_buffer("armilla_pseudo_report[]", told)


def reported(told: np.ndarray) -> PseudoReport:
    """What the library has written, in words."""
    if not told.ndim:
        stop, iterations, residual, gradient = told.item()
        return PseudoReport(_STOPS[stop], iterations, residual, gradient)
    stops = np.array([_STOPS[number] for number in told["stop"].flat], "U10")
    return PseudoReport(stops.reshape(told.shape), told["iterations"], told["residual"],
                        told["gradient"])


def ended_early(report: PseudoReport) -> np.ndarray:
    """Which of the fits have ended without reaching their tolerance."""
    return np.isin(report.stop, ("condition", "iterations"))


def _what_auto_reached(steps: int, largest: Dict[str, float]) -> str:
    return (f"iterations = \"auto\": ended early, after {steps} steps, of which the last changed "
            f"{largest['gradient']:.1e} of the coefficients: pseudo_analysis fits them by least "
            "squares")


def _what_lsmr_reached(steps: int, largest: Dict[str, float], tolerance: float, badly: bool) -> str:
    why = ("the problem is too badly conditioned, for which a smaller lmax helps" if badly else
           "they reached their limit; more of them help, or a smaller lmax")
    return (f"least squares ended early, after {steps} iterations, with a relative residual of "
            f"{largest['residual']:.2g} and a gradient of {largest['gradient']:.2g}, not the "
            f"tolerance {tolerance:g}: {why}")


def warn_if_ended_early(report: PseudoReport, method: str, tolerance: float = 0.0) -> None:
    """Warns the caller of the package where iterations have ended without a solution, with what
    they have reached. "jacobi" makes as many steps as it is told to."""
    early = ended_early(report)
    if method == "jacobi" or not early.any():
        return
    steps = int(np.max(np.asarray(report.iterations)[early]))
    largest = {name: float(np.max(np.asarray(getattr(report, name))[early]))
               for name in ("residual", "gradient")}
    if method == "auto":
        text = _what_auto_reached(steps, largest)
    else:
        badly = not (np.asarray(report.stop)[early] == "iterations").any()
        text = _what_lsmr_reached(steps, largest, tolerance, badly)
    if early.size > 1:
        text += f" ({int(early.sum())} of {early.size} fits)"
    warnings.warn(text, ConvergenceWarning, stacklevel=level_of_caller())


def real_numbers(lmax: int, mmax: int, mres: int = 1, first: int = 0) -> int:
    """How many real numbers the coefficients of a real field are, from the degree `first` on."""
    return sum(max(lmax + 1 - max(m * mres, first), 0) * (2 if m else 1) for m in range(mmax + 1))


class Sizes(NamedTuple):
    """How many real numbers a fit has, and looks for. On rings those of m = 0, for which each ring
    is one value of each component, can be too many though all are not."""

    values: int
    unknowns: int
    of_rings: int = 0
    of_order_0: int = 0

    @classmethod
    def of(cls, band: Tuple[int, int, int, int], alm_tail: Tuple[int, ...],
           map_tail: Tuple[int, ...], npix: int, nrings: Optional[int] = None) -> "Sizes":
        """band: lmax, mmax, mres and first degree; tails: shapes of a transform, of which all but
        the last axis are components; npix, nrings: as many as have a weight."""
        nalm, ncomp = math.prod(alm_tail[:-1]), math.prod(map_tail[:-1])
        sizes = cls(ncomp * npix, nalm * real_numbers(*band))
        if nrings is None:
            return sizes
        return cls(*sizes[:2], ncomp * nrings, nalm * (band[0] + 1 - band[3]))


def _warn_if_one_of_many(sizes: Sizes, has_guess: bool) -> None:
    """Warns the caller of the package where least squares have fewer values than unknowns."""
    which = "nearest to the guess" if has_guess else "of least norm"
    if sizes.values < sizes.unknowns:
        few = f"{sizes.values} values cannot determine {sizes.unknowns} real coefficients"
    elif sizes.of_rings < sizes.of_order_0:
        few = (f"rings with {sizes.of_rings} means cannot determine {sizes.of_order_0} real "
               "coefficients with m = 0")
    else:
        return
    warn(f"{few}: the solution is one of many, the one {which}")


def warn_of_fit(report: PseudoReport, method: str, tolerance: float, sizes: Sizes,
                has_guess: bool) -> None:
    """The warnings of one fit."""
    warn_if_ended_early(report, method, tolerance)
    if method == "lsmr" and not (np.asarray(report.stop) == "zero").all():
        _warn_if_one_of_many(sizes, has_guess)


def seen_pixels(rings: np.ndarray, weights: Optional[np.ndarray]) -> np.ndarray:
    """How many pixels of each ring of a grid have a weight other than 0. None: all."""
    if weights is None:
        return rings["nphi"]
    return np.array([np.count_nonzero(weights[start:start + stride * (n - 1) + 1:stride])
                     for start, stride, n in zip(*(rings[name].tolist() for name in
                                                   ("offset", "stride", "nphi")))])


def pseudo_options(method: str, tolerance: float, max_iterations: int,
                   weights: Optional[np.ndarray]) -> Any:
    """An armilla_pseudo_options; the weights must live as long."""
    options = ffi.new("armilla_pseudo_options *")
    lib.armilla_pseudo_options_init(options)
    options.method = choice("method", method, _PSEUDO_METHODS)
    options.tolerance = real("tolerance", tolerance)
    options.max_iterations = whole("max_iterations", max_iterations)
    if weights is not None:
        options.weights = pointer(weights)
    return options


def pixel_weights(weights: Optional[ArrayLike], mask: Optional[ArrayLike], npix: int,
                   out: Optional[np.ndarray]) -> Optional[np.ndarray]:
    """float64 (npix,), apart from `out`: the weights, 0 where the mask is; None: no pixel has
    another than 1."""
    if weights is not None:
        weights = np.ascontiguousarray(as_map(weights, "weights"), np.float64)
        if weights.shape != (npix,):
            raise ValueError(f"weights: has shape {weights.shape}, must have ({npix},)")
    if mask is None:
        return None if weights is None else apart(weights, out)
    kept = plain(mask, "mask")
    if kept.dtype != bool:
        if not np.isin(kept, (0, 1)).all():
            raise ValueError("mask: must hold 0, for a pixel that is left out, and 1; other "
                             "numbers can be weights")
        kept = kept == 1
    if kept.shape != (npix,):
        raise ValueError(f"mask: has shape {kept.shape}, must have ({npix},)")
    if not kept.any():
        raise ValueError("mask: leaves out all pixels")
    return np.where(kept, 1.0 if weights is None else weights, 0.0)


def guess_like(guess: ArrayLike, shape: Tuple[int, ...], target: Output) -> np.ndarray:
    """The guess in the type and at the distances of the array that the library will write."""
    try:
        values = np.broadcast_to(as_alm(guess, "guess"), shape)
    except ValueError:
        raise ValueError(f"guess: has shape {np.shape(guess)}, must have {shape}, or the shape of "
                         "its last axes") from None
    dtype = target.array.dtype
    if not target.distance:
        return apart(np.ascontiguousarray(values, dtype), target.array)
    spread = np.zeros((math.prod(shape[:-1]), target.distance), dtype)
    spread[:, :shape[-1]] = values.reshape(-1, shape[-1])
    return spread
