"""Deflections, what they do to directions and areas, and plans for lensed maps."""
from __future__ import annotations

import math
from typing import Any, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import (COMPLEX_OF, REAL_OF, Output, apart, as_alm, as_map, input_buffer,
                      leading_shape, pointer)
from ._errors import check, choice, whole
from ._native import ffi, lib
from ._progress import Progress, execute
from .alm import Layout, band
from .grid import Grid
from .points import PointsDescription, PointsPlan, described, locations, options_of

_KINDS = {"potential": lib.ARMILLA_DEFLECTION_POTENTIAL, "vector": lib.ARMILLA_DEFLECTION_VECTOR}
_DISTORTIONS = {False: lib.ARMILLA_DISTORTION_LINEAR, True: lib.ARMILLA_DISTORTION_EXACT}
_WIDE = {np.dtype(np.complex64): np.dtype(np.complex128),
         np.dtype(np.float32): np.dtype(np.float64)}


class Deflection:
    """The library's struct and the array that it points to."""

    __slots__ = ("alm", "struct")

    def __init__(self, deflection: ArrayLike, kind: str, lmax: Optional[int],
                 mmax: Optional[int], nthreads: int) -> None:
        alm = np.array(as_alm(deflection, "deflection"), np.complex128, order="C")
        if alm.ndim not in (1, 2) or alm.ndim == 2 and len(alm) > 2:
            raise ValueError(f"deflection: has shape {alm.shape}, must have (size,), or (2, size): "
                             "gradient and curl")
        alm = alm.reshape(-1, alm.shape[-1])
        self.alm = alm
        self.struct = ffi.new("armilla_deflection *")
        lib.armilla_deflection_init(self.struct)
        self.struct.lmax, self.struct.mmax = band(alm, lmax, mmax)
        self.struct.gradient = pointer(alm[0])
        if len(alm) == 2:
            self.struct.curl = pointer(alm[1])
        self.struct.kind = choice("kind", kind, _KINDS)
        self.struct.nthreads = whole("nthreads", nthreads)


def _grid(grid: Any) -> Any:
    if not isinstance(grid, Grid):
        raise TypeError(f"grid: must be an armilla.Grid, not {type(grid).__name__}")
    return grid._grid


# --- Directions and areas -------------------------------------------------------------------------


def deflect(loc: ArrayLike, deflection: ArrayLike, *, nthreads: int = 0
            ) -> Tuple[np.ndarray, np.ndarray]:
    """Moves directions along geodesics; right to rounding at every place, for every length.

    loc: (npoints, 2), colatitude 0 .. pi and longitude; deflection: (2, npoints), alpha_theta and
    alpha_phi; radians. Result: where the directions came to, (npoints, 2), and gamma, (npoints,):
    a field of spin s there, carried back, is exp(i s gamma) times its value. ValueError: an angle
    out of range or not finite, by its number.
    """
    loc = locations(loc)
    field = np.ascontiguousarray(as_map(deflection, "deflection"), np.float64)
    if field.shape != (2, len(loc)):
        raise ValueError(f"deflection: has shape {field.shape}, must have (2, {len(loc)})")
    moved: np.ndarray = np.empty(loc.shape)
    gamma: np.ndarray = np.empty(len(loc))
    check(lib.armilla_lensing_deflect(len(loc), pointer(loc), pointer(field),
                                      whole("nthreads", nthreads), pointer(moved), pointer(gamma)))
    return moved, gamma


def distortion(grid: Grid, deflection: ArrayLike, *, kind: str = "potential", exact: bool = False,
               lmax: Optional[int] = None, mmax: Optional[int] = None, nthreads: int = 0
               ) -> np.ndarray:
    """Maps (4, npix) of what a deflection does to small images: kappa, gamma1, gamma2, omega.

        A = ( 1 - kappa - gamma1   omega - gamma2     )    in (e_theta, e_phi)
            ( -omega - gamma2      1 - kappa + gamma1 )

    exact=False: A = 1 + the covariant derivatives of the deflection (kappa_lm = l (l + 1) phi_lm /
    2, omega_lm = l (l + 1) Omega_lm / 2). exact=True: the derivative of the deflected direction,
    in frames carried along; `magnification` is then the ratio of areas. deflection, kind, lmax,
    mmax: as in Lensing. Places of a map that are no pixels are 0.
    """
    taken = Deflection(deflection, kind, lmax, mmax, nthreads)
    result: np.ndarray = np.zeros((4, grid.npix if isinstance(grid, Grid) else 0))
    check(lib.armilla_lensing_distortion(_grid(grid), taken.struct, _DISTORTIONS[bool(exact)],
                                         pointer(result)))
    return result


