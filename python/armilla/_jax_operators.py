"""How armilla.jax applies the operators of a plan to arrays: one linear primitive and its rules."""
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

from ._arrays import COMPLEX_OF, REAL_OF
from ._linear import (ADJOINT, MAP_TO_MAP, TO_MAP, Operators, alm_weights, check_plan, in_lines,
                      operate, output_shape)
from ._xla import callback, set_rules

_SAME = {real: real for real in COMPLEX_OF}


def _output(values: Any, sht: Operators, name: str) -> tuple:
    """Shape and type of the result; errors for wrong inputs."""
    check_plan(sht)
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


def apply_operator(sht: Operators, name: str, values: Any, nthreads: int) -> Any:
    """An operator of a plan; errors for wrong types and shapes."""
    values, shape = in_lines(sht, name, jnp.asarray(values))
    _output(values, sht, name)
    made = _operator.bind(values, sht=sht, name=name, nthreads=nthreads)
    return made if shape is None else made.reshape(shape)
