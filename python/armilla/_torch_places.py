"""Types of tensors, and where the layers of armilla.torch and their factors are: with the tensors
of the call."""
from __future__ import annotations

from typing import Any, Callable

import torch

# The types of coefficients and maps of one precision.
REAL = {torch.complex64: torch.float32, torch.complex128: torch.float64}
COMPLEX = {real: cplx for cplx, real in REAL.items()}


def _copied(factor: Any, device: Any, real: Any) -> Any:
    return factor.to(device, real)


def factor_at(factor: Any, alm: Any) -> Any:
    """The factor of coefficients on their device and in their precision; it is copied to the device
    unless the module was moved there."""
    real = REAL[alm.dtype]
    return factor.to(real) if factor.device == alm.device else _copied(factor, alm.device, real)


def moved(factor: Any, change: Callable[[Any], Any]) -> Any:
    """The factor when torch.nn.Module moves by `change`, which may as well round numbers, or make
    tensors without any: on the new device, with the numbers that it had."""
    device = change(factor.new_empty(0)).device
    return factor if device in (factor.device, torch.device("meta")) else _copied(factor, device,
                                                                                 factor.dtype)


def check_on_host(x: Any) -> None:
    """ValueError for tensors that distributed layers do not take."""
    if x.device.type != "cpu":
        raise ValueError(f"the input is on {x.device}, distributed layers are on the CPU: give "
                         "x.cpu(), in a group that has CPU tensors (gloo); a GPU that has room for "
                         "a whole field can take a layer that is not distributed")
