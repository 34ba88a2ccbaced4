"""Band powers of masked fields: a result with its windows, plain estimates and error bars."""
from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import plain, reals
from ._bands import Bands
from ._errors import INSTALL, real, shown
from ._mixing import Mixing, Recipe
from ._pure_mixing import mixing_of


class Estimates(NamedTuple):
    """Quick estimates next to the decoupled powers. full_sky_errors: those of knox_errors for fsky
    1; None without fields."""

    plain: np.ndarray
    full_sky_errors: Optional[np.ndarray]
    fsky: Optional[float]


def knox(full_sky_errors: Optional[np.ndarray], own: Optional[float], fsky: Optional[float]
         ) -> np.ndarray:
    """Error bars for a sky fraction, by default the fields' own."""
    if full_sky_errors is None:
        raise ValueError("knox_errors: needs the maps of both fields; this Coupling was made from "
                         "masks only, or of a catalogue")
    if fsky is None:
        if own is None:
            raise ValueError("fsky: is needed, since the masks are on different grids")
        fsky = own
    fsky = real("fsky", fsky)
    if not 0 < fsky <= 1:
        raise ValueError(f"fsky = {fsky:g}: must be above 0, and at most 1")
    return full_sky_errors / np.sqrt(fsky)


class Spectrum:
    """Band powers of one field or two, without their masks.

    `Coupling.decouple` and `spectrum` make these results. They are immutable.

    See Also
    --------
    armilla.pseudo_cl.Coupling : Where they come from.

    Notes
    -----
    Shapes: ncl spectra, TT of two scalars; TE and TB of a scalar and a spin, ET and BT the other
    way round; EE, EB, BE and BB of two spins. A result is indexed by these names.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> from armilla import pseudo_cl
    >>> sky = np.random.default_rng(1).standard_normal(12 * 32**2)
    >>> result = pseudo_cl.spectrum(sky, np.arange(sky.size) > 3000, bands=10)
    >>> result.components, result.powers.shape, result.centres[:2]
    (('TT',), (1, 6), array([ 6.5, 16.5]))
    >>> bool(np.allclose(result["TT"], 4 * np.pi / sky.size, atol=5 * result.knox_errors().max()))
    True
    """

    __slots__ = ("_mixing", "_powers", "_condition", "_estimates", "_covariance")
    _mixing: Mixing
    _powers: np.ndarray
    _condition: float
    _estimates: Estimates
    _covariance: Optional[np.ndarray]

    def __init__(self) -> None:
        raise TypeError("use Coupling.decouple, or spectrum")

    @classmethod
    def _of(cls, mixing: Mixing, powers: np.ndarray, condition: float, estimates: Estimates
            ) -> "Spectrum":
        self = object.__new__(cls)
        powers.flags.writeable = False
        self._mixing, self._powers = mixing, powers
        self._condition, self._estimates = condition, estimates
        self._covariance = None
        return self

    def with_covariance(self, covariance: ArrayLike) -> "Spectrum":
        """Attach a covariance, from which `errors`, `plot` and `to_xarray` take error bars.

        Parameters
        ----------
        covariance : array_like, shape (ncl, nbands, ncl, nbands)
            Covariance of the powers: `Coupling.covariance`, or that of simulations.

        Returns
        -------
        Spectrum
            The powers with it.

        Raises
        ------
        ValueError
            If the shape is wrong, a number is not finite, or a variance is negative.
        TypeError
            If the covariance is not real.

        Examples
        --------
        >>> import numpy as np
        >>> from armilla import pseudo_cl
        >>> sky = np.random.default_rng(1).standard_normal(12 * 32**2)
        >>> field = pseudo_cl.Field.from_map(sky, np.arange(sky.size) > 3000)
        >>> coupling = pseudo_cl.Coupling(field, bands=10)
        >>> result = coupling.decouple().with_covariance(coupling.covariance())
        >>> bool(np.allclose(result.errors(), result.knox_errors(), rtol=0.2))
        True
        """
        given = np.array(reals(plain(covariance, "covariance"), "covariance"))
        shape = 2 * self._powers.shape
        if given.shape != shape:
            raise ValueError(f"covariance: has shape {given.shape}, must have {shape}")
        if not np.isfinite(given).all():
            raise ValueError("covariance: must be finite")
        variances = np.einsum("ibib->ib", given)
        if (variances < 0).any():
            i, band = np.argwhere(variances < 0)[0].tolist()
            raise ValueError(f"covariance: the variance of {self.components[i]} in band {band} is "
                             f"{variances[i, band]:.3g}; take wider bands")
        given.flags.writeable = False
        made = Spectrum._of(self._mixing, self._powers, self._condition, self._estimates)
        made._covariance = given
        return made

    @property
    def components(self) -> Tuple[str, ...]:
        """Names of the spectra: see the Notes."""
        return self._mixing.names

    @property
    def bands(self) -> Bands:
        """The bands."""
        return self._mixing.recipe.bands

    @property
    def centres(self) -> np.ndarray:
        """Mean degree of each band, (nbands,)."""
        return self.bands.centres

    @property
    def powers(self) -> np.ndarray:
        """Band powers, (ncl, nbands), in the product of the maps' units."""
        return self._powers

    @property
    def condition(self) -> float:
        """Condition number of the matrix of the bands; above 1e10 powers have few digits."""
        return self._condition

    @property
    def windows(self) -> np.ndarray:
        """Windows of the band powers, (ncl, nbands, ncl, lmax + 1).

        They say of which C_l of which component each power is made. Each use makes a new array.
        """
        return self._mixing.all_windows()

    @property
    def fsky(self) -> Optional[float]:
        """Sky fraction of `knox_errors`; None where the masks are on different grids."""
        return self._estimates.fsky

    @property
    def covariance(self) -> Optional[np.ndarray]:
        """Covariance of the powers, (ncl, nbands, ncl, nbands); None unless attached."""
        return self._covariance

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self._powers[self.components.index(name)]
        except ValueError:
            raise KeyError(f"{shown(name)}: must be one of {', '.join(self.components)}") from None

    def plain(self) -> np.ndarray:
        """Estimate the powers without decoupling.

        The pseudo-spectra, without their noise, are divided by the mean of the product of the masks
        and by the windows of beams and pixels. That is good for smooth spectra and wide masks, and
        mixes E and B.

        Returns
        -------
        ndarray, shape (ncl, nbands)
            Band powers.
        """
        return self._estimates.plain.copy()

    def knox_errors(self, fsky: Optional[float] = None) -> np.ndarray:
        """Estimate error bars from the sky fraction.

        Parameters
        ----------
        fsky : float, optional
            Sky fraction. By default it follows from the masks.

        Returns
        -------
        ndarray, shape (ncl, nbands)
            Standard deviations of the band powers.

        Raises
        ------
        ValueError
            If `fsky` is out of range, or needed; or there are no fields.

        Notes
        -----
        For the spectrum XY of fields 1 and 2 in a band with weights w_l, of sum 1::

            variance = (P_XX P_YY + P_XY^2) sum over l of w_l^2 / ((2 l + 1) fsky)
            fsky = (mean of w1 w2)^2 / mean of (w1 w2)^2

        with the means over the sphere of the masks w1 and w2, (sum w^2)^2 / (npix sum w^4) of one
        mask with equal pixels. The P are plain estimates from the pseudo-spectra, with their noise:
        XX of field 1, YY of field 2. It is quick and approximate (Knox 1995): bands narrower than
        the mask's resolution are correlated, and mixing of E and B is not counted.
        """
        return knox(self._estimates.full_sky_errors, self.fsky, fsky)

    def errors(self) -> np.ndarray:
        """Error bars: from the covariance where one is attached, else `knox_errors`.

        Returns
        -------
        ndarray, shape (ncl, nbands)
            Standard deviations of the band powers.

        Raises
        ------
        ValueError
            As `knox_errors` does, without a covariance.
        """
        if self._covariance is None:
            return self.knox_errors()
        return np.sqrt(np.einsum("ibib->ib", self._covariance))

    def _has_errors(self) -> bool:
        return self._covariance is not None or (
            self.fsky is not None and self._estimates.full_sky_errors is not None)

    def to_xarray(self) -> Any:
        """Convert to a labelled data set.

        Returns
        -------
        xarray.Dataset
            The variables `power`, `plain` and, where there are any, `error` (`errors`), with the
            dimensions `component` and `band` and the coordinates `degree` (centres), `begin` and
            `end` of the bands; where a covariance is attached, `covariance` with the dimensions
            `component`, `band`, `component2` and `band2`.

        Raises
        ------
        ImportError
            Without xarray.
        """
        try:
            import xarray
        except ImportError as error:
            raise ImportError(f"to_xarray needs xarray: {INSTALL['xarray']}") from error
        dims = ("component", "band")
        told: Dict[str, Tuple[Tuple[str, ...], np.ndarray]] = {
            "power": (dims, self._powers), "plain": (dims, self.plain())}
        if self._has_errors():
            told["error"] = (dims, self.errors())
        if self._covariance is not None:
            told["covariance"] = ((*dims, "component2", "band2"), self._covariance)
        return xarray.Dataset(told, {
            "component": list(self.components), "degree": ("band", self.centres),
            "begin": ("band", self.bands.begin), "end": ("band", self.bands.end)},
            {"quantity": self.bands.quantity, "condition": self._condition})

    def plot(self, theory: Optional[ArrayLike] = None, *, errors: bool = True, axes: Any = None,
             **kwds: Any) -> Any:
        """Draw the band powers on matplotlib.

        Parameters
        ----------
        theory : array_like, shape (ncl, n) or (n,), optional
            Spectra C_l of the components, which are drawn dashed, in the quantity of the bands.
        errors : bool, optional
            Whether to draw error bars (`errors`), where there are any.
        axes : Axes, optional
            Of matplotlib, to draw on. By default it is a new figure.
        **kwds : dict
            For errorbar of matplotlib.

        Returns
        -------
        Axes
            Of matplotlib.

        Raises
        ------
        %(ImportError)s
        ValueError
            If `theory` has a wrong shape.
        """
        from .plot import _pyplot
        curves = None if theory is None else self._curves(theory)
        plt = _pyplot()
        if axes is None:
            _, axes = plt.subplots(figsize=(8, 5))
        has_errors = errors and self._has_errors()
        bars = self.errors() if has_errors else [None] * len(self._powers)
        for i, (name, power, bar) in enumerate(zip(self.components, self._powers, bars)):
            style = {"fmt": "o", "markersize": 3, "color": f"C{i}", "label": name, **kwds}
            axes.errorbar(self.centres, power, bar, **style)
            if curves is not None:
                axes.plot(np.arange(2, curves.shape[1]), curves[i, 2:], "--", color=f"C{i}",
                          linewidth=1)
        axes.set_xlabel(r"multipole $\ell$")
        axes.set_ylabel({"cl": r"$C_\ell$", "dl": r"$D_\ell$"}.get(self.bands.quantity, "power"))
        axes.grid(True, alpha=0.3)
        axes.legend()
        return axes

    def _curves(self, theory: ArrayLike) -> np.ndarray:
        """factor_l C_l of all components, up to the last degree of a band."""
        given = np.atleast_2d(reals(theory, "theory"))
        if given.ndim != 2 or len(given) != len(self.components):
            raise ValueError(f"theory: has shape {np.shape(theory)}, must have "
                             f"({len(self.components)}, n)")
        last = min(self.bands.lmax, given.shape[1] - 1)
        return given[:, :last + 1] * self.bands._factors(last)

    def __reduce__(self) -> Tuple[Any, ...]:
        recipe = self._mixing.recipe._replace(progress=None)
        return _rebuild, (tuple(recipe), self._powers, self._condition, tuple(self._estimates),
                          self._covariance)

    def __repr__(self) -> str:
        return (f"<armilla.pseudo_cl.Spectrum {', '.join(self.components)} in {self.bands!r}, "
                f"condition {self._condition:.2g}>")


def _rebuild(recipe: Tuple[Any, ...], powers: np.ndarray, condition: float,
             estimates: Tuple[Any, ...], covariance: Optional[np.ndarray] = None) -> Spectrum:
    made = Spectrum._of(mixing_of(Recipe(*recipe)), powers, condition, Estimates(*estimates))
    return made if covariance is None else made.with_covariance(covariance)
