"""armilla.evaluate_solid: potentials in space against closed forms and against values on
the sphere."""
import numpy as np
import pytest

import armilla
from helpers import random_alm, relative

LMAX = 20


def places(count=60, seed=1, low=1.0, high=1.4):
    """Anywhere in a shell, the poles among them."""
    rng = np.random.default_rng(seed)
    loc = np.stack([np.arccos(rng.uniform(-1, 1, count)), rng.uniform(-9, 9, count),
                    rng.uniform(low, high, count)], axis=1)
    loc[:2, 0] = 0, np.pi
    return loc


def axes(loc):
    """Rows e_r, e_theta, e_phi of each point."""
    theta, phi = loc[:, 0], loc[:, 1]
    s, c, sp, cp = np.sin(theta), np.cos(theta), np.sin(phi), np.cos(phi)
    return np.array([[s * cp, s * sp, c], [c * cp, c * sp, -s], [-sp, cp, 0 * s]])


def tensor(values):
    xx, xy, xz, yy, yz, zz = values[4:]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


@pytest.mark.parametrize("kind", ["exterior", "interior"])
def test_on_the_sphere_it_is_evaluate(kind):
    alm, loc = random_alm(LMAX, seed=3), places(low=2.5, high=2.5)
    solid = armilla.evaluate_solid(alm, LMAX, loc, kind=kind, radius=2.5, derivatives=1,
                                   frame="local")
    flat = armilla.evaluate(alm, LMAX, loc[:, :2], derivatives=1)
    assert relative(solid[0], flat[0]) < 1e-14
    assert relative(solid[2:] * 2.5, flat[1:]) < 1e-14


@pytest.mark.parametrize("kind", ["exterior", "interior"])
def test_local_components_are_those_of_the_same_tensor(kind):
    alm, loc = random_alm(LMAX, seed=4), places()
    both = [armilla.evaluate_solid(alm, LMAX, loc, kind=kind, derivatives=2, frame=frame)
            for frame in ("cartesian", "local")]
    turn = axes(loc)
    assert relative(np.einsum("ikn,kn->in", turn, both[0][1:4]), both[1][1:4]) < 1e-14
    turned = np.einsum("ikn,kln,jln->ijn", turn, tensor(both[0]), turn)
    assert relative(turned, tensor(both[1])) < 1e-14


def test_a_point_mass():
    """1 / |x - x0|, x0 on the z axis: a_l0 = sqrt(4 pi / (2 l + 1)) z0^l."""
    z0, lmax = 0.05, 12
    alm = np.zeros(armilla.alm.size(lmax), complex)
    degrees = np.arange(lmax + 1)
    alm[:lmax + 1] = np.sqrt(4 * np.pi / (2 * degrees + 1)) * z0 ** degrees
    loc = places()
    x = loc[:, 2] * axes(loc)[0] - np.array([[0], [0], [z0]])
    distance = np.sqrt((x ** 2).sum(axis=0))
    values = armilla.evaluate_solid(alm, lmax, loc, derivatives=2)
    assert relative(values[0], 1 / distance) < 1e-14
    assert relative(values[1:4], -x / distance ** 3) < 1e-14
    expected = (3 * x[:, None] * x[None] / distance ** 2 - np.eye(3)[:, :, None]) / distance ** 3
    assert relative(tensor(values), expected) < 1e-14


def test_a_turn_about_the_axis():
    alm, loc = random_alm(LMAX, seed=5), places()
    factors = [np.full(LMAX + 1 - m, np.exp(-0.7j * m)) for m in range(LMAX + 1)]
    turned = alm * np.concatenate(factors)
    moved = loc + [0, 0.7, 0]
    first = armilla.evaluate_solid(alm, LMAX, loc, derivatives=1, frame="local")
    second = armilla.evaluate_solid(turned, LMAX, moved, derivatives=1, frame="local")
    assert relative(first, second) < 2e-14


