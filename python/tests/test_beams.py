"""Skies seen through beams: against ducc0, maps and points; beams in closed form."""
import pickle

import numpy as np
import pytest

import armilla

TWO_PI = 2 * np.pi


def coefficients(rng, lmax, mmax, *lead):
    made = rng.uniform(-1, 1, lead + (armilla.alm.size(lmax, mmax), 2)).view(np.complex128)[..., 0]
    made[..., :lmax + 1].imag = 0
    return made


def pointings(rng, number):
    made = rng.uniform([-1, 0, -7], [1, TWO_PI, 7], (number, 3))
    made[:, 0] = np.arccos(made[:, 0])
    made[:2, 0] = 0, np.pi
    return made


def scene(seed, lmax, kmax, components=1, number=500, epsilon=1e-10):
    rng = np.random.default_rng(seed)
    lead = () if components == 1 else (components,)
    plan = armilla.Beams(lmax, kmax, pointings(rng, number), components, epsilon)
    return (plan, coefficients(rng, lmax, lmax, *lead), coefficients(rng, lmax, kmax, *lead),
            rng.uniform(-1, 1, number))


def dot(lmax, one, other):
    """The inner product of real fields."""
    product = (one.conj() * other).real.reshape(-1, one.shape[-1])
    return float((2 * product).sum() - product[:, :lmax + 1].sum())


@pytest.mark.parametrize("lmax, kmax, components", [(60, 4, 1), (41, 41, 3), (20, 0, 3)])
def test_samples_are_those_of_ducc0(lmax, kmax, components):
    ducc0 = pytest.importorskip("ducc0")
    plan, sky, beam, _ = scene(1, lmax, kmax, components, epsilon=1e-11)
    theirs = ducc0.totalconvolve.Interpolator(
        np.atleast_2d(sky), np.atleast_2d(beam), False, lmax, kmax, epsilon=1e-11)
    want = theirs.interpol(plan.pointings)[0]
    assert np.linalg.norm(plan.convolve(sky, beam) - want) < 1e-10 * np.linalg.norm(want)


def test_adjoints_are_transposes():
    plan, sky, beam, samples = scene(2, 50, 6, 3, epsilon=1e-4)
    made = plan.convolve(sky, beam)
    size = np.linalg.norm(made) * np.linalg.norm(samples)
    product = made @ samples
    assert abs(dot(50, sky, plan.adjoint(samples, beam)) - product) < 1e-13 * size
    assert abs(dot(50, beam, plan.beam_adjoint(samples, sky)) - product) < 1e-13 * size


def test_many_skies_are_those_one_by_one():
    plan, _, beam, samples = scene(11, 30, 4, 3, 100)
    rng = np.random.default_rng(12)
    skies = coefficients(rng, 30, 30, 2, 1, 3)
    beams = coefficients(rng, 30, 4, 4, 3)
    made = plan.convolve(skies, beams)
    assert made.shape == (2, 4, 100)
    assert np.array_equal(made[1, 2], plan.convolve(skies[1, 0], beams[2]))
    back = plan.adjoint(made, beam)
    assert back.shape == (2, 4, *plan.sky_shape)
    assert np.array_equal(back[1, 3], plan.adjoint(made[1, 3], beam))
    other = plan.beam_adjoint(samples, skies)
    assert other.shape == (2, 1, *plan.beam_shape)
    assert np.array_equal(other[1, 0], plan.beam_adjoint(samples, skies[1, 0]))
    out = np.empty((4, *plan.beam_shape), complex)
    assert plan.beam_adjoint(made[0], skies[0], out=out) is out
    with pytest.raises(ValueError, match="sky: leading axes .* do not broadcast"):
        plan.convolve(skies[:, 0], beams)
    assert plan.convolve(skies[:0], beam).shape == (0, 1, 100)
    assert plan.adjoint(made[:, :0], beam).shape == (2, 0, *plan.sky_shape)
    assert plan.beam_adjoint(samples, skies[:0].astype("c8")).dtype == np.complex128


