"""What the labels of an array say: HEALPix' metadata, the caller's grid and dimensions.

The grid is the caller's if one is given (a Grid or a name), then that of the grid mapping, then
that of the coordinates (_coordinates.py). All that contradicts another is an error.
"""
from __future__ import annotations

import math
import re
from typing import Any, Dict, Hashable, Iterator, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._arrays import ANGLES, angle, number_and_unit
from ._coordinates import Found, check_rows, find_place, grid_of, regular
from ._errors import real, shown
from ._rotated import attribute, pole_of_mapping, rotated_grid, rotation_of
from ._spectral import is_spectral
from .grid import Grid, as_grid

Dims = Union[None, Hashable, Sequence[Hashable]]
_PIXELS = ("cell", "cell_ids", "healpix_index")  # coordinates of pixels' numbers
_ORDERS = {"nested": True, "nest": True, "ring": False, "ringed": False}
_ROTATED = ("grid_latitude", "grid_longitude")  # standard names of a rotated pole's axes


# --- HEALPix' metadata ----------------------------------------------------------------------------


def _number(name: Hashable, attrs: Mapping[Any, Any], keys: Sequence[str], least: int,
            most: int) -> Optional[int]:
    """A whole number of any type."""
    key, found = attribute(attrs, *keys)
    if found is None:
        return None
    try:
        number = float(found)
    except (TypeError, ValueError):
        number = math.nan
    if not (least <= number <= most and number == int(number)):
        raise ValueError(f"{name}: {key} = {shown(found)}, must be a whole number from {least} to "
                         f"{most}")
    return int(number)


def _is_nested_order(name: Hashable, attrs: Mapping[Any, Any]) -> bool:
    order = attribute(attrs, "indexing_scheme", "healpix_order", "order")[1]
    if str(order).lower() not in _ORDERS:
        raise ValueError(f"{name}: indexing_scheme = {shown(order)}, must be 'nested' or 'ring'")
    return _ORDERS[str(order).lower()]


def _mappings(data: Any) -> Iterator[Tuple[Hashable, Dict[str, Any]]]:
    """Variables that describe a grid: the grid mapping, or what is one by its attributes."""
    variables = dict(data.coords)
    variables.update(getattr(data, "data_vars", {}))
    named = {str(attribute({**one.encoding, **one.attrs}, "grid_mapping")[1])
             for one in [*getattr(data, "data_vars", {}).values(), data]
             if hasattr(one, "encoding")} - {"None"}
    for name, one in variables.items():
        attrs = one.attrs
        if "healpix" in (attribute(attrs, word)[1] for word in ("grid_mapping_name", "grid_name")):
            yield name, attrs
        named.discard(str(name))
    if named and not hasattr(data, "data_vars"):
        yield from ((name, {}) for name in named)


def healpix_mapping(data: Any) -> Optional[Tuple[Hashable, int, bool]]:
    """(name of the variable, nside, is nested), or None."""
    for name, attrs in _mappings(data):
        if not attrs:
            continue
        level = _number(name, attrs, ("refinement_level", "level"), 0, 29)
        nside = _number(name, attrs, ("healpix_nside", "nside"), 1, 1 << 29)
        if nside is None and level is None:
            raise ValueError(f"{name}: is a HEALPix grid mapping without refinement_level")
        if nside is not None and level is not None and nside != 1 << level:
            raise ValueError(f"{name}: nside = {nside} contradicts refinement_level = {level}")
        return name, 1 << (level or 0) if nside is None else nside, _is_nested_order(name, attrs)
    return None


def mapping_name(data: Any) -> Optional[Hashable]:
    """The variable that describes the grid, as HEALPix or as rotated; None: there is none."""
    told = healpix_mapping(data) or pole_of_mapping(data)
    return None if told is None else told[0]


def _missing_mapping(data: Any) -> str:
    lost = [str(name) for name, attrs in _mappings(data) if not attrs
            and name not in data.coords]
    return (f"; its grid_mapping {lost[0]!r} is not among its coordinates (set_coords on the "
            "dataset keeps it)") if lost else ""


def check_mapping(data: Any) -> None:
    """ValueError where rows and columns are those of a rotated pole that was lost: a grid that the
    caller names would be taken for a geographic one."""
    names = {data.coords[name].attrs.get("standard_name") for name in data.coords}
    lost = _missing_mapping(data)
    if lost and {"rlat", "rlon", *_ROTATED} & ({str(dim) for dim in data.dims} | names):
        raise ValueError(f"grid: {getattr(data, 'name', None)} is on a rotated grid{lost}")


def _pixel_dim(data: Any, npix: int, what: str, dim: Dims) -> Hashable:
    """The dimension of so many pixels."""
    if dim is not None:
        given = dim if not isinstance(dim, (list, tuple)) else dim[0]
        if data.sizes.get(given) != npix:
            raise ValueError(f"dim = {shown(given)}: has {data.sizes.get(given)} values, {what} "
                             f"has {npix} pixels")
        return given
    found = [name for name, size in data.sizes.items() if size == npix]
    if len(found) != 1:
        raise ValueError(f"dim: {len(found) or 'no'} dimensions of {dict(data.sizes)} have the "
                         f"{npix} pixels of {what}; harmonics need the whole sphere, once")
    return found[0]


