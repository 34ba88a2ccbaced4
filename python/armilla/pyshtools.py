"""The transforms and spectra of pyshtools by SHTOOLS' names: `import armilla.pyshtools as pysh`.

Arguments, arrays and norms are those of SHTOOLS 4.14 (`pyshtools.expand`, `pyshtools.gravmag`,
`pyshtools.spectralanalysis`), and results agree with it to rounding. Coefficients are
cilm[0, l, m] = C_lm and cilm[1, l, m] = S_lm, of complex fields f_l,m and f_l,-m. What differs:
gradients and fields have their limits at the poles, where SHTOOLS gives 0; what is masked, NaN or
infinite is refused; unnormalised harmonics
go up to degree 150; nodes and weights that are not those of `SHGLQ` are refused; normal gravity is
right for any small flattening, too; `spectrum` with convention="l2norm" sums squares in the Schmidt
and orthonormal norms, too, as SHTOOLS documents.
"""
from __future__ import annotations

from typing import Any, List, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._errors import degree, real, whole
from ._pyshtools_fields import MakeGravGridDH, MakeMagGridDH, NormalGravity
from ._pyshtools_grids import (analysed, closed, coefficients, degrees, dh_grid, grid_of,
                               longitudes, map_of, plan_of, synthesized)
from ._pyshtools_spectra import (SHCrossPowerSpectrum, SHCrossPowerSpectrumDensity,
                                 SHPowerSpectrum, SHPowerSpectrumDensity, cross_spectrum, spectrum)
from .conventions import convert

__all__ = ["GLQGridCoord", "MakeGradientDH", "MakeGravGridDH", "MakeGridDH", "MakeGridDHC",
           "MakeGridGLQ", "MakeGridGLQC", "MakeMagGridDH", "NormalGravity", "SHCrossPowerSpectrum",
           "SHCrossPowerSpectrumDensity", "SHExpandDH", "SHExpandDHC", "SHExpandGLQ",
           "SHExpandGLQC", "SHGLQ", "SHPowerSpectrum", "SHPowerSpectrumDensity", "cross_spectrum",
           "spectrum"]


def __dir__() -> List[str]:
    return __all__


# --- Equidistant grids ----------------------------------------------------------------------------


def _expand_dh(griddh: Any, norm: int, sampling: int, csphase: int, lmax_calc: Optional[int],
               is_complex: bool) -> np.ndarray:
    given = map_of(griddh, "griddh", is_complex)
    n = given.shape[0]
    if n % 2 or not n or given.shape[1] != longitudes(sampling) * n:
        raise ValueError(f"griddh: has shape {given.shape}, must have (n, {sampling} n) with an "
                         f"even n for sampling = {sampling}")
    lmax = n // 2 - 1
    calc = lmax if lmax_calc is None else whole("lmax_calc", lmax_calc)
    if not 0 <= calc <= lmax:
        raise ValueError(f"lmax_calc = {calc}: must be from 0 to n / 2 - 1 = {lmax}")
    return analysed(given, ("DH", *given.shape), calc, (norm, csphase), is_complex)


def _make_dh(cilm: Any, lmax: Optional[int], sampling: int, lmax_calc: Optional[int],
             extend: bool, words: Tuple[int, int], is_complex: bool) -> np.ndarray:
    given = coefficients(cilm, is_complex)
    lmax, calc = degrees(given, lmax, lmax_calc)
    place = dh_grid(lmax, sampling, bool(extend))
    return closed(synthesized(given, place, calc, words, is_complex), bool(extend))


