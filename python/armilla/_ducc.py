"""What the functions of armilla.sht share: checks of arguments, plans, rings, phases."""
from __future__ import annotations

import operator
from typing import Any, Callable, NamedTuple, Optional, Tuple

import numpy as np

from ._plans import PlanCache
from .alm import Layout
from .grid import Grid
from .transform import SHT

GEOMETRIES = ("CC", "F1", "F2", "DH", "MW", "MWflip", "GL")
MODES = {"STANDARD": "standard", "GRAD_ONLY": "gradient_only", "DERIV1": "derivatives"}
PLANS = PlanCache(8)


class Error(RuntimeError, ValueError):
    """A wrong value of an argument: RuntimeError as in ducc0, ValueError as elsewhere here."""


def count(name: str, value: Any) -> int:
    """An integer >= 0; TypeError otherwise, as pybind11 has it."""
    number = operator.index(value)
    if number < 0:
        raise TypeError(f"{name} = {number}: must not be negative")
    return number


def array(name: str, values: Any, kinds: str) -> np.ndarray:
    """A numpy array of one of the types in kinds ("fd", "FD"), else an error."""
    if not isinstance(values, np.ndarray):
        raise TypeError(f"{name}: must be a numpy array, not {type(values).__name__}")
    if values.dtype.char not in kinds or not values.dtype.isnative:
        raise Error(f"{name}: has type {values.dtype}, must have "
                    f"{' or '.join(str(np.dtype(k)) for k in kinds)}")
    return values


class Coefficients(NamedTuple):
    """Degrees, orders and storage of the coefficients of one call."""

    lmax: int
    mmax: int
    mstart: Optional[np.ndarray]  # int64, or None: healpy's order
    lstride: int

    @classmethod
    def of(cls, lmax: Any, mmax: Any, mstart: Any, lstride: Any) -> "Coefficients":
        """From the arguments of a call."""
        lmax, lstride = count("lmax", lmax), operator.index(lstride)
        if mstart is not None:
            mstart = np.asarray(mstart)
            if mstart.ndim != 1 or mstart.size == 0 or mstart.dtype.kind not in "iu":
                raise Error("mstart: must be integers, shape (mmax + 1,)")
            mstart = mstart.astype(np.int64)
        if mmax is None:
            mmax = lmax if mstart is None else mstart.size - 1
        mmax = count("mmax", mmax)
        if mmax > lmax:
            raise Error(f"mmax = {mmax}: must be at most lmax = {lmax}")
        if mstart is not None and mstart.size != mmax + 1:
            raise Error(f"mstart: must have mmax + 1 = {mmax + 1} entries")
        if mstart is None and lstride != 1:
            m = np.arange(mmax + 1, dtype=np.int64)
            mstart = m * (2 * lmax + 1 - m) // 2
        return cls(lmax, mmax, mstart, lstride)

    def key(self) -> tuple:
        """For looking up plans."""
        start = None if self.mstart is None else self.mstart.tobytes()
        return self.lmax, self.mmax, start, self.lstride

    def layout(self) -> Optional[Layout]:
        """As a layout; None: healpy's order."""
        if self.mstart is None:
            return None
        return Layout.custom(self.lmax, self.mstart, self.lstride)

    def multiply_phases(self, alm: np.ndarray, angle: float) -> None:
        """alm[l, m] *= exp(i m angle) in place, alm (..., size)."""
        phases = np.exp(1j * angle * np.arange(self.mmax + 1)).astype(alm.dtype)
        if self.mstart is None:
            alm *= np.repeat(phases, self.lmax + 1 - np.arange(self.mmax + 1))
            return
        for m in range(self.mmax + 1):
            alm[..., self.mstart[m] + self.lstride * np.arange(m, self.lmax + 1)] *= phases[m]


def plan_for(grid_key: tuple, make_grid, coefficients: Coefficients, spin: Any,
             mode: str) -> SHT:
    """The plan of a call, kept or new."""
    spin = count("spin", spin)
    if mode not in MODES:
        raise Error(f"mode = {mode!r}: must be one of {', '.join(MODES)}")
    if spin == 0 and mode != "STANDARD":
        raise Error(f"mode = {mode}: needs a spin")
    spin = 1 if mode == "DERIV1" else spin
    if spin > coefficients.lmax:
        raise Error(f"spin = {spin}: must be at most lmax = {coefficients.lmax}")

    def make() -> SHT:
        try:
            return SHT(make_grid(), coefficients.lmax, coefficients.mmax, spin=spin,
                       mode=MODES[mode], layout=coefficients.layout())
        except ValueError as error:
            raise Error(str(error)) from error

    return PLANS.get((grid_key, coefficients.key(), spin, mode), make)


