"""Plans for skies seen through beams of any shape."""
from __future__ import annotations

import math
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import (Output, apart, as_alm, as_map, common_lead, leading_shape, pointer, reals,
                      unmasked)
from ._aside import plan_aside
from ._device import check_host
from ._errors import characters, check, choice, real, threads, whole
from ._html import table_of
from ._native import ffi, lib
from ._place import DEVICES, device_list
from ._progress import Progress, execute
from ._pseudo import (PseudoReport, Sizes, guess_like, new_reports, pixel_weights,
                      pseudo_options, reported, warn_of_fit)
from ._structs import as_tuple
from ._types import Choice, Device
from .alm import size as alm_size
from .points import locations
from .transform import choices_told

ANGLES = "colatitude", "longitude", "the angle psi"
COMPLEX, REAL = np.dtype(np.complex128), np.dtype(np.float64)
SINGLE = {COMPLEX: np.dtype(np.complex64), REAL: np.dtype(np.float32)}


class BeamsDescription(NamedTuple):
    """What a call of Beams will run, and what it needs.

    Attributes
    ----------
    %(isa.attribute)s
    %(lmax)s
    mmax : int
        Largest order of the sky.
    kmax : int
        Largest order of the beam.
    npointings : int
        Number of pointings.
    components : int
        Number of components of sky and beam.
    nbeams : int
        Number of beams whose samples are added up.
    alm_size : int
        Number of coefficients of a component of the sky.
    blm_size : int
        Number of coefficients of a component of the beam.
    epsilon : float
        Accuracy that the plan was made for.
    nrings : int
        Number of rings of the grid that planes are interpolated from.
    nphi : int
        Number of pixels of these rings.
    taps : int
        Number of samples along each axis that an interpolation takes.
    plan_bytes : int
        Memory of the plan, with its copies of the pointings and of the modulation.
    %(workspace_bytes)s
    backend : str
        "cpu", or "cuda": planes are made on GPUs, whose memory is not counted here.
    """

    isa: str
    lmax: int
    mmax: int
    kmax: int
    npointings: int
    components: int
    nbeams: int
    alm_size: int
    blm_size: int
    epsilon: float
    nrings: int
    nphi: int
    taps: int
    plan_bytes: int
    workspace_bytes: int
    backend: str


class BeamsOptions(NamedTuple):
    """What a plan is made with, checked."""

    lmax: int
    kmax: int
    components: int
    epsilon: float
    mmax: int
    isa: Optional[str]
    device: Device
    devices: Optional[Tuple[int, ...]]

    @property
    def components_axis(self) -> Tuple[int, ...]:
        """Of coefficients, where there are several components."""
        return () if self.components == 1 else (self.components,)


def beams_options(lmax: int, kmax: int, components: int, epsilon: float, mmax: Optional[int],
                  isa: Optional[str], nthreads: int, device: Device = "cpu",
                  devices: Optional[Sequence[int]] = None) -> Tuple[BeamsOptions, Any, Any]:
    """Checked options, the library's struct, and what must live as long."""
    lmax, name = whole("lmax", lmax), characters("isa", isa)
    options = BeamsOptions(lmax, whole("kmax", kmax), whole("components", components),
                           real("epsilon", epsilon), lmax if mmax is None else whole("mmax", mmax),
                           isa, device, device_list(devices, device))
    struct = ffi.new("armilla_beams_options *")
    lib.armilla_beams_options_init(struct)
    struct.components, struct.epsilon = options.components, options.epsilon
    struct.isa, struct.nthreads = name, threads(nthreads)
    struct.device = choice("device", device, DEVICES)
    listed = ffi.new("int[]", options.devices or ())
    if options.devices is not None:
        struct.devices, struct.ndevices = listed, len(options.devices)
    return options, struct, (name, listed)


def modulate(modulation: ArrayLike, npointings: int, struct: Any) -> np.ndarray:
    """The factors of the samples, which the library's struct points to from now on."""
    factors = _modulation(modulation, npointings)
    struct.modulation = pointer(factors)
    struct.nbeams = len(factors) if factors.ndim > 1 else 1
    return factors


def beam_shape(options: BeamsOptions, factors: Optional[np.ndarray]) -> Tuple[int, ...]:
    """Of the coefficients of a beam, or of all whose samples are added up."""
    tail = options.components_axis + (alm_size(options.lmax, options.kmax),)
    return tail if factors is None else factors.shape[:-1] + tail


