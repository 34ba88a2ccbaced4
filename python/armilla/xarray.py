"""Transforms of labelled arrays: the accessor `.armilla` of xarray's DataArray and Dataset.

    >>> import armilla.xarray, numpy as np, xarray as xr
    >>> latitude = xr.DataArray(np.linspace(90, -90, 37), dims="lat",
    ...                         attrs={"units": "degrees_north"})
    >>> longitude = xr.DataArray(np.arange(0, 360, 5.0), dims="lon",
    ...                          attrs={"units": "degrees_east"})
    >>> u = 10 * np.cos(np.radians(latitude)) + 0 * longitude
    >>> wind = xr.Dataset({"ua": u, "va": 0 * u}).assign_coords(lat=latitude, lon=longitude)
    >>> for name in ("ua", "va"):
    ...     wind[name].attrs["units"] = "m s-1"
    >>> energy = wind.armilla.ke_spectrum("ua", "va")
    >>> energy["rotational"].values[:3].round(6)
    array([ 0.      , 33.333333,  0.      ])

The grid follows from the labels: coordinates of latitude and longitude (Gauss-Legendre, CC, F1, F2,
DH and MW grids, in any direction, to a few 1e-4 degrees; reduced Gaussian grids and HEALPix along
one dimension), or a grid mapping of HEALPix (refinement_level and indexing_scheme, or healpix_nside
and healpix_order). `options(grid=...)` says it where they do not, by a `Grid` or by a name such as
"O1280", "F320", "H512n". What the labels contradict is an error, as are unknown units of a wind.

Attributes and coordinates stay, and results have units. Arrays of dask stay lazy: each field is a
task of one thread, so that dask's threads have one each. Missing values are an error unless
`options(missing=...)` has a rule: see `armilla.fields`.
"""
from __future__ import annotations

from typing import (TYPE_CHECKING, Any, Dict, Hashable, List, Mapping, NamedTuple, Optional,
                    Sequence, Tuple, Union)

import numpy as np
from numpy.typing import ArrayLike

from ._errors import INSTALL, shown

try:
    import xarray
except ImportError as error:
    raise ImportError(f"armilla.xarray needs xarray: {INSTALL['xarray']}") from error

from ._arrays import reals
from . import _labelled_work as work_
from ._bands import Bands
from ._coordinates import Found, find_place, radians
from ._hints import absent_of
from ._labelled import (Dims, angle_of, content_lmax, default_lmax, find_grid, healpix_mapping,
                        truncation)
from ._labelled_masked import Region, band_powers, kinetic_bands, region_of
from ._labelled_results import (described, off_grid, one_field_a_task, with_degrees, without_grid,
                                words_of)
from ._labelled_work import Work, real_kind
from ._marks import marked_by, masked, without_marks
from ._spectral import DIM, check_all_spectral, coefficients_of, is_spectral
from ._targets import coordinates_of
from ._types import FieldMissing, Iterations
from ._units import check_wind, product, squared
from .grid import Grid, as_grid
from .plot import Picture
from .plot import map as map_of
from .spectrum import gaussian_beam
from .wind import EARTH_RADIUS_ECMWF

__all__ = ["EARTH_RADIUS", "ArrayAccessor", "DatasetAccessor"]

EARTH_RADIUS = EARTH_RADIUS_ECMWF  # the default of armilla.Wind as well
_STANDARD = {"u": "eastward_wind", "v": "northward_wind"}


def __dir__() -> List[str]:
    return __all__


class _Options(NamedTuple):
    grid: Union[None, Grid, str] = None
    dim: Dims = None
    lmax: Optional[int] = None
    missing: FieldMissing = "error"
    iterations: Iterations = "auto"
    nthreads: int = 0
    radius: float = EARTH_RADIUS


