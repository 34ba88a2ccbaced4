"""Calls that ranks make together: what all of them tell each other before, so that an error of one
is that of all, and how a plan begins and ends."""
from __future__ import annotations

import math
from types import TracebackType
from typing import Any, Callable, ClassVar, Dict, Optional, Tuple, Type, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import (COMPLEX_OF, REAL_OF, Output, apart, as_alm, as_map, input_buffer,
                      leading_shape, pointer, reals, unmasked)
from ._distribution import Distribution, numbers, owners
from ._errors import threads
from ._mpi_arguments import Call, Iteration, fingerprint, must_be_alike, must_fit, of_host
from ._mpi_parts import Share
from ._mpi_signals import INTERRUPTS, heeding
from ._mpi_transport import Transport, agree, check_communicator, together
from ._native import ffi
from ._progress import Progress, check_progress, execute
from ._pseudo import (PseudoReport, Sizes, guess_like, new_reports, pixel_weights,
                      pseudo_options, reported, warn_of_fit)
from .grid import Grid
from .transform import Functions

_Self = TypeVar("_Self", bound="Calls")

# What a rank tells the others before a call: columns of an array (nranks, 5). LEAVES_OUT_ALL: its
# weights and mask leave out all of its samples, or it has none.
_RIGHT, _FIELDS, _IS_FLOAT, _HAS_WEIGHTS, _LEAVES_OUT_ALL = range(5)


class Common:
    """Arguments of a plan, and which rank has what."""

    def __init__(self, arguments: Dict[str, Any], orders: Optional[ArrayLike],
                 rings: Optional[ArrayLike] = None, grid: Optional[Grid] = None) -> None:
        """arguments: that all ranks give alike, among them "mmax". grid: None where rings play no
        part."""
        self.arguments = arguments if grid is None else {"grid": fingerprint(grid), **arguments}
        self.grid = Grid.equidistant("CC", 3, 4) if grid is None else grid
        self.orders, self.rings = numbers("orders", orders), numbers("rings", rings)

    def distribution(self, comm: Any, groups: int = 1) -> Distribution:
        """Collective: from the lists of all ranks; ValueError where arguments are not alike."""
        every = comm.allgather((self.arguments, self.orders, self.rings))
        must_be_alike([given for given, _, _ in every])
        if groups < 1 or comm.size % groups:
            raise ValueError(f"groups = {groups}: must divide the number of ranks, {comm.size}")
        lmax, mmax = self.arguments["lmax"], self.arguments["mmax"]
        order_member = owners("orders", [one for _, one, _ in every], mmax + 1, groups)
        ring_member = owners("rings", [one for _, _, one in every], self.grid.nrings, groups)
        return together(comm, lambda: Distribution(self.grid, lmax, mmax, comm.size, comm.rank,
                                                   groups, order_member, ring_member))


