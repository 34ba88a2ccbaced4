"""Catalogues as fields of armilla.pseudo_cl: against maps, sums over pairs, and skies at random."""
import pickle

import numpy as np
import pytest

import armilla
from armilla import pseudo_cl
from armilla.pseudo_cl import Bands, Coupling, Field

RNG = np.random.default_rng(11)


def points(n, rng=RNG):
    """In a part of the sky, more of them near its middle."""
    return np.column_stack([np.arccos(rng.uniform(-0.2, 1, n) ** 3), 2 * np.pi * rng.random(n)])


def test_catalogue_of_pixel_centres_is_the_map():
    grid = armilla.Grid.healpix(16)
    theta, phi = armilla.healpy.pix2ang(16, np.arange(grid.npix))
    mask = np.clip(np.cos(theta) + 0.3, 0, 1)
    maps = RNG.standard_normal((3, grid.npix))
    loc = np.column_stack([theta, phi])[mask > 0]
    weights = (mask * 4 * np.pi / grid.npix)[mask > 0]
    both = []
    for spin, values in ((0, maps[0]), (2, maps[1:])):
        both.append((Field.from_map(values, mask, spin=spin, lmax=24),
                     Field.from_catalogue(loc, values[..., mask > 0], 24, spin=spin, lmask=47,
                                          weights=weights, subtract_noise=False, epsilon=1e-12)))
    for one, two in ((0, 0), (0, 1), (1, 1)):
        of_maps = Coupling(both[one][0], both[two][0], 6)
        of_points = Coupling(both[one][1], both[two][1], 6)
        np.testing.assert_allclose(of_points.mask_cl, of_maps.mask_cl, rtol=0, atol=1e-11)
        np.testing.assert_allclose(of_points.pseudo, of_maps.pseudo, rtol=0, atol=1e-13)
        np.testing.assert_allclose(of_points.decouple().powers, of_maps.decouple().powers,
                                   rtol=0, atol=1e-10)


def legendre(lmax, x):
    return np.array([np.polynomial.legendre.Legendre.basis(l)(x) for l in range(lmax + 1)])


def test_pairs_of_a_point_with_itself_are_left_out():
    loc, values, weights = points(40), RNG.standard_normal(40), RNG.random(40)
    weights[7], values[7] = 0, np.nan
    field = Field.from_catalogue(loc, values, 12, weights=weights, lmask=15, epsilon=1e-12)
    values[7] = 0
    x, y, z = (np.sin(loc[:, 0]) * np.cos(loc[:, 1]), np.sin(loc[:, 0]) * np.sin(loc[:, 1]),
               np.cos(loc[:, 0]))
    cosines = np.clip(sum(np.outer(a, a) for a in (x, y, z)), -1, 1)
    off = 1 - np.eye(40)
    for given, made, lmax in ((weights * values, pseudo_cl.pseudo(field)[0], 12),
                              (weights, Coupling(field, bands=5).mask_cl, 15)):
        pairs = np.outer(given, given) * off
        np.testing.assert_allclose(made, (legendre(lmax, cosines) * pairs).sum((1, 2)) / 4 / np.pi,
                                   rtol=0, atol=1e-12)
    other = Field.from_catalogue(points(30), np.ones(30), 12, epsilon=1e-12)
    np.testing.assert_allclose(pseudo_cl.pseudo(field, other)[0],
                               armilla.spectrum.compute(field.alm[0], other.alm[0]))


def test_noise_alone_has_no_bias():
    """Spins 0, 2 and 2 with another field of the same points; EB of fields that are turned."""
    n, lmax, bands, mean = 300, 20, Bands.linear(20, 5), []
    loc = points(n)
    for _ in range(60):
        noise = RNG.standard_normal((3, n))
        turned = np.array([-noise[2], noise[1]]) + RNG.standard_normal((2, n))
        fields = [Field.from_catalogue(loc, noise[0], lmax),
                  Field.from_catalogue(loc, noise[1:], lmax, spin=2),
                  Field.from_catalogue(loc, turned, lmax, spin=2)]
        mean.append(np.concatenate([bands.average(pseudo_cl.pseudo(fields[i], fields[j])).ravel()
                                    for i, j in ((0, 0), (1, 1), (1, 2), (0, 1))]))
    assert not pseudo_cl.pseudo(fields[1], fields[2])[:, :2].any()
    mean = np.array(mean)
    error = mean.std(axis=0) / np.sqrt(len(mean))
    assert (abs(mean.mean(axis=0)) < 4 * error).all()
    raw = [Field.from_catalogue(loc, v, lmax, spin=2, subtract_noise=False) for v in
           (noise[1:], turned)]
    assert abs(bands.average(pseudo_cl.pseudo(*raw))[1].mean()) > 20 * error.mean()


