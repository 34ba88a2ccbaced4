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
from ._errors import check, threads, whole
from ._exactness import warn_if_inexact
from ._mpi_arguments import (Call, Iteration, fingerprint, must_be_alike, must_fit, of_host,
                             options_of)
from ._mpi_coefficients import Coefficients
from ._mpi_signals import INTERRUPTS, heeding
from ._mpi_transport import Transport, agree, check_communicator, together
from ._native import ffi, lib
from ._progress import Progress, ended, execute
from ._pseudo import (PseudoReport, Sizes, guess_like, new_reports, pixel_weights,
                      pseudo_options, reported, warn_of_fit)
from ._structs import as_tuple
from ._types import Method, Missing, Mode, PseudoMethod, SpinMethod
from .grid import Grid, GridLike, as_grid
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
            wanted = as_grid(grid)
            top = whole("lmax", lmax)
            options_of(settings)
            return {"grid": fingerprint(wanted), "lmax": top,
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
        """Transform this rank's coefficients to its map: Y.

        This is collective: all ranks call it.

        Parameters
        ----------
        alm : array_like, shape (...,) + alm_shape
            This rank's coefficients, complex64 or complex128. Leading axes are fields that are
            transformed together.
        out : ndarray, optional
            Array for the result of this rank, which is returned.
        nthreads : int, optional
            Number of threads of this rank; 0 means all.
        progress : bool or callable, optional
            As in `armilla.SHT`, on each rank for itself; a function that returns a true value on
            any rank cancels the call on all ranks.

        Returns
        -------
        ndarray, shape (...,) + map_shape
            This rank's map, of the precision of `alm`.

        Raises
        ------
        ValueError
            On all ranks, if a shape or a number is wrong on one of them.
        TypeError
            On all ranks, if a type is wrong on one of them.
        """
        return self._to_map("synthesis", alm, out, nthreads, progress)

    def adjoint_synthesis(self, map: ArrayLike, *, out: Optional[np.ndarray] = None,
                          nthreads: int = 0, progress: Progress = None, missing: Missing = "error"
                          ) -> np.ndarray:
        """Apply the adjoint of synthesis, without weights: Y^T.

        This is collective: all ranks call it.

        Parameters
        ----------
        map : array_like, shape (...,) + map_shape
            This rank's map, float32 or float64. Leading axes are fields that are transformed
            together.
        out : ndarray, optional
            Array for the result of this rank, which is returned.
        nthreads : int, optional
            Number of threads of this rank; 0 means all.
        progress : bool or callable, optional
            As in `armilla.SHT`, on each rank for itself; a function that returns a true value on
            any rank cancels the call on all ranks.
        missing : {"error", "propagate"}, optional
            What is done about NaN, infinities and UNSEEN: "error" raises a ValueError on all
            ranks, with the first one's index in the maps of all ranks; "propagate" treats them as
            numbers.

        Returns
        -------
        ndarray, shape (...,) + alm_shape
            This rank's coefficients, of the precision of `map`.

        Raises
        ------
        ValueError
            On all ranks, if a shape or a number is wrong on one of them.
        TypeError
            On all ranks, if a type is wrong on one of them.
        """
        return self._to_alm("adjoint_synthesis", map, out, nthreads, progress, missing)

    def analysis(self, map: ArrayLike, *, out: Optional[np.ndarray] = None, nthreads: int = 0,
                 progress: Progress = None, missing: Missing = "error") -> np.ndarray:
        """Transform this rank's map to its coefficients by quadrature: Y^T W.

        This is collective: all ranks call it.

        Parameters
        ----------
        map : array_like, shape (...,) + map_shape
            This rank's map, float32 or float64. Leading axes are fields that are transformed
            together.
        out : ndarray, optional
            Array for the result of this rank, which is returned.
        nthreads : int, optional
            Number of threads of this rank; 0 means all.
        progress : bool or callable, optional
            As in `armilla.SHT`, on each rank for itself; a function that returns a true value on
            any rank cancels the call on all ranks.
        missing : {"error", "propagate"}, optional
            What is done about NaN, infinities and UNSEEN: "error" raises a ValueError on all
            ranks, with the first one's index in the maps of all ranks; "propagate" treats them as
            numbers.

        Returns
        -------
        ndarray, shape (...,) + alm_shape
            This rank's coefficients, of the precision of `map`.

        Raises
        ------
        ValueError
            On all ranks, if a shape or a number is wrong on one of them.
        TypeError
            On all ranks, if a type is wrong on one of them.

        Warns
        -----
        ExactnessWarning
            On rank 0: see `armilla.SHT.analysis`.
        """
        return self._to_alm("analysis", map, out, nthreads, progress, missing)

    def adjoint_analysis(self, alm: ArrayLike, *, out: Optional[np.ndarray] = None,
                         nthreads: int = 0, progress: Progress = None) -> np.ndarray:
        """Apply the adjoint of analysis: W Y.

        This is collective: all ranks call it.

        Parameters
        ----------
        alm : array_like, shape (...,) + alm_shape
            This rank's coefficients, complex64 or complex128. Leading axes are fields that are
            transformed together.
        out : ndarray, optional
            Array for the result of this rank, which is returned.
        nthreads : int, optional
            Number of threads of this rank; 0 means all.
        progress : bool or callable, optional
            As in `armilla.SHT`, on each rank for itself; a function that returns a true value on
            any rank cancels the call on all ranks.

        Returns
        -------
        ndarray, shape (...,) + map_shape
            This rank's map, of the precision of `alm`.

        Raises
        ------
        ValueError
            On all ranks, if a shape or a number is wrong on one of them.
        TypeError
            On all ranks, if a type is wrong on one of them.
        """
        return self._to_map("adjoint_analysis", alm, out, nthreads, progress)

    def pseudo_analysis(self, map: ArrayLike, *, method: PseudoMethod = "lsmr",
                        tolerance: float = 1e-10,
                        max_iterations: Optional[int] = None, weights: Optional[ArrayLike] = None,
                        mask: Optional[ArrayLike] = None, guess: Optional[ArrayLike] = None,
                        out: Optional[np.ndarray] = None, nthreads: int = 0,
                        progress: Progress = None, missing: Missing = "error"
                        ) -> Tuple[np.ndarray, PseudoReport]:
        """Fit this rank's coefficients to its map by iteration.

        This is collective: all ranks call it. It needs a plan with one group of ranks.

        Parameters
        ----------
        map : array_like, shape (...,) + map_shape
            This rank's map. What a masked array hides is left out.
        method : {"lsmr", "jacobi", "auto"}, optional
            See `armilla.SHT.pseudo_analysis`; so for what follows.
        tolerance : float, optional
            Relative accuracy at which LSMR stops.
        max_iterations : int, optional
            Limit of iterations: by default 3 for "jacobi" and 100 for the others.
        weights : array_like, shape (npix,), optional
            Weights of this rank's pixels; 1 by default.
        mask : array_like, shape (npix,), optional
            0 or False where a pixel of this rank is left out.
        guess : array_like, optional
            Coefficients to begin with; all ranks give some, or none does.
        out : ndarray, optional
            Array for the result of this rank, which is returned.
        nthreads : int, optional
            Number of threads of this rank; 0 means all.
        progress : bool or callable, optional
            As in `armilla.SHT`, on each rank for itself; a function that returns a true value on
            any rank cancels the call on all ranks.
        missing : {"error", "propagate"}, optional
            What is done about NaN, infinities and UNSEEN: "error" raises a ValueError on all
            ranks, with the first one's index in the maps of all ranks; "propagate" treats them as
            numbers.

        Returns
        -------
        alm : ndarray, shape (...,) + alm_shape
            This rank's coefficients.
        report : PseudoReport
            How the iteration ended, which is the same on all ranks.

        Raises
        ------
        ValueError
            On all ranks, if a shape or a number is wrong on one of them.
        TypeError
            On all ranks, if a type is wrong on one of them.
        NotImplementedError
            If the plan has several groups of ranks.
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
        report = reported(call.iteration.told)
        if self._distribution.rank == 0:
            warn_of_fit(report, method, tolerance, self._sizes_of_fit(), guess is not None)
        return call.target.finish(), report

    def _sizes_of_fit(self) -> Sizes:
        """As if all pixels had a weight: nobody counts those of the other ranks."""
        band = self.lmax, self.mmax, 1, abs(int(self._settings.get("spin", 0)))
        return Sizes.of(band, self.alm_shape, self.map_shape, self.grid.npix, self.grid.nrings)

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
                progress: Progress, missing: Missing) -> np.ndarray:
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
                nthreads, call = threads(nthreads), prepared()
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

    def _where(self) -> str:
        """For __repr__: the grid, and which rank it is."""
        comm = "" if self._pointer is None else f" of {self._transport.struct.nranks}"
        return f"on {self.grid!r}, rank {self._distribution.rank}{comm}"


class SHT(Plan):
    """A plan over the ranks of a communicator, each of which has a part of coefficients and maps.

    Parameters
    ----------
    comm : mpi4py communicator
        The ranks. The plan uses a duplicate of it.
    grid : Grid or str
        Where the pixels of all ranks are.
    lmax : int
        Largest degree.
    mmax : int, optional
        Largest order, 0 to `lmax`. By default it is `lmax`.
    spin : int, optional
        Spin of the field, from -lmax to lmax. 0, the default, is a scalar.
    groups : int, optional
        Number of groups of ranks, each of which transforms its share of the fields. It divides the
        number of ranks.
    orders : array_like of int, optional
        Orders m of this rank, in any order; [] for none. By default, on all ranks, they are dealt
        by what they cost.
    rings : array_like of int, optional
        Rings of this rank, in any order; [] for none. By default, on all ranks, they are dealt by
        what they cost. Rings that mirror each other may be on two ranks; results then agree with
        those of one rank to rounding.
    mode : {"standard", "gradient_only", "derivatives"}, optional
        As for `armilla.SHT`; so are the parameters below.
    method : {"auto", "direct", "resample"}, optional
        How Legendre functions are used.
    spin_method : {"auto", "recurrence"}, optional
        How functions of a spin are made. "recurrence" always uses the general recurrence, and
        serves comparisons.
    isa : str, optional
        Instruction set, one of `armilla.info().isa_available`. By default it is the best one of
        the machine.
    host_bytes : int, optional
        Memory that the plan and a call may take besides the arrays.
    cache_bytes : int, optional
        Memory that a core reads again and again at full speed.
    choices : str, optional
        Choices to force, for tests and for measuring.
    chunk_bytes : int, optional
        Approximate size of the messages of a field that a rank sends at once; 0 means 1 MB.

    Raises
    ------
    ValueError
        On all ranks, if an order or a ring is on two ranks or on none (the text has its number and
        the ranks), if arguments differ between ranks, or if a number is out of range.
    TypeError
        On all ranks, if an argument has a wrong type on one of them.

    See Also
    --------
    armilla.SHT : A plan of one process, with the same results.

    Notes
    -----
    A rank has some orders m, with all their degrees, and some rings, with all their pixels. Its
    coefficients have the shape (..., alm_size) or (..., 2, alm_size): rows l = m to lmax of its
    orders, m increasing. Its maps have the shape (..., npix) or (..., 2, npix): its rings, one
    after the other; `pixels` are their places in the whole map, which for HEALPix are RING
    numbers. Components and types are those of `armilla.SHT`, and so are results, bit for bit, on
    any number of ranks. Leading axes are fields that are transformed together; with several groups
    a rank has the fields that ``fields(nfields)`` tells, and the lists of the ranks of each group
    are the same.

    Making a plan, the operators, the methods that say so, and `close` are collective: all ranks
    call them in the same order, with the same arguments except `orders` and `rings`. What one rank
    raises all ranks raise. A plan has a duplicate of the communicator, which `close` or the end of
    a with-block frees; the garbage collector does not. A block that an exception leaves does not
    free it either, since it may be the exception of one rank alone, for which the others would
    wait.

    Examples
    --------
    >>> import armilla, armilla.mpi, numpy as np
    >>> from mpi4py import MPI
    >>> whole_map = np.ones(12 * 16**2)
    >>> with armilla.mpi.SHT(MPI.COMM_WORLD, armilla.Grid.healpix(16), 32) as sht:
    ...     alm = sht.analysis(whole_map[sht.pixels])
    ...     cl = sht.spectrum(alm)                      # on all ranks
    >>> cl.shape
    (33,)
    """

    __slots__ = ("_told",)
    _told: Description
    _operators = SHT_OPERATORS

    def __init__(self, comm: Any, grid: GridLike, lmax: int, mmax: Optional[int] = None, *,
                 spin: int = 0, groups: int = 1, orders: Optional[ArrayLike] = None,
                 rings: Optional[ArrayLike] = None, mode: Mode = "standard",
                 method: Method = "auto",
                 spin_method: SpinMethod = "auto", isa: Optional[str] = None, host_bytes: int = 0,
                 cache_bytes: int = 0, choices: Optional[str] = None, chunk_bytes: int = 0) -> None:
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
        """Return what this rank holds and sends; not collective.

        Parameters
        ----------
        nthreads : int, optional
            Number of threads of a call; 0 means all.

        Returns
        -------
        Description
            Sizes, memory in bytes and messages.
        """
        self._check_open()
        return _described(self._pointer, nthreads)

    def __repr__(self) -> str:
        return (f"<armilla.mpi.SHT lmax {self.lmax}, mmax {self.mmax}, spin {self.spin}, "
                f"{self._where()}>")


def _described(plan: Any, nthreads: int) -> Description:
    told = ffi.new("armilla_distributed_description *")
    told.size = ffi.sizeof("armilla_distributed_description")
    check(lib.armilla_distributed_sht_describe(plan, threads(nthreads), told))
    return as_tuple(Description, told)


class IQU(Plan):
    """A plan for polarised maps over ranks: I, Q, U to T, E, B and back, in one call.

    Parameters
    ----------
    comm : mpi4py communicator
        The ranks. The plan uses a duplicate of it.
    grid : Grid or str
        Where the pixels of all ranks are.
    lmax : int
        Largest degree, 2 or more.
    mmax : int, optional
        Largest order, 0 to `lmax`. By default it is `lmax`.
    groups : int, optional
        Number of groups of ranks; this and the parameters below are as for `SHT`.
    orders : array_like of int, optional
        Orders m of this rank.
    rings : array_like of int, optional
        Rings of this rank, any of them.
    method : {"auto", "direct", "resample"}, optional
        How Legendre functions are used.
    spin_method : {"auto", "recurrence"}, optional
        How functions of a spin are made. "recurrence" always uses the general recurrence, and
        serves comparisons.
    isa : str, optional
        Instruction set, one of `armilla.info().isa_available`. By default it is the best one of
        the machine.
    host_bytes : int, optional
        Memory that the plan and a call may take besides the arrays.
    cache_bytes : int, optional
        Memory that a core reads again and again at full speed.
    choices : str, optional
        Choices to force, for tests and for measuring.
    chunk_bytes : int, optional
        Approximate size of the messages of a field that a rank sends at once; 0 means 1 MB.

    Raises
    ------
    ValueError
        On all ranks, if a shape or a number is wrong on one of them.
    TypeError
        On all ranks, if a type is wrong on one of them.

    Notes
    -----
    Coefficients of a rank have the shape (..., 3, alm_size), and its maps (..., 3, npix). All else
    is as in `SHT`, and results are those of `armilla.IQU`, bit for bit, on any number of ranks.

    Examples
    --------
    >>> import armilla, armilla.mpi, numpy as np
    >>> from mpi4py import MPI
    >>> whole_map = np.ones((3, 12 * 16**2))
    >>> with armilla.mpi.IQU(MPI.COMM_WORLD, armilla.Grid.healpix(16), 32) as iqu:
    ...     alm = iqu.analysis(whole_map[:, iqu.pixels])        # (3, iqu.alm_size)
    >>> len(alm)
    3
    """

    __slots__ = ()
    _operators = IQU_OPERATORS
    _report_tail = (2,)

    def __init__(self, comm: Any, grid: GridLike, lmax: int, mmax: Optional[int] = None, *,
                 groups: int = 1, orders: Optional[ArrayLike] = None,
                 rings: Optional[ArrayLike] = None, method: Method = "auto",
                 spin_method: SpinMethod = "auto",
                 isa: Optional[str] = None, host_bytes: int = 0, cache_bytes: int = 0,
                 choices: Optional[str] = None, chunk_bytes: int = 0) -> None:
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
