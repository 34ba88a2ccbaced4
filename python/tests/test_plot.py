"""armilla.plot, and the projections that it shares with armilla.healpy and the command."""
import subprocess
import sys

import numpy as np
import pytest

import armilla
from armilla import _projections, io, plot
from armilla.healpy import projections as healpy_projections

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
LON = np.array([0, 10, -70, 89, 150, -179, 179.9, 0, 0, 33, -120, 45.0])
LAT = np.array([0, 20, -35, 1, 40, 5, -60, 90, -90, 89.99, -89, 0.0])


@pytest.fixture(autouse=True)
def closed():
    import matplotlib.pyplot as plt
    yield
    plt.close("all")


def by_the_book(name, lon, lat):
    """Snyder's formulas, by NumPy."""
    lon, lat = np.radians(lon), np.radians(lat)
    cosine, across, up = np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)
    if name == "equirectangular":
        return lon, lat
    if name == "mollweide":
        t = np.arcsin(np.clip(2 * lat / np.pi, -1, 1))
        for _ in range(60):  # halves the error at least, also at the poles
            slope = 2 + 2 * np.cos(2 * t)
            t = t - np.where(slope > 1e-14, (2 * t + np.sin(2 * t) - np.pi * up) / np.where(
                slope > 1e-14, slope, 1), 0)
        return 2 / np.pi * lon * np.cos(t), np.sin(t)
    with np.errstate(divide="ignore", invalid="ignore"):
        angle = np.arccos(np.clip(cosine, -1, 1))
        scale = {"orthographic": np.where(cosine >= 0, 1.0, np.nan),
                 "gnomonic": np.where(cosine > 1e-3, 1 / cosine, np.nan),
                 "lambert": np.sqrt(2 / (1 + cosine)), "stereographic": 2 / (1 + cosine),
                 "equidistant": np.where(angle > 0, angle / np.sin(angle), 1.0)}[name]
    return scale * across, scale * up


@pytest.mark.parametrize("name", _projections.NUMBERS)
def test_the_library_projects_as_the_book_says(name):
    told = by_the_book(name, LON, LAT)
    vectors = plot._vectors(LON, LAT)
    x, y = _projections.forward(name, vectors)
    np.testing.assert_allclose(x, told[0], atol=1e-7)
    np.testing.assert_allclose(y, told[1], atol=1e-7)
    seen = np.isfinite(x)
    np.testing.assert_allclose(_projections.inverse(name, x[seen], y[seen]), vectors[:, seen],
                               atol=1e-7)


def test_healpy_has_the_same_formulas():
    x, y = np.meshgrid(np.linspace(-1.9, 1.9, 40), np.linspace(-0.95, 0.95, 20))
    for ours, name in ((healpy_projections.mollweide, "mollweide"),
                       (healpy_projections.azimuthal(True, False), "lambert"),
                       (healpy_projections.azimuthal(False, False), "equidistant"),
                       (healpy_projections.orthographic(True), "orthographic")):
        vectors, inside = ours.inverse(x, y)
        np.testing.assert_array_equal(vectors, _projections.inverse(name, x, y))
        np.testing.assert_array_equal(inside, np.isfinite(vectors[0]))


GRIDS = [armilla.Grid.healpix(16), armilla.Grid.gauss_legendre(24, 48),
         armilla.Grid.equidistant("MW", 24, 47).laid_out(south_first=True, phi0=0.1),
         armilla.Grid.reduced_gauss_legendre(24, 23)]
VIEWS = [{}, {"rot": (140, -25, 35), "coord": "GC"},
         {"projection": "orthographic", "rot": (20, 30)},
         {"projection": "gnomonic", "fov": 100, "rot": (-60, 80)},
         {"projection": "equirectangular", "flip": "geo"}, {"projection": "polar"},
         {"projection": "stereographic", "rot": (10, -80), "fov": 200, "flip": "geo"}]