class _Accessor:
    """What both accessors have."""

    def __init__(self, data: Any, options: Optional[_Options] = None) -> None:
        self._data = data
        self._options = options or _Options()

    def options(self, *, grid: Union[None, Grid, str] = None, dim: Dims = None,
                lmax: Optional[int] = None, missing: FieldMissing = "error",
                iterations: Iterations = "auto", nthreads: int = 0,
                radius: float = EARTH_RADIUS) -> Any:
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
        return type(self)(self._data, _Options(grid, dim, lmax, missing, iterations, nthreads,
                                               float(radius)))

    @property
    def grid(self) -> Grid:
        """The grid that the labels or the options tell."""
        return self._found().grid

    def _found(self) -> Found:
        return find_grid(self._data, self._options.grid, self._options.dim)

    def _names(self, found: Found) -> Optional[Tuple[Hashable, Hashable]]:
        """What the data call latitude and longitude of the grid; None: nothing."""
        try:
            place = find_place(self._data)
        except ValueError:  # the caller's grid may have others
            return None
        return None if place is None or set(place.dims) != set(found.dims) else place.names

    def __repr__(self) -> str:
        options = [f"{name}={value!r}" for name, value in self._options._asdict().items()
                   if name != "grid" and value != _Options._field_defaults[name]]
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

    def _work(self, found: Found, arrays: Sequence[Any], lmax: Optional[int] = None) -> Work:
        """lmax: of results that have fewer degrees than the fields."""
        options, held = self._options, self._held(found.grid)
        # the unknowns of a fit are those that the caller names
        content = held if options.missing == "fit" else content_lmax(found.grid, held)
        is_lazy = any(one.chunks is not None for one in arrays)
        return Work(found.grid, len(found.dims), held if lmax is None else lmax, content,
                    options.missing, options.iterations, 1 if is_lazy else options.nthreads)

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


