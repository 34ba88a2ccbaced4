"""Gaussian covariances of decoupled band powers, from masks and spectra: armilla/coupling.h."""
from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import pointer
from ._errors import check
from ._masked import Field, _analyse, cross_spectra, largest_mask_degree, mask_moments
from ._mixing import component_names, finite_spectra
from ._native import ffi, lib
from ._progress import Progress, execute
from .grid import Grid
from .spectrum import compute

if TYPE_CHECKING:
    from ._couplings import Coupling

# Of pairs of fields, or of the only field with itself.
Spectra = Union[ArrayLike, Mapping[Tuple[Field, Field], ArrayLike]]


class Wanted(NamedTuple):
    """What covariances are asked for: couplings, with their names in messages, and pairs of their
    numbers; of which spectra; how."""

    couplings: Sequence["Coupling"]
    names: Sequence[str]
    pairs: Sequence[Tuple[int, int]]
    cl: Optional[Spectra]
    noise: Optional[Spectra]
    nthreads: int
    progress: Progress


# --- What is given --------------------------------------------------------------------------------


def _fields_of(coupling: "Coupling", name: str) -> Tuple[Field, Field]:
    """Both fields of maps."""
    fields = coupling._fields
    if fields is None:
        raise ValueError(f"{name}: was made from masks only; covariances need the masks of both "
                         "fields themselves")
    for number, field in enumerate(fields, 1):
        if field.mask is None:
            raise ValueError(f"{name}: its field {number} is of a catalogue, whose covariances "
                             "need products of masks on pixels")
    return fields


def _check_alike(wanted: Wanted, fields: Sequence[Tuple[Field, Field]]) -> None:
    """All blocks are between the same bands, and masks are multiplied pixel by pixel."""
    first, grid = wanted.couplings[0], fields[0][0].grid
    for name, coupling, pair in zip(wanted.names, wanted.couplings, fields):
        if coupling.lmax != first.lmax:
            raise ValueError(f"{name}: has lmax = {coupling.lmax}, {wanted.names[0]} has "
                             f"{first.lmax}")
        if coupling.bands != first.bands:
            raise ValueError(f"{name}: has other bands than {wanted.names[0]}")
        for field in pair:
            if field.grid != grid:
                raise ValueError(f"{name}: has a field on {field.grid!r}, and {wanted.names[0]} "
                                 f"one on {grid!r}; covariances need one grid")


def _check_spectra(name: str, given: Optional[Spectra], nfields: int) -> None:
    if isinstance(given, Mapping):
        for key in given:
            if not (isinstance(key, tuple) and len(key) == 2
                    and all(isinstance(field, Field) for field in key)):
                raise TypeError(f"{name}: its keys must be pairs of Field")
    elif given is not None and nfields > 1:
        raise TypeError(f"{name}: must be a dict of pairs of fields, since there are {nfields} "
                        "fields")


def _checked(name: str, values: ArrayLike, one: Field, two: Field) -> np.ndarray:
    """Finite spectra (components of one, components of two, lmax + 1)."""
    given = finite_spectra(name, values, component_names((one.spin, two.spin)), one.lmax)
    return given.reshape(len(one.components), len(two.components), -1)


def _look_up(name: str, given: Spectra, one: Field, two: Field) -> Optional[np.ndarray]:
    """The same of two fields, from either way round; None where they are not given."""
    if not isinstance(given, Mapping):
        made = _checked(name, given, one, two)
    elif (one, two) in given:
        made = _checked(name, given[one, two], one, two)
    elif (two, one) in given:
        made = _checked(name, given[two, one], two, one).swapaxes(0, 1)
    else:
        return None
    if one is two and not np.allclose(made, made.swapaxes(0, 1), rtol=1e-9, atol=0):
        raise ValueError(f"{name}: EB and BE of one field differ")
    return made


# --- Spectra of pairs of fields -------------------------------------------------------------------


