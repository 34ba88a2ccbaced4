"""armilla.windspharm against formulas: winds of which vorticity and potentials are known."""
import copy
import pickle

import numpy as np
import pytest

import armilla.windspharm as windspharm
from armilla.windspharm import standard, tools
from armilla.windspharm.standard import VectorWind

RADIUS, OMEGA = 6.3712e6, 7.292e-5
GRIDS = {"regular": 19, "even": 18, "gaussian": 20}  # numbers of latitudes


def latitudes(kind):
    count = GRIDS[kind]
    if kind == "gaussian":
        return np.arcsin(np.polynomial.legendre.leggauss(count)[0])[::-1]
    edge = np.pi / 2 * (1 if kind == "regular" else 1 - 1 / count)
    return np.linspace(edge, -edge, count)


def fields(kind, nlon=40, radius=RADIUS):
    """psi and chi of degree 3 and less, their Laplacians, and the two winds, from derivatives."""
    lat, lon = latitudes(kind)[:, None], 2 * np.pi * np.arange(nlon) / nlon
    sine, cosine = np.sin(lat), np.cos(lat)
    psi = 1e8 * (sine + cosine ** 2 * sine * np.cos(2 * lon))           # degrees 1 and 3
    chi = 2e7 * (cosine * sine * np.sin(lon))                            # degree 2
    psi_lon = 1e8 * -2 * cosine * sine * np.sin(2 * lon) + 0 * psi       # divided by cos(lat)
    psi_lat = 1e8 * (cosine + (cosine ** 3 - 2 * cosine * sine ** 2) * np.cos(2 * lon))
    chi_lon = 2e7 * sine * np.cos(lon) + 0 * chi
    chi_lat = 2e7 * (cosine ** 2 - sine ** 2) * np.sin(lon) + 0 * chi
    vorticity = -1e8 / radius ** 2 * (2 * sine + 12 * cosine ** 2 * sine * np.cos(2 * lon))
    return {"psi": psi, "chi": chi, "vrt": vorticity, "div": -6 * chi / radius ** 2,
            "upsi": -psi_lat / radius, "vpsi": psi_lon / radius,
            "uchi": chi_lon / radius, "vchi": chi_lat / radius}


def wind(kind, **how):
    made = fields(kind, radius=how.get("rsphere", RADIUS))
    word = "gaussian" if kind == "gaussian" else "Regular"
    return VectorWind(made["upsi"] + made["uchi"], made["vpsi"] + made["vchi"], gridtype=word,
                      **how), made


def close(first, second, bound=1e-12):
    return np.abs(first - second).max() <= bound * np.abs(second).max()


@pytest.mark.parametrize("how", [{}, {"rsphere": 3.0}, {"legfunc": "computed"}])
@pytest.mark.parametrize("kind", GRIDS)
def test_results_are_those_of_formulas(kind, how):
    w, exact = wind(kind, **how)
    for names, method in ((("vrt", "div"), w.vrtdiv), (("psi", "chi"), w.sfvp),
                          (("uchi", "vchi", "upsi", "vpsi"), w.helmholtz),
                          (("uchi", "vchi"), w.irrotationalcomponent),
                          (("uchi", "vchi"), w.divergentcomponent),
                          (("upsi", "vpsi"), w.nondivergentcomponent),
                          (("upsi", "vpsi"), w.rotationalcomponent),
                          (("vrt",), lambda: [w.vorticity()]), (("div",), lambda: [w.divergence()]),
                          (("psi",), lambda: [w.streamfunction()]),
                          (("chi",), lambda: [w.velocitypotential()]),
                          (("uchi", "vchi"), lambda: w.gradient(exact["chi"]))):
        made = method()
        assert len(made) == len(names)
        for one, name in zip(made, names):
            assert close(one, exact[name]), name
    planetary = 2 * OMEGA * np.sin(latitudes(kind))[:, None] + 0 * w.u
    assert close(w.planetaryvorticity(), planetary)
    assert close(w.planetaryvorticity(omega=-1), -planetary / OMEGA)
    assert close(w.absolutevorticity(), planetary + exact["vrt"])
    assert close(w.magnitude(), np.sqrt(w.u ** 2 + w.v ** 2))


