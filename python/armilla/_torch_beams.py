"""Skies seen through beams for PyTorch; see torch.py and _sighted.py."""
from __future__ import annotations

from typing import Any, Callable, Tuple

import numpy as np
import torch

from . import _sighted
from ._torch_places import REAL
from ._torch_programs import HAS_PROGRAMS, owner_of, token_of

_NUMPY = {torch.complex64: np.complex64, torch.complex128: np.complex128,
          torch.float32: np.float32, torch.float64: np.float64}
_TORCH = {np.dtype(kind): dtype for dtype, kind in _NUMPY.items()}


def _numpy(tensor: Any) -> np.ndarray:
    return tensor.detach().resolve_conj().resolve_neg().numpy()


def _run(first: Any, second: Any, plan: Any, made: str, nthreads: int) -> Any:
    return torch.from_numpy(_sighted.run(plan, made, _numpy(first), _numpy(second), nthreads))


def _weights(plan: Any, role: str, like: Any) -> Any:
    real = REAL.get(like.dtype, like.dtype)
    return torch.from_numpy(_sighted.weights(plan, role).copy()).to(real)


def _pulled(operator: Callable[..., Any], plan: Any, made: str, arrays: Tuple[Any, Any],
            gradient: Any, wanted: Any) -> Tuple[Any, Any]:
    """Gradients at both arrays from that at what was made; None where it is not wanted. operator:
    of the role and the two others in their sequence."""
    roles = _sighted.others(made)
    held = {made: gradient / _weights(plan, made, gradient), roles[0]: arrays[0],
            roles[1]: arrays[1]}
    gradients = []
    for role, is_wanted in zip(roles, wanted):
        first, second = (held[each] for each in _sighted.others(role))
        gradients.append(_weights(plan, role, gradient) * operator(first, second, role)
                         if is_wanted else None)
    return gradients[0], gradients[1]


def _batched(in_dims: Any, first: Any, second: Any) -> Tuple[Any, Any]:
    """The same leading axes for both, the batch in front."""
    size = next(tensor.shape[axis] for tensor, axis in zip((first, second), in_dims)
                if axis is not None)
    made = []
    for tensor, axis in zip((first, second), in_dims):
        made.append(tensor.expand(size, *tensor.shape) if axis is None else tensor.movedim(axis, 0))
    return made[0], made[1]


class _Operator(torch.autograd.Function):  # type: ignore[misc]
    """Of two tensors with the same leading axes, linear in each."""

    @staticmethod
    def forward(*inputs: Any) -> Any:
        *context, first, second, plan, made, nthreads = inputs
        output = _run(first, second, plan, made, nthreads)
        for ctx in context:  # PyTorch 1 gives it to forward and does not know setup_context
            _Operator.setup_context(ctx, inputs[1:], output)
        return output

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        first, second, ctx.plan, ctx.made, ctx.nthreads = inputs
        ctx.save_for_backward(first, second)
        ctx.save_for_forward(first, second)

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        pair = _pulled(lambda first, second, made: _Operator.apply(
            first, second, ctx.plan, made, ctx.nthreads), ctx.plan, ctx.made, ctx.saved_tensors,
            gradient, ctx.needs_input_grad)
        return (*pair, None, None, None)

    @staticmethod
    def jvp(ctx: Any, first_step: Any, second_step: Any, *_: Any) -> Any:
        first, second = ctx.saved_tensors
        how = ctx.plan, ctx.made, ctx.nthreads
        steps = []
        if first_step is not None:
            steps.append(_Operator.apply(first_step, second, *how))
        if second_step is not None:
            steps.append(_Operator.apply(first, second_step, *how))
        return sum(steps[1:], steps[0])

    @staticmethod
    def vmap(info: Any, in_dims: Any, first: Any, second: Any, *how: Any) -> Any:
        return _Operator.apply(*_batched(in_dims, first, second), *how), 0


# --- In programs ----------------------------------------------------------------------------------

def _empty(first: Any, second: Any, plan: str, made: str, nthreads: int) -> Any:
    owner = owner_of(plan)
    lead = first.shape[:first.dim() - len(_sighted.tail(owner, _sighted.others(made)[0]))]
    dtype = _TORCH[_sighted.dtype_of(made, _NUMPY[first.dtype])]
    return first.new_empty(tuple(lead) + _sighted.tail(owner, made), dtype=dtype)


def _remember(ctx: Any, inputs: Any, output: Any) -> None:
    first, second, ctx.plan, ctx.made, ctx.nthreads = inputs
    ctx.save_for_backward(first, second)


def _backward(ctx: Any, gradient: Any) -> Any:
    pair = _pulled(lambda first, second, made: _in_program(
        first, second, ctx.plan, made, ctx.nthreads), owner_of(ctx.plan), ctx.made,
        ctx.saved_tensors, gradient, (True, True))
    return (*pair, None, None, None)


def _batched_step(info: Any, in_dims: Any, first: Any, second: Any, *how: Any) -> Any:
    return _in_program(*_batched(in_dims, first, second), *how), 0


def _step(first: Any, second: Any, plan: str, made: str, nthreads: int) -> Any:
    return _run(first, second, owner_of(plan), made, nthreads)


if HAS_PROGRAMS:
    _in_program = torch.library.custom_op(
        "armilla::beams", _step, mutates_args=(),
        schema="(Tensor first, Tensor second, str plan, str made, int nthreads) -> Tensor")
    _in_program.register_fake(_empty)
    _in_program.register_autograd(_backward, setup_context=_remember)
    if hasattr(_in_program, "register_vmap"):  # PyTorch 2.5
        _in_program.register_vmap(_batched_step)


def apply(plan: Any, made: str, first: Any, second: Any, nthreads: int) -> Any:
    """Checks the tensors and makes one of the roles of the others."""
    roles = _sighted.others(made)
    for tensor, role in ((first, roles[0]), (second, roles[1])):
        if not isinstance(tensor, torch.Tensor):
            raise TypeError(f"{role}: must be a torch.Tensor, not {type(tensor).__name__}")
        if tensor.device.type != "cpu":
            raise ValueError(f"{role}: is on {tensor.device}, must be on the CPU")
        if tensor.dtype not in _NUMPY:
            wanted = " or ".join(str(t) for t in (
                REAL.values() if role == "samples" else REAL))
            raise TypeError(f"{role}: has type {tensor.dtype}, must have {wanted}")
    lead = _sighted.check(plan, made, (tuple(first.shape), tuple(second.shape)),
                          (_NUMPY[first.dtype], _NUMPY[second.dtype]))
    pair = [tensor.expand(lead + _sighted.tail(plan, role))
            for tensor, role in ((first, roles[0]), (second, roles[1]))]
    if HAS_PROGRAMS and torch.compiler.is_compiling():
        return _in_program(*pair, token_of(plan), made, nthreads)
    return _Operator.apply(*pair, plan, made, nthreads)
