"""Pictures on matplotlib: maps of every grid, and power spectra.

    >>> import armilla, numpy as np
    >>> from armilla import plot
    >>> grid = armilla.Grid.gauss_legendre(32, 64)
    >>> sky = np.cos(grid.pixels()[0])
    >>> picture = plot.map(grid, sky, title="cos(theta)", graticule=True)
    >>> x, y = picture.place(90, 0)      # longitude and latitude in degrees, on the axes
    >>> picture.axes.figure.savefig("sky.png")

matplotlib is optional: ``pip install matplotlib`` brings it. `armilla.io.write_picture`
and the command `armilla view` draw without it.
"""
from __future__ import annotations

from io import BytesIO
from typing import (TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence,
                    Tuple, Union)

import numpy as np
from numpy.typing import ArrayLike

from . import _projections
from ._arrays import angles, plain, pointer, real_array, reals
from ._errors import INSTALL, check, real, shown
from ._hints import absent
from ._native import ffi, lib
from ._types import Flip, Projection
from .grid import Grid, GridLike, as_grid
from .io import UNSEEN
from .rotation import Rotation

__all__ = ["Picture", "colormap", "map", "spectrum"]
_VIEWS = ("mollweide", "orthographic", "gnomonic", "equirectangular", "polar", "lambert",
          "equidistant", "stereographic")
_DISCS = ("orthographic", "polar", "lambert", "equidistant", "stereographic")
_WIDEST = {"orthographic": 180.0, "polar": 180.0, "gnomonic": 170.0, "stereographic": 340.0,
           "lambert": 360.0, "equidistant": 360.0}
_EXTENTS = {"mollweide": (2.0, 1.0), "equirectangular": (np.pi, np.pi / 2)}
_GREY = "0.6"
_SAMPLES = 1 << 21  # of a map, for its quantiles


