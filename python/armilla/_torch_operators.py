"""How armilla.torch applies the operators of a plan to tensors, with gradients, and in programs of
torch.compile and torch.export."""
from __future__ import annotations

from typing import Any, Callable

import torch

from ._device import is_fit
from ._layer_plans import LayerPlan
from ._linear import (ADJOINT, MAP_TO_MAP, TO_MAP, Operators, check_plan, in_lines, operate,
                      output_shape, plan_device, zero_orders)
from ._torch_places import COMPLEX, REAL
from ._torch_programs import HAS_PROGRAMS, constant, object_at, owner_of, token_of

# --- Where plans are ------------------------------------------------------------------------------

def _check_place(sht: Operators, name: str, device: Any) -> None:
    if isinstance(sht, LayerPlan):
        if device.type not in ("cpu", "cuda"):
            raise ValueError(f"{name}: the input is on {device}, must be on the CPU or on a GPU of "
                             "CUDA")
        return
    wanted = plan_device(sht)
    if device.type != wanted:
        place = {"cpu": "on the CPU", "cuda": "on a GPU"}[wanted]
        raise ValueError(f"{name}: the input is on {device}, must be {place}: the plan is")


def _plan_on(sht: Operators, name: str, device: Any) -> Operators:
    """The plan for tensors of a device: that of a layer has one on each GPU."""
    if not isinstance(sht, LayerPlan) or device.type == "cpu":
        return sht
    try:
        return sht.there(device.index)
    except NotImplementedError as error:
        raise NotImplementedError(f"{name}: the input is on {device}, where the layer can have no "
                                  f"plan ({error}); x.cpu() goes to the processor") from error


@constant
def _token_there(address: int, name: str, number: int) -> str:
    return token_of(_plan_on(object_at(address), name, torch.device("cuda", number)))


def _token_on(sht: Operators, name: str, device: Any) -> str:
    """The token of the plan for tensors of a device, also while torch.compile makes a program."""
    if isinstance(sht, LayerPlan) and device.type != "cpu":
        return _token_there(id(sht), name, device.index)
    return token_of(sht)


# --- One operator ---------------------------------------------------------------------------------

def _run(values: Any, sht: Operators, name: str, nthreads: int) -> Any:
    values = values.detach().resolve_conj().resolve_neg()
    if plan_device(sht) == "cuda":  # an expanded gradient, say, cannot go as it is
        values = values if is_fit(values) else values.contiguous()
        return operate(sht, name, values, nthreads=nthreads)
    return torch.from_numpy(operate(sht, name, values.numpy(), nthreads=nthreads))


class _Operator(torch.autograd.Function):  # type: ignore[misc]
    @staticmethod
    def forward(*inputs: Any) -> Any:
        *context, values, sht, name, nthreads = inputs
        output = _run(values, sht, name, nthreads)
        for ctx in context:  # PyTorch 1 gives it to forward and does not know setup_context
            _Operator.setup_context(ctx, inputs[1:], output)
        return output

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        _, ctx.sht, ctx.name, ctx.nthreads = inputs

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return _transposed(gradient, ctx.sht, ctx.name, ctx.nthreads), None, None, None

    @staticmethod
    def jvp(ctx: Any, tangent: Any, *_: Any) -> Any:
        return _Operator.apply(tangent, ctx.sht, ctx.name, ctx.nthreads)

    @staticmethod
    def vmap(info: Any, in_dims: Any, values: Any, sht: Any, name: Any, nthreads: Any) -> Any:
        return _Operator.apply(values.movedim(in_dims[0], 0), sht, name, nthreads), 0


def _weights(gradient: Any, sht: Any) -> Any:
    """_linear.alm_weights, made where the gradient is."""
    real = REAL.get(gradient.dtype, gradient.dtype)
    weights = gradient.new_full(sht.alm_shape[-1:], 2, dtype=real)
    weights[zero_orders(sht)] = 1
    return weights


def _transposed(gradient: Any, sht: Any, name: str, nthreads: int,
                operator: Callable[..., Any] = _Operator.apply, plan: Any = None) -> Any:
    """The gradient at the input of an operator from that at its output. plan: what `operator` takes
    as one; None: sht."""
    plan = sht if plan is None else plan
    if name in MAP_TO_MAP:
        return operator(gradient, plan, ADJOINT[name], nthreads)
    weights = _weights(gradient, sht)
    if name in TO_MAP:
        return weights * operator(gradient, plan, ADJOINT[name], nthreads)
    return operator(gradient / weights, plan, ADJOINT[name], nthreads)


# --- In programs ----------------------------------------------------------------------------------

def _empty(values: Any, plan: str, name: str, nthreads: int) -> Any:
    sht = owner_of(plan)
    dtype = values.dtype
    if name in TO_MAP:
        dtype = REAL[dtype]
    elif name not in MAP_TO_MAP:
        dtype = COMPLEX[dtype]
    return values.new_empty(output_shape(sht, name, tuple(values.shape)), dtype=dtype)


def _remember(ctx: Any, inputs: Any, output: Any) -> None:
    _, ctx.plan, ctx.name, ctx.nthreads = inputs


def _backward(ctx: Any, gradient: Any) -> Any:
    return _transposed(gradient, owner_of(ctx.plan), ctx.name, ctx.nthreads, _in_program,
                       ctx.plan), None, None, None


def _batched(info: Any, in_dims: Any, values: Any, plan: str, name: str, nthreads: int) -> Any:
    return _in_program(values.movedim(in_dims[0], 0), plan, name, nthreads), 0


def _step(values: Any, plan: str, name: str, nthreads: int) -> Any:
    return _run(values, owner_of(plan), name, nthreads).contiguous()  # as _empty promises


if HAS_PROGRAMS:
    _in_program = torch.library.custom_op(
        "armilla::operator", _step, mutates_args=(),
        schema="(Tensor values, str plan, str name, int nthreads) -> Tensor")
    _in_program.register_fake(_empty)
    _in_program.register_autograd(_backward, setup_context=_remember)
    if hasattr(_in_program, "register_vmap"):  # PyTorch 2.5
        _in_program.register_vmap(_batched)


def apply_operator(sht: Operators, name: str, values: Any, nthreads: int) -> Any:
    """An operator of a plan; errors for wrong types, places and shapes."""
    if not isinstance(values, torch.Tensor):
        raise TypeError(f"{name}: the input must be a torch.Tensor, not {type(values).__name__}")
    check_plan(sht)
    types = tuple(REAL) if name in TO_MAP else tuple(REAL.values())
    if values.dtype not in types:
        wanted = " or ".join(str(t) for t in types)
        raise TypeError(f"{name}: the input has type {values.dtype}, must have {wanted}")
    _check_place(sht, name, values.device)
    values, shape = in_lines(sht, name, values)
    output_shape(sht, name, tuple(values.shape))
    device = values.device
    if HAS_PROGRAMS and torch.compiler.is_compiling():
        made = _in_program(values, _token_on(sht, name, device), name, nthreads)
    else:
        made = _Operator.apply(values, _plan_on(sht, name, device), name, nthreads)
    return made if shape is None else made.reshape(shape)
