"""The layers of armilla.torch over several processes: each has some rows of the maps and some
orders of the coefficients, and torch.distributed exchanges what lies between the two stages."""
from __future__ import annotations

import zlib
from typing import Any, List, Optional, Tuple, Union

import numpy as np
import torch
from numpy.typing import ArrayLike

from ._legs import ADJOINT, Legs, order_weights, rows_of, shared_out
from ._networks import Arguments, Frame
from ._torch_modules import ALMS, HALF, MAPS, check_type
from ._types import Norm, Quadrature
from .grid import Grid


# torch.compile leaves what has this alone, and goes on behind it.
_EAGER = getattr(getattr(torch, "compiler", None), "disable", lambda function: function)


class _Stage(torch.autograd.Function):  # type: ignore[misc]
    """A stage of (n, ncomp, ...), linear over the real numbers. weights: c_m, which the stage of
    the rows has in its transpose."""

    @staticmethod
    def forward(ctx: Any, values: Any, legs: Legs, name: str, weights: Any) -> Any:
        ctx.legs, ctx.name, ctx.weights = legs, name, weights
        given = values.detach().resolve_conj().resolve_neg().contiguous().numpy()
        return torch.from_numpy(legs.run(name, given))

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        legs, name = ctx.legs, ctx.name
        weights = ctx.weights.to(gradient.real.dtype)
        if name == "from_map":
            gradient = gradient / weights
        made = _Stage.apply(gradient, legs, ADJOINT[name], ctx.weights)
        return weights * made if name == "to_map" else made, None, None, None


class _Exchange(torch.autograd.Function):  # type: ignore[misc]
    """What lies between the stages, from orders to rows or back: a permutation of numbers, whose
    transpose goes the other way. All in one step, since PyTorch loses the thread where a process
    has nothing, and would not take part in the exchange of the gradient."""

    @staticmethod
    def forward(ctx: Any, leg: Any, shares: "_Shares", to_rows: bool) -> Any:
        ctx.shares, ctx.to_rows = shares, to_rows
        leg = leg.detach().resolve_conj()
        return shares.to_rows(leg) if to_rows else shares.to_orders(leg)

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return _Exchange.apply(gradient, ctx.shares, not ctx.to_rows), None, None


class _Shares:
    """Which process has which orders and rows, and the exchange between them."""

    def __init__(self, group: Any, mmax: int, nrings: int) -> None:
        self.group = group
        self.rank = torch.distributed.get_rank(group)
        size = torch.distributed.get_world_size(group)
        self.rows = shared_out(nrings, size)
        self.orders = [list(range(first, mmax, size)) for first in range(size)]
        self.dealt = torch.tensor(sum(self.orders, []))
        self.places = torch.argsort(self.dealt)

    def _sent(self, line: Any, sent: List[int], received: List[int]) -> Any:
        """Parts of a line of complex numbers to all, from all."""
        given = torch.view_as_real(line.contiguous())
        made = given.new_empty((sum(received), 2))
        torch.distributed.all_to_all_single(made, given, received, sent, group=self.group)
        return torch.view_as_complex(made)

    def _counts(self, n: int) -> Tuple[List[int], List[int]]:
        """Numbers for the rows of each process, and of the orders of each."""
        rows, orders = self.rows[self.rank], self.orders[self.rank]
        return ([n * len(one) * len(orders) for one in self.rows],
                [n * len(rows) * len(one) for one in self.orders])

    def to_rows(self, leg: Any) -> Any:
        """(n, ncomp, all rows, own orders) -> (n, ncomp, own rows, all orders)."""
        n, (by_rows, by_orders) = leg.shape[:2], self._counts(leg.shape[0] * leg.shape[1])
        line = self._sent(leg.permute(2, 3, 0, 1).reshape(-1), by_rows, by_orders)
        parts = [part.reshape(len(self.rows[self.rank]), len(orders), *n)
                 for part, orders in zip(line.split(by_orders), self.orders)]
        return torch.cat(parts, 1)[:, self.places].permute(2, 3, 0, 1).contiguous()

    def to_orders(self, leg: Any) -> Any:
        """The transpose of to_rows."""
        n, (by_rows, by_orders) = leg.shape[:2], self._counts(leg.shape[0] * leg.shape[1])
        leg = leg.permute(3, 2, 0, 1)[self.dealt]  # blocks of (orders, own rows, n, ncomp)
        line = torch.cat([block.transpose(0, 1).reshape(-1)
                          for block in leg.split([len(one) for one in self.orders])])
        line = self._sent(line, by_orders, by_rows)
        made = line.reshape(self.rows[-1].stop, len(self.orders[self.rank]), *n)
        return made.permute(2, 3, 0, 1).contiguous()


