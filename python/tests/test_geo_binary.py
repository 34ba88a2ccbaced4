"""armilla.geo: binary files of coefficients (.bshc), against struct and pyshtools."""
import gzip
import struct

import numpy as np
import pytest

import armilla
from armilla import geo


def cilm_of(lmax=6, seed=1):
    alm = armilla.alm.random(lmax, np.ones(lmax + 1), seed)
    return armilla.conventions.convert(alm, "healpy", "shtools")


def packed(cilm, order, least=0):
    """What the format is, number by number."""
    top = cilm.shape[-1] - 1
    numbers = [least, top] + [cilm[part, l, m] for part in range(2) for l in range(least, top + 1)
                              for m in range(l + 1)]
    return b"".join(struct.pack(order + "d", float(one)) for one in numbers)


@pytest.mark.parametrize("word, order", [("little", "<"), ("big", ">"), ("native", "=")])
@pytest.mark.parametrize("name", ["a.bshc", "a.bshc.gz"])
def test_there_and_back(tmp_path, word, order, name):
    cilm = cilm_of()
    geo.write_bshc(tmp_path / name, cilm, byte_order=word)
    content = (tmp_path / name).read_bytes()
    assert (gzip.decompress(content) if name.endswith("gz") else content) == packed(cilm, order)
    for given in (None, word):
        np.testing.assert_array_equal(geo.read_bshc(tmp_path / name, byte_order=given), cilm)
    np.testing.assert_array_equal(geo.read_bshc(tmp_path / name, lmax=3), cilm[:, :4, :4])
    with pytest.raises(FileExistsError):
        geo.write_bshc(tmp_path / name, cilm)
    geo.write_bshc(tmp_path / name, 2 * cilm, overwrite=True)
    np.testing.assert_array_equal(geo.read_bshc(tmp_path / name), 2 * cilm)
    assert [one.name for one in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("order", ["<", ">"])
def test_files_that_begin_with_another_degree(tmp_path, order):
    cilm = cilm_of()
    (tmp_path / "a").write_bytes(packed(cilm, order, least=2))
    cilm[:, :2] = 0
    np.testing.assert_array_equal(geo.read_bshc(tmp_path / "a"), cilm)
    assert not geo.read_bshc(tmp_path / "a", lmax=1).any()


def test_one_coefficient(tmp_path):
    """Zeros do not say which way round the bytes of the third number are."""
    geo.write_bshc(tmp_path / "a", [[[2.5]], [[0.0]]], byte_order="big")
    with pytest.raises(ValueError, match="byte_order: must be given"):
        geo.read_bshc(tmp_path / "a")
    assert geo.read_bshc(tmp_path / "a", byte_order="big")[0, 0, 0] == 2.5
    geo.write_bshc(tmp_path / "b", np.zeros((2, 1, 1)))
    assert geo.read_bshc(tmp_path / "b").tolist() == [[[0.0]], [[0.0]]]


def test_broken_files(tmp_path):
    cilm, sine, infinite = cilm_of(), cilm_of(), cilm_of()
    sine[1, 3, 0], infinite[0, 2, 1] = 1, np.inf
    whole = packed(cilm, "<")
    for content, match in ((b"", "two degrees"), (b"abc", "two degrees"),
                           (whole[:-8], "bytes, must have .*cut off"), (whole + bytes(8), "bytes"),
                           (b"hello, this is text", "two degrees"),
                           (packed(sine, ">"), "S of m = 0.*l = 3"),
                           (packed(infinite, "<"), "not finite"),
                           (struct.pack("<2d", 5, 2), "smallest degree 5 and largest degree 2"),
                           (struct.pack("<2d", 0, 1.5) + whole[16:], "two degrees"),
                           (struct.pack("<2d", 0, -1) + whole[16:], "two degrees"),
                           (gzip.compress(whole)[:-20], "unpacked")):
        (tmp_path / "a").write_bytes(content)
        with pytest.raises(armilla.FormatError, match=match):
            geo.read_bshc(tmp_path / "a")
    (tmp_path / "a").write_bytes(whole)
    with pytest.raises(armilla.FormatError, match="two degrees"):
        geo.read_bshc(tmp_path / "a", byte_order="big")
    for lmax in (-1, 7):
        with pytest.raises(ValueError, match="lmax"):
            geo.read_bshc(tmp_path / "a", lmax=lmax)
    with pytest.raises(FileNotFoundError):
        geo.read_bshc(tmp_path / "c")


def test_what_cannot_be_written(tmp_path):
    sine, above = cilm_of(), cilm_of()
    sine[1, 3, 0] = above[0, 2, 5] = 1
    for cilm, match in ((sine, "S of m = 0"), (above, "m above l"), (np.zeros((2, 3, 4)), "shape"),
                        (np.full((2, 3, 3), np.nan), "finite"), (np.zeros(()), "shape")):
        with pytest.raises(ValueError, match=match):
            geo.write_bshc(tmp_path / "a", cilm)
    with pytest.raises(ValueError, match="byte_order = 'middle'"):
        geo.write_bshc(tmp_path / "a", cilm_of(), byte_order="middle")
    assert not list(tmp_path.iterdir())


def test_pyshtools_reads_and_writes_alike(tmp_path):
    shio = pytest.importorskip("pyshtools").shio
    cilm = cilm_of(20)
    geo.write_bshc(tmp_path / "a.bshc", cilm)
    theirs, lmax = shio.read_bshc(str(tmp_path / "a.bshc"))
    np.testing.assert_array_equal(theirs, cilm)
    shio.write_bshc(str(tmp_path / "b.bshc"), cilm)
    assert (tmp_path / "b.bshc").read_bytes() == (tmp_path / "a.bshc").read_bytes() and lmax == 20