@pytest.mark.parametrize("grid", GRIDS, ids=repr)
@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_bright_pixels_stand_where_place_says(grid, view):
    rng = np.random.default_rng(5)
    values, picture = np.zeros(grid.npix), None
    rings = grid.rings
    wide = np.sin(rings["theta"]) > 0.4
    wide = np.flatnonzero(wide | ("projection" in view) & (rings["nphi"] < 12))  # Mollweide: flat
    for r in [*rng.choice(wide, 5), wide[0], wide[-1]]:  # others are narrower than the image's
        ring, j = rings[r], int(rng.integers(rings[r]["nphi"]))
        pixel = ring["offset"] + j * ring["stride"]
        phi, lat = ring["phi0"] + 2 * np.pi * j / ring["nphi"], 90 - np.degrees(ring["theta"])
        values[:] = 0
        values[pixel] = 1
        picture = plot.map(grid, values, width=150, minimum=0, maximum=1, colorbar=False, **view)
        vector = plot._vectors(np.degrees(phi), lat)
        x, y = picture.view.place(picture.view.system @ vector)
        image, (left, right, low, high) = picture.image.get_array(), picture.image.get_extent()
        if np.isfinite(x):
            row = int((y - low) / (high - low) * image.shape[0])
            column = int((x - left) / (right - left) * image.shape[1])
            row, column = min(row, image.shape[0] - 1), min(column, image.shape[1] - 1)
            near = image[max(row - 1, 0):row + 2, max(column - 1, 0):column + 2]
            assert near.max() == 1


def test_longitudes_grow_to_the_left_or_to_the_right():
    grid = armilla.Grid.healpix(4)
    astro, geo = (plot.map(grid, np.arange(192.0), flip=flip, width=80)
                  for flip in ("astro", "geo"))
    assert astro.place(30, 0)[0] < 0 < geo.place(30, 0)[0]
    np.testing.assert_array_equal(astro.image.get_array(), geo.image.get_array()[:, ::-1])
    assert astro.place(0, 90)[1] > 0.999


def places(image):
    """Where the bright pixels of a dark sky are, as parts of its width and height from below."""
    dark = image < 0.2
    rows, columns = np.nonzero(dark.any(axis=1))[0], np.nonzero(dark.any(axis=0))[0]
    sky = image[rows[0]:rows[-1] + 1, columns[0]:columns[-1] + 1]
    y, x = np.nonzero((sky > 0.9) & (np.maximum.accumulate(sky < 0.2, axis=1))
                      & np.maximum.accumulate((sky < 0.2)[:, ::-1], axis=1)[:, ::-1])
    return x.mean() / sky.shape[1], 1 - y.mean() / sky.shape[0]


@pytest.mark.parametrize("more", [
    {}, {"rot": (-50, 40, 15), "coord": "GE"}, {"projection": "equirectangular", "rot": (30, 10)},
    {"projection": "orthographic", "half_sky": True, "rot": (-50, 20, 15)},
    {"projection": "gnomonic", "fov": 120, "rot": (-60, 40), "flip": "geo"}], ids=str)
def test_the_picture_is_that_of_the_library(more, tmp_path):
    import matplotlib.pyplot as plt
    grid = armilla.Grid.gauss_legendre(30, 60)
    values = np.zeros(grid.npix)
    values[9 * 60 + 50] = 1  # longitude 300, latitude 33
    io.write_picture(tmp_path / "sky.png", values, grid=grid, width=600, minimum=0, maximum=1,
                     cmap="grey", **more)
    shape = plt.imread(tmp_path / "sky.png")[:, :, 0]
    bar = np.nonzero((shape < 0.985).sum(axis=1) == 0)[0]  # rows without ink: below the sky
    below = bar[bar > 100][0]
    picture = plot.map(grid, values, width=600, minimum=0, maximum=1, **more)
    mine = np.ma.filled(picture.image.get_array()[::-1], 1.0)
    alpha = np.asarray(picture.image.get_alpha())[::-1]
    np.testing.assert_allclose(places(shape[:below]), places(np.where(alpha > 0, mine, 1.0)),
                               atol=0.01)


