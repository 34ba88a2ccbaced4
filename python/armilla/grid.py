"""Grids: where the pixels are."""
from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import angles
from ._errors import check, whole
from ._native import ffi, lib

_RING = np.dtype([("theta", "f8"), ("nphi", "i8"), ("phi0", "f8"), ("offset", "i8"),
                  ("stride", "i8"), ("weight", "f8")])
assert _RING.itemsize == ffi.sizeof("armilla_ring")

_EQUIDISTANT = {name: getattr(lib, "ARMILLA_GRID_" + name)
                for name in ("CC", "F1", "F2", "DH", "MW", "MWSS", "MWFLIP")}
_KINDS = {getattr(lib, "ARMILLA_GRID_" + name.upper()): name
          for name in ("custom", "healpix", "gauss_legendre", "reduced_gauss_legendre")}
_KINDS.update({value: name for name, value in _EQUIDISTANT.items()})


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
        """nrings Gauss nodes, nphi pixels each: exact for lmax < nrings, nphi > 2 mmax."""
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
        """Equidistant colatitudes, nphi pixels on each ring, phi0 = 0.

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
        the next; weight: steradians, for analysis.
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

    def subset(self, first: int, count: int, *, compact: bool = False) -> "Grid":
        """The rings first .. first + count - 1.

        compact: maps hold only these rings; otherwise pixels keep their place in the full map.
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
        return _KINDS[lib.armilla_grid_get_kind(self._grid)]

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
        """Largest lmax for which analysis inverts synthesis exactly if nphi > 2 mmax; -1: none."""
        return lib.armilla_grid_exact_lmax(self._grid)

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
        return f"<armilla.Grid {self.kind}: {nside}{self.nrings} rings, {self.npix} pixels>"


def _rebuild(name: str, *args: Any) -> Grid:
    return getattr(Grid, name)(*args)
