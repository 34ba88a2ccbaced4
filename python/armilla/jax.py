"""The operators of a plan for JAX: to be differentiated, vectorised and compiled.

    >>> import armilla, jax, jax.numpy as jnp
    >>> from armilla import jax as aj
    >>> lmax, grid = 16, armilla.Grid.healpix(8)
    >>> sht = armilla.SHT(grid, lmax)               # or an IQU, a VectorSHT, or Points
    >>> alm = jnp.ones(sht.alm_shape, jnp.complex64)
    >>> loss = lambda alm: (aj.synthesis(sht, alm) ** 2).sum()
    >>> gradient = jax.jit(jax.grad(loss))(alm)
    >>> loc = jnp.array([[0.3, 0.2]])
    >>> seen = aj.synthesis_general(alm, loc, lmax=lmax, epsilon=1e-5)      # loc: an array, too
    >>> deflection = jnp.zeros((2, grid.npix))
    >>> lensed = aj.lens(alm, deflection, grid, lmax=lmax, epsilon=1e-5)    # deflection, too

Shapes are those of the plan: any leading axes are transforms that are done together. Precision
follows the input: float32 with complex64, float64 with complex128 (where JAX has 64 bits enabled).
The transforms are functions in C that XLA calls (jax.ffi, JAX 0.5 or newer): no Python runs in a
compiled program, and errors of the library are JAX's errors with its message. On a GPU this is so
for plans made for it and for layers, on arrays that stay there, and where positions are arrays, on
grids without gaps; all others run by jax.pure_callback, and their arrays come to the host and go
back. With an older JAX all do. Where the process has one processor such a callback can wait for
ever, and is refused.

Gradients of coefficients follow JAX: dL/dRe a - i dL/dIm a, so that a - rate * conj(gradient)
descends; a coefficient with m > 0 counts twice, since it gives that of -m as well, and the
imaginary parts of m = 0 have no effect, thus no gradient. What depends on a plan is linear:
forward mode, reverse mode, derivatives of any order and vmap work, also where positions are
arrays.
"""
from __future__ import annotations

try:
    import jax
except ImportError as error:
    raise ImportError("armilla.jax needs JAX: pip install jax") from error

from typing import TYPE_CHECKING, Any, List, Optional, Union

from ._beams import Beams
from ._hints import absent
from ._jax_beams import apply as apply_beams
from ._jax_layers import InverseRealSHT, InverseRealVectorSHT, RealSHT, RealVectorSHT
from ._jax_operators import apply_operator
from ._jax_positions import apply
from ._positions import field_of
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


def synthesis(sht: Union[Plan, Points], alm: jax.Array, *, nthreads: int = 0) -> jax.Array:
    """Transform coefficients to maps: Y.

    Parameters
    ----------
    %(sht.points)s
    alm : Array, shape (...,) + sht.alm_shape
        Coefficients, complex64 or complex128. Leading axes are transforms that are done together.
    %(nthreads.short)s

    Returns
    -------
    Array, shape (...,) + sht.map_shape
        The maps, of the precision of `alm`.

    %(Raises.type+shape)s

    Examples
    --------
    >>> import armilla, jax, jax.numpy as jnp
    >>> from armilla import jax as aj
    >>> sht = armilla.SHT(armilla.Grid.gauss_legendre(17, 34), lmax=16)
    >>> loss = lambda alm: ((aj.synthesis(sht, alm) - 1) ** 2).sum()
    >>> jax.grad(loss)(jnp.zeros(sht.alm_shape, jnp.complex64)).shape
    (153,)
    """
    return apply_operator(sht, "synthesis", alm, nthreads)


def adjoint_synthesis(sht: Union[Plan, Points], map: jax.Array, *, nthreads: int = 0
                      ) -> jax.Array:
    """Apply the adjoint of synthesis, without weights: Y^T.

    Parameters
    ----------
    %(sht.points)s
    map : Array, shape (...,) + sht.map_shape
        Maps, float32 or float64.
    %(nthreads.short)s

    Returns
    -------
    Array, shape (...,) + sht.alm_shape
        Coefficients, of the precision of `map`.

    %(Raises.type+shape)s
    """
    return apply_operator(sht, "adjoint_synthesis", map, nthreads)


