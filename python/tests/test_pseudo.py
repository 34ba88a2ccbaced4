"""pseudo_analysis with weights, a mask and a first guess, against dense least squares."""
import numpy as np
import pytest

import armilla
from helpers import random_alm, relative

GRID = armilla.Grid.healpix(4)
LMAX = 6
SHT = {0: armilla.SHT(GRID, LMAX), 2: armilla.SHT(GRID, LMAX, spin=2),
       -1: armilla.SHT(GRID, LMAX, spin=-1), "iqu": armilla.IQU(GRID, LMAX)}
PROBLEMS = [(0, "random"), (0, "masked"), (2, "random"), (2, "masked"), (-1, "counts")]


def pixel_weights(kind, seed=3):
    rng = np.random.default_rng(seed)
    if kind == "counts":  # observations
        return rng.poisson(2.0, GRID.npix).astype(float)
    weights = rng.uniform(0.5, 40, GRID.npix) ** 2
    return weights * (rng.uniform(size=GRID.npix) > 0.2) if kind == "masked" else weights


def noise(sht, lead=(), seed=4):
    return np.random.default_rng(seed).standard_normal(lead + sht.map_shape)


def dense_basis(sht, spin):
    """Coefficients with one real number each that matters: (n, *alm_shape)."""
    basis = []
    for place in np.ndindex(*sht.alm_shape[:-1]):
        for m in range(LMAX + 1):
            for l in range(max(m, abs(spin)), LMAX + 1):
                for unit in (1, 1j) if m else (1,):
                    alm = np.zeros(sht.alm_shape, complex)
                    alm[(*place, armilla.alm.index(LMAX, l, m))] = unit
                    basis.append(alm)
    return np.array(basis)


def dense_solution(spin, sky, weights):
    """The least squares solution by NumPy's singular values; where the weight is 0 NaN is right."""
    sht = SHT[spin]
    basis = dense_basis(sht, spin)
    root = np.sqrt(np.broadcast_to(weights, sht.map_shape)).ravel()
    matrix = sht.synthesis(basis).reshape(len(basis), -1).T * root[:, None]
    right = np.where(root > 0, sky.ravel(), 0) * root
    numbers, _, rank, values = np.linalg.lstsq(matrix, right, rcond=None)
    assert rank == len(basis) and values[0] < 1e3 * values[-1]
    rest = np.linalg.norm(matrix @ numbers - right) / np.linalg.norm(right)
    return np.tensordot(numbers, basis, 1), rest


@pytest.mark.parametrize("spin, kind", PROBLEMS)
def test_dense_least_squares_agree(spin, kind):
    sht, weights = SHT[spin], pixel_weights(kind)
    sky = noise(sht)
    sky[..., weights == 0] = np.nan
    judge, residual = dense_solution(spin, sky, weights)
    options = {"weights": weights, "tolerance": 1e-13, "max_iterations": 1000}
    for guess in (None, random_alm(LMAX, lead=sht.alm_shape[:-1], spin=spin)):
        alm, report = sht.pseudo_analysis(sky, guess=guess, **options)
        assert relative(alm, judge) < 1e-11
        assert report.residual == pytest.approx(residual, rel=1e-9)
        assert 0.1 < residual < 1
    unweighted, _ = sht.pseudo_analysis(np.nan_to_num(sky))
    assert relative(unweighted, judge) > 0.01


def test_masks():
    sht, rng = SHT[2], np.random.default_rng(5)
    kept = rng.uniform(size=GRID.npix) > 0.2
    sky = noise(sht, (3,))
    judge, _ = sht.pseudo_analysis(sky, weights=kept * 1.0)
    sky[..., ~kept] = armilla.io.UNSEEN
    for mask in (kept, kept.astype("i2"), kept.astype("f4"), kept.tolist()):
        np.testing.assert_array_equal(sht.pseudo_analysis(sky, mask=mask)[0], judge)
    weights = rng.uniform(1, 2, GRID.npix)
    both, _ = sht.pseudo_analysis(sky, mask=kept, weights=np.where(kept, weights, np.nan))
    np.testing.assert_array_equal(both, sht.pseudo_analysis(sky, weights=kept * weights)[0])
    assert relative(both, judge) > 1e-3
    strided = np.repeat(weights, 2)[::2]
    for given in (strided, strided.astype(">f8"), list(strided)):
        np.testing.assert_array_equal(sht.pseudo_analysis(sky, mask=kept, weights=given)[0], both)


def test_weights_of_jacobi():
    sht, weights = SHT[0], np.random.default_rng(6).uniform(0, 1, GRID.npix)
    sky, start = noise(sht), random_alm(LMAX)
    for guess, alm in ((None, 0 * start), (start, start)):
        made, report = sht.pseudo_analysis(sky, method="jacobi", max_iterations=2, weights=weights,
                                           guess=guess)
        for _ in range(3):
            alm = alm + sht.analysis(weights * (sky - sht.synthesis(alm)))
        assert relative(made, alm) < 1e-14
        assert report.iterations == 2


