"""What the accessors of DataArrays and Datasets share: options, grids, and calls on all fields."""
from __future__ import annotations

from typing import (TYPE_CHECKING, Any, Hashable, Mapping, NamedTuple, Optional, Sequence, Tuple,
                    Union)

import numpy as np
import xarray

from . import _labelled_work as work_
from ._bands import Bands
from ._coordinates import Found, find_place
from ._errors import shown
from ._hints import absent_of
from ._labelled import Dims, check_mapping, content_lmax, default_lmax, find_grid
from ._labelled_masked import Region, region_of
from ._labelled_results import described, one_field_a_task, without_grid
from ._labelled_work import Work, real_kind
from ._marks import masked
from ._rotated import Angles
from ._types import FieldMissing, Iterations
from .grid import Grid
from .wind import EARTH_RADIUS_ECMWF

EARTH_RADIUS = EARTH_RADIUS_ECMWF  # the default of armilla.Wind as well


class Options(NamedTuple):
    grid: Union[None, Grid, str] = None
    dim: Dims = None
    lmax: Optional[int] = None
    missing: FieldMissing = "error"
    iterations: Iterations = "auto"
    nthreads: int = 0
    radius: float = EARTH_RADIUS
    keep_gaps: bool = False
    rotation: Optional[Angles] = None  # of a dataset's grid, for its variables


