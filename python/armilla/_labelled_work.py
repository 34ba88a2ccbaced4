"""What armilla.xarray computes, on plain arrays whose last one or two axes are the grid's.

With dask each function is a task, which gets one field: all it needs comes in a Work, which can be
pickled.
"""
from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import fields
from ._arrays import reals
from ._field_plans import missing_of, wind_plan
from ._pseudo import PseudoReport
from ._types import FieldMissing, Iterations
from .alm import Layout, multiply_window
from .conventions import convert
from .fields import _batches as batches
from .grid import Grid
from ._rotated import Angles
from .plot import pixels_at
from .points import Points, evaluate, points_are_few
from .rotation import Rotation
from .spectrum import compute
from .vector import VectorSHT
from .wind import energy_of_power, helmholtz_parts

_EPSILON = {True: 1e-8, False: 1e-12}  # of values at points from float32 and float64
_SPHERE = 4 * math.pi


class Work(NamedTuple):
    """How fields are analysed."""

    grid: Grid
    naxes: int  # of the grid
    lmax: int  # of the results
    content: int  # of the analysis: no less, so that nothing falls on degrees up to lmax
    missing: FieldMissing
    iterations: Iterations
    nthreads: int
    rotation: Optional[Angles] = None  # of results, from the grid's own coordinates
    keep_gaps: bool = False  # what was missing is missing in results

    @property
    def axis(self) -> Any:
        """Of the grid, for armilla.fields."""
        return -1 if self.naxes == 1 else (-2, -1)

    def how(self) -> Dict[str, Any]:
        """Arguments of all analyses."""
        return {"missing": self.missing, "iterations": self.iterations, "nthreads": self.nthreads}

    def _cut(self, alm: np.ndarray) -> np.ndarray:
        """Coefficients up to lmax of those that the analysis has made."""
        return _turned(_up_to(alm, self.content, self.lmax), self)

    def _wind_plan(self, lmax: int, radius: float) -> VectorSHT:
        """For (u, v) on a sphere of this radius."""
        return wind_plan(self.grid, lmax, radius, self.naxes == 2)

    def _analysed(self, given: Sequence[Any], radius: float, report: bool = False) -> Any:
        """What armilla.fields makes of a scalar or of a wind, up to the degree of the content."""
        how: Dict[str, Any] = {**self.how(), "axis": self.axis, "report": report}
        if len(given) == 1:
            return fields.analysis(given[0], self.grid, self.content, **how)
        return fields.analysis(tuple(given), self._wind_plan(self.content, radius), **how)

    def analysis(self, *given: Any, radius: float = 1.0) -> np.ndarray:
        """Coefficients of scalars, or of vorticity and divergence of u and v."""
        return self._cut(self._analysed(given, radius))

    def report(self, *given: Any) -> PseudoReport:
        """How the analysis of each field or wind has ended."""
        return self._analysed(given, 1.0, report=True)[1]

    def synthesis(self, alm: np.ndarray) -> np.ndarray:
        """Fields on the grid of coefficients."""
        return fields.synthesis(alm, self.grid, self.lmax, self.axis, nthreads=self.nthreads)

    def pixels(self, theta: np.ndarray, phi: np.ndarray) -> Optional[np.ndarray]:
        """The pixels that geographic places belong to; None where nobody asks for gaps."""
        if not self.keep_gaps:
            return None
        places = np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi),
                           np.cos(theta)])
        if self.rotation is not None:
            places = Rotation(*self.rotation).matrix.T @ places
        return pixels_at(self.grid, places)

    def pixels_of(self, target: Grid, naxes: int) -> Optional[np.ndarray]:
        """The pixels that those of another grid, with so many axes, belong to; None where nobody
        asks for gaps, or it is the same grid."""
        if not self.keep_gaps or (self.rotation is None
                                  and (self.grid, self.naxes) == (target, naxes)):
            return None
        return self.pixels(*(one.ravel() for one in target.pixels(two_dimensional=naxes == 2)))

    def with_gaps(self, made: np.ndarray, given: Sequence[Any],
                  pixels: Optional[np.ndarray] = None) -> np.ndarray:
        """Results with NaN where a field that they are made of has a gap. pixels: of each result,
        where these are on another grid."""
        if not self.keep_gaps:
            return made
        bad = missing_of(given[0])
        for one in given[1:]:
            bad = bad | missing_of(one)
        if pixels is not None:
            bad = (self.grid.from_2d(bad) if self.naxes == 2 else bad)[..., pixels]
            bad = bad.reshape(made.shape)
        return np.where(bad, made.dtype.type(np.nan), made)

    def wind_synthesis(self, alm: np.ndarray) -> Tuple[np.ndarray, ...]:
        """u and v of vorticity and divergence on a sphere of radius 1."""
        return fields.synthesis(alm, self._wind_plan(self.lmax, 1.0), axis=self.axis,
                                nthreads=self.nthreads)

    def spectrum(self, values: Any, other: Any = None) -> np.ndarray:
        """The mean product, degree by degree."""
        cl = fields.spectrum(values, self.grid, self.content, self.axis, other=other, **self.how())
        return mean_square(cl[..., :self.lmax + 1])

    def wind_spectrum(self, u: Any, v: Any) -> np.ndarray:
        """Power of vorticity and of divergence on a sphere of radius 1."""
        both = tuple(np.broadcast_arrays(u, v, subok=True))
        cl = fields.spectrum(both, self._wind_plan(self.content, 1.0), axis=self.axis, **self.how())
        return cl[..., :self.lmax + 1]


