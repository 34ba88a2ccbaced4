"""armilla.pseudo_cl: what calls take and refuse, threads, pickles, labels, pictures, progress."""
import pickle
import subprocess
import sys

import numpy as np
import pytest

import armilla
from armilla import pseudo_cl
from armilla.pseudo_cl import Bands, Coupling, Field
from masked_skies import MASK, SKY, apodised, places
from progress_judge import check_progress

RNG = np.random.default_rng(6)


# --- What is given --------------------------------------------------------------------------------


def test_map_is_not_looked_at_under_the_mask():
    sky = RNG.standard_normal(SKY.npix)
    expected = pseudo_cl.spectrum(sky, MASK, 9).powers
    for fill in (np.nan, np.inf, armilla.io.UNSEEN, 1e300):
        np.testing.assert_array_equal(
            pseudo_cl.spectrum(np.where(MASK > 0, sky, fill), MASK, 9).powers, expected)
    hidden = np.ma.masked_array(sky, MASK == 0)
    np.testing.assert_array_equal(pseudo_cl.spectrum(hidden, MASK, 9).powers, expected)
    np.testing.assert_array_equal(  # bool is 0 and 1
        pseudo_cl.spectrum(sky, MASK > 0, 9).powers,
        pseudo_cl.spectrum(sky, (MASK > 0).astype(float), 9).powers)
    given, mask = sky.copy(), MASK.copy()
    field = Field.from_map(given, mask)
    given[:] = mask[:] = 0
    np.testing.assert_array_equal(Coupling(field, bands=9).decouple().powers, expected)
    np.testing.assert_array_equal(field.with_map(sky).alm, field.alm)
    with pytest.raises(ValueError):
        field.mask[0] = 1
    with pytest.raises(ValueError):
        field.alm[0, 0] = 1


def test_single_precision():
    sky = RNG.standard_normal((2, SKY.npix)).astype(np.float32)
    one = pseudo_cl.spectrum(sky, MASK.astype(np.float32), 9, spin=2)
    two = pseudo_cl.spectrum(sky.astype(float), MASK, 9, spin=2)
    assert one.powers.dtype == np.float64
    assert Field.from_map(sky, MASK, spin=2).alm.dtype == np.complex64
    np.testing.assert_allclose(one.powers, two.powers, atol=1e-5 * abs(two.powers).max())
    assert (one.powers != two.powers).any()


def test_cross_spectra():
    """Names, sequence, masks and windows of two fields; both ways round."""
    sky, lmax = RNG.standard_normal((3, SKY.npix)), 40
    second, beams = np.sqrt(MASK), [armilla.spectrum.gaussian_beam(x, lmax) for x in (0.02, 0.05)]
    how = dict(lmax=lmax, bands=9)
    one = pseudo_cl.spectrum(sky[0], MASK, map2=sky[1:], mask2=second, spin2=2, beam=beams[0],
                             beam2=beams[1], **how)
    two = pseudo_cl.spectrum(sky[1:], second, map2=sky[0], mask2=MASK, spin=2, spin2=0,
                             beam=beams[1], beam2=beams[0], **how)
    assert one.components == ("TE", "TB") and two.components == ("ET", "BT")
    np.testing.assert_allclose(one["TE"], two["ET"], rtol=1e-10)
    np.testing.assert_allclose(one["TB"], two["BT"], rtol=1e-10)
    np.testing.assert_allclose(one.knox_errors(), two.knox_errors())
    twice = pseudo_cl.spectrum(sky[1:], MASK, spin=2, map2=sky[1:], beam=beams[0], **how)
    auto = pseudo_cl.spectrum(sky[1:], MASK, spin=2, beam=beams[0], **how)
    assert auto.components == ("EE", "EB", "BE", "BB")
    np.testing.assert_array_equal(twice.powers, auto.powers)
    np.testing.assert_allclose(auto["EB"], auto["BE"], rtol=1e-10)
    # a beam and a window of pixels are one product
    other = pseudo_cl.spectrum(sky[1:], MASK, spin=2, map2=sky[1:], pixwin=np.sqrt(beams[0]),
                               beam=np.sqrt(beams[0]), **how)
    np.testing.assert_allclose(other.powers, auto.powers, rtol=1e-10)
    np.testing.assert_allclose(other.plain(), auto.plain(), rtol=1e-10)
    with pytest.raises(KeyError, match="'TT': must be one of EE, EB"):
        auto["TT"]


