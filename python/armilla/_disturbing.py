"""The disturbing field of gravity: what a model has beyond the normal field of an ellipsoid.

With W = V + omega^2 p^2 / 2 the gravity potential (p is the distance from the axis), U that of the
level ellipsoid, g and gamma their gradients, a point P of geodetic latitude, longitude and height,
and Q the point of the telluroid below P, on the same normal of the ellipsoid, where U(Q) = W(P):

    T = W(P) - U(P)                                disturbing potential
    zeta = height of P - height of Q               height anomaly (Bruns: T / gamma)
    |g(P)| - |gamma(P)|                            gravity disturbance
    |g(P)| - |gamma(Q)|                            gravity anomaly (Molodensky)
    xi = a_N(g(P)), eta = a_E(g(P))                deflections of Helmert
    xi = a_N(g(P)) - a_N(gamma(Q)), eta the same   deflections of Molodensky

where a_N and a_E are the angles by which the upward vertical -g leans towards north and east from
the ellipsoid's normal: atan2 of those components of -g and of its upward one. Molodensky's are as
in C. Jekeli, An analysis of vertical deflections derived from high-degree spherical harmonic
models, J. Geodesy 73 (1999). T is summed by itself, from the differences of coefficients, so that
it has all its digits. To first order xi = -T_north / gamma and eta = -T_east / gamma.

The normal field outside is a series of zonal harmonics, here in dimensionless ones of GM and a,
(Heiskanen and Moritz, Physical Geodesy, 1967, sections 2-7 to 2-9):

    J_2n = (-1)^(n + 1) 3 e^(2n - 2) / ((2n + 1)(2n + 3)) (e^2 (1 - n) + 5 n J_2)
    J_2 = e^2 / 3 - 2 m (1 - f)^2 / (45 s)   m = omega^2 a^2 b / GM
    s = sum over k from 1 of (-1)^(k + 1) 2 k e'^(2k - 2) / ((2k + 1)(2k + 3))
"""
from __future__ import annotations

import math
from typing import NamedTuple, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import reals
from ._errors import real
from ._gfc import GravityModel, checked_cilm
from .conventions import convert
from .solid import evaluate_solid

_ARCSEC = math.degrees(1) * 3600
_MGAL = 1e5  # of 1 m/s^2
_MOST_FLATTENING = 0.25  # above, the zonal series have too many terms
_HEIGHTS = (-50e3, 1e9)  # m; below, series of an ellipsoid such as the Earth lose digits


