"""Work on maps in pixels: masks, orders, resolutions, monopole and dipole; healpy's names."""
from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from .._arrays import real_array
from .. import healpix
from .._errors import shown as _shown
from ._inputs import UNSEEN, Error, is_sequence
from .pixels import _workers, one_nside, pix2vec
from .sizes import check_nside, get_nside, maptype


# --- Missing pixels -------------------------------------------------------------------------------


def mask_bad(m: Any, badval: float = UNSEEN, rtol: float = 1e-5, atol: float = 1e-8) -> np.ndarray:
    """Tell where pixels have the value of missing ones.

    Parameters
    ----------
    %(arguments.mask_of_values)s

    Returns
    -------
    ndarray of bool, shape of `m`
        True where the difference is at most atol + rtol times the absolute value of `badval`.
    """
    values = np.ma.getdata(m) if isinstance(m, np.ma.MaskedArray) else np.asarray(m)
    return np.abs(values - badval) <= atol + rtol * np.abs(badval)


def mask_good(m: Any, badval: float = UNSEEN, rtol: float = 1e-5, atol: float = 1e-8) -> np.ndarray:
    """Tell where pixels do not have the value of missing ones.

    Parameters
    ----------
    %(arguments.mask_of_values)s

    Returns
    -------
    ndarray of bool, shape of `m`
        The opposite of `mask_bad`, but False for NaN, too.
    """
    values = np.ma.getdata(m) if isinstance(m, np.ma.MaskedArray) else np.asarray(m)
    return np.abs(values - badval) > atol + rtol * np.abs(badval)


def ma(m: Any, badval: float = UNSEEN, rtol: float = 1e-5, atol: float = 1e-8, copy: bool = True
       ) -> np.ma.MaskedArray:
    """Make a masked array of maps, which hides missing pixels.

    Parameters
    ----------
    %(m.maps)s
    badval : float, optional
        Value of missing pixels. The default is UNSEEN.
    rtol : float, optional
        Relative tolerance of the comparison.
    atol : float, optional
        Absolute tolerance of the comparison.
    copy : bool, optional
        Whether the data are copied.

    Returns
    -------
    MaskedArray, shape of `m`
        The maps.

    Examples
    --------
    >>> import armilla.healpy as hp
    >>> hp.ma([1.0, hp.UNSEEN]).mask
    array([False,  True])
    """
    return np.ma.masked_values(np.array(m) if not isinstance(m, np.ma.MaskedArray) else m, badval,
                               rtol=rtol, atol=atol, copy=copy)


# --- Orders ---------------------------------------------------------------------------------------


def _order(name: str, order: Any) -> str:
    text = str(order).upper()
    if text not in ("RING", "NEST", "NESTED"):
        raise Error(f"{name} = {_shown(order)}: must be RING or NEST")
    return text[:4]


def _turned(m: Any, to_nested: bool) -> Any:
    """A map, a masked one, or several, in the other order."""
    workers = _workers(m)
    if isinstance(m, np.ma.MaskedArray):
        mask = np.ma.getmask(m)
        return np.ma.MaskedArray(
            healpix.reorder(np.ma.getdata(m), to_nested=to_nested, nthreads=workers),
            mask if mask is np.ma.nomask else healpix.reorder(mask, to_nested=to_nested,
                                                              nthreads=workers),
            fill_value=m.fill_value)
    if isinstance(m, np.ndarray) or not is_sequence(m):
        return healpix.reorder(np.asarray(m), to_nested=to_nested)
    rows = [_turned(row, to_nested) for row in m]
    return np.ma.stack(rows) if any(np.ma.isMA(row) for row in rows) else np.stack(rows)


def reorder(map_in: Any, inp: Optional[str] = None, out: Optional[str] = None,
            r2n: Optional[bool] = None, n2r: Optional[bool] = None) -> np.ndarray:
    """Bring a map into the other order.

    Parameters
    ----------
    map_in : array_like, shape (npix,) or (n, npix)
        One map, or several, also masked; nside must be a power of two.
    inp : {"RING", "NEST"}, optional
        Order of the map.
    out : {"RING", "NEST"}, optional
        Order of the result.
    r2n : bool, optional
        Whether to go from RING to NESTED; used instead of `inp` and `out`.
    n2r : bool, optional
        Whether to go from NESTED to RING; used instead of the others.

    Returns
    -------
    ndarray, shape of `map_in`
        The map in the other order.

    Raises
    ------
    ValueError
        If an order is unknown, or nside is not a power of two.

    Examples
    --------
    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> hp.reorder(np.arange(48), r2n=True)[:4]
    array([13,  5,  4,  0])
    """
    if r2n or n2r:
        inp, out = ("NEST", "RING") if n2r else ("RING", "NEST")
    inp, out = _order("inp", inp), _order("out", out)
    single = maptype(map_in) == 0
    if inp == out:
        if single:
            return map_in
        return (np.ma if any(np.ma.isMA(row) for row in map_in) else np).stack(list(map_in))
    check_nside(get_nside(map_in), nest=True)
    return _turned(map_in, out == "NEST")


# --- Resolutions ----------------------------------------------------------------------------------


