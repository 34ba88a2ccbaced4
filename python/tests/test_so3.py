"""Functions on the rotation group, their coefficients as s2fft has them, directional wavelets."""
import numpy as np
import pytest

import armilla
from armilla import so3


def random_alm(group, seed=1):
    """Coefficients of a real function, of order 1."""
    rng = np.random.default_rng(seed)
    l = np.concatenate([np.arange(m, group.lmax + 1) for m in range(group.mmax + 1)])
    alm = group.adjoint_synthesis(rng.standard_normal(group.map_shape))
    return alm * 4 * np.pi ** 1.5 / np.sqrt((2 * l + 1) * group.ngamma * group.grid.npix)


def wigner(lmax, theta):
    """d^l_mn(theta): [l, lmax + m, lmax + n], by eigenvectors of the generator of turns about y."""
    made = np.zeros((lmax + 1, 2 * lmax + 1, 2 * lmax + 1))
    for l in range(lmax + 1):
        m = np.arange(-l, l)
        raising = np.sqrt(l * (l + 1) - m * (m + 1)) / 2
        turn = np.diag(-1j * raising, -1) + np.diag(1j * raising, 1)  # J_y, rows m' by m
        value, vector = np.linalg.eigh(turn)
        matrix = (vector * np.exp(-1j * theta * value)) @ vector.conj().T
        made[l, lmax - l:lmax + l + 1, lmax - l:lmax + l + 1] = matrix.real
    return made


def direct(full, beta, alpha, gamma):
    """The sum of the definition, at one rotation."""
    nmax, lmax = len(full) // 2, full.shape[1] - 1
    l, m, n = np.arange(lmax + 1), np.arange(-lmax, lmax + 1), np.arange(-nmax, nmax + 1)
    d = wigner(lmax, beta)[:, :, lmax - nmax:lmax + nmax + 1]
    return np.einsum("nlm,lmn,l,m,n", full, d, (2 * l + 1) / (8 * np.pi ** 2),
                     np.exp(1j * m * alpha), np.exp(1j * n * gamma))


