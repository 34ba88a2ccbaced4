"""Convolution of maps with radial kernels, on any ring grid."""
from __future__ import annotations

import math
import warnings
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import (Output, angle, apart, as_map, input_buffer, leading_shape, missing_rule,
                      plain, pointer, unmasked)
from ._aside import MANY, plan_aside
from ._errors import check, choice, real, whole
from ._native import ffi, lib
from ._progress import Progress, execute
from ._structs import as_tuple
from ._types import Choice
from .grid import Grid
from .kernel import Kernel
from .transform import SHT, choices_told

_MODES = {"exact": lib.ARMILLA_RADIAL_EXACT, "standard": lib.ARMILLA_RADIAL_STANDARD}
_NORMALIZATIONS = {"auto": lib.ARMILLA_RADIAL_AUTO, "none": lib.ARMILLA_RADIAL_NONE,
                   "integral": lib.ARMILLA_RADIAL_INTEGRAL, "sum": lib.ARMILLA_RADIAL_SUM}
_METHODS = {"auto": lib.ARMILLA_RADIAL_FASTEST, "pixels": lib.ARMILLA_RADIAL_PIXELS,
            "rings": lib.ARMILLA_RADIAL_RINGS}
_UNSEEN = float(lib.ARMILLA_UNSEEN)
_LEAST = 1e-3  # less of a kernel's weight on pixels that are there says little about the place
_FUNCTIONS: Dict[Tuple[str, np.dtype], Any] = {
    (name, kind): getattr(lib, f"armilla_radial_{name}{suffix}")
    for name in ("convolve", "adjoint", "convolve_weighted")
    for kind, suffix in ((np.dtype(np.float64), ""), (np.dtype(np.float32), "_float"))}


class RadialDescription(NamedTuple):
    """What will run: instruction set, method ("pixels", "rings", "pixels and rings"), the
    normalization that "auto" means, angles in radians, numbers, memory in bytes.

    truncation_error: that of the support; integral: of the kernel over the support, before
    normalization; width: angle at which the kernel first falls to half; pixel: side of a pixel;
    pairs: products of a kernel value and a pixel in one convolution.
    """

    isa: str
    method: str
    normalization: str
    support: float
    truncation_error: float
    integral: float
    width: float
    pixel: float
    nrings: int
    npix: int
    pairs: int
    plan_bytes: int
    workspace_bytes: int


def _weights(weights: ArrayLike, npix: int) -> np.ndarray:
    """float64 (npix,), contiguous."""
    array = plain(weights, "weights")
    if array.dtype.kind not in "biuf":
        raise TypeError(f"weights: must hold real numbers, not {array.dtype}")
    if array.shape != (npix,):
        raise ValueError(f"weights: has shape {array.shape}, must have ({npix},)")
    return np.ascontiguousarray(array, np.float64)


