"""Coefficients of beams: what `Beams` takes.

A beam looks along the z axis, and its own x axis is south of it when it is turned to a direction
without psi. Its coefficients b_lk have the order of healpy with kmax as the largest order; a beam
whose integral is 1 has b_00 = 1 / sqrt(4 pi). Polarised beams have three components, T, E and B:
those of the patterns by which the detector weighs T, Q and U.

    >>> import armilla, numpy as np
    >>> beam = armilla.beam.elliptical(0.01, 0.012, 500, 4)
    >>> pair = armilla.beam.sum_of_kernels(np.ones((2, 33)), [[0.1, 0], [0.1, np.pi]], [0.5, 0.5],
    ...                                    32, 8)
    >>> bool(np.isclose(pair[0], 1 / np.sqrt(4 * np.pi)))
    True
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, List, NamedTuple, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from ._arrays import angle, angles, as_alm, as_map, pointer, reals
from ._errors import check, named, real, whole
from ._hints import absent
from ._kernel_fit import fitted, padded
from ._native import lib
from ._progress import Progress, bar
from ._pseudo import PseudoReport
from .alm import size
from .grid import GridLike, as_grid
from .io import Path, read_alm, write_alm
from .kernel import Kernel
from .points import Points, locations
from .rotation import Rotation
from .spectrum import compute, gaussian_beam
from .transform import IQU, SHT

__all__ = ["BeamFile", "KernelFit", "elliptical", "fit_kernels", "from_map", "from_samples",
           "half_wave_plate", "read", "rotate", "sum_of_kernels", "write"]


class BeamFile(NamedTuple):
    """A beam that was read.

    Attributes
    ----------
    beam : ndarray, shape (size,) or (ncomp, size)
        Coefficients of T, of E and B, or of T, E and B, complex128.
    %(lmax)s
    kmax : int
        Largest order.
    """

    beam: np.ndarray
    lmax: int
    kmax: int


class KernelFit(NamedTuple):
    """A beam as a sum of symmetric Gaussians, with its error; `weight` is the sum of |weights|.

    Attributes
    ----------
    fwhm : ndarray, shape (number,)
        Full widths at half maximum in radians.
    offsets : ndarray, shape (number, 2)
        Colatitudes and longitudes of the centres in the frame of the beam, radians.
    weights : ndarray, shape (number,)
        Factors of the kernels, whose integrals are 1; the largest one comes first.
    error : float
        rms of the beam minus the fit over the sphere, over the rms of the beam. Orders of the fit
        above kmax, in which the beam is 0, count as well.
    largest_error : float
        The largest norm of a degree of beam minus fit, over that of the beam.
    errors : ndarray, shape (lmax + 1,)
        The norm of each degree of beam minus fit over that of the beam; 0 if both are 0.
    """

    fwhm: np.ndarray
    offsets: np.ndarray
    weights: np.ndarray
    error: float
    largest_error: float
    errors: np.ndarray

    @property
    def weight(self) -> float:
        """Sum of |weights|, by which rounding and the cut of kernels are multiplied."""
        return float(np.abs(self.weights).sum())

    def windows(self, lmax: int) -> np.ndarray:
        """Compute the windows of the kernels.

        Parameters
        ----------
        %(lmax)s

        Returns
        -------
        ndarray, shape (number, lmax + 1)
            Windows, as `sum_of_kernels` takes them.
        """
        return np.stack([gaussian_beam(fwhm, lmax) for fwhm in self.fwhm])

    def kernels(self) -> List[Kernel]:
        """Make the kernels, which `armilla.Asymmetric` convolves maps with.

        Returns
        -------
        list of Kernel
            The Gaussians.
        """
        return [Kernel.gaussian(float(fwhm)) for fwhm in self.fwhm]

    def write(self, path: Path, *, overwrite: bool = False) -> None:
        """Write the kernels as a text that `armilla convolve --asymmetric` reads.

        Parameters
        ----------
        %(path)s
        %(overwrite)s

        Raises
        ------
        %(FileExistsError.overwrite)s
        """
        rows = [f"{theta!r}rad {phi!r}rad {weight!r} gaussian:{fwhm!r}rad\n" for
                (theta, phi), weight, fwhm in
                zip(self.offsets.tolist(), self.weights.tolist(), self.fwhm.tolist())]
        with open(path, "w" if overwrite else "x", encoding="ascii") as file:
            file.write("# colatitude, longitude, weight, kernel; "
                       f"the beam is off by {self.error:.2e}\n" + "".join(rows))


def __dir__() -> List[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = absent(__name__)


def _band(lmax: int, kmax: int, name: str = "kmax") -> None:
    if not 0 <= kmax <= lmax:
        raise ValueError(f"{name} = {kmax}: must be 0 .. lmax, which is {lmax}")


def _new(lmax: int, kmax: int, *lead: int) -> np.ndarray:
    """Room for a beam."""
    _band(lmax, kmax)
    return np.empty((*lead, size(lmax, kmax)), np.complex128)


def elliptical(fwhm_min: float, fwhm_max: float, lmax: int, kmax: int, *, psi: float = 0.0,
               polarisation: Optional[float] = None, cross_polar: float = 0.0) -> np.ndarray:
    """Make the beam of an elliptical Gaussian.

    Parameters
    ----------
    fwhm_min : float
        Full width at half maximum of the short axis in radians, at most pi.
    fwhm_max : float
        That of the long axis.
    %(lmax)s
    %(kmax)s
    psi : float, optional
        Angle of the long axis, from the beam's x axis towards its y axis, in radians.
    polarisation : float, optional
        Angle of the polariser, from the beam's x axis: the detector sees T + Q cos 2a + U sin 2a
        with a = psi of the pointing + this angle, smoothed. By default it sees T only.
    cross_polar : float, optional
        Leakage e, 0 to 1: Q and U are seen (1 - e) / (1 + e) times.

    Returns
    -------
    ndarray, shape (size,) or, with `polarisation`, (3, size)
        Coefficients of T, or of T, E and B; the integral of the beam is 1.

    %(Raises.number)s

    Notes
    -----
    Closed form for narrow beams, with l (l + 1) for the square of the frequency (Challinor et al.
    2000; docs/mathematics.md (15.5)):

        b_lk = sqrt((2 l + 1) / 4 pi) exp(-l (l + 1) (u^2 + v^2) / 4) I_{k/2}(z) e^{-i k psi}
        z = l (l + 1) (u^2 - v^2) / 4,    u, v the standard deviations

    for even k. Symmetric beams are the Gaussian windows of `armilla.spectrum.gaussian_beam`, those
    of E and B included; the pattern of others is off by about the square of their width.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> beam = armilla.beam.elliptical(0.01, 0.02, 200, 2, psi=0.3)
    >>> beam.shape
    (600,)
    """
    lmax, kmax = whole("lmax", lmax), whole("kmax", kmax)
    widths = angle("fwhm_min", fwhm_min), angle("fwhm_max", fwhm_max), angle("psi", psi)
    leak = real("cross_polar", cross_polar)
    if polarisation is None:
        if leak != 0:
            raise ValueError(f"cross_polar = {leak:g}: belongs to a beam with polarisation=")
        beam = _new(lmax, kmax)
        check(lib.armilla_beam_elliptical(*widths, lmax, kmax, pointer(beam)))
        return beam
    beam = _new(lmax, kmax, 3)
    check(lib.armilla_beam_elliptical_polarised(
        *widths, angle("polarisation", polarisation), leak, lmax, kmax, pointer(beam)))
    return beam


def from_map(map: ArrayLike, grid: GridLike, lmax: int, kmax: int) -> np.ndarray:
    """Make the beam of a map of it, whose pole is where the beam looks.

    Parameters
    ----------
    map : array_like, shape (npix,) or (3, npix)
        The pattern by which the detector weighs T, or T, Q and U, in the local frame (e_theta,
        e_phi) of each pixel. It is not normalised.
    grid : Grid or str
        Grid of the map: one with an exact rule for `lmax`, or the result has the errors of an
        analysis on it.
    %(lmax)s
    %(kmax)s

    Returns
    -------
    ndarray, shape (size,) or (3, size)
        Coefficients of T, or of T, E and B.

    Raises
    ------
    ValueError
        If a shape is wrong, a number is out of range, or a value is missing.
    %(TypeError)s
    """
    values, grid = as_map(map, "map"), as_grid(grid)
    lmax, kmax = whole("lmax", lmax), whole("kmax", kmax)
    _band(lmax, kmax)
    if values.shape not in ((grid.npix,), (3, grid.npix)):
        raise ValueError(f"map: has shape {values.shape}, must have ({grid.npix},) or "
                         f"(3, {grid.npix})")
    plan = SHT(grid, lmax, mmax=kmax) if values.ndim == 1 else IQU(grid, lmax, mmax=kmax)
    return np.asarray(plan.analysis(values), np.complex128)


def from_samples(values: ArrayLike, directions: ArrayLike, lmax: int, kmax: int, *,
                 weights: Optional[ArrayLike] = None, tolerance: float = 1e-10,
                 max_iterations: int = 200, epsilon: float = 1e-10, nthreads: int = 0,
                 progress: Progress = None) -> Tuple[np.ndarray, PseudoReport]:
    """Fit the beam to samples of it at any directions: least squares.

    Parameters
    ----------
    values : array_like, shape (nsamples,) or (3, nsamples)
        The pattern by which the detector weighs T, or T, Q and U, in the local frame (e_theta,
        e_phi) of each direction. It is not normalised. What a masked array hides is left out.
    directions : array_like, shape (nsamples, 2)
        Colatitude and longitude in the frame of the beam, in radians, as in files of GRASP: cuts,
        grids or single directions.
    %(lmax)s
    %(kmax)s
    weights : array_like, shape (nsamples,), optional
        Weights w >= 0 of the samples: the sum of w (values - fit)^2 is minimised. With the solid
        angles of the samples it is near the integral over the sphere.
    %(tolerance)s
    %(max_iterations)s
    epsilon : float, optional
        Accuracy of the transforms at the directions: see `Points`.
    %(nthreads)s
    %(progress)s

    Returns
    -------
    beam : ndarray, shape (size,) or (3, size)
        Coefficients of T, or of T, E and B. Where many fit equally well, the smallest are found.
    report : PseudoReport
        How the iteration ended; of T, Q and U with a last axis of length 2: T, and E with B. Its
        residual is the part of the samples that the fit does not give.

    Raises
    ------
    ValueError
        If a shape is wrong, a number is out of range, or a value is missing.
    %(TypeError)s
    %(Cancelled)s

    %(Warns.tolerance+few_samples)s

    Notes
    -----
    Samples of a part of the sphere say nothing of the rest. Where the beam is 0 beyond them,
    samples of 0 there say so, at distances of about pi / `lmax` along the meridians.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> beam = armilla.beam.elliptical(0.3, 0.4, 20, 4)
    >>> directions = np.random.default_rng(1).uniform([0, 0], [np.pi, 2 * np.pi], (4000, 2))
    >>> values = armilla.Points(20, directions, mmax=4, epsilon=1e-12).synthesis(beam)
    >>> fit, report = armilla.beam.from_samples(values, directions, 20, 4)
    >>> bool(np.abs(fit - beam).max() < 1e-8)
    True
    """
    lmax, kmax = whole("lmax", lmax), whole("kmax", kmax)
    _band(lmax, kmax)
    places = locations(directions, "directions")
    if not len(places):
        raise ValueError("directions: is empty, must have one row or more")
    samples = _samples(values, weights, len(places))
    if samples.ndim == 2 and lmax < 2:
        raise ValueError(f"lmax = {lmax}: must be 2 or more with Q and U")
    show, close = bar() if progress is True else (progress, None)

    def fit(part: Any, spin: int, first: float, last: float) -> Tuple[np.ndarray, PseudoReport]:
        """What is done of all goes from first to last."""
        with named("loc", "directions"):
            plan = Points(lmax, places, spin, epsilon, mmax=kmax)
        told = show and (lambda done: show(first + (last - first) * done))
        return plan.pseudo_analysis(part, tolerance=tolerance, max_iterations=max_iterations,
                                    weights=weights, nthreads=nthreads, progress=told)

    try:
        if samples.ndim == 1:
            return fit(samples, 0, 0, 1)
        parts = fit(samples[0], 0, 0, 0.5), fit(samples[1:], 2, 0.5, 1)
    finally:
        if close:
            close()
    return (np.concatenate([parts[0][0][None], parts[1][0]]),
            PseudoReport(*(np.array(pair) for pair in zip(parts[0][1], parts[1][1]))))


def _samples(values: ArrayLike, weights: Optional[ArrayLike], number: int) -> np.ndarray:
    """Samples (number,) or (3, number), with their mask if they have one; those that count are
    finite."""
    hidden = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else False
    samples = as_map(values.data if isinstance(values, np.ma.MaskedArray) else values, "values")
    if samples.shape not in ((number,), (3, number)):
        raise ValueError(f"values: has shape {samples.shape}, must have ({number},) or "
                         f"(3, {number})")
    counts = ~np.broadcast_to(hidden, samples.shape)
    if weights is not None and np.shape(weights) == (number,):  # Points refuses others
        counts = counts & (reals(weights, "weights") != 0)
    for place in np.argwhere(counts & ~np.isfinite(samples))[:1].tolist():
        raise ValueError(f"values{place} = {samples[tuple(place)]}: must be finite")
    return samples if hidden is False else np.ma.array(samples, mask=hidden)


def read(path: Path, *, hdu: Any = 0) -> BeamFile:
    """Read a beam from a FITS file of coefficients, healpy's with mmax = kmax or another one.

    Parameters
    ----------
    %(path)s
    hdu : int, str or tuple, optional
        The HDU, as `armilla.io.read_alm` takes it. 0, the default, reads all tables of
        coefficients: T, or T, E and B.

    Returns
    -------
    BeamFile
        The coefficients, and their band limits.

    Raises
    ------
    %(FileNotFoundError)s
    FormatError
        If the file holds no coefficients, or is damaged.
    ValueError
        If there is no such HDU, or there are more than three components.

    Examples
    --------
    >>> import armilla
    >>> armilla.beam.write("beam.fits", armilla.beam.elliptical(0.01, 0.02, 200, 4), 200, 4)
    >>> told = armilla.beam.read("beam.fits")
    >>> told.lmax, told.kmax, told.beam.shape
    (200, 4, (995,))
    """
    told = read_alm(path, hdu=hdu)
    if len(told.alm) > 3:
        raise ValueError(f"path: the file has {len(told.alm)} components, must have 1 to 3; hdu= "
                         "chooses one")
    return BeamFile(told.alm[0] if len(told.alm) == 1 else told.alm, told.lmax, told.mmax)


def write(path: Path, beam: ArrayLike, lmax: int, kmax: int, *, dtype: DTypeLike = np.float64,
          overwrite: bool = False, keywords: Iterable[Any] = ()) -> None:
    """Write a beam to a FITS file, which healpy reads as coefficients with mmax = kmax.

    Parameters
    ----------
    %(path)s
    beam : array_like, shape (size,) or (ncomp, size)
        Coefficients of T, or of T, E and B.
    %(lmax)s
    %(kmax)s
    %(dtype)s
    %(overwrite)s
    %(keywords)s

    Raises
    ------
    %(FileExistsError.overwrite)s
    ValueError
        If the number of coefficients does not fit `lmax` and `kmax`, or there are more than three
        components.

    See Also
    --------
    read : The inverse.
    """
    lmax, kmax = whole("lmax", lmax), whole("kmax", kmax)
    given = _checked(beam, lmax, kmax)
    if given.ndim > 2 or given.ndim == 2 and not 1 <= len(given) <= 3:
        raise ValueError(f"beam: has shape {given.shape}, must have ({given.shape[-1]},) or "
                         f"(ncomp, {given.shape[-1]}) with 1 to 3 components")
    write_alm(path, given, lmax=lmax, mmax=kmax, dtype=dtype, overwrite=overwrite,
              keywords=keywords)


def _checked(beam: ArrayLike, lmax: int, kmax: int) -> np.ndarray:
    """Coefficients (..., size) of these band limits."""
    _band(lmax, kmax)
    given = as_alm(beam, "beam")
    wanted = size(lmax, kmax)
    if given.shape[-1:] != (wanted,):
        raise ValueError(f"beam: has shape {given.shape}, must have (..., {wanted})")
    return given


def rotate(beam: ArrayLike, rotation: Union[Rotation, float], lmax: int, kmax: int, *,
           kmax_out: Optional[int] = None) -> np.ndarray:
    """Rotate a beam.

    Parameters
    ----------
    beam : array_like, shape (..., size)
        Coefficients of T, or of T, E and B.
    rotation : Rotation or float
        What is done to the beam, in its own frame. A number is an angle in radians about its axis,
        from the x axis towards the y axis, like `psi` of `elliptical`.
    %(lmax)s
    %(kmax)s
    kmax_out : int, optional
        Largest order of the result. By default it is `kmax` for rotations about the axis, and
        `lmax` for others, which mix all orders: their result is whole then.

    Returns
    -------
    ndarray, shape (..., size(lmax, kmax_out))
        Coefficients of the rotated beam.

    %(Raises.shape_or_number+type)s

    Examples
    --------
    >>> import armilla, numpy as np
    >>> turned = armilla.beam.rotate(armilla.beam.elliptical(0.01, 0.02, 200, 4), 0.3, 200, 4)
    >>> bool(np.allclose(turned, armilla.beam.elliptical(0.01, 0.02, 200, 4, psi=0.3)))
    True
    """
    lmax, kmax = whole("lmax", lmax), whole("kmax", kmax)
    given = _checked(beam, lmax, kmax)
    if not isinstance(rotation, Rotation):
        with named("phi", "rotation"):
            rotation = Rotation(0, 0, angle("rotation", rotation))
    if kmax_out is None:
        kmax_out = kmax if rotation.theta == 0 else lmax
    _band(lmax, whole("kmax_out", kmax_out), "kmax_out")
    return rotation.rotate_alm(given, lmax=lmax, mmax=kmax, mmax_out=kmax_out)


def sum_of_kernels(windows: ArrayLike, offsets: ArrayLike, weights: ArrayLike, lmax: int,
                   kmax: int) -> np.ndarray:
    """Make a beam as a sum of symmetric kernels at offsets from its axis, exactly.

    Parameters
    ----------
    windows : array_like, shape (lmax + 1,) or (number, lmax + 1)
        Windows w_l of the kernels, sum of (2 l + 1) / (4 pi) w_l P_l; those of `Kernel.window`. One
        for all kernels, or one for each.
    offsets : array_like, shape (number, 2)
        Colatitude and longitude of the centre of each kernel in the frame of the beam, radians.
    weights : array_like, shape (number,)
        Factor of each kernel.
    %(lmax)s
    %(kmax)s

    Returns
    -------
    ndarray, shape (size,)
        Coefficients b_lk = sum over kernels of weight w_l conj(Y_lk(offset)).

    %(Raises.shape_or_number)s

    Notes
    -----
    The outlook of the papers on convolution pixel by pixel: beams that are not symmetric, by
    kernels that are. docs/mathematics.md (15.7).
    """
    lmax, kmax = whole("lmax", lmax), whole("kmax", kmax)
    _band(lmax, kmax)
    windows, weights = reals(windows, "windows"), reals(weights, "weights")
    places = reals(angles(offsets, "offsets"), "offsets")
    if weights.ndim != 1:
        raise ValueError(f"weights: has shape {weights.shape}, must have (number,)")
    if places.shape != (len(weights), 2):
        raise ValueError(f"offsets: has shape {places.shape}, must have ({len(weights)}, 2)")
    if windows.shape not in ((lmax + 1,), (len(weights), lmax + 1)):
        raise ValueError(f"windows: has shape {windows.shape}, must have ({lmax + 1},) or "
                         f"({len(weights)}, {lmax + 1})")
    beam = _new(lmax, kmax)
    check(lib.armilla_beam_sum_of_kernels(
        len(weights), pointer(places), pointer(weights), 1 if windows.ndim == 1 else len(windows),
        pointer(windows), lmax, kmax, pointer(beam)))
    return beam


def fit_kernels(beam: ArrayLike, lmax: int, kmax: int, number: int = 10, *,
                tolerance: float = 1e-4, fwhm_min: float = 0.0) -> KernelFit:
    """Fit a sum of a few symmetric Gaussians at offsets to a beam.

    Parameters
    ----------
    beam : array_like, shape (size,)
        Coefficients of T.
    %(lmax)s
    kmax : int
        Largest order, 0 to `lmax`. The beam is taken to be 0 in orders above, although kernels at
        offsets have them: it should be as large as the beam's shape needs. With 0 all kernels are
        on the axis.
    number : int, optional
        Most kernels, 1 or more.
    tolerance : float, optional
        Relative error at which no more kernels are added, 0 to below 1.
    fwhm_min : float, optional
        Least full width at half maximum of the kernels, radians: that of two or three pixels if
        they convolve maps pixel by pixel.

    Returns
    -------
    KernelFit
        The kernels, and the error of their sum.

    Raises
    ------
    ValueError
        If a shape is wrong, a number is out of range, or the beam is 0 or not finite.

    See Also
    --------
    sum_of_kernels : From kernels to coefficients.

    Notes
    -----
    Kernels are added one by one where most of the beam is left, and offsets and widths of all are
    refined together by Gauss-Newton steps; weights follow by linear least squares. It is a search
    without a promise, so look at the error. An ellipse with axes of 3 to 2 and kmax 16 takes 5
    kernels for an error of 1e-3, 7 for 1e-4, 9 for 1e-5. Of a beam whose kmax is too small for its
    shape they cancel one another: `weight` is large then. docs/mathematics.md (15.8).

    Examples
    --------
    >>> import armilla
    >>> beam = armilla.beam.elliptical(0.1, 0.13, 90, 6)
    >>> fit = armilla.beam.fit_kernels(beam, 90, 6, tolerance=1e-3)
    >>> len(fit.weights) < 6, fit.error < 1e-3
    (True, True)
    """
    lmax, kmax, number = whole("lmax", lmax), whole("kmax", kmax), whole("number", number)
    wanted = _checked(beam, lmax, kmax)
    tolerance, narrowest = real("tolerance", tolerance), angle("fwhm_min", fwhm_min)
    if wanted.ndim != 1:
        raise ValueError(f"beam: has shape {wanted.shape}, must have ({size(lmax, kmax)},): "
                         "symmetric kernels see T alone")
    if number < 1:
        raise ValueError(f"number = {number}: must be 1 or more")
    if not 0 <= tolerance < 1:
        raise ValueError(f"tolerance = {tolerance:g}: must be 0 or more and below 1")
    if not 0 <= narrowest <= np.pi:
        raise ValueError(f"fwhm_min = {narrowest:g}: must be from 0 to pi")
    wanted = wanted.astype(np.complex128)
    wanted[:lmax + 1].imag = 0
    if not np.isfinite(wanted).all() or not wanted.any():
        raise ValueError("beam: must be finite, and not 0 everywhere")
    wanted, scale = _scaled(wanted)
    kernels = KernelFit(*fitted(wanted, lmax, kmax, number, tolerance, narrowest), 0.0, 0.0,
                        np.zeros(0))
    made = sum_of_kernels(kernels.windows(lmax), *kernels[1:3], lmax, lmax)
    left, whole_ = (np.sqrt(compute(part, lmax=lmax) * (2 * np.arange(lmax + 1) + 1))
                    for part in (padded(wanted, lmax, lmax) - made, padded(wanted, lmax, lmax)))
    with np.errstate(divide="ignore"):
        errors = np.divide(left, whole_, out=np.zeros(lmax + 1), where=left > 0)
    return kernels._replace(weights=scale * kernels.weights, errors=errors,
                            error=float(np.linalg.norm(left) / np.linalg.norm(whole_)),
                            largest_error=float(left.max() / whole_.max()))


def _scaled(beam: np.ndarray) -> Tuple[np.ndarray, float]:
    """The beam over its norm, and the norm, whose square may overflow."""
    parts = beam.view(np.float64)
    peak = float(np.abs(parts).max())
    norm = float(np.linalg.norm(parts / peak))
    return (parts / peak / norm).view(np.complex128), peak * norm


def half_wave_plate(beam: ArrayLike, alpha: ArrayLike) -> Tuple[np.ndarray, np.ndarray]:
    """Make the beams and modulations of a detector behind a rotating ideal half-wave plate.

    Parameters
    ----------
    beam : array_like, shape (3, size)
        Coefficients T, E and B of the beam with the plate at alpha = 0. It turns a polariser at
        the angle a into one at -a: `elliptical(..., polarisation=-a)`.
    alpha : array_like, shape (npointings,)
        Angle of the plate at each pointing, from the beam's x axis, in radians.

    Returns
    -------
    beams : ndarray, shape (3, 3, size)
        Coefficients of three beams: of T; of E and B at alpha = 0; and of the same turned by 45
        degrees.
    modulation : ndarray, shape (3, npointings)
        1, cos 4 alpha and sin 4 alpha: what `Beams` takes.

    Raises
    ------
    ValueError
        If a shape is wrong, or an angle is not finite.
    %(TypeError)s

    Notes
    -----
    The plate takes Q + i U, in the frame of the beam, to (Q - i U) e^{4 i alpha}: a detector whose
    polariser is at the angle a sees T + Q cos(4 alpha - 2 a) + U sin(4 alpha - 2 a). Plates that
    are not ideal have five beams, with modulations 1, cos 2 alpha, sin 2 alpha, cos 4 alpha, sin 4
    alpha: give these to `Beams`.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> beam = armilla.beam.elliptical(0.1, 0.12, 32, 4, polarisation=0)
    >>> alpha = np.linspace(0, 7, 100)
    >>> beams, modulation = armilla.beam.half_wave_plate(beam, alpha)
    >>> pointings = np.column_stack([np.linspace(0.1, 3, 100), alpha, alpha])
    >>> plan = armilla.Beams(32, 4, pointings, 3, modulation=modulation)
    >>> sky = np.stack([armilla.alm.random(32, np.ones(33), seed=seed) for seed in (1, 2, 3)])
    >>> plan.convolve(sky, beams).shape
    (100,)
    """
    given = as_alm(beam, "beam").astype(np.complex128, copy=False)
    alpha = reals(angles(alpha, "alpha"), "alpha")
    if given.ndim != 2 or len(given) != 3 or not given.size:
        raise ValueError(f"beam: has shape {given.shape}, must have (3, size)")
    if alpha.ndim != 1:
        raise ValueError(f"alpha: has shape {alpha.shape}, must have (npointings,)")
    for place in np.flatnonzero(~np.isfinite(alpha))[:1]:
        raise ValueError(f"alpha[{place}] = {alpha[place]}: must be finite")
    temperature, e_mode, b_mode = given
    nothing = np.zeros_like(temperature)
    beams = [[temperature, nothing, nothing], [nothing, e_mode, b_mode],
             [nothing, -b_mode, e_mode]]
    return np.array(beams), np.stack([np.ones(len(alpha)), np.cos(4 * alpha), np.sin(4 * alpha)])
