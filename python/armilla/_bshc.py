"""Binary files of coefficients (.bshc) of Curtin University, as SHTOOLS and SHBundle have them.

The file is a sequence of doubles: the smallest and the largest degree, then C of these degrees,
degree after degree with orders 0 to l, then S in the same sequence, with S of m = 0. Curtin's files
are big-endian, those of SHTOOLS little-endian; which of them a file is follows from its first two
numbers.
"""
from __future__ import annotations

import gzip
import os
import sys
from typing import Optional, Sequence, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import plain, reals
from ._errors import FormatError, choice
from ._geo_text import BAD_GZIP, Path, check_places, opened, top_degree, whole_file
from ._types import ByteOrder

_ORDERS = {"native": 0, "little": 1, "big": 2}
_BYTES = ("<" if sys.byteorder == "little" else ">", "<", ">")
_MOST = 1 << 16  # degrees above are none of a file


def _content(path: Path) -> bytes:
    try:
        with opened(path) as file:
            content: bytes = file.read()
            return content
    except BAD_GZIP as error:
        raise FormatError(f"{os.fspath(path)}: cannot be unpacked: {error}") from error


def _degrees(name: str, content: bytes, orders: Sequence[str]) -> Tuple[int, int, str]:
    """Smallest and largest degree, and the sequence of the bytes, which make up the file's size."""
    if len(orders) > 1 and content[:16] == bytes(16) and any(content[16:]):
        raise ValueError(f"byte_order: must be given; the two degrees of {name}, 0 and 0, do not "
                         "show the sequence of its bytes")
    for order in orders:
        first = np.frombuffer(content[:16] if len(content) >= 16 else b"", order + "f8")
        if not first.size or not all(0 <= one <= _MOST and one == int(one) for one in first):
            continue
        least, most = map(int, first)
        count = (most + 1) * (most + 2) // 2 - least * (least + 1) // 2
        if least > most:
            raise FormatError(f"{name}: has smallest degree {least} and largest degree {most}")
        if len(content) != 16 * (count + 1):
            raise FormatError(f"{name}: has {len(content)} bytes, must have {16 * (count + 1)} for "
                              f"degrees {least} to {most}: is it cut off?")
        return least, most, order
    raise FormatError(f"{name}: does not begin with two degrees as doubles, as a .bshc file does")


def read_bshc(path: Path, *, lmax: Optional[int] = None, byte_order: Optional[ByteOrder] = None
              ) -> np.ndarray:
    """Read coefficients from a binary file .bshc.

    Parameters
    ----------
    path : str or path-like
        Name of the file, which may be packed by gzip, and have big-endian or little-endian doubles.
    %(lmax.of_file)s
    byte_order : {"little", "big", "native"}, optional
        The sequence of the bytes. By default it follows from the two degrees that a file begins
        with; it must be given where both are 0.

    Returns
    -------
    ndarray, shape (2, lmax + 1, lmax + 1)
        C and S, in the norm that the file's author meant (4 pi in Curtin's files); degrees below
        the file's smallest one are 0.

    Raises
    ------
    FormatError
        If the file is not what it should be.
    ValueError
        If `lmax` is above that of the file, or `byte_order` must be given.

    See Also
    --------
    write_bshc : Writes such files.
    armilla.conventions.convert : Changes norm and sequence.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> cilm = np.zeros((2, 3, 3))
    >>> cilm[0, 2, 0], cilm[1, 2, 1] = 4.0, 5.0
    >>> armilla.geo.write_bshc("small.bshc", cilm)
    >>> armilla.geo.read_bshc("small.bshc")[1, 2]
    array([0., 5., 0.])
    """
    name, content = os.fspath(path), _content(path)
    orders = _BYTES[1:] if byte_order is None else (_BYTES[choice("byte_order", byte_order,
                                                                  _ORDERS)],)
    least, most, order = _degrees(name, content, orders)
    top = top_degree(lmax, most)
    numbers = np.frombuffer(content, order + "f8", offset=16).reshape(2, -1)
    l, m = np.tril_indices(top + 1)
    l, m = l[l >= least], m[l >= least]
    made = np.zeros((2, top + 1, top + 1))
    made[:, l, m] = numbers[:, :len(l)]
    if not np.isfinite(made).all():
        raise FormatError(f"{name}: has numbers that are not finite")
    wrong = np.flatnonzero(made[1, :, 0])
    if len(wrong):
        raise FormatError(f"{name}: S of m = 0 must be 0, it is not for l = {wrong[0]}")
    return made


def write_bshc(path: Path, cilm: ArrayLike, *, byte_order: ByteOrder = "little",
               overwrite: bool = False) -> None:
    """Write coefficients to a binary file .bshc, of degrees 0 to lmax.

    Parameters
    ----------
    path : str or path-like
        Name of the file, which is packed by gzip if it ends in .gz.
    cilm : array_like, shape (2, lmax + 1, lmax + 1)
        C and S, as `armilla.conventions.convert` gives them with "shtools".
    byte_order : {"little", "big", "native"}, optional
        The sequence of the bytes. SHTOOLS reads and writes little-endian files, Curtin University's
        programs big-endian ones; "native" is that of the machine.
    %(overwrite.short)s

    Raises
    ------
    %(FileExistsError)s
    ValueError
        If the shape is wrong, a number is not finite, or none that the format has: S of m = 0, or
        m above l.

    See Also
    --------
    read_bshc : Reads such files.

    Examples
    --------
    >>> import armilla, numpy as np, os
    >>> armilla.geo.write_bshc("zero.bshc", np.zeros((2, 11, 11)), byte_order="big")
    >>> os.path.getsize("zero.bshc")
    1072
    """
    order = _BYTES[choice("byte_order", byte_order, _ORDERS)]
    table = reals(plain(cilm, "cilm"), "cilm")
    n = table.shape[-1] if table.ndim else 0
    if table.shape != (2, n, n) or not n or not np.isfinite(table).all():
        raise ValueError(f"cilm: has shape {table.shape}, must have (2, lmax + 1, lmax + 1), and "
                         "finite numbers")
    check_places(table, "cilm")
    l, m = np.tril_indices(n)
    numbers = np.concatenate([[0.0, n - 1.0], np.ravel(table[:, l, m])])
    content = numbers.astype(order + "f8").tobytes()
    if os.fspath(path).endswith(".gz"):
        content = gzip.compress(content)
    with whole_file(path, overwrite) as temporary:
        with open(temporary, "wb") as file:
            file.write(content)
