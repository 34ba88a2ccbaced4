"""armilla.geo: Gauss coefficients of geomagnetic models, and broken tables of them."""
import math

import numpy as np
import pytest

import armilla
from armilla import geo
from helpers import check_damaged


def write(folder, text, name="model.txt"):
    (folder / name).write_text(text)
    return folder / name


IGRF = """# 14th Generation International Geomagnetic Reference Field
c/s deg ord DGRF IGRF SV
g/h n m 2015.0 2020.0 2020-25
g 1 0 -29441.5 -29403.4 5.7
g 1 1 -1501.8 -1451.4 7.4
h 1 1 4796.0 4653.4 -25.9
"""
WMM = """    2020.0            WMM-2020        12/10/2019
  1  0  -29403.4       0.0        5.7        0.0
  1  1   -1451.4    4653.4        7.4      -25.9
999999999999999999999999999999999999999999999999
999999999999999999999999999999999999999999999999
"""
SHC = """# comment
1 1 3 2 1 2015.0 2025.0
 2015.0 2020.0 2025.0
1  0 -29441.5 -29403.4 -29374.9
1  1 -1501.8 -1451.4 -1414.4
1 -1 4796.0 4653.4 4523.9
"""


def test_geomagnetic_tables_agree(tmp_path):
    made = [geo.read_geomagnetic(write(tmp_path, text), epoch=2022.5)
            for text in (IGRF, WMM, SHC)]
    for model in made:
        np.testing.assert_allclose(model.gauss[:, 1, :2], [[-29403.4 + 2.5 * 5.7, -1451.4 + 18.5],
                                                           [0, 4653.4 - 2.5 * 25.9]], rtol=1e-15)
        np.testing.assert_allclose(model.change[1, 1, 1], -25.9, rtol=1e-12)
        assert model.lmax == 1 and model.radius == 6371200.0 and model.epoch == 2022.5
    assert made[1].name == "WMM-2020"
    before = geo.read_geomagnetic(write(tmp_path, IGRF), epoch="2017-07-02")
    np.testing.assert_allclose(before.gauss[0, 1, 0], -29441.5 + before.change[0, 1, 0]
                               * (before.epoch - 2015), rtol=1e-15)
    power = armilla.spectrum.lowes(made[0].alm)
    np.testing.assert_allclose(power[1], 2 * (made[0].gauss**2).sum(), rtol=2e-15)


@pytest.mark.parametrize("text", [IGRF, WMM, SHC])
def test_geomagnetic_epochs(tmp_path, text):
    path = write(tmp_path, text)
    for epoch in (2014.9, 2025.1):
        with pytest.raises(ValueError, match="epoch"):
            geo.read_geomagnetic(path, epoch=epoch)
    with pytest.raises(ValueError, match="lmax"):
        geo.read_geomagnetic(path, epoch=2020.0, lmax=2)
    with pytest.raises(ValueError, match="epoch"):
        geo.read_geomagnetic(path, epoch=None)


STATIC = """# CHAOS-5 crustal field model
# extracted on 03-Oct-2014 11:16:03
 2  3   1   1   1
          2005.0021
""" + "".join(f"{l:3d} {m:3d} {0.1 * l + 0.01 * m:11.5f}\n" for l in (2, 3)
              for k in range(l + 1) for m in ((k, -k) if k else (0,)))


def test_fields_that_do_not_change(tmp_path):
    """LCS-1, MF7 and the static part of CHAOS have one epoch, and splines of order 1."""
    path = write(tmp_path, STATIC, "static.shc")
    for epoch, year in ((None, 2005.0021), (1990.5, 1990.5), ("2025-01-01", 2000 + 9132 / 365.25)):
        made = geo.read_geomagnetic(path, epoch=epoch)
        assert made.gauss[1, 3, 2] == 0.28 and made.gauss[0, 3, 2] == 0.32 and made.epoch == year
        assert made.lmax == 3 and not made.gauss[:, :2].any() and not made.change.any()
    assert geo.read_geomagnetic(path, lmax=2).gauss.shape == (2, 3, 3)


