"""armilla.xarray: transforms of labelled arrays against closed forms, and lazily with dask."""
import pickle

import numpy as np
import pytest

import armilla
from helpers import random_alm, relative

xr = pytest.importorskip("xarray")
import armilla.xarray  # noqa: E402

LMAX = 20
RADIUS = armilla.xarray.EARTH_RADIUS


def labelled(kind="CC", nlat=None, nlon=48, lead=(), seed=1, name="t", units="K", dtype="f8"):
    """Coefficients, and an array on rows of a family, north first, with coordinates in degrees."""
    nlat = nlat or {"CC": 23, "GL": 21, "F1": 22, "DH": 44, "MW": 22, "F2": 44}[kind]
    grid = (armilla.Grid.gauss_legendre(nlat, nlon) if kind == "GL" else
            armilla.Grid.equidistant(kind, nlat, nlon))
    alm = np.stack([random_alm(LMAX, seed=seed + i) for i in range(int(np.prod(lead)))])
    maps = grid.to_2d(armilla.SHT(grid, LMAX).synthesis(alm)).reshape(*lead, *grid.shape_2d)
    lat = 90 - np.degrees(grid.rings["theta"])
    lon = 360 / nlon * np.arange(nlon)
    names = ("time", "level")[:len(lead)]
    data = xr.DataArray(maps.astype(dtype), dims=(*names, "lat", "lon"), name=name, attrs={
        "units": units, "long_name": "temperature"},
        coords={"lat": ("lat", lat, {"units": "degrees_north"}),
                "lon": ("lon", lon, {"units": "degrees_east"}),
                **{one: np.arange(size) for one, size in zip(names, lead)}})
    return alm.reshape(*lead, -1), data


def power(alm):
    l = np.arange(LMAX + 1)
    return armilla.spectrum.compute(alm) * (2 * l + 1) / (4 * np.pi)


def flow(psi, chi):
    """u and v of a stream function and a velocity potential (coefficients), by their gradients."""
    nlat, nlon = 23, 48
    grid = armilla.Grid.equidistant("CC", nlat, nlon)
    slope = armilla.SHT(grid, LMAX, spin=1, mode="derivatives", two_dimensional=True)
    (psi_t, psi_p), (chi_t, chi_p) = (slope.synthesis(one) / RADIUS for one in (psi, chi))
    _, like = labelled()
    # east: chi_lambda / (a cos lat) - psi_lat / a; a derivative along theta is minus that of lat
    made = xr.Dataset({"ua": like.copy(data=chi_p + psi_t), "va": like.copy(data=-chi_t + psi_p)})
    for name, word in (("ua", "eastward_wind"), ("va", "northward_wind")):
        made[name].attrs = {"units": "m s-1", "standard_name": word}
    return made


# --- Results --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["CC", "GL", "F1", "DH", "MW", "F2"])
@pytest.mark.parametrize("single", [False, True])
def test_the_grid_follows_from_the_coordinates(kind, single):
    alm, data = labelled(kind)
    if single:  # coordinates as most files have them
        data = data.assign_coords({name: data[name].astype("f4").assign_attrs(data[name].attrs)
                                   for name in ("lat", "lon")})
    grid = data.armilla.grid
    assert grid.kind == {"GL": "gauss_legendre"}.get(kind, kind)
    got = data.armilla.options(lmax=LMAX).spectrum()
    assert relative(got.values, power(alm.reshape(-1))) < 1e-12
    assert got.dims == ("degree",) and got.attrs["units"] == "K2" and got.name == "t"


@pytest.mark.parametrize("turn", ["south", "west", "shifted", "halves", "transposed", "radians"])
def test_any_direction_of_rows_and_columns(turn):
    alm, data = labelled("CC", lead=(2,))
    turned = {"south": lambda: data.isel(lat=slice(None, None, -1)),
              "west": lambda: data.isel(lon=slice(None, None, -1)),
              "shifted": lambda: data.roll(lon=7, roll_coords=True),
              "halves": lambda: data.assign_coords(lon=("lon", (data.lon.values + 180) % 360 - 180,
                                                        data.lon.attrs)),
              "transposed": lambda: data.transpose("lon", "time", "lat"),
              "radians": lambda: data.assign_coords(
                  lat=("lat", np.radians(data.lat.values), {"units": "radians"}))}[turn]()
    got = turned.armilla.options(lmax=LMAX).spectrum()
    assert got.dims == ("time", "degree")
    for i in range(2):
        assert relative(got.values[i], power(alm[i])) < 1e-12
    back = turned.armilla.truncate(LMAX)
    assert back.dims == turned.dims and relative(back.values, turned.values) < 1e-12
    assert back.attrs == turned.attrs and back.coords.identical(turned.coords)
    values = turned.armilla.options(lmax=LMAX).at(data.lat.values[5], data.lon.values[9])
    np.testing.assert_allclose(values, data.values[:, 5, 9], atol=1e-11)


