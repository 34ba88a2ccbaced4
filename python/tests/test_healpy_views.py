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
LABELS = {"graticule": True, "graticule_labels": True}
CART = {"projection_type": "cart"}


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
    import matplotlib.pyplot as plt
    plt.close("all")
    for name, value in (("projection_type", "3d"), ("projection_type", "polar"),
                        ("projection_type", "lambert"), ("norm", "symlog2"),
                        ("margins", (0, 0, 0, 0))):
        with pytest.raises(NotImplementedError, match=name):
            ours.projview(sky, xsize=10, **{name: value})
    for name, value, more in (
            ("phi_convention", "left", {}), ("latra", [0, 9], {}), ("flip", "up", {}),
            ("lonra", [0, 400], CART), ("lonra", [9, 0], CART), ("latra", [-91, 0], CART),
            ("latra", [0, np.nan], CART), ("latra", [0], CART), ("extend", "left", {}),
            ("cb_orientation", "up", {}), ("format", "{x}", {}), ("fontsize", {"x": 1}, {}),
            ("override_plot_properties", {"cbar": 1}, {}), ("graticule_coord", "E", {}),
            ("override_rot_graticule_properties", {"color": 1}, {}),
            ("override_rot_graticule_properties", ["g_color"], {}),
            ("longitude_grid_spacing", 0, LABELS), ("custom_xtick_labels", list("ABCD"), LABELS),
            ("custom_ytick_labels", "ABCDE", LABELS), ("custom_xtick_labels", list("ABCDE"), {})):
        with pytest.raises(ValueError, match=name):
            ours.projview(sky, xsize=10, **{name: value}, **more)
    with pytest.raises(NotImplementedError, match="graticule_labels.* tilts"):
        ours.projview(sky, xsize=10, rot=(30, 40), **LABELS)
    assert not plt.get_fignums()  # each was refused before there was a figure
    for view in (ours.cartview, ours.azeqview):
        with pytest.raises(NotImplementedError, match="zat"):
            view(sky, zat=3)
    for given in ({"lonra": [np.nan, 3]}, {"lonra": 5}, {"latra": [0, 1, 2]}, {"latra": [0, 91]}):
        with pytest.raises(ValueError, match=f"^{next(iter(given))} = "):
            ours.cartview(sky, **given)
    with pytest.raises(TypeError, match="^rot = 'a': .*, in degrees"):
        ours.mollview(sky, rot="a")


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


def test_marks_are_drawn_on_the_current_view():
    import matplotlib.pyplot as plt
    figure, places = plt.subplots(1, 3)
    for count, axes in enumerate(places[:2]):
        plt.sca(axes)
        ours.mollview(hold=True)
        for name, what in (("projscatter", ()), ("projplot", ("ro",)), ("projtext", ("text",))):
            getattr(ours, name)(90.0 * count, 45.0, *what, lonlat=True)
    views = [axes for axes in figure.axes if hasattr(axes, "armilla_view")]
    counts = [(len(axes.collections), len(axes.lines), len(axes.texts)) for axes in views]
    assert counts == [(1, 1, 1), (1, 1, 1)]
    plt.sca(places[2])
    for name in ("projscatter", "projplot", "projtext"):
        with pytest.raises(ValueError, match=f"{name}: the current axes have no view"):
            getattr(ours, name)(1.0, 1.0)
    plt.close("all")


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


def press(figure, kind, axes, x, y, **more):
    """What matplotlib does when a button or key is pressed at x, y of a picture."""
    from matplotlib.backend_bases import KeyEvent, MouseEvent
    where = axes.transData.transform((x, y))
    event = (MouseEvent if kind == "button_press_event" else KeyEvent)(
        kind, figure.canvas, *((*where, 1) if not more else (more["key"], *where)))
    figure.canvas.callbacks.process(kind, event)


