"""Sizes, pixels, directions, interpolation and regions of armilla.healpy against healpy: numbers
and arrays, both orders, lonlat, and what is refused."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armilla.healpy as ours
from healpy_judge import alike, hp, many

NSIDES = st.sampled_from([1, 2, 3, 4, 7, 64, 2 ** 20, 2 ** 29])
POWERS = st.sampled_from([1, 2, 4, 64, 2 ** 20, 2 ** 29])
WRONG = st.sampled_from([0, -1, 3.5, 2 ** 30, 3, 4])
SEEDS = st.integers(0, 2 ** 32 - 1)
SHAPES = st.sampled_from([(), (1,), (5,), (2, 3)])


def drawn(rng, low, high, shape):
    """Random whole numbers; a plain int for shape ()."""
    made = rng.integers(low, high, shape)
    return made if shape else int(made)


def angles(rng, shape):
    """theta, phi; poles and the meridian of 0 among them."""
    theta = np.arccos(rng.uniform(-1, 1, shape)) * rng.choice([0, 1, 1, 1], shape)
    theta = np.where(rng.random(shape) < 0.1, np.pi, theta)
    phi = rng.uniform(-7, 13, shape) * rng.choice([0, 1, 1, 1], shape)
    return (theta, phi) if shape else (float(theta), float(phi))


# --- Sizes ----------------------------------------------------------------------------------------


@many
@given(st.one_of(NSIDES, WRONG), st.booleans())
def test_sizes_of_nside(nside, nest):
    for name in ("nside2npix", "nside2order", "isnsideok", "pixelfunc:check_nside",
                 "check_max_nside"):
        more = {"nest": nest} if name in ("isnsideok", "pixelfunc:check_nside") else {}
        alike(name, nside, **more)
    for degrees in (False, True):
        alike("nside2pixarea", nside, degrees=degrees)
        alike("nside2resol", nside, arcmin=degrees)
        alike("effective_resolution_fwhm", nside, degrees)
    alike("isnsideok", np.array([nside, 1, 3, 0]), nest)


@many
@given(st.one_of(NSIDES.map(lambda n: 12 * n * n), st.integers(-20, 1000), st.just(12.0)))
def test_sizes_of_npix(npix):
    for name in ("npix2nside", "npix2order", "isnpixok"):
        alike(name, npix)
    alike("isnpixok", np.array([npix, 12, 13]))
    if npix > 0:
        if npix >= 12:  # healpy fails below
            alike("pixelfunc:get_min_valid_nside", npix)
        assert npix < 12 or ours.nside2npix(ours.pixelfunc.get_min_valid_nside(npix)) >= npix


@pytest.mark.parametrize("order", [0, 1, 13, 29, 30, -1, 1.5])
def test_sizes_of_order(order):
    alike("order2nside", order)
    alike("order2npix", order)


@pytest.mark.parametrize("m", [
    np.zeros(12), np.zeros((2, 48)), [np.zeros(48)] * 3, list(range(12)), np.zeros(13), 5, [], None,
    [np.zeros(12), np.zeros(48)], [np.zeros(13)] * 2, np.ma.zeros(192), np.zeros((1, 12))])
def test_kinds_of_maps(m):
    for name in ("maptype", "get_nside"):
        alike(name, m)
    if isinstance(m, np.ndarray) and m.ndim == 1:
        alike("get_map_size", m)


def test_sizes_of_dictionaries_of_pixels():
    class Sky(dict):
        nside = 8
    assert ours.get_map_size(Sky()) == 768  # healpy fails
    for m in ({0: 1, 50: 2}, {"nside": 16}, {191: 0.5}, {192: 0.5}):
        alike("get_map_size", m)


# --- Pixels and directions ------------------------------------------------------------------------


@many
@given(st.one_of(NSIDES, WRONG), SHAPES, SEEDS, st.booleans(), st.booleans())
def test_directions_of_pixels(nside, shape, seed, nest, lonlat):
    npix = 12 * min(int(max(abs(nside), 1)), 2 ** 29) ** 2
    pix = drawn(np.random.default_rng(seed), 0, npix, shape)
    alike("pix2ang", nside, pix, nest=nest, lonlat=lonlat)
    alike("pix2vec", nside, pix, nest=nest)
    alike("pix2xyf", nside, pix, nest=nest)
    alike("ring2nest", nside, pix)
    alike("nest2ring", nside, pix)
    if np.ndim(pix) == 1:
        alike("pix2ring", nside, pix, nest=nest)


@many
@given(st.one_of(NSIDES, WRONG), SHAPES, SEEDS, st.booleans(), st.booleans())
def test_pixels_of_directions(nside, shape, seed, nest, lonlat):
    rng = np.random.default_rng(seed)
    theta, phi = angles(rng, shape)
    where = ours.pixelfunc.thetaphi2lonlat(theta, phi) if lonlat else (theta, phi)
    alike("ang2pix", nside, *where, nest=nest, lonlat=lonlat)
    vectors = rng.standard_normal((3,) + shape) * rng.choice([1e-3, 1, 1e5])
    if ours.isnsideok(nside, nest):
        alike("vec2pix", nside, *vectors, nest=nest)
    else:  # ends healpy's process
        with pytest.raises(ours.Error, match="nside"):
            ours.vec2pix(nside, *vectors, nest=nest)
    x, y = (drawn(rng, 0, int(max(abs(nside), 1)), shape) for _ in range(2))
    alike("xyf2pix", nside, x, y, drawn(rng, 0, 12, shape), nest=nest)


@many
@given(SHAPES, SEEDS, st.booleans(), st.booleans(), st.booleans())
def test_angles_and_vectors(shape, seed, lonlat, auto, bounce):
    rng = np.random.default_rng(seed)
    theta, phi = angles(rng, shape)
    lon, lat = alike("pixelfunc:thetaphi2lonlat", theta, phi)
    alike("newvisufunc:thetaphi2lonlat", theta, phi)
    alike("ang2vec", *((lon, lat) if lonlat else (theta, phi)), lonlat=lonlat)
    vectors = rng.standard_normal(shape + (3,))
    alike("vec2ang", vectors, lonlat=lonlat)
    alike("pixelfunc:lonlat2thetaphi", lon, lat)
    beyond = np.asarray(lat) * 2
    alike("pixelfunc:lonlat2thetaphi", lon, beyond if shape else float(beyond), auto, bounce)
    alike("ang2pix", 8, lon, beyond if shape else float(beyond), lonlat=True, latauto=auto,
          latbounce=bounce)


@pytest.mark.parametrize("theta", [0.0, np.pi, np.pi + 9e-6, np.pi + 2e-5, -1e-9, np.nan,
                                   np.array([0.1, 4]), np.array([0.1, 3])])
def test_colatitudes_out_of_range(theta):
    alike("pixelfunc:check_theta_valid", theta)
    alike("ang2vec", theta, 0.1 + 0 * theta)
    alike("ang2pix", 4, theta, 0.1 + 0 * theta)


@pytest.mark.parametrize("pix", [-1, 192, np.array([0, 192])])
@pytest.mark.parametrize("name", ["pix2ang", "pix2vec", "pix2xyf", "ring2nest", "nest2ring",
                                  "pix2ring", "get_interp_weights"])
def test_pixels_out_of_range_are_refused(name, pix):
    """healpy returns numbers without meaning."""
    with pytest.raises(ours.Error, match="ipix"):
        getattr(ours, name)(4, pix)


@pytest.mark.parametrize("name, args, text", [
    ("xyf2pix", (4, 4, 0, 0), "x, y, face"), ("xyf2pix", (4, 0, 0, 12), "x, y, face"),
    ("vec2pix", (4, 0.0, 0.0, 0.0), "x, y, z"), ("vec2pix", (4, np.nan, 0.0, 0.0), "x, y, z"),
    ("query_disc", (4, [0, 0, 0], 0.5), "vec"), ("query_disc", (4, [1, 0], 0.5), "vec"),
    ("get_interp_weights", (4, -0.1, 0.2), "theta"), ("ang2pix", (4, 0.1, np.inf), "finite"),
    ("get_interp_weights", (4, 0.1, np.inf), "finite")])
def test_other_things_for_which_healpy_returns_numbers_without_meaning(name, args, text):
    with pytest.raises(ours.Error, match=text):
        getattr(ours, name)(*args)


@many
@given(st.sampled_from([1, 2, 3, 4, 7, 64]), SEEDS)
def test_rings(nside, seed):
    """healpy's ringinfo wants an array, and ends the process unless nside is a power of two."""
    ring = np.random.default_rng(seed).integers(1, 4 * nside, 7)
    if nside not in (3, 7):
        alike("ringinfo", nside, ring)
    alike("max_pixrad", nside)
    alike("max_pixrad", nside, degrees=True)
    assert ours.ringinfo(nside, 1)[1] == 4
    for wrong in (0, 4 * nside):
        with pytest.raises(ours.Error, match="ring"):
            ours.ringinfo(nside, wrong)


