"""Values at points and lensed maps for PyTorch; see torch.py and _positions.py."""
from __future__ import annotations

from typing import Any, Callable, Optional, Tuple

import numpy as np
import torch

from . import _positions
from ._arrays import COMPLEX_OF, REAL_OF
from ._linear import order_weights
from ._positions import Field, Rules, field_of
from ._torch_places import COMPLEX, REAL
from ._torch_programs import HAS_PROGRAMS, constant, object_at, owner_of, token_of
from ._torch_sights import cast_there, see


def _cast(values: Any, like: Any) -> Any:
    real = REAL.get(like.dtype, like.dtype)
    if isinstance(values, np.ndarray):
        return cast_there(values, real, like) if like.is_cuda else torch.from_numpy(values).to(real)
    return values.to(COMPLEX[real] if values.is_complex() else real)


def _numpy(tensor: Any) -> np.ndarray:
    return tensor.detach().resolve_conj().resolve_neg().numpy()


def _run(given: Any, positions: Any, field: Field, to_map: bool) -> Any:
    if given.is_cuda:
        return see(field, to_map, given, positions)
    function = _positions.values if to_map else _positions.adjoint
    return torch.from_numpy(function(field, _numpy(given), _numpy(positions)))


def _pulled(given: Any, positions: Any, gradient: Any, field: Field, to_map: bool, wanted: Any,
            rules: Optional[Rules] = None) -> Tuple[Any, Any]:
    """The gradients at both arrays from that at the output; None where it is not wanted. rules:
    _RULES if None."""
    rules = rules or _RULES
    weights = rules.cast(order_weights(field.lmax, field.mmax), given)
    # <gradient, adjoint(values)> = <values, values of gradient / weights>
    alm, seen = (given, gradient) if to_map else (gradient / weights, given)
    first = second = None
    if wanted[0]:
        first = (weights * rules.adjoint(field, seen, positions) if to_map
                 else rules.values(field, alm, positions))
    if wanted[1]:
        second = rules.pulled(field, alm, positions, seen)
    return first, second


def _each(in_dims: Any, given: Any, positions: Any, call: Callable[..., Any]) -> Any:
    """call(given, positions) of batched tensors: positions one by one."""
    given = given.movedim(in_dims[0], 0) if in_dims[0] is not None else given
    if in_dims[1] is None:
        return call(given, positions)
    return torch.stack([call(given if in_dims[0] is None else given[i], row)
                        for i, row in enumerate(positions.movedim(in_dims[1], 0))])


class _Operator(torch.autograd.Function):  # type: ignore[misc]
    """values or adjoint of _positions: linear in the first tensor, smooth in the positions."""

    @staticmethod
    def forward(*inputs: Any) -> Any:
        *context, given, positions, field, to_map = inputs
        output = _run(given, positions, field, to_map)
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
        first, second = _pulled(given, positions, gradient, ctx.field, ctx.to_map,
                                ctx.needs_input_grad)
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
        return _each(in_dims, given, positions,
                     lambda *both: _Operator.apply(*both, field, to_map)), 0


# --- In programs ----------------------------------------------------------------------------------

@constant
def _field_token(grid: Optional[int], *what: Any) -> str:
    """grid: its id, or None; what: the other arguments of field_of."""
    given: Tuple[Any, ...] = (*what, None if grid is None else object_at(grid))
    return token_of(field_of(*given))


def _empty(given: Any, positions: Any, field: str, to_map: bool) -> Any:
    shapes = tuple(given.shape), tuple(positions.shape)
    _positions.check_shapes(owner_of(field), to_map, *shapes)
    shape = _positions.output_shape(owner_of(field), to_map, *shapes)
    return given.new_empty(shape, dtype=(REAL if to_map else COMPLEX)[given.dtype])


def _empty_gradients(given: Any, positions: Any, gradient: Any, field: str, to_map: bool) -> Any:
    return torch.empty_like(given, memory_format=torch.contiguous_format), torch.empty_like(
        positions, memory_format=torch.contiguous_format)


def _remember(ctx: Any, inputs: Any, output: Any) -> None:
    given, positions, ctx.field, ctx.to_map = inputs
    ctx.save_for_backward(given, positions)


def _backward(ctx: Any, gradient: Any) -> Any:
    return (*_gradients(*ctx.saved_tensors, gradient, ctx.field, ctx.to_map), None, None)


def _batched(info: Any, in_dims: Any, given: Any, positions: Any, field: str, to_map: bool) -> Any:
    return _each(in_dims, given, positions, lambda *both: _in_program(*both, field, to_map)), 0


