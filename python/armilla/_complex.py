"""Transforms of complex fields, with coefficients of both signs of m."""
from __future__ import annotations

import math
from typing import Any, List, Optional, Sequence, Tuple, overload

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import COMPLEX_OF, REAL_OF, Output, apart, as_alm, input_buffer, leading_shape
from ._arrays import missing_rule, pointer
from ._device import Operator, Side, apply, coefficients, is_device_array
from ._errors import characters, check, choice, small, threads, whole
from ._exactness import warn_if_inexact
from ._hints import on_grid
from ._html import table_of
from ._maps import MapShape
from ._native import ffi, lib
from ._place import enter_device
from ._progress import HOST_OF, Progress, execute
from ._structs import as_tuple
from ._types import (Choice, ComplexOptions, Description, Device, Given, Method, Missing, OnDevice,
                     SpinMethod)
from .grid import Grid, GridLike, as_grid
from .transform import _METHODS, _SPIN_METHODS, choices_told

_FUNCTIONS = {(name, real): getattr(lib, f"armilla_complex_sht_{name}{suffix}")
              for name in ("synthesis", "adjoint_synthesis", "analysis", "adjoint_analysis")
              for real, suffix in ((np.dtype(np.float64), ""), (np.dtype(np.float32), "_float"))}


class ComplexSHT:
    """A plan for transforms of complex fields: f_lm of both signs of m to complex maps and back.

    A plan is immutable, and any number of threads may use it at once. Inputs are never written.

    Parameters
    ----------
    %(grid)s
    %(lmax.from_0)s
    mmax : int, optional
        Largest order: coefficients of larger ones, of either sign, are not read and become 0. By
        default it is `lmax`.
    spin : int, optional
        Spin of the field, from -lmax to lmax. 0, the default, is a scalar. Coefficients of degrees
        below its magnitude are not read and become 0.
    %(method.as_sht)s
    spin_method : {"auto", "recurrence"}, optional
        How functions of a spin are made.
    %(isa)s
    %(host_bytes)s
    %(cache_bytes)s
    %(choices)s
    device : {"cpu", "cuda"}, optional
        Where the arrays of calls may be. GPUs do not offer complex fields: "cuda" needs `delegate`.
    %(devices)s
    delegate : bool, optional
        Whether the host runs the calls of a GPU: see `VectorSHT`, where it is the same. The
        default, False, makes device "cuda" an error.

    Raises
    ------
    %(ValueError.number_or_word)s
    %(TypeError)s
    %(NotImplementedError.delegate)s
    %(MemoryError)s

    See Also
    --------
    SHT : Real fields.

    Notes
    -----
    f(theta, phi) is the sum over l and -l <= m <= l of f_lm sY_lm, with the spin-weighted harmonics
    of Goldberg et al. and the Condon-Shortley sign, as in ssht, pyssht and s2fft. f_lm is element
    l^2 + l + m. In terms of `SHT` a field of spin s is Q + i U, and f_lm = -(E + i B)_lm.

    Coefficients have the shape (..., (lmax + 1)^2) and maps (..., npix), both complex128, or both
    complex64. The pixels of maps, and of `out`, may be two axes, ``grid.shape_2d``. Maps are read
    and written where they are.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> grid = armilla.Grid.equidistant("MW", 33, 65)
    >>> sht = armilla.ComplexSHT(grid, lmax=32, spin=2)
    >>> rng = np.random.default_rng(1)
    >>> alm = rng.standard_normal(33 ** 2) + 1j * rng.standard_normal(33 ** 2)
    >>> alm[:4] = 0                                  # degrees below the spin
    >>> sky = sht.synthesis(alm)
    >>> sky.shape, bool(np.allclose(sht.analysis(sky), alm))
    ((2145,), True)
    """

    __slots__ = ("_sht", "_grid", "_options", "_sizes", "_maps", "_has_warned")
    _repr_html_ = table_of

    @on_grid
    def __init__(self, grid: GridLike, lmax: int, mmax: Optional[int] = None, *, spin: int = 0,
                 method: Method = "auto", spin_method: SpinMethod = "auto",
                 isa: Optional[str] = None, host_bytes: int = 0, cache_bytes: int = 0,
                 choices: Optional[str] = None, device: Device = "cpu",
                 devices: Optional[Sequence[int]] = None, delegate: bool = False) -> None:
        grid = as_grid(grid)
        lmax, spin = whole("lmax", lmax), whole("spin", spin)
        mmax = lmax if mmax is None else whole("mmax", mmax)
        options = ffi.new("armilla_sht_options *")
        lib.armilla_sht_options_init(options)
        options.spin = small("spin", spin)
        options.method = choice("method", method, _METHODS)
        options.spin_method = choice("spin_method", spin_method, _SPIN_METHODS)
        name = characters("isa", isa)
        forced = characters("choices", choices)
        options.isa, options.choices = name, forced
        options.host_bytes = whole("host_bytes", host_bytes)
        options.cache_bytes = whole("cache_bytes", cache_bytes)
        numbers, _kept = enter_device(options, device, devices, delegate)
        sht = ffi.new("armilla_complex_sht **")
        check(lib.armilla_complex_sht_new(grid._grid, lmax, mmax, options, sht))
        self._sht = ffi.gc(sht[0], lib.armilla_complex_sht_free)
        self._grid = grid
        self._options = ComplexOptions(lmax, mmax, spin, method, spin_method, isa, host_bytes,
                                       cache_bytes, choices, device, numbers, bool(delegate))
        told = self.describe(1)
        self._sizes = told.alm_size, told.npix
        self._maps = MapShape.on(grid)
        self._has_warned = False

    @property
    def grid(self) -> Grid:
        """The grid of the maps."""
        return self._grid

    @property
    def lmax(self) -> int:
        """Largest degree."""
        return self._options.lmax

    @property
    def mmax(self) -> int:
        """Largest order."""
        return self._options.mmax

    @property
    def spin(self) -> int:
        """Spin of the field."""
        return self._options.spin

    @property
    def device(self) -> Device:
        """What the plan is for: "cpu" or "cuda"."""
        return self._options.device

    @property
    def devices(self) -> Optional[Tuple[int, ...]]:
        """The GPUs that were listed for the plan; None where none were."""
        return self._options.devices

    @property
    def alm_shape(self) -> Tuple[int, ...]:
        """Shape of the coefficients of one transform."""
        return self._sizes[:1]

    @property
    def map_shape(self) -> Tuple[int, ...]:
        """Shape of the map of one transform."""
        return self._sizes[1:]

    def explain(self) -> List[Choice]:
        """Return the choices of the plan: how its calls run, and why.

        %(Returns.choices)s
        """
        return choices_told(lib.armilla_complex_sht_explain, self._sht)

    def describe(self, nthreads: int = 0) -> Description:
        """Return what a call will run, and how much memory it needs.

        Parameters
        ----------
        %(nthreads.call)s

        Returns
        -------
        Description
            Sizes in complex numbers, method, memory in bytes and operations.
        """
        told = ffi.new("armilla_sht_description *")
        told.size = ffi.sizeof("armilla_sht_description")
        check(lib.armilla_complex_sht_describe(self._sht, threads(nthreads), told))
        return as_tuple(Description, told)

    @overload
    def synthesis(self, alm: Any, *, out: Given, nthreads: int = ...,
                  progress: Progress = ...) -> Given: ...

    @overload
    def synthesis(self, alm: OnDevice, *, out: None = ..., nthreads: int = ...,
                  progress: Progress = ...) -> OnDevice: ...

    @overload
    def synthesis(self, alm: ArrayLike, *, out: None = ..., nthreads: int = ...,
                  progress: Progress = ...) -> np.ndarray: ...

    def synthesis(self, alm: Any, *, out: Any = None, nthreads: int = 0,
                  progress: Progress = None) -> Any:
        """Transform coefficients to maps.

        Parameters
        ----------
        alm : array_like, shape (..., (lmax + 1)^2)
            Coefficients, complex64 or complex128. Leading axes are transforms.
        %(arguments.out_to_progress)s

        Returns
        -------
        %(returns.complex_map)s

        %(Raises.shape+type+cancelled)s
        """
        return self._run("synthesis", True, alm, out, nthreads, progress)

    @overload
    def adjoint_synthesis(self, map: Any, *, out: Given, nthreads: int = ...,
                          progress: Progress = ..., missing: Missing = ...) -> Given: ...

    @overload
    def adjoint_synthesis(self, map: OnDevice, *, out: None = ..., nthreads: int = ...,
                          progress: Progress = ..., missing: Missing = ...) -> OnDevice: ...

    @overload
    def adjoint_synthesis(self, map: ArrayLike, *, out: None = ..., nthreads: int = ...,
                          progress: Progress = ..., missing: Missing = ...) -> np.ndarray: ...

    def adjoint_synthesis(self, map: Any, *, out: Any = None, nthreads: int = 0,
                          progress: Progress = None, missing: Missing = "error") -> Any:
        """Apply the adjoint of synthesis, without weights: sums of maps with conjugate harmonics.

        Parameters
        ----------
        map : array_like, shape (..., npix)
            Maps, complex64 or complex128. Leading axes are transforms.
        %(arguments.short_out_to_progress)s
        missing : {"error", "propagate"}, optional
            As in `SHT.adjoint_synthesis`.

        Returns
        -------
        %(returns.complex_alm)s

        %(Raises.shape_or_missing+type+cancelled)s
        """
        return self._run("adjoint_synthesis", False, map, out, nthreads, progress, missing)

    @overload
    def analysis(self, map: Any, *, out: Given, nthreads: int = ...,
                 progress: Progress = ..., missing: Missing = ...) -> Given: ...

    @overload
    def analysis(self, map: OnDevice, *, out: None = ..., nthreads: int = ...,
                 progress: Progress = ..., missing: Missing = ...) -> OnDevice: ...

    @overload
    def analysis(self, map: ArrayLike, *, out: None = ..., nthreads: int = ...,
                 progress: Progress = ..., missing: Missing = ...) -> np.ndarray: ...

    def analysis(self, map: Any, *, out: Any = None, nthreads: int = 0,
                 progress: Progress = None, missing: Missing = "error") -> Any:
        """Transform maps to coefficients by quadrature.

        Parameters
        ----------
        map : array_like, shape (..., npix)
            Maps, complex64 or complex128. Leading axes are transforms.
        %(arguments.short_out_to_progress)s
        %(missing.as_sht)s

        Returns
        -------
        %(returns.complex_alm)s

        %(Raises.shape_or_missing+type+cancelled)s

        Warns
        -----
        ExactnessWarning
            As `SHT.analysis`.
        """
        if not self._has_warned:
            self._has_warned = True
            warn_if_inexact(self._grid, self.lmax, self.mmax)
        return self._run("analysis", False, map, out, nthreads, progress, missing)

    @overload
    def adjoint_analysis(self, alm: Any, *, out: Given, nthreads: int = ...,
                         progress: Progress = ...) -> Given: ...

    @overload
    def adjoint_analysis(self, alm: OnDevice, *, out: None = ..., nthreads: int = ...,
                         progress: Progress = ...) -> OnDevice: ...

    @overload
    def adjoint_analysis(self, alm: ArrayLike, *, out: None = ..., nthreads: int = ...,
                         progress: Progress = ...) -> np.ndarray: ...

    def adjoint_analysis(self, alm: Any, *, out: Any = None, nthreads: int = 0,
                         progress: Progress = None) -> Any:
        """Apply the adjoint of analysis: synthesis with the weights of the grid.

        Parameters
        ----------
        alm : array_like, shape (..., (lmax + 1)^2)
            Coefficients, complex64 or complex128. Leading axes are transforms.
        %(arguments.short_out_to_progress)s

        Returns
        -------
        %(returns.complex_map)s

        %(Raises.shape+type+cancelled)s
        """
        return self._run("adjoint_analysis", True, alm, out, nthreads, progress)

    def _run(self, name: str, to_map: bool, values: Any, out: Any, nthreads: int,
             progress: Progress, missing: Missing = "propagate") -> Any:
        rule = missing_rule(missing)
        if is_device_array(values) or is_device_array(out):
            return self._run_there(name, to_map, values, out, nthreads, progress, rule)
        given, made = (self._sizes if to_map else self._sizes[::-1])
        values = as_alm(values, "alm" if to_map else "map")
        if not to_map and values.shape != self._maps.flat:
            values = self._maps.line(values)
        if out is not None:
            values = apart(values, out)
        lead = leading_shape(values, (given,), "alm" if to_map else "map")
        real = REAL_OF[values.dtype]
        line = self._maps.output(out, lead) if to_map else out
        target = Output(line, lead + (made,), COMPLEX_OF[real], not to_map or self._grid._dense)
        source, distance = input_buffer(values)
        ntrans = math.prod(lead)
        if ntrans:
            distances = (distance, target.distance) if to_map else (target.distance, distance)
            execute(_FUNCTIONS[name, real], (self._sht, pointer(source), pointer(target.array)),
                    ntrans, nthreads, progress, *distances, HOST_OF["cpu"], rule)
        written = target.finish()
        return self._maps.result(written, line, out) if to_map else written

    def _run_there(self, name: str, to_map: bool, values: Any, out: Any, nthreads: int,
                   progress: Progress, rule: int) -> Any:
        sides = (coefficients(self._sizes[:1], True),
                 Side("map", self._maps, True, self._grid._dense))
        source, target = sides if to_map else sides[::-1]
        of = Operator(self.device, lambda real: _FUNCTIONS[name, real], (self._sht,), source,
                      target, missing=rule, by_host=True)
        return apply(of, values, out, nthreads, progress)

    def __reduce__(self) -> Tuple[Any, ...]:
        return _rebuild, (self._grid, self._options)

    def __repr__(self) -> str:
        return (f"<armilla.ComplexSHT lmax {self.lmax}, mmax {self.mmax}, spin {self.spin}, "
                f"on {self._grid!r}>")


def _rebuild(grid: Grid, options: ComplexOptions) -> ComplexSHT:
    return ComplexSHT(grid, **options._asdict())
