"""Which rank has what of distributed transforms: the library's armilla_distribution, and owners
from the lists that ranks give."""
from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._errors import check
from ._grid_places import places
from ._native import ffi, lib
from .grid import Grid
from .transform import Functions, functions

_INTEGERS, _SPANS = ffi.typeof("int64_t[]"), ffi.typeof("armilla_span[]")

SHT_OPERATORS = functions("distributed_sht")
IQU_OPERATORS = functions("distributed_iqu")


def _functions(noun: str, *names: str) -> Functions:
    """Those of the library's armilla_distributed_<noun>, by name and type of the map."""
    return {(name, real): getattr(lib, f"armilla_distributed_{noun}_{name}{suffix}")
            for name in names
            for real, suffix in ((np.dtype(np.float64), ""), (np.dtype(np.float32), "_float"))}


POINTS_OPERATORS = _functions("points", "synthesis", "adjoint_synthesis", "pseudo_analysis")
BEAMS_OPERATORS = _functions("beams", "convolve", "adjoint", "beam_adjoint")
RADIAL_OPERATORS = _functions("radial", "convolve", "adjoint", "convolve_weighted")


class Description(NamedTuple):
    """What a rank holds and sends.

    Attributes
    ----------
    %(alm_size)s
    npix : int
        Number of pixels of one component.
    ncomp : int
        Number of components of a map.
    %(alm_ncomp)s
    plan_bytes : int
        Memory of its plan.
    workspace_bytes : int
        Memory of a call for one field of doubles.
    messages : int
        Number of messages of a synthesis of one field.
    bytes : int
        Their size.
    chunks : int
        Number of chunks that they are sent in.
    """

    alm_size: int
    npix: int
    ncomp: int
    alm_ncomp: int
    plan_bytes: int
    workspace_bytes: int
    messages: int
    bytes: int
    chunks: int


# --- Lists ----------------------------------------------------------------------------------------


def numbers(name: str, given: Optional[ArrayLike]) -> Optional[np.ndarray]:
    """A rank's list of orders or rings as int64."""
    if given is None:
        return None
    array = np.asarray(given)
    if array.ndim != 1:
        raise ValueError(f"{name}: has shape {array.shape}, must be a list of numbers")
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{name}: must hold integers, not {array.dtype}")
    return array.astype(np.int64)


def _owners_in_group(name: str, lists: List[np.ndarray], first: int, count: int) -> np.ndarray:
    """Which member has each number; first: the rank of the group's first member."""
    ranks = np.repeat(np.arange(len(lists)), [len(one) for one in lists])
    given = np.concatenate(lists)
    wrong = np.flatnonzero((given < 0) | (given >= count))
    if wrong.size:
        raise ValueError(f"{name}: rank {first + ranks[wrong[0]]} gives {given[wrong[0]]}: must be "
                         f"0 .. {count - 1}")
    order = np.argsort(given, kind="stable")
    given, ranks = given[order], ranks[order]
    twice = np.flatnonzero(given[1:] == given[:-1])
    if twice.size:
        number, (one, other) = given[twice[0]], first + ranks[twice[0]:twice[0] + 2]
        raise ValueError(f"{name}: " + (f"rank {one} gives {number} twice" if one == other else
                                        f"ranks {one} and {other} both give {number}"))
    if len(given) < count:
        lost = np.flatnonzero(np.bincount(given, minlength=count) == 0)
        raise ValueError(f"{name}: none of the ranks {first} .. {first + len(lists) - 1} gives "
                         f"{lost[0]}")
    return ranks


def owners(name: str, lists: List[Optional[np.ndarray]], count: int, groups: int
           ) -> Optional[np.ndarray]:
    """Which member has each of `count` numbers, from the lists of all ranks; None: no rank gives
    one. Ranks of all groups must give the same."""
    given = [one for one in lists if one is not None]
    if not given:
        return None
    if len(given) < len(lists):
        rank = [one is None for one in lists].index(True)
        raise ValueError(f"{name}: rank {rank} gives none, others do; one without any gives []")
    nmembers = len(lists) // groups
    found = [_owners_in_group(name, given[first:first + nmembers], first, count)
             for first in range(0, groups * nmembers, nmembers)]
    for group, other in enumerate(found):
        differing = np.flatnonzero(other != found[0])
        if differing.size:
            number = differing[0]
            raise ValueError(f"{name}: {number} is in the first group with rank "
                             f"{found[0][number]}, its member {found[0][number]}, in group {group} "
                             f"with rank {group * nmembers + other[number]}, its member "
                             f"{other[number]}: must be the same member")
    return found[0]


