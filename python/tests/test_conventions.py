"""armilla.conventions: against closed forms, and other programs where they are installed."""
import re
from math import factorial, pi
from pathlib import Path

import numpy as np
import pytest

import armilla
from armilla import conventions

LMAX = 8
N = LMAX + 1
L = np.concatenate([np.arange(m, N) for m in range(N)])
M = np.concatenate([np.full(N - m, m) for m in range(N)])
PAGE = Path(__file__).resolve().parents[2] / "docs" / "site" / "conventions.md"
NORMS = ("ortho", "4pi", "schmidt", "unnorm")


def field(seed=1, lmax=LMAX):
    return armilla.alm.random(lmax, np.ones(lmax + 1), seed)


def square(norm, l, m):
    """The square of the norm of complex harmonics, over that of orthonormal ones."""
    own = (2 * l + 1) * factorial(l - m) / factorial(l + m) / (4 * pi)
    return {"ortho": 1, "4pi": 4 * pi, "schmidt": 4 * pi / (2 * l + 1), "unnorm": 1 / own}[norm]


def close(a, b, bound=2e-15):
    assert np.shape(a) == np.shape(b)
    assert np.all(np.abs(np.asarray(a) - b) <= bound * np.abs(b) + 1e-300)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("cs", ["cs", "nocs"])
def test_factors_are_the_formulas(norm, cs):
    for l in range(N):
        for m in range(l + 1):
            sign = 1 if cs == "cs" else (-1) ** m
            expected = sign / np.sqrt(square(norm, l, m))
            close(conventions.factor(f"healpy:{norm}:{cs}", l, m), expected)
            root = np.sqrt(2) if m and norm != "unnorm" else 2 if m else 1
            close(conventions.factor(f"shtools:{norm}:{cs}", l, m), root * expected)


def test_every_name_goes_there_and_back():
    alm = field()
    for name in conventions.names():
        for words in ("", ":schmidt", ":unnorm:cs", ":4pi:nocs"):
            if name == "torch-harmonics" and "unnorm" in words:
                continue  # refused, as tested in C
            there = conventions.convert(alm, "healpy", name + words)
            assert there.shape == conventions.shape(name + words, LMAX)
            close(conventions.convert(there, name + words, "healpy").view(float), alm.view(float))


def test_index_says_where():
    alm = field()
    for name in conventions.names():
        made = conventions.convert(alm, "healpy", name)
        for l, m in ((0, 0), (5, 0), (5, 3), (8, 8)):
            value = made[conventions.index(name, LMAX, l, m)]
            value = value[0] if np.ndim(value) else value
            a = alm[armilla.alm.index(LMAX, l, m)] * conventions.factor(name, l, m)
            close(value, a if np.iscomplexobj(made) else a.real)
    with pytest.raises(ValueError, match="no such"):
        conventions.index("healpy", 4, 2, -1)
    with pytest.raises(ValueError, match="lmax = "):
        conventions.index("healpy", 2**31, 2, 1)


