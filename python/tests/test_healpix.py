"""Neighbours and boundaries of HEALPix pixels: against healpy, and by what must hold."""
import subprocess
import sys

import numpy as np
import pytest

import armilla
import armilla.healpy as ours

ORDERS = [(nside, nest) for nside in (1, 2, 3, 4, 8, 12, 16, 1000, 2 ** 20, 2 ** 29)
          for nest in (False, True) if not nest or nside & (nside - 1) == 0]


def pixels(nside):
    """All of small maps; the first, the last and random ones of large maps."""
    npix = 12 * nside ** 2
    if nside <= 16:
        return np.arange(npix)
    some = np.random.default_rng(nside).integers(0, npix, 20000)
    return np.concatenate([np.arange(60), npix - 1 - np.arange(60), some])


@pytest.mark.parametrize("nside, nest", ORDERS)
def test_neighbours_are_those_of_healpy(nside, nest):
    hp = pytest.importorskip("healpy")
    pix = pixels(nside)
    mine = ours.get_all_neighbours(nside, pix, nest=nest)
    judge = hp.get_all_neighbours(nside, pix, nest=nest)
    assert mine.dtype == judge.dtype and mine.flags.c_contiguous
    np.testing.assert_array_equal(mine, judge)
    theta, phi = ours.pix2ang(nside, pix[:200], nest)
    for more, at in (({}, (theta, phi)),
                     ({"lonlat": True}, (np.degrees(phi), 90 - np.degrees(theta)))):
        np.testing.assert_array_equal(ours.get_all_neighbours(nside, *at, nest=nest, **more),
                                      hp.get_all_neighbours(nside, *at, nest=nest, **more))


@pytest.mark.parametrize("nside, nest", ORDERS)
@pytest.mark.parametrize("step", [1, 2, 5])
def test_boundaries_are_those_of_healpy(nside, nest, step):
    """To 2e-15: measured 1.6e-15, of which healpy's longitudes make most; ours are right to 3e-16,
    see src/grid/healpix_boundaries.c."""
    hp = pytest.importorskip("healpy")
    pix = pixels(nside)[:3000]
    mine = ours.boundaries(nside, pix, step, nest)
    judge = hp.boundaries(nside, pix, step, nest)
    assert mine.shape == judge.shape == (len(pix), 3, 4 * step) and mine.flags.c_contiguous
    np.testing.assert_allclose(mine, judge, rtol=0, atol=2e-15)


def test_shapes_are_those_of_healpy():
    hp = pytest.importorskip("healpy")
    for nside, pix in ((4, 3), (4, [3, 4]), (4, [[1, 2], [3, 4]]), (4, np.int32(3)),
                       (np.array([4, 8]), 3), ([4, 8, 4], [3, 5, 7]), (4, np.arange(3)[:0])):
        np.testing.assert_array_equal(ours.get_all_neighbours(nside, pix),
                                      hp.get_all_neighbours(nside, pix), strict=True)
    for pix in (3, [3, 4], np.arange(3)[:0]):
        assert ours.boundaries(4.0, pix, 2).shape == hp.boundaries(4.0, pix, 2).shape


