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
    >>> plan = armilla.Beams(lmax, 2, [[0.3, 0.2, 0.1]])
    >>> beam = torch.ones(plan.beam_shape, dtype=torch.complex128)
    >>> samples = at.convolve_beams(plan, alm, beam)            # linear in both
    >>> loc = torch.tensor([[0.3, 0.2]], dtype=torch.float64)
    >>> seen = at.synthesis_general(alm, loc, lmax=lmax)        # loc: a tensor, too
    >>> deflection = torch.zeros((2, grid.npix), dtype=torch.float64)
    >>> lensed = at.lens(alm, deflection, grid, lmax=lmax)      # deflection: a tensor, too

Shapes are those of the plan: any leading axes are transforms that are done together. Precision
follows the input: float32 with complex64, float64 with complex128. Tensors live where the plan
does: on the CPU, or, for a plan made with device="cuda", on its GPU, where nothing is copied and
nothing waited for: the work is on PyTorch's current stream. Layers make plans where their tensors
are. Where positions are tensors, all are on the CPU or all on one GPU, which is waited for when
positions are new.

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

from typing import TYPE_CHECKING, Any, List, Optional, Union

try:
    import torch
except ImportError as error:
    raise ImportError("armilla.torch needs PyTorch: pip install torch") from error

from ._beams import Beams
from ._hints import absent
from ._torch_beams import apply as apply_beams
from ._torch_modules import InverseRealSHT, InverseRealVectorSHT, RealSHT, RealVectorSHT
from ._torch_operators import apply_operator
from ._torch_positions import apply
from .grid import GridLike
from .points import Points
from .pseudo_cl import Coupling
from .radial import Radial
from .transform import Plan

__all__ = ["InverseRealSHT", "InverseRealVectorSHT", "RealSHT", "RealVectorSHT",
           "adjoint_analysis", "adjoint_convolve", "adjoint_convolve_beams", "adjoint_couple",
           "adjoint_lens", "adjoint_synthesis", "adjoint_synthesis_general", "analysis",
           "convolve", "convolve_beams", "couple", "lens", "synthesis", "synthesis_general"]


