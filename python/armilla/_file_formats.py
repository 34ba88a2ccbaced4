"""Maps of FITS files as labelled arrays, and the other way round: the command `convert`."""
from __future__ import annotations

from typing import Any, Dict, Hashable, List, Sequence, Set, Union

import numpy as np
import xarray

from . import io
from ._arrays import reals
from ._labelled import find_grid
from ._targets import coordinates_of
from .grid import Grid


def _free(name: str, taken: Set[str]) -> str:
    """The name without what NetCDF refuses, and with a number where there is one such already."""
    name = name.replace("/", "_")
    found, number = name, 1
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    taken.add(found)
    return found


def labelled(path: str, hdu: Union[int, str], double: bool) -> xarray.Dataset:
    """The map of a FITS file with the coordinates of its grid; missing pixels are NaN."""
    told = io.read_map(path, hdu=hdu)
    grid: Grid = told.grid
    dims, coordinates = coordinates_of(grid)
    shape = grid.shape_2d if len(dims) == 2 else (grid.npix,)
    assert shape is not None
    variables: Dict[str, Any] = {}
    taken = {*map(str, dims), *map(str, coordinates)}
    for i, values in enumerate(told.values):
        kind = np.float64 if double or told.dtypes[i] == np.float64 else np.float32
        field = np.where(values == io.UNSEEN, np.nan, values).astype(kind).reshape(shape)
        attrs = {"units": told.units[i]} if told.units[i] else {}
        if "crs" in coordinates:
            attrs["grid_mapping"] = "crs"
        variables[_free(told.names[i].lower() or f"field{i}", taken)] = (dims, field, attrs)
    made = xarray.Dataset(variables).assign_coords(coordinates)
    if told.coordsys:
        made.attrs["coordsys"] = told.coordsys
    return made


def _one_map(data: xarray.Dataset, name: Hashable, dims: Sequence[Hashable]) -> np.ndarray:
    """The values of a variable in the order of its grid's dimensions, flat."""
    more = [dim for dim in data[name].dims if dim not in dims]
    if any(data.sizes[dim] > 1 for dim in more):
        raise ValueError(
            f"{name}: has {', '.join(f'{data.sizes[dim]} of {dim}' for dim in more)}, and a FITS "
            "map is one field of one time and level: choose one first, by xarray's isel")
    values = data[name].squeeze(more, drop=True).transpose(*dims).to_numpy()
    return reals(values, str(name)).reshape(-1)


def _in_order(names: List[Hashable]) -> List[Hashable]:
    """I, Q and U in this sequence, which Zarr does not keep; other names as they are."""
    def letter(name: Hashable) -> int:
        return "tiqu".find(str(name)[:1].lower())

    is_iqu = sorted(map(letter, names)) in ([0, 2, 3], [1, 2, 3])
    return sorted(names, key=letter) if is_iqu else names


def to_fits(data: xarray.Dataset, names: Sequence[Hashable], path: str, given: Any) -> List[str]:
    """Writes variables that share a grid into a FITS file; returned: their names."""
    found = find_grid(data, given.source)
    chosen = [name for name in names if set(found.dims) <= set(data[name].dims)]
    chosen = chosen if given.var else _in_order(chosen)
    lost = [name for name in names if name not in chosen]
    if not chosen or (given.var and lost):
        name = lost[0] if lost else "it"
        raise ValueError(f"{name}: has no dimensions {found.dims} of a grid")
    double = given.double or any(data[name].dtype.itemsize > 4 for name in chosen)
    io.write_map(path, np.array([_one_map(data, name, found.dims) for name in chosen]),
                 grid=found.grid, names=[str(name).upper() for name in chosen],
                 units=[str(data[name].attrs.get("units", "")) for name in chosen],
                 coordsys=given.coordsys or data.attrs.get("coordsys"), image=given.image,
                 dtype=np.float64 if double else np.float32, overwrite=given.overwrite)
    return [str(name) for name in chosen]
