"""Weak lensing over ranks: from coefficients to lensed maps, of which each rank has its rings."""
from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Output, as_alm, pointer
from ._distribution import Distribution
from ._errors import choice, whole
from ._lensing import KINDS
from ._mpi_arguments import Call, of_host
from ._mpi_calls import Common
from ._mpi_coefficients import Maps
from ._mpi_points import PointsCalls, PointsDescription, described, read_options
from ._mpi_transport import together
from ._native import ffi, lib
from ._progress import Progress, ended
from ._types import Mode, SpinMethod
from .grid import GridLike, as_grid

_COMPLEX, _DOUBLE = np.dtype(np.complex128), np.dtype(np.float64)


class Lensing(PointsCalls, Maps):
    """A plan over ranks for lensed maps of fields given by their coefficients, and the adjoint.

    Parameters
    ----------
    %(comm.plan)s
    grid : Grid or str
        Where the pixels of all ranks are.
    deflection : array_like, shape (n,) or (2, n)
        This rank's coefficients of the potential phi of the deflection alpha = grad phi; or of phi
        and Omega, where alpha = grad phi + curl Omega.
    lmax : int
        Largest degree of the field.
    %(spin.signed)s
    %(epsilon)s
    %(mmax)s
    kind : {"potential", "vector"}, optional
        Whether `deflection` holds these coefficients, or sqrt(l (l + 1)) times these, which
        lenspyx calls dlm.
    deflection_lmax : int, optional
        Largest degree of the deflection. By default it is `lmax`.
    deflection_mmax : int, optional
        Largest order of the deflection. By default it is `mmax`, or `deflection_lmax` where that is
        given.
    %(mode.ranks)s
    %(isa)s
    %(orders.dealt)s
    rings : array_like of int, optional
        Rings of this rank, in any order; [] for none. By default, on all ranks, they are dealt by
        what they cost.
    %(spin_method)s
    %(nthreads.plan_of_rank)s
    %(chunk_bytes)s

    %(Raises.plan_of_ranks)s

    See Also
    --------
    armilla.Lensing : A plan of one process, with the same results.

    Notes
    -----
    The coefficients of a rank, of the field as of the deflection, are those of its orders; with
    other band limits the deflection has the orders of an `SHT` with these. Results are those of
    `armilla.Lensing`, bit for bit, on any number of ranks. Single precision is computed in double.

    Making a plan, the operators and `close` are collective: all ranks call them in the same order,
    with the same arguments except `deflection`, `orders`, `rings`, `nthreads` and arrays. What one
    rank raises all ranks raise.

    Examples
    --------
    >>> import armilla, armilla.mpi, numpy as np
    >>> from mpi4py import MPI
    >>> comm, grid = MPI.COMM_WORLD, armilla.Grid.healpix(16)
    >>> with armilla.mpi.SHT(comm, grid, 32) as sht:
    ...     phi = sht.random(1e-6 / np.arange(1, 34.0) ** 4, seed=1)
    >>> with armilla.mpi.Lensing(comm, grid, phi, 32) as lensing:
    ...     lensed = lensing.alm2lenmap(lensing.random(np.ones(33), seed=2))
    >>> lensed.shape == (lensing.npix,)
    True
    """

    __slots__ = ("_options", "_told")
    _operators = {("alm2lenmap", _DOUBLE): lib.armilla_distributed_lensing_alm2lenmap,
                  ("adjoint", _DOUBLE): lib.armilla_distributed_lensing_adjoint}

    def __init__(self, comm: Any, grid: GridLike, deflection: ArrayLike, lmax: int, spin: int = 0,
                 epsilon: float = 1e-7, mmax: Optional[int] = None, *, kind: str = "potential",
                 deflection_lmax: Optional[int] = None, deflection_mmax: Optional[int] = None,
                 mode: Mode = "standard", isa: Optional[str] = None,
                 orders: Optional[ArrayLike] = None, rings: Optional[ArrayLike] = None,
                 spin_method: SpinMethod = "auto", nthreads: int = 0, chunk_bytes: int = 0
                 ) -> None:
        given = lmax, spin, epsilon, mmax, mode, isa, spin_method

        def read() -> Tuple[Common, Any]:
            wanted = as_grid(grid)
            self._options, common, own = read_options(given, nthreads, chunk_bytes)
            modes = _modes(deflection)
            common = {**common, "kind": kind,
                      **_band(self._options, deflection_lmax, deflection_mmax),
                      "number of components of deflection": len(modes)}
            choice("kind", kind, {name: KINDS[name] for name in ("potential", "vector")})
            return Common(common, orders, rings, wanted), (modes, *own)

        self._begin(comm, read)

    def beside(self, lmax: int, spin: int = 0, epsilon: Optional[float] = None,
               mmax: Optional[int] = None, *, mode: Mode = "standard", isa: Optional[str] = None,
               orders: Optional[ArrayLike] = None, spin_method: SpinMethod = "auto",
               nthreads: int = 0, chunk_bytes: int = 0) -> Lensing:
        """Make a plan for other fields under the same deflection, whose directions are shared.

        This is collective: all ranks call it. It is for polarisation in addition to temperature.
        The new plan has the grid and the rings of this one, and is closed by itself.

        Parameters
        ----------
        %(arguments.lensing_beside)s
        %(arguments.points_plan_of_rank)s
        %(chunk_bytes)s

        Returns
        -------
        Lensing
            The new plan.

        %(Raises.plan_of_ranks)s
        """
        self._check_open()
        other = Lensing.__new__(Lensing)
        wanted = self.epsilon if epsilon is None else epsilon
        given = lmax, spin, wanted, mmax, mode, isa, spin_method

        def read() -> Tuple[Common, Any]:
            other._options, common, own = read_options(given, nthreads, chunk_bytes)
            return Common(common, orders, self.rings, self.grid), (self, *own)

        other._begin(self._transport.comm, read)
        return other

    def _new(self, common: Common, own: Any) -> Any:
        """own: coefficients of the deflection, or a plan beside which this one is made."""
        source, struct, distributed, _ = own
        transport, distribution = self._transport, self._distribution
        made = ffi.new("armilla_distributed_lensing **")
        if isinstance(source, Lensing):
            ended(lib.armilla_distributed_lensing_new_beside(
                source._pointer, transport.struct, distribution.pointer, struct, distributed, made))
        else:
            parts = _of_deflection(transport.comm, distribution, common.arguments)
            deflection = together(transport.comm, lambda: _struct(parts, source,
                                                                  common.arguments["kind"]))
            ended(lib.armilla_distributed_lensing_new(
                transport.struct, distribution.pointer, deflection, struct, distributed, made))
        return ffi.gc(made[0], lib.armilla_distributed_lensing_free)

    def _describe(self, plan: Any, nthreads: int) -> PointsDescription:
        return described(lib.armilla_distributed_lensing_describe, plan, nthreads)

    def alm2lenmap(self, alm: ArrayLike, *, out: Optional[np.ndarray] = None, nthreads: int = 0,
                   progress: Progress = None) -> np.ndarray:
        """Transform this rank's coefficients to its part of the lensed map.

        This is collective: all ranks call it.

        Parameters
        ----------
        %(alm.rank)s
        %(arguments.out_of_rank)s

        Returns
        -------
        ndarray, shape (...,) + map_shape
            This rank's pixels, of the precision of `alm`.

        %(Raises.ranks)s
        """
        return self._to_map("alm2lenmap", alm, out, nthreads, progress)

    def adjoint(self, map: ArrayLike, *, out: Optional[np.ndarray] = None, nthreads: int = 0,
                progress: Progress = None) -> np.ndarray:
        """Apply the adjoint of alm2lenmap, without weights.

        This is collective: all ranks call it.

        Parameters
        ----------
        map : array_like, shape (...,) + map_shape
            This rank's pixels, float32 or float64.
        %(arguments.out_of_rank)s

        Returns
        -------
        ndarray, shape (...,) + alm_shape
            This rank's coefficients, of the precision of `map`.

        %(Raises.ranks)s
        """
        return self._to_alm("adjoint", map, "map", out, nthreads, progress, lambda: 0)

    def _ready(self, call: Call) -> Call:
        """The library lenses doubles: arrays of floats have others in their stead."""
        ready = super()._ready(call)
        if call.real == _DOUBLE:
            return ready
        made = _DOUBLE if call.source.dtype.kind == "c" else _COMPLEX
        source = call.source.astype(_COMPLEX if call.source.dtype.kind == "c" else _DOUBLE)
        target = Output(None, call.target.result.shape, made, True)
        return ready._replace(more=(call._replace(source=source, target=target, real=_DOUBLE),))

    def _execute(self, name: str, call: Call, weights: Optional[np.ndarray], ntrans: int,
                 nthreads: int, progress: Progress) -> None:
        wide: Call = call.more[0] if call.more else call
        super()._execute(name, wide._replace(more=()), weights, ntrans, nthreads, progress)
        if wide is not call:
            call.target.array[...] = wide.target.array

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, on {self.grid!r}>"


