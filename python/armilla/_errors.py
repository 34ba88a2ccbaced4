"""Status codes of the library as Python exceptions."""
from __future__ import annotations

import operator
import re
from contextlib import contextmanager
from typing import Any, Dict, Iterator

try:
    from ._native import ffi, lib
except ModuleNotFoundError as error:
    if error.name != f"{__package__}._native":
        raise
    raise ImportError("these are armilla's sources, which lack the compiled module: `make python` "
                      "builds the package in build/python, `pip install .` installs it") from None

# How what an optional part needs is installed. This package is on no index yet, so that its extras
# cannot be named to pip; pyproject.toml has the same words.
INSTALL = {"xarray": 'pip install xarray "dask[array]" netCDF4 zarr',
           "plot": "pip install matplotlib"}

_LONGEST = 200  # characters of an argument in a message
_RANGES = {63: (-2 ** 63, 2 ** 63), 64: (0, 2 ** 64)}  # of integers with a sign, and without one


class Cancelled(RuntimeError):
    """A progress callback asked for the end; what `out` holds is undefined."""


class ConvergenceWarning(RuntimeWarning):
    """An iteration ended before it reached its tolerance.

    The text says how far it came.
    """


class ExactnessWarning(UserWarning):
    """An analysis does not invert synthesis.

    By quadrature: lmax or mmax is too large for the rings, or the rings were given one by one. By
    least squares: there are fewer values than coefficients, so that the solution is one of many.
    """


class FormatError(ValueError):
    """A file is not what it should be: foreign, truncated or contradictory."""


_EXCEPTIONS = {
    lib.ARMILLA_ERROR_ARGUMENT: ValueError,
    lib.ARMILLA_ERROR_MEMORY: MemoryError,
    lib.ARMILLA_ERROR_IO: OSError,
    lib.ARMILLA_ERROR_FORMAT: FormatError,
    lib.ARMILLA_ERROR_UNSUPPORTED: NotImplementedError,
    lib.ARMILLA_ERROR_CANCELLED: Cancelled,
    lib.ARMILLA_ERROR_INTERNAL: RuntimeError,
    lib.ARMILLA_ERROR_TRANSPORT: ConnectionError,
}


# The library names its own arguments, fields of structs among them; here they are arguments too.
_NAMES = (
    (re.compile(r"\boptions->sht->"), ""),
    (re.compile(r"\b(?:options|exec|problem|map|alm|cl)->"), ""),
    (re.compile(r"\brings->"), ""),
    (re.compile(r"\blayout->theta_contiguous = -?\d+: must be 0"),
     "order = 'theta': must be 'phi'"),
    (re.compile(r"\blayout->"), ""),
    (re.compile(r"\bbands->"), ""),
    (re.compile(r"\bdeflection->(gradient|curl|map)"), "deflection"),
    (re.compile(r"\bdeflection->(?=[lm]max)"), "deflection_"),
    (re.compile(r"\bdeflection->"), ""),
    (re.compile(r"\brings\[(\d+)\]\.(\w+)"), r"\2[\1]"),
    (re.compile(r"\bring_member\b"), "rings"),
    (re.compile(r"^in: "), "map: "),  # of armilla_vector_convert_map
    (re.compile(r"^from\b"), "source"),
    (re.compile(r"^to\b"), "target"),
    (re.compile(r"^points\[(?=\d+\]: )"), "loc["),
    (re.compile(r"^points: (theta|phi) of point"), r"loc: \1 of point"),
    (re.compile(r"\bfwhm_rad\b"), "fwhm"),
    (re.compile(r"\bring_orders = \d+: "), "ring_orders: "),
    (re.compile(r"\bARMILLA_RING_ORDERS_(\w+)\b"), lambda found: repr(found[1].lower())),
    (re.compile(r"\bARMILLA_SHT_RESAMPLE\b"), "method = 'resample'"),
    (re.compile(r"\bARMILLA_PSEUDO_(LSMR|JACOBI|AUTO)\b"), lambda found: repr(found[1].lower())),
    (re.compile(r"\bARMILLA_ALM_(COMPLEX|REAL)\b"), lambda found: repr(found[1].lower())),
    (re.compile(r"\bARMILLA_(CPU|CUDA)\b"), lambda found: repr(found[1].lower())),
    (re.compile(r"\b(GRADIENT_ONLY|DERIVATIVES)\b"), lambda found: f"mode = {found[0].lower()!r}"),
    (re.compile(r"\b(AUTO|DIRECT|RESAMPLE|EXACT|STANDARD|NONE|INTEGRAL|SUM|PIXELS|RINGS|"
                r"PROPAGATE)\b"),
     lambda found: repr(found[0].lower())),
)
_NAMES_OF_DUCC0 = (
    (re.compile(r"\boffset\["), "ringstart["),
    (re.compile(r"\bstride\["), "pixstride["),
    (re.compile(r"\bstride\b"), "lstride"),
    (re.compile(r"\bkind\b"), "geometry"),
    (re.compile(r"\bnrings\b"), "ntheta"),
    (re.compile(r"\borders\["), "mval["),
    (re.compile(r"\bnorders\b"), "mval: number of orders"),
    (re.compile(r"\btolerance\b"), "epsilon"),
    (re.compile(r"\bmax_iterations\b"), "maxiter"),
)


