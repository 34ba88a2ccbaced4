"""Kernels that are not symmetric, pixel by pixel: against skies through beams, points that do not
ring, and the command; fits of such kernels to beams."""
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import armilla

NSIDE, LMAX, PSI = 32, 30, 0.7


FWHM = np.array([0.1, 0.12, 0.09])
OFFSETS, WEIGHTS = np.array([[0.0, 0.0], [0.1, 0.6], [0.2, -2.0]]), np.array([1.0, 0.5, -0.3])


def kernels():
    return [armilla.Kernel.gaussian(width) for width in FWHM]


def directions(grid):
    theta = np.repeat(grid.rings["theta"], grid.rings["nphi"])
    phi = np.concatenate([ring["phi0"] + 2 * np.pi * np.arange(ring["nphi"]) / ring["nphi"]
                          for ring in grid.rings])
    return theta, phi


@pytest.mark.parametrize("turns", ["one", "rings"])
def test_pixels_are_skies_through_the_beam(turns):
    """On a grid whose sums are exact: the error is that of cutting the kernels."""
    grid = armilla.Grid.gauss_legendre(90, 180)
    theta, phi = directions(grid)
    psi = PSI if turns == "one" else np.random.default_rng(1).uniform(-3, 3, grid.nrings)
    alm = armilla.alm.random(LMAX, 1 / (1 + np.arange(LMAX + 1.0)), seed=2)
    sky = armilla.SHT(grid, LMAX).synthesis(alm)
    plan = armilla.Asymmetric(grid, kernels(), OFFSETS, WEIGHTS, psi, truncation_error=1e-9)
    made = plan.convolve(sky)
    windows = np.stack([armilla.spectrum.gaussian_beam(width, LMAX) for width in FWHM])
    beam = armilla.beam.sum_of_kernels(windows, OFFSETS, WEIGHTS, LMAX, LMAX)
    turn = np.repeat(np.broadcast_to(psi, grid.nrings), grid.rings["nphi"])
    chosen = slice(None, None, 7)
    pointings = np.column_stack([theta, phi, turn])[chosen]
    want = armilla.Beams(LMAX, LMAX, pointings, epsilon=1e-11).convolve(alm, beam)
    assert np.abs(made[chosen] - want).max() < 2e-8 * np.abs(want).max()
    single = plan.convolve(sky.astype("f4"))
    assert single.dtype == np.float32 and np.abs(single - made).max() < 1e-5


def test_an_ellipse_by_its_kernels():
    """As far from the sky through the ellipse as its fit is from it."""
    lmax, kmax = 150, 8
    grid = armilla.Grid.gauss_legendre(90, 180)
    theta, phi = directions(grid)
    alm = armilla.alm.random(LMAX, np.ones(LMAX + 1), seed=2)
    sky = armilla.SHT(grid, LMAX).synthesis(alm)
    beam = armilla.beam.elliptical(0.1, 0.15, lmax, kmax, psi=0.4)
    fit = armilla.beam.fit_kernels(beam, lmax, kmax, tolerance=1e-3)
    plan = armilla.Asymmetric(grid, fit.kernels(), fit.offsets, fit.weights, PSI)
    seen = armilla.Beams(LMAX, kmax, np.column_stack([theta, phi, np.full(grid.npix, PSI)]),
                         epsilon=1e-9)
    few = np.concatenate([beam[armilla.alm.index(lmax, k, k):][:LMAX + 1 - k]
                          for k in range(kmax + 1)])
    want = seen.convolve(alm, few)
    assert np.std(plan.convolve(sky) - want) < 1.5e-3 * np.std(want)


def test_points_do_not_ring():
    grid = armilla.Grid.healpix(NSIDE)
    theta, phi = directions(grid)
    plan = armilla.Asymmetric(grid, kernels(), OFFSETS, WEIGHTS, PSI)
    sky = np.zeros(grid.npix)
    sky[3000] = 1
    made = plan.convolve(sky)
    cosine = (np.cos(theta) * np.cos(theta[3000])
              + np.sin(theta) * np.sin(theta[3000]) * np.cos(phi - phi[3000]))
    reach = plan.describe().support + OFFSETS[:, 0].max()
    far = cosine < np.cos(reach)
    assert reach < 0.6 and far.sum() > 10000
    assert (made[far] == 0).all() and (made != 0).sum() > 300
    whole = armilla.SHT(grid, 2 * NSIDE)  # the harmonic way rings there
    assert np.abs(whole.synthesis(whole.analysis(sky))[far]).max() > 1e-4


