"""Inputs whose meaning would be lost on the way: masked arrays, quantities with units, outputs on
the memory of an input, grids and plans that are copied."""
import copy
import errno
import importlib
import math
import pickle

import numpy as np
import pytest

import armilla
from armilla import IQU, SHT, Grid, Kernel, Lensing, Points, Radial, Rotation, spectrum

LMAX = 5
GRID = Grid.gauss_legendre(LMAX + 1, 2 * LMAX + 2)
RANDOM = np.random.default_rng(7)


class Quantity:
    """What astropy.units.Quantity is to a reader that does not import it."""

    def __init__(self, value, unit):
        self.value, self.unit = np.asarray(value, float), unit

    def to_value(self, unit):
        factors = {("deg", "rad"): np.pi / 180, ("rad", "rad"): 1.0, ("", ""): 1.0,
                   ("deg", "deg"): 1.0, ("arcmin", "deg"): 1 / 60,
                   ("deg2", "sr"): (np.pi / 180) ** 2}
        if (self.unit, unit) not in factors:
            raise ValueError(f"{self.unit} cannot be made {unit}")
        return self.value * factors[self.unit, unit]

    def __array__(self, dtype=None, copy=None):
        return np.array(self.value, dtype)

    def __float__(self):
        raise TypeError("only dimensionless quantities are numbers")


def masked_map(*shape, hidden=-1):
    """Ones; one pixel of each map hidden, with 1e20 below."""
    values = np.ma.masked_array(np.ones(shape + (GRID.npix,)), False)
    values[..., hidden] = 1e20
    values[..., hidden] = np.ma.masked
    return values


# --- Masked arrays --------------------------------------------------------------------------------

@pytest.mark.parametrize("name", ["analysis", "adjoint_synthesis"])
def test_masked_maps_are_refused_where_a_mask_has_no_meaning(name):
    with pytest.raises(TypeError, match=r"map: hides 1 values .* mask="):
        getattr(SHT(GRID, LMAX), name)(masked_map())
    with pytest.raises(TypeError, match=r"map: hides 3 values .* mask="):
        getattr(IQU(GRID, LMAX), name)(masked_map(3))


def test_masked_alm_values_and_outputs_are_refused():
    alm = np.ma.masked_array(np.ones(21, complex), np.arange(21) == 3)
    with pytest.raises(TypeError, match="alm: hides 1"):
        SHT(GRID, LMAX).synthesis(alm)
    points = Points(LMAX, np.ones((4, 2)))
    with pytest.raises(TypeError, match="values: hides 1"):
        points.adjoint_synthesis(np.ma.masked_array(np.ones(4), [0, 0, 1, 0]))
    with pytest.raises(TypeError, match="loc: hides 1"):
        Points(LMAX, np.ma.masked_array(np.ones((4, 2)), np.eye(4, 2) * [[1, 0]]))
    with pytest.raises(TypeError, match="map: hides 1"):
        Radial(GRID, Kernel.gaussian(.3)).adjoint(masked_map())
    with pytest.raises(TypeError, match="out: must be a numpy array"):
        SHT(GRID, LMAX).synthesis(np.zeros(21, complex), out=masked_map())


@pytest.mark.parametrize("name, call", [
    ("window", lambda x: armilla.alm.multiply_window(np.ones(6, complex), x)),
    ("cl", lambda x: armilla.alm.random(2, x, 1)),
    ("cl", lambda x: armilla.alm.random_correlated(2, x[None, None], 1)),
    ("cl", lambda x: Kernel.gaussian(.3).truncation_error(.5, x)),
    ("bl", lambda x: Kernel.window(x)),
    ("map", lambda x: armilla.healpix.reorder(np.ma.concatenate([x] * 4), to_nested=True)),
    ("map", lambda x: armilla.healpix.change_nside(np.ma.concatenate([x] * 4), 2)),
    ("theta", lambda x: armilla.healpix.ang_to_pixel(4, x, 0)),
    ("phi", lambda x: armilla.healpix.interpolate(np.ones(12), 1, x)),
    ("phi0", lambda x: armilla.sht.synthesis(
        alm=np.ones((1, 6), complex), lmax=2, spin=0, theta=np.ones(3), phi0=x,
        nphi=np.full(3, 5, np.uint64), ringstart=np.arange(0, 15, 5).astype(np.uint64)))])
