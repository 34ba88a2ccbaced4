"""What stands around and over the picture of projview: lines of longitude and latitude, their
labels, texts, and the colour bar.

Labels are the longitudes and latitudes of the sky that the picture shows there, whichever way it is
flipped, cut or turned about the poles. A picture that `rot` tilts has no such lines in its own
directions; those of the sky are drawn by rot_graticule.
"""
from __future__ import annotations

from typing import Any, Callable, Dict, List, Tuple

import numpy as np

from .._errors import shown as _shown
from ._inputs import Error
from .overlays import broken
from .rotator import Rotator, dir2vec, vec2dir

CONVENTIONS = ("counterclockwise", "clockwise", "symmetrical")
_SIZES = {"xlabel": 12, "ylabel": 12, "title": 14, "xtick_label": 12, "ytick_label": 12,
          "cbar_label": 12, "cbar_tick_label": 10}
_DEGREE = "\N{DEGREE SIGN}"


def _merged(name: str, defaults: Dict[str, Any], given: Any) -> Dict[str, Any]:
    """Defaults with what the caller gave for them."""
    if given is None:
        return defaults
    if not isinstance(given, dict) or not set(given) <= set(defaults):
        raise Error(f"{name} = {_shown(given)}: must be a dict with no other names than "
                    f"{', '.join(defaults)}")
    return {**defaults, **given}


def layout_of(o: Dict[str, Any]) -> Dict[str, Any]:
    """Sizes of the figure and of the colour bar."""
    upright = o["cb_orientation"] == "vertical"
    defaults = {"cbar_shrink": 0.6, "cbar_pad": 0.03 if upright else 0.05,
                "cbar_label_pad": -8 if o["cbar_ticks"] is None else 0,
                "cbar_tick_direction": "out", "vertical_tick_rotation": 90,
                "figure_width": 10.0 if upright else 8.5, "figure_size_ratio": 0.63}
    if o["width"] is not None:
        defaults["figure_width"] = o["width"]
    return _merged("override_plot_properties", defaults, o["override_plot_properties"])


def sizes_of(o: Dict[str, Any]) -> Dict[str, Any]:
    """Sizes of texts."""
    return _merged("fontsize", _SIZES, o["fontsize"])


def lines_of(o: Dict[str, Any]) -> Dict[str, Any]:
    """How the lines of the sky are drawn."""
    defaults = {"g_linestyle": "-", "g_linewidth": 0.75, "g_alpha": 0.75,
                "g_color": "grey" if o["graticule_color"] is None else o["graticule_color"],
                "t_step": o["latitude_grid_spacing"], "p_step": o["longitude_grid_spacing"]}
    given = _merged("override_rot_graticule_properties", defaults,
                    o["override_rot_graticule_properties"])
    for name in ("t_step", "p_step"):
        if not 0 < given[name] <= 360:
            raise Error(f"{name} = {_shown(given[name])}: must be a number of degrees from 0 to "
                        "360")
    return given


def _font(o: Dict[str, Any]) -> Dict[str, Any]:
    return {} if o["fontname"] is None else {"fontname": o["fontname"]}


# --- The sky in the picture -----------------------------------------------------------------------


def map_of_picture(o: Dict[str, Any]) -> np.ndarray:
    """The matrix (3, 3) from directions of the picture to those of the map."""
    matrix = Rotator(rot=o["rot"], coord=o["coord"]).mat
    return matrix.T if o["invRot"] else matrix


def _picture_of_sky(o: Dict[str, Any]) -> np.ndarray:
    """The matrix from directions of a system of coordinates, graticule_coord or that which the
    picture is in, to those of the picture."""
    systems = () if o["coord"] is None else tuple(o["coord"])
    if o["graticule_coord"] is not None and not systems:
        raise Error(f"graticule_coord = {_shown(o['graticule_coord'])}: needs coord, the system of "
                    "the map")
    to_map = np.eye(3)
    if systems:
        to_map = Rotator(coord=[o["graticule_coord"] or systems[-1], systems[0]]).mat
    return map_of_picture(o).T @ to_map


def _turn(o: Dict[str, Any]) -> float:
    """Degrees of longitude by which the sky is ahead of the picture."""
    matrix = _picture_of_sky({**o, "graticule_coord": None})
    if matrix[2, 2] < 1 - 1e-12:
        raise NotImplementedError(
            f"graticule_labels: rot = {_shown(o['rot'])} tilts the picture, so that its own lines "
            "are no longitudes and latitudes; rot_graticule=True draws those, without labels")
    return float(np.degrees(np.arctan2(matrix[0, 1], matrix[0, 0])))


