"""Coupling matrices under the names of ducc0.misc.experimental, by `armilla.misc.experimental`.

Arguments and results are those of ducc0 0.42; wrong values raise `armilla.sht.Error`. Matrices are
exact whatever l_exact, l_toeplitz and dl_band say, which ask ducc0 for approximations.
"""
from __future__ import annotations

from typing import Any, List, Sequence

import numpy as np

from ._ducc import Error, array, count, integer, is_writeable, translated
from ._mixing import full_matrix, new_plan

__all__ = ["coupling_matrix_rect", "coupling_matrix_rect_new"]

_SPINS = {0: (0, 0), 1: (0, 2), 2: (2, 2), 3: (2, 2), 4: (2, 2)}
_KINDS = {0: (0,), 1: (0,), 2: (0,), 3: (1,), 4: (0, 1)}  # M+ 0, M- 1


def __dir__() -> List[str]:
    return __all__


def _types(optype: Any, nspec: int) -> List[int]:
    made = [integer("optype", one) for one in optype]
    if len(made) != nspec:
        raise Error(f"optype: has {len(made)} numbers, must have {nspec}, one for each spectrum")
    for one in made:
        if one not in _SPINS:
            raise Error(f"optype = {one}: must be 0 .. 4")
    return made


def coupling_matrix_rect_new(spec: np.ndarray, optype: Sequence[int], res: np.ndarray,
                             nthreads: int = 1, l_exact: int = -1, l_toeplitz: int = -1,
                             dl_band: int = -1) -> np.ndarray:
    """Compute the coupling matrices of spectra of masks.

    Parameters
    ----------
    spec : ndarray of float64, shape (nspec, lmax_spec + 1)
        Spectra of masks.
    optype : sequence of int, length nspec
        0: of two scalars; 1: of a scalar and a field of spin 2; 2, 3: of two fields of spin 2, the
        matrix ++ or --; 4: both of these.
    res : ndarray of float32 or float64, shape (nmat, lmax1 + 1, lmax2 + 1)
        Where the matrices go, one after the other.
    %(nthreads.short)s
    l_exact : int, optional
        Not used: see the module.
    l_toeplitz : int, optional
        Not used.
    dl_band : int, optional
        Not used.

    Returns
    -------
    ndarray
        `res`: sums over L of (2 L + 1) / (4 pi) spec_L times two 3j symbols, without the factor
        2 l' + 1 of a coupling matrix.

    %(Raises.value+type)s

    See Also
    --------
    armilla.pseudo_cl.Coupling : Spectra without masks, and without a matrix over degrees.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> whole = np.array([[4 * np.pi]])    # the mask that is 1 everywhere
    >>> made = armilla.misc.experimental.coupling_matrix_rect_new(whole, (0,), np.empty((1, 3, 3)))
    >>> bool(np.allclose(made[0], np.diag([1, 1 / 3, 1 / 5])))
    True
    """
    spec = array("spec", spec, "d")
    if spec.ndim != 2 or spec.shape[1] < 1:
        raise Error(f"spec: has shape {spec.shape}, must have (nspec, lmax_spec + 1)")
    types, nthreads = _types(optype, len(spec)), count("nthreads", nthreads)
    for name, value in (("l_exact", l_exact), ("l_toeplitz", l_toeplitz), ("dl_band", dl_band)):
        integer(name, value)
    res = array("res", res, "fd")
    is_writeable("res", res)
    nmat = sum(len(_KINDS[one]) for one in types)
    if res.ndim != 3 or len(res) != nmat or 0 in res.shape[1:]:
        raise Error(f"res: has shape {res.shape}, must have ({nmat}, lmax1 + 1, lmax2 + 1)")
    lmax, at = max(res.shape[1:]) - 1, 0
    columns = 2 * np.arange(res.shape[2]) + 1
    for one, kind in zip(np.ascontiguousarray(spec), types):
        end = at + len(_KINDS[kind])
        if lmax < max(_SPINS[kind]):
            res[at:end] = 0
        else:
            with translated():
                matrices = full_matrix(new_plan(lmax, one, _SPINS[kind]), lmax, nthreads, None)
            for place, which in zip(range(at, end), _KINDS[kind]):
                res[place] = matrices[which, :res.shape[1], :res.shape[2]] / columns
        at = end
    return res


def coupling_matrix_rect(spec: np.ndarray, optype: Sequence[int], res: np.ndarray,
                         nthreads: int = 1, l_exact: int = -1, l_toeplitz: int = -1,
                         dl_band: int = -1) -> np.ndarray:
    """Compute the coupling matrices of spectra of masks: `coupling_matrix_rect_new`.

    Parameters
    ----------
    spec : ndarray of float64, shape (nspec, lmax_spec + 1)
        Spectra of masks.
    optype : sequence of int, length nspec
        As there.
    res : ndarray of float32 or float64, shape (nmat, lmax1 + 1, lmax2 + 1)
        Where the matrices go.
    %(nthreads.short)s
    l_exact : int, optional
        Not used.
    l_toeplitz : int, optional
        Not used.
    dl_band : int, optional
        Not used.

    Returns
    -------
    ndarray
        `res`.

    %(Raises.value+type)s
    """
    return coupling_matrix_rect_new(spec, optype, res, nthreads, l_exact, l_toeplitz, dl_band)
