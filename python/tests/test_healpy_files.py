"""Files of armilla.healpy and of healpy: each reads what the other writes, with every keyword."""
import gzip
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armilla
import armilla.healpy as ours
from healpy_judge import alike, hp, many

fits = pytest.importorskip("astropy.io.fits")
PAIRS = [(ours, hp), (hp, ours), (ours, ours)]
OWN = {"CREATOR", "EXTNAME", "POLCCONV"}  # what the two programs say of themselves, or not


def sky(n=1, nside=4, seed=1, dtype=np.float64):
    m = np.random.default_rng(seed).standard_normal((n, 12 * nside ** 2)).astype(dtype)
    return m[0] if n == 1 else m


def said(path, hdu=1):
    with fits.open(path) as told:
        columns = [(c.name, re.sub("^1([A-Z])$", r"\1", str(c.format)), c.unit or None)
                   for c in told[hdu].columns]
        forms = {f"TFORM{i + 1}": column[1] for i, column in enumerate(columns)}
        header = {key.upper(): value for key, value in told[hdu].header.items()}
        return {**header, **forms}, columns


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "file.fits")


@pytest.fixture
def other(tmp_path):
    return str(tmp_path / "other.fits")


# --- Writing: the same tables and the same keywords -----------------------------------------------


@pytest.mark.parametrize("more", [
    {}, {"nest": True}, {"dtype": np.float32}, {"dtype": np.int32},
    {"dtype": [np.float64, np.float32, np.int64]}, {"fits_IDL": False}, {"coord": "G"},
    {"coord": "Galactic"}, {"partial": True}, {"partial": True, "nest": True, "column_units": "K"},
    {"column_names": ["A", "B", "C"]}, {"column_units": "uK"}, {"column_units": ["K", "mK", ""]},
    {"extra_header": [("OBSERVER", "me"), ("NUMBER", 3, "a comment"), ("REAL", 1.5e-7),
                      ("LOGIC", True), ("LONG", "x'y " * 40), ("longer-keyword", 5),
                      ("COMMENT", "text of a comment"), ("HISTORY", "done"), ("NSIDE", 16, "same"),
                      ("EXTNAME", "SKY"), ("NOTHING", None), ("BIG", 2 ** 40)]}])
@pytest.mark.parametrize("nside", [4, 16])
@pytest.mark.filterwarnings("ignore::astropy.io.fits.verify.VerifyWarning")
def test_maps_are_written_as_by_healpy(path, other, more, nside):
    if nside == 4:
        more = {**more, "extra_header": [r for r in more.get("extra_header", ())
                                         if r[0] != "NSIDE"]}
    m = sky(3, nside) * 100
    m[:, 5:9] = hp.UNSEEN
    if more.get("dtype") in (np.int32,) or isinstance(more.get("dtype"), list):
        m = np.where(m == hp.UNSEEN, 7, m)
        m = np.rint(m)
    ours.write_map(path, m, **more)
    hp.write_map(other, m, **more)
    (mine, columns), (judge, wanted) = said(path), said(other)
    first = int(more.get("partial", False))  # healpy: the smallest type that holds the pixels
    assert columns[first:] == wanted[first:] and columns[0][0] == wanted[0][0]
    for key, value in judge.items():
        if key not in ("HISTORY", "COMMENT") and not (first and key in ("TFORM1", "NAXIS1")):
            assert mine[key] == value, key
    for key in ("COMMENT", "HISTORY"):
        assert mine.get(key) == judge.get(key)
    assert set(mine) - set(judge) <= OWN | {"TNULL1", "TNULL2", "TNULL3"}
    for h, name in ((hp, path), (ours, other)):
        back = h.read_map(name, field=None, nest=more.get("nest", False))
        np.testing.assert_array_equal(np.array(back), np.array(hp.read_map(
            other, field=None, nest=more.get("nest", False))))


@pytest.mark.parametrize("kind", [np.bool_, np.uint8, np.int16, np.int32, np.int64, np.float32,
                                  np.float64])
def test_types_of_maps(path, kind):
    m = (np.arange(192) % 2).astype(kind)
    for writer, reader in PAIRS:
        writer.write_map(path, m, overwrite=True)
        back = reader.read_map(path)
        assert back.dtype.kind == np.dtype(kind).kind and back.dtype.itemsize == m.dtype.itemsize
        np.testing.assert_array_equal(back, m)
    for wrong in (np.uint16, object):
        alike("write_map", path, m, dtype=wrong, overwrite=True)
    with pytest.raises(NotImplementedError, match="complex"):
        ours.write_map(path, m, dtype=complex, overwrite=True)