# --- Interpolation --------------------------------------------------------------------------------


@many
@given(st.sampled_from([1, 2, 3, 4, 7, 64, 0, 5.5]), SHAPES, SEEDS, st.booleans(), st.booleans())
def test_interpolation(nside, shape, seed, nest, lonlat):
    rng = np.random.default_rng(seed)
    theta, phi = angles(rng, shape)
    where = ours.pixelfunc.thetaphi2lonlat(theta, phi) if lonlat else (theta, phi)
    alike("get_interp_weights", nside, *where, nest=nest, lonlat=lonlat, atol=1e-10)
    if not ours.isnsideok(nside, nest):  # without a map of that nside
        return
    at = rng.integers(0, 12 * nside ** 2, shape)
    pix, weights = ours.get_interp_weights(nside, at, nest=nest)
    judge = hp.get_interp_weights(nside, at, nest=nest)
    assert pix.shape == judge[0].shape and weights.shape == judge[1].shape
    here = (np.where(p == at, w, 0).sum(axis=0) for p, w in ((pix, weights), judge))
    np.testing.assert_allclose(*here, atol=1e-10)  # at a centre neighbours with weight 0 may differ
    m = rng.standard_normal(12 * nside ** 2)
    alike("get_interp_val", m, *where, nest=nest, lonlat=lonlat, atol=1e-10)
    alike("get_interp_val", [m, 2 * m], *where, nest=nest, lonlat=lonlat, atol=1e-10)
    m[rng.random(m.size) < 0.2] = hp.UNSEEN
    alike("get_interp_val", m, *where, nest=nest, lonlat=lonlat)


