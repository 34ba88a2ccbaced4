"""Where calls run, as options of the library have it: a device, a list of GPUs, and whether the
host runs what these do not offer."""
from __future__ import annotations

from typing import Any, Optional, Sequence, Tuple

from ._errors import choice, shown, whole
from ._native import ffi, lib
from ._types import Device

DEVICES = {"cpu": lib.ARMILLA_CPU, "cuda": lib.ARMILLA_CUDA}


def device_list(devices: Optional[Sequence[int]], device: Device) -> Optional[Tuple[int, ...]]:
    """The numbers of the GPUs of a plan; the library checks them further."""
    if devices is None:
        return None
    if isinstance(devices, (str, bytes)) or not hasattr(devices, "__iter__"):
        raise TypeError(f"devices = {shown(devices)}: must be a sequence of integers")
    numbers = tuple(whole(f"devices[{i}]", number) for i, number in enumerate(devices))
    if device == "cpu":
        raise ValueError('devices: must be None where device is "cpu"')
    if not numbers:
        raise ValueError("devices: must have one number or more")
    for i, number in enumerate(numbers):
        if not 0 <= number < 2 ** 31:
            raise ValueError(f"devices[{i}] = {number}: must be the number of a GPU, 0 or more")
    return numbers


def enter_device(options: Any, device: Device, devices: Optional[Sequence[int]], delegate: bool
                 ) -> Tuple[Optional[Tuple[int, ...]], Any]:
    """Says in options of the library where calls run. Returned: the numbers of the GPUs, and what
    must live as long as the options."""
    options.device, options.delegate = choice("device", device, DEVICES), bool(delegate)
    numbers = device_list(devices, device)
    listed = ffi.new("int[]", numbers or ())
    if numbers is not None:
        options.devices, options.ndevices = listed, len(numbers)
    return numbers, listed