@pytest.mark.parametrize("kind", [np.bool_, np.uint8, np.int16, np.int32, np.int64])
def test_fractions_are_cut_off(path, other, kind):
    m = np.array([1.7, 0.5, 1.5, 2.5, 0.999, 3, 0, 254.9, 7, 1e-9, 64.5, 12])
    m = m if kind in (np.bool_, np.uint8) else m * np.resize([1, -1], 12)
    for writer, name in ((ours, path), (hp, other)):
        writer.write_map(name, m, dtype=kind)
    np.testing.assert_array_equal(hp.read_map(path, dtype=None), hp.read_map(other, dtype=None))
    if kind is np.bool_:  # missing pixels stay out of partial maps
        m[3] = hp.UNSEEN
        ours.write_map(path, m, dtype=kind, partial=True, overwrite=True)
        assert len(fits.getdata(path)) == 11


def test_not_a_number_stays(path):
    m = sky()
    m[[3, 9]] = np.nan, np.inf
    m[12] = hp.UNSEEN
    for writer, reader in PAIRS:
        for dtype in (np.float64, np.float32):
            writer.write_map(path, m, dtype=dtype, overwrite=True)
            np.testing.assert_array_equal(reader.read_map(path), m.astype(dtype))


def test_partial_maps_keep_what_the_first_map_lacks(path):
    """healpy drops all pixels that the first map lacks: the others lose values."""
    m = sky(2)
    m[0, 3], m[1, 9], m[:, 12] = hp.UNSEEN, hp.UNSEEN, hp.UNSEEN
    ours.write_map(path, m, partial=True)
    np.testing.assert_array_equal(hp.read_map(path, field=(0, 1)), m)
    assert len(fits.getdata(path)) == 191
    with pytest.raises(ValueError, match="no pixel"):
        ours.write_map(path, np.full(12, hp.UNSEEN), partial=True, overwrite=True)


@pytest.mark.parametrize("args, more", [
    ((5,), {}), ((np.zeros(13),), {}), ((np.zeros((2, 12)),), {"column_names": ["A"]}),
    (([np.zeros(12), np.zeros(48)],), {})])
def test_writing_refuses(path, args, more):
    assert isinstance(alike("write_map", path, *args, **more), Exception)


@pytest.mark.parametrize("record, text", [
    (("NAXIS1", 5), "describes the table"), (("TFORM1", "1D"), "describes"),
    (("END", 1), "describes"),
    (("A=B", 1), "cannot be one"), (("", 1), "cannot be one"), (("A", "\u00e9"), "ASCII"),
    (("A", np.nan), "cannot hold"), (("A", {}), "text, numbers"), (("A",), "must be"),
    ((3, 4), "must be"), (("A", 1, 2, 3), "must be")])
def test_keywords_that_cannot_be(path, record, text):
    with pytest.raises(ValueError, match=text):
        ours.write_map(path, sky(), extra_header=[record])
    with pytest.raises(FileNotFoundError):
        ours.read_map(path)


def test_existing_files_are_refused(path):
    for writer in (ours, hp):
        ours.write_map(path, sky(), overwrite=True)
        with pytest.raises(OSError):
            writer.write_map(path, sky(seed=2))
        with pytest.raises(OSError):
            writer.write_cl(path, np.ones(5))
        with pytest.raises(OSError):
            writer.write_alm(path, np.ones(3, complex))
        np.testing.assert_array_equal(ours.read_map(path), sky())


# --- Reading --------------------------------------------------------------------------------------


