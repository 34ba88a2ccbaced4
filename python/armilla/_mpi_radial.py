"""Convolution over ranks of maps with radial kernels: each rank has some rings of the grid."""
from __future__ import annotations

import math
from typing import Any, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Output, apart, as_map, leading_shape, missing_rule, pointer, unmasked
from ._distribution import RADIAL_OPERATORS
from ._errors import check, real
from ._mpi_arguments import Call, of_host, options_of
from ._mpi_calls import Common, PlaceCalls
from ._mpi_coefficients import Maps
from ._mpi_redistribution import SPANS
from ._native import ffi, lib
from ._progress import Progress, ended, execute
from ._structs import as_tuple
from ._types import Missing, Normalization, RadialMethod, RadialMode
from .grid import GridLike, as_grid
from .kernel import Kernel
from .radial import LEAST, UNSEEN, checked_kernel, radial_options


class RadialDescription(NamedTuple):
    """What a rank has to do in a convolution.

    Attributes
    ----------
    %(method.radial)s
    npix : int
        Number of pixels of this rank.
    belt_rings : int
        Number of rings whose sums this rank makes.
    belt_npix : int
        Number of pixels of these rings.
    window_npix : int
        Number of pixels of the largest part of the map that the method "pixels" sees at once.
    windows : int
        Number of such parts, the most of any rank.
    %(isa.attribute)s
    truncation_error : float
        What cutting the kernel changes: see `Kernel.truncation_error`.
    width : float
        Angle at which the kernel first falls to half, in radians.
    """

    method: str
    normalization: str
    support: float
    npix: int
    belt_rings: int
    belt_npix: int
    window_npix: int
    windows: int
    isa: str
    truncation_error: float
    width: float


