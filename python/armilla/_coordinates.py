"""The grid of a labelled array, from its coordinates of latitude and longitude (CF conventions).

Rings are compared with the families of grids, and what fits none is refused with the nearest one:
harmonics of values that lie elsewhere than the library thinks would be wrong and look right.
_labelled.py has HEALPix' metadata, and what a caller says of the grid.
"""
from __future__ import annotations

import math
from typing import Any, Hashable, List, NamedTuple, Optional, Tuple

import numpy as np

from ._arrays import reals
from . import healpix
from ._errors import shown
from ._marks import masked
from .grid import Grid

_DEGREE = math.pi / 180
_ROUNDED = 6e-4 * _DEGREE  # GRIB 1 has thousandths of a degree
_OF_STEP = 0.02            # and no more than this fraction of the distance of rings
_NAMES = {"latitude": ("lat", "latitude", "nav_lat"),
          "longitude": ("lon", "longitude", "long", "nav_lon")}
_LETTERS = {"latitude": "north n", "longitude": "east e"}
_FAMILIES = ("CC", "F1", "F2", "DH", "MW", "MWFLIP")


class Found(NamedTuple):
    """A grid, and the dimensions of an array that are its pixels: one, or rows and columns.
    rotation: psi, theta and phi of the Rotation from the grid's own coordinates to geographic
    ones, where these differ."""

    grid: Grid
    dims: Tuple[Hashable, ...]
    rotation: Optional[Tuple[float, float, float]] = None


class Place(NamedTuple):
    """The coordinates of latitude and longitude, in radians, and their dimensions."""

    latitude: np.ndarray
    longitude: np.ndarray
    dims: Tuple[Hashable, ...]
    names: Tuple[Hashable, Hashable]


# --- Coordinates ----------------------------------------------------------------------------------


def _units(kind: str) -> Tuple[str, ...]:
    word, letter = _LETTERS[kind].split()
    return tuple(f"degree{s}{end}" for s in ("s", "") for end in (
        f"_{word}", f"_{letter.upper()}", letter.upper()))


def _is(kind: str, name: Hashable, variable: Any) -> bool:
    attrs = variable.attrs
    if attrs.get("standard_name", kind) != kind or not variable.ndim:
        return False
    return (attrs.get("standard_name") == kind or attrs.get("units") in _units(kind)
            or str(name).lower() in _NAMES[kind])


def _coordinate(data: Any, kind: str) -> Optional[Tuple[Hashable, Any]]:
    found = [(name, one) for name, one in data.coords.items()
             if _is(kind, name, one) and set(one.dims) <= set(data.dims)]
    if len(found) > 1:  # bounds and the like have other dimensions; a name then decides
        found = [one for one in found if str(one[0]).lower() in _NAMES[kind][:2]] or found
    if len(found) > 1:
        raise ValueError(f"{kind}: the coordinates {', '.join(str(name) for name, _ in found)} all "
                         "are one; say grid= and dim=")
    return found[0] if found else None


def look_like_radians(kind: str, values: np.ndarray) -> bool:
    """Are these numbers of degrees rather the radians of a whole sphere? Equidistant latitudes near
    the equator are only where count and step are those of half a circle to 2e-4."""
    limit = math.pi / 2 if kind == "latitude" else 2 * math.pi
    several = np.unique(values)
    if several.size < 4 or np.abs(several).max() > limit * (1 + 1e-6):
        return False
    steps = np.diff(several)
    step = np.ptp(several) / steps.size
    is_even = np.abs(steps - step).max() < 5e-3 * step  # Gauss nodes of a whole sphere are not
    whole = math.pi if kind == "latitude" else 2 * math.pi
    polar = 0, 0.5, 1, 1.5, 2  # steps in the two caps: CC, MW, F1, about Gauss, F2
    fills = [abs((np.ptp(several) + caps * step) / whole - 1) for caps in polar]
    return min(fills) < (2e-4 if is_even else 0.01)


