"""The places of points that a labelled field is evaluated at, and their labels."""
from __future__ import annotations

from typing import Any, Dict, Hashable, Tuple

import xarray

from ._arrays import reals


def points(latitude: Any, longitude: Any) -> Tuple[Any, Any]:
    """Both as arrays of the same dimensions, with units."""
    made = []
    for values, units in ((latitude, "degrees_north"), (longitude, "degrees_east")):
        if not isinstance(values, xarray.DataArray):
            values = reals(values, "latitude, longitude")
            if values.ndim > 1:
                raise ValueError("latitude, longitude: points of several dimensions must be "
                                 "DataArrays")
            values = xarray.DataArray(values, dims=("point",)[:values.ndim])
        made.append(values.assign_attrs(units=values.attrs.get("units", units)))
    check_same(made[0], made[1], "latitude", "longitude", may_lack=True)
    first, second = xarray.broadcast(*made)
    first.attrs, second.attrs = made[0].attrs, made[1].attrs
    return first, second


def check_points_dims(data: Any, dims: Tuple[Hashable, ...], places: Tuple[Any, Any],
                       *given: Any) -> None:
    """ValueError where a dimension that points share with a field, or with a dataset, differs."""
    others = data.isel({name: 0 for name in dims}, drop=True)
    if "point" in places[0].dims and "point" in others.dims and not any(
            isinstance(one, xarray.DataArray) for one in given):
        raise ValueError("latitude, longitude: the field has a dimension 'point'; give DataArrays, "
                         "whose dimensions say whether theirs is the same")
    for name in places[0].dims:
        if name in others.coords and name not in others.dims:
            raise ValueError(f"the points: have the dimension {name}, of which the field has one "
                             f"value; the field's drop_vars({str(name)!r}) takes it for all points")
    try:
        check_same(others, places[0], "the field", "the points", may_lack=True)
    except ValueError as error:
        raise ValueError(f"{error}; xarray's interp or sel brings the field to those of the "
                         "points") from None


def labels_of(places: Tuple[Any, Any], made: Any) -> Dict[Hashable, Any]:
    """Coordinates of the points: their own, and latitude and longitude."""
    labels = {name: one for place in places for name, one in place.coords.items()
              if name not in made.coords}
    for name, one in zip(("latitude", "longitude"), places):
        if name in one.dims:  # a coordinate of its own name has one dimension
            first = one.isel({other: 0 for other in one.dims if other != name})
            one = first if bool((one == first).all()) else one
        labels[name] = (one.dims, one.values, one.attrs)
    return labels


def check_same(first: Any, second: Any, first_name: str, second_name: str,
                may_lack: bool = False) -> None:
    """ValueError where dimensions that both have differ in length or in their coordinate."""
    only = set(first.dims) ^ set(second.dims)
    if only and not may_lack:
        raise ValueError(f"{first_name} and {second_name}: have the dimensions {first.dims} and "
                         f"{second.dims}")
    for name in first.dims:
        if name not in second.dims:
            continue
        sizes = first.sizes[name], second.sizes[name]
        if sizes[0] != sizes[1]:
            raise ValueError(f"{first_name} and {second_name}: have {sizes[0]} and {sizes[1]} "
                             f"values along {name}")
        if name in first.coords and name in second.coords and not (
                first[name].variable.equals(second[name].variable)):
            raise ValueError(f"{first_name} and {second_name}: their coordinates {name} differ")


def broadcast(latitude: Any, longitude: Any, time: Any) -> Tuple[Any, Any, Any]:
    """Places and times as arrays of the same dimensions."""
    check_same(latitude, time, "the points", "time", may_lack=True)
    made = xarray.broadcast(latitude, longitude, time)
    for one, given in zip(made, (latitude, longitude, time)):
        one.attrs = given.attrs
    return made