def test_adjoints_pickles_and_descriptions():
    grid = armilla.Grid.healpix(8)
    rng = np.random.default_rng(3)
    two = [armilla.Kernel.gaussian(0.3), armilla.Kernel.tophat(0.4)]
    plan = armilla.Asymmetric(grid, two, [[0.1, 1], [0.5, -2]], [0.8, -0.3],
                              normalization="sum")
    a, b = rng.uniform(-1, 1, (2, 3, grid.npix))
    assert np.isclose((plan.convolve(a) * b).sum(), (a * plan.adjoint(b)).sum(), rtol=1e-12)
    copy = pickle.loads(pickle.dumps(plan))
    assert np.array_equal(copy.convolve(a), plan.convolve(a))
    assert np.allclose(plan.convolve(np.ones(grid.npix)), 0.5, atol=1e-13)
    told = plan.describe(1)
    assert (told.nkernels, told.npix, told.nrings) == (2, 768, 31) and told.pairs > 768
    assert repr(plan).startswith("<armilla.Asymmetric 2 kernels") and plan.map_shape == (768,)
    one = armilla.Asymmetric(grid, two[0], [[0, 0], [0, 0]], [0.25, 0.75])
    assert np.allclose(one.convolve(a[0]), armilla.Radial(grid, two[0]).convolve(a[0]),
                       atol=1e-6)


@pytest.mark.parametrize("change, error, text", [
    ({"offsets": [[0, 0, 0]]}, ValueError, "offsets, weights: have shapes"),
    ({"offsets": [[4, 0]]}, ValueError, "offsets: theta of offset 0 = 4"),
    ({"weights": [np.inf]}, ValueError, r"weights\[0\]"),
    ({"kernels": []}, ValueError, "kernels: is empty, must have one or more"),
    ({"kernels": None}, TypeError, "kernels: must be of armilla.Kernel, not NoneType"),
    ({"weights": [], "offsets": np.zeros((0, 2))}, ValueError, "weights: is empty"),
    ({"psi": "a"}, TypeError, "psi = .*must be a real number, in radians, or a text"),
    ({"kernels": [3]}, TypeError, "kernels"),
    ({"psi": np.zeros(3)}, ValueError, "psi: has shape"),
    ({"psi": np.nan}, ValueError, r"psi\[0\]"),
    ({"support": 0}, ValueError, "support"),
    ({"grid": "healpix:4:nested"}, NotImplementedError, "NESTED")])
def test_wrong_plans(change, error, text):
    given = {"grid": armilla.Grid.healpix(4), "kernels": armilla.Kernel.gaussian(0.5),
             "offsets": [[0, 0]], "weights": [1], **change}
    with pytest.raises(error, match=text):
        armilla.Asymmetric(**given)


def test_narrow_kernels_warn():
    with pytest.warns(UserWarning, match="narrower than a pixel"):
        armilla.Asymmetric(armilla.Grid.healpix(4), armilla.Kernel.gaussian(0.01), [[0, 0]], [1],
                           normalization="integral")


def test_wrong_maps():
    plan = armilla.Asymmetric(armilla.Grid.healpix(4), armilla.Kernel.gaussian(0.5), [[0, 0]], [1])
    with pytest.raises(ValueError, match="map: has shape"):
        plan.convolve(np.ones(7))
    with pytest.raises(ValueError, match="missing"):
        plan.convolve(np.full(192, np.nan))


def test_tables_of_kernels(tmp_path):
    """What the command reads is what was fitted."""
    beam = armilla.beam.elliptical(0.1, 0.13, 100, 6)
    fit = armilla.beam.fit_kernels(beam, 100, 6, 4)
    fit.write(tmp_path / "kernels.txt")
    with pytest.raises(FileExistsError):
        fit.write(tmp_path / "kernels.txt")
    rows = [line.split() for line in (tmp_path / "kernels.txt").read_text().splitlines()
            if not line.startswith("#")]
    assert len(rows) == len(fit.weights)
    assert [float(row[2]) for row in rows] == fit.weights.tolist()
    assert [float(row[3][len("gaussian:"):-3]) for row in rows] == fit.fwhm.tolist()
    grid = armilla.Grid.healpix(NSIDE)
    sky = np.random.default_rng(5).standard_normal(grid.npix)
    armilla.io.write_map(tmp_path / "sky.fits", sky, dtype=np.float64)
    subprocess.run([sys.executable, "-m", "armilla", "convolve", "sky.fits", "-o", "seen.fits",
                    "--asymmetric", "kernels.txt", "--psi", f"{PSI}rad", "--quiet"], cwd=tmp_path,
                   env=dict(os.environ, PYTHONPATH=str(Path(armilla.__file__).parents[1])),
                   check=True)
    made = armilla.io.read_map(tmp_path / "seen.fits").values[0]
    plan = armilla.Asymmetric(grid, fit.kernels(), fit.offsets, fit.weights, PSI)
    assert np.allclose(made, plan.convolve(sky), rtol=0, atol=1e-14)


# --- Fits -----------------------------------------------------------------------------------------


