"""What the functions of armilla.sht share: checks of arguments, plans, rings, phases."""
from __future__ import annotations

import math
import operator
import re
from typing import Any, Callable, Dict, NamedTuple, Optional, Tuple, cast

import numpy as np

from ._arrays import plain
from ._errors import in_words_of_ducc0, shown, whole
from ._plans import PlanCache
from ._types import Equidistant, Mode
from .alm import Layout
from .grid import Grid
from .transform import SHT

GEOMETRIES = ("CC", "F1", "F2", "DH", "MW", "MWflip", "GL")
MODES: Dict[str, Mode] = {"STANDARD": "standard", "GRAD_ONLY": "gradient_only",
                          "DERIV1": "derivatives"}


_NAMES_OF_TYPES = {"F": "c8", "D": "c16", "f": "f4", "d": "f8"}

# What ducc0 says, in brackets behind our own words, where the library below finds the fault.
_PHRASES = (
    (re.compile(r"^nphi\[\d+\]: must be 1"), "impossible map memory layout"),
    (re.compile(r"^pixstride\[\d+\]: the last"), "impossible map memory layout"),
    (re.compile(r"^mval(\[|: number)"), "bad m value"),
    (re.compile(r"^spin = 0: must not be 0"), "spin must be positive for grad-only SHTs"),
    (re.compile(r"^lmax = \d+, mmax"), "mmax must not be larger than lmax"),
    (re.compile(r"^alm: has \d+ coefficients"), "alm: array size doesn't match lmax, mmax_in."),
)


class Error(RuntimeError, ValueError):
    """A wrong value of an argument: a RuntimeError as in ducc0, and a ValueError as elsewhere here.

    The text says what is wrong, and in brackets what ducc0 says of it, where it finds the same.
    """

    def __init__(self, text: str, phrase: str = "") -> None:
        super().__init__(f"{text} ({phrase})" if phrase else text)


def error_of(text: str) -> Error:
    """An error of the library below, in the words of ducc0."""
    text = in_words_of_ducc0(text)
    return Error(text, next((said for pattern, said in _PHRASES if pattern.match(text)), ""))


def integer(name: str, value: Any) -> int:
    """An integer; TypeError otherwise, as pybind11 has it, also beyond 64 bits."""
    try:
        return whole(name, value)
    except ValueError as error:
        raise TypeError(str(error)) from None


def count(name: str, value: Any) -> int:
    """An integer >= 0; TypeError otherwise."""
    if type(value) is int and 0 <= value < 1 << 63:
        return value
    number = integer(name, value)
    if number < 0:
        raise TypeError(f"{name} = {number}: must not be negative")
    return number


def one_of(name: str, value: Any, known: Any, phrase: str) -> str:
    """One of some words."""
    if not isinstance(value, str):
        raise TypeError(f"{name} = {shown(value)}: must be a string")
    if value not in known:
        raise Error(f"{name} = {shown(value)}: must be one of {', '.join(known)}", phrase)
    return value


def spin_within(spin: int, lmax: int, mode: str) -> int:
    """The spin of the functions: 1 of derivatives; an error if lmax is smaller."""
    phrase = "incorrect l_max: must be >= spin"
    if mode == "DERIV1":
        if lmax < 1:
            raise Error(f"lmax = {lmax}: must be at least 1 for derivatives", phrase)
        return 1
    if spin > lmax:
        raise Error(f"spin = {spin}: must be at most lmax = {lmax}", phrase)
    return spin


def array(name: str, values: Any, kinds: str) -> np.ndarray:
    """A numpy array of one of the types in kinds ("fd", "FD"), else an error."""
    if not isinstance(values, np.ndarray):
        raise TypeError(f"{name}: must be a numpy array, not {type(values).__name__}")
    if values.dtype.char not in kinds or not values.dtype.isnative:
        names = [_NAMES_OF_TYPES[kind] for kind in kinds]
        raise Error(f"{name}: has type {values.dtype}, must have "
                    f"{' or '.join(str(np.dtype(kind)) for kind in kinds)}",
                    f"{name}: incorrect data type; data type mismatch" if len(names) == 1 else
                    f"type matching failed: '{name}' has neither type '{names[0]}' "
                    f"nor '{names[1]}'")
    return values


