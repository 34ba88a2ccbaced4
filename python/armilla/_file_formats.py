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


_SMALL = 2 ** 24  # all whole numbers up to here are floats
_WHOLE = {np.dtype(kind): np.dtype(file) for kind, file in (
    ("i1", "i2"), ("i2", "i2"), ("i4", "i4"), ("i8", "i8"), ("u1", "u1"), ("u2", "i4"),
    ("u4", "i8"), ("u8", "i8"), ("?", "?"))}  # types of columns


def _field(values: np.ndarray, kind: np.dtype, double: bool) -> np.ndarray:
    """The values of a map (doubles) in the type of the file; missing ones are NaN, which whole
    numbers have not."""
    missing = values == io.UNSEEN
    if kind.kind in "iub" and not double and not missing.any() and values.max(initial=0) < 2 ** 63:
        return values.astype("u1" if kind.kind == "b" else kind)
    is_double = double or kind == np.float64 or (
        kind.kind == "i" and np.abs(np.where(missing, 0, values)).max() > _SMALL)
    return np.where(missing, np.nan, values).astype(np.float64 if is_double else np.float32)


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
        field = _field(values, told.dtypes[i], double).reshape(shape)
        attrs = {"units": told.units[i]} if told.units[i] else {}
        if "crs" in coordinates:
            attrs["grid_mapping"] = "crs"
        name = told.names[i]
        name = name.lower() if name.isupper() else name
        variables[_free(name or f"field{i}", taken)] = (dims, field, attrs)
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
    values = data[name].squeeze(more, drop=True).transpose(*dims).to_numpy().reshape(-1)
    return values if values.dtype in _WHOLE else reals(values, str(name))


def _type(name: Hashable, values: np.ndarray, itemsize: int, given: Any) -> np.dtype:
    """The type of a field in a file. itemsize: of a value in the labelled file. ValueError where
    whole numbers would be rounded."""
    stays = values.dtype in _WHOLE and not (given.image or given.double)
    is_whole = values.dtype.kind in "iu" and values.size > 0
    largest = max(int(values.max()), -int(values.min())) if is_whole else 0
    most = 2 ** 63 - 1 if stays else 2 ** 53
    if largest > most:
        raise ValueError(f"{name}: has whole numbers up to {largest}, and the file would hold them "
                         f"to {most} only" + ("" if stays else "; a table without --double has 64 "
                                              "bits for them"))
    if stays:
        return _WHOLE[values.dtype]
    is_double = given.double or itemsize > 4 or largest > _SMALL
    return np.dtype(np.float64 if is_double else np.float32)


def _in_order(names: List[Hashable]) -> List[Hashable]:
    """I, Q and U in this sequence, which Zarr does not keep; other names as they are."""
    def letter(name: Hashable) -> int:
        return "tiqu".find(str(name)[:1].lower())

    is_iqu = sorted(map(letter, names)) in ([0, 2, 3], [1, 2, 3])
    return sorted(names, key=letter) if is_iqu else names


def _in_capitals(name: str) -> str:
    """As columns of FITS are written; names of small and large letters stay."""
    return name.upper() if name.islower() else name


def to_fits(data: xarray.Dataset, names: Sequence[Hashable], path: str, given: Any) -> List[str]:
    """Writes variables that share a grid into a FITS file; returned: their names."""
    found = find_grid(data, given.source)
    if found.rotation is not None:
        raise ValueError("the grid: is rotated, and FITS maps are on grids about the geographic "
                         "poles; armilla regrid brings fields to such a grid")
    chosen = [name for name in names if set(found.dims) <= set(data[name].dims)]
    chosen = chosen if given.var else _in_order(chosen)
    lost = [name for name in names if name not in chosen]
    if not chosen or (given.var and lost):
        name = lost[0] if lost else "it"
        raise ValueError(f"{name}: has no dimensions {found.dims} of a grid")
    maps = [_one_map(data, name, found.dims) for name in chosen]
    types = [_type(name, one, data[name].dtype.itemsize, given)
             for name, one in zip(chosen, maps)]
    io.write_map(path, [one.astype(kind) for one, kind in zip(maps, types)],
                 grid=found.grid, names=[_in_capitals(str(name)) for name in chosen],
                 units=[str(data[name].attrs.get("units", "")) for name in chosen],
                 coordsys=given.coordsys or data.attrs.get("coordsys"), image=given.image,
                 dtype=[max(types)] * len(types) if given.image else types,
                 overwrite=given.overwrite)
    return [str(name) for name in chosen]
