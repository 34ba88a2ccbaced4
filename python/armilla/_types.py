"""Types that plans share: what they tell of themselves, and arrays as a checker sees them."""
from __future__ import annotations

from typing import Any, NamedTuple, Optional, Protocol, TypeVar, Union

import numpy as np


class _OnDevice(Protocol):
    """What arrays in a GPU's memory have, to a checker of types; arrays of NumPy do not."""

    @property
    def __cuda_array_interface__(self) -> Any: ...


OnDevice = TypeVar("OnDevice", bound=_OnDevice)
Given = TypeVar("Given", bound=Union[np.ndarray, _OnDevice])  # an array for the result


class Choice(NamedTuple):
    """One choice of a plan: its name, what the plan does, and what that depends on."""

    name: str
    value: str
    why: str


class Description(NamedTuple):
    """What will run: backend, instruction set, method, sizes, memory in bytes (of the host, of a
    GPU), operations.

    exact: 1 where analysis inverts synthesis to rounding; 0: not for this lmax and mmax, see
    Grid.exact_lmax_for; -1: the grid has no exact rule.
    """

    backend: str
    isa: str
    method: str
    lmax: int
    mmax: int
    nrings: int
    npix: int
    alm_size: int
    ncomp: int
    alm_ncomp: int
    plan_bytes: int
    workspace_bytes: int
    useful_flops: float
    device_plan_bytes: int
    device_workspace_bytes: int
    device_shape: Optional[str]
    device_precision: Optional[str]
    exact: int
