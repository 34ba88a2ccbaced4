"""Fields on rotated grids: GRIB's keys, as cfgrib gives them, and CF's rotated pole."""
import numpy as np
import pytest

import armilla
from helpers import relative

xr = pytest.importorskip("xarray")
import armilla.xarray  # noqa: E402
from armilla import _files  # noqa: E402
from armilla._rotated import Turn  # noqa: E402

LMAX = 12
ALM = armilla.alm.random(LMAX, np.ones(LMAX + 1), seed=5)
POLE = {"GRIB_latitudeOfSouthernPoleInDegrees": -32.5,
        "GRIB_longitudeOfSouthernPoleInDegrees": 10.0, "GRIB_angleOfRotationInDegrees": 25.0}
TARGET = armilla.Grid.gauss_legendre(16, 32)


def turn(axis, degrees, vectors):
    """Right-handed about an axis of the coordinates."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    x, y, z = vectors
    return {"y": np.array([c * x + s * z, y, c * z - s * x]),
            "z": np.array([c * x - s * y, s * x + c * y, z])}[axis]


def geographic(vectors, pole=POLE):
    """WMO's words, done one after the other: the rotated system is made by a turn through the angle
    about its axis, seen clockwise from the southern to the northern pole; its southern pole came
    along the meridian of Greenwich through 90 degrees + its latitude; and then that meridian to its
    longitude."""
    south, east, angle = pole.values()
    return turn("z", east, turn("y", -(90 + south), turn("z", angle, vectors)))


def unit(lat, lon):
    lat, lon = np.radians(lat), np.radians(lon)
    return np.array([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])


def at(vectors):
    """The field at directions."""
    loc = np.stack([np.arccos(np.clip(vectors[2], -1, 1)), np.arctan2(vectors[1], vectors[0])], -1)
    return armilla.evaluate(ALM, LMAX, loc.reshape(-1, 2)).reshape(vectors.shape[1:])


def rows(kind="rotated_ll", south_first=False):
    """Rotated latitudes and longitudes of rows and columns, and the attributes that tell them."""
    lat = np.linspace(90, -90, 37) if kind == "rotated_ll" else 90 - np.degrees(
        armilla.Grid.gauss_legendre(32, 1).rings["theta"])
    lat, lon = lat[::-1] if south_first else lat, -180 + 5.0 * np.arange(72)
    return lat, lon, {"GRIB_gridType": kind, **POLE, "units": "K",
                      "GRIB_latitudeOfFirstGridPointInDegrees": round(lat[0], 6),
                      "GRIB_latitudeOfLastGridPointInDegrees": round(lat[-1], 6),
                      "GRIB_longitudeOfFirstGridPointInDegrees": lon[0],
                      "GRIB_longitudeOfLastGridPointInDegrees": lon[-1]}


def scalar(kind="rotated_ll", south_first=False):
    lat, lon, attrs = rows(kind, south_first)
    values = at(geographic(unit(*np.meshgrid(lat, lon, indexing="ij"))))
    return xr.DataArray([values], dims=("level", "y", "x"), attrs=attrs, name="t")


def reduced():
    grid = armilla.Grid.octahedral(12)
    theta, phi = grid.pixels()
    values = at(geographic(unit(90 - np.degrees(theta), np.degrees(phi))))
    return xr.DataArray(values, dims="values", name="t", attrs={
        "GRIB_gridType": "reduced_rotated_gg", "GRIB_pl": grid.rings["nphi"].astype(int), **POLE})


def rotated_pole():
    """CF's mapping of the same pole."""
    lat, lon, _ = rows()
    made = xr.DataArray(scalar().values[0], dims=("rlat", "rlon"), name="t", coords={
        "rlat": ("rlat", lat, {"standard_name": "grid_latitude", "units": "degrees"}),
        "rlon": ("rlon", lon, {"standard_name": "grid_longitude", "units": "degrees"})})
    return made.assign_coords(rotated_pole=((), 0, {
        "grid_mapping_name": "rotated_latitude_longitude", "grid_north_pole_latitude": 32.5,
        "grid_north_pole_longitude": -170.0, "north_pole_grid_longitude": -25.0}))


