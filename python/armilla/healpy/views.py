"""Pictures of maps on matplotlib, in five projections; east is left (flip="astro").

A view is an image of directions: plane coordinates -> unit vectors of the rotated frame -> inverse
of the rotation -> pixels.
"""
from __future__ import annotations

from typing import Any, Callable, Dict, NamedTuple, Optional, Tuple

import numpy as np

from .._arrays import real_array, reals
from .._errors import INSTALL, shown as _shown
from ._inputs import UNSEEN, Error
from .maps import ma, remove_dipole, remove_monopole
from .pixels import vec2pix
from .projections import Projection, azimuthal, cartesian, gnomonic, mollweide, orthographic
from .rotator import Rotator
from .sizes import get_nside

SYMLOG = {"linthresh": 1, "linscale": 0.1, "base": 10}  # of SymLogNorm


class View(NamedTuple):
    """What a view's axes know for what is drawn over it."""

    forward: Callable[[np.ndarray, int], Tuple[np.ndarray, np.ndarray]]
    east: int  # -1: to the left
    rotation: Rotator


def pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(f"views draw with matplotlib: {INSTALL['plot']}") from error
    return plt


def _plane(nx: int, ny: int, width: float, height: float, flip: str
           ) -> Tuple[np.ndarray, np.ndarray]:
    """x to the east and y to the north; the outermost pixels lie on the edges."""
    if flip not in ("astro", "geo"):
        raise Error(f"flip = {_shown(flip)}: must be astro or geo")
    x, y = np.linspace(-width, width, nx), np.linspace(-height, height, ny)
    return tuple(np.meshgrid(-x if flip == "astro" else x, y))  # type: ignore[return-value]


def given_map(m: Any) -> np.ndarray:
    """A map as an array in which masked values are missing."""
    return real_array(np.ma.filled(m, UNSEEN) if isinstance(m, np.ma.MaskedArray) else m, "map")


def without_missing(values: np.ndarray) -> np.ma.MaskedArray:
    """Values of a map as pictures have them: what is missing or not finite is masked."""
    return ma(np.where(np.isfinite(values), values, UNSEEN).astype(float))


def seen(given: np.ndarray, vectors: np.ndarray, nest: bool) -> np.ma.MaskedArray:
    """A map in directions (3, ...)."""
    pix = vec2pix(get_nside(given), vectors[0], vectors[1], vectors[2], nest=nest)
    return without_missing(given[pix])


def _values(m: Any, vectors: np.ndarray, inside: np.ndarray, nest: bool) -> np.ma.MaskedArray:
    """Image (ny, nx) of a map."""
    image = seen(given_map(m), np.where(inside, vectors, 1.0), nest)
    image[~inside] = np.ma.masked
    return image


def prepared(m: Any, options: Dict[str, Any]) -> Any:
    """The map, without monopole or dipole where that is asked for."""
    if m is None:
        return np.full(12, np.inf)
    if options.get("remove_dip"):
        return remove_dipole(m, nest=options["nest"], gal_cut=options["gal_cut"])
    if options.get("remove_mono"):
        return remove_monopole(m, nest=options["nest"], gal_cut=options["gal_cut"])
    return m


def colours_of(o: Dict[str, Any]) -> Tuple[Any, Any]:
    """Norm and colour map. Values below the scale have its lowest colour, unless the caller's own
    norm says otherwise; then they have bgcolor, as in healpy."""
    pyplot()
    from matplotlib import colors
    from . import colours
    palette = colours.create_colormap(o["cmap"], o["badcolor"], o["bgcolor"])
    norm, limits = o["norm"], (o["min"], o["max"])
    if isinstance(norm, colors.Normalize):
        return norm, palette
    if norm is None or str(norm).lower() in ("lin", "norm", "normalize"):
        return colors.Normalize(*limits, clip=True), palette
    if str(norm).lower() == "log":  # clipped, it would show what is not positive as the lowest
        return colors.LogNorm(*limits), palette.with_extremes(under=palette(0.0))
    if str(norm).lower() == "hist":
        return colours.HistEqNorm(*limits), palette
    if str(norm).lower() == "symlog":  # with healpy's numbers, unless norm_dict has others
        return colors.SymLogNorm(**{**SYMLOG, **(o.get("norm_dict") or {})}, vmin=limits[0],
                                 vmax=limits[1], clip=True), palette
    raise NotImplementedError(f"norm = {_shown(norm)}: must be None, 'log', 'symlog', 'hist', or "
                              "of matplotlib.colors")


