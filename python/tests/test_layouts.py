"""Grids laid out otherwise, maps of two dimensions, and warnings where analysis is not exact."""
import copy
import pickle
import warnings

import numpy as np
import pytest

import armilla
from armilla import Grid
from helpers import random_alm, relative

LMAX, NPHI = 8, 18
PLAIN = {"CC": Grid.equidistant("CC", 10, NPHI), "F1": Grid.equidistant("F1", 9, NPHI),
         "MW": Grid.equidistant("MW", 9, NPHI), "MWSS": Grid.equidistant("MWSS", 10, NPHI),
         "MWFLIP": Grid.equidistant("MWFLIP", 9, NPHI), "DH": Grid.equidistant("DH", 18, NPHI),
         "gauss": Grid.gauss_legendre(9, NPHI)}
LAYOUTS = [{}, {"phi0": 0.3}, {"south_first": True}, {"west_first": True}, {"order": "theta"},
           {"ring_stride": 25}, {"pixel_stride": 2, "west_first": True},
           {"order": "theta", "ring_stride": 3, "pixel_stride": 70, "south_first": True,
            "west_first": True, "phi0": -1.0}]


def in_memory(array, layout):
    """A map (..., nrings, nphi) from north to south, eastward, as the layout has it."""
    array = array[..., ::-1, :] if layout.get("south_first") else array
    array = array[..., ::-1] if layout.get("west_first") else array
    return array.swapaxes(-1, -2) if layout.get("order") == "theta" else array


def turned(alm, phi0):
    """Coefficients of the field as seen from pixels that are shifted by phi0."""
    m = np.concatenate([np.full(LMAX + 1 - m, m) for m in range(LMAX + 1)])
    return alm * np.exp(1j * m * phi0)


# --- Operators ------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("spin", [0, 2])
def test_maps_are_those_of_the_plain_grid(name, layout, spin):
    plain, grid = PLAIN[name], PLAIN[name].laid_out(**layout)
    judge, sht = (armilla.SHT(g, LMAX, spin=spin, two_dimensional=True) for g in (plain, grid))
    assert grid.kind == plain.kind and grid.exact_lmax == LMAX
    lead = (2,) + sht.alm_shape[:-1]
    alm, sky = random_alm(LMAX, lead=lead, spin=spin), np.random.default_rng(1)
    made = sht.synthesis(alm)
    assert made.shape == (2,) + sht.map_shape and made.shape[-2:] == grid.shape_2d
    wanted = judge.synthesis(turned(alm, layout.get("phi0", 0)))
    assert relative(made, in_memory(wanted, layout)) < 2e-15
    assert relative(sht.analysis(made), alm) < 2e-14  # of CC, F1, MW... 0.4 by weights alone
    noise = sky.standard_normal((2,) + judge.map_shape)
    back = judge.adjoint_synthesis(noise), sht.adjoint_synthesis(in_memory(noise, layout))
    assert relative(turned(back[1], layout.get("phi0", 0)), back[0]) < 2e-15
    flat = armilla.SHT(grid, LMAX, spin=spin)
    np.testing.assert_array_equal(grid.to_2d(flat.synthesis(alm)), made)
    np.testing.assert_array_equal(flat.analysis(grid.from_2d(made)), sht.analysis(made))


def test_quadrupole_of_the_smallest_grid():
    """With Grid.custom, which README had for maps along theta, 0.625 came back."""
    grid = Grid.equidistant("CC", 4, 5)
    alm = np.zeros(6, complex)
    alm[2] = 1
    for order, shape in (("phi", (4, 5)), ("theta", (5, 4))):
        sht = armilla.SHT(grid.laid_out(order=order), 2, two_dimensional=True)
        assert sht.map_shape == shape
        assert abs(sht.analysis(sht.synthesis(alm))[2] - 1) < 1e-14
    moved = grid.rings
    custom = Grid.custom(moved["theta"], 5, offset=np.arange(4), stride=4, weight=moved["weight"])
    sky = armilla.SHT(custom, 2).synthesis(alm)
    with pytest.warns(armilla.ExactnessWarning, match=r"Grid.equidistant\('CC', 4, 5\).laid_out"):
        assert abs(armilla.SHT(custom, 2).analysis(sky)[2] - 0.625) < 1e-14
    assert abs(armilla.SHT(grid.laid_out(order="theta"), 2).analysis(sky)[2] - 1) < 1e-14


