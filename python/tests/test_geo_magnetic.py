"""armilla.geo: Gauss coefficients of geomagnetic models, and broken tables of them."""
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
    for epoch, year in ((None, 2005.0021), (1990.5, 1990.5), ("2025-01-01", 2025.0)):
        made = geo.read_geomagnetic(path, epoch=epoch)
        assert made.gauss[1, 3, 2] == 0.28 and made.gauss[0, 3, 2] == 0.32 and made.epoch == year
        assert made.lmax == 3 and not made.gauss[:, :2].any() and not made.change.any()
    assert geo.read_geomagnetic(path, lmax=2).gauss.shape == (2, 3, 3)


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
    (SHC.replace("1 1 3 2", "1 1 3 4"), "line 2.*splines"),
    (SHC.replace("1 1 3 2", "1 1 3 1"), "line 2.*splines"),
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
                (STATIC, lambda path: geo.read_geomagnetic(path).gauss)]
    assert check_damaged(tmp_path, readers) > 150


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