def test_fit_of_kernels_finds_them():
    rng = np.random.default_rng(2)
    lmax, kmax, number = 100, 100, 5
    offsets = np.column_stack([rng.uniform(0, 0.12, number), rng.uniform(-3, 3, number)])
    fwhm, weights = rng.uniform(0.04, 0.1, number), rng.uniform(0.2, 1, number)
    windows = np.stack([armilla.spectrum.gaussian_beam(width, lmax) for width in fwhm])
    beam = armilla.beam.sum_of_kernels(windows, offsets, weights, lmax, kmax)
    fit = armilla.beam.fit_kernels(beam, lmax, kmax, tolerance=1e-11)
    assert len(fit.weights) == number and fit.error < 1e-11 and fit.largest_error < 1e-11
    assert fit.weight == np.abs(fit.weights).sum()
    order, found = np.argsort(weights)[::-1], np.argsort(fit.weights)[::-1]
    for made, want in ((fit.fwhm, fwhm), (fit.weights, weights), (fit.offsets, offsets)):
        assert np.allclose(made[found], want[order], rtol=1e-8)


@pytest.mark.parametrize("tolerance, most, kmax", [(1e-3, 5, 8), (1.2e-4, 7, 16)])
def test_fit_of_kernels_to_an_ellipse(tolerance, most, kmax):
    """Its error is that of the coefficients, of orders beyond kmax as well."""
    lmax = 160
    beam = armilla.beam.elliptical(0.06, 0.09, lmax, kmax, psi=0.3)
    fit = armilla.beam.fit_kernels(beam, lmax, kmax, tolerance=tolerance)
    assert len(fit.weights) <= most and fit.weight < 1.01 and fit.error < tolerance
    assert_errors(fit, beam, lmax)
    wide = armilla.beam.elliptical(0.06, 0.09, lmax, 24, psi=0.3)
    made = armilla.beam.sum_of_kernels(fit.windows(lmax), fit.offsets, fit.weights, lmax, 24)
    assert norm(lmax, wide - made, 24) < 2 * tolerance * norm(lmax, wide, 24)


def norm(lmax, beam, mmax=None):
    power = armilla.spectrum.compute(beam, lmax=lmax, mmax=mmax)
    return np.sqrt(((2 * np.arange(lmax + 1) + 1) * power).sum())


def assert_errors(fit, beam, lmax):
    """Those of all orders of the kernels, against a beam that has none above its own."""
    made = armilla.beam.sum_of_kernels(fit.windows(lmax), fit.offsets, fit.weights, lmax, lmax)
    whole = np.zeros_like(made)
    whole[:len(beam)] = beam
    part = made - whole
    assert np.isclose(norm(lmax, part) / norm(lmax, whole), fit.error, rtol=1e-3)
    left, all_ = (np.sqrt(armilla.spectrum.compute(each, lmax=lmax)) for each in (part, whole))
    np.testing.assert_allclose(fit.errors, left / all_, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("short, long, lmax, kmax, error", [
    (0.1, 0.1, 64, 0, 1e-4), (0.1, 0.13, 90, 0, 1e-4),
    (np.radians(8), np.radians(12), 64, 2, 0.05)])
def test_fit_of_kernels_to_few_orders(short, long, lmax, kmax, error):
    """Kernels have no room where the beam has no orders."""
    beam = armilla.beam.elliptical(short, long, lmax, kmax)
    fit = armilla.beam.fit_kernels(beam, lmax, kmax, 4)
    assert_errors(fit, beam, lmax)
    assert fit.error < error and (kmax > 0 or (fit.offsets[:, 0] == 0).all())


@pytest.mark.parametrize("factor", [1e155, 1e-200])
def test_fit_of_kernels_scales(factor):
    beam = armilla.beam.elliptical(0.1, 0.13, 60, 4)
    fit = armilla.beam.fit_kernels(beam, 60, 4, 2)
    large = armilla.beam.fit_kernels(beam * factor, 60, 4, 2)
    assert np.allclose(large.weights / factor, fit.weights) and np.isclose(large.error, fit.error)


@pytest.mark.parametrize("beam, tolerance", [
    (armilla.beam.elliptical(0, 0, 40, 2), 1e-6),
    (-armilla.beam.elliptical(0.2, 0.2, 40, 2), 1e-9)])
def test_fit_of_one_kernel(beam, tolerance):
    """A pencil beam, and one that is negative."""
    fit = armilla.beam.fit_kernels(beam, 40, 2, tolerance=2 * tolerance)
    assert len(fit.weights) == 1 and fit.error < 2 * tolerance
    assert np.isclose(fit.weights[0], beam[0].real * np.sqrt(4 * np.pi))


def test_fit_of_kernels_keeps_to_its_least_width():
    beam = armilla.beam.elliptical(0.04, 0.06, 150, 6)
    fit = armilla.beam.fit_kernels(beam, 150, 6, 4, fwhm_min=0.045)
    assert fit.fwhm.min() >= 0.045 * (1 - 1e-12) and 1e-3 < fit.error < 0.05