# --- Splines --------------------------------------------------------------------------------------


def polynomials(order, pieces, ncoef, seed=1):
    """Breaks in years, and coefficients of a spline with order - 2 continuous derivatives."""
    rng = np.random.default_rng(seed)
    breaks = 2000 + np.cumsum(np.r_[0, rng.uniform(0.4, 0.6, pieces)])
    table = np.zeros((order, pieces, ncoef))  # highest power first
    size = 100 / 4.0**np.arange(order - 1, -1, -1)[:, None]  # of the powers
    table[:, 0] = rng.standard_normal((order, ncoef)) * size
    for piece in range(1, pieces):  # all powers but the highest go on, by Taylor's formula
        step = breaks[piece] - breaks[piece - 1]
        for power in range(order):
            table[order - 1 - power, piece] = sum(
                math.comb(j, power) * step**(j - power) * table[order - 1 - j, piece - 1]
                for j in range(power, order))
        table[0, piece] = rng.standard_normal(ncoef) * size[0]
    return breaks, table


def value(breaks, table, year, derivative=0):
    """A sum of powers, term by term."""
    piece = min(np.searchsorted(breaks, year, "right") - 1, table.shape[1] - 1)
    past, order = year - breaks[piece], len(table)
    made = np.zeros(table.shape[-1])
    for power in range(derivative, order):
        made += (math.perm(power, derivative) * past**(power - derivative)
                 * table[order - 1 - power, piece])
    return made


def keys(least, most):
    return [(l, m) for l in range(least, most + 1) for k in range(l + 1)
            for m in ((k, -k) if k else (0,))]


def shc(breaks, table, step, digits=17, more=""):
    sites = np.concatenate([np.linspace(a, b, step + 1)[:-1] for a, b in zip(breaks, breaks[1:])]
                           + [breaks[-1:]])
    rows = np.array([value(breaks, table, site) for site in sites]).T
    lines = ["# made", f"1 2 {len(sites)} {len(table)} {step} {more}",
             " ".join(f"{site:.{digits}f}" for site in sites)]
    lines += [f"{l} {m} " + " ".join(f"{one:.{digits}f}" for one in row)
              for (l, m), row in zip(keys(1, 2), rows)]
    return "\n".join(lines) + "\n"


def gauss_of(numbers, least=1, most=2):
    made = np.zeros((2, most + 1, most + 1))
    for (l, m), number in zip(keys(least, most), numbers):
        made[int(m < 0), l, abs(m)] = number
    return made


@pytest.mark.parametrize("order, step, pieces", [(1, 1, 5), (2, 1, 5), (2, 3, 4), (3, 2, 6),
                                                 (4, 3, 7), (4, 6, 3), (5, 4, 1), (6, 5, 8)])
def test_splines_of_shc_files(tmp_path, order, step, pieces):
    """Against polynomials of each piece, at all places, also at breaks and at both ends."""
    breaks, table = polynomials(order, pieces, 8)
    text = shc(breaks, table, step, 12)
    epochs = [*(float(f"{one:.12f}") for one in breaks),
              *np.random.default_rng(2).uniform(breaks[0], breaks[-1], 20)]
    if order == 1:  # the last epoch has a value of its own, which is that of the last piece here
        epochs = epochs[:-1]
    made = geo.read_geomagnetic(write(tmp_path, text), epoch=epochs)
    largest = [max(np.abs(value(breaks, table, year, d)).max() for year in epochs)
               for d in range(3)]
    assert all(np.array(largest[:order]) > 1) and largest[0] < 1e4
    for year, model in zip(epochs, made):
        near = np.abs(breaks - year).min() < 1e-9
        for derivative, field in enumerate((model.gauss, model.change, model.acceleration)):
            if near and derivative > order - 2:
                continue  # it jumps within the rounding of the epochs
            expected = gauss_of(value(breaks, table, year, derivative))
            np.testing.assert_allclose(field, expected, rtol=0,
                                       atol=1e-11 * 20.0**derivative * (1 + largest[0]))
    for epoch in (breaks[0] - 0.01, breaks[-1] + 0.01):
        with pytest.raises(ValueError, match="epoch = .*made"):
            geo.read_geomagnetic(tmp_path / "model.txt", epoch=epoch)


