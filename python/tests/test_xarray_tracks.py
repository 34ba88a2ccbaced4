"""armilla.xarray's `at` for points that move: values between the times of a field."""
import numpy as np
import pytest

import armilla
from helpers import relative

xr = pytest.importorskip("xarray")
import armilla.xarray  # noqa: E402
from armilla import _labelled_work  # noqa: E402

LMAX, NTIMES = 15, 5
GRID = armilla.Grid.gauss_legendre(LMAX + 1, 2 * LMAX + 2)
HOURS = np.array([0, 6, 9, 18, 24])
DATES = np.datetime64("2026-12-01T00", "ns") + HOURS.astype("m8[h]")
ALM = np.stack([armilla.alm.random(LMAX, np.ones(LMAX + 1), seed=i) for i in range(2 * NTIMES)])


def field(times=DATES, order=slice(None), dtype="f8", name="time"):
    """Two levels, each with coefficients of its own at each time."""
    maps = armilla.SHT(GRID, LMAX, two_dimensional=True).synthesis(ALM)
    maps = maps.reshape(NTIMES, 2, LMAX + 1, -1).astype(dtype)
    data = xr.DataArray(maps, dims=(name, "level", "lat", "lon"), name="t", attrs={"units": "K"},
                        coords={name: times, "level": [850, 500],
                                "lat": 90 - np.degrees(GRID.rings["theta"]),
                                "lon": 360 / (2 * LMAX + 2) * np.arange(2 * LMAX + 2)})
    for one, word in (("lat", "north"), ("lon", "east")):
        data[one].attrs["units"] = f"degrees_{word}"
    return data.isel({name: order})


def places(count, seed=1):
    """Latitudes, longitudes and hours, in no sequence."""
    rng = np.random.default_rng(seed)
    hours = rng.uniform(0, 24, count).round(2)
    hours[:3] = 0, 24, 9  # of fields themselves
    return rng.uniform(-90, 90, count), rng.uniform(-180, 360, count), hours


def truth(lat, lon, hours):
    """(levels, points): the values of all fields at all points, by one sum each, interpolated by
    numpy."""
    loc = np.radians(np.stack([90 - lat, lon], axis=-1))
    values = armilla.evaluate(ALM, LMAX, loc).reshape(NTIMES, 2, -1)
    return np.array([[np.interp(hour, HOURS, values[:, level, i]) for i, hour in enumerate(hours)]
                     for level in range(2)])


def dates_of(hours):
    return DATES[0] + np.round(hours * 3600).astype("m8[s]")


@pytest.mark.parametrize("count", [7, 4000])
@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("order", [slice(None), slice(None, None, -1), [3, 0, 4, 2, 1]])
def test_values_between_times(count, lazy, order):
    lat, lon, hours = places(count)
    data = field(order=order)
    if lazy:
        pytest.importorskip("dask")
        data = data.chunk({"time": 2, "level": 1})
    got = data.armilla.at(lat, lon, dates_of(hours))
    assert got.dims == ("level", "point") and got.attrs == {"units": "K"}
    assert (got.chunks is not None) == lazy and got.name == "t"
    assert relative(got.values, truth(lat, lon, hours)) < 1e-10
    np.testing.assert_array_equal(got.time, dates_of(hours))
    np.testing.assert_array_equal(got.latitude, lat)


def test_single_precision_stays():
    lat, lon, hours = places(50)
    got = field(dtype="f4").armilla.at(lat, lon, dates_of(hours))
    assert got.dtype == np.float32 and relative(got.values, truth(lat, lon, hours)) < 2e-6


def test_the_nearest_time():
    lat, lon = np.full(5, 10.0), np.linspace(0, 40, 5)
    hours = np.array([2.9, 3, 3.1, 21, 21.1])  # 3 and 21 are as far from both: the earlier one
    got = field().armilla.at(lat, lon, dates_of(hours), method="nearest")
    want = truth(lat, lon, [0, 0, 6, 18, 24])
    assert relative(got.values, want) < 1e-12


