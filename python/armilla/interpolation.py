"""Values of band-limited maps between their pixels."""
from __future__ import annotations

import math
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Output, apart, as_map, leading_shape, missing_rule, pointer
from ._errors import real, small, whole
from ._maps import MapShape
from ._native import ffi, lib
from ._progress import Progress, execute
from ._pseudo import new_reports, reported, warn_if_ended_early
from ._types import Missing
from .grid import GridLike, as_grid
from .points import locations, values_shape

_FUNCTIONS = {np.dtype(np.float64): lib.armilla_points_interpolate,
              np.dtype(np.float32): lib.armilla_points_interpolate_float}


def _options(lmax: Optional[int], mmax: Optional[int], spin: int, derivatives: int, epsilon: float,
             max_iterations: int) -> Any:
    options = ffi.new("armilla_interpolation_options *")
    lib.armilla_interpolation_options_init(options)
    if lmax is not None:
        options.lmax = whole("lmax", lmax)
    if mmax is not None:
        options.mmax = whole("mmax", mmax)
    options.spin, options.derivatives = small("spin", spin), small("derivatives", derivatives)
    options.epsilon = real("epsilon", epsilon)
    options.max_iterations = whole("max_iterations", max_iterations)
    return options


def interpolate(map: ArrayLike, grid: GridLike, loc: ArrayLike, spin: int = 0, *,
                lmax: Optional[int] = None, mmax: Optional[int] = None, derivatives: int = 0,
                epsilon: float = 1e-7, max_iterations: int = 100,
                out: Optional[np.ndarray] = None, nthreads: int = 0, progress: Progress = None,
                missing: Missing = "error") -> np.ndarray:
    """Interpolate band-limited maps: their values at arbitrary points.

    The coefficients of the field that the map samples are computed, and evaluated at the points.

    Parameters
    ----------
    map : array_like, shape (..., npix) or (..., 2, npix)
        Maps, float32 or float64; with two components if `spin` is not 0. The pixels may be two
        axes, ``grid.shape_2d``.
    %(grid)s
    %(loc)s
    %(spin.signed)s
    lmax : int, optional
        Largest degree. By default it is the largest one for which the grid has an exact rule;
        without such a rule, as on HEALPix, it must be given.
    %(mmax)s
    derivatives : {0, 1, 2}, optional
        Up to which order derivatives are returned, too: see `evaluate`.
    epsilon : float, optional
        Error of the values, relative to their rms.
    max_iterations : int, optional
        Limit of the iterations of the least squares, on grids without an exact rule.
    %(arguments.out_to_progress)s
    %(missing)s

    Returns
    -------
    ndarray, shape (..., npoints) or (..., ncomp, npoints)
        The values, of the precision of the map; with the components of `evaluate`.

    Raises
    ------
    ValueError
        If a shape is wrong, a number is out of range, or `lmax` is needed.
    %(TypeError)s
    %(Cancelled)s

    Warns
    -----
    ConvergenceWarning
        If the least squares needed more iterations.

    See Also
    --------
    armilla.healpix.interpolate : Linear interpolation between four pixels of HEALPix.

    Notes
    -----
    A call costs an analysis and a synthesis, however few the points are. If you ask the same map
    again, keep its coefficients and use `evaluate` or `Points`.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> grid = armilla.Grid.gauss_legendre(16, 32)
    >>> sky = armilla.SHT(grid, 15).synthesis(armilla.alm.random(15, np.ones(16), seed=1))
    >>> first = [[grid.rings["theta"][0], 0.0]]                # the first pixel itself
    >>> bool(np.allclose(armilla.interpolate(sky, grid, first), sky[0], atol=1e-6))
    True
    """
    grid, values, loc = as_grid(grid), as_map(map), locations(loc)
    spin, derivatives = whole("spin", spin), whole("derivatives", derivatives)
    options = _options(lmax, mmax, spin, derivatives, epsilon, max_iterations)
    shapes = MapShape.on(grid, 2 if spin else 1)
    values = shapes.line(values)
    lead = leading_shape(values, shapes.flat, "map")
    target = Output(out, lead + values_shape(spin, derivatives, len(loc)), values.dtype, True)
    target.compact()
    told, reports = new_reports(lead)
    source = np.ascontiguousarray(apart(values, out))
    if math.prod(lead):
        execute(_FUNCTIONS[values.dtype],
                (grid._grid, pointer(source), len(loc), pointer(loc), options,
                 pointer(target.array), reports), math.prod(lead), nthreads, progress,
                missing=missing_rule(missing))
    warn_if_ended_early(reported(told), "lsmr", options.epsilon)
    return target.finish()
