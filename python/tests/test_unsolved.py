"""Warnings of fits and analyses whose coefficients are not those of the field: iterations that
ended before their tolerance, fewer values than coefficients, and HEALPix beyond its limit."""
import os
import warnings

import numpy as np
import pytest

import armilla
import armilla.healpy as hp
import armilla.sht
from helpers import random_alm

NSIDE, LMAX = 8, 23  # 3 nside - 1
GRID = armilla.Grid.healpix(NSIDE)
FINE = armilla.SHT(armilla.Grid.healpix(16), 47)  # which 100 steps of "auto" do not solve
RING = {name: GRID.rings[name] for name in ("theta", "nphi", "phi0")}
ENDED, MANY = armilla.ConvergenceWarning, armilla.ExactnessWarning


def told(call):
    """The warnings of a call, which blame this file, or the counter of armilla.healpy's calls."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    assert {os.path.basename(one.filename) for one in found} <= {"test_unsolved.py",
                                                                 "called_names.py"}
    return [(one.category, str(one.message)) for one in found]


def sky(plan, seed=1):
    """A map with power at all degrees, and all components."""
    rng = np.random.default_rng(seed)
    size = plan.alm_shape[:-1] + plan.alm_shape[-1:]
    alm = rng.standard_normal(size) + 1j * rng.standard_normal(size)
    alm[..., :plan.lmax + 1].imag = 0
    if isinstance(plan, armilla.VectorSHT):
        alm[..., 0] = 0
    return plan.synthesis(alm)


def ducc(lmax, **more):
    plan = armilla.SHT(GRID, lmax)
    arguments = {name: RING[name] for name in ("theta", "nphi", "phi0")}
    return armilla.sht.pseudo_analysis(
        map=sky(plan)[None], lmax=lmax, spin=0, ringstart=GRID.rings["offset"].astype(np.uint64),
        **arguments, epsilon=1e-8, **more)


def at_points(lmax, npoints=400):
    loc = np.random.default_rng(3).uniform([0, 0], [np.pi, 2 * np.pi], (npoints, 2))
    points = armilla.Points(lmax, loc)
    return points, points.synthesis(random_alm(lmax))


def general():
    points, values = at_points(18)
    return armilla.sht.pseudo_analysis_general(
        map=values[None], lmax=18, loc=np.array(points.loc), spin=0, maxiter=5, epsilon=1e-6)


def fit(plan, **more):
    return lambda: plan.pseudo_analysis(sky(plan), **more)


def interpolated(epsilon):
    plan = armilla.SHT(GRID, LMAX)
    return lambda: armilla.interpolate(sky(plan), GRID, [[1.0, 2.0]], lmax=LMAX, epsilon=epsilon,
                                       max_iterations=5)


UNREACHED = {
    "scalar": fit(armilla.SHT(GRID, LMAX), max_iterations=10),
    "spin": fit(armilla.SHT(GRID, LMAX, spin=2), max_iterations=10),
    "iqu": fit(armilla.IQU(GRID, LMAX), max_iterations=10),
    "vector": fit(armilla.VectorSHT(GRID, LMAX), max_iterations=10),
    "auto": fit(FINE, method="auto"),
    "in steps": lambda: FINE.analysis(sky(FINE), iterations="auto"),
    "fields": lambda: armilla.fields.analysis(sky(FINE), FINE, iterations="auto"),
    "points": lambda: at_points(8)[0].pseudo_analysis(at_points(8)[1], max_iterations=3),
    "interpolation": interpolated(1e-10),
    "lsq": lambda: hp.map2alm_lsq(sky(armilla.SHT(GRID, LMAX)), LMAX, LMAX, maxiter=10),
    "ducc": lambda: ducc(LMAX, maxiter=10),
    "ducc, points": general,
}


@pytest.mark.parametrize("case", UNREACHED)
def test_iterations_that_ended_early_say_what_they_reached(case):
    found = told(UNREACHED[case])
    assert [kind for kind, _ in found] == [ENDED]
    assert issubclass(ENDED, RuntimeWarning)  # which it was before it had a name
    text = found[0][1]
    assert "ended early, after " in text
    assert "of which the last changed" in text or "with a relative residual of " in text


def test_reports_of_several_fits():
    plan = armilla.SHT(GRID, LMAX)
    maps = np.stack([sky(plan), np.ones(GRID.npix), np.zeros(GRID.npix)])
    found = told(lambda: plan.pseudo_analysis(maps, max_iterations=15))
    assert len(found) == 1 and found[0][1].endswith("(1 of 3 fits)")


@pytest.mark.parametrize("plan", [armilla.SHT(GRID, 16), armilla.IQU(GRID, 16),
                                  armilla.SHT("F12", 23), armilla.VectorSHT("F12", 23),
                                  armilla.SHT("F12", 23, spin=-2)])
def test_solutions_are_quiet(plan):
    assert told(fit(plan, tolerance=1e-6)) == []
    assert told(fit(plan, method="jacobi")) == []  # as many steps as it is told


FEW = {
    "pixels": (fit(armilla.SHT(GRID, 50)), "768 values cannot determine 2601 real coefficients:"),
    "pairs": (fit(armilla.SHT(GRID, 50, spin=2)), "1536 values cannot determine 5194 real"),
    "gradients": (fit(armilla.SHT(GRID, 50, spin=1, mode="gradient_only")), "1536 values"),
    "seen pixels": (fit(armilla.SHT(GRID, 12), mask=np.arange(768) % 6 == 0), "128 values cannot"),
    "orders": (fit(armilla.SHT(GRID, 40, 1)), "rings with 31 means cannot determine 41 real"),
    "seen rings": (fit(armilla.SHT("F12", 23, 2), mask=np.arange(24 * 48) < 500),
                   "rings with 11 means cannot determine 24 real coefficients with m = 0:"),
    "points": (lambda: at_points(25)[0].pseudo_analysis(at_points(25)[1], tolerance=1e-4),
               "400 values cannot determine 676 real"),
    "ducc": (lambda: ducc(50, maxiter=50), "768 values cannot determine 2601 real coefficients:"),
    "lsq": (lambda: hp.map2alm_lsq(sky(armilla.SHT(GRID, 50)), 50, 50), "768 values cannot"),
}


@pytest.mark.parametrize("case", FEW)
def test_fewer_values_than_coefficients_have_many_solutions(case):
    call, text = FEW[case]
    few = [message for kind, message in told(call) if kind is MANY]
    assert len(few) == 1 and text in few[0] and "one of many, the one of least norm" in few[0]


def test_the_solution_nearest_to_a_guess():
    plan = armilla.SHT(GRID, 50)
    found = told(fit(plan, guess=np.ones(plan.alm_shape)))
    assert any("one of many, the one nearest to the guess" in text for _, text in found)


# --- HEALPix beyond its limit ---------------------------------------------------------------------


@pytest.mark.parametrize("grid", [GRID, "H8n", "H8"])
@pytest.mark.parametrize("lmax, warns", [(16, False), (20, False), (23, False), (24, True),
                                         (50, True)])
def test_healpix_beyond_its_limit(grid, lmax, warns):
    for plan in (armilla.SHT(grid, lmax), armilla.SHT(grid, lmax, 2), armilla.IQU(grid, lmax),
                 armilla.SHT(grid, lmax, mres=2), armilla.VectorSHT(grid, lmax)):
        found = told(lambda: plan.analysis(np.ones(plan.map_shape)))
        assert [kind for kind, _ in found] == [MANY] * warns
        assert not warns or "3 nside - 1 = 23" in found[0][1]
        assert told(lambda: plan.analysis(np.ones(plan.map_shape))) == []  # once per plan
    field = armilla.ComplexSHT(GRID, lmax)
    assert len(told(lambda: field.analysis(np.ones(768)))) == warns


def test_steps_beyond_the_limit():
    far = armilla.SHT(GRID, 50)
    assert [kind for kind, _ in told(lambda: far.analysis(sky(far), iterations=3))] == [MANY]
    assert [kind for kind, _ in told(lambda: hp.map2alm(sky(far), 50))] == [MANY]
    assert told(lambda: hp.map2alm(np.ones(768))) == []