@pytest.mark.parametrize("kind", GRIDS)
def test_truncation_leaves_out_higher_degrees(kind):
    w, exact = wind(kind)
    first = -2e8 / RADIUS ** 2 * np.sin(latitudes(kind))[:, None] + 0 * w.u  # degree 1 of vorticity
    assert close(w.vorticity(truncation=2), first) and close(w.vorticity(3), exact["vrt"])
    assert close(w.vrtdiv(2)[1], exact["div"]) and np.abs(w.divergence(1)).max() < 1e-18
    assert close(w.truncate(exact["vrt"], 2), first)
    assert close(w.truncate(exact["vrt"] + 4, truncation=0), 4 + 0 * w.u)
    assert close(w.gradient(exact["psi"] + exact["chi"], 2)[1],
                 exact["vchi"] + 1e8 / RADIUS * np.cos(latitudes(kind))[:, None])
    assert not any(one.any() for one in (*w.vrtdiv(0), *w.sfvp(0), *w.helmholtz(0)))
    largest = GRIDS[kind] - (2 if kind == "regular" else 1)
    assert np.array_equal(w.vorticity(largest), w.vorticity())
    for wrong, error in ((largest + 1, ValueError), (-1, ValueError), (2.5, TypeError)):
        with pytest.raises(error, match="truncation = "):
            w.vorticity(wrong)


def test_few_longitudes_have_few_orders():
    """8 longitudes determine orders 0 to 3; the order 4 is left out, of whatever degree."""
    exact = fields("gaussian", nlon=8)
    w = VectorWind(exact["upsi"], exact["vpsi"], gridtype="gaussian")
    assert close(w.vorticity(), exact["vrt"]) and close(w.streamfunction(), exact["psi"])
    assert np.abs(w.truncate(np.tile([1.0, -1.0], (20, 4)))).max() < 1e-13


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("tail", [(), (1,), (3,), (0,)])
def test_shapes_and_types(tail, dtype):
    _, exact = wind("regular")
    u, v = ((exact[f"u{of}"][..., None] * np.ones(tail or (1,))).reshape((19, 40) + tail
                                                                         ).astype(dtype)
            for of in ("psi", "chi"))
    w = VectorWind(u, v)
    for one in (*w.helmholtz(), w.magnitude(), w.planetaryvorticity(), w.absolutevorticity(),
                *w.gradient(u), w.truncate(u), w.divergence(0)):
        assert one.shape == u.shape and one.dtype == dtype
    if tail == (3,):
        alone = VectorWind(u[..., 1], v[..., 1]).vorticity()
        assert np.array_equal(w.vorticity()[..., 1], alone)
    assert w.gradient(np.ones((19, 40, 2), dtype))[0].shape == (19, 40, 2)


def test_inputs_are_copied_and_the_object_too():
    w, exact = wind("regular")
    u, v = w.u.copy(), w.v.copy()
    other = VectorWind(u, v)
    u[:] = 0
    assert close(other.vorticity(), exact["vrt"])
    for one in (pickle.loads(pickle.dumps(other)), copy.copy(other)):
        assert np.array_equal(one.vorticity(), other.vorticity())


def hidden(values):
    return np.ma.masked_array(values, np.eye(*values.shape, dtype=bool))