def radians(kind: str, variable: Any) -> np.ndarray:
    """The values of a coordinate in radians, whose units are looked at: "latitude" or
    "longitude"."""
    values = reals(masked(variable, kind).values, kind)
    units = variable.attrs.get("units")
    limit = 90.0 if kind == "latitude" else 720.0
    if not np.isfinite(values).all():
        raise ValueError(f"{kind}: has values that are not numbers")
    largest = np.abs(values).max(initial=0.0)
    if units in (*_units(kind), "degrees", "degree", "deg"):
        if look_like_radians(kind, values):
            raise ValueError(f"{kind}: units = {shown(units)}, but the values, {values.min():g} to "
                             f"{values.max():g}, look like radians")
        factor = _DEGREE
    elif units in ("radian", "radians", "rad"):
        factor, limit = 1.0, limit * _DEGREE
    elif units is None and largest > 2 * math.pi:
        factor = _DEGREE
    else:
        raise ValueError(f"{kind}: units = {shown(units)}, must be {_units(kind)[0]}, degrees or "
                         "radians")
    if largest > limit * (1 + 1e-6):
        raise ValueError(f"{kind}: has the value {values.flat[np.abs(values).argmax()]:g}, beyond "
                         f"{limit:g} {units or 'degrees'}")
    values = values * factor
    if kind == "latitude":  # the poles of float32 are beyond pi / 2
        values = np.clip(values, -math.pi / 2, math.pi / 2)
    return values


def find_place(data: Any) -> Optional[Place]:
    """Latitude and longitude of an array or dataset; None if it has not both."""
    lat, lon = _coordinate(data, "latitude"), _coordinate(data, "longitude")
    if lat is None or lon is None:
        return None
    dims = lat[1].dims if lat[1].dims == lon[1].dims else lat[1].dims + lon[1].dims
    if lat[1].ndim > 1 or lon[1].ndim > 1:
        raise ValueError(f"latitude: the coordinate {lat[0]} has the dimensions {lat[1].dims}; "
                         "grids whose latitudes vary along a row have no transforms here")
    for kind, (_, variable) in (("latitude", lat), ("longitude", lon)):
        _check_direction(kind, variable)
    return Place(radians("latitude", lat[1]), radians("longitude", lon[1]), dims, (lat[0], lon[0]))


def _check_direction(kind: str, variable: Any) -> None:
    """CMIP's attribute must say what the values do."""
    said = variable.attrs.get("stored_direction")
    values = np.asarray(variable.values)
    if said not in ("increasing", "decreasing") or values.size < 2:
        return
    rises = bool(np.median(np.diff(values)) > 0)
    if rises != (said == "increasing"):
        raise ValueError(f"{kind}: stored_direction = {shown(said)}, but the values go from "
                         f"{values[0]:g} to {values[-1]:g}")


# --- Rows and columns -----------------------------------------------------------------------------


def _degrees(angle: float) -> str:
    return f"{angle / _DEGREE:.6g}"


def tolerance(step: float, of_step: float = _OF_STEP) -> float:
    """How far coordinates at this distance may be off, in radians."""
    return min(_ROUNDED, of_step * step)


def direction(kind: str, values: np.ndarray) -> bool:
    """Do the values rise? They must rise, or fall, all the way."""
    steps = np.diff(values)
    if (steps > 0).all() or (steps < 0).all():
        return bool(steps.size and steps[0] > 0)
    bad = int(np.argmax(np.sign(steps) != np.sign(np.median(steps)))) + 1
    raise ValueError(f"{kind}: does not rise or fall all the way; value {bad} is "
                     f"{_degrees(values[bad])} degrees after {_degrees(values[bad - 1])}")


def circle(longitude: np.ndarray, of_step: float = _OF_STEP) -> Tuple[float, bool]:
    """Of a ring's longitudes: that of the furthest west pixel, and whether they go westward.
    of_step: how exactly they are on a circle, of their distance."""
    count = longitude.size
    turned = np.unwrap(longitude)
    westward = count > 1 and turned[1] < turned[0]
    step = 2 * math.pi / count
    ideal = turned[0] + (-step if westward else step) * np.arange(count)
    worst = np.abs(turned - ideal).max()
    if worst > tolerance(step, of_step):
        _refuse_circle(longitude, turned)
    first = turned[-1] if westward else turned[0]
    snapped = round(first / (step / 4)) * (step / 4)  # float32 has no multiples of its own
    first = snapped if abs(first - snapped) < tolerance(step, of_step) else first
    return float(first % (2 * math.pi)), bool(westward)


