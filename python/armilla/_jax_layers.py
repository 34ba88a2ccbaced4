"""The layers of armilla.jax: transforms as functions with torch-harmonics' names, arguments and
shapes, of no framework of layers in particular, on one device or over those of an axis."""
from __future__ import annotations

from typing import Any, Dict, Optional, Union

import jax
import jax.numpy as jnp
from numpy.typing import ArrayLike

from ._jax_operators import apply_operator
from ._jax_shards import Shards
from ._networks import Layer, Whole
from ._types import Norm, Packed, Quadrature, VectorKind
from .grid import Grid

HALF = ("float16", "bfloat16")
MAPS = ("float64", "float32", *HALF)
ALMS = ("complex128", "complex64")


class _Arrays:
    """JAX's functions, as `Layer` names them."""

    moved = staticmethod(jnp.moveaxis)

    @staticmethod
    def checked(x: Any, is_alm: bool) -> Any:
        """The input; TypeError."""
        x, types = jnp.asarray(x), ALMS if is_alm else MAPS
        if str(x.dtype) not in types:
            raise TypeError(f"the input has type {x.dtype}, must have one of {', '.join(types)}")
        return x

    @staticmethod
    def widened(x: Any) -> Any:
        """Half precision as single."""
        return x.astype(jnp.float32) if str(x.dtype) in HALF else x

    @staticmethod
    def complexed(x: Any) -> Any:
        """Pairs of real numbers as complex ones."""
        return jax.lax.complex(x[..., ::2], x[..., 1::2])

    @staticmethod
    def paired(alm: Any) -> Any:
        """The other way."""
        return jnp.stack([alm.real, alm.imag], -1).reshape(*alm.shape[:-1], 2 * alm.shape[-1])

    @staticmethod
    def scaled(alm: Any, home: Any) -> Any:
        """Times the factor of a home."""
        factor = home.factor  # which Shards gathers
        return alm if factor is None else alm * jnp.asarray(factor, alm.real.dtype)


class _Layer(Layer):
    """What the layers of JAX share."""

    _arrays = _Arrays

    def _set(self, given: Dict[str, Any]) -> None:
        super()._set(given)
        self.axis, shards = given["axis"], given["shards"]
        if (self.axis is None) != (shards is None):
            raise ValueError("axis, shards: must be given together, or neither of them")
        self._home: Any = (Whole(self._frame, apply_operator, self.nthreads) if shards is None else
                           Shards(self._frame, self.axis, shards, self.nthreads))
        self.orders, self.shards = self._home.orders, getattr(self._home, "shards", 1)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._words()})"

    def _along(self, x: Any, which: int, change: str) -> Any:
        """A whole array, changed by the home along its last axis but `which`, channels apart."""
        if self.axis is None:
            return x
        axis = -1 - which - self.channels_last
        return jnp.moveaxis(getattr(self._home, change)(jnp.moveaxis(x, axis, -1)), -1, axis)

    def dealt(self, alm: jax.Array) -> jax.Array:
        """Deal the orders of whole coefficients out to the shards.

        Parameters
        ----------
        alm : Array, shape (..., lmax, mmax)
            Coefficients [l, m].

        Returns
        -------
        Array, shape (..., lmax, orders.size)
            The same in the order of `orders`, whose last axis is to be sharded; without an axis of
            devices what is given, as in the three methods below.
        """
        return self._along(alm, 0, "dealt")

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
        return self._along(alm, 0, "natural")

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
        return self._along(maps, 1, "padded")

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
        return self._along(maps, 1, "cut")


class RealSHT(_Layer):
    """Analysis as a layer: maps to coefficients [l, m].

    Parameters
    ----------
    %(arguments.analysis_layer)s
    %(arguments.devices)s
    %(nthreads.short)s

    %(Raises.layer.jax)s

    %(Warns.weights)s

    See Also
    --------
    InverseRealSHT : The other direction.

    Notes
    -----
    %(text.no_tables.jax)s

    %(text.shards.jax)s

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> from armilla import jax as aj
    >>> layer = aj.RealSHT(33, 64)
    >>> layer(jnp.zeros((2, 3, 33, 64))).shape
    (2, 3, 17, 17)
    """

    def __init__(self, nlat: Optional[int] = None, nlon: Optional[int] = None,
                 lmax: Optional[int] = None, mmax: Optional[int] = None,
                 grid: Union[str, Grid] = "equiangular", norm: Norm = "ortho",
                 csphase: Optional[bool] = None, *, quadrature: Quadrature = "weights",
                 layout: Packed = "matrix", channels_last: bool = False, flat: bool = False,
                 south_first: bool = False, latitude: Optional[ArrayLike] = None,
                 axis: Optional[str] = None, shards: Optional[int] = None,
                 nthreads: int = 0) -> None:
        self._set(locals())

    def __call__(self, x: jax.Array) -> jax.Array:
        """Transform.

        %(sections.analysis_layer)s
        """
        return self._transformed(x)


