"""Spherical harmonic transforms on ring grids."""
from __future__ import annotations

import math
from typing import (TYPE_CHECKING, Any, ClassVar, Dict, List, Literal, Optional, Sequence, Tuple,
                    Type, Union, overload)

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import (COMPLEX_OF, REAL_OF, Output, apart, as_alm, as_map, input_buffer,
                      leading_shape, missing_rule, pointer, unmasked)
from ._device import check_host, is_device_array, transform
from ._errors import characters, check, choice, real, shown, small, threads, whole
from ._hints import absent_of, on_grid
from ._html import table_of
from ._native import ffi, lib
from ._exactness import warn_if_inexact, warn_of_sector
from ._maps import MapShape
from ._place import enter_device
from ._progress import HOST_OF, Place, Progress, ended, execute, keep_raised
from ._pseudo import (PseudoReport, Sizes, guess_like, new_reports, pixel_weights,
                      pseudo_options, reported, seen_pixels, warn_of_fit)
from ._structs import as_tuple
from ._types import (AlmForm, Choice, Description, Device, DevicePrecision, Given, Method, Missing,
                     Mode, OnDevice, PlanOptions, PseudoMethod, RingOrders, SpinMethod)
from .alm import Layout, checked_layout
from .grid import Grid, GridLike, as_grid

_MODES = {"standard": lib.ARMILLA_SHT_STANDARD, "gradient_only": lib.ARMILLA_SHT_GRADIENT_ONLY,
          "derivatives": lib.ARMILLA_SHT_DERIVATIVES}
_METHODS = {"auto": lib.ARMILLA_SHT_AUTO, "direct": lib.ARMILLA_SHT_DIRECT,
            "resample": lib.ARMILLA_SHT_RESAMPLE}
_SPIN_METHODS = {"auto": lib.ARMILLA_SPIN_AUTO, "recurrence": lib.ARMILLA_SPIN_RECURRENCE}
_FORMS = {"complex": lib.ARMILLA_ALM_COMPLEX, "real": lib.ARMILLA_ALM_REAL}
_PRECISIONS = {"auto": lib.ARMILLA_DEVICE_PRECISION_AUTO,
               "double": lib.ARMILLA_DEVICE_PRECISION_DOUBLE,
               "single": lib.ARMILLA_DEVICE_PRECISION_SINGLE,
               "two_floats": lib.ARMILLA_DEVICE_PRECISION_TWO_FLOATS,
               "halves": lib.ARMILLA_DEVICE_PRECISION_HALVES}
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


_RING_ORDERS = {"all": lib.ARMILLA_RING_ORDERS_ALL, "ectrans": lib.ARMILLA_RING_ORDERS_ECTRANS}


def _ring_orders(given: Any, grid: Grid) -> Tuple[int, Optional[np.ndarray]]:
    """The number of armilla_ring_orders, and the list if there is one."""
    if isinstance(given, str):
        return choice("ring_orders", given, _RING_ORDERS), None
    limits = np.asarray(given)
    if limits.shape != (grid.nrings,) or limits.dtype.kind not in "iu":
        raise ValueError(f"ring_orders: must be 'all', 'ectrans' or {grid.nrings} whole numbers, "
                         "one for each ring")
    return lib.ARMILLA_RING_ORDERS_LISTED, np.ascontiguousarray(limits, np.int64)


def choices_told(explain: Any, plan: Any) -> List[Choice]:
    """What the library tells of the choices of a plan."""
    told: List[Choice] = []
    handle = ffi.new_handle(told)
    ended(explain(plan, lib.armilla_python_choice, handle))
    return told


def _scale(name: str, scale: Optional[ArrayLike], last: int) -> Optional[np.ndarray]:
    """A copy of last + 1 numbers, of which the library takes another."""
    if scale is None:
        return None
    numbers = np.array(as_map(scale, name), np.float64, order="C")
    if numbers.shape != (last + 1,):
        raise ValueError(f"{name}: has shape {numbers.shape}, must have ({last + 1},)")
    return numbers


