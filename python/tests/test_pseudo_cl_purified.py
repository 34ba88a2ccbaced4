"""Pure E and B of armilla.pseudo_cl: coefficients, bands, fields as objects, and skies at random.
(Their coupling, exactly: test_means_over_all_coefficients in test_pseudo_cl.py.)"""
import pickle
import warnings

import numpy as np
import pytest

import armilla
from armilla import pseudo_cl
from armilla.pseudo_cl import Bands, Coupling, Field
from masked_skies import MASK, SKY, apodised, places

RNG = np.random.default_rng(12)
QU = RNG.standard_normal((2, SKY.npix))
CASES = [("B", "B"), ("E", "E"), ("EB", "EB"), ("B", ""), ("EB", "E")]


def wish(names):
    return {"purify_e": "E" in names, "purify_b": "B" in names}


def random_pair(lmax, seed):
    return np.stack([armilla.alm.random(lmax, np.arange(lmax + 1) >= 2, seed=seed + i)
                     for i in range(2)])


# --- Against the mathematics ----------------------------------------------------------------------


@pytest.mark.parametrize("names", ["E", "B", "EB"])
def test_pure_coefficients_are_those_of_scalars(names):
    """eth^2 of Q + iU has the coefficients E and B times sqrt((l+2)! / (l-2)!), as two scalars."""
    lmax, lmask = 9, 7
    grid = armilla.Grid.gauss_legendre(2 * lmax + lmask, 2 * (2 * lmax + lmask))
    scalar = armilla.SHT(grid, lmax)
    mask = 3 + armilla.SHT(grid, lmask).synthesis(
        armilla.alm.random(lmask, np.full(lmask + 1, 0.05), seed=1))
    alm, l = random_pair(lmax, 2), np.arange(lmax + 1.0)
    sky = armilla.SHT(grid, lmax, spin=2).synthesis(alm)
    field = Field.from_map(sky, mask, grid, spin=2, lmax=lmax, lmask=lmask, **wish(names))
    plain = Field.from_map(sky, mask, grid, spin=2, lmax=lmax, lmask=lmask)
    factor = np.sqrt(np.maximum((l - 1) * l * (l + 1) * (l + 2), 0))
    assert field.purified == tuple(names)
    for i, name in enumerate("EB"):
        if name in names:
            masked = scalar.analysis(mask * scalar.synthesis(
                armilla.alm.multiply_window(alm[i], factor)))
            expected = armilla.alm.multiply_window(masked, 1 / np.where(factor, factor, np.inf))
            np.testing.assert_allclose(field.alm[i], expected, atol=1e-12 * abs(expected).max())
            assert abs(plain.alm[i] - expected).max() > 0.1
        else:
            np.testing.assert_array_equal(field.alm[i], plain.alm[i])
    # all degrees of the mask that the grid holds, where the caller says no lmask
    again = Field.from_map(sky, mask, grid, spin=2, lmax=3, **wish(names))
    full = Field.from_map(sky, mask, grid, spin=2, lmax=lmax, **wish(names))
    np.testing.assert_allclose(full.alm, field.alm, atol=1e-12)
    np.testing.assert_allclose(
        again.alm, armilla.alm.Layout(lmax).convert(full.alm, armilla.alm.Layout(3)), atol=1e-12)


def coupling_of(first, second, spins=(2, 2), bands=None, **more):
    fields = [Field.from_map(QU if s else QU[0], mask, spin=s, lmax=20, **wish(names), **more)
              for s, names, mask in zip(spins, (first, second), (MASK, np.sqrt(MASK) ** 3))]
    if bands is None:
        bands = Bands.edges([2, 6, 13, 20], weights=np.arange(20.0), quantity="dl")
    return Coupling(*fields, bands)


@pytest.mark.parametrize("first, second, spins", [(*case, (2, 2)) for case in CASES]
                         + [("", "B", (0, 2)), ("E", "", (2, 1))])
