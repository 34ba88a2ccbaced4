"""Grids: where the pixels are."""
from __future__ import annotations

from typing import Any, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import angle, angles, leading_shape, plain
from ._errors import check, choice, whole
from ._maps import Square
from ._native import ffi, lib

_RING = np.dtype([("theta", "f8"), ("nphi", "i8"), ("phi0", "f8"), ("offset", "i8"),
                  ("stride", "i8"), ("weight", "f8")])
assert _RING.itemsize == ffi.sizeof("armilla_ring")

_EQUIDISTANT = {name: getattr(lib, "ARMILLA_GRID_" + name)
                for name in ("CC", "F1", "F2", "DH", "MW", "MWSS", "MWFLIP")}
_KINDS = {getattr(lib, "ARMILLA_GRID_" + name.upper()): name
          for name in ("custom", "healpix", "gauss_legendre", "reduced_gauss_legendre")}
_KINDS.update({value: name for name, value in _EQUIDISTANT.items()})


def kind_name(number: int) -> str:
    """Of an armilla_grid_kind."""
    return _KINDS[number]


_ORDERS = {"phi": 0, "theta": 1}


class GridLayout(NamedTuple):
    """Where the pixels of a grid are: longitude in radians, strides in values. See Grid.laid_out.

    ring_stride: None where rings of different lengths follow one another.
    """

    phi0: float
    south_first: bool
    west_first: bool
    order: str
    ring_stride: Optional[int]
    pixel_stride: int

    def words(self) -> str:
        """What differs from the layout that families have, for people."""
        said = [f"phi0 {self.phi0:g}"] if self.phi0 else []
        said += ["south first"] if self.south_first else []
        said += ["west first"] if self.west_first else []
        return "".join(", " + word for word in said + (["along theta"] if self.order == "theta"
                                                       else []))


