"""armilla.xarray and attributes that mask_and_scale=False leaves: marks of missing values, and of
packed ones."""
import numpy as np
import pytest

import armilla
from helpers import relative

xr = pytest.importorskip("xarray")
import armilla.xarray  # noqa: E402

GRID = armilla.Grid.gauss_legendre(8, 16)
HOLES = (slice(2, 4), slice(5, 7))


def field(fill, dtype="f8", **attrs):
    values = np.round(GRID.to_2d(armilla.SHT(GRID, 7).synthesis(
        100 * armilla.alm.random(7, np.ones(8), seed=1))))
    values[HOLES] = fill
    return xr.DataArray(values.astype(dtype), dims=("lat", "lon"), name="t", attrs={
        "units": "K", **attrs})


def on_grid(data, **options):
    return data.armilla.options(grid=GRID, **options)


MARKS = [
    ("f8", 1e20, 1e20), ("f4", 1e20, 1e20), ("f4", 1e20, np.float64(1e20)), ("f4", 1e20, [1e20]),
    ("f8", -999.0, -999), ("f8", -999, np.array([-999], "i2")), ("i2", -32768, -32768),
    ("i2", -32768, np.int16(-32768)), ("i4", -9999, -9999.0), ("i8", 2**53 + 1, 2**53 + 1),
    ("f4", 9.96921e36, "9.96921e36"), ("f8", -999.0, [1e30, -999.0]),
]


@pytest.mark.parametrize("dtype, fill, mark", MARKS)
@pytest.mark.parametrize("key", ["_FillValue", "missing_value"])
@pytest.mark.parametrize("where", ["array", "variable", "dataset"])
def test_marked_values_are_missing(dtype, fill, mark, key, where):
    values = field(0, dtype).values
    values[HOLES] = fill
    data = xr.DataArray(values, dims=("lat", "lon"), name="t", attrs={"units": "K"})
    if where == "dataset":
        data = data.to_dataset().assign_attrs({key: mark})
    else:
        data = data.assign_attrs({key: mark})
        data = data if where == "array" else data.to_dataset()
    with pytest.raises(ValueError, match="has 4 missing values"):
        on_grid(data).spectrum()
    got, want = (on_grid(one, missing="zero").spectrum() for one in (data, field(0)))
    got = got["t"] if where != "array" else got
    np.testing.assert_allclose(got, want, rtol=1e-6 if dtype == "f4" else 1e-12)
    new = on_grid(data, missing="propagate").truncate(5)
    assert key not in new.attrs and np.isnan(new["t"] if where != "array" else new).all()
    assert key not in getattr(new, "t", new).attrs


def test_every_method_and_lazy_arrays():
    pytest.importorskip("dask")
    data = field(1e20, _FillValue=1e20, long_name="temperature")
    for one in (data, data.chunk({"lat": 4})):
        new = on_grid(one, missing="zero")
        filled = on_grid(field(0), missing="zero")
        for method, given in (("smooth", ("500km",)), ("truncate", (5,)), ("regrid", ("H8",)),
                              ("at", ([1.0, 2.0], 3.0)), ("cross_spectrum", (field(0),)),
                              ("coherence", (one,))):
            got, want = (getattr(each, method)(*given) for each in (new, filled))
            if method != "coherence":
                assert relative(got.values, want.values) < 1e-12
            assert "_FillValue" not in got.attrs
        assert int(new.steps().steps) == 0


def test_winds_and_other_fields():
    still = field(0).assign_attrs(units="m/s")
    wind = xr.Dataset({"u": field(-999, missing_value=-999).assign_attrs(units="m/s"), "v": still})
    for method in ("vorticity", "divergence", "ke_spectrum", "helmholtz", "steps"):
        with pytest.raises(ValueError, match="has 4 missing values"):
            getattr(on_grid(wind), method)("u", "v")
    whole = xr.Dataset({"u": field(-999).assign_attrs(units="m/s"), "v": still},
                       attrs={"missing_value": -999})
    with pytest.raises(ValueError, match="has 4 missing values"):
        on_grid(whole).vorticity("u", "v")
    with pytest.raises(ValueError, match="has 4 missing values"):
        on_grid(field(0)).coherence(field(1e20, _FillValue=1e20))


def test_marks_that_no_value_has():
    data = field(0)
    want = on_grid(data).spectrum()
    for mark in (1e300, np.inf, np.nan, -5e9, [1e20, np.nan]):
        xr.testing.assert_equal(on_grid(data.assign_attrs(_FillValue=mark)).spectrum(), want)
    small = field(0, "i2")
    for mark in (1e20, 0.5, np.nan, 70000):
        xr.testing.assert_allclose(on_grid(small.assign_attrs(_FillValue=mark)).spectrum(), want)


@pytest.mark.parametrize("attrs", [
    {"scale_factor": 0.01}, {"add_offset": 273.15}, {"scale_factor": np.array([0.01])},
    {"scale_factor": 1.0, "add_offset": 5}, {"_Unsigned": "true"}, {"scale_factor": "0.01"}])
@pytest.mark.parametrize("dtype", ["i2", "f4"])
def test_packed_values_are_refused(attrs, dtype):
    data = field(0, dtype, **attrs)
    with pytest.raises(ValueError, match=r"t: has the attribute .* xarray.decode_cf\(dataset\)"):
        on_grid(data).spectrum()
    with pytest.raises(ValueError, match=r"t: has the attribute .* del t.attrs\["):
        on_grid(data.to_dataset()).regrid("F8")
    with pytest.raises(ValueError, match="t: has the attribute"):
        on_grid(field(0, dtype).to_dataset().assign_attrs(attrs)).spectrum()


def test_attributes_that_change_nothing():
    data = field(0, scale_factor=1.0, add_offset=np.array([0.0]), _Unsigned="false")
    xr.testing.assert_equal(on_grid(data).spectrum(), on_grid(field(0)).spectrum())
    with pytest.raises(ValueError, match="t: missing_value = 'none': must be a number"):
        on_grid(field(0, missing_value="none")).spectrum()


def test_packed_coordinates_and_points():
    packed = xr.DataArray([4500, -3000], dims="p", attrs={"scale_factor": 0.002})
    with pytest.raises(ValueError, match="latitude: has the attribute scale_factor"):
        on_grid(field(0)).at(packed.astype("i2"), 0.0)
    data = field(0).assign_coords(
        lat=("lat", 90 - np.degrees(GRID.rings["theta"]), {"units": "degrees_north",
                                                           "add_offset": 0.5}),
        lon=("lon", 22.5 * np.arange(16), {"units": "degrees_east"}))
    with pytest.raises(ValueError, match="latitude: has the attribute add_offset"):
        data.armilla.spectrum()
    lost = xr.DataArray([10.0, 50.0], dims="p", attrs={"_FillValue": 50.0})
    with pytest.raises(ValueError, match="latitude: has values that are not numbers"):
        on_grid(field(0)).at(lost, 0.0)
