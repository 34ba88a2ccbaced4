"""Coefficients a_lm of real fields: sizes, windows, derivatives, random fields, real packing and
layouts.

Coefficients are complex, with m >= 0, in the order of healpy unless a `Layout` says otherwise:
a_lm is element m (2 lmax + 1 - m) / 2 + l. lmax and mmax are inclusive. The imaginary parts of m =
0 are ignored on input and 0 on output.
"""
from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any, List, Optional, Tuple, overload

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import COMPLEX_OF, REAL_OF, as_alm, as_map, pointer
from ._arrays import degrees as by_degree
from ._aside import aside
from ._errors import check, whole
from ._derivatives import (apply_laplacian, derive_phi, derive_theta, invert_laplacian,
                           multiply_cos_theta)
from ._hints import absent
from ._native import ffi, lib

__all__ = ["Layout", "apply_laplacian", "degrees", "derive_phi", "derive_theta", "from_real",
           "index", "invert_laplacian", "lmax", "multiply_cos_theta", "multiply_window", "orders",
           "random", "random_correlated", "real_size", "size", "to_real"]


def __dir__() -> List[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = absent(__name__)


def size(lmax: int, mmax: Optional[int] = None) -> int:
    """Return the number of coefficients of a band limit.

    Parameters
    ----------
    %(lmax.from_0)s
    %(mmax)s

    Returns
    -------
    int
        The number of a_lm with m <= l <= lmax and m <= mmax.

    %(Raises.mmax)s

    Examples
    --------
    >>> import armilla
    >>> armilla.alm.size(64), armilla.alm.size(64, 2)
    (2145, 192)
    """
    lmax = whole("lmax", lmax)
    mmax = lmax if mmax is None else whole("mmax", mmax)
    number = lib.armilla_alm_size(lmax, mmax)
    if number < 0:
        raise ValueError(f"lmax = {lmax}, mmax = {mmax}: must be 0 <= mmax <= lmax")
    return number


@overload
def index(lmax: int, l: int, m: int) -> int: ...


@overload
def index(lmax: int, l: ArrayLike, m: ArrayLike) -> Any: ...


def index(lmax: int, l: Any, m: Any) -> Any:
    """Return the places of a_lm in the order of healpy.

    Parameters
    ----------
    %(lmax)s
    l : int or array_like of int
        Degrees.
    m : int or array_like of int
        Orders; arrays are broadcast.

    Returns
    -------
    int or ndarray of int64
        m (2 lmax + 1 - m) / 2 + l.

    Raises
    ------
    ValueError
        If not 0 <= m <= l <= lmax.

    Examples
    --------
    >>> import armilla
    >>> armilla.alm.index(64, 2, 1)
    66
    >>> armilla.alm.index(64, [2, 3], 1)
    array([66, 67])
    """
    lmax = whole("lmax", lmax)
    if not np.ndim(l) and not np.ndim(m):
        return _place(lambda *lm: lib.armilla_alm_index(lmax, *lm), lmax, l, m)
    l, m = np.broadcast_arrays(_integers("l", l), _integers("m", m))
    wrong = (m < 0) | (m > l) | (l > lmax)
    if wrong.any():
        first = np.flatnonzero(wrong.ravel())[0]
        raise _misplaced(lmax, l.flat[first], m.flat[first])
    return m * (2 * lmax + 1 - m) // 2 + l


def _integers(name: str, values: Any) -> np.ndarray:
    given = np.asarray(values)
    if given.dtype.kind not in "iu" and given.size:
        raise TypeError(f"{name}: must be integers, not {given.dtype}")
    return given.astype(np.int64, order="C")


def _misplaced(lmax: int, l: int, m: int) -> ValueError:
    return ValueError(f"lmax = {lmax}, l = {l}, m = {m}: must be 0 <= m <= l <= lmax")


def _place(function: Any, lmax: int, l: Any, m: Any) -> int:
    """What a function of the library makes of one l and m."""
    l, m = whole("l", l), whole("m", m)
    number: int = function(l, m)
    if number < 0:
        raise _misplaced(lmax, l, m)
    return number


def degrees(lmax: int, mmax: Optional[int] = None) -> np.ndarray:
    """Return the degree l of each coefficient, in the order of healpy.

    Parameters
    ----------
    %(lmax.from_0)s
    %(mmax)s

    Returns
    -------
    ndarray of int64, shape (size,)
        l of a_lm, in the sequence of the coefficients.

    %(Raises.mmax)s

    See Also
    --------
    orders : The order m of each coefficient.

    Examples
    --------
    >>> import armilla
    >>> armilla.alm.degrees(2), armilla.alm.orders(2)
    (array([0, 1, 2, 1, 2, 2]), array([0, 0, 0, 1, 1, 2]))
    """
    return _lm(lmax, mmax)[0]


def orders(lmax: int, mmax: Optional[int] = None) -> np.ndarray:
    """Return the order m of each coefficient, in the order of healpy.

    Parameters
    ----------
    %(lmax.from_0)s
    %(mmax)s

    Returns
    -------
    ndarray of int64, shape (size,)
        m of a_lm, in the sequence of the coefficients.

    %(Raises.mmax)s

    Examples
    --------
    >>> import armilla
    >>> armilla.alm.orders(3, mmax=1)
    array([0, 0, 0, 0, 1, 1, 1])
    """
    return _lm(lmax, mmax)[1]


def _lm(lmax: int, mmax: Optional[int]) -> Tuple[np.ndarray, np.ndarray]:
    count = size(lmax, mmax)
    m, l = np.triu_indices(lmax + 1)
    return l[:count], m[:count]


def lmax(size: int, mmax: Optional[int] = None) -> int:
    """Return the largest degree of so many coefficients.

    Parameters
    ----------
    size : int
        Number of coefficients.
    mmax : int, optional
        Largest order. By default it is lmax.

    Returns
    -------
    int
        The largest degree.

    Raises
    ------
    ValueError
        If no degree has so many.

    Examples
    --------
    >>> import armilla
    >>> armilla.alm.lmax(2145)
    64
    """
    size = whole("size", size)
    return _lmax_of(size, mmax, f"size = {size}")


def _lmax_of(size: int, mmax: Optional[int], words: str) -> int:
    """words: of errors, about the size."""
    number: int = lib.armilla_alm_lmax(size, -1 if mmax is None else whole("mmax", mmax))
    if number < 0:
        raise ValueError(f"{words}: no lmax has so many coefficients"
                         + (", unless mmax is less, which is then to be given" if mmax is None else
                            f" with mmax = {mmax}"))
    return number


def band(alm: np.ndarray, lmax_: Optional[int], mmax: Optional[int], name: str = "alm"
         ) -> Tuple[int, int]:
    """(lmax, mmax) of an array (..., size); what is None follows from the size."""
    if alm.ndim == 0:
        raise ValueError(f"{name}: must have at least one dimension")
    if lmax_ is None:
        lmax_ = _lmax_of(alm.shape[-1], mmax, f"{name}: has shape {alm.shape}")
    mmax = lmax_ if mmax is None else mmax
    if alm.shape[-1] != size(lmax_, mmax):
        raise ValueError(f"{name}: has {alm.shape[-1]} coefficients, lmax = {lmax_}, mmax = {mmax} "
                         f"needs {size(lmax_, mmax)}")
    return lmax_, mmax


def multiply_window(alm: ArrayLike, window: ArrayLike, *, lmax: Optional[int] = None,
                    mmax: Optional[int] = None) -> np.ndarray:
    """Multiply coefficients by a window: a_lm times window[l], in a new array.

    Parameters
    ----------
    %(alm)s
    window : array_like, shape (nwindow,)
        Real factors of the degrees. Degrees beyond the window become 0.
    %(arguments.lmax_mmax)s

    Returns
    -------
    ndarray, shape (..., size)
        The product, complex64 or complex128 as `alm` is.

    %(Raises.size)s

    Examples
    --------
    >>> import armilla, numpy as np
    >>> alm = armilla.alm.random(64, np.ones(65), seed=1)
    >>> beam = armilla.spectrum.gaussian_beam(np.radians(1), lmax=64)
    >>> smooth = armilla.alm.multiply_window(alm, beam)
    """
    alm = as_alm(alm)
    lmax, mmax = band(alm, lmax, mmax)
    result = np.array(alm, dtype=np.complex128, order="C")
    multiply_rows(result, as_map(window, "window"), lmax, mmax)
    return result.astype(alm.dtype, copy=False)


def multiply_rows(alm: np.ndarray, window: ArrayLike, lmax: int, mmax: int) -> None:
    """alm[..., l, m] *= window[l] in place: contiguous complex128 (..., size)."""
    window = by_degree(window, "window")
    for row in alm.reshape(-1, alm.shape[-1]):
        check(lib.armilla_alm_multiply_window(lmax, mmax, window.size, pointer(window),
                                              pointer(row)))


def random(lmax: Optional[int] = None, cl: ArrayLike = 1.0, seed: Optional[int] = None, *,
           field: int = 0, mmax: Optional[int] = None) -> np.ndarray:
    """Draw Gaussian random coefficients with a power spectrum.

    Parameters
    ----------
    lmax : int, optional
        Largest degree. By default it is that of `cl`.
    cl : float or array_like, shape (n,), optional
        Power spectrum, in the square of the unit of the field. Degrees beyond it become 0. A
        number is that of all degrees.
    seed : int, optional
        Seed, 0 to 2^64 - 1. By default each call draws other numbers.
    field : int, optional
        Number of the field: fields of one seed are independent.
    %(mmax)s

    Returns
    -------
    ndarray, shape (size,)
        Coefficients, complex128. Each depends only on seed, field, l and m.

    %(Raises.number)s

    See Also
    --------
    random_correlated : Several fields, such as T, E and B.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> alm = armilla.alm.random(64, np.ones(65), seed=1)
    >>> bool(np.allclose(alm[:33], armilla.alm.random(32, seed=1)[:33]))
    True
    """
    lmax, cl = _drawn(lmax, cl)
    mmax = lmax if mmax is None else mmax
    alm = np.empty(size(lmax, mmax), np.complex128)
    seed, field = _seed(seed), whole("field", field, 64)
    aside(lambda: lib.armilla_alm_random(lmax, mmax, cl.size, pointer(cl), seed, field,
                                         pointer(alm)), alm.size)
    return alm


def _drawn(lmax: Optional[int], cl: ArrayLike) -> Tuple[int, np.ndarray]:
    """The degree, and the spectrum, of which one may follow from the other."""
    if np.ndim(lmax) == 1:  # type: ignore[arg-type]
        raise TypeError("lmax: must be an integer; a spectrum is cl=, which has its lmax: "
                        "random(cl=cl)")
    spectrum = as_map(cl, "cl")
    if lmax is None and not spectrum.ndim:
        raise TypeError("lmax: must be given, or a spectrum: random(128), random(cl=cl)")
    lmax = spectrum.size - 1 if lmax is None else whole("lmax", lmax)
    if not spectrum.ndim:
        spectrum = np.full(max(lmax, 0) + 1, spectrum)
    return lmax, by_degree(spectrum, "cl")


def _seed(seed: Optional[int]) -> int:
    return int.from_bytes(os.urandom(8), "little") if seed is None else whole("seed", seed, 64)


def random_correlated(lmax: int, cl: ArrayLike, seed: Optional[int] = None, *,
                      mmax: Optional[int] = None) -> np.ndarray:
    """Draw Gaussian random coefficients of correlated fields, such as T, E and B.

    Parameters
    ----------
    %(lmax)s
    cl : array_like, shape (n, n, ncl)
        cl[i, j] is the spectrum of the fields i and j, of which only j <= i is read; n is 1 to 64.
        The matrix of each degree must be positive semidefinite, to 1e-5. Degrees beyond ncl become
        0.
    seed : int, optional
        Seed, 0 to 2^64 - 1. By default each call draws other numbers.
    %(mmax)s

    Returns
    -------
    ndarray, shape (n, size)
        Coefficients, complex128. Field 0 is ``random(lmax, cl[0, 0], seed)``.

    Raises
    ------
    ValueError
        If a shape is wrong, or no fields have such a matrix; the text names l and the field.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> cl = np.ones(65) * np.array([[2.0, 1.0], [1.0, 3.0]])[..., None]
    >>> t, e = armilla.alm.random_correlated(64, cl, seed=1)
    >>> bool(0.5 < armilla.spectrum.compute(t, e).mean() < 1.5)
    True
    """
    mmax = lmax if mmax is None else mmax
    cl = np.asarray(as_map(cl, "cl"), dtype=np.float64, order="C")
    if cl.ndim != 3 or cl.shape[0] != cl.shape[1]:
        raise ValueError(f"cl: has shape {cl.shape}, must have (n, n, ncl)")
    alm = np.empty((cl.shape[0], size(lmax, mmax)), np.complex128)
    seed = _seed(seed)
    aside(lambda: lib.armilla_alm_random_correlated(lmax, mmax, cl.shape[0], cl.shape[2],
                                                    pointer(cl), seed, pointer(alm)), alm.size)
    return alm


# --- Real packing ---------------------------------------------------------------------------------


def real_size(lmax: int, mmax: Optional[int] = None) -> int:
    """Return the number of real coefficients of a band limit.

    Parameters
    ----------
    %(lmax)s
    %(mmax)s

    Returns
    -------
    int
        (lmax + 1)^2 if mmax = lmax.

    %(Raises.mmax)s
    """
    return 2 * size(lmax, mmax) - (lmax + 1)


def to_real(alm: ArrayLike, *, lmax: Optional[int] = None, mmax: Optional[int] = None
            ) -> np.ndarray:
    """Convert to coefficients of the real harmonics: a_l0, and sqrt(2) (Re, Im) of m > 0.

    The dot product of two such arrays is the inner product of the fields on the sphere.

    Parameters
    ----------
    %(alm)s
    %(arguments.lmax_mmax)s

    Returns
    -------
    ndarray, shape (..., real_size(lmax, mmax))
        float32 for complex64, else float64.

    %(Raises.size)s

    Examples
    --------
    >>> import armilla, numpy as np
    >>> alm = armilla.alm.random(64, np.ones(65), seed=1)
    >>> real = armilla.alm.to_real(alm)
    >>> real.shape
    (4225,)
    >>> bool(np.allclose(armilla.alm.from_real(real), alm))
    True
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
    """Convert coefficients of the real harmonics back: the inverse of to_real.

    Parameters
    ----------
    real : array_like, shape (..., real_size(lmax, mmax))
        Real coefficients.
    lmax : int, optional
        Largest degree. By default it is that of (lmax + 1)^2 values.
    %(mmax)s

    Returns
    -------
    ndarray, shape (..., size)
        complex64 for float32, else complex128.

    Raises
    ------
    ValueError
        If the number of values does not fit `lmax` and `mmax`.
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


def checked_layout(layout: Any) -> Optional["Layout"]:
    """TypeError for what is neither a Layout nor None."""
    if layout is not None and not isinstance(layout, Layout):
        raise TypeError(f"layout: must be a Layout, not {type(layout).__name__}")
    return layout


class Layout:
    """Where a_lm is stored: in element mstart[m] + l * stride.

    ``Layout(lmax, mmax)`` is the order of healpy, and `Layout.custom` makes any other. Layouts are
    immutable. With mres > 1 only the orders m = k mres are there, a_lm in the element
    k (2 lmax + 2 - (k + 1) mres) / 2 + l, as SHTns has them.

    Parameters
    ----------
    %(lmax)s
    mmax : int, optional
        Largest order divided by `mres`, 0 to ``lmax // mres``, which is the default.
    mres : int, optional
        Orders are its multiples. 1, the default, means all orders.

    Attributes
    ----------
    %(lmax)s
    %(mmax.divided)s
    %(mres)s
    size : int
        Number of elements of an array.

    Raises
    ------
    ValueError
        If not 0 <= mmax <= lmax // mres.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> healpy = armilla.alm.Layout(4)
    >>> by_degree = armilla.alm.Layout.custom(4, mstart=[0, 1, 2, 3, 4], stride=5)   # [l, m]
    >>> alm = healpy.convert(armilla.alm.random(4, np.ones(5), seed=1), by_degree)
    >>> alm.reshape(5, 5).shape
    (5, 5)
    >>> even = armilla.alm.Layout(4, mres=2)
    >>> even.size, even.index(4, 2)
    (9, 7)
    """

    __slots__ = ("_layout", "_recipe", "lmax", "mmax", "mres", "size")

    def __init__(self, lmax: int, mmax: Optional[int] = None, mres: int = 1) -> None:
        lmax, mres = whole("lmax", lmax), whole("mres", mres)
        mmax = lmax // max(mres, 1) if mmax is None else whole("mmax", mmax)
        self._set(("", (lmax, mmax, mres)), lib.armilla_alm_layout_new_mres, lmax, mmax, mres)

    @classmethod
    def custom(cls, lmax: int, mstart: ArrayLike, stride: int = 1) -> "Layout":
        """Make a layout of any kind.

        Parameters
        ----------
        %(lmax)s
        mstart : array_like of int, shape (mmax + 1,)
            Place that l = 0 of each order has, or would have.
        stride : int, optional
            Distance from l to l + 1.

        Returns
        -------
        Layout
            The layout.

        Raises
        ------
        ValueError
            If a coefficient would lie before the first element, or there are more orders than
            degrees.
        """
        mstart = _integers("mstart", mstart)
        if mstart.ndim != 1:
            raise ValueError(f"mstart: has shape {mstart.shape}, must have (mmax + 1,)")
        self = object.__new__(cls)
        lmax, stride = whole("lmax", lmax), whole("stride", stride)
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
        self.mres: int = lib.armilla_alm_layout_mres(self._layout)
        self.size: int = lib.armilla_alm_layout_size(self._layout)

    def index(self, l: int, m: int) -> int:
        """Return the place of a_lm.

        %(sections.place_of_l_m)s

        Raises
        ------
        ValueError
            If the layout has no such coefficient.
        """
        l, m = whole("l", l), whole("m", m)
        number: int = lib.armilla_alm_layout_index(self._layout, l, m)
        if number < 0:
            raise ValueError(f"l = {l}, m = {m}: outside the layout")
        return number

    def convert(self, alm: ArrayLike, target: "Layout") -> np.ndarray:
        """Convert coefficients to another layout.

        Parameters
        ----------
        alm : array_like, shape (..., size)
            Coefficients in this layout.
        target : Layout
            The other layout.

        Returns
        -------
        ndarray, shape (..., target.size)
            A new array; what only the target has is 0.

        Raises
        ------
        ValueError
            If the number of coefficients is wrong.
        """
        alm = as_alm(alm)
        if checked_layout(target) is None:
            raise TypeError("target: must be a Layout, not None")
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
        every = f"mres {self.mres}, " if self.mres > 1 else ""
        return f"<armilla.Layout: lmax {self.lmax}, mmax {self.mmax}, {every}size {self.size}>"
