"""Spectral fields in GRIB, by ecCodes where it is installed."""
import numpy as np
import pytest

import armilla
from armilla import geo

eccodes = pytest.importorskip("eccodes")


def field(lmax=42, seed=1, **keys):
    """A field whose spectrum falls, as those of weather do."""
    alm = armilla.alm.random(lmax, 1 / (1.0 + np.arange(lmax + 1)) ** 3, seed)
    return geo.GribField(armilla.conventions.convert(alm, "healpy", "ifs"), keys)


@pytest.mark.parametrize("edition", [1, 2])
def test_there_and_back(tmp_path, edition):
    path = tmp_path / "a.grib"
    fields = [field(42, 1, paramId=138, typeOfLevel="isobaricInhPa", level=500, dataDate=20240102),
              field(7, 2, shortName="t", level=850), field(0, 3, shortName="t", level=700)]
    geo.write_grib(path, fields, edition=edition)
    back = geo.read_grib(path)
    assert [one.lmax for one in back] == [42, 7, 0]
    for one, other in zip(fields, back):
        assert np.abs(one.coefficients - other.coefficients).max() < 2e-7 * np.abs(
            one.coefficients).max()
    assert back[0].keys["shortName"] == "vo" and back[0].keys["level"] == 500
    assert back[0].keys["dataDate"] == 20240102 and back[0].keys["edition"] == edition
    assert geo.read_grib(path, where={"level": 850})[0].lmax == 7
    assert len(geo.read_grib(path, where={"shortName": "t"})) == 2
    geo.write_grib(tmp_path / "b.grib", back, edition=edition)  # keys of a field that was read
    again = geo.read_grib(tmp_path / "b.grib")
    assert [one.keys for one in again] == [one.keys for one in back]
    with pytest.raises(FileExistsError):
        geo.write_grib(path, fields)
    with pytest.raises(armilla.FormatError, match="3 messages.*level = 1"):
        geo.read_grib(path, where={"level": 1})


def test_the_mean_is_the_first_coefficient(tmp_path):
    """c_00 is the mean, and the field is that of armilla's own transform."""
    one = field(20)
    geo.write_grib(tmp_path / "a.grib", [one], bits=32)
    back = geo.read_grib(tmp_path / "a.grib")[0]
    grid = armilla.Grid.gauss_legendre(21, 42)
    values = armilla.SHT(grid, 20).synthesis(back.alm)
    mean = np.sum(values * np.repeat(grid.rings["weight"], 42)) / (4 * np.pi)
    np.testing.assert_allclose(mean, back.coefficients[0].real, atol=1e-14)
    np.testing.assert_allclose(armilla.SHT(grid, 20).synthesis(one.alm), values, atol=1e-6)


def test_hybrid_levels(tmp_path):
    geo.write_grib(tmp_path / "a.grib", [field(30, typeOfLevel="hybrid", level=7, paramId=130)])
    assert geo.read_grib(tmp_path / "a.grib")[0].keys["typeOfLevel"] == "hybrid"


def test_grids_are_left_out_and_damage_is_named(tmp_path):
    path = tmp_path / "a.grib"
    geo.write_grib(path, [field(5)])
    spectral = path.read_bytes()
    message = eccodes.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    on_a_grid = eccodes.codes_get_message(message)
    eccodes.codes_release(message)
    path.write_bytes(on_a_grid + spectral)
    assert len(geo.read_grib(path)) == 1
    path.write_bytes(on_a_grid)
    with pytest.raises(armilla.FormatError, match="none of 1 messages"):
        geo.read_grib(path)
    path.write_bytes(spectral + spectral[:-20])
    with pytest.raises(armilla.FormatError, match="message 2"):
        geo.read_grib(path)
    path.write_bytes(b"")
    with pytest.raises(armilla.FormatError, match="none of 0"):
        geo.read_grib(path)


def test_what_cannot_be_written(tmp_path):
    path = tmp_path / "a.grib"
    for fields, more, match in (([field(5, level="high up")], {}, "keys: level"),
                                ([field(5, nonsense=3)], {}, "keys: nonsense"),
                                ([geo.GribField(np.full(3, np.nan))], {}, r"fields\[0\]"),
                                ([geo.GribField(np.zeros(4))], {},
                                 r"fields\[0\]: coefficients: has shape \(4,\)"),
                                ([field(5)], {"edition": 3}, "edition"),
                                ([field(5)], {"bits": 64}, "bits")):
        with pytest.raises(ValueError, match=match):
            geo.write_grib(path, fields, **more)
        assert not path.exists()


@pytest.mark.parametrize("edition", [1, 2])
def test_coefficients_about_another_pole(tmp_path, edition):
    """They are turned: the value at the message's southern pole is found where its keys say."""
    path, one = tmp_path / "a.grib", field(12)
    keys = {"gridType": "rotated_sh", "latitudeOfSouthernPoleInDegrees": -40,
            "longitudeOfSouthernPoleInDegrees": 15, "angleOfRotationInDegrees": 20}
    geo.write_grib(path, [one._replace(keys=keys), one], edition=edition, bits=32)
    turned, same = geo.read_grib(path)
    places = [[np.pi, 0.0], [0.0, 0.0]]  # its southern and its northern pole
    there = np.radians([[130, 15], [50, 195]])
    np.testing.assert_allclose(armilla.evaluate(turned.alm, 12, there),
                               armilla.evaluate(one.alm, 12, places), atol=1e-6)
    equator = [[np.pi / 2, np.radians(90.0 - 20)]]  # its axis of y, turned back through the angle
    np.testing.assert_allclose(armilla.evaluate(turned.alm, 12, [[np.pi / 2, np.radians(105)]]),
                               armilla.evaluate(one.alm, 12, equator), atol=1e-6)
    np.testing.assert_allclose(same.alm, one.alm, atol=1e-6)


@pytest.mark.parametrize("kind", ["stretched_sh", "stretched_rotated_sh"])
def test_stretched_coefficients_are_refused_by_name(tmp_path, kind):
    path = tmp_path / "a.grib"
    geo.write_grib(path, [field(5), field(5)._replace(keys={"gridType": kind, "level": 3})])
    with pytest.raises(armilla.FormatError, match=f"message 2: holds .* '{kind}', as of ARPEGE"):
        geo.read_grib(path)
    assert len(geo.read_grib(path, where={"gridType": "sh"})) == 1