def _refuse_circle(longitude: np.ndarray, turned: np.ndarray) -> None:
    count, length = longitude.size, abs(turned[-1] - turned[0])
    if count > 2 and abs(length - 2 * math.pi) < tolerance(2 * math.pi / (count - 1)):
        raise ValueError(f"longitude: has the first meridian twice, {_degrees(longitude[0])} and "
                         f"{_degrees(longitude[-1])} degrees; leave out the last one")
    steps = np.abs(np.diff(turned))
    if np.ptp(steps) < tolerance(float(np.median(steps))):
        raise ValueError(f"longitude: {count} values from {_degrees(longitude[0])} to "
                         f"{_degrees(longitude[-1])} degrees are not a whole circle, which "
                         "harmonics need")
    bad = int(np.abs(steps - 2 * math.pi / count).argmax()) + 1
    raise ValueError(f"longitude: values are not equidistant: {_degrees(longitude[bad])} degrees "
                     f"follows {_degrees(longitude[bad - 1])}")


def _families(nrings: int, nphi: int) -> List[Tuple[str, Grid]]:
    made = []
    for kind in _FAMILIES:
        try:
            made.append((kind, Grid.equidistant(kind, nrings, nphi)))  # type: ignore[arg-type]
        except ValueError:
            continue  # which does not have so few rings
    return [("Gauss-Legendre", Grid.gauss_legendre(nrings, nphi)), *made]


class Family(NamedTuple):
    """A family of grids, and how far its rings are from given ones, in radians."""

    distance: float
    name: str
    grid: Grid


def family(theta: np.ndarray, nphi: int, of_step: float = _OF_STEP) -> Tuple[Family, bool]:
    """The family of rings from north to south that is nearest, and whether it is theirs."""
    away = [Family(float(np.abs(grid.rings["theta"] - theta).max()), name, grid)
            for name, grid in _families(theta.size, nphi)]
    nearest = min(away, key=lambda one: one.distance)
    return nearest, nearest.distance <= tolerance(math.pi / theta.size, of_step)


def regular(latitude: np.ndarray, longitude: np.ndarray) -> Grid:
    """The grid of rows at these latitudes, each with these longitudes, as they are stored."""
    rises = direction("latitude", latitude) if latitude.size > 1 else False
    theta = math.pi / 2 - (latitude[::-1] if rises else latitude)
    phi0, westward = circle(longitude)
    nearest, is_it = family(theta, longitude.size)
    if not is_it:
        _refuse_rings(theta, nearest.name, nearest.distance)
    return stored(nearest.grid, rises, westward, phi0)


def stored(grid: Grid, rises: bool, westward: bool, phi0: float) -> Grid:
    if not (rises or westward or phi0):
        return grid
    return grid.laid_out(phi0=phi0, south_first=rises, west_first=westward)


def _refuse_rings(theta: np.ndarray, name: str, distance: float) -> None:
    north, south = (_degrees(math.pi / 2 - theta[i]) for i in (0, -1))
    step = abs(theta[-1] - theta[0]) / max(theta.size - 1, 1)
    if theta[0] > 1.5 * step or theta[-1] < math.pi - 1.5 * step:
        raise ValueError(f"latitude: {theta.size} values from {north} to {south} degrees do not "
                         "cover the sphere, which harmonics need")
    raise ValueError(f"latitude: {theta.size} values from {north} to {south} degrees are those of "
                     f"no known grid; nearest is {name}, from which they are up to "
                     f"{_degrees(distance)} degrees away. Rings that are meant to be these can be "
                     "given: grid=")


