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

from typing import Any, Dict, Hashable, List, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from ._errors import INSTALL, choice, shown

try:
    import xarray
except ImportError as error:
    raise ImportError(f"armilla.xarray needs xarray: {INSTALL['xarray']}") from error

from . import _labelled_tracks as tracks
from . import _labelled_work as work_
from ._bands import Bands
from ._coordinates import Found, radians
from ._labelled import angle_of, default_lmax, find_grid, mapping_name
from ._labelled import truncation as truncation_of
from ._labelled_access import EARTH_RADIUS, Accessor, Options
from ._labelled_masked import band_powers, kinetic_bands
from ._labelled_points import broadcast, check_points_dims, check_same, labels_of, points
from ._labelled_results import (described, off_grid, on_grid, with_degrees, without_grid,
                                words_of)
from ._labelled_work import real_kind
from ._marks import marked_by, masked, without_marks
from ._rotated import GRIB_KEYS, Turn, check_scalar, is_along_grid, rotation_of, turn_of
from ._spectral import DIM, any_spectral, coefficients_of, is_spectral
from ._targets import coordinates_of
from ._types import TimeMethod
from ._units import check_wind, product, squared
from .alm import size
from .grid import Grid, as_grid
from .plot import Picture
from .plot import map as map_of
from .spectrum import gaussian_beam

__all__ = ["EARTH_RADIUS", "GRIB_KEYS", "ArrayAccessor", "DatasetAccessor"]

_STANDARD = {"u": "eastward_wind", "v": "northward_wind"}


def __dir__() -> List[str]:
    return __all__