def test_truncation_and_smoothing_multiply_by_windows():
    alm, data = labelled(lead=(3,))
    l = np.arange(LMAX + 1)
    cut = data.armilla.truncate("T7").armilla.options(lmax=LMAX).spectrum()
    want = power(alm[1]) * (l <= 7)
    assert relative(cut.values[1], want) < 1e-12
    beam = armilla.spectrum.gaussian_beam(np.radians(10), LMAX)
    for width in ("10deg", "600arcmin", f"{float(np.radians(10))!r}rad",
                  f"{float(np.radians(10)) * RADIUS / 1e3!r} km"):
        smooth = data.armilla.options(lmax=LMAX).smooth(width).armilla.options(lmax=LMAX)
        assert relative(smooth.spectrum().values[1], power(alm[1]) * beam ** 2) < 1e-12


def test_regrid_has_the_field_and_its_labels():
    alm, data = labelled("GL", lead=(2,), dtype="f4")
    new = data.armilla.options(lmax=LMAX).regrid("F24")
    assert new.dims == ("time", "lat", "lon") and new.shape == (2, 48, 96) and new.dtype == "f4"
    assert new.attrs == data.attrs and new.time.identical(data.time)
    assert new.lat.attrs["units"] == "degrees_north" and new.lat[0] > 0
    grid = armilla.Grid.gauss_legendre(48, 96)
    want = grid.to_2d(armilla.SHT(grid, LMAX).synthesis(alm))
    assert relative(new.values, want) < 1e-6
    assert relative(new.armilla.options(lmax=LMAX).regrid(data.armilla.grid).values,
                    data.values) < 1e-6
    sky = data.armilla.options(lmax=LMAX).regrid("H16")
    assert sky.dims == ("time", "cell") and sky.attrs["grid_mapping"] == "crs"
    assert sky.armilla.grid == armilla.Grid.healpix(16)
    again = sky.armilla.options(lmax=LMAX, iterations=6).regrid("F24")
    assert relative(again.values, want) < 1e-5 and "crs" not in again.coords


def test_points_with_dimensions_of_their_own():
    _, data = labelled(lead=(2,))
    lat = xr.DataArray([10.0, -20.0, 90.0], dims="station", coords={"station": list("abc")})
    lon = xr.DataArray([0.0, 90.0], dims="hour")
    got = data.armilla.options(lmax=LMAX).at(lat, lon)
    assert got.dims == ("time", "station", "hour") and got.shape == (2, 3, 2)
    assert list(got.station.values) == list("abc") and got.attrs["units"] == "K"
    np.testing.assert_allclose(got.latitude[:, 1], lat)
    pole = data.values[:, 0, 0]
    np.testing.assert_allclose(got.values[:, 2, 1], pole, atol=1e-11)
    many = data.armilla.options(lmax=LMAX).at(np.linspace(-90, 90, 4000), np.linspace(0, 700, 4000))
    few = data.armilla.options(lmax=LMAX).at(many.latitude.values[::500],
                                             many.longitude.values[::500] % 360)
    np.testing.assert_allclose(many.values[:, ::500], few.values, atol=1e-10)


