"""armilla.xarray refuses labels that contradict the values or one another, and names them."""
import numpy as np
import pytest

import armilla

xr = pytest.importorskip("xarray")
import armilla.xarray  # noqa: E402

NORTH, EAST = {"units": "degrees_north"}, {"units": "degrees_east"}


def field(nlat=19, nlon=36, lat=None, lon=None, north=NORTH, east=EAST, **attrs):
    lat = np.linspace(90, -90, nlat) if lat is None else np.asarray(lat, float)
    lon = 360 / nlon * np.arange(nlon) if lon is None else np.asarray(lon, float)
    values = np.ones((lat.size, lon.size))
    return xr.DataArray(values, dims=("lat", "lon"), name="t", attrs=attrs, coords={
        "lat": ("lat", lat, north), "lon": ("lon", lon, east)})


def wind(**changes):
    one = field(units="m s-1")
    made = xr.Dataset({"ua": one, "va": one})
    return made.assign(**{name: change(made[name]) for name, change in changes.items()})


LAT = np.linspace(90, -90, 19)


@pytest.mark.parametrize("data, message", [
    (field(lat=np.linspace(60, -60, 19)),
     "latitude: 19 values from 60 to -60 degrees do not cover"),
    (field(lat=LAT + 0.3 * np.sin(np.radians(2 * LAT))),
     "those of no known grid; nearest is CC, .* up to 0.29"),
    (field(lat=np.r_[LAT[:5], LAT[6], LAT[5], LAT[7:]]),
     "latitude: does not rise or fall .* value 6"),
    (field(north={"units": "m"}),
     "latitude: units = 'm', must be degrees_north, degrees or radians"),
    (field(lat=np.radians(LAT)), "latitude: units = 'degrees_north', .*look like radians"),
    (field(lat=LAT * 1.01), "latitude: has the value 90.9, beyond 90"),
    (field(north={**NORTH, "stored_direction": "increasing"}),
     "latitude: stored_direction = 'increasing', but the values go from 90 to -90"),
    (field(lon=np.linspace(0, 360, 36)), "longitude: has the first meridian twice, 0 and 360"),
    (field(lon=np.linspace(0, 175, 36)), "longitude: 36 values from 0 to 175 .*not a whole circle"),
    (field(lon=np.r_[0:180:10, 181, 190:360:10]), "longitude: values are not equidistant: 181"),
    (field(east={"units": "hours"}), "longitude: units = 'hours'"),
    (field(lat=np.where(LAT == 0, np.nan, LAT)), "latitude: has values that are not numbers"),
    (field().drop_vars(["lat", "lon"]), "neither coordinates of latitude .*coordinates: none"),
    (field().drop_vars(["lat", "lon"]).assign_attrs(grid_mapping="crs"),
     "grid_mapping 'crs' is not among its coordinates .*set_coords"),
    (field().assign_coords(latitude=("lat", LAT, NORTH)).rename(lat="nav_lat").assign_coords(
        lat=("nav_lat", LAT, NORTH)), "the coordinates .* all are one"),
    (xr.DataArray(np.ones((4, 5)), dims=("y", "x"), coords={
        "lat": (("y", "x"), np.ones((4, 5)), NORTH), "lon": (("y", "x"), np.ones((4, 5)), EAST)}),
     "latitude: the coordinate lat has the dimensions .*vary along a row"),
    (xr.DataArray(np.ones(9), dims="p", coords={
        "lat": ("p", np.repeat([60, 0, -60], 3), NORTH),
        "lon": ("p", np.tile([0, 120, 240], 3), EAST)}), "9 points on 3 rings are not those of"),
])
def test_coordinates(data, message):
    with pytest.raises(ValueError, match=message):
        data.armilla.spectrum()


def sky(npix=768, **attrs):
    return xr.DataArray(np.ones(npix), dims="cell", coords={"crs": ((), 0, {
        "grid_mapping_name": "healpix", **attrs})})


