"""From NumPy arrays to what the C functions take, without a copy wherever that is possible.

An array is passed as it is if its last axis is contiguous and its leading axes, taken together,
have one common distance (exec.alm_distance, exec.map_distance); otherwise as a contiguous copy.
"""
from __future__ import annotations

import math
import re
from typing import Any, Dict, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._errors import choice, real, shown
from ._native import ffi, lib

_DOUBLES, _FLOATS = ffi.typeof("double[]"), ffi.typeof("float[]")
_FLOAT64, _COMPLEX128 = np.dtype(np.float64), np.dtype(np.complex128)
_COMPLEX: Dict[np.dtype, np.dtype] = {np.dtype(np.complex64): np.dtype(np.complex64),
                                      np.dtype(np.float32): np.dtype(np.complex64)}
_REAL: Dict[np.dtype, np.dtype] = {np.dtype(np.float32): np.dtype(np.float32)}
REAL_OF: Dict[np.dtype, np.dtype] = {np.dtype(np.complex64): np.dtype(np.float32),
                                     np.dtype(np.complex128): np.dtype(np.float64)}
COMPLEX_OF: Dict[np.dtype, np.dtype] = {real: cplx for cplx, real in REAL_OF.items()}


def plain(values: Any, name: str) -> np.ndarray:
    """An array of NumPy. TypeError for what would lose a meaning on the way: hidden values of a
    masked array, the unit of a quantity."""
    if type(values) is np.ndarray:
        return values
    if isinstance(values, np.ma.MaskedArray):
        hidden = np.count_nonzero(np.ma.getmaskarray(values))
        if hidden:
            raise TypeError(f"{name}: hides {hidden} values behind a mask, which has no meaning "
                            "here; pseudo_analysis and convolve take mask= or weights=, and fill() "
                            "makes a plain array")
        return np.ma.getdata(values)
    array = np.asarray(_without_unit(values, name, ""))
    if array.dtype == object and hasattr(values, "__cuda_array_interface__"):
        raise TypeError(f"{name}: is in device memory; what this call works on must be copied to "
                        "the host")
    return array


def _without_unit(values: Any, name: str, unit: str) -> Any:
    """The numbers of a quantity (astropy's, or what has its `unit` and `to_value`) in a unit; what
    is none stays as it is."""
    if not (hasattr(values, "unit") and hasattr(values, "to_value")):
        return values
    try:
        return values.to_value(unit)
    except Exception as error:
        wanted = f"must be in {unit} or what can be made so" if unit else (
            "the result would lose it; give the numbers, to_value(...)")
        raise TypeError(f"{name}: has the unit {values.unit}: {wanted}") from error


# Units of an angle in a text, in radians.
ANGLES = {"rad": 1.0, "deg": math.pi / 180, "degree": math.pi / 180, "degrees": math.pi / 180,
          "°": math.pi / 180, "arcmin": math.pi / 10800, "'": math.pi / 10800,
          "arcsec": math.pi / 648000, '"': math.pi / 648000}
_QUANTITY = re.compile(r"^\s*([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)\s*(\D*?)\s*$")


def number_and_unit(text: str) -> Optional[Tuple[float, str]]:
    """The parts of a text such as "5deg" or "500 km"; None: it is none."""
    found = _QUANTITY.match(text)
    try:
        return None if found is None else (float(found[1]), found[2])
    except ValueError:  # 1.2.3
        return None


def _in_text(text: str, name: str, unit: str) -> float:
    """The angle of a text with a unit, in `unit`: as it is written where it has that one."""
    found = number_and_unit(text)
    if found is None or found[1] not in ANGLES:
        own = {"rad": "radians", "deg": "degrees"}.get(unit, unit)
        raise TypeError(f"{name} = {shown(text)}: must be a real number, in {own}, or a text with "
                        f"a unit of {', '.join(list(ANGLES)[:4])}, arcmin, arcsec, such as '5deg'")
    factor = ANGLES[found[1]]
    return found[0] if factor == ANGLES[unit] else found[0] * factor / ANGLES[unit]


def angles(values: Any, name: str, unit: str = "rad", texts: bool = True) -> Any:
    """Angles in radians, or solid angles in sr: the numbers of a quantity, and with `texts` that of
    one such as "5deg"; else what is given."""
    if texts and isinstance(values, str) and unit in ANGLES:
        return _in_text(values, name, unit)
    return _without_unit(values, name, unit)


