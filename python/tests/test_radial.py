"""armilla.Radial: convolution against the direct sum over pixels by NumPy, adjoints, masks, arrays;
armilla.convolve."""
import pickle
import threading

import numpy as np
import pytest

import armilla
from armilla import Kernel, Radial
from armilla.io import UNSEEN
from helpers import relative
from progress_judge import lasting

GRIDS = {"healpix": armilla.Grid.healpix(4), "odd": armilla.Grid.healpix(3),
         "gauss": armilla.Grid.gauss_legendre(8, 15),
         "reduced": armilla.Grid.reduced_gauss_legendre(9, 8),
         "CC": armilla.Grid.equidistant("CC", 7, 12),
         "part": armilla.Grid.healpix(4).subset(2, 7),
         "custom": armilla.Grid.custom([0.0, 0.5, 2.0, 1.1], [3, 4, 5, 1], phi0=[0, 1, 0.3, 2],
                                       offset=[40, 0, 7, 30], stride=[-1, 1, 3, 1],
                                       weight=[0.1, 0.5, 1.5, 0])}
EVERYWHERE = pytest.mark.parametrize("name", GRIDS)
GAUSSIAN, HAT = Kernel.gaussian(0.9), Kernel.mexican_hat(0.8)
KERNELS = {"gaussian": GAUSSIAN, "tophat": Kernel.tophat(0.7), "hat": HAT,
           "table": Kernel.table([0, 0.4, 1.03], [2, 1, 0.5])}
ERROR = 1e-13


def pixels(grid):
    """Index, unit vector and weight of every pixel of the grid's rings."""
    index, vectors, weights = [], [], []
    for ring in grid.rings:
        phi = ring["phi0"] + 2 * np.pi * np.arange(ring["nphi"]) / ring["nphi"]
        index.append(ring["offset"] + ring["stride"] * np.arange(ring["nphi"]))
        sine = np.sin(ring["theta"])
        vectors.append(np.stack([sine * np.cos(phi), sine * np.sin(phi),
                                 np.full(phi.shape, np.cos(ring["theta"]))], 1))
        weights.append(np.full(phi.shape, ring["weight"]))
    return np.concatenate(index), np.concatenate(vectors), np.concatenate(weights)


def matrix(radial):
    """K(angle(p, q)) over the rings' pixels, cut, not normalised."""
    _, vectors, _ = pixels(radial.grid)
    chord = np.linalg.norm(vectors[:, None] - vectors[None], axis=2)
    angle = 2 * np.arcsin(np.minimum(chord / 2, 1))
    support = radial.describe().support
    edge = np.abs(angle - support) < 1e-9  # rounding decides: no test may depend on it
    assert support == np.pi or not edge.any()
    return np.where(angle <= support, radial.kernel.values(angle), 0)


def operator(radial):
    """The plan's matrix (npix, npix), normalization included."""
    index, _, weights = pixels(radial.grid)
    kernel, told = matrix(radial), radial.describe()
    dense = kernel * weights
    if told.normalization == "integral":
        dense = dense / told.integral
    elif told.normalization == "sum":
        dense = dense / dense.sum(1)[:, None]
    full = np.zeros((radial.grid.npix,) * 2)
    full[np.ix_(index, index)] = dense
    return full


def random_map(grid, lead=(), seed=1):
    return np.random.default_rng(seed).standard_normal(lead + (grid.npix,))


def scaled_error(made, judge):
    return np.abs(made - judge).max() / np.abs(judge).max()


@EVERYWHERE
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("support", [0.61, 2.05, np.pi])
def test_direct_sum(name, kernel, support):
    radial = Radial(GRIDS[name], KERNELS[kernel], support)
    given = random_map(radial.grid)
    judge = operator(radial)
    assert scaled_error(radial.convolve(given), judge @ given) < ERROR
    assert scaled_error(radial.adjoint(given), judge.T @ given) < ERROR