def _axes(fig: Any, sub: Any, hold: bool, reuse_axes: bool, margins: Any) -> Any:
    plt = pyplot()
    if hold or reuse_axes:
        figure = plt.gcf()
        if reuse_axes:
            return plt.gca()
        box = plt.gca().get_position()
        plt.gca().remove()
        return figure.add_axes(box)
    if sub is not None:
        figure = plt.gcf() if fig is None else plt.figure(fig)
        return figure.add_subplot(sub) if np.ndim(sub) == 0 else figure.add_subplot(*sub)
    figure = plt.figure(fig, figsize=(8.5, 5.4))
    left, bottom, right, top = margins or (0.02, 0.05, 0.02, 0.08)
    return figure.add_axes((left, bottom, 1 - left - right, 1 - bottom - top))


def _draw(image: np.ma.MaskedArray, inside: np.ndarray, extent: Tuple[float, ...],
          o: Dict[str, Any]) -> Any:
    axes = _axes(o["fig"], o["sub"], o["hold"], o["reuse_axes"], o["margins"])
    norm, palette = colours_of(o)
    size = (o["fontsize"] or {}) if isinstance(o["fontsize"], dict) or o["fontsize"] is None else {
        name: o["fontsize"] for name in ("title", "cbar_label", "cbar_tick_label")}
    shown = axes.imshow(image, origin="lower", extent=extent, cmap=palette, interpolation="nearest",
                        norm=norm, alpha=o["opacity"])
    outside = np.zeros(image.shape + (4,))
    from matplotlib import colors
    outside[~inside] = colors.to_rgba(o["bgcolor"])
    axes.imshow(outside, origin="lower", extent=extent, interpolation="nearest")
    axes.set_axis_off()
    axes.set_aspect(o.get("aspect") or "equal")
    axes.set_title(o["title"], fontsize=size.get("title"))
    if o["cbar"] and image.count():
        bar = axes.figure.colorbar(shown, ax=axes, orientation="horizontal", shrink=0.5, pad=0.03,
                                   aspect=30, format=o["format"])
        bar.set_label(o["unit"], fontsize=size.get("cbar_label"))
        bar.ax.tick_params(labelsize=size.get("cbar_tick_label"))
    elif o["unit"] and not o["notext"]:
        axes.text(0.5, -0.02, o["unit"], transform=axes.transAxes, ha="center", va="top")
    axes.figure.sca(axes)
    return axes


def _opacity(alpha: Any, project: Callable[[Any], np.ma.MaskedArray]) -> Any:
    """A number, None, or an image of a map: as it is with one or two values, else from its least,
    which is seen through, to its largest; around the sky 0, as in healpy."""
    if alpha is None or not np.ndim(alpha):
        return alpha
    image = project(alpha).filled(0.0)
    if np.unique(image).size <= 2:
        return np.clip(image, 0, 1)
    low, high = image.min(), image.max()
    return (image - low) / (high - low)