def _coupled(wanted: Wanted, one: Field, two: Field, cl: np.ndarray) -> np.ndarray:
    """What the masks and windows of two fields make of their spectra: of the shape of cl."""
    from ._couplings import Coupling  # which needs this module
    for coupling in wanted.couplings:
        if coupling.fields == (one, two):
            break
    else:
        coupling = Coupling(one, two, wanted.couplings[0].bands, nthreads=wanted.nthreads)
    given = cl.reshape(-1, cl.shape[-1]) if len(coupling.components) > 1 else cl[0, 0]
    return coupling.couple(given).reshape(cl.shape)


def _measured(one: Field, two: Field) -> np.ndarray:
    """Pseudo-spectra of the maps, running means over degrees: of the shape of `_checked`."""
    given = np.ascontiguousarray(cross_spectra(one, two))
    made = np.empty_like(given)
    check(lib.armilla_gaussian_smooth(one.lmax, max(one.spin, two.spin), len(given),
                                      pointer(given), pointer(made)))
    return made.reshape(len(one.components), len(two.components), -1)


def _pair_spectra(wanted: Wanted, one: Field, two: Field, numbers: Tuple[int, int]) -> np.ndarray:
    """Mean pseudo-spectra of signal and noise, divided by the mean of the product of the masks."""
    moments = mask_moments(one, two)
    assert moments is not None
    if wanted.cl is None:
        made = _measured(one, two)
    else:
        cl = _look_up("cl", wanted.cl, one, two)
        if cl is None:
            raise ValueError(f"cl: lacks the spectra of field {numbers[0]} ({one!r}) with field "
                             f"{numbers[1]} ({two!r})")
        made = _coupled(wanted, one, two, cl)
        noise = None if wanted.noise is None else _look_up("noise", wanted.noise, one, two)
        if noise is not None:
            made = made + noise
    return made / moments[0] if moments[0] > 0 else np.zeros_like(made)


def _all_spectra(wanted: Wanted, fields: Sequence[Field], used: Sequence[Tuple[int, int]]
                 ) -> np.ndarray:
    """(ncomp, ncomp, lmax + 1): the upper rows of components of the fields that are used."""
    ends = np.cumsum([len(field.components) for field in fields]).tolist()
    made = np.zeros((ends[-1], ends[-1], fields[0].lmax + 1))
    for i, j in used:
        rows, columns = (slice(ends[k] - len(fields[k].components), ends[k]) for k in (i, j))
        made[rows, columns] = _pair_spectra(wanted, fields[i], fields[j], (i, j))
    return made


# --- Products of masks ----------------------------------------------------------------------------


def _grid_of(field: Field) -> Grid:
    assert field.grid is not None  # of a catalogue, which is refused
    return field.grid


class _Products:
    """Cross spectra of products of masks, each of which is made once."""

    def __init__(self, fields: Sequence[Field], nthreads: int) -> None:
        self._fields, self._nthreads = fields, nthreads
        self._lmask = min(2 * fields[0].lmax, max(
            largest_mask_degree(_grid_of(fields[0])), *(field.lmask for field in fields)))
        self._masks: List[np.ndarray] = []
        self._mask_of = [self._number(field) for field in fields]
        self._alm: Dict[Tuple[int, int], np.ndarray] = {}
        self._places: Dict[Tuple[Tuple[int, int], Tuple[int, int]], int] = {}
        self.spectra: List[np.ndarray] = []

    def _number(self, field: Field) -> int:
        mask = field.mask
        assert mask is not None
        for number, other in enumerate(self._masks):
            if mask is other or np.array_equal(mask, other):
                return number
        self._masks.append(mask)
        return len(self._masks) - 1

    def _product(self, pair: Tuple[int, int]) -> np.ndarray:
        if pair not in self._alm:
            first = self._fields[0]
            one, two = (self._masks[number] for number in pair)
            values = np.multiply(one, two, dtype=np.float64)[np.newaxis]
            self._alm[pair] = _analyse(values, _grid_of(first), self._lmask, 0,
                                       first._is.iterations, self._nthreads)[0]
        return self._alm[pair]

    def place(self, one: Tuple[int, int], two: Tuple[int, int]) -> int:
        """Which of `spectra` is that of the products of the masks of two fields and two fields."""
        first, second = (sorted((self._mask_of[i], self._mask_of[j])) for i, j in (one, two))
        key = tuple(sorted(((first[0], first[1]), (second[0], second[1]))))
        pairs = key[0], key[1]
        if pairs not in self._places:
            self._places[pairs] = len(self.spectra)
            self.spectra.append(compute(self._product(pairs[0]), self._product(pairs[1])))
        return self._places[pairs]