def test_coherence_and_amplitude_ratio():
    alm, data = labelled(lead=(2,))
    other = data.isel(time=1, drop=True) * 0.5 + 0.25 * data.isel(time=0, drop=True)
    other.attrs["units"] = "K"
    b = 0.5 * alm[1] + 0.25 * alm[0]
    with_lmax = data.armilla.options(lmax=LMAX)
    cross = armilla.spectrum.compute(alm[0], b)
    auto, second = armilla.spectrum.compute(alm[0]), armilla.spectrum.compute(b)
    got = with_lmax.coherence(other)
    assert got.dims == ("time", "degree") and got.attrs["units"] == "1"
    np.testing.assert_allclose(got[0], cross / np.sqrt(auto * second), atol=1e-10)
    np.testing.assert_allclose(with_lmax.amplitude_ratio(other)[0], np.sqrt(auto / second),
                               rtol=1e-10)
    product = with_lmax.cross_spectrum(other)
    assert product.attrs["units"] == "K2"
    np.testing.assert_allclose(product[0] * 4 * np.pi / (2 * np.arange(LMAX + 1) + 1), cross,
                               atol=1e-13)
    assert np.isnan(with_lmax.coherence(0 * data.assign_attrs(units="K"))).all()
    with pytest.raises(ValueError, match="other: is in 'degC', the array in 'K'"):
        with_lmax.amplitude_ratio(other.assign_attrs(units="degC"))


def test_solid_rotation():
    _, like = labelled()
    u = (12 * np.cos(np.radians(like.lat)) + 0 * like).transpose("lat", "lon")
    wind = xr.Dataset({"ua": u.assign_attrs(units="m/s"), "va": (0 * u).assign_attrs(units="m/s")})
    vorticity = wind.armilla.vorticity("ua", "va")
    want = 24 / RADIUS * np.sin(np.radians(like.lat)) + 0 * like
    np.testing.assert_allclose(vorticity, want.transpose("lat", "lon"), atol=1e-18)
    assert vorticity.attrs["units"] == "s-1" and vorticity.name == "vorticity"
    energy = wind.armilla.ke_spectrum("ua", "va")
    np.testing.assert_allclose(energy.rotational[:3], [0, 48, 0], atol=1e-12)  # 144 / 2 * 2 / 3
    assert abs(energy.divergent).max() < 1e-25 and energy.total.attrs["units"] == "m2 s-2"


def test_winds_of_stream_function_and_potential():
    l = np.arange(LMAX + 1.0)
    psi, chi = (armilla.alm.random(LMAX, 1e14 / (1 + l) ** 4 * (l > 0), seed=i) for i in (1, 2))
    wind = flow(psi, chi)
    with_lmax = wind.armilla.options(lmax=LMAX)
    grid = wind.armilla.grid
    laplacian = -l * (l + 1) / RADIUS ** 2
    for name, potential in (("vorticity", psi), ("divergence", chi)):
        alm = armilla.alm.multiply_window(potential, laplacian)
        got = getattr(with_lmax, name)()  # found by their standard names
        assert relative(got.values, grid.to_2d(armilla.SHT(grid, LMAX).synthesis(alm))) < 1e-12
    parts = with_lmax.helmholtz()
    for part, one, other in (("rotational", psi, 0 * chi), ("divergent", 0 * psi, chi)):
        want = flow(one, other)
        assert relative(parts[f"u_{part}"].values, want.ua.values) < 1e-12
        assert relative(parts[f"v_{part}"].values, want.va.values) < 1e-12
    energy = with_lmax.ke_spectrum()
    for part, potential in (("rotational", psi), ("divergent", chi)):
        want = power(potential) * l * (l + 1) / RADIUS ** 2 / 2
        assert relative(energy[part].values, want) < 1e-12
    np.testing.assert_allclose(energy.total, energy.rotational + energy.divergent)


def test_the_energy_of_all_degrees_is_the_mean_over_the_sphere():
    l = np.arange(LMAX + 1.0)
    psi, chi = (armilla.alm.random(LMAX, 1e14 / (1 + l) ** 4 * (l > 0), seed=i) for i in (1, 2))
    wind = flow(psi, chi)
    fine = armilla.Grid.equidistant("CC", 201, 400)  # degrees up to 2 LMAX + 2, by its weights
    slope = armilla.SHT(fine, LMAX, spin=1, mode="derivatives", two_dimensional=True)
    (a, b), (c, d) = (slope.synthesis(one) / RADIUS for one in (psi, chi))
    density = ((d + a) ** 2 + (b - c) ** 2) / 2
    mean = (density * fine.rings["weight"][:, None]).sum() / (4 * np.pi)
    np.testing.assert_allclose(wind.armilla.options(lmax=LMAX).ke_spectrum().total.sum(), mean,
                               rtol=1e-12)


# --- Other grids ----------------------------------------------------------------------------------