def test_fields_on_two_grids():
    small = armilla.Grid.healpix(16)
    one = Field.from_map(RNG.standard_normal(SKY.npix), MASK, lmax=20)
    two = Field.from_map(RNG.standard_normal(small.npix), apodised(*places(small)), lmax=20)
    assert one.lmask == 40 and two.lmask == 40
    result = Coupling(one, two, bands=6).decouple()
    assert result.fsky is None and result.knox_errors(0.5).shape == (1, 3)
    with pytest.raises(ValueError, match="fsky: is needed"):
        result.knox_errors()
    same = Coupling(one, Field.from_map(RNG.standard_normal(SKY.npix), MASK, lmax=20), bands=6)
    np.testing.assert_allclose(Coupling(one, two, bands=6).matrix, same.matrix, rtol=2e-2,
                               atol=1e-3)
    # masks of several degrees go up to what both have
    short = Field.from_map(RNG.standard_normal(SKY.npix), MASK, lmax=20, lmask=11)
    np.testing.assert_allclose(Coupling(one, short, bands=6).mask_cl, same.mask_cl[:12])


def test_threads_give_the_same_bits():
    sky = RNG.standard_normal((2, SKY.npix))
    results = []
    for nthreads in (1, 2, 5):
        field = Field.from_map(sky, MASK, spin=2, nthreads=nthreads)
        coupling = Coupling(field, bands=7, nthreads=nthreads)
        results.append((coupling.decouple().powers, coupling.windows, coupling.pseudo,
                        coupling.couple(np.ones((4, 65))), coupling.decouple().knox_errors()))
    for one in results[1:]:
        for a, b in zip(one, results[0]):
            np.testing.assert_array_equal(a, b)


def test_pickles():
    sky = RNG.standard_normal((2, SKY.npix))
    field = Field.from_map(sky, MASK, spin=2, beam=np.linspace(1, 0.5, 65), iterations=1)
    bands = Bands.linear(64, 9, quantity="dl")
    coupling = Coupling(field, bands=bands, progress=lambda done: None)
    masks = Coupling.from_masks(coupling.mask_cl, 64, bands, (2, 2), window=field.window ** 2)
    result = coupling.decouple()
    again = pickle.loads(pickle.dumps([field, bands, coupling, masks, result]))
    np.testing.assert_array_equal(again[0].alm, field.alm)
    np.testing.assert_array_equal(again[0].with_map(sky).alm, field.alm)
    assert again[1] == bands and repr(again) == repr([field, bands, coupling, masks, result])
    assert not again[0].mask.flags.writeable
    for one in (again[2].decouple(), masks.decouple(pseudo=coupling.pseudo),
                again[3].decouple(pseudo=coupling.pseudo), again[4]):
        np.testing.assert_array_equal(one.powers, result.powers)
        np.testing.assert_array_equal(one.windows, result.windows)
    np.testing.assert_array_equal(again[4].knox_errors(), result.knox_errors())


def test_labels_and_pictures():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    result = pseudo_cl.spectrum(RNG.standard_normal(SKY.npix), MASK,
                                Bands.linear(64, 9, quantity="dl"))
    axes = result.plot(theory=np.ones(65))
    assert axes.get_ylabel() == r"$D_\ell$" and len(axes.lines) == 2
    np.testing.assert_allclose(axes.lines[1].get_ydata()[0], 6 / (2 * np.pi))  # of l = 2
    assert result.plot(axes=axes, errors=False) is axes
    with pytest.raises(ValueError, match="theory: has shape"):
        result.plot(theory=np.ones((2, 65)))
    matplotlib.pyplot.close("all")
    pytest.importorskip("xarray")
    data = result.to_xarray()
    assert data.power.dims == ("component", "band") and data.attrs["quantity"] == "dl"
    np.testing.assert_array_equal(data.power.sel(component="TT"), result["TT"])
    np.testing.assert_array_equal(data.degree, result.centres)
    np.testing.assert_array_equal(data.error, result.knox_errors())


