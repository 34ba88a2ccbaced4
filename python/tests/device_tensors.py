"""Tensors of PyTorch that live on the emulated GPU: what CUDA tensors are, for builds without CUDA.

A tensor has a wrapper's metadata and an Array; each operation of PyTorch copies to the host, runs
there, and copies the result back. Views share memory; tensors of the host do not mix with them, nor
do those of two GPUs. Steps of programs (armilla.operator) are called with the tensors as they are.
"""
import numpy as np
import torch
from torch.utils._pytree import tree_map

from armilla import _torch_operators, _torch_positions
from device_arrays import TO_DEVICE, Array, on_device

STEPS = {"operator": _torch_operators._step, "positions": _torch_positions._step,
         "positions_gradients": _torch_positions._step_back}


def _host(array):
    """A copy of the memory, and the tensor that the array is on it."""
    whole = torch.from_numpy(array.whole().ravel().view(array.view.dtype))
    size = array.view.itemsize
    offset = (array.view.ctypes.data - array.frame.ctypes.data) // size
    return whole, whole.as_strided(array.view.shape, [n // size for n in array.view.strides],
                                   offset)


def _start(tensor):
    new = hasattr(tensor, "untyped_storage")  # since PyTorch 2
    return (tensor.untyped_storage() if new else tensor.storage()).data_ptr()


class Tensor(torch.Tensor):
    """A tensor on the device: Tensor(values), values a tensor of the host or an Array."""

    __torch_function__ = torch._C._disabled_torch_function_impl

    @staticmethod
    def __new__(cls, values):
        array = values if isinstance(values, Array) else Array(values.detach().numpy(), version=2)
        size = array.view.itemsize
        dtype = torch.from_numpy(np.empty(0, array.view.dtype)).dtype
        made = torch.Tensor._make_wrapper_subclass(
            cls, array.view.shape, strides=[n // size for n in array.view.strides], dtype=dtype)
        made.array = array
        return made

    device = property(lambda self: torch.device("cuda", getattr(self.array.memory, "device", 0)))
    is_cuda = property(lambda self: True)

    @property
    def __cuda_array_interface__(self):
        if self.requires_grad:
            raise RuntimeError("use tensor.detach()")
        return self.array.__cuda_array_interface__

    def get(self):
        return self.array.get()

    @classmethod
    def __torch_dispatch__(cls, function, types, arguments=(), options=None):
        space, _, name = function._schema.name.partition("::")
        if space == "armilla":
            return STEPS[name](*arguments, **(options or {}))
        mixes = "copy_" in str(function) or "index" in str(function)  # on real ones, too
        copies = []  # tensor, copy of its memory, what it is there

        def unwrap(value):
            if isinstance(value, cls):
                copies.append((value, *_host(value.array)))
                if value.device != copies[0][0].device:
                    raise RuntimeError(f"{function}: tensors on {copies[0][0].device} and on "
                                       f"{value.device}")
                return copies[-1][2]
            if isinstance(value, torch.Tensor) and value.dim() and not mixes:
                raise RuntimeError(f"{function}: tensors on cuda:0 and on cpu")
            return value

        def wrap(value):
            if not isinstance(value, torch.Tensor):
                return value
            for tensor, whole, here in copies:
                if value is here:
                    return tensor
                if _start(value) == _start(whole) and not (value.is_conj() or value.is_neg()):
                    view = tensor.array[...]
                    places = view.frame.ravel().view(value.numpy().dtype)
                    view.view = np.lib.stride_tricks.as_strided(
                        places[value.storage_offset():], value.shape,
                        [n * value.element_size() for n in value.stride()])
                    return cls(view)
            return cls(value.resolve_conj().resolve_neg())

        given, named = tree_map(unwrap, (arguments, options or {}))
        named.pop("device", None)
        made = function(*given, **named)
        if function._schema.name.endswith("_"):  # in place
            copies[0][0].array.memory.copy(copies[0][1].numpy(), TO_DEVICE)
        with on_device(copies[0][0].device.index):
            return tree_map(wrap, made)
