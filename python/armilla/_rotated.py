"""Rotated grids: where the pole of a grid is, from GRIB's keys or the CF conventions' grid mapping.

The southern pole of the coordinates of a rotated grid has the geographic latitude theta_p and
longitude lambda_p, and the angle psi turns them about their own axis (WMO Manual on Codes, I.2,
GRIB template 3.1, note 3). The direction n' of a pixel in these coordinates is geographically R n',
with

    R = Rz(lambda_p) Ry(-(90 degrees + theta_p)) Rz(psi),

so that the coefficients of a field rotate by R. The CF conventions give the northern pole instead,
and the longitude -psi that the geographic pole has in the rotated coordinates.
"""
from __future__ import annotations

import math
from typing import Any, Dict, Hashable, List, Mapping, NamedTuple, Optional, Tuple

import numpy as np

from ._arrays import reals
from ._coordinates import Found, regular, tolerance
from ._errors import shown
from .grid import Grid
from .rotation import Rotation

Angles = Tuple[float, float, float]  # psi, theta and phi of a Rotation
GRIB_KEYS = ("latitudeOfSouthernPoleInDegrees", "longitudeOfSouthernPoleInDegrees",
             "angleOfRotationInDegrees", "uvRelativeToGrid", "N", "pl", "alternativeRowScanning")
_POLE = tuple(f"GRIB_{key}" for key in GRIB_KEYS[:3])
_HINT = ('xarray.open_dataset(..., engine="cfgrib", backend_kwargs={"read_keys": '
         "armilla.xarray.GRIB_KEYS}) reads them")
_ON_GRID = ("x_wind", "y_wind", "grid_eastward_wind", "grid_northward_wind")
_WINDS = (*_ON_GRID, "eastward_wind", "northward_wind")
_SHORT_NAMES = ("u", "v", "10u", "10v", "100u", "100v")


def attribute(attrs: Mapping[Any, Any], *names: str) -> Tuple[str, Any]:
    """The first that there is, and its name; of an array of one number or word, as some readers
    give it, that."""
    name = next((one for one in names if one in attrs), names[0])
    found = attrs.get(name)
    one = np.asarray(found)
    found = one.item() if one.size == 1 else found
    return name, found.decode("utf-8", "replace") if isinstance(found, bytes) else found


def grid_type(array: Any) -> str:
    """What GRIB calls the grid of an array; "" if it is not from GRIB. Stretched ones are
    refused."""
    told = str(array.attrs.get("GRIB_gridType", ""))
    if "stretched" in told:
        raise ValueError(
            f"{array.name}: is on a stretched grid (GRIB_gridType = {shown(told)}, as of ARPEGE), "
            "whose fields are band-limited on a sphere that is stretched, not on this one; bring "
            "it to a regular grid by interpolation first, as ecCodes' neighbours and MIR do")
    return told


def _variables(data: Any) -> List[Any]:
    return list(data.data_vars.values()) if hasattr(data, "data_vars") else [data]


def _rotated_one(data: Any) -> Optional[Any]:
    """The variable whose keys describe a rotated grid; all that have a grid must agree."""
    told = [one for one in _variables(data) if grid_type(one)]
    turned = [one for one in told if "rotated" in grid_type(one)]
    for one in told if turned else ():
        for key in ("GRIB_gridType", *_POLE):
            if one.attrs.get(key) != turned[0].attrs.get(key):
                raise ValueError(f"{one.name}: has {key} = {shown(one.attrs.get(key))}, "
                                 f"{turned[0].name} has {shown(turned[0].attrs.get(key))}")
    return turned[0] if turned else None


def _number(name: Hashable, attrs: Mapping[Any, Any], key: str, limit: float,
            default: Optional[float] = None) -> float:
    found = attribute(attrs, key)[1]
    found = default if found is None else found
    if found is None:
        raise ValueError(f"{name}: is on a rotated grid, and lacks the attribute {key}"
                         + (f"; {_HINT}" if key.startswith("GRIB_") else ""))
    try:
        number = float(found)
    except (TypeError, ValueError):
        number = math.nan
    if not abs(number) <= limit:
        raise ValueError(f"{name}: {key} = {shown(found)}: must be a number of degrees up to "
                         f"{limit:g}")
    return math.radians(number)


