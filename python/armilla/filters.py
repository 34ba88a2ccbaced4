"""Matched filters: sources of a known profile in a map, such as point sources through a beam.

    >>> import armilla, numpy as np
    >>> from armilla import filters
    >>> lmax = 256
    >>> l = np.arange(lmax + 1.0)
    >>> sky, noise = np.exp(-l / 20) / (l + 1), np.full(lmax + 1, 1e-4)
    >>> beam = armilla.spectrum.gaussian_beam(np.radians(1.5), lmax)
    >>> search = filters.MatchedFilter(beam, sky * beam**2 + noise)
    >>> round(search.sigma, 3)                      # noise of an amplitude
    0.001
    >>> grid = armilla.Grid.healpix(128)
    >>> source = 0.02 * armilla.Kernel.window(beam).values(
    ...     np.arccos(np.clip(armilla.healpy.ang2vec(*armilla.healpy.pix2ang(
    ...         128, np.arange(grid.npix))) @ armilla.healpy.ang2vec(1.0, 2.0), -1, 1)))
    >>> found = search.find(source, 5, grid)
    >>> found.loc.round(3), found.amplitude.round(4)
    (array([[1., 2.]]), array([0.02]))

The filter is a window over degrees: it may be applied by transforms (`MatchedFilter.apply`), or
pixel by pixel as a radial kernel (`MatchedFilter.kernel`). It is that of the least noise among
those that leave amplitudes as they are (Tegmark & de Oliveira-Costa 1998, ApJ 500, L83).
"""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, List, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import as_map, plain, reals
from ._errors import degree, real
from ._field_plans import plan_of
from ._hints import absent
from ._labelled import has_healpix_numbers, is_nested
from .alm import multiply_window
from ._maps import MapShape
from .grid import Grid, GridLike, as_grid
from .healpix import neighbours
from .kernel import Kernel
from .points import evaluate

__all__ = ["MatchedFilter", "Sources", "maxima"]


