"""Coordinates of new labelled arrays on a grid, as the CF conventions have them."""
from __future__ import annotations

import math
from typing import Any, Dict, Hashable, Tuple

import numpy as np

from ._grid_places import rounded as _round
from ._labelled import has_healpix_numbers, is_nested
from .grid import Grid

_LATITUDE = {"units": "degrees_north", "standard_name": "latitude", "long_name": "latitude"}
_LONGITUDE = {"units": "degrees_east", "standard_name": "longitude", "long_name": "longitude"}


def _mapping(grid: Grid) -> Dict[str, Any]:
    nside, nested = (grid.nrings + 1) // 4, is_nested(grid)
    attrs: Dict[str, Any] = {"grid_mapping_name": "healpix",
                             "indexing_scheme": "nested" if nested else "ring"}
    if nside & (nside - 1) == 0:
        attrs["refinement_level"] = nside.bit_length() - 1
    return {**attrs, "healpix_nside": nside, "healpix_order": "nested" if nested else "ring"}


def coordinates_of(grid: Grid, names: Tuple[Hashable, Hashable] = ("lat", "lon")
                   ) -> Tuple[Tuple[Hashable, ...], Dict[Hashable, Any]]:
    """Dimensions of a map on the grid, and what xarray's assign_coords takes. names: what latitude
    and longitude are called."""
    lat, lon = names
    if has_healpix_numbers(grid):
        return ("cell",), {"crs": ((), 0, _mapping(grid))}
    layout, rings = grid.layout, grid.rings
    if grid.shape_2d is not None and layout is not None:
        if layout.order == "theta" or grid.npix != math.prod(grid.shape_2d):
            raise ValueError(f"grid: {grid!r} has meridians as rows, or gaps between rows; arrays "
                             "of (lat, lon) need rows of longitudes")
        theta = rings["theta"][::-1] if layout.south_first else rings["theta"]
        nphi = int(rings["nphi"][0])
        east = float(rings["phi0"][0]) + 2 * math.pi / nphi * np.arange(nphi)
        if np.ptp(rings["phi0"]) > 0:
            raise ValueError(f"grid: rings of {grid!r} begin at different longitudes")
        columns = np.degrees(east[::-1] if layout.west_first else east)
        return (lat, lon), {
            lat: (lat, _round(90 - np.degrees(theta)), {**_LATITUDE, "axis": "Y"}),
            lon: (lon, _round(columns), {**_LONGITUDE, "axis": "X"})}
    theta, phi = grid.pixels()
    return ("values",), {lat: ("values", _round(90 - np.degrees(theta)), _LATITUDE),
                         lon: ("values", _round(np.degrees(phi)), _LONGITUDE)}