def _from_mapping(data: Any, dim: Dims) -> Optional[Found]:
    told = healpix_mapping(data)
    if told is None:
        return None
    name, nside, nested = told
    what = f"HEALPix of nside {nside}, as {name} says,"
    _check_whole(data, 12 * nside * nside, what, dim)
    pixel = _pixel_dim(data, 12 * nside * nside, what, dim)
    for index in (pixel, *_PIXELS):
        numbers = data.coords.get(index)
        if numbers is not None and numbers.dims == (pixel,) and numbers.dtype.kind in "iuf":
            _check_numbers(index, numbers.values)
    return Found(Grid.healpix(nside, nested=nested), (pixel,))


def _check_whole(data: Any, npix: int, what: str, dim: Dims) -> None:
    """ValueError for a part of the sphere, whose coordinate says which pixels it has."""
    for name in (dim, *_PIXELS):
        numbers = data[name] if isinstance(name, str) and name in data.coords else None
        if numbers is None or numbers.ndim != 1 or numbers.size == npix:
            continue
        pixel, = numbers.dims
        swap = "" if name == pixel else f"swap_dims({{{str(pixel)!r}: {str(name)!r}}})."
        raise ValueError(f"{name}: has {numbers.size} pixels, {what} has {npix}; {swap}reindex("
                         f"{name}=numpy.arange({npix})) puts NaN in the place of the others, for "
                         "which options(missing=...) has rules")


def _check_numbers(name: Hashable, values: np.ndarray) -> None:
    wrong = np.flatnonzero(values != np.arange(values.size))
    if wrong.size:
        raise ValueError(f"{name}: pixel {values[wrong[0]]} stands at place {wrong[0]}; pixels "
                         f"must be in sequence: sortby({str(name)!r})")


# --- What the caller says -------------------------------------------------------------------------


def _rows(data: Any, grid: Grid, dim: Dims) -> Optional[Tuple[Hashable, Hashable]]:
    """The dimensions of rows and columns where a grid is given without coordinates."""
    if isinstance(dim, (list, tuple)) and len(dim) == 2:
        return dim[0], dim[1]
    if dim is not None or grid.shape_2d is None:
        return None
    fits = [(one, two) for one in data.dims for two in data.dims
            if one != two and (data.sizes[one], data.sizes[two]) == grid.shape_2d]
    if len(fits) > 1:
        raise ValueError(f"dim: several pairs of dimensions have the shape {grid.shape_2d} of "
                         f"{grid!r}; say dim=(rows, columns)")
    return fits[0] if fits else None


def _given(data: Any, grid: Union[Grid, str], dim: Dims, is_rotated: bool) -> Found:
    made = as_grid(grid)
    place = None if is_rotated else find_place(data)
    if place is not None and len(place.dims) == 2 and made.shape_2d is not None:
        if isinstance(grid, str) and (place.latitude.size, place.longitude.size) == made.shape_2d:
            stored = regular(place.latitude, place.longitude)  # a name says nothing of the order
            if stored.kind == made.kind:
                return Found(stored, place.dims)
        check_rows(made, place)
        return Found(made, place.dims)
    if place is not None and len(place.dims) == 1 and place.latitude.size == made.npix:
        _check_points(made, place.latitude, place.longitude)
        return Found(made, place.dims)
    rows = _rows(data, made, dim)
    if rows is not None:
        there = tuple(data.sizes.get(one) for one in rows)
        if there != made.shape_2d:
            raise ValueError(f"dim = {rows}: has the shape {there}, {made!r} has {made.shape_2d}")
        return Found(made, rows)
    return Found(made, (_pixel_dim(data, made.npix, repr(made), dim),))


def _check_points(grid: Grid, latitude: np.ndarray, longitude: np.ndarray) -> None:
    theta, phi = grid.pixels()
    away = np.abs(math.pi / 2 - theta - latitude)
    turn = np.abs((phi - longitude + math.pi) % (2 * math.pi) - math.pi) * np.cos(latitude)
    bad = int(np.maximum(away, turn).argmax())
    if max(away[bad], turn[bad]) > 0.02 * math.pi / grid.nrings:
        raise ValueError(f"grid: pixel {bad} of {grid!r} is at latitude "
                         f"{90 - np.degrees(theta[bad]):.6g}, longitude {np.degrees(phi[bad]):.6g};"
                         f" the coordinates say {np.degrees(latitude[bad]):.6g}, "
                         f"{np.degrees(longitude[bad]):.6g}")


def is_nested(grid: Grid) -> bool:
    """Is it HEALPix in NESTED order?"""
    return grid.layout is not None and grid.layout.nested


