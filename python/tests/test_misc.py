"""armilla.misc and armilla.sht.experimental against ducc0's functions of these names."""
import inspect

import numpy as np
import pytest

import armilla.misc
import armilla.sht.experimental
from helpers import random_alm

ducc0 = pytest.importorskip("ducc0", reason="ducc0 is not installed: nothing to compare with")
OURS, PEER = armilla.misc, ducc0.misc
TURN = 2 * np.pi
RINGS = dict(theta=np.array([0.0, 0.5, 2.0, np.pi]), nphi=np.array([3, 4, 2, 5], np.uint64),
             phi0=np.array([0.1, 0.0, 6.2, 3.0]), ringstart=np.array([2, 12, 7, 16], np.uint64))
PIXELS = np.concatenate([np.arange(2, 5), np.arange(12, 16), [7, 8], np.arange(16, 21)])


def deflections(length, char="d", npix=21):
    return (length * np.random.default_rng(1).standard_normal((npix, 2))).astype(char)


@pytest.mark.parametrize("name", [name for name in OURS.__all__ if name != "experimental"])
def test_same_arguments_in_the_same_order(name):
    line = getattr(PEER, name).__doc__.strip().splitlines()[0]
    ours = inspect.signature(getattr(OURS, name)).parameters
    assert line.count(": ") == len(ours)
    places = [line.index(f"{parameter}: ") for parameter in ours]
    assert places == sorted(places)
    for parameter in ours.values():
        has_default = parameter.default is not inspect.Parameter.empty
        after = line[line.index(f"{parameter.name}: "):].split(", ")[0]
        assert after.split(")")[0].endswith(f" = {parameter.default!r}") == has_default


@pytest.mark.parametrize("nlat", [1, 2, 3, 8, 101])
def test_gauss_legendre(nlat):
    np.testing.assert_allclose(OURS.GL_thetas(nlat), PEER.GL_thetas(nlat), rtol=2e-15)
    np.testing.assert_allclose(OURS.GL_weights(nlat, 7), PEER.GL_weights(nlat, 7), rtol=2e-14)


@pytest.mark.parametrize("char, bound", [("d", 1e-14), ("f", 5e-6)])
@pytest.mark.parametrize("length", [1e-3, 0.3])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("dphi", [None, np.array([0.01, 0.5, 1e-3, 0.2])])
def test_deflected_angles(char, bound, length, turned, dphi):
    more = dict(RINGS, deflect=deflections(length, char), calc_rotation=turned, dphi=dphi)
    before = more["deflect"].copy()
    given = np.full((21, 2 + turned), 7, char)
    ours = OURS.get_deflected_angles(res=given, nthreads=2, **more)
    judge = PEER.get_deflected_angles(**more)
    assert ours is given and ours.dtype == judge.dtype
    np.testing.assert_array_equal(more["deflect"], before)
    off = (ours - judge)[PIXELS]
    off[:, 1] -= TURN * np.round(off[:, 1] / TURN)  # near 0 either end of the range is right
    assert np.abs(off).max() < bound
    assert ours[PIXELS, 1].min() >= 0 and ours[PIXELS, 1].max() <= np.float32(TURN)
    others = np.setdiff1d(np.arange(21), PIXELS)
    assert (ours[others] == 7).all()
    np.testing.assert_array_equal(OURS.get_deflected_angles(**more)[PIXELS], ours[PIXELS])


def test_deflected_angles_in_batches(monkeypatch):
    more = dict(RINGS, deflect=deflections(0.2), calc_rotation=True)
    whole = OURS.get_deflected_angles(**more)
    for block in (1, 4, 6):
        monkeypatch.setattr(OURS, "_BLOCK", block)
        np.testing.assert_array_equal(OURS.get_deflected_angles(**more), whole)


@pytest.mark.parametrize("char, bound", [("D", 1e-15), ("F", 1e-6)])
@pytest.mark.parametrize("shape", [(50,), (5, 4, 3), (0,)])
@pytest.mark.parametrize("spin", [0, 2, -3])
def test_rotation(monkeypatch, char, bound, shape, spin):
    rng = np.random.default_rng(2)
    values = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(char)
    gamma = rng.uniform(-4, 4, shape).astype(char.lower())
    monkeypatch.setattr(OURS, "_BLOCK", 24)
    ours, judge = values.copy(), values.copy()
    assert OURS.lensing_rotate(ours, gamma, spin) is None
    PEER.lensing_rotate(judge, gamma, spin)
    np.testing.assert_allclose(ours, judge, atol=4 * bound)


GOOD = {"get_deflected_angles": dict(RINGS, deflect=deflections(0.1), calc_rotation=True),
        "lensing_rotate": dict(values=np.ones(5, complex), gamma=np.ones(5), spin=2),
        "GL_thetas": dict(nlat=3), "GL_weights": dict(nlat=3, nlon=4)}
BAD = [("get_deflected_angles", change) for change in (
    dict(theta=RINGS["theta"][:3]), dict(phi0=RINGS["phi0"][:3]), dict(dphi=np.ones(3)),
    dict(deflect=np.ones(5)), dict(deflect=np.ones((21, 3))),
    dict(deflect=np.ones((21, 2), complex)), dict(res=np.zeros((21, 2))),
    dict(res=np.zeros((21, 3), "f")), dict(nthreads=-1))]
BAD += [("lensing_rotate", change) for change in (
    dict(values=np.ones(5)), dict(gamma=np.ones(5, "f")), dict(gamma=np.ones(4)), dict(spin=2.5),
    dict(values=np.ones((5, 1), complex)))]
BAD += [("GL_thetas", dict(nlat=0)), ("GL_weights", dict(nlat=-1))]


@pytest.mark.parametrize("name, wrong", BAD, ids=[f"{n}-{list(w)[0]}" for n, w in BAD])
def test_the_same_kinds_of_errors(name, wrong):
    getattr(OURS, name)(**GOOD[name])
    with pytest.raises((RuntimeError, TypeError)) as judge:
        getattr(PEER, name)(**{**GOOD[name], **wrong})
    argument = next(iter(wrong))
    with pytest.raises(judge.type, match=argument):
        getattr(OURS, name)(**{**GOOD[name], **wrong})


@pytest.mark.parametrize("change, argument", [
    (dict(deflect=deflections(0.1, npix=20)), "deflect"),  # ducc0 reads beyond it
    (dict(theta=np.array([0.0, 0.5, 2.0, 3.2])), "theta"),
    (dict(deflect=np.full((21, 2), np.nan)), "deflection")])
def test_what_cannot_be_right_is_refused(change, argument):
    with pytest.raises(armilla.sht.Error, match=argument):
        OURS.get_deflected_angles(**{**GOOD["get_deflected_angles"], **change})


def test_rings_without_pixels_are_refused():
    with pytest.raises(armilla.sht.Error, match="nlon"):
        OURS.GL_weights(3, 0)


def test_experimental_has_the_same_functions():
    ours, peer = armilla.sht.experimental, ducc0.sht.experimental
    absent = {"alm2flm", "flm2alm"}  # none of ducc0's users that we know calls them
    assert {n for n in dir(peer) if not n.startswith("_")} - set(ours.__all__) == absent
    for name in ours.__all__:
        assert getattr(ours, name) is getattr(armilla.sht, name)
    alm = random_alm(3, lead=(1,))
    theta = np.array([0.4, 1.0])
    np.testing.assert_allclose(ours.alm2leg(alm=alm, lmax=3, theta=theta),
                               peer.alm2leg(alm=alm, lmax=3, theta=theta), atol=1e-14)
