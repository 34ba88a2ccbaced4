"""Transforms over ranks to and from arbitrary points, of which each rank has its own."""
from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import pointer
from ._distribution import POINTS_OPERATORS
from ._errors import check, threads
from ._mpi_arguments import of_host, options_of
from ._mpi_calls import Common, PlaceCalls
from ._mpi_coefficients import Coefficients
from ._native import ffi, lib
from ._progress import Progress, ended
from ._pseudo import PseudoReport, Sizes
from ._structs import as_tuple
from ._types import Mode, PointsOptions, SpinMethod
from .points import locations
from .points import options_of as points_options


class PointsDescription(NamedTuple):
    """What a rank has of a plan for points, or for lensed maps.

    Attributes
    ----------
    npoints : int
        Number of points of this rank.
    all_points : int
        Number of points of all ranks.
    points_here : int
        Number of points that this rank works on, whoever has them.
    strips : int
        Number of strips of colatitude of this rank.
    nstrips : int
        Number of strips of all ranks.
    %(alm_size)s
    ncomp : int
        Number of components of the values.
    %(alm_ncomp)s
    moves_alm : int
        1: calls move coefficients to other ranks first.
    chunks : int
        Number of chunks that the messages of a transform are sent in.
    plan_bytes : int
        Memory of the rank's plan.
    workspace_bytes : int
        Memory of a call with doubles.
    """

    npoints: int
    all_points: int
    points_here: int
    strips: int
    nstrips: int
    alm_size: int
    ncomp: int
    alm_ncomp: int
    moves_alm: int
    chunks: int
    plan_bytes: int
    workspace_bytes: int


class PointsCalls(PlaceCalls, Coefficients):
    """What Points and Lensing over ranks share: options, and shapes that follow from them."""

    __slots__ = ()
    _options: PointsOptions
    _told: PointsDescription

    def _describe(self, plan: Any, nthreads: int) -> PointsDescription:
        raise NotImplementedError

    def describe(self, nthreads: int = 0) -> PointsDescription:
        """Return what this rank holds; not collective.

        Parameters
        ----------
        %(nthreads.call)s

        Returns
        -------
        PointsDescription
            Sizes and memory in bytes.
        """
        self._check_open()
        return self._describe(self._pointer, threads(nthreads))

    @property
    def spin(self) -> int:
        """Spin of the field."""
        return self._options.spin

    @property
    def mode(self) -> Mode:
        """What coefficients and components mean: "standard", "gradient_only" or "derivatives"."""
        return self._options.mode

    @property
    def epsilon(self) -> float:
        """Largest rms error of the values, relative to the rms of the field over the sphere."""
        return self._options.epsilon

    @property
    def alm_shape(self) -> Tuple[int, ...]:
        """Shape of this rank's coefficients of one field."""
        ncomp = self._told.alm_ncomp
        return ((ncomp,) if ncomp > 1 else ()) + (self._told.alm_size,)

    @property
    def map_shape(self) -> Tuple[int, ...]:
        """Shape of this rank's values of one field."""
        ncomp = self._told.ncomp
        return ((ncomp,) if ncomp > 1 else ()) + (self._told.npoints,)

    def __repr__(self) -> str:
        return (f"<armilla.mpi.{type(self).__name__} lmax {self.lmax}, mmax {self.mmax}, spin "
                f"{self.spin}, {self.mode}, epsilon {self.epsilon:g}, {self._where()}>")


def read_options(given: Tuple[Any, ...], nthreads: int, chunk_bytes: int, **more: Any
                 ) -> Tuple[PointsOptions, Dict[str, Any], Tuple[Any, Any, Any]]:
    """Options, those that all ranks give alike, and what the library takes, with what must outlive
    it. given, more: as points_options takes them."""
    options, struct, alive = points_options(given, None, **more)
    struct.nthreads = threads(nthreads)
    _, distributed, _ = options_of({"chunk_bytes": chunk_bytes})
    common = {**options._asdict(), "chunk_bytes": distributed.chunk_bytes}
    return options, common, (struct, distributed, alive)


def described(describe: Any, plan: Any, nthreads: int) -> PointsDescription:
    """What the library tells of a rank's plan."""
    told = ffi.new("armilla_distributed_points_description *")
    told.size = ffi.sizeof("armilla_distributed_points_description")
    check(describe(plan, nthreads, told))
    return as_tuple(PointsDescription, told)


def own_locations(loc: ArrayLike) -> np.ndarray:
    """A rank's points; [] for none."""
    given = of_host(loc, "loc")
    return locations(np.empty((0, 2)) if np.shape(given) == (0,) else given)