def octahedral(n):
    """Longitudes and latitudes of O<n>: 20 + 4 i points on ring i from either pole."""
    theta = armilla.Grid.gauss_legendre(2 * n, 1).rings["theta"]
    nphi = 20 + 4 * np.minimum(np.arange(2 * n), np.arange(2 * n)[::-1])
    lat = np.repeat(90 - np.degrees(theta), nphi)
    lon = np.concatenate([360 / count * np.arange(count) for count in nphi])
    return lat, lon


def test_reduced_gaussian_grids_along_one_dimension():
    lat, lon = octahedral(24)
    alm = random_alm(LMAX, seed=4)
    values = armilla.evaluate(alm, LMAX, np.radians(np.stack([90 - lat, lon], -1)))
    data = xr.DataArray(values, dims="values", attrs={"units": "m"}, coords={
        "latitude": ("values", np.round(lat, 6), {"units": "degrees_north"}),
        "longitude": ("values", lon, {"units": "degrees_east"})})
    assert data.armilla.grid.nrings == 48 and data.armilla.grid.npix == lat.size
    got = data.armilla.spectrum()
    assert relative(got.values[:LMAX + 1], power(alm)) < 1e-6 and got.size >= 24
    with pytest.raises(ValueError, match="ring 3, .*not equidistant"):
        data.assign_coords(longitude=("values", np.where(np.arange(lat.size) == 85, lon + 1, lon),
                                      data.longitude.attrs)).armilla.grid


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("attrs", ["cf", "healpix_nside", "coordinates"])
def test_healpix(attrs, nested):
    nside, alm = 16, random_alm(LMAX, seed=5)
    grid = armilla.Grid.healpix(nside)
    values = armilla.SHT(grid, LMAX).synthesis(alm)
    if nested:
        values = armilla.healpix.reorder(values, to_nested=True)
    data = xr.DataArray(np.stack([values, 2 * values]), dims=("level", "cell"), name="z")
    word = "nested" if nested else "ring"
    if attrs == "coordinates":
        theta, phi = armilla.healpix.pixel_to_ang(nside, np.arange(grid.npix), nested=nested)
        data = data.assign_coords(lat=("cell", 90 - np.degrees(theta), {"units": "degrees_north"}),
                                  lon=("cell", np.degrees(phi), {"units": "degrees_east"}))
    else:
        data = data.assign_coords(crs=((), 0, {
            "cf": {"grid_mapping_name": "healpix", "refinement_level": 4, "indexing_scheme": word},
            "healpix_nside": {"grid_mapping_name": "healpix", "healpix_nside": 16,
                              "healpix_order": "nest" if nested else "ring"}}[attrs]))
    got = data.armilla.options(lmax=LMAX, iterations=8).spectrum()
    assert relative(got.values[1], 4 * power(alm)) < 1e-9 and "crs" not in got.coords
    same = data.armilla.options(iterations=8, lmax=LMAX).truncate(LMAX)
    assert relative(same.values, data.values) < 1e-9 and same.coords.identical(data.coords)
    lat, lon = 12.3, 45.6
    want = armilla.evaluate(alm, LMAX, np.radians([[90 - lat, lon]]))
    at = data.armilla.options(iterations=8, lmax=LMAX).at(lat, lon)
    assert relative(at.values, np.array([want[0], 2 * want[0]])) < 1e-9
    if nested:
        new = data.armilla.regrid("H8n")
        assert new.crs.attrs["indexing_scheme"] == "nested"
        assert new.crs.attrs["refinement_level"] == 3


# --- dask -----------------------------------------------------------------------------------------


def test_dask_stays_lazy_with_one_field_a_task(monkeypatch):
    dask = pytest.importorskip("dask")
    _, data = labelled(lead=(3, 4), dtype="f4")
    threads = []
    true = armilla.SHT.analysis
    monkeypatch.setattr(armilla.SHT, "analysis", lambda self, maps, **given: (
        threads.append((given["nthreads"], maps.shape)), true(self, maps, **given))[1])
    lazy = data.chunk({"time": 2, "lat": 5})
    results = {"spectrum": (), "truncate": ("T7",), "smooth": ("500km",), "regrid": ("F16",),
               "at": ([1.0, 2.0], [3.0, 4.0])}
    made = {name: getattr(lazy.armilla.options(lmax=LMAX), name)(*given)
            for name, given in results.items()}
    assert not threads and all(one.chunks is not None for one in made.values())
    assert made["spectrum"].chunks[:2] == ((1, 1, 1), (1, 1, 1, 1))
    with dask.config.set(scheduler="threads", num_workers=2):
        computed = {name: one.compute() for name, one in made.items()}
    assert {count for count, _ in threads} == {1}
    assert {shape[:-2] for _, shape in threads} <= {(1, 1)} and len(threads) == 5 * 12
    for name, given in results.items():
        want = getattr(data.armilla.options(lmax=LMAX), name)(*given)
        xr.testing.assert_identical(computed[name], want)


