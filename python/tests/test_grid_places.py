"""Where pixels of grids are, and grids from latitudes, longitudes and images."""
import pickle
from types import SimpleNamespace

import numpy as np
import pytest

import armilla
from armilla import Grid
from armilla.plot import pixels_at

LAYOUTS = ({}, {"south_first": True}, {"west_first": True, "phi0": -1.0}, {"order": "theta"},
           {"order": "theta", "south_first": True, "west_first": True, "ring_stride": 2},
           {"ring_stride": 11, "pixel_stride": 1})


def refused(text, call, *args, error=ValueError, **kwargs):
    with pytest.raises(error, match=text):
        call(*args, **kwargs)


# --- Names ----------------------------------------------------------------------------------------


def test_a_grid_by_its_name():
    assert Grid("O32") == Grid.octahedral(32) and Grid("H8n") == Grid.healpix(8, nested=True)
    assert pickle.loads(pickle.dumps(Grid("r36x18"))) == Grid("r36x18")
    refused(r"name = 64: .*Grid\.healpix\(64\)", Grid, 64, error=TypeError)
    refused("must be a str, not float", Grid, 6.5, error=TypeError)
    refused("no grid has such a name", Grid, "x")


@pytest.mark.parametrize("name, text", [
    ("O32", "O32: reduced_gauss_legendre, 64 rings, 5248 pixels"),
    ("H4", "H4: healpix, nside 4, 15 rings, 192 pixels"),
    ("H4n", "H4n: healpix, nside 4, 15 rings, 192 pixels, NESTED"),
    ("cc:9x16", "cc:9x16: CC, 9 rings of 16, 144 pixels"),
    ("F4", "F4: gauss_legendre, 8 rings of 16, 128 pixels"),
    ("r36x18", "F1: 18 rings of 36, 648 pixels, south first")])
def test_what_grids_say(name, text):
    assert repr(Grid(name)) == f"<armilla.Grid {text}>"


# --- Rows and columns -----------------------------------------------------------------------------


def test_rows_and_columns_of_names():
    """CDO's rNXxNY and global_D (CDI, gridGenYvals; CDO, grid_from_name.cc), ECMWF's degrees."""
    for name, lat, lon in (
            ("r360x180", -89.5 + np.arange(180), np.arange(360)),
            ("r360x181", -90.0 + np.arange(181), np.arange(360)),
            ("global_2", -89.0 + 2 * np.arange(90), -179 + 2 * np.arange(180)),
            ("1.5", 90 - 1.5 * np.arange(121), 1.5 * np.arange(240)),
            ("2/3", 90 - 3.0 * np.arange(61), 2 * np.arange(180))):
        grid = Grid(name)
        np.testing.assert_array_equal(grid.lat, lat)
        np.testing.assert_array_equal(grid.lon, lon)
        np.testing.assert_allclose(grid.theta, np.radians(90 - lat), rtol=0, atol=1e-15 * 8)
        np.testing.assert_allclose(grid.phi, np.radians(lon), rtol=0, atol=1e-15 * 8)