WRONG = [
    (lambda: armilla.healpix.neighbours(4, [0, 192]), ValueError, r"pixels\[1\] = 192"),
    (lambda: armilla.healpix.neighbours(4, -1), ValueError, r"pixels\[0\] = -1"),
    (lambda: armilla.healpix.neighbours(4, 1.5), TypeError, "pixels: must be integers"),
    (lambda: armilla.healpix.neighbours(0, 1), ValueError, "nside = 0"),
    (lambda: armilla.healpix.neighbours(3, 1, nested=True), ValueError, "nside = 3: .*power of"),
    (lambda: armilla.healpix.neighbours(2.5, 1), TypeError, "nside = 2.5"),
    (lambda: armilla.healpix.boundaries(4, 1, 0), ValueError, "step = 0"),
    (lambda: armilla.healpix.boundaries(4, 1, -1), ValueError, "step = -1"),
    (lambda: armilla.healpix.boundaries(4, 1, 0.5), TypeError, "step = 0.5"),
    (lambda: armilla.healpix.boundaries(4, 192), ValueError, r"pixels\[0\] = 192"),
    (lambda: ours.get_all_neighbours(4, [0, 192]), ValueError, "theta: pixel .* nside = 4"),
    (lambda: ours.get_all_neighbours(4, 3.5), TypeError, "theta: .*must be integers"),
    (lambda: ours.get_all_neighbours(3, 1, nest=True), ValueError, "nside = 3"),
    (lambda: ours.get_all_neighbours(4, -1.0, 0.0), ValueError, "theta: must be 0 to pi"),
    (lambda: ours.boundaries(4, 192), ValueError, r"pix\[0\] = 192"),
    (lambda: ours.boundaries(4, [0.5]), TypeError, "pix: must be integers"),
    (lambda: ours.boundaries(4, [[1]]), ValueError, "pix: has shape"),
    (lambda: ours.boundaries(4, 1, 0), ValueError, "step = 0"),
    (lambda: ours.boundaries(3, 1, nest=True), ValueError, "nside = 3"),
]


@pytest.mark.parametrize("call, kind, text", WRONG)
def test_errors_name_the_argument(call, kind, text):
    with pytest.raises(kind, match=text):
        call()


def test_native_shapes():
    around = armilla.healpix.neighbours(8, np.arange(6, dtype=np.uint8).reshape(2, 3))
    assert around.shape == (2, 3, 8) and around.dtype == np.int64
    assert armilla.healpix.boundaries(8, np.arange(6).reshape(2, 3), 3).shape == (2, 3, 12, 3)
    strided = np.arange(768)[::3]
    np.testing.assert_array_equal(armilla.healpix.neighbours(8, strided),
                                  armilla.healpix.neighbours(8, strided.copy()))


def test_hotspots_of_any_nside():
    """One peak and one hollow, at nside that is no power of two."""
    m = np.zeros(12 * 25)
    m[100], m[200] = 1, -1
    made, minima, maxima = ours.hotspots(m)
    assert list(minima) == [200] and list(maxima) == [100]
    assert np.flatnonzero(made != ours.UNSEEN).tolist() == [100, 200]


def test_pixels_need_no_other_package():
    """Pixel functions with every package but numpy and cffi out of reach."""
    code = """
import sys
for name in ("astropy", "astropy_healpix", "healpy", "ducc0", "matplotlib", "scipy"):
    sys.modules[name] = None
import numpy as np, armilla.healpy as hp
assert hp.get_all_neighbours(3, [1, 2]).shape == (8, 2)
assert hp.boundaries(3, 1, 2).shape == (3, 8)
assert len(hp.hotspots(np.arange(48.0))) == 3
corners = hp.boundaries(4, 20)
assert 20 in hp.query_polygon(4, corners.T, inclusive=True)
assert len(hp.query_disc(4, [1, 0, 0], 0.5)) and len(hp.query_strip(4, 1, 2))
assert hp.get_interp_val(np.ones(48), 1.0, 2.0) == 1
"""
    subprocess.run([sys.executable, "-c", code], check=True)


# --- Arrays of pixels -----------------------------------------------------------------------------


@pytest.mark.parametrize("nside, nest", ORDERS)
def test_directions_and_numbers_invert_each_other(nside, nest):
    pix, hx = pixels(nside), armilla.healpix
    theta, phi = hx.pixel_to_ang(nside, pix, nested=nest)
    np.testing.assert_array_equal(hx.ang_to_pixel(nside, theta, phi, nested=nest), pix)
    for axis in (0, -1):
        vectors = hx.pixel_to_vec(nside, pix, nested=nest, axis=axis)
        assert vectors.shape == ((3,) + pix.shape if axis == 0 else pix.shape + (3,))
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=axis), 1, rtol=4e-16)
        np.testing.assert_array_equal(
            hx.vec_to_pixel(nside, 7 * vectors, nested=nest, axis=axis), pix)
    place = hx.pixel_to_face(nside, pix, nested=nest)
    np.testing.assert_array_equal(hx.face_to_pixel(nside, *place, nested=nest), pix)
    if nest:
        np.testing.assert_array_equal(hx.ring_to_nest(nside, hx.nest_to_ring(nside, pix)), pix)


