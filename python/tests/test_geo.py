"""armilla.geo: files of coefficients, there and back, against pyshtools, and broken ones."""
import datetime
import gzip
import os
import stat

import numpy as np
import pytest

import armilla
from armilla import geo
from helpers import check_damaged

HEAD = """Some text about the model, with the word radius in it.
radius of what?
begin_of_head ====
product_type                gravity_field
modelname                   test
earth_gravity_constant      3.986004415D+14
radius                      6378136.3
max_degree                  3
errors                      {errors}
norm                        {norm}
tide_system                 tide_free
url                         none at all
{more}
key     L    M     C     S
end_of_head ====
"""


def cilm_of(lmax=6, seed=1):
    alm = armilla.alm.random(lmax, np.ones(lmax + 1), seed)
    return armilla.conventions.convert(alm, "healpy", "shtools")


def write(folder, text, name="model.gfc"):
    (folder / name).write_text(text)
    return folder / name


def gfc(folder, body, errors="no", norm="fully_normalized", more=""):
    return write(folder, HEAD.format(errors=errors, norm=norm, more=more) + body
                 + "gfc 3 3 0.0 0.0" + " 0.0 0.0" * (errors == "formal") + "\n")


# --- ICGEM ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.gfc", "a.gfc.gz"])
@pytest.mark.parametrize("kinds", [(), ("formal",), ("calibrated", "formal"), ("unknown",)])
def test_gravity_there_and_back(tmp_path, name, kinds):
    errors = {kind: np.tril(np.abs(cilm_of(seed=i + 2))) for i, kind in enumerate(kinds)}
    model = geo.GravityModel(cilm_of(), 4.9e12, 1738e3, errors, "MOON", "zero_tide", None,
                             {"url": "somewhere", "gravity_constant": "", "radius": "wrong"})
    geo.write_gfc(tmp_path / name, model)
    back = geo.read_gfc(tmp_path / name)
    np.testing.assert_array_equal(back.cilm, model.cilm)
    assert (back.gm, back.radius, back.name, back.tide_system) == (4.9e12, 1738e3, "MOON",
                                                                   "zero_tide")
    assert back.header["url"] == "somewhere" and back.epoch is None and back.lmax == 6
    assert set(back.errors) == set(kinds)
    for kind in kinds:
        np.testing.assert_array_equal(back.errors[kind], errors[kind])
    np.testing.assert_array_equal(geo.read_gfc(tmp_path / name, lmax=4).cilm,
                                  model.cilm[:, :5, :5])
    alm = armilla.conventions.convert(model.cilm, "shtools", "healpy")
    np.testing.assert_array_equal(back.alm, alm)
    with pytest.raises(FileExistsError):
        geo.write_gfc(tmp_path / name, model)
    geo.write_gfc(tmp_path / name, model._replace(cilm=2 * model.cilm), overwrite=True)
    np.testing.assert_array_equal(geo.read_gfc(tmp_path / name).cilm, 2 * model.cilm)
    assert [one.name for one in tmp_path.iterdir()] == [name]
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o666 & ~mask


def test_gravity_from_elsewhere(tmp_path):
    model = geo.read_gfc(gfc(tmp_path, "gfc 0 0 1.0d0 0.0\ngfc 2 0 -4.84D-04 0.0\n\n"
                             "gfc 3 2 9.0e-7 -6.1e-7\n"))
    assert model.gm == 3.986004415e14 and model.tide_system == "tide_free"
    assert model.cilm[0, 2, 0] == -4.84e-4 and model.cilm[1, 3, 2] == -6.1e-7
    bare = geo.read_gfc(gfc(tmp_path, "gfc 2 2 1.0 2.0\n", norm="unnormalized"))
    np.testing.assert_allclose(bare.cilm[:, 2, 2], np.array([1, 2]) / np.sqrt(2 * 5 / 24),
                               rtol=1e-15)


TIMED = """gfc  0 0 1.0 0.0
gfct 2 0 -4.0e-4 0.0 20050101
trnd 2 0 1.0e-6 0.0
acos 2 0 2.0e-6 0.0 1.0
asin 2 0 3.0e-6 0.0 0.5
gfct 2 1 1.0e-9 2.0e-9 20060101
dot  2 1 1.0e-11 -2.0e-11
"""


