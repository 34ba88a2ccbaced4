"""Skies seen through beams of any shape, over ranks: each rank has its own pointings."""
from __future__ import annotations

from typing import Any, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Output, as_alm, as_map, common_lead, pointer
from ._beams import (ANGLES, COMPLEX, REAL, SINGLE, BeamsOptions, Operand, beam_shape,
                     beams_options, modulate, one_of, operand, whole_of)
from ._distribution import BEAMS_OPERATORS
from ._errors import check, threads
from ._mpi_arguments import Call, Iteration, of_host, options_of
from ._mpi_calls import Common, PlaceCalls
from ._mpi_coefficients import Coefficients
from ._native import ffi, lib
from ._progress import Progress, ended, execute
from ._pseudo import PseudoReport, Sizes
from ._structs import as_tuple
from .points import locations


class BeamsDescription(NamedTuple):
    """What a rank has of a plan for skies seen through beams.

    Attributes
    ----------
    npointings : int
        Number of pointings of this rank.
    all_pointings : int
        Number of pointings of all ranks.
    pointings_here : int
        Number of pointings that this rank works on, whoever has them.
    alm_size : int
        Number of coefficients of a component of the rank's sky.
    blm_size : int
        Number of coefficients of a component of the beam.
    plan_bytes : int
        Memory of the rank's plan.
    workspace_bytes : int
        Memory of a call with doubles.
    """

    npointings: int
    all_pointings: int
    pointings_here: int
    alm_size: int
    blm_size: int
    plan_bytes: int
    workspace_bytes: int