def test_what_other_arrays_hide_is_not_read(name, call):
    call(np.ma.masked_array([1., .5, .25], False))
    with pytest.raises(TypeError, match=f"^{name}: hides [14] values"):
        call(np.ma.masked_array([1., .5, .25], [0, 1, 0]))


def test_arrays_that_hide_nothing_are_arrays():
    plain = np.ma.masked_array(RANDOM.normal(size=GRID.npix))
    assert np.array_equal(SHT(GRID, LMAX).analysis(plain), SHT(GRID, LMAX).analysis(plain.data))


def test_pseudo_analysis_leaves_hidden_pixels_out():
    sht, mask = SHT(GRID, LMAX), np.ones(GRID.npix)
    mask[-1] = 0
    for weights in (None, RANDOM.uniform(.5, 1, GRID.npix)):
        expected, _ = sht.pseudo_analysis(np.ones(GRID.npix), mask=mask, weights=weights)
        found, _ = sht.pseudo_analysis(masked_map(), weights=weights)
        assert np.array_equal(found, expected)
    pair, _ = sht.pseudo_analysis(masked_map(2))
    assert np.allclose(pair, np.eye(1, 21) * np.sqrt(4 * np.pi), atol=1e-9)
    polar, _ = IQU(GRID, LMAX).pseudo_analysis(masked_map(3))
    assert np.allclose(polar[0], pair[0], atol=1e-9)


def test_maps_that_hide_different_pixels_do_not_share_weights():
    maps = masked_map(2)
    maps[0, 3] = np.ma.masked
    with pytest.raises(TypeError, match="map: its maps, .* hide different pixels.*mask="):
        SHT(GRID, LMAX).pseudo_analysis(maps)


def test_points_leave_hidden_values_out():
    loc = np.stack([np.arccos(RANDOM.uniform(-1, 1, 90)), RANDOM.uniform(0, 6, 90)], -1)
    values, weights = np.ma.masked_array(RANDOM.normal(size=90)), np.ones(90)
    expected, _ = Points(3, loc).pseudo_analysis(values.data, weights=np.arange(90.) != 5)
    values[5] = 1e20
    values[5] = np.ma.masked
    found, _ = Points(3, loc).pseudo_analysis(values, weights=weights)
    assert np.array_equal(found, expected)


def test_convolutions_are_means_of_what_is_not_hidden():
    radial, seen = Radial(GRID, Kernel.gaussian(.8)), np.arange(GRID.npix) != GRID.npix - 1
    assert np.array_equal(radial.convolve(masked_map()),
                          radial.convolve(np.ones(GRID.npix), weights=seen))
    maps = np.ma.masked_array(np.full(768, 3.), np.arange(768) == 9)
    found = armilla.convolve(maps, Kernel.gaussian(.5))
    assert found[9] == pytest.approx(-1.6375e30)
    assert np.allclose(np.delete(found, 9), 3)


# --- Units ----------------------------------------------------------------------------------------

def test_units_of_maps_are_not_dropped():
    with pytest.raises(TypeError, match="map: has the unit K"):
        SHT(GRID, LMAX).analysis(Quantity(np.ones(GRID.npix), "K"))
    with pytest.raises(TypeError, match="alm: has the unit K"):
        SHT(GRID, LMAX).synthesis(Quantity(np.ones(21), "K"))
    with pytest.raises(TypeError, match="weights: has the unit K"):
        Radial(GRID, Kernel.gaussian(.3)).convolve(np.ones(GRID.npix), weights=Quantity(
            np.ones(GRID.npix), "K"))
    ones = Quantity(np.ones(GRID.npix), "")
    assert np.array_equal(SHT(GRID, LMAX).analysis(ones), SHT(GRID, LMAX).analysis(ones.value))


