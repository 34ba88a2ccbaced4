"""Distributed plans: transforms between coefficients and maps of which each rank has a part."""
from __future__ import annotations

from typing import Any, ClassVar, Dict, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import missing_rule
from ._distribution import IQU_OPERATORS, SHT_OPERATORS, Description, Distribution
from ._errors import check, threads, whole
from ._exactness import warn_if_inexact
from ._mpi_arguments import options_of
from ._mpi_calls import Calls, Common
from ._mpi_coefficients import Coefficients, Maps
from ._mpi_parts import Parts
from ._mpi_transport import Transport, together
from ._native import ffi, lib
from ._progress import Progress, ended
from ._pseudo import PseudoReport, Sizes
from ._structs import as_tuple
from ._types import Method, Missing, Mode, PseudoMethod, SpinMethod
from .grid import Grid, GridLike, as_grid
from .transform import Functions


class Plan(Calls, Coefficients, Maps, Parts):
    """What SHT and IQU share: a plan of the library, and the operators on arrays."""

    __slots__ = ("_settings", "_has_warned")
    _settings: Dict[str, Any]
    _has_warned: bool
    _operators: ClassVar[Functions]

    def _begin(self, comm: Any, grid: Any, lmax: Any, mmax: Any, groups: Any,
               orders: Optional[ArrayLike], rings: Optional[ArrayLike], settings: Dict[str, Any]
               ) -> None:
        self._open(comm, lambda transport: self._make(transport, True, grid, lmax, mmax, groups,
                                                      orders, rings, settings))

    def _make(self, transport: Transport, owns: bool, grid: Any, lmax: Any, mmax: Any, groups: Any,
              orders: Optional[ArrayLike], rings: Optional[ArrayLike], settings: Dict[str, Any]
              ) -> None:
        def read() -> Common:
            wanted = as_grid(grid)
            top = whole("lmax", lmax)
            options_of(settings)
            return Common({"lmax": top, "mmax": top if mmax is None else whole("mmax", mmax),
                           "groups": whole("groups", groups), **settings}, orders, rings, wanted)

        common = together(transport.comm, read)
        groups = common.arguments["groups"]
        self._build(transport, owns, common.distribution(transport.comm, groups), groups, settings)

    def _build(self, transport: Transport, owns: bool, distribution: Distribution, groups: int,
               settings: Dict[str, Any]) -> None:
        options, distributed, kept = options_of(settings)
        self._set_share(transport, owns, distribution, groups)
        self._settings, self._has_warned = settings, False
        self._pointer = self._new(options, distributed)
        del kept

    def _new(self, options: Any, distributed: Any) -> Any:
        """Collective: a plan of the library."""
        raise NotImplementedError

    # --- The operators ----------------------------------------------------------------------------

    def synthesis(self, alm: ArrayLike, *, out: Optional[np.ndarray] = None, nthreads: int = 0,
                  progress: Progress = None) -> np.ndarray:
        """Transform this rank's coefficients to its map: Y.

        This is collective: all ranks call it.

        %(sections.synthesis_of_rank)s
        """
        return self._to_map("synthesis", alm, out, nthreads, progress)

    def adjoint_synthesis(self, map: ArrayLike, *, out: Optional[np.ndarray] = None,
                          nthreads: int = 0, progress: Progress = None, missing: Missing = "error"
                          ) -> np.ndarray:
        """Apply the adjoint of synthesis, without weights: Y^T.

        This is collective: all ranks call it.

        %(sections.analysis_of_rank)s
        """
        return self._samples_to_alm("adjoint_synthesis", map, out, nthreads, progress, missing)

    def analysis(self, map: ArrayLike, *, out: Optional[np.ndarray] = None, nthreads: int = 0,
                 progress: Progress = None, missing: Missing = "error") -> np.ndarray:
        """Transform this rank's map to its coefficients by quadrature: Y^T W.

        This is collective: all ranks call it.

        %(sections.analysis_of_rank)s

        Warns
        -----
        ExactnessWarning
            On rank 0: see `armilla.SHT.analysis`.
        """
        return self._samples_to_alm("analysis", map, out, nthreads, progress, missing)

    def adjoint_analysis(self, alm: ArrayLike, *, out: Optional[np.ndarray] = None,
                         nthreads: int = 0, progress: Progress = None) -> np.ndarray:
        """Apply the adjoint of analysis: W Y.

        This is collective: all ranks call it.

        %(sections.synthesis_of_rank)s
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
        %(tolerance)s
        max_iterations : int, optional
            Limit of iterations: by default 3 for "jacobi" and 100 for the others.
        weights : array_like, shape (npix,), optional
            Weights of this rank's pixels; 1 by default.
        mask : array_like, shape (npix,), optional
            0 or False where a pixel of this rank is left out.
        %(guess.ranks)s
        %(arguments.out_of_rank)s
        %(missing.rank)s

        Returns
        -------
        %(alm+report.rank)s

        Raises
        ------
        ValueError
            On all ranks, if a shape or a number is wrong on one of them.
        %(TypeError.ranks)s
        NotImplementedError
            If the plan has several groups of ranks.
        """
        limit = max_iterations
        if limit is None:
            limit = 3 if method == "jacobi" else 100
        return self._fit("map", map, (method, tolerance, limit), weights, mask, guess, out,
                         nthreads, progress, lambda: missing_rule(missing))

    def _sizes_of_fit(self) -> Sizes:
        """As if all pixels had a weight: nobody counts those of the other ranks."""
        band = self.lmax, self.mmax, 1, abs(int(self._settings.get("spin", 0)))
        return Sizes.of(band, self.alm_shape, self.map_shape, self.grid.npix, self.grid.nrings)

    # --- How --------------------------------------------------------------------------------------

    def _samples_to_alm(self, name: str, map: ArrayLike, out: Optional[np.ndarray], nthreads: int,
                        progress: Progress, missing: Missing) -> np.ndarray:
        def rule() -> int:
            if name == "analysis" and not self._has_warned and self._distribution.rank == 0:
                self._has_warned = True
                warn_if_inexact(self.grid, self.lmax, self.mmax)
            return missing_rule(missing)

        return self._to_alm(name, map, "map", out, nthreads, progress, rule)

    def _where(self) -> str:
        """For __repr__: the grid, too."""
        return f"on {self.grid!r}, {super()._where()}"


