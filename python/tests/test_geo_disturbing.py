"""armilla.geo: deflections of the vertical and anomalies, by closed formulas and differences."""
import math

import numpy as np
import pytest

import armilla
from armilla import geo

ARCSEC = 180 * 3600 / np.pi


def model_of(lmax=40, seed=1, size=1.0):
    """A field with the flattening of GRS80 and Kaula's rule."""
    degrees = np.arange(lmax + 1)
    power = np.where(degrees > 1, 1e-10 / np.maximum(degrees, 1.0)**4, 0) * size**2
    cilm = armilla.conventions.convert(armilla.alm.random(lmax, 4 * np.pi * power, seed), "healpy",
                                       "shtools")
    cilm[0, :, 0] -= geo.GRS80.zonals(lmax) / np.sqrt(2 * degrees + 1)
    return geo.GravityModel(cilm, 3.986004415e14, 6378136.3)


def gravity(model, latitude, longitude, height):
    """The potential W at points, by sums of the whole field, and its gradient in x, y, z."""
    a, f, _, omega = geo.GRS80
    square = f * (2 - f)
    sine, cosine = np.sin(latitude), np.cos(latitude)
    across = a / np.sqrt(1 - square * sine**2)
    p, z = (across + height) * cosine, (across * (1 - square) + height) * sine
    loc = np.stack([np.arctan2(p, z), longitude, np.hypot(p, z)], -1)
    alm = model.alm * (model.gm / model.radius)
    v = armilla.evaluate_solid(alm, model.lmax, loc, radius=model.radius, derivatives=1)
    turn = np.stack([p * np.cos(longitude), p * np.sin(longitude), 0 * p]) * omega**2
    return v[0] + omega**2 * p**2 / 2, v[1:] + turn


# --- The normal field -----------------------------------------------------------------------------


def test_constants_of_grs80():
    """H. Moritz, Geodetic Reference System 1980, J. Geodesy 74 (2000)."""
    zonals = geo.GRS80.zonals(8)
    assert abs(zonals[2] - 108263e-8) < 1e-14  # which defines it; 1 / f has 12 digits
    np.testing.assert_allclose(zonals[[4, 6, 8]], [-0.00000237091222, 0.00000000608347,
                                                   -0.00000000001427], rtol=4e-4)
    assert abs(zonals[4] + 0.00000237091222) < 1e-14 and not zonals[1::2].any()
    np.testing.assert_allclose(geo.GRS80.normal_gravity([0, 90, -90]), [9.7803267715, 9.8321863685,
                                                                         9.8321863685], atol=6e-11)


def test_normal_gravity_by_somigliana():
    """On the ellipsoid, against the closed formula of armilla.pyshtools; also of other bodies."""
    for ellipsoid in (geo.GRS80, geo.WGS84, geo.Ellipsoid(7.1e7, 0.065, 1.267e17, 1.76e-4),
                      geo.Ellipsoid(3.396e6, 0.0, 4.28e13, 7.088e-5)):
        latitude = np.linspace(-90, 90, 37)
        b = ellipsoid.radius * (1 - ellipsoid.flattening)
        geocentric = np.degrees(np.arctan((1 - ellipsoid.flattening)**2
                                          * np.tan(np.radians(latitude))))
        expected = armilla.pyshtools.NormalGravity(geocentric, ellipsoid.gm, ellipsoid.omega,
                                                   ellipsoid.radius, b)
        if ellipsoid.flattening:
            np.testing.assert_allclose(ellipsoid.normal_gravity(latitude), expected, rtol=1e-13)


def test_normal_gravity_falls_with_height():
    """Towards its own potential: differences of the potential, and the free air gradient."""
    gamma = geo.GRS80.normal_gravity(45.0, [0.0, 1000.0])
    assert abs((gamma[1] - gamma[0]) / 1000 + 0.3086e-5) < 2e-9
    far = geo.Ellipsoid(6378137.0, 1 / 298.257222101, 3.986005e14, 0.0)
    assert abs(far.normal_gravity(30.0, 1e9) * (1e9 + 6.37e6)**2 / far.gm - 1) < 1e-4


