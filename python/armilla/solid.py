"""Solid harmonics: potentials and their derivatives at points in space."""
from __future__ import annotations

import math
from typing import Any, List, Optional

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Output, apart, as_alm, as_map, input_buffer, leading_shape, pointer
from ._errors import characters, choice, real, whole
from ._native import ffi, lib
from ._progress import Progress, execute
from ._types import Choice, SolidFrame, SolidKind, SolidWay
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


def _options(kind: str, frame: str, derivatives: int, radius: float, layout: Optional[Layout],
             isa: Optional[str], epsilon: float = 0.0, way: str = "auto") -> Any:
    """An armilla_solid_options, and what must live as long."""
    options = ffi.new("armilla_solid_options *")
    lib.armilla_solid_options_init(options)
    options.kind = choice("kind", kind, _KINDS)
    options.frame = choice("frame", frame, _FRAMES)
    options.derivatives = whole("derivatives", derivatives)
    options.radius = real("radius", radius)
    options.epsilon, options.way = real("epsilon", epsilon), choice("way", way, _WAYS)
    name = characters("isa", isa)
    options.isa = name
    layout = checked_layout(layout)
    if layout is not None:
        options.layout = layout._layout
    return options, (name, layout)


def evaluate_solid(alm: ArrayLike, lmax: int, loc: ArrayLike, *, derivatives: int = 0,
                   kind: SolidKind = "exterior", frame: SolidFrame = "cartesian",
                   radius: float = 1.0, epsilon: float = 0.0, way: SolidWay = "auto",
                   mmax: Optional[int] = None, layout: Optional[Layout] = None,
                   isa: Optional[str] = None,
                   out: Optional[np.ndarray] = None, nthreads: int = 0,
                   progress: Progress = None) -> np.ndarray:
    """Sum solid harmonics at points in space: a potential, its gradient, its second derivatives.

    Parameters
    ----------
    alm : array_like, shape (..., nalm)
        Coefficients of the potential on the sphere of that radius. complex64 is converted.
    lmax : int
        Largest degree.
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
    mmax : int, optional
        Largest order, 0 to `lmax`. By default it is `lmax`, or that of the layout.
    layout : Layout, optional
        Where coefficients are stored. By default they are in the order of healpy.
    isa : str, optional
        Instruction set, one of `armilla.info().isa_available`. By default it is the best one of
        the machine.
    out : ndarray, optional
        Array for the result: of the shape and type that a new one would have, with any strides. It
        is filled and returned.
    nthreads : int, optional
        Number of threads. 0, the default, means all that are available: `ARMILLA_NUM_THREADS`,
        else `OMP_NUM_THREADS`, else all processors.
    progress : bool or callable, optional
        True shows a bar (needs tqdm). A function is called with the fraction that is done, from 0
        to 1; the call ends with `Cancelled` if it returns a true value.

    Returns
    -------
    ndarray, shape (..., npoints) or (..., ncomp, npoints)
        The values, float64: V; with one derivative V, V_x, V_y, V_z; with two also V_xx, V_xy,
        V_xz, V_yy, V_yz, V_zz. In the local frame x, y, z are r, theta, phi, and components are
        those of the same vector and tensor.

    Raises
    ------
    ValueError
        If a shape is wrong, or a number is out of range: a radius of 0, or one so far on the wrong
        side of the sphere that terms might overflow; or if "shells" cannot reach `epsilon`.
    TypeError
        If a type is wrong.
    Cancelled
        If `progress` asked for the end.

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

    Examples
    --------
    >>> import armilla, numpy as np
    >>> alm = np.zeros(armilla.alm.size(2), complex)
    >>> alm[0] = np.sqrt(4 * np.pi)                                  # V = 1 / r
    >>> armilla.evaluate_solid(alm, 2, [[0.0, 0.0, 2.0]], derivatives=1)[:, 0].round(12)
    array([ 0.5 ,  0.  ,  0.  , -0.25])
    """
    options, alive = _options(kind, frame, derivatives, radius, layout, isa, epsilon, way)
    lmax = whole("lmax", lmax)
    if mmax is None:
        mmax = lmax if layout is None else layout.mmax
    places = _places(loc)
    ncomp = _COMPONENTS.get(options.derivatives)
    if ncomp is None:
        raise ValueError(f"derivatives = {options.derivatives}: must be 0, 1 or 2")
    given = np.asarray(as_alm(alm), np.complex128)
    given, places = apart(given, out), apart(places, out)
    used = Layout(lmax, whole("mmax", mmax)) if layout is None else layout
    lead = leading_shape(given, (used.size,), "alm")
    tail = (len(places),) if ncomp == 1 else (ncomp, len(places))
    target = Output(out, lead + tail, np.dtype(np.float64), True)
    source, distance = input_buffer(given)
    if math.prod(lead):
        execute(lib.armilla_solid_evaluate,
                (lmax, mmax, len(places), pointer(places), options, pointer(source),
                 pointer(target.array)), math.prod(lead), nthreads, progress, distance,
                target.distance)
    del alive
    return target.finish()