@xarray.register_dataarray_accessor("armilla")
class ArrayAccessor(_Accessor):
    """What `.armilla` of a DataArray is: transforms of a scalar field.

    Parameters
    ----------
    data : DataArray
        The array, of which one or two dimensions are those of a grid.
    options : tuple, optional
        What `options` has set.

    Examples
    --------
    >>> import armilla.xarray, numpy as np, xarray as xr
    >>> height = xr.DataArray(np.ones((3, 8, 16)), dims=("time", "lat", "lon"))
    >>> height.attrs["units"] = "m"
    >>> height.armilla.options(grid=armilla.Grid.gauss_legendre(8, 16)).spectrum().attrs["units"]
    'm2'
    """

    def spectrum(self, *, mask: Any = None, bands: Union[None, Bands, int] = None,
                 decouple: bool = True) -> Any:
        """Compute the power of each degree, whose sum over the degrees is the mean square.

        With a mask it is the power of a region, in bands of degrees.

        Parameters
        ----------
        mask : DataArray or array_like, optional
            The region: what the field is multiplied by, 0 or more, with the dimensions of the grid.
            The field is not looked at where it is 0.
        bands : armilla.pseudo_cl.Bands or int, optional
            Bands of degrees, which a mask needs; a number is their width, from degree 2 on.
        decouple : bool, optional
            Whether the powers are those of a field that goes on all over the sphere, without what
            the mask does to them; else pseudo-spectra are divided by the mean square of the mask.

        Returns
        -------
        DataArray
            With the dimension "degree" in the place of the grid's: the sum over m of |a_lm|^2,
            divided by 4 pi, in the square of the unit. With a mask "band" takes its place, with the
            coordinates "degree" (centres), "begin" and "end": the mean over the degrees of a band,
            or, for `Bands`, that of their factor times C_l.

        Raises
        ------
        ValueError
            If the labels tell no grid or contradict it, or a value is missing; if the mask is not
            on the grid of the field, or the bands are too narrow for it.

        See Also
        --------
        armilla.pseudo_cl : With error bars, windows and theory.

        Notes
        -----
        The C_l of cosmology is 4 pi / (2 l + 1) times that. Masked fields are analysed by the
        quadrature of the grid, and as many steps as `options` says with a number.
        """
        data = self._data
        if mask is not None or bands is not None:
            return self._region_spectrum(mask, bands, decouple)
        if is_spectral(data):
            made, lmax = self._power_of_coefficients()
        else:
            found = self._found()
            work = self._work(found, [data])
            lmax = work.lmax
            made, = self._apply(work_.spectra, [data], found.dims, [{"degree": lmax + 1}],
                                np.float64, work=work)
        return described(with_degrees(without_grid(made, data), lmax),
                         squared(data.attrs.get("units")),
                         f"power spectrum of {words_of(data)}", data.name)

    def _region_spectrum(self, mask: Any, bands: Union[None, Bands, int], decouple: bool) -> Any:
        data = self._data
        if is_spectral(data):
            raise ValueError("mask: is for fields on a grid; these are coefficients")
        found = self._found()
        region = self._region(mask, bands, decouple, [data], found)
        made, = self._apply(band_powers, [data], found.dims, [region.sizes], np.float64,
                            region=region)
        return described(region.banded(without_grid(made, data)),
                         squared(data.attrs.get("units")),
                         f"power spectrum of {words_of(data)} in a region", data.name)

    def _power_of_coefficients(self) -> Tuple[Any, int]:
        """Of a spectral field, and the largest degree."""
        data, options = self._data, self._options
        dim, lmax = coefficients_of(data, options.grid, options.lmax)
        made, = self._apply(work_.power_of_coefficients, [data], (dim,), [{"degree": lmax + 1}],
                            np.float64, lmax=lmax, missing=options.missing)
        return made, lmax

    def steps(self) -> Any:
        """Tell what ``iterations="auto"``, or a number of them, does for each field.

        The fields are analysed for it, as all methods do.

        Returns
        -------
        Dataset
            "steps", "change" and "stop" of each field: the iterations, gradient and stop of an
            `armilla.SHT.analysis` with ``iterations="auto"``; of missing="propagate" the stop of a
            field is "missing".

        Raises
        ------
        ValueError
            If the labels tell no grid or contradict it, or a value is missing.

        Examples
        --------
        >>> import armilla.xarray, numpy as np, xarray as xr
        >>> sky = xr.DataArray(np.cos(np.arange(768.0)), dims="cell")
        >>> told = sky.armilla.options(grid="H8", lmax=12).steps()
        >>> str(told.stop.values), bool(told.steps > 3)
        ('change', True)
        """
        return self._steps([self._data], self._found())

    def _products(self, other: Any) -> Any:
        """Power of both and of their product along the dimension "product"."""
        if not isinstance(other, xarray.DataArray):
            raise TypeError(f"other: must be a DataArray, not {type(other).__name__}")
        found = self._found()
        second = find_grid(other, self._options.grid, self._options.dim)
        if found != second:
            raise ValueError(f"other: is on {second.grid!r} along {second.dims}, the array on "
                             f"{found.grid!r} along {found.dims}")
        _check_same(self._data, other, "the array", "other", may_lack=True)
        work = self._work(found, [self._data, other])
        made, = self._apply(work_.cross_spectra, [self._data, other], found.dims,
                            [{"degree": work.lmax + 1, "product": 3}], np.float64, work=work)
        return with_degrees(without_grid(made, self._data), work.lmax)

    def cross_spectrum(self, other: Any) -> Any:
        """Compute the mean product with another field, degree by degree.

        Parameters
        ----------
        other : DataArray
            A field on the same grid; of its other dimensions it may lack some.

        Returns
        -------
        DataArray
            The sum over m of the real part of a_lm conj(b_lm), divided by 4 pi, along "degree".

        Raises
        ------
        ValueError
            If grids or other dimensions differ, or a value is missing.
        """
        made = self._products(other).isel(product=2)
        units = product(self._data.attrs.get("units"), other.attrs.get("units"))
        return described(made, units, f"cross spectrum of {words_of(self._data)} and "
                         f"{words_of(other)}", "cross_spectrum")

    def coherence(self, other: Any) -> Any:
        """Compute the correlation with another field, degree by degree.

        Parameters
        ----------
        other : DataArray
            A field on the same grid; of its other dimensions it may lack some.

        Returns
        -------
        DataArray
            The cross spectrum divided by the root of the product of both spectra, -1 to 1; NaN
            where a field has no power.

        Raises
        ------
        ValueError
            If grids or other dimensions differ, or a value is missing.
        """
        products = self._products(other)
        power = products.isel(product=0) * products.isel(product=1)
        made = products.isel(product=2) / np.sqrt(power.where(power > 0))
        return described(made, "1", f"coherence of {words_of(self._data)} and {words_of(other)}",
                         "coherence")

    def amplitude_ratio(self, other: Any) -> Any:
        """Compute the ratio of the amplitudes of this field and another, degree by degree.

        Parameters
        ----------
        other : DataArray
            A field on the same grid, in the same unit; of its other dimensions it may lack some.

        Returns
        -------
        DataArray
            The root of the spectrum divided by that of the other; NaN where that is 0.

        Raises
        ------
        ValueError
            If grids, units or other dimensions differ, or a value is missing.
        """
        units = self._data.attrs.get("units"), getattr(other, "attrs", {}).get("units")
        if units[0] != units[1]:
            raise ValueError(f"other: is in {shown(units[1])}, the array in {shown(units[0])}")
        products = self._products(other)
        below = products.isel(product=1)
        made = np.sqrt(products.isel(product=0) / below.where(below > 0))
        return described(made, "1", f"amplitude ratio of {words_of(self._data)} and "
                         f"{words_of(other)}", "amplitude_ratio")

    def _filtered(self, lmax: Optional[int] = None, window: Optional[np.ndarray] = None) -> Any:
        """On the same grid."""
        found, data = self._found(), self._data
        sizes = {name: data.sizes[name] for name in found.dims}
        made, = self._apply(work_.filtered, [data], found.dims, [sizes],
                            work=self._work(found, [data], lmax), window=window, target=found.grid,
                            naxes=len(found.dims))
        made = made.transpose(*data.dims)
        made.attrs = without_marks(data.attrs)
        return made.rename(data.name)

    def truncate(self, truncation: Union[str, int]) -> Any:
        """Leave only degrees up to a triangular truncation.

        Parameters
        ----------
        truncation : str or int
            "T42", or 42: the largest degree that stays.

        Returns
        -------
        DataArray
            The field on the same grid.

        Raises
        ------
        ValueError
            If it is no truncation, or the grid has no degrees so high.
        """
        cut, grid = _truncation_of(truncation), self.grid
        limit = self._held(grid)
        if cut > limit:
            raise ValueError(f"truncation = {shown(truncation)}: {grid!r} is analysed up to degree "
                             f"{limit}")
        return self._filtered(cut)

    def smooth(self, fwhm: Any) -> Any:
        """Convolve with a Gaussian beam.

        Parameters
        ----------
        fwhm : str or quantity
            Full width at half maximum with a unit: "500km", "5deg", "30arcmin" or "0.1rad"; or a
            quantity of astropy, of an angle or a length.

        Returns
        -------
        DataArray
            The field on the same grid.

        Raises
        ------
        ValueError
            If the width has no unit, or one that is unknown.
        """
        width = angle_of("fwhm", fwhm, self._options.radius)
        return self._filtered(window=gaussian_beam(width, self._held(self.grid)))

    def regrid(self, grid: Union[Grid, str]) -> Any:
        """Bring the field to another grid, by its coefficients.

        Parameters
        ----------
        grid : Grid or str
            The new grid, or its name.

        Returns
        -------
        DataArray
            With the coordinates of the new grid: latitude and longitude, of two dimensions or along
            "values", by the names that the field has for them, else "lat" and "lon"; or "cell" with
            a grid mapping "crs" of HEALPix.

        Raises
        ------
        ValueError
            If the labels tell no grid, the name is unknown, or a value is missing.

        Notes
        -----
        The field is analysed with all degrees that this grid holds. Those that the new grid cannot
        hold are left out then, unless `options` has an `lmax`.
        """
        target, found, data = as_grid(grid), self._found(), self._data
        dims, coordinates = coordinates_of(target, self._names(found) or ("lat", "lon"))
        made = data.drop_vars([name for name, one in data.coords.items()
                               if set(one.dims) & set(found.dims)])
        held = self._held(found.grid)
        limit = min(held, default_lmax(target)) if self._options.lmax is None else held
        work = self._work(found, [data], limit)
        shape = target.shape_2d if len(dims) == 2 else (target.npix,)
        new = {f"{name} of the new grid": size for name, size in zip(dims, shape or ())}
        made, = self._apply(work_.filtered, [made], found.dims, [new], work=work, window=None,
                            target=target, naxes=len(dims))
        made = without_grid(made, data).rename(dict(zip(new, dims))).assign_coords(coordinates)
        made.attrs = off_grid(data.attrs)
        if "crs" in coordinates:
            made.attrs["grid_mapping"] = "crs"
        return made.rename(data.name)

    def plot(self, **kwds: Any) -> Picture:
        """Draw the field as a map, with matplotlib: east is right where it has coordinates.

        Parameters
        ----------
        **kwds : dict
            Arguments of `armilla.plot.map`, such as projection="orthographic".

        Returns
        -------
        Picture
            What `armilla.plot.map` returns.

        Raises
        ------
        ValueError
            If there is more than one field, or the labels tell no grid.
        %(ImportError)s

        Examples
        --------
        >>> import armilla.xarray, numpy as np, xarray as xr
        >>> field = xr.DataArray(np.ones((3, 8, 16)), dims=("time", "lat", "lon"))
        >>> field = field.armilla.options(grid=armilla.Grid.gauss_legendre(8, 16))
        >>> field.plot()
        Traceback (most recent call last):
        ...
        ValueError: time: has 3 fields; a map is of one, isel(time=0)
        """
        found, data = self._found(), self._data
        for name, size in data.sizes.items():
            if name not in found.dims and size != 1:
                raise ValueError(f"{name}: has {size} fields; a map is of one, isel({name}=0)")
        field = masked(data).squeeze([name for name in data.dims if name not in found.dims])
        flip = "astro" if self._names(found) is None else "geo"
        told = {"title": words_of(data), "unit": data.attrs.get("units"), "flip": flip}
        return map_of(found.grid, field.transpose(*found.dims).values, **{**told, **kwds})

    def at(self, latitude: ArrayLike, longitude: ArrayLike) -> Any:
        """Evaluate the field at points, by its coefficients.

        Parameters
        ----------
        latitude : array_like or DataArray
            Latitudes in degrees; of a DataArray in its units.
        longitude : array_like or DataArray
            Longitudes in degrees.

        Returns
        -------
        DataArray
            With the dimensions of the points (of plain numbers: "point") in the place of the
            grid's. Dimensions that the field has as well are gone through together, as by xarray's
            `sel` and `interp`: along the track of a ship or a satellite, whose points have the
            dimension "time", the result has the value of each time at the place of that time.

        Raises
        ------
        ValueError
            If a latitude is beyond a pole, units are unknown, a value is missing, or a dimension
            that points and field share differs in length or in its coordinate.

        Examples
        --------
        >>> import armilla.xarray, numpy as np, xarray as xr
        >>> field = xr.DataArray(np.ones((3, 8, 16)), dims=("time", "lat", "lon"))
        >>> track = xr.DataArray([10.0, 12.0, 14.0], dims="time")
        >>> field.armilla.options(grid=armilla.Grid.gauss_legendre(8, 16)).at(track, track).sizes
        Frozen({'time': 3})
        """
        found, data = self._found(), self._data
        places = _points(latitude, longitude)
        _check_points_dims(data, found.dims, places, latitude, longitude)
        new = {name: f"{name} of the points" for name in places[0].dims
               if name in found.dims or name not in data.dims}
        theta = np.pi / 2 - radians("latitude", places[0])
        loc = [xarray.DataArray(one, dims=places[0].dims).rename(new)
               for one in (theta, radians("longitude", places[1]))]
        made, = self._apply(work_.sampled, [data], found.dims,
                            [{new[name]: places[0].sizes[name] for name in new}], points=loc,
                            work=self._work(found, [data]), naxes=len(new))
        made = without_grid(made, data).drop_vars(list(new), errors="ignore")
        made = made.rename({word: name for name, word in new.items()})
        made = made.assign_coords(_labels_of(places, made))
        made.attrs = off_grid(data.attrs)
        return made.rename(data.name)


