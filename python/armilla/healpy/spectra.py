"""Power spectra and random skies under healpy's names.

Spectra of n fields stand by diagonal: 1 x 1, 2 x 2, ..., 1 x 2, 2 x 3, ..., 1 x n; for T, E, B: TT,
EE, BB, TE, EB, TB. synalm and synfast take them by row unless new=True.
"""
from __future__ import annotations

import warnings
from typing import Any, List, Optional, Tuple

import numpy as np

from .._arrays import reals
from .. import spectrum
from ._inputs import Error, alm_size, band, band_of, integer, read_alms
from .transforms import alm2map, map2alm
from .windows import has_beam, smoothalm

_SLACK = 1e-5  # of the diagonal: rounding in tables of spectra


def _by_diagonal(n: int) -> List[Tuple[int, int]]:
    return [(i, i + k) for k in range(n) for i in range(n - k)]


def _by_row(n: int) -> List[Tuple[int, int]]:
    return [(i, j) for i in range(n) for j in range(i, n)]


def alm2cl(alms1: Any, alms2: Any = None, lmax: Optional[int] = None, mmax: Optional[int] = None,
           lmax_out: Optional[int] = None, nspec: Optional[int] = None) -> np.ndarray:
    """Compute the power spectra of coefficients, or their cross spectra.

    Parameters
    ----------
    alms1 : array_like, shape (size,) or (n, size)
        Coefficients.
    alms2 : array_like, shape (size,) or (n, size), optional
        Others, for cross spectra of ``alms1[i]`` and ``alms2[j]`` with i <= j.
    %(lmax.of_size)s
    %(mmax.lmax)s
    lmax_out : int, optional
        Largest degree of the spectra. By default, and at most, it is `lmax`.
    nspec : int, optional
        How many spectra are returned. By default all are.

    Returns
    -------
    ndarray, shape (lmax_out + 1,) or (nspec, lmax_out + 1)
        The spectrum, or n (n + 1) / 2 spectra by diagonal: for T, E and B these are TT, EE, BB,
        TE, EB and TB.

    Raises
    ------
    ValueError
        If shapes differ, or do not fit `lmax` and `mmax`.

    Examples
    --------
    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> hp.alm2cl(np.ones(hp.Alm.getsize(2), complex))
    array([1., 1., 1.])
    """
    first, single = read_alms(alms1, "alms1")
    second = first if alms2 is None else read_alms(alms2, "alms2")[0]
    if first.shape != second.shape:
        raise Error(f"alms1, alms2: have shapes {first.shape} and {second.shape}: must be equal")
    lmax, mmax = band_of(first.shape[1], lmax, mmax)
    lmax_out = lmax if lmax_out is None else min(lmax, integer("lmax_out", lmax_out))
    made = np.array([spectrum.compute(first[i], second[j], lmax=lmax, mmax=mmax)[: lmax_out + 1]
                     for i, j in _by_diagonal(len(first))])
    return (made[0] if single else made)[:nspec]


def anafast(map1: Any, map2: Any = None, nspec: Optional[int] = None, lmax: Optional[int] = None,
            mmax: Optional[int] = None, iter: int = 3, alm: bool = False, pol: bool = True,
            use_weights: bool = False, datapath: Optional[str] = None, gal_cut: float = 0,
            use_pixel_weights: bool = False) -> Any:
    """Compute the power spectra of maps, or their cross spectra.

    Parameters
    ----------
    map1 : array_like, shape (npix,) or (3, npix)
        One map, or T, Q and U, in RING order. Missing pixels count as 0.
    map2 : array_like, shape (npix,) or (3, npix), optional
        Others, for cross spectra.
    nspec : int, optional
        How many spectra are returned. By default all are.
    %(lmax.3nside)s
    %(mmax.lmax)s
    %(iter)s
    alm : bool, optional
        Whether the coefficients are returned, too.
    pol : bool, optional
        Whether three maps are T, Q and U. If it is False each map is a scalar.
    %(arguments.weights)s

    Returns
    -------
    cl : ndarray, shape (lmax + 1,) or (nspec, lmax + 1)
        The spectrum in the square of the unit of the map; of T, Q and U the six spectra TT, EE,
        BB, TE, EB and TB.
    alm1 : ndarray, shape (size,) or (3, size)
        Coefficients of `map1`, with `alm`.
    alm2 : ndarray, shape (size,) or (3, size)
        Coefficients of `map2`, with `alm` if it is given.

    %(Raises.npix_or_number)s

    See Also
    --------
    synfast : A random map with a power spectrum.
    armilla.SHT.pseudo_analysis : Coefficients of the pixels that a mask leaves.

    Notes
    -----
    The spectrum is the sum over m of a_lm conj(b_lm), divided by 2 l + 1. It is that of the map as
    it is: neither a beam, nor a pixel window, nor a mask is divided out.

    Examples
    --------
    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> noise = np.random.default_rng(1).standard_normal(hp.nside2npix(64))
    >>> cl = hp.anafast(noise, lmax=128)
    >>> bool(abs(cl[2:].mean() / hp.nside2pixarea(64) - 1) < 0.05)
    True
    """

    def analysed(maps: Any) -> np.ndarray:
        return map2alm(maps, lmax, mmax, iter, pol, use_weights, datapath, gal_cut,
                       use_pixel_weights)

    alms = [analysed(map1)] + ([] if map2 is None else [analysed(map2)])
    top = None if lmax is None else integer("lmax", lmax)
    if top is None and mmax is not None:
        top = _default_lmax(map1)
    cl = alm2cl(alms[0], alms[-1], lmax=top, mmax=mmax, nspec=nspec)
    return (cl, *alms) if alm else cl


