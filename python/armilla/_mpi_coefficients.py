"""What plans over ranks do with coefficients besides transforming them: spectra, rotations, random
fields, windows; and whole maps and coefficients on one rank."""
from __future__ import annotations

import math
from typing import Any, Dict, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Output, apart, as_alm, leading_shape, pointer
from ._errors import check, whole
from ._mpi_arguments import agreed, of_host
from ._mpi_parts import Parts
from ._mpi_signals import INTERRUPTS, heeding
from ._mpi_whole import Whole, gathered, scattered
from ._native import lib
from ._progress import Progress, ended, execute
from .alm import size
from .rotation import Rotation

_WIDE = np.dtype(np.complex128)


class Coefficients(Parts):
    """The methods of SHT and IQU that make no transform."""

    __slots__ = ()

    # --- What needs all orders of a degree --------------------------------------------------------

    def spectrum(self, alm: ArrayLike, other: Optional[ArrayLike] = None) -> np.ndarray:
        """Collective: the spectrum of one field, or the cross spectrum of two, on all ranks.

        alm, other: this rank's coefficients, with the shape (alm_size,). The result has the shape
        (lmax + 1,) and the bits of armilla.spectrum.compute on one rank. All ranks give `other` or
        none does. The plan must have one group of ranks.

            cl = sht.spectrum(sht.analysis(part))
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
        """Collective: the coefficients of rotated fields; E and B rotate as scalars do.

        alm: this rank's coefficients, with the shape (..., alm_size), complex64 or complex128. The
        result has the same shape and type. It is that of rotation.rotate_alm on one rank with
        mmax_out = mmax, bit by bit: the whole result if mmax = lmax. The rotation and the leading
        axes are the same on all ranks. The plan must have one group of ranks.

            galactic = sht.rotate_alm(armilla.Rotation.from_coordinates("E", "G"), alm)
        """
        self._check_open()

        def read() -> Tuple[Dict[str, Any], Tuple[np.ndarray, Output, int]]:
            if not isinstance(rotation, Rotation):
                raise TypeError(f"rotation: must be an armilla.Rotation, not "
                                f"{type(rotation).__name__}")
            given = as_alm(of_host(alm, "alm"))
            lead = leading_shape(given, (self.alm_size,), "alm")
            target = Output(out, given.shape, given.dtype, True)
            turned = np.array(given, _WIDE, order="C")
            return ({"rotation": repr(rotation), "leading axes of alm": lead},
                    (turned, target, whole("nthreads", nthreads)))

        with INTERRUPTS:
            turned, target, threads = agreed(self._transport.comm, read)
            ntrans = math.prod(turned.shape[:-1])
            if ntrans:
                arguments = (self._transport.struct, self._distribution.pointer,
                             rotation._rotation, pointer(turned))
                execute(lib.armilla_distributed_rotate, arguments, ntrans, threads,
                        heeding(progress))
        target.result[...] = turned
        return target.result

    # --- What a rank does for itself --------------------------------------------------------------

    def random(self, cl: ArrayLike, seed: int, *, field: int = 0) -> np.ndarray:
        """This rank's part, (alm_size,) of complex128, of armilla.alm.random(lmax, cl, seed,
        field=field, mmax=mmax): the same field on any ranks. Not collective.

            map = sht.synthesis(sht.random(cl, seed=1))
        """
        alm = np.empty(self.alm_size, _WIDE)
        cl = np.ascontiguousarray(cl, dtype=np.float64)
        check(lib.armilla_distribution_random(
            self._distribution.pointer, self._distribution.rank, cl.size, pointer(cl),
            whole("seed", seed, 64), whole("field", field, 64), pointer(alm)))
        return alm

    def random_correlated(self, cl: ArrayLike, seed: int) -> np.ndarray:
        """This rank's part, (n, alm_size) of complex128, of armilla.alm.random_correlated(lmax, cl,
        seed, mmax=mmax), where cl has the shape (n, n, ncl). Not collective.

            i, q, u = iqu.synthesis(iqu.random_correlated(cl, seed=1))    # cl: (3, 3, ncl)
        """
        cl = np.asarray(cl, dtype=np.float64, order="C")
        if cl.ndim != 3 or cl.shape[0] != cl.shape[1]:
            raise ValueError(f"cl: has shape {cl.shape}, must have (n, n, ncl)")
        alm = np.empty((cl.shape[0], self.alm_size), _WIDE)
        check(lib.armilla_distribution_random_correlated(
            self._distribution.pointer, self._distribution.rank, cl.shape[0], cl.shape[2],
            pointer(cl), whole("seed", seed, 64), pointer(alm)))
        return alm

    def multiply_window(self, alm: ArrayLike, window: ArrayLike) -> np.ndarray:
        """A new array of a_lm * window[l]; degrees beyond the window become 0. Not collective.

        alm: this rank's coefficients, with the shape (..., alm_size); window: (nwindow,), real. The
        result has the shape of alm, and is complex64 or complex128 as alm is.

            smooth = sht.multiply_window(alm, armilla.spectrum.gaussian_beam(0.01, sht.lmax))
        """
        given = as_alm(of_host(alm, "alm"))
        leading_shape(given, (self.alm_size,), "alm")
        made = np.array(given, _WIDE, order="C")
        window = np.ascontiguousarray(window, dtype=np.float64)
        for row in made.reshape(math.prod(made.shape[:-1]), self.alm_size):
            check(lib.armilla_distribution_multiply_window(
                self._distribution.pointer, self._distribution.rank, window.size, pointer(window),
                pointer(row)))
        return made.astype(given.dtype, copy=False)

    # --- Whole arrays on one rank -----------------------------------------------------------------

    def gather_map(self, part: ArrayLike, *, root: int = 0, out: Optional[np.ndarray] = None
                   ) -> Optional[np.ndarray]:
        """Collective: a whole map on the rank `root`, from the parts of all ranks.

        part: this rank's pixels, with the shape (..., npix), of any type that all ranks share. The
        result has the shape (..., grid.npix) on root, and is None on other ranks. out is an array
        for it on root. Leading axes are the same on all ranks; with groups > 1 the first of them is
        that of the fields, of which each rank has those of its group and the result has all.

            whole = sht.gather_map(sht.synthesis(alm))
        """
        return gathered(self, self._maps(), part, root, out)

    def scatter_map(self, whole: Optional[ArrayLike] = None, *, root: int = 0,
                    out: Optional[np.ndarray] = None) -> np.ndarray:
        """Collective: each rank's part of a whole map that the rank `root` has.

        whole: on root, with the shape (..., grid.npix); other ranks give anything, such as None.
        The result has the shape (..., npix) and the type of the whole map; with groups > 1 the
        first axis is that of the fields, of which a rank gets those of its group. out is an array
        for the result.

            part = sht.scatter_map(armilla.io.read_map("sky.fits") if comm.rank == 0 else None)
        """
        return scattered(self, self._maps(), whole, root, out)

    def gather_alm(self, part: ArrayLike, *, root: int = 0, out: Optional[np.ndarray] = None
                   ) -> Optional[np.ndarray]:
        """Collective: all coefficients in healpy's order on the rank `root`, with the shape
        (..., alm.size(lmax, mmax)), and None on other ranks. part: this rank's, with the shape
        (..., alm_size). All else is as in gather_map.

            whole = sht.gather_alm(sht.analysis(part))
        """
        return gathered(self, self._alm(), part, root, out)

    def scatter_alm(self, whole: Optional[ArrayLike] = None, *, root: int = 0,
                    out: Optional[np.ndarray] = None) -> np.ndarray:
        """Collective: each rank's part, (..., alm_size), of coefficients in healpy's order,
        (..., alm.size(lmax, mmax)), that the rank `root` has. All else is as in scatter_map.

            alm = sht.scatter_alm(whole)        # on ranks other than 0 whole is not looked at
        """
        return scattered(self, self._alm(), whole, root, out)

    def _maps(self) -> Whole:
        return Whole(lib.armilla_distributed_map_gather, lib.armilla_distributed_map_scatter,
                     self.npix, self.grid.npix, self.grid._dense)

    def _alm(self) -> Whole:
        return Whole(lib.armilla_distributed_alm_gather, lib.armilla_distributed_alm_scatter,
                     self.alm_size, size(self.lmax, self.mmax), True)