def pole_of_mapping(data: Any) -> Optional[Tuple[Hashable, Angles]]:
    """The name and the rotation of a grid mapping of the CF conventions."""
    variables = {**dict(data.coords), **dict(getattr(data, "data_vars", {}))}
    for name, one in variables.items():
        attrs = one.attrs
        if attribute(attrs, "grid_mapping_name")[1] != "rotated_latitude_longitude":
            continue
        north = _number(name, attrs, "grid_north_pole_latitude", 90)
        east = _number(name, attrs, "grid_north_pole_longitude", 720)
        psi = -_number(name, attrs, "north_pole_grid_longitude", 720, 0.0)
        return name, angles_of_pole(-north, east + math.pi, psi)
    return None


def angles_of_pole(south: float, east: float, psi: float) -> Angles:
    """Of the latitude and longitude of the southern pole and the angle about it, in radians."""
    return psi, -(math.pi / 2 + south), east


def rotation_of(data: Any) -> Optional[Angles]:
    """The rotation from a grid's own coordinates to geographic ones; None: it has none."""
    one = _rotated_one(data)
    if one is not None:
        south, east, psi = (_number(one.name, one.attrs, key, limit)
                            for key, limit in zip(_POLE, (90, 720, 720)))
        return angles_of_pole(south, east, psi)
    mapped = pole_of_mapping(data)
    return None if mapped is None else mapped[1]


# --- Grids ----------------------------------------------------------------------------------------


def _line(attrs: Mapping[Any, Any], word: str, count: int, negative: bool) -> np.ndarray:
    """Rotated latitudes or longitudes of rows or columns, in radians."""
    first, last = (float(attrs[f"GRIB_{word}Of{which}GridPointInDegrees"])
                   for which in ("First", "Last"))
    if word == "longitude":
        last = first + ((first - last) % 360 * -1 if negative else (last - first) % 360)
    return np.radians(np.linspace(first, last, count))


def _rows(one: Any, kind: str) -> Found:
    """A grid of rows and columns, which cfgrib calls y and x."""
    attrs, dims = one.attrs, ("y", "x")
    if set(dims) - set(one.dims):
        raise ValueError(f"{one.name}: is on a rotated grid, and has the dimensions {one.dims} "
                         "instead of cfgrib's y and x; say grid= and dim=")
    for key, words in (("jPointsAreConsecutive", "columns are stored before rows"),
                       ("alternativeRowScanning", "every second row goes the other way")):
        if attrs.get(f"GRIB_{key}", 0):
            raise ValueError(f"{one.name}: GRIB_{key} = 1: {words}, which cfgrib does not read on "
                             "rotated grids; say grid= and dim=")
    sizes = one.sizes["y"], one.sizes["x"]
    try:
        longitude = _line(attrs, "longitude", sizes[1], bool(attrs.get("GRIB_iScansNegatively")))
        latitude = _line(attrs, "latitude", sizes[0], False)
    except KeyError as error:
        raise ValueError(f"{one.name}: is on a rotated grid, and lacks the attribute {error}; say "
                         "grid= and dim=") from None
    if kind == "rotated_gg":
        latitude = _gaussian(one, latitude)
    return Found(regular(latitude, longitude), dims)


def _gaussian(one: Any, latitude: np.ndarray) -> np.ndarray:
    """Latitudes of the Gaussian rings that the first and the last row say."""
    nodes = math.pi / 2 - Grid.gauss_legendre(latitude.size, 1).rings["theta"]
    nodes = nodes if latitude[0] > latitude[-1] else nodes[::-1]
    away = np.abs(nodes[[0, -1]] - latitude[[0, -1]]).max()
    if away > tolerance(math.pi / latitude.size):
        raise ValueError(f"{one.name}: {latitude.size} rows from {np.degrees(latitude[0]):.6g} to "
                         f"{np.degrees(latitude[-1]):.6g} rotated degrees are not those of a whole "
                         "Gaussian grid, which harmonics need")
    return nodes


def _reduced(one: Any) -> Found:
    """A reduced Gaussian grid, along cfgrib's dimension values."""
    lengths = one.attrs.get("GRIB_pl")
    if lengths is None:
        raise ValueError(f"{one.name}: is on a reduced rotated grid, and lacks the attribute "
                         f"GRIB_pl, the lengths of its rings; {_HINT}")
    grid = Grid.reduced(np.asarray(lengths, np.int64))
    if one.sizes.get("values") != grid.npix:
        raise ValueError(f"{one.name}: has the dimensions {dict(one.sizes)}, GRIB_pl tells "
                         f"{grid.npix} values; harmonics need the whole sphere")
    return Found(grid, ("values",))


