"""armilla.lensing: plans and functions against their parts, against ducc0's chain of calls that
lenspyx wraps, and the types that lenspyx 2.0.52 was seen to return."""
import pickle
import threading

import numpy as np
import pytest

import armilla
from armilla import lensing
from helpers import dot_alm, random_alm, relative
from progress_judge import check_progress

LMAX = 20
GRID = armilla.Grid.healpix(8)
GAPS = armilla.Grid.custom([2.9, 0, 1.2], [17, 2, 40], [0.3, 0, 6], [203, 5, 210], [-2, 3, 5], 1)
GEOMETRY = ("healpix", {"nside": 8})


def window(values):
    """One factor for each degree, in the order of coefficients."""
    return np.concatenate([np.asarray(values)[m:] for m in range(len(values))])


DEGREES = window(np.arange(LMAX + 1.0))
PHI = random_alm(LMAX, lead=(2,), seed=5) * 0.3 / (1 + DEGREES) ** 3  # deflections: 0.1 rad
DLM = PHI * np.sqrt(DEGREES * (DEGREES + 1))
ALM = random_alm(LMAX, lead=(3,), seed=6)


def pixels(grid):
    """Directions (npix, 2) of all places, 0 where no pixel is, and which are pixels."""
    loc, used = np.zeros((grid.npix, 2)), np.zeros(grid.npix, bool)
    for theta, nphi, phi0, offset, stride, _ in grid.rings:
        places = offset + stride * np.arange(nphi)
        loc[places] = np.stack([np.full(nphi, theta), phi0 + 2 * np.pi * np.arange(nphi) / nphi], 1)
        used[places] = True
    return loc, used


def field_of(grid, dlm):
    """alpha_theta, alpha_phi: (2, npix)."""
    return armilla.SHT(grid, LMAX, spin=1).synthesis(dlm)


def frames(loc):
    """e_theta, e_phi, n of directions."""
    theta, phi = np.moveaxis(loc, -1, 0)
    c, s, a, b = np.cos(theta), np.sin(theta), np.cos(phi), np.sin(phi)
    return (np.stack([c * a, c * b, -s], -1), np.stack([-b, a, 0 * a], -1),
            np.stack([s * a, s * b, c], -1))


# --- Directions and areas -------------------------------------------------------------------------


def test_directions_end_where_geodesics_do():
    rng = np.random.default_rng(1)
    loc = np.stack([np.arccos(rng.uniform(-1, 1, 500)), rng.uniform(0, 6.28, 500)], 1)
    alpha = rng.standard_normal((2, 500)) * 10.0 ** rng.uniform(-8, 0, 500)
    alpha[:, 3] = 0
    moved, gamma = armilla.lensing.deflect(loc, alpha)
    e_theta, e_phi, n = frames(loc)
    tangent = alpha[0][:, None] * e_theta + alpha[1][:, None] * e_phi
    length = np.linalg.norm(tangent, axis=1)[:, None]
    end = np.cos(length) * n + np.sinc(length / np.pi) * tangent
    there = frames(moved)
    assert abs(there[2] - end).max() < 4e-15
    # the course of the geodesic, which is carried along, in both frames
    course = tangent * np.cos(length) - n * np.sin(length) * length
    psi = np.arctan2((course * there[1]).sum(1), (course * there[0]).sum(1))
    turn = psi - (np.arctan2(alpha[1], alpha[0]) - gamma)
    assert abs(np.sin(turn)[length[:, 0] > 0]).max() < 1e-14
    np.testing.assert_array_equal(moved[3], loc[3])
    one, _ = armilla.lensing.deflect(loc, alpha, nthreads=1)
    np.testing.assert_array_equal(one, moved)


