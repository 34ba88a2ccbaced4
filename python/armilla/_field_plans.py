"""How armilla.fields transforms a few fields: plans, missing values, steps and what they reach.

armilla.fields cuts an array into batches; here is what is done with one.
"""
from __future__ import annotations

import math
from typing import Any, Callable, List, NamedTuple, Optional, Tuple, Union

import numpy as np

from ._arrays import COMPLEX_OF, as_map
from ._errors import shown, whole
from ._exactness import warn_if_inexact
from ._plans import PlanCache
from ._progress import Progress
from ._pseudo import (PseudoReport, ended_early, pixel_weights, real_numbers, reported,
                      warn_if_ended_early)
from ._types import FieldMissing, Iterations, PseudoMethod
from .grid import Grid, GridLike, as_grid
from .transform import SHT, Plan
from .vector import VectorSHT

FieldPlan = Union[SHT, VectorSHT]
GridOrPlan = Union[GridLike, SHT, VectorSHT]
_LIMIT = 100  # of steps where they are as many as are of use
_RULES = ("error", "propagate", "zero", "fit")
_UNSEEN = -1.6375e30

_plans: PlanCache[FieldPlan] = PlanCache(lambda plan: plan, plans=8)


# --- Plans ----------------------------------------------------------------------------------------


def plan_of(grid: Grid, lmax: int, mmax: Optional[int], spin: int, two_dimensional: bool) -> SHT:
    """A plan, kept for the next call."""
    made = _plans.get((grid, lmax, mmax, spin, two_dimensional), lambda: SHT(
        grid, lmax, mmax, spin=spin, two_dimensional=two_dimensional))
    assert isinstance(made, SHT)
    return made


def wind_plan(grid: Grid, lmax: int, radius: float, two_dimensional: bool) -> VectorSHT:
    """A plan between (u, v) and vorticity and divergence, kept for the next call. What it gets is
    what it has made, which has no mean."""
    made = _plans.get((grid, lmax, "wind", radius, two_dimensional), lambda: VectorSHT(
        grid, lmax, radius=radius, mean="ignore", two_dimensional=two_dimensional))
    assert isinstance(made, VectorSHT)
    return made


def _check_plan(plan: Plan, naxes: int) -> None:
    """ValueError unless fields can go through a plan of the caller."""
    options = plan._options
    if options.two_dimensional != (naxes == 2):
        raise ValueError(f"axis: names {naxes} {'axes' if naxes > 1 else 'axis'}, but the plan has "
                         f"two_dimensional = {options.two_dimensional}")
    for name, value, needed in (
            ("device", options.device, "cpu"), ("mode", options.mode, "standard"),
            ("mres", options.mres, 1), ("form", options.form, "complex"),
            ("layout", plan.layout, None)):
        if value != needed:
            raise ValueError(f"grid: the plan has {name} = {shown(value)}; armilla.fields takes "
                             f"plans with {name} = {shown(needed)}")


def chosen_plan(grid: GridOrPlan, lmax: Optional[int], mmax: Optional[int], spin: int, naxes: int
                ) -> FieldPlan:
    """The caller's plan, or one for the caller's grid."""
    if isinstance(grid, Plan):
        if not isinstance(grid, (SHT, VectorSHT)):
            raise TypeError(f"grid: must be a Grid, a name, an SHT or a VectorSHT, not "
                            f"{type(grid).__name__}")
        for name, value, unset in (("lmax", lmax, None), ("mmax", mmax, None), ("spin", spin, 0)):
            if value != unset:
                raise ValueError(f"{name} = {value}: is the plan's, {grid!r}; leave it out")
        _check_plan(grid, naxes)
        return grid
    if lmax is None:
        raise TypeError("lmax: is missing; only a plan has its own")
    return plan_of(as_grid(grid), whole("lmax", lmax), mmax, whole("spin", spin), naxes == 2)


def ncomp_of(plan: FieldPlan, naxes: int) -> int:
    """Arrays that are one field."""
    return plan.map_shape[0] if len(plan.map_shape) > naxes else 1


def unknowns_of(plan: FieldPlan) -> int:
    """Real numbers that coefficients of a plan are."""
    def count(first: int) -> int:
        return real_numbers(plan.lmax, plan.mmax, first=first)

    if isinstance(plan, VectorSHT):
        return 2 * count(1) + (count(0) if plan.radial else 0)
    return count(abs(plan.spin)) * (2 if plan.spin else 1)


