"""armilla.pseudo_cl against sums of 3j symbols, sums over all coefficients, and skies at random."""
import math
import warnings
from fractions import Fraction

import numpy as np
import pytest

import armilla
import armilla.healpy as hp
from armilla import pseudo_cl
from armilla.pseudo_cl import Bands, Coupling, Field
from masked_skies import MASK, SKY, apodised, places

RNG = np.random.default_rng(5)
LMAX = 12
PAIRS = [(0, 0), (0, 2), (1, 0), (1, 1), (2, 2), (1, 2)]


def model(lmax):
    """TT, TE, EE, BB."""
    l = np.arange(lmax + 1.0)
    tt, ee, bb = 1 / (l + 10) ** 2, 0.3 / (l + 5) ** 2, 0.02 / (l + 5) ** 2
    te = 0.4 * np.sqrt(tt * ee)
    for cl in (te, ee, bb):
        cl[:2] = 0
    return tt, te, ee, bb


# --- Bands ----------------------------------------------------------------------------------------


def test_bands():
    bands = Bands.linear(20, 5)
    assert bands.nbands == 3 and bands.lmax == 16 and bands.quantity == "cl"
    np.testing.assert_array_equal(bands.begin, [2, 7, 12])
    np.testing.assert_allclose(bands.centres, [4, 9, 14])
    l = np.arange(30.0)
    np.testing.assert_allclose(bands.average([l, l * l]),
                               [[4, 9, 14], [np.mean(l[b:b + 5] ** 2) for b in (2, 7, 12)]])
    flat = Bands.edges([1, 4, 20], quantity="dl")
    np.testing.assert_allclose(flat.average(2 * np.pi / np.maximum(l * (l + 1), 1)), [1, 1])
    modes = Bands([0], [3], weights=2 * l + 1, factor=l + 1)
    np.testing.assert_allclose(modes.centres, [13 / 9])
    np.testing.assert_allclose(modes.average(l), [(3 * 2 + 5 * 6) / 9])
    assert modes.quantity == "factor" and Bands.linear(9, 2, first=0).begin[0] == 0
    assert bands == Bands([2, 7, 12], [7, 12, 17]) and hash(bands) == hash(Bands.linear(19, 5))
    assert bands != flat and bands != Bands.linear(20, 5, weights=np.ones(30)) and bands != 3
    assert bands.average(np.ones((0, 30))).shape == (0, 3)
    with pytest.raises(ValueError):
        bands.begin[0] = 1


@pytest.mark.parametrize("make, error, words", [
    (lambda: Bands([], []), ValueError, "nbands = 0"),
    (lambda: Bands([2], [2]), ValueError, "band 0 has degrees 2 .. 1"),
    (lambda: Bands([2, -1], [5, 3]), ValueError, "band 1 has degrees -1"),
    (lambda: Bands([2, 3], [5]), ValueError, "end: has 1 numbers"),
    (lambda: Bands([2.5], [5]), TypeError, "begin: must hold integers"),
    (lambda: Bands([[2]], [[5]]), ValueError, "begin: has shape"),
    (lambda: Bands([0], [5], quantity="dl"), ValueError, "^factor: at l = 0 it is 0"),
    (lambda: Bands([2], [5], factor=np.ones(5), quantity="dl"), ValueError, "factor"),
    (lambda: Bands([2], [5], quantity="Dl"), ValueError, "quantity = 'Dl'"),
    (lambda: Bands([2], [5], weights=np.ones(4)), ValueError, "weights: has shape"),
    (lambda: Bands([2], [5], weights=-np.ones(5)), ValueError, "^weights: at l = 2 it is -1"),
    (lambda: Bands([2], [5], weights=np.zeros(5)), ValueError, "band 0 has no degree"),
    (lambda: Bands([2], [5], factor=[1, 1, np.nan, 1, 1]), ValueError, "^factor: at l = 2"),
    (lambda: Bands.edges([2, 9, 5]), ValueError, "band 1 has degrees 9 .. 4"),
    (lambda: Bands.edges([2]), ValueError, "edges: has 1 numbers"),
    (lambda: Bands.linear(20, 0), ValueError, "width = 0"),
    (lambda: Bands.linear(5, 5), ValueError, "no band fits"),
    (lambda: Bands.linear(20, 5).average(np.ones(16)), ValueError, "band 2 has degrees 12 .. 16"),
    (lambda: Bands.linear(20, 5).average(1.0), ValueError, "cl: has shape"),
    (lambda: Bands.linear(20, 5).average(np.ones(30) * 1j), TypeError, "cl: must be real"),
])
def test_wrong_bands(make, error, words):
    with pytest.raises(error, match=words):
        make()