def rotated_pole_of_arrays():
    """The attributes as some readers give them: words in bytes, and numbers in arrays of one."""
    made = rotated_pole()
    attrs = {key: np.array([one.encode() if isinstance(one, str) else one])
             for key, one in made.rotated_pole.attrs.items()}
    return made.assign_coords(rotated_pole=((), 0, attrs))


def test_the_southern_pole_is_where_the_keys_say():
    pole = geographic(np.array([0.0, 0.0, -1.0]))
    np.testing.assert_allclose(pole, unit(-32.5, 10.0), atol=1e-15)


CASES = {"rotated_ll": scalar, "from the south": lambda: scalar(south_first=True),
         "rotated_gg": lambda: scalar("rotated_gg"), "reduced_rotated_gg": reduced,
         "CF": rotated_pole, "CF in arrays": rotated_pole_of_arrays}


@pytest.mark.parametrize("case", CASES)
def test_geographic_results(case):
    data = CASES[case]()
    accessor = data.armilla.options(lmax=LMAX)
    new = accessor.regrid(TARGET)
    want = armilla.SHT(TARGET, LMAX, two_dimensional=True).synthesis(ALM)
    assert new.dims[-2:] == ("lat", "lon")
    assert relative(new.values.reshape(want.shape), want) < 1e-11
    assert not any("GRIB_" in str(name) for name in new.attrs)
    lat, lon = np.array([51.0, -89.9, 0.0]), np.array([3.0, 100.0, -60.0])
    got = accessor.at(lat, lon)
    assert relative(got.values.ravel(), at(unit(lat, lon))) < 1e-11
    power = accessor.spectrum().values.ravel()
    cl = armilla.spectrum.compute(ALM) * (2 * np.arange(LMAX + 1) + 1) / (4 * np.pi)
    assert relative(power, cl) < 1e-11


def test_results_on_the_grid_stay_there():
    data = scalar()
    same = data.armilla.truncate(LMAX)
    assert relative(same.values, data.values) < 1e-12 and same.attrs == data.attrs
    with pytest.raises(ValueError, match="is rotated; maps are of geographic grids"):
        data[0].armilla.plot()


def test_gaps_are_where_the_rotated_pixels_are():
    data = scalar()
    data[0, 20:23, 10:14] = np.nan
    accessor = data.armilla.options(missing="zero", keep_gaps=True, lmax=LMAX)
    lat, lon, _ = rows()
    inside = geographic(unit(lat[[20, 21, 22]], lon[[10, 13, 11]]))
    outside = geographic(unit(lat[[19, 23, 21]], lon[[10, 13, 14]]))
    for vectors, missing in ((inside, True), (outside, False)):
        got = accessor.at(np.degrees(np.arcsin(vectors[2])),
                          np.degrees(np.arctan2(vectors[1], vectors[0])))
        assert np.isnan(got.values).tolist() == [[missing] * 3]
    new = accessor.regrid(armilla.Grid.equidistant("F1", 90, 180)).values[0]
    patch = 3 * np.radians(5) * 4 * np.radians(5) * np.cos(np.radians(lat[21]))
    area = armilla.Grid.equidistant("F1", 90, 180).areas(two_dimensional=True)
    np.testing.assert_allclose(area[np.isnan(new)].sum(), patch, rtol=0.1)


def test_named_grids_are_rotated_as_well():
    data = reduced()
    del data.attrs["GRIB_pl"]
    with pytest.raises(ValueError, match="lacks the attribute GRIB_pl.*GRIB_KEYS"):
        data.armilla.regrid(TARGET)
    new = data.armilla.options(grid="O12", lmax=LMAX).regrid(TARGET)
    want = armilla.SHT(TARGET, LMAX, two_dimensional=True).synthesis(ALM)
    assert relative(new.values, want) < 1e-11


def test_the_mapping_stays_with_the_grid():
    data = rotated_pole()
    for one in (data, data.reset_coords("rotated_pole")):
        same, new = one.armilla.truncate(LMAX), one.armilla.options(lmax=LMAX).regrid(TARGET)
        assert "rotated_pole" in same.coords and "rotated_pole" not in new.coords
        assert "rotated_pole" not in getattr(new, "data_vars", {})
        there = same.armilla.options(lmax=LMAX).at(-89.0, 3.0)
        values = there.t if hasattr(there, "data_vars") else there
        np.testing.assert_allclose(values, at(unit(-89.0, 3.0)), atol=1e-10)
        assert new.armilla.grid.nrings == TARGET.nrings


