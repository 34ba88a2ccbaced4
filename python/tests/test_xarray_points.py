"""armilla.xarray's `at`: dimensions that points share with a field go together, as in xarray."""
import numpy as np
import pytest

import armilla
from helpers import relative

xr = pytest.importorskip("xarray")
import armilla.xarray  # noqa: E402

GRID = armilla.Grid.gauss_legendre(8, 16)
LAT, LON = 90 - np.degrees(GRID.rings["theta"]), 22.5 * np.arange(16)
TIMES, LEVELS = [0, 6, 12], [850, 500]


def field(dtype="f8"):
    alm = np.stack([armilla.alm.random(7, np.ones(8), seed=i) for i in range(6)])
    maps = armilla.SHT(GRID, 7, two_dimensional=True).synthesis(alm).reshape(3, 2, 8, 16)
    return xr.DataArray(maps.astype(dtype), dims=("time", "level", "lat", "lon"), name="t", coords={
        "time": TIMES, "level": LEVELS, "lat": ("lat", LAT, {"units": "degrees_north"}),
        "lon": ("lon", LON, {"units": "degrees_east"})}, attrs={"units": "K"})


def indices(dims, shape, most, **coords):
    rng = np.random.default_rng(most)
    return xr.DataArray(rng.integers(0, most, shape), dims=dims, coords=coords)


def places(rows, columns):
    return (xr.DataArray(LAT[rows.values], dims=rows.dims, coords=rows.coords),
            xr.DataArray(LON[columns.values], dims=columns.dims, coords=columns.coords))


CASES = {
    "a ship": (("time",), (3,), ("time",), (3,)),
    "a satellite's swath": (("time", "p"), (3, 4), ("time", "p"), (3, 4)),
    "another sequence": (("p", "time"), (4, 3), ("p", "time"), (4, 3)),
    "a longitude for each time": (("p",), (4,), ("time",), (3,)),
    "one dimension each": (("time",), (3,), ("level",), (2,)),
    "both dimensions": (("level", "time"), (2, 3), ("level", "time"), (2, 3)),
    "the last dimension": (("level",), (2,), ("level",), (2,)),
    "the grid's own": (("lat",), (5,), ("lat",), (5,)),
    "the grid's own, apart": (("lat",), (5,), ("lon",), (4,)),
    "stations": (("station",), (5,), ("station",), (5,)),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("lazy", [False, True])
def test_dimensions_are_those_of_sel(case, lazy):
    dims, shape, other, other_shape = CASES[case]
    data = field()
    rows, columns = indices(dims, shape, 8), indices(other, other_shape, 16)
    want = data.isel(lat=rows, lon=columns)
    if lazy:
        pytest.importorskip("dask")
        data = data.chunk({"time": 2, "level": 1})
    got = data.armilla.at(*places(rows, columns))
    assert got.dims == want.dims and (got.chunks is not None) == lazy
    assert relative(got.values, want.values) < 1e-13 and got.attrs == {"units": "K"}
    np.testing.assert_array_equal(got.latitude.broadcast_like(want),
                                  want.lat.broadcast_like(want))
    for name in set(want.dims) & {"time", "level"}:
        assert got[name].variable.identical(data[name].variable)


def test_each_variable_of_a_dataset_along_a_track():
    data = field()
    sky = xr.Dataset({"t": data, "orog": data.isel(time=0, level=0, drop=True),
                      "dt": ("time", [1, 2, 3])})
    rows, columns = (indices(("time", "p"), (3, 2), most, time=TIMES) for most in (8, 16))
    lat, lon = places(rows, columns)
    got, want = sky.armilla.at(lat, lon), sky.isel(lat=rows, lon=columns)
    for name in ("t", "orog", "dt"):
        assert got[name].dims == want[name].dims
        np.testing.assert_allclose(got[name], want[name], atol=1e-12)
    xr.testing.assert_identical(got.t.drop_attrs(), data.armilla.at(lat, lon).drop_attrs())


def test_many_points_of_each_time():
    data = field("f4")
    lat = xr.DataArray(np.linspace(-90, 90, 9000).reshape(3, 3000), dims=("time", "p"))
    lon = xr.DataArray(np.linspace(0, 700, 9000).reshape(3, 3000), dims=("time", "p"))
    got = data.armilla.at(lat, lon)
    assert got.dims == ("time", "level", "p") and got.dtype == "f4"
    for i in range(3):
        want = data[i].armilla.at(lat[i].values, lon[i].values)
        np.testing.assert_allclose(got[i], want, atol=1e-5)


def test_labels_of_points():
    data = field()
    name = {"name": ("station", list("ab"))}
    got = data.armilla.at(xr.DataArray([10.0, 20.0], dims="station", coords=name), 5.0)
    assert list(got["name"].values) == ["a", "b"] and got.longitude.dims == ("station",)
    rows = data.rename(lat="latitude", lon="longitude")
    got = rows.armilla.at(rows.latitude[:3], rows.longitude[:2])
    assert got.latitude.dims == ("latitude",) and got.longitude.identical(rows.longitude[:2])
    np.testing.assert_allclose(got, rows[..., :3, :2], atol=1e-12)


def track(times, count=3):
    return xr.DataArray(np.arange(float(count)), dims="time", coords={"time": times})


@pytest.mark.parametrize("whole", [False, True])
def test_tracks_that_do_not_fit(whole):
    data = field().to_dataset() if whole else field()
    for given, message in (
            ((track([0, 6, 13]), 0), "the field and the points: their coordinates time differ; "
                                     "xarray's interp or sel"),
            ((track([0, 6, 12, 18], 4), 0), "have 3 and 4 values along time"),
            ((track([0, 6, 12]), track([0, 6, 18])),
             "latitude and longitude: their coordinates time differ")):
        with pytest.raises(ValueError, match=message):
            data.armilla.at(*given)
    one = data.isel(time=1)
    with pytest.raises(ValueError, match=r"have the dimension time, .*drop_vars\('time'\)"):
        one.armilla.at(track([0, 6, 12]), 0)
    assert one.drop_vars("time").armilla.at(track([0, 6, 12]), 0).sizes["time"] == 3
    points = data.rename(time="point")
    with pytest.raises(ValueError, match="the field has a dimension 'point'"):
        points.armilla.at([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    same = xr.DataArray([1.0, 2.0, 3.0], dims="point")
    assert points.armilla.at(same, same).sizes["point"] == 3