@pytest.mark.parametrize("data, message", [
    (sky(), "crs: is a HEALPix grid mapping without refinement_level"),
    (sky(refinement_level=3), "crs: indexing_scheme = None, must be 'nested' or 'ring'"),
    (sky(refinement_level=3, indexing_scheme="nuniq"), "indexing_scheme = 'nuniq'"),
    (sky(refinement_level=3, healpix_nside=16, indexing_scheme="ring"),
     "crs: nside = 16 contradicts refinement_level = 3"),
    (sky(700, refinement_level=3, indexing_scheme="ring"),
     "dim: no dimensions of {'cell': 700} have the 768 pixels of HEALPix of nside 8, as crs says"),
    (sky(refinement_level=3, indexing_scheme="ring").assign_coords(cell=np.arange(768)[::-1]),
     "cell: pixel 767 stands at place 0; .*sortby"),
])
def test_healpix_mapping(data, message):
    with pytest.raises(ValueError, match=message):
        data.armilla.spectrum()


@pytest.mark.parametrize("kind", ["i1", "u1", "i4", "u8", "f4", "f8"])
@pytest.mark.parametrize("form", [lambda x: np.array([x]), lambda x: np.array(x), lambda x: [x],
                                  lambda x: x])
def test_attributes_of_healpix_as_arrays_of_one_number(kind, form):
    level, nside = (form(np.dtype(kind).type(one)) for one in (3, 8))
    word, name = (form(np.str_(one)) for one in ("nested", "healpix"))
    want = armilla.Grid.healpix(8, nested=True)
    for attrs in ({"refinement_level": level, "indexing_scheme": word},
                  {"healpix_nside": nside, "healpix_order": form(np.bytes_(b"NEST"))},
                  {"nside": nside, "level": level, "order": word, "grid_mapping_name": name}):
        data = sky().assign_coords(crs=((), 0, {"grid_mapping_name": "healpix", **attrs}))
        assert data.armilla.grid == want


@pytest.mark.parametrize("attrs, message", [
    ({"refinement_level": 3.5}, "crs: refinement_level = 3.5, must be a whole number from 0 to 29"),
    ({"level": np.array([3, 4])}, r"crs: level = array\(\[3, 4\]\), must be a whole number"),
    ({"nside": 8.5}, "crs: nside = 8.5, must be a whole number from 1 to"),
    ({"nside": np.nan}, "crs: nside = nan, must be a whole number"),
    ({"healpix_nside": 0}, "crs: healpix_nside = 0, must be"),
    ({"healpix_nside": "eight"}, "crs: healpix_nside = 'eight', must be"),
    ({"refinement_level": -1}, "crs: refinement_level = -1, must be"),
])
def test_attributes_of_healpix_that_are_no_such_number(attrs, message):
    with pytest.raises(ValueError, match=message):
        sky(indexing_scheme="ring", **attrs).armilla.spectrum()


def test_numbers_of_pixels_as_floats():
    told = {"refinement_level": 3, "indexing_scheme": "ring"}
    right = sky(**told).assign_coords(cell=np.arange(768.0))
    assert right.armilla.grid == armilla.Grid.healpix(8)
    with pytest.raises(ValueError, match="cell: pixel 767.0 stands at place 0"):
        right.isel(cell=slice(None, None, -1)).armilla.spectrum()


@pytest.mark.parametrize("name", ["cell", "cell_ids"])
def test_a_part_of_the_sphere_and_how_to_go_on(name):
    whole = sky(refinement_level=3, indexing_scheme="nested").assign_coords(
        {name: ("cell", np.arange(768))})
    part = whole.isel(cell=slice(100, 700))
    with pytest.raises(ValueError, match=rf"{name}: has 600 pixels, .*768; .*reindex\({name}="):
        part.armilla.spectrum()
    part = part if name == "cell" else part.swap_dims({"cell": "cell_ids"})
    filled = part.reindex({name: np.arange(768)})  # as the message says
    with pytest.raises(ValueError, match="168 missing values"):
        filled.armilla.spectrum()
    pixel = np.arange(768)
    want = whole * ((pixel >= 100) & (pixel < 700))
    want = want.assign_coords(crs=whole.crs)
    np.testing.assert_allclose(filled.armilla.options(missing="zero", lmax=8).spectrum(),
                               want.armilla.options(lmax=8).spectrum(), rtol=1e-12)


