"""What a pair of masks does to spectra, as the library computes it: armilla/coupling.h."""
from __future__ import annotations

import math
from typing import Any, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import leading_shape, plain, pointer, reals
from ._aside import plan_aside
from ._bands import Bands
from ._errors import check
from ._native import ffi, lib
from ._progress import Progress, execute

Spins = Tuple[int, int]
# which of the components of both fields are pure
PureComponents = Tuple[Tuple[bool, ...], Tuple[bool, ...]]


def component_names(spins: Spins) -> Tuple[str, ...]:
    """Of the spectra of fields of two spins, in the sequence of the library."""
    first, second = (("E", "B") if spin else ("T",) for spin in spins)
    return tuple(a + b for a in first for b in second)


def finite_spectra(name: str, values: ArrayLike, names: Sequence[str], lmax: int) -> np.ndarray:
    """Spectra (ncl, lmax + 1) of these components, of one component with or without an axis for
    it."""
    given = reals(plain(values, name), name)
    shape = len(names), lmax + 1
    if given.shape != shape and (shape[0] > 1 or given.shape != shape[1:]):
        raise ValueError(f"{name}: has shape {given.shape}, must have {shape} for "
                         f"{', '.join(names)}")
    if not np.isfinite(given).all():
        raise ValueError(f"{name}: must be finite")
    return given.reshape(shape)


