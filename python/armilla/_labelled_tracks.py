"""Times of points: between which fields along the dimension of time each point of a track lies.

A point at the time t between the fields f_k of t_k and f_(k+1) of t_(k+1) has the value

    (1 - w) f_k(place) + w f_(k+1)(place),    w = (t - t_k) / (t_(k+1) - t_k),

or, of the method "nearest", that of the nearer field. Points are sorted by k, so that each field is
analysed once and evaluated at once at the points of its two neighbouring intervals. Times are
differences from the first one, whole numbers of the finer unit, so that weights are exact to
rounding.
"""
from __future__ import annotations

from typing import Any, Dict, Hashable, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
import xarray

from ._errors import shown

METHODS: Dict[str, int] = {"linear": 0, "nearest": 1}
_KINDS = {"M": "dates", "m": "durations", "i": "numbers", "u": "numbers", "f": "numbers",
          "O": "dates of another calendar"}


class Step(NamedTuple):
    """A field along the dimension of time, and what of it goes to which points."""

    place: int  # along the dimension
    points: np.ndarray  # their numbers
    weight: np.ndarray


# --- Times ----------------------------------------------------------------------------------------


def _checked_kind(name: str, values: np.ndarray) -> str:
    if values.dtype.kind not in _KINDS:
        raise TypeError(f"{name}: must hold times, not {values.dtype}")
    return _KINDS[values.dtype.kind]


def times_of(given: Any) -> Any:
    """The caller's times as a DataArray."""
    if not isinstance(given, xarray.DataArray):
        values = np.asarray(given)
        if values.ndim > 1:
            raise ValueError("time: times of several dimensions must be a DataArray")
        given = xarray.DataArray(values, dims=("point",)[:values.ndim])
    if given.dtype.kind in "OUS":
        given = given.copy(data=_dates(given.values))
    _checked_kind("time", given)
    return given


def _dates(values: np.ndarray) -> np.ndarray:
    """Texts and dates of Python's datetime as numpy has them; dates of other calendars stay."""
    first = values.flat[0] if values.size else ""
    if hasattr(first, "calendar"):
        return values
    if any(getattr(one, "tzinfo", None) is not None for one in values.flat):
        raise ValueError("time: has dates with a time zone; fields have none: give those of UTC "
                         "without a zone")
    try:
        return values.astype("datetime64[us]")
    except (TypeError, ValueError) as error:
        raise ValueError(f"time: {shown(str(first))} is no time: {error}") from None


def dimension_of(data: Any, grid_dims: Sequence[Hashable], times: Any) -> Tuple[Hashable, Any]:
    """The dimension of time of a field or dataset, and its coordinate, which is of the kind that
    the caller's times are."""
    kind, found = _checked_kind("time", times), {}
    for name, one in data.coords.items():
        is_time = one.ndim == 1 and one.dims[0] not in grid_dims and (
            _KINDS.get(one.dtype.kind) == kind)
        if is_time and (kind != "numbers" or "time" in (name, one.attrs.get("standard_name"))):
            found[name] = one
    if len(found) > 1 and "time" in found:
        found = {"time": found["time"]}
    if len(found) != 1:
        there = ", ".join(f"{name} ({_KINDS.get(one.dtype.kind, one.dtype)})"
                          for name, one in data.coords.items() if one.ndim == 1
                          and one.dims[0] not in grid_dims) or "none"
        raise ValueError(f"time: holds {kind}, and {len(found) or 'no'} coordinates of the field "
                         f"along one dimension are such times (coordinates: {there})")
    (_, one), = found.items()
    return one.dims[0], one


def _in(values: np.ndarray, unit: np.dtype, name: str) -> np.ndarray:
    """Dates or durations as whole numbers of a unit."""
    bad = np.isnat(values)
    if bad.any():
        raise ValueError(f"{name}: {int(bad.sum())} of {values.size} times are NaT, the first is "
                         f"number {int(np.argmax(bad))}")
    made = values.astype(unit)
    if not (made.astype(values.dtype) == values).all():
        raise ValueError(f"{name}: has times that {unit} cannot hold")
    return made.astype(np.int64)


