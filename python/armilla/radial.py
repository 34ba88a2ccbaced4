"""Convolution of maps with radial kernels, on any ring grid."""
from __future__ import annotations

import math
import warnings
from typing import (TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional, Sequence,
                    Tuple, overload)

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import (Output, angle, apart, as_map, input_buffer, leading_shape, missing_rule,
                      plain, pointer, unmasked)
from ._aside import MANY, plan_aside
from ._device import Operator, Side, apply, check_host, is_device_array
from ._errors import characters, check, choice, real, threads, whole
from ._exactness import level_of_caller
from ._hints import absent_of, kernel_wanted, on_grid
from ._html import table_of
from ._maps import MapShape
from ._native import ffi, lib
from ._place import DEVICES, device_list
from ._progress import HOST_OF, Progress, execute
from ._structs import as_tuple
from ._types import (Choice, Device, Given, Missing, Normalization, OnDevice, RadialMethod,
                     RadialMode, RadialOptions)
from .grid import Grid, GridLike, as_grid
from .kernel import Kernel
from .transform import SHT, choices_told

_MODES = {"exact": lib.ARMILLA_RADIAL_EXACT, "standard": lib.ARMILLA_RADIAL_STANDARD}
NORMALIZATIONS = {"auto": lib.ARMILLA_RADIAL_AUTO, "none": lib.ARMILLA_RADIAL_NONE,
                   "integral": lib.ARMILLA_RADIAL_INTEGRAL, "sum": lib.ARMILLA_RADIAL_SUM}
_METHODS = {"auto": lib.ARMILLA_RADIAL_FASTEST, "pixels": lib.ARMILLA_RADIAL_PIXELS,
            "rings": lib.ARMILLA_RADIAL_RINGS}
UNSEEN = float(lib.ARMILLA_UNSEEN)
LEAST = 1e-3  # less of a kernel's weight on pixels that are there says little about the place
_FUNCTIONS: Dict[Tuple[str, np.dtype], Any] = {
    (name, kind): getattr(lib, f"armilla_radial_{name}{suffix}")
    for name in ("convolve", "adjoint", "convolve_weighted", "convolve_many")
    for kind, suffix in ((np.dtype(np.float64), ""), (np.dtype(np.float32), "_float"))}


class RadialDescription(NamedTuple):
    """What a convolution will run, and what it needs.

    Attributes
    ----------
    %(isa.attribute)s
    %(method.radial)s
    truncation_error : float
        What cutting it there changes: see `Kernel.truncation_error`.
    integral : float
        Integral of the kernel over the support, before normalization.
    width : float
        Angle at which the kernel first falls to half, in radians.
    %(arguments.pixel_to_plan_bytes)s
    %(workspace_bytes)s
    %(device_plan_bytes)s
    device_workspace_bytes : int
        Memory that a call needs on the GPU whose maps are on the host; with maps on the GPU it is
        less or none.
    """

    isa: str
    method: str
    normalization: str
    support: float
    truncation_error: float
    integral: float
    width: float
    pixel: float
    nrings: int
    npix: int
    pairs: int
    plan_bytes: int
    workspace_bytes: int
    device_plan_bytes: int
    device_workspace_bytes: int


def _weights(weights: ArrayLike, npix: int) -> np.ndarray:
    """float64 (npix,), contiguous."""
    array = plain(weights, "weights")
    if array.dtype.kind not in "biuf":
        raise TypeError(f"weights: must hold real numbers, not {array.dtype}")
    if array.shape != (npix,):
        raise ValueError(f"weights: has shape {array.shape}, must have ({npix},)")
    return np.ascontiguousarray(array, np.float64)


class HostCall(NamedTuple):
    """A call from maps to maps of the same shape, in arrays of the host."""

    function: Callable[[np.dtype], Any]  # of the library, for a type
    handles: Tuple[Any, ...]
    copies: Tuple[int, ...]  # of the result
    shapes: MapShape
    dense: bool  # a map has no gaps
    more: Tuple[Any, ...]  # arguments between the two arrays
    place: Any
    missing: int

    def run(self, map: Any, out: Any, nthreads: int, progress: Progress) -> Any:
        """The result."""
        values = as_map(map)
        shapes, flat = self.shapes.like(values), self.shapes.flat
        values = shapes.line(values)
        if out is not None:
            values = apart(values, out)
        lead = leading_shape(values, flat, "map")
        line = None if out is None else shapes.output(out, self.copies + lead)
        target = Output(line, self.copies + lead + flat, values.dtype, self.dense)
        source, distance = input_buffer(values)
        if distance != target.distance:  # both arrays of a call have the same
            source, distance = np.array(values, order="C"), 0
            target.compact()
        ntrans = math.prod(lead)
        if ntrans:
            execute(self.function(values.dtype),
                    (*self.handles, pointer(source), *self.more, pointer(target.array)), ntrans,
                    nthreads, progress, 0, distance, self.place, self.missing)
        return shapes.result(target.finish(), line, out)