def test_shapes_of_directions():
    hx = armilla.healpix
    theta, phi = np.array([[0.3], [0.4]]), np.array([1.0, 2.0, 3.0])
    made = hx.ang_to_pixel(8, theta, phi)
    assert made.shape == (2, 3) and made.dtype == np.int64
    assert hx.ang_to_pixel(8, 0.4, 3.0) == made[1, 2]
    pix, weights = hx.interpolation_weights(8, theta, phi)
    assert pix.shape == weights.shape == (4, 2, 3)
    m = np.arange(768.0)
    np.testing.assert_allclose(hx.interpolate(m, theta, phi), (m[pix] * weights).sum(axis=0))
    np.testing.assert_allclose(hx.interpolate(m.astype(">f4"), theta, phi),
                               (m[pix] * weights).sum(axis=0))
    assert hx.pixel_to_vec(8, 5).shape == (3,) and hx.pixel_to_ang(8, [[5]])[0].shape == (1, 1)
    assert hx.ang_to_pixel(8, [], []).shape == (0,)


@pytest.mark.parametrize("kind", ["u1", "?", "i2", "f4", "f8", ">f8", "c16", "S3", "U4", object,
                                  [("a", "i4"), ("b", "f4")]])
def test_maps_of_every_type_are_reordered(kind):
    hx = armilla.healpix
    m = np.arange(2 * 192).reshape(2, 192)
    m = m.astype(kind) if not isinstance(kind, list) else np.zeros((2, 192), kind)
    made = hx.reorder(m, to_nested=True)
    assert made.dtype == m.dtype and made.shape == m.shape
    np.testing.assert_array_equal(made, m[:, hx.nest_to_ring(4, np.arange(192))])
    np.testing.assert_array_equal(hx.reorder(made[..., ::1], to_nested=False), m)
    np.testing.assert_array_equal(hx.reorder(m[:, ::-1], to_nested=True),
                                  m[:, ::-1][:, hx.nest_to_ring(4, np.arange(192))])


def test_maps_change_their_nside():
    hx = armilla.healpix
    m = np.random.default_rng(1).standard_normal(768)
    coarse = hx.change_nside(m, 4, to_nested=True)
    np.testing.assert_allclose(coarse, hx.reorder(m, to_nested=True).reshape(-1, 4).mean(axis=1))
    np.testing.assert_array_equal(hx.change_nside(coarse, 8, nested=True, to_nested=True),
                                  np.repeat(coarse, 4))
    np.testing.assert_allclose(hx.change_nside(m, 4, power=-2), hx.change_nside(m, 4) * 4)
    assert hx.change_nside(m.astype(np.float32), 4).dtype == np.float32


def test_regions_are_runs_or_pixels():
    hx = armilla.healpix
    corners = np.array([[1, 0, 0.1], [0, 1, 0.1], [0.5, 0.5, 1]])
    for nested in (False, True):
        for query, args in ((hx.query_disc, ([1, 2, 3], 0.5)), (hx.query_polygon, (corners,)),
                            (hx.query_strip, (1.0, 1.5))):
            pix = query(16, *args, nested=nested)
            runs = query(16, *args, nested=nested, ranges=True)
            assert runs.shape[1] == 2 and np.all(runs[1:, 0] > runs[:-1, 1])
            np.testing.assert_array_equal(np.concatenate([np.arange(*run) for run in runs]), pix)