@pytest.mark.parametrize("mmax, nmax, ngamma", [(9, 9, 0), (5, 3, 8), (9, 0, 1)])
def test_complex_functions_are_the_sum_of_the_definition(mmax, nmax, ngamma):
    group = armilla.RotationGroup("mwss:7x20", 9, nmax, mmax, ngamma=ngamma)
    rng = np.random.default_rng(3)
    full = rng.standard_normal((2, 2 * nmax + 1, 10, 19)) @ np.eye(19)
    full = full[0] + 1j * full[1]
    full[:, :, :9 - mmax] = full[:, :, 10 + mmax:] = 0
    low = np.arange(10) < abs(np.arange(-nmax, nmax + 1))[:, None]
    full[low] = 0
    full[:, np.arange(10)[:, None] < abs(np.arange(-9, 10))] = 0
    parts = group.synthesis(so3.from_full(full, mmax))
    samples = (parts[0] + 1j * parts[1]).reshape(group.ngamma, 7, 20)
    theta = group.grid.rings["theta"]
    for j, ring, pixel in ((0, 0, 3), (group.ngamma - 1, 2, 19), (group.ngamma // 2, 6, 5)):
        exact = direct(full, theta[ring], 2 * np.pi * pixel / 20, group.gamma[j])
        assert abs(samples[j, ring, pixel] - exact) < 1e-13 * np.abs(samples).max()


def test_full_coefficients_come_back():
    group = armilla.RotationGroup("gl:9x17", 8, 3, 6)
    alm = random_alm(group)
    full = so3.to_full(alm, 8, 6)
    m, n = np.arange(-8, 9), np.arange(-3, 4)[:, None, None]
    np.testing.assert_allclose(full[::-1, :, ::-1], np.where((m + n) % 2, -1, 1) * full.conj(),
                               atol=1e-15)
    other = random_alm(group, 2)
    parts = so3.from_full(full + 1j * so3.to_full(other, 8, 6), 6)
    np.testing.assert_allclose(parts, [alm, other], atol=1e-14)


@pytest.mark.parametrize("grid, lmax, nmax", [("gl:64x127", 63, 63), ("mw:41x81", 40, 7),
                                              ("rgl:41:40", 40, 40), ("dh:34x33", 16, 2)])
def test_round_trip(grid, lmax, nmax):
    group = armilla.RotationGroup(grid, lmax, nmax)
    alm = random_alm(group)
    assert group.describe().exact == 1
    back = group.analysis(group.synthesis(alm, nthreads=2))
    assert np.linalg.norm(back - alm) < 1e-13 * np.linalg.norm(alm)


def test_adjoints():
    group = armilla.RotationGroup("mw:20x41", 19, 6, 15, ngamma=20)
    rng = np.random.default_rng(5)
    alm, samples = random_alm(group), rng.standard_normal(group.map_shape)
    factor = np.where(np.arange(alm.shape[1]) < 20, 1, 2)
    for forward, adjoint in ((group.synthesis, group.adjoint_synthesis),
                             (group.adjoint_analysis, group.analysis)):
        made = forward(alm)
        left = np.sum(made * samples)
        right = np.sum(factor * (alm.conj() * adjoint(samples)).real)
        assert abs(left - right) < 1e-13 * np.linalg.norm(made) * np.linalg.norm(samples)


def test_arrays():
    group = armilla.RotationGroup("gl:9x17", 8, 2, ngamma=7)
    alm = np.stack([random_alm(group, seed) for seed in (1, 2, 3)])
    samples = group.synthesis(alm)
    assert samples.shape == (3, 7, 153) and group.synthesis(alm[:0]).shape == (0, 7, 153)
    np.testing.assert_array_equal(samples[1], group.synthesis(alm[1]))
    wide = np.zeros((3, 7, 160))
    assert group.synthesis(alm, out=wide[..., :153]).base is wide
    np.testing.assert_array_equal(wide[..., :153], samples)
    assert not wide[..., 153:].any()
    back = np.zeros((3, 45, 5), complex).transpose(0, 2, 1)
    group.analysis(samples, out=back)
    np.testing.assert_allclose(back, alm, atol=1e-13)
    assert group.synthesis(alm[0].astype(np.complex64)).dtype == np.float64
    told = group.describe(1)
    assert told[1:8] == (8, 8, 2, 7, 153, 45, 3) and told.workspace_bytes > 0
    assert "nmax 2" in repr(group)


def test_progress_can_cancel():
    group = armilla.RotationGroup("gl:33x65", 32, 20)
    fractions = []
    group.synthesis(np.zeros(group.alm_shape), progress=fractions.append)
    assert fractions[-1] == 1 and fractions == sorted(fractions)
    with pytest.raises(armilla.Cancelled):
        armilla.RotationGroup("gl:200x399", 199, 30).synthesis(
            np.zeros((61, armilla.alm.size(199))), progress=lambda fraction: True)


@pytest.mark.parametrize("arguments, more, error, text", [
    (("gl:9x17", 8, 9), {}, ValueError, "nmax = 9"), (("gl:9x17", -1, 0), {}, ValueError, "lmax"),
    (("gl:9x17", 8, 2, 9), {}, ValueError, "mmax"),
    (("gl:9x17", 8, 2), {"ngamma": 4}, ValueError, "ngamma = 4"),
    (("gl:9x17", 8, 2), {"table_bytes": -1}, ValueError, "table_bytes"),
    (("gl:9x17", 8, 2), {"plane_bytes": -1}, ValueError, "plane_bytes"),
    (("gl:9x17", 8, 2.5), {}, TypeError, "nmax"),
    (("healpix:4:nested", 8, 2), {}, NotImplementedError, "NESTED")])
def test_plans_that_cannot_be(arguments, more, error, text):
    with pytest.raises(error, match=text):
        armilla.RotationGroup(*arguments, **more)


def test_calls_that_cannot_be():
    group = armilla.RotationGroup("gl:9x17", 8, 2)
    samples = np.zeros(group.map_shape)
    for call, text in ((lambda: group.synthesis(samples), "alm: has shape"),
                       (lambda: group.analysis(samples[1:]), "map: has shape"),
                       (lambda: group.analysis(samples, out=np.zeros((5, 44), complex)), "out"),
                       (lambda: so3.to_full(np.zeros((4, 45)), 8), "alm: has shape"),
                       (lambda: so3.to_full(np.zeros((5, 44)), 8), "alm: has shape"),
                       (lambda: so3.from_full(np.zeros((5, 9, 18))), "full: has shape"),
                       (lambda: so3.from_full(np.zeros((5, 9, 17)), 9), "mmax = 9")):
        with pytest.raises(ValueError, match=text):
            call()
    with pytest.raises(TypeError, match="map"):
        group.analysis(samples + 0j)
    samples[2, 7] = np.nan
    with pytest.raises(ValueError, match="missing"):
        group.analysis(samples)
    assert np.isnan(group.analysis(samples, missing="propagate")).any()


def test_analysis_without_a_rule_warns():
    with pytest.warns(armilla.ExactnessWarning):
        armilla.RotationGroup("gl:9x17", 12, 1).analysis(np.zeros((3, 153)))


# --- Wavelets -------------------------------------------------------------------------------------


@pytest.mark.parametrize("nmax, base, first, grid", [
    (0, 2, 0, "gl"), (1, 2, 2, "mw"), (2, 1.5, 0, "mwss"), (3, 3, 1, "rgl"), (4, 2, 0, "gl"),
    (40, 1.9, 3, "gl"), (5, 100, 0, "mw")])
def test_wavelets_put_a_map_together(nmax, base, first, grid):
    wavelets = so3.DirectionalWavelets(40, nmax, base, first, grid)
    alm = armilla.alm.random(40, np.ones(41), seed=2)
    scaling, samples = wavelets.analysis(alm)
    np.testing.assert_allclose(wavelets.synthesis(scaling, samples, nthreads=2), alm, atol=1e-13)
    np.testing.assert_allclose(np.sum(wavelets.windows ** 2, axis=0), 1, atol=1e-14)
    for j, window, values in zip(wavelets.scales, wavelets.windows[1:], samples):
        seen = np.flatnonzero(window)
        assert base ** (j - 1) < seen[0] and seen[-1] < base ** (j + 1)
        assert values.shape[0] == 2 * min(nmax, seen[-1]) + 1


def test_wavelets_of_several_maps():
    wavelets = so3.DirectionalWavelets(12, 2)
    alm = np.array([[armilla.alm.random(12, np.ones(13), seed=i + 3 * j) for i in range(3)]
                    for j in range(2)])
    scaling, samples = wavelets.analysis(alm)
    assert [one.shape[:2] for one in samples] == [(2, 3)] * 5
    one_scaling, one_samples = wavelets.analysis(alm[1, 2])
    np.testing.assert_array_equal(scaling[1, 2], one_scaling)
    for several, one in zip(samples, one_samples):
        np.testing.assert_array_equal(several[1, 2], one)
    np.testing.assert_allclose(wavelets.synthesis(scaling, samples), alm, atol=1e-13)


def test_wavelets_are_a_tight_frame():
    wavelets = so3.DirectionalWavelets(30, 3, 2, 1)
    alm = armilla.alm.random(30, np.ones(31), seed=4)
    scaling, samples = wavelets.analysis(alm)
    size = armilla.spectrum.compute(scaling) @ (2 * np.arange(31) + 1)
    for group, values in zip(wavelets.groups, samples):
        rings = group.grid.rings
        weight = np.repeat(rings["weight"], rings["nphi"]) * 2 * np.pi / group.ngamma
        size += np.sum(weight * values ** 2)
    assert size == pytest.approx(armilla.spectrum.compute(alm) @ (2 * np.arange(31) + 1),
                                 rel=1e-13)


def test_wavelet_coefficients_are_what_a_beam_sees():
    wavelets = so3.DirectionalWavelets(24, 2)
    alm = armilla.alm.random(24, np.ones(25), seed=4)
    samples = wavelets.analysis(alm)[1]
    for j, group, values in zip(wavelets.scales, wavelets.groups, samples):
        rings = group.grid.rings
        place = np.array([[rings["theta"][1], 2 * np.pi * 2 / rings["nphi"][1], group.gamma[2]]])
        pixel = rings["nphi"][0] + 2
        beam = np.zeros(armilla.alm.size(24, group.nmax), complex)
        for n in range(group.nmax + 1):
            l = np.arange(n, group.lmax + 1)
            beam[armilla.alm.index(24, l, n)] = wavelets.beam(j)[
                armilla.alm.index(group.lmax, l, n)]
        seen = armilla.Beams(24, group.nmax, place, epsilon=1e-12).convolve(alm, beam)
        assert seen[0] == pytest.approx(values[2, pixel], abs=1e-10)


def test_kernels_of_scales_are_those_of_the_paper():
    """kappa_j^2 = k(l / base^(j+1)) - k(l / base^j), by a sum of another kind."""
    u = np.linspace(-1, 1, 400001)[1:-1]
    for base in (2.0, 3.0):
        x = (1 / base) + (u + 1) / 2 * (1 - 1 / base)
        inner = np.exp(-2 / (1 - u ** 2)) / x
        tail = np.cumsum(inner[::-1])[::-1] / inner.sum()
        windows = so3.DirectionalWavelets(64, 0, base, 1).windows
        for row, j in enumerate(so3.DirectionalWavelets(64, 0, base, 1).scales):
            k = [np.interp(np.arange(65) / base ** i, x, tail, 1, 0) for i in (j, j + 1)]
            near = np.arange(65) <= base ** j  # above, the last scale has all that is left
            np.testing.assert_allclose(windows[row + 1][near] ** 2, (k[1] - k[0])[near], atol=1e-5)


@pytest.mark.parametrize("arguments, error, text", [
    ((0, 0), ValueError, "lmax"), ((8, 9), ValueError, "nmax = 9"), ((8, 2, 1), ValueError, "base"),
    ((8, 2, np.nan), ValueError, "base"), ((8, 2, 2, 4), ValueError, "first = 4"),
    ((8, 2, 2, -1), ValueError, "first"), ((8, 2, 2, 0, "healpix"), ValueError, "grid"),
    ((8, 2.5), TypeError, "nmax")])
def test_wavelets_that_cannot_be(arguments, error, text):
    with pytest.raises(error, match=text):
        so3.DirectionalWavelets(*arguments)


def test_calls_of_wavelets_that_cannot_be():
    wavelets = so3.DirectionalWavelets(8, 2)
    scaling, samples = wavelets.analysis(np.zeros(45))
    for call, text in ((lambda: wavelets.analysis(np.zeros(44)), "alm: has shape"),
                       (lambda: wavelets.synthesis(np.zeros(44), samples), "scaling: has shape"),
                       (lambda: wavelets.synthesis(scaling, samples[1:]), "samples"),
                       (lambda: wavelets.synthesis(scaling, samples[::-1]), r"samples\[0\]: has"),
                       (lambda: wavelets.synthesis(scaling, samples[:3] + [samples[3] * np.nan]),
                        r"samples\[3\]\[0\] = nan"),
                       (lambda: wavelets.synthesis(np.zeros((2, 45)), samples),
                        r"samples\[0\]: has the leading shape"),
                       (lambda: wavelets.beam(4), "scale = 4")):
        with pytest.raises(ValueError, match=text):
            call()
    with pytest.raises(TypeError, match=r"samples\[1\]: must be real"):
        wavelets.synthesis(scaling, [samples[0], *(one * 1j for one in samples[1:])])
    assert np.array_equal(wavelets.synthesis(scaling, iter(samples)), scaling)
    assert "scales 0 to 3" in repr(wavelets)
