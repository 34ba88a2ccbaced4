"""healpy.sphtfunc: transforms, spectra, random skies, beams, windows."""
from __future__ import annotations

from typing import Any, List

from . import _absent
from ._inputs import UNSEEN, Error
from .alms import Alm, resize_alm
from .pixelfunc import accept_ma, ma_to_array
from .resolution import effective_resolution_fwhm, harmonic_ud_grade
from .sizes import check_max_nside, maptype
from .smoothing import smoothing
from .spectra import alm2cl, anafast, synalm, synfast
from .transforms import (alm2map, alm2map_der1, alm2map_spin, map2alm, map2alm_lsq, map2alm_spin)
from .windows import (almxfl, beam2bl, bl2beam, blm_gauss, gauss_beam, pixwin, smoothalm)

MAX_NSIDE = 8192  # largest nside of healpy's transforms; see check_max_nside


class FutureChangeWarning(UserWarning):
    """The warning of healpy of what will change; never given here."""


def new_to_old_spectra_order(cls_new_order: Any) -> List[Any]:
    """Sort spectra by row that are sorted by diagonal.

    Parameters
    ----------
    cls_new_order : sequence
        n (n + 1) / 2 spectra by diagonal, as ``synalm(new=True)`` takes them.

    Returns
    -------
    list
        The spectra by row.

    Raises
    ------
    ValueError
        If there are not n (n + 1) / 2 of them.
    """
    count = len(cls_new_order)
    n = int((2 * count) ** 0.5)
    if n * (n + 1) // 2 != count:
        raise Error(f"cls_new_order: {count} spectra: must be n (n + 1) / 2")
    return [cls_new_order[(j - i) * (2 * n + 1 - (j - i)) // 2 + i]
            for i in range(n) for j in range(i, n)]


__getattr__ = _absent.explains(__name__)
