"""armilla.xarray: power of regions in bands, of scalars and of winds, at once and by dask."""
import numpy as np
import pytest

import armilla
from armilla import pseudo_cl
from masked_skies import apodised, places

xr = pytest.importorskip("xarray")
import armilla.xarray  # noqa: E402

LMAX = 20
GRID = armilla.Grid.gauss_legendre(42, 84)
LABELS = {"lat": ("lat", 90 - np.degrees(GRID.rings["theta"]), {"units": "degrees_north"}),
          "lon": ("lon", np.arange(84) * 360 / 84, {"units": "degrees_east"})}
MASK = xr.DataArray(apodised(*places(GRID)).reshape(42, 84), dims=("lat", "lon"), coords=LABELS)
RNG = np.random.default_rng(1)


def labelled(name="t", units="K", lead=3):
    values = RNG.standard_normal((lead, 42, 84))
    return xr.DataArray(values, dims=("time", "lat", "lon"), coords=LABELS, name=name,
                        attrs={"units": units})


def winds():
    made = xr.Dataset({"u": labelled(units="m s-1"), "v": labelled(units="m s-1")})
    made["u"].attrs["standard_name"] = "eastward_wind"
    made["v"].attrs["standard_name"] = "northward_wind"
    return made


def per_degree(lmax, width):
    first = pseudo_cl.Bands.linear(lmax, width)
    return pseudo_cl.Bands(first.begin, first.end,
                           factor=(2 * np.arange(lmax + 1) + 1) / (4 * np.pi))


@pytest.mark.parametrize("decouple", [True, False])
def test_scalars(decouple):
    data = labelled()
    hidden = data.where(MASK > 0)  # NaN in the places that are not seen
    made = hidden.armilla.options(lmax=LMAX).spectrum(mask=MASK, bands=5, decouple=decouple)
    assert made.dims == ("time", "band") and made.attrs["units"] == "K2"
    np.testing.assert_array_equal(made["begin"], [2, 7, 12])
    np.testing.assert_array_equal(made["end"], [7, 12, 17])
    np.testing.assert_array_equal(made["degree"], [4, 9, 14])
    for one, values in zip(made.values, data.values):
        judge = pseudo_cl.spectrum(values, MASK.values, per_degree(LMAX, 5), grid=GRID, lmax=LMAX)
        np.testing.assert_array_equal(one, judge["TT"] if decouple else judge.plain()[0])
    bands = pseudo_cl.Bands.edges([3, 8, 20], quantity="dl")
    given = data.armilla.options(lmax=LMAX).spectrum(mask=MASK.values, bands=bands)
    judge = pseudo_cl.spectrum(data.values[0], MASK.values, bands, grid=GRID, lmax=LMAX)
    np.testing.assert_array_equal(given.values[0], judge["TT"])


def test_a_mask_of_1_gives_the_spectrum():
    plan = armilla.SHT(GRID, LMAX, two_dimensional=True)
    alm = armilla.alm.random(LMAX, np.ones(LMAX + 1), seed=1)
    data = xr.DataArray(plan.synthesis(alm), dims=("lat", "lon"), coords=LABELS)
    made = data.armilla.options(lmax=LMAX).spectrum(mask=xr.ones_like(MASK), bands=1)
    judge = data.armilla.options(lmax=LMAX).spectrum()
    np.testing.assert_allclose(made, judge[2:], rtol=1e-11)


def test_winds():
    wind = winds().where(MASK > 0)
    for decouple in (True, False):
        made = wind.armilla.options(lmax=LMAX).ke_spectrum(mask=MASK, bands=5, decouple=decouple)
        assert made["total"].dims == ("time", "band") and made["total"].attrs["units"] == "m2 s-2"
        for t in range(3):
            values = np.stack([-wind["v"].values[t], wind["u"].values[t]])
            judge = pseudo_cl.spectrum(values, MASK.values, per_degree(LMAX, 5), grid=GRID, spin=1,
                                       lmax=LMAX)
            powers = judge.powers if decouple else judge.plain()
            np.testing.assert_array_equal(made["divergent"][t], 0.5 * powers[0])
            np.testing.assert_array_equal(made["rotational"][t], 0.5 * powers[3])
        np.testing.assert_array_equal(made["total"], made["rotational"] + made["divergent"])