class Radial:
    """A plan: the convolution of maps on one grid with one kernel. Immutable; any number of threads
    may use it at once.

        s_p = sum over pixels q within the support of w_q K(angle(p, q)) map_q

    w_q: the weight of the pixel, grid.rings["weight"] (HEALPix: 4 pi / npix). Exact to rounding,
    poles included: a value further away than the support has no influence at all by method
    "pixels", that of rounding (1e-16 of the largest value) by "rings".

    Maps are (..., npix): leading axes are maps that are done together. float32 stays float32, all
    others become float64; any strides. Inputs are never written.

    With spin=2 maps are (..., 2, npix): Q and U (healpy's convention), which are rotated along on
    their way from q to p, as their axes turn. Kernels that have a window apply it to E and B alike;
    that of a Gaussian is armilla.spectrum.gaussian_beam(fwhm, lmax, spin=2). Others are K as it
    stands. Supports, normalizations and means over weights are those of the scalar kernel.
    """

    __slots__ = ("_radial", "_grid", "_kernel", "_options", "_tail")

    def __init__(self, grid: Grid, kernel: Kernel, support: Optional[float] = None,
                 mode: str = "exact", normalization: str = "auto", method: str = "auto",
                 truncation_error: float = 1e-7, isa: Optional[str] = None,
                 spin: int = 0) -> None:
        """support: radians; None: the smallest with this truncation_error (see Kernel), or a wider
        one where that is cheaper.

        mode: "exact", the sum above; "standard": rings are band-limited first. normalization:
        "none"; "integral": K is scaled to an integral of 1 over the support; "sum": s_p is divided
        by the sum over q of w_q K, so that a constant map stays as it is; "auto": "integral", but
        "none" for kernels that are negative somewhere, and "sum" for those that are narrower than
        2.5 pixels at half maximum (or than 10 where they end with a jump, as discs do), whose
        sums are not near the integral. method: "auto", "pixels" or "rings"; for one
        support results agree to rounding. isa: instruction set, None for the best. spin: 0 or 2.
        """
        if not isinstance(grid, Grid):
            raise TypeError(f"grid: must be an armilla.Grid, not {type(grid).__name__}")
        if not isinstance(kernel, Kernel):
            raise TypeError(f"kernel: must be an armilla.Kernel, not {type(kernel).__name__}")
        options = ffi.new("armilla_radial_options *")
        lib.armilla_radial_options_init(options)
        if support is not None:
            options.support = _support(support)
        options.truncation_error = real("truncation_error", truncation_error)
        options.mode = choice("mode", mode, _MODES)
        options.normalization = choice("normalization", normalization, _NORMALIZATIONS)
        options.method = choice("method", method, _METHODS)
        options.spin = whole("spin", spin)
        name = ffi.NULL if isa is None else ffi.new("char[]", isa.encode())
        options.isa = name
        self._radial = plan_aside(
            "radial", lib.armilla_radial_free,
            lambda made: lib.armilla_radial_new(grid._grid, kernel._kernel, options, made),
            MANY, name)  # kernels of many degrees take minutes
        self._grid, self._kernel = grid, kernel
        self._options = (support, mode, normalization, method, truncation_error, isa, options.spin)
        self._tail = (2, grid.npix) if options.spin else (grid.npix,)
        self._warn_if_narrow()

    def _warn_if_narrow(self) -> None:
        """As the command does; sums that are normalized keep constants whatever the kernel."""
        told = self.describe(1)
        if told.normalization != "sum" and 2 * told.width < told.pixel:
            warnings.warn(f"kernel: is {2 * told.width:.3g} rad wide at half maximum, narrower "
                          f"than a pixel, {told.pixel:.3g} rad: pixels sample it badly, and a "
                          "constant map does not stay one", stacklevel=3)

    @property
    def grid(self) -> Grid:
        """The grid."""
        return self._grid

    @property
    def kernel(self) -> Kernel:
        """The kernel."""
        return self._kernel

    @property
    def map_shape(self) -> Tuple[int, ...]:
        """Shape of one map."""
        return self._tail

    @property
    def spin(self) -> int:
        """0, or 2."""
        return int(self._options[-1])

    def describe(self, nthreads: int = 0) -> RadialDescription:
        """What a call with so many threads will run and need."""
        told = ffi.new("armilla_radial_description *")
        told.size = ffi.sizeof("armilla_radial_description")
        check(lib.armilla_radial_describe(self._radial, nthreads, told))
        return as_tuple(RadialDescription, told)

    def explain(self) -> List[Choice]:
        """The choices of the plan: how it convolves, and why. docs/ways.md has a row for each."""
        return choices_told(lib.armilla_radial_explain, self._radial)

    def compare(self, sht: SHT) -> Tuple[float, float]:
        """Seconds of one core for one map by this plan, and by one analysis and synthesis of an SHT
        of the same grid: by a model of the cost. Their ratio was good to 30 % for HEALPix up to
        nside 1024 on one machine; elsewhere it has been off by up to 2.3."""
        if not isinstance(sht, SHT):
            raise TypeError(f"sht: must be an armilla.SHT, not {type(sht).__name__}")
        seconds = ffi.new("double[2]")
        check(lib.armilla_radial_compare(self._radial, sht._sht, seconds, seconds + 1))
        return seconds[0], seconds[1]

    def convolve(self, map: ArrayLike, *, weights: Optional[ArrayLike] = None,
                 least: float = _LEAST, fill: float = _UNSEEN, out: Optional[np.ndarray] = None,
                 nthreads: int = 0, progress: Progress = None, missing: str = "error"
                 ) -> np.ndarray:
        """The convolution of maps (..., npix), of spin 2 (..., 2, npix).

        weights: (npix,), v >= 0, for maps with holes: the result is sum(w K v map) / sum(w K v),
        whatever the normalization; of spin 2 the divisor is that of the scalar kernel. Where v is
        0 (or False) the map is not read and may be NaN. What a masked array hides has v = 0.
        Where the divisor is below `least` times that of v = 1, the result is `fill`.
        missing: as in SHT.analysis, where v is not 0.
        """
        map, weights = unmasked(map, weights, "map")
        if weights is None:
            return self._apply("convolve", map, out, nthreads, progress, missing=missing)
        factors = apart(_weights(weights, self._grid.npix), out)
        return self._apply("convolve_weighted", map, out, nthreads, progress, pointer(factors),
                           real("least", least), real("fill", fill), missing=missing)

    def adjoint(self, map: ArrayLike, *, out: Optional[np.ndarray] = None, nthreads: int = 0,
                progress: Progress = None, missing: str = "error") -> np.ndarray:
        """The adjoint of convolve without weights in the inner product sum over pixels of a b.

        missing: as in SHT.analysis."""
        return self._apply("adjoint", map, out, nthreads, progress, missing=missing)

    def _apply(self, name: str, map: ArrayLike, out: Optional[np.ndarray], nthreads: int,
               progress: Progress, *more: Any, missing: str) -> np.ndarray:
        """more: arguments between the two arrays."""
        rule = missing_rule(missing)
        values = as_map(map)
        if out is not None:
            values = apart(values, out)
        lead = leading_shape(values, self._tail, "map")
        target = Output(out, lead + self._tail, values.dtype, self._grid._dense)
        source, distance = input_buffer(values)
        if distance != target.distance:  # both arrays of a call have the same
            source, distance = np.array(values, order="C"), 0
            target.compact()
        ntrans = math.prod(lead)
        if ntrans:
            execute(_FUNCTIONS[name, values.dtype],
                    (self._radial, pointer(source), *more, pointer(target.array)), ntrans,
                    nthreads, progress, 0, distance, missing=rule)
        return target.finish()

    def __reduce__(self) -> Tuple[Any, ...]:
        return Radial, (self._grid, self._kernel, *self._options)

    def __repr__(self) -> str:
        told = self.describe(1)
        return (f"<armilla.Radial {self._kernel!r}, support {told.support:.4g}, "
                f"{self._options[1]}, on {self._grid!r}>")


