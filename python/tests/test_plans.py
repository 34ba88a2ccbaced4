"""The plans that armilla.sht keeps, and what a repeated call costs."""
import threading

import numpy as np
import pytest

import armilla.sht
from armilla._native import ffi, lib
from helpers import random_alm, relative, seconds_in_turns

try:
    import ducc0
except ImportError:
    ducc0 = None

OURS = armilla.sht
SORTING = 16e-6  # seconds of sorted(range(1000)) on the machine of docs/results/points.md
RINGS = dict(theta=np.array([0.5, 1.0, 2.0]), nphi=np.array([4, 5, 6], np.uint64),
             phi0=np.array([0.0, 0.1, 0.2]), ringstart=np.array([0, 5, 12], np.uint64))


def made_plan(lmax):
    """A call on a small grid; another lmax is another plan."""
    OURS.synthesis_2d(alm=random_alm(lmax, lead=(1,)), spin=0, lmax=lmax, geometry="GL",
                      ntheta=lmax + 1, nphi=2 * lmax + 1)


@pytest.fixture
def plans():
    OURS.clear_plans()
    yield
    OURS.limit_plans()
    OURS.clear_plans()


def test_plans_are_kept_and_bounded_in_number(plans):
    assert OURS.kept_plans() == (0, 0)
    for lmax in range(1, 21):
        for _ in range(2):
            made_plan(lmax)
        assert OURS.kept_plans().plans == min(lmax, 16)
    OURS.limit_plans(plans=3)
    assert OURS.kept_plans().plans == 3
    OURS.clear_plans()
    assert OURS.kept_plans() == (0, 0)
    with pytest.raises(ValueError, match="plans = -1"):
        OURS.limit_plans(-1)