def test_single_precision():
    plan, sky, beam, samples = scene(13, 30, 4, 1, 100)
    sky, beam = sky.astype(np.complex64), beam.astype(np.complex64)
    samples = samples.astype(np.float32)
    pairs = [(plan.convolve, sky, beam, np.float32), (plan.adjoint, samples, beam, np.complex64),
             (plan.beam_adjoint, samples, sky, np.complex64)]
    for call, one, two, kind in pairs:
        made = call(one, two)
        assert made.dtype == kind
        whole = call(one.astype(np.result_type(one, np.float64)), two.astype(complex))
        assert np.array_equal(made, whole.astype(kind))
    assert plan.convolve(sky, beam.astype(complex)).dtype == np.float64


def test_half_wave_plate():
    rng = np.random.default_rng(14)
    lmax, kmax, number, tilt = 40, 4, 12, 0.3
    at, alpha = pointings(rng, number), rng.uniform(0, 7, number)
    beams, modulation = armilla.beam.half_wave_plate(
        armilla.beam.elliptical(0.2, 0.3, lmax, kmax, psi=0.4, polarisation=-tilt), alpha)
    plan = armilla.Beams(lmax, kmax, at, 3, 1e-11, modulation=modulation)
    sky = coefficients(rng, lmax, lmax, 3)
    assert plan.beam_shape == beams.shape and plan.describe().nbeams == 3
    assert repr(plan).endswith("12 pointings, 3 beams>")
    bare = plan.with_pointings(at, modulation=np.ones((3, number))).describe(1)
    single = armilla.Beams(lmax, kmax, at, 3, 1e-11).describe(1)
    assert bare.plan_bytes - single.plan_bytes >= 2 * modulation.nbytes  # the library's, and ours
    made = plan.convolve(sky, beams)
    for each in range(number):
        beam = armilla.beam.elliptical(0.2, 0.3, lmax, kmax, psi=0.4,
                                       polarisation=2 * alpha[each] - tilt)
        alone = armilla.Beams(lmax, kmax, at[each:each + 1], 3, 1e-11).convolve(sky, beam)
        assert np.isclose(made[each], alone[0], rtol=0, atol=1e-9 * np.abs(made).max())
    again = pickle.loads(pickle.dumps(plan))
    assert np.array_equal(again.convolve(sky, beams), made)
    assert np.array_equal(again.modulation, modulation)
    samples = rng.uniform(-1, 1, number)
    assert np.isclose(dot(lmax, beams, plan.beam_adjoint(samples, sky)), made @ samples)
    for wrong, words in [(modulation[:, 1:], "modulation: has shape"), ("ab", "modulation: must"),
                         (np.full((3, number), np.nan), "beam 0 at pointing 0 = nan")]:
        with pytest.raises((ValueError, TypeError), match=words):
            armilla.Beams(lmax, kmax, at, 3, modulation=wrong)
    for beam, angle, words in [(beams[0], [1, np.nan], r"alpha\[1\] = nan"),
                               (beams[0, :, :0], alpha, "beam: has shape"),
                               (np.ma.masked_equal(beams[0], 0), alpha, "beam: hides"),
                               (beams[0], np.ma.masked_greater(alpha, 1), "alpha: hides")]:
        with pytest.raises((ValueError, TypeError), match=words):
            armilla.beam.half_wave_plate(beam, angle)


def test_plans_beside_others():
    plan, sky, beam, _ = scene(16, 30, 4, 3, 400)
    at = pointings(np.random.default_rng(17), 400)
    beside = plan.with_pointings(at)
    assert np.array_equal(beside.pointings, at) and beside.sky_shape == plan.sky_shape
    alone = armilla.Beams(30, 4, at, 3, 1e-10)
    del plan
    assert np.allclose(beside.convolve(sky, beam), alone.convolve(sky, beam), rtol=0, atol=1e-9)
    with pytest.raises(ValueError, match="modulation: is of 2 beams"):
        alone.with_pointings(at, modulation=np.ones((2, 400)))
    modulated = armilla.Beams(30, 4, at, 3, 1e-10, modulation=np.ones((2, 400)))
    assert modulated.with_pointings(at[:5], modulation=np.ones((2, 5))).beam_shape[0] == 2
    with pytest.raises(ValueError, match=r"modulation: has leading axes \(\)"):
        modulated.with_pointings(at)


