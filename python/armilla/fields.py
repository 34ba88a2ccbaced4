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

A field of a spin other than 0 is a pair of arrays, and a `VectorSHT` in the place of the grid takes
winds:

    >>> winds = armilla.VectorSHT(grid, 31, radius=6.37e6, two_dimensional=True)
    >>> fields.analysis((forecast, 0 * forecast), winds, axis=(0, 1)).shape
    (4, 3, 2, 528)

Missing values are NaN, infinities, `armilla.io.UNSEEN` and what a masked array hides; each call has
a rule for them, `missing`.
"""
from __future__ import annotations

import math
from itertools import permutations
from typing import (TYPE_CHECKING, Any, Callable, Iterator, List, Literal, NamedTuple, Optional,
                    Tuple, Union, overload)

import numpy as np
from numpy.typing import ArrayLike

from . import spectrum as _spectrum
from ._arrays import REAL_OF, as_alm
from ._errors import Cancelled, whole
from ._field_plans import (Analysis, FieldPlan, GridOrPlan, Reports, chosen_plan, ncomp_of)
from ._hints import absent
from ._progress import Progress, bar
from ._pseudo import PseudoReport
from ._types import FieldMissing, Iterations
from .grid import Grid, as_grid
from .transform import SHT, Plan

__all__ = ["analysis", "spectrum", "synthesis"]

Axis = Union[int, Tuple[int, int]]
_TOGETHER = 16          # fields of a call: with more, what they share no longer fits the caches
_BATCH_BYTES = 64 << 20  # of their values, where they are copied

def __dir__() -> List[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = absent(__name__)


# --- Which fields there are -----------------------------------------------------------------------


class _Fields(NamedTuple):
    """Views of an array. view: leading axes, the longest way in memory first, then the grid's;
    lead: the lengths of the leading axes as the caller has them; order: which of them the view's
    are; tail: the grid's."""

    view: np.ndarray
    lead: Tuple[int, ...]
    order: Tuple[int, ...]
    tail: Tuple[int, ...]


def _naxes(axis: Axis) -> int:
    return len(axis) if isinstance(axis, (tuple, list)) else 1


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


def _known_axis(axis: Optional[Axis], values: Any, of: Union[Grid, Plan], spin: int) -> Axis:
    """The caller's axis, or that which the shapes of the array and of the maps of a grid, or of a
    plan, tell."""
    if axis is not None:
        return axis
    if isinstance(of, Plan):
        grid, tails = of.grid, [of.map_shape[-1 - of._options.two_dimensional:]]
        has_parts = len(of.map_shape) > len(tails[0])
    else:
        grid, has_parts = of, spin != 0
        tails = [(grid.npix,)] + ([] if grid.shape_2d is None else [grid.shape_2d])
    is_row = has_parts and isinstance(values, (tuple, list)) and len(values) > 0
    shape = np.shape(values[0] if is_row else values)
    found = [axes for tail in tails for axes in permutations(range(len(shape)), len(tail))
             if tuple(shape[one] for one in axes) == tail]
    axes = found[0] if found else ()  # of two that change places the first is the rows
    places = len({frozenset(one) for one in found})
    if places != 1:
        wanted = " or ".join(str(tail) for tail in tails)
        raise ValueError(f"values: has shape {shape}, where {places or 'no'} places have the "
                         f"shape {wanted} of maps of {grid!r}; axis= says which, the axis of the "
                         "pixels or the two of rows and columns")
    return axes[0] if len(axes) == 1 else (axes[0], axes[1])


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


def _components(values: Any, plan: FieldPlan, axis: Axis) -> List[_Fields]:
    """The array of a scalar, the two of a spin or a wind, or three, of one shape."""
    count = ncomp_of(plan, _naxes(axis))
    if count == 1:
        return [_fields(values, plan.grid, axis, "values")]
    if not isinstance(values, (tuple, list)) or len(values) != count:
        why = f"spin = {plan.spin}" if isinstance(plan, SHT) else f"grid is {plan!r}"
        raise TypeError(f"values: must be a {'pair' if count == 2 else 'triple'} of arrays, since "
                        f"{why}")
    made = [_fields(values[0], plan.grid, axis, "values[0]")]
    for i in range(1, count):
        order = made[0].order if np.ndim(values[i]) == np.ndim(values[0]) else None
        made.append(_fields(values[i], plan.grid, axis, f"values[{i}]", order))
    if any(one.lead != made[0].lead for one in made):
        raise ValueError(f"values: have shapes {' and '.join(str(np.shape(x)) for x in values)}; "
                         "they must be equal")
    return made


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


