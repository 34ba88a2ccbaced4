"""Distributed plans: transforms between coefficients and maps of which each rank has a part."""
from __future__ import annotations

import math
from types import TracebackType
from typing import Any, Callable, ClassVar, Dict, Optional, Tuple, Type, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import (COMPLEX_OF, REAL_OF, Output, apart, as_alm, as_map, input_buffer,
                      leading_shape, missing_rule, pointer, unmasked)
from ._distribution import (IQU_OPERATORS, SHT_OPERATORS, Description, Distribution, numbers,
                            owners)
from ._errors import check, whole
from ._exactness import warn_if_inexact
from ._mpi_arguments import (Call, Iteration, fingerprint, must_be_alike, must_fit, of_host,
                             options_of)
from ._mpi_coefficients import Coefficients
from ._mpi_signals import INTERRUPTS, heeding
from ._mpi_transport import Transport, agree, check_communicator, together
from ._native import ffi, lib
from ._progress import Progress, ended, execute
from ._pseudo import (PseudoReport, guess_like, new_reports, pixel_weights, pseudo_options,
                      reported)
from ._structs import as_tuple
from .grid import Grid
from .transform import Functions

_Self = TypeVar("_Self", bound="Plan")

# What a rank tells the others before a call: columns of an array (nranks, 5). LEAVES_OUT_ALL: its
# weights and mask leave out all of its pixels, or it has none.
_RIGHT, _FIELDS, _IS_FLOAT, _HAS_WEIGHTS, _LEAVES_OUT_ALL = range(5)