def test_a_mapping_among_the_variables_counts_and_one_that_is_lost_is_an_error():
    data = rotated_pole().reset_coords("rotated_pole")
    data["t"].attrs["grid_mapping"] = "rotated_pole"
    grid = data.armilla.grid
    for options in ({}, {"grid": grid}):
        with pytest.raises(ValueError, match="grid_mapping 'rotated_pole' is not among"):
            data["t"].armilla.options(**options).regrid(TARGET)
    data["t"].attrs["standard_name"] = "grid_eastward_wind"
    for wind in (data, data.set_coords("rotated_pole")):
        with pytest.raises(ValueError, match="t: is the component of a wind along a rotated grid"):
            wind.armilla.regrid(TARGET)


def test_a_dataset_and_dask():
    pytest.importorskip("dask")
    data = scalar().chunk({"level": 1})
    with pytest.raises(ValueError, match="s: has GRIB_angleOfRotationInDegrees = 0.0, t has 25.0"):
        xr.Dataset({"t": data, "s": data.assign_attrs(
            GRIB_angleOfRotationInDegrees=0.0)}).armilla.regrid(TARGET)
    both = xr.Dataset({"t": data, "s": data}).armilla.options(lmax=LMAX).regrid(TARGET)
    want = armilla.SHT(TARGET, LMAX, two_dimensional=True).synthesis(ALM)
    for name in "ts":
        assert relative(both[name].values[0], want) < 1e-11
    mapped = rotated_pole().reset_coords("rotated_pole").armilla.options(lmax=LMAX).regrid(TARGET)
    assert relative(mapped.t.values, want) < 1e-11


# --- Winds ----------------------------------------------------------------------------------------


AXIS = unit(35.0, 70.0)


def wind(along):
    """Rigid rotation about an axis with 20 m/s at most: its vorticity is 2 * 20 / radius times the
    cosine of the distance from it. Returned as well: this cosine."""
    lat, lon, attrs = rows("rotated_gg")
    place = unit(*np.meshgrid(lat, lon, indexing="ij"))
    there = geographic(place)
    vector = 20 * np.cross(AXIS[:, np.newaxis, np.newaxis], there, axis=0)
    if along:
        far = np.meshgrid(lat, lon, indexing="ij")
        east = geographic(np.array([-np.sin(np.radians(far[1])), np.cos(np.radians(far[1])),
                                    0 * far[1]]))
        parts = (vector * east).sum(axis=0), (vector * np.cross(there, east, axis=0)).sum(axis=0)
    else:
        radius = np.hypot(there[0], there[1])
        parts = (vector[1] * there[0] - vector[0] * there[1]) / radius, vector[2] / radius
    attrs.update(units="m s-1", GRIB_uvRelativeToGrid=int(along))
    made = {name: (("y", "x"), one, {**attrs, "standard_name": f"{word}ward_wind"})
            for name, word, one in zip("uv", ("east", "north"), parts)}
    return xr.Dataset(made), np.einsum("i,ijk->jk", AXIS, there)


@pytest.mark.parametrize("along", [False, True])
def test_winds(along):
    data, cosine = wind(along)
    accessor = data.armilla.options(lmax=LMAX, radius=6.4e6)
    want = 2 * 20 / 6.4e6 * cosine
    assert relative(accessor.vorticity().values, want) < 1e-11
    assert np.abs(accessor.divergence().values).max() < 1e-12 * np.abs(want).max()
    parts = accessor.helmholtz()
    assert relative(parts.u_rotational.values, data.u.values) < 1e-11
    assert relative(parts.v_rotational.values, data.v.values) < 1e-11
    energy = accessor.ke_spectrum()
    np.testing.assert_allclose(energy.total[1], 20 ** 2 / 3, rtol=1e-11)
    lazy = data.chunk({}).armilla.options(lmax=LMAX, radius=6.4e6).vorticity()
    assert relative(lazy.values, want) < 1e-11
    there = accessor.vorticity().armilla.options(lmax=LMAX).regrid(TARGET)
    places = unit(*np.meshgrid(there.lat.values, there.lon.values, indexing="ij"))
    assert relative(there.values, 2 * 20 / 6.4e6 * np.einsum("i,ijk->jk", AXIS, places)) < 1e-11
    again = parts.rename(u_rotational="u", v_rotational="v")[["u", "v"]]
    if along:
        with pytest.raises(ValueError, match="component of a wind along a rotated grid"):
            accessor.regrid(TARGET)
        with pytest.raises(ValueError, match="v_divergent: is the component of a wind along"):
            parts.v_divergent.armilla.at(1.0, 2.0)
    else:
        assert accessor.regrid(TARGET).u.attrs["standard_name"] == "eastward_wind"
    more = again.armilla.options(lmax=LMAX, radius=6.4e6).vorticity("u", "v")
    assert relative(more.values, want) < 1e-11