def __dir__() -> List[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = absent(__name__)


class Sources(NamedTuple):
    """Local maxima of a filtered map, the largest signal to noise first.

    Attributes
    ----------
    loc : ndarray, shape (n, 2)
        Colatitudes and longitudes in radians.
    amplitude : ndarray, shape (n,)
        Amplitudes, in which the profile of the filter is measured.
    signal_to_noise : ndarray, shape (n,)
        Amplitudes over the noise of the filtered map.
    pixel : ndarray of int64, shape (n,)
        The pixels in which the maxima were found.
    """

    loc: np.ndarray
    amplitude: np.ndarray
    signal_to_noise: np.ndarray
    pixel: np.ndarray


# --- Maxima ---------------------------------------------------------------------------------------


class _Ring(NamedTuple):
    """Values of a ring, by longitude, and the numbers of its pixels."""

    pixels: np.ndarray
    values: np.ndarray
    phi0: float


def _rings(grid: Grid, map: np.ndarray) -> List[_Ring]:
    """From north to south, missing values -infinity."""
    values = np.where(np.isfinite(map), map, -np.inf)
    made = []
    table = grid.rings[["theta", "nphi", "offset", "stride", "phi0"]]
    for _, nphi, offset, stride, phi0 in np.sort(table, order="theta").tolist():
        pixels = offset + stride * np.arange(nphi)
        made.append(_Ring(pixels, values[pixels], phi0))
    return made


def _nearby(ring: _Ring, other: _Ring) -> np.ndarray:
    """For each pixel of a ring the largest of those of the next ring that are near in longitude:
    within a pixel of either ring."""
    n, many = len(ring.pixels), len(other.pixels)
    at = (ring.phi0 + 2 * math.pi * np.arange(n) / n - other.phi0) * many / (2 * math.pi)
    reach = max(1.0, many / n)
    first = np.ceil(at - reach).astype(np.int64)
    made = np.full(n, -np.inf)
    for step in range(int(2 * reach) + 1):
        place = first + step
        seen = place <= at + reach
        np.maximum(made, np.where(seen, other.values[place % many], -np.inf), out=made)
    return made


def _highest_of_ring(ring: _Ring, is_last: bool) -> np.ndarray:
    """Which pixels are higher than the two next to them in their ring; around a pole, than all
    others. Of equal ones the first."""
    values = ring.values
    if is_last:
        made: np.ndarray = np.arange(len(values)) == int(values.argmax())
        return made
    before, behind = values > np.roll(values, 1), values >= np.roll(values, -1)
    before[0], behind[-1] = values[0] >= values[-1], values[-1] > values[0]
    return before & behind


def _healpix_maxima(grid: Grid, values: np.ndarray, threshold: float) -> np.ndarray:
    """Those of HEALPix, where pixels touch others two rings away."""
    nside, nested = (grid.nrings + 1) // 4, is_nested(grid)
    pixels = np.flatnonzero((values >= threshold) & (values > -np.inf))
    for part in range(8):  # one neighbour after the other: few pixels are left for the later ones
        beside = neighbours(nside, pixels, nested=nested, axis=0)[part] if pixels.size else pixels
        high = np.where(beside < 0, -np.inf, values[beside])
        pixels = pixels[(values[pixels] > high) | ((values[pixels] == high) & (pixels < beside))]
    return pixels


def maxima(map: ArrayLike, grid: GridLike, threshold: float = -math.inf) -> np.ndarray:
    """Find the local maxima of a map.

    Parameters
    ----------
    map : array_like, shape (npix,)
        Values on any grid. Missing ones (NaN) are lower than all others.
    %(grid)s
    threshold : float, optional
        What a value must reach. By default all maxima are found.

    Returns
    -------
    ndarray of int64
        The pixels that are higher than those next to them, and the first of equal ones, in the
        order of the map. Next to a pixel are all that touch it on HEALPix; on other grids those
        beside it in its ring, and the nearest ones in the rings before and behind it.

    Raises
    ------
    ValueError
        If the shape is wrong.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> from armilla import filters
    >>> theta, phi = armilla.healpy.pix2ang(32, np.arange(12 * 32**2))
    >>> filters.maxima(np.sin(theta) * np.cos(phi), armilla.Grid.healpix(32)).size
    1
    """
    place = as_grid(grid)
    values = MapShape.on(place).line(as_map(map))
    if values.shape != (place.npix,):
        raise ValueError(f"map: has shape {values.shape}, must have ({place.npix},) on {place!r}")
    if has_healpix_numbers(place):
        return _healpix_maxima(place, np.where(np.isfinite(values), values, -np.inf), threshold)
    rings = _rings(place, values)
    found = []
    for i, ring in enumerate(rings):
        is_high = _highest_of_ring(ring, i in (0, len(rings) - 1)) & (ring.values >= threshold)
        is_high &= ring.values > -np.inf
        if i > 0:
            is_high &= ring.values > _nearby(ring, rings[i - 1])
        if i + 1 < len(rings):
            is_high &= ring.values >= _nearby(ring, rings[i + 1])
        found.append(ring.pixels[is_high])
    return np.sort(np.concatenate(found)) if found else np.zeros(0, np.int64)


def _moved(loc: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Points after steps (n, 2) along e_theta and e_phi, on great circles."""
    theta, phi = loc.T
    sine, cosine = np.sin(theta), np.cos(theta)
    normal = np.stack([sine * np.cos(phi), sine * np.sin(phi), cosine], -1)
    south = np.stack([cosine * np.cos(phi), cosine * np.sin(phi), -sine], -1)
    east = np.stack([-np.sin(phi), np.cos(phi), np.zeros_like(phi)], -1)
    along = step[:, :1] * south + step[:, 1:] * east
    length = np.linalg.norm(step, axis=1, keepdims=True)
    to = np.cos(length) * normal + np.sinc(length / math.pi) * along
    return np.stack([np.arctan2(np.hypot(to[:, 0], to[:, 1]), to[:, 2]),
                     np.arctan2(to[:, 1], to[:, 0]) % (2 * math.pi)], -1)


def _refined(alm: np.ndarray, lmax: int, loc: np.ndarray, nthreads: int
             ) -> Tuple[np.ndarray, np.ndarray]:
    """Maxima near points, and the values there, by three steps of Newton; a step that does not go
    up, or goes far, is not made."""
    far = math.pi / max(lmax, 1)
    for _ in range(3):
        _, t, p, tt, tp, pp = evaluate(alm, lmax, loc, derivatives=2, nthreads=nthreads)
        determinant = tt * pp - tp * tp
        good = (determinant > 0) & (tt < 0)
        safe = np.where(good, determinant, 1.0)
        step = np.stack([tp * p - pp * t, tp * t - tt * p], -1) / safe[:, np.newaxis]
        good &= np.hypot(*step.T) <= far
        loc = _moved(loc, np.where(good[:, np.newaxis], step, 0.0))
    return loc, evaluate(alm, lmax, loc, nthreads=nthreads)


# --- The filter -----------------------------------------------------------------------------------


class MatchedFilter:
    """The filter with the least noise that leaves the amplitude of a profile as it is.

    Parameters
    ----------
    profile : array_like, shape (lmax + 1,)
        Window p_l of a source of amplitude 1, which at the angle gamma from its centre is the sum
        of (2 l + 1) / (4 pi) p_l P_l(cos gamma): for a point source of unit flux, the beam.
    power : array_like, shape (lmax + 1,)
        Spectrum C_l of all else in the map: the sky through the beam, and the noise. It must be
        above 0 where the profile is not 0.
    lmin : int, optional
        Degrees below are not used.

    Raises
    ------
    ValueError
        If a shape is wrong, a number is not finite, or the power is not above 0.
    %(TypeError)s

    See Also
    --------
    armilla.Radial : Applies `kernel` pixel by pixel.

    Notes
    -----
    The window is w_l = sigma^2 p_l / C_l, with 1 / sigma^2 the sum of (2 l + 1) / (4 pi) p_l^2 /
    C_l. The filtered map at the centre of a source is its amplitude, and sigma is the noise there.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> from armilla import filters
    >>> beam = armilla.spectrum.gaussian_beam(0.1, 64)
    >>> white = filters.MatchedFilter(beam, np.full(65, 1e-4))
    >>> bool(np.allclose(white.window / white.window[0], beam / beam[0]))
    True
    """

    __slots__ = ("_window", "_profile", "_power", "_sigma")

    def __init__(self, profile: ArrayLike, power: ArrayLike, lmin: int = 0) -> None:
        source, other = (np.array(reals(plain(given, name), name)) for name, given in (
            ("profile", profile), ("power", power)))
        for name, given in (("profile", source), ("power", other)):
            if given.ndim != 1 or not given.size:
                raise ValueError(f"{name}: has shape {given.shape}, must have (lmax + 1,)")
            if not np.isfinite(given).all():
                raise ValueError(f"{name}: must be finite")
        if other.shape != source.shape:
            raise ValueError(f"power: has shape {other.shape}, profile has {source.shape}")
        source[:degree("lmin", lmin)] = 0
        used = source != 0
        if not used.any():
            raise ValueError("profile: is 0 at all degrees that are used")
        if not (other[used] > 0).all():
            first = int(np.flatnonzero(used & ~(other > 0))[0])
            raise ValueError(f"power: at l = {first} it is {other[first]:g}: must be above 0")
        ratio = np.divide(source, other, out=np.zeros_like(source), where=used)
        self._sigma = 1 / math.sqrt(float(self._weights(source.size) @ (source * ratio)))
        self._window = self._sigma ** 2 * ratio
        self._profile, self._power = source, other
        for array in (self._window, self._profile, self._power):
            array.flags.writeable = False

    @staticmethod
    def _weights(size: int) -> np.ndarray:
        weights: np.ndarray = (2 * np.arange(size) + 1) / (4 * math.pi)
        return weights

    @property
    def lmax(self) -> int:
        """Largest degree."""
        return self._window.size - 1

    @property
    def window(self) -> np.ndarray:
        """What coefficients are multiplied by, (lmax + 1,)."""
        return self._window

    @property
    def sigma(self) -> float:
        """Standard deviation of the filtered map, and so of an amplitude, without sources."""
        return self._sigma

    @property
    def kernel(self) -> Kernel:
        """The filter as a radial kernel: for `armilla.Radial`, pixel by pixel."""
        return Kernel.window(self._window)

    def apply(self, map: ArrayLike, grid: GridLike, *, nthreads: int = 0) -> np.ndarray:
        """Filter a map, by transforms.

        Parameters
        ----------
        map : array_like, shape (npix,)
            The map, without missing values.
        %(grid)s
        %(nthreads)s

        Returns
        -------
        ndarray, shape (npix,)
            The amplitude of a source at each pixel.

        Raises
        ------
        ValueError
            If the shape is wrong, or a value is missing.
        """
        place = as_grid(grid)
        return self._filtered(map, place, nthreads)[1]

    def _filtered(self, map: ArrayLike, grid: Grid, nthreads: int
                  ) -> Tuple[np.ndarray, np.ndarray]:
        """Coefficients of the filtered map, and the map."""
        plan, given = plan_of(grid, self.lmax, None, 0, False), as_map(map)
        alm = multiply_window(plan.analysis(given, nthreads=nthreads), self._window)
        made = plan.synthesis(alm, nthreads=nthreads)
        return alm, plan._maps.shaped(made, plan._maps.like(given))

    def find(self, map: ArrayLike, threshold: float, grid: GridLike, *,
             mask: Optional[ArrayLike] = None, nthreads: int = 0) -> Sources:
        """Find sources: local maxima of the filtered map.

        Parameters
        ----------
        map : array_like, shape (npix,)
            The map, not filtered, without missing values where the mask is not 0.
        threshold : float
            Least signal to noise, 0 or more: amplitude over `sigma`.
        %(grid)s
        mask : array_like, shape (npix,), optional
            Where it is 0 the map is taken as 0, and no maxima are looked for. It should hide more
            than what is missing, by a few widths of the source, since edges of holes look like
            sources.
        %(nthreads)s

        Returns
        -------
        Sources
            Positions between the pixels, amplitudes and signal to noise, the largest first.

        Raises
        ------
        ValueError
            If a shape or a number is wrong, or a value is missing.
        """
        place, threshold = as_grid(grid), real("threshold", threshold)
        if not threshold >= 0:
            raise ValueError(f"threshold = {threshold:g}: must be 0 or more")
        shapes = MapShape.on(place)
        given, hidden = shapes.line(as_map(map)), np.zeros(place.npix, bool)
        if mask is not None:
            hidden = shapes.pixels(np.asarray(plain(mask, "mask"))) == 0
            if hidden.shape != (place.npix,):
                raise ValueError(f"mask: has shape {hidden.shape}, must have ({place.npix},)")
            if given.shape == hidden.shape:
                given = np.where(hidden, given.dtype.type(0), given)
        alm, values = self._filtered(given, place, nthreads)
        # between pixels a maximum is higher than at its pixel
        pixels = maxima(values, place, 0.8 * threshold * self._sigma)
        pixels = pixels[~hidden[pixels]]
        loc, amplitude = np.stack(place.pixels(), -1)[pixels], np.zeros(0)
        if pixels.size:
            loc, amplitude = _refined(alm.astype(np.complex128), self.lmax, loc, nthreads)
        kept = np.flatnonzero(amplitude >= threshold * self._sigma)
        kept = kept[np.argsort(-amplitude[kept], kind="stable")]
        return Sources(loc[kept], amplitude[kept], amplitude[kept] / self._sigma, pixels[kept])

    def expected_maxima(self, threshold: float) -> float:
        """Compute how many maxima of the whole sphere would be false.

        Parameters
        ----------
        threshold : float
            Least signal to noise.

        Returns
        -------
        float
            Mean number of maxima above it of a Gaussian field with the spectrum `power`, filtered,
            without any source (Bond & Efstathiou 1987, MNRAS 226, 655, appendix 1).

        Raises
        ------
        ValueError
            If the threshold is not a number.
        """
        threshold = real("threshold", threshold)
        l = np.arange(self.lmax + 1.0)
        square = l * (l + 1)
        modes = self._weights(self.lmax + 1) * self._window ** 2 * self._power
        zero, one, two = (float((modes * factor).sum()) for factor in (
            np.ones_like(l), square, square * np.maximum(square - 2, 0)))
        gamma, area = one / math.sqrt(zero * two), 2 * one / two
        heights = threshold + np.linspace(0, 12, 2401)
        density = np.exp(-0.5 * heights ** 2) * _peak_share(gamma, gamma * heights)
        total = float(((density[1:] + density[:-1]) * 0.5 * np.diff(heights)).sum())
        return 4 * math.pi * total / ((2 * math.pi) ** 1.5 * area)

    def __reduce__(self) -> Tuple[type, Tuple[np.ndarray, np.ndarray]]:
        return type(self), (self._profile, self._power)

    def __repr__(self) -> str:
        return f"<armilla.filters.MatchedFilter lmax {self.lmax}, sigma {self._sigma:.3g}>"


def _half_erfc(x: np.ndarray) -> np.ndarray:
    """1 - erfc(x) / 2."""
    made: np.ndarray = 0.5 * (1 + np.vectorize(math.erf)(x))
    return made


def _peak_share(gamma: float, x: np.ndarray) -> np.ndarray:
    """G(gamma, x) of Bond & Efstathiou: mean curvature of maxima of a height."""
    narrow, wide = max(1 - gamma ** 2, 1e-300), 3 - 2 * gamma ** 2
    made: np.ndarray = ((x ** 2 - gamma ** 2) * _half_erfc(x / math.sqrt(2 * narrow))
                        + x * narrow * np.exp(-x ** 2 / (2 * narrow))
                        / math.sqrt(2 * math.pi * narrow)
                        + np.exp(-x ** 2 / wide) / math.sqrt(wide)
                        * _half_erfc(x / math.sqrt(2 * narrow * wide)))
    return made
