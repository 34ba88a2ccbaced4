"""What results of labelled arrays carry: names, units, degrees, and no grid that they have not."""
from __future__ import annotations

import re
from typing import Any, Dict, Hashable, Mapping, Optional, Tuple

import numpy as np
import xarray

from ._labelled import mapping_name
from ._marks import without_marks

# keys of GRIB that describe a grid, or which coefficients there are
_OF_GRIDS = re.compile(r"GRIB_(grid.*|N[xyij]?|pl|[JKM]|latitude.*|longitude.*|"
                       r"[ij](Dir|Scans|Points).*|angleOfRotation.*|uvRelativeToGrid|"
                       r"alternativeRowScanning|numberOfPoints)$")


def one_field_a_task(array: Any, dims: Tuple[Hashable, ...]) -> Any:
    if array.chunks is None:
        return array
    return array.chunk({name: -1 if name in dims else 1 for name in array.dims})


def described(array: Any, units: Optional[str], long_name: str, name: Optional[Hashable],
               **attrs: Any) -> Any:
    array = array.rename(name)
    array.attrs = {"long_name": long_name, **attrs}
    if units is not None:
        array.attrs["units"] = units
    return array


def words_of(array: Any) -> str:
    return str(array.attrs.get("long_name", array.name or "field"))


def without_grid(made: Any, source: Any) -> Any:
    """Without the grid mapping, which says nothing of a result that has no such pixels."""
    name = mapping_name(source)
    return made if name is None else made.drop_vars([name], errors="ignore")


def on_grid(made: Any, source: Any, attrs: Mapping[Hashable, Any]) -> Any:
    """With all that says of a grid, on which it is: the mapping of the source, and keys of GRIB of
    one of its fields."""
    made.attrs.update({key: value for key, value in attrs.items() if _OF_GRIDS.match(str(key))})
    name = mapping_name(source)
    if name is None:
        return made
    made.attrs["grid_mapping"] = str(name)
    return made.assign_coords({name: source[name].variable})


def with_degrees(made: Any, lmax: int) -> Any:
    degree = xarray.DataArray(np.arange(lmax + 1), dims="degree", attrs={
        "long_name": "degree of spherical harmonics", "units": "1"})
    return made.assign_coords(degree=degree)


def off_grid(attrs: Mapping[Hashable, Any]) -> Dict[Hashable, Any]:
    """Attributes of a field that is no longer on its grid, or is no longer coefficients."""
    return {key: value for key, value in without_marks(attrs).items()
            if key != "grid_mapping" and not _OF_GRIDS.match(str(key))}