@EVERYWHERE
def test_the_whole_sphere(name):
    """A constant kernel up to pi: every pixel counts in every sum, the antipodes too."""
    radial = Radial(GRIDS[name], Kernel.table([0, np.pi], [2, 2]), normalization="none")
    index, _, weights = pixels(radial.grid)
    given = random_map(radial.grid) + 3
    judge = 2 * np.sum(weights * given[index])
    np.testing.assert_allclose(radial.convolve(given)[index], judge, rtol=1e-13)
    np.testing.assert_allclose(radial.adjoint(given)[index], 2 * weights * np.sum(given[index]),
                               rtol=1e-13)


@pytest.mark.parametrize("name", ["healpix", "CC", "custom"])
@pytest.mark.parametrize("normalization", ["none", "integral", "sum"])
def test_normalization(name, normalization):
    radial = Radial(GRIDS[name], GAUSSIAN, 1.3, normalization=normalization)
    assert radial.describe().normalization == normalization
    given, other = random_map(radial.grid), random_map(radial.grid, seed=2)
    judge = operator(radial)
    assert scaled_error(radial.convolve(given), judge @ given) < ERROR
    assert scaled_error(radial.adjoint(given), judge.T @ given) < ERROR
    left, right = np.dot(radial.convolve(given), other), np.dot(given, radial.adjoint(other))
    assert abs(left - right) < ERROR * np.linalg.norm(given) * np.linalg.norm(other)
    if normalization == "sum":
        index = pixels(radial.grid)[0]
        constant = radial.convolve(np.full(radial.grid.npix, 3.0))[index]
        np.testing.assert_allclose(constant, 3, rtol=1e-14)


def test_auto_normalization():
    grid = GRIDS["healpix"]
    for kernel, word in ((GAUSSIAN, "integral"), (HAT, "none"), (Kernel.tophat(1.4), "integral"),
                         (Kernel.tophat(0.5), "sum"), (Kernel.gaussian(0.4), "sum"),
                         (Kernel.table([0, 0.5], [1, -1]), "none")):
        assert Radial(grid, kernel).describe().normalization == word
    with pytest.raises(ValueError, match="normalization"):
        Radial(grid, HAT, np.pi, normalization="integral")


def test_like_harmonic_smoothing():
    """A band-limited map on Gauss-Legendre, where both ways are exact but for the truncation."""
    lmax = 24
    sht = armilla.SHT(armilla.Grid.gauss_legendre(48, 96), lmax)
    alm = armilla.alm.random(lmax, np.ones(lmax + 1), seed=1)
    beam = armilla.spectrum.gaussian_beam(0.5, lmax)
    judge = sht.synthesis(armilla.alm.multiply_window(alm, beam))
    radial = Radial(sht.grid, Kernel.gaussian(0.5), truncation_error=1e-9)
    assert relative(radial.convolve(sht.synthesis(alm)), judge) < 1e-7


def test_exact_zeros_beyond_the_support():
    radial = Radial(armilla.Grid.healpix(8), Kernel.gaussian(0.3), 0.7)
    point = np.zeros(radial.grid.npix)
    point[300] = 1
    _, vectors, _ = pixels(radial.grid)
    angle = np.arccos(np.clip(vectors @ vectors[300], -1, 1))
    made = radial.convolve(point)
    assert (made[angle < 0.69] > 0).all()
    assert (np.abs(made[angle > 0.71]) <= 1e-15 * made.max()).all()
    rings = radial.grid.rings
    unreached = np.repeat(np.abs(rings["theta"] - np.arccos(vectors[300, 2])) > 0.71, rings["nphi"])
    assert unreached.sum() > 100 and (made[unreached] == 0).all()


def test_standard_mode_agrees_on_smooth_maps():
    """The two modes differ by what rings alias: nothing to speak of for a kernel of many pixels."""
    grid = armilla.Grid.gauss_legendre(48, 96)
    sky = armilla.SHT(grid, 24).synthesis(armilla.alm.random(24, np.ones(25), seed=2))
    plan = Radial(grid, Kernel.gaussian(0.5), mode="standard")
    exact, standard = Radial(grid, Kernel.gaussian(0.5)).convolve(sky), plan.convolve(sky)
    assert relative(standard, exact) < 1e-6


