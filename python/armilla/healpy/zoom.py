"""The whole sky beside a detail of it, which goes where the mouse clicks."""
from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from ._inputs import UNSEEN, Error
from .frames import vec2dir
from .overlays import draw_graticule
from .projections import gnomonic, mollweide
from .pixels import vec2pix
from .rotator import Rotator
from .sizes import get_nside
from .views import gnomview, mollview, prepared, pyplot

_SIZE = 300  # pixels of the detail along a side
_HELP = ("click .. show what is there", "t / r .. nearer / farther", "c ...... back to the centre",
         "p / v .. coordinates / value", "f ...... next colour scale",
         "k ...... keep this colour scale", "g ...... graticule")
_SCALES = ("sky", "detail", "kept")


class _Zoom:
    """The two pictures of a figure."""

    def __init__(self, figure: Any, sky: Any, detail: Any, map: Any, options: Dict[str, Any]
                 ) -> None:
        self.figure, self.sky, self.detail, self.map = figure, sky, detail, map
        self.options, self.reso, self.scale = options, 1.0, "sky"
        self.first = self.centre = tuple(np.degrees(Rotator(rot=options["rot"]).rots[0][:2]))
        self.kept: Optional[Tuple[Any, Any]] = None
        self.lines: List[Any] = []
        self.says = figure.text(0.6, 0.01, "")
        sky_image = sky.images[0]
        self.whole = sky_image.norm.vmin, sky_image.norm.vmax
        for event, action in (("button_press_event", self.clicked),
                              ("key_press_event", self.pressed)):
            figure.canvas.mpl_connect(event, action)
        self.draw()

    def _told(self, event: Any) -> Optional[Tuple[np.ndarray, float, float]]:
        """Vector of the map's frame under the mouse, and its longitude and latitude, degrees, in
        the frame of the pictures; None where there is no sky."""
        if event.inaxes not in (self.sky, self.detail):
            return None
        projection = mollweide if event.inaxes is self.sky else gnomonic
        view = event.inaxes.armilla_view
        x, y = np.array([view.east * event.xdata]), np.array([event.ydata])
        vectors, inside = projection.inverse(x, y)
        if not inside.all():
            return None
        turned = Rotator(rot=view.rotation.rots[0], deg=False).mat.T @ vectors
        lon, lat = vec2dir(turned, lonlat=True)
        return view.rotation.mat.T @ vectors[:, 0], float(lon) % 360, float(lat)

    def clicked(self, event: Any) -> None:
        """Shows what is there."""
        told = self._told(event)
        if told is not None:
            self.centre = told[1:]
            self.draw()

    def pressed(self, event: Any) -> None:
        """Does what _HELP says of the key."""
        told = self._told(event)
        if event.key in ("p", "v") and told is not None:
            self.says.set_text(f"lon, lat = {told[1]:.6g}, {told[2]:.6g}" if event.key == "p"
                               else f"value = {self._value(told[0]):.6g}")
            self.figure.canvas.draw_idle()
        elif event.key in ("r", "t"):
            self.reso *= 2 if event.key == "r" else 0.5
        elif event.key == "c":
            self.centre = self.first
        elif event.key == "k":
            self.keep(*self.detail.images[0].get_clim())
        elif event.key == "f":
            scales = _SCALES if self.kept else _SCALES[:2]
            self.scale = scales[(scales.index(self.scale) + 1) % len(scales)]
        elif event.key == "g":
            self.toggle_graticule()
        if event.key in ("r", "t", "c", "k", "f"):
            self.draw()

    def _value(self, vector: np.ndarray) -> float:
        pixel = vec2pix(get_nside(self.map), vector[0], vector[1], vector[2],
                        nest=self.options["nest"])
        return float(np.ma.filled(self.map, UNSEEN)[pixel])

    def keep(self, low: Any, high: Any) -> None:
        """Keeps a colour scale for the detail, and uses it."""
        self.kept, self.scale = (low, high), "kept"

    def toggle_graticule(self) -> None:
        """Draws one over the detail, or takes it away."""
        if self.lines:
            for line in self.lines:
                line.remove()
            self.lines = []
        else:
            self.lines = draw_graticule(self.detail, self.detail.armilla_view, None, None, {})
        self.figure.canvas.draw_idle()

    def draw(self) -> None:
        """Draws the detail anew."""
        had_lines, self.lines = bool(self.lines), []
        limits = {"sky": self.whole, "detail": (None, None), "kept": self.kept}[self.scale]
        low, high = limits or (None, None)
        self.detail.clear()
        self.figure.sca(self.detail)
        o = self.options
        gnomview(self.map, rot=self.centre, coord=o["coord"], xsize=_SIZE, reso=self.reso,
                 nest=o["nest"], flip=o["flip"], min=low, max=high, cmap=o["cmap"],
                 norm=o["norm"] if isinstance(o["norm"], str) else None, reuse_axes=True,
                 cbar=False, title=f"at ({self.centre[0]:g}, {self.centre[1]:g}), "
                                   f"{self.reso:g} arcmin a pixel")
        if had_lines:
            self.toggle_graticule()
        self.figure.canvas.draw_idle()


