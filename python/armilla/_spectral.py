"""Fields given by coefficients of spherical harmonics, as cfgrib reads them from GRIB."""
from __future__ import annotations

from typing import Any, Iterable, Optional, Tuple

from . import alm as alm_
from ._rotated import grid_type

DIM = "values"  # pairs of numbers, order after order


_TYPES = ("sh", "rotated_sh")


def is_spectral(array: Any) -> bool:
    """Does it hold coefficients? Those of a stretched sphere are refused."""
    return grid_type(array) in _TYPES


def any_spectral(data: Any) -> bool:
    """Does a dataset hold coefficients? Then it must hold nothing on grids."""
    fields = list(data.data_vars.values())
    if not any(is_spectral(one) for one in fields):
        return False
    check_all_spectral(fields)
    return True


def coefficients_of(array: Any, grid: Any, lmax: Optional[int]) -> Tuple[int, int]:
    """The largest degree that there is, and the one that is asked for."""
    name = "the field" if array.name is None else array.name
    if grid is not None:
        raise ValueError(f"grid = {grid!r}: {name} holds coefficients, which are on no grid; leave "
                         "it out")
    bands = {int(array.attrs[key]) for key in ("GRIB_J", "GRIB_K", "GRIB_M") if key in array.attrs}
    if len(bands) > 1:
        raise ValueError(f"{name}: has truncation J, K, M = {sorted(bands)}: must be triangular")
    if DIM not in array.dims or array.sizes[DIM] % 2:
        raise ValueError(f"{name}: has the dimensions {dict(array.sizes)}, without pairs along "
                         f"{DIM!r}")
    held = alm_.lmax(array.sizes[DIM] // 2)
    if bands and bands != {held}:
        raise ValueError(f"{name}: has {array.sizes[DIM]} numbers, T{bands.pop()} has others")
    if lmax is not None and not 0 <= lmax <= held:
        raise ValueError(f"lmax = {lmax}: {name} has degrees from 0 to {held}")
    return held, held if lmax is None else lmax


def check_all_spectral(arrays: Iterable[Any]) -> None:
    """ValueError where variables of GRIB are on grids, and others are not."""
    for one in arrays:
        if one.attrs.get("GRIB_gridType", "sh") not in _TYPES:
            raise ValueError(f"{one.name}: is on a grid, and other variables hold coefficients; "
                             "take some of them, such as data[['t', 'd']]")
