"""Complex fields of armilla.shtns as pairs of real ones; a_lm is element l (l + 1) + m."""
from __future__ import annotations

import math
from typing import Any, List, Sequence, Tuple

import numpy as np

from ._shtns_calls import Calls
from ._shtns_spectrum import spectral


def places(l: np.ndarray, m: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Where a_lm and a_l-m stand, for the coefficients of a real field."""
    middle = l.astype(np.int64) * (l + 1)
    return middle + m, middle - m


def parts(z: np.ndarray, l: np.ndarray, m: np.ndarray) -> np.ndarray:
    """Coefficients (2, nlm) of the real and the imaginary part of a field."""
    plus, minus = places(l, m)
    mirror = (1.0 - 2 * (m % 2)) * z[minus].conj()
    return np.stack([(z[plus] + mirror) / 2, (z[plus] - mirror) / 2j])


def joined(pair: np.ndarray, l: np.ndarray, m: np.ndarray) -> np.ndarray:
    """The coefficients of a complex field from those of its parts."""
    plus, minus = places(l, m)
    z = np.empty((int(l.max()) + 1) ** 2, np.complex128)
    z[minus] = (1.0 - 2 * (m % 2)) * (pair[0].conj() + 1j * pair[1].conj())
    z[plus] = pair[0] + 1j * pair[1]
    return z


class ComplexCalls(Calls):
    """Transforms of complex fields, with all orders up to lmax."""

    def spec_array_cplx(self) -> np.ndarray:
        """Make an array of coefficients of a complex field that are 0.

        Returns
        -------
        ndarray, shape ((lmax + 1)^2,)
            Zeros, complex128.
        """
        return np.zeros((self.lmax + 1) ** 2, np.complex128)

    def spat_array_cplx(self) -> np.ndarray:
        """Make a complex map that is 0.

        Returns
        -------
        ndarray
            Zeros, complex128, of the shape `spat_shape`.
        """
        self._needs_grid()
        return np.zeros(self.spat_shape, np.complex128)

    def zidx(self, l: Any, m: Any) -> Any:
        """Return the place of a coefficient of a complex field.

        Parameters
        ----------
        l : int or array_like of int
            Degree.
        m : int or array_like of int
            Order, -l to l.

        Returns
        -------
        int or ndarray of int
            l (l + 1) + m.
        """
        l, m = np.asarray(l), np.asarray(m)
        if (l > self.lmax).any() or (abs(m) > l).any():
            raise RuntimeError("invalid range for l,m")
        return l * (l + 1) + m

    def zlm(self, idx: Any) -> Any:
        """Return the degree and the order of a place in the coefficients of a complex field.

        Parameters
        ----------
        idx : int or array_like of int
            The place.

        Returns
        -------
        tuple of int or ndarray of int
            l and m.
        """
        idx = np.asarray(idx)
        if (idx < 0).any() or (idx >= (self.lmax + 1) ** 2).any():
            raise RuntimeError("invalid range for l,m")
        l = np.sqrt(idx).astype(int)
        return l, idx - l * (l + 1)

    def _needs_all_orders(self) -> None:
        if self.lmax != self.mmax:
            raise RuntimeError("complex SH requires lmax=mmax and mres=1.")

    def _synth_cplx(self, spectra: Sequence[Any]) -> List[np.ndarray]:
        self._needs_all_orders()
        pairs = [parts(spectral(1 + k, z, (self.lmax + 1) ** 2), self.l, self.m)
                 for k, z in enumerate(spectra)]
        scale = 1 if self._scale is None else self._scale
        return [one[0] + 1j * one[1] for one in self._synth([pair * scale for pair in pairs])]

    def _analys_cplx(self, given: Sequence[np.ndarray]) -> List[np.ndarray]:
        self._needs_all_orders()
        made = self._analys([np.stack([one.real, one.imag]) for one in given])
        return [joined(pair, self.l, self.m) for pair in made]

    def synth_cplx(self, *arg: np.ndarray) -> Any:
        """Make complex maps of coefficients: of Q, of S and T, or of Q, S and T.

        Parameters
        ----------
        *arg : ndarray, shape ((lmax + 1)^2,)
            Coefficients.

        Returns
        -------
        ndarray or tuple of ndarray
            The field; v_theta and v_phi; or v_r, v_theta and v_phi.
        """
        self._needs_grid()
        self._counted(arg)
        return self._parted(self._synth_cplx(arg), len(arg))

    def analys_cplx(self, *arg: np.ndarray) -> Any:
        """Find the coefficients of complex maps.

        Parameters
        ----------
        *arg : ndarray, shape spat_shape
            Maps of a field, or of 2 or 3 components of a vector field.

        Returns
        -------
        ndarray or tuple of ndarray
            Q; S and T; or Q, S and T.
        """
        self._needs_grid()
        self._counted(arg)
        given = [self._map(1 + k, one, np.complex128) for k, one in enumerate(arg)]
        return self._parted(self._analys_cplx(given), len(arg))

    def SH_to_spat_cplx(self, alm: np.ndarray, z: np.ndarray) -> None:
        """Make the map of a complex field.

        Parameters
        ----------
        alm : ndarray, shape ((lmax + 1)^2,)
            Coefficients.
        z : ndarray, shape spat_shape
            Filled with the map.
        """
        self._fill([alm], [z], np.complex128)

    def spat_cplx_to_SH(self, z: np.ndarray, alm: np.ndarray) -> None:
        """Find the coefficients of a complex map.

        Parameters
        ----------
        z : ndarray, shape spat_shape
            The map.
        alm : ndarray, shape ((lmax + 1)^2,)
            Filled with the coefficients.
        """
        self._take([z], [alm], np.complex128)

    def SHsphtor_to_spat_cplx(self, Slm: np.ndarray, Tlm: np.ndarray, Vt: np.ndarray,
                              Vp: np.ndarray) -> None:
        """Make the maps of a complex vector field on the sphere.

        Parameters
        ----------
        Slm, Tlm : ndarray, shape ((lmax + 1)^2,)
            Coefficients of the spheroidal and toroidal scalars.
        %(Vt_Vp)s
        """
        self._fill([Slm, Tlm], [Vt, Vp], np.complex128)

    def spat_cplx_to_SHsphtor(self, Vt: np.ndarray, Vp: np.ndarray, Slm: np.ndarray,
                              Tlm: np.ndarray) -> None:
        """Find the spheroidal and toroidal scalars of a complex vector field.

        Parameters
        ----------
        Vt, Vp : ndarray, shape spat_shape
            Components along theta and phi.
        Slm, Tlm : ndarray, shape ((lmax + 1)^2,)
            Filled with the coefficients.
        """
        self._take([Vt, Vp], [Slm, Tlm], np.complex128)

    def SHqst_to_spat_cplx(self, Qlm: np.ndarray, Slm: np.ndarray, Tlm: np.ndarray,
                           Vr: np.ndarray, Vt: np.ndarray, Vp: np.ndarray) -> None:
        """Make the maps of a complex vector field.

        Parameters
        ----------
        Qlm, Slm, Tlm : ndarray, shape ((lmax + 1)^2,)
            Coefficients of the radial, spheroidal and toroidal scalars.
        Vr, Vt, Vp : ndarray, shape spat_shape
            Filled with the components.
        """
        self._fill([Qlm, Slm, Tlm], [Vr, Vt, Vp], np.complex128)

    def spat_cplx_to_SHqst(self, Vr: np.ndarray, Vt: np.ndarray, Vp: np.ndarray, Qlm: np.ndarray,
                           Slm: np.ndarray, Tlm: np.ndarray) -> None:
        """Find the radial, spheroidal and toroidal scalars of a complex vector field.

        Parameters
        ----------
        Vr, Vt, Vp : ndarray, shape spat_shape
            The components.
        Qlm, Slm, Tlm : ndarray, shape ((lmax + 1)^2,)
            Filled with the coefficients.
        """
        self._take([Vr, Vt, Vp], [Qlm, Slm, Tlm], np.complex128)

    def SH_to_point_cplx(self, alm: np.ndarray, cost: float, phi: float) -> complex:
        """Evaluate a complex field at a point.

        Parameters
        ----------
        alm : ndarray, shape ((lmax + 1)^2,)
            Coefficients.
        %(cost)s
        %(phi.one)s

        Returns
        -------
        complex
            The value.
        """
        self._needs_all_orders()
        pair = parts(spectral(1, alm, (self.lmax + 1) ** 2), self.l, self.m)
        if self._scale is not None:
            pair *= self._scale
        if not math.isfinite(phi):
            raise ValueError(f"phi = {phi}: must be finite")
        made = self._values(pair, cost, np.array([float(phi)]))
        return complex(made[0, 0], made[1, 0])