# --- One batch after the other --------------------------------------------------------------------


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


class _Made(NamedTuple):
    """What an analysis has made of one batch. where: in the view's leading axes."""

    where: Tuple[Any, ...]
    alm: np.ndarray


class _Call:
    """One call that analyses all fields of an array, or pairs of two."""

    def __init__(self, values: Any, grid: GridOrPlan, lmax: Optional[int], axis: Optional[Axis],
                 mmax: Optional[int], spin: int, missing: FieldMissing, iterations: Iterations,
                 nthreads: int) -> None:
        grid = grid if isinstance(grid, Plan) else as_grid(grid)
        self.axis = axis = _known_axis(axis, values, grid, spin)
        naxes = _naxes(axis)
        self.plan = chosen_plan(grid, lmax, mmax, spin, naxes)
        self.parts = _components(values, self.plan, axis)
        self.way = Analysis(self.plan, naxes, missing, iterations, nthreads)
        self.lead, self.order = self.parts[0].lead, self.parts[0].order
        self._told = self.lead + self.way.report_tail
        self._reports = Reports(self._told)

    def ordered_as(self, other: "_Call") -> None:
        """Takes the fields in the sequence of another call."""
        self.parts = [part._replace(
            view=_turned(_turned(part.view, _inverse(part.order)), other.order),
            order=other.order) for part in self.parts]
        self.order = other.order

    def batches(self, progress: Progress) -> Iterator[_Made]:
        """One batch after the other."""
        first = self.parts[0]
        lead = first.view.shape[:first.view.ndim - len(first.tail)]
        if 0 in lead:
            return
        field_bytes = len(self.parts) * math.prod(first.tail) * max(first.view.itemsize, 4)
        with _Steps(progress, math.prod(lead)) as steps:
            for index in _batches(lead, field_bytes):
                views = [part.view[index] for part in self.parts]
                count = math.prod(views[0].shape[:views[0].ndim - len(first.tail)])
                made = self.way.batch(views, steps.next(count), lambda bad, index=index: _where(
                    index, first.order, first.lead, bad))  # type: ignore[misc]
                self._reports.put(self.order, index, made.report)
                yield _Made(index, made.alm)

    def report(self) -> PseudoReport:
        """Of all fields; it warns of steps that have ended without a solution."""
        made = self._reports.finish(self._told)
        self.way.warn(made)
        return made


def _turned(made: np.ndarray, order: Tuple[int, ...]) -> np.ndarray:
    """A result with leading axes as the caller has them, as the view has them."""
    return made.transpose([*order, *range(len(order), made.ndim)])


def _type_of(part: _Fields) -> np.dtype:
    """Of coefficients."""
    is_single = part.view.dtype.newbyteorder("=") == np.float32
    return np.dtype(np.complex64 if is_single else np.complex128)


# --- What users call ------------------------------------------------------------------------------


@overload
def analysis(values: Any, grid: GridOrPlan, lmax: Optional[int] = ...,
             axis: Optional[Axis] = ..., *, spin: int = ..., mmax: Optional[int] = ...,
             missing: FieldMissing = ..., iterations: Iterations = ..., nthreads: int = ...,
             progress: Progress = ...,
             report: Literal[False] = ...) -> np.ndarray: ...


@overload
def analysis(values: Any, grid: GridOrPlan, lmax: Optional[int] = ...,
             axis: Optional[Axis] = ..., *, spin: int = ..., mmax: Optional[int] = ...,
             missing: FieldMissing = ..., iterations: Iterations = ..., nthreads: int = ...,
             progress: Progress = ...,
             report: Literal[True]) -> Tuple[np.ndarray, PseudoReport]: ...


