"""What all functions share: errors, maps and coefficients as arrays, missing pixels, plans.

A map is (npix,), or a sequence of n of them: (n, npix); coefficients likewise. As in healpy all
work is done in double. Pixels within a relative 1e-5 of UNSEEN, and masked ones, are missing.
"""
from __future__ import annotations

import operator
from typing import Any, NamedTuple, Optional, Tuple

import numpy as np

from .. import alm as _alm, healpix
from .._arrays import angles, reals
from .._errors import shown
from .._native import lib
from .._plans import Kept, PlanCache
from .._types import Mode
from ..grid import Grid
from ..io import UNSEEN
from ..transform import IQU, SHT, Plan

PLANS: PlanCache[Plan] = PlanCache(lambda plan: plan)


class Error(ValueError, TypeError):
    """A wrong value of an argument: a ValueError and a TypeError, since healpy raises either."""


class Failure(Error, RuntimeError):
    """A wrong value where healpy raises a RuntimeError."""


class Invalid(Error, AssertionError):
    """A wrong value where healpy asserts."""


class NoFile(FileNotFoundError, RuntimeError, ValueError):
    """A file that datapath has not: healpy raises a RuntimeError or a ValueError."""


def clear_plans() -> None:
    """Forget the plans that are kept from earlier calls."""
    PLANS.clear()


def limit_plans(plans: int = 16, nbytes: int = 2 << 30) -> None:
    """Set how many plans are kept, and how much memory they may take with their workspaces.

    %(sections.cache)s
    """
    PLANS.limit(plans, nbytes)


def kept_plans() -> Kept:
    """Return the number of plans that are kept now, and the bytes they take.

    Returns
    -------
    Kept
        plans and bytes.
    """
    return PLANS.kept()


def in_radians(theta: Any, phi: Any, lonlat: bool = False) -> Tuple[np.ndarray, np.ndarray]:
    """theta, phi as numbers. lonlat: given are longitude and latitude, degrees. Quantities have the
    unit that they say."""
    if lonlat:
        lon, lat = angles(theta, "lon", "deg"), angles(phi, "lat", "deg")
        return np.radians(90.0 - reals(lat, "lat")), np.radians(reals(lon, "lon"))
    return reals(angles(theta, "theta"), "theta"), reals(angles(phi, "phi"), "phi")


