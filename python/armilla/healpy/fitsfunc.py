"""healpy.fitsfunc: files."""
from __future__ import annotations

import pathlib
from typing import Any, Optional

import numpy as np

from . import _absent
from .._errors import shown as _shown
from ._inputs import UNSEEN, Error
from .alms import Alm
from .files import _NAMES as standard_column_names
from .files import read_alm, read_cl, read_map, write_alm, write_cl, write_map

allowed_paths = (str, pathlib.Path)
_FORMATS = {np.dtype(kind): letter for kind, letter in (
    (np.bool_, "L"), (np.uint8, "B"), (np.int16, "I"), (np.int32, "J"), (np.int64, "K"),
    (np.float32, "E"), (np.float64, "D"), (np.complex64, "C"), (np.complex128, "M"))}


class HealpixFitsWarning(Warning):
    """The warning of healpy of files; never given here."""


def _format(kind: Any) -> Optional[str]:
    try:
        return _FORMATS.get(np.dtype(kind))
    except TypeError:
        return None


def getformat(t: Any) -> str:
    """Return the letter of FITS for a type.

    Parameters
    ----------
    t : dtype or object
        A type, a value, or a sequence of values.

    Returns
    -------
    str
        The letter: "D" for float64. For text it is "A" and the number of characters.

    Raises
    ------
    ValueError
        If files have no such type.
    """
    first = t[0] if isinstance(t, (list, tuple)) and t else None
    for kind in (t, type(t), type(first)):
        found = _format(kind) if kind is not type(None) else None
        if found:
            return found
    if t is str:
        return "A"
    if isinstance(t, str):
        return f"A{len(t)}"
    if isinstance(first, str):
        return f"A{max(map(len, t))}"
    raise Error(f"{_shown(t)}: files have no such type")


__getattr__ = _absent.explains(__name__)
