"""Templates projected out of masked fields, and noise without correlations: their means against
sums over all degrees of freedom, which are exact, and what is refused."""
import itertools
import pickle

import numpy as np
import pytest

import armilla
from armilla import pseudo_cl
from armilla.pseudo_cl import Coupling, Field
from masked_skies import MASK, SKY

LMAX = 7
GRID = armilla.Grid.gauss_legendre(26, 52)
SIZE = armilla.alm.size(LMAX)


def synthesis(component, alm, spin):
    """The map of a component of a field."""
    if not spin:
        return armilla.SHT(GRID, LMAX).synthesis(alm)
    both = np.zeros((2, SIZE), complex)
    both[component, :] = np.where(DEGREES < spin, 0, alm)
    return armilla.SHT(GRID, LMAX, spin=spin).synthesis(both)


DEGREES = np.concatenate([np.arange(m, LMAX + 1) for m in range(LMAX + 1)])


def freedoms():
    """Each real degree of freedom: its degree, and its coefficients of mean square 1."""
    for at, l in enumerate(DEGREES):
        for factor in (1,) if at <= LMAX else (np.sqrt(0.5), 1j * np.sqrt(0.5)):
            alm = np.zeros(SIZE, complex)
            alm[at] = factor
            yield l, alm


def mean_pseudo(one, two, cl):
    """Exact means of the pseudo-spectra of random fields with the cross spectra cl (ncomp1, ncomp2,
    lmax + 1)."""
    return sum(cl[a, b, l] * pseudo_cl.pseudo(one.with_map(synthesis(a, alm, one.spin)),
                                              two.with_map(synthesis(b, alm, two.spin)))
               for l, alm in freedoms()
               for a, b in itertools.product(*map(range, cl.shape[:2])))


def smooth(rng, ncomp=1):
    """A map of few degrees, which has much in common with random fields."""
    values = armilla.SHT(GRID, 3).synthesis(np.stack([
        armilla.alm.random(3, np.ones(4), seed=int(seed)) for seed in rng.integers(0, 999, ncomp)]))
    return values if ncomp > 1 else values[0]


def field(spin, ntemplates, seed):
    rng = np.random.default_rng(seed)
    mask = np.clip(rng.uniform(-0.3, 1, GRID.npix), 0, None)
    ncomp = 2 if spin else 1
    given = [smooth(rng, ncomp) for _ in range(ntemplates)] or None
    return Field.from_map(smooth(rng, ncomp), mask, GRID, spin=spin, lmax=LMAX, templates=given)


def without_templates(one):
    nothing = np.zeros((2, GRID.npix) if one.spin else GRID.npix)
    return Field.from_map(nothing, one.mask, GRID, spin=one.spin, lmax=LMAX)


@pytest.mark.parametrize("spins, numbers", [((0, 0), (2, 0)), ((0, 0), (0, 1)), ((0, 2), (1, 2)),
                                            ((2, 2), (2, 1)), ((1, 1), (1, 0))])
def test_bias_of_projection(spins, numbers):
    fields = [field(spin, n, 3 + i) for i, (spin, n) in enumerate(zip(spins, numbers))]
    masks = [without_templates(one) for one in fields]
    cl = np.random.default_rng(9).standard_normal((2 if spins[0] else 1, 2 if spins[1] else 1,
                                                   LMAX + 1))
    cl[..., :max(spins)] = 0
    expected = mean_pseudo(*fields, cl) - mean_pseudo(*masks, cl)
    coupling = Coupling(*fields, pseudo_cl.Bands.linear(LMAX, 3))
    made = coupling.deprojection_bias(cl.reshape(-1, LMAX + 1))
    assert abs(expected).max() > 0.01
    np.testing.assert_allclose(made, expected, atol=1e-12 * abs(mean_pseudo(*masks, cl)).max())


def test_auto_spectrum_has_the_bias_of_one_field():
    one = field(2, 2, 5)
    cl = np.array([[1.0, 0.2], [0.2, 0.5]])[..., np.newaxis] * np.ones(LMAX + 1)
    cl[..., :2] = 0
    mask = without_templates(one)
    expected = mean_pseudo(one, one, cl) - mean_pseudo(mask, mask, cl)
    made = Coupling(one, bands=pseudo_cl.Bands.linear(LMAX, 3)).deprojection_bias(
        cl.reshape(4, -1))
    np.testing.assert_allclose(made, expected, atol=1e-12 * abs(mean_pseudo(mask, mask, cl)).max())


def test_bias_of_pure_fields():
    """The mask vanishes with its slope at its edge, where what is pure needs it."""
    theta = np.repeat(GRID.rings["theta"], GRID.rings["nphi"])
    mask = np.clip(np.cos(theta) + 0.5, 0, None) ** 3
    how = {"spin": 2, "lmax": LMAX, "purify_b": True}
    given = [smooth(np.random.default_rng(4), 2) for _ in range(2)]
    nothing = np.zeros((2, GRID.npix))
    one = Field.from_map(nothing, mask, GRID, templates=given, **how)
    without = Field.from_map(nothing, mask, GRID, **how)
    cl = np.eye(2)[..., np.newaxis] * np.ones(LMAX + 1)
    cl[..., :2] = 0
    expected = mean_pseudo(one, one, cl) - mean_pseudo(without, without, cl)
    made = Coupling(one, bands=pseudo_cl.Bands.linear(LMAX, 3)).deprojection_bias(cl.reshape(4, -1))
    np.testing.assert_allclose(made, expected,
                               atol=1e-12 * abs(mean_pseudo(without, without, cl)).max())
    with pytest.raises(ValueError, match="noise_spectrum: purification"):
        one.noise_spectrum(1.0)


