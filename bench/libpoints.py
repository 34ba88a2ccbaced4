"""Arbitrary points of the public C API, as far as the benchmarks use them; see libarmilla.py."""
import ctypes as C

from libarmilla import Exec


class PointsOptions(C.Structure):
    _fields_ = [("size", C.c_size_t), ("spin", C.c_int64), ("layout", C.c_void_p),
                ("isa", C.c_char_p), ("mode", C.c_int), ("spin_method", C.c_int),
                ("epsilon", C.c_double), ("derivatives", C.c_int64), ("nthreads", C.c_int),
                ("room", C.c_byte * 128)]


class PointsDescription(C.Structure):
    _fields_ = [("size", C.c_size_t), ("isa", C.c_char_p), ("lmax", C.c_int64),
                ("mmax", C.c_int64), ("npoints", C.c_int64), ("ncomp", C.c_int64),
                ("alm_ncomp", C.c_int64), ("alm_size", C.c_int64), ("epsilon", C.c_double),
                ("nrings", C.c_int64), ("nphi", C.c_int64), ("taps", C.c_int64),
                ("plan_bytes", C.c_int64), ("workspace_bytes", C.c_int64)]


class Points:
    """An armilla_points. problem: lmax, spin, epsilon, loc."""

    def __init__(self, library, problem, epsilon=None, nthreads=1):
        self.library, self.handle = library, C.c_void_p()
        options = PointsOptions()
        library.lib.armilla_points_options_init(C.byref(options))
        options.spin, options.epsilon = problem.spin, epsilon or problem.epsilon
        options.nthreads = nthreads
        library.call("armilla_points_new", C.c_int64(problem.lmax), C.c_int64(problem.lmax),
                     C.c_int64(problem.npix), C.c_void_p(problem.loc.ctypes.data),
                     C.byref(options), C.byref(self.handle))

    def __del__(self):
        if self.handle:
            self.library.lib.armilla_points_free(self.handle)

    def describe(self, nthreads=1):
        d = PointsDescription()
        d.size = C.sizeof(d)
        self.library.call("armilla_points_describe", self.handle, C.c_int(nthreads), C.byref(d))
        names = ("nrings", "nphi", "taps", "plan_bytes", "workspace_bytes")
        return dict({name: getattr(d, name) for name in names}, isa=d.isa.decode())

    def run(self, operator, source, target, nthreads=1):
        """One transform."""
        how = Exec()
        self.library.lib.armilla_exec_init(C.byref(how))
        how.nthreads = nthreads
        self.library.call("armilla_points_" + operator, self.handle,
                          C.c_void_p(source.ctypes.data), C.c_void_p(target.ctypes.data),
                          C.byref(how))
