"""Spherical harmonic transforms on ring grids."""
from __future__ import annotations

import math
from typing import Any, ClassVar, Dict, NamedTuple, Optional, Tuple, Type, Union, overload

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import (COMPLEX_OF, REAL_OF, Output, apart, as_alm, as_map, input_buffer,
                      leading_shape, missing_rule, plain, pointer, unmasked)
from ._device import check_host, is_device_array, transform
from ._errors import check, choice, real, whole
from ._native import ffi, lib
from ._progress import Progress, execute
from ._structs import as_tuple
from .alm import Layout
from .grid import Grid

_MODES = {"standard": lib.ARMILLA_SHT_STANDARD, "gradient_only": lib.ARMILLA_SHT_GRADIENT_ONLY,
          "derivatives": lib.ARMILLA_SHT_DERIVATIVES}
_METHODS = {"auto": lib.ARMILLA_SHT_AUTO, "direct": lib.ARMILLA_SHT_DIRECT,
            "resample": lib.ARMILLA_SHT_RESAMPLE}
_SPIN_METHODS = {"auto": lib.ARMILLA_SPIN_AUTO, "recurrence": lib.ARMILLA_SPIN_RECURRENCE}
_DEVICES = {"cpu": lib.ARMILLA_CPU, "cuda": lib.ARMILLA_CUDA}
_PRECISIONS = {"auto": lib.ARMILLA_DEVICE_PRECISION_AUTO,
               "double": lib.ARMILLA_DEVICE_PRECISION_DOUBLE,
               "single": lib.ARMILLA_DEVICE_PRECISION_SINGLE}
_PSEUDO_METHODS = {"lsmr": lib.ARMILLA_PSEUDO_LSMR, "jacobi": lib.ARMILLA_PSEUDO_JACOBI}
_STOPS = {lib.ARMILLA_STOP_ZERO: "zero", lib.ARMILLA_STOP_RESIDUAL: "residual",
          lib.ARMILLA_STOP_GRADIENT: "gradient", lib.ARMILLA_STOP_CONDITION: "condition",
          lib.ARMILLA_STOP_ITERATIONS: "iterations"}
_REPORT = np.dtype({"names": ["stop", "iterations", "residual", "gradient"],
                    "formats": ["i4", "i8", "f8", "f8"], "offsets": [0, 8, 16, 24],
                    "itemsize": 32})
assert _REPORT.itemsize == ffi.sizeof("armilla_pseudo_report")
Functions = Dict[Tuple[str, np.dtype], Any]


def functions(noun: str) -> Functions:
    """The operators of the library's armilla_<noun> by name and type of the map."""
    return {(name, real): getattr(lib, f"armilla_{noun}_{name}{suffix}")
            for name in ("synthesis", "adjoint_synthesis", "analysis", "adjoint_analysis",
                         "pseudo_analysis")
            for real, suffix in ((np.dtype(np.float64), ""), (np.dtype(np.float32), "_float"))}


class Description(NamedTuple):
    """What will run: backend, instruction set, method, sizes, memory in bytes (of the host, of a
    GPU), operations."""

    backend: str
    isa: str
    method: str
    lmax: int
    mmax: int
    nrings: int
    npix: int
    alm_size: int
    ncomp: int
    alm_ncomp: int
    plan_bytes: int
    workspace_bytes: int
    useful_flops: float
    device_plan_bytes: int
    device_workspace_bytes: int
    device_shape: Optional[str]
    device_precision: Optional[str]


class PseudoReport(NamedTuple):
    """How pseudo_analysis ended. Numbers, or arrays of the leading shape.

    stop: "zero", "residual", "gradient", "condition" or "iterations" (the limit was reached);
    residual: |map - Y a| / |map|, norms with the weights; gradient: |Y^T (map - Y a)| /
    (|Y| |map - Y a|), NaN for Jacobi. Those of an IQU have a last axis of 2: T; E with B.
    """

    stop: Union[str, np.ndarray]
    iterations: Union[int, np.ndarray]
    residual: Union[float, np.ndarray]
    gradient: Union[float, np.ndarray]


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
        leading_shape(weights[None], (1, npix), "weights")
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