class Coefficients(NamedTuple):
    """How coefficients c_lm in pairs of numbers, in the convention "ifs", are taken as they are:
    what a Work is for fields on a grid."""

    held: int  # degree up to which there are some
    lmax: int
    missing: FieldMissing
    nthreads: int
    rotation: Optional[Angles] = None
    naxes: int = 1

    def pixels(self, theta: np.ndarray, phi: np.ndarray) -> None:
        """Coefficients have no pixels."""

    def pixels_of(self, target: Grid, naxes: int) -> None:
        """Coefficients have no pixels."""

    def with_gaps(self, made: np.ndarray, *_: Any) -> np.ndarray:
        """Coefficients have no gaps."""
        return made

    def analysis(self, values: np.ndarray) -> np.ndarray:
        """Coefficients of the library; of a field with missing ones all are NaN."""
        rows = reals(values, "values")
        bad = ~np.isfinite(rows).all(axis=-1)
        if bad.any() and self.missing != "propagate":
            raise ValueError(f"values: {int(bad.sum())} of {bad.size} fields have coefficients "
                             "that are missing; missing = 'propagate' gives them spectra of NaN")
        rows = np.ascontiguousarray(np.where(bad[..., np.newaxis], 0, rows))
        alm = convert(rows.view(np.complex128), "ifs", "healpy")
        alm = _turned(_up_to(alm, self.held, self.lmax), self)
        alm[bad] = np.nan
        return alm


def _up_to(alm: np.ndarray, held: int, lmax: int) -> np.ndarray:
    return alm if held == lmax else Layout(held).convert(alm, Layout(lmax))


def _turned(alm: np.ndarray, work: Union[Work, Coefficients]) -> np.ndarray:
    """Coefficients in geographic coordinates, where a work is given what turns them there."""
    if work.rotation is None:
        return alm
    return Rotation(*work.rotation).rotate_alm(alm, lmax=work.lmax, nthreads=work.nthreads)


def mean_square(cl: np.ndarray) -> np.ndarray:
    """C_l as the part of the mean square, or of the mean product, that degree l has."""
    return cl * ((2 * np.arange(cl.shape[-1]) + 1) / _SPHERE)


Source = Union[Work, Coefficients]


# --- Scalars --------------------------------------------------------------------------------------


def spectra(values: np.ndarray, *, work: Work) -> np.ndarray:
    """Power per degree."""
    return work.spectrum(values)


def cross_spectra(first: np.ndarray, second: np.ndarray, *, work: Work) -> np.ndarray:
    """Of two fields per degree: products of the first with itself, of the second, of both."""
    first, second = np.broadcast_arrays(first, second)
    return np.stack([work.spectrum(first), work.spectrum(second), work.spectrum(first, second)], -1)


def steps(*arrays: np.ndarray, work: Work) -> Tuple[np.ndarray, ...]:
    """Of a scalar or a wind, for each field: number of steps, last change, why they ended."""
    arrays = tuple(np.broadcast_arrays(*arrays, subok=True))
    lead = arrays[0].shape[:arrays[0].ndim - work.naxes]
    made = np.zeros(lead, np.int64), np.zeros(lead), np.full(lead, "zero", "U10")
    field_bytes = len(arrays) * math.prod(arrays[0].shape[len(lead):]) * 8
    for index in batches(lead, field_bytes) if 0 not in lead else ():
        told = work.report(*(one[index] for one in arrays))
        for target, one in zip(made, (told.iterations, told.gradient, told.stop)):
            target[index] = one
    return made


def real_kind(arrays: Sequence[Any]) -> Any:
    """The type of results: single precision if all arrays have it."""
    return np.float32 if all(one.dtype == np.float32 for one in arrays) else np.float64


def _by_batches(arrays: Tuple[np.ndarray, ...], work: Source, tail: Tuple[int, ...], count: int,
                make: Callable[[List[np.ndarray]], List[np.ndarray]]) -> List[np.ndarray]:
    """`count` arrays (..., *tail) that make() makes of a few fields at a time."""
    arrays = tuple(np.broadcast_arrays(*arrays, subok=True))
    lead = arrays[0].shape[:arrays[0].ndim - work.naxes]
    made = [np.empty(lead + tail, real_kind(arrays)) for _ in range(count)]
    field_bytes = len(arrays) * math.prod(arrays[0].shape[len(lead):]) * 8
    for index in batches(lead, field_bytes) if 0 not in lead else ():
        for target, one in zip(made, make([array[index] for array in arrays])):
            target[index] = one
    return made