def _truncation_of(value: Union[str, int]) -> int:
    return truncation(value)


def _points(latitude: Any, longitude: Any) -> Tuple[Any, Any]:
    """Both as arrays of the same dimensions, with units."""
    made = []
    for values, units in ((latitude, "degrees_north"), (longitude, "degrees_east")):
        if not isinstance(values, xarray.DataArray):
            values = reals(values, "latitude, longitude")
            if values.ndim > 1:
                raise ValueError("latitude, longitude: points of several dimensions must be "
                                 "DataArrays")
            values = xarray.DataArray(values, dims=("point",)[:values.ndim])
        made.append(values.assign_attrs(units=values.attrs.get("units", units)))
    _check_same(made[0], made[1], "latitude", "longitude", may_lack=True)
    first, second = xarray.broadcast(*made)
    first.attrs, second.attrs = made[0].attrs, made[1].attrs
    return first, second


def _check_points_dims(data: Any, dims: Tuple[Hashable, ...], places: Tuple[Any, Any],
                       *given: Any) -> None:
    """ValueError where a dimension that points share with a field, or with a dataset, differs."""
    others = data.isel({name: 0 for name in dims}, drop=True)
    if "point" in places[0].dims and "point" in others.dims and not any(
            isinstance(one, xarray.DataArray) for one in given):
        raise ValueError("latitude, longitude: the field has a dimension 'point'; give DataArrays, "
                         "whose dimensions say whether theirs is the same")
    for name in places[0].dims:
        if name in others.coords and name not in others.dims:
            raise ValueError(f"the points: have the dimension {name}, of which the field has one "
                             f"value; the field's drop_vars({str(name)!r}) takes it for all points")
    try:
        _check_same(others, places[0], "the field", "the points", may_lack=True)
    except ValueError as error:
        raise ValueError(f"{error}; xarray's interp or sel brings the field to those of the "
                         "points") from None


