"""Spherical harmonic transforms to and from arbitrary points."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Sequence, Tuple, overload

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import (COMPLEX_OF, REAL_OF, Output, angles, apart, as_alm, as_map, input_buffer,
                      leading_shape, pointer, unmasked)
from ._aside import plan_aside
from ._device import (Operator, Side, apply, check_host, coefficients, is_device_array, placed)
from ._errors import characters, check, choice, real, small, threads, whole
from ._hints import absent_of, at_points
from ._html import table_of
from ._maps import MapShape, Square
from ._native import ffi, lib
from ._place import DEVICES, device_list
from ._progress import HOST_OF, Place, Progress, execute
from ._pseudo import (PseudoReport, Sizes, guess_like, new_reports, pixel_weights,
                      pseudo_options, reported, warn_of_fit)
from ._structs import as_tuple
from ._types import Choice, Device, Given, Mode, OnDevice, PointsOptions, SpinMethod
from .alm import Layout, checked_layout
from .transform import _MODES as MODES
from .transform import _SPIN_METHODS as SPIN_METHODS
from .transform import Functions, choices_told

_FUNCTIONS: Functions = {(name, kind): getattr(lib, f"armilla_points_{name}{suffix}")
                         for name in ("synthesis", "adjoint_synthesis", "pseudo_analysis",
                                      "evaluate", "adjoint_evaluate")
                         for kind, suffix in ((np.dtype(np.float64), ""),
                                              (np.dtype(np.float32), "_float"))}


class PointsDescription(NamedTuple):
    """What a call of Points or Lensing will run, and what it needs.

    Attributes
    ----------
    %(isa.attribute)s
    %(lmax)s
    %(mmax.given)s
    npoints : int
        Number of points.
    ncomp : int
        Number of components of the values.
    %(alm_ncomp)s
    %(alm_size)s
    epsilon : float
        Accuracy that the plan keeps: what was asked for, or what `upsampling` reaches.
    nrings : int
        Number of rings of the grid that values are interpolated from.
    nphi : int
        Number of pixels of these rings.
    taps : int
        Number of samples along each axis that an interpolation takes.
    plan_bytes : int
        Memory of the plan, with its copy of the points.
    %(workspace_bytes)s
    north : float
        Colatitude, in radians, at which the grid begins: 0, or more for points in a patch.
    south : float
        Colatitude, in radians, at which the grid ends: pi, or less for points in a patch.
    near_rings : int
        Number of rings on which Legendre functions are computed.
    highest_order : int
        Largest order that the points need, at most mmax.
    backend : str
        "cpu" or "cuda".
    %(device_plan_bytes)s
    device_workspace_bytes : int
        Memory that a call of one transform needs on the GPU besides the arrays.
    """

    isa: str
    lmax: int
    mmax: int
    npoints: int
    ncomp: int
    alm_ncomp: int
    alm_size: int
    epsilon: float
    nrings: int
    nphi: int
    taps: int
    plan_bytes: int
    workspace_bytes: int
    north: float
    south: float
    near_rings: int
    highest_order: int
    backend: str
    device_plan_bytes: int
    device_workspace_bytes: int


def described(describe: Any, plan: Any, nthreads: int, extra: int) -> PointsDescription:
    """What the library tells of a plan, and of so many bytes more that Python holds for it."""
    told = ffi.new("armilla_points_description *")
    told.size = ffi.sizeof("armilla_points_description")
    check(describe(plan, nthreads, told))
    told.plan_bytes += extra
    return as_tuple(PointsDescription, told)


def locations(loc: ArrayLike, name: str = "loc",
              columns: Tuple[str, ...] = ("colatitude", "longitude")) -> np.ndarray:
    """A copy, float64 (npoints, the number of columns), that nobody writes to."""
    array = np.array(as_map(angles(loc, name, texts=False), name), np.float64, order="C")
    if array.ndim != 2 or array.shape[1] != len(columns):
        raise ValueError(f"{name}: has shape {array.shape}, must have (npoints, {len(columns)}): "
                         f"{', '.join(columns[:-1])} and {columns[-1]}")
    array.flags.writeable = False
    return array


class Located(NamedTuple):
    """Points that a plan is made from: what Python keeps of them, where they are, and how many."""

    loc: Any
    pointer: Any
    npoints: int

    @property
    def nbytes(self) -> int:
        """Of a copy of the host."""
        return self.loc.nbytes if isinstance(self.loc, np.ndarray) else 0


def located(loc: Any, device: Device) -> Located:
    """A copy of points of the host; points in device memory as they are."""
    if not is_device_array(loc):
        loc = locations(loc)
        return Located(loc, pointer(loc), len(loc))
    there = placed(loc, "loc", device, np.float64)
    if len(there.shape) != 2 or there.shape[1] != 2:
        raise ValueError(f"loc: has shape {there.shape}, must have (npoints, 2): colatitude and "
                         "longitude")
    if there.distance not in (0, 2):
        raise ValueError(f"loc: has rows {there.distance} numbers apart; in device memory it must "
                         "be contiguous")
    return Located(there.owner, there.pointer, there.shape[0])


def _options(spin: int, mode: Mode, layout: Optional[Layout], isa: Optional[str],
             spin_method: SpinMethod) -> Tuple[Any, Any]:
    """An armilla_points_options, and what must live as long."""
    options = ffi.new("armilla_points_options *")
    lib.armilla_points_options_init(options)
    options.spin = small("spin", spin)
    options.mode = choice("mode", mode, MODES)
    options.spin_method = choice("spin_method", spin_method, SPIN_METHODS)
    name = characters("isa", isa)
    options.isa = name
    layout = checked_layout(layout)
    if layout is not None:
        options.layout = layout._layout
    return options, (name, layout)


def _run(name: str, problem: Tuple[Any, ...], tails: Tuple[Tuple[int, ...], Tuple[int, ...]],
         dense: bool, given: np.ndarray, out: Optional[np.ndarray], nthreads: int,
         progress: Progress, *more: Any, guess: Optional[ArrayLike] = None,
         place: Place = HOST_OF["cpu"]) -> np.ndarray:
    """Calls an operator. problem: its first arguments; tails: shapes of alm and of values of one
    transform; dense: arrays of coefficients have no gaps; more: arguments after the arrays, of
    which the first takes the guess."""
    to_points = name in ("synthesis", "evaluate")
    if out is not None:
        given = apart(given, out)
    lead = leading_shape(given, tails[not to_points], "alm" if to_points else "values")
    kind = REAL_OF[given.dtype] if to_points else COMPLEX_OF[given.dtype]
    target = Output(out, lead + tails[to_points], kind, to_points or dense)
    source, distance = input_buffer(given)
    ntrans = math.prod(lead)
    if ntrans:
        # alm comes first in synthesis, and in distances always
        alm, map_ = (distance, target.distance) if to_points else (target.distance, distance)
        if guess is not None:
            start = guess_like(guess, lead + tails[0], target)
            more[0].guess = ffi.cast("void *", start.ctypes.data)
        execute(_FUNCTIONS[name, kind if to_points else given.dtype],
                (*problem, pointer(source), pointer(target.array), *more), ntrans, nthreads,
                progress, alm, map_, place)
    return target.finish()


def plan_size(size: int, device: Device) -> int:
    """For plan_aside: plans of a GPU are made in the caller's thread, whose current GPU they are
    for."""
    return size if device == "cpu" else 0


def _band(lmax: int, mmax: Optional[int], layout: Optional[Layout]) -> Tuple[int, int]:
    layout = checked_layout(layout)
    if mmax is None:
        lmax = whole("lmax", lmax)
        return lmax, lmax if layout is None else layout.mmax
    return whole("lmax", lmax), whole("mmax", mmax)


def options_of(given: tuple, layout: Optional[Layout], device: Device = "cpu",
               device_bytes: int = 0, devices: Optional[Sequence[int]] = None,
               upsampling: float = 0.0, taps: int = 0) -> Tuple[PointsOptions, Any, Any]:
    """Checked options (given: lmax, spin, epsilon, mmax, mode, isa, spin_method), the library's
    struct, and what must live as long."""
    lmax, spin, epsilon, mmax, mode, isa, spin_method = given
    lmax, mmax = _band(lmax, mmax, layout)
    spin, epsilon = whole("spin", spin), real("epsilon", epsilon)
    options, alive = _options(spin, mode, layout, isa, spin_method)
    options.epsilon = epsilon
    options.upsampling = upsampling = real("upsampling", upsampling)
    options.taps = taps = whole("taps", taps)
    options.device = choice("device", device, DEVICES)
    options.device_bytes = device_bytes = whole("device_bytes", device_bytes)
    numbers = device_list(devices, device)
    listed = ffi.new("int[]", numbers or ())
    if numbers is not None:
        options.devices, options.ndevices = listed, len(numbers)
    return PointsOptions(lmax, spin, epsilon, mmax, mode, isa, spin_method, device, device_bytes,
                         numbers, upsampling, taps), options, (alive, listed)


class PointsPlan:
    """What Points and Lensing share: options, and the shapes that follow from them."""

    __slots__ = ("_layout", "_options", "_alm_tail", "_map_tail", "_maps")
    _repr_html_ = table_of
    _layout: Optional[Layout]
    _options: PointsOptions
    _alm_tail: Tuple[int, ...]
    _map_tail: Tuple[int, ...]
    _maps: MapShape

    def _take_shapes(self, told: PointsDescription, npix: int, square: Optional[Square] = None
                     ) -> None:
        self._alm_tail = ((told.alm_ncomp,) if told.alm_ncomp > 1 else ()) + (told.alm_size,)
        self._maps = MapShape(told.ncomp, npix, square, False)
        self._map_tail = self._maps.flat

    @property
    def lmax(self) -> int:
        """Largest degree."""
        return self._options.lmax

    @property
    def mmax(self) -> int:
        """Largest order."""
        return self._options.mmax

    @property
    def spin(self) -> int:
        """Spin of the field."""
        return self._options.spin

    @property
    def mode(self) -> Mode:
        """What coefficients and components mean: "standard", "gradient_only" or "derivatives"."""
        return self._options.mode

    @property
    def epsilon(self) -> float:
        """Largest rms error of the values, relative to the rms of the field over the sphere."""
        return self._options.epsilon

    @property
    def device(self) -> Device:
        """Where the plan runs: "cpu" or "cuda"."""
        return self._options.device

    @property
    def devices(self) -> Optional[Tuple[int, ...]]:
        """The GPUs that were listed for the plan; None where none were."""
        return self._options.devices

    @property
    def layout(self) -> Optional[Layout]:
        """Where coefficients are stored; None means the order of healpy."""
        return self._layout

    @property
    def alm_shape(self) -> Tuple[int, ...]:
        """Shape of the coefficients of one transform."""
        return self._alm_tail

    @property
    def map_shape(self) -> Tuple[int, ...]:
        """Shape of the values of one transform."""
        return self._map_tail


class Points(PointsPlan):
    """A plan for transforms between coefficients and values at arbitrary points.

    A plan is immutable, and any number of threads may use it at once. Inputs are never written.

    Parameters
    ----------
    %(lmax.from_0)s
    %(loc)s
    %(spin.signed)s
    %(epsilon)s
    %(arguments.points_plan)s
    nthreads : int, optional
        Number of threads that make this plan and the plans of `with_points`; 0 means all.
    device : {"cpu", "cuda"}, optional
        Where transforms run. "cuda" means an NVIDIA GPU, with the library's CUDA build: calls then
        take arrays of NumPy, and arrays in the GPU's memory (CuPy, PyTorch, Numba; whatever has
        the CUDA array interface or DLPack) as they are, on the stream that they name. `loc` may be
        in the memory of either, float64 and contiguous in that of the GPU.
    device_bytes : int, optional
        About how much of the GPU's memory a call may take besides the arrays. 0, the default,
        means what one transform needs where nothing goes piece by piece, up to half of what is
        free on the GPU and a quarter of its memory, and no less than twice the bytes of
        coefficients and values, and 512 MiB.
    devices : sequence of int, optional
        Numbers of the GPUs that share each transform, with device "cuda": each has neighbouring
        bands of rings, and the points there. With several GPUs, arrays must be on the host. By
        default the current GPU runs all.
    upsampling : float, optional
        Number of samples that values are interpolated from, over the number that the band limit
        asks for: 1.1 to 3. The lengths that are taken may be somewhat larger. 0, the default,
        means that it is chosen together with the taps. With a number the accuracy is what it
        reaches with its taps, at most `epsilon`: `describe` tells it.
    taps : int, optional
        Number of samples along each axis that an interpolation takes: 2 to 16. 0, the default,
        means that it is chosen: with `upsampling`, as few as reach `epsilon`.

    Raises
    ------
    ValueError
        If a number is out of range, a word is unknown, or `upsampling` and `taps` do not reach
        `epsilon`.
    %(TypeError)s
    %(MemoryError)s
    %(NotImplementedError.gpu)s

    See Also
    --------
    evaluate : Values at a few points, without a plan and to rounding.
    Lensing : Values at the deflected directions of a grid.

    Notes
    -----
    Values are interpolated from a grid on which the field is synthesised. Their rms error is at
    most `epsilon` times the rms of the field over the sphere, wherever the points are; the adjoint
    is that of the approximation, to rounding.

    Shapes, modes and types are as in `SHT`, with values (..., npoints) instead of maps. The
    components at a point are along e_theta and e_phi there, and at a pole those of the meridian
    phi.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> loc = np.random.default_rng(1).uniform([0, 0], [np.pi, 2 * np.pi], (1000, 2))
    >>> points = armilla.Points(32, loc, epsilon=1e-6)
    >>> alm = armilla.alm.random(32, np.ones(33), seed=1)
    >>> values = points.synthesis(alm)
    >>> values.shape
    (1000,)
    >>> bool(np.allclose(values, armilla.evaluate(alm, 32, loc), atol=1e-4))
    True
    """

    __slots__ = ("_points", "_located")
    _located: Located

    if not TYPE_CHECKING:
        __getattr__ = absent_of("points")

    @at_points
    def __init__(self, lmax: int, loc: ArrayLike, spin: int = 0, epsilon: float = 1e-7,
                 mmax: Optional[int] = None, mode: Mode = "standard",
                 layout: Optional[Layout] = None, isa: Optional[str] = None, *,
                 spin_method: SpinMethod = "auto", nthreads: int = 0, device: Device = "cpu",
                 device_bytes: int = 0, devices: Optional[Sequence[int]] = None,
                 upsampling: float = 0.0, taps: int = 0) -> None:
        given = lmax, spin, epsilon, mmax, mode, isa, spin_method
        options, struct, alive = options_of(given, layout, device, device_bytes, devices,
                                            upsampling, taps)
        at = located(loc, device)
        struct.nthreads = threads(nthreads)
        points = plan_aside("points", lib.armilla_points_free, lambda made: lib.armilla_points_new(
            options.lmax, options.mmax, at.npoints, at.pointer, struct, made),
            plan_size(at.npoints, device), alive)
        self._take(points, at, layout, options)

    def _take(self, points: Any, at: Located, layout: Optional[Layout],
              options: PointsOptions) -> None:
        self._points = points
        self._located, self._layout, self._options = at, layout, options
        self._take_shapes(self.describe(1), at.npoints)

    def with_points(self, loc: ArrayLike) -> Points:
        """Make a plan for other points, which shares with this one what does not depend on them.

        Parameters
        ----------
        loc : array_like, shape (npoints, 2)
            Colatitude, 0 to pi, and longitude of each point in radians; where `Points` takes them.

        Returns
        -------
        Points
            The new plan.

        Raises
        ------
        ValueError
            If the shape is wrong, or an angle is out of range.
        """
        at = located(loc, self.device)
        points = plan_aside("points", lib.armilla_points_free,
                            lambda made: lib.armilla_points_new_beside(
                                self._points, at.npoints, at.pointer, made),
                            plan_size(at.npoints, self.device))
        other = Points.__new__(Points)
        other._take(points, at, self._layout, self._options)
        return other

    # --- What it is ---------------------------------------------------------------------------

    @property
    def loc(self) -> Any:
        """The points, shape (npoints, 2).

        A read-only copy, or the array in device memory that was given, which the plan does not look
        at again."""
        return self._located.loc

    def describe(self, nthreads: int = 0) -> PointsDescription:
        """Return what a call will run, and how much memory it needs.

        %(sections.points_description)s
        """
        return described(lib.armilla_points_describe, self._points, nthreads,
                         self._located.nbytes)

    def explain(self) -> List[Choice]:
        """Return the choices of the plan: how its calls run, and why.

        %(Returns.choices)s
        """
        return choices_told(lib.armilla_points_explain, self._points)

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
        """Transform coefficients to values at the points: Y.

        Parameters
        ----------
        %(alm.plan)s
        %(arguments.out_to_progress)s

        Returns
        -------
        ndarray, shape (...,) + map_shape
            The values: float32 for complex64, else float64. Arrays of a GPU give arrays of the same
            library there.

        %(Raises.shape+type+cancelled)s
        """
        return self._apply("synthesis", alm, out, nthreads, progress)

    @overload
    def adjoint_synthesis(self, values: Any, *, out: Given, nthreads: int = ...,
                          progress: Progress = ...) -> Given: ...

    @overload
    def adjoint_synthesis(self, values: OnDevice, *, out: None = ..., nthreads: int = ...,
                          progress: Progress = ...) -> OnDevice: ...

    @overload
    def adjoint_synthesis(self, values: ArrayLike, *, out: None = ..., nthreads: int = ...,
                          progress: Progress = ...) -> np.ndarray: ...

    def adjoint_synthesis(self, values: Any, *, out: Any = None, nthreads: int = 0,
                          progress: Progress = None) -> Any:
        """Apply the adjoint of synthesis, without weights: Y^T.

        Parameters
        ----------
        values : array_like, shape (...,) + map_shape
            Values at the points, float32 or float64.
        %(arguments.out_to_progress)s

        %(Returns.alm)s

        %(Raises.shape+type+cancelled)s
        """
        return self._apply("adjoint_synthesis", values, out, nthreads, progress)

    def pseudo_analysis(self, values: ArrayLike, *, tolerance: float = 1e-10,
                        max_iterations: int = 100, weights: Optional[ArrayLike] = None,
                        guess: Optional[ArrayLike] = None, out: Optional[np.ndarray] = None,
                        nthreads: int = 0, progress: Progress = None
                        ) -> Tuple[np.ndarray, PseudoReport]:
        """Fit coefficients to values at the points: least squares by iteration (LSMR).

        Parameters
        ----------
        values : array_like, shape (...,) + map_shape
            Values at the points. What a masked array hides is left out.
        %(tolerance)s
        %(max_iterations)s
        weights : array_like, shape (npoints,), optional
            Weights w >= 0 of the points: the sum of w (values - Y a)^2 is minimised. What the
            values are where w is 0 does not matter.
        guess : array_like, optional
            Coefficients to begin with: of the shape of the result, or of its last axes.
        %(arguments.out_to_progress)s

        Returns
        -------
        alm : ndarray, shape (...,) + alm_shape
            Coefficients. Where many fit equally well, the ones nearest to the guess are found.
        %(report)s

        %(Raises.shape+type+cancelled)s

        Warns
        -----
        ConvergenceWarning
            If `tolerance` was not reached.
        ExactnessWarning
            If there are fewer values than real coefficients: the solution is then one of many.

        Notes
        -----
        Y is the approximation that `synthesis` computes: a fit is off by about epsilon times its
        condition number, whatever the tolerance.

        Examples
        --------
        >>> import armilla, numpy as np
        >>> loc = np.random.default_rng(3).uniform([0, 0], [np.pi, 2 * np.pi], (5000, 2))
        >>> points = armilla.Points(8, loc)
        >>> alm = armilla.alm.random(8, np.ones(9), seed=1)
        >>> fit, report = points.pseudo_analysis(points.synthesis(alm))
        >>> bool(np.allclose(fit, alm, atol=1e-6))
        True
        """
        check_host("pseudo_analysis works on arrays", values=values, weights=weights, guess=guess,
                   out=out)
        values, weights = unmasked(values, weights, "values")
        values = as_map(values, "values")
        factors = pixel_weights(weights, None, self._map_tail[-1], out)
        options = pseudo_options("lsmr", tolerance, max_iterations, factors)
        told, reports = new_reports(leading_shape(values, self._map_tail, "values"))
        alm = self._apply("pseudo_analysis", values, out, nthreads, progress, options, reports,
                          guess=guess)
        report = reported(told)
        warn_of_fit(report, "lsmr", tolerance, self._sizes_of_fit(factors), guess is not None)
        return alm, report

    def _sizes_of_fit(self, weights: Optional[np.ndarray]) -> Sizes:
        """weights: of the points, or None."""
        npoints = self._map_tail[-1] if weights is None else int(np.count_nonzero(weights))
        return Sizes.of((self.lmax, self.mmax, 1, abs(self.spin)), self._alm_tail, self._map_tail,
                        npoints)

    def _apply(self, name: str, given: Any, out: Any, nthreads: int, progress: Progress,
               *more: Any, guess: Optional[ArrayLike] = None) -> Any:
        to_points, dense = name == "synthesis", self._layout is None
        if is_device_array(given) or is_device_array(out):
            sides = (coefficients(self._alm_tail, dense), Side("values", self._maps, False, True))
            source, made = sides if to_points else sides[::-1]
            return apply(Operator(self.device, lambda real: _FUNCTIONS[name, real],
                                  (self._points,), source, made), given, out, nthreads, progress)
        values = as_alm(given) if to_points else as_map(given, "values")
        return _run(name, (self._points,), (self._alm_tail, self._map_tail), dense, values, out,
                    nthreads, progress, *more, guess=guess, place=HOST_OF[self.device])

    def __reduce__(self) -> Tuple[Any, ...]:
        if not isinstance(self.loc, np.ndarray):
            raise TypeError("a plan whose points are in device memory cannot be pickled or copied: "
                            "they may have changed since; make it from loc of the host")
        return _rebuild, (self.loc, self._layout, self._options)

    def __repr__(self) -> str:
        return (f"<armilla.Points lmax {self.lmax}, mmax {self.mmax}, spin {self.spin}, "
                f"{self.mode}, epsilon {self.epsilon:g}, {self._located.npoints} points>")


def _rebuild(loc: np.ndarray, layout: Optional[Layout], options: PointsOptions) -> Points:
    return Points(loc=loc, layout=layout, **options._asdict())


# --- A few points, without a plan -----------------------------------------------------------------


def evaluate(alm: ArrayLike, lmax: int, loc: ArrayLike, spin: int = 0, *, derivatives: int = 0,
             mmax: Optional[int] = None, mode: Mode = "standard", layout: Optional[Layout] = None,
             isa: Optional[str] = None, spin_method: SpinMethod = "auto",
             out: Optional[np.ndarray] = None, nthreads: int = 0, progress: Progress = None
             ) -> np.ndarray:
    """Evaluate a field at a few points, to rounding and without a plan.

    Parameters
    ----------
    alm : array_like, shape (..., size) or (..., 2, size)
        Coefficients, complex64 or complex128; E and B of a field with a spin, but E alone with
        another mode.
    %(lmax)s
    %(loc)s
    %(spin.signed)s
    derivatives : {0, 1, 2}, optional
        Up to which order derivatives are returned, too; 2 is for scalars only.
    %(arguments.points_plan)s
    %(arguments.out_to_progress)s

    Returns
    -------
    ndarray, shape (..., npoints) or (..., ncomp, npoints)
        The values: float32 for complex64, else float64. The components are f, or Q and U, followed
        by the derivatives D_t f, D_p f (D_t Q, D_t U, D_p Q, D_p U), and D_tt f, D_tp f, D_pp f.

    %(Raises.shape_or_number+type+cancelled)s

    See Also
    --------
    Points : A plan, which is faster for many points.
    points_are_few : Tells which of the two is faster.

    Notes
    -----
    The harmonics are summed at each point, also at the poles; points of one colatitude share the
    work. D is the covariant derivative along e_theta and e_phi.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> alm = np.zeros(armilla.alm.size(4), complex)
    >>> alm[armilla.alm.index(4, 1, 0)] = np.sqrt(4 * np.pi / 3)     # f = cos(theta)
    >>> armilla.evaluate(alm, 4, [[0.0, 0.0], [np.pi / 3, 1.0]]).round(12)
    array([1. , 0.5])
    """
    call = _Direct(lmax, loc, spin, derivatives, mmax, mode, layout, isa, spin_method)
    return call.run("evaluate", as_alm(alm), out, nthreads, progress)


def adjoint_evaluate(values: ArrayLike, lmax: int, loc: ArrayLike, spin: int = 0, *,
                     derivatives: int = 0, mmax: Optional[int] = None, mode: Mode = "standard",
                     layout: Optional[Layout] = None, isa: Optional[str] = None,
                     spin_method: SpinMethod = "auto", out: Optional[np.ndarray] = None,
                     nthreads: int = 0, progress: Progress = None) -> np.ndarray:
    """Apply the adjoint of evaluate, without weights.

    Parameters
    ----------
    values : array_like, shape (..., npoints) or (..., ncomp, npoints)
        Values at the points, with all components that `evaluate` returns.
    %(lmax)s
    %(loc)s
    %(spin.signed)s
    derivatives : {0, 1, 2}, optional
        Up to which order the values hold derivatives.
    %(arguments.points_plan)s
    %(arguments.out_to_progress)s

    Returns
    -------
    ndarray, shape (..., size) or (..., 2, size)
        Coefficients: complex64 for float32, else complex128.

    %(Raises.shape_or_number+type+cancelled)s
    """
    call = _Direct(lmax, loc, spin, derivatives, mmax, mode, layout, isa, spin_method)
    return call.run("adjoint_evaluate", as_map(values, "values"), out, nthreads, progress)


def points_are_few(lmax: int, loc: ArrayLike, spin: int = 0, *, mmax: Optional[int] = None
                   ) -> bool:
    """Estimate whether evaluate takes less time than Points and one synthesis.

    Parameters
    ----------
    %(lmax)s
    %(loc)s
    %(spin.signed)s
    %(mmax.lmax)s

    Returns
    -------
    bool
        Whether `evaluate` is the faster one.

    %(Raises.number)s

    Examples
    --------
    >>> import armilla
    >>> armilla.points_are_few(512, [[1.0, 2.0]])
    True
    """
    return _Direct(lmax, loc, spin, 0, mmax, "standard", None, None, "auto").few()


def values_shape(spin: int, derivatives: int, npoints: int) -> Tuple[int, ...]:
    """Return the shape of what evaluate gives for one transform.

    Parameters
    ----------
    spin : int
        Spin of the field.
    derivatives : {0, 1, 2}
        Up to which order derivatives are returned.
    npoints : int
        Number of points.

    Returns
    -------
    tuple of int
        (npoints,), or (ncomp, npoints).
    """
    ncomp = (2 if spin else 1) * {0: 1, 1: 3}.get(derivatives, 6)
    return ((ncomp,) if ncomp > 1 else ()) + (npoints,)


class _Direct:
    """A problem without a plan."""

    def __init__(self, lmax: int, loc: ArrayLike, spin: int, derivatives: int, mmax: Optional[int],
                 mode: Mode, layout: Optional[Layout], isa: Optional[str],
                 spin_method: SpinMethod) -> None:
        lmax, mmax = _band(lmax, mmax, layout)
        self._loc, self._layout = locations(loc), layout
        options, self._alive = _options(spin, mode, layout, isa, spin_method)
        spin = options.spin
        options.derivatives = derivatives = whole("derivatives", derivatives)
        self._problem = (lmax, mmax, len(self._loc), pointer(self._loc), options)
        self._are_few(lmax, mmax, 0, ffi.NULL, options)  # names what is wrong with the options
        nalm = 2 if spin and mode == "standard" else 1
        size = lib.armilla_alm_size(lmax, mmax) if layout is None else layout.size
        self._tails = (((nalm,) if nalm > 1 else ()) + (size,),
                       values_shape(spin, derivatives, len(self._loc)))

    @staticmethod
    def _are_few(*problem: Any) -> bool:
        few = ffi.new("int *")
        check(lib.armilla_points_few(*problem, few))
        return bool(few[0])

    def few(self) -> bool:
        """Is this faster than a plan?"""
        return self._are_few(*self._problem)

    def run(self, name: str, given: np.ndarray, out: Optional[np.ndarray], nthreads: int,
            progress: Progress) -> np.ndarray:
        return _run(name, self._problem, self._tails, self._layout is None, given, out, nthreads,
                     progress)
