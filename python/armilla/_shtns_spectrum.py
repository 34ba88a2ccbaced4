"""What armilla.shtns.sht is without a grid: degrees, orders and norms, values at points,
rotations, and the operators cos(theta) and sin(theta) d/dtheta."""
from __future__ import annotations

import math
from typing import Any, Optional, Tuple

import numpy as np

from ._arrays import plain
from ._errors import threads, whole
from .alm import Layout
from .points import evaluate
from .rotation import Rotation

ORTHONORMAL, FOURPI, SCHMIDT, FOR_ROTATIONS = 0, 1, 2, 3
NO_CS_PHASE, REAL_NORM = 1024, 2048
HALF_PI = math.pi / 2


def scale_of(norm: int, l: np.ndarray, m: np.ndarray) -> Optional[np.ndarray]:
    """What coefficients of a norm are multiplied by to be orthonormal; None: they are."""
    kind, flags = norm & 255, norm & ~255
    if kind > FOR_ROTATIONS or flags & ~(NO_CS_PHASE | REAL_NORM):
        raise ValueError(f"norm = {norm}: must be sht_orthonormal, sht_fourpi or sht_schmidt, with "
                         "SHT_NO_CS_PHASE or SHT_REAL_NORM added")
    if not flags and kind in (ORTHONORMAL, FOR_ROTATIONS):
        return None
    scale = np.ones(l.shape)
    if kind in (FOURPI, SCHMIDT):
        scale *= np.sqrt(4 * math.pi / (2 * l + 1 if kind == SCHMIDT else 1))
    if flags & NO_CS_PHASE:
        scale[m % 2 == 1] *= -1
    if flags & REAL_NORM:
        scale[m > 0] *= math.sqrt(0.5)
    return scale


def spectral(position: int, array: Any, size: int) -> np.ndarray:
    """An array of coefficients, as SHTns demands it."""
    if not isinstance(array, np.ndarray):
        raise RuntimeError(f"arg #{position} : Numpy array expected.")
    if array.dtype != np.complex128:
        raise RuntimeError(f"arg #{position} : spectral array must consist of complex float, has "
                           f"{array.dtype}")
    if array.size != size:
        raise RuntimeError(f"arg #{position} : spectral array has wrong size {array.size}, must "
                           f"have {size}")
    return plain(array, f"arg #{position} ").reshape(size)


def writable(position: int, array: Any, size: int, kind: Any) -> np.ndarray:
    """An array for a result, as one axis that shares its memory."""
    word = "spectral" if kind == np.complex128 else "spatial"
    if not isinstance(array, np.ndarray) or array.dtype != kind:
        raise TypeError(f"arg #{position} : {word} array must consist of "
                        f"{'complex' if kind == np.complex128 else 'float'} numbers.")
    array = plain(array, f"arg #{position} ")
    if not array.flags.c_contiguous:
        raise RuntimeError(f"arg #{position} : {word} array not contiguous.")
    if array.size != size:
        raise RuntimeError(f"arg #{position} : {word} array has wrong size {array.size}, must "
                           f"have {size}")
    return array.reshape(size)


def _colatitude(cost: float) -> float:
    cost = float(cost)
    if not abs(cost) <= 1:
        raise ValueError(f"cost = {cost}: must be from -1 to 1")
    return math.atan2(math.sqrt((1 - cost) * (1 + cost)), cost)


