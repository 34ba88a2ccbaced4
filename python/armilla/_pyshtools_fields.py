"""Gravity and magnetic fields of armilla.pyshtools on spheres and flattened ellipsoids.

Each latitude of an ellipsoid has a radius r of its own, and a potential there has the coefficients
of the sphere times exp(l x), x = log(r0 / r). Rings are put into shells in which x changes by at
most 2 / (lmax + 1). In a shell with half the range h of x the K nodes x_k of Chebyshev interpolate
exp(l x) with an error of at most 2 (l h / 2)^K / K! exp(l h) of the value at the shell's middle
(Trefethen, Approximation Theory and Approximation Practice, ch. 8; Davis, Interpolation and
Approximation, ch. 3.3). So maps for the K radii, each ring with its own weights, make the map.
"""
from __future__ import annotations

import math
from typing import Any, Iterator, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import reals
from ._errors import real
from ._pyshtools_grids import closed, coefficients, convention, degrees, dh_grid, grid_of
from .alm import multiply_window
from .conventions import convert
from .grid import Grid
from .transform import SHT

_EPSILON = 2.0 ** -53
Maps = Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def _positive(name: str, value: Any) -> float:
    number = real(name, value)
    if not 0 < number < math.inf:
        raise ValueError(f"{name} = {value}: must be above 0 and finite")
    return number


def _finite(name: str, value: Any) -> float:
    number = real(name, value)
    if not math.isfinite(number):
        raise ValueError(f"{name} = {value}: must be finite")
    return number


def _flattening(value: Any) -> float:
    number = real("f", value)
    if not 0 <= number < 1:
        raise ValueError(f"f = {value}: must be from 0 to below 1")
    return number


