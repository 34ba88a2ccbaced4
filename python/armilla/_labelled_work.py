"""What armilla.xarray computes, on plain arrays whose last one or two axes are the grid's.

With dask each function is a task, which gets one field: all it needs comes in a Work, which can be
pickled. Winds are given as (eastward, northward), which is, in the place of the components along
e_theta and e_phi, the field of spin 1 turned by a right angle: what is E of it belongs to the
vorticity, and B to the divergence, with the signs of rotational() and divergent().
"""
from __future__ import annotations

import math
from typing import Any, Callable, List, NamedTuple, Optional, Tuple

import numpy as np

from . import fields
from ._types import FieldMissing, Iterations
from .alm import multiply_window
from .fields import _batches as batches
from .grid import Grid
from .points import Points, evaluate, points_are_few

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

    def analysis(self, values: Any, spin: int = 0) -> np.ndarray:
        """Coefficients of fields."""
        return fields.analysis(values, self.grid, self.lmax, self.axis, spin=spin,
                               missing=self.missing, iterations=self.iterations,
                               nthreads=self.nthreads)

    def spectrum(self, values: Any, other: Any = None, spin: int = 0) -> np.ndarray:
        """Sum over m of a_lm conj(b_lm), divided by 4 pi: the mean product, degree by degree."""
        cl = fields.spectrum(values, self.grid, self.lmax, self.axis, other=other, spin=spin,
                             missing=self.missing, iterations=self.iterations,
                             nthreads=self.nthreads)
        return cl * ((2 * np.arange(self.lmax + 1) + 1) / _SPHERE)


# --- Scalars --------------------------------------------------------------------------------------


def spectra(values: np.ndarray, *, work: Work) -> np.ndarray:
    """Power per degree."""
    return work.spectrum(values)


def cross_spectra(first: np.ndarray, second: np.ndarray, *, work: Work) -> np.ndarray:
    """Of two fields per degree: products of the first with itself, of the second, of both."""
    first, second = np.broadcast_arrays(first, second)
    return np.stack([work.spectrum(first), work.spectrum(second), work.spectrum(first, second)], -1)


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
    both = work.spectrum(tuple(np.broadcast_arrays(u, v, subok=True)), spin=1) / 2
    return both[..., 0, :], both[..., 1, :]


def derived(u: np.ndarray, v: np.ndarray, *, work: Work, radius: float, which: int) -> np.ndarray:
    """Vorticity (which = 0) or divergence (1)."""
    l = np.arange(work.lmax + 1.0)
    window = np.sqrt(l * (l + 1)) / radius * (1 if which else -1)

    def make(given: List[np.ndarray]) -> List[np.ndarray]:
        alm = work.analysis((given[0], given[1]), spin=1)[..., which, :]
        alm = multiply_window(alm, window, lmax=work.lmax)
        return [fields.synthesis(alm, work.grid, work.lmax, work.axis, nthreads=work.nthreads)]

    return _by_batches((u, v), work, _tail(work.grid, work.naxes), 1, make)[0]


def helmholtz(u: np.ndarray, v: np.ndarray, *, work: Work) -> Tuple[np.ndarray, ...]:
    """Rotational u and v, divergent u and v."""

    def make(given: List[np.ndarray]) -> List[np.ndarray]:
        alm = work.analysis((given[0], given[1]), spin=1)
        parts: List[np.ndarray] = []
        for kept in (0, 1):
            part = np.zeros_like(alm)
            part[..., kept, :] = alm[..., kept, :]
            parts += fields.synthesis(part, work.grid, work.lmax, work.axis, spin=1,
                                      nthreads=work.nthreads)
        return parts

    return tuple(_by_batches((u, v), work, _tail(work.grid, work.naxes), 4, make))