def _ring_array(name: str, values: Any, kinds: str, dtype: Any,
                shape: Optional[Tuple[int, ...]]) -> np.ndarray:
    values = np.asarray(values)
    if values.ndim != 1 or (shape is not None and values.shape != shape):
        raise Error(f"{name}: has shape {values.shape}, must have one entry per ring, as theta")
    if values.dtype.kind not in kinds:
        raise Error(f"{name}: must not have type {values.dtype}")
    return values.astype(dtype, copy=False)


class Rings(NamedTuple):
    """The rings of one call, as arrays of one length."""

    theta: np.ndarray
    nphi: np.ndarray
    phi0: np.ndarray
    ringstart: np.ndarray
    pixstride: int

    @classmethod
    def of(cls, theta: Any, nphi: Any, phi0: Any, ringstart: Any, pixstride: Any) -> "Rings":
        """From the arguments of a call."""
        theta = _ring_array("theta", theta, "fiu", np.float64, None)
        shape = theta.shape
        return cls(theta, _ring_array("nphi", nphi, "iu", np.int64, shape),
                   _ring_array("phi0", phi0, "fiu", np.float64, shape),
                   _ring_array("ringstart", ringstart, "iu", np.int64, shape),
                   operator.index(pixstride))

    def plan(self, coefficients: Coefficients, spin: Any, mode: str) -> SHT:
        """The plan for these rings."""
        key = tuple(x.tobytes() for x in self[:4]) + (self.pixstride,)
        return plan_for(key, lambda: Grid.custom(self.theta, self.nphi, self.phi0, self.ringstart,
                                                 self.pixstride), coefficients, spin, mode)

    def multiply(self, values: np.ndarray, factor: np.ndarray) -> None:
        """values[..., ring r] *= factor[r] in place."""
        steps = np.arange(self.nphi.max(initial=0)) * self.pixstride
        for start, n, number in zip(self.ringstart, self.nphi, factor):
            values[..., start + steps[:n]] *= values.dtype.type(number)


def grid_2d(geometry: str, ntheta: int, nphi: int) -> Grid:
    """A grid of ducc0's geometries."""
    if geometry not in GEOMETRIES:
        raise Error(f"geometry = {geometry!r}: must be one of {', '.join(GEOMETRIES)}")
    try:
        if geometry == "GL":
            return Grid.gauss_legendre(ntheta, nphi)
        return Grid.equidistant(geometry, ntheta, nphi)
    except ValueError as error:
        raise Error(str(error)) from error


def plan_2d(geometry: str, shape: Tuple[int, int], coefficients: Coefficients, spin: Any,
            mode: str) -> SHT:
    """The plan for a grid of ducc0's geometries with shape (ntheta, nphi)."""
    if geometry not in GEOMETRIES:
        raise Error(f"geometry = {geometry!r}: must be one of {', '.join(GEOMETRIES)}")
    return plan_for((geometry,) + shape, lambda: grid_2d(geometry, *shape), coefficients, spin,
                    mode)


def ring_factor(values: Any, nrings: int) -> Optional[np.ndarray]:
    """None, or an array of nrings numbers."""
    if values is None:
        return None
    values = np.asarray(values, dtype=np.float64)
    if values.shape != (nrings,):
        raise Error(f"ringfactor: has shape {values.shape}, must have ({nrings},)")
    return values


def with_components(shape: Tuple[int, ...]) -> Tuple[int, int]:
    """(ncomp, size) of the shape of one transform of a plan."""
    return (shape[0] if len(shape) == 2 else 1), shape[-1]


def rows(name: str, values: np.ndarray, shape: Tuple[int, ...]) -> np.ndarray:
    """([ntrans,] ncomp, x) -> ([ntrans,] *shape), a view of the first `size` of x; `shape` is that
    of one transform of a plan, which has no axis of components for scalars."""
    ncomp, size = with_components(shape)
    if values.ndim not in (2, 3) or values.shape[-2] != ncomp or values.shape[-1] < size:
        raise Error(f"{name}: has shape {values.shape}, "
                    f"must have ([ntrans,] {ncomp}, {size} or more)")
    values = values[..., :size]
    return values[..., 0, :] if len(shape) == 1 else values


def new_or_given(name: str, given: Any, shape: Tuple[int, ...], char: str) -> np.ndarray:
    """The output array of a call: zeros, or the caller's, whose last axis may be longer."""
    if given is None:
        return np.zeros(shape, char)
    given = array(name, given, char)
    if not given.flags.writeable:
        raise Error(f"{name}: is read-only")
    if (given.ndim != len(shape) or given.shape[:-1] != shape[:-1]
            or given.shape[-1] < shape[-1]):
        raise Error(f"{name}: has shape {given.shape}, must have {shape}")
    return given


def run(method: Callable, *args: Any, nthreads: Any, **more: Any) -> Any:
    """Calls a method of a plan; its ValueError becomes an Error."""
    try:
        return method(*args, nthreads=count("nthreads", nthreads), **more)
    except ValueError as error:
        raise Error(str(error)) from error
