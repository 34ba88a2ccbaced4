"""Skies seen through beams, by the names of ducc0.totalconvolve.

`Interpolator` stands on `Beams`, and keeps no cube of data: its memory does not grow with kmax.
`ConvolverPlan` works on cubes of the whole sphere, whose planes are fields on Gauss-Legendre
rings. Arguments and results are those of ducc0; wrong values raise `armilla.sht.Error`.

    >>> import armilla, numpy as np
    >>> from armilla import totalconvolve
    >>> sky = armilla.alm.random(32, np.ones(33), seed=1)[None]
    >>> beam = armilla.beam.elliptical(0.1, 0.15, 32, 2)[None]
    >>> detector = totalconvolve.Interpolator(sky, beam, False, 32, 2, epsilon=1e-6, nthreads=1)
    >>> detector.interpol(np.array([[1.0, 2.0, 0.5]])).shape
    (1, 1)
"""
from __future__ import annotations

from typing import Any, Dict, List, Tuple

import numpy as np

from ._arrays import reals
from ._beams import Beams
from ._ducc import Error, integer, translated
from .alm import multiply_window, size
from .grid import Grid
from .points import Points
from .transform import SHT

__all__ = ["ConvolverPlan", "ConvolverPlan_f", "Interpolator", "Interpolator_f"]


def __dir__() -> List[str]:
    return __all__


# --- Constructors of several forms ----------------------------------------------------------------

_SIGMAS: Dict[str, Any] = {"npoints": 1000000000, "sigma_min": 1.1, "sigma_max": 2.6,
                           "epsilon": None}
_FACTOR: Dict[str, Any] = {"epsilon": None, "ofactor": 1.5}
_BAND: Dict[str, Any] = {"lmax": None, "kmax": None}
_SKY: Dict[str, Any] = {"sky": None, "beam": None, "separate": None, **_BAND}
_ADJOINT: Dict[str, Any] = {**_BAND, "ncomp": None}

# Names in their sequence, with what they are by default; None: they must be given.
_INTERPOLATORS = [{**lead, **middle, "nthreads": 0}
                  for middle in (_SIGMAS, _FACTOR) for lead in (_SKY, _ADJOINT)]
_PLANS: List[Dict[str, Any]] = [{**_BAND, **_SIGMAS, "nthreads": 0},
          {**_BAND, "sigma": None, "epsilon": None, "nthreads": 0}]


def _fits(form: Dict[str, Any], args: Any, kwargs: Any) -> bool:
    """Do the arguments have the names of a form, and the types that tell it from others?"""
    given = dict(zip(form, args))
    if len(args) > len(form) or set(given) & set(kwargs) or not set(kwargs) <= set(form):
        return False
    whole = {**form, **given, **kwargs}
    counts = [whole[name] for name in ("lmax", "npoints") if name in whole]
    return (all(isinstance(value, (int, np.integer)) for value in counts)
            and not any(value is None for value in whole.values())
            and not isinstance(whole.get("sky"), (int, np.integer)))


def _bound(name: str, forms: List[Dict[str, Any]], args: Any, kwargs: Any) -> Dict[str, Any]:
    """The arguments of the first form that they fit."""
    for form in forms:
        if _fits(form, args, kwargs):
            return {**form, **dict(zip(form, args)), **kwargs}
    raise TypeError(f"{name}(): incompatible arguments; epsilon= must be given by name where "
                    "npoints, sigma_min and sigma_max are left out")


def _epsilon(given: Dict[str, Any]) -> float:
    """Within what Beams can."""
    return min(max(float(given["epsilon"]), 1e-13), 0.1)


def _rows(name: str, alm: Any, lmax: int, mmax: int) -> np.ndarray:
    """Coefficients of components, complex128 (ncomp, size)."""
    rows = np.atleast_2d(np.asarray(alm)).astype(np.complex128, copy=False)
    if rows.ndim != 2 or rows.shape[1] != size(lmax, mmax):
        raise Error(f"{name}: has shape {np.shape(alm)}, must have (ncomp, {size(lmax, mmax)})")
    if len(rows) not in (1, 2, 3):
        raise Error(f"{name}: has {len(rows)} components, must have 1, 2 or 3")
    return rows


def _band(given: Dict[str, Any]) -> Tuple[int, int]:
    lmax, kmax = integer("lmax", given["lmax"]), integer("kmax", given["kmax"])
    if not 0 <= kmax <= lmax:
        raise Error(f"kmax = {kmax}: must be 0 .. lmax, which is {lmax}")
    return lmax, kmax