def test_scipy_has_these_splines(tmp_path):
    """What chaosmagpy does with such a file: least squares by SciPy."""
    interpolate = pytest.importorskip("scipy.interpolate")
    breaks, table = polynomials(6, 10, 8, seed=3)
    path = write(tmp_path, shc(breaks, table, 5, 6))
    rows = [line.split() for line in path.read_text().splitlines()[2:]]
    sites, data = np.array(rows[0], float), np.array(rows[1:], float)[:, 2:].T
    knots = np.r_[[sites[0]] * 5, sites[::5], [sites[-1]] * 5]
    theirs = interpolate.make_lsq_spline(sites, data, knots, 5)
    for year in (sites[0], 2001.234, 2003.9, sites[-1]):
        ours = geo.read_geomagnetic(path, epoch=float(year))
        for derivative, field in enumerate((ours.gauss, ours.change, ours.acceleration)):
            expected = gauss_of(theirs(year, derivative))
            np.testing.assert_allclose(field, expected, rtol=0, atol=1e-9 * np.abs(expected).max())
    pieces = interpolate.PPoly(table, breaks)
    off = np.abs(theirs(2003.9, 2) - pieces(2003.9, 2)).max()
    assert off < 1e-2 < np.abs(pieces(2003.9, 2)).max() / 1e3  # six decimals


def test_values_that_are_no_splines_are_refused(tmp_path):
    breaks, table = polynomials(6, 6, 8)
    text = shc(breaks, table, 5, 8)
    lines = text.splitlines()
    word = lines[5].split()
    word[12] = f"{float(word[12]) + 1e-3:.8f}"
    broken = "\n".join(lines[:5] + [" ".join(word)] + lines[6:]) + "\n"
    with pytest.raises(armilla.FormatError, match="h of l = 1, m = 1 at .* nT off the splines of "
                                                  "order 6 with a break every 5 epochs"):
        geo.read_geomagnetic(write(tmp_path, broken), epoch=2001.0)
    table[:, 2] += 1  # polynomials that do not go on in one another
    with pytest.raises(armilla.FormatError, match="off the splines of order 6"):
        geo.read_geomagnetic(write(tmp_path, shc(breaks, table, 5, 8)), epoch=2001.0)


def test_years_that_a_header_says(tmp_path):
    text = SHC.replace("2015.0 2025.0\n", "2016.0 2019.0\n", 1)
    assert geo.read_geomagnetic(write(tmp_path, text), epoch=2019.0).change[0, 1, 0] != 0
    for epoch in (2015.5, 2019.1):
        with pytest.raises(ValueError, match="from 2016.0 to 2019.0"):
            geo.read_geomagnetic(write(tmp_path, text), epoch=epoch)
    static = STATIC.replace("1   1   1", "1 1 0 2000.0 2010.0")
    assert geo.read_geomagnetic(write(tmp_path, static)).epoch == 2005.0021
    with pytest.raises(ValueError, match="from 2000.0 to 2010.0"):
        geo.read_geomagnetic(write(tmp_path, static), epoch=1999.0)


def test_epochs_more_than_the_pieces_have(tmp_path):
    """What follows the last break is not used."""
    breaks, table = polynomials(4, 5, 8)
    lines = shc(breaks, table, 3, 12, "").splitlines()
    word = lines[1].split()
    word[2] = str(int(word[2]) + 1)
    lines = [lines[0], " ".join(word), lines[2] + f" {breaks[-1] + 0.1}"] + [one + " 1e9" for one in
                                                                            lines[3:]]
    path = write(tmp_path, "\n".join(lines) + "\n")
    made = geo.read_geomagnetic(path, epoch=2001.1)
    np.testing.assert_allclose(made.gauss, gauss_of(value(breaks, table, 2001.1)), atol=1e-7)
    with pytest.raises(ValueError, match="epoch"):
        geo.read_geomagnetic(path, epoch=breaks[-1] + 0.05)


