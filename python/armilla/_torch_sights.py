"""Values at positions, and lensed maps, whose tensors are on a GPU: nothing of them leaves it.

Plans of the last calls are kept, for the way back is made at the same positions. They are known by
the memory of the positions and by how often PyTorch has seen it written to; a plan that is kept
holds the tensor, so that no other can have its memory.
"""
from __future__ import annotations

import collections
import threading
from typing import Any, Dict, NamedTuple, Optional, Tuple, Union

import numpy as np
import torch

from ._device import is_fit
from ._lensing import Lensing
from ._plans import PlanCache
from ._positions import Field
from .points import Points
from ._types import Mode

_WIDE = {torch.complex64: torch.complex128, torch.float32: torch.float64}
_MOST_FACTORS = 4  # arrays like coefficients


class _Sight(NamedTuple):
    plan: Union[Points, Lensing]
    positions: Any


_SIGHTS: PlanCache[_Sight] = PlanCache(lambda sight: sight.plan)


def _new(field: Field, positions: Any) -> _Sight:
    places = positions.detach().resolve_neg().to(torch.float64).contiguous()
    mode: Mode = "gradient_only" if field.pure else "standard"
    plan: Union[Points, Lensing]
    with torch.cuda.device(positions.device):
        if field.grid is None:
            plan = Points(field.lmax, places, field.spin, field.epsilon, field.mmax, mode,
                          nthreads=field.nthreads, device="cuda")
        else:
            plan = Lensing(field.grid, places, field.lmax, field.spin, field.epsilon, field.mmax,
                           kind="map", mode=mode, nthreads=field.nthreads, device="cuda")
    return _Sight(plan, positions.detach())


def _key(field: Field, positions: Any) -> Optional[Tuple[Any, ...]]:
    """None: nothing tells whether the tensor is written to (torch.inference_mode)."""
    if positions.is_inference():
        return None
    address = positions.detach().__cuda_array_interface__["data"][0]
    return (field, positions.device, address, positions._version, tuple(positions.shape),
            positions.stride(), positions.dtype, positions.is_neg())


def _plan_of(field: Field, positions: Any) -> Any:
    key = _key(field, positions)
    if key is None:
        return _new(field, positions).plan
    return _SIGHTS.get(key, lambda: _new(field, positions)).plan


def see(field: Field, to_map: bool, given: Any, positions: Any) -> Any:
    """values or adjoint of _positions, of tensors on one GPU."""
    plan = _plan_of(field, positions)
    given = given.detach().resolve_conj().resolve_neg()
    if field.grid is None:
        given = given if is_fit(given) else given.contiguous()
        call = plan.synthesis if to_map else plan.adjoint_synthesis
        return call(given, nthreads=field.nthreads)
    wide = given.to(_WIDE.get(given.dtype, given.dtype)).contiguous()
    call = plan.alm2lenmap if to_map else plan.adjoint
    made = call(wide, nthreads=field.nthreads)
    return made if wide.dtype == given.dtype else made.to(
        next(narrow for narrow, other in _WIDE.items() if other == made.dtype))


# --- Factors of degrees ---------------------------------------------------------------------------

_FACTORS: Dict[Tuple[Any, ...], Tuple[np.ndarray, Any]] = collections.OrderedDict()
_LOCK = threading.Lock()


def _copied(values: np.ndarray, real: Any, device: Any) -> Any:
    return torch.from_numpy(values).to(device=device, dtype=real)


def cast_there(values: np.ndarray, real: Any, like: Any) -> Any:
    """A copy of an array of NumPy beside a tensor, which is kept for the next calls: nobody writes
    to either of them."""
    key = id(values), real, like.device
    with _LOCK:
        kept = _FACTORS.pop(key, None)
        if kept is not None:
            _FACTORS[key] = kept
            return kept[1]
    made = _copied(values, real, like.device)
    with _LOCK:
        _FACTORS[key] = values, made
        while len(_FACTORS) > _MOST_FACTORS:
            _FACTORS.pop(next(iter(_FACTORS)))
    return made


def clear() -> None:
    """Forgets plans and factors."""
    _SIGHTS.clear()
    with _LOCK:
        _FACTORS.clear()
