"""Coefficients: places, sizes, rotations under healpy's names."""
from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ..alm import Layout
from ..rotation import Rotation
from ._inputs import Error, Invalid, band_of, integer, is_sequence


class Alm:
    """Sizes and places of coefficients in the order of healpy; all functions are static.

    Examples
    --------
    >>> import armilla.healpy as hp
    >>> hp.Alm.getsize(lmax=64), hp.Alm.getidx(64, 2, 1), hp.Alm.getlmax(2145)
    (2145, 66, 64)
    """

    @staticmethod
    def getlm(lmax: int, i: Optional[ArrayLike] = None) -> Tuple[Any, Any]:
        """Return the degrees and orders of places.

        Parameters
        ----------
        %(lmax)s
        i : int or array_like of int, optional
            Places. By default all for mmax = lmax; places below 0 are not checked, as in healpy.

        Returns
        -------
        l : int64 or ndarray
            Degrees.
        m : int64 or ndarray
            Orders.

        Raises
        ------
        ValueError
            If a place is beyond the last one.
        """
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
        """Return the places of coefficients.

        Parameters
        ----------
        %(lmax)s
        l : int or array_like of int
            Degrees.
        m : int or array_like of int
            Orders.

        Returns
        -------
        int or ndarray
            m (2 lmax + 1 - m) / 2 + l.
        """
        return m * (2 * lmax + 1 - m) // 2 + l

    @staticmethod
    def getsize(lmax: int, mmax: Optional[int] = None) -> int:
        """Return the number of coefficients.

        Parameters
        ----------
        %(lmax)s
        mmax : int, optional
            Largest order. None, a negative and too large a number mean `lmax`.

        %(Returns.int)s
        """
        if mmax is None or mmax < 0 or mmax > lmax:
            mmax = lmax
        return mmax * (2 * lmax + 1 - mmax) // 2 + lmax + 1

    @staticmethod
    def getlmax(s: int, mmax: Optional[int] = None) -> int:
        """Return the largest degree of so many coefficients.

        Parameters
        ----------
        s : int
            Number of coefficients.
        %(mmax.largest_degree)s

        Returns
        -------
        int
            The largest degree; -1 if no degree has so many coefficients.
        """
        if mmax is not None and mmax >= 0:
            lmax, rest = divmod(2 * s + mmax ** 2 - mmax - 2, 2 * mmax + 2)
            return -1 if rest else int(lmax)
        lmax = int((np.sqrt(1 + 8 * s) - 3) / 2 + 0.5)
        return lmax if (lmax + 1) * (lmax + 2) == 2 * s else -1


def resize_alm(alm: Any, lmax: int, mmax: int, lmax_out: int, mmax_out: int) -> Any:
    """Cut coefficients, or fill them with 0, to other degrees and orders.

    Parameters
    ----------
    alm : array_like, shape (size,), or a sequence of such arrays
        Coefficients.
    lmax : int
        Their largest degree.
    mmax : int
        Their largest order.
    lmax_out : int
        Largest degree of the result.
    mmax_out : int
        Largest order of the result.

    Returns
    -------
    ndarray or list of ndarray
        New coefficients of the same type.

    %(Raises.size)s
    """
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
    """Rotate fields given by their coefficients, in place.

    The field is rotated by psi about z, then by theta about y, and then by phi about the original
    z axis.

    Parameters
    ----------
    alm : ndarray, shape (size,) or (n, size), or a sequence of arrays
        Coefficients, complex128, with mmax = lmax. They are changed.
    psi : float, optional
        First angle in radians.
    theta : float, optional
        Second angle in radians.
    phi : float, optional
        Third angle in radians.
    matrix : array_like, shape (3, 3), optional
        Matrix of the rotation, which is used instead of the angles.
    %(lmax.of_size)s
    mmax : int, optional
        Largest order, which must be `lmax`.

    Raises
    ------
    ValueError
        If a type or a number of coefficients is wrong.

    See Also
    --------
    Rotator.rotate_alm : Rotates to another coordinate system, in a new array.
    armilla.Rotation : Rotations of all kinds.
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