def test_dates_in_years_of_days(tmp_path):
    """The epochs of CHAOS are 2000 + d / 365.25."""
    days = np.array([-1058.5, -876.0, 0.0, 366.0, 1000.5])
    text = (f"1 1 {len(days)} 2 1\n" + " ".join(f"{2000 + d / 365.25:.8f}" for d in days) + "\n"
            + "".join(f"1 {m} " + " ".join(f"{d}" for d in days) + "\n" for m in (0, 1, -1)))
    path = write(tmp_path, text)
    for date, day in (("2000-01-01", 0), ("2001-01-01", 366), ("1999-12-31T12:00", -0.5)):
        made = geo.read_geomagnetic(path, epoch=date)
        assert abs(made.gauss[0, 1, 0] - day) < 1e-5 and made.epoch == 2000 + day / 365.25
        calendar = geo.read_geomagnetic(path, epoch=date, years="calendar")
        assert calendar.epoch == int(date[:4]) + (date[5:7] == "12") * (1 - 0.5 / 365)
    assert geo.read_geomagnetic(write(tmp_path, SHC), epoch="2016-01-01").epoch == 2016
    julian = geo.read_geomagnetic(write(tmp_path, SHC), epoch="2016-01-01", years="julian")
    assert julian.epoch == 2000 + 5844 / 365.25
    with pytest.raises(ValueError, match="years = 'leap'.*calendar"):
        geo.read_geomagnetic(write(tmp_path, SHC), epoch=2016, years="leap")


def chaos(breaks, table, **more):
    order, pieces, dim = table.shape
    return {"pp": {"form": "pp", "breaks": breaks, "coefs": table.reshape(order, -1).T,
                   "pieces": pieces, "order": order, "dim": dim}, **more}


@pytest.mark.parametrize("kind", ["5", "7.3"])
def test_the_mat_file_of_chaos(tmp_path, kind):
    """Polynomials in days since 2000, and the static field of higher degrees."""
    breaks, table = polynomials(6, 4, 8)
    scale = 365.25 ** -np.arange(5, -1, -1.0)[:, None, None]
    static = np.r_[np.zeros(8), np.random.default_rng(4).standard_normal(7)]
    content = chaos((breaks - 2000) * 365.25, table * scale, g=static)
    if kind == "5":
        pytest.importorskip("scipy.io").savemat(tmp_path / "CHAOS.mat", content)
    else:
        h5py = pytest.importorskip("h5py")
        with h5py.File(tmp_path / "CHAOS.mat", "w", userblock_size=512) as file:
            file["g"] = static[None]
            for name, one in content["pp"].items():
                if name != "form":
                    file[f"pp/{name}"] = np.atleast_2d(one).T
        with open(tmp_path / "CHAOS.mat", "r+b") as file:
            file.write(b"MATLAB 7.3 MAT-file, made by a test".ljust(124) + b"\0\2IM")
    for year in (breaks[0], 2000.77, breaks[2], breaks[-1]):
        made = geo.read_geomagnetic(tmp_path / "CHAOS.mat", epoch=year)
        assert made.lmax == 3
        for derivative, field in enumerate((made.gauss, made.change, made.acceleration)):
            expected = gauss_of(np.r_[value(breaks, table, year, derivative),
                                      static[8:] * (derivative == 0)], 1, 3)
            np.testing.assert_allclose(field, expected, rtol=1e-8, atol=1e-6)
    assert geo.read_geomagnetic(tmp_path / "CHAOS.mat", epoch="2001-01-01",
                                lmax=2).epoch == 2000 + 366 / 365.25


