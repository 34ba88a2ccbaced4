"""Each numbered formula of docs/site/conventions.md, by the library and by a closed form.

Harmonics are those of conventions_judge.py. Other packages are asked where they are installed.
"""
import re
from math import factorial, pi
from pathlib import Path

import numpy as np
import pytest
from conventions_judge import goldberg, legendre, schmidt_norm, wigner
from helpers import dot_alm

import armilla

PAGE = Path(__file__).resolve().parents[2] / "docs" / "site" / "conventions.md"
LMAX = 8
L = np.concatenate([np.arange(m, LMAX + 1) for m in range(LMAX + 1)])
M = np.concatenate([np.full(LMAX + 1 - m, m) for m in range(LMAX + 1)])
SIGN = (-1.0) ** M
ROOT = np.sqrt(L * (L + 1.0))
GRID = armilla.Grid.gauss_legendre(12, 20)
THETA = np.repeat(GRID.rings["theta"], 20)
PHI = np.tile(2 * pi * np.arange(20) / 20, 12)
NORMAL = np.stack([np.sin(THETA) * np.cos(PHI), np.sin(THETA) * np.sin(PHI), np.cos(THETA)])
HELD = set()


def holds(*numbers):
    """Marks a test that holds these formulas of the page."""
    HELD.update(numbers)
    return lambda function: function


def test_every_formula_is_held():
    tags = [int(tag) for tag in re.findall(r"\\tag\{(\d+)\}", PAGE.read_text())]
    assert tags == list(range(1, len(tags) + 1)) and set(tags) == HELD


def field(seed=1, spin=0):
    """Coefficients of a random field, 0 below the spin."""
    alm = armilla.alm.random(LMAX, np.ones(LMAX + 1), seed)
    return np.where(abs(spin) <= L, alm, 0)


def one(l, m, value=1.0):
    """Coefficients of which one alone is not 0."""
    alm = np.zeros(L.size, complex)
    alm[armilla.alm.index(LMAX, l, m)] = value
    return alm


def on_grid(alm, spin=0, **more):
    return armilla.SHT(GRID, LMAX, spin=spin, **more).synthesis(alm)


def whole(alm, l, m):
    """a_lm for any sign of m."""
    if m >= 0:
        return alm[armilla.alm.index(LMAX, l, m)]
    return (-1) ** m * np.conj(alm[armilla.alm.index(LMAX, l, -m)])


def close(a, b, bound=1e-11):
    scale = max(np.abs(b).max(), 1e-300)
    assert np.shape(a) == np.shape(b) and np.abs(a - b).max() <= bound * scale


# --- Scalars --------------------------------------------------------------------------------------


@holds(1)
def test_the_first_harmonics():
    y11 = np.sqrt(3 / (8 * pi)) * np.sin(THETA)
    close(on_grid(one(0, 0)), np.full(GRID.npix, 1 / np.sqrt(4 * pi)))
    close(on_grid(one(1, 0)), np.sqrt(3 / (4 * pi)) * np.cos(THETA))
    close(on_grid(one(1, 1)), -2 * y11 * np.cos(PHI))
    close(on_grid(one(1, 1, 1j)), 2 * y11 * np.sin(PHI))


@holds(2)
def test_the_sum_over_orders():
    alm = field()
    both = sum(whole(alm, l, m) * goldberg(0, l, m, THETA, PHI)
               for l in range(LMAX + 1) for m in range(-l, l + 1))
    half = sum((1 if m == 0 else 2) * (whole(alm, l, m) * goldberg(0, l, m, THETA, PHI)).real
               for l in range(LMAX + 1) for m in range(l + 1))
    close(both.real, half)
    assert np.abs(both.imag).max() < 1e-12
    close(on_grid(alm), half)


@holds(3)
def test_mean_and_dipole():
    v = np.array([0.3, -1.2, 2.0])
    alm = armilla.SHT(GRID, LMAX).analysis(5 + v @ NORMAL)
    expected = one(0, 0, 5 * np.sqrt(4 * pi)) + one(1, 0, np.sqrt(4 * pi / 3) * v[2])
    close(alm, expected + one(1, 1, -np.sqrt(2 * pi / 3) * (v[0] - 1j * v[1])))