def test_devices():
    rng = np.random.default_rng(15)
    at = pointings(rng, 20)
    plan = armilla.Beams(10, 2, at)
    assert plan.device == plan.describe().backend == "cpu"
    for wrong, words in ((dict(device="gpu"), "device"), (dict(devices=[0]), "devices")):
        with pytest.raises(ValueError, match=words):
            armilla.Beams(10, 2, at, **wrong)
    with pytest.raises((NotImplementedError, ValueError), match="GPU|device"):
        armilla.Beams(10, 2, at, device="cuda", devices=[1000])


def test_mmax_below_lmax():
    rng = np.random.default_rng(3)
    plan = armilla.Beams(30, 3, pointings(rng, 200), mmax=11)
    assert plan.sky_shape == (armilla.alm.size(30, 11),) and plan.mmax == 11
    sky, beam = coefficients(rng, 30, 11), coefficients(rng, 30, 3)
    whole = np.zeros(armilla.alm.size(30), complex)
    whole[:len(sky)] = sky
    other = armilla.Beams(30, 3, plan.pointings)
    assert np.allclose(plan.convolve(sky, beam), other.convolve(whole, beam), rtol=0, atol=1e-5)


@pytest.mark.parametrize("components", [1, 3])
def test_deconvolution_of_an_ellipse(components):
    plan, sky, _, _ = scene(4, 16, 4, components, 3000 * components, 1e-11)
    beam = armilla.beam.elliptical(0.1, 0.2, 16, 4,
                                   polarisation=None if components == 1 else 0.4)
    if components == 3:
        sky[1:, [0, 1, 17]] = 0  # E and B have no l < 2
    samples = plan.convolve(sky, beam)
    fit, report = plan.deconvolve(samples, beam, tolerance=1e-12, max_iterations=300)
    assert report.residual < 1e-9
    assert np.linalg.norm(fit - sky) < 1e-6 * np.linalg.norm(sky)
    weights = np.ones(len(samples))
    weights[5], samples[5] = 0, 1e9
    again, _ = plan.deconvolve(samples, beam, weights=weights, guess=fit)
    assert np.linalg.norm(again - sky) < 1e-6 * np.linalg.norm(sky)


def test_plans_are_told_and_pickled():
    plan, sky, beam, _ = scene(5, 20, 2, number=50)
    copy = pickle.loads(pickle.dumps(plan))
    assert np.array_equal(copy.convolve(sky, beam), plan.convolve(sky, beam))
    told = plan.describe(1)
    assert (told.lmax, told.kmax, told.npointings, told.blm_size) == (20, 2, 50, 60)
    assert told.plan_bytes > plan.pointings.nbytes and told.workspace_bytes > 0
    assert not plan.pointings.flags.writeable and repr(plan).startswith("<armilla.Beams lmax 20")
    out = np.empty((50, 2))[:, 0]
    assert plan.convolve(sky, beam, out=out) is out
    assert np.array_equal(out, plan.convolve(sky.astype("c16"), beam))


def test_progress_ends_a_call():
    plan, sky, beam, _ = scene(7, 1000, 8, number=400000)  # far longer than progress waits
    heard = []
    plan.convolve(sky, beam, progress=heard.append)
    assert heard[-1] == 1 and heard == sorted(heard)
    with pytest.raises(armilla.Cancelled):
        plan.convolve(sky, beam, progress=lambda done: True)


@pytest.mark.parametrize("change, text", [
    ({"kmax": 21}, "kmax"), ({"kmax": -1}, "kmax"), ({"components": 4}, "components"),
    ({"epsilon": 1}, "epsilon"), ({"pointings": np.zeros((0, 3))}, "pointings: is empty"),
    ({"pointings": np.zeros((4, 2))}, "pointings: has shape"),
    ({"pointings": [[0, 0, 0], [4, 0, 0]]}, "pointings: theta of pointing 1"),
    ({"pointings": [[0, 0, 0], [1, 0, np.nan]]}, "pointings: psi of pointing 1")])