def test_terms_in_time(tmp_path):
    path = gfc(tmp_path, TIMED)
    with pytest.raises(ValueError, match="epoch.*line 17.*gfct"):
        geo.read_gfc(path)
    model = geo.read_gfc(path, epoch=2008.1)
    t, two_pi = 2008.1 - 2005, 2 * np.pi
    expected = -4e-4 + 1e-6 * t + 2e-6 * np.cos(two_pi * t) + 3e-6 * np.sin(two_pi * t / 0.5)
    np.testing.assert_allclose(model.cilm[0, 2, 0], expected, rtol=1e-14)
    np.testing.assert_allclose(model.cilm[:, 2, 1], [1e-9 + 2.1e-11, 2e-9 - 4.2e-11], rtol=1e-13)
    assert model.epoch == 2008.1
    same = geo.read_gfc(path, epoch="2008-02-06")
    assert same.epoch == geo.read_gfc(path, epoch=datetime.date(2008, 2, 6)).epoch
    assert abs(same.epoch - (2008 + 36 / 366)) < 1e-12
    with pytest.raises(ValueError, match="epoch"):
        geo.read_gfc(path, epoch="soon")


INTERVALS = """gfct 2 0 1.0e-4 0.0 20050101.0000 20100101.0000
trnd 2 0 1.0e-6 0.0 20050101.0000 20100101.0000
gfct 2 0 2.0e-4 0.0 20100101.0000 20200101.0000
trnd 2 0 -1.0e-6 0.0 20100101.0000 20200101.0000
acos 2 0 5.0e-6 0.0 20100101.0000 20200101.0000 1.0
"""


def test_intervals(tmp_path):
    path = gfc(tmp_path, INTERVALS, more="format icgem2.0")
    assert abs(geo.read_gfc(path, epoch=2007.0).cilm[0, 2, 0] - 1.02e-4) < 1e-18
    assert abs(geo.read_gfc(path, epoch=2010.0).cilm[0, 2, 0] - 2.05e-4) < 1e-18
    for epoch in (2004.9, 2020.0):  # which no interval has
        with pytest.raises(ValueError, match="epoch = .*l = 2, m = 0.*line 1[68]"):
            geo.read_gfc(path, epoch=epoch)
    assert geo.read_gfc(path, epoch=2030.0, lmax=1).lmax == 1  # does not need the coefficient


def test_times_that_are_rounded_up(tmp_path):
    """EIGEN-6S4v2 has an interval from 20041226.0060, the hour of an earthquake, on."""
    body = "".join(f"gfct 2 0 {value} 0.0 {interval}\n" for value, interval in
                   ((1, "20040101.0000 20041226.0060"), (2, "20041226.0060 20051231.2400"),
                    (3, "20051231.2400 20070101.0000")))
    path = gfc(tmp_path, body, more="format icgem2.0")
    for when, value in (("2004-12-26T00:59:59", 1), ("2004-12-26T01:00:00", 2),
                        ("2005-12-31T23:59:59", 2), ("2006-01-01", 3)):
        assert geo.read_gfc(path, epoch=when).cilm[0, 2, 0] == value
    for wrong in ("20041226.0061", "20041226.2401", "20041226.2500", "20041301.0000",
                  "99991231.2400"):
        with pytest.raises(armilla.FormatError, match=f"line 16.*{wrong}.*must be a date"):
            geo.read_gfc(gfc(tmp_path, body.replace("20041226.0060", wrong, 1),
                             more="format icgem2.0"), epoch=2004.5)


def test_remarks(tmp_path):
    remarks = "# remark\n  % l m\n! gfc 2 0 7.0 7.0\n** end\n"
    path = gfc(tmp_path, "gfc 0 0 1.0 0.0\n" + remarks + "gfc 2 0 -4.84D-04 0.0\n", more=remarks)
    model = geo.read_gfc(path)
    assert model.cilm[0, 2, 0] == -4.84e-4 and "#" not in model.header


@pytest.mark.parametrize("value", ["zero_tide", "tide_free", "mean_tide", "unknown", "Tide_Free",
                                   "zero_tide   (permanent tide included)", None])
def test_tide_systems(tmp_path, value):
    text = HEAD.format(errors="no", norm="fully_normalized", more="") + "gfc 3 3 0.0 0.0\n"
    line = "" if value is None else f"tide_system {value}"
    path = write(tmp_path, text.replace("tide_system                 tide_free", line))
    made = geo.read_gfc(path)
    assert made.tide_system == ("unknown" if value is None else value.split()[0].lower())