# --- Samples at pointings -------------------------------------------------------------------------


class Interpolator:
    """Samples of a sky that is seen through a beam, or the adjoint of that.

    Parameters
    ----------
    *args : object
        As in ducc0: sky (ncomp, nalm), beam (ncomp, nblm), separate, lmax, kmax to interpolate, or
        lmax, kmax, ncomp for the adjoint; then npoints, sigma_min, sigma_max, epsilon, nthreads or
        epsilon, ofactor, nthreads.
    **kwargs : object
        The same by name. npoints, sigma_min, sigma_max and ofactor are not looked at.

    %(Raises.size+form)s

    Examples
    --------
    >>> import armilla, numpy as np
    >>> from armilla import totalconvolve
    >>> sky = armilla.alm.random(32, np.ones(33), seed=1)[None]
    >>> beam = armilla.beam.elliptical(0.1, 0.15, 32, 2)[None]
    >>> detector = totalconvolve.Interpolator(sky, beam, False, 32, 2, epsilon=1e-6)
    >>> samples = detector.interpol(np.array([[1.0, 2.0, 0.5]]))
    >>> back = totalconvolve.Interpolator(32, 2, 1, epsilon=1e-6)
    >>> back.deinterpol(np.array([[1.0, 2.0, 0.5]]), samples)
    >>> back.getSlm(beam).shape == sky.shape
    True
    """

    _real: Any = np.float64
    _complex: Any = np.complex128

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        given = _bound(type(self).__name__, _INTERPOLATORS, args, kwargs)
        self._lmax, self._kmax = _band(given)
        self._epsilon, self._nthreads = _epsilon(given), integer("nthreads", given["nthreads"])
        self._is_adjoint = "ncomp" in given
        self._seen: List[Tuple[np.ndarray, np.ndarray]] = []
        if self._is_adjoint:
            self._ncomp = integer("ncomp", given["ncomp"])
            if self._ncomp not in (1, 2, 3):
                raise Error(f"ncomp = {self._ncomp}: must be 1, 2 or 3")
            return
        self._separate = bool(given["separate"])
        self._sky = _rows("sky", given["sky"], self._lmax, self._lmax)
        self._beam = _rows("beam", given["beam"], self._lmax, self._kmax)
        if len(self._sky) != len(self._beam):
            raise Error(f"sky: has {len(self._sky)} components, and the beam {len(self._beam)}")

    def _plan(self, pointings: np.ndarray, components: int) -> Beams:
        return Beams(self._lmax, self._kmax, pointings, components, self._epsilon,
                     nthreads=self._nthreads)

    def _check(self, adjoint: bool, name: str, ptg: Any) -> np.ndarray:
        if adjoint != self._is_adjoint:
            raise Error(f"{name}: not with an object that was made for "
                        f"{'interpolation' if adjoint else 'the adjoint'}")
        pointings = np.asarray(ptg)
        if pointings.ndim != 2 or pointings.shape[1] != 3:
            raise Error(f"ptg: has shape {pointings.shape}, must have (N, 3)")
        return pointings.astype(np.float64, copy=False)

    def interpol(self, ptg: np.ndarray) -> np.ndarray:
        """Make the samples at pointings.

        Parameters
        ----------
        ptg : ndarray, shape (N, 3)
            theta, phi and psi of the pointings, radians.

        Returns
        -------
        ndarray, shape (n, N)
            Samples: n is the number of components where they are separate, else 1.
        """
        pointings = self._check(False, "interpol", ptg)
        ncomp = len(self._sky)
        rows = ncomp if self._separate else 1
        made = np.zeros((rows, len(pointings)), self._real)
        if not len(pointings):
            return made
        with translated():
            if rows == 1:
                plan = self._plan(pointings, ncomp)
                made[0] = plan.convolve(self._sky.reshape(plan.sky_shape),
                                        self._beam.reshape(plan.beam_shape),
                                        nthreads=self._nthreads)
            else:
                plan = self._plan(pointings, 1)
                for row, sky, beam in zip(made, self._sky, self._beam):
                    row[:] = plan.convolve(sky, beam, nthreads=self._nthreads)
        return made

    def deinterpol(self, ptg: np.ndarray, data: np.ndarray) -> None:
        """Take samples for the adjoint; `getSlm` works on all that were taken.

        Parameters
        ----------
        ptg : ndarray, shape (N, 3)
            theta, phi and psi of the pointings, radians.
        data : ndarray, shape (ncomp, N)
            Samples there.
        """
        pointings = self._check(True, "deinterpol", ptg)
        samples = reals(data, "data").copy()
        if samples.shape != (self._ncomp, len(pointings)):
            raise Error(f"data: has shape {samples.shape}, must have "
                        f"({self._ncomp}, {len(pointings)})")
        self._seen.append((pointings.copy(), samples))

    def getSlm(self, beam: np.ndarray) -> np.ndarray:
        """Apply the adjoint to the samples that were taken, and forget them.

        Parameters
        ----------
        beam : ndarray, shape (nbeam, nblm)
            Coefficients of the beam.

        Returns
        -------
        ndarray, shape (nbeam, nalm)
            Coefficients of a sky for each component of the beam.
        """
        if not self._is_adjoint:
            raise Error("getSlm: not with an object that was made for interpolation")
        beams = _rows("beam", beam, self._lmax, self._kmax)
        if self._ncomp not in (1, len(beams)):
            raise Error(f"beam: has {len(beams)} components, must have {self._ncomp}")
        made = np.zeros((len(beams), size(self._lmax)), self._complex)
        seen, self._seen = [one for one in self._seen if len(one[0])], []
        if not seen:
            return made
        pointings = np.concatenate([one[0] for one in seen])
        samples = np.concatenate([one[1] for one in seen], axis=1)
        with translated():
            if self._ncomp == 1:
                plan = self._plan(pointings, len(beams))
                made[:] = plan.adjoint(samples[0], beams.reshape(plan.beam_shape),
                                       nthreads=self._nthreads).reshape(made.shape)
            else:
                plan = self._plan(pointings, 1)
                for row, one, values in zip(made, beams, samples):
                    row[:] = plan.adjoint(values, one, nthreads=self._nthreads)
        return made