def test_leading_axes_out_and_layout():
    alm = np.stack([random_alm(LMAX, seed=seed) for seed in range(6)]).reshape(2, 3, -1)
    loc = places()
    values = armilla.evaluate_solid(alm, LMAX, loc, derivatives=1)
    assert values.shape == (2, 3, 4, len(loc))
    single = armilla.evaluate_solid(alm[1, 2], LMAX, loc, derivatives=1, nthreads=1)
    assert (values[1, 2] == single).all()
    out = np.empty((len(loc), 4)).T
    assert armilla.evaluate_solid(alm[1, 2], LMAX, loc, derivatives=1, out=out) is out
    assert (out == single).all()
    layout = armilla.Layout(LMAX)
    assert (armilla.evaluate_solid(alm[0, 0], LMAX, loc, layout=layout) == values[0, 0, 0]).all()
    assert armilla.evaluate_solid(alm[0, 0].astype(np.complex64), LMAX, loc).dtype == np.float64


def test_gaps_of_a_layout_are_zeros():
    layout = armilla.Layout.custom(LMAX, 40 * np.arange(LMAX + 1))
    for _ in range(3):  # memory that others have had
        np.full(layout.size, np.nan, complex)
        values = armilla.adjoint_evaluate_solid(np.ones(60), LMAX, places(), layout=layout)
        held = np.zeros(layout.size, bool)
        held[[layout.index(l, m) for m in range(LMAX + 1) for l in range(m, LMAX + 1)]] = True
        assert held.sum() < layout.size and (values[~held] == 0).all() and values[held].any()


def test_every_second_order_is_refused():
    layout = armilla.Layout(LMAX, LMAX // 2, 2)
    for call, given in ((armilla.evaluate_solid, np.zeros(layout.size, complex)),
                        (armilla.adjoint_evaluate_solid, np.ones(60))):
        with pytest.raises(ValueError, match="layout: mres = 2"):
            call(given, LMAX, places(), layout=layout, mmax=LMAX)


def test_the_result_may_lie_on_the_points():
    loc = places()
    expected = armilla.evaluate_solid(random_alm(LMAX, seed=1), LMAX, loc)
    out = loc.reshape(-1)[:len(loc)]
    assert (armilla.evaluate_solid(random_alm(LMAX, seed=1), LMAX, loc, out=out) == expected).all()


@pytest.mark.parametrize("wrong, text", [
    ({"derivatives": 3}, "derivatives = 3"), ({"kind": "inside"}, "kind = 'inside'"),
    ({"frame": "ned"}, "frame = 'ned'"), ({"radius": -1.0}, "radius = -1"),
    ({"radius": np.nan}, "radius = nan"), ({"mmax": LMAX + 1}, "mmax = 21")])
def test_wrong_arguments_are_named(wrong, text):
    with pytest.raises(ValueError, match=text):
        armilla.evaluate_solid(random_alm(LMAX, seed=1), LMAX, places(), **wrong)


@pytest.mark.parametrize("column, value, text", [
    (0, -0.1, r"loc\[7\]: theta = -0.1"), (1, np.inf, r"loc\[7\]: phi = inf"),
    (2, 0.0, r"loc\[7\]: r = 0: must be finite and above 0"), (2, np.nan, r"loc\[7\]: r = nan"),
    (2, 1e-40, r"loc\[7\]: r = .* might overflow")])
def test_wrong_points_are_named(column, value, text):
    loc = places()
    loc[7, column] = value
    with pytest.raises(ValueError, match=text):
        armilla.evaluate_solid(random_alm(LMAX, seed=1), LMAX, loc)


def test_shapes_are_checked():
    with pytest.raises(ValueError, match=r"must have \(npoints, 3\)"):
        armilla.evaluate_solid(random_alm(LMAX, seed=1), LMAX, places()[:, :2])
    with pytest.raises(ValueError, match="alm: has shape"):
        armilla.evaluate_solid(random_alm(LMAX, seed=1)[:-1], LMAX, places())
