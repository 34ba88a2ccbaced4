"""Pixels of HEALPix: directions, RING and NESTED numbers. Any nside in RING, powers of 2 in NESTED.

Ring i = 1 .. 4 nside - 1 from the north; pixel j = 0, 1, ... of it lies at phi = (j + s) 2 pi / n:

    i < nside          n = 4 i       s = 1/2                            z = 1 - i^2 / (3 nside^2)
    nside .. 3 nside   n = 4 nside   s = 1/2 (i - nside even) or 0      z = 4/3 - 2 i / (3 nside)
    i > 3 nside        mirror image of 4 nside - i

NESTED numbers interleave the bits of (x, y) in one of 12 faces, x to the north-east, y to the
north-west. Angles: radians; lonlat: longitude and latitude in degrees.
Reference: Gorski et al. 2005, ApJ 622, 759.
"""
from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from .. import healpix
from .._arrays import angles, reals
from ._inputs import Error, in_radians
from .sizes import _LARGEST, check_nside

class Rings(NamedTuple):
    """Properties of rings i; arrays of one shape."""

    start: np.ndarray  # first pixel
    length: np.ndarray  # pixels
    shift: np.ndarray  # phi of the first pixel, in pixels
    theta: np.ndarray
    z: np.ndarray
    sine: np.ndarray  # sin(theta)


def rings(nside: Any, i: ArrayLike) -> Rings:
    """Rings i, 1 <= i <= 4 nside - 1."""
    n, i = np.asarray(nside, np.int64), np.asarray(i, np.int64)
    north = np.minimum(i, 4 * n - i)  # distance to the nearer pole
    cap = north < n
    flat = np.clip(i, n, 3 * n)
    start = np.where(cap, np.where(i < n, 2 * i * (i - 1), 12 * n * n - 2 * north * (north + 1)),
                     2 * n * (n - 1) + (flat - n) * 4 * n)
    half_sine = north / (np.sqrt(6.0) * n)  # of theta / 2, in the caps
    z = np.where(cap, 1 - 2 * half_sine ** 2, (2 * n - flat) * 2 / (3.0 * n))
    theta = np.where(cap, 2 * np.arcsin(np.minimum(half_sine, 1)), np.arccos(np.clip(z, -1, 1)))
    south = cap & (i > n)
    z, theta = np.where(south, -z, z), np.where(south, np.pi - theta, theta)
    sine = np.where(cap, 2 * half_sine * np.sqrt(np.maximum(1 - half_sine ** 2, 0)),
                    np.sqrt(np.maximum((1 - z) * (1 + z), 0)))
    shift = np.where(cap | ((i - n) & 1 == 0), 0.5, 0.0)
    return Rings(start, np.where(cap, 4 * north, 4 * n), shift, theta, z, sine)


def _whole_root(x: np.ndarray) -> np.ndarray:
    """Floor of the square root of integers."""
    root = np.sqrt(x).astype(np.int64)
    root = np.where(root * root > x, root - 1, root)
    return np.where((root + 1) ** 2 <= x, root + 1, root)