def analysis(sht: Plan, map: jax.Array, *, nthreads: int = 0) -> jax.Array:
    """Transform maps to coefficients by quadrature: Y^T W.

    Parameters
    ----------
    %(sht)s
    map : Array, shape (...,) + sht.map_shape
        Maps, float32 or float64.
    %(nthreads.short)s

    Returns
    -------
    Array, shape (...,) + sht.alm_shape
        Coefficients, of the precision of `map`.

    %(Raises.type+shape)s
    """
    return apply_operator(sht, "analysis", map, nthreads)


def adjoint_analysis(sht: Plan, alm: jax.Array, *, nthreads: int = 0) -> jax.Array:
    """Apply the adjoint of analysis: W Y.

    Parameters
    ----------
    %(sht)s
    alm : Array, shape (...,) + sht.alm_shape
        Coefficients, complex64 or complex128. Leading axes are transforms that are done together.
    %(nthreads.short)s

    Returns
    -------
    Array, shape (...,) + sht.map_shape
        The maps, of the precision of `alm`.

    %(Raises.type+shape)s
    """
    return apply_operator(sht, "adjoint_analysis", alm, nthreads)


def convolve(radial: Radial, map: jax.Array, *, nthreads: int = 0) -> jax.Array:
    """Convolve maps with a radial kernel: Radial.convolve without weights.

    %(sections.radial.jax)s
    """
    return apply_operator(radial, "convolve", map, nthreads)


def adjoint_convolve(radial: Radial, map: jax.Array, *, nthreads: int = 0) -> jax.Array:
    """Apply the adjoint of convolve: Radial.adjoint.

    %(sections.radial.jax)s
    """
    return apply_operator(radial, "adjoint", map, nthreads)


def convolve_beams(plan: Beams, sky: jax.Array, beam: jax.Array, *, nthreads: int = 0) -> jax.Array:
    """Make the samples of a sky that is seen through a beam, with gradients in both.

    Parameters
    ----------
    %(plan)s
    sky : Array, shape (...,) + plan.sky_shape
        Coefficients of the sky, complex64 or complex128.
    beam : Array, shape (...,) + plan.beam_shape
        Coefficients of the beam, of the same precision. Leading axes broadcast.
    %(nthreads.short)s

    Returns
    -------
    Array, shape (..., npointings)
        The samples, of that precision.

    %(Raises.type+shape)s
    """
    return apply_beams(plan, "samples", sky, beam, nthreads)


def adjoint_convolve_beams(plan: Beams, samples: jax.Array, beam: jax.Array, *, nthreads: int = 0
                           ) -> jax.Array:
    """Apply the adjoint of convolve_beams in the sky.

    Parameters
    ----------
    %(plan)s
    samples : Array, shape (..., npointings)
        Samples, float32 or float64.
    beam : Array, shape (...,) + plan.beam_shape
        Coefficients of the beam, of the same precision. Leading axes broadcast.
    %(nthreads.short)s

    Returns
    -------
    Array, shape (...,) + plan.sky_shape
        Coefficients, of that precision.

    %(Raises.type+shape)s
    """
    return apply_beams(plan, "sky", beam, samples, nthreads)


def couple(coupling: Coupling, cl: jax.Array) -> jax.Array:
    """Compute what masks make of spectra, for likelihoods of pseudo-spectra: Coupling.couple.

    Parameters
    ----------
    coupling : armilla.pseudo_cl.Coupling
        What the masks do; its adjoint is the gradient, so that derivatives of any order work.
    cl : Array, shape (..., ncl, lmax + 1), or (..., lmax + 1) of two scalars
        Spectra, float32 or float64.

    Returns
    -------
    Array, shape of `cl`
        Pseudo-spectra, of the precision of `cl`.

    %(Raises.type+finite)s
    """
    return apply_operator(coupling, "couple", cl, 0)


def adjoint_couple(coupling: Coupling, coupled: jax.Array) -> jax.Array:
    """Apply the adjoint of couple: Coupling.couple_adjoint.

    Parameters
    ----------
    coupling : armilla.pseudo_cl.Coupling
        What the masks do.
    coupled : Array, shape (..., ncl, lmax + 1), or (..., lmax + 1) of two scalars
        What is taken back, float32 or float64.

    Returns
    -------
    Array, shape of `coupled`
        The result, of the precision of `coupled`.

    %(Raises.type+finite)s
    """
    return apply_operator(coupling, "couple_adjoint", coupled, 0)


