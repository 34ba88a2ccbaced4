"""armilla.VectorSHT and armilla.Wind: closed forms, shapes, adjoints, gradients, refusals."""
import pickle

import numpy as np
import pytest

import armilla
from helpers import dot_alm, random_alm, relative
from progress_judge import check_progress

LMAX, RADIUS = 8, armilla.wind.EARTH_RADIUS_ECMWF


def octahedral(half):
    """Octahedral reduced Gaussian rings: 20 + 4 i pixels on ring i from either pole."""
    full = armilla.Grid.gauss_legendre(2 * half, 1).rings
    north = 20 + 4 * np.arange(half)
    nphi = np.concatenate([north, north[::-1]])
    return armilla.Grid.custom(full["theta"], nphi, 0, np.cumsum(nphi) - nphi, 1,
                               full["weight"] / nphi)


GRIDS = {
    "F32": armilla.Grid.gauss_legendre(64, 128),
    "CC": armilla.Grid.equidistant("CC", 33, 64),  # with both poles
    "MW": armilla.Grid.equidistant("MW", 30, 60),
    "O16": octahedral(16),
}
FORMS = ("vorticity_divergence", "stream_potential", "spheroidal_toroidal")


def places(grid):
    rings = grid.rings
    theta = np.repeat(rings["theta"], rings["nphi"])
    phi = np.concatenate([p + 2 * np.pi * np.arange(n) / n
                          for p, n in zip(rings["phi0"], rings["nphi"])])
    return theta, phi


def rossby_haurwitz(grid, wave=4, omega=7.848e-6, k=7.848e-6, radius=RADIUS):
    """u, v, vorticity and stream function of Rossby and Haurwitz' wave (Williamson et al. 1992,
    test 6), whose degrees are 1 and wave + 1."""
    theta, phi = places(grid)
    s, c, r = np.cos(theta), np.sin(theta), wave
    u = radius * (omega * c + k * c ** (r - 1) * (r * s ** 2 - c ** 2) * np.cos(r * phi))
    v = -radius * k * r * c ** (r - 1) * s * np.sin(r * phi)
    vorticity = 2 * omega * s - k * s * c ** r * (r ** 2 + 3 * r + 2) * np.cos(r * phi)
    psi = radius ** 2 * (-omega * s + k * c ** r * s * np.cos(r * phi))
    return u, v, vorticity, psi


@pytest.mark.parametrize("name", GRIDS)
def test_rossby_haurwitz_wave(name):
    wind = armilla.Wind(GRIDS[name], LMAX, radius=RADIUS)
    u, v, vorticity, psi = rossby_haurwitz(GRIDS[name])
    made, divergence = wind.vorticity_divergence(u, v)
    assert relative(made, vorticity) < 2e-14
    assert np.abs(divergence).max() < 1e-14 * np.abs(vorticity).max() * LMAX
    assert relative(wind.potentials(u, v)[0], psi) < 2e-14
    for made in (wind.from_vorticity_divergence(vorticity, 0 * u),
                 wind.from_potentials(psi + 5, 0 * u), wind.helmholtz(u, v)[:2]):
        assert relative(np.stack(made), np.stack([u, v])) < 2e-14
    east, north = wind.gradient(psi)
    assert relative(np.stack([-north, east]), np.stack([u, v])) < 2e-14
    assert relative(wind.laplacian(psi), vorticity) < 2e-14
    assert relative(wind.inverse_laplacian(vorticity), psi) < 2e-14


@pytest.mark.parametrize("name", GRIDS)
def test_helmholtz_parts(name):
    wind = armilla.Wind(GRIDS[name], LMAX, radius=RADIUS)
    alm = random_alm(LMAX, lead=(2,))
    alm[:, 0] = 0
    u, v = wind.transform.synthesis(alm)
    parts = wind.helmholtz(u, v)
    assert relative(parts.u_rotational + parts.u_divergent, u) < 1e-14
    assert relative(parts.v_rotational + parts.v_divergent, v) < 1e-14
    zero = np.abs(alm).max() * 1e-13
    assert np.abs(wind.vorticity_divergence(*parts[:2])[1]).max() < zero
    assert np.abs(wind.vorticity_divergence(*parts[2:])[0]).max() < zero
    maps = np.stack([u, v])
    for word, two in (("rotational", parts[:2]), ("divergent", parts[2:])):
        assert relative(wind.transform.convert_map("components", maps, word),
                        np.stack(two)) < 1e-14