def test_dask_winds():
    pytest.importorskip("dask")
    l = np.arange(LMAX + 1.0)
    psi, chi = (armilla.alm.random(LMAX, 1e14 / (1 + l) ** 4 * (l > 0), seed=i) for i in (1, 2))
    wind = flow(psi, chi).expand_dims(level=3)
    lazy = wind.chunk({"level": 1})
    for name in ("ke_spectrum", "vorticity", "divergence", "helmholtz"):
        made = getattr(lazy.armilla, name)("ua", "va")
        assert all(one.chunks for one in getattr(made, "data_vars", {"": made}).values())
        xr.testing.assert_identical(made.compute(), getattr(wind.armilla, name)("ua", "va"))


def test_tasks_can_be_pickled():
    from armilla._labelled_work import Work
    work = Work(armilla.Grid.healpix(8).laid_out(phi0=0.1), 1, 8, 16, "zero", 2, 1)
    assert pickle.loads(pickle.dumps(work)) == work


# --- Datasets -------------------------------------------------------------------------------------


def test_each_variable_on_the_grid():
    _, data = labelled(lead=(2,))
    sky = xr.Dataset({"a": data, "b": data.isel(time=0, drop=True) * 2, "dt": ("time", [1, 2])},
                     attrs={"title": "a forecast"})
    new = sky.armilla.options(lmax=LMAX).regrid("F24")
    assert new.a.dims == ("time", "lat", "lon") and new.b.dims == ("lat", "lon")
    assert new.dt.identical(sky.dt) and new.attrs == sky.attrs
    np.testing.assert_allclose(new.b, 2 * new.a[0], atol=1e-12)
    for method, given in (("spectrum", ()), ("truncate", ("T5",)), ("smooth", ("5deg",)),
                          ("at", (5.0, 6.0))):
        made = getattr(sky.armilla, method)(*given)
        assert set(made.data_vars) == {"a", "b", "dt"}, method
        want = getattr(data.armilla, method)(*given)
        xr.testing.assert_allclose(made.a, want.rename("a"))


def test_missing_values_need_a_rule():
    alm, data = labelled(lead=(2,))
    data[1, 3, 4] = np.nan
    with pytest.raises(ValueError, match=r"field \(1,\) has 1 missing"):
        data.armilla.spectrum()
    got = data.armilla.options(missing="propagate").spectrum()
    assert np.isnan(got[1]).all() and np.isfinite(got[0]).all()
    assert relative(data.armilla.options(missing="fit", lmax=LMAX).spectrum().values[1],
                    power(alm[1])) < 1e-6


# --- What was done --------------------------------------------------------------------------------


@pytest.mark.parametrize("lazy", [False, True])
def test_steps_are_those_of_a_plan(lazy):
    grid = armilla.Grid.healpix(8)
    plan, wind = armilla.SHT(grid, 16), armilla.VectorSHT(grid, 16)
    alm = np.stack([armilla.alm.random(16, np.r_[0, np.ones(16)], seed=i) for i in range(6)])
    winds = xr.Dataset({
        name: (("level", "cell"), one, {"units": "m s-1"})
        for name, one in zip("uv", wind.synthesis(alm.reshape(3, 2, -1)).transpose(1, 0, 2))})
    winds = winds.chunk({"level": 1}) if lazy else winds
    one = winds.u.armilla.options(grid=grid).steps()
    both = winds.armilla.options(grid=grid).steps("u", "v")
    assert one.steps.dims == ("level",) and (one.steps.chunks is not None) == lazy
    want = plan.analysis(winds.u.values, iterations="auto")[1]
    np.testing.assert_array_equal(one.steps, want.iterations)
    np.testing.assert_array_equal(one.change, want.gradient)
    assert list(one.stop.values) == list(want.stop) == ["change"] * 3
    want = wind.analysis(np.stack([winds.u, winds.v], 1), iterations="auto")[1]
    np.testing.assert_array_equal(both.steps, want.iterations)