def _support(support: float) -> float:
    """The library takes 0 as a wish for its own choice; here that is None."""
    radians = angle("support", support)
    if radians == 0:
        raise ValueError("support = 0: must be above 0; None: chosen for truncation_error")
    return radians


def _is_missing(values: np.ndarray) -> np.ndarray:
    """As in files: NaN, and what is within 1e-5 of UNSEEN."""
    return np.isnan(values) | (np.abs(values - _UNSEEN) <= 1e-5 * abs(_UNSEEN))


def _convolved(plan: Radial, values: np.ndarray, missing: np.ndarray, mask: Optional[np.ndarray],
               fill: bool, least: float, **how: Any) -> np.ndarray:
    """One map with holes, missing (npix,). A kernel that is not normalized has no mean to offer:
    holes are 0."""
    seen = np.where(missing, 0.0, 1.0 if mask is None else mask)
    if plan.describe(1).normalization == "none":
        if fill:
            raise ValueError("fill = True: the kernel is not normalized, so it has no mean to fill "
                             "with")
        weighted = (np.where(missing, 0, values) * seen).astype(values.dtype)
        result = plan.convolve(weighted, missing="propagate", **how)
    else:
        result = plan.convolve(values, weights=seen, least=least, missing="propagate", **how)
    if not fill:
        result[..., seen == 0] = _UNSEEN
    return result


def _part(plan: Radial, values: np.ndarray, weights: Optional[np.ndarray], fill: bool,
          least: float, **how: Any) -> np.ndarray:
    """Maps of one plan, with or without holes; Q and U share theirs."""
    missing = _is_missing(values)
    if weights is None and not missing.any():
        return plan.convolve(values, missing="propagate", **how)
    if plan.spin:
        missing = np.logical_or(missing[..., 0, :], missing[..., 1, :])
    result = np.empty(values.shape, values.dtype)
    for place in np.ndindex(*missing.shape[:-1]):
        result[place] = _convolved(plan, values[place], missing[place], weights, fill, least, **how)
    return result


def convolve(map: ArrayLike, kernel: Kernel, *, mask: Optional[ArrayLike] = None,
             fill: bool = False, least: float = _LEAST, support: Optional[float] = None,
             mode: str = "exact", normalization: str = "auto", truncation_error: float = 1e-7,
             pol: bool = False, nthreads: int = 0, progress: Progress = None,
             ring_weights: bool = False) -> np.ndarray:
    """HEALPix maps (..., npix) in RING order, convolved with a kernel; for many maps make a Radial.

    pol: maps (..., 3, npix), I, Q and U: I as a scalar, Q and U as a pair of spin 2 (see Radial),
    where a pixel without one of them has no other.

    Pixels that are UNSEEN, NaN or hidden by a masked array are missing, those where mask (npix,),
    weights >= 0, is 0 as well.
    The result is the kernel's weighted mean of the others; under a kernel that is not normalized
    they count as 0. They are UNSEEN in the result, with fill=True only those are that have less
    than the part `least` of the kernel on pixels. ring_weights: pixels stand for solid angles that
    make the integral exact up to degree 2 nside, in place of equal ones. The rest is as in Radial.
    """
    if isinstance(map, np.ma.MaskedArray) and np.ma.is_masked(map):
        map = np.ma.filled(map.astype(np.result_type(map.dtype, np.float32)), np.nan)
    values = as_map(map)
    npix = values.shape[-1] if values.ndim else 0
    nside = math.isqrt(npix // 12)
    if not nside or 12 * nside * nside != npix:
        raise ValueError(f"map: has shape {values.shape}, must have (..., 12 nside^2)")
    if pol and values.shape[-2:-1] != (3,):
        raise ValueError(f"map: has shape {values.shape}, must have (..., 3, {npix}) with pol")
    weights = None if mask is None else _weights(mask, npix)
    grid = Grid.healpix(nside, weights_lmax=2 * nside if ring_weights else None)

    def convolved(part: np.ndarray, spin: int) -> np.ndarray:
        plan = Radial(grid, kernel, support, mode, normalization,
                      truncation_error=truncation_error, spin=spin)
        return _part(plan, part, weights, fill, least, nthreads=nthreads, progress=progress)

    if not pol:
        return convolved(values, 0)
    return np.concatenate([convolved(values[..., :1, :], 0), convolved(values[..., 1:, :], 2)], -2)