def filtered(values: np.ndarray, *, work: Source, window: Optional[np.ndarray], target: Grid,
             naxes: int) -> np.ndarray:
    """Fields times a window of the degrees, on the grid `target` with so many axes."""
    pixels = work.pixels_of(target, naxes)

    def make(given: List[np.ndarray]) -> List[np.ndarray]:
        alm = work.analysis(given[0])
        if window is not None:
            alm = multiply_window(alm, window, lmax=work.lmax)
        made = fields.synthesis(alm, target, work.lmax, (-2, -1) if naxes == 2 else -1,
                                nthreads=work.nthreads)
        return [work.with_gaps(made, given, pixels)]

    return _by_batches((values,), work, _tail(target, naxes), 1, make)[0]


def _tail(grid: Grid, naxes: int) -> Tuple[int, ...]:
    shape = grid.shape_2d if naxes == 2 else (grid.npix,)
    assert shape is not None
    return shape


def sampled(values: np.ndarray, theta: np.ndarray, phi: np.ndarray, *, work: Source, naxes: int
            ) -> np.ndarray:
    """Values at points, whose last `naxes` axes the result has. The axes before, which go with the
    last ones of the fields, have points of their own for each field."""
    split = theta.ndim - naxes
    own, tail = theta.shape[:split], theta.shape[split:]
    loc = np.stack([theta, phi], axis=-1).reshape(*own, math.prod(tail), 2)
    lead = values.shape[:values.ndim - work.naxes]
    made = np.empty(lead + loc.shape[-2:-1], real_kind([values]))
    for place in np.ndindex(*own):
        index = (..., *(i if size > 1 else slice(None) for i, size in zip(place, own)))
        made[(*index, slice(None))] = _sampled_at(
            loc[place], values[(*index, *[slice(None)] * work.naxes)], work)
    return made.reshape(lead + tail)


def _sampled_at(loc: np.ndarray, values: np.ndarray, work: Source) -> np.ndarray:
    """Values of all fields at the same points, loc (npoints, 2)."""
    plan: Optional[Points] = None
    pixels = work.pixels(loc[:, 0], loc[:, 1])
    if loc.size and not points_are_few(work.lmax, loc):
        plan = Points(work.lmax, loc, epsilon=_EPSILON[values.dtype == np.float32])

    def make(given: List[np.ndarray]) -> List[np.ndarray]:
        alm = work.analysis(given[0])
        made = (evaluate(alm, work.lmax, loc, nthreads=work.nthreads) if plan is None
                else plan.synthesis(alm, nthreads=work.nthreads))
        return [work.with_gaps(made, given, pixels)]

    return _by_batches((values,), work, (len(loc),), 1, make)[0]


def power_of_coefficients(values: np.ndarray, *, work: Coefficients) -> np.ndarray:
    """Power per degree."""
    alm = work.analysis(values)
    made = np.empty(alm.shape[:-1] + (work.lmax + 1,))
    for index in np.ndindex(*alm.shape[:-1]):
        one = alm[index]
        made[index] = compute(one) if np.isfinite(one[0]) else np.nan
    return mean_square(made)


def filtered_coefficients(values: np.ndarray, *, work: Coefficients, window: Optional[np.ndarray]
                          ) -> np.ndarray:
    """Coefficients up to the degree of the work times a window, in pairs as they came."""
    alm = work.analysis(values)
    if window is not None:
        alm = multiply_window(alm, window, lmax=work.lmax)
    pairs = np.ascontiguousarray(convert(alm, "healpy", "ifs")).view(np.float64)
    return pairs.astype(real_kind([values]), copy=False)


# --- Winds ----------------------------------------------------------------------------------------


def kinetic(u: np.ndarray, v: np.ndarray, *, work: Work) -> Tuple[np.ndarray, np.ndarray]:
    """Kinetic energy per mass and degree: of the rotational and of the divergent wind."""
    both = work.wind_spectrum(u, v) * energy_of_power(work.lmax, 1.0)
    return both[..., 0, :], both[..., 1, :]


def derived(u: np.ndarray, v: np.ndarray, *, work: Work, radius: float, which: int) -> np.ndarray:
    """Vorticity (which = 0) or divergence (1)."""
    def make(given: List[np.ndarray]) -> List[np.ndarray]:
        made = work.synthesis(work.analysis(*given, radius=radius)[..., which, :])
        return [work.with_gaps(made, given)]

    return _by_batches((u, v), work, _tail(work.grid, work.naxes), 1, make)[0]


def helmholtz(u: np.ndarray, v: np.ndarray, *, work: Work) -> Tuple[np.ndarray, ...]:
    """Rotational u and v, divergent u and v."""
    def make(given: List[np.ndarray]) -> List[np.ndarray]:
        both = helmholtz_parts(work.analysis(*given))
        return [work.with_gaps(one, given) for kept in (0, 1)
                for one in work.wind_synthesis(both[..., kept, :, :])]

    return tuple(_by_batches((u, v), work, _tail(work.grid, work.naxes), 4, make))
