"""Maps of files and their grids: values into the order of files, ring after ring, and the grids of
maps that were read."""
from __future__ import annotations

import math
from typing import Any, Optional

import numpy as np

from ._errors import check
from ._grid_places import places
from ._native import ffi, lib
from .grid import Grid, GridLike, as_grid


class Place:
    """Where the values that a caller gives belong in a map of a file. No grid: HEALPix, RING."""

    def __init__(self, grid: Optional[GridLike]) -> None:
        self.grid = None if grid is None else as_grid(grid)
        self._order: Optional[np.ndarray] = None  # of the pixels of a file, places in values
        if self.grid is None:
            return
        layout = self.grid.layout
        if layout is not None and layout.nested:
            raise ValueError("grid: is in NESTED order: give the values in RING order; nested=True "
                             "writes them in NESTED order")
        order = places(self.grid)
        if not np.array_equal(order, np.arange(self.grid.npix)):
            self._order = order

    def lines(self, values: Any) -> Any:
        """Maps of two dimensions, (nrings, nphi), as npix values; others as they are."""
        if self.grid is None or self.grid.shape_2d is None:
            return values
        if isinstance(values, (list, tuple)):
            return [self.lines(row)[0] if np.shape(row) == self.grid.shape_2d else row
                    for row in values]
        shape, two = np.shape(values), self.grid.shape_2d
        if len(shape) < 2 or shape[-2:] != two or math.prod(two) != self.grid.npix:
            return values
        return np.ma.asanyarray(values).reshape(-1, self.grid.npix)

    def ordered(self, values: np.ndarray) -> np.ndarray:
        """Values (..., npix) as a file has them."""
        if self.grid is not None and values.shape[-1] != self.grid.npix:
            raise ValueError(f"values: {values.shape[-1]} pixels: the grid has {self.grid.npix}")
        return values if self._order is None else np.take(values, self._order, axis=-1)

    def new_map(self, nfields: int, npix: int) -> Any:
        """An armilla_map of zeros."""
        made = ffi.new("armilla_map **")
        nside = lib.armilla_healpix_nside(npix)
        if self.grid is not None:
            grid = self.grid if self._order is None else self.grid.laid_out()
            check(lib.armilla_map_new_grid(grid._grid, nfields, made))
        elif nside < 0:
            raise ValueError(f"values: {npix} pixels: no HEALPix map has so many; on another grid "
                             'name it: grid="cc:181x360"')
        else:
            check(lib.armilla_map_new(nside, nfields, made))
        return ffi.gc(made[0], lib.armilla_map_free)


def grid_of(told: Any) -> Grid:
    """The grid of a map that was read, made anew, so that it can be pickled like any other."""
    if told.nside:
        return Grid.healpix(told.nside)
    if told.grid_name[0] != b"\0":
        return Grid.named(ffi.string(told.grid_name).decode())
    held = Grid._make(("", ()), lib.armilla_grid_new_laid_out, told.grid, ffi.NULL)
    turn = held.layout.phi0 if held.layout else 0.0
    name = held.laid_out(phi0=-turn).name if turn else None
    if name is not None:
        return Grid.named(name).laid_out(phi0=turn)
    if held.kind == "reduced_gauss_legendre" and not turn:
        return Grid.reduced(held.rings["nphi"])
    return Grid._from_rings(held.rings)