class Grid:
    """A list of iso-latitude rings with equidistant pixels. Immutable; made by class methods.

    Pixel j of ring r lies at colatitude theta[r], longitude phi0[r] + 2 pi j / nphi[r] (radians),
    and is map[offset[r] + j * stride[r]]. Its quadrature weight is weight[r] (steradians).
    """

    __slots__ = ("_grid", "_recipe", "_rings")
    _grid: Any
    _recipe: Tuple[str, tuple]
    _rings: Optional[np.ndarray]

    def __init__(self) -> None:
        raise TypeError("use Grid.healpix, Grid.gauss_legendre, Grid.equidistant, ...")

    @classmethod
    def _make(cls, recipe: Tuple[str, tuple], function: Any, *args: Any) -> "Grid":
        grid = ffi.new("armilla_grid **")
        check(function(*args, grid))
        self = object.__new__(cls)
        self._grid = ffi.gc(grid[0], lib.armilla_grid_free)
        self._recipe = recipe
        self._rings = None
        return self

    @classmethod
    def healpix(cls, nside: int, *, weights_lmax: Optional[int] = None) -> "Grid":
        """HEALPix in RING order, any nside >= 1.

        weights_lmax: ring weights that make the quadrature of degrees up to this one exact but for
        aliasing (0 to 4 nside - 2); None: equal weights 4 pi / npix.
        """
        recipe = ("_rebuild_healpix", (nside, weights_lmax))
        if weights_lmax is None:
            return cls._make(recipe, lib.armilla_grid_new_healpix, whole("nside", nside))
        return cls._make(recipe, lib.armilla_grid_new_healpix_weighted, whole("nside", nside),
                         whole("weights_lmax", weights_lmax))

    @classmethod
    def _rebuild_healpix(cls, nside: int, weights_lmax: Optional[int]) -> "Grid":
        return cls.healpix(nside, weights_lmax=weights_lmax)

    @classmethod
    def gauss_legendre(cls, nrings: int, nphi: int) -> "Grid":
        """nrings Gauss nodes, nphi pixels each: exact for lmax < nrings, nphi > 2 mmax.

        For maps that lie otherwise in memory or in longitude, see laid_out."""
        return cls._make(("gauss_legendre", (nrings, nphi)),
                         lib.armilla_grid_new_gauss_legendre, whole("nrings", nrings),
                         whole("nphi", nphi))

    @classmethod
    def reduced_gauss_legendre(cls, nrings: int, lmax: int) -> "Grid":
        """nrings Gauss nodes, fewer pixels near the poles: as many as lmax needs."""
        return cls._make(("reduced_gauss_legendre", (nrings, lmax)),
                         lib.armilla_grid_new_reduced_gauss_legendre, whole("nrings", nrings),
                         whole("lmax", lmax))

    @classmethod
    def equidistant(cls, kind: str, nrings: int, nphi: int) -> "Grid":
        """Equidistant colatitudes, nphi pixels on each ring, phi0 = 0; for maps that lie otherwise
        in memory or in longitude, see laid_out.

        kind: CC (both poles), F1, F2 (no pole), DH (north pole), MW (south pole), MWSS (both
        poles) or MWFLIP (north pole); upper or lower case.
        """
        number = _EQUIDISTANT.get(str(kind).upper())
        if number is None:
            raise ValueError(f"kind = {kind!r}: must be one of {', '.join(_EQUIDISTANT)}")
        return cls._make(("equidistant", (kind, nrings, nphi)),
                         lib.armilla_grid_new_equidistant, number, whole("nrings", nrings),
                         whole("nphi", nphi))

    @classmethod
    def custom(cls, theta: ArrayLike, nphi: ArrayLike, phi0: ArrayLike = 0.0,
               offset: Optional[ArrayLike] = None, stride: ArrayLike = 1,
               weight: ArrayLike = 0.0) -> "Grid":
        """Any rings in any order, no two pixels at one index.

        All arguments: one number per ring, or one number for all. theta, phi0: radians; offset:
        index of pixel 0 of the ring (default: one ring after the other); stride: from one pixel to
        the next; weight: steradians, for analysis, which has no other rule: a family's rings given
        so lose the family's, whose pixels laid_out moves.
        """
        theta, nphi, phi0, stride, weight = np.broadcast_arrays(
            *(np.atleast_1d(x) for x in (angles(theta, "theta"), nphi, angles(phi0, "phi0"), stride,
                                         angles(weight, "weight", "sr"))))
        if theta.ndim != 1:
            raise ValueError("rings: all arrays must have one dimension")
        if offset is None:
            offset = np.cumsum(nphi) - nphi
        rings = np.empty(theta.shape, _RING)
        for name, values in (("theta", theta), ("nphi", nphi), ("phi0", phi0), ("offset", offset),
                             ("stride", stride), ("weight", weight)):
            rings[name] = np.asarray(values).astype(_RING[name], casting="same_kind")
        return cls._from_rings(rings)

    @classmethod
    def _from_rings(cls, rings: np.ndarray) -> "Grid":
        pointer = ffi.cast("const armilla_ring *", rings.ctypes.data)
        return cls._make(("_from_rings", (rings,)), lib.armilla_grid_new_custom, len(rings),
                         pointer)

    def laid_out(self, *, phi0: float = 0.0, south_first: bool = False, west_first: bool = False,
                 order: str = "phi", ring_stride: Optional[int] = None,
                 pixel_stride: Optional[int] = None) -> "Grid":
        """The same rings with their pixels at other places. Kind, weights and exact rule stay, and
        so do the numbers of rings (north to south) and of pixels (eastward); `rings` tells where
        they are.

        phi0: radians, added to the longitudes of all pixels.
        south_first: the first row of a map is the ring furthest south.
        west_first: longitudes decrease along a row: pixel 0 of a ring is the last of its row.
        order: "phi", pixels of a ring are neighbours, rows one behind the other, maps of two
        dimensions have the shape (nrings, nphi); or "theta", pixels of one longitude are
        neighbours: (nphi, nrings), as SHTns has it.
        ring_stride, pixel_stride: values from one row to the next, and from pixel to pixel in a
        row, where there are gaps between them; None: no gaps.

            grid = Grid.equidistant("CC", 181, 360).laid_out(south_first=True)

        lays out a map whose first row is at the south pole. The shift phi0 is added to that of a
        grid which is laid out already; its other properties do not stay.
        """
        layout = ffi.new("armilla_grid_layout *")
        lib.armilla_grid_layout_init(layout)
        given = (angle("phi0", phi0), bool(south_first), bool(west_first), order, ring_stride,
                 pixel_stride)
        layout.phi0, layout.south_first, layout.west_first = given[:3]
        layout.theta_contiguous = choice("order", order, _ORDERS)
        for name, value in (("ring_stride", ring_stride), ("pixel_stride", pixel_stride)):
            if value is not None:
                if whole(name, value) < 1:
                    raise ValueError(f"{name} = {value}: must be at least 1")
                setattr(layout, name, value)
        return self._make(("_rebuild_laid_out", (self, *given)), lib.armilla_grid_new_laid_out,
                          self._grid, layout)

    @classmethod
    def _rebuild_laid_out(cls, grid: "Grid", *given: Any) -> "Grid":
        return grid.laid_out(**dict(zip(GridLayout._fields, given)))

    def subset(self, first: int, count: int, *, compact: bool = False) -> "Grid":
        """The rings first .. first + count - 1.

        compact: maps hold only these rings, one after the other from north to south; otherwise
        pixels keep their place in the full map.
        """
        first, count, compact = whole("first", first), whole("count", count), bool(compact)
        return self._make(("_rebuild_subset", (self, first, count, compact)),
                          lib.armilla_grid_new_subset, self._grid, first, count, int(compact))

    @classmethod
    def _rebuild_subset(cls, whole_grid: "Grid", first: int, count: int, compact: bool) -> "Grid":
        return whole_grid.subset(first, count, compact=compact)

    def __reduce__(self) -> Tuple[Any, ...]:
        name, args = self._recipe
        return _rebuild, (name, *args)

    @property
    def kind(self) -> str:
        """Family: "healpix", "gauss_legendre", "reduced_gauss_legendre", "CC", ..., "custom"."""
        return kind_name(lib.armilla_grid_get_kind(self._grid))

    @property
    def npix(self) -> int:
        """Number of values of a map (largest index + 1)."""
        return lib.armilla_grid_npix(self._grid)

    @property
    def nrings(self) -> int:
        """Number of rings."""
        return lib.armilla_grid_nrings(self._grid)

    @property
    def exact_lmax(self) -> int:
        """Largest lmax = mmax for which analysis inverts synthesis exactly; -1: none.

        The rings limit lmax, and nphi limits mmax: see exact_lmax_for."""
        return lib.armilla_grid_exact_lmax_for(self._grid, -1)

    def exact_lmax_for(self, mmax: int) -> int:
        """Largest lmax >= mmax for which analysis of orders up to mmax inverts synthesis exactly;
        -1: none, or nphi is too small for mmax (nphi > 2 mmax, on reduced grids less)."""
        mmax = whole("mmax", mmax)
        if mmax < 0:
            raise ValueError(f"mmax = {mmax}: must be at least 0")
        return lib.armilla_grid_exact_lmax_for(self._grid, mmax)

    @property
    def _rings_lmax(self) -> int:
        """What the rings allow, whatever nphi is: exact_lmax_for(0)."""
        return lib.armilla_grid_exact_lmax(self._grid)

    # --- Where the pixels of a map are ----------------------------------------------------------

    @property
    def layout(self) -> Optional[GridLayout]:
        """How it is laid out; None for custom rings, and subsets that are not compact."""
        told = ffi.new("armilla_grid_layout *")
        lib.armilla_grid_layout_init(told)
        if lib.armilla_grid_get_layout(self._grid, told):
            return None
        return GridLayout(told.phi0, bool(told.south_first), bool(told.west_first),
                          "theta" if told.theta_contiguous else "phi", told.ring_stride or None,
                          told.pixel_stride)

    @property
    def shape_2d(self) -> Optional[Tuple[int, int]]:
        """Shape of a map of two dimensions: (nrings, nphi), or (nphi, nrings) with order="theta";
        None where rings differ in their number of pixels or there is no layout."""
        square = self._square()
        return None if square is None else square.shape

    def _square(self) -> Optional[Square]:
        layout = self.layout
        if layout is None or layout.ring_stride is None:
            return None
        if self.kind in ("healpix", "reduced_gauss_legendre", "custom") and (
                np.ptp(self.rings["nphi"]) > 0):
            return None
        first = ffi.new("armilla_ring *")  # all rings are read only where they may differ
        check(lib.armilla_grid_ring(self._grid, 0, first))
        shape, strides = (self.nrings, first.nphi), (layout.ring_stride, layout.pixel_stride)
        along_theta = layout.order == "theta"
        return Square(shape[::-1] if along_theta else shape,
                      strides[::-1] if along_theta else strides, self.npix)

    def to_2d(self, map: np.ndarray) -> np.ndarray:
        """Maps (..., npix) as (..., *shape_2d), on the same memory: rows and columns as the grid
        is laid out."""
        square, map = self._needs_square(), plain(map, "map")
        leading_shape(map, (self.npix,), "map")
        return square.square(map)

    def from_2d(self, array: np.ndarray) -> np.ndarray:
        """Maps (..., *shape_2d) as (..., npix): on the same memory if its strides are those of the
        grid; else a copy, in which places that are no pixels are 0."""
        square, array = self._needs_square(), plain(array, "array")
        leading_shape(array, square.shape, "array")
        return square.line(array)

    def _needs_square(self) -> Square:
        square = self._square()
        if square is None:
            raise ValueError(f"{self!r} has no maps of two dimensions")
        return square

    @property
    def _dense(self) -> bool:
        """Are all the places of a map pixels, for certain?"""
        layout = self.layout
        if self.kind == "custom" or layout is None:
            return False
        if layout.ring_stride is None:
            return layout.pixel_stride == 1
        square = self._square()
        return square is not None and square.shape[0] * square.shape[1] == self.npix

    @property
    def rings(self) -> np.ndarray:
        """Rings as a read-only structured array, shape (nrings,): theta, nphi, phi0, offset,
        stride, weight."""
        if self._rings is None:
            rings = np.empty(self.nrings, _RING)
            first = ffi.cast("armilla_ring *", rings.ctypes.data)
            for i in range(len(rings)):
                check(lib.armilla_grid_ring(self._grid, i, first + i))
            rings.flags.writeable = False
            self._rings = rings
        return self._rings

    def __eq__(self, other: object) -> bool:
        """Whether both are of one family and have the same rings at the same places of a map."""
        if not isinstance(other, Grid):
            return NotImplemented
        if self is other:
            return True
        return (self.kind == other.kind and self.npix == other.npix
                and np.array_equal(self.rings, other.rings))

    def __hash__(self) -> int:
        return hash((self.kind, self.npix, self.nrings))

    def __repr__(self) -> str:
        nside = f"nside {(self.nrings + 1) // 4}, " if self.kind == "healpix" else ""
        layout = self.layout
        return (f"<armilla.Grid {self.kind}: {nside}{self.nrings} rings, {self.npix} pixels"
                f"{layout.words() if layout else ''}>")


def _rebuild(name: str, *args: Any) -> Grid:
    return getattr(Grid, name)(*args)