class Plan(Coefficients):
    """What SHT and IQU share: a plan of the library, and the operators on arrays."""

    __slots__ = ("_settings", "_has_warned")
    _settings: Dict[str, Any]
    _has_warned: bool
    _operators: ClassVar[Functions]
    _report_tail: ClassVar[Tuple[int, ...]] = ()

    def _open(self, comm: Any, grid: Any, lmax: Any, mmax: Any, groups: Any,
              orders: Optional[ArrayLike], rings: Optional[ArrayLike], settings: Dict[str, Any]
              ) -> None:
        check_communicator(comm)
        with INTERRUPTS:
            transport = Transport(comm)
            try:
                self._make(transport, True, grid, lmax, mmax, groups, orders, rings, settings)
            except Exception:
                transport.close()
                raise

    def _make(self, transport: Transport, owns: bool, grid: Any, lmax: Any, mmax: Any, groups: Any,
              orders: Optional[ArrayLike], rings: Optional[ArrayLike], settings: Dict[str, Any]
              ) -> None:
        comm = transport.comm

        def read() -> Tuple[Dict[str, Any], Any, Any]:
            if not isinstance(grid, Grid):
                raise TypeError(f"grid: must be an armilla.Grid, not {type(grid).__name__}")
            top = whole("lmax", lmax)
            options_of(settings)
            return {"grid": fingerprint(grid), "lmax": top,
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
        self._build(transport, owns, distribution, groups, settings)

    def _build(self, transport: Transport, owns: bool, distribution: Distribution, groups: int,
               settings: Dict[str, Any]) -> None:
        options, distributed, kept = options_of(settings)
        self._set_parts(transport, owns, distribution, groups)
        self._settings, self._has_warned = settings, False
        self._pointer = self._new(options, distributed)
        del kept

    def _new(self, options: Any, distributed: Any) -> Any:
        """Collective: a plan of the library."""
        raise NotImplementedError

    # --- What it is -------------------------------------------------------------------------------

    @property
    def alm_shape(self) -> Tuple[int, ...]:
        """Shape of this rank's coefficients of one field."""
        raise NotImplementedError

    @property
    def map_shape(self) -> Tuple[int, ...]:
        """Shape of this rank's map of one field."""
        raise NotImplementedError

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

        missing: what is done about NaN, infinities and UNSEEN: "error", a ValueError on all ranks
        with the first one's index in the maps of all ranks, or "propagate", they are numbers like
        all others. The ExactnessWarning of armilla.SHT is
        given on rank 0.
        """
        return self._to_alm("analysis", map, out, nthreads, progress, missing)

    def adjoint_analysis(self, alm: ArrayLike, *, out: Optional[np.ndarray] = None,
                         nthreads: int = 0, progress: Progress = None) -> np.ndarray:
        """This rank's coefficients (..., *alm_shape) -> its map (..., *map_shape): W Y."""
        return self._to_map("adjoint_analysis", alm, out, nthreads, progress)

    def pseudo_analysis(self, map: ArrayLike, *, method: str = "lsmr", tolerance: float = 1e-10,
                        max_iterations: Optional[int] = None, weights: Optional[ArrayLike] = None,
                        mask: Optional[ArrayLike] = None, guess: Optional[ArrayLike] = None,
                        out: Optional[np.ndarray] = None, nthreads: int = 0,
                        progress: Progress = None, missing: str = "error"
                        ) -> Tuple[np.ndarray, PseudoReport]:
        """This rank's map (..., *map_shape) -> its coefficients (..., *alm_shape) by iteration, and
        a PseudoReport, which is the same on all ranks.

        The arguments are those of armilla.SHT.pseudo_analysis. weights and mask have the shape
        (npix,), of this rank's pixels; a rank that gives neither has weights of 1. All ranks give
        a guess, of the result's shape or of its last axes, or none does. This is for plans with
        one group of ranks; with more a NotImplementedError is raised.

            alm, report = sht.pseudo_analysis(part, weights=1 / sigma[sht.pixels] ** 2)
        """
        def prepared() -> Call:
            limit = max_iterations
            if limit is None:
                limit = 3 if method == "jacobi" else 100
            options = pseudo_options(method, tolerance, limit, None)
            rule = missing_rule(missing)
            values, factors = unmasked(of_host(map, "map"), of_host(weights, "weights"), "map")
            factors = self._pixel_weights(factors, of_host(mask, "mask"), out)
            given = apart(as_map(values), out)
            lead, real = leading_shape(given, self.map_shape, "map"), given.dtype
            target = Output(out, lead + self.alm_shape, COMPLEX_OF[real], True)
            start = None
            if guess is not None:
                start = guess_like(of_host(guess, "guess"), lead + self.alm_shape, target)
                options.guess = ffi.cast("void *", start.ctypes.data)
            told, reports = new_reports(lead + self._report_tail)
            return Call(given, target, lead, real, rule,
                        Iteration(options, factors, start, told, reports))

        call = self._run("pseudo_analysis", prepared, nthreads, progress)
        assert call.iteration is not None
        return call.target.finish(), reported(call.iteration.told)

    def _pixel_weights(self, weights: Any, mask: Any, out: Optional[np.ndarray]
                       ) -> Optional[np.ndarray]:
        """As pixel_weights, but a mask may leave out all pixels of one rank."""
        if mask is not None and np.shape(mask) == (self.npix,) and not np.any(mask):
            pixel_weights(weights, np.ones(self.npix, bool), self.npix, out)  # only the checks
            return np.zeros(self.npix)
        return pixel_weights(weights, mask, self.npix, out)

    # --- How --------------------------------------------------------------------------------------

    def _to_map(self, name: str, alm: ArrayLike, out: Optional[np.ndarray], nthreads: int,
                progress: Progress) -> np.ndarray:
        def prepared() -> Call:
            given = apart(as_alm(of_host(alm, "alm")), out)
            lead, real = leading_shape(given, self.alm_shape, "alm"), REAL_OF[given.dtype]
            return Call(given, Output(out, lead + self.map_shape, real, True), lead, real)

        return self._run(name, prepared, nthreads, progress).target.finish()

    def _to_alm(self, name: str, values: ArrayLike, out: Optional[np.ndarray], nthreads: int,
                progress: Progress, missing: str) -> np.ndarray:
        def prepared() -> Call:
            if name == "analysis" and not self._has_warned and self._distribution.rank == 0:
                self._has_warned = True
                warn_if_inexact(self.grid, self.lmax, self.mmax)
            rule = missing_rule(missing)
            given = apart(as_map(of_host(values, "map")), out)
            lead, real = leading_shape(given, self.map_shape, "map"), given.dtype
            return Call(given, Output(out, lead + self.alm_shape, COMPLEX_OF[real], True), lead,
                        real, rule)

        return self._run(name, prepared, nthreads, progress).target.finish()

    def _run(self, name: str, prepared: Callable[[], Call], nthreads: int, progress: Progress
             ) -> Call:
        self._check_open()
        call: Optional[Call] = None
        error: Optional[Exception] = None
        with INTERRUPTS:
            try:
                nthreads, call = whole("nthreads", nthreads), prepared()
            except Exception as raised:  # whatever it is, the other ranks must hear of it
                error = raised
            told = self._tell(call, error)
            ntrans = must_fit(told, self._distribution, self._groups)
            assert call is not None
            if ntrans:
                more = self._weighted(call.iteration, told)
                self._execute(self._operators[name, call.real], call, more, ntrans, nthreads,
                              heeding(progress))
        return call

    def _tell(self, call: Optional[Call], error: Optional[Exception]) -> np.ndarray:
        """Collective: what all ranks tell, (nranks, 5); an error, if a rank has one."""
        comm = self._transport.comm
        mine: np.ndarray = np.zeros(5, np.int64)
        mine[_RIGHT] = error is None
        if call is not None:
            weights = None if call.iteration is None else call.iteration.weights
            mine[_FIELDS], mine[_IS_FLOAT] = math.prod(call.lead), call.real == np.float32
            mine[_HAS_WEIGHTS] = weights is not None
            mine[_LEAVES_OUT_ALL] = self.npix == 0 if weights is None else not weights.any()
        told: np.ndarray = np.empty((comm.size, len(mine)), np.int64)
        comm.Allgather(mine, told)
        if not told[:, _RIGHT].all():
            agree(comm, error)
        return told

    def _weighted(self, iteration: Optional[Iteration], told: np.ndarray) -> Tuple[Any, ...]:
        """What the library takes besides the arrays. Where some rank has weights all must."""
        if iteration is None:
            return ()
        if told[:, _LEAVES_OUT_ALL].all():
            raise ValueError("mask, weights: leave out all pixels of all ranks")
        weights = iteration.weights
        if told[:, _HAS_WEIGHTS].any():
            weights = np.ones(self.npix) if weights is None else weights
            iteration.options.weights = pointer(weights)
        return iteration.options, iteration.reports, weights

    def _execute(self, operator: Any, call: Call, more: Tuple[Any, ...], ntrans: int,
                 nthreads: int, progress: Progress) -> None:
        target = call.target
        source, distance = input_buffer(call.source)
        distances = ((distance, target.distance) if call.source.dtype.kind == "c"
                     else (target.distance, distance))
        execute(operator, (self._pointer, pointer(source), pointer(target.array), *more[:2]),
                ntrans, nthreads, progress, *distances, missing=call.missing)

    # --- Its end ----------------------------------------------------------------------------------

    def close(self) -> None:
        """Collective: frees the plan and its communicator. Closing it again does nothing."""
        if self._pointer is None:
            return
        ffi.release(self._pointer)
        self._pointer = None
        if self._owns:
            self._transport.close()

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None:
        if kind is None:
            self.close()

    def _where(self) -> str:
        """For __repr__: the grid, and which rank it is."""
        comm = "" if self._pointer is None else f" of {self._transport.struct.nranks}"
        return f"on {self.grid!r}, rank {self._distribution.rank}{comm}"


class SHT(Plan):
    """A plan over the ranks of a communicator: each rank has its part of coefficients and maps.

    A rank has some orders m, with all their degrees, and some rings, with all their pixels:

        coefficients  (..., alm_size), or (..., 2, alm_size): rows l = m .. lmax of its orders,
                      m rising
        maps          (..., npix), or (..., 2, npix): its rings, one behind the other; `pixels`
                      are their places in the whole map: of HEALPix RING numbers

    Components and types are those of armilla.SHT, and so are results, bit by bit, on any number of
    ranks. Leading axes are fields that are transformed together; with groups > 1 a rank has those
    that fields(nfields) tells.

    Collective: making one, the methods that say so, the operators and close(): all ranks call, in
    one sequence, with the same arguments but `orders` and `rings`. What one rank raises all ranks
    raise. An instance has a duplicate of the communicator; close(), or the end of a with-block,
    frees it, the garbage collector does not. A block that an exception leaves does not free it
    either: it may be the exception of one rank alone, for which the others would wait.

        with armilla.mpi.SHT(MPI.COMM_WORLD, armilla.Grid.healpix(1024), 2048) as sht:
            alm = sht.analysis(whole_map[sht.pixels])
    """

    __slots__ = ("_told",)
    _told: Description
    _operators = SHT_OPERATORS

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
        self._open(comm, grid, lmax, mmax, groups, orders, rings, {
            "spin": spin, "mode": mode, "method": method, "spin_method": spin_method, "isa": isa,
            "host_bytes": host_bytes, "cache_bytes": cache_bytes, "choices": choices,
            "chunk_bytes": chunk_bytes})

    @classmethod
    def _sharing(cls, transport: Transport, grid: Grid, lmax: int, mmax: int,
                 orders: Optional[ArrayLike], rings: Optional[ArrayLike], spin: int) -> "SHT":
        """A plan that leaves the transport to somebody else."""
        self = cls.__new__(cls)
        self._make(transport, False, grid, lmax, mmax, 1, orders, rings, {"spin": spin})
        return self

    def _with_spin(self, spin: int) -> "SHT":
        """Collective: a plan of another spin on the same transport and the same parts."""
        other = type(self).__new__(type(self))
        other._build(self._transport, False, self._distribution, self._groups,
                     {**self._settings, "spin": spin})
        return other

    def _new(self, options: Any, distributed: Any) -> Any:
        made = ffi.new("armilla_distributed_sht **")
        ended(lib.armilla_distributed_sht_new(self._transport.struct, self._distribution.pointer,
                                              options, distributed, made))
        plan = ffi.gc(made[0], lib.armilla_distributed_sht_free)
        self._told = _described(plan, 1)
        return plan

    @property
    def spin(self) -> int:
        """Spin of the field."""
        return int(self._settings["spin"])

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

    def describe(self, nthreads: int = 0) -> Description:
        """What this rank holds and sends, with so many threads. Not collective."""
        self._check_open()
        return _described(self._pointer, nthreads)

    def __repr__(self) -> str:
        return (f"<armilla.mpi.SHT lmax {self.lmax}, mmax {self.mmax}, spin {self.spin}, "
                f"{self._where()}>")


def _described(plan: Any, nthreads: int) -> Description:
    told = ffi.new("armilla_distributed_description *")
    told.size = ffi.sizeof("armilla_distributed_description")
    check(lib.armilla_distributed_sht_describe(plan, nthreads, told))
    return as_tuple(Description, told)


class IQU(Plan):
    """A plan for polarised maps over ranks: I, Q, U <-> T, E, B, spin 0 and spin 2 in one call.

    A rank's coefficients have the shape (..., 3, alm_size), and its maps (..., 3, npix). Everything
    else is as in armilla.mpi.SHT, and results are those of armilla.IQU, bit by bit, on any number
    of ranks.

        with armilla.mpi.IQU(MPI.COMM_WORLD, armilla.Grid.healpix(1024), 2048) as iqu:
            alm = iqu.analysis(whole_map[:, iqu.pixels])     # (3, iqu.alm_size)
    """

    __slots__ = ()
    _operators = IQU_OPERATORS
    _report_tail = (2,)

    def __init__(self, comm: Any, grid: Grid, lmax: int, mmax: Optional[int] = None, *,
                 groups: int = 1, orders: Optional[ArrayLike] = None,
                 rings: Optional[ArrayLike] = None, method: str = "auto", spin_method: str = "auto",
                 isa: Optional[str] = None, host_bytes: int = 0, cache_bytes: int = 0,
                 choices: Optional[str] = None, chunk_bytes: int = 0) -> None:
        """The arguments are those of armilla.mpi.SHT, with lmax >= 2."""
        self._open(comm, grid, lmax, mmax, groups, orders, rings, {
            "method": method, "spin_method": spin_method, "isa": isa, "host_bytes": host_bytes,
            "cache_bytes": cache_bytes, "choices": choices, "chunk_bytes": chunk_bytes})

    def _new(self, options: Any, distributed: Any) -> Any:
        made = ffi.new("armilla_distributed_iqu **")
        ended(lib.armilla_distributed_iqu_new(self._transport.struct, self._distribution.pointer,
                                              options, distributed, made))
        return ffi.gc(made[0], lib.armilla_distributed_iqu_free)

    @property
    def alm_shape(self) -> Tuple[int, ...]:
        """Shape of this rank's coefficients of one field."""
        return 3, self.alm_size

    @property
    def map_shape(self) -> Tuple[int, ...]:
        """Shape of this rank's map of one field."""
        return 3, self.npix

    def __repr__(self) -> str:
        return f"<armilla.mpi.IQU lmax {self.lmax}, mmax {self.mmax}, {self._where()}>"