class Beams(PlaceCalls, Coefficients):
    """A plan over ranks for skies that are seen through beams of any shape, at many pointings.

    Parameters
    ----------
    %(comm.plan)s
    lmax : int
        Largest degree of sky and beam, 0 or more.
    kmax : int
        Largest order of the beam, 0 to `lmax`.
    pointings : array_like, shape (npointings, 3)
        Colatitude theta, 0 to pi, longitude phi, and the angle psi by which the beam is turned
        about its axis, in radians, of this rank's samples; [] for none.
    components : {1, 2, 3}, optional
        Components of sky and beam: T, or E and B, or T, E and B.
    epsilon : float, optional
        Largest rms error of the samples: see `armilla.Beams`.
    mmax : int, optional
        Largest order of the sky, 0 to `lmax`. By default it is `lmax`.
    %(isa)s
    modulation : array_like, shape (npointings,) or (nbeams, npointings), optional
        Factors of this rank's samples: see `armilla.Beams`. All ranks give some, or none does.
    %(orders.dealt)s
    %(nthreads.plan_of_rank)s
    %(chunk_bytes)s

    %(Raises.plan_of_ranks)s

    See Also
    --------
    armilla.Beams : A plan of one process, with the same results.

    Notes
    -----
    A rank has the coefficients of its orders of the sky, and its own samples; all ranks have whole
    beams, the same ones. Results are those that `armilla.Beams` gives in one process with the
    pointings of all ranks, those of rank 0 first, bit for bit, on any number of ranks.

    Making a plan, the operators and `close` are collective: all ranks call them in the same order,
    with the same arguments except `pointings`, `modulation`, `orders`, `nthreads` and arrays. What
    one rank raises all ranks raise.

    Examples
    --------
    >>> import armilla, armilla.mpi, numpy as np
    >>> from mpi4py import MPI
    >>> comm, turn = MPI.COMM_WORLD, 2 * np.pi
    >>> pointings = np.random.default_rng(comm.rank).uniform(0, [np.pi, turn, turn], (1000, 3))
    >>> with armilla.mpi.Beams(comm, 32, 4, pointings) as beams:
    ...     sky = beams.random(np.ones(33), seed=1)         # this rank's orders
    ...     samples = beams.convolve(sky, armilla.beam.elliptical(0.1, 0.2, 32, 4))
    >>> samples.shape
    (1000,)
    """

    __slots__ = ("_options", "_told", "_given", "_beam_tail")
    _options: BeamsOptions
    _told: BeamsDescription
    _operators = BEAMS_OPERATORS
    _fits_doubles = True

    def __init__(self, comm: Any, lmax: int, kmax: int, pointings: ArrayLike, components: int = 1,
                 epsilon: float = 1e-7, mmax: Optional[int] = None, isa: Optional[str] = None, *,
                 modulation: Optional[ArrayLike] = None, orders: Optional[ArrayLike] = None,
                 nthreads: int = 0, chunk_bytes: int = 0) -> None:
        def read() -> Tuple[Common, Any]:
            options, struct, alive = beams_options(lmax, kmax, components, epsilon, mmax, isa,
                                                   nthreads)
            if not 0 <= options.kmax <= options.lmax:
                raise ValueError(f"kmax = {options.kmax}: must be 0 .. {options.lmax}")
            _, distributed, _ = options_of({"chunk_bytes": chunk_bytes})
            given = np.empty((0, 3)) if np.shape(pointings) == (0,) else pointings
            at = locations(of_host(given, "pointings"), "pointings", ANGLES)
            factors = None if modulation is None else modulate(modulation, len(at), struct)
            self._options, self._given = options, at
            self._beam_tail = beam_shape(options, factors)
            common = {**options._asdict(), "chunk_bytes": distributed.chunk_bytes,
                      "modulation": "none" if factors is None else
                      f"of {'one beam' if factors.ndim == 1 else f'{len(factors)} beams'}"}
            return Common(common, orders), (struct, distributed, alive, factors)

        self._begin(comm, read)

    def _new(self, common: Common, own: Any) -> Any:
        struct, distributed, *_ = own
        made = ffi.new("armilla_distributed_beams **")
        ended(lib.armilla_distributed_beams_new(
            self._transport.struct, self._distribution.pointer, self._options.kmax,
            len(self._given), pointer(self._given), struct, distributed, made))
        return ffi.gc(made[0], lib.armilla_distributed_beams_free)

    # --- What it is -------------------------------------------------------------------------------

    @property
    def kmax(self) -> int:
        """Largest order of the beam."""
        return self._options.kmax

    @property
    def components(self) -> int:
        """Number of components of sky and beam."""
        return self._options.components

    @property
    def epsilon(self) -> float:
        """Accuracy of the samples."""
        return self._options.epsilon

    @property
    def pointings(self) -> np.ndarray:
        """This rank's pointings, shape (npointings, 3), read-only."""
        return self._given

    @property
    def sky_shape(self) -> Tuple[int, ...]:
        """Shape of this rank's coefficients of a sky."""
        return self._options.components_axis + (self.alm_size,)

    @property
    def beam_shape(self) -> Tuple[int, ...]:
        """Shape of the coefficients of a beam, or of all whose samples are added up."""
        return self._beam_tail

    alm_shape = sky_shape

    @property
    def map_shape(self) -> Tuple[int, ...]:
        """Shape of this rank's samples of one sky."""
        return (len(self._given),)

    def describe(self, nthreads: int = 0) -> BeamsDescription:
        """Return what this rank holds; not collective.

        Parameters
        ----------
        %(nthreads.call)s

        Returns
        -------
        BeamsDescription
            Sizes and memory in bytes.
        """
        self._check_open()
        told = ffi.new("armilla_distributed_beams_description *")
        told.size = ffi.sizeof("armilla_distributed_beams_description")
        check(lib.armilla_distributed_beams_describe(self._pointer, threads(nthreads), told))
        return as_tuple(BeamsDescription, told)

    # --- The operators ----------------------------------------------------------------------------

    def convolve(self, sky: ArrayLike, beam: ArrayLike, *, out: Optional[np.ndarray] = None,
                 nthreads: int = 0, progress: Progress = None) -> np.ndarray:
        """Make this rank's samples of a sky that is seen through a beam.

        This is collective: all ranks call it.

        Parameters
        ----------
        sky : array_like, shape (..., *sky_shape)
            This rank's coefficients of the sky.
        beam : array_like, shape (..., *beam_shape)
            Coefficients of the beam, the same on all ranks.
        %(arguments.out_of_rank)s

        Returns
        -------
        ndarray, shape (..., npointings)
            This rank's samples: float32 if sky and beam are complex64, else float64.

        %(Raises.ranks)s
        """
        return self._apply("convolve", lambda: (self._sky(sky), self._beam(beam)),
                           (self.map_shape, REAL), out, nthreads, progress)

    def adjoint(self, samples: ArrayLike, beam: ArrayLike, *, out: Optional[np.ndarray] = None,
                nthreads: int = 0, progress: Progress = None) -> np.ndarray:
        """Apply the adjoint of `convolve` in the sky.

        This is collective: all ranks call it.

        Parameters
        ----------
        samples : array_like, shape (..., npointings)
            This rank's samples.
        beam : array_like, shape (..., *beam_shape)
            Coefficients of the beam, the same on all ranks.
        %(arguments.out_of_rank)s

        Returns
        -------
        ndarray, shape (..., *sky_shape)
            This rank's coefficients.

        %(Raises.ranks)s
        """
        return self._apply("adjoint", lambda: (self._samples_of(samples), self._beam(beam)),
                           (self.sky_shape, COMPLEX), out, nthreads, progress)

    def beam_adjoint(self, samples: ArrayLike, sky: ArrayLike, *,
                     out: Optional[np.ndarray] = None, nthreads: int = 0,
                     progress: Progress = None) -> np.ndarray:
        """Apply the adjoint of `convolve` in the beam.

        This is collective: all ranks call it.

        Parameters
        ----------
        samples : array_like, shape (..., npointings)
            This rank's samples.
        sky : array_like, shape (..., *sky_shape)
            This rank's coefficients of the sky.
        %(arguments.out_of_rank)s

        Returns
        -------
        ndarray, shape (..., *beam_shape)
            Coefficients, all of them on every rank.

        %(Raises.ranks)s
        """
        return self._apply("beam_adjoint", lambda: (self._samples_of(samples), self._sky(sky)),
                           (self._beam_tail, COMPLEX), out, nthreads, progress)

    def deconvolve(self, samples: ArrayLike, beam: ArrayLike, *, tolerance: float = 1e-10,
                   max_iterations: int = 100, weights: Optional[ArrayLike] = None,
                   guess: Optional[ArrayLike] = None, out: Optional[np.ndarray] = None,
                   nthreads: int = 0, progress: Progress = None
                   ) -> Tuple[np.ndarray, PseudoReport]:
        """Fit a sky to the samples of all ranks: least squares by iteration (LSMR).

        This is collective: all ranks call it.

        Parameters
        ----------
        samples : array_like, shape (npointings,)
            This rank's samples. What a masked array hides is left out.
        beam : array_like, shape beam_shape
            Coefficients of the beam, the same on all ranks.
        %(tolerance)s
        %(max_iterations)s
        weights : array_like, shape (npointings,), optional
            Weights of this rank's samples, 0 or more; 1 by default.
        guess : array_like, shape sky_shape, optional
            Coefficients to begin with; all ranks give some, or none does.
        %(arguments.out_of_rank)s

        Returns
        -------
        sky : ndarray, shape sky_shape
            This rank's coefficients.
        report : PseudoReport
            How the iteration ended, which is the same on all ranks.

        %(Raises.ranks)s

        Warns
        -----
        ConvergenceWarning
            On rank 0: if `tolerance` was not reached.
        ExactnessWarning
            On rank 0: if all ranks together have fewer samples than real coefficients.
        """
        return self._fit("samples", samples, ("lsmr", tolerance, max_iterations), weights, None,
                         guess, out, nthreads, progress, lambda: 0,
                         lambda: (one_of(self._beam(beam), out),))

    def _sizes_of_fit(self) -> Sizes:
        """As if all samples had a weight: nobody counts those of the other ranks."""
        return Sizes.of((self.lmax, self.mmax, 1, 0), self.sky_shape, self.map_shape,
                        self._told.all_pointings)

    def _sky(self, sky: ArrayLike) -> Operand:
        return operand(as_alm(of_host(sky, "sky"), "sky"), self.sky_shape, "sky")

    def _beam(self, beam: ArrayLike) -> Operand:
        return operand(as_alm(of_host(beam, "beam"), "beam"), self._beam_tail, "beam")

    def _samples_of(self, samples: ArrayLike) -> Operand:
        return operand(as_map(of_host(samples, "samples"), "samples"), self.map_shape, "samples")

    def _apply(self, name: str, read: Any, result: Tuple[Tuple[int, ...], np.dtype],
               out: Optional[np.ndarray], nthreads: int, progress: Progress) -> np.ndarray:
        """read: gives the two operands, the first of which the library takes first."""
        def prepared() -> Call:
            given = read()
            lead = common_lead([each.lead for each in given], [each.name for each in given])
            single = all(each.array.dtype in SINGLE.values() for each in given)
            tail, kind = result
            target = Output(out, lead + tail, SINGLE[kind] if single else kind, True)
            target.compact()
            first, second = (whole_of(each, lead, single, out) for each in given)
            return Call(first, target, lead, SINGLE[REAL] if single else REAL, more=(second,))

        return self._run(name, prepared, nthreads, progress).target.finish()

    def _execute(self, name: str, call: Call, weights: Optional[np.ndarray], ntrans: int,
                 nthreads: int, progress: Progress) -> None:
        """The second operand, or a fit's beam, is the last of the inputs."""
        arrays = [pointer(one) for one in (call.source, *call.more)]
        fit: Optional[Iteration] = call.iteration
        if fit is None:
            execute(self._operators[name, call.real],
                    (self._pointer, *arrays, pointer(call.target.array)), ntrans, nthreads,
                    progress)
            return
        if weights is not None:
            fit.options.weights = pointer(weights)
        execute(lib.armilla_distributed_beams_deconvolve,
                (self._pointer, *arrays, pointer(call.target.array), fit.options, fit.reports),
                ntrans, nthreads, progress)

    def __repr__(self) -> str:
        return (f"<armilla.mpi.Beams lmax {self.lmax}, mmax {self.mmax}, kmax {self.kmax}, "
                f"{self.components} components, epsilon {self.epsilon:g}, {self._where()}>")
