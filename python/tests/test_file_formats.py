"""armilla convert: FITS maps to NetCDF and Zarr and back, on grids of every kind."""
import numpy as np
import pytest

import armilla

xr = pytest.importorskip("xarray")
pytest.importorskip("netCDF4")
pytest.importorskip("zarr")
pytest.importorskip("dask")
from armilla import _files  # noqa: E402


def run(capsys, *words, code=0):
    capsys.readouterr()
    told = _files.main(["convert", *map(str, words)])
    error = capsys.readouterr().err
    assert told == code, error
    return error


@pytest.mark.parametrize("name", ["O16", "cc:17x32", "healpix:8", "gl:8x18", "mw:8x15"])
def test_maps_come_back_bit_by_bit(tmp_path, capsys, name):
    grid = armilla.Grid.named(name)
    rng = np.random.default_rng(1)
    iqu = rng.standard_normal((3, grid.npix)).astype("f4").astype("f8")
    iqu[1, 5] = armilla.io.UNSEEN
    first, last = tmp_path / "first.fits", tmp_path / "last.fits"
    armilla.io.write_map(first, iqu, grid=grid, units="uK", coordsys="G")
    for ending in ("nc", "zarr"):
        between = tmp_path / f"between.{ending}"
        run(capsys, first, between)
        run(capsys, between, last, "--overwrite")
        told = armilla.io.read_map(last)
        assert np.array_equal(told.values, iqu) and told.grid == grid
        assert told.coordsys == "G" and set(told.units) == {"uK"}
        assert told.names == armilla.io.read_map(first).names
        assert told.dtypes == (np.float32,) * 3
    data = xr.open_dataset(tmp_path / "between.nc")
    theta, _ = grid.pixels()
    if "lat" in data.coords and data.lat.dims == ("values",):
        assert np.allclose(data.lat, 90 - np.degrees(theta), atol=1e-9)
    assert int(np.isnan(data[list(data.data_vars)[1]]).sum()) == 1


def test_doubles_stay_doubles_and_images_are_images(tmp_path, capsys):
    grid = armilla.Grid.named("f1:12x24")
    values = np.random.default_rng(2).standard_normal(grid.npix)
    first = tmp_path / "first.fits"
    armilla.io.write_map(first, values, grid=grid, dtype=np.float64)
    run(capsys, first, tmp_path / "a.nc")
    run(capsys, tmp_path / "a.nc", tmp_path / "b.fits", "--image", "--coordsys", "C")
    told = armilla.io.read_map(tmp_path / "b.fits")
    assert np.array_equal(told.values[0], values) and told.coordsys == "C"
    assert "CAR" in armilla.io.describe(tmp_path / "b.fits")


def test_names_that_are_taken_get_a_number(tmp_path, capsys):
    grid = armilla.Grid.named("cc:5x8")
    values = np.arange(4.0)[:, None] + np.zeros(grid.npix)
    armilla.io.write_map(tmp_path / "a.fits", values, grid=grid, names=["A", "a", "LAT", "n/a"])
    run(capsys, tmp_path / "a.fits", tmp_path / "a.nc")
    data = xr.open_dataset(tmp_path / "a.nc")
    assert [float(data[name][0, 0]) for name in ("a", "a_1", "lat_1", "n_a")] == [0, 1, 2, 3]


def test_whole_numbers_that_int64_has_not_become_doubles(tmp_path, capsys):
    fits = pytest.importorskip("astropy.io.fits")
    column = fits.Column("N", "K", array=np.full(12, 2 ** 64 - 2 ** 20, np.uint64), bzero=2 ** 63)
    table = fits.BinTableHDU.from_columns([column])
    table.header.update(PIXTYPE="HEALPIX", ORDERING="RING", NSIDE=1, INDXSCHM="IMPLICIT")
    table.writeto(tmp_path / "n.fits")
    run(capsys, tmp_path / "n.fits", tmp_path / "n.nc")
    assert (xr.open_dataset(tmp_path / "n.nc").n == 2.0 ** 64 - 2 ** 20).all()


def test_rows_from_the_south_become_rows_from_the_north(tmp_path, capsys):
    lat, lon = -90 + 15 * np.arange(13.0), 15 * np.arange(24.0)
    values = lat[:, None] + 0.01 * lon
    xr.Dataset({"t": (("time", "lat", "lon"), values[None], {"units": "K"})},
               coords={"lat": lat, "lon": lon}).to_netcdf(tmp_path / "a.nc")
    run(capsys, tmp_path / "a.nc", tmp_path / "a.fits")
    told = armilla.io.read_map(tmp_path / "a.fits")
    assert told.grid == armilla.Grid.named("cc:13x24") and told.names == ("T",)
    assert np.array_equal(told.values[0].reshape(13, 24), values[::-1])


def test_what_is_no_single_map_is_refused(tmp_path, capsys):
    lat, lon = 90 - 15 * np.arange(13.0), 15 * np.arange(24.0)
    xr.Dataset({"t": (("time", "lat", "lon"), np.zeros((3, 13, 24))), "n": ("time", np.zeros(3))},
               coords={"lat": lat, "lon": lon}).to_netcdf(tmp_path / "a.nc")
    out = tmp_path / "a.fits"
    assert "3 of time" in run(capsys, tmp_path / "a.nc", out, code=2)
    assert "n: has no dimensions" in run(capsys, tmp_path / "a.nc", out, "--var", "n", code=2)
    assert "no such variable" in run(capsys, tmp_path / "a.nc", out, "--var", "x", code=2)
    assert ".fits" in run(capsys, tmp_path / "a.nc", tmp_path / "a.grib", code=2)
    assert not out.exists() and len(list(tmp_path.iterdir())) == 1