def has_healpix_numbers(grid: Grid) -> bool:
    """Is it HEALPix in RING or NESTED order, with the numbers that its functions know? `laid_out`
    makes other sequences of its pixels."""
    layout = grid.layout
    return grid.kind == "healpix" and layout is not None and not (
        layout.phi0 or layout.south_first or layout.west_first)


def _check_spectral(data: Any) -> None:
    """ValueError for coefficients, as cfgrib reads them."""
    for one in (data, *getattr(data, "data_vars", {}).values()):
        if is_spectral(one):
            name = getattr(one, "name", None) or "the field"
            raise ValueError(f"{name}: holds coefficients of spherical harmonics (GRIB_gridType = "
                             f"{shown(one.attrs['GRIB_gridType'])}), not values on a grid: "
                             "spectrum, truncate, smooth, regrid and at take them as they are, and "
                             "regrid brings them to one")


def _check_gathered(data: Any, dims: Sequence[Hashable]) -> None:
    """ValueError for lists of points of a grid (CF conventions, compression by gathering) that are
    no grid by coordinates of their own."""
    for name, one in data.variables.items() if hasattr(data, "data_vars") else data.coords.items():
        into = one.attrs.get("compress", one.encoding.get("compress"))
        if into is None or one.dims != (name,) or name in dims:
            continue
        raise ValueError(
            f"{name}: compress = {shown(into)} gathers points of a grid of these dimensions; "
            "scatter them first, as cf_xarray.decode_compress_to_multi_index(data) and then "
            f"unstack({str(name)!r}) do, and give a rule for the rest: options(missing=...)")


def find_grid(data: Any, grid: Union[None, Grid, str] = None, dim: Dims = None) -> Found:
    """The grid of an array or dataset, and the dimensions of its pixels."""
    _check_spectral(data)
    rotation = rotation_of(data)
    if grid is not None:
        return _given(data, grid, dim, rotation is not None)._replace(rotation=rotation)
    found = rotated_grid(data)
    if found is not None:
        return found._replace(rotation=rotation)
    found = _from_mapping(data, dim)
    if found is not None:
        return found
    place = find_place(data)
    _check_gathered(data, () if place is None else place.dims)
    if place is None:
        what = ", ".join(str(name) for name in data.coords) or "none"
        raise ValueError(f"grid: there are neither coordinates of latitude and longitude nor a "
                         f"HEALPix grid mapping (coordinates: {what})"
                         f"{_missing_mapping(data)}; say grid=")
    return grid_of(place)


def default_lmax(grid: Grid) -> int:
    """The band limit of values on a grid, where the caller says none: that of its exact rule, 2
    nside of HEALPix, and one degree for two rings elsewhere."""
    exact = grid.exact_lmax
    if exact >= 0:
        return exact
    return (grid.nrings + 1) // 2 if grid.kind == "healpix" else max(grid.nrings // 2 - 1, 0)


def content_lmax(grid: Grid, lmax: int) -> int:
    """The degree up to which fields are analysed for coefficients up to lmax. Without an exact rule
    higher degrees of a field fall on lower ones, so that all which the grid holds take part."""
    return lmax if 0 <= lmax <= grid.exact_lmax else max(lmax, default_lmax(grid))


# --- What methods are given -----------------------------------------------------------------------


_LENGTHS = {"km": 1e3, "m": 1.0}


def angle_of(name: str, value: Any, radius: float) -> float:
    """Radians of a text with a unit, "5deg" or "500 km", or of a quantity."""
    if hasattr(value, "unit") and hasattr(value, "to_value"):
        made = _of_quantity(name, value, radius)
    else:
        found = number_and_unit(value) if isinstance(value, str) else None
        if found is None or found[1] not in (*ANGLES, *_LENGTHS):
            raise ValueError(f"{name} = {shown(value)}: must be a number with a unit, one of "
                             f"{', '.join((*ANGLES, *_LENGTHS))}, such as '500km'")
        number, unit = found
        made = number * (ANGLES[unit] if unit in ANGLES else _LENGTHS[unit] / radius)
    if not 0 < made <= math.pi:
        raise ValueError(f"{name} = {shown(value)}: must be more than 0 and at most half a turn")
    return made


def _of_quantity(name: str, value: Any, radius: float) -> float:
    try:
        return real(name, value.to_value("m")) / radius
    except Exception:  # no length, in words of a library that is not imported here
        return angle(name, value)


def truncation(value: Union[str, int]) -> int:
    """The largest degree of "T42", "TL255", "TCo1279" or a number."""
    if isinstance(value, str):
        found = re.match(r"^T(?:L|Q|C|Co)?(\d+)$", value)
        if not found:
            raise ValueError(f"truncation = {shown(value)}: must be a degree, or T and a degree, "
                             "such as 'T42'")
        return int(found[1])
    if isinstance(value, bool) or int(value) != value or value < 0:
        raise ValueError(f"truncation = {shown(value)}: must be 0 or more")
    return int(value)