# --- Deflections ----------------------------------------------------------------------------------


def _modes(deflection: ArrayLike) -> np.ndarray:
    """(1 or 2, n) of complex128: the potential, and that of the curl."""
    given = as_alm(of_host(deflection, "deflection"), "deflection")
    if given.ndim not in (1, 2) or given.ndim == 2 and len(given) not in (1, 2):
        raise ValueError(f"deflection: has shape {given.shape}, must have (n,), or (2, n): "
                         "gradient and curl")
    return np.array(given, np.complex128, order="C", ndmin=2)


def _band(options: Any, lmax: Optional[int], mmax: Optional[int]) -> Dict[str, int]:
    """The limits of the deflection, by their names."""
    top = options.lmax if lmax is None else whole("deflection_lmax", lmax)
    if mmax is not None:
        most = whole("deflection_mmax", mmax)
    else:
        most = options.mmax if lmax is None else top
    if not 0 <= most <= top:
        raise ValueError(f"deflection_lmax = {top}, deflection_mmax = {most}: must be 0 <= "
                         "deflection_mmax <= deflection_lmax")
    return {"deflection_lmax": top, "deflection_mmax": most}


def _of_deflection(comm: Any, fields: Distribution, arguments: Dict[str, Any]) -> Distribution:
    """Collective: which rank has what of the deflection, whose rings are those of the fields."""
    lmax, mmax = arguments["deflection_lmax"], arguments["deflection_mmax"]
    if (lmax, mmax) == (fields.lmax, fields.mmax):
        return fields
    return together(comm, lambda: Distribution(fields.grid, lmax, mmax, comm.size, comm.rank, 1,
                                               None, ring_owners(fields, comm.size)))


def ring_owners(distribution: Distribution, nranks: int) -> np.ndarray:
    """Which rank has each ring."""
    owner = np.empty(distribution.grid.nrings, np.int64)
    for rank in range(nranks):
        owner[distribution.rings(rank)] = rank
    return owner


def _struct(distribution: Distribution, modes: np.ndarray, kind: str) -> Any:
    """The library's struct; the array and the distribution must live as long."""
    if modes.shape[1] != distribution.alm_size:
        raise ValueError(f"deflection: has {modes.shape[1]} coefficients, must have those of this "
                         f"rank's orders, {distribution.alm_size}")
    deflection = ffi.new("armilla_distributed_deflection *")
    lib.armilla_distributed_deflection_init(deflection)
    deflection.distribution, deflection.kind = distribution.pointer, KINDS[kind]
    deflection.gradient = pointer(modes[0])
    deflection.has_curl = len(modes) - 1
    if len(modes) > 1:
        deflection.curl = pointer(modes[1])
    return deflection