def test_energy():
    grid = GRIDS["F32"]
    wind = armilla.Wind(grid, 31, radius=RADIUS)
    alm = 1e-5 * random_alm(31, lead=(3, 2))
    alm[..., 0] = 0
    maps = wind.transform.synthesis(alm)
    rotational, divergent = wind.energy_spectrum(maps[:, 0], maps[:, 1])
    weights = np.repeat(grid.rings["weight"], grid.rings["nphi"]) / (4 * np.pi)
    mean = (maps ** 2 / 2 * weights).sum((1, 2))
    np.testing.assert_allclose((rotational + divergent).sum(-1), mean, rtol=1e-13)
    parts = wind.helmholtz(maps[:, 0], maps[:, 1])
    mean = ((parts.u_divergent ** 2 + parts.v_divergent ** 2) / 2 * weights).sum(-1)
    np.testing.assert_allclose(divergent.sum(-1), mean, rtol=1e-13)
    assert rotational.shape == (3, 32) and (rotational[:, 0] == 0).all()


@pytest.mark.parametrize("lead", [(), (3,), (2, 0), (2, 2)])
@pytest.mark.parametrize("two_dimensional", [False, True])
def test_levels(lead, two_dimensional):
    grid = GRIDS["F32"]
    wind = armilla.Wind(grid, LMAX, radius=2.0, two_dimensional=two_dimensional)
    tail = (64, 128) if two_dimensional else (grid.npix,)
    u, v = np.random.default_rng(1).standard_normal((2,) + lead + tail)
    vorticity, divergence = wind.vorticity_divergence(u, v)
    assert vorticity.shape == divergence.shape == lead + tail
    single = wind.vorticity_divergence(u.astype(np.float32), v.astype(np.float32), nthreads=1)
    assert single[0].dtype == np.float32 and single[0].shape == lead + tail
    assert wind.helmholtz(u, v).v_divergent.shape == lead + tail
    assert wind.laplacian(u).shape == lead + tail
    assert wind.energy_spectrum(u, v)[0].shape == lead + (LMAX + 1,)
    for place in np.ndindex(lead):
        one = wind.vorticity_divergence(u[place], v[place])
        assert relative(vorticity[place], one[0]) < 1e-13
        assert relative(divergence[place], one[1]) < 1e-13
        assert relative(single[1][place], one[1]) < 1e-5
        assert relative(wind.from_vorticity_divergence(*one)[0],
                        wind.helmholtz(u[place], v[place]).u_rotational
                        + wind.helmholtz(u[place], v[place]).u_divergent) < 1e-12


def test_either_shape_of_maps_is_taken():
    grid = GRIDS["F32"]
    flat, square = (armilla.Wind(grid, LMAX, radius=1.0, two_dimensional=two)
                    for two in (False, True))
    u, v = np.random.default_rng(1).standard_normal((2, 5, 64, 128))
    lines = u.reshape(5, -1), v.reshape(5, -1)
    expected = flat.potentials(*lines)[0]
    assert expected.shape == (5, grid.npix)
    np.testing.assert_array_equal(flat.potentials(u, v)[0], expected.reshape(u.shape))
    np.testing.assert_array_equal(square.potentials(*lines)[0], expected.reshape(u.shape))


# --- The plan -------------------------------------------------------------------------------------

def options(form, components, radial):
    return {"form": form, "components": components, "radial": radial, "radius": 3.0}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("components", ["east_north", "theta_phi"])
@pytest.mark.parametrize("radial", [False, True])
def test_plans(form, components, radial):
    plan = armilla.VectorSHT(GRIDS["CC"], LMAX, **options(form, components, radial))
    n = 3 if radial else 2
    assert plan.alm_shape == (n, 45) and plan.map_shape == (n, plan.grid.npix)
    assert (plan.form, plan.components, plan.radial, plan.radius, plan.mean) == (
        form, components, radial, 3.0, "error")
    assert form in repr(plan) and ("radial" in repr(plan)) == radial
    alm = random_alm(LMAX, lead=(4, n))
    alm[:, n - 2:, 0] = 0
    maps = plan.synthesis(alm)
    assert relative(plan.analysis(maps), alm) < 1e-13
    other = np.random.default_rng(2).standard_normal(maps.shape)
    for to_map, to_alm in (("synthesis", "adjoint_synthesis"), ("adjoint_analysis", "analysis")):
        product, back = getattr(plan, to_map)(alm) * other, getattr(plan, to_alm)(other)
        right = sum(dot_alm(one, two, LMAX) for one, two in zip(alm, back))
        assert abs(product.sum() - right) < 1e-14 * np.abs(product).sum()
    for nthreads in (1, 3):
        np.testing.assert_array_equal(plan.synthesis(alm, nthreads=nthreads), maps)
        np.testing.assert_array_equal(plan.analysis(maps, nthreads=nthreads), plan.analysis(maps))
    again = pickle.loads(pickle.dumps(plan))
    np.testing.assert_array_equal(again.synthesis(alm), maps)
    single = plan.synthesis(alm.astype(np.complex64))
    assert single.dtype == np.float32 and relative(single, maps) < 1e-6
    out = np.zeros(maps.shape[:-1] + (2 * maps.shape[-1],))[..., ::2]
    assert plan.synthesis(alm, out=out) is out
    np.testing.assert_array_equal(out, maps)
    assert any(one.name.startswith("polar.") for one in plan.explain())