def _view(m: Any, projection: Projection, shape: Tuple[int, int], half: Tuple[float, float],
          o: Dict[str, Any], middle: Tuple[float, float] = (0, 0)) -> Optional[np.ma.MaskedArray]:
    m = prepared(m, o)
    x, y = _plane(shape[0], shape[1], half[0], half[1], o["flip"])
    vectors, inside = projection.inverse(x + middle[0], y + middle[1])
    rotation = Rotator(rot=o["rot"], coord=o["coord"])
    directions = np.tensordot(rotation.mat.T, vectors, axes=1)
    image = _values(m, directions, inside, o["nest"])
    if not o.get("no_plot"):
        east = -1 if o["flip"] == "astro" else 1
        left, low = east * middle[0] - half[0], middle[1] - half[1]
        extent = left, left + 2 * half[0], low, low + 2 * half[1]
        axes = _draw(image, inside, extent, {**o, "opacity": _opacity(
            o["alpha"], lambda m: _values(m, directions, inside, o["nest"]))})
        axes.armilla_view = View(projection.forward, east, rotation)
    if not o["return_projected_map"]:
        return None
    return np.ma.masked_array(np.where(inside, image.filled(UNSEEN), -np.inf),
                              np.ma.getmaskarray(image) & inside, fill_value=UNSEEN)


