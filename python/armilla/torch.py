"""The operators of a plan for PyTorch: tensors in, tensors out, with gradients.

    >>> import armilla, torch
    >>> from armilla import torch as at
    >>> lmax, grid = 16, armilla.Grid.healpix(8)
    >>> sht = armilla.SHT(grid, lmax)           # or an IQU, a VectorSHT, or Points
    >>> alm = torch.ones(sht.alm_shape, dtype=torch.complex128, requires_grad=True)
    >>> sky = at.synthesis(sht, alm)
    >>> (sky ** 2).sum().backward()             # alm.grad
    >>> radial = armilla.Radial(grid, armilla.Kernel.gaussian(0.5))
    >>> smooth = at.convolve(radial, sky)
    >>> loc = torch.tensor([[0.3, 0.2]], dtype=torch.float64)
    >>> seen = at.synthesis_general(alm, loc, lmax=lmax)        # loc: a tensor, too
    >>> deflection = torch.zeros((2, grid.npix), dtype=torch.float64)
    >>> lensed = at.lens(alm, deflection, grid, lmax=lmax)      # deflection: a tensor, too

Shapes are those of the plan: any leading axes are transforms that are done together. Precision
follows the input: float32 with complex64, float64 with complex128. Tensors live where the plan
does: on the CPU, or, for a plan made with device="cuda", on its GPU, where nothing is copied and
nothing waited for: the work is on PyTorch's current stream.

Gradients of coefficients follow PyTorch: dL/dRe a + i dL/dIm a, so that a - rate * a.grad
descends; a coefficient with m > 0 counts twice, since it gives that of -m as well, and the
imaginary parts of m = 0 have no effect, thus no gradient. What depends on a plan is linear:
derivatives of any order, forward mode and torch.vmap work, also where positions are tensors (with
PyTorch 1.13 all but torch.vmap, which asks for PyTorch 2).

With PyTorch 2.4 or newer the operators are steps of programs that torch.compile and torch.export
make, with gradients and (2.5) vmap, without forward mode, and by positions without second
derivatives. Such a program belongs to its process, and its plans live as long as that.
"""
from __future__ import annotations

from typing import Any, Callable, List, Optional, Union

try:
    import torch
except ImportError as error:
    raise ImportError("armilla.torch needs PyTorch: pip install torch") from error

from ._device import is_fit
from ._linear import (ADJOINT, MAP_TO_MAP, TO_MAP, Operators, operate, output_shape, plan_device,
                      zero_orders)
from ._torch_positions import apply
from ._torch_programs import HAS_PROGRAMS, owner_of, token_of
from .grid import Grid
from .points import Points
from .radial import Radial
from .transform import Plan

__all__ = ["adjoint_analysis", "adjoint_convolve", "adjoint_lens", "adjoint_synthesis",
           "adjoint_synthesis_general", "analysis", "convolve", "lens", "synthesis",
           "synthesis_general"]


def __dir__() -> List[str]:
    return __all__

_REAL = {torch.complex64: torch.float32, torch.complex128: torch.float64}


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
    real = _REAL.get(gradient.dtype, gradient.dtype)
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
        dtype = _REAL[dtype]
    elif name not in MAP_TO_MAP:
        dtype = next(cplx for cplx, real in _REAL.items() if real == dtype)
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


def _apply(sht: Operators, name: str, values: Any, nthreads: int) -> Any:
    if not isinstance(values, torch.Tensor):
        raise TypeError(f"{name}: the input must be a torch.Tensor, not {type(values).__name__}")
    types = tuple(_REAL) if name in TO_MAP else tuple(_REAL.values())
    if values.dtype not in types:
        wanted = " or ".join(str(t) for t in types)
        raise TypeError(f"{name}: the input has type {values.dtype}, must have {wanted}")
    device = plan_device(sht)
    if values.device.type != device:
        place = {"cpu": "on the CPU", "cuda": "on a GPU"}[device]
        raise ValueError(f"{name}: the input is on {values.device}, must be {place}: the plan is")
    output_shape(sht, name, tuple(values.shape))
    if HAS_PROGRAMS and torch.compiler.is_compiling():
        return _in_program(values, token_of(sht), name, nthreads)
    return _Operator.apply(values, sht, name, nthreads)