class Plan:
    """What SHT and IQU share: a plan of the library, and the operators on arrays."""

    __slots__ = ("_sht", "_grid", "_layout", "_options", "_alm_tail", "_maps", "_alm_dense",
                 "_map_dense", "_has_warned", "_alm_is_real", "_place")
    _repr_html_ = table_of
    _noun: ClassVar[str]  # of the library: armilla_<noun>_new
    _functions: ClassVar[Functions]
    _place: Place  # of calls with arrays of the host
    _report_tail: ClassVar[Tuple[int, ...]] = ()
    if not TYPE_CHECKING:
        __getattr__ = absent_of("transform")

    def __init__(self, grid: GridLike, lmax: int, mmax: Optional[int], spin: int, mode: Mode,
                 layout: Optional[Layout], method: Method, spin_method: SpinMethod,
                 isa: Optional[str], device: Device, device_bytes: int, device_shape: Optional[str],
                 device_precision: DevicePrecision, host_bytes: int, cache_bytes: int,
                 choices: Optional[str], two_dimensional: bool, mres: Optional[int] = None,
                 form: AlmForm = "complex", conjugate: bool = False,
                 degree_scale: Optional[ArrayLike] = None, order_scale: Optional[ArrayLike] = None,
                 ring_orders: RingOrders = "all", devices: Optional[Sequence[int]] = None,
                 delegate: bool = False, device_streams: int = 0) -> None:
        grid, layout = as_grid(grid), checked_layout(layout)
        if mmax is None:
            mmax = None if layout is None else layout.mmax
        if mres is None:
            mres = 1 if layout is None else layout.mres
        lmax, mres, spin = whole("lmax", lmax), whole("mres", mres), whole("spin", spin)
        mmax = lmax // max(mres, 1) if mmax is None else whole("mmax", mmax)
        options = ffi.new("armilla_sht_options *")
        lib.armilla_sht_options_init(options)
        options.spin = small("spin", spin)
        options.mode = choice("mode", mode, _MODES)
        options.method = choice("method", method, _METHODS)
        options.spin_method = choice("spin_method", spin_method, _SPIN_METHODS)
        name = characters("isa", isa)
        options.isa = name
        options.device_bytes = whole("device_bytes", device_bytes)
        numbers, _kept = enter_device(options, device, devices, delegate)
        if device_shape == "fastest":
            options.device_tune = lib.ARMILLA_DEVICE_TUNE_MEASURE
        elif device_shape == "fastest of many":
            options.device_tune = lib.ARMILLA_DEVICE_TUNE_MEASURE_MANY
        elif device_shape is not None:
            options.device_shape = shape = characters("device_shape", device_shape)
        options.device_precision = choice("device_precision", device_precision, _PRECISIONS)
        options.device_streams = small("device_streams", device_streams)
        options.host_bytes = whole("host_bytes", host_bytes)
        options.cache_bytes = whole("cache_bytes", cache_bytes)
        forced = characters("choices", choices)
        options.choices, options.mres = forced, mres
        options.form, options.conjugate = choice("form", form, _FORMS), bool(conjugate)
        degrees = _scale("degree_scale", degree_scale, lmax)
        orders = _scale("order_scale", order_scale, mmax)
        if degrees is not None:
            options.degree_scale = ffi.cast("const double *", degrees.ctypes.data)
        if orders is not None:
            options.order_scale = ffi.cast("const double *", orders.ctypes.data)
        options.ring_orders, limits = _ring_orders(ring_orders, grid)
        options.ring_limits = ffi.NULL if limits is None else (
            ffi.cast("const int64_t *", limits.ctypes.data))
        if layout is not None:
            options.layout = layout._layout
        self._sht = self._made(grid, lmax, mmax, options)
        self._grid, self._layout = grid, layout
        self._options = PlanOptions(
            lmax, mmax, spin, mode, method, spin_method, isa, device, device_bytes, device_shape,
            device_precision, host_bytes, cache_bytes, choices, bool(two_dimensional), mres, form,
            bool(conjugate), degrees, orders, ring_orders if limits is None else limits, numbers,
            bool(delegate), device_streams)
        self._alm_is_real = form == "real"
        self._place = HOST_OF["cpu" if self._by_host else device]
        told = self.describe(1)
        self._alm_tail = ((told.alm_ncomp,) if told.alm_ncomp > 1 else ()) + (told.alm_size,)
        self._maps = MapShape(told.ncomp, told.npix, grid._square(), bool(two_dimensional))
        self._alm_dense, self._map_dense = layout is None, grid._dense
        self._has_warned = False

    def _made(self, grid: Grid, lmax: int, mmax: int, options: Any) -> Any:
        """A plan of the library."""
        sht = ffi.new(f"armilla_{self._noun} **")
        check(getattr(lib, f"armilla_{self._noun}_new")(grid._grid, lmax, mmax, options, sht))
        return ffi.gc(sht[0], getattr(lib, f"armilla_{self._noun}_free"))

    # --- What it is ---------------------------------------------------------------------------

    @property
    def grid(self) -> Grid:
        """The grid of the maps."""
        return self._grid

    @property
    def lmax(self) -> int:
        """Largest degree."""
        return self._options.lmax

    @property
    def mmax(self) -> int:
        """Largest order."""
        return self._options.mmax

    @property
    def mres(self) -> int:
        """Orders are its multiples; `mmax` is the largest one divided by it."""
        return self._options.mres

    @property
    def layout(self) -> Optional[Layout]:
        """Where coefficients are stored; None means the order of healpy."""
        return self._layout

    @property
    def device(self) -> Device:
        """What the plan is for: "cpu" or "cuda"."""
        return self._options.device

    @property
    def devices(self) -> Optional[Tuple[int, ...]]:
        """The GPUs that were listed for the plan; None where none were."""
        return self._options.devices

    @property
    def _by_host(self) -> bool:
        """Does the host run the calls of a GPU?"""
        return self._options.delegate and self.device != "cpu"

    @property
    def alm_shape(self) -> Tuple[int, ...]:
        """Shape of the coefficients of one transform."""
        return self._alm_tail

    @property
    def map_shape(self) -> Tuple[int, ...]:
        """Shape of a new map of one transform."""
        return self._maps.tail

    def explain(self) -> List[Choice]:
        """Return the choices of the plan: how its calls run, and why.

        %(Returns.choices)s

        Notes
        -----
        The way with weights, where it differs, has names such as "weighted.sht.passes"; an IQU has
        "scalar.sht.passes" and "polar.sht.passes".
        """
        return choices_told(getattr(lib, f"armilla_{self._noun}_explain"), self._sht)

    def describe(self, nthreads: int = 0, *, ntrans: int = 1) -> Description:
        """Return what a call will run, and how much memory it needs.

        Parameters
        ----------
        %(nthreads.call)s
        ntrans : int, optional
            Number of transforms of the call, 1 or more: what its leading axes multiply to. The
            memory of a call depends on it, and how many transforms a GPU does together. Vector
            plans are described for 1.

        Returns
        -------
        Description
            Sizes, method, memory in bytes and operations.

        Raises
        ------
        ValueError
            If `ntrans` is out of range.
        NotImplementedError
            If `ntrans` is not 1, and the plan is for vector fields.

        Examples
        --------
        >>> import armilla
        >>> sht = armilla.SHT(armilla.Grid.gauss_legendre(64, 128), lmax=63)
        >>> told = sht.describe(nthreads=1)
        >>> told.backend, told.method, told.exact
        ('cpu', 'direct', 1)
        >>> sht.describe(1, ntrans=64).workspace_bytes >= told.workspace_bytes
        True
        """
        told = ffi.new("armilla_sht_description *")
        told.size = ffi.sizeof("armilla_sht_description")
        ntrans = whole("ntrans", ntrans)
        many = getattr(lib, f"armilla_{self._noun}_describe_many", None)
        if many is not None:
            check(many(self._sht, threads(nthreads), ntrans, told))
        elif ntrans == 1:
            describe = getattr(lib, f"armilla_{self._noun}_describe")
            check(describe(self._sht, threads(nthreads), told))
        else:
            raise NotImplementedError(f"ntrans = {ntrans}: plans for vector fields are described "
                                      "for calls of 1 transform")
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
        """Transform coefficients to maps: Y.

        Parameters
        ----------
        %(alm.plan)s
        %(arguments.out_to_progress)s

        Returns
        -------
        ndarray, shape (...,) + map_shape
            The maps: float32 for complex64, else float64. Arrays of a GPU give arrays of the same
            library there.

        %(Raises.shape+type+cancelled)s

        Examples
        --------
        >>> import armilla, numpy as np
        >>> sht = armilla.SHT(armilla.Grid.healpix(32), lmax=64)
        >>> alm = armilla.alm.random(64, np.ones(65), seed=1)
        >>> sht.synthesis(alm).shape
        (12288,)
        """
        return self._to_map("synthesis", alm, out, nthreads, progress)

    @overload
    def adjoint_synthesis(self, map: Any, *, out: Given, nthreads: int = ...,
                          progress: Progress = ..., missing: Missing = ...) -> Given: ...

    @overload
    def adjoint_synthesis(self, map: OnDevice, *, out: None = ..., nthreads: int = ...,
                          progress: Progress = ..., missing: Missing = ...) -> OnDevice: ...

    @overload
    def adjoint_synthesis(self, map: ArrayLike, *, out: None = ..., nthreads: int = ...,
                          progress: Progress = ..., missing: Missing = ...) -> np.ndarray: ...

    def adjoint_synthesis(self, map: Any, *, out: Any = None, nthreads: int = 0,
                          progress: Progress = None, missing: Missing = "error") -> Any:
        """Apply the adjoint of synthesis, without weights: Y^T.

        Parameters
        ----------
        map : array_like, shape (...,) + map_shape
            Maps, float32 or float64.
        %(arguments.out_to_progress)s
        %(missing.laid_out)s

        %(Returns.alm)s

        %(Raises.shape_or_missing+type+cancelled)s

        Notes
        -----
        The inner product of maps is the sum over pixels of a b. That of coefficients is the inner
        product of the real coefficients of `armilla.alm.to_real`.

        Examples
        --------
        >>> import armilla, numpy as np
        >>> sht = armilla.SHT(armilla.Grid.healpix(8), lmax=16)
        >>> alm, sky = armilla.alm.random(16, np.ones(17), seed=1), np.arange(768.0)
        >>> left = sht.synthesis(alm) @ sky
        >>> to_real = armilla.alm.to_real
        >>> right = to_real(alm) @ to_real(sht.adjoint_synthesis(sky))
        >>> bool(np.isclose(left, right))
        True
        """
        return self._to_alm("adjoint_synthesis", map, out, nthreads, progress,
                            missing=missing)

    @overload
    def analysis(self, map: Any, *, out: Given, nthreads: int = ...,
                 progress: Progress = ..., missing: Missing = ...) -> Given: ...

    @overload
    def analysis(self, map: OnDevice, *, out: None = ..., nthreads: int = ...,
                 progress: Progress = ..., missing: Missing = ...) -> OnDevice: ...

    @overload
    def analysis(self, map: ArrayLike, *, out: None = ..., nthreads: int = ...,
                 progress: Progress = ..., missing: Missing = ...) -> np.ndarray: ...

    @overload
    def analysis(self, map: ArrayLike, *, iterations: Union[int, Literal["auto"]],
                 out: Optional[np.ndarray] = ..., nthreads: int = ..., progress: Progress = ...,
                 missing: Missing = ...) -> Tuple[np.ndarray, PseudoReport]: ...

    def analysis(self, map: Any, *, iterations: Union[int, Literal["auto"], None] = None,
                 out: Any = None, nthreads: int = 0, progress: Progress = None,
                 missing: Missing = "error") -> Any:
        """Transform maps to coefficients by quadrature: Y^T W.

        Parameters
        ----------
        map : array_like, shape (...,) + map_shape
            Maps, float32 or float64.
        iterations : {"auto"} or int, optional
            "auto" goes on where the quadrature is not exact: a step adds the analysis of what is
            left of the map, Y^T W (map - Y a), until one more would change last digits only. Two or
            three steps are enough on reduced grids of weather models. An integer makes so many
            steps. A report is returned, too, which tells the steps and the last change. By default
            there are none, and no report.
        %(arguments.out_to_progress)s
        %(missing.laid_out)s

        Returns
        -------
        ndarray, shape (...,) + alm_shape
            Coefficients: complex64 for float32, else complex128; with `iterations` a tuple of them
            and of a `PseudoReport`.

        %(Raises.shape_or_missing+type+cancelled)s

        Warns
        -----
        ExactnessWarning
            On the first call of a plan whose lmax or mmax is too large for the exact rule of its
            grid, or whose custom grid has the rings of a family without its rule; on HEALPix of
            one whose lmax is 3 nside or more.
        ConvergenceWarning
            If "auto" found that steps do not lead to a solution, or not within 100 of them.

        See Also
        --------
        SHT.pseudo_analysis : For grids without an exact rule, such as HEALPix, and for masks.

        Notes
        -----
        It inverts synthesis to rounding for ``lmax <= grid.exact_lmax_for(mmax)``.

        Examples
        --------
        >>> import armilla, numpy as np
        >>> sht = armilla.SHT(armilla.Grid.gauss_legendre(65, 130), lmax=64)
        >>> alm = armilla.alm.random(64, np.ones(65), seed=1)
        >>> bool(np.allclose(sht.analysis(sht.synthesis(alm)), alm))
        True

        The linear truncation of a reduced Gaussian grid:

        >>> linear = armilla.SHT("N32", lmax=63)
        >>> alm = armilla.alm.random(63, np.ones(64), seed=1)
        >>> back, report = linear.analysis(linear.synthesis(alm), iterations="auto")
        >>> report.stop, bool(np.allclose(back, alm, rtol=0, atol=1e-13))
        ('change', True)
        """
        if iterations is not None:
            return self._analysis_in_steps(map, iterations, out, nthreads, progress, missing)
        self._warn_once_if_inexact()
        return self._to_alm("analysis", map, out, nthreads, progress,
                            missing=missing)

    def _warn_once_if_inexact(self) -> None:
        if self._has_warned:
            return
        self._has_warned = True
        if self.mres == 1 or self._grid.kind == "healpix":
            warn_if_inexact(self._grid, self.lmax, self.mmax)
        elif self.describe(1).exact == 0:
            warn_of_sector(self._grid, self.lmax, self.mmax, self.mres)

    def _analysis_in_steps(self, map: Any, iterations: Any, out: Any, nthreads: int,
                           progress: Progress, missing: Missing) -> Any:
        auto = isinstance(iterations, str)
        if auto and iterations != "auto":
            raise ValueError(f"iterations = {shown(iterations)}: must be \"auto\" or a whole "
                             "number")
        if not auto:
            self._warn_once_if_inexact()
        return self.pseudo_analysis(
            map, method="auto" if auto else "jacobi",
            max_iterations=100 if auto else whole("iterations", iterations), out=out,
            nthreads=nthreads, progress=progress, missing=missing)

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
        """Apply the adjoint of analysis: W Y.

        Parameters
        ----------
        alm : array_like, shape (...,) + alm_shape
            Coefficients, complex64 or complex128.
        %(arguments.out_to_progress)s

        Returns
        -------
        ndarray, shape (...,) + map_shape
            The maps: float32 for complex64, else float64.

        %(Raises.shape+type+cancelled)s
        """
        return self._to_map("adjoint_analysis", alm, out, nthreads, progress)

    def pseudo_analysis(self, map: ArrayLike, *, method: PseudoMethod = "lsmr",
                        tolerance: float = 1e-10,
                        max_iterations: Optional[int] = None, weights: Optional[ArrayLike] = None,
                        mask: Optional[ArrayLike] = None, guess: Optional[ArrayLike] = None,
                        out: Optional[np.ndarray] = None, nthreads: int = 0,
                        progress: Progress = None, missing: Missing = "error"
                        ) -> Tuple[np.ndarray, PseudoReport]:
        """Fit coefficients to maps by iteration.

        This is the analysis for grids without an exact rule, for maps with a mask, and for noise
        that differs between pixels.

        Parameters
        ----------
        map : array_like, shape (...,) + map_shape
            Maps, float32 or float64. What a masked array hides is left out.
        method : {"lsmr", "jacobi", "auto"}, optional
            "lsmr" solves the least squares to `tolerance`. "jacobi" makes exactly `max_iterations`
            corrections, as the argument iter of healpy does (none in mode "derivatives"). "auto"
            makes none where the analysis is exact, else corrections until one changes last digits
            only.
        %(tolerance)s
        max_iterations : int, optional
            Limit of iterations. By default it is 3 for "jacobi" and 100 for the others.
        weights : array_like, shape (npix,), optional
            Weights w >= 0 of the pixels, for all components and transforms. LSMR minimises the sum
            of w (map - Y a)^2, so that w = 1 / sigma^2 is right for white noise. A step of Jacobi
            is a + Y^T W w (map - Y a), which needs w <= 1.
        mask : array_like, shape (npix,), optional
            0 or False where a pixel is left out, 1 or True elsewhere. What the map holds where the
            weight or the mask is 0 does not matter.
        guess : array_like, optional
            Coefficients to begin with: of the shape of the result, or of its last axes.
        %(arguments.out_to_progress)s
        missing : {"error", "propagate"}, optional
            As in `analysis`, for pixels with a weight other than 0. NaN is always an error.

        Returns
        -------
        alm : ndarray, shape (...,) + alm_shape
            Coefficients: complex64 for float32, else complex128.
        %(report)s

        Raises
        ------
        ValueError
            If a shape is wrong, a value is missing, or all pixels are left out.
        TypeError
            If an argument has a wrong type, or the maps of a masked array hide different pixels.
        %(Cancelled)s

        Warns
        -----
        ConvergenceWarning
            If "lsmr" has not reached `tolerance`, or "auto" no solution: the text says how far it
            came.
        ExactnessWarning
            If there are fewer values than real coefficients, or fewer rings than coefficients with
            m = 0: the solution is then one of many.

        Examples
        --------
        >>> import armilla, numpy as np
        >>> sht = armilla.SHT(armilla.Grid.healpix(32), lmax=48)
        >>> alm = armilla.alm.random(48, np.ones(49), seed=1)
        >>> back, report = sht.pseudo_analysis(sht.synthesis(alm), tolerance=1e-8)
        >>> report.stop
        'residual'
        >>> bool(np.allclose(back, alm, atol=1e-6))
        True
        """
        if max_iterations is None:
            max_iterations = 3 if method == "jacobi" else 100
        check_host("pseudo_analysis works on arrays", map=map, guess=guess, weights=weights,
                   mask=mask, out=out)
        shape = self._maps
        map, weights = unmasked(shape.line(map), shape.pixels(weights), "map")
        values = shape.line(as_map(map))
        factors = pixel_weights(weights, shape.pixels(mask), shape.flat[-1], out)
        alm, told = self._iterate(values, method, tolerance, max_iterations, factors, guess, out,
                                  nthreads, progress, missing)
        report = reported(told)
        warn_of_fit(report, method, tolerance, self._sizes_of_fit(factors), guess is not None)
        return alm, report

    def _sizes_of_fit(self, weights: Optional[np.ndarray]) -> Sizes:
        """weights: of the pixels, or None."""
        seen = seen_pixels(self._grid.rings, weights)
        return Sizes.of((self.lmax, self.mmax, self.mres, self._first_degree), self._alm_tail,
                        self._maps.flat, int(seen.sum()), int(np.count_nonzero(seen)))

    @property
    def _first_degree(self) -> int:
        """The least degree of all coefficients."""
        return abs(self._options.spin)

    def _iterate(self, values: np.ndarray, method: PseudoMethod, tolerance: float,
                 max_iterations: int, weights: Optional[np.ndarray], guess: Optional[ArrayLike],
                 out: Optional[np.ndarray], nthreads: int, progress: Progress,
                 missing: Missing = "propagate") -> Tuple[np.ndarray, np.ndarray]:
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
        alm = as_map(alm, "alm") if self._alm_is_real else as_alm(alm)
        if out is not None:
            alm = apart(alm, out)
        lead = leading_shape(alm, self._alm_tail, "alm")
        real = alm.dtype if self._alm_is_real else REAL_OF[alm.dtype]
        shape = self._maps
        line = None if out is None else shape.output(out, lead)
        target = Output(line, lead + shape.flat, real, self._map_dense)
        source, distance = input_buffer(alm)
        ntrans = math.prod(lead)
        if ntrans:
            arrays = pointer(source), pointer(target.array)
            execute(self._functions[name, real], (self._sht, *arrays), ntrans, nthreads, progress,
                    distance, target.distance, self._place)
        made = target.finish()
        return made if out is None and shape.makes_flat else shape.result(made, line, out)

    def _to_alm(self, name: str, values: Any, out: Any, nthreads: int, progress: Progress,
                *more: Any, guess: Optional[ArrayLike] = None, missing: Missing = "error") -> Any:
        """more: arguments after the arrays, of which the first takes the guess."""
        rule = missing_rule(missing)
        if is_device_array(values) or is_device_array(out):
            return transform(self, name, False, values, out, nthreads, progress, rule)
        values, flat = as_map(values), self._maps.flat
        if values.shape != flat:
            values = self._maps.line(values)
        if out is not None:
            values = apart(values, out)
        lead = leading_shape(values, flat, "map")
        made = values.dtype if self._alm_is_real else COMPLEX_OF[values.dtype]
        target = Output(out, lead + self._alm_tail, made, self._alm_dense)
        source, distance = input_buffer(values)
        ntrans = math.prod(lead)
        if ntrans:
            arrays = pointer(source), pointer(target.array)
            if guess is not None:
                start = guess_like(guess, lead + self._alm_tail, target)
                more[0].guess = ffi.cast("void *", start.ctypes.data)
            execute(self._functions[name, values.dtype], (self._sht, *arrays, *more), ntrans,
                    nthreads, progress, target.distance, distance, self._place, rule)
        return target.finish()

    def __reduce__(self) -> Tuple[Any, ...]:
        return _rebuild, (type(self), self._grid, self._layout, self._options)


