"""What users of other programs try first: each guess works, or its error names the right thing.

One table: the guess, and what it gives. A text is found in the error, and every name of the package
that the error tells exists.
"""
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import armilla
import armilla._hints as hints
import armilla.healpy as hp
from armilla import SHT, Grid, Kernel, Lensing, Points, Radial, Rotation, VectorSHT, Wind

LMAX = 16
GIVEN = {"armilla": armilla, "np": np, "hp": hp, "SHT": SHT, "Grid": Grid, "Kernel": Kernel,
         "Lensing": Lensing, "Points": Points, "Radial": Radial, "Rotation": Rotation,
         "VectorSHT": VectorSHT, "Wind": Wind,
         "alm": armilla.alm.random(LMAX, seed=1), "cl": np.ones(LMAX + 1),
         "sky": SHT("H8", LMAX).synthesis(armilla.alm.random(LMAX, seed=1)),
         "u": np.random.default_rng(1).standard_normal((19, 36)),
         "deg": np.pi / 180}


class Quantity(float):
    """A number of degrees with what a quantity of astropy has."""

    unit = "deg"

    def to_value(self, unit):
        return float(self) * {"deg": 1.0, "rad": np.pi / 180}[unit]


GIVEN["degrees"] = Quantity

# Guesses that an error answers, with its words.
HINTED = [
    ("armilla.map2alm", "armilla.healpy.map2alm, or armilla.SHT(grid, lmax).analysis"),
    ("armilla.alm2map", "armilla.SHT(grid, lmax).synthesis"),
    ("armilla.anafast", "armilla.healpy.anafast, or armilla.fields.spectrum(map, grid, lmax)"),
    ("armilla.synfast", "armilla.alm.random"),
    ("armilla.smooth", "armilla.convolve(map, armilla.Kernel.gaussian(fwhm))"),
    ("armilla.smoothing", "armilla.healpy.smoothing"),
    ("armilla.rotate", "armilla.Rotation(psi, theta, phi).rotate_alm(alm)"),
    ("armilla.cl2xi", "armilla.pseudo_cl.correlation(cl, theta)"),
    ("armilla.query_disc", "armilla.healpix.query_disc"),
    ("armilla.ang2pix", "armilla.healpix.ang_to_pixel"),
    ("armilla.pix2ang", "armilla.healpix.pixel_to_ang"),
    ("armilla.mollview", "armilla.plot.map(grid, values), or armilla.healpy.mollview"),
    ("armilla.ud_grade", "armilla.healpy.ud_grade"),
    ("armilla.nside2npix", "armilla.healpy.nside2npix"),
    ("armilla.gaussian_beam", "armilla.spectrum.gaussian_beam"),
    ("armilla.read_map", "armilla.io.read_map or armilla.healpy.read_map"),
    ("armilla.VectorWind", "armilla.Wind"),
    ("armilla.healpix.ang2pix", "armilla.healpix.ang_to_pixel"),
    ("armilla.healpix.nside2npix", "armilla.healpy.nside2npix"),
    ("armilla.plot.mollview", "armilla.plot.map(grid, values)"),
    ("armilla.plot.show", "armilla.plot.map(grid, values)"),
    ("armilla.plot(sky)", "armilla.plot.map(grid, values)"),
    ("armilla.spectrum(sky)", "armilla.fields.spectrum(map, grid, lmax)"),
    ("armilla.spectrum.anafast", "armilla.fields.spectrum(map, grid, lmax)"),
    ("armilla.lensing(sky)", "armilla.Lensing(grid, deflection, lmax)"),
    ("armilla.io.read('map.fits')", "armilla.io.read_map, read_alm or read_cl"),
    ("armilla.io.save('map.fits', sky)", "armilla.io.write_map"),
    ("armilla.alm.to_matrix(alm)",
     'armilla.conventions.convert(alm, "armilla", "torch-harmonics")'),
    ("armilla.alm.from_cilm(sky)", 'armilla.conventions.convert(cilm, "shtools", "armilla")'),
    ("armilla.alm.lm(16)", "armilla.alm.degrees(lmax) and armilla.alm.orders(lmax)"),
    ("armilla.alm.smooth(alm, 0.1)", "armilla.alm.multiply_window"),
    ("armilla.alm.almxfl(alm, cl)", "armilla.alm.multiply_window(alm, window)"),
    ("armilla.alm.random(cl)", "lmax: must be an integer; a spectrum is cl=.* random(cl=cl)"),
    ("armilla.alm.random()", "lmax: must be given, or a spectrum: random(128), random(cl=cl)"),
    ("armilla.nonsense", "module 'armilla' has no attribute 'nonsense'$"),
    ("armilla.alm._nonsense", "module 'armilla.alm' has no attribute '_nonsense'$"),
    ("SHT(64)", '"H64" is HEALPix with nside 64'),
    ("SHT(np.int64(64))", '"H64" is HEALPix with nside 64'),
    ("Wind(np.int32(64), 31)", '"H64" is HEALPix with nside 64'),
    ("SHT(64, 128)", "grid: must be an armilla.Grid or its name, not int"),
    ("SHT('H64')", "'lmax'"),
    ("SHT(nside=64, lmax=128)", 'nside: SHT has no such argument; .* "H64" with nside 64'),
    ("SHT(nlat=64, nlon=128, lmax=63)", "armilla.Grid.gauss_legendre(nlat, nlon)"),
    ("VectorSHT(nside=64, lmax=128)", "nside: VectorSHT has no such argument"),
    ("Wind(nside=64, lmax=128)", "nside: Wind has no such argument"),
    ("SHT('H8', 16).inverse(alm)", "'SHT' object has no attribute 'inverse'; use .synthesis(alm)"),
    ("SHT('H8', 16).forward(sky)", "'SHT' object has no attribute 'forward'; use .analysis(map)"),
    ("SHT('H8', 16).nside", "'SHT' object has no attribute 'nside'; use .grid"),
    ("SHT('H8', 16).nonsense", "'SHT' object has no attribute 'nonsense'$"),
    ("SHT('H8', 16)(alm)", "'SHT' object is not callable"),
    ("VectorSHT('O8', 7).inverse", "'VectorSHT' object has no attribute 'inverse'"),
    ("Points(8, [[1.0, 2.0]]).evaluate(alm)", "use .synthesis(alm)"),
    ("Radial('H8', Kernel.gaussian(0.1)).smooth(sky)", "use .convolve(map)"),
    ("Wind('O8', 7).vorticity(u, u)", "use .vorticity_divergence(u, v)"),
    ("Lensing('H8', alm)", "'lmax'"),
    ("Lensing('H8', 1e-6 * alm, 16).lens(alm)", "use .alm2lenmap(alm)"),
    ("Points(lonlat=[[0, 0]])", "lonlat: .* colatitude and longitude: np.stack([np.pi / 2 - "),
    ("Points(8, ra=[0], dec=[0])", "ra: .* colatitude and longitude"),
    ("Grid.latlon(19, 36)", 'has no attribute \'latlon\'; use Grid.equidistant("CC", nlat, nlon)'),
    ("Grid.gaussian(64)", "use Grid.gauss_legendre(nrings, nphi)"),
    ("Grid.from_nside(64)", "use Grid.healpix(nside)"),
    ("Grid.nonsense", "type object 'Grid' has no attribute 'nonsense'$"),
    ("Grid('healpix', 64)", "Grid('healpix', 64): takes one name, .*; Grid.healpix(nside)"),
    ("Grid('cc', 19, 36)", "Grid.equidistant(kind, nrings, nphi)"),
    ("Grid(nside=64)", "nside: Grid has no such argument; Grid.healpix(nside)"),
    ("Grid('H8').area", "'Grid' object has no attribute 'area'; use .areas()"),
    ("Grid('H8').cell_area", "use .areas()"),
    ("Grid('O8').latitudes", "use .lat"),
    ("Grid('O8').shape", "use .shape_2d or npix"),
    ("Grid('O8').order", "use .layout"),
    ("Grid('O8').lon", "lon: the rings of .* pixels() has those of all"),
    ("Grid('O8').nside", "nside: .* is not HEALPix"),
    ("Grid('O8').nonsense", "'Grid' object has no attribute 'nonsense'$"),
    ("SHT('H8', 16, nthreads=2)", "nthreads: SHT has no such argument; .* synthesis(alm, nthreads"),
    ("SHT('H8', 16, norm='4pi')", "order_scale and degree_scale"),
    ("SHT('H8', 16, csphase=-1)", "armilla.conventions.convert"),
    ("SHT('H8', 16, dtype='f4')", "complex64 gives float32"),
    ("SHT('H8', 16, use_weights=True)", "armilla.Grid.healpix(nside, weights_lmax=lmax)"),
    ("SHT('H8', 16, niter=3)", "analysis(map, iterations=3)"),
    ("SHT('H8', 16).alm2cl(alm)", "use armilla.spectrum.compute(alm)"),
    ("SHT('H8', 16).gradient(alm)", "use armilla.Wind(grid, lmax).gradient(map)"),
    ("SHT('H8', 16).rotate(alm)", "use armilla.Rotation(psi, theta, phi).rotate_alm(alm)"),
    ("SHT('H8', 16).smooth(sky)", "use armilla.alm.multiply_window(alm, window)"),
    ("armilla.SHExpandDH", "armilla.SHT(grid, lmax).analysis; armilla.pyshtools has"),
    ("armilla.laplacian", "armilla.Wind(grid, lmax).laplacian(map)"),
    ("armilla.remap", "the accessor of armilla.xarray has regrid"),
    ("armilla.power_spectrum", "armilla.spectrum.compute(alm)"),
    ("armilla.coupling_matrix", "armilla.pseudo_cl.Coupling"),
    ("armilla.beam.gaussian", "armilla.spectrum.gaussian_beam(fwhm, lmax)"),
    ("armilla.alm.zeros(16)", "numpy.zeros(armilla.alm.size(lmax), complex)"),
    ("armilla.io.open_dataset('a.nc')", "after import armilla.xarray"),
    ("armilla.io.read_fits('a.fits')", "armilla.io.read_map"),
    ("Rotation(np.eye(3))", "Rotation.from_matrix(matrix)"),
    ("Rotation('G', 'C')", "Rotation.from_coordinates('G', 'C')"),
    ("Rotation(coord=['G', 'C'])", 'Rotation.from_coordinates("G", "C")'),
    ("Rotation(rot=(0, 90))", "armilla.healpy.Rotator"),
    ("Kernel('1deg')", "Kernel('1deg'): use Kernel.gaussian(fwhm)"),
    ("Kernel(0.1)", "Kernel(0.1): use Kernel.gaussian(fwhm)"),
    ("Kernel.gaussian(5)", "5 rad are 286.479 degrees"),
    ("Kernel.gaussian('1')", "must be a real number, in radians, or a text with a unit"),
    ("armilla.convolve(sky, 0.1)", "a beam is armilla.Kernel.gaussian(fwhm)"),
    ("Radial('H8', '5deg')", "a beam is armilla.Kernel.gaussian(fwhm)"),
    ("armilla.fields.spectrum(u[:-1], 'cc:19x36', 17)",
     "no places have the shape (684,) or (19, 36)"),
    ("armilla.fields.spectrum(np.ones((19, 36, 19)), 'cc:19x36', 17)", "2 places have the shape"),
    ("armilla.fields.spectrum(np.ones((36, 19, 36)), 'cc:19x36', 17)",
     "2 places have the shape .*; axis= says which"),
    ("armilla.fields.analysis(np.ones((684, 19, 36)), 'cc:19x36', 17)", "axis= says which"),
    ("armilla.fields.analysis(np.ones((684, 684)), SHT('cc:19x36', 17))", "axis= says which"),
]

