"""What plans over ranks do with coefficients besides transforming them: spectra, rotations, random
fields, windows; and whole maps and coefficients on one rank."""
from __future__ import annotations

import math
from typing import Any, Dict, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Output, apart, as_alm, degrees, leading_shape, pointer, reals
from ._errors import check, threads, whole
from ._mpi_arguments import agreed, of_host
from ._mpi_parts import AlmParts, MapParts
from ._mpi_signals import INTERRUPTS, heeding
from ._mpi_whole import Whole, gathered, scattered
from ._native import lib
from ._progress import Progress, check_progress, ended, execute
from .alm import size
from .rotation import Rotation

_WIDE = np.dtype(np.complex128)


class Coefficients(AlmParts):
    """The methods of plans that make no transform and need no map."""

    __slots__ = ()

    # --- What needs all orders of a degree --------------------------------------------------------

    def spectrum(self, alm: ArrayLike, other: Optional[ArrayLike] = None) -> np.ndarray:
        """Compute the spectrum of one field, or the cross spectrum of two, on all ranks.

        This is collective, and needs a plan with one group of ranks.

        Parameters
        ----------
        alm : array_like, shape (alm_size,)
            This rank's coefficients.
        other : array_like, shape (alm_size,), optional
            Those of the other field; all ranks give some, or none does.

        Returns
        -------
        ndarray, shape (lmax + 1,)
            The spectrum, with the bits of `armilla.spectrum.compute` on one rank.

        %(Raises.ranks)s
        """
        self._check_open()

        def read() -> Tuple[Dict[str, Any], Tuple[np.ndarray, np.ndarray]]:
            first = self._one_field(alm, "alm")
            second = first if other is None else apart(self._one_field(other, "other"), first)
            return {"other": "none" if other is None else "coefficients"}, (first, second)

        with INTERRUPTS:
            first, second = agreed(self._transport.comm, read)
            cl = np.empty(self.lmax + 1)
            ended(lib.armilla_distributed_spectrum(
                self._transport.struct, self._distribution.pointer, pointer(first),
                pointer(second), pointer(cl)))
        return cl

    def _one_field(self, values: ArrayLike, name: str) -> np.ndarray:
        given = as_alm(of_host(values, name), name)
        if given.shape != (self.alm_size,):
            raise ValueError(f"{name}: has shape {given.shape}, must have ({self.alm_size},)")
        return np.ascontiguousarray(given, _WIDE)

    def rotate_alm(self, rotation: Rotation, alm: ArrayLike, *, out: Optional[np.ndarray] = None,
                   nthreads: int = 0, progress: Progress = None) -> np.ndarray:
        """Rotate fields given by their coefficients; E and B rotate as scalars do.

        This is collective, and needs a plan with one group of ranks.

        Parameters
        ----------
        rotation : Rotation
            The rotation, the same on all ranks.
        alm : array_like, shape (..., alm_size)
            This rank's coefficients; leading axes are the same on all ranks.
        %(arguments.out_of_rank)s

        Returns
        -------
        ndarray, shape (..., alm_size)
            This rank's coefficients of the rotated fields, of the type of `alm`: bit for bit those
            of `armilla.Rotation.rotate_alm` with mmax_out = mmax, the whole result if mmax = lmax.

        %(Raises.ranks)s
        """
        self._check_open()

        def read() -> Tuple[Dict[str, Any], Tuple[np.ndarray, Output, int]]:
            if not isinstance(rotation, Rotation):
                raise TypeError(f"rotation: must be an armilla.Rotation, not "
                                f"{type(rotation).__name__}")
            check_progress(progress)
            given = as_alm(of_host(alm, "alm"))
            lead = leading_shape(given, (self.alm_size,), "alm")
            target = Output(out, given.shape, given.dtype, True)
            turned = np.array(given, _WIDE, order="C")
            return ({"rotation": repr(rotation), "leading axes of alm": lead},
                    (turned, target, threads(nthreads)))

        with INTERRUPTS:
            turned, target, nthreads = agreed(self._transport.comm, read)
            ntrans = math.prod(turned.shape[:-1])
            if ntrans:
                arguments = (self._transport.struct, self._distribution.pointer,
                             rotation._rotation, pointer(turned))
                execute(lib.armilla_distributed_rotate, arguments, ntrans, nthreads,
                        heeding(progress))
        target.result[...] = turned
        return target.result

    # --- What a rank does for itself --------------------------------------------------------------

    def random(self, cl: ArrayLike, seed: int, *, field: int = 0) -> np.ndarray:
        """Draw this rank's part of Gaussian random coefficients; not collective.

        Parameters
        ----------
        cl : array_like, shape (n,)
            Power spectrum.
        seed : int
            Seed, 0 to 2^64 - 1.
        field : int, optional
            Number of the field.

        Returns
        -------
        ndarray, shape (alm_size,)
            This rank's part of ``armilla.alm.random(lmax, cl, seed, field=field, mmax=mmax)``,
            complex128: the same field on any ranks.

        %(Raises.number)s
        """
        alm = np.empty(self.alm_size, _WIDE)
        cl = degrees(cl, "cl")
        check(lib.armilla_distribution_random(
            self._distribution.pointer, self._distribution.rank, cl.size, pointer(cl),
            whole("seed", seed, 64), whole("field", field, 64), pointer(alm)))
        return alm

    def random_correlated(self, cl: ArrayLike, seed: int) -> np.ndarray:
        """Draw this rank's part of random coefficients of correlated fields; not collective.

        Parameters
        ----------
        cl : array_like, shape (n, n, ncl)
            Spectra: see `armilla.alm.random_correlated`.
        seed : int
            Seed, 0 to 2^64 - 1.

        Returns
        -------
        ndarray, shape (n, alm_size)
            This rank's part of ``armilla.alm.random_correlated(lmax, cl, seed, mmax=mmax)``,
            complex128.

        Raises
        ------
        ValueError
            If a shape is wrong, or no fields have such a matrix.
        """
        cl = reals(cl, "cl")
        if cl.ndim != 3 or cl.shape[0] != cl.shape[1]:
            raise ValueError(f"cl: has shape {cl.shape}, must have (n, n, ncl)")
        alm = np.empty((cl.shape[0], self.alm_size), _WIDE)
        check(lib.armilla_distribution_random_correlated(
            self._distribution.pointer, self._distribution.rank, cl.shape[0], cl.shape[2],
            pointer(cl), whole("seed", seed, 64), pointer(alm)))
        return alm

    def multiply_window(self, alm: ArrayLike, window: ArrayLike) -> np.ndarray:
        """Multiply coefficients by a window, in a new array; not collective.

        Parameters
        ----------
        alm : array_like, shape (..., alm_size)
            This rank's coefficients.
        window : array_like, shape (nwindow,)
            Real factors of the degrees. Degrees beyond the window become 0.

        Returns
        -------
        ndarray, shape (..., alm_size)
            The product, complex64 or complex128 as `alm` is.

        %(Raises.shape)s
        """
        given = as_alm(of_host(alm, "alm"))
        leading_shape(given, (self.alm_size,), "alm")
        made = np.array(given, _WIDE, order="C")
        window = degrees(window, "window")
        for row in made.reshape(math.prod(made.shape[:-1]), self.alm_size):
            check(lib.armilla_distribution_multiply_window(
                self._distribution.pointer, self._distribution.rank, window.size, pointer(window),
                pointer(row)))
        return made.astype(given.dtype, copy=False)

    # --- Whole arrays on one rank -----------------------------------------------------------------

    def gather_alm(self, part: ArrayLike, *, root: int = 0, out: Optional[np.ndarray] = None
                   ) -> Optional[np.ndarray]:
        """Gather all coefficients on one rank, from the parts of all ranks, collectively.

        Parameters
        ----------
        part : array_like, shape (..., alm_size)
            This rank's coefficients: see `gather_map`.
        %(root)s
        out : ndarray, optional
            Array for the result on `root`.

        Returns
        -------
        ndarray, shape (..., size(lmax, mmax)), or None
            All coefficients in the order of healpy on `root`; None on other ranks.

        %(Raises.ranks)s
        """
        return gathered(self, self._alm(), part, root, out)

    def scatter_alm(self, whole: Optional[ArrayLike] = None, *, root: int = 0,
                    out: Optional[np.ndarray] = None) -> np.ndarray:
        """Give each rank its part of all coefficients that one rank has, collectively.

        Parameters
        ----------
        whole : array_like, shape (..., size(lmax, mmax)), optional
            All coefficients in the order of healpy on `root`; it is not looked at on other ranks.
        %(root)s
        %(out.rank)s

        Returns
        -------
        ndarray, shape (..., alm_size)
            This rank's coefficients: see `scatter_map`.

        %(Raises.ranks)s
        """
        return scattered(self, self._alm(), whole, root, out)

    def _alm(self) -> Whole:
        return Whole(lib.armilla_distributed_alm_gather, lib.armilla_distributed_alm_scatter,
                     self.alm_size, size(self.lmax, self.mmax), True)