@pytest.mark.parametrize("key, value", [
    ("tide_system", "zero tide"), ("tide_system", "invalid"), ("tide_system", "zero-tide"),
    ("tide_system", "zero_tide tide_free"), ("tide_system", "zero"), ("norm", "fully normalized"),
    ("errors", "calibrated and formal"), ("errors", "no formal"), ("product_type", "")])
def test_words_of_a_header_are_those_of_the_format(tmp_path, key, value):
    text = HEAD.format(errors="no", norm="fully_normalized", more="") + "gfc 3 3 0.0 0.0\n"
    changed = "".join(f"{key} {value}\n" if line.startswith(key) else line
                      for line in text.splitlines(keepends=True))
    with pytest.raises(armilla.FormatError, match=f"{key} = '{value}': must be one of .*"):
        geo.read_gfc(write(tmp_path, changed))


@pytest.mark.parametrize("body, errors, more, match", [
    ("gfc 4 0 1.0 0.0\n", "no", "", "line 16.*l = 4.*3"),
    ("gfc 0 0 1.0 0.0\ngfc 2 3 1.0 0.0\n", "no", "", "line 17.*m = 3"),
    ("gfc 2 1 1.0\n", "no", "", "line 16.*4 words"),
    ("gfc 2 1 1.0 0.0\n", "formal", "", "line 16.*5 words"),
    ("gfc 2 1 1.0 x\n", "no", "", "line 16.*'x'"),
    ("gfc 2 1 1.0 nan\n", "no", "", "line 16.*finite"),
    ("gfc 2 1.5 1.0 0.0\n", "no", "", "line 16.*1.5"),
    ("gfc 2 0 1.0 1.0\n", "no", "", "line 16.*m = 0"),
    ("gfc 2 1 1.0 1.0 -1.0 1.0\n", "formal", "", "line 16.*below 0"),
    ("gfc 2 1 1.0 1.0\ngfc 2 1 1.0 1.0\n", "no", "", "line 17.*twice"),
    ("gcf 2 1 1.0 1.0\n", "no", "", "line 16.*gcf"),
    ("gfct 2 1 1.0 1.0 20051301\n", "no", "", "line 16.*20051301"),
    ("trnd 2 1 1.0 1.0\n", "no", "", "line 16.*gfct"),
    ("gfct 2 1 1.0 1.0 20050101\nasin 2 1 1. 1. 0\n", "no", "", "line 17.*period"),
    ("gfct 2 1 1. 1. 20050101\ntrnd 2 1 1. 1.\ndot 2 1 1. 1.\n", "no", "", "line 18.*twice"),
    ("gfct 2 1 1. 1. 20050101\n" + "asin 2 1 1. 1. 1.0\n" * 2, "no", "", "line 18.*twice"),
    ("gfc 2 1 1_0.0 0.0\n", "no", "", "line 16.*'1_0.0'"),
    ("gfct 2 1 1.0 1.0 20050101\n", "no", "format icgem2.0", "line 16.*7"),
    ("gfc 2 2 1.0 1.0\nend\n", "no", "", "line 17.*'end'"), ("", "some", "", "errors"),
    ("", "no", "format icgem3.0", "icgem3.0"),
    ("", "no", "radius 7000000.0", "radius.*twice"),
])
def test_broken_gravity_files(tmp_path, body, errors, more, match):
    with pytest.raises(armilla.FormatError, match=match):
        geo.read_gfc(gfc(tmp_path, body, errors, more=more), epoch=2005.5)


@pytest.mark.parametrize("change, match", [
    (("product_type                gravity_field", "product_type topography"), "gravity_field"),
    (("max_degree                  3", ""), "max_degree"),
    (("3.986004415D+14", "-1"), "above 0"), (("3.986004415D+14", "many"), "many"),
    (("end_of_head", "end of head"), "end_of_head"), (("fully_normalized", "schmidt"), "norm"),
])
def test_broken_headers(tmp_path, change, match):
    text = HEAD.format(errors="no", norm="fully_normalized", more="").replace(*change)
    with pytest.raises(armilla.FormatError, match=match):
        geo.read_gfc(write(tmp_path, text))


