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


@pytest.mark.parametrize("name", ("O32", "N32", "F8", "H4", "H4n", "gl:9x17", "cc:9x16", "f1:8x16",
                                  "f2:7x16", "dh:8x16", "mw:8x15", "mwss:9x16", "mwflip:8x15",
                                  "rgl:9:8"))
def test_names_go_there_and_back(name):
    grid = Grid.named(name)
    assert grid.name == name and pickle.loads(pickle.dumps(grid)) == grid
    assert Grid.named(name.lower() if name[0] != "F" else name).name == name


def test_grids_without_names():
    for grid in (Grid.custom([1.0], 4), Grid.healpix(4).subset(0, 3), Grid.octahedral(4).laid_out(
            phi0=1.0), Grid.healpix(4, weights_lmax=8), Grid.reduced([4, 5, 6, 4])):
        assert grid.name is None


@pytest.mark.parametrize("name, text", [
    ("N321", "N320"), ("O", "names are"), ("healpx:512", "healpix:512"), ("gl:4", "gl:257x512"),
    ("1280", "O1280"), ("H3n", "power of two"), ("O8\u00e9", "nearest is O8")])
def test_wrong_names_are_errors(name, text):
    with pytest.raises(ValueError, match=text):
        Grid.named(name)
    with pytest.raises(ValueError, match=text):
        armilla.SHT(name, lmax=4)


def test_every_call_takes_names(tmp_path):
    lmax, grid = 7, Grid.octahedral(8)
    alm = armilla.alm.random(lmax, np.ones(lmax + 1), seed=2)
    sky = armilla.SHT(grid, lmax).synthesis(alm)
    assert armilla.SHT("O8", lmax).grid == grid and armilla.IQU("O8", lmax).grid == grid
    np.testing.assert_array_equal(armilla.SHT("o8", lmax).synthesis(alm), sky)
    loc = np.array([[0.3, 1.0], [2.0, 5.0]])
    np.testing.assert_array_equal(armilla.interpolate(sky, "O8", loc),
                                  armilla.interpolate(sky, grid, loc))
    kernel, phi = armilla.Kernel.gaussian(0.8), 1e-4 * alm
    np.testing.assert_array_equal(armilla.Radial("O8", kernel).convolve(sky),
                                  armilla.Radial(grid, kernel).convolve(sky))
    np.testing.assert_array_equal(armilla.lensing.distortion("O8", phi),
                                  armilla.lensing.distortion(grid, phi))
    assert armilla.Lensing("O8", phi, lmax).grid == grid
    assert armilla.lensing.get_geom("O8") == grid
    armilla.io.write_picture(tmp_path / "sky.png", sky, grid="O8", width=200)
    assert (tmp_path / "sky.png").exists()


def test_interpolation_chooses_a_degree_that_is_exact():
    for grid in (Grid.octahedral(8), Grid.classic(16), Grid.reduced([6, 9, 9, 9, 6])):
        lmax = grid.exact_lmax
        assert lmax < grid.nrings - 1
        alm = armilla.alm.random(lmax, np.ones(lmax + 1), seed=2)
        sky = armilla.SHT(grid, lmax).synthesis(alm)
        first = [[grid.rings["theta"][1], 0.0]]
        np.testing.assert_allclose(armilla.interpolate(sky, grid, first, epsilon=1e-12),
                                   sky[grid.rings["offset"][1]], rtol=0, atol=1e-10)


def test_analysis_in_steps_says_what_it_did():
    alm = armilla.alm.random(63, np.ones(64), seed=3)
    linear = armilla.SHT("N32", lmax=63)
    sky = linear.synthesis(alm)
    back, report = linear.analysis(sky, iterations="auto")  # no warning: it will be right
    assert np.linalg.norm(back - alm) < 1e-14 * np.linalg.norm(alm)
    assert report.stop == "change" and report.iterations == 2 and report.gradient < 1e-11
    out = np.empty_like(back)
    again, report = linear.analysis(np.float32(sky), iterations="auto")
    assert again.dtype == np.complex64 and report.iterations == 1
    again, report = linear.analysis(sky, iterations=1, out=out)
    assert again is out and report.stop == "iterations" and report.iterations == 1
    assert 1e-14 < np.linalg.norm(out - alm) / np.linalg.norm(alm) < 1e-11
    exact = armilla.SHT("O64", lmax=63)
    back, report = exact.analysis(exact.synthesis([alm, 2 * alm]), iterations="auto")
    assert list(report.stop) == ["exact"] * 2 and not report.iterations.any()
    polar = armilla.IQU("N32", lmax=63)
    fields = np.stack([armilla.alm.random(63, np.arange(64) > 1, seed=i) for i in range(3)])
    back, report = polar.analysis(polar.synthesis(fields), iterations="auto")
    assert np.linalg.norm(back - fields) < 1e-13 * np.linalg.norm(fields)
    assert list(report.stop) == ["change"] * 2


