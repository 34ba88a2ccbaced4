"""Skies seen through beams for JAX; see jax.py and _sighted.py. They run in Python, by
jax.pure_callback in compiled programs."""
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

from . import _sighted
from ._beams import Beams
from ._xla import callback, set_python_rules


def _shape(first: Any, plan: Beams, made: str) -> Any:
    """Shape and type of what is made; the arrays have the same leading axes."""
    lead = first.shape[:len(first.shape) - len(_sighted.tail(plan, _sighted.others(made)[0]))]
    return tuple(lead) + _sighted.tail(plan, made), _sighted.dtype_of(made, first.dtype)


def _run(first: np.ndarray, second: np.ndarray, *, plan: Beams, made: str, nthreads: int) -> Any:
    return _sighted.run(plan, made, first, second, nthreads)


def _through_python(first: Any, second: Any, **options: Any) -> Any:
    result = jax.ShapeDtypeStruct(*_shape(first, options["plan"], options["made"]))
    return callback(partial(_run, **options), result, first, second)


def _abstract(first: Any, second: Any, *, plan: Beams, made: str, nthreads: int) -> Any:
    shape, dtype = _shape(first, plan, made)
    return first.update(shape=shape, dtype=dtype, weak_type=False)


def _weighted(plan: Beams, role: str, values: Any, back: bool) -> Any:
    """c times the values, or, where they go back, the values over c; conjugates are those of JAX's
    gradients."""
    real = _sighted.dtype_of("samples", values.dtype)
    weights = _sighted.weights(plan, role).astype(real)
    return jnp.conj(values) / weights if back else jnp.conj(weights * values)


def _transposed(cotangent: Any, first: Any, second: Any, *, plan: Beams, made: str,
                nthreads: int) -> Any:
    """For the one of both that is not known."""
    roles = _sighted.others(made)
    number = 0 if ad.is_undefined_primal(first) else 1
    wanted = roles[number]
    held = {made: _weighted(plan, made, cotangent, True), roles[0]: first, roles[1]: second}
    pair = (held[each] for each in _sighted.others(wanted))
    gradient = _weighted(plan, wanted, _operator.bind(*pair, plan=plan, made=wanted,
                                                      nthreads=nthreads), False)
    return (gradient, None) if number == 0 else (None, gradient)


def _pushed_first(step: Any, first: Any, second: Any, **options: Any) -> Any:
    return _operator.bind(step, second, **options)


def _pushed_second(step: Any, first: Any, second: Any, **options: Any) -> Any:
    return _operator.bind(first, step, **options)


def _batched(arguments: Any, axes: Any, **options: Any) -> Any:
    size = next(array.shape[axis] for array, axis in zip(arguments, axes) if axis is not None)
    pair = [jnp.broadcast_to(array, (size, *array.shape)) if axis is None
            else jnp.moveaxis(array, axis, 0) for array, axis in zip(arguments, axes)]
    return _operator.bind(*pair, **options), 0


_operator = Primitive("armilla_beams")
_operator.def_abstract_eval(_abstract)
ad.defjvp(_operator, _pushed_first, _pushed_second)
ad.primitive_transposes[_operator] = _transposed
batching.primitive_batchers[_operator] = _batched
set_python_rules(_operator, _run, _through_python)


def apply(plan: Any, made: str, first: Any, second: Any, nthreads: int) -> Any:
    """Checks the arrays and makes one of the roles of the others."""
    first, second = jnp.asarray(first), jnp.asarray(second)
    lead = _sighted.check(plan, made, (first.shape, second.shape), (first.dtype, second.dtype))
    pair = [jnp.broadcast_to(array, lead + _sighted.tail(plan, role))
            for array, role in zip((first, second), _sighted.others(made))]
    return _operator.bind(*pair, plan=plan, made=made, nthreads=nthreads)
