"""Masks of pixels: distances to the nearest masked pixel, and small holes.

Distances are found top down in the tree of NESTED pixels. A pair of cells of one level, a target
and one with holes, is dropped where its nearest points are farther from each other than the
farthest of another pair of that target; those that are left are split into their children.
"""
from __future__ import annotations

from typing import Any, Iterator, List, Optional, Tuple

import numpy as np

from .._arrays import angle
from ._inputs import Error, integer, nside_of
from .interpolation import get_all_neighbours
from .pixels import max_pixrad, nest2ring, pix2vec, ring2nest

_PAIRS = 1 << 18  # at once
_SQUARE_ARCMIN = 4 * np.pi * (180 * 60 / np.pi) ** 2  # of the sphere


def _mask(m: Any) -> Tuple[np.ndarray, int]:
    """A mask as booleans (npix,), a new array, and nside; of a masked array its mask."""
    given = np.ma.getmaskarray(m) if isinstance(m, np.ma.MaskedArray) else np.asarray(m)
    if given.ndim != 1:
        raise Error(f"mask: has shape {given.shape}, must be (npix,)")
    return given.astype(bool), nside_of(given.size)


def _connected(pixels: np.ndarray, nside: int) -> np.ndarray:
    """Numbers that pixels (n,) of one connected hole share."""
    place = np.full(12 * nside * nside + 1, -1)
    place[pixels] = np.arange(pixels.size)
    beside = place[get_all_neighbours(nside, pixels)]  # no neighbour: -1, the last, which is none
    beside = np.where(beside < 0, np.arange(pixels.size), beside)
    label = np.arange(pixels.size)
    while True:
        least = np.minimum(label, label[beside].min(axis=0))
        np.minimum.at(least, label, least.copy())  # what a pixel learns its label learns
        least = least[least]
        if np.array_equal(least, label):
            return label
        label = least


def fill_small_holes(mask: Any, min_size: Optional[int] = None,
                     min_area_arcmin2: Optional[float] = None) -> np.ndarray:
    """Mask (npix,), booleans, without the connected holes that are smaller than one of the limits.

    mask: RING, true where masked. min_size: pixels; min_area_arcmin2: square arcminutes. Pixels
    are connected with their eight neighbours.
    """
    made, nside = _mask(mask)
    least = 0 if min_size is None else integer("min_size", min_size)
    area = 0.0 if min_area_arcmin2 is None else float(min_area_arcmin2)
    if not area >= 0:
        raise Error(f"min_area_arcmin2 = {min_area_arcmin2}: must be at least 0")
    holes = np.flatnonzero(made)
    if holes.size:
        labels = _connected(holes, nside)
        sizes = np.bincount(labels)[labels]
        made[holes[(sizes < least) | (sizes * (_SQUARE_ARCMIN / made.size) < area)]] = False
    return made


def _rims(mask: np.ndarray, nside: int) -> np.ndarray:
    """Masked pixels, RING, with a neighbour that is not: no others are nearest to a valid pixel."""
    holes = np.flatnonzero(mask)
    beside = get_all_neighbours(nside, holes)
    return holes[((beside >= 0) & ~mask[beside]).any(axis=0)]