@EVERYWHERE
def test_weights(name):
    radial = Radial(GRIDS[name], GAUSSIAN, 1.3, normalization="none")
    index, _, solid = pixels(radial.grid)
    given = random_map(radial.grid)
    weights = np.random.default_rng(3).random(radial.grid.npix)
    weights[::3] = 0
    factor = matrix(radial) * solid
    divisor, whole = factor @ weights[index], factor.sum(1)
    judge = (factor @ (weights * given)[index]) / np.where(divisor > 0, divisor, 1)
    share = divisor / whole
    least = float(np.median(share)) + 1e-7
    judge = np.where(share < least, -9, judge)
    holes = np.where(weights == 0, np.nan, given)  # what is there must not matter
    made = radial.convolve(holes, weights=weights, least=least, fill=-9)[index]
    assert (judge == -9).any() and (judge != -9).any()
    assert scaled_error(made, judge) < 1e-12
    single = radial.convolve(holes.astype(np.float32), weights=weights, least=least, fill=-9)
    assert single.dtype == np.float32 and scaled_error(single[index], judge) < 1e-6


def test_mask_and_several_maps():
    radial = Radial(GRIDS["healpix"], GAUSSIAN)
    given = random_map(radial.grid, (3,))
    seen = np.arange(radial.grid.npix) % 4 > 0
    made = radial.convolve(given, weights=seen)
    for one, alone in zip(given, made):
        np.testing.assert_array_equal(radial.convolve(one, weights=seen.astype(float)), alone)
    nothing = radial.convolve(given, weights=np.zeros(radial.grid.npix))
    assert (nothing == UNSEEN).all()


@pytest.mark.parametrize("lead", [(), (1,), (2, 3), (0,)])
def test_leading_axes(lead):
    radial = Radial(GRIDS["healpix"], GAUSSIAN)
    given = random_map(radial.grid, lead)
    for name in ("convolve", "adjoint"):
        made = getattr(radial, name)(given)
        assert made.shape == given.shape and radial.map_shape == (radial.grid.npix,)
        for place in np.ndindex(*lead):
            np.testing.assert_array_equal(made[place], getattr(radial, name)(given[place]))


def test_precision_follows_the_input():
    radial = Radial(GRIDS["healpix"], GAUSSIAN)
    given = random_map(radial.grid)
    for name in ("convolve", "adjoint"):
        full, single = (getattr(radial, name)(given.astype(t)) for t in (np.float64, np.float32))
        assert full.dtype == np.float64 and single.dtype == np.float32
        assert 1e-9 < relative(single, full) < 1e-6
    whole = np.arange(radial.grid.npix) % 7
    np.testing.assert_array_equal(radial.convolve(whole), radial.convolve(whole.astype(float)))
    with pytest.raises(TypeError, match="map: must be real"):
        radial.convolve(given + 0j)


@EVERYWHERE
def test_strides_and_out(name):
    """Any distances of input and output, also different ones, give the bits of compact arrays."""
    radial = Radial(GRIDS[name], GAUSSIAN)
    npix = radial.grid.npix
    given = random_map(radial.grid, (3,))
    padded = np.zeros((3, npix + 5))[:, :npix]
    padded[:] = given
    wide = np.repeat(given, 2, axis=1)[:, ::2]
    index = pixels(radial.grid)[0]
    for operation in (radial.convolve, radial.adjoint):
        judge = operation(given)
        for values in (padded, wide, given[::-1][::-1], np.asfortranarray(given)):
            before = values.copy()
            for out in (np.full((3, npix), 7.0), np.full((3, npix + 5), 7.0)[:, :npix],
                        np.full((3, npix + 9), 7.0)[:, :npix], np.full((3, 2 * npix), 7.0)[:, ::2]):
                assert operation(values, out=out) is out
                np.testing.assert_array_equal(out[:, index], judge[:, index])
                between = np.setdiff1d(np.arange(npix), index)
                assert (out[:, between] == 7).all() and (judge[:, between] == 0).all()
            np.testing.assert_array_equal(values, before)
        same = given.copy()
        np.testing.assert_array_equal(operation(same, out=same)[:, index], judge[:, index])