# --- Distributions --------------------------------------------------------------------------------


class Distribution:
    """An armilla_distribution, and what one rank has of it."""

    __slots__ = ("pointer", "grid", "lmax", "mmax", "rank")

    def __init__(self, grid: Grid, lmax: int, mmax: int, nranks: int, rank: int, groups: int,
                 order_member: Optional[np.ndarray], ring_member: Optional[np.ndarray]
                 ) -> None:
        options = ffi.new("armilla_distribution_options *")
        lib.armilla_distribution_options_init(options)
        options.groups = groups
        kept = []  # until the library has copied them
        for name, member in (("order_member", order_member), ("ring_member", ring_member)):
            if member is not None:
                kept.append(ffi.from_buffer(_INTEGERS, np.ascontiguousarray(member, np.int64)))
                setattr(options, name, kept[-1])
        made = ffi.new("armilla_distribution **")
        check(lib.armilla_distribution_new(grid._grid, lmax, mmax, nranks, options, made))
        self.pointer = ffi.gc(made[0], lib.armilla_distribution_free)
        self.grid, self.lmax, self.mmax, self.rank = grid, lmax, mmax, rank

    def _list(self, function: Any, rank: int) -> np.ndarray:
        made = np.empty(function(self.pointer, rank, ffi.NULL), np.int64)
        function(self.pointer, rank, ffi.from_buffer(_INTEGERS, made))
        return made

    def orders(self, rank: Optional[int] = None) -> np.ndarray:
        """Orders of a rank, rising; None: the own ones."""
        return self._list(lib.armilla_distribution_orders, self.rank if rank is None else rank)

    def rings(self, rank: Optional[int] = None) -> np.ndarray:
        """Rings of a rank, rising; None: the own ones."""
        return self._list(lib.armilla_distribution_rings, self.rank if rank is None else rank)

    def _spans(self, function: Any) -> np.ndarray:
        made = np.empty((function(self.pointer, self.rank, ffi.NULL), 3), np.int64)
        function(self.pointer, self.rank, ffi.from_buffer(_SPANS, made))
        return made

    def map_spans(self) -> np.ndarray:
        """(n, 3): where the rank's pixels are in a map of all ranks."""
        return self._spans(lib.armilla_distribution_map_spans)

    def alm_spans(self) -> np.ndarray:
        """(n, 3): where the rank's coefficients are among those of all ranks."""
        return self._spans(lib.armilla_distribution_alm_spans)

    @property
    def alm_size(self) -> int:
        """Coefficients that the rank has."""
        return int(lib.armilla_distribution_alm_size(self.pointer, self.rank))

    @property
    def npix(self) -> int:
        """Pixels that the rank has."""
        return int(lib.armilla_distribution_npix(self.pointer, self.rank))

    def alm_index(self, l: int, m: int) -> int:
        """Where a_lm is in the rank's coefficients."""
        if not 0 <= m <= l <= self.lmax or m > self.mmax:
            raise ValueError(f"l = {l}, m = {m}: must be 0 <= m <= l <= {self.lmax}, m <= "
                             f"{self.mmax}")
        place = lib.armilla_distribution_alm_index(self.pointer, self.rank, l, m)
        if place < 0:
            raise ValueError(f"m = {m}: is not with rank {self.rank}")
        return int(place)

    def fields(self, nfields: int, rank: Optional[int] = None) -> range:
        """Which of so many fields a rank has; None: the own ones."""
        first = ffi.new("int64_t *")
        count = lib.armilla_distribution_fields(self.pointer, self.rank if rank is None else rank,
                                                nfields, first)
        return range(first[0], first[0] + count)

    def pixels(self, rank: Optional[int] = None) -> np.ndarray:
        """Where a rank's pixels are in a map of all ranks; None: the own ones."""
        return places(self.grid, self.rings(rank))

    def degrees(self) -> Tuple[np.ndarray, np.ndarray]:
        """l and m of the rank's coefficients."""
        orders = self.orders()
        n = self.lmax + 1 - orders
        m = np.repeat(orders, n)
        return m + np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n), m