def test_places():
    made = geo.GRS80.spherical([90.0, 0.0, -90.0, 45.0], [0.0, 180.0, 20.0, 90.0], [0, 10, 5, 0])
    b = 6356752.3141
    np.testing.assert_allclose(made[:, 2], [b, 6378147.0, b + 5, 6367489.54], atol=1e-2)
    np.testing.assert_allclose(made[:3, 0], [0, np.pi / 2, np.pi], atol=1e-15)
    np.testing.assert_allclose(made[:, 1], np.radians([0, 180, 20, 90]))


# --- The disturbing field -------------------------------------------------------------------------


def test_a_normal_field_has_no_disturbance():
    model = model_of(30, size=0.0)._replace(gm=geo.GRS80.gm, radius=geo.GRS80.radius)
    made = geo.disturbing_field(model, np.linspace(-90, 90, 19)[:, None], np.arange(0, 360, 45.0),
                                2000.0)
    assert made.xi.shape == (19, 8)
    for name, bound in (("potential", 1e-8), ("height_anomaly", 1e-8), ("gravity_anomaly", 1e-9),
                        ("gravity_disturbance", 1e-9), ("xi", 1e-9), ("eta", 1e-9),
                        ("eta_helmert", 1e-9)):
        assert np.abs(getattr(made, name)).max() < bound, name
    latitude = np.linspace(-90, 90, 19)[:, None]  # the normal plumb line's curvature
    expected = 0.171 * 2 * np.sin(np.radians(2 * latitude))  # arcsec, of 2 km
    np.testing.assert_allclose(made.xi_helmert, np.broadcast_to(expected, (19, 8)), atol=4e-3)
    on = geo.disturbing_field(model, latitude, 0.0)
    assert np.abs(on.xi_helmert).max() < 1e-9  # the ellipsoid is level


def test_against_the_whole_field():
    """Deflections from directions of gravity and of the normal, gravity as a length, in x, y, z."""
    rng = np.random.default_rng(2)
    latitude, longitude = np.radians(rng.uniform(-89, 89, 40)), rng.uniform(0, 2 * np.pi, 40)
    height = rng.uniform(0, 9000, 40)
    model = model_of()
    w, g = gravity(model, latitude, longitude, height)
    made = geo.disturbing_field(model, np.degrees(latitude), np.degrees(longitude), height)
    normal = np.stack([np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude),
                       np.sin(latitude)])
    east = np.stack([-np.sin(longitude), np.cos(longitude), 0 * longitude])
    north = np.cross(normal, east, axis=0)
    up = -(g * normal).sum(0)
    xi, eta = np.arctan(-(g * north).sum(0) / up), np.arctan(-(g * east).sum(0) / up)
    np.testing.assert_allclose(made.xi_helmert, xi * ARCSEC, atol=1e-8)
    np.testing.assert_allclose(made.eta_helmert, eta * ARCSEC, atol=1e-8)
    # astronomical latitude and longitude
    vertical = -g / np.sqrt((g**2).sum(0))
    phi = np.arcsin(vertical[2])
    turned = np.arctan2(vertical[1], vertical[0])
    np.testing.assert_allclose(made.xi_helmert, (phi - latitude) * ARCSEC, atol=0.2)
    off = (turned - longitude + np.pi) % (2 * np.pi) - np.pi
    near = np.abs(latitude) < 1.2
    np.testing.assert_allclose(made.eta_helmert[near], (off * np.cos(latitude) * ARCSEC)[near],
                               atol=0.02)
    assert np.abs(made.xi_helmert).max() > 5 and np.abs(made.eta_helmert).max() > 5
    gamma = geo.GRS80.normal_gravity(np.degrees(latitude), height)
    length = np.sqrt((g**2).sum(0))
    np.testing.assert_allclose(made.gravity_disturbance, 1e5 * (length - gamma), atol=1e-8)
    below = geo.GRS80.normal_gravity(np.degrees(latitude), height - made.height_anomaly)
    np.testing.assert_allclose(made.gravity_anomaly, 1e5 * (length - below), atol=1e-8)
    # U(Q) = W(P)
    bare = model_of(30, size=0.0)._replace(gm=geo.GRS80.gm, radius=geo.GRS80.radius)
    u, _ = gravity(bare, latitude, longitude, height - made.height_anomaly)
    np.testing.assert_allclose(u, w, rtol=0, atol=1e-7)
    u, _ = gravity(bare, latitude, longitude, height)
    np.testing.assert_allclose(made.potential, w - u, rtol=0, atol=1e-7)


