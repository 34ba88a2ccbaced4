"""Weights of the pixels in analysis, of rings or of pixels, computed or read.

The files are those of healpy-data: weight_ring_n00064.fits, one number per ring from the north pole
to the equator, and full_weights/healpix_full_weights_nside_0064.fits, one number per class of
pixels that the symmetries of the grid take into each other. A number w means weight 1 + w.
"""
from __future__ import annotations

import os
from typing import Any, NamedTuple, Optional

import numpy as np

from .. import io as _io
from . import pixel_weights
from .._errors import shown as _shown
from ._inputs import Error, NoFile
from .pixels import rings


class Weights(NamedTuple):
    """How the pixels of an analysis count."""

    factors: Optional[np.ndarray] = None  # (npix,), relative to 4 pi / npix
    computed: bool = False  # ring weights of the library
    iterates: bool = True


def weights(nside: int, use_weights: Any, use_pixel_weights: Any, datapath: Optional[str]
            ) -> Weights:
    """The weights that a call asks for."""
    if use_weights and use_pixel_weights:
        raise Error("use_weights, use_pixel_weights: must not both be True")
    if use_pixel_weights:
        name = os.path.join("full_weights", f"healpix_full_weights_nside_{nside:04d}.fits")
        if datapath is not None:
            return Weights(1 + _of_pixels(nside, _read(datapath, name)), False, False)
        if nside > pixel_weights.LARGEST:
            raise Error(f"use_pixel_weights = True: at nside = {nside} datapath must be the folder "
                        f"of {name}; pixel weights are computed up to nside = "
                        f"{pixel_weights.LARGEST}, and nothing is downloaded. Without such a file: "
                        "iter, use_weights=True (ring weights, computed here), or map2alm_lsq")
        return Weights(1 + pixel_weights.computed(nside), False, False)
    if use_weights and datapath is not None:
        return Weights(1 + _of_rings(nside, _read(datapath, f"weight_ring_n{nside:05d}.fits")))
    return Weights(computed=bool(use_weights))


def _read(datapath: str, name: str) -> np.ndarray:
    """The first column of a file."""
    path = os.path.join(datapath, name)
    if not os.path.exists(path):
        raise NoFile(f"datapath = {_shown(datapath)}: has no {name}")
    return _io.read_cl(path).cl[0]


def _of_rings(nside: int, numbers: np.ndarray) -> np.ndarray:
    """Numbers of rings 1 to 2 nside -> (npix,)."""
    if numbers.size < 2 * nside:
        raise Error(f"datapath: {numbers.size} ring weights, nside = {nside} needs {2 * nside}")
    numbers = numbers[: 2 * nside]
    all_rings = np.concatenate([numbers, numbers[-2::-1]])
    return np.repeat(all_rings, rings(nside, np.arange(1, 4 * nside)).length)


def _of_pixels(nside: int, numbers: np.ndarray) -> np.ndarray:
    """Numbers of classes of pixels -> (npix,): ring after ring from the north pole, the pixels of
    an eighth of a ring by their distance from longitude 0."""
    told = rings(nside, np.arange(1, 2 * nside + 1))
    quarter = told.length // 4
    classes = np.where(told.shift > 0, (quarter + 1) // 2, quarter // 2 + 1)
    if numbers.size != classes.sum():
        raise Error(f"datapath: {numbers.size} pixel weights, nside = {nside} has {classes.sum()}")
    ring = np.repeat(np.arange(2 * nside), told.length)
    place = (np.arange(ring.size) - told.start[ring]) % quarter[ring]
    mirrored = quarter[ring] - place - (told.shift[ring] > 0)
    north = numbers[(np.cumsum(classes) - classes)[ring] + np.minimum(place, mirrored)]
    made = np.empty(12 * nside * nside)
    made[: north.size] = north
    start, length = made.size - told.start - told.length, told.length
    for r in range(2 * nside - 1):
        made[start[r]: start[r] + length[r]] = north[told.start[r]: told.start[r] + length[r]]
    return made