def test_the_command_has_the_same_powers(tmp_path):
    """From files, of which the map is float32: I, Q, U by `spectrum --decouple`."""
    sky = RNG.standard_normal((3, SKY.npix)).astype(np.float32)
    sky_file, mask_file, made = (str(tmp_path / name)
                                 for name in ("sky.fits", "mask.fits", "cl.txt"))
    armilla.io.write_map(sky_file, sky, units=["uK"] * 3)
    armilla.io.write_map(mask_file, MASK, dtype="float64")
    subprocess.run([sys.executable, "-m", "armilla", "spectrum", sky_file, "--mask", mask_file,
                    "--pol", "--decouple", "--bands", "9", "--lmax", "64", "--iter", "0", "-o",
                    made], check=True, capture_output=True)
    told = np.loadtxt(made)[:, -6:].T
    how = dict(bands=9, lmax=64)
    sky = sky.astype(float)
    t, te = (pseudo_cl.spectrum(sky[0], MASK, **how, **more)
             for more in ({}, {"map2": sky[1:], "spin2": 2}))
    p = pseudo_cl.spectrum(sky[1:], MASK, spin=2, **how)
    expected = np.array([t["TT"], p["EE"], p["BB"], te["TE"], te["TB"], p["EB"]])
    np.testing.assert_allclose(told, expected, atol=1e-7 * abs(expected).max())


# --- What is refused ------------------------------------------------------------------------------


def wrong_mask(value):
    mask = MASK.copy()
    mask[7000] = value
    return mask


FLAT = np.ones(SKY.npix)


@pytest.mark.parametrize("make, error, words", [
    (lambda: Field(), TypeError, "from_map"),
    (lambda: Field.from_map(FLAT, 0 * MASK), ValueError, "^mask: is 0 everywhere"),
    (lambda: Field.from_map(FLAT, wrong_mask(-1)), ValueError, "^mask: pixel 7000 is -1"),
    (lambda: Field.from_map(FLAT, wrong_mask(np.nan)), ValueError, "^mask: pixel 7000 is nan"),
    (lambda: Field.from_map(FLAT, wrong_mask(np.inf)), ValueError, "^mask: pixel 7000 is inf"),
    (lambda: Field.from_map(FLAT, np.ma.masked_less(MASK, 0.5)), TypeError, "^mask: hides"),
    (lambda: Field.from_map(FLAT, MASK[:-1]), ValueError, "^mask: has shape"),
    (lambda: Field.from_map(FLAT[:-1], MASK), ValueError, "^map: has shape"),
    (lambda: Field.from_map(FLAT, MASK, spin=2), ValueError, "^map: has shape"),
    (lambda: Field.from_map(FLAT * 1j, MASK), TypeError, "^map: must be real"),
    (lambda: Field.from_map(np.where(FLAT, np.nan, 0), MASK), ValueError,
     r"^map: pixel \d+ is missing.*mask is"),
    (lambda: Field.from_map(np.ma.masked_array(FLAT, MASK < 0.5), MASK), ValueError,
     "^map: pixel .* is missing"),
    (lambda: Field.from_map(FLAT, MASK, spin=-1), ValueError, "^spin = -1"),
    (lambda: Field.from_map(FLAT, MASK, spin=3, lmax=2), ValueError, "^spin = 3"),
    (lambda: Field.from_map(FLAT, MASK, lmax=-1), ValueError, "^lmax = -1"),
    (lambda: Field.from_map(FLAT, MASK, lmask=-1), ValueError, "^lmask = -1"),
    (lambda: Field.from_map(FLAT, MASK, beam=np.ones(64)), ValueError, "^beam: has shape"),
    (lambda: Field.from_map(FLAT, MASK, pixwin=np.full(65, np.nan)), ValueError, "^pixwin"),
    (lambda: Field.from_map(FLAT, MASK, "N32"), ValueError, "^mask: has shape"),
    (lambda: Field.from_map(FLAT, MASK, 3), TypeError, "^grid"),
    (lambda: Field.from_map(FLAT, MASK, iterations="many"), ValueError, "^iterations"),
    (lambda: Field.from_map(FLAT, MASK, iterations=None), TypeError, "^iterations"),
    (lambda: Field.from_map(FLAT, MASK, iterations=-1), ValueError, "iterations = -1"),
])
def test_wrong_fields(make, error, words):
    with pytest.raises(error, match=words):
        make()


ONE = Field.from_map(FLAT, MASK, lmax=20)
POLE = Coupling(ONE, bands=6)


