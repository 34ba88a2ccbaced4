"""Many fields in one call: arrays with any axes, of which one or two are those of a grid.

    >>> import armilla, numpy as np
    >>> from armilla import fields
    >>> grid = armilla.Grid.gauss_legendre(32, 64)
    >>> forecast = np.ones((32, 64, 4, 3), np.float32)      # latitude, longitude, level, time
    >>> alm = fields.analysis(forecast, grid, 31, axis=(0, 1))
    >>> alm.shape, alm.dtype                                # level, time, coefficient
    ((4, 3, 528), dtype('complex64'))
    >>> fields.synthesis(alm, grid, 31, axis=(0, 1)).shape
    (32, 64, 4, 3)

Fields are taken from the array a few at a time, in the sequence in which they lie in memory, and go
to the library together: they share the Legendre functions, and the threads share the fields or the
rings of one, whichever is more. Where the grid's axes are not the last ones, or values have a type
that is neither float32 nor float64, those few are copied, never the whole array.

A field of a spin other than 0 is a pair of arrays. Missing values are NaN, infinities,
`armilla.io.UNSEEN` and what a masked array hides; each call has a rule for them, `missing`.
"""
from __future__ import annotations

import math
from typing import Any, Callable, Iterator, List, NamedTuple, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from . import spectrum as _spectrum
from ._arrays import COMPLEX_OF, REAL_OF, as_alm, as_map
from ._errors import Cancelled, whole
from ._exactness import warn_if_inexact
from ._plans import PlanCache
from ._progress import Progress, bar
from ._types import FieldMissing, Iterations
from .grid import Grid, GridLike, as_grid
from .transform import SHT

__all__ = ["analysis", "spectrum", "synthesis"]

Axis = Union[int, Tuple[int, int]]
_TOGETHER = 16          # fields of a call: with more, what they share no longer fits the caches
_BATCH_BYTES = 64 << 20  # of their values, where they are copied
_STEPS = 3              # of Jacobi where a grid has no exact rule, as healpy's map2alm has
_RULES = ("error", "propagate", "zero", "fit")
_UNSEEN = -1.6375e30

_plans: PlanCache[SHT] = PlanCache(lambda plan: plan, plans=8)


def __dir__() -> List[str]:
    return __all__


def plan_of(grid: Grid, lmax: int, mmax: Optional[int], spin: int, two_dimensional: bool) -> SHT:
    """A plan, kept for the next call."""
    return _plans.get((grid, lmax, mmax, spin, two_dimensional), lambda: SHT(
        grid, lmax, mmax, spin=spin, two_dimensional=two_dimensional))


def steps_of(grid: Grid, lmax: int, mmax: Optional[int], iterations: Iterations) -> int:
    """Steps of Jacobi that an analysis makes."""
    if iterations != "auto":
        if isinstance(iterations, str) or whole("iterations", iterations) < 0:
            raise ValueError(f"iterations = {iterations!r}: must be 'auto', or 0 or more")
        return iterations
    return 0 if grid.exact_lmax_for(lmax if mmax is None else mmax) >= lmax else _STEPS


# --- Which fields there are -----------------------------------------------------------------------


class _Fields(NamedTuple):
    """Views of an array. view: leading axes, the longest way in memory first, then the grid's;
    lead: the lengths of the leading axes as the caller has them; order: which of them the view's
    are; tail: the grid's."""

    view: np.ndarray
    lead: Tuple[int, ...]
    order: Tuple[int, ...]
    tail: Tuple[int, ...]


def _axes(axis: Axis, ndim: int) -> Tuple[int, ...]:
    axes = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    if len(axes) not in (1, 2):
        raise ValueError(f"axis = {axis}: must be one axis of pixels, or two, of rings and of "
                         "pixels of a ring")
    for one in axes:
        if not -ndim <= whole("axis", one) < ndim:
            raise ValueError(f"axis = {one}: the array has {ndim} axes")
    axes = tuple(one % ndim for one in axes)
    if len(set(axes)) < len(axes):
        raise ValueError(f"axis = {axis}: names one axis twice")
    return axes


