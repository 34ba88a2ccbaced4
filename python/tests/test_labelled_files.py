"""armilla spectrum and armilla regrid on NetCDF and Zarr: results, refusals, signals."""
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import armilla
from helpers import relative

xr = pytest.importorskip("xarray")
pytest.importorskip("netCDF4")
pytest.importorskip("zarr")
pytest.importorskip("dask")
from armilla import _files  # noqa: E402
from armilla._errors import INSTALL  # noqa: E402
from armilla.__main__ import find_command  # noqa: E402

ENV = {**os.environ, "OMP_WAIT_POLICY": "passive", "ARMILLA_PYTHON": sys.executable}
LMAX = 15


def run(capsys, *words, code=0):
    """The command's own work, in this process: what is under test here, and starts at once."""
    command, *rest = map(str, words)
    files = [rest.pop(rest.index("-o") + 1)] if "-o" in rest else [rest.pop(1)]
    rest = [word for word in rest if word != "-o"]
    capsys.readouterr()
    assert _files.main([command, rest[0], *files, *rest[1:]]) == code, capsys.readouterr().err
    return capsys.readouterr()


def refuses(capsys, code, message, *words):
    told = run(capsys, *words, code=code).err
    for part in message.split("|"):
        assert part in told, (part, told)


def program(*words, code, **env):
    """The program in C, which hands over to Python."""
    done = subprocess.run([find_command(), *map(str, words)], capture_output=True, text=True,
                          check=False, env={**ENV, **env}, timeout=120)
    assert done.returncode == code and "Traceback" not in done.stderr, done.stderr
    return done


def forecast():
    """Winds and a temperature on F8, south first as many files have it, with packed integers."""
    grid = armilla.Grid.gauss_legendre(16, 32)
    lat = np.degrees(grid.rings["theta"]) - 90
    rng = np.random.default_rng(3)
    coords = {"lat": ("lat", lat, {"units": "degrees_north"}),
              "lon": ("lon", 11.25 * np.arange(32), {"units": "degrees_east"}),
              "time": ("time", [0, 6, 12], {"units": "hours since 2020-01-01"}),
              "level": [850, 500]}

    def field(name, units):
        values = rng.standard_normal((3, 2, 16, 32)).astype("f4")
        return xr.DataArray(values, dims=("time", "level", "lat", "lon"), attrs={
            "units": units, "standard_name": name})

    return xr.Dataset({"ua": field("eastward_wind", "m s-1"), "t": field("air_temperature", "K"),
                       "va": field("northward_wind", "m s-1"), "orog": ("time", [1.0, 2.0, 3.0])},
                      coords=coords, attrs={"title": "a forecast"})


@pytest.fixture(scope="module", params=["nc", "zarr"])
def stored(request, tmp_path_factory):
    """(the dataset, its file); the NetCDF has t in 16 bits."""
    path = tmp_path_factory.mktemp("files") / f"forecast.{request.param}"
    data = forecast()
    if request.param == "nc":
        data.to_netcdf(path, encoding={"t": {"dtype": "i2", "scale_factor": 1e-3}})
        data["t"] = data.t.copy(data=xr.open_dataset(path).t.values)
    else:
        data.to_zarr(path, consolidated=False)
    return data, path


# --- spectrum -------------------------------------------------------------------------------------


def test_kinetic_energy_as_text(stored, tmp_path, capsys):
    data, path = stored
    out = tmp_path / "ke.txt"
    told = run(capsys, "spectrum", path, "--var", "ua,va", "--kind", "ke", "-o", out)
    assert "6 fields, degrees 0 to 15" in told.err and "reading" in told.err
    lines = (tmp_path / "ke.txt").read_text().splitlines()
    assert lines[0].startswith("# kinetic energy per unit mass of each degree: total in m2 s-2")
    assert lines[1] == "# time level degree total rotational divergent"
    table = np.loadtxt(tmp_path / "ke.txt").reshape(3, 2, LMAX + 1, 6)
    want = data.armilla.ke_spectrum("ua", "va")
    for column, part in enumerate(("total", "rotational", "divergent"), 3):
        assert relative(table[..., column], want[part].values) < 1e-9
    np.testing.assert_array_equal(table[2, 1, :, :3], [[12, 500, l] for l in range(LMAX + 1)])
    found = run(capsys, "spectrum", path, "--kind", "ke", "-o", "-", "--quiet")  # by standard names
    assert found.out.splitlines()[2:] == lines[2:] and found.err == ""


