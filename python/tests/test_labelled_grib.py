"""Fields in GRIB as cfgrib reads them: their grids, spectra, and what is no field on a grid."""
import numpy as np
import pytest

import armilla
from armilla import _files
from helpers import relative

eccodes = pytest.importorskip("eccodes")
pytest.importorskip("cfgrib")
xr = pytest.importorskip("xarray")
import armilla.xarray  # noqa: E402

ROUNDED = 1e-5  # 24 bits of the largest value


def write(path, sample, name, lmax, names=("t",), **keys):
    """Fields of a grid, one message each; returned: their maps."""
    grid = armilla.Grid.named(name)
    nodes = 90 - np.degrees(grid.rings["theta"])
    keys = {"N": grid.nrings // 2, "latitudeOfFirstGridPointInDegrees": nodes[0],
            "latitudeOfLastGridPointInDegrees": nodes[-1], "bitsPerValue": 24, **keys,
            "longitudeOfLastGridPointInDegrees": 360 - 360 / grid.rings["nphi"].max()}
    maps = []
    with open(path, "wb") as file:
        for i, short in enumerate(names):
            handle = eccodes.codes_grib_new_from_samples(sample)
            if sample.startswith("reduced"):
                eccodes.codes_set_array(handle, "pl", grid.rings["nphi"].astype(int))
            for key, value in {**keys, "shortName": short}.items():
                eccodes.codes_set(handle, key, value)
            alm = armilla.alm.random(lmax, 1 / (1.0 + np.arange(lmax + 1)) ** 3, seed=i)
            maps.append(armilla.SHT(grid, lmax).synthesis(alm))
            eccodes.codes_set_values(handle, maps[-1])
            eccodes.codes_write(handle, file)
            eccodes.codes_release(handle)
    return maps


@pytest.mark.parametrize("name, sample, keys", [
    ("O32", "reduced_gg_pl_32_grib2", {}), ("N32", "reduced_gg_pl_32_grib2", {}),
    ("O32", "reduced_gg_pl_32_grib1", {}),
    ("F32", "regular_gg_pl_grib2", {"Ni": 128, "Nj": 64, "iDirectionIncrementInDegrees": 2.8125}),
])
def test_grids_of_fields(tmp_path, name, sample, keys):
    path = tmp_path / "field.grib"
    sky, = write(path, sample, name, 20, **keys)
    data = xr.open_dataset(path, engine="cfgrib", backend_kwargs={"indexpath": ""}).t
    want = armilla.Grid.named(name)
    got = data.armilla.grid
    np.testing.assert_array_equal(got.rings["nphi"], want.rings["nphi"])
    np.testing.assert_allclose(got.rings["theta"], want.rings["theta"], atol=1e-5)
    assert relative(data.values.ravel(), sky) < ROUNDED
    power = data.armilla.options(lmax=20).spectrum()
    direct = armilla.fields.spectrum(sky, want, 20) * (2 * np.arange(21) + 1) / (4 * np.pi)
    assert relative(power.values, direct) < ROUNDED and power.attrs["units"] == "K2"


def test_commands(tmp_path, capsys):
    path, out = tmp_path / "wind.grib2", tmp_path / "new.nc"
    write(path, "reduced_gg_pl_32_grib2", "O32", 20, ("u", "v"))
    assert _files.main(["spectrum", str(path), "-", "--kind", "ke", "--lmax", "20"]) == 0
    text = capsys.readouterr().out
    data = xr.open_dataset(path, engine="cfgrib", backend_kwargs={"indexpath": ""})
    energy = data.armilla.options(lmax=20).ke_spectrum("u", "v")
    assert relative(np.loadtxt(text.splitlines())[:, 1], energy.total.values) < 1e-8
    assert _files.main(["regrid", str(path), str(out), "--grid", "F16", "--quiet"]) == 0
    assert xr.open_dataset(out).u.shape == (32, 64)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["new.nc", "wind.grib2"]


def test_spectral_fields_are_no_fields_on_a_grid(tmp_path, capsys):
    path = tmp_path / "spectral.grib"
    alm = armilla.alm.random(42, np.ones(43), 1)
    armilla.geo.write_grib(path, [armilla.geo.GribField(
        armilla.conventions.convert(alm, "healpy", "ifs"), {"shortName": "t", "level": 500})])
    assert _files.main(["spectrum", str(path), "-"]) == 2
    assert "armilla.geo.read_grib" in capsys.readouterr().err