def analysis(values: Any, grid: GridOrPlan, lmax: Optional[int] = None,
             axis: Optional[Axis] = None, *, spin: int = 0, mmax: Optional[int] = None,
             missing: FieldMissing = "error", iterations: Iterations = "auto", nthreads: int = 0,
             progress: Progress = None,
             report: bool = False) -> Any:
    """Transform all fields of an array to coefficients.

    Parameters
    ----------
    %(values)s
    grid : Grid, str, SHT or VectorSHT
        Where the pixels of each field are, or a plan, which is then used: it has `lmax`, `mmax`
        and `spin`, and `two_dimensional` where `axis` names two axes.
    %(lmax.no_plan)s
    %(axis)s
    spin : int, optional
        Spin of the fields: as in `SHT`, the pair holds the components along e_theta and e_phi.
    %(mmax.lmax)s
    missing : {"error", "propagate", "zero", "fit"}, optional
        What is done about missing values: "error" raises a ValueError that names the first field
        which has one; with "propagate" all coefficients of such a field are NaN; "zero" puts 0 in
        their place; "fit" finds coefficients by least squares over the values that are there.
    iterations : int or "auto", optional
        Steps of Jacobi that follow the quadrature, as in `SHT.analysis`. "auto" makes none where
        the grid has an exact rule for `lmax` and `mmax`, elsewhere as many as are of use: until one
        more would change last digits only.
    %(nthreads)s
    progress : bool or callable, optional
        As in `SHT.analysis`, over all fields.
    report : bool, optional
        Whether to return, too, what was done for each field.

    Returns
    -------
    alm : ndarray, shape (..., size) or (..., 2, size)
        Coefficients, with the other axes of the array in their sequence: complex64 for float32,
        else complex128.
    report : PseudoReport
        With ``report=True``: steps, and why they ended, in arrays of the shape of the other axes.
        Fields that missing="propagate" has spoilt have the stop "missing", those of missing="fit"
        the numbers of the least squares; a quadrature alone has no residual.

    %(Raises.fit+type+cancelled)s

    Warns
    -----
    ExactnessWarning
        If `iterations` is a number, and lmax or mmax is too large for the exact rule that the grid
        has.
    RuntimeWarning
        If "auto" found that steps do not lead to a solution, or not within 100 of them.

    Notes
    -----
    On HEALPix with lmax = 2 nside "auto" makes 6 steps of float32 and 13 of float64, each with the
    cost of a synthesis and an analysis.

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

    What was done on a grid without an exact rule for this degree:

    >>> sky = np.cos(np.arange(3 * 768.0)).reshape(3, 768)
    >>> alm, report = armilla.fields.analysis(sky, "H8", 12, report=True)
    >>> report.stop, bool((report.iterations > 3).all())
    (array(['change', 'change', 'change'], dtype='<U10'), True)
    """
    call = _Call(values, grid, lmax, axis, mmax, spin, missing, iterations, nthreads)
    alm = np.empty(call.lead + call.plan.alm_shape, _type_of(call.parts[0]))
    target = _turned(alm, call.order)
    for made in call.batches(progress):
        target[made.where] = made.alm
    told = call.report()
    return (alm, told) if report else alm