def test_the_command_turns_winds_a_few_fields_at_a_time(tmp_path, monkeypatch, capsys):
    pytest.importorskip("netCDF4")
    one, path, turned = wind(False)[0], tmp_path / "wind.nc", []
    data = one.map(lambda part: part.expand_dims(time=3).copy(data=part.values * np.reshape(
        [1.0, 2.0, 3.0], (3, 1, 1))), keep_attrs=True)
    data.to_netcdf(path)
    to_grid = Turn.to_grid
    monkeypatch.setattr(Turn, "to_grid", lambda self, *both: (
        turned.append(both[0].shape), to_grid(self, *both))[1])
    monkeypatch.setattr(armilla.fields, "_TOGETHER", 1)
    assert _files.main(["spectrum", str(path), "-", "--kind", "ke", "--lmax", str(LMAX)]) == 0
    table = np.loadtxt(capsys.readouterr().out.splitlines()).reshape(3, LMAX + 1, -1)
    np.testing.assert_allclose(table[:, 1, 2], 20 ** 2 / 3 * np.array([1, 4, 9]), rtol=1e-8)
    assert turned == [(1, *one.u.shape)] * 3


def test_winds_that_do_not_tell():
    data, _ = wind(True)
    for one in data.data_vars.values():
        del one.attrs["GRIB_uvRelativeToGrid"]
    with pytest.raises(ValueError, match="u: .*lacks the attribute GRIB_uvRelativeToGrid"):
        data.armilla.vorticity()


# --- What is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["stretched_gg", "stretched_rotated_gg", "stretched_ll",
                                  "reduced_stretched_gg", "reduced_stretched_rotated_gg",
                                  "stretched_sh", "stretched_rotated_sh"])
def test_stretched_grids_are_refused_by_name(kind):
    data = scalar().assign_attrs(GRIB_gridType=kind)
    for call in (data.armilla.spectrum, data.to_dataset().armilla.spectrum,
                 lambda: data.armilla.regrid(TARGET), lambda: data.armilla.at(1.0, 2.0),
                 data.armilla.options(grid=TARGET).spectrum):
        with pytest.raises(ValueError, match=f"t: is on a stretched grid .*{kind!r}, as of ARPEGE"):
            call()


@pytest.mark.parametrize("changed, message", [
    ({"GRIB_latitudeOfSouthernPoleInDegrees": None}, "lacks the attribute GRIB_latitudeOfSouthern"),
    ({"GRIB_latitudeOfSouthernPoleInDegrees": -91}, "must be a number of degrees up to 90"),
    ({"GRIB_angleOfRotationInDegrees": "x"}, "must be a number of degrees up to 720"),
    ({"GRIB_longitudeOfLastGridPointInDegrees": 100.0}, "are not a whole circle"),
    ({"GRIB_latitudeOfLastGridPointInDegrees": 0.0}, "do not cover the sphere"),
    ({"GRIB_latitudeOfFirstGridPointInDegrees": None}, "lacks the attribute"),
    ({"GRIB_jPointsAreConsecutive": 1}, "columns are stored before rows"),
    ({"GRIB_alternativeRowScanning": 1}, "every second row goes the other way"),
])
def test_keys_that_contradict(changed, message):
    data = scalar()
    for name, value in changed.items():
        if value is None:
            del data.attrs[name]
        else:
            data.attrs[name] = value
    with pytest.raises(ValueError, match=message):
        data.armilla.regrid(TARGET)
