"""How armilla.jax's operators run: as functions in C that XLA calls (jax.ffi), without Python.

With JAX before 0.5, and where arrays are on a GPU but the plan is not, they run in Python by
jax.pure_callback. That waits for one of XLA's threads, so with one processor it can wait for ever:
there it is refused. The plans of layers have others beside them on GPUs.
"""
from __future__ import annotations

import functools
import math
import os
from typing import Any, Callable, Dict, Tuple

import jax
import numpy as np
from jax.interpreters import mlir

from ._couplings import Coupling
from ._held import number_of
from ._layer_plans import LayerPlan
from ._legs import OPERATORS, Legs
from ._linear import TO_MAP, Operators, plan_device
from ._native import ffi, lib
from ._positions import Field
from .radial import Radial

try:
    from jax import ffi as jax_ffi
    from jax.extend.mlir import ir
    from jax.extend.mlir.dialects import stablehlo as hlo
    AVAILABLE = hasattr(jax_ffi, "ffi_lowering")
except ImportError:  # before JAX 0.5
    AVAILABLE = False

_OPERATORS = {"synthesis": 0, "adjoint_synthesis": 1, "analysis": 2, "adjoint_analysis": 3}
_OF_RADIAL = {"convolve": 0, "adjoint": 1}
_FUNCTIONS = {("armilla_operator", "cpu"): 0, ("armilla_operator", "CUDA"): 1,
              ("armilla_positions", "cpu"): 2, ("armilla_legs", "cpu"): 3,
              ("armilla_positions", "CUDA"): 4}
_VERSIONS = (3, 2, 1)  # minor ones of XLA's interface
_MOST_EAGER = 16  # programs for operators that are called outside of jit on other devices
Rule = Callable[..., Any]


@functools.lru_cache(maxsize=None)
def _register(target: str, platform: str) -> None:
    """Makes a function known to XLA, once: in the newest version that both know."""
    address = int(ffi.cast("intptr_t", lib.armilla_python_xla_function(
        _FUNCTIONS[target, platform])))
    capsules = {stage: jax_ffi.pycapsule(address) for stage in ("instantiate", "execute")}
    for minor in _VERSIONS:
        lib.armilla_python_xla_answer(minor)
        try:
            jax_ffi.register_ffi_target(target, capsules, platform=platform)
            return
        except RuntimeError as error:  # JAX's own class is one
            if "version" not in str(error) or minor == _VERSIONS[-1]:
                raise


def _lower(target: str, platform: str, context: Any, operands: Tuple[Any, ...], owner: Any,
           constants: Dict[str, Any], **options: Any) -> Any:
    """owner: of what the constants name by its number; it lives until the program is compiled.
    options: of ffi_lowering."""
    _register(target, platform)
    if owner is not None and hasattr(context.module_context, "add_keepalive"):
        context.module_context.add_keepalive(owner)
    return jax_ffi.ffi_lowering(target, **options)(context, *operands, **constants)


# --- Operators of plans ---------------------------------------------------------------------------

def _is_dense(sht: Operators, name: str) -> bool:
    """Does an operator of the plan write every place of its output?"""
    if name not in TO_MAP and not isinstance(sht, Radial):
        return getattr(sht, "layout", None) is None
    grid = getattr(sht, "grid", None)
    return grid is None or bool(grid._dense)


def _has_lines(sht: Operators) -> bool:
    """Are its maps, as XLA has them, the library's lines of npix values? Rows of two dimensions may
    have gaps between them there, which XLA's arrays do not have."""
    if isinstance(sht, Coupling):  # which XLA does not call by itself
        return False
    maps = getattr(sht, "_maps", None)
    return maps is None or bool(maps.are_lines)


