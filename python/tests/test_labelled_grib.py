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


def spectral(path, edition=2):
    """Temperature and divergence of two levels, T42."""
    levels = [("t", 850), ("t", 500), ("d", 850), ("d", 500)]
    alm = [armilla.alm.random(42, 1 / (1.0 + np.arange(43)), seed=i) for i in range(4)]
    armilla.geo.write_grib(path, [
        armilla.geo.GribField(armilla.conventions.convert(one, "healpy", "ifs"),
                              {"shortName": name, "level": level})
        for one, (name, level) in zip(alm, levels)], edition=edition)
    fields = armilla.geo.read_grib(path)
    return {(one.keys["shortName"], one.keys["level"]): armilla.spectrum.compute(one.alm) * (
        2 * np.arange(43) + 1) / (4 * np.pi) for one in fields}


@pytest.mark.parametrize("edition", [1, 2])
def test_the_power_of_coefficients_needs_no_grid(tmp_path, capsys, edition):
    path, out = tmp_path / "spectral.grib", tmp_path / "power.nc"
    want = spectral(path, edition)
    assert _files.main(["spectrum", str(path), str(out)]) == 0
    assert "4 fields" not in capsys.readouterr().err  # 2 fields of each of 2 variables
    power = xr.open_dataset(out)
    data = xr.open_dataset(path, engine="cfgrib", backend_kwargs={"indexpath": ""})
    for (name, level), one in want.items():
        assert relative(power[name].sel(isobaricInhPa=level).values, one) < 1e-6
        assert relative(data[name].armilla.spectrum().sel(isobaricInhPa=level).values, one) < 1e-6
    assert power.t.attrs["units"] == "K2" and power.sizes["degree"] == 43
    xr.testing.assert_allclose(data.armilla.spectrum()[["t", "d"]].drop_attrs(),
                               power[["t", "d"]].drop_attrs().assign_coords(data.coords))
    lazy = data.chunk({"isobaricInhPa": 1}).armilla.spectrum()
    xr.testing.assert_identical(lazy.compute(), data.armilla.spectrum())
    assert _files.main(["spectrum", str(path), "-", "--var", "t", "--lmax", "3"]) == 0
    text = np.loadtxt(capsys.readouterr().out.splitlines())
    assert relative(text[text[:, 0] == 500, 2], want["t", 500][:4]) < 1e-6 and len(text) == 8


def test_coefficients_go_to_grids(tmp_path):
    path, out = tmp_path / "spectral.grib", tmp_path / "grid.nc"
    spectral(path)
    assert _files.main(["regrid", str(path), str(out), "--grid", "F32", "--quiet"]) == 0
    new, grid = xr.open_dataset(out), armilla.Grid.named("F32")
    data = xr.open_dataset(path, engine="cfgrib", backend_kwargs={"indexpath": ""})
    for one in armilla.geo.read_grib(path):
        want = armilla.SHT(grid, 42, two_dimensional=True).synthesis(one.alm)
        where = {"isobaricInhPa": one.keys["level"]}
        for made in (new, data.armilla.regrid("F32")):
            got = made[one.keys["shortName"]].sel(where)
            assert relative(got.values, want) < 1e-6 and got.shape == (64, 128)
    assert new.t.attrs["units"] == "K" and "GRIB_gridType" not in new.t.attrs


POLE = {"latitudeOfSouthernPoleInDegrees": -35.0, "longitudeOfSouthernPoleInDegrees": 15.0,
        "angleOfRotationInDegrees": 0.0}
ROTATED = {
    "rotated_ll": ("regular_ll_pl_grib2", "cc:37x72", {
        "Ni": 72, "Nj": 37, "iDirectionIncrementInDegrees": 5, "jDirectionIncrementInDegrees": 5,
        "latitudeOfFirstGridPointInDegrees": 90, "latitudeOfLastGridPointInDegrees": -90,
        "longitudeOfFirstGridPointInDegrees": 0, "longitudeOfLastGridPointInDegrees": 355}),
    "rotated_gg": ("regular_gg_pl_grib2", "F32", {}),
    "reduced_rotated_gg": ("reduced_gg_pl_32_grib2", "N32", {}),
    "reduced_rotated_gg, edition 1": ("reduced_gg_pl_32_grib1", "N32", {}),
}


