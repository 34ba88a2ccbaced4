"""projview: a map on one of the projections of matplotlib."""
from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import numpy as np

from .._arrays import reals
from .._errors import shown as _shown
from ._inputs import Error
from .projview_marks import (CONVENTIONS, across, check_marks, draw_bar, draw_marks, layout_of,
                             map_of_picture, ranges)
from .views import (SYMLOG, colours_of, given_map, prepared, pyplot, seen,
                    without_missing)

_PROJECTIONS = ("mollweide", "hammer", "aitoff", "cart")


def _check_range(name: str, given: Any, least: float, most: float) -> None:
    """Two growing numbers of degrees within limits, or None."""
    if given is None:
        return
    limits = reals(given, name)
    if limits.shape != (2,) or not least <= limits[0] < limits[1] <= most:
        raise Error(f"{name} = {_shown(given)}: must be two growing numbers from {least:g} to "
                    f"{most:g}")
    if limits[1] - limits[0] > 360:
        raise Error(f"{name} = {_shown(given)}: is more than a circle")


def _check_words(o: Dict[str, Any]) -> None:
    """What is not there is refused by name, and so are words that have no meaning."""
    if o["projection_type"] not in _PROJECTIONS:
        raise NotImplementedError(f"projection_type = {_shown(o['projection_type'])}: must be one "
                                  f"of {', '.join(_PROJECTIONS)}")
    if o["margins"] is not None:
        raise NotImplementedError(f"margins = {_shown(o['margins'])}: must be None; use "
                                  "subplots_adjust of matplotlib")
    for name, words in (("flip", ("astro", "geo")), ("phi_convention", CONVENTIONS),
                        ("cb_orientation", ("horizontal", "vertical")),
                        ("extend", (None, "neither", "both", "min", "max"))):
        if o[name] not in words:
            raise Error(f"{name} = {_shown(o[name])}: must be one of {', '.join(map(str, words))}")
    norm, norm_dict = o["norm"], o["norm_dict"]
    if norm_dict and (str(norm).lower() != "symlog" or not set(norm_dict) <= set(SYMLOG)):
        raise Error(f"norm_dict = {_shown(norm_dict)}: goes with norm = 'symlog' only, and may "
                    f"have no other names than {', '.join(SYMLOG)}")
    if o["projection_type"] != "cart" and (o["lonra"] is not None or o["latra"] is not None):
        raise Error("lonra, latra: must be None but with projection_type = 'cart'")
    _check_range("lonra", o["lonra"], -360, 360)
    _check_range("latra", o["latra"], -90, 90)
    for name in ("longitude_grid_spacing", "latitude_grid_spacing"):
        if not 0 < o[name] <= 360:
            raise Error(f"{name} = {_shown(o[name])}: must be a number of degrees from 0 to 360")
    if not (o["graticule"] and o["graticule_labels"]) and (
            o["custom_xtick_labels"] is not None or o["custom_ytick_labels"] is not None):
        raise Error("custom_xtick_labels, custom_ytick_labels: need graticule=True and "
                    "graticule_labels=True")


