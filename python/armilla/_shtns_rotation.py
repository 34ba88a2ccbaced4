"""SHTns' class rotation, on armilla.Rotation."""
from __future__ import annotations

import math

import numpy as np

from ._arrays import angle
from ._errors import real, whole
from ._shtns_complex import joined, parts
from ._shtns_spectrum import HALF_PI, Spectrum, spectral
from .rotation import Rotation


class rotation:
    """A rotation of fields given by their coefficients, with SHTns' names.

    Parameters
    ----------
    %(lmax)s
    mmax : int, optional
        Largest order; -1, the default, means lmax.
    norm : int, optional
        Norm of the coefficients, as in `sht`.

    Examples
    --------
    >>> import armilla.shtns as shtns, numpy as np
    >>> rot = shtns.rotation(5)
    >>> rot.set_angles_ZYZ(0, np.pi / 2, 0)
    >>> rot.wigner_d_matrix(1).round(6)[1]
    array([-0.707107,  0.      ,  0.707107])
    """

    def __init__(self, lmax: int, mmax: int = -1, norm: int = 0) -> None:
        lmax, mmax = whole("lmax", lmax), whole("mmax", mmax)
        self._spectrum = Spectrum(lmax, mmax, 1, norm)
        self.lmax, self.mmax = lmax, self._spectrum.mmax
        self._rotation = Rotation(0, 0, 0)

    @property
    def alpha(self) -> float:
        """First angle about Z, in radians."""
        return self._rotation.psi

    @property
    def beta(self) -> float:
        """Angle about Y, in radians."""
        return self._rotation.theta

    @property
    def gamma(self) -> float:
        """Second angle about Z, in radians."""
        return self._rotation.phi

    def set_angles_ZYZ(self, alpha: float, beta: float, gamma: float) -> None:
        """Choose the rotation by Euler angles z-y-z.

        Parameters
        ----------
        alpha, beta, gamma : float
            Angles in radians.
        """
        self._rotation = Rotation(alpha, beta, gamma)

    def set_angles_ZXZ(self, alpha: float, beta: float, gamma: float) -> None:
        """Choose the rotation by Euler angles z-x-z.

        Parameters
        ----------
        alpha, beta, gamma : float
            Angles in radians.
        """
        self._rotation = Rotation(alpha + HALF_PI, beta, gamma - HALF_PI)

    def set_angle_axis(self, theta: float, Vx: float, Vy: float, Vz: float) -> None:
        """Choose the rotation by its axis.

        Parameters
        ----------
        theta : float
            Angle in radians.
        Vx, Vy, Vz : float
            A vector along the axis, of any length but 0.
        """
        axis = np.array([real("Vx", Vx), real("Vy", Vy), real("Vz", Vz)])
        length = math.hypot(*axis)
        if not 0 < length < math.inf:
            raise ValueError(f"Vx, Vy, Vz = {Vx}, {Vy}, {Vz}: must not all be 0")
        x, y, z = axis / length
        turn = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        turned = angle("theta", theta)
        self._rotation = Rotation.from_matrix(
            np.eye(3) + math.sin(turned) * turn + 2 * math.sin(turned / 2) ** 2 * turn @ turn)

    def apply_real(self, Qlm: np.ndarray) -> np.ndarray:
        """Rotate a real field.

        Parameters
        ----------
        Qlm : ndarray
            Coefficients of m >= 0.

        Returns
        -------
        ndarray
            Coefficients of the rotated field, up to the same order.
        """
        own = self._spectrum
        return own._own(self._rotation.rotate_alm(own._ortho(1, Qlm), lmax=self.lmax,
                                                  mmax=self.mmax, mmax_out=self.mmax))

    def apply_cplx(self, Qlm: np.ndarray) -> np.ndarray:
        """Rotate a complex field.

        Parameters
        ----------
        Qlm : ndarray, shape ((lmax + 1)^2,)
            Coefficients in the order l (l + 1) + m.

        Returns
        -------
        ndarray, shape ((lmax + 1)^2,)
            Coefficients of the rotated field.
        """
        own = self._spectrum
        if own.mmax != own.lmax:
            raise RuntimeError("truncation must be triangular (lmax=mmax, mres=1)")
        pair = parts(spectral(1, Qlm, (own.lmax + 1) ** 2), own.l, own.m)
        if own._scale is not None:
            pair *= own._scale
        return joined(own._own(self._rotation.rotate_alm(pair)), own.l, own.m)

    def wigner_d_matrix(self, l: int) -> np.ndarray:
        """Return Wigner's d of the angle about Y, of orthonormal harmonics.

        Parameters
        ----------
        l : int
            Degree, 0 to lmax.

        Returns
        -------
        ndarray, shape (2 l + 1, 2 l + 1)
            The element [l + m', l + m] takes the order m to m'.
        """
        l = whole("l", l)
        if not 0 <= l <= self.lmax:
            raise ValueError(f"l = {l}: must be from 0 to {self.lmax}")
        if l == 0:
            return np.ones((1, 1))
        turn = rotation(l)
        turn.set_angles_ZYZ(0, self.beta, 0)
        made = np.empty((2 * l + 1, 2 * l + 1))
        for m in range(2 * l + 1):
            unit = np.zeros((l + 1) ** 2, np.complex128)
            unit[l * l + m] = 1
            made[:, m] = turn.apply_cplx(unit)[l * l:].real
        return made
