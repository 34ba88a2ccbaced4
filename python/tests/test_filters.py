"""armilla.filters: matched filters against closed forms, simulated sources and Gaussian peaks."""
import pickle

import numpy as np
import pytest

import armilla
import armilla.healpy as hp
from armilla import filters
from masked_skies import places

LMAX, NSIDE = 191, 128
GRID = armilla.Grid.healpix(NSIDE)
L = np.arange(LMAX + 1.0)
BEAM = armilla.spectrum.gaussian_beam(np.radians(2), LMAX)
POWER = np.exp(-L / 10) / (L + 1) * BEAM ** 2 + 1e-6
SEARCH = filters.MatchedFilter(BEAM, POWER)


def sources(loc, amplitudes):
    """Coefficients of points through the beam."""
    return armilla.alm.multiply_window(
        armilla.adjoint_evaluate(np.asarray(amplitudes, float), LMAX, loc), BEAM)


def test_amplitude_and_noise():
    """The filtered map has the amplitude where the source is, and sigma elsewhere."""
    weights = (2 * L + 1) / (4 * np.pi)
    assert np.isclose(weights @ (SEARCH.window * BEAM), 1)
    assert np.isclose(weights @ (SEARCH.window ** 2 * POWER), SEARCH.sigma ** 2)
    for change in (0.05 * np.cos(L), BEAM, 1e-3 * L):  # no other filter has less noise
        other = SEARCH.window + 0.1 * SEARCH.window.max() * change
        other = other / (weights @ (other * BEAM))
        assert weights @ (other ** 2 * POWER) > SEARCH.sigma ** 2
    alm = sources([[1.0, 2.0]], [3.0])
    sky = armilla.SHT(GRID, LMAX).synthesis(alm)
    made = SEARCH.apply(sky, GRID)
    near = hp.ang2pix(NSIDE, 1.0, 2.0)
    expected = armilla.evaluate(armilla.alm.multiply_window(alm, SEARCH.window), LMAX,
                                np.array([hp.pix2ang(NSIDE, near)]))
    np.testing.assert_allclose(made[near], expected[0], rtol=1e-3)


def test_pixel_by_pixel():
    """The filter as a radial kernel, without transforms."""
    beam = armilla.spectrum.gaussian_beam(np.radians(12), 47)
    narrow = filters.MatchedFilter(beam, np.full(48, 1e-4))
    grid = armilla.Grid.healpix(32)
    sky = armilla.SHT(grid, 47).synthesis(armilla.alm.random(47, beam ** 2, seed=1))
    made = narrow.apply(sky, grid)
    radial = armilla.convolve(sky, narrow.kernel, support=1.0)
    np.testing.assert_allclose(radial, made, atol=1e-2 * abs(made).max())


def test_sources_are_unbiased():
    """1000 amplitudes: their mean is right within 3 sigma; positions within the resolution."""
    centres = np.array(hp.pix2ang(4, np.arange(192))).T[::2][:96]
    plan, errors, distances = armilla.SHT(GRID, LMAX), [], []
    for seed in range(11):
        rng = np.random.default_rng(seed)
        loc = centres + rng.uniform(-0.03, 0.03, centres.shape)
        sky = plan.synthesis(armilla.alm.random(LMAX, POWER, seed=seed)
                             + sources(loc, np.full(len(loc), 40 * SEARCH.sigma)))
        found = SEARCH.find(sky, 20, GRID)
        assert len(found.loc) == len(loc)
        cosines = hp.ang2vec(*loc.T) @ hp.ang2vec(*found.loc.T).T
        which = cosines.argmax(axis=0)
        assert sorted(which) == list(range(len(loc)))
        distances.extend(np.arccos(np.clip(cosines.max(axis=0), -1, 1)))
        errors.extend(found.signal_to_noise - 40)
        assert (np.diff(found.amplitude) <= 0).all()
    assert len(errors) == 1056
    assert abs(np.mean(errors)) < 3 * np.std(errors) / np.sqrt(len(errors)) + 0.02
    assert 0.9 < np.std(errors) < 1.1
    assert np.max(distances) < np.radians(2) / 8


def test_false_maxima_are_as_many_as_statistics_say():
    counts = {2.5: [], 3.0: []}
    plan = armilla.SHT(GRID, LMAX)
    for seed in range(12):
        sky = plan.synthesis(armilla.alm.random(LMAX, POWER, seed=100 + seed))
        found = SEARCH.find(sky, 2.5, GRID)
        for threshold, numbers in counts.items():
            numbers.append((found.signal_to_noise >= threshold).sum())
    for threshold, numbers in counts.items():
        expected = SEARCH.expected_maxima(threshold)
        error = np.std(numbers) / np.sqrt(len(numbers)) + 0.01 * expected
        assert abs(np.mean(numbers) - expected) < 3 * error, (threshold, expected, np.mean(numbers))
    assert SEARCH.expected_maxima(5) < 0.1 < SEARCH.expected_maxima(3)


