"""Grids from the latitudes and longitudes of rows and columns, and from the images of astronomers.
Grid.from_latlon and Grid.from_wcs are the doors.

Rows that belong to no family become rings of their own, and rows that are a part of a family's
become a subset of its grid: their weights are those of the whole.
"""
from __future__ import annotations

import math
from typing import Any, NamedTuple, Tuple

import numpy as np

from ._arrays import angles, reals
from ._coordinates import (circle, direction, family, look_like_radians, points, radians, stored,
                           tolerance)
from .grid import Grid

_TURN = 2 * math.pi
_OF_IMAGE = 1e-5    # a world coordinate system is exact; of the distance of rows and columns
_REMEDY = ("harmonics need whole rings: put the values into a map of whole rings, in which what is "
           "missing is 0 or NaN with a mask, or use armilla.Points, which takes any directions")


class Rows(NamedTuple):
    """Latitudes of rows and longitudes of columns, in radians; of_step: how exact they are."""

    latitude: np.ndarray
    longitude: np.ndarray
    of_step: float


# --- A part of a family ---------------------------------------------------------------------------


def _part(theta: np.ndarray, nphi: int, of_step: float) -> Any:
    """The rings of CC or F1 that these are, from north to south; None if they are none."""
    if theta.size < 2:
        return None
    step = (theta[-1] - theta[0]) / (theta.size - 1)
    for kind, shift, more in (("CC", 0.0, 1), ("F1", 0.5, 0)):
        count = round(math.pi / step)
        first = round(theta[0] * count / math.pi - shift)
        if first < 0 or first + theta.size > count + more:
            continue
        ideal = (np.arange(first, first + theta.size) + shift) * math.pi / count
        if np.abs(ideal - theta).max() <= tolerance(step, of_step):
            whole = Grid.equidistant(kind, count + more, nphi)  # type: ignore[arg-type]
            if theta.size == count + more:
                return whole
            return whole.subset(first, theta.size, compact=True)
    return None


def _rings(theta: np.ndarray, nphi: int, of_step: float) -> Grid:
    nearest, is_it = family(theta, nphi, of_step)
    if is_it:
        return nearest.grid
    part = _part(theta, nphi, of_step)
    return Grid.custom(theta, nphi).laid_out() if part is None else part


def _check_circle(turned: np.ndarray) -> None:
    """ValueError where columns fill a part of the circle only."""
    count = turned.size
    if count > 1 and abs(turned[-1] - turned[0]) / (count - 1) < _TURN / (count + 0.5):
        first, last = np.degrees(turned[0]), np.degrees(turned[-1])
        raise ValueError(f"longitude: {count} values from {first:g} to {last:g} degrees are not a "
                         f"whole circle, but {_REMEDY}")


def grid_of_rows(rows: Rows) -> Grid:
    """The grid whose maps of two dimensions have these rows and columns."""
    latitude, turned = rows.latitude, np.unwrap(rows.longitude)
    rises = direction("latitude", latitude) if latitude.size > 1 else False
    theta = math.pi / 2 - (latitude[::-1] if rises else latitude)
    _check_circle(turned)
    phi0, westward = circle(turned, rows.of_step)
    west = turned[-1] if westward else turned[0]
    phi0 += _TURN * round((west - phi0) / _TURN)  # so that lon has the given numbers
    return stored(_rings(theta, turned.size, rows.of_step), rises, westward, phi0)


# --- Arrays of degrees ----------------------------------------------------------------------------


def _check_degrees(kind: str, values: np.ndarray) -> None:
    """ValueError for radians, and for what is beyond the sphere."""
    most, largest = 90.0 if kind == "latitude" else 720.0, np.abs(values).max()
    if look_like_radians(kind, values):
        raise ValueError(f"{kind}: values from {values.min():g} to {values.max():g} look like "
                         "radians; from_latlon takes degrees, as numpy.degrees makes them, or "
                         "quantities of astropy")
    if largest > most * (1 + 1e-6):
        raise ValueError(f"{kind}: has the value {values.flat[np.abs(values).argmax()]:g}, beyond "
                         f"{most:g} degrees")


def _angles(kind: str, given: Any, name: str) -> np.ndarray:
    """A coordinate in radians; what has labels has units among them."""
    if hasattr(given, "attrs") and hasattr(given, "dims") and given.attrs.get("units"):
        return radians(kind, given)
    numbers = angles(given, name, "deg")
    values = reals(numbers, name)
    if not values.size:
        raise ValueError(f"{name}: is empty")
    if not np.isfinite(values).all():
        raise ValueError(f"{name}: has values that are not finite")
    if numbers is given:  # a quantity has told its unit
        _check_degrees(kind, values)
    made = np.radians(values)
    return np.clip(made, -math.pi / 2, math.pi / 2) if kind == "latitude" else made


