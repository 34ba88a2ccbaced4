"""The operators of a plan for JAX: to be differentiated, vectorised and compiled.

    >>> from armilla import jax as aj
    >>> loss = lambda alm: ((aj.synthesis(sht, alm) - data) ** 2).sum()
    >>> gradient = jax.jit(jax.grad(loss))(alm)     # sht: armilla.SHT, IQU, Points
    >>> seen = aj.synthesis_general(alm, loc, lmax=lmax)    # loc: an array, too
    >>> lensed = aj.lens(alm, deflection, grid, lmax=lmax)  # deflection: an array, too

Shapes are those of the plan: any leading axes are transforms that are done together. Precision
follows the input: float32 with complex64, float64 with complex128 (where JAX has 64 bits enabled).
The transforms are functions in C that XLA calls (jax.ffi, JAX 0.5 or newer): no Python runs in a
compiled program, and errors of the library are JAX's errors with its message. On a GPU so are those
of plans for it, on arrays that stay there; all others run by jax.pure_callback, and their arrays
come to the host and go back. So do all with an older JAX. Where the process has one processor such
a callback can wait for ever, and is refused.

Gradients of coefficients follow JAX: dL/dRe a - i dL/dIm a, so that a - rate * conj(gradient)
descends; a coefficient with m > 0 stands for two, and the imaginary parts of m = 0 have no effect,
thus no gradient. What depends on a plan is linear: forward mode, reverse mode, derivatives of any
order, vmap; all of these work where positions are arrays, too.
"""
from __future__ import annotations

try:
    import jax
    import jax.numpy as jnp
    from jax.interpreters import ad, batching
except ImportError as error:
    raise ImportError("armilla.jax needs JAX: pip install jax") from error

try:
    from jax.extend.core import Primitive
except ImportError:  # before JAX 0.4.36
    from jax.core import Primitive
from functools import partial
from typing import Any, List, Optional, Union

import numpy as np

from ._arrays import COMPLEX_OF, REAL_OF
from ._linear import (ADJOINT, MAP_TO_MAP, TO_MAP, Operators, alm_weights, operate,
                      output_shape)
from ._positions import field_of
from ._jax_positions import apply
from ._xla import callback, set_rules
from .grid import Grid
from .points import Points
from .radial import Radial
from .transform import Plan

__all__ = ["adjoint_analysis", "adjoint_convolve", "adjoint_lens", "adjoint_synthesis",
           "adjoint_synthesis_general", "analysis", "convolve", "lens", "synthesis",
           "synthesis_general"]


def __dir__() -> List[str]:
    return __all__

_SAME = {real: real for real in COMPLEX_OF}


def _output(values: Any, sht: Operators, name: str) -> tuple:
    """Shape and type of the result; errors for wrong inputs."""
    types = _SAME if name in MAP_TO_MAP else REAL_OF if name in TO_MAP else COMPLEX_OF
    dtype = np.dtype(values.dtype)
    if dtype not in types:
        wanted = " or ".join(str(t) for t in types)
        raise TypeError(f"{name}: the input has type {dtype}, must have {wanted}")
    return output_shape(sht, name, values.shape), types[dtype]


def _run(values: np.ndarray, *, sht: Operators, name: str, nthreads: int) -> Any:
    return operate(sht, name, values, nthreads=nthreads)


def _through_python(values: Any, *, sht: Operators, name: str, nthreads: int) -> Any:
    return callback(partial(_run, sht=sht, name=name, nthreads=nthreads),
                    jax.ShapeDtypeStruct(*_output(values, sht, name)), values)


def _shape(values: Any, *, sht: Operators, name: str, nthreads: int) -> Any:
    shape, dtype = _output(values, sht, name)
    return values.update(shape=shape, dtype=dtype, weak_type=False)


def _transposed(cotangent: Any, values: Any, *, sht: Any, name: str, nthreads: int) -> Any:
    if type(cotangent) is ad.Zero:
        return [ad.Zero(values.aval)]
    options = {"sht": sht, "name": ADJOINT[name], "nthreads": nthreads}
    if name in MAP_TO_MAP:
        return [_operator.bind(cotangent, **options)]
    dtype = np.dtype(cotangent.dtype)
    weights = alm_weights(sht, REAL_OF.get(dtype, dtype))
    if name in TO_MAP:
        return [jnp.conj(weights * _operator.bind(cotangent, **options))]
    return [_operator.bind(jnp.conj(cotangent) / weights, **options)]


def _batched(arguments: Any, axes: Any, **options: Any) -> Any:
    return _operator.bind(jnp.moveaxis(arguments[0], axes[0], 0), **options), 0


