"""Plans and grids that Python owns together with programs that XLA has compiled: their numbers."""
from __future__ import annotations

import math
import threading
import weakref
from typing import Any, Tuple

from ._legs import LegPlan
from ._native import ffi, lib
from .grid import Grid
from .points import Points
from .radial import Radial
from .transform import IQU, SHT
from .vector import VectorSHT

_KINDS = {SHT: (lib.ARMILLA_PYTHON_SHT, "_sht"), IQU: (lib.ARMILLA_PYTHON_IQU, "_sht"),
          VectorSHT: (lib.ARMILLA_PYTHON_VECTOR, "_sht"),
          Points: (lib.ARMILLA_PYTHON_POINTS, "_points"),
          Radial: (lib.ARMILLA_PYTHON_RADIAL, "_radial"),
          Grid: (lib.ARMILLA_PYTHON_GRID, "_grid"),
          LegPlan: (lib.ARMILLA_PYTHON_LEG, "_plan")}
_NUMBERS: "weakref.WeakKeyDictionary[Any, int]" = weakref.WeakKeyDictionary()
_LOCK = threading.Lock()


def _kind_of(owner: Any) -> Tuple[int, str]:
    for base, found in _KINDS.items():
        if isinstance(owner, base):
            return found
    raise TypeError("must be an SHT, IQU, VectorSHT, Points, Radial, Grid or LegPlan, not "
                    f"{type(owner).__name__}")


def _counts(owner: Any) -> Tuple[int, int]:
    """Coefficients and values of one transform."""
    if isinstance(owner, (Grid, LegPlan)):
        return 0, 0
    maps = getattr(owner, "_maps", None)  # of two dimensions may have gaps; C sees lines of npix
    return (math.prod(getattr(owner, "alm_shape", (0,))),
            math.prod(maps.flat if maps else owner.map_shape))


def number_of(owner: Any) -> int:
    """The number by which C and XLA's programs know a plan or a grid. From the first time on the
    object in C is theirs, too: it is freed when neither Python nor such a program is left."""
    kind, name = _kind_of(owner)
    handle = getattr(owner, name)
    with _LOCK:
        number = _NUMBERS.get(handle)
        if number is None:
            number = lib.armilla_python_hold(kind, handle, *_counts(owner))
            if not number:
                raise MemoryError("no memory to share a plan with XLA")
            ffi.gc(handle, None)  # its end is the registry's work now
            _NUMBERS[handle] = number
            weakref.finalize(handle, lib.armilla_python_release, number).atexit = False
    return int(number)
