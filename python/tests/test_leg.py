"""The stages of armilla.sht against those of ducc0.sht, and their identities."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armilla.sht
from helpers import relative

ducc0 = pytest.importorskip("ducc0", reason="ducc0 is not installed: nothing to compare with")
from test_sht import BOUND, agree, kinds, many  # noqa: E402

CHARS = st.sampled_from("FD")


def numbers(rng, shape, char):
    values = rng.standard_normal(shape)
    if char in "FD":
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(char)


@st.composite
def legs(draw):
    """The arguments that alm2leg and leg2alm share, and a generator of numbers."""
    rng = np.random.default_rng(draw(st.integers(0, 2 ** 31)))
    spin, mode, nalm, nleg = draw(kinds())
    lmax = draw(st.integers(spin, 40))
    theta = rng.uniform(0, np.pi, draw(st.integers(1, 12)))
    mirrored = draw(st.sampled_from([theta, np.concatenate([theta, np.pi - theta[::-1]])]))
    if draw(st.booleans()):
        mirrored[0] = draw(st.sampled_from([0, np.pi, np.pi / 2, 1e-3]))
    arguments = {"lmax": lmax, "theta": mirrored, "spin": spin, "mode": mode,
                 "nthreads": draw(st.integers(0, 2))}
    nm = lmax + 1
    size = (lmax + 1) * (lmax + 2) // 2
    if draw(st.booleans()):
        mval = rng.permutation(lmax + 1)[:draw(st.integers(1, lmax + 1))]
        nm, lstride = len(mval), draw(st.integers(1, 3))
        mstart = np.arange(nm) * (lmax + 1) * lstride
        arguments.update(mval=mval.astype(np.uint64), lstride=lstride,
                         mstart=mstart.astype(np.uint64))
        size = int((mstart + lmax * lstride).max()) + 1
    return rng, arguments, (nalm, size), (nleg, len(mirrored), nm)


@given(legs(), CHARS, st.integers(0, 3), st.booleans())
@many
def test_alm2leg(problem, char, extra, with_output):
    rng, arguments, (nalm, size), shape = problem
    alm = numbers(rng, (nalm, size + extra), char)
    leg = agree("alm2leg", BOUND[char], alm=alm, **arguments)
    assert leg.shape == shape
    if with_output:
        out = np.full(shape[::-1], 7, char).T
        assert armilla.sht.alm2leg(alm=alm, leg=out, **arguments) is out
        np.testing.assert_array_equal(out, leg)


@given(legs(), CHARS, st.booleans())
@many
def test_leg2alm(problem, char, strided):
    rng, arguments, (nalm, size), shape = problem
    leg = numbers(rng, shape, char)
    if strided:
        leg = np.repeat(leg, 2, axis=1)[:, ::2]
    alm = armilla.sht.leg2alm(leg=leg, **arguments)
    judge = ducc0.sht.leg2alm(leg=leg, alm=np.zeros((nalm, size), char), **arguments)
    assert relative(alm, judge) < BOUND[char]
    out = np.full((nalm, size + 2), 7, char)
    assert armilla.sht.leg2alm(leg=leg, alm=out, **arguments) is out
    used = armilla.sht.leg2alm(leg=leg, alm=np.full((nalm, size), 7, char), **arguments)
    np.testing.assert_array_equal(out[:, :size], used)
    assert (out[:, size:] == 7).all()
    np.testing.assert_array_equal(alm, np.where(used == 7, 0, used))


@given(legs(), CHARS)
@many
def test_alm2leg_deriv1(problem, char):
    rng, arguments, (_, size), _ = problem
    arguments = {k: v for k, v in arguments.items() if k not in ("spin", "mode")}
    if arguments["lmax"] == 0:
        return
    agree("alm2leg_deriv1", BOUND[char], alm=numbers(rng, (1, size), char), **arguments)


@st.composite
def pixels(draw):
    """The arguments that leg2map and map2leg share."""
    rng = np.random.default_rng(draw(st.integers(0, 2 ** 31)))
    nrings, step = draw(st.integers(1, 9)), draw(st.integers(1, 3))
    nphi = rng.integers(1, 30, nrings)
    if draw(st.booleans()):
        nphi[:] = nphi[0]
    place = rng.permutation(nrings)
    ends = np.cumsum(nphi[place] * step + 1)
    start = np.empty(nrings, np.int64)
    start[place] = ends - (nphi[place] * step + 1)
    arguments = {"nphi": nphi.astype(np.uint64), "phi0": rng.uniform(0, 6, nrings),
                 "ringstart": start.astype(np.uint64), "pixstride": step,
                 "nthreads": draw(st.integers(0, 2))}
    if draw(st.booleans()):
        arguments["ringfactor"] = rng.standard_normal(nrings)
    npix = int((start + (nphi - 1) * step).max()) + 1
    return rng, arguments, draw(st.integers(1, 3)), nrings, draw(st.integers(0, 40)), npix


@given(pixels(), CHARS)
@many
def test_leg2map(problem, char):
    rng, arguments, ncomp, nrings, mmax, npix = problem
    leg = numbers(rng, (ncomp, nrings, mmax + 1), char)
    made = armilla.sht.leg2map(leg=leg, **arguments)
    judge = ducc0.sht.leg2map(leg=leg, map=np.zeros_like(made), **arguments)
    assert made.shape == (ncomp, npix) and relative(made, judge) < BOUND[char]
    out = np.full((ncomp, npix + 3), 7, made.dtype)
    assert armilla.sht.leg2map(leg=leg, map=out, **arguments) is out
    np.testing.assert_array_equal(out[:, :npix][made != 0], made[made != 0])
    assert (out[:, npix:] == 7).all()


@given(pixels(), st.sampled_from("fd"), st.booleans())
@many
def test_map2leg(problem, char, strided):
    rng, arguments, ncomp, nrings, mmax, npix = problem
    values = numbers(rng, (ncomp, npix), char)
    if strided:
        values = np.repeat(values, 2, axis=1)[:, ::2]
    leg = agree("map2leg", BOUND[char], map=values, mmax=mmax, **arguments)
    out = np.full(leg.shape[::-1], 7, leg.dtype).T
    assert armilla.sht.map2leg(map=values, mmax=mmax, leg=out, **arguments) is out
    np.testing.assert_array_equal(out, leg)


def test_stages_make_a_synthesis():
    grid = armilla.Grid.healpix(8)
    rings = grid.rings
    sht = armilla.SHT(grid, 20, spin=2)
    rng = np.random.default_rng(1)
    alm = sht.analysis(rng.standard_normal(sht.map_shape))
    leg = armilla.sht.alm2leg(alm=alm, lmax=20, theta=rings["theta"], spin=2)
    where = {"nphi": rings["nphi"], "phi0": rings["phi0"], "ringstart": rings["offset"]}
    assert relative(armilla.sht.leg2map(leg=leg, **where), sht.synthesis(alm)) < 1e-13


def test_next_to_the_pole():
    """ducc0 is no judge there: spin 1, l = 1, m = 0 is sqrt(3 / 8 pi) sin(theta) times a_10."""
    for theta in (1e-3, 1e-9):
        leg = armilla.sht.alm2leg(alm=np.array([[0, 1, 0], [0, 0, 0]], complex), lmax=1, spin=1,
                                  theta=np.array([theta, np.pi / 2]))
        np.testing.assert_allclose(abs(leg[0, :, 0]), np.sqrt(3 / (8 * np.pi)) *
                                   np.sin([theta, np.pi / 2]), rtol=1e-14)


@pytest.mark.parametrize("rings, orders", [(0, 4), (3, 0), (0, 0)])
def test_an_empty_share_of_rings_or_orders(rings, orders):
    """As the last of many tasks may get it. Sums over no rings are 0; ducc0 does not write them."""
    where = {"theta": np.ones(rings), "lmax": 3, "mval": np.arange(orders, dtype=np.uint64),
             "mstart": np.arange(orders, dtype=np.uint64) * 4}
    alm = np.ones((1, 16), complex)
    for module in (armilla.sht, ducc0.sht):
        assert module.alm2leg(alm=alm, **where).shape == (1, rings, orders)
    leg = np.ones((1, rings, orders), complex)
    out = np.full((1, 17), 7, complex)
    made = armilla.sht.leg2alm(leg=leg, alm=out, **where)
    used = [4 * m + l for m in range(orders) for l in range(m, 4)]
    expected = np.full((1, 17), 7, complex)
    expected[:, used] = 0
    np.testing.assert_array_equal(made, expected)
    judge = ducc0.sht.leg2alm(leg=leg, **where)
    assert armilla.sht.leg2alm(leg=leg, **where).shape == judge.shape


def test_no_components():
    pixels = {"nphi": np.array([4], np.uint64), "phi0": np.zeros(1),
              "ringstart": np.array([0], np.uint64)}
    for module in (armilla.sht, ducc0.sht):
        assert module.leg2map(leg=np.ones((0, 1, 3), complex), **pixels).shape == (0, 4)
        assert module.map2leg(map=np.ones((0, 4)), mmax=2, **pixels).shape == (0, 1, 3)


def test_wrong_arguments():
    leg, alm, theta = np.zeros((1, 2, 4), complex), np.zeros((1, 10), complex), np.ones(2)
    good = {"lmax": 3, "theta": theta}
    armilla.sht.alm2leg(alm=alm, **good), armilla.sht.leg2alm(leg=leg, **good)
    one, two = np.array([1]), np.array([0, 4])
    for more in ({"mval": one}, {"mstart": one}, {"mval": one, "mstart": two}, {"spin": 4},
                 {"mode": "BEST"}, {"mode": "GRAD_ONLY"}, {"theta": theta + 3},
                 {"mval": two, "mstart": two}, {"mval": two * 0, "mstart": two}, {"lstride": 0},
                 {"theta": theta[None]}):
        with pytest.raises(armilla.sht.Error):
            armilla.sht.alm2leg(alm=alm, **{**good, **more})
    for call in (lambda: armilla.sht.alm2leg(alm=alm[:, :9], **good),
                 lambda: armilla.sht.alm2leg(alm=alm, leg=leg[..., :3], **good),
                 lambda: armilla.sht.alm2leg(alm=alm, leg=np.zeros((1, 2, 5), complex), **good),
                 lambda: armilla.sht.leg2alm(leg=leg[..., :3], **good),
                 lambda: armilla.sht.leg2alm(leg=leg, alm=alm.astype("F"), **good)):
        with pytest.raises(armilla.sht.Error):
            call()
    with pytest.raises(TypeError):
        armilla.sht.alm2leg(alm=[[0]], **good)
    where = {"nphi": np.array([4, 4]), "phi0": np.zeros(2), "ringstart": np.array([0, 4])}
    for call in (lambda: armilla.sht.leg2map(leg=leg[:, :1], **where),
                 lambda: armilla.sht.leg2map(leg=leg[0], **where),
                 lambda: armilla.sht.leg2map(leg=leg, map=np.zeros((1, 7)), **where),
                 lambda: armilla.sht.map2leg(map=np.zeros((1, 7)), mmax=3, **where),
                 lambda: armilla.sht.map2leg(map=np.zeros(8), mmax=3, **where)):
        with pytest.raises(armilla.sht.Error):
            call()
