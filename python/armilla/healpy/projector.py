"""healpy.projector: from directions to the plane and to pixels of an image, and back.

Plane: x to the right, y up; east is left (flipconv "astro", the default) or right ("geo"). Image:
row i from below, column j from the left, x = left + j dx, y = bottom + i dy. Directions are turned
by rot first, unless direct. What the projection cannot show is NaN, or masked in arrays of pixels.
"""
from __future__ import annotations

from typing import Any, Callable, Dict, NamedTuple, Optional, Tuple

import numpy as np

from .. import _arrays
from . import _absent
from . import projections as _plane
from .._errors import shown as _shown
from ._inputs import UNSEEN, Error
from .rotator import Rotator, dir2vec, vec2dir

pi = np.pi
dtor = np.pi / 180


class _Image(NamedTuple):
    """The pixels of an image on the plane."""

    shape: Tuple[int, int]  # rows, columns
    left: float
    bottom: float
    dx: float
    dy: float


def _around(xsize: int, ysize: int, dx: float, dy: float) -> _Image:
    return _Image((ysize, xsize), -0.5 * (xsize - 1) * dx, -0.5 * (ysize - 1) * dy, dx, dy)


def _spread_over(width: float, height: float, xsize: int, ysize: int) -> _Image:
    return _around(xsize, ysize, width / (xsize - 1), height / (ysize - 1))


def _pair(x: Any, y: Any) -> Tuple[Any, Any]:
    if y is None and np.ndim(x) == 0 or x is None:
        raise Error("i, j, or x, y: must both be given")
    x, y = x if y is None else (x, y)
    return np.asarray(x), np.asarray(y)


def _masked(values: np.ndarray, outside: np.ndarray) -> Any:
    return np.ma.array(values, mask=outside if outside.any() else np.ma.nomask)