def test_angles_come_with_their_unit():
    degree = np.pi / 180
    assert repr(Kernel.gaussian(Quantity(2, "deg"))) == repr(Kernel.gaussian(2 * degree))
    assert repr(Kernel.tophat(Quantity(2, "deg"))) == repr(Kernel.tophat(2 * degree))
    assert np.array_equal(spectrum.gaussian_beam(Quantity(3, "deg"), 9),
                          spectrum.gaussian_beam(3 * degree, 9))
    assert Rotation(Quantity(3, "deg"), 0, 0).psi == pytest.approx(3 * degree)
    assert Grid.custom(Quantity([30, 60], "deg"), 4, Quantity(9, "deg"), weight=Quantity(
        3, "deg2")) == Grid.custom(np.array([30, 60]) * degree, 4, 9 * degree, weight=3 * degree**2)
    loc = np.array([[30., 60.], [90., 45.]])
    assert np.array_equal(Points(LMAX, Quantity(loc, "deg")).synthesis(np.ones(21)),
                          Points(LMAX, loc * degree).synthesis(np.ones(21)))
    radial = Radial(GRID, Kernel.gaussian(.3), Quantity(30, "deg"))
    assert radial.describe().support == pytest.approx(30 * degree)


DIRECTIONS = {
    "ang2pix": lambda h, a, b, **how: h.ang2pix(64, a, b, **how),
    "several nside": lambda h, a, b, **how: h.ang2pix([4, 64], a, b, **how),
    "nest": lambda h, a, b, **how: h.ang2pix(64, a, b, nest=True, **how),
    "ang2vec": lambda h, a, b, **how: h.ang2vec(a, b, **how),
    "interp_val": lambda h, a, b, **how: h.get_interp_val(np.arange(192.), a, b, **how),
    "interp_weights": lambda h, a, b, **how: h.get_interp_weights(4, a, b, **how),
    "neighbours": lambda h, a, b, **how: h.get_all_neighbours(64, a, b, **how),
    "dir2vec": lambda h, a, b, **how: h.rotator.dir2vec(a, b, **how),
}


@pytest.mark.parametrize("shape", [(), (1,)])
@pytest.mark.parametrize("name", DIRECTIONS)
def test_directions_of_pixels_come_with_their_unit(name, shape):
    """As numbers, 40 degrees were 40 radians, and 2 degrees 2 radians without a word."""
    import armilla.healpy as h
    call, degrees = DIRECTIONS[name], (np.full(shape, 40.), np.full(shape, 2.))
    radians = [np.radians(d) for d in degrees]
    given = [Quantity(d, "deg") for d in degrees]
    assert np.array_equal(call(h, *given), call(h, *radians))
    minutes = [Quantity(60 * d, "arcmin") for d in degrees]
    assert np.array_equal(call(h, *minutes, lonlat=True), call(h, *degrees, lonlat=True))
    with pytest.raises(TypeError, match="theta: has the unit K"):
        call(h, Quantity(1, "K"), radians[1])


def test_angles_of_regions_and_rotations_come_with_their_unit():
    import armilla.healpy as h
    degree = np.pi / 180
    for one in (h, armilla.healpix):
        assert np.array_equal(one.query_disc(16, [0, 0, 1], Quantity(9, "deg")),
                              one.query_disc(16, [0, 0, 1], 9 * degree))
        assert np.array_equal(one.query_strip(16, Quantity(9, "deg"), 1.),
                              one.query_strip(16, 9 * degree, 1.))
    assert armilla.healpix.ang_to_pixel(64, Quantity(40, "deg"), 1.) == (
        armilla.healpix.ang_to_pixel(64, 40 * degree, 1.))
    minutes = h.Rotator(rot=[Quantity(120, "arcmin"), 3])
    assert np.array_equal(minutes.mat, h.Rotator(rot=[2, 3]).mat)
    assert h.rotator.angdist(Quantity([[40], [0]], "deg"), [0, 0]) == pytest.approx(40 * degree)


def test_maps_of_healpix_do_not_drop_their_unit():
    with pytest.raises(TypeError, match="map: has the unit K"):
        armilla.healpix.reorder(Quantity(np.ones(12), "K"), to_nested=True)
    with pytest.raises(TypeError, match="map: has the unit K"):
        armilla.healpix.interpolate(Quantity(np.ones(12), "K"), 1, 2)


@pytest.mark.parametrize("call", [
    lambda x: Kernel.gaussian(x), lambda x: spectrum.gaussian_beam(x, 9),
    lambda x: Rotation(x, 0, 0), lambda x: Radial(GRID, Kernel.gaussian(.3), x),
    lambda x: Grid.custom(x, 4), lambda x: Points(3, x)])
