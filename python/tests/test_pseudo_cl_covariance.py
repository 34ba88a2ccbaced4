"""Gaussian covariances of armilla.pseudo_cl: of white noise, on the whole sky and of many skies."""
import pickle
import subprocess
import sys

import numpy as np
import pytest

import armilla
from armilla import pseudo_cl
from armilla.pseudo_cl import Bands, Coupling, Field, Spectrum
from masked_skies import MASK, SKY
from progress_judge import check_progress

RNG = np.random.default_rng(7)


def pairs_of(coupling):
    """The fields and components of each spectrum of a coupling."""
    one, two = coupling.fields
    return [((one, i), (two, j)) for i in range(len(one.components))
            for j in range(len(two.components))]


# --- White noise: exact ---------------------------------------------------------------------------


def responses(field, plan, top):
    """(ncomp, units, lmax + 1, orders): what the mask makes of each unit field of T, or of E and
    B, up to a degree beyond which it makes nothing; real and imaginary parts with such weights that
    sums over orders are those of spectra."""
    lmax, made = field.lmax, []
    for l in range(field.spin, top + 1):
        for m in range(l + 1):
            for value in (1.0,) if m == 0 else (np.sqrt(0.5), 1j * np.sqrt(0.5)):
                alm = np.zeros(armilla.alm.size(top, top), complex)
                alm[armilla.alm.index(top, l, m)] = value
                for way in ([alm],) if not field.spin else ([alm, 0 * alm], [0 * alm, alm]):
                    masked = field.with_map(plan.synthesis(way if field.spin else way[0])).alm
                    rows = np.zeros((len(masked), lmax + 1, 2 * lmax + 1))
                    for k in range(lmax + 1):
                        for n in range(k + 1):
                            entry = masked[:, armilla.alm.index(lmax, k, n)]
                            rows[:, k, n] = entry.real * np.sqrt(2 if n else 1)
                            if n:
                                rows[:, k, lmax + n] = entry.imag * np.sqrt(2)
                    made.append(rows)
    return np.array(made).swapaxes(0, 1)


def exact_covariance(one, two, parts):
    """(ncl1, lmax + 1, ncl2, lmax + 1) of pseudo-spectra of unit fields with random numbers that
    the same field shares."""
    n = 2 * np.arange(one.lmax + 1) + 1
    made = np.zeros((len(one.components), n.size, len(two.components), n.size))

    def mean(a, c):
        if a[0] is not c[0]:
            return np.zeros((n.size, 2 * n.size - 1, n.size, 2 * n.size - 1))
        return np.einsum("ulm,ukn->lmkn", parts[a[0]][a[1]], parts[c[0]][c[1]])

    for i, (a, b) in enumerate(pairs_of(one)):
        for j, (c, d) in enumerate(pairs_of(two)):
            total = (np.einsum("lmkn,lmkn->lk", mean(a, c), mean(b, d))
                     + np.einsum("lmkn,lmkn->lk", mean(a, d), mean(b, c)))
            made[i, :, j] = total / n[:, np.newaxis] / n
    return made


