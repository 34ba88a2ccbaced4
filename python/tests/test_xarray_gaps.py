"""Masked pixels that count as zero, or are fitted, and are missing again in the result."""
import numpy as np
import pytest

import armilla
from helpers import relative

xr = pytest.importorskip("xarray")
import armilla.xarray  # noqa: E402

GRID = armilla.Grid.gauss_legendre(24, 48).laid_out(south_first=True)
LAT = np.degrees(GRID.rings["theta"]) - 90
LON = 7.5 * np.arange(48)


def field(seed=0, dtype="f8"):
    """Two levels; the second one has land, a rectangle without values."""
    alm = np.stack([armilla.alm.random(23, 1 / (1 + np.arange(24.0)), seed=seed + i)
                    for i in range(2)])
    maps = armilla.SHT(GRID, 23, two_dimensional=True).synthesis(alm).astype(dtype)
    maps[1, 4:12, 30:41] = np.nan
    return xr.DataArray(maps, dims=("level", "lat", "lon"), name="t", attrs={"units": "m s-1"},
                        coords={"lat": ("lat", LAT, {"units": "degrees_north"}),
                                "lon": ("lon", LON, {"units": "degrees_east"})})


def with_zeros(data):
    return data.fillna(0)


@pytest.mark.parametrize("lazy", [False, True])
def test_smoothed_fields(lazy):
    data = field()
    if lazy:
        pytest.importorskip("dask")
    given = data.chunk({"level": 1}) if lazy else data
    accessor = given.armilla.options(missing="zero", keep_gaps=True)
    for got, want in ((accessor.smooth("10deg"), with_zeros(data).armilla.smooth("10deg")),
                      (accessor.truncate(9), with_zeros(data).armilla.truncate(9))):
        np.testing.assert_array_equal(np.isnan(got), np.isnan(data))
        np.testing.assert_allclose(got, want.where(data.notnull()), atol=1e-13)
    filled = given.armilla.options(missing="zero").truncate(9)
    assert np.isfinite(filled).all()


def test_single_precision_and_marks_of_the_file():
    data = field(dtype="f4")
    marked = data.fillna(1e20).assign_attrs(_FillValue=np.float32(1e20))
    got = marked.armilla.options(missing="zero", keep_gaps=True).smooth("10deg")
    assert got.dtype == np.float32 and "_FillValue" not in got.attrs
    np.testing.assert_array_equal(np.isnan(got), np.isnan(data))


def test_places_of_pixels_are_for_gaps_alone(monkeypatch):
    """Nobody makes them, for each task of a lazy array, where no gaps are asked for."""
    data, target = with_zeros(field()), armilla.Grid.equidistant("CC", 33, 64)
    want = data.armilla.regrid(target)
    monkeypatch.delattr(armilla.Grid, "pixels")
    np.testing.assert_array_equal(data.armilla.regrid(target), want)


def test_on_another_grid_a_pixel_is_missing_where_its_old_one_is():
    data = field()
    accessor = data.armilla.options(missing="zero", keep_gaps=True)
    for target in (armilla.Grid.healpix(16), armilla.Grid.equidistant("CC", 33, 64)):
        got = accessor.regrid(target)
        want = with_zeros(data).armilla.regrid(target)
        theta, phi = target.pixels()
        away = np.abs(90 - np.degrees(theta) - LAT[:, np.newaxis])
        row, (near, next) = away.argmin(axis=0), np.sort(away, axis=0)[:2]
        column = np.round(np.degrees(phi) / 7.5).astype(int) % 48
        land = np.isnan(data.values[:, row, column]).reshape(got.shape)
        edge = np.isclose((np.degrees(phi) / 7.5) % 1, 0.5) | np.isclose(near, next)
        edge = edge.reshape(got.shape[1:])
        np.testing.assert_array_equal(np.isnan(got.values)[:, ~edge], land[:, ~edge])
        assert land.any() and not np.isnan(got.values[0]).any()
        np.testing.assert_allclose(got.values[~np.isnan(got.values)],
                                   want.values[~np.isnan(got.values)], atol=1e-12)


def test_points():
    data = field()
    at = data.armilla.options(missing="zero", keep_gaps=True).at
    lat = np.r_[LAT[[8, 20]], np.linspace(-90, 90, 3000)]
    lon = np.r_[LON[[35, 35]], np.linspace(0, 700, 3000)]
    got = at(lat, lon)
    assert np.isnan(got.values[:, :2]).tolist() == [[False, False], [True, False]]
    inside = (lat > (LAT[3] + LAT[4]) / 2) & (lat < (LAT[11] + LAT[12]) / 2) & (
        (lon % 360 > 29.5 * 7.5) & (lon % 360 < 40.5 * 7.5))
    np.testing.assert_array_equal(np.isnan(got.values[1]), inside)
    one = at([LAT[8]], [LON[35]])  # few points are evaluated without a plan
    assert np.isnan(one.values).ravel().tolist() == [False, True]


def test_winds_are_missing_where_a_component_is():
    u, v = field(), field(seed=7)
    v[1, 20, 3] = np.nan
    wind = xr.Dataset({"u": u, "v": v}).armilla.options(missing="zero", keep_gaps=True)
    lost = np.isnan(u) | np.isnan(v)
    parts = wind.helmholtz("u", "v")
    zeros = xr.Dataset({"u": with_zeros(u), "v": with_zeros(v)})
    for got, want in ((wind.vorticity("u", "v"), zeros.armilla.vorticity("u", "v")),
                      (parts.v_divergent, zeros.armilla.helmholtz("u", "v").v_divergent)):
        np.testing.assert_array_equal(np.isnan(got), lost)
        assert relative(got.values[~lost.values], want.values[~lost.values]) < 1e-12


def test_fitted_fields():
    data = field()[1:]
    got = data.armilla.options(missing="fit", lmax=6, keep_gaps=True).truncate(6)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(data))


def test_it_needs_a_rule():
    for rule in ("error", "propagate"):
        with pytest.raises(ValueError, match="keep_gaps = True: needs missing = 'zero' or 'fit'"):
            field().armilla.options(missing=rule, keep_gaps=True)
    assert "keep_gaps=True" in repr(field().armilla.options(missing="zero", keep_gaps=True))
