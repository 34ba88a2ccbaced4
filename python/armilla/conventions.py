"""Coefficients in the conventions of other programs: norms, signs, and where each number lies.

`convert` takes an array from one convention to another; a convention is a name, such as "healpy",
"shtools:schmidt", "icgem", "ambix", "ifs", "shtns:fourpi:nocs", "s2fft" or "torch-harmonics", or a
`Convention`. Words behind colons change the norm (ortho, 4pi, schmidt, unnorm), the Condon-Shortley
sign (cs, nocs), and the kind of harmonics (complex, real, real-norm).
"""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import plain, pointer
from ._errors import characters, check, choice, whole
from ._hints import absent
from ._native import ffi, lib
from ._types import Harmonics, NormOfHarmonics, Packing
from .alm import band
from .alm import size as alm_size

__all__ = ["Convention", "convert", "factor", "index", "named", "names", "shape"]
NORMS = {"ortho": lib.ARMILLA_NORM_ORTHONORMAL, "4pi": lib.ARMILLA_NORM_FOUR_PI,
         "schmidt": lib.ARMILLA_NORM_SCHMIDT, "unnorm": lib.ARMILLA_NORM_UNNORMALIZED}
_HARMONICS = {"complex": lib.ARMILLA_HARMONICS_COMPLEX, "real": lib.ARMILLA_HARMONICS_REAL,
              "real-norm": lib.ARMILLA_HARMONICS_REAL_CONJUGATE}
_PACKINGS = {"orders": lib.ARMILLA_PACKING_ORDERS, "degrees": lib.ARMILLA_PACKING_DEGREES,
             "rectangle": lib.ARMILLA_PACKING_RECTANGLE, "planes": lib.ARMILLA_PACKING_PLANES,
             "acn": lib.ARMILLA_PACKING_ACN, "centred": lib.ARMILLA_PACKING_CENTRED,
             "vector": lib.ARMILLA_PACKING_VECTOR}
_WITH_MMAX = ("orders", "rectangle")  # whose arrays are smaller where mmax < lmax


