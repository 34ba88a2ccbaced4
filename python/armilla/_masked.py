"""Masked fields: a map times a mask, and the mask, as coefficients."""
from __future__ import annotations

import math
import warnings
from typing import Any, NamedTuple, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import as_map, plain, reals
from ._catalogues import (Catalogue, catalogue_alm, checked_catalogue, checked_positions,
                          field_noise, mask_noise)
from ._errors import degree, real, whole
from ._exactness import level_of_caller
from ._field_plans import plan_of
from ._labelled import default_lmax
from ._purified import EDGE, Pure, derivatives, products, purified
from ._templates import Projected, Templates, bias, cleaned, project, spectra, white_noise
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


def _masked_map(map: ArrayLike, mask: np.ndarray, grid: Grid, ncomp: int, name: str = "map"
                ) -> np.ndarray:
    """(ncomp, npix): the map times the mask, in the map's type. Where the mask is 0 the map is not
    looked at."""
    hidden = None
    if isinstance(map, np.ma.MaskedArray):
        hidden = _lines(np.ma.getmaskarray(map), grid, ncomp, name)
        map = np.ma.getdata(map)
    values = _lines(as_map(map, name), grid, ncomp, name)
    seen = mask > 0
    missing = ~np.isfinite(values) | (np.abs(values - _UNSEEN) <= 1e-5 * abs(_UNSEEN))
    if hidden is not None:
        missing |= hidden
    missing &= seen
    if missing.any():
        pixel = int(np.argmax(missing.any(axis=0)))
        raise ValueError(f"{name}: pixel {pixel} is missing (NaN, infinite, UNSEEN or hidden), but "
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


def _pixel_window(grid: Grid, spin: int, lmax: int) -> np.ndarray:
    """That of HEALPix, of temperature or of polarisation."""
    if grid.kind != "healpix" or spin not in (0, 2):
        raise ValueError("pixwin = True: the window is known for spin 0 and 2 on HEALPix; here the "
                         f"spin is {spin}, on {grid!r}; give its values")
    from .healpy.windows import pixwin
    nside = (grid.nrings + 1) // 4
    if lmax > 4 * nside:
        raise ValueError(f"pixwin = True: is known up to 4 nside = {4 * nside}, and lmax is {lmax}")
    return pixwin(nside, True, lmax)[spin // 2]


def product_of_windows(one: Optional[np.ndarray], two: Optional[np.ndarray]
                       ) -> Optional[np.ndarray]:
    """None is 1."""
    return one if two is None else two if one is None else one * two


def quadrature(grid: Grid) -> np.ndarray:
    """(npix,): weights of pixels in integrals over the sphere, equal ones on HEALPix."""
    if grid.kind == "healpix":
        return np.full(grid.npix, 4 * math.pi / grid.npix)
    made = np.zeros(grid.npix)
    for weight, nphi, offset, stride in grid.rings[["weight", "nphi", "offset",
                                                    "stride"]].tolist():
        made[offset + stride * np.arange(nphi)] = weight
    return made


def _templates_of(given: ArrayLike, mask: np.ndarray, grid: Grid, ncomp: int) -> Templates:
    """Templates as a caller has them, checked as maps are."""
    maps = given if isinstance(given, np.ma.MaskedArray) else as_map(given, "templates")
    if maps.ndim < 2 or not len(maps):
        raise ValueError(f"templates: has shape {maps.shape}, must have (ntemplates, "
                         f"{'2, ' if ncomp > 1 else ''}npix)")
    masked = [_masked_map(one, mask, grid, ncomp, f"templates[{i}]").astype(np.float64)
              for i, one in enumerate(maps)]
    return project(np.stack(masked), quadrature(grid))


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
    templates: Optional[Templates] = None
    pure: Optional[Pure] = None  # None: no component is


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


def _pure(mask: np.ndarray, own: _Analysed, lmask: int, e: bool, b: bool, nthreads: int) -> Pure:
    """Warns of a mask with an edge. Without an exact rule a plain quadrature is not good enough for
    derivatives."""
    assert own.grid is not None
    steps = own.iterations
    if not isinstance(steps, str) and own.grid.exact_lmax < lmask:
        steps = max(steps, 3)
    alm = _analyse(mask[np.newaxis].astype(np.float64), own.grid, lmask, 0, steps, nthreads)
    made = Pure(e, b, *derivatives(alm[0], own.grid, lmask, nthreads))
    bend = (made.bend ** 2).sum(axis=0)
    weights = quadrature(own.grid)
    if weights @ np.where(mask > 0, 0, bend) > EDGE * (weights @ bend):
        warnings.warn(
            "mask: has an edge where its value or its slope does not vanish, so that E and B still "
            "mix; purification needs an apodised mask whose value and slope vanish at its edge",
            RuntimeWarning, stacklevel=level_of_caller())
    return made


def _coefficients(own: _Analysed, grid: Grid, values: np.ndarray, nthreads: int) -> np.ndarray:
    """(ncomp, size) of a map times the mask, (ncomp, npix), pure where they are to be."""
    alm = _analyse(values, grid, own.lmax, own.spin, own.iterations, nthreads)
    if own.pure is None:
        return alm
    assert own.mask is not None
    terms = [_analyse(term, grid, own.lmax, len(term) - 1, own.iterations, nthreads)
             for term in products(values, own.mask, own.pure)]
    return purified(alm, terms, own.pure, own.lmax)


class Field:
    """A masked field: the coefficients of a map times a mask, and those of the mask.

    Fields are made by `from_map`, by `with_map` of another field, by `from_catalogue` of values at
    points, and by `from_positions` of points alone. They are immutable.

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
        raise TypeError("use Field.from_map, from_catalogue or from_positions")

    @classmethod
    def from_map(cls, map: ArrayLike, mask: ArrayLike, grid: Optional[GridLike] = None, *,
                 spin: int = 0, lmax: Optional[int] = None, lmask: Optional[int] = None,
                 beam: Optional[ArrayLike] = None, pixwin: Union[None, bool, ArrayLike] = None,
                 purify_e: bool = False, purify_b: bool = False,
                 templates: Optional[ArrayLike] = None, iterations: Iterations = 0,
                 nthreads: int = 0) -> "Field":
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
        pixwin : array_like, shape (n,), or bool, optional
            Window of pixels, in the same way. True means that of HEALPix,
            ``armilla.healpy.pixwin``, of spin 0 or 2.
        purify_e : bool, optional
            Whether to make E pure: without power of B that the mask mixes into it.
        purify_b : bool, optional
            Whether to make B pure: without power of E, whose scatter then is no part of that of BB.
            Spin 2 only, and the mask must be apodised so that its value and its slope vanish at its
            edge.
        templates : array_like, shape (ntemplates, npix), or (ntemplates, 2, npix), optional
            Maps, such as those of dust, of what the map may hold in amounts that nobody knows. They
            are fitted to the map, both times the mask, and subtracted. They may depend on one
            another. What that takes from the spectra is `Coupling.deprojection_bias`.
        iterations : int or "auto", optional
            Steps that follow the quadrature, as in `SHT.analysis`. 0, the default, is a plain
            quadrature, equal weights on HEALPix.
        %(nthreads)s

        Returns
        -------
        Field
            The field.

        Raises
        ------
        ValueError
            If the mask is 0 everywhere, or has a value that is negative or not finite; if a value
            of the map or of a template is missing where the mask is not 0; if a template is 0
            there; if a shape or a number is wrong.
        %(TypeError)s

        Warns
        -----
        ExactnessWarning
            If `lmax` or `lmask` is more than the grid's pixels hold.
        RuntimeWarning
            If a component is purified and the mask has an edge. A slope at the edge is not seen on
            every grid.

        Notes
        -----
        A map times a mask holds all degrees up to the sum of theirs. On a grid with an exact rule
        those above 2 exact_lmax - lmax fall on degrees up to lmax: give lmax where the grid is not
        fine enough. Maps of float32 are analysed in float32.

        Purification (Smith 2006; Smith & Zaldarriaga 2007) needs two derivatives of the mask. They
        are made from its coefficients up to `lmask`, by default all that the grid holds, even above
        2 lmax: with a mask that has no other degrees they are exact on a grid with an exact rule.
        On other grids the mask is analysed with 3 iterations or more. Decoupling then takes account
        of which components are pure.
        """
        place = _grid_of(grid, mask)
        spin = degree("spin", spin)
        lmax = default_lmax(place) if lmax is None else degree("lmax", lmax)
        if spin > lmax:
            raise ValueError(f"spin = {spin}: must be 0 .. lmax = {lmax}")
        if not isinstance(iterations, str):
            iterations = whole("iterations", iterations)
        for name, wish in (("purify_e", purify_e), ("purify_b", purify_b)):
            if wish and spin != 2:
                raise ValueError(f"{name} = {wish}: is for fields of spin 2; spin = {spin}")
        held = max(largest_mask_degree(place), 0) if lmask is None else degree("lmask", lmask)
        lmask = min(2 * lmax, held)
        kept = _checked_mask(mask, place)
        if isinstance(pixwin, (bool, np.bool_)):
            pixwin = _pixel_window(place, spin, lmax) if pixwin else None
        window = product_of_windows(checked_window("beam", beam, lmax),
                                    checked_window("pixwin", pixwin, lmax))
        kinds = None if templates is None else _templates_of(templates, kept, place,
                                                             2 if spin else 1)
        mask_alm = _analyse(kept[np.newaxis], place, lmask, 0, iterations, nthreads)
        own = _Analysed(place, spin, lmax, lmask, np.empty(0), mask_alm, kept, window, iterations,
                        None, kinds)
        if purify_e or purify_b:
            own = own._replace(pure=_pure(kept, own, max(held, 2), bool(purify_e), bool(purify_b),
                                          nthreads))
        return cls._of(own).with_map(map, nthreads=nthreads)

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
        %(nthreads)s

        Returns
        -------
        Field
            The field. It has no `grid` and no `mask`, and its spectra no `Spectrum.knox_errors`.

        Raises
        ------
        ValueError
            If there are no points; if a weight is negative, or all are 0; if a value is not finite
            where the weight is not 0; if a shape or a number is wrong.
        %(TypeError)s

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
        points = checked_catalogue(loc, values, weights, 2 if spin else 1, bool(subtract_noise))
        return cls._of_points(points, lmax, lmask, spin, beam, epsilon, nthreads)

    @classmethod
    def from_positions(cls, loc: ArrayLike, randoms: ArrayLike, lmax: int, *,
                       weights: Optional[ArrayLike] = None,
                       random_weights: Optional[ArrayLike] = None, lmask: Optional[int] = None,
                       beam: Optional[ArrayLike] = None, subtract_noise: bool = True,
                       epsilon: float = 1e-7, nthreads: int = 0) -> "Field":
        """Analyse the overdensity of points, without pixels: how objects cluster.

        Parameters
        ----------
        loc : array_like, shape (npoints, 2)
            Colatitudes and longitudes of the objects in radians.
        randoms : array_like, shape (nrandoms, 2)
            Random points, many more than objects, as dense as objects would be if they did not
            cluster: what is seen, which is the mask.
        lmax : int
            Largest degree of the spectra.
        weights : array_like, shape (npoints,), optional
            Weights of the objects, 0 or more. By default they are 1.
        random_weights : array_like, shape (nrandoms,), optional
            Weights of the random points, 0 or more. By default they are 1. Their sum is brought to
            that of `weights`.
        lmask : int, optional
            As in `from_catalogue`.
        beam : array_like, shape (n,), optional
            As in `from_catalogue`.
        subtract_noise : bool, optional
            Whether to leave pairs of a point with itself out of spectra, so that objects without
            clusters have no power in the mean, rather than that of their number.
        epsilon : float, optional
            As in `from_catalogue`.
        %(nthreads)s

        Returns
        -------
        Field
            The field, of spin 0: the objects less the random points.

        Raises
        ------
        ValueError
            If there are no points of one kind; if a weight is negative, or all are 0; if a shape
            or a number is wrong.
        %(TypeError)s

        Examples
        --------
        >>> import numpy as np
        >>> from armilla import pseudo_cl
        >>> rng = np.random.default_rng(1)
        >>> sky = np.column_stack([np.arccos(rng.uniform(0, 1, 3000)), rng.uniform(0, 6.28, 3000)])
        >>> field = pseudo_cl.Field.from_positions(sky[:500], sky[500:], 40)
        >>> pseudo_cl.Coupling(field, bands=10).decouple()["TT"].shape
        (3,)
        """
        lmax = degree("lmax", lmax)
        points = checked_positions(loc, randoms, weights, random_weights, bool(subtract_noise))
        return cls._of_points(points, lmax, lmask, 0, beam, epsilon, nthreads)

    @classmethod
    def _of_points(cls, points: Catalogue, lmax: int, lmask: Optional[int], spin: int,
                   beam: Optional[ArrayLike], epsilon: float, nthreads: int) -> "Field":
        lmask = 2 * lmax if lmask is None else min(2 * lmax, degree("lmask", lmask))
        epsilon = real("epsilon", epsilon)
        return cls._of(_Analysed(
            None, spin, lmax, lmask, catalogue_alm(points.field, lmax, spin, epsilon, nthreads),
            catalogue_alm(points.mask, lmask, 0, epsilon, nthreads), None,
            checked_window("beam", beam, lmax), 0, points, None))

    @classmethod
    def _of(cls, analysed: _Analysed) -> "Field":
        self = object.__new__(cls)
        self._is = analysed
        return self

    def with_map(self, map: ArrayLike, *, nthreads: int = 0) -> "Field":
        """Analyse another map with the same mask, spin, windows, purification and templates.

        Parameters
        ----------
        map : array_like, shape (npix,), or (2, npix) where `spin` is not 0
            As in `from_map`.
        %(nthreads)s

        Returns
        -------
        Field
            The field.

        Raises
        ------
        ValueError
            As in `from_map`.
        %(TypeError)s
        """
        own = self._is
        if own.grid is None or own.mask is None:
            raise ValueError("with_map: this Field is of a catalogue; make another one")
        values = _masked_map(map, own.mask, own.grid, 2 if own.spin else 1)
        if own.templates is not None:
            values = cleaned(values, own.templates, quadrature(own.grid))
        return self._of(own._replace(alm=_coefficients(own, own.grid, values, nthreads)))

    def noise_spectrum(self, sigma: ArrayLike) -> np.ndarray:
        """Compute what noise without correlations adds to the pseudo-spectra of this field.

        Parameters
        ----------
        sigma : float or array_like, shape (npix,)
            Standard deviation of the noise in each pixel, the same for both components of a spin.

        Returns
        -------
        ndarray, shape (ncl, lmax + 1)
            The mean, for `Coupling.decouple`, of the field with itself. Projection of templates is
            counted.

        Raises
        ------
        ValueError
            If the field is of a catalogue, whose noise is subtracted exactly, or purified; if a
            number is negative or not finite where the mask is not 0, or the shape is wrong.

        Notes
        -----
        The mean is exact for plain quadrature, ``iterations=0``.

        Examples
        --------
        >>> import numpy as np
        >>> from armilla import pseudo_cl
        >>> noise = 0.1 * np.random.default_rng(1).standard_normal(12 * 32**2)
        >>> field = pseudo_cl.Field.from_map(noise, np.arange(noise.size) > 3000)
        >>> result = pseudo_cl.Coupling(field, bands=10).decouple(field.noise_spectrum(0.1))
        >>> bool((abs(result.powers) < 4 * result.knox_errors()).all())
        True
        """
        own = self._is
        if own.grid is None or own.mask is None:
            raise ValueError("noise_spectrum: this Field is of a catalogue, whose noise is "
                             "subtracted already")
        if own.pure is not None:
            raise ValueError("noise_spectrum: purification gives noise a spectrum of its own; take "
                             "the mean over simulations")
        given = np.asarray(reals(plain(sigma, "sigma"), "sigma"))
        if given.ndim:
            given = _lines(given, own.grid, 1, "sigma")[0]
        deviation = np.where(own.mask > 0, given, 0.0)
        wrong = ~(np.isfinite(deviation) & (deviation >= 0))
        if wrong.any():
            first = int(np.argmax(wrong))
            raise ValueError(f"sigma: of pixel {first} it is {deviation[first]:g}: must be finite, "
                             "and 0 or more")
        return white_noise(_projected(self), own.lmax, deviation ** 2, quadrature(own.grid))

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
    def purified(self) -> Tuple[str, ...]:
        """Names of the components that are pure."""
        pure = self._is.pure
        return () if pure is None else tuple(
            name for name, is_pure in (("E", pure.e), ("B", pure.b)) if is_pure)

    @property
    def alm(self) -> np.ndarray:
        """Coefficients of the map times the mask, (1 or 2, size), in the order of healpy.

        Those of the components in `purified` are pure.
        """
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
        place = f"on {self.grid!r}" if points is None else f"at {len(points.mask.loc)} points"
        pure = f", pure {' and '.join(self.purified)}" if self.purified else ""
        return (f"<armilla.pseudo_cl.Field spin {self.spin}{pure}, lmax {self.lmax}, lmask "
                f"{self.lmask}, {place}>")


def _rebuild(*parts: Any) -> Field:
    own = _Analysed(*parts)
    points = (*own.catalogue.field, *own.catalogue.mask) if own.catalogue else ()
    for part in (*own, *points, *(own.templates or ()), *(own.pure or ())):
        if isinstance(part, np.ndarray):
            part.flags.writeable = False
    return Field._of(own)


# --- Of two fields --------------------------------------------------------------------------------


def cross_spectra(one: Field, two: Field) -> np.ndarray:
    """(ncl, lmax + 1): of each component of the first with each of the second, without pairs of a
    point of a catalogue with itself."""
    made = spectra(one.alm, two.alm)
    noise = field_noise(one._is.catalogue, two._is.catalogue, len(made))
    made[:, max(one.spin, two.spin):] -= noise[:, np.newaxis]
    return made


def mask_spectrum(one: Field, two: Field) -> np.ndarray:
    """(lmask + 1,): of both masks, up to the degree that both have, in the same way."""
    lmask = min(one.lmask, two.lmask)
    first, second = (Layout(field.lmask).convert(field.mask_alm, Layout(lmask))
                     for field in (one, two))
    return compute(first, second) - mask_noise(one._is.catalogue, two._is.catalogue)


def _projected(field: Field) -> Projected:
    """A field of a map with its transforms, without beams."""
    own = field._is
    assert own.grid is not None and own.mask is not None
    grid, plan = own.grid, plan_of(own.grid, own.lmax, None, own.spin, False)

    def analysis(values: np.ndarray) -> np.ndarray:
        return _coefficients(own, grid, values, 0)

    def functional(values: np.ndarray) -> np.ndarray:
        return _analyse(values, grid, own.lmax, own.spin, 0, 0)

    def synthesis(alm: np.ndarray) -> np.ndarray:
        return plan.synthesis(alm if own.spin else alm[0]).reshape(len(alm), -1)

    return Projected(own.mask, own.templates, analysis, functional, synthesis, own.spin)


def projection_bias(one: Field, two: Field, cl: np.ndarray) -> np.ndarray:
    """(ncl, lmax + 1): what templates add to pseudo-spectra of fields of maps."""
    given = cl.reshape(len(one.components), len(two.components), -1)
    return bias(_projected(one), _projected(two), given)


def mask_moments(one: Field, two: Field) -> Optional[Tuple[float, float]]:
    """Means over the sphere of w1 w2 and of its square; None for masks on different grids, and of
    catalogues."""
    if one.grid is None or one.grid != two.grid or one.mask is None or two.mask is None:
        return None
    product, weights = one.mask * two.mask, quadrature(one.grid) / (4 * math.pi)
    return float(weights @ product), float(weights @ (product * product))