def _must_be_alike(frame: Frame, given: Arguments, group: Any) -> None:
    """An error on all processes where they make different layers; a collective call."""
    told = repr((type(frame), frame.alm_shape, frame.map_shape, given.norm, bool(given.csphase),
                 frame.to_map)).encode() + frame.ruled.rings.tobytes()
    number = torch.tensor(zlib.crc32(told))
    ends = [number.clone(), -number]
    for one in ends:
        torch.distributed.all_reduce(one, torch.distributed.ReduceOp.MAX, group=group)
    if int(ends[0]) != -int(ends[1]):
        raise ValueError("the processes of the group make different layers")


class _Shared(torch.nn.Module):  # type: ignore[misc]
    """What the distributed layers share."""

    _is_vector = False

    def _set(self, given: Arguments, is_analysis: bool, group: Any, nthreads: int) -> None:
        super().__init__()
        if not (torch.distributed.is_available() and torch.distributed.is_initialized()):
            raise RuntimeError("distributed layers need torch.distributed.init_process_group")
        self.nlat, self.nlon, self.grid = given.nlat, given.nlon, given.grid
        self.norm, self.csphase = given.norm, given.csphase
        rule: Optional[Quadrature] = "weights" if is_analysis else None
        self._frame = frame = Frame(given, self._is_vector, rule)
        self.lmax, self.mmax = frame.lmax, frame.mmax
        if torch.distributed.get_rank(group) < 0:
            raise ValueError("group: this process is not one of it")
        _must_be_alike(frame, given, group)
        rings = rows_of(frame).copy()
        if not is_analysis:
            rings["weight"] = 1
        self._shares = shares = _Shares(group, frame.mmax, len(rings))
        self.orders, mine = shares.orders[shares.rank], shares.rows[shares.rank]
        self.rows = slice(mine.start, mine.stop)
        self._legs = Legs(frame, rings, np.array(self.orders, np.int64), rings[self.rows],
                          nthreads)
        begin = int(rings["nphi"][:mine.start].sum())
        self.pixels = slice(begin, begin + self._legs.npix)
        self._weights = torch.from_numpy(order_weights(frame))
        self._factor = None if frame.factor is None else torch.from_numpy(
            np.ascontiguousarray(frame.factor[..., self.orders]))

    def extra_repr(self) -> str:
        """Return what print shows of the layer.

        Returns
        -------
        str
            Sizes, grid, and what this process has.
        """
        return (f"{self._frame.words()}, rows {self.rows.start} to {self.rows.stop - 1}, "
                f"{len(self.orders)} orders")

    def _tails(self) -> Tuple[Tuple[int, ...], Tuple[int, ...]]:
        """Shapes of one field here: coefficients and map."""
        frame, legs = self._frame, self._legs
        two = len(frame.map_shape) - len(frame.components) == 2
        pixels = (legs.nrows, frame.map_shape[-1]) if two else (legs.npix,)
        return (*frame.components, frame.lmax, legs.norders), (*frame.components, *pixels)

    def _scaled(self, alm: Any) -> Any:
        real = torch.float64 if alm.dtype == torch.complex128 else torch.float32
        return alm if self._factor is None else alm * self._factor.to(real)

    def _stage(self, values: Any, name: str) -> Any:
        return _Stage.apply(values, self._legs, name, self._weights)

    @_EAGER
    def _synthesised(self, x: Any) -> Any:
        check_type(x, ALMS)
        alm, pixels = self._tails()
        lead, legs = self._frame.lead(x.shape, alm, True), self._legs
        leg = self._stage(self._scaled(x).reshape(self._fields(lead, legs.lmax, legs.norders)),
                          "to_leg")
        leg = _Exchange.apply(leg, self._shares, True)
        return self._stage(leg, "to_map").reshape(lead + pixels)

    @_EAGER
    def _analysed(self, x: Any) -> Any:
        check_type(x, MAPS)
        alm, pixels = self._tails()
        lead, legs = self._frame.lead(x.shape, pixels, False), self._legs
        x = x.to(torch.float32) if x.dtype in HALF else x
        leg = self._stage(x.reshape(self._fields(lead, legs.npix)), "from_map")
        leg = _Exchange.apply(leg, self._shares, False)
        return self._scaled(self._stage(leg, "to_alm").reshape(lead + alm))

    def _fields(self, lead: Tuple[int, ...], *tail: int) -> Tuple[int, ...]:
        return (int(np.prod(lead, dtype=np.int64)), self._legs.ncomp, *tail)


