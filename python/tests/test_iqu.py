"""armilla.IQU: the same as two plans, shapes, healpy."""
import pickle

import numpy as np
import pytest

import armilla
from armilla import _linear
from helpers import dot_alm, random_alm, relative
from progress_judge import check_progress

LMAX = 8
GRIDS = {
    "healpix": armilla.Grid.healpix(4),
    "gauss": armilla.Grid.gauss_legendre(LMAX + 1, 2 * LMAX + 2),
    "MW": armilla.Grid.equidistant("MW", LMAX + 1, 2 * LMAX + 1),
    "custom": armilla.Grid.custom([0.3, 1.2, 2.9], [5, 26, 7], [0, 0.1, 0.2], [0, 7, 40], 1, 0.5),
}
OPERATORS = ("synthesis", "adjoint_analysis", "adjoint_synthesis", "analysis", "pseudo_analysis")


def random_alms(lead=(), seed=1, dtype=np.complex128):
    return random_alm(LMAX, lead=lead + (3,), seed=seed, dtype=dtype)


def random_maps(grid, lead=(), seed=2, dtype=np.float64):
    return np.random.default_rng(seed).standard_normal(lead + (3, grid.npix)).astype(dtype)


def result(plan, name, given, **options):
    made = getattr(plan, name)(given, **options)
    return made[0] if name == "pseudo_analysis" else made


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("lead", [(), (3,), (2, 0), (2, 2)])
@pytest.mark.parametrize("single", [False, True])
def test_results_are_those_of_two_plans(name, grid, lead, single):
    iqu = armilla.IQU(GRIDS[grid], LMAX)
    scalar, polar = (armilla.SHT(GRIDS[grid], LMAX, spin=spin) for spin in (0, 2))
    to_map = name in _linear.TO_MAP
    given = random_alms(lead) if to_map else random_maps(GRIDS[grid], lead)
    if single:
        given = given.astype(np.complex64 if to_map else np.float32)
    options = {"max_iterations": 5} if name == "pseudo_analysis" else {}
    made = result(iqu, name, given, **options)
    assert made.shape == lead + (iqu.map_shape if to_map else iqu.alm_shape)
    np.testing.assert_array_equal(made[..., 0, :], result(scalar, name, given[..., 0, :],
                                                          **options))
    np.testing.assert_array_equal(made[..., 1:, :], result(polar, name, given[..., 1:, :],
                                                           **options))
    out = np.zeros(made.shape[:-1] + (2 * made.shape[-1],), made.dtype)[..., ::2]
    assert result(iqu, name, given, out=out, **options) is out
    np.testing.assert_array_equal(out, made)


def test_adjoint():
    iqu = armilla.IQU(GRIDS["MW"], LMAX)
    alm, sky = random_alms(), random_maps(iqu.grid)
    for forward, backward in (("synthesis", "adjoint_synthesis"),
                              ("adjoint_analysis", "analysis")):
        left = np.vdot(getattr(iqu, forward)(alm), sky)
        assert left == pytest.approx(dot_alm(alm, getattr(iqu, backward)(sky), LMAX), rel=1e-12)


def test_analysis_inverts_synthesis():
    iqu = armilla.IQU(GRIDS["gauss"], LMAX)
    alm = random_alms((2,))
    alm[:, 1:] = random_alm(LMAX, lead=(2, 2), spin=2)
    assert relative(iqu.analysis(iqu.synthesis(alm)), alm) < 1e-13


def test_reports():
    iqu = armilla.IQU(armilla.Grid.healpix(8), LMAX)
    sky = random_maps(iqu.grid, (4,))
    sky[2, 1:] = 0
    alm, report = iqu.pseudo_analysis(sky)
    for values in report:
        assert values.shape == (4, 2)
    assert report.stop[2].tolist() == ["gradient", "zero"] and not alm[2, 1:].any()
    assert ((report.residual > 0.5) == (report.stop == "gradient")).all()
    one = iqu.pseudo_analysis(sky[1])[1]
    assert one.stop.tolist() == ["gradient", "gradient"]
    assert one.iterations.tolist() == report.iterations[1].tolist()