def magnification(distortion: ArrayLike) -> np.ndarray:
    """det A of maps (4, ...) of kappa, gamma1, gamma2, omega: the area there over the area here."""
    kappa, gamma1, gamma2, omega = np.asarray(distortion)
    return np.asarray((1 - kappa) ** 2 + omega**2 - gamma1**2 - gamma2**2)


# --- Plans ----------------------------------------------------------------------------------------


class Lensing(PointsPlan):
    """A plan: lensed maps of fields given by their coefficients, and the adjoint. Immutable; any
    number of threads may use it at once.

        lensed(n) = exp(i spin gamma) f(n'),    n' = n moved by the deflection along a geodesic

    grid: where the lensed map is; any, also parts of the sky.
    deflection: (size,), coefficients of the potential phi, alpha = grad phi; or (2, size), phi and
    Omega, alpha = grad phi + curl Omega. kind="vector": sqrt(l (l + 1)) times these (lenspyx' dlm).
    Their band limit is their own: deflection_lmax, deflection_mmax (None: from the size).
    Values have an error of at most epsilon, relative to the root mean square of all; the adjoint is
    that of the approximation, to rounding.

    Shapes and modes are those of SHT; so are the arguments that all methods take. Single precision
    is computed in double.
    """

    __slots__ = ("_lensing", "_grid", "_recipe")
    _recipe: tuple

    def __init__(self, grid: Grid, deflection: ArrayLike, lmax: int, spin: int = 0,
                 epsilon: float = 1e-7, mmax: Optional[int] = None, *, kind: str = "potential",
                 deflection_lmax: Optional[int] = None, deflection_mmax: Optional[int] = None,
                 mode: str = "standard", layout: Optional[Layout] = None,
                 isa: Optional[str] = None, spin_method: str = "auto", nthreads: int = 0) -> None:
        """0 <= mmax <= lmax (mmax None: lmax, or that of the layout); |spin| <= lmax; epsilon:
        1e-13 to 0.1; isa: instruction set, None for the best; nthreads: that make the plan."""
        taken = Deflection(deflection, kind, deflection_lmax, deflection_mmax, nthreads)
        handle, sizes = _grid(grid), (taken.struct.lmax, taken.struct.mmax)
        self._recipe = (taken.alm, kind, *sizes, taken.struct.nthreads)
        self._make(grid, (lmax, spin, epsilon, mmax, mode, isa, spin_method), layout,
                   lambda *more: lib.armilla_lensing_new(handle, taken.struct, *more))

    def beside(self, lmax: int, spin: int = 0, epsilon: Optional[float] = None,
               mmax: Optional[int] = None, *, mode: str = "standard",
               layout: Optional[Layout] = None, isa: Optional[str] = None,
               spin_method: str = "auto") -> Lensing:
        """A plan for other fields under the same deflection (polarisation besides temperature):
        the deflected directions are shared. epsilon: None, that of this plan."""
        epsilon = self.epsilon if epsilon is None else epsilon
        other = Lensing.__new__(Lensing)
        other._recipe = self._recipe
        other._make(self._grid, (lmax, spin, epsilon, mmax, mode, isa, spin_method), layout,
                    lambda *more: lib.armilla_lensing_new_beside(self._lensing, *more))
        return other

    def _make(self, grid: Grid, given: tuple, layout: Optional[Layout], new: Any) -> None:
        options, struct, _name = options_of(given, layout)
        struct.nthreads = self._recipe[-1]
        lensing = ffi.new("armilla_lensing **")
        check(new(options[0], options[3], struct, lensing))
        self._lensing = ffi.gc(lensing[0], lib.armilla_lensing_free)
        self._grid, self._layout, self._options = grid, layout, options
        self._take_shapes(self.describe(1), grid.npix)

    # --- What it is ---------------------------------------------------------------------------

    @property
    def grid(self) -> Grid:
        """The grid of the lensed maps."""
        return self._grid

    def angles(self) -> Tuple[np.ndarray, np.ndarray]:
        """The deflected directions of the pixels, (npix, 2), and gamma, (npix,), as `deflect` has
        them; 0 at places of a map that are no pixels."""
        loc: np.ndarray = np.zeros((self._grid.npix, 2))
        gamma: np.ndarray = np.zeros(self._grid.npix)
        check(lib.armilla_lensing_angles(self._lensing, pointer(loc), pointer(gamma)))
        return loc, gamma

    def describe(self, nthreads: int = 0) -> PointsDescription:
        """What a call with so many threads will run and need."""
        return described(lib.armilla_lensing_describe, self._lensing, nthreads,
                         self._recipe[0].nbytes)

    # --- The operators ------------------------------------------------------------------------

    def alm2lenmap(self, alm: ArrayLike, *, out: Optional[np.ndarray] = None, nthreads: int = 0,
                   progress: Progress = None) -> np.ndarray:
        """Coefficients (..., *alm_shape) -> lensed map (..., *map_shape): L."""
        return self._apply(True, as_alm(alm), out, nthreads, progress)

    def adjoint(self, map: ArrayLike, *, out: Optional[np.ndarray] = None, nthreads: int = 0,
                progress: Progress = None) -> np.ndarray:
        """Lensed map (..., *map_shape) -> coefficients (..., *alm_shape), no weights: L^T."""
        return self._apply(False, as_map(map), out, nthreads, progress)

    def _apply(self, to_map: bool, given: np.ndarray, out: Optional[np.ndarray], nthreads: int,
               progress: Progress) -> np.ndarray:
        tails = self._alm_tail, self._map_tail
        lead = leading_shape(given, tails[not to_map], "alm" if to_map else "map")
        kind = REAL_OF[given.dtype] if to_map else COMPLEX_OF[given.dtype]
        dense = self._grid.kind != "custom" if to_map else self._layout is None
        target = Output(out, lead + tails[to_map], kind, dense)
        if given.dtype in _WIDE:
            wide = None if out is None else out.astype(_WIDE[kind])
            target.result[...] = self._apply(to_map, given.astype(_WIDE[given.dtype]), wide,
                                             nthreads, progress)
            return target.result
        source, distance = input_buffer(apart(given, out))
        ntrans = math.prod(lead)
        if ntrans:
            function = lib.armilla_lensing_alm2lenmap if to_map else lib.armilla_lensing_adjoint
            # alm comes first in alm2lenmap, and in distances always
            alm, map_ = (distance, target.distance) if to_map else (target.distance, distance)
            execute(function, (self._lensing, pointer(source), pointer(target.array)), ntrans,
                    nthreads, progress, alm, map_)
        return target.finish()

    def __reduce__(self) -> Tuple[Any, ...]:
        return _rebuild, (self._grid, self._recipe, self._layout, self._options)

    def __repr__(self) -> str:
        return (f"<armilla.Lensing lmax {self.lmax}, mmax {self.mmax}, spin {self.spin}, "
                f"{self.mode}, epsilon {self.epsilon:g}, on {self._grid!r}>")


def _rebuild(grid: Grid, recipe: tuple, layout: Optional[Layout], options: tuple) -> Lensing:
    alm, kind, deflection_lmax, deflection_mmax, nthreads = recipe
    lmax, spin, epsilon, mmax, mode, isa, spin_method = options
    return Lensing(grid, alm, lmax, spin, epsilon, mmax, kind=kind, deflection_lmax=deflection_lmax,
                   deflection_mmax=deflection_mmax, mode=mode, layout=layout, isa=isa,
                   spin_method=spin_method, nthreads=nthreads)