@many
@given(st.data())
def test_maps_are_read_as_by_healpy(tmp_path_factory, data):
    path = str(tmp_path_factory.mktemp("maps") / "map.fits")
    n = data.draw(st.integers(1, 3))
    dtype = data.draw(st.sampled_from([np.float32, np.float64]))
    m = sky(n, data.draw(st.sampled_from([4, 16])), 1, dtype)
    m[..., 7] = hp.UNSEEN * (1 + 1e-7)
    written = {"nest": data.draw(st.booleans()), "partial": data.draw(st.booleans()),
               "fits_IDL": data.draw(st.booleans())}
    hp.write_map(path, m, **written)
    field = data.draw(st.sampled_from([0, None, n - 1, (0,), [n - 1, 0], np.array([0]),
                                       ["U_POLARISATION"] if n > 1 else 0]))
    more = {"nest": data.draw(st.sampled_from([False, True, None])), "h": data.draw(st.booleans()),
            "partial": data.draw(st.booleans()), "memmap": data.draw(st.booleans()),
            "dtype": data.draw(st.sampled_from([None, np.float64, np.float32]))}
    if isinstance(field, list) and len(field) == 2:
        more["dtype"] = data.draw(st.sampled_from([None, [np.float32, np.float64]]))
    mine, judge = (h.read_map(path, field, **more) for h in (ours, hp))
    if more["h"]:
        assert mine[1] == [tuple(pair) for pair in judge[1]]
        mine, judge = mine[0], judge[0]
    if isinstance(judge, list):
        assert isinstance(mine, list) and [a.dtype.str for a in mine] == [
            b.dtype.newbyteorder("=").str for b in judge]
    else:
        assert mine.dtype == judge.dtype.newbyteorder("=") and mine.shape == judge.shape
    for a, b in zip(mine, judge):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("changes, more", [
    ({"ORDERING": None}, {"nest": True}), ({"ORDERING": None}, {"nest": False}),
    ({"ORDERING": None}, {"nest": None}), ({"NSIDE": None}, {}), ({"OBJECT": None}, {}),
    ({"OBJECT": None, "INDXSCHM": None}, {}), ({"OBJECT": "PARTIAL"}, {}),
    ({"OBJECT": "M31"}, {}), ({"NSIDE": 8, "LASTPIX": None}, {}), ({"NSIDE": 0}, {}),
    ({"POLCCONV": "IAU"}, {}),
    ({"BAD_DATA": 1.0}, {}), ({"TUNIT1": "K"}, {"h": True}), ({}, {"hdu": 2}), ({}, {"field": 3}),
    ({}, {"dtype": [np.float32, np.float64]}), ({"OBJECT": None, "INDXSCHM": None},
                                                {"partial": True, "field": 0})])
@pytest.mark.parametrize("partial", [False, True])
def test_headers_that_say_less(path, changes, more, partial):
    m = sky(3)
    if more.get("partial") and not partial:
        pytest.skip("healpy takes the values for pixel numbers")
    if partial:
        m[:, :150] = hp.UNSEEN
    hp.write_map(path, m, partial=partial, nest=True)
    with fits.open(path, mode="update") as told:
        for key, value in changes.items():
            told[1].header.pop(key, None)
            if value is not None:
                told[1].header[key] = value
    more = {"field": None, **more}
    for h in (ours, hp):
        try:
            made = h.read_map(path, **more)
        except Exception as error:  # noqa: BLE001  any: types are compared
            made = error
        if h is ours:
            mine = made
    if isinstance(made, Exception):
        assert isinstance(mine, (type(made), ValueError)), (mine, made)
        return
    assert not isinstance(mine, Exception), mine
    pairs = zip(mine, made) if more.get("h") else [(mine, made)]
    for a, b in pairs:
        assert a == [tuple(pair) for pair in b] if isinstance(b, list) else np.array_equal(a, b)


def test_files_that_are_not_there(tmp_path):
    for name in ("read_map", "read_alm", "read_cl"):
        assert isinstance(alike(name, str(tmp_path / "none.fits")), FileNotFoundError)
        assert isinstance(alike(name, 5), TypeError)


def test_hdus_of_astropy(path):
    hp.write_map(path, sky(2))
    alm, cl = hp.map2alm(sky(), lmax=4), np.ones((2, 5))
    with fits.open(path) as told:
        for given_hdus in (told, told[1]):
            np.testing.assert_array_equal(ours.read_map(given_hdus, field=None), sky(2))
    for name, value in (("alm", alm), ("cl", cl)):
        getattr(hp, "write_" + name)(path, value, overwrite=True)
        with fits.open(path) as told:
            for given_hdus in (told, told[1]):
                np.testing.assert_array_equal(getattr(ours, "read_" + name)(given_hdus), value)


def test_columns_of_any_type(path):
    """Scaled and unsigned columns, texts, complex numbers, as astropy reads them."""
    unsigned = np.arange(6, dtype=np.uint32) + 2 ** 31
    columns = [fits.Column("S", "J", array=np.arange(6)),
               fits.Column("U", "J", bzero=2 ** 31, array=unsigned),
               fits.Column("T", "5A", array=["word"] * 6), fits.Column("L", "L", array=[True] * 6),
               fits.Column("C", "C", array=np.arange(6) * 1j),
               fits.Column("B", "2B", array=np.arange(12, dtype=np.uint8).reshape(6, 2)),
               fits.Column("X", "9X", array=np.ones((6, 9)))]
    fits.BinTableHDU.from_columns(columns).writeto(path)
    table = armilla.io.read_table(path)
    with fits.open(path) as told:
        for name in "ULCB":
            judge = told[1].data.field(name).ravel()
            np.testing.assert_array_equal(table.column(name), judge)
            assert table.column(name).dtype == judge.dtype.newbyteorder("=")
    header = [armilla._cards.Card(*card, "") for card in (("TFIELDS", 1), ("TFORM1", "J"),
                                                          ("TSCAL1", 0.5), ("TZERO1", 3))]
    scaled = armilla.io.Table(header, table._rows[:, :4])
    np.testing.assert_array_equal(scaled.column(0), np.arange(6) * 0.5 + 3)
    assert table.names == ["S", "U", "T", "L", "C", "B", "X"]
    for wrong, error in (("T", ValueError), ("X", ValueError), ("none", KeyError), (7, IndexError)):
        with pytest.raises(error):
            table.column(wrong)