@pytest.mark.parametrize("spin, number", [(0, 0), (0, 2), (2, 0), (2, 1)])
def test_noise_spectrum(spin, number):
    one = field(spin, number, 7)
    sigma = np.random.default_rng(2).uniform(0.5, 2, GRID.npix)
    expected = 0
    for pixel in np.flatnonzero(one.mask > 0):
        for part in range(2 if spin else 1):
            noise = np.zeros((2 if spin else 1, GRID.npix))
            noise[part, pixel] = sigma[pixel]
            expected = expected + pseudo_cl.pseudo(one.with_map(noise if spin else noise[0]))
    np.testing.assert_allclose(one.noise_spectrum(sigma), expected,
                               atol=1e-12 * abs(expected).max())
    np.testing.assert_allclose(one.noise_spectrum(2.0), one.noise_spectrum(np.full(GRID.npix, 2)))


def test_what_is_projected_is_gone():
    """Amounts of templates do not matter, whether or not they depend on one another, and twice is
    as good as once."""
    rng = np.random.default_rng(1)
    sky, dust, synchrotron = rng.standard_normal((3, 2, SKY.npix))
    clean = Field.from_map(sky, MASK, spin=2, templates=[dust, synchrotron])
    dirty = Field.from_map(sky + 3 * dust - 7 * synchrotron, MASK, spin=2, templates=np.stack(
        [1e-20 * dust, synchrotron + dust, synchrotron]))
    np.testing.assert_allclose(dirty.alm, clean.alm, atol=1e-12)
    other = clean.with_map(sky + 1e3 * dust)
    np.testing.assert_allclose(other.alm, clean.alm, atol=1e-10)
    again = pickle.loads(pickle.dumps(clean)).with_map(sky)
    np.testing.assert_array_equal(again.alm, clean.alm)
    single = Field.from_map(sky.astype("f4"), MASK, spin=2, templates=[dust.astype("f4")])
    assert single.alm.dtype == np.complex64
    hidden = np.where(MASK > 0, dust, np.nan)
    np.testing.assert_array_equal(
        Field.from_map(sky, MASK, spin=2, templates=[hidden, synchrotron]).alm, clean.alm)
    alone = Field.from_map(dust[0], MASK, templates=[dust[0]])
    assert abs(alone.alm).max() < 1e-13


def test_pixel_windows():
    sky = np.random.default_rng(1).standard_normal((2, SKY.npix))
    window = armilla.healpy.pixwin(32, True, 64)
    for spin in (0, 2):
        one = Field.from_map(sky if spin else sky[0], MASK, spin=spin, pixwin=True)
        np.testing.assert_array_equal(one.window, window[spin // 2])
    assert Field.from_map(sky[0], MASK, pixwin=False).window is None
    given = pseudo_cl.spectrum(sky[0], MASK, 9, pixwin=window[0])
    np.testing.assert_array_equal(pseudo_cl.spectrum(sky[0], MASK, 9, pixwin=True).powers,
                                  given.powers)


@pytest.mark.parametrize("how, words", [
    ({"templates": []}, r"templates: has shape \(0,\)"),
    ({"templates": [np.zeros(SKY.npix)]}, "template 0 is 0 wherever"),
    ({"templates": [np.ones(SKY.npix), np.where(MASK > 0, 0, 1)]}, "template 1 is 0 wherever"),
    ({"templates": np.ones(SKY.npix)}, r"templates\[0\]: has shape \(\)|templates: has shape"),
    ({"templates": [np.full(SKY.npix, np.nan)]}, r"templates\[0\]: pixel \d+ is missing"),
    ({"templates": np.ones((1, 2, SKY.npix))}, r"templates\[0\]: has shape"),
    ({"pixwin": True, "spin": 1}, "pixwin = True: .* spin is 1"),
    ({"pixwin": True, "grid": "O32"}, "pixwin = True"),
    ({"pixwin": True, "lmax": 129}, "pixwin = True: is known up to 4 nside = 128"),
])
def test_wrong_templates_and_windows(how, words):
    grid = armilla.Grid.named(how["grid"]) if "grid" in how else SKY
    sky = np.ones((2, grid.npix)) if how.get("spin") else np.ones(grid.npix)
    with pytest.raises(ValueError, match=words):
        Field.from_map(sky, np.ones(grid.npix) if grid is not SKY else MASK, **how)


def test_wrong_noise():
    one = Field.from_map(np.ones(SKY.npix), MASK)
    seen = int(np.argmax(MASK > 0))
    for wrong in (-1.0, np.nan):
        sigma = np.ones(SKY.npix)
        sigma[seen] = wrong
        with pytest.raises(ValueError, match=f"sigma: of pixel {seen} it is"):
            one.noise_spectrum(sigma)
    with pytest.raises(ValueError, match="sigma: has shape"):
        one.noise_spectrum(np.ones(5))
    points = Field.from_catalogue(np.ones((3, 2)), np.ones(3), 4)
    with pytest.raises(ValueError, match="subtracted already"):
        points.noise_spectrum(1.0)
    with pytest.raises(ValueError, match="deprojection_bias: needs the maps"):
        Coupling(points, bands=2).deprojection_bias(np.ones(5))
    with pytest.raises(ValueError, match="cl: has shape"):
        Coupling(one).deprojection_bias(np.ones(5))
