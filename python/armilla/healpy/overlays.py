"""Points, lines, text and graticules over the views of the current figure."""
from __future__ import annotations

from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np

from .._arrays import reals
from .._errors import shown as _shown
from ._inputs import Error
from .rotator import Rotator, dir2vec
from .views import View, pyplot

_NICE = (1 / 60, 1 / 12, 1 / 6, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0)  # degrees


def _views(name: str) -> Iterator[Tuple[Any, View]]:
    """The views of the current figure."""
    found = [axes for axes in pyplot().gcf().get_axes() if hasattr(axes, "armilla_view")]
    if not found:
        raise Error(f"{name}: the current figure has no view; draw one before, with mollview or "
                    "another")
    return ((axes, axes.armilla_view) for axes in found)


def _current(name: str) -> Tuple[Any, View]:
    """The view in the current axes: others of the figure may show other skies."""
    _views(name)
    axes = pyplot().gca()
    if not hasattr(axes, "armilla_view"):
        raise Error(f"{name}: the current axes have no view; make those of a view current with "
                    "matplotlib.pyplot.sca")
    return axes, axes.armilla_view


def _vectors(args: Tuple[Any, ...], lonlat: bool) -> Tuple[np.ndarray, Tuple[Any, ...]]:
    """Directions of (theta, phi, ...) or ((theta, phi), ...), and the other arguments."""
    pair, rest = (args[0], args[1:]) if np.ndim(args[0]) and len(args[0]) in (2, 3) and (
        len(args) == 1 or isinstance(args[1], str)) else (args[:2], args[2:])
    if len(pair) == 3:
        return reals(pair, "direction").reshape(3, -1), rest
    return dir2vec(pair[0], pair[1], lonlat).reshape(3, -1), rest


def _placed(view: View, vectors: np.ndarray, kwds: Dict[str, Any]) -> Tuple[np.ndarray, np.ndarray]:
    """Where directions stand; takes coord, rot and direct out of kwds."""
    rot, coord, direct = kwds.pop("rot", None), kwds.pop("coord", None), kwds.pop("direct", False)
    if rot is not None:
        raise NotImplementedError(f"rot = {_shown(rot)}: must be None; rotate theta, phi by "
                                  "Rotator")
    if coord is not None:
        to = view.rotation.coordout or coord
        vectors = np.tensordot(Rotator(coord=[coord, to]).mat, vectors, axes=1)
    matrix = np.eye(3) if direct else _turn_only(view)
    return view.forward(np.tensordot(matrix, vectors, axes=1), view.east)


def _turn_only(view: View) -> np.ndarray:
    """The rotation of the view without its change of coordinates."""
    return Rotator(rot=view.rotation.rots[0], deg=False).mat


def broken(x: np.ndarray, y: np.ndarray, longest: float) -> Tuple[np.ndarray, np.ndarray]:
    """With a gap wherever neighbours are far from each other."""
    far = np.flatnonzero(np.hypot(np.diff(x), np.diff(y)) > longest) + 1
    return np.insert(x, far, np.nan), np.insert(y, far, np.nan)


def _width(axes: Any) -> float:
    left, right = axes.get_xlim()
    return abs(right - left)


def projplot(*args: Any, **kwds: Any) -> List[Any]:
    """Draw lines or markers over the picture in the current axes.

    Parameters
    ----------
    *args : array_like and str
        ``theta, phi`` in radians and optionally a format; or one array (2, n) of both, or (3, n)
        of vectors.
    **kwds : dict
        lonlat=True: angles are longitude and latitude in degrees. coord: letter of their
        coordinate system, by default that of the picture. direct=True: the rotation of the picture
        does not act. Other keywords go to plot of matplotlib.

    Returns
    -------
    list of Line2D
        What plot returns.

    Raises
    ------
    %(ValueError.no_picture)s
    NotImplementedError
        If `rot` is given.
    """
    lonlat = kwds.pop("lonlat", False)
    vectors, rest = _vectors(args, lonlat)
    axes, view = _current("projplot")
    x, y = _placed(view, vectors, kwds)
    return list(axes.plot(*broken(x, y, _width(axes) / 4), *rest, **kwds))


