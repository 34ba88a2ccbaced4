"""How a layer of armilla.jax runs over several devices, within jax.shard_map: each has some rows of
the maps and some orders of the coefficients, and jax.lax.all_to_all exchanges what lies between the
two stages. Devices have equally much, so there are rows and orders of zeros."""
from __future__ import annotations

from functools import partial
from typing import Any, List, Tuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.interpreters import ad, batching, mlir

from ._errors import shown, whole
from ._jax_operators import Primitive
from ._legs import ADJOINT, Legs, made_type, order_weights, rows_of
from ._networks import Frame
from ._xla import AVAILABLE, lower_stage, refuse_stage

# --- A stage --------------------------------------------------------------------------------------


def _shape(values: Any, *, legs: Legs, name: str) -> Any:
    given, made = legs.shapes(name)
    assert values.shape[1:] == given, (values.shape, given)
    return values.update(shape=(values.shape[0], *made),
                         dtype=made_type(name, np.dtype(values.dtype)), weak_type=False)


def _transposed(cotangent: Any, values: Any, *, legs: Legs, name: str) -> Any:
    """JAX transposes without a conjugate; the library's transposes have one."""
    if type(cotangent) is ad.Zero:
        return [ad.Zero(values.aval)]
    weights = jnp.asarray(order_weights(legs.given[0]), cotangent.real.dtype)
    if name == "from_map":
        return [_stage.bind(jnp.conj(cotangent) / weights, legs=legs, name="to_map")]
    made = _stage.bind(cotangent if name == "to_map" else jnp.conj(cotangent), legs=legs,
                       name=ADJOINT[name])
    return [jnp.conj(weights * made if name == "to_map" else made)]


def _batched(arguments: Any, axes: Any, **options: Any) -> Any:
    values = jnp.moveaxis(arguments[0], axes[0], 0)
    made = _stage.bind(values.reshape(-1, *values.shape[2:]), **options)
    return made.reshape(*values.shape[:2], *made.shape[1:]), 0


_stage = Primitive("armilla_stage")
_stage.def_abstract_eval(_shape)
_stage.def_impl(lambda values, **options: jax.jit(partial(_stage.bind, **options))(values))
ad.deflinear2(_stage, _transposed)
batching.primitive_batchers[_stage] = _batched
mlir.register_lowering(_stage, lower_stage, platform="cpu")
mlir.register_lowering(_stage, refuse_stage, platform="cuda")

# --- Shards ---------------------------------------------------------------------------------------


