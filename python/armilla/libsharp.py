"""The Python interface of libsharp to HEALPix maps and packed real coefficients over MPI ranks.

pysm3 and others call it so. A program that imports libsharp by that name finds this module after
``sys.modules["libsharp"] = armilla.libsharp``. Without a communicator the calling process
transforms what it has, and all else is 0:

    >>> import numpy as np
    >>> from armilla import libsharp
    >>> grid = libsharp.healpix_grid(16)                # all rings; rings=: this rank's, from 1 on
    >>> order = libsharp.packed_real_order(32)          # all orders; ms=: this rank's
    >>> maps = np.ones((1, 1, grid.local_size()))
    >>> alm = libsharp.analysis(grid, order, maps, spin=0, comm=None)   # or MPI.COMM_WORLD
    >>> order.almxfl(alm, np.ones(33))
    >>> maps = libsharp.synthesis(grid, order, alm, spin=0, comm=None)

Maps are (ntrans, ncomp, pixels of the rings), where ncomp is 1 for spin 0 and 2 otherwise, and
coefficients (ntrans, ncomp, local_size()); both float64. Each ring and each order is on one rank,
any of them: rings that mirror each other may be on two.
"""
from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import reals
from ._distribution import numbers
from ._errors import shown, whole
from .grid import Grid
from .healpy import _inputs

__all__ = ["adjoint_analysis", "adjoint_synthesis", "analysis", "healpix_grid",
           "packed_real_order", "sht", "synthesis"]


def __dir__() -> List[str]:
    return __all__


def _listed(name: str, given: Optional[ArrayLike], first: int, last: int) -> np.ndarray:
    """A list of numbers, each at most once; None: all of them."""
    made = numbers(name, given)
    if made is None:
        return np.arange(first, last + 1)
    if made.size and not first <= made.min() <= made.max() <= last:
        raise ValueError(f"{name}: must be {first} .. {last}")
    if len(np.unique(made)) < len(made):
        raise ValueError(f"{name}: a number is there twice")
    return made


def _single_stride(stride: int) -> None:
    if stride != 1:
        raise ValueError(f"stride = {stride}: must be 1")


class healpix_grid:
    """HEALPix rings of this rank: their pixels, one ring after the other, in the order of `rings`.

    Parameters
    ----------
    %(nside)s
    stride : int, optional
        Must be 1.
    rings : array_like of int, optional
        Numbers of the rings, from 1 to 4 nside - 1. By default all.
    weights : array_like, shape (2 nside,), optional
        Factors of the weights 4 pi / npix on the rings from the north pole to the equator, and on
        their mirror images.

    Raises
    ------
    ValueError
        If a number is out of range, or is there twice.

    Examples
    --------
    >>> from armilla import libsharp
    >>> libsharp.healpix_grid(16, rings=[1, 63]).local_size()
    8
    """

    def __init__(self, nside: int, stride: int = 1, rings: Optional[ArrayLike] = None,
                 weights: Optional[ArrayLike] = None) -> None:
        _single_stride(stride)
        self._grid = Grid.healpix(nside)
        self._nside = whole("nside", nside)
        self._rings = _listed("rings", rings, 1, self._grid.nrings) - 1
        table = self._grid.rings[self._rings]
        n = table["nphi"]
        within = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
        self._pixels = np.repeat(table["offset"], n) + within
        self._factors: Optional[np.ndarray] = None
        if weights is not None:
            given = reals(weights, "weights")
            if given.shape != (2 * nside,):
                raise ValueError(f"weights: has shape {given.shape}, must have ({2 * nside},)")
            north = np.minimum(self._rings, self._grid.nrings - 1 - self._rings)
            self._factors = np.repeat(given[north], n)

    def local_size(self) -> int:
        """Return the number of pixels of the rings.

        %(Returns.int)s
        """
        return len(self._pixels)