def test_against_differences():
    """xi = -1/gamma dT/d(north), eta = -1/gamma dT/d(east), by moving the points; signs too."""
    model = model_of()
    latitude, longitude = np.array([-60.0, -5.0, 33.0, 71.0]), np.array([10.0, 100.0, 200.0, 300.0])
    made = geo.disturbing_field(model, latitude, longitude)
    square = geo.GRS80.flattening * (2 - geo.GRS80.flattening)
    root = 1 - square * np.sin(np.radians(latitude))**2
    along = geo.GRS80.radius * (1 - square) / root**1.5  # radii of curvature
    across = geo.GRS80.radius / np.sqrt(root) * np.cos(np.radians(latitude))
    step = 1e-3

    def t(dlat, dlon):
        return geo.disturbing_field(model, latitude + dlat, longitude + dlon).potential

    gamma = geo.GRS80.normal_gravity(latitude)
    xi = -(t(step, 0) - t(-step, 0)) / (2 * np.radians(step)) / along / gamma * ARCSEC
    eta = -(t(0, step) - t(0, -step)) / (2 * np.radians(step)) / across / gamma * ARCSEC
    np.testing.assert_allclose(made.xi, xi, rtol=2e-3, atol=2e-2)  # the first order
    np.testing.assert_allclose(made.eta, eta, rtol=2e-3, atol=2e-2)
    assert np.abs(made.xi).min() > 0.1
    higher = geo.disturbing_field(model, latitude, longitude, [[10.0], [-10.0]]).potential
    disturbance = (higher[0] - higher[1]) / -20 * 1e5
    np.testing.assert_allclose(made.gravity_disturbance, disturbance, rtol=2e-3, atol=0.02)


