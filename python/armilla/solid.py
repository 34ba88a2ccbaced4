"""Solid harmonics: potentials and their derivatives at points in space."""
from __future__ import annotations

import math
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, overload

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Output, apart, as_alm, as_map, input_buffer, leading_shape, pointer
from ._device import Operator, Side, apply, coefficients, is_device_array
from ._errors import characters, choice, real, whole
from ._maps import MapShape
from ._native import ffi, lib
from ._place import enter_device
from ._progress import Progress, execute
from ._types import Choice, Device, Given, OnDevice, SolidFrame, SolidKind, SolidWay
from .alm import Layout, checked_layout
from .transform import choices_told

_KINDS = {"exterior": lib.ARMILLA_SOLID_EXTERIOR, "interior": lib.ARMILLA_SOLID_INTERIOR}
_FRAMES = {"cartesian": lib.ARMILLA_SOLID_CARTESIAN, "local": lib.ARMILLA_SOLID_LOCAL}
_WAYS = {"auto": lib.ARMILLA_SOLID_AUTO, "direct": lib.ARMILLA_SOLID_DIRECT,
         "shells": lib.ARMILLA_SOLID_SHELLS}
_COMPONENTS = {0: 1, 1: 4, 2: 10}


def _places(loc: ArrayLike) -> np.ndarray:
    array = np.ascontiguousarray(as_map(loc, "loc"), np.float64)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"loc: has shape {array.shape}, must have (npoints, 3): colatitude, "
                         "longitude and radius")
    return array


class _Options(NamedTuple):
    """What a call asks for, but for its arrays, degrees and orders."""

    derivatives: int
    kind: SolidKind
    frame: SolidFrame
    radius: float
    layout: Optional[Layout]
    isa: Optional[str]
    place: Tuple[Device, Optional[Sequence[int]], bool]  # device, devices, delegate
    epsilon: float = 0.0
    way: SolidWay = "auto"

    def told(self) -> Any:
        """An armilla_solid_options, and what must live as long."""
        options = ffi.new("armilla_solid_options *")
        lib.armilla_solid_options_init(options)
        options.kind = choice("kind", self.kind, _KINDS)
        options.frame = choice("frame", self.frame, _FRAMES)
        options.derivatives = whole("derivatives", self.derivatives)
        options.radius = real("radius", self.radius)
        options.epsilon = real("epsilon", self.epsilon)
        options.way = choice("way", self.way, _WAYS)
        name = characters("isa", self.isa)
        options.isa = name
        layout = checked_layout(self.layout)
        if layout is not None:
            options.layout = layout._layout
        _, listed = enter_device(options, *self.place)
        return options, (name, layout, listed)


class _Problem:
    """A call's points and options as the library has them, and the shapes of its arrays.

    first: arguments before the arrays; size: of the coefficients; ncomp: components of values.
    """

    def __init__(self, lmax: int, mmax: Optional[int], loc: ArrayLike, asked: _Options, out: Any
                 ) -> None:
        """out: the array for the result, on whose memory loc may lie."""
        options, self._alive = asked.told()
        lmax, layout = whole("lmax", lmax), asked.layout
        if mmax is None:
            mmax = lmax if layout is None else layout.mmax
        places = apart(_places(loc), out)
        ncomp = _COMPONENTS.get(options.derivatives)
        if ncomp is None:
            raise ValueError(f"derivatives = {options.derivatives}: must be 0, 1 or 2")
        self.size = (Layout(lmax, whole("mmax", mmax)) if layout is None else layout).size
        self.first = lmax, mmax, len(places), pointer(places), options
        self.values = MapShape(ncomp, len(places), None, False)
        self.dense = layout is None
        self._device = asked.place[0]

    def is_there(self, given: Any, out: Any) -> bool:
        """Is input or output in a GPU's memory, and may it be?"""
        return self._device != "cpu" and (is_device_array(given) or is_device_array(out))

    def apply_there(self, function: Any, to_values: bool, given: Any, out: Any, nthreads: int,
                    progress: Progress) -> Any:
        """An operator whose input or output is in a GPU's memory."""
        sides = (coefficients((self.size,), self.dense), Side("values", self.values, False, True))
        source, made = sides if to_values else sides[::-1]

        def of_doubles(kind: np.dtype) -> Any:
            if kind != np.float64:
                raise TypeError(f"{source.name}: must hold doubles in device memory")
            return function

        if not is_device_array(given):
            given = _doubles(given, to_values)
        of = Operator(self._device, of_doubles, self.first, source, made, by_host=True)
        return apply(of, given, out, nthreads, progress)