def ring_of(nside: Any, pix: np.ndarray) -> np.ndarray:
    """Rings of RING pixels."""
    n = np.asarray(nside, np.int64)
    cap, npix = 2 * n * (n - 1), 12 * n * n
    near = np.minimum(pix, npix - 1 - pix)
    ring = np.where(near < cap, (1 + _whole_root(1 + 2 * np.minimum(near, cap))) >> 1,
                    (near - cap) // (4 * n) + n)
    south = (pix >= npix - cap)
    return np.where(south, 4 * n - ring,
                    np.where(pix < cap, ring, (np.maximum(pix, cap) - cap) // (4 * n) + n))


# --- Calls ----------------------------------------------------------------------------------------


def one_nside(nside: Any, nest: bool = False) -> int:
    """nside as an integer; 0 for an array of several. An error unless it is one."""
    if nside.__class__ is int and 0 < nside <= _LARGEST and not (nest and nside & (nside - 1)):
        return int(nside)
    check_nside(nside, nest)
    return int(nside) if np.ndim(nside) == 0 else 0


def wrong(error: Exception, **names: str) -> Error:
    """What armilla.healpix says of its arguments, by the names that they have here."""
    text = str(error)
    for name, here in names.items():
        text = text.replace(name, here)
    return Error(text)


def _workers(given: Any) -> int:
    """Threads: not asked for where one will do."""
    return 0 if isinstance(given, np.ndarray) and given.size > 16384 else 1


def _each(nside: Any, function: Callable[..., Any], *given: ArrayLike) -> Any:
    """A function of one nside, for arrays of nside that are broadcast with its arguments."""
    sides, *arrays = np.broadcast_arrays(nside, *given)
    made: Any = None
    for n in np.unique(sides):
        here = sides == n
        part = function(int(n), *(a[here] for a in arrays))
        parts = part if isinstance(part, tuple) else (part,)
        if made is None:
            made = tuple(np.empty(sides.shape, p.dtype) for p in parts)
        for whole, values in zip(made, parts):
            whole[here] = values
    if made is None:  # no elements: types and number of results as of one pixel
        part = function(1, *(np.zeros(0, a.dtype) for a in arrays))
        parts = part if isinstance(part, tuple) else (part,)
        made = tuple(np.empty(sides.shape, p.dtype) for p in parts)
    return made if len(made) > 1 else made[0]


def pixel_numbers(nside: Any, ipix: ArrayLike, nest: bool = False) -> np.ndarray:
    """Pixel numbers as RING, int64; an error if one is out of range."""
    check_nside(nside, nest)
    pix = np.asarray(ipix)
    if pix.size == 0:
        pix = pix.astype(np.int64)
    if pix.dtype.kind not in "iu":
        raise Error(f"ipix: has type {pix.dtype}, must be integers")
    pix = pix.astype(np.int64)
    if np.any((pix < 0) | (pix >= 12 * np.asarray(nside, np.int64) ** 2)):
        raise Error(f"ipix: must be 0 to 12 nside^2 - 1, nside = {nside}")
    return np.asarray(nest2ring(nside, pix)) if nest else pix


def _numbers(*arrays: np.ndarray) -> tuple:
    """Arrays without dimensions as numpy numbers."""
    return tuple(a[()] for a in arrays)


# --- Directions -----------------------------------------------------------------------------------


def pix2ang(nside: Any, ipix: ArrayLike, nest: bool = False, lonlat: bool = False) -> tuple:
    """Return the directions of the centres of pixels.

    Parameters
    ----------
    %(nside.broadcast)s
    %(ipix)s
    %(nest)s
    %(lonlat.result)s

    Returns
    -------
    theta : float64 or ndarray
        Colatitudes in radians; with `lonlat`, longitudes in degrees.
    phi : float64 or ndarray
        Longitudes in radians; with `lonlat`, latitudes in degrees.

    %(Raises.number)s

    Examples
    --------
    >>> import armilla.healpy as hp
    >>> lon, lat = hp.pix2ang(16, 1440, lonlat=True)
    >>> float(lon.round(3)), float(lat.round(3))
    (0.0, 2.388)
    """
    n = one_nside(nside, nest)
    if n == 0:
        return tuple(_each(nside, lambda one, pix: pix2ang(one, pix, nest, lonlat), ipix))
    try:
        theta, phi = healpix.pixel_to_ang(n, ipix, nested=nest, nthreads=_workers(ipix))
    except (TypeError, ValueError) as error:
        raise wrong(error, pixels="ipix") from error
    return (np.degrees(phi), 90 - np.degrees(theta)) if lonlat else (theta, phi)


def pix2vec(nside: Any, ipix: ArrayLike, nest: bool = False) -> tuple:
    """Return the unit vectors of the centres of pixels.

    Parameters
    ----------
    %(nside.broadcast)s
    %(ipix)s
    %(nest)s

    Returns
    -------
    x : float64 or ndarray
        First components.
    y : float64 or ndarray
        Second components.
    z : float64 or ndarray
        Third components.

    %(Raises.number)s
    """
    n = one_nside(nside, nest)
    if n == 0:
        return tuple(_each(nside, lambda one, pix: pix2vec(one, pix, nest), ipix))
    try:
        x, y, z = healpix.pixel_to_vec(n, ipix, nested=nest, axis=0, nthreads=_workers(ipix))
    except (TypeError, ValueError) as error:
        raise wrong(error, pixels="ipix") from error
    return x, y, z


def colatitude(theta: ArrayLike, phi: ArrayLike, lonlat: bool = False,
               words_of_latitude: bool = False) -> Tuple[np.ndarray, np.ndarray]:
    """theta, phi in radians; an error unless 0 <= theta <= pi (to 1e-5).

    lonlat: given are longitude and latitude, degrees; words_of_latitude: they once were.
    """
    theta, phi = in_radians(theta, phi, lonlat)
    if not np.all((theta >= 0) & (theta <= np.pi + 1e-5)):
        raise Error("latitude: must be -90 to 90 degrees" if lonlat or words_of_latitude
                    else "theta: must be 0 to pi")
    if not np.all(np.isfinite(phi)):
        raise Error("phi, or longitude: must be finite")
    beyond = theta > np.pi  # by the little that is allowed: on the other side of the pole
    if beyond.any():
        phi = np.where(beyond, phi + np.pi, phi)
        theta = np.where(beyond, 2 * np.pi - theta, theta)
    return theta, phi


def _folded(lon: ArrayLike, lat: ArrayLike, bounce: bool) -> Tuple[np.ndarray, np.ndarray]:
    """Any latitude, degrees, carried on over the poles; bounce: back on the same longitude."""
    lon, lat = (reals(angles(given, name, "deg"), name)
                for given, name in ((lon, "lon"), (lat, "lat")))
    turned = np.mod(lat + 90, 360)
    beyond = turned > 180
    return (lon if bounce else np.where(beyond, lon + 180, lon),
            np.where(beyond, 360 - turned, turned) - 90)


def ang2pix(nside: Any, theta: ArrayLike, phi: ArrayLike, nest: bool = False,
            lonlat: bool = False, latauto: bool = False, latbounce: bool = True) -> Any:
    """Return the pixels that hold directions.

    Parameters
    ----------
    %(nside.broadcast)s
    %(theta.to_pi)s
    %(phi.lonlat)s
    %(nest)s
    %(lonlat.given)s
    latauto : bool, optional
        With `lonlat`, whether latitudes beyond a pole are folded back.
    latbounce : bool, optional
        With `latauto`, whether they come back on the same longitude. Otherwise they do so on the
        opposite one.

    %(Returns.pixel)s

    %(Raises.number)s

    Examples
    --------
    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> int(hp.ang2pix(16, np.pi / 2, 0.0))
    1440
    >>> hp.ang2pix(16, [0.0, 90.0], [45.0, -45.0], lonlat=True)
    array([ 420, 2607])
    """
    n = one_nside(nside, nest)
    if lonlat and latauto:
        theta, phi = _folded(theta, phi, latbounce)
    if lonlat or n == 0:
        theta, phi = in_radians(theta, phi, lonlat)
    if n == 0:
        return _each(nside, lambda one, a, b: ang2pix(one, a, b, nest), theta, phi)
    workers = _workers(theta)
    try:
        return healpix.ang_to_pixel(n, theta, phi, nested=nest, nthreads=workers)
    except ValueError:
        theta, phi = colatitude(theta, phi, words_of_latitude=lonlat)
    return healpix.ang_to_pixel(n, theta, phi, nested=nest, nthreads=workers)


def vec2pix(nside: Any, x: ArrayLike, y: ArrayLike, z: ArrayLike, nest: bool = False) -> Any:
    """Return the pixels that hold the directions of vectors.

    Parameters
    ----------
    %(nside.broadcast)s
    x : float or array_like
        First components; vectors may have any length but 0.
    y : float or array_like
        Second components.
    z : float or array_like
        Third components.
    %(nest)s

    %(Returns.pixel)s

    Raises
    ------
    ValueError
        If a vector is 0 or not finite.
    """
    n = one_nside(nside, nest)
    if n == 0:
        return _each(nside, lambda one, a, b, c: vec2pix(one, a, b, c, nest), x, y, z)
    if isinstance(x, float) and isinstance(y, float) and isinstance(z, float):
        try:
            return healpix._vec_to_one_pixel(n, [x, y, z], nest)
        except ValueError as error:
            raise wrong(error, vectors="x, y, z ") from error
    try:
        vectors = reals((x, y, z), "x, y, z")
    except ValueError:  # of several shapes
        vectors = reals(np.broadcast_arrays(x, y, z), "x, y, z")
    try:
        return healpix.vec_to_pixel(n, vectors, nested=nest, axis=0, nthreads=_workers(vectors))
    except ValueError as error:
        raise wrong(error, vectors="x, y, z ") from error


def ang2vec(theta: ArrayLike, phi: ArrayLike, lonlat: bool = False) -> np.ndarray:
    """Return the unit vectors of directions.

    Parameters
    ----------
    %(theta.to_pi)s
    %(phi.lonlat)s
    %(lonlat.given)s

    Returns
    -------
    ndarray, shape (3,) or (n, 3)
        Unit vectors; of angles (n, k) the shape is (k, n, 3), as in healpy.

    Raises
    ------
    ValueError
        If an angle is out of range.
    """
    theta, phi = colatitude(theta, phi, lonlat)
    sine = np.sin(theta)
    return np.stack(np.broadcast_arrays(sine * np.cos(phi), sine * np.sin(phi), np.cos(theta))).T


def vec2ang(vectors: ArrayLike, lonlat: bool = False) -> Tuple[np.ndarray, np.ndarray]:
    """Return the directions of vectors.

    Parameters
    ----------
    vectors : array_like, shape (3,) or (n, 3)
        Vectors of any length.
    lonlat : bool, optional
        Whether longitude and latitude in degrees are returned.

    Returns
    -------
    theta : ndarray, shape (n,)
        Colatitudes in radians; with `lonlat`, longitudes in degrees.
    phi : ndarray, shape (n,)
        Longitudes from 0 to 2 pi in radians; with `lonlat`, latitudes in degrees.
    """
    x, y, z = reals(vectors, "vectors").reshape(-1, 3).T
    theta, phi = np.arctan2(np.hypot(x, y), z), np.arctan2(y, x)
    phi = np.where(phi < 0, phi + 2 * np.pi, phi)
    return (np.degrees(phi), 90 - np.degrees(theta)) if lonlat else (theta, phi)


def latitudes_below(nside: int, degrees: float) -> np.ndarray:
    """Which RING pixels, boolean (npix,), lie within so many degrees of the equator.

    Compared are degrees, as pix2ang tells them: rounding decides of rings at the limit, here as in
    healpy.
    """
    ring = rings(nside, np.arange(1, 4 * nside))
    latitude = pix2ang(nside, ring.start, lonlat=True)[1]
    return np.repeat(np.abs(latitude) < degrees, ring.length)


# --- Orders ---------------------------------------------------------------------------------------


def _renumbered(nside: Any, ipix: ArrayLike, function: Callable[..., Any]) -> Any:
    n = one_nside(nside, nest=True)
    if n == 0:
        return _each(nside, lambda one, pix: _renumbered(one, pix, function), ipix)
    try:
        return function(n, ipix, nthreads=_workers(ipix))
    except (TypeError, ValueError) as error:
        raise wrong(error, pixels="ipix") from error


def nest2ring(nside: Any, ipix: ArrayLike) -> Any:
    """Return the RING numbers of NESTED pixels.

    Parameters
    ----------
    nside : int or array_like
        Resolution, a power of two.
    ipix : int or array_like of int
        NESTED numbers.

    Returns
    -------
    int64 or ndarray of int64
        RING numbers.

    %(Raises.number)s

    Examples
    --------
    >>> import armilla.healpy as hp
    >>> hp.nest2ring(2, [0, 1, 2, 3])
    array([13,  5,  4,  0])
    """
    return _renumbered(nside, ipix, healpix.nest_to_ring)


def ring2nest(nside: Any, ipix: ArrayLike) -> Any:
    """Return the NESTED numbers of RING pixels.

    Parameters
    ----------
    nside : int or array_like
        Resolution, a power of two.
    ipix : int or array_like of int
        RING numbers.

    Returns
    -------
    int64 or ndarray of int64
        NESTED numbers.

    %(Raises.number)s
    """
    return _renumbered(nside, ipix, healpix.ring_to_nest)


def pix2xyf(nside: Any, ipix: ArrayLike, nest: bool = False) -> tuple:
    """Return the places of pixels in the twelve faces.

    Parameters
    ----------
    %(nside.broadcast)s
    %(ipix)s
    %(nest)s

    Returns
    -------
    x : int64 or ndarray of int64
        Columns in the faces, to the north-east.
    y : int64 or ndarray of int64
        Rows in the faces, to the north-west.
    face : int64 or ndarray of int64
        Numbers of the faces, 0 to 11.

    %(Raises.number)s
    """
    n = one_nside(nside, nest)
    if n == 0:
        return tuple(_each(nside, lambda one, pix: pix2xyf(one, pix, nest), ipix))
    try:
        return healpix.pixel_to_face(n, ipix, nested=nest, nthreads=_workers(ipix))
    except (TypeError, ValueError) as error:
        raise wrong(error, pixels="ipix") from error


def xyf2pix(nside: Any, x: ArrayLike, y: ArrayLike, face: ArrayLike, nest: bool = False) -> Any:
    """Return the pixels at places in the twelve faces.

    Parameters
    ----------
    %(nside.broadcast)s
    x : int or array_like of int
        Columns in the faces, to the north-east.
    y : int or array_like of int
        Rows in the faces, to the north-west.
    face : int or array_like of int
        Numbers of the faces, 0 to 11.
    %(nest)s

    %(Returns.pixel)s

    %(Raises.number)s
    """
    n = one_nside(nside, nest)
    if n == 0:
        return _each(nside, lambda one, a, b, c: xyf2pix(one, a, b, c, nest), x, y, face)
    try:
        return healpix.face_to_pixel(n, x, y, face, nested=nest, nthreads=_workers(x))
    except (TypeError, ValueError) as error:
        raise Error(str(error)) from error


def pix2ring(nside: int, pix: ArrayLike, nest: bool = False) -> Any:
    """Return the rings of pixels.

    Parameters
    ----------
    %(nside)s
    pix : int or array_like of int
        Pixel numbers.
    %(nest)s

    Returns
    -------
    int64 or ndarray of int64
        Numbers of the rings, from 1 at the north pole.

    %(Raises.number)s
    """
    return ring_of(nside, pixel_numbers(nside, pix, nest))[()]


def ringinfo(nside: int, ring: ArrayLike) -> tuple:
    """Describe rings of pixels.

    Parameters
    ----------
    %(nside)s
    ring : int or array_like of int
        Numbers of the rings, 1 to 4 nside - 1 from the north pole.

    Returns
    -------
    startpix : int64 or ndarray
        First pixels, in RING order.
    ringpix : int64 or ndarray
        Numbers of pixels.
    costheta : float64 or ndarray
        Cosines of the colatitudes.
    sintheta : float64 or ndarray
        Sines of the colatitudes.
    shifted : bool or ndarray of bool
        Whether the first pixel is half a pixel from longitude 0.

    %(Raises.number)s
    """
    check_nside(nside)
    ring = np.asarray(ring)
    if np.any((ring < 1) | (ring > 4 * nside - 1)):
        raise Error("ring: must be 1 to 4 nside - 1")
    told = rings(nside, ring)
    return _numbers(told.start, told.length, told.z, told.sine, told.shift == 0.5)


def max_pixrad(nside: int, degrees: bool = False) -> float:
    """Return the largest distance from the centre of a pixel to its corners.

    Parameters
    ----------
    %(nside)s
    degrees : bool, optional
        Whether the result is in degrees. By default it is in radians.

    Returns
    -------
    float
        The distance: that of the pixels at phi = pi / 4 of the last ring of the polar cap, to
        their north corner.

    Raises
    ------
    ValueError
        If `nside` is out of range.
    """
    check_nside(nside)
    centre = np.array([np.sin(np.arccos(2 / 3.0)) * np.cos(np.pi / (4 * nside)),
                       np.sin(np.arccos(2 / 3.0)) * np.sin(np.pi / (4 * nside)), 2 / 3.0])
    height = 1 - (1 - 1.0 / nside) ** 2 / 3
    top = np.array([np.sqrt(1 - height ** 2), 0.0, height])
    radius = np.arctan2(np.linalg.norm(np.cross(centre, top)), centre @ top)
    return np.degrees(radius) if degrees else radius


def optional_sort(pix: np.ndarray, buff: Optional[np.ndarray]) -> np.ndarray:
    """Pixels into the caller's array, if there is one."""
    if buff is None:
        return pix
    if not isinstance(buff, np.ndarray) or buff.dtype.kind != "i" or buff.size < pix.size:
        raise Error(f"buff: must be an array of at least {pix.size} integers")
    buff[: pix.size] = pix
    return buff[: pix.size]