def angle(name: str, value: Any) -> float:
    """One angle in radians."""
    return real(name, angles(value, name))


def unmasked(values: Any, weights: Any, name: str) -> Tuple[Any, Any]:
    """The data of a masked array of maps (..., npix), and the weights (npix,), None for 1, with 0
    where it hides a value; anything else as it is. TypeError if maps hide different pixels."""
    if not isinstance(values, np.ma.MaskedArray) or not np.ma.is_masked(values):
        return values, weights
    hidden = np.ma.getmaskarray(values).reshape(-1, values.shape[-1])
    if not (hidden == hidden[0]).all():
        raise TypeError(f"{name}: its maps, or their components, hide different pixels; give them "
                        "one by one, or one mask= or weights= for all")
    seen = np.where(hidden[0], 0.0, 1.0)
    if weights is not None:
        given = plain(weights, "weights")
        if given.shape != seen.shape:  # whose message the caller has
            return np.ma.getdata(values), given
        seen = np.where(hidden[0], 0.0, given)
    return np.ma.getdata(values), seen


_MISSING = {"error": lib.ARMILLA_MISSING_ERROR, "propagate": lib.ARMILLA_MISSING_PROPAGATE}


def missing_rule(word: str) -> int:
    """An armilla_missing."""
    return choice("missing", word, _MISSING)


Buffer = Tuple[np.ndarray, int]  # an array, and entries from one component to the next (0: size)


def component_distance(array: np.ndarray) -> Optional[int]:
    """Entries between rows, all leading axes taken together; None: no single number will do."""
    flags = array.flags
    if flags.c_contiguous and flags.aligned:
        return 0
    return distance_of(array.shape, array.strides, array.itemsize) if flags.aligned else None


def distance_of(shape: Tuple[int, ...], strides: Tuple[int, ...], itemsize: int) -> Optional[int]:
    """The same from shape and strides in bytes; 0: contiguous."""
    size = shape[-1]
    if size > 1 and strides[-1] != itemsize:
        return None
    step = 0  # distance of rows in bytes, 0: not known yet
    rows = 1
    for length, stride in zip(shape[-2::-1], strides[-2::-1]):
        if length == 1:
            continue
        if step == 0:
            step = stride
        if stride != step * rows:
            return None
        rows *= length
    if rows == 1:
        return 0
    distance, rest = divmod(step, itemsize)
    return None if rest or distance < size else distance


def _overlaps_itself(array: np.ndarray) -> bool:
    """Whether elements may share memory: an axis is no longer than those below it reach."""
    reach = 0
    for stride, length in sorted(zip(map(abs, array.strides), array.shape)):
        if length > 1:
            if stride < reach + array.itemsize:
                return True
            reach += stride * (length - 1)
    return False


def pointer(array: np.ndarray) -> Any:
    """The first element, for a `double *` (float64 and complex128) or a `float *`."""
    is_double = array.dtype.char in "dD"
    if array.flags.c_contiguous:
        return ffi.from_buffer(_DOUBLES if is_double else _FLOATS, array)
    address = array.__array_interface__["data"][0]
    return ffi.cast("double *" if is_double else "float *", address)


def as_alm(alm: ArrayLike, name: str = "alm") -> np.ndarray:
    """complex64 and float32 become complex64, all others complex128; no copy if that fits."""
    alm = plain(alm, name)
    if alm.dtype is _COMPLEX128:
        return alm
    return _converted(alm, _COMPLEX.get(alm.dtype, _COMPLEX128), name)


def real_array(values: Any, name: str) -> np.ndarray:
    """An array as NumPy makes it. Complex is refused, as a conversion to float would drop the
    imaginary part, and so is what `plain` refuses."""
    array = plain(values, name)
    if array.dtype.kind in "SU":
        raise TypeError(f"{name}: must hold numbers, not {array.dtype}")
    if array.dtype.kind == "c":
        raise TypeError(f"{name}: must be real, not {array.dtype}")
    return array


def reals(values: Any, name: str) -> np.ndarray:
    """float64 in C's order; no copy if that fits."""
    return np.asarray(real_array(values, name), _FLOAT64, order="C")


def degrees(values: Any, name: str) -> np.ndarray:
    """Values of degrees, float64 (n,) in C's order. Several rows would be read as a long one."""
    array = reals(values, name)
    if array.ndim != 1:
        raise ValueError(f"{name}: has shape {array.shape}, must have (n,)")
    return array