def __dir__() -> List[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = absent(__name__)


class Convention(NamedTuple):
    """A convention of coefficients.

    Attributes
    ----------
    normalization : {"ortho", "4pi", "schmidt", "unnorm"}
        What the functions are normed to: integral of the square 1, 4 pi, 4 pi / (2 l + 1); or
        the Legendre functions as they are.
    condon_shortley : bool
        Whether the functions have the sign (-1)^m.
    harmonics : {"complex", "real", "real-norm"}
        c_lm; or C_lm and S_lm of cosines and sines; or C_lm and -S_lm, C - i S.
    packing : {"orders", "degrees", "rectangle", "planes", "acn", "centred", "vector"}
        Where numbers lie; see `shape`.
    complex_field : bool
        Whether the field is complex, so that a_lm and a_l-m are independent.
    integrals : bool
        Whether coefficients are integrals of the field times the functions, instead of what the
        functions are multiplied by; they differ where functions are not orthonormal.

    See Also
    --------
    named : Makes one from a name.

    Examples
    --------
    >>> import armilla
    >>> armilla.conventions.named("shtns:schmidt:nocs")._replace(harmonics="real-norm").packing
    'orders'
    """

    normalization: NormOfHarmonics
    condon_shortley: bool
    harmonics: Harmonics
    packing: Packing
    complex_field: bool = False
    integrals: bool = False


_ConventionLike = Union[str, Convention]


def _word(table: Any, number: int) -> Any:
    return next(word for word, other in table.items() if other == number)


def _native(convention: _ConventionLike, argument: str = "convention") -> Any:
    """An armilla_convention."""
    made = ffi.new("armilla_convention *")
    if isinstance(convention, str):
        try:
            check(lib.armilla_convention_named(characters("name", convention), made))
        except ValueError as error:
            raise ValueError(str(error).replace("name = ", f"{argument} = ", 1)) from None
        return made
    if not isinstance(convention, Convention):
        raise TypeError(f"{argument}: must be a name or a Convention, not "
                        f"{type(convention).__name__}")
    made.normalization = choice("normalization", convention.normalization, NORMS)
    made.condon_shortley = bool(convention.condon_shortley)
    made.harmonics = choice("harmonics", convention.harmonics, _HARMONICS)
    made.packing = choice("packing", convention.packing, _PACKINGS)
    made.complex_field = bool(convention.complex_field)
    made.integrals = bool(convention.integrals)
    unused = ffi.new("double *")
    check(lib.armilla_convention_factor(made, 0, 0, unused))  # do its words go together?
    return made


def named(name: str) -> Convention:
    """Make a convention from its name.

    Parameters
    ----------
    name : str
        One of `names`, and behind it any of these words, each behind a colon: ortho, 4pi (or
        fourpi), schmidt, unnorm; cs, nocs; complex, real, real-norm; complex-field.

    Returns
    -------
    Convention
        The convention.

    Raises
    ------
    ValueError
        If there is no such name or word, or words contradict each other; the text lists them.

    Examples
    --------
    >>> import armilla
    >>> armilla.conventions.named("ambix")
    Convention(normalization='schmidt', condon_shortley=False, harmonics='real', packing='acn',
               complex_field=False, integrals=False)
    """
    if not isinstance(name, str):
        raise TypeError(f"name: must be a str, not {type(name).__name__}")
    return _worded(name, "name")


def _worded(name: _ConventionLike, argument: str = "convention") -> Convention:
    """A convention whose words go together, of a name or of itself."""
    made = _native(name, argument)
    if isinstance(name, Convention):
        return name
    return Convention(_word(NORMS, made.normalization), bool(made.condon_shortley),
                      _word(_HARMONICS, made.harmonics), _word(_PACKINGS, made.packing),
                      bool(made.complex_field), bool(made.integrals))


def names() -> List[str]:
    """List the names of conventions.

    Returns
    -------
    list of str
        The names that `named` and `convert` take, without the words behind colons.

    Examples
    --------
    >>> import armilla
    >>> "icgem" in armilla.conventions.names()
    True
    """
    found: List[str] = []
    while lib.armilla_convention_name(len(found)) != ffi.NULL:
        found.append(ffi.string(lib.armilla_convention_name(len(found))).decode())
    return found


def _band(lmax: int, mmax: Optional[int]) -> Tuple[int, int]:
    lmax = whole("lmax", lmax)
    mmax = lmax if mmax is None else whole("mmax", mmax)
    alm_size(lmax, mmax)
    return lmax, mmax


def _is_complex(convention: Convention) -> bool:
    """Whether the array has complex numbers."""
    return convention.harmonics == "complex" or (
        convention.harmonics == "real-norm" and convention.packing in ("orders", "degrees",
                                                                       "rectangle"))


def shape(convention: _ConventionLike, lmax: int, mmax: Optional[int] = None) -> Tuple[int, ...]:
    """Tell the shape of an array of coefficients.

    Parameters
    ----------
    %(convention)s
    %(lmax)s
    %(mmax)s

    Returns
    -------
    tuple of int
        Of one field. With n = lmax + 1: orders (size,), degrees (n (n + 1) / 2,), rectangle (n,
        mmax + 1), planes (2, n, n), acn and vector (n^2,), centred (n, 2 n - 1). Where the first
        three have real harmonics there is a last axis of two numbers, C and S.

    %(Raises.mmax)s

    Examples
    --------
    >>> import armilla
    >>> armilla.conventions.shape("shtools", 10), armilla.conventions.shape("icgem", 10)
    ((2, 11, 11), (66, 2))
    """
    given = _worded(convention)
    lmax, mmax = _band(lmax, mmax)
    n = lmax + 1
    shapes = {"orders": (alm_size(lmax, mmax),), "degrees": (n * (n + 1) // 2,),
              "rectangle": (n, mmax + 1), "planes": (2, n, n), "acn": (n * n,),
              "centred": (n, 2 * n - 1), "vector": (n * n,)}
    pair = given.harmonics == "real" and given.packing in ("orders", "degrees", "rectangle")
    return shapes[given.packing] + ((2,) if pair else ())


def index(convention: _ConventionLike, lmax: int, l: int, m: int, *, mmax: Optional[int] = None
          ) -> Tuple[int, ...]:
    """Tell where a coefficient lies.

    Parameters
    ----------
    %(convention)s
    %(lmax)s
    %(l)s
    m : int
        Order; a negative one asks for the sine of -m, or for a_l-m, of conventions with both signs.
    %(mmax)s

    Returns
    -------
    tuple of int
        Indices in an array of `shape`, without the last axis of C and S.

    Raises
    ------
    ValueError
        If there is no such coefficient.

    Examples
    --------
    >>> import armilla
    >>> armilla.conventions.index("acn-n3d", 4, 2, -1), armilla.conventions.index("s2fft", 4, 2, -1)
    ((5,), (2, 3))
    """
    lmax, mmax = _band(lmax, mmax)
    native, whole_shape = _native(convention), shape(convention, lmax, mmax)
    number = lib.armilla_convention_index(native, lmax, mmax, whole("l", l), whole("m", m))
    if number < 0 and lib.armilla_convention_size(native, lmax, mmax) < 0:
        raise ValueError(f"lmax = {lmax}: is too large for arrays of this convention")
    if number < 0:
        raise ValueError(f"l = {l}, m = {m}: the convention has no such coefficient")
    total = lib.armilla_convention_size(native, lmax, mmax)
    items = whole_shape
    width = total // math.prod(whole_shape)
    if width == 1 and len(whole_shape) > 1 and whole_shape[-1] == 2 and (
            native.packing < lib.ARMILLA_PACKING_PLANES):
        items, width = whole_shape[:-1], 2
    return tuple(int(one) for one in np.unravel_index(number // width, items))


def factor(convention: _ConventionLike, l: int, m: int) -> float:
    """Compute the factor between the library's a_lm and a convention's coefficients.

    Parameters
    ----------
    %(convention)s
    %(l)s
    m : int
        Order, 0 to `l`.

    Returns
    -------
    float
        c_lm = factor a_lm for complex harmonics; C_lm = factor Re a_lm and S_lm = -factor Im a_lm
        for real ones.

    Raises
    ------
    ValueError
        If the factor, of an unnormalised convention, is no normal double.

    Examples
    --------
    >>> import armilla, math
    >>> armilla.conventions.factor("icgem", 3, 1) * math.sqrt(2 * math.pi)
    -1.0
    """
    value = ffi.new("double *")
    check(lib.armilla_convention_factor(_native(convention), whole("l", l), whole("m", m), value))
    return float(value[0])


# --- Conversion -----------------------------------------------------------------------------------


def _lmax_of(given: Convention, array: np.ndarray, mmax: Optional[int]) -> int:
    """The band limit that an array's shape has."""
    axes = len(shape(given, 0, 0))
    if array.ndim < axes:
        raise ValueError(f"array: has shape {array.shape}, {given.packing} need {axes} axes")
    tail = array.shape[array.ndim - axes:]
    if given.packing == "orders":
        return band(np.broadcast_to(0, tail[:1]), None, mmax, "array")[0]
    if given.packing == "degrees":
        return (math.isqrt(8 * tail[0] + 1) - 1) // 2 - 1
    if given.packing in ("acn", "vector"):
        return math.isqrt(tail[0]) - 1
    return tail[1 if given.packing == "planes" else 0] - 1


def _checked(given: Convention, array: Any, lmax: Optional[int], mmax: Optional[int]
             ) -> Tuple[np.ndarray, int, int]:
    """The array in double precision, and its band limit."""
    values = plain(array, "array")
    if values.dtype.kind not in "biuf" + ("c" if _is_complex(given) else ""):
        raise TypeError(f"array: has type {values.dtype}, must have "
                        f"{'' if _is_complex(given) else 'real '}numbers")
    if lmax is None:
        lmax = _lmax_of(given, values, mmax)
        if mmax is None and given.packing == "rectangle" and values.ndim > 1:
            mmax = values.shape[-1 if _is_complex(given) else -2] - 1
        if lmax < 0:
            raise ValueError(f"array: has shape {values.shape}, which is that of no lmax")
    lmax, mmax = _band(lmax, mmax)
    tail = shape(given, lmax, mmax)
    if values.ndim < len(tail) or values.shape[values.ndim - len(tail):] != tail:
        wanted = ", ".join(["..."] + [str(n) for n in tail])
        raise ValueError(f"array: has shape {values.shape}, lmax = {lmax}, mmax = {mmax} needs "
                         f"({wanted})")
    dtype = np.complex128 if _is_complex(given) else np.float64
    return np.ascontiguousarray(values, dtype=dtype), lmax, mmax


def convert(array: ArrayLike, source: _ConventionLike, target: _ConventionLike, *,
            lmax: Optional[int] = None, mmax: Optional[int] = None) -> np.ndarray:
    """Convert coefficients from one convention to another.

    Parameters
    ----------
    array : array_like, shape (..., *shape(source, lmax, mmax))
        Coefficients. Leading axes are fields.
    source : str or Convention
        Convention of `array`: "healpy" or one of `names`, with words behind colons; see `named`.
    target : str or Convention
        Convention of the result.
    lmax : int, optional
        Largest degree. By default it follows from the shape.
    mmax : int, optional
        Largest order, 0 to `lmax`. By default it is `lmax`, and that of the shape of a rectangle.

    Returns
    -------
    ndarray, shape (..., *shape(target, lmax, mmax))
        A new array; single precision for single precision, computed in double.

    Raises
    ------
    ValueError
        If a shape or a name is wrong; a number is not finite; a factor of an unnormalised
        convention, or its product with a coefficient, is no double; orders above `mmax` are not 0;
        the array has both signs of m, and is not that of a real field to 1e-5; or the source is a
        complex field, and the target none.

    See Also
    --------
    shape : Shapes of arrays.
    factor : The factors.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> alm = armilla.alm.random(8, np.ones(9), seed=1)
    >>> cilm = armilla.conventions.convert(alm, "healpy", "shtools")   # C and S, 4 pi norm
    >>> cilm.shape
    (2, 9, 9)
    >>> sn3d = armilla.conventions.convert(cilm, "shtools", "ambix")
    >>> bool(np.allclose(armilla.conventions.convert(sn3d, "ambix", "healpy"), alm))
    True
    """
    given, wanted = _worded(source, "source"), _worded(target, "target")
    one, other = _native(given, "source"), _native(wanted, "target")
    if given.complex_field and not wanted.complex_field:
        raise ValueError("target: is for real fields, source for complex ones; add :complex-field "
                         "to a target with both signs of m")
    values, lmax, mmax = _checked(given, array, lmax, mmax)
    source_tail, tail = shape(given, lmax, mmax), shape(wanted, lmax, mmax)
    leading = values.shape[:values.ndim - len(source_tail)]
    result = np.empty(leading + tail, np.complex128 if _is_complex(wanted) else np.float64)
    alm = np.zeros((2, alm_size(lmax, mmax)), np.complex128)  # of a complex field: both parts
    rows = values.reshape((-1,) + source_tail)
    for row, made in zip(rows, result.reshape((-1,) + tail)):
        check(lib.armilla_convention_to_alm(one, lmax, mmax, pointer(row), pointer(alm)))
        check(lib.armilla_convention_from_alm(other, lmax, mmax, pointer(alm), pointer(made)))
    if plain(array, "array").dtype.newbyteorder("=") in (np.float32, np.complex64):
        return result.astype(np.complex64 if result.dtype.kind == "c" else np.float32)
    return result