def test_files_that_are_cut_off(tmp_path):
    text = HEAD.format(errors="no", norm="fully_normalized", more="") + "gfc 2 2 1.0 1.0\n"
    for lmax in (None, 2):
        with pytest.raises(armilla.FormatError, match="degree 2.*max_degree is 3"):
            geo.read_gfc(write(tmp_path, text), lmax=lmax)
    whole = "".join(f"gfc {l} {m} 1.0 0.0\n" for l in range(4) for m in range(l + 1))
    head = text[:-len("gfc 2 2 1.0 1.0\n")]
    last_order_lost, zonal = head + whole[:-len("gfc 3 3 1.0 0.0\n")], head + "gfc 3 0 1.0 0.0\n"
    with pytest.raises(armilla.FormatError, match="ends with l = 3, m = 2.*cut off"):
        geo.read_gfc(write(tmp_path, last_order_lost))
    assert geo.read_gfc(write(tmp_path, last_order_lost), lmax=2).cilm[0].sum() == 6
    assert geo.read_gfc(write(tmp_path, zonal)).cilm[0].sum() == 1
    assert geo.read_gfc(write(tmp_path, head + whole)).cilm[0].sum() == 10
    huge = text.replace("max_degree                  3", "max_degree 30000")
    with pytest.raises(armilla.FormatError, match="max_degree is 30000"):
        geo.read_gfc(write(tmp_path, huge))
    with pytest.raises(armilla.FormatError, match="l = 1, m = 1.*l = 30000"):
        geo.read_shtools(write(tmp_path, "0 0 1.0 0.0\n1 0 1.0 0.0\n30000 0 1.0 0.0\n"))


def test_what_cannot_be_written(tmp_path):
    model = geo.GravityModel(cilm_of(), 1.0, 1.0)
    sine, above = cilm_of(), cilm_of()
    sine[1, 3, 0] = above[0, 2, 5] = 1
    for cilm, match in ((sine, "S of m = 0.*l = 3"), (above, "m above l.*l = 2, m = 5")):
        with pytest.raises(ValueError, match="cilm: .*" + match):
            geo.write_gfc(tmp_path / "a.gfc", model._replace(cilm=cilm))
        with pytest.raises(ValueError, match="cilm: .*" + match):
            geo.write_shtools(tmp_path / "a.sh", cilm)
    with pytest.raises(ValueError, match="errors.*below 0"):
        geo.write_shtools(tmp_path / "a.sh", cilm_of(), errors=-np.abs(cilm_of()))
    for change, match in (({"gm": np.nan}, "gm"), ({"radius": 0.0}, "radius"),
                          ({"errors": {"formal": -np.abs(cilm_of())}}, "errors.*below 0"),
                          ({"name": "a\nnorm unnormalized"}, "modelname.*one line"),
                          ({"header": {"url": "a\nradius 3.0"}}, "url.*one line"),
                          ({"cilm": np.zeros((3, 3))}, "cilm"), ({"tide_system": "moon"}, "tide"),
                          ({"errors": {"guessed": cilm_of()}}, "errors"),
                          ({"errors": {"formal": cilm_of(3)}}, "errors"),
                          ({"cilm": cilm_of() * np.nan}, "finite")):
        with pytest.raises(ValueError, match=match):
            geo.write_gfc(tmp_path / "a.gfc", model._replace(**change))
    assert not list(tmp_path.iterdir())


# --- SHTOOLS --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.sh", "a.txt.gz"])
def test_shtools_there_and_back(tmp_path, name):
    cilm, errors = cilm_of(), np.tril(np.abs(cilm_of(seed=2)))
    geo.write_shtools(tmp_path / name, cilm, errors=errors, header=["1738.0", "4902.8"])
    back = geo.read_shtools(tmp_path / name)
    np.testing.assert_array_equal(back.cilm, cilm)
    np.testing.assert_array_equal(back.errors, errors)
    assert back.header == (("1738.0", "4902.8"),) and back.lmax == 6
    assert geo.read_shtools(tmp_path / name, lmax=3).cilm.shape == (2, 4, 4)
    geo.write_shtools(tmp_path / name, cilm, overwrite=True)
    assert geo.read_shtools(tmp_path / name).errors is None


def test_shtools_from_elsewhere(tmp_path):
    path = write(tmp_path, "junk, 3\n# comment\n 6378.1 ,0.39860D+15 , x\n0 0 1\n1,0,2.5\n"
                 "    1,    1, 3.5D0,-4.5\n")
    back = geo.read_shtools(path, skip=1)
    assert back.header == (("6378.1", "0.39860D+15", "x"),)
    np.testing.assert_array_equal(back.cilm, [[[1, 0], [2.5, 3.5]], [[0, 0], [0, -4.5]]])


