"""Coefficients of functions on the rotation group, for both signs of m, as s2fft has them."""
from __future__ import annotations

from typing import Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import as_alm, leading_shape
from ._errors import degree
from .alm import index as alm_index
from .alm import size as alm_size


def _places(lmax: int, mmax: int) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """l, m and the place of each coefficient of a triangle."""
    m, l = np.triu_indices(mmax + 1, 0, lmax + 1)
    return l, m, alm_index(lmax, l, m)


def to_full(alm: ArrayLike, lmax: int, mmax: Optional[int] = None) -> np.ndarray:
    """Write the coefficients of a real function for both signs of m.

    Parameters
    ----------
    alm : array_like, shape (..., 2 nmax + 1, size)
        Coefficients as `RotationGroup` has them.
    %(lmax)s
    mmax : int, optional
        Largest order of alpha. By default it is `lmax`.

    Returns
    -------
    ndarray, shape (..., 2 nmax + 1, lmax + 1, 2 lmax + 1)
        f^l_mn at [..., nmax + n, l, lmax + m], complex128, 0 where l < |m| or l < |n|: the array
        `flmn` of s2fft with L = lmax + 1, N = nmax + 1.

    %(Raises.shape)s

    See Also
    --------
    from_full : The other way.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> armilla.so3.to_full(np.ones((3, 6)), 2).shape
    (3, 3, 5)
    """
    lmax = degree("lmax", lmax)
    mmax = lmax if mmax is None else degree("mmax", mmax)
    alm = as_alm(alm).astype(np.complex128, copy=False)
    if alm.ndim < 2 or alm.shape[-2] % 2 == 0:
        raise ValueError(f"alm: has shape {alm.shape}, must have (..., 2 nmax + 1, size)")
    leading_shape(alm, (alm_size(lmax, mmax),), "alm")
    nmax = alm.shape[-2] // 2
    l, m, place = _places(lmax, mmax)
    n = np.arange(-nmax, nmax + 1)[:, None]
    signs = np.where((m + n) % 2, -1, 1)
    half = np.where(l >= abs(n), alm[..., place], 0)
    mirrored = signs * np.conj(half[..., ::-1, :])
    full = np.zeros(alm.shape[:-1] + (lmax + 1, 2 * lmax + 1), np.complex128)
    full[..., l, lmax + m] = np.where(m == 0, (half + mirrored) / 2, half)
    full[..., l, lmax - m] = np.where(m == 0, (half + mirrored) / 2, mirrored)
    return full


def from_full(full: ArrayLike, mmax: Optional[int] = None) -> np.ndarray:
    """Take the coefficients of a complex function apart into those of two real functions.

    Parameters
    ----------
    full : array_like, shape (..., 2 nmax + 1, lmax + 1, 2 lmax + 1)
        f^l_mn at [..., nmax + n, l, lmax + m]: the array `flmn` of s2fft. What is there with
        l < |m| or l < |n| is ignored.
    mmax : int, optional
        Largest order of alpha that is kept. By default it is lmax.

    Returns
    -------
    ndarray, shape (2, ..., 2 nmax + 1, size)
        Coefficients of the real part and of the imaginary part, as `RotationGroup` has them.

    %(Raises.shape)s

    See Also
    --------
    to_full : The other way.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> rng = np.random.default_rng(1)
    >>> alm = armilla.RotationGroup("gl:4x7", 3, 2).adjoint_synthesis(rng.random((5, 28)))
    >>> real, imaginary = armilla.so3.from_full(armilla.so3.to_full(alm, 3))
    >>> bool(np.allclose(real, alm)), bool(np.allclose(imaginary, 0))
    (True, True)
    """
    full = as_alm(full, "full").astype(np.complex128, copy=False)
    if full.ndim < 3 or full.shape[-3] % 2 == 0 or full.shape[-1] != 2 * full.shape[-2] - 1:
        raise ValueError(f"full: has shape {full.shape}, must have (..., 2 nmax + 1, lmax + 1, "
                         "2 lmax + 1)")
    nmax, lmax = full.shape[-3] // 2, full.shape[-2] - 1
    mmax = lmax if mmax is None else degree("mmax", mmax)
    if mmax > lmax:
        raise ValueError(f"mmax = {mmax}: must be at most lmax = {lmax}")
    l, m, place = _places(lmax, mmax)
    n = np.arange(-nmax, nmax + 1)[:, None]
    signs = np.where((m + n) % 2, -1, 1)
    plus = np.where(l >= abs(n), full[..., l, lmax + m], 0)
    minus = np.where(l >= abs(n), signs * np.conj(full[..., ::-1, :, :][..., l, lmax - m]), 0)
    parts = np.zeros((2,) + full.shape[:-2] + (alm_size(lmax, mmax),), np.complex128)
    parts[0][..., place] = (plus + minus) / 2
    parts[1][..., place] = (plus - minus) / 2j
    return parts