def test_broken_mat_files(tmp_path):
    savemat = pytest.importorskip("scipy.io").savemat
    breaks, table = polynomials(4, 3, 8)
    for content, match in (({"g": [1.0]}, "the structure pp"),
                           (chaos(breaks[:-1], table), "breaks"),
                           (chaos(breaks[::-1], table), "rising"),
                           (chaos(breaks, table[..., :7]), "7 coefficients"),
                           (chaos(breaks, table, g=np.ones(15)), "0 up to 2"),
                           (chaos(breaks, table, g=np.zeros(14)), "14 coefficients")):
        savemat(tmp_path / "a.mat", content)
        with pytest.raises(armilla.FormatError, match=match):
            geo.read_geomagnetic(tmp_path / "a.mat", epoch=2000.5)
    (tmp_path / "b.mat").write_bytes((tmp_path / "a.mat").read_bytes()[:200])
    with pytest.raises(armilla.FormatError, match="no model of the core"):
        geo.read_geomagnetic(tmp_path / "b.mat", epoch=2000.5)


COF = """   IGRF00  1900.00  1  0  0 1900.00 1905.00   -1.0  600.0           IGRF00   0
 1  0 -31543.00      0.00      0.00      0.00                       IGRF00   1
 1  1  -2298.00   5922.00      0.00      0.00                       IGRF00   2
   IGRF05  1905.00  2  0  0 1905.00 1910.00   -1.0  600.0           IGRF05   0
 1  0 -31464.00      0.00      0.00      0.00                       IGRF05   1
 1  1  -2298.00   5909.00      0.00      0.00                       IGRF05   2
 2  0   -728.00      0.00      0.00      0.00                       IGRF05   3
 2  1   2928.00  -1086.00      0.00      0.00                       IGRF05   4
 2  2   1041.00   1065.00      0.00      0.00                       IGRF05   5
   IGRF10  1910.00  2  1  0 1910.00 1915.00   -1.0  600.0           IGRF10   0
 1  0 -31354.00      0.00     11.40      0.00                       IGRF10   1
 1  1  -2297.00   5898.00     16.70    -28.80                       IGRF10   2
 2  0   -769.00      0.00      0.00      0.00                       IGRF10   3
 2  1   2948.00  -1128.00      0.00      0.00                       IGRF10   4
 2  2   1176.00   1000.00      0.00      0.00                       IGRF10   5
"""


def test_models_of_geomag_7(tmp_path):
    """Linear between the models, from 0 where one has fewer degrees; then changes per year."""
    path = write(tmp_path, COF, "IGRF.COF")
    made = geo.read_geomagnetic(path, epoch=1902.0)
    np.testing.assert_allclose(made.gauss[:, 1, :2], [[-31543 + 0.4 * 79, -2298],
                                                      [0, 5922 - 0.4 * 13]], rtol=1e-15)
    np.testing.assert_allclose(made.gauss[:, 2, 1], [0.4 * 2928, -0.4 * 1086], rtol=1e-14)
    made = geo.read_geomagnetic(path, epoch=1910.0)
    assert made.gauss[0, 2, 2] == 1176 and made.name == "IGRF10" and made.lmax == 2
    made = geo.read_geomagnetic(path, epoch=1915.0)
    np.testing.assert_allclose(made.gauss[:, 1, 1], [-2297 + 5 * 16.7, 5898 - 5 * 28.8], rtol=1e-15)
    assert made.gauss[0, 2, 2] == 1176 and made.change[1, 1, 1] == -28.8
    ends = COF.replace("1910.00  2  1  0", "1910.00  2  0  0").replace("11.40", "0").replace(
        "16.70    -28.80", "0 0")
    assert geo.read_geomagnetic(write(tmp_path, ends), epoch=1910.0).gauss[0, 1, 0] == -31354
    for text, epoch in ((COF, 1899.9), (COF, 1915.1), (ends, 1910.1)):
        with pytest.raises(ValueError, match="epoch = .*must be from 1900"):
            geo.read_geomagnetic(write(tmp_path, text), epoch=epoch)


