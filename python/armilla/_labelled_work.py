"""What armilla.xarray computes, on plain arrays whose last one or two axes are the grid's.

With dask each function is a task, which gets one field: all it needs comes in a Work, which can be
pickled.
"""
from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from . import fields
from ._field_plans import wind_plan
from ._types import FieldMissing, Iterations
from .alm import multiply_window
from .fields import _batches as batches
from .grid import Grid
from .points import Points, evaluate, points_are_few
from .vector import VectorSHT
from .wind import energy_of_power, helmholtz_parts

_EPSILON = {True: 1e-8, False: 1e-12}  # of values at points from float32 and float64
_SPHERE = 4 * math.pi


class Work(NamedTuple):
    """How fields are analysed."""

    grid: Grid
    naxes: int  # of the grid
    lmax: int
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

    def wind_plan(self, radius: float) -> VectorSHT:
        """For (u, v) on a sphere of this radius."""
        return wind_plan(self.grid, self.lmax, radius, self.naxes == 2)

    def analysis(self, values: Any) -> np.ndarray:
        """Coefficients of fields."""
        return fields.analysis(values, self.grid, self.lmax, self.axis, **self.how())

    def spectrum(self, values: Any, other: Any = None) -> np.ndarray:
        """Sum over m of a_lm conj(b_lm), divided by 4 pi: the mean product, degree by degree."""
        cl = fields.spectrum(values, self.grid, self.lmax, self.axis, other=other, **self.how())
        return cl * ((2 * np.arange(self.lmax + 1) + 1) / _SPHERE)


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
    plan = work.wind_plan(1.0) if len(arrays) > 1 else None
    field_bytes = len(arrays) * math.prod(arrays[0].shape[len(lead):]) * 8
    for index in batches(lead, field_bytes) if 0 not in lead else ():
        some: Any = [one[index] for one in arrays]
        told = (fields.analysis(some, plan, axis=work.axis, report=True, **work.how()) if plan
                else fields.analysis(some[0], work.grid, work.lmax, work.axis, report=True,
                                     **work.how()))[1]
        for target, one in zip(made, (told.iterations, told.gradient, told.stop)):
            target[index] = one
    return made


def _by_batches(arrays: Tuple[np.ndarray, ...], work: Work, tail: Tuple[int, ...], count: int,
                make: Callable[[List[np.ndarray]], List[np.ndarray]]) -> List[np.ndarray]:
    """`count` arrays (..., *tail) that make() makes of a few fields at a time."""
    arrays = tuple(np.broadcast_arrays(*arrays, subok=True))
    lead = arrays[0].shape[:arrays[0].ndim - work.naxes]
    kind = np.float32 if all(one.dtype == np.float32 for one in arrays) else np.float64
    made = [np.empty(lead + tail, kind) for _ in range(count)]
    field_bytes = len(arrays) * math.prod(arrays[0].shape[len(lead):]) * 8
    for index in batches(lead, field_bytes) if 0 not in lead else ():
        for target, one in zip(made, make([array[index] for array in arrays])):
            target[index] = one
    return made


def filtered(values: np.ndarray, *, work: Work, window: np.ndarray, target: Grid, naxes: int
             ) -> np.ndarray:
    """Fields times a window of the degrees, on the grid `target` with so many axes."""
    cut = min(len(window) - 1, work.lmax)

    def make(given: List[np.ndarray]) -> List[np.ndarray]:
        alm = multiply_window(work.analysis(given[0]), window[:cut + 1], lmax=work.lmax)
        return [fields.synthesis(alm, target, work.lmax, (-2, -1) if naxes == 2 else -1,
                                 nthreads=work.nthreads)]

    return _by_batches((values,), work, _tail(target, naxes), 1, make)[0]


def _tail(grid: Grid, naxes: int) -> Tuple[int, ...]:
    shape = grid.shape_2d if naxes == 2 else (grid.npix,)
    assert shape is not None
    return shape


def sampled(values: np.ndarray, *, work: Work, loc: np.ndarray) -> np.ndarray:
    """Values at points, loc (npoints, 2)."""
    plan: Optional[Points] = None
    if loc.size and not points_are_few(work.lmax, loc):
        plan = Points(work.lmax, loc, epsilon=_EPSILON[values.dtype == np.float32])

    def make(given: List[np.ndarray]) -> List[np.ndarray]:
        alm = work.analysis(given[0])
        if plan is None:
            return [evaluate(alm, work.lmax, loc, nthreads=work.nthreads)]
        return [plan.synthesis(alm, nthreads=work.nthreads)]

    return _by_batches((values,), work, (len(loc),), 1, make)[0]


# --- Winds ----------------------------------------------------------------------------------------


def kinetic(u: np.ndarray, v: np.ndarray, *, work: Work) -> Tuple[np.ndarray, np.ndarray]:
    """Kinetic energy per mass and degree: of the rotational and of the divergent wind."""
    both = fields.spectrum(tuple(np.broadcast_arrays(u, v, subok=True)), work.wind_plan(1.0),
                           axis=work.axis, **work.how())
    both *= energy_of_power(work.lmax, 1.0)
    return both[..., 0, :], both[..., 1, :]


def derived(u: np.ndarray, v: np.ndarray, *, work: Work, radius: float, which: int) -> np.ndarray:
    """Vorticity (which = 0) or divergence (1)."""
    plan = work.wind_plan(radius)

    def make(given: List[np.ndarray]) -> List[np.ndarray]:
        alm = fields.analysis((given[0], given[1]), plan, axis=work.axis, **work.how())
        return [fields.synthesis(alm[..., which, :], work.grid, work.lmax, work.axis,
                                 nthreads=work.nthreads)]

    return _by_batches((u, v), work, _tail(work.grid, work.naxes), 1, make)[0]


def helmholtz(u: np.ndarray, v: np.ndarray, *, work: Work) -> Tuple[np.ndarray, ...]:
    """Rotational u and v, divergent u and v."""
    plan = work.wind_plan(1.0)

    def make(given: List[np.ndarray]) -> List[np.ndarray]:
        alm = fields.analysis((given[0], given[1]), plan, axis=work.axis, **work.how())
        both = helmholtz_parts(alm)
        return [one for kept in (0, 1) for one in fields.synthesis(
            both[..., kept, :, :], plan, axis=work.axis, nthreads=work.nthreads)]

    return tuple(_by_batches((u, v), work, _tail(work.grid, work.naxes), 4, make))