def _pointings(given: ArrayLike) -> np.ndarray:
    """A copy, float64 (npointings, 3), that nobody writes to."""
    array = locations(given, "pointings", ANGLES)
    if not len(array):
        raise ValueError("pointings: is empty, must have one row or more")
    return array


def _modulation(given: ArrayLike, npointings: int) -> np.ndarray:
    """A copy, float64 (npointings,) or (nbeams, npointings), that nobody writes to."""
    array = np.array(reals(given, "modulation"))
    if array.ndim not in (1, 2) or array.shape[-1] != npointings or 0 in array.shape[:-1]:
        raise ValueError(f"modulation: has shape {array.shape}, must have ({npointings},) or "
                         f"(nbeams, {npointings})")
    array.setflags(write=False)
    return array


_FUNCTIONS = {
    "convolve": (lib.armilla_beams_convolve, lib.armilla_beams_convolve_float),
    "adjoint": (lib.armilla_beams_adjoint, lib.armilla_beams_adjoint_float),
    "beam_adjoint": (lib.armilla_beams_beam_adjoint, lib.armilla_beams_beam_adjoint_float)}


class Operand(NamedTuple):
    """What a call takes: many of what its tail is the shape of."""

    array: np.ndarray
    lead: Tuple[int, ...]
    name: str


def operand(array: np.ndarray, tail: Tuple[int, ...], name: str) -> Operand:
    return Operand(array, leading_shape(array, tail, name), name)


def whole_of(given: Operand, lead: Tuple[int, ...], single: bool, out: Any) -> np.ndarray:
    """All transforms, one after the other, in the precision of the call."""
    kind = COMPLEX if given.array.dtype.kind == "c" else REAL
    tail = given.array.shape[len(given.lead):]
    array = np.broadcast_to(given.array, lead + tail).astype(SINGLE[kind] if single else kind,
                                                             copy=False)
    return np.ascontiguousarray(apart(array, out))


def one_of(given: Operand, out: Any) -> np.ndarray:
    """The only transform, in double precision."""
    if given.lead:
        raise ValueError(f"{given.name}: has leading axes {given.lead}, must be of one sky")
    return whole_of(given, (), False, out)