# --- Against the mathematics ----------------------------------------------------------------------


def three_j(l1, l2, l3, m1, m2):
    """Racah's formula in integers, m3 = -m1 - m2."""
    m3, f = -m1 - m2, math.factorial
    if not abs(l1 - l2) <= l3 <= l1 + l2 or abs(m1) > l1 or abs(m2) > l2 or abs(m3) > l3:
        return 0.0
    triangle = Fraction(f(l1 + l2 - l3) * f(l1 - l2 + l3) * f(-l1 + l2 + l3), f(l1 + l2 + l3 + 1))
    square = triangle * f(l1 - m1) * f(l1 + m1) * f(l2 - m2) * f(l2 + m2) * f(l3 - m3) * f(l3 + m3)
    total = Fraction(0)
    for t in range(max(0, l2 - l3 - m1, l1 - l3 + m2), min(l1 + l2 - l3, l1 - m1, l2 + m2) + 1):
        total += Fraction((-1) ** t, f(t) * f(l3 - l2 + m1 + t) * f(l3 - l1 - m2 + t) *
                          f(l1 + l2 - l3 - t) * f(l1 - m1 - t) * f(l2 + m2 - t))
    sign = (-1) ** (l1 - l2 - m3)
    return sign * float(total) * math.sqrt(square)


def matrices(mask_cl, spins):
    """M+ and M- (lmax + 1, lmax + 1), of which the sum is the only one unless both spins are."""
    made = np.zeros((2, LMAX + 1, LMAX + 1))
    for l in range(LMAX + 1):
        for k in range(LMAX + 1):
            for mask_l, power in enumerate(mask_cl):
                first, second = ((-1) ** s * three_j(l, k, mask_l, s, -s) for s in spins)
                made[(l + k + mask_l) % 2, l, k] += ((2 * k + 1) * (2 * mask_l + 1) * power *
                                                     first * second / (4 * np.pi))
    return made