def as_map(values: ArrayLike, name: str = "map") -> np.ndarray:
    """float32 stays, all others become float64; no copy if that fits. Complex is refused."""
    values = plain(values, name)
    if values.dtype is _FLOAT64:
        return values
    real_array(values, name)
    return _converted(values, _REAL.get(values.dtype, _FLOAT64), name)


def _converted(array: np.ndarray, dtype: np.dtype, name: str) -> np.ndarray:
    if array.dtype == dtype and array.dtype.isnative:
        return array
    if array.dtype.kind not in "biufc":
        raise TypeError(f"{name}: must hold numbers, not {array.dtype}")
    if array.dtype.newbyteorder("=") in (np.float32, np.complex64):
        dtype = np.result_type(array.dtype.newbyteorder("="),
                               np.complex64 if dtype.kind == "c" else np.float32)
    return array.astype(dtype)


def leading_shape(array: Any, tail: Tuple[int, ...], name: str) -> Tuple[int, ...]:
    """Shape of the leading axes of an array that must have the shape (..., *tail)."""
    shape = array.shape
    return () if shape == tail else leading_axes(shape, tail, name)


def leading_axes(shape: Tuple[int, ...], tail: Tuple[int, ...], name: str) -> Tuple[int, ...]:
    """The same of a shape."""
    split = len(shape) - len(tail)
    if split < 0 or shape[split:] != tail:
        wanted = ", ".join(["..."] + [str(n) for n in tail])
        raise ValueError(f"{name}: has shape {shape}, must have ({wanted})")
    return shape[:split]


def common_lead(leads: Sequence[Tuple[int, ...]], names: Sequence[str]) -> Tuple[int, ...]:
    """Shape to which leading axes of several arrays are broadcast."""
    try:
        return tuple(np.broadcast_shapes(*leads))
    except ValueError:
        words = " and ".join(f"{lead} of {name}" for lead, name in zip(leads, names))
        raise ValueError(f"{names[0]}: leading axes {words} do not broadcast") from None


def input_buffer(array: np.ndarray) -> Buffer:
    """An input of the right type and shape, copied only if it has to be."""
    distance = component_distance(array)
    return (array.copy(order="C"), 0) if distance is None else (array, distance)


class Output:
    """An output: new, or the caller's array, or a stand-in for it that is copied at the end.

    dense: every element will be written by the library. array, distance: what the library gets.
    """

    __slots__ = ("result", "array", "distance", "_dense")
    result: np.ndarray
    array: np.ndarray
    distance: int

    def __init__(self, out: Optional[np.ndarray], shape: Tuple[int, ...], dtype: np.dtype,
                 dense: bool, name: str = "out") -> None:
        self._dense = dense
        if out is None:
            self.result = self.array = (np.empty if dense else np.zeros)(shape, dtype)
            self.distance = 0
            return
        if not isinstance(out, np.ndarray) or isinstance(out, np.ma.MaskedArray):
            raise TypeError(f"{name}: must be a numpy array, not {type(out).__name__}")
        if out.dtype != dtype or not out.dtype.isnative:
            raise TypeError(f"{name}: has type {out.dtype}, must have {dtype}")
        if out.shape != shape:
            raise ValueError(f"{name}: has shape {out.shape}, must have {shape}")
        if not out.flags.writeable:
            raise ValueError(f"{name}: is read-only")
        self.result = self.array = out
        if not out.flags.c_contiguous and out.size and _overlaps_itself(out):
            raise ValueError(f"{name}: has strides {out.strides}, with which elements share memory")
        distance = component_distance(out)
        self.distance = distance or 0
        if distance is None:
            self._stand_in()

    def _stand_in(self) -> None:
        out = self.result
        self.array = np.empty(out.shape, out.dtype) if self._dense else np.array(out, order="C")

    def compact(self) -> None:
        """No distance between rows: the library gets another array if there is one."""
        if self.distance:
            self.distance = 0
            self._stand_in()

    def finish(self) -> np.ndarray:
        """To be called after success. Returned: the array for the caller."""
        if self.array is not self.result:
            self.result[...] = self.array
        return self.result


def apart(array: np.ndarray, out: Optional[np.ndarray]) -> np.ndarray:
    """The array, or a copy of it if `out` lies on the same memory."""
    if isinstance(out, np.ndarray) and np.may_share_memory(array, out):
        return array.copy()
    return array
