"""healpy.cookbook: kinds of sequences."""
from __future__ import annotations

from typing import Any

from . import _absent


def is_seq(o: Any) -> bool:
    """Whether o has a length."""
    try:
        len(o)
    except TypeError:
        return False
    return True


def is_seq_of_seq(o: Any, allow_none: bool = False) -> bool:
    """Whether o is a sequence of sequences of any lengths; allow_none: None counts as one."""
    return is_seq(o) and all(allow_none and row is None or is_seq(row) for row in o)


def is_like2d(o: Any) -> bool:
    """Whether o is a sequence of sequences of one length."""
    return is_seq_of_seq(o) and len({len(row) for row in o}) <= 1


def len_array_or_arrays(o: Any) -> int:
    """Length of an array, or of the first of a sequence of arrays that is not None."""
    if not is_seq_of_seq(o, True):
        return len(o)
    return next((len(row) for row in o if row is not None), len(o))


__getattr__ = _absent.explains(__name__)