def synthesis(sht: Union[Plan, Points], alm: torch.Tensor, *, nthreads: int = 0) -> torch.Tensor:
    """Transform coefficients to maps: Y.

    Parameters
    ----------
    sht : SHT, IQU, VectorSHT or Points
        The plan.
    alm : Tensor, shape (...,) + sht.alm_shape
        Coefficients, complex64 or complex128. Leading axes are transforms that are done together.
    nthreads : int, optional
        Number of threads; 0 means all.

    Returns
    -------
    Tensor, shape (...,) + sht.map_shape
        The maps, of the precision of `alm`.

    Raises
    ------
    TypeError
        If a type is wrong.
    ValueError
        If a shape is wrong, or the tensor is not where the plan is.

    Examples
    --------
    >>> import armilla, numpy as np, torch
    >>> from armilla import torch as at
    >>> sht = armilla.SHT(armilla.Grid.gauss_legendre(17, 34), lmax=16)
    >>> alm = torch.zeros(sht.alm_shape, dtype=torch.complex128, requires_grad=True)
    >>> ((at.synthesis(sht, alm) - 1) ** 2).sum().backward()
    >>> alm.grad.shape
    torch.Size([153])
    """
    return _apply(sht, "synthesis", alm, nthreads)


def adjoint_synthesis(sht: Union[Plan, Points], map: torch.Tensor, *, nthreads: int = 0
                      ) -> torch.Tensor:
    """Apply the adjoint of synthesis, without weights: Y^T.

    Parameters
    ----------
    sht : SHT, IQU, VectorSHT or Points
        The plan.
    map : Tensor, shape (...,) + sht.map_shape
        Maps, float32 or float64.
    nthreads : int, optional
        Number of threads; 0 means all.

    Returns
    -------
    Tensor, shape (...,) + sht.alm_shape
        Coefficients, of the precision of `map`.

    Raises
    ------
    TypeError
        If a type is wrong.
    ValueError
        If a shape is wrong, or the tensor is not where the plan is.
    """
    return _apply(sht, "adjoint_synthesis", map, nthreads)


def analysis(sht: Plan, map: torch.Tensor, *, nthreads: int = 0) -> torch.Tensor:
    """Transform maps to coefficients by quadrature: Y^T W.

    Parameters
    ----------
    sht : SHT, IQU or VectorSHT
        The plan.
    map : Tensor, shape (...,) + sht.map_shape
        Maps, float32 or float64.
    nthreads : int, optional
        Number of threads; 0 means all.

    Returns
    -------
    Tensor, shape (...,) + sht.alm_shape
        Coefficients, of the precision of `map`.

    Raises
    ------
    TypeError
        If a type is wrong.
    ValueError
        If a shape is wrong, or the tensor is not where the plan is.
    """
    return _apply(sht, "analysis", map, nthreads)


def adjoint_analysis(sht: Plan, alm: torch.Tensor, *, nthreads: int = 0) -> torch.Tensor:
    """Apply the adjoint of analysis: W Y.

    Parameters
    ----------
    sht : SHT, IQU or VectorSHT
        The plan.
    alm : Tensor, shape (...,) + sht.alm_shape
        Coefficients, complex64 or complex128. Leading axes are transforms that are done together.
    nthreads : int, optional
        Number of threads; 0 means all.

    Returns
    -------
    Tensor, shape (...,) + sht.map_shape
        The maps, of the precision of `alm`.

    Raises
    ------
    TypeError
        If a type is wrong.
    ValueError
        If a shape is wrong, or the tensor is not where the plan is.
    """
    return _apply(sht, "adjoint_analysis", alm, nthreads)


