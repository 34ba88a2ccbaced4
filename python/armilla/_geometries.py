"""Grids under the names that lenspyx has for them."""
from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Tuple, Union

import numpy as np

from ._errors import shown, whole
from .grid import Grid, as_grid

Geometry = Union[Grid, str, Tuple[str, Dict[str, Any]]]

_REAL, _COMPLEX = (2, 3, 5), (2, 3, 5, 7, 11)  # prime factors of lengths of fast transforms


def _good_size(number: int, primes: Tuple[int, ...]) -> int:
    """The smallest number from this one on that has no other prime factors."""
    while True:
        rest = number
        for prime in primes:
            while rest % prime == 0:
                rest //= prime
        if rest == 1:
            return number
        number += 1


def _primes(good_size_real: bool) -> Tuple[int, ...]:
    return _REAL if good_size_real else _COMPLEX


def _healpix(nside: int) -> Grid:
    return Grid.healpix(nside)


def _cc(ntheta: int, nphi: int) -> Grid:
    return Grid.equidistant("CC", ntheta, nphi)


def _f1(ntheta: int, nphi: int) -> Grid:
    return Grid.equidistant("F1", ntheta, nphi)


def _gl(lmax: int, good_size_real: bool = True, nphi: Optional[int] = None) -> Grid:
    lmax = whole("lmax", lmax)
    if nphi is None:
        nphi = _good_size(2 * lmax + 1, _primes(good_size_real))
    return Grid.gauss_legendre(lmax + 1, nphi)


def _thingauss(lmax: int, smax: int, good_size_real: bool = True) -> Grid:
    """Gauss-Legendre rings of 2 m + 1 pixels or more: orders beyond m do not reach the ring. m is
    the root of m^2 - 2 s |cos theta| m + s^2 = (lmax sin theta + margin)^2."""
    lmax, smax = whole("lmax", lmax), whole("smax", smax)
    rings = Grid.gauss_legendre(lmax + 1, 1).rings
    half = smax * np.abs(np.cos(rings["theta"]))
    reach = lmax * np.sin(rings["theta"]) + max(100.0, 0.01 * lmax)
    order = np.minimum(lmax, half + np.sqrt(np.maximum(half**2 + reach**2 - smax**2, 0)))
    nphi = [_good_size(int(number), _primes(good_size_real)) for number in np.ceil(2 * order) + 1]
    return Grid.custom(rings["theta"], nphi, weight=rings["weight"] / nphi)


_GEOMETRIES: Dict[str, Callable[..., Grid]] = {"healpix": _healpix, "cc": _cc, "f1": _f1, "gl": _gl,
                                               "thingauss": _thingauss, "tgl": _thingauss}


def get_geom(geometry: Geometry = ("healpix", {"nside": 2048})) -> Grid:
    """Make the grid that lenspyx has under a name.

    Parameters
    ----------
    geometry : tuple, Grid or str, optional
        A name and a dictionary of arguments, as in the Notes. A grid is returned as it is, and a
        text is a name that `Grid.named` takes.

    Returns
    -------
    Grid
        The same grid, pixel by pixel.

    Raises
    ------
    ValueError
        If the name is unknown.
    TypeError
        If the arguments are those of another name.

    Notes
    -----
    The geometries are

    - ``("healpix", {"nside": n})``
    - ``("cc", {"ntheta": n, "nphi": k})`` and ``("f1", {"ntheta": n, "nphi": k})``
    - ``("gl", {"lmax": n})`` with n + 1 rings, and optionally "good_size_real" and "nphi"
    - ``("thingauss", {"lmax": n, "smax": s})``, the same as "tgl", and optionally
      "good_size_real": shorter rings near the poles, for spins up to s

    Examples
    --------
    >>> import armilla
    >>> armilla.lensing.get_geom(("gl", {"lmax": 31}))
    <armilla.Grid F16: gauss_legendre, 32 rings of 64, 2048 pixels>
    """
    if isinstance(geometry, (Grid, str)):
        return as_grid(geometry)
    name, arguments = geometry
    if name not in _GEOMETRIES:
        raise ValueError(f"geometry = {shown(name)}: must be one of {', '.join(_GEOMETRIES)}, or "
                         "an armilla.Grid")
    return _GEOMETRIES[name](**arguments)