def _general(given: Any, positions: Any, to_map: bool, lmax: int, spin: int, epsilon: float,
             mmax: Optional[int], nthreads: int, grid: Optional[GridLike]) -> Any:
    field = field_of(lmax, spin, epsilon, mmax, nthreads, grid)
    return apply(field, to_map, given, positions)


def synthesis_general(alm: jax.Array, loc: jax.Array, *, lmax: int, spin: int = 0,
                      epsilon: float = 1e-7, mmax: Optional[int] = None, nthreads: int = 0
                      ) -> jax.Array:
    """Evaluate coefficients at arbitrary points, differentiable in both.

    Parameters
    ----------
    alm : Array, shape (..., size) or (..., 2, size)
        Coefficients, with two components if `spin` is not 0; complex64 or complex128.
    loc : Array, shape (npoints, 2)
        Colatitude and longitude of each point in radians.
    %(arguments.points)s

    Returns
    -------
    Array, shape (..., npoints) or (..., 2, npoints)
        The values, of the precision of `alm`.

    %(Raises.type+shape)s

    Notes
    -----
    The values are those of ``Points(lmax, loc, spin, epsilon)``. Derivatives by `loc` are those of
    the components along e_theta and e_phi at each point.
    """
    return _general(alm, loc, True, lmax, spin, epsilon, mmax, nthreads, None)


def adjoint_synthesis_general(values: jax.Array, loc: jax.Array, *, lmax: int,
                              spin: int = 0, epsilon: float = 1e-7, mmax: Optional[int] = None,
                              nthreads: int = 0) -> jax.Array:
    """Apply the transpose of synthesis_general, differentiable in both arguments.

    Parameters
    ----------
    values : Array, shape (..., npoints) or (..., 2, npoints)
        Values at the points, float32 or float64.
    loc : Array, shape (npoints, 2)
        Colatitude and longitude of each point in radians.
    %(arguments.points)s

    Returns
    -------
    Array, shape (..., size) or (..., 2, size)
        Coefficients, of the precision of the input.

    %(Raises.type+shape)s
    """
    return _general(values, loc, False, lmax, spin, epsilon, mmax, nthreads, None)


def lens(alm: jax.Array, deflection: jax.Array, grid: GridLike, *, lmax: int, spin: int = 0,
         epsilon: float = 1e-7, mmax: Optional[int] = None, nthreads: int = 0) -> jax.Array:
    """Make lensed maps, differentiable in the coefficients and in the deflection.

    Parameters
    ----------
    alm : Array, shape (..., size) or (..., 2, size)
        Coefficients, with two components if `spin` is not 0; complex64 or complex128.
    %(deflection.jax)s
    %(grid.lensed)s
    %(arguments.points)s

    Returns
    -------
    Array, shape (..., npix) or (..., 2, npix)
        The lensed maps, of the precision of `alm`.

    %(Raises.type+shape)s

    Notes
    -----
    The deflection of coefficients dlm is ``synthesis(SHT(grid, lmax, spin=1), dlm)``, which is
    differentiable, too.
    """
    return _general(alm, deflection, True, lmax, spin, epsilon, mmax, nthreads, grid)


def adjoint_lens(map: jax.Array, deflection: jax.Array, grid: GridLike, *, lmax: int,
                 spin: int = 0, epsilon: float = 1e-7, mmax: Optional[int] = None,
                 nthreads: int = 0) -> jax.Array:
    """Apply the transpose of lens, differentiable in both arguments.

    Parameters
    ----------
    map : Array, shape (..., npix) or (..., 2, npix)
        Lensed maps, float32 or float64.
    %(deflection.jax)s
    %(grid.lensed)s
    %(arguments.points)s

    Returns
    -------
    Array, shape (..., size) or (..., 2, size)
        Coefficients, of the precision of the input.

    %(Raises.type+shape)s
    """
    return _general(map, deflection, False, lmax, spin, epsilon, mmax, nthreads, grid)