def _renamed(text: str, names: tuple) -> str:
    for pattern, name in names:
        text = pattern.sub(name, text)
    return text


def in_words_of_ducc0(text: str) -> str:
    """A message about arguments of armilla in the names that armilla.sht has for them."""
    return _renamed(text, _NAMES_OF_DUCC0)


def message(is_about_arguments: bool = True, chars: Any = None) -> str:
    """What the library says about the last failure of this thread, or these characters, with the
    names used here."""
    text = ffi.string(chars or lib.armilla_status_message()).decode("utf-8", "replace")
    if text.startswith("options->"):
        is_about_arguments = True
    return shortened(_renamed(text, _NAMES) if is_about_arguments else text, 3 * _LONGEST)


def check(status: int, chars: Any = None) -> None:
    """Raises the exception that belongs to a status, with the library's message, or with these
    characters."""
    if status:
        kind = _EXCEPTIONS.get(status, RuntimeError)
        name = ffi.string(lib.armilla_status_name(status)).decode()
        number = lib.armilla_status_errno()
        if kind is OSError and number:  # FileNotFoundError, FileExistsError, PermissionError, ...
            raise OSError(number, message(False))
        raise kind(message(kind in (ValueError, MemoryError), chars) or name)


@contextmanager
def named(theirs: str, ours: str) -> Iterator[None]:
    """What a call inside says of its argument `theirs`, it says of `ours`."""
    try:
        yield
    except (TypeError, ValueError) as error:
        text = str(error)
        if not re.match(rf"{theirs}\b", text):
            raise
        raise type(error)(ours + text[len(theirs):]) from None


def shown(value: Any) -> str:
    """An argument as messages have it: its beginning and its end, where it is long."""
    return shortened(repr(value))


def shortened(text: str, most: int = _LONGEST) -> str:
    """Text of any length with its middle left out, so that a line or a few remain."""
    if len(text) <= most:
        return text
    return f"{text[:most // 2]}...{text[-most // 4:]} ({len(text)} characters)"


def small(name: str, value: Any) -> int:
    """An integer that fits in 32 bits; the library says which of them it takes."""
    number = whole(name, value)
    if not -2 ** 31 <= number < 2 ** 31:
        raise ValueError(f"{name} = {number}: must be less than 2^31 in magnitude")
    return number


def threads(value: Any) -> int:
    """A number of threads, 0 for all."""
    return small("nthreads", value)


def whole(name: str, value: Any, bits: int = 63) -> int:
    """An integer that fits in 64 bits, with bits=64 without a sign."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} = {shown(value)}: must be an integer") from None
    least, end = _RANGES[bits]
    if not least <= number < end:
        raise ValueError(f"{name} = {number}: does not fit in 64 bits")
    return number


def degree(name: str, value: Any, least: int = 0) -> int:
    """A degree, an order, or a divisor of orders, below the largest that any grid has rings for."""
    number, most = whole(name, value), 2 ** 29 - 1
    if not least <= number <= most:
        raise ValueError(f"{name} = {number}: must be from {least} to 2^29 - 1")
    return number


def characters(name: str, value: Any) -> Any:
    """A string for the library, or NULL for None."""
    if value is None:
        return ffi.NULL
    if not isinstance(value, str):
        raise TypeError(f"{name}: must be a str, not {type(value).__name__}")
    if "\0" in value:  # where a string of C ends
        raise ValueError(f"{name} = {shown(value)}: must have no character 0")
    return ffi.new("char[]", value.encode("utf-8"))


def choice(name: str, value: Any, table: Dict[str, int]) -> int:
    """The number of a word."""
    try:
        number = table.get(value)
    except TypeError:  # a list, say
        raise TypeError(f"{name} = {shown(value)}: must be one of {', '.join(table)}") from None
    if number is None:
        raise ValueError(f"{name} = {shown(value)}: must be one of {', '.join(table)}")
    return number


def real(name: str, value: Any) -> float:
    """A real number."""
    try:
        if isinstance(value, (str, bytes)):  # float() would take "3"
            raise TypeError
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} = {shown(value)}: must be a real number") from None
