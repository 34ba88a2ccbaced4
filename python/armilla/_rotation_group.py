"""Plans for functions on the rotation group."""
from __future__ import annotations

import math
from typing import Any, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Output, apart, as_alm, as_map, input_buffer, leading_shape, missing_rule
from ._arrays import pointer
from ._aside import plan_aside
from ._device import check_host
from ._errors import characters, check, threads, whole
from ._exactness import warn_if_inexact
from ._html import table_of
from ._maps import MapShape
from ._native import ffi, lib
from ._progress import HOST_OF, Progress, execute
from ._structs import as_tuple
from ._types import Missing
from .alm import size as alm_size
from .grid import Grid, GridLike, as_grid

_COMPLEX, _REAL = np.dtype(np.complex128), np.dtype(np.float64)


class RotationGroupDescription(NamedTuple):
    """What a call of RotationGroup will run, and what it needs.

    Attributes
    ----------
    %(isa.attribute)s
    %(lmax)s
    mmax : int
        Largest order of alpha.
    nmax : int
        Largest order of gamma.
    ngamma : int
        Number of angles gamma.
    npix : int
        Number of pixels (alpha, beta).
    alm_size : int
        Number of coefficients of an order n.
    kept : int
        Number of spins, of 0 to nmax, whose tables the plan keeps; calls make the others anew.
    parts : int
        Number of parts in which an analysis takes the orders n.
    exact : int
        Whether analysis inverts synthesis: 1 if it does, 0 if the grid has too few rings or
        pixels, -1 if it has no exact rule.
    %(plan_bytes)s
    workspace_bytes : int
        Memory that a call needs besides the arrays, and besides tables that are not kept.
    """

    isa: str
    lmax: int
    mmax: int
    nmax: int
    ngamma: int
    npix: int
    alm_size: int
    kept: int
    parts: int
    exact: int
    plan_bytes: int
    workspace_bytes: int


class _Options(NamedTuple):
    lmax: int
    nmax: int
    mmax: int
    ngamma: int
    isa: Optional[str]
    table_bytes: int
    plane_bytes: int