def test_a_model_that_begins_before_its_epoch(tmp_path):
    """As a table WMM2015 for 2014.75 to 2020: changes per year hold in both directions."""
    last = COF[COF.index("   IGRF10"):].replace("1910.00 1915.00", "1909.50 1915.00")
    path = write(tmp_path, last)
    made = geo.read_geomagnetic(path, epoch=1909.5)
    np.testing.assert_allclose(made.gauss[:, 1, 1], [-2297 - 0.5 * 16.7, 5898 + 0.5 * 28.8],
                               rtol=1e-15)
    with pytest.raises(ValueError, match="epoch = 1909.4.*from 1909.5 to 1915"):
        geo.read_geomagnetic(path, epoch=1909.4)
    bare = last.replace("2  1  0 1909", "2  0  0 1909")
    with pytest.raises(armilla.FormatError, match="line 1.*must begin with its epoch"):
        geo.read_geomagnetic(write(tmp_path, bare), epoch=1910.0)


@pytest.mark.parametrize("old, new, match", [
    ("1905.00  2  0  0", "1905.00  2  1  0", "IGRF05: has changes per year"),
    ("1900.00 1905.00 ", "1900.00 1904.00 ", "IGRF00: ends with 1904.0, IGRF05 begins with 1905"),
    (" 1900.00 1905.00 ", " 1901.00 1905.00 ", "line 1.*1901.0.*must begin with its epoch"),
    ("1910.00  2  1  0", "1910.00  2  1  1", "line 10.*second derivatives"),
    (" 2  1   2928.00  -1086.00      0.00      0.00                       IGRF05   4\n", "",
     "IGRF05 in.*without g of l = 2, m = 1"),
    ("-28.80  ", "", "line 12.*7 words|line 12.*'IGRF10'"),
    ("5.00  2  0  0 1905.00", "5.00  1  0  0 1905.00", "line 7.*n = 2"),
    ("-769", "-x769", "line 13.*'-x769.00'"),
    ("2  0   -769.00      0.00      0.00", "2  0   -769.00      0.00      1.00",
     "line 13.*change per year of degree 2.*end with degree 1"),
    (" 1  1  -2298.00   5922.00", " 1  0  -2298.00   5922.00", "line 3.*twice|line 3.*h of m = 0"),
])
def test_broken_models_of_geomag_7(tmp_path, old, new, match):
    assert old in COF
    with pytest.raises(armilla.FormatError, match=match):
        geo.read_geomagnetic(write(tmp_path, COF.replace(old, new, 1)), epoch=1902.0)


def test_the_igrf_without_the_line_of_degrees(tmp_path):
    """igrf11coeffs.txt has the kinds of the models above the epochs, and no c/s deg ord."""
    bare = IGRF.replace("c/s deg ord DGRF IGRF SV", "         DGRF      IGRF    SV")
    made, same = (geo.read_geomagnetic(write(tmp_path, text), epoch=2021.0)
                  for text in (bare, IGRF))
    np.testing.assert_array_equal(made.gauss, same.gauss)
    assert made.name == same.name == "IGRF"


@pytest.mark.parametrize("years, last", [("2020-22", 2022), ("2020-2022", 2022), ("2020-25", 2025)])
def test_the_igrf_says_for_how_long_its_change_is_meant(tmp_path, years, last):
    path = write(tmp_path, IGRF.replace("2020-25", years))
    made = geo.read_geomagnetic(path, epoch=last)
    np.testing.assert_allclose(made.gauss[0, 1, 0], -29403.4 + (last - 2020) * 5.7, rtol=1e-15)
    with pytest.raises(ValueError, match=f"epoch.*to {last}"):
        geo.read_geomagnetic(path, epoch=last + 0.1)


