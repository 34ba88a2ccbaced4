"""armilla.io: round trips through files, errors."""
import warnings

import numpy as np
import pytest

import armilla
from armilla import io
from helpers import random_alm

SKY = np.random.default_rng(1).standard_normal((3, 12 * 16))


@pytest.mark.parametrize("nested, partial", [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_maps(tmp_path, nested, partial, dtype):
    sky = SKY.astype(dtype)
    sky[:, 5:9] = io.UNSEEN
    path = tmp_path / "sky.fits"
    io.write_map(path, sky, units="uK", coordsys="G", nested=nested, partial=partial, dtype=dtype)
    told = io.read_map(str(path))
    np.testing.assert_array_equal(told.values.astype(dtype), sky)
    assert told.names == ("TEMPERATURE", "Q_POLARISATION", "U_POLARISATION")
    assert told.units == ("uK",) * 3 and told.dtypes == (np.dtype(dtype),) * 3
    assert (told.nside, told.coordsys, told.nested, told.partial) == (4, "G", nested, partial)
    np.testing.assert_array_equal(io.read_map(path, fields=[2, 0]).values, told.values[[2, 0]])
    assert io.read_map(path, fields=1).names == ("Q_POLARISATION",)
    assert "TEMPERATURE" in io.describe(path)


def test_names_with_a_character_0_are_no_other_files(tmp_path):
    name = str(tmp_path / "a\0b.fits")
    for call in (lambda: io.write_map(name, np.zeros(48)), lambda: io.read_map(name),
                 lambda: io.write_alm(name, np.zeros(6, complex)), lambda: io.read_table(name)):
        with pytest.raises(ValueError, match="path = .*character 0"):
            call()
    assert not list(tmp_path.iterdir())


def test_headers(tmp_path):
    path = tmp_path / "sky.fits"
    io.write_map(path, SKY, units="uK", keywords=[("OBSERVER", "me", "who looked")])
    told = {name: (value, comment) for name, value, comment in io.read_header(path)}
    assert told["OBSERVER"] == ("me", "who looked") and told["NSIDE"][0] == 4
    assert told["TUNIT2"][0] == "uK" and "NSIDE" not in {c.name for c in io.read_header(path, 0)}
    with pytest.raises(ValueError, match="hdu = 7"):
        io.read_header(path, 7)


def test_one_map_of_integers(tmp_path):
    path = tmp_path / "hits.fits"
    io.write_map(path, np.arange(192), names=["HITS"], dtype=np.int32)
    told = io.read_map(path)
    np.testing.assert_array_equal(told.values[0], np.arange(192))
    assert told.names == ("HITS",) and told.dtypes == (np.dtype(np.int32),)
    assert told.coordsys is None


def test_coefficients(tmp_path):
    alm = random_alm(9, 4, (3,))
    path = tmp_path / "alm.fits"
    io.write_alm(path, alm, mmax=4, coordsys="E")
    told = io.read_alm(path)
    np.testing.assert_array_equal(told.alm, alm)
    assert (told.lmax, told.mmax, told.coordsys) == (9, 4, "E")


@pytest.mark.parametrize("name", ["cl.fits", "cl.txt"])
def test_spectra(tmp_path, name):
    cl = 1 / (1 + np.arange(60.0).reshape(3, 20))
    io.write_cl(tmp_path / name, cl, names=["TT", "EE", "BB"], unit="uK^2")
    told = io.read_cl(tmp_path / name)
    np.testing.assert_allclose(told.cl, cl, rtol=1e-15)
    assert told.names == ("TT", "EE", "BB") and told.unit == "uK^2"


def test_pictures(tmp_path):
    path = tmp_path / "sky.png"
    io.write_picture(path, SKY[0], width=200, title="sky", unit="K", minimum=-1, maximum=1)
    assert path.read_bytes()[:4] == b"\x89PNG"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        io.write_picture(path, SKY[0], width=200, title="ΔΣΩ αβγ 10⁻³ ≤", overwrite=True)
    with pytest.warns(UserWarning, match="title.*'天'"):
        io.write_picture(path, SKY[0], width=200, title="Ω 天", overwrite=True)


def test_errors(tmp_path):
    path = tmp_path / "sky.fits"
    with pytest.raises(OSError):
        io.read_map(path)
    io.write_map(path, SKY)
    with pytest.raises((OSError, ValueError), match="sky.fits"):
        io.write_map(path, SKY)
    io.write_map(path, SKY[:1], overwrite=True)
    for wrong in (lambda: io.read_map(path, fields=3), lambda: io.write_map(path, SKY[:, 1:]),
                  lambda: io.write_map(path, SKY, names=["A"]),
                  lambda: io.write_map(path, SKY, names="A" * 80, overwrite=True),
                  lambda: io.write_map(path, SKY, coordsys="X", overwrite=True),
                  lambda: io.write_map(path, SKY, dtype="c16", overwrite=True),
                  lambda: io.write_picture(path, SKY), lambda: io.write_alm(path, SKY)):
        with pytest.raises(ValueError):
            wrong()
    io.verify(path)
    path.write_bytes(path.read_bytes()[:-2880])
    assert "truncated" in io.describe(path)
    with pytest.raises(armilla.FormatError, match="sky.fits: truncated"):
        io.verify(path)
    (tmp_path / "text.fits").write_text("no table")
    with pytest.raises(armilla.FormatError):
        io.read_map(tmp_path / "text.fits")


# --- HDUs by name ---------------------------------------------------------------------------------


@pytest.fixture
def hdus(tmp_path):
    """A map, another version of it, spectra and coefficients, in one file."""
    parts = []
    for name, version, write in (
            ("SKY", 1, lambda path, **more: io.write_map(path, np.arange(48.0), **more)),
            ("SKY", 2, lambda path, **more: io.write_map(path, -np.arange(48.0), **more)),
            ("CL", 1, lambda path, **more: io.write_cl(path, np.arange(5.0), **more)),
            ("ALM", 1, lambda path, **more: io.write_alm(path, np.arange(6) + 0j, **more))):
        path = tmp_path / "part.fits"
        write(path, keywords=[("EXTNAME", name), ("EXTVER", version)], overwrite=True)
        raw = path.read_bytes()
        parts += [raw[:2880]] * (not parts) + [raw[2880:]]
    (tmp_path / "all.fits").write_bytes(b"".join(parts))
    return tmp_path / "all.fits"


def test_hdus_by_name_and_number(hdus):
    for hdu, sign in ((0, 1), (1, 1), ("SKY", 1), ("sky", 1), (("SKY", 1), 1), (("Sky", 2), -1),
                      (2, -1), (-3, -1), ("SKY,2", -1), (np.int64(2), -1)):
        np.testing.assert_array_equal(io.read_map(hdus, hdu=hdu).values[0], sign * np.arange(48.0))
        if hdu != 0:
            assert io.read_table(hdus, hdu).column(0).ravel()[5] == 5 * sign
            assert io.read_header(hdus, hdu)[0].name == "XTENSION"
    for hdu in (0, 3, "CL", -2, ("CL", 1)):
        np.testing.assert_array_equal(io.read_cl(hdus, hdu=hdu).cl[0], np.arange(5.0))
    for hdu in (0, 4, "ALM", -1, ("alm", 1)):
        np.testing.assert_array_equal(io.read_alm(hdus, hdu=hdu).alm[0], np.arange(6))
    assert io.read_header(hdus, "PRIMARY")[0].name == "SIMPLE"


def test_hdus_as_astropy_has_them(hdus):
    fits = pytest.importorskip("astropy.io.fits")
    from armilla import healpy
    with fits.open(hdus) as given:
        for hdu in (1, "SKY", ("SKY", 2), -3):
            expected = np.asarray(given[hdu].data.field(0), float).ravel()
            np.testing.assert_array_equal(io.read_map(hdus, hdu=hdu).values[0], expected)
            np.testing.assert_array_equal(healpy.read_map(hdus, hdu=hdu), expected)
    np.testing.assert_array_equal(healpy.read_alm(hdus, hdu="ALM"), np.arange(6))


@pytest.mark.parametrize("hdu", ["MASK", ("SKY", 3), 5, -6, 1 << 40, ""])
def test_wrong_hdus_are_refused_with_a_list(hdus, hdu):
    for read in (io.read_map, io.read_alm, io.read_cl, io.read_table, io.read_header):
        with pytest.raises(ValueError, match=r"hdu = .*: .*all.fits has 4 extension\(s\): "
                                             "0 PRIMARY, 1 SKY, 2 SKY,2, 3 CL, 4 ALM"):
            read(hdus, hdu=hdu)


def test_hdus_that_hold_something_else(hdus):
    for read in (io.read_map, io.read_alm, io.read_cl, io.read_table):
        for hdu in ("PRIMARY", -5):
            with pytest.raises(ValueError, match="HDU 0 of .* holds no table"):
                read(hdus, hdu=hdu)
    for read, hdu in ((io.read_map, "ALM"), (io.read_cl, "SKY"), (io.read_cl, 4),
                      (io.read_alm, "SKY")):
        with pytest.raises(armilla.FormatError, match="holds "):
            read(hdus, hdu=hdu)
    for wrong in (1.5, None, ("SKY",), ("SKY", "2"), (1, 2), b"SKY", "SKY\0"):
        with pytest.raises((TypeError, ValueError), match="hdu"):
            io.read_map(hdus, hdu=wrong)


def test_maps_whose_cards_contradict_each_other(tmp_path):
    """A map of NSIDE 16 that says 17 is no part of the sky."""
    from armilla import healpy
    path = tmp_path / "map.fits"
    io.write_map(path, np.ones(3072))
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"NSIDE   = " + b"16".rjust(20), b"NSIDE   = " + b"17".rjust(20)))
    with pytest.raises(armilla.FormatError, match="NSIDE = 17 needs 3468 .* of NSIDE = 16"):
        io.read_map(path)
    with pytest.raises(ValueError, match="nside = 17 has 3468 pixels, the file 3072"):
        healpy.read_map(path)
    path.write_bytes(raw.replace(b"'RING    '", b"'NUNIQ   '"))
    with pytest.raises(armilla.FormatError, match="multi-order table .*ligo.skymap.*mhealpy"):
        io.read_map(path)
    with pytest.raises(ValueError, match="NUNIQ.*ligo.skymap.*mhealpy"):
        healpy.read_map(path)