@pytest.mark.parametrize("more", [TURNED, {"flip": "geo"}])
def test_mollzoom_shows_what_is_clicked(sky, more):
    import matplotlib.pyplot as plt
    ours.mollzoom(sky, **copy.deepcopy(more))
    figure = plt.gcf()
    picture, detail = (axes for axes in figure.axes if hasattr(axes, "armilla_view"))
    lon, lat = 70.0, -20.0  # in the frame of the picture
    plt.sca(picture)
    vector = ours.rotator.dir2vec(lon, lat, lonlat=True)[:, None]
    x, y = picture.armilla_view.forward(ours.Rotator(rot=more.get("rot")).mat @ vector,
                                        picture.armilla_view.east)
    press(figure, "button_press_event", picture, x[0], y[0])

    def shown(reso=1.0):
        coord, flip = more.get("coord"), more.get("flip", "astro")
        judge = ours.gnomview(sky, rot=(lon, lat), coord=coord, flip=flip, xsize=300, reso=reso,
                              return_projected_map=True, no_plot=True)
        return np.ma.allequal(judge, detail.images[0].get_array())

    assert shown() and detail.images[0].get_clim() == picture.images[0].get_clim()
    if "flip" in more:
        return
    press(figure, "key_press_event", picture, x[0], y[0], key="r")
    assert not shown() and shown(2.0)
    press(figure, "key_press_event", picture, x[0], y[0], key="p")
    told = figure.texts[-1].get_text()
    assert np.allclose([float(t) for t in told.split("=")[1].split(",")], [lon, lat], atol=1e-3)
    press(figure, "key_press_event", picture, x[0], y[0], key="v")
    assert float(figure.texts[-1].get_text().split("=")[1]) == pytest.approx(
        detail.images[0].get_array()[150, 150], rel=1e-5)
    before = len(detail.lines)
    press(figure, "key_press_event", picture, x[0], y[0], key="g")
    assert len(detail.lines) > before
    press(figure, "key_press_event", picture, x[0], y[0], key="g")
    assert len(detail.lines) == before
    press(figure, "key_press_event", picture, x[0], y[0], key="f")
    assert detail.images[0].get_clim() != picture.images[0].get_clim()
    press(figure, "key_press_event", picture, x[0], y[0], key="k")
    ours.set_g_clim(-0.5, 0.25)
    assert detail.images[0].get_clim() == (-0.5, 0.25)
    press(figure, "key_press_event", picture, x[0], y[0], key="c")
    assert not shown(2.0)
    press(figure, "button_press_event", picture, 1.99, 0.99)  # outside: nothing to show


def test_mollzoom_needs_its_figure(sky):
    import matplotlib.pyplot as plt
    plt.figure()
    with pytest.raises(TypeError, match="set_g_clim: the current figure has no detail"):
        ours.set_g_clim(0, 1)
    with pytest.raises(TypeError):
        ours.mollzoom(np.zeros(13))
    with pytest.raises(AttributeError, match="zoomtool has no ZoomTool: .*mollzoom"):
        ours.zoomtool.ZoomTool


def test_histogram_norm():
    """Each tenth of the colours is on a tenth of the pixels, whatever their values are."""
    from armilla.healpy.projaxes import HistEqNorm
    values = np.random.default_rng(1).standard_normal(100000) ** 3
    norm = HistEqNorm()
    parts = norm(np.ma.array(values, mask=values > 20))
    counts = np.histogram(parts.compressed(), 10, (0, 1))[0]
    assert np.abs(counts / counts.sum() - 0.1).max() < 0.01
    assert np.all(np.diff(parts[np.argsort(values)].compressed()) >= 0)
    inside = values[(values > -5) & (values < 5)]
    np.testing.assert_allclose(norm.inverse(norm(inside)), inside, atol=1e-9)
    np.testing.assert_array_equal(HistEqNorm(5, 10)([1.0, 2.0, 12.0]), [0, 0, 1])  # none between
    limited = HistEqNorm(-1, 1)
    assert limited(values).max() == 1 and limited(-1.0) == 0 and limited(-30.0) == 0
    limited.autoscale(values)
    assert limited.vmin == values.min() and limited.vmax == values.max()


def test_colours_of_what_is_below_the_scale(sky):
    """bgcolor is for what is not on the sky: low values have the lowest colour."""
    import matplotlib.pyplot as plt
    sky = np.abs(sky) + 0.01
    for norm in (None, "log", "hist"):
        ours.mollview(sky, min=0.5, max=1, norm=norm, bgcolor="red", cbar=False)
        shown = plt.gca().images[0]
        lowest = shown.cmap(0.0)
        drawn = shown.to_rgba(np.array([0.02, 0.5, 0.6]))
        assert np.allclose(drawn[0], lowest) and not np.allclose(drawn[0], (1, 0, 0, 1)), norm


