"""Arrays in a GPU's memory, of any library that has the CUDA array interface or DLPack.

They go to the C functions as they are, and results are arrays of the input's library on its GPU:
nothing is copied and nothing waited for. The work is put on the stream that the array names (of
torch: the current one), so what follows on that stream finds it done. What a GPU does not offer the
host may run for it (`delegate`): the library then waits for the stream, and copies.
"""
from __future__ import annotations

import math
import sys
from typing import Any, Callable, Dict, NamedTuple, Optional, Tuple, Union

import numpy as np

from ._arrays import (COMPLEX_OF, REAL_OF, Output, as_alm, as_map, distance_of, input_buffer,
                      leading_shape, pointer)
from ._maps import MapShape
from ._native import ffi, lib
from ._progress import Place, execute

_DLPACK_CUDA = (2, 13)  # DLDeviceType: kDLCUDA, kDLCUDAManaged


# --- The libraries whose arrays we can make -------------------------------------------------------

class _Library(NamedTuple):
    """new(like, shape, dtype, dense): an array beside `like`, filled with 0 unless dense;
    stream(like): the one to work on, None: what the array's interface says."""

    new: Callable[[Any, Tuple[int, ...], np.dtype, bool], Any]
    stream: Callable[[Any], Optional[int]]


def _new_of_cupy(like: Any, shape: Tuple[int, ...], dtype: np.dtype, dense: bool) -> Any:
    cupy = sys.modules["cupy"]
    with like.device:
        return (cupy.empty if dense else cupy.zeros)(shape, dtype)


def _new_of_torch(like: Any, shape: Tuple[int, ...], dtype: np.dtype, dense: bool) -> Any:
    new = like.new_empty if dense else like.new_zeros
    return new(shape, dtype=getattr(sys.modules["torch"], dtype.name))


def _new_of_numba(like: Any, shape: Tuple[int, ...], dtype: np.dtype, dense: bool) -> Any:
    from numba import cuda

    return cuda.device_array(shape, dtype) if dense else cuda.to_device(np.zeros(shape, dtype))


def _stream_of_torch(like: Any) -> int:
    """Its interface is of version 2, which knows no streams."""
    return sys.modules["torch"].cuda.current_stream(like.device).cuda_stream


_NUMBA = _Library(_new_of_numba, lambda like: None)
_LIBRARIES: Dict[str, _Library] = {
    "cupy": _Library(_new_of_cupy, lambda like: None),
    "torch": _Library(_new_of_torch, _stream_of_torch),
    "numba": _NUMBA, "numba_cuda": _NUMBA}


def _library(values: Any) -> Optional[_Library]:
    """By the module of its class, or of one that it comes from."""
    for base in type(values).__mro__:
        found = _LIBRARIES.get(base.__module__.partition(".")[0])
        if found:
            return found
    return None


# --- Arrays of others -----------------------------------------------------------------------------

def _has_dlpack(values: Any) -> bool:
    device = getattr(values, "__dlpack_device__", None)
    return device is not None and device()[0] in _DLPACK_CUDA


def is_device_array(values: Any) -> bool:
    """Is it an array in a GPU's memory? Not known to NumPy, whatever it says."""
    if values is None or isinstance(values, (np.ndarray, list, tuple)):
        return False
    return hasattr(values, "__cuda_array_interface__") or _has_dlpack(values)


def _is_marked(values: Any) -> bool:
    """Tensors of torch: does the memory hold the conjugate, or the negative, of what it is?"""
    unmarked = bool  # called: False
    return any(getattr(values, mark, unmarked)() for mark in ("is_conj", "is_neg"))


def _with_interface(values: Any, name: str) -> Any:
    """The array, or one on the same memory that has the CUDA array interface."""
    if hasattr(values, "__cuda_array_interface__"):
        return values.resolve_conj().resolve_neg() if _is_marked(values) else values
    for module in ("cupy", "torch"):
        try:
            found = __import__(module)
        except ImportError:
            continue
        return found.from_dlpack(values)
    raise TypeError(f"{name}: {type(values).__name__} has DLPack but not the CUDA array interface; "
                    "CuPy or PyTorch, which read that, are not installed")


def is_fit(tensor: Any) -> bool:
    """Can a tensor of torch go to the library as it is?"""
    size = tensor.element_size()
    return tensor.is_contiguous() or distance_of(
        tuple(tensor.shape), tuple(size * step for step in tensor.stride()), size) is not None