def test_wrong_out():
    radial = Radial(GRIDS["healpix"], GAUSSIAN)
    given = random_map(radial.grid)
    for out, kind, text in ((np.empty(5), ValueError, "out: has shape"),
                            (np.empty(radial.grid.npix, "f4"), TypeError, "out: has type"),
                            ([1.0], TypeError, "out: must be a numpy array")):
        with pytest.raises(kind, match=text):
            radial.convolve(given, out=out)


def test_bits_do_not_depend_on_threads():
    radial = Radial(armilla.Grid.healpix(16), Kernel.gaussian(0.2))
    given = random_map(radial.grid, (2,))
    for name in ("convolve", "adjoint"):
        one = getattr(radial, name)(given, nthreads=1)
        np.testing.assert_array_equal(getattr(radial, name)(given, nthreads=3), one)


@pytest.mark.parametrize("method", ["auto", "rings"])
def test_methods_agree(method):
    grid, given = GRIDS["healpix"], random_map(GRIDS["healpix"])
    for support in (1.3, np.pi):
        judge = Radial(grid, GAUSSIAN, support, method="pixels").convolve(given)
        radial = Radial(grid, GAUSSIAN, support, method=method)
        assert scaled_error(radial.convolve(given), judge) < ERROR
        assert method == "auto" or support < np.pi or radial.describe().method == "rings"


def test_instruction_sets_agree():
    grid, given = GRIDS["healpix"], random_map(GRIDS["healpix"])
    judge = Radial(grid, GAUSSIAN, support=2.0).convolve(given)  # that of a method differs
    for isa in armilla.info().isa_available:
        radial = Radial(grid, GAUSSIAN, support=2.0, isa=isa)
        assert radial.describe().isa == isa and scaled_error(radial.convolve(given), judge) < ERROR
    with pytest.raises((ValueError, NotImplementedError), match="isa"):
        Radial(grid, GAUSSIAN, isa="abacus")


def test_one_plan_in_several_threads():
    radial, results = Radial(armilla.Grid.healpix(16), Kernel.gaussian(0.2)), {}
    maps = random_map(radial.grid, (4,))
    judge = radial.convolve(maps)

    def work(i):
        for _ in range(5):
            results[i] = radial.convolve(maps[i], nthreads=1 + i % 2)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i in range(4):
        np.testing.assert_array_equal(results[i], judge[i])


@pytest.fixture(scope="module")
def long_job():
    """Enough maps for several reports, on a fast machine too."""
    radial = Radial(armilla.Grid.healpix(64), Kernel.gaussian(0.4), 1.0)

    def maps(count):
        return np.broadcast_to(random_map(radial.grid), (count, radial.grid.npix))

    count, seen = lasting(lambda count, progress: radial.convolve(maps(count), progress=progress))
    assert seen == sorted(seen) and 0 <= seen[0] < 1 and seen[-1] == 1
    return radial, maps(2 * count).copy()


@pytest.mark.parametrize("name", ["convolve", "adjoint"])
def test_cancelling(long_job, name):
    radial, given = long_job
    out = np.full(given.shape, 7.0)
    with pytest.raises(armilla.Cancelled):
        getattr(radial, name)(given, out=out, progress=lambda fraction: True)
    assert (out == 7).any()

    def interrupted(fraction):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        getattr(radial, name)(given, progress=interrupted)


