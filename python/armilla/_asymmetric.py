"""Convolution pixel by pixel with sums of radial kernels at offsets."""
from __future__ import annotations

import warnings
from typing import Any, Dict, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import angles, missing_rule, pointer, reals
from ._aside import MANY, plan_aside
from ._device import check_host
from ._errors import characters, check, choice, real, threads
from ._html import table_of
from ._maps import MapShape
from ._native import ffi, lib
from ._progress import HOST_OF, Progress
from ._structs import as_tuple
from ._types import Missing, Normalization
from .grid import Grid, GridLike, as_grid
from .kernel import Kernel
from .radial import NORMALIZATIONS, HostCall, taken_support

_FUNCTIONS: Dict[Tuple[str, np.dtype], Any] = {
    (name, kind): getattr(lib, f"armilla_asymmetric_{name}{suffix}")
    for name in ("convolve", "adjoint")
    for kind, suffix in ((np.dtype(np.float64), ""), (np.dtype(np.float32), "_float"))}


class AsymmetricDescription(NamedTuple):
    """What a convolution with an asymmetric kernel will run, and what it needs.

    Attributes
    ----------
    %(isa.attribute)s
    nkernels : int
        Number of kernels.
    support : float
        Largest angle at which a kernel is cut, in radians.
    truncation_error : float
        Largest error by that of a kernel: see `Kernel.truncation_error`.
    width : float
        Least angle at which a kernel first falls to half, in radians.
    %(arguments.pixel_to_plan_bytes)s
    workspace_bytes : int
        Memory that a call of one map needs besides the arrays.
    """

    isa: str
    nkernels: int
    support: float
    truncation_error: float
    width: float
    pixel: float
    nrings: int
    npix: int
    pairs: int
    plan_bytes: int
    workspace_bytes: int


def _kernels(kernels: Union[Kernel, Sequence[Kernel]], number: int) -> Tuple[Kernel, ...]:
    """One for each offset."""
    if isinstance(kernels, Kernel):
        kernels = (kernels,) * number
    try:
        given = tuple(kernels)
    except TypeError:
        raise TypeError(f"kernels: must be of armilla.Kernel, not {type(kernels).__name__}"
                        ) from None
    if not given:
        raise ValueError("kernels: is empty, must have one or more")
    for kernel in given:
        if not isinstance(kernel, Kernel):
            raise TypeError(f"kernels: must be of armilla.Kernel, not {type(kernel).__name__}")
    if len(given) != number:
        raise ValueError(f"kernels: {len(given)} of them, must be one or {number}")
    return given


class _Options(NamedTuple):
    psi: np.ndarray
    support: Optional[float]
    normalization: Normalization
    truncation_error: float
    isa: Optional[str]