def test_layouts_and_pseudo_analysis():
    layout = armilla.Layout.custom(LMAX, [2 * m * (LMAX + 2) for m in range(LMAX + 1)], 2)
    grid = armilla.Grid.healpix(8)
    plan = armilla.VectorSHT(grid, LMAX, radial=True, radius=2.0, layout=layout)
    plain = armilla.VectorSHT(grid, LMAX, radial=True, radius=2.0)
    alm = random_alm(LMAX, lead=(2, 3))
    alm[:, 1:, 0] = 0
    placed = np.zeros((2, 3, plan.alm_shape[-1]), complex)
    for m in range(LMAX + 1):
        for l in range(m, LMAX + 1):
            placed[..., layout.index(l, m)] = alm[..., armilla.alm.index(LMAX, l, m)]
    maps = plain.synthesis(alm)
    np.testing.assert_array_equal(plan.synthesis(placed), maps)
    made, report = plan.pseudo_analysis(maps)
    assert relative(made, placed) < 1e-8 and report.stop.shape == (2, 2)
    made, report = armilla.VectorSHT(grid, LMAX, radius=2.0).pseudo_analysis(maps[:, 1:])
    assert relative(made, alm[:, 1:]) < 1e-8 and report.stop.shape == (2,)
    with pytest.raises(ValueError, match="guess"):
        plain.pseudo_analysis(maps, guess=alm)


def test_conversion_of_coefficients():
    alm = random_alm(LMAX, lead=(3, 2))
    alm[..., 0] = 0
    for source in FORMS:
        for target in FORMS:
            made = armilla.wind.convert_alm(source, alm, target, radius=2.5)
            maps = armilla.VectorSHT(GRIDS["MW"], LMAX, radius=2.5, form=source).synthesis(alm)
            plan = armilla.VectorSHT(GRIDS["MW"], LMAX, radius=2.5, form=target)
            assert relative(plan.synthesis(made), maps) < 1e-13
    single = armilla.wind.convert_alm(FORMS[0], alm.astype(np.complex64), FORMS[1], radius=1.0)
    assert single.dtype == np.complex64
    with pytest.raises(ValueError, match="2, 45"):
        armilla.wind.convert_alm(FORMS[0], alm[:, 0], FORMS[1], radius=1.0)


def test_derivatives_of_coefficients():
    alm = random_alm(LMAX, lead=(2,))
    scalar, wide = (armilla.SHT(GRIDS["CC"], lmax, LMAX) for lmax in (LMAX, LMAX + 1))
    slope = armilla.SHT(GRIDS["CC"], LMAX, spin=1, mode="derivatives")
    theta, _ = places(GRIDS["CC"])
    made = wide.synthesis(armilla.alm.multiply_cos_theta(alm))
    assert relative(made, np.cos(theta) * scalar.synthesis(alm)) < 1e-14
    d_theta, d_phi = np.moveaxis(slope.synthesis(alm), 1, 0)
    made = wide.synthesis(armilla.alm.derive_theta(alm))
    assert relative(made, np.sin(theta) * d_theta) < 1e-14
    made = scalar.synthesis(armilla.alm.derive_phi(alm))
    assert relative(made, np.sin(theta) * d_phi) < 1e-14
    cut = armilla.alm.derive_theta(alm.astype(np.complex64), result_lmax=LMAX)
    assert cut.shape == alm.shape and cut.dtype == np.complex64
    inverse = armilla.alm.invert_laplacian(armilla.alm.apply_laplacian(alm, radius=3), radius=3)
    assert relative(inverse[:, 1:], alm[:, 1:]) < 1e-15 and (inverse[:, 0] == 0).all()
    with pytest.raises(ValueError, match="result_lmax = 10"):
        armilla.alm.multiply_cos_theta(alm, result_lmax=LMAX + 2)


