"""Coefficients: places, sizes, rotations under healpy's names."""
from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ..alm import Layout
from ..rotation import Rotation
from ._inputs import Error, Invalid, band_of, integer, is_sequence


class Alm:
    """Sizes and places in healpy's order; all functions are static."""

    @staticmethod
    def getlm(lmax: int, i: Optional[ArrayLike] = None) -> Tuple[Any, Any]:
        """(l, m) of places i, default all for mmax = lmax; an error for a place beyond the last.
        As in healpy, places below 0 are not looked at."""
        size = Alm.getsize(lmax)
        i = np.arange(size) if i is None else np.asarray(i)
        if np.any(i >= size):
            raise Invalid(f"i = {np.max(i)}: lmax = {lmax} has {size} coefficients, counted from 0")
        half = lmax + 0.5
        m = np.ceil(half - np.sqrt(half ** 2 - 2 * (i - lmax))).astype(int)
        m = np.where(m * (2 * lmax + 1 - m) // 2 + m > i, m - 1, m)  # rounding of the root
        m = np.where((m + 1) * (2 * lmax - m) // 2 + m + 1 <= i, m + 1, m)
        l = i - m * (2 * lmax + 1 - m) // 2
        return (l, m) if np.ndim(l) else (np.int64(l), np.int64(m))

    @staticmethod
    def getidx(lmax: int, l: Any, m: Any) -> Any:
        """Place of (l, m); numbers or arrays."""
        return m * (2 * lmax + 1 - m) // 2 + l

    @staticmethod
    def getsize(lmax: int, mmax: Optional[int] = None) -> int:
        """Number of coefficients; mmax None, negative or too large: lmax."""
        if mmax is None or mmax < 0 or mmax > lmax:
            mmax = lmax
        return mmax * (2 * lmax + 1 - mmax) // 2 + lmax + 1

    @staticmethod
    def getlmax(s: int, mmax: Optional[int] = None) -> int:
        """lmax of so many coefficients; -1: none has so many."""
        if mmax is not None and mmax >= 0:
            lmax, rest = divmod(2 * s + mmax ** 2 - mmax - 2, 2 * mmax + 2)
            return -1 if rest else int(lmax)
        lmax = int((np.sqrt(1 + 8 * s) - 3) / 2 + 0.5)
        return lmax if (lmax + 1) * (lmax + 2) == 2 * s else -1


def resize_alm(alm: Any, lmax: int, mmax: int, lmax_out: int, mmax_out: int) -> Any:
    """Coefficients cut, or filled with 0, to lmax_out and mmax_out: a new array of the same type,
    or a list of them for a sequence."""
    if is_sequence(alm):
        return [resize_alm(row, lmax, mmax, lmax_out, mmax_out) for row in alm]
    given = np.asarray(alm)
    if given.ndim != 1:
        raise Error("alm: must be (size,) or a sequence of such")
    band_of(given.size, integer("lmax", lmax), integer("mmax", mmax), "alm")
    lmax_out, mmax_out = integer("lmax_out", lmax_out), integer("mmax_out", mmax_out)
    if mmax_out > lmax_out:
        raise Error(f"mmax_out = {mmax_out}: must be at most lmax_out = {lmax_out}")
    made = Layout(lmax, mmax).convert(given, Layout(lmax_out, mmax_out))
    return (made if given.dtype.kind == "c" else made.real).astype(given.dtype, copy=False)


def rotate_alm(alm: Any, psi: float = 0.0, theta: float = 0.0, phi: float = 0.0,
               matrix: Optional[ArrayLike] = None, lmax: Optional[int] = None,
               mmax: Optional[int] = None) -> None:
    """Rotates fields IN PLACE: by psi about z, theta about y, phi about the original z; radians.

    alm: complex128 arrays, (size,), (n, size) or a sequence of (size,), with mmax = lmax. matrix:
    (3, 3) instead of the angles. Result: None.
    """
    rows = list(alm) if is_sequence(alm) else [alm]
    for row in rows:
        if not isinstance(row, np.ndarray) or row.dtype != np.complex128 or row.ndim != 1:
            raise Error("alm: is changed in place and must be complex128 arrays (size,)")
        if not row.flags.writeable:
            raise Error("alm: is changed in place and must be writeable")
    if len({row.size for row in rows}) != 1:
        raise Error("alm: all must have one size")
    lmax, mmax = band_of(rows[0].size, lmax, mmax, "alm")
    if lmax != mmax:
        raise Error(f"mmax = {mmax}: must be lmax = {lmax}: a rotation makes all orders")
    rotation = Rotation(psi, theta, phi) if matrix is None else Rotation.from_matrix(matrix)
    made = rotation.rotate_alm(np.stack(rows), lmax=lmax)
    for row, new in zip(rows, made):
        row[...] = new