class packed_real_order:
    """Coefficients of the real harmonics of this rank's orders, one order after the other.

    Parameters
    ----------
    %(lmax)s
    stride : int, optional
        Must be 1.
    ms : array_like of int, optional
        The orders, from 0 to `lmax`. By default all.

    Raises
    ------
    ValueError
        If a number is out of range, or is there twice.

    Notes
    -----
    The coefficients of an order are a_l0, or sqrt(2) times the real and the imaginary part of
    a_lm, for l = m to lmax.

    Examples
    --------
    >>> from armilla import libsharp
    >>> libsharp.packed_real_order(32).local_size()
    1089
    """

    def __init__(self, lmax: int, stride: int = 1, ms: Optional[ArrayLike] = None) -> None:
        _single_stride(stride)
        if whole("lmax", lmax) < 0:
            raise ValueError(f"lmax = {lmax}: must be at least 0")
        self._lmax = lmax
        self._ms = _listed("ms", ms, 0, lmax)
        n = lmax + 1 - self._ms
        m = np.repeat(self._ms, n)
        l = m + np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
        reals = np.where(m > 0, 2, 1)
        self._l = np.repeat(l, reals)
        self._real = np.cumsum(reals) - reals  # where the real part of each a_lm is
        self._is_complex = m > 0
        self._number = m * (2 * lmax + 1 - m) // 2 + l  # of a_lm in healpy's order
        self._plans: Optional[_Plans] = None

    def local_size(self) -> int:
        """Return the number of real coefficients of one component.

        %(Returns.int)s
        """
        return len(self._l)

    def mval(self) -> np.ndarray:
        """Return the orders.

        Returns
        -------
        ndarray of int32
            The orders.
        """
        return self._ms.astype(np.int32)

    def mvstart(self) -> np.ndarray:
        """Return the place that l = 0 of each order would have.

        Returns
        -------
        ndarray of int
            The places.
        """
        reals = np.where(self._ms > 0, 2, 1)
        sizes = reals * (self._lmax + 1 - self._ms)
        return np.cumsum(sizes) - sizes - reals * self._ms

    def almxfl(self, alm: np.ndarray, fl: ArrayLike) -> None:
        """Multiply coefficients by a function of the degree, in place.

        Parameters
        ----------
        alm : ndarray, shape (ntrans, ncomp, local_size())
            Coefficients, which are changed.
        fl : array_like, shape (lmax + 1,), (lmax + 1, 1) or (lmax + 1, ncomp)
            Factors of all components, or of each.

        %(Raises.shape)s
        """
        factors = reals(fl, "fl")
        if factors.ndim == 1:
            factors = factors[:, None]
        if alm.ndim != 3 or alm.shape[2] != self.local_size():
            raise ValueError(f"alm: has shape {alm.shape}, must have (ntrans, ncomp, "
                             f"{self.local_size()})")
        if (factors.ndim != 2 or len(factors) <= self._lmax
                or factors.shape[1] not in (1, alm.shape[1])):
            raise ValueError(f"fl: has shape {np.shape(fl)}, must have ({self._lmax + 1}, 1) or "
                             f"({self._lmax + 1}, {alm.shape[1]})")
        alm *= factors[self._l].T

    def _to_complex(self, alm: np.ndarray, places: np.ndarray, size: int) -> np.ndarray:
        """(ntrans, ncomp, local_size()) -> (ntrans, ncomp, size), each a_lm at its place."""
        values = np.zeros(alm.shape[:2] + (len(places),), np.complex128)
        values.real = alm[..., self._real]
        values.imag[..., self._is_complex] = alm[..., self._real[self._is_complex] + 1]
        values[..., self._is_complex] *= np.sqrt(0.5)
        made = np.zeros(alm.shape[:2] + (size,), np.complex128)
        made[..., places] = values
        return made

    def _to_real(self, values: np.ndarray, places: np.ndarray) -> np.ndarray:
        """The way back."""
        values = values[..., places]
        made = np.empty(values.shape[:2] + (self.local_size(),))
        made[..., self._real] = values.real
        values = values[..., self._is_complex] * np.sqrt(2)
        made[..., self._real[self._is_complex]] = values.real
        made[..., self._real[self._is_complex] + 1] = values.imag
        return made


