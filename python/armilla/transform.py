"""Spherical harmonic transforms on ring grids."""
from __future__ import annotations

import math
from typing import Any, ClassVar, Dict, List, Optional, Tuple, Type, overload

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import (COMPLEX_OF, REAL_OF, Output, apart, as_alm, as_map, input_buffer,
                      leading_shape, missing_rule, pointer, unmasked)
from ._device import check_host, is_device_array, transform
from ._errors import check, choice, real, whole
from ._native import ffi, lib
from ._exactness import warn_if_inexact
from ._maps import MapShape
from ._progress import HOST_OF, Progress, ended, execute, keep_raised
from ._pseudo import (PseudoReport, guess_like, new_reports, pixel_weights, pseudo_options,
                      reported)
from ._structs import as_tuple
from ._types import Choice, Description, Given, OnDevice
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
Functions = Dict[Tuple[str, np.dtype], Any]


def functions(noun: str) -> Functions:
    """The operators of the library's armilla_<noun> by name and type of the map."""
    return {(name, real): getattr(lib, f"armilla_{noun}_{name}{suffix}")
            for name in ("synthesis", "adjoint_synthesis", "analysis", "adjoint_analysis",
                         "pseudo_analysis")
            for real, suffix in ((np.dtype(np.float64), ""), (np.dtype(np.float32), "_float"))}


@ffi.def_extern(onerror=keep_raised)
def armilla_python_choice(data: Any, choice_: Any) -> None:
    """Called by the library with each choice of a plan."""
    ffi.from_handle(data).append(Choice(*(
        ffi.string(text).decode() for text in (choice_.name, choice_.value, choice_.why))))


def choices_told(explain: Any, plan: Any) -> List[Choice]:
    """What the library tells of the choices of a plan."""
    told: List[Choice] = []
    handle = ffi.new_handle(told)
    ended(explain(plan, lib.armilla_python_choice, handle))
    return told