def test_points_with_the_dimension_of_time():
    """As a track is read from a file: the points' own dimension has the field's name."""
    lat, lon, hours = places(6)
    when = np.sort(dates_of(hours))
    track = xr.Dataset({"lat": ("time", lat), "lon": ("time", lon)}, coords={
        "time": when, "ship": ("time", list("abcdef"))})
    got = field().armilla.at(track.lat, track.lon, track.time)
    assert got.dims == ("level", "time") and list(got.ship.values) == list("abcdef")
    assert got.indexes["time"].equals(track.indexes["time"])
    want = truth(lat, lon, (when - DATES[0]) / np.timedelta64(1, "h"))
    assert relative(got.values, want) < 1e-12


def test_a_swath_has_several_dimensions():
    lat, lon, hours = places(12)
    swath = [xr.DataArray(one.reshape(3, 4), dims=("line", "pixel")) for one in (lat, lon)]
    when = xr.DataArray(dates_of(hours[:3]), dims="line")
    got = field().armilla.at(*swath, when)
    assert got.dims == ("level", "line", "pixel")
    want = truth(lat, lon, np.repeat(hours[:3], 4)).reshape(2, 3, 4)
    assert relative(got.values, want) < 1e-12


def test_other_times():
    lat, lon, hours = places(9)
    want = truth(lat, lon, hours)
    steps = field(HOURS.astype("m8[h]").astype("m8[ns]"), name="step")
    seconds = np.round(hours * 3600).astype("m8[s]")
    valid = steps.assign_coords(valid_time=("step", DATES))
    for got in (field(HOURS).armilla.at(lat, lon, hours),
                field(HOURS.astype("f4")).armilla.at(lat, lon, hours),
                steps.armilla.at(lat, lon, seconds),
                valid.armilla.at(lat, lon, dates_of(hours)),
                valid.armilla.at(lat, lon, seconds),
                field().armilla.at(lat, lon, dates_of(hours).astype("M8[s]").astype(str)),
                field().armilla.at(lat, lon, dates_of(hours).astype("M8[us]").tolist())):
        assert relative(got.values, want) < 1e-12
    got = valid.armilla.at(lat, lon, dates_of(hours))
    assert "step" not in got.coords and "valid_time" in got.coords


def test_dates_of_another_calendar():
    cftime = pytest.importorskip("cftime")
    lat, lon, hours = places(5)
    first = cftime.DatetimeNoLeap(2026, 2, 28)
    data = field(cftime.num2date(HOURS, "hours since 2026-02-28", "noleap"))
    when = first + np.array([np.timedelta64(round(3600 * one), "s").item() for one in hours])
    got = data.armilla.at(lat, lon, when)
    assert relative(got.values, truth(lat, lon, hours)) < 1e-12
    with pytest.raises(ValueError, match="time: holds dates, and no coordinates"):
        data.armilla.at(lat, lon, dates_of(hours))
    other = cftime.num2date(HOURS, "hours since 2026-02-28", "360_day")
    with pytest.raises(TypeError, match="the calendar of the points is not that of the field"):
        data.armilla.at(lat, lon, other)


def test_each_field_is_analysed_once_and_no_point_has_a_plan(monkeypatch):
    calls = {"fields": 0, "plans": 0}
    analysis, points = _labelled_work.Work.analysis, _labelled_work.Points

    def counted(self, *given, **how):
        calls["fields"] += given[0][..., 0, 0].size
        return analysis(self, *given, **how)

    def planned(*given, **how):
        calls["plans"] += 1
        return points(*given, **how)

    monkeypatch.setattr(_labelled_work.Work, "analysis", counted)
    monkeypatch.setattr(_labelled_work, "Points", planned)
    lat, lon, hours = places(20000)
    field().armilla.at(lat, lon, dates_of(hours))
    assert calls == {"fields": 2 * NTIMES, "plans": NTIMES}
    calls.update(fields=0, plans=0)
    field().armilla.at(lat, lon, dates_of(7 + hours / 24))  # between two fields
    assert calls == {"fields": 4, "plans": 2}


