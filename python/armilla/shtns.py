"""The Python names of SHTns on this library's transforms: `import armilla.shtns as shtns`.

Arguments, shapes, norms, signs and layouts are those of the module shtns 3.7, and results agree
with it to rounding. What differs: any number of latitudes above lmax may be asked for; equidistant
grids with lmax < nlat <= 2 lmax are analysed, too, by this library's rules (of SHTns' ones, those
with nlat > 2 lmax); the number of latitudes that set_grid chooses is that of SHTns built for
AVX-512 on every machine; NaN in a map gives NaN. SHT_ALLOW_GPU is accepted, and the processor is
used; the cu_ functions, SHT_FP32 and SHT_LOAD_SAVE_CFG are not there.

An object may be used by one thread at a time, as its grid may be changed.
"""
from __future__ import annotations

from typing import Any, Sequence, Tuple

import numpy as np

from . import _shtns_maps as _maps
from . import _shtns_spectrum as _spectrum
from ._errors import degree
from ._info import version
from ._shtns_complex import ComplexCalls
from ._shtns_orders import OrderCalls
from ._shtns_rotation import rotation

__all__ = ["SHT_ALLOW_GPU", "SHT_ALLOW_PADDING", "SHT_FP32", "SHT_LOAD_SAVE_CFG",
           "SHT_NO_CS_PHASE", "SHT_PHI_CONTIGUOUS", "SHT_REAL_NORM", "SHT_ROBERT_FORM",
           "SHT_SCALAR_ONLY", "SHT_SOUTH_POLE_FIRST", "SHT_THETA_CONTIGUOUS", "build_info",
           "nlm_calc", "nlm_cplx_calc", "print_version", "rotation", "set_verbosity", "sht",
           "sht_auto", "sht_for_rotations", "sht_fourpi", "sht_gauss", "sht_gauss_fly",
           "sht_orthonormal", "sht_quick_init", "sht_reg_dct", "sht_reg_fast", "sht_reg_poles",
           "sht_schmidt"]

sht_orthonormal, sht_fourpi = _spectrum.ORTHONORMAL, _spectrum.FOURPI
sht_schmidt, sht_for_rotations = _spectrum.SCHMIDT, _spectrum.FOR_ROTATIONS
SHT_NO_CS_PHASE, SHT_REAL_NORM = _spectrum.NO_CS_PHASE, _spectrum.REAL_NORM
sht_gauss, sht_auto, sht_reg_fast = _maps.GAUSS, _maps.AUTO, _maps.REG_FAST
sht_reg_dct, sht_quick_init = _maps.REG_DCT, _maps.QUICK_INIT
sht_reg_poles, sht_gauss_fly = _maps.REG_POLES, _maps.GAUSS_FLY
SHT_THETA_CONTIGUOUS, SHT_PHI_CONTIGUOUS = _maps.THETA_CONTIGUOUS, _maps.PHI_CONTIGUOUS
SHT_SCALAR_ONLY, SHT_SOUTH_POLE_FIRST = _maps.SCALAR_ONLY, _maps.SOUTH_POLE_FIRST
SHT_LOAD_SAVE_CFG, SHT_ALLOW_GPU = _maps.LOAD_SAVE_CFG, _maps.ALLOW_GPU
SHT_ALLOW_PADDING, SHT_ROBERT_FORM = _maps.ALLOW_PADDING, _maps.ROBERT_FORM
SHT_FP32 = _maps.FP32


def __dir__() -> Sequence[str]:
    return __all__