def test_a_small_disc_on_a_large_sphere_fits_in_little_memory():
    """14 pixels of 10^16, with 64 MB beyond what the process has; all rings would be 4 GB."""
    code = """
import resource
import numpy as np
import armilla.healpy as hp
v = np.array([0.3, 0.4, 0.7])
with open("/proc/self/statm") as told:
    room = int(told.read().split()[0]) * resource.getpagesize() + (64 << 20)
resource.setrlimit(resource.RLIMIT_AS, (room, room))
for nest in (False, True):
    for at in (v, [0, 0, 1], [0, 0, -1], [1, 0, 0]):
        assert hp.query_disc(2 ** 25, at, 6e-8, nest=nest).size in range(5, 20)
        assert hp.query_disc(2 ** 25, at, 6e-8, inclusive=True, nest=nest).size in range(12, 40)
        assert hp.query_disc(2 ** 25, at, 1e-8, inclusive=True, nest=nest).size in range(1, 9)
    hp.query_disc(2 ** 25, v, 1e-8, nest=nest)
    assert hp.query_disc(2 ** 29, v, 3.2, nest=nest, return_ranges=True).shape == (1, 2)
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


MORE_WRONG = [
    (lambda hx: hx.ang_to_pixel(4, [0.1, 4.0], 0.2), ValueError, r"theta\[1\] = 4"),
    (lambda hx: hx.ang_to_pixel(4, 0.1, np.nan), ValueError, r"phi\[0\] = nan"),
    (lambda hx: hx.ang_to_pixel(3, 0.1, 0.2, nested=True), ValueError, "nside = 3"),
    (lambda hx: hx.ang_to_pixel(4.5, 0.1, 0.2), TypeError, "nside = 4.5"),
    (lambda hx: hx.pixel_to_ang(4, [192]), ValueError, r"pixels\[0\] = 192"),
    (lambda hx: hx.pixel_to_vec(4, 1.5), TypeError, "pixels: must be integers"),
    (lambda hx: hx.pixel_to_vec(4, 1, axis=1), ValueError, "axis = 1"),
    (lambda hx: hx.vec_to_pixel(4, [1, 2]), ValueError, r"vectors: have shape \(2,\)"),
    (lambda hx: hx.vec_to_pixel(4, [0, 0, 0]), ValueError, r"vectors\[0\]"),
    (lambda hx: hx.face_to_pixel(4, 4, 0, 0), ValueError, r"x, y, face \[0\]"),
    (lambda hx: hx.face_to_pixel(4, 0.5, 0, 0), TypeError, "x: must be integers"),
    (lambda hx: hx.reorder(np.zeros(13), to_nested=True), ValueError, "map: 13 pixels"),
    (lambda hx: hx.reorder(np.zeros(108), to_nested=True), ValueError, "nside = 3"),
    (lambda hx: hx.reorder(1.0, to_nested=True), ValueError, "map: must be"),
    (lambda hx: hx.change_nside(np.zeros(13), 2), ValueError, r"map: has shape \(13,\)"),
    (lambda hx: hx.change_nside(np.zeros(12), 3), ValueError, "nside = 3"),
    (lambda hx: hx.change_nside(np.zeros(12) * 1j, 2), TypeError, "map: must be real"),
    (lambda hx: hx.interpolate(np.zeros(13), 0.1, 0.2), ValueError, "map: has shape"),
    (lambda hx: hx.interpolation_weights(4, -0.1, 0.2), ValueError, r"theta\[0\]"),
    (lambda hx: hx.query_disc(4, [1, 2], 0.1), ValueError, "centre"),
    (lambda hx: hx.query_disc(4, [0, 0, 0], 0.1), ValueError, "centre = 0, 0, 0"),
    (lambda hx: hx.query_disc(4, [1, 0, 0], np.nan), ValueError, "radius"),
    (lambda hx: hx.query_disc(4, [1, 0, 0], 0.1, fact=3, nested=True), ValueError, "fact = 3"),
    (lambda hx: hx.query_polygon(4, [1, 0, 0]), ValueError, "vertices: have shape"),
    (lambda hx: hx.query_polygon(4, [[1, 0, 0]] * 3), ValueError, r"vertices\[0\]"),
    (lambda hx: hx.query_strip(4, np.nan, 1), ValueError, "theta1 = nan")]


@pytest.mark.parametrize("call, kind, text", MORE_WRONG)
def test_wrong_arguments_of_arrays_are_named(call, kind, text):
    with pytest.raises(kind, match=text):
        call(armilla.healpix)
