"""armilla.healpix.Healpix_Base and its neighbours against ducc0.healpix."""
import inspect

import numpy as np
import pytest

import armilla.sht
from armilla import healpix as OURS

ducc0 = pytest.importorskip("ducc0", reason="ducc0 is not installed: nothing to compare with")
PEER = ducc0.healpix
KINDS = [(nside, "RING") for nside in (1, 2, 3, 8, 1 << 20)] + [(4, "NEST"), (1 << 29, "NESTED")]
METHODS = [name for name in dir(PEER.Healpix_Base) if not name.startswith("_")]


def both(nside, scheme):
    return OURS.Healpix_Base(nside, scheme), PEER.Healpix_Base(nside, scheme)


def directions(shape=(7, 30)):
    rng = np.random.default_rng(3)
    return np.stack([np.arccos(rng.uniform(-1, 1, shape)), rng.uniform(0, 6.28, shape)], axis=-1)


def same(ours, judge):
    assert ours.dtype == judge.dtype and ours.shape == judge.shape
    if ours.dtype.kind == "i":
        np.testing.assert_array_equal(ours, judge)
    else:
        np.testing.assert_allclose(ours, judge, rtol=0, atol=2e-14)


@pytest.mark.parametrize("name", METHODS)
def test_same_arguments(name):
    line = getattr(PEER.Healpix_Base, name).__doc__.splitlines()[0]
    ours = inspect.signature(getattr(OURS.Healpix_Base, name)).parameters
    assert line.count(": ") == len(ours)
    assert all(f"{parameter}: " in line for parameter in ours)


@pytest.mark.parametrize("nside, scheme", KINDS)
def test_what_it_is(nside, scheme):
    ours, judge = both(nside, scheme)
    for name in ("nside", "npix", "order", "scheme", "__repr__"):
        assert getattr(ours, name)() == getattr(judge, name)()
    np.testing.assert_allclose([ours.pix_area(), ours.max_pixrad()],
                               [judge.pix_area(), judge.max_pixrad()], rtol=1e-13,
                               atol=0 if nside < 100 else 1e-16)
    if scheme == "RING" and nside < 100:
        told = ours.sht_info(), judge.sht_info()
        assert set(told[0]) == set(told[1])
        for name in told[0]:
            same(*(each[name].astype(float) for each in told))
            assert told[0][name].dtype == told[1][name].dtype


@pytest.mark.parametrize("nside, scheme", KINDS)
@pytest.mark.parametrize("kind", [np.int64, np.int32])
def test_pixels(nside, scheme, kind):
    ours, judge = both(nside, scheme)
    most = min(ours.npix(), np.iinfo(kind).max)
    pix = np.random.default_rng(1).integers(0, most, (5, 40)).astype(kind)
    pix[0, :2] = 0, most - 1
    for name in ("pix2ang", "pix2vec", "pix2xyf", "neighbors"):
        made = getattr(ours, name)(pix, nthreads=2)
        same(made, getattr(judge, name)(pix))
        out = np.empty_like(made)
        assert getattr(ours, name)(pix, out=out) is out
        np.testing.assert_array_equal(out, made)
    same(ours.xyf2pix(ours.pix2xyf(pix)), judge.xyf2pix(judge.pix2xyf(pix)))
    if ours.order() >= 0:
        same(ours.nest2ring(pix), judge.nest2ring(pix))
        same(ours.ring2nest(pix), judge.ring2nest(pix))
    ang = directions()
    for char in "df":
        same(ours.ang2pix(ang.astype(char)), judge.ang2pix(ang.astype(char)))
        vec = (3 * PEER.ang2vec(ang)).astype(char)
        same(ours.vec2pix(vec), judge.vec2pix(vec))


@pytest.mark.parametrize("nside, scheme", KINDS[:4] + KINDS[5:6])
def test_discs(nside, scheme):
    ours, judge = both(nside, scheme)
    for ptg in directions((6,)):
        for radius in (0.0, 0.07, 1.0, 3.1, 4.0):
            found = [np.concatenate([np.arange(*run) for run in each.query_disc(ptg, radius)] +
                                    [np.zeros(0, int)]) for each in (ours, judge)]
            np.testing.assert_array_equal(*found)
        assert ours.query_disc(ptg, 1.0).dtype == judge.query_disc(ptg, 1.0).dtype
        assert ours.query_disc(ptg, -0.1).shape == (0, 2)


def test_vectors():
    ang = directions()
    ang[0, 0] = 0, 0
    for char in "df":
        same(OURS.ang2vec(ang.astype(char)), PEER.ang2vec(ang.astype(char)))
        vec = (2 * PEER.ang2vec(ang)).astype(char)
        same(OURS.vec2ang(vec), PEER.vec2ang(vec))
    near = vec + 1e-9 * vec[::-1]
    for other in (vec, near, -vec, vec[::-1]):
        np.testing.assert_allclose(OURS.v_angle(vec.astype(float), other.astype(float)),
                                   PEER.v_angle(vec.astype(float), other.astype(float)),
                                   rtol=1e-13, atol=1e-16)


BAD = [("pix2ang", dict(pix=np.array([1.5]))), ("pix2ang", dict(pix=5)),
       ("pix2ang", dict(pix=np.array([5]), out=np.zeros((1, 3)))),
       ("pix2ang", dict(pix=np.array([5], np.uint8))), ("ang2pix", dict(ang=np.ones(3))),
       ("ang2pix", dict(ang=np.array([[1, 1]]))), ("ang2pix", dict(ang=np.array([[4.0, 1]]))),
       ("ang2pix", dict(ang=np.ones((1, 2)), out=np.zeros(1, np.int32))),
       ("ring2nest", dict(ring=np.array([5])))]


@pytest.mark.parametrize("name, wrong", BAD)
def test_the_same_kinds_of_errors(name, wrong):
    ours, judge = both(3, "RING")
    with pytest.raises((RuntimeError, TypeError)) as error:
        getattr(judge, name)(**wrong)
    with pytest.raises(error.type):
        getattr(ours, name)(**wrong)


@pytest.mark.parametrize("nside, scheme", [(3, "NEST"), (0, "RING"), (4, "ring")])
def test_wrong_bases(nside, scheme):
    for module in (OURS, PEER):
        with pytest.raises(RuntimeError, match="RING scheme required"):
            module.Healpix_Base(4, "NEST").sht_info()
    for module in (OURS, PEER):
        with pytest.raises(RuntimeError):
            module.Healpix_Base(nside, scheme)


def test_pixels_that_are_none_are_refused():
    """ducc0 gives NaN, or any number."""
    base = OURS.Healpix_Base(4, "RING")
    for pix in (-1, 192):
        with pytest.raises(armilla.sht.Error, match=str(pix)):
            base.pix2ang(np.array([pix]))
    with pytest.raises(armilla.sht.Error, match="vectors"):
        base.vec2pix(np.zeros((1, 3)))
