"""Arguments of calls that ranks make together: what all must give alike, and arrays that belong to
one rank alone."""
from __future__ import annotations

import zlib
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, TypeVar

import numpy as np

from ._arrays import Output
from ._device import is_device_array
from ._distribution import Distribution
from ._errors import characters, choice, whole
from ._mpi_transport import together
from ._native import ffi, lib
from .grid import Grid
from .transform import _METHODS, _MODES, _SPIN_METHODS

_Own = TypeVar("_Own")


# --- What all ranks must give alike ---------------------------------------------------------------


def fingerprint(grid: Grid) -> str:
    """Text that tells whether two ranks have the same grid."""
    own = grid.kind in ("custom", "reduced_gauss_legendre")  # with numbers of pixels of their own
    rings = f", rings {zlib.crc32(grid.rings.tobytes()):x}" if own else ""
    return repr(grid) + rings


def must_be_alike(told: List[Dict[str, Any]]) -> None:
    """ValueError where a rank gives another argument than rank 0. told: of all ranks, by name."""
    for rank, other in enumerate(told):
        for name, value in told[0].items():
            if other[name] != value:
                raise ValueError(f"{name}: rank 0 gives {value}, rank {rank} gives {other[name]}: "
                                 "must be the same on all ranks")


def agreed(comm: Any, read: Callable[[], Tuple[Dict[str, Any], _Own]]) -> _Own:
    """Collective: what is this rank's own of what `read` makes of its arguments. All ranks raise
    what one rank raises, and a ValueError where what must be alike is not."""
    common, own = together(comm, read)
    must_be_alike(comm.allgather(common))
    return own


def options_of(settings: Dict[str, Any]) -> Tuple[Any, Any, List[Any]]:
    """armilla_sht_options, armilla_distributed_options, and what must be kept as long as they are
    in use."""
    options = ffi.new("armilla_sht_options *")
    distributed = ffi.new("armilla_distributed_options *")
    lib.armilla_sht_options_init(options)
    lib.armilla_distributed_options_init(distributed)
    kept = []
    for name, table in (("mode", _MODES), ("method", _METHODS), ("spin_method", _SPIN_METHODS)):
        if name in settings:
            setattr(options, name, choice(name, settings[name], table))
    for name in ("spin", "host_bytes", "cache_bytes"):
        setattr(options, name, whole(name, settings.get(name, 0)))
    for name in ("isa", "choices"):
        if settings.get(name) is not None:
            kept.append(characters(name, settings[name]))
            setattr(options, name, kept[-1])
    distributed.chunk_bytes = whole("chunk_bytes", settings.get("chunk_bytes", 0))
    return options, distributed, kept


# --- Arrays of one rank ---------------------------------------------------------------------------


class Iteration(NamedTuple):
    """What pseudo_analysis takes besides the arrays: an armilla_pseudo_options, the guess that it
    points to; and reports, for Python and for the library."""

    options: Any
    guess: Any
    told: np.ndarray
    reports: Any


class Call(NamedTuple):
    """Arrays of a call on this rank, ready for the library."""

    source: np.ndarray
    target: Output
    lead: Tuple[int, ...]
    real: np.dtype
    missing: int = 0  # an armilla_missing
    weights: Optional[np.ndarray] = None  # of this rank's pixels or points
    more: Tuple[Any, ...] = ()  # arguments of the library besides
    iteration: Optional[Iteration] = None
    distance: int = 0  # of the source, once it is ready for the library


def must_fit(told: np.ndarray, distribution: Distribution, groups: int) -> int:
    """The number of all fields. told: (nranks, 3 or more): no error, fields, whether they are
    float32."""
    for rank, row in enumerate(told):
        if row[2] != told[0, 2]:
            words = [("float64", "float32")[one[2]] for one in (told[0], row)]
            raise TypeError(f"arrays: of {words[0]} on rank 0, of {words[1]} on rank {rank}: must "
                            "have one precision")
    total = int(told[:: len(told) // groups, 1].sum())
    for rank, row in enumerate(told):
        wanted = len(distribution.fields(total, rank))
        if row[1] != wanted:
            raise ValueError(f"arrays: rank {rank} has {row[1]} of {total} fields, must have "
                             f"{wanted}")
    return total


def of_host(values: Any, name: str) -> Any:
    """The values; NotImplementedError for those in device memory."""
    if is_device_array(values):
        raise NotImplementedError(f"{name}: is in device memory, but transforms over ranks work on "
                                  "arrays of the host")
    return values