def test_progress():
    plan = armilla.Wind(GRIDS["F32"], 60, radius=1.0).transform
    maps = np.random.default_rng(3).standard_normal((2, plan.grid.npix))
    check_progress(lambda count, progress: plan.convert_map(
        "components", np.broadcast_to(maps, (count,) + maps.shape), "stream_potential",
        progress=progress))


# --- Gradients ------------------------------------------------------------------------------------

def test_torch_has_the_gradient():
    torch = pytest.importorskip("torch")
    from armilla import torch as at
    plan = armilla.VectorSHT(GRIDS["MW"], 4, radius=2.0)
    alm = random_alm(4, lead=(2,))
    alm[:, 0] = 0
    given = torch.from_numpy(alm).requires_grad_()
    (at.synthesis(plan, given) ** 2).sum().backward()
    factor = np.where(np.arange(15) < 5, 2, 4)
    expected = factor * plan.adjoint_synthesis(plan.synthesis(alm))
    np.testing.assert_allclose(given.grad.numpy(), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name, adjoint", [("synthesis", "adjoint_synthesis"),
                                           ("analysis", "adjoint_analysis")])
def test_jax_has_the_gradient(name, adjoint):
    jax = pytest.importorskip("jax")
    from armilla import jax as aj
    jax.config.update("jax_enable_x64", True)
    plan = armilla.VectorSHT(GRIDS["MW"], 4, radius=2.0, radial=True)
    given = random_alm(4, lead=(3,))
    given[1:, 0] = 0
    factor = np.where(np.arange(15) < 5, 1, 2)
    if name == "analysis":
        given = plan.synthesis(given)
    made, pull = jax.vjp(jax.jit(lambda x: getattr(aj, name)(plan, x)), given)
    np.testing.assert_array_equal(made, getattr(plan, name)(given))
    back = getattr(plan, adjoint)(np.asarray(made) / (factor if name == "analysis" else 1))
    expected = np.conj(back * factor) if name == "synthesis" else back
    np.testing.assert_allclose(pull(np.conj(made))[0], expected, rtol=1e-12, atol=1e-12)


# --- Refusals -------------------------------------------------------------------------------------

@pytest.mark.parametrize("change, error, words", [
    ({"form": "psi"}, ValueError, "form = 'psi'"),
    ({"components": "uv"}, ValueError, "components = 'uv'"),
    ({"mean": "drop"}, ValueError, "mean = 'drop'"),
    ({"radius": 0}, ValueError, "radius = 0"),
    ({"radius": 1e200}, ValueError, r"radius = 1e\+200: .* from 1e-140 to 1e\+140"),
    ({"radius": "6371 km"}, TypeError, "radius"),
    ({"lmax": 0}, ValueError, "lmax = 0"),
    ({"device": "cuda"}, NotImplementedError, "^device: transforms of vector fields are not"),
    ({"device_bytes": 1}, TypeError, "device_bytes"),
    ({"spin": 1}, TypeError, "spin"),
])
def test_wrong_options(change, error, words):
    with pytest.raises(error, match=words):
        armilla.VectorSHT(GRIDS["CC"], **{"lmax": LMAX, **change})


def test_a_mean_is_refused():
    wind = armilla.Wind(GRIDS["CC"], LMAX, radius=1.0)
    u, v, vorticity, psi = rossby_haurwitz(GRIDS["CC"], radius=1.0)
    with pytest.raises(ValueError, match="vorticity: a_00"):
        wind.from_vorticity_divergence(vorticity + 1e-6, 0 * u)
    with pytest.raises(ValueError, match="divergence: a_00"):
        wind.from_vorticity_divergence(vorticity, 1e-6 + 0 * u)
    with pytest.raises(ValueError, match="alm: a_00"):
        wind.inverse_laplacian(vorticity + 1e-6)
    lax = armilla.Wind(GRIDS["CC"], LMAX, radius=1.0, mean="ignore")
    made = lax.from_vorticity_divergence(vorticity + 1e-6, 0 * u)
    assert relative(np.stack(made), np.stack([u, v])) < 1e-13
    assert relative(lax.inverse_laplacian(vorticity + 1e-6), psi) < 1e-13