def _operator(platform: str, context: Any, values: Any, *, sht: Operators, name: str,
              nthreads: int) -> Any:
    table = _OF_RADIAL if isinstance(sht, Radial) else _OPERATORS
    is_dense = _is_dense(sht, name)
    constants = {"plan": np.int64(number_of(sht)), "operator": np.int64(table[name]),
                 "is_dense": np.int64(is_dense), "nthreads": np.int64(nthreads)}
    if platform == "cpu" or is_dense:
        return _lower("armilla_operator", platform, context, (values,), sht, constants)
    return _on_zeros("armilla_operator", platform, context, values, sht, constants)


def _on_zeros(target: str, platform: str, context: Any, values: Any, owner: Any,
              constants: Dict[str, Any]) -> Any:
    """The same where the function does not clear what the plan leaves out: the result lies on the
    memory of zeros, which XLA makes."""
    made, = context.avals_out
    new = mlir.lower_fun(lambda: jax.numpy.zeros(made.shape, made.dtype), multiple_results=False)
    zeros, = new(context.replace(avals_in=[], avals_out=[made]))
    inside = context.replace(avals_in=[*context.avals_in, made])
    return _lower(target, platform, inside, (values, zeros), owner, constants,
                  operand_output_aliases={1: 0})


def _positions(platform: str, context: Any, given: Any, positions: Any, *, field: Field,
               to_map: bool) -> Any:
    whole = {name: np.int64(getattr(field, name))
             for name in ("lmax", "mmax", "spin", "pure", "nthreads")}
    return _lower("armilla_positions", platform, context, (given, positions), field.grid,
                  {**whole, "epsilon": np.float64(field.epsilon), "to_map": np.int64(to_map),
                   "grid": np.int64(0 if field.grid is None else number_of(field.grid))})


def _widened(context: Any, value: Any, aval: Any, dtype: Any) -> Any:
    """A value of a program in another precision, also one that JAX does not have, and its type."""
    wide = jax.core.ShapedArray(aval.shape, dtype)
    if aval.dtype == dtype:
        return value, wide
    real = ir.F64Type.get() if np.finfo(dtype).bits == 64 else ir.F32Type.get()
    element = ir.ComplexType.get(real) if np.dtype(dtype).kind == "c" else real
    return hlo.convert(ir.RankedTensorType.get(aval.shape, element), value), wide


def _positions_there(context: Any, given: Any, positions: Any, **options: Any) -> Any:
    """On a GPU the library takes positions as doubles, and what lensed maps have."""
    (given_type, places), (made,) = context.avals_in, context.avals_out
    kinds = given_type.dtype, made.dtype
    if options["field"].grid is not None:
        kinds = np.result_type(kinds[0], np.float64), np.result_type(kinds[1], np.float64)
    given, given_type = _widened(context, given, given_type, kinds[0])
    positions, places = _widened(context, positions, places, np.dtype(np.float64))
    inside = context.replace(avals_in=[given_type, places],
                             avals_out=[jax.core.ShapedArray(made.shape, kinds[1])])
    result, = _positions("CUDA", inside, given, positions, **options)
    return [_widened(context, result, inside.avals_out[0], made.dtype)[0]]


def _has_gpu() -> bool:
    """Does the library have one?"""
    told = ffi.new("armilla_device_description *")
    told.size = ffi.sizeof("armilla_device_description")
    return int(lib.armilla_device_describe(lib.ARMILLA_CUDA, told)) == lib.ARMILLA_OK


def _plan_there(sht: Operators) -> Operators:
    """The plan for a program that runs on a GPU: that of a layer has one there, unless the library
    has no GPU, or no plans of this kind on one."""
    if not isinstance(sht, LayerPlan) or not _has_gpu():
        return sht
    try:
        return sht.there(0)
    except NotImplementedError:  # maps in NESTED order, say
        return sht


def lower_stage(context: Any, values: Any, *, legs: Legs, name: str) -> Any:
    """One stage of a transform, on the processor."""
    plan, sides = legs.plan(name), legs.shapes(name)
    given, made = (np.int64(math.prod(side)) for side in sides)
    return _lower("armilla_legs", "cpu", context, (values,), plan,
                  {"plan": np.int64(number_of(plan)), "operator": np.int64(OPERATORS[name]),
                   "given_count": given, "made_count": made})