def _doubles(given: ArrayLike, to_values: bool) -> np.ndarray:
    """An input of the host, in the precision of solid harmonics."""
    return (np.asarray(as_alm(given), np.complex128) if to_values
            else np.asarray(as_map(given, "values"), np.float64))


@overload
def evaluate_solid(alm: Any, lmax: int, loc: ArrayLike, *, derivatives: int = ...,
                   kind: SolidKind = ..., frame: SolidFrame = ..., radius: float = ...,
                   epsilon: float = ..., way: SolidWay = ..., mmax: Optional[int] = ...,
                   layout: Optional[Layout] = ..., isa: Optional[str] = ..., device: Device = ...,
                   devices: Optional[Sequence[int]] = ..., delegate: bool = ..., out: Given,
                   nthreads: int = ..., progress: Progress = ...) -> Given: ...


@overload
def evaluate_solid(alm: OnDevice, lmax: int, loc: ArrayLike, *, derivatives: int = ...,
                   kind: SolidKind = ..., frame: SolidFrame = ..., radius: float = ...,
                   epsilon: float = ..., way: SolidWay = ..., mmax: Optional[int] = ...,
                   layout: Optional[Layout] = ..., isa: Optional[str] = ..., device: Device = ...,
                   devices: Optional[Sequence[int]] = ..., delegate: bool = ..., out: None = ...,
                   nthreads: int = ..., progress: Progress = ...) -> OnDevice: ...


@overload
def evaluate_solid(alm: ArrayLike, lmax: int, loc: ArrayLike, *, derivatives: int = ...,
                   kind: SolidKind = ..., frame: SolidFrame = ..., radius: float = ...,
                   epsilon: float = ..., way: SolidWay = ..., mmax: Optional[int] = ...,
                   layout: Optional[Layout] = ..., isa: Optional[str] = ..., device: Device = ...,
                   devices: Optional[Sequence[int]] = ..., delegate: bool = ..., out: None = ...,
                   nthreads: int = ..., progress: Progress = ...) -> np.ndarray: ...


def evaluate_solid(alm: Any, lmax: int, loc: ArrayLike, *, derivatives: int = 0,
                   kind: SolidKind = "exterior", frame: SolidFrame = "cartesian",
                   radius: float = 1.0, epsilon: float = 0.0, way: SolidWay = "auto",
                   mmax: Optional[int] = None, layout: Optional[Layout] = None,
                   isa: Optional[str] = None, device: Device = "cpu",
                   devices: Optional[Sequence[int]] = None, delegate: bool = False,
                   out: Any = None, nthreads: int = 0, progress: Progress = None) -> Any:
    """Sum solid harmonics at points in space: a potential, its gradient, its second derivatives.

    Parameters
    ----------
    alm : array_like, shape (..., nalm)
        Coefficients of the potential on the sphere of that radius. complex64 is converted.
    %(lmax)s
    loc : array_like, shape (npoints, 3)
        Colatitude, 0 to pi, and longitude in radians, and distance from the centre.
    derivatives : {0, 1, 2}, optional
        The potential alone, with its gradient, or with its second derivatives, too.
    kind : {"exterior", "interior"}, optional
        Whether terms are (radius / r)^(l + 1), with the masses inside, or (r / radius)^l.
    frame : {"cartesian", "local"}, optional
        Whether derivatives are along x, y, z, or along e_r (up), e_theta (south) and e_phi (east)
        of each point; at a pole those of the meridian phi.
    radius : float, optional
        Radius of the sphere to which the coefficients belong, in the unit of the distances.
    epsilon : float, optional
        0, the default: values are exact to rounding. From 1e-11 to 0.1: points of similar radii are
        interpolated between spheres, where that takes less time; values, gradients and tensors are
        then off by `epsilon` times the rms of the field there without l = 0, rms over the points.
    way : {"auto", "direct", "shells"}, optional
        With an `epsilon`: whether points are summed directly or go between spheres.
    %(arguments.solid_plan)s
    delegate : bool, optional
        Whether the host runs what is asked of a GPU: see the Notes. The default, False, makes
        device "cuda" an error.
    %(arguments.out_to_progress)s

    Returns
    -------
    ndarray, shape (..., npoints) or (..., ncomp, npoints)
        The values, float64: V; with one derivative V, V_x, V_y, V_z; with two also V_xx, V_xy,
        V_xz, V_yy, V_yz, V_zz. In the local frame x, y, z are r, theta, phi, and components are
        those of the same vector and tensor. An array of a GPU gives one of the same library there.

    Raises
    ------
    ValueError
        If a shape is wrong, or a number is out of range: a radius of 0, or one so far on the wrong
        side of the sphere that terms might overflow; or if "shells" cannot reach `epsilon`.
    %(TypeError)s
    NotImplementedError
        If device is "cuda" without `delegate`, or no GPU can be used.
    %(Cancelled)s

    See Also
    --------
    evaluate : Values on the sphere.
    explain_solid : Which way a call takes.

    Notes
    -----
    Without `epsilon`, each point is summed by itself, to rounding, at the poles, too. The terms of
    l = 0 and of m = 0 are summed apart, so that in the local frame a planet's mass and flattening
    leave small horizontal components all their digits. Terms of points on the wrong side of the
    sphere grow with the degree, and so do errors of their coefficients.

    With device "cuda" and `delegate`, coefficients and values may be in the memory of the GPU, as
    complex128 and float64: the call waits for their stream, copies them to the host and the result
    back, and waits for that. Results have the bits of the host, and `explain_solid` has the choice
    "place". `loc` is an array of the host.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> alm = np.zeros(armilla.alm.size(2), complex)
    >>> alm[0] = np.sqrt(4 * np.pi)                                  # V = 1 / r
    >>> armilla.evaluate_solid(alm, 2, [[0.0, 0.0, 2.0]], derivatives=1)[:, 0].round(12)
    array([ 0.5 ,  0.  ,  0.  , -0.25])
    """
    problem = _Problem(lmax, mmax, loc, _Options(
        derivatives, kind, frame, radius, layout, isa, (device, devices, delegate), epsilon, way),
        out)
    if problem.is_there(alm, out):
        return problem.apply_there(lib.armilla_solid_evaluate, True, alm, out, nthreads, progress)
    given = apart(_doubles(alm, True), out)
    lead = leading_shape(given, (problem.size,), "alm")
    target = Output(out, lead + problem.values.flat, np.dtype(np.float64), True)
    source, distance = input_buffer(given)
    if math.prod(lead):
        execute(lib.armilla_solid_evaluate,
                (*problem.first, pointer(source), pointer(target.array)), math.prod(lead),
                nthreads, progress, distance, target.distance)
    return target.finish()