def _directions(theta: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Sines and cosines of colatitudes, with their zeros."""
    middle = np.abs(theta - np.pi / 2) < 1e-15
    cosine = np.where(middle, 0, np.cos(theta))
    return np.where(np.abs(cosine) == 1, 0, np.sin(theta)), cosine


# --- Interpolation between radii ------------------------------------------------------------------


def number_of_nodes(reach: float) -> int:
    """Nodes for an error below rounding where l h = reach, of the smallest exp(l x) of a shell."""
    count, error = 1, reach * math.exp(2 * reach)
    while error > _EPSILON:
        count += 1
        error *= reach / 2 / count
    return count


def _weights(nodes: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Of Lagrange's interpolation between nodes of Chebyshev: (places, nodes), barycentric."""
    count = len(nodes)
    factor = np.sin(np.pi * (2 * np.arange(count) + 1) / (2 * count)) * (-1.0) ** np.arange(count)
    distance = places[:, None] - nodes
    hits = distance == 0
    parts = factor / np.where(hits, 1, distance)
    parts = np.where(hits.any(1, keepdims=True), hits, parts)
    return parts / parts.sum(1, keepdims=True)


def _nodes_of(x: np.ndarray, lmax: int) -> Tuple[np.ndarray, np.ndarray]:
    """Nodes for some x, and the weights of each x."""
    middle, half = (x.max() + x.min()) / 2, (x.max() - x.min()) / 2
    count = number_of_nodes(lmax * half)
    if count == 1:
        return np.array([middle]), np.ones((len(x), 1))
    nodes = np.cos(np.pi * (2 * np.arange(count) + 1) / (2 * count))
    return middle + half * nodes, _weights(nodes, (x - middle) / half)


def _shells(x: np.ndarray, lmax: int) -> Iterator[np.ndarray]:
    """Numbers of the rings of each shell."""
    low, span = x.min(), x.max() - x.min()
    count = max(1, math.ceil(span * (lmax + 1) / 2))
    which = np.minimum((count * (x - low) / (span or 1)).astype(int), count - 1)
    for shell in range(count):
        rings = np.flatnonzero(which == shell)
        if rings.size:
            yield rings


def _rings_of(whole: Grid, rings: np.ndarray) -> Grid:
    if len(rings) == whole.nrings:
        return whole
    given = whole.rings[rings]
    return Grid.custom(given["theta"], given["nphi"])


def _continued(alm: np.ndarray, exponent: np.ndarray) -> np.ndarray:
    """Coefficients times exp of a number for each degree."""
    with np.errstate(over="ignore"):
        factor = np.exp(exponent)
    if not np.isfinite(factor).all():
        raise ValueError("a: the powers of r0 / r overflow on the ellipsoid")
    return multiply_window(alm, factor)


def _sums(alm: np.ndarray, lmax: int, grid: Grid, x: np.ndarray) -> np.ndarray:
    """Sum of e^(l x) a_lm Y_lm, of the same times l + 1, and the gradient on the unit sphere."""
    l, nphi = np.arange(lmax + 1.0), int(grid.rings["nphi"][0])
    made = np.zeros((4, grid.nrings, nphi))
    for rings in _shells(x, lmax):
        part = _rings_of(grid, rings)
        value = SHT(part, lmax)
        slope = SHT(part, lmax, spin=1, mode="derivatives") if lmax else None
        nodes, weights = _nodes_of(x[rings], lmax)
        for node, weight in zip(nodes, weights.T):
            at = _continued(alm, l * node)
            maps = np.zeros((4, part.npix))
            maps[:2] = value.synthesis(np.stack([at, multiply_window(at, l + 1)]))
            if slope is not None:
                maps[2:] = slope.synthesis(at)
            made[:, rings] += weight[:, None] * maps.reshape(4, len(rings), nphi)
    return made


def _ellipsoid(cilm: Any, norm: int, lmax: Optional[int], sampling: int, lmax_calc: Optional[int],
               extend: bool, sizes: Tuple[float, float, float], least: int
               ) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sums of the degrees from least on, colatitudes, and radii."""
    r0, a, f = sizes
    given = coefficients(cilm, False)
    lmax, calc = degrees(given, lmax, lmax_calc)
    grid = grid_of(*dh_grid(lmax, sampling, extend))
    cut = np.array(given[:, :calc + 1, :calc + 1])
    cut[:, :least] = 0
    theta = grid.rings["theta"]
    sine, cosine = _directions(theta)
    radius = a / np.hypot(sine, cosine / (1 - f)) if f else np.full(theta.shape, a)
    alm = convert(cut, convention(norm, 1, False), "healpy")
    return _sums(alm, calc, grid, np.log(r0 / radius)), theta, radius


# --- Gravity --------------------------------------------------------------------------------------


def _ratio(square: float) -> float:
    """e' q0' / q0 of an ellipsoid with the square of its second eccentricity e', 3 for a sphere."""
    if square < 0.25:
        n = np.arange(30, 0, -1)
        terms = (-square) ** (n - 1) / ((2 * n + 1) * (2 * n + 3))
        return float(3 * terms.sum() / (n * terms).sum())
    e = math.sqrt(square)
    turn = math.atan(e)
    first = ((1 + 3 / square) * turn - 3 / e) / 2
    return e * (3 * (1 + 1 / square) * (1 - turn / e) - 1) / first


def _normal(sine: np.ndarray, cosine: np.ndarray, gm: float, omega: float, a: float, b: float
            ) -> np.ndarray:
    """Normal gravity at sines and cosines of geocentric colatitudes."""
    if a == b:
        turn = omega ** 2 * a
        return np.hypot(gm / a ** 2 - turn * sine ** 2, turn * sine * cosine)
    m = omega ** 2 * a ** 2 * b / gm
    ratio = _ratio((a - b) * (a + b) / b ** 2)
    equator = gm / (a * b) * (1 - m - m / 6 * ratio)
    pole = gm / a ** 2 * (1 + m / 3 * ratio)
    x, z = b ** 2 * sine, a ** 2 * cosine  # along the normal of the ellipsoid
    return (a * equator * x ** 2 + b * pole * z ** 2) / (np.hypot(a * x, b * z) * np.hypot(x, z))


def NormalGravity(geocentriclat: ArrayLike, gm: float, omega: float, a: float, b: float
                  ) -> np.ndarray:
    """Compute the normal gravity of a rotating ellipsoid by Somigliana's formula.

    Parameters
    ----------
    geocentriclat : array_like
        Geocentric latitudes in degrees, -90 to 90.
    gm : float
        Gravitational constant times mass, in m^3/s^2.
    omega : float
        Angular speed in rad/s.
    a : float
        Semi-major axis in m.
    b : float
        Semi-minor axis in m. On a sphere, where it is `a`, it is the length of gravitation and
        centrifugal acceleration together.

    Returns
    -------
    ndarray or float
        Normal gravity in m/s^2, of the shape of the latitudes.

    Notes
    -----
    Formulas: Hofmann-Wellenhof and Moritz, Physical Geodesy, 2nd ed., (2-141) to (2-146).

    Examples
    --------
    >>> import armilla.pyshtools as pysh
    >>> wgs84 = 3.986004418e14, 7.292115e-5, 6378137.0, 6356752.3142
    >>> pysh.NormalGravity([0, 90], *wgs84).round(8)
    array([9.78032534, 9.83218494])
    """
    latitude = reals(geocentriclat, "geocentriclat")
    if not np.all(np.abs(latitude) <= np.degrees(np.float64(np.float32(np.pi / 2)))):
        raise ValueError("geocentriclat: must be from -90 to 90")
    latitude = np.clip(latitude, -90, 90)  # those that were float32 in radians
    a, b = _positive("a", a), _positive("b", b)
    if b > a:
        raise ValueError(f"b = {b}: must not be above a = {a}")
    sine, cosine = _directions(np.radians(90 - latitude))
    return _normal(sine, cosine, _positive("gm", gm), _finite("omega", omega), a, b)[()]


def MakeGravGridDH(cilm: ArrayLike, gm: float, r0: float, lmax: Optional[int] = None,
                   a: Optional[float] = None, f: float = 0.0, sampling: int = 2,
                   lmax_calc: Optional[int] = None, omega: float = 0.0, normal_gravity: int = 1,
                   normal_gravity_gm: Optional[float] = None, extend: bool = False) -> Maps:
    """Make maps of gravity on a flattened and rotating ellipsoid.

    The potential is V = GM / r times the sum of (r0 / r)^l C_lm Y_lm, gravity its gradient.

    Parameters
    ----------
    cilm : array_like, shape (2, lmaxin + 1, lmaxin + 1)
        The coefficients, in the 4 pi norm.
    gm : float
        Gravitational constant times mass, in m^3/s^2.
    r0 : float
        Radius in m to which the coefficients belong.
    %(lmax.of_cilm)s
    a : float, optional
        Semi-major axis of the ellipsoid in m. By default it is `r0`.
    f : float, optional
        Flattening of the ellipsoid, from 0 to below 1.
    %(sampling)s
    %(lmax_calc)s
    omega : float, optional
        Angular speed in rad/s, for the centrifugal potential and acceleration.
    normal_gravity : {1, 0}, optional
        Whether `NormalGravity` is subtracted from the magnitude.
    normal_gravity_gm : float, optional
        GM of normal gravity. By default it is `gm`.
    %(extend)s

    Returns
    -------
    tuple of ndarray
        Gravity upwards, along theta and along phi; its magnitude, without normal gravity; and the
        potential. At a pole the parts along theta and phi are those of each longitude.

    Notes
    -----
    Positional arguments come in the order of SHTOOLS' function, which is not that of its own
    documentation. The error is some rounding errors of the largest number of a map, before normal
    gravity is subtracted. Cost is that of some 10 syntheses of each map where f is not 0, of one
    otherwise.

    Examples
    --------
    >>> import armilla.pyshtools as pysh, numpy as np
    >>> cilm = np.zeros((2, 3, 3))
    >>> cilm[0, 0, 0], cilm[0, 2, 0] = 1, -4.8417e-4
    >>> maps = pysh.MakeGravGridDH(cilm, 3.986e14, 6378137, f=1 / 298.257, omega=7.292e-5)
    >>> [map.shape for map in maps] == [(6, 12)] * 5, maps[0][[0, 3], 0].round(3)
    (True, array([-9.832, -9.78 ]))
    """
    gm, r0, omega = _finite("gm", gm), _positive("r0", r0), _finite("omega", omega)
    a, f = _positive("a", r0 if a is None else a), _flattening(f)
    if normal_gravity not in (0, 1):
        raise ValueError(f"normal_gravity = {normal_gravity}: must be 0 or 1")
    normal_gm = _positive("normal_gravity_gm" if normal_gravity_gm is not None else "gm",
                          gm if normal_gravity_gm is None else normal_gravity_gm) \
        if normal_gravity else 0.0
    sums, theta, radius = _ellipsoid(cilm, 1, lmax, sampling, lmax_calc, bool(extend),
                                     (r0, a, f), 0)
    sine, cosine = _directions(theta)
    r, turn = radius[:, None], (omega ** 2 * radius * sine)[:, None]
    pot = gm / r * sums[0] + turn * r * sine[:, None] / 2
    up = -gm / r ** 2 * sums[1] + turn * sine[:, None]
    south = gm / r ** 2 * sums[2] + turn * cosine[:, None]
    east = gm / r ** 2 * sums[3]
    total = np.sqrt(up ** 2 + south ** 2 + east ** 2)
    if normal_gravity:
        total -= _normal(sine, cosine, normal_gm, omega, a, a * (1 - f))[:, None]
    up, south, east, total, pot = (closed(map, bool(extend)) for map in
                                   (up, south, east, total, pot))
    return up, south, east, total, pot


def MakeMagGridDH(cilm: ArrayLike, r0: float, lmax: Optional[int] = None,
                  a: Optional[float] = None, f: float = 0.0, sampling: int = 2,
                  lmax_calc: Optional[int] = None, extend: bool = False) -> Maps:
    """Make maps of a magnetic field on a flattened ellipsoid.

    The potential is V = r0 times the sum of (r0 / r)^(l + 1) C_lm Y_lm over l > 0, the field is
    minus its gradient.

    Parameters
    ----------
    cilm : array_like, shape (2, lmaxin + 1, lmaxin + 1)
        The coefficients, in the Schmidt norm, in nT.
    r0 : float
        Radius to which the coefficients belong.
    %(lmax.of_cilm)s
    a : float, optional
        Semi-major axis of the ellipsoid, in the unit of `r0`, which is the default.
    f : float, optional
        Flattening of the ellipsoid, from 0 to below 1.
    %(sampling)s
    %(lmax_calc)s
    %(extend)s

    Returns
    -------
    tuple of ndarray
        The field upwards, along theta and along phi, in nT; its magnitude; and the potential in
        nT times the unit of `r0`. At a pole parts are those of each longitude.
    """
    r0 = _positive("r0", r0)
    a, f = _positive("a", r0 if a is None else a), _flattening(f)
    sums, _, radius = _ellipsoid(cilm, 2, lmax, sampling, lmax_calc, bool(extend), (r0, a, f), 1)
    scale = ((r0 / radius) ** 2)[:, None]
    up, south, east = scale * sums[1], -scale * sums[2], -scale * sums[3]
    total = np.sqrt(up ** 2 + south ** 2 + east ** 2)
    up, south, east, total, pot = (closed(map, bool(extend)) for map in
                                   (up, south, east, total, scale * radius[:, None] * sums[0]))
    return up, south, east, total, pot
