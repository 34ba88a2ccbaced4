"""Columns beside a map, pixel numbers as reals, missing pixels of whole numbers, files that bzip2
packed: in armilla.io and armilla.healpy, of files that astropy wrote."""
import bz2

import numpy as np
import pytest

import armilla
import armilla.healpy as h
from armilla.io import UNSEEN

fits = pytest.importorskip("astropy.io.fits")
VALUES = np.arange(48.0) * 1.5


def write(path, columns, **keywords):
    made = fits.BinTableHDU.from_columns(columns)
    made.header.update({"NSIDE": 2, "PIXTYPE": "HEALPIX", "ORDERING": "RING", **keywords})
    made.writeto(path, overwrite=True)
    return str(path)


BESIDE = {"text": fits.Column("label", "8A", array=["word"] * 48),
          "bits": fits.Column("label", "9X", array=np.ones((48, 9), bool)),
          "lists": fits.Column("label", "PE()", array=np.array(
              [np.zeros(i % 3, ">f4") for i in range(48)], dtype=object)),
          "complex": fits.Column("label", "C", array=VALUES * 1j)}


@pytest.mark.parametrize("kind", BESIDE)
@pytest.mark.parametrize("said", [True, False])
def test_only_columns_asked_for_may_fail(tmp_path, kind, said):
    path = write(tmp_path / "map.fits", [BESIDE[kind], fits.Column("signal", "D", array=VALUES)])
    if not said:
        with fits.open(path, mode="update") as told:
            del told[1].header["NSIDE"]
    np.testing.assert_array_equal(armilla.io.read_map(path, fields=1).values[0], VALUES)
    np.testing.assert_array_equal(h.read_map(path, field=1), VALUES)
    with pytest.raises(armilla.FormatError, match="label"):
        armilla.io.read_map(path)
    if kind != "complex":  # which healpy reads, too
        with pytest.raises(ValueError, match="label"):
            h.read_map(path, field=0)


@pytest.mark.parametrize("form", ["E", "D"])
def test_whole_reals_are_pixel_numbers(tmp_path, form):
    path = tmp_path / "part.fits"

    def written(pixels):
        return write(path, [fits.Column("PIXEL", form, array=pixels),
                            fits.Column("signal", "D", array=VALUES[:3])],
                     OBJECT="PARTIAL", INDXSCHM="EXPLICIT")

    sky = np.full(48, UNSEEN)
    sky[[47, 0, 7]] = VALUES[:3]
    name = written([47, 0, 7])
    np.testing.assert_array_equal(armilla.io.read_map(name).values[0], sky)
    np.testing.assert_array_equal(h.read_map(name), sky)
    for wrong, message in (([1, 2.5, 3], "row 2"), ([1, np.nan, 3], "whole number"),
                           ([1, 2, 48], "47|nside = 2"), ([-1, 2, 3], "47|nside = 2")):
        name = written(wrong)
        with pytest.raises(armilla.FormatError, match=message):
            armilla.io.read_map(name)
        with pytest.raises(TypeError, match=message):
            h.read_map(name)


@pytest.mark.parametrize("kind", [np.uint8, np.bool_, np.int16, np.int32, np.int64])
def test_missing_pixels_of_whole_numbers(tmp_path, kind):
    path, sky = tmp_path / "map.fits", np.arange(48) % 2 * 1.0
    sky[[3, 40]] = UNSEEN
    for write_map in (armilla.io.write_map, h.write_map):
        write_map(path, sky, dtype=kind, overwrite=True)
        np.testing.assert_array_equal(armilla.io.read_map(path).values[0], sky)
        np.testing.assert_array_equal(h.read_map(path), sky)
        assert h.read_map(path, dtype=np.int16).dtype == np.int16  # as in healpy: a number stays
        with fits.open(path) as told:  # the marks are those of the standard
            null = told[1].columns[0].null
            raw = np.frombuffer(told[1].data.tobytes(), told[1].data.dtype[0].base).ravel()
        assert np.flatnonzero(raw == (null or 0) if kind is not np.bool_ else raw == 0).tolist() \
            == [3, 40]


def test_bytes_use_all_their_numbers(tmp_path):
    path, sky = tmp_path / "map.fits", np.arange(768.0) % 256
    armilla.io.write_map(path, sky, dtype=np.uint8)
    np.testing.assert_array_equal(h.read_map(path), sky.astype(np.uint8))
    sky[5] = np.nan
    with pytest.raises(ValueError, match="all 256 numbers"):
        armilla.io.write_map(path, sky, dtype=np.uint8, overwrite=True)


def test_pixels_that_partial_maps_leave_out_need_no_byte(tmp_path):
    path, sky = tmp_path / "map.fits", np.arange(768.0) % 256
    sky[700:] = np.nan
    armilla.io.write_map(path, sky, dtype=np.uint8, partial=True)
    sky[700:] = armilla.io.UNSEEN
    np.testing.assert_array_equal(armilla.io.read_map(path).values[0], sky)


def test_files_packed_by_bzip2(tmp_path):
    path, packed = tmp_path / "map.fits", tmp_path / "map.fits.bz2"
    armilla.io.write_map(path, VALUES)
    packed.write_bytes(bz2.compress(path.read_bytes()))
    np.testing.assert_array_equal(armilla.io.read_map(packed).values[0], VALUES)
    np.testing.assert_array_equal(h.read_map(packed), VALUES)
    packed.write_bytes(bz2.compress(path.read_bytes())[:-9])
    with pytest.raises(armilla.FormatError, match="truncated"):
        armilla.io.read_map(packed)
    with pytest.raises(ValueError, match="bz2"):
        armilla.io.write_map(packed, VALUES, overwrite=True)