def test_white_noise_has_its_exact_covariance():
    """Three independent fields of spins 0, 2 and 1, each with its own mask; EE = BB."""
    lmax, lmask = 5, 3
    grid = armilla.Grid.gauss_legendre(2 * (lmax + lmask) + 2, 4 * (lmax + lmask) + 2)
    masks = [1.5 + armilla.SHT(grid, lmask).synthesis(
        armilla.alm.random(lmask, np.full(lmask + 1, 0.2), seed)) for seed in (1, 2, 3)]
    spins, power = (0, 2, 1), (2.0, 3.0, 0.5)
    fields = [Field.from_map(np.ones((2, grid.npix) if s else grid.npix), abs(mask), grid, spin=s,
                             lmax=lmax, lmask=lmask) for s, mask in zip(spins, masks)]
    assert all((mask > 0).all() for mask in masks)
    t, p, v = fields
    parts = {field: responses(field, armilla.SHT(grid, lmax + lmask, spin=s), lmax + lmask)
             * np.sqrt(c) for field, s, c in zip(fields, spins, power)}
    noise = {}
    for field, c in zip(fields, power):
        mean = armilla.spectrum.compute(field.mask_alm) @ (2 * np.arange(lmask + 1) + 1)
        level = np.full(lmax + 1, c * mean / (4 * np.pi))  # times the mean square of the mask
        noise[field, field] = level if field is t else np.multiply.outer([1.0, 0, 0, 1], level)
    ncl = {(t, p): 2, (t, v): 2, (p, v): 4}
    cl = {**{key: 0 * value for key, value in noise.items()},
          **{key: np.zeros((n, lmax + 1)) for key, n in ncl.items()}}
    bands = Bands.linear(lmax, 2)
    couplings = [Coupling(*pair, bands) for pair in ((t, t), (t, p), (p, p), (p, v), (v, v))]
    blocks = pseudo_cl.covariance(couplings, cl, noise=noise)
    solve = []
    for coupling in couplings:
        shape = len(coupling.components), lmax + 1
        unit = np.eye(shape[0] * shape[1]).reshape(-1, *shape)
        solve.append(np.array([coupling.decouple(pseudo=one).powers for one in unit]).reshape(
            *shape, shape[0], bands.nbands))
    for i, one in enumerate(couplings):
        for j, two in enumerate(couplings):
            expected = np.einsum("ilxb,iljk,jkyc->xbyc", solve[i],
                                 exact_covariance(one, two, parts), solve[j])
            np.testing.assert_allclose(blocks[i][j], expected, rtol=1e-9,
                                       atol=1e-12 * abs(blocks[0][0]).max())
            assert i != j or abs(expected).max() > 1e-3


# --- Without a mask -------------------------------------------------------------------------------


def test_whole_sky_is_known():
    """(C^ac C^bd + C^ad C^bc) / (2 l + 1), for T, E and B with all their spectra."""
    lmax = 12
    grid = armilla.Grid.gauss_legendre(2 * lmax, 4 * lmax)
    flat = np.ones(grid.npix)
    t = Field.from_map(flat, flat, grid, lmax=lmax)
    p = Field.from_map([flat, flat], flat, grid, spin=2, lmax=lmax)
    root = RNG.standard_normal((lmax + 1, 3, 3))
    c = np.einsum("lij,lkj->ikl", root, root)
    c[1:, :, :2] = c[:, 1:, :2] = 0  # of E and B
    cl = {(t, t): c[0, 0], (p, t): c[1:, 0], (p, p): c[1:, 1:].reshape(4, -1)}
    couplings = [Coupling(*pair, Bands.linear(lmax, 1)) for pair in ((t, t), (t, p), (p, p))]
    blocks = pseudo_cl.covariance(couplings, cl)
    l = np.arange(2, lmax + 1)
    number = {(field, part): part + (field is p) for field in (t, p) for part in (0, 1)}
    for i, one in enumerate(couplings):
        for j, two in enumerate(couplings):
            expected = np.zeros(blocks[i][j].shape)
            for x, (a, b) in enumerate(pairs_of(one)):
                for y, (d, e) in enumerate(pairs_of(two)):
                    a_, b_, d_, e_ = (number[name] for name in (a, b, d, e))
                    np.fill_diagonal(expected[x, :, y], (
                        (c[a_, d_] * c[b_, e_] + c[a_, e_] * c[b_, d_])[2:] / (2 * l + 1)))
            np.testing.assert_allclose(blocks[i][j], expected, atol=1e-12 * abs(expected).max())


# --- Skies at random ------------------------------------------------------------------------------


def model(lmax):
    """T, E, B (3, 3, lmax + 1): signal and noise."""
    l = np.arange(lmax + 1.0)
    c = np.zeros((3, 3, lmax + 1))
    c[0, 0], c[1, 1], c[2, 2] = 1 / (l + 10) ** 2, 0.3 / (l + 5) ** 2, 0.03 / (l + 5) ** 2
    c[0, 1] = c[1, 0] = 0.5 * np.sqrt(c[0, 0] * c[1, 1])
    c[1:, :, :2] = c[:, 1:, :2] = 0
    return c


def random_iqu(iqu, c, seed):
    """Maps of T, E, B with the spectra of `model`."""
    lmax, times = c.shape[2] - 1, armilla.alm.multiply_window
    g = [armilla.alm.random(lmax, np.ones(lmax + 1), 3 * seed + i) for i in range(3)]
    of_t = c[0, 1] / np.sqrt(c[0, 0])
    return iqu.synthesis([times(g[0], np.sqrt(c[0, 0])),
                          times(g[0], of_t) + times(g[1], np.sqrt(c[1, 1] - of_t ** 2)),
                          times(g[2], np.sqrt(c[2, 2]))])