def test_distortions():
    kappa, gamma1, gamma2, omega = flat = lensing.distortion(GRID, PHI)
    sht, shear = armilla.SHT(GRID, LMAX), armilla.SHT(GRID, LMAX, spin=2)
    factor = DEGREES * (DEGREES + 1) / 2
    assert relative(np.stack([kappa, omega]), sht.synthesis(factor * PHI)) < 1e-13
    spin_2 = np.sqrt(factor * (factor - 1)) * (DEGREES > 1)
    assert relative(np.stack([gamma1, gamma2]), shear.synthesis(spin_2 * PHI)) < 1e-13
    exact = lensing.distortion(GRID, DLM, kind="vector", exact=True)
    assert 1e-4 < relative(exact, flat) < 0.1  # of second order: alpha^2
    fine = armilla.Grid.gauss_legendre(150, 300)
    area = lensing.magnification(lensing.distortion(fine, PHI, exact=True)).reshape(150, 300)
    assert abs((area.mean(1) * fine.rings["weight"] * 300).sum() / (4 * np.pi) - 1) < 1e-12
    assert lensing.distortion(GRID, PHI[0])[3].any() == 0
    np.testing.assert_array_equal(lensing.dlm2A(list(DLM), GEOMETRY), lensing.magnification(exact))
    assert (lensing.distortion(GAPS, PHI)[:, ~pixels(GAPS)[1]] == 0).all()


# --- Plans ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("spin", [0, 1, 2, 3, -2])
@pytest.mark.parametrize("grid", [GRID, GAPS], ids=["healpix", "gaps"])
def test_lensed_maps_are_values_at_deflected_directions(grid, spin):
    plan = armilla.Lensing(grid, PHI, LMAX, spin, 1e-9, 17)
    loc, used = pixels(grid)
    moved, gamma = plan.angles()
    ours, turn = lensing.deflect(loc[used], field_of(grid, DLM)[:, used])
    assert abs(moved[used] - ours).max() < 1e-13 and abs(gamma[used] - turn).max() < 1e-12
    assert not moved[~used].any() and not gamma[~used].any()
    alm = random_alm(LMAX, 17, (2,) + plan.alm_shape[:-1], spin)
    values = armilla.Points(LMAX, moved[used], spin, 1e-12, 17).synthesis(alm)
    if spin:
        values = (values[:, 0] + 1j * values[:, 1]) * np.exp(1j * spin * gamma[used])
        values = np.stack([values.real, values.imag], 1)
    made = plan.alm2lenmap(alm)
    assert relative(made[..., used], values) < 1e-9
    assert not made[..., ~used].any()


@pytest.mark.parametrize("spin", [0, 2])
def test_adjoint(spin):
    plan = armilla.Lensing(GRID, PHI, LMAX, spin, 1e-3)
    alm = random_alm(LMAX, lead=plan.alm_shape[:-1], spin=spin)
    other = np.random.default_rng(2).standard_normal(plan.map_shape)
    back = plan.adjoint(other)
    here = float((plan.alm2lenmap(alm) * other).sum())
    assert abs(here - dot_alm(alm, back, LMAX)) < 1e-12 * np.sqrt(
        dot_alm(alm, alm, LMAX) * dot_alm(back, back, LMAX))