def test_pairs_and_planes():
    """ICGEM's order and both kinds of planes, written out."""
    alm, made = field(), {}
    for name in ("icgem", "shtools", "shtools-vector", "acn-n3d", "shtns:4pi:nocs:real-norm"):
        made[name] = conventions.convert(alm, "healpy", name)
    scale = np.where(M > 0, np.sqrt(2), 1) * (-1.0) ** M / np.sqrt(4 * pi)
    c, s = scale * alm.real, np.where(M > 0, -scale * alm.imag, 0)
    close(made["shtools"][:, L, M], np.stack([c, s]))
    close(made["icgem"][L * (L + 1) // 2 + M], np.stack([c, s], axis=-1))
    close(made["shtools-vector"][L * L + M], c)
    close(made["shtools-vector"][(L * L + L + M)[M > 0]], s[M > 0])
    close(made["acn-n3d"][(L * L + L - M)[M > 0]], s[M > 0])
    close(made["shtns:4pi:nocs:real-norm"].real, c)
    close(made["shtns:4pi:nocs:real-norm"].imag, -s)


def test_complex_fields():
    """Both signs of m at once, against synthesis of both parts."""
    flat = np.random.default_rng(1).standard_normal((3, N * N, 2)) @ [1, 1j]
    planes = conventions.convert(flat, "ssht:complex-field", "shtools:complex:complex-field")
    square_ = conventions.convert(planes, "shtools:complex:complex-field", "s2fft:complex-field")
    close(conventions.convert(square_, "s2fft:complex-field", "ssht:complex-field"), flat, 4e-15)
    close(square_[:, L, LMAX - M], flat[:, L * L + L - M])
    factor = (-1.0) ** M / np.sqrt(4 * pi)
    close(planes[:, 1, L, M][:, M > 0], (factor * flat[:, L * L + L - M])[:, M > 0], 4e-15)
    with pytest.raises(ValueError, match="target"):
        conventions.convert(flat, "ssht:complex-field", "healpy")
    with pytest.raises(ValueError, match="complex_field"):
        conventions.convert(flat, "ssht", "healpy")


def test_leading_axes_and_single_precision():
    alm = np.stack([[field(1), field(2)], [field(3), field(4)], [field(5), field(6)]])
    cilm = conventions.convert(alm, "healpy", "shtools")
    assert cilm.shape == (3, 2, 2, N, N)
    close(cilm[2, 1], conventions.convert(alm[2, 1], "healpy", "shtools"))
    single = conventions.convert(alm.astype(np.complex64), "healpy", "ifs")
    assert single.dtype == np.complex64
    np.testing.assert_allclose(single, conventions.convert(alm, "healpy", "ifs"), rtol=2e-7)
    assert conventions.convert(cilm.astype("f4"), "shtools", "acn-n3d").dtype == np.float32
    assert conventions.convert(alm[:0], "healpy", "shtools").shape == (0, 2, 2, N, N)


def test_orders_below_the_degree():
    alm = armilla.alm.random(LMAX, np.ones(N), 1, mmax=3)
    made = conventions.convert(alm, "healpy", "torch-harmonics", lmax=LMAX, mmax=3)
    assert made.shape == (N, 4)
    close(conventions.convert(made, "torch-harmonics", "healpy"), alm)
    cilm = conventions.convert(alm, "healpy", "shtools", lmax=LMAX, mmax=3)
    close(conventions.convert(cilm, "shtools", "healpy", mmax=3), alm)
    cilm[1, 6, 5] = 0.5
    with pytest.raises(ValueError, match="l = 6, m = -5"):
        conventions.convert(cilm, "shtools", "healpy", mmax=3)


@pytest.mark.parametrize("source, array, match", [
    ("shtool", np.zeros((2, 3, 3)), "source.*shtools"),
    ("shtools:bad", np.zeros((2, 3, 3)), "source.*real-norm"),
    ("shtools", np.zeros((3, 3)), "array: has shape"),
    ("shtools", np.zeros((2, 3, 4)), "array: has shape"),
    ("healpy", np.zeros(7), r"array: has shape \(7,\): no lmax"),
    ("icgem", np.zeros((5, 2)), "array: has shape"),
    ("acn-n3d", np.zeros(8), "array: has shape"),
    ("s2fft", np.zeros((3, 3)), "array: has shape"),
    ("shtools:unnorm", np.zeros((2, 200, 200)), "l = 199, m = 199"),
])
def test_wrong_arrays_are_named(source, array, match):
    with pytest.raises(ValueError, match=match):
        conventions.convert(array, source, "armilla")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_named(bad):
    alm = field()
    alm[armilla.alm.index(LMAX, 5, 3)] = bad
    with pytest.raises(ValueError, match=r"array: has (nan|inf) at l = 5, m = 3: must be finite"):
        conventions.convert(alm, "healpy", "shtools")
    minus = conventions.convert(field(), "healpy", "ssht")
    minus[conventions.index("ssht", LMAX, 5, -3)] = bad  # which a real field does not need
    with pytest.raises(ValueError, match=r"array: has (nan|inf) at l = 5, m = -3"):
        conventions.convert(minus, "ssht", "healpy")


@pytest.mark.parametrize("name", ["healpy:ortho:4pi", "shtns:schmidt:cs:nocs",
                                  "s2fft:real:complex"])
def test_words_that_contradict_each_other_are_named(name):
    with pytest.raises(ValueError, match=f'name = "{name}": .* contradict each other'):
        conventions.named(name)
    with pytest.raises(ValueError, match=f'source = "{name}": .* contradict each other'):
        conventions.convert(np.zeros(6), name, "healpy")


def test_wrong_types_are_named():
    with pytest.raises(TypeError, match="array.*real"):
        conventions.convert(np.zeros((2, 3, 3), complex), "shtools", "healpy")
    with pytest.raises(TypeError, match="target"):
        conventions.convert(np.zeros((2, 3, 3)), "shtools", 3)
    with pytest.raises(ValueError, match="harmonics"):
        conventions.shape(conventions.named("healpy")._replace(harmonics="imaginary"), 3)
    with pytest.raises(ValueError, match="vector"):
        conventions.shape(conventions.named("shtools-vector")._replace(harmonics="complex"), 3)
    with pytest.raises(ValueError, match="m = 1: the factor|mmax|m = 4"):
        conventions.factor("healpy", 3, 4)


def test_power():
    alm = field(2, 40)
    cl, l = armilla.spectrum.compute(alm), np.arange(41)
    close(armilla.spectrum.power(alm), (2 * l + 1) * cl / (4 * pi))
    close(armilla.spectrum.power(alm, quantity="integral", unit="per_lm"), cl)
    close(armilla.spectrum.power(alm, unit="per_dlogl", base=10),
          (2 * l + 1) * cl / (4 * pi) * l * np.log(10))
    gauss = conventions.convert(alm, "healpy", "shtools:schmidt")
    sums = (gauss**2).sum(axis=(0, 2))
    close(armilla.spectrum.power(alm, quantity="squares", normalization="schmidt"), sums, 4e-15)
    close(armilla.spectrum.lowes(alm, 0.7), (l + 1) * 0.7 ** (2 * l + 4) * sums, 4e-15)
    other = field(3, 40)
    close(armilla.spectrum.power(alm, other), (2 * l + 1) / (4 * pi)
          * armilla.spectrum.compute(alm, other), 4e-15)
    for more, match in (({"unit": "per_m"}, "unit"), ({"quantity": "power"}, "quantity"),
                        ({"quantity": "squares", "normalization": "unnorm"}, "normalization"),
                        ({"base": 1}, "base")):
        with pytest.raises(ValueError, match=match):
            armilla.spectrum.power(alm, **more)


# --- The page of conventions ----------------------------------------------------------------------


def table_of_conventions():
    """(name, norm, sign, harmonics, packing, shape) of each name in the table of the page."""
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 7:
            for name in re.findall(r"`([\w-]+)`", cells[0]):
                yield (name, *cells[1:6])


def test_the_table_of_the_page():
    rows = list(table_of_conventions())
    assert sorted(row[0] for row in rows) == sorted(conventions.names())
    for name, norm, sign, harmonics, packing, shape in rows:
        made = conventions.named(name)
        assert made == (norm, sign == "yes", harmonics, packing, False, name == "torch-harmonics")
        formula = shape.replace("n (n", "n * (n").replace("n^2", "n**2").replace("2 n", "2 * n")
        sizes = eval(formula.replace("/", "//"), {"n": N, "mmax": LMAX, "size": L.size})
        assert conventions.shape(name, LMAX) == sizes, name


def test_the_formulas_of_the_page():
    """(14) to (19)."""
    alm, sign = field(), (-1.0) ** M
    scale = np.where(M > 0, np.sqrt(2), 1) * sign / np.sqrt(4 * pi)
    geodesy = np.stack([scale * alm.real, np.where(M > 0, -scale * alm.imag, 0)])
    gauss = conventions.convert(alm, "healpy", "shtools:schmidt")
    close(gauss[:, L, M], np.sqrt(2 * L + 1) * geodesy)
    for words, factor in (("fourpi", 1 / np.sqrt(4 * pi)), ("nocs", sign),
                          ("schmidt", np.sqrt((2 * L + 1) / (4 * pi)))):
        close(conventions.convert(alm, "healpy", "shtns:" + words), factor * alm)
    close(conventions.convert(alm, "healpy", "ifs"), sign / np.sqrt(4 * pi) * alm)
    sn3d = conventions.convert(alm, "healpy", "acn-sn3d")
    close(sn3d[L * L + L + M], np.sqrt(2 * L + 1) * geodesy[0])
    close(sn3d[(L * L + L - M)[M > 0]], (np.sqrt(2 * L + 1) * geodesy[1])[M > 0])


# --- Other programs -------------------------------------------------------------------------------


def test_pyshtools_converts_alike():
    pyshtools = pytest.importorskip("pyshtools")
    for lmax in (8, 80):
        cilm = conventions.convert(field(1, lmax), "healpy", "shtools")
        for norm in NORMS:
            for cs, phase in (("cs", -1), ("nocs", 1)):
                theirs = pyshtools.shio.convert(cilm, "4pi", norm, 1, phase)
                close(conventions.convert(cilm, "shtools", f"shtools:{norm}:{cs}"), theirs,
                      2e-15 if norm != "unnorm" else 1e-13)  # whose factorials are rounded
    cilm = conventions.convert(field(), "healpy", "shtools")
    close(conventions.convert(cilm, "shtools", "shtools-vector"),
          pyshtools.shio.SHCilmToVector(cilm))
    theirs = pyshtools.shio.SHrtoc(cilm, convention=1, switchcs=0)  # Re and Im, m >= 0
    ours = conventions.convert(cilm, "shtools", "shtools:complex")[0]
    close(ours[L, M], (theirs[0] + 1j * theirs[1])[L, M])


def test_pyshtools_has_this_field():
    pyshtools = pytest.importorskip("pyshtools")
    alm = field()
    value = armilla.evaluate(alm, LMAX, np.radians([[70, 40]]))
    for norm in NORMS:
        for words, csphase in ((":cs", -1), (":nocs", 1)):
            for kind in ("real", "complex"):
                cilm = conventions.convert(alm, "healpy", f"shtools:{norm}{words}:{kind}")
                theirs = pyshtools.SHCoeffs.from_array(cilm, normalization=norm, csphase=csphase)
                found = theirs.expand(lat=[20.0], lon=[40.0])
                np.testing.assert_allclose(found, value, rtol=1e-12)


def test_pyshtools_has_this_power():
    pyshtools = pytest.importorskip("pyshtools")
    alm = field(1, 30)
    for norm in ("4pi", "ortho", "schmidt"):
        cilm = conventions.convert(alm, "healpy", f"shtools:{norm}")
        for unit in ("per_l", "per_lm", "per_dlogl"):
            for theirs, ours in (("power", "mean"), ("energy", "integral")):
                close(armilla.spectrum.power(alm, quantity=ours, unit=unit, base=10),
                      pyshtools.spectralanalysis.spectrum(cilm, normalization=norm, unit=unit,
                                                          convention=theirs), 4e-15)


def test_shtns_has_these_coefficients():
    shtns = pytest.importorskip("shtns")
    alm = field()
    grid = armilla.Grid.gauss_legendre(32, 48)
    values = armilla.SHT(grid, LMAX, two_dimensional=True).synthesis(alm)
    for norm, flag in (("ortho", shtns.sht_orthonormal), ("4pi", shtns.sht_fourpi),
                       ("schmidt", shtns.sht_schmidt)):
        for cs, sign in (("cs", 0), ("nocs", shtns.SHT_NO_CS_PHASE)):
            for kind, real in (("complex", 0), ("real-norm", shtns.SHT_REAL_NORM)):
                plan = shtns.sht(LMAX, LMAX, 1, flag | sign | real)
                plan.set_grid(32, 48, shtns.sht_gauss | shtns.SHT_PHI_CONTIGUOUS)
                ours = conventions.convert(alm, "healpy", f"shtns:{norm}:{cs}:{kind}")
                np.testing.assert_allclose(plan.analys(values.copy()), ours, rtol=0, atol=1e-13)


def test_torch_harmonics_has_these_coefficients():
    torch = pytest.importorskip("torch")
    harmonics = pytest.importorskip("torch_harmonics")
    alm = field()
    grid = armilla.Grid.gauss_legendre(16, 32)
    values = armilla.SHT(grid, LMAX, two_dimensional=True).synthesis(alm)
    for norm in ("ortho", "schmidt", "4pi"):
        for csphase in (True, False):
            theirs = harmonics.InverseRealSHT(16, 32, N, N, grid="legendre-gauss", csphase=csphase,
                                              norm=norm)
            ours = conventions.convert(alm, "healpy", f"torch-harmonics:{norm}"
                                       + ("" if csphase else ":nocs"))
            found = theirs.double()(torch.from_numpy(ours)).numpy()
            np.testing.assert_allclose(found, values, atol=1e-12)


def test_pyssht_has_these_coefficients():
    pyssht = pytest.importorskip("pyssht")
    flat = conventions.convert(field(), "healpy", "ssht")
    values = armilla.SHT(armilla.Grid.equidistant("MW", N, 2 * N - 1), LMAX,
                         two_dimensional=True).synthesis(field())
    np.testing.assert_allclose(pyssht.inverse(flat, N, Method="MW"), values, atol=1e-13)


def test_s2fft_has_these_coefficients():
    s2fft = pytest.importorskip("s2fft")
    rectangle = conventions.convert(field(), "healpy", "s2fft")
    values = armilla.SHT(armilla.Grid.equidistant("MW", N, 2 * N - 1), LMAX,
                         two_dimensional=True).synthesis(field())
    theirs = s2fft.inverse(rectangle, N, spin=0, sampling="mw", method="numpy")
    np.testing.assert_allclose(np.asarray(theirs), values, atol=1e-12)
