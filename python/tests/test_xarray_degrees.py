"""armilla.xarray with fewer degrees than a field has: they are cut after the analysis, so that
nothing falls on the others, on grids without an exact rule as well."""
import numpy as np
import pytest

import armilla
from armilla.alm import Layout
from helpers import relative

xr = pytest.importorskip("xarray")
import armilla.xarray  # noqa: E402

NSIDE, HELD, CUT = 16, 32, 15
NESTED = armilla.Grid.healpix(NSIDE, nested=True)
CL = 1 / (1.0 + np.arange(HELD + 1)) ** 2


def alm_of(count=2):
    return np.stack([armilla.alm.random(HELD, CL, seed=i) for i in range(count)])


def sky(dtype="f8"):
    """C_l of l^-2 up to 2 nside, in two levels."""
    maps = armilla.SHT(NESTED, HELD).synthesis(alm_of())
    crs = ((), 0, {"grid_mapping_name": "healpix", "refinement_level": 4,
                   "indexing_scheme": "nested"})
    return xr.DataArray(maps.astype(dtype), dims=("level", "cell"), name="t",
                        coords={"crs": crs}, attrs={"units": "K", "grid_mapping": "crs"})


def cut(alm, lmax=CUT):
    return Layout(HELD).convert(alm, Layout(lmax))


def power(alm):
    cl = np.stack([armilla.spectrum.compute(one) for one in alm])
    return cl * (2 * np.arange(cl.shape[-1]) + 1) / (4 * np.pi)


@pytest.mark.parametrize("name, lmax", [("F8", 15), ("cc:33x64", 31), ("H4", 8), ("O16", 18)])
def test_regrid_to_a_coarser_grid(name, lmax):
    grid = armilla.Grid.named(name)
    got = sky().armilla.regrid(name)
    want = armilla.SHT(grid, lmax).synthesis(cut(alm_of(), lmax))
    assert relative(got.values.reshape(2, -1), want) < 3e-14
    for lazy in (sky().to_dataset(), sky().chunk({"level": 1})):
        again = lazy.armilla.regrid(name)
        again = again["t"] if isinstance(again, xr.Dataset) else again
        np.testing.assert_allclose(again.values, got.values, atol=1e-13)


def test_a_dataset_whose_grid_mapping_is_a_variable():
    data = sky().to_dataset().reset_coords("crs")
    new = data.armilla.regrid("H8")
    assert new.t.armilla.grid == armilla.Grid.healpix(8) and list(new.data_vars) == ["t"]
    assert data.armilla.truncate(5).t.armilla.grid == NESTED


def test_fewer_degrees_of_every_method():
    data, want = sky(), cut(alm_of())
    few = data.armilla.options(lmax=CUT)
    maps = armilla.SHT(NESTED, CUT).synthesis(want)
    assert relative(few.spectrum().values, power(want)) < 3e-14
    assert relative(few.smooth("1e-6deg").values, maps) < 3e-14
    assert relative(few.truncate(CUT).values, data.armilla.truncate(CUT).values) < 3e-14
    assert relative(few.truncate(4).values, data.armilla.truncate(4).values) < 3e-14
    at = few.at([10.0, 20.0], [30.0, 40.0])
    loc = np.radians([[80.0, 30.0], [70.0, 40.0]])
    assert relative(at.values, armilla.evaluate(want, CUT, loc)) < 3e-14
    other = data.isel(level=1, drop=True)
    cross = few.cross_spectrum(other).values[0]
    exact = armilla.spectrum.compute(*want) * (2 * np.arange(CUT + 1) + 1) / (4 * np.pi)
    assert np.abs(cross - exact).max() < 1e-14
    assert few.regrid("F24").attrs["units"] == "K"
    grid = armilla.Grid.named("F24")
    assert relative(few.regrid("F24").values.reshape(2, -1),
                    armilla.SHT(grid, CUT).synthesis(want)) < 3e-14


def test_more_degrees_than_the_grid_has_by_default():
    lmax = 40
    alm = armilla.alm.random(lmax, np.ones(lmax + 1), seed=1)
    data = xr.DataArray(armilla.SHT(NESTED, lmax).synthesis(alm), dims="cell")
    got = data.armilla.options(grid=NESTED, lmax=lmax).regrid("F48").values
    want = armilla.SHT(armilla.Grid.named("F48"), lmax, two_dimensional=True).synthesis(alm)
    assert relative(got, want) < 1e-9


def test_fewer_degrees_of_winds():
    radius = armilla.xarray.EARTH_RADIUS
    alm = 1e-5 * alm_of()
    alm[:, 0] = 0  # no wind has a mean of vorticity or divergence
    winds = armilla.VectorSHT(NESTED, HELD, radius=radius)
    u, v = winds.synthesis(alm)
    data = xr.Dataset({"u": ("cell", u, {"units": "m/s"}), "v": ("cell", v, {"units": "m/s"})})
    few = data.armilla.options(grid=NESTED, lmax=CUT)
    vorticity, divergence = armilla.SHT(NESTED, CUT).synthesis(cut(alm))
    assert relative(few.vorticity("u", "v").values, vorticity) < 1e-12
    assert relative(few.divergence("u", "v").values, divergence) < 1e-12
    energy = few.ke_spectrum("u", "v")
    factor = armilla.wind.energy_of_power(CUT, radius)
    want = factor * armilla.spectrum.compute(cut(alm)[0])
    assert relative(energy.rotational.values, want) < 1e-12
    whole = armilla.VectorSHT(NESTED, CUT, radius=radius).synthesis(cut(alm))
    parts = few.helmholtz("u", "v")
    assert relative((parts.u_rotational + parts.u_divergent).values, whole[0]) < 1e-12
    steps = few.steps("u", "v")
    assert int(steps.steps) == int(data.armilla.options(grid=NESTED).steps("u", "v").steps)


def test_least_squares_have_the_degrees_that_are_asked_for():
    alm = armilla.alm.random(CUT, CL[:CUT + 1], seed=5)
    maps = armilla.SHT(NESTED, CUT).synthesis(alm)
    data = xr.DataArray(np.where(np.arange(maps.size) % 3 == 0, np.nan, maps), dims="cell")
    got = data.armilla.options(grid=NESTED, lmax=CUT, missing="fit").spectrum()
    assert relative(got.values, power(alm[None])[0]) < 1e-6


@pytest.mark.parametrize("kind", ["CC", "F1", "F2", "DH", "MW", "GL", "O16"])
def test_exact_rules_need_no_more_than_what_is_asked_for(kind):
    grid = {"GL": armilla.Grid.gauss_legendre(32, 64), "O16": armilla.Grid.named("O16")}.get(
        kind) or armilla.Grid.equidistant(kind, 33 if kind == "CC" else 32, 66)
    held = grid.exact_lmax
    alm = armilla.alm.random(held, CL[:held + 1], seed=2)
    data = xr.DataArray(armilla.SHT(grid, held).synthesis(alm), dims="values")
    got = data.armilla.options(grid=grid, lmax=7).spectrum()
    assert relative(got.values, power(alm[None])[0][:8]) < 3e-14
