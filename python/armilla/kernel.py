"""Radial kernels: functions of the angle between two points of the sphere."""
from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import angle, angles, plain, pointer
from ._aside import MANY, aside  # kernels of many degrees take seconds
from ._errors import check, real, whole
from ._native import ffi, lib


def _doubles(name: str, values: ArrayLike) -> np.ndarray:
    """A contiguous float64 array of one dimension."""
    array = plain(values, name)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name}: must hold real numbers, not {array.dtype}")
    if array.ndim != 1 or not array.size:
        raise ValueError(f"{name}: has shape {array.shape}, must have one dimension, not empty")
    return np.ascontiguousarray(array, np.float64)


def _spectrum(cl: Optional[ArrayLike]) -> Tuple[int, Any, Any]:
    """lmax and pointer of a spectrum, and the array to be kept alive; None: C_l = 1."""
    if cl is None:
        return 0, ffi.NULL, None
    values = _doubles("cl", cl)
    return len(values) - 1, pointer(values), values


class Kernel:
    """A function K(theta) of the angle theta, radians, in 1 / steradian. Immutable; made by class
    methods, used by armilla.Radial.

    Its window is b_l: K(theta) = sum over l of (2 l + 1) / (4 pi) b_l P_l(cos theta). The
    convolution multiplies a_lm by b_l; b_0 is the integral of K. Its support is the angle at which
    it is cut.
    """

    __slots__ = ("_kernel", "_recipe")
    _kernel: Any
    _recipe: Tuple[str, tuple]

    def __init__(self) -> None:
        raise TypeError("use Kernel.gaussian, Kernel.tophat, Kernel.mexican_hat, ...")

    @classmethod
    def _make(cls, recipe: Tuple[str, tuple], function: Any, *args: Any) -> "Kernel":
        kernel = ffi.new("armilla_kernel **")
        check(function(*args, kernel))
        self = object.__new__(cls)
        self._kernel = ffi.gc(kernel[0], lib.armilla_kernel_free)
        self._recipe = recipe
        return self

    @classmethod
    def gaussian(cls, fwhm: float) -> "Kernel":
        """Gaussian beam of unit integral, b_l = exp(-l (l + 1) sigma^2 / 2), sigma = fwhm /
        sqrt(8 log 2): the beam of armilla.spectrum.gaussian_beam. fwhm: radians, 1e-6 to pi."""
        fwhm = angle("fwhm", fwhm)
        return cls._make(("gaussian", (fwhm,)), lib.armilla_kernel_new_gaussian, fwhm)

    @classmethod
    def tophat(cls, radius: float) -> "Kernel":
        """Disc of unit integral. radius: radians, 1e-6 to pi."""
        radius = angle("radius", radius)
        return cls._make(("tophat", (radius,)), lib.armilla_kernel_new_tophat, radius)

    @classmethod
    def mexican_hat(cls, fwhm: float) -> "Kernel":
        """-sigma^2 times the Laplacian of the Gaussian of this fwhm: b_l = l (l + 1) sigma^2
        exp(-l (l + 1) sigma^2 / 2), integral 0. fwhm: radians, 1e-6 to pi."""
        fwhm = angle("fwhm", fwhm)
        return cls._make(("mexican_hat", (fwhm,)), lib.armilla_kernel_new_mexican_hat, fwhm)

    @classmethod
    def needlet(cls, base: float, scale: int) -> "Kernel":
        """Needlet: b_l = b(l / base**scale), 0 outside of base**(scale - 1) < l <
        base**(scale + 1); the squares of all scales add up to 1 for l >= 1. base > 1."""
        base, scale = real("base", base), whole("scale", scale)
        return cls._make(("needlet", (base, scale)), lib.armilla_kernel_new_needlet, base, scale)

    @classmethod
    def table(cls, theta: ArrayLike, values: ArrayLike) -> "Kernel":
        """A table, interpolated by monotone cubics (no overshoot): K is constant from 0 to
        theta[0], and 0 beyond theta[-1]. theta: ascending, radians; values: as many."""
        theta, values = _doubles("theta", angles(theta, "theta")), _doubles("values", values)
        if theta.shape != values.shape:
            raise ValueError(f"values: has {len(values)} numbers, theta has {len(theta)}")
        if len(theta) < 2:
            raise ValueError("theta: has one number, must have two or more")
        return cls._make(("table", (theta, values)), lib.armilla_kernel_new_table, len(theta),
                         pointer(theta), pointer(values))

    @classmethod
    def window(cls, bl: ArrayLike) -> "Kernel":
        """From its window: b_l for l = 0, 1, ..., len(bl) - 1, and 0 beyond."""
        window = _doubles("bl", bl)
        wrong = np.flatnonzero(~np.isfinite(window))
        if wrong.size:
            raise ValueError(f"bl[{wrong[0]}] = {window[wrong[0]]}: must be finite")
        return cls._make(("window", (window,)), lib.armilla_kernel_new_window, len(window) - 1,
                         pointer(window))

    def values(self, theta: ArrayLike) -> np.ndarray:
        """K at angles of any shape, 0 to pi radians; float64. Not cut."""
        given = np.array(plain(angles(theta, "theta"), "theta"), np.float64, order="C")
        result = np.empty(given.shape)
        aside(lambda: lib.armilla_kernel_values(self._kernel, given.size, pointer(given),
                                                pointer(result)), MANY)
        return result

    def harmonic_window(self, lmax: int, support: Optional[float] = None) -> np.ndarray:
        """b_l of the kernel cut at `support` (radians, None: the whole kernel), (lmax + 1,)."""
        lmax = whole("lmax", lmax)
        cut = np.pi if support is None else angle("support", support)
        window = np.empty(max(0, min(lmax, 1000000)) + 1)  # the library refuses what is outside
        aside(lambda: lib.armilla_kernel_window(self._kernel, cut, lmax, pointer(window)), MANY)
        return window

    def truncation_error(self, support: float, cl: Optional[ArrayLike] = None) -> float:
        """What cutting the kernel at `support` (radians) changes in the convolution of a map with
        the power spectrum cl (None: C_l = 1): rms, relative to that of the convolved map."""
        lmax, pointer_, kept = _spectrum(cl)
        error = ffi.new("double *")
        cut = angle("support", support)
        aside(lambda: lib.armilla_kernel_truncation_error(self._kernel, cut, lmax, pointer_, error),
              MANY, kept)
        return error[0]

    def choose_support(self, error: float = 1e-7, cl: Optional[ArrayLike] = None) -> float:
        """The smallest support, radians, to 1 %, whose truncation error is at most `error`; pi
        where none is."""
        lmax, pointer_, kept = _spectrum(cl)
        support = ffi.new("double *")
        least = real("error", error)
        aside(lambda: lib.armilla_kernel_choose_support(self._kernel, least, lmax, pointer_,
                                                        support), MANY, kept)
        return support[0]

    def __reduce__(self) -> Tuple[Any, ...]:
        name, args = self._recipe
        return _rebuild, (name, *args)

    def __repr__(self) -> str:
        name, args = self._recipe
        told = ", ".join(f"{len(value)} values" if isinstance(value, np.ndarray) else repr(value)
                         for value in args[:1] + (args[1:] if name == "needlet" else ()))
        return f"<armilla.Kernel {name}({told})>"


def _rebuild(name: str, *args: Any) -> Kernel:
    return getattr(Kernel, name)(*args)