@pytest.mark.parametrize("grid", [armilla.Grid.healpix(16), armilla.Grid.gauss_legendre(40, 80),
                                  armilla.Grid.octahedral(20),
                                  armilla.Grid.equidistant("CC", 41, 80)])
def test_maxima_on_every_grid(grid):
    """Bumps at pixels here and there, poles and first longitudes among them, are found."""
    theta, phi = places(grid)
    vectors = hp.ang2vec(theta, phi)
    is_pole = np.minimum(theta, np.pi - theta) < 1e-9
    bumps = [200 if is_pole.any() else 0, grid.npix // 4 + 3, 5 * grid.npix // 8, grid.npix - 400]
    sky = sum(np.exp(80 * (vectors @ vectors[i] - 1)) for i in bumps)
    np.testing.assert_array_equal(filters.maxima(sky, grid, 0.5), np.sort(bumps))
    assert filters.maxima(-sky, grid, 0.5).size == 0
    flat = np.where(np.arange(grid.npix) == bumps[1], np.nan, sky)
    assert bumps[1] not in filters.maxima(flat, grid, 0.5)
    wide = np.minimum(sky, 0.9)  # of each plateau at least one pixel, and far from all
    found = filters.maxima(wide, grid, 0.5)
    assert found.size < 12
    assert all((vectors[found] @ vectors[i]).max() > np.cos(0.15) for i in bumps)


@pytest.mark.parametrize("how", ["nested", "south_first", "west_first"])
def test_other_sequences_of_pixels(how):
    """The same sources, in pixels of another order."""
    plain = armilla.SHT(GRID, LMAX)
    sky = plain.synthesis(sources([[1.0, 2.0], [2.0, 4.0]], np.array([30, 50]) * SEARCH.sigma))
    other = (armilla.Grid.healpix(NSIDE, nested=True) if how == "nested"
             else GRID.laid_out(**{how: True}))
    given = armilla.SHT(other, LMAX).synthesis(plain.analysis(sky))
    one, two = SEARCH.find(sky, 20, GRID), SEARCH.find(given, 20, other)
    assert len(one.loc) == 2
    np.testing.assert_allclose(two.loc, one.loc, atol=2e-3)
    np.testing.assert_allclose(two.amplitude, one.amplitude, rtol=2e-2)
    theta, phi = other.pixels()
    cosines = (hp.ang2vec(theta[two.pixel], phi[two.pixel]) * hp.ang2vec(*two.loc.T)).sum(axis=1)
    assert (np.arccos(np.clip(cosines, -1, 1)) < np.radians(1)).all()


def test_masks():
    rng = np.random.default_rng(3)
    loc = np.array([[1.0, 2.0], [2.0, 4.0]])
    sky = armilla.SHT(GRID, LMAX).synthesis(sources(loc, [1.0, 2.0])
                                            + 1e-9 * rng.standard_normal(armilla.alm.size(LMAX)))
    theta = hp.pix2ang(NSIDE, np.arange(GRID.npix))[0]
    found = SEARCH.find(np.where(theta > 1.5, np.nan, sky), 3, GRID, mask=theta <= 1.5)
    np.testing.assert_allclose(found.loc[:1], loc[:1], atol=2e-3)
    assert not (found.loc[:, 0] > 1.52).any()
    assert len(SEARCH.find(sky, 1e12, GRID).loc) == 0
    again = pickle.loads(pickle.dumps(SEARCH))
    np.testing.assert_array_equal(again.window, SEARCH.window)
    assert repr(again) == repr(SEARCH) and again.lmax == LMAX


@pytest.mark.parametrize("how, words", [
    ((np.ones(5), np.ones(6)), "power: has shape"),
    ((np.ones((5, 1)), np.ones(5)), "profile: has shape"),
    ((np.zeros(5), np.ones(5)), "profile: is 0"),
    ((np.ones(5), np.array([1, 1, 0, 1, 1])), "power: at l = 2 it is 0"),
    ((np.ones(5), -np.ones(5)), "power: at l = 0 it is -1"),
    ((np.array([1, np.nan]), np.ones(2)), "profile: must be finite"),
    ((np.ones(5), np.ones(5), 5), "profile: is 0 at all degrees"),
    ((np.ones(5), np.ones(5), -1), "lmin = -1"),
])
def test_wrong_filters(how, words):
    with pytest.raises(ValueError, match=words):
        filters.MatchedFilter(*how)


def test_wrong_maps():
    with pytest.raises(ValueError, match="threshold = -1"):
        SEARCH.find(np.ones(GRID.npix), -1, GRID)
    with pytest.raises(ValueError, match="map: has shape"):
        SEARCH.find(np.ones(5), 5, GRID)
    with pytest.raises(ValueError, match="mask: has shape"):
        SEARCH.find(np.ones(GRID.npix), 5, GRID, mask=np.ones(3))
    with pytest.raises(ValueError, match=r"map\[0\] = nan: is missing"):
        SEARCH.find(np.full(GRID.npix, np.nan), 5, GRID)
    with pytest.raises(ValueError, match="map: has shape"):
        filters.maxima(np.ones(5), GRID)