# --- gzip -----------------------------------------------------------------------------------------


def test_packed_files(tmp_path):
    alm, cl, m = hp.map2alm(sky(), lmax=6), hp.anafast(sky()), sky()
    for writer, reader in PAIRS:
        for name, value in (("map", m), ("alm", alm), ("cl", cl)):
            path = str(tmp_path / f"{name}.fits.gz")
            getattr(writer, "write_" + name)(path, value, overwrite=True)
            with open(path, "rb") as raw:
                assert raw.read(2) == b"\x1f\x8b"
            with gzip.open(path) as unpacked:
                assert unpacked.read(9) == b"SIMPLE  ="
            np.testing.assert_array_equal(getattr(reader, "read_" + name)(path), value)
            with pytest.raises(OSError):
                getattr(writer, "write_" + name)(path, value)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["alm.fits.gz", "cl.fits.gz",
                                                          "map.fits.gz"]


# --- Coefficients and spectra ---------------------------------------------------------------------


@many
@given(st.data())
def test_coefficients(tmp_path_factory, data):
    path = str(tmp_path_factory.mktemp("alm") / "alm.fits")
    lmax = data.draw(st.integers(0, 12))
    mmax = data.draw(st.integers(0, lmax))
    rng = np.random.default_rng(lmax)
    n = data.draw(st.sampled_from([None, 1, 3]))
    shape = (n or 1, ours.Alm.getsize(lmax, mmax))
    alm = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(
        data.draw(st.sampled_from([np.complex64, np.complex128])))
    alm = alm[0] if n is None else alm
    more = {"out_dtype": data.draw(st.sampled_from([None, np.float32, np.float64])),
            "lmax": data.draw(st.sampled_from([-1, lmax, max(lmax - 2, 0)])),
            "mmax": data.draw(st.sampled_from([-1, mmax, mmax // 2])), "mmax_in": mmax}
    made = []
    for writer in (ours, hp):
        writer.write_alm(path, alm if data.draw(st.booleans()) else np.array(alm), overwrite=True,
                         **more)
        for reader in (ours, hp):
            hdu = 1 if n is None else data.draw(st.sampled_from([1, (1,)])) if n == 1 else (1, 2, 3)
            made.append(reader.read_alm(path, hdu=hdu, return_mmax=True))
    for back, order in made[1:]:
        np.testing.assert_array_equal(made[0][0], back)
        assert order == made[0][1] and back.dtype == made[0][0].dtype and back.shape == made[
            0][0].shape


def test_coefficients_refused(path):
    alm = np.ones(6, complex)
    assert isinstance(alike("write_alm", path, alm, lmax=3), ValueError)
    hp.write_alm(path, [alm, 2 * alm])
    with fits.open(path, mode="update") as told:
        told[2].data["index"][-1] = 100
    for hdu in (1, (1, 2)):
        alike("read_alm", path, hdu=hdu)
    with fits.open(path, mode="update") as told:
        told[1].data["index"][-1] = 5
    assert isinstance(alike("read_alm", path), ValueError)


@pytest.mark.parametrize("more", [
    {}, {"dtype": np.float32}, {"column_names": list("ABC")}, {"column_units": "K2"},
    {"column_units": ["K2", None, "uK2"]}, {"extra_header": [("A", 1, "comment"), ("B", "b")]},
    {"column_names": ["A"]}, {"column_units": ["K"]}, {"column_units": [1, 2, 3]},
    {"column_units": 1.0}])
def test_spectra(path, other, more):
    cl = sky(3)[:, :20]
    for h, name in ((ours, path), (hp, other)):
        try:
            h.write_cl(name, cl, **more)
        except ValueError:
            with pytest.raises(ValueError):
                (hp if h is ours else ours).write_cl(path, cl, overwrite=True, **more)
            return
    (mine, columns), (judge, wanted) = said(path), said(other)
    assert columns == wanted
    for key, value in judge.items():
        assert key in OWN or mine[key] == value
    for reader in (ours, hp):
        for name in (path, other):
            np.testing.assert_array_equal(reader.read_cl(name), cl.astype(more.get("dtype", float)))
    assert ours.read_cl(path).dtype == cl.astype(more.get("dtype", float)).dtype


@pytest.mark.parametrize("cl", [np.ones(4), np.ones((1, 4)), [np.ones(4), np.zeros(4)],
                                np.ones((8, 3)), np.ones(4, np.float32)])
def test_numbers_of_spectra(path, other, cl):
    ours.write_cl(path, cl)
    hp.write_cl(other, cl)
    assert said(path)[1] == said(other)[1]
    for name in (path, other):
        np.testing.assert_array_equal(ours.read_cl(name), hp.read_cl(name))
    alike("write_cl", path, np.ones((2, 2, 2)), overwrite=True)


def test_spectra_in_text(tmp_path):
    """healpy reads FITS only."""
    path = tmp_path / "cl.txt"
    path.write_text("# l TT\n0 1.0\n1 2.0\n")
    np.testing.assert_array_equal(ours.read_cl(path), [1, 2])
    with gzip.open(tmp_path / "cl.txt.gz", "wt") as stream:
        stream.write(path.read_text())
    np.testing.assert_array_equal(ours.read_cl(tmp_path / "cl.txt.gz"), [1, 2])


# --- Formats --------------------------------------------------------------------------------------


@pytest.mark.parametrize("t", [np.float32, "f4", float, np.dtype(int), 3.0, 3, True, np.int16(3),
                               str, "text", ["a", "bcd"], [1.0, 2.0], (1, 2), np.complex64, 1j,
                               np.uint8, np.uint16, object, {}])
def test_letters_of_types(t):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        alike("fitsfunc:getformat", t)


def test_names_of_columns():
    assert ours.fitsfunc.standard_column_names == hp.fitsfunc.standard_column_names
    assert ours.fitsfunc.allowed_paths == hp.fitsfunc.allowed_paths


# --- Whole numbers and words ----------------------------------------------------------------------


@pytest.mark.parametrize("word", ["NEST", "nested", "Nested", "NESTED", "nest"])
def test_nested_files_by_any_word(path, word):
    m = sky()
    ours.write_map(path, ours.reorder(m, r2n=True), nest=True)
    with fits.open(path, "update") as file:
        file[1].header["ORDERING"] = word
    np.testing.assert_array_equal(ours.read_map(path), m)
    np.testing.assert_array_equal(ours.read_map(path, nest=True), ours.reorder(m, r2n=True))
    np.testing.assert_array_equal(ours.read_map(path, nest=None), ours.reorder(m, r2n=True))


def test_other_orders_are_refused(path):
    ours.write_map(path, sky())
    with fits.open(path, "update") as file:
        file[1].header["ORDERING"] = "SPIRAL"
    with pytest.raises(ValueError, match="ORDERING = 'SPIRAL'"):
        ours.read_map(path)


@pytest.mark.parametrize("nest", [False, True])
def test_whole_numbers_beyond_doubles_are_exact(path, nest):
    m = np.arange(192, dtype=np.int64) + 2 ** 53 + 1
    below = -m[::-1]
    m[0], below[0] = 2 ** 63 - 1, -2 ** 63 + 1
    ours.write_map(path, [m, sky(), below], nest=nest, dtype=[np.int64, np.float64, np.int64],
                   overwrite=True)
    for reader in (ours, hp):
        for field, judge in ((0, m), (2, below)):
            made = reader.read_map(path, field=field, nest=nest, dtype=np.int64)
            np.testing.assert_array_equal(made, judge)


@pytest.mark.parametrize("kind", [">f4", ">f8", ">i4", ">i8"])
def test_maps_of_the_other_order_of_bytes(path, kind):
    m = np.arange(48).astype(kind)
    ours.write_map(path, m)
    np.testing.assert_array_equal(ours.read_map(path), m)
    assert ours.read_map(path).dtype == m.dtype.newbyteorder("=")


def test_spectra_of_the_fortran_programs_are_read():
    path = Path(__file__).parents[3] / "shared/data"
    path /= "cl_wmap_band_iqumap_r9_7yr_W_v4_udgraded32_IQU_lmax64_rmmono_3iter.fits"
    if not path.exists():
        pytest.skip("no WMAP data")
    cl = ours.read_cl(str(path))
    assert cl.shape == (6, 65) and cl[0, 2] > 0
    np.testing.assert_array_equal(cl, hp.read_cl(str(path)))