def test_skies_at_points():
    """The mean of decoupled powers is what theory says, with noise in the values."""
    lmax, n, bands, made = 32, 4000, Bands.linear(32, 6), []
    l = np.arange(lmax + 1.0)
    tt, ee, bb = 1 / (l + 10) ** 2, 0.3 / (l + 5) ** 2, 0.02 / (l + 5) ** 2
    ee[:2] = bb[:2] = 0
    loc, weights = points(n), 0.5 + RNG.random(n)
    plans = armilla.Points(lmax, loc), armilla.Points(lmax, loc, 2)
    for seed in range(30):
        t, e, b = (armilla.alm.random(lmax, cl, seed=seed + 100 * k)
                   for k, cl in enumerate((tt, ee, bb)))
        values = plans[0].synthesis(t) + 0.1 * RNG.standard_normal(n)
        shear = plans[1].synthesis([e, b]) + 0.1 * RNG.standard_normal((2, n))
        scalar = Field.from_catalogue(loc, values, lmax, weights=weights)
        spin = Field.from_catalogue(loc, shear, lmax, weights=weights, spin=2)
        couplings = [Coupling(scalar, bands=bands), Coupling(spin, bands=bands)]
        made.append(np.concatenate([c.decouple().powers for c in couplings]))
    made = np.array(made)
    zero = np.zeros_like(l)
    want = np.concatenate([np.atleast_2d(couplings[0].theory(tt)),
                           couplings[1].theory([ee, zero, zero, bb])])
    error = made.std(axis=0, ddof=1) / np.sqrt(len(made))
    assert (abs(made.mean(axis=0) - want) < 4.5 * error).all()


def test_fields_of_catalogues_are_objects_like_others():
    loc, values = points(60), RNG.standard_normal(60)
    field = Field.from_catalogue(loc, values, 10)
    assert field.grid is None and field.mask is None and "60 points" in repr(field)
    again = pickle.loads(pickle.dumps(field))
    np.testing.assert_array_equal(pseudo_cl.pseudo(again), pseudo_cl.pseudo(field))
    np.testing.assert_array_equal(pseudo_cl.pseudo(again, field), pseudo_cl.pseudo(field))
    result = Coupling(field, bands=3).decouple()
    assert result.fsky is None and np.isfinite(result.plain()).all()
    with pytest.raises(ValueError, match="knox_errors: needs the maps"):
        result.knox_errors(0.5)
    with pytest.raises(ValueError, match="with_map: this Field is of a catalogue"):
        field.with_map(values)


@pytest.mark.parametrize("change, error, words", [
    ({"loc": np.zeros((0, 2)), "values": []}, ValueError, "loc: has no points"),
    ({"loc": [[4.0, 0], [1, 1]]}, ValueError, "loc: theta of point 0"),
    ({"values": [1.0]}, ValueError, r"values: has shape \(1,\), must have \(2,\)"),
    ({"spin": 2}, ValueError, r"values: has shape \(2,\), must have \(2, 2\)"),
    ({"values": [1, np.nan]}, ValueError, "values: of point 1 are not finite"),
    ({"weights": [1, -1]}, ValueError, "weights: of point 1 it is -1"),
    ({"weights": [0, 0]}, ValueError, "weights: are 0 everywhere"),
    ({"weights": [1]}, ValueError, r"weights: has shape \(1,\)"),
    ({"spin": 9}, ValueError, "spin = 9: must be 0 .. lmax = 8"),
    ({"lmax": -1}, ValueError, "lmax = -1"),
    ({"beam": [1]}, ValueError, "beam: has shape"),
    ({"epsilon": 2}, ValueError, "epsilon"),
])
def test_wrong_catalogues(change, error, words):
    given = {"loc": [[0.5, 0.1], [1, 1]], "values": [1.0, 2], "lmax": 8, **change}
    with pytest.raises(error, match=words):
        Field.from_catalogue(**given)