@pytest.mark.parametrize("form", ["%.18e", "%.1f", "%g."])
def test_degrees_as_reals(tmp_path, form):
    """As numpy.savetxt writes them."""
    cilm = cilm_of(12)
    rows = [f"{form % l} {form % m} {float(cilm[0, l, m])!r} {float(cilm[1, l, m])!r}\n"
            for l in range(13) for m in range(l + 1)]
    for header, known in (("", ()), ("1738.0 4902.8\n", (("1738.0", "4902.8"),)),
                          ("1738.0, 1700.0, 1, 0, 12\n",
                           (("1738.0", "1700.0", "1", "0", "12"),))):
        back = geo.read_shtools(write(tmp_path, header + "".join(rows)))
        np.testing.assert_array_equal(back.cilm, cilm)
        assert back.header == known
    whole = "4902.0, 1738.0, 0.0, 0.0\n0 0 1 0\n1 0 2 0\n1 1 3 4\n"  # a header, not degree 4902
    back = geo.read_shtools(write(tmp_path, whole))
    assert back.lmax == 1 and back.header == (("4902.0", "1738.0", "0.0", "0.0"),)


@pytest.mark.parametrize("text, match", [
    ("0. 0. 1 0\n1. 0.5 1 0\n", "line 2.*m = '0.5'.*whole"),
    ("0. 0. 1 0\n1.0 0.0 1 0\n1 1 1 0\n", "line 3.*'1'.*real, as"),
    ("0. 0. 1 0\n1.0 2.0 1 0\n", "line 2.*m = 2"), ("0. 0. 1 0\n1e0 0 1 0\n", "line 2.*'1e0'"),
    ("0 0 1 0\n1.0 0.0 1 0\n", "line 2.*'1.0'"), ("0.5 0.0 1 0\n", "no coefficients"),
    ("0 0 1 0\n1 0 2\n1 1 1\n", "line 3.*3 words"), ("", "no coefficients"),
    ("0 0 1 0\n1 2 1 1\n", "line 2.*m = 2"), ("0 0 1 0\n0 0 1 0\n", "line 2.*twice"),
    ("0 0 1 0\n1 x 1 1\n", "line 2.*'x'"), ("0 0 1 0\n1 1 1 b\n", "line 2.*'b'"),
    ("0 0 1 0\n1 0 1 7\n", "line 2.*m = 0"), ("0 0 1 0\n1\n", "line 2.*one word"),
    ("0 0 1 0\n1 0 1\n1 1 1 1\n2 1 1 1 1 1\n", "others have none"),
    ("0 0 1 0\n1 0 1\n", "without l = 1, m = 1"),
    ("0,0,1,0\n1,0,,0\n1,1,1,1\n", "line 2.*between two commas"),
    ("0 0 1 0 1 0\n1 0 1 0\n1 1 1 1 1 1\n", "others have none"),
    ("0 0 1 0 1 0\n1 0 1 0 -1 0\n1 1 1 1 1 1\n", "line 2.*below 0"),
])
def test_broken_shtools_files(tmp_path, text, match):
    with pytest.raises(armilla.FormatError, match=match):
        geo.read_shtools(write(tmp_path, text))


def test_shtools_headers_are_no_coefficients(tmp_path):
    with pytest.raises(ValueError, match="header"):
        geo.write_shtools(tmp_path / "a.sh", cilm_of(), header=["90", "90", "1.0"])
    with pytest.raises(ValueError, match="shape"):
        geo.write_shtools(tmp_path / "a.sh", np.zeros((2, 3, 4)))


