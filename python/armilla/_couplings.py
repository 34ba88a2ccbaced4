"""The coupling of two masked fields: pseudo-spectra, decoupled band powers, theory, gradients."""
from __future__ import annotations

import math
import warnings
from typing import Any, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import plain, reals
from ._band_powers import Estimates, Spectrum
from ._bands import Bands, chosen_bands
from ._covariance import Spectra, Wanted, covariance_blocks
from ._errors import degree, shown, threads
from ._exactness import level_of_caller
from ._masked import (Field, checked_window, cross_spectra, mask_moments, mask_spectrum,
                      product_of_windows, projection_bias)
from ._mixing import Mixing, Recipe, finite_spectra
from ._native import lib
from ._progress import Progress
from ._pure_mixing import mixing_of

_MOST = 1e10  # the condition above which powers have few digits: armilla/coupling.h


class _Power:
    """What quick estimates need of two fields: their own spectra, which are made once, when they
    are needed, and means of the masks."""

    def __init__(self, one: Field, two: Field) -> None:
        self._one, self._two = one, two
        self._product: Optional[np.ndarray] = None
        moments = mask_moments(one, two)
        if moments is not None and not moments[0] > 0:
            raise ValueError("field2: its mask has no pixel in common with that of field1")
        self.mean = None if moments is None else moments[0]
        self.fsky = None if moments is None else moments[0] ** 2 / moments[1]

    def _auto(self, field: Field, bands: Bands) -> np.ndarray:
        """(ncomp, nbands): plain powers of the components, with their noise."""
        moments = mask_moments(field, field)
        assert moments is not None
        step = len(field.components) + 1
        window = product_of_windows(field.window, field.window)
        return bands.average(_without(cross_spectra(field, field)[::step], window) / moments[0])

    def full_sky_errors(self, bands: Bands, cross: np.ndarray) -> np.ndarray:
        """(ncl, nbands). bands: those of the coupling; cross: plain powers with their noise."""
        if self._product is None:
            first = self._auto(self._one, bands)
            second = first if self._two is self._one else self._auto(self._two, bands)
            self._product = (first[:, np.newaxis] * second).reshape(cross.shape)
        l = np.arange(bands.lmax + 1.0)
        modes = (bands._shares(bands.lmax) ** 2 / (2 * l + 1)).sum(axis=-1)
        return np.sqrt((self._product + cross ** 2) * modes)


def _without(spectra: np.ndarray, window: Optional[np.ndarray]) -> np.ndarray:
    """Divided by a window, which is 0 below the spin, as the spectra are."""
    if window is None:
        return spectra
    return np.divide(spectra, window, out=np.zeros_like(spectra),
                     where=np.broadcast_to(window != 0, spectra.shape))


def _pure(field: Field) -> Tuple[bool, ...]:
    """Which components are."""
    return tuple(name in field.purified for name in field.components)


def _pair(spins: Any) -> Tuple[int, int]:
    try:
        first, second = spins
    except (TypeError, ValueError):
        raise TypeError(f"spins = {shown(spins)}: must be a pair of integers") from None
    return degree("spins[0]", first), degree("spins[1]", second)


