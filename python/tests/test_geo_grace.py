"""armilla.geo: level 2 files of GRACE with headers of all releases, months as labelled arrays."""
import datetime
import gzip

import numpy as np
import pytest

import armilla
from armilla import geo
from helpers import check_damaged

YAML = """header:
  dimensions:
    degree                :  3
    order                 :  3

  non-standard_attributes:
    product_id            : {product}-2
    format_id             :
      short_name          : SHM
    filename_mnemonic     :
      id                  : BB01
      meaning             :
               - MWI range-rate data
               - a boxcar: windowing function
      dictionary          : https://example.org/L2-UserHandbook_v4.0.pdf
    normalization         : fully normalized
    permanent_tide_flag   : {tide}
    earth_gravity_param   :
      long_name           : gravitational constant times mass of Earth
      value               : 3.9860044150E+14
    mean_equator_radius   :
      units               : meters
      value               : 6.3781363000E+06
    comments              : formal sigmas are not calibrated

  global_attributes:
    title                 : GRACE Geopotential Coefficients: small
    unused_days           : [2002-04-10, 2002-04-11]
    time_coverage_start   : 2002-04-05T00:00:00.00
    time_coverage_end     : 2002-05-01T00:00:00.00

  variables:
    record_key:
      name                  : GRCOF2

# End of YAML header
"""
RECORDS = """FIRST                                            SHM     GFZ POTSDAM  20050315
CMMNT Combined gravity model
CMMNT Reported standard deviations are calibrated
EARTH 0.3986004415D+15 0.6378136460D+07
SHM       3    3 1.00 fully normalized exclusive permanent tide
"""


def row(l, m, key="GRCOF2", rest="20020405.0000 20020501.0000 yynn"):
    return (f"{key} {l:4d} {m:4d} {numbers(l, m)[0]:.12E} {numbers(l, m)[1]:.12E} 0.5E-12 "
            f"{0.25e-12 * (m > 0):.4E} {rest}\n")


def numbers(l, m):
    return (1.0 if l == 0 else (-1)**m * 1e-9 * (l + 0.1 * m)), 1e-9 * m * l


def body(least=0, most=3, by_order=True, **more):
    pairs = [(l, m) for m in range(most + 1) for l in range(max(m, least), most + 1)]
    return "".join(row(l, m, **more) for l, m in (pairs if by_order else sorted(pairs)))


def yaml(product="GSM", tide="inclusive"):
    return YAML.format(product=product, tide=tide)


def write(folder, text, name="GSM-2_2002095-2002120"):
    (folder / name).write_text(text)
    return folder / name


@pytest.mark.parametrize("by_order", [True, False])
@pytest.mark.parametrize("least", [0, 2])
def test_a_month(tmp_path, by_order, least):
    text = yaml() + body(least, by_order=by_order)
    made = geo.read_grace(write(tmp_path, text))
    for l in range(4):
        for m in range(l + 1):
            expected = numbers(l, m) if l >= least else (0, 0)
            np.testing.assert_allclose(made.cilm[:, l, m], expected, rtol=1e-12)
            assert made.errors["formal"][0, l, m] == 0.5e-12 * (l >= least)
    assert (made.gm, made.radius, made.tide_system, made.product, made.lmax) == (
        3.986004415e14, 6378136.3, "zero_tide", "GSM", 3)
    assert made.start == datetime.datetime(2002, 4, 5) and made.end == datetime.datetime(2002, 5, 1)
    assert abs(made.epoch - (2002 + (94 + 13) / 365)) < 1e-12
    header = made.header
    assert header["global_attributes.title"] == "GRACE Geopotential Coefficients: small"
    assert header["non-standard_attributes.filename_mnemonic.meaning"] == (
        "MWI range-rate data; a boxcar: windowing function")
    assert header["non-standard_attributes.filename_mnemonic.dictionary"].startswith("https://")
    assert header["global_attributes.unused_days"] == "[2002-04-10, 2002-04-11]"
    alm = armilla.conventions.convert(made.cilm, "shtools", "healpy")
    np.testing.assert_array_equal(made.alm, alm)
    (tmp_path / "a.gz").write_bytes(gzip.compress(text.encode()))
    same = geo.read_grace(tmp_path / "a.gz", lmax=2)
    np.testing.assert_array_equal(same.cilm, made.cilm[:, :3, :3])
    geo.write_gfc(tmp_path / "a.gfc", made.model)
    back = geo.read_gfc(tmp_path / "a.gfc")
    np.testing.assert_array_equal(back.cilm, made.cilm)
    np.testing.assert_array_equal(back.errors["formal"], made.errors["formal"])
    assert back.tide_system == "zero_tide" and back.name.endswith("small")


def test_products_and_tides(tmp_path):
    for product, tide, expected in (("GAC", "exclusive", "tide_free"), ("GAD", "none", "unknown"),
                                    ("GSM", "inclusive permanent tide", "zero_tide")):
        made = geo.read_grace(write(tmp_path, yaml(product, tide) + body()))
        assert made.product == product and made.tide_system == expected
    bare = geo.read_grace(write(tmp_path, yaml() + body(rest="yynn")))  # no dates: the header's
    assert bare.start == datetime.datetime(2002, 4, 5) and bare.end == datetime.datetime(2002, 5, 1)


