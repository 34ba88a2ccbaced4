"""Scale-discretised wavelets with directions, docs/mathematics.md (16.6) to (16.10).

McEwen, Durastanti & Wiaux 2018 (arXiv:1509.06749); the kernels are those of s2let and s2wav.
"""
from __future__ import annotations

import functools
import math
from typing import Any, Iterable, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import as_alm, leading_shape
from ._errors import degree, named, real, whole
from ._rotation_group import RotationGroup
from .alm import index as alm_index
from .alm import size as alm_size
from .grid import Grid, as_grid

_FAMILIES = "gl", "rgl", "mw", "mwss"
_NODES = 256  # of the integral over a bump, which is smooth: errors below rounding


def _bump_integral(base: float, t: np.ndarray) -> np.ndarray:
    """k(t): from 1 at t <= 1 / base to 0 at t >= 1."""
    rings = Grid.gauss_legendre(_NODES, 1).rings
    node, weight = np.cos(rings["theta"]), rings["weight"] / (2 * np.pi)

    def integral(start: np.ndarray) -> np.ndarray:
        """Of s(x)^2 / x from start to 1."""
        half = (1 - start[..., None]) / 2
        x = 1 - half * (1 - node)
        u = 2 * (base * x - 1) / (base - 1) - 1
        inside = np.maximum(1 - u * u, 1e-300)
        return np.sum(half * weight * np.exp(-2 / inside) / x, axis=-1)

    inner = np.clip(t, 1 / base, 1)
    return np.clip(integral(inner) / integral(np.array([1 / base])), 0, 1)


def _windows(base: float, scales: Sequence[int], lmax: int) -> np.ndarray:
    """The scaling window and that of each scale, [1 + scales, lmax + 1]: squares add up to 1."""
    l = np.arange(lmax + 1)
    edges = list(scales) + [scales[-1] + 1]
    below = np.array([_bump_integral(base, l * base ** -float(j)) for j in edges])
    below[-1] = 1  # lmax is not beyond the last scale
    return np.sqrt(np.concatenate([below[:1], np.maximum(np.diff(below, axis=0), 0)]))


@functools.lru_cache(maxsize=4096)
def _binomial(count: int) -> np.ndarray:
    """Square roots of the binomial distribution of so many tosses."""
    return np.sqrt([math.comb(count, k) / 2 ** count for k in range(count + 1)])


def _directions(nmax: int, lmax: int) -> np.ndarray:
    """s_ln, [nmax + n, l]: squares add up to 1 over n for each l; orders of the parity of nmax."""
    split = np.zeros((2 * nmax + 1, lmax + 1), np.complex128)
    for l in range(nmax % 2, lmax + 1):
        most = min(nmax, l if (nmax + l) % 2 == 0 else l - 1)
        split[nmax - most:nmax + most + 1:2, l] = _binomial(most) * (1j if nmax % 2 else 1)
    return split


class _Options(NamedTuple):
    lmax: int
    nmax: int
    base: float
    first: int
    grid: str


class _Scale(NamedTuple):
    """A scale: its transform, and factors [2 nmax + 1, lmax + 1] of the degrees both ways."""

    group: RotationGroup
    factor: np.ndarray