class SHT(Plan):
    """A plan over the ranks of a communicator, each of which has a part of coefficients and maps.

    Parameters
    ----------
    %(comm.plan)s
    grid : Grid or str
        Where the pixels of all ranks are.
    %(lmax)s
    %(mmax)s
    %(spin.signed)s
    groups : int, optional
        Number of groups of ranks, each of which transforms its share of the fields. It divides the
        number of ranks.
    %(orders.dealt)s
    rings : array_like of int, optional
        Rings of this rank, in any order; [] for none. By default, on all ranks, they are dealt by
        what they cost. Rings that mirror each other may be on two ranks; results then agree with
        those of one rank to rounding.
    mode : {"standard", "gradient_only", "derivatives"}, optional
        As for `armilla.SHT`; so are the parameters below.
    %(arguments.ways)s

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
        self._begin(comm, grid, lmax, mmax, groups, orders, rings, {
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
        %(nthreads.call)s

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
    %(comm.plan)s
    grid : Grid or str
        Where the pixels of all ranks are.
    lmax : int
        Largest degree, 2 or more.
    %(mmax)s
    groups : int, optional
        Number of groups of ranks; this and the parameters below are as for `SHT`.
    orders : array_like of int, optional
        Orders m of this rank.
    rings : array_like of int, optional
        Rings of this rank, any of them.
    %(arguments.ways)s

    %(Raises.ranks)s

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
        self._begin(comm, grid, lmax, mmax, groups, orders, rings, {
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