class _SharedAnalysis(_Shared):
    def __init__(self, nlat: Optional[int] = None, nlon: Optional[int] = None,
                 lmax: Optional[int] = None, mmax: Optional[int] = None,
                 grid: Union[str, Grid] = "equiangular", norm: Norm = "ortho",
                 csphase: bool = True, *, group: Any = None, south_first: bool = False,
                 latitude: Optional[ArrayLike] = None, nthreads: int = 0) -> None:
        self._set(Arguments(nlat, nlon, lmax, mmax, grid, norm, csphase, south_first, latitude),
                  True, group, nthreads)


class _SharedSynthesis(_Shared):
    def __init__(self, nlat: Optional[int] = None, nlon: Optional[int] = None,
                 lmax: Optional[int] = None, mmax: Optional[int] = None,
                 grid: Union[str, Grid] = "equiangular", norm: Norm = "ortho",
                 csphase: bool = True, *, group: Any = None, south_first: bool = False,
                 latitude: Optional[ArrayLike] = None, nthreads: int = 0) -> None:
        self._set(Arguments(nlat, nlon, lmax, mmax, grid, norm, csphase, south_first, latitude),
                  False, group, nthreads)


class DistributedRealSHT(_SharedAnalysis):
    """Analysis over processes: rows of maps here, orders there.

    %(sections.layer_of_processes)s

    %(Warns.weights)s

    See Also
    --------
    RealSHT : On one process.

    Notes
    -----
    %(text.shards_of_processes)s

    Examples
    --------
    One process; torchrun starts more:

    >>> import os, tempfile, torch
    >>> from armilla import torch as at
    >>> file = os.path.join(tempfile.mkdtemp(), "store")
    >>> torch.distributed.init_process_group("gloo", init_method=f"file://{file}", rank=0,
    ...                                      world_size=1)
    >>> layer = at.DistributedRealSHT(33, 64)
    >>> layer.rows, len(layer.orders)
    (slice(0, 33, None), 17)
    >>> torch.distributed.destroy_process_group()
    """

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Transform.

        Parameters
        ----------
        x : Tensor, shape (..., rows, nlon) or (..., pixels)
            Maps, float64, float32, float16 or bfloat16.

        Returns
        -------
        Tensor, shape (..., lmax, orders)
            Coefficients; those with m > l are 0: complex128 for float64, else complex64.

        %(Raises.the_shape+the_type)s
        """
        return self._analysed(x)


class DistributedInverseRealSHT(_SharedSynthesis):
    """Synthesis over processes: rows of maps here, orders there.

    %(sections.layer_of_processes)s

    See Also
    --------
    InverseRealSHT : On one process.

    Notes
    -----
    %(text.shards_of_processes)s

    Examples
    --------
    One process; torchrun starts more:

    >>> import os, tempfile, torch
    >>> from armilla import torch as at
    >>> file = os.path.join(tempfile.mkdtemp(), "store")
    >>> torch.distributed.init_process_group("gloo", init_method=f"file://{file}", rank=0,
    ...                                      world_size=1)
    >>> layer = at.DistributedInverseRealSHT(33, 64)
    >>> layer.rows, len(layer.orders)
    (slice(0, 33, None), 17)
    >>> torch.distributed.destroy_process_group()
    """

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Transform.

        Parameters
        ----------
        x : Tensor, shape (..., lmax, orders)
            Coefficients, complex64 or complex128.

        Returns
        -------
        Tensor, shape (..., rows, nlon) or (..., pixels)
            The maps: float64 for complex128, else float32.

        %(Raises.the_shape+the_type)s
        """
        return self._synthesised(x)