def explain_solid(alm: ArrayLike, lmax: int, loc: ArrayLike, *, derivatives: int = 0,
                  kind: SolidKind = "exterior", radius: float = 1.0, epsilon: float = 0.0,
                  way: SolidWay = "auto", mmax: Optional[int] = None,
                  layout: Optional[Layout] = None, isa: Optional[str] = None) -> List[Choice]:
    """Return the choices of a call of `evaluate_solid`: which points are summed directly, and why.

    Parameters
    ----------
    alm : array_like, shape (nalm,)
        Coefficients, as of `evaluate_solid`, of one transform.
    lmax : int
        Largest degree.
    loc : array_like, shape (npoints, 3)
        Colatitude, longitude and distance from the centre.
    derivatives, kind, radius, epsilon, way, mmax, layout, isa : optional
        As those of `evaluate_solid`.

    Returns
    -------
    list of Choice
        Name, value and reason of each choice. docs/ways.md has a row for each.

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
    options, alive = _options(kind, "cartesian", derivatives, radius, layout, isa, epsilon, way)
    lmax = whole("lmax", lmax)
    if mmax is None:
        mmax = lmax if layout is None else layout.mmax
    used = Layout(lmax, whole("mmax", mmax)) if layout is None else layout
    places = _places(loc)
    given = np.asarray(as_alm(alm), np.complex128)
    if given.shape != (used.size,):
        raise ValueError(f"alm: has shape {given.shape}, must have ({used.size},)")
    source, _ = input_buffer(given)

    def tell(_: Any, take: Any, data: Any) -> int:
        return lib.armilla_solid_explain(lmax, mmax, len(places), pointer(places), options,
                                         pointer(source), take, data)

    choices = choices_told(tell, None)
    del alive
    return choices


def adjoint_evaluate_solid(values: ArrayLike, lmax: int, loc: ArrayLike, *, derivatives: int = 0,
                           kind: SolidKind = "exterior", frame: SolidFrame = "cartesian",
                           radius: float = 1.0, mmax: Optional[int] = None,
                           layout: Optional[Layout] = None, isa: Optional[str] = None,
                           out: Optional[np.ndarray] = None, nthreads: int = 0,
                           progress: Progress = None) -> np.ndarray:
    """Apply the adjoint of evaluate_solid, without weights: what least squares need.

    Parameters
    ----------
    values : array_like, shape (..., npoints) or (..., ncomp, npoints)
        Values at the points, with all components that `evaluate_solid` returns.
    lmax : int
        Largest degree.
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
    mmax : int, optional
        Largest order, 0 to `lmax`. By default it is `lmax`, or that of the layout.
    layout : Layout, optional
        Where coefficients are stored. By default they are in the order of healpy.
    isa : str, optional
        Instruction set, one of `armilla.info().isa_available`. By default it is the best one of
        the machine.
    out : ndarray, optional
        Array for the result: of the shape and type that a new one would have, with any strides. It
        is filled and returned.
    nthreads : int, optional
        Number of threads. 0, the default, means all that are available: `ARMILLA_NUM_THREADS`,
        else `OMP_NUM_THREADS`, else all processors.
    progress : bool or callable, optional
        True shows a bar (needs tqdm). A function is called with the fraction that is done, from 0
        to 1; the call ends with `Cancelled` if it returns a true value.

    Returns
    -------
    ndarray, shape (..., size)
        Coefficients, complex128.

    Raises
    ------
    ValueError
        If a shape is wrong, or a number is out of range.
    TypeError
        If a type is wrong.
    Cancelled
        If `progress` asked for the end.

    See Also
    --------
    evaluate_solid : The operator.

    Examples
    --------
    >>> import armilla
    >>> armilla.adjoint_evaluate_solid([1.0], 1, [[0.0, 0.0, 2.0]])[0].round(6)    # Y_00 / 2
    np.complex128(0.141047+0j)
    """
    options, alive = _options(kind, frame, derivatives, radius, layout, isa)
    lmax = whole("lmax", lmax)
    if mmax is None:
        mmax = lmax if layout is None else layout.mmax
    places = _places(loc)
    ncomp = _COMPONENTS.get(options.derivatives)
    if ncomp is None:
        raise ValueError(f"derivatives = {options.derivatives}: must be 0, 1 or 2")
    given = np.asarray(as_map(values, "values"), np.float64)
    given, places = apart(given, out), apart(places, out)
    used = Layout(lmax, whole("mmax", mmax)) if layout is None else layout
    tail = (len(places),) if ncomp == 1 else (ncomp, len(places))
    lead = leading_shape(given, tail, "values")
    target = Output(out, lead + (used.size,), np.dtype(np.complex128), layout is None)
    source = np.ascontiguousarray(given)
    if math.prod(lead):
        execute(lib.armilla_solid_adjoint_evaluate,
                (lmax, mmax, len(places), pointer(places), options, pointer(source),
                 pointer(target.array)), math.prod(lead), nthreads, progress, target.distance, 0)
    del alive
    return target.finish()