def test_other_units_are_no_angles(call):
    with pytest.raises(TypeError, match=r"^(fwhm|psi|support|theta|loc): has the unit K: must be"):
        call(Quantity(1, "K"))


@pytest.mark.parametrize("wrong", ["1 degrees of arc", "3", None, [1, 2]])
def test_the_name_of_an_argument_that_is_no_angle_is_said(wrong):
    with pytest.raises(TypeError, match="^fwhm = "):
        spectrum.gaussian_beam(wrong, 9)


@pytest.mark.parametrize("text", ["3deg", " 3.0 degrees", "180arcmin", "180'", "10800 arcsec",
                                  '1.08e4"', "3°", f"{math.radians(3)!r}rad"])
def test_texts_with_a_unit_are_angles(text):
    want = spectrum.gaussian_beam(np.radians(3), 9)
    assert np.allclose(spectrum.gaussian_beam(text, 9), want, rtol=1e-14)
    assert np.allclose(Rotation(text, 0, 0).psi, np.radians(3), rtol=1e-14)


@pytest.mark.parametrize("text", ["3", "3 K", "deg", "3.1.2deg", "nan deg", "3 deg 2", ""])
def test_other_texts_are_no_angles(text):
    with pytest.raises(TypeError, match="fwhm = .*must be a real number, in radians, or a text"):
        spectrum.gaussian_beam(text, 9)


def test_kernels_wider_than_the_sphere_are_refused():
    for beam in (Kernel.gaussian, Kernel.mexican_hat, lambda fwhm: spectrum.gaussian_beam(fwhm, 9)):
        with pytest.raises(ValueError, match="^fwhm = 5: .* 5 rad are 286.479 degrees"):
            beam(5)


def test_astropy_quantities():
    units = pytest.importorskip("astropy.units")
    assert np.array_equal(spectrum.gaussian_beam(3 * units.deg, 9),
                          spectrum.gaussian_beam(np.radians(3), 9))
    with pytest.raises(TypeError, match="map: has the unit K"):
        SHT(GRID, LMAX).analysis(np.ones(GRID.npix) * units.K)
    with pytest.raises(TypeError, match="fwhm: has the unit K"):
        Kernel.gaussian(3 * units.K)


# --- Outputs on the memory of inputs --------------------------------------------------------------

def test_convolutions_may_be_written_over_their_weights():
    radial, weights = Radial(Grid.healpix(8), Kernel.gaussian(.3), method="pixels"), np.ones(768)
    expected = radial.convolve(np.arange(768.), weights=np.ones(768))
    assert np.array_equal(radial.convolve(np.arange(768.), weights=weights, out=weights), expected)


def test_coefficients_may_be_written_over_their_weights():
    maps = RANDOM.normal(size=(3, GRID.npix))
    memory = np.empty((3, 21), complex)
    flat = memory.view(float).reshape(-1)
    sht = SHT(GRID, LMAX)
    weights = flat[:GRID.npix]
    weights[:] = 1 + .5 * np.cos(np.arange(GRID.npix))
    expected, _ = sht.pseudo_analysis(maps, weights=weights.copy())
    found, _ = sht.pseudo_analysis(maps, weights=weights, out=memory)
    assert np.array_equal(found, expected)
    points = Points(LMAX, np.random.default_rng(1).uniform(.1, 3, (60, 2)))
    weights = flat[:60]
    weights[:] = 1 + .5 * np.cos(np.arange(60))
    values = RANDOM.normal(size=(3, 60))
    expected, _ = points.pseudo_analysis(values, weights=weights.copy())
    found, _ = points.pseudo_analysis(values, weights=weights, out=memory)
    assert np.array_equal(found, expected)


def test_legs_may_be_written_over_their_coefficients():
    lmax, nrings = 1000, 1001  # legs of several passes
    theta, size, legs = np.linspace(.1, 3, nrings), (lmax + 1) * (lmax + 2) // 2, nrings * 1001
    memory = np.zeros(legs + 7, complex)
    alm = memory[7:7 + size].reshape(1, -1)
    alm[:] = RANDOM.normal(size=size)
    expected = armilla.sht.alm2leg(alm=alm.copy(), lmax=lmax, theta=theta)
    leg = memory[:legs].reshape(1, nrings, -1)
    found = armilla.sht.alm2leg(alm=alm, lmax=lmax, theta=theta, leg=leg)
    assert np.array_equal(found, expected)
    expected = armilla.sht.leg2alm(leg=leg.copy(), lmax=lmax, theta=theta)
    found = armilla.sht.leg2alm(leg=leg, lmax=lmax, theta=theta,
                                alm=memory[4:4 + size].reshape(1, -1))
    assert np.array_equal(found, expected)


