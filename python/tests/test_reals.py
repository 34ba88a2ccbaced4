"""Complex numbers where real ones are meant are a TypeError that names the argument: nothing drops
an imaginary part."""
import ast
import pathlib
import warnings

import numpy as np
import pytest

import armilla
import armilla.geo
import armilla.healpy as hp
import armilla.pyshtools as pysh
from armilla import healpix, io

GRID = armilla.Grid.healpix(2)
ALM = armilla.alm.random(4, np.ones(5), seed=1)
KERNEL = armilla.Kernel.gaussian(0.2)
SHT = armilla.SHT(GRID, 4)
WIND = armilla.Wind("F4", 3, radius=1.0)


def z(*shape):
    return np.full(shape, 0.5 + 0.25j)


CALLS = {
    "io.write_map": lambda: io.write_map("a.fits", z(48)),
    "io.write_map, three": lambda: io.write_map("a.fits", z(3, 48)),
    "io.write_map, masked": lambda: io.write_map("a.fits", np.ma.masked_equal(z(48), 0)),
    "io.write_cl": lambda: io.write_cl("a.txt", z(5)),
    "io.write_picture": lambda: io.write_picture("a.png", z(48)),
    "healpix.ang_to_pixel": lambda: healpix.ang_to_pixel(4, z(3), z(3)),
    "healpix.ang_to_pixel, one": lambda: healpix.ang_to_pixel(4, 0.5 + 1j, 0.2),
    "healpix.vec_to_pixel": lambda: healpix.vec_to_pixel(4, z(3, 3)),
    "healpix.interpolate": lambda: healpix.interpolate(np.ones(192), z(3), z(3)),
    "healpix.interpolate, map": lambda: healpix.interpolate(z(192), [0.5], [0.5]),
    "healpix.interpolation_weights": lambda: healpix.interpolation_weights(4, z(3), z(3)),
    "healpix.query_polygon": lambda: healpix.query_polygon(4, z(3, 3)),
    "Kernel.values": lambda: KERNEL.values(z(3)),
    "Kernel.window": lambda: armilla.Kernel.window(z(5)),
    "Grid.custom": lambda: armilla.Grid.custom(z(4), 8),
    "Grid.custom, phi0": lambda: armilla.Grid.custom([0.5, 1, 2], 8, phi0=z(3)),
    "Grid.custom, weight": lambda: armilla.Grid.custom([0.5, 1, 2], 8, weight=z(3)),
    "alm.multiply_window": lambda: armilla.alm.multiply_window(ALM, z(5)),
    "alm.random": lambda: armilla.alm.random(4, z(5), seed=1),
    "alm.random_correlated": lambda: armilla.alm.random_correlated(4, z(1, 1, 5), seed=1),
    "alm.from_real": lambda: armilla.alm.from_real(z(25)),
    "interpolate": lambda: armilla.interpolate(np.ones(48), GRID, z(3, 2), lmax=4),
    "interpolate, map": lambda: armilla.interpolate(z(48), GRID, np.ones((3, 2)), lmax=4),
    "Points": lambda: armilla.Points(4, z(3, 2)),
    "evaluate": lambda: armilla.evaluate(ALM, 4, z(3, 2)),
    "evaluate_solid": lambda: armilla.evaluate_solid(ALM, 4, z(3, 3)),
    "Rotation.from_matrix": lambda: armilla.Rotation.from_matrix(z(3, 3)),
    "convolve": lambda: armilla.convolve(z(48), KERNEL),
    "fields": lambda: armilla.fields.analysis(z(48), GRID, 4),
    "Wind": lambda: WIND.potentials(z(WIND.grid.npix), z(WIND.grid.npix)),
    "SHT.analysis": lambda: SHT.analysis(z(48)),
    "SHT, weights": lambda: SHT.pseudo_analysis(np.ones(48), weights=z(48)),
    "SHT, scale": lambda: armilla.SHT(GRID, 4, degree_scale=z(5)),
    "plot.map": lambda: armilla.plot.map(GRID, z(48)),
    "plot.spectrum": lambda: armilla.plot.spectrum(z(5)),
    "geo.normal_gravity": lambda: pysh.NormalGravity(z(1), 1.0, 1.0, 1.0, 1.0),
    "hp.ang2pix": lambda: hp.ang2pix(4, z(3), z(3)),
    "hp.ang2vec": lambda: hp.ang2vec(0.5 + 1j, 0.5),
    "hp.vec2pix": lambda: hp.vec2pix(4, z(3), z(3), z(3)),
    "hp.vec2ang": lambda: hp.vec2ang(z(3)),
    "hp.get_interp_val": lambda: hp.get_interp_val(np.ones(48), z(3), z(3)),
    "hp.map2alm": lambda: hp.map2alm(z(48)),
    "hp.smoothing": lambda: hp.smoothing(z(48), 0.1),
    "hp.write_cl": lambda: hp.write_cl("c.fits", z(5)),
    "hp.synfast": lambda: hp.synfast(z(5), 2),
    "hp.fit_dipole": lambda: hp.fit_dipole(z(48)),
    "hp.beam2bl": lambda: hp.beam2bl(z(5), np.ones(5), 4),
    "hp.bl2beam": lambda: hp.bl2beam(z(5), np.ones(5)),
    "hp.gauss_beam": lambda: hp.gauss_beam(0.1 + 1j),
    "hp.blm_gauss": lambda: hp.blm_gauss(0.1 + 1j, 4),
    "hp.angdist": lambda: hp.rotator.angdist(z(2), [0.5, 0.5]),
    "hp.Rotator": lambda: hp.Rotator(rot=z(3)),
    "hp.Rotator, angles": lambda: hp.Rotator(rot=[1, 2, 3])(z(2)),
    "hp.Rotator, map": lambda: hp.Rotator(rot=[1, 2, 3]).rotate_map_pixel(z(48)),
    "hp.query_polygon": lambda: hp.query_polygon(4, z(3, 3)),
    "hp.query_strip": lambda: hp.query_strip(4, 0.2 + 1j, 0.5),
    "hp.mollview": lambda: hp.mollview(z(48)),
}


