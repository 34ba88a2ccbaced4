"""Gathers whole maps and coefficients on one rank from the parts of all ranks; scatters them."""
from __future__ import annotations

import math
from typing import Any, Dict, NamedTuple, Optional, Tuple

import numpy as np

from ._arrays import Output, apart, plain
from ._errors import whole as integer
from ._mpi_arguments import agreed, must_fit, of_host
from ._mpi_parts import Share
from ._mpi_signals import INTERRUPTS
from ._mpi_transport import together
from ._native import ffi
from ._progress import ended


class Whole(NamedTuple):
    """Maps or coefficients: the library's functions, numbers of this rank's part and of the whole,
    and whether no number of the whole is without an owner."""

    gather: Any
    scatter: Any
    own: int
    all: int
    dense: bool


def elements(values: Any, name: str) -> np.ndarray:
    """A contiguous array whose elements can be moved as they are."""
    given = plain(of_host(values, name), name)
    if given.dtype.hasobject or not given.dtype.itemsize:
        raise TypeError(f"{name}: must hold numbers, not {given.dtype}")
    return np.ascontiguousarray(given) if given.ndim else given


def address(array: Optional[np.ndarray]) -> Any:
    """For a `void *` of the library; None: NULL."""
    return ffi.NULL if array is None else ffi.cast("void *", array.ctypes.data)


def _root(root: Any, nranks: int) -> int:
    number = integer("root", root)
    if not 0 <= number < nranks:
        raise ValueError(f"root = {number}: must be a rank, 0 .. {nranks - 1}")
    return number


def _last_axis(array: np.ndarray, size: int, name: str) -> None:
    if array.shape[-1:] != (size,):
        raise ValueError(f"{name}: has shape {array.shape}, must have (..., {size})")


def _counted(parts: Share, lead: Tuple[int, ...]) -> Tuple[int, int]:
    """Fields and components: with one group all axes are components of one field."""
    return (1, math.prod(lead)) if parts._groups == 1 else (lead[0], math.prod(lead[1:]))


def _output(out: Optional[np.ndarray], shape: Tuple[int, ...], dtype: np.dtype, dense: bool
            ) -> Output:
    target = Output(out, shape, dtype, dense)
    target.compact()
    return target


def gathered(parts: Share, kind: Whole, part: Any, root: Any, out: Optional[np.ndarray]
             ) -> Optional[np.ndarray]:
    """Collective: whole arrays on root, None elsewhere."""
    parts._check_open()
    comm, distribution = parts._transport.comm, parts._distribution

    def read() -> Tuple[Dict[str, Any], Tuple[np.ndarray, int]]:
        place, given = _root(root, comm.size), apart(elements(part, "part"), out)
        lead = parts._leading_axes(given.shape, "part")
        _last_axis(given, kind.own, "part")
        return {"root": place, "type of part": given.dtype.str,
                "leading axes of part": lead[parts._groups > 1:]}, (given, place)

    def prepared() -> Optional[Output]:
        if comm.rank != place:
            return None
        return _output(out, lead + (kind.all,), given.dtype, kind.dense)

    with INTERRUPTS:
        given, place = agreed(comm, read)
        lead = given.shape[:-1]
        if parts._groups > 1:
            told: np.ndarray = np.empty((comm.size, 3), np.int64)
            comm.Allgather(np.array([1, lead[0], 0], np.int64), told)
            lead = (must_fit(told, distribution, parts._groups),) + lead[1:]
        target = together(comm, prepared)
        ended(kind.gather(
            parts._transport.struct, distribution.pointer, place, *_counted(parts, lead),
            given.dtype.itemsize, address(given),
            address(None if target is None else target.array)))
    return None if target is None else target.finish()


def scattered(parts: Share, kind: Whole, whole: Any, root: Any, out: Optional[np.ndarray]
              ) -> np.ndarray:
    """Collective: a part of the arrays that root has."""
    parts._check_open()
    comm, distribution = parts._transport.comm, parts._distribution

    def read() -> Tuple[Dict[str, Any], Tuple[Optional[np.ndarray], int]]:
        place = _root(root, comm.size)
        if comm.rank != place:
            return {"root": place}, (None, place)
        given = apart(elements(whole, "whole"), out)
        parts._leading_axes(given.shape, "whole")
        _last_axis(given, kind.all, "whole")
        return {"root": place}, (given, place)

    with INTERRUPTS:
        given, place = agreed(comm, read)
        lead, dtype = comm.bcast(None if given is None else (given.shape[:-1], given.dtype),
                                 root=place)
        own = lead if parts._groups == 1 else (len(distribution.fields(lead[0])),) + lead[1:]
        target = together(comm, lambda: _output(out, own + (kind.own,), dtype, True))
        ended(kind.scatter(
            parts._transport.struct, distribution.pointer, place, *_counted(parts, lead),
            dtype.itemsize, address(given), address(target.array)))
    return target.finish()