def test_wrong_maps():
    wind = armilla.Wind(GRIDS["CC"], LMAX, radius=1.0)
    u = np.zeros(wind.grid.npix)
    with pytest.raises(ValueError, match="v: has shape"):
        wind.potentials(u, u[1:])
    with pytest.raises(ValueError, match="u: has shape"):
        wind.potentials(u[1:], u[1:])
    with pytest.raises(TypeError, match="u: must be real"):
        wind.potentials(u + 1j, u)
    with pytest.raises(TypeError, match="radius"):
        armilla.Wind(GRIDS["CC"], LMAX, radius="6371 km")
    assert armilla.Wind(GRIDS["CC"], LMAX).radius == armilla.wind.EARTH_RADIUS_ECMWF
    bad = u.copy()
    bad[7] = np.nan
    with pytest.raises(ValueError, match="missing"):
        wind.vorticity_divergence(u, bad)
    assert np.isnan(wind.vorticity_divergence(u, bad, missing="propagate")[0]).any()
    plan = armilla.VectorSHT(GRIDS["CC"], LMAX, radial=True)
    with pytest.raises(ValueError, match="radial"):
        plan.convert_map("components", np.zeros((3, wind.grid.npix)), "rotational")
    with pytest.raises(ValueError, match="source = 'rotational'"):
        wind.transform.convert_map("rotational", np.zeros((2, wind.grid.npix)), "components")


def test_inexact_analysis_warns():
    grid = armilla.Grid.gauss_legendre(8, 16)
    u = np.zeros(grid.npix)
    with pytest.warns(armilla.ExactnessWarning):
        armilla.Wind(grid, 9, radius=1.0).vorticity_divergence(u, u)


# --- Every mres-th order --------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("components", ["east_north", "theta_phi"])
def test_sectors_are_parts_of_whole_maps(form, components):
    lmax, mres, nphi = 31, 4, 18
    given = dict(options(form, components, True), radius=2.5)
    sector = armilla.VectorSHT(armilla.Grid.gauss_legendre(33, nphi), lmax, mres=mres, **given)
    whole = armilla.VectorSHT(armilla.Grid.gauss_legendre(33, mres * nphi), lmax, **given)
    layout = armilla.Layout(lmax, mres=mres)
    few = random_alm(lmax, lead=(2, 3))
    few[..., 0] = 0
    few = armilla.Layout(lmax).convert(few, layout)
    alm = layout.convert(few, armilla.Layout(lmax))
    made = sector.synthesis(few, nthreads=3)
    wide = np.tile(made.reshape(2, 3, 33, nphi), mres).reshape(2, 3, -1)
    assert sector.mres == pickle.loads(pickle.dumps(sector)).mres == mres
    assert "mmax 7, mres 4" in repr(sector)
    assert relative(wide, whole.synthesis(alm)) < 1e-13
    assert relative(sector.analysis(made), few) < 1e-13
    assert relative(sector.pseudo_analysis(made, tolerance=1e-14)[0], few) < 1e-12
    back = layout.convert(sector.adjoint_synthesis(made), armilla.Layout(lmax))
    assert relative(mres * back, whole.adjoint_synthesis(wide)) < 1e-13


def test_sectors_of_shtns():
    shtns = pytest.importorskip("shtns")
    peer = shtns.sht(63, 15, 4)
    peer.set_grid(64, 40, shtns.sht_gauss | shtns.SHT_PHI_CONTIGUOUS, 0.0)
    sht = armilla.VectorSHT(armilla.Grid.gauss_legendre(64, 40), 63, mmax=15, mres=4,
                            form="spheroidal_toroidal", components="theta_phi", radial=True,
                            two_dimensional=True)
    qst = np.random.default_rng(1).standard_normal((3, peer.nlm, 2)).view(complex)[..., 0]
    qst[:, peer.m == 0] = qst[:, peer.m == 0].real
    qst[1:, 0] = 0
    assert relative(sht.synthesis(qst), np.stack(peer.synth(*qst))) < 1e-13
    assert relative(sht.analysis(sht.synthesis(qst)), qst) < 1e-13


def test_sectors_have_means_and_limits():
    grid = armilla.Grid.gauss_legendre(17, 9)
    sht = armilla.VectorSHT(grid, 16, mres=2)
    alm = np.zeros((2, armilla.Layout(16, mres=2).size), complex)
    alm[0, 0] = 1
    with pytest.raises(ValueError, match="a_00 = 1"):
        sht.synthesis(alm)
    with pytest.raises(ValueError, match="mres"):
        armilla.VectorSHT(grid, 16, mmax=9, mres=2)
    with pytest.raises(ValueError, match="mres"):
        armilla.VectorSHT(grid, 16, mres=0)
    with pytest.raises(ValueError, match="mres"):
        armilla.IQU(grid, 16, layout=armilla.Layout(16, mres=2))


def test_what_is_told_is_of_one_transform():
    sht = armilla.VectorSHT(armilla.Grid.healpix(2), 4)
    assert sht.describe(ntrans=1) == sht.describe()
    with pytest.raises(NotImplementedError, match="^ntrans = 3: plans for vector fields are"):
        sht.describe(ntrans=3)