def vector(name: str, values: Any, kinds: str, dtype: Any) -> np.ndarray:
    """An array of one dimension of numbers of some kinds ("fiu", "iu": then none negative), as a
    copy: it may outlive the call."""
    given = plain(values, name)
    kind = given.dtype.kind
    if kind in "OSUMmV" or given.ndim == 0 and given is not values:
        raise TypeError(f"{name}: must be an array of numbers, not {shown(values)}")
    if given.ndim != 1:
        raise Error(f"{name}: has shape {given.shape}, must have one dimension",
                    "dimensionality mismatch")
    if kind not in kinds and given.size:
        raise Error(f"{name}: must not have type {given.dtype}", "data type mismatch")
    if kind == "i" and kinds == "iu" and given.size and given.min() < 0:
        at = int(np.argmax(given < 0))
        raise Error(f"{name}[{at}] = {given[at]}: must be at least 0", "data type mismatch")
    return given.astype(dtype)


class Coefficients(NamedTuple):
    """Degrees, orders and storage of the coefficients of one call."""

    lmax: int
    mmax: int
    mstart: Optional[np.ndarray]  # int64, or None: healpy's order
    lstride: int

    @classmethod
    def of(cls, lmax: Any, mmax: Any, mstart: Any, lstride: Any) -> "Coefficients":
        """From the arguments of a call."""
        lmax, lstride = count("lmax", lmax), integer("lstride", lstride)
        if mstart is not None:
            mstart = vector("mstart", mstart, "iu", np.int64)
            if mstart.size == 0:
                raise Error("mstart: has no entries, must have mmax + 1",
                            "mstart too small; need at least m=0")
        if mmax is None:
            mmax = lmax if mstart is None else mstart.size - 1
        mmax = count("mmax", mmax)
        if mstart is not None and mstart.size != mmax + 1:
            raise Error(f"mstart: has {mstart.size} entries, must have mmax + 1 = {mmax + 1}",
                        "mmax and mstart size mismatch")
        if mmax > lmax:
            raise Error(f"mmax = {mmax}: must be at most lmax = {lmax}", "mmax>lmax")
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
        """alm[l, m] *= exp(i m angle) in place, alm (..., size). Of many turns the products with m
        would lose what lies beyond the last whole one: sines and cosines do not."""
        if abs(angle) > 1e3:
            angle = math.atan2(math.sin(angle), math.cos(angle))
        phases = np.exp(1j * angle * np.arange(self.mmax + 1)).astype(alm.dtype)
        if self.mstart is None:
            alm *= np.repeat(phases, self.lmax + 1 - np.arange(self.mmax + 1))
            return
        for m in range(self.mmax + 1):
            alm[..., self.mstart[m] + self.lstride * np.arange(m, self.lmax + 1)] *= phases[m]


class Rings(NamedTuple):
    """The rings of one call, as arrays of one length."""

    theta: np.ndarray
    nphi: np.ndarray
    phi0: np.ndarray
    ringstart: np.ndarray
    pixstride: int

    @classmethod
    def of(cls, theta: Any, nphi: Any, phi0: Any, ringstart: Any, pixstride: Any) -> "Rings":
        """From the arguments of a call. theta None: 1 on every ring."""
        nphi = vector("nphi", nphi, "iu", np.int64)
        theta = np.ones(nphi.shape) if theta is None else vector("theta", theta, "fiu", np.float64)
        self = cls(theta, nphi, vector("phi0", phi0, "fiu", np.float64),
                   vector("ringstart", ringstart, "iu", np.int64), integer("pixstride", pixstride))
        for name, values in (("ringstart", self.ringstart), ("theta", theta), ("phi0", self.phi0)):
            if values.shape != nphi.shape:
                raise Error(f"{name}: has {values.size} entries, must have one entry per ring, as "
                            f"nphi: {nphi.size}",
                            "inconsistent number of rings; inconsistency in the number of rings")
        if nphi.size == 0:
            raise Error("nphi: has no entries", "need at least one ring")
        return self

    def grid(self) -> Grid:
        """As a grid."""
        return Grid.custom(self.theta, self.nphi, self.phi0, self.ringstart, self.pixstride)

    def multiply(self, values: np.ndarray, factor: np.ndarray) -> None:
        """values[..., ring r] *= factor[r] in place."""
        steps = np.arange(self.nphi.max(initial=0)) * self.pixstride
        for start, n, number in zip(self.ringstart, self.nphi, factor):
            values[..., start + steps[:n]] *= values.dtype.type(number)


