"""Masked fields: a map times a mask, and the mask, as coefficients."""
from __future__ import annotations

import math
from typing import Any, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import as_map, plain, reals
from ._catalogues import (Catalogue, catalogue_alm, checked_catalogue, field_noise, mask_noise)
from ._errors import degree, real, whole
from ._field_plans import plan_of
from ._labelled import default_lmax
from ._types import Iterations
from .alm import Layout
from .grid import Grid, GridLike, as_grid
from .spectrum import compute

_UNSEEN = -1.6375e30


# --- What is given --------------------------------------------------------------------------------


def _grid_of(grid: Optional[GridLike], mask: ArrayLike) -> Grid:
    """The grid that is named, or that of HEALPix with as many pixels as the mask has."""
    if grid is not None:
        return as_grid(grid)
    npix = np.shape(mask)[-1] if np.ndim(mask) else 0
    nside = math.isqrt(npix // 12)
    if np.ndim(mask) != 1 or not nside or 12 * nside * nside != npix:
        raise ValueError(f"mask: has shape {np.shape(mask)}, must have (12 nside^2,) of HEALPix; "
                         "say grid= of another grid")
    return Grid.healpix(nside)


def _lines(values: np.ndarray, grid: Grid, ncomp: int, name: str) -> np.ndarray:
    """Maps (ncomp, npix) of one component without an axis for it, of pixels in one axis or two."""
    lead = (ncomp,) if ncomp > 1 else ()
    if values.shape == (*lead, grid.npix):
        return values.reshape(ncomp, grid.npix)
    if grid.shape_2d is not None and values.shape == (*lead, *grid.shape_2d):
        return grid.from_2d(values).reshape(ncomp, grid.npix)
    raise ValueError(f"{name}: has shape {values.shape}, must have {(*lead, grid.npix)} on "
                     f"{grid!r}")


def _pixels(grid: Grid) -> Optional[np.ndarray]:
    """Which places of a map are pixels; None: all."""
    if grid._dense:
        return None
    used = np.zeros(grid.npix, bool)
    for nphi, offset, stride in grid.rings[["nphi", "offset", "stride"]].tolist():
        used[offset + stride * np.arange(nphi)] = True
    return used


def _checked_mask(mask: ArrayLike, grid: Grid) -> np.ndarray:
    """(npix,), float32 or float64, 0 or more, a copy that nobody writes to."""
    given = as_map(mask, "mask")
    kept = np.array(_lines(given, grid, 1, "mask")[0])
    used = _pixels(grid)
    if used is not None:
        kept[~used] = 0
    wrong = ~(np.isfinite(kept) & (kept >= 0))
    if wrong.any():
        first = int(np.argmax(wrong))
        raise ValueError(f"mask: pixel {first} is {kept[first]:g}: must be finite, and 0 or more")
    if not kept.any():
        raise ValueError("mask: is 0 everywhere")
    kept.flags.writeable = False
    return kept


def _masked_map(map: ArrayLike, mask: np.ndarray, grid: Grid, ncomp: int) -> np.ndarray:
    """(ncomp, npix): the map times the mask, in the map's type. Where the mask is 0 the map is not
    looked at."""
    hidden = None
    if isinstance(map, np.ma.MaskedArray):
        hidden = _lines(np.ma.getmaskarray(map), grid, ncomp, "map")
        map = np.ma.getdata(map)
    values = _lines(as_map(map), grid, ncomp, "map")
    seen = mask > 0
    missing = ~np.isfinite(values) | (np.abs(values - _UNSEEN) <= 1e-5 * abs(_UNSEEN))
    if hidden is not None:
        missing |= hidden
    missing &= seen
    if missing.any():
        pixel = int(np.argmax(missing.any(axis=0)))
        raise ValueError(f"map: pixel {pixel} is missing (NaN, infinite, UNSEEN or hidden), but "
                         f"the mask is {mask[pixel]:g} there; it must be 0 where the map is "
                         "missing")
    made = np.zeros_like(values)
    np.multiply(values, mask, out=made, where=np.broadcast_to(seen, values.shape),
                casting="same_kind")
    return made


def checked_window(name: str, given: Optional[ArrayLike], lmax: int) -> Optional[np.ndarray]:
    """float64 (lmax + 1,) of what has as many degrees or more."""
    if given is None:
        return None
    window = reals(plain(given, name), name)
    if window.ndim != 1 or window.size <= lmax:
        raise ValueError(f"{name}: has shape {window.shape}, must have (lmax + 1,) = "
                         f"({lmax + 1},), or more")
    window = window[:lmax + 1]
    if not np.isfinite(window).all():
        raise ValueError(f"{name}: must be finite")
    return window


def product_of_windows(one: Optional[np.ndarray], two: Optional[np.ndarray]
                       ) -> Optional[np.ndarray]:
    """None is 1."""
    return one if two is None else two if one is None else one * two


def largest_mask_degree(grid: Grid) -> int:
    """The largest degree of a mask that the pixels of a grid determine: that of its exact rule,
    3 nside - 1 of HEALPix, one for two rings elsewhere."""
    if grid.kind == "healpix":
        return 3 * ((grid.nrings + 1) // 4) - 1
    return default_lmax(grid)


# --- Fields ---------------------------------------------------------------------------------------


class _Analysed(NamedTuple):
    """What a Field is: all that its methods need, and all that a pickle has."""

    grid: Optional[Grid]  # None: of a catalogue
    spin: int
    lmax: int
    lmask: int
    alm: np.ndarray  # (ncomp, size)
    mask_alm: np.ndarray
    mask: Optional[np.ndarray]
    window: Optional[np.ndarray]
    iterations: Iterations
    catalogue: Optional[Catalogue]


def _analyse(values: np.ndarray, grid: Grid, lmax: int, spin: int, iterations: Iterations,
             nthreads: int) -> np.ndarray:
    """(ncomp, size), which nobody writes to."""
    plan = plan_of(grid, lmax, None, spin, False)
    given = values if spin else values[0]
    if iterations == 0:
        alm = plan.analysis(given, nthreads=nthreads)
    else:
        alm = plan.analysis(given, iterations=iterations, nthreads=nthreads)[0]
    alm = alm.reshape(len(values), -1)
    alm.flags.writeable = False
    return alm


class Field:
    """A masked field: the coefficients of a map times a mask, and those of the mask.

    Fields are made by `from_map`, by `with_map` of another field, and by `from_catalogue`. They are
    immutable.

    See Also
    --------
    armilla.pseudo_cl.Coupling : The spectra of two fields.
    armilla.pseudo_cl.spectrum : From a map and a mask to its spectrum in one call.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> from armilla import pseudo_cl
    >>> sky = np.random.default_rng(1).standard_normal(12 * 16**2)
    >>> mask = np.ones(sky.size)
    >>> mask[:500], sky[:500] = 0, np.nan
    >>> field = pseudo_cl.Field.from_map(sky, mask)
    >>> field.lmax, field.lmask, field.alm.shape
    (32, 47, (1, 561))
    """

    __slots__ = ("_is",)
    _is: _Analysed

    def __init__(self) -> None:
        raise TypeError("use Field.from_map, or Field.from_catalogue")

    @classmethod
    def from_map(cls, map: ArrayLike, mask: ArrayLike, grid: Optional[GridLike] = None, *,
                 spin: int = 0, lmax: Optional[int] = None, lmask: Optional[int] = None,
                 beam: Optional[ArrayLike] = None, pixwin: Optional[ArrayLike] = None,
                 iterations: Iterations = 0, nthreads: int = 0) -> "Field":
        """Analyse a map times a mask, and the mask.

        Parameters
        ----------
        map : array_like, shape (npix,), or (2, npix) where `spin` is not 0
            Values in any unit: a scalar, or the two components of a field of a spin as in
            `armilla.SHT`, such as Q and U. Pixels may be two axes, ``grid.shape_2d``. The map is
            not looked at where the mask is 0, and must have no missing value elsewhere.
        mask : array_like, shape (npix,)
            What the map is multiplied by, 0 or more; bool, or apodised.
        grid : Grid or str, optional
            Where the pixels are. By default it is HEALPix in RING order, with as many pixels as the
            mask has.
        spin : int, optional
            Spin of the field, 0 to `lmax`.
        lmax : int, optional
            Largest degree of the spectra. By default it is the degree up to which the grid has an
            exact rule, 2 nside of HEALPix, and one degree for two rings elsewhere.
        lmask : int, optional
            Largest degree of the mask. Degrees above 2 `lmax` play no part; by default it is that,
            or what the grid holds where that is less: the degree of its exact rule, 3 nside - 1 of
            HEALPix, one degree for two rings elsewhere.
        beam : array_like, shape (n,), optional
            Window b_l, n > `lmax`, of the beam that the map was seen with. Decoupled spectra are
            those without it.
        pixwin : array_like, shape (n,), optional
            Window of pixels, in the same way: ``armilla.healpy.pixwin``.
        iterations : int or "auto", optional
            Steps that follow the quadrature, as in `SHT.analysis`. 0, the default, is a plain
            quadrature, equal weights on HEALPix.
        nthreads : int, optional
            Number of threads. 0, the default, means all that are available.

        Returns
        -------
        Field
            The field.

        Raises
        ------
        ValueError
            If the mask is 0 everywhere, or has a value that is negative or not finite; if a value
            of the map is missing where the mask is not 0; if a shape or a number is wrong.
        TypeError
            If a type is wrong.

        Warns
        -----
        ExactnessWarning
            If `lmax` or `lmask` is more than the grid's pixels hold.

        Notes
        -----
        A map times a mask holds all degrees up to the sum of theirs. On a grid with an exact rule
        those above 2 exact_lmax - lmax fall on degrees up to lmax: give lmax where the grid is not
        fine enough. Maps of float32 are analysed in float32.
        """
        place = _grid_of(grid, mask)
        spin = degree("spin", spin)
        lmax = default_lmax(place) if lmax is None else degree("lmax", lmax)
        if spin > lmax:
            raise ValueError(f"spin = {spin}: must be 0 .. lmax = {lmax}")
        if not isinstance(iterations, str):
            iterations = whole("iterations", iterations)
        held = max(largest_mask_degree(place), 0)
        lmask = min(2 * lmax, held if lmask is None else degree("lmask", lmask))
        kept = _checked_mask(mask, place)
        values = _masked_map(map, kept, place, 2 if spin else 1)
        window = product_of_windows(checked_window("beam", beam, lmax),
                                    checked_window("pixwin", pixwin, lmax))
        return cls._of(_Analysed(
            place, spin, lmax, lmask, _analyse(values, place, lmax, spin, iterations, nthreads),
            _analyse(kept[np.newaxis], place, lmask, 0, iterations, nthreads), kept, window,
            iterations, None))

    @classmethod
    def from_catalogue(cls, loc: ArrayLike, values: ArrayLike, lmax: int, *,
                       weights: Optional[ArrayLike] = None, spin: int = 0,
                       lmask: Optional[int] = None, beam: Optional[ArrayLike] = None,
                       subtract_noise: bool = True, epsilon: float = 1e-7, nthreads: int = 0
                       ) -> "Field":
        """Analyse values at points, without pixels.

        Parameters
        ----------
        loc : array_like, shape (npoints, 2)
            Colatitudes and longitudes in radians.
        values : array_like, shape (npoints,), or (2, npoints) where `spin` is not 0
            A scalar, or the two components of a field of a spin, such as the shear of galaxies.
        lmax : int
            Largest degree of the spectra.
        weights : array_like, shape (npoints,), optional
            Weights, 0 or more. By default they are 1. Values of weight 0 are not looked at.
        spin : int, optional
            Spin of the field, 0 to `lmax`.
        lmask : int, optional
            Largest degree of the mask, which is the sum of the points with their weights. By
            default it is 2 `lmax`; degrees above play no part.
        beam : array_like, shape (n,), optional
            Window that the field was smoothed with, as in `from_map`.
        subtract_noise : bool, optional
            Whether to leave pairs of a point with itself out of spectra, of the field and of the
            mask, between this field and others of the same points. They hold the noise of the
            values, so that what is left has no noise bias.
        epsilon : float, optional
            Accuracy of the sums over points, as in `armilla.Points`.
        nthreads : int, optional
            Number of threads. 0, the default, means all that are available.

        Returns
        -------
        Field
            The field. It has no `grid` and no `mask`, and its spectra no `Spectrum.knox_errors`.

        Raises
        ------
        ValueError
            If there are no points; if a weight is negative, or all are 0; if a value is not finite
            where the weight is not 0; if a shape or a number is wrong.
        TypeError
            If a type is wrong.

        Examples
        --------
        >>> import numpy as np
        >>> from armilla import pseudo_cl
        >>> rng = np.random.default_rng(1)
        >>> loc = np.column_stack([np.arccos(rng.uniform(0, 1, 500)), rng.uniform(0, 6.28, 500)])
        >>> shear = rng.standard_normal((2, 500))
        >>> field = pseudo_cl.Field.from_catalogue(loc, shear, 40, spin=2)
        >>> field.alm.shape, field.lmask
        ((2, 861), 80)
        """
        lmax, spin = degree("lmax", lmax), degree("spin", spin)
        if spin > lmax:
            raise ValueError(f"spin = {spin}: must be 0 .. lmax = {lmax}")
        lmask = 2 * lmax if lmask is None else min(2 * lmax, degree("lmask", lmask))
        points = checked_catalogue(loc, values, weights, 2 if spin else 1, bool(subtract_noise))
        epsilon = real("epsilon", epsilon)
        ones = np.ones((1, len(points.loc)))
        return cls._of(_Analysed(
            None, spin, lmax, lmask,
            catalogue_alm(points, points.values, lmax, spin, epsilon, nthreads),
            catalogue_alm(points, ones, lmask, 0, epsilon, nthreads), None,
            checked_window("beam", beam, lmax), 0, points))

    @classmethod
    def _of(cls, analysed: _Analysed) -> "Field":
        self = object.__new__(cls)
        self._is = analysed
        return self

    def with_map(self, map: ArrayLike, *, nthreads: int = 0) -> "Field":
        """Analyse another map with the same mask, spin and windows.

        Parameters
        ----------
        map : array_like, shape (npix,), or (2, npix) where `spin` is not 0
            As in `from_map`.
        nthreads : int, optional
            Number of threads. 0, the default, means all that are available.

        Returns
        -------
        Field
            The field.

        Raises
        ------
        ValueError
            As in `from_map`.
        TypeError
            If a type is wrong.
        """
        own = self._is
        if own.grid is None or own.mask is None:
            raise ValueError("with_map: this Field is of a catalogue; use Field.from_catalogue")
        values = _masked_map(map, own.mask, own.grid, 2 if own.spin else 1)
        return self._of(own._replace(alm=_analyse(values, own.grid, own.lmax, own.spin,
                                                  own.iterations, nthreads)))

    @property
    def grid(self) -> Optional[Grid]:
        """Where the pixels are; None of a catalogue."""
        return self._is.grid

    @property
    def spin(self) -> int:
        """Spin of the field."""
        return self._is.spin

    @property
    def lmax(self) -> int:
        """Largest degree of the spectra."""
        return self._is.lmax

    @property
    def lmask(self) -> int:
        """Largest degree of the mask."""
        return self._is.lmask

    @property
    def components(self) -> Tuple[str, ...]:
        """Names of the components: ("T",), or ("E", "B") where the spin is not 0."""
        return ("E", "B") if self._is.spin else ("T",)

    @property
    def alm(self) -> np.ndarray:
        """Coefficients of the map times the mask, (1 or 2, size), in the order of healpy."""
        return self._is.alm

    @property
    def mask_alm(self) -> np.ndarray:
        """Coefficients of the mask up to `lmask`, (size,), in the order of healpy."""
        return self._is.mask_alm[0]

    @property
    def mask(self) -> Optional[np.ndarray]:
        """The mask, (npix,); None of a catalogue."""
        return self._is.mask

    @property
    def window(self) -> Optional[np.ndarray]:
        """Window of the beam times that of the pixels, (lmax + 1,); None where there is none."""
        return self._is.window

    def __reduce__(self) -> Tuple[Any, ...]:
        return _rebuild, tuple(self._is)

    def __repr__(self) -> str:
        points = self._is.catalogue
        place = f"on {self.grid!r}" if points is None else f"at {len(points.loc)} points"
        return (f"<armilla.pseudo_cl.Field spin {self.spin}, lmax {self.lmax}, lmask {self.lmask}, "
                f"{place}>")


def _rebuild(*parts: Any) -> Field:
    own = _Analysed(*parts)
    for part in (*own, *(own.catalogue or ())):
        if isinstance(part, np.ndarray):
            part.flags.writeable = False
    return Field._of(own)


# --- Of two fields --------------------------------------------------------------------------------


def cross_spectra(one: Field, two: Field) -> np.ndarray:
    """(ncl, lmax + 1): of each component of the first with each of the second, without pairs of a
    point of a catalogue with itself."""
    pairs = [(a, b) for a in one.alm for b in two.alm]
    made = np.stack([compute(a, b) for a, b in pairs])
    noise = field_noise(one._is.catalogue, two._is.catalogue, len(made))
    made[:, max(one.spin, two.spin):] -= noise[:, np.newaxis]
    return made


def mask_spectrum(one: Field, two: Field) -> np.ndarray:
    """(lmask + 1,): of both masks, up to the degree that both have, in the same way."""
    lmask = min(one.lmask, two.lmask)
    first, second = (Layout(field.lmask).convert(field.mask_alm, Layout(lmask))
                     for field in (one, two))
    return compute(first, second) - mask_noise(one._is.catalogue, two._is.catalogue)


def _mean(grid: Grid, values: np.ndarray) -> float:
    """Mean over the sphere of values (npix,), by the quadrature of the grid."""
    if grid.kind == "healpix":
        return float(values.mean(dtype=np.float64))
    total = 0.0
    for weight, nphi, offset, stride in grid.rings[["weight", "nphi", "offset",
                                                    "stride"]].tolist():
        last = offset + stride * (nphi - 1)
        ring = values[min(offset, last):max(offset, last) + 1:abs(stride)]
        total += weight * float(ring.sum(dtype=np.float64))
    return total / (4 * math.pi)


def mask_moments(one: Field, two: Field) -> Optional[Tuple[float, float]]:
    """Means over the sphere of w1 w2 and of its square; None for masks on different grids, and of
    catalogues."""
    if one.grid is None or one.grid != two.grid or one.mask is None or two.mask is None:
        return None
    product = one.mask * two.mask
    return _mean(one.grid, product), _mean(one.grid, product * product)