def test_gauss_rows():
    nodes = np.polynomial.legendre.leggauss(96)[0][::-1]
    for name in ("T63", "t63grid", "F48", "N48", "TL95"):
        np.testing.assert_allclose(np.sin(np.radians(Grid(name).lat)), nodes, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(Grid("T63").lon, 1.875 * np.arange(192))


def test_attributes_that_a_grid_has_not():
    assert Grid("H8").nside == Grid("H8n").nside == 8
    refused("is not HEALPix", getattr, Grid("O8"), "nside", error=AttributeError)
    for name in ("lon", "phi"):
        refused(rf"{name}: .*pixels\(\)", getattr, Grid("H8"), name, error=AttributeError)
        refused(r"pixels\(\)", getattr, Grid("O8"), name, error=AttributeError)
    rings = Grid.custom([0.5, 1.0], 4, phi0=[0, 0.1])
    refused(r"pixels\(\)", getattr, rings, "lon", error=AttributeError)
    assert Grid("O8").theta.shape == Grid("O8").lat.shape == (16,)
    np.testing.assert_allclose(Grid("O8").laid_out(south_first=True).lat, -Grid("O8").lat, rtol=0,
                               atol=1e-13)


# --- Pixels ---------------------------------------------------------------------------------------


def check_pixels(grid):
    """Against the numbers of `rings`, one by one."""
    theta, phi = grid.pixels()
    assert theta.shape == phi.shape == (grid.npix,)
    seen = np.zeros(grid.npix, bool)
    for ring in grid.rings:
        j = np.arange(ring["nphi"])
        places = ring["offset"] + j * ring["stride"]
        seen[places] = True
        assert (theta[places] == ring["theta"]).all()
        away = phi[places] - ring["phi0"] - 2 * np.pi * j / ring["nphi"]
        assert np.abs((away + np.pi) % (2 * np.pi) - np.pi).max() < 4e-15
    assert np.isnan(theta[~seen]).all() and np.isnan(phi[~seen]).all()
    assert (phi[seen] >= 0).all() and (phi[seen] < 2 * np.pi).all()
    return seen


@pytest.mark.parametrize("layout", LAYOUTS)
def test_pixels_of_layouts(layout):
    grid = Grid("cc:5x8").laid_out(**{**layout, "ring_stride": layout.get("ring_stride")})
    seen = check_pixels(grid)
    assert seen.sum() == 40
    theta, phi = grid.pixels(two_dimensional=True)
    assert theta.shape == grid.shape_2d
    rows, columns = (theta[:, 0], phi[0]) if grid.layout.order == "phi" else (theta[0], phi[:, 0])
    np.testing.assert_array_equal(rows, grid.theta)
    np.testing.assert_allclose(columns, grid.phi % (2 * np.pi), rtol=0, atol=4e-15)
    lon, lat = grid.pixels(lonlat=True, two_dimensional=True)
    np.testing.assert_allclose(lat, 90 - np.degrees(theta), rtol=0, atol=1e-13)
    np.testing.assert_allclose(lon, np.degrees(phi), rtol=0, atol=1e-13)


def test_pixels_of_other_grids():
    for grid in (Grid("O8"), Grid("N16"), Grid("H3"), Grid("rgl:9:8"), Grid("H4").subset(2, 3),
                 Grid("H4").subset(2, 3, compact=True), Grid("O4").laid_out(west_first=True),
                 Grid.custom([2.0, 1.0], [3, 5], phi0=[-1e-20, 7.0], offset=[20, 1],
                             stride=[2, 3])):
        check_pixels(grid)
    refused("no maps of two dimensions", Grid("O8").pixels, two_dimensional=True)


@pytest.mark.parametrize("nested", (False, True))
def test_pixels_of_healpix(nested):
    theta, phi = Grid.healpix(8, nested=nested).pixels()
    want = armilla.healpix.pixel_to_ang(8, np.arange(768), nested=nested)
    np.testing.assert_allclose(theta, want[0], rtol=0, atol=1e-15 * 4)
    np.testing.assert_allclose(phi, want[1], rtol=0, atol=1e-15 * 8)
    lon, lat = Grid.healpix(8, nested=nested).pixels(lonlat=True)
    np.testing.assert_allclose(np.sin(np.radians(lat)), np.cos(theta), rtol=0, atol=1e-15 * 4)
    np.testing.assert_allclose(np.radians(lon), phi, rtol=0, atol=1e-15 * 8)


def test_a_map_from_pixels():
    """Y_1^0 and Y_1^1 by hand, in NESTED order and from south to north."""
    alm = np.array([0, 2.0, 0.5], complex)
    for name in ("H8n", "r16x9", "global_10", "O8"):
        theta, phi = Grid(name).pixels()
        want = (np.sqrt(3 / np.pi) * np.cos(theta)
                - np.sqrt(3 / (8 * np.pi)) * np.sin(theta) * np.cos(phi))
        np.testing.assert_allclose(armilla.SHT(name, 1).synthesis(alm), want, rtol=0, atol=1e-14)


# --- Areas and weights of pixels ------------------------------------------------------------------

WHOLE = ("H4", "H4n", "O8", "N16", "F8", "gl:7x12", "rgl:9:8", "cc:9x16", "f1:9x16", "f2:7x16",
         "dh:8x16", "mw:8x15", "mwss:9x16", "mwflip:8x15", "r36x18")


@pytest.mark.parametrize("name", WHOLE)
def test_areas_and_weights_add_up_to_the_sphere(name):
    grid = Grid(name)
    for values in (grid.areas(), grid.weights()):
        assert values.shape == (grid.npix,) and (values >= 0).all()
        assert abs(values.sum() - 4 * np.pi) < 1e-13
    assert grid.areas().min() > 0


@pytest.mark.parametrize("name", ("cc:9x16", "f1:9x16", "f2:7x16", "dh:8x16", "mw:8x15", "O4"))
def test_areas_are_those_of_the_cells_that_find_pixels(name):
    """Against directions that lie evenly on the sphere, sorted into pixels by the library."""
    cut = Grid(name).subset(1, 4, compact=True)
    for grid in (Grid(name), Grid.custom(cut.theta, cut.rings["nphi"])):
        z = (np.arange(40000) + 0.5) / 20000 - 1
        pixels = pixels_at(grid, np.array([np.sqrt(1 - z * z), 0 * z, z]))
        of_rings = np.searchsorted(np.cumsum(grid.rings["nphi"]), pixels[pixels >= 0], "right")
        seen = np.bincount(of_rings, minlength=grid.nrings) * 4 * np.pi / len(z)
        ends = np.cumsum(grid.rings["nphi"]) - 1
        area = grid.areas()[ends] * grid.rings["nphi"]
        np.testing.assert_allclose(seen, area, rtol=0, atol=4 * 4 * np.pi / len(z))


def test_areas_by_hand():
    """Cells of 10 degrees; two rings at one latitude share its cell; a lone pixel is a square."""
    north = 90 - 10.0 * np.arange(18)
    want = 2 * np.pi / 36 * (np.sin(np.radians(north)) - np.sin(np.radians(north - 10)))
    np.testing.assert_allclose(Grid("f1:18x36").areas(two_dimensional=True),
                               np.repeat(want[:, None], 36, 1), rtol=1e-14)
    pair = Grid.custom(np.radians([90, 90, 80, 100]), [4, 4, 8, 8])
    np.testing.assert_allclose(pair.areas(), np.radians(45) * 2 * np.sin(np.radians(5)) * np.repeat(
        [1, np.cos(np.radians(10))], [8, 16]), rtol=1e-14)
    lone = Grid.custom([np.pi / 2], [8]).areas()
    np.testing.assert_allclose(lone, np.pi / 4 * 2 * np.sin(np.pi / 8), rtol=1e-14)


def test_areas_stay_with_the_pixels():
    for name in ("cc:9x16", "H4", "O8"):
        whole = Grid(name)
        per_ring = whole.areas()[np.cumsum(whole.rings["nphi"]) - 1]
        part = whole.subset(2, 3, compact=True).laid_out(south_first=True)
        np.testing.assert_array_equal(part.areas(),
                                      np.repeat(per_ring[4:1:-1], part.rings["nphi"][::-1]))
    gaps = Grid("cc:5x8").laid_out(ring_stride=11, west_first=True)
    assert gaps.areas().shape == (gaps.npix,) and (gaps.areas() == 0).sum() == gaps.npix - 40
    np.testing.assert_array_equal(gaps.areas(two_dimensional=True)[:, 0],
                                  Grid("cc:5x8").areas()[::8])
    turned = Grid("cc:5x8").laid_out(order="theta").weights(two_dimensional=True)
    np.testing.assert_array_equal(turned[0], Grid("cc:5x8").rings["weight"])
    refused("no maps of two dimensions", Grid("O8").areas, two_dimensional=True)
    refused(r"no quadrature weights; areas\(\)", Grid.custom([1.0, 2.0], 4).weights)


def test_weights_give_exact_means():
    for name in ("F8", "O8", "cc:18x36", "mw:9x17"):
        grid = Grid(name)
        alm = armilla.alm.random(7, seed=1)
        field = armilla.SHT(grid, 7).synthesis(alm)
        assert abs((grid.weights() * field).sum() - alm[0].real * np.sqrt(4 * np.pi)) < 1e-12


# --- Latitudes and longitudes ---------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS[:3])
@pytest.mark.parametrize("name", ("cc:9x16", "f1:8x15", "f2:7x16", "dh:8x16", "mw:8x15",
                                  "mwflip:8x15", "F8", "gl:7x12"))
def test_grids_there_and_back(name, layout):
    grid = Grid(name).laid_out(**layout)
    found = Grid.from_latlon(grid.lat, grid.lon)
    assert found.layout == grid.layout and found.kind == grid.kind
    assert found.exact_lmax == grid.exact_lmax
    np.testing.assert_array_equal(found.lat, grid.lat)
    np.testing.assert_array_equal(found.lon, grid.lon)
    found = Grid.from_latlon(*np.meshgrid(grid.lat, grid.lon, indexing="ij"))
    np.testing.assert_array_equal(found.rings, Grid.from_latlon(grid.lat, grid.lon).rings)


@pytest.mark.parametrize("name", ("O8", "N16", "H4", "H4n", "H3"))
def test_pixels_there_and_back(name):
    lon, lat = Grid(name).pixels(lonlat=True)
    assert Grid.from_latlon(lat, lon).name == name


def test_parts_of_families():
    for name, first, count in (("cc:181x36", 31, 101), ("f1:180x36", 20, 120), ("cc:19x4", 0, 5)):
        whole = Grid(name)
        part = Grid.from_latlon(whole.lat[first:first + count][::-1], whole.lon)
        want = whole.subset(first, count, compact=True).laid_out(south_first=True)
        np.testing.assert_array_equal(part.rings, want.rings)
        assert part.shape_2d == (count, whole.shape_2d[1])


def test_rings_of_no_family():
    lat = np.degrees(np.arcsin(np.linspace(-0.9, 0.9, 10)))
    grid = Grid.from_latlon(lat, np.arange(0, 360, 10))
    np.testing.assert_allclose(grid.lat, lat, rtol=0, atol=1e-13)
    assert grid.kind == "custom" and not grid.rings["weight"].any() and grid.layout.south_first
    alm = armilla.alm.random(3, np.ones(4), seed=1)
    sht = armilla.SHT(grid, 3)
    assert np.abs(sht.pseudo_analysis(sht.synthesis(alm))[0] - alm).max() < 1e-8


def test_labels_of_xarray():
    xarray = pytest.importorskip("xarray")
    lat = xarray.DataArray(np.radians(np.linspace(90, -90, 19)), dims="y",
                           attrs={"units": "radians"})
    lon = xarray.DataArray(np.arange(0, 360, 10.0), dims="x", attrs={"units": "degrees_east"})
    assert Grid.from_latlon(lat, lon).name == "cc:19x36"
    assert Grid.from_latlon(90 - 10.0 * xarray.DataArray(np.arange(19)), lon).name == "cc:19x36"


@pytest.mark.parametrize("lat, lon, text", [
    (np.radians(np.linspace(90, -90, 19)), np.arange(0, 360, 10), "latitude: .*like radians"),
    (np.linspace(90, -90, 19), np.radians(np.arange(0, 360, 10)), "longitude: .*like radians"),
    (np.linspace(60, 40, 5), np.arange(0, 30.0), "not a whole circle, .*armilla.Points"),
    (np.linspace(60, 40, 5), np.arange(0, 361, 10), "the first meridian twice"),
    (np.linspace(60, 40, 5), np.r_[0:350:10, 355], "not equidistant"),
    ([1, 2, 2.5, 0], np.arange(0, 360, 10), "does not rise or fall"),
    ([0, 91], np.arange(0, 360, 10), "has the value 91, beyond 90"),
    ([0, np.nan], np.arange(0, 360, 10), "lat: has values that are not finite"),
    ([], np.arange(0, 360, 10), "lat: is empty"),
    (3.0, np.arange(0, 360, 10), "one latitude for each row"),
    ([[1, 2], [2, 3]], [[1, 2], [1, 2]], "armilla.Points takes any directions"),
    ([[1, 1], [2, 2]], [[1, 2, 3], [1, 2, 3]], "have the shapes")])
def test_wrong_latitudes_and_longitudes(lat, lon, text):
    refused(text, Grid.from_latlon, lat, lon)


@pytest.mark.parametrize("lat", [np.linspace(-1.5, 1.5, 25), np.linspace(-1.55, 1.55, 32),
                                 np.linspace(1.525, -1.525, 123), [-1.5, -0.5, 0.5, 1.5]])
def test_belts_of_degrees_near_the_equator(lat):
    """Such were taken for radians: count times step is half a circle to 1 %."""
    grid = Grid.from_latlon(lat, np.arange(0, 360, 5))
    np.testing.assert_allclose(grid.lat, lat, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", ("cc:9x16", "f1:8x16", "f2:7x16", "dh:8x16", "mw:8x15", "F8",
                                  "F64", "O8", "N16"))
