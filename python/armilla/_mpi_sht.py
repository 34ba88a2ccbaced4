"""Distributed plans: transforms between coefficients and maps of which each rank has a part."""
from __future__ import annotations

import math
import zlib
from types import TracebackType
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Type, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import (COMPLEX_OF, REAL_OF, Output, apart, as_alm, as_map, input_buffer,
                      leading_shape, missing_rule, pointer)
from ._device import is_device_array
from ._distribution import OPERATORS, Description, Distribution, numbers, owners
from ._errors import check, choice, whole
from ._exactness import warn_if_inexact
from ._mpi_signals import INTERRUPTS, heeding
from ._mpi_transport import Transport, agree, check_communicator, together
from ._native import ffi, lib
from ._progress import Progress, ended, execute
from ._structs import as_tuple
from .grid import Grid
from .io import UNSEEN
from .transform import _METHODS, _MODES, _SPIN_METHODS

_Self = TypeVar("_Self", bound="SHT")


# --- What all ranks must give alike ---------------------------------------------------------------


def _fingerprint(grid: Grid) -> str:
    rings = f", rings {zlib.crc32(grid.rings.tobytes()):x}" if grid.kind == "custom" else ""
    return repr(grid) + rings


def must_be_alike(told: List[Dict[str, Any]]) -> None:
    """ValueError where a rank gives another argument than rank 0. told: of all ranks, by name."""
    for rank, other in enumerate(told):
        for name, value in told[0].items():
            if other[name] != value:
                raise ValueError(f"{name}: rank 0 gives {value}, rank {rank} gives {other[name]}: "
                                 "must be the same on all ranks")


class _Call(NamedTuple):
    """Arrays of a call on this rank, ready for the library."""

    source: np.ndarray
    target: Output
    lead: Tuple[int, ...]
    real: np.dtype