def check_rows(grid: Grid, place: Place) -> None:
    """ValueError unless an explicit grid has its rows and columns where the coordinates say."""
    layout = grid.layout
    assert layout is not None
    if layout.order == "theta":
        raise ValueError("grid: has meridians as rows; give the dimensions as (latitude, "
                         "longitude), and a grid whose order is 'phi'")
    rings = grid.rings
    theta = math.pi / 2 - place.latitude
    want = rings["theta"][::-1] if layout.south_first else rings["theta"]
    if theta.size != want.size:
        raise ValueError(f"latitude: has {theta.size} values, {grid!r} has {want.size} rings")
    most = tolerance(math.pi / theta.size)
    if theta.size > 1 and np.abs(theta - want[::-1]).max() < most < np.abs(theta - want).max():
        raise ValueError(f"latitude: the order contradicts the grid: values go from "
                         f"{_degrees(place.latitude[0])} to {_degrees(place.latitude[-1])} degrees"
                         f", but the first row of {grid!r} is the other one; "
                         f"Grid.laid_out(south_first={not layout.south_first})")
    bad = int(np.abs(theta - want).argmax())
    if abs(theta[bad] - want[bad]) > most:
        raise ValueError(f"latitude: value {bad} is {_degrees(place.latitude[bad])} degrees, but "
                         f"that ring of {grid!r} is at {_degrees(math.pi / 2 - want[bad])}")
    phi0, westward = circle(place.longitude)
    step = 2 * math.pi / place.longitude.size
    off = (phi0 - float(rings["phi0"][0]) + math.pi) % (2 * math.pi) - math.pi
    if westward != layout.west_first or abs(off) > tolerance(step):
        raise ValueError(f"longitude: begins at {_degrees(place.longitude[0])} degrees and goes "
                         f"{'west' if westward else 'east'}ward, unlike {grid!r}")


# --- One dimension --------------------------------------------------------------------------------


def ring_lengths(latitude: np.ndarray) -> np.ndarray:
    """Numbers of neighbours with one latitude."""
    ends = np.flatnonzero(np.abs(np.diff(latitude)) > 1e-7)
    return np.diff(np.concatenate(([0], ends + 1, [latitude.size])))


def healpix_of(latitude: np.ndarray, longitude: np.ndarray) -> Optional[Tuple[int, bool]]:
    """(nside, is nested) of pixels in a sequence of HEALPix; None if they are no such pixels."""
    nside = math.isqrt(latitude.size // 12)
    if 12 * nside * nside != latitude.size or not nside:
        return None
    for nested in (False, True):
        if nested and nside & (nside - 1):
            continue
        theta, phi = healpix.pixel_to_ang(nside, np.arange(latitude.size), nested=nested)
        near = np.abs(math.pi / 2 - theta - latitude).max() < tolerance(1 / nside)
        turn = np.abs((phi - longitude + math.pi) % (2 * math.pi) - math.pi)
        if near and (turn * np.cos(latitude)).max() < tolerance(1 / nside):
            return nside, nested
    return None


def reduced(latitude: np.ndarray, longitude: np.ndarray) -> Grid:
    """The reduced Gaussian grid of points, ring after ring."""
    nphi = ring_lengths(latitude)
    starts = np.cumsum(nphi) - nphi
    theta = math.pi / 2 - latitude[starts]
    nodes = Grid.gauss_legendre(theta.size, 1).rings
    order = np.argsort(theta)
    worst = np.abs(theta[order] - nodes["theta"]).max()
    if worst > tolerance(math.pi / theta.size):
        raise ValueError(f"latitude: {latitude.size} points on {theta.size} rings are not those of "
                         f"a reduced Gaussian grid, from whose rings they are up to "
                         f"{_degrees(float(worst))} degrees away, nor of HEALPix; give the rings: "
                         "grid=Grid.custom(...)")
    phi0 = np.empty(theta.size)
    for i, (first, count) in enumerate(zip(starts, nphi)):
        try:
            phi0[i], westward = circle(longitude[first:first + count])
        except ValueError as error:
            raise ValueError(f"ring {i}, {_degrees(latitude[first])} degrees north: {error}"
                             ) from None
        if westward:
            raise ValueError(f"longitude: ring {i} goes westward")
    if not phi0.any() and (np.diff(theta) > 0).all():
        return Grid.reduced(nphi)  # which knows its exact rule
    exact, weight = np.empty(theta.size), np.empty(theta.size)
    exact[order], weight[order] = nodes["theta"], nodes["weight"]
    return Grid.custom(exact, nphi, phi0, weight=weight / nphi)


def points(latitude: np.ndarray, longitude: np.ndarray) -> Grid:
    """The grid of values along one dimension, each with its latitude and longitude."""
    found = healpix_of(latitude, longitude)
    if found:
        nside, nested = found
        return Grid.healpix(nside, nested=nested)
    return reduced(latitude, longitude)


def grid_of(place: Place) -> Found:
    """From the coordinates alone."""
    if len(place.dims) == 2:
        return Found(regular(place.latitude, place.longitude), place.dims)
    return Found(points(place.latitude, place.longitude), place.dims)