class SphericalProj:
    """What all projections share: from directions to the plane and to pixels of an image, and back.

    Parameters
    ----------
    rot : float or tuple, optional
        Longitude, latitude and angle, in degrees: see `Rotator`.
    coord : str or sequence of str, optional
        Coordinates: see `Rotator`.
    flipconv : {"astro", "geo"}, optional
        Whether east is on the left, which is the default, or on the right.
    **kwds : dict
        Sizes of the image, as `set_proj_plane_info` takes them.
    """

    name = "None"

    def __init__(self, rot: Any = None, coord: Any = None, flipconv: Optional[str] = None,
                 **kwds: Any) -> None:
        self.rotator = Rotator(rot=rot, coord=None, eulertype="ZYX")
        system = Rotator(coord=coord)
        self.coordsys, self.coordsysstr = system.coordout, system.coordoutstr
        self.set_flip(flipconv)
        self.set_proj_plane_info(**kwds)

    def set_proj_plane_info(self, **kwds: Any) -> None:
        """Set what the image is.

        Parameters
        ----------
        **kwds : dict
            Sizes and ranges: see the projections.
        """
        known = any(value is not None for value in kwds.values())
        self._arrayinfo: Optional[Dict[str, Any]] = dict(kwds) if known else None

    def get_proj_plane_info(self) -> Optional[Dict[str, Any]]:
        """Return what set_proj_plane_info has set.

        Returns
        -------
        dict or None
            Sizes and ranges.
        """
        return self._arrayinfo

    @property
    def arrayinfo(self) -> Optional[Dict[str, Any]]:
        """What set_proj_plane_info has set."""
        return self._arrayinfo

    def set_flip(self, flipconv: Optional[str]) -> None:
        """Set where east is.

        Parameters
        ----------
        flipconv : {"astro", "geo"} or None
            Whether east is on the left, which is the default, or on the right.
        """
        if flipconv not in (None, "astro", "geo"):
            raise Error(f"flipconv = {_shown(flipconv)}: must be astro or geo")
        self._flip = 1 if flipconv == "geo" else -1

    def __eq__(self, a: Any) -> bool:
        return type(a) is type(self) and self.rotator == a.rotator and self.coordsys == a.coordsys

    __hash__ = None  # type: ignore[assignment]

    # --- What the projections say of themselves ---

    def _info(self) -> Dict[str, Any]:
        if self._arrayinfo is None:
            raise Error(f"{type(self).__name__}: has no sizes of an image: set_proj_plane_info")
        return self._arrayinfo

    def _image(self) -> _Image:
        raise NotImplementedError("SphericalProj: use one of the projections")

    def _projection(self) -> _plane.Projection:
        raise NotImplementedError("SphericalProj: use one of the projections")

    def _outside(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Where the plane shows nothing."""
        return np.zeros(np.broadcast(x, y).shape, bool)

    # --- Directions and the plane ---

    def ang2xy(self, theta: Any, phi: Any = None, lonlat: bool = False, direct: bool = False
               ) -> Tuple[Any, Any]:
        """Return the points of the plane where directions are.

        Parameters
        ----------
        %(theta.alone)s
        %(phi.lonlat_optional)s
        %(lonlat)s
        %(direct)s

        %(Returns.x+y)s
        """
        return self.vec2xy(dir2vec(theta, phi, lonlat=lonlat), direct=direct)

    def vec2xy(self, vx: Any, vy: Any = None, vz: Any = None, direct: bool = False
               ) -> Tuple[Any, Any]:
        """Return the points of the plane where the directions of vectors are.

        Parameters
        ----------
        vx : array_like
            First components of unit vectors; without the others, vectors (3, ...).
        %(vy)s
        %(vz)s
        %(direct)s

        %(Returns.x+y)s

        Raises
        ------
        ValueError
            If only one of `vy` and `vz` is given.
        """
        if (vy is None) != (vz is None):
            raise Error("vy, vz: must both be given")
        vectors = _arrays.reals(vx if vy is None else (vx, vy, vz), "vx, vy, vz")
        turned = vectors if direct else np.tensordot(self.rotator.mat, vectors, axes=1)
        x, y = self._projection().forward(turned, self._flip)
        seen = np.isfinite(x) & ~self._outside(x, y)
        return np.where(seen, x, np.nan)[()], np.where(seen, y, np.nan)[()]

    def xy2ang(self, x: Any, y: Any = None, lonlat: bool = False, direct: bool = False
               ) -> np.ndarray:
        """Return the directions of points of the plane.

        Parameters
        ----------
        %(x)s
        %(y)s
        %(lonlat)s
        %(direct)s

        Returns
        -------
        ndarray, shape (2, ...)
            Two angles; NaN where the plane shows nothing.
        """
        return vec2dir(self.xy2vec(x, y, direct=direct), lonlat=lonlat)

    def xy2vec(self, x: Any, y: Any = None, direct: bool = False) -> np.ndarray:
        """Return the unit vectors of points of the plane.

        Parameters
        ----------
        %(x)s
        %(y)s
        %(direct)s

        Returns
        -------
        ndarray, shape (3, ...)
            Unit vectors; NaN where the plane shows nothing.
        """
        x, y = _pair(x, y)
        vectors = self._inverse(x, y)
        vectors = np.where(self._outside(x, y), np.nan, vectors)
        return vectors if direct else np.tensordot(self.rotator.mat.T, vectors, axes=1)

    def _inverse(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return self._projection().inverse(self._flip * x, y)[0]

    # --- The plane and the image ---

    def xy2ij(self, x: Any, y: Any = None) -> Tuple[Any, Any]:
        """Return the pixels of the image next to points of the plane.

        Parameters
        ----------
        %(x)s
        %(y)s

        Returns
        -------
        i : int or MaskedArray
            Rows from below.
        j : int or MaskedArray
            Columns from the left.
        """
        image = self._image()
        x, y = _pair(x, y)
        i = np.around((y - image.bottom) / image.dy)
        j = np.around((x - image.left) / image.dx)
        outside = self._outside_image(x, y, i, j)
        if outside.ndim:
            return (_masked(np.where(outside, 0, i).astype(int), outside),
                    _masked(np.where(outside, 0, j).astype(int), outside))
        return (np.nan, np.nan) if outside else (int(i), int(j))

    def _outside_image(self, x: np.ndarray, y: np.ndarray, i: np.ndarray, j: np.ndarray
                       ) -> np.ndarray:
        return self._outside(x, y) | ~np.isfinite(i + j)

    def ij2xy(self, i: Any = None, j: Any = None) -> Tuple[Any, Any]:
        """Return the points of the plane where pixels of the image are.

        Parameters
        ----------
        i : array_like, optional
            Rows from below; without `j`, both. By default all pixels.
        j : array_like, optional
            Columns from the left.

        Returns
        -------
        x : float or MaskedArray
            To the right.
        y : float or MaskedArray
            Up.
        """
        image = self._image()
        if i is None and j is None:
            i, j = np.indices(image.shape)
        i, j = _pair(i, j)
        x, y = np.broadcast_arrays(image.left + j * image.dx, image.bottom + i * image.dy)
        outside = self._outside(x, y)
        if outside.ndim:
            return _masked(x, outside), _masked(y, outside)
        return (np.nan, np.nan) if outside else (x[()], y[()])

    def projmap(self, map: Any, vec2pix_func: Callable[..., Any], rot: Any = None,
                coord: Any = None) -> np.ndarray:
        """Make the image of a map.

        Parameters
        ----------
        map : array_like or dict
            A map, also a masked one, or a dictionary of pixels.
        vec2pix_func : callable
            A function of x, y and z that returns the pixels of the map.
        rot : float or tuple, optional
            Rotation of the map: see `Rotator`.
        coord : str or sequence of str, optional
            Coordinates of the map.

        Returns
        -------
        ndarray, shape (rows, columns)
            The image; -inf where the plane shows nothing.
        """
        x, y = self.ij2xy()
        shown = ~np.ma.getmaskarray(x)
        made = np.full(x.shape, -np.inf)
        vectors = self.xy2vec(np.ma.getdata(x)[shown], np.ma.getdata(y)[shown])
        turned = Rotator(rot=rot, coord=self.mkcoord(coord)).I(vectors)
        pix = vec2pix_func(turned[0], turned[1], turned[2])
        if isinstance(map, dict):
            made[shown] = [map.get(p, UNSEEN) for p in np.asarray(pix).tolist()]
        else:
            made[shown] = np.ma.filled(map, UNSEEN)[pix] if np.ma.is_masked(map) else map[pix]
        return made

    def mkcoord(self, coord: Any) -> Tuple[Any, Any]:
        """Return the coordinate systems of a map and of the projection.

        Parameters
        ----------
        coord : str, sequence of str or None
            Coordinates of the map.

        Returns
        -------
        tuple
            From and to.
        """
        if self.coordsys is None:
            return coord, coord
        return self.coordsys if coord is None else tuple(coord)[0], self.coordsys

    # --- The whole image ---

    def get_extent(self) -> Tuple[float, ...]:
        """Return the range of the plane that the image shows.

        Returns
        -------
        tuple of float
            Left, right, bottom and top: centres of the outermost pixels.
        """
        image = self._image()
        return (image.left, image.left + (image.shape[1] - 1) * image.dx, image.bottom,
                image.bottom + (image.shape[0] - 1) * image.dy)

    def get_fov(self) -> float:
        """Return the diameter of what is shown.

        %(Returns.diameter)s
        """
        return 2 * pi

    def _corner_fov(self) -> float:
        """Twice the distance of a corner from the middle; NaN: nothing is shown there."""
        image = self._image()
        corner = self.xy2vec(image.left, image.bottom, direct=True)
        return float(2 * np.arccos(np.clip(corner[0], -1, 1)))

    def get_center(self, lonlat: bool = False) -> Tuple[Any, ...]:
        """Return the direction of the middle of the image.

        %(sections.two_angles)s
        """
        lon, lat = np.degrees(self.rotator.rots[0][:2])
        return (lon, lat) if lonlat else (pi / 2 - lat * dtor, lon * dtor)


class GnomonicProj(SphericalProj):
    """The gnomonic projection.

    Parameters
    ----------
    %(arguments.view)s
    %(ysize)s
    %(reso)s
    %(kwds)s
    """

    name = "Gnomonic"

    def __init__(self, rot: Any = None, coord: Any = None, xsize: Optional[int] = None,
                 ysize: Optional[int] = None, reso: Optional[float] = None, **kwds: Any) -> None:
        super().__init__(rot=rot, coord=coord, xsize=xsize, ysize=ysize, reso=reso, **kwds)

    def set_proj_plane_info(self, xsize: Optional[int] = 200,  # type: ignore[override]
                            ysize: Optional[int] = None, reso: Optional[float] = 1.5) -> None:
        """Set what the image is.

        Parameters
        ----------
        %(xsize)s
        %(ysize)s
        %(reso)s
        """
        xsize = 200 if xsize is None else xsize
        super().set_proj_plane_info(xsize=xsize, ysize=xsize if ysize is None else ysize,
                                    reso=1.5 if reso is None else reso)

    def _image(self) -> _Image:
        o = self._info()
        step = o["reso"] / 60 * dtor
        return _around(int(o["xsize"]), int(o["ysize"]), step, step)

    def _projection(self) -> _plane.Projection:
        return _plane.gnomonic

    def get_fov(self) -> float:
        """Return the diameter of what is shown.

        %(Returns.diameter)s
        """
        return self._corner_fov()


class MollweideProj(SphericalProj):
    """The Mollweide projection, with x from -2 to 2 and y from -1 to 1.

    Parameters
    ----------
    %(arguments.view)s
    %(kwds)s
    """

    name = "Mollweide"

    def __init__(self, rot: Any = None, coord: Any = None, xsize: int = 800, **kwds: Any) -> None:
        super().__init__(rot=rot, coord=coord, xsize=xsize, **kwds)

    def set_proj_plane_info(self, xsize: int) -> None:  # type: ignore[override]
        """Set what the image is.

        Parameters
        ----------
        %(xsize.required)s
        """
        super().set_proj_plane_info(xsize=xsize)

    def _image(self) -> _Image:
        xsize = int(self._info()["xsize"])
        return _spread_over(4, 2, xsize, xsize // 2)

    def _projection(self) -> _plane.Projection:
        return _plane.mollweide

    def _outside(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return x ** 2 / 4 + y ** 2 > 1 + 1e-12


class CartesianProj(SphericalProj):
    """Longitude and latitude in degrees as x and y.

    Parameters
    ----------
    %(arguments.view)s
    %(ysize)s
    lonra : sequence of float, optional
        Range of longitudes in degrees.
    latra : sequence of float, optional
        Range of latitudes in degrees.
    %(kwds)s
    """

    name = "Cartesian"

    def __init__(self, rot: Any = None, coord: Any = None, xsize: int = 800,
                 ysize: Optional[int] = None, lonra: Any = None, latra: Any = None, **kwds: Any
                 ) -> None:
        super().__init__(rot=rot, coord=coord, xsize=xsize, ysize=ysize, lonra=lonra, latra=latra,
                         **kwds)

    def set_proj_plane_info(self, xsize: int, ysize: Optional[int],  # type: ignore[override]
                            lonra: Any, latra: Any) -> None:
        """Set what the image is.

        Parameters
        ----------
        %(xsize.required)s
        ysize : int
            Height of the image in pixels. By default it is `xsize`.
        lonra : sequence of float
            Range of longitudes in degrees.
        latra : sequence of float
            Range of latitudes in degrees.
        """
        lon = _arrays.reals([-180.0, 180.0] if lonra is None else lonra, "lonra").copy()
        lat = _arrays.reals([-90.0, 90.0] if latra is None else latra, "latra").copy()
        if lon.shape != (2,) or lat.shape != (2,) or not -90 <= lat[0] < lat[1] <= 90:
            raise Error(f"lonra = {_shown(lonra)}, latra = {_shown(latra)}: must be two numbers "
                        "each, latra growing, -90 to 90")
        lon[1] = lon[0] + (np.mod(lon[1] - lon[0], 360) or 360)
        lon = self._flip * lon[::self._flip]
        ratio = (lat[1] - lat[0]) / (lon[1] - lon[0])
        ysize = int(round(ratio * int(xsize))) if ysize is None else int(ysize)
        super().set_proj_plane_info(xsize=int(xsize), lonra=lon, latra=lat, ysize=ysize,
                                    ratio=ratio)

    def _image(self) -> _Image:
        o = self._info()
        (left, right), (bottom, top) = o["lonra"], o["latra"]
        return _Image((o["ysize"], o["xsize"]), left, bottom, (right - left) / (o["xsize"] - 1),
                      (top - bottom) / (o["ysize"] - 1))

    def _projection(self) -> _plane.Projection:
        return _plane.cartesian

    def _outside_image(self, x: np.ndarray, y: np.ndarray, i: np.ndarray, j: np.ndarray
                       ) -> np.ndarray:
        rows, columns = self._image().shape
        return ~((i >= 0) & (i < rows) & (j >= 0) & (j < columns))

    def get_fov(self) -> float:
        """Return the diameter of what is shown.

        %(Returns.diameter)s
        """
        left, right, bottom, top = self.get_extent()
        one, other = (self.xy2vec(x, y, direct=True) for x, y in ((left, bottom), (right, top)))
        return float(2 * np.arccos(np.clip((one * other).sum(), -1, 1)))

    def get_center(self, lonlat: bool = False) -> Tuple[Any, ...]:
        """Return the direction of the middle of the image.

        %(sections.two_angles)s
        """
        left, right, bottom, top = self.get_extent()
        return tuple(self.xy2ang((left + right) / 2, (bottom + top) / 2, lonlat=lonlat))


class OrthographicProj(SphericalProj):
    """The orthographic projection: two discs of radius 1, or one.

    The front is on the left.

    Parameters
    ----------
    %(arguments.view)s
    half_sky : bool, optional
        Whether only the front is shown.
    %(kwds)s
    """

    name = "Orthographic"

    def __init__(self, rot: Any = None, coord: Any = None, xsize: int = 800, half_sky: bool = False,
                 **kwds: Any) -> None:
        super().__init__(rot=rot, coord=coord, xsize=xsize, half_sky=half_sky, **kwds)

    def set_proj_plane_info(self, xsize: int, half_sky: bool) -> None:  # type: ignore[override]
        """Set what the image is.

        Parameters
        ----------
        %(xsize.required)s
        half_sky : bool
            Whether only the front is shown.
        """
        super().set_proj_plane_info(xsize=xsize, half_sky=half_sky)

    def _image(self) -> _Image:
        xsize, discs = int(self._info()["xsize"]), 1 if self._info()["half_sky"] else 2
        return _spread_over(2 * discs, 2, xsize, xsize // discs)

    def _projection(self) -> _plane.Projection:
        return _plane.orthographic(bool(self._info()["half_sky"]))

    def _outside(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        middle = x if self._info()["half_sky"] else np.mod(x + 2, 2) - 1
        return (middle ** 2 + y ** 2 > 1 + 1e-12) | (np.abs(x) > 2)

    def _inverse(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Not that of projections.py, which wants the whole image."""
        if self._info()["half_sky"]:
            return super()._inverse(x, y)
        sign = np.where(x <= 0, 1.0, -1.0)
        vectors = _plane.orthographic(True).inverse(self._flip * (x + sign), y)[0]
        vectors[:2] *= sign
        return vectors

    def get_fov(self) -> float:
        """Return the diameter of what is shown.

        %(Returns.diameter)s
        """
        return pi if self._info()["half_sky"] else 2 * pi


class AzimuthalProj(SphericalProj):
    """An azimuthal projection, of equal areas or equidistant.

    Parameters
    ----------
    %(arguments.view)s
    %(arguments.image)s
    %(kwds)s
    """

    name = "Azimuthal"

    def __init__(self, rot: Any = None, coord: Any = None, xsize: Optional[int] = None,
                 ysize: Optional[int] = None, reso: Optional[float] = None,
                 lamb: Optional[bool] = None, half_sky: Optional[bool] = None, **kwds: Any) -> None:
        super().__init__(rot=rot, coord=coord, xsize=xsize, ysize=ysize, reso=reso, lamb=lamb,
                         half_sky=half_sky, **kwds)

    def set_proj_plane_info(self, xsize: Optional[int] = 800,  # type: ignore[override]
                            ysize: Optional[int] = None, reso: Optional[float] = 1.5,
                            lamb: Optional[bool] = True, half_sky: Optional[bool] = False) -> None:
        """Set what the image is.

        Parameters
        ----------
        %(xsize)s
        %(arguments.image)s
        """
        xsize = 800 if xsize is None else xsize
        super().set_proj_plane_info(
            xsize=xsize, ysize=xsize if ysize is None else ysize,
            reso=1.5 if reso is None else reso, lamb=True if lamb is None else lamb,
            half_sky=False if half_sky is None else half_sky)

    def _image(self) -> _Image:
        o = self._info()
        step = o["reso"] / 60 * dtor
        return _around(int(o["xsize"]), int(o["ysize"]), step, step)

    def _projection(self) -> _plane.Projection:
        return _plane.azimuthal(bool(self._info()["lamb"]), bool(self._info()["half_sky"]))

    def _outside(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        largest = 4.0 if self._info()["lamb"] else pi ** 2
        if self._info()["half_sky"]:
            largest /= 2 if self._info()["lamb"] else 4
        return x ** 2 + y ** 2 > largest * (1 + 1e-12)

    def get_fov(self) -> float:
        """Return the diameter of what is shown.

        %(Returns.diameter)s
        """
        corner = self._corner_fov()
        if np.isfinite(corner):
            return corner
        return pi if self._info()["half_sky"] else 2 * pi


__getattr__ = _absent.explains(__name__)
