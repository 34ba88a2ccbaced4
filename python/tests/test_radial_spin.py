"""armilla.Radial of spin 2: Q and U against the direct sum in complex numbers by NumPy, harmonic
smoothing, healpy; armilla.convolve with pol."""
import pickle

import numpy as np
import pytest

import armilla
from armilla import Kernel, Radial
from armilla.io import UNSEEN
from helpers import relative
from progress_judge import check_progress
from test_radial import GRIDS, pixels, scaled_error

GAUSSIAN, TOPHAT = Kernel.gaussian(0.9), Kernel.tophat(0.7)
WINDOW = [3, 1, 0.5, -1, 0.2]
ERROR = 1e-13


def transport(grid):
    """exp(2 i t_pq) by spherical trigonometry: the angles of the great circle with the meridians
    at both ends."""
    longitude = np.concatenate([ring["phi0"] + 2 * np.pi * np.arange(ring["nphi"]) / ring["nphi"]
                                for ring in grid.rings])
    theta = np.repeat(grid.rings["theta"], grid.rings["nphi"])
    d = longitude[None] - longitude[:, None]  # of q from p
    sine, cosine = np.sin(theta), np.cos(theta)
    # tan of the direction of q at p, from south towards east, and the way on at q
    at_p = np.arctan2(sine[None] * np.sin(d), cosine[:, None] * sine[None] * np.cos(d)
                      - sine[:, None] * cosine[None])
    at_q = np.arctan2(sine[:, None] * np.sin(d), sine[:, None] * cosine[None] * np.negative(
        np.cos(d)) + cosine[:, None] * sine[None])
    return np.exp(2j * (at_p - at_q))


def operator(radial, turned):
    """The plan's complex matrix; turned: values of the kernel that Q and U see."""
    index, vectors, weights = pixels(radial.grid)
    chord = np.linalg.norm(vectors[:, None] - vectors[None], axis=2)
    angle = 2 * np.arcsin(np.minimum(chord / 2, 1))
    turn = np.where(chord < 1e-9, 1, transport(radial.grid))
    inside = angle <= radial.describe().support
    dense = np.where(inside, turned(angle), 0) * turn * weights
    full = np.zeros((radial.grid.npix,) * 2, complex)
    full[np.ix_(index, index)] = dense
    return full


def window_values(window):
    """sum over l of (2 l + 1) / (4 pi) b_l d^l_22, by Jacobi polynomials."""
    special = pytest.importorskip("scipy.special")

    def values(angle):
        cosine = np.cos(angle)
        return sum((2 * l + 1) / (4 * np.pi) * b * ((1 + cosine) / 2) ** 2
                   * special.eval_jacobi(l - 2, 0, 4, cosine)
                   for l, b in enumerate(window) if l > 1)
    return values


def random_pair(grid, lead=(), seed=1):
    return np.random.default_rng(seed).standard_normal(lead + (2, grid.npix))


@pytest.mark.parametrize("name", ["healpix", "odd", "gauss", "reduced", "part"])
@pytest.mark.parametrize("support", [0.61, 2.05, np.pi])
@pytest.mark.parametrize("method", ["pixels", "rings"])
def test_direct_sum(name, support, method):
    """No rings at poles here: there longitudes say less than axes do."""
    grid, rest = GRIDS[name], dict(normalization="none", method=method, spin=2)
    window = armilla.spectrum.gaussian_beam(0.9, 24, spin=2)
    for kernel, turned in ((Kernel.tophat(0.6), Kernel.tophat(0.6).values),
                           (Kernel.gaussian(0.9), window_values(window)),
                           (Kernel.window(WINDOW), window_values(WINDOW))):
        radial = Radial(grid, kernel, support, **rest)
        judge = operator(radial, turned)
        q, u = given = random_pair(grid)
        for made, expected in ((radial.convolve(given), judge @ (q + 1j * u)),
                               (radial.adjoint(given), judge.conj().T @ (q + 1j * u))):
            assert scaled_error(made[0] + 1j * made[1], expected) < 3e-13