class DeviceArray:
    """What the CUDA array interface tells, checked: C order, or one distance of components."""

    __slots__ = ("owner", "shape", "dtype", "distance", "stream", "address", "nbytes")

    def __init__(self, values: Any, name: str, write: bool = False) -> None:
        self.owner = _with_interface(values, name)
        told = self.owner.__cuda_array_interface__
        self.address, read_only = told["data"]
        self.shape, self.dtype = tuple(told["shape"]), np.dtype(told["typestr"])
        strides = told.get("strides")
        self._check(told, name)
        if write and read_only:
            raise ValueError(f"{name}: is read-only")
        distance: Optional[int] = 0
        if strides and 0 not in self.shape:
            distance = distance_of(self.shape, tuple(strides), self.dtype.itemsize)
        if distance is None:
            raise ValueError(f"{name}: has shape {self.shape} and strides {tuple(strides)}; in "
                             "device memory it must be in C order, or have one distance between "
                             "all components: a contiguous copy would do")
        self.distance = distance
        rows = math.prod(self.shape[:-1])
        size = self.shape[-1] if self.shape else 1
        self.nbytes = self.dtype.itemsize * (max(rows - 1, 0) * (distance or size) + size)
        library = _library(values)
        stream = library.stream(self.owner) if library else None
        self.stream = told.get("stream") if stream is None else stream

    def _check(self, told: Dict[str, Any], name: str) -> None:
        if told.get("mask") is not None:
            raise ValueError(f"{name}: has a mask; arrays in device memory must not")
        if self.dtype not in REAL_OF and self.dtype not in COMPLEX_OF:
            raise TypeError(f"{name}: has type {self.dtype}; in device memory it must be float32, "
                            "float64, complex64 or complex128")
        if self.address % self.dtype.itemsize:
            raise ValueError(f"{name}: is not aligned to {self.dtype.itemsize} bytes")

    @property
    def pointer(self) -> Any:
        """For a `double *` or a `float *`."""
        kind = "double *" if self.dtype.char in "dD" else "float *"
        return ffi.cast(kind, self.address)



def placed(values: Any, name: str, device: str, dtype: Any) -> DeviceArray:
    """An array in device memory that a plan is made from, of rows of one distance."""
    if device == "cpu":
        raise ValueError(f"{name}: is in device memory, but the plan is for the CPU; "
                         "device='cuda' makes one for the GPU")
    array = DeviceArray(values, name)
    if array.dtype != dtype:
        raise TypeError(f"{name}: has type {array.dtype}, must have {np.dtype(dtype)} in device "
                        "memory")
    return array


class _HostArray:
    """The same of an array of NumPy: an input (numpy.ndarray) or an output."""

    __slots__ = ("shape", "dtype", "distance", "pointer", "_kept")
    stream: Optional[int] = None

    def __init__(self, values: Union[np.ndarray, Output]) -> None:
        if isinstance(values, Output):
            array, self.distance = values.array, values.distance
        else:
            array, self.distance = input_buffer(values)
        self.shape, self.dtype, self.pointer = array.shape, array.dtype, pointer(array)
        self._kept = array

_Array = Union[DeviceArray, _HostArray]


# --- One call -------------------------------------------------------------------------------------

class Side(NamedTuple):
    """Input or output of an operator: its name among the arguments, the shapes that it may have,
    whether its numbers are complex, and whether the library writes every place of it."""

    name: str
    shapes: MapShape
    is_complex: bool
    dense: bool

    @property
    def is_alm(self) -> bool:
        """Does exec->alm_distance count for it? Maps of complex fields are complex as well."""
        return self.name == "alm"


def coefficients(tail: Tuple[int, ...], dense: bool) -> Side:
    """Of a plan whose alm_shape this is."""
    return Side("alm", MapShape(math.prod(tail[:-1]), tail[-1], None, False), True, dense)


class Operator(NamedTuple):
    """An operator of a plan. function: that of the library for a type of real numbers; first: its
    arguments before the arrays; between: those between them; copies: what the output's shape begins
    with; missing: what is done about missing values of an input of the host. Those of a GPU's
    memory are not looked at, unless by_host: the host runs the calls, and has copies."""

    device: str
    function: Callable[[np.dtype], Any]
    first: Tuple[Any, ...]
    given: Side
    made: Side
    copies: Tuple[int, ...] = ()
    between: Tuple[Any, ...] = ()
    missing: int = 0
    by_host: bool = False

    @property
    def has_one_distance(self) -> bool:
        """From map to map: the library takes the same distance for both arrays."""
        return not (self.given.is_complex or self.made.is_complex)


def _source(values: Any, side: Side, compact: bool) -> _Array:
    if not is_device_array(values):
        taken = (as_alm if side.is_complex else as_map)(values, side.name)
        host = side.shapes.line(taken)
        return _HostArray(np.ascontiguousarray(host) if compact else host)
    source = DeviceArray(values, side.name)
    side.shapes.device_line(source, side.name)
    types = REAL_OF if side.is_complex else COMPLEX_OF
    if source.dtype not in types:
        raise TypeError(f"{side.name}: has type {source.dtype}, must have "
                        f"{' or '.join(str(known) for known in types)} in device memory")
    return source