def test_interpolation_leaves_masked_pixels_out():
    """healpy reads the numbers below the mask, or returns UNSEEN; here the others count more."""
    m = ours.ma(np.arange(192.0))
    m.mask = np.arange(192) == 5
    pix, weights = ours.get_interp_weights(4, 0.3, 0.4)
    good = pix != 5
    wanted = (m.data[pix] * weights)[good].sum() / weights[good].sum()
    assert abs(ours.get_interp_val(m, 0.3, 0.4) - wanted) < 1e-12


# --- Neighbours -----------------------------------------------------------------------------------


@many
@given(st.sampled_from([1, 2, 4, 64]), st.sampled_from([(), (5,)]), SEEDS, st.booleans())
def test_neighbours_and_boundaries(nside, shape, seed, nest):
    rng = np.random.default_rng(seed)
    alike("get_all_neighbours", nside, drawn(rng, 0, 12 * nside ** 2, shape), nest=nest)
    alike("get_all_neighbours", nside, *angles(rng, shape), nest=nest)
    alike("boundaries", nside, drawn(rng, 0, 12 * nside ** 2, shape), 3, nest=nest, atol=1e-11)


# --- Regions --------------------------------------------------------------------------------------


@many
@given(st.sampled_from([1, 2, 3, 4, 7, 32, 0, 2.5]), SEEDS, st.booleans(), st.booleans())
def test_strips(nside, seed, nest, ranges):
    theta = np.random.default_rng(seed).uniform(0, np.pi, 2)
    alike("query_strip", nside, *theta, nest=nest and nside not in (3, 7), return_ranges=ranges)


@many
@given(st.sampled_from([1, 2, 3, 4, 7, 32]), SEEDS, st.integers(3, 6), st.booleans())
def test_polygons(nside, seed, corners, nest):
    nest = nest and nside not in (3, 7)
    rng = np.random.default_rng(seed)
    centre, radius = ours.dir2vec(*angles(rng, ())), rng.uniform(0.05, 1.5)
    across = np.linalg.svd(centre[None])[2][1:]
    around = np.sort(rng.permutation(12)[:corners]) * (2 * np.pi / 12) + 0.1
    if np.diff(np.append(around, around[0] + 2 * np.pi)).max() > 3.1:
        around = np.arange(corners) * 2 * np.pi / corners
    vertices = np.cos(radius) * centre + np.sin(radius) * (
        np.cos(around)[:, None] * across[0] + np.sin(around)[:, None] * across[1])
    inside = alike("query_polygon", nside, vertices, nest=nest)
    alike("query_polygon", nside, vertices[::-1], nest=nest, return_ranges=True)
    wide = ours.query_polygon(nside, vertices, inclusive=True, nest=nest)
    assert set(inside) <= set(wide)
    for v in vertices:  # a pixel that a corner lies in overlaps
        assert ours.vec2pix(nside, *v, nest=nest) in wide
    grown = ours.query_disc(nside, centre, radius + 2 * ours.max_pixrad(nside), nest=nest)
    assert set(wide) <= set(grown)


