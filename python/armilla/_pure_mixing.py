"""What a pair of masks does to spectra of fields some of whose components are pure.

A pure component is a scalar to the mask. So the spectrum of two components is a row of one of four
plans, where neither is pure, the first, the second, or both. Rows of the first plan mix E and B;
the others do not.
"""
from __future__ import annotations

from typing import Any, List, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._mixing import Mixing, Recipe, blocks
from ._native import lib

_SINGULAR = 1 / np.finfo(float).eps


def mixing_of(recipe: Recipe) -> Mixing:
    """The operators of a pair of masks."""
    return PureMixing(recipe) if any(map(any, recipe.pure)) else Mixing(recipe)


class PureMixing(Mixing):
    """The same as `Mixing`, with matrices (ncl, n, ncl, m) in place of kinds."""

    def __init__(self, recipe: Recipe) -> None:
        first, second = recipe.pure
        pairs = [(a, b) for a in first for b in second]
        self._parts: List[Tuple[Mixing, np.ndarray]] = [
            (Mixing(recipe, pair), np.array([pair == own for own in pairs]))
            for pair in sorted(set(pairs))]
        self.recipe, self.names = recipe, self._parts[0][0].names
        ncl = len(self.names)
        # spectra that may mix
        self._groups = ((0, 3), (1, 2)) if ncl == 4 else tuple((i,) for i in range(ncl))
        self._solutions: Optional[List[np.ndarray]] = None

    # --- Operators --------------------------------------------------------------------------------

    def operate(self, function: Any, name: str, values: ArrayLike) -> np.ndarray:
        given, _ = self.spectra(name, values)
        made = np.zeros(given.shape)
        for part, rows in self._parts:
            if function is lib.armilla_coupling_apply:
                made[..., rows, :] = part.operate(function, name, given)[..., rows, :]
            else:
                made += part.operate(function, name, given * rows[:, np.newaxis])
        return made

    def mask_adjoint(self, cl: ArrayLike, g: ArrayLike) -> np.ndarray:
        weights, _ = self.spectra("g", g)
        return sum((part.mask_adjoint(cl, weights * rows[:, np.newaxis])
                    for part, rows in self._parts), np.zeros(self.recipe.mask_cl.size))

    def _joined(self, kinds: List[np.ndarray]) -> np.ndarray:
        """(ncl, n, ncl, m) of the matrices (nkinds, n, m) of all parts: the rows of each."""
        ncl = len(self.names)
        made = np.zeros((ncl, kinds[0].shape[1], ncl, kinds[0].shape[2]))
        for one, (_, rows) in zip(kinds, self._parts):
            made[rows] = blocks(one, ncl)[rows]
        return made

    def full_matrix(self) -> np.ndarray:
        """(ncl, lmax + 1, ncl, lmax + 1), with the window."""
        return self._joined([part.full_matrix() for part, _ in self._parts])

    # --- Bands ------------------------------------------------------------------------------------

    def matrix(self) -> np.ndarray:
        """(ncl, nbands, ncl, nbands), with the window."""
        return self._joined([part.matrix() for part, _ in self._parts])

    def _solve(self, given: np.ndarray) -> Tuple[List[np.ndarray], float]:
        """Of (ncl, nbands, ...) the solutions (len(group), nbands, ...) of each group, and the
        largest condition number in the 1-norm."""
        matrix, nbands = self.matrix(), self.recipe.bands.nbands
        solved, most = [], 1.0
        for group in self._groups:
            rows, size = list(group), len(group) * nbands
            square = matrix[rows][:, :, rows].reshape(size, size)
            condition = float(np.linalg.cond(square, 1))
            if not condition < _SINGULAR:
                worst = int(abs(np.linalg.svd(square)[2][-1]).argmax())
                raise ValueError(
                    f"matrix: cannot be solved: band {worst % nbands} of "
                    f"{self.names[group[worst // nbands]]} adds nothing to the others; take wider "
                    "bands, or fewer")
            made = np.linalg.solve(square, given[rows].reshape(size, -1))
            solved.append(made.reshape(len(group), *given.shape[1:]))
            most = max(most, condition)
        return solved, most

    def decouple(self, pseudo: np.ndarray) -> Tuple[np.ndarray, float]:
        solved, condition = self._solve(self.recipe.bands.average(pseudo))
        powers = np.empty((len(self.names), self.recipe.bands.nbands))
        for group, made in zip(self._groups, solved):
            powers[list(group)] = made
        return powers, condition

    def _group_windows(self) -> List[np.ndarray]:
        """(len(group), nbands, len(group), lmax + 1) of each group."""
        if self._solutions is None:
            windows = self._joined([part.windows() for part, _ in self._parts])
            solved, _ = self._solve(windows)
            self._solutions = [np.ascontiguousarray(made[:, :, list(group)])
                               for group, made in zip(self._groups, solved)]
        return self._solutions

    def all_windows(self) -> np.ndarray:
        ncl = len(self.names)
        made = np.zeros((ncl, self.recipe.bands.nbands, ncl, self.recipe.lmax + 1))
        for group, solved in zip(self._groups, self._group_windows()):
            for i, rows in zip(group, solved):
                made[i][:, list(group)] = rows
        return made

    def theory(self, cl: ArrayLike) -> np.ndarray:
        given, lead = self.spectra("cl", cl)
        made = np.empty((*lead, len(self.names), self.recipe.bands.nbands))
        for group, solved in zip(self._groups, self._group_windows()):
            for i, rows in zip(group, solved):
                made[..., i, :] = np.tensordot(given[..., list(group), :], rows, ((-2, -1), (1, 2)))
        return made