def test_other_threads_run_meanwhile(long_job):
    """A call leaves Python to the others: a thread counts while one works."""
    radial, given = long_job
    finished, counted = threading.Event(), []

    def work():
        radial.convolve(given, nthreads=1)
        finished.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not finished.wait(0.01):
        counted.append(1)
    thread.join()
    assert len(counted) > 3


def test_describe():
    radial = Radial(GRIDS["healpix"], GAUSSIAN, method="pixels", truncation_error=1e-5)
    told = radial.describe()
    assert told.truncation_error <= 1e-5 and told.isa in armilla.info().isa_available
    assert (told.npix, told.nrings) == (192, 15) and told.plan_bytes > 0
    assert abs(told.support / GAUSSIAN.choose_support(1e-5) - 1) < 1e-12
    assert abs(told.truncation_error / GAUSSIAN.truncation_error(told.support) - 1) < 1e-6
    assert abs(told.integral - 1) < 1e-4 and abs(told.width / 0.45 - 1) < 0.05
    assert abs(told.pixel - np.sqrt(4 * np.pi / 192)) < 1e-12
    assert Radial(GRIDS["healpix"], GAUSSIAN, 0.5).describe().support == 0.5
    assert told.pairs > 0 and told.method in ("pixels", "rings", "pixels and rings")


def test_compare():
    """The model: narrow kernels are for sums over pixels, wide ones for transforms."""
    grid = armilla.Grid.healpix(256)
    sht = armilla.SHT(grid, 767)
    narrow, wide = (Radial(grid, Kernel.gaussian(fwhm), method="pixels").compare(sht)
                    for fwhm in (0.0075, 0.225))
    assert 0 < narrow[0] < narrow[1] == wide[1] < wide[0]
    with pytest.raises(TypeError, match="sht: must be an armilla.SHT, not str"):
        Radial(grid, GAUSSIAN).compare("sht")


def test_pickle_and_repr():
    radial = Radial(GRIDS["healpix"], HAT, 1.2, normalization="none", truncation_error=1e-5)
    again = pickle.loads(pickle.dumps(radial))
    given = random_map(radial.grid)
    np.testing.assert_array_equal(again.convolve(given), radial.convolve(given))
    assert repr(again) == repr(radial) and again.kernel is not radial.kernel
    assert "mexican_hat(0.8)" in repr(radial) and "support 1.2, exact" in repr(radial)


@pytest.mark.parametrize("call, kind, text", [
    (lambda grid: Radial(4, GAUSSIAN), TypeError, "grid: must be an armilla.Grid or its name, not"),
    (lambda grid: Radial(grid, 0.9), TypeError, "kernel: must be an armilla.Kernel, not float"),
    (lambda grid: Radial(grid, GAUSSIAN, 0), ValueError, "^support = 0"),
    (lambda grid: Radial(grid, GAUSSIAN, -1), ValueError, "^support = -1"),
    (lambda grid: Radial(grid, GAUSSIAN, 3.2), ValueError, "^support = 3.2"),
    (lambda grid: Radial(grid, GAUSSIAN, np.nan), ValueError, "^support = nan"),
    (lambda grid: Radial(grid, GAUSSIAN, truncation_error=0), ValueError, "^truncation_error = 0"),
    (lambda grid: Radial(grid, GAUSSIAN, mode="fast"), ValueError, "mode = 'fast': must be one of"),
    (lambda grid: Radial(grid, GAUSSIAN, normalization=1), ValueError, "normalization = 1"),
    (lambda grid: Radial(grid, GAUSSIAN, method="fft"), ValueError, "method = 'fft'"),
    (lambda grid: Radial(grid, GAUSSIAN).convolve(np.zeros(5)), ValueError, "map: has shape"),
    (lambda grid: Radial(grid, GAUSSIAN).convolve(np.zeros(grid.npix), weights=np.zeros(5)),
     ValueError, r"weights: has shape \(5,\), must have \(192,\)"),
    (lambda grid: Radial(grid, GAUSSIAN).convolve(np.zeros(grid.npix), weights=-np.ones(192)),
     ValueError, r"weights\[0\] = -1"),
])
def test_wrong_arguments(call, kind, text):
    with pytest.raises(kind, match=text):
        call(GRIDS["healpix"])