@pytest.mark.parametrize("ending", ["nc", "zarr"])
def test_power_as_a_labelled_file(stored, tmp_path, capsys, ending):
    data, path = stored
    out = tmp_path / f"power.{ending}"
    run(capsys, "spectrum", path, "--var", "t,ua", "--lmax", 9, "-o", out, "--threads", 2)
    got = xr.open_dataset(out, decode_times=False)
    want = data.armilla.options(lmax=9).spectrum()
    assert relative(got.t.values, want.t.values) < 1e-12 and got.t.attrs["units"] == "K2"
    assert relative(got.ua.values, want.ua.values) < 1e-12
    np.testing.assert_array_equal(got.time, [0, 6, 12])
    assert got.time.attrs["units"] == "hours since 2020-01-01" and got.sizes["degree"] == 10


# --- regrid ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["nc", "zarr"])
def test_regrid(stored, tmp_path, capsys, ending):
    data, path = stored
    out = tmp_path / f"new.{ending}"
    told = run(capsys, "regrid", path, out, "--grid", "F12", "--threads", 2)
    assert "wrote" in told.err and "on F12" in told.err
    got = xr.open_dataset(out)
    assert set(got.data_vars) == {"ua", "t", "va"} and got.ua.dtype == "f4"
    assert got.attrs["title"] == "a forecast" and got.t.attrs["units"] == "K"
    want = data.armilla.regrid("F12")
    assert relative(got.ua.values, want.ua.values) < 1e-6 and got.ua.dims == want.ua.dims
    np.testing.assert_array_equal(got.level, [850, 500])
    assert str(got.time.values[1]) == "2020-01-01T06:00:00.000000000"
    assert list(tmp_path.iterdir()) == [out]
    refuses(capsys, 2, "exists already; --overwrite", "regrid", path, out, "--grid", "F12")
    run(capsys, "regrid", path, "-o", out, "--grid", "H8", "--var", "t", "--overwrite")
    sky = xr.open_dataset(out, decode_coords="all")
    assert sky.t.armilla.grid == armilla.Grid.healpix(8) and list(sky.data_vars) == ["t"]
    text = run(capsys, "spectrum", out, "-o", "-", "--iter", 12).out
    power = np.loadtxt(text.splitlines())[:, -1].reshape(3, 2, 17)[..., :16]
    assert relative(power, data.t.armilla.spectrum().values) < 1e-5


# --- What is wrong --------------------------------------------------------------------------------


def test_refusals(stored, tmp_path, capsys):
    _, path = stored
    out = tmp_path / "x.nc"
    for words, message in (
            (("spectrum", path, "--var", "u", "-o", out), '--var "u"|no such variable; it has'),
            (("spectrum", path, "--var", "t", "--kind", "ke", "-o", out), "needs two variables"),
            (("spectrum", path, "--var", "ua,t", "--kind", "ke", "-o", out), "t: units = 'K'"),
            (("spectrum", path, "--var", "orog", "-o", out), '--var "orog"|dimensions'),
            (("spectrum", path, "--grid", "Q8", "-o", out), "Q8"),
            (("spectrum", path, "-o", tmp_path / "x.fits"), "must end in .txt, .dat, .nc or .zarr"),
            (("spectrum", tmp_path / "no.nc", "-o", out), "there is no such file"),
            (("spectrum", path, "-o", tmp_path / "no" / "x.nc"), "there is no directory"),
            (("regrid", path, tmp_path / "x.txt", "--grid", "F8"), "must end in .nc or .zarr"),
            (("regrid", path, out, "--grid", "H9x"), "H9x"),
            (("regrid", path, out, "--grid", "F8", "--var", "orog"), '--var "orog"')):
        refuses(capsys, 2, message, *words)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["spectrum", "regrid"])
@pytest.mark.parametrize("change, message", [
    (lambda d: d.assign_coords(lat=d.lat.assign_attrs(units="m")), "latitude: units = 'm'"),
    (lambda d: d.assign_coords(lat=d.lat.assign_attrs(stored_direction="decreasing")),
     "latitude: stored_direction = 'decreasing', but the values go from"),
    (lambda d: d.assign_coords(lat=d.lat * np.pi / 180).assign_coords(lat=lambda x: (
        x.lat.assign_attrs(units="degrees_north"))), "latitude: |look like radians"),
    (lambda d: d.isel(lat=slice(1, None)), "latitude: 15 values"),
    (lambda d: d.isel(lon=slice(0, 8)), "longitude: 8 values|whole circle"),
])
def test_labels_that_contradict_the_values(stored, tmp_path, capsys, command, change, message):
    bad = tmp_path / "bad.nc"
    change(stored[0]).to_netcdf(bad)
    words = ("--grid", "F4") if command == "regrid" else ()
    refuses(capsys, 2, message, command, bad, "-o", tmp_path / "x.nc", *words)
    assert list(tmp_path.iterdir()) == [bad]