class Accessor:
    """What both accessors have."""

    def __init__(self, data: Any, options: Optional[Options] = None) -> None:
        self._data = data
        self._options = options or Options()

    def options(self, *, grid: Union[None, Grid, str] = None, dim: Dims = None,
                lmax: Optional[int] = None, missing: FieldMissing = "error",
                iterations: Iterations = "auto", nthreads: int = 0,
                radius: float = EARTH_RADIUS, keep_gaps: bool = False) -> Any:
        """Return an accessor of the same data whose methods work with these options.

        Parameters
        ----------
        grid : Grid or str, optional
            The grid, where the labels do not tell it. A name says nothing of the direction of rows
            and columns, which the coordinates tell then; without coordinates the first row is the
            northernmost.
        dim : str or (str, str), optional
            The dimension of the pixels, or those of rows and columns.
        lmax : int, optional
            Largest degree. By default it is that of the grid's exact rule, 2 nside on HEALPix, and
            half of the number of rings, less one, on other grids. Fewer degrees are cut from what
            the analysis of all that the grid holds has made, so that higher ones do not fall on
            them; with ``missing="fit"`` they are the unknowns of the least squares.
        missing : {"error", "propagate", "zero", "fit"}, optional
            What is done about missing values: see `armilla.fields.analysis`.
        iterations : int or "auto", optional
            Steps of Jacobi after the quadrature: see `armilla.fields.analysis`. "auto" makes as
            many as are of use, which `steps` tells.
        nthreads : int, optional
            Number of threads, for arrays that are not dask's; 0 means all.
        radius : float, optional
            Radius of the sphere in metres, for vorticity, divergence and lengths.
        keep_gaps : bool, optional
            Whether results are NaN where the field is missing, which needs a rule that goes on
            without these values: ``missing="zero"`` or ``missing="fit"``. On another grid, and at
            points, that is where the pixel of the field's grid that the place belongs to is
            missing.

        Returns
        -------
        ArrayAccessor or DatasetAccessor
            With the same methods.

        Examples
        --------
        >>> import armilla.xarray, numpy as np, xarray as xr
        >>> sky = xr.DataArray(np.ones(768), dims="cell")
        >>> sky.armilla.options(grid=armilla.Grid.healpix(8)).spectrum().sizes
        Frozen({'degree': 17})
        """
        if not radius > 0:
            raise ValueError(f"radius = {radius}: must be positive, in metres")
        if keep_gaps and missing not in ("zero", "fit"):
            raise ValueError(f"keep_gaps = {keep_gaps}: needs missing = 'zero' or 'fit', not "
                             f"{shown(missing)}")
        return type(self)(self._data, Options(grid, dim, lmax, missing, iterations, nthreads,
                                               float(radius), bool(keep_gaps)))

    @property
    def grid(self) -> Grid:
        """The grid that the labels or the options tell."""
        return self._found().grid

    def _found(self) -> Found:
        told = self._options.rotation
        if told is None:
            check_mapping(self._data)
        found = find_grid(self._data, self._options.grid, self._options.dim)
        return found if told is None else found._replace(rotation=told)

    def _names(self, dims: Tuple[Hashable, ...]) -> Optional[Tuple[Hashable, Hashable]]:
        """What the data call latitude and longitude of the grid; None: nothing."""
        try:
            place = find_place(self._data)
        except ValueError:  # the caller's grid may have others
            return None
        return None if place is None or set(place.dims) != set(dims) else place.names

    def __repr__(self) -> str:
        options = [f"{name}={value!r}" for name, value in self._options._asdict().items()
                   if name != "grid" and value != Options._field_defaults[name]]
        try:
            where = f"on {self.grid!r}"
        except (TypeError, ValueError, NotImplementedError) as error:
            where = f"without a grid ({error})"
        return f"<armilla.xarray.{type(self).__name__} {', '.join([where, *options])}>"

    if not TYPE_CHECKING:
        __getattr__ = absent_of("accessor")

    def _held(self, grid: Grid) -> int:
        """The largest degree of fields on a grid."""
        given = self._options.lmax
        return default_lmax(grid) if given is None else given

    def _work(self, found: Found, arrays: Sequence[Any], lmax: Optional[int] = None,
              is_geographic: bool = False) -> Work:
        """lmax: of results that have fewer degrees than the fields; is_geographic: coefficients
        are wanted in geographic coordinates, else in those of the grid, which may be rotated."""
        options, held = self._options, self._held(found.grid)
        # the unknowns of a fit are those that the caller names
        content = held if options.missing == "fit" else content_lmax(found.grid, held)
        is_lazy = any(one.chunks is not None for one in arrays)
        return Work(found.grid, len(found.dims), held if lmax is None else lmax, content,
                    options.missing, options.iterations, 1 if is_lazy else options.nthreads,
                    found.rotation if is_geographic else None, options.keep_gaps)

    def _apply(self, function: Any, arrays: Sequence[Any], dims: Tuple[Hashable, ...],
               outputs: Sequence[Mapping[Any, int]], kind: Any = None, points: Sequence[Any] = (),
               **given: Any) -> Any:
        """One array for each of the outputs, which are their new dimensions and lengths. points:
        more arguments of the function, whose last dimensions are those of the outputs."""
        lazy = [one_field_a_task(masked(one), dims) for one in arrays]
        kinds = kind if isinstance(kind, list) else [kind or real_kind(lazy)] * len(outputs)
        of_points = [[name for name in one.dims if name in outputs[0]] for one in points]
        made = xarray.apply_ufunc(
            function, *lazy, *points, input_core_dims=[list(dims)] * len(lazy) + of_points,
            output_core_dims=[list(one) for one in outputs], dask="parallelized", join="exact",
            output_dtypes=kinds, kwargs=given,
            dask_gufunc_kwargs={"output_sizes": {name: size for one in outputs
                                                 for name, size in one.items()}})
        return made if isinstance(made, tuple) else (made,)

    def _region(self, mask: Any, bands: Union[None, Bands, int], decouple: bool,
                arrays: Sequence[Any], found: Found) -> Region:
        return region_of(mask, bands, decouple, arrays, found, self._options)

    def _steps(self, arrays: Sequence[Any], found: Found) -> Any:
        """What the analysis of each field has done, as a dataset."""
        kinds = [np.int64, np.float64, np.dtype("U10")]
        made = self._apply(work_.steps, arrays, found.dims, [{}] * 3, kinds,
                           work=self._work(found, arrays))
        words = ("number of steps after the quadrature", "norm of the last step over that of all "
                 "coefficients", "why no more steps were made")
        return xarray.Dataset({name: described(without_grid(one, self._data), unit, text, name)
                               for name, one, unit, text in zip(("steps", "change", "stop"), made,
                                                                ("1", "1", None), words)})