class Plan:
    """What SHT and IQU share: a plan of the library, and the operators on arrays."""

    __slots__ = ("_sht", "_grid", "_layout", "_options", "_alm_tail", "_map_tail", "_alm_dense",
                 "_map_dense")
    _noun: ClassVar[str]  # of the library: armilla_<noun>_new
    _functions: ClassVar[Functions]
    _report_tail: ClassVar[Tuple[int, ...]] = ()

    def __init__(self, grid: Grid, lmax: int, mmax: Optional[int], spin: int, mode: str,
                 layout: Optional[Layout], method: str, spin_method: str, isa: Optional[str],
                 device: str, device_bytes: int, device_shape: Optional[str],
                 device_precision: str, host_bytes: int) -> None:
        if not isinstance(grid, Grid):
            raise TypeError(f"grid: must be an armilla.Grid, not {type(grid).__name__}")
        if mmax is None:
            mmax = lmax if layout is None else layout.mmax
        lmax, mmax, spin = whole("lmax", lmax), whole("mmax", mmax), whole("spin", spin)
        options = ffi.new("armilla_sht_options *")
        lib.armilla_sht_options_init(options)
        options.spin = spin
        options.mode = choice("mode", mode, _MODES)
        options.method = choice("method", method, _METHODS)
        options.spin_method = choice("spin_method", spin_method, _SPIN_METHODS)
        name = ffi.NULL if isa is None else ffi.new("char[]", isa.encode())
        options.isa = name
        options.device = choice("device", device, _DEVICES)
        options.device_bytes = whole("device_bytes", device_bytes)
        if device_shape == "fastest":
            options.device_tune = lib.ARMILLA_DEVICE_TUNE_MEASURE
        elif device_shape is not None:
            options.device_shape = shape = ffi.new("char[]", device_shape.encode())
        options.device_precision = choice("device_precision", device_precision, _PRECISIONS)
        options.host_bytes = whole("host_bytes", host_bytes)
        if layout is not None:
            options.layout = layout._layout
        sht = ffi.new(f"armilla_{self._noun} **")
        check(getattr(lib, f"armilla_{self._noun}_new")(grid._grid, lmax, mmax, options, sht))
        self._sht = ffi.gc(sht[0], getattr(lib, f"armilla_{self._noun}_free"))
        self._grid, self._layout = grid, layout
        self._options = (lmax, mmax, spin, mode, method, spin_method, isa, device, device_bytes,
                         device_shape, device_precision, host_bytes)
        self._set_shapes()

    def _set_shapes(self) -> None:
        told = self.describe(1)
        self._alm_tail = ((told.alm_ncomp,) if told.alm_ncomp > 1 else ()) + (told.alm_size,)
        self._map_tail = ((told.ncomp,) if told.ncomp > 1 else ()) + (told.npix,)
        self._alm_dense = self._layout is None
        self._map_dense = self._grid.kind != "custom"

    # --- What it is ---------------------------------------------------------------------------

    @property
    def grid(self) -> Grid:
        """The grid."""
        return self._grid

    @property
    def lmax(self) -> int:
        """Largest degree."""
        return self._options[0]

    @property
    def mmax(self) -> int:
        """Largest order."""
        return self._options[1]

    @property
    def layout(self) -> Optional[Layout]:
        """Where coefficients are stored; None: healpy's order."""
        return self._layout

    @property
    def device(self) -> str:
        """Where it runs: "cpu" or "cuda"."""
        return self._options[7]

    @property
    def alm_shape(self) -> Tuple[int, ...]:
        """Shape of the coefficients of one transform."""
        return self._alm_tail

    @property
    def map_shape(self) -> Tuple[int, ...]:
        """Shape of the map of one transform."""
        return self._map_tail

    def describe(self, nthreads: int = 0) -> Description:
        """What a call with so many threads will run and need."""
        told = ffi.new("armilla_sht_description *")
        told.size = ffi.sizeof("armilla_sht_description")
        check(getattr(lib, f"armilla_{self._noun}_describe")(self._sht, nthreads, told))
        return as_tuple(Description, told)

    # --- The operators ------------------------------------------------------------------------

    @overload
    def synthesis(self, alm: ArrayLike, *, out: Optional[np.ndarray] = ...,
                  nthreads: int = ..., progress: Progress = ...) -> np.ndarray: ...

    @overload
    def synthesis(self, alm: Any, *, out: Any = ..., nthreads: int = ...,
                  progress: Progress = ...) -> Any: ...

    def synthesis(self, alm: Any, *, out: Any = None, nthreads: int = 0,
                  progress: Progress = None) -> Any:
        """Coefficients (..., *alm_shape) -> map (..., *map_shape): Y."""
        return self._to_map("synthesis", alm, out, nthreads, progress)

    @overload
    def adjoint_synthesis(self, map: ArrayLike, *, out: Optional[np.ndarray] = ...,
                          nthreads: int = ..., progress: Progress = ...,
                          missing: str = ...) -> np.ndarray: ...

    @overload
    def adjoint_synthesis(self, map: Any, *, out: Any = ..., nthreads: int = ...,
                          progress: Progress = ..., missing: str = ...) -> Any: ...

    def adjoint_synthesis(self, map: Any, *, out: Any = None, nthreads: int = 0,
                          progress: Progress = None, missing: str = "error") -> Any:
        """Map (..., *map_shape) -> coefficients (..., *alm_shape), no weights: Y^T.

        missing: as in analysis."""
        return self._to_alm("adjoint_synthesis", map, out, nthreads, progress,
                            missing=missing)

    @overload
    def analysis(self, map: ArrayLike, *, out: Optional[np.ndarray] = ...,
                 nthreads: int = ..., progress: Progress = ...,
                 missing: str = ...) -> np.ndarray: ...

    @overload
    def analysis(self, map: Any, *, out: Any = ..., nthreads: int = ...,
                 progress: Progress = ..., missing: str = ...) -> Any: ...

    def analysis(self, map: Any, *, out: Any = None, nthreads: int = 0,
                 progress: Progress = None, missing: str = "error") -> Any:
        """Map (..., *map_shape) -> coefficients (..., *alm_shape) by quadrature: Y^T W.

        Inverts synthesis exactly for lmax <= grid.exact_lmax; see pseudo_analysis for others.
        missing: what is done about NaN, infinities and UNSEEN (-1.6375e30, to 1e-5) in arrays of
        the host: "error", a ValueError with the first one's index, or "propagate": they are
        numbers like all others. Arrays of a GPU propagate.
        """
        return self._to_alm("analysis", map, out, nthreads, progress,
                            missing=missing)

    @overload
    def adjoint_analysis(self, alm: ArrayLike, *, out: Optional[np.ndarray] = ...,
                         nthreads: int = ..., progress: Progress = ...) -> np.ndarray: ...

    @overload
    def adjoint_analysis(self, alm: Any, *, out: Any = ..., nthreads: int = ...,
                         progress: Progress = ...) -> Any: ...

    def adjoint_analysis(self, alm: Any, *, out: Any = None, nthreads: int = 0,
                         progress: Progress = None) -> Any:
        """Coefficients (..., *alm_shape) -> map (..., *map_shape): W Y."""
        return self._to_map("adjoint_analysis", alm, out, nthreads, progress)

    def pseudo_analysis(self, map: ArrayLike, *, method: str = "lsmr", tolerance: float = 1e-10,
                        max_iterations: Optional[int] = None, weights: Optional[ArrayLike] = None,
                        mask: Optional[ArrayLike] = None, guess: Optional[ArrayLike] = None,
                        out: Optional[np.ndarray] = None, nthreads: int = 0,
                        progress: Progress = None, missing: str = "error"
                        ) -> Tuple[np.ndarray, PseudoReport]:
        """Map -> coefficients by iteration, for grids without an exact rule, maps with a mask, or
        noise that differs between pixels.

        method: "lsmr", least squares to a relative tolerance within max_iterations (None: 100); or
        "jacobi", exactly max_iterations (None: 3) corrections: healpy's iter.
        weights: (npix,), w >= 0, for all components and transforms: lsmr minimises the sum of
        w (map - Y a)^2, so that w = 1 / sigma^2 stands for white noise; a step of jacobi is
        a + Y^T W w (map - Y a), which needs w <= 1. mask: (npix,) of 0 or False, where a pixel is
        left out, and 1; what a masked array hides is left out, too. What the map holds where w or
        the mask is 0 does not matter.
        guess: coefficients to begin with, of the result's shape or of its last axes.
        missing: as in analysis, where w and the mask are not 0; NaN is an error in any case.
        Result: coefficients (..., *alm_shape) and a PseudoReport.
        """
        if max_iterations is None:
            max_iterations = 3 if method == "jacobi" else 100
        check_host(map=map, guess=guess, weights=weights, mask=mask, out=out)
        map, weights = unmasked(map, weights, "map")
        values = as_map(map)
        factors = pixel_weights(weights, mask, self._map_tail[-1], out)
        alm, told = self._iterate(values, method, tolerance, max_iterations, factors, guess, out,
                                  nthreads, progress, missing)
        return alm, reported(told)

    def _iterate(self, values: np.ndarray, method: str, tolerance: float, max_iterations: int,
                 weights: Optional[np.ndarray], guess: Optional[ArrayLike],
                 out: Optional[np.ndarray], nthreads: int, progress: Progress,
                 missing: str = "propagate") -> Tuple[np.ndarray, np.ndarray]:
        """Coefficients, and reports as the library writes them: type _REPORT, leading shape."""
        options = pseudo_options(method, tolerance, max_iterations, weights)
        lead = leading_shape(values, self._map_tail, "map")
        told, reports = new_reports(lead + self._report_tail)
        return self._to_alm("pseudo_analysis", values, out, nthreads, progress, options,
                            reports, guess=guess, missing=missing), told

    # --- How ----------------------------------------------------------------------------------

    def _to_map(self, name: str, alm: Any, out: Any, nthreads: int, progress: Progress) -> Any:
        if is_device_array(alm) or is_device_array(out):
            return transform(self, name, True, alm, out, nthreads, progress)
        alm = as_alm(alm)
        if out is not None:
            alm = apart(alm, out)
        lead = leading_shape(alm, self._alm_tail, "alm")
        real = REAL_OF[alm.dtype]
        target = Output(out, lead + self._map_tail, real, self._map_dense)
        source, distance = input_buffer(alm)
        ntrans = math.prod(lead)
        if ntrans:
            arrays = pointer(source), pointer(target.array)
            execute(self._functions[name, real], (self._sht, *arrays), ntrans, nthreads, progress,
                    distance, target.distance)
        return target.finish()

    def _to_alm(self, name: str, values: Any, out: Any, nthreads: int, progress: Progress,
                *more: Any, guess: Optional[ArrayLike] = None, missing: str = "error") -> Any:
        """more: arguments after the arrays, of which the first takes the guess."""
        rule = missing_rule(missing)
        if is_device_array(values) or is_device_array(out):
            return transform(self, name, False, values, out, nthreads, progress)
        values = as_map(values)
        if out is not None:
            values = apart(values, out)
        lead = leading_shape(values, self._map_tail, "map")
        target = Output(out, lead + self._alm_tail, COMPLEX_OF[values.dtype], self._alm_dense)
        source, distance = input_buffer(values)
        ntrans = math.prod(lead)
        if ntrans:
            arrays = pointer(source), pointer(target.array)
            if guess is not None:
                start = guess_like(guess, lead + self._alm_tail, target)
                more[0].guess = ffi.cast("void *", start.ctypes.data)
            execute(self._functions[name, values.dtype], (self._sht, *arrays, *more), ntrans,
                    nthreads, progress, target.distance, distance, missing=rule)
        return target.finish()

    def __reduce__(self) -> Tuple[Any, ...]:
        return _rebuild, (type(self), self._grid, self._layout, self._options)