def test_levels_of_two_winds(stored, tmp_path, capsys):
    data = stored[0]
    bad = tmp_path / "bad.nc"
    data.assign(va=data.va.isel(level=[0]).rename(level="plev")).to_netcdf(bad)
    refuses(capsys, 2, "ua and va: have the dimensions", "spectrum", bad, "--kind", "ke", "--var",
            "ua,va", "-o", tmp_path / "x.nc")
    refuses(capsys, 2, '--var "va": has the dimensions', "spectrum", bad, "--var", "ua,va", "-o",
            tmp_path / "x.nc")
    refuses(capsys, 2, "has the standard name|eastward component comes first", "spectrum",
            stored[1], "--kind", "ke", "--var", "va,ua", "-o", tmp_path / "x.nc")


def test_refusals_before_python_begins(tmp_path):
    path, out = tmp_path / "no.nc", tmp_path / "x.nc"
    for words, message in (
            (("spectrum", path, "--kind", "kee", "-o", out), '--kind "kee"|nearest is ke'),
            (("spectrum", path, "--missing", "skip", "-o", out), '--missing "skip"'),
            (("spectrum", path, "--mask", __file__, "-o", out), "--mask: works only with maps"),
            (("spectrum", path, "--json", "-o", out), "--json: works only with maps in FITS"),
            (("spectrum", path, path, "-o", out), "a second map: works only with maps in FITS"),
            (("spectrum", path), "the output is missing: -o FILE"),
            (("spectrum", "m.fits", "--var", "t", "-o", "x.txt"), "--var: applies only to NetCDF"),
            (("regrid", path, out), "--grid NAME"),
            (("regrid", path, out, "--grid", "Q16"), '--grid "Q16"|the nearest are O16, F16'),
            (("regrid", path, out, "--grid", "F8", "--from", "N33"), '--from "N33"|nearest'),
            (("spectrum", path, "-o", out, "--grid", "healpx:8"), '--grid "healpx:8"|healpix:512'),
            (("regrid", path, "--grid", "F8"), "the output is missing"),
            (("regrid", path, out, "-o", out, "--grid", "F8"), "two outputs"),
            (("regrid", path, out, "--grid", "F8", "--json"), "--json: regrid has no report"),
            (("regrid", tmp_path / "map.fits", out, "--grid", "F8"), "must end in .nc, .zarr")):
        told = program(*words, code=2, ARMILLA_PYTHON="no such program").stderr
        assert all(part in told for part in message.split("|")), told


def test_bad_files_and_missing_values(tmp_path, capsys):
    (tmp_path / "text.nc").write_text("not a file of this kind\n")
    refuses(capsys, 2, "text.nc|cannot be read", "spectrum", tmp_path / "text.nc", "-o", "-")
    (tmp_path / "empty.zarr").mkdir()
    refuses(capsys, 2, "empty.zarr|cannot be read", "spectrum", tmp_path / "empty.zarr", "-o", "-")
    holes, nowhere, out = (tmp_path / name for name in ("holes.nc", "nowhere.nc", "x.txt"))
    data = forecast()
    data["ua"][1, 1, 3, 4] = np.nan
    data.to_netcdf(holes)
    refuses(capsys, 1, "missing values", "spectrum", holes, "--var", "ua", "-o", out)
    assert not out.exists() and not list(tmp_path.glob(".x*"))
    run(capsys, "spectrum", holes, "--var", "ua", "-o", out, "--missing", "propagate")
    assert np.isnan(np.loadtxt(out)[:, -1]).sum() == LMAX + 1
    refuses(capsys, 1, "missing values", "regrid", holes, tmp_path / "y.nc", "--grid", "F4")
    assert not list(tmp_path.glob("*y*nc"))
    data.drop_vars(["lat", "lon"]).fillna(0).to_netcdf(nowhere)
    refuses(capsys, 2, "grid: there are neither coordinates", "spectrum", nowhere, "-o", "-")
    words = ("--from", "F8", "--grid", "F4", "--var", "t")
    run(capsys, "regrid", nowhere, tmp_path / "z.nc", *words)


def test_the_program_hands_over_and_says_what_to_install(tmp_path):
    path = tmp_path / "forecast.nc"
    forecast().to_netcdf(path)
    done = program("spectrum", path, "--var", "t", "-o", "-", "--quiet", "--threads", 1, code=0)
    assert done.stdout.startswith("# mean square of each degree: t in K2") and not done.stderr
    poor = tmp_path / "python"
    poor.write_text(f"#!/bin/sh\nexec {sys.executable} -I -S \"$@\"\n")
    poor.chmod(0o755)
    told = program("spectrum", path, "-o", "-", code=1, ARMILLA_PYTHON=str(poor)).stderr
    assert INSTALL["xarray"] in told and "make wheel" in told and str(path) in told
    for command in ("spectrum", "regrid"):
        assert INSTALL["xarray"] in program(command, "--help", code=0).stdout
    told = program("spectrum", path, "-o", "-", code=1, ARMILLA_PYTHON="/nothing").stderr
    assert "/nothing cannot be started" in told and "ARMILLA_PYTHON names another" in told