@pytest.mark.parametrize("text, match", [
    (IGRF.replace("h 1 1 4796.0 4653.4 -25.9\n", ""), "without h of l = 1, m = 1"),
    (IGRF.replace("5.7", ""), "line 4.*5 words"), (IGRF.replace("g 1 0", "f 1 0"), "line 4.*'f'"),
    (IGRF.replace("2015.0 2020.0", "2025.0 2020.0"), "line 3.*rise"),
    (IGRF.replace("2020-25", "2015-20"), "line 3.*'2015-20'.*2020-25"),
    (IGRF.replace("2020-25", "2020-"), "line 3.*'2020-'"),
    (WMM[:WMM.index("9999")], "line 3.*without the line of 9s.*cut off"),
    (WMM + "2 0 1.0 0.0 1.0 0.0\n", "line 6.*behind the line of 9s"),
    (SHC.replace("1 1 3 2 1", "1 1 3 2 4"), "line 2.*steps = 4"),
    (IGRF.replace("h 1 1", "g 1 1"), "line 6.*twice"), (IGRF.replace("g 1 1", "g 1 2"), "m = 2"),
    (IGRF.replace("g/h n m", "x/y n m"), "line 3.*g/h"), (IGRF.replace("7.4", "7,4"), "7,4"),
    (WMM.replace("0.0        5.7", "5.7"), "line 2.*5 words"),
    (WMM.replace("-29403.4       0.0", "-29403.4 3.0"), "line 2.*h of m = 0"),
    (SHC.replace("1 1 3 2", "1 1 3 4"), "order of the splines = 4.*do not determine"),
    (SHC.replace("1 1 3 2", "1 1 3 11"), "line 2.*splines = 11"),
    (SHC.replace("1 1 3 2 1", "1 1 3 1 2"), "line 2.*steps = 2"),
    (SHC.replace("1 1 3 2 1", "1 1 3 2 2").replace("4653.4", "4753.4"),
     "off the splines of order 2"),
    (SHC.replace("2015.0 2025.0\n", "2025.0 2015.0\n"), "line 2.*first and the last"),
    (STATIC.replace("1   1   1", "1   2   1"), "line 3.*splines"),
    (STATIC.replace(" 2  3  ", " 1  3  "), "without g of l = 1, m = 0"),
    (STATIC.replace("2005.0021", "2005.0021 2006.0"), "line 4.*2 epochs"),
    (SHC.replace("1 1 3 2", "1 1 4 2"), "line 3.*epochs"), (SHC[:56], "no coefficients"),
    ("hello\n", "no known kind"), ("", "no known kind"),
])
def test_broken_geomagnetic_tables(tmp_path, text, match):
    with pytest.raises(armilla.FormatError, match=match):
        geo.read_geomagnetic(write(tmp_path, text), epoch=2021.0)


def test_damaged_tables_are_read_or_refused(tmp_path):
    """Bytes changed, put in or left out: a result, or an error that is the reader's own."""
    readers = [(text, lambda path: geo.read_geomagnetic(path, epoch=2021.0).gauss)
               for text in (IGRF, WMM, SHC)]
    readers += [(COF, lambda path: geo.read_geomagnetic(path, epoch=1902.0).gauss),
                (STATIC, lambda path: geo.read_geomagnetic(path).gauss),
                (shc(*polynomials(4, 3, 8), 3, 6),
                 lambda path: geo.read_geomagnetic(path, epoch=2000.5).gauss)]
    assert check_damaged(tmp_path, readers) > 200


def test_pyshtools_has_this_spectrum_of_lowes(tmp_path):
    pyshtools = pytest.importorskip("pyshtools")
    model = geo.read_geomagnetic(write(tmp_path, IGRF), epoch=2020.0)
    gauss = np.zeros((2, 14, 14))
    gauss[:, :2, :2] = model.gauss
    for value, radius in ((model._replace(gauss=gauss), 3480e3), (model, 7e6)):
        field = pyshtools.SHMagCoeffs.from_array(value.gauss, r0=value.radius)
        theirs = field.change_ref(r0=radius).spectrum(function="total")
        ours = armilla.spectrum.lowes(value.alm, value.radius / radius)
        np.testing.assert_allclose(ours, theirs[0] if isinstance(theirs, tuple) else theirs,
                                   rtol=1e-13)