def test_a_mask_of_1_gives_the_energy():
    """Also which part is which."""
    plan = armilla.VectorSHT(GRID, LMAX, radius=1.0, two_dimensional=True)
    l = np.arange(LMAX + 1.0)
    alm = np.stack([armilla.alm.random(LMAX, np.where(l < 1, 0, scale), seed=1)
                    for scale in (1.0, 0.0)])
    u, v = plan.synthesis(alm)
    wind = xr.Dataset({"u": (("lat", "lon"), u, {"units": "m s-1"}),
                       "v": (("lat", "lon"), v, {"units": "m s-1"})}, coords=LABELS)
    how = wind.armilla.options(lmax=LMAX)
    made, judge = how.ke_spectrum("u", "v", mask=xr.ones_like(MASK), bands=1), how.ke_spectrum(
        "u", "v")
    for name in ("rotational", "divergent"):
        np.testing.assert_allclose(made[name], judge[name][2:],
                                   atol=1e-12 * float(judge["total"].max()))
    assert float(made["divergent"].max()) < 1e-12 < float(made["rotational"].min())


def test_lazily():
    pytest.importorskip("dask")
    data, wind = labelled(), winds()
    eager = data.armilla.options(lmax=LMAX).spectrum(mask=MASK, bands=5)
    lazy = data.chunk(time=1).armilla.options(lmax=LMAX).spectrum(mask=MASK, bands=5)
    assert lazy.chunks is not None
    np.testing.assert_array_equal(lazy.compute(), eager)
    np.testing.assert_array_equal(lazy.compute(scheduler="processes", num_workers=1), eager)
    lazy = wind.chunk(time=1).armilla.options(lmax=LMAX).ke_spectrum(mask=MASK, bands=5)
    eager = wind.armilla.options(lmax=LMAX).ke_spectrum(mask=MASK, bands=5)
    xr.testing.assert_equal(lazy.compute(), eager)


@pytest.mark.parametrize("grid", ["O16", "healpix"])
def test_other_grids(grid):
    """Pixels in one dimension, and a dataset."""
    chosen = armilla.Grid.healpix(16) if grid == "healpix" else armilla.Grid.named(grid)
    mask = xr.DataArray(apodised(*places(chosen)), dims="cell")
    values = RNG.standard_normal((2, chosen.npix))
    data = xr.Dataset({"t": (("time", "cell"), values), "q": (("cell",), values[0]),
                       "name": ((), 1.0)})
    made = data.armilla.options(grid=chosen, lmax=15).spectrum(mask=mask, bands=4)
    judge = pseudo_cl.spectrum(values[0], mask.values, per_degree(15, 4), grid=chosen, lmax=15)
    np.testing.assert_array_equal(made["t"][0], judge["TT"])
    np.testing.assert_array_equal(made["q"], judge["TT"])
    assert made["name"] == 1.0


def test_refused():
    data, how = labelled(), labelled().armilla.options(lmax=LMAX)
    with pytest.raises(TypeError, match="bands: is needed with mask"):
        how.spectrum(mask=MASK)
    with pytest.raises(TypeError, match="mask: is needed with bands"):
        how.spectrum(bands=5)
    with pytest.raises(ValueError, match="mask: has the dimensions"):
        how.spectrum(mask=MASK.rename(lat="y"), bands=5)
    with pytest.raises(ValueError, match="mask: its coordinates lat are not"):
        how.spectrum(mask=MASK[::-1], bands=5)
    with pytest.raises(ValueError, match="mask: its coordinates lat are not"):
        how.spectrum(mask=MASK[1:], bands=5)
    with pytest.raises(ValueError, match="mask: has shape"):
        how.spectrum(mask=np.ones(5), bands=5)
    with pytest.raises(ValueError, match="mask: pixel .* must be finite, and 0 or more"):
        how.spectrum(mask=-MASK, bands=5)
    with pytest.raises(ValueError, match='missing = "zero"'):
        data.armilla.options(missing="zero").spectrum(mask=MASK, bands=5)
    with pytest.raises(ValueError, match="map: pixel .* is missing"):
        data.where(MASK > 0.5).armilla.spectrum(mask=MASK, bands=5)
    with pytest.raises(ValueError, match="bands = 30"):
        how.spectrum(mask=MASK, bands=30)
