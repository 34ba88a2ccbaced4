"""Deflections, what they do to directions and areas, and plans for lensed maps."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Optional, Sequence, Tuple, overload

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import (COMPLEX_OF, REAL_OF, Output, angles, apart, as_alm, as_map, input_buffer,
                      leading_shape, pointer)
from ._aside import aside, plan_aside
from ._device import Operator, Side, apply, coefficients, is_device_array, placed
from ._errors import choice, threads, whole
from ._hints import absent_of, on_grid
from ._maps import MapShape
from ._native import ffi, lib
from ._place import DEVICES
from ._progress import HOST_OF, Progress, execute
from ._types import DeflectionKind, Device, Given, Mode, OnDevice, SpinMethod
from .alm import Layout, band
from .grid import Grid, GridLike, as_grid
from .points import (PointsDescription, PointsPlan, described, locations, options_of,
                     plan_size)

KINDS = {"potential": lib.ARMILLA_DEFLECTION_POTENTIAL, "vector": lib.ARMILLA_DEFLECTION_VECTOR,
          "map": lib.ARMILLA_DEFLECTION_MAP}
_DISTORTIONS = {False: lib.ARMILLA_DISTORTION_LINEAR, True: lib.ARMILLA_DISTORTION_EXACT}
_WIDE = {np.dtype(np.complex64): np.dtype(np.complex128),
         np.dtype(np.float32): np.dtype(np.float64)}


class Deflection:
    """The library's struct and the array that it points to."""

    __slots__ = ("array", "struct", "_owner")
    array: Optional[np.ndarray]  # a copy; None: it is in a GPU's memory

    def __init__(self, deflection: Any, kind: DeflectionKind, lmax: Optional[int],
                 mmax: Optional[int], nthreads: int, grid: Grid, device: Optional[Device] = None
                 ) -> None:
        """device: of a plan, which takes arrays from a GPU's memory as well."""
        number, is_map = choice("kind", kind, KINDS), kind == "map"
        dtype = np.dtype(np.float64 if is_map else np.complex128)
        if device is not None and is_device_array(deflection):
            there = placed(deflection, "deflection", device, dtype)
            self.array, self._owner, shape, first = None, there.owner, there.shape, there.pointer
            distance = there.distance or shape[-1]
        else:
            given = as_map(deflection, "deflection") if is_map else as_alm(deflection, "deflection")
            given = MapShape.on(grid, 2).line(given) if is_map else given
            self.array = np.array(given, dtype, order="C")
            self._owner, shape, first = self.array, self.array.shape, pointer(self.array)
            distance = shape[-1] if shape else 0
        self.struct = ffi.new("armilla_deflection *")
        lib.armilla_deflection_init(self.struct)
        self.struct.kind, self.struct.nthreads = number, threads(nthreads)
        if is_map:
            self._take_map(shape, first, distance, (lmax, mmax), grid)
        else:
            self._take_alm(shape, first, distance, lmax, mmax)

    def _take_map(self, shape: Tuple[int, ...], first: Any, distance: int, limits: Any,
                  grid: Grid) -> None:
        if limits != (None, None):
            raise ValueError("deflection_lmax, deflection_mmax: must be None for a map")
        if shape != (2, grid.npix) or distance != grid.npix:
            raise ValueError(f"deflection: has shape {shape}, must have (2, {grid.npix}), "
                             "contiguous")
        self.struct.map = first

    def _take_alm(self, shape: Tuple[int, ...], first: Any, distance: int, lmax: Optional[int],
                  mmax: Optional[int]) -> None:
        if len(shape) not in (1, 2) or len(shape) == 2 and shape[0] not in (1, 2):
            raise ValueError(f"deflection: has shape {shape}, must have (size,), or (2, size): "
                             "gradient and curl")
        self.struct.lmax, self.struct.mmax = band(np.broadcast_to(0, shape), lmax, mmax,
                                                  "deflection")
        self.struct.gradient = first
        if len(shape) == 2 and shape[0] == 2:
            self.struct.curl = first + 2 * distance

    @property
    def size(self) -> int:
        """Of the copy."""
        return 0 if self.array is None else self.array.size


# --- Directions and areas -------------------------------------------------------------------------