@pytest.fixture(scope="module")
def skies():
    """500 skies at nside 32 under a mask with a hole: samples (500, powers, nbands) of TT, TE, TB,
    EE, EB, BE, BB; the couplings; spectra by pairs of fields."""
    lmax, nsky = 64, 500
    c = model(lmax)
    iqu, bands = armilla.IQU(SKY, lmax), Bands.linear(lmax, 9)
    samples, couplings, fields = [], [], []
    for seed in range(nsky):
        sky = random_iqu(iqu, c, seed)
        if not fields:
            fields = [Field.from_map(sky[0], MASK, lmax=lmax),
                      Field.from_map(sky[1:], MASK, lmax=lmax, spin=2)]
            couplings = [Coupling(fields[i], fields[j], bands) for i, j in ((0, 0), (0, 1), (1, 1))]
        now = [fields[0].with_map(sky[0]), fields[1].with_map(sky[1:])]
        samples.append(np.concatenate([
            coupling.decouple(pseudo=pseudo_cl.pseudo(now[i], now[j])).powers
            for coupling, (i, j) in zip(couplings, ((0, 0), (0, 1), (1, 1)))]))
    t, p = fields
    cl = {(t, t): c[0, 0], (t, p): c[0, 1:], (p, p): c[1:, 1:].reshape(4, -1)}
    return np.array(samples), couplings, cl


NAMES = ("TT", "TE", "TB", "EE", "EB", "BE", "BB")


def whole(blocks):
    """(powers, nbands, powers, nbands)."""
    return np.concatenate([np.concatenate(row, axis=2) for row in blocks])


def test_covariance_is_that_of_skies(skies):
    """Variances have a scatter of 6 % (500 skies), whose mean over bands has 2.5 %; correlations
    4.5 %. The first band is narrower than what the mask resolves."""
    samples, couplings, cl = skies
    expected = whole(pseudo_cl.covariance(couplings, cl))
    n, nbands = samples.shape[1:]
    found = np.cov(samples.reshape(len(samples), -1), rowvar=False).reshape(expected.shape)
    variances = np.einsum("ibib->ib", found), np.einsum("ibib->ib", expected)
    ratio = (variances[1] / variances[0])[:, 1:]
    assert (abs(np.log(ratio.mean(axis=1))) < 0.1).all(), dict(zip(NAMES, ratio))
    assert (abs(ratio - 1) < 0.25).all(), dict(zip(NAMES, ratio))
    scale = np.sqrt(variances[1])[..., np.newaxis, np.newaxis] * np.sqrt(variances[1])
    off = ((found - expected) / scale)[:, 1:, :, 1:]
    assert abs(off).max() < 0.25
    # neighbours in all, and other components in the same band
    neighbours = np.einsum("ibib->ib", off[:, :-1, :, 1:])
    assert (abs(neighbours.mean(axis=1)) < 0.05).all(), neighbours
    across = np.einsum("ibjb->ijb", off).mean(axis=2)
    assert abs(across - np.diag(np.diag(across))).max() < 0.1, across
    strong = np.einsum("ibjb->ijb", expected / scale).mean(axis=2)
    assert strong[0, 1] > 0.4 and strong[0, 3] > 0.1 and strong[4, 5] > 0.99


def test_measured_spectra_give_nearly_the_same(skies):
    samples, couplings, cl = skies
    measured, expected = (whole(pseudo_cl.covariance(couplings, given)) for given in (None, cl))
    errors = [np.sqrt(np.einsum("ibib->ib", one))[:, 1:] for one in (measured, expected)]
    assert (abs(errors[0] / errors[1] - 1) < 0.3).all()
    assert (abs((errors[0] / errors[1]).mean(axis=1) - 1) < 0.1).all()


