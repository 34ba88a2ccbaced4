"""Strings and structs of the library as Python's."""
from __future__ import annotations

from typing import Any, NamedTuple, Optional, Type, TypeVar

from ._native import ffi

_Told = TypeVar("_Told", bound=NamedTuple)


def optional_text(chars: Any) -> Optional[str]:
    """A string; None for NULL."""
    return None if chars == ffi.NULL else ffi.string(chars).decode()


def as_tuple(kind: Type[_Told], struct: Any) -> _Told:
    """The fields of a struct that a NamedTuple has, by their names."""
    values = (getattr(struct, name) for name in kind._fields)
    return kind._make(optional_text(value) if isinstance(value, ffi.CData) else value
                      for value in values)
