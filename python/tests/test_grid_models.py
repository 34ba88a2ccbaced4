"""Grids of weather models."""
import pickle

import numpy as np
import pytest

import armilla
from armilla import Grid


def test_rings_are_those_of_ecmwf():
    octahedral = Grid.octahedral(32)
    half = 20 + 4 * np.arange(32)
    np.testing.assert_array_equal(octahedral.rings["nphi"], np.r_[half, half[::-1]])
    nodes, weights = np.polynomial.legendre.leggauss(64)
    np.testing.assert_allclose(np.cos(octahedral.rings["theta"]), nodes[::-1], rtol=0, atol=1e-15)
    np.testing.assert_allclose(octahedral.rings["weight"] * octahedral.rings["nphi"],
                               2 * np.pi * weights, rtol=1e-11)
    assert Grid.classic(640).npix == 2140702 and Grid.octahedral(1280).npix == 6599680


@pytest.mark.parametrize("n", (32, 48, 80, 96, 128, 160, 200, 256, 320, 400, 512, 640, 1024, 1280,
                               2000))
def test_classic_tables_are_those_of_eccodes(n):
    eccodes = pytest.importorskip("eccodes")
    handle = eccodes.codes_grib_new_from_samples(f"reduced_gg_pl_{n}_grib2")
    np.testing.assert_array_equal(Grid.classic(n).rings["nphi"],
                                  eccodes.codes_get_array(handle, "pl"))
    eccodes.codes_release(handle)


def test_a_list_makes_the_same_grid():
    classic = Grid.classic(32)
    listed = Grid.reduced(classic.rings["nphi"])
    assert listed == classic and listed.kind == "reduced_gauss_legendre"
    assert pickle.loads(pickle.dumps(listed)) == pickle.loads(pickle.dumps(classic)) == classic
    assert Grid.octahedral(8).laid_out(south_first=True).layout.south_first


@pytest.mark.parametrize("make, text", [
    (lambda: Grid.classic(321), "nearest that has is N320"),
    (lambda: Grid.octahedral(0), "n = 0"),
    (lambda: Grid.reduced([]), "nphi: must be"),
    (lambda: Grid.reduced([4, 0]), r"nphi\[1\] = 0"),
    (lambda: Grid.reduced([4.0, 4.0]), "nphi: must be a list of whole numbers"),
    (lambda: Grid.reduced([[4, 4]]), "nphi: must be a list")])
def test_wrong_numbers_are_errors(make, text):
    with pytest.raises(ValueError, match=text):
        make()


def test_analysis_warns_where_it_is_not_exact():
    alm = armilla.alm.random(63, np.ones(64), seed=3)
    exact = armilla.SHT(Grid.octahedral(64), lmax=63)
    back = exact.analysis(exact.synthesis(alm))  # a warning would be an error
    assert np.linalg.norm(back - alm) < 1e-13 * np.linalg.norm(alm)
    linear = armilla.SHT(Grid.octahedral(32), lmax=63)
    with pytest.warns(armilla.ExactnessWarning, match="lmax = 63"):
        linear.analysis(linear.synthesis(alm))