@pytest.mark.parametrize("spins", PAIRS)
def test_against_3j_symbols(spins):
    mask_cl = RNG.standard_normal(2 * LMAX + 1) / (1 + np.arange(2 * LMAX + 1.0))
    mask_cl[0] += 6
    window = 1 / (1 + 0.1 * np.arange(LMAX + 1.0))
    bands = Bands.edges([2, 5, 9, 13], weights=np.arange(13.0), quantity="dl")
    coupling = Coupling.from_masks(mask_cl, LMAX, bands, spins, window=window)
    ncl, m = len(coupling.components), matrices(mask_cl, spins) * window
    cl = RNG.standard_normal((ncl, LMAX + 1))
    full = np.zeros((ncl, LMAX + 1, ncl, LMAX + 1))
    for i in range(ncl):
        full[i, :, i] = m[0] if ncl == 4 else m[0] + m[1]
        if ncl == 4:
            full[i, :, 3 - i] = m[1] * (-1 if i in (1, 2) else 1)
    expected = np.tensordot(full, cl, 2)
    scale = abs(expected).max()
    np.testing.assert_allclose(coupling.couple(cl if ncl > 1 else cl[0]).reshape(ncl, -1), expected,
                               atol=1e-13 * scale)
    whole = m if ncl == 4 else m.sum(axis=0)[np.newaxis]
    np.testing.assert_allclose(coupling.full_matrix(), whole, atol=1e-13 * abs(whole).max())
    # the bands, in one dense system
    l = np.arange(LMAX + 1.0)
    mean = np.zeros((3, LMAX + 1))
    back = np.zeros((LMAX + 1, 3))
    for b, (begin, end) in enumerate(zip(bands.begin, bands.end)):
        mean[b, begin:end] = l[begin:end] / l[begin:end].sum()
        back[begin:end, b] = 2 * np.pi / (l * (l + 1))[begin:end]
    mean *= l * (l + 1) / (2 * np.pi)
    windows = np.einsum("bl,iljk->ibjk", mean, full)
    matrix = np.einsum("ibjk,kc->ibjc", windows, back).reshape(3 * ncl, 3 * ncl)
    solved = np.linalg.solve(matrix, windows.reshape(3 * ncl, -1)).reshape(windows.shape)
    np.testing.assert_allclose(coupling.windows, solved, atol=1e-12 * abs(solved).max())
    given = cl if ncl > 1 else cl[0]
    powers = coupling.theory(given)
    np.testing.assert_allclose(powers.reshape(ncl, 3), np.tensordot(solved, cl, 2), rtol=1e-10,
                               atol=1e-12)
    result = coupling.decouple(pseudo=coupling.couple(given))
    np.testing.assert_allclose(result.powers, powers.reshape(ncl, 3), rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(result.windows, coupling.windows)
    flat = RNG.standard_normal((ncl, 3))
    constant = (flat @ back.T).reshape(given.shape)
    np.testing.assert_allclose(coupling.theory(constant).reshape(ncl, 3), flat, rtol=1e-10)


def unit_fields(lmax, least):
    """Coefficients (l, alm) of an orthonormal basis of real fields from a degree on."""
    for l in range(least, lmax + 1):
        for m in range(l + 1):
            for value in (1.0,) if m == 0 else (math.sqrt(0.5), 1j * math.sqrt(0.5)):
                alm = np.zeros(armilla.alm.size(lmax, lmax), complex)
                alm[armilla.alm.index(lmax, l, m)] = value
                yield l, alm


@pytest.mark.parametrize("spins, pure", [(spins, ("", "")) for spins in PAIRS] + [
    ((2, 2), pure) for pure in (("B", "B"), ("E", "E"), ("EB", "EB"), ("B", ""), ("", "E"),
                                ("EB", "B"), ("E", "B"))
] + [((0, 2), ("", "B")), ((2, 0), ("EB", "")), ((1, 2), ("", "B")), ((2, 1), ("E", ""))])
def test_means_over_all_coefficients(spins, pure):
    """On a Gauss-Legendre grid that is exact for the product: the mean of the pseudo-spectra of a
    spectrum is the sum over unit fields. Signs, components and masks of both fields take part, and
    slopes of the masks where components are pure."""
    lmax, lmask = 6, 8
    grid = armilla.Grid.gauss_legendre(2 * lmax + lmask, 2 * (2 * lmax + lmask))
    scalar = armilla.SHT(grid, lmask)
    masks = [2 + scalar.synthesis(armilla.alm.random(lmask, np.full(lmask + 1, 0.02), seed))
             for seed in (1, 2)]
    fields = [Field.from_map(np.ones((2, grid.npix) if s else grid.npix), mask, grid, spin=s,
                             lmax=lmax, lmask=lmask, purify_e="E" in names, purify_b="B" in names)
              for s, names, mask in zip(spins, pure, masks)]
    coupling = Coupling(*fields, bands=2)
    ncl, least = len(coupling.components), max(spins)
    parts = [[0, 1] if s else [0] for s in spins]
    plans = [armilla.SHT(grid, lmax, spin=s) for s in spins]
    cl = RNG.standard_normal((ncl, lmax + 1))
    total = np.zeros((ncl, lmax + 1))
    for l, alm in unit_fields(lmax, least):
        masked = []
        for s, plan, field in zip(spins, plans, fields):
            ways = [alm] if not s else [[alm, 0 * alm], [0 * alm, alm]]
            masked.append([field.with_map(plan.synthesis(way)) for way in ways])
        pairs = [(a, b) for a in parts[0] for b in parts[1]]
        for i, (a, b) in enumerate(pairs):
            total += cl[i, l] * pseudo_cl.pseudo(masked[0][a], masked[1][b])
    expected = coupling.couple(cl if ncl > 1 else cl[0]).reshape(ncl, -1)
    np.testing.assert_allclose(expected, total, atol=1e-12 * abs(total).max())
    assert abs(total).max() > 1


@pytest.mark.parametrize("spins", [(0, 0), (0, 2), (2, 2)])
def test_adjoints(spins):
    mask_cl = RNG.standard_normal(21) / (1 + np.arange(21.0)) + 0.1
    coupling = Coupling.from_masks(mask_cl, LMAX, 3, spins, window=1 / (1 + np.arange(13.0)))
    ncl = len(coupling.components)
    shape = (5, ncl, LMAX + 1) if ncl > 1 else (5, LMAX + 1)
    cl, g = RNG.standard_normal(shape), RNG.standard_normal(shape)
    coupled = coupling.couple(cl)
    np.testing.assert_allclose(np.sum(g * coupled), np.sum(cl * coupling.couple_adjoint(g)))
    # couple is linear in the mask's spectrum
    np.testing.assert_allclose(np.sum(g * coupled), coupling.mask_adjoint(cl, g) @ mask_cl)
    np.testing.assert_allclose(coupled[3], coupling.couple(cl[3]), rtol=1e-12, atol=1e-14)
    assert coupling.couple(np.ones((0, *shape[1:]))).shape == (0, *shape[1:])
    assert not coupling.mask_adjoint(np.ones((0, *shape[1:])), np.ones((0, *shape[1:]))).any()


# --- Against skies --------------------------------------------------------------------------------


@pytest.mark.parametrize("spin", [0, 2])
def test_without_a_mask_it_is_anafast(spin):
    grid, lmax = armilla.Grid.healpix(16), 32
    shape = (2, grid.npix) if spin else (grid.npix,)
    sky = RNG.standard_normal(shape)
    result = pseudo_cl.spectrum(sky, np.ones(grid.npix), 5, spin=spin, lmax=lmax)
    if spin:
        cl = hp.anafast([0 * sky[0], *sky], lmax=lmax, iter=0)
        cl = np.array([cl[1], cl[4], cl[4], cl[2]])  # EE, EB, EB, BB
    else:
        cl = hp.anafast(sky, lmax=lmax, iter=0)
    expected = np.atleast_2d(result.bands.average(cl))
    # the mask's coefficients above l = 0 are errors of HEALPix' quadrature, not 0
    np.testing.assert_allclose(result.powers, expected, atol=1e-4 * abs(expected).max())
    np.testing.assert_allclose(result.plain(), expected, atol=1e-12 * abs(expected).max())
    assert result.condition < 1.1 and abs(result.fsky - 1) < 1e-12


@pytest.fixture(scope="module")
def skies():
    """Band powers (skies, ncl, nbands) of TT, of TE and TB, and of EE to BB; couplings, results."""
    lmax, nsky = 64, 60
    tt, te, ee, bb = model(lmax)
    iqu = armilla.IQU(SKY, lmax)
    beam = armilla.spectrum.gaussian_beam(np.radians(2), lmax)
    bands = Bands.linear(lmax, 9, weights=2 * np.arange(lmax + 1) + 1, quantity="dl")
    fields = couplings = None
    powers, results = [[], [], []], []
    for seed in range(nsky):
        g = [armilla.alm.random(lmax, np.ones(lmax + 1), 3 * seed + i) for i in range(3)]
        of_t = np.divide(te, np.sqrt(tt))
        alm = [armilla.alm.multiply_window(g[0], np.sqrt(tt)),
               armilla.alm.multiply_window(g[0], of_t)
               + armilla.alm.multiply_window(g[1], np.sqrt(ee - of_t ** 2)),
               armilla.alm.multiply_window(g[2], np.sqrt(bb))]
        sky = iqu.synthesis([armilla.alm.multiply_window(one, beam) for one in alm])
        sky[:, MASK == 0] = np.nan
        if fields is None:
            fields = [Field.from_map(sky[0], MASK, lmax=lmax, beam=beam),
                      Field.from_map(sky[1:], MASK, lmax=lmax, beam=beam, spin=2)]
            couplings = [Coupling(fields[i], fields[j], bands) for i, j in ((0, 0), (0, 1), (1, 1))]
            results = [coupling.decouple() for coupling in couplings]
        now = [fields[0].with_map(sky[0]), fields[1].with_map(sky[1:])]
        for made, coupling, (i, j) in zip(powers, couplings, ((0, 0), (0, 1), (1, 1))):
            made.append(coupling.decouple(pseudo=pseudo_cl.pseudo(now[i], now[j])).powers)
    return [np.array(one) for one in powers], couplings, results


def test_mean_of_skies(skies):
    tt, te, ee, bb = model(64)
    nothing = 0 * tt
    for powers, coupling, cl in zip(skies[0], skies[1], (
            tt, np.array([te, nothing]), np.array([ee, nothing, nothing, bb]))):
        expected = coupling.theory(cl).reshape(powers.shape[1:])
        error = powers.std(axis=0, ddof=1) / np.sqrt(len(powers))
        off = (powers.mean(axis=0) - expected) / error
        assert abs(off).max() < 4, off
        # the windows are those of the bands: theory is close to the spectrum's own bands
        own = np.atleast_2d(coupling.bands.average(cl))
        strong = own > 0.2 * own.max()
        assert strong.any() and (abs(expected / np.where(own, own, 1) - 1)[strong] < 0.1).all()


def test_error_bars_are_those_of_skies(skies):
    """Quick ones: to a third, in bands that are wide beside the mask's holes."""
    for powers, result in zip(skies[0], skies[2]):
        ratio = result.knox_errors() / powers.std(axis=0, ddof=1)
        for name, row in zip(result.components, ratio):
            if name != "BB":  # where E that has leaked is most of it
                assert 0.6 < np.exp(np.log(row).mean()) < 1.7, (name, row)


def test_error_bars_by_hand():
    lmax, sky = 20, RNG.standard_normal((2, SKY.npix))
    second = np.sqrt(MASK)
    weights = np.arange(lmax + 1.0)
    beam, pixwin = 1 / (1 + weights), np.exp(-weights / 30)
    one = Field.from_map(sky[0], MASK, lmax=lmax, beam=beam)
    two = Field.from_map(sky[1], second, lmax=lmax, pixwin=pixwin)
    result = Coupling(one, two, Bands([3], [9], weights)).decouple()
    mean = [np.mean(a * b) for a, b in ((MASK, MASK), (second, second), (MASK, second))]
    xx, yy, xy = ((weights * cl[0] / window)[3:9].sum() / weights[3:9].sum() / norm
                  for cl, window, norm in (
                      (pseudo_cl.pseudo(one), beam ** 2, mean[0]),
                      (pseudo_cl.pseudo(two), pixwin ** 2, mean[1]),
                      (pseudo_cl.pseudo(one, two), beam * pixwin, mean[2])))
    fsky = mean[2] ** 2 / np.mean((MASK * second) ** 2)
    share = weights[3:9] / weights[3:9].sum()
    variance = (xx * yy + xy ** 2) * np.sum(share ** 2 / (2 * np.arange(3, 9) + 1)) / fsky
    np.testing.assert_allclose(result.plain(), [[xy]])
    np.testing.assert_allclose(result.knox_errors(), [[np.sqrt(variance)]])
    np.testing.assert_allclose(result.fsky, fsky)
    np.testing.assert_allclose(result.knox_errors(fsky / 4), 2 * result.knox_errors())
    # one mask: (sum w^2)^2 / (npix sum w^4); noise is no part of `plain`, but of the errors
    auto = Coupling(one, bands=4)
    np.testing.assert_allclose(auto.decouple().fsky, np.sum(MASK ** 2) ** 2 / (
        SKY.npix * np.sum(MASK ** 4)))
    noise = 0.5 * auto.pseudo
    np.testing.assert_allclose(auto.decouple(noise).plain(), 0.5 * auto.decouple().plain())
    np.testing.assert_allclose(auto.decouple(noise).powers, 0.5 * auto.decouple().powers)
    np.testing.assert_array_equal(auto.decouple(noise).knox_errors(), auto.decouple().knox_errors())


def test_grids_and_layouts():
    """One field on grids of several kinds: the same powers, in one axis of pixels or two."""
    lmax, cl = 12, np.ones(13)
    alm = armilla.alm.random(lmax, cl, seed=3)
    pair = np.stack([alm, armilla.alm.random(lmax, cl, seed=4)]) * (np.arange(alm.size) > 0)
    mask_alm = armilla.alm.random(8, np.full(9, 0.05), seed=5)
    made = []
    for grid in (armilla.Grid.gauss_legendre(40, 80), armilla.Grid.equidistant("CC", 80, 80),
                 armilla.Grid.gauss_legendre(40, 80).laid_out(south_first=True),
                 armilla.Grid.gauss_legendre(40, 80).laid_out(order="theta"),
                 armilla.Grid.reduced_gauss_legendre(40, 39)):
        mask = 3 + armilla.SHT(grid, 8).synthesis(mask_alm)
        sky = armilla.SHT(grid, lmax, spin=1).synthesis(pair)
        made.append(pseudo_cl.spectrum(sky, mask, 3, spin=1, grid=grid, lmax=lmax))
        if grid.shape_2d:
            again = pseudo_cl.spectrum(grid.to_2d(sky), grid.to_2d(mask), 3, spin=1, grid=grid,
                                       lmax=lmax)
            np.testing.assert_array_equal(again.powers, made[-1].powers)
    for one in made[1:]:
        np.testing.assert_allclose(one.powers, made[0].powers, rtol=1e-10)
        np.testing.assert_allclose(one.fsky, made[0].fsky, rtol=1e-6)
    nested = SKY.npix - 1 - np.arange(SKY.npix)
    grid = armilla.Grid.healpix(32, nested=True)
    ring = armilla.healpix.ring_to_nest(32, np.arange(SKY.npix))
    swapped, mask = np.empty(SKY.npix), np.empty(SKY.npix)
    swapped[ring], mask[ring] = nested / 1e3, MASK
    np.testing.assert_allclose(pseudo_cl.spectrum(swapped, mask, 9, grid=grid).powers,
                               pseudo_cl.spectrum(nested / 1e3, MASK, 9).powers)


def test_gaps_between_pixels_are_not_looked_at():
    grid = armilla.Grid.gauss_legendre(20, 40)
    padded = armilla.Grid.custom(grid.rings["theta"], 40, 0.0, 50 * np.arange(20), 1,
                                 grid.rings["weight"])
    sky, mask = RNG.standard_normal((20, 40)), RNG.uniform(size=(20, 40))
    wide = np.full((2, 20, 50), np.nan)
    wide[:, :, :40] = sky, mask
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", armilla.ExactnessWarning)
        one = pseudo_cl.spectrum(wide[0].ravel()[:padded.npix], wide[1].ravel()[:padded.npix], 4,
                                 grid=padded, lmax=9, lmask=18)
    two = pseudo_cl.spectrum(sky, mask, 4, grid=grid, lmax=9, lmask=18)
    np.testing.assert_allclose(one.powers, two.powers, rtol=1e-12)
    np.testing.assert_allclose(one.knox_errors(), two.knox_errors(), rtol=1e-12)


# --- Two-point functions --------------------------------------------------------------------------


def test_correlation_of_scalars_is_a_legendre_series():
    cl = 1 / (3 + np.arange(41.0)) ** 2
    theta = np.array([0, 0.1, 1.7, np.pi])
    factors = cl * (2 * np.arange(41) + 1) / (4 * np.pi)
    series = np.polynomial.legendre.legval(np.cos(theta), factors)
    np.testing.assert_allclose(pseudo_cl.correlation(cl, theta), series, rtol=1e-13, atol=1e-14)
    nodes, weights = np.polynomial.legendre.leggauss(80)
    low, high = np.cos([0.5, 0.2])
    x = 0.5 * (low + high) + 0.5 * (high - low) * nodes
    mean = 0.5 * weights @ pseudo_cl.correlation(cl.astype(np.float32), np.arccos(x))
    np.testing.assert_allclose(pseudo_cl.correlation(cl.astype(np.float32), [0.2, 0.5], bins=True),
                               [mean], rtol=1e-12)


@pytest.mark.parametrize("spins", [(0, 0), (0, 2), (2, 2), (1, 2)])
def test_correlation_and_its_adjoint(spins):
    lead = {(0, 0): (), (0, 2): (2,)}.get(spins, (4,))
    cl, xi = RNG.standard_normal(lead + (31,)), RNG.standard_normal(lead + (9,))
    edges = np.linspace(0, 2, 10)
    one = pseudo_cl.correlation(cl, edges, spins, bins=True, nthreads=1)
    two = pseudo_cl.correlation_adjoint(xi, edges, 30, spins, bins=True, nthreads=2)
    assert one.shape == xi.shape and two.shape == cl.shape
    assert np.sum(one * xi) == pytest.approx(np.sum(two * cl), rel=1e-12)


@pytest.mark.parametrize("make, error, words", [
    (lambda: pseudo_cl.correlation(np.ones(4), [4.0]), ValueError, r"theta\[0\] = 4: must be in 0"),
    (lambda: pseudo_cl.correlation(np.ones(4), [0.1, 0.1], bins=True), ValueError, "must rise"),
    (lambda: pseudo_cl.correlation(np.ones(4), [0.1], bins=True), ValueError, "two edges"),
    (lambda: pseudo_cl.correlation(np.ones(4), [0.1], (0, 2)), ValueError, r"cl: has shape \(4,\)"),
    (lambda: pseudo_cl.correlation(np.ones(4), [0.1], (0, -2)), ValueError, r"spins\[1\] = -2"),
    (lambda: pseudo_cl.correlation(np.ones((2, 4)), [0.1], (0, 7)), ValueError, "spin2 = 7"),
    (lambda: pseudo_cl.correlation([1, np.nan], [0.1]), ValueError, "l = 1 is nan"),
    (lambda: pseudo_cl.correlation_adjoint([1, 2], [0.1], 4), ValueError, r"xi: has shape \(2,\)"),
])
def test_wrong_correlations(make, error, words):
    with pytest.raises(error, match=words) as raised:
        make()
    assert "problem" not in str(raised.value)
