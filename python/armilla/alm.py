"""Coefficients a_lm of real fields: m >= 0, complex, in healpy's order unless a Layout says else.

a_lm is element m (2 lmax + 1 - m) / 2 + l; lmax and mmax are inclusive; the imaginary parts of
m = 0 are ignored on input and 0 on output.
"""
from __future__ import annotations

import math
from typing import Any, List, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import COMPLEX_OF, REAL_OF, as_alm, as_map, pointer
from ._aside import aside
from ._errors import check, whole
from ._native import ffi, lib

__all__ = ["Layout", "from_real", "index", "lmax", "multiply_window", "random", "random_correlated",
           "real_size", "size", "to_real"]


def __dir__() -> List[str]:
    return __all__


def size(lmax: int, mmax: Optional[int] = None) -> int:
    """Number of coefficients with l <= lmax and m <= mmax (None: lmax)."""
    lmax = whole("lmax", lmax)
    mmax = lmax if mmax is None else whole("mmax", mmax)
    number = lib.armilla_alm_size(lmax, mmax)
    if number < 0:
        raise ValueError(f"lmax = {lmax}, mmax = {mmax}: must be 0 <= mmax <= lmax")
    return number


def index(lmax: int, l: int, m: int) -> int:
    """Where a_lm is."""
    number = lib.armilla_alm_index(lmax, l, m)
    if number < 0:
        raise ValueError(f"lmax = {lmax}, l = {l}, m = {m}: must be 0 <= m <= l <= lmax")
    return number


def lmax(size: int, mmax: Optional[int] = None) -> int:
    """lmax of so many coefficients with m <= mmax (None: lmax)."""
    number = lib.armilla_alm_lmax(size, -1 if mmax is None else mmax)
    if number < 0:
        raise ValueError(f"{size} coefficients: no lmax has so many"
                         + ("" if mmax is None else f" with mmax = {mmax}"))
    return number


def band(alm: np.ndarray, lmax_: Optional[int], mmax: Optional[int]) -> Tuple[int, int]:
    """(lmax, mmax) of an array (..., size); what is None follows from the size."""
    if alm.ndim == 0:
        raise ValueError("alm: must have at least one dimension")
    if lmax_ is None:
        lmax_ = lmax(alm.shape[-1], mmax)
    mmax = lmax_ if mmax is None else mmax
    if alm.shape[-1] != size(lmax_, mmax):
        raise ValueError(f"alm: has {alm.shape[-1]} coefficients, lmax = {lmax_}, mmax = {mmax} "
                         f"needs {size(lmax_, mmax)}")
    return lmax_, mmax


def multiply_window(alm: ArrayLike, window: ArrayLike, *, lmax: Optional[int] = None,
                    mmax: Optional[int] = None) -> np.ndarray:
    """A new array of a_lm * window[l]; degrees beyond the window become 0.

    alm: (..., size); window: (nwindow,), real. Result: as alm, complex64 or complex128.
    """
    alm = as_alm(alm)
    lmax, mmax = band(alm, lmax, mmax)
    result = np.array(alm, dtype=np.complex128, order="C")
    multiply_rows(result, as_map(window, "window"), lmax, mmax)
    return result.astype(alm.dtype, copy=False)


def multiply_rows(alm: np.ndarray, window: ArrayLike, lmax: int, mmax: int) -> None:
    """alm[..., l, m] *= window[l] in place: contiguous complex128 (..., size)."""
    window = np.ascontiguousarray(window, dtype=np.float64)
    for row in alm.reshape(-1, alm.shape[-1]):
        check(lib.armilla_alm_multiply_window(lmax, mmax, window.size, pointer(window),
                                              pointer(row)))


def random(lmax: int, cl: ArrayLike, seed: int, *, field: int = 0,
           mmax: Optional[int] = None) -> np.ndarray:
    """Gaussian random coefficients with the spectrum cl (unit^2), complex128, shape (size,).

    Each value depends only on (seed, field, l, m). Degrees beyond cl become 0.
    """
    mmax = lmax if mmax is None else mmax
    alm = np.empty(size(lmax, mmax), np.complex128)
    cl = np.ascontiguousarray(as_map(cl, "cl"), dtype=np.float64)
    seed, field = whole("seed", seed, 64), whole("field", field, 64)
    aside(lambda: lib.armilla_alm_random(lmax, mmax, cl.size, pointer(cl), seed, field,
                                         pointer(alm)), alm.size)
    return alm


def random_correlated(lmax: int, cl: ArrayLike, seed: int, *,
                      mmax: Optional[int] = None) -> np.ndarray:
    """Gaussian random coefficients of correlated fields, such as T, E, B.

    cl: (n, n, ncl), n from 1 to 64, unit^2: cl[i, j] is the spectrum of fields i and j, of which
    only j <= i is read; for each l a positive semidefinite matrix (to 1e-5). Degrees beyond cl
    become 0. Result: complex128, (n, size); field 0 is random(lmax, cl[0, 0], seed).
    ValueError: shape, or a matrix that no fields have; the text names l and the field.
    """
    mmax = lmax if mmax is None else mmax
    cl = np.asarray(as_map(cl, "cl"), dtype=np.float64, order="C")
    if cl.ndim != 3 or cl.shape[0] != cl.shape[1]:
        raise ValueError(f"cl: has shape {cl.shape}, must have (n, n, ncl)")
    alm = np.empty((cl.shape[0], size(lmax, mmax)), np.complex128)
    seed = whole("seed", seed, 64)
    aside(lambda: lib.armilla_alm_random_correlated(lmax, mmax, cl.shape[0], cl.shape[2],
                                                    pointer(cl), seed, pointer(alm)), alm.size)
    return alm