class Calls(Share):
    """A plan of the library that all ranks of a communicator have, and its operators."""

    __slots__ = ()
    _operators: ClassVar[Functions]
    _report_tail: ClassVar[Tuple[int, ...]] = ()
    _fits_doubles: ClassVar[bool] = False  # one field at a time, whatever its type

    def _open(self, comm: Any, make: Callable[[Transport], None]) -> None:
        """Collective: makes the plan on a transport of its own."""
        check_communicator(comm)
        with INTERRUPTS:
            transport = Transport(comm)
            try:
                make(transport)
            except Exception:
                transport.close()
                raise

    # --- What a kind of plan says -----------------------------------------------------------------

    @property
    def alm_shape(self) -> Tuple[int, ...]:
        """Shape of this rank's coefficients of one field."""
        raise NotImplementedError

    @property
    def map_shape(self) -> Tuple[int, ...]:
        """Shape of this rank's values of one field."""
        raise NotImplementedError

    @property
    def _samples(self) -> int:
        """Pixels or points of this rank."""
        return self.map_shape[-1]

    def _sizes_of_fit(self) -> Sizes:
        raise NotImplementedError

    # --- Operators --------------------------------------------------------------------------------

    def _to_map(self, name: str, alm: ArrayLike, out: Optional[np.ndarray], nthreads: int,
                progress: Progress) -> np.ndarray:
        """Collective."""
        def prepared() -> Call:
            given = apart(as_alm(of_host(alm, "alm")), out)
            lead, real = leading_shape(given, self.alm_shape, "alm"), REAL_OF[given.dtype]
            return Call(given, Output(out, lead + self.map_shape, real, True), lead, real)

        return self._run(name, prepared, nthreads, progress).target.finish()

    def _to_alm(self, name: str, values: ArrayLike, argument: str, out: Optional[np.ndarray],
                nthreads: int, progress: Progress, missing: Callable[[], int]) -> np.ndarray:
        """Collective. argument: how messages call the values."""
        def prepared() -> Call:
            rule = missing()
            given = apart(as_map(of_host(values, argument), argument), out)
            lead, real = leading_shape(given, self.map_shape, argument), given.dtype
            return Call(given, Output(out, lead + self.alm_shape, COMPLEX_OF[real], True), lead,
                        real, rule)

        return self._run(name, prepared, nthreads, progress).target.finish()

    # --- A call -----------------------------------------------------------------------------------

    def _run(self, name: str, prepared: Callable[[], Call], nthreads: int, progress: Progress
             ) -> Call:
        """Collective: `prepared` reads this rank's arguments."""
        self._check_open()
        call: Optional[Call] = None
        error: Optional[Exception] = None
        with INTERRUPTS:
            try:
                check_progress(progress)
                nthreads, call = threads(nthreads), self._ready(prepared())
            except Exception as raised:  # whatever it is, the other ranks must hear of it
                error = raised
            told = self._tell(call, error)
            ntrans = must_fit(told, self._distribution, self._groups)
            assert call is not None
            if ntrans:
                weights = self._all_weights(call, told)
                self._execute(name, call, weights, ntrans, nthreads, heeding(progress))
        return call

    def _ready(self, call: Call) -> Call:
        """With all copies that the call needs, since one rank alone must not run out of memory
        once others wait for it."""
        source, distance = input_buffer(call.source)
        return call._replace(source=source, distance=distance)

    def _tell(self, call: Optional[Call], error: Optional[Exception]) -> np.ndarray:
        """Collective: what all ranks tell, (nranks, 5); an error, if a rank has one."""
        comm = self._transport.comm
        mine: np.ndarray = np.zeros(5, np.int64)
        mine[_RIGHT] = error is None
        if call is not None:
            mine[_FIELDS], mine[_IS_FLOAT] = math.prod(call.lead), call.real == np.float32
            mine[_HAS_WEIGHTS] = call.weights is not None
            mine[_LEAVES_OUT_ALL] = (self._samples == 0 if call.weights is None
                                     else not call.weights.any())
        told: np.ndarray = np.empty((comm.size, len(mine)), np.int64)
        comm.Allgather(mine, told)
        if not told[:, _RIGHT].all():
            agree(comm, error)
        return told

    def _all_weights(self, call: Call, told: np.ndarray) -> Optional[np.ndarray]:
        """This rank's weights: where some rank has weights all must."""
        if not told[:, _HAS_WEIGHTS].any():
            return None
        if call.iteration is not None and told[:, _LEAVES_OUT_ALL].all():
            raise ValueError("weights, mask: leave out all pixels, or points, of all ranks")
        return np.ones(self._samples) if call.weights is None else call.weights

    def _execute(self, name: str, call: Call, weights: Optional[np.ndarray], ntrans: int,
                 nthreads: int, progress: Progress) -> None:
        target, more = call.target, call.more
        if call.iteration is not None:
            if weights is not None:
                call.iteration.options.weights = pointer(weights)
            more = call.iteration.options, call.iteration.reports
        distances = ((call.distance, target.distance) if call.source.dtype.kind == "c"
                     else (target.distance, call.distance))
        execute(self._operators[name, call.real],
                (self._pointer, pointer(call.source), pointer(target.array), *more), ntrans,
                nthreads, progress, *distances, missing=call.missing)

    # --- Least squares ----------------------------------------------------------------------------

    def _fit(self, name: str, values: ArrayLike, options: Any, weights: Optional[ArrayLike],
             mask: Optional[ArrayLike], guess: Optional[ArrayLike], out: Optional[np.ndarray],
             nthreads: int, progress: Progress, missing: Callable[[], int],
             more: Callable[[], Tuple[Any, ...]] = tuple) -> Tuple[np.ndarray, PseudoReport]:
        """Collective: pseudo_analysis of `values`, which messages call `name`. options: method,
        tolerance, limit; more: reads further arguments of the library."""
        method, tolerance, limit = options

        def prepared() -> Call:
            struct, rule = pseudo_options(method, tolerance, limit, None), missing()
            array, factors = unmasked(of_host(values, name), of_host(weights, "weights"), name)
            factors = self._sample_weights(factors, of_host(mask, "mask"), out)
            given = apart(as_map(array, name), out)
            if self._fits_doubles:
                given = reals(given, name)
            lead, real = leading_shape(given, self.map_shape, name), given.dtype
            if lead and self._fits_doubles:
                raise ValueError(f"{name}: has leading axes {lead}, must be of one sky")
            target = Output(out, lead + self.alm_shape, COMPLEX_OF[real], True)
            if self._fits_doubles:
                target.compact()
            start = None
            if guess is not None:
                start = guess_like(of_host(guess, "guess"), lead + self.alm_shape, target)
                struct.guess = ffi.cast("void *", start.ctypes.data)
            told, reports = new_reports(lead + self._report_tail)
            return Call(given, target, lead, real, rule, factors, more(),
                        Iteration(struct, start, told, reports))

        call = self._run("pseudo_analysis", prepared, nthreads, progress)
        assert call.iteration is not None
        report = reported(call.iteration.told)
        if self._distribution.rank == 0:
            warn_of_fit(report, method, tolerance, self._sizes_of_fit(), guess is not None)
        return call.target.finish(), report

    def _sample_weights(self, weights: Any, mask: Any, out: Optional[np.ndarray]
                        ) -> Optional[np.ndarray]:
        """As pixel_weights, but a mask or weights may leave out all pixels of one rank."""
        n = self._samples
        if mask is not None and np.shape(mask) == (n,) and not np.any(mask):
            pixel_weights(weights, np.ones(n, bool), n, out)  # only the checks
            return np.zeros(n)
        return pixel_weights(weights, mask, n, out)

    # --- Its end ----------------------------------------------------------------------------------

    def close(self) -> None:
        """Free the plan and its communicator, collectively.

        Closing it again does nothing.
        """
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


class PlaceCalls(Calls):
    """A plan for points, pointings or pixels, with a distribution of its own."""

    __slots__ = ()
    _told: Any

    def _begin(self, comm: Any, read: Callable[[], Tuple[Common, Any]]) -> None:
        """Collective: makes the plan. read: gives this rank's arguments, for all ranks to compare
        and for `_new`."""
        def make(transport: Transport) -> None:
            common, own = together(transport.comm, read)
            self._set_share(transport, True, common.distribution(transport.comm), 1)
            self._pointer = self._new(common, own)
            self._told = self.describe()

        self._open(comm, make)

    def _new(self, common: Common, own: Any) -> Any:
        """Collective: a plan of the library."""
        raise NotImplementedError

    def describe(self) -> Any:
        """Return what the library tells of the plan; not collective."""
        raise NotImplementedError
