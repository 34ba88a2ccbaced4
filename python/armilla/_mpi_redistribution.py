"""Arrays that go from any layout over ranks to any other."""
from __future__ import annotations

import math
from typing import Any, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Output, apart
from ._errors import whole
from ._mpi_signals import INTERRUPTS
from ._mpi_transport import MPI, Transport, check_communicator, together
from ._mpi_whole import address, elements
from ._native import ffi, lib
from ._progress import ended

SPANS = ffi.typeof("armilla_span[]")


def _spans(values: ArrayLike, name: str) -> np.ndarray:
    """(n, 3) of int64; an empty list is none."""
    given = np.asarray(values)
    if given.shape == (0,):
        given = given.reshape(0, 3)
    if given.ndim != 2 or given.shape[1] != 3:
        raise ValueError(f"{name}: has shape {given.shape}, must have (n, 3): begin, count, place")
    if given.dtype.kind not in "iu" and given.size:
        raise TypeError(f"{name}: must hold integers, not {given.dtype}")
    return np.ascontiguousarray(given, np.int64)


def _extent(spans: np.ndarray) -> int:
    """How far the elements of an array reach."""
    used = spans[spans[:, 1] > 0]
    return int((used[:, 1] + used[:, 2]).max(initial=0))


class Redistribution:
    """A plan that moves arrays from one layout over ranks to another.

    Maps go between ranges of pixels and rings, coefficients between ranges and orders, and all of
    them to one rank.

    Parameters
    ----------
    %(comm.plan)s
    source : array_like of int, shape (n, 3)
        This rank's spans before the move; [] for none. No element of the whole array may have two
        sources.
    target : array_like of int, shape (n, 3)
        This rank's spans after the move; [] for none. Each element that is wanted must have a
        source; several ranks may want it, but no place may be in two spans.
    chunk_bytes : int, optional
        Approximate size of the messages that a rank sends, and that it receives, at once; 0 means
        4 MB. Where ranks differ, the largest one counts.

    Raises
    ------
    ValueError
        On all ranks, if a span is wrong; the text has the first number, and the ranks that have or
        want it.
    %(TypeError.ranks)s

    Notes
    -----
    There is one whole array of elements 0, 1, ..., such as the pixels of a map, of which each rank
    has some. A layout is told in spans, rows (begin, count, place): elements place, place + 1, ...
    of this rank's array are the elements begin to begin + count - 1 of the whole array.

    Making a plan and `run` are collective: all ranks call them in the same order. What one rank
    raises all ranks raise. There is nothing to close.

    Examples
    --------
    >>> import armilla, armilla.mpi, numpy as np
    >>> from mpi4py import MPI
    >>> comm, npix = MPI.COMM_WORLD, 12 * 16**2
    >>> begin, end = npix * comm.rank // comm.size, npix * (comm.rank + 1) // comm.size
    >>> with armilla.mpi.SHT(comm, armilla.Grid.healpix(16), 32) as sht:
    ...     to_rings = armilla.mpi.Redistribution(comm, [(begin, end - begin, 0)], sht.map_spans)
    ...     part = to_rings.run(np.arange(begin, end))      # (end - begin,) -> (sht.npix,)
    ...     bool((part == sht.pixels).all())
    True
    """

    __slots__ = ("_transport", "_pointer", "_source_size", "_target_size", "_target_dense")

    def __init__(self, comm: Any, source: ArrayLike, target: ArrayLike, *, chunk_bytes: int = 0
                 ) -> None:
        check_communicator(comm)
        options = ffi.new("armilla_redistribution_options *")
        lib.armilla_redistribution_options_init(options)

        def read() -> Tuple[np.ndarray, np.ndarray]:
            options.chunk_bytes = whole("chunk_bytes", chunk_bytes)
            return _spans(source, "source"), _spans(target, "target")

        with INTERRUPTS:
            self._transport = Transport.kept(comm)
            from_, to = together(self._transport.comm, read)
            made = ffi.new("armilla_redistribution **")
            ended(lib.armilla_redistribution_new(
                self._transport.struct, len(from_), ffi.from_buffer(SPANS, from_), len(to),
                ffi.from_buffer(SPANS, to), options, made))
        self._pointer = ffi.gc(made[0], lib.armilla_redistribution_free)
        self._source_size, self._target_size = _extent(from_), _extent(to)
        self._target_dense = int(to[:, 1].sum()) == self._target_size

    @property
    def source_size(self) -> int:
        """Number of elements of this rank's array before the move: the extent of its spans."""
        return self._source_size

    @property
    def target_size(self) -> int:
        """Number of elements of this rank's array after the move: the extent of its spans."""
        return self._target_size

    def run(self, array: Optional[ArrayLike] = None, *, out: Optional[np.ndarray] = None
            ) -> np.ndarray:
        """Move an array, collectively.

        Parameters
        ----------
        array : array_like, shape (..., source_size), optional
            This rank's array. Its type and its leading axes, whose arrays move together, are the
            same on all ranks. A rank whose source_size is 0 may give None, unless all do.
        %(out.rank)s

        Returns
        -------
        ndarray, shape (..., target_size)
            This rank's array after the move, of the same type. Elements that no span has are 0,
            and those of `out` stay as they are.

        Raises
        ------
        ValueError
            On all ranks, if a shape is wrong on one of them, or types differ.
        RuntimeError
            If the communicator has been freed.
        """
        if self._transport.comm == MPI.COMM_NULL:
            raise RuntimeError("the communicator of the redistribution has been freed")
        comm = self._transport.comm

        def read() -> Optional[np.ndarray]:
            if array is None and self._source_size == 0:
                return None
            given = apart(elements(array, "array"), out)
            if given.shape[-1:] != (self._source_size,):
                raise ValueError(f"array: has shape {given.shape}, must have (..., "
                                 f"{self._source_size})")
            return given

        with INTERRUPTS:
            given = together(comm, read)
            lead, dtype = self._kind(comm, given)
            shape = lead + (self._target_size,)
            target = together(comm, lambda: Output(out, shape, dtype, self._target_dense))
            target.compact()
            ended(lib.armilla_redistribution_run(
                self._pointer, dtype.itemsize, math.prod(lead), address(given), 0,
                address(target.array), 0))
        return target.finish()

    @staticmethod
    def _kind(comm: Any, given: Optional[np.ndarray]) -> Tuple[Tuple[int, ...], np.dtype]:
        """Collective: leading axes and type of all ranks' arrays."""
        told = comm.allgather(None if given is None else (given.shape[:-1], given.dtype))
        ranks = [rank for rank, one in enumerate(told) if one is not None]
        if not ranks:
            raise ValueError("array: is None on all ranks; one of them must give an array")
        first = told[ranks[0]]
        for rank in ranks:
            for name, mine, other in zip(("leading axes", "type"), first, told[rank]):
                if mine != other:
                    raise ValueError(f"array: has the {name} {mine} on rank {ranks[0]}, {other} on "
                                     f"rank {rank}: must be the same on all ranks")
        return first

    def __repr__(self) -> str:
        return (f"<armilla.mpi.Redistribution {self._source_size} -> {self._target_size} elements "
                f"of rank {self._transport.struct.rank}>")