class Coupling:
    """What the masks of two fields do to their spectra, and spectra without it.

    Objects are immutable, and any number of threads may use one at once. No matrix over degrees is
    made, except by `full_matrix`: a product costs lmax^2 operations, and so does the window of each
    band.

    Parameters
    ----------
    field1 : Field
        The first field.
    field2 : Field, optional
        The second one, with the same lmax. By default it is the first: an auto spectrum.
    bands : Bands or int, optional
        Bands of degrees; a number is the width in ``Bands.linear(lmax, width)``.
    %(nthreads.same_results)s
    progress : bool or callable, optional
        As in `SHT.analysis`, for each call that takes long. Windows of the bands are made when they
        are first needed.

    Raises
    ------
    ValueError
        If the fields differ in lmax, or a band ends beyond it.
    %(TypeError)s

    See Also
    --------
    armilla.pseudo_cl.spectrum : From a map and a mask to its spectrum in one call.

    Notes
    -----
    With W_L the spectrum of the masks, b_l the product of the windows of both fields' beams and
    pixels, and d^l the Wigner functions of their spins, the mean of the pseudo-spectra is::

        C~_l = sum over l' of M_ll' b_l' C_l',   M_ll' = (2 l' + 1) / 2 integral of xi_w d^l d^l' dx
        xi_w = sum over L of (2 L + 1) / (4 pi) W_L P_L

    Spectra are (ncl, lmax + 1) with the components that `components` names; of two scalars (lmax +
    1,) is taken as well. A mask mixes EE with BB, and EB with BE. Decoupled band powers are those
    of a spectrum whose factor_l C_l is constant in each band; what other spectra give is `theory`.

    Spectra of a pure component (`Field.from_map`) have no part of the other one. Its M is that of a
    scalar, times sqrt((l' + 2)! (l - 2)! / ((l' - 2)! (l + 2)!)) for each pure component of the
    pair: large degrees l' add much to small ones.

    References
    ----------
    Hivon et al. 2002, ApJ 567, 2; Alonso, Sanchez & Slosar 2019, MNRAS 484, 4127.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> from armilla import pseudo_cl
    >>> l = np.arange(33.0)
    >>> sky = armilla.SHT(armilla.Grid.healpix(16), 32).synthesis(
    ...     armilla.alm.random(32, 1 / (l + 10), seed=1))
    >>> mask = np.ones(sky.size)
    >>> mask[1400:1700] = 0
    >>> field = pseudo_cl.Field.from_map(sky, mask)
    >>> coupling = pseudo_cl.Coupling(field, bands=6)
    >>> result, expected = coupling.decouple(), coupling.theory(1 / (l + 10))
    >>> bool((abs(result["TT"] - expected) < 5 * result.knox_errors()).all())
    True
    """

    __slots__ = ("_mixing", "_fields", "_pseudo", "_power", "__weakref__")
    _mixing: Mixing
    _fields: Optional[Tuple[Field, Field]]
    _pseudo: Optional[np.ndarray]
    _power: Optional[_Power]

    def __init__(self, field1: Field, field2: Optional[Field] = None,
                 bands: Union[Bands, int] = 50, *, nthreads: int = 0, progress: Progress = None
                 ) -> None:
        for name, field in (("field1", field1), ("field2", field2)):
            if not isinstance(field, Field) and (field is not None or name == "field1"):
                raise TypeError(f"{name}: must be a Field, not {type(field).__name__}")
        if field2 is None:
            field2 = field1
        if field1.lmax != field2.lmax:
            raise ValueError(f"field2: has lmax = {field2.lmax}, field1 has {field1.lmax}")
        of_maps = field1.grid is not None and field2.grid is not None
        self._power = _Power(field1, field2) if of_maps else None
        self._mixing = mixing_of(Recipe(
            field1.lmax, mask_spectrum(field1, field2), (field1.spin, field2.spin),
            chosen_bands(bands, field1.lmax), product_of_windows(field1.window, field2.window),
            threads(nthreads), progress, (_pure(field1), _pure(field2))))
        self._fields = field1, field2
        self._pseudo = cross_spectra(field1, field2)
        self._pseudo.flags.writeable = False

    @classmethod
    def from_masks(cls, mask_cl: ArrayLike, lmax: int, bands: Union[Bands, int] = 50,
                   spins: Tuple[int, int] = (0, 0), *, window: Optional[ArrayLike] = None,
                   nthreads: int = 0, progress: Progress = None) -> "Coupling":
        """Make the coupling of a spectrum of masks, without maps.

        Parameters
        ----------
        mask_cl : array_like, shape (lmask + 1,)
            Spectrum of the mask, or cross spectrum of two masks. Degrees above 2 `lmax` play no
            part.
        lmax : int
            Largest degree of the spectra of the fields.
        bands : Bands or int, optional
            As in `Coupling`.
        spins : (int, int), optional
            Spins of the fields.
        window : array_like, shape (n,), optional
            Product of the windows of beams and pixels of both fields, n > `lmax`.
        nthreads : int, optional
            As in `Coupling`.
        progress : bool or callable, optional
            As in `Coupling`.

        Returns
        -------
        Coupling
            One without `pseudo`: `decouple` must be given it.

        Raises
        ------
        ValueError
            If a number is out of range or not finite.
        %(TypeError)s

        Examples
        --------
        >>> import numpy as np
        >>> from armilla import pseudo_cl
        >>> everywhere = pseudo_cl.Coupling.from_masks([4 * np.pi], 20, bands=5)
        >>> bool(np.allclose(everywhere.couple(np.arange(21.0)), np.arange(21.0)))
        True
        """
        lmax = degree("lmax", lmax)
        given = np.array(reals(plain(mask_cl, "mask_cl"), "mask_cl"))
        if given.ndim != 1 or not given.size:
            raise ValueError(f"mask_cl: has shape {given.shape}, must have (lmask + 1,)")
        if not np.isfinite(given).all():
            raise ValueError("mask_cl: must be finite")
        self = object.__new__(cls)
        self._mixing = mixing_of(Recipe(
            lmax, given, _pair(spins), chosen_bands(bands, lmax),
            checked_window("window", window, lmax), threads(nthreads), progress))
        self._fields = self._pseudo = self._power = None
        return self

    @property
    def fields(self) -> Tuple[Field, Field]:
        """Both fields."""
        if self._fields is None:
            raise AttributeError("fields: this Coupling was made from masks only")
        return self._fields

    @property
    def bands(self) -> Bands:
        """The bands."""
        return self._mixing.recipe.bands

    @property
    def lmax(self) -> int:
        """Largest degree of the spectra."""
        return self._mixing.recipe.lmax

    @property
    def spins(self) -> Tuple[int, int]:
        """Spins of the fields."""
        return self._mixing.recipe.spins

    @property
    def components(self) -> Tuple[str, ...]:
        """Names of the spectra: ("TT",), ("TE", "TB"), ("ET", "BT"), ("EE", "EB", "BE", "BB")."""
        return self._mixing.names

    @property
    def mask_cl(self) -> np.ndarray:
        """Spectrum of the masks, (lmask + 1,)."""
        return self._mixing.recipe.mask_cl.copy()

    @property
    def pseudo(self) -> np.ndarray:
        """Spectra of the masked fields, (ncl, lmax + 1): coupled, with their noise."""
        if self._pseudo is None:
            raise AttributeError("pseudo: this Coupling was made from masks only")
        return self._pseudo

    @property
    def windows(self) -> np.ndarray:
        """Windows of the decoupled band powers, (ncl, nbands, ncl, lmax + 1).

        They say of which C_l of which component each power is made. Each use makes a new array;
        `theory` needs less memory.
        """
        return self._mixing.all_windows()

    @property
    def matrix(self) -> np.ndarray:
        """Mixing of the bands, (nkinds, nbands, nbands).

        It takes powers that are constant in each band to the means of pseudo-spectra in bands.
        There is one kind, or M+ and M- of two spins: EE~ = M+ EE + M- BB, EB~ = M+ EB - M- BE. Of
        fields with pure components it is (ncl, nbands, ncl, nbands).
        """
        return self._mixing.matrix()

    def decouple(self, noise: Optional[ArrayLike] = None, *, pseudo: Optional[ArrayLike] = None
                 ) -> Spectrum:
        """Solve for the band powers of the fields without their masks.

        Parameters
        ----------
        noise : array_like, shape (ncl, lmax + 1), optional
            Mean of the pseudo-spectra of the noise, which is subtracted first: of simulations, or
            of white noise.
        pseudo : array_like, shape (ncl, lmax + 1), optional
            Other pseudo-spectra, such as those of a simulation with the same masks (`pseudo`). By
            default they are those of the fields.

        Returns
        -------
        Spectrum
            The band powers.

        Raises
        ------
        ValueError
            If the matrix of the bands is singular: the message names the band; or a shape is wrong.

        Warns
        -----
        RuntimeWarning
            If the matrix is nearly singular, with a condition above 1e10.
        """
        if pseudo is None and self._pseudo is None:
            raise ValueError("pseudo: is needed, since this Coupling was made from masks only")
        given = self._checked("pseudo", self._pseudo if pseudo is None else pseudo)
        signal = given if noise is None else given - self._checked("noise", noise)
        powers, condition = self._mixing.decouple(signal)
        if condition > _MOST:
            warnings.warn(f"the matrix of the bands has the condition {condition:.1e}: powers have "
                          "few digits; take wider bands, or fewer", RuntimeWarning,
                          stacklevel=level_of_caller())
        return Spectrum._of(self._mixing, powers, condition, self._estimates(given, signal))

    def covariance(self, cl: Optional[Spectra] = None, other: Optional["Coupling"] = None, *,
                   noise: Optional[Spectra] = None) -> np.ndarray:
        """Compute the Gaussian covariance of the decoupled band powers.

        Parameters
        ----------
        cl : array_like or dict, optional
            Spectra that the maps have in the mean, without beams, (ncl, lmax + 1), as in `theory`:
            of the field, where all fields here are one, or a dict of those of pairs of fields,
            ``{(field1, field2): ...}``. Each field with each, where the first is one of this
            coupling and the second one of `other`; a pair counts both ways round. By default they
            are measured: the spectra of the maps, signal and noise, as running means over degrees.
        other : Coupling, optional
            Covariance with the powers of another coupling, which has the same lmax, bands and grid.
            By default it is this one.
        noise : array_like or dict, optional
            Mean pseudo-spectra of the noise, as in `decouple`, in the form of `cl`, to which they
            are added. Pairs of fields that a dict does not have share no noise.

        Returns
        -------
        ndarray, shape (ncl, nbands, ncl of other, nbands)
            Covariance of each power of this coupling with each of the other one.

        Raises
        ------
        ValueError
            If a field is of a catalogue, or this coupling was made from masks only; if grids, bands
            or lmax differ; if spectra of a pair are missing, not finite, or have a wrong shape.
        %(TypeError)s
        %(Cancelled)s

        See Also
        --------
        armilla.pseudo_cl.covariance : All blocks of many couplings, which share their work.
        Spectrum.with_covariance : Error bars from it.

        Notes
        -----
        With a and b the fields here, c and d those of the other coupling, w their masks and Xi the
        symmetric coupling M_ll' / (2 l' + 1) of the cross spectrum of two products of masks::

            cov(C~ab_l, C~cd_l') = C^ac C^bd Xi[w_a w_c, w_b w_d] + C^ad C^bc Xi[w_a w_d, w_b w_c]

        where C C' is the mean of C_l C'_l' and C'_l C_l'. Fields of spins have Xi of their spins,
        and E and B mix; a field paired with one of a smaller spin counts as one of that, and a pure
        component as a scalar. This is
        the narrow-kernel approximation, into which mean pseudo-spectra are put, divided by the mean
        of the product of both masks: `couple` of `cl`, which brings in the windows of beams and
        pixels, and `noise`. It is good to a few percent in bands that are wider than what the mask
        mixes, and poor in the first band. Then both sides are decoupled, as powers are.

        References
        ----------
        Efstathiou 2004, MNRAS 349, 603; Garcia-Garcia, Alonso & Bellini 2019, JCAP 11, 043; Nicola
        et al. 2021, JCAP 03, 067.

        Examples
        --------
        >>> import numpy as np
        >>> from armilla import pseudo_cl
        >>> sky = np.random.default_rng(1).standard_normal(768)
        >>> coupling = pseudo_cl.Coupling(pseudo_cl.Field.from_map(sky, sky > -9), bands=5)
        >>> coupling.covariance(np.full(17, 4 * np.pi / 768)).shape
        (1, 3, 1, 3)
        """
        if not isinstance(other, Coupling) and other is not None:
            raise TypeError(f"other: must be a Coupling, not {type(other).__name__}")
        couplings = [self] if other is None or other is self else [self, other]
        recipe = self._mixing.recipe
        return covariance_blocks(Wanted(
            couplings, ["this Coupling", "other"], [(0, len(couplings) - 1)], cl, noise,
            recipe.nthreads, recipe.progress))[0]

    def _checked(self, name: str, values: Any) -> np.ndarray:
        """Finite spectra (ncl, lmax + 1)."""
        return finite_spectra(name, values, self.components, self.lmax)

    def _estimates(self, given: np.ndarray, signal: np.ndarray) -> Estimates:
        recipe, power = self._mixing.recipe, self._power
        mean = None if power is None else power.mean
        if mean is None:  # on other grids, or without maps
            degrees = 2 * np.arange(recipe.mask_cl.size) + 1
            mean = float(recipe.mask_cl @ degrees) / (4 * math.pi) or math.nan

        def plain_powers(spectra: np.ndarray) -> np.ndarray:
            return self.bands.average(_without(spectra, recipe.window)) / mean

        made = plain_powers(signal)
        made.flags.writeable = False
        if power is None:
            return Estimates(made, None, None)
        errors = power.full_sky_errors(self.bands, plain_powers(given))
        return Estimates(made, errors, power.fsky)

    def deprojection_bias(self, cl: ArrayLike) -> np.ndarray:
        """Compute what projecting templates out of the fields adds to their pseudo-spectra.

        The projection takes some of the fields with it, mostly from low degrees.

        Parameters
        ----------
        cl : array_like, shape (ncl, lmax + 1)
            Spectra of what the maps hold besides the templates: with beams, pixel windows and, of
            an auto spectrum, noise. A guess is enough, such as `Spectrum.plain` of the first round.

        Returns
        -------
        ndarray, shape (ncl, lmax + 1)
            The mean, which `decouple` subtracts if it is given it as noise; 0 without templates.
            Where the noise has a spectrum of its own, `Field.noise_spectrum` counts the projection,
            and `cl` is without noise.

        Raises
        ------
        ValueError
            If the fields are not of maps, or a shape is wrong.

        Examples
        --------
        >>> import numpy as np
        >>> from armilla import pseudo_cl
        >>> rng = np.random.default_rng(1)
        >>> sky, dust = rng.standard_normal((2, 768))
        >>> field = pseudo_cl.Field.from_map(sky + 5 * dust, np.ones(768), templates=[dust])
        >>> coupling = pseudo_cl.Coupling(field, bands=5)
        >>> flat = np.full(field.lmax + 1, 4 * np.pi / 768)
        >>> bool((coupling.deprojection_bias(flat) < 0).all())
        True
        """
        if self._fields is None or self._power is None:
            raise ValueError("deprojection_bias: needs the maps of both fields")
        return projection_bias(*self._fields, self._checked("cl", cl))

    def theory(self, cl: ArrayLike) -> np.ndarray:
        """Compute the band powers that spectra give in the mean.

        Parameters
        ----------
        cl : array_like, shape (..., ncl, lmax + 1)
            Spectra of the fields, without beams; (..., lmax + 1) of two scalars.

        Returns
        -------
        ndarray, shape (..., ncl, nbands)
            The windows times the spectra; (..., nbands) of two scalars.

        Raises
        ------
        ValueError
            If a shape is wrong, or the matrix of the bands is singular.
        """
        return self._mixing.theory(cl)

    def couple(self, cl: ArrayLike) -> np.ndarray:
        """Compute the pseudo-spectra that spectra give in the mean: C~ of the Notes.

        Parameters
        ----------
        cl : array_like, shape (..., ncl, lmax + 1)
            Spectra of the fields, without beams; (..., lmax + 1) of two scalars.

        Returns
        -------
        ndarray, shape of `cl`
            Pseudo-spectra. Degrees below the larger spin are 0.

        %(Raises.finite+cancelled)s
        """
        return self._mixing.operate(lib.armilla_coupling_apply, "cl", cl)

    def couple_adjoint(self, coupled: ArrayLike) -> np.ndarray:
        """Apply the adjoint of `couple`: gradients with respect to spectra.

        Parameters
        ----------
        coupled : array_like, shape (..., ncl, lmax + 1)
            Gradient with respect to the pseudo-spectra; (..., lmax + 1) of two scalars.

        Returns
        -------
        ndarray, shape of `coupled`
            Gradient with respect to `cl`.

        %(Raises.finite+cancelled)s
        """
        return self._mixing.operate(lib.armilla_coupling_adjoint, "coupled", coupled)

    def mask_adjoint(self, cl: ArrayLike, g: ArrayLike) -> np.ndarray:
        """Compute the gradient of sum(g * couple(cl)) with respect to the spectrum of the masks.

        Parameters
        ----------
        cl : array_like, shape (..., ncl, lmax + 1)
            Spectra of the fields; (..., lmax + 1) of two scalars.
        g : array_like, shape of `cl`
            Gradient with respect to the pseudo-spectra.

        Returns
        -------
        ndarray, shape (lmask + 1,)
            Gradient with respect to `mask_cl`; 0 above 2 lmax.

        %(Raises.finite+cancelled)s
        """
        return self._mixing.mask_adjoint(cl, g)

    def full_matrix(self) -> np.ndarray:
        """Compute the whole matrix over degrees, which nothing here needs: M_ll' b_l' of the Notes.

        It has lmax^2 numbers and takes lmax^3 operations, anew in each call.

        Returns
        -------
        ndarray, shape (nkinds, lmax + 1, lmax + 1)
            One kind, or M+ and M- of two spins as in `matrix`; (ncl, lmax + 1, ncl, lmax + 1) of
            fields with pure components; float64.

        Raises
        ------
        %(MemoryError)s
        %(Cancelled)s
        """
        return self._mixing.full_matrix()

    def __reduce__(self) -> Tuple[Any, ...]:
        recipe = self._mixing.recipe._replace(progress=None)
        return _rebuild, (tuple(recipe), self._fields)

    def __repr__(self) -> str:
        return (f"<armilla.pseudo_cl.Coupling of {', '.join(self.components)}, lmax {self.lmax}, "
                f"in {self.bands!r}>")


def _rebuild(recipe: Tuple[Any, ...], fields: Optional[Tuple[Field, Field]]) -> Coupling:
    made = Recipe(*recipe)
    if fields is not None:
        return Coupling(*fields, made.bands, nthreads=made.nthreads)
    return Coupling.from_masks(made.mask_cl, made.lmax, made.bands, made.spins,
                               window=made.window, nthreads=made.nthreads)
