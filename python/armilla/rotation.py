"""Rotations of the sphere, and of fields given by their coefficients."""
from __future__ import annotations

import math
from typing import Any, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Output, angle, apart, as_alm, plain, pointer
from ._errors import check
from ._native import ffi, lib
from ._progress import Progress, execute
from .alm import band, size


class Rotation:
    """Euler angles z-y-z in radians: psi about z, then theta about y, then phi about the original
    z axis, right-handed. As a matrix: Rz(phi) Ry(theta) Rz(psi). Immutable.

    It moves things, not axes: a direction n goes to R n, a field f becomes f(R^-1 n). The angles
    are those of healpy.rotate_alm and ducc0.sht.rotate_alm.
    """

    __slots__ = ("_rotation",)

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
        """From a 3 x 3 matrix R (n goes to R n), orthonormal to 1e-8, determinant +1."""
        matrix = np.ascontiguousarray(plain(matrix, "matrix"), dtype=np.float64)
        if matrix.shape != (3, 3):
            raise ValueError(f"matrix: has shape {matrix.shape}, must have (3, 3)")
        return cls._make(lib.armilla_rotation_from_matrix, pointer(matrix))

    @classmethod
    def from_coordinates(cls, source: str, target: str) -> "Rotation":
        """Takes a field from one coordinate system of the sky to another: "C" (equatorial),
        "G" (galactic), "E" (ecliptic), J2000."""
        for name, letter in (("source", source), ("target", target)):
            if len(letter) != 1 or not letter.isascii():
                raise ValueError(f"{name} = {letter!r}: must be C, G or E")
        return cls._make(lib.armilla_rotation_from_coordinates, source.encode(), target.encode())

    @property
    def psi(self) -> float:
        """First angle, about z, radians."""
        return self._rotation.psi

    @property
    def theta(self) -> float:
        """Second angle, about the original y, radians."""
        return self._rotation.theta

    @property
    def phi(self) -> float:
        """Third angle, about the original z, radians."""
        return self._rotation.phi

    @property
    def matrix(self) -> np.ndarray:
        """R, shape (3, 3)."""
        matrix = np.empty((3, 3))
        check(lib.armilla_rotation_matrix(self._rotation, pointer(matrix)))
        return matrix

    def inverse(self) -> "Rotation":
        """R^-1."""
        return self._make(lib.armilla_rotation_invert, self._rotation)

    def __matmul__(self, first: "Rotation") -> "Rotation":
        """second @ first: first `first`, then `second`, as for matrices."""
        if not isinstance(first, Rotation):
            return NotImplemented
        return self._make(lib.armilla_rotation_compose, first._rotation, self._rotation)

    def rotate_alm(self, alm: ArrayLike, *, lmax: Optional[int] = None, mmax: Optional[int] = None,
                   mmax_out: Optional[int] = None, out: Optional[np.ndarray] = None,
                   nthreads: int = 0, progress: Progress = None) -> np.ndarray:
        """Coefficients of the rotated field(s); E and B rotate as scalars do.

        alm: (..., size(lmax, mmax)), complex64 or complex128. Result: (..., size(lmax, mmax_out)),
        the same type. mmax_out: default lmax, which is the whole result.
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
