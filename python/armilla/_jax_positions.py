"""Values at points and lensed maps for JAX; see jax.py and _positions.py."""
from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.interpreters import ad, batching

try:
    from jax.extend.core import Primitive
except ImportError:  # before JAX 0.4.36
    from jax.core import Primitive

from . import _positions
from ._arrays import COMPLEX_OF, REAL_OF
from ._linear import order_weights
from ._positions import Field, Rules
from ._xla import callback, set_rules


def _cast(values: Any, like: Any) -> Any:
    real = REAL_OF.get(np.dtype(like.dtype), np.dtype(like.dtype))
    return jnp.asarray(values).astype(COMPLEX_OF[real] if values.dtype.kind == "c" else real)


def _shape(given: Any, positions: Any, field: Field, to_map: bool) -> Any:
    shape = _positions.output_shape(field, to_map, given.shape, positions.shape)
    return shape, (REAL_OF if to_map else COMPLEX_OF)[np.dtype(given.dtype)]


def _run(given: np.ndarray, positions: np.ndarray, *, field: Field, to_map: bool) -> Any:
    return (_positions.values if to_map else _positions.adjoint)(field, given, positions)


def _through_python(given: Any, positions: Any, *, field: Field, to_map: bool) -> Any:
    result = jax.ShapeDtypeStruct(*_shape(given, positions, field, to_map))
    return callback(partial(_run, field=field, to_map=to_map), result, given, positions)


def _abstract(given: Any, positions: Any, *, field: Field, to_map: bool) -> Any:
    shape, dtype = _shape(given, positions, field, to_map)
    return given.update(shape=shape, dtype=dtype, weak_type=False)


def _pushed(primals: Any, tangents: Any, *, field: Field, to_map: bool) -> Any:
    """Linear in both steps; what is linear in that of the first array has a transpose below."""
    given, positions = primals
    output = _operator.bind(given, positions, field=field, to_map=to_map)
    parts = []
    if type(tangents[0]) is not ad.Zero:
        parts.append(_operator.bind(tangents[0], positions, field=field, to_map=to_map))
    if type(tangents[1]) is not ad.Zero:
        push = _RULES.pushed if to_map else _RULES.adjoint_pushed
        parts.append(push(field, given, positions, tangents[1]))
    return output, sum(parts[1:], parts[0]) if parts else ad.Zero.from_primal_value(output)


def _transposed(cotangent: Any, given: Any, positions: Any, *, field: Field, to_map: bool) -> Any:
    """For the first array alone: in the second the operator is not linear."""
    if type(cotangent) is ad.Zero:
        return ad.Zero(given.aval), None
    weights = _cast(order_weights(field.lmax, field.mmax), cotangent)
    if to_map:
        return jnp.conj(weights * _adjoint(field, cotangent, positions)), None
    return _values(field, jnp.conj(cotangent) / weights, positions), None


def _batched(arguments: Any, axes: Any, *, field: Field, to_map: bool) -> Any:
    given, positions = arguments
    if axes[0] is not None:
        given = jnp.moveaxis(given, axes[0], 0)
    if axes[1] is None:
        return _operator.bind(given, positions, field=field, to_map=to_map), 0
    made = [_operator.bind(given if axes[0] is None else given[i], row, field=field, to_map=to_map)
            for i, row in enumerate(jnp.moveaxis(positions, axes[1], 0))]
    return jnp.stack(made), 0


_operator = Primitive("armilla_positions")
_operator.def_abstract_eval(_abstract)
ad.primitive_jvps[_operator] = _pushed
ad.primitive_transposes[_operator] = _transposed
batching.primitive_batchers[_operator] = _batched
set_rules(_operator, _run, _through_python, has_plan=False)


def _values(field: Field, alm: Any, positions: Any) -> Any:
    return _operator.bind(alm, positions, field=field, to_map=True)


def _adjoint(field: Field, given: Any, positions: Any) -> Any:
    return _operator.bind(given, positions, field=field, to_map=False)


_RULES = Rules(jnp, jax.lax.complex, _cast, _values, _adjoint)


def apply(field: Field, to_map: bool, given: Any, positions: Any) -> Any:
    """Checks the arrays and applies the operator."""
    names = ("alm" if to_map else "values", "loc" if field.grid is None else "deflection")
    given, positions = jnp.asarray(given), jnp.asarray(positions)
    for array, name, types in ((given, names[0], REAL_OF if to_map else COMPLEX_OF),
                               (positions, names[1], COMPLEX_OF)):
        if np.dtype(array.dtype) not in types:
            wanted = " or ".join(str(t) for t in types)
            raise TypeError(f"{name}: has type {array.dtype}, must have {wanted}")
    _positions.check_shapes(field, to_map, given.shape, positions.shape)
    return _operator.bind(given, positions, field=field, to_map=to_map)