def test_analysis_in_steps_refuses_and_warns():
    plan = armilla.SHT("H8", lmax=32)
    with pytest.raises(ValueError, match="iterations = 'all'"):
        plan.analysis(np.ones(768), iterations="all")
    with pytest.raises(ValueError, match="max_iterations = -1"):
        plan.analysis(np.ones(768), iterations=-1)
    with pytest.warns(RuntimeWarning, match="ended early, after"):
        plan.analysis(np.random.default_rng(1).normal(size=768), iterations="auto")


def test_rings_have_the_orders_of_ectrans():
    grid = Grid.octahedral(16)
    limits = grid.ectrans_limits(15)
    assert list(limits[:6]) == [8, 10, 12, 13, 14, 15] and list(limits) == list(limits[::-1])
    alm = armilla.alm.random(15, np.ones(16), seed=1)
    plan = armilla.SHT(grid, 15, ring_orders="ectrans")
    listed = armilla.SHT(grid, 15, ring_orders=limits)
    sky = plan.synthesis(alm)
    np.testing.assert_array_equal(sky, listed.synthesis(alm))
    for one in (plan, listed):
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(one)).synthesis(alm), sky)
    first = np.fft.rfft(sky[:20])  # the northernmost ring: orders 9 and 10 are not there
    whole = np.fft.rfft(armilla.SHT(grid, 15).synthesis(alm)[:20])
    np.testing.assert_allclose(first[:9], whole[:9], rtol=0, atol=1e-9)
    assert abs(first[9:]).max() < 1e-13
    assert armilla.IQU(grid, 15, ring_orders="ectrans").synthesis([alm, alm, alm]).shape[0] == 3


@pytest.mark.parametrize("make, text", [
    (lambda: armilla.SHT("O4", 3, ring_orders="ecmwf"), "ring_orders = 'ecmwf'"),
    (lambda: armilla.SHT("O4", 3, ring_orders=[1, 2]), "ring_orders: must be .* 8 whole numbers"),
    (lambda: armilla.SHT("O4", 3, ring_orders=[1.0] * 8), "ring_orders: must be"),
    (lambda: armilla.SHT("O4", 3, ring_orders=[1, 2, 3, 4, 4, 3, 2, 2]), "mirror image"),
    (lambda: armilla.SHT("O4", 3, ring_orders="ectrans", method="resample"), "ring_orders"),
    (lambda: armilla.SHT("cc:9x16", 7, ring_orders="ectrans"), "ring_orders"),
    (lambda: Grid.octahedral(4).ectrans_limits(-1), "lmax = -1")])
def test_wrong_orders_of_rings_are_errors(make, text):
    with pytest.raises(ValueError, match=text) as caught:
        make()
    assert "options" not in str(caught.value) and "ARMILLA" not in str(caught.value)


def test_winds_take_names_and_steps():
    assert armilla.ComplexSHT("O8", 7).grid == Grid.octahedral(8)
    wind = armilla.Wind("N32", 63, radius=1.0)
    assert wind.grid == Grid.classic(32)
    plan = armilla.VectorSHT("N32", 63)
    alm = np.stack([armilla.alm.random(63, np.arange(64) > 0, seed=i) for i in range(2)])
    back, report = plan.analysis(plan.synthesis(alm), iterations="auto")
    assert report.stop == "change" and np.linalg.norm(back - alm) < 1e-12 * np.linalg.norm(alm)
    two = armilla.Wind("F8", 15, radius=1.0, two_dimensional=True)
    assert two.transform.map_shape == (2, 16, 32) and two._scalars().map_shape == (16, 32)