@pytest.mark.parametrize("layout", LAYOUTS[1:], ids=str)
def test_other_plans_take_such_grids(layout):
    plain, grid = PLAIN["CC"], PLAIN["CC"].laid_out(**layout)
    shift = layout.get("phi0", 0)
    alm = random_alm(LMAX, seed=4)
    sky = armilla.SHT(plain, LMAX).synthesis(turned(alm, shift)).reshape(10, NPHI)
    moved = grid.from_2d(in_memory(sky, layout))
    loc = np.array([[0.1, 2.0], [1.5, 6.0], [3.0, 4.0]])
    np.testing.assert_allclose(armilla.interpolate(moved, grid, loc, epsilon=1e-12),
                               armilla.evaluate(alm, LMAX, loc), atol=1e-10)
    for method in ("pixels", "rings"):
        kernel = armilla.Kernel.gaussian(0.5)
        made, wanted = (armilla.Radial(g, kernel, method=method).convolve(values)
                        for g, values in ((grid, moved), (plain, sky.ravel())))
        assert relative(grid.to_2d(made), in_memory(wanted.reshape(10, NPHI), layout)) < 1e-13
    plans = [armilla.Lensing(g, 1e-3 * a, LMAX, epsilon=1e-12)
             for g, a in ((grid, alm), (plain, turned(alm, shift)))]
    made = grid.to_2d(plans[0].alm2lenmap(alm))
    wanted = plans[1].alm2lenmap(turned(alm, shift)).reshape(10, NPHI)
    assert relative(made, in_memory(wanted, layout)) < 1e-9
    part = grid.subset(2, 3)
    places = np.zeros(grid.npix, bool)
    rings = armilla.SHT(part, LMAX).synthesis(alm)
    for ring in part.rings:
        places[ring["offset"] + ring["stride"] * np.arange(NPHI)] = True
    places = places[:part.npix]
    assert places.sum() == 3 * NPHI and not rings[~places].any()
    np.testing.assert_allclose(rings[places], moved[:part.npix][places], atol=1e-13)
    compact = armilla.SHT(grid.subset(2, 3, compact=True), LMAX).synthesis(alm)
    np.testing.assert_allclose(compact, sky[2:5].ravel(), atol=1e-13)


# --- Arrays of two dimensions ---------------------------------------------------------------------