# Guesses that work, and an expression that gives the same.
WORK = [
    ("Radial('H8', Kernel.gaussian(0.2), normalization='none').describe().normalization == 'none'",
     "True"),
    ("Lensing('H8', 1e-6 * alm, 16, nthreads=1).lmax", "16"),
    ("armilla.healpy.nside2npix(8)", "768"),
    ("armilla.alm.random(16).shape", "alm.shape"),
    ("armilla.alm.random(16, seed=1)", "armilla.alm.random(16, cl, 1)"),
    ("armilla.alm.random(cl=cl, seed=1)", "armilla.alm.random(16, cl, 1)"),
    ("armilla.alm.random(16, 4.0, 1)", "2 * armilla.alm.random(16, cl, 1)"),
    ("(armilla.alm.random(4) == armilla.alm.random(4)).all()", "False"),
    ("armilla.alm.random_correlated(4, np.ones((1, 1, 5))).shape", "(1, 15)"),
    ("armilla.alm.index(16, armilla.alm.degrees(16), armilla.alm.orders(16))", "np.arange(153)"),
    ("armilla.alm.degrees(16, 2)[-1]", "16"),
    ("Kernel.gaussian('1deg').harmonic_window(9)", "Kernel.gaussian(deg).harmonic_window(9)"),
    ("Kernel.gaussian(degrees(1)).harmonic_window(9)", "Kernel.gaussian(deg).harmonic_window(9)"),
    ("Kernel.tophat('60 arcmin').harmonic_window(9)", "Kernel.tophat(deg).harmonic_window(9)"),
    ("Kernel.tophat(\"60'\").harmonic_window(9)", "Kernel.tophat(deg).harmonic_window(9)"),
    ("Kernel.tophat('1°').harmonic_window(9)", "Kernel.tophat(deg).harmonic_window(9)"),
    ("Kernel.tophat('3600arcsec').harmonic_window(9)", "Kernel.tophat(deg).harmonic_window(9)"),
    ("Rotation('10deg', degrees(5), '0.1rad').matrix", "Rotation(10 * deg, 5 * deg, 0.1).matrix"),
    ("hp.smoothing(sky, fwhm=degrees(5))", "hp.smoothing(sky, fwhm=5 * deg)"),
    ("hp.smoothing(sky, sigma='5deg')", "hp.smoothing(sky, sigma=5 * deg)"),
    ("hp.alm2map(alm, 8, fwhm=degrees(5))", "hp.alm2map(alm, 8, fwhm=5 * deg)"),
    ("hp.smoothalm(alm, fwhm='5deg', inplace=False)",
     "hp.smoothalm(alm, fwhm=5 * deg, inplace=False)"),
    ("hp.gauss_beam('5deg', 9)", "hp.gauss_beam(5 * deg, 9)"),
    ("armilla.spectrum.gaussian_beam(degrees(1), 9)", "armilla.spectrum.gaussian_beam(deg, 9)"),
    ("armilla.healpix.query_disc(8, [1, 0, 0], '20deg')",
     "armilla.healpix.query_disc(8, [1, 0, 0], 20 * deg)"),
    ("hp.query_disc(8, [1, 0, 0], degrees(20))", "hp.query_disc(8, [1, 0, 0], 20 * deg)"),
    ("hp.query_strip(8, '10deg', degrees(20))", "hp.query_strip(8, 10 * deg, 20 * deg)"),
    ("hp.ang2pix(8, '10deg', degrees(20))", "hp.ang2pix(8, 10 * deg, 20 * deg)"),
    ("Radial('H8', Kernel.gaussian(0.2), '20deg').describe().support", "20 * deg"),
    ("Wind('O8', 7).radius", "armilla.wind.EARTH_RADIUS_ECMWF"),
    ("armilla.wind.convert_alm('vorticity_divergence', [[0, 1, 0], [0, 1, 0]], "
     "'stream_potential')[0, 1].real", "-armilla.wind.EARTH_RADIUS_ECMWF ** 2 / 2"),
    ("armilla.fields.spectrum(u, 'cc:19x36', 17)",
     "armilla.fields.spectrum(u, 'cc:19x36', 17, axis=(0, 1))"),
    ("armilla.fields.spectrum(u[:18, :18], 'cc:18x18', 8)",  # rows first
     "armilla.fields.spectrum(u[:18, :18], 'cc:18x18', 8, axis=(0, 1))"),
    ("armilla.fields.spectrum(u.T, 'cc:19x36', 17)",
     "armilla.fields.spectrum(u, 'cc:19x36', 17, axis=(0, 1))"),
    ("armilla.fields.analysis(np.stack([u, u], -1), 'cc:19x36', 17)",
     "armilla.fields.analysis(np.stack([u, u], -1), 'cc:19x36', 17, axis=(0, 1))"),
    ("armilla.fields.analysis(sky, 'H8', 16)", "armilla.fields.analysis(sky, 'H8', 16, axis=-1)"),
    ("armilla.fields.synthesis(alm, SHT('cc:19x36', 16, two_dimensional=True)).shape", "(19, 36)"),
]


