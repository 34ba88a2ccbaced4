"""Stands for PyTorch in the test of bench/gpu/gpu_arrays.py: what that uses of it, with the memory
and streams of the emulated GPU. ARMILLA_TEST_LIBRARY: the library that has the emulation."""
import ctypes
import os
import struct
import types

_c = ctypes.CDLL(os.environ["ARMILLA_TEST_LIBRARY"])
_TO_DEVICE, _TO_HOST, _NON_BLOCKING = 1, 2, 1
float64 = "float64"


def _call(name, *arguments):
    status = getattr(_c, name)(*arguments)
    if status:
        raise RuntimeError(f"{name}: {status}")


class _Tensor:
    def __init__(self, data, on_device=False):
        self.size, self.kept = len(data), ctypes.create_string_buffer(data, len(data))
        self.address = ctypes.addressof(self.kept)
        if on_device:
            memory = ctypes.c_void_p()
            _call("cudaMalloc", ctypes.byref(memory), ctypes.c_size_t(self.size))
            _call("cudaMemcpy", memory, ctypes.c_void_p(self.address), ctypes.c_size_t(self.size),
                  _TO_DEVICE)
            self.address = memory.value

    def to(self, device):
        assert device == "cuda"
        return _Tensor(self.kept.raw, True)

    def cpu(self):
        host = _Tensor(bytes(self.size))
        _call("cudaMemcpy", ctypes.c_void_p(host.address), ctypes.c_void_p(self.address),
              ctypes.c_size_t(self.size), _TO_HOST)
        return host

    def data_ptr(self):
        return self.address

    def numel(self):
        return self.size // 8


class _Stream:
    def __init__(self):
        handle = ctypes.c_void_p()
        _call("cudaStreamCreateWithFlags", ctypes.byref(handle), _NON_BLOCKING)
        self.cuda_stream = handle.value

    def wait_stream(self, other):
        assert other is None
        _call("cudaDeviceSynchronize")

    def synchronize(self):
        _call("cudaStreamSynchronize", ctypes.c_void_p(self.cuda_stream))


def frombuffer(data, dtype):
    assert dtype == float64
    return _Tensor(bytes(data))


def full(shape, value, dtype, device):
    assert dtype == float64 and device == "cuda"
    return _Tensor(struct.pack("d", value) * shape[0], True)


cuda = types.SimpleNamespace(is_available=lambda: True, Stream=_Stream, current_stream=lambda: None)