def test_bands_and_gradients_are_those_of_the_whole_matrix(first, second, spins):
    coupling = coupling_of(first, second, spins, beam=1 / (1 + 0.1 * np.arange(21.0)))
    bands, ncl = coupling.bands, len(coupling.components)
    full = coupling.full_matrix()
    cl, g = RNG.standard_normal((2, 5, ncl, 21))
    coupled = coupling.couple(cl)
    scale = abs(coupled).max()
    np.testing.assert_allclose(coupled, np.tensordot(cl, full, ((1, 2), (2, 3))),
                               atol=1e-12 * scale)
    np.testing.assert_allclose(coupling.couple_adjoint(g), np.tensordot(g, full, 2),
                               atol=1e-12 * abs(full).max())
    np.testing.assert_allclose(coupling.mask_adjoint(cl, g) @ coupling.mask_cl,
                               np.sum(g * coupled), rtol=1e-10)
    windows = bands.average(np.moveaxis(full, 1, -1))  # (ncl, ncl, lmax + 1, nbands)
    windows = np.moveaxis(windows, -1, 1)
    flat = np.zeros((21, 3))
    for b, (begin, end) in enumerate(zip(bands.begin, bands.end)):
        flat[begin:end, b] = 1 / bands._factors(20)[begin:end]
    matrix = windows @ flat
    np.testing.assert_allclose(coupling.matrix, matrix, atol=1e-12 * abs(matrix).max())
    solved = np.linalg.solve(matrix.reshape(3 * ncl, -1), windows.reshape(3 * ncl, -1))
    solved = solved.reshape(windows.shape)
    np.testing.assert_allclose(coupling.windows, solved, atol=1e-11 * abs(solved).max())
    powers = np.tensordot(cl, solved, ((1, 2), (2, 3)))
    np.testing.assert_allclose(coupling.theory(cl), powers, atol=1e-11 * abs(powers).max())
    assert coupling.theory(cl[:0]).shape == (0, ncl, 3)
    result = coupling.decouple(pseudo=coupled[2])
    np.testing.assert_allclose(result.powers, powers[2], atol=1e-10 * abs(powers).max())
    np.testing.assert_array_equal(result.windows, coupling.windows)
    assert 1 < result.condition < 1e4


