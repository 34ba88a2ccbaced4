"""Vector fields against SHTns, spharmgrid and windspharm, where they are installed."""
import numpy as np
import pytest

import armilla
from helpers import random_alm

LMAX, NLAT, NLON = 63, 96, 192
EARTH = armilla.wind.EARTH_RADIUS_SPHARM


@pytest.fixture(scope="module")
def grid():
    return armilla.Grid.gauss_legendre(NLAT, NLON)


def largest(made, expected):
    return np.abs(made - expected).max() / np.abs(expected).max()


@pytest.fixture(scope="module")
def shtns():
    peer = pytest.importorskip("shtns")
    transform = peer.sht(LMAX, LMAX)
    transform.set_grid(NLAT, NLON, peer.sht_quick_init | peer.SHT_PHI_CONTIGUOUS, 0.0)
    return transform


def test_q_s_t_are_those_of_shtns(shtns, grid):
    plan = armilla.VectorSHT(grid, LMAX, form="spheroidal_toroidal", components="theta_phi",
                             radial=True, two_dimensional=True)
    qst = random_alm(LMAX, lead=(3,))
    qst[1:, 0] = 0
    theirs = np.stack(shtns.synth(*(one.copy() for one in qst)))
    assert largest(plan.synthesis(qst), theirs) < 1e-13
    assert largest(plan.analysis(theirs), np.stack(shtns.analys(*theirs.copy()))) < 1e-13
    plan = armilla.VectorSHT(grid, LMAX, form="spheroidal_toroidal", components="theta_phi",
                             two_dimensional=True)
    theirs = np.stack(shtns.synth(*(one.copy() for one in qst[1:])))
    assert largest(plan.synthesis(qst[1:]), theirs) < 1e-13


def test_operators_are_those_of_shtns(shtns):
    alm = random_alm(LMAX)
    for name, ours in (("mul_ct_matrix", armilla.alm.multiply_cos_theta),
                       ("st_dt_matrix", armilla.alm.derive_theta)):
        theirs = shtns.SH_mul_mx(getattr(shtns, name)(), alm.copy())
        assert largest(ours(alm, result_lmax=LMAX), theirs) < 1e-14, name


def test_winds_are_those_of_spharmgrid(grid):
    peer = pytest.importorskip("spharmgrid")
    xarray = pytest.importorskip("xarray")
    lon = 360 * np.arange(NLON) / NLON
    lat = 90 - np.degrees(grid.rings["theta"])

    def given(values):
        return xarray.DataArray(values, dims=("lat", "lon"), coords={"lat": lat, "lon": lon})

    wind = armilla.Wind(grid, NLAT - 1, radius=EARTH, two_dimensional=True)
    alm = random_alm(LMAX, lead=(2,)) * 1e-5
    alm[:, 0] = 0
    u, v = armilla.VectorSHT(grid, LMAX, radius=EARTH, two_dimensional=True).synthesis(alm)
    both = {"radius": EARTH, "sht_threads": 1}
    vorticity, divergence = wind.vorticity_divergence(u, v)
    assert largest(vorticity, peer.vorticity(given(u), given(v), **both).values) < 1e-12
    assert largest(divergence, peer.divergence(given(u), given(v), **both).values) < 1e-12
    psi, chi = wind.potentials(u, v)
    theirs = peer.potentials(given(u), given(v), **both)
    assert largest(psi, theirs["strf"].values) < 1e-12
    assert largest(chi, theirs["vp"].values) < 1e-12
    theirs = peer.helmholtz(given(u), given(v), **both)
    for made, name in zip(wind.helmholtz(u, v), ("u_rotational", "v_rotational", "u_divergent",
                                                 "v_divergent")):
        assert largest(made, theirs[name].values) < 1e-12, name
    theirs = peer.gradient(given(psi), **both)
    for made, name in zip(wind.gradient(psi), ("eastward", "northward")):
        assert largest(made, theirs[f"gradient_{name}"].values) < 1e-12, name
    assert largest(wind.laplacian(psi), peer.laplacian(given(psi), **both).values) < 1e-12
    theirs = peer.inverse_laplacian(given(vorticity), **both).values
    assert largest(wind.inverse_laplacian(vorticity), theirs) < 1e-12


