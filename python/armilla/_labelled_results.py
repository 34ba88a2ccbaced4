"""What results of labelled arrays carry: names, units, degrees, and no grid that they have not."""
from __future__ import annotations

from typing import Any, Dict, Hashable, Mapping, Optional, Tuple

import numpy as np
import xarray

from ._labelled import healpix_mapping
from ._marks import without_marks


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
    told = healpix_mapping(source)
    return made.drop_vars([told[0]], errors="ignore") if told else made


def with_degrees(made: Any, lmax: int) -> Any:
    degree = xarray.DataArray(np.arange(lmax + 1), dims="degree", attrs={
        "long_name": "degree of spherical harmonics", "units": "1"})
    return made.assign_coords(degree=degree)


def off_grid(attrs: Mapping[Hashable, Any]) -> Dict[Hashable, Any]:
    """Attributes of a field that is no longer on its grid."""
    return {key: value for key, value in without_marks(attrs).items() if key != "grid_mapping"}