def _default_lmax(maps: Any) -> int:
    from .maps import get_nside
    return 3 * get_nside(maps) - 1


# --- Random skies ---------------------------------------------------------------------------------


def _table(cls: Any, new: bool) -> Tuple[np.ndarray, bool]:
    """cl[i, j, l], symmetric, from the spectra of a call; and whether there was but one array."""
    single = not isinstance(cls, (list, tuple)) and np.ndim(cls) == 1 or (
        isinstance(cls, (list, tuple)) and len(cls) > 0 and np.isscalar(cls[0]))
    rows = [cls] if single else list(cls)
    n = {4: 3}.get(len(rows), int(np.sqrt(2 * len(rows))))
    if len(rows) != 4 and n * (n + 1) // 2 != len(rows):
        raise Error(f"cls: {len(rows)} spectra: must be 1, 3, 6, ... n (n + 1) / 2, or 4")
    if len(rows) == 4:  # TT, EE, BB, TE or TT, TE, EE, BB
        places = [(0, 0), (1, 1), (2, 2), (0, 1)] if new else [(0, 0), (0, 1), (1, 1), (2, 2)]
    else:
        places = _by_diagonal(n) if new else _by_row(n)
    given = [(place, reals(row, "cls")) for place, row in zip(places, rows)
             if row is not None]
    if not given or any(row.ndim != 1 for _, row in given):
        raise Error("cls: must be arrays (lmax + 1,), or None")
    table = np.zeros((n, n, max(row.size for _, row in given)))
    for (i, j), row in given:
        table[i, j, : row.size] = table[j, i, : row.size] = row
    return table, single


def _root(table: np.ndarray) -> np.ndarray:
    """Lower triangular L[i, j, l] with L L^T = table for every l.

    Where table has negative eigenvalues there is none; then, as in healpy, a pivot that is not
    positive is taken as 0, and its column as 0; with a warning.
    """
    n = len(table)
    root = np.zeros(table.shape)
    wrong = np.zeros(table.shape[2], bool)
    for j in range(n):
        pivot = table[j, j] - (root[j, :j] ** 2).sum(axis=0)
        wrong |= ~(pivot >= -_SLACK * np.abs(table[j, j])) | (table[j, j] < 0)
        root[j, j] = np.sqrt(np.where(pivot > 0, pivot, 0))
        for i in range(j + 1, n):
            rest = table[i, j] - (root[i, :j] * root[j, :j]).sum(axis=0)
            root[i, j] = np.divide(rest, root[j, j], out=np.zeros_like(rest),
                                   where=root[j, j] > 0)
    if wrong.any():
        first = np.flatnonzero(wrong)[0]
        warnings.warn(f"cls: l = {first} and {wrong.sum() - 1} more: the matrix of spectra is not "
                      "positive semidefinite: the fields will not have these spectra", stacklevel=4)
    return root


