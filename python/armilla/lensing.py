"""Weak lensing: lensed maps of any spin on any grid, and what a deflection does to the sky.

`Lensing` is a plan for lensed maps. `deflect`, `distortion` and `magnification` tell where
directions go and what becomes of areas. `alm2lenmap`, `alm2lenmap_spin` and `get_geom` are the
functions of lenspyx: the same arguments, results and types of results, values to epsilon. Their
plans live for one call; to lens several fields with one deflection, make a `Lensing`. Signs are
those of HEALPix, ducc0 and lenspyx.

    >>> import armilla, numpy as np
    >>> phi = armilla.alm.random(32, 1e-6 / np.arange(1, 34.0) ** 4, seed=1)
    >>> t, e, b = armilla.alm.random_correlated(32, np.ones(33) * np.eye(3)[..., None], seed=2)
    >>> lensing = armilla.Lensing(armilla.Grid.healpix(16), phi, lmax=32)
    >>> sky = lensing.alm2lenmap(t)                             # (size,) -> (npix,)
    >>> polar = lensing.beside(32, spin=2)                      # the same directions
    >>> q, u = polar.alm2lenmap(np.stack([e, b]))
    >>> back = polar.adjoint(np.stack([q, u]))                  # the transpose
    >>> kappa, gamma1, gamma2, omega = armilla.lensing.distortion(lensing.grid, phi)
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import as_alm
from ._geometries import Geometry, get_geom
from ._hints import absent
from ._lensing import Lensing, deflect, distortion, magnification
from ._types import Mode
from .alm import band

__all__ = ["Lensing", "alm2lenmap", "alm2lenmap_spin", "deflect", "distortion", "dlm2A",
           "dlm2angles", "get_geom", "magnification"]

_HEALPIX: Geometry = ("healpix", {"nside": 2048})
Fields = Union[ArrayLike, Sequence[np.ndarray]]
Maps = Union[np.ndarray, List[np.ndarray], Tuple[np.ndarray, ...]]


def __dir__() -> List[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = absent(__name__)


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


def _present(modes: Any) -> Any:
    """Gradient, or gradient and curl modes, where None stands in for a curl of zero."""
    if isinstance(modes, np.ndarray) and modes.ndim == 1:
        return modes
    return [row for row in modes if row is not None]


def _dlms(dlms: Any) -> np.ndarray:
    """Gradient, or gradient and curl, one below the other."""
    return np.stack(_rows("dlms", _present(dlms), 2))


def _plan(geometry: Geometry, dlms: Any, field: np.ndarray, spin: int, epsilon: float,
          nthreads: int, **more: Any) -> Lensing:
    return Lensing(get_geom(geometry), _dlms(dlms), band(field, None, None)[0], spin,
                   min(epsilon, 0.1), kind="vector", nthreads=nthreads, **more)


def _mode(fields: Sequence[np.ndarray]) -> Mode:
    return "gradient_only" if len(fields) == 1 else "standard"


def _packed(fields: Sequence[np.ndarray]) -> np.ndarray:
    return fields[0] if len(fields) == 1 else np.stack(fields)


def _scalars(plan: Lensing, fields: Sequence[np.ndarray], nthreads: int) -> List[np.ndarray]:
    """One field at a time, under one deflection; each may have a band limit of its own."""
    maps = []
    for field in fields:
        lmax = band(field, None, None)[0]
        if lmax != plan.lmax:
            plan = plan.beside(lmax)
        maps.append(plan.alm2lenmap(field, nthreads=nthreads))
    return maps


def alm2lenmap(alm: Fields, dlms: Fields, geometry: Geometry = _HEALPIX, epsilon: float = 1e-7,
               verbose: int = 0, nthreads: int = 0, pol: bool = True) -> Maps:
    """Make lensed maps of one or several fields: alm2lenmap of lenspyx.

    Parameters
    ----------
    alm : array_like, shape (size,), or a sequence of such arrays
        Coefficients of one field, or of several; with `pol`, two are T and E, and three are T, E
        and B.
    dlms : array_like, shape (size,), or a sequence of two such arrays
        Coefficients of the deflection, sqrt(l (l + 1)) phi_lm, and of its curl, sqrt(l (l + 1))
        Omega_lm, which may be None.
    geometry : tuple or Grid, optional
        Where the lensed maps are: see `get_geom`.
    epsilon : float, optional
        Accuracy, 1e-13 to 0.1; a larger number means 0.1. Above 1e-6 the work is done in single
        precision.
    verbose : int, optional
        Has no effect.
    %(nthreads.short)s
    pol : bool, optional
        Whether two or three fields are polarised.

    Returns
    -------
    ndarray, tuple or list
        One map (npix,) for a single array; the tuple of the maps T, Q and U for polarised fields;
        a list of maps for other sequences. float32 for complex64 and for an epsilon above 1e-6,
        else float64.

    %(Raises.shape_or_number+type)s

    See Also
    --------
    Lensing : A plan for several fields under one deflection.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> l = np.arange(33.0)
    >>> phi = armilla.alm.random(32, 1e-6 / (l + 1) ** 4, seed=1)
    >>> dlm = armilla.alm.multiply_window(phi, np.sqrt(l * (l + 1)))
    >>> t = armilla.alm.random(32, np.ones(33), seed=2)
    >>> armilla.lensing.alm2lenmap(t, dlm, ("healpix", {"nside": 16})).shape
    (3072,)
    """
    fields = _fields("alm", alm, epsilon)
    plan = _plan(geometry, dlms, fields[0], 0, epsilon, nthreads)
    if pol and len(fields) in (2, 3):
        polar = plan.beside(band(fields[1], None, None)[0], 2, mode=_mode(fields[1:]))
        temperature, = _scalars(plan, fields[:1], nthreads)
        return (temperature, *polar.alm2lenmap(_packed(fields[1:]), nthreads=nthreads))
    maps = _scalars(plan, fields, nthreads)
    return maps[0] if isinstance(alm, np.ndarray) and alm.ndim == 1 else maps


def alm2lenmap_spin(gclm: Fields, dlms: Fields, spin: int, geometry: Geometry = _HEALPIX,
                    epsilon: float = 1e-7, verbose: int = 0, nthreads: int = 0) -> Maps:
    """Make the lensed map of a field of any spin: alm2lenmap_spin of lenspyx.

    Parameters
    ----------
    gclm : array_like, shape (size,), or a sequence of two such arrays
        Gradient modes, or gradient and curl modes; None as the second means gradient modes alone.
    %(dlms)s
    spin : int
        Spin of the field, 0 or more. 0 means `alm2lenmap`, as in lenspyx.
    geometry : tuple or Grid, optional
        Where the lensed map is: see `get_geom`.
    epsilon : float, optional
        Accuracy, 1e-13 to 0.1; a larger number means 0.1.
    verbose : int, optional
        Has no effect.
    %(nthreads.short)s

    Returns
    -------
    ndarray, shape (2, npix)
        The two components of the lensed field.

    %(Raises.shape_or_number+type)s
    """
    if spin == 0:
        return alm2lenmap(gclm, dlms, geometry, epsilon, verbose, nthreads)
    if spin < 0:
        raise ValueError(f"spin = {spin}: must be at least 0")
    fields = _fields("gclm", _present(gclm), epsilon, 2)
    plan = _plan(geometry, dlms, fields[0], spin, epsilon, nthreads, mode=_mode(fields))
    return plan.alm2lenmap(_packed(fields), nthreads=nthreads)


def dlm2angles(dlms: Fields, geometry: Geometry = _HEALPIX, *, nthreads: int = 0) -> np.ndarray:
    """Compute the deflected directions of the pixels.

    Parameters
    ----------
    %(dlms)s
    geometry : tuple or Grid, optional
        Where the pixels are: see `get_geom`.
    %(nthreads.short)s

    Returns
    -------
    ndarray, shape (npix, 3)
        Colatitude, longitude from 0 to 2 pi, and gamma, the angle by which fields turn; in
        radians. The deflections of lenspyx, and get_deflected_angles of ducc0.misc with
        calc_rotation, give the same.

    %(Raises.shape_or_number)s
    """
    plan = Lensing(get_geom(geometry), _dlms(dlms), 0, epsilon=0.1, kind="vector",
                   nthreads=nthreads)
    loc, gamma = plan.angles()
    return np.column_stack([loc, gamma])


def dlm2A(dlms: Fields, geometry: Geometry = _HEALPIX, *, nthreads: int = 0) -> np.ndarray:
    """Compute the determinant of the magnification matrix.

    Parameters
    ----------
    %(dlms)s
    geometry : tuple or Grid, optional
        Where the pixels are: see `get_geom`.
    %(nthreads.short)s

    Returns
    -------
    ndarray, shape (npix,)
        Areas at the deflected directions over areas here, exact on the sphere.

    %(Raises.shape_or_number)s
    """
    return magnification(distortion(get_geom(geometry), _dlms(dlms), kind="vector", exact=True,
                                    nthreads=nthreads))
