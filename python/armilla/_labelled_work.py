"""What armilla.xarray computes, on plain arrays whose last one or two axes are the grid's.

With dask each function is a task, which gets one field: all it needs comes in a Work, which can be
pickled.
"""
from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import fields
from ._arrays import reals
from ._field_plans import wind_plan
from ._pseudo import PseudoReport
from ._types import FieldMissing, Iterations
from .alm import Layout, multiply_window
from .conventions import convert
from .fields import _batches as batches
from .grid import Grid
from .points import Points, evaluate, points_are_few
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

    @property
    def axis(self) -> Any:
        """Of the grid, for armilla.fields."""
        return -1 if self.naxes == 1 else (-2, -1)

    def how(self) -> Dict[str, Any]:
        """Arguments of all analyses."""
        return {"missing": self.missing, "iterations": self.iterations, "nthreads": self.nthreads}

    def _cut(self, alm: np.ndarray) -> np.ndarray:
        """Coefficients up to lmax of those that the analysis has made."""
        if self.content == self.lmax:
            return alm
        return Layout(self.content).convert(alm, Layout(self.lmax))

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


def mean_square(cl: np.ndarray) -> np.ndarray:
    """C_l as the part of the mean square, or of the mean product, that degree l has."""
    return cl * ((2 * np.arange(cl.shape[-1]) + 1) / _SPHERE)


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


def _by_batches(arrays: Tuple[np.ndarray, ...], work: Work, tail: Tuple[int, ...], count: int,
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


def filtered(values: np.ndarray, *, work: Work, window: Optional[np.ndarray], target: Grid,
             naxes: int) -> np.ndarray:
    """Fields times a window of the degrees, on the grid `target` with so many axes."""
    def make(given: List[np.ndarray]) -> List[np.ndarray]:
        alm = work.analysis(given[0])
        if window is not None:
            alm = multiply_window(alm, window, lmax=work.lmax)
        return [fields.synthesis(alm, target, work.lmax, (-2, -1) if naxes == 2 else -1,
                                 nthreads=work.nthreads)]

    return _by_batches((values,), work, _tail(target, naxes), 1, make)[0]


def _tail(grid: Grid, naxes: int) -> Tuple[int, ...]:
    shape = grid.shape_2d if naxes == 2 else (grid.npix,)
    assert shape is not None
    return shape


def sampled(values: np.ndarray, theta: np.ndarray, phi: np.ndarray, *, work: Work, naxes: int
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


def _sampled_at(loc: np.ndarray, values: np.ndarray, work: Work) -> np.ndarray:
    """Values of all fields at the same points, loc (npoints, 2)."""
    plan: Optional[Points] = None
    if loc.size and not points_are_few(work.lmax, loc):
        plan = Points(work.lmax, loc, epsilon=_EPSILON[values.dtype == np.float32])

    def make(given: List[np.ndarray]) -> List[np.ndarray]:
        alm = work.analysis(given[0])
        if plan is None:
            return [evaluate(alm, work.lmax, loc, nthreads=work.nthreads)]
        return [plan.synthesis(alm, nthreads=work.nthreads)]

    return _by_batches((values,), work, (len(loc),), 1, make)[0]


def power_of_coefficients(values: np.ndarray, *, lmax: int, missing: FieldMissing) -> np.ndarray:
    """Power per degree of c_lm in pairs of numbers, in the convention "ifs"."""
    rows = reals(values, "values").reshape(-1, values.shape[-1])
    bad = ~np.isfinite(rows).all(axis=-1)
    if bad.any() and missing != "propagate":
        raise ValueError(f"values: {int(bad.sum())} of {bad.size} fields have coefficients that "
                         "are missing; missing = 'propagate' gives them spectra of NaN")
    rows = np.where(bad[:, np.newaxis], 0, rows)
    alm = convert(rows.view(np.complex128), "ifs", "healpy")
    made = np.empty((len(rows), lmax + 1))
    for target, row in zip(made, alm):
        target[:] = compute(row)[:lmax + 1]
    made[bad] = np.nan
    return mean_square(made).reshape(values.shape[:-1] + (lmax + 1,))


# --- Winds ----------------------------------------------------------------------------------------


def kinetic(u: np.ndarray, v: np.ndarray, *, work: Work) -> Tuple[np.ndarray, np.ndarray]:
    """Kinetic energy per mass and degree: of the rotational and of the divergent wind."""
    both = work.wind_spectrum(u, v) * energy_of_power(work.lmax, 1.0)
    return both[..., 0, :], both[..., 1, :]


def derived(u: np.ndarray, v: np.ndarray, *, work: Work, radius: float, which: int) -> np.ndarray:
    """Vorticity (which = 0) or divergence (1)."""
    def make(given: List[np.ndarray]) -> List[np.ndarray]:
        return [work.synthesis(work.analysis(*given, radius=radius)[..., which, :])]

    return _by_batches((u, v), work, _tail(work.grid, work.naxes), 1, make)[0]


def helmholtz(u: np.ndarray, v: np.ndarray, *, work: Work) -> Tuple[np.ndarray, ...]:
    """Rotational u and v, divergent u and v."""
    def make(given: List[np.ndarray]) -> List[np.ndarray]:
        both = helmholtz_parts(work.analysis(*given))
        return [one for kept in (0, 1) for one in work.wind_synthesis(both[..., kept, :, :])]

    return tuple(_by_batches((u, v), work, _tail(work.grid, work.naxes), 4, make))