def test_pure_spectra_have_no_part_of_others():
    coupling = coupling_of("B", "B")
    made = coupling.windows
    assert coupling.components == ("EE", "EB", "BE", "BB")
    others = [[0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]  # of EE, EB, BE, BB
    for i in range(4):
        for j in range(4):
            assert bool(made[i, :, j].any()) == bool(i == j or others[i][j]), (i, j)
    assert not coupling_of("EB", "EB").windows[0, :, 3].any()
    # a row that no component is pure of is that of plain fields
    plain = Coupling.from_masks(coupling.mask_cl, 20, coupling.bands, (2, 2))
    cl = RNG.standard_normal((4, 21))
    np.testing.assert_allclose(coupling.couple(cl)[0], plain.couple(cl)[0], rtol=1e-12)


def test_matrices_that_cannot_be_solved():
    narrow = coupling_of("B", "B", bands=Bands([2, 6, 2], [6, 13, 6]))
    for call in (narrow.decouple, lambda: narrow.theory(np.ones((4, 21)))):
        with pytest.raises(ValueError, match="matrix: cannot be solved: band [02] of [EB]{2} adds"):
            call()
    with pytest.raises(ValueError, match="cannot be solved: band 0 of (EE|BB)"):
        coupling_of("B", "B", bands=Bands([0, 2], [2, 13])).decouple()


# --- Fields as objects ----------------------------------------------------------------------------


def test_purified_fields_are_objects_like_others():
    fields = [Field.from_map(QU, MASK, spin=2, nthreads=n, purify_b=True) for n in (1, 2)]
    np.testing.assert_array_equal(fields[0].alm, fields[1].alm)
    assert "spin 2, pure B, lmax 64" in repr(fields[0])
    field = Field.from_map(QU[::-1], MASK, spin=2, purify_b=True).with_map(QU)
    np.testing.assert_array_equal(field.alm, fields[0].alm)
    again = pickle.loads(pickle.dumps(field))
    np.testing.assert_array_equal(again.with_map(QU).alm, field.alm)
    assert again.purified == ("B",) and Field.from_map(QU, MASK, spin=2).purified == ()
    coupling = Coupling(field, bands=9)
    result = coupling.decouple()
    for one in (pickle.loads(pickle.dumps(coupling)).decouple(), pickle.loads(pickle.dumps(result)),
                pseudo_cl.spectrum(QU, MASK, 9, spin=2, purify_b=True)):
        np.testing.assert_array_equal(one.powers, result.powers)
        np.testing.assert_array_equal(one.windows, result.windows)
    hidden = np.where(MASK > 0, QU, np.nan)
    np.testing.assert_array_equal(field.with_map(hidden).alm, field.alm)
    single = Field.from_map(QU.astype(np.float32), MASK, spin=2, purify_b=True)
    assert single.alm.dtype == np.complex64
    np.testing.assert_allclose(single.alm, field.alm, atol=1e-5 * abs(field.alm).max())


def test_layouts_of_pixels():
    """NESTED order, and gaps between pixels: the same coefficients."""
    field = Field.from_map(QU, MASK, spin=2, lmax=30, purify_b=True)
    ring = armilla.healpix.ring_to_nest(32, np.arange(SKY.npix))
    sky, mask = np.empty(QU.shape), np.empty(SKY.npix)
    sky[:, ring], mask[ring] = QU, MASK
    nested = Field.from_map(sky, mask, armilla.Grid.healpix(32, nested=True), spin=2, lmax=30,
                            purify_b=True)
    np.testing.assert_allclose(nested.alm, field.alm, atol=1e-12)
    grid = armilla.Grid.gauss_legendre(40, 80)
    padded = armilla.Grid.custom(grid.rings["theta"], 80, 0.0, 90 * np.arange(40), 1,
                                 grid.rings["weight"])
    wide = np.full((3, 40, 90), np.nan)
    wide[2, :, :80] = apodised(*places(grid)).reshape(40, 80)
    wide[:2, :, :80] = RNG.standard_normal((2, 40, 80))
    sky, mask = wide[:2, :, :80], wide[2, :, :80]
    wide = wide.reshape(3, -1)[:, :padded.npix]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", armilla.ExactnessWarning)
        one = Field.from_map(wide[:2], wide[2], padded, spin=2, lmax=19, lmask=39, purify_b=True,
                             iterations=3)
    two = Field.from_map(sky, mask, grid, spin=2, lmax=19, lmask=39, purify_b=True, iterations=3)
    np.testing.assert_allclose(one.alm, two.alm, atol=1e-12)


def test_spectra_of_two_maps():
    """Maps of spin 2 are purified, and others are left alone."""
    with_t = pseudo_cl.spectrum(QU[0], MASK, 9, map2=QU, spin2=2, purify_e=True)
    pair = Field.from_map(QU[0], MASK), Field.from_map(QU, MASK, spin=2, purify_e=True)
    np.testing.assert_array_equal(with_t.powers, Coupling(*pair, 9).decouple().powers)
    turned = pseudo_cl.spectrum(QU, MASK, 9, spin=2, map2=QU[0], spin2=0, purify_e=True)
    np.testing.assert_allclose(turned["ET"], with_t["TE"], rtol=1e-10)
    both = pseudo_cl.spectrum(QU, MASK, 9, spin=2, map2=QU, purify_b=True)
    one = pseudo_cl.spectrum(QU, MASK, 9, spin=2, purify_b=True)
    np.testing.assert_array_equal(both.powers, one.powers)


@pytest.mark.parametrize("make, words", [
    (lambda: Field.from_map(QU[0], MASK, purify_b=True), "^purify_b = True: is for fields of spin"),
    (lambda: Field.from_map(QU, MASK, spin=1, purify_e=True), "^purify_e = True: .* spin = 1"),
    (lambda: pseudo_cl.spectrum(QU[0], MASK, 9, purify_e=True), "^purify_e = True: .* spin = 0"),
    (lambda: pseudo_cl.spectrum(QU, MASK, 9, spin=1, map2=QU, purify_b=True), "^purify_b"),
])
def test_wrong_purification(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize("grid", [SKY, armilla.Grid.gauss_legendre(96, 192)])
def test_masks_with_an_edge_are_told(grid):
    theta, phi = places(grid)
    smooth, rise = apodised(theta, phi), np.clip((theta - 0.6) / 0.4, 0, 1)
    sky = RNG.standard_normal((2, grid.npix))
    for mask in (smooth > 0, rise)[:2 if grid is SKY else 1]:  # rings may hide a slope
        with pytest.warns(RuntimeWarning, match="mask: has an edge") as told:
            Field.from_map(sky, mask, grid, spin=2, lmax=40, purify_b=True)
        assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for mask in (smooth, np.ones(grid.npix)):
            Field.from_map(sky, mask, grid, spin=2, lmax=40, purify_b=True)


# --- Against skies --------------------------------------------------------------------------------


def test_scatter_of_pure_bb():
    """A cap of 15 degrees: E leaves the scatter of BB, and means are those of theory."""
    lmax, nsky, grid = 100, 40, armilla.Grid.healpix(64)
    l, bands = np.arange(lmax + 1.0), Bands.linear(lmax, 20)
    ee = np.where(l < 2, 0, 1 / (l + 5) ** 2)
    bb, zero = 0.01 * ee, 0 * ee
    rise = np.clip((np.radians(15) - places(grid)[0]) / np.radians(13), 0, 1)
    mask = 0.5 * (1 - np.cos(np.pi * rise))
    plan, fields, couplings, made = armilla.SHT(grid, lmax, spin=2), [], [], [[], []]
    for seed in range(nsky):
        sky = plan.synthesis([armilla.alm.random(lmax, cl, seed=2 * seed + i)
                              for i, cl in enumerate((ee, bb))])
        if not fields:
            fields = [Field.from_map(sky, mask, spin=2, lmax=lmax, purify_b=pure)
                      for pure in (False, True)]
            couplings = [Coupling(field, bands=bands) for field in fields]
        for powers, field, coupling in zip(made, fields, couplings):
            pseudo = pseudo_cl.pseudo(field.with_map(sky))
            powers.append(coupling.decouple(pseudo=pseudo).powers[[0, 3]])
    plain, pure = np.std(made, axis=1, ddof=1)[:, 1]
    assert (plain > 10 * pure).all(), plain / pure
    for powers, coupling in zip(np.array(made), couplings):
        expected = coupling.theory([ee, zero, zero, bb])[[0, 3]]
        off = (powers.mean(axis=0) - expected) / powers.std(axis=0, ddof=1) * np.sqrt(nsky)
        assert abs(off).max() < 3, off