def _labels_of(places: Tuple[Any, Any], made: Any) -> Dict[Hashable, Any]:
    """Coordinates of the points: their own, and latitude and longitude."""
    labels = {name: one for place in places for name, one in place.coords.items()
              if name not in made.coords}
    for name, one in zip(("latitude", "longitude"), places):
        if name in one.dims:  # a coordinate of its own name has one dimension
            first = one.isel({other: 0 for other in one.dims if other != name})
            one = first if bool((one == first).all()) else one
        labels[name] = (one.dims, one.values, one.attrs)
    return labels


def _check_same(first: Any, second: Any, first_name: str, second_name: str,
                may_lack: bool = False) -> None:
    """ValueError where dimensions that both have differ in length or in their coordinate."""
    only = set(first.dims) ^ set(second.dims)
    if only and not may_lack:
        raise ValueError(f"{first_name} and {second_name}: have the dimensions {first.dims} and "
                         f"{second.dims}")
    for name in first.dims:
        if name not in second.dims:
            continue
        sizes = first.sizes[name], second.sizes[name]
        if sizes[0] != sizes[1]:
            raise ValueError(f"{first_name} and {second_name}: have {sizes[0]} and {sizes[1]} "
                             f"values along {name}")
        if name in first.coords and name in second.coords and not (
                first[name].variable.equals(second[name].variable)):
            raise ValueError(f"{first_name} and {second_name}: their coordinates {name} differ")


