"""The layers of armilla.jax over several devices, within jax.shard_map: each has some rows of the
maps and some orders of the coefficients, and jax.lax.all_to_all exchanges what lies between the two
stages. Devices have equally much, so there are rows and orders of zeros."""
from __future__ import annotations

from functools import partial
from typing import Any, List, Optional, Tuple, Union

import jax
import jax.numpy as jnp
import numpy as np
from jax.interpreters import ad, batching, mlir
from numpy.typing import ArrayLike

from ._errors import shown, whole
from ._jax_layers import ALMS, HALF, MAPS, check_type
from ._jax_operators import Primitive
from ._legs import ADJOINT, Legs, made_type, order_weights, rows_of
from ._networks import Arguments, Frame
from ._types import Norm
from ._xla import AVAILABLE, lower_stage
from .grid import Grid

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


class _Sharded:
    """What the layers over devices share."""

    _is_vector = False

    def _set(self, given: Arguments, is_analysis: bool, axis: str, shards: int, nthreads: int
             ) -> None:
        if not AVAILABLE:
            raise NotImplementedError("layers over devices need JAX 0.5 or newer")
        shards = whole("shards", shards)
        if shards < 1:
            raise ValueError(f"shards = {shards}: must be at least 1")
        self.nlat, self.nlon, self.grid = given.nlat, given.nlon, given.grid
        self.norm, self.csphase, self.axis, self.shards = given.norm, given.csphase, axis, shards
        self._frame = frame = Frame(given, self._is_vector, "weights" if is_analysis else None)
        self.lmax, self.mmax = frame.lmax, frame.mmax
        if len(frame.map_shape) - len(frame.components) == 1:
            raise ValueError(f"grid: {frame.grid!r} has one axis of pixels; layers over devices "
                             "take rows of one length")
        rings = rows_of(frame).copy()
        if not is_analysis:
            rings["weight"] = 1
        each = -(-len(rings) // shards)
        rows = np.concatenate([rings, np.repeat(rings[-1:], shards * each - len(rings))])
        rows["weight"][len(rings):] = 0
        dealt, plans = _dealt(shards, frame.mmax)
        self.orders = dealt.ravel()
        self._places = np.argsort(np.where(self.orders < 0, frame.mmax, self.orders),
                                  kind="stable")[:frame.mmax]
        self._legs = [Legs(frame, rings, plans[i], rows[i * each:(i + 1) * each], nthreads)
                      for i in range(shards)]
        self._each = each, plans.shape[1]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._frame.words()}, {self.shards} shards)"

    # --- Whole arrays -----------------------------------------------------------------------------

    def dealt(self, alm: jax.Array) -> jax.Array:
        """Deal the orders of whole coefficients out to the shards.

        Parameters
        ----------
        alm : Array, shape (..., lmax, mmax)
            Coefficients [l, m].

        Returns
        -------
        Array, shape (..., lmax, orders.size)
            The same in the order of `orders`, whose last axis is to be sharded.
        """
        return _columns(alm, self.orders)

    def natural(self, alm: jax.Array) -> jax.Array:
        """Put dealt coefficients back: the inverse of `dealt`.

        Parameters
        ----------
        alm : Array, shape (..., lmax, orders.size)
            Coefficients of all shards.

        Returns
        -------
        Array, shape (..., lmax, mmax)
            Coefficients [l, m].
        """
        return alm[..., self._places]

    def padded(self, maps: jax.Array) -> jax.Array:
        """Add rows of zeros, so that shards have equally many.

        Parameters
        ----------
        maps : Array, shape (..., nlat, nlon)
            Maps.

        Returns
        -------
        Array, shape (..., rows, nlon)
            Maps whose axis of rows is to be sharded.
        """
        more = self.shards * self._each[0] - maps.shape[-2]
        return jnp.pad(maps, [(0, 0)] * (maps.ndim - 2) + [(0, more), (0, 0)])

    def cut(self, maps: jax.Array) -> jax.Array:
        """Take the rows of zeros away: the inverse of `padded`.

        Parameters
        ----------
        maps : Array, shape (..., rows, nlon)
            Maps of all shards.

        Returns
        -------
        Array, shape (..., nlat, nlon)
            Maps.
        """
        return maps[..., :self._frame.map_shape[-2], :]

    # --- On a shard -------------------------------------------------------------------------------

    def _tails(self) -> Tuple[Tuple[int, ...], Tuple[int, ...]]:
        frame, (rows, orders) = self._frame, self._each
        return ((*frame.components, frame.lmax, orders),
                (*frame.components, rows, frame.map_shape[-1]))

    def _branches(self, name: str, values: Any) -> Any:
        """A stage with the plan of this shard."""
        branches: List[Any] = [partial(_stage.bind, legs=legs, name=name) for legs in self._legs]
        if self.shards == 1:
            return branches[0](values)
        return jax.lax.switch(jax.lax.axis_index(self.axis), branches, values)

    def _exchanged(self, leg: Any, split: int, concat: int) -> Any:
        return jax.lax.all_to_all(leg, self.axis, split, concat, tiled=True)

    def _checked(self, x: Any, types: Tuple[str, ...], tail: Tuple[int, ...], of_alm: bool
                 ) -> Tuple[Any, Tuple[int, ...], int]:
        """The input, its leading axes, and how many fields they are."""
        x = jnp.asarray(x)
        check_type(x, types)
        try:
            size = jax.lax.psum(1, self.axis)
        except NameError:
            raise ValueError(f"axis = {shown(self.axis)}: there is no such axis here; the layer "
                             "is for functions within jax.shard_map") from None
        if size != self.shards:
            raise ValueError(f"shards = {self.shards}: the axis {shown(self.axis)} has {size} "
                             "devices")
        lead = self._frame.lead(x.shape, tail, of_alm)
        return x, lead, int(np.prod(lead, dtype=np.int64)) * (2 if self._is_vector else 1)

    def _scaled(self, alm: Any) -> Any:
        factor = self._frame.factor
        if factor is None:
            return alm
        own = jnp.asarray(_columns(factor, self.orders), alm.real.dtype)
        first = jax.lax.axis_index(self.axis) * self._each[1]
        return alm * jax.lax.dynamic_slice_in_dim(own, first, self._each[1], own.ndim - 1)

    def _synthesised(self, x: Any) -> Any:
        alm, pixels = self._tails()
        x, lead, n = self._checked(x, ALMS, alm, True)
        legs = self._legs[0]
        leg = self._branches("to_leg", self._scaled(x).reshape(
            n // legs.ncomp, legs.ncomp, legs.lmax, legs.norders))
        more = self.shards * legs.nrows - legs.nrings
        leg = jnp.pad(leg, [(0, 0), (0, 0), (0, more), (0, 0)])
        leg = self._exchanged(leg, 2, 3)[..., self._places]
        return self._branches("to_map", leg).reshape(lead + pixels)

    def _analysed(self, x: Any) -> Any:
        alm, pixels = self._tails()
        x, lead, n = self._checked(x, MAPS, pixels, False)
        x = x.astype(jnp.float32) if str(x.dtype) in HALF else x
        legs = self._legs[0]
        leg = self._branches("from_map", x.reshape(n // legs.ncomp, legs.ncomp, legs.npix))
        leg = self._exchanged(_columns(leg, self.orders), 3, 2)[:, :, :legs.nrings]
        return self._scaled(self._branches("to_alm", leg).reshape(lead + alm))


def _columns(values: Any, orders: np.ndarray) -> Any:
    """The last axis by orders, with zeros for -1."""
    values = jnp.asarray(values)
    return jnp.where(orders >= 0, values[..., np.maximum(orders, 0)], 0)


class _ShardedAnalysis(_Sharded):
    def __init__(self, nlat: Optional[int] = None, nlon: Optional[int] = None,
                 lmax: Optional[int] = None, mmax: Optional[int] = None,
                 grid: Union[str, Grid] = "equiangular", norm: Norm = "ortho",
                 csphase: bool = True, *, axis: str, shards: int, south_first: bool = False,
                 latitude: Optional[ArrayLike] = None, nthreads: int = 0) -> None:
        self._set(Arguments(nlat, nlon, lmax, mmax, grid, norm, csphase, south_first, latitude),
                  True, axis, shards, nthreads)


class _ShardedSynthesis(_Sharded):
    def __init__(self, nlat: Optional[int] = None, nlon: Optional[int] = None,
                 lmax: Optional[int] = None, mmax: Optional[int] = None,
                 grid: Union[str, Grid] = "equiangular", norm: Norm = "ortho",
                 csphase: bool = True, *, axis: str, shards: int, south_first: bool = False,
                 latitude: Optional[ArrayLike] = None, nthreads: int = 0) -> None:
        self._set(Arguments(nlat, nlon, lmax, mmax, grid, norm, csphase, south_first, latitude),
                  False, axis, shards, nthreads)


class ShardedRealSHT(_ShardedAnalysis):
    """Analysis over devices, within jax.shard_map.

    %(sections.layer_of_devices)s

    %(Warns.weights)s

    See Also
    --------
    RealSHT : On one device.

    Notes
    -----
    %(text.shards_of_devices)s

    Examples
    --------
    >>> import jax, jax.numpy as jnp
    >>> from jax.sharding import PartitionSpec as P
    >>> from armilla import jax as aj
    >>> mesh = jax.sharding.Mesh(jax.devices()[:1], ("m",))
    >>> layer = aj.ShardedRealSHT(33, 64, axis="m", shards=1)
    >>> given = layer.padded(jnp.zeros((3, 33, 64)))
    >>> run = jax.shard_map(layer, mesh=mesh, in_specs=P(None, "m"),
    ...                     out_specs=P(None, None, "m"))
    >>> layer.natural(run(given)).shape
    (3, 17, 17)
    """

    def __call__(self, x: jax.Array) -> jax.Array:
        """Transform.

        Parameters
        ----------
        x : Array, shape (..., rows, nlon)
            Maps, float64, float32, float16 or bfloat16.

        Returns
        -------
        Array, shape (..., lmax, orders)
            Coefficients; those with m > l are 0: complex128 for float64, else complex64.

        %(Raises.the_shape+the_type)s
        """
        return self._analysed(x)


class ShardedInverseRealSHT(_ShardedSynthesis):
    """Synthesis over devices, within jax.shard_map.

    %(sections.layer_of_devices)s

    See Also
    --------
    InverseRealSHT : On one device.

    Notes
    -----
    %(text.shards_of_devices)s

    Examples
    --------
    >>> import jax, jax.numpy as jnp
    >>> from jax.sharding import PartitionSpec as P
    >>> from armilla import jax as aj
    >>> mesh = jax.sharding.Mesh(jax.devices()[:1], ("m",))
    >>> layer = aj.ShardedInverseRealSHT(33, 64, axis="m", shards=1)
    >>> given = layer.dealt(jnp.zeros((3, 17, 17), jnp.complex64))
    >>> run = jax.shard_map(layer, mesh=mesh, in_specs=P(None, None, "m"),
    ...                     out_specs=P(None, "m"))
    >>> layer.cut(run(given)).shape
    (3, 33, 64)
    """

    def __call__(self, x: jax.Array) -> jax.Array:
        """Transform.

        Parameters
        ----------
        x : Array, shape (..., lmax, orders)
            Coefficients, complex64 or complex128.

        Returns
        -------
        Array, shape (..., rows, nlon)
            The maps: float64 for complex128, else float32.

        %(Raises.the_shape+the_type)s
        """
        return self._synthesised(x)


class ShardedRealVectorSHT(_ShardedAnalysis):
    """Analysis of vectors over devices, within jax.shard_map.

    %(sections.layer_of_devices)s

    %(Warns.weights)s

    See Also
    --------
    RealVectorSHT : On one device.

    Notes
    -----
    %(text.grad_and_curl)s

    %(text.shards_of_devices)s

    Examples
    --------
    >>> import jax, jax.numpy as jnp
    >>> from jax.sharding import PartitionSpec as P
    >>> from armilla import jax as aj
    >>> mesh = jax.sharding.Mesh(jax.devices()[:1], ("m",))
    >>> layer = aj.ShardedRealVectorSHT(33, 64, axis="m", shards=1)
    >>> given = layer.padded(jnp.zeros((3, 2, 33, 64)))
    >>> run = jax.shard_map(layer, mesh=mesh, in_specs=P(None, None, "m"),
    ...                     out_specs=P(None, None, None, "m"))
    >>> layer.natural(run(given)).shape
    (3, 2, 17, 17)
    """

    _is_vector = True

    def __call__(self, x: jax.Array) -> jax.Array:
        """Transform.

        Parameters
        ----------
        x : Array, shape (..., 2, rows, nlon)
            v_theta and v_phi, float64, float32, float16 or bfloat16.

        Returns
        -------
        Array, shape (..., 2, lmax, orders)
            S and T; 0 for m > l and at l = 0: complex128 for float64, else complex64.

        %(Raises.the_shape+the_type)s
        """
        return self._analysed(x)


class ShardedInverseRealVectorSHT(_ShardedSynthesis):
    """Synthesis of vectors over devices, within jax.shard_map.

    %(sections.layer_of_devices)s

    See Also
    --------
    InverseRealVectorSHT : On one device.

    Notes
    -----
    %(text.grad_and_curl)s

    %(text.shards_of_devices)s

    Examples
    --------
    >>> import jax, jax.numpy as jnp
    >>> from jax.sharding import PartitionSpec as P
    >>> from armilla import jax as aj
    >>> mesh = jax.sharding.Mesh(jax.devices()[:1], ("m",))
    >>> layer = aj.ShardedInverseRealVectorSHT(33, 64, axis="m", shards=1)
    >>> given = layer.dealt(jnp.zeros((3, 2, 17, 17), jnp.complex64))
    >>> run = jax.shard_map(layer, mesh=mesh, in_specs=P(None, None, None, "m"),
    ...                     out_specs=P(None, None, "m"))
    >>> layer.cut(run(given)).shape
    (3, 2, 33, 64)
    """

    _is_vector = True

    def __call__(self, x: jax.Array) -> jax.Array:
        """Transform.

        Parameters
        ----------
        x : Array, shape (..., 2, lmax, orders)
            S and T, complex64 or complex128.

        Returns
        -------
        Array, shape (..., 2, rows, nlon)
            v_theta and v_phi: float64 for complex128, else float32.

        %(Raises.the_shape+the_type)s
        """
        return self._synthesised(x)
