"""A stand-in for XLA that calls the package's functions for it, in any version of its interface and
with arrays anywhere: what no JAX on this machine does."""
import sys
from pathlib import Path

import cffi
import numpy as np

from armilla._native import ffi as own_ffi
from armilla._native import lib

BINDINGS = Path(__file__).resolve().parents[1] / "bindings"
sys.path.append(str(BINDINGS))
from declarations import declarations  # noqa: E402

ffi = cffi.FFI()
ffi.cdef(declarations((BINDINGS / "xla_abi.h").read_text()))
TYPES = {np.dtype(name): number for name, number in
         (("i8", 5), ("f4", 11), ("f8", 12), ("c8", 15), ("c16", 18))}
INSTANTIATE, EXECUTE = 0, 3
OPERATOR, OPERATOR_ON_GPU, POSITIONS, _, POSITIONS_ON_GPU = range(5)
OPERATORS = ("synthesis", "adjoint_synthesis", "analysis", "adjoint_analysis")


class Array:
    """An array by its address, wherever that is."""

    def __init__(self, address, shape, dtype, keep=None):
        self.address, self.shape, self.dtype = address, tuple(shape), np.dtype(dtype)
        self.keep = keep


def of_numpy(array):
    return Array(array.ctypes.data, array.shape, array.dtype, array)


class XlaError(Exception):
    """code, text"""


class StandIn:
    """XLA of one minor version. states: those that functions have given, and how to free them."""

    def __init__(self, minor, stream=0):
        self.states, self.types, self._errors = [], [], []
        self._keep = self._functions(minor, stream)
        self._api = ffi.new("xla_api *", {"version": {"major": 0, "minor": minor}, **self._keep})

    def _functions(self, minor, stream):
        @ffi.callback("xla_error *(xla_error_request *)")
        def new_error(request):
            self._errors.append(XlaError(request.code, ffi.string(request.message).decode()))
            return ffi.cast("xla_error *", len(self._errors))

        @ffi.callback("xla_error *(xla_stream_request *)")
        def get_stream(request):
            request.stream = ffi.cast("void *", stream)
            return ffi.NULL

        @ffi.callback("xla_error *(xla_type_request *)")
        def new_type(request):
            assert request.size == (40 if minor < 2 else 48)
            self.types.append(request.info.release if minor > 1 else None)
            request.type.number = 77
            return ffi.NULL

        @ffi.callback("xla_error *(void *)")
        def set_state(request):
            kind = "xla_state_request_3 *" if minor == 3 else "xla_state_request_1 *"
            request = ffi.cast(kind, request)
            assert request.size == 48 if minor != 2 else 40
            assert request.type.number == 77
            self.states.append((request.state, request.release if minor == 1 else None))
            return ffi.NULL

        return {"new_error": new_error, "get_stream": get_stream, "new_type": new_type,
                "set_state": set_state}

    def _arrays(self, arrays, kept):
        buffers = []
        for array in arrays:
            dims = ffi.new("int64_t[]", list(array.shape))
            buffers.append(ffi.new("xla_buffer *", {
                "dtype": TYPES[array.dtype], "data": ffi.cast("void *", array.address),
                "rank": len(array.shape), "dims": dims}))
            kept.append(dims)
        types, pointers = ffi.new("int[]", [1] * len(buffers)), ffi.new("void *[]", buffers)
        kept += [buffers, types, pointers]
        return {"count": len(buffers), "types": types, "arrays": pointers}

    def _constants(self, constants, kept):
        names, values = [], []
        for name, value in sorted(constants.items()):
            text = ffi.new("char[]", name.encode())
            number = np.array(value)
            names.append(ffi.new("xla_name *", {"text": text, "length": len(name)}))
            values.append(ffi.new("xla_scalar *", {
                "dtype": TYPES[number.dtype], "value": ffi.cast("void *", number.ctypes.data)}))
            kept += [text, number]
        tables = ffi.new("int[]", [3] * len(names)), ffi.new("xla_name *[]", names), \
            ffi.new("void *[]", values)
        kept += [names, values, tables]
        return {"count": len(names), "types": tables[0], "names": tables[1], "values": tables[2]}

    def call(self, number, stage, arguments=(), results=(), **constants):
        """Calls function `number`; raises its error."""
        kept = []
        call = ffi.new("xla_call *", {
            "api": self._api, "stage": stage, "arguments": self._arrays(arguments, kept),
            "results": self._arrays(results, kept),
            "attributes": self._constants(constants, kept)})
        error = function(number)(call)
        if error != ffi.NULL:
            raise self._errors[int(ffi.cast("intptr_t", error)) - 1]


def function(number):
    address = int(own_ffi.cast("intptr_t", lib.armilla_python_xla_function(number)))
    return ffi.cast("xla_error *(*)(xla_call *)", address)


def version_told(number):
    """What a function answers when XLA asks for its version."""
    metadata = ffi.new("xla_metadata *")
    request = ffi.new("xla_metadata_request *",
                      {"extension": {"type": 1}, "metadata": metadata})
    call = ffi.new("xla_call *", {"extensions": ffi.cast("xla_extension *", request)})
    assert function(number)(call) == ffi.NULL
    return metadata.version.major, metadata.version.minor