def SHExpandDH(griddh: ArrayLike, norm: int = 1, sampling: int = 1, csphase: int = 1,
               lmax_calc: Optional[int] = None) -> np.ndarray:
    """Expand a map on the grid of Driscoll and Healy.

    Parameters
    ----------
    griddh : array_like, shape (n, n) or (n, 2 n)
        The map, with an even n; the first row is the north pole.
    %(norm.pyshtools)s
    %(sampling)s
    %(csphase.pyshtools)s
    lmax_calc : int, optional
        Largest degree. By default it is n / 2 - 1.

    Returns
    -------
    ndarray, shape (2, lmax_calc + 1, lmax_calc + 1)
        The coefficients.

    Examples
    --------
    >>> import armilla.pyshtools as pysh, numpy as np
    >>> cilm = np.zeros((2, 4, 4))
    >>> cilm[1, 3, 2] = 1.0
    >>> map = pysh.MakeGridDH(cilm, sampling=2)
    >>> map.shape, bool(np.allclose(pysh.SHExpandDH(map, sampling=2), cilm))
    ((8, 16), True)
    """
    return _expand_dh(griddh, norm, sampling, csphase, lmax_calc, False)


def SHExpandDHC(griddh: ArrayLike, norm: int = 1, sampling: int = 1, csphase: int = 1,
                lmax_calc: Optional[int] = None) -> np.ndarray:
    """Expand a complex map on the grid of Driscoll and Healy.

    Parameters
    ----------
    griddh : array_like, shape (n, n) or (n, 2 n)
        The map, with an even n.
    norm : {1, 2, 3, 4}, optional
        As in `SHExpandDH`; so are the parameters below.
    %(sampling)s
    %(csphase.pyshtools)s
    lmax_calc : int, optional
        Largest degree.

    Returns
    -------
    ndarray, shape (2, lmax_calc + 1, lmax_calc + 1)
        The coefficients, complex128.
    """
    return _expand_dh(griddh, norm, sampling, csphase, lmax_calc, True)


def MakeGridDH(cilm: ArrayLike, lmax: Optional[int] = None, norm: int = 1, sampling: int = 1,
               csphase: int = 1, lmax_calc: Optional[int] = None, extend: bool = False
               ) -> np.ndarray:
    """Make a map on the grid of Driscoll and Healy.

    Parameters
    ----------
    cilm : array_like, shape (2, lmaxin + 1, lmaxin + 1)
        The coefficients.
    lmax : int, optional
        Degree of the grid, which has n = 2 lmax + 2 latitudes. By default it is that of `cilm`.
    %(norm.pyshtools)s
    %(sampling)s
    %(csphase.pyshtools)s
    %(lmax_calc)s
    %(extend)s

    Returns
    -------
    ndarray, shape (n, n) or (n, 2 n), with `extend` one more each
        The map.
    """
    return _make_dh(cilm, lmax, sampling, lmax_calc, extend, (norm, csphase), False)


def MakeGridDHC(cilm: ArrayLike, lmax: Optional[int] = None, norm: int = 1, sampling: int = 1,
                csphase: int = 1, lmax_calc: Optional[int] = None, extend: bool = False
                ) -> np.ndarray:
    """Make a complex map on the grid of Driscoll and Healy.

    Parameters
    ----------
    cilm : array_like, shape (2, lmaxin + 1, lmaxin + 1)
        The coefficients of m >= 0 and m < 0.
    lmax : int, optional
        As in `MakeGridDH`; so are the parameters below.
    %(norm.pyshtools)s
    %(sampling)s
    %(csphase.pyshtools)s
    %(lmax_calc.summed)s
    %(extend)s

    Returns
    -------
    ndarray
        The map, complex128.
    """
    return _make_dh(cilm, lmax, sampling, lmax_calc, extend, (norm, csphase), True)


def MakeGradientDH(cilm: ArrayLike, lmax: Optional[int] = None, sampling: int = 1,
                   lmax_calc: Optional[int] = None, extend: bool = False,
                   radius: Optional[float] = None) -> Tuple[np.ndarray, np.ndarray]:
    """Make maps of the gradient on the grid of Driscoll and Healy.

    Parameters
    ----------
    cilm : array_like, shape (2, lmaxin + 1, lmaxin + 1)
        The coefficients, in the 4 pi norm.
    lmax : int, optional
        Degree of the grid. By default it is that of `cilm`.
    %(sampling)s
    %(lmax_calc.summed)s
    %(extend)s
    radius : float, optional
        Radius of the sphere. None, the default, means 1.

    Returns
    -------
    tuple of ndarray
        Components along theta and phi; at a pole they are along the directions of each longitude.
    """
    given = coefficients(cilm, False)
    lmax, calc = degrees(given, lmax, lmax_calc)
    kind, nrings, nphi = dh_grid(lmax, sampling, bool(extend))
    size = 1.0 if radius is None else real("radius", radius)
    if not 0 < size < np.inf:
        raise ValueError(f"radius = {radius}: must be above 0")
    if calc == 0:
        made = np.zeros((2, nrings, nphi))
    else:
        cut = np.ascontiguousarray(given[:, :calc + 1, :calc + 1])
        plan = plan_of(kind, nrings, nphi, calc, "gradient")
        made = plan.synthesis(convert(cut, "shtools", "healpy")) / size
    theta, phi = closed(made, bool(extend))
    return theta, phi