def deflect(loc: ArrayLike, deflection: ArrayLike, *, nthreads: int = 0
            ) -> Tuple[np.ndarray, np.ndarray]:
    """Move directions along geodesics, accurately at every place and for every length.

    Parameters
    ----------
    loc : array_like, shape (npoints, 2)
        Colatitude, 0 to pi, and longitude of each direction in radians.
    deflection : array_like, shape (2, npoints)
        Components of the deflection along e_theta and e_phi, in radians.
    %(nthreads.short)s

    Returns
    -------
    loc : ndarray, shape (npoints, 2)
        Where the directions came to.
    gamma : ndarray, shape (npoints,)
        Angles in radians: a field of spin s there, carried back, is exp(i s gamma) times its
        value.

    Raises
    ------
    ValueError
        If a shape is wrong, or an angle is out of range or not finite; the text has its number.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> loc, gamma = armilla.lensing.deflect([[1.0, 2.0]], [[0.1], [0.0]])     # to the south
    >>> loc.round(6), abs(gamma.round(6))
    (array([[1.1, 2. ]]), array([0.]))
    """
    loc = locations(loc)
    moves = angles(deflection, "deflection", texts=False)
    field = np.ascontiguousarray(as_map(moves, "deflection"), np.float64)
    if field.shape != (2, len(loc)):
        raise ValueError(f"deflection: has shape {field.shape}, must have (2, {len(loc)})")
    moved: np.ndarray = np.empty(loc.shape)
    gamma: np.ndarray = np.empty(len(loc))
    nthreads = threads(nthreads)
    aside(lambda: lib.armilla_lensing_deflect(len(loc), pointer(loc), pointer(field), nthreads,
                                              pointer(moved), pointer(gamma)), len(loc))
    return moved, gamma


def distortion(grid: GridLike, deflection: ArrayLike, *, kind: DeflectionKind = "potential",
               exact: bool = False,
               lmax: Optional[int] = None, mmax: Optional[int] = None, nthreads: int = 0
               ) -> np.ndarray:
    """Compute what a deflection does to small images: convergence, shear and rotation.

    Parameters
    ----------
    %(grid)s
    deflection : array_like, shape (size,) or (2, size)
        Coefficients of the deflection: see `Lensing`.
    kind : {"potential", "vector"}, optional
        What the coefficients are: see `Lensing`. Of a map the derivatives are not known.
    exact : bool, optional
        Whether A is the derivative of the deflected direction, in frames that are carried along;
        the `magnification` is the ratio of areas then. By default A is 1 plus the covariant
        derivatives of the deflection: kappa_lm = l (l + 1) phi_lm / 2 and omega_lm = l (l + 1)
        Omega_lm / 2.
    %(arguments.lmax_mmax)s
    %(nthreads.short)s

    Returns
    -------
    ndarray, shape (4, npix)
        Maps of kappa, gamma1, gamma2 and omega. Places of a map that are no pixels are 0.

    Raises
    ------
    %(ValueError.shape_or_number)s
    %(TypeError)s
    NotImplementedError
        If `kind` is "map".

    Notes
    -----
    In the frame (e_theta, e_phi) the matrix is ::

        A = ( 1 - kappa - gamma1   omega - gamma2     )
            ( -omega - gamma2      1 - kappa + gamma1 )

    Examples
    --------
    >>> import armilla, numpy as np
    >>> phi = armilla.alm.random(32, 1e-6 / np.arange(1, 34.0) ** 4, seed=1)
    >>> kappa, *shear, omega = armilla.lensing.distortion(armilla.Grid.healpix(16), phi)
    >>> bool(np.allclose(omega, 0))                 # a potential does not rotate images
    True
    """
    grid = as_grid(grid)
    taken = Deflection(deflection, kind, lmax, mmax, nthreads, grid)
    handle = grid._grid
    result: np.ndarray = np.zeros((4, grid.npix))
    aside(lambda: lib.armilla_lensing_distortion(
        handle, taken.struct, _DISTORTIONS[bool(exact)], pointer(result)),
        grid.npix + taken.size)
    return result


def magnification(distortion: ArrayLike) -> np.ndarray:
    """Compute det A of maps of the distortion: the area there over the area here.

    Parameters
    ----------
    distortion : array_like, shape (4, ...)
        Maps of kappa, gamma1, gamma2 and omega.

    Returns
    -------
    ndarray, shape (...)
        The determinant.
    """
    kappa, gamma1, gamma2, omega = np.asarray(distortion)
    return np.asarray((1 - kappa) ** 2 + omega**2 - gamma1**2 - gamma2**2)