def test_a_dataset():
    lat, lon, hours = places(8)
    data = field()
    sky = xr.Dataset({"t": data, "orog": data.isel(time=0, level=0, drop=True),
                      "dt": ("time", HOURS), "level_name": ("level", list("ab"))})
    got = sky.armilla.at(lat, lon, dates_of(hours))
    assert set(got.data_vars) == {"t", "orog", "level_name"} and got.orog.dims == ("point",)
    assert relative(got.t.values, truth(lat, lon, hours)) < 1e-12
    loc = np.radians(np.stack([90 - lat, lon], axis=-1))
    assert relative(got.orog.values, armilla.evaluate(ALM[0], LMAX, loc)) < 1e-12


def test_one_field_and_no_points():
    data = field().isel(time=[1])
    got = data.armilla.at([1.0, 2.0], [3.0, 4.0], np.repeat(DATES[1:2], 2))
    want = data.isel(time=0).armilla.at([1.0, 2.0], [3.0, 4.0])
    np.testing.assert_allclose(got.values, want.values, atol=1e-13)
    none = field().armilla.at(np.empty(0), np.empty(0), np.empty(0, "M8[s]"))
    assert none.dims == ("level", "point") and none.shape == (2, 0)


def test_missing_fields_spoil_their_neighbourhood_alone():
    data = field().where(field().time != DATES[2])
    lat, lon, hours = places(300)
    got = data.armilla.options(missing="propagate").at(lat, lon, dates_of(hours))
    near = (hours > 6) & (hours < 18)
    np.testing.assert_array_equal(np.isnan(got.values), np.broadcast_to(near, (2, 300)))


@pytest.mark.parametrize("when, error, message", [
    (DATES[-1] + np.timedelta64(1, "s"), ValueError,
     r"time: 1 of 3 points are outside the times of the field, 2026-12-01T00:00:00\.0+ to "
     r"2026-12-02T00:00:00\.0+; the first is number 1, at 2026-12-02T00:00:01"),
    (DATES[0] - np.timedelta64(1, "ns"), ValueError, "1 of 3 points are outside"),
    (np.datetime64("NaT"), ValueError, "time: 1 of 3 times are NaT, the first is number 1"),
    (np.datetime64("9999-01-01", "s"), ValueError, "cannot hold|outside"),
])
def test_times_that_a_field_does_not_have(when, error, message):
    kind = "M8[s]" if when == np.datetime64("9999-01-01") else "M8[ns]"
    times = DATES[:3].astype(kind)
    times[1] = when
    with pytest.raises(error, match=message):
        field().armilla.at([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], times)


def test_what_is_refused():
    data, lat, lon = field(), [1.0, 2.0], [1.0, 2.0]
    twice = data.assign_coords(time=DATES[[0, 1, 1, 3, 4]])
    lost = data.assign_coords(time=np.where(HOURS == 9, np.datetime64("NaT", "ns"), DATES))
    both = xr.DataArray(lat, dims="level")
    text = xr.DataArray(DATES[:2], dims="level")
    zoned = [one.replace(tzinfo=__import__("datetime").timezone.utc)
             for one in DATES[:2].astype("M8[us]").tolist()]
    for one, given, error, message in (
            (data, (lat, lon, DATES[:3]), ValueError, "the points and time: have 2 and 3 values"),
            (data, (lat, lon, HOURS[:2]), ValueError, r"time: holds numbers, and no .*\(dates\)"),
            (data, (lat, lon, [1j, 2]), TypeError, "time: must hold times, not complex128"),
            (data, (lat, lon, ["noon", "night"]), ValueError, "time: 'noon' is no time"),
            (data, (lat, lon, zoned), ValueError, "time zone"),
            (data, (both, both, text), ValueError, "have the dimension level of the field"),
            (data.isel(time=0), (lat, lon, DATES[:2]), ValueError, "time: holds dates, and no"),
            (twice, (lat, lon, DATES[:2]), ValueError, "2026-12-01T06.* stands there twice"),
            (lost, (lat, lon, DATES[:2]), ValueError, "the field's times: 1 of 5 times are NaT"),
            (field(HOURS), (lat, lon, [0.0, np.nan]), ValueError, "time: value 1 is nan")):
        with pytest.raises(error, match=message):
            one.armilla.at(*given)
    with pytest.raises(ValueError, match="method = 'cubic': must be one of linear, nearest"):
        data.armilla.at(lat, lon, DATES[:2], method="cubic")
