"""The public C API of Armilla, as far as the benchmarks use it, through ctypes."""
import ctypes as C
import os

import numpy as np


# armilla_grid_kind
EQUIDISTANT = {"CC": 4, "F1": 5, "MW": 8, "MWSS": 9, "MWFLIP": 10}


class Ring(C.Structure):
    _fields_ = [("theta", C.c_double), ("nphi", C.c_int64), ("phi0", C.c_double),
                ("offset", C.c_int64), ("stride", C.c_int64), ("weight", C.c_double)]


class ShtOptions(C.Structure):
    """The library's init writes as many bytes as its own struct has: `room` for later fields."""
    _fields_ = [("size", C.c_size_t), ("spin", C.c_int64), ("layout", C.c_void_p),
                ("isa", C.c_char_p), ("mode", C.c_int), ("method", C.c_int),
                ("spin_method", C.c_int), ("room", C.c_byte * 128)]


class Exec(C.Structure):
    _fields_ = [("size", C.c_size_t), ("nthreads", C.c_int), ("ntrans", C.c_int64),
                ("alm_distance", C.c_int64), ("map_distance", C.c_int64),
                ("progress", C.c_void_p), ("progress_data", C.c_void_p),
                ("room", C.c_byte * 128)]


class Description(C.Structure):
    _fields_ = [("size", C.c_size_t), ("backend", C.c_char_p), ("isa", C.c_char_p),
                ("method", C.c_char_p), ("lmax", C.c_int64), ("mmax", C.c_int64),
                ("nrings", C.c_int64), ("npix", C.c_int64), ("alm_size", C.c_int64),
                ("ncomp", C.c_int64), ("plan_bytes", C.c_int64), ("workspace_bytes", C.c_int64),
                ("useful_flops", C.c_double), ("alm_ncomp", C.c_int64)]


class Library:
    """libarmilla loaded from a path. Calls raise RuntimeError with the library's own message."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.lib = C.CDLL(self.path)
        for name in ("armilla_version", "armilla_isa_name", "armilla_status_message",
                     "armilla_isa_available"):
            getattr(self.lib, name).restype = C.c_char_p
        self.version = self.lib.armilla_version().decode()

    def call(self, name, *arguments):
        if getattr(self.lib, name)(*arguments):
            raise RuntimeError(f"{name}: {self.lib.armilla_status_message().decode()}")

    def instruction_sets(self):
        """Those of this machine that the library has kernels for."""
        found = []
        while True:
            name = self.lib.armilla_isa_available(C.c_int(len(found)))
            if name is None:
                return found
            found.append(name.decode())

    def gauss_legendre(self, nrings, nphi):
        grid = C.c_void_p()
        self.call("armilla_grid_new_gauss_legendre", C.c_int64(nrings), C.c_int64(nphi),
                  C.byref(grid))
        return grid

    def healpix(self, nside):
        grid = C.c_void_p()
        self.call("armilla_grid_new_healpix", C.c_int64(nside), C.byref(grid))
        return grid

    def equidistant(self, geometry, nrings, nphi):
        grid = C.c_void_p()
        self.call("armilla_grid_new_equidistant", C.c_int(EQUIDISTANT[geometry]),
                  C.c_int64(nrings), C.c_int64(nphi), C.byref(grid))
        return grid

    def free_grid(self, grid):
        self.lib.armilla_grid_free(grid)

    def plan(self, problem, isa=None):
        """A plan for a problem (problems.py). isa: instruction set, or None for the default."""
        grid = problem.new_grid(self)
        try:
            return Plan(self, grid, problem, isa)
        finally:
            self.free_grid(grid)


class Plan:
    """An armilla_sht."""

    def __init__(self, library, grid, problem, isa):
        self.library, self.handle = library, C.c_void_p()
        options = ShtOptions()
        library.lib.armilla_sht_options_init(C.byref(options))
        options.spin = problem.spin
        options.isa = isa.encode() if isa else None
        library.call("armilla_sht_new", grid, C.c_int64(problem.lmax), C.c_int64(problem.lmax),
                     C.byref(options), C.byref(self.handle))

    def __del__(self):
        if self.handle:
            self.library.lib.armilla_sht_free(self.handle)

    def describe(self, nthreads=1):
        d = Description()
        d.size = C.sizeof(d)
        self.library.call("armilla_sht_describe", self.handle, C.c_int(nthreads), C.byref(d))
        return {"isa": d.isa.decode(), "method": d.method.decode(), "plan_bytes": d.plan_bytes,
                "workspace_bytes": d.workspace_bytes, "useful_flops": d.useful_flops}

    def bind(self, operator, source, target, nthreads=1):
        """A function without arguments that runs the operator from one array to the other: as many
        transforms as their first axis has."""
        function = getattr(self.library.lib, "armilla_sht_" + operator)
        how = Exec()
        self.library.lib.armilla_exec_init(C.byref(how))
        how.nthreads, how.ntrans = nthreads, len(source)
        arguments = (self.handle, C.c_void_p(source.ctypes.data),
                     C.c_void_p(target.ctypes.data), C.byref(how))
        message = self.library.lib.armilla_status_message

        def run(keep=(self, source, target, how)):  # alive as long as the run is
            if function(*arguments):
                raise RuntimeError(f"{operator}: {message().decode()}")
        return run


def aligned_zeros(shape, dtype):
    """Zeros on a 64-byte boundary: no candidate shall lose by where numpy puts its arrays."""
    count = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(count + 64, dtype=np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start:start + count].view(dtype).reshape(shape)
