"""The operators of a plan as linear maps of real numbers: what automatic differentiation needs.

With the gradient of a real function L in the coefficients written as dL/dRe a + i dL/dIm a, and the
inner product of coefficients that counts m > 0 twice (weights c_lm = 1 for m = 0, else 2),

    map = Y a       dL/da   = c * (Y^T dL/dmap)
    a = Y^T map     dL/dmap = Y (dL/da / c)

and the same with W. From map to map, L and its transpose, no c is needed. Imaginary parts of m = 0
are ignored by one operator and 0 from the other.
"""
from __future__ import annotations

import functools
from typing import Any, List, Optional, Tuple, Union

import numpy as np

from ._complex import ComplexSHT
from ._couplings import Coupling
from .alm import size
from .points import Points
from .radial import Radial
from .transform import Plan

ADJOINT = {"synthesis": "adjoint_synthesis", "adjoint_synthesis": "synthesis",
           "analysis": "adjoint_analysis", "adjoint_analysis": "analysis",
           "convolve": "adjoint", "adjoint": "convolve",
           "couple": "couple_adjoint", "couple_adjoint": "couple"}
TO_MAP = ("synthesis", "adjoint_analysis")
# Of a Radial and of a Coupling: real numbers, no weights in the rule.
MAP_TO_MAP = ("convolve", "adjoint", "couple", "couple_adjoint")
Operators = Union[Plan, Points, Radial, Coupling]

_READ_MAPS = ("analysis", "adjoint_synthesis", "convolve", "adjoint")


def check_plan(sht: Operators) -> None:
    """NotImplementedError for plans to which the rules above do not apply."""
    if isinstance(sht, ComplexSHT):
        raise NotImplementedError("sht: must not be a ComplexSHT; gradients are of real fields")
    if isinstance(sht, Plan) and sht._alm_is_real:
        raise NotImplementedError('form = "real": gradients are of plans of complex coefficients')


def operate(sht: Operators, name: str, values: Any, **how: Any) -> Any:
    """An operator of a plan, for interfaces whose users expect that NaN and UNSEEN propagate."""
    check_plan(sht)
    if isinstance(sht, Coupling):  # has threads of its own, and works in float64
        made: np.ndarray = getattr(sht, name)(values)
        return made.astype(values.dtype, copy=False)
    if name in _READ_MAPS and not isinstance(sht, Points):
        how["missing"] = "propagate"
    return getattr(sht, name)(values, **how)


def plan_device(sht: Operators) -> str:
    """Where it runs: "cpu" or "cuda"."""
    return getattr(sht, "device", "cpu")


def zero_orders(sht: Union[Plan, Points]) -> Union[slice, List[int]]:
    """Where the coefficients of order 0 are, among those of one component."""
    layout = sht.layout
    if layout is None:
        return slice(sht.lmax + 1)
    first = layout.index(0, 0)
    step = layout.index(1, 0) - first if sht.lmax else 1
    if step > 0:
        return slice(first, first + sht.lmax * step + 1, step)
    return [layout.index(l, 0) for l in range(sht.lmax + 1)]


def alm_weights(sht: Union[Plan, Points], real: Any) -> np.ndarray:
    """c_lm in the order of the plan's coefficients, shape (size,), of a real type."""
    weights = np.full(sht.alm_shape[-1], 2, real)
    weights[zero_orders(sht)] = 1
    return weights


@functools.lru_cache(maxsize=4)
def order_weights(lmax: int, mmax: int) -> np.ndarray:
    """c_lm in healpy's order; nobody writes to them."""
    weights = np.full(size(lmax, mmax), 2.0)
    weights[:lmax + 1] = 1
    return weights


def _tails(sht: Operators, name: str) -> tuple:
    """Shapes of input and output of one transform."""
    check_plan(sht)
    if isinstance(sht, Radial):
        return sht.map_shape, sht.map_shape
    if isinstance(sht, Coupling):
        return (sht._mixing.cl_shape,) * 2
    tails = (sht.alm_shape, sht.map_shape)
    return tails if name in TO_MAP else tails[::-1]


def output_shape(sht: Operators, name: str, shape: tuple) -> tuple:
    """Shape of the result of an operator for an input of this shape; ValueError if it is wrong."""
    given, made = _tails(sht, name)
    split = len(shape) - len(given)
    if split < 0 or tuple(shape[split:]) != given:
        wanted = ", ".join(["..."] + [str(n) for n in given])
        raise ValueError(f"{name}: the input has shape {tuple(shape)}, must have ({wanted})")
    return tuple(shape[:split]) + made


def in_lines(sht: Operators, name: str, values: Any) -> Tuple[Any, Optional[tuple]]:
    """Maps of a framework's array with one axis for the pixels, and the shape that the result gets
    where it is a map and those given have two axes; None: it stays."""
    maps = getattr(sht, "_maps", None)
    if maps is None or name not in _READ_MAPS:
        return values, None
    shapes = maps.like(values)
    if shapes is maps or not shapes.are_lines:
        return values, None
    lead = tuple(values.shape[:len(values.shape) - len(shapes.tail)])
    return values.reshape(lead + maps.flat), (
        lead + shapes.tail if isinstance(sht, Radial) else None)