def test_wrong_plans(change, text):
    given = {"lmax": 20, "kmax": 2, "pointings": np.zeros((1, 3)), **change}
    with pytest.raises(ValueError, match=text):
        armilla.Beams(**given)


def test_wrong_arrays():
    plan, sky, beam, samples = scene(6, 20, 2, number=50)
    for call, text in ((lambda: plan.convolve(beam, beam), "sky: has shape"),
                       (lambda: plan.convolve(sky, sky), "beam: has shape"),
                       (lambda: plan.adjoint(samples[1:], beam), "samples: has shape"),
                       (lambda: plan.deconvolve(samples, beam[None]), "beam: has leading"),
                       (lambda: plan.deconvolve(samples * np.nan, beam), "samples")):
        with pytest.raises(ValueError, match=text):
            call()


# --- Beams ---------------------------------------------------------------------------------------


def test_symmetric_gaussians_are_windows():
    beam = armilla.beam.elliptical(0.02, 0.02, 100, 2, polarisation=0.0)
    degree = np.arange(101)
    root = np.sqrt((2 * degree + 1) / (4 * np.pi))
    assert np.allclose(beam[0, :101], root * armilla.spectrum.gaussian_beam(0.02, 100), atol=1e-15)
    sigma2 = 0.02 ** 2 / (8 * np.log(2))
    window = root * np.exp(-(degree * (degree + 1) - 4) * sigma2 / 2)
    at = slice(201, None)  # k = 2
    assert np.allclose(beam[1, at], -window[2:] / 2, atol=1e-15)
    assert np.allclose(beam[2, at], -0.5j * window[2:], atol=1e-15)
    assert max(np.abs(beam[0, 101:]).max(), np.abs(beam[1:, :201]).max()) < 1e-15


@pytest.mark.parametrize("polarisation", [None, 0.7])
def test_ellipses_are_those_of_maps(polarisation):
    short, long, psi = 0.04, 0.07, 0.5
    lmax, kmax = 300, 8
    grid = armilla.Grid.gauss_legendre(lmax + 1, 2 * lmax + 2)
    theta = np.repeat(grid.rings["theta"], grid.rings["nphi"])
    phi = np.tile(np.arange(2 * lmax + 2) * TWO_PI / (2 * lmax + 2), lmax + 1)
    u, v = (width / np.sqrt(8 * np.log(2)) for width in (long, short))
    x = 2 * np.sin(theta / 2) * np.cos(phi - psi)
    y = 2 * np.sin(theta / 2) * np.sin(phi - psi)
    pattern = np.exp(-(x / u) ** 2 / 2 - (y / v) ** 2 / 2) / (TWO_PI * u * v)
    if polarisation is not None:
        twice = 2 * (polarisation - phi)
        pattern = np.stack([pattern, pattern * np.cos(twice), pattern * np.sin(twice)])
    want = armilla.beam.from_map(pattern, grid if polarisation else "gl:301x602", lmax, kmax)
    made = armilla.beam.elliptical(short, long, lmax, kmax, psi=psi, polarisation=polarisation)
    assert np.abs(made - want).max() < 2e-3 * np.abs(want).max()


