"""Transforms of vector fields on the sphere, by the names of what describes them."""
from __future__ import annotations

import math
from typing import Any, Optional, Sequence, Tuple, overload

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Output, apart, as_map, leading_shape, missing_rule, pointer
from ._derivatives import MEANS
from ._device import Operator, Side, apply, is_device_array
from ._errors import check, choice, real
from ._hints import on_grid
from ._native import ffi, lib
from ._progress import Progress, execute
from ._types import (Components, Device, Form, Given, MapForm, Mean, Method, Missing, OnDevice,
                     SpinMethod)
from .alm import Layout
from .grid import Grid, GridLike
from .transform import Plan, functions

FORMS = {"vorticity_divergence": lib.ARMILLA_VECTOR_VORTICITY_DIVERGENCE,
         "stream_potential": lib.ARMILLA_VECTOR_STREAM_POTENTIAL,
         "spheroidal_toroidal": lib.ARMILLA_VECTOR_SPHEROIDAL_TOROIDAL}
_COMPONENTS = {"east_north": lib.ARMILLA_VECTOR_EAST_NORTH,
               "theta_phi": lib.ARMILLA_VECTOR_THETA_PHI}
_SOURCES = {**FORMS, "components": lib.ARMILLA_VECTOR_COMPONENTS}
_TARGETS = {**_SOURCES, "rotational": lib.ARMILLA_VECTOR_ROTATIONAL,
            "divergent": lib.ARMILLA_VECTOR_DIVERGENT}
_CONVERT = {np.dtype(np.float64): lib.armilla_vector_convert_map,
            np.dtype(np.float32): lib.armilla_vector_convert_map_float}