# --- Blocks ---------------------------------------------------------------------------------------


def _rising(i: int, j: int) -> Tuple[int, int]:
    return min(i, j), max(i, j)


def _problem(wanted: Wanted, fields: Sequence[Field], pairs: Sequence[Tuple[int, int]]
             ) -> Tuple[Any, List[Any]]:
    """An armilla_gaussian_problem, and what must live as long."""
    products = _Products(fields, wanted.nthreads)
    blocks, used = [], set()
    for first, second in wanted.pairs:
        (a, b), (c, d) = pairs[first], pairs[second]
        used |= {_rising(a, c), _rising(b, d), _rising(a, d), _rising(b, c)}
        blocks.append((first, second, products.place((a, c), (b, d)),
                       products.place((a, d), (b, c))))
    masks = np.stack(products.spectra)
    cl = _all_spectra(wanted, fields, sorted(used))
    spins = np.array([field.spin for field in fields], np.int64)
    pure = np.array([name in field.purified for field in fields for name in field.components],
                    np.intc)
    bands, alive = wanted.couplings[0].bands._struct(fields[0].lmax)
    matrices = [coupling.matrix for coupling in wanted.couplings]
    struct = ffi.new("armilla_gaussian_problem *")
    lib.armilla_gaussian_problem_init(struct)
    struct.lmax, struct.lmask, struct.nmasks = fields[0].lmax, masks.shape[1] - 1, len(masks)
    struct.masks, struct.cl, struct.bands = pointer(masks), pointer(cl), bands
    struct.nfields, struct.spins = len(fields), ffi.cast("int64_t *", spins.ctypes.data)
    struct.pure = ffi.cast("int *", pure.ctypes.data)
    of_pairs = ffi.new("armilla_gaussian_pair[]", [
        (i, j, pointer(matrix), matrix.ndim == 4) for (i, j), matrix in zip(pairs, matrices)])
    of_blocks = ffi.new("armilla_gaussian_block[]", blocks)
    struct.npairs, struct.pairs = len(pairs), of_pairs
    struct.nblocks, struct.blocks = len(blocks), of_blocks
    return struct, [masks, cl, spins, pure, bands, alive, matrices, of_pairs, of_blocks]


def covariance_blocks(wanted: Wanted) -> List[np.ndarray]:
    """(ncl1, nbands, ncl2, nbands) of each of the pairs."""
    given = [_fields_of(coupling, name) for coupling, name in zip(wanted.couplings, wanted.names)]
    _check_alike(wanted, given)
    fields = list(dict.fromkeys(field for pair in given for field in pair))
    if wanted.cl is None and wanted.noise is not None:
        raise TypeError("noise: is in the measured spectra already; it goes with cl")
    _check_spectra("cl", wanted.cl, len(fields))
    _check_spectra("noise", wanted.noise, len(fields))
    pairs = [(fields.index(one), fields.index(two)) for one, two in given]
    struct, _alive = _problem(wanted, fields, pairs)
    shapes = [tuple(n for number in pair for n in (len(wanted.couplings[number].components),
                                                   wanted.couplings[0].bands.nbands))
              for pair in wanted.pairs]
    made = np.empty(sum(math.prod(shape) for shape in shapes))
    execute(lib.armilla_gaussian_covariance, (struct, pointer(made)), 1, wanted.nthreads,
            wanted.progress)
    ends = np.cumsum([math.prod(shape) for shape in shapes])[:-1]
    return [part.reshape(shape) for part, shape in zip(np.split(made, ends), shapes)]