@holds(4)
def test_index_and_size():
    for lmax, mmax in ((8, 8), (8, 3), (0, 0)):
        places = [m * (2 * lmax + 1 - m) // 2 + l
                  for m in range(mmax + 1) for l in range(m, lmax + 1)]
        assert places == list(range((mmax + 1) * (lmax + 1) - mmax * (mmax + 1) // 2))
        assert len(places) == armilla.alm.size(lmax, mmax)
        assert places == [armilla.alm.index(lmax, l, m)
                          for m in range(mmax + 1) for l in range(m, lmax + 1)]


@holds(5)
def test_inner_products():
    a, b = field(1), field(2)
    sum_ = np.sum(np.where(M > 0, 2, 1) * (a * np.conj(b)).real)
    weight = np.repeat(GRID.rings["weight"], 20)
    close(np.sum(weight * on_grid(a) * on_grid(b)), sum_)
    close(armilla.alm.to_real(a) @ armilla.alm.to_real(b), sum_)
    real = np.concatenate([a[M == 0].real, np.sqrt(2) * np.column_stack(
        [a[M > 0].real, a[M > 0].imag]).ravel()])
    close(armilla.alm.to_real(a), real)


@holds(6)
def test_operators_and_their_adjoints():
    sht, a = armilla.SHT(GRID, LMAX), field()
    f = np.random.default_rng(1).standard_normal(GRID.npix)
    weight = np.repeat(GRID.rings["weight"], 20)
    close(np.sum(f * sht.synthesis(a)), dot_alm(sht.adjoint_synthesis(f), a, LMAX))
    close(sht.analysis(f), sht.adjoint_synthesis(weight * f))
    close(sht.adjoint_analysis(a), weight * sht.synthesis(a))


# --- Spin -----------------------------------------------------------------------------------------


@holds(7)
@pytest.mark.parametrize("spin", [1, 2, 3, 5, -1, -2])
def test_spin_fields(spin):
    e, b = field(1, spin), field(2, spin)
    expected = np.zeros(GRID.npix, complex)
    for l in range(abs(spin), LMAX + 1):
        for m in range(-l, l + 1):
            y = goldberg(spin, l, m, THETA, PHI)
            d = wigner(l, m, -spin, THETA) * np.exp(1j * m * PHI)
            close(y, (-1) ** spin * np.sqrt((2 * l + 1) / (4 * pi)) * d)
            expected -= (whole(e, l, m) + 1j * whole(b, l, m)) * y
    q, u = on_grid(np.stack([e, b]), spin)
    close(q + 1j * u, expected)


@holds(8)
def test_the_first_spin_harmonics():
    zero = np.zeros(L.size, complex)
    q, u = on_grid(np.stack([one(2, 0), zero]), 2)
    close(q, -np.sqrt(15 / (32 * pi)) * np.sin(THETA) ** 2)
    assert np.abs(u).max() < 1e-14
    q, u = on_grid(np.stack([one(1, 0), zero]), 1)
    close(q, -np.sqrt(3 / (8 * pi)) * np.sin(THETA))
    close(goldberg(2, 2, 0, THETA, PHI), np.sqrt(15 / (32 * pi)) * np.sin(THETA) ** 2 + 0j)


@holds(9)
def test_files_of_the_iau_convention_have_the_other_u(tmp_path):
    iqu = np.random.default_rng(1).standard_normal((3, 12))
    armilla.io.write_map(tmp_path / "m.fits", iqu, dtype=np.float64, overwrite=True)
    raw = (tmp_path / "m.fits").read_bytes()
    assert raw.count(b"'COSMO   '") == 1
    (tmp_path / "iau.fits").write_bytes(raw.replace(b"'COSMO   '", b"'IAU     '"))
    read = armilla.io.read_map(tmp_path / "iau.fits", fields=[0, 1, 2])
    close(read.values, iqu * [[1], [1], [-1]])


@holds(10)
def test_gradients_and_curls():
    alm, zero = field(), np.zeros(L.size, complex)
    _, d_theta, d_phi = armilla.evaluate(alm, LMAX, np.column_stack([THETA, PHI]), derivatives=1)
    close(on_grid(np.stack([ROOT * alm, zero]), 1), np.stack([d_theta, d_phi]))
    close(on_grid(np.stack([zero, ROOT * alm]), 1), np.stack([-d_phi, d_theta]))
    close(on_grid(alm, 1, mode="derivatives"), np.stack([d_theta, d_phi]))
    f = np.sin(THETA) * np.cos(PHI)                         # n_x: its gradient by hand
    n_x = one(1, 1, -np.sqrt(2 * pi / 3))
    close(on_grid(n_x), f)
    close(on_grid(np.stack([ROOT * n_x, zero]), 1),
          np.stack([np.cos(THETA) * np.cos(PHI), -np.sin(PHI)]))


@holds(11)
def test_second_derivatives():
    factor = -np.sqrt(np.maximum(L - 1, 0) * L * (L + 1.0) * (L + 2))
    alm, zero = field(), np.zeros(L.size, complex)
    loc = np.column_stack([THETA, PHI])
    _, _, _, tt, tp, pp = armilla.evaluate(alm, LMAX, loc, derivatives=2)
    close(on_grid(np.stack([factor * alm, zero]), 2), np.stack([tt - pp, 2 * tp]))
    close(on_grid(-L * (L + 1) * alm), tt + pp)
    y20 = np.sqrt(5 / (16 * pi)) * (3 * np.cos(THETA) ** 2 - 1)
    _, _, _, tt, tp, pp = armilla.evaluate(one(2, 0), LMAX, loc, derivatives=2)
    close(tt + pp, -6 * y20)
    close(tt - pp, 6 * np.sqrt(5 / (16 * pi)) * np.sin(THETA) ** 2)


# --- Winds ----------------------------------------------------------------------------------------


@holds(12)
def test_vorticity_and_divergence():
    radius, omega, rate = 6.371e6, 1e-5, 2e-6
    wind = armilla.SHT(GRID, LMAX, spin=1)
    u, v = radius * omega * np.sin(THETA), 0 * THETA        # solid rotation
    e, b = wind.analysis(np.stack([-v, u]))
    close(on_grid(-ROOT / radius * b), 2 * omega * np.cos(THETA))
    assert np.abs(e).max() < 1e-10 * np.abs(b).max()
    # gradient of R^2 rate sin(latitude): northward, its divergence -2 rate sin(latitude)
    e, b = wind.analysis(np.stack([-radius * rate * np.sin(THETA), 0 * THETA]))
    close(on_grid(-ROOT / radius * e), -2 * rate * np.cos(THETA))
    assert np.abs(b).max() < 1e-10 * np.abs(e).max()


@holds(13)
def test_stream_function_and_velocity_potential():
    radius, psi, chi = 6.371e6, field(1), field(2)
    v_theta, v_phi = on_grid(ROOT / radius * np.stack([chi, psi]), 1)
    loc = np.column_stack([THETA, PHI])
    _, psi_t, psi_p = armilla.evaluate(psi, LMAX, loc, derivatives=1) / radius
    _, chi_t, chi_p = armilla.evaluate(chi, LMAX, loc, derivatives=1) / radius
    u, v = psi_t + chi_p, psi_p - chi_t
    close(np.stack([v_theta, v_phi]), np.stack([-v, u]))
    e, b = armilla.SHT(GRID, LMAX, spin=1).analysis(np.stack([-v, u]))
    close(-ROOT / radius * b, -L * (L + 1) / radius**2 * psi)
    close(-ROOT / radius * e, -L * (L + 1) / radius**2 * chi)


# --- Other norms ----------------------------------------------------------------------------------


def geodesy(alm):
    """C_lm and S_lm of (14)."""
    factor = np.where(M > 0, np.sqrt(2), 1) * SIGN / np.sqrt(4 * pi)
    return factor * alm.real, -factor * alm.imag


def real_sum(cosines, sines, norm):
    """Sum of (C cos + S sin) times norm(l, m) P_lm."""
    return sum(norm(l, m) * legendre(l, m, np.cos(THETA)) * (c * np.cos(m * PHI)
                                                             + s * np.sin(m * PHI))
               for l, m, c, s in zip(L.tolist(), M.tolist(), cosines, sines))


@holds(14)
def test_four_pi_norm():
    alm = field()
    cosines, sines = geodesy(alm)
    close(real_sum(cosines, sines, lambda l, m: np.sqrt(2 * l + 1) * schmidt_norm(l, m)),
          on_grid(alm))


@holds(15)
def test_schmidt_norm():
    alm = field()
    g, h = np.sqrt(2 * L + 1) * np.stack(geodesy(alm))
    close(real_sum(g, h, schmidt_norm), on_grid(alm))
    assert schmidt_norm(1, 0) == schmidt_norm(1, 1) == 1


@holds(14, 15)
def test_pyshtools_has_these_norms():
    pyshtools = pytest.importorskip("pyshtools")
    alm = field()
    cilm = np.zeros((2, LMAX + 1, LMAX + 1))
    cilm[:, L, M] = geodesy(alm)
    value = armilla.evaluate(alm, LMAX, np.radians([[70, 40]]))
    for norm, factor in (("4pi", 1), ("schmidt", np.sqrt(2 * np.arange(LMAX + 1) + 1)[:, None])):
        theirs = pyshtools.SHCoeffs.from_array(factor * cilm, normalization=norm, csphase=1)
        close(theirs.expand(lat=[20.0], lon=[40.0]), value)


@holds(16, 17)
def test_shtns():
    """Against the closed forms that SHTns' manual has; and against SHTns, where it is."""
    close(geodesy(field())[0][M == 0], field()[M == 0].real / np.sqrt(4 * pi))
    s, t = field(1), field(2)
    loc = np.column_stack([THETA, PHI])
    _, s_t, s_p = armilla.evaluate(s, LMAX, loc, derivatives=1)
    _, t_t, t_p = armilla.evaluate(t, LMAX, loc, derivatives=1)
    close(on_grid(np.stack([ROOT * s, -ROOT * t]), 1), np.stack([s_t + t_p, s_p - t_t]))
    shtns = pytest.importorskip("shtns")
    grid = armilla.Grid.gauss_legendre(32, 48)
    scalar = armilla.SHT(grid, LMAX, two_dimensional=True).synthesis(s)
    for flags, factor in ((shtns.sht_orthonormal, 1), (shtns.sht_fourpi, 1 / np.sqrt(4 * pi)),
                          (shtns.sht_schmidt, np.sqrt((2 * L + 1) / (4 * pi))),
                          (shtns.sht_orthonormal | shtns.SHT_NO_CS_PHASE, SIGN)):
        plan = shtns.sht(LMAX, LMAX, 1, flags)
        plan.set_grid(32, 48, shtns.sht_gauss | shtns.SHT_PHI_CONTIGUOUS)
        close(plan.analys(scalar.copy()), factor * s)
    plan = shtns.sht(LMAX)
    plan.set_grid(32, 48, shtns.sht_gauss | shtns.SHT_PHI_CONTIGUOUS)
    wind = armilla.SHT(grid, LMAX, spin=1, two_dimensional=True)
    close(np.stack(plan.synth(s, t)), wind.synthesis(np.stack([ROOT * s, -ROOT * t])))


@holds(18)
def test_grib():
    """c_lm of functions whose mean square is 1: by Gauss' rule, and the sum that models make."""
    alm = field()
    c = SIGN / np.sqrt(4 * pi) * alm
    nodes, weights = np.polynomial.legendre.leggauss(2 * LMAX)

    def norm(l, m):
        return np.sqrt((2 * l + 1) * factorial(l - m) / factorial(l + m))

    total = 0.0
    for l, m, value in zip(L.tolist(), M.tolist(), c):
        close(np.sum(weights * (norm(l, m) * legendre(l, m, nodes)) ** 2) / 2, 1.0)
        term = value * norm(l, m) * legendre(l, m, np.cos(THETA)) * np.exp(1j * m * PHI)
        total = total + (1 if m == 0 else 2) * term.real
    close(total, on_grid(alm))
    close(c[0].real, np.mean(np.repeat(GRID.rings["weight"], 20) * on_grid(alm)) * GRID.npix
          / (4 * pi))


@holds(19)
def test_ambisonics():
    alm = field()
    cosines, sines = geodesy(alm)
    n3d = np.empty((LMAX + 1) ** 2)
    n3d[L * L + L + M] = cosines
    n3d[(L * L + L - M)[M > 0]] = sines[M > 0]
    total, sn3d = 0.0, 0.0
    for l in range(LMAX + 1):
        for m in range(-l, l + 1):
            wave = np.cos(m * PHI) if m >= 0 else np.sin(-m * PHI)
            function = schmidt_norm(l, abs(m)) * legendre(l, abs(m), np.cos(THETA)) * wave
            acn = l * l + l + m
            total = total + n3d[acn] * np.sqrt(2 * l + 1) * function
            sn3d = sn3d + np.sqrt(2 * l + 1) * n3d[acn] * function
            if l == 1:
                close(function, NORMAL[{1: 1, 2: 2, 3: 0}[acn]])
    close(total, on_grid(alm))
    close(sn3d, on_grid(alm))


def with_all_orders(e, b, spin):
    """{(l, m): sf_lm} of (20)."""
    made = {}
    for l in range(abs(spin), LMAX + 1):
        for m in range(l + 1):
            e_lm, b_lm = whole(e, l, m), whole(b, l, m)
            made[l, m] = -(e_lm + 1j * b_lm)
            made[l, -m] = -((-1) ** m) * (np.conj(e_lm) + 1j * np.conj(b_lm))
    return made


@holds(20)
@pytest.mark.parametrize("spin", [1, 2, -2])
def test_complex_coefficients_of_all_orders(spin):
    e, b = field(1, spin), field(2, spin)
    modes = with_all_orders(e, b, spin)
    q, u = on_grid(np.stack([e, b]), spin)
    close(sum(value * goldberg(spin, l, m, THETA, PHI) for (l, m), value in modes.items()),
          q + 1j * u)


@holds(20)
@pytest.mark.parametrize("spin", [2, -1])
def test_ssht_and_s2fft_have_them(spin):
    e, b = field(1, spin), field(2, spin)
    modes, n = with_all_orders(e, b, spin), LMAX + 1
    grid = armilla.Grid.equidistant("MW", n, 2 * n - 1)
    q, u = armilla.SHT(grid, LMAX, spin=spin, two_dimensional=True).synthesis(np.stack([e, b]))
    asked = 0
    try:
        import pyssht
    except ImportError:
        pass
    else:
        flat = np.zeros(n * n, complex)
        for (l, m), value in modes.items():
            flat[l * l + l + m] = value
        close(pyssht.inverse(flat, n, Method="MW", Spin=spin), q + 1j * u)
        asked += 1
    try:
        import s2fft
    except ImportError:
        pass
    else:
        square = np.zeros((n, 2 * n - 1), complex)
        for (l, m), value in modes.items():
            square[l, n - 1 + m] = value
        close(np.asarray(s2fft.inverse(square, n, spin=spin, sampling="mw", method="numpy")),
              q + 1j * u)
        asked += 1
    if not asked:
        pytest.skip("neither pyssht nor s2fft is installed")


# --- Grids, rotations, spectra, lensing -----------------------------------------------------------


@pytest.mark.parametrize("n", [9, 10])
def test_the_table_of_grids(n):
    i = np.arange(n)
    for kind, theta, exact in (
            ("CC", pi * i / (n - 1), n - 2), ("F1", pi * (i + 0.5) / n, n - 1),
            ("F2", pi * (i + 1) / (n + 1), (n - 1) // 2), ("DH", pi * i / n, (n - 2) // 2),
            ("MW", pi * (2 * i + 1) / (2 * n - 1), n - 1), ("MWSS", pi * i / (n - 1), n - 2),
            ("MWFLIP", 2 * pi * i / (2 * n - 1), n - 1)):
        grid = armilla.Grid.equidistant(kind, n, 2 * n)
        np.testing.assert_allclose(grid.rings["theta"], theta, atol=1e-15)
        assert grid.exact_lmax == exact and not grid.rings["phi0"].any()
    gauss = armilla.Grid.gauss_legendre(n, 2 * n)
    close(np.cos(gauss.rings["theta"]), np.polynomial.legendre.leggauss(n)[0][::-1], 1e-14)
    assert gauss.exact_lmax == n - 1


@holds(21)
def test_octahedral_weights():
    n = 48
    ring = np.arange(2 * n)
    nphi = 4 * (np.minimum(ring, 2 * n - 1 - ring) + 1) + 16
    nodes, weights = np.polynomial.legendre.leggauss(2 * n)
    grid = armilla.Grid.custom(np.arccos(nodes[::-1]), nphi, weight=2 * pi * weights / nphi)
    close(np.sum(grid.rings["weight"] * nphi), 4 * pi)
    assert grid.npix == 4 * n * (n + 9)
    for lmax, low, high in ((n - 1, 0, 1e-11), (2 * n - 1, 1e-3, 10)):
        alm = armilla.alm.random(lmax, np.ones(lmax + 1), seed=1)
        sht = armilla.SHT(grid, lmax)
        assert low <= np.abs(sht.analysis(sht.synthesis(alm)) - alm).max() <= high


@holds(22)
def test_rotations():
    psi, theta, phi = 0.7, 1.1, -2.3

    def about_z(angle):
        c, s = np.cos(angle), np.sin(angle)
        return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])

    c, s = np.cos(theta), np.sin(theta)
    matrix = about_z(phi) @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ about_z(psi)
    rotation, alm = armilla.Rotation(psi, theta, phi), field()
    close(rotation.matrix, matrix)
    made = rotation.rotate_alm(alm)
    expected = [sum(np.exp(-1j * m * phi) * wigner(l, m, n, theta) * np.exp(-1j * n * psi)
                    * whole(alm, l, n) for n in range(-l, l + 1)) for l, m in zip(L.tolist(),
                                                                                  M.tolist())]
    close(made, np.array(expected))
    x, y, z = matrix.T @ NORMAL                             # R^-1 n
    back = np.column_stack([np.arccos(z), np.arctan2(y, x)])
    close(on_grid(made), armilla.evaluate(alm, LMAX, back))


@holds(23)
def test_spectra():
    alm = field()
    cl = [sum(abs(whole(alm, l, m)) ** 2 for m in range(-l, l + 1)) / (2 * l + 1)
          for l in range(LMAX + 1)]
    close(armilla.spectrum.compute(alm), np.array(cl))
    weight = np.repeat(GRID.rings["weight"], 20)
    degree = np.arange(LMAX + 1)
    close(np.sum(weight * on_grid(alm) ** 2) / (4 * pi), np.sum((2 * degree + 1) * cl) / (4 * pi))


@holds(24, 25)
def test_beams_and_kernels():
    width, lmax = 0.2, 110
    degree, sigma = np.arange(lmax + 1.0), width / np.sqrt(8 * np.log(2))
    window = np.exp(-degree * (degree + 1) * sigma**2 / 2)
    close(armilla.spectrum.gaussian_beam(width, lmax), window)
    polar = np.where(degree < 2, 0, np.exp(-(degree * (degree + 1) - 4) * sigma**2 / 2))
    close(armilla.spectrum.gaussian_beam(width, lmax, spin=2), polar)
    kernel = armilla.Kernel.gaussian(width)
    close(kernel.harmonic_window(lmax), window)
    x, weights = np.polynomial.legendre.leggauss(200)
    values = np.polynomial.legendre.legval(x, (2 * degree + 1) / (4 * pi) * window)
    close(kernel.values(np.arccos(x)), values, 1e-9)
    for l in (0, 1, 7, 40):
        p_l = np.polynomial.legendre.legval(x, np.eye(lmax + 1)[l])
        close(2 * pi * np.sum(weights * kernel.values(np.arccos(x)) * p_l), window[l], 1e-9)


@holds(26)
def test_lensing():
    phi = 1e-3 * field()
    kappa, gamma1, gamma2, _ = armilla.lensing.distortion(GRID, phi)
    close(kappa, on_grid(L * (L + 1) / 2 * phi))
    shear = np.sqrt(np.maximum(L - 1, 0) * L * (L + 1.0) * (L + 2)) / 2 * phi
    close(np.stack([gamma1, gamma2]), on_grid(np.stack([shear, 0 * shear]), 2))
    loc = np.column_stack([THETA, PHI])
    alpha = on_grid(np.stack([ROOT * phi, 0 * phi]), 1)
    moved, _ = armilla.lensing.deflect(loc, alpha)
    alm, places = field(2), armilla.Lensing(GRID, phi, LMAX, epsilon=1e-12)
    close(places.alm2lenmap(alm), armilla.evaluate(alm, LMAX, moved), 1e-10)
    # along a geodesic, as far as alpha is long, in its direction
    x, y, z = (np.sin(moved[:, 0]) * np.cos(moved[:, 1]), np.sin(moved[:, 0]) * np.sin(moved[:, 1]),
               np.cos(moved[:, 0]))
    south = np.stack([np.cos(THETA) * np.cos(PHI), np.cos(THETA) * np.sin(PHI), -np.sin(THETA)])
    east = np.stack([-np.sin(PHI), np.cos(PHI), 0 * PHI])
    length = np.hypot(*alpha)
    aim = (alpha[0] * south + alpha[1] * east) / length
    close(np.stack([x, y, z]), np.cos(length) * NORMAL + np.sin(length) * aim)