class Radial:
    """A plan for the convolution of maps on one grid with one radial kernel, pixel by pixel.

    A plan is immutable, and any number of threads may use it at once. Inputs are never written.

    Parameters
    ----------
    %(grid)s
    kernel : Kernel
        Function of the angle between two pixels.
    support : float, optional
        Angle at which the kernel is cut, in radians, above 0. By default it is the smallest one
        with `truncation_error`, or a wider one where that is cheaper.
    mode : {"exact", "standard"}, optional
        "exact" is the sum in the Notes; with "standard" the rings are band-limited first.
    normalization : {"auto", "none", "integral", "sum"}, optional
        "integral" scales K to an integral of 1 over the support. "sum" divides s_p by the sum over
        q of w_q K, so that a constant map stays as it is. "auto" means "none" for kernels that are
        negative somewhere; "sum" for kernels that are narrower than 2.5 pixels at half maximum (10
        where they end with a jump, as discs do), whose sums are not near the integral; and
        "integral" for all others.
    method : {"auto", "pixels", "rings"}, optional
        How the sum is computed. For one support the results agree to rounding.
    truncation_error : float, optional
        What cutting the kernel may change: see `Kernel.truncation_error`.
    %(isa)s
    spin : {0, 2}, optional
        2 means maps of Q and U.
    device : {"cpu", "cuda"}, optional
        Where convolutions run. "cuda" means an NVIDIA GPU, with the library's CUDA build: calls
        then take arrays of NumPy, and arrays in the GPU's memory (CuPy, PyTorch, Numba; whatever
        has the CUDA array interface or DLPack) as they are, on the stream that they name. What is
        not offered there is refused by name: see the Notes.
    device_bytes : int, optional
        Memory of the GPU that a call may take whose maps are on the host, or one with weights. 0,
        the default, means room for all of one map, or pair; with less, maps go by slabs of rings,
        and by the method "rings" and in the mode "standard" rings by batches, down to the memory
        that C's description of the option names.
    devices : sequence of int, optional
        Numbers of the GPUs that share the maps of a call, with device "cuda", or by the method
        "pixels" the rows of each map where there are fewer maps. Several of them take arrays of
        the host alone. By default the GPU that is current runs all.

    Raises
    ------
    %(ValueError.number_or_word)s
    %(TypeError)s
    NotImplementedError
        If the library, the machine or the GPU's part of it cannot do what is asked for.

    Warns
    -----
    UserWarning
        If the kernel is narrower than a pixel and its sums are not normalized.

    See Also
    --------
    armilla.convolve : HEALPix maps with missing pixels in one call.
    armilla.healpy.smoothing : Smoothing by transforms.

    Notes
    -----
    The result is the sum over pixels within the support,

        s_p = sum over q of w_q K(angle(p, q)) map_q,

    where w_q is the weight of the pixel, ``grid.rings["weight"]`` (for HEALPix 4 pi / npix). It is
    exact to rounding, poles included: a value farther away than the support has no influence at
    all by the method "pixels", and one of rounding (1e-16 of the largest value) by "rings".

    With spin=2 the maps are Q and U in the convention of healpy. They are rotated on their way
    from q to p, as their axes turn. Kernels that have a window apply it to E and B alike; that of
    a Gaussian is ``armilla.spectrum.gaussian_beam(fwhm, lmax, spin=2)``. Other kernels are K as it
    is given. Supports, normalizations and weighted means are the same as for the scalar kernel.

    float32 stays float32, and all other types become float64.

    docs/gpu.md has a table of what plans with device="cuda" offer.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> grid = armilla.Grid.healpix(32)
    >>> radial = armilla.Radial(grid, armilla.Kernel.gaussian(np.radians(10)))
    >>> bool(np.allclose(radial.convolve(np.ones(grid.npix)), 1, atol=1e-2))
    True
    """

    __slots__ = ("_radial", "_grid", "_kernel", "_options", "_maps")
    _repr_html_ = table_of

    if not TYPE_CHECKING:
        __getattr__ = absent_of("radial")

    @on_grid
    def __init__(self, grid: GridLike, kernel: Kernel, support: Optional[float] = None,
                 mode: RadialMode = "exact", normalization: Normalization = "auto",
                 method: RadialMethod = "auto",
                 truncation_error: float = 1e-7, isa: Optional[str] = None,
                 spin: int = 0, device: Device = "cpu", device_bytes: int = 0,
                 devices: Optional[Sequence[int]] = None) -> None:
        grid, kernel = as_grid(grid), checked_kernel(kernel)
        self._options, struct, alive = radial_options(
            support, mode, normalization, method, truncation_error, isa, spin, device,
            device_bytes, devices)
        self._radial = plan_aside(
            "radial", lib.armilla_radial_free,
            lambda made: lib.armilla_radial_new(grid._grid, kernel._kernel, struct, made),
            # kernels of many degrees take minutes; a thread has a current GPU of its own
            MANY if device == "cpu" else 0, alive)
        self._grid, self._kernel = grid, kernel
        self._maps = MapShape.on(grid, 2 if struct.spin else 1)
        self._warn_if_narrow()

    def _warn_if_narrow(self) -> None:
        """As the command does; sums that are normalized keep constants whatever the kernel."""
        told = self.describe(1)
        if told.normalization != "sum" and 2 * told.width < told.pixel:
            warnings.warn(f"kernel: is {2 * told.width:.3g} rad wide at half maximum, narrower "
                          f"than a pixel, {told.pixel:.3g} rad: pixels sample it badly, and a "
                          "constant map does not stay one", stacklevel=level_of_caller())

    @property
    def grid(self) -> Grid:
        """The grid of the maps."""
        return self._grid

    @property
    def kernel(self) -> Kernel:
        """The kernel."""
        return self._kernel

    @property
    def map_shape(self) -> Tuple[int, ...]:
        """Shape of one map."""
        return self._maps.flat

    @property
    def spin(self) -> int:
        """Spin of the maps: 0 or 2."""
        return self._options.spin

    @property
    def device(self) -> Device:
        """Where the plan runs: "cpu" or "cuda"."""
        return self._options.device

    @property
    def devices(self) -> Optional[Tuple[int, ...]]:
        """The GPUs that were listed for the plan; None where none were."""
        return self._options.devices

    def describe(self, nthreads: int = 0) -> RadialDescription:
        """Return what a call will run, and how much memory it needs.

        Parameters
        ----------
        %(nthreads.call)s

        Returns
        -------
        RadialDescription
            Method, angles in radians, numbers and memory in bytes.
        """
        told = ffi.new("armilla_radial_description *")
        told.size = ffi.sizeof("armilla_radial_description")
        check(lib.armilla_radial_describe(self._radial, threads(nthreads), told))
        return as_tuple(RadialDescription, told)

    def explain(self) -> List[Choice]:
        """Return the choices of the plan: how it convolves, and why.

        %(Returns.choices)s
        """
        return choices_told(lib.armilla_radial_explain, self._radial)

    def compare(self, sht: SHT) -> Tuple[float, float]:
        """Estimate the time of a convolution, and that of an analysis and a synthesis.

        Parameters
        ----------
        sht : SHT
            A plan of the same grid.

        Returns
        -------
        pixels : float
            Seconds of one core for one map by this plan.
        transforms : float
            Seconds of one core for one analysis and one synthesis.

        Raises
        ------
        TypeError
            If `sht` is not an SHT.
        NotImplementedError
            If a plan is for a GPU.

        Notes
        -----
        This is a model of the cost. The ratio of the two was good to 30 % for HEALPix up to nside
        1024 on one machine; elsewhere it has been off by up to 2.3.
        """
        if not isinstance(sht, SHT):
            raise TypeError(f"sht: must be an armilla.SHT, not {type(sht).__name__}")
        if "cuda" in (self.device, sht.device):
            raise NotImplementedError("device = 'cuda': the model is that of one core; compare "
                                      "plans for the CPU")
        seconds = ffi.new("double[2]")
        check(lib.armilla_radial_compare(self._radial, sht._sht, seconds, seconds + 1))
        return seconds[0], seconds[1]

    @overload
    def convolve(self, map: Any, *, out: Given, weights: Optional[ArrayLike] = ...,
                 least: float = ..., fill: float = ..., nthreads: int = ...,
                 progress: Progress = ..., missing: Missing = ...) -> Given: ...

    @overload
    def convolve(self, map: OnDevice, *, out: None = ..., weights: Optional[ArrayLike] = ...,
                 least: float = ..., fill: float = ..., nthreads: int = ...,
                 progress: Progress = ..., missing: Missing = ...) -> OnDevice: ...

    @overload
    def convolve(self, map: ArrayLike, *, out: None = ..., weights: Optional[ArrayLike] = ...,
                 least: float = ..., fill: float = ..., nthreads: int = ...,
                 progress: Progress = ..., missing: Missing = ...) -> np.ndarray: ...

    def convolve(self, map: Any, *, weights: Optional[ArrayLike] = None,
                 least: float = LEAST, fill: float = UNSEEN, out: Any = None,
                 nthreads: int = 0, progress: Progress = None, missing: Missing = "error"
                 ) -> Any:
        """Convolve maps with the kernel.

        Parameters
        ----------
        map : array_like, shape (...,) + map_shape
            Maps: (..., npix), or (..., 2, npix) with spin=2; the pixels may be two axes,
            ``grid.shape_2d``. What a masked array hides has a weight of 0.
        weights : array_like, shape (npix,), optional
            Weights v >= 0 for maps with holes: the result is sum(w K v map) / sum(w K v), whatever
            the normalization. Where v is 0 the map is not read and may be NaN. Weights are on the
            host; map and result may be on a GPU, both of them.
        least : float, optional
            Where the divisor is less than this part of that of v = 1, the result is `fill`.
        fill : float, optional
            Value of such pixels, by default `armilla.io.UNSEEN`.
        %(arguments.out_to_progress)s
        missing : {"error", "propagate"}, optional
            As in `SHT.analysis`, where the weight is not 0.

        Returns
        -------
        ndarray, shape (...,) + map_shape
            The convolved maps, of the precision of the input and with its axes of pixels. Arrays of
            a GPU give arrays of the same library there.

        %(Raises.shape_or_missing+type+cancelled)s
        """
        check_host("weights are taken from arrays", weights=weights)
        shapes, weights = self._maps.like(map), self._maps.pixels(weights)
        map, weights = unmasked(shapes.line(map), weights, "map")
        if weights is None:
            return self._apply("convolve", map, out, nthreads, progress, missing=missing,
                               shapes=shapes)
        factors = apart(_weights(weights, self._grid.npix), out)
        return self._apply("convolve_weighted", map, out, nthreads, progress, pointer(factors),
                           real("least", least), real("fill", fill), missing=missing,
                           shapes=shapes)

    @overload
    def adjoint(self, map: Any, *, out: Given, nthreads: int = ..., progress: Progress = ...,
                missing: Missing = ...) -> Given: ...

    @overload
    def adjoint(self, map: OnDevice, *, out: None = ..., nthreads: int = ...,
                progress: Progress = ..., missing: Missing = ...) -> OnDevice: ...

    @overload
    def adjoint(self, map: ArrayLike, *, out: None = ..., nthreads: int = ...,
                progress: Progress = ..., missing: Missing = ...) -> np.ndarray: ...

    def adjoint(self, map: Any, *, out: Any = None, nthreads: int = 0, progress: Progress = None,
                missing: Missing = "error") -> Any:
        """Apply the adjoint of convolve without weights.

        The inner product of maps is the sum over pixels of a b.

        Parameters
        ----------
        map : array_like, shape (...,) + map_shape
            Maps.
        %(arguments.out_to_progress)s
        %(missing)s

        Returns
        -------
        ndarray, shape (...,) + map_shape
            The result, of the precision of the input. Arrays of a GPU give arrays of the same
            library there.

        %(Raises.shape_or_missing+type+cancelled)s
        """
        return self._apply("adjoint", map, out, nthreads, progress, missing=missing)

    def _apply(self, name: str, map: Any, out: Any, nthreads: int, progress: Progress, *more: Any,
               missing: Missing, plans: Optional[Tuple[Any, int]] = None,
               shapes: Optional[MapShape] = None) -> Any:
        """more: arguments between the two arrays. plans: several, each with results of its own, and
        their number. shapes: of the result, where the map is a line already."""
        rule, dense = missing_rule(missing), self._grid._dense
        shapes = self._maps.like(map) if shapes is None else shapes
        handles, copies = ((self._radial,), ()) if plans is None else (plans, plans[1:])
        if is_device_array(map) or is_device_array(out):
            side = Side("map", shapes, False, dense)
            return apply(Operator(self.device, lambda real: _FUNCTIONS[name, real], handles, side,
                                  side, copies, more, rule), map, out, nthreads, progress)
        return HostCall(lambda real: _FUNCTIONS[name, real], handles, copies, shapes, dense, more,
                        HOST_OF[self.device], rule).run(map, out, nthreads, progress)

    def __reduce__(self) -> Tuple[Any, ...]:
        return Radial, (self._grid, self._kernel, *self._options)

    def __repr__(self) -> str:
        told = self.describe(1)
        return (f"<armilla.Radial {self._kernel!r}, support {told.support:.4g}, "
                f"{self._options.mode}, on {self._grid!r}>")


