"""Grids: where the pixels are."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import angle, angles, leading_shape, plain, real_array
from ._errors import characters, check, choice, shown, whole
from ._grid_places import areas_of_rings, directions, rounded, spread
from ._hints import Hinted, absent_of, by_name
from ._maps import Square
from ._native import ffi, lib
from ._types import Equidistant, Order

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
    """Where the pixels of a grid are in a map: what `Grid.laid_out` sets.

    Attributes
    ----------
    phi0 : float
        Longitude that is added to all pixels, in radians.
    south_first : bool
        Whether the first row of a map is the ring furthest south.
    west_first : bool
        Whether longitudes decrease along a row.
    order : {"phi", "theta"}
        Whether neighbours in memory lie on a ring, or on a meridian.
    ring_stride : int or None
        Values from one row to the next; None where rings of different lengths follow one another.
    pixel_stride : int
        Values from one pixel of a row to the next.
    nested : bool
        Whether the pixels of HEALPix are in NESTED order.
    """

    phi0: float
    south_first: bool
    west_first: bool
    order: Order
    ring_stride: Optional[int]
    pixel_stride: int
    nested: bool = False

    def words(self) -> str:
        """Return what differs from the layout of a new grid, for people.

        Returns
        -------
        str
            Text such as ", south first", or an empty one.
        """
        said = [f"phi0 {self.phi0:g}"] if self.phi0 else []
        said += ["south first"] if self.south_first else []
        said += ["west first"] if self.west_first else []
        said += ["NESTED"] if self.nested else []
        return "".join(", " + word for word in said + (["along theta"] if self.order == "theta"
                                                       else []))


class Grid(metaclass=Hinted):
    """A list of iso-latitude rings with equidistant pixels.

    Grids are immutable. ``Grid("O32")`` makes the grid of a name, and class methods make all of
    them: `named`, `healpix`, `gauss_legendre`, `reduced_gauss_legendre`, `octahedral`, `classic`,
    `reduced`, `equidistant` and `custom`, and `from_latlon` and `from_wcs` from coordinates.

    Parameters
    ----------
    name : str
        A name that `named` takes.

    See Also
    --------
    SHT : Transforms between coefficients and maps on a grid.

    Notes
    -----
    Pixel j of ring r lies at the colatitude ``theta[r]`` and the longitude ``phi0[r] + 2 pi j /
    nphi[r]``, in radians. Its value is ``map[offset[r] + j * stride[r]]``, and its quadrature
    weight is ``weight[r]``, in steradians. These numbers are columns of the array `rings`. In
    NESTED order ``stride`` is 0, for there is no such distance, and ``offset`` is the place of
    pixel 0; `armilla.healpix.ring_to_nest` has the others.

    Two grids are equal if they are of one family and have the same rings at the same places of a
    map. Grids can be pickled.

    Examples
    --------
    >>> import armilla
    >>> grid = armilla.Grid("H64")
    >>> grid
    <armilla.Grid H64: healpix, nside 64, 255 rings, 49152 pixels>
    >>> grid.rings["nphi"][:4]
    array([ 4,  8, 12, 16])
    >>> theta, phi = grid.pixels()
    >>> theta.shape
    (49152,)
    """

    __slots__ = ("_grid", "_recipe", "_rings", "_found")
    _grid: Any
    _recipe: Tuple[str, tuple]
    _rings: Optional[np.ndarray]
    _found: Optional[Tuple[Optional[Square], bool]]  # _square and _dense, once asked for

    if not TYPE_CHECKING:
        __getattr__ = absent_of("grid")

    @by_name
    def __init__(self, name: str) -> None:
        if isinstance(name, (int, np.integer)):
            raise TypeError(f"name = {name}: must be a str, such as 'O32' or 'H{name}'; "
                            f"Grid.healpix({name}) and Grid.octahedral({name}) take numbers")
        made = self.named(name)
        self._grid, self._recipe, self._rings = made._grid, made._recipe, None
        self._found = None

    @classmethod
    def _make(cls, recipe: Tuple[str, tuple], function: Any, *args: Any) -> "Grid":
        grid = ffi.new("armilla_grid **")
        check(function(*args, grid))
        self = object.__new__(cls)
        self._grid = ffi.gc(grid[0], lib.armilla_grid_free)
        self._recipe = recipe
        self._rings = self._found = None
        return self

    @classmethod
    def healpix(cls, nside: int, *, weights_lmax: Optional[int] = None, nested: bool = False
                ) -> "Grid":
        """Make a HEALPix grid.

        Parameters
        ----------
        nside : int
            Resolution, 1 or more; any integer, not only powers of two.
        weights_lmax : int, optional
            Degree, up to 4 nside - 2 (at a large nside up to 3.5 nside), up to which weights of
            the rings make the quadrature exact but for aliasing along the rings. By default all
            pixels have the weight 4 pi / npix.
        nested : bool, optional
            Whether maps are in NESTED order, for which `nside` must be a power of two. By default
            they are in RING order. Transforms take as much memory and have the same bits.

        Returns
        -------
        Grid
            The grid of 12 nside^2 pixels on 4 nside - 1 rings.

        Raises
        ------
        ValueError
            If `nside` or `weights_lmax` is out of range.

        See Also
        --------
        SHT.pseudo_analysis : Analysis by iteration, which converges where weights are not enough.

        Notes
        -----
        No weights make the analysis of HEALPix exact: up to lmax = 2 nside the rms error of the
        coefficients is some 1e-3 of their rms with equal weights, and less at low degrees with
        `weights_lmax`.

        Examples
        --------
        >>> import armilla
        >>> armilla.Grid.healpix(256).npix
        786432
        >>> armilla.Grid.healpix(256, nested=True)
        <armilla.Grid H256n: healpix, nside 256, 1023 rings, 786432 pixels, NESTED>
        """
        if nested:
            return cls.healpix(nside, weights_lmax=weights_lmax).laid_out(nested=True)
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
        """Make a Gauss-Legendre grid: rings at the Gauss nodes, all of one length.

        Parameters
        ----------
        nrings : int
            Number of rings, 1 or more.
        nphi : int
            Number of pixels of each ring, 1 or more.

        Returns
        -------
        Grid
            The grid, whose analysis is exact for lmax < nrings and mmax < nphi / 2.

        %(Raises.number)s

        See Also
        --------
        Grid.laid_out : The same grid for maps that lie otherwise in memory.
        Grid.reduced_gauss_legendre : Fewer pixels near the poles.

        Examples
        --------
        >>> import armilla
        >>> grid = armilla.Grid.gauss_legendre(128, 256)
        >>> grid.exact_lmax, grid.shape_2d
        (127, (128, 256))
        """
        return cls._make(("gauss_legendre", (nrings, nphi)),
                         lib.armilla_grid_new_gauss_legendre, whole("nrings", nrings),
                         whole("nphi", nphi))

    @classmethod
    def reduced_gauss_legendre(cls, nrings: int, lmax: int) -> "Grid":
        """Make a Gauss-Legendre grid with fewer pixels near the poles.

        Each ring has as many pixels as fields of a band limit need.

        Parameters
        ----------
        nrings : int
            Number of rings, 1 or more.
        lmax : int
            Largest degree of the fields that the grid is made for, less than `nrings`.

        Returns
        -------
        Grid
            The grid, whose analysis is exact up to `lmax`.

        %(Raises.number)s

        Examples
        --------
        >>> import armilla
        >>> grid = armilla.Grid.reduced_gauss_legendre(128, 127)
        >>> grid.exact_lmax, grid.npix < 128 * 255
        (127, True)
        """
        return cls._make(("reduced_gauss_legendre", (nrings, lmax)),
                         lib.armilla_grid_new_reduced_gauss_legendre, whole("nrings", nrings),
                         whole("lmax", lmax))

    @classmethod
    def named(cls, name: str) -> "Grid":
        """Make the grid of a name. Every function that takes a grid takes its name, too.

        Parameters
        ----------
        name : str
            "O1280", "N320" and "F640" (octahedral, classic reduced and full Gaussian grids of 2 n
            rings), "H512" and "H512n" (HEALPix in RING and in NESTED order; also "healpix:512" and
            "healpix:512:nested"), "gl:257x512", "cc:721x1440", and likewise "f1", "f2", "dh",
            "mw", "mwss", "mwflip" (rings and pixels of each), "rgl:257:256"
            (`reduced_gauss_legendre`). Letters may be in upper or lower case. Names of other
            programs are the grids that they are there: "0.25" (ECMWF's degrees), "r360x180",
            "global_0.5" and "hp64" (CDO; rows from south to north, HEALPix in NESTED order),
            "TCo1279", "TL639" and "T63" (truncations).

        Returns
        -------
        Grid
            The grid.

        Raises
        ------
        ValueError
            If there is no such grid; the message tells the nearest name that there is.

        See Also
        --------
        Grid.name : The name of a grid.

        Examples
        --------
        >>> import armilla
        >>> armilla.Grid.named("O32") == armilla.Grid.octahedral(32)
        True
        >>> armilla.SHT("F32", lmax=63).grid.name
        'F32'

        CDO's regular grid, whose rows go from south to north, half a degree from the poles:

        >>> armilla.Grid.named("r360x180").layout.south_first
        True
        """
        if not isinstance(name, str):
            raise TypeError(f"name: must be a str, not {type(name).__name__}")
        return cls._make(("named", (name,)), lib.armilla_grid_new_named,
                         characters("name", name))

    @classmethod
    def reduced(cls, nphi: ArrayLike) -> "Grid":
        """Make a Gauss-Legendre grid of rings with any numbers of pixels.

        Parameters
        ----------
        nphi : array_like of int, shape (nrings,)
            Number of pixels of each ring, from north to south, such as the `pl` of a GRIB file.

        Returns
        -------
        Grid
            The grid of as many Gauss-Legendre rings, with phi0 = 0.

        Raises
        ------
        ValueError
            If there are no rings, or a number is out of range.

        See Also
        --------
        Grid.octahedral, Grid.classic : Grids of weather models.
        Grid.exact_lmax_for : Tells up to which lmax analysis is exact, which depends on `nphi`.

        Examples
        --------
        >>> import armilla
        >>> armilla.Grid.reduced([20, 25, 25, 20])
        <armilla.Grid reduced_gauss_legendre: 4 rings, 90 pixels>
        """
        lengths = np.asarray(nphi)
        if lengths.ndim != 1 or lengths.dtype.kind not in "iu":
            raise ValueError("nphi: must be a list of whole numbers, one for each ring")
        lengths = np.ascontiguousarray(lengths, np.int64)
        return cls._make(("reduced", (lengths,)), lib.armilla_grid_new_reduced, len(lengths),
                         ffi.cast("const int64_t *", lengths.ctypes.data))

    @classmethod
    def octahedral(cls, n: int) -> "Grid":
        """Make ECMWF's octahedral reduced Gaussian grid O<n>.

        Parameters
        ----------
        n : int
            Number of rings from a pole to the equator. The i-th of them has 16 + 4 i pixels.

        Returns
        -------
        Grid
            The grid of 2 n rings and 4 n (n + 9) pixels.

        Raises
        ------
        ValueError
            If `n` is out of range.

        See Also
        --------
        Grid.classic : The grids of earlier models.

        Notes
        -----
        With lmax = n - 1 (cubic truncation, TCo) analysis is exact to some 1e-13. It is not with
        4 n / 3 or 2 n - 1 (quadratic, linear).

        Examples
        --------
        >>> import armilla
        >>> grid = armilla.Grid.octahedral(1280)
        >>> grid.npix, grid.exact_lmax >= 1279
        (6599680, True)
        """
        return cls._make(("octahedral", (n,)), lib.armilla_grid_new_octahedral, whole("n", n))

    @classmethod
    def classic(cls, n: int) -> "Grid":
        """Make ECMWF's classic reduced Gaussian grid N<n>, whose rings are in a published table.

        Parameters
        ----------
        n : int
            Number of rings from a pole to the equator: 16, 24, 32, 48, 64, 80, 96, 128, 160, 200,
            256, 320, 400, 512, 576, 640, 800, 1024, 1280, 1600, 2000, 4000 or 8000.

        Returns
        -------
        Grid
            The grid of 2 n rings, with 4 n pixels next to the equator.

        Raises
        ------
        ValueError
            If there is no such table; the message names the nearest.

        See Also
        --------
        Grid.octahedral : The grids of today's models.
        Grid.reduced : Rings from a list.

        Notes
        -----
        With lmax = 2 n - 1 (linear truncation, TL), for which these grids were made, analysis is
        exact to some 1e-5. With n or less it is exact.

        Examples
        --------
        >>> import armilla
        >>> armilla.Grid.classic(320).npix
        542080
        """
        return cls._make(("classic", (n,)), lib.armilla_grid_new_classic, whole("n", n))

    @classmethod
    def equidistant(cls, kind: Equidistant, nrings: int, nphi: int) -> "Grid":
        """Make a grid of rings at equidistant colatitudes, all of one length, with phi0 = 0.

        Parameters
        ----------
        kind : {"CC", "F1", "F2", "DH", "MW", "MWSS", "MWFLIP"}
            Which colatitudes, in upper or lower case: "CC" (Clenshaw-Curtis) and "MWSS" have rings
            at both poles, "F1" (Fejer's first rule) and "F2" at none, "DH" (Driscoll-Healy) and
            "MWFLIP" at the north pole, "MW" (McEwen-Wiaux) at the south pole.
        %(nrings)s
        nphi : int
            Number of pixels of each ring, 1 or more.

        Returns
        -------
        Grid
            The grid; `exact_lmax` tells how far its analysis is exact.

        Raises
        ------
        ValueError
            If `kind` is unknown, or a number is out of range.

        See Also
        --------
        Grid.laid_out : The same grid for maps that lie otherwise in memory.

        Examples
        --------
        >>> import armilla
        >>> grid = armilla.Grid.equidistant("CC", 181, 360)
        >>> grid.exact_lmax
        179
        """
        number = _EQUIDISTANT.get(str(kind).upper())
        if number is None:
            raise ValueError(f"kind = {shown(kind)}: must be one of {', '.join(_EQUIDISTANT)}")
        return cls._make(("equidistant", (kind, nrings, nphi)),
                         lib.armilla_grid_new_equidistant, number, whole("nrings", nrings),
                         whole("nphi", nphi))

    @classmethod
    def custom(cls, theta: ArrayLike, nphi: ArrayLike, phi0: ArrayLike = 0.0,
               offset: Optional[ArrayLike] = None, stride: ArrayLike = 1,
               weight: ArrayLike = 0.0) -> "Grid":
        """Make a grid of any rings, in any order, with no two pixels at one place of a map.

        Each argument is one number for all rings, or one number per ring.

        Parameters
        ----------
        theta : array_like
            Colatitudes, 0 to pi, in radians.
        nphi : array_like of int
            Numbers of pixels.
        phi0 : array_like, optional
            Longitudes of the first pixels, in radians.
        offset : array_like of int, optional
            Places of the first pixels in a map. By default one ring follows the other.
        stride : array_like of int, optional
            Places from one pixel of a ring to the next.
        weight : array_like, optional
            Quadrature weights of the pixels in steradians, for analysis.

        Returns
        -------
        Grid
            The grid.

        Raises
        ------
        ValueError
            If a number is out of range, or two pixels share a place.
        TypeError
            If something other than an integer is given where one is needed.

        See Also
        --------
        Grid.laid_out : Moves the pixels of a family of grids and keeps its exact rule.

        Notes
        -----
        The weights given here are the only rule of a custom grid: with the rings of a family it
        does not have the exact rule of the family, and `SHT.analysis` warns of that.

        Examples
        --------
        >>> import armilla, numpy as np
        >>> theta = np.radians([30, 60, 90, 120, 150])
        >>> grid = armilla.Grid.custom(theta, nphi=[8, 16, 16, 16, 8])
        >>> grid.nrings, grid.npix
        (5, 64)
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
            rings[name] = real_array(values, name).astype(_RING[name], casting="same_kind")
        return cls._from_rings(rings)

    @classmethod
    def _from_rings(cls, rings: np.ndarray) -> "Grid":
        pointer = ffi.cast("const armilla_ring *", rings.ctypes.data)
        return cls._make(("_from_rings", (rings,)), lib.armilla_grid_new_custom, len(rings),
                         pointer)

    @classmethod
    def from_latlon(cls, lat: ArrayLike, lon: ArrayLike) -> "Grid":
        """Make the grid whose maps have these latitudes and longitudes.

        Parameters
        ----------
        lat : array_like, shape (ny,)
            Latitudes of the rows of a map in degrees, rising or falling. Arrays of xarray have
            their units with them.
        lon : array_like, shape (nx,)
            Longitudes of its columns in degrees, eastward or westward from any meridian, a whole
            circle. Both may also have the shape (ny, nx), as of `numpy.meshgrid`, or one value for
            each pixel of a reduced Gaussian grid or of HEALPix, ring after ring.

        Returns
        -------
        Grid
            The grid: of a family, with its exact rule, where rows are at its latitudes (to 2 % of
            their distance, at most 6e-4 degrees); a subset of "CC" or "F1" for equidistant rows
            that do not reach the poles; else rings of their own without weights. Its `layout` has
            the order of the rows and columns.

        Raises
        ------
        ValueError
            If rows are no whole circles, if latitudes do not rise or fall all the way, or values
            are radians; the message tells the way out.

        See Also
        --------
        Grid.from_wcs : From the header of an image.
        armilla.xarray : Finds the grid of labelled arrays.

        Examples
        --------
        >>> import armilla, numpy as np
        >>> armilla.Grid.from_latlon(np.linspace(-90, 90, 181), np.arange(-180, 180))
        <armilla.Grid CC: 181 rings of 360, 65160 pixels, phi0 -3.14159, south first>
        """
        from ._grid_rows import from_latlon
        return from_latlon(lat, lon)

    @classmethod
    def from_wcs(cls, wcs: Any, shape: Tuple[int, ...]) -> "Grid":
        """Make the grid of an image in a cylindrical projection, such as CAR.

        Parameters
        ----------
        wcs : astropy.wcs.WCS or the like
            World coordinate system, with the method ``wcs_pix2world`` or ``pixel_to_world_values``;
            `pixell.enmap` has it as ``map.wcs``.
        shape : tuple of int
            Shape of the image, (..., ny, nx).

        Returns
        -------
        Grid
            The grid with ``shape_2d == (ny, nx)``, whose rows and columns are those of the image:
            maps go in and out as they are. Images of the whole sky have the exact rule of "CC" or
            "F1"; those of some rows only are subsets of these grids; other rows, as of CEA and MER,
            have no weights, for `SHT.pseudo_analysis`.

        Raises
        ------
        ValueError
            If rows are not circles of latitude, or no whole circles; the message tells the way out.
        TypeError
            If `wcs` has no such method.

        See Also
        --------
        Grid.from_latlon : From latitudes and longitudes.

        Notes
        -----
        Longitudes and latitudes are those of the image, whether right ascension and declination or
        others; nothing is rotated. An image of a part of the circle goes into one of the whole
        circle first, with 0 where nothing is known (``pixell.enmap.extract``), or to
        `armilla.Points`.

        Examples
        --------
        >>> import armilla, numpy as np
        >>> class Wcs:                              # a stand-in for astropy's
        ...     def wcs_pix2world(self, x, y, origin):
        ...         return 180.0 - x, -90.0 + y
        >>> grid = armilla.Grid.from_wcs(Wcs(), (181, 360))
        >>> grid
        <armilla.Grid CC: 181 rings of 360, 65160 pixels, phi0 -3.12414, south first, west first>
        >>> grid.lat[:2], grid.lon[:2]
        (array([-90., -89.]), array([180., 179.]))
        """
        from ._grid_rows import from_wcs
        return from_wcs(wcs, shape)

    def laid_out(self, *, phi0: float = 0.0, south_first: bool = False, west_first: bool = False,
                 order: Order = "phi", ring_stride: Optional[int] = None,
                 pixel_stride: Optional[int] = None, nested: bool = False) -> "Grid":
        """Make a grid of the same rings whose pixels are at other places of a map.

        Kind, weights and exact rule stay, and so do the numbers of rings (from north to south) and
        of pixels (eastward); `rings` tells where they are.

        Parameters
        ----------
        phi0 : float, optional
            Longitude that is added to all pixels, in radians. It adds to that of a grid which is
            laid out already, whose other properties do not stay.
        south_first : bool, optional
            Whether the first row of a map is the ring furthest south.
        west_first : bool, optional
            Whether longitudes decrease along a row, so that pixel 0 of a ring is the last of its
            row.
        order : {"phi", "theta"}, optional
            With "phi" the pixels of a ring are neighbours and maps of two dimensions have the
            shape (nrings, nphi). With "theta" the pixels of a meridian are neighbours and the
            shape is (nphi, nrings), as SHTns has it.
        ring_stride : int, optional
            Values from one row to the next. By default there are no gaps.
        pixel_stride : int, optional
            Values from pixel to pixel in a row. By default there are no gaps.
        nested : bool, optional
            Whether the pixels of HEALPix are in NESTED order; the other arguments must then have
            their defaults, and nside must be a power of two.

        Returns
        -------
        Grid
            The new grid.

        Raises
        ------
        ValueError
            If a number is out of range, or the rings have no such layout.

        See Also
        --------
        SHT : Takes maps of two dimensions, too.

        Examples
        --------
        A map whose first row is at the south pole:

        >>> import armilla
        >>> grid = armilla.Grid.equidistant("CC", 181, 360).laid_out(south_first=True)
        >>> grid
        <armilla.Grid CC: 181 rings of 360, 65160 pixels, south first>
        >>> grid.shape_2d
        (181, 360)
        """
        layout = ffi.new("armilla_grid_layout *")
        lib.armilla_grid_layout_init(layout)
        given = (angle("phi0", phi0), bool(south_first), bool(west_first), order, ring_stride,
                 pixel_stride, bool(nested))
        layout.phi0, layout.south_first, layout.west_first = given[:3]
        layout.nested = bool(nested)
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
        """Make a grid of some neighbouring rings.

        Parameters
        ----------
        first : int
            The first ring, counted from 0.
        count : int
            Number of rings.
        compact : bool, optional
            Whether maps hold only these rings, one after the other from north to south. By default
            pixels keep their places in the map of the whole grid.

        Returns
        -------
        Grid
            The grid of the rings ``first`` to ``first + count - 1``.

        Raises
        ------
        ValueError
            If the grid has no such rings.

        Examples
        --------
        >>> import armilla
        >>> cap = armilla.Grid.healpix(64).subset(0, 32, compact=True)
        >>> cap.nrings, cap.npix
        (32, 2112)
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
        """Family of the grid: "healpix", "gauss_legendre", "CC", ... or "custom"."""
        return kind_name(lib.armilla_grid_get_kind(self._grid))

    @property
    def name(self) -> Optional[str]:
        """Name of the grid, such as "O1280", which `named` takes.

        It is None where there is none: for custom rings, subsets, layouts (but NESTED order) and
        HEALPix with weights.
        """
        text = ffi.new("char[]", lib.ARMILLA_GRID_NAME_SIZE)
        status = lib.armilla_grid_name(self._grid, text)
        if status == lib.ARMILLA_ERROR_ARGUMENT:
            return None
        check(status)
        return ffi.string(text).decode()

    @property
    def npix(self) -> int:
        """Number of values of a map: the largest place of a pixel plus 1."""
        return lib.armilla_grid_npix(self._grid)

    @property
    def nrings(self) -> int:
        """Number of rings."""
        return lib.armilla_grid_nrings(self._grid)

    @property
    def exact_lmax(self) -> int:
        """Largest lmax = mmax for which analysis inverts synthesis; -1 if there is none.

        The rings limit lmax, and the number of their pixels limits mmax: see `exact_lmax_for`.
        """
        return lib.armilla_grid_exact_lmax_for(self._grid, -1)

    def exact_lmax_for(self, mmax: int) -> int:
        """Return the largest lmax for which analysis of orders up to mmax inverts synthesis.

        Parameters
        ----------
        mmax : int
            Largest order, 0 or more.

        Returns
        -------
        int
            A degree of at least `mmax`; -1 if the grid has no exact rule, or rings that are too
            short (nphi > 2 mmax is needed; less on reduced grids).

        Raises
        ------
        ValueError
            If `mmax` is negative.

        Examples
        --------
        >>> import armilla
        >>> grid = armilla.Grid.gauss_legendre(128, 64)
        >>> grid.exact_lmax, grid.exact_lmax_for(31), grid.exact_lmax_for(32)
        (31, 127, -1)
        """
        mmax = whole("mmax", mmax)
        if mmax < 0:
            raise ValueError(f"mmax = {mmax}: must be at least 0")
        return lib.armilla_grid_exact_lmax_for(self._grid, mmax)

    def ectrans_limits(self, lmax: int) -> np.ndarray:
        """Return the largest order of each ring in ECMWF's transform package ecTrans.

        Parameters
        ----------
        lmax : int
            Truncation, 0 or more. The rule depends on whether it is linear, quadratic or cubic.

        Returns
        -------
        ndarray of int, shape (nrings,)
            Orders, 0 to `lmax`.

        Raises
        ------
        ValueError
            If `lmax` is out of range.

        See Also
        --------
        SHT : Takes them as ``ring_orders="ectrans"``, or changed as a list.

        Examples
        --------
        >>> import armilla
        >>> armilla.Grid.named("O1280").ectrans_limits(1279)[:4]
        array([ 8, 10, 12, 14])
        """
        limits = np.empty(self.nrings, np.int64)
        check(lib.armilla_grid_ectrans_limits(self._grid, whole("lmax", lmax), ffi.cast(
            "int64_t *", limits.ctypes.data)))
        return limits

    @property
    def _rings_lmax(self) -> int:
        """What the rings allow, whatever nphi is: exact_lmax_for(0)."""
        return lib.armilla_grid_exact_lmax(self._grid)

    # --- Where the pixels of a map are ----------------------------------------------------------

    @property
    def layout(self) -> Optional[GridLayout]:
        """Where the pixels are: a GridLayout.

        It is None for custom rings, and for subsets that are not compact.
        """
        told = ffi.new("armilla_grid_layout *")
        lib.armilla_grid_layout_init(told)
        if lib.armilla_grid_get_layout(self._grid, told):
            return None
        return GridLayout(told.phi0, bool(told.south_first), bool(told.west_first),
                          "theta" if told.theta_contiguous else "phi", told.ring_stride or None,
                          told.pixel_stride, bool(told.nested))

    @property
    def nside(self) -> int:
        """Resolution of HEALPix; grids of other families have no such attribute."""
        if self.kind != "healpix":
            raise AttributeError(f"nside: {self!r} is not HEALPix; nrings and npix tell its size")
        return (self.nrings + 1) // 4

    @property
    def theta(self) -> np.ndarray:
        """Colatitudes of the rings in radians, shape (nrings,), in the order of rows of a map."""
        layout, theta = self.layout, self.rings["theta"]
        return np.array(theta[::-1] if layout is not None and layout.south_first else theta)

    @property
    def lat(self) -> np.ndarray:
        """Latitudes of the rings in degrees, shape (nrings,), in the order of rows of a map."""
        return rounded(90 - np.degrees(self.theta))

    @property
    def phi(self) -> np.ndarray:
        """Longitudes of the columns of a map in radians, shape (nphi,), rising or falling.

        Grids whose rings differ have no such attribute; `pixels` has the longitudes of all.
        """
        first, turns = self._columns("phi")
        return first + 2 * np.pi * turns

    @property
    def lon(self) -> np.ndarray:
        """Longitudes of the columns of a map in degrees, shape (nphi,), rising or falling.

        Grids whose rings differ have no such attribute; `pixels` has the longitudes of all.
        """
        first, turns = self._columns("lon")
        return rounded(np.degrees(first) + 360 * turns)

    def _columns(self, name: str) -> Tuple[float, np.ndarray]:
        """The longitude of pixel 0 of all rings, and how far columns are from it, in turns."""
        square, rings, layout = self._square(), self.rings, self.layout
        if square is None or layout is None or np.ptp(rings["phi0"]) > 0:
            raise AttributeError(f"{name}: the rings of {self!r} have pixels at different "
                                 "longitudes; pixels() has those of all")
        nphi = int(rings["nphi"][0])
        turns = np.arange(nphi) / nphi
        return float(rings["phi0"][0]), turns[::-1] if layout.west_first else turns

    def pixels(self, *, lonlat: bool = False, two_dimensional: bool = False
               ) -> Tuple[np.ndarray, np.ndarray]:
        """Return where the pixels are on the sphere, in the order of a map.

        Parameters
        ----------
        lonlat : bool, optional
            Whether to return longitudes and latitudes in degrees, as healpy does, rather than
            colatitudes and longitudes in radians.
        two_dimensional : bool, optional
            Whether to return arrays of the shape `shape_2d`.

        Returns
        -------
        theta, phi : ndarray, shape (npix,)
            Colatitudes from 0 to pi and longitudes from 0 to 2 pi, without the latter, or with
            `lonlat` longitudes and latitudes. They are NaN at places of a map where no pixel is.

        Raises
        ------
        ValueError
            If there are no maps of two dimensions.

        See Also
        --------
        Grid.rings : The numbers from which they are made.

        Examples
        --------
        >>> import armilla, numpy as np
        >>> theta, phi = armilla.Grid("O32").pixels()
        >>> field = np.sin(theta) * np.cos(phi)            # a map
        >>> lon, lat = armilla.Grid("H64n").pixels(lonlat=True)
        >>> int(np.count_nonzero(np.abs(lat) > 20))        # pixels beyond 20 degrees
        32512
        """
        theta, phi = directions(self)
        if two_dimensional:
            theta, phi = self.to_2d(theta), self.to_2d(phi)
        if lonlat:
            return rounded(np.degrees(phi)), rounded(90 - np.degrees(theta))
        return theta, phi

    def areas(self, *, two_dimensional: bool = False) -> np.ndarray:
        """Return the areas of the pixels in steradians, in the order of a map.

        Parameters
        ----------
        %(two_dimensional.array)s

        Returns
        -------
        ndarray, shape (npix,)
            Areas; 0 at places of a map where no pixel is. On grids of the whole sphere that have
            two rings or more their sum is 4 pi; the pixels of a lone ring are squares.

        Raises
        ------
        ValueError
            If there are no maps of two dimensions.

        See Also
        --------
        Grid.weights : Quadrature weights, which make means of band-limited maps exact.

        Notes
        -----
        Pixels of HEALPix have equal areas. On all other grids a pixel is a cell in colatitude and
        longitude: cells end in the middle between neighbouring rings. The outermost rings reach to
        the pole if that is not farther away than the next ring, else as far outwards as inwards. A
        `subset` has the areas of its whole grid.

        Examples
        --------
        >>> import armilla, numpy as np
        >>> bool(np.isclose(armilla.Grid("O32").areas().sum(), 4 * np.pi, rtol=1e-14))
        True
        >>> square_degrees = np.degrees(np.degrees(armilla.Grid("r360x180").areas()))
        >>> round(float(square_degrees.max()), 4)
        0.9999
        """
        return self._spread(areas_of_rings(self), two_dimensional)

    def weights(self, *, two_dimensional: bool = False) -> np.ndarray:
        """Return the quadrature weights of the pixels in steradians, in the order of a map.

        Parameters
        ----------
        %(two_dimensional.array)s

        Returns
        -------
        ndarray, shape (npix,)
            ``rings["weight"]`` for each pixel; 0 at places of a map where no pixel is.

        Raises
        ------
        ValueError
            If the rings have no weights, or there are no maps of two dimensions.

        See Also
        --------
        Grid.areas : Areas of the pixels, which every grid has.

        Notes
        -----
        The sum of a map times these weights is its integral over the sphere, exactly for maps of
        degrees up to `exact_lmax`. They are not areas: next to a pole the two differ by up to a
        quarter on equidistant grids, and the weight of the pole itself is 0 with "DH".

        Examples
        --------
        >>> import armilla, numpy as np
        >>> grid = armilla.Grid("cc:19x36")
        >>> theta, phi = grid.pixels()
        >>> mean = (grid.weights() * np.cos(theta) ** 2).sum() / (4 * np.pi)
        >>> bool(np.isclose(mean, 1 / 3, rtol=1e-14))
        True
        """
        if not self.rings["weight"].any():
            raise ValueError(f"{self!r} has no quadrature weights; areas() gives the areas of its "
                             "pixels")
        return self._spread(self.rings["weight"], two_dimensional)

    def _spread(self, of_rings: np.ndarray, two_dimensional: bool) -> np.ndarray:
        made = spread(self, of_rings)
        return self.to_2d(made) if two_dimensional else made

    @property
    def shape_2d(self) -> Optional[Tuple[int, int]]:
        """Shape of a map of two dimensions: (nrings, nphi), or (nphi, nrings) with order="theta".

        It is None where rings differ in their number of pixels, and where there is no layout.
        """
        square = self._square()
        return None if square is None else square.shape

    def _square(self) -> Optional[Square]:
        return (self._found or self._find())[0]

    @property
    def _dense(self) -> bool:
        """Are all the places of a map pixels, for certain?"""
        return (self._found or self._find())[1]

    def _find(self) -> Tuple[Optional[Square], bool]:
        layout, square = self.layout, self._find_square()
        if self.kind == "custom" or layout is None:
            dense = False
        elif layout.ring_stride is None:
            dense = layout.pixel_stride == 1
        else:
            dense = square is not None and square.shape[0] * square.shape[1] == self.npix
        self._found = square, dense
        return self._found

    def _find_square(self) -> Optional[Square]:
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
        """View maps as arrays of two dimensions, rows and columns as the grid is laid out.

        Parameters
        ----------
        map : ndarray, shape (..., npix)
            Maps.

        Returns
        -------
        ndarray, shape (...,) + shape_2d
            The same memory.

        Raises
        ------
        ValueError
            If the grid has no maps of two dimensions, or the shape is another.

        Examples
        --------
        >>> import armilla, numpy as np
        >>> grid = armilla.Grid.gauss_legendre(4, 6)
        >>> grid.to_2d(np.arange(24.0)).shape
        (4, 6)
        """
        square, map = self._needs_square(), plain(map, "map")
        leading_shape(map, (self.npix,), "map")
        return square.square(map)

    def from_2d(self, array: np.ndarray) -> np.ndarray:
        """View arrays of two dimensions as maps: the inverse of `to_2d`.

        Parameters
        ----------
        array : ndarray, shape (...,) + shape_2d
            Maps of two dimensions.

        Returns
        -------
        ndarray, shape (..., npix)
            The same memory if its strides are those of the grid, else a copy, in which places that
            are no pixels are 0.

        Raises
        ------
        ValueError
            If the grid has no maps of two dimensions, or the shape is another.
        """
        square, array = self._needs_square(), plain(array, "array")
        leading_shape(array, square.shape, "array")
        return square.line(array)

    def _needs_square(self) -> Square:
        square = self._square()
        if square is None:
            raise ValueError(f"{self!r} has no maps of two dimensions")
        return square

    @property
    def rings(self) -> np.ndarray:
        """The rings: a read-only structured array of shape (nrings,).

        Its fields are theta and phi0 (radians), nphi, offset, stride and weight (steradians); see
        `Grid`.
        """
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
        name, layout, square = self.name, self.layout, self._square()
        kind = f"{name}: {self.kind}, " if name else f"{self.kind}: "
        nside = f"nside {self.nside}, " if self.kind == "healpix" else ""
        of = f" of {square.shape[layout.order == 'phi']}" if square and layout else ""
        return (f"<armilla.Grid {kind}{nside}{self.nrings} rings{of}, {self.npix} pixels"
                f"{layout.words() if layout else ''}>")


GridLike = Union[Grid, str]


def as_grid(grid: GridLike) -> Grid:
    """A grid, or that of a name."""
    if isinstance(grid, str):
        return Grid.named(grid)
    if not isinstance(grid, Grid):
        raise TypeError(f"grid: must be an armilla.Grid or its name, not {type(grid).__name__}")
    return grid


def _rebuild(name: str, *args: Any) -> Grid:
    return getattr(Grid, name)(*args)