def _data(given: np.ndarray, o: Dict[str, Any]) -> Tuple[np.ndarray, np.ndarray,
                                                         np.ma.MaskedArray]:
    """Longitude (nx,) and latitude (ny,), radians, as they are plotted, and the image (ny, nx)."""
    lonra, latra = ranges(o)
    xsize = int(o["xsize"])
    lon = np.radians(np.linspace(lonra[0], lonra[1], xsize))
    lat = np.radians(np.linspace(latra[0], latra[1], xsize // 2))
    cosine = np.cos(lat)[:, None]
    directions = np.stack(np.broadcast_arrays(cosine * np.cos(lon), cosine * np.sin(lon),
                                              np.sin(lat)[:, None]))
    image = seen(given, np.tensordot(map_of_picture(o), directions, axes=1), o["nest"])
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
    place = o["sub"]
    if np.ndim(place) == 0:  # 211: two rows, one column, the first picture
        place = (int(place) // 100, int(place) // 10 % 10, int(place) % 10)
    sizes = layout_of(o)
    width, ratio = sizes["figure_width"], sizes["figure_size_ratio"]
    is_new = o["fig"] is not None or tuple(place) == (1, 1, 1) or not plt.get_fignums()
    figure = plt.gcf() if not is_new else plt.figure(
        o["fig"], figsize=(width, ratio * width * place[0] / place[1]), dpi=o["dpi"])
    left = 0.04 if o["graticule"] and o["graticule_labels"] else 0.02
    figure.subplots_adjust(left=left, right=0.98, top=0.95, bottom=0.05)
    return figure.add_subplot(*place, projection=kind)


def _scaled(values: np.ndarray, o: Dict[str, Any]) -> Dict[str, Any]:
    """Options with the limits of the colours: those of the labels, or of the whole map."""
    made = dict(o)
    for name, end in (("min", np.min), ("max", np.max)):
        if o[name] is None and o["cbar_ticks"] is not None:
            made[name] = float(end(o["cbar_ticks"]))
        elif o[name] is None and values.size and str(o["norm"]).lower() != "log":
            made[name] = float(end(values))
    return made


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
        Whether these lines have labels: longitudes and latitudes of the sky. `rot` may turn the
        picture about the poles, but not tilt it.
    rot_graticule : bool, optional
        Whether lines of longitude and latitude of the sky are drawn over a picture that `rot` turns
        or tilts. They have no labels.
    graticule_coord : {"G", "E", "C"}, optional
        Draws such lines of this coordinate system; `coord` must say that of the map.
    override_rot_graticule_properties : dict, optional
        How these lines are drawn: g_linestyle, g_linewidth, g_color, g_alpha, and t_step and
        p_step, the distances of lines of latitude and of longitude in degrees.
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
    override_plot_properties : dict, optional
        Sizes instead of those chosen: cbar_shrink, cbar_pad, cbar_label_pad, cbar_tick_direction,
        vertical_tick_rotation, figure_width and figure_size_ratio.
    %(title)s
    rlabel : str, optional
        Text in the upper right corner.
    llabel : str, optional
        Text in the upper left corner.
    xtick_label_color : color, optional
        Colour of the labels of longitude.
    ytick_label_color : color, optional
        Colour of the labels of latitude.
    graticule_color : color, optional
        Colour of the lines.
    fontname : str, optional
        Font of all texts.
    fontsize : dict, optional
        Sizes of the texts: xlabel, ylabel, title, xtick_label, ytick_label, cbar_label and
        cbar_tick_label.
    phi_convention : {"counterclockwise", "clockwise", "symmetrical"}, optional
        How longitudes are written: from 0 to 360, or with "symmetrical" from -180 to 180. Which way
        they grow is said by `flip`, since labels are those of the sky.
    custom_xtick_labels : sequence of str, optional
        Texts instead of longitudes, one for each line from the left to the right.
    custom_ytick_labels : sequence of str, optional
        Texts instead of latitudes, one for each line from below.
    cbar_ticks : sequence of float, optional
        Values with a label at the colour bar; the colours go from the least to the largest of them
        where `min` and `max` are not given. By default the ends of the colours have labels.
    show_tickmarkers : bool, optional
        Whether the colour bar also has the marks that matplotlib chooses, without labels.
    extend : {"neither", "both", "min", "max"}, optional
        Which ends of the colour bar are pointed. By default those that the map goes beyond.
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
        If the projection is "lambert", "3d" or "polar", `margins` are given, or labels are asked
        for in a picture that `rot` tilts.
    %(ValueError.npix_or_word)s
    """
    o = dict(locals())
    _check_words(o)
    given = given_map(prepared(m, o))
    lon, lat, image = _data(given, o)
    if return_only_data:
        return lon, lat, image
    check_marks(o)
    plt = pyplot()
    values = np.ma.compressed(without_missing(given))
    scale, palette = colours_of(_scaled(values, o))
    axes = _axes(o)
    drawn = axes.pcolormesh(lon, lat, image, norm=scale, cmap=palette, shading="auto",
                            rasterized=True, **kwargs)
    axes.set_facecolor(bgcolor)
    if projection_type == "cart":
        axes.set_aspect(1)
    draw_marks(axes, o)
    if cbar and m is not None:
        draw_bar(axes, drawn, values, o)
    axes.armilla_across = {"flip": flip, "lonra": lonra}
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
    shown = getattr(plt.gca(), "armilla_across", {"flip": "astro", "lonra": None})
    return plt.plot(across(lon, shown), lat, *([] if fmt is None else [fmt]), **kwargs)