def test_pure_b_has_the_scatter_of_skies():
    """250 skies, in which BB is far below EE: without purification its variances are many times
    larger in the first bands."""
    lmax, nsky = 64, 250
    c = model(lmax)
    c[2, 2] *= 0.02
    iqu = armilla.IQU(SKY, lmax)
    bands, powers, field, coupling = Bands.linear(lmax, 9), [], None, None
    for seed in range(nsky):
        sky = random_iqu(iqu, c, seed)[1:]
        if field is None:
            field = Field.from_map(sky, MASK, lmax=lmax, spin=2, purify_b=True)
            coupling = Coupling(field, bands=bands)
        powers.append(coupling.decouple(pseudo=pseudo_cl.pseudo(field.with_map(sky))).powers)
    expected = coupling.covariance(c[1:, 1:].reshape(4, -1))
    ratio = (np.einsum("ibib->ib", expected) / np.var(powers, axis=0, ddof=1))[:, 1:]
    assert (abs(np.log(ratio.mean(axis=1))) < 0.12).all(), ratio
    assert (abs(ratio - 1) < 0.35).all(), ratio
    mixed = Coupling(Field.from_map(sky, MASK, lmax=lmax, spin=2), bands=bands).covariance(
        c[1:, 1:].reshape(4, -1))
    assert mixed[3, 1, 3, 1] > 5 * expected[3, 1, 3, 1]


@pytest.mark.parametrize("is_measured", [True, False])
def test_the_command_has_the_same(tmp_path, is_measured):
    """From files, with pixels that are missing in Q and U alone."""
    lmax = 64
    c = model(lmax)
    sky = random_iqu(armilla.IQU(SKY, lmax), c, 1).astype(np.float32)
    sky[1:, 5000:5100] = armilla.io.UNSEEN
    names = [str(tmp_path / name) for name in ("sky.fits", "mask.fits", "cl.txt", "p.txt", "c.txt")]
    armilla.io.write_map(names[0], sky)
    armilla.io.write_map(names[1], MASK, dtype="float64")
    np.savetxt(names[2], np.column_stack([np.arange(lmax + 1), c[0, 0], c[1, 1], c[2, 2], c[0, 1]]),
               header="l TT EE BB TE")
    given = [] if is_measured else ["--cl", names[2]]
    subprocess.run([sys.executable, "-m", "armilla", "spectrum", names[0], "--mask", names[1],
                    "--pol", "--decouple", "--bands", "9", "--lmax", str(lmax), "--iter", "0",
                    "--errors", "--covariance", names[4], *given, "-o", names[3]], check=True,
                   capture_output=True)
    t = Field.from_map(sky[0].astype(float), MASK, lmax=lmax)
    p = Field.from_map(sky[1:].astype(float), np.where(sky[1] < -1e30, 0, MASK), lmax=lmax, spin=2)
    couplings = [Coupling(*pair, 9) for pair in ((t, t), (t, p), (p, p))]
    cl = {(t, t): c[0, 0], (t, p): c[0, 1:], (p, p): c[1:, 1:].reshape(4, -1)}
    expected = whole(pseudo_cl.covariance(couplings, None if is_measured else cl))
    order = [0, 3, 6, 1, 2, 4]  # TT, EE, BB, TE, TB, EB
    expected = expected[order][:, :, order]
    told = np.loadtxt(names[4]).reshape(expected.shape)
    errors = np.sqrt(np.einsum("ibib->ib", expected))
    scale = errors[..., np.newaxis, np.newaxis] * errors
    np.testing.assert_allclose(told / scale, expected / scale, atol=1e-5)
    np.testing.assert_allclose(np.loadtxt(names[3])[:, -6:].T, errors, rtol=1e-5)


# --- Calls ----------------------------------------------------------------------------------------


def small(**options):
    """T and P on the small grid, with other masks, and the spectra of their pairs."""
    sky, lmax = RNG.standard_normal((3, SKY.npix)), 30
    t = Field.from_map(sky[0], MASK, lmax=lmax, **options)
    p = Field.from_map(sky[1:], np.sqrt(MASK), lmax=lmax, spin=2, **options)
    c = model(lmax)
    return t, p, {(t, t): c[0, 0], (t, p): c[0, 1:], (p, p): c[1:, 1:].reshape(4, -1)}