@pytest.mark.parametrize("norm", [None, "log", "symlog", "hist", matplotlib.colors.LogNorm(1, 9)])
def test_scales_and_missing_pixels(norm, tmp_path):
    grid = armilla.Grid.healpix(8)
    values = np.exp(np.random.default_rng(1).standard_normal(grid.npix))
    values[:50], values[60] = io.UNSEEN, np.nan
    picture = plot.map(grid, np.ma.array(values, mask=np.arange(768) == 70), norm=norm, width=200,
                       graticule=True, title="title", unit="K")
    picture.plot([0, 170, 190], [10, 20, 30], "k.")
    assert picture.text(0, 0, "here") is not None
    assert np.ma.getmaskarray(picture.image.get_array())[-3, 100]  # the pole is missing
    picture.axes.figure.savefig(tmp_path / "sky.png")


def test_maps_of_two_dimensions_and_of_a_part():
    grid = armilla.Grid.equidistant("F1", 12, 24)
    values = np.arange(288.0).reshape(12, 24)
    whole = plot.map(grid, values, width=100).image.get_array()
    part = plot.map(grid.subset(3, 4, compact=True), values[3:7].ravel(), width=100)
    kept = ~np.ma.getmaskarray(part.image.get_array())
    np.testing.assert_array_equal(part.image.get_array()[kept], whole[kept])
    assert 0.2 < kept.mean() < 0.45


def test_spectra():
    cl = 1 / (1.0 + np.arange(50)) ** 2
    axes = plot.spectrum(cl, 2 * cl, theory=cl, labels=["a", "b", "c"], log=True, lrange=(2, 40))
    lines = axes.get_lines()
    degree = np.arange(2, 41)
    np.testing.assert_allclose(lines[1].get_ydata(), degree * (degree + 1) * cl[2:41] / np.pi)
    assert [line.get_linestyle() for line in lines] == ["-", "-", "--"]
    assert "\N{MICRO SIGN}K\N{SUPERSCRIPT TWO}" in axes.get_ylabel()


def test_errors_name_the_argument():
    grid = armilla.Grid.healpix(4)
    sky = np.zeros(192)
    for name, more in (("projection", {"projection": "aitoff"}), ("rot", {"rot": 3}),
                       ("rot", {"rot": (0, 91)}), ("coord", {"coord": "GX"}),
                       ("fov", {"fov": 20}), ("fov", {"fov": 175, "projection": "gnomonic"}),
                       ("half_sky", {"half_sky": True}), ("flip", {"flip": "up"}),
                       ("cmap", {"cmap": "no such map"}), ("norm", {"norm": "cubic"}),
                       ("width", {"width": 1}),
                       ("graticule", {"graticule": -10}), ("minimum", {"minimum": np.nan}),
                       ("minimum", {"minimum": 2, "maximum": 1}),
                       ("minimum", {"minimum": 0, "norm": "log"})):
        with pytest.raises(ValueError, match=name):
            plot.map(grid, sky, **more)
    for values in (sky[1:], np.zeros((2, 192))):
        with pytest.raises(ValueError, match="values"):
            plot.map(grid, values)
    for wrong in ((), (np.zeros((2, 3)),)):
        with pytest.raises(ValueError, match="cl"):
            plot.spectrum(*wrong)
    with pytest.raises(TypeError, match="rot: must hold numbers"):
        plot.map(grid, sky, rot="G")
    with pytest.raises(TypeError, match="values: must be real"):
        plot.map(grid, sky * 1j)
    with pytest.raises(TypeError, match="cl: must be real"):
        plot.spectrum(sky, sky * 1j)
    with pytest.raises(ValueError, match="labels"):
        plot.spectrum(sky, labels="ab")


def test_without_matplotlib_it_is_named():
    program = ("import sys; sys.modules['matplotlib'] = None\n"
               "import armilla, numpy as np\n"
               "try: armilla.plot.map(armilla.Grid.healpix(1), np.zeros(12))\n"
               "except ImportError as error: print(error)")
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "matplotlib: pip install matplotlib\n" in told.stdout, told.stderr