def _dealt(shards: int, mmax: int) -> Tuple[np.ndarray, np.ndarray]:
    """(shards, each): the orders of each shard, shards apart; -1 is none. And the same with any
    other order in the place of none, since plans have no order twice."""
    each = -(-mmax // shards)
    orders = np.arange(shards)[:, None] + shards * np.arange(each)
    dealt = np.where(orders < mmax, orders, -1)
    plans = dealt.copy()
    for row in plans:
        row[row < 0] = np.setdiff1d(np.arange(mmax), row)[:np.count_nonzero(row < 0)]
    return dealt, plans


def _columns(values: Any, orders: np.ndarray) -> Any:
    """The last axis by orders, with zeros for -1."""
    values = jnp.asarray(values)
    return jnp.where(orders >= 0, values[..., np.maximum(orders, 0)], 0)


class Shards:
    """The home of a transform over the devices of an axis: what each of them has of it."""

    def __init__(self, frame: Frame, axis: str, shards: int, nthreads: int) -> None:
        if not AVAILABLE:
            raise NotImplementedError("layers over devices need JAX 0.5 or newer")
        self.shards, self.axis, self._frame = whole("shards", shards), axis, frame
        if self.shards < 1:
            raise ValueError(f"shards = {shards}: must be at least 1")
        if len(frame.map_shape) - len(frame.components) == 1:
            raise ValueError(f"grid: {frame.grid!r} has one axis of pixels; layers over devices "
                             "take rows of one length")
        rings = rows_of(frame)
        each = -(-len(rings) // shards)
        rows = np.concatenate([rings, np.repeat(rings[-1:], shards * each - len(rings))])
        rows["weight"][len(rings):] = 0
        dealt, plans = _dealt(shards, frame.mmax)
        self.orders = dealt.ravel()
        self._places = np.argsort(np.where(self.orders < 0, frame.mmax, self.orders),
                                  kind="stable")[:frame.mmax]
        self._legs = [Legs(frame, rings, plans[i], rows[i * each:(i + 1) * each], nthreads)
                      for i in range(shards)]
        self._rows, self._each = each, plans.shape[1]

    def words(self) -> str:
        """What of the transform is here, for people."""
        return f", {self.shards} shards"

    # --- Whole arrays, along their last axis ------------------------------------------------------

    def dealt(self, alm: Any) -> Any:
        """By the orders of the shards."""
        return _columns(alm, self.orders)

    def natural(self, alm: Any) -> Any:
        """By rising orders."""
        return alm[..., self._places]

    def padded(self, rows: Any) -> Any:
        """With rows of zeros."""
        more = self.shards * self._rows - rows.shape[-1]
        return jnp.pad(rows, [(0, 0)] * (rows.ndim - 1) + [(0, more)])

    def cut(self, rows: Any) -> Any:
        """Without them."""
        return rows[..., :self._frame.map_shape[-2]]

    # --- On a shard -------------------------------------------------------------------------------

    @property
    def factor(self) -> Any:
        """Of the coefficients of this shard; None: 1."""
        if self._frame.factor is None:
            return None
        own = self.dealt(self._frame.factor)
        first = jax.lax.axis_index(self.axis) * self._each
        return jax.lax.dynamic_slice_in_dim(own, first, self._each, own.ndim - 1)

    def _branches(self, name: str, values: Any) -> Any:
        """A stage with the plan of this shard."""
        branches: List[Any] = [partial(_stage.bind, legs=legs, name=name) for legs in self._legs]
        if self.shards == 1:
            return branches[0](values)
        return jax.lax.switch(jax.lax.axis_index(self.axis), branches, values)

    def _exchanged(self, leg: Any, split: int, concat: int) -> Any:
        return jax.lax.all_to_all(leg, self.axis, split, concat, tiled=True)

    def tails(self) -> Tuple[Tuple[int, ...], Tuple[int, ...]]:
        """Shapes of one field here: coefficients and map; ValueError where there is no shard."""
        try:
            size = jax.lax.psum(1, self.axis)
        except NameError:
            raise ValueError(f"axis = {shown(self.axis)}: there is no such axis here; the layer "
                             "is for functions within jax.shard_map") from None
        if size != self.shards:
            raise ValueError(f"shards = {self.shards}: the axis {shown(self.axis)} has {size} "
                             "devices")
        frame = self._frame
        return ((*frame.components, frame.lmax, self._each),
                (*frame.components, self._rows, frame.map_shape[-1]))

    def run(self, x: Any, lead: Tuple[int, ...], made: Tuple[int, ...]) -> Any:
        """Complex coefficients to maps or back, of this shard. made: the shape of one."""
        legs, to_map = self._legs[0], self._frame.to_map
        first, then = ("to_leg", "to_map") if to_map else ("from_map", "to_alm")
        fields = int(np.prod(lead, dtype=np.int64))
        leg = self._branches(first, x.reshape(fields, *legs.shapes(first)[0]))
        if to_map:
            more = self.shards * legs.nrows - legs.nrings
            leg = jnp.pad(leg, [(0, 0), (0, 0), (0, more), (0, 0)])
            leg = self._exchanged(leg, 2, 3)[..., self._places]
        else:
            leg = self._exchanged(_columns(leg, self.orders), 3, 2)[:, :, :legs.nrings]
        return self._branches(then, leg).reshape(lead + made)
