"""healpy.projaxes: colour scales; see _absent.py for what is not here, and why."""
from __future__ import annotations

from typing import Any, List

from . import _absent
from ._inputs import UNSEEN
from .projector import dtor, pi

_COLOURS = ("HistEqNorm", "create_colormap")
_missing = _absent.explains(__name__)


def __getattr__(name: str) -> Any:
    """Colours, which need matplotlib, when they are asked for."""
    if name in _COLOURS:
        from . import colours
        return getattr(colours, name)
    return _missing(name)


def __dir__() -> List[str]:
    return sorted([*globals(), *_COLOURS])