class SHT(Plan):
    """A plan for transforms between coefficients and maps on one grid.

    A plan is immutable, and any number of threads may use it at once. Inputs are never written.

    Parameters
    ----------
    %(grid)s
    %(lmax.from_0)s
    %(mmax.mres)s
    %(spin.signed)s
    %(mode)s
    %(layout)s
    method : {"auto", "direct", "resample"}, optional
        "direct" computes Legendre functions on every ring, "resample" on fewer rings from which it
        interpolates in colatitude. "auto" takes the faster one.
    %(spin_method)s
    %(isa)s
    device : {"cpu", "cuda"}, optional
        Where the plan runs. "cuda" means the GPU that is current.
    device_bytes : int, optional
        Memory of the GPU that a call may take besides the arrays; a few rings always need some. 0
        means twice the memory of the arrays of one transform, and 512 MiB at least. Transforms of a
        call go together as far as it allows.
    device_shape : str, optional
        Shape of the kernels of a GPU, a name that `describe` tells. "fastest" measures it in the
        first plan of a process for a kind of GPU, of functions and of sizes, "fastest of many" does
        so with calls of several transforms. By default it follows from the number of rings.
    device_precision : {"auto", "double", "single", "two_floats", "halves"}, optional
        Precision in which a GPU makes Legendre functions of spin 0 to 3. "single" has errors of
        some 1e-6 in transforms of float32. "two_floats" also makes those of float64 by operations
        in single precision, with errors below 2e-12 (1 + lmax / 1000). "auto" takes it where the
        GPU makes 16 or more operations in single precision in the time of one in double. "halves"
        is for many transforms of float32 on an A100, H100 or H200: sums by tensor cores for 16
        transforms at once, with errors whose rms is below 1e-6 of that of a map.
    device_streams : {0, 1, 2}, optional
        Streams of a GPU on which a call of several transforms works: with 2 the Legendre stage of
        some of them runs beside the ring stage of others. 0 means 2 where batches are large.
    host_bytes : int, optional
        Memory that the plan and a call of float64 with one thread may take on the CPU besides the
        arrays, approximately, and seldom less than 1280 rings or half of the orders need. 0 means
        45 % of the arrays from lmax 2047 on, and as much as is fastest below.
    cache_bytes : int, optional
        Memory that a core of the CPU can read again and again at full speed, up to lmax 500; the
        last bits of results depend on it. 0 means 2 MB with AVX-512 and 8 MB otherwise, whatever
        the machine has, so that all machines give the same bits with the same instruction set.
    choices : str, optional
        Choices to force, such as "legendre.matrices=0,sht.flow=1", by the names that `explain`
        tells, of those whose values begin with a number; for tests and for measuring.
    two_dimensional : bool, optional
        Whether new maps have two axes for the pixels, ``grid.shape_2d``, instead of one of length
        npix.
    mres : int, optional
        Fields that repeat themselves `mres` times around the axis: the orders are 0, mres, 2 mres,
        ..., mmax mres, and maps cover a sector of 2 pi / mres. Sample j of a ring of `grid` lies at
        the longitude (phi0 + 2 pi j / nphi) / mres. Coefficients are in the order of SHTns, see
        `Layout`. Cost and memory are smaller by that factor. By default it is 1, all orders, or
        that of the layout. Not on a GPU.
    form : {"complex", "real"}, optional
        "real" means coefficients of real harmonics, float64 or float32, in the order of
        `armilla.alm.to_real`: c_l0, then sqrt(2) (Re, Im) of m > 0 beside each other. Adjoints
        are transposes in them. Not on a GPU, and not in `pseudo_analysis`; so are the parameters
        below.
    conjugate : bool, optional
        Whether coefficients are complex conjugates, as C + iS of geodesy are.
    degree_scale : array_like, shape (lmax + 1,), optional
        a_lm is degree_scale[l] order_scale[m / mres] times the coefficient: other norms. None may
        be 0. Analysis and its adjoint divide by the scales. By default they are 1.
    order_scale : array_like, shape (mmax + 1,), optional
        Such as (-1)^m for harmonics without the Condon-Shortley sign.
    %(ring_orders)s
    %(devices.transforms)s

    Raises
    ------
    %(ValueError.number_or_word)s
    %(TypeError)s
    NotImplementedError
        If the library or the machine cannot do what is asked for, such as device="cuda" without
        CUDA.
    %(MemoryError)s

    See Also
    --------
    IQU : Intensity and polarisation in one plan.
    Points : Values at arbitrary points.
    armilla.healpy : The functions of healpy.

    Notes
    -----
    Shapes: scalar quantities have no axis of components; others have one of length 2 before the
    last axis. Any leading axes are transforms that are done together.

    =============  ======  ==============  ==============  =========================
    mode           spin    alm             map             components
    =============  ======  ==============  ==============  =========================
    standard       0       (..., size)     (..., npix)
    standard       s != 0  (..., 2, size)  (..., 2, npix)  E and B; Q and U
    gradient_only  s != 0  (..., size)     (..., 2, npix)  E, with B = 0; Q and U
    derivatives    1       (..., size)     (..., 2, npix)  d/dtheta, d/dphi / sin
    derivatives    2       (..., size)     (..., 2, npix)  tt - pp, 2 tp
    =============  ======  ==============  ==============  =========================

    Signs follow HEALPix: Q + iU = -sum over l and m of (E + iB)_lm sY_lm for a spin s > 0. The
    gradient of a scalar f, along e_theta and e_phi, is thus the field of spin 1 with E = sqrt(l (l
    + 1)) f_lm and B = 0.

    On grids whose rings all have nphi pixels a map may have two axes instead of the one of length
    npix: (..., nrings, nphi), or (..., nphi, nrings) along theta, as the grid is laid out
    (`Grid.laid_out`). Either form is taken as an input and as `out`. Arrays with the strides of
    the grid, also rows with padding, are used without a copy.

    Types: float64 maps and complex128 coefficients, or float32 and complex64. The result has the
    precision of the input. Any strided array is accepted; contiguous ones, also with a distance
    between components, are used without a copy.

    Plans for a GPU take arrays of NumPy, which are copied there and back, and arrays in the memory
    of the GPU, from CuPy, PyTorch and other libraries with the CUDA array interface or DLPack.
    Those are not copied, so their types must be the ones above, and their last axis contiguous.
    The result is an array of the same library there; other libraries must give `out`. The call
    does not wait for the result: the work is on the stream of the input, for PyTorch on the
    current one. `pseudo_analysis` takes arrays of the host.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> sht = armilla.SHT(armilla.Grid.gauss_legendre(65, 130), lmax=64)
    >>> sht.alm_shape, sht.map_shape
    ((2145,), (8450,))
    >>> alm = armilla.alm.random(64, np.ones(65), seed=1)
    >>> sky = sht.synthesis(alm)
    >>> bool(np.allclose(sht.analysis(sky), alm))
    True

    Q and U of a field of spin 2 from E and B:

    >>> polar = armilla.SHT(sht.grid, 64, spin=2)
    >>> q, u = polar.synthesis(np.stack([alm, 0 * alm]))

    The gradient of a scalar, in two ways:

    >>> slope = armilla.SHT(sht.grid, 64, spin=1, mode="derivatives").synthesis(alm)
    >>> l = np.arange(65)
    >>> e = armilla.alm.multiply_window(alm, np.sqrt(l * (l + 1)))
    >>> vector = armilla.SHT(sht.grid, 64, spin=1).synthesis(np.stack([e, 0 * e]))
    >>> bool(np.allclose(slope, vector))
    True

    Every fourth order, on a quarter of the sphere:

    >>> sector = armilla.SHT(armilla.Grid.gauss_legendre(65, 33), 64, mres=4)
    >>> fourth = armilla.Layout(64).convert(alm, armilla.Layout(64, mres=4))
    >>> quarter = sector.synthesis(fourth)
    >>> fourth.size, bool(np.allclose(sector.analysis(quarter), fourth))
    (561, True)

    Real coefficients of cosines and sines, (C, S) of geodesy, of 4 pi norm:

    >>> sign = (-1.0) ** np.arange(65)
    >>> geodesy = armilla.SHT(sht.grid, 64, form="real", conjugate=True, order_scale=sign,
    ...                       degree_scale=np.full(65, np.sqrt(4 * np.pi)))
    >>> c_and_s = geodesy.analysis(sky)
    >>> mean = np.sum(sky * sht.grid.weights()) / (4 * np.pi)
    >>> c_and_s.shape, bool(np.isclose(c_and_s[0], mean))
    ((4225,), True)
    """

    __slots__ = ()
    _noun = "sht"
    _functions = functions("sht")

    @on_grid
    def __init__(self, grid: GridLike, lmax: int, mmax: Optional[int] = None, *, spin: int = 0,
                 mode: Mode = "standard", layout: Optional[Layout] = None,
                 method: Method = "auto", spin_method: SpinMethod = "auto",
                 isa: Optional[str] = None, device: Device = "cpu", device_bytes: int = 0,
                 device_shape: Optional[str] = None, device_precision: DevicePrecision = "auto",
                 device_streams: int = 0, host_bytes: int = 0, cache_bytes: int = 0,
                 choices: Optional[str] = None, two_dimensional: bool = False,
                 mres: Optional[int] = None, form: AlmForm = "complex", conjugate: bool = False,
                 degree_scale: Optional[ArrayLike] = None, order_scale: Optional[ArrayLike] = None,
                 ring_orders: RingOrders = "all", devices: Optional[Sequence[int]] = None) -> None:
        super().__init__(grid, lmax, mmax, spin, mode, layout, method, spin_method, isa, device,
                         device_bytes, device_shape, device_precision, host_bytes, cache_bytes,
                         choices, two_dimensional, mres, form, conjugate, degree_scale,
                         order_scale, ring_orders, devices, device_streams=device_streams)

    @property
    def spin(self) -> int:
        """Spin of the field."""
        return self._options.spin

    @property
    def mode(self) -> Mode:
        """What coefficients and components mean: "standard", "gradient_only" or "derivatives"."""
        return self._options.mode

    def __repr__(self) -> str:
        options = self._options
        mres = f"mres {options.mres}, " if options.mres != 1 else ""
        form = f"{options.form} coefficients, " if options.form != "complex" else ""
        return (f"<armilla.SHT lmax {self.lmax}, mmax {self.mmax}, {mres}spin {self.spin}, "
                f"{self.mode}, {form}on {self._grid!r}>")


