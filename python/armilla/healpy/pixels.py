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

from typing import Any, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._inputs import Error
from .sizes import check_nside

_FACE_ROW = np.array([2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4])  # southern corner, in units of nside
_FACE_COLUMN = np.array([1, 3, 5, 7, 0, 2, 4, 6, 1, 3, 5, 7])  # its longitude, in units of pi / 4


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
    root = np.sqrt(np.asarray(x, float)).astype(np.int64)
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
    return _nest_to_ring(nside, pix) if nest else pix


def _place(nside: Any, ipix: ArrayLike, nest: bool) -> Tuple[Rings, np.ndarray]:
    """Rings of pixels, and phi."""
    pix = pixel_numbers(nside, ipix, nest)
    ring = rings(nside, ring_of(nside, pix))
    return ring, (pix - ring.start + ring.shift) * (2 * np.pi / ring.length)


def _numbers(*arrays: np.ndarray) -> tuple:
    """Arrays without dimensions as numpy numbers."""
    return tuple(a[()] for a in arrays)


# --- Directions -----------------------------------------------------------------------------------


def pix2ang(nside: Any, ipix: ArrayLike, nest: bool = False, lonlat: bool = False) -> tuple:
    """(theta, phi) of pixel centres, or (lon, lat)."""
    ring, phi = _place(nside, ipix, nest)
    if lonlat:
        return _numbers(np.degrees(phi), 90 - np.degrees(ring.theta))
    return _numbers(ring.theta + 0 * phi, phi)


def pix2vec(nside: Any, ipix: ArrayLike, nest: bool = False) -> tuple:
    """(x, y, z) of pixel centres."""
    ring, phi = _place(nside, ipix, nest)
    return _numbers(ring.sine * np.cos(phi), ring.sine * np.sin(phi), ring.z + 0 * phi)


def _nearest(nside: Any, z: np.ndarray, sine: np.ndarray, phi: np.ndarray) -> np.ndarray:
    """RING pixels that hold directions."""
    n = np.asarray(nside, np.int64)
    quarter = np.mod(phi / (np.pi / 2), 4.0)
    quarter = np.where(quarter >= 4, 0.0, quarter)
    up, across = n * (0.5 + quarter), n * z * 0.75
    jp, jm = np.floor(up - across).astype(np.int64), np.floor(up + across).astype(np.int64)
    row = n + 1 + jp - jm
    column = ((jp + jm - n + 2 - (row & 1)) >> 1) % (4 * n)
    flat = 2 * n * (n - 1) + (row - 1) * 4 * n + column
    height = np.abs(z)  # in a cap: distance to the pole, in rings
    apart = np.where(height > 0.99, n * sine / np.sqrt((1 + height) / 3),
                     n * np.sqrt(3 * np.maximum(1 - height, 0)))
    part = quarter - np.floor(quarter)
    row = (np.floor(part * apart) + np.floor((1 - part) * apart)).astype(np.int64) + 1
    row = np.minimum(row, n)
    column = np.minimum(np.floor(quarter * row).astype(np.int64), 4 * row - 1)
    cap = np.where(z > 0, 2 * row * (row - 1) + column, 12 * n * n - 2 * row * (row + 1) + column)
    return np.where(height <= 2 / 3.0, flat, cap)