def _coarser(values: np.ndarray, ratio: int, pess: bool) -> np.ndarray:
    """Means of ratio pixels of a NESTED map, UNSEEN where none (pess: not every one) is good; NaN
    where one is not finite (pess: UNSEEN), as in healpy."""
    values = values.reshape(-1, ratio)
    good = ~mask_bad(values)
    sums = np.where(good, np.where(np.isfinite(values), values, np.nan), 0).sum(axis=1)
    good &= np.isfinite(values)
    hits = good.sum(axis=1)
    bad = hits < ratio if pess else hits == 0
    return np.where(bad, UNSEEN, sums / np.maximum(hits, 1))


def _graded(row: Any, nside_out: int, pess: bool, power: float, dtype: Any, nested: bool,
            to_nested: bool) -> np.ndarray:
    """One map at another nside."""
    given = np.ma.filled(row, UNSEEN) if isinstance(row, np.ma.MaskedArray) else np.asarray(row)
    nside = get_nside(given)
    if dtype is None:
        dtype = np.float64 if given.dtype.kind in "biu" and (nside_out < nside or power) else (
            given.dtype)
    if given.dtype.kind == "c" or (given.dtype.kind != "f" and nside_out >= nside and not power):
        made = _graded_by_runs(given, nside_out, pess, power, nested, to_nested)
    else:
        made = healpix.change_nside(given, nside_out, nested=nested, to_nested=to_nested,
                                    pessimistic=pess, power=power)
    return made.astype(dtype, copy=False)


