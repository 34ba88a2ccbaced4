"""What the functions of armilla.sht share: checks of arguments, plans, rings, phases."""
from __future__ import annotations

import operator
from typing import Any, Callable, NamedTuple, Optional, Tuple

import numpy as np

from ._errors import in_words_of_ducc0
from ._plans import PlanCache
from .alm import Layout
from .grid import Grid
from .transform import SHT

GEOMETRIES = ("CC", "F1", "F2", "DH", "MW", "MWflip", "GL")
MODES = {"STANDARD": "standard", "GRAD_ONLY": "gradient_only", "DERIV1": "derivatives"}


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


def _ring_array(name: str, values: Any, kinds: str, dtype: Any,
                shape: Optional[Tuple[int, ...]]) -> np.ndarray:
    values = np.asarray(values)
    if values.ndim != 1 or (shape is not None and values.shape != shape):
        raise Error(f"{name}: has shape {values.shape}, must have one entry per ring, as theta")
    if values.dtype.kind not in kinds:
        raise Error(f"{name}: must not have type {values.dtype}")
    return values.astype(dtype)  # a copy: it may outlive the call


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

    def grid(self) -> Grid:
        """As a grid."""
        return Grid.custom(self.theta, self.nphi, self.phi0, self.ringstart, self.pixstride)

    def multiply(self, values: np.ndarray, factor: np.ndarray) -> None:
        """values[..., ring r] *= factor[r] in place."""
        steps = np.arange(self.nphi.max(initial=0)) * self.pixstride
        for start, n, number in zip(self.ringstart, self.nphi, factor):
            values[..., start + steps[:n]] *= values.dtype.type(number)


NO_RINGS = Rings.of([], np.zeros(0, int), [], np.zeros(0, int), 1)


def grid_2d(geometry: str, ntheta: int, nphi: int) -> Grid:
    """A grid of ducc0's geometries."""
    if geometry not in GEOMETRIES:
        raise Error(f"geometry = {geometry!r}: must be one of {', '.join(GEOMETRIES)}")
    with translated():
        if geometry == "GL":
            return Grid.gauss_legendre(ntheta, nphi)
        return Grid.equidistant(geometry, ntheta, nphi)


class Call(NamedTuple):
    """What a call needs beside its arrays, kept for the next with the same arguments."""

    plan: SHT
    coefficients: Coefficients
    rings: Rings  # none for a named geometry
    alm_shape: Tuple[int, int]  # with an axis of components, as ducc0 has it
    map_shape: Tuple[int, int]


PLANS: PlanCache[Call] = PlanCache(lambda call: call.plan)


def _key_of(values: Any) -> tuple:
    """What stands for an argument that is an array, or None."""
    if values is None:
        return (None,)
    values = np.asarray(values)
    return values.dtype, values.shape, values.tobytes()


def _with_components(shape: Tuple[int, ...]) -> Tuple[int, int]:
    """Shape of one transform with an axis of components."""
    return (1, shape[0]) if len(shape) == 1 else (shape[0], shape[1])


def _call(make_grid: Callable[[], Grid], coefficients: Coefficients, rings: Rings,
          spin: Any, mode: str) -> Call:
    spin = count("spin", spin)
    if mode not in MODES:
        raise Error(f"mode = {mode!r}: must be one of {', '.join(MODES)}")
    if spin == 0 and mode != "STANDARD":
        raise Error(f"mode = {mode}: needs a spin")
    spin = 1 if mode == "DERIV1" else spin
    if spin > coefficients.lmax:
        raise Error(f"spin = {spin}: must be at most lmax = {coefficients.lmax}")
    with translated():
        plan = SHT(make_grid(), coefficients.lmax, coefficients.mmax, spin=spin, mode=MODES[mode],
                   layout=coefficients.layout())
    return Call(plan, coefficients, rings, _with_components(plan.alm_shape),
                _with_components(plan.map_shape))


def _band_key(lmax: Any, mmax: Any, lstride: Any, spin: Any, mode: Any) -> tuple:
    return (operator.index(lmax), None if mmax is None else operator.index(mmax),
            operator.index(lstride), operator.index(spin), mode)


def call_on_rings(theta: Any, nphi: Any, phi0: Any, ringstart: Any, pixstride: Any, lmax: Any,
                  mmax: Any, mstart: Any, lstride: Any, spin: Any, mode: str) -> Call:
    """The call for these rings, kept or new."""
    key = (*_band_key(lmax, mmax, lstride, spin, mode), operator.index(pixstride), *_key_of(mstart),
           *_key_of(theta), *_key_of(nphi), *_key_of(phi0), *_key_of(ringstart))

    def make() -> Call:
        coefficients = Coefficients.of(lmax, mmax, mstart, lstride)
        rings = Rings.of(theta, nphi, phi0, ringstart, pixstride)
        return _call(rings.grid, coefficients, rings, spin, mode)

    return PLANS.get(key, make)


def call_2d(geometry: str, shape: Tuple[int, int], lmax: Any, mmax: Any, mstart: Any, lstride: Any,
            spin: Any, mode: str) -> Call:
    """The call for a grid of ducc0's geometries with shape (ntheta, nphi), kept or new."""
    key = (*_band_key(lmax, mmax, lstride, spin, mode), geometry, *shape, *_key_of(mstart))

    def make() -> Call:
        coefficients = Coefficients.of(lmax, mmax, mstart, lstride)
        return _call(lambda: grid_2d(geometry, *shape), coefficients, NO_RINGS, spin, mode)

    return PLANS.get(key, make)


def ring_factor(values: Any, nrings: int) -> Optional[np.ndarray]:
    """None, or an array of nrings numbers."""
    if values is None:
        return None
    values = np.asarray(values, dtype=np.float64)
    if values.shape != (nrings,):
        raise Error(f"ringfactor: has shape {values.shape}, must have ({nrings},)")
    return values


def rows(name: str, values: np.ndarray, shape: Tuple[int, int], plan_ndim: int) -> np.ndarray:
    """([ntrans,] ncomp, x) -> what a plan takes, a view of the first `size` of x.

    shape: (ncomp, size); plan_ndim: 1 where the plan has no axis of components (scalars), else 2.
    """
    given = values.shape
    if len(given) not in (2, 3) or given[-2] != shape[0] or given[-1] < shape[1]:
        raise Error(f"{name}: has shape {given}, must have ([ntrans,] {shape[0]}, "
                    f"{shape[1]} or more)")
    if given[-1] != shape[1]:
        values = values[..., :shape[1]]
    return values[..., 0, :] if plan_ndim == 1 else values


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


class translated:
    """Around calls of what lies below: its ValueError becomes an Error in the words of ducc0."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, ValueError) and not isinstance(error, Error):
            raise Error(in_words_of_ducc0(str(error))) from error


def run(method: Callable[..., Any], /, *args: Any, nthreads: Any, **more: Any) -> Any:
    """Calls a method of a plan; its ValueError becomes an Error."""
    nthreads = count("nthreads", nthreads)
    try:
        return method(*args, nthreads=nthreads, **more)
    except ValueError as error:
        raise Error(in_words_of_ducc0(str(error))) from error