def mollzoom(map: Any = None, fig: Optional[int] = None, rot: Any = None, coord: Any = None,
             unit: str = "", xsize: int = 800, title: str = "Mollweide view", nest: bool = False,
             min: Optional[float] = None, max: Optional[float] = None, flip: str = "astro",
             remove_dip: bool = False, remove_mono: bool = False, gal_cut: float = 0,
             format: str = "%g", cmap: Any = None, norm: Any = None, hold: bool = False,
             margins: Any = None, sub: Any = None) -> None:
    """Draw a map of the whole sky, and a detail that moves to where the mouse clicks.

    Keys, which the picture lists, move the detail nearer, farther and back, tell coordinates and
    values, and change colour scales and graticule.

    Parameters
    ----------
    %(map.drawn)s
    %(arguments.figure)s
    %(title)s
    %(nest.map)s
    %(min)s
    %(max)s
    %(flip)s
    %(remove_dip)s
    %(remove_mono)s
    %(gal_cut)s
    %(format)s
    %(cmap)s
    norm : {"lin", "log", "hist"} or Normalize, optional
        Scale of the colours: linear by default.
    hold : bool, optional
        Has no effect.
    margins : tuple, optional
        Has no effect.
    sub : int or tuple, optional
        Has no effect.

    %(Raises.matplotlib+npix)s
    """
    options = dict(locals())
    m = prepared(map, options)
    get_nside(m)
    plt = pyplot()
    figure = plt.figure(fig, figsize=(10.5, 5.4))
    sky = figure.add_axes((0.02, 0.25, 0.56, 0.72))
    mollview(m, rot=rot, coord=coord, unit=unit, xsize=xsize, title=title, nest=nest, min=min,
             max=max, flip=flip, format=format, cmap=cmap, norm=norm, reuse_axes=True)
    for line, text in enumerate(_HELP):
        figure.text(0.04, 0.22 - 0.03 * line, text, fontsize=9)
    detail = figure.add_axes((0.60, 0.04, 0.38, 0.88))
    figure.armilla_zoom = _Zoom(figure, sky, detail, m, options)


def set_g_clim(vmin: Any, vmax: Any) -> None:
    """Set the limits of the colours of the detail of mollzoom.

    Parameters
    ----------
    vmin : float or None
        Value of the lowest colour.
    vmax : float or None
        Value of the highest colour.

    Raises
    ------
    ValueError
        If the current figure has no detail.
    """
    zoom = getattr(pyplot().gcf(), "armilla_zoom", None)
    if zoom is None:
        raise Error("set_g_clim: the current figure has no detail; draw one before, with mollzoom")
    zoom.keep(vmin, vmax)
    zoom.draw()

