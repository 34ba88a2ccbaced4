"""Colour scales of pictures, on matplotlib."""
from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import Colormap, Normalize

_STEPS = 512  # of the histogram


class HistEqNorm(Normalize):
    """A scale that puts each colour on equally many pixels.

    A value goes to the part of the data that lies below it.

    The data of the first picture count, if they are finite and between `vmin` and `vmax`.

    Parameters
    ----------
    vmin : float, optional
        Smallest value that counts.
    vmax : float, optional
        Largest value that counts.
    clip : bool, optional
        As in Normalize of matplotlib.
    """

    def __init__(self, vmin: Any = None, vmax: Any = None, clip: bool = False) -> None:
        super().__init__(vmin, vmax, clip)
        self._values = self._parts = np.array([0.0, 1.0])
        self._is_set = False

    def autoscale_None(self, val: Any) -> None:
        """Take the data, if there are none yet.

        Parameters
        ----------
        val : array_like
            The data.
        """
        if self._is_set:
            return
        values = np.ma.masked_invalid(val).compressed().astype(float)
        for limit, outside in ((self.vmin, np.less), (self.vmax, np.greater)):
            values = values if limit is None else values[~outside(values, limit)]
        if values.size:
            parts = np.linspace(0, 1, _STEPS + 1)
            self._values, first = np.unique(np.quantile(values, parts), return_index=True)
            self._parts = parts[first]
            self._parts[-1] = 1
            self.vmin = self._values[0] if self.vmin is None else self.vmin
            self.vmax = self._values[-1] if self.vmax is None else self.vmax
            self._is_set = True
        elif self.vmin is not None and self.vmax is not None:  # no data lie between them
            self._values = np.array([self.vmin, self.vmax], float)
            self._parts = np.array([0.0, 1.0])

    def autoscale(self, val: Any) -> None:
        """Take the data, whatever there was.

        Parameters
        ----------
        val : array_like
            The data.
        """
        self.vmin = self.vmax = None
        self._is_set = False
        self.autoscale_None(val)

    def __call__(self, value: Any, clip: Any = None) -> Any:
        given, is_scalar = self.process_value(value)
        self.autoscale_None(given)
        made = np.ma.array(np.interp(given.filled(0), self._values, self._parts),
                           mask=np.ma.getmask(given))
        return made[0] if is_scalar else made

    def inverse(self, value: Any) -> Any:
        """Return the values that have parts of the data below them.

        Parameters
        ----------
        value : array_like
            Parts, 0 to 1.

        Returns
        -------
        float or ndarray
            The values.
        """
        return np.interp(value, self._parts, self._values)


def create_colormap(cmap: Any, badcolor: Any = "gray", bgcolor: Any = "white") -> Colormap:
    """Copy a colour map, with colours for missing pixels and for what is around the sky.

    Parameters
    ----------
    cmap : str, Colormap or None
        A colour map of matplotlib; None means its default. Of the maps of healpy, "planck" is here;
        planck_log and wmap are not.
    %(badcolor)s
    %(bgcolor)s

    Returns
    -------
    Colormap
        The copy.
    """
    if isinstance(cmap, str) and cmap == "planck" and cmap not in colormaps:
        from ..plot import colormap
        cmap = colormap("planck")
    elif cmap is None or isinstance(cmap, str):
        from matplotlib import rcParams
        cmap = colormaps[rcParams["image.cmap"] if cmap is None else cmap]
    return cmap.with_extremes(bad=badcolor, under=bgcolor)