@pytest.mark.parametrize("case", ROTATED)
def test_rotated_grids(tmp_path, case):
    """The places are those of ecCodes, of which the version 2.50 turns all of them but rotated_gg,
    and takes the angle of rotation for one about the Earth's axis."""
    sample, name, keys = ROTATED[case]
    path, out = tmp_path / "rotated.grib", tmp_path / "new.nc"
    grid = armilla.Grid(name)
    alm = armilla.alm.random(10, np.ones(11), seed=3)
    handle = eccodes.codes_grib_new_from_samples(sample)
    for key, value in {"gridType": case.split(",")[0], **POLE, **keys, "shortName": "t",
                       "bitsPerValue": 24}.items():
        eccodes.codes_set(handle, key, value)
    theta, phi = grid.pixels()
    turned = armilla.Rotation(0, np.radians(-90 + 35), np.radians(15)).rotate_alm(
        alm)  # so that the field in the grid's own coordinates is alm
    eccodes.codes_set_values(handle, armilla.SHT(grid, 10).synthesis(alm))
    latitude = eccodes.codes_get_array(handle, "latitudes")
    with open(path, "wb") as file:
        eccodes.codes_write(handle, file)
    eccodes.codes_release(handle)
    if case != "rotated_gg":
        vectors = np.array([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi),
                            np.cos(theta)])
        matrix = armilla.Rotation(0, np.radians(-90 + 35), np.radians(15)).matrix
        away = np.abs(np.degrees(np.arcsin(np.clip((matrix @ vectors)[2], -1, 1))) - latitude)
        assert away.max() < 1e-4
    data = xr.open_dataset(path, engine="cfgrib", backend_kwargs={
        "indexpath": "", "read_keys": armilla.xarray.GRIB_KEYS}).t
    want = armilla.SHT(armilla.Grid("F16"), 10, two_dimensional=True).synthesis(turned)
    new = data.armilla.options(lmax=10).regrid("F16")
    assert relative(new.values, want) < 1e-5
    assert _files.main(["regrid", str(path), str(out), "--grid", "F16", "--lmax", "10"]) == 0
    assert relative(xr.open_dataset(out).t.values, want) < 1e-5


def test_stretched_fields_are_refused(tmp_path, capsys):
    path = tmp_path / "arpege.grib"
    for sample, kind in (("reduced_gg_pl_32_grib2", "reduced_stretched_rotated_gg"),
                         ("sh_pl_grib2", "stretched_rotated_sh")):
        handle = eccodes.codes_grib_new_from_samples(sample)
        eccodes.codes_set(handle, "gridType", kind)
        with open(path, "wb") as file:
            eccodes.codes_write(handle, file)
        eccodes.codes_release(handle)
        for words in (("spectrum", str(path), "-"),
                      ("regrid", str(path), str(tmp_path / "x.nc"), "--grid", "F16")):
            assert _files.main(list(words)) == 2
            assert f"stretched grid (GRIB_gridType = {kind!r}" in capsys.readouterr().err


def test_samples_of_spectral_fields(tmp_path, capsys):
    path = tmp_path / "sample.grib"
    for sample in ("sh_pl_grib1", "sh_pl_grib2", "sh_ml_grib1", "sh_ml_grib2", "sh_sfc_grib1"):
        handle = eccodes.codes_grib_new_from_samples(sample)
        with open(path, "wb") as file:
            eccodes.codes_write(handle, file)
        eccodes.codes_release(handle)
        one, = armilla.geo.read_grib(path)
        assert _files.main(["spectrum", str(path), "-"]) == 0
        text = np.loadtxt(capsys.readouterr().out.splitlines(), ndmin=2)
        cl = armilla.spectrum.compute(one.alm)
        want = cl * (2 * np.arange(cl.size) + 1) / (4 * np.pi)
        np.testing.assert_allclose(text[:, -1], want, rtol=1e-6)


def test_what_coefficients_do_not_have(tmp_path, capsys):
    path, out = tmp_path / "spectral.grib", tmp_path / "x.nc"
    spectral(path)
    for words, message in (
            (("spectrum", path, "-", "--kind", "ke"), "--kind ke: is for winds on a grid"),
            (("spectrum", path, "-", "--grid", "F32"), "grid = 'F32': t holds coefficients"),
            (("spectrum", path, "-", "--lmax", "43"), "lmax = 43: t has degrees from 0 to 42"),
            (("spectrum", path, "-", "--var", "q"), '--var "q"'),
            (("regrid", path, out, "--grid", "F32", "--from", "F32"), "grid = 'F32': t holds"),
            (("convert", path, tmp_path / "x.fits"), "regrid brings them to one")):
        assert _files.main([str(word) for word in words]) == 2
        assert message in capsys.readouterr().err
    assert not out.exists()