def _step(given: Any, positions: Any, field: str, to_map: bool) -> Any:
    return _run(given, positions, owner_of(field), to_map)


def _step_back(given: Any, positions: Any, gradient: Any, field: str, to_map: bool) -> Any:
    """With NumPy on the processor: what PyTorch does within a step does not heed marks of
    conjugates everywhere."""
    if given.is_cuda:
        here, places, slope = (x.detach().resolve_conj().resolve_neg()
                               for x in (given, positions, gradient))
        return tuple(x.contiguous() for x in _pulled(here, places, slope, owner_of(field), to_map,
                                                     (True, True), _RULES_OF_STEPS))
    made = _pulled(_numpy(given), _numpy(positions), _numpy(gradient), owner_of(field), to_map,
                   (True, True), _RULES_OF_NUMPY)
    return tuple(torch.from_numpy(np.ascontiguousarray(x)) for x in made)


if HAS_PROGRAMS:
    _in_program = torch.library.custom_op(
        "armilla::positions", _step, mutates_args=(),
        schema="(Tensor given, Tensor positions, str field, bool to_map) -> Tensor")
    _gradients = torch.library.custom_op(
        "armilla::positions_gradients", _step_back, mutates_args=(),
        schema="(Tensor given, Tensor positions, Tensor gradient, str field, bool to_map) -> "
               "(Tensor, Tensor)")
    _in_program.register_fake(_empty)
    _in_program.register_autograd(_backward, setup_context=_remember)
    if hasattr(_in_program, "register_vmap"):  # PyTorch 2.5
        _in_program.register_vmap(_batched)
    _gradients.register_fake(_empty_gradients)


def _values(field: Field, alm: Any, positions: Any) -> Any:
    return _Operator.apply(alm, positions, field, True)


def _adjoint(field: Field, given: Any, positions: Any) -> Any:
    return _Operator.apply(given, positions, field, False)


def _cast_of_numpy(values: Any, like: Any) -> Any:
    real = REAL_OF.get(like.dtype, like.dtype)
    return values.astype(COMPLEX_OF[real] if values.dtype.kind == "c" else real)


class _Unmarked:
    """torch with conjugates that are numbers, not marks."""

    def __getattr__(self, name: str) -> Any:
        return getattr(torch, "conj_physical" if name == "conj" else name)


_RULES = Rules(torch, torch.complex, _cast, _values, _adjoint)
_RULES_OF_STEPS = Rules(_Unmarked(), torch.complex, _cast,
                        lambda field, alm, positions: _run(alm, positions, field, True),
                        lambda field, given, positions: _run(given, positions, field, False))
_RULES_OF_NUMPY = Rules(np, lambda re, im: re + 1j * im, _cast_of_numpy, _positions.values,
                        _positions.adjoint)


def _check_types(given: Any, positions: Any, of_grid: bool, to_map: bool) -> None:
    names = ("alm", "deflection" if of_grid else "loc")
    types = tuple(REAL) if to_map else tuple(COMPLEX)
    for tensor, name, allowed in ((given, names[0] if to_map else "values", types),
                                  (positions, names[1], tuple(COMPLEX))):
        if not isinstance(tensor, torch.Tensor):
            raise TypeError(f"{name}: must be a torch.Tensor, not {type(tensor).__name__}")
        if tensor.dtype not in allowed:
            wanted = " or ".join(str(t) for t in allowed)
            raise TypeError(f"{name}: has type {tensor.dtype}, must have {wanted}")
        if tensor.device.type not in ("cpu", "cuda"):
            raise ValueError(f"{name}: is on {tensor.device}, must be on the CPU or on a GPU")
    if given.device != positions.device:
        other = names[0] if to_map else "values"
        raise ValueError(f"{names[1]}: is on {positions.device}, {other} is on {given.device}; "
                         "both must be on one device")


def apply(to_map: bool, given: Any, positions: Any, *what: Any) -> Any:
    """Checks the tensors and applies the operator of field_of(*what), whose last is the grid."""
    _check_types(given, positions, what[-1] is not None, to_map)
    if HAS_PROGRAMS and torch.compiler.is_compiling():
        grid = None if what[-1] is None else id(what[-1])
        return _in_program(given, positions, _field_token(grid, *what[:-1]), to_map)
    field = field_of(*what)
    _positions.check_shapes(field, to_map, tuple(given.shape), tuple(positions.shape))
    return _Operator.apply(given, positions, field, to_map)