def _mapped(data: Any) -> Optional[Found]:
    """A grid with coordinates grid_latitude and grid_longitude of the CF conventions."""
    found: Dict[str, Tuple[Hashable, np.ndarray]] = {}
    for name, one in data.coords.items():
        for kind, short in (("grid_latitude", "rlat"), ("grid_longitude", "rlon")):
            said = one.attrs.get("standard_name")
            if one.ndim == 1 and (said == kind or (said is None and name == short)):
                if one.attrs.get("units", "degrees") not in ("degrees", "degree"):
                    raise ValueError(f"{name}: units = {shown(one.attrs['units'])}, must be "
                                     "degrees")
                found[kind] = one.dims[0], np.radians(reals(one.values, str(name)))
    if len(found) < 2:
        raise ValueError("grid: its mapping is rotated_latitude_longitude, and there are no "
                         "coordinates grid_latitude and grid_longitude; say grid= and dim=")
    (rows, latitude), (columns, longitude) = found["grid_latitude"], found["grid_longitude"]
    return Found(regular(latitude, longitude), (rows, columns))


def rotated_grid(data: Any) -> Optional[Found]:
    """The grid of an array or dataset in its own coordinates, if these are rotated."""
    one = _rotated_one(data)
    if one is None:
        return None if pole_of_mapping(data) is None else _mapped(data)
    kind = grid_type(one)
    return _reduced(one) if kind == "reduced_rotated_gg" else _rows(one, kind)


# --- Winds ----------------------------------------------------------------------------------------


def is_along_grid(array: Any) -> bool:
    """Are the components of a wind on a rotated grid along its rows and columns? Else they are
    eastward and northward."""
    attrs = array.attrs
    said, name = attrs.get("GRIB_uvRelativeToGrid"), attrs.get("standard_name")
    if said is None and ("GRIB_gridType" in attrs or name not in _WINDS):
        raise ValueError(
            f"{array.name}: is a wind on a rotated grid, and does not tell whether it is eastward "
            "and northward or along the grid: it lacks the attribute GRIB_uvRelativeToGrid"
            + (f"; {_HINT}" if "GRIB_gridType" in attrs else ", or a standard name"))
    return name in _ON_GRID if said is None else bool(int(said))


def check_scalar(array: Any, method: str, is_rotated: bool = False) -> None:
    """ValueError for components along a rotated grid, which mean nothing elsewhere. is_rotated: the
    caller knows of a rotation that the array does not tell."""
    attrs = array.attrs
    is_wind = (attrs.get("standard_name") in _WINDS
               or attrs.get("GRIB_shortName") in _SHORT_NAMES)
    if is_wind and (is_rotated or rotation_of(array) is not None) and is_along_grid(array):
        raise ValueError(f"{array.name}: is the component of a wind along a rotated grid, which "
                         f"{method} cannot bring to geographic places as a number; vorticity and "
                         "divergence of both can be brought there")


class Turn(NamedTuple):
    """Cosine and sine, pixel by pixel in the shape of a map, between geographic components and
    those along a rotated grid."""

    cosine: np.ndarray
    sine: np.ndarray

    def to_grid(self, east: Any, north: Any) -> Tuple[Any, Any]:
        """Components along the grid."""
        return east * self.cosine + north * self.sine, north * self.cosine - east * self.sine

    def from_grid(self, u: Any, v: Any) -> Tuple[Any, Any]:
        """Eastward and northward components."""
        return u * self.cosine - v * self.sine, u * self.sine + v * self.cosine


def turn_of(grid: Grid, angles: Angles, naxes: int) -> Turn:
    """At the pixels of a rotated grid."""
    theta, phi = grid.pixels(two_dimensional=naxes == 2)
    theta, phi = theta.ravel(), phi.ravel()
    matrix = Rotation(*angles).matrix
    place = matrix @ [np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)]
    along = matrix @ [-np.sin(phi), np.cos(phi), 0 * phi]  # the grid's eastward unit vector
    radius = np.hypot(place[0], place[1])
    if radius.min() < 1e-9:
        raise ValueError("the wind: a pixel of the rotated grid is a geographic pole, where "
                         "eastward and northward have no meaning; components along the grid have")
    cosine = (place[0] * along[1] - place[1] * along[0]) / radius
    shape = grid.shape_2d if naxes == 2 else (grid.npix,)
    assert shape is not None
    return Turn(cosine.reshape(shape), (along[2] / radius).reshape(shape))
