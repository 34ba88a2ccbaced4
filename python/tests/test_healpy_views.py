"""Views of armilla.healpy against healpy: the images, not how they look."""
import copy

import numpy as np
import pytest

import armilla.healpy as ours

hp = pytest.importorskip("healpy", reason="healpy is not installed: nothing to compare with")
matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
TURNED = {"rot": (30, 40, 10), "coord": ["G", "E"]}
WIDE = {"xsize": 50, "reso": 600.0, **TURNED}


@pytest.fixture
def sky():
    import matplotlib.pyplot as plt
    m = np.random.default_rng(1).standard_normal(768)
    m[100:110] = hp.UNSEEN
    yield m
    plt.close("all")


@pytest.mark.parametrize("name, more", [
    ("mollview", TURNED), ("gnomview", TURNED), ("orthview", TURNED), ("cartview", TURNED),
    ("cartview", {"lonra": [-20, 40], "latra": [-10, 30], **TURNED}),
    ("cartview", {"lonra": [0, 90], "latra": [0, 45], "xsize": 70, "ysize": 50, "flip": "geo"}),
    ("azeqview", TURNED), ("azeqview", WIDE), ("azeqview", {**WIDE, "lamb": True}),
    ("azeqview", {**WIDE, "half_sky": True, "flip": "geo"}),
    ("azeqview", {**WIDE, "half_sky": True, "lamb": True, "ysize": 30})])
def test_images(sky, name, more):
    mine, judge = (getattr(h, name)(sky, return_projected_map=True, **copy.deepcopy(more))
                   for h in (ours, hp))
    assert mine.shape == judge.shape
    differ = np.ma.filled(mine, 0) != np.ma.filled(judge, 0)
    assert np.mean(differ[1:-1]) < 1e-3 and np.mean(differ) < 0.02  # any pixel may stand at a pole


@pytest.mark.parametrize("more", [
    {}, {"flip": "geo"}, TURNED, {**TURNED, "invRot": False}, {"nest": True},
    {"projection_type": "hammer", "remove_dip": True},
    {"projection_type": "cart", "lonra": [-20, 40], "latra": [-10, 35]}])
def test_projview(sky, more):
    mine, judge = (h.projview(sky, return_only_data=True, xsize=60, **more) for h in (ours, hp))
    for a, b in zip(mine[:2], judge[:2]):
        np.testing.assert_allclose(a, b, atol=1e-12)
    assert np.mean(~np.isclose(np.ma.filled(mine[2], 0), np.ma.filled(judge[2], 0))) < 1e-3


@pytest.mark.parametrize("kind", ["mollweide", "hammer", "aitoff", "cart"])
def test_projview_draws(sky, kind, tmp_path):
    import matplotlib.pyplot as plt
    drawn = [h.projview(sky, xsize=40, projection_type=kind, graticule=True, graticule_labels=True,
                        unit="K", title="title", llabel="left", min=-2, max=3) for h in (ours, hp)]
    assert type(drawn[0]) is type(drawn[1])
    plt.savefig(tmp_path / "view.png")


def test_what_views_cannot_do_is_named(sky):
    for name, value in (("rot_graticule", True), ("norm_dict", {}), ("projection_type", "3d"),
                        ("norm", "hist"), ("phi_convention", "clockwise"), ("latra", [0, 9])):
        with pytest.raises(NotImplementedError, match=name):
            ours.projview(sky, xsize=10, **{name: value})
    for view in (ours.cartview, ours.azeqview):
        with pytest.raises(NotImplementedError, match="zat"):
            view(sky, zat=3)
    with pytest.raises(ValueError, match="lonra"):
        ours.cartview(sky, lonra=[-200, 3])


@pytest.mark.parametrize("name, more", [
    ("mollview", {}), ("mollview", {**TURNED, "flip": "geo"}), ("gnomview", {"reso": 20.0}),
    ("orthview", TURNED), ("orthview", {"half_sky": True}), ("cartview", {"lonra": [-20, 40]}),
    ("azeqview", WIDE), ("azeqview", {**WIDE, "lamb": True}), ("azeqview", {"half_sky": True})])
@pytest.mark.parametrize("points", [{}, {"coord": "C"}, {"direct": True}])
def test_points_lie_where_healpy_puts_them(sky, name, more, points):
    import matplotlib.pyplot as plt
    rng = np.random.default_rng(1)
    lon, lat = rng.uniform(-180, 180, 50), np.degrees(np.arcsin(rng.uniform(-1, 1, 50)))
    placed = []
    for h in (ours, hp):
        getattr(h, name)(sky, **copy.deepcopy(more))
        drawn = h.projscatter(lon, lat, lonlat=True, **points)
        placed.append(np.ma.filled(drawn.get_offsets(), np.nan))
        text = h.projtext(np.radians(70), 0.1, "text", **points)
        placed[-1] = np.append(placed[-1], [text.get_position()], axis=0)
        plt.close("all")
    seen = np.isfinite(placed[0]).all(axis=1)
    assert np.array_equal(seen, np.isfinite(placed[1]).all(axis=1)) and seen.sum() > 5
    np.testing.assert_allclose(placed[0][seen], placed[1][seen], atol=1e-4)  # healpy iterates


def test_lines_over_views(sky):
    import matplotlib.pyplot as plt
    ours.mollview(sky, rot=(100, 0))
    axes = plt.gca()
    limits = axes.get_xlim()
    line, = ours.projplot(np.full(100, 1.0), np.linspace(0, 6, 100), "r-")
    assert np.isnan(line.get_xdata()).sum() == 1  # leaves on the left, comes back on the right
    vectors = ours.projplot(ours.dir2vec(np.array([1.0, 2.0]), np.array([0.0, 0.1])), "ro")[0]
    pair = ours.projplot(np.array([[1.0, 2.0], [0.0, 0.1]]), "ro")[0]
    np.testing.assert_allclose(vectors.get_xydata(), pair.get_xydata())
    before = len(axes.lines)
    ours.graticule(dpar=30, dmer=60, coord="G")
    assert len(axes.lines) == before + 5 + 6 and axes.get_xlim() == limits
    ours.delgraticules()
    assert len(axes.lines) == before
    with pytest.raises(NotImplementedError, match="rot"):
        ours.projplot(1.0, 2.0, rot=(1, 2))
    plt.close("all")
    with pytest.raises(ValueError, match="graticule: the current figure has no view"):
        ours.graticule()


@pytest.mark.parametrize("flip", ["astro", "geo"])
def test_lines_over_projview(sky, flip):
    import matplotlib.pyplot as plt
    theta, phi = np.array([0.5, 1.0, 2.0]), np.array([0.1, -1.0, 3.0])
    for more in ({}, {"fmt": "r-"}, {"lonlat": True}):
        drawn = []
        for h in (ours, hp):
            h.projview(sky, xsize=40, flip=flip)
            where = (np.degrees(phi), 90 - np.degrees(theta)) if "lonlat" in more else (theta, phi)
            line, = h.newprojplot(*where, lw=3, **more)
            drawn.append(line.get_xydata())
            assert line.get_linewidth() == 3
            plt.close("all")
        np.testing.assert_allclose(*drawn, atol=1e-12)