def colatitude(theta: ArrayLike, phi: ArrayLike, lonlat: bool = False
               ) -> Tuple[np.ndarray, np.ndarray]:
    """theta, phi in radians; an error unless 0 <= theta <= pi (to 1e-5)."""
    theta, phi = np.asarray(theta, float), np.asarray(phi, float)
    if lonlat:
        theta, phi = np.radians(90.0 - phi), np.radians(theta)
    if not np.all((theta >= 0) & (theta <= np.pi + 1e-5)):
        raise Error("latitude: must be -90 to 90 degrees" if lonlat
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
    lon, lat = np.asarray(lon, float), np.asarray(lat, float)
    turned = np.mod(lat + 90, 360)
    beyond = turned > 180
    return (lon if bounce else np.where(beyond, lon + 180, lon),
            np.where(beyond, 360 - turned, turned) - 90)


def ang2pix(nside: Any, theta: ArrayLike, phi: ArrayLike, nest: bool = False,
            lonlat: bool = False, latauto: bool = False, latbounce: bool = True) -> Any:
    """Pixels that hold directions theta, phi, or lon, lat.

    latauto (with lonlat): latitudes beyond a pole are folded back, on the same longitude with
    latbounce, else on the opposite one.
    """
    check_nside(nside, nest)
    if lonlat and latauto:
        theta, phi = _folded(theta, phi, latbounce)
    theta, phi = colatitude(theta, phi, lonlat)
    pix = _nearest(nside, np.cos(theta), np.sin(theta), phi)
    return (_ring_to_nest(nside, pix) if nest else pix)[()]


def vec2pix(nside: Any, x: ArrayLike, y: ArrayLike, z: ArrayLike, nest: bool = False) -> Any:
    """Pixels that hold the directions of vectors, of any length but 0."""
    check_nside(nside, nest)
    x, y, z = (np.asarray(c, float) for c in (x, y, z))
    across = np.hypot(x, y)
    length = np.hypot(across, z)
    if not np.all((length > 0) & np.isfinite(length)):
        raise Error("x, y, z: must be finite, and not all 0")
    pix = _nearest(nside, z / length, across / length, np.arctan2(y, x))
    return (_ring_to_nest(nside, pix) if nest else pix)[()]


def ang2vec(theta: ArrayLike, phi: ArrayLike, lonlat: bool = False) -> np.ndarray:
    """Unit vectors (3,), (n, 3); of angles in two dimensions (n, k): (k, n, 3), as in healpy."""
    theta, phi = colatitude(theta, phi, lonlat)
    sine = np.sin(theta)
    return np.stack(np.broadcast_arrays(sine * np.cos(phi), sine * np.sin(phi), np.cos(theta))).T


def vec2ang(vectors: ArrayLike, lonlat: bool = False) -> Tuple[np.ndarray, np.ndarray]:
    """(theta, phi), 0 <= phi < 2 pi, of vectors (n, 3) or (3,): arrays (n,); or (lon, lat)."""
    x, y, z = np.asarray(vectors, float).reshape(-1, 3).T
    theta, phi = np.arctan2(np.hypot(x, y), z), np.arctan2(y, x)
    phi = np.where(phi < 0, phi + 2 * np.pi, phi)
    return (np.degrees(phi), 90 - np.degrees(theta)) if lonlat else (theta, phi)


def latitudes_below(nside: int, degrees: float) -> np.ndarray:
    """Which RING pixels, boolean (npix,), lie within so many degrees of the equator."""
    ring = rings(nside, np.arange(1, 4 * nside))
    return np.repeat(np.abs(ring.z) < np.sin(np.radians(degrees)), ring.length)


# --- Orders ---------------------------------------------------------------------------------------


def _spread(x: np.ndarray) -> np.ndarray:
    """A bit at place b goes to place 2 b."""
    for shift, mask in ((16, 0x0000FFFF0000FFFF), (8, 0x00FF00FF00FF00FF),
                        (4, 0x0F0F0F0F0F0F0F0F), (2, 0x3333333333333333),
                        (1, 0x5555555555555555)):
        x = (x | (x << shift)) & mask
    return x


def _gather(x: np.ndarray) -> np.ndarray:
    """Inverse of _spread; odd places are dropped."""
    x = x & 0x5555555555555555
    for shift, mask in ((1, 0x3333333333333333), (2, 0x0F0F0F0F0F0F0F0F),
                        (4, 0x00FF00FF00FF00FF), (8, 0x0000FFFF0000FFFF),
                        (16, 0x00000000FFFFFFFF)):
        x = (x | (x >> shift)) & mask
    return x


def _face_to_ring(nside: Any, x: np.ndarray, y: np.ndarray, face: np.ndarray) -> np.ndarray:
    """RING pixels at (x, y) of faces."""
    n = np.asarray(nside, np.int64)
    i = _FACE_ROW[face] * n - x - y - 1
    ring = rings(n, i)
    length = ring.length // 4
    eighths = _FACE_COLUMN[face] * length + x - y  # longitude in units of half a pixel
    half = np.where(ring.shift == 0.5, 1, 0)
    return ring.start + ((eighths - half) >> 1) % ring.length


def _ring_to_face(nside: Any, pix: np.ndarray) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(x, y, face) of RING pixels."""
    n = np.asarray(nside, np.int64)
    i = ring_of(n, pix)
    ring = rings(n, i)
    eighths = 2 * (pix - ring.start) + np.where(ring.shift == 0.5, 1, 0)
    length = ring.length // 4
    quarter = eighths // (2 * length)
    up, down = (eighths + i - n) // (2 * n), (eighths - i + 3 * n) // (2 * n)
    # up: number of lines phi + rows = const of the belt that have been crossed; down: the others
    belt = np.where(up == down, (up & 3) + 4, np.where(up < down, up & 3, (down & 3) + 8))
    face = np.where(i < n, quarter, np.where(i > 3 * n, quarter + 8, belt))
    across = eighths - _FACE_COLUMN[face] * length
    across = np.where(across >= 2 * n, across - 8 * length, across)
    along = _FACE_ROW[face] * n - 1 - i
    return (along + across) >> 1, (along - across) >> 1, face


def _nest_to_ring(nside: Any, pix: np.ndarray) -> np.ndarray:
    n = np.asarray(nside, np.int64)
    face, inside = pix // (n * n), pix % (n * n)
    return _face_to_ring(n, _gather(inside), _gather(inside >> 1), face)


def _ring_to_nest(nside: Any, pix: np.ndarray) -> np.ndarray:
    n = np.asarray(nside, np.int64)
    x, y, face = _ring_to_face(n, pix)
    return face * n * n + _spread(x) + 2 * _spread(y)


def nest2ring(nside: Any, ipix: ArrayLike) -> Any:
    """RING numbers of NESTED pixels."""
    return pixel_numbers(nside, ipix, nest=True)[()]


def ring2nest(nside: Any, ipix: ArrayLike) -> Any:
    """NESTED numbers of RING pixels."""
    check_nside(nside, nest=True)
    return _ring_to_nest(nside, pixel_numbers(nside, ipix))[()]


def pix2xyf(nside: Any, ipix: ArrayLike, nest: bool = False) -> tuple:
    """(x, y, face) of pixels."""
    return _numbers(*_ring_to_face(nside, pixel_numbers(nside, ipix, nest)))


def xyf2pix(nside: Any, x: ArrayLike, y: ArrayLike, face: ArrayLike, nest: bool = False) -> Any:
    """Pixels at (x, y) of faces."""
    check_nside(nside, nest)
    x, y, face = np.broadcast_arrays(x, y, face)
    n = np.asarray(nside)
    if np.any((x < 0) | (x >= n) | (y < 0) | (y >= n) | (face < 0) | (face > 11)):
        raise Error("x, y, face: must be 0 to nside - 1, and 0 to 11")
    pix = _face_to_ring(nside, x, y, face)
    return (_ring_to_nest(nside, pix) if nest else pix)[()]


def pix2ring(nside: int, pix: ArrayLike, nest: bool = False) -> Any:
    """Rings, from 1, of pixels."""
    return ring_of(nside, pixel_numbers(nside, pix, nest))[()]


def ringinfo(nside: int, ring: ArrayLike) -> tuple:
    """Of rings, from 1: first pixel, number of pixels, cos and sin of theta, whether the first
    pixel is half a pixel from phi = 0."""
    check_nside(nside)
    ring = np.asarray(ring)
    if np.any((ring < 1) | (ring > 4 * nside - 1)):
        raise Error("ring: must be 1 to 4 nside - 1")
    told = rings(nside, ring)
    return _numbers(told.start, told.length, told.z, told.sine, told.shift == 0.5)


def max_pixrad(nside: int, degrees: bool = False) -> float:
    """Largest distance from the centre of a pixel to its corners, radians or degrees.

    It is that of the pixels at phi = pi / 4 of the last ring of the polar cap, to their north
    corner.
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