class DistributedRealVectorSHT(_SharedAnalysis):
    """Analysis of vectors over processes: rows of maps here, orders there.

    %(sections.layer_of_processes)s

    %(Warns.weights)s

    See Also
    --------
    RealVectorSHT : On one process.

    Notes
    -----
    %(text.grad_and_curl)s

    %(text.shards_of_processes)s

    Examples
    --------
    One process; torchrun starts more:

    >>> import os, tempfile, torch
    >>> from armilla import torch as at
    >>> file = os.path.join(tempfile.mkdtemp(), "store")
    >>> torch.distributed.init_process_group("gloo", init_method=f"file://{file}", rank=0,
    ...                                      world_size=1)
    >>> layer = at.DistributedRealVectorSHT(33, 64)
    >>> layer.rows, len(layer.orders)
    (slice(0, 33, None), 17)
    >>> torch.distributed.destroy_process_group()
    """

    _is_vector = True

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Transform.

        Parameters
        ----------
        x : Tensor, shape (..., 2, rows, nlon) or (..., 2, pixels)
            v_theta and v_phi, float64, float32, float16 or bfloat16.

        Returns
        -------
        Tensor, shape (..., 2, lmax, orders)
            S and T; 0 for m > l and at l = 0: complex128 for float64, else complex64.

        %(Raises.the_shape+the_type)s
        """
        return self._analysed(x)


class DistributedInverseRealVectorSHT(_SharedSynthesis):
    """Synthesis of vectors over processes: rows of maps here, orders there.

    %(sections.layer_of_processes)s

    See Also
    --------
    InverseRealVectorSHT : On one process.

    Notes
    -----
    %(text.grad_and_curl)s

    %(text.shards_of_processes)s

    Examples
    --------
    One process; torchrun starts more:

    >>> import os, tempfile, torch
    >>> from armilla import torch as at
    >>> file = os.path.join(tempfile.mkdtemp(), "store")
    >>> torch.distributed.init_process_group("gloo", init_method=f"file://{file}", rank=0,
    ...                                      world_size=1)
    >>> layer = at.DistributedInverseRealVectorSHT(33, 64)
    >>> layer.rows, len(layer.orders)
    (slice(0, 33, None), 17)
    >>> torch.distributed.destroy_process_group()
    """

    _is_vector = True

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Transform.

        Parameters
        ----------
        x : Tensor, shape (..., 2, lmax, orders)
            S and T, complex64 or complex128.

        Returns
        -------
        Tensor, shape (..., 2, rows, nlon) or (..., 2, pixels)
            v_theta and v_phi: float64 for complex128, else float32.

        %(Raises.the_shape+the_type)s
        """
        return self._synthesised(x)
