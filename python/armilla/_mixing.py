"""What a pair of masks does to spectra, as the library computes it: armilla/coupling.h."""
from __future__ import annotations

import math
from typing import Any, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import leading_shape, plain, pointer, reals
from ._aside import plan_aside
from ._bands import Bands
from ._errors import check
from ._native import ffi, lib
from ._progress import Progress, execute

Spins = Tuple[int, int]


def component_names(spins: Spins) -> Tuple[str, ...]:
    """Of the spectra of fields of two spins, in the sequence of the library."""
    first, second = (("E", "B") if spin else ("T",) for spin in spins)
    return tuple(a + b for a in first for b in second)


def new_plan(lmax: int, mask_cl: np.ndarray, spins: Spins) -> Any:
    """A plan of one pair of masks: float64 (lmask + 1,)."""
    options = ffi.new("armilla_coupling_options *")
    lib.armilla_coupling_options_init(options)
    options.spin1, options.spin2 = spins
    lmask = mask_cl.size - 1
    return plan_aside("coupling", lib.armilla_coupling_free, lambda place: (
        lib.armilla_coupling_new(lmax, lmask, 1, pointer(mask_cl), options, place)),
        lmax * lmask // 1000, mask_cl, options)


def kinds_of(plan: Any) -> int:
    """Matrices of a plan: M+ and M- of two spins."""
    return 2 if lib.armilla_coupling_ncl(plan) == 4 else 1


def full_matrix(plan: Any, lmax: int, nthreads: int, progress: Progress) -> np.ndarray:
    """(nkinds, lmax + 1, lmax + 1)."""
    made = np.empty((kinds_of(plan), lmax + 1, lmax + 1))
    execute(lib.armilla_coupling_matrix, (plan, pointer(made)), 1, nthreads, progress)
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


class Mixing:
    """The operators of a pair of masks, and the windows of bands, which are made when they are
    needed and then kept. Two threads that need them at once both make them, the same bits."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.names = component_names(recipe.spins)
        self._plan = new_plan(recipe.lmax, recipe.mask_cl, recipe.spins)
        self.nkinds = kinds_of(self._plan)
        self._made: Optional[Tuple[np.ndarray, np.ndarray]] = None
        self._solved: Optional[np.ndarray] = None

    # --- Operators --------------------------------------------------------------------------------

    def spectra(self, name: str, values: ArrayLike) -> Tuple[np.ndarray, Tuple[int, ...]]:
        """float64 spectra (..., ncl, lmax + 1), of one component without an axis for it, and their
        leading axes."""
        given = reals(plain(values, name), name)
        ncl = len(self.names)
        tail = ((ncl,) if ncl > 1 else ()) + (self.recipe.lmax + 1,)
        return given, leading_shape(given, tail, name)

    def operate(self, function: Any, name: str, values: ArrayLike, window_first: bool
                ) -> np.ndarray:
        """armilla_coupling_apply, with the window before it, or _adjoint, with it behind."""
        given, lead = self.spectra(name, values)
        window = self.recipe.window
        if window is not None and window_first:
            given = given * window
        made = np.empty(given.shape)
        if made.size:
            execute(function, (self._plan, pointer(given), pointer(made)), math.prod(lead),
                    self.recipe.nthreads, self.recipe.progress)
        return made if window is None or window_first else made * window

    def mask_adjoint(self, cl: ArrayLike, g: ArrayLike) -> np.ndarray:
        """(lmask + 1,)."""
        given, lead = self.spectra("cl", cl)
        weights, _ = self.spectra("g", g)
        if weights.shape != given.shape:
            raise ValueError(f"g: has shape {weights.shape}, cl has {given.shape}")
        if self.recipe.window is not None:
            given = given * self.recipe.window
        made = np.zeros(self.recipe.mask_cl.size)
        if given.size:
            execute(lib.armilla_coupling_mask_adjoint,
                    (self._plan, pointer(given), pointer(weights), pointer(made)),
                    math.prod(lead), self.recipe.nthreads, self.recipe.progress)
        return made

    def full_matrix(self) -> np.ndarray:
        """(nkinds, lmax + 1, lmax + 1), with the window."""
        made = full_matrix(self._plan, self.recipe.lmax, self.recipe.nthreads,
                           self.recipe.progress)
        return made if self.recipe.window is None else made * self.recipe.window

    # --- Bands ------------------------------------------------------------------------------------

    def _windows_and_matrix(self) -> Tuple[np.ndarray, np.ndarray]:
        """(nkinds, nbands, lmax + 1) and (nkinds, nbands, nbands), of pseudo-spectra in bands."""
        if self._made is None:
            lmax, bands, window = self.recipe.lmax, self.recipe.bands, self.recipe.window
            windows = np.empty((self.nkinds, bands.nbands, lmax + 1))
            matrix = np.empty((self.nkinds, bands.nbands, bands.nbands))
            struct, _alive = bands._struct(lmax)
            execute(lib.armilla_coupling_windows, (self._plan, struct, pointer(windows),
                                                   pointer(matrix)),
                    1, self.recipe.nthreads, self.recipe.progress)
            if window is not None:  # the library's matrix is without
                windows *= window
                factors = bands._factors(lmax)
                for b, (begin, end) in enumerate(zip(bands.begin.tolist(), bands.end.tolist())):
                    # a spectrum whose factor_l C_l is 1 in the band
                    matrix[..., b] = windows[..., begin:end] @ (1 / factors[begin:end])
            windows.flags.writeable = matrix.flags.writeable = False
            self._made = windows, matrix
        return self._made

    def matrix(self) -> np.ndarray:
        """(nkinds, nbands, nbands), with the window."""
        return self._windows_and_matrix()[1]

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
            windows, matrix = self._windows_and_matrix()
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
        """(ncl, nbands, ncl, lmax + 1): of which component in which. E to E and B to B go by M+,
        E to B and back by M-, with a minus where the spectrum is odd."""
        solved, ncl = self.solved_windows(), len(self.names)
        made = np.zeros((ncl, solved.shape[1], ncl, solved.shape[2]))
        for i in range(ncl):
            made[i, :, i] = solved[0]
            if self.nkinds == 2:
                made[i, :, ncl - 1 - i] = solved[1] if i in (0, 3) else -solved[1]
        return made

    def theory(self, cl: ArrayLike) -> np.ndarray:
        """(..., ncl, nbands), or (..., nbands) of one component."""
        given, _ = self.spectra("cl", cl)
        solved = self.solved_windows()
        made = given @ solved[0].T
        if self.nkinds == 2:
            sign = np.array([1.0, -1.0, -1.0, 1.0])[:, np.newaxis]
            made = made + sign * (given[..., ::-1, :] @ solved[1].T)
        return made