def synalm(cls: Any, lmax: Optional[int] = None, mmax: Optional[int] = None, new: bool = False,
           verbose: bool = True) -> np.ndarray:
    """Draw Gaussian random coefficients with power spectra.

    Parameters
    ----------
    cls : array_like, shape (n,), or a sequence of such arrays
        One spectrum in the square of the unit of the field; or 4 or n (n + 1) / 2 spectra of
        correlated fields. None means 0.
    lmax : int, optional
        Largest degree. By default it is that of the spectra.
    %(mmax.lmax)s
    new : bool, optional
        Whether the spectra are sorted by diagonal (TT, EE, BB, TE, EB, TB; four: TT, EE, BB, TE).
        By default they are sorted by row (TT, TE, TB, EE, EB, BB; four: TT, TE, EE, BB).
    %(verbose)s

    Returns
    -------
    ndarray, shape (size,) or (n, size)
        Coefficients, complex128.

    Raises
    ------
    ValueError
        If no matrix of spectra has so many entries, or one is not finite.

    Warns
    -----
    UserWarning
        If the matrix of spectra of a degree is not positive semidefinite.

    Notes
    -----
    Random numbers are those of numpy.random: after the same ``numpy.random.seed`` the result is
    that of healpy. `armilla.alm.random` depends on its seed alone.

    Examples
    --------
    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> hp.synalm(np.ones(33)).shape
    (561,)
    """
    table, single = _table(cls, new)
    wrong = np.argwhere(~np.isfinite(table))
    if wrong.size:
        i, j, l = wrong[0]
        raise Error(f"cls: C_l of fields {i} and {j} is {table[i, j, l]} at l = {l}: must be "
                    "finite")
    lmax = None if lmax is None or lmax < 0 else lmax
    mmax = None if mmax is None or mmax < 0 else mmax
    lmax, mmax = band(lmax, mmax, table.shape[2] - 1)
    root = np.zeros(table.shape[:2] + (lmax + 1,))
    common = min(lmax + 1, table.shape[2])
    root[..., :common] = _root(table)[..., :common]
    degrees = np.concatenate([np.arange(m, lmax + 1) for m in range(mmax + 1)])
    size = alm_size(lmax, mmax)
    noise = np.empty((len(root), size), complex)
    for row in noise:
        row.real = np.random.standard_normal(size)
        row.imag = np.random.standard_normal(size)
        row[lmax + 1:] *= np.sqrt(0.5)
        row.imag[: lmax + 1] = 0
    alm = np.zeros_like(noise)
    for i in range(len(root)):
        for j in range(i + 1):
            alm[i] += root[i, j][degrees] * noise[j]
    return alm[0] if single else alm


def synfast(cls: Any, nside: int, lmax: Optional[int] = None, mmax: Optional[int] = None,
            alm: bool = False, pol: bool = True, pixwin: bool = False, fwhm: float = 0.0,
            sigma: Optional[float] = None, new: bool = False, verbose: bool = True) -> Any:
    """Draw a random map with a power spectrum, or maps of T, Q and U.

    Parameters
    ----------
    cls : array_like, shape (n,), or a sequence of such arrays
        Spectra: see `synalm`.
    %(nside.any)s
    lmax : int, optional
        Largest degree. The default is the smaller one of 3 nside - 1 and that of the spectra.
    %(mmax.lmax)s
    alm : bool, optional
        Whether the coefficients are returned, too: with the beam and without the pixel window, as
        in healpy.
    pol : bool, optional
        Whether three fields are T, E and B, whose maps are T, Q and U. If it is False each field
        is a scalar.
    pixwin : bool, optional
        Whether the pixel window of `nside` is applied.
    %(fwhm.optional)s
    %(sigma)s
    new : bool, optional
        Whether the spectra are sorted by diagonal: see `synalm`.
    %(verbose)s

    Returns
    -------
    maps : ndarray, shape (npix,) or (n, npix)
        The maps in RING order, float64.
    alms : ndarray, shape (size,) or (n, size)
        The coefficients, with `alm`.

    Raises
    ------
    ValueError
        If no matrix of spectra has so many entries, or a number is out of range.

    See Also
    --------
    anafast : The way back.

    Notes
    -----
    Random numbers are those of numpy.random: after the same ``numpy.random.seed`` the map is that
    of healpy.

    Examples
    --------
    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> np.random.seed(1)
    >>> cl = 1 / np.arange(1, 97.0) ** 2
    >>> sky = hp.synfast(cl, nside=32, fwhm=np.radians(1))
    >>> sky.shape
    (12288,)
    """
    nside = integer("nside", nside, 1)
    if lmax is None or lmax < 0:
        lmax = min(3 * nside - 1, _table(cls, new)[0].shape[2] - 1)
    mmax = lmax if mmax is None or mmax < 0 else mmax
    alms = synalm(cls, lmax, mmax, new)
    if has_beam(fwhm, sigma):
        alms = smoothalm(alms, fwhm, sigma, pol=pol, mmax=mmax)
    maps = alm2map(alms, nside, lmax, mmax, pixwin, pol=pol)
    return (maps, alms) if alm else maps