@xarray.register_dataarray_accessor("armilla")
class ArrayAccessor(Accessor):
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

    def _coefficients(self, lmax: Optional[int] = None, is_geographic: bool = False
                      ) -> work_.Coefficients:
        """How those of a spectral field are taken, up to a degree."""
        data, options = self._data, self._options
        held, most = coefficients_of(data, options.grid, options.lmax)
        threads = options.nthreads if data.chunks is None else 1
        return work_.Coefficients(held, most if lmax is None else min(lmax, most), options.missing,
                                  threads, rotation_of(data) if is_geographic else None)

    def _power_of_coefficients(self) -> Tuple[Any, int]:
        """Of a spectral field, and the largest degree."""
        work = self._coefficients()
        made, = self._apply(work_.power_of_coefficients, [self._data], (DIM,),
                            [{"degree": work.lmax + 1}], np.float64, work=work)
        return made, work.lmax

    def _source(self, method: str, lmax: Optional[int] = None
                ) -> Tuple[Tuple[Hashable, ...], work_.Source]:
        """The dimensions of one field, on a grid or spectral, and what makes coefficients of it in
        geographic coordinates: those up to lmax, unless the options say."""
        data, given = self._data, self._options.lmax
        check_scalar(data, method, self._options.rotation is not None)
        if is_spectral(data):
            return (DIM,), self._coefficients(lmax if given is None else None, True)
        found = self._found()
        held = self._held(found.grid)
        top = held if given is not None or lmax is None else min(held, lmax)
        return found.dims, self._work(found, [data], top, True)

    def _filtered_coefficients(self, lmax: Optional[int] = None,
                               fwhm: Optional[float] = None) -> Any:
        """A spectral field up to a degree, smoothed."""
        data, work = self._data, self._coefficients(lmax)
        window = None if fwhm is None else gaussian_beam(fwhm, work.lmax)
        new = f"{DIM} of the result"
        made, = self._apply(work_.filtered_coefficients, [data], (DIM,),
                            [{new: 2 * size(work.lmax)}], work=work, window=window)
        made = made.rename({new: DIM}).transpose(*data.dims).rename(data.name)
        made.attrs = without_marks(data.attrs)
        made.attrs.update({f"GRIB_{key}": work.lmax for key in "JKM"})
        return made

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
        check_same(self._data, other, "the array", "other", may_lack=True)
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
        cut = truncation_of(truncation)
        if is_spectral(self._data):
            held = self._coefficients().lmax
            if cut > held:
                raise ValueError(f"truncation = {shown(truncation)}: {self._data.name} has degrees "
                                 f"from 0 to {held}")
            return self._filtered_coefficients(cut)
        grid = self.grid
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
        if is_spectral(self._data):
            return self._filtered_coefficients(fwhm=width)
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
        target, data = as_grid(grid), self._data
        source, work = self._source("regrid", default_lmax(target))
        dims, coordinates = coordinates_of(target, self._names(source) or ("lat", "lon"))
        made = data.drop_vars([name for name, one in data.coords.items()
                               if set(one.dims) & set(source)])
        shape = target.shape_2d if len(dims) == 2 else (target.npix,)
        new = {f"{name} of the new grid": size for name, size in zip(dims, shape or ())}
        made, = self._apply(work_.filtered, [made], source, [new], work=work, window=None,
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
        flip = "astro" if self._names(found.dims) is None else "geo"
        if found.rotation is not None:
            raise ValueError("the grid: is rotated; maps are of geographic grids, to which regrid "
                             "brings the field")
        told = {"title": words_of(data), "unit": data.attrs.get("units"), "flip": flip}
        return map_of(found.grid, field.transpose(*found.dims).values, **{**told, **kwds})

    def at(self, latitude: ArrayLike, longitude: ArrayLike, time: Any = None, *,
           method: TimeMethod = "linear") -> Any:
        """Evaluate the field at points, by its coefficients.

        Parameters
        ----------
        latitude : array_like or DataArray
            Latitudes in degrees; of a DataArray in its units.
        longitude : array_like or DataArray
            Longitudes in degrees.
        time : array_like or DataArray, optional
            The time of each point, in any sequence, for points that move: the field is
            interpolated in time to it.
        method : {"linear", "nearest"}, optional
            How values between two times of the field are made. Of two times that are equally far
            "nearest" takes the earlier one.

        Returns
        -------
        DataArray
            With the dimensions of the points (of plain numbers: "point") in the place of the
            grid's. Dimensions that the field has as well are gone through together, as by xarray's
            `sel` and `interp`: along the track of a ship or a satellite, whose points have the
            dimension "time", the result has the value of each time at the place of that time. With
            `time` the field's dimension of time is gone, and the points have times of their own.

        Raises
        ------
        ValueError
            If a latitude is beyond a pole, units are unknown, a value is missing, or a dimension
            that points and field share differs in length or in its coordinate; if a time is
            outside those of the field or NaT, or the field has no such times.
        TypeError
            If `time` holds no times.

        Notes
        -----
        With `time` each field is analysed once, and evaluated once at all points that are less
        than a step of time away.

        Examples
        --------
        >>> import armilla.xarray, numpy as np, xarray as xr
        >>> field = xr.DataArray(np.ones((3, 8, 16)), dims=("time", "lat", "lon"))
        >>> track = xr.DataArray([10.0, 12.0, 14.0], dims="time")
        >>> field = field.armilla.options(grid=armilla.Grid.gauss_legendre(8, 16))
        >>> field.at(track, track).sizes
        Frozen({'time': 3})

        Points that move between the times of the field:

        >>> hours = np.array(["2026-12-01T00", "2026-12-01T06"], "M8[ns]")
        >>> rising = xr.DataArray(np.ones((2, 8, 16)), dims=("time", "lat", "lon"),
        ...                       coords={"time": hours}) * np.reshape([1.0, 7.0], (2, 1, 1))
        >>> rising = rising.armilla.options(grid=armilla.Grid.gauss_legendre(8, 16))
        >>> when = np.array(["2026-12-01T04:30", "2026-12-01T01"], "M8[m]")
        >>> rising.at([10.0, 20.0], [30.0, 40.0], when).values.round(9)
        array([5.5, 2. ])
        """
        return self._at(latitude, longitude, time, method)

    def _at(self, latitude: Any, longitude: Any, time: Any, method: TimeMethod,
            moving: Optional[Hashable] = None) -> Any:
        """moving: the dimension of time of a dataset, whose variables may lack it."""
        choice("method", method, tracks.METHODS)
        (source, work), data = self._source("at"), self._data
        if time is not None and (moving is None or moving in data.dims):
            return self._along_track(latitude, longitude, tracks.times_of(time), method, source,
                                     work)
        places = points(latitude, longitude)
        check_points_dims(data, source, places, latitude, longitude)
        new = {name: f"{name} of the points" for name in places[0].dims
               if name in source or name not in data.dims}
        theta = np.pi / 2 - radians("latitude", places[0])
        loc = [xarray.DataArray(one, dims=places[0].dims).rename(new)
               for one in (theta, radians("longitude", places[1]))]
        made, = self._apply(work_.sampled, [data], source,
                            [{new[name]: places[0].sizes[name] for name in new}], points=loc,
                            work=work, naxes=len(new))
        made = without_grid(made, data).drop_vars(list(new), errors="ignore")
        made = made.rename({word: name for name, word in new.items()})
        made = made.assign_coords(labels_of(places, made))
        made.attrs = off_grid(data.attrs)
        return made.rename(data.name)

    def _along_track(self, latitude: Any, longitude: Any, time: Any, method: TimeMethod,
                     source: Tuple[Hashable, ...], work: work_.Source) -> Any:
        """At points with times of their own. source, work: as `_source` gives them."""
        data = self._data
        name, coordinate = tracks.dimension_of(data, source, time)
        latitude, longitude, time = broadcast(*points(latitude, longitude), time)
        tracks.check_own_dims(data, latitude, name, source)
        places, shape = (latitude, longitude), latitude.shape
        theta = (np.pi / 2 - radians("latitude", latitude)).ravel()
        phi = radians("longitude", longitude).ravel()
        steps = tracks.steps_of(time.values.ravel(), coordinate.values, method) or [
            tracks.Step(0, np.arange(0), np.empty(0))]
        fields = tracks.without_time(data, name)
        parts = []
        for i, step in enumerate(steps):
            loc = [xarray.DataArray(one[step.points], dims=f"points {i}") for one in (theta, phi)]
            parts += self._apply(work_.sampled, [fields.isel({name: step.place})], source,
                                 [{f"points {i}": step.points.size}], points=loc, work=work,
                                 naxes=1)
        made = xarray.apply_ufunc(
            tracks.blended, *parts, input_core_dims=[[f"points {i}"] for i in range(len(parts))],
            output_core_dims=[list(latitude.dims)], dask="parallelized",
            output_dtypes=[parts[0].dtype], kwargs={"steps": steps, "shape": shape},
            dask_gufunc_kwargs={"output_sizes": dict(latitude.sizes)})
        made = without_grid(made, data)
        made = made.assign_coords(labels_of(places, made))
        made = made.assign_coords(tracks.label_of(coordinate, time, latitude, made))
        made.attrs = off_grid(data.attrs)
        return made.rename(data.name)


@xarray.register_dataset_accessor("armilla")
class DatasetAccessor(Accessor):
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

    def _components(self, u: Optional[Hashable], v: Optional[Hashable]
                    ) -> Tuple[Found, List[Any], Optional[Turn]]:
        """The grid, the components as they are, and what turns them to those along it."""
        both = [marked_by(self._component(name, letter), self._data.attrs)
                for name, letter in ((u, "u"), (v, "v"))]
        for one in both:
            check_wind(one.name, one.attrs.get("units"))
        check_same(both[0], both[1], str(both[0].name), str(both[1].name))
        found = self._found()
        for one in both:
            if not set(found.dims) <= set(one.dims):
                raise ValueError(f"{one.name}: has the dimensions {one.dims}, without those of "
                                 f"the grid, {found.dims}")
        return found, both, self._turn(found, both)

    def _wind(self, u: Optional[Hashable], v: Optional[Hashable]
              ) -> Tuple[Found, List[Any], Optional[Turn]]:
        """The same with the components along the grid."""
        found, both, turn = self._components(u, v)
        if turn is not None:
            both = list(turn.to_grid(*map(masked, both)))
        return found, both, turn

    def _turn(self, found: Found, wind: List[Any]) -> Optional[Turn]:
        """Between the components of a wind and those along its rotated grid; None: the same."""
        if found.rotation is None:
            return None
        along = [is_along_grid(one) for one in wind]
        if along[0] != along[1]:
            raise ValueError(f"{wind[0].name}, {wind[1].name}: one is a component along the grid, "
                             "the other one is not")
        if along[0]:
            return None
        made = turn_of(found.grid, found.rotation, len(found.dims))
        kind = real_kind(wind)
        return Turn(*(xarray.DataArray(one.astype(kind), dims=found.dims) for one in made))

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
        found, wind, _ = self._wind(u, v)
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
        found, wind, _ = self._wind(u, v)
        return self._steps(wind, found)

    def _derived(self, u: Optional[Hashable], v: Optional[Hashable], which: int) -> Any:
        found, wind, _ = self._wind(u, v)
        sizes = {name: wind[0].sizes[name] for name in found.dims}
        made, = self._apply(work_.derived, wind, found.dims, [sizes], work=self._work(found, wind),
                            radius=self._options.radius, which=which)
        name, words = (("divergence", "divergence of the wind") if which else
                       ("vorticity", "relative vorticity"))
        made = described(made.transpose(*wind[0].dims), "s-1", words, name)
        return on_grid(made, self._data, self._component(u, "u").attrs)

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
        found, wind, turn = self._wind(u, v)
        sizes = {name: wind[0].sizes[name] for name in found.dims}
        parts = self._apply(work_.helmholtz, wind, found.dims, [sizes] * 4,
                            work=self._work(found, wind))
        if turn is not None:
            parts = *turn.from_grid(*parts[:2]), *turn.from_grid(*parts[2:])
        words = [(letter, part) for part in ("rotational", "divergent") for letter in "uv"]
        told = self._component(u, "u")
        is_turned = found.rotation is not None and is_along_grid(told)
        side = {"u": "x", "v": "y"} if is_turned else {"u": "eastward", "v": "northward"}
        more = {letter: {"standard_name": f"{word}_wind"} if is_turned else {}
                for letter, word in side.items()}
        return xarray.Dataset({
            f"{letter}_{part}": on_grid(described(
                one.transpose(*wind[0].dims), "m s-1", f"{side[letter]} {part} wind",
                f"{letter}_{part}", **more[letter]), self._data, told.attrs)
            for (letter, part), one in zip(words, parts)}, attrs=dict(self._data.attrs))

    # --- Each variable ----------------------------------------------------------------------------

    def _fields(self) -> Tuple[Tuple[Hashable, ...], Options]:
        """Dimensions of one field, on a grid or spectral, and options by which a variable knows the
        grid."""
        if any_spectral(self._data):
            return (DIM,), self._options
        found = self._found()
        return found.dims, self._options._replace(grid=found.grid, dim=found.dims,
                                                  rotation=found.rotation)

    def _each(self, method: str, *given: Any, **how: Any) -> Any:
        """The dataset with a method's result for each variable on the grid."""
        dims, options = self._fields()
        mapping = mapping_name(self._data)
        new = self._along(dims, options, method, *given, **how)
        if method in ("truncate", "smooth") and mapping and not any_spectral(self._data):
            new = new.assign_coords({mapping: self._data[mapping].variable})
        return new

    def _along(self, dims: Tuple[Hashable, ...], options: Options, method: str, *given: Any,
               **how: Any) -> Any:
        """With a method's result for each variable that has these dimensions; others stay, unless
        they have one of them, which then is gone."""
        made: Dict[Hashable, Any] = {}
        mapping = mapping_name(self._data)
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
        return self._each("spectrum", mask=mask, bands=bands, decouple=decouple)

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

    def at(self, latitude: ArrayLike, longitude: ArrayLike, time: Any = None, *,
           method: TimeMethod = "linear") -> Any:
        """Evaluate each variable on the grid at points, by its coefficients.

        Parameters
        ----------
        latitude : array_like or DataArray
            Latitudes in degrees; of a DataArray in its units.
        longitude : array_like or DataArray
            Longitudes in degrees.
        time : array_like or DataArray, optional
            The time of each point, as in `ArrayAccessor.at`; variables without a dimension of time
            are evaluated at the places alone.
        method : {"linear", "nearest"}, optional
            As in `ArrayAccessor.at`.

        Returns
        -------
        Dataset
            As `ArrayAccessor.at`. With `time` variables along the dimension of time that are not
            on the grid are left out.

        Raises
        ------
        ValueError
            As `ArrayAccessor.at`.
        TypeError
            If `time` holds no times.
        """
        (dims, options), data, moving = self._fields(), self._data, None
        if time is None:
            check_points_dims(data, dims, points(latitude, longitude), latitude, longitude)
        else:
            time = tracks.times_of(time)
            moving, _ = tracks.dimension_of(data, dims, time)
            data = data.drop_vars([name for name, one in data.data_vars.items()
                                   if moving in one.dims and not set(dims) <= set(one.dims)])
        return DatasetAccessor(data, self._options)._along(dims, options, "_at", latitude,
                                                           longitude, time, method, moving)
