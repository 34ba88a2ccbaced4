"""What a rank has of coefficients and maps that are spread over the ranks of a communicator."""
from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from ._distribution import Distribution
from ._errors import whole
from ._mpi_transport import Transport
from .grid import Grid


class Share:
    """A transport between ranks, and a distribution that says which rank has what."""

    __slots__ = ("_transport", "_owns", "_distribution", "_groups", "_pointer")
    _transport: Transport
    _owns: bool
    _distribution: Distribution
    _groups: int
    _pointer: Any  # the plan of the library; None: it is closed

    def _set_share(self, transport: Transport, owns: bool, distribution: Distribution, groups: int
                   ) -> None:
        self._transport, self._owns, self._distribution = transport, owns, distribution
        self._groups = groups

    def _check_open(self) -> None:
        if self._pointer is None:
            raise RuntimeError("the plan is closed")

    def _leading_axes(self, shape: Tuple[int, ...], name: str) -> Tuple[int, ...]:
        """Axes before the last one; with groups the first of them, of fields, must be there."""
        if not shape or (self._groups > 1 and len(shape) < 2):
            wanted = "(fields, ..., n)" if self._groups > 1 else "(..., n)"
            raise ValueError(f"{name}: has shape {shape}, must have {wanted}")
        return shape[:-1]

    def _where(self) -> str:
        """For __repr__: which rank it is."""
        comm = "" if self._pointer is None else f" of {self._transport.struct.nranks}"
        return f"rank {self._distribution.rank}{comm}"


class AlmParts(Share):
    """What a rank has of coefficients."""

    __slots__ = ()

    @property
    def lmax(self) -> int:
        """Largest degree."""
        return self._distribution.lmax

    @property
    def mmax(self) -> int:
        """Largest order of all ranks."""
        return self._distribution.mmax

    @property
    def orders(self) -> np.ndarray:
        """Orders m of this rank, increasing."""
        return self._distribution.orders()

    @property
    def alm_numbers(self) -> np.ndarray:
        """Where this rank's coefficients are among all coefficients, shape (alm_size,).

        All coefficients are in the order of healpy.
        """
        l, m = self._distribution.degrees()
        return m * (2 * self.lmax + 1 - m) // 2 + l

    @property
    def alm_spans(self) -> np.ndarray:
        """This rank's coefficients as armilla.mpi.Redistribution takes them, shape (n, 3).

        The whole array is that of all coefficients in the order of healpy.
        """
        return self._distribution.alm_spans()

    @property
    def alm_size(self) -> int:
        """Number of coefficients of this rank, of one component."""
        return self._distribution.alm_size

    def alm_index(self, l: int, m: int) -> int:
        """Return the place of a_lm in this rank's coefficients.

        %(sections.place_of_l_m)s

        Raises
        ------
        ValueError
            If another rank has it, or none.
        """
        return self._distribution.alm_index(whole("l", l), whole("m", m))


class MapParts(Share):
    """What a rank has of maps on a grid."""

    __slots__ = ("_pixels",)
    _pixels: Optional[np.ndarray]

    def _set_share(self, transport: Transport, owns: bool, distribution: Distribution, groups: int
                   ) -> None:
        super()._set_share(transport, owns, distribution, groups)
        self._pixels = None

    @property
    def grid(self) -> Grid:
        """The grid of the rings of all ranks."""
        return self._distribution.grid

    @property
    def rings(self) -> np.ndarray:
        """Rings of this rank, increasing, as the grid counts them from 0."""
        return self._distribution.rings()

    @property
    def pixels(self) -> np.ndarray:
        """Where this rank's pixels are in a map of all ranks, shape (npix,).

        For HEALPix these are RING numbers.
        """
        if self._pixels is None:
            self._pixels = self._distribution.pixels()
            self._pixels.flags.writeable = False
        return self._pixels

    @property
    def map_spans(self) -> np.ndarray:
        """This rank's pixels as armilla.mpi.Redistribution takes them, shape (n, 3).

        A row (begin, count, place) says that elements place, place + 1, ... of this rank's map are
        the pixels begin to begin + count - 1 of a map of all ranks.
        """
        return self._distribution.map_spans()

    @property
    def npix(self) -> int:
        """Number of pixels of this rank."""
        return self._distribution.npix


class Parts(AlmParts, MapParts):
    """What a rank has of coefficients and of maps, and which fields its group has."""

    __slots__ = ()

    @property
    def groups(self) -> int:
        """Number of groups of ranks, each of which has some of the fields."""
        return self._groups

    def fields(self, nfields: int) -> range:
        """Tell which of so many fields the group of this rank has.

        Parameters
        ----------
        nfields : int
            Number of fields, 0 or more.

        Returns
        -------
        range
            Numbers of the fields.

        Raises
        ------
        ValueError
            If `nfields` is negative.
        """
        if whole("nfields", nfields) < 0:
            raise ValueError(f"nfields = {nfields}: must be at least 0")
        return self._distribution.fields(nfields)