class RotationGroup:
    """A plan for transforms of functions on the rotation group, f(alpha, beta, gamma).

    A plan is immutable, and any number of threads may use it at once. Inputs are never written.

    Parameters
    ----------
    grid : Grid or str
        Where the pixels are: colatitude beta, longitude alpha. Not in NESTED order.
    %(lmax.from_0)s
    nmax : int
        Largest order of gamma, 0 to `lmax`.
    mmax : int, optional
        Largest order of alpha, 0 to `lmax`. By default it is `lmax`.
    ngamma : int, optional
        Number of angles gamma, 2 pi j / ngamma: 2 nmax + 1 or more. 0, the default, means
        2 nmax + 1.
    %(isa)s
    table_bytes : int, optional
        Memory of the tables of the spins 0 to `nmax` that the plan may keep; calls make those of
        others anew. By default, 0, it is a quarter of the arrays of a call, and 64 MB at least.
    plane_bytes : int, optional
        Memory that an analysis may take; it goes through the samples several times if it is little.
        By default, 0, it is a third of the arrays of a call, and 64 MB at least.

    Raises
    ------
    %(ValueError.number)s
    %(TypeError)s
    NotImplementedError
        If the grid is in NESTED order, or the machine lacks the instruction set.
    %(MemoryError)s

    See Also
    --------
    armilla.so3 : Wavelets with directions, and coefficients as s2fft has them.
    Beams : The same functions at pointings anywhere, if they come from a sky and a beam.

    Notes
    -----
    With rotations R_z(alpha) R_y(beta) R_z(gamma), and real f,

        f(alpha, beta, gamma) = sum over l, m, n of
            (2 l + 1) / (8 pi^2) f^l_mn e^{i m alpha} d^l_mn(beta) e^{i n gamma}

    which is the convention of s2fft and SO3. Coefficients have the shape (..., 2 nmax + 1, size):
    row nmax + n has f^l_mn for m >= 0, in healpy's order. The others follow from f^l_{-m,-n} =
    (-1)^{m+n} conj(f^l_mn). For m = 0 both n and -n are stored; their mean is what counts. Samples
    have the shape (..., ngamma, npix); the pixels, also of `out`, may be two axes,
    ``grid.shape_2d``. All work is done in double precision.

    A complex function is two real ones, and leading axes are functions that are done one after the
    other: `armilla.so3.from_full` splits its coefficients.

    Analysis inverts synthesis where the grid has an exact rule for `lmax` and `mmax`. The adjoints
    are meant in the inner product of samples, the sum of a b, and in that of coefficients

        sum over n of Re[sum over l of conj(a_l0) b_l0 + 2 sum over l, m > 0 of conj(a_lm) b_lm]

    Examples
    --------
    >>> import armilla, numpy as np
    >>> group = armilla.RotationGroup("gl:17x33", lmax=16, nmax=3)
    >>> group.alm_shape, group.map_shape
    ((7, 153), (7, 561))
    >>> values = group.adjoint_synthesis(np.ones(group.map_shape))
    >>> bool(np.allclose(group.analysis(group.synthesis(values)), values))
    True
    """

    __slots__ = ("_so3", "_grid", "_options", "_maps", "_has_warned")
    _repr_html_ = table_of

    def __init__(self, grid: GridLike, lmax: int, nmax: int, mmax: Optional[int] = None, *,
                 ngamma: int = 0, isa: Optional[str] = None, table_bytes: int = 0,
                 plane_bytes: int = 0) -> None:
        grid, lmax, nmax = as_grid(grid), whole("lmax", lmax), whole("nmax", nmax)
        mmax = lmax if mmax is None else whole("mmax", mmax)
        name = characters("isa", isa)
        struct = ffi.new("armilla_so3_options *")
        lib.armilla_so3_options_init(struct)
        struct.ngamma, struct.isa = whole("ngamma", ngamma), name
        struct.table_bytes = whole("table_bytes", table_bytes)
        struct.plane_bytes = whole("plane_bytes", plane_bytes)
        self._so3 = plan_aside("so3", lib.armilla_so3_free,
                               lambda made: lib.armilla_so3_new(grid._grid, lmax, mmax, nmax,
                                                                struct, made),
                               (lmax + 1) ** 2 * (nmax + 1), grid, name)
        self._grid, self._maps = grid, MapShape.on(grid)
        self._options = _Options(lmax, nmax, mmax, struct.ngamma or 2 * nmax + 1, isa,
                                 struct.table_bytes, struct.plane_bytes)
        self._has_warned = False

    # --- What it is ---------------------------------------------------------------------------

    @property
    def grid(self) -> Grid:
        """The grid of the pixels."""
        return self._grid

    @property
    def lmax(self) -> int:
        """Largest degree."""
        return self._options.lmax

    @property
    def mmax(self) -> int:
        """Largest order of alpha."""
        return self._options.mmax

    @property
    def nmax(self) -> int:
        """Largest order of gamma."""
        return self._options.nmax

    @property
    def ngamma(self) -> int:
        """Number of angles gamma."""
        return self._options.ngamma

    @property
    def gamma(self) -> np.ndarray:
        """The angles gamma in radians, shape (ngamma,)."""
        return 2 * np.pi * np.arange(self.ngamma) / self.ngamma

    @property
    def alm_shape(self) -> Tuple[int, ...]:
        """Shape of the coefficients of a function."""
        return 2 * self.nmax + 1, alm_size(self.lmax, self.mmax)

    @property
    def map_shape(self) -> Tuple[int, ...]:
        """Shape of the samples of a function."""
        return self.ngamma, self._grid.npix

    def describe(self, nthreads: int = 0) -> RotationGroupDescription:
        """Return what a call will run, and how much memory it needs.

        Parameters
        ----------
        %(nthreads.call)s

        Returns
        -------
        RotationGroupDescription
            Sizes and memory in bytes.
        """
        told = ffi.new("armilla_so3_description *")
        told.size = ffi.sizeof("armilla_so3_description")
        check(lib.armilla_so3_describe(self._so3, threads(nthreads), told))
        return as_tuple(RotationGroupDescription, told)

    # --- The operators ------------------------------------------------------------------------

    def synthesis(self, alm: ArrayLike, *, out: Optional[np.ndarray] = None, nthreads: int = 0,
                  progress: Progress = None) -> np.ndarray:
        """Transform coefficients to samples.

        Parameters
        ----------
        alm : array_like, shape (..., 2 nmax + 1, size)
            Coefficients.
        %(arguments.out_to_progress)s

        Returns
        -------
        ndarray, shape (..., ngamma, npix)
            The samples, float64.

        %(Raises.shape+type+cancelled)s
        """
        return self._run(lib.armilla_so3_synthesis, True, alm, out, nthreads, progress)

    def adjoint_synthesis(self, map: ArrayLike, *, out: Optional[np.ndarray] = None,
                          nthreads: int = 0, progress: Progress = None,
                          missing: Missing = "error") -> np.ndarray:
        """Apply the adjoint of synthesis, without weights.

        Parameters
        ----------
        map : array_like, shape (..., ngamma, npix)
            Samples.
        %(arguments.short_out_to_progress)s
        missing : {"error", "propagate"}, optional
            As in `SHT.adjoint_synthesis`.

        Returns
        -------
        ndarray, shape (..., 2 nmax + 1, size)
            Coefficients, complex128.

        %(Raises.shape_or_missing+type+cancelled)s
        """
        return self._run(lib.armilla_so3_adjoint_synthesis, False, map, out, nthreads, progress,
                         missing)

    def analysis(self, map: ArrayLike, *, out: Optional[np.ndarray] = None, nthreads: int = 0,
                 progress: Progress = None, missing: Missing = "error") -> np.ndarray:
        """Transform samples to coefficients by quadrature.

        Parameters
        ----------
        map : array_like, shape (..., ngamma, npix)
            Samples.
        %(arguments.short_out_to_progress)s
        %(missing.as_sht)s

        Returns
        -------
        ndarray, shape (..., 2 nmax + 1, size)
            Coefficients, complex128.

        %(Raises.shape_or_missing+type+cancelled)s

        Warns
        -----
        ExactnessWarning
            As `SHT.analysis`.
        """
        if not self._has_warned:
            self._has_warned = True
            warn_if_inexact(self._grid, self.lmax, self.mmax)
        return self._run(lib.armilla_so3_analysis, False, map, out, nthreads, progress, missing)

    def adjoint_analysis(self, alm: ArrayLike, *, out: Optional[np.ndarray] = None,
                         nthreads: int = 0, progress: Progress = None) -> np.ndarray:
        """Apply the adjoint of analysis.

        Parameters
        ----------
        alm : array_like, shape (..., 2 nmax + 1, size)
            Coefficients.
        %(arguments.short_out_to_progress)s

        Returns
        -------
        ndarray, shape (..., ngamma, npix)
            The samples, float64.

        %(Raises.shape+type+cancelled)s
        """
        return self._run(lib.armilla_so3_adjoint_analysis, True, alm, out, nthreads, progress)

    def _run(self, function: Any, to_map: bool, values: ArrayLike, out: Optional[np.ndarray],
             nthreads: int, progress: Progress, missing: Missing = "propagate") -> np.ndarray:
        rule = missing_rule(missing)
        check_host("a RotationGroup works on arrays", values=values, out=out)
        name, take, kind = ("alm", as_alm, _COMPLEX) if to_map else ("map", as_map, _REAL)
        given, made = (self.alm_shape, self.map_shape)[::1 if to_map else -1]
        array = take(values, name).astype(kind, copy=False)
        array = array if to_map else self._maps.line(array)
        lead = leading_shape(array, given, name)
        source, distance = input_buffer(apart(array, out))
        line = self._maps.output(out, lead + (self.ngamma,)) if to_map else out
        target = Output(line, lead + made, _REAL if to_map else _COMPLEX,
                        not to_map or self._grid._dense)
        distances = (distance, target.distance) if to_map else (target.distance, distance)
        if math.prod(lead):
            execute(function, (self._so3, pointer(source), pointer(target.array)), math.prod(lead),
                    nthreads, progress, *distances, HOST_OF["cpu"], rule)
        written = target.finish()
        return self._maps.result(written, line, out) if to_map else written

    def __reduce__(self) -> Tuple[Any, ...]:
        return _rebuild, (self._grid, self._options)

    def __repr__(self) -> str:
        return (f"<armilla.RotationGroup lmax {self.lmax}, mmax {self.mmax}, nmax {self.nmax}, "
                f"{self.ngamma} angles gamma, on {self._grid!r}>")


def _rebuild(grid: Grid, options: _Options) -> RotationGroup:
    return RotationGroup(grid, **options._asdict())