class Interpolator_f(Interpolator):
    """The same with arrays in single precision; all work is done in double precision.

    Parameters
    ----------
    *args : object
        As in `Interpolator`.
    **kwargs : object
        As in `Interpolator`.

    Examples
    --------
    >>> from armilla import totalconvolve
    >>> back = totalconvolve.Interpolator_f(32, 2, 1, epsilon=1e-4)
    """

    _real = np.float32
    _complex = np.complex64

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


# --- Cubes ----------------------------------------------------------------------------------------


class ConvolverPlan:
    """Planes of a sky that is seen through a beam, and samples from a cube of them.

    Parameters
    ----------
    *args : object
        As in ducc0: lmax, kmax, then npoints, sigma_min, sigma_max, epsilon, nthreads or sigma,
        epsilon, nthreads.
    **kwargs : object
        The same by name. npoints, sigma_min, sigma_max and sigma are not looked at.

    %(Raises.size+form)s

    Notes
    -----
    Cubes are those of the whole sphere, [2 kmax + 1, lmax + 1, 2 lmax + 2], on Gauss-Legendre
    rings: plane 0, then two for each order, which psi turns to their part of a sample by its cosine
    and its sine. `prepPsi` leaves them as they are. Their accuracy is 1e-10 or better, whatever
    epsilon is. `Interpolator` needs no cube and is faster.

    Examples
    --------
    >>> import numpy as np
    >>> from armilla import totalconvolve
    >>> plan = totalconvolve.ConvolverPlan(32, 2, epsilon=1e-6)
    >>> cube = np.empty((plan.Npsi(), plan.Ntheta(), plan.Nphi()))
    """

    _real: Any = np.float64

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        given = _bound(type(self).__name__, _PLANS, args, kwargs)
        self._lmax, self._kmax = _band(given)
        # few points and a coarse interpolation leave an adjoint 1e-13 of rounding
        self._epsilon, self._nthreads = (min(_epsilon(given), 1e-10),
                                         integer("nthreads", given["nthreads"]))
        self._grid = Grid.gauss_legendre(self.Ntheta(), self.Nphi())
        self._plans: Dict[int, SHT] = {}

    def Ntheta(self) -> int:
        """Return the number of rings of a cube.

        Returns
        -------
        int
            Length of the second axis.
        """
        return self._lmax + 1

    def Nphi(self) -> int:
        """Return the number of samples of a ring.

        Returns
        -------
        int
            Length of the third axis.
        """
        return 2 * self._lmax + 2

    def Npsi(self) -> int:
        """Return the number of planes of a cube.

        Returns
        -------
        int
            Length of the first axis.
        """
        return 2 * self._kmax + 1

    def getPatchInfo(self, theta_lo: float, theta_hi: float, phi_lo: float, phi_hi: float
                     ) -> List[int]:
        """Return the part of a cube that a patch needs: all of it.

        Parameters
        ----------
        theta_lo : float
            Least colatitude of the patch.
        theta_hi : float
            Largest colatitude.
        phi_lo : float
            Least longitude.
        phi_hi : float
            Largest longitude.

        Returns
        -------
        list of int
            0, Ntheta, 0, Nphi.
        """
        return [0, self.Ntheta(), 0, self.Nphi()]

    # --- Coefficients and planes --------------------------------------------------------------

    def _sht(self, k: int) -> SHT:
        if k not in self._plans:
            self._plans[k] = SHT(self._grid, self._lmax, spin=k)
        return self._plans[k]

    def _order(self, mbeam: Any) -> int:
        k = integer("mbeam", mbeam)
        if not 0 <= k <= self._kmax:
            raise Error(f"mbeam = {k}: must be 0 .. kmax, which is {self._kmax}")
        return k

    def _factors(self, beam: np.ndarray, k: int) -> np.ndarray:
        """Windows that a component of the sky is multiplied by: one for k = 0, else two: E, B."""
        start = k * (2 * self._lmax + 1 - k) // 2
        row = np.zeros(self._lmax + 1, np.complex128)
        row[k:] = beam[start + k:start + self._lmax + 1]
        row *= np.sqrt(4 * np.pi / (2 * np.arange(self._lmax + 1) + 1))
        return -2 * np.stack([row.real, row.imag]) if k else row.real[None]

    def _planes(self, planes: Any, k: int) -> np.ndarray:
        shape = (2 if k else 1, self.Ntheta(), self.Nphi())
        if not isinstance(planes, np.ndarray) or planes.shape != shape:
            raise Error(f"planes: has shape {np.shape(planes)}, must have {shape}")
        return planes

    def _both(self, slm: Any, blm: Any) -> Tuple[np.ndarray, np.ndarray]:
        sky, beam = (_rows("slm", slm, self._lmax, self._lmax),
                     _rows("blm", blm, self._lmax, self._kmax))
        if len(sky) != len(beam):
            raise Error(f"slm: has {len(sky)} components, and blm {len(beam)}")
        return sky, beam

    def getPlane(self, slm: np.ndarray, blm: np.ndarray, mbeam: int, planes: np.ndarray) -> None:
        """Make the planes of one order of the beam.

        Parameters
        ----------
        slm : ndarray, shape (nalm,) or (ncomp, nalm)
            Coefficients of the sky.
        blm : ndarray, shape (nblm,) or (ncomp, nblm)
            Coefficients of the beam.
        mbeam : int
            Order, 0 to kmax.
        planes : ndarray, shape (1 or 2, Ntheta, Nphi)
            Is filled: one plane for mbeam = 0, else two.
        """
        k = self._order(mbeam)
        planes = self._planes(planes, k)
        sky, beam = self._both(slm, blm)
        alm = np.sum([[multiply_window(a, window) for window in self._factors(b, k)]
                      for a, b in zip(sky, beam)], axis=0)
        with translated():
            made = self._sht(k).synthesis(alm if k else alm[0], nthreads=self._nthreads)
        planes[...] = made.reshape(planes.shape)

    def updateSlm(self, slm: np.ndarray, blm: np.ndarray, mbeam: int, planes: np.ndarray) -> None:
        """Add the adjoint of `getPlane` to the coefficients of a sky.

        Parameters
        ----------
        slm : ndarray, shape (nalm,) or (ncomp, nalm)
            Coefficients of the sky, to which the result is added.
        blm : ndarray, shape (nblm,) or (ncomp, nblm)
            Coefficients of the beam.
        mbeam : int
            Order, 0 to kmax.
        planes : ndarray, shape (1 or 2, Ntheta, Nphi)
            The planes of this order.
        """
        k = self._order(mbeam)
        planes = self._planes(planes, k)
        sky, beam = self._both(slm, blm)
        tail = (2, -1) if k else (-1,)
        with translated():
            alm = self._sht(k).adjoint_synthesis(
                reals(planes, "planes").reshape(tail), nthreads=self._nthreads)
        alm = np.atleast_2d(alm)
        change = np.stack([sum(map(multiply_window, alm, self._factors(b, k))) for b in beam])
        slm += change.reshape(np.shape(slm)).astype(slm.dtype)

    def prepPsi(self, subcube: np.ndarray) -> None:
        """Prepare a cube for `interpol`: nothing is to be done.

        Parameters
        ----------
        subcube : ndarray, shape (Npsi, Ntheta, Nphi)
            A cube with the planes of all orders.
        """
        self._cube("subcube", subcube)

    def deprepPsi(self, subcube: np.ndarray) -> None:
        """Apply the adjoint of `prepPsi`: nothing is to be done.

        Parameters
        ----------
        subcube : ndarray, shape (Npsi, Ntheta, Nphi)
            A cube of `deinterpol`.
        """
        self._cube("subcube", subcube)

    # --- Cubes and samples --------------------------------------------------------------------

    def _cube(self, name: str, cube: Any) -> np.ndarray:
        shape = (self.Npsi(), self.Ntheta(), self.Nphi())
        if not isinstance(cube, np.ndarray) or cube.shape != shape:
            raise Error(f"{name}: has shape {np.shape(cube)}, must have {shape}: cubes are those "
                        "of the whole sphere")
        return cube

    def _places(self, itheta0: Any, iphi0: Any, theta: Any, phi: Any, psi: Any, signal: Any
                ) -> Tuple[np.ndarray, np.ndarray]:
        """Points (N, 2), and psi."""
        for name, first in (("itheta0", itheta0), ("iphi0", iphi0)):
            if integer(name, first):
                raise Error(f"{name} = {first}: must be 0: cubes are those of the whole sphere")
        angles = [reals(one, name) for name, one in (("theta", theta), ("phi", phi), ("psi", psi))]
        if any(one.shape != np.shape(signal) or one.ndim != 1 for one in angles):
            raise Error("theta, phi, psi and signal: must have one shape, (N,)")
        return np.column_stack(angles[:2]), angles[2]

    def _planes_of(self, cube: np.ndarray, k: int) -> np.ndarray:
        return cube[2 * k - 1:2 * k + 1] if k else cube[:1]

    def interpol(self, cube: np.ndarray, itheta0: int, iphi0: int, theta: np.ndarray,
                 phi: np.ndarray, psi: np.ndarray, signal: np.ndarray) -> None:
        """Make samples from a cube.

        Parameters
        ----------
        cube : ndarray, shape (Npsi, Ntheta, Nphi)
            Planes of all orders.
        %(arguments.pointings)s
        signal : ndarray, shape (N,)
            Is filled with the samples.
        """
        cube = self._cube("cube", cube)
        loc, turn = self._places(itheta0, iphi0, theta, phi, psi, signal)
        made = np.zeros(len(loc))
        for k in range(self._kmax + 1):
            planes = reals(self._planes_of(cube, k), "cube")
            with translated():
                alm = self._sht(k).analysis(planes.reshape((2, -1) if k else (-1,)),
                                            nthreads=self._nthreads)
                values = self._points(loc, k).synthesis(alm, nthreads=self._nthreads)
            made += values[0] * np.cos(k * turn) + values[1] * np.sin(k * turn) if k else values
        signal[:] = made

    def deinterpol(self, cube: np.ndarray, itheta0: int, iphi0: int, theta: np.ndarray,
                   phi: np.ndarray, psi: np.ndarray, signal: np.ndarray) -> None:
        """Add the adjoint of `interpol` to a cube.

        Parameters
        ----------
        cube : ndarray, shape (Npsi, Ntheta, Nphi)
            Planes of all orders, to which the result is added.
        %(arguments.pointings)s
        signal : ndarray, shape (N,)
            Samples.
        """
        cube = self._cube("cube", cube)
        loc, turn = self._places(itheta0, iphi0, theta, phi, psi, signal)
        samples = reals(signal, "signal")
        for k in range(self._kmax + 1):
            values = np.stack([samples * np.cos(k * turn), samples * np.sin(k * turn)])
            with translated():
                alm = self._points(loc, k).adjoint_synthesis(values if k else samples,
                                                             nthreads=self._nthreads)
                made = self._sht(k).adjoint_analysis(alm, nthreads=self._nthreads)
            planes = self._planes_of(cube, k)
            planes += made.reshape(planes.shape).astype(cube.dtype)

    def _points(self, loc: np.ndarray, k: int) -> Points:
        return Points(self._lmax, loc, k, self._epsilon, nthreads=self._nthreads)


class ConvolverPlan_f(ConvolverPlan):
    """The same with arrays in single precision; all work is done in double precision.

    Parameters
    ----------
    *args : object
        As in `ConvolverPlan`.
    **kwargs : object
        As in `ConvolverPlan`.

    Examples
    --------
    >>> from armilla import totalconvolve
    >>> plan = totalconvolve.ConvolverPlan_f(32, 2, epsilon=1e-4)
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