class Radial(PlaceCalls, Maps):
    """A plan over ranks for the convolution of maps on one grid with one radial kernel.

    Parameters
    ----------
    %(comm.plan)s
    grid : Grid or str
        Where the pixels of all ranks are.
    kernel : Kernel
        Function of the angle between two pixels, the same on all ranks.
    support : float, optional
        Angle at which the kernel is cut, in radians; this and the parameters below are as for
        `armilla.Radial`.
    mode : {"exact", "standard"}, optional
        Which sum is made.
    normalization : {"auto", "none", "integral", "sum"}, optional
        What the kernel, or its sums, are divided by.
    method : {"auto", "pixels", "rings"}, optional
        How the sum is computed.
    truncation_error : float, optional
        What cutting the kernel may change.
    %(isa)s
    spin : {0, 2}, optional
        2 means maps of Q and U.
    rings : array_like of int, optional
        Rings of this rank, in any order; [] for none. By default, on all ranks, they are dealt by
        their numbers of pixels. Those of an `SHT` are ``sht.rings``.

    %(Raises.plan_of_ranks)s

    See Also
    --------
    armilla.Radial : A plan of one process, with the same results.
    Redistribution : Moves maps from any layout to that of the rings.

    Notes
    -----
    Results are those of `armilla.Radial`, bit for bit, on any number of ranks.

    Making a plan, the operators and `close` are collective: all ranks call them in the same order,
    with the same arguments except `rings`, `nthreads` and arrays. What one rank raises all ranks
    raise.

    Examples
    --------
    >>> import armilla, armilla.mpi, numpy as np
    >>> from mpi4py import MPI
    >>> kernel = armilla.Kernel.gaussian(np.radians(10))
    >>> with armilla.mpi.Radial(MPI.COMM_WORLD, armilla.Grid.healpix(32), kernel) as radial:
    ...     smooth = radial.convolve(np.ones(radial.npix))      # the pixels radial.pixels
    >>> bool(np.allclose(smooth, 1, atol=1e-2))
    True
    """

    __slots__ = ("_told", "_spin")
    _told: RadialDescription
    _spin: int
    _operators = RADIAL_OPERATORS

    def __init__(self, comm: Any, grid: GridLike, kernel: Kernel, support: Optional[float] = None,
                 mode: RadialMode = "exact", normalization: Normalization = "auto",
                 method: RadialMethod = "auto", truncation_error: float = 1e-7,
                 isa: Optional[str] = None, spin: int = 0, *, rings: Optional[ArrayLike] = None
                 ) -> None:
        def read() -> Tuple[Common, Any]:
            wanted = as_grid(grid)
            options, struct, alive = radial_options(support, mode, normalization, method,
                                                    truncation_error, isa, spin)
            self._spin = options.spin
            common = {"kernel": repr(checked_kernel(kernel)), **options._asdict(), "lmax": 0,
                      "mmax": 0}
            return Common(common, None, rings, wanted), (kernel, struct, alive)

        self._begin(comm, read)

    def _new(self, common: Common, own: Any) -> Any:
        kernel, struct, _ = own
        made, spans = ffi.new("armilla_distributed_radial **"), self.map_spans
        ended(lib.armilla_distributed_radial_new(
            self._transport.struct, self.grid._grid, kernel._kernel, struct, len(spans),
            ffi.from_buffer(SPANS, spans), made))
        return ffi.gc(made[0], lib.armilla_distributed_radial_free)

    @property
    def spin(self) -> int:
        """Spin of the maps: 0 or 2."""
        return self._spin

    @property
    def map_shape(self) -> Tuple[int, ...]:
        """Shape of this rank's part of one map."""
        return ((2,) if self._spin else ()) + (self.npix,)

    def describe(self) -> RadialDescription:
        """Return what this rank has to do; not collective.

        Returns
        -------
        RadialDescription
            Method, angles in radians, and numbers of pixels.
        """
        self._check_open()
        told = ffi.new("armilla_distributed_radial_description *")
        told.size = ffi.sizeof("armilla_distributed_radial_description")
        check(lib.armilla_distributed_radial_describe(self._pointer, told))
        return as_tuple(RadialDescription, told)

    def convolve(self, map: ArrayLike, *, weights: Optional[ArrayLike] = None,
                 least: float = LEAST, fill: float = UNSEEN, out: Optional[np.ndarray] = None,
                 nthreads: int = 0, progress: Progress = None, missing: Missing = "error"
                 ) -> np.ndarray:
        """Convolve maps with the kernel.

        This is collective: all ranks call it.

        Parameters
        ----------
        map : array_like, shape (...,) + map_shape
            This rank's pixels. Leading axes are maps that are convolved together. What a masked
            array hides has a weight of 0.
        weights : array_like, shape (npix,), optional
            Weights of this rank's pixels, 0 or more, for maps with holes: the result is a weighted
            mean, as in `armilla.Radial.convolve`. Where some rank has weights, others that give
            none have weights of 1.
        least : float, optional
            Where the divisor is less than this part of that of weights of 1, the result is `fill`.
        fill : float, optional
            Value of such pixels, by default `armilla.io.UNSEEN`.
        %(arguments.out_of_rank)s
        missing : {"error", "propagate"}, optional
            What is done about NaN, infinities and UNSEEN where the weight is not 0: "error" raises
            a ValueError on all ranks, with the first one's index in the maps of all ranks;
            "propagate" treats them as numbers.

        Returns
        -------
        ndarray, shape (...,) + map_shape
            This rank's pixels of the convolved maps, of the precision of the input.

        %(Raises.ranks)s
        """
        def prepared() -> Call:
            values, factors = unmasked(of_host(map, "map"), of_host(weights, "weights"), "map")
            return self._prepared(values, self._sample_weights(factors, None, out), out, missing,
                                  real("least", least), real("fill", fill))

        return self._run("convolve", prepared, nthreads, progress).target.finish()

    def adjoint(self, map: ArrayLike, *, out: Optional[np.ndarray] = None, nthreads: int = 0,
                progress: Progress = None, missing: Missing = "error") -> np.ndarray:
        """Apply the adjoint of convolve without weights.

        This is collective: all ranks call it.

        Parameters
        ----------
        map : array_like, shape (...,) + map_shape
            This rank's pixels.
        %(arguments.out_of_rank)s
        %(missing.rank)s

        Returns
        -------
        ndarray, shape (...,) + map_shape
            This rank's pixels of the result, of the precision of the input.

        %(Raises.ranks)s
        """
        return self._run("adjoint", lambda: self._prepared(of_host(map, "map"), None, out, missing),
                         nthreads, progress).target.finish()

    def _prepared(self, map: ArrayLike, weights: Optional[np.ndarray], out: Optional[np.ndarray],
                  missing: Missing, *more: float) -> Call:
        given, rule = apart(as_map(map), out), missing_rule(missing)
        lead = leading_shape(given, self.map_shape, "map")
        return Call(given, Output(out, lead + self.map_shape, given.dtype, True), lead, given.dtype,
                    rule, weights, more)

    def _ready(self, call: Call) -> Call:
        """Both arrays of a call have the same distances."""
        ready = super()._ready(call)
        if ready.distance == call.target.distance:
            return ready
        call.target.compact()
        return ready._replace(source=np.array(call.source, order="C"), distance=0)

    def _execute(self, name: str, call: Call, weights: Optional[np.ndarray], ntrans: int,
                 nthreads: int, progress: Progress) -> None:
        more: Tuple[Any, ...] = ()
        if weights is not None:
            name, more = "convolve_weighted", (pointer(weights), *call.more)
        execute(self._operators[name, call.real],
                (self._pointer, pointer(call.source), *more, pointer(call.target.array)), ntrans,
                nthreads, progress, 0, call.distance, missing=call.missing)

    def __repr__(self) -> str:
        return (f"<armilla.mpi.Radial support {self._told.support:.4g}, {self._told.method}, on "
                f"{self.grid!r}, {self._where()}>")