def mollview(map: Any = None, fig: Optional[int] = None, rot: Any = None, coord: Any = None,
             unit: str = "", xsize: int = 800, title: str = "Mollweide view", nest: bool = False,
             min: Optional[float] = None, max: Optional[float] = None, flip: str = "astro",
             remove_dip: bool = False, remove_mono: bool = False, gal_cut: float = 0,
             format: str = "%g", format2: str = "%g", cbar: bool = True, cmap: Any = None,
             badcolor: Any = "gray", bgcolor: Any = "white", notext: bool = False, norm: Any = None,
             hold: bool = False, reuse_axes: bool = False, margins: Any = None, sub: Any = None,
             nlocs: int = 2, return_projected_map: bool = False, alpha: Any = None,
             fontsize: Any = None) -> Optional[np.ma.MaskedArray]:
    """Draw a map of the whole sky in the Mollweide projection.

    Parameters
    ----------
    %(map.drawn)s
    %(arguments.figure)s
    %(arguments.picture_of_zoom)s
    %(reuse_axes)s
    %(margins)s
    %(sub)s
    nlocs : int, optional
        Has no effect.
    %(return_projected_map)s
    %(alpha)s
    %(fontsize)s

    %(Returns.image)s

    %(Raises.matplotlib+npix)s

    See Also
    --------
    gnomview : A part of the sky.
    graticule : Draws lines of longitude and latitude over it.
    armilla.io.write_picture : A picture without matplotlib.

    Examples
    --------
    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> sky = np.random.default_rng(1).standard_normal(hp.nside2npix(16))
    >>> hp.mollview(sky, coord="G", title="White noise", unit="K", min=-3, max=3)
    >>> hp.graticule()
    >>> import matplotlib.pyplot as plt
    >>> plt.savefig("noise.png")
    >>> plt.close("all")
    """
    return _view(map, mollweide, (int(xsize), int(xsize) // 2), (2.0, 1.0), locals())


def gnomview(map: Any = None, fig: Optional[int] = None, rot: Any = None, coord: Any = None,
             unit: str = "", xsize: int = 200, ysize: Optional[int] = None, reso: float = 1.5,
             title: str = "Gnomonic view", nest: bool = False, remove_dip: bool = False,
             remove_mono: bool = False, gal_cut: float = 0, min: Optional[float] = None,
             max: Optional[float] = None, flip: str = "astro", format: str = "%.3g",
             cbar: bool = True, cmap: Any = None, badcolor: Any = "gray", bgcolor: Any = "white",
             norm: Any = None, hold: bool = False, sub: Any = None, reuse_axes: bool = False,
             margins: Any = None, notext: bool = False, return_projected_map: bool = False,
             no_plot: bool = False, alpha: Any = None, fontsize: Any = None
             ) -> Optional[np.ma.MaskedArray]:
    """Draw a part of the sky in the gnomonic projection.

    Parameters
    ----------
    %(map.drawn)s
    %(arguments.figure)s
    %(ysize)s
    reso : float, optional
        Size of a pixel of the image in minutes of arc.
    %(title)s
    %(nest.map)s
    %(remove_dip)s
    %(remove_mono)s
    %(gal_cut)s
    %(arguments.colours)s
    %(hold)s
    %(sub)s
    %(reuse_axes)s
    %(margins)s
    %(notext)s
    %(return_projected_map)s
    no_plot : bool, optional
        Whether nothing is drawn, for the image that is returned.
    %(alpha)s
    %(fontsize)s

    %(Returns.image)s

    %(Raises.matplotlib+npix)s
    """
    shape = int(xsize), int(xsize if ysize is None else ysize)
    step = np.tan(np.radians(reso / 60))
    half = (shape[0] - 1) * step / 2, (shape[1] - 1) * step / 2
    return _view(map, gnomonic, shape, half, locals())


def orthview(map: Any = None, fig: Optional[int] = None, rot: Any = None, coord: Any = None,
             unit: str = "", xsize: int = 800, half_sky: bool = False,
             title: str = "Orthographic view", nest: bool = False, min: Optional[float] = None,
             max: Optional[float] = None, flip: str = "astro", remove_dip: bool = False,
             remove_mono: bool = False, gal_cut: float = 0, format: str = "%g", format2: str = "%g",
             cbar: bool = True, cmap: Any = None, badcolor: Any = "gray", bgcolor: Any = "white",
             notext: bool = False, norm: Any = None, hold: bool = False, margins: Any = None,
             sub: Any = None, reuse_axes: bool = False, return_projected_map: bool = False,
             alpha: Any = None, fontsize: Any = None) -> Optional[np.ma.MaskedArray]:
    """Draw a map in the orthographic projection: both sides of the sphere, or one.

    Parameters
    ----------
    %(map.drawn)s
    %(arguments.figure)s
    half_sky : bool, optional
        Whether only the front is drawn.
    %(arguments.picture_of_zoom)s
    %(margins)s
    %(sub)s
    %(reuse_axes)s
    %(return_projected_map)s
    %(alpha)s
    %(fontsize)s

    %(Returns.image)s

    %(Raises.matplotlib+npix)s
    """
    xsize = int(xsize)
    wide = 1 if half_sky else 2
    return _view(map, orthographic(bool(half_sky)), (xsize, xsize // wide), (float(wide), 1.0),
                 locals())


def _refuse(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise NotImplementedError(f"{name} = {_shown(value)}: must be None")


def _two(name: str, given: Any, most: float) -> Tuple[float, float]:
    """Two numbers of degrees; None: all that there are."""
    numbers = reals([-most, most] if given is None else given, name)
    if numbers.shape != (2,):
        raise Error(f"{name} = {_shown(given)}: must be two numbers of degrees")
    return float(numbers[0]), float(numbers[1])


def _latitudes(given: Any) -> Tuple[float, float]:
    low, high = _two("latra", given, 90.0)
    if not -90 <= low < high <= 90:
        raise Error(f"latra = {_shown(given)}: must be two numbers, -90 to 90")
    return low, high


def _longitudes(given: Any) -> Tuple[float, float]:
    """From the first number eastward to the second, whichever turns they have."""
    low, high = _two("lonra", given, 180.0)
    if not np.isfinite((low, high)).all():
        raise Error(f"lonra = {_shown(given)}: must be two finite numbers")
    return low, low + ((high - low) % 360 or 360.0)


def _over_the_date_line(middle: float) -> Projection:
    """Longitude and latitude, of which longitudes may go on beyond 180 degrees, around a middle."""
    def inverse(x: np.ndarray, y: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
        turned = np.where(np.abs(x) <= 180, x, (x + 180) % 360 - 180)
        return cartesian.inverse(turned, y)

    def forward(v: np.ndarray, east: int) -> Tuple[np.ndarray, np.ndarray]:
        x, y = cartesian.forward(v, east)
        return x + 360 * np.round((east * middle - x) / 360), y

    return Projection(inverse, forward)


def cartview(map: Any = None, fig: Optional[int] = None, rot: Any = None, zat: Any = None,
             coord: Any = None, unit: str = "", xsize: int = 800, ysize: Optional[int] = None,
             lonra: Any = None, latra: Any = None, title: Optional[str] = "Cartesian view",
             nest: bool = False, remove_dip: bool = False, remove_mono: bool = False,
             gal_cut: float = 0, min: Optional[float] = None, max: Optional[float] = None,
             flip: str = "astro", format: str = "%.3g", cbar: bool = True, cmap: Any = None,
             badcolor: Any = "gray", bgcolor: Any = "white", norm: Any = None, aspect: Any = None,
             hold: bool = False, sub: Any = None, reuse_axes: bool = False, margins: Any = None,
             notext: bool = False, return_projected_map: bool = False, alpha: Any = None,
             fontsize: Any = None) -> Optional[np.ma.MaskedArray]:
    """Draw a map over longitude and latitude.

    Parameters
    ----------
    %(arguments.zoom)s
    ysize : int, optional
        Height of the image in pixels. By default it is in proportion.
    lonra : sequence of float, optional
        Range of longitudes around `rot`, in degrees. By default -180 to 180.
    latra : sequence of float, optional
        Range of latitudes around `rot`, in degrees. By default -90 to 90.
    %(arguments.picture)s

    %(Returns.image)s

    %(Raises.matplotlib+npix+zat)s
    """
    _refuse(zat=zat)
    lon, lat = _longitudes(lonra), _latitudes(latra)
    inside = -180 <= lon[0] and lon[1] <= 180
    projection = cartesian if inside else _over_the_date_line(sum(lon) / 2)
    if ysize is None:
        ysize = round(xsize * (lat[1] - lat[0]) / (lon[1] - lon[0]))
    half = (lon[1] - lon[0]) / 2, (lat[1] - lat[0]) / 2
    return _view(map, projection, (int(xsize), int(ysize)), half, locals(),
                 (sum(lon) / 2, sum(lat) / 2))


def azeqview(map: Any = None, fig: Optional[int] = None, rot: Any = None, zat: Any = None,
             coord: Any = None, unit: str = "", xsize: int = 800, ysize: Optional[int] = None,
             reso: float = 1.5, lamb: bool = False, half_sky: bool = False,
             title: Optional[str] = None, nest: bool = False, remove_dip: bool = False,
             remove_mono: bool = False, gal_cut: float = 0, min: Optional[float] = None,
             max: Optional[float] = None, flip: str = "astro", format: str = "%.3g",
             cbar: bool = True, cmap: Any = None, badcolor: Any = "gray", bgcolor: Any = "white",
             norm: Any = None, aspect: Any = None, hold: bool = False, sub: Any = None,
             reuse_axes: bool = False, margins: Any = None, notext: bool = False,
             return_projected_map: bool = False, alpha: Any = None, fontsize: Any = None
             ) -> Optional[np.ma.MaskedArray]:
    """Draw a map in an azimuthal projection, equidistant or of equal areas.

    Parameters
    ----------
    %(arguments.zoom)s
    %(ysize)s
    reso : float, optional
        Size of a pixel of the image in minutes of arc.
    lamb : bool, optional
        Whether the projection is that of Lambert, of equal areas. By default it is equidistant.
    half_sky : bool, optional
        Whether only half of the sphere is drawn.
    %(arguments.picture)s

    %(Returns.image)s

    %(Raises.matplotlib+npix+zat)s
    """
    _refuse(zat=zat)
    if title is None:
        title = "Lambert azimuthal equal-area view" if lamb else "Azimuthal equidistant view"
    shape = int(xsize), int(xsize if ysize is None else ysize)
    step = np.radians(reso / 60)
    half = (shape[0] - 1) * step / 2, (shape[1] - 1) * step / 2
    return _view(map, azimuthal(bool(lamb), bool(half_sky)), shape, half, locals())