class Asymmetric:
    """A plan for the convolution of maps with a sum of radial kernels at offsets, pixel by pixel.

    The sum is a beam in its own frame, which is taken to each pixel. A plan is immutable, and any
    number of threads may use it at once. Inputs are never written.

    Parameters
    ----------
    grid : Grid or str
        Where the pixels are, in RING order.
    kernels : Kernel or sequence of Kernel
        The radial kernels, or one for all offsets.
    offsets : array_like, shape (number, 2)
        Colatitude and longitude of the centre of each kernel in the frame of the beam, radians.
    weights : array_like, shape (number,)
        Factor of each kernel.
    psi : float or array_like, shape (nrings,), optional
        Angle by which the beam is turned about its axis, in radians: of all pixels, or of those of
        each ring. With 0 the beam's x axis looks south.
    support : float, optional
        Angle at which each kernel is cut, in radians, above 0. By default it is, for each, the
        smallest one with `truncation_error`.
    normalization : {"auto", "none", "integral", "sum"}, optional
        What is done to each kernel by itself: see `Radial`.
    truncation_error : float, optional
        What cutting a kernel may change: see `Kernel.truncation_error`.
    %(isa)s

    Raises
    ------
    ValueError
        If a number is out of range, a shape is wrong, or a word is unknown.
    %(TypeError)s
    NotImplementedError
        If the grid is in NESTED order, or the machine lacks the instruction set.

    Warns
    -----
    UserWarning
        If a kernel is narrower than a pixel and the sums are not normalized.

    See Also
    --------
    armilla.beam.fit_kernels : Kernels whose sum is a given beam.
    Beams : The same at any pointings, by transforms.

    Notes
    -----
    The result is, with p_j = R_z(phi_p) R_y(theta_p) R_z(psi) offset_j,

        s_p = sum over j of weight_j sum over q within the support of w_q K_j(angle(p_j, q)) map_q,

    exact to rounding: a value that is farther from all p_j than the kernels' supports has no
    influence at all, and there is no ringing. It takes a convolution by the method "pixels" for
    each kernel.

    float32 stays float32, and all other types become float64.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> beam = armilla.beam.elliptical(0.1, 0.15, 90, 6)
    >>> fit = armilla.beam.fit_kernels(beam, 90, 6, tolerance=1e-3)
    >>> grid = armilla.Grid.healpix(32)
    >>> plan = armilla.Asymmetric(grid, fit.kernels(), fit.offsets, fit.weights, psi=0.3,
    ...                           normalization="sum")
    >>> bool(np.allclose(plan.convolve(np.ones(grid.npix)), 1, atol=1e-3))
    True
    """

    __slots__ = ("_plan", "_grid", "_kernels", "_places", "_options")
    _repr_html_ = table_of

    def __init__(self, grid: GridLike, kernels: Union[Kernel, Sequence[Kernel]],
                 offsets: ArrayLike, weights: ArrayLike, psi: ArrayLike = 0.0, *,
                 support: Optional[float] = None, normalization: Normalization = "auto",
                 truncation_error: float = 1e-7, isa: Optional[str] = None) -> None:
        grid = as_grid(grid)
        factors, places = reals(weights, "weights"), reals(angles(offsets, "offsets"), "offsets")
        if factors.ndim != 1 or places.shape != (len(factors), 2):
            raise ValueError(f"offsets, weights: have shapes {places.shape} and {factors.shape}, "
                             "must have (number, 2) and (number,)")
        if not len(factors):
            raise ValueError("weights: is empty, must have one or more")
        given = _kernels(kernels, len(factors))
        turns = reals(angles(psi, "psi"), "psi")
        if turns.ndim and turns.shape != (grid.nrings,):
            raise ValueError(f"psi: has shape {turns.shape}, must have () or ({grid.nrings},)")
        turns = np.array(np.broadcast_to(turns, (grid.nrings,)))
        options = ffi.new("armilla_radial_options *")
        lib.armilla_radial_options_init(options)
        if support is not None:
            options.support = taken_support(support)
        options.truncation_error = real("truncation_error", truncation_error)
        options.normalization = choice("normalization", normalization, NORMALIZATIONS)
        name = characters("isa", isa)
        options.isa = name
        handles = ffi.new("armilla_kernel *[]", [kernel._kernel for kernel in given])
        self._plan = plan_aside(
            "asymmetric", lib.armilla_asymmetric_free,
            lambda made: lib.armilla_asymmetric_new(
                grid._grid, len(given), handles, pointer(places), pointer(factors),
                pointer(turns), options, made), MANY, name, handles, places, factors, turns)
        self._grid, self._kernels, self._places = grid, given, (places.copy(), factors.copy())
        self._options = _Options(turns, support, normalization, truncation_error, isa)
        self._warn_if_narrow(normalization)

    def _warn_if_narrow(self, normalization: Normalization) -> None:
        told = self.describe(1)
        if normalization in ("none", "integral") and 2 * told.width < told.pixel:
            warnings.warn(f"kernels: one is {2 * told.width:.3g} rad wide at half maximum, "
                          f"narrower than a pixel, {told.pixel:.3g} rad: pixels sample it badly",
                          stacklevel=3)

    @property
    def grid(self) -> Grid:
        """The grid of the maps."""
        return self._grid

    @property
    def map_shape(self) -> Tuple[int, ...]:
        """Shape of one map."""
        return (self._grid.npix,)

    def describe(self, nthreads: int = 0) -> AsymmetricDescription:
        """Return what a call will run, and how much memory it needs.

        Parameters
        ----------
        %(nthreads.call)s

        Returns
        -------
        AsymmetricDescription
            Angles in radians, numbers and memory in bytes.
        """
        told = ffi.new("armilla_asymmetric_description *")
        told.size = ffi.sizeof("armilla_asymmetric_description")
        check(lib.armilla_asymmetric_describe(self._plan, threads(nthreads), told))
        return as_tuple(AsymmetricDescription, told)

    def convolve(self, map: ArrayLike, *, out: Optional[np.ndarray] = None, nthreads: int = 0,
                 progress: Progress = None, missing: Missing = "error") -> np.ndarray:
        """Convolve maps with the sum of kernels.

        Parameters
        ----------
        map : array_like, shape (..., npix)
            Maps.
        %(arguments.out_to_progress)s
        %(missing.as_sht)s

        Returns
        -------
        ndarray, shape (..., npix)
            The convolved maps, of the precision of the input.

        %(Raises.shape_or_missing+type+cancelled)s
        """
        return self._apply("convolve", map, out, nthreads, progress, missing)

    def adjoint(self, map: ArrayLike, *, out: Optional[np.ndarray] = None, nthreads: int = 0,
                progress: Progress = None, missing: Missing = "error") -> np.ndarray:
        """Apply the adjoint of convolve.

        The inner product of maps is the sum over pixels of a b.

        Parameters
        ----------
        map : array_like, shape (..., npix)
            Maps.
        %(arguments.out_to_progress)s
        %(missing.as_sht)s

        Returns
        -------
        ndarray, shape (..., npix)
            The result, of the precision of the input.

        %(Raises.shape_or_missing+type+cancelled)s
        """
        return self._apply("adjoint", map, out, nthreads, progress, missing)

    def _apply(self, name: str, map: Any, out: Any, nthreads: int, progress: Progress,
               missing: Missing) -> Any:
        check_host("asymmetric kernels are convolved with arrays", map=map, out=out)
        return HostCall(lambda kind: _FUNCTIONS[name, kind], (self._plan,), (),
                        MapShape.on(self._grid), self._grid._dense, (), HOST_OF["cpu"],
                        missing_rule(missing)).run(map, out, nthreads, progress)

    def __reduce__(self) -> Tuple[Any, ...]:
        return _rebuilt, (self._grid, self._kernels, self._places, self._options)

    def __repr__(self) -> str:
        told = self.describe(1)
        return (f"<armilla.Asymmetric {told.nkernels} kernels, support {told.support:.4g}, on "
                f"{self._grid!r}>")


def _rebuilt(grid: Grid, kernels: Sequence[Kernel], places: Tuple[np.ndarray, np.ndarray],
             options: _Options) -> Asymmetric:
    return Asymmetric(grid, kernels, *places, options.psi, support=options.support,
                      normalization=options.normalization, isa=options.isa,
                      truncation_error=options.truncation_error)