def test_interpolated_values_may_be_written_over_the_maps():
    memory = np.zeros((3, 2 * GRID.npix))
    maps = memory.reshape(-1)[:3 * GRID.npix].reshape(3, -1)
    maps[:] = RANDOM.normal(size=maps.shape)
    loc = RANDOM.uniform(.1, 3, (2 * GRID.npix, 2))
    expected = armilla.interpolate(maps.copy(), GRID, loc)
    assert np.array_equal(armilla.interpolate(maps, GRID, loc, out=memory), expected)


# --- Grids and plans as values --------------------------------------------------------------------

def test_grids_are_equal_if_their_rings_are():
    assert Grid.healpix(16) == Grid.healpix(16) and Grid.healpix(16) != Grid.healpix(8)
    assert hash(Grid.healpix(16)) == hash(Grid.healpix(16))
    assert Grid.healpix(4) != Grid.healpix(4, weights_lmax=8)
    assert Grid.healpix(4) != "healpix"
    first = Grid.custom([1, 2], 4, weight=1)
    assert first == Grid.custom([1, 2], 4, weight=1) != Grid.custom([1, 2], 4, weight=2)
    assert "nside 16" in repr(Grid.healpix(16))


@pytest.mark.parametrize("compact", [False, True])
def test_copies_of_subsets_keep_their_pixels(compact):
    part = Grid.healpix(8).subset(3, 4, compact=compact)
    for other in (pickle.loads(pickle.dumps(part)), copy.deepcopy(part)):
        assert other == part
        assert other.npix == part.npix == (88 if compact else 768)
        assert SHT(other, 4).map_shape == SHT(part, 4).map_shape


def test_plans_beside_others_have_their_epsilon():
    plan = Lensing(GRID, np.zeros(21, complex), LMAX, epsilon=1e-12)
    assert plan.beside(LMAX, 2).epsilon == 1e-12
    assert plan.beside(LMAX, 2, 1e-5).epsilon == 1e-5


# --- Files, modules -------------------------------------------------------------------------------

@pytest.mark.parametrize("name", [
    "alm", "healpix", "io", "jax", "lensing", "libsharp", "misc", "sht", "spectrum", "torch"])
def test_modules_list_what_is_theirs(name):
    if name in ("jax", "torch"):
        pytest.importorskip(name)
    module = importlib.import_module("armilla." + name)
    assert dir(module) == sorted(module.__all__)
    for word in module.__all__:
        assert getattr(module, word) is not None
    assert not {"np", "os", "ffi", "lib", "Any", "annotations"} & set(dir(module))


def test_errors_of_files_have_their_number(tmp_path):
    with pytest.raises(FileNotFoundError) as missing:
        armilla.io.read_map(tmp_path / "none.fits")
    assert missing.value.errno == errno.ENOENT and "none.fits" in str(missing.value)
    armilla.io.write_map(tmp_path / "map.fits", np.ones(12))
    with pytest.raises(FileExistsError, match="exists already") as there:
        armilla.io.write_map(tmp_path / "map.fits", np.ones(12))
    assert there.value.errno == errno.EEXIST
    with pytest.raises(IsADirectoryError):
        armilla.io.read_map(tmp_path)
    with pytest.raises(armilla.FormatError):
        (tmp_path / "text.fits").write_text("no FITS")
        armilla.io.read_map(tmp_path / "text.fits")


@pytest.mark.parametrize("order", ["<", ">"])
def test_arrays_and_types_of_either_byte_order_are_written(tmp_path, order):
    values = np.arange(12, dtype=order + "f4")
    armilla.io.write_map(tmp_path / "map.fits", values, dtype=order + "f4")
    told = armilla.io.read_map(tmp_path / "map.fits")
    assert np.array_equal(told.values[0], np.arange(12)) and told.dtypes == (np.dtype("f4"),)
    armilla.io.write_cl(tmp_path / "cl.fits", values.astype(order + "f8"), dtype=order + "f8")
    assert np.array_equal(armilla.io.read_cl(tmp_path / "cl.fits").cl[0], np.arange(12))
    alm = np.arange(6).astype(order + "c16")
    armilla.io.write_alm(tmp_path / "alm.fits", alm)
    assert np.array_equal(armilla.io.read_alm(tmp_path / "alm.fits").alm[0], np.arange(6))


