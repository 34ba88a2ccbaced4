"""Arrays in the memory of the emulated GPU, for tests that run with its library (test_device.py).

The emulation ends the process where the host reads device memory: so what passes has not copied by
way of NumPy.
"""
import contextlib
import ctypes
import sys
import types

import numpy as np

import armilla

cuda = ctypes.CDLL("libarmilla.so." + ".".join(armilla.__version__.split(".")[:2]))
NOT_READY, TO_DEVICE, TO_HOST = 600, 1, 2
_NON_BLOCKING = 1


def call(name, *arguments):
    """A function of CUDA, which must succeed."""
    status = getattr(cuda, name)(*arguments)
    assert status == 0, (name, status)


def current_device():
    number = ctypes.c_int()
    call("cudaGetDevice", ctypes.byref(number))
    return number.value


@contextlib.contextmanager
def on_device(number):
    """Makes a GPU the current one."""
    before = current_device()
    call("cudaSetDevice", ctypes.c_int(number))
    yield
    call("cudaSetDevice", ctypes.c_int(before))


def crossings():
    """Copies between host and device since the last call, by anybody."""
    cuda.cuda_emulation_crossings.restype = ctypes.c_int64
    return cuda.cuda_emulation_crossings()


class Memory:
    """So many bytes of the current GPU, freed with the last array that lies on them."""

    def __init__(self, nbytes):
        address = ctypes.c_void_p()
        call("cudaMalloc", ctypes.byref(address), ctypes.c_size_t(nbytes))
        self.address, self.nbytes, self.device = address.value, nbytes, current_device()

    def __del__(self):
        cuda.cudaFree(ctypes.c_void_p(self.address))

    def copy(self, host, kind):
        """From or to an array of NumPy."""
        pointers = ctypes.c_void_p(self.address), ctypes.c_void_p(host.ctypes.data)
        pair = pointers if kind == TO_DEVICE else pointers[::-1]
        call("cudaMemcpy", *pair, ctypes.c_size_t(self.nbytes), ctypes.c_int(kind))


class Array:
    """An array with the CUDA array interface. Indexing gives views, get() NumPy's array."""

    def __init__(self, values, stream=None, version=3):
        """values: numpy.ndarray, copied to the device."""
        self.frame = np.array(values, order="C")  # its places, not its values
        self.memory = Memory(self.frame.nbytes) if self.frame.nbytes else None
        self.view, self.stream, self.version, self.changes = self.frame, stream, version, {}
        if self.memory:
            self.memory.copy(self.frame, TO_DEVICE)

    def __getitem__(self, key):
        part = self.changed()
        part.view = self.view[key]
        return part

    def changed(self, **changes):
        """The same array, whose interface says something else."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, changes={**self.changes, **changes})
        return other

    @property
    def address(self):
        if not self.memory:
            return 0
        return self.memory.address + self.view.ctypes.data - self.frame.ctypes.data

    @property
    def __cuda_array_interface__(self):
        told = {"shape": self.view.shape, "typestr": self.view.dtype.str, "version": self.version,
                "strides": None if self.view.flags.c_contiguous else self.view.strides,
                "data": (self.address, False)}
        if self.version >= 3:
            told["stream"] = self.stream
        return {**told, **self.changes}

    def whole(self):
        """What the memory holds, whatever part of it this array is; also what no stream has done
        yet is not waited for."""
        host = np.empty_like(self.frame)
        if self.memory:
            self.memory.copy(host, TO_HOST)
        return host

    def get(self):
        offset = self.view.ctypes.data - self.frame.ctypes.data
        return np.ndarray(self.view.shape, self.view.dtype, self.whole(), offset,
                          self.view.strides).copy()


def like(values, kind=Array, **options):
    """An array of the same shape and type, filled with NaN."""
    return kind(np.full_like(values, np.nan), **options)


@contextlib.contextmanager
def stream():
    """A stream that the default one does not wait for."""
    handle = ctypes.c_void_p()
    call("cudaStreamCreateWithFlags", ctypes.byref(handle), ctypes.c_uint(_NON_BLOCKING))
    yield handle.value
    call("cudaStreamDestroy", handle)


def is_busy(handle):
    status = cuda.cudaStreamQuery(ctypes.c_void_p(handle))
    assert status in (0, NOT_READY)
    return status == NOT_READY


def wait(handle):
    call("cudaStreamSynchronize", ctypes.c_void_p(handle))


@contextlib.contextmanager
def deferred():
    """What is put on a stream runs when somebody waits for it."""
    cuda.cuda_emulation_set_deferred(1)
    try:
        yield
    finally:
        cuda.cuda_emulation_set_deferred(0)


def cupy_stand_in(monkeypatch):
    """A module that has what armilla uses of CuPy; kept under its name in sys.modules."""
    module = types.ModuleType("cupy")
    entered = []

    class ndarray(Array):
        @property
        def device(self):
            """That of a GPU, on which arrays are made inside of `with`."""
            @contextlib.contextmanager
            def device():
                entered.append(self)
                yield
                entered.pop()
            return device()

    def make(shape, dtype, value):
        assert entered, "not on the device of the input"
        return ndarray(np.full(shape, value, dtype), entered[-1].stream)

    ndarray.__module__ = "cupy._core.core"
    module.ndarray = ndarray
    module.empty = lambda shape, dtype: make(shape, dtype, np.nan)
    module.zeros = lambda shape, dtype: make(shape, dtype, 0)
    module.from_dlpack = lambda values: values.array
    monkeypatch.setitem(sys.modules, "cupy", module)
    return module


def numba_stand_in(monkeypatch):
    """The same of Numba."""
    module, cuda_module = types.ModuleType("numba"), types.ModuleType("numba.cuda")

    class DeviceNDArray(Array):
        pass

    DeviceNDArray.__module__ = "numba.cuda.cudadrv.devicearray"
    module.cuda = cuda_module
    cuda_module.DeviceNDArray = DeviceNDArray
    cuda_module.device_array = lambda shape, dtype: DeviceNDArray(np.full(shape, np.nan, dtype))
    cuda_module.to_device = DeviceNDArray
    monkeypatch.setitem(sys.modules, "numba", module)
    monkeypatch.setitem(sys.modules, "numba.cuda", cuda_module)
    return cuda_module