def test_gathered_lists_of_points():
    reduced = armilla.Grid.named("O4")
    theta = np.repeat(reduced.rings["theta"], reduced.rings["nphi"])
    phi = np.concatenate([360 / n * np.arange(n) for n in reduced.rings["nphi"]])
    places = {"rgrid": ("rgrid", np.arange(phi.size), {"compress": "latdim londim"})}
    data = xr.DataArray(np.ones(phi.size), dims="rgrid", name="ps", coords={
        **places, "lat": ("rgrid", 90 - np.degrees(theta), NORTH), "lon": ("rgrid", phi, EAST)})
    assert data.armilla.grid == reduced  # CF conventions, "reduced horizontal grid"
    lonely = data.drop_vars(["lat", "lon"])
    rows = {"lat": ("lat", LAT, NORTH), "lon": ("lon", 10.0 * np.arange(36), EAST)}
    for one in (lonely, lonely.to_dataset().assign_coords(rows)):
        with pytest.raises(ValueError, match="rgrid: compress = 'latdim londim' .*unstack"):
            one.armilla.spectrum()


def test_spectral_fields():
    data = xr.DataArray(np.ones(12), dims="values", name="t", attrs={"GRIB_gridType": "sh"})
    for one in (data, data.to_dataset(), data.to_dataset(name="t").t):
        with pytest.raises(ValueError, match="truncation = 3: t has degrees from 0 to 2"):
            one.armilla.truncate(3)
        with pytest.raises(ValueError, match="t: holds coefficients .*regrid brings them to one"):
            one.armilla.grid
        with pytest.raises(ValueError, match="lmax = 3: t has degrees from 0 to 2"):
            one.armilla.options(lmax=3).spectrum()
        with pytest.raises(ValueError, match="grid = 'F8': t holds coefficients"):
            one.armilla.options(grid="F8").spectrum()
    for bad, message in ((data.assign_attrs(GRIB_M=3), "t: has 12 numbers, T3 has others"),
                         (data.assign_attrs(GRIB_J=2, GRIB_M=3), "must be triangular"),
                         (data.isel(values=slice(11)), "without pairs along 'values'"),
                         (data.where(data.values * 0 == 1), "1 of 1 fields have coefficients")):
        with pytest.raises(ValueError, match=message):
            bad.armilla.spectrum()
    both = xr.Dataset({"t": data, "q": ("x", [1.0], {"GRIB_gridType": "regular_gg"})})
    with pytest.raises(ValueError, match="q: is on a grid, and other variables hold coefficients"):
        both.armilla.spectrum()


@pytest.mark.parametrize("grid, dim, message", [
    (armilla.Grid.gauss_legendre(19, 36), None,
     "latitude: value 18 is -90 degrees, but that ring of .* is at -82.93"),
    ("F9", None, "latitude: has 19 values, .* has 18 rings"),
    ("F10", None, "latitude: has 19 values, .* has 20 rings"),
    ("Q320", None, "Q320"),
    (armilla.Grid.equidistant("CC", 19, 36).laid_out(south_first=True), None,
     r"latitude: the order contradicts the grid: values go from 90 to -90 .*south_first=False"),
    (armilla.Grid.equidistant("CC", 19, 36).laid_out(phi0=0.1), None,
     "longitude: begins at 0 degrees and goes eastward, unlike"),
    (armilla.Grid.equidistant("CC", 19, 36).laid_out(west_first=True), None, "longitude: begins"),
    (armilla.Grid.equidistant("CC", 19, 36).laid_out(order="theta"), None, "meridians as rows"),
    (armilla.Grid.healpix(4), None, "dim: no dimensions of .* have the 192 pixels"),
    (armilla.Grid.healpix(4), "lat", "dim = 'lat': has 19 values, .* has 192 pixels"),
])
def test_a_grid_that_the_labels_contradict(grid, dim, message):
    data = field(nlat=19)
    with pytest.raises(ValueError, match=message):
        data.armilla.options(grid=grid, dim=dim).spectrum()