@pytest.mark.parametrize("name", ["alm2lenmap", "adjoint"])
@pytest.mark.parametrize("grid", [GRID, GAPS], ids=["healpix", "gaps"])
def test_leading_axes_strides_out_and_precision(name, grid):
    plan = armilla.Lensing(grid, PHI, LMAX, 2, 1e-6)
    call, used = getattr(plan, name), pixels(grid)[1]
    given = random_alm(LMAX, lead=(3, 2), spin=2)
    if name == "adjoint":
        given = np.random.default_rng(3).standard_normal((3,) + plan.map_shape)
    before, one = given.copy(), np.stack([call(x) for x in given])
    np.testing.assert_array_equal(call(given), one)
    np.testing.assert_array_equal(call(given, nthreads=2), one)
    wide = np.zeros(given.shape[:-1] + (2 * given.shape[-1],), given.dtype)
    wide[..., ::2] = given
    np.testing.assert_array_equal(call(wide[..., ::2]), one)
    for single in (False, True):
        kind = one.real.astype("f").dtype if single and name != "adjoint" else one.dtype
        kind = np.dtype("F") if single and name == "adjoint" else kind
        out = np.full(one.shape[:-1] + (one.shape[-1] + 7,), 7, kind)
        source = given.astype("F" if given.dtype.kind == "c" else "f") if single else given
        result = call(source, out=out[..., 7:])
        assert np.shares_memory(result, out) and (out[..., :7] == 7).all()
        if name == "alm2lenmap":
            assert (result[..., ~used] == 7).all()
            assert relative(result[..., used], one[..., used]) < 1e-6
        else:
            assert relative(result, one) < 1e-6
        assert call(source).dtype == kind
    np.testing.assert_array_equal(given, before)
    with pytest.raises(ValueError, match="out: has shape"):
        call(given, out=np.zeros(3, one.dtype))
    assert call(given[:0]).shape == (0,) + one.shape[1:]


def test_plans_beside_layouts_and_files():
    plan = armilla.Lensing(GRID, PHI, LMAX, epsilon=1e-8)
    polar = plan.beside(LMAX, 2, 1e-8, 18)
    alone = armilla.Lensing(GRID, DLM, LMAX, 2, 1e-8, 18, kind="vector")
    alm = random_alm(LMAX, 18, (2,), 2)
    judge = alone.alm2lenmap(alm)
    assert relative(polar.alm2lenmap(alm), judge) < 1e-13
    again = pickle.loads(pickle.dumps(polar))
    np.testing.assert_array_equal(again.alm2lenmap(alm), polar.alm2lenmap(alm))
    layout = armilla.Layout.custom(LMAX, [900 + 50 * m for m in range(19)], -3)
    other = plan.beside(LMAX, 2, 1e-8, layout=layout)
    given = armilla.Layout(LMAX, 18).convert(alm, layout)
    np.testing.assert_array_equal(other.alm2lenmap(given), polar.alm2lenmap(alm))
    assert (other.layout, polar.layout) == (layout, None)
    assert (polar.lmax, polar.mmax, polar.spin, polar.epsilon) == (LMAX, 18, 2, 1e-8)
    assert (polar.mode, polar.grid) == ("standard", GRID)
    assert "spin 2, standard, epsilon 1e-08, on <armilla.Grid H8: healpix" in repr(polar)
    told = plan.describe()
    assert told.npoints == GRID.npix and told.plan_bytes > GRID.npix * 24 + PHI.nbytes
    narrow = armilla.Lensing(GRID, PHI[0][armilla.alm.index(LMAX, 0, 0):][:2 * LMAX + 1], LMAX,
                             deflection_lmax=LMAX, deflection_mmax=1)
    assert narrow.angles()[0].shape == (GRID.npix, 2)