class Maps(MapParts):
    """Whole maps on one rank."""

    __slots__ = ()

    def gather_map(self, part: ArrayLike, *, root: int = 0, out: Optional[np.ndarray] = None
                   ) -> Optional[np.ndarray]:
        """Gather a whole map on one rank, from the parts of all ranks, collectively.

        Parameters
        ----------
        part : array_like, shape (..., npix)
            This rank's pixels, of any type that all ranks share; leading axes are the same on all
            ranks. With several groups the first axis counts the fields; each rank has the fields
            of its group.
        %(root)s
        out : ndarray, optional
            Array for the result on `root`.

        Returns
        -------
        ndarray, shape (..., grid.npix), or None
            The whole map on `root`, with all fields; None on other ranks.

        %(Raises.ranks)s
        """
        return gathered(self, self._maps(), part, root, out)

    def scatter_map(self, whole: Optional[ArrayLike] = None, *, root: int = 0,
                    out: Optional[np.ndarray] = None) -> np.ndarray:
        """Give each rank its part of a whole map that one rank has, collectively.

        Parameters
        ----------
        whole : array_like, shape (..., grid.npix), optional
            The whole map on `root`; it is not looked at on other ranks.
        %(root)s
        %(out.rank)s

        Returns
        -------
        ndarray, shape (..., npix)
            This rank's pixels, of the type of the whole map. With several groups the first axis
            counts the fields; a rank gets the fields of its group.

        %(Raises.ranks)s
        """
        return scattered(self, self._maps(), whole, root, out)

    def _maps(self) -> Whole:
        return Whole(lib.armilla_distributed_map_gather, lib.armilla_distributed_map_scatter,
                     self.npix, self.grid.npix, self.grid._dense)