def test_a_name_takes_the_direction_of_the_coordinates_and_a_grid_must_have_it():
    data = field(lat=-LAT)
    grid = armilla.Grid.equidistant("CC", 19, 36)
    with pytest.raises(ValueError, match="order contradicts the grid: values go from -90 to 90"):
        data.armilla.options(grid=grid).spectrum()
    assert data.armilla.options(grid=grid.laid_out(south_first=True)).spectrum()[0] > 0
    nodes = 90 - np.degrees(armilla.Grid.gauss_legendre(8, 16).rings["theta"])
    south = field(lat=-nodes, lon=22.5 * np.arange(16))
    assert south.armilla.options(grid="F4").grid.layout.south_first
    with pytest.raises(TypeError, match="grid: must be an armilla.Grid or its name, not int"):
        data.armilla.options(grid=5).spectrum()


@pytest.mark.parametrize("data, message", [
    (wind(ua=lambda x: x.assign_attrs(units="knots")), "ua: units = 'knots', must be m s-1"),
    (wind(va=lambda x: x.assign_attrs(units="m")), "va: units = 'm', must be m s-1"),
    (wind(va=lambda x: x.drop_attrs()), r"va: units = None, .*assign_attrs\(units='m s-1'\)"),
    (wind(ua=lambda x: x.expand_dims(level=2)), "ua and va: have the dimensions"),
    (wind(ua=lambda x: x.expand_dims(level=2), va=lambda x: x.expand_dims(level=3).rename(
        level="level_2")), "ua and va: have the dimensions"),
    (wind(ua=lambda x: x.expand_dims(level=[1, 2]), va=lambda x: x).assign(
        va=wind().va.expand_dims(plev=[5, 6])), "ua and va: have the dimensions"),
    (wind(va=lambda x: x.where(x.lat > -80)), r"field \(\) has 72 missing values"),
])
@pytest.mark.parametrize("method", ["ke_spectrum", "vorticity", "divergence", "helmholtz"])
def test_winds(data, message, method):
    with pytest.raises(ValueError, match=message):
        getattr(data.armilla, method)("ua", "va")


SPEEDS = """m s-1|m/s|m s**-1|m s^-1|m.s-1|s-1 m|m/sec|m s^{-1}|meter s-1|metre second-1|m s⁻¹
meters per second|m·s⁻¹|m⋅s−1|Meters/Second|m*s**-1|(m/s)|m (s)^-1|1 m s-1|m s^(-1)|$m s^{-1}$
m / s|m s-1 |metres  per  sec|m s-2 s|m * s ** -1|METERS PER SECOND|m s**{-1}
m/(s)|meter second^-1"""
OTHERS = """knots|m|km/s|cm s-1|M/S|ms-1|m/s2|m s|m s-1 kg|m/s kg|1|m per|per s|m s -1|mps|m/s/s
m s-1)|2 m s-1|m^2/s|(m s-1|kt|m s^{-1|m..s-1|%|m s-10|m1.5 s-1|m_s-1|m s-1.5"""


@pytest.mark.parametrize("units", [one for line in SPEEDS.split("\n") for one in line.split("|")])
def test_units_of_wind_as_files_write_them(units):
    data = wind(ua=lambda x: x.assign_attrs(units=units))
    assert data.armilla.ke_spectrum("ua", "va").total.attrs["units"] == "m2 s-2"


@pytest.mark.parametrize("units", ["", *[one for line in OTHERS.split("\n")
                                         for one in line.split("|")]])