def refuse_stage(context: Any, *operands: Any, **options: Any) -> Any:
    """The same on a GPU, where stages have no plans."""
    raise NotImplementedError(
        "layers over devices are on the CPU: give them devices of jax.devices('cpu'); on a GPU an "
        "ordinary layer takes whole fields, in a process for each GPU")


# --- By way of Python -----------------------------------------------------------------------------

def callback(run: Callable[..., Any], result: Any, *arrays: Any) -> Any:
    """run(*arrays) of NumPy's arrays, as a step of a program."""
    processors = getattr(os, "sched_getaffinity", lambda pid: range(os.cpu_count() or 1))(0)
    if len(processors) == 1:
        raise NotImplementedError(
            "armilla.jax: the process has one processor, where jax.pure_callback can wait for "
            "ever; JAX 0.5 or newer, plans where the arrays are, and maps whose rows have no gaps "
            "between them do without it")
    return jax.pure_callback(lambda *given: run(*map(np.asarray, given)), result, *arrays)


# --- Rules of a primitive -------------------------------------------------------------------------

def _on_cpu(values: Any) -> bool:
    """Is it an array on one device, and that the processor?"""
    devices = values.devices() if hasattr(values, "devices") else ()
    return len(devices) == 1 and next(iter(devices)).platform == "cpu"


def set_python_rules(primitive: Any, run: Rule, through_python: Rule) -> Any:
    """How a primitive is evaluated and, by way of Python, compiled. Returns what compiles it.

    run(*arrays, **options): of NumPy's arrays; through_python: the same as a step of a program.
    """
    @functools.lru_cache(maxsize=_MOST_EAGER)
    def program(options: Tuple[Tuple[str, Any], ...]) -> Any:
        return jax.jit(functools.partial(primitive.bind, **dict(options)))

    def evaluate(*arrays: Any, **options: Any) -> Any:
        if not all(map(_on_cpu, arrays)):
            return program(tuple(options.items()))(*arrays)
        made = run(*map(np.asarray, arrays), **options)
        device = next(iter(arrays[0].devices()))
        is_usual = device == next(iter(jax.numpy.zeros(()).devices()))
        return jax.numpy.asarray(made) if is_usual else jax.device_put(made, device)

    python = mlir.lower_fun(through_python, multiple_results=False)
    mlir.register_lowering(primitive, python)
    primitive.def_impl(evaluate if AVAILABLE else through_python)
    return python


def set_rules(primitive: Any, run: Rule, through_python: Rule, *, has_plan: bool) -> None:
    """The same, and by functions of the library where XLA can call them.

    has_plan: an operator of a plan, which may be for a GPU; else values at positions.
    """
    python = set_python_rules(primitive, run, through_python)
    if not AVAILABLE:
        return
    compiled = _operator if has_plan else _positions

    def on_cpu(context: Any, *operands: Any, **options: Any) -> Any:
        if has_plan and not _has_lines(options["sht"]):
            return python(context, *operands, **options)
        return compiled("cpu", context, *operands, **options)

    def on_gpu(context: Any, *operands: Any, **options: Any) -> Any:
        if not has_plan:
            grid = options["field"].grid
            is_dense = grid is None or bool(grid._dense)
            lower = _positions_there if is_dense and _has_gpu() else python
            return lower(context, *operands, **options)
        sht = options["sht"] = _plan_there(options["sht"])
        if plan_device(sht) == "cuda" and _has_lines(sht):
            return compiled("CUDA", context, *operands, **options)
        return python(context, *operands, **options)

    mlir.register_lowering(primitive, on_cpu, platform="cpu")

    mlir.register_lowering(primitive, on_gpu, platform="cuda")