class Spectrum:
    """Coefficients of real fields in SHTns' order and norms."""

    def __init__(self, lmax: int, mmax: int = -1, mres: int = 1, norm: int = ORTHONORMAL,
                 nthreads: int = 0) -> None:
        lmax, mmax, mres = whole("lmax", lmax), whole("mmax", mmax), whole("mres", mres)
        if lmax < 1:
            raise ValueError(f"arg #1 : lmax = {lmax} < 1 not allowed")
        if mres <= 0:
            raise ValueError(f"arg #3 : mres = {mres} <= 0 invalid")
        mmax = lmax // mres if mmax < 0 else mmax
        if mmax * mres > lmax:
            raise ValueError(f"arg #1 : lmax = {lmax} < mmax * mres = {mmax * mres} invalid")
        self.lmax, self.mmax, self.mres = lmax, mmax, mres
        self._layout = Layout(lmax, mmax, mres)
        self._norm, self._nthreads = whole("norm", norm), max(threads(nthreads), 0)
        orders = np.arange(mmax + 1, dtype=np.int32) * mres
        self.m = np.repeat(orders, lmax + 1 - orders)
        self.l = np.concatenate([np.arange(m, lmax + 1, dtype=np.int32) for m in orders])
        self._scale = scale_of(self._norm, self.l, self.m)
        self.l.flags.writeable = self.m.flags.writeable = False

    @property
    def nlm(self) -> int:
        """Number of coefficients of a real field."""
        return self._layout.size

    @property
    def nlm_cplx(self) -> int:
        """Number of coefficients of a complex field."""
        return 2 * self.nlm - (self.lmax + 1)

    def idx(self, l: int, m: int) -> int:
        """Return the place of a coefficient.

        Parameters
        ----------
        %(l)s
        m : int
            Order, a multiple of mres.

        Returns
        -------
        int
            The place in an array of coefficients.
        """
        l, m = whole("l", l), whole("m", m)
        if not 0 <= l <= self.lmax:
            raise ValueError(f"arg #1 : l = {l} invalid")
        if not 0 <= m <= min(l, self.mmax * self.mres) or m % self.mres:
            raise ValueError(f"arg #2 : m = {m} invalid")
        return self._layout.index(l, m)

    def im_from_idx(self, lm: int) -> int:
        """Return the order of a place, divided by mres.

        Parameters
        ----------
        lm : int
            Place in an array of coefficients.

        Returns
        -------
        int
            m / mres.
        """
        lm = whole("lm", lm)
        if not 0 <= lm < self.nlm:
            raise ValueError(f"arg #1 : lm = {lm} invalid, must be from 0 to {self.nlm - 1}")
        return int(self.m[lm]) // self.mres

    def spec_array(self, im: int = -1) -> np.ndarray:
        """Make an array of coefficients that are 0.

        Parameters
        ----------
        im : int, optional
            Order divided by mres, for one order only; a negative number means all.

        Returns
        -------
        ndarray
            Zeros, complex128.
        """
        im = whole("im", im)
        if im > self.mmax:
            raise ValueError(f"arg #1 : im = {im} invalid, must be at most {self.mmax}")
        size = self.nlm if im < 0 else self.lmax + 1 - im * self.mres
        return np.zeros(size, np.complex128)

    def _ortho(self, position: int, q: Any) -> np.ndarray:
        """Orthonormal coefficients of given ones."""
        given = spectral(position, q, self.nlm)
        return given if self._scale is None else given * self._scale

    def _own(self, alm: np.ndarray) -> np.ndarray:
        """Coefficients of this norm from orthonormal ones, which may be overwritten."""
        if self._scale is not None:
            alm /= self._scale
        return alm

    # --- Numbers of the norm ------------------------------------------------------------------

    def _factor(self, l: int, m: int) -> float:
        return 1.0 if self._scale is None else float(
            scale_of(self._norm, np.array([l]), np.array([m]))[0])  # type: ignore[index]

    def sh00_1(self) -> float:
        """Return the coefficient l = 0 of the field that is 1.

        %(Returns.coefficient)s
        """
        return math.sqrt(4 * math.pi) / self._factor(0, 0)

    def sh10_ct(self) -> float:
        """Return the coefficient l = 1, m = 0 of cos(theta).

        %(Returns.coefficient)s
        """
        return math.sqrt(4 * math.pi / 3) / self._factor(1, 0)

    def sh11_st(self) -> float:
        """Return the coefficient l = 1, m = 1 of sin(theta) cos(phi).

        %(Returns.coefficient)s
        """
        return -math.sqrt(2 * math.pi / 3) / self._factor(1, 1)

    def shlm_e1(self, l: int, m: int) -> float:
        """Return the magnitude of a coefficient whose field has the energy 1.

        Parameters
        ----------
        %(l)s
        %(m.order)s

        %(Returns.coefficient)s
        """
        return (math.sqrt(0.5) if m else 1.0) / abs(self._factor(l, m))

    # --- Operators ----------------------------------------------------------------------------

    def _neighbours(self, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
        """Factors of q_l-1 and q_l+1 of an operator, those that would leave the band 0."""
        l, m = self.l.astype(float), self.m.astype(float)
        below = np.sqrt((l - m) * (l + m) / ((2 * l - 1) * (2 * l + 1)))
        above = np.sqrt((l + 1 - m) * (l + 1 + m) / ((2 * l + 1) * (2 * l + 3)))
        if self._norm & 255 == SCHMIDT:
            below *= np.sqrt((2 * l + 1) / np.maximum(2 * l - 1, 1))
            above *= np.sqrt((2 * l + 1) / (2 * l + 3))
        above[self.l == self.lmax] = 0
        return np.column_stack([lower * below, upper * above]).reshape(-1) + 0.0

    def mul_ct_matrix(self) -> np.ndarray:
        """Make the matrix of the multiplication by cos(theta), for `SH_mul_mx`.

        Returns
        -------
        ndarray, shape (2 nlm,)
            Factors of the coefficients of the degrees below and above.
        """
        one = np.ones(self.nlm)
        return self._neighbours(one, one)

    def st_dt_matrix(self) -> np.ndarray:
        """Make the matrix of sin(theta) d/dtheta, for `SH_mul_mx`.

        Returns
        -------
        ndarray, shape (2 nlm,)
            Factors of the coefficients of the degrees below and above.
        """
        return self._neighbours(self.l - 1.0, -(self.l + 2.0))

    def SH_mul_mx(self, mx: np.ndarray, Qlm: np.ndarray) -> np.ndarray:
        """Apply a matrix of `mul_ct_matrix` or `st_dt_matrix`; what is above lmax is left out.

        Parameters
        ----------
        mx : ndarray, shape (2 nlm,)
            The matrix.
        Qlm : ndarray, shape (nlm,)
            Coefficients, complex128.

        Returns
        -------
        ndarray, shape (nlm,)
            Coefficients.
        """
        factors = writable(1, mx, 2 * self.nlm, np.float64)
        q = spectral(2, Qlm, self.nlm)
        made = np.empty_like(q)
        made[:-1] = factors[1:-1:2] * q[1:]
        made[-1] = 0
        made[1:] += factors[2::2] * q[:-1]
        return made

    # --- Values at points ---------------------------------------------------------------------

    def _values(self, alms: np.ndarray, cost: float, phi: np.ndarray, derivatives: int = 0
                ) -> np.ndarray:
        """Of orthonormal coefficients (n, nlm): (n, npoints), or (n, 3, npoints)."""
        order = self.mmax * self.mres
        if self.mres > 1:
            alms = self._layout.convert(alms, Layout(self.lmax, order))
        loc = np.column_stack([np.full(phi.size, _colatitude(cost)), phi])
        return evaluate(alms, self.lmax, loc, mmax=order, derivatives=derivatives,
                        nthreads=self._nthreads)

    def _vectors(self, alms: np.ndarray, cost: float, phi: np.ndarray) -> np.ndarray:
        """v_theta and v_phi of S and T."""
        (_, s_t, s_p), (_, t_t, t_p) = self._values(alms, cost, phi, 1)
        return np.stack([s_t + t_p, s_p - t_t])

    def SH_to_point(self, Qlm: np.ndarray, cost: float, phi: float) -> float:
        """Evaluate a field at a point.

        Parameters
        ----------
        %(Qlm)s
        %(cost)s
        %(phi.one)s

        Returns
        -------
        float
            The value.
        """
        return float(self._values(self._ortho(1, Qlm)[None], cost, np.array([float(phi)]))[0, 0])

    def SH_to_grad_point(self, DrSlm: np.ndarray, Slm: np.ndarray, cost: float, phi: float
                         ) -> Tuple[float, float, float]:
        """Evaluate the gradient of a field at a point.

        Parameters
        ----------
        DrSlm : ndarray, shape (nlm,)
            Coefficients of the derivative along the radius.
        Slm : ndarray, shape (nlm,)
            Coefficients of the field.
        %(cost)s
        %(phi.one)s

        Returns
        -------
        tuple of float
            Derivatives along r, theta and phi, at the radius 1.
        """
        made = self._values(np.stack([self._ortho(1, DrSlm), self._ortho(2, Slm)]), cost,
                            np.array([float(phi)]), 1)
        return float(made[0, 0, 0]), float(made[1, 1, 0]), float(made[1, 2, 0])

    def SHqst_to_point(self, Qlm: np.ndarray, Slm: np.ndarray, Tlm: np.ndarray, cost: float,
                       phi: float) -> Tuple[float, float, float]:
        """Evaluate a vector field at a point.

        Parameters
        ----------
        %(Qlm_Slm_Tlm)s
        %(cost)s
        %(phi.one)s

        Returns
        -------
        tuple of float
            v_r, v_theta and v_phi.
        """
        place = np.array([float(phi)])
        v_r = self._values(self._ortho(1, Qlm)[None], cost, place)
        v_t, v_p = self._vectors(np.stack([self._ortho(2, Slm), self._ortho(3, Tlm)]), cost, place)
        return float(v_r[0, 0]), float(v_t[0]), float(v_p[0])

    def _circle(self, alm: np.ndarray, count: int) -> np.ndarray:
        """Coefficients without the orders that so many points cannot tell apart."""
        return np.where(2 * self.m < count, alm, 0)

    def SH_to_lat(self, Qlm: np.ndarray, cost: float, Vr: np.ndarray) -> None:
        """Evaluate a field on a circle of latitude, with the orders below half its points.

        Parameters
        ----------
        %(Qlm)s
        %(cost)s
        Vr : ndarray, shape (nphi,)
            Filled with the values at the longitudes 2 pi k / nphi.
        """
        out = writable(3, Vr, np.size(Vr), np.float64)
        phi = 2 * math.pi * np.arange(out.size) / max(out.size, 1)
        out[...] = self._values(self._circle(self._ortho(1, Qlm), out.size)[None], cost, phi)[0]

    def SHqst_to_lat(self, Qlm: np.ndarray, Slm: np.ndarray, Tlm: np.ndarray, cost: float,
                     Vr: np.ndarray, Vt: np.ndarray, Vp: np.ndarray) -> None:
        """Evaluate a vector field on a circle of latitude, as `SH_to_lat` does.

        Parameters
        ----------
        %(Qlm_Slm_Tlm)s
        %(cost)s
        Vr, Vt, Vp : ndarray, shape (nphi,)
            Filled with the components.
        """
        self.SH_to_lat(Qlm, cost, Vr)
        count = np.size(Vr)
        out = [writable(6, Vt, count, np.float64), writable(7, Vp, count, np.float64)]
        phi = 2 * math.pi * np.arange(count) / max(count, 1)
        given = [self._circle(self._ortho(2 + k, q), count) for k, q in enumerate((Slm, Tlm))]
        out[0][...], out[1][...] = self._vectors(np.stack(given), cost, phi)

    # --- Rotations ----------------------------------------------------------------------------

    def Zrotate(self, Qlm: np.ndarray, alpha: float) -> np.ndarray:
        """Rotate a field about z.

        Parameters
        ----------
        %(Qlm)s
        alpha : float
            Angle in radians.

        %(Returns.rotated)s
        """
        turn = np.exp(-1j * float(alpha) * np.arange(self.mmax + 1) * self.mres)
        return spectral(1, Qlm, self.nlm) * turn[self.m // self.mres]

    def _rotated(self, Qlm: np.ndarray, rotation: Rotation) -> np.ndarray:
        if self.mres != 1 or self.mmax != self.lmax:
            raise RuntimeError("truncation must be triangular (lmax=mmax, mres=1)")
        return self._own(rotation.rotate_alm(self._ortho(1, Qlm), nthreads=self._nthreads))

    def Yrotate(self, Qlm: np.ndarray, alpha: float) -> np.ndarray:
        """Rotate a field about y.

        Parameters
        ----------
        %(Qlm.mmax)s
        alpha : float
            Angle in radians.

        %(Returns.rotated)s
        """
        return self._rotated(Qlm, Rotation(0, float(alpha), 0))

    def Yrotate90(self, Qlm: np.ndarray) -> np.ndarray:
        """Rotate a field about y by 90 degrees.

        Parameters
        ----------
        %(Qlm.mmax)s

        %(Returns.rotated)s
        """
        return self._rotated(Qlm, Rotation(0, HALF_PI, 0))

    def Xrotate90(self, Qlm: np.ndarray) -> np.ndarray:
        """Rotate a field about x by 90 degrees.

        Parameters
        ----------
        %(Qlm.mmax)s

        %(Returns.rotated)s
        """
        return self._rotated(Qlm, Rotation(HALF_PI, HALF_PI, -HALF_PI))
