"""Rotations of the sphere, and of fields given by their coefficients."""
from __future__ import annotations

import math
from typing import Any, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Output, angle, apart, as_alm, plain, pointer, reals
from ._errors import check, shown
from ._hints import by_angles
from ._native import ffi, lib
from ._progress import Progress, execute
from ._types import Coordinates
from .alm import band, size


class Rotation:
    """A rotation of the sphere, by Euler angles z-y-z in radians.

    It turns by psi about z, then by theta about the original y axis, then by phi about the
    original z axis, right-handed; as a matrix, R = Rz(phi) Ry(theta) Rz(psi). Rotations are
    immutable.

    Parameters
    ----------
    psi : float
        First angle, about z, in radians.
    theta : float
        Second angle, about y, in radians.
    phi : float
        Third angle, about z, in radians.

    Raises
    ------
    TypeError
        If an angle is no real number.
    ValueError
        If an angle is not finite.

    Notes
    -----
    A rotation moves things, not axes: a direction n goes to R n, and a field f becomes f(R^-1 n).
    The angles are those of rotate_alm in healpy and ducc0. ``second @ first`` is the rotation that
    does `first` and then `second`.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> rotation = armilla.Rotation.from_coordinates("G", "C")
    >>> alm = armilla.alm.random(16, np.ones(17), seed=1)
    >>> there = rotation.rotate_alm(alm)
    >>> bool(np.allclose(rotation.inverse().rotate_alm(there), alm))
    True
    """

    __slots__ = ("_rotation",)

    @by_angles
    def __init__(self, psi: float, theta: float, phi: float) -> None:
        self._rotation = ffi.new("armilla_rotation *")
        check(lib.armilla_rotation_from_euler(angle("psi", psi), angle("theta", theta),
                                              angle("phi", phi), self._rotation))

    @classmethod
    def _make(cls, function: Any, *args: Any) -> "Rotation":
        self = object.__new__(cls)
        self._rotation = ffi.new("armilla_rotation *")
        check(function(*args, self._rotation))
        return self

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> "Rotation":
        """Make a rotation from its matrix.

        Parameters
        ----------
        matrix : array_like, shape (3, 3)
            R, which takes a direction n to R n: orthonormal to 1e-8, with the determinant 1.

        Returns
        -------
        Rotation
            The rotation.

        Raises
        ------
        ValueError
            If the shape is wrong, or the matrix is no rotation.
        """
        matrix = reals(plain(matrix, "matrix"), "matrix")
        if matrix.shape != (3, 3):
            raise ValueError(f"matrix: has shape {matrix.shape}, must have (3, 3)")
        return cls._make(lib.armilla_rotation_from_matrix, pointer(matrix))

    @classmethod
    def from_coordinates(cls, source: Coordinates, target: Coordinates) -> "Rotation":
        """Make the rotation from one coordinate system of the sky to another, J2000.

        Parameters
        ----------
        source : {"C", "G", "E"}
            System that a field is given in: equatorial, galactic or ecliptic.
        target : {"C", "G", "E"}
            System that it is wanted in.

        Returns
        -------
        Rotation
            The rotation.

        Raises
        ------
        ValueError
            If a letter is unknown.
        """
        for name, letter in (("source", source), ("target", target)):
            if len(letter) != 1 or not letter.isascii():
                raise ValueError(f"{name} = {shown(letter)}: must be C, G or E")
        return cls._make(lib.armilla_rotation_from_coordinates, source.encode(), target.encode())

    @property
    def psi(self) -> float:
        """First angle, about z, in radians."""
        return self._rotation.psi

    @property
    def theta(self) -> float:
        """Second angle, about the original y axis, in radians."""
        return self._rotation.theta

    @property
    def phi(self) -> float:
        """Third angle, about the original z axis, in radians."""
        return self._rotation.phi

    @property
    def matrix(self) -> np.ndarray:
        """The matrix R, shape (3, 3)."""
        matrix = np.empty((3, 3))
        check(lib.armilla_rotation_matrix(self._rotation, pointer(matrix)))
        return matrix

    def inverse(self) -> "Rotation":
        """Return the inverse rotation.

        Returns
        -------
        Rotation
            R^-1.
        """
        return self._make(lib.armilla_rotation_invert, self._rotation)

    def __matmul__(self, first: "Rotation") -> "Rotation":
        """second @ first: first `first`, then `second`, as for matrices."""
        if not isinstance(first, Rotation):
            return NotImplemented
        return self._make(lib.armilla_rotation_compose, first._rotation, self._rotation)

    def rotate_alm(self, alm: ArrayLike, *, lmax: Optional[int] = None, mmax: Optional[int] = None,
                   mmax_out: Optional[int] = None, out: Optional[np.ndarray] = None,
                   nthreads: int = 0, progress: Progress = None) -> np.ndarray:
        """Rotate fields given by their coefficients; E and B rotate as scalars do.

        Parameters
        ----------
        alm : array_like, shape (..., size(lmax, mmax))
            Coefficients, complex64 or complex128.
        %(arguments.lmax_mmax)s
        mmax_out : int, optional
            Largest order of the result. By default it is `lmax`, which is the whole result.
        %(arguments.out_to_progress)s

        Returns
        -------
        ndarray, shape (..., size(lmax, mmax_out))
            Coefficients of the rotated fields, of the type of `alm`.

        %(Raises.shape+type+cancelled)s

        Examples
        --------
        >>> import armilla, numpy as np
        >>> alm = armilla.alm.random(8, np.ones(9), seed=1)
        >>> turned = armilla.Rotation(0, 0, np.pi / 2).rotate_alm(alm)      # about z
        >>> m = 1
        >>> place = armilla.alm.index(8, 3, m)
        >>> bool(np.isclose(turned[place], alm[place] * np.exp(-1j * m * np.pi / 2)))
        True
        """
        given = as_alm(alm)
        lmax, mmax = band(given, lmax, mmax)
        mmax_out = lmax if mmax_out is None else mmax_out
        shape = given.shape[:-1] + (size(lmax, mmax_out),)
        wide = np.dtype(np.complex128)
        if out is not None:
            Output(out, shape, given.dtype, True)  # only the checks
        direct = out if given.dtype == wide else None
        source = np.ascontiguousarray(apart(given, direct), dtype=wide)
        target = Output(direct, shape, wide, True)
        made = target.array  # one distance serves both arrays: none
        if target.distance:
            made = target.array = np.empty(shape, wide)
        ntrans = math.prod(shape[:-1])
        if ntrans:
            arguments = self._rotation, lmax, mmax, pointer(source), mmax_out, pointer(made)
            execute(lib.armilla_alm_rotate, arguments, ntrans, nthreads, progress)
        result = target.finish()
        if out is not None and direct is None:
            out[...] = result
            return out
        return result.astype(given.dtype, copy=False)

    def __reduce__(self) -> Tuple[Any, ...]:
        return Rotation, (self.psi, self.theta, self.phi)

    def __repr__(self) -> str:
        return f"armilla.Rotation(psi={self.psi!r}, theta={self.theta!r}, phi={self.phi!r})"