def _tail(grid: Grid, axes: Tuple[int, ...]) -> Tuple[int, ...]:
    if len(axes) == 1:
        return (grid.npix,)
    if grid.shape_2d is None:
        raise ValueError(f"axis = {axes}: {grid!r} has no maps of two dimensions")
    return grid.shape_2d


def _order(strides: List[int]) -> Tuple[int, ...]:
    return tuple(sorted(range(len(strides)), key=lambda i: -abs(strides[i])))


def _fields(values: Any, grid: Grid, axis: Axis, name: str,
            order: Optional[Tuple[int, ...]] = None) -> _Fields:
    array = values if isinstance(values, np.ndarray) else np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name}: must hold real numbers, not {array.dtype}")
    axes = _axes(axis, array.ndim)
    tail, there = _tail(grid, axes), tuple(array.shape[one] for one in axes)
    if there != tail:
        raise ValueError(f"{name}: has shape {array.shape}, with {there} along axis {axis}; "
                         f"{grid!r} has {tail}")
    others = [one for one in range(array.ndim) if one not in axes]
    if order is None:
        order = _order([array.strides[one] for one in others])
    view = array.transpose([others[i] for i in order] + list(axes))
    return _Fields(view, tuple(array.shape[one] for one in others), order, tail)


def _pair(values: Any, grid: Grid, axis: Axis, spin: int) -> List[_Fields]:
    """The array of a scalar, or the two of a spin, of one shape."""
    if not spin:
        return [_fields(values, grid, axis, "values")]
    if not isinstance(values, (tuple, list)) or len(values) != 2:
        raise TypeError(f"values: must be a pair of arrays, since spin = {spin}")
    first = _fields(values[0], grid, axis, "values[0]")
    second = _fields(values[1], grid, axis, "values[1]", first.order if (
        np.ndim(values[1]) == np.ndim(values[0])) else None)
    if first.lead != second.lead:
        raise ValueError(f"values: have shapes {np.shape(values[0])} and {np.shape(values[1])}; "
                         "they must be equal")
    return [first, second]


