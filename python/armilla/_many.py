"""Convolution of the same maps with many radial kernels."""
from __future__ import annotations

from typing import Any, Sequence, overload

import numpy as np
from numpy.typing import ArrayLike

from ._native import ffi
from ._progress import Progress
from ._types import Given, Missing, OnDevice
from .radial import Radial


@overload
def convolve_many(map: Any, radials: Sequence[Radial], *, out: Given, nthreads: int = ...,
                  progress: Progress = ..., missing: Missing = ...) -> Given: ...


@overload
def convolve_many(map: OnDevice, radials: Sequence[Radial], *, out: None = ...,
                  nthreads: int = ..., progress: Progress = ..., missing: Missing = ...
                  ) -> OnDevice: ...


@overload
def convolve_many(map: ArrayLike, radials: Sequence[Radial], *, out: None = ...,
                  nthreads: int = ..., progress: Progress = ..., missing: Missing = ...
                  ) -> np.ndarray: ...


def convolve_many(map: Any, radials: Sequence[Radial], *, out: Any = None, nthreads: int = 0,
                  progress: Progress = None, missing: Missing = "error") -> Any:
    """Convolve maps with the kernels of several plans: detectors, or scales of a wavelet.

    Parameters
    ----------
    map : array_like, shape (...,) + map_shape
        Maps, of the plans' `Radial.map_shape`; with plans for a GPU also an array in its memory.
    radials : sequence of Radial
        Plans of one grid and spin, one or more: all for the CPU or all for one GPU.
    %(arguments.out_to_progress)s
    missing : {"error", "propagate"}, optional
        As in `Radial.adjoint`.

    Returns
    -------
    ndarray, shape (len(radials), ...) + map_shape
        What `Radial.convolve` of each plan gives, to rounding, of the precision of the input; for
        a map in the memory of a GPU an array there.

    Raises
    ------
    ValueError
        If there is no plan, grids or spins differ, a shape is wrong, or a value is missing.
    %(TypeError)s
    NotImplementedError
        If some plans are for a GPU and others are not.
    %(Cancelled)s

    See Also
    --------
    Radial : A plan for one kernel.

    Notes
    -----
    The Fourier coefficients of the maps' rings, which the method "rings" needs, are made once for
    all plans. Plans of the method "pixels" share nothing.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> grid = armilla.Grid.healpix(16)
    >>> scales = [armilla.Radial(grid, armilla.Kernel.needlet(2, j)) for j in (1, 2, 3)]
    >>> sky = np.random.default_rng(1).standard_normal(grid.npix)
    >>> armilla.convolve_many(sky, scales).shape
    (3, 3072)
    """
    plans = list(radials)
    for plan in plans:
        if not isinstance(plan, Radial):
            raise TypeError(f"radials: must be armilla.Radial, not {type(plan).__name__}")
    if not plans:
        raise ValueError("radials: has no plan, must have one or more")
    handles = ffi.new("armilla_radial *[]", [plan._radial for plan in plans])
    return plans[0]._apply("convolve_many", map, out, nthreads, progress, missing=missing,
                           plans=(ffi.cast("const armilla_radial *const *", handles), len(plans)))
