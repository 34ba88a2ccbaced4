"""Labelled arrays of coefficients, as cfgrib reads them: to grids, points, truncated, smoothed."""
import numpy as np
import pytest

import armilla
from helpers import relative

xr = pytest.importorskip("xarray")
import armilla.xarray  # noqa: E402

LMAX = 10
ALM = np.stack([armilla.alm.random(LMAX, np.ones(LMAX + 1), seed=i) for i in range(2)])
GRID = armilla.Grid.octahedral(16)


def field(alm=ALM, **attrs):
    lmax = armilla.alm.lmax(alm.shape[-1])
    pairs = armilla.conventions.convert(alm, "healpy", "ifs").copy().view(np.float64)
    keys = {"GRIB_gridType": "sh", **{f"GRIB_{key}": lmax for key in "JKM"}, "units": "K"}
    return xr.DataArray(pairs, dims=("level", "values"), name="t", attrs={**keys, **attrs},
                        coords={"level": [850, 500]})


def test_to_a_grid():
    new = field().armilla.regrid(GRID)
    want = armilla.SHT(GRID, LMAX).synthesis(ALM)
    assert relative(new.values, want) < 1e-13 and new.dims == ("level", "values")
    assert new.attrs == {"units": "K"} and list(new.level.values) == [850, 500]
    assert new.armilla.grid == GRID  # what comes of it is on a grid
    back = new.armilla.options(lmax=LMAX).spectrum()
    assert relative(back.values, field().armilla.spectrum().values) < 1e-12
    sky = field().armilla.regrid("H4")  # which holds degrees up to 8 only
    want = armilla.SHT(armilla.Grid.healpix(4), 8).synthesis(
        armilla.alm.Layout(LMAX).convert(ALM, armilla.alm.Layout(8)))
    assert relative(sky.values, want) < 1e-12
    whole = field().armilla.options(lmax=LMAX).regrid("H4")
    assert relative(whole.values, armilla.SHT(armilla.Grid.healpix(4), LMAX).synthesis(ALM)) < 1e-12
    single = field().astype("f4", keep_attrs=True).armilla.regrid(GRID)
    assert single.dtype == np.float32


def test_at_points_and_dask():
    pytest.importorskip("dask")
    lat, lon = np.array([90.0, 12.0, -45.0]), np.array([0.0, 200.0, -10.0])
    loc = np.radians(np.stack([90 - lat, lon], axis=-1))
    want = armilla.evaluate(ALM, LMAX, loc)
    for data in (field(), field().chunk({"level": 1})):
        assert relative(data.armilla.at(lat, lon).values, want) < 1e-13
        both = data.to_dataset().armilla.at(lat, lon)
        assert relative(both.t.values, want) < 1e-13 and both.t.dims == ("level", "point")
        new = data.to_dataset().armilla.regrid(GRID).t
        assert relative(new.values, armilla.SHT(GRID, LMAX).synthesis(ALM)) < 1e-13
    times = np.datetime64("2026-12-01", "ns") + np.array([0, 6]).astype("m8[h]")
    moving = field().rename(level="time").assign_coords(time=times)
    got = moving.armilla.at(lat, lon, times[0] + np.array([0, 90, 360]).astype("m8[m]"))
    weight = np.array([0, 0.25, 1])
    assert relative(got.values, want[0] * (1 - weight) + want[1] * weight) < 1e-13


def test_truncated_and_smoothed_fields_stay_spectral():
    for data in (field(), field().transpose("values", "level")):
        cut = data.armilla.truncate("T4")
        assert cut.sizes["values"] == 2 * armilla.alm.size(4) and cut.dims == data.dims
        assert [cut.attrs[f"GRIB_{key}"] for key in "JKM"] == [4, 4, 4]
        power = data.armilla.spectrum().values
        assert relative(cut.armilla.spectrum().values, power[:, :5]) < 1e-14
    soft = field().armilla.smooth("20deg").armilla.spectrum()
    beam = armilla.spectrum.gaussian_beam(np.radians(20), LMAX)
    assert relative(soft.values, field().armilla.spectrum().values * beam ** 2) < 1e-13
    want = armilla.conventions.convert(
        armilla.alm.Layout(LMAX).convert(ALM, armilla.alm.Layout(4)), "healpy", "ifs")
    np.testing.assert_allclose(field().armilla.truncate(4).values.view(np.complex128), want,
                               atol=1e-15)
    with pytest.raises(ValueError, match="truncation = 'T11': t has degrees from 0 to 10"):
        field().armilla.truncate("T11")


def test_coefficients_about_a_rotated_pole():
    pole = {"GRIB_gridType": "rotated_sh", "GRIB_latitudeOfSouthernPoleInDegrees": -40.0,
            "GRIB_longitudeOfSouthernPoleInDegrees": 15.0, "GRIB_angleOfRotationInDegrees": 5.0}
    new = field(**pole).armilla.regrid(GRID)
    south = field(**pole).armilla.at(-40.0, 15.0)
    own = armilla.evaluate(ALM, LMAX, [[np.pi, 0.0]])
    assert relative(south.values, own[:, 0]) < 1e-12
    assert relative(new.armilla.options(lmax=LMAX).spectrum().values,
                    field().armilla.spectrum().values) < 1e-11
    lacks = field(GRIB_gridType="rotated_sh")
    assert relative(lacks.armilla.spectrum().values, field().armilla.spectrum().values) < 1e-14
    with pytest.raises(ValueError, match="lacks the attribute GRIB_latitudeOfSouthern.*GRIB_KEYS"):
        lacks.armilla.regrid(GRID)


def test_missing_coefficients():
    data = field()
    data[0, 3] = np.nan
    with pytest.raises(ValueError, match="1 of 1|1 of 2 fields have coefficients"):
        data.armilla.regrid(GRID)
    new = data.armilla.options(missing="propagate").regrid(GRID)
    assert np.isnan(new[0]).all() and np.isfinite(new[1]).all()
    power = data.armilla.options(missing="propagate").spectrum()
    assert np.isnan(power[0]).all() and np.isfinite(power[1]).all()


def test_what_coefficients_cannot():
    data = field()
    for call in (lambda: data.armilla.coherence(data), data.armilla.plot, data.armilla.steps):
        with pytest.raises(ValueError, match="t: holds coefficients .*regrid brings them to one"):
            call()
    with pytest.raises(ValueError, match="grid = 'F16': t holds coefficients"):
        data.armilla.options(grid="F16").regrid("F32")
    with pytest.raises(ValueError, match="lmax = 11: t has degrees from 0 to 10"):
        data.armilla.options(lmax=11).regrid("F32")