class SHT(Plan):
    """A plan: transforms between coefficients and maps on one grid. Immutable; any number of
    threads may use it at once.

    Shapes: scalar quantities have no axis of components, others have one of length 2 before the
    last; any leading axes are transforms that are done together.

        mode             spin        alm               map
        standard         0           (..., size)       (..., npix)
        standard         s != 0      (..., 2, size)    (..., 2, npix)    E, B and Q, U
        gradient_only    s != 0      (..., size)       (..., 2, npix)    B = 0
        derivatives      1           (..., size)       (..., 2, npix)    d/dtheta, d/dphi / sin
        derivatives      2           (..., size)       (..., 2, npix)    tt - pp, 2 tp

    Types: float64 maps and complex128 coefficients, or float32 and complex64; the result has the
    precision of the input. Any strided array is accepted; contiguous ones (also with a distance
    between components) are used without a copy. Inputs are never written.

    device="cuda" makes a plan for the GPU that is current (cudaSetDevice; torch.cuda.set_device).
    It takes arrays of NumPy, which are copied there and back; and arrays in the GPU's memory, of
    CuPy, PyTorch, or others with the CUDA array interface or DLPack. Those are not copied: their
    types must be the ones above, their last axis contiguous. The result is an array of the same
    library there (of others: `out` must be given), and the call does not wait for it: the work is
    on the input's stream, of PyTorch the current one. pseudo_analysis takes arrays of the host.

    All methods take: out, an array for the result; nthreads, 0 for all available; progress, True
    for a bar (tqdm), or a function of the fraction done whose true result cancels.
    """

    __slots__ = ()
    _noun = "sht"
    _functions = functions("sht")

    def __init__(self, grid: Grid, lmax: int, mmax: Optional[int] = None, *, spin: int = 0,
                 mode: str = "standard", layout: Optional[Layout] = None,
                 method: str = "auto", spin_method: str = "auto",
                 isa: Optional[str] = None, device: str = "cpu", device_bytes: int = 0,
                 device_shape: Optional[str] = None, device_precision: str = "auto",
                 host_bytes: int = 0) -> None:
        """grid; 0 <= mmax <= lmax (mmax None: lmax, or that of the layout); |spin| <= lmax.

        method: "direct" on every ring, "resample" in theta, or "auto"; spin_method: "auto" or
        "recurrence"; isa: instruction set, None for the best; device: "cpu" or "cuda";
        device_bytes: of a GPU's memory that a call may take beside the arrays, as far as a few
        rings allow, 0: twice those of the arrays; device_shape: of a GPU's kernels, a name as
        describe() tells it, "fastest": the first plan of a process for a kind of GPU, of functions
        and of sizes measures it, None: by the number of rings; device_precision: of a GPU, in which
        transforms of float32 make Legendre functions, "double", "single" (spin 0 to 3; errors of
        some 1e-6), or "auto": single where the GPU makes 16 operations in it, or more, for one in
        double (no GPU has been timed yet); host_bytes: on the CPU, that the plan and a call
        of float64 with one thread may take beside the arrays, about, and seldom less than 1280
        rings or half of the orders take, 0: 45 % of the arrays from lmax 2047 on, below as much as
        is fastest. With 1.5 times the arrays HEALPix at nside 1024 takes 0.95 of its time.
        """
        super().__init__(grid, lmax, mmax, spin, mode, layout, method, spin_method, isa, device,
                         device_bytes, device_shape, device_precision, host_bytes)

    @property
    def spin(self) -> int:
        """Spin of the field."""
        return self._options[2]

    @property
    def mode(self) -> str:
        """"standard", "gradient_only" or "derivatives"."""
        return self._options[3]

    def __repr__(self) -> str:
        return (f"<armilla.SHT lmax {self.lmax}, mmax {self.mmax}, spin {self.spin}, {self.mode}, "
                f"on {self._grid!r}>")