class VectorSHT(Plan):
    """A plan for vector fields on one grid, between their components and scalars.

    The scalars are vorticity and divergence, stream function and velocity potential, or SHTns' Q,
    S and T.

    Parameters
    ----------
    %(grid)s
    lmax : int
        Largest degree, 1 or more.
    %(mmax.mres)s
    form : {"vorticity_divergence", "stream_potential", "spheroidal_toroidal"}, optional
        What coefficients are of, in this order: see the Notes.
    components : {"east_north", "theta_phi"}, optional
        What maps hold: (u, v), eastward and northward, or (v_theta, v_phi), southward and
        eastward.
    radial : bool, optional
        Whether there is a radial component, which comes first in maps and coefficients.
    radius : float, optional
        Radius of the sphere, in metres for winds in m/s and vorticity in 1/s.
    mean : {"error", "ignore"}, optional
        What is done about a mean of vorticity or divergence, which no field has: "error" refuses
        an a_00 above 1e-5 (complex64: 1e-3) of the norm of all other coefficients of both,
        "ignore" leaves it out.
    %(layout)s
    %(method.as_sht)s
    %(spin_method)s
    isa : str, optional
        Instruction set, one of `armilla.info().isa_available`.
    %(host_bytes)s
    %(cache_bytes)s
    %(choices)s
    two_dimensional : bool, optional
        Whether new maps have two axes for the pixels.
    mres : int, optional
        Fields that repeat themselves `mres` times around the axis, as in `SHT`: the orders are 0,
        mres, 2 mres, ..., mmax mres, and maps cover a sector of 2 pi / mres.
    device : {"cpu", "cuda"}, optional
        Where the arrays of calls may be. GPUs do not offer vector fields: "cuda" needs `delegate`.
    %(devices)s
    delegate : bool, optional
        Whether the host runs the calls of a GPU. They take the arrays that `SHT` takes with device
        "cuda", in the memory of the GPU or of the host, and give the bits of the host: see the
        Notes. The default, False, makes device "cuda" an error.

    Raises
    ------
    %(ValueError.number_or_word)s
    %(TypeError)s
    %(NotImplementedError.delegate)s

    See Also
    --------
    Wind : Maps to maps: vorticity, divergence, potentials, Helmholtz parts of winds.
    SHT : Fields of one spin.
    armilla.wind.convert_alm : Coefficients of one form from those of another.

    Notes
    -----
    Coefficients have the shape (..., 2, size), with `radial` (..., 3, size), and maps (..., 2,
    npix) or (..., 3, npix). All operators of `SHT` are there, the adjoints and `pseudo_analysis`
    (without a guess) among them, and `armilla.torch` and `armilla.jax` take these plans.

    With grad the gradient on the sphere of this radius, and e_r upwards,

    ======================  ===================================================================
    "vorticity_divergence"  e_r . curl v and div v, the Laplacians of psi and chi
    "stream_potential"      psi and chi of v = e_r x grad psi + grad chi
    "spheroidal_toroidal"   S and T of v = grad S + grad T x e_r, so that S = chi and T = -psi;
                            with `radial` Q, S, T, where Q is the radial component
    ======================  ===================================================================

    With radius 1, `components` "theta_phi" and `radial` these are the fields of SHTns, signs
    included. Constants psi, chi, S and T have no field: they are ignored, and 0 in results. At a
    pole the components of a pixel are along the directions of the pixel's longitude.

    A field of degree lmax has scalars of degree lmax: analysis is exact where that of scalars is.

    With `delegate` a call waits for the stream of its arrays, copies those that are in the memory
    of the GPU to the host and the result back, and waits for that. `describe` then has the backend
    "by the host", and `explain` the choice "place". `pseudo_analysis` takes arrays of the host.

    Examples
    --------
    A solid rotation with 1e-5 per second about the axis of the Earth:

    >>> import armilla, numpy as np
    >>> grid = armilla.Grid.gauss_legendre(32, 64)
    >>> sht = armilla.VectorSHT(grid, 31, radius=armilla.wind.EARTH_RADIUS_ECMWF)
    >>> theta, phi = grid.pixels()
    >>> u = 1e-5 * armilla.wind.EARTH_RADIUS_ECMWF * np.sin(theta)
    >>> vorticity, divergence = sht.analysis(np.stack([u, 0 * u]))
    >>> made = armilla.SHT(grid, 31).synthesis(vorticity)
    >>> bool(np.allclose(made, 2e-5 * np.cos(theta)))
    True

    Q, S, T of SHTns and the components v_r, v_theta, v_phi:

    >>> sht = armilla.VectorSHT(grid, 31, form="spheroidal_toroidal", components="theta_phi",
    ...                         radial=True)
    >>> qst = np.stack([armilla.alm.random(31, np.ones(32), seed) for seed in (1, 2, 3)])
    >>> v_r, v_theta, v_phi = sht.synthesis(qst)
    """

    __slots__ = ("_vector",)
    _noun = "vector"
    _functions = functions("vector")

    @on_grid
    def __init__(self, grid: GridLike, lmax: int, mmax: Optional[int] = None, *,
                 form: Form = "vorticity_divergence", components: Components = "east_north",
                 radial: bool = False, radius: float = 1.0, mean: Mean = "error",
                 layout: Optional[Layout] = None, method: Method = "auto",
                 spin_method: SpinMethod = "auto", isa: Optional[str] = None,
                 host_bytes: int = 0, cache_bytes: int = 0, choices: Optional[str] = None,
                 two_dimensional: bool = False, mres: Optional[int] = None,
                 device: Device = "cpu", devices: Optional[Sequence[int]] = None,
                 delegate: bool = False) -> None:
        self._vector = (form, components, bool(radial), real("radius", radius), mean)
        super().__init__(grid, lmax, mmax, 0, "standard", layout, method, spin_method, isa, device,
                         0, None, "auto", host_bytes, cache_bytes, choices, two_dimensional, mres,
                         devices=devices, delegate=delegate)

    def _made(self, grid: Grid, lmax: int, mmax: int, options: Any) -> Any:
        form, components, radial, radius, mean = self._vector
        whole = ffi.new("armilla_vector_options *")
        lib.armilla_vector_options_init(whole)
        whole.form = choice("form", form, FORMS)
        whole.components = choice("components", components, _COMPONENTS)
        whole.radial, whole.radius = radial, radius
        whole.mean, whole.sht = choice("mean", mean, MEANS), options
        vector = ffi.new("armilla_vector **")
        check(lib.armilla_vector_new(grid._grid, lmax, mmax, whole, vector))
        return ffi.gc(vector[0], lib.armilla_vector_free)

    @property
    def _report_tail(self) -> Tuple[int, ...]:  # type: ignore[override]
        return (2,) if self.radial else ()

    @property
    def _first_degree(self) -> int:
        return 0 if self.radial else 1

    @property
    def form(self) -> Form:
        """What coefficients are of."""
        return self._vector[0]

    @property
    def components(self) -> Components:
        """What maps hold: "east_north" or "theta_phi"."""
        return self._vector[1]

    @property
    def radial(self) -> bool:
        """Whether there is a radial component."""
        return self._vector[2]

    @property
    def radius(self) -> float:
        """Radius of the sphere."""
        return self._vector[3]

    @property
    def mean(self) -> Mean:
        """What is done about a mean of vorticity or divergence."""
        return self._vector[4]

    @overload
    def convert_map(self, source: MapForm, map: Any, target: MapForm, *, out: Given,
                    nthreads: int = ..., progress: Progress = ..., missing: Missing = ...
                    ) -> Given: ...

    @overload
    def convert_map(self, source: MapForm, map: OnDevice, target: MapForm, *, out: None = ...,
                    nthreads: int = ..., progress: Progress = ..., missing: Missing = ...
                    ) -> OnDevice: ...

    @overload
    def convert_map(self, source: MapForm, map: ArrayLike, target: MapForm, *, out: None = ...,
                    nthreads: int = ..., progress: Progress = ..., missing: Missing = ...
                    ) -> np.ndarray: ...

    def convert_map(self, source: MapForm, map: Any, target: MapForm, *, out: Any = None,
                    nthreads: int = 0, progress: Progress = None, missing: Missing = "error"
                    ) -> Any:
        """Make maps of one form from maps of another, by coefficients up to lmax.

        Parameters
        ----------
        source : {"components", "vorticity_divergence", "stream_potential", "spheroidal_toroidal"}
            What `map` holds, whatever the form of the plan is.
        map : array_like, shape (..., 2, npix)
            Maps, float32 or float64; the pixels may be two axes, ``grid.shape_2d``.
        target : {"components", "rotational", "divergent", "vorticity_divergence", ...}
            What the result holds, any form. "rotational" and "divergent" are the components of the
            part without divergence, and of that without vorticity (Helmholtz).
        out : ndarray, optional
            Array for the result, which is filled and returned.
        %(nthreads)s
        progress : bool or callable, optional
            True shows a bar (needs tqdm); a function is called with the fraction that is done.
        missing : {"error", "propagate"}, optional
            What is done about NaN, infinities and `armilla.io.UNSEEN`.

        Returns
        -------
        ndarray, shape (..., 2, npix)
            The maps, of the type of `map` and with its axes of pixels. Arrays of a GPU give arrays
            of the same library there.

        Raises
        ------
        ValueError
            If a shape is wrong, a value is missing, the plan has a radial component, or vorticity
            or divergence have a mean.
        %(TypeError)s
        %(Cancelled)s

        Warns
        -----
        ExactnessWarning
            As in `SHT.analysis`.

        Examples
        --------
        >>> import armilla, numpy as np
        >>> grid = armilla.Grid.gauss_legendre(32, 64)
        >>> sht = armilla.VectorSHT(grid, 31, radius=6.37e6)
        >>> theta, phi = grid.pixels()
        >>> wind = np.stack([20 * np.sin(theta), 0 * theta])
        >>> part = sht.convert_map("components", wind, "rotational")
        >>> bool(np.allclose(part, wind))
        True
        """
        rule, shape = missing_rule(missing), self._maps.like(map)
        words = choice("source", source, _SOURCES), choice("target", target, _TARGETS)
        self._warn_once_if_inexact()
        if is_device_array(map) or is_device_array(out):
            side = Side("map", shape, False, self._map_dense)
            of = Operator(self.device, _CONVERT.__getitem__, (self._sht, words[0]), side, side, (),
                          words[1:], rule, self._by_host)
            return apply(of, map, out, nthreads, progress)
        values = as_map(map)
        if values.shape != shape.flat:
            values = shape.line(values)
        if out is not None:
            values = apart(values, out)
        lead = leading_shape(values, shape.flat, "map")
        line = None if out is None else shape.output(out, lead)
        result = Output(line, lead + shape.flat, values.dtype, self._map_dense)
        result.compact()
        arrays = pointer(np.ascontiguousarray(values)), pointer(result.array)
        ntrans = math.prod(lead)
        if ntrans:
            execute(_CONVERT[values.dtype],
                    (self._sht, words[0], arrays[0], words[1], arrays[1]), ntrans, nthreads,
                    progress, missing=rule)
        made = result.finish()
        return made if out is None and shape.makes_flat else shape.result(made, line, out)

    def __reduce__(self) -> Tuple[Any, ...]:
        return _rebuild, (type(self), self._grid, self._layout, self._options, self._vector)

    def __repr__(self) -> str:
        mres = f"mres {self.mres}, " if self.mres != 1 else ""
        return (f"<armilla.VectorSHT lmax {self.lmax}, mmax {self.mmax}, {mres}{self.form}, "
                f"{self.components}{', radial' if self.radial else ''}, radius {self.radius:g}, "
                f"on {self._grid!r}>")


def _rebuild(kind: Any, grid: Grid, layout: Optional[Layout], options: tuple, vector: tuple
             ) -> VectorSHT:
    plan = kind.__new__(kind)
    plan._vector = vector
    lmax, mmax, spin, mode, *methods = options
    Plan.__init__(plan, grid, lmax, mmax, spin, mode, layout, *methods)
    return plan
