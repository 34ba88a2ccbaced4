"""Values at points and lensed maps as functions of the positions, for automatic differentiation.

A field of spin s with the coefficients E, B is z = Re z + i Im z. Its covariant derivatives are
fields of the spins s + 1 and s - 1 (eth and its conjugate), with the same coefficients but for
factors of l, so that they are values at the same points, too:

    up    E, B times sqrt((l - s)(l + s + 1)), spin s + 1; times -1 where s = 0
    down  E, B times -sqrt((l + s)(l - s + 1)), spin s - 1; where s = 1 times -1, and the scalars of
          E and B are the real and the imaginary part

A step t of the arguments moves the point by nu = nu_theta + i nu_phi in its frame, and turns what
is seen by tau:

    dz = -(conj(nu) z_up + nu z_down) / 2 + i s tau z                                            (1)

Points (theta, phi):  nu = t_theta + i sin(theta) t_phi,   tau = -cos(theta) t_phi.
Deflections alpha of lensed maps, docs/mathematics.md (7.8):  nu = J t, where J is 1 along alpha and
sin|alpha| / |alpha| across;  tau = (1 - cos|alpha|) / |alpha|^2 (alpha_theta t_phi - alpha_phi
t_theta);  z_up and z_down are lensed like z itself, which carries them back. So the derivatives of
each are (1) again, of any order.

Arrays of torch, jax.numpy and numpy alike: xp is one of these. The transposes of both operators
are in _linear.py's words: A = Y^T, weights c_lm = 1 for m = 0, else 2.
"""
from __future__ import annotations

import functools
import math
from typing import Any, Callable, NamedTuple, Optional, Tuple

import numpy as np

from ._arrays import COMPLEX_OF, REAL_OF, reals
from ._errors import check, real, threads, whole
from ._held import number_of
from ._native import ffi, lib
from .alm import size
from .grid import Grid, GridLike, as_grid

# --- What is computed -----------------------------------------------------------------------------


class Field(NamedTuple):
    """Which values: of a spin s >= 0; pure: of E alone; grid: of a lensed map, None: points."""

    lmax: int
    mmax: int
    epsilon: float
    spin: int
    pure: bool
    nthreads: int
    grid: Optional[Grid]

    @property
    def alm_shape(self) -> Tuple[int, ...]:
        """Of the coefficients of one transform."""
        number = size(self.lmax, self.mmax)
        return (2, number) if self.spin and not self.pure else (number,)

    def map_shape(self, places: Tuple[int, ...]) -> Tuple[int, ...]:
        """Of the values of one transform, from the shape of the positions."""
        count = places[0] if self.grid is None else places[1]
        return (2, count) if self.spin else (count,)


def field_of(lmax: int, spin: int, epsilon: float, mmax: Optional[int], nthreads: int,
             grid: Optional[GridLike]) -> Field:
    """Checks what plans do not."""
    lmax, spin = whole("lmax", lmax), whole("spin", spin)
    mmax = lmax if mmax is None else whole("mmax", mmax)
    if lmax < 0:
        raise ValueError(f"lmax = {lmax}: must be at least 0")
    if not 0 <= spin <= lmax:
        raise ValueError(f"spin = {spin}: must be 0 to lmax = {lmax}")
    return Field(lmax, mmax, real("epsilon", epsilon), spin, False, threads(nthreads),
                 None if grid is None else as_grid(grid))


def check_shapes(field: Field, to_map: bool, given: Tuple[int, ...], places: Tuple[int, ...]
                 ) -> None:
    """ValueError unless coefficients or values, and positions, have the field's shapes."""
    name = "loc" if field.grid is None else "deflection"
    wanted = "(npoints, 2)" if field.grid is None else f"(2, {field.grid.npix})"
    if len(places) != 2 or (places[1] != 2 if field.grid is None
                            else places != (2, field.grid.npix)):
        raise ValueError(f"{name}: has shape {places}, must have {wanted}")
    tail = field.alm_shape if to_map else field.map_shape(places)
    if given[-len(tail):] != tail:
        parts = ", ".join(["...", *map(str, tail)])
        name = "alm" if to_map else "values" if field.grid is None else "map"
        raise ValueError(f"{name}: has shape {given}, must have ({parts})")


def output_shape(field: Field, to_map: bool, given: Tuple[int, ...], places: Tuple[int, ...]
                 ) -> Tuple[int, ...]:
    """Of the operator's result for an input of the right shape."""
    tails = field.alm_shape, field.map_shape(places)
    return given[:len(given) - len(tails[not to_map])] + tails[to_map]


