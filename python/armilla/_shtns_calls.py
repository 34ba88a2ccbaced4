"""What the calls of armilla.shtns.sht share: checks of arrays, and transforms of one to three."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ._arrays import plain
from ._shtns_maps import Maps
from ._shtns_spectrum import writable


class Calls(Maps):
    """Transforms of lists: one scalar, two scalars of a vector field, or all three."""

    @staticmethod
    def _counted(arg: Sequence[Any]) -> None:
        if not 1 <= len(arg) <= 3:
            raise RuntimeError("1,2 or 3 arguments required.")

    @staticmethod
    def _parted(made: Sequence[np.ndarray], count: int) -> Any:
        return made[0] if count == 1 else tuple(made)

    def _map(self, position: int, map: Any, kind: Any = np.float64) -> np.ndarray:
        self._needs_grid()
        if not isinstance(map, np.ndarray) or map.dtype != kind:
            raise RuntimeError(f"arg #{position} : spatial array should be "
                               f"dtype={np.dtype(kind).name}.")
        if map.size != self.nspat:
            raise RuntimeError(f"arg #{position} : spatial array has wrong size {map.size}, must "
                               f"have {self.nspat}")
        return plain(map, f"arg #{position} ").reshape(self.spat_shape)

    def _synth(self, given: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
        scalar = [self._to_scalars(given[0])] if len(given) != 2 else []
        return scalar + (list(np.moveaxis(self._to_vectors(np.stack(given[-2:], -2)), -3, 0))
                         if len(given) > 1 else [])

    def _analys(self, given: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
        scalar = [self._from_scalars(given[0])] if len(given) != 2 else []
        made = scalar + (list(np.moveaxis(self._from_vectors(np.stack(given[-2:], -3)), -2, 0))
                         if len(given) > 1 else [])
        return [self._own(one) for one in made]

    def _fill(self, spectra: Sequence[Any], maps: Sequence[Any], kind: Any = np.float64) -> None:
        """Makes maps in arrays that exist."""
        self._needs_grid()
        count = len(spectra)
        out = [writable(count + 1 + k, one, self.nspat, kind) for k, one in enumerate(maps)]
        if kind == np.float64:
            made = self._synth([self._ortho(1 + k, q) for k, q in enumerate(spectra)])
        else:
            made = self._synth_cplx(spectra)
        for array, one in zip(out, made):
            array[...] = one.reshape(-1)

    def _take(self, maps: Sequence[Any], spectra: Sequence[Any], kind: Any = np.float64) -> None:
        """Finds coefficients, in arrays that exist."""
        self._needs_grid()
        count, is_real = len(maps), kind == np.float64
        size = self.nlm if is_real else (self.lmax + 1) ** 2
        out = [writable(count + 1 + k, one, size, np.complex128) for k, one in enumerate(spectra)]
        given = [self._map(1 + k, one, kind) for k, one in enumerate(maps)]
        for array, one in zip(out, self._analys(given) if is_real else self._analys_cplx(given)):
            array[...] = one

    def _synth_cplx(self, spectra: Sequence[Any]) -> Sequence[np.ndarray]:
        raise NotImplementedError

    def _analys_cplx(self, given: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
        raise NotImplementedError