def test_one_block_is_that_of_many():
    t, p, cl = small()
    couplings = [Coupling(*pair, 7) for pair in ((t, t), (p, t), (p, p))]
    blocks = pseudo_cl.covariance(couplings, cl)
    for i, one in enumerate(couplings):
        for j, two in enumerate(couplings):
            block = one.covariance(cl, two)
            assert block.shape == (len(one.components), 4, len(two.components), 4)
            np.testing.assert_allclose(block, blocks[i][j], atol=1e-15 * abs(block).max())
            np.testing.assert_array_equal(blocks[i][j], blocks[j][i].transpose(2, 3, 0, 1))
    third = Field.from_map(SKY_OF_ONE, MASK, lmax=30)
    more = {**cl, (third, t): 0.5 * cl[t, t], (p, third): 0.5 * cl[t, p], (third, third): cl[t, t]}
    one, two = Coupling(t, p, 7), Coupling(third, t, 7)
    many = pseudo_cl.covariance([one, two, Coupling(p, bands=7)], more)
    np.testing.assert_allclose(one.covariance(more, two), many[0][1], rtol=1e-9, atol=1e-25)
    turned = {(two, one): (np.reshape(value, (len(one.components), len(two.components), -1))
                           .swapaxes(0, 1).reshape(np.shape(value)))
              for (one, two), value in cl.items()}
    np.testing.assert_array_equal(pseudo_cl.covariance(couplings, turned)[0][2], blocks[0][2])
    np.testing.assert_array_equal(couplings[0].covariance(cl[t, t]), blocks[0][0])
    np.testing.assert_array_equal(couplings[2].covariance(cl[p, p]), blocks[2][2])
    np.testing.assert_array_equal(couplings[2].covariance(cl[p, p]),
                                  couplings[2].covariance(cl[p, p]).transpose(2, 3, 0, 1))


def test_windows_and_noise():
    """Powers are without windows: a constant one does nothing. Noise is as the masks leave it."""
    plain, t = (Field.from_map(SKY_OF_ONE, MASK, lmax=30, beam=beam)
                for beam in (None, np.full(31, 0.5)))
    cl = model(30)[0, 0]
    expected = Coupling(plain, bands=7).covariance(cl)
    close = {"rtol": 1e-12, "atol": 1e-15 * expected.max()}  # far bands are 1e-6 of the largest
    np.testing.assert_allclose(Coupling(t, bands=7).covariance(cl), expected, **close)
    beam = np.linspace(1, 0.3, 31)
    seen = Field.from_map(SKY_OF_ONE, MASK, lmax=30, beam=beam)
    coupling, without = Coupling(seen, bands=7), Coupling(plain, bands=7)
    noise = np.full(31, 1e-4)
    made = coupling.covariance(cl, noise=noise)
    total = without.couple(cl * beam ** 2) + noise  # the same pseudo-spectra
    np.testing.assert_allclose(made, coupling.covariance(0 * cl, noise=total), **close)
    assert (np.einsum("ibib->ib", made) > 1.1 * np.einsum("ibib->ib", expected)).all()


SKY_OF_ONE = RNG.standard_normal(SKY.npix)


def test_threads_give_the_same_bits():
    t, p, cl = small()
    couplings = [Coupling(t, p, 7), Coupling(p, bands=7)]
    one, two = (pseudo_cl.covariance(couplings, cl, nthreads=n) for n in (1, 3))
    for i in (0, 1):
        for j in (0, 1):
            np.testing.assert_array_equal(one[i][j], two[i][j])


def test_error_bars_of_a_spectrum():
    t, p, cl = small()
    coupling = Coupling(p, bands=7)
    result, covariance = coupling.decouple(), coupling.covariance(cl[p, p])
    assert result.covariance is None
    np.testing.assert_array_equal(result.errors(), result.knox_errors())
    known = result.with_covariance(covariance)
    np.testing.assert_array_equal(known.powers, result.powers)
    np.testing.assert_array_equal(known.covariance, covariance)
    for i in range(4):
        np.testing.assert_array_equal(known.errors()[i], np.sqrt(np.diag(covariance[i, :, i])))
    made = pseudo_cl.spectrum(SKY_OF_ONE, MASK, 7, lmax=30, covariance=True)
    expected = Coupling(Field.from_map(SKY_OF_ONE, MASK, lmax=30), bands=7).covariance()
    np.testing.assert_array_equal(made.covariance, expected)
    again = pickle.loads(pickle.dumps(known))
    np.testing.assert_array_equal(again.covariance, covariance)
    assert isinstance(known, Spectrum) and not known.covariance.flags.writeable
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    axes = known.plot()
    bars = axes.containers[0][2][0].get_segments()
    np.testing.assert_allclose([np.ptp(bar[:, 1]) / 2 for bar in bars], known.errors()[0])
    matplotlib.pyplot.close("all")
    pytest.importorskip("xarray")
    data = known.to_xarray()
    np.testing.assert_array_equal(data.error, known.errors())
    assert data.covariance.dims == ("component", "band", "component2", "band2")