def _batches(lead: Tuple[int, ...], field_bytes: int) -> Iterator[Tuple[Any, ...]]:
    """Indices that cut leading axes into so many fields as go together."""
    most = max(1, min(_TOGETHER, _BATCH_BYTES // max(field_bytes, 1)))
    cut = len(lead)
    while cut and math.prod(lead[cut - 1:]) <= most:
        cut -= 1
    if not cut:
        yield ()
        return
    step = max(1, most // max(math.prod(lead[cut:]), 1))
    for outer in np.ndindex(*lead[:cut - 1]):
        for first in range(0, lead[cut - 1], step):
            yield (*outer, slice(first, first + step))


class _Steps:
    """Tells a progress function how much of all batches is done."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._close: Optional[Callable[[], None]] = None
        self._function, self._total, self._done = progress, max(total, 1), 0
        if progress is True:
            self._function, self._close = bar()

    def next(self, count: int) -> Progress:
        """The progress of the call that makes the next `count`."""
        begin, self._done = self._done, self._done + count
        function = self._function
        if not callable(function):
            return None

        def tell(done: float) -> object:
            wants_end = function((begin + done * count) / self._total)
            if wants_end and done == 1 and self._done < self._total:
                raise Cancelled("cancelled by the progress function")  # a call has ended, not all
            return wants_end

        return tell

    def __enter__(self) -> "_Steps":
        return self

    def __exit__(self, *_: Any) -> None:
        if self._close:
            self._close()


# --- Missing values -------------------------------------------------------------------------------


def missing_of(values: np.ndarray) -> np.ndarray:
    """Where values are missing: True; of what a masked array hides, too."""
    data = np.ma.getdata(values)
    bad = ~np.isfinite(data)
    with np.errstate(invalid="ignore"):
        bad |= np.abs(data - _UNSEEN) < -1e-5 * _UNSEEN
    return bad | np.ma.getmaskarray(values) if np.ma.is_masked(values) else bad


def _where(index: Tuple[Any, ...], order: Tuple[int, ...], lead: Tuple[int, ...],
           bad: np.ndarray) -> Tuple[int, ...]:
    """The place of the first field with missing values, in the caller's leading axes."""
    inside = np.unravel_index(int(np.argmax(bad)), bad.shape) if bad.ndim else ()
    starts = [one if isinstance(one, int) else one.start for one in index]
    view = starts[:len(starts)] + [0] * (len(lead) - len(starts))
    sliced = next((i for i, one in enumerate(index) if isinstance(one, slice)), len(index))
    for i, one in enumerate(inside):
        view[sliced + i] += int(one)
    place = [0] * len(lead)
    for i, axis in enumerate(order):
        place[axis] = view[i]
    return tuple(place)


def real_numbers(plan: SHT) -> int:
    """Real numbers that coefficients of a plan are."""
    lmax, mmax, spin = plan.lmax, plan.mmax, abs(plan.spin)
    scalar = sum((lmax + 1 - max(m, spin)) * (2 if m else 1) for m in range(mmax + 1))
    return scalar * (2 if spin else 1)


class _Analysis:
    """One analysis of batches, with a rule for missing values."""

    def __init__(self, grid: Grid, lmax: int, mmax: Optional[int], spin: int,
                 missing: FieldMissing, iterations: Iterations, nthreads: int, flat: bool) -> None:
        if missing not in _RULES:
            raise ValueError(f"missing = {missing!r}: must be one of {', '.join(_RULES)}")
        self.plan = plan_of(grid, whole("lmax", lmax), mmax, whole("spin", spin), not flat)
        self._steps = steps_of(grid, lmax, mmax, iterations)
        if self._steps:  # else the plan's own analysis warns
            warn_if_inexact(grid, self.plan.lmax, self.plan.mmax)
        self._missing, self._nthreads = missing, nthreads
        self._tail = len(self.plan.map_shape) - (1 if spin else 0)

    def _transform(self, maps: np.ndarray, progress: Progress, rule: Any) -> np.ndarray:
        if not self._steps:
            return self.plan.analysis(maps, nthreads=self._nthreads, progress=progress,
                                      missing=rule)
        return self.plan.pseudo_analysis(maps, method="jacobi", max_iterations=self._steps,
                                         nthreads=self._nthreads, progress=progress,
                                         missing=rule)[0]

    def _propagated(self, maps: np.ndarray, bad: np.ndarray, progress: Progress) -> np.ndarray:
        """Not a number for all coefficients of fields that have a missing value."""
        alm = self._transform(np.where(bad, 0, maps), progress, "error")
        tails = tuple(range(-len(self.plan.map_shape), 0))
        alm[bad.any(axis=tails)] = np.nan
        return alm

    def _fit(self, field: np.ndarray, hole: np.ndarray) -> np.ndarray:
        values = (hole.size - int(hole.sum())) * (2 if field.ndim > self._tail else 1)
        unknown = real_numbers(self.plan)
        if values < unknown:
            raise ValueError(f"missing = 'fit': a field has {values} values, fewer than the "
                             f"{unknown} coefficients for lmax = {self.plan.lmax}")
        alm, report = self.plan.pseudo_analysis(field, mask=~hole, nthreads=self._nthreads)
        if report.stop in ("iterations", "condition"):
            raise ValueError("missing = 'fit': least squares have not converged after "
                             f"{report.iterations} iterations; gaps are too large for lmax = "
                             f"{self.plan.lmax}")
        return alm

    def _fitted(self, maps: np.ndarray, bad: np.ndarray, progress: Progress) -> np.ndarray:
        """Least squares over the values that are there, one field after the other."""
        shape, split = self.plan.map_shape, maps.ndim - len(self.plan.map_shape)
        lead = maps.shape[:split]
        alm = np.empty((math.prod(lead), *self.plan.alm_shape), COMPLEX_OF[maps.dtype])
        flat = zip(maps.reshape(-1, *shape), bad.reshape(-1, *shape))
        for i, (one, hole) in enumerate(flat):
            hole = hole.any(axis=0) if hole.ndim > self._tail else hole
            if not hole.any():
                alm[i] = self._transform(one, None, "error")
                continue
            alm[i] = self._fit(one, hole)
        if callable(progress):
            progress(1.0)
        return alm.reshape(lead + self.plan.alm_shape)

    def batch(self, views: List[np.ndarray], progress: Progress,
              place: Callable[[np.ndarray], Tuple[int, ...]]) -> np.ndarray:
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
            fields = np.asarray(bad.any(axis=tuple(range(-len(self.plan.map_shape), 0))))
            raise ValueError(
                f"values: field {place(fields)} has {int(bad.sum())} missing values (NaN, infinity,"
                " UNSEEN or masked), and there is no rule for them: missing = 'propagate', 'zero' "
                "or 'fit'")
        if self._missing == "propagate":
            return self._propagated(maps, bad, progress)
        if self._missing == "zero":
            return self._transform(np.where(bad, maps.dtype.type(0), maps), progress, "error")
        return self._fitted(maps, bad, progress)


def _analyses(made: _Analysis, parts: List[_Fields], progress: Progress
              ) -> Iterator[Tuple[Tuple[Any, ...], np.ndarray]]:
    """(index of the view's leading axes, coefficients) of one batch after the other."""
    first = parts[0]
    lead = first.view.shape[:first.view.ndim - len(first.tail)]
    if 0 in lead:
        return
    field_bytes = len(parts) * math.prod(first.tail) * max(first.view.itemsize, 4)
    with _Steps(progress, math.prod(lead)) as steps:
        for index in _batches(lead, field_bytes):
            views = [part.view[index] for part in parts]
            count = math.prod(views[0].shape[:views[0].ndim - len(first.tail)])
            yield index, made.batch(views, steps.next(count), lambda bad, index=index: _where(
                index, first.order, first.lead, bad))  # type: ignore[misc]


def _turned(made: np.ndarray, order: Tuple[int, ...]) -> np.ndarray:
    """A result with leading axes as the caller has them, as the view has them."""
    return made.transpose([*order, *range(len(order), made.ndim)])


def _type_of(part: _Fields) -> np.dtype:
    """Of coefficients."""
    is_single = part.view.dtype.newbyteorder("=") == np.float32
    return np.dtype(np.complex64 if is_single else np.complex128)


# --- What users call ------------------------------------------------------------------------------


def analysis(values: Any, grid: GridLike, lmax: int, axis: Axis = -1, *, spin: int = 0,
             mmax: Optional[int] = None, missing: FieldMissing = "error",
             iterations: Iterations = "auto", nthreads: int = 0, progress: Progress = None
             ) -> np.ndarray:
    """Transform all fields of an array to coefficients.

    Parameters
    ----------
    values : array_like
        Fields of any real type, or a pair of such arrays where `spin` is not 0.
    grid : Grid or str
        Where the pixels of each field are.
    lmax : int
        Largest degree.
    axis : int or (int, int), optional
        The axis of the pixels, or the two axes of the rows and columns of ``grid.shape_2d``.
    spin : int, optional
        Spin of the fields: as in `SHT`, the pair holds the components along e_theta and e_phi.
    mmax : int, optional
        Largest order. By default it is `lmax`.
    missing : {"error", "propagate", "zero", "fit"}, optional
        What is done about missing values: "error" raises a ValueError that names the first field
        which has one; with "propagate" all coefficients of such a field are NaN; "zero" puts 0 in
        their place; "fit" finds coefficients by least squares over the values that are there.
    iterations : int or "auto", optional
        Steps of Jacobi that follow the quadrature. "auto" makes none where the grid has an exact
        rule for `lmax` and `mmax`, and three elsewhere.
    nthreads : int, optional
        Number of threads. 0, the default, means all that are available.
    progress : bool or callable, optional
        As in `SHT.analysis`, over all fields.

    Returns
    -------
    ndarray, shape (..., size) or (..., 2, size)
        Coefficients, with the other axes of the array in their sequence: complex64 for float32,
        else complex128.

    Raises
    ------
    ValueError
        If a shape does not fit the grid, a value is missing, or a fit has not converged.
    TypeError
        If a type is wrong.
    Cancelled
        If `progress` asked for the end.

    Warns
    -----
    ExactnessWarning
        If lmax or mmax is too large for the exact rule that the grid has.

    See Also
    --------
    armilla.xarray : The same for labelled arrays, whose coordinates tell the grid.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> grid = armilla.Grid.gauss_legendre(8, 16)
    >>> ocean = np.ones((8, 5, 16), np.float32)        # latitude, level, longitude
    >>> armilla.fields.analysis(ocean, grid, 7, axis=(0, 2)).shape
    (5, 36)
    """
    grid = as_grid(grid)
    parts = _pair(values, grid, axis, spin)
    made = _Analysis(grid, lmax, mmax, spin, missing, iterations, nthreads,
                     len(parts[0].tail) == 1)
    alm = np.empty(parts[0].lead + made.plan.alm_shape, _type_of(parts[0]))
    target = _turned(alm, parts[0].order)
    for index, some in _analyses(made, parts, progress):
        target[index] = some
    return alm


def spectrum(values: Any, grid: GridLike, lmax: int, axis: Axis = -1, *, other: Any = None,
             spin: int = 0, missing: FieldMissing = "error", iterations: Iterations = "auto",
             nthreads: int = 0, progress: Progress = None) -> np.ndarray:
    """Compute the power spectrum of each field of an array, or the cross spectra of two arrays.

    No more coefficients are in memory at a time than those of a few fields.

    Parameters
    ----------
    values : array_like
        Fields of any real type, or a pair of such arrays where `spin` is not 0.
    grid : Grid or str
        Where the pixels of each field are.
    lmax : int
        Largest degree.
    axis : int or (int, int), optional
        The axis of the pixels, or the two axes of the rows and columns of ``grid.shape_2d``.
    other : array_like, optional
        Fields of the same shape, whose cross spectra with `values` are computed.
    spin : int, optional
        Spin of the fields.
    missing : {"error", "propagate", "zero", "fit"}, optional
        What is done about missing values, as in `analysis`.
    iterations : int or "auto", optional
        Steps of Jacobi that follow the quadrature, as in `analysis`.
    nthreads : int, optional
        Number of threads. 0, the default, means all that are available.
    progress : bool or callable, optional
        As in `SHT.analysis`, over all fields.

    Returns
    -------
    ndarray, shape (..., lmax + 1) or (..., 2, lmax + 1)
        The sum over m of a_lm conj(b_lm), divided by 2 l + 1; of E and of B for a spin.

    Raises
    ------
    ValueError
        If a shape does not fit the grid, a value is missing, or a fit has not converged.
    TypeError
        If a type is wrong.
    Cancelled
        If `progress` asked for the end.

    See Also
    --------
    armilla.spectrum.compute : The spectrum of coefficients.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> grid = armilla.Grid.gauss_legendre(8, 16)
    >>> armilla.fields.spectrum(np.ones((3, 8, 16)), grid, 7, axis=(1, 2)).round(6)[0, :2]
    array([12.566371,  0.      ])
    """
    grid = as_grid(grid)
    parts = _pair(values, grid, axis, spin)
    made = _Analysis(grid, lmax, None, spin, missing, iterations, nthreads,
                     len(parts[0].tail) == 1)
    lead, order = parts[0].lead, parts[0].order
    cl = np.empty(lead + made.plan.alm_shape[:-1] + (made.plan.lmax + 1,))
    target = _turned(cl, order)
    seconds: Any = None
    if other is not None:
        others = _pair(other, grid, axis, spin)
        if others[0].lead != lead:
            raise ValueError(f"other: has the leading axes {others[0].lead}, values {lead}")
        others = [part._replace(view=_turned(_turned(part.view, _inverse(part.order)), order),
                                order=order) for part in others]
        seconds = _analyses(made, others, None)
    for index, some in _analyses(made, parts, progress):
        second = some if seconds is None else next(seconds)[1]
        target[index] = _spectra(some, second, made.plan.lmax)
    return cl


def _inverse(order: Tuple[int, ...]) -> Tuple[int, ...]:
    return tuple(int(i) for i in np.argsort(order))


def _spectra(first: np.ndarray, second: np.ndarray, lmax: int) -> np.ndarray:
    """Of coefficients (..., size)."""
    cl = np.empty(first.shape[:-1] + (lmax + 1,))
    for index in np.ndindex(*first.shape[:-1]):
        one, two = first[index], second[index]
        if not (np.isfinite(one[0]) and np.isfinite(two[0])):  # missing = "propagate"
            cl[index] = np.nan
            continue
        cl[index] = _spectrum.compute(one, None if two is one else two, lmax=lmax)
    return cl


def synthesis(alm: ArrayLike, grid: GridLike, lmax: int, axis: Axis = -1, *, spin: int = 0,
              mmax: Optional[int] = None, nthreads: int = 0, progress: Progress = None) -> Any:
    """Transform coefficients to an array of fields whose grid has the axes that are named.

    Parameters
    ----------
    alm : array_like, shape (..., size) or (..., 2, size)
        Coefficients; leading axes are fields.
    grid : Grid or str
        Where the pixels of each field shall be.
    lmax : int
        Largest degree.
    axis : int or (int, int), optional
        The axis of the result for the pixels, or the two axes for the rows and columns of
        ``grid.shape_2d``. The other axes stay in their sequence.
    spin : int, optional
        Spin of the fields.
    mmax : int, optional
        Largest order. By default it is `lmax`.
    nthreads : int, optional
        Number of threads. 0, the default, means all that are available.
    progress : bool or callable, optional
        As in `SHT.synthesis`, over all fields.

    Returns
    -------
    ndarray or (ndarray, ndarray)
        The fields, float32 for complex64, else float64; a pair of arrays for a spin other than 0.

    Raises
    ------
    ValueError
        If a shape is wrong, or an axis does not exist.
    TypeError
        If a type is wrong.
    Cancelled
        If `progress` asked for the end.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> grid = armilla.Grid.gauss_legendre(8, 16)
    >>> alm = np.zeros((5, armilla.alm.size(7)), np.complex64)
    >>> armilla.fields.synthesis(alm, grid, 7, axis=(0, 2)).shape
    (8, 5, 16)
    """
    grid, alm = as_grid(grid), as_alm(alm)
    is_flat = not isinstance(axis, (tuple, list))
    plan = plan_of(grid, whole("lmax", lmax), mmax, whole("spin", spin), not is_flat)
    ncomp = 2 if spin else 1
    lead = alm.shape[:alm.ndim - len(plan.alm_shape)]
    if alm.shape[len(lead):] != plan.alm_shape:
        raise ValueError(f"alm: has shape {alm.shape}, must end with {plan.alm_shape}")
    views, made = _targets(lead, grid, axis, ncomp, REAL_OF[alm.dtype])
    field_bytes = ncomp * grid.npix * alm.itemsize // 2
    with _Steps(progress, math.prod(lead)) as steps:
        for index in _batches(lead, field_bytes) if 0 not in lead else ():
            some = alm[index]
            count = math.prod(some.shape[:some.ndim - len(plan.alm_shape)])
            maps = plan.synthesis(some, nthreads=nthreads, progress=steps.next(count))
            for i, view in enumerate(views):
                view[index] = maps if not spin else maps.take(i, maps.ndim - len(plan.map_shape))
    return made[0] if not spin else (made[0], made[1])


def _targets(lead: Tuple[int, ...], grid: Grid, axis: Axis, ncomp: int, kind: np.dtype
             ) -> Tuple[List[np.ndarray], List[np.ndarray]]:
    """Views (*lead, *tail) of new arrays, and these arrays with the grid at its axes."""
    axes = _axes(axis, len(lead) + (2 if isinstance(axis, (tuple, list)) else 1))
    tail = _tail(grid, axes)
    shape = [0] * (len(lead) + len(tail))
    for one, length in zip(axes, tail):
        shape[one] = length
    others = [i for i in range(len(shape)) if i not in axes]
    for one, length in zip(others, lead):
        shape[one] = length
    made = [np.empty(shape, kind) for _ in range(ncomp)]
    return [one.transpose([*others, *axes]) for one in made], made