def projscatter(*args: Any, **kwds: Any) -> Any:
    """Draw markers over the picture in the current axes.

    Parameters
    ----------
    *args : array_like
        Directions: see `projplot`.
    **kwds : dict
        As in `projplot`; other keywords go to scatter of matplotlib.

    Returns
    -------
    PathCollection
        What scatter returns.

    Raises
    ------
    %(ValueError.no_picture)s
    """
    lonlat = kwds.pop("lonlat", False)
    vectors, rest = _vectors(args, lonlat)
    axes, view = _current("projscatter")
    x, y = _placed(view, vectors, kwds)
    return axes.scatter(x, y, *rest, **kwds)


def projtext(*args: Any, **kwds: Any) -> Any:
    """Write text over the picture in the current axes.

    Parameters
    ----------
    *args : float and str
        ``theta, phi, text``: see `projplot`.
    **kwds : dict
        As in `projplot`; other keywords go to text of matplotlib.

    Returns
    -------
    Text
        What text returns.

    Raises
    ------
    %(ValueError.no_picture)s
    """
    lonlat = kwds.pop("lonlat", False)
    vectors, rest = _vectors(args, lonlat)
    axes, view = _current("projtext")
    x, y = _placed(view, vectors, kwds)
    return axes.text(x[0], y[0], *rest, **kwds)


def _step(axes: Any, view: View) -> float:
    """Degrees between lines: some six on a side."""
    x, _ = view.forward(dir2vec([0.0, 1.0], [0.0, 0.0], lonlat=True), 1)
    wanted = _width(axes) / 6 / max(abs(float(x[1] - x[0])), 1e-12)
    return max([step for step in _NICE if step <= wanted], default=_NICE[0])


def draw_graticule(axes: Any, view: View, dpar: Optional[float], dmer: Optional[float],
                   style: Dict[str, Any], coord: Any = None, local: Any = None) -> List[Any]:
    """Lines of a graticule over one view, whose limits stay."""
    style = {"linestyle": ":", "color": "k", "linewidth": 1, **style}
    limits = axes.get_xlim(), axes.get_ylim()
    down, across = (_step(axes, view) if step is None else float(step) for step in (dpar, dmer))
    lines = [np.broadcast_arrays(np.linspace(-180, 180, 721), lat) for lat in np.append(
        np.arange(0, 90, down), -np.arange(down, 90, down))]
    lines += [np.broadcast_arrays(lon, np.linspace(-90, 90, 361))
              for lon in np.arange(-180, 180, across)]
    drawn: List[Any] = []
    for lon, lat in lines:
        where = {"coord": coord, "direct": bool(local)}
        x, y = _placed(view, dir2vec(lon, lat, lonlat=True), where)
        drawn += axes.plot(*broken(x, y, _width(axes) / 40), **style)
    axes.set_xlim(limits[0])
    axes.set_ylim(limits[1])
    return drawn


def graticule(dpar: Optional[float] = None, dmer: Optional[float] = None, coord: Any = None,
              local: Optional[bool] = None, fontsize: Any = None, **kwds: Any) -> None:
    """Draw lines of longitude and latitude over the pictures of the current figure.

    Parameters
    ----------
    dpar : float, optional
        Distance of lines of latitude in degrees. By default it fits the picture.
    dmer : float, optional
        Distance of lines of longitude in degrees. By default it fits the picture.
    coord : {"G", "E", "C"}, optional
        Coordinates of the lines. By default they are those of the picture.
    local : bool, optional
        Whether the rotation of the picture does not act.
    fontsize : float, optional
        Has no effect.
    **kwds : dict
        More arguments of plot of matplotlib.

    Raises
    ------
    ValueError
        If the current figure has no picture.
    """
    for axes, view in _views("graticule"):
        kept = axes.__dict__.setdefault("armilla_graticule", [])
        kept += draw_graticule(axes, view, dpar, dmer, kwds, coord, local)


def delgraticules() -> None:
    """Remove all lines of longitude and latitude from the current figure.

    Raises
    ------
    ValueError
        If the current figure has no picture.
    """
    for axes, _ in _views("delgraticules"):
        for line in axes.__dict__.pop("armilla_graticule", []):
            line.remove()