class Beams:
    """A plan for skies that are seen through beams of any shape, at many pointings.

    A plan is immutable, and any number of threads may use it at once. Inputs are never written.

    Parameters
    ----------
    lmax : int
        Largest degree of sky and beam, 0 or more.
    kmax : int
        Largest order of the beam, 0 to `lmax`. Few are needed: a beam without a side lobe that is
        nearly symmetric has kmax 4 or so.
    pointings : array_like, shape (npointings, 3)
        Colatitude theta, 0 to pi, longitude phi, and the angle psi by which the beam is turned
        about its axis, in radians.
    components : {1, 2, 3}, optional
        Components of sky and beam: T, or E and B, or T, E and B.
    epsilon : float, optional
        Largest rms error of the samples, see Notes: 1e-13 to 0.1.
    mmax : int, optional
        Largest order of the sky, 0 to `lmax`. By default it is `lmax`.
    %(isa)s
    modulation : array_like, shape (npointings,) or (nbeams, npointings), optional
        Factors of the samples, for a beam that changes from sample to sample: the sum over j of
        modulation[j] times the samples of beam j. With shape (nbeams, npointings),
        beams have an axis of nbeams.
    nthreads : int, optional
        Number of threads that make this plan; 0 means all.
    device : {"cpu", "cuda"}, optional
        Where planes are made: "cuda" for an NVIDIA GPU, so far tried on an emulated one only.
        Arrays are the host's.
    devices : sequence of int, optional
        Numbers of the GPUs that share each plane, with device "cuda".

    Raises
    ------
    ValueError
        If a number is out of range, or a pointing is.
    %(TypeError)s
    %(MemoryError)s

    See Also
    --------
    armilla.beam : Coefficients of beams; `armilla.beam.half_wave_plate` makes modulations.
    armilla.totalconvolve : The same by the names of ducc0.

    Notes
    -----
    A sample is the integral over the sphere of the sky times the beam, which R_z(phi) R_y(theta)
    R_z(psi) has turned from the z axis to its direction:

        s = sum over l, m, k of a_lm conj(b_lk) d^l_mk(theta) e^{i m phi} e^{i k psi}

    summed over the components. Signs are those of ducc0.totalconvolve. With P_k(theta, phi) the
    part of order k, s = P_0 + 2 Re sum of e^{i k psi} P_k; the rms error of the samples is at most
    `epsilon` times the sum of the rms of these terms over the sphere. The adjoints are those of
    the approximation, to rounding.

    Coefficients have the order of healpy: those of the sky with `mmax`, those of the beam with
    `kmax` in its place. Arrays of single precision give results of single precision; all work is
    done in double precision. Leading axes are those of many skies, beams or samples, which
    broadcast: each sky has its own beam. An operand with fewer of them is copied for each
    transform.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> rng = np.random.default_rng(1)
    >>> pointings = rng.uniform([0, 0, 0], [np.pi, 2 * np.pi, 2 * np.pi], (1000, 3))
    >>> plan = armilla.Beams(64, 4, pointings)
    >>> sky = armilla.alm.random(64, np.ones(65), seed=1)
    >>> beam = armilla.beam.elliptical(0.05, 0.08, 64, 4)
    >>> samples = plan.convolve(sky, beam)
    >>> samples.shape
    (1000,)
    >>> back = plan.adjoint(samples, beam)
    >>> back.shape == sky.shape
    True
    """

    __slots__ = ("_beams", "_given", "_options", "_modulation", "_sky_tail", "_beam_tail")
    _repr_html_ = table_of

    def __init__(self, lmax: int, kmax: int, pointings: ArrayLike, components: int = 1,
                 epsilon: float = 1e-7, mmax: Optional[int] = None, isa: Optional[str] = None, *,
                 modulation: Optional[ArrayLike] = None, nthreads: int = 0,
                 device: Device = "cpu", devices: Optional[Sequence[int]] = None) -> None:
        options, struct, alive = beams_options(lmax, kmax, components, epsilon, mmax, isa, nthreads,
                                               device, devices)
        at = _pointings(pointings)
        factors = None if modulation is None else modulate(modulation, len(at), struct)
        self._beams = plan_aside("beams", lib.armilla_beams_free,
                                 lambda made: lib.armilla_beams_new(
                                     options.lmax, options.mmax, options.kmax, len(at),
                                     pointer(at), struct, made), len(at), alive)
        self._take(at, options, factors)

    def _take(self, at: np.ndarray, options: BeamsOptions, factors: Optional[np.ndarray]) -> None:
        self._given, self._options, self._modulation = at, options, factors
        self._sky_tail = options.components_axis + (alm_size(options.lmax, options.mmax),)
        self._beam_tail = beam_shape(options, factors)

    def with_pointings(self, pointings: ArrayLike, *,
                       modulation: Optional[ArrayLike] = None) -> Beams:
        """Make a plan for other pointings, which shares with this one what does not depend on them.

        Parameters
        ----------
        pointings : array_like, shape (npointings, 3)
            Colatitude, longitude and angle psi, as `Beams` takes them.
        modulation : array_like, shape (npointings,) or (nbeams, npointings), optional
            Factors of the samples, for as many beams as this plan has.

        Returns
        -------
        Beams
            The new plan: of another detector, whose beam has the same band limits, or of another
            piece of a scan.

        Raises
        ------
        ValueError
            If a shape is wrong, or an angle is out of range.
        """
        at = _pointings(pointings)
        factors = None if modulation is None else _modulation(modulation, len(at))
        lead = () if factors is None else factors.shape[:-1]
        if self._modulation is not None and lead != self._modulation.shape[:-1]:
            raise ValueError(f"modulation: has leading axes {lead}, must have those of the plan, "
                             f"{self._modulation.shape[:-1]}")
        if self._modulation is None and lead not in ((), (1,)):
            raise ValueError(f"modulation: is of {lead[0]} beams, must be of one, as the plan is")
        made = plan_aside("beams", lib.armilla_beams_free,
                          lambda result: lib.armilla_beams_new_beside(
                              self._beams, len(at), pointer(at),
                              ffi.NULL if factors is None else pointer(factors), result), len(at),
                          None)
        other = Beams.__new__(Beams)
        other._beams = made
        other._take(at, self._options, factors)
        return other

    # --- What it is ---------------------------------------------------------------------------

    @property
    def lmax(self) -> int:
        """Largest degree."""
        return self._options.lmax

    @property
    def mmax(self) -> int:
        """Largest order of the sky."""
        return self._options.mmax

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
    def device(self) -> Device:
        """Where planes are made: "cpu" or "cuda"."""
        return self._options.device

    @property
    def pointings(self) -> np.ndarray:
        """The pointings, shape (npointings, 3), a read-only copy."""
        return self._given

    @property
    def modulation(self) -> Optional[np.ndarray]:
        """Factors of the samples, a read-only copy, or None."""
        return self._modulation

    @property
    def sky_shape(self) -> Tuple[int, ...]:
        """Shape of the coefficients of a sky."""
        return self._sky_tail

    @property
    def beam_shape(self) -> Tuple[int, ...]:
        """Shape of the coefficients of a beam, or of all whose samples are added up."""
        return self._beam_tail

    def describe(self, nthreads: int = 0) -> BeamsDescription:
        """Return what a call will run, and how much memory it needs.

        Parameters
        ----------
        %(nthreads.call)s

        Returns
        -------
        BeamsDescription
            Sizes, accuracy and memory in bytes.
        """
        told = ffi.new("armilla_beams_description *")
        told.size = ffi.sizeof("armilla_beams_description")
        check(lib.armilla_beams_describe(self._beams, threads(nthreads), told))
        told.plan_bytes += self._given.nbytes
        if self._modulation is not None:
            told.plan_bytes += self._modulation.nbytes
        return as_tuple(BeamsDescription, told)

    def explain(self) -> List[Choice]:
        """Return the choices of the plan: how its calls run, and why.

        Returns
        -------
        list of Choice
            Name, value and reason of each choice, as `Points.explain` has them: those of order
            `kmax`, then what smaller orders of the beam have chosen for themselves, by names that
            begin with "k0.", "k1." and so on. docs/ways.md has a row for each.
        """
        return choices_told(lib.armilla_beams_explain, self._beams)

    # --- The operators ------------------------------------------------------------------------

    def convolve(self, sky: ArrayLike, beam: ArrayLike, *, out: Optional[np.ndarray] = None,
                 nthreads: int = 0, progress: Progress = None) -> np.ndarray:
        """Make the samples of a sky that is seen through a beam.

        Parameters
        ----------
        sky : array_like, shape (..., *sky_shape)
            Coefficients of the sky.
        beam : array_like, shape (..., *beam_shape)
            Coefficients of the beam.
        %(arguments.out_to_progress)s

        Returns
        -------
        ndarray, shape (..., npointings)
            The samples: float32 if sky and beam are complex64, else float64.

        %(Raises.shape+type+cancelled)s
        """
        return self._run("convolve", (self._sky(sky), self._beam(beam)),
                         ((len(self._given),), REAL), out, nthreads, progress)

    def adjoint(self, samples: ArrayLike, beam: ArrayLike, *, out: Optional[np.ndarray] = None,
                nthreads: int = 0, progress: Progress = None) -> np.ndarray:
        """Apply the adjoint of `convolve` in the sky.

        Parameters
        ----------
        samples : array_like, shape (..., npointings)
            Samples.
        beam : array_like, shape (..., *beam_shape)
            Coefficients of the beam.
        %(arguments.out_to_progress)s

        Returns
        -------
        ndarray, shape (..., *sky_shape)
            Coefficients: the adjoint is meant in the inner product sum of a_l0 b_l0 + 2 Re conj(
            a_lm) b_lm, m > 0.

        %(Raises.shape+type+cancelled)s
        """
        return self._run("adjoint", (self._samples(samples), self._beam(beam)),
                         (self._sky_tail, COMPLEX), out, nthreads, progress)

    def beam_adjoint(self, samples: ArrayLike, sky: ArrayLike, *,
                     out: Optional[np.ndarray] = None, nthreads: int = 0,
                     progress: Progress = None) -> np.ndarray:
        """Apply the adjoint of `convolve` in the beam, of which samples are linear as well.

        Parameters
        ----------
        samples : array_like, shape (..., npointings)
            Samples.
        sky : array_like, shape (..., *sky_shape)
            Coefficients of the sky.
        %(arguments.out_to_progress)s

        Returns
        -------
        ndarray, shape (..., *beam_shape)
            Coefficients, in the inner product of `adjoint`.

        %(Raises.shape+type+cancelled)s
        """
        return self._run("beam_adjoint", (self._samples(samples), self._sky(sky)),
                         (self._beam_tail, COMPLEX), out, nthreads, progress)

    def deconvolve(self, samples: ArrayLike, beam: ArrayLike, *, tolerance: float = 1e-10,
                   max_iterations: int = 100, weights: Optional[ArrayLike] = None,
                   guess: Optional[ArrayLike] = None, out: Optional[np.ndarray] = None,
                   nthreads: int = 0, progress: Progress = None
                   ) -> Tuple[np.ndarray, PseudoReport]:
        """Fit a sky to samples that a beam has seen: least squares by iteration (LSMR).

        Parameters
        ----------
        samples : array_like, shape (npointings,)
            Samples. What a masked array hides is left out.
        beam : array_like, shape beam_shape
            Coefficients of the beam.
        %(tolerance)s
        %(max_iterations)s
        weights : array_like, shape (npointings,), optional
            Weights w >= 0 of the samples: the sum of w (samples - A a)^2 is minimised. What the
            samples are where w is 0 does not matter.
        guess : array_like, shape sky_shape, optional
            Coefficients to begin with.
        %(arguments.out_to_progress)s

        Returns
        -------
        sky : ndarray, shape sky_shape
            Coefficients. Where many fit equally well, the ones nearest to the guess are found.
        %(report)s

        Raises
        ------
        ValueError
            If a shape is wrong, or a sample is not finite.
        %(TypeError)s
        %(Cancelled)s

        %(Warns.tolerance+few_samples)s

        Notes
        -----
        Degrees at which the beam is small are found from little, and noise is large there: where
        all of a component of the beam is zero from some degree on, so is the fit.

        Examples
        --------
        >>> import armilla, numpy as np
        >>> rng = np.random.default_rng(1)
        >>> pointings = rng.uniform([0, 0, 0], [np.pi, 2 * np.pi, 2 * np.pi], (3000, 3))
        >>> plan = armilla.Beams(12, 2, pointings)
        >>> beam = armilla.beam.elliptical(0.1, 0.2, 12, 2)
        >>> sky = armilla.alm.random(12, np.ones(13), seed=1)
        >>> fit, report = plan.deconvolve(plan.convolve(sky, beam), beam)
        >>> bool(np.allclose(fit, sky, atol=1e-6))
        True
        """
        check_host("deconvolve works on arrays", samples=samples, weights=weights, guess=guess,
                   out=out)
        samples, weights = unmasked(samples, weights, "samples")
        factors = pixel_weights(weights, None, len(self._given), out)
        options = pseudo_options("lsmr", tolerance, max_iterations, factors)
        told, reports = new_reports(())
        target = Output(out, self._sky_tail, COMPLEX, True)
        target.compact()
        start = None if guess is None else guess_like(guess, self._sky_tail, target)
        if start is not None:
            options.guess = ffi.cast("void *", start.ctypes.data)
        given = [one_of(each, out) for each in (self._samples(samples), self._beam(beam))]
        execute(lib.armilla_beams_deconvolve,
                (self._beams, *map(pointer, given), pointer(target.array), options, reports), 1,
                nthreads, progress)
        sky, report = target.finish(), reported(told)
        count = len(self._given) if factors is None else int(np.count_nonzero(factors))
        warn_of_fit(report, "lsmr", tolerance,
                    Sizes.of((self.lmax, self.mmax, 1, 0), self._sky_tail, (count,), count),
                    guess is not None)
        return sky, report

    def _sky(self, sky: ArrayLike) -> Operand:
        return operand(as_alm(sky, "sky"), self._sky_tail, "sky")

    def _beam(self, beam: ArrayLike) -> Operand:
        return operand(as_alm(beam, "beam"), self._beam_tail, "beam")

    def _samples(self, samples: ArrayLike) -> Operand:
        return operand(as_map(samples, "samples"), (len(self._given),), "samples")

    def _run(self, name: str, given: Tuple[Operand, Operand],
             result: Tuple[Tuple[int, ...], np.dtype], out: Optional[np.ndarray], nthreads: int,
             progress: Progress) -> np.ndarray:
        lead = common_lead([each.lead for each in given], [each.name for each in given])
        single = all(each.array.dtype in SINGLE.values() for each in given)
        tail, kind = result
        target = Output(out, lead + tail, SINGLE[kind] if single else kind, True)
        target.compact()
        arrays = [whole_of(each, lead, single, out) for each in given]
        if math.prod(lead):
            execute(_FUNCTIONS[name][single],
                    (self._beams, *map(pointer, arrays), pointer(target.array)), math.prod(lead),
                    nthreads, progress)
        return target.finish()

    def __reduce__(self) -> Tuple[Any, ...]:
        return _rebuild, (self._given, self._options, self._modulation)

    def __repr__(self) -> str:
        beams = ("" if self._modulation is None
                 else f", {self._modulation.size // len(self._given)} beams")
        return (f"<armilla.Beams lmax {self.lmax}, mmax {self.mmax}, kmax {self.kmax}, "
                f"{self.components} components, epsilon {self.epsilon:g}, "
                f"{len(self._given)} pointings{beams}>")


def _rebuild(pointings: np.ndarray, options: BeamsOptions,
             modulation: Optional[np.ndarray]) -> Beams:
    return Beams(pointings=pointings, modulation=modulation, **options._asdict())