def test_sums_of_kernels():
    rng = np.random.default_rng(8)
    lmax, kmax = 40, 12
    offsets = np.column_stack([rng.uniform(0, 0.3, 5), rng.uniform(0, TWO_PI, 5)])
    weights, windows = rng.uniform(-1, 1, 5), rng.uniform(0, 1, (5, lmax + 1))
    beam = armilla.beam.sum_of_kernels(windows, offsets, weights, lmax, kmax)
    theta, phi = 0.8, 1.3
    one = [theta, phi]  # the sum itself, where all orders count
    whole = armilla.beam.sum_of_kernels(windows, offsets, weights, lmax, lmax)
    assert np.allclose(whole[:len(beam)], beam, rtol=0, atol=1e-14)
    cosine = (np.cos(theta) * np.cos(offsets[:, 0])
              + np.sin(theta) * np.sin(offsets[:, 0]) * np.cos(phi - offsets[:, 1]))
    factor = (2 * np.arange(lmax + 1) + 1) / (4 * np.pi)
    want = sum(c * np.polynomial.legendre.legval(x, factor * w)
               for c, x, w in zip(weights, cosine, windows))
    assert np.isclose(armilla.evaluate(whole, lmax, [one])[0], want, rtol=0, atol=1e-12)
    same = armilla.beam.sum_of_kernels(windows[0], offsets, weights, lmax, kmax)
    each = armilla.beam.sum_of_kernels(np.stack([windows[0]] * 5), offsets, weights, lmax, kmax)
    assert np.allclose(same, each, rtol=0, atol=1e-14)


@pytest.mark.parametrize("call, text", [
    (lambda: armilla.beam.elliptical(0.2, 0.1, 9, 2), "fwhm_min"),
    (lambda: armilla.beam.elliptical(-0.2, 0.1, 9, 2), "fwhm_min"),
    (lambda: armilla.beam.elliptical(0.1, 0.1, 9, 10), "kmax"),
    (lambda: armilla.beam.elliptical(0.1, 4, 9, 2), "fwhm_max = 4: must be from 0 to pi"),
    (lambda: armilla.beam.elliptical(0.1, 0.1, 9, 2, cross_polar=0.5), "cross_polar"),
    (lambda: armilla.beam.elliptical(0.1, 0.1, 9, 2, polarisation=0, cross_polar=2), "cross_polar"),
    (lambda: armilla.beam.from_map(np.zeros(7), armilla.Grid.healpix(2), 3, 2), "map"),
    (lambda: armilla.beam.sum_of_kernels(np.ones(9), [[0, 0]], [1], 9, 2), "windows"),
    (lambda: armilla.beam.sum_of_kernels(np.ones(10), [[0, 0]], [1, 2], 9, 2), "offsets")])
def test_wrong_beams(call, text):
    with pytest.raises(ValueError, match=text):
        call()


@pytest.mark.parametrize("polarised", [False, True])
def test_beams_of_samples(polarised):
    """Rings of a measurement, denser at the axis."""
    rng = np.random.default_rng(3)
    lmax, kmax = 30, 5
    beam = coefficients(rng, lmax, kmax, *([3] if polarised else []))
    places = np.array([(theta, phi) for theta in np.linspace(0.01, np.pi, 100)
                       for phi in np.arange(24) * TWO_PI / 24 + rng.uniform(0, 1)])
    if polarised:
        beam[1:, [0, 1, lmax + 1]] = 0
        values = np.concatenate([
            armilla.Points(lmax, places, epsilon=1e-12, mmax=kmax).synthesis(beam[0])[None],
            armilla.Points(lmax, places, 2, epsilon=1e-12, mmax=kmax).synthesis(beam[1:])])
    else:
        values = armilla.Points(lmax, places, epsilon=1e-12, mmax=kmax).synthesis(beam)
    solid = np.sin(places[:, 0])
    fit, report = armilla.beam.from_samples(values, places, lmax, kmax, weights=solid)
    assert np.abs(fit - beam).max() < 1e-6
    assert np.max(report.residual) < 1e-8 and np.shape(report.stop) == ((2,) if polarised else ())
    seen = np.ones(len(places))
    seen[::7] = 0
    spoilt = np.where(seen > 0, values, 1e3)
    heard = []
    again, _ = armilla.beam.from_samples(spoilt, places, lmax, kmax, weights=seen,
                                         progress=heard.append)
    assert heard == sorted(heard) and heard.count(1) == 1 and (0.5 in heard) == polarised
    assert np.abs(again - beam).max() < 1e-6