def spectrum(values: Any, grid: GridOrPlan, lmax: Optional[int] = None,
             axis: Optional[Axis] = None, *, other: Any = None, spin: int = 0,
             missing: FieldMissing = "error", iterations: Iterations = "auto", nthreads: int = 0,
             progress: Progress = None
             ) -> np.ndarray:
    """Compute the power spectrum of each field of an array, or the cross spectra of two arrays.

    No more coefficients are in memory at a time than those of a few fields.

    Parameters
    ----------
    %(values)s
    grid : Grid, str, SHT or VectorSHT
        Where the pixels of each field are, or a plan, as in `analysis`.
    %(lmax.no_plan)s
    %(axis)s
    other : array_like, optional
        Fields of the same shape, whose cross spectra with `values` are computed.
    spin : int, optional
        Spin of the fields.
    missing : {"error", "propagate", "zero", "fit"}, optional
        What is done about missing values, as in `analysis`.
    iterations : int or "auto", optional
        Steps of Jacobi that follow the quadrature, as in `analysis`.
    %(nthreads)s
    progress : bool or callable, optional
        As in `SHT.analysis`, over all fields.

    Returns
    -------
    ndarray, shape (..., lmax + 1) or (..., 2, lmax + 1)
        The sum over m of a_lm conj(b_lm), divided by 2 l + 1; of E and of B for a spin, of
        vorticity and of divergence, or what a plan's `form` says, for a vector.

    %(Raises.fit+type+cancelled)s

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
    call = _Call(values, grid, lmax, axis, None, spin, missing, iterations, nthreads)
    plan, calls, seconds = call.plan, [call], None
    if plan._options.degree_scale is not None or plan._options.order_scale is not None:
        raise ValueError("grid: the plan scales its coefficients (degree_scale, order_scale), and "
                         "their spectra with them")
    cl = np.empty(call.lead + plan.alm_shape[:-1] + (plan.lmax + 1,))
    target = _turned(cl, call.order)
    if other is not None:
        second = _Call(other, plan, None, call.axis, None, 0, missing, iterations, nthreads)
        if second.lead != call.lead:
            raise ValueError(f"other: has the leading axes {second.lead}, values {call.lead}")
        second.ordered_as(call)
        calls.append(second)
        seconds = second.batches(None)
    for made in call.batches(progress):
        both = made.alm, made.alm if seconds is None else next(seconds).alm
        target[made.where] = _spectra(*both, plan.lmax, plan.mmax)
    for one in calls:
        one.report()
    return cl


def _inverse(order: Tuple[int, ...]) -> Tuple[int, ...]:
    return tuple(int(i) for i in np.argsort(order))


def _spectra(first: np.ndarray, second: np.ndarray, lmax: int, mmax: int) -> np.ndarray:
    """Of coefficients (..., size)."""
    cl = np.empty(first.shape[:-1] + (lmax + 1,))
    for index in np.ndindex(*first.shape[:-1]):
        one, two = first[index], second[index]
        if not (np.isfinite(one[0]) and np.isfinite(two[0])):  # missing = "propagate"
            cl[index] = np.nan
            continue
        cl[index] = _spectrum.compute(one, None if second is first else two, lmax=lmax, mmax=mmax)
    return cl


def synthesis(alm: ArrayLike, grid: GridOrPlan, lmax: Optional[int] = None,
              axis: Optional[Axis] = None, *, spin: int = 0, mmax: Optional[int] = None,
              nthreads: int = 0, progress: Progress = None) -> Any:
    """Transform coefficients to an array of fields whose grid has the axes that are named.

    Parameters
    ----------
    alm : array_like, shape (..., size), (..., 2, size) or (..., 3, size)
        Coefficients; leading axes are fields.
    grid : Grid, str, SHT or VectorSHT
        Where the pixels of each field shall be, or a plan, as in `analysis`.
    lmax : int, optional
        Largest degree, where `grid` is no plan.
    axis : int or (int, int), optional
        The axis of the result for the pixels, or the two axes for the rows and columns of
        ``grid.shape_2d``. The other axes stay in their sequence. By default it is the last one, or
        the last two with a plan of ``two_dimensional=True``.
    spin : int, optional
        Spin of the fields.
    %(mmax.lmax)s
    %(nthreads)s
    progress : bool or callable, optional
        As in `SHT.synthesis`, over all fields.

    Returns
    -------
    ndarray or tuple of ndarray
        The fields, float32 for complex64, else float64; a pair of arrays for a spin other than 0,
        and as many as a plan for vectors has components.

    Raises
    ------
    ValueError
        If a shape is wrong, or an axis does not exist.
    %(TypeError)s
    %(Cancelled)s

    Examples
    --------
    >>> import armilla, numpy as np
    >>> grid = armilla.Grid.gauss_legendre(8, 16)
    >>> alm = np.zeros((5, armilla.alm.size(7)), np.complex64)
    >>> armilla.fields.synthesis(alm, grid, 7, axis=(0, 2)).shape
    (8, 5, 16)
    """
    if axis is None:
        is_square = isinstance(grid, Plan) and grid._options.two_dimensional
        axis = (-2, -1) if is_square else -1
    alm, naxes = as_alm(alm), _naxes(axis)
    plan = chosen_plan(grid, lmax, mmax, spin, naxes)
    ncomp = ncomp_of(plan, naxes)
    lead = alm.shape[:alm.ndim - len(plan.alm_shape)]
    if alm.shape[len(lead):] != plan.alm_shape:
        raise ValueError(f"alm: has shape {alm.shape}, must end with {plan.alm_shape}")
    views, made = _targets(lead, plan.grid, axis, ncomp, REAL_OF[alm.dtype])
    field_bytes = ncomp * plan.grid.npix * alm.itemsize // 2
    with _Steps(progress, math.prod(lead)) as steps:
        for index in _batches(lead, field_bytes) if 0 not in lead else ():
            some = alm[index]
            count = math.prod(some.shape[:some.ndim - len(plan.alm_shape)])
            maps = plan.synthesis(some, nthreads=nthreads, progress=steps.next(count))
            for i, view in enumerate(views):
                view[index] = maps if ncomp == 1 else maps.take(
                    i, maps.ndim - len(plan.map_shape))
    return made[0] if ncomp == 1 else tuple(made)


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