def explain_solid(alm: ArrayLike, lmax: int, loc: ArrayLike, *, derivatives: int = 0,
                  kind: SolidKind = "exterior", radius: float = 1.0, epsilon: float = 0.0,
                  way: SolidWay = "auto", mmax: Optional[int] = None,
                  layout: Optional[Layout] = None, isa: Optional[str] = None,
                  device: Device = "cpu", devices: Optional[Sequence[int]] = None,
                  delegate: bool = False) -> List[Choice]:
    """Return the choices of a call of `evaluate_solid`: which points are summed directly, and why.

    Parameters
    ----------
    alm : array_like, shape (nalm,)
        Coefficients, as of `evaluate_solid`, of one transform, in an array of the host.
    %(lmax)s
    loc : array_like, shape (npoints, 3)
        Colatitude, longitude and distance from the centre.
    derivatives, kind, radius, epsilon, way, mmax, layout, isa, device, devices, delegate : optional
        As those of `evaluate_solid`.

    %(Returns.choices)s

    Raises
    ------
    ValueError
        As `evaluate_solid` does.

    See Also
    --------
    evaluate_solid : The values.

    Examples
    --------
    >>> import armilla
    >>> alm = armilla.alm.random(8, [1.0] * 9, seed=1)
    >>> armilla.explain_solid(alm, 8, [[0.5, 0.0, 2.0]], epsilon=1e-6)[0].value
    '1 points summed directly, 0 between spheres'
    """
    problem = _Problem(lmax, mmax, loc, _Options(
        derivatives, kind, "cartesian", radius, layout, isa, (device, devices, delegate), epsilon,
        way), None)
    given = _doubles(alm, True)
    if given.shape != (problem.size,):
        raise ValueError(f"alm: has shape {given.shape}, must have ({problem.size},)")
    source, _ = input_buffer(given)

    def tell(_: Any, take: Any, data: Any) -> int:
        return lib.armilla_solid_explain(*problem.first, pointer(source), take, data)

    return choices_told(tell, None)