def test_what_masked_arrays_hide_is_missing_in_files(tmp_path):
    values = np.ma.masked_array(np.arange(12.), np.arange(12) == 4)
    armilla.io.write_map(tmp_path / "map.fits", values)
    assert armilla.io.read_map(tmp_path / "map.fits").values[0, 4] == armilla.io.UNSEEN
    large = np.ma.masked_array(np.full(12, 2 ** 53 + 1), np.arange(12) == 4)
    armilla.io.write_map(tmp_path / "two.fits", [values, large], dtype=[np.float64, np.int64])
    assert armilla.io.read_map(tmp_path / "two.fits", fields=0).values[0, 4] == armilla.io.UNSEEN
    column = armilla.io.read_table(tmp_path / "two.fits").column(1).ravel()
    assert column[3] == 2 ** 53 + 1 and column[4] != 2 ** 53 + 1
    with pytest.raises(TypeError, match="cl: hides 1 values"):
        armilla.io.write_cl(tmp_path / "cl.fits", values)


def test_spectra_that_are_no_numbers_make_no_fields():
    import armilla.healpy as healpy
    with pytest.raises(ValueError, match="cls: C_l of fields 0 and 0 is nan at l = 2"):
        healpy.synalm([1, 1, np.nan, 1])


# --- The south pole of float32 --------------------------------------------------------------------

SOUTH = np.array([[1.0, 2.0], [np.pi, 3.0]], np.float32)  # its pi is 3.14159274, above pi
POLE = np.array([[1.0, 2.0], [np.pi, 3.0]])


def _ring_map(theta):
    return SHT(Grid.custom(theta, [8, 8], [1.0, 1.0]), LMAX).synthesis(np.arange(21) + 0j)


@pytest.mark.parametrize("call", [
    lambda loc: armilla.evaluate(np.arange(21) + 0j, LMAX, loc),
    lambda loc: Points(LMAX, loc).synthesis(np.arange(21) + 0j),
    lambda loc: armilla.evaluate_solid(
        np.arange(21) + 0j, LMAX, np.column_stack([loc, np.float32([2, 2])])),
    lambda loc: armilla.interpolate(np.arange(GRID.npix) * 1.0, GRID, loc),
    lambda loc: armilla.healpix.ang_to_pixel(4, loc[:, 0], loc[:, 1]),
    lambda loc: _ring_map(loc[:, 0]),
    lambda loc: Kernel.gaussian(0.5).values(loc[:, 0]),
], ids=["evaluate", "Points", "solid", "interpolate", "healpix", "custom", "kernel"])
def test_pi_of_float32_is_the_south_pole(call):
    beyond = SOUTH.astype(np.float64)
    assert beyond[1, 0] > np.pi
    wanted = call(np.where(POLE == np.pi, np.pi, beyond))
    assert np.array_equal(call(SOUTH), wanted)
    assert np.array_equal(call(beyond), wanted)
    beyond[1, 0] = np.nextafter(beyond[1, 0], 4)
    with pytest.raises(ValueError, match="0 to pi"):
        call(beyond)


def test_latitudes_of_float32_in_radians_are_the_poles():
    xarray = pytest.importorskip("xarray")
    from armilla._coordinates import radians
    poles = np.float32([-np.pi / 2, np.pi / 2])
    given = xarray.DataArray(poles, dims="lat", attrs={"units": "radians"})
    assert np.array_equal(radians("latitude", given), [-np.pi / 2, np.pi / 2])
    earth = 3.986004418e14, 7.292115e-5, 6378137.0, 6356752.3142
    gravity = armilla.pyshtools.NormalGravity
    assert np.array_equal(gravity(np.degrees(poles.astype(np.float64)), *earth),
                          gravity([-90, 90], *earth))
    with pytest.raises(ValueError, match="geocentriclat"):
        gravity([90.00001], *earth)