class DirectionalWavelets:
    """Wavelets with directions: a map to functions of rotations, one for each scale, and back.

    An object is immutable, and any number of threads may use it at once. Inputs are never written.

    Parameters
    ----------
    lmax : int
        Largest degree of the maps, 1 or more.
    nmax : int
        Largest order of the wavelets about their axes, 0 to `lmax`: they see nmax + 1 directions.
        0: wavelets without direction.
    base : float, optional
        Ratio of a scale to the next, above 1. Scale j has the degrees between base^(j-1) and
        base^(j+1).
    first : int, optional
        The first scale, 0 or more; what is below it goes to the scaling coefficients.
    grid : {"gl", "rgl", "mw", "mwss"}, optional
        Family of the grids of the scales, each with as few rings as its largest degree needs.

    Raises
    ------
    ValueError
        If a number is out of range, or the family is unknown.
    %(TypeError)s
    %(MemoryError)s

    See Also
    --------
    RotationGroup : The transform of each scale.
    Kernel.needlet : Wavelets without direction, pixel by pixel.

    Notes
    -----
    The wavelet of scale j has the coefficients

        Psi_ln = sqrt((2 l + 1) / (8 pi^2)) kappa_j(l) s_ln

    with the windows kappa_j and the split s_ln over directions of McEwen, Durastanti & Wiaux. The
    wavelet coefficients W_j are integrals of the map times the wavelet that is turned by
    R_z(alpha) R_y(beta) R_z(gamma): f^l_mn = 8 pi^2 / (2 l + 1) a_lm conj(Psi_ln). They are a tight
    frame: the squared norm of the map is that of the scaling coefficients plus the integrals of
    W_j^2 over all rotations. Synthesis inverts analysis, to rounding, and is its transpose.

    Each scale has its own band limits, and so few samples as these need.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> wavelets = armilla.so3.DirectionalWavelets(lmax=20, nmax=1, base=3)
    >>> wavelets.scales, wavelets.lmaxes
    (range(0, 4), (2, 8, 20, 20))
    >>> sky = armilla.alm.random(20, np.ones(21), seed=1)
    >>> scaling, samples = wavelets.analysis(sky)
    >>> bool(np.allclose(wavelets.synthesis(scaling, samples), sky))
    True
    """

    __slots__ = ("_options", "_windows", "_scales")

    def __init__(self, lmax: int, nmax: int, base: float = 2.0, first: int = 0,
                 grid: str = "gl") -> None:
        lmax, nmax, base = degree("lmax", lmax, 1), whole("nmax", nmax), real("base", base)
        first = whole("first", first)
        if not 0 <= nmax <= lmax:
            raise ValueError(f"nmax = {nmax}: must be 0 to lmax = {lmax}")
        if not 1 < base < math.inf:
            raise ValueError(f"base = {base}: must be above 1, and finite")
        last = max(0, math.ceil(math.log(lmax) / math.log(base) - 1e-12))
        if not 0 <= first <= last:
            raise ValueError(f"first = {first}: must be 0 to {last}, the last scale")
        if grid not in _FAMILIES:
            raise ValueError(f"grid = {grid!r}: must be one of {', '.join(_FAMILIES)}")
        self._options = _Options(lmax, nmax, base, first, grid)
        self._windows = _windows(base, range(first, last + 1), lmax)
        self._windows.flags.writeable = False
        self._scales = tuple(self._make_scale(window) for window in self._windows[1:])

    def _make_scale(self, window: np.ndarray) -> _Scale:
        seen = np.flatnonzero(window)
        lmax = int(seen[-1]) if len(seen) else 0
        nmax = min(self._options.nmax, lmax)
        split = _directions(self._options.nmax, lmax)
        low = self._options.nmax - nmax
        l = np.arange(lmax + 1)
        factor = window[:lmax + 1] * split[low:len(split) - low] * np.sqrt((2 * l + 1) / 8) / np.pi
        return _Scale(RotationGroup(_grid_of(self._options.grid, lmax), lmax, nmax), factor)

    # --- What it is ---------------------------------------------------------------------------

    @property
    def lmax(self) -> int:
        """Largest degree of the maps."""
        return self._options.lmax

    @property
    def nmax(self) -> int:
        """Largest order of the wavelets."""
        return self._options.nmax

    @property
    def base(self) -> float:
        """Ratio of a scale to the next."""
        return self._options.base

    @property
    def scales(self) -> range:
        """The numbers j of the scales."""
        return range(self._options.first, self._options.first + len(self._scales))

    @property
    def lmaxes(self) -> Tuple[int, ...]:
        """Largest degree of each scale."""
        return tuple(scale.group.lmax for scale in self._scales)

    @property
    def groups(self) -> Tuple[RotationGroup, ...]:
        """The transform of each scale, with its grid and its angles gamma."""
        return tuple(scale.group for scale in self._scales)

    @property
    def windows(self) -> np.ndarray:
        """The scaling window, then kappa_j of each scale, shape (1 + scales, lmax + 1)."""
        return self._windows

    def beam(self, scale: int) -> np.ndarray:
        """Return the coefficients of a wavelet, as `Beams` and `Rotation` take them.

        Parameters
        ----------
        scale : int
            Which of `scales`.

        Returns
        -------
        ndarray
            Psi_ln for n >= 0, in healpy's order with the largest degree and order of the scale.

        Raises
        ------
        ValueError
            If there is no such scale.
        """
        if whole("scale", scale) not in self.scales:
            raise ValueError(f"scale = {scale}: must be {self.scales[0]} to {self.scales[-1]}")
        one = self._scales[scale - self.scales[0]]
        lmax, nmax = one.group.lmax, one.group.nmax
        n, l = np.triu_indices(nmax + 1, 0, lmax + 1)
        made = np.zeros(alm_size(lmax, nmax), np.complex128)
        made[alm_index(lmax, l, n)] = one.factor[nmax + n, l]
        return made

    # --- Both ways ----------------------------------------------------------------------------

    def analysis(self, alm: ArrayLike, *, nthreads: int = 0
                 ) -> Tuple[np.ndarray, List[np.ndarray]]:
        """Take a map apart.

        Parameters
        ----------
        alm : array_like, shape (..., size)
            Coefficients of the map, with mmax = lmax. Leading axes are maps.
        %(nthreads)s

        Returns
        -------
        scaling : ndarray, shape (..., size)
            Coefficients of what is below the first scale.
        samples : list of ndarray, each of shape (..., ngamma, npix)
            The wavelet coefficients W_j of each scale: of the angles gamma, and pixels (alpha,
            beta), of `groups`.

        %(Raises.the_shape+the_type)s
        """
        alm = self._alm(alm, "alm")
        scaling = alm * self._windows[0][self._degrees()]
        samples = []
        for one in self._scales:
            lmax = one.group.lmax
            l, place = _part(lmax, self.lmax)
            factor = 8 * np.pi ** 2 / (2 * np.arange(lmax + 1) + 1) * np.conj(one.factor)
            samples.append(one.group.synthesis(factor[:, l] * alm[..., None, place],
                                               nthreads=nthreads))
        return scaling, samples

    def synthesis(self, scaling: ArrayLike, samples: Iterable[ArrayLike], *, nthreads: int = 0
                  ) -> np.ndarray:
        """Put a map together.

        Parameters
        ----------
        scaling : array_like, shape (..., size)
            Coefficients of what is below the first scale.
        samples : iterable of array_like, each of shape (..., ngamma, npix)
            The wavelet coefficients of each scale.
        %(nthreads)s

        Returns
        -------
        ndarray, shape (..., size)
            Coefficients of the map.

        Raises
        ------
        ValueError
            If a shape, or the number of scales, is wrong, or a value is missing.
        %(TypeError)s
        """
        made = self._alm(scaling, "scaling") * self._windows[0][self._degrees()]
        samples = list(samples)
        if len(samples) != len(self._scales):
            raise ValueError(f"samples: are of {len(samples)} scales, must be of "
                             f"{len(self._scales)}")
        for number, (one, values) in enumerate(zip(self._scales, samples)):
            l, place = _part(one.group.lmax, self.lmax)
            with named("map", f"samples[{number}]"):
                parts = one.group.analysis(values, nthreads=nthreads)
            if parts.shape[:-2] != made.shape[:-1]:
                raise ValueError(f"samples[{number}]: has the leading shape {parts.shape[:-2]}, "
                                 f"but scaling has {made.shape[:-1]}")
            made[..., place] += np.sum(one.factor[:, l] * parts, axis=-2)
        return made

    def _alm(self, alm: ArrayLike, name: str) -> np.ndarray:
        alm = as_alm(alm, name).astype(np.complex128, copy=False)
        leading_shape(alm, (alm_size(self.lmax),), name)
        return alm

    def _degrees(self) -> np.ndarray:
        return _part(self.lmax, self.lmax)[0]

    def __reduce__(self) -> Tuple[Any, ...]:
        return DirectionalWavelets, tuple(self._options)

    def __repr__(self) -> str:
        return (f"<armilla.so3.DirectionalWavelets lmax {self.lmax}, nmax {self.nmax}, base "
                f"{self.base:g}, scales {self.scales[0]} to {self.scales[-1]}>")


def _part(lmax: int, whole_lmax: int) -> Tuple[np.ndarray, np.ndarray]:
    """Degrees of the triangle of lmax, and its places in that of a larger one."""
    m, l = np.triu_indices(lmax + 1)
    return l, alm_index(whole_lmax, l, m)


def _grid_of(family: str, lmax: int) -> Grid:
    """The smallest grid of a family that is exact for lmax."""
    nphi = 2 * lmax + 1
    return as_grid({"gl": f"gl:{lmax + 1}x{nphi}", "rgl": f"rgl:{lmax + 1}:{lmax}",
                    "mw": f"mw:{lmax + 1}x{nphi}", "mwss": f"mwss:{lmax + 2}x{nphi}"}[family])