def test_progress():
    """Couplings that differ in their masks share nothing."""
    lmax, grid = 90, SKY
    bands = Bands.linear(lmax, 1)
    cl = model(lmax)[0, 0]

    def call(count, progress):
        fields = [Field.from_map(SKY_OF_ONE, MASK ** (1 + 0.1 * i), grid, lmax=lmax)
                  for i in range(count)]
        given = {(one, two): cl for one in fields for two in fields}
        couplings = [Coupling(field, bands=bands) for field in fields]
        return np.array(pseudo_cl.covariance(couplings, given, progress=progress))

    check_progress(call)


# --- What is refused ------------------------------------------------------------------------------


T, P, CL = small()
ONE, CROSS = Coupling(T, bands=7), Coupling(T, P, 7)
POINTS = Field.from_catalogue(np.column_stack([np.arange(1.0, 3), [0, 1]]), [1, 2], 30)


@pytest.mark.parametrize("make, error, words", [
    (lambda: Coupling.from_masks([1], 20, 6).covariance(np.ones(21)), ValueError,
     "^this Coupling: was made from masks only"),
    (lambda: Coupling.from_masks([1], 20, 6).fields, AttributeError, "masks only"),
    (lambda: Coupling(T, POINTS, 7).covariance(CL), ValueError, "its field 2 is of a catalogue"),
    (lambda: ONE.covariance(CL, T), TypeError, "^other: must be a Coupling"),
    (lambda: ONE.covariance(CL, Coupling(T, bands=8)), ValueError, "^other: has other bands"),
    (lambda: ONE.covariance(CL, Coupling(Field.from_map(SKY_OF_ONE, MASK, lmax=31), bands=7)),
     ValueError, "^other: has lmax = 31"),
    (lambda: ONE.covariance(CL, Coupling(Field.from_map(np.ones(3072), np.ones(3072), lmax=30),
                                         bands=7)), ValueError, "^other: has a field on"),
    (lambda: ONE.covariance(np.ones(30)), ValueError, "^cl: has shape"),
    (lambda: ONE.covariance(np.full(31, np.nan)), ValueError, "^cl: must be finite"),
    (lambda: ONE.covariance(np.ones(31) * 1j), TypeError, "^cl: must be real"),
    (lambda: ONE.covariance(CL[T, T], noise=np.ones((2, 31))), ValueError, "^noise: has shape"),
    (lambda: ONE.covariance(noise=np.ones(31)), TypeError, "^noise: is in the measured"),
    (lambda: CROSS.covariance(np.ones(31)), TypeError, "^cl: must be a dict"),
    (lambda: CROSS.covariance({(T, T): CL[T, T], (T, P): CL[T, P]}), ValueError,
     "^cl: lacks the spectra of field 1"),
    (lambda: CROSS.covariance({T: CL[T, T]}), TypeError, "^cl: its keys"),
    (lambda: Coupling(P, bands=7).covariance(np.arange(4 * 31.0).reshape(4, 31)), ValueError,
     "^cl: EB and BE of one field differ"),
    (lambda: pseudo_cl.covariance([]), ValueError, "^couplings: has none"),
    (lambda: pseudo_cl.covariance([ONE, T]), TypeError, r"^couplings\[1\]: must be a Coupling"),
    (lambda: pseudo_cl.covariance([ONE, Coupling(T, bands=8)]), ValueError,
     r"^couplings\[1\]: has other bands than couplings\[0\]"),
    (lambda: pseudo_cl.covariance([ONE], nthreads=-1), ValueError, "^nthreads"),
    (lambda: ONE.decouple().with_covariance(np.ones((1, 4, 1, 3))), ValueError,
     "^covariance: has shape"),
    (lambda: ONE.decouple().with_covariance(np.full((1, 4, 1, 4), np.inf)), ValueError,
     "^covariance: must be finite"),
    (lambda: ONE.decouple().with_covariance(-np.eye(4).reshape(1, 4, 1, 4)), ValueError,
     "^covariance: the variance of TT in band 0 is -1"),
])
def test_wrong_calls(make, error, words):
    with pytest.raises(error, match=words):
        make()