# --- Positions and random points ------------------------------------------------------------------


def test_pairs_of_positions():
    """Every pair of objects and random points but those of a point with itself, and the mask."""
    sky, weights = points(50), RNG.random(50) + 0.5
    loc, randoms = sky[:15], sky[15:]
    field = Field.from_positions(loc, randoms, 9, weights=weights[:15],
                                 random_weights=weights[15:], lmask=11, epsilon=1e-12)
    share = weights[:15].sum() / weights[15:].sum()
    x, y, z = (np.sin(sky[:, 0]) * np.cos(sky[:, 1]), np.sin(sky[:, 0]) * np.sin(sky[:, 1]),
               np.cos(sky[:, 0]))
    cosines = np.clip(sum(np.outer(a, a) for a in (x, y, z)), -1, 1)
    signs = np.concatenate([weights[:15], -share * weights[15:]])
    seen = np.concatenate([np.zeros(15), share * weights[15:]])
    assert abs(field.alm[0, 0]) < 1e-12  # objects and random points have one sum
    for given, made, lmax in ((signs, pseudo_cl.pseudo(field)[0], 9),
                              (seen, Coupling(field, bands=4).mask_cl, 11)):
        pairs = np.outer(given, given) * (1 - np.eye(50))
        np.testing.assert_allclose(made, (legendre(lmax, cosines) * pairs).sum((1, 2)) / 4 / np.pi,
                                   rtol=0, atol=1e-11)
    again = pickle.loads(pickle.dumps(field))
    np.testing.assert_array_equal(pseudo_cl.pseudo(again), pseudo_cl.pseudo(field))
    assert repr(field).endswith("at 35 points>") and field.spin == 0


def test_positions_without_clusters_have_no_power():
    """And those that follow a density have its spectrum."""
    lmax, bands, kinds = 24, Bands.linear(24, 6), ([], [])
    grid = armilla.Grid.healpix(64)
    theta, phi = armilla.healpy.pix2ang(64, np.arange(grid.npix))
    cl = np.where(np.arange(lmax + 1) < 1, 0, 0.001)
    for seed in range(30):
        contrast = armilla.SHT(grid, lmax).synthesis(armilla.alm.random(lmax, cl, seed=seed))
        seen = theta < 1.9
        for powers, density in zip(kinds, (seen * 1.0, seen * np.clip(1 + contrast, 0, None))):
            drawn = RNG.choice(grid.npix, 2000, p=density / density.sum())
            loc = np.column_stack([theta[drawn], phi[drawn]])
            randoms = np.column_stack([theta[seen], phi[seen]])
            field = Field.from_positions(loc, randoms, lmax)
            powers.append(Coupling(field, bands=bands).decouple()["TT"])
    for powers, expected in zip(kinds, (0, 0.001)):
        error = np.std(powers, axis=0) / np.sqrt(len(powers))
        assert (abs(np.mean(powers, axis=0) - expected) < 4 * error + 0.05 * expected).all()
        assert (error < 3e-4).all()


def test_positions_at_the_poles_in_single_precision():
    """The float above pi is the south pole."""
    loc, randoms = np.array([[np.pi, 0], [0, 1]]), np.array([[np.pi, 0], [1, 2], [0, 0]])
    single, double = (Field.from_positions(loc.astype(kind), randoms.astype(kind), 6)
                      for kind in ("f4", "f8"))
    np.testing.assert_allclose(single.alm, double.alm, atol=1e-5)


def test_wrong_positions():
    loc, randoms = points(10), points(30)
    for how, words in (({"randoms": randoms[:0]}, "randoms: has no points"),
                       ({"loc": loc[:0]}, "loc: has no points"),
                       ({"randoms": randoms[:, :1]}, "randoms: has shape"),
                       ({"randoms": randoms + [3, 0]}, "randoms: theta of point 0"),
                       ({"random_weights": np.ones(3)}, "random_weights: has shape"),
                       ({"random_weights": -np.ones(30)}, "random_weights: of point 0 it is -1"),
                       ({"weights": np.zeros(10)}, "weights: are 0 everywhere"),
                       ({"lmax": -1}, "lmax = -1")):
        given = {"loc": loc, "randoms": randoms, "lmax": 8, **how}
        with pytest.raises(ValueError, match=words):
            Field.from_positions(**given)