def test_other_units_of_wind_are_refused_with_the_remedy(units):
    data = wind(va=lambda x: x.assign_attrs(units=units))
    with pytest.raises(ValueError) as caught:
        data.armilla.vorticity("ua", "va")
    told = str(caught.value)
    assert told.startswith(f"va: units = {units!r}, must be m s-1; ")
    assert "assign_attrs(units='m s-1') on va" in told and "0.514444" in told


def test_names_of_variables():
    with pytest.raises(ValueError, match="u = 'U': the dataset has no such variable; it has ua"):
        wind().armilla.vorticity("U", "va")
    with pytest.raises(ValueError, match="u: no variables have the standard name eastward_wind"):
        wind().armilla.vorticity()


def test_components_that_change_places():
    named = wind(ua=lambda x: x.assign_attrs(standard_name="eastward_wind"),
                 va=lambda x: x.assign_attrs(standard_name="northward_wind"))
    assert named.armilla.vorticity().equals(named.armilla.vorticity("ua", "va"))
    with pytest.raises(ValueError, match="u = 'va': has the standard name northward_wind"):
        named.armilla.vorticity("va", "ua")


def test_levels_of_other_values():
    one, other = (field().expand_dims(level=levels) for levels in ([1000, 500], [1000, 850]))
    with pytest.raises(ValueError, match="the array and other: their coordinates level differ"):
        one.armilla.coherence(other)
    with pytest.raises(ValueError, match="have 2 and 1 values along level"):
        one.armilla.coherence(other.isel(level=[0]))
    with pytest.raises(ValueError, match="other: is on .*gauss_legendre.*, the array on .*CC"):
        one.armilla.coherence(one.armilla.regrid("F10"))
    with pytest.raises(TypeError, match="other: must be a DataArray, not int"):
        one.armilla.coherence(3)


@pytest.mark.parametrize("method, value, message", [
    ("truncate", "R42", "truncation = 'R42': must be a degree, or T and a degree"),
    ("truncate", "T42", "truncation = 'T42': .*up to degree 17"),
    ("truncate", -1, "truncation = -1: must be 0 or more"),
    ("smooth", "500", "fwhm = '500': must be a number with a unit"),
    ("smooth", 500, "fwhm = 500: must be a number with a unit"),
    ("smooth", "5 miles", "fwhm = '5 miles'"),
    ("smooth", "0km", "fwhm = '0km': must be more than 0"),
    ("smooth", "1e9km", "at most half a turn"),
    ("smooth", "1.2.3km", "must be a number with a unit"),
    ("regrid", "H3x", "H3x"),
])
def test_arguments(method, value, message):
    with pytest.raises(ValueError, match=message):
        getattr(field().armilla, method)(value)


def test_points_and_radius():
    with pytest.raises(ValueError, match="latitude: has the value 91, beyond 90"):
        field().armilla.at(91, 0)
    with pytest.raises(ValueError, match="latitude: units = 'm'"):
        field().armilla.at(xr.DataArray([1.0], dims="p", attrs={"units": "m"}), [2.0])
    with pytest.raises(ValueError, match="points of several dimensions must be DataArrays"):
        field().armilla.at(np.ones((2, 2)), 0)
    with pytest.raises(ValueError, match="radius = 0: must be positive"):
        field().armilla.options(radius=0)


def test_units_of_results():
    from armilla._units import product, squared
    given = {"K": "K2", "m s-1": "m2 s-2", "m/s": "m2 s-2", "kg m**-2": "kg2 m-4", "1": "1", "": "",
             None: None, "10^3 K": "(10^3 K)2", "J/kg/K": "J2 kg-2 K-2", "W m⁻²": "W2 m-4",
             "J/kg K": "(J/kg K)2", "K_CMB": "(K_CMB)2", "°C": "°C2"}
    assert {one: squared(one) for one in given} == given
    assert product("K", "Pa") == "K Pa" and product("K", None) is None
    assert product("m/s", "K") == "m s-1 K" and product("J/kg K", "Pa") == "(J/kg K) Pa"
    assert product("1", "K") == "K" and product("m/s", "m/s") == "m2 s-2"