def checked_kernel(kernel: Any) -> Kernel:
    """TypeError for anything else."""
    if not isinstance(kernel, Kernel):
        raise TypeError(kernel_wanted(kernel))
    return kernel


def radial_options(support: Optional[float], mode: RadialMode, normalization: Normalization,
                   method: RadialMethod, truncation_error: float, isa: Optional[str], spin: int,
                   device: Device = "cpu", device_bytes: int = 0,
                   devices: Optional[Sequence[int]] = None) -> Tuple[RadialOptions, Any, Any]:
    """Checked options, the library's struct, and what must live as long."""
    options = ffi.new("armilla_radial_options *")
    lib.armilla_radial_options_init(options)
    if support is not None:
        options.support = taken_support(support)
    options.truncation_error = real("truncation_error", truncation_error)
    options.mode = choice("mode", mode, _MODES)
    options.normalization = choice("normalization", normalization, NORMALIZATIONS)
    options.method = choice("method", method, _METHODS)
    options.spin = whole("spin", spin)
    options.device = choice("device", device, DEVICES)
    options.device_bytes = whole("device_bytes", device_bytes)
    numbers = device_list(devices, device)
    listed = ffi.new("int[]", numbers or ())
    if numbers is not None:
        options.devices, options.ndevices = listed, len(numbers)
    options.isa = name = characters("isa", isa)
    return RadialOptions(support, mode, normalization, method, truncation_error, isa,
                         int(options.spin), device, int(options.device_bytes), numbers
                         ), options, (name, listed)