def test_colour_maps_are_healpys():
    from healpy import projaxes as judge
    for name in ("viridis", None):
        mine, theirs = (module.create_colormap(name, "red", "blue")
                        for module in (ours.projaxes, judge))
        for ends in ("get_bad", "get_under", "get_over"):
            np.testing.assert_allclose(getattr(mine, ends)(), getattr(theirs, ends)())
    assert "HistEqNorm" in dir(ours.projaxes)


# --- What healpy takes besides --------------------------------------------------------------------


@pytest.mark.parametrize("lonra", [(150, 210), (100, 260), (-200, -160), (170, -170), (0, 360)])
def test_longitudes_beyond_the_date_line(sky, lonra):
    images = [np.ma.filled(one.cartview(sky, lonra=list(lonra), latra=[-30, 30], xsize=40, ysize=20,
                                        return_projected_map=True), np.nan) for one in (hp, ours)]
    assert np.mean(images[0] == images[1]) > 0.97  # directions on a border of two pixels


def opacity(package, view, sky, alpha):
    import matplotlib.pyplot as plt
    figure = plt.figure()
    getattr(package, view)(sky, alpha=alpha, fig=figure.number, xsize=60)
    return np.ma.filled(figure.axes[0].images[0].get_alpha(), 0)


@pytest.mark.parametrize("view", ["mollview", "cartview", "orthview", "gnomview", "azeqview"])
@pytest.mark.parametrize("kind", ["many values", "two values"])
def test_a_map_of_opacities(sky, view, kind):
    places = np.arange(768)
    alpha = np.abs(np.sin(places)) if kind == "many values" else (places % 2) * 0.5
    made = opacity(ours, view, sky, alpha)
    assert made.min() == 0 and made.max() == (1 if kind == "many values" else 0.5)
    judge = opacity(hp, view, sky, alpha)
    if made.shape == judge.shape:
        assert np.mean(np.abs(made - judge) < 1e-6) > 0.95
    ours.mollview(sky, alpha=0.5)  # one number, as before


def test_symlog_of_projview(sky):
    import matplotlib.pyplot as plt
    for numbers in ({}, {"linscale": 0.5}, {"linthresh": 2.0, "base": 3}):
        ours_, theirs = (h.projview(sky, xsize=40, norm="symlog", norm_dict=dict(numbers))
                         for h in (ours, hp))
        values = np.linspace(-3, 3, 50)
        np.testing.assert_allclose(ours_.norm(values), theirs.norm(values))
    for norm, numbers in (("symlog", {"linscales": 0.5}), (None, {"linscale": 0.5})):
        with pytest.raises(ValueError, match="norm_dict"):
            ours.projview(sky, xsize=40, norm=norm, norm_dict=numbers)
    plt.close("all")


def test_symlog(sky):
    import matplotlib.pyplot as plt
    figure = plt.figure()
    ours.mollview(sky, norm="symlog", fig=figure.number)
    made = figure.axes[0].images[0].norm
    figure = plt.figure()
    hp.mollview(sky, norm="symlog", fig=figure.number)
    judge = figure.axes[0].images[0].norm
    assert type(made) is type(judge) and made.linthresh == judge.linthresh
    values = np.linspace(judge.vmin, judge.vmax, 9)
    np.testing.assert_allclose(made(values), judge(values), atol=1e-6)


# --- projview's lines, labels and colour bar ------------------------------------------------------


def longitudes_at_lines(axes):
    """(x in degrees, the number of the label) of each line of longitude."""
    axes.figure.canvas.draw()
    places = np.degrees(axes.xaxis.get_majorticklocs())
    return [(x, float(one.get_text().rstrip("\N{DEGREE SIGN}")))
            for x, one in zip(places, axes.get_xticklabels())]


@pytest.mark.parametrize("more", [
    {}, {"flip": "geo"}, {"flip": "geo", "phi_convention": "clockwise"}, {"rot": 50},
    {"rot": (-100, 0, 0), "flip": "geo"}, {"rot": 50, "invRot": False},
    {"phi_convention": "symmetrical", "rot": 200}, {"projection_type": "hammer", "coord": "GE"},
    {"projection_type": "aitoff", "longitude_grid_spacing": 45}, {**CART, "rot": 20},
    {**CART, "lonra": [10, 100], "latra": [-20, 60], "longitude_grid_spacing": 30},
    {**CART, "lonra": [-200, 100], "flip": "geo"}])
