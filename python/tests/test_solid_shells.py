"""armilla.evaluate_solid with an epsilon: values between spheres against direct sums, and what is
chosen, refused and cancelled."""
import numpy as np
import pytest

import armilla
from helpers import random_alm, relative

LMAX = 60


def places(count=4000, low=1.0, high=1.02):
    rng = np.random.default_rng(2)
    return np.stack([np.arccos(rng.uniform(-1, 1, count)), rng.uniform(-9, 9, count),
                     rng.uniform(low, high, count)], axis=1)


@pytest.mark.parametrize("derivatives", [0, 1, 2])
@pytest.mark.parametrize("kind", ["exterior", "interior"])
@pytest.mark.parametrize("frame", ["cartesian", "local"])
def test_shells_agree_with_sums(derivatives, kind, frame):
    alm, loc = random_alm(LMAX, seed=3), places()
    call = {"derivatives": derivatives, "kind": kind, "frame": frame}
    exact = armilla.evaluate_solid(alm, LMAX, loc, **call)
    shells = armilla.evaluate_solid(alm, LMAX, loc, epsilon=1e-6, way="shells", **call)
    assert 1e-13 < relative(shells, exact) < 1e-6


def test_leading_axes_and_out():
    alm, loc = np.stack([random_alm(LMAX, seed=seed) for seed in (1, 2)]), places(500)
    out = np.empty((2, len(loc)))
    values = armilla.evaluate_solid(alm, LMAX, loc, epsilon=1e-6, way="shells", out=out)
    assert values is out
    assert relative(out, armilla.evaluate_solid(alm, LMAX, loc)) < 1e-6


@pytest.mark.parametrize("derivatives", [0, 1, 2])
@pytest.mark.parametrize("frame", ["cartesian", "local"])
def test_adjoint_is_the_transpose(derivatives, frame):
    alm, loc = np.stack([random_alm(LMAX, seed=seed) for seed in (1, 2)]), places(300)
    call = {"derivatives": derivatives, "frame": frame, "radius": 1.01}
    values = armilla.evaluate_solid(alm, LMAX, loc, **call)
    weights = np.random.default_rng(4).normal(size=values.shape)
    out = np.empty((2, alm.shape[1], 2), complex)[..., 0]
    back = armilla.adjoint_evaluate_solid(weights, LMAX, loc, out=out, **call)
    assert back is out
    twice = np.where(np.arange(alm.shape[1]) <= LMAX, 1, 2)
    sums = (values * weights).reshape(2, -1).sum(axis=1)
    size = np.sqrt((values**2).sum() * (weights**2).sum())
    assert np.abs((twice * (alm.conj() * back).real).sum(axis=1) - sums).max() < 1e-13 * size
    assert (armilla.adjoint_evaluate_solid(weights[1], LMAX, loc, **call) == back[1]).all()


def test_adjoint_refuses_by_name():
    with pytest.raises(ValueError, match="values: has shape"):
        armilla.adjoint_evaluate_solid(np.zeros(9), LMAX, places(10))
    with pytest.raises(ValueError, match="derivatives = 3"):
        armilla.adjoint_evaluate_solid(np.zeros(10), LMAX, places(10), derivatives=3)


def test_choices_are_told():
    alm, loc = random_alm(LMAX, seed=1), places(60000)
    call = {"derivatives": 2, "epsilon": 1e-4}
    way, shells = armilla.explain_solid(alm, LMAX, loc, **call)
    assert (way.name, shells.name) == ("solid.way", "solid.shells")
    assert way.value == "0 points summed directly, 60000 between spheres"
    (way,) = armilla.explain_solid(alm, LMAX, loc, way="direct", **call)
    assert way.value == "60000 points summed directly, 0 between spheres"
    with pytest.raises(ValueError, match="alm: has shape"):
        armilla.explain_solid(alm[None], LMAX, loc)


@pytest.mark.parametrize("wrong, text", [
    ({"epsilon": 1e-12}, "epsilon = 1e-12"), ({"epsilon": np.nan}, "epsilon = nan"),
    ({"epsilon": 0.5}, "epsilon = 0.5"), ({"way": "shells"}, "epsilon = 0"),
    ({"way": "fast"}, "way = 'fast'")])
def test_wrong_arguments_are_named(wrong, text):
    with pytest.raises(ValueError, match=text):
        armilla.evaluate_solid(random_alm(LMAX, seed=1), LMAX, places(10), **wrong)


def test_what_cannot_be_reached_is_refused():
    loc = places(10)
    loc[3, 2] = 1e30
    with pytest.raises(ValueError, match="cannot be reached by shells"):
        armilla.evaluate_solid(random_alm(LMAX, seed=1), LMAX, loc, epsilon=1e-6, way="shells")


@pytest.mark.parametrize("way", ["direct", "shells"])
def test_calls_can_be_cancelled(way):
    with pytest.raises(armilla.Cancelled):
        armilla.evaluate_solid(random_alm(LMAX, seed=1), LMAX, places(150000), epsilon=1e-6,
                               way=way, derivatives=2, nthreads=1, progress=lambda fraction: True)
