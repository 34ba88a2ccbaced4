"""Maps of two dimensions, (..., nrings, nphi) or (..., nphi, nrings), as the library's lines of
npix values: without a copy wherever the array has the strides of the grid."""
from __future__ import annotations

import math
from typing import Any, Optional, Tuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

Shape = Tuple[int, ...]


class Square:
    """How a line of npix values and an array of two dimensions are the same memory.

    shape: of the array; strides: of its axes, in values. Values between its elements are gaps.
    """

    __slots__ = ("shape", "strides", "npix", "packed")

    def __init__(self, shape: Tuple[int, int], strides: Tuple[int, int], npix: int) -> None:
        self.shape, self.strides, self.npix = shape, strides, npix
        self.packed = math.prod(shape) == npix and strides == (shape[1], 1)  # C order, no gaps

    def _fits(self, array: np.ndarray) -> bool:
        """Can the array's memory be read as lines, one for each of its leading axes' places?"""
        size = array.itemsize
        inner = zip(self.shape, array.strides[-2:], self.strides)
        outer = zip(array.shape[:-2], array.strides[:-2])
        return (all(length == 1 or have == want * size for length, have, want in inner)
                and all(length == 1 or have >= self.npix * size for length, have in outer))

    def line(self, array: np.ndarray) -> np.ndarray:
        """(..., *shape) -> (..., npix): on the same memory, or a copy whose gaps are 0."""
        lead = array.shape[:-2]
        if isinstance(array, np.ma.MaskedArray):
            return np.ma.MaskedArray(self.line(np.ma.getdata(array)),
                                     self.line(np.ma.getmaskarray(array)))
        if self.packed:
            return array.reshape(lead + (self.npix,))
        if self._fits(array):
            return as_strided(array, lead + (self.npix,), array.strides[:-2] + (array.itemsize,),
                              writeable=array.flags.writeable)
        made: np.ndarray = np.zeros(lead + (self.npix,), array.dtype)
        self.square(made)[...] = array
        return made

    def square(self, line: np.ndarray) -> np.ndarray:
        """(..., npix) -> (..., *shape) on the same memory."""
        lead = line.shape[:-1]
        if self.packed and line.flags.c_contiguous:
            return line.reshape(lead + self.shape)
        step = line.strides[-1]
        return as_strided(line, lead + self.shape,
                          line.strides[:-1] + (self.strides[0] * step, self.strides[1] * step),
                          writeable=line.flags.writeable)


class MapShape:
    """The shapes that maps of a plan may have, and which one new maps get.

    flat: (npix,) or (ncomp, npix); square: the same with two dimensions, None: there is none.
    """

    __slots__ = ("flat", "square", "tail", "makes_flat", "_as", "_ncomp")

    def __init__(self, ncomp: int, npix: int, square: Optional[Square],
                 two_dimensional: bool) -> None:
        components = (ncomp,) if ncomp > 1 else ()
        if two_dimensional and square is None:
            raise ValueError("two_dimensional = True: the grid's rings differ in their number of "
                             "pixels, or have no layout (Grid.laid_out)")
        self._as, self._ncomp = square, ncomp
        self.flat: Shape = components + (npix,)
        self.square: Optional[Shape] = None if square is None else components + square.shape
        self.tail: Shape = self.square if two_dimensional and self.square else self.flat
        self.makes_flat = self.tail is self.flat

    def is_square(self, shape: Shape) -> bool:
        """Has an array of this shape two dimensions for the pixels? Where both can be meant, the
        shape of new maps decides."""
        if self.square is None or shape[-len(self.square):] != self.square:
            return False
        return self.tail is self.square or shape[-len(self.flat):] != self.flat

    @classmethod
    def on(cls, grid: Any, ncomp: int = 1) -> MapShape:
        """Of calls that take maps of a grid in either shape."""
        return cls(ncomp, grid.npix, grid._square(), False)

    def like(self, values: Any) -> MapShape:
        """Of the result of a call from maps to maps, which has two dimensions for the pixels where
        what was given has."""
        if self._as is None or not self.makes_flat:
            return self
        shape = values.shape if isinstance(values, np.ndarray) else np.shape(values)
        if shape == self.flat or not self.is_square(shape):
            return self
        assert self._as is not None
        return MapShape(self._ncomp, self._as.npix, self._as, True)

    def line(self, values: Any) -> Any:
        """A map, or whatever it is, with one dimension for the pixels."""
        square = self._as
        if square is None or not isinstance(values, np.ndarray) or (
                self.makes_flat and values.shape == self.flat):
            return values
        return square.line(values) if self.is_square(values.shape) else values

    def pixels(self, values: Any) -> Any:
        """The same of what has one value for each pixel: weights, a mask."""
        square = self._as
        if values is None or square is None:
            return values
        if np.shape(values) != square.shape or square.shape == (1, square.npix):
            return values
        return square.line(np.asanyarray(values))

    @property
    def are_lines(self) -> bool:
        """Are new maps, in C's order, the library's lines of npix values?"""
        return self.makes_flat or self._as is None or self._as.packed

    def output(self, out: Any, lead: Shape) -> Any:
        """What the library may write for `out`, None: it shall be new. lead: leading axes."""
        if self._as is None or not isinstance(out, np.ndarray):
            return out
        if not out.flags.writeable:
            raise ValueError("out: is read-only")
        return self._as.line(out) if out.shape == lead + (self.square or ()) else out

    def result(self, made: np.ndarray, given: Any, out: Any) -> Any:
        """The caller's map. made: what was written, of one dimension; given: output(out)."""
        square = self._as
        if square is None or given is out is not None:
            return made
        if out is None:
            return made if self.makes_flat else square.square(made)
        if not np.may_share_memory(given, out):
            out[...] = square.square(made)
        return out

    def shaped(self, made: np.ndarray, shapes: MapShape) -> np.ndarray:
        """A new map of a plan in the shape that `like` has found."""
        return made if shapes is self else shapes.result(made, None, None)

    def device_line(self, array: Any, name: str) -> None:
        """The shape of one dimension for an array in a GPU's memory, which nobody copies."""
        if not self.is_square(array.shape):
            return
        assert self._as is not None and self.square is not None
        if array.distance or not self._as.packed:
            raise ValueError(f"{name}: has shape {array.shape}; in device memory such maps must be "
                             "contiguous, and the grid must have no gaps between its rows")
        array.shape = array.shape[:-len(self.square)] + self.flat

    def device_tail(self) -> Shape:
        """Shape of new maps in a GPU's memory."""
        if not self.are_lines:
            raise ValueError("two_dimensional = True: needs a grid without gaps between its rows, "
                             "or `out`, for maps in device memory")
        return self.tail