def test_radians_are_told(name):
    grid = Grid(name)
    lon, lat = grid.pixels(lonlat=True)
    if grid.shape_2d:
        lat, lon = grid.lat, grid.lon
    refused("latitude: .*like radians", Grid.from_latlon, np.radians(lat), lon)
    refused("latitude: .*like radians", Grid.from_latlon, np.radians(lat).astype(np.float32), lon)
    if grid.nrings > 2 and grid.shape_2d:
        refused("longitude: .*like radians", Grid.from_latlon, lat, np.radians(lon))


def test_quantities_have_their_unit():
    units = pytest.importorskip("astropy.units")
    lat, lon = np.linspace(-90, 90, 19), np.arange(0, 360, 10)
    turned = Grid.from_latlon(np.radians(lat) * units.rad, lon * units.deg)
    assert turned == Grid.from_latlon(lat, lon)
    belt = np.linspace(-1.5, 1.5, 25)
    assert Grid.from_latlon(belt * units.deg, lon) == Grid.from_latlon(belt, lon)


def test_labelled_arrays_on_grids_of_other_programs():
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("armilla.xarray")
    grid = Grid("5")
    theta, _ = grid.pixels(two_dimensional=True)
    field = xarray.DataArray(np.cos(theta), dims=("lat", "lon"), coords={
        "lat": ("lat", grid.lat, {"units": "degrees_north"}),
        "lon": ("lon", grid.lon, {"units": "degrees_east"})})
    for name in ("r36x18", "r36x19", "global_10"):
        made = field.armilla.regrid(name)
        np.testing.assert_array_equal(made.lat, Grid(name).lat)
        np.testing.assert_array_equal(made.lon, Grid(name).lon)
        away = made - np.sin(np.radians(made.lat))
        assert made.lat[0] < -80 and np.abs(away).max() < 1e-12
    assert field.armilla.regrid("hpz2").crs.attrs["indexing_scheme"] == "nested"