class Points(PointsCalls):
    """A plan over ranks for transforms between coefficients and values at arbitrary points.

    Parameters
    ----------
    %(comm.plan)s
    %(lmax.from_0)s
    loc : array_like, shape (npoints, 2)
        Colatitude, 0 to pi, and longitude, in radians, of this rank's points; [] for none.
    %(spin.signed)s
    %(epsilon)s
    %(arguments.points_plan_of_rank)s
    upsampling : float, optional
        As for `armilla.Points`.
    taps : int, optional
        As for `armilla.Points`.
    %(chunk_bytes)s

    %(Raises.plan_of_ranks)s

    See Also
    --------
    armilla.Points : A plan of one process, with the same results.

    Notes
    -----
    Each rank brings its own points, whichever it likes, and gets the values that `armilla.Points`
    gives in one process with the points of all ranks, those of rank 0 first: bit for bit, on any
    number of ranks. Its coefficients are those of its `orders`, which are the orders of an `SHT`
    with the same `lmax` and `mmax`, unless one of the two is given `orders`, or the `SHT` groups.

    Making a plan, the operators and `close` are collective: all ranks call them in the same order,
    with the same arguments except `loc`, `orders`, `nthreads` and arrays. What one rank raises all
    ranks raise.

    Examples
    --------
    >>> import armilla, armilla.mpi, numpy as np
    >>> from mpi4py import MPI
    >>> comm = MPI.COMM_WORLD
    >>> loc = np.random.default_rng(comm.rank).uniform([0, 0], [np.pi, 2 * np.pi], (1000, 2))
    >>> with armilla.mpi.Points(comm, 32, loc) as points:
    ...     alm = points.random(np.ones(33), seed=1)        # this rank's orders
    ...     values = points.synthesis(alm)                  # at this rank's points
    >>> values.shape
    (1000,)
    """

    __slots__ = ("_options", "_told", "_loc")
    _loc: np.ndarray
    _operators = POINTS_OPERATORS

    def __init__(self, comm: Any, lmax: int, loc: ArrayLike, spin: int = 0, epsilon: float = 1e-7,
                 mmax: Optional[int] = None, mode: Mode = "standard", isa: Optional[str] = None, *,
                 orders: Optional[ArrayLike] = None, spin_method: SpinMethod = "auto",
                 nthreads: int = 0, upsampling: float = 0.0, taps: int = 0, chunk_bytes: int = 0
                 ) -> None:
        given = lmax, spin, epsilon, mmax, mode, isa, spin_method

        def read() -> Tuple[Common, Any]:
            self._options, common, own = read_options(given, nthreads, chunk_bytes,
                                                      upsampling=upsampling, taps=taps)
            self._loc = own_locations(loc)
            return Common(common, orders), own

        self._begin(comm, read)

    def _new(self, common: Common, own: Any) -> Any:
        struct, distributed, _ = own
        made = ffi.new("armilla_distributed_points **")
        ended(lib.armilla_distributed_points_new(
            self._transport.struct, self._distribution.pointer, len(self._loc), pointer(self._loc),
            struct, distributed, made))
        return ffi.gc(made[0], lib.armilla_distributed_points_free)

    def _describe(self, plan: Any, nthreads: int) -> PointsDescription:
        return described(lib.armilla_distributed_points_describe, plan, nthreads)

    def _sizes_of_fit(self) -> Sizes:
        """As if all points had a weight: nobody counts those of the other ranks."""
        band = self.lmax, self.mmax, 1, abs(self.spin)
        return Sizes.of(band, self.alm_shape, self.map_shape, self._told.all_points)

    @property
    def loc(self) -> np.ndarray:
        """This rank's points, shape (npoints, 2), read-only."""
        return self._loc

    def synthesis(self, alm: ArrayLike, *, out: Optional[np.ndarray] = None, nthreads: int = 0,
                  progress: Progress = None) -> np.ndarray:
        """Transform coefficients to values at the points: Y.

        This is collective: all ranks call it.

        Parameters
        ----------
        %(alm.rank)s
        %(arguments.out_of_rank)s

        Returns
        -------
        ndarray, shape (...,) + map_shape
            The values at this rank's points, of the precision of `alm`.

        %(Raises.ranks)s
        """
        return self._to_map("synthesis", alm, out, nthreads, progress)

    def adjoint_synthesis(self, values: ArrayLike, *, out: Optional[np.ndarray] = None,
                          nthreads: int = 0, progress: Progress = None) -> np.ndarray:
        """Apply the adjoint of synthesis, without weights: Y^T.

        This is collective: all ranks call it.

        Parameters
        ----------
        values : array_like, shape (...,) + map_shape
            Values at this rank's points, float32 or float64.
        %(arguments.out_of_rank)s

        Returns
        -------
        ndarray, shape (...,) + alm_shape
            This rank's coefficients, of the precision of `values`.

        %(Raises.ranks)s
        """
        return self._to_alm("adjoint_synthesis", values, "values", out, nthreads, progress,
                            lambda: 0)

    def pseudo_analysis(self, values: ArrayLike, *, tolerance: float = 1e-10,
                        max_iterations: int = 100, weights: Optional[ArrayLike] = None,
                        guess: Optional[ArrayLike] = None, out: Optional[np.ndarray] = None,
                        nthreads: int = 0, progress: Progress = None
                        ) -> Tuple[np.ndarray, PseudoReport]:
        """Fit coefficients to values at the points of all ranks: least squares by iteration (LSMR).

        This is collective: all ranks call it.

        Parameters
        ----------
        values : array_like, shape (...,) + map_shape
            Values at this rank's points. What a masked array hides is left out.
        %(tolerance)s
        %(max_iterations)s
        weights : array_like, shape (npoints,), optional
            Weights of this rank's points, 0 or more; 1 by default.
        %(guess.ranks)s
        %(arguments.out_of_rank)s

        Returns
        -------
        %(alm+report.rank)s

        %(Raises.ranks)s

        Warns
        -----
        ConvergenceWarning
            On rank 0: if `tolerance` was not reached.
        ExactnessWarning
            On rank 0: if all ranks together have fewer values than real coefficients.
        """
        return self._fit("values", values, ("lsmr", tolerance, max_iterations), weights, None,
                         guess, out, nthreads, progress, lambda: 0)
