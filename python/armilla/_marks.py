"""Marks of missing and of packed values that an array's attributes still have.

xarray applies these attributes of the CF conventions when it opens a file, and then removes them;
with mask_and_scale=False they stay, and numbers such as 1e20 are no values of the field.
"""
from __future__ import annotations

from typing import Any, Hashable, Mapping, Optional

import numpy as np

from ._errors import shown

_FILLS = ("_FillValue", "missing_value")
_PACKED = {"scale_factor": 1, "add_offset": 0, "_Unsigned": "false"}


def _fills(name: Hashable, key: str, value: Any, dtype: np.dtype) -> np.ndarray:
    """The marks of an attribute in the type of the values; those that it cannot hold are left out,
    since no value is one of them."""
    try:
        numbers = np.atleast_1d(value)
        numbers = numbers.astype(np.float64) if numbers.dtype.kind not in "iuf" else numbers
    except (TypeError, ValueError):
        raise ValueError(f"{name}: {key} = {shown(value)}: must be a number") from None
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return numbers.astype(dtype)
    limits = np.iinfo(dtype if dtype.kind in "iu" else np.uint8)
    return np.array([int(one) for one in numbers.ravel().tolist() if one == one // 1
                     and limits.min <= one <= limits.max], dtype)


def _check_unpacked(name: Hashable, attrs: Mapping[Any, Any]) -> None:
    """ValueError for values that attributes say to be packed."""
    for key, harmless in _PACKED.items():
        given = np.asarray(attrs.get(key, harmless))
        if (given == harmless).all() if given.dtype.kind != "U" else (
                str(given).lower() == str(harmless)):
            continue
        raise ValueError(f"{name}: has the attribute {key} = {shown(attrs[key])}, which is that of "
                         "packed values: xarray.decode_cf(dataset) unpacks them; if they are "
                         f"the field's already, del {name}.attrs[{key!r}]")


def masked(array: Any, name: Optional[Hashable] = None) -> Any:
    """A DataArray with NaN where its attributes mark a value as missing. Packed values are
    refused."""
    name = next((one for one in (name, array.name) if one is not None), "the field")
    _check_unpacked(name, array.attrs)
    if array.dtype.kind not in "biuf":
        return array
    marks = [_fills(name, key, array.attrs[key], array.dtype) for key in _FILLS
             if key in array.attrs]
    numbers = np.concatenate(marks) if marks else np.empty(0)
    numbers = numbers[np.isfinite(numbers)]  # others are missing values without a mark
    if not numbers.size:
        return array
    values = array if array.dtype.kind == "f" else array.astype(np.float64)
    return values.where(~array.isin(numbers))


def without_marks(attrs: Mapping[Hashable, Any]) -> dict:
    """The attributes of a result, whose missing values are NaN."""
    return {key: value for key, value in attrs.items() if key not in (*_FILLS, *_PACKED)}


def marked_by(array: Any, dataset: Optional[Mapping[str, Any]]) -> Any:
    """A variable with the marks that its dataset's own attributes have for all variables."""
    found = {key: value for key, value in (dataset or {}).items()
             if key in (*_FILLS, *_PACKED) and key not in array.attrs}
    return array.assign_attrs(found) if found else array