def _numbers(times: np.ndarray, own: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """The times of points and those of fields as numbers, finite ones."""
    if own.dtype.kind == "O":
        try:
            pair = [np.array([one - own[0] for one in values], "m8[us]") for values in (times, own)]
        except TypeError as error:
            raise TypeError(f"time: the calendar of the points is not that of the field: {error}"
                            ) from None
        times, own = pair
    if own.dtype.kind in "mM":
        unit = np.promote_types(times.dtype, own.dtype)  # the finer one
        return _in(times, unit, "time"), _in(own, unit, "the field's times")
    for name, values in (("time", times), ("the field's times", own)):
        bad = ~np.isfinite(values)
        if bad.any():
            raise ValueError(f"{name}: value {int(np.argmax(bad))} is {values[np.argmax(bad)]}")
    return times, own


# --- Which field goes where -----------------------------------------------------------------------


def _check_inside(times: np.ndarray, own: np.ndarray, values: np.ndarray, told: np.ndarray) -> None:
    """ValueError for points before the first field, or after the last one. values, told: the same
    times as the caller has them."""
    outside = (times < own.min()) | (times > own.max())
    if outside.any():
        first = int(np.argmax(outside))
        raise ValueError(f"time: {int(outside.sum())} of {times.size} points are outside the times "
                         f"of the field, {told[own.argmin()]} to {told[own.argmax()]}; the first "
                         f"is number {first}, at {values[first]}")


def _parts(interval: np.ndarray, weight: np.ndarray, method: str
           ) -> List[Tuple[np.ndarray, np.ndarray]]:
    """For each point the number of a field and its weight: the earlier fields, then the later."""
    if method == "nearest":
        return [(interval + (weight > 0.5), np.ones(weight.size))]
    return [(interval, 1 - weight), (interval + 1, weight)]


def steps_of(times: np.ndarray, coordinate: np.ndarray, method: str) -> List[Step]:
    """What of which field goes to which points, in the sequence of time; fields that no point
    needs are left out. times: of the points, in one axis."""
    if not coordinate.size:
        raise ValueError("time: the field has no times")
    numbers, own = _numbers(times, coordinate)
    order = np.argsort(own, kind="stable")
    rising = own[order]
    twice = np.flatnonzero(rising[1:] == rising[:-1])
    if twice.size:
        raise ValueError(f"the field's times: {coordinate[order[twice[0]]]} stands there twice")
    _check_inside(numbers, own, times, coordinate)
    interval = np.searchsorted(rising, numbers, side="right") - 1
    after = np.minimum(interval + 1, rising.size - 1)
    length = np.where(after > interval, rising[after] - rising[interval], 1)
    return _sorted(order, _parts(interval, (numbers - rising[interval]) / length, method))


def _sorted(order: np.ndarray, parts: List[Tuple[np.ndarray, np.ndarray]]) -> List[Step]:
    """By fields. order: the place of each field in the array."""
    field = np.concatenate([one for one, _ in parts])
    weight = np.concatenate([one for _, one in parts])
    point = np.tile(np.arange(parts[0][0].size), len(parts))
    taken = np.flatnonzero(weight > 0)
    taken = taken[np.argsort(field[taken], kind="stable")]
    ends = np.searchsorted(field[taken], np.arange(order.size + 1))
    return [Step(int(order[k]), point[some], weight[some]) for k, some in (
        (k, taken[ends[k]:ends[k + 1]]) for k in range(order.size)) if some.size]


def blended(*parts: np.ndarray, steps: Sequence[Step], shape: Tuple[int, ...]) -> np.ndarray:
    """Values (..., *shape) at all points of those (..., points of a step) of each step."""
    count = int(np.prod(shape, dtype=np.int64))
    made = np.zeros(parts[0].shape[:-1] + (count,), parts[0].dtype)
    for part, step in zip(parts, steps):
        made[..., step.points] += part * step.weight.astype(part.dtype)
    return made.reshape(parts[0].shape[:-1] + shape)


def without_time(data: Any, name: Hashable) -> Any:
    """A field without what it says of its times, before it is cut into them."""
    return data.drop_vars([one for one, coordinate in data.coords.items()
                           if name in coordinate.dims])


def check_own_dims(data: Any, places: Any, time: Hashable, grid_dims: Sequence[Hashable]) -> None:
    """ValueError for points that shall go with a dimension of the field as well."""
    shared = [name for name in places.dims
              if name in data.dims and name != time and name not in grid_dims]
    if shared:
        raise ValueError(f"the points: have the dimension {shared[0]} of the field and times of "
                         f"their own; take one after the other, isel({shared[0]}=0)")


def label_of(data: Any, time: Any, places: Any, made: Any) -> Dict[Hashable, Any]:
    """The coordinate of the points' times, by the name that the field's has."""
    name: Optional[Hashable] = data.name
    if name in made.coords or (name in places.dims and places.ndim > 1):
        return {}
    return {name: (time.dims, time.values, time.attrs)}