class IQU(Plan):
    """A plan for polarised maps: I, Q, U to T, E, B and back, spin 0 and spin 2 in one call.

    Parameters
    ----------
    %(grid)s
    lmax : int
        Largest degree, 2 or more.
    %(mmax.layout)s
    %(layout)s
    %(method.as_sht)s
    %(spin_method)s
    %(isa)s
    device : {"cpu", "cuda"}, optional
        Where the plan runs.
    device_bytes : int, optional
        Memory of the GPU that a call may take besides the arrays.
    device_shape : str, optional
        Shape of the kernels of a GPU.
    device_precision : {"auto", "double", "single", "two_floats", "halves"}, optional
        Precision in which a GPU makes Legendre functions.
    device_streams : {0, 1, 2}, optional
        Streams of a GPU on which a call works.
    host_bytes : int, optional
        Memory that the plan and a call may take on the CPU besides the arrays.
    %(cache_bytes)s
    %(choices)s
    two_dimensional : bool, optional
        Whether new maps have two axes for the pixels.
    %(ring_orders)s
    %(devices.transforms)s

    Raises
    ------
    %(ValueError.number_or_word)s
    %(TypeError)s
    NotImplementedError
        If the library or the machine cannot do what is asked for.

    See Also
    --------
    SHT : Fields of one spin.

    Notes
    -----
    Coefficients have the shape (..., 3, size), and maps (..., 3, npix). All else is as in `SHT`.
    Results equal those of ``SHT(grid, lmax)`` and ``SHT(grid, lmax, spin=2)``, bit for bit. The
    signs follow HEALPix; for the IAU convention change the sign of U.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> iqu = armilla.IQU(armilla.Grid.gauss_legendre(65, 130), lmax=64)
    >>> teb = np.stack([armilla.alm.random(64, np.ones(65), seed) for seed in (1, 2, 3)])
    >>> iqu.synthesis(teb).shape
    (3, 8450)
    """

    __slots__ = ()
    _noun = "iqu"
    _functions = functions("iqu")
    _report_tail = (2,)

    @on_grid
    def __init__(self, grid: GridLike, lmax: int, mmax: Optional[int] = None, *,
                 layout: Optional[Layout] = None, method: Method = "auto",
                 spin_method: SpinMethod = "auto",
                 isa: Optional[str] = None, device: Device = "cpu", device_bytes: int = 0,
                 device_shape: Optional[str] = None, device_precision: DevicePrecision = "auto",
                 device_streams: int = 0, host_bytes: int = 0, cache_bytes: int = 0,
                 choices: Optional[str] = None, two_dimensional: bool = False,
                 ring_orders: RingOrders = "all",
                 devices: Optional[Sequence[int]] = None) -> None:
        super().__init__(grid, lmax, mmax, 0, "standard", layout, method, spin_method, isa, device,
                         device_bytes, device_shape, device_precision, host_bytes, cache_bytes,
                         choices, two_dimensional, ring_orders=ring_orders, devices=devices,
                         device_streams=device_streams)

    def __repr__(self) -> str:
        return f"<armilla.IQU lmax {self.lmax}, mmax {self.mmax}, on {self._grid!r}>"


def _rebuild(kind: Type[Plan], grid: Grid, layout: Optional[Layout], options: tuple) -> Plan:
    plan = kind.__new__(kind)
    lmax, mmax, spin, mode, *methods = options
    Plan.__init__(plan, grid, lmax, mmax, spin, mode, layout, *methods)
    return plan