# --- armilla.convolve -----------------------------------------------------------------------------


def test_convolve_is_a_plan():
    given = random_map(GRIDS["healpix"], (2,))
    np.testing.assert_array_equal(armilla.convolve(given, HAT, support=1.2),
                                  Radial(GRIDS["healpix"], HAT, 1.2).convolve(given))


def test_ring_weights_make_the_integral_better():
    lmax, nside = 64, 64
    alm = armilla.alm.random(lmax, 1 / np.arange(1.0, lmax + 2) ** 2, seed=3)
    kernel, window = Kernel.gaussian(0.1), armilla.spectrum.gaussian_beam(0.1, lmax)
    sht = armilla.SHT(armilla.Grid.healpix(nside), lmax)
    given, judge = sht.synthesis(alm), sht.synthesis(armilla.alm.multiply_window(alm, window))
    plan = Radial(armilla.Grid.healpix(nside, weights_lmax=2 * nside), HAT)
    np.testing.assert_array_equal(armilla.convolve(given, HAT, ring_weights=True),
                                  plan.convolve(given))
    equal = Radial(sht.grid, kernel).convolve(given)
    weighted = Radial(plan.grid, kernel).convolve(given)
    assert relative(weighted, judge) < 0.3 * relative(equal, judge) < 1e-3


def test_convolve_with_holes():
    """Missing pixels, different in each map, are left out and stay missing."""
    given = random_map(GRIDS["healpix"], (2,))
    given[0, 5], given[1, 9], given[1, 10] = UNSEEN * (1 + 1e-7), np.nan, UNSEEN
    mask = np.ones(192)
    mask[20], mask[21] = 0, 0.25
    plan = Radial(GRIDS["healpix"], GAUSSIAN)
    made = armilla.convolve(given, GAUSSIAN, mask=mask)
    filled = armilla.convolve(given, GAUSSIAN, mask=mask, fill=True)
    for i, holes in enumerate(([5, 20], [9, 10, 20])):
        weights = mask.copy()
        weights[holes] = 0
        judge = plan.convolve(given[i], weights=weights)
        np.testing.assert_array_equal(filled[i], judge)
        judge[holes] = UNSEEN
        np.testing.assert_array_equal(made[i], judge)
    assert (filled != UNSEEN).all()
    constant = armilla.convolve(np.where(mask == 0, np.nan, 2.5), GAUSSIAN, fill=True)
    np.testing.assert_allclose(constant, 2.5, rtol=1e-14)


def test_convolve_with_holes_and_a_kernel_without_a_mean():
    given = random_map(GRIDS["healpix"])
    holes, zeros = given.copy(), given.copy()
    holes[7], zeros[7] = np.nan, 0
    judge = armilla.convolve(zeros, HAT)
    judge[7] = UNSEEN
    np.testing.assert_array_equal(armilla.convolve(holes, HAT), judge)
    with pytest.raises(ValueError, match="fill = True: the kernel is not normalized"):
        armilla.convolve(holes, HAT, fill=True)


def test_convolve_single_precision():
    given = random_map(GRIDS["healpix"]).astype(np.float32)
    given[3] = np.float32(UNSEEN)
    made = armilla.convolve(given, GAUSSIAN)
    assert made.dtype == np.float32 and made[3] == np.float32(UNSEEN)
    assert relative(made, armilla.convolve(given.astype(float), GAUSSIAN)) < 1e-6


def test_convolve_refuses_other_maps():
    for shape in ((), (0,), (13,), (12 * 2 + 12,)):
        with pytest.raises(ValueError, match=r"map: has shape .*must have \(..., 12 nside\^2\)"):
            armilla.convolve(np.zeros(shape), GAUSSIAN)