def test_one_harmonic_by_a_closed_formula():
    """T = GM/R (R/r)^(l+1) C P_22 cos 2 lambda on a sphere that does not turn."""
    sphere = geo.Ellipsoid(1738e3, 0.0, 4.9e12, 0.0)
    cilm = np.zeros((2, 3, 3))
    cilm[0, 0, 0], c = 1, 1e-9
    cilm[0, 2, 2] = c
    model = geo.GravityModel(cilm, sphere.gm, sphere.radius)
    latitude, longitude = np.array([0.0, 30.0, -50.0]), np.array([10.0, 45.0, 200.0])
    made = geo.disturbing_field(model, latitude, longitude, 1000.0, ellipsoid=sphere)
    phi, lam = np.radians(latitude), np.radians(longitude)
    r = sphere.radius + 1000.0
    factor = c * math.sqrt(15) / 2 * (sphere.radius / r)**2 * ARCSEC  # T / (gamma r) per angle
    np.testing.assert_allclose(made.xi, factor * 2 * np.cos(phi) * np.sin(phi) * np.cos(2 * lam),
                               rtol=1e-7, atol=1e-10)
    np.testing.assert_allclose(made.eta, factor * 2 * np.cos(phi) * np.sin(2 * lam), rtol=1e-7,
                               atol=1e-10)
    np.testing.assert_allclose(made.height_anomaly, factor / ARCSEC * r * np.cos(phi)**2
                               * np.cos(2 * lam), rtol=1e-6, atol=1e-12)
    t = made.potential
    np.testing.assert_allclose(made.gravity_disturbance, 3e5 * t / r, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(made.gravity_anomaly, 1e5 * t / r, rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(made.xi, made.xi_helmert)  # normals are plumb lines


def test_against_a_transform_of_the_gradient():
    """On a sphere, a whole grid by VectorSHT's derivatives."""
    sphere = geo.Ellipsoid(6378136.3, 0.0, 3.986004415e14, 0.0)
    model = model_of(20, size=1e-3)
    cilm = model.cilm.copy()
    cilm[0, 1:, 0] += geo.GRS80.zonals(20)[1:] / np.sqrt(2 * np.arange(1, 21) + 1)
    model = model._replace(cilm=cilm)
    grid = armilla.Grid.gauss_legendre(21, 42)
    theta, phi = grid.theta, np.arange(42) * 2 * np.pi / 42
    alm = model.alm.copy()
    alm[0] = 0
    loc = np.stack([a.ravel() for a in np.meshgrid(theta, phi, indexing="ij")], -1)
    _, d_theta, d_phi = armilla.evaluate(alm, 20, loc, derivatives=1)
    made = geo.disturbing_field(model, 90 - np.degrees(theta)[:, None], np.degrees(phi),
                                ellipsoid=sphere)
    for ours, theirs in ((made.xi, d_theta), (made.eta, -d_phi)):
        np.testing.assert_allclose(ours.ravel(), theirs * ARCSEC, rtol=0,
                                   atol=1e-6 * np.abs(theirs).max() * ARCSEC)
    fast = geo.disturbing_field(model, 90 - np.degrees(theta)[:, None], np.degrees(phi),
                                ellipsoid=sphere, epsilon=1e-7)
    np.testing.assert_allclose(fast.xi, made.xi, atol=1e-5 * np.abs(made.xi).max())


def test_poles():
    """North is that of the meridian; the vector of the deflection is the same from all of them."""
    made = geo.disturbing_field(model_of(), [90.0] * 4 + [-90.0] * 4, [0.0, 90.0, 180.0, 270.0] * 2)
    for part in (slice(0, 4), slice(4, 8)):
        xi, eta = made.xi[part], made.eta[part]
        np.testing.assert_allclose(xi[:2], -xi[2:], atol=1e-9)
        np.testing.assert_allclose(eta[:2], -eta[2:], atol=1e-9)
        sign = 1 if part.start == 0 else -1
        np.testing.assert_allclose(eta[0], -sign * xi[1], atol=1e-9)
        assert np.hypot(xi[0], eta[0]) > 0.1


@pytest.mark.parametrize("change, match", [
    ({"latitude": 90.1}, "latitude"), ({"latitude": np.nan}, "latitude"),
    ({"longitude": np.inf}, "longitude"), ({"height": -1e6}, "height"),
    ({"height": np.nan}, "height"),
    ({"latitude": np.zeros(3), "longitude": np.zeros(2)}, "do not go together"),
    ({"model": geo.GravityModel(np.zeros((2, 3, 3)), 1e14, 6e6)}, "C of l = 0"),
    ({"model": geo.GravityModel(np.zeros((3, 3)), 1e14, 6e6)}, "cilm"),
    ({"model": geo.GravityModel(np.full((2, 3, 3), np.nan), 1e14, 6e6)}, "cilm.*finite"),
    ({"model": model_of(3)._replace(gm=-1.0)}, "gm = -1"),
    ({"model": model_of(3)._replace(radius=np.inf)}, "radius = inf"),
    ({"ellipsoid": geo.GRS80._replace(flattening=0.3)}, "flattening"),
    ({"ellipsoid": geo.GRS80._replace(gm=0.0)}, "gm"),
    ({"ellipsoid": geo.GRS80._replace(omega=np.nan)}, "omega"), ({"epsilon": 0.5}, "epsilon"),
])
def test_wrong_input(change, match):
    given = {"model": model_of(3), "latitude": 0.0, "longitude": 0.0, **change}
    with pytest.raises(ValueError, match=match):
        geo.disturbing_field(**given)
    with pytest.raises(TypeError, match="ellipsoid"):
        geo.disturbing_field(model_of(3), 0.0, 0.0, ellipsoid="WGS84")


def test_threads_of_all_sums(monkeypatch):
    """Those of the normal field, too, have as many threads as the caller says."""
    told, evaluate_solid = [], armilla._disturbing.evaluate_solid

    def counted(*args, nthreads=0, **how):
        told.append(nthreads)
        return evaluate_solid(*args, nthreads=nthreads, **how)

    monkeypatch.setattr(armilla._disturbing, "evaluate_solid", counted)
    geo.disturbing_field(model_of(3), 10.0, 20.0, nthreads=3)
    assert len(told) == 6 and set(told) == {3}


def test_one_point_and_none():
    made = geo.disturbing_field(model_of(3), 10.0, 20.0)
    assert all(np.shape(one) == () and np.isfinite(one) for one in made)
    assert geo.disturbing_field(model_of(3), [], []).xi.shape == (0,)
    single = geo.disturbing_field(model_of(3), np.float32(10), np.int64(20))
    assert single.xi == made.xi and single.xi.dtype == np.float64