def __dir__() -> List[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = absent(__name__)


def synthesis(sht: Union[Plan, Points], alm: torch.Tensor, *, nthreads: int = 0) -> torch.Tensor:
    """Transform coefficients to maps: Y.

    Parameters
    ----------
    %(sht.points)s
    alm : Tensor, shape (...,) + sht.alm_shape
        Coefficients, complex64 or complex128. Leading axes are transforms that are done together.
    %(nthreads.short)s

    Returns
    -------
    Tensor, shape (...,) + sht.map_shape
        The maps, of the precision of `alm`.

    %(Raises.type+place)s

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
    return apply_operator(sht, "synthesis", alm, nthreads)


def adjoint_synthesis(sht: Union[Plan, Points], map: torch.Tensor, *, nthreads: int = 0
                      ) -> torch.Tensor:
    """Apply the adjoint of synthesis, without weights: Y^T.

    Parameters
    ----------
    %(sht.points)s
    map : Tensor, shape (...,) + sht.map_shape
        Maps, float32 or float64.
    %(nthreads.short)s

    Returns
    -------
    Tensor, shape (...,) + sht.alm_shape
        Coefficients, of the precision of `map`.

    %(Raises.type+place)s
    """
    return apply_operator(sht, "adjoint_synthesis", map, nthreads)


def analysis(sht: Plan, map: torch.Tensor, *, nthreads: int = 0) -> torch.Tensor:
    """Transform maps to coefficients by quadrature: Y^T W.

    Parameters
    ----------
    %(sht)s
    map : Tensor, shape (...,) + sht.map_shape
        Maps, float32 or float64.
    %(nthreads.short)s

    Returns
    -------
    Tensor, shape (...,) + sht.alm_shape
        Coefficients, of the precision of `map`.

    %(Raises.type+place)s
    """
    return apply_operator(sht, "analysis", map, nthreads)


def adjoint_analysis(sht: Plan, alm: torch.Tensor, *, nthreads: int = 0) -> torch.Tensor:
    """Apply the adjoint of analysis: W Y.

    Parameters
    ----------
    %(sht)s
    alm : Tensor, shape (...,) + sht.alm_shape
        Coefficients, complex64 or complex128. Leading axes are transforms that are done together.
    %(nthreads.short)s

    Returns
    -------
    Tensor, shape (...,) + sht.map_shape
        The maps, of the precision of `alm`.

    %(Raises.type+place)s
    """
    return apply_operator(sht, "adjoint_analysis", alm, nthreads)


def convolve(radial: Radial, map: torch.Tensor, *, nthreads: int = 0) -> torch.Tensor:
    """Convolve maps with a radial kernel: Radial.convolve without weights.

    %(sections.radial.torch)s
    """
    return apply_operator(radial, "convolve", map, nthreads)


def adjoint_convolve(radial: Radial, map: torch.Tensor, *, nthreads: int = 0) -> torch.Tensor:
    """Apply the adjoint of convolve: Radial.adjoint.

    %(sections.radial.torch)s
    """
    return apply_operator(radial, "adjoint", map, nthreads)


def convolve_beams(plan: Beams, sky: torch.Tensor, beam: torch.Tensor, *, nthreads: int = 0
                   ) -> torch.Tensor:
    """Make the samples of a sky that is seen through a beam, with gradients in both.

    Parameters
    ----------
    %(plan)s
    sky : Tensor, shape (...,) + plan.sky_shape
        Coefficients of the sky, complex64 or complex128.
    beam : Tensor, shape (...,) + plan.beam_shape
        Coefficients of the beam, of the same precision. Leading axes broadcast.
    %(nthreads.short)s

    Returns
    -------
    Tensor, shape (..., npointings)
        The samples, of that precision.

    %(Raises.type+cpu)s
    """
    return apply_beams(plan, "samples", sky, beam, nthreads)


def adjoint_convolve_beams(plan: Beams, samples: torch.Tensor, beam: torch.Tensor, *,
                           nthreads: int = 0) -> torch.Tensor:
    """Apply the adjoint of convolve_beams in the sky.

    Parameters
    ----------
    %(plan)s
    samples : Tensor, shape (..., npointings)
        Samples, float32 or float64.
    beam : Tensor, shape (...,) + plan.beam_shape
        Coefficients of the beam, of the same precision. Leading axes broadcast.
    %(nthreads.short)s

    Returns
    -------
    Tensor, shape (...,) + plan.sky_shape
        Coefficients, of that precision.

    %(Raises.type+cpu)s
    """
    return apply_beams(plan, "sky", beam, samples, nthreads)


def couple(coupling: Coupling, cl: torch.Tensor) -> torch.Tensor:
    """Compute what masks make of spectra, for likelihoods of pseudo-spectra: Coupling.couple.

    Parameters
    ----------
    coupling : armilla.pseudo_cl.Coupling
        What the masks do; its adjoint is the gradient, so that derivatives of any order work.
    cl : Tensor, shape (..., ncl, lmax + 1), or (..., lmax + 1) of two scalars
        Spectra, float32 or float64.

    Returns
    -------
    Tensor, shape of `cl`
        Pseudo-spectra, of the precision of `cl`.

    %(Raises.type+finite+cpu)s
    """
    return apply_operator(coupling, "couple", cl, 0)


def adjoint_couple(coupling: Coupling, coupled: torch.Tensor) -> torch.Tensor:
    """Apply the adjoint of couple: Coupling.couple_adjoint.

    Parameters
    ----------
    coupling : armilla.pseudo_cl.Coupling
        What the masks do.
    coupled : Tensor, shape (..., ncl, lmax + 1), or (..., lmax + 1) of two scalars
        What is taken back, float32 or float64.

    Returns
    -------
    Tensor, shape of `coupled`
        The result, of the precision of `coupled`.

    %(Raises.type+finite+cpu)s
    """
    return apply_operator(coupling, "couple_adjoint", coupled, 0)


def _general(given: Any, positions: Any, to_map: bool, lmax: int, spin: int, epsilon: float,
             mmax: Optional[int], nthreads: int, grid: Optional[GridLike]) -> Any:
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
    %(arguments.points)s

    Returns
    -------
    Tensor, shape (..., npoints) or (..., 2, npoints)
        The values, of the precision of `alm`.

    %(Raises.type+devices)s

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
    %(arguments.points)s

    Returns
    -------
    Tensor, shape (..., size) or (..., 2, size)
        Coefficients, of the precision of the input.

    %(Raises.type+devices)s
    """
    return _general(values, loc, False, lmax, spin, epsilon, mmax, nthreads, None)


def lens(alm: torch.Tensor, deflection: torch.Tensor, grid: GridLike, *, lmax: int, spin: int = 0,
         epsilon: float = 1e-7, mmax: Optional[int] = None, nthreads: int = 0) -> torch.Tensor:
    """Make lensed maps, differentiable in the coefficients and in the deflection.

    Parameters
    ----------
    alm : Tensor, shape (..., size) or (..., 2, size)
        Coefficients, with two components if `spin` is not 0; complex64 or complex128.
    %(deflection.torch)s
    %(grid.lensed)s
    %(arguments.points)s

    Returns
    -------
    Tensor, shape (..., npix) or (..., 2, npix)
        The lensed maps, of the precision of `alm`.

    %(Raises.type+devices)s

    Notes
    -----
    The deflection of coefficients dlm is ``synthesis(SHT(grid, lmax, spin=1), dlm)``, which is
    differentiable, too.
    """
    return _general(alm, deflection, True, lmax, spin, epsilon, mmax, nthreads, grid)


def adjoint_lens(map: torch.Tensor, deflection: torch.Tensor, grid: GridLike, *, lmax: int,
                 spin: int = 0, epsilon: float = 1e-7, mmax: Optional[int] = None,
                 nthreads: int = 0) -> torch.Tensor:
    """Apply the transpose of lens, differentiable in both arguments.

    Parameters
    ----------
    map : Tensor, shape (..., npix) or (..., 2, npix)
        Lensed maps, float32 or float64.
    %(deflection.torch)s
    %(grid.lensed)s
    %(arguments.points)s

    Returns
    -------
    Tensor, shape (..., size) or (..., 2, size)
        Coefficients, of the precision of the input.

    %(Raises.type+devices)s
    """
    return _general(map, deflection, False, lmax, spin, epsilon, mmax, nthreads, grid)