# --- Missing values -------------------------------------------------------------------------------


def missing_of(values: np.ndarray) -> np.ndarray:
    """Where values are missing: True; of what a masked array hides, too."""
    data = np.ma.getdata(values)
    bad = ~np.isfinite(data)
    with np.errstate(invalid="ignore"):
        bad |= np.abs(data - _UNSEEN) < -1e-5 * _UNSEEN
    return bad | np.ma.getmaskarray(values) if np.ma.is_masked(values) else bad


# --- One batch ------------------------------------------------------------------------------------


class Batch(NamedTuple):
    """Coefficients (..., *alm_shape) of some fields, and how each was made."""

    alm: np.ndarray
    report: PseudoReport


class Reports:
    """How all fields were made, in arrays that the batches fill."""

    def __init__(self, shape: Tuple[int, ...]) -> None:
        self._all = (np.full(shape, "zero", "U10"), np.zeros(shape, np.int64),
                     np.full(shape, np.nan), np.full(shape, np.nan))

    def put(self, order: Tuple[int, ...], index: Tuple[Any, ...], some: PseudoReport) -> None:
        """Those of a batch. order: of the caller's leading axes in the batches'."""
        for every, part in zip(self._all, some):
            every.transpose([*order, *range(len(order), every.ndim)])[index] = part

    def finish(self, shape: Tuple[int, ...]) -> PseudoReport:
        """In arrays of this shape, or in numbers where there is one field."""
        stop, iterations, residual, gradient = (one.reshape(shape) for one in self._all)
        if not shape:
            return PseudoReport(str(stop), int(iterations), float(residual), float(gradient))
        return PseudoReport(stop, iterations, residual, gradient)