@xarray.register_dataset_accessor("armilla")
class DatasetAccessor(_Accessor):
    """What `.armilla` of a Dataset is: transforms of winds, and of each variable on the grid.

    Parameters
    ----------
    data : Dataset
        Variables, of which those with the grid's dimensions are transformed.
    options : tuple, optional
        What `options` has set.

    Notes
    -----
    The components of the wind are variables that are named, or those with the standard names
    eastward_wind and northward_wind. Their unit must be m s-1.

    Examples
    --------
    >>> import armilla.xarray, numpy as np, xarray as xr
    >>> u = xr.DataArray(np.ones((8, 16)), dims=("lat", "lon"), attrs={"units": "m s-1"})
    >>> wind = xr.Dataset({"u": u, "v": u}).armilla.options(grid=armilla.Grid.gauss_legendre(8, 16))
    >>> wind.vorticity("u", "v").attrs["units"]
    's-1'
    """

    # --- Winds ------------------------------------------------------------------------------------

    def _component(self, name: Optional[Hashable], letter: str) -> Any:
        if name is not None:
            if name not in self._data.data_vars:
                raise ValueError(f"{letter} = {shown(name)}: the dataset has no such variable; it "
                                 f"has {', '.join(str(one) for one in self._data.data_vars)}")
            told = self._data[name].attrs.get("standard_name")
            if told in _STANDARD.values() and told != _STANDARD[letter]:
                raise ValueError(f"{letter} = {shown(name)}: has the standard name {told}; the "
                                 "eastward component comes first")
            return self._data[name]
        standard = _STANDARD[letter]
        found = [one for one in self._data.data_vars.values()
                 if one.attrs.get("standard_name") == standard]
        if len(found) != 1:
            raise ValueError(f"{letter}: {len(found) or 'no'} variables have the standard name "
                             f"{standard}; name one")
        return found[0]

    def _wind(self, u: Optional[Hashable], v: Optional[Hashable]) -> Tuple[Found, List[Any]]:
        both = [marked_by(self._component(name, letter), self._data.attrs)
                for name, letter in ((u, "u"), (v, "v"))]
        for one in both:
            check_wind(one.name, one.attrs.get("units"))
        _check_same(both[0], both[1], str(both[0].name), str(both[1].name))
        found = self._found()
        for one in both:
            if not set(found.dims) <= set(one.dims):
                raise ValueError(f"{one.name}: has the dimensions {one.dims}, without those of "
                                 f"the grid, {found.dims}")
        return found, both

    def ke_spectrum(self, u: Optional[Hashable] = None, v: Optional[Hashable] = None, *,
                    mask: Any = None, bands: Union[None, Bands, int] = None,
                    decouple: bool = True) -> Any:
        """Compute the kinetic energy of each degree, and its rotational and divergent parts.

        With a mask it is that of a region, in bands of degrees.

        Parameters
        ----------
        %(u)s
        %(v)s
        mask : DataArray or array_like, optional
            The region, as in `ArrayAccessor.spectrum`. It mixes the two parts, which decoupling
            separates.
        bands : armilla.pseudo_cl.Bands or int, optional
            Bands of degrees, which a mask needs: as in `ArrayAccessor.spectrum`.
        decouple : bool, optional
            As in `ArrayAccessor.spectrum`.

        Returns
        -------
        Dataset
            "total", "rotational" and "divergent" along "degree", in m2 s-2. The sum over the
            degrees is the mean of (u^2 + v^2) / 2. With a mask "band" takes the place of "degree",
            and each is the mean over the degrees of a band.

        Raises
        ------
        ValueError
            If units are not m s-1, the components differ in shape, or a value is missing; if the
            mask is not on the grid of the wind, or the bands are too narrow for it.
        """
        found, wind = self._wind(u, v)
        if mask is not None or bands is not None:
            region = self._region(mask, bands, decouple, wind, found)
            parts = self._apply(kinetic_bands, wind, found.dims, [region.sizes] * 2, np.float64,
                                region=region)
            parts = tuple(map(region.banded, parts))
        else:
            work = self._work(found, wind)
            parts = self._apply(work_.kinetic, wind, found.dims, [{"degree": work.lmax + 1}] * 2,
                                np.float64, work=work)
            parts = tuple(with_degrees(one, work.lmax) for one in parts)
        made = {"total": parts[0] + parts[1], "rotational": parts[0], "divergent": parts[1]}
        return xarray.Dataset({
            name: described(without_grid(one, self._data), "m2 s-2",
                            f"{name} kinetic energy per unit mass and degree", name)
            for name, one in made.items()}, attrs=dict(self._data.attrs))

    def steps(self, u: Optional[Hashable] = None, v: Optional[Hashable] = None) -> Any:
        """Tell what ``iterations="auto"``, or a number of them, does for each wind.

        Parameters
        ----------
        %(u)s
        %(v)s

        Returns
        -------
        Dataset
            As `ArrayAccessor.steps`.

        %(Raises.wind_units)s
        """
        found, wind = self._wind(u, v)
        return self._steps(wind, found)

    def _derived(self, u: Optional[Hashable], v: Optional[Hashable], which: int) -> Any:
        found, wind = self._wind(u, v)
        sizes = {name: wind[0].sizes[name] for name in found.dims}
        made, = self._apply(work_.derived, wind, found.dims, [sizes], work=self._work(found, wind),
                            radius=self._options.radius, which=which)
        name, words = (("divergence", "divergence of the wind") if which else
                       ("vorticity", "relative vorticity"))
        made = described(made.transpose(*wind[0].dims), "s-1", words, name)
        return self._on_grid(made)

    def _on_grid(self, made: Any) -> Any:
        told = healpix_mapping(self._data)
        if told is None:
            return made
        made.attrs["grid_mapping"] = str(told[0])
        return made.assign_coords({told[0]: self._data[told[0]].variable})

    def vorticity(self, u: Optional[Hashable] = None, v: Optional[Hashable] = None) -> Any:
        """Compute the relative vorticity of a wind.

        Parameters
        ----------
        %(u)s
        %(v)s

        Returns
        -------
        DataArray
            The vorticity on the same grid, in s-1, with ``options(radius=...)``.

        %(Raises.wind_units)s
        """
        return self._derived(u, v, 0)

    def divergence(self, u: Optional[Hashable] = None, v: Optional[Hashable] = None) -> Any:
        """Compute the divergence of a wind.

        Parameters
        ----------
        %(u)s
        %(v)s

        Returns
        -------
        DataArray
            The divergence on the same grid, in s-1, with ``options(radius=...)``.

        %(Raises.wind_units)s
        """
        return self._derived(u, v, 1)

    def helmholtz(self, u: Optional[Hashable] = None, v: Optional[Hashable] = None) -> Any:
        """Part a wind into its rotational and its divergent part.

        Parameters
        ----------
        %(u)s
        %(v)s

        Returns
        -------
        Dataset
            "u_rotational", "v_rotational", "u_divergent" and "v_divergent" on the same grid, in m
            s-1. Their sum is the wind as far as degrees up to lmax hold it.

        %(Raises.wind_units)s
        """
        found, wind = self._wind(u, v)
        sizes = {name: wind[0].sizes[name] for name in found.dims}
        parts = self._apply(work_.helmholtz, wind, found.dims, [sizes] * 4,
                            work=self._work(found, wind))
        words = [(letter, part) for part in ("rotational", "divergent") for letter in "uv"]
        side = {"u": "eastward", "v": "northward"}
        return xarray.Dataset({
            f"{letter}_{part}": self._on_grid(described(
                one.transpose(*wind[0].dims), "m s-1", f"{side[letter]} {part} wind",
                f"{letter}_{part}"))
            for (letter, part), one in zip(words, parts)}, attrs=dict(self._data.attrs))

    # --- Each variable ----------------------------------------------------------------------------

    def _each(self, method: str, *given: Any, **how: Any) -> Any:
        """The dataset with a method's result for each variable on the grid."""
        found = self._found()
        told = healpix_mapping(self._data)
        options = self._options._replace(grid=found.grid, dim=found.dims)
        new = self._along(found.dims, options, method, *given, **how)
        if method in ("truncate", "smooth") and told is not None:
            new = new.assign_coords({told[0]: self._data[told[0]].variable})
        return new

    def _along(self, dims: Tuple[Hashable, ...], options: _Options, method: str, *given: Any,
               **how: Any) -> Any:
        """With a method's result for each variable that has these dimensions; others stay, unless
        they have one of them, which then is gone."""
        made: Dict[Hashable, Any] = {}
        mapping = (healpix_mapping(self._data) or (None,))[0]
        for name, one in self._data.data_vars.items():
            if set(dims) <= set(one.dims):
                one = marked_by(one, self._data.attrs)
                made[name] = getattr(ArrayAccessor(one, options), method)(*given, **how)
            elif not set(dims) & set(one.dims) and name != mapping:
                made[name] = one
        if not any(set(dims) <= set(one.dims) for one in self._data.data_vars.values()):
            raise ValueError(f"dim: no variable has the dimensions {dims} of the grid")
        return xarray.Dataset(made, attrs=without_marks(self._data.attrs))

    def spectrum(self, *, mask: Any = None, bands: Union[None, Bands, int] = None,
                 decouple: bool = True) -> Any:
        """Compute the power of each degree, of each variable on the grid.

        Parameters
        ----------
        mask : DataArray or array_like, optional
            As in `ArrayAccessor.spectrum`.
        bands : armilla.pseudo_cl.Bands or int, optional
            As in `ArrayAccessor.spectrum`.
        decouple : bool, optional
            As in `ArrayAccessor.spectrum`.

        Returns
        -------
        Dataset
            As `ArrayAccessor.spectrum`.
        """
        fields = self._data.data_vars.values()
        if not any(is_spectral(one) for one in fields):
            return self._each("spectrum", mask=mask, bands=bands, decouple=decouple)
        check_all_spectral(fields)
        return self._along((DIM,), self._options, "spectrum", mask=mask, bands=bands,
                           decouple=decouple)

    def truncate(self, truncation: Union[str, int]) -> Any:
        """Leave only degrees up to a triangular truncation, in each variable on the grid.

        Parameters
        ----------
        truncation : str or int
            "T42", or 42: the largest degree that stays.

        Returns
        -------
        Dataset
            As `ArrayAccessor.truncate`.
        """
        return self._each("truncate", truncation)

    def smooth(self, fwhm: str) -> Any:
        """Convolve each variable on the grid with a Gaussian beam.

        Parameters
        ----------
        fwhm : str
            Full width at half maximum with a unit: "500km", "5deg", "30arcmin" or "0.1rad".

        Returns
        -------
        Dataset
            As `ArrayAccessor.smooth`.
        """
        return self._each("smooth", fwhm)

    def regrid(self, grid: Union[Grid, str]) -> Any:
        """Bring each variable on the grid to another one, by its coefficients.

        Parameters
        ----------
        grid : Grid or str
            The new grid, or its name.

        Returns
        -------
        Dataset
            As `ArrayAccessor.regrid`.
        """
        return self._each("regrid", grid)

    def at(self, latitude: ArrayLike, longitude: ArrayLike) -> Any:
        """Evaluate each variable on the grid at points, by its coefficients.

        Parameters
        ----------
        latitude : array_like or DataArray
            Latitudes in degrees; of a DataArray in its units.
        longitude : array_like or DataArray
            Longitudes in degrees.

        Returns
        -------
        Dataset
            As `ArrayAccessor.at`.

        Raises
        ------
        ValueError
            As `ArrayAccessor.at`.
        """
        _check_points_dims(self._data, self._found().dims, _points(latitude, longitude), latitude,
                           longitude)
        return self._each("at", latitude, longitude)