def value(text):
    return eval(text, dict(GIVEN))  # the table above


@pytest.mark.parametrize("guess, words", HINTED, ids=[guess for guess, _ in HINTED])
def test_errors_name_the_right_thing(guess, words):
    with pytest.raises((AttributeError, TypeError, ValueError)) as caught:
        value(guess)
    pattern = ".*".join(re.escape(part) for part in words.rstrip("$").split(".*"))
    pattern += "$" if words.endswith("$") else ""
    assert re.search(pattern, str(caught.value)), caught.value


@pytest.mark.parametrize("guess, same", WORK, ids=[guess for guess, _ in WORK])
def test_guesses_that_work(guess, same):
    got, want = value(guess), value(same)
    assert np.shape(got) == np.shape(want) and np.allclose(got, want, rtol=1e-12, atol=0)


def told():
    """All words that hints are made of."""
    tables = [hints.NAMES, hints._CALLS, *hints._IN_MODULES.values(), *hints.MEMBERS.values()]
    return " ".join(words for table in tables for words in table.values())


def test_names_that_hints_tell_exist():
    """armilla.a.b in a hint is there; what needs another package need not be installed."""
    names = set(re.findall(r"armilla(?:\.[A-Za-z_]\w*)+", told()))
    assert len(names) > 50
    for name in names:
        found = armilla
        for part in name.split(".")[1:]:
            if part in ("torch", "jax", "xarray"):
                break
            found = getattr(found, part)