NO_RINGS = Rings(np.zeros(0), np.zeros(0, int), np.zeros(0), np.zeros(0, int), 1)


def grid_2d(geometry: str, ntheta: int, nphi: int, phrase: str = "") -> Grid:
    """A grid of ducc0's geometries. phrase: what ducc0 says where there are too few rings."""
    one_of("geometry", geometry, GEOMETRIES, "unsupported grid type")
    least = 2 if geometry == "CC" else 1
    if ntheta < least:
        usual = ("number of points must be at least 1" if geometry == "GL"
                 else "need at least one ring")
        raise Error(f"ntheta = {ntheta}: must be at least {least}", phrase or usual)
    with translated():
        if geometry == "GL":
            return Grid.gauss_legendre(ntheta, nphi)
        return Grid.equidistant(cast(Equidistant, geometry), ntheta, nphi)


class Call(NamedTuple):
    """What a call needs beside its arrays, kept for the next with the same arguments."""

    plan: SHT
    coefficients: Coefficients
    rings: Rings  # none for a named geometry
    alm_shape: Tuple[int, int]  # with an axis of components, as ducc0 has it
    map_shape: Tuple[int, int]


PLANS: PlanCache[Any] = PlanCache(lambda call: call.plan)  # also those of _general.py


def key_of(values: Any, name: str) -> tuple:
    """What stands for an argument that is an array, or None."""
    if values is None:
        return (None,)
    values = plain(values, name)
    return values.dtype, values.shape, values.tobytes()


def with_components(shape: Tuple[int, ...]) -> Tuple[int, int]:
    """Shape of one transform with an axis of components."""
    return (1, shape[0]) if len(shape) == 1 else (shape[0], shape[1])


def _call(make_grid: Callable[[], Grid], coefficients: Coefficients, rings: Rings,
          spin: Any, mode: str) -> Call:
    spin = count("spin", spin)
    one_of("mode", mode, MODES, "unknown SHT mode")
    if spin == 0 and mode != "STANDARD":
        raise Error(f"spin = 0: must be larger with mode = {mode}",
                    "DERIV and GRAD_ONLY modes require spin>0")
    spin = spin_within(spin, coefficients.lmax, mode)
    with translated():
        plan = SHT(make_grid(), coefficients.lmax, coefficients.mmax, spin=spin, mode=MODES[mode],
                   layout=coefficients.layout())
    return Call(plan, coefficients, rings, with_components(plan.alm_shape),
                with_components(plan.map_shape))


def band_key(lmax: Any, mmax: Any, lstride: Any, spin: Any, mode: Any) -> tuple:
    try:
        return (operator.index(lmax), None if mmax is None else operator.index(mmax),
                operator.index(lstride), operator.index(spin), mode)
    except TypeError:
        for name, value in (("lmax", lmax), ("mmax", 0 if mmax is None else mmax),
                            ("lstride", lstride), ("spin", spin)):
            integer(name, value)  # says which
        raise


def call_on_rings(theta: Any, nphi: Any, phi0: Any, ringstart: Any, pixstride: Any, lmax: Any,
                  mmax: Any, mstart: Any, lstride: Any, spin: Any, mode: str) -> Call:
    """The call for these rings, kept or new."""
    key = (*band_key(lmax, mmax, lstride, spin, mode), integer("pixstride", pixstride),
           *key_of(mstart, "mstart"), *key_of(theta, "theta"), *key_of(nphi, "nphi"),
           *key_of(phi0, "phi0"), *key_of(ringstart, "ringstart"))

    def make() -> Call:
        coefficients = Coefficients.of(lmax, mmax, mstart, lstride)
        rings = Rings.of(theta, nphi, phi0, ringstart, pixstride)
        return _call(rings.grid, coefficients, rings, spin, mode)

    return PLANS.get(key, make)