def convolve(radial: Radial, map: torch.Tensor, *, nthreads: int = 0) -> torch.Tensor:
    """Convolve maps with a radial kernel: Radial.convolve without weights.

    Parameters
    ----------
    radial : Radial
        The plan.
    map : Tensor, shape (..., npix) or (..., 2, npix)
        Maps, float32 or float64; Q and U of a kernel with spin=2.
    nthreads : int, optional
        Number of threads; 0 means all.

    Returns
    -------
    Tensor, shape of `map`
        The result, of the precision of `map`.

    Raises
    ------
    TypeError
        If a type is wrong.
    ValueError
        If a shape is wrong, or the tensor is not where the plan is.
    """
    return _apply(radial, "convolve", map, nthreads)


def adjoint_convolve(radial: Radial, map: torch.Tensor, *, nthreads: int = 0) -> torch.Tensor:
    """Apply the adjoint of convolve: Radial.adjoint.

    Parameters
    ----------
    radial : Radial
        The plan.
    map : Tensor, shape (..., npix) or (..., 2, npix)
        Maps, float32 or float64; Q and U of a kernel with spin=2.
    nthreads : int, optional
        Number of threads; 0 means all.

    Returns
    -------
    Tensor, shape of `map`
        The result, of the precision of `map`.

    Raises
    ------
    TypeError
        If a type is wrong.
    ValueError
        If a shape is wrong, or the tensor is not where the plan is.
    """
    return _apply(radial, "adjoint", map, nthreads)


def _general(given: Any, positions: Any, to_map: bool, lmax: int, spin: int, epsilon: float,
             mmax: Optional[int], nthreads: int, grid: Optional[Grid]) -> Any:
    return apply(to_map, given, positions, lmax, spin, epsilon, mmax, nthreads, grid)


def synthesis_general(alm: torch.Tensor, loc: torch.Tensor, *, lmax: int, spin: int = 0,
                      epsilon: float = 1e-7, mmax: Optional[int] = None, nthreads: int = 0
                      ) -> torch.Tensor:
    """Evaluate coefficients at arbitrary points, differentiable in both.

    Parameters
    ----------
    alm : Tensor, shape (..., size) or (..., 2, size)
        Coefficients, with two components if `spin` is not 0; complex64 or complex128.
    loc : Tensor, shape (npoints, 2)
        Colatitude and longitude of each point in radians.
    lmax : int
        Largest degree.
    spin : int, optional
        Spin of the field, 0 or more.
    epsilon : float, optional
        Largest rms error of the values, relative to the rms of the field over the sphere: 1e-13 to
        0.1.
    mmax : int, optional
        Largest order, 0 to `lmax`. By default it is `lmax`.
    nthreads : int, optional
        Number of threads; 0 means all.

    Returns
    -------
    Tensor, shape (..., npoints) or (..., 2, npoints)
        The values, of the precision of `alm`.

    Raises
    ------
    TypeError
        If a type is wrong.
    ValueError
        If a shape is wrong, or the tensor is not where the plan is.

    Notes
    -----
    The values are those of ``Points(lmax, loc, spin, epsilon)``. Derivatives by `loc` are those of
    the components along e_theta and e_phi at each point.
    """
    return _general(alm, loc, True, lmax, spin, epsilon, mmax, nthreads, None)