def _runs(first: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """first[0], first[0] + 1, ..., then first[1], ...: counts of them each."""
    return np.arange(counts.sum()) + np.repeat(first - (np.cumsum(counts) - counts), counts)


class _Cells:
    """Cells of one level, NESTED and sorted."""

    def __init__(self, nside: int, pixels: np.ndarray, below: Optional["_Cells"]) -> None:
        self.pixels = pixels
        self.vectors = np.array(pix2vec(nside, pixels, nest=True)).T.copy()
        if below is not None:  # the first child of each, and how many
            self.first = np.searchsorted(below.pixels, 4 * pixels)
            self.children = np.searchsorted(below.pixels, 4 * pixels + 4) - self.first


def _tree(nside: int, pixels: np.ndarray) -> List[_Cells]:
    """Cells with these pixels at nside 1, 2, 4, ... nside."""
    made: List[_Cells] = []
    while nside >= 1:
        made.insert(0, _Cells(nside, pixels, made[0] if made else None))
        nside, pixels = nside // 2, np.unique(pixels >> 2)
    return made


def _nearest(targets: List[_Cells], sources: List[_Cells]) -> np.ndarray:
    """Distances, radians, of the targets of the last level to the nearest source of it."""
    found = np.full(targets[-1].pixels.size, np.inf)
    every = np.arange(sources[0].pixels.size)
    waiting = [(0, np.arange(targets[0].pixels.size),
                np.tile(every, targets[0].pixels.size),
                np.full(targets[0].pixels.size, every.size))]
    while waiting:  # (level, places of targets, places of sources of each, how many of each)
        level, target, source, counts = waiting.pop()
        apart = targets[level].vectors[np.repeat(target, counts)] - sources[level].vectors[source]
        square = np.einsum("ij,ij->i", apart, apart)
        starts = np.cumsum(counts) - counts
        nearest = 2 * np.arcsin(np.minimum(np.sqrt(np.minimum.reduceat(square, starts)) / 2, 1))
        if level + 1 == len(targets):
            found[target] = nearest
            continue
        limit = np.minimum(nearest + 4 * max_pixrad(1 << level) + 1e-12, np.pi)
        kept = square <= np.repeat(4 * np.sin(limit / 2) ** 2 * (1 + 1e-12), counts)
        counts = np.add.reduceat(kept, starts, dtype=np.int64)
        waiting += _children(targets[level], sources[level], level, target, source[kept], counts)
    return found


def _children(targets: _Cells, sources: _Cells, level: int, target: np.ndarray,
              source: np.ndarray, counts: np.ndarray
              ) -> Iterator[Tuple[int, np.ndarray, np.ndarray, np.ndarray]]:
    """What waits at the next level, in parts: children of targets, with those of their sources."""
    below = sources.children[source]
    starts = np.cumsum(counts) - counts
    places = _runs(sources.first[source], below)  # of children of sources, target after target
    of_each = np.add.reduceat(below, starts)
    first = np.cumsum(of_each) - of_each
    pairs = np.cumsum(of_each * targets.children[target])
    for part in np.split(np.arange(target.size), np.searchsorted(
            pairs, np.arange(_PAIRS, pairs[-1], _PAIRS))):
        if part.size:
            some = targets.children[target[part]]
            counts = np.repeat(of_each[part], some)
            yield (level + 1, _runs(targets.first[target[part]], some),
                   places[_runs(np.repeat(first[part], some), counts)], counts)


def dist2holes(m: Any, maxdist: float = np.pi, hole_min_size: Optional[int] = None,
               hole_min_surf_arcmin2: Optional[float] = None) -> np.ndarray:
    """Compute the distances of pixels to the nearest masked one.

    Parameters
    ----------
    m : array_like, shape (npix,)
        Mask in RING order, true where masked; or a masked array. nside must be a power of two.
    maxdist : float, optional
        Largest distance in radians, which is also that of a mask without holes.
    hole_min_size : int, optional
        Holes with fewer pixels do not count.
    hole_min_surf_arcmin2 : float, optional
        Holes with a smaller area, in square minutes of arc, do not count.

    Returns
    -------
    ndarray, shape (npix,)
        Distances between centres of pixels in radians; exact.

    Raises
    ------
    ValueError
        If no HEALPix map has this many pixels, or nside is not a power of two.
    """
    try:
        mask = fill_small_holes(m, hole_min_size, hole_min_surf_arcmin2)
    except Error as error:
        text = str(error).replace("min_size", "hole_min_size")
        raise Error(text.replace("min_area_arcmin2", "hole_min_surf_arcmin2")) from error
    nside, maxdist = nside_of(mask.size), angle("maxdist", maxdist)
    if not mask.any() or mask.all():
        return np.full(mask.size, 0.0 if mask.any() else maxdist)
    if nside & (nside - 1):
        raise Error(f"nside = {nside}: must be a power of two")
    rims = np.sort(ring2nest(nside, _rims(mask, nside)))
    targets = np.sort(ring2nest(nside, np.flatnonzero(~mask)))
    made = np.zeros(mask.size)
    made[nest2ring(nside, targets)] = np.minimum(
        _nearest(_tree(nside, targets), _tree(nside, rims)), maxdist)
    return made
