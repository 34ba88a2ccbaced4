"""How a layer of armilla.torch runs over several processes: each has some rows of the maps and some
orders of the coefficients, and torch.distributed exchanges what lies between the two stages."""
from __future__ import annotations

import zlib
from typing import Any, List, Tuple

import numpy as np
import torch

from ._errors import shown
from ._legs import ADJOINT, Legs, order_weights, rows_of, shared_out
from ._networks import Frame
from ._torch_places import check_on_host

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


class _Exchanged(torch.autograd.Function):  # type: ignore[misc]
    """What lies between the stages, from orders to rows or back: a permutation of numbers, whose
    transpose goes the other way. All in one step, since PyTorch loses the thread where a process
    has nothing, and would not take part in the exchange of the gradient."""

    @staticmethod
    def forward(ctx: Any, leg: Any, exchange: "_Exchange", to_rows: bool) -> Any:
        ctx.exchange, ctx.to_rows = exchange, to_rows
        leg = leg.detach().resolve_conj()
        return exchange.to_rows(leg) if to_rows else exchange.to_orders(leg)

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return _Exchanged.apply(gradient, ctx.exchange, not ctx.to_rows), None, None


class _Exchange:
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


def _must_be_alike(frame: Frame, group: Any) -> None:
    """An error on all processes where they make different layers; a collective call."""
    factor = b"" if frame.factor is None else frame.factor.tobytes()
    told = repr((frame.is_vector, frame.alm_shape, frame.map_shape, frame.to_map,
                 frame.channels_last)).encode() + factor + frame.ruled.rings.tobytes()
    number = torch.tensor(zlib.crc32(told))
    ends = [number.clone(), -number]
    for one in ends:
        torch.distributed.all_reduce(one, torch.distributed.ReduceOp.MAX, group=group)
    if int(ends[0]) != -int(ends[1]):
        raise ValueError("the processes of the group make different layers")


def _processes(group: Any) -> Any:
    """The group as torch.distributed knows it: None is all processes there. Errors where there is
    none, and where this process is not one of it."""
    if not (torch.distributed.is_available() and torch.distributed.is_initialized()):
        raise RuntimeError("group: layers over processes need "
                           "torch.distributed.init_process_group")
    if isinstance(group, str):
        if group != "world":
            raise ValueError(f"group = {shown(group)}: must be a process group, or 'world' for all")
        group = None
    if torch.distributed.get_rank(group) < 0:
        raise ValueError("group: this process is not one of it")
    return group


class Shares:
    """The home of a transform over processes: what this one has of it."""

    def __init__(self, frame: Frame, group: Any, nthreads: int) -> None:
        group = _processes(group)
        _must_be_alike(frame, group)
        rings = rows_of(frame)
        self._exchange = exchange = _Exchange(group, frame.mmax, len(rings))
        self.orders, mine = exchange.orders[exchange.rank], exchange.rows[exchange.rank]
        self.rows = slice(mine.start, mine.stop)
        self._frame = frame
        self._legs = Legs(frame, rings, np.array(self.orders, np.int64), rings[self.rows],
                          nthreads)
        begin = int(rings["nphi"][:mine.start].sum())
        self.pixels = slice(begin, begin + self._legs.npix)
        self._weights = torch.from_numpy(order_weights(frame))
        self.factor = None if frame.factor is None else np.ascontiguousarray(
            frame.factor[..., self.orders])

    def tails(self) -> Tuple[Tuple[int, ...], Tuple[int, ...]]:
        """Shapes of one field here: coefficients and map."""
        frame, legs = self._frame, self._legs
        two = len(frame.map_shape) - len(frame.components) == 2
        pixels = (legs.nrows, frame.map_shape[-1]) if two else (legs.npix,)
        return (*frame.components, frame.lmax, legs.norders), (*frame.components, *pixels)

    def words(self) -> str:
        """What of the transform is here, for people."""
        return f", rows {self.rows.start} to {self.rows.stop - 1}, {len(self.orders)} orders"

    def _stage(self, values: Any, name: str) -> Any:
        return _Stage.apply(values, self._legs, name, self._weights)

    @_EAGER
    def run(self, x: Any, lead: Tuple[int, ...], made: Tuple[int, ...]) -> Any:
        """Complex coefficients to maps or back, of this process, each of the shape `made`; a
        collective call."""
        check_on_host(x)
        legs, to_map = self._legs, self._frame.to_map
        first, then = ("to_leg", "to_map") if to_map else ("from_map", "to_alm")
        fields = int(np.prod(lead, dtype=np.int64))
        leg = self._stage(x.reshape(fields, *legs.shapes(first)[0]), first)
        leg = _Exchanged.apply(leg, self._exchange, to_map)
        return self._stage(leg, then).reshape(lead + made)
