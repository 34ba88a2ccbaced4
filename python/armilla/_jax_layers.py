"""The layers of armilla.jax: transforms as functions with torch-harmonics' names, arguments and
shapes, of no framework of layers in particular."""
from __future__ import annotations

from typing import Any, Optional, Tuple, Union

import jax
import jax.numpy as jnp
from numpy.typing import ArrayLike

from ._jax_operators import apply_operator
from ._networks import Arguments, Transform
from ._types import Norm, Quadrature
from .grid import Grid

HALF = ("float16", "bfloat16")
MAPS = ("float64", "float32", *HALF)
ALMS = ("complex128", "complex64")


def check_type(x: jax.Array, types: Tuple[str, ...]) -> None:
    """Is it an array of one of these types? TypeError."""
    if str(x.dtype) not in types:
        raise TypeError(f"the input has type {x.dtype}, must have one of {', '.join(types)}")


class _Layer:
    """What the layers share."""

    _is_vector = False

    def _set(self, given: Arguments, quadrature: Optional[Quadrature], nthreads: int) -> None:
        made = Transform(given, self._is_vector, quadrature)
        self.nlat, self.nlon, self.grid = given.nlat, given.nlon, given.grid
        self.norm, self.csphase, self.nthreads = given.norm, given.csphase, nthreads
        self.lmax, self.mmax = made.lmax, made.mmax
        self._transform = made

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._transform.words()})"

    def _scaled(self, alm: Any) -> Any:
        factor = self._transform.factor
        return alm if factor is None else alm * jnp.asarray(factor, alm.real.dtype)

    def _transformed(self, x: Any) -> Any:
        made, x = self._transform, jnp.asarray(x)
        check_type(x, ALMS if made.to_map else MAPS)
        line, shape = made.shapes(x.shape)
        if made.to_map:
            return apply_operator(made.plan, "synthesis", self._scaled(x).reshape(line),
                                  self.nthreads).reshape(shape)
        x = x.astype(jnp.float32) if str(x.dtype) in HALF else x
        return self._scaled(apply_operator(made.plan, "analysis", x.reshape(line),
                                           self.nthreads).reshape(shape))


class _Analysis(_Layer):
    def __init__(self, nlat: Optional[int] = None, nlon: Optional[int] = None,
                 lmax: Optional[int] = None, mmax: Optional[int] = None,
                 grid: Union[str, Grid] = "equiangular", norm: Norm = "ortho",
                 csphase: bool = True, *, quadrature: Quadrature = "weights",
                 south_first: bool = False, latitude: Optional[ArrayLike] = None,
                 nthreads: int = 0) -> None:
        self._set(Arguments(nlat, nlon, lmax, mmax, grid, norm, csphase, south_first, latitude),
                  quadrature, nthreads)


class _Synthesis(_Layer):
    def __init__(self, nlat: Optional[int] = None, nlon: Optional[int] = None,
                 lmax: Optional[int] = None, mmax: Optional[int] = None,
                 grid: Union[str, Grid] = "equiangular", norm: Norm = "ortho",
                 csphase: bool = True, *, south_first: bool = False,
                 latitude: Optional[ArrayLike] = None, nthreads: int = 0) -> None:
        self._set(Arguments(nlat, nlon, lmax, mmax, grid, norm, csphase, south_first, latitude),
                  None, nthreads)


class RealSHT(_Analysis):
    """Analysis as a layer: maps to coefficients [l, m].

    %(sections.layer)s

    See Also
    --------
    InverseRealSHT : The other direction.

    Notes
    -----
    %(text.no_tables.jax)s

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> from armilla import jax as aj
    >>> layer = aj.RealSHT(33, 64)
    >>> layer(jnp.zeros((2, 3, 33, 64))).shape
    (2, 3, 17, 17)
    """

    def __call__(self, x: jax.Array) -> jax.Array:
        """Transform.

        Parameters
        ----------
        x : Array, shape (..., nlat, nlon) or (..., npix)
            Maps, float64, float32, float16 or bfloat16.

        Returns
        -------
        Array, shape (..., lmax, mmax)
            Coefficients; those with m > l are 0: complex128 for float64, else complex64.

        %(Raises.the_shape+the_type)s
        """
        return self._transformed(x)


class InverseRealSHT(_Synthesis):
    """Synthesis as a layer: coefficients [l, m] to maps.

    %(sections.inverse_layer)s

    See Also
    --------
    RealSHT : The other direction.

    Notes
    -----
    %(text.no_tables.jax)s

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> from armilla import jax as aj
    >>> layer = aj.InverseRealSHT(33, 64)
    >>> layer(jnp.zeros((2, 3, 17, 17), jnp.complex64)).shape
    (2, 3, 33, 64)
    """

    def __call__(self, x: jax.Array) -> jax.Array:
        """Transform.

        Parameters
        ----------
        x : Array, shape (..., lmax, mmax)
            Coefficients, complex64 or complex128.

        Returns
        -------
        Array, shape (..., nlat, nlon) or (..., npix)
            The maps: float64 for complex128, else float32.

        %(Raises.the_shape+the_type)s
        """
        return self._transformed(x)


class RealVectorSHT(_Analysis):
    """Analysis of vectors as a layer: v_theta and v_phi to S and T.

    %(sections.layer)s

    See Also
    --------
    InverseRealVectorSHT : The other direction.

    Notes
    -----
    %(text.grad_and_curl)s

    %(text.no_tables.jax)s

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> from armilla import jax as aj
    >>> layer = aj.RealVectorSHT(33, 64)
    >>> layer(jnp.zeros((2, 3, 2, 33, 64))).shape
    (2, 3, 2, 17, 17)
    """

    _is_vector = True

    def __call__(self, x: jax.Array) -> jax.Array:
        """Transform.

        Parameters
        ----------
        x : Array, shape (..., 2, nlat, nlon) or (..., 2, npix)
            v_theta and v_phi, float64, float32, float16 or bfloat16.

        Returns
        -------
        Array, shape (..., 2, lmax, mmax)
            S and T; 0 for m > l and at l = 0: complex128 for float64, else complex64.

        %(Raises.the_shape+the_type)s
        """
        return self._transformed(x)


class InverseRealVectorSHT(_Synthesis):
    """Synthesis of vectors as a layer: S and T to v_theta and v_phi.

    %(sections.inverse_layer)s

    See Also
    --------
    RealVectorSHT : The other direction.

    Notes
    -----
    %(text.grad_and_curl)s

    %(text.no_tables.jax)s

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> from armilla import jax as aj
    >>> layer = aj.InverseRealVectorSHT(33, 64)
    >>> layer(jnp.zeros((2, 3, 2, 17, 17), jnp.complex64)).shape
    (2, 3, 2, 33, 64)
    """

    _is_vector = True

    def __call__(self, x: jax.Array) -> jax.Array:
        """Transform.

        Parameters
        ----------
        x : Array, shape (..., 2, lmax, mmax)
            S and T, complex64 or complex128.

        Returns
        -------
        Array, shape (..., 2, nlat, nlon) or (..., 2, npix)
            v_theta and v_phi: float64 for complex128, else float32.

        %(Raises.the_shape+the_type)s
        """
        return self._transformed(x)