@many
@given(st.sampled_from([1, 2, 3, 4, 7, 32]), SEEDS, st.sampled_from([1, 3, 4, 8]), st.booleans())
def test_inclusive_discs_hold_every_pixel_that_overlaps(nside, seed, fact, nest):
    """Judged by points of the disc, and by healpy's largest factor."""
    nest = nest and nside not in (3, 7)
    fact = 4 if nest and fact == 3 else fact
    rng = np.random.default_rng(seed)
    centre, radius = rng.standard_normal(3), rng.uniform(0, 1)
    wide = ours.query_disc(nside, centre, radius, inclusive=True, fact=fact, nest=nest)
    points = rng.standard_normal((2000, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    near = points[points @ centre > np.cos(radius) * np.linalg.norm(centre)]
    assert set(ours.vec2pix(nside, *near.T, nest=nest)) <= set(wide)
    assert set(hp.query_disc(nside, centre, radius, inclusive=True, nest=nest,
                             fact=128 if nest else 100)) <= set(wide)


def test_regions_into_an_array_of_the_caller():
    buff, judge = np.full(200, -1, np.int64), np.full(200, -1, np.int64)
    vertices = np.array([[1, 0, 0.1], [0, 1, 0.1], [0.5, 0.5, 1]])
    for h, array in ((ours, buff), (hp, judge)):
        assert h.query_disc(4, [1, 2, 3], 0.5, buff=array).base is not None
        h.query_polygon(4, vertices, buff=array[50:100])
        h.query_strip(4, 1, 1.5, buff=array[100:])
    np.testing.assert_array_equal(buff, judge)


@pytest.mark.parametrize("name, args, more", [
    ("query_disc", (4, [1, 0, 0], 0.5), {"inclusive": True, "fact": 3, "nest": True}),
    ("query_disc", (3, [1, 0, 0], 0.5), {"nest": True}), ("query_disc", (0, [1, 0, 0], 0.5), {}),
    ("query_disc", (4, [1, 0, 0], 0.5), {"buff": np.zeros(2, np.int64)}),
    ("query_disc", (4, [1, 0, 0], 0.5), {"buff": np.zeros(200)}),
    ("query_polygon", (4, [[1, 0, 0], [0, 1, 0]]), {}),
    ("query_polygon", (4, [[1, 0, 0], [0, 1, 0], [1, 0, 0]]), {}),
    ("query_polygon", (4, [[1, 0, 0], [0, 1, 0], [0.1, 0.1, 1], [1, 1, 0.5]]), {})])
def test_regions_refuse(name, args, more):
    assert isinstance(alike(name, *args, **more), Exception)


@many
@given(st.sampled_from([1, 2, 3, 4, 7, 32, 256]), SEEDS, st.sampled_from([1, 2, 3, 4, 8]),
       st.booleans())
def test_discs_are_those_of_healpy(nside, seed, fact, nest):
    """Pixel by pixel, those that overlap, too."""
    nest = nest and nside not in (3, 7)
    rng = np.random.default_rng(seed)
    fact = 4 if nest and fact == 3 else fact
    centre = rng.standard_normal(3) if seed % 5 else np.array([0, 0, rng.choice([-1.0, 1.0])])
    radius = rng.choice([rng.uniform(0.001, 3.1), 10 ** rng.uniform(-6, 0)])
    for ranges in (False, True):
        alike("query_disc", nside, centre, radius, nest=nest, return_ranges=ranges)
        alike("query_disc", nside, centre, radius, inclusive=True, fact=fact, nest=nest,
              return_ranges=ranges)


@many
@given(st.sampled_from([1, 2, 4, 32]), SEEDS, st.booleans(), st.booleans())
def test_inclusive_strips(nside, seed, nest, ranges):
    theta = np.random.default_rng(seed).uniform(0, np.pi, 2)
    alike("query_strip", nside, *theta, inclusive=True, nest=nest, return_ranges=ranges)


@pytest.mark.parametrize("nest", [False, True])
def test_arrays_of_nside(nest):
    """One nside for each pixel, broadcast."""
    sides, pix = np.array([[4], [8], [4]]), np.array([3, 100])
    for name in ("pix2ang", "pix2vec", "pix2xyf"):
        alike(name, sides, pix, nest=nest)
    for name in ("ring2nest", "nest2ring"):
        alike(name, sides, pix)
    alike("ang2pix", sides, np.array([0.3, 1.4]), np.array([1.0, 4.0]), nest=nest)
    alike("vec2pix", sides, np.array([0.3, 1.4]), 0.5, -0.2, nest=nest)
    alike("xyf2pix", sides, np.array([0, 3]), np.array([1, 2]), 7, nest=nest)
    with pytest.raises(ours.Error, match="ipix"):
        ours.pix2ang(sides, np.array([3, 200]))
    assert ours.pix2ang(sides[:0], pix)[0].shape == (0, 2)
