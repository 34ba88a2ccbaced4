"""armilla.sht's functions for arbitrary points against ducc0.sht, over the space of arguments."""
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import armilla.sht
from armilla import _general
from helpers import dot_alm, random_alm, relative
from test_sht import OURS, PEER, agree, bands, coefficients, kinds, layouts, many


some = settings(many, max_examples=max(20, many.max_examples // 3))


def locations(count, seed=0):
    """Uniform over the sphere, one south pole among them. (Of the north pole ducc0 0.42 makes 8.9
    where -6.3 is right, with seed 0, lmax 26 and epsilon 1e-4 below: test_points.py has both.)"""
    rng = np.random.default_rng(seed)
    loc = np.stack([np.arccos(rng.uniform(-1, 1, count)), rng.uniform(0, 6.28, count)], axis=1)
    loc[0, 0] = np.pi
    return loc


def accuracy(data, char):
    return data.draw(st.sampled_from([1e-2, 1e-4, 2e-6] + ([1e-9, 1e-12] if char in "Dd" else [])))


@some
@given(st.data())
def test_synthesis_and_its_adjoint(data):
    spin, mode, nalm, nmaps = data.draw(kinds())
    lmax, mmax = data.draw(bands(spin))
    mstart, lstride, size = data.draw(layouts(lmax, mmax))
    char = data.draw(st.sampled_from("FD"))
    loc, epsilon = locations(200, data.draw(st.integers(0, 9))), accuracy(data, char)
    alm = coefficients(1, (), nalm, size, lmax, mmax, mstart, lstride, spin, char)
    more = dict(lmax=lmax, mmax=mmax, mstart=mstart, lstride=lstride, spin=spin, mode=mode, loc=loc,
                epsilon=epsilon)
    values = agree("synthesis_general", 2.5 * epsilon, alm=alm, **more)
    made = np.full(values.shape, 3, values.dtype)
    assert OURS.synthesis_general(alm=alm, map=made, **more) is made
    np.testing.assert_array_equal(made, values)
    noise = np.random.default_rng(5).standard_normal(values.shape).astype(values.dtype)
    before, loc_before = noise.copy(), loc.copy()
    made = [np.full((nalm, size + 2), 3, char) for _ in range(2)]
    ours = OURS.adjoint_synthesis_general(map=noise, alm=made[0], **more)
    judge = PEER.adjoint_synthesis_general(map=noise, alm=made[1], **more)
    assert ours is made[0] and relative(ours, judge) <= 4 * epsilon
    np.testing.assert_array_equal(noise, before)
    np.testing.assert_array_equal(loc, loc_before)


@pytest.mark.parametrize("spin", [0, 2])
@pytest.mark.parametrize("epsilon", [1e-1, 1e-5])
def test_adjointness(spin, epsilon):
    lmax, ncomp, loc = 50, 2 if spin else 1, locations(400)
    more = dict(lmax=lmax, spin=spin, loc=loc, epsilon=epsilon)
    alm = random_alm(lmax, lead=(ncomp,), spin=spin)
    noise = np.random.default_rng(5).standard_normal((ncomp, 400))
    back = OURS.adjoint_synthesis_general(map=noise, **more)
    here = float((OURS.synthesis_general(alm=alm, **more) * noise).sum())
    scale = np.sqrt(dot_alm(alm, alm, lmax) * dot_alm(back, back, lmax))
    assert abs(here - dot_alm(alm, back, lmax)) < 1e-12 * scale


def test_what_ducc0_does_not_take():
    """Several transforms in one call; longitudes of many turns; no points; rough accuracies."""
    loc, alm = locations(60), random_alm(9, lead=(3, 2), spin=2)
    more = dict(lmax=9, spin=2, epsilon=1e-9)
    one = np.stack([OURS.synthesis_general(alm=a, loc=loc, **more) for a in alm])
    np.testing.assert_array_equal(OURS.synthesis_general(alm=alm, loc=loc, **more), one)
    back = np.stack([OURS.adjoint_synthesis_general(map=m, loc=loc, **more) for m in one])
    made = np.zeros((3, 2, 60), complex)
    assert OURS.adjoint_synthesis_general(map=one, loc=loc, alm=made, **more) is made
    np.testing.assert_array_equal(made[..., :55], back)
    turned = loc + [0, 20 * np.pi]
    assert relative(OURS.synthesis_general(alm=alm, loc=turned, **more), one) < 2e-9
    assert OURS.synthesis_general(alm=alm, loc=loc[:0], **more).shape == (3, 2, 0)
    agree("synthesis_general", 0.2, alm=alm[0], loc=loc, lmax=9, spin=2, epsilon=0.9)


@pytest.mark.parametrize("spin, lead", [(0, ()), (2, ()), (1, (2,))])
def test_pseudo_analysis(spin, lead):
    """Band-limited values come back; of noise, both find the same minimum."""
    ncomp, lmax, loc = 2 if spin else 1, 9, locations(500)
    alm = random_alm(lmax, lead=lead + (ncomp,), spin=spin)
    values = OURS.synthesis_general(alm=alm, lmax=lmax, spin=spin, loc=loc, epsilon=1e-12)
    more = dict(lmax=lmax, spin=spin, loc=loc, maxiter=200, epsilon=1e-11)
    made = OURS.pseudo_analysis_general(map=values, **more)
    assert relative(made[0], alm) < 1e-8
    noise = np.random.default_rng(3).standard_normal(values.shape)
    ours = OURS.pseudo_analysis_general(map=noise, **more)
    if lead:
        judges = [PEER.pseudo_analysis_general(map=n, **more) for n in noise]
        judge = [np.stack([j[0] for j in judges])] + [[j[i] for j in judges] for i in range(1, 5)]
    else:
        judge = PEER.pseudo_analysis_general(map=noise, **more)
    assert relative(ours[0], judge[0]) < 1e-8
    np.testing.assert_allclose(ours[3], judge[3], rtol=1e-8)
    assert set(np.atleast_1d(ours[1])) <= {1, 2}
    for mine, theirs in zip(ours[1:], judge[1:]):
        assert type(mine) is type(theirs)
    start = ours[0] + 0.01 * random_alm(lmax, lead=ours[0].shape[:-1], spin=spin, seed=8)
    again = OURS.pseudo_analysis_general(map=noise, alm=start, alm_contains_initial_guess=True,
                                         **more)
    assert again[0] is start and relative(start, ours[0]) < 1e-8


def test_pseudo_analysis_stops():
    loc, noise = locations(80), np.random.default_rng(3).standard_normal((1, 80))
    for module in (OURS, PEER):
        alm, stop, iterations, residual, _ = module.pseudo_analysis_general(
            map=noise, lmax=6, spin=0, maxiter=2, epsilon=1e-9, loc=loc)
        assert (alm.shape, stop, iterations) == ((1, 28), 7, 2) and 0 < residual < 1
    assert OURS.pseudo_analysis_general(map=0 * noise, lmax=6, spin=0, maxiter=2, epsilon=1e-9,
                                        loc=loc)[1:3] == (0, 0)


# --- Plans that are kept --------------------------------------------------------------------------


@pytest.fixture
def plans():
    OURS.clear_plans()
    yield
    OURS.limit_plans()
    OURS.clear_plans()


def test_plans_are_kept_by_the_numbers_of_loc(plans, monkeypatch):
    made = []

    class Counted(armilla.Points):
        def __init__(self, *args, **more):
            made.append(args)
            super().__init__(*args, **more)

    monkeypatch.setattr(_general, "Points", Counted)
    loc, alm = locations(300), random_alm(20, lead=(1,))
    more = dict(alm=alm, lmax=20, spin=0, epsilon=1e-8)
    first = OURS.synthesis_general(loc=loc, **more)
    for same in (loc, loc.copy(), np.asfortranarray(loc)):
        np.testing.assert_array_equal(OURS.synthesis_general(loc=same, **more), first)
    OURS.adjoint_synthesis_general(map=first, lmax=20, spin=0, epsilon=1e-8, loc=loc)
    assert len(made) == 1 and OURS.kept_plans().plans == 1
    told = armilla.Points(20, loc, 0, 1e-8).describe()
    assert OURS.kept_plans().bytes == told.plan_bytes + told.workspace_bytes
    for change in (dict(epsilon=1e-7), dict(mmax=19), dict(loc=loc[:-1])):
        OURS.synthesis_general(**{"loc": loc, **more, **change})
    assert len(made) == 4


@pytest.mark.parametrize("place", [0, 1, 150, 299])
def test_points_that_change_are_seen(plans, place):
    """The same array with another number in it is another set of points."""
    loc, alm = locations(300), random_alm(20, lead=(1,))
    more = dict(alm=alm, lmax=20, spin=0, epsilon=1e-8, loc=loc)
    first = OURS.synthesis_general(**more)
    loc[place, 1] += 0.5
    loc[place, 0] = 1
    second = OURS.synthesis_general(**more)
    assert (second != first).sum() == 1
    OURS.clear_plans()
    np.testing.assert_array_equal(OURS.synthesis_general(**more), second)


def test_wrong_points_are_not_kept(plans):
    for _ in range(2):
        with pytest.raises(OURS.Error, match="theta of point 0 = nan"):
            OURS.synthesis_general(alm=np.ones((1, 6), complex), lmax=2, spin=0, epsilon=1e-3,
                                   loc=np.full((4, 2), np.nan))
    assert OURS.kept_plans().plans == 0