def nlm_calc(lmax: int, mmax: int, mres: int) -> int:
    """Return the number of coefficients of a real field.

    Parameters
    ----------
    %(lmax)s
    %(mmax.divided)s
    %(mres)s

    %(Returns.int)s

    Examples
    --------
    >>> import armilla.shtns as shtns
    >>> shtns.nlm_calc(31, 7, 4)
    144
    """
    lmax, mres = degree("lmax", lmax), degree("mres", mres, least=1)
    mmax = min(degree("mmax", mmax), lmax // mres)
    return (mmax + 1) * (lmax + 1) - mres * mmax * (mmax + 1) // 2


def nlm_cplx_calc(lmax: int, mmax: int, mres: int) -> int:
    """Return the number of coefficients of a complex field.

    Parameters
    ----------
    %(lmax)s
    %(mmax.divided)s
    %(mres)s

    %(Returns.int)s
    """
    return 2 * nlm_calc(lmax, mmax, mres) - (lmax + 1)


def build_info() -> str:
    """Return a line on what makes the transforms.

    Returns
    -------
    str
        The line.
    """
    return f"[armilla.shtns] Armilla {version()}"


def print_version() -> None:
    """Print `build_info`."""
    print(build_info())


def set_verbosity(arg1: int) -> None:
    """Accept how much SHTns shall print; nothing is printed here.

    Parameters
    ----------
    arg1 : int
        Not used.
    """


class sht(ComplexCalls, OrderCalls):
    """Spherical harmonic transforms with SHTns' names.

    Parameters
    ----------
    lmax : int
        Largest degree, 1 or more.
    mmax : int, optional
        Largest order divided by mres; -1, the default, means all.
    mres : int, optional
        Orders are its multiples, and maps cover a sector of 2 pi / mres.
    norm : int, optional
        sht_orthonormal, sht_fourpi or sht_schmidt, with SHT_NO_CS_PHASE or SHT_REAL_NORM added.
    nthreads : int, optional
        Number of threads of each transform. 0, the default, means all.

    Notes
    -----
    lmax, mmax, mres, nlm, l and m describe the coefficients; after `set_grid` nlat, nphi, nspat,
    cos_theta and spat_shape describe maps.

    Examples
    --------
    >>> import armilla.shtns as shtns, numpy as np
    >>> sh = shtns.sht(31)
    >>> sh.set_grid()
    [32, 64]
    >>> ylm = sh.spec_array()
    >>> ylm[sh.idx(1, 0)] = sh.sh10_ct()
    >>> bool(np.allclose(sh.synth(ylm)[:, 0], sh.cos_theta))
    True
    """

    def __repr__(self) -> str:
        return (f"<armilla.shtns.sht lmax {self.lmax}, mmax {self.mmax}, mres {self.mres}, "
                f"nlat {self.nlat}, nphi {self.nphi}>")

    def print_info(self) -> None:
        """Print the sizes."""
        print(f"{build_info()}: {self!r}")

    # --- By number of arguments ---------------------------------------------------------------

    def synth(self, *arg: np.ndarray) -> Any:
        """Make maps of coefficients: of Q, of S and T, or of Q, S and T.

        Parameters
        ----------
        *arg : ndarray, shape (nlm,)
            Coefficients, complex128.

        Returns
        -------
        ndarray or tuple of ndarray
            The field; v_theta and v_phi; or v_r, v_theta and v_phi.
        """
        self._needs_grid()
        self._counted(arg)
        given = [self._ortho(1 + k, q) for k, q in enumerate(arg)]
        return self._parted(self._synth(given), len(arg))

    def analys(self, *arg: np.ndarray) -> Any:
        """Find the coefficients of maps: of a field, or of 2 or 3 components of a vector field.

        Parameters
        ----------
        *arg : ndarray, shape spat_shape
            Maps, float64.

        Returns
        -------
        ndarray or tuple of ndarray
            Q; S and T; or Q, S and T.
        """
        self._needs_grid()
        self._counted(arg)
        for one in arg:
            if np.shape(one) != self.spat_shape:
                raise RuntimeError("spatial array has wrong shape.")
        made = self._analys([self._map(1 + k, one) for k, one in enumerate(arg)])
        return self._parted(made, len(arg))

    def synth_grad(self, slm: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
        """Make maps of the gradient of a field.

        Parameters
        ----------
        slm : ndarray, shape (nlm,)
            Coefficients.

        Returns
        -------
        tuple of ndarray
            The components along theta and phi, at the radius 1.
        """
        self._needs_grid()
        s = self._ortho(1, slm)
        v_t, v_p = self._to_vectors(np.stack([s, np.zeros_like(s)]))
        return v_t, v_p

    # --- Into arrays that exist ---------------------------------------------------------------

    def SH_to_spat(self, Qlm: np.ndarray, Vr: np.ndarray) -> None:
        """Make the map of a field.

        Parameters
        ----------
        %(Qlm)s
        Vr : ndarray, shape spat_shape
            Filled with the map.
        """
        self._fill([Qlm], [Vr])

    def spat_to_SH(self, Vr: np.ndarray, Qlm: np.ndarray) -> None:
        """Find the coefficients of a map.

        Parameters
        ----------
        Vr : ndarray, shape spat_shape
            The map, which is not changed.
        Qlm : ndarray, shape (nlm,)
            Filled with the coefficients.
        """
        self._take([Vr], [Qlm])

    def SHsphtor_to_spat(self, Slm: np.ndarray, Tlm: np.ndarray, Vt: np.ndarray, Vp: np.ndarray
                         ) -> None:
        """Make the maps of a vector field on the sphere.

        Parameters
        ----------
        Slm, Tlm : ndarray, shape (nlm,)
            Coefficients of the spheroidal and toroidal scalars.
        %(Vt_Vp)s
        """
        self._fill([Slm, Tlm], [Vt, Vp])

    def spat_to_SHsphtor(self, Vt: np.ndarray, Vp: np.ndarray, Slm: np.ndarray, Tlm: np.ndarray
                         ) -> None:
        """Find the spheroidal and toroidal scalars of a vector field.

        Parameters
        ----------
        Vt, Vp : ndarray, shape spat_shape
            Components along theta and phi.
        Slm, Tlm : ndarray, shape (nlm,)
            Filled with the coefficients.
        """
        self._take([Vt, Vp], [Slm, Tlm])

    def SHsph_to_spat(self, Slm: np.ndarray, Vt: np.ndarray, Vp: np.ndarray) -> None:
        """Make the maps of a spheroidal field, the gradient of S.

        Parameters
        ----------
        Slm : ndarray, shape (nlm,)
            Coefficients of the spheroidal scalar.
        %(Vt_Vp)s
        """
        self._fill([Slm, np.zeros(self.nlm, np.complex128)], [Vt, Vp])

    def SHtor_to_spat(self, Tlm: np.ndarray, Vt: np.ndarray, Vp: np.ndarray) -> None:
        """Make the maps of a toroidal field.

        Parameters
        ----------
        Tlm : ndarray, shape (nlm,)
            Coefficients of the toroidal scalar.
        %(Vt_Vp)s
        """
        self._fill([np.zeros(self.nlm, np.complex128), Tlm], [Vt, Vp])

    def SHqst_to_spat(self, Qlm: np.ndarray, Slm: np.ndarray, Tlm: np.ndarray, Vr: np.ndarray,
                      Vt: np.ndarray, Vp: np.ndarray) -> None:
        """Make the maps of a vector field.

        Parameters
        ----------
        %(Qlm_Slm_Tlm)s
        Vr, Vt, Vp : ndarray, shape spat_shape
            Filled with the components.
        """
        self._fill([Qlm, Slm, Tlm], [Vr, Vt, Vp])

    def spat_to_SHqst(self, Vr: np.ndarray, Vt: np.ndarray, Vp: np.ndarray, Qlm: np.ndarray,
                      Slm: np.ndarray, Tlm: np.ndarray) -> None:
        """Find the radial, spheroidal and toroidal scalars of a vector field.

        Parameters
        ----------
        Vr, Vt, Vp : ndarray, shape spat_shape
            The components.
        Qlm, Slm, Tlm : ndarray, shape (nlm,)
            Filled with the coefficients.
        """
        self._take([Vr, Vt, Vp], [Qlm, Slm, Tlm])
