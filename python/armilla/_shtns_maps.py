"""SHTns' grids, and the transforms of armilla.shtns.sht between its coefficients and maps."""
from __future__ import annotations

import math
from typing import Any, Dict, List, Tuple

import numpy as np

from ._errors import real, whole
from ._shtns_spectrum import Spectrum
from .grid import Grid
from .transform import SHT

GAUSS, AUTO, REG_FAST, REG_DCT, QUICK_INIT, REG_POLES, GAUSS_FLY = range(7)
THETA_CONTIGUOUS, PHI_CONTIGUOUS, SCALAR_ONLY, SOUTH_POLE_FIRST = 256, 512, 4096, 8192
LOAD_SAVE_CFG, ALLOW_GPU, ALLOW_PADDING = 2 ** 14, 2 ** 15, 2 ** 16
ROBERT_FORM, FP32 = 2 ** 17, 2 ** 18
_KNOWN = 7 | THETA_CONTIGUOUS | PHI_CONTIGUOUS | SCALAR_ONLY | SOUTH_POLE_FIRST | ALLOW_GPU \
    | ALLOW_PADDING | ROBERT_FORM
_KINDS = {REG_FAST: "F1", REG_DCT: "F1", REG_POLES: "CC"}


def _is_smooth(n: int) -> bool:
    for prime in (2, 3, 5, 7):
        while n % prime == 0:
            n //= prime
    return n == 1


def longitudes(least: int) -> int:
    """The number of longitudes that SHTns takes for at least so many: even and without large prime
    factors, and a power of two where one is at most 3 per cent away."""
    if least <= 7:
        return least
    n = least + least % 2
    while not _is_smooth(n):
        n += 2
    power = 1 << (n - 1).bit_length()
    return power if (power - n) * 33 < n else n