def test_plans_are_bounded_in_bytes(plans):
    sizes = []
    for lmax in (30, 31, 32):
        made_plan(lmax)
        sizes.append(OURS.kept_plans().bytes)
    assert 0 < sizes[0] < sizes[1] < sizes[2]
    OURS.limit_plans(nbytes=sizes[2] - 1)  # the first goes
    assert OURS.kept_plans() == (2, sizes[2] - sizes[0])
    made_plan(31)  # is now the last one used
    made_plan(30)
    assert OURS.kept_plans() == (2, sizes[1])
    OURS.limit_plans(nbytes=sizes[0] // 2)  # no plan fits; calls work without
    made_plan(30)
    assert OURS.kept_plans() == (0, 0)


def test_bytes_of_a_plan_are_those_of_its_description(plans):
    made_plan(40)
    told = armilla.SHT(armilla.Grid.gauss_legendre(41, 81), 40).describe()
    assert OURS.kept_plans() == (1, told.plan_bytes + told.workspace_bytes)


def test_a_plan_kept_does_not_see_later_changes_of_its_arguments(plans):
    rings = dict(theta=np.array([0.5, 1.0]), nphi=np.array([4, 5]), phi0=np.zeros(2),
                 ringstart=np.array([0, 4]))
    alm, factor = random_alm(3, lead=(1,)), np.array([2.0, 3.0])
    arguments = dict(alm=alm, spin=0, lmax=3, ringfactor=factor)
    first = OURS.synthesis(**arguments, **rings)
    kept = {name: values.copy() for name, values in rings.items()}
    rings["ringstart"] += 1
    rings["theta"] += 0.25
    assert np.array_equal(OURS.synthesis(**arguments, **kept), first)
    assert not np.array_equal(OURS.synthesis(**arguments, **rings)[0, 1:], first[0])


def test_plans_differ_in_everything():
    """Calls that differ in one thing only, one after the other, give what each gives alone."""
    mstart = np.array([0, 20, 40, 60, 80], np.uint64)
    alm = np.zeros((2, 200), complex)
    alm += random_alm(12, lead=(2,))[:, :1] * np.arange(200)
    base = dict(alm=alm, lmax=4, spin=1, mstart=mstart, **RINGS)
    changes = [{}, {"spin": 2}, {"lmax": 5, "mmax": 4}, {"mstart": mstart[::-1].copy()},
               {"mode": "GRAD_ONLY", "alm": alm[:1]}, {"mode": "DERIV1", "alm": alm[:1]},
               {"mstart": mstart[:4]}, {"lstride": 2}, {"phi0": RINGS["phi0"] + 0.1},
               {"theta": RINGS["theta"] + 0.1}, {"nphi": RINGS["nphi"] - np.uint64(1)},
               {"ringstart": RINGS["ringstart"] + RINGS["nphi"]}]
    OURS.clear_plans()
    made = [OURS.synthesis(**{**base, **change}) for change in changes[:8]]
    made += [OURS.synthesis(**{**base, **change}) for change in changes[8:]]
    for change, result in zip(changes, made):
        OURS.clear_plans()
        np.testing.assert_array_equal(result, OURS.synthesis(**{**base, **change}))
        if ducc0:
            judge = ducc0.sht.synthesis(map=np.zeros_like(result), **{**base, **change})
            assert relative(result, judge) < 1e-11


def test_plans_in_many_threads():
    judges = {}
    for lmax in range(1, 21):
        judges[lmax] = OURS.synthesis_2d(alm=random_alm(lmax, lead=(1,)), lmax=lmax, spin=0,
                                         geometry="GL", ntheta=4, nphi=5)
    wrong = []

    def work(seed):
        for lmax in np.random.default_rng(seed).integers(1, 21, 60):
            lmax = int(lmax)
            m = OURS.synthesis_2d(alm=random_alm(lmax, lead=(1,)), lmax=lmax, spin=0,
                                  geometry="GL", ntheta=4, nphi=5)
            if not np.array_equal(m, judges[lmax]):
                wrong.append(lmax)
            if lmax == 7:
                OURS.clear_plans()

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def bare_leg():
    """The C function that alm2leg calls, on the arrays of the test below."""
    problem, theta = ffi.new("armilla_leg_problem *"), np.ones(2)
    lib.armilla_leg_problem_init(problem)
    problem.lmax, problem.nrings, problem.norders, problem.nthreads = 1, 2, 2, 1
    problem.theta = ffi.from_buffer("double[]", theta)
    alm, leg = np.ones(6), np.empty(8)
    arrays = [ffi.from_buffer("double[]", array) for array in (alm, leg)]
    keep = theta, alm, leg
    return lambda: keep and lib.armilla_leg_from_alm(problem, *arrays)


@pytest.mark.alone
@pytest.mark.parametrize("name, arguments", [
    ("synthesis", dict(alm=np.ones((1, 3), complex), spin=0, lmax=1, **RINGS)),
    ("synthesis_2d", dict(alm=np.ones((1, 3), complex), spin=0, lmax=1, geometry="GL", ntheta=2,
                          nphi=3)),
    ("analysis_2d", dict(map=np.ones((1, 2, 3)), spin=0, lmax=1, geometry="GL")),
    ("alm2leg", dict(alm=np.ones((1, 3), complex), spin=0, lmax=1, theta=np.ones(2)))])
def test_a_repeated_call_costs_little(name, arguments):
    """Aimed at: 30 microseconds beside the C function, which takes 5 with a plan, more without one.
    Twice that is a fault: machines that others use are slower than the sort tells."""
    def allowed(sorting, bare):
        slow = 2 * max(1, sorting / SORTING)  # the machine, just now
        return slow * 30e-6 + (2 * bare if name == "alm2leg" else 5e-6 * slow)

    spent, sorting, bare = seconds_in_turns(
        [lambda: getattr(OURS, name)(**arguments), lambda: sorted(range(1000)), bare_leg()],
        lambda spent, *others: spent < allowed(*others), 200)
    print(f"{name}: {1e6 * spent:.1f} us of {1e6 * allowed(sorting, bare):.1f}")
    assert spent < allowed(sorting, bare)