@pytest.mark.parametrize("make, error, words", [
    (lambda: Coupling(MASK), TypeError, "^field1"),
    (lambda: Coupling(ONE, MASK), TypeError, "^field2"),
    (lambda: Coupling(ONE, Field.from_map(FLAT, MASK, lmax=21)), ValueError, "^field2: has lmax"),
    (lambda: Coupling(ONE, bands="a"), TypeError, "^bands = 'a'"),
    (lambda: Coupling(ONE, bands=20), ValueError, "^bands = 20: no band"),
    (lambda: Coupling(ONE, bands=Bands([2], [22])), ValueError, "band 0 has degrees 2 .. 21"),
    (lambda: Coupling(ONE, bands=6, nthreads=-1).couple(np.ones(21)), ValueError, "^nthreads"),
    (lambda: Coupling.from_masks([1, np.nan], 20, 6), ValueError, "^mask_cl: must be finite"),
    (lambda: Coupling.from_masks([], 20, 6), ValueError, "^mask_cl: has shape"),
    (lambda: Coupling.from_masks([1], -1, 6), ValueError, "^lmax = -1"),
    (lambda: Coupling.from_masks([1], 20, 6, 2), TypeError, "^spins = 2"),
    (lambda: Coupling.from_masks([1], 20, 6, (0, 21)), ValueError, "^spin2 = 21"),
    (lambda: Coupling.from_masks([1], 20, 6).pseudo, AttributeError, "pseudo"),
    (lambda: Coupling.from_masks([1], 20, 6).decouple(), ValueError, "^pseudo: "),
    (lambda: Coupling.from_masks([1], 20, 6).decouple(pseudo=np.ones(21)).knox_errors(),
     ValueError, "made from masks only"),
    (lambda: Coupling(Field.from_map(FLAT, FLAT - (MASK > 0), lmax=20), ONE), ValueError,
     "^field2: its mask has no pixel in common"),
    (lambda: POLE.couple(np.ones(20)), ValueError, "^cl: has shape"),
    (lambda: POLE.couple(np.full(21, np.nan)), ValueError, "^cl: "),
    (lambda: POLE.couple_adjoint(np.full(21, np.nan)), ValueError, "^coupled: "),
    (lambda: POLE.mask_adjoint(np.ones(21), np.ones((2, 21))), ValueError, "^g: has shape"),
    (lambda: POLE.theory(np.ones((4, 20))), ValueError, "^cl: has shape"),
    (lambda: POLE.decouple(noise=np.ones(20)), ValueError, "^noise: has shape"),
    (lambda: POLE.decouple(noise=np.full(21, np.inf)), ValueError, "^noise: must be finite"),
    (lambda: POLE.decouple(pseudo=np.ones((2, 21))), ValueError, "^pseudo: has shape"),
    (lambda: POLE.decouple().knox_errors(2), ValueError, "^fsky = 2"),
    (lambda: pseudo_cl.Spectrum(), TypeError, "decouple"),
    (lambda: pseudo_cl.pseudo(ONE, MASK), TypeError, "^field2"),
    (lambda: pseudo_cl.pseudo(ONE, Field.from_map(FLAT, MASK, lmax=2)), ValueError, "^field2"),
    (lambda: pseudo_cl.spectrum(FLAT, MASK, mask2=MASK), TypeError, "^mask2: .* map2"),
    (lambda: pseudo_cl.spectrum(FLAT, MASK, spin2=2), TypeError, "^spin2: .* map2"),
])
def test_wrong_couplings(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_matrices_that_cannot_be_solved():
    l = np.arange(41.0)
    spot = np.exp(-l * (l + 1) * 0.001)  # of a mask of a few degrees
    twice = Coupling.from_masks(spot, 20, Bands([2, 2], [9, 9]))
    with pytest.raises(ValueError, match="matrix: .* cannot be solved: band 1"):
        twice.decouple(pseudo=np.ones(21))
    with pytest.raises(ValueError, match="matrix: .* cannot be solved: band 1"):
        twice.theory(np.ones(21))
    narrow = Coupling.from_masks(spot, 20, Bands.linear(20, 4, first=0))
    with pytest.warns(RuntimeWarning, match="condition .*: powers have few digits") as told:
        result = narrow.decouple(pseudo=np.ones(21))
    assert result.condition > 1e10 and told[0].filename == __file__


def test_progress():
    mask_cl = 1 / (1 + np.arange(801.0)) ** 2
    plain = Coupling.from_masks(mask_cl, 400)

    def call(count, progress):
        coupling = Coupling.from_masks(mask_cl, 400, progress=progress)
        return coupling.couple(np.ones((count, 401)))

    check_progress(call)
    seen = []
    told = Coupling.from_masks(mask_cl, 400, progress=seen.append)
    np.testing.assert_array_equal(told.windows, plain.windows)
    assert seen and seen[-1] == 1
    with pytest.raises(armilla.Cancelled):
        check_stop = Coupling.from_masks(mask_cl, 3000, 2, (2, 2), progress=lambda done: True)
        check_stop.matrix