def ranges(o: Dict[str, Any]) -> Tuple[Any, Any]:
    """Longitudes and latitudes of the picture from one end to the other, degrees."""
    return ((-180, 180) if o["lonra"] is None else o["lonra"],
            (-90, 90) if o["latra"] is None else o["latra"])


def across(longitude: np.ndarray, o: Dict[str, Any]) -> np.ndarray:
    """Where longitudes of the picture stand, in radians from the left to the right."""
    if o["flip"] == "geo":
        return longitude
    ends = 0.0 if o["lonra"] is None else float(np.radians(sum(o["lonra"])))
    return ends - longitude  # its own inverse


def _longitude_text(o: Dict[str, Any]) -> Callable[[float, Any], str]:
    ahead = _turn(o)

    def text(x: float, _: Any = None) -> str:
        degrees = round(float(np.degrees(across(np.asarray(x), o))) + ahead, 9)
        if o["phi_convention"] == "symmetrical":
            degrees = (degrees + 180) % 360 - 180 if abs(degrees) != 180 else degrees
        else:
            degrees %= 360
        return f"{degrees:.5g}{_DEGREE}"

    return text


# --- Lines and their labels -----------------------------------------------------------------------


def _multiples(step: float, limits: Tuple[float, float]) -> np.ndarray:
    """Multiples of a step within limits, degrees -> radians."""
    first, last = np.ceil(limits[0] / step - 1e-9), np.floor(limits[1] / step + 1e-9)
    return np.radians(step * np.arange(first, last + 1))


def _places(o: Dict[str, Any]) -> Dict[str, np.ndarray]:
    """Where lines of longitude ("x") and latitude ("y") are, whose distances were asked for."""
    steps = o["longitude_grid_spacing"], o["latitude_grid_spacing"]
    if o["projection_type"] != "cart":  # none at the edge
        return {axis: np.radians(np.arange(step - end, end, step))
                for axis, step, end in zip("xy", steps, (180, 90))}
    longitudes, latitudes = ranges(o)
    return {"x": np.sort(across(_multiples(steps[0], longitudes), o)),
            "y": _multiples(steps[1], latitudes)}


def _set_lines(axes: Any, o: Dict[str, Any]) -> None:
    from matplotlib.ticker import FixedLocator
    for axis, places in _places(o).items():
        getattr(axes, f"{axis}axis").set_major_locator(FixedLocator(places.tolist()))
    if o["projection_type"] != "cart":
        axes.set_longitude_grid_ends(90)


def _check_own_labels(o: Dict[str, Any]) -> None:
    """The caller's words instead of degrees."""
    for axis, places in _places(o).items():
        name = f"custom_{axis}tick_labels"
        words = o[name]
        if words is not None and (isinstance(words, str) or len(words) != len(places)):
            raise Error(f"{name} = {_shown(words)}: must be {len(places)} texts, one for each line")


def _is_labelled(o: Dict[str, Any]) -> bool:
    return bool(o["graticule"] and o["graticule_labels"]) and not _has_sky_lines(o)


def _set_labels(axes: Any, o: Dict[str, Any]) -> None:
    from matplotlib.ticker import FuncFormatter
    if not _is_labelled(o):
        axes.set_xticklabels([])
        axes.set_yticklabels([])
        axes.tick_params(axis="both", which="both", length=0)
        return
    axes.xaxis.set_major_formatter(FuncFormatter(_longitude_text(o)))
    axes.yaxis.set_major_formatter(
        FuncFormatter(lambda y, _: f"{round(float(np.degrees(y)), 9):.5g}{_DEGREE}"))
    for axis, places in _places(o).items():
        if o[f"custom_{axis}tick_labels"] is not None:
            getattr(axes, f"{axis}axis").set_ticks(places, labels=o[f"custom_{axis}tick_labels"])
    if o["fontname"] is not None:
        for one in (*axes.get_xticklabels(), *axes.get_yticklabels()):
            one.set_fontname(o["fontname"])


def _has_sky_lines(o: Dict[str, Any]) -> bool:
    return bool(o["rot_graticule"]) or o["graticule_coord"] is not None


def _sky_lines(o: Dict[str, Any], style: Dict[str, Any]) -> List[Tuple[Any, Any, bool]]:
    """(x, y, is it the equator or the first meridian) of lines of the sky."""
    matrix = _picture_of_sky(o)
    rows = np.degrees(_multiples(style["t_step"], (-89.999, 89.999)))
    columns = np.degrees(_multiples(style["p_step"], (-180 + 1e-6, 180)))
    lines = [(np.linspace(-180, 180, 721), np.full(721, row), row) for row in rows]
    lines += [(np.full(361, column), np.linspace(-90, 90, 361), column) for column in columns]
    made = []
    for lon, lat, number in lines:
        there = vec2dir(matrix @ dir2vec(lon, lat, lonlat=True), lonlat=True)
        x, y = broken(across(np.radians(there[0]), o), np.radians(there[1]), np.radians(45))
        made.append((x, y, abs(number) < 1e-9))
    return made