@pytest.mark.parametrize("components", [1, 3])
def test_beams_of_files(tmp_path, components):
    lmax, kmax = 40, 4
    beam = armilla.beam.elliptical(0.1, 0.2, lmax, kmax, psi=0.4,
                                   polarisation=None if components == 1 else 0.3)
    armilla.beam.write(tmp_path / "beam.fits", beam, lmax, kmax)
    told = armilla.beam.read(tmp_path / "beam.fits")
    assert (told.lmax, told.kmax) == (lmax, kmax) and np.array_equal(told.beam, beam)
    with pytest.raises(FileExistsError):
        armilla.beam.write(tmp_path / "beam.fits", beam, lmax, kmax)
    for wrong, order in ((beam, kmax + 1), (np.stack([beam, beam])[None], kmax),
                         (np.ones((4, beam.shape[-1])), kmax)):
        with pytest.raises(ValueError, match="beam: has shape"):
            armilla.beam.write(tmp_path / "other.fits", wrong, lmax, order)


def test_beams_of_healpy_files(tmp_path):
    healpy = pytest.importorskip("healpy")
    lmax, kmax = 40, 4
    beam = armilla.beam.elliptical(0.1, 0.2, lmax, kmax, psi=0.4, polarisation=0.3)
    healpy.write_alm(tmp_path / "theirs.fits", list(beam), lmax=lmax, mmax=kmax, mmax_in=kmax,
                     out_dtype=np.float64)
    told = armilla.beam.read(tmp_path / "theirs.fits")
    assert (told.lmax, told.kmax) == (lmax, kmax) and np.array_equal(told.beam, beam)
    armilla.beam.write(tmp_path / "ours.fits", beam, lmax, kmax)
    for number in (1, 2, 3):
        alm, mmax = healpy.read_alm(tmp_path / "ours.fits", hdu=number, return_mmax=True)
        assert mmax == kmax and np.array_equal(alm, beam[number - 1])


def test_beams_are_rotated():
    lmax, kmax = 30, 6
    flat = armilla.beam.elliptical(0.1, 0.2, lmax, kmax, polarisation=0.4)
    turned = armilla.beam.elliptical(0.1, 0.2, lmax, kmax, psi=0.3, polarisation=0.7)
    assert np.allclose(armilla.beam.rotate(flat, 0.3, lmax, kmax), turned, atol=1e-14)
    window = armilla.spectrum.gaussian_beam(0.2, lmax)
    middle = armilla.beam.sum_of_kernels(window, [[0, 0]], [1], lmax, 0)
    aside = armilla.beam.sum_of_kernels(window, [[0.2, 0.5]], [1], lmax, lmax)
    moved = armilla.beam.rotate(middle, armilla.Rotation(0, 0.2, 0.5), lmax, 0)
    assert np.allclose(moved, aside, atol=1e-13)
    assert len(armilla.beam.rotate(middle, armilla.Rotation(0, 0.2, 0.5), lmax, 0, kmax_out=3)
               ) == armilla.alm.size(lmax, 3)