class IQU(Plan):
    """A plan for polarised maps: I, Q, U <-> T, E, B, spin 0 and spin 2 in one call.

    Shapes: coefficients (..., 3, size), maps (..., 3, npix); all else is as in SHT. Results are
    those of SHT(grid, lmax) and of SHT(grid, lmax, spin=2), bit by bit. Signs: HEALPix; for the IAU
    convention change that of U.
    """

    __slots__ = ()
    _noun = "iqu"
    _functions = functions("iqu")
    _report_tail = (2,)

    def __init__(self, grid: Grid, lmax: int, mmax: Optional[int] = None, *,
                 layout: Optional[Layout] = None, method: str = "auto", spin_method: str = "auto",
                 isa: Optional[str] = None, device: str = "cpu", device_bytes: int = 0,
                 device_shape: Optional[str] = None, device_precision: str = "auto",
                 host_bytes: int = 0) -> None:
        """grid; 0 <= mmax <= lmax, lmax >= 2; the rest is as in SHT."""
        super().__init__(grid, lmax, mmax, 0, "standard", layout, method, spin_method, isa, device,
                         device_bytes, device_shape, device_precision, host_bytes)

    def __repr__(self) -> str:
        return f"<armilla.IQU lmax {self.lmax}, mmax {self.mmax}, on {self._grid!r}>"


def _rebuild(kind: Type[Plan], grid: Grid, layout: Optional[Layout], options: tuple) -> Plan:
    plan = kind.__new__(kind)
    lmax, mmax, spin, mode, *methods = options
    Plan.__init__(plan, grid, lmax, mmax, spin, mode, layout, *methods)
    return plan