@overload
def adjoint_evaluate_solid(values: Any, lmax: int, loc: ArrayLike, *, derivatives: int = ...,
                           kind: SolidKind = ..., frame: SolidFrame = ..., radius: float = ...,
                           mmax: Optional[int] = ..., layout: Optional[Layout] = ...,
                           isa: Optional[str] = ..., device: Device = ...,
                           devices: Optional[Sequence[int]] = ..., delegate: bool = ...,
                           out: Given, nthreads: int = ..., progress: Progress = ...
                           ) -> Given: ...


@overload
def adjoint_evaluate_solid(values: OnDevice, lmax: int, loc: ArrayLike, *, derivatives: int = ...,
                           kind: SolidKind = ..., frame: SolidFrame = ..., radius: float = ...,
                           mmax: Optional[int] = ..., layout: Optional[Layout] = ...,
                           isa: Optional[str] = ..., device: Device = ...,
                           devices: Optional[Sequence[int]] = ..., delegate: bool = ...,
                           out: None = ..., nthreads: int = ..., progress: Progress = ...
                           ) -> OnDevice: ...


@overload
def adjoint_evaluate_solid(values: ArrayLike, lmax: int, loc: ArrayLike, *, derivatives: int = ...,
                           kind: SolidKind = ..., frame: SolidFrame = ..., radius: float = ...,
                           mmax: Optional[int] = ..., layout: Optional[Layout] = ...,
                           isa: Optional[str] = ..., device: Device = ...,
                           devices: Optional[Sequence[int]] = ..., delegate: bool = ...,
                           out: None = ..., nthreads: int = ..., progress: Progress = ...
                           ) -> np.ndarray: ...


def adjoint_evaluate_solid(values: Any, lmax: int, loc: ArrayLike, *, derivatives: int = 0,
                           kind: SolidKind = "exterior", frame: SolidFrame = "cartesian",
                           radius: float = 1.0, mmax: Optional[int] = None,
                           layout: Optional[Layout] = None, isa: Optional[str] = None,
                           device: Device = "cpu", devices: Optional[Sequence[int]] = None,
                           delegate: bool = False, out: Any = None, nthreads: int = 0,
                           progress: Progress = None) -> Any:
    """Apply the adjoint of evaluate_solid, without weights: what least squares need.

    Parameters
    ----------
    values : array_like, shape (..., npoints) or (..., ncomp, npoints)
        Values at the points, with all components that `evaluate_solid` returns.
    %(lmax)s
    loc : array_like, shape (npoints, 3)
        Colatitude, 0 to pi, and longitude in radians, and distance from the centre.
    derivatives : {0, 1, 2}, optional
        Up to which order the values hold derivatives.
    kind : {"exterior", "interior"}, optional
        Whether terms are (radius / r)^(l + 1), with the masses inside, or (r / radius)^l.
    frame : {"cartesian", "local"}, optional
        Along which axes derivatives are.
    radius : float, optional
        Radius of the sphere to which the coefficients belong, in the unit of the distances.
    %(arguments.solid_plan)s
    delegate : bool, optional
        Whether the host runs what is asked of a GPU: see `evaluate_solid`. The default, False,
        makes device "cuda" an error.
    %(arguments.out_to_progress)s

    Returns
    -------
    ndarray, shape (..., size)
        Coefficients, complex128. An array of a GPU gives one of the same library there.

    Raises
    ------
    %(ValueError.shape_or_number)s
    %(TypeError)s
    NotImplementedError
        If device is "cuda" without `delegate`, or no GPU can be used.
    %(Cancelled)s

    See Also
    --------
    evaluate_solid : The operator.

    Examples
    --------
    >>> import armilla
    >>> armilla.adjoint_evaluate_solid([1.0], 1, [[0.0, 0.0, 2.0]])[0].round(6)    # Y_00 / 2
    np.complex128(0.141047+0j)
    """
    problem = _Problem(lmax, mmax, loc, _Options(
        derivatives, kind, frame, radius, layout, isa, (device, devices, delegate)), out)
    if problem.is_there(values, out):
        return problem.apply_there(lib.armilla_solid_adjoint_evaluate, False, values, out,
                                   nthreads, progress)
    given = apart(_doubles(values, False), out)
    lead = leading_shape(given, problem.values.flat, "values")
    target = Output(out, lead + (problem.size,), np.dtype(np.complex128), problem.dense)
    source = np.ascontiguousarray(given)
    if math.prod(lead):
        execute(lib.armilla_solid_adjoint_evaluate,
                (*problem.first, pointer(source), pointer(target.array)), math.prod(lead),
                nthreads, progress, target.distance, 0)
    return target.finish()