def test_headers_of_earlier_releases(tmp_path):
    made = geo.read_grace(write(tmp_path, RECORDS + body(rest="      nnnn")))
    assert (made.gm, made.radius, made.tide_system) == (3.986004415e14, 6378136.46, "tide_free")
    assert made.start is made.end is made.epoch is None and made.product == ""
    assert list(made.errors) == ["calibrated"]
    assert made.header["CMMNT"].startswith("Combined gravity")
    assert made.cilm[0, 3, 3] == numbers(3, 3)[0]


def test_changes_per_year(tmp_path):
    """As in EIGEN-CG03C."""
    rate = "GRDOTA    2    1 0.5D-11 -.25D-11 0.1D-11 0.0D+00 19970101                nnnn\n"
    path = write(tmp_path, RECORDS + rate + body(rest=" nnnn"))
    with pytest.raises(ValueError, match="epoch: must be given; .*, line 6, .*GRDOTA"):
        geo.read_grace(path)
    made = geo.read_grace(path, epoch=2005.5)
    c, s = numbers(2, 1)
    np.testing.assert_allclose(made.cilm[:, 2, 1], [c + 8.5 * 0.5e-11, s - 8.5 * 0.25e-11],
                               rtol=1e-14)
    np.testing.assert_allclose(made.errors["calibrated"][0, 2, 1], np.hypot(0.5e-12, 8.5e-12))
    assert made.epoch == 2005.5


@pytest.mark.parametrize("text, match", [
    (yaml() + body().replace(row(3, 2), ""), "without l = 3, m = 2.*cut off"),
    (yaml() + body() + row(3, 2), "line 47.*twice"),
    (yaml() + body() + row(4, 2), "line 47.*l = 4"),
    (yaml() + body() + row(2, 3), "line 47.*m = 3"),
    (yaml() + body() + "gfc 2 0 1.0 0.0\n", "line 47.*'gfc'"),
    (yaml() + body() + "GRCOF2 2 0 1.0\n", "line 47.*4 words"),
    (yaml() + body().replace("0.5E-12", "-.5E-12", 1), "line 37.*below 0"),
    (yaml() + body().replace("0.5E-12", "0.5E-1x", 1), "line 37.*0.5E-1x"),
    (yaml() + body(rest="20020501.0000 20020405.0000 y"), "line 37.*ends with 20020405"),
    (yaml() + body(rest="20021301.0000 20021405.0000 y"), "line 37.*20021301"),
    (yaml().replace("# End of YAML header", ""), 'before "# End of YAML header"'),
    (yaml().replace("3.9860044150E+14", "much") + body(), "earth_gravity_param.*'much'"),
    (yaml().replace("6.3781363000E+06", "-1") + body(), "radius = -1.0"),
    (yaml().replace("6.3781363000E+06", "") + body(), "no .*mean_equator_radius"),
    (yaml().replace("fully normalized", "unnormalized") + body(), "unnormalized"),
    (yaml().replace("degree                :  3", "degree : three") + body(), "'three'"),
    (yaml().replace("degree                :  3", "degree : 32000") + body(), "degree is 32000"),
    (RECORDS.replace("EARTH", "MOON") + body(), "no line EARTH"),
    (RECORDS, "before a line of coefficients"),
    (RECORDS + body() + row(2, 0, key="GRDOTA", rest="x"), "no date"),
    (RECORDS + body().replace(row(0, 0), "") + row(0, 0, "GRDOTA", "19970101"), "no coefficient"),
    ("product_type gravity_field\n", "no level 2 file"), ("", "no level 2 file"),
])
def test_broken_files(tmp_path, text, match):
    with pytest.raises(armilla.FormatError, match=match):
        geo.read_grace(write(tmp_path, text), epoch=2002.0)


def test_damaged_files_are_read_or_refused(tmp_path):
    readers = [(text, lambda path: geo.read_grace(path).cilm)
               for text in (yaml() + body(), RECORDS + body())]
    assert check_damaged(tmp_path, readers) > 60


def test_months(tmp_path):
    pytest.importorskip("xarray")
    spans = [("20020405.0000", "20020501.0000"), ("20020301.0000", "20020401.0000")]
    paths = [write(tmp_path, yaml() + body(rest=" ".join(span)), f"GSM-2_{i}")
             for i, span in enumerate(spans)]
    made = geo.read_grace_series(paths)
    assert dict(made.sizes) == {"time": 2, "part": 2, "degree": 4, "order": 4}
    assert list(made.start.values) == [np.datetime64("2002-03-01"), np.datetime64("2002-04-05")]
    assert made.time.values[0] == np.datetime64("2002-03-16T12:00")
    assert made.attrs == {"gm": 3.986004415e14, "radius": 6378136.3, "tide_system": "zero_tide",
                          "product": "GSM"}
    single = geo.read_grace(paths[0])
    np.testing.assert_array_equal(made.cilm.sel(time="2002-04-18").values, single.cilm[None])
    np.testing.assert_array_equal(made.errors[1].values, single.errors["formal"])
    assert geo.read_grace_series(paths, lmax=2).sizes["degree"] == 3
    with pytest.raises(ValueError, match="have the same time"):
        geo.read_grace_series([paths[0], paths[0]])
    with pytest.raises(ValueError, match="a file at least"):
        geo.read_grace_series([])
    other = write(tmp_path, yaml("GAC") + body(), "GAC-2")
    with pytest.raises(ValueError, match="product: is GAC in .*GAC-2, and GSM"):
        geo.read_grace_series([paths[0], other])
    bare = write(tmp_path, RECORDS + body(rest="nnnn"), "bare")
    with pytest.raises(ValueError, match="bare: does not say when"):
        geo.read_grace_series([bare])