@pytest.mark.parametrize("make, error, words", [
    (lambda u: VectorWind(u, u[:-1]), ValueError, "v: has shape"),
    (lambda u: VectorWind(u[None], u[None]), ValueError, "at least 3 latitudes"),
    (lambda u: VectorWind(u[0], u[0]), ValueError, "u: has shape"),
    (lambda u: VectorWind(u[..., None, None], u[..., None, None]), ValueError, "u: has shape"),
    (lambda u: VectorWind(u, hidden(u)), ValueError, "v: has 19 missing"),
    (lambda u: VectorWind(u * np.inf, u), ValueError, "u: has 760 missing"),
    (lambda u: VectorWind(u + 1j, u), TypeError, "u"),
    (lambda u: VectorWind(u, u, gridtype="curvilinear"), ValueError, "gridtype = 'curvilinear'"),
    (lambda u: VectorWind(u, u, gridtype=None), ValueError, "gridtype = None"),
    (lambda u: VectorWind(u, u, rsphere=0), ValueError, "rsphere"),
    (lambda u: VectorWind(u, u, rsphere=np.nan), ValueError, "rsphere"),
    (lambda u: VectorWind(u, u, legfunc="none"), ValueError, "legfunc = 'none'"),
    (lambda u: VectorWind(u, u).gradient(hidden(u)), ValueError, "chi: has 19 missing"),
    (lambda u: VectorWind(u, u).gradient(u.T), ValueError, "chi: has shape"),
    (lambda u: VectorWind(u, u).truncate(u[:-1]), ValueError, "field: has shape"),
    (lambda u: VectorWind(u, u).planetaryvorticity("fast"), ValueError, "omega = 'fast'"),
    (lambda u: VectorWind(u, u).s, AttributeError, "no s: there is no Spharmt"),
    (lambda u: VectorWind(u, u).curl, AttributeError, "no curl"),
    (lambda u: windspharm.cdms, AttributeError, "no cdms: CDAT"),
    (lambda u: windspharm.iris, AttributeError, "no iris: xarray.DataArray.from_iris"),
    (lambda u: __import__("armilla.windspharm.iris"), ImportError, "no iris: xarray"),
    (lambda u: __import__("armilla.windspharm.cdms"), ImportError, "no cdms: CDAT")])
def test_what_is_wrong_is_named(make, error, words):
    with pytest.raises(error, match=words):
        make(np.ones((19, 40)))


def test_integers_and_masks_without_masked_values():
    w = VectorWind(np.ones((19, 40), int), np.ma.masked_array(np.ones((19, 40), int)))
    assert w.u.dtype == w.v.dtype == np.float64 and type(w.v) is np.ndarray