def test_bytes_are_no_text(tmp_path):
    (tmp_path / "a").write_bytes(b"0 0 1 0\n\0\0\n")
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"0 0 1 0\n" * 500)[:-9])
    for name, match in (("a", "line 2.*byte 0"), ("b.gz", "unpacked|twice")):
        with pytest.raises(armilla.FormatError, match=match):
            geo.read_shtools(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        geo.read_shtools(tmp_path / "c")


@pytest.mark.parametrize("read", [geo.read_gfc, geo.read_shtools, geo.read_grace, geo.read_bshc,
                                  geo.read_geomagnetic])
def test_damaged_gzip(tmp_path, read):
    """A block of no kind that deflate has, behind a header that is whole."""
    packed = bytearray(gzip.compress(b"0 0 1 0\n" * 500))
    packed[10] = 0xff
    (tmp_path / "a.gz").write_bytes(packed)
    with pytest.raises(armilla.FormatError, match="cannot be unpacked"):
        read(tmp_path / "a.gz")


# --- Damage ---------------------------------------------------------------------------------------


def test_damaged_files_are_read_or_refused(tmp_path):
    """Bytes changed, put in or left out: a result, or an error that is the reader's own."""
    whole = HEAD.format(errors="formal", norm="fully_normalized", more="")
    readers = [(whole + "gfc 0 0 1.0 0.0 0.0 0.0\ngfct 2 1 1e-9 2e-9 1e-10 1e-10 20050101\n",
                lambda path: geo.read_gfc(path, epoch=2005.5).cilm),
               ("1.5, 2.5\n0, 0, 1.0\n1, 0, 2.0, 0.0\n1, 1, 3.0, 4.0\n",
                lambda path: geo.read_shtools(path).cilm)]
    readers += [("1.5, 2.5\n0.0, 0.0, 1.0\n1.0, 0.0, 2.0, 0.0\n1.0, 1.0, 3.0, 4.0\n",
                 lambda path: geo.read_shtools(path).cilm)]
    assert check_damaged(tmp_path, readers) > 100


# --- Against pyshtools ----------------------------------------------------------------------------


def test_pyshtools_reads_and_writes_alike(tmp_path):
    shio = pytest.importorskip("pyshtools").shio
    cilm, errors = cilm_of(), np.tril(np.abs(cilm_of(seed=2)))
    geo.write_gfc(tmp_path / "a.gfc", geo.GravityModel(cilm, 4.9e12, 1738e3, {"formal": errors}))
    theirs = shio.read_icgem_gfc(str(tmp_path / "a.gfc"), errors="formal")
    np.testing.assert_array_equal(theirs[0], cilm)
    np.testing.assert_array_equal(theirs[3], errors)
    shio.write_icgem_gfc(str(tmp_path / "b.gfc"), cilm, gm=4.9e12, r0=1738e3, modelname="b")
    ours = geo.read_gfc(tmp_path / "b.gfc")
    np.testing.assert_allclose(ours.cilm, cilm, rtol=1e-12)
    assert ours.gm == 4.9e12
    theirs = shio.read_icgem_gfc(str(gfc(tmp_path, TIMED)), epoch="20080206")
    ours = geo.read_gfc(gfc(tmp_path, TIMED), epoch="2008-02-06")
    np.testing.assert_allclose(ours.cilm, theirs[0], rtol=1e-13)
    geo.write_shtools(tmp_path / "a.sh", cilm, errors=errors, header=["1.0", "2.0"])
    theirs = shio.shread(str(tmp_path / "a.sh"), header=True, error=True)
    np.testing.assert_array_equal(theirs[0], cilm)
    np.testing.assert_array_equal(theirs[1], errors)
    shio.shwrite(str(tmp_path / "b.sh"), cilm, header="1.0, 2.0")
    np.testing.assert_allclose(geo.read_shtools(tmp_path / "b.sh").cilm, cilm, rtol=1e-12)


def test_pyshtools_has_this_spectrum_and_map(tmp_path):
    """What examples/gravity_anomaly.py does, by pyshtools."""
    pyshtools = pytest.importorskip("pyshtools")
    lmax = 120
    cilm = cilm_of(lmax) / np.maximum(np.arange(lmax + 1), 1)[:, None] ** 2
    geo.write_gfc(tmp_path / "a.gfc", geo.GravityModel(cilm, 3.986e14, 6378e3))
    model = geo.read_gfc(tmp_path / "a.gfc")
    read = pyshtools.shio.read_icgem_gfc(str(tmp_path / "a.gfc"))[0]
    theirs = pyshtools.SHCoeffs.from_array(read)
    ours = armilla.spectrum.power(model.alm)
    np.testing.assert_allclose(ours, theirs.spectrum(), rtol=2e-15)
    n = 2 * lmax + 2
    sht = armilla.SHT(armilla.Grid.equidistant("DH", n, 2 * n), lmax, two_dimensional=True)
    values = sht.synthesis(model.alm)
    grid = pyshtools.expand.MakeGridDH(cilm, sampling=2)
    assert np.abs(values - grid).max() < 1e-13 * np.abs(grid).max()
    again = armilla.conventions.convert(sht.analysis(grid), "healpy", "shtools")
    assert np.abs(again - cilm).max() < 1e-14 * np.abs(cilm).max()
    again = pyshtools.expand.SHExpandDH(values, sampling=2)
    assert np.abs(again - cilm).max() < 1e-12 * np.abs(cilm).max()