def latitudes(least: int) -> int:
    """The number of latitudes that SHTns takes, in a build for AVX-512."""
    return max(-(-least // 8) * 8, 32)


def rings_of(kind: int, nlat: int, nphi: int, lmax: int, flags: int) -> Grid:
    """The grid; equidistant latitudes with SHTns' weights, where these suffice."""
    south, by_theta = bool(flags & SOUTH_POLE_FIRST), bool(flags & THETA_CONTIGUOUS)
    if kind not in _KINDS:
        grid = Grid.gauss_legendre(nlat, nphi)
    else:
        grid = Grid.equidistant(_KINDS[kind], nlat, nphi)  # type: ignore[arg-type]
        if nlat > 2 * lmax:
            rings = grid.rings[::-1] if south else grid.rings
            order = np.arange(nlat)
            return Grid.custom(rings["theta"], nphi, weight=rings["weight"],
                               offset=order if by_theta else order * nphi,
                               stride=nlat if by_theta else 1)
    if not south and not by_theta:
        return grid
    return grid.laid_out(south_first=south, order="theta" if by_theta else "phi")


class Maps(Spectrum):
    """Coefficients and maps of one grid."""

    def __init__(self, lmax: int, mmax: int = -1, mres: int = 1, norm: int = 0,
                 nthreads: int = 0) -> None:
        super().__init__(lmax, mmax, mres, norm, nthreads)
        self.nlat = self.nphi = self.nspat = self.nlat_padded = 0
        self._flags, self._robert = 0, False
        self._plans: Dict[Any, SHT] = {}
        degree = self.l * (self.l + 1.0)
        self._root = np.sqrt(degree)
        self._inverse_root = np.divide(1, self._root, out=np.zeros(self.nlm), where=degree > 0)

    def set_grid(self, nlat: int = 0, nphi: int = 0, flags: int = QUICK_INIT,
                 polar_opt: float = 1.0e-10, nl_order: int = 1) -> List[int]:
        """Choose the grid of the maps.

        Parameters
        ----------
        nlat : int, optional
            Number of latitudes, above lmax. 0, the default, means SHTns' choice for AVX-512.
        nphi : int, optional
            Number of longitudes, above 2 mmax, in a sector of 2 pi / mres. 0 means SHTns' choice.
        flags : int, optional
            Kind of the grid, with the layout of maps added.
        polar_opt : float, optional
            Error that SHTns may make near the poles. Here none is made.
        nl_order : int, optional
            Order of the products whose analysis shall be exact, for the sizes that are chosen.

        Returns
        -------
        list of int
            nlat and nphi.
        """
        nlat, nphi, nl_order = whole("nlat", nlat), whole("nphi", nphi), whole("nl_order", nl_order)
        flags, products = self._checked_flags(flags), max(nl_order, 1) + 1
        if not real("polar_opt", polar_opt) >= 0:
            raise ValueError(f"arg #4 : polar_opt = {polar_opt}: must be 0 or more")
        if nlat and nlat <= self.lmax:
            raise ValueError(f"arg #1 : nlat = {nlat} <= lmax = {self.lmax}")
        if nphi and nphi <= 2 * self.mmax:
            raise ValueError(f"arg #2 : nphi = {nphi} <= 2 * mmax = {2 * self.mmax}")
        kind = flags & 255
        least = products * (self.lmax + 1) if kind in _KINDS else products * self.lmax // 2 + 1
        nlat, nphi = nlat or latitudes(least), nphi or longitudes(products * self.mmax + 1)
        self._grid = rings_of(kind, nlat, nphi, self.lmax, flags)
        self._flags, self._kind, self._plans = flags, kind, {}
        self._robert = self._robert or bool(flags & ROBERT_FORM)
        self.nlat, self.nphi, self.nspat, self.nlat_padded = nlat, nphi, nlat * nphi, nlat
        self.spat_shape = (nphi, nlat) if flags & THETA_CONTIGUOUS else (nlat, nphi)
        theta = self._colatitudes = self._thetas()
        self.cos_theta = np.sin(math.pi / 2 - theta)
        self.cos_theta.flags.writeable = False
        return [nlat, nphi]

    def robert_form(self, v: int = 1) -> None:
        """Multiply vector fields by sin(theta) in maps, or stop doing so.

        Parameters
        ----------
        v : int, optional
            Whether it is done.
        """
        self._robert = bool(v)

    def gauss_wts(self) -> np.ndarray:
        """Return the weights of the quadrature, of the latitudes down to the equator.

        Returns
        -------
        ndarray, shape ((nlat + 1) // 2,)
            Weights whose sum is 1; that of the equator is halved.
        """
        self._needs_grid()
        rings = Grid.gauss_legendre(self.nlat, 1) if self._kind not in _KINDS else (
            Grid.equidistant(_KINDS[self._kind], self.nlat, 1))  # type: ignore[arg-type]
        weights = rings.rings["weight"][:(self.nlat + 1) // 2] / (2 * math.pi)
        if self.nlat % 2:
            weights[-1] /= 2
        return weights

    def spat_array(self) -> np.ndarray:
        """Make a map that is 0.

        Returns
        -------
        ndarray
            Zeros, float64, of the shape `spat_shape`.
        """
        self._needs_grid()
        return np.zeros(self.spat_shape)

    # --- What the grid needs ------------------------------------------------------------------

    @staticmethod
    def _checked_flags(flags: int) -> int:
        flags = whole("flags", flags)
        for flag, name in ((LOAD_SAVE_CFG, "SHT_LOAD_SAVE_CFG"), (FP32, "SHT_FP32")):
            if flags & flag:
                raise NotImplementedError(f"arg #3 : flags: {name} is not supported")
        if flags & ~_KNOWN or flags & 255 > GAUSS_FLY:
            raise ValueError(f"arg #3 : flags = {flags}: unknown flag")
        if flags & THETA_CONTIGUOUS and flags & PHI_CONTIGUOUS:
            raise ValueError("arg #3 : flags: SHT_THETA_CONTIGUOUS and SHT_PHI_CONTIGUOUS "
                             "contradict each other")
        return flags

    def _needs_grid(self) -> None:
        if not self.nlat:
            raise RuntimeError("Grid not set. Call .set_grid() method.")

    def _thetas(self) -> np.ndarray:
        """Colatitudes in the order of the maps."""
        rings = self._grid.rings
        return rings["theta"][np.argsort(rings["offset"])].copy()

    def _plan(self, spin: int) -> SHT:
        self._needs_grid()
        if spin and self._flags & SCALAR_ONLY:
            raise RuntimeError("vector transforms are not available with SHT_SCALAR_ONLY")
        if spin not in self._plans:
            made = SHT(self._grid, self.lmax, self.mmax, spin=spin, mres=self.mres)
            made._has_warned = self._kind in _KINDS and self.nlat > 2 * self.lmax
            self._plans[spin] = made
        return self._plans[spin]

    def _sines(self, axis_is_last: bool) -> np.ndarray:
        sines = np.sin(self._colatitudes)
        return sines if axis_is_last else sines[:, None]

    def _undo_robert(self, maps: np.ndarray, axis_is_last: bool) -> np.ndarray:
        if not self._robert:
            return maps
        if self._kind == REG_POLES:
            raise RuntimeError("analysis in Robert's form divides by sin(theta), which is 0 at the "
                               "poles of sht_reg_poles")
        return maps / self._sines(axis_is_last)

    # --- Transforms of orthonormal coefficients -----------------------------------------------

    def _to_scalars(self, q: np.ndarray) -> np.ndarray:
        """Maps (..., *spat_shape) of coefficients (..., nlm)."""
        made = self._plan(0).synthesis(q, nthreads=self._nthreads)
        return made.reshape(*q.shape[:-1], *self.spat_shape)

    def _from_scalars(self, maps: np.ndarray) -> np.ndarray:
        flat = maps.reshape(*maps.shape[:-2], self.nspat)
        return self._plan(0).analysis(flat, nthreads=self._nthreads, missing="propagate")

    def _to_vectors(self, st: np.ndarray) -> np.ndarray:
        """Maps (..., 2, *spat_shape) of S and T (..., 2, nlm)."""
        signs = np.stack([self._root, -self._root])
        made = self._plan(1).synthesis(st * signs, nthreads=self._nthreads)
        made = made.reshape(*st.shape[:-1], *self.spat_shape)
        if self._robert:
            made *= self._sines(bool(self._flags & THETA_CONTIGUOUS))
        return made

    def _from_vectors(self, maps: np.ndarray) -> np.ndarray:
        maps = self._undo_robert(maps, bool(self._flags & THETA_CONTIGUOUS))
        flat = maps.reshape(*maps.shape[:-2], self.nspat)
        made = self._plan(1).analysis(flat, nthreads=self._nthreads, missing="propagate")
        made *= np.stack([self._inverse_root, -self._inverse_root])
        return made

    # --- One order, without Fourier transforms ------------------------------------------------

    def _order(self, im: int) -> Tuple[int, slice]:
        """An order and where its coefficients are."""
        self._needs_grid()
        im = abs(whole("im", im))
        if im > self.mmax:
            raise ValueError(f"im = {im}: must be from -{self.mmax} to {self.mmax}")
        first = self.idx(im * self.mres, im * self.mres)
        return im * self.mres, slice(first, first + self.lmax + 1 - im * self.mres)

    def _order_plan(self, m: int, spin: int) -> SHT:
        """A plan whose three longitudes hold the order m alone, or whose one holds m = 0."""
        self._plan(spin)
        if (m, spin) not in self._plans:
            flags = self._flags & SOUTH_POLE_FIRST
            grid = rings_of(self._kind, self.nlat, 3 if m else 1, self.lmax, flags)
            made = SHT(grid, self.lmax, min(m, 1), spin=spin, mres=max(m, 1))
            made._has_warned = self._kind in _KINDS and self.nlat > 2 * self.lmax
            self._plans[m, spin] = made
        return self._plans[m, spin]

    def _order_to_map(self, alm: np.ndarray, m: int, spin: int) -> np.ndarray:
        """(..., n) to (..., nlat), complex."""
        if m:
            alm = np.concatenate([np.zeros((*alm.shape[:-1], self.lmax + 1)), alm], -1)
        made = self._order_plan(m, spin).synthesis(alm, nthreads=self._nthreads)
        made = made.reshape(*made.shape[:-1], self.nlat, -1)
        return np.fft.fft(made)[..., min(m, 1)] / made.shape[-1]

    def _order_from_map(self, values: np.ndarray, m: int, spin: int) -> np.ndarray:
        """(..., nlat), complex, to (..., n)."""
        turns = 2 * math.pi / 3 * np.arange(3 if m else 1)
        maps = (values[..., None] * np.exp(1j * turns)).real * (2 if m else 1)
        maps = np.ascontiguousarray(maps).reshape(*values.shape[:-1], -1)
        made = self._order_plan(m, spin).analysis(maps, nthreads=self._nthreads,
                                                  missing="propagate")
        return made[..., self.lmax + 1:] if m else made