def test_tools():
    data = np.arange(2 * 3 * 4 * 5.0).reshape(2, 3, 4, 5)
    for order in ("tzyx", "xayb", "ytxz", "abxy"):
        made, info = tools.prep_data(data, order)
        x, y = order.index("x"), order.index("y")
        others = [axis for axis in range(4) if axis not in (x, y)]
        assert made.shape == (data.shape[y], data.shape[x], 120 // data.shape[x] // data.shape[y])
        assert np.array_equal(made.ravel(), data.transpose([y, x, *others]).ravel())
        assert np.array_equal(tools.recover_data(made, info), data)
        both = tools.get_recovery(info)(made, 2 * made)
        assert isinstance(both, list) and np.array_equal(both[1], 2 * data)
    flat, info = tools.prep_data(data[0, 0], "xy")
    assert np.array_equal(tools.recover_data(flat[..., 0], info), data[0, 0])
    for wrong in ("xyz", "xx", "ab", "tzyy", 3):
        with pytest.raises(ValueError, match="dimorder = "):
            tools.prep_data(data[0, 0], wrong)
    with pytest.raises(ValueError, match="pdata: has shape"):
        tools.recover_data(flat[:-1], info)
    north, u, v = tools.order_latdim(np.arange(-90, 91, 60), data, 2 * data, axis=2)
    assert list(north) == [90, 30, -30, -90] and np.array_equal(v, 2 * data[:, :, ::-1])
    again = tools.order_latdim(north, u, v, axis=2)
    assert np.array_equal(again[1], u) and not any(
        np.shares_memory(*pair) for pair in zip((north, u, v), again))
    assert np.array_equal(tools.reverse_latdim(data, data, axis=-1)[1], data[..., ::-1])


def test_names():
    assert {"standard", "tools", "xarray"} == set(dir(windspharm))
    assert dir(standard) == ["VectorWind"]


# --- Labelled arrays ------------------------------------------------------------------------------


def labelled(values, kind, dims=("lat", "lon"), **more):
    xr = pytest.importorskip("xarray")
    lon = np.arange(values.shape[-1]) * 360 / values.shape[-1]
    return xr.DataArray(values, dims=dims, name="w", coords={
        "lat": ("lat", np.degrees(latitudes(kind)), {"units": "degrees_north"}),
        "lon": ("lon", lon, {"units": "degrees_east"}), "forecast": 3}, **more)


def labelled_wind(kind):
    w, exact = wind(kind)
    return labelled(w.u, kind), labelled(w.v, kind), exact


@pytest.mark.parametrize("change", [
    lambda a: a, lambda a: a.transpose(), lambda a: a[::-1], lambda a: a[:, ::-1],
    lambda a: a.expand_dims(time=2).transpose("lon", "time", "lat")])
@pytest.mark.parametrize("kind", GRIDS)
def test_labelled_results(kind, change):
    u, v, exact = labelled_wind(kind)
    given = change(u)
    w = windspharm.xarray.VectorWind(given, change(v))
    chi = labelled(exact["chi"], kind)
    for name, made in zip(("vrt", "div", "psi", "chi", "uchi", "vchi", "upsi", "vpsi", "uchi",
                           "vchi", "vrt"),
                          (*w.vrtdiv(), *w.sfvp(), *w.helmholtz(), *w.gradient(change(chi)),
                           w.truncate(change(labelled(exact["vrt"], kind))))):
        assert made.dims == given.dims and int(made.forecast) == 3
        assert made.lat[0] > made.lat[-1]
        placed = made.sel(lon=u.lon).transpose("lat", "lon", ...).values
        assert close(placed.reshape(exact[name].shape + (-1,)), exact[name][..., None], 1e-11), name
    assert close(w.magnitude().values, np.hypot(w.u(), w.v()).values)


def test_labels():
    u, v, exact = labelled_wind("regular")
    w = windspharm.xarray.VectorWind(u, v, rsphere=RADIUS, legfunc="computed")
    told = {"vorticity": "s**-1", "divergence": "s**-1", "streamfunction": "m**2 s**-1",
            "velocitypotential": "m**2 s**-1", "magnitude": "m s**-1", "u": "m s**-1",
            "v": "m s**-1", "planetaryvorticity": "s**-1", "absolutevorticity": "s**-1"}
    for method, units in told.items():
        made = getattr(w, method)()
        assert made.units == units and made.name and made.standard_name and made.long_name
    assert w.planetaryvorticity().standard_name == "coriolis_parameter"
    assert [one.name for one in w.helmholtz()] == ["u_chi", "v_chi", "u_psi", "v_psi"]
    chi = labelled(exact["chi"], "regular", attrs={"units": "m2 s-1", "_FillValue": 1e20})
    assert w.gradient(chi)[1].name == "meridional_gradient_of_w"
    assert w.truncate(chi).attrs == {"units": "m2 s-1"} and w.truncate(chi).name == "w"
    assert w.vorticity().dims == u.dims and w.u().identical(w.u())


def test_what_is_wrong_with_labels_is_named():
    u, v, exact = labelled_wind("regular")
    make = windspharm.xarray.VectorWind
    w, chi = make(u, v), labelled(exact["chi"], "regular")
    marked = chi.copy(data=np.where(np.eye(19, 40), 1e20, chi)).assign_attrs(_FillValue=1e20)
    for call, error, words in (
            (lambda: make(u.values, v.values), TypeError, "u: must be a DataArray"),
            (lambda: make(u, v.T), ValueError, "v: has the dimensions"),
            (lambda: make(u, v[::-1]), ValueError, "v: its coordinate lat"),
            (lambda: make(u[:9], v[:9]), ValueError, "do not cover the sphere"),
            (lambda: make(u.drop_vars("lon"), v), ValueError, "longitude|lon"),
            (lambda: make(marked, v), ValueError, "u: has 19 missing"),
            (lambda: w.gradient(chi.values), TypeError, "chi: must be a DataArray"),
            (lambda: w.truncate(chi[:, ::2]), ValueError, "field: lies on"),
            (lambda: w.truncate(chi.drop_vars("lat")), ValueError, "field: needs a coordinate")):
        with pytest.raises(error, match=words):
            call()