def taken_support(support: float) -> float:
    """The library takes 0 as a wish for its own choice; here that is None."""
    radians = angle("support", support)
    if radians == 0:
        raise ValueError("support = 0: must be above 0; None: chosen for truncation_error")
    return radians


def _is_missing(values: np.ndarray) -> np.ndarray:
    """As in files: NaN, and what is within 1e-5 of UNSEEN."""
    return np.isnan(values) | (np.abs(values - UNSEEN) <= 1e-5 * abs(UNSEEN))


def _convolved(plan: Radial, values: np.ndarray, missing: np.ndarray, mask: Optional[np.ndarray],
               fill: bool, least: float, **how: Any) -> np.ndarray:
    """One map with holes, missing (npix,). A kernel that is not normalized has no mean to offer:
    holes are 0."""
    seen = np.where(missing, 0.0, 1.0 if mask is None else mask)
    if plan.describe(1).normalization == "none":
        if fill:
            raise ValueError("fill = True: the kernel is not normalized, so it has no mean to fill "
                             "with")
        weighted = (np.where(missing, 0, values) * seen).astype(values.dtype)
        result = plan.convolve(weighted, missing="propagate", **how)
    else:
        result = plan.convolve(values, weights=seen, least=least, missing="propagate", **how)
    if not fill:
        result[..., seen == 0] = UNSEEN
    return result