@pytest.mark.parametrize("kernel, window", [
    (Kernel.gaussian(0.5), armilla.spectrum.gaussian_beam(0.5, 24, spin=2)),
    (Kernel.window(np.linspace(1, 0, 25)), np.linspace(1, 0, 25)),
    (Kernel.mexican_hat(0.6), Kernel.mexican_hat(0.6).harmonic_window(24))])
def test_is_harmonic_smoothing(kernel, window):
    """A band-limited map on Gauss-Legendre, where both ways are exact: support pi. Wide kernels are
    sums over l, the narrow ones of the last test integrals."""
    sht = armilla.SHT(armilla.Grid.gauss_legendre(48, 96), 24, spin=2)
    alm = np.stack([armilla.alm.random(24, np.ones(25), seed=seed) for seed in (1, 2)])
    given, judge = sht.synthesis(alm), sht.synthesis(armilla.alm.multiply_window(alm, window))
    radial = Radial(sht.grid, kernel, np.pi, normalization="none", spin=2)
    assert relative(radial.convolve(given), judge) < 1e-12


@pytest.mark.parametrize("kernel", [Kernel.gaussian(0.1), Kernel.mexican_hat(0.15)])
def test_narrow_kernels_are_harmonic_smoothing(kernel):
    lmax = 60
    sht = armilla.SHT(armilla.Grid.gauss_legendre(220, 440), lmax, spin=2)
    alm = np.stack([armilla.alm.random(lmax, np.ones(lmax + 1), seed=seed) for seed in (1, 2)])
    window = (armilla.spectrum.gaussian_beam(0.1, lmax, spin=2) if "gauss" in repr(kernel)
              else kernel.harmonic_window(lmax))
    given, judge = sht.synthesis(alm), sht.synthesis(armilla.alm.multiply_window(alm, window))
    radial = Radial(sht.grid, kernel, 0.6, normalization="none", spin=2)
    assert relative(radial.convolve(given), judge) < 1e-12


def test_like_healpy():
    """healpy.smoothing of I, Q, U by harmonics, without iterations: the same quadrature."""
    hp = pytest.importorskip("healpy", reason="healpy is not installed: nothing to compare with")
    nside, fwhm = 128, np.radians(2)
    sht = armilla.SHT(armilla.Grid.healpix(nside), 200, spin=2)
    sky = np.concatenate([np.zeros((1, sht.grid.npix)), sht.synthesis(
        np.stack([armilla.alm.random(200, np.ones(201), seed=seed) for seed in (3, 4)]))])
    sky[0] = sky[1]
    judge = np.array(hp.smoothing(sky, fwhm=fwhm, pol=True, iter=0, use_pixel_weights=False))
    made = armilla.convolve(sky, Kernel.gaussian(fwhm), pol=True, normalization="none")
    assert relative(made[1:], judge[1:]) < 2e-6
    np.testing.assert_array_equal(made[0], armilla.convolve(sky[0], Kernel.gaussian(fwhm),
                                                            normalization="none"))


@pytest.mark.parametrize("lead", [(), (3,), (2, 2), (0,)])
def test_leading_axes_threads_and_precision(lead):
    radial = Radial(GRIDS["healpix"], GAUSSIAN, spin=2)
    assert radial.map_shape == (2, 192) and radial.spin == 2
    given = random_pair(radial.grid, lead)
    for name in ("convolve", "adjoint"):
        operation = getattr(radial, name)
        made = operation(given, nthreads=1)
        np.testing.assert_array_equal(operation(given, nthreads=3), made)
        wide = np.zeros(lead + (2, 200))[..., :192]
        assert operation(given, out=wide) is wide
        np.testing.assert_array_equal(wide, made)
        for place in np.ndindex(*lead):
            np.testing.assert_array_equal(made[place], operation(given[place]))
        single = operation(given.astype(np.float32))
        assert single.dtype == np.float32
        if made.size:
            assert 1e-9 < relative(single, made) < 1e-6