def test_labels_are_longitudes_of_the_sky(more):
    """The map is 1 in a spot on the equator at 77 degrees; where the picture shows it, labels must
    lead to 77 degrees."""
    import matplotlib.pyplot as plt
    to_map = ours.Rotator(coord=more.get("coord")).I  # labels are those of the last system
    vectors = np.array(ours.pix2vec(32, np.arange(12288)))
    spot = np.array(to_map(ours.ang2vec(77, 0, lonlat=True)))
    sky = (spot @ vectors > np.cos(np.radians(6))).astype(float)
    drawn = ours.projview(sky, xsize=400, **LABELS, **more)
    image, x = drawn.get_array().reshape(200, 400), drawn.get_coordinates()[1:, 1:, 0]
    at = np.degrees(np.median(x[image > 0.5]))
    sign = 1 if more.get("flip") == "geo" else -1
    for place, label in longitudes_at_lines(plt.gca()):
        assert abs((label + sign * (at - place) - 77 + 180) % 360 - 180) < 2.5, (place, label)
        low = -180 if more.get("phi_convention") == "symmetrical" else 0
        assert low <= label <= low + 360
    if "lonra" in more:
        assert [one for _, one in longitudes_at_lines(plt.gca())] == (
            [90, 60, 30] if "latra" in more else [180, 240, 300, 0, 60])
    plt.close("all")


@pytest.mark.parametrize("more", [{"flip": "geo"}, {"phi_convention": "clockwise", "flip": "geo"},
                                  {}, {"rot": 60}, {"latitude_grid_spacing": 45},
                                  {"projection_type": "cart"}])
def test_labels_are_healpys_where_these_are_right(sky, more):
    import matplotlib.pyplot as plt
    found = []
    for h, own in ((ours, {}), (hp, {"phi_convention": "clockwise"} if "flip" in more else {})):
        h.projview(sky, xsize=40, **LABELS, **{**more, **own})
        axes = plt.gca()
        axes.figure.canvas.draw()
        made = [dict(zip(np.degrees(axis.get_majorticklocs()).round(6).tolist(),
                         [one.get_text() for one in axis.get_ticklabels()]))
                for axis in (axes.xaxis, axes.yaxis)]
        found.append(made)
    for mine, judge in zip(*found):
        inside = {place: text for place, text in judge.items() if place in mine}
        assert mine == inside and len(mine) >= 3


def test_lines_of_the_sky(sky):
    """Each point of a line, turned back to the sky by healpy's rotator, has one latitude or one
    longitude that is a multiple of the step."""
    import matplotlib.pyplot as plt
    for more, back in ((dict(rot=(40, 30, 20), rot_graticule=True), hp.Rotator(rot=(40, 30, 20)).I),
                       (dict(coord="G", graticule_coord="E"), hp.Rotator(coord="GE"))):
        for flip, sign in (("astro", -1), ("geo", 1)):
            ours.projview(sky, xsize=40, flip=flip, cbar=False, override_rot_graticule_properties={
                "t_step": 20, "p_step": 40, "g_color": "r"}, **more)
            lines = [one for one in plt.gca().lines if one.get_color() == "r"]
            assert len(lines) == 9 + 9
            for number, line in enumerate(lines):
                x, y = line.get_data()
                shown = np.isfinite(x)
                lon, lat = np.degrees(sign * x[shown]), np.degrees(y[shown])
                there = back(lon, lat, lonlat=True)
                value = there[1] if number < 9 else there[0]
                step = 20 if number < 9 else 40
                away = np.abs((value + step / 2) % step - step / 2)
                assert np.median(away) < 1e-6 and np.quantile(away, 0.98) < 1e-4
                thick = abs(line.get_linewidth() - 2.5 * 0.75) < 1e-9
                assert thick == bool(np.median(np.abs(value)) < 1e-6)
    plt.close("all")


def bar_of(figure):
    axes = figure.axes[-1]
    figure.canvas.draw()
    texts = [one.get_text() for one in (*axes.get_xticklabels(), *axes.get_yticklabels())]
    return axes, [one for one in texts if one]