@pytest.mark.parametrize("name", CALLS)
def test_complex_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(TypeError, match="real|cl: has shape"):
            CALLS[name]()
    assert not list(tmp_path.iterdir())


CONVERTS = {"asarray", "array", "ascontiguousarray", "asanyarray", "require"}
CHECKED = {"as_map", "reals", "real_array", "angles"}  # what has looked at the type already
SINGLE_TYPE = {  # the array's type has been looked at in the lines before, or is of this package
    "_arrays.py": 1, "_ducc.py": 1, "alm.py": 1, "kernel.py": 1, "misc.py": 1,
    "plot.py": 2, "radial.py": 1}


def to_floats(tree):
    """Calls that make an array of floats of anything."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                and node.func.attr in CONVERTS and node.args):
            continue
        kinds = node.args[1:2] + [one.value for one in node.keywords if one.arg == "dtype"]
        if not any(ast.unparse(kind) in ("float", "np.float64", "_FLOAT64") for kind in kinds):
            continue
        first = node.args[0]
        inner = first.func.id if isinstance(first, ast.Call) and isinstance(
            first.func, ast.Name) else ""
        if inner not in CHECKED and not isinstance(first, (ast.List, ast.ListComp)):
            yield node.lineno


def test_one_helper_makes_floats_of_arguments():
    folder = pathlib.Path(armilla.__file__).parent
    found = {}
    for path in folder.rglob("*.py"):
        lines = list(to_floats(ast.parse(path.read_text(encoding="utf-8"))))
        if len(lines) > SINGLE_TYPE.get(str(path.relative_to(folder)), 0):
            found[path.name] = lines
    assert not found, "use armilla._arrays.reals"
