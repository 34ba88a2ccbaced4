"""Values of band-limited maps between their pixels."""
from __future__ import annotations

import math
import warnings
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Output, apart, as_map, leading_shape, missing_rule, pointer
from ._errors import real, whole
from ._native import ffi, lib
from ._progress import Progress, execute
from ._pseudo import new_reports, reported
from .grid import Grid
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
    options.spin, options.derivatives = spin, derivatives
    options.epsilon = real("epsilon", epsilon)
    options.max_iterations = whole("max_iterations", max_iterations)
    return options


def interpolate(map: ArrayLike, grid: Grid, loc: ArrayLike, spin: int = 0, *,
                lmax: Optional[int] = None, mmax: Optional[int] = None, derivatives: int = 0,
                epsilon: float = 1e-7, max_iterations: int = 100,
                out: Optional[np.ndarray] = None, nthreads: int = 0, progress: Progress = None,
                missing: str = "error") -> np.ndarray:
    """Map (..., npix), or (..., 2, npix) of a spin -> values at points, those of the band-limited
    field that the map samples: its coefficients are made, and evaluated.

    lmax: None, the largest that the grid has an exact rule for; without one, as on HEALPix, it must
    be given, and coefficients come by least squares in at most max_iterations (a RuntimeWarning
    where these were not enough). epsilon: error of the values, relative to their rms. missing: as
    in SHT.analysis. loc, derivatives and the result are those of evaluate. A call costs an analysis
    and a synthesis, however few the points are: who asks the same map again should keep its
    coefficients.
    """
    values, loc = as_map(map), locations(loc)
    spin, derivatives = whole("spin", spin), whole("derivatives", derivatives)
    options = _options(lmax, mmax, spin, derivatives, epsilon, max_iterations)
    lead = leading_shape(values, ((2,) if spin else ()) + (grid.npix,), "map")
    target = Output(out, lead + values_shape(spin, derivatives, len(loc)), values.dtype, True)
    target.compact()
    told, reports = new_reports(lead)
    source = np.ascontiguousarray(apart(values, out))
    if math.prod(lead):
        execute(_FUNCTIONS[values.dtype],
                (grid._grid, pointer(source), len(loc), pointer(loc), options,
                 pointer(target.array), reports), math.prod(lead), nthreads, progress,
                missing=missing_rule(missing))
    report = reported(told)
    if np.isin(report.stop, ("iterations", "condition")).any():
        warnings.warn(f"map: least squares ended early, after {np.max(report.iterations)} "
                      f"iterations: relative residual {np.max(report.residual):.3g}",
                      RuntimeWarning, stacklevel=2)
    return target.finish()
