"""Catalogues as masked fields: values at points with weights, and what pairs of a point with
itself add to spectra, exactly. No pixels are involved (Baleato Lizancos & White 2024; Wolz, Alonso
& Nicola 2024)."""
from __future__ import annotations

import math
from typing import NamedTuple, Optional

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import plain, reals
from .points import Points, locations


class Catalogue(NamedTuple):
    """Points of a field. subtracts: are pairs of a point with itself left out of spectra?"""

    loc: np.ndarray  # (n, 2), radians
    weights: np.ndarray  # (n,)
    values: np.ndarray  # (ncomp, n)
    subtracts: bool


def checked_catalogue(loc: ArrayLike, values: ArrayLike, weights: Optional[ArrayLike], ncomp: int,
                      subtracts: bool) -> Catalogue:
    """float64 copies that nobody writes to; ValueError names what is wrong."""
    place = locations(loc)
    n = len(place)
    if not n:
        raise ValueError("loc: has no points")
    given = np.array(reals(plain(values, "values"), "values"))
    shape = (ncomp, n) if ncomp > 1 else (n,)
    if given.shape != shape:
        raise ValueError(f"values: has shape {given.shape}, must have {shape}")
    given = given.reshape(ncomp, n)
    kept = np.ones(n) if weights is None else np.array(reals(plain(weights, "weights"), "weights"))
    if kept.shape != (n,):
        raise ValueError(f"weights: has shape {kept.shape}, must have ({n},)")
    wrong = ~(np.isfinite(kept) & (kept >= 0))
    if wrong.any():
        first = int(np.argmax(wrong))
        raise ValueError(f"weights: of point {first} it is {kept[first]:g}: must be finite, and 0 "
                         "or more")
    if not kept.any():
        raise ValueError("weights: are 0 everywhere")
    given[:, kept == 0] = 0  # not looked at
    missing = ~np.isfinite(given).all(axis=0)
    if missing.any():
        first = int(np.argmax(missing))
        raise ValueError(f"values: of point {first} are not finite, but its weight is "
                         f"{kept[first]:g}; leave the point out, or give it the weight 0")
    for array in (place, kept, given):
        array.flags.writeable = False
    return Catalogue(place, kept, given, subtracts)


def catalogue_alm(catalogue: Catalogue, values: np.ndarray, lmax: int, spin: int, epsilon: float,
                  nthreads: int) -> np.ndarray:
    """(ncomp, size) of values (ncomp, n) times the weights: sums over points, which nobody writes
    to."""
    plan = Points(lmax, catalogue.loc, spin, epsilon, nthreads=nthreads)
    given = values * catalogue.weights
    alm = plan.adjoint_synthesis(given if spin else given[0], nthreads=nthreads)
    alm = alm.reshape(len(values), -1)
    alm.flags.writeable = False
    return alm


def _have_pairs(one: Optional[Catalogue], two: Optional[Catalogue]) -> bool:
    """Are points of both the same ones, whose pairs are to be left out?"""
    if one is None or two is None or not (one.subtracts and two.subtracts):
        return False
    return one.loc is two.loc or np.array_equal(one.loc, two.loc)


def mask_noise(one: Optional[Catalogue], two: Optional[Catalogue]) -> float:
    """What pairs of a point with itself add to each degree of the spectrum of the masks."""
    if not _have_pairs(one, two):
        return 0.0
    assert one is not None and two is not None
    return float(one.weights @ two.weights) / (4 * math.pi)


def field_noise(one: Optional[Catalogue], two: Optional[Catalogue], ncl: int) -> np.ndarray:
    """(ncl,): the same of the spectra of the fields, from the larger spin on. Functions of two
    spins, or of a spin and its opposite, are 0 between a point and itself."""
    made = np.zeros(ncl)
    if not _have_pairs(one, two):
        return made
    assert one is not None and two is not None
    first, second = one.values * one.weights, two.values * two.weights
    if len(first) != len(second):
        return made
    if ncl == 1:
        made[0] = first[0] @ second[0]
    else:
        made[0] = made[3] = 0.5 * (first[0] @ second[0] + first[1] @ second[1])
        made[1] = 0.5 * (first[0] @ second[1] - first[1] @ second[0])
        made[2] = -made[1]
    return made / (4 * math.pi)