def __dir__() -> List[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = absent(__name__)


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(f"armilla.plot draws with matplotlib: {INSTALL['plot']}") from error
    return plt


def colormap(name: str) -> Any:
    """Return a colour map for matplotlib, with the colours that the command has.

    Parameters
    ----------
    name : {"diverging", "planck", "viridis", "magma", "grey"}
        Which one; "diverging" is blue, white and red.

    Returns
    -------
    ListedColormap
        The colour map; missing pixels are grey.

    Raises
    ------
    ValueError
        If there is no such colour map.
    %(ImportError)s
    """
    if name not in _projections.COLOURS:
        raise ValueError(f"cmap = {shown(name)}: must be one of "
                         f"{', '.join(_projections.COLOURS)}, or a "
                         "colour map of matplotlib")
    _pyplot()
    from matplotlib.colors import ListedColormap
    return ListedColormap(_projections.colours(name) / 255, name=name).with_extremes(bad=_GREY)


# --- Views ----------------------------------------------------------------------------------------


class _View(NamedTuple):
    """Directions of a map, and where they stand on the axes."""

    plane: str
    east: float  # -1: to the left
    half: Tuple[float, float]  # of one image, in the plane
    two_sides: bool
    system: np.ndarray  # from the map's system to the picture's, (3, 3)
    turn: np.ndarray  # from the picture's system to the plane's

    def extent(self) -> Tuple[float, float]:
        return (2.1 * self.half[0] if self.two_sides else self.half[0]), self.half[1]

    def middles(self) -> Tuple[Tuple[float, float], ...]:
        """Where images have their middles, and the sign of the front."""
        shift = 1.1 * self.half[0]
        return ((-shift, 1.0), (shift, -1.0)) if self.two_sides else ((0.0, 1.0),)

    def within(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        if self.plane in ("gnomonic", "equirectangular"):
            return (np.abs(x) <= self.half[0] * (1 + 1e-9)) & (
                np.abs(y) <= self.half[1] * (1 + 1e-9))
        return np.hypot(x / self.half[0], y / self.half[1]) <= 1 + 1e-9

    def look(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Vectors (3, ...) of the picture's system at points of the axes; NaN outside."""
        made = np.full((3,) + x.shape, np.nan)
        for middle, sign in self.middles():
            u = self.east * (x - middle)
            vectors = _projections.inverse(self.plane, u, y)
            vectors[:2] *= sign
            made = np.where(self.within(u, y), vectors, made)
        return np.tensordot(self.turn.T, made, axes=1)

    def place(self, vectors: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
        """Points of the axes of vectors (3, ...) of the picture's system; NaN: not shown."""
        turned = np.tensordot(self.turn, vectors, axes=1)
        x, y = np.full((2,) + turned.shape[1:], np.nan)
        for middle, sign in reversed(self.middles()):  # the front wins where both have an edge
            u, v = _projections.forward(self.plane, turned * np.reshape(
                [sign, sign, 1.0], (3,) + (1,) * (turned.ndim - 1)))
            seen = self.within(u, v)
            x, y = np.where(seen, middle + self.east * u, x), np.where(seen, v, y)
        return x, y


def _half(name: str, plane: str, fov: Optional[float]) -> Tuple[float, float]:
    if name in _EXTENTS:
        if fov is not None:
            raise ValueError(f"fov = {shown(fov)}: projection {shown(name)} shows the whole sky")
        return _EXTENTS[name]
    angle = (20.0 if name == "gnomonic" else 180.0) if fov is None else real("fov", fov)
    if not 0 < angle <= _WIDEST[name]:
        raise ValueError(f"fov = {shown(fov)}: must be degrees, at most {_WIDEST[name]:g} with "
                         f"projection {shown(name)}")
    edge = np.array([np.cos(np.radians(angle / 2)), np.sin(np.radians(angle / 2)), 0.0])
    if plane == "orthographic":
        edge[0] = max(edge[0], 0.0)
    radius = float(_projections.forward(plane, edge)[0])
    return radius, radius


def _system(coord: Any) -> np.ndarray:
    if coord is None:
        return np.eye(3)
    pair = tuple(coord)
    if len(pair) != 2 or not all(isinstance(name, str) and name in ("G", "C", "E")
                                 for name in pair):
        raise ValueError(f"coord = {shown(coord)}: must be two of 'G', 'C' and 'E': of the map "
                         "and of the picture")
    return Rotation.from_coordinates(*pair).matrix


def angles_of(name: str, rot: Any) -> Tuple[float, ...]:
    """Longitude, latitude and angle, degrees, of the argument rot."""
    if rot is None:
        return (0.0, 90.0, 0.0) if name == "polar" else (0.0, 0.0, 0.0)
    try:
        given = reals(_degrees("rot", rot), "rot").ravel()
    except ValueError:
        given = np.zeros(0)
    if given.size not in (2, 3) or not np.isfinite(given).all() or abs(given[1]) > 90:
        raise ValueError(f"rot = {shown(rot)}: must be (longitude, latitude) or (longitude, "
                         "latitude, angle) in degrees")
    return tuple(given) + (0.0,) * (3 - given.size)


def _degrees(name: str, given: Any) -> Any:
    """A sequence of angles, of which each may have a unit."""
    if isinstance(given, (tuple, list)):
        return [angles(one, name, "deg") for one in given]
    return angles(given, name, "deg", texts=False)


def checked_view(name: str, rot: Any, coord: Any, fov: Optional[float], half_sky: bool, flip: str
                 ) -> _View:
    """The view that arguments of map describe."""
    if name not in _VIEWS:
        raise ValueError(f"projection = {shown(name)}: must be one of {', '.join(_VIEWS)}")
    if flip not in ("astro", "geo"):
        raise ValueError(f"flip = {shown(flip)}: must be astro or geo")
    plane = "lambert" if name == "polar" else name
    two_sides = name in ("orthographic", "polar") and not half_sky
    if half_sky and name not in _DISCS:
        raise ValueError(f"half_sky: projection {shown(name)} has one image")
    return _View(plane, 1.0 if flip == "geo" else -1.0, _half(name, plane, fov), two_sides,
                 _system(coord), _projections.turn(*np.radians(angles_of(name, rot))))


# --- Maps -----------------------------------------------------------------------------------------


def _vectors(lon: ArrayLike, lat: ArrayLike) -> np.ndarray:
    lon, lat = angles(lon, "lon", "deg"), angles(lat, "lat", "deg")
    lon, lat = np.broadcast_arrays(np.radians(lon), np.radians(lat))
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])


class Picture(NamedTuple):
    """A map that was drawn: what is to be drawn over it finds its place here.

    Attributes
    ----------
    axes : Axes
        Axes of matplotlib that the map is on.
    image : AxesImage
        What imshow returned.
    colorbar : Colorbar or None
        Colour bar of matplotlib.
    view : object
        Projection and directions, which `place` uses.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> picture = armilla.plot.map(armilla.Grid.healpix(8), np.arange(768.0), graticule=True)
    >>> line = picture.plot([10, 20], [0, 30], "w-")
    """

    axes: Any
    image: Any
    colorbar: Any
    view: Any

    def __repr__(self) -> str:
        title = self.axes.get_title()
        return f"<armilla.plot.Picture {self.view.plane}{f': {title}' if title else ''}>"

    def _repr_png_(self) -> bytes:
        """What notebooks show. There the backend would draw the figure a second time at the end of
        the cell if it stayed open."""
        import matplotlib
        file = BytesIO()
        self.save(file, format="png")
        if "inline" in matplotlib.get_backend():
            _pyplot().close(self.axes.figure)
        return file.getvalue()

    def save(self, path: Any, **kwds: Any) -> None:
        """Write the figure that the map is on into a file.

        Parameters
        ----------
        path : str or path-like
            Name of the file; its ending says the format, such as .png or .pdf.
        **kwds : dict
            Further arguments of matplotlib's savefig.
        """
        self.axes.figure.savefig(path, **{"bbox_inches": "tight", **kwds})

    def place(self, lon: ArrayLike, lat: ArrayLike) -> Tuple[np.ndarray, np.ndarray]:
        """Return where directions are on the axes.

        Parameters
        ----------
        lon : array_like
            Longitudes in degrees, in the picture's system of coordinates.
        %(lat)s

        Returns
        -------
        x, y : float or ndarray
            Places on the axes; NaN where the picture does not show a direction.
        """
        x, y = self.view.place(_vectors(lon, lat))
        return x[()], y[()]

    def plot(self, lon: ArrayLike, lat: ArrayLike, *args: Any, **kwds: Any) -> List[Any]:
        """Draw lines or markers over the map; lines break where the picture ends.

        Parameters
        ----------
        lon : array_like
            Longitudes in degrees, in the picture's system of coordinates.
        %(lat)s
        *args : tuple
            Further arguments of matplotlib's plot.
        **kwds : dict
            Further arguments of matplotlib's plot.

        Returns
        -------
        list
            What matplotlib's plot returns.
        """
        x, y = (np.atleast_1d(c) for c in self.place(lon, lat))
        is_far = np.hypot(np.diff(x), np.diff(y)) > 0.5 * self.view.half[0]
        if self.view.two_sides:
            is_far |= (x[1:] > 0) != (x[:-1] > 0)
        far = np.flatnonzero(is_far) + 1
        return self.axes.plot(np.insert(x, far, np.nan), np.insert(y, far, np.nan), *args, **kwds)

    def text(self, lon: float, lat: float, text: str, **kwds: Any) -> Any:
        """Write a text over the map.

        Parameters
        ----------
        lon : float
            Longitude in degrees, in the picture's system of coordinates.
        lat : float
            Latitude in degrees.
        text : str
            The text.
        **kwds : dict
            Further arguments of matplotlib's text.

        Returns
        -------
        Text or None
            What matplotlib's text returns; None where the picture does not show the place.
        """
        x, y = self.place(lon, lat)
        return self.axes.text(x, y, text, **kwds) if np.isfinite(x) else None


def pixels_at(grid: Grid, vectors: np.ndarray) -> np.ndarray:
    """Pixels (...) of a grid that show directions, vectors (3, ...); -1: none does."""
    theta = np.arctan2(np.hypot(vectors[0], vectors[1]), vectors[2])
    phi = np.arctan2(vectors[1], vectors[0])
    pixels = np.empty(theta.shape, np.int64)
    check(lib.armilla_grid_pixels_at(grid._grid, theta.size, pointer(np.ascontiguousarray(theta)),
                                     pointer(np.ascontiguousarray(phi)),
                                     ffi.cast("int64_t *", pixels.ctypes.data)))
    return pixels


def _line(grid: Grid, values: Any) -> np.ma.MaskedArray:
    """A map as one line of npix values, missing ones masked."""
    missing = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    array = plain(np.ma.getdata(values) if missing is not None else values, "values")
    if real_array(array, "values").dtype.kind not in "biuf":
        raise ValueError(f"values: {array.dtype}: must be real numbers")
    array = np.where(missing, np.nan, array) if missing is not None else np.asarray(array, float)
    if array.shape == grid.shape_2d:
        array = grid.from_2d(array)
    if array.shape != (grid.npix,):
        raise ValueError(f"values: shape {array.shape}: must be ({grid.npix},), the pixels of the "
                         "grid" + ("" if grid.shape_2d is None else f", or {grid.shape_2d}"))
    unseen = np.abs(array - UNSEEN) <= 1e-5 * abs(UNSEEN)
    return np.ma.array(array, mask=unseen | np.isnan(array), dtype=float)


def _image(grid: Grid, values: np.ma.MaskedArray, view: _View, width: int
           ) -> Tuple[np.ma.MaskedArray, np.ndarray]:
    """Image (rows, columns) from below, and which of its pixels show the sky."""
    half_x, half_y = view.extent()
    rows = max(int(round(width * half_y / half_x)), 1)
    x = half_x * ((np.arange(width) + 0.5) / width * 2 - 1)
    y = half_y * ((np.arange(rows) + 0.5) / rows * 2 - 1)
    vectors = np.tensordot(view.system.T, view.look(*np.meshgrid(x, y)), axes=1)
    pixels = pixels_at(grid, vectors)
    inside = ~np.isnan(vectors[0])
    image = values[np.maximum(pixels, 0)]
    return np.ma.array(image, mask=np.ma.getmaskarray(image) | (pixels < 0)), inside


def _norm(norm: Any, seen: np.ndarray, minimum: Optional[float], maximum: Optional[float]) -> Any:
    """A scale of matplotlib; ends from the 0.5 % and 99.5 % quantiles of the map."""
    from matplotlib import colors
    if isinstance(norm, colors.Normalize):
        return norm
    for name, end in (("minimum", minimum), ("maximum", maximum)):
        if end is not None and not (np.isfinite(end) and (norm != "log" or end > 0)):
            raise ValueError(f"{name} = {shown(end)}: must be finite, and more than 0 with norm = "
                             "'log'")
    if norm == "hist":
        from .healpy.colours import HistEqNorm
        made = HistEqNorm(minimum, maximum)
        made.autoscale_None(seen)
        return made
    data = seen[seen > 0] if norm == "log" else seen
    low, high = np.quantile(data, [0.005, 0.995]) if data.size else (0.1, 1.0)
    if low == high and data.size:
        low, high = data.min(), data.max()
    low, high = low if minimum is None else minimum, high if maximum is None else maximum
    if low > high:
        raise ValueError(f"minimum, maximum: the colours would go from {low:g} down to {high:g}")
    if low == high:
        low, high = low - (abs(low) / 2 or 1), high + (abs(high) / 2 or 1)
    if norm == "log":
        return colors.LogNorm(low, high, clip=True)
    if norm == "symlog":
        return colors.AsinhNorm(linear_width=0.01 * max(abs(low), abs(high)), vmin=low, vmax=high)
    if norm not in (None, "linear"):
        raise ValueError(f"norm = {shown(norm)}: must be linear, log, symlog, hist, or of "
                         "matplotlib.colors")
    return colors.Normalize(low, high)


def _powers(scale: Any) -> np.ndarray:
    """Zero, and the powers of ten at which a symlog scale is no more linear."""
    last = max(abs(scale.vmin), abs(scale.vmax))
    powers = 10.0 ** np.arange(np.ceil(np.log10(2 * scale.linear_width)), np.log10(last) + 1e-9)
    ticks = np.concatenate([-powers[::-1], [0.0], powers])
    return ticks[(ticks >= scale.vmin) & (ticks <= scale.vmax)]


def _edges(view: _View) -> List[Any]:
    """Frames of the images."""
    from matplotlib.patches import Ellipse, Rectangle
    style: Dict[str, Any] = {"fill": False, "edgecolor": "0.25", "linewidth": 1.0}
    half_x, half_y = view.half
    if view.plane in ("gnomonic", "equirectangular"):
        return [Rectangle((-half_x, -half_y), 2 * half_x, 2 * half_y, clip_on=False, **style)]
    return [Ellipse((middle, 0), 2 * half_x, 2 * half_y, clip_on=False, **style)
            for middle, _ in view.middles()]


def _graticule(picture: Picture, step: float) -> None:
    style = {"color": "0.15", "linewidth": 0.6, "alpha": 0.55}
    lat, lon = np.arange(-90 + step, 90 - 1e-9, step), np.arange(-180, 180 - 1e-9, step)
    for value in lat:
        picture.plot(np.linspace(-180, 180, 1441), value, **style)
    for value in lon:
        picture.plot(value, np.linspace(-90, 90, 721), **style)


def _step(view: _View, fov: Optional[float], graticule: Union[bool, float]) -> float:
    if graticule is not True:
        if not 0 < float(graticule) <= 180:
            raise ValueError(f"graticule = {shown(graticule)}: must be degrees, or True")
        return float(graticule)
    degrees = 20.0 if fov is None and view.plane == "gnomonic" else 180.0 if fov is None else fov
    return max((step for step in (0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0) if step <= degrees / 4),
               default=0.2)


def map(grid: GridLike, values: ArrayLike, *, projection: Projection = "mollweide",
        rot: Optional[Sequence[float]] = None, coord: Optional[Sequence[str]] = None,
        fov: Optional[float] = None, half_sky: bool = False, flip: Flip = "astro",
        graticule: Union[bool, float] = False, cmap: Any = "diverging", norm: Any = None,
        minimum: Optional[float] = None, maximum: Optional[float] = None,
        title: Optional[str] = None, unit: Optional[str] = None, colorbar: bool = True,
        width: int = 1000, axes: Any = None) -> Picture:
    """Draw a map of any grid on matplotlib.

    Parameters
    ----------
    grid : Grid or str
        Grid of the map.
    values : array (npix,) or grid.shape_2d
        Missing pixels (UNSEEN, NaN, masked) are grey, and so is the sky where the grid has no
        rings.
    projection : str
        "mollweide", "equirectangular", "gnomonic", "lambert", "equidistant", "stereographic";
        "orthographic" shows both sides of the sphere, "polar" the two hemispheres around the poles
        with equal areas.
    rot : (longitude, latitude) or (longitude, latitude, angle), degrees
        What is in the middle, in the picture's system; default (0, 0), of "polar" (0, 90).
    coord : two of "G", "C", "E"
        Systems of coordinates of the map and of the picture.
    fov : float
        Diameter of what is shown, degrees; default: gnomonic 20, others 180.
    half_sky : bool
        One disc of "orthographic" and "polar", without what lies behind.
    flip : str
        "astro", longitudes grow to the left, or "geo".
    graticule : bool or float
        Parallels and meridians; a number: every so many degrees.
    cmap : str or Colormap
        "diverging", "planck", "viridis", "magma", "grey", or a colour map of matplotlib.
    norm : str or Normalize, optional
        None, "log", "symlog", "hist" (as many pixels in each colour), or of matplotlib.colors.
    minimum, maximum : float
        Ends of the colours; default: the 0.5 % and 99.5 % quantiles of the map.
    title : str
        Text above the map.
    unit : str
        Text under the colour bar.
    colorbar : bool
        Whether there is a colour bar.
    width : int
        Pixels of the image from left to right.
    axes : Axes, optional
        Of matplotlib, to draw on; default: a new figure.

    Returns
    -------
    Picture
        axes, image, colorbar; its place, plot and text draw over it.

    Raises
    ------
    %(ImportError)s
    ValueError
        Names the argument that is wrong.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> grid = armilla.Grid.healpix(16)
    >>> picture = armilla.plot.map(grid, np.arange(grid.npix), projection="polar", fov=60)
    """
    fov = None if fov is None else angles(fov, "fov", "deg")
    view = checked_view(projection, rot, coord, fov, half_sky, flip)
    grid = as_grid(grid)
    line = _line(grid, values)
    if int(width) < 2:
        raise ValueError(f"width = {shown(width)}: must be at least 2")
    plt = _pyplot()
    image, inside = _image(grid, line, view, int(width))
    half_x, half_y = view.extent()
    if axes is None:
        _, axes = plt.subplots(figsize=(8.5, 8.5 * half_y / half_x + (1.3 if colorbar else 0.5)))
    if isinstance(cmap, str) and (cmap in _projections.COLOURS or cmap not in plt.colormaps()):
        cmap = colormap(cmap)
    else:
        cmap = plt.get_cmap(cmap).with_extremes(bad=_GREY)
    some = line[::line.size // _SAMPLES + 1].compressed()
    scale = _norm(norm, some[np.isfinite(some)], minimum, maximum)
    drawn = axes.imshow(image, origin="lower", extent=(-half_x, half_x, -half_y, half_y),
                        cmap=cmap, norm=scale, interpolation="nearest",
                        alpha=inside.astype(float))
    axes.set_axis_off()
    for edge in _edges(view):
        axes.add_patch(edge)
    axes.set_xlim(-half_x, half_x)
    axes.set_ylim(-half_y, half_y)
    if title:
        axes.set_title(title)
    bar = None
    if colorbar:
        bar = axes.figure.colorbar(drawn, ax=axes, orientation="horizontal", shrink=0.55, pad=0.05,
                                   aspect=32)
        bar.set_label(unit or "")
        if norm == "symlog":
            bar.set_ticks(_powers(scale))
    picture = Picture(axes, drawn, bar, view)
    if graticule:
        _graticule(picture, _step(view, fov, graticule))
    return picture


# --- Spectra --------------------------------------------------------------------------------------


def spectrum(*cl: ArrayLike, labels: Optional[Sequence[str]] = None, theory: Any = None,
             plain: bool = False, log: bool = False, log_degree: bool = False,
             unit: Optional[str] = "uK^2", title: Optional[str] = None,
             lrange: Optional[Sequence[float]] = None, axes: Any = None, **kwds: Any) -> Any:
    """Draw power spectra over the degree on matplotlib.

    Parameters
    ----------
    *cl : arrays (lmax + 1,)
        C_l of degrees from 0.
    labels : sequence of str
        Names for the legend, those of theory behind the others.
    theory : array, or list of arrays
        Spectra that are drawn dashed.
    plain : bool
        C_l; default: D_l = l (l + 1) C_l / 2 pi.
    log, log_degree : bool
        Logarithmic axes; log shows absolute values.
    unit : str
        Of C_l; None: none.
    title : str
        Text above the plot.
    lrange : (first, last)
        Degrees that are shown; default: from 2.
    axes : Axes, optional
        Of matplotlib, to draw on; default: a new figure.
    **kwds : dict
        For plot of matplotlib.

    Returns
    -------
    Axes of matplotlib

    Examples
    --------
    >>> import armilla, numpy as np
    >>> axes = armilla.plot.spectrum(1 / (1 + np.arange(100.0)) ** 2, labels=["a model"])
    """
    dashed = [] if theory is None else (
        list(theory) if isinstance(theory, (list, tuple)) else [theory])
    curves = [real_array(curve, "cl") for curve in [*cl, *dashed]]
    if not curves:
        raise ValueError("cl: no spectrum is given")
    for curve in curves:
        if curve.ndim != 1 or curve.size == 0 or curve.dtype.kind not in "biuf":
            raise ValueError(f"cl: shape {curve.shape}, {curve.dtype}: must be (lmax + 1,) of real "
                             "numbers")
    names = list(labels or [])
    if len(names) > len(curves):
        raise ValueError(f"labels: {len(names)} names for {len(curves)} spectra")
    plt = _pyplot()
    if axes is None:
        _, axes = plt.subplots(figsize=(8, 5))
    first, last = (2, max(curve.size for curve in curves) - 1) if lrange is None else lrange
    for i, curve in enumerate(curves):
        degree = np.arange(curve.size)
        kept = (degree >= first) & (degree <= last)
        power = curve if plain else degree * (degree + 1.0) * curve / (2 * np.pi)
        style = {"linestyle": "--"} if i >= len(cl) else {}
        axes.plot(degree[kept], np.abs(power[kept]) if log else power[kept],
                  label=names[i] if i < len(names) else None, **{"linewidth": 1.2, **style, **kwds})
    axes.set_xscale("log" if log_degree else "linear")
    axes.set_yscale("log" if log else "linear")
    axes.set_xlabel(r"multipole $\ell$")
    label = "" if not unit else " [" + unit.replace("uK", "\N{MICRO SIGN}K").replace(
        "^2", "\N{SUPERSCRIPT TWO}") + "]"
    axes.set_ylabel((r"$C_\ell$" if plain else r"$D_\ell$") + label)
    axes.grid(True, alpha=0.3)
    if title:
        axes.set_title(title)
    if names:
        axes.legend()
    return axes