def test_pixels_of_healpix_in_another_sequence_have_places():
    """Not the numbers of HEALPix, which a mapping would tell."""
    turned = armilla.Grid.healpix(8).laid_out(south_first=True)
    data = xr.DataArray(np.ones((8, 16)), dims=("lat", "lon"))
    made = data.armilla.options(grid=armilla.Grid.gauss_legendre(8, 16)).regrid(turned)
    assert made.dims == ("values",) and "crs" not in made.coords
    assert made["lat"][0] < -80 and made["lat"][-1] > 80


# --- Names, pictures and words --------------------------------------------------------------------


def of_lengths(names, shape=(19, 36)):
    """A field on a CC grid whose coordinates have these names."""
    latitude = xr.DataArray(np.linspace(90, -90, shape[0]), dims=names[0],
                            attrs={"units": "degrees_north"})
    longitude = xr.DataArray(np.arange(shape[1]) * 360 / shape[1], dims=names[1],
                             attrs={"units": "degrees_east"})
    made = np.cos(np.radians(latitude)) * np.cos(np.radians(longitude))
    return made.assign_coords({names[0]: latitude, names[1]: longitude}).rename("t")


@pytest.mark.parametrize("names", [("latitude", "longitude"), ("lat", "lon"), ("y", "x")])
def test_regrid_keeps_the_names_of_coordinates(names):
    made = of_lengths(names).armilla.regrid("F8")
    assert made.dims == names and set(made.coords) == set(names)
    assert set(of_lengths(names).armilla.regrid("O8").coords) == set(names)
    assert of_lengths(names).armilla.regrid("H4").dims == ("cell",)


def test_regrid_by_a_grid_of_the_caller_names_coordinates_itself():
    field = of_lengths(("latitude", "longitude"))
    bare = field.drop_vars(["latitude", "longitude"]).rename(latitude="a", longitude="b")
    there = bare.armilla.options(grid=field.armilla.grid)
    assert there.regrid("F8").dims == ("lat", "lon")
    place = bare.assign_coords(latitude=10.0, longitude=20.0).armilla.options(
        grid=field.armilla.grid)  # of a station, say
    assert place.regrid("F8").dims == ("lat", "lon") and "latitude" in place.regrid("F8").coords


def test_smooth_takes_quantities():
    units = pytest.importorskip("astropy.units")
    field, want = of_lengths(("lat", "lon")), of_lengths(("lat", "lon")).armilla.smooth("20deg")
    for fwhm in (20 * units.deg, (20 * units.deg).to(units.rad), "1200arcmin", "1200'"):
        np.testing.assert_allclose(field.armilla.smooth(fwhm), want, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(field.armilla.smooth(500 * units.km),
                               field.armilla.smooth("500km"), rtol=1e-9, atol=1e-15)
    with pytest.raises(TypeError, match="fwhm: has the unit K"):
        field.armilla.smooth(3 * units.K)


def test_accessors_say_what_they_are():
    field = of_lengths(("lat", "lon"))
    assert repr(field.armilla) == f"<armilla.xarray.ArrayAccessor on {field.armilla.grid!r}>"
    assert repr(field.armilla.options(lmax=3)).endswith(", lmax=3>")
    assert "without a grid (grid: there are neither" in repr(field[0].drop_vars("lat").armilla)
    assert repr(field.to_dataset().armilla).startswith("<armilla.xarray.DatasetAccessor on ")


def test_a_labelled_field_is_drawn():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    field = of_lengths(("lat", "lon")).assign_attrs(long_name="a field", units="K")
    how = {"projection": "equirectangular", "width": 100}
    picture = field.armilla.plot(**how)
    assert picture.axes.get_title() == "a field"
    want = armilla.plot.map(field.armilla.grid, field.values, flip="geo", **how)
    sky = armilla.plot.map(field.armilla.grid, field.values, **how)
    assert np.array_equal(picture.image.get_array(), want.image.get_array())
    assert not np.array_equal(sky.image.get_array(), want.image.get_array())
    for same in (field.transpose(), field.expand_dims("time")):
        assert np.array_equal(same.armilla.plot(**how).image.get_array(), want.image.get_array())
    with pytest.raises(ValueError, match="time: has 3 fields"):
        field.expand_dims(time=3).armilla.plot()