def new_plan(lmax: int, mask_cl: np.ndarray, spins: Spins,
             pure: Tuple[bool, bool] = (False, False), window: Optional[np.ndarray] = None) -> Any:
    """A plan of one pair of masks: float64 (lmask + 1,). pure: is either field? window: of beams,
    float64 (lmax + 1,)."""
    options = ffi.new("armilla_coupling_options *")
    lib.armilla_coupling_options_init(options)
    options.spin1, options.spin2 = spins
    options.pure1, options.pure2 = pure
    if window is not None:
        options.window = pointer(window)
    lmask = mask_cl.size - 1
    return plan_aside("coupling", lib.armilla_coupling_free, lambda place: (
        lib.armilla_coupling_new(lmax, lmask, 1, pointer(mask_cl), options, place)),
        lmax * lmask // 1000, mask_cl, window, options)


def kinds_of(plan: Any) -> int:
    """Matrices of a plan: M+ and M- of two spins."""
    return int(lib.armilla_coupling_nkinds(plan))


def full_matrix(plan: Any, lmax: int, nthreads: int, progress: Progress) -> np.ndarray:
    """(nkinds, lmax + 1, lmax + 1)."""
    made = np.empty((kinds_of(plan), lmax + 1, lmax + 1))
    execute(lib.armilla_coupling_matrix, (plan, pointer(made)), 1, nthreads, progress)
    return made


def blocks(kinds: np.ndarray, ncl: int) -> np.ndarray:
    """(ncl, n, ncl, m) of matrices (nkinds, n, m): what goes from which spectrum to which. E to E
    and B to B go by M+, E to B and back by M-, with a minus where the spectrum is odd."""
    made = np.zeros((ncl, kinds.shape[1], ncl, kinds.shape[2]))
    for i in range(ncl):
        made[i, :, i] = kinds[0]
        if len(kinds) == 2:
            made[i, :, ncl - 1 - i] = kinds[1] if i in (0, 3) else -kinds[1]
    return made


class Recipe(NamedTuple):
    """What a mixing is made from: all that a pickle has. window: of both fields' beams and pixels
    together, (lmax + 1,); None: 1."""

    lmax: int
    mask_cl: np.ndarray
    spins: Spins
    bands: Bands
    window: Optional[np.ndarray]
    nthreads: int
    progress: Progress
    pure: PureComponents = ((), ())


class Mixing:
    """The operators of a pair of masks, and the windows of bands, which are made when they are
    needed and then kept. Two threads that need them at once both make them, the same bits."""

    def __init__(self, recipe: Recipe, pure: Tuple[bool, bool] = (False, False)) -> None:
        self.recipe = recipe
        self.names = component_names(recipe.spins)
        self._plan = new_plan(recipe.lmax, recipe.mask_cl, recipe.spins, pure, recipe.window)
        self.nkinds = kinds_of(self._plan)
        self._windows: Optional[np.ndarray] = None
        self._matrix: Optional[np.ndarray] = None
        self._solved: Optional[np.ndarray] = None

    # --- Operators --------------------------------------------------------------------------------

    @property
    def cl_shape(self) -> Tuple[int, ...]:
        """Of the spectra of one transform; one component has no axis for it."""
        ncl = len(self.names)
        return ((ncl,) if ncl > 1 else ()) + (self.recipe.lmax + 1,)

    def spectra(self, name: str, values: ArrayLike) -> Tuple[np.ndarray, Tuple[int, ...]]:
        """float64 spectra (..., ncl, lmax + 1), of one component without an axis for it, and their
        leading axes."""
        given = reals(plain(values, name), name)
        return given, leading_shape(given, self.cl_shape, name)

    def operate(self, function: Any, name: str, values: ArrayLike) -> np.ndarray:
        """armilla_coupling_apply, or _adjoint."""
        given, lead = self.spectra(name, values)
        made = np.empty(given.shape)
        if made.size:
            execute(function, (self._plan, pointer(given), pointer(made)), math.prod(lead),
                    self.recipe.nthreads, self.recipe.progress)
        return made

    def mask_adjoint(self, cl: ArrayLike, g: ArrayLike) -> np.ndarray:
        """(lmask + 1,)."""
        given, lead = self.spectra("cl", cl)
        weights, _ = self.spectra("g", g)
        if weights.shape != given.shape:
            raise ValueError(f"g: has shape {weights.shape}, cl has {given.shape}")
        made = np.zeros(self.recipe.mask_cl.size)
        if given.size:
            execute(lib.armilla_coupling_mask_adjoint,
                    (self._plan, pointer(given), pointer(weights), pointer(made)),
                    math.prod(lead), self.recipe.nthreads, self.recipe.progress)
        return made

    def full_matrix(self) -> np.ndarray:
        """(nkinds, lmax + 1, lmax + 1), with the window."""
        return full_matrix(self._plan, self.recipe.lmax, self.recipe.nthreads,
                           self.recipe.progress)

    # --- Bands ------------------------------------------------------------------------------------

    def _of_bands(self, last: int, to_windows: bool) -> np.ndarray:
        """Windows (nkinds, nbands, lmax + 1), or the matrix (nkinds, nbands, nbands)."""
        struct, _alive = self.recipe.bands._struct(self.recipe.lmax)
        made = np.empty((self.nkinds, self.recipe.bands.nbands, last))
        places = (pointer(made), ffi.NULL) if to_windows else (ffi.NULL, pointer(made))
        execute(lib.armilla_coupling_windows, (self._plan, struct, *places), 1,
                self.recipe.nthreads, self.recipe.progress)
        made.flags.writeable = False
        return made

    def windows(self) -> np.ndarray:
        """(nkinds, nbands, lmax + 1), of pseudo-spectra in bands."""
        if self._windows is None:
            self._windows = self._of_bands(self.recipe.lmax + 1, True)
        return self._windows

    def matrix(self) -> np.ndarray:
        """(nkinds, nbands, nbands), with the window: in a small part of the time of `windows`."""
        if self._matrix is None:
            self._matrix = self._of_bands(self.recipe.bands.nbands, False)
        return self._matrix

    def decouple(self, pseudo: np.ndarray) -> Tuple[np.ndarray, float]:
        """Powers (ncl, nbands) of pseudo-spectra (ncl, lmax + 1), and the condition number."""
        powers = np.empty((len(self.names), self.recipe.bands.nbands))
        struct, _alive = self.recipe.bands._struct(self.recipe.lmax)
        condition = ffi.new("double *")
        matrix, given = self.matrix(), np.ascontiguousarray(pseudo)
        check(lib.armilla_coupling_decouple(self._plan, struct, pointer(matrix), pointer(given),
                                            pointer(powers), condition))
        return powers, condition[0]

    def solved_windows(self) -> np.ndarray:
        """(nkinds, nbands, lmax + 1): what the decoupled power of a band is of C_l. Sums and
        differences of M+ and M- are solved apart, as in the library."""
        if self._solved is None:
            self.decouple(np.zeros((len(self.names), self.recipe.lmax + 1)))  # names a singular one
            windows, matrix = self.windows(), self.matrix()
            if self.nkinds == 1:
                solved = np.linalg.solve(matrix, windows)
            else:
                turn = np.array([[1.0, 1.0], [1.0, -1.0]])
                sums = [np.tensordot(turn, both, 1) for both in (matrix, windows)]
                solved = 0.5 * np.tensordot(turn, np.linalg.solve(*sums), 1)
            solved.flags.writeable = False
            self._solved = solved
        return self._solved

    def all_windows(self) -> np.ndarray:
        """(ncl, nbands, ncl, lmax + 1): of which component in which."""
        return blocks(self.solved_windows(), len(self.names))

    def theory(self, cl: ArrayLike) -> np.ndarray:
        """(..., ncl, nbands), or (..., nbands) of one component."""
        given, _ = self.spectra("cl", cl)
        solved = self.solved_windows()
        made = given @ solved[0].T
        if self.nkinds == 2:
            sign = np.array([1.0, -1.0, -1.0, 1.0])[:, np.newaxis]
            made = made + sign * (given[..., ::-1, :] @ solved[1].T)
        return made