def _rectangle(latitude: np.ndarray, longitude: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Rows and columns of arrays of two dimensions, as numpy.meshgrid makes them."""
    if latitude.shape != longitude.shape:
        raise ValueError(f"lat, lon: have the shapes {latitude.shape} and {longitude.shape}; give "
                         "one latitude for each row and one longitude for each column")
    row, column = latitude[:, 0], longitude[0]
    turned = np.abs((longitude - column + math.pi) % _TURN - math.pi)
    if np.abs(latitude - row[:, None]).max() > 1e-6 or turned.max() > 1e-6:
        raise ValueError("lat, lon: latitudes vary along the rows, or longitudes along the "
                         "columns, as on rotated and curvilinear grids, whose pixels are not on "
                         "rings; armilla.Points takes any directions")
    return row, column


def from_latlon(lat: Any, lon: Any) -> Grid:
    """See Grid.from_latlon."""
    latitude, longitude = _angles("latitude", lat, "lat"), _angles("longitude", lon, "lon")
    if latitude.ndim == longitude.ndim == 2:
        latitude, longitude = _rectangle(latitude, longitude)
    elif latitude.ndim != 1 or longitude.ndim != 1:
        raise ValueError(f"lat, lon: have the shapes {latitude.shape} and {longitude.shape}; give "
                         "one latitude for each row and one longitude for each column")
    elif latitude.size == longitude.size > 1 and (np.abs(np.diff(latitude)) < 1e-9).any():
        return points(latitude, longitude)  # a latitude for each pixel
    return grid_of_rows(Rows(latitude, longitude, 0.02))


# --- World coordinates of images ------------------------------------------------------------------


def _to_world(wcs: Any, x: np.ndarray, y: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Longitudes and latitudes in radians of pixels, counted from 0."""
    if hasattr(wcs, "wcs_pix2world"):
        world = wcs.wcs_pix2world(x, y, 0)
    elif hasattr(wcs, "pixel_to_world_values"):
        world = wcs.pixel_to_world_values(x, y)
    else:
        raise TypeError(f"wcs: must be a world coordinate system, such as astropy.wcs.WCS, not "
                        f"{type(wcs).__name__}")
    keys = getattr(wcs, "wcs", None)
    i, j = getattr(keys, "lng", 0), getattr(keys, "lat", 1)
    if {i, j} != {0, 1} or len(world) != 2:
        raise ValueError("wcs: must have two axes, a longitude and a latitude; wcs.celestial has "
                         "only these")
    lon, lat = (np.radians(reals(world[k], "wcs")) for k in (i, j))
    if not (np.isfinite(lon).all() and np.isfinite(lat).all()):
        raise ValueError("wcs, shape: some pixels of the image are not on the sphere")
    return lon, lat


def _edges(wcs: Any, x: np.ndarray, y: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Longitudes of columns (x) and latitudes of rows (y); ValueError unless they are the same
    along the image."""
    sides = [_to_world(wcs, np.full(y.shape, at), y)[1] for at in (x[0], x[x.size // 2], x[-1])]
    row = y[int(np.abs(sides[0]).argmin())]  # at a pole there is no longitude
    ends = [at for at in (y[0], row, y[-1])
            if abs(math.pi / 2 - abs(sides[0][int(at)])) > 1e-6]
    levels = [_to_world(wcs, x, np.full(x.shape, at))[0] for at in [row, *ends]]
    away = max(np.abs(one - sides[0]).max() for one in sides)
    turn = max(np.abs((one - levels[0] + math.pi) % _TURN - math.pi).max() for one in levels)
    step = np.abs(np.diff(sides[0])).min() if y.size > 1 else _TURN / x.size
    if max(away, turn) > _OF_IMAGE * step:
        raise ValueError("wcs: rows of the image are no circles of latitude, as those of CAR "
                         "are where CRVAL2 is 0; armilla.Points takes any directions")
    return levels[0], np.clip(sides[0], -math.pi / 2, math.pi / 2)


def _is_turned(wcs: Any, nx: int, ny: int) -> bool:
    """Does latitude vary along the first axis of pixels?"""
    x, y = np.array([0.0, nx - 1.0, 0.0]), np.array([0.0, 0.0, ny - 1.0])
    lat = _to_world(wcs, x, y)[1]
    return bool(abs(lat[1] - lat[0]) > abs(lat[2] - lat[0]))


def from_wcs(wcs: Any, shape: Tuple[int, ...]) -> Grid:
    """See Grid.from_wcs."""
    if len(shape) < 2 or min(shape[-2:]) < 1:
        raise ValueError(f"shape = {tuple(shape)}: must be (..., ny, nx), that of an image")
    ny, nx = int(shape[-2]), int(shape[-1])
    x, y = np.arange(float(nx)), np.arange(float(ny))
    if _is_turned(wcs, nx, ny):
        raise ValueError("wcs: latitude varies along the first axis; give the transposed image, "
                         "wcs.swapaxes(0, 1), shape[::-1]")
    longitude, latitude = _edges(wcs, x, y)
    return grid_of_rows(Rows(latitude, longitude, _OF_IMAGE))
