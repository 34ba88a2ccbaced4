"""Radial kernels: functions of the angle between two points of the sphere."""
from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import angle, angles, plain, pointer, reals
from ._aside import MANY, aside  # kernels of many degrees take seconds
from ._errors import check, real, whole
from ._hints import made_by_methods
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
    """A radial kernel: a function K of the angle between two points, in 1 / steradian.

    Kernels are immutable and made by class methods: `gaussian`, `tophat`, `mexican_hat`,
    `needlet`, `table` and `window`.

    See Also
    --------
    Radial : A plan for convolutions.
    armilla.convolve : HEALPix maps in one call.

    Notes
    -----
    The window b_l of a kernel is defined by K(theta) = sum over l of (2 l + 1) / (4 pi) b_l
    P_l(cos theta). The convolution multiplies a_lm by b_l, and b_0 is the integral of K. The
    support is the angle at which the kernel is cut.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> beam = armilla.Kernel.gaussian(np.radians(1))
    >>> beam.harmonic_window(2).round(6)
    array([1.      , 0.999945, 0.999835])
    """

    __slots__ = ("_kernel", "_recipe")
    _kernel: Any
    _recipe: Tuple[str, tuple]

    @made_by_methods
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
        """Make a Gaussian beam of unit integral.

        Parameters
        ----------
        fwhm : float
            Full width at half maximum, in radians, 1e-6 to pi.

        Returns
        -------
        Kernel
            The kernel with b_l = exp(-l (l + 1) sigma^2 / 2), sigma = fwhm / sqrt(8 log 2): that
            of `armilla.spectrum.gaussian_beam`.

        Raises
        ------
        ValueError
            If `fwhm` is out of range.
        """
        fwhm = angle("fwhm", fwhm)
        return cls._make(("gaussian", (fwhm,)), lib.armilla_kernel_new_gaussian, fwhm)

    @classmethod
    def tophat(cls, radius: float) -> "Kernel":
        """Make a disc of unit integral.

        Parameters
        ----------
        radius : float
            Radius in radians, 1e-6 to pi.

        %(Returns.kernel)s

        Raises
        ------
        ValueError
            If `radius` is out of range.
        """
        radius = angle("radius", radius)
        return cls._make(("tophat", (radius,)), lib.armilla_kernel_new_tophat, radius)

    @classmethod
    def mexican_hat(cls, fwhm: float) -> "Kernel":
        """Make a Mexican hat: -sigma^2 times the Laplacian of a Gaussian.

        Parameters
        ----------
        fwhm : float
            Full width at half maximum, in radians, 1e-6 to pi.

        Returns
        -------
        Kernel
            The kernel with b_l = l (l + 1) sigma^2 exp(-l (l + 1) sigma^2 / 2) and the integral 0.

        Raises
        ------
        ValueError
            If `fwhm` is out of range.
        """
        fwhm = angle("fwhm", fwhm)
        return cls._make(("mexican_hat", (fwhm,)), lib.armilla_kernel_new_mexican_hat, fwhm)

    @classmethod
    def needlet(cls, base: float, scale: int) -> "Kernel":
        """Make a needlet.

        Parameters
        ----------
        base : float
            Ratio of neighbouring scales, above 1.
        scale : int
            Number of the scale.

        Returns
        -------
        Kernel
            The kernel with b_l = b(l / base^scale), which is 0 outside of base^(scale - 1) < l <
            base^(scale + 1). The squares of all scales add up to 1 for l >= 1.

        %(Raises.number)s
        """
        base, scale = real("base", base), whole("scale", scale)
        return cls._make(("needlet", (base, scale)), lib.armilla_kernel_new_needlet, base, scale)

    @classmethod
    def table(cls, theta: ArrayLike, values: ArrayLike) -> "Kernel":
        """Make a kernel from a table, by monotone cubics, which do not overshoot.

        Parameters
        ----------
        theta : array_like, shape (n,)
            Angles in radians, increasing, two or more.
        values : array_like, shape (n,)
            K at these angles. It is constant from 0 to theta[0], and 0 beyond theta[-1].

        %(Returns.kernel)s

        Raises
        ------
        ValueError
            If the angles do not increase, or the lengths differ.
        TypeError
            If the numbers are not real.
        """
        theta, values = _doubles("theta", angles(theta, "theta")), _doubles("values", values)
        if theta.shape != values.shape:
            raise ValueError(f"values: has {len(values)} numbers, theta has {len(theta)}")
        if len(theta) < 2:
            raise ValueError("theta: has one number, must have two or more")
        return cls._make(("table", (theta, values)), lib.armilla_kernel_new_table, len(theta),
                         pointer(theta), pointer(values))

    @classmethod
    def window(cls, bl: ArrayLike) -> "Kernel":
        """Make a kernel from its window.

        Parameters
        ----------
        bl : array_like, shape (n,)
            b_l for l = 0 to n - 1; it is 0 beyond.

        %(Returns.kernel)s

        Raises
        ------
        ValueError
            If a number is not finite.
        """
        window = _doubles("bl", bl)
        wrong = np.flatnonzero(~np.isfinite(window))
        if wrong.size:
            raise ValueError(f"bl[{wrong[0]}] = {window[wrong[0]]}: must be finite")
        return cls._make(("window", (window,)), lib.armilla_kernel_new_window, len(window) - 1,
                         pointer(window))

    def values(self, theta: ArrayLike) -> np.ndarray:
        """Evaluate the kernel, which is not cut here.

        Parameters
        ----------
        theta : array_like
            Angles of any shape, 0 to pi, in radians.

        Returns
        -------
        ndarray, shape of `theta`
            K in 1 / steradian, float64.

        Raises
        ------
        ValueError
            If an angle is out of range.

        Examples
        --------
        >>> import armilla
        >>> armilla.Kernel.tophat(0.1).values([0.05, 0.2]).round(3)
        array([31.858,  0.   ])
        """
        given = reals(plain(angles(theta, "theta"), "theta"), "theta").copy()
        result = np.empty(given.shape)
        aside(lambda: lib.armilla_kernel_values(self._kernel, given.size, pointer(given),
                                                pointer(result)), MANY)
        return result

    def harmonic_window(self, lmax: int, support: Optional[float] = None) -> np.ndarray:
        """Compute the window of the kernel.

        Parameters
        ----------
        %(lmax)s
        support : float, optional
            Angle at which the kernel is cut, in radians. By default it is not cut.

        Returns
        -------
        ndarray, shape (lmax + 1,)
            b_l, float64.

        %(Raises.number)s
        """
        lmax = whole("lmax", lmax)
        cut = np.pi if support is None else angle("support", support)
        window = np.empty(max(0, min(lmax, 1000000)) + 1)  # the library refuses what is outside
        aside(lambda: lib.armilla_kernel_window(self._kernel, cut, lmax, pointer(window)), MANY)
        return window

    def truncation_error(self, support: float, cl: Optional[ArrayLike] = None) -> float:
        """Compute what cutting the kernel changes in the convolution of a map.

        Parameters
        ----------
        support : float
            Angle at which the kernel is cut, in radians.
        cl : array_like, shape (n,), optional
            Power spectrum of the map. By default it is 1 for all degrees.

        Returns
        -------
        float
            The rms of the change, relative to that of the convolved map.

        %(Raises.number)s
        """
        lmax, pointer_, kept = _spectrum(cl)
        error = ffi.new("double *")
        cut = angle("support", support)
        aside(lambda: lib.armilla_kernel_truncation_error(self._kernel, cut, lmax, pointer_, error),
              MANY, kept)
        return error[0]

    def choose_support(self, error: float = 1e-7, cl: Optional[ArrayLike] = None) -> float:
        """Find the smallest support, to 1 %, with a truncation error.

        Parameters
        ----------
        error : float, optional
            Largest error: see `truncation_error`.
        cl : array_like, shape (n,), optional
            Power spectrum of the map. By default it is 1 for all degrees.

        Returns
        -------
        float
            The support in radians; pi where there is none.

        %(Raises.number)s

        Examples
        --------
        >>> import armilla
        >>> kernel = armilla.Kernel.gaussian(0.01)
        >>> support = kernel.choose_support(1e-3)
        >>> kernel.truncation_error(support) <= 1e-3
        True
        """
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