def _part(plan: Radial, values: np.ndarray, weights: Optional[np.ndarray], fill: bool,
          least: float, **how: Any) -> np.ndarray:
    """Maps of one plan, with or without holes; Q and U share theirs."""
    missing = _is_missing(values)
    if weights is None and not missing.any():
        return plan.convolve(values, missing="propagate", **how)
    if plan.spin:
        missing = np.logical_or(missing[..., 0, :], missing[..., 1, :])
    result = np.empty(values.shape, values.dtype)
    for place in np.ndindex(*missing.shape[:-1]):
        result[place] = _convolved(plan, values[place], missing[place], weights, fill, least, **how)
    return result


def convolve(map: ArrayLike, kernel: Kernel, *, mask: Optional[ArrayLike] = None,
             fill: bool = False, least: float = LEAST, support: Optional[float] = None,
             mode: RadialMode = "exact", normalization: Normalization = "auto",
             truncation_error: float = 1e-7,
             pol: bool = False, nthreads: int = 0, progress: Progress = None,
             ring_weights: bool = False, device: Device = "cpu") -> np.ndarray:
    """Convolve HEALPix maps with a radial kernel, also where pixels are missing.

    Parameters
    ----------
    map : array_like, shape (..., npix) or (..., 3, npix)
        Maps in RING order. Pixels that are NaN, `armilla.io.UNSEEN` or hidden by a masked array
        are missing.
    kernel : Kernel
        Function of the angle between two pixels.
    mask : array_like, shape (npix,), optional
        Weights of the pixels, 0 or more. Pixels with 0 or False are missing, too.
    fill : bool, optional
        Whether missing pixels get the mean of what is around them. By default they are UNSEEN in
        the result.
    least : float, optional
        With `fill`, pixels stay UNSEEN that have less than this part of the kernel on pixels which
        are not missing.
    support : float, optional
        Angle at which the kernel is cut, in radians: see `Radial`.
    mode : {"exact", "standard"}, optional
        See `Radial`.
    normalization : {"auto", "none", "integral", "sum"}, optional
        See `Radial`.
    truncation_error : float, optional
        What cutting the kernel may change: see `Radial`.
    pol : bool, optional
        Whether maps are (..., 3, npix): I as a scalar, Q and U as a pair of spin 2. A pixel
        without Q has no U either, and vice versa.
    %(nthreads)s
    %(progress)s
    ring_weights : bool, optional
        Whether pixels count with weights of their rings that make the integral exact up to degree
        2 nside, instead of equal ones.
    device : {"cpu", "cuda"}, optional
        Where maps are convolved: see `Radial`. They are arrays of the host.

    Returns
    -------
    ndarray, shape of `map`
        The weighted mean of the pixels that are not missing. Under a kernel that is not normalized
        missing pixels count as 0.

    Raises
    ------
    ValueError
        If a shape is wrong, or the kernel is not normalized and `fill` is True.
    %(TypeError)s
    %(Cancelled)s

    See Also
    --------
    Radial : A plan, for many maps or another grid.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> sky = np.random.default_rng(1).standard_normal(12 * 16**2)
    >>> sky[:100] = armilla.io.UNSEEN
    >>> smooth = armilla.convolve(sky, armilla.Kernel.gaussian(np.radians(20)))
    >>> bool(smooth[0] == armilla.io.UNSEEN), bool(smooth[100:].std() < 0.5)
    (True, True)
    """
    if isinstance(map, np.ma.MaskedArray) and np.ma.is_masked(map):
        map = np.ma.filled(map.astype(np.result_type(map.dtype, np.float32)), np.nan)
    values = as_map(map)
    npix = values.shape[-1] if values.ndim else 0
    nside = math.isqrt(npix // 12)
    if not nside or 12 * nside * nside != npix:
        raise ValueError(f"map: has shape {values.shape}, must have (..., 12 nside^2)")
    if pol and values.shape[-2:-1] != (3,):
        raise ValueError(f"map: has shape {values.shape}, must have (..., 3, {npix}) with pol")
    weights = None if mask is None else _weights(mask, npix)
    grid = Grid.healpix(nside, weights_lmax=2 * nside if ring_weights else None)

    def convolved(part: np.ndarray, spin: int) -> np.ndarray:
        plan = Radial(grid, kernel, support, mode, normalization,
                      truncation_error=truncation_error, spin=spin, device=device)
        return _part(plan, part, weights, fill, least, nthreads=nthreads, progress=progress)

    if not pol:
        return convolved(values, 0)
    return np.concatenate([convolved(values[..., :1, :], 0), convolved(values[..., 1:, :], 2)], -2)