class Plan:
    """What SHT and IQU share: a plan of the library, and the operators on arrays."""

    __slots__ = ("_sht", "_grid", "_layout", "_options", "_alm_tail", "_maps", "_alm_dense",
                 "_map_dense", "_has_warned")
    _noun: ClassVar[str]  # of the library: armilla_<noun>_new
    _functions: ClassVar[Functions]
    _report_tail: ClassVar[Tuple[int, ...]] = ()

    def __init__(self, grid: Grid, lmax: int, mmax: Optional[int], spin: int, mode: str,
                 layout: Optional[Layout], method: str, spin_method: str, isa: Optional[str],
                 device: str, device_bytes: int, device_shape: Optional[str],
                 device_precision: str, host_bytes: int, cache_bytes: int, choices: Optional[str],
                 two_dimensional: bool) -> None:
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
        options.cache_bytes = whole("cache_bytes", cache_bytes)
        forced = ffi.NULL if choices is None else ffi.new("char[]", choices.encode())
        options.choices = forced
        if layout is not None:
            options.layout = layout._layout
        sht = ffi.new(f"armilla_{self._noun} **")
        check(getattr(lib, f"armilla_{self._noun}_new")(grid._grid, lmax, mmax, options, sht))
        self._sht = ffi.gc(sht[0], getattr(lib, f"armilla_{self._noun}_free"))
        self._grid, self._layout = grid, layout
        self._options = (lmax, mmax, spin, mode, method, spin_method, isa, device, device_bytes,
                         device_shape, device_precision, host_bytes, cache_bytes, choices,
                         bool(two_dimensional))
        told = self.describe(1)
        self._alm_tail = ((told.alm_ncomp,) if told.alm_ncomp > 1 else ()) + (told.alm_size,)
        self._maps = MapShape(told.ncomp, told.npix, grid._square(), bool(two_dimensional))
        self._alm_dense, self._map_dense = layout is None, grid._dense
        self._has_warned = False

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
        return self._maps.tail

    def explain(self) -> List[Choice]:
        """The choices of the plan: how its calls run, and why. docs/ways.md has a row for each.

        The way with weights, where it is another, has names such as "weighted.sht.passes"; an IQU
        has "scalar.sht.passes" and "polar.sht.passes".
        """
        return choices_told(getattr(lib, f"armilla_{self._noun}_explain"), self._sht)

    def describe(self, nthreads: int = 0) -> Description:
        """What a call with so many threads will run and need."""
        told = ffi.new("armilla_sht_description *")
        told.size = ffi.sizeof("armilla_sht_description")
        check(getattr(lib, f"armilla_{self._noun}_describe")(self._sht, nthreads, told))
        return as_tuple(Description, told)

    # --- The operators ------------------------------------------------------------------------

    @overload
    def synthesis(self, alm: Any, *, out: Given, nthreads: int = ...,
                  progress: Progress = ...) -> Given: ...

    @overload
    def synthesis(self, alm: OnDevice, *, out: None = ..., nthreads: int = ...,
                  progress: Progress = ...) -> OnDevice: ...

    @overload
    def synthesis(self, alm: ArrayLike, *, out: None = ..., nthreads: int = ...,
                  progress: Progress = ...) -> np.ndarray: ...

    def synthesis(self, alm: Any, *, out: Any = None, nthreads: int = 0,
                  progress: Progress = None) -> Any:
        """Coefficients (..., *alm_shape) -> map (..., *map_shape): Y."""
        return self._to_map("synthesis", alm, out, nthreads, progress)

    @overload
    def adjoint_synthesis(self, map: Any, *, out: Given, nthreads: int = ...,
                          progress: Progress = ..., missing: str = ...) -> Given: ...

    @overload
    def adjoint_synthesis(self, map: OnDevice, *, out: None = ..., nthreads: int = ...,
                          progress: Progress = ..., missing: str = ...) -> OnDevice: ...

    @overload
    def adjoint_synthesis(self, map: ArrayLike, *, out: None = ..., nthreads: int = ...,
                          progress: Progress = ..., missing: str = ...) -> np.ndarray: ...

    def adjoint_synthesis(self, map: Any, *, out: Any = None, nthreads: int = 0,
                          progress: Progress = None, missing: str = "error") -> Any:
        """Map (..., *map_shape) -> coefficients (..., *alm_shape), no weights: Y^T.

        missing: as in analysis."""
        return self._to_alm("adjoint_synthesis", map, out, nthreads, progress,
                            missing=missing)

    @overload
    def analysis(self, map: Any, *, out: Given, nthreads: int = ...,
                 progress: Progress = ..., missing: str = ...) -> Given: ...

    @overload
    def analysis(self, map: OnDevice, *, out: None = ..., nthreads: int = ...,
                 progress: Progress = ..., missing: str = ...) -> OnDevice: ...

    @overload
    def analysis(self, map: ArrayLike, *, out: None = ..., nthreads: int = ...,
                 progress: Progress = ..., missing: str = ...) -> np.ndarray: ...

    def analysis(self, map: Any, *, out: Any = None, nthreads: int = 0,
                 progress: Progress = None, missing: str = "error") -> Any:
        """Map (..., *map_shape) -> coefficients (..., *alm_shape) by quadrature: Y^T W.

        Inverts synthesis exactly for lmax <= grid.exact_lmax_for(mmax): beyond, on a grid that has
        an exact rule, the first call of a plan gives an ExactnessWarning; so does a custom grid
        with the rings of such a one. See pseudo_analysis for others.
        missing: what is done about NaN, infinities and UNSEEN (-1.6375e30, to 1e-5) in arrays of
        the host: "error", a ValueError with the first one's index, or "propagate": they are
        numbers like all others. Arrays of a GPU propagate.
        """
        if not self._has_warned:
            self._has_warned = True
            warn_if_inexact(self._grid, self.lmax, self.mmax)
        return self._to_alm("analysis", map, out, nthreads, progress,
                            missing=missing)

    @overload
    def adjoint_analysis(self, alm: Any, *, out: Given, nthreads: int = ...,
                         progress: Progress = ...) -> Given: ...

    @overload
    def adjoint_analysis(self, alm: OnDevice, *, out: None = ..., nthreads: int = ...,
                         progress: Progress = ...) -> OnDevice: ...

    @overload
    def adjoint_analysis(self, alm: ArrayLike, *, out: None = ..., nthreads: int = ...,
                         progress: Progress = ...) -> np.ndarray: ...

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
        shape = self._maps
        map, weights = unmasked(shape.line(map), shape.pixels(weights), "map")
        values = shape.line(as_map(map))
        factors = pixel_weights(weights, shape.pixels(mask), shape.flat[-1], out)
        alm, told = self._iterate(values, method, tolerance, max_iterations, factors, guess, out,
                                  nthreads, progress, missing)
        return alm, reported(told)

    def _iterate(self, values: np.ndarray, method: str, tolerance: float, max_iterations: int,
                 weights: Optional[np.ndarray], guess: Optional[ArrayLike],
                 out: Optional[np.ndarray], nthreads: int, progress: Progress,
                 missing: str = "propagate") -> Tuple[np.ndarray, np.ndarray]:
        """Coefficients, and reports as the library writes them: type _REPORT, leading shape."""
        options = pseudo_options(method, tolerance, max_iterations, weights)
        lead = leading_shape(values, self._maps.flat, "map")
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
        real, shape = REAL_OF[alm.dtype], self._maps
        line = None if out is None else shape.output(out, lead)
        target = Output(line, lead + shape.flat, real, self._map_dense)
        source, distance = input_buffer(alm)
        ntrans = math.prod(lead)
        if ntrans:
            arrays = pointer(source), pointer(target.array)
            execute(self._functions[name, real], (self._sht, *arrays), ntrans, nthreads, progress,
                    distance, target.distance, HOST_OF[self.device])
        made = target.finish()
        return made if out is None and shape.makes_flat else shape.result(made, line, out)

    def _to_alm(self, name: str, values: Any, out: Any, nthreads: int, progress: Progress,
                *more: Any, guess: Optional[ArrayLike] = None, missing: str = "error") -> Any:
        """more: arguments after the arrays, of which the first takes the guess."""
        rule = missing_rule(missing)
        if is_device_array(values) or is_device_array(out):
            return transform(self, name, False, values, out, nthreads, progress)
        values, flat = as_map(values), self._maps.flat
        if values.shape != flat:
            values = self._maps.line(values)
        if out is not None:
            values = apart(values, out)
        lead = leading_shape(values, flat, "map")
        target = Output(out, lead + self._alm_tail, COMPLEX_OF[values.dtype], self._alm_dense)
        source, distance = input_buffer(values)
        ntrans = math.prod(lead)
        if ntrans:
            arrays = pointer(source), pointer(target.array)
            if guess is not None:
                start = guess_like(guess, lead + self._alm_tail, target)
                more[0].guess = ffi.cast("void *", start.ctypes.data)
            execute(self._functions[name, values.dtype], (self._sht, *arrays, *more), ntrans,
                    nthreads, progress, target.distance, distance, HOST_OF[self.device], rule)
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

    On grids whose rings all have nphi pixels a map may have two dimensions in the place of npix:
    (..., nrings, nphi), or (..., nphi, nrings) along theta, rows and columns as the grid is laid
    out (Grid.laid_out). Either form is taken, as an input and as `out`; new maps have map_shape,
    which is that with npix unless two_dimensional=True. Arrays whose strides are those of the grid
    (rows with padding, too) are used without a copy.

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
                 host_bytes: int = 0, cache_bytes: int = 0, choices: Optional[str] = None,
                 two_dimensional: bool = False) -> None:
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
        cache_bytes: on the CPU, that a core can read again and again at full speed, up to lmax 500,
        on which last bits depend; 0: 2 MB with AVX-512, 8 MB else, whatever the machine has, so
        that all machines give the same bits with the same instruction set. choices: to force,
        "legendre.matrices=0,sht.flow=1", by the names that SHT.explain() tells, those whose values
        begin with a number; for tests and for measuring.
        two_dimensional: map_shape, the shape of new maps, has grid.shape_2d in the place of npix.
        """
        super().__init__(grid, lmax, mmax, spin, mode, layout, method, spin_method, isa, device,
                         device_bytes, device_shape, device_precision, host_bytes, cache_bytes,
                         choices, two_dimensional)

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
                 host_bytes: int = 0, cache_bytes: int = 0, choices: Optional[str] = None,
                 two_dimensional: bool = False) -> None:
        """grid; 0 <= mmax <= lmax, lmax >= 2; the rest is as in SHT."""
        super().__init__(grid, lmax, mmax, 0, "standard", layout, method, spin_method, isa, device,
                         device_bytes, device_shape, device_precision, host_bytes, cache_bytes,
                         choices, two_dimensional)

    def __repr__(self) -> str:
        return f"<armilla.IQU lmax {self.lmax}, mmax {self.mmax}, on {self._grid!r}>"


def _rebuild(kind: Type[Plan], grid: Grid, layout: Optional[Layout], options: tuple) -> Plan:
    plan = kind.__new__(kind)
    lmax, mmax, spin, mode, *methods = options
    Plan.__init__(plan, grid, lmax, mmax, spin, mode, layout, *methods)
    return plan