def _new(source: _Array, shape: Tuple[int, ...], dtype: np.dtype, dense: bool) -> Any:
    assert isinstance(source, DeviceArray)
    library = _library(source.owner)
    if library is None:
        kind = type(source.owner).__name__
        raise TypeError(f"out: must be given, as arrays like {kind} can only be made by their own "
                        "library (here those of CuPy, PyTorch, Numba are)")
    return library.new(source.owner, shape, dtype, dense)


def _target(out: Any, shape: Tuple[int, ...], dtype: np.dtype, side: Side) -> DeviceArray:
    if _is_marked(out):
        raise ValueError("out: is marked as a conjugate or a negative of its memory")
    target = DeviceArray(out, "out", True)
    side.shapes.device_line(target, "out")
    if target.dtype != dtype:
        raise TypeError(f"out: has type {target.dtype}, must have {dtype}")
    if target.shape != shape:
        raise ValueError(f"out: has shape {target.shape}, must have {shape}")
    return target


def _check_apart(source: _Array, target: _Array, name: str) -> None:
    if not isinstance(source, DeviceArray) or not isinstance(target, DeviceArray):
        return
    if (source.address < target.address + target.nbytes
            and target.address < source.address + source.nbytes):
        raise ValueError(f"out: lies on the memory of {name}, must lie apart from it")


def _place(source: _Array, target: _Array, of: Operator) -> Place:
    """Where the arrays are, and the one stream that they name. 1 is CUDA's other name for 0."""
    streams = {0 if array.stream == 1 else array.stream
               for array in (source, target) if array.stream is not None}
    if len(streams) > 1:
        raise ValueError(f"out: is on another stream than {of.given.name} ({target.stream}, not "
                         f"{source.stream}); both must be on one")
    both = isinstance(source, DeviceArray) and isinstance(target, DeviceArray)
    return Place(lib.ARMILLA_MEMORY_DEVICE if both else lib.ARMILLA_MEMORY_ASK,
                 streams.pop() if streams else 0, not of.by_host)


def _distances(of: Operator, source: _Array, target: _Array) -> Tuple[int, int]:
    """Of coefficients and of maps."""
    if not of.has_one_distance:
        pair = source.distance, target.distance
        return pair if of.given.is_alm else pair[::-1]
    npix = of.given.shapes.flat[-1]
    if (source.distance or npix) != (target.distance or npix):
        raise ValueError(f"out: has {target.distance or npix} values from one component to the "
                         f"next, {of.given.name} has {source.distance or npix}; where one of them "
                         "is in device memory both must have as many: contiguous arrays would do")
    return 0, source.distance


def check_host(what: str, **arrays: Any) -> None:
    """For calls that work on arrays of the host alone."""
    for name, values in arrays.items():
        if is_device_array(values):
            raise NotImplementedError(f"{name}: is in device memory, but {what} of the host")


def apply(of: Operator, values: Any, out: Any, nthreads: int, progress: Any) -> Any:
    """An operator where input or output is in device memory."""
    if of.device == "cpu":
        raise ValueError(f"{of.given.name if is_device_array(values) else 'out'}: is in device "
                         "memory, but the plan is for the CPU; device='cuda' makes one for the GPU")
    side, line = of.made, out
    source = _source(values, of.given, of.has_one_distance)
    lead = of.copies + leading_shape(source, of.given.shapes.flat, of.given.name)
    real = REAL_OF.get(source.dtype, source.dtype)
    dtype, tail = COMPLEX_OF[real] if side.is_complex else real, side.shapes.flat
    host: Optional[Output] = None
    if out is None:
        out = line = _new(source, lead + side.shapes.device_tail(), dtype, side.dense)
    if not is_device_array(out):
        line = side.shapes.output(out, lead)
        host = Output(line, lead + tail, dtype, side.dense)
        if of.has_one_distance:
            host.compact()
    target = _HostArray(host) if host else _target(out, lead + tail, dtype, side)
    ntrans = math.prod(lead[len(of.copies):])
    if ntrans:
        _check_apart(source, target, of.given.name)
        execute(of.function(real), (*of.first, source.pointer, *of.between, target.pointer),
                ntrans, nthreads, progress, *_distances(of, source, target),
                _place(source, target, of),
                of.missing if of.by_host or isinstance(source, _HostArray) else 0)
    return out if host is None else side.shapes.result(host.finish(), line, out)


def transform(plan: Any, name: str, to_map: bool, values: Any, out: Any, nthreads: int,
              progress: Any, missing: int = 0) -> Any:
    """The same of a plan for rings."""
    sides = (coefficients(plan.alm_shape, plan._alm_dense),
             Side("map", plan._maps, False, plan._map_dense))
    given, made = sides if to_map else sides[::-1]
    return apply(Operator(plan.device, lambda real: plan._functions[name, real], (plan._sht,),
                          given, made, missing=missing, by_host=plan._by_host), values, out,
                 nthreads, progress)