class Ellipsoid(NamedTuple):
    """A level ellipsoid, which turns, with its normal gravity field.

    Attributes
    ----------
    radius : float
        Semi-major axis a, m.
    flattening : float
        (a - b) / a, from 0 to 0.25.
    gm : float
        Gravity constant times mass, m^3 / s^2.
    omega : float
        Angular speed, rad / s.

    Examples
    --------
    >>> import armilla
    >>> ellipsoid = armilla.geo.GRS80
    >>> (ellipsoid.zonals(4)[2::2] * 1e6).round(4)                       # J_2, J_4
    array([1082.63  ,   -2.3709])
    >>> ellipsoid.normal_gravity([0.0, 90.0]).round(7)
    array([9.7803268, 9.8321864])
    """

    radius: float
    flattening: float
    gm: float
    omega: float

    def _check(self) -> None:
        for name in ("radius", "gm"):
            if not 0 < real(name, getattr(self, name)) < math.inf:
                raise ValueError(f"{name} = {getattr(self, name)}: must be above 0 and finite")
        if not 0 <= real("flattening", self.flattening) <= _MOST_FLATTENING:
            raise ValueError(f"flattening = {self.flattening}: must be from 0 to "
                             f"{_MOST_FLATTENING}")
        if not math.isfinite(real("omega", self.omega)):
            raise ValueError(f"omega = {self.omega}: must be finite")

    @property
    def _square(self) -> float:
        """Of the first eccentricity."""
        return self.flattening * (2 - self.flattening)

    def zonals(self, lmax: int) -> np.ndarray:
        """Return J_l of the normal field for degrees 0 to lmax; J_0 = -1.

        Parameters
        ----------
        lmax : int
            Largest degree.

        Returns
        -------
        ndarray, shape (lmax + 1,)
            J_l: the potential is -GM / r times the sum of J_l (a / r)^l P_l(sin of the geocentric
            latitude).
        """
        self._check()
        made = np.zeros(lmax + 1)
        made[0] = -1
        square, polar = self._square, (1 - self.flattening) ** 2
        k = np.arange(200, 0, -1)
        s = ((-1.0) ** (k + 1) * 2 * k / ((2 * k + 1) * (2 * k + 3))
             * (square / polar) ** (k - 1)).sum()
        m = self.omega ** 2 * self.radius ** 3 * (1 - self.flattening) / self.gm
        j2 = square / 3 - 2 * m * polar / (45 * s)
        for n in range(1, lmax // 2 + 1):
            made[2 * n] = (-(-1) ** n * 3 * square ** (n - 1) / ((2 * n + 1) * (2 * n + 3))
                           * (square * (1 - n) + 5 * n * j2))
        return made

    def _last_degree(self) -> int:
        """From which on terms at the ellipsoid are below rounding."""
        if not self.flattening:
            return 2
        return 2 + 2 * math.ceil(math.log(1e-20) / math.log(self._square))

    def _cilm(self, lmax: int) -> np.ndarray:
        """Coefficients of the potential times a / GM, in the 4 pi norm."""
        made = np.zeros((2, lmax + 1, lmax + 1))
        made[0, :, 0] = -self.zonals(lmax) / np.sqrt(2 * np.arange(lmax + 1) + 1)
        return made

    def spherical(self, latitude: ArrayLike, longitude: ArrayLike, height: ArrayLike = 0.0
                  ) -> np.ndarray:
        """Return the places of points that are given by geodetic coordinates.

        Parameters
        ----------
        latitude : array_like
            Geodetic latitudes in degrees.
        longitude : array_like
            Longitudes in degrees, of a shape that goes together with it.
        height : array_like, optional
            Heights above the ellipsoid in metres.

        Returns
        -------
        ndarray, shape (..., 3)
            Geocentric colatitude and longitude in radians, and distance from the centre in metres,
            as `evaluate_solid` takes them.
        """
        self._check()
        sine, cosine, phi, height = _coordinates(latitude, longitude, height)
        p, z, _ = self._meridian(sine, cosine, height)
        return _places(p, z, phi)

    def _meridian(self, sine: np.ndarray, cosine: np.ndarray, height: np.ndarray
                  ) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Distances from the axis and from the equator, and geodetic minus geocentric latitude."""
        across = self.radius / np.sqrt(1 - self._square * sine ** 2)
        p = (across + height) * cosine
        z = (across * (1 - self._square) + height) * sine
        return p, z, np.arctan2(self._square * across * sine * cosine, p * cosine + z * sine)

    def _normal(self, sine: np.ndarray, cosine: np.ndarray, height: np.ndarray,
                nthreads: int = 0) -> Tuple[np.ndarray, np.ndarray]:
        """Normal potential, and normal gravity, [north, up], at points of geodetic coordinates."""
        p, z, lean = self._meridian(sine, cosine, height)
        lmax = self._last_degree()
        alm = convert(self._cilm(lmax), "shtools", "healpy") * (self.gm / self.radius)
        loc = _places(p, z, np.zeros_like(p))
        field = evaluate_solid(alm, lmax, loc.reshape(-1, 3), derivatives=1, frame="local",
                               radius=self.radius, nthreads=nthreads).reshape((4,) + p.shape)
        north, up = _leaning(field[1], field[2], lean)
        turn = self.omega ** 2 * p
        return field[0] + turn * p / 2, np.stack([north - turn * sine, up + turn * cosine])

    def normal_gravity(self, latitude: ArrayLike, height: ArrayLike = 0.0) -> np.ndarray:
        """Return normal gravity at geodetic latitudes and heights.

        Parameters
        ----------
        latitude : array_like
            Geodetic latitudes in degrees.
        height : array_like, optional
            Heights above the ellipsoid in metres, of a shape that goes together with it.

        Returns
        -------
        ndarray
            The length of the gradient of the normal potential with its centrifugal part, m / s^2.
        """
        self._check()
        sine, cosine, _, height = _coordinates(latitude, 0.0, height)
        return np.hypot(*self._normal(sine, cosine, height)[1])


GRS80 = Ellipsoid(6378137.0, 1 / 298.257222101, 3.986005e14, 7.292115e-5)
WGS84 = Ellipsoid(6378137.0, 1 / 298.257223563, 3.986004418e14, 7.292115e-5)


class DisturbingField(NamedTuple):
    """What a model has beyond a normal field, at points.

    Attributes
    ----------
    potential : ndarray
        Disturbing potential T, m^2 / s^2.
    height_anomaly : ndarray
        zeta, m: the height above the telluroid; on the ellipsoid over the sea, the geoid's height.
    gravity_disturbance : ndarray
        Gravity less normal gravity at the same point, mGal.
    gravity_anomaly : ndarray
        Gravity less normal gravity on the telluroid, mGal.
    xi : ndarray
        Molodensky's deflection of the vertical towards north, arc seconds: that of gravity less
        that of normal gravity on the telluroid.
    eta : ndarray
        The one towards east.
    xi_helmert : ndarray
        Helmert's deflection towards north, arc seconds, from the ellipsoid's normal: astronomical
        less geodetic latitude.
    eta_helmert : ndarray
        The one towards east: astronomical less geodetic longitude, times the latitude's cosine.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> none = np.zeros(3)
    >>> armilla.geo.DisturbingField(*[none] * 8).xi.shape
    (3,)
    """

    potential: np.ndarray
    height_anomaly: np.ndarray
    gravity_disturbance: np.ndarray
    gravity_anomaly: np.ndarray
    xi: np.ndarray
    eta: np.ndarray
    xi_helmert: np.ndarray
    eta_helmert: np.ndarray


def _coordinates(latitude: ArrayLike, longitude: ArrayLike, height: ArrayLike
                 ) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Sine and cosine of latitudes, longitudes in radians, and heights, of one shape."""
    given = [np.asarray(reals(one, name), np.float64) for one, name in
             ((latitude, "latitude"), (longitude, "longitude"), (height, "height"))]
    try:
        latitude, longitude, height = np.broadcast_arrays(*given)
    except ValueError:
        raise ValueError("latitude, longitude, height: have shapes that do not go together: "
                         f"{', '.join(str(one.shape) for one in given)}") from None
    if not np.all(np.abs(latitude) <= 90):  # False for NaN, too
        raise ValueError("latitude: must be from -90 to 90 degrees")
    if not np.isfinite(longitude).all():
        raise ValueError("longitude: must be finite")
    if not np.all((height >= _HEIGHTS[0]) & (height <= _HEIGHTS[1])):
        raise ValueError(f"height: must be from {_HEIGHTS[0]:g} to {_HEIGHTS[1]:g} m")
    pole = np.abs(latitude) == 90
    cosine = np.where(pole, 0.0, np.cos(np.radians(latitude)))
    return np.sin(np.radians(latitude)), cosine, np.radians(longitude), height


def _places(p: np.ndarray, z: np.ndarray, phi: np.ndarray) -> np.ndarray:
    """Colatitude, longitude and distance from the centre of places in meridian planes."""
    return np.stack([np.arctan2(p, z), phi, np.hypot(p, z)], axis=-1)


def _leaning(r: np.ndarray, theta: np.ndarray, lean: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Components along the ellipsoid's north and normal, of those along e_r and e_theta."""
    sine, cosine = np.sin(lean), np.cos(lean)
    return -sine * r - cosine * theta, cosine * r - sine * theta


def _disturbing_alm(model: GravityModel, ellipsoid: Ellipsoid) -> Tuple[np.ndarray, int]:
    """Coefficients of T on the sphere of the model's radius, and their largest degree."""
    cilm = checked_cilm(model)
    if not np.isfinite(cilm).all():
        raise ValueError("cilm: must have finite numbers")
    if not 0.5 < cilm[0, 0, 0] < 2:
        raise ValueError(f"model: C of l = 0 is {cilm[0, 0, 0]}: must be 1 or so, a whole field; "
                         "where a file leaves it out, set model.cilm[0, 0, 0] = 1")
    lmax = max(cilm.shape[-1] - 1, ellipsoid._last_degree())
    made = np.zeros((2, lmax + 1, lmax + 1))
    made[:, :cilm.shape[1], :cilm.shape[1]] = cilm
    ratio = (ellipsoid.radius / model.radius) ** np.arange(lmax + 1.0) * (ellipsoid.gm / model.gm)
    made -= ellipsoid._cilm(lmax) * ratio[:, None]
    return convert(made, "shtools", "healpy") * (model.gm / model.radius), lmax


def disturbing_field(model: GravityModel, latitude: ArrayLike, longitude: ArrayLike,
                     height: ArrayLike = 0.0, *, ellipsoid: Ellipsoid = GRS80, epsilon: float = 0.0,
                     nthreads: int = 0) -> DisturbingField:
    """Sum height anomalies, gravity anomalies and deflections of the vertical at points.

    Parameters
    ----------
    model : GravityModel
        The whole field, with C00 and the flattening. `GraceModel.model` is one.
    latitude : array_like
        Geodetic latitudes of the points on the ellipsoid, in degrees.
    longitude : array_like
        Longitudes in degrees, of a shape that goes together with it: for a grid, latitudes are a
        column, latitude[:, None].
    height : array_like, optional
        Heights above the ellipsoid in metres.
    ellipsoid : Ellipsoid, optional
        The ellipsoid of the coordinates and of the normal field: GRS80, WGS84 or one's own.
    epsilon : float, optional
        0, the default: sums are exact to rounding. From 1e-11 to 0.1: T and its gradient may be
        interpolated between spheres, as by `evaluate_solid`, which is faster for many points.
    %(nthreads.short)s

    Returns
    -------
    DisturbingField
        Arrays of the points' shape: potential, height anomaly, gravity disturbance and anomaly,
        deflections of Molodensky and of Helmert. North and east are positive where the vertical, as
        the plumb line shows it, points further north and east than the normal does.

    Raises
    ------
    ValueError
        If shapes do not go together, a number is out of range, or C00 is missing.
    %(TypeError)s

    See Also
    --------
    evaluate_solid : Potentials and their derivatives, of any field.

    Notes
    -----
    The tide system is that of the model's C20; that of the ellipsoid has none. The term of degree 0
    is part of T: where GM of model and ellipsoid differ, height anomalies have a constant.
    Deflections are the angles of the two components; what astronomical latitude and longitude say
    differs by terms of second order, 0.02 arc seconds for a deflection of 60.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> cilm = np.zeros((2, 9, 9))
    >>> cilm[0, [0, 2, 4, 6, 8], 0] = -armilla.geo.GRS80.zonals(8)[::2] / np.sqrt([1, 5, 9, 13, 17])
    >>> cilm[0, 3, 1] = 1e-6
    >>> model = armilla.geo.GravityModel(cilm, 3.986005e14, 6378137.0)
    >>> field = armilla.geo.disturbing_field(model, [0.0, 45.0], [0.0, 90.0])
    >>> field.height_anomaly.round(1) + 0.0, field.eta.round(2) + 0.0
    (array([-10.4,   0. ]), array([0. , 0.5]))
    """
    if not isinstance(ellipsoid, Ellipsoid):
        raise TypeError("ellipsoid: must be an Ellipsoid, such as armilla.geo.WGS84")
    ellipsoid._check()
    sine, cosine, phi, height = _coordinates(latitude, longitude, height)
    p, z, lean = ellipsoid._meridian(sine, cosine, height)
    alm, lmax = _disturbing_alm(model, ellipsoid)
    loc = _places(p, z, phi)
    t, t_r, t_theta, east = evaluate_solid(
        alm, lmax, loc.reshape(-1, 3), derivatives=1, frame="local", radius=model.radius,
        epsilon=epsilon, nthreads=nthreads).reshape((4,) + p.shape)
    north, up = _leaning(t_r, t_theta, lean)
    u, gamma = ellipsoid._normal(sine, cosine, height, nthreads)
    length = np.hypot(*gamma)
    disturbance = ((2 * (gamma[0] * north + gamma[1] * up) + north ** 2 + up ** 2 + east ** 2)
                   / (length + np.sqrt((gamma[0] + north) ** 2 + (gamma[1] + up) ** 2 + east ** 2)))
    zeta = t / length
    for _ in range(3):  # Newton's steps towards U(Q) = W(P)
        below, of_q = ellipsoid._normal(sine, cosine, height - zeta, nthreads)
        zeta = zeta + ((u - below) + t) / np.hypot(*of_q)
    below, of_q = ellipsoid._normal(sine, cosine, height - zeta, nthreads)
    xi = np.arctan2(-gamma[0] - north, -gamma[1] - up) * _ARCSEC
    eta = np.arctan2(-east, -gamma[1] - up) * _ARCSEC
    return DisturbingField(
        t, zeta, disturbance * _MGAL, (disturbance + length - np.hypot(*of_q)) * _MGAL,
        xi - np.arctan2(-of_q[0], -of_q[1]) * _ARCSEC, eta, xi, eta)