# --- Plans ----------------------------------------------------------------------------------------


class _Alone:
    """A transform of the whole sphere in this process."""

    def __init__(self, grid: healpix_grid, order: packed_real_order, spin: int) -> None:
        lmax = order._lmax
        self.plan: Any = _inputs.plan(grid._nside, lmax, lmax, spin)
        self.pixels, self.numbers = grid._pixels, order._number


class _Parts:
    """A transform over ranks: where pixels and coefficients are in its arrays."""

    def __init__(self, plan: Any, grid: healpix_grid, order: packed_real_order) -> None:
        self.plan = plan
        self.pixels = np.searchsorted(plan.pixels, grid._pixels)
        self.numbers = np.searchsorted(plan.alm_numbers, order._number)


class _Plans:
    """Plans of a grid, an order and a communicator, by spin: kept for the next call."""

    def __init__(self, grid: healpix_grid, order: packed_real_order, transport: Any) -> None:
        from ._mpi_sht import SHT
        from ._mpi_transport import MPI
        self.grid, self.transport = grid, transport
        own = int(order._ms.max(initial=0))
        lmax, mmax = order._lmax, transport.comm.allreduce(own, op=MPI.MAX)
        try:
            first = SHT._sharing(transport, grid._grid, lmax, mmax, order._ms, grid._rings, 0)
        except ValueError as error:
            text = str(error)
            raise ValueError(text + (" (the first ring is 0 here)" if text.startswith("rings")
                                     else "")) from None
        self.by_spin: Dict[int, _Parts] = {0: _Parts(first, grid, order)}

    def of_spin(self, spin: int, grid: healpix_grid, order: packed_real_order) -> _Parts:
        """Collective where it is a new one."""
        if spin not in self.by_spin:
            self.by_spin[spin] = _Parts(self.by_spin[0].plan._with_spin(spin), grid, order)
        return self.by_spin[spin]


def _over_ranks(grid: healpix_grid, order: packed_real_order, spin: int, comm: Any) -> _Parts:
    """Collective: kept plans are used if all ranks have kept them."""
    from ._mpi_transport import MPI, Transport
    transport = Transport.kept(comm)
    plans = order._plans
    if plans is None or plans.grid is not grid or plans.transport is not transport:
        lacks = 2  # all plans
    else:
        lacks = 0 if spin in plans.by_spin else 1
    lacks = transport.comm.allreduce(lacks, op=MPI.MAX)
    if lacks == 2 or plans is None:
        order._plans = plans = _Plans(grid, order, transport)
    elif lacks == 1:
        plans.by_spin.pop(spin, None)
    return plans.of_spin(spin, grid, order)


# --- The transforms -------------------------------------------------------------------------------

_JOBS = {"Y": "synthesis", "Yt": "adjoint_synthesis", "YtW": "analysis", "WY": "adjoint_analysis"}


def _input(given: ArrayLike, size: int, spin: int) -> np.ndarray:
    values = reals(given, "input")
    ncomp = 2 if spin else 1
    if values.ndim != 3 or values.shape[1:] != (ncomp, size):
        raise ValueError(f"input: has shape {values.shape}, must have (ntrans, {ncomp}, {size}) "
                         f"for spin {spin}")
    return values


def _read(jobtype: str, grid: healpix_grid, order: packed_real_order, given: ArrayLike, spin: int
          ) -> np.ndarray:
    if jobtype not in _JOBS:
        raise ValueError(f"jobtype = {shown(jobtype)}: must be one of {', '.join(_JOBS)}")
    if whole("spin", spin) < 0:
        raise ValueError(f"spin = {spin}: must be at least 0")
    to_map = jobtype in ("Y", "WY")
    return _input(given, order.local_size() if to_map else grid.local_size(), spin)