def test_threads_and_progress():
    plan = armilla.Lensing(GRID, PHI, LMAX, 2, 1e-6)
    alm = random_alm(LMAX, lead=(50, 2), spin=2)
    made = []
    workers = [threading.Thread(target=lambda: made.append(plan.alm2lenmap(alm, nthreads=1)))
               for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for result in made:
        np.testing.assert_array_equal(result, made[0])
    for run, given in ((plan.alm2lenmap, alm[0]), (plan.adjoint, np.ones(plan.map_shape))):
        check_progress(lambda count, progress: run(  # noqa: B023
            np.broadcast_to(given, (100 * count,) + given.shape), progress=progress))  # noqa: B023


def test_errors():
    with pytest.raises(TypeError, match="grid: must be an armilla.Grid or its name, not int"):
        armilla.Lensing(8, PHI, LMAX)
    with pytest.raises(TypeError, match="grid: must be an armilla.Grid"):
        lensing.distortion(8, PHI)
    with pytest.raises(ValueError, match=r"deflection: has shape \(3, 231\)"):
        armilla.Lensing(GRID, ALM, LMAX)
    with pytest.raises(ValueError, match=r"deflection: has shape \(230,\): no lmax"):
        armilla.Lensing(GRID, ALM[0, 1:], LMAX)
    with pytest.raises(ValueError, match="deflection_lmax = 0: must be 1 to"):
        armilla.Lensing(GRID, PHI[0, :1], LMAX)
    with pytest.raises(ValueError, match="kind = 'dlm': must be one of potential, vector"):
        armilla.Lensing(GRID, PHI, LMAX, kind="dlm")
    with pytest.raises(ValueError, match="deflection: at pixel 0 it is .nan, nan."):
        armilla.Lensing(GRID, PHI * np.nan, LMAX)
    with pytest.raises(ValueError, match="epsilon"):
        armilla.Lensing(GRID, PHI, LMAX, epsilon=0.5)
    with pytest.raises(ValueError, match="spin = 21"):
        armilla.Lensing(GRID, PHI, LMAX, 21)
    with pytest.raises(NotImplementedError):
        armilla.Lensing(GRID, PHI, LMAX, isa="pdp11")
    with pytest.raises(ValueError, match=r"alm: has shape \(230,\), must have \(..., 231\)"):
        armilla.Lensing(GRID, PHI, LMAX).alm2lenmap(ALM[0, 1:])
    with pytest.raises(ValueError, match=r"deflection: has shape \(2, 4\), must have \(2, 3\)"):
        lensing.deflect(np.ones((3, 2)), np.zeros((2, 4)))
    with pytest.raises(ValueError, match="loc: theta of point 1"):
        lensing.deflect([[0, 0], [4, 0]], np.zeros((2, 2)))
    with pytest.raises(ValueError, match="deflection of point 1 = .inf, 0."):
        lensing.deflect(np.ones((2, 2)), [[0, np.inf], [0, 0]])


# --- lenspyx' functions ---------------------------------------------------------------------------


def maps_of_ducc(ducc, fields, spin, epsilon):
    """The chain of calls that lenspyx wraps."""
    rings = GRID.rings
    geometry = dict(theta=rings["theta"], nphi=rings["nphi"].astype("u8"), phi0=rings["phi0"],
                    ringstart=rings["offset"].astype("u8"))
    field = ducc.sht.synthesis(alm=DLM, spin=1, lmax=LMAX, **geometry)
    angles = ducc.misc.get_deflected_angles(deflect=np.ascontiguousarray(field.T),
                                            calc_rotation=True, **geometry)
    values = ducc.sht.synthesis_general(alm=fields, spin=spin, lmax=LMAX, epsilon=epsilon,
                                        loc=np.ascontiguousarray(angles[:, :2]))
    if spin:
        field = (values[0] + 1j * values[1]) * np.exp(1j * spin * angles[:, 2])
        values = np.stack([field.real, field.imag])
    return values, angles


@pytest.mark.parametrize("epsilon", [1e-3, 1e-7, 1e-11])
def test_lensed_maps_are_those_of_the_peer(epsilon):
    ducc = pytest.importorskip("ducc0")
    scalar, angles = maps_of_ducc(ducc, ALM[:1], 0, epsilon)
    polar, _ = maps_of_ducc(ducc, ALM[1:], 2, epsilon)
    t, q, u = lensing.alm2lenmap(ALM, DLM, GEOMETRY, epsilon)
    assert relative(t, scalar[0]) < 2 * epsilon
    assert relative(np.stack([q, u]), polar) < 2 * epsilon
    for spin in (1, 3):
        judge, _ = maps_of_ducc(ducc, ALM[1:], spin, epsilon)
        assert relative(lensing.alm2lenmap_spin(ALM[1:], DLM, spin, GEOMETRY, epsilon),
                        judge) < 2 * epsilon
    ours = lensing.dlm2angles(DLM, GEOMETRY)
    assert ours.shape == (GRID.npix, 3) and abs(ours - angles).max() < 1e-13


def told(result):
    """Types and shapes of a result."""
    if isinstance(result, np.ndarray):
        return result.dtype.char, result.shape
    return type(result), [told(part) for part in result]


def test_types_of_results():
    """As lenspyx 2.0.52 returns them."""
    one = "d", (768,)
    both = "d", (2, 768)
    e, args = ALM[0], (DLM[0], GEOMETRY)
    for given, pol, judge in [(e, True, one), (e, False, one), ([e], True, (list, [one])),
                              (ALM[:1], True, (list, [one])), (ALM[:2], True, (tuple, [one] * 3)),
                              (ALM[:2], False, (list, [one] * 2)), (ALM, True, (tuple, [one] * 3)),
                              (list(ALM), False, (list, [one] * 3)),
                              ([e] * 4, True, (list, [one] * 4))]:
        assert told(lensing.alm2lenmap(given, *args, pol=pol)) == judge
    assert told(lensing.alm2lenmap(ALM.astype("F"), *args))[1] == [("f", (768,))] * 3
    for epsilon, char in [(1e-6, "d"), (1.1e-6, "f")]:
        assert told(lensing.alm2lenmap(e, *args, epsilon)) == (char, (768,))
        assert told(lensing.alm2lenmap_spin(e, *args[:1], 2, GEOMETRY, epsilon))[0] == char
    for given, spin, judge in [(e, 0, one), (e, 1, both), (ALM[:2], 2, both),
                               ([e], 0, (list, [one])), (list(ALM[:2]), 3, both),
                               (ALM[:1], 2, both),
                               (ALM[:2], 0, (tuple, [one] * 3))]:
        assert told(lensing.alm2lenmap_spin(given, DLM[0], spin, GEOMETRY)) == judge


def test_functions_are_plans():
    plan = armilla.Lensing(GRID, DLM, LMAX, kind="vector")
    polar = plan.beside(LMAX, 2, mode="gradient_only")
    t, q, u = lensing.alm2lenmap(ALM[:2], list(DLM), GRID)
    np.testing.assert_array_equal(t, plan.alm2lenmap(ALM[0]))
    np.testing.assert_array_equal([q, u], polar.alm2lenmap(ALM[1]))
    np.testing.assert_array_equal(lensing.alm2lenmap_spin([ALM[1]], list(DLM), 2, GRID), [q, u])
    np.testing.assert_array_equal(lensing.alm2lenmap_spin([ALM[1], None], DLM, 2, GRID), [q, u])
    gradient = armilla.Lensing(GRID, DLM[0], LMAX, kind="vector")
    np.testing.assert_array_equal(lensing.alm2lenmap(ALM[0], [DLM[0], None], GRID),
                                  gradient.alm2lenmap(ALM[0]))
    short = random_alm(7)
    a, b = lensing.alm2lenmap([ALM[0], short], DLM, GRID, pol=False)
    assert relative(b, plan.beside(7).alm2lenmap(short)) < 1e-12
    np.testing.assert_array_equal(a, t)
    with pytest.raises(ValueError, match="spin = -1: must be at least 0"):
        lensing.alm2lenmap_spin(ALM[:2], DLM, -1, GRID)
    with pytest.raises(ValueError, match="dlms: has 3 arrays, must have 1 to 2"):
        lensing.alm2lenmap(ALM[0], ALM, GRID)
    with pytest.raises(ValueError, match="gclm: has 3 arrays"):
        lensing.alm2lenmap_spin(ALM, DLM, 2, GRID)
    with pytest.raises(ValueError, match=r"alm: has shape \(1, 3, 231\)"):
        lensing.alm2lenmap(ALM[None], DLM, GRID)


def test_geometries():
    """Numbers of pixels are those of lenspyx 2.0.52."""
    assert lensing.get_geom(GEOMETRY).npix == 768 and lensing.get_geom(GRID) is GRID
    for lmax, real, plain in [(5, 12, 11), (20, 45, 42), (100, 216, 210), (511, 1024, 1024),
                              (999, 2000, 2000), (1000, 2025, 2016), (1024, 2160, 2058)]:
        for good, nphi in ((True, real), (False, plain)):
            rings = lensing.get_geom(("gl", {"lmax": lmax, "good_size_real": good})).rings
            assert len(rings) == lmax + 1 and set(rings["nphi"]) == {nphi}
    assert lensing.get_geom(("gl", {"lmax": 20, "nphi": 77})).npix == 21 * 77
    thinned = {(300, 0, True): [216, 432, 625, 625, 625],
               (300, 0, False): [210, 432, 605, 605, 605],
               (300, 2, True): [216, 450, 625, 625, 625],
               (300, 2, False): [210, 440, 605, 605, 605],
               (1000, 3, False): [216, 448, 672, 896, 1120, 1320, 1500, 1680, 1815, 1936, 2016,
                                  2016, 2016, 2016]}
    for (lmax, smax, good), nphi in thinned.items():
        for name in ("thingauss", "tgl"):
            grid = lensing.get_geom((name, dict(lmax=lmax, smax=smax, good_size_real=good)))
            assert grid.rings["nphi"][:lmax // 2 + 1:37].tolist() == nphi
    assert abs((grid.rings["weight"] * grid.rings["nphi"]).sum() / (4 * np.pi) - 1) < 1e-14
    for name in ("cc", "f1"):
        grid = lensing.get_geom((name, {"ntheta": 5, "nphi": 8}))
        assert grid.kind == name.upper() and grid.npix == 40
    with pytest.raises(ValueError, match="geometry = 'nope': must be one of healpix, cc, f1, gl, "):
        lensing.get_geom(("nope", {}))
    with pytest.raises(TypeError):
        lensing.get_geom(("healpix", {"lmax": 3}))


@pytest.mark.parametrize("grid", ["healpix:4", "healpix:4:nested", "gl:9x17"])
def test_maps_of_deflections(grid):
    """The directions of the coefficients that make the map; the plan has a copy."""
    grid = armilla.Grid.named(grid)
    dlm = armilla.alm.random(6, np.full(7, 1e-2), seed=1)
    alpha = armilla.SHT(grid, 6, spin=1, mode="gradient_only").synthesis(dlm)
    judge = armilla.Lensing(grid, dlm, 8, kind="vector")
    plan = armilla.Lensing(grid, alpha, 8, kind="map")
    polar = pickle.loads(pickle.dumps(plan)).beside(8, 2)
    alpha[:] = 0
    for made, wanted in zip(plan.angles(), judge.angles()):
        np.testing.assert_array_equal(made, wanted)
    alm = np.stack([armilla.alm.random(8, np.ones(9), seed=seed) for seed in (2, 3)])
    np.testing.assert_array_equal(polar.alm2lenmap(alm), judge.beside(8, 2).alm2lenmap(alm))


def test_wrong_maps_of_deflections():
    grid = armilla.Grid.healpix(4)
    alpha = np.zeros((2, grid.npix))
    for given, more, error, words in (
            (alpha[:, 1:], {}, ValueError, r"^deflection: has shape \(2, 191\), must have \(2"),
            (alpha[0], {}, ValueError, r"^deflection: has shape \(192,\), must have \(2, 192\)"),
            (alpha + 0j, {}, TypeError, "^deflection: must be real, not complex128"),
            (alpha + np.inf, {}, ValueError, "^deflection: at pixel 0 it is"),
            (alpha, {"deflection_lmax": 6}, ValueError, "^deflection_lmax, deflection_mmax: must")):
        with pytest.raises(error, match=words):
            armilla.Lensing(grid, given, 8, kind="map", **more)
    with pytest.raises(NotImplementedError, match="the derivatives of a map are not known"):
        armilla.lensing.distortion(grid, alpha, kind="map")