def test_either_form_is_taken():
    grid = PLAIN["gauss"]
    flat, square = (armilla.IQU(grid, LMAX, two_dimensional=two) for two in (False, True))
    assert (flat.map_shape, square.map_shape) == ((3, 162), (3, 9, NPHI))
    alm = random_alm(LMAX, lead=(2, 3))
    sky = flat.synthesis(alm)
    assert sky.shape == (2, 3, 162)
    for sht in (flat, square):
        for shape in ((2, 3, 162), (2, 3, 9, NPHI)):
            out = np.empty(shape)
            assert sht.synthesis(alm, out=out) is out
            np.testing.assert_array_equal(out.reshape(sky.shape), sky)
            np.testing.assert_array_equal(sht.analysis(out), flat.analysis(sky))
            single = np.empty(shape, np.float32)
            assert sht.synthesis(alm.astype(np.complex64), out=single) is single
    again = pickle.loads(pickle.dumps(square))
    assert again.map_shape == square.map_shape
    for wrong in ((2, 3, 9), (2, 3, NPHI, 9), (9, NPHI), (2, 9, NPHI)):
        with pytest.raises(ValueError, match="map: has shape"):
            square.analysis(np.zeros(wrong))
        with pytest.raises(ValueError, match="out: has shape"):
            square.synthesis(alm, out=np.zeros(wrong))


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_arrays_with_the_strides_of_the_grid_are_not_copied(layout):
    grid = PLAIN["MW"].laid_out(**layout)
    sht = armilla.SHT(grid, LMAX)
    told = grid.layout
    size = max(told.ring_stride * grid.nrings, told.pixel_stride * NPHI)
    whole = np.full((2, size), 7.0)
    steps = (told.ring_stride, told.pixel_stride)
    view = np.lib.stride_tricks.as_strided(
        whole, (2,) + grid.shape_2d,
        tuple(8 * n for n in (size,) + (steps[::-1] if told.order == "theta" else steps)))
    assert np.shares_memory(sht._maps.line(view), view)
    assert np.shares_memory(sht._maps.output(view, (2,)), view)
    alm = random_alm(LMAX, lead=(2,))
    assert sht.synthesis(alm, out=view) is view
    other = np.empty((2, 3) + grid.shape_2d)[:, 1, ::-1]  # strides that no grid has
    assert sht.synthesis(alm, out=other) is other
    np.testing.assert_array_equal(other, view)
    np.testing.assert_array_equal(sht.analysis(other), sht.analysis(view))
    assert relative(sht.analysis(view), alm) < 1e-14
    taken = np.zeros(whole.shape, bool)
    np.lib.stride_tricks.as_strided(taken, view.shape, tuple(n // 8 for n in view.strides))[:] = 1
    assert (whole[~taken] == 7).all() and taken.sum() == 2 * grid.nrings * NPHI


def test_rows_side_by_side_are_not_overwritten():
    """Three maps whose padded rows take turns: none of them is a line of its own."""
    grid = PLAIN["gauss"].laid_out(ring_stride=3 * 20)
    sht, alm = armilla.SHT(grid, LMAX), random_alm(LMAX, lead=(3,))
    whole = np.full((9, 3, 20), 7.0)
    view = whole.transpose(1, 0, 2)[..., :NPHI]
    assert sht.synthesis(alm, out=view) is view
    np.testing.assert_array_equal(view, grid.to_2d(sht.synthesis(alm)))
    assert (whole[..., NPHI:] == 7).all()
    assert relative(sht.analysis(view), alm) < 1e-14


def test_iteration_with_weights_of_two_dimensions():
    grid = Grid.gauss_legendre(12, 25).laid_out(ring_stride=30, south_first=True)
    sht, alm = armilla.SHT(grid, LMAX, two_dimensional=True), random_alm(LMAX)
    sky = sht.synthesis(alm)
    seen = np.ones(grid.shape_2d, bool)
    seen[3, 4:9] = False
    masked = np.ma.MaskedArray(np.where(seen, sky, np.nan), ~seen)
    for map, given in ((np.where(seen, sky, np.nan), {"mask": seen}), (masked, {}),
                       (masked.data, {"weights": seen.astype(float)})):
        found, report = sht.pseudo_analysis(map, **given)
        assert report.stop != "iterations" and relative(found, alm) < 1e-8


# --- What is told and refused ---------------------------------------------------------------------


def test_what_grids_tell():
    grid = PLAIN["CC"].laid_out(order="theta", phi0=0.25, south_first=True)
    assert grid.layout == armilla.GridLayout(0.25, True, False, "theta", 1, 10)
    assert repr(grid) == ("<armilla.Grid CC: 10 rings of 18, 180 pixels, phi0 0.25, south first, "
                          "along theta>")
    assert PLAIN["CC"].layout == armilla.GridLayout(0, False, False, "phi", NPHI, 1)
    healpix = Grid.healpix(2)
    assert healpix.layout == armilla.GridLayout(0, False, False, "phi", None, 1)
    assert healpix.shape_2d is None and healpix.laid_out(ring_stride=8).shape_2d is None
    assert Grid.custom([1.0], 3).layout is None
    for layout in LAYOUTS:
        grid = PLAIN["MW"].laid_out(**layout)
        assert grid._dense == (grid.npix == 9 * NPHI)  # else new maps are 0 between the rows
        for again in (pickle.loads(pickle.dumps(grid)), copy.deepcopy(grid),
                      PLAIN["MW"].laid_out(**layout)):
            assert again == grid and hash(again) == hash(grid) and again.layout == grid.layout
        assert (grid == PLAIN["MW"]) == (layout == {})
    np.testing.assert_array_equal(healpix.laid_out(phi0=0.5).rings["phi0"],
                                  healpix.rings["phi0"] + 0.5)


@pytest.mark.parametrize("given, text", [
    ({"ring_stride": 17}, "^ring_stride = 17: must be at least 18"),
    ({"pixel_stride": 0}, "^pixel_stride = 0: must be at least 1"),
    ({"order": "theta", "pixel_stride": 9}, "^pixel_stride = 9: must be at least 10"),
    ({"order": "rows"}, "^order = 'rows'"), ({"phi0": np.nan}, "^phi0 = nan: must be finite"),
    ({"ring_stride": 1 << 62}, "^ring_stride = 4611686018427387904: the map's size")])
def test_wrong_layouts(given, text):
    with pytest.raises(ValueError, match=text):
        PLAIN["CC"].laid_out(**given)


def test_rows_that_end_beyond_64_bits():
    rings = Grid.custom([1, 2], [4, 8], offset=[0, 4])
    with pytest.raises(ValueError, match="^pixel_stride = .*: the map's size"):
        rings.laid_out(pixel_stride=2 ** 60 - 1)


def test_masks_are_not_dropped():
    grid = PLAIN["CC"]
    hidden = np.ma.masked_equal(np.arange(float(grid.npix)), 3)
    for call, array in ((grid.to_2d, hidden), (grid.from_2d, hidden.reshape(grid.shape_2d))):
        with pytest.raises(TypeError, match="hides 1 values behind a mask"):
            call(array)


def test_outputs_that_are_read_only():
    sht = armilla.SHT(PLAIN["CC"], 4)
    out = np.zeros(PLAIN["CC"].shape_2d[::-1]).T
    out.flags.writeable = False
    with pytest.raises(ValueError, match="^out: is read-only"):
        sht.synthesis(np.zeros(sht.alm_shape, complex), out=out)


def test_rings_of_different_lengths():
    for grid in (Grid.healpix(2), Grid.reduced_gauss_legendre(30, 29)):
        with pytest.raises(ValueError, match="^order = 'theta': must be 'phi' for rings"):
            grid.laid_out(order="theta")
        with pytest.raises(ValueError, match="^two_dimensional = True"):
            armilla.SHT(grid, 1, two_dimensional=True)
        for call in (grid.to_2d, grid.from_2d):
            with pytest.raises(ValueError, match="has no maps of two dimensions"):
                call(np.zeros(grid.npix))


# --- Exactness ------------------------------------------------------------------------------------


def test_exact_lmax_knows_nphi():
    grid = Grid.gauss_legendre(64, 64)
    assert grid.exact_lmax == 31
    assert [grid.exact_lmax_for(m) for m in (0, 31, 32, 63)] == [63, 63, -1, -1]
    assert Grid.reduced_gauss_legendre(64, 63).exact_lmax == 63
    assert Grid.healpix(4).exact_lmax_for(0) == -1
    with pytest.raises(ValueError, match="mmax = -1"):
        grid.exact_lmax_for(-1)


def warned(call):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    assert all(one.filename == __file__ for one in found)
    return [str(one.message) for one in found if one.category is armilla.ExactnessWarning]


def test_plans_warn_once_where_analysis_could_be_exact():
    sht = armilla.SHT(Grid.gauss_legendre(64, 64), 63)
    assert sht.describe().exact == 0
    alm = random_alm(63)
    sky = sht.synthesis(alm)
    text, = warned(lambda: [sht.analysis(sky) for _ in range(3)])
    assert text.startswith("lmax = 63, mmax = 63: analysis does not invert synthesis")
    assert "lmax = mmax = 31, or mmax = 31 with lmax up to 63" in text
    assert relative(sht.analysis(sky), alm) > 0.1
    text, = warned(lambda: armilla.SHT(PLAIN["CC"], LMAX + 1).analysis(np.zeros(180)))
    assert "allows lmax = mmax = 8;" in text
    text, = warned(lambda: armilla.sht.analysis_2d(map=np.zeros((1, 65, 64)), spin=0, lmax=63,
                                                   geometry="GL"))
    assert "mmax = 31" in text


def test_nothing_else_warns():
    grid = Grid.gauss_legendre(64, 64)
    for mmax in (0, 31):
        sht = armilla.SHT(grid, 63, mmax)
        assert sht.describe().exact == 1 and not warned(lambda: sht.analysis(np.zeros(4096)))
    sht = armilla.SHT(grid, 63)
    alm, sky = random_alm(63), np.ones(4096)
    assert not warned(lambda: [sht.synthesis(alm), sht.adjoint_analysis(alm),
                               sht.adjoint_synthesis(sky), sht.pseudo_analysis(sky)])
    healpix = armilla.SHT(Grid.healpix(4), 11)
    assert healpix.describe().exact == -1 and not warned(lambda: healpix.analysis(np.ones(192)))
    reduced = Grid.reduced_gauss_legendre(64, 63)
    assert not warned(lambda: armilla.SHT(reduced, 63).analysis(np.ones(reduced.npix)))
    custom = Grid.custom([0.3, 1.2, 2.9], 5, weight=1.0)
    assert not warned(lambda: armilla.SHT(custom, 2).analysis(np.ones(15)))


@pytest.mark.parametrize("name", PLAIN)
def test_custom_grids_say_what_they_lose(name):
    rings = PLAIN[name].rings
    custom = Grid.custom(rings["theta"][::-1], NPHI, 0.1, weight=rings["weight"][::-1])
    has_weights = name in ("DH", "gauss")  # whose rule is a weight for each ring
    sky = np.ones(custom.npix)
    told = warned(lambda: armilla.SHT(custom, LMAX).analysis(sky))
    kind = "CC" if name == "MWSS" else name
    assert len(told) == (0 if has_weights else 1)
    assert has_weights or f"Grid.equidistant('{kind}', {len(rings)}, {NPHI}).laid_out" in told[0]
    assert not warned(lambda: armilla.SHT(custom, LMAX // 2).analysis(sky))
    other = Grid.custom(rings["theta"], NPHI, weight=1.1 * rings["weight"])
    assert len(warned(lambda: armilla.SHT(other, 2).analysis(sky))) == 1
    assert not warned(lambda: armilla.SHT(other, LMAX + 1).analysis(sky))


@pytest.mark.parametrize("geometry", ["CC", "F1", "MW", "GL", "DH", "F2"])
@pytest.mark.parametrize("spin", [0, 2])
def test_phi0_and_strides_keep_the_rule_in_armilla_sht(geometry, spin):
    shape = (18, 19)
    ncomp = 2 if spin else 1
    alm = random_alm(LMAX, lead=(ncomp,), spin=spin)
    given = {"spin": spin, "lmax": LMAX, "geometry": geometry, "phi0": 0.7}
    sky = armilla.sht.synthesis_2d(alm=alm, ntheta=shape[0], nphi=shape[1], **given)
    for view in (np.empty((ncomp, 18, 30))[..., :19], np.empty((ncomp, 19, 18)).swapaxes(1, 2),
                 np.empty((ncomp, 18, 19))[:, ::-1, ::-1]):
        assert armilla.sht.synthesis_2d(alm=alm, map=view, **given) is view
        np.testing.assert_array_equal(view, sky)
        assert relative(armilla.sht.analysis_2d(map=view, **given), alm) < 2e-14
