"""Transforms of armilla.shtns for one order m: Legendre transforms, without Fourier transforms."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ._shtns_maps import Maps
from ._shtns_spectrum import spectral, writable


class OrderCalls(Maps):
    """Coefficients of one order m = |im| mres, l = m, m + 1, ..., lmax, and functions of latitude,
    which exp(i m phi) and its conjugate belong to."""

    def _order_fill(self, im: int, spectra: Sequence[Any], maps: Sequence[Any]) -> None:
        m, place = self._order(im)
        size, count = place.stop - place.start, len(spectra)
        out = [writable(count + 1 + k, one, self.nlat, np.complex128)
               for k, one in enumerate(maps)]
        scale = 1 if self._scale is None else self._scale[place]
        given = [spectral(1 + k, q, size) * scale for k, q in enumerate(spectra)]
        if count != 2:
            out[0][...] = self._order_to_map(given[0], m, 0)
        if count > 1:
            side = -1 if im < 0 else 1
            root = self._root[place]
            made = self._order_to_map(np.stack([root * given[-2], -side * root * given[-1]]), m, 1)
            if self._robert:
                made *= self._sines(True)
            out[-2][...], out[-1][...] = made[0], side * made[1]

    def _order_take(self, im: int, maps: Sequence[Any], spectra: Sequence[Any]) -> None:
        m, place = self._order(im)
        size, count = place.stop - place.start, len(maps)
        out = [writable(count + 1 + k, one, size, np.complex128) for k, one in enumerate(spectra)]
        given = [spectral(1 + k, one, self.nlat) for k, one in enumerate(maps)]
        scale = 1 if self._scale is None else 1 / self._scale[place]
        if count != 2:
            out[0][...] = self._order_from_map(given[0], m, 0) * scale
        if count > 1:
            side = -1 if im < 0 else 1
            root = self._inverse_root[place] * scale
            values = self._undo_robert(np.stack([given[-2], side * given[-1]]), True)
            made = self._order_from_map(values, m, 1)
            out[-2][...], out[-1][...] = root * made[0], -side * root * made[1]

    def SH_to_spat_m(self, Qlm: np.ndarray, Vr: np.ndarray, im: int) -> None:
        """Make the function of latitude of an order of a field.

        Parameters
        ----------
        Qlm : ndarray
            Coefficients of the order.
        Vr : ndarray, shape (nlat,)
            Filled with the function, complex128.
        %(im)s
        """
        self._order_fill(im, [Qlm], [Vr])

    def spat_to_SH_m(self, Vr: np.ndarray, Qlm: np.ndarray, im: int) -> None:
        """Find the coefficients of an order of a field.

        Parameters
        ----------
        Vr : ndarray, shape (nlat,)
            Function of latitude, complex128.
        Qlm : ndarray
            Filled with the coefficients.
        %(im)s
        """
        self._order_take(im, [Vr], [Qlm])

    def SHsphtor_to_spat_m(self, Slm: np.ndarray, Tlm: np.ndarray, Vt: np.ndarray, Vp: np.ndarray,
                           im: int) -> None:
        """Make the functions of latitude of an order of a vector field on the sphere.

        Parameters
        ----------
        Slm, Tlm : ndarray
            Coefficients of the order.
        %(Vt_Vp.ring)s
        im : int
            Order divided by mres; a negative one changes the sign of i m in the derivatives.
        """
        self._order_fill(im, [Slm, Tlm], [Vt, Vp])

    def spat_to_SHsphtor_m(self, Vt: np.ndarray, Vp: np.ndarray, Slm: np.ndarray, Tlm: np.ndarray,
                           im: int) -> None:
        """Find the spheroidal and toroidal scalars of an order of a vector field.

        Parameters
        ----------
        Vt, Vp : ndarray, shape (nlat,)
            Components along theta and phi.
        Slm, Tlm : ndarray
            Filled with the coefficients.
        %(im)s
        """
        self._order_take(im, [Vt, Vp], [Slm, Tlm])

    def SHsph_to_spat_m(self, Slm: np.ndarray, Vt: np.ndarray, Vp: np.ndarray, im: int) -> None:
        """Make the functions of latitude of an order of a spheroidal field.

        Parameters
        ----------
        Slm : ndarray
            Coefficients of the order.
        %(Vt_Vp.ring)s
        %(im)s
        """
        self._order_fill(im, [Slm, np.zeros(np.size(Slm), np.complex128)], [Vt, Vp])

    def SHtor_to_spat_m(self, Tlm: np.ndarray, Vt: np.ndarray, Vp: np.ndarray, im: int) -> None:
        """Make the functions of latitude of an order of a toroidal field.

        Parameters
        ----------
        Tlm : ndarray
            Coefficients of the order.
        %(Vt_Vp.ring)s
        %(im)s
        """
        self._order_fill(im, [np.zeros(np.size(Tlm), np.complex128), Tlm], [Vt, Vp])

    def SHqst_to_spat_m(self, Qlm: np.ndarray, Slm: np.ndarray, Tlm: np.ndarray, Vr: np.ndarray,
                        Vt: np.ndarray, Vp: np.ndarray, im: int) -> None:
        """Make the functions of latitude of an order of a vector field.

        Parameters
        ----------
        Qlm, Slm, Tlm : ndarray
            Coefficients of the order.
        Vr, Vt, Vp : ndarray, shape (nlat,)
            Filled with the components.
        %(im)s
        """
        self._order_fill(im, [Qlm, Slm, Tlm], [Vr, Vt, Vp])

    def spat_to_SHqst_m(self, Vr: np.ndarray, Vt: np.ndarray, Vp: np.ndarray, Qlm: np.ndarray,
                        Slm: np.ndarray, Tlm: np.ndarray, im: int) -> None:
        """Find the radial, spheroidal and toroidal scalars of an order of a vector field.

        Parameters
        ----------
        Vr, Vt, Vp : ndarray, shape (nlat,)
            The components.
        Qlm, Slm, Tlm : ndarray
            Filled with the coefficients.
        %(im)s
        """
        self._order_take(im, [Vr, Vt, Vp], [Qlm, Slm, Tlm])