@pytest.mark.parametrize("call, text", [
    (lambda: armilla.beam.from_samples(np.ones(3), np.ones((3, 3)), 9, 2), "directions: has shape"),
    (lambda: armilla.beam.from_samples(np.ones(4), np.ones((3, 2)), 9, 2), "values: has shape"),
    (lambda: armilla.beam.from_samples(np.ones(3), np.ones((3, 2)), 9, 12), "kmax"),
    (lambda: armilla.beam.from_samples([1, np.nan, 1], np.ones((3, 2)), 0, 0), r"values\[1\] = n"),
    (lambda: armilla.beam.from_samples([[1, 1], [1, np.nan], [1, 1]], np.ones((2, 2)), 9, 2),
     r"values\[1, 1\] = nan"),
    (lambda: armilla.beam.from_samples(np.ones((3, 2)), np.ones((2, 2)), 1, 1), "lmax = 1"),
    (lambda: armilla.beam.from_samples([1], [[4, 0]], 9, 2), "directions: theta of point 0 = 4"),
    (lambda: armilla.beam.from_samples([], np.ones((0, 2)), 9, 2), "directions: is empty"),
    (lambda: armilla.beam.rotate(np.ones(27), np.nan, 9, 2), "rotation = nan"),
    (lambda: armilla.beam.rotate(np.ones(9), 0.1, 9, 2), "beam: has shape"),
    (lambda: armilla.beam.rotate(np.ones(27), 0.1, 9, 2, kmax_out=10), "kmax_out = 10"),
    (lambda: armilla.beam.fit_kernels(np.ones(9), 9, 2), "beam: has shape"),
    (lambda: armilla.beam.fit_kernels(np.ones((3, 27)), 9, 2), "beam: has shape"),
    (lambda: armilla.beam.fit_kernels(np.zeros(27), 9, 2), "beam: must be finite, and not 0"),
    (lambda: armilla.beam.fit_kernels(np.full(27, np.nan), 9, 2), "beam: must be finite"),
    (lambda: armilla.beam.fit_kernels(np.ones(27), 9, 2, 0), "number = 0"),
    (lambda: armilla.beam.fit_kernels(np.ones(27), 9, 2, tolerance=1), "tolerance = 1"),
    (lambda: armilla.beam.fit_kernels(np.ones(27), 9, 2, fwhm_min=4), "fwhm_min = 4")])
def test_wrong_samples_and_fits(call, text):
    with pytest.raises(ValueError, match=text):
        call()


@pytest.mark.parametrize("call, name", [
    (lambda given: armilla.beam.from_map(given, "gl:9x17", 8, 2), "map"),
    (lambda given: armilla.beam.from_samples(np.ones(4), given, 8, 2), "directions"),
    (lambda given: armilla.beam.sum_of_kernels(given, [[0, 0]], [1], 8, 2), "windows"),
    (lambda given: armilla.Beams(8, 2, np.zeros((2, 3)), modulation=given), "modulation")])
def test_masks_and_units_are_not_dropped(call, name):
    shape = {"map": 153, "directions": (4, 2), "windows": 9, "modulation": 2}[name]

    class Metres:
        unit = "m"

        def to_value(self, unit):
            raise ValueError("metres are no numbers")

    for given, words in ((np.ma.masked_all(shape), "hides"), (Metres(), "has the unit m")):
        with pytest.raises(TypeError, match=f"{name}: {words}"):
            call(given)


@pytest.mark.parametrize("lmax, kmax, mmax", [(0, 0, 0), (1, 0, 0), (1, 1, 1), (6, 6, 0),
                                              (6, 2, 1)])
def test_smallest_band_limits(lmax, kmax, mmax):
    """One pointing: the sum itself, and both adjoints, whose imaginary parts of order 0 are 0."""
    plan = armilla.Beams(lmax, kmax, [[1.0, 2.0, 3.0]], mmax=mmax)
    rng = np.random.default_rng(1)
    sky, beam = (rng.standard_normal((2, *shape)) for shape in (plan.sky_shape, plan.beam_shape))
    sky, beam = sky[0] + 1j * sky[1], beam[0] + 1j * beam[1]
    sky[:lmax + 1], beam[:lmax + 1] = sky[:lmax + 1].real, beam[:lmax + 1].real
    sample, = plan.convolve(sky, beam)
    for made, given in ((plan.adjoint([sample], beam), sky),
                        (plan.beam_adjoint([sample], sky), beam)):
        weights = np.full(made.shape, 2.0)
        weights[:lmax + 1] = 1
        assert np.isclose(((made * given.conj()).real * weights).sum(), sample ** 2, rtol=1e-12)


def test_the_float_above_pi_is_the_south_pole():
    sky, beam = armilla.alm.random(6, np.ones(7), seed=1), np.ones(armilla.alm.size(6, 2), complex)
    single, double = (armilla.Beams(6, 2, np.array([[np.pi, 1.0, 0.5]], kind)).convolve(sky, beam)
                      for kind in ("f4", "f8"))
    np.testing.assert_allclose(single, double, rtol=1e-6)
