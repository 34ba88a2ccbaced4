"""Pixels in discs, polygons and strips.

inclusive: pixels that overlap with the region, and maybe a few more: those that hold a pixel of
nside * fact whose centre is no farther from the region than its largest radius.
"""
from __future__ import annotations

from typing import Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._inputs import Error, Failure, integer
from .pixels import _nearest, max_pixrad, optional_sort, ring2nest, rings
from .sizes import check_nside


def _pixels(nside: int, first: np.ndarray, count: np.ndarray, ring: np.ndarray) -> np.ndarray:
    """Pixels first, first + 1, ... (modulo the ring), count of them, of rings; sorted."""
    told = rings(nside, ring)
    count = np.clip(count, 0, told.length)
    step = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    inside = (np.repeat(first, count) + step) % np.repeat(told.length, count)
    return np.sort(np.repeat(told.start, count) + inside)


def _unit(vec: ArrayLike) -> np.ndarray:
    vec = np.asarray(vec, float)
    length = np.linalg.norm(vec, axis=-1, keepdims=True)
    if vec.shape[-1] != 3 or not np.all(np.isfinite(length) & (length > 0)):
        raise Error("vec: must be (3,), finite, and not 0")
    return vec / length


def _disc(nside: int, centre: np.ndarray, radius: float) -> np.ndarray:
    """RING pixels with centres within radius."""
    if radius < 0:
        return np.empty(0, np.int64)
    i = np.arange(1, 4 * nside)
    if radius >= np.pi:
        return np.arange(12 * nside * nside)
    told = rings(nside, i)
    across = np.hypot(centre[0], centre[1])
    theta, phi = np.arctan2(across, centre[2]), np.arctan2(centre[1], centre[0])
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = (np.cos(radius) - told.z * centre[2]) / (told.sine * across)
    near = np.abs(told.theta - theta) <= radius
    cosine = np.where(np.isnan(cosine), np.where(near, -1, 1), cosine)
    half = np.arccos(np.clip(cosine, -1, 1))
    first = np.ceil((phi - half) * told.length / (2 * np.pi) - told.shift)
    last = np.floor((phi + half) * told.length / (2 * np.pi) - told.shift)
    count = np.where(cosine <= -1, told.length, last - first + 1)
    count = np.where((cosine > 1) | ~near, 0, count)
    return _pixels(nside, first.astype(np.int64), count.astype(np.int64), i)


def _centres(nside: int, pix: np.ndarray) -> np.ndarray:
    from .pixels import pix2vec
    return np.stack(pix2vec(nside, pix), axis=-1)


def _parents(nside: int, fine: int, pix: np.ndarray) -> np.ndarray:
    """Pixels of nside that hold the centres of pixels of a finer map."""
    if pix.size == 0:
        return pix
    x, y, z = _centres(fine, pix).T
    return np.unique(_nearest(nside, z, np.hypot(x, y), np.arctan2(y, x)))


def _fine(nside: int, fact: int, nest: bool) -> int:
    fact = integer("fact", fact, 1)
    if nest and fact & (fact - 1):
        raise Error(f"fact = {fact}: must be a power of two with nest = True")
    return nside * fact


def _result(nside: int, pix: np.ndarray, nest: bool, buff: Optional[np.ndarray],
            return_ranges: bool, ordered: bool = True) -> np.ndarray:
    if nest:
        pix = ring2nest(nside, pix)
        pix = np.sort(pix) if ordered or return_ranges else pix
    if not return_ranges:
        return optional_sort(pix, buff)
    if buff is not None:
        raise Error("buff: cannot be used with return_ranges = True")
    if pix.size == 0:
        return np.empty((0, 2), np.int64)
    breaks = np.flatnonzero(np.diff(pix) > 1)
    return np.stack([pix[np.append(0, breaks + 1)], pix[np.append(breaks, -1)] + 1], axis=1)


def query_disc(nside: int, vec: ArrayLike, radius: float, inclusive: bool = False, fact: int = 4,
               nest: bool = False, buff: Optional[np.ndarray] = None,
               return_ranges: bool = False) -> np.ndarray:
    """Pixels with centres within radius (radians) of the direction vec (3,), sorted.

    inclusive: also those that overlap with the disc, and maybe a few more. buff: array for the
    result. return_ranges: (n, 2), first and end of runs of pixels, instead.
    """
    check_nside(nside, nest)
    centre = _unit(vec)
    if inclusive and radius >= 0:
        fine = _fine(nside, fact, nest)
        pix = _parents(nside, fine, _disc(fine, centre, radius + max_pixrad(fine)))
    else:
        pix = _disc(nside, centre, radius)
    return _result(nside, pix, nest, buff, return_ranges)


def _edges(vertices: ArrayLike) -> Tuple[np.ndarray, np.ndarray]:
    """Inward normals (n, 3) of a convex polygon, and its vertices."""
    corner = _unit(vertices)
    if corner.ndim != 2 or len(corner) < 3:
        raise Failure("vertices: must be (n, 3) with n >= 3")
    normal = np.cross(corner, np.roll(corner, -1, axis=0))
    sides = np.einsum("ij,ij->i", normal, np.roll(corner, -2, axis=0))
    if np.any(np.abs(sides) < 1e-10) or not (np.all(sides > 0) or np.all(sides < 0)):
        raise Failure("vertices: the polygon must be convex, without repeated or aligned corners")
    return _unit(normal * np.sign(sides[0])), corner


def query_polygon(nside: int, vertices: ArrayLike, inclusive: bool = False, fact: int = 4,
                  nest: bool = False, buff: Optional[np.ndarray] = None,
                  return_ranges: bool = False) -> np.ndarray:
    """Pixels with centres in a convex polygon of vertices (n, 3); other arguments as query_disc."""
    check_nside(nside, nest)
    normal, corner = _edges(vertices)
    fine, slack = nside, 0.0
    if inclusive:
        fine = _fine(nside, fact, nest)
        slack = float(max_pixrad(fine))
    centre = _unit(corner.sum(axis=0))
    reach = np.arccos(np.clip((corner @ centre).min(), -1, 1)) + slack + 1e-9
    if reach > np.pi / 2:  # the middle of an edge may be farther away than its ends
        reach = np.pi
    pix = _disc(fine, centre, reach)
    inside = (_centres(fine, pix) @ normal.T >= -np.sin(slack)).all(axis=1)
    pix = _parents(nside, fine, pix[inside]) if inclusive else pix[inside]
    return _result(nside, pix, nest, buff, return_ranges)


def query_strip(nside: int, theta1: float, theta2: float, inclusive: bool = False,
                nest: bool = False, buff: Optional[np.ndarray] = None,
                return_ranges: bool = False) -> np.ndarray:
    """Pixels with centres at colatitudes theta1 to theta2, radians; theta1 > theta2: the pixels
    with theta >= theta1 or <= theta2. In the order of the rings, with nest, too.
    inclusive: refused."""
    check_nside(nside, nest)
    if inclusive:
        raise NotImplementedError("inclusive = True: not for strips; make the strip wider by "
                                  "max_pixrad(nside)")
    i = np.arange(1, 4 * nside)
    told = rings(nside, i)
    after, before = told.theta >= theta1, told.theta <= theta2
    kept = after & before if theta1 <= theta2 else after | before
    count = np.where(kept, told.length, 0)
    pix = _pixels(nside, 0 * i, count, i)
    return _result(nside, pix, nest, buff, return_ranges, ordered=False)