# --- Real packing ---------------------------------------------------------------------------------


def real_size(lmax: int, mmax: Optional[int] = None) -> int:
    """Number of real coefficients: (lmax + 1)^2 if mmax = lmax."""
    return 2 * size(lmax, mmax) - (lmax + 1)


def to_real(alm: ArrayLike, *, lmax: Optional[int] = None, mmax: Optional[int] = None
            ) -> np.ndarray:
    """Coefficients of the real harmonics: a_l0, then sqrt(2) (Re, Im) of m > 0.

    The dot product of two such arrays is the inner product of the fields on the sphere. alm:
    (..., size); result: (..., real_size(lmax, mmax)), float32 of complex64, else float64.
    """
    given = as_alm(alm)
    lmax, mmax = band(given, lmax, mmax)
    source = np.asarray(given, dtype=np.complex128, order="C")
    real: np.ndarray = np.empty(given.shape[:-1] + (real_size(lmax, mmax),))
    for row, made in zip(source.reshape(-1, source.shape[-1]), real.reshape(-1, real.shape[-1])):
        check(lib.armilla_alm_to_real(lmax, mmax, pointer(row), pointer(made)))
    return real.astype(REAL_OF[given.dtype], copy=False)


def from_real(real: ArrayLike, *, lmax: Optional[int] = None, mmax: Optional[int] = None
              ) -> np.ndarray:
    """The inverse of to_real. lmax: default that of (lmax + 1)^2 values.

    real: (..., real_size(lmax, mmax)); result: (..., size), complex64 of float32, else complex128.
    """
    given = as_map(real, "real")
    if given.ndim == 0:
        raise ValueError("real: must have at least one dimension")
    if lmax is None:
        lmax = math.isqrt(given.shape[-1]) - 1 if mmax is None else -1
        if lmax < 0:
            raise ValueError("lmax: must be given with mmax, or where there are no values")
    mmax = lmax if mmax is None else mmax
    if given.shape[-1] != real_size(lmax, mmax):
        raise ValueError(f"real: has {given.shape[-1]} values, lmax = {lmax}, mmax = {mmax} needs "
                         f"{real_size(lmax, mmax)}")
    source = np.asarray(given, dtype=np.float64, order="C")
    alm: np.ndarray = np.empty(given.shape[:-1] + (size(lmax, mmax),), np.complex128)
    for row, made in zip(source.reshape(-1, source.shape[-1]), alm.reshape(-1, alm.shape[-1])):
        check(lib.armilla_alm_from_real(lmax, mmax, pointer(row), pointer(made)))
    return alm.astype(COMPLEX_OF[given.dtype], copy=False)


# --- Layouts --------------------------------------------------------------------------------------


class Layout:
    """Where a_lm is stored: element mstart[m] + l * stride. Immutable.

    Layout(lmax, mmax) is healpy's triangle; Layout.custom any other.
    """

    __slots__ = ("_layout", "_recipe", "lmax", "mmax", "size")

    def __init__(self, lmax: int, mmax: Optional[int] = None) -> None:
        lmax = whole("lmax", lmax)
        mmax = lmax if mmax is None else whole("mmax", mmax)
        self._set(("", (lmax, mmax)), lib.armilla_alm_layout_new, lmax, mmax)

    @classmethod
    def custom(cls, lmax: int, mstart: ArrayLike, stride: int = 1) -> "Layout":
        """mstart: mmax + 1 integers, the (hypothetical) place of l = 0; stride: from l to l + 1."""
        mstart = np.ascontiguousarray(np.asarray(mstart).astype(np.int64, casting="same_kind"))
        self = object.__new__(cls)
        self._set(("custom", (lmax, mstart, stride)), lib.armilla_alm_layout_new_custom, lmax,
                  mstart.size - 1, ffi.cast("const int64_t *", mstart.ctypes.data), stride)
        return self

    def _set(self, recipe: Any, function: Any, *args: Any) -> None:
        layout = ffi.new("armilla_alm_layout **")
        check(function(*args, layout))
        self._layout = ffi.gc(layout[0], lib.armilla_alm_layout_free)
        self._recipe = recipe
        self.lmax: int = lib.armilla_alm_layout_lmax(self._layout)
        self.mmax: int = lib.armilla_alm_layout_mmax(self._layout)
        self.size: int = lib.armilla_alm_layout_size(self._layout)

    def index(self, l: int, m: int) -> int:
        """Where a_lm is."""
        number = lib.armilla_alm_layout_index(self._layout, l, m)
        if number < 0:
            raise ValueError(f"l = {l}, m = {m}: outside the layout")
        return number

    def convert(self, alm: ArrayLike, target: "Layout") -> np.ndarray:
        """Coefficients (..., self.size) in another layout; what only target has becomes 0."""
        alm = as_alm(alm)
        if alm.ndim == 0 or alm.shape[-1] != self.size:
            raise ValueError(f"alm: has shape {alm.shape}, must have (..., {self.size})")
        source = np.ascontiguousarray(alm, dtype=np.complex128)
        result = np.zeros(alm.shape[:-1] + (target.size,), np.complex128)
        for given, made in zip(source.reshape(-1, self.size), result.reshape(-1, target.size)):
            check(lib.armilla_alm_convert(self._layout, pointer(given), target._layout,
                                          pointer(made)))
        return result.astype(alm.dtype, copy=False)

    def __reduce__(self) -> Tuple[Any, ...]:
        name, args = self._recipe
        return (getattr(Layout, name) if name else Layout), args

    def __repr__(self) -> str:
        return f"<armilla.Layout: lmax {self.lmax}, mmax {self.mmax}, size {self.size}>"