def test_weights():
    """Over the sums of weights under the scalar kernel; holes are not read."""
    grid, given = GRIDS["healpix"], random_pair(GRIDS["healpix"])
    weights = np.random.default_rng(3).random(192)
    weights[::3] = 0
    for method in ("pixels", "rings"):
        plan, scalar = (Radial(grid, GAUSSIAN, np.pi, method=method, spin=spin) for spin in (2, 0))
        assert plan.describe().method == scalar.describe().method == method
        judge = plan.convolve(given * weights) / scalar.convolve(weights)
        made = plan.convolve(np.where(weights == 0, np.nan, given), weights=weights)
        assert scaled_error(made, judge) < ERROR


def test_modes_are_one_on_equal_rings():
    grid, given = GRIDS["gauss"], random_pair(GRIDS["gauss"])
    exact, standard = (Radial(grid, TOPHAT, mode=mode, spin=2).convolve(given)
                       for mode in ("exact", "standard"))
    assert scaled_error(standard, exact) < ERROR


def test_progress():
    radial = Radial(armilla.Grid.healpix(64), Kernel.gaussian(0.4), 1.0, spin=2)
    given = random_pair(radial.grid)

    def run(weights):
        return lambda count, progress: radial.convolve(
            np.broadcast_to(given, (count,) + given.shape), weights=weights, progress=progress)

    check_progress(run(None))
    check_progress(run(np.ones(radial.grid.npix)))


def test_pickle():
    radial = Radial(GRIDS["healpix"], TOPHAT, spin=2)
    again = pickle.loads(pickle.dumps(radial))
    given = random_pair(radial.grid)
    np.testing.assert_array_equal(again.convolve(given), radial.convolve(given))


def test_convolve_of_polarised_maps():
    given = np.random.default_rng(1).standard_normal((2, 3, 192))
    made = armilla.convolve(given, GAUSSIAN, pol=True)
    np.testing.assert_array_equal(made[:, 0], armilla.convolve(given[:, 0], GAUSSIAN))
    plan = Radial(GRIDS["healpix"], GAUSSIAN, spin=2)
    np.testing.assert_array_equal(made[:, 1:], plan.convolve(given[:, 1:]))
    given[0, 1, 7], given[1, 2, 9] = UNSEEN, np.nan
    holes = armilla.convolve(given, GAUSSIAN, pol=True)
    for i, hole in enumerate((7, 9)):
        np.testing.assert_array_equal(holes[i, 0], made[i, 0])
        weights = np.ones(192)
        weights[hole] = 0
        judge = plan.convolve(given[i, 1:], weights=weights)
        judge[:, hole] = UNSEEN
        np.testing.assert_array_equal(holes[i, 1:], judge)


@pytest.mark.parametrize("call, kind, text", [
    (lambda grid: Radial(grid, GAUSSIAN, spin=1), ValueError, "^spin = 1: must be 0 or 2"),
    (lambda grid: Radial(grid, GAUSSIAN, spin=-2), ValueError, "^spin = -2"),
    (lambda grid: Radial(grid, GAUSSIAN, spin=2.5), (TypeError, ValueError), "spin"),
    (lambda grid: Radial(grid, GAUSSIAN, spin=2).convolve(np.zeros(192)), ValueError,
     r"map: has shape \(192,\), must have \(..., 2, 192\)"),
    (lambda grid: Radial(grid, GAUSSIAN, spin=2).convolve(np.zeros((2, 192)), weights=np.ones(384)),
     ValueError, r"weights: has shape \(384,\), must have \(192,\)"),
    (lambda grid: armilla.convolve(np.zeros((2, 192)), GAUSSIAN, pol=True), ValueError,
     r"map: has shape \(2, 192\), must have \(..., 3, 192\)"),
])
def test_wrong_arguments(call, kind, text):
    with pytest.raises(kind, match=text):
        call(GRIDS["healpix"])
