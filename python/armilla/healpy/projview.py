"""projview: a map on one of the projections of matplotlib."""
from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import numpy as np

from .._arrays import real_array
from .._errors import shown as _shown
from ._inputs import UNSEEN, Error
from .maps import ma
from .pixels import vec2pix
from .rotator import Rotator
from .sizes import get_nside
from .views import SYMLOG, colours_of, prepared, pyplot

_PROJECTIONS = ("mollweide", "hammer", "aitoff", "cart")
_REFUSED: Dict[str, Any] = {
    "rot_graticule": False, "graticule_coord": None, "override_rot_graticule_properties": None,
    "override_plot_properties": None, "fontname": None, "phi_convention": "counterclockwise",
    "custom_xtick_labels": None, "custom_ytick_labels": None, "show_tickmarkers": False,
    "margins": None}


def _data(m: Any, o: Dict[str, Any]) -> Tuple[np.ndarray, np.ndarray, np.ma.MaskedArray]:
    """Longitude (nx,) and latitude (ny,), radians, as they are plotted, and the image (ny, nx)."""
    is_cart = o["projection_type"] == "cart"
    lonra = (-180, 180) if o["lonra"] is None or not is_cart else o["lonra"]
    latra = (-90, 90) if o["latra"] is None else o["latra"]
    xsize = int(o["xsize"])
    lon = np.radians(np.linspace(lonra[0], lonra[1], xsize))
    lat = np.radians(np.linspace(latra[0], latra[1], xsize // 2))
    cosine = np.cos(lat)[:, None]
    directions = np.stack(np.broadcast_arrays(cosine * np.cos(lon), cosine * np.sin(lon),
                                              np.sin(lat)[:, None]))
    rotation = Rotator(rot=o["rot"], coord=o["coord"])
    matrix = rotation.mat.T if o["invRot"] else rotation.mat
    vectors = np.tensordot(matrix, directions, axes=1)
    given = real_array(np.ma.filled(m, UNSEEN) if isinstance(m, np.ma.MaskedArray) else m, "map")
    pix = vec2pix(get_nside(given), vectors[0], vectors[1], vectors[2], nest=o["nest"])
    image = ma(np.where(np.isfinite(given[pix]), given[pix], UNSEEN).astype(float))
    return (lon[::-1] if o["flip"] == "astro" else lon), lat, image


def _axes(o: Dict[str, Any]) -> Any:
    plt = pyplot()
    if o["reuse_axes"]:
        return plt.gca()
    kind = None if o["projection_type"] == "cart" else o["projection_type"]
    if o["hold"]:
        place = plt.gca().get_subplotspec() or o["sub"]
        plt.gca().remove()
        return plt.gcf().add_subplot(place, projection=kind)
    place = (o["sub"],) if np.ndim(o["sub"]) == 0 else tuple(o["sub"])
    alone = place in ((111,), (1, 1, 1))
    width = 8.5 if o["width"] is None else o["width"]
    figure = plt.gcf() if o["fig"] is None and not alone else plt.figure(
        o["fig"], figsize=(width, 0.63 * width), dpi=o["dpi"])
    return figure.add_subplot(*place, projection=kind)


def _set_ticks(axes: Any, o: Dict[str, Any]) -> None:
    """Degrees; in the view from inside (astro) longitudes grow to the left, from 0 to 360."""
    from matplotlib.ticker import FuncFormatter
    if o["projection_type"] != "cart":
        axes.set_longitude_grid(o["longitude_grid_spacing"])
        axes.set_latitude_grid(o["latitude_grid_spacing"])
    ends = 0.0 if o["lonra"] is None else sum(o["lonra"])

    def longitude(x: float, _: Any) -> str:
        degrees = np.degrees(x)
        return f"{(ends - degrees) % 360 if o['flip'] == 'astro' else degrees:.5g}\N{DEGREE SIGN}"

    axes.xaxis.set_major_formatter(FuncFormatter(longitude))
    axes.yaxis.set_major_formatter(
        FuncFormatter(lambda y, _: f"{np.degrees(y):.5g}\N{DEGREE SIGN}"))
    if not o["graticule_labels"]:
        axes.set_xticklabels([])
        axes.set_yticklabels([])


def _label(axes: Any, drawn: Any, o: Dict[str, Any]) -> None:
    size = o["fontsize"] or {}
    if o["graticule"]:
        more = {} if o["graticule_color"] is None else {"color": o["graticule_color"]}
        axes.grid(True, **more)
    _set_ticks(axes, o)
    axes.tick_params(axis="x", colors=o["xtick_label_color"], labelsize=size.get("xtick_label"))
    axes.tick_params(axis="y", colors=o["ytick_label_color"], labelsize=size.get("ytick_label"))
    axes.set_title(o["title"] or "", fontsize=size.get("title"))
    axes.set_title(o["llabel"] or "", loc="left", fontsize=size.get("title"))
    axes.set_title(o["rlabel"] or "", loc="right", fontsize=size.get("title"))
    axes.set_xlabel(o["xlabel"] or "", fontsize=size.get("xlabel"))
    axes.set_ylabel(o["ylabel"] or "", fontsize=size.get("ylabel"))
    if o["cbar"]:
        bar = axes.figure.colorbar(drawn, ax=axes, orientation=o["cb_orientation"], shrink=0.6,
                                   pad=0.05, format=o["format"], ticks=o["cbar_ticks"],
                                   extend=o["extend"] or "neither")
        bar.set_label(o["unit"], fontsize=size.get("cbar_label"))
        bar.ax.tick_params(labelsize=size.get("cbar_tick_label"))


def projview(m: Any = None, fig: Optional[int] = None, rot: Any = None, coord: Any = None,
             unit: str = "", xsize: int = 1000, width: Optional[float] = None, nest: bool = False,
             min: Optional[float] = None, max: Optional[float] = None, flip: str = "astro",
             format: str = "%g", cbar: bool = True, cmap: Any = "viridis", badcolor: Any = "grey",
             bgcolor: Any = "white", norm: Any = None, norm_dict: Any = None,
             graticule: bool = False, graticule_labels: bool = False, rot_graticule: bool = False,
             graticule_coord: Any = None, override_rot_graticule_properties: Any = None,
             return_only_data: bool = False, projection_type: str = "mollweide",
             cb_orientation: str = "horizontal", xlabel: Any = None, ylabel: Any = None,
             longitude_grid_spacing: float = 60, latitude_grid_spacing: float = 30,
             override_plot_properties: Any = None, title: Optional[str] = None, rlabel: Any = None,
             llabel: Any = None, xtick_label_color: str = "black", ytick_label_color: str = "black",
             graticule_color: Any = None, fontname: Any = None, fontsize: Any = None,
             phi_convention: str = "counterclockwise", custom_xtick_labels: Any = None,
             custom_ytick_labels: Any = None, cbar_ticks: Any = None,
             show_tickmarkers: bool = False, extend: Any = None, invRot: bool = True,
             sub: Any = 111, reuse_axes: bool = False, margins: Any = None, hold: bool = False,
             remove_dip: bool = False, remove_mono: bool = False, gal_cut: float = 0,
             latra: Any = None, lonra: Any = None, dpi: Any = None, **kwargs: Any) -> Any:
    """Draw a map in a projection of matplotlib.

    Parameters
    ----------
    m : array_like, shape (npix,), optional
        A map. Without one an empty sky is drawn.
    %(arguments.figure)s
    width : float, optional
        Width of the figure in inches.
    %(nest.map)s
    %(arguments.colours)s
    norm_dict : dict, optional
        With "symlog": `linthresh`, `linscale` and `base` of SymLogNorm of matplotlib. Those that
        are missing are 1, 0.1 and 10.
    graticule : bool, optional
        Whether lines of longitude and latitude are drawn.
    graticule_labels : bool, optional
        Whether they have labels.
    rot_graticule : bool, optional
        Must be False.
    graticule_coord : None
        Must be None.
    override_rot_graticule_properties : None
        Must be None.
    return_only_data : bool, optional
        Whether nothing is drawn, and the data are returned.
    projection_type : {"mollweide", "hammer", "aitoff", "cart"}, optional
        The projection; "cart" is longitude and latitude.
    cb_orientation : {"horizontal", "vertical"}, optional
        Direction of the colour bar.
    xlabel : str, optional
        Text at the x axis.
    ylabel : str, optional
        Text at the y axis.
    longitude_grid_spacing : float, optional
        Distance of lines of longitude in degrees.
    latitude_grid_spacing : float, optional
        Distance of lines of latitude in degrees.
    override_plot_properties : None
        Must be None.
    %(title)s
    rlabel : str, optional
        Text at the upper right.
    llabel : str, optional
        Text at the upper left.
    xtick_label_color : color, optional
        Colour of the labels of longitude.
    ytick_label_color : color, optional
        Colour of the labels of latitude.
    graticule_color : color, optional
        Colour of the lines.
    fontname : None
        Must be None.
    fontsize : dict, optional
        Sizes of the texts.
    phi_convention : {"counterclockwise"}, optional
        Must be the default.
    custom_xtick_labels : None
        Must be None.
    custom_ytick_labels : None
        Must be None.
    cbar_ticks : sequence of float, optional
        Values with a mark at the colour bar.
    show_tickmarkers : bool, optional
        Must be False.
    extend : {"neither", "both", "min", "max"}, optional
        Which ends of the colour bar are pointed.
    invRot : bool, optional
        Whether the rotation is inverted, as in healpy by default.
    %(sub)s
    %(reuse_axes)s
    margins : None
        Must be None.
    %(hold)s
    %(remove_dip)s
    %(remove_mono)s
    %(gal_cut)s
    latra : sequence of float, optional
        Range of latitudes in degrees, with "cart".
    lonra : sequence of float, optional
        Range of longitudes in degrees, with "cart".
    dpi : float, optional
        Dots per inch of the figure.
    **kwargs : dict
        More arguments of pcolormesh of matplotlib.

    Returns
    -------
    QuadMesh or tuple
        What pcolormesh returns; with `return_only_data`, longitude (xsize,) and latitude (xsize //
        2,) in radians, and the image.

    Raises
    ------
    %(ImportError)s
    NotImplementedError
        If an argument is given that must have its default.
    %(ValueError.npix_or_word)s
    """
    o = dict(locals())
    for name, default in _REFUSED.items():
        if o[name] != default:
            raise NotImplementedError(f"{name} = {_shown(o[name])}: must be {default!r}")
    if projection_type not in _PROJECTIONS:
        raise NotImplementedError(f"projection_type = {_shown(projection_type)}: must be one of "
                                  f"{', '.join(_PROJECTIONS)}")
    if flip not in ("astro", "geo"):
        raise Error(f"flip = {_shown(flip)}: must be astro or geo")
    if norm_dict and (str(norm).lower() != "symlog" or not set(norm_dict) <= set(SYMLOG)):
        raise Error(f"norm_dict = {_shown(norm_dict)}: goes with norm = 'symlog' only, and may "
                    f"have no other names than {', '.join(SYMLOG)}")
    if projection_type != "cart" and (lonra is not None or latra is not None):
        raise NotImplementedError("lonra, latra: must be None but with projection_type = 'cart'")
    lon, lat, image = _data(prepared(m, o), o)
    if return_only_data:
        return lon, lat, image
    plt = pyplot()
    axes = _axes(o)
    scale, palette = colours_of(o)
    drawn = axes.pcolormesh(lon, lat, image, norm=scale, cmap=palette, shading="auto",
                            rasterized=True, **kwargs)
    axes.set_facecolor(bgcolor)
    _label(axes, drawn, o)
    axes.armilla_flip = flip
    plt.sca(axes)
    return drawn


def newprojplot(theta: Any, phi: Any, fmt: Optional[str] = None, lonlat: bool = False, **kwargs: Any
                ) -> Any:
    """Draw lines or markers over the picture of projview.

    Parameters
    ----------
    theta : array_like
        Colatitudes in radians; with `lonlat`, longitudes in degrees. They are directions of the
        picture, whose `rot` and `coord` do not act on them.
    %(phi.lonlat)s
    fmt : str, optional
        Format of plot of matplotlib.
    %(lonlat)s
    **kwargs : dict
        More arguments of plot.

    Returns
    -------
    list of Line2D
        What plot returns.
    """
    plt = pyplot()
    lon, lat = (np.radians(theta), np.radians(phi)) if lonlat else (
        np.asarray(phi), np.pi / 2 - np.asarray(theta))
    east = 1 if getattr(plt.gca(), "armilla_flip", "astro") == "geo" else -1
    return plt.plot(east * lon, lat, *([] if fmt is None else [fmt]), **kwargs)