class InverseRealSHT(_Layer):
    """Synthesis as a layer: coefficients [l, m] to maps.

    Parameters
    ----------
    %(arguments.synthesis_layer)s
    %(arguments.devices)s
    %(nthreads.short)s

    %(Raises.layer.jax)s

    See Also
    --------
    RealSHT : The other direction.

    Notes
    -----
    %(text.no_tables.jax)s

    %(text.shards.jax)s

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> from armilla import jax as aj
    >>> layer = aj.InverseRealSHT(33, 64)
    >>> layer(jnp.zeros((2, 3, 17, 17), jnp.complex64)).shape
    (2, 3, 33, 64)
    """

    _to_map = True

    def __init__(self, nlat: Optional[int] = None, nlon: Optional[int] = None,
                 lmax: Optional[int] = None, mmax: Optional[int] = None,
                 grid: Union[str, Grid] = "equiangular", norm: Norm = "ortho",
                 csphase: Optional[bool] = None, *, layout: Packed = "matrix",
                 channels_last: bool = False, flat: bool = False, south_first: bool = False,
                 latitude: Optional[ArrayLike] = None, axis: Optional[str] = None,
                 shards: Optional[int] = None, nthreads: int = 0) -> None:
        self._set(locals())

    def __call__(self, x: jax.Array) -> jax.Array:
        """Transform.

        %(sections.synthesis_layer)s
        """
        return self._transformed(x)


class RealVectorSHT(_Layer):
    """Analysis of vectors as a layer: v_theta and v_phi to S and T, or winds.

    Parameters
    ----------
    %(arguments.vector_analysis_layer)s
    %(arguments.devices)s
    %(nthreads.short)s

    %(Raises.layer.jax)s

    %(Warns.weights)s

    See Also
    --------
    InverseRealVectorSHT : The other direction.

    Notes
    -----
    %(text.grad_and_curl)s

    %(text.winds)s

    %(text.no_tables.jax)s

    %(text.shards.jax)s

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> from armilla import jax as aj
    >>> layer = aj.RealVectorSHT(33, 64)
    >>> layer(jnp.zeros((2, 3, 2, 33, 64))).shape
    (2, 3, 2, 17, 17)
    """

    _is_vector = True

    def __init__(self, nlat: Optional[int] = None, nlon: Optional[int] = None,
                 lmax: Optional[int] = None, mmax: Optional[int] = None,
                 grid: Union[str, Grid] = "equiangular", norm: Norm = "ortho",
                 csphase: Optional[bool] = None, *, quadrature: Quadrature = "weights",
                 kind: VectorKind = "potentials", radius: Optional[float] = None,
                 layout: Packed = "matrix", channels_last: bool = False, flat: bool = False,
                 south_first: bool = False, latitude: Optional[ArrayLike] = None,
                 axis: Optional[str] = None, shards: Optional[int] = None,
                 nthreads: int = 0) -> None:
        self._set(locals())

    def __call__(self, x: jax.Array) -> jax.Array:
        """Transform.

        %(sections.vector_analysis_layer)s
        """
        return self._transformed(x)


class InverseRealVectorSHT(_Layer):
    """Synthesis of vectors as a layer: S and T to v_theta and v_phi, or winds.

    Parameters
    ----------
    %(arguments.vector_synthesis_layer)s
    %(arguments.devices)s
    %(nthreads.short)s

    %(Raises.layer.jax)s

    See Also
    --------
    RealVectorSHT : The other direction.

    Notes
    -----
    %(text.grad_and_curl)s

    %(text.winds)s

    %(text.no_tables.jax)s

    %(text.shards.jax)s

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> from armilla import jax as aj
    >>> layer = aj.InverseRealVectorSHT(33, 64)
    >>> layer(jnp.zeros((2, 3, 2, 17, 17), jnp.complex64)).shape
    (2, 3, 2, 33, 64)
    """

    _is_vector, _to_map = True, True

    def __init__(self, nlat: Optional[int] = None, nlon: Optional[int] = None,
                 lmax: Optional[int] = None, mmax: Optional[int] = None,
                 grid: Union[str, Grid] = "equiangular", norm: Norm = "ortho",
                 csphase: Optional[bool] = None, *, kind: VectorKind = "potentials",
                 radius: Optional[float] = None, layout: Packed = "matrix",
                 channels_last: bool = False, flat: bool = False, south_first: bool = False,
                 latitude: Optional[ArrayLike] = None, axis: Optional[str] = None,
                 shards: Optional[int] = None, nthreads: int = 0) -> None:
        self._set(locals())

    def __call__(self, x: jax.Array) -> jax.Array:
        """Transform.

        %(sections.vector_synthesis_layer)s
        """
        return self._transformed(x)
