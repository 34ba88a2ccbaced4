#!/usr/bin/env python3
"""Checks transforms of arrays that PyTorch and CuPy have on the GPU, on streams of theirs.

Usage: gpu_arrays.py [--small] LIBRARY RESULTS.JSONL

LIBRARY is libgpu_check.so of the bundle (bench/gpu/problem.c). The bits must be those of calls with
arrays of the host. Needs nothing but Python; a package that is not there is named. Exits with 1
where bits differ, 2 where a call fails, 3 where neither package is there.
"""
import ctypes
import importlib
import json
import os
import sys

NAN = float("nan")


class Torch:
    """Arrays of doubles by PyTorch."""

    def __init__(self):
        self.torch = importlib.import_module("torch")
        if not self.torch.cuda.is_available():
            raise ImportError("PyTorch has no GPU")

    def put(self, data):
        host = self.torch.frombuffer(bytearray(data), dtype=self.torch.float64)
        return host.to("cuda")

    def nans(self, count):
        return self.torch.full((count,), NAN, dtype=self.torch.float64, device="cuda")

    def stream(self):
        return self.torch.cuda.Stream()

    @staticmethod
    def wait_for_default(stream):
        """The arrays were made on the default stream."""
        stream.wait_stream(importlib.import_module("torch").cuda.current_stream())

    @staticmethod
    def handle(stream):
        return stream.cuda_stream

    @staticmethod
    def pointer(array):
        return array.data_ptr()

    @staticmethod
    def get(array):
        host = array.cpu()
        return ctypes.string_at(host.data_ptr(), 8 * host.numel())


class CuPy:
    """The same by CuPy."""

    def __init__(self):
        self.cupy = importlib.import_module("cupy")
        if self.cupy.cuda.runtime.getDeviceCount() < 1:
            raise ImportError("CuPy has no GPU")

    def put(self, data):
        array = self.cupy.empty(len(data) // 8, dtype="f8")
        kept = ctypes.create_string_buffer(data, len(data))
        array.data.copy_from_host(ctypes.c_void_p(ctypes.addressof(kept)), len(data))
        return array

    def nans(self, count):
        return self.cupy.full(count, NAN, dtype="f8")

    def stream(self):
        return self.cupy.cuda.Stream(non_blocking=True)

    def wait_for_default(self, stream):
        del stream
        self.cupy.cuda.get_current_stream().synchronize()

    @staticmethod
    def handle(stream):
        return stream.ptr

    @staticmethod
    def pointer(array):
        return array.data.ptr

    @staticmethod
    def get(array):
        kept = ctypes.create_string_buffer(array.nbytes)
        array.data.copy_to_host(ctypes.c_void_p(ctypes.addressof(kept)), array.nbytes)
        return kept.raw


class Transform:
    """The plan, what it is given, and what calls with arrays of the host make of it."""

    def __init__(self, library, lmax):
        self.c = library
        self.c.gpu_arrays_open.restype = self.c.gpu_arrays_host.restype = ctypes.c_void_p
        self.c.gpu_arrays_count.restype = ctypes.c_int64
        self.plan = ctypes.c_void_p(self.c.gpu_arrays_open(ctypes.c_int64(lmax)))
        self.counts = [self.c.gpu_arrays_count(self.plan, is_map) for is_map in (0, 1)]
        self.given = [ctypes.string_at(self.c.gpu_arrays_host(self.plan, is_map),
                                       8 * self.counts[is_map]) for is_map in (0, 1)]
        self.wanted = [self._on_host(to_map) for to_map in (0, 1)]

    def _on_host(self, to_map):
        given = ctypes.create_string_buffer(self.given[1 - to_map])
        made = ctypes.create_string_buffer(8 * self.counts[to_map])
        self.run(to_map, ctypes.addressof(given), ctypes.addressof(made), 0, None)
        return made.raw

    def run(self, to_map, given, made, on_device, stream):
        status = self.c.gpu_arrays_run(self.plan, to_map, ctypes.c_void_p(given),
                                       ctypes.c_void_p(made), on_device, ctypes.c_void_p(stream))
        if status:
            sys.exit(2)


def same_bits(transform, kind, to_map, own_stream):
    given = kind.put(transform.given[1 - to_map])
    made = kind.nans(transform.counts[to_map])
    stream = kind.stream() if own_stream else None
    if stream:
        kind.wait_for_default(stream)
    transform.run(to_map, kind.pointer(given), kind.pointer(made), 1,
                  kind.handle(stream) if stream else None)
    if stream:
        stream.synchronize()
    return kind.get(made) == transform.wanted[to_map]


def check(transform, kind, results):
    name, wrong = type(kind).__name__, 0
    for to_map in (1, 0):
        for own_stream in (False, True):
            key = (f"arrays of {name}, {'synthesis' if to_map else 'analysis'}, "
                   f"{'a stream of its own' if own_stream else 'the default stream'}")
            same = same_bits(transform, kind, to_map, own_stream)
            row = {"step": "arrays", "key": key, "value": int(same), "unit": "same bits"}
            results.write(json.dumps(row) + "\n")
            results.flush()
            print(f"{'=' if same else '!'} {key}: {'the same bits' if same else 'OTHER BITS'}",
                  flush=True)
            wrong += not same
    return wrong


def main():
    arguments = [a for a in sys.argv[1:] if a != "--small"]
    if len(arguments) != 2:
        sys.exit(__doc__)
    kinds = []
    for kind in (Torch, CuPy):
        try:
            kinds.append(kind())
        except Exception as error:  # a package may fail in ways of its own
            print(f"= {kind.__name__} is not there: {error}", flush=True)
    if not kinds:
        return 3
    library = ctypes.CDLL(os.path.abspath(arguments[0]))
    transform = Transform(library, 15 if "--small" in sys.argv else 511)
    with open(arguments[1], "a", encoding="utf-8") as results:
        wrong = sum(check(transform, kind, results) for kind in kinds)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