def test_an_interrupt_ends_it_and_leaves_nothing(tmp_path):
    values = np.lib.stride_tricks.as_strided(np.ones((361, 720), "f4"), (400, 361, 720),
                                             (0, 2880, 4))
    data = xr.Dataset({"t": xr.DataArray(values, dims=("k", "lat", "lon"))}, coords={
        "lat": ("lat", np.linspace(90, -90, 361), {"units": "degrees_north"}),
        "lon": ("lon", 0.5 * np.arange(720), {"units": "degrees_east"})})
    data.to_zarr(tmp_path / "long.zarr", consolidated=False,
                 encoding={"t": {"chunks": (1, 361, 720)}})
    words = ["regrid", tmp_path / "long.zarr", tmp_path / "x.zarr", "--grid", "F240"]
    child = subprocess.Popen([str(word) for word in (find_command(), *words)], env=ENV,
                             stderr=subprocess.PIPE, text=True)
    begin = time.monotonic()
    while not list(tmp_path.glob(".x*/t/c")) and time.monotonic() - begin < 60:
        assert child.poll() is None, child.stderr.read()
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    told = child.communicate(timeout=60)[1]
    assert (child.returncode, told) == (-signal.SIGINT, "")
    assert list(tmp_path.iterdir()) == [tmp_path / "long.zarr"]


def test_names_and_whole_numbers_through_convert(tmp_path, capsys):
    """NetCDF, a table, NetCDF, and an image: names keep their letters, integers every digit."""
    grid = armilla.Grid("cc:9x16")
    labels = {"lat": ("lat", grid.lat, {"units": "degrees_north"}),
              "lon": ("lon", grid.lon, {"units": "degrees_east"})}
    count = np.arange(144).reshape(9, 16)
    values = {"z": count.astype("f4"), "Flags": count + 2 ** 60,
              "hits": (count + 2 ** 25 + 1).astype("i4")}
    given = xr.Dataset({name: (("lat", "lon"), one) for name, one in values.items()}, labels)
    given.to_netcdf(tmp_path / "a.nc")
    run(capsys, "convert", tmp_path / "a.nc", "-o", tmp_path / "a.fits")
    table = armilla.io.read_table(tmp_path / "a.fits")
    assert table.names == ["Z", "Flags", "HITS"]
    assert (table.column("Flags").ravel() == (count + 2 ** 60).ravel()).all()
    refuses(capsys, 1, "column 'Flags'|2^53", "convert", tmp_path / "a.fits", "-o",
            tmp_path / "b.nc")
    run(capsys, "convert", tmp_path / "a.nc", "-o", tmp_path / "c.fits", "--var", "z,hits")
    run(capsys, "convert", tmp_path / "c.fits", "-o", tmp_path / "c.nc")
    with xr.open_dataset(tmp_path / "c.nc") as back:
        assert list(back.data_vars) == ["z", "hits"] and back.hits.dtype == np.int32
        assert (back.hits.values == given.hits.values).all()
    refuses(capsys, 2, "Flags|table", "convert", tmp_path / "a.nc", "-o", tmp_path / "x.fits",
            "--var", "z,Flags", "--image", "--coordsys", "G")
    run(capsys, "convert", tmp_path / "a.nc", "-o", tmp_path / "i.fits", "--var", "z,hits",
        "--image", "--coordsys", "G")
    image = armilla.io.read_map(tmp_path / "i.fits")
    assert image.names == ("Z", "HITS") and (image.values[1] == count.ravel() + 2 ** 25 + 1).all()
    assert not list(tmp_path.glob("x.fits*")) + list(tmp_path.glob("b.nc*"))
    for words in (["-o", tmp_path / "d.fits"], ["-o", tmp_path / "d.fits", "--double"]):
        assert "2^53" in program("convert", tmp_path / "a.fits", *words, code=1).stderr


@pytest.mark.parametrize("asked, lines", (([], 13), (["--hdu", "0"], 9), (["--hdu", "primary"], 9)))
def test_the_image_in_the_primary_hdu(tmp_path, capsys, asked, lines):
    for name, grid in (("i", "cc:9x16"), ("t", "cc:13x24")):
        armilla.io.write_map(tmp_path / name, np.ones(armilla.Grid(grid).npix), grid=grid,
                             coordsys="G", image=name == "i")
    both = (tmp_path / "i").read_bytes() + (tmp_path / "t").read_bytes()[2880:]
    (tmp_path / "a.fits").write_bytes(both)
    run(capsys, "convert", tmp_path / "a.fits", "-o", tmp_path / "a.nc", *asked)
    with xr.open_dataset(tmp_path / "a.nc") as told:
        assert told.lat.size == lines