def call_2d(geometry: str, shape: Tuple[int, int], lmax: Any, mmax: Any, mstart: Any, lstride: Any,
            spin: Any, mode: str, phrase: str = "") -> Call:
    """The call for a grid of ducc0's geometries with shape (ntheta, nphi), kept or new.

    phrase: as in grid_2d."""
    key = (*band_key(lmax, mmax, lstride, spin, mode), geometry, *shape,
           *key_of(mstart, "mstart"))

    def make() -> Call:
        coefficients = Coefficients.of(lmax, mmax, mstart, lstride)
        return _call(lambda: grid_2d(geometry, *shape, phrase), coefficients, NO_RINGS, spin, mode)

    return PLANS.get(key, make)


def ring_factor(values: Any, nrings: int) -> Optional[np.ndarray]:
    """None, or an array of nrings numbers."""
    if values is None:
        return None
    values = np.asarray(values)
    if values.dtype.kind in "OSUMmV":
        raise TypeError(f"ringfactor: must hold numbers, not {values.dtype}")
    if values.dtype.kind == "c":
        raise Error(f"ringfactor: has type {values.dtype}, must be real",
                    "ringfactor: incorrect data type")
    if values.shape != (nrings,):
        raise Error(f"ringfactor: has shape {values.shape}, must have ({nrings},)",
                    "ringfactor: dimension mismatch")
    return np.asarray(values, dtype=np.float64)


def rows(name: str, values: np.ndarray, shape: Tuple[int, int], plan_ndim: int) -> np.ndarray:
    """([ntrans,] ncomp, x) -> what a plan takes, a view of the first `size` of x.

    shape: (ncomp, size); plan_ndim: 1 where the plan has no axis of components (scalars), else 2.
    """
    given = values.shape
    if len(given) not in (2, 3) or given[-2] != shape[0] or given[-1] < shape[1]:
        raise Error(f"{name}: has shape {given}, must have ([ntrans,] {shape[0]}, "
                    f"{shape[1]} or more)",
                    f"{name} must be a 2D or 3D array; dimensionality mismatch"
                    if len(given) not in (2, 3) else
                    "inconsistent number of components" if given[-2] != shape[0] else "")
    if given[-1] != shape[1]:
        values = values[..., :shape[1]]
    return values[..., 0, :] if plan_ndim == 1 else values


def is_writeable(name: str, given: np.ndarray) -> None:
    """An error unless every element of an array can be written, and has a place of its own."""
    if any(step == 0 and length > 1 for step, length in zip(given.strides, given.shape)):
        raise Error(f"{name}: elements share memory",
                    f"{name}: detected zero stride in writable array")
    if not given.flags.writeable:
        raise Error(f"{name}: is read-only", "array is not writeable")


def new_or_given(name: str, given: Any, shape: Tuple[int, ...], char: str, *, phrase: str = "",
                 components: str = "inconsistent number of components") -> np.ndarray:
    """The output array of a call: zeros, or the caller's, whose last axis may be longer.

    What ducc0 says of its shape: phrase, whatever is wrong; components: of too many of them.
    """
    if given is None:
        return np.zeros(shape, char)
    given = array(name, given, char)
    is_writeable(name, given)
    if (given.ndim != len(shape) or given.shape[:-1] != shape[:-1]
            or given.shape[-1] < shape[-1]):
        if given.ndim != len(shape):
            phrase = phrase or f"{name}: dimension mismatch"
        elif any(length < least for length, least in zip(given.shape, shape)):
            phrase = phrase or f"{name}: array shape too small"
        raise Error(f"{name}: has shape {given.shape}, must have {shape}",
                    phrase or f"bad number of components in {name} array; {components}")
    return given


class translated:
    """Around calls of what lies below: its ValueError becomes an Error in the words of ducc0."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, ValueError) and not isinstance(error, Error):
            raise error_of(str(error)) from error


def run(method: Callable[..., Any], /, *args: Any, nthreads: Any, **more: Any) -> Any:
    """Calls a method of a plan; its ValueError becomes an Error."""
    nthreads = count("nthreads", nthreads)
    try:
        return method(*args, nthreads=nthreads, **more)
    except ValueError as error:
        raise error_of(str(error)) from error
    except TypeError as error:
        raise TypeError(in_words_of_ducc0(str(error))) from error