# --- Gauss-Legendre grids -------------------------------------------------------------------------


def SHGLQ(lmax: int) -> Tuple[np.ndarray, np.ndarray]:
    """Return the nodes and weights of the Gauss-Legendre quadrature.

    Parameters
    ----------
    %(lmax.from_0)s

    Returns
    -------
    tuple of ndarray, shape (lmax + 1,)
        Cosines of the colatitudes from north to south, and weights whose sum is 2.
    """
    rings = grid_of("GL", degree("lmax", lmax) + 1, 1).rings
    return np.sin(np.pi / 2 - rings["theta"]), rings["weight"] / (2 * np.pi)


def GLQGridCoord(lmax: int, extend: bool = False) -> Tuple[np.ndarray, np.ndarray]:
    """Return the latitudes and longitudes of the Gauss-Legendre grid.

    Parameters
    ----------
    %(lmax.from_0)s
    %(extend.longitude)s

    Returns
    -------
    tuple of ndarray
        Latitudes and longitudes in degrees.
    """
    lmax = degree("lmax", lmax)
    latitude = 90 - np.degrees(grid_of("GL", lmax + 1, 1).rings["theta"])
    return latitude, 360.0 * np.arange(2 * lmax + 1 + bool(extend)) / (2 * lmax + 1)


def _check_rule(lmax: int, **given: Optional[ArrayLike]) -> None:
    """Refuses nodes and weights that are not those of the grid."""
    expected = dict(zip(("zero", "w"), SHGLQ(lmax)))
    for name, values in given.items():
        if values is None:
            continue
        array = np.asarray(values)
        if array.shape != (lmax + 1,) or not np.allclose(array, expected[name], 1e-10, 1e-12):
            raise ValueError(f"{name}: is not that of SHGLQ({lmax})")


def _expand_glq(gridglq: Any, w: Any, zero: Any, norm: int, csphase: int,
                lmax_calc: Optional[int], is_complex: bool) -> np.ndarray:
    given = map_of(gridglq, "gridglq", is_complex)
    lmax = given.shape[0] - 1
    if lmax < 0 or given.shape[1] != 2 * lmax + 1:
        raise ValueError(f"gridglq: has shape {given.shape}, must have (lmax + 1, 2 lmax + 1)")
    calc = lmax if lmax_calc is None else whole("lmax_calc", lmax_calc)
    if not 0 <= calc <= lmax:
        raise ValueError(f"lmax_calc = {calc}: must be from 0 to lmax = {lmax}")
    _check_rule(lmax, w=w, zero=zero)
    return analysed(given, ("GL", *given.shape), calc, (norm, csphase), is_complex)


def _make_glq(cilm: Any, zero: Any, lmax: Optional[int], lmax_calc: Optional[int], extend: bool,
              words: Tuple[int, int], is_complex: bool) -> np.ndarray:
    given = coefficients(cilm, is_complex)
    lmax, calc = degrees(given, lmax, lmax_calc)
    _check_rule(lmax, zero=zero)
    place = "GL", lmax + 1, 2 * lmax + 1
    return closed(synthesized(given, place, calc, words, is_complex), bool(extend))