def test_what_it_is():
    grid = armilla.Grid.healpix(16)
    iqu = armilla.IQU(grid, 20, 10, method="direct")
    assert (iqu.lmax, iqu.mmax, iqu.grid, iqu.layout) == (20, 10, grid, None)
    assert iqu.alm_shape == (3, armilla.alm.size(20, 10)) and iqu.map_shape == (3, grid.npix)
    assert repr(iqu) == f"<armilla.IQU lmax 20, mmax 10, on {grid!r}>"
    told = iqu.describe(2)
    many = iqu.describe(2, ntrans=8)
    assert many.workspace_bytes >= told.workspace_bytes and many.device_batch == 0
    scalar, polar = (armilla.SHT(grid, 20, 10, spin=spin).describe(2) for spin in (0, 2))
    assert told.ncomp == told.alm_ncomp == 3 and told.method == "direct"
    assert told.plan_bytes < scalar.plan_bytes + polar.plan_bytes
    assert told.workspace_bytes == polar.workspace_bytes
    layout = armilla.Layout(20, 10)
    for plan in (iqu, armilla.IQU(grid, 20, layout=layout)):
        again = pickle.loads(pickle.dumps(plan))
        assert isinstance(again, armilla.IQU) and again.mmax == plan.mmax
        sky = random_maps(grid)
        np.testing.assert_array_equal(again.analysis(sky), plan.analysis(sky))


def test_errors():
    grid = GRIDS["healpix"]
    with pytest.raises(ValueError, match="^lmax = 1: must be at least 2"):
        armilla.IQU(grid, 1)
    with pytest.raises(TypeError, match="^grid: must be an armilla.Grid"):
        armilla.IQU(4, 4)
    with pytest.raises(ValueError, match="^method = 'x'"):
        armilla.IQU(grid, 4, method="x")
    iqu = armilla.IQU(grid, 4)
    with pytest.raises(ValueError, match=r"^map: has shape \(2, 192\), must have \(..., 3, 192\)"):
        iqu.analysis(np.ones((2, 192)))
    sky = np.ones((2, 3, 192))
    sky[1, 2, 7] = np.nan
    with pytest.raises(ValueError, match=r"^map\[967\] = -?nan.*pixel 7 of component 5"):
        iqu.pseudo_analysis(sky)


def test_progress():
    iqu = armilla.IQU(armilla.Grid.healpix(64), 256)
    sky = random_maps(iqu.grid)

    def run(analysis, **options):
        return lambda count, progress: analysis(
            np.broadcast_to(sky, (count,) + sky.shape), progress=progress, **options)

    for call in (run(iqu.analysis), run(iqu.pseudo_analysis, method="jacobi", max_iterations=1)):
        check_progress(call, lambda fraction: fraction > 0.5)


@pytest.mark.parametrize("nside, lmax, mmax", [(8, 23, 23), (16, 20, 10), (4, 2, 1)])
def test_healpy_agrees(nside, lmax, mmax):
    hp = pytest.importorskip("healpy")
    iqu = armilla.IQU(armilla.Grid.healpix(nside), lmax, mmax)
    alm = random_alm(lmax, mmax, (3,))
    alm[1:] = random_alm(lmax, mmax, (2,), spin=2, seed=7)
    sky = hp.alm2map(alm, nside, lmax=lmax, mmax=mmax, pol=True)
    assert relative(iqu.synthesis(alm), sky) < 1e-12
    for iterations in (0, 3):
        judge = hp.map2alm(sky, lmax=lmax, mmax=mmax, iter=iterations, pol=True)
        made, _ = iqu.pseudo_analysis(sky, method="jacobi", max_iterations=iterations)
        assert relative(made, judge) < 1e-11


def test_gradients_in_jax():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    from armilla import jax as aj
    iqu = armilla.IQU(GRIDS["healpix"], LMAX)
    alm, sky = random_alms(), random_maps(iqu.grid)
    made = jax.grad(lambda a: (aj.synthesis(iqu, a) * sky).sum())(alm)
    weights = _linear.alm_weights(iqu, np.float64)
    assert relative(np.asarray(made), (weights * iqu.adjoint_synthesis(sky)).conj()) < 1e-13
