"""Spherical harmonic transforms to and from arbitrary points."""
from __future__ import annotations

import math
from typing import Any, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import (COMPLEX_OF, REAL_OF, Output, apart, as_alm, as_map, input_buffer,
                      leading_shape, pointer)
from ._errors import check, choice, real, whole
from ._lsmr import LeastSquares, joined
from ._native import ffi, lib
from ._progress import Progress, execute
from .alm import Layout
from .transform import _MODES as MODES
from .transform import _SPIN_METHODS as SPIN_METHODS
from .transform import Functions, PseudoReport

_FUNCTIONS: Functions = {(name, kind): getattr(lib, f"armilla_points_{name}{suffix}")
                         for name in ("synthesis", "adjoint_synthesis")
                         for kind, suffix in ((np.dtype(np.float64), ""),
                                              (np.dtype(np.float32), "_float"))}


class PointsDescription(NamedTuple):
    """What will run: instruction set, sizes, memory in bytes.

    nrings, nphi: the grid that values are interpolated from, with `taps` samples along each axis;
    plan_bytes: with the copy of loc; workspace_bytes: what a call with so many threads needs.
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


def _locations(loc: ArrayLike) -> np.ndarray:
    """A copy, float64 (npoints, 2), that nobody writes to."""
    array = np.array(as_map(loc, "loc"), np.float64, order="C")
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"loc: has shape {array.shape}, must have (npoints, 2): colatitude and "
                         "longitude")
    array.flags.writeable = False
    return array


class Points:
    """A plan: transforms between coefficients and values at points. Immutable; any number of
    threads may use it at once.

    loc: (npoints, 2), the colatitude 0 .. pi and the longitude of each point, radians. Values have
    an error of at most epsilon, relative to the root mean square of all; the adjoint is that of
    the approximation, to rounding.

    Shapes, modes, types and the arguments that all methods take are those of SHT, with values
    (..., npoints) in place of maps; components at a point are along e_theta and e_phi there, at a
    pole those of the meridian phi.
    """

    __slots__ = ("_points", "_loc", "_layout", "_options", "_alm_tail", "_map_tail")

    def __init__(self, lmax: int, loc: ArrayLike, spin: int = 0, epsilon: float = 1e-7,
                 mmax: Optional[int] = None, mode: str = "standard",
                 layout: Optional[Layout] = None, isa: Optional[str] = None, *,
                 spin_method: str = "auto") -> None:
        """0 <= mmax <= lmax (mmax None: lmax, or that of the layout); |spin| <= lmax; epsilon:
        1e-13 to 0.1; isa: instruction set, None for the best."""
        if mmax is None:
            mmax = lmax if layout is None else layout.mmax
        lmax, mmax, spin = whole("lmax", lmax), whole("mmax", mmax), whole("spin", spin)
        loc, epsilon = _locations(loc), real("epsilon", epsilon)
        options = ffi.new("armilla_points_options *")
        lib.armilla_points_options_init(options)
        options.spin, options.epsilon = spin, epsilon
        options.mode = choice("mode", mode, MODES)
        options.spin_method = choice("spin_method", spin_method, SPIN_METHODS)
        name = ffi.NULL if isa is None else ffi.new("char[]", isa.encode())
        options.isa = name
        if layout is not None:
            options.layout = layout._layout
        points = ffi.new("armilla_points **")
        check(lib.armilla_points_new(lmax, mmax, len(loc), pointer(loc), options, points))
        self._take(points[0], loc, layout, (lmax, spin, epsilon, mmax, mode, isa, spin_method))

    def _take(self, points: Any, loc: np.ndarray, layout: Optional[Layout], options: tuple) -> None:
        self._points = ffi.gc(points, lib.armilla_points_free)
        self._loc, self._layout, self._options = loc, layout, options
        told = self.describe(1)
        self._alm_tail = ((told.alm_ncomp,) if told.alm_ncomp > 1 else ()) + (told.alm_size,)
        self._map_tail = ((told.ncomp,) if told.ncomp > 1 else ()) + (told.npoints,)

    def with_points(self, loc: ArrayLike) -> Points:
        """A plan for other points, which shares with this one what does not depend on them."""
        loc = _locations(loc)
        points = ffi.new("armilla_points **")
        check(lib.armilla_points_new_beside(self._points, len(loc), pointer(loc), points))
        other = Points.__new__(Points)
        other._take(points[0], loc, self._layout, self._options)
        return other

    # --- What it is ---------------------------------------------------------------------------

    @property
    def loc(self) -> np.ndarray:
        """The points, (npoints, 2); read-only."""
        return self._loc

    @property
    def lmax(self) -> int:
        """Largest degree."""
        return self._options[0]

    @property
    def mmax(self) -> int:
        """Largest order."""
        return self._options[3]

    @property
    def spin(self) -> int:
        """Spin of the field."""
        return self._options[1]

    @property
    def mode(self) -> str:
        """"standard", "gradient_only" or "derivatives"."""
        return self._options[4]

    @property
    def epsilon(self) -> float:
        """Largest relative error."""
        return self._options[2]

    @property
    def layout(self) -> Optional[Layout]:
        """Where coefficients are stored; None: healpy's order."""
        return self._layout

    @property
    def alm_shape(self) -> Tuple[int, ...]:
        """Shape of the coefficients of one transform."""
        return self._alm_tail

    @property
    def map_shape(self) -> Tuple[int, ...]:
        """Shape of the values of one transform."""
        return self._map_tail

    def describe(self, nthreads: int = 0) -> PointsDescription:
        """What a call with so many threads will run and need."""
        told = ffi.new("armilla_points_description *")
        told.size = ffi.sizeof("armilla_points_description")
        check(lib.armilla_points_describe(self._points, nthreads, told))
        told.plan_bytes += self._loc.nbytes
        values = (getattr(told, name) for name in PointsDescription._fields)
        return PointsDescription(*(ffi.string(value).decode() if isinstance(value, ffi.CData)
                                   else value for value in values))

    # --- The operators ------------------------------------------------------------------------

    def synthesis(self, alm: ArrayLike, *, out: Optional[np.ndarray] = None, nthreads: int = 0,
                  progress: Progress = None) -> np.ndarray:
        """Coefficients (..., *alm_shape) -> values (..., *map_shape): Y."""
        return self._apply("synthesis", as_alm(alm), out, nthreads, progress)

    def adjoint_synthesis(self, values: ArrayLike, *, out: Optional[np.ndarray] = None,
                          nthreads: int = 0, progress: Progress = None) -> np.ndarray:
        """Values (..., *map_shape) -> coefficients (..., *alm_shape), no weights: Y^T."""
        return self._apply("adjoint_synthesis", as_map(values, "values"), out, nthreads, progress)

    def pseudo_analysis(self, values: ArrayLike, *, tolerance: float = 1e-10,
                        max_iterations: int = 100, weights: Optional[ArrayLike] = None,
                        guess: Optional[ArrayLike] = None, out: Optional[np.ndarray] = None,
                        nthreads: int = 0) -> Tuple[np.ndarray, PseudoReport]:
        """Values -> the coefficients that fit them best: least squares by iteration (LSMR).

        weights: (npoints,), w >= 0: minimises the sum of w (values - Y a)^2; what the values are
        where w is 0 does not matter. guess: coefficients to begin with, of the result's shape or
        of its last axes. Where many fit as well, the one nearest to the guess is found. Y is that
        of synthesis: a fit is off by about epsilon times its condition, whatever the tolerance.
        Result: coefficients (..., *alm_shape) and a PseudoReport, as those of SHT.
        """
        values = as_map(values, "values")
        lead = leading_shape(values, self._map_tail, "values")
        problem = LeastSquares(self, weights, tolerance, max_iterations, nthreads)
        target = Output(out, lead + self._alm_tail, COMPLEX_OF[values.dtype], False)
        start = np.zeros(1) if guess is None else as_alm(guess, "guess")
        try:
            start = np.broadcast_to(start, target.result.shape)
        except ValueError:
            raise ValueError(f"guess: has shape {start.shape}, must have {target.result.shape}, or "
                             "the shape of its last axes") from None
        used = self._used()
        fits = [problem.solve(values[place], start[place] * used) for place in np.ndindex(*lead)]
        for place, fit in zip(np.ndindex(*lead), fits):
            np.copyto(target.result[place], fit[0], casting="same_kind", where=used)
        return target.result, joined([fit[1] for fit in fits], lead)

    def _used(self) -> np.ndarray:
        """Which elements of an array of coefficients belong to the layout: all, or some."""
        if self._layout is None:
            return np.ones(1, bool)
        plain = Layout(self.lmax, self.mmax)
        return plain.convert(np.ones(plain.size), self._layout) != 0

    def _apply(self, name: str, given: np.ndarray, out: Optional[np.ndarray], nthreads: int,
               progress: Progress) -> np.ndarray:
        to_points = name == "synthesis"
        tails = self._alm_tail, self._map_tail
        if out is not None:
            given = apart(given, out)
        lead = leading_shape(given, tails[not to_points], "alm" if to_points else "values")
        kind = REAL_OF[given.dtype] if to_points else COMPLEX_OF[given.dtype]
        target = Output(out, lead + tails[to_points], kind, to_points or self._layout is None)
        source, distance = input_buffer(given)
        ntrans = math.prod(lead)
        if ntrans:
            # alm comes first in synthesis, and in distances always
            alm, map_ = ((distance, target.distance) if to_points
                         else (target.distance, distance))
            execute(_FUNCTIONS[name, kind if to_points else given.dtype],
                    (self._points, pointer(source), pointer(target.array)), ntrans, nthreads,
                    progress, alm, map_)
        return target.finish()

    def __reduce__(self) -> Tuple[Any, ...]:
        return _rebuild, (self._loc, self._layout, self._options)

    def __repr__(self) -> str:
        return (f"<armilla.Points lmax {self.lmax}, mmax {self.mmax}, spin {self.spin}, "
                f"{self.mode}, epsilon {self.epsilon:g}, {len(self._loc)} points>")


def _rebuild(loc: np.ndarray, layout: Optional[Layout], options: tuple) -> Points:
    lmax, spin, epsilon, mmax, mode, isa, spin_method = options
    return Points(lmax, loc, spin, epsilon, mmax, mode, layout, isa, spin_method=spin_method)