MAKERS = {"transform": lambda: SHT("H8", 8), "points": lambda: Points(4, [[1.0, 2.0]]),
          "grid": lambda: Grid("cc:9x16"), "grids": lambda: Grid,
          "radial": lambda: Radial("H8", Kernel.gaussian(0.2)), "wind": lambda: Wind("O8", 7),
          "lensing": lambda: Lensing("H8", GIVEN["alm"] * 1e-6, 8)}


@pytest.mark.parametrize("noun", MAKERS)
def test_members_that_hints_tell_exist(noun):
    made = MAKERS[noun]()
    for words in hints.MEMBERS[noun].values():
        if words.startswith("armilla."):
            continue  # test_names_that_hints_tell_exist
        for name in re.findall(r"(?:^|or )(\w+)", words):
            assert hasattr(made, name), words
    for name in hints.MEMBERS[noun]:
        assert not hasattr(made, name), name


def test_no_hint_has_the_name_of_something_that_is_there():
    assert not [name for name in hints.NAMES if name in dir(armilla)]
    for module, names in hints._IN_MODULES.items():
        if hasattr(armilla, module):  # torch and JAX need not be installed
            assert not set(names) & set(dir(getattr(armilla, module)))


@pytest.mark.parametrize("name", ["alm", "fields", "healpix", "io", "plot", "spectrum", "wind"])
def test_lists_of_names_have_no_guesses(name):
    module = getattr(armilla, name)
    assert dir(module) == sorted(module.__all__)