def _graded_by_runs(given: np.ndarray, nside_out: int, pess: bool, power: float, nested: bool,
                    to_nested: bool) -> np.ndarray:
    """Any type, complex or whole numbers that are repeated, as runs of NESTED pixels."""
    nside = get_nside(given)
    made = given if nested else _turned(given, True)
    if nside_out >= nside:
        made = np.repeat(made, (nside_out // nside) ** 2)
    else:
        made = _coarser(made, (nside // nside_out) ** 2, pess)
    if power:
        made = np.where(mask_bad(made), UNSEEN, made * (nside_out / nside) ** power)
    return made if to_nested else _turned(made, False)


def ud_grade(map_in: Any, nside_out: int, pess: bool = False, order_in: str = "RING",
             order_out: Optional[str] = None, power: Optional[float] = None, dtype: Any = None
             ) -> np.ndarray:
    """Bring a map to another nside: means of pixels, or pixels repeated.

    Parameters
    ----------
    map_in : array_like, shape (npix,) or (n, npix)
        One map, or several; nside must be a power of two.
    nside_out : int
        Resolution of the result, a power of two.
    pess : bool, optional
        Whether a mean is missing where one of its pixels is. By default it is missing where all of
        them are.
    order_in : {"RING", "NEST"}, optional
        Order of the map.
    order_out : {"RING", "NEST"}, optional
        Order of the result. By default it is `order_in`.
    power : float, optional
        The result is multiplied by (nside_out / nside_in)^power. For example, -2 keeps the sum of
        the pixels.
    dtype : dtype, optional
        Type of the result. By default it is that of the map, and float64 for means of integers and
        truth values.

    Returns
    -------
    ndarray, shape (npix_out,) or (n, npix_out)
        The map. Missing pixels are UNSEEN; a masked array gives a masked array.

    Raises
    ------
    ValueError
        If an nside is not a power of two, or an order is unknown.

    See Also
    --------
    armilla.healpix.change_nside : With ``finite=True`` means are those of the finite pixels.
    harmonic_ud_grade : The same by way of coefficients, with beams and pixel windows.

    Notes
    -----
    healpy rounds the means of integers to their type: the mean of 0, 1, 0 and 1 becomes 0 there.

    As in healpy, a mean over a NaN or an infinity is NaN, and with `pess` it is missing. Maps of
    gravitational waves, whose distances are infinite in places, need the function below "See Also".

    Examples
    --------
    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> hp.ud_grade(np.arange(48.0), 1, order_in="NEST")[:3]
    array([1.5, 5.5, 9.5])
    >>> float(hp.ud_grade(np.ones(48), 1, power=-2).sum())
    48.0
    """
    order_in = _order("order_in", order_in)
    order_out = order_in if order_out is None else _order("order_out", order_out)
    nside_out = one_nside(nside_out, nest=True)
    check_nside(get_nside(map_in), nest=True)
    single = maptype(map_in) == 0
    rows = [map_in] if single else list(map_in)
    made = [_graded(row, nside_out, bool(pess), float(power or 0), dtype, order_in == "NEST",
                    order_out == "NEST") for row in rows]
    result = made[0] if single else np.stack(made)
    masked = isinstance(map_in, np.ma.MaskedArray) or any(
        isinstance(row, np.ma.MaskedArray) for row in rows)
    return ma(result) if masked else result


# --- Monopole and dipole --------------------------------------------------------------------------


def _usable(values: np.ndarray, bad: float, height: np.ndarray, gal_cut: float) -> np.ndarray:
    good = np.isfinite(values) & mask_good(values, bad)
    if gal_cut > 0:
        good &= np.abs(height) >= np.sin(np.radians(gal_cut))
    return good


def _one(m: Any, bad: float) -> np.ndarray:
    """One map, floating, masked pixels bad."""
    values = np.ma.filled(m, bad) if isinstance(m, np.ma.MaskedArray) else m
    values = real_array(values, "m")
    if values.ndim != 1:
        raise Error("m: must be one map (npix,)")
    return values if values.dtype.kind == "f" else values.astype(float)


def _fit(values: np.ndarray, nest: bool, bad: float, gal_cut: float, dipole: bool
         ) -> Tuple[float, np.ndarray, np.ndarray]:
    """Monopole, dipole (3,), and the unit vectors of all pixels (3, npix)."""
    nside = get_nside(values)
    vectors = np.array(pix2vec(nside, np.arange(values.size), nest))
    good = _usable(values, bad, vectors[2], gal_cut)
    if not dipole:
        return (values[good].mean(dtype=float) if good.any() else np.nan), np.zeros(3), vectors
    design = np.concatenate([np.ones((1, values.size)), vectors])[:, good]
    matrix = design @ design.T
    found = np.linalg.solve(matrix, design @ values[good].astype(float))
    return found[0], found[1:], vectors


def fit_monopole(m: Any, nest: bool = False, bad: float = UNSEEN, gal_cut: float = 0) -> float:
    """Compute the mean of the pixels that are not missing.

    Parameters
    ----------
    %(arguments.fit_dipole)s

    Returns
    -------
    float
        The mean.

    %(Raises.one_map)s
    """
    return _fit(_one(m, bad), nest, bad, gal_cut, dipole=False)[0]


def fit_dipole(m: Any, nest: bool = False, bad: float = UNSEEN, gal_cut: float = 0
               ) -> Tuple[float, np.ndarray]:
    """Fit a monopole and a dipole to the pixels that are not missing.

    Parameters
    ----------
    %(arguments.fit_dipole)s

    Returns
    -------
    monopole : float
        The monopole.
    dipole : ndarray, shape (3,)
        The dipole: its value in the direction n is the dot product of the two.

    %(Raises.one_map)s

    Examples
    --------
    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> z = hp.pix2vec(16, np.arange(hp.nside2npix(16)))[2]
    >>> mono, dipole = hp.fit_dipole(3 + 2 * z)
    >>> round(float(mono), 6), abs(dipole.round(6))
    (3.0, array([0., 0., 2.]))
    """
    mono, vector, _ = _fit(_one(m, bad), nest, bad, gal_cut, dipole=True)
    return mono, vector


def _removed(m: Any, bad: float, copy: bool, mono: float, vector: np.ndarray,
             vectors: np.ndarray) -> np.ndarray:
    values = _one(m, bad)
    bads = mask_bad(values, bad)
    shape = mono + (vector @ vectors if vector.any() else 0.0)
    made = np.where(bads, values, values - shape).astype(values.dtype, copy=False)
    if not copy and isinstance(m, np.ndarray) and m.dtype == made.dtype:
        m[...] = made
        return m
    return made


def remove_monopole(m: Any, nest: bool = False, bad: float = UNSEEN, gal_cut: float = 0,
                    fitval: bool = False, copy: bool = True, verbose: bool = True) -> Any:
    """Remove the monopole from a map.

    Parameters
    ----------
    %(arguments.fit_dipole)s
    fitval : bool, optional
        Whether the monopole is returned, too.
    copy : bool, optional
        Whether a new map is made. With False `m` is changed, if its type allows it.
    %(verbose)s

    Returns
    -------
    map : ndarray, shape (npix,)
        The map; masked for a masked map, and float64 for integers.
    monopole : float
        The monopole, with `fitval`.

    %(Raises.one_map)s
    """
    mono, vector, vectors = _fit(_one(m, bad), nest, bad, gal_cut, dipole=False)
    made = _removed(m, bad, copy, mono, vector, vectors)
    if isinstance(m, np.ma.MaskedArray):
        made = ma(made, badval=bad, copy=False)
    return (made, mono) if fitval else made


def remove_dipole(m: Any, nest: bool = False, bad: float = UNSEEN, gal_cut: float = 0,
                  fitval: bool = False, copy: bool = True, verbose: bool = True) -> Any:
    """Remove the monopole and the dipole from a map.

    Parameters
    ----------
    %(arguments.fit_dipole)s
    fitval : bool, optional
        Whether monopole and dipole are returned, too.
    copy : bool, optional
        Whether a new map is made. With False `m` is changed, if its type allows it.
    %(verbose)s

    Returns
    -------
    map : MaskedArray, shape (npix,)
        The map, a masked array as in healpy.
    monopole : float
        The monopole, with `fitval`.
    dipole : ndarray, shape (3,)
        The dipole, with `fitval`.

    %(Raises.one_map)s
    """
    mono, vector, vectors = _fit(_one(m, bad), nest, bad, gal_cut, dipole=True)
    made = _removed(m, bad, copy, mono, vector, vectors)
    made = ma(made, bad if isinstance(m, np.ma.MaskedArray) else UNSEEN, copy=False)
    return (made, mono, vector) if fitval else made