def sht(jobtype: str, grid: healpix_grid, order: packed_real_order, input: ArrayLike,
        spin: int = 0, comm: Any = None, add: bool = False) -> np.ndarray:
    """Transform coefficients or maps, collectively over the ranks.

    Parameters
    ----------
    jobtype : {"Y", "Yt", "YtW", "WY"}
        Synthesis, its transpose, analysis by quadrature, or its transpose.
    %(grid.rank)s
    %(order.rank)s
    input : array_like, shape (ntrans, ncomp, n)
        This rank's coefficients, or its maps.
    %(spin)s
    %(comm.libsharp)s
    add : bool, optional
        Must be False.

    Returns
    -------
    ndarray, shape (ntrans, ncomp, n)
        This rank's maps, or its coefficients; a new array.

    %(Raises.libsharp)s
    NotImplementedError
        If `add` is True.
    """
    if add:
        raise NotImplementedError("add = True: there is no array to add to")
    if comm is None:
        values = _read(jobtype, grid, order, input, spin)
        parts: Any = _Alone(grid, order, spin)
        return _run(_JOBS[jobtype], grid, order, values, parts)
    from ._mpi_signals import INTERRUPTS
    from ._mpi_transport import Transport, check_communicator, together
    check_communicator(comm)
    with INTERRUPTS:
        values = together(Transport.kept(comm).comm,
                          lambda: _read(jobtype, grid, order, input, spin))
        parts = _over_ranks(grid, order, spin, comm)
        return _run(_JOBS[jobtype], grid, order, values, parts)


def _run(name: str, grid: healpix_grid, order: packed_real_order, values: np.ndarray, parts: Any
         ) -> np.ndarray:
    plan, lead = parts.plan, (len(values),)
    weights = grid._factors if name in ("analysis", "adjoint_analysis") else None
    if name in ("synthesis", "adjoint_analysis"):
        alm = order._to_complex(values, parts.numbers, plan.alm_shape[-1])
        maps = getattr(plan, name)(alm.reshape(lead + plan.alm_shape))
        made = maps.reshape(values.shape[:2] + plan.map_shape[-1:])[..., parts.pixels]
        return made if weights is None else made * weights
    maps = np.zeros(values.shape[:2] + (plan.map_shape[-1],))
    maps[..., parts.pixels] = values if weights is None else values * weights
    alm = getattr(plan, name)(maps.reshape(lead + plan.map_shape), missing="propagate")
    return order._to_real(alm.reshape(values.shape[:2] + plan.alm_shape[-1:]), parts.numbers)


def synthesis(grid: healpix_grid, order: packed_real_order, alm: ArrayLike, spin: int = 0,
              comm: Any = None) -> np.ndarray:
    """Transform coefficients to maps: Y.

    %(sections.libsharp_to_maps)s
    """
    return sht("Y", grid, order, alm, spin, comm)


def adjoint_synthesis(grid: healpix_grid, order: packed_real_order, maps: ArrayLike, spin: int = 0,
                      comm: Any = None) -> np.ndarray:
    """Apply the adjoint of synthesis, without weights: Y^T.

    %(sections.libsharp_to_alm)s
    """
    return sht("Yt", grid, order, maps, spin, comm)


def analysis(grid: healpix_grid, order: packed_real_order, maps: ArrayLike, spin: int = 0,
             comm: Any = None) -> np.ndarray:
    """Transform maps to coefficients by quadrature: Y^T W.

    %(sections.libsharp_to_alm)s

    Examples
    --------
    >>> import numpy as np
    >>> from armilla import libsharp
    >>> grid, order = libsharp.healpix_grid(8), libsharp.packed_real_order(8)
    >>> libsharp.analysis(grid, order, np.ones((1, 1, grid.local_size())))[0, 0, :1].round(4)
    array([3.5449])
    """
    return sht("YtW", grid, order, maps, spin, comm)


def adjoint_analysis(grid: healpix_grid, order: packed_real_order, alm: ArrayLike, spin: int = 0,
                     comm: Any = None) -> np.ndarray:
    """Apply the adjoint of analysis: W Y.

    %(sections.libsharp_to_maps)s
    """
    return sht("WY", grid, order, alm, spin, comm)