def SHExpandGLQ(gridglq: ArrayLike, w: Optional[ArrayLike] = None,
                zero: Optional[ArrayLike] = None, norm: int = 1, csphase: int = 1,
                lmax_calc: Optional[int] = None) -> np.ndarray:
    """Expand a map on the Gauss-Legendre grid.

    Parameters
    ----------
    gridglq : array_like, shape (lmax + 1, 2 lmax + 1)
        The map.
    w : array_like, optional
        Weights of `SHGLQ`, which are not needed.
    zero : array_like, optional
        Nodes of `SHGLQ`, which are not needed.
    %(norm.pyshtools)s
    %(csphase.pyshtools)s
    lmax_calc : int, optional
        Largest degree. By default it is lmax.

    Returns
    -------
    ndarray, shape (2, lmax_calc + 1, lmax_calc + 1)
        The coefficients.

    Examples
    --------
    >>> import armilla.pyshtools as pysh, numpy as np
    >>> zero, w = pysh.SHGLQ(5)
    >>> cilm = np.zeros((2, 6, 6))
    >>> cilm[0, 5, 5] = 1.0
    >>> map = pysh.MakeGridGLQ(cilm, zero)
    >>> map.shape, bool(np.allclose(pysh.SHExpandGLQ(map, w, zero), cilm))
    ((6, 11), True)
    """
    return _expand_glq(gridglq, w, zero, norm, csphase, lmax_calc, False)


def SHExpandGLQC(gridglq: ArrayLike, w: Optional[ArrayLike] = None,
                 zero: Optional[ArrayLike] = None, norm: int = 1, csphase: int = 1,
                 lmax_calc: Optional[int] = None) -> np.ndarray:
    """Expand a complex map on the Gauss-Legendre grid.

    Parameters
    ----------
    gridglq : array_like, shape (lmax + 1, 2 lmax + 1)
        The map.
    w : array_like, optional
        As in `SHExpandGLQ`; so are the parameters below.
    zero : array_like, optional
        Nodes of `SHGLQ`.
    %(norm.pyshtools)s
    %(csphase.pyshtools)s
    lmax_calc : int, optional
        Largest degree.

    Returns
    -------
    ndarray, shape (2, lmax_calc + 1, lmax_calc + 1)
        The coefficients, complex128.
    """
    return _expand_glq(gridglq, w, zero, norm, csphase, lmax_calc, True)


def MakeGridGLQ(cilm: ArrayLike, zero: Optional[ArrayLike] = None, lmax: Optional[int] = None,
                norm: int = 1, csphase: int = 1, lmax_calc: Optional[int] = None,
                extend: bool = False) -> np.ndarray:
    """Make a map on the Gauss-Legendre grid.

    Parameters
    ----------
    cilm : array_like, shape (2, lmaxin + 1, lmaxin + 1)
        The coefficients.
    zero : array_like, optional
        Nodes of ``SHGLQ(lmax)``, which are not needed.
    lmax : int, optional
        Degree of the grid. By default it is that of `cilm`.
    %(norm.pyshtools)s
    %(csphase.pyshtools)s
    %(lmax_calc)s
    %(extend.longitude)s

    Returns
    -------
    ndarray, shape (lmax + 1, 2 lmax + 1), with `extend` one more longitude
        The map.
    """
    return _make_glq(cilm, zero, lmax, lmax_calc, extend, (norm, csphase), False)


def MakeGridGLQC(cilm: ArrayLike, zero: Optional[ArrayLike] = None, lmax: Optional[int] = None,
                 norm: int = 1, csphase: int = 1, lmax_calc: Optional[int] = None,
                 extend: bool = False) -> np.ndarray:
    """Make a complex map on the Gauss-Legendre grid.

    Parameters
    ----------
    cilm : array_like, shape (2, lmaxin + 1, lmaxin + 1)
        The coefficients of m >= 0 and m < 0.
    zero : array_like, optional
        As in `MakeGridGLQ`; so are the parameters below.
    lmax : int, optional
        Degree of the grid.
    %(norm.pyshtools)s
    %(csphase.pyshtools)s
    %(lmax_calc.summed)s
    %(extend.longitude)s

    Returns
    -------
    ndarray
        The map, complex128.
    """
    return _make_glq(cilm, zero, lmax, lmax_calc, extend, (norm, csphase), True)