def test_import_loads_nothing_for_hints():
    """Modules that need much are imported when they are asked for, and no sooner."""
    program = ("import sys, armilla\n"
               "dear = ['armilla.' + name for name in armilla._hints.LAZY] + ['html', 'difflib']\n"
               "before = [name for name in dear if name in sys.modules]\n"
               "armilla.healpy\n"
               "print(before, 'armilla.healpy' in sys.modules, hasattr(armilla, 'nonsense'))")
    done = subprocess.run([sys.executable, "-c", program], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    assert done.stdout == "[] True False\n", done.stdout


# --- Frameworks and labels ------------------------------------------------------------------------


def test_layers_of_jax():
    pytest.importorskip("jax")
    with pytest.raises(AttributeError, match="armilla.jax.RealSHT"):
        armilla.jax.SHT
    with pytest.raises(AttributeError, match="armilla.jax.InverseRealSHT"):
        armilla.jax.InverseSHT


def test_a_framework_that_is_not_there():
    try:
        import torch  # noqa: F401
    except ImportError:
        with pytest.raises(AttributeError, match="armilla.torch needs PyTorch: pip install torch"):
            armilla.torch.SHT
    else:
        with pytest.raises(AttributeError, match="armilla.torch.RealSHT"):
            armilla.torch.SHT


def labelled(names=("latitude", "longitude")):
    xr = pytest.importorskip("xarray")
    armilla.xarray  # which registers the accessor
    latitude = xr.DataArray(np.linspace(90, -90, 19), dims=names[0],
                            attrs={"units": "degrees_north"})
    longitude = xr.DataArray(np.arange(0, 360, 10.0), dims=names[1],
                             attrs={"units": "degrees_east"})
    made = np.cos(np.radians(latitude)) + 0 * longitude
    return made.assign_coords({names[0]: latitude, names[1]: longitude}).rename("t")


def test_members_of_accessors():
    field = labelled()
    for guess, words in hints.MEMBERS["accessor"].items():
        with pytest.raises(AttributeError, match=re.escape(words)):
            getattr(field.armilla, guess)


def test_angles_of_astropy():
    units = pytest.importorskip("astropy.units")
    assert np.allclose(hp.smoothing(GIVEN["sky"], fwhm=5 * units.deg),
                       hp.smoothing(GIVEN["sky"], fwhm=np.radians(5)))
    assert hp.synfast(np.ones(9), 4, fwhm=5 * units.deg, new=True).shape == (192,)
    assert np.array_equal(hp.harmonic_ud_grade(GIVEN["sky"], 4, fwhm_out=20 * units.deg),
                          hp.harmonic_ud_grade(GIVEN["sky"], 4, fwhm_out=np.radians(20)))
    theta = [10, 20] * units.deg
    cl = np.ones(9)
    assert np.allclose(armilla.pseudo_cl.correlation(cl, theta),
                       armilla.pseudo_cl.correlation(cl, theta.to_value("rad")))
    loc = [[60, 20]] * units.deg
    assert np.array_equal(armilla.evaluate(GIVEN["alm"], LMAX, loc),
                          armilla.evaluate(GIVEN["alm"], LMAX, loc.to_value("rad")))
    with pytest.raises(TypeError, match="fwhm: has the unit K"):
        hp.smoothing(GIVEN["sky"], fwhm=5 * units.K)


def test_modules_that_explain_a_call_are_modules_to_pickle():
    for module in (armilla.alm, armilla.plot):
        assert pickle.loads(pickle.dumps(module)) is module