def adjoint_synthesis_general(values: torch.Tensor, loc: torch.Tensor, *, lmax: int,
                              spin: int = 0, epsilon: float = 1e-7, mmax: Optional[int] = None,
                              nthreads: int = 0) -> torch.Tensor:
    """Apply the transpose of synthesis_general, differentiable in both arguments.

    Parameters
    ----------
    values : Tensor, shape (..., npoints) or (..., 2, npoints)
        Values at the points, float32 or float64.
    loc : Tensor, shape (npoints, 2)
        Colatitude and longitude of each point in radians.
    lmax : int
        Largest degree.
    spin : int, optional
        Spin of the field, 0 or more.
    epsilon : float, optional
        Largest rms error of the values, relative to the rms of the field over the sphere: 1e-13 to
        0.1.
    mmax : int, optional
        Largest order, 0 to `lmax`. By default it is `lmax`.
    nthreads : int, optional
        Number of threads; 0 means all.

    Returns
    -------
    Tensor, shape (..., size) or (..., 2, size)
        Coefficients, of the precision of the input.

    Raises
    ------
    TypeError
        If a type is wrong.
    ValueError
        If a shape is wrong, or the tensor is not where the plan is.
    """
    return _general(values, loc, False, lmax, spin, epsilon, mmax, nthreads, None)


def lens(alm: torch.Tensor, deflection: torch.Tensor, grid: Grid, *, lmax: int, spin: int = 0,
         epsilon: float = 1e-7, mmax: Optional[int] = None, nthreads: int = 0) -> torch.Tensor:
    """Make lensed maps, differentiable in the coefficients and in the deflection.

    Parameters
    ----------
    alm : Tensor, shape (..., size) or (..., 2, size)
        Coefficients, with two components if `spin` is not 0; complex64 or complex128.
    deflection : Tensor, shape (2, npix)
        Deflection of each pixel in radians, along e_theta and e_phi. What it holds where the grid
        has no pixels does not matter.
    grid : Grid
        Where the lensed maps are.
    lmax : int
        Largest degree.
    spin : int, optional
        Spin of the field, 0 or more.
    epsilon : float, optional
        Largest rms error of the values, relative to the rms of the field over the sphere: 1e-13 to
        0.1.
    mmax : int, optional
        Largest order, 0 to `lmax`. By default it is `lmax`.
    nthreads : int, optional
        Number of threads; 0 means all.

    Returns
    -------
    Tensor, shape (..., npix) or (..., 2, npix)
        The lensed maps, of the precision of `alm`.

    Raises
    ------
    TypeError
        If a type is wrong.
    ValueError
        If a shape is wrong, or the tensor is not where the plan is.

    Notes
    -----
    The deflection of coefficients dlm is ``synthesis(SHT(grid, lmax, spin=1), dlm)``, which is
    differentiable, too.
    """
    return _general(alm, deflection, True, lmax, spin, epsilon, mmax, nthreads, grid)


def adjoint_lens(map: torch.Tensor, deflection: torch.Tensor, grid: Grid, *, lmax: int,
                 spin: int = 0, epsilon: float = 1e-7, mmax: Optional[int] = None,
                 nthreads: int = 0) -> torch.Tensor:
    """Apply the transpose of lens, differentiable in both arguments.

    Parameters
    ----------
    map : Tensor, shape (..., npix) or (..., 2, npix)
        Lensed maps, float32 or float64.
    deflection : Tensor, shape (2, npix)
        Deflection of each pixel in radians, along e_theta and e_phi. What it holds where the grid
        has no pixels does not matter.
    grid : Grid
        Where the lensed maps are.
    lmax : int
        Largest degree.
    spin : int, optional
        Spin of the field, 0 or more.
    epsilon : float, optional
        Largest rms error of the values, relative to the rms of the field over the sphere: 1e-13 to
        0.1.
    mmax : int, optional
        Largest order, 0 to `lmax`. By default it is `lmax`.
    nthreads : int, optional
        Number of threads; 0 means all.

    Returns
    -------
    Tensor, shape (..., size) or (..., 2, size)
        Coefficients, of the precision of the input.

    Raises
    ------
    TypeError
        If a type is wrong.
    ValueError
        If a shape is wrong, or the tensor is not where the plan is.
    """
    return _general(map, deflection, False, lmax, spin, epsilon, mmax, nthreads, grid)