_operator = Primitive("armilla_sht")
_operator.def_abstract_eval(_shape)
ad.deflinear2(_operator, _transposed)
batching.primitive_batchers[_operator] = _batched
set_rules(_operator, _run, _through_python, has_plan=True)


def _apply(sht: Operators, name: str, values: Any, nthreads: int) -> Any:
    values = jnp.asarray(values)
    _output(values, sht, name)
    return _operator.bind(values, sht=sht, name=name, nthreads=nthreads)


def synthesis(sht: Union[Plan, Points], alm: jax.Array, *, nthreads: int = 0) -> jax.Array:
    """Coefficients (..., *sht.alm_shape) -> map (..., *sht.map_shape): Y."""
    return _apply(sht, "synthesis", alm, nthreads)


def adjoint_synthesis(sht: Union[Plan, Points], map: jax.Array, *, nthreads: int = 0
                      ) -> jax.Array:
    """Map (..., *sht.map_shape) -> coefficients (..., *sht.alm_shape), no weights: Y^T."""
    return _apply(sht, "adjoint_synthesis", map, nthreads)


def analysis(sht: Plan, map: jax.Array, *, nthreads: int = 0) -> jax.Array:
    """Map (..., *sht.map_shape) -> coefficients (..., *sht.alm_shape) by quadrature: Y^T W."""
    return _apply(sht, "analysis", map, nthreads)


def adjoint_analysis(sht: Plan, alm: jax.Array, *, nthreads: int = 0) -> jax.Array:
    """Coefficients (..., *sht.alm_shape) -> map (..., *sht.map_shape): W Y."""
    return _apply(sht, "adjoint_analysis", alm, nthreads)


def convolve(radial: Radial, map: jax.Array, *, nthreads: int = 0) -> jax.Array:
    """Map (..., npix), of spin 2 (..., 2, npix) -> map: Radial.convolve without weights."""
    return _apply(radial, "convolve", map, nthreads)


def adjoint_convolve(radial: Radial, map: jax.Array, *, nthreads: int = 0) -> jax.Array:
    """Map (..., npix) -> map: Radial.adjoint."""
    return _apply(radial, "adjoint", map, nthreads)


def _general(given: Any, positions: Any, to_map: bool, lmax: int, spin: int, epsilon: float,
             mmax: Optional[int], nthreads: int, grid: Optional[Grid]) -> Any:
    field = field_of(lmax, spin, epsilon, mmax, nthreads, grid)
    return apply(field, to_map, given, positions)


def synthesis_general(alm: jax.Array, loc: jax.Array, *, lmax: int, spin: int = 0,
                      epsilon: float = 1e-7, mmax: Optional[int] = None, nthreads: int = 0
                      ) -> jax.Array:
    """Coefficients (..., size), for spin > 0 (..., 2, size), at loc, (npoints, 2): colatitude and
    longitude -> values (..., npoints), (..., 2, npoints), differentiable in both.

    Values are those of Points(lmax, loc, spin, epsilon); derivatives with respect to loc those of
    the components along e_theta and e_phi at each point.
    """
    return _general(alm, loc, True, lmax, spin, epsilon, mmax, nthreads, None)


def adjoint_synthesis_general(values: jax.Array, loc: jax.Array, *, lmax: int,
                              spin: int = 0, epsilon: float = 1e-7, mmax: Optional[int] = None,
                              nthreads: int = 0) -> jax.Array:
    """Values (..., npoints), (..., 2, npoints) -> coefficients: the transpose of
    synthesis_general."""
    return _general(values, loc, False, lmax, spin, epsilon, mmax, nthreads, None)


def lens(alm: jax.Array, deflection: jax.Array, grid: Grid, *, lmax: int, spin: int = 0,
         epsilon: float = 1e-7, mmax: Optional[int] = None, nthreads: int = 0) -> jax.Array:
    """Coefficients (..., size), for spin > 0 (..., 2, size), and a deflection map (2, npix) in
    radians -> lensed map (..., npix), (..., 2, npix), differentiable in both.

    The deflection of coefficients is synthesis(SHT(grid, lmax, spin=1), dlm), differentiable, too.
    What it holds where the grid has no pixels does not matter.
    """
    return _general(alm, deflection, True, lmax, spin, epsilon, mmax, nthreads, grid)


def adjoint_lens(map: jax.Array, deflection: jax.Array, grid: Grid, *, lmax: int,
                 spin: int = 0, epsilon: float = 1e-7, mmax: Optional[int] = None,
                 nthreads: int = 0) -> jax.Array:
    """Map (..., npix), (..., 2, npix) -> coefficients: the transpose of lens."""
    return _general(map, deflection, False, lmax, spin, epsilon, mmax, nthreads, grid)