def _see(field: Field, to_map: bool, given: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """The operator in C, whose plans of the last calls are kept: the way back needs them, too."""
    given = np.ascontiguousarray(given)
    positions = reals(positions, "positions")
    shape = output_shape(field, to_map, given.shape, positions.shape)
    made = np.empty(shape, (REAL_OF if to_map else COMPLEX_OF)[given.dtype])
    tail = len(field.alm_shape if to_map else field.map_shape(positions.shape))
    struct = ffi.new("armilla_python_field *", {
        **{name: getattr(field, name) for name in ("lmax", "mmax", "spin", "pure", "epsilon",
                                                   "nthreads")},
        "grid": 0 if field.grid is None else number_of(field.grid)})
    message = ffi.new("const char **")
    status = lib.armilla_python_see(
        struct, to_map, given.dtype.char in "fF", math.prod(given.shape[:-tail]),
        ffi.cast("void *", given.ctypes.data), positions.shape[0 if field.grid is None else 1],
        ffi.cast("double *", positions.ctypes.data), ffi.cast("void *", made.ctypes.data), message)
    check(status, message[0])
    return made


def values(field: Field, alm: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Coefficients (..., *alm_shape) -> values (..., *map_shape)."""
    return _see(field, True, alm, positions)


def adjoint(field: Field, given: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Values (..., *map_shape) -> coefficients (..., *alm_shape): the transpose, no weights."""
    return _see(field, False, given, positions)


# --- Neighbouring spins ---------------------------------------------------------------------------


@functools.lru_cache(maxsize=4)
def up(field: Field) -> Tuple[Field, np.ndarray]:
    """The field of spin s + 1, and the factors of its coefficients, which nobody writes to."""
    s, l = field.spin, _degrees(field)
    factor = np.sqrt(np.maximum((l - s) * (l + s + 1), 0))
    return field._replace(spin=s + 1, pure=field.pure or s == 0), factor if s else -factor


@functools.lru_cache(maxsize=4)
def down(field: Field) -> Tuple[Field, np.ndarray]:
    """The field of spin s - 1, s > 0, and the factors of its coefficients, likewise."""
    s, l = field.spin, _degrees(field)
    factor = np.sqrt(np.maximum((l + s) * (l - s + 1), 0)) * (l >= s)
    return field._replace(spin=s - 1, pure=field.pure and s > 1), -factor if s > 1 else factor


def _degrees(field: Field) -> np.ndarray:
    """l of each coefficient."""
    return np.concatenate([np.arange(m, field.lmax + 1.0) for m in range(field.mmax + 1)])


# --- Rules of derivatives -------------------------------------------------------------------------


class Rules:
    """(1) and its transposes for one framework.

    xp: torch, jax.numpy or numpy. compose(re, im): a complex array. cast(array, like): an array of
    the framework, or of NumPy, as one of the framework in the precision of `like`.
    values(field, alm, positions), adjoint(field, values, positions): functions of these arrays that
    the framework can differentiate, if it can differentiate at all.
    """

    def __init__(self, xp: Any, compose: Callable[..., Any], cast: Callable[..., Any],
                 values: Callable[..., Any], adjoint: Callable[..., Any]) -> None:
        self._xp, self._compose, self.cast = xp, compose, cast
        self.values, self.adjoint = values, adjoint

    # --- Steps of points ----------------------------------------------------------------------

    def _walk(self, alpha: Any) -> Tuple[Any, Any, Any]:
        """sin a / a, (1 - sin a / a) / a^2, (1 - cos a) / a^2; by series where a < 0.1: what is
        left out is a^10 / 6e9 = 2e-20. The other form gets 1 there, for the sake of gradients."""
        xp = self._xp
        q = alpha[0] * alpha[0] + alpha[1] * alpha[1]
        small = q < 0.01
        safe = xp.where(small, xp.ones_like(q), q)
        a = xp.sqrt(safe)
        rest = xp.where(small, _series(q, (6, 120, 5040, 362880, 39916800)),
                        (1 - xp.sin(a) / a) / safe)
        versine = xp.where(small, _series(q, (2, 24, 720, 40320, 3628800)),
                           (1 - xp.cos(a)) / safe)
        return 1 - q * rest, rest, versine

    def _step(self, field: Field, positions: Any, tangent: Any) -> Tuple[Any, Any]:
        """nu, complex, and tau."""
        xp = self._xp
        if field.grid is None:
            theta, t_theta, t_phi = positions[:, 0], tangent[:, 0], tangent[:, 1]
            return self._compose(t_theta, xp.sin(theta) * t_phi), -xp.cos(theta) * t_phi
        sinc, rest, versine = self._walk(positions)
        along = rest * (positions[0] * tangent[0] + positions[1] * tangent[1])
        turn = versine * (positions[0] * tangent[1] - positions[1] * tangent[0])
        return self._compose(sinc * tangent[0] + along * positions[0],
                             sinc * tangent[1] + along * positions[1]), turn

    def _step_transposed(self, field: Field, positions: Any, nu: Any, tau: Any) -> Any:
        """The gradient at the positions where Re(nu-step * nu) + tau-step * tau is that of (1)."""
        xp = self._xp
        if field.grid is None:
            theta = positions[:, 0]
            return xp.stack([nu.real, -xp.sin(theta) * nu.imag - xp.cos(theta) * tau], 1)
        sinc, rest, versine = self._walk(positions)
        along = rest * (positions[0] * nu.real - positions[1] * nu.imag)
        return xp.stack([sinc * nu.real + along * positions[0] - versine * positions[1] * tau,
                         -sinc * nu.imag + along * positions[1] + versine * positions[0] * tau], 0)

    # --- Fields as complex numbers ------------------------------------------------------------

    def _real(self, z: Any, field: Field) -> Any:
        """Components of a complex field."""
        return self._xp.stack([z.real, z.imag], -2) if field.spin else z.real

    def _complex(self, parts: Any, field: Field) -> Any:
        if field.spin:
            return self._compose(parts[..., 0, :], parts[..., 1, :])
        return self._compose(parts, self._xp.zeros_like(parts))

    def _up(self, field: Field, alm: Any, positions: Any) -> Any:
        if field.spin == field.lmax:  # no field has a spin above its degrees
            return 0 * self._complex(self.values(field, alm, positions), field)
        other, factor = up(field)
        return self._complex(self.values(other, self.cast(factor, alm) * alm, positions), other)

    def _down(self, field: Field, alm: Any, positions: Any) -> Any:
        other, factor = down(field)
        made = self.values(other, self.cast(factor, alm) * alm, positions)
        if not other.spin and not field.pure:  # the scalars of E and B
            return self._compose(made[..., 0, :], made[..., 1, :])
        return self._complex(made, other)

    def _adjoint_up(self, field: Field, given: Any, positions: Any, above: Any) -> Any:
        if field.spin == field.lmax:
            return 0 * self.adjoint(field, given, positions)
        other, factor = up(field)
        scale = -0.5 if field.spin else -1
        return self.cast(factor, given) * self.adjoint(
            other, self._real(scale * above, other), positions)

    # --- (1) ----------------------------------------------------------------------------------

    def pushed(self, field: Field, alm: Any, positions: Any, tangent: Any) -> Any:
        """The step of the values for a step of the positions."""
        xp = self._xp
        nu, tau = (self.cast(x, alm) for x in self._step(field, positions, tangent))
        above = self._up(field, alm, positions)
        if not field.spin:
            return -(xp.conj(nu) * above).real
        z = self._complex(self.values(field, alm, positions), field)
        below = self._down(field, alm, positions)
        spin = self._compose(xp.zeros_like(tau), field.spin * tau)
        return self._real(-0.5 * (xp.conj(nu) * above + nu * below) + spin * z, field)

    def pulled(self, field: Field, alm: Any, positions: Any, given: Any) -> Any:
        """The gradient at the positions of <given, values>, summed over leading axes."""
        xp = self._xp
        g, above = self._complex(given, field), self._up(field, alm, positions)
        if field.spin:
            z = self._complex(self.values(field, alm, positions), field)
            below = self._down(field, alm, positions)
            nu = -0.5 * (g * xp.conj(above) + xp.conj(g) * below)
            tau = -field.spin * (xp.conj(g) * z).imag
        else:
            nu = -g * xp.conj(above)
            tau = xp.zeros_like(nu.real)
        rows = math.prod(nu.shape[:-1])  # not -1, which says nothing where there are no points
        nu, tau = (self.cast(x.reshape((rows, x.shape[-1])).sum(0), positions) for x in (nu, tau))
        return self._step_transposed(field, positions, nu, tau)

    def adjoint_pushed(self, field: Field, given: Any, positions: Any, tangent: Any) -> Any:
        """The step of the adjoint's coefficients for a step of the positions."""
        xp = self._xp
        nu, tau = (self.cast(x, given) for x in self._step(field, positions, tangent))
        g = self._complex(given, field)
        made = self._adjoint_up(field, given, positions, nu * g)
        if not field.spin:
            return made
        other, factor = down(field)
        below = -0.5 * xp.conj(nu) * g
        parts = self._real(below, field if not field.pure and not other.spin else other)
        made = made + self.cast(factor, given) * self.adjoint(other, parts, positions)
        spin = self._compose(xp.zeros_like(tau), -field.spin * tau)
        return made + self.adjoint(field, self._real(spin * g, field), positions)


def _series(q: Any, divisors: Tuple[int, ...]) -> Any:
    """1 / d0 - q / d1 + q^2 / d2 - ..."""
    total: Any = 0.0
    for place in range(len(divisors) - 1, -1, -1):
        total = (-1) ** place / divisors[place] + q * total
    return total