def integer(name: str, value: Any, least: int = 0) -> int:
    """An integer >= least; 4.0 is one."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        value = int(value)
    try:
        number = operator.index(value)
    except TypeError as error:
        raise Error(f"{name} = {shown(value)}: must be an integer") from error
    if number < least:
        raise Error(f"{name} = {number}: must be at least {least}")
    return number


def nside_of(npix: int) -> int:
    """nside of a map of so many pixels."""
    nside = lib.armilla_healpix_nside(npix)
    if nside < 0:
        raise Error(f"map: {npix} pixels: no HEALPix map has so many")
    return int(nside)


def band(lmax: Optional[int], mmax: Optional[int], default: int) -> Tuple[int, int]:
    """lmax (None: default) and mmax (None: lmax)."""
    lmax = default if lmax is None else integer("lmax", lmax)
    mmax = lmax if mmax is None else integer("mmax", mmax)
    if mmax > lmax:
        raise Error(f"mmax = {mmax}: must be at most lmax = {lmax}")
    return lmax, mmax


# --- Maps -----------------------------------------------------------------------------------------


class Maps(NamedTuple):
    """Maps as the transforms take them."""

    values: np.ndarray  # (n, npix), float64, missing pixels 0; maybe the caller's memory
    single: bool  # the caller gave one map, not a sequence
    nside: int
    missing: Tuple[Optional[np.ndarray], ...]  # per map: boolean (npix,), or None
    masked: bool  # the caller gave masked arrays


def is_sequence(given: Any) -> bool:
    """Whether this is a sequence of arrays, not one array."""
    if isinstance(given, np.ndarray):
        return given.ndim > 1
    try:
        return len(given) > 0 and np.ndim(given[0]) > 0
    except (TypeError, KeyError, IndexError):
        return False


def missing_pixels(values: np.ndarray, bad: float = UNSEEN) -> Optional[np.ndarray]:
    """Where one map is within a relative 1e-5 of bad; None: nowhere."""
    least = values.min(initial=0.0) if bad < 0 else -values.max(initial=0.0)
    if not np.isnan(least) and least > -abs(bad) * 0.999 and abs(bad) > 1:
        return None
    found = np.abs(values - bad) <= 1e-8 + 1e-5 * abs(bad)
    return found if found.any() else None


def one_map(given: Any) -> Tuple[np.ndarray, Optional[np.ndarray]]:
    """One map, float64, missing pixels 0; and where these are."""
    values = np.asarray(np.ma.getdata(given))
    if values.dtype.kind not in "biuf":
        raise Error(f"map: has type {values.dtype}, must be real")
    values = values.astype(np.float64, copy=False)
    missing = missing_pixels(values)
    if np.ma.is_masked(given):
        mask = np.ma.getmaskarray(given)
        missing = mask.copy() if missing is None else missing | mask
    if missing is not None:
        values = np.where(missing, 0.0, values)
    return values, missing


def read_maps(given: Any, nest: bool = False) -> Maps:
    """The argument of a transform."""
    single = not is_sequence(given)
    rows = [given] if single else list(given)
    found = [one_map(row) for row in rows]
    shapes = {values.shape for values, _ in found}
    if len(shapes) != 1 or found[0][0].ndim != 1:
        raise Error(f"maps: must be (npix,) or (n, npix), all of one size, not {sorted(shapes)}")
    nside = nside_of(found[0][0].size)
    if nest:
        if nside & (nside - 1):
            raise Error(f"nside = {nside}: must be a power of two with nest = True")
        found = [(healpix.reorder(row, to_nested=False),
                  None if missing is None else healpix.reorder(missing, to_nested=False))
                 for row, missing in found]
    masked = any(isinstance(row, np.ma.MaskedArray) for row in [given] + rows)
    values = found[0][0][None] if len(found) == 1 else np.stack([row for row, _ in found])
    return Maps(values, single, nside, tuple(missing for _, missing in found), masked)


# --- Coefficients ---------------------------------------------------------------------------------


def read_alms(given: Any, name: str = "alms") -> Tuple[np.ndarray, bool]:
    """Coefficients as (n, size), complex128, maybe the caller's memory; and whether they were one
    array, not a sequence."""
    single = not is_sequence(given)
    rows = [np.asarray(row) for row in ([given] if single else given)]
    if any(row.ndim != 1 or row.shape != rows[0].shape for row in rows):
        raise Error(f"{name}: must be (size,) or (n, size), all of one size")
    if any(row.dtype.kind not in "biufc" for row in rows):
        raise Error(f"{name}: must hold numbers")
    if single:
        return rows[0].astype(np.complex128, copy=False)[None], True
    if isinstance(given, np.ndarray) and given.dtype == np.complex128:
        return np.asarray(given), False
    return np.stack([row.astype(np.complex128, copy=False) for row in rows]), False


def band_of(size: int, lmax: Optional[int], mmax: Optional[int], name: str = "alms"
            ) -> Tuple[int, int]:
    """lmax and mmax of coefficients; None or negative: from the size."""
    lmax = None if lmax is None or lmax < 0 else integer("lmax", lmax)
    mmax = None if mmax is None or mmax < 0 else integer("mmax", mmax)
    if lmax is None:
        lmax = int(lib.armilla_alm_lmax(size, -1 if mmax is None else mmax))
        if lmax < 0:
            raise Error(f"{name}: {size} coefficients: no lmax has so many"
                        + ("" if mmax is None else f" with mmax = {mmax}")
                        + "; if mmax != lmax, give both")
    mmax = lmax if mmax is None else mmax
    if lib.armilla_alm_size(lmax, mmax) != size:
        raise Error(f"{name}: have {size} coefficients, lmax = {lmax}, mmax = {mmax} have "
                    f"{lib.armilla_alm_size(lmax, mmax)}")
    return lmax, mmax


def alm_size(lmax: int, mmax: int) -> int:
    """Number of coefficients."""
    return _alm.size(lmax, mmax)


# --- Plans ----------------------------------------------------------------------------------------


def _grid(nside: int, weighted: bool) -> Grid:
    degree = min(3 * nside, 4 * nside - 2)  # healpy's files: between 2 and 3.5 nside
    return Grid.healpix(nside, weights_lmax=degree if weighted else None)


def plan(nside: int, lmax: int, mmax: int, spin: int = 0, mode: Mode = "standard",
         weighted: bool = False) -> Plan:
    """The plan of a call, kept or new. weighted: with ring weights up to degree 3 nside."""

    def make() -> Plan:
        return SHT(_grid(nside, weighted), lmax, mmax, spin=spin, mode=mode)

    return PLANS.get((nside, lmax, mmax, spin, mode, weighted), make)


def iqu_plan(nside: int, lmax: int, mmax: int, weighted: bool = False) -> Plan:
    """The same for T, Q, U; lmax >= 2."""
    return PLANS.get((nside, lmax, mmax, "iqu", weighted),
                     lambda: IQU(_grid(nside, weighted), lmax, mmax))