class Analysis:
    """One analysis of batches, with a rule for missing values."""

    def __init__(self, plan: FieldPlan, naxes: int, missing: FieldMissing, iterations: Iterations,
                 nthreads: int) -> None:
        if missing not in _RULES:
            raise ValueError(f"missing = {shown(missing)}: must be one of {', '.join(_RULES)}")
        if iterations != "auto" and (
                isinstance(iterations, str) or whole("iterations", iterations) < 0):
            raise ValueError(f"iterations = {shown(iterations)}: must be 'auto', or 0 or more")
        self.plan, self.report_tail = plan, plan._report_tail
        self._is_auto = iterations == "auto"
        self._is_plain = iterations == 0 or (self._is_auto and plan.describe(1).exact == 1)
        self._limit = _LIMIT if iterations == "auto" else iterations
        if not self._is_plain and not self._is_auto:  # the plan's own analysis warns, and steps
            warn_if_inexact(plan.grid, plan.lmax, plan.mmax)  # that do not converge do
        self._missing, self._nthreads, self._tail = missing, nthreads, naxes

    @property
    def _fields_tail(self) -> Tuple[int, ...]:
        """The axes of one field, pair or triple."""
        return tuple(range(-len(self.plan.map_shape), 0))

    def _report(self, stop: str, lead: Tuple[int, ...]) -> PseudoReport:
        """Of fields without steps."""
        shape = lead + self.report_tail
        change = 0 if stop == "exact" else np.nan
        return PseudoReport(np.full(shape, stop, "U10"), np.zeros(shape, np.int64),
                            np.full(shape, np.nan), np.full(shape, change))

    def _transform(self, maps: np.ndarray, progress: Progress, rule: Any) -> Batch:
        if not self._is_plain:
            return self._iterated(maps, "auto" if self._is_auto else "jacobi", self._limit, None,
                                  progress, rule)
        alm = self.plan.analysis(maps, nthreads=self._nthreads, progress=progress, missing=rule)
        lead = maps.shape[:maps.ndim - len(self.plan.map_shape)]
        return Batch(alm, self._report("exact" if self._is_auto else "iterations", lead))

    def _iterated(self, maps: np.ndarray, method: PseudoMethod, limit: int,
                  weights: Optional[np.ndarray], progress: Progress, rule: Any) -> Batch:
        """As the plan's pseudo_analysis, without its warnings: `warn` looks at all batches."""
        alm, told = self.plan._iterate(self.plan._maps.line(maps), method, 1e-10, limit, weights,
                                       None, None, self._nthreads, progress, rule)
        return Batch(alm, reported(told))

    def _propagated(self, maps: np.ndarray, bad: np.ndarray, progress: Progress) -> Batch:
        """Not a number for all coefficients of fields that have a missing value."""
        made = self._transform(np.where(bad, 0, maps), progress, "error")
        spoilt = bad.any(axis=self._fields_tail)
        made.alm[spoilt] = np.nan
        lost = self._report("missing", spoilt.shape)
        where = spoilt.reshape(spoilt.shape + (1,) * len(self.report_tail))
        return Batch(made.alm, PseudoReport(*(
            np.where(where, new, old) for new, old in zip(lost, made.report))))

    def _fit(self, field: np.ndarray, hole: np.ndarray) -> Batch:
        values = (hole.size - int(hole.sum())) * (field.size // hole.size)
        unknown = unknowns_of(self.plan)
        if values < unknown:
            raise ValueError(f"missing = 'fit': a field has {values} values, fewer than the "
                             f"{unknown} coefficients for lmax = {self.plan.lmax}")
        weights = pixel_weights(None, self.plan._maps.pixels(~hole), self.plan.grid.npix, None)
        made = self._iterated(field, "lsmr", _LIMIT, weights, None, "error")
        if ended_early(made.report).any():
            raise ValueError("missing = 'fit': least squares have not converged after "
                             f"{np.max(made.report.iterations)} iterations; gaps are too large for "
                             f"lmax = {self.plan.lmax}")
        return made

    def _fitted(self, maps: np.ndarray, bad: np.ndarray, progress: Progress) -> Batch:
        """Least squares over the values that are there, one field after the other."""
        shape, split = self.plan.map_shape, maps.ndim - len(self.plan.map_shape)
        lead = maps.shape[:split]
        alm = np.empty((math.prod(lead), *self.plan.alm_shape), COMPLEX_OF[maps.dtype])
        reports = Reports((math.prod(lead), *self.report_tail))
        flat = zip(maps.reshape(-1, *shape), bad.reshape(-1, *shape))
        for i, (one, hole) in enumerate(flat):
            hole = hole.any(axis=0) if hole.ndim > self._tail else hole
            made = self._fit(one, hole) if hole.any() else self._transform(one, None, "error")
            alm[i] = made.alm
            reports.put((0,), (i,), made.report)
        if callable(progress):
            progress(1.0)
        return Batch(alm.reshape(lead + self.plan.alm_shape), reports.finish(
            lead + self.report_tail))

    def batch(self, views: List[np.ndarray], progress: Progress,
              place: Callable[[np.ndarray], Tuple[int, ...]]) -> Batch:
        """Coefficients of fields (..., *tail), or of pairs. place: of the first bad one."""
        tail = self._tail
        masked = any(np.ma.is_masked(one) for one in views)
        plain = [as_map(np.ma.getdata(one), "values") for one in views]
        maps = plain[0] if len(plain) == 1 else np.stack(plain, axis=plain[0].ndim - tail)
        if self._missing == "error" and not masked:
            try:
                return self._transform(maps, progress, "error")
            except ValueError:
                pass  # which does not know where the field stands in the caller's array
        holes = [missing_of(one) for one in views]
        bad = holes[0] if len(views) == 1 else np.stack(holes, axis=views[0].ndim - tail)
        if not bad.any():
            return self._transform(maps, progress, "error")
        if self._missing == "error":
            fields = np.asarray(bad.any(axis=self._fields_tail))
            raise ValueError(
                f"values: field {place(fields)} has {int(bad.sum())} missing values (NaN, infinity,"
                " UNSEEN or masked), and there is no rule for them: missing = 'propagate', 'zero' "
                "or 'fit'")
        if self._missing == "propagate":
            return self._propagated(maps, bad, progress)
        if self._missing == "zero":
            return self._transform(np.where(bad, maps.dtype.type(0), maps), progress, "error")
        return self._fitted(maps, bad, progress)

    def warn(self, report: PseudoReport) -> None:
        """Warns the caller of the package where steps have ended without a solution."""
        if self._is_auto:
            warn_if_ended_early(report, "auto")