@pytest.mark.parametrize("spin", SHT)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_guesses(spin, dtype):
    sht = SHT[spin]
    sky = noise(sht, (2, 3)).astype(dtype)
    tolerance = 1e-10 if dtype == np.float64 else 1e-5
    alm, first = sht.pseudo_analysis(sky, tolerance=tolerance)
    assert (first.iterations > 1).all()
    again, report = sht.pseudo_analysis(sky, tolerance=tolerance * 10, guess=alm)
    assert (report.iterations <= 1).all() and again.dtype == alm.dtype
    np.testing.assert_allclose(report.residual, first.residual, rtol=1e-4)
    assert relative(again, alm) < 100 * tolerance
    spread = np.zeros((2, 3) + sht.alm_shape[:-1] + (alm.shape[-1] + 5,), alm.dtype)[..., :-5]
    crossed = np.zeros(alm.shape[::-1], alm.dtype).T
    for out in (spread, crossed, alm.copy()):
        out[...] = alm
        result, told = sht.pseudo_analysis(sky, tolerance=tolerance * 10, guess=out, out=out)
        assert result is out and told.iterations.tolist() == report.iterations.tolist()
        np.testing.assert_array_equal(out, again)
    same, told = sht.pseudo_analysis(sky[0, 0], tolerance=tolerance * 10, guess=alm[0, 0])
    assert np.max(told.iterations) <= 1
    sky[...] = sky[0, 0]
    repeated, told = sht.pseudo_analysis(sky, tolerance=tolerance * 10, guess=alm[0, 0])
    assert (told.iterations <= 1).all()
    np.testing.assert_array_equal(repeated[1, 2], same)


def test_a_guess_that_overlaps_the_result():
    sht = SHT[0]
    sky, size = noise(sht, (2,)), sht.alm_shape[0]
    room = np.zeros(3 * size, complex)
    room[:2 * size] = sht.analysis(sky).ravel()
    guess, out = room[:2 * size].reshape(2, size), room[size:].reshape(2, size)
    judge, _ = sht.pseudo_analysis(sky, guess=guess.copy())
    sht.pseudo_analysis(sky, guess=guess, out=out)
    np.testing.assert_array_equal(out, judge)


def weights_with(place, value):
    weights = np.ones(GRID.npix)
    weights[place] = value
    return weights


@pytest.mark.parametrize("options, kind, message", [
    ({"weights": weights_with(7, -1)}, ValueError, r"^weights\[7\] = -1: must be finite and at"),
    ({"weights": weights_with(8, np.nan)}, ValueError, r"^weights\[8\] = -?nan"),
    ({"weights": weights_with(9, np.inf)}, ValueError, r"^weights\[9\] = inf"),
    ({"weights": np.zeros(GRID.npix)}, ValueError, "^weights: all are 0"),
    ({"weights": np.ones(5)}, ValueError, r"^weights: has shape"),
    ({"weights": np.ones((2, GRID.npix))}, ValueError, r"^weights: has shape"),
    ({"weights": np.ones((5, 1, GRID.npix))}, ValueError, r"^weights: has shape"),
    ({"weights": np.ones(GRID.npix, complex)}, TypeError, "^weights: must be real"),
    ({"mask": np.zeros(GRID.npix, bool)}, ValueError, "^mask: leaves out all"),
    ({"mask": weights_with(3, 0.5)}, ValueError, "^mask: must hold 0"),
    ({"mask": np.ones(5)}, ValueError, r"^mask: has shape \(5,\), must have \(192,\)"),
    ({"guess": np.ones(5)}, ValueError, r"^guess: has shape \(5,\), must have \(28,\)"),
    ({"guess": np.full(28, np.nan)}, ValueError, r"^guess\[0\] = -?nan"),
    ({"guess": ["a"] * 28}, TypeError, "^guess: must hold numbers"),
])
def test_errors(options, kind, message):
    sht, out = SHT[0], np.full(28, 5j)
    with pytest.raises(kind, match=message):
        sht.pseudo_analysis(noise(sht), out=out, **options)
    assert (out == 5j).all()


def test_steps_need_an_analysis_without_factors():
    sht = armilla.SHT(GRID, 6, spin=1, mode="derivatives")
    for call in (lambda: sht.pseudo_analysis(noise(sht), method="jacobi"),
                 lambda: sht.analysis(noise(sht), iterations=1)):
        with pytest.raises(ValueError, match="method = 'jacobi': must be 'lsmr' with mode = 'd"):
            call()
    made = sht.analysis(noise(sht))
    np.testing.assert_array_equal(sht.analysis(noise(sht), iterations=0)[0], made)
