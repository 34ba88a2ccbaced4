"""Weak lensing: lensed maps of any spin on any grid, and what a deflection does to the sky.

    >>> lensing = armilla.Lensing(armilla.Grid.healpix(256), phi, lmax=512)    # phi: coefficients
    >>> sky = lensing.alm2lenmap(alm)                           # (size,) -> (npix,)
    >>> polar = lensing.beside(512, spin=2)                     # the same directions
    >>> q, u = polar.alm2lenmap(np.stack([e, b]))
    >>> back = polar.adjoint(np.stack([q, u]))                  # the transpose
    >>> kappa, gamma1, gamma2, omega = armilla.lensing.distortion(lensing.grid, phi)

`alm2lenmap`, `alm2lenmap_spin` and `get_geom` are lenspyx' functions: the same arguments, results
and types of results, values to epsilon. Their plans live for one call; who lenses several fields
with one deflection makes a Lensing. Signs are those of HEALPix, ducc0 and lenspyx.
"""
from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import as_alm
from ._geometries import Geometry, get_geom
from ._lensing import Lensing, deflect, distortion, magnification
from .alm import lmax as lmax_of

__all__ = ["Lensing", "alm2lenmap", "alm2lenmap_spin", "deflect", "distortion", "dlm2A",
           "dlm2angles", "get_geom", "magnification"]

_HEALPIX: Geometry = ("healpix", {"nside": 2048})
Fields = Union[ArrayLike, Sequence[np.ndarray]]
Maps = Union[np.ndarray, List[np.ndarray], Tuple[np.ndarray, ...]]


def __dir__() -> List[str]:
    return __all__


def _rows(name: str, fields: Any, most: Optional[int] = None) -> List[np.ndarray]:
    """Coefficients, one array each."""
    if isinstance(fields, np.ndarray) and fields.ndim == 1:
        fields = [fields]
    rows = [as_alm(row, name) for row in fields]
    if not rows or most and len(rows) > most:
        raise ValueError(f"{name}: has {len(rows)} arrays, must have 1"
                         + (f" to {most}" if most else " or more"))
    for row in rows:
        if row.ndim != 1:
            raise ValueError(f"{name}: has shape {np.shape(fields)}, must have (size,) or "
                             "(number, size)")
    return rows


def _fields(name: str, fields: Any, epsilon: float, most: Optional[int] = None
            ) -> List[np.ndarray]:
    """Coefficients of the precision that lenspyx takes them to."""
    rows = _rows(name, fields, most)
    return [row.astype(np.complex64) for row in rows] if epsilon > 1e-6 else rows


def _dlms(dlms: Any) -> np.ndarray:
    """Gradient, or gradient and curl, one below the other."""
    if not (isinstance(dlms, np.ndarray) and dlms.ndim == 1):
        dlms = [row for row in dlms if row is not None]
    return np.stack(_rows("dlms", dlms, 2))


def _plan(geometry: Geometry, dlms: Any, field: np.ndarray, spin: int, epsilon: float,
          nthreads: int, **more: Any) -> Lensing:
    return Lensing(get_geom(geometry), _dlms(dlms), lmax_of(field.shape[-1]), spin,
                   min(epsilon, 0.1), kind="vector", nthreads=nthreads, **more)


def _mode(fields: Sequence[np.ndarray]) -> str:
    return "gradient_only" if len(fields) == 1 else "standard"


def _packed(fields: Sequence[np.ndarray]) -> np.ndarray:
    return fields[0] if len(fields) == 1 else np.stack(fields)


def _scalars(plan: Lensing, fields: Sequence[np.ndarray], nthreads: int) -> List[np.ndarray]:
    """One field at a time, under one deflection; each may have a band limit of its own."""
    maps = []
    for field in fields:
        lmax = lmax_of(len(field))
        if lmax != plan.lmax:
            plan = plan.beside(lmax)
        maps.append(plan.alm2lenmap(field, nthreads=nthreads))
    return maps


def alm2lenmap(alm: Fields, dlms: Fields, geometry: Geometry = _HEALPIX, epsilon: float = 1e-7,
               verbose: int = 0, nthreads: int = 0, pol: bool = True) -> Maps:
    """Lensed maps of one or several fields: lenspyx.alm2lenmap.

    alm: (size,), or a sequence of such; dlms: sqrt(l (l + 1)) phi_lm, or a sequence of that and of
    sqrt(l (l + 1)) Omega_lm (None: 0); geometry: see get_geom, or an armilla.Grid; epsilon: 1e-13
    to 0.1, more means 0.1; nthreads: 0 for all; verbose is ignored.

    Result: of a single array a map (npix,); with pol, of two arrays (T, E) or three (T, E, B) a
    tuple of the maps T, Q, U; of other sequences a list of maps of scalars. float32 of complex64,
    and where epsilon is above 1e-6.
    """
    fields = _fields("alm", alm, epsilon)
    plan = _plan(geometry, dlms, fields[0], 0, epsilon, nthreads)
    if pol and len(fields) in (2, 3):
        polar = plan.beside(lmax_of(len(fields[1])), 2, mode=_mode(fields[1:]))
        temperature, = _scalars(plan, fields[:1], nthreads)
        return (temperature, *polar.alm2lenmap(_packed(fields[1:]), nthreads=nthreads))
    maps = _scalars(plan, fields, nthreads)
    return maps[0] if isinstance(alm, np.ndarray) and alm.ndim == 1 else maps


def alm2lenmap_spin(gclm: Fields, dlms: Fields, spin: int, geometry: Geometry = _HEALPIX,
                    epsilon: float = 1e-7, verbose: int = 0, nthreads: int = 0) -> Maps:
    """The lensed map (2, npix) of a field of any spin: lenspyx.alm2lenmap_spin.

    gclm: (size,), gradient modes, or a sequence of gradient and curl modes; spin: 0 or more; the
    rest as in alm2lenmap, which spin 0 is, as in lenspyx.
    """
    if spin == 0:
        return alm2lenmap(gclm, dlms, geometry, epsilon, verbose, nthreads)
    if spin < 0:
        raise ValueError(f"spin = {spin}: must be at least 0")
    fields = _fields("gclm", gclm, epsilon, 2)
    plan = _plan(geometry, dlms, fields[0], spin, epsilon, nthreads, mode=_mode(fields))
    return plan.alm2lenmap(_packed(fields), nthreads=nthreads)


def dlm2angles(dlms: Fields, geometry: Geometry = _HEALPIX, *, nthreads: int = 0) -> np.ndarray:
    """Deflected directions of the pixels, (npix, 3): colatitude, longitude 0 .. 2 pi, and gamma, by
    which fields turn: those of lenspyx' deflections, and ducc0.misc.get_deflected_angles' with
    calc_rotation. dlms, geometry: as in alm2lenmap."""
    plan = Lensing(get_geom(geometry), _dlms(dlms), 0, epsilon=0.1, kind="vector",
                   nthreads=nthreads)
    loc, gamma = plan.angles()
    return np.column_stack([loc, gamma])


def dlm2A(dlms: Fields, geometry: Geometry = _HEALPIX, *, nthreads: int = 0) -> np.ndarray:
    """The determinant of the magnification matrix, (npix,): areas at the deflected directions over
    areas here, exact on the sphere. dlms, geometry: as in alm2lenmap."""
    return magnification(distortion(get_geom(geometry), _dlms(dlms), kind="vector", exact=True,
                                    nthreads=nthreads))