def test_the_colour_bar(sky):
    import matplotlib.pyplot as plt
    good = sky[sky != hp.UNSEEN]
    ends = ["%.3f" % good.min(), "%.3f" % good.max()]
    for more, words, limits, extend in (
            ({}, ends, (good.min(), good.max()), "neither"),
            ({"min": -1}, ["-1.000", ends[1]], (-1, good.max()), "min"),
            ({"min": -1, "max": 1}, ["-1.000", "1.000"], (-1, 1), "both"),
            ({"max": 1, "extend": "neither"}, [ends[0], "1.000"], (good.min(), 1), "neither"),
            ({"cbar_ticks": [-1, 0.5, 2]}, ["-1.000", "0.500", "2.000"], (-1, 2), "both"),
            ({"cbar_ticks": [-1, 2], "show_tickmarkers": True}, ["-1.000", "2.000"], (-1, 2),
             "both"),
            ({**CART, "lonra": [0, 9], "latra": [0, 9]}, ends, (good.min(), good.max()), "neither"),
            ({"norm": "symlog", "norm_dict": {"linthresh": 0.5}, "min": -1, "max": 1},
             ["-1.000", "1.000"], (-1, 1), "both")):
        for orientation in ("horizontal", "vertical"):
            drawn = ours.projview(sky, xsize=40, format="%.3f", unit="K",
                                  cb_orientation=orientation, **more)
            axes, found = bar_of(plt.gcf())
            assert found == words and np.allclose((drawn.norm.vmin, drawn.norm.vmax), limits)
            assert drawn.colorbar.extend == extend
            count = len(drawn.colorbar.get_ticks())
            assert count > 3 if more.get("show_tickmarkers") else count == len(words)
            assert (axes.get_xlabel() or axes.get_ylabel()) == "K"
        plt.close("all")
    ours.projview(None, xsize=40)
    assert len(plt.gcf().axes) == 1


def test_texts_and_sizes_of_projview(sky):
    import matplotlib.pyplot as plt
    ours.projview(sky, xsize=40, **LABELS, custom_xtick_labels=list("ABCDE"),
                  custom_ytick_labels=list("FGHIJ"), xtick_label_color="r", ytick_label_color="g",
                  graticule_color="b", fontname="DejaVu Serif", llabel="left", rlabel="right",
                  title="title", xlabel="east", ylabel="north",
                  fontsize={"title": 7, "xtick_label": 8, "xlabel": 9, "cbar_tick_label": 6},
                  override_plot_properties={"figure_width": 5, "figure_size_ratio": 0.5,
                                            "cbar_tick_direction": "in", "cbar_label_pad": 3})
    figure, axes = plt.gcf(), plt.gcf().axes[0]
    figure.canvas.draw()
    assert tuple(figure.get_size_inches()) == (5, 2.5)
    for labels, words, colour in ((axes.get_xticklabels(), "ABCDE", "r"),
                                  (axes.get_yticklabels(), "FGHIJ", "g")):
        assert "".join(one.get_text() for one in labels) == words
        assert {one.get_color() for one in labels} == {colour}
        assert {one.get_fontname() for one in labels} == {"DejaVu Serif"}
    assert axes.get_xticklabels()[0].get_fontsize() == 8 and axes.title.get_fontsize() == 7
    assert axes.xaxis.label.get_fontsize() == 9 and axes.get_xlabel() == "east"
    assert axes.xaxis.get_gridlines()[0].get_color() == "b"
    assert [one.get_text() for one in axes.texts] == ["left", "right"]
    bar = figure.axes[1]
    assert bar.xaxis.labelpad == 3 and bar.xaxis.get_tick_params()["direction"] == "in"
    plt.close("all")
    ours.projview(sky, xsize=40, sub=211, cb_orientation="vertical")
    assert tuple(plt.gcf().get_size_inches()) == (10, 2 * 6.3)
    ours.projview(sky, xsize=40, sub=(2, 1, 2))
    assert len(plt.get_fignums()) == 1 and len(plt.gcf().axes) == 4


@pytest.mark.parametrize("kind", [list, np.array])
def test_lines_over_a_cut_projview(sky, kind):
    import matplotlib.pyplot as plt
    ours.projview(sky, xsize=40, lonra=kind([10, 100]), latra=kind([-20, 60]), **CART, **LABELS)
    line, = ours.newprojplot(30, 5, "x", lonlat=True)
    assert np.allclose(np.degrees(line.get_data()), [[80], [5]])  # 20 from the right edge, 10
