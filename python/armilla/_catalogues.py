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


class Sum(NamedTuple):
    """A sum over points, such as a field times its weights, or the weights, its mask."""

    loc: np.ndarray  # (n, 2), radians
    values: np.ndarray  # (ncomp, n)


class Catalogue(NamedTuple):
    """What a field and its mask are. subtracts: are pairs of a point with itself left out of
    spectra?"""

    field: Sum
    mask: Sum
    subtracts: bool


def _checked_weights(name: str, weights: Optional[ArrayLike], n: int) -> np.ndarray:
    """(n,), a copy; by default 1."""
    kept = np.ones(n) if weights is None else np.array(reals(plain(weights, name), name))
    if kept.shape != (n,):
        raise ValueError(f"{name}: has shape {kept.shape}, must have ({n},)")
    wrong = ~(np.isfinite(kept) & (kept >= 0))
    if wrong.any():
        first = int(np.argmax(wrong))
        raise ValueError(f"{name}: of point {first} it is {kept[first]:g}: must be finite, and 0 "
                         "or more")
    if not kept.any():
        raise ValueError(f"{name}: are 0 everywhere")
    return kept


def _checked_points(name: str, loc: ArrayLike) -> np.ndarray:
    place = locations(loc, name)
    if not len(place):
        raise ValueError(f"{name}: has no points")
    # as the library takes them: the float above pi is the south pole
    wrong = ~(np.isfinite(place).all(axis=1) & (place[:, 0] >= 0) &
              (place[:, 0] <= float(np.float32(math.pi))))
    if wrong.any():
        first = int(np.argmax(wrong))
        raise ValueError(f"{name}: theta of point {first} is {place[first, 0]:g} and phi "
                         f"{place[first, 1]:g}: must be radians, 0 .. pi and finite")
    return place


def _made(field: Sum, mask: Sum, subtracts: bool) -> Catalogue:
    for array in (*field, *mask):
        array.flags.writeable = False
    return Catalogue(field, mask, subtracts)


def checked_catalogue(loc: ArrayLike, values: ArrayLike, weights: Optional[ArrayLike], ncomp: int,
                      subtracts: bool) -> Catalogue:
    """float64 copies that nobody writes to; ValueError names what is wrong."""
    place = _checked_points("loc", loc)
    n = len(place)
    given = np.array(reals(plain(values, "values"), "values"))
    shape = (ncomp, n) if ncomp > 1 else (n,)
    if given.shape != shape:
        raise ValueError(f"values: has shape {given.shape}, must have {shape}")
    given = given.reshape(ncomp, n)
    kept = _checked_weights("weights", weights, n)
    given[:, kept == 0] = 0  # not looked at
    missing = ~np.isfinite(given).all(axis=0)
    if missing.any():
        first = int(np.argmax(missing))
        raise ValueError(f"values: of point {first} are not finite, but its weight is "
                         f"{kept[first]:g}; leave the point out, or give it the weight 0")
    return _made(Sum(place, given * kept), Sum(place, kept[np.newaxis]), subtracts)


def checked_positions(loc: ArrayLike, randoms: ArrayLike, weights: Optional[ArrayLike],
                      random_weights: Optional[ArrayLike], subtracts: bool) -> Catalogue:
    """The overdensity of points, and of random points that are everywhere the same share of what is
    expected: the mask, with weights of the same sum."""
    places = [_checked_points(name, one) for name, one in (("loc", loc), ("randoms", randoms))]
    data, expected = (_checked_weights(name, one, len(place)) for name, one, place in (
        ("weights", weights, places[0]), ("random_weights", random_weights, places[1])))
    expected *= data.sum() / expected.sum()
    field = Sum(np.concatenate(places), np.concatenate([data, -expected])[np.newaxis])
    return _made(field, Sum(places[1], expected[np.newaxis]), subtracts)


def catalogue_alm(points: Sum, lmax: int, spin: int, epsilon: float, nthreads: int) -> np.ndarray:
    """(ncomp, size) of a sum over points, which nobody writes to."""
    plan = Points(lmax, points.loc, spin, epsilon, nthreads=nthreads)
    alm = plan.adjoint_synthesis(points.values if spin else points.values[0], nthreads=nthreads)
    alm = alm.reshape(len(points.values), -1)
    alm.flags.writeable = False
    return alm


def _are_same(one: Sum, two: Sum) -> bool:
    return one.loc is two.loc or np.array_equal(one.loc, two.loc)


def mask_noise(one: Optional[Catalogue], two: Optional[Catalogue]) -> float:
    """What pairs of a point with itself add to each degree of the spectrum of the masks."""
    if one is None or two is None or not (one.subtracts and two.subtracts):
        return 0.0
    if not _are_same(one.mask, two.mask):
        return 0.0
    return float(one.mask.values[0] @ two.mask.values[0]) / (4 * math.pi)


def field_noise(one: Optional[Catalogue], two: Optional[Catalogue], ncl: int) -> np.ndarray:
    """(ncl,): the same of the spectra of the fields, from the larger spin on. Functions of two
    spins, or of a spin and its opposite, are 0 between a point and itself."""
    made = np.zeros(ncl)
    if one is None or two is None or not (one.subtracts and two.subtracts):
        return made
    first, second = one.field.values, two.field.values
    if len(first) != len(second) or not _are_same(one.field, two.field):
        return made
    if ncl == 1:
        made[0] = first[0] @ second[0]
    else:
        made[0] = made[3] = 0.5 * (first[0] @ second[0] + first[1] @ second[1])
        made[1] = 0.5 * (first[0] @ second[1] - first[1] @ second[0])
        made[2] = -made[1]
    return made / (4 * math.pi)