# --- Images ---------------------------------------------------------------------------------------


class Car:
    """What astropy.wcs.WCS has of a map in CAR with CRVAL2 = 0; CRPIX counts from 1."""

    def __init__(self, crval, cdelt, crpix, swapped=False):
        self.crval, self.cdelt, self.crpix = crval, cdelt, crpix
        self.wcs = SimpleNamespace(lng=int(swapped), lat=int(not swapped))

    def wcs_pix2world(self, x, y, origin):
        pixels = (x, y)[::-1] if self.wcs.lng else (x, y)
        lon, lat = (self.crval[i] + (pixels[i] + 1 - origin - self.crpix[i]) * self.cdelt[i]
                    for i in (0, 1))
        return (lat, lon % 360) if self.wcs.lng else (lon % 360, lat)


class Turned:
    """An image whose rows are no circles of latitude."""

    def pixel_to_world_values(self, x, y):
        return 10.0 * x, 0.1 * x + 10.0 * y


@pytest.mark.parametrize("ny, first, name", [(19, -90.0, "cc:19x36"), (18, -85.0, "f1:18x36")])
@pytest.mark.parametrize("east", (-1, 1))
@pytest.mark.parametrize("north", (-1, 1))
def test_whole_images(ny, first, name, east, north):
    wcs = Car((0.0, 0.0), (10.0 * east, 10.0 * north), (18.5, 1 - first / 10))
    grid = Grid.from_wcs(wcs, (3, ny, 36))
    assert grid.shape_2d == (ny, 36) and grid.exact_lmax == Grid(name).exact_lmax
    lon, lat = grid.pixels(lonlat=True, two_dimensional=True)
    i, j = np.meshgrid(np.arange(36.0), np.arange(float(ny)))
    want = wcs.wcs_pix2world(i, j, 0)
    np.testing.assert_allclose(lon, want[0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(lat, want[1], rtol=0, atol=1e-12)
    np.testing.assert_allclose(grid.lon % 360, want[0][0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(grid.lat, want[1][:, 0], rtol=0, atol=1e-12)
    assert (grid.layout.south_first, grid.layout.west_first) == (north > 0, east < 0)


def test_images_of_some_rows():
    wcs = Car((0.0, 0.0), (-10.0, 10.0), (18.0, 3.0))  # from 20 degrees south
    grid = Grid.from_wcs(wcs, (6, 36))
    np.testing.assert_array_equal(grid.lat, [-20, -10, 0, 10, 20, 30])
    np.testing.assert_array_equal(grid.rings["weight"], Grid("cc:19x36").rings["weight"][6:12])
    assert grid.shape_2d == (6, 36)
    off = Grid.from_wcs(Car((0.0, 0.0), (-10.0, 10.0), (18.0, 3.003)), (6, 36))
    np.testing.assert_allclose(off.lat, grid.lat - 0.03, rtol=0, atol=1e-12)
    assert not off.rings["weight"].any()  # of no family: exact to 1e-5 of the distance of rows


def test_images_that_are_no_rings():
    refused("not a whole circle, .*armilla.Points", Grid.from_wcs,
            Car((0.0, 0.0), (-10.0, 10.0), (6.0, 3.0)), (6, 12))
    refused("no circles of latitude", Grid.from_wcs, Turned(), (6, 36))
    refused("not on the sphere", Grid.from_wcs,
            Car((0.0, np.nan), (-10.0, 10.0), (6.0, 3.0)), (6, 36))
    refused("give the transposed image", Grid.from_wcs,
            Car((0.0, 0.0), (-10.0, 10.0), (18.0, 3.0), swapped=True), (36, 6))
    refused("must be a world coordinate system", Grid.from_wcs, object(), (6, 36), error=TypeError)
    refused(r"shape = \(6,\)", Grid.from_wcs, Turned(), (6,))
    wcs = Car((0.0, 0.0), (-10.0, 10.0), (18.0, 3.0))
    wcs.wcs.lat = -1
    refused("wcs.celestial", Grid.from_wcs, wcs, (6, 36))


@pytest.mark.filterwarnings("ignore")
def test_images_of_astropy():
    module = pytest.importorskip("astropy.wcs")
    for projection, kind in (("CAR", "F1"), ("CEA", "custom"), ("MER", "custom")):
        wcs = module.WCS(naxis=2)
        wcs.wcs.ctype = [f"RA---{projection}", f"DEC--{projection}"]
        wcs.wcs.cdelt, wcs.wcs.crpix = [-10.0, 10.0], [18.5, 9.5 if kind == "F1" else 5.0]
        shape = (18 if kind == "F1" else 9, 36)
        grid = Grid.from_wcs(wcs, shape)
        assert grid.kind == kind
        lon, lat = grid.pixels(lonlat=True, two_dimensional=True)
        want = wcs.wcs_pix2world(*np.meshgrid(np.arange(36), np.arange(shape[0])), 0)
        np.testing.assert_allclose(lon, want[0] % 360, rtol=0, atol=1e-11)
        np.testing.assert_allclose(lat, want[1], rtol=0, atol=1e-11)
    wcs.wcs.crval = [0.0, 40.0]
    refused("no circles of latitude", Grid.from_wcs, wcs, shape)


@pytest.mark.parametrize("lat", [[61, 1, -59], [67.6, 22.6, -22.4, -67.4],
                                 np.arange(-60, 61) + 0.019])
def test_rows_beside_those_of_a_family_stay_where_they_are(lat):
    grid = armilla.Grid.from_latlon(lat, np.arange(0, 360, 15))
    assert np.allclose(grid.lat, lat, atol=1e-9, rtol=0)