def test_more_operations_are_those_of_spharmgrid(grid):
    """Those of the table in docs/site/coming_from/windspharm_spharmgrid.md."""
    peer = pytest.importorskip("spharmgrid")
    xarray = pytest.importorskip("xarray")
    lon, lat = 360 * np.arange(NLON) / NLON, 90 - np.degrees(grid.rings["theta"])
    target = armilla.Grid.gauss_legendre(80, 160)
    there = peer.gaussian_grid(80, 160, latitude_order="descending")

    def given(values):
        return xarray.DataArray(values, dims=("lat", "lon"), coords={"lat": lat, "lon": lon})

    alm = random_alm(LMAX, lead=(2,)) * 1e-5
    alm[:, 0] = 0
    narrow = armilla.VectorSHT(grid, LMAX, radius=EARTH, two_dimensional=True)
    u, v = narrow.synthesis(alm)
    w = armilla.Wind(grid, NLAT - 1, radius=EARTH, two_dimensional=True)
    both, vo, d = {"radius": EARTH, "sht_threads": 1}, *w.vorticity_divergence(u, v)
    psi, chi = w.potentials(u, v)

    def same(made, theirs, names=("u", "v")):
        for one, name in zip(made, names):
            assert largest(one, theirs[name].values) < 1e-12, name

    same(w.from_vorticity_divergence(vo, d),
         peer.wind(given(vo), given(d), source="vorticity_divergence", **both))
    same(w.from_potentials(psi, chi),
         peer.wind(given(psi), given(chi), source="potentials", **both))
    same(w.from_potentials(psi, 0 * chi),
         peer.rotational_wind(given(psi), source="streamfunction", **both),
         ("u_rotational", "v_rotational"))
    same(w.from_vorticity_divergence(0 * vo, d),
         peer.divergent_wind(given(d), source="divergence", **both),
         ("u_divergent", "v_divergent"))
    east, north = w.gradient(chi)
    assert largest(w.potentials(east, north)[1],
                   peer.inverse_gradient(given(east), given(north), **both).values) < 1e-12
    same(w.from_vorticity_divergence(w.laplacian(vo), w.laplacian(d)),
         peer.vector_laplacian(given(u), given(v), **both))
    same(w.from_vorticity_divergence(w.inverse_laplacian(vo), w.inverse_laplacian(d)),
         peer.inverse_vector_laplacian(given(u), given(v), **both))
    few, all_ = (armilla.SHT(grid, lmax, two_dimensional=True) for lmax in (42, LMAX))
    theirs = peer.filter(given(vo), "T42", sht_threads=1).values
    assert largest(few.synthesis(few.analysis(vo)), theirs) < 1e-12
    theirs = peer.regrid(given(vo), there, f"T{LMAX}", sht_threads=1).values
    made = armilla.SHT(target, LMAX, two_dimensional=True).synthesis(all_.analysis(vo))
    assert largest(made, theirs) < 1e-12
    theirs = peer.regrid_vector(given(u), given(v), there, f"T{LMAX}", sht_threads=1)
    wide = armilla.VectorSHT(target, LMAX, radius=EARTH, two_dimensional=True)
    same(wide.synthesis(narrow.analysis(np.stack([u, v]))), theirs)


def test_winds_are_those_of_windspharm(grid):
    """windspharm and spharm work in single precision: signs, factors and the radius count here."""
    peer = pytest.importorskip("windspharm.standard")
    alm = random_alm(LMAX, lead=(2,)) * 1e-5
    alm[:, 0] = 0
    u, v = armilla.VectorSHT(grid, LMAX, radius=EARTH, two_dimensional=True).synthesis(alm)
    wind = armilla.Wind(grid, NLAT - 1, radius=EARTH, two_dimensional=True)
    theirs = peer.VectorWind(u, v, gridtype="gaussian", rsphere=EARTH)
    ours = {"vrtdiv": wind.vorticity_divergence(u, v), "sfvp": wind.potentials(u, v),
            "nondivergentcomponent": wind.helmholtz(u, v)[:2],
            "irrotationalcomponent": wind.helmholtz(u, v)[2:]}
    for name, made in ours.items():
        for one, other in zip(made, getattr(theirs, name)()):
            assert largest(one, other) < 3e-5, name
    psi, _ = ours["sfvp"]
    for one, other in zip(wind.gradient(psi), theirs.gradient(psi)):
        assert largest(one, other) < 3e-5
