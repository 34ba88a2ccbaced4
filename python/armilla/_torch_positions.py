"""Values at points and lensed maps for PyTorch; see torch.py and _positions.py."""
from __future__ import annotations

from typing import Any

import numpy as np
import torch

from . import _positions
from ._linear import order_weights
from ._positions import Field, Rules

_REAL = {torch.complex64: torch.float32, torch.complex128: torch.float64}
_COMPLEX = {real: cplx for cplx, real in _REAL.items()}


def _cast(values: Any, like: Any) -> Any:
    real = _REAL.get(like.dtype, like.dtype)
    if isinstance(values, np.ndarray):
        return torch.from_numpy(values).to(real)
    return values.to(_COMPLEX[real] if values.is_complex() else real)


def _numpy(tensor: Any) -> np.ndarray:
    return tensor.detach().resolve_conj().resolve_neg().numpy()


def _weights(field: Field, like: Any) -> Any:
    return _cast(order_weights(field.lmax, field.mmax), like)


class _Operator(torch.autograd.Function):  # type: ignore[misc]
    """values or adjoint of _positions: linear in the first tensor, smooth in the positions."""

    @staticmethod
    def forward(*inputs: Any) -> Any:
        *context, given, positions, field, to_map = inputs
        function = _positions.values if to_map else _positions.adjoint
        output = torch.from_numpy(function(field, _numpy(given), _numpy(positions)))
        for ctx in context:  # PyTorch 1 gives it to forward and does not know setup_context
            _Operator.setup_context(ctx, inputs[1:], output)
        return output

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        given, positions, ctx.field, ctx.to_map = inputs
        ctx.save_for_backward(given, positions)
        ctx.save_for_forward(given, positions)

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        given, positions = ctx.saved_tensors
        field, weights = ctx.field, _weights(ctx.field, given)
        # <gradient, adjoint(values)> = <values, values of gradient / weights>
        alm, seen = (given, gradient) if ctx.to_map else (gradient / weights, given)
        first = second = None
        if ctx.needs_input_grad[0]:
            first = (weights * _adjoint(field, seen, positions) if ctx.to_map
                     else _values(field, alm, positions))
        if ctx.needs_input_grad[1]:
            second = _RULES.pulled(field, alm, positions, seen)
        return first, second, None, None

    @staticmethod
    def jvp(ctx: Any, given_step: Any, positions_step: Any, *_: Any) -> Any:
        given, positions = ctx.saved_tensors
        push = _RULES.pushed if ctx.to_map else _RULES.adjoint_pushed
        steps = []
        if given_step is not None:
            steps.append(_Operator.apply(given_step, positions, ctx.field, ctx.to_map))
        if positions_step is not None:
            steps.append(push(ctx.field, given, positions, positions_step))
        return sum(steps[1:], steps[0])

    @staticmethod
    def vmap(info: Any, in_dims: Any, given: Any, positions: Any, field: Any, to_map: Any) -> Any:
        given = given.movedim(in_dims[0], 0) if in_dims[0] is not None else given
        if in_dims[1] is None:
            return _Operator.apply(given, positions, field, to_map), 0
        rows = positions.movedim(in_dims[1], 0)
        made = [_Operator.apply(given if in_dims[0] is None else given[i], row, field, to_map)
                for i, row in enumerate(rows)]
        return torch.stack(made), 0


def _values(field: Field, alm: Any, positions: Any) -> Any:
    return _Operator.apply(alm, positions, field, True)


def _adjoint(field: Field, given: Any, positions: Any) -> Any:
    return _Operator.apply(given, positions, field, False)


_RULES = Rules(torch, torch.complex, _cast, _values, _adjoint)


def apply(field: Field, to_map: bool, given: Any, positions: Any) -> Any:
    """Checks the tensors and applies the operator."""
    names = ("alm", "loc") if field.grid is None else ("alm", "deflection")
    types = tuple(_REAL) if to_map else tuple(_COMPLEX)
    for tensor, name, allowed in ((given, names[0] if to_map else "values", types),
                                  (positions, names[1], tuple(_COMPLEX))):
        if not isinstance(tensor, torch.Tensor):
            raise TypeError(f"{name}: must be a torch.Tensor, not {type(tensor).__name__}")
        if tensor.dtype not in allowed:
            wanted = " or ".join(str(t) for t in allowed)
            raise TypeError(f"{name}: has type {tensor.dtype}, must have {wanted}")
        if tensor.device.type != "cpu":
            raise ValueError(f"{name}: is on {tensor.device}, must be on the CPU")
    _positions.check_shapes(field, to_map, tuple(given.shape), tuple(positions.shape))
    return _Operator.apply(given, positions, field, to_map)
