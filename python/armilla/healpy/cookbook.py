"""healpy.cookbook: kinds of sequences."""
from __future__ import annotations

from typing import Any

from . import _absent


def is_seq(o: Any) -> bool:
    """Tell whether an object has a length.

    Parameters
    ----------
    %(o)s

    Returns
    -------
    bool
        Whether it has.
    """
    try:
        len(o)
    except TypeError:
        return False
    return True


def is_seq_of_seq(o: Any, allow_none: bool = False) -> bool:
    """Tell whether an object is a sequence of sequences of any lengths.

    Parameters
    ----------
    %(o)s
    allow_none : bool, optional
        Whether None counts as a sequence.

    %(Returns.bool)s
    """
    return is_seq(o) and all(allow_none and row is None or is_seq(row) for row in o)


def is_like2d(o: Any) -> bool:
    """Tell whether an object is a sequence of sequences of one length.

    Parameters
    ----------
    %(o)s

    %(Returns.bool)s
    """
    return is_seq_of_seq(o) and len({len(row) for row in o}) <= 1


def len_array_or_arrays(o: Any) -> int:
    """Return the length of an array, or of the first array of a sequence that is not None.

    Parameters
    ----------
    o : array_like
        An array, or a sequence of arrays.

    Returns
    -------
    int
        The length.
    """
    if not is_seq_of_seq(o, True):
        return len(o)
    return next((len(row) for row in o if row is not None), len(o))


__getattr__ = _absent.explains(__name__)