def _draw_sky_lines(axes: Any, o: Dict[str, Any]) -> None:
    style = lines_of(o)
    limits = axes.get_xlim(), axes.get_ylim()
    for x, y, is_zero in _sky_lines(o, style):
        axes.plot(x, y, linestyle=style["g_linestyle"], color=style["g_color"],
                  alpha=style["g_alpha"], linewidth=style["g_linewidth"] * (2.5 if is_zero else 1))
    if o["projection_type"] == "cart":
        axes.set_xlim(limits[0])
        axes.set_ylim(limits[1])


# --- All of it ------------------------------------------------------------------------------------


def check_marks(o: Dict[str, Any]) -> None:
    """Errors of what follows, before there are axes."""
    layout_of(o), sizes_of(o), lines_of(o)  # names in these
    if _has_sky_lines(o):
        _picture_of_sky(o)
    if _is_labelled(o):
        _turn(o)
        _check_own_labels(o)
    if o["cbar"]:
        _number(o, 1.0)


def draw_marks(axes: Any, o: Dict[str, Any]) -> None:
    """Lines, labels and texts of a picture that is drawn."""
    size, font = sizes_of(o), _font(o)
    if o["graticule_coord"] is None or o["rot_graticule"]:
        more = {} if o["graticule_color"] is None else {"color": o["graticule_color"]}
        axes.grid(o["graticule"], **(more if o["graticule"] else {}))
    if o["graticule"]:
        _set_lines(axes, o)
    _set_labels(axes, o)
    axes.tick_params(axis="x", colors=o["xtick_label_color"], labelsize=size["xtick_label"])
    axes.tick_params(axis="y", colors=o["ytick_label_color"], labelsize=size["ytick_label"])
    axes.set_title(o["title"] or "", fontsize=size["title"], **font)
    axes.set_xlabel(o["xlabel"] or "", fontsize=size["xlabel"], **font)
    axes.set_ylabel(o["ylabel"] or "", fontsize=size["ylabel"], **font)
    for text, x, side in ((o["llabel"], 0.025, "left"), (o["rlabel"], 0.975, "right")):
        if text is not None:
            axes.text(x, 0.925, text, ha=side, va="center", fontsize=size["cbar_label"],
                      transform=axes.transAxes, **font)
    if _has_sky_lines(o):
        _draw_sky_lines(axes, o)


def _number(o: Dict[str, Any], value: float) -> str:
    try:
        return o["format"] % value
    except (TypeError, ValueError):
        raise Error(f"format = {_shown(o['format'])}: must be the format of one number, such as "
                    "'%g'") from None


def _ends(drawn: Any, values: np.ndarray) -> str:
    """Which ends of the scale the map goes beyond."""
    below = bool((values < drawn.norm.vmin).any())
    above = bool((values > drawn.norm.vmax).any())
    return "both" if below and above else "min" if below else "max" if above else "neither"


def draw_bar(axes: Any, drawn: Any, values: np.ndarray, o: Dict[str, Any]) -> None:
    """The colour bar of a map with these values, with a label at its ends or where the caller
    wants one."""
    size, place, font = sizes_of(o), layout_of(o), _font(o)
    limits = drawn.norm.vmin, drawn.norm.vmax
    wanted = list(limits) if o["cbar_ticks"] is None else [float(one) for one in o["cbar_ticks"]]
    bar = axes.figure.colorbar(
        drawn, ax=axes, orientation=o["cb_orientation"], shrink=place["cbar_shrink"],
        pad=place["cbar_pad"], extend=o["extend"] or _ends(drawn, values))
    ticks = wanted
    if o["show_tickmarkers"]:
        ticks = [one for one in sorted({*map(float, bar.get_ticks()), *wanted})
                 if limits[0] <= one <= limits[1]]
    words = [_number(o, one) if one in wanted else "" for one in ticks]
    upright = o["cb_orientation"] == "vertical"
    more = {"rotation": place["vertical_tick_rotation"], "va": "center"} if upright else {}
    bar.set_ticks(ticks, labels=words, **more, **font)
    bar.set_label(o["unit"], fontsize=size["cbar_label"], labelpad=place["cbar_label_pad"], **font)
    bar.ax.tick_params(labelsize=size["cbar_tick_label"], direction=place["cbar_tick_direction"])
    bar.solids.set_edgecolor("face")