# --- Plans ----------------------------------------------------------------------------------------


class Lensing(PointsPlan):
    """A plan for lensed maps of fields given by their coefficients, and the adjoint.

    A plan is immutable, and any number of threads may use it at once.

    Parameters
    ----------
    grid : Grid or str
        Where the lensed map is: any grid, also part of a sky.
    deflection : array_like, shape (size,), (2, size) or (2, npix)
        Coefficients of the potential phi of the deflection alpha = grad phi; or of phi and Omega,
        where alpha = grad phi + curl Omega; or alpha itself, for each pixel of the grid.
    lmax : int
        Largest degree of the field.
    %(spin.signed)s
    %(epsilon)s
    %(mmax.layout)s
    kind : {"potential", "vector", "map"}, optional
        Whether `deflection` holds these coefficients, or sqrt(l (l + 1)) times these, which
        lenspyx calls dlm; or the map of alpha_theta and alpha_phi, in radians.
    deflection_lmax : int, optional
        Largest degree of the deflection. By default it follows from the number of coefficients.
    deflection_mmax : int, optional
        Largest order of the deflection. By default it is `deflection_lmax`.
    %(mode)s
    %(layout)s
    %(isa)s
    %(spin_method)s
    nthreads : int, optional
        Number of threads that make the plan; 0 means all.
    device : {"cpu", "cuda"}, optional
        Where fields are lensed. "cuda" means an NVIDIA GPU, with the library's CUDA build: calls
        then take arrays of NumPy, and arrays of doubles in the GPU's memory (CuPy, PyTorch, Numba;
        whatever has the CUDA array interface or DLPack) as they are, on the stream that they name.
        `deflection` may be in the memory of either, complex128 or, of a map, float64 in that of
        the GPU.
    device_bytes : int, optional
        As in `Points`.
    devices : sequence of int, optional
        Numbers of the GPUs that share each lensed map, with device "cuda": each has neighbouring
        bands of rings, and the pixels whose directions come there. Several of them take arrays of
        the host alone. By default the GPU that is current runs all.

    Raises
    ------
    %(ValueError.shape_or_number)s
    %(TypeError)s
    %(MemoryError)s
    %(NotImplementedError.gpu)s

    See Also
    --------
    armilla.lensing.distortion : Convergence, shear and rotation.
    Points : Values at arbitrary points.

    Notes
    -----
    The lensed field is lensed(n) = exp(i spin gamma) f(n'), where n' is n moved by the deflection
    along a geodesic, and gamma is the angle that `armilla.lensing.deflect` describes. Values have
    an rms error of at most `epsilon` times the rms of the field over the sphere; the adjoint is
    that of the approximation, to rounding.

    Shapes and modes are as in `SHT`. Single precision is computed in double.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> phi = armilla.alm.random(32, 1e-6 / np.arange(1, 34.0) ** 4, seed=1)
    >>> lensing = armilla.Lensing(armilla.Grid.healpix(16), phi, lmax=32)
    >>> lensing.alm2lenmap(armilla.alm.random(32, np.ones(33), seed=2)).shape
    (3072,)
    """

    __slots__ = ("_lensing", "_grid", "_recipe")
    _recipe: tuple

    if not TYPE_CHECKING:
        __getattr__ = absent_of("lensing")

    @on_grid
    def __init__(self, grid: GridLike, deflection: ArrayLike, lmax: int, spin: int = 0,
                 epsilon: float = 1e-7, mmax: Optional[int] = None, *,
                 kind: DeflectionKind = "potential",
                 deflection_lmax: Optional[int] = None, deflection_mmax: Optional[int] = None,
                 mode: Mode = "standard", layout: Optional[Layout] = None,
                 isa: Optional[str] = None, spin_method: SpinMethod = "auto",
                 nthreads: int = 0, device: Device = "cpu", device_bytes: int = 0,
                 devices: Optional[Sequence[int]] = None) -> None:
        choice("device", device, DEVICES)
        grid = as_grid(grid)
        taken = Deflection(deflection, kind, deflection_lmax, deflection_mmax, nthreads, grid,
                           device)
        sizes = (None, None) if kind == "map" else (taken.struct.lmax, taken.struct.mmax)
        handle = grid._grid
        self._recipe = (taken.array, kind, *sizes, taken.struct.nthreads)
        self._make(grid, (lmax, spin, epsilon, mmax, mode, isa, spin_method), layout,
                   (device, device_bytes, devices),
                   lambda *more: lib.armilla_lensing_new(handle, taken.struct, *more))

    def beside(self, lmax: int, spin: int = 0, epsilon: Optional[float] = None,
               mmax: Optional[int] = None, *, mode: Mode = "standard",
               layout: Optional[Layout] = None, isa: Optional[str] = None,
               spin_method: SpinMethod = "auto") -> Lensing:
        """Make a plan for other fields under the same deflection, whose directions are shared.

        This is for polarisation in addition to temperature. It runs where this plan does.

        Parameters
        ----------
        %(arguments.lensing_beside)s
        %(arguments.points_plan)s

        Returns
        -------
        Lensing
            The new plan.

        Raises
        ------
        %(ValueError.number_or_word)s
        """
        epsilon = self.epsilon if epsilon is None else epsilon
        other = Lensing.__new__(Lensing)
        other._recipe = self._recipe
        other._make(self._grid, (lmax, spin, epsilon, mmax, mode, isa, spin_method), layout,
                    (self.device, self._options.device_bytes, self.devices),
                    lambda *more: lib.armilla_lensing_new_beside(self._lensing, *more))
        return other

    def _make(self, grid: Grid, given: tuple, layout: Optional[Layout],
              where: Tuple[Device, int, Optional[Sequence[int]]], new: Any) -> None:
        options, struct, alive = options_of(given, layout, *where)
        copy = self._recipe[0]
        size = grid.npix + (0 if copy is None else copy.size)
        struct.nthreads = self._recipe[-1]
        self._lensing = plan_aside("lensing", lib.armilla_lensing_free,
                                   lambda made: new(options.lmax, options.mmax, struct, made),
                                   plan_size(size, where[0]), alive, grid, self._recipe)
        self._grid, self._layout, self._options = grid, layout, options
        self._take_shapes(self.describe(1), grid.npix, grid._square())

    # --- What it is ---------------------------------------------------------------------------

    @property
    def grid(self) -> Grid:
        """The grid of the lensed maps."""
        return self._grid

    def angles(self) -> Tuple[np.ndarray, np.ndarray]:
        """Return the deflected directions of the pixels.

        Returns
        -------
        loc : ndarray, shape (npix, 2)
            Colatitude and longitude in radians; 0 at places of a map that are no pixels.
        gamma : ndarray, shape (npix,)
            Angles by which fields turn: see `armilla.lensing.deflect`.
        """
        loc: np.ndarray = np.zeros((self._grid.npix, 2))
        gamma: np.ndarray = np.zeros(self._grid.npix)
        aside(lambda: lib.armilla_lensing_angles(self._lensing, pointer(loc), pointer(gamma)),
              plan_size(self._grid.npix, self.device))
        return loc, gamma

    def describe(self, nthreads: int = 0) -> PointsDescription:
        """Return what a call will run, and how much memory it needs.

        %(sections.points_description)s
        """
        copy = self._recipe[0]
        return described(lib.armilla_lensing_describe, self._lensing, nthreads,
                         0 if copy is None else copy.nbytes)

    # --- The operators ------------------------------------------------------------------------

    @overload
    def alm2lenmap(self, alm: Any, *, out: Given, nthreads: int = ...,
                   progress: Progress = ...) -> Given: ...

    @overload
    def alm2lenmap(self, alm: OnDevice, *, out: None = ..., nthreads: int = ...,
                   progress: Progress = ...) -> OnDevice: ...

    @overload
    def alm2lenmap(self, alm: ArrayLike, *, out: None = ..., nthreads: int = ...,
                   progress: Progress = ...) -> np.ndarray: ...

    def alm2lenmap(self, alm: Any, *, out: Any = None, nthreads: int = 0,
                   progress: Progress = None) -> Any:
        """Transform coefficients to a lensed map: L.

        Parameters
        ----------
        alm : array_like, shape (...,) + alm_shape
            Coefficients, complex64 or complex128. Leading axes are fields that are lensed
            together.
        %(arguments.out_to_progress)s

        Returns
        -------
        ndarray, shape (...,) + map_shape
            The lensed maps: float32 for complex64, else float64. Arrays of a GPU give arrays of
            the same library there.

        %(Raises.shape+type+cancelled)s
        """
        if is_device_array(alm) or is_device_array(out):
            return self._apply_there(True, alm, out, nthreads, progress)
        return self._apply(True, as_alm(alm), out, nthreads, progress)

    @overload
    def adjoint(self, map: Any, *, out: Given, nthreads: int = ...,
                progress: Progress = ...) -> Given: ...

    @overload
    def adjoint(self, map: OnDevice, *, out: None = ..., nthreads: int = ...,
                progress: Progress = ...) -> OnDevice: ...

    @overload
    def adjoint(self, map: ArrayLike, *, out: None = ..., nthreads: int = ...,
                progress: Progress = ...) -> np.ndarray: ...

    def adjoint(self, map: Any, *, out: Any = None, nthreads: int = 0,
                progress: Progress = None) -> Any:
        """Apply the adjoint of alm2lenmap, without weights: L^T.

        Parameters
        ----------
        map : array_like, shape (...,) + map_shape
            Lensed maps, float32 or float64; the pixels may be two axes, ``grid.shape_2d``.
        %(arguments.out_to_progress)s

        %(Returns.alm)s

        %(Raises.shape+type+cancelled)s
        """
        if is_device_array(map) or is_device_array(out):
            return self._apply_there(False, map, out, nthreads, progress)
        return self._apply(False, as_map(map), out, nthreads, progress)

    def _apply_there(self, to_map: bool, given: Any, out: Any, nthreads: int,
                     progress: Progress) -> Any:
        """Where an array is in device memory: of doubles."""
        function = lib.armilla_lensing_alm2lenmap if to_map else lib.armilla_lensing_adjoint

        def of_doubles(real: np.dtype) -> Any:
            if real != np.float64:
                raise NotImplementedError(f"{'alm' if to_map else 'map'}: must hold doubles where "
                                          "fields are lensed in device memory")
            return function

        sides = (coefficients(self._alm_tail, self._layout is None),
                 Side("map", self._maps, False, self._grid._dense))
        source, made = sides if to_map else sides[::-1]
        return apply(Operator(self.device, of_doubles, (self._lensing,), source, made), given, out,
                     nthreads, progress)

    def _apply(self, to_map: bool, given: np.ndarray, out: Optional[np.ndarray], nthreads: int,
               progress: Progress) -> np.ndarray:
        tails = self._alm_tail, self._map_tail
        given = given if to_map else self._maps.line(given)
        lead = leading_shape(given, tails[not to_map], "alm" if to_map else "map")
        line = self._maps.output(out, lead) if to_map else out
        if line is not out:
            made = self._apply(to_map, given, line, nthreads, progress)
            return self._maps.result(made, line, out)
        kind = REAL_OF[given.dtype] if to_map else COMPLEX_OF[given.dtype]
        dense = self._grid._dense if to_map else self._layout is None
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
                    nthreads, progress, alm, map_, HOST_OF[self.device])
        return target.finish()

    def __reduce__(self) -> Tuple[Any, ...]:
        if self._recipe[0] is None:
            raise TypeError("a plan whose deflection was in device memory cannot be pickled or "
                            "copied; make it from a deflection of the host")
        return _rebuild, (self._grid, self._recipe, self._layout, self._options)

    def __repr__(self) -> str:
        return (f"<armilla.Lensing lmax {self.lmax}, mmax {self.mmax}, spin {self.spin}, "
                f"{self.mode}, epsilon {self.epsilon:g}, on {self._grid!r}>")


def _rebuild(grid: Grid, recipe: tuple, layout: Optional[Layout], options: tuple) -> Lensing:
    alm, kind, deflection_lmax, deflection_mmax, nthreads = recipe
    lmax, spin, epsilon, mmax, mode, isa, spin_method, device, device_bytes, devices, *_ = options
    return Lensing(grid, alm, lmax, spin, epsilon, mmax, kind=kind, deflection_lmax=deflection_lmax,
                   deflection_mmax=deflection_mmax, mode=mode, layout=layout, isa=isa,
                   spin_method=spin_method, nthreads=nthreads, device=device,
                   device_bytes=device_bytes, devices=devices)