def _must_fit(told: np.ndarray, distribution: Distribution, groups: int) -> int:
    """The number of all fields. told: (nranks, 3): no error, fields, whether they are float32."""
    for rank, (_, fields, is_float) in enumerate(told):
        if is_float != told[0, 2]:
            words = [("float64", "float32")[row[2]] for row in (told[0], told[rank])]
            raise TypeError(f"arrays: of {words[0]} on rank 0, of {words[1]} on rank {rank}: must "
                            "have one precision")
    total = int(told[:: len(told) // groups, 1].sum())
    for rank, (_, fields, _) in enumerate(told):
        wanted = len(distribution.fields(total, rank))
        if fields != wanted:
            raise ValueError(f"arrays: rank {rank} has {fields} of {total} fields, must have "
                             f"{wanted}")
    return total


def _check_missing(values: np.ndarray, pixels: Callable[[], np.ndarray]) -> None:
    """ValueError where maps (..., npix) have NaN, infinities or UNSEEN."""
    for row in np.ndindex(values.shape[:-1]):
        suspects = np.flatnonzero(~(np.abs(values[row]) < 1.6e30))
        found = values[row][suspects].astype(np.float64)
        lost = ~np.isfinite(found) | (np.abs(found - UNSEEN) <= 1e-5 * -UNSEEN)
        if lost.any():
            where = int(suspects[lost][0])
            raise ValueError(f"map[{', '.join(map(str, row + (where,)))}] = {found[lost][0]:g}: is "
                             f"missing (pixel {pixels()[where]} of all ranks), one of {lost.sum()} "
                             "values of a map that are NaN, infinite or UNSEEN; missing = "
                             "'propagate' takes them as numbers")


# --- Plans ----------------------------------------------------------------------------------------


class SHT:
    """A plan over the ranks of a communicator: each rank has its part of coefficients and maps.

    A rank has some orders m, with all their degrees, and some rings, with all their pixels:

        coefficients  (..., alm_size), or (..., 2, alm_size): rows l = m .. lmax of its orders,
                      m rising
        maps          (..., npix), or (..., 2, npix): its rings, one behind the other; `pixels`
                      are their places in the whole map: of HEALPix RING numbers

    Components and types are those of armilla.SHT, and so are results, bit by bit, on any number of
    ranks. Leading axes are fields that are transformed together; with groups > 1 a rank has those
    that fields(nfields) tells.

    Collective: making one, the four operators and close(): all ranks call, in one sequence, with
    the same arguments but `orders` and `rings`. What one rank raises all ranks raise. An instance
    has a duplicate of the communicator; close(), or the end of a with-block, frees it, the garbage
    collector does not. A block that an exception leaves does not free it either: it may be the
    exception of one rank alone, for which the others would wait.

        with armilla.mpi.SHT(MPI.COMM_WORLD, armilla.Grid.healpix(1024), 2048) as sht:
            alm = sht.analysis(whole_map[sht.pixels])
    """

    __slots__ = ("_transport", "_owns", "_distribution", "_groups", "_sht", "_settings", "_told",
                 "_pixels", "_has_warned")
    _transport: Transport
    _owns: bool
    _distribution: Distribution
    _groups: int
    _sht: Any
    _settings: Dict[str, Any]
    _told: Description
    _pixels: Optional[np.ndarray]
    _has_warned: bool

    def __init__(self, comm: Any, grid: Grid, lmax: int, mmax: Optional[int] = None, *,
                 spin: int = 0, groups: int = 1, orders: Optional[ArrayLike] = None,
                 rings: Optional[ArrayLike] = None, mode: str = "standard", method: str = "auto",
                 spin_method: str = "auto", isa: Optional[str] = None, host_bytes: int = 0,
                 cache_bytes: int = 0, choices: Optional[str] = None, chunk_bytes: int = 0) -> None:
        """comm: of mpi4py. grid, lmax, mmax, spin, mode, method, spin_method, isa, host_bytes,
        cache_bytes, choices: as for armilla.SHT.

        groups: of ranks, each of which transforms its share of the fields; divides the number of
        ranks. orders, rings: of this rank, in any sequence, rings with their mirror images; [] for
        none; None on all ranks: dealt by what they cost. With groups > 1 the ranks of each group
        give the same lists. chunk_bytes: of the messages of a field that a rank sends at once,
        about; 0: 1 MB.

        ValueError on all ranks: an order or a ring that two ranks give, or none, with its number
        and the ranks; arguments that differ.
        """
        check_communicator(comm)
        with INTERRUPTS:
            transport = Transport(comm)
            try:
                self._make(transport, True, grid, lmax, mmax, groups, orders, rings, {
                    "spin": spin, "mode": mode, "method": method, "spin_method": spin_method,
                    "isa": isa, "host_bytes": host_bytes, "cache_bytes": cache_bytes,
                    "choices": choices, "chunk_bytes": chunk_bytes})
            except Exception:
                transport.close()
                raise

    @classmethod
    def _sharing(cls: Type[_Self], transport: Transport, grid: Grid, lmax: int, mmax: int,
                 orders: Optional[ArrayLike], rings: Optional[ArrayLike], spin: int) -> _Self:
        """A plan that leaves the transport to somebody else."""
        self = cls.__new__(cls)
        self._make(transport, False, grid, lmax, mmax, 1, orders, rings, {"spin": spin})
        return self

    def _with_spin(self: _Self, spin: int) -> _Self:
        """Collective: a plan of another spin on the same transport and the same parts."""
        other = type(self).__new__(type(self))
        other._plan(self._transport, False, self._distribution, self._groups,
                    {**self._settings, "spin": spin})
        return other

    def _make(self, transport: Transport, owns: bool, grid: Any, lmax: Any, mmax: Any, groups: Any,
              orders: Optional[ArrayLike], rings: Optional[ArrayLike], settings: Dict[str, Any]
              ) -> None:
        comm = transport.comm

        def read() -> Tuple[Dict[str, Any], Any, Any]:
            if not isinstance(grid, Grid):
                raise TypeError(f"grid: must be an armilla.Grid, not {type(grid).__name__}")
            top = whole("lmax", lmax)
            _options(settings)
            return {"grid": _fingerprint(grid), "lmax": top,
                    "mmax": top if mmax is None else whole("mmax", mmax),
                    "groups": whole("groups", groups), **settings
                    }, numbers("orders", orders), numbers("rings", rings)

        mine = together(comm, read)
        every = comm.allgather(mine)
        must_be_alike([given for given, _, _ in every])
        common = mine[0]
        lmax, mmax, groups = common["lmax"], common["mmax"], common["groups"]
        if groups < 1 or comm.size % groups:
            raise ValueError(f"groups = {groups}: must divide the number of ranks, {comm.size}")
        order_member = owners("orders", [one for _, one, _ in every], mmax + 1, groups)
        ring_member = owners("rings", [one for _, _, one in every], grid.nrings, groups)
        distribution = together(comm, lambda: Distribution(
            grid, lmax, mmax, comm.size, comm.rank, groups, order_member, ring_member,
            settings.get("method") == "resample"))
        self._plan(transport, owns, distribution, groups, settings)

    def _plan(self, transport: Transport, owns: bool, distribution: Distribution, groups: int,
              settings: Dict[str, Any]) -> None:
        options, distributed, kept = _options(settings)
        made = ffi.new("armilla_distributed_sht **")
        ended(lib.armilla_distributed_sht_new(transport.struct, distribution.pointer, options,
                                              distributed, made))
        del kept
        self._sht = ffi.gc(made[0], lib.armilla_distributed_sht_free)
        self._transport, self._owns, self._distribution = transport, owns, distribution
        self._groups, self._settings, self._pixels = groups, settings, None
        self._told, self._has_warned = self.describe(1), False

    # --- What it is -------------------------------------------------------------------------------

    @property
    def grid(self) -> Grid:
        """The grid of all ranks' rings."""
        return self._distribution.grid

    @property
    def lmax(self) -> int:
        """Largest degree."""
        return self._distribution.lmax

    @property
    def mmax(self) -> int:
        """Largest order of all ranks."""
        return self._distribution.mmax

    @property
    def spin(self) -> int:
        """Spin of the field."""
        return int(self._settings["spin"])

    @property
    def groups(self) -> int:
        """Groups of ranks, each of which has some of the fields."""
        return self._groups

    @property
    def orders(self) -> np.ndarray:
        """Orders m of this rank, rising."""
        return self._distribution.orders()

    @property
    def rings(self) -> np.ndarray:
        """Rings of this rank, rising, as the grid counts them from 0."""
        return self._distribution.rings()

    @property
    def pixels(self) -> np.ndarray:
        """Where this rank's pixels are in a map of all ranks: (npix,); of HEALPix RING numbers."""
        if self._pixels is None:
            self._pixels = self._distribution.pixels()
            self._pixels.flags.writeable = False
        return self._pixels

    @property
    def alm_numbers(self) -> np.ndarray:
        """Where this rank's coefficients are among those of all ranks in healpy's order:
        (alm_size,)."""
        l, m = self._distribution.degrees()
        return m * (2 * self.lmax + 1 - m) // 2 + l

    @property
    def alm_size(self) -> int:
        """Coefficients of this rank, of one component."""
        return self._told.alm_size

    @property
    def npix(self) -> int:
        """Pixels of this rank."""
        return self._told.npix

    @property
    def alm_shape(self) -> Tuple[int, ...]:
        """Shape of this rank's coefficients of one field."""
        ncomp = self._told.alm_ncomp
        return ((ncomp,) if ncomp > 1 else ()) + (self.alm_size,)

    @property
    def map_shape(self) -> Tuple[int, ...]:
        """Shape of this rank's map of one field."""
        ncomp = self._told.ncomp
        return ((ncomp,) if ncomp > 1 else ()) + (self.npix,)

    def alm_index(self, l: int, m: int) -> int:
        """Where a_lm is in this rank's coefficients; ValueError: with another rank, or nowhere."""
        return self._distribution.alm_index(whole("l", l), whole("m", m))

    def fields(self, nfields: int) -> range:
        """Which of so many fields this rank's group has."""
        if whole("nfields", nfields) < 0:
            raise ValueError(f"nfields = {nfields}: must be at least 0")
        return self._distribution.fields(nfields)

    def describe(self, nthreads: int = 0) -> Description:
        """What this rank holds and sends, with so many threads. Not collective."""
        told = ffi.new("armilla_distributed_description *")
        told.size = ffi.sizeof("armilla_distributed_description")
        check(lib.armilla_distributed_sht_describe(self._sht, nthreads, told))
        return as_tuple(Description, told)

    # --- The operators ----------------------------------------------------------------------------

    def synthesis(self, alm: ArrayLike, *, out: Optional[np.ndarray] = None, nthreads: int = 0,
                  progress: Progress = None) -> np.ndarray:
        """This rank's coefficients (..., *alm_shape) -> its map (..., *map_shape): Y.

        out, nthreads, progress: as for armilla.SHT, on each rank for itself; a progress function
        that returns a true value on any rank cancels the call on all ranks.
        """
        return self._to_map("synthesis", alm, out, nthreads, progress)

    def adjoint_synthesis(self, map: ArrayLike, *, out: Optional[np.ndarray] = None,
                          nthreads: int = 0, progress: Progress = None, missing: str = "error"
                          ) -> np.ndarray:
        """This rank's map (..., *map_shape) -> its coefficients (..., *alm_shape): Y^T."""
        return self._to_alm("adjoint_synthesis", map, out, nthreads, progress, missing)

    def analysis(self, map: ArrayLike, *, out: Optional[np.ndarray] = None, nthreads: int = 0,
                 progress: Progress = None, missing: str = "error") -> np.ndarray:
        """This rank's map (..., *map_shape) -> its coefficients (..., *alm_shape): Y^T W.

        missing: what is done about NaN, infinities and UNSEEN: "error", a ValueError on all ranks,
        or "propagate", they are numbers like all others. The ExactnessWarning of armilla.SHT is
        given on rank 0.
        """
        return self._to_alm("analysis", map, out, nthreads, progress, missing)

    def adjoint_analysis(self, alm: ArrayLike, *, out: Optional[np.ndarray] = None,
                         nthreads: int = 0, progress: Progress = None) -> np.ndarray:
        """This rank's coefficients (..., *alm_shape) -> its map (..., *map_shape): W Y."""
        return self._to_map("adjoint_analysis", alm, out, nthreads, progress)

    def _to_map(self, name: str, alm: ArrayLike, out: Optional[np.ndarray], nthreads: int,
                progress: Progress) -> np.ndarray:
        def prepared() -> _Call:
            given = apart(as_alm(_of_host(alm, "alm")), out)
            lead, real = leading_shape(given, self.alm_shape, "alm"), REAL_OF[given.dtype]
            return _Call(given, Output(out, lead + self.map_shape, real, True), lead, real)

        return self._run(name, prepared, nthreads, progress)

    def _to_alm(self, name: str, values: ArrayLike, out: Optional[np.ndarray], nthreads: int,
                progress: Progress, missing: str) -> np.ndarray:
        def prepared() -> _Call:
            if name == "analysis" and not self._has_warned and self._distribution.rank == 0:
                self._has_warned = True
                warn_if_inexact(self.grid, self.lmax, self.mmax)
            rule = missing_rule(missing)
            given = apart(as_map(_of_host(values, "map")), out)
            lead, real = leading_shape(given, self.map_shape, "map"), given.dtype
            if rule == lib.ARMILLA_MISSING_ERROR:
                _check_missing(given, lambda: self.pixels)
            return _Call(given, Output(out, lead + self.alm_shape, COMPLEX_OF[real], True), lead,
                         real)

        return self._run(name, prepared, nthreads, progress)

    def _run(self, name: str, prepared: Callable[[], _Call], nthreads: int, progress: Progress
             ) -> np.ndarray:
        if self._sht is None:
            raise RuntimeError("the plan is closed")
        call: Optional[_Call] = None
        error: Optional[Exception] = None
        with INTERRUPTS:
            try:
                nthreads, call = whole("nthreads", nthreads), prepared()
            except Exception as raised:  # whatever it is, the other ranks must hear of it
                error = raised
            ntrans = self._count_fields(call, error)
            assert call is not None
            if ntrans:
                self._execute(OPERATORS[name, call.real], call, ntrans, nthreads, heeding(progress))
        return call.target.finish()

    def _execute(self, operator: Any, call: _Call, ntrans: int, nthreads: int, progress: Progress
                 ) -> None:
        target = call.target
        source, distance = input_buffer(call.source)
        distances = ((distance, target.distance) if call.source.dtype.kind == "c"
                     else (target.distance, distance))
        execute(operator, (self._sht, pointer(source), pointer(target.array)), ntrans, nthreads,
                progress, *distances)

    def _count_fields(self, call: Optional[_Call], error: Optional[Exception]) -> int:
        """Collective: the fields of all groups together; an error, if a rank has one."""
        comm = self._transport.comm
        mine = np.array([error is None, math.prod(call.lead) if call else 0,
                         call is not None and call.real == np.float32], np.int64)
        told: np.ndarray = np.empty((comm.size, 3), np.int64)
        comm.Allgather(mine, told)
        if not told[:, 0].all():
            agree(comm, error)
        return _must_fit(told, self._distribution, self._groups)

    # --- Its end ----------------------------------------------------------------------------------

    def close(self) -> None:
        """Collective: frees the plan and its communicator. Closing it again does nothing."""
        if self._sht is None:
            return
        ffi.release(self._sht)
        self._sht = None
        if self._owns:
            self._transport.close()

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None:
        if kind is None:
            self.close()

    def __repr__(self) -> str:
        comm = "" if self._sht is None else f" of {self._transport.struct.nranks}"
        return (f"<armilla.mpi.SHT lmax {self.lmax}, mmax {self.mmax}, spin {self.spin}, on "
                f"{self.grid!r}, rank {self._distribution.rank}{comm}>")


def _of_host(values: Any, name: str) -> Any:
    if is_device_array(values):
        raise NotImplementedError(f"{name}: is in device memory, but transforms over ranks work on "
                                  "arrays of the host")
    return values


def _options(settings: Dict[str, Any]) -> Tuple[Any, Any, List[Any]]:
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
            kept.append(ffi.new("char[]", settings[name].encode()))
            setattr(options, name, kept[-1])
    distributed.chunk_bytes = whole("chunk_bytes", settings.get("chunk_bytes", 0))
    return options, distributed, kept
