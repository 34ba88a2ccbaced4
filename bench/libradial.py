"""Radial kernels of the public C API, as far as the benchmarks use them; see libarmilla.py."""
import ctypes as C

from libarmilla import Exec


class RadialOptions(C.Structure):
    _fields_ = [("size", C.c_size_t), ("support", C.c_double), ("truncation_error", C.c_double),
                ("mode", C.c_int), ("normalization", C.c_int), ("method", C.c_int),
                ("isa", C.c_char_p), ("room", C.c_byte * 128)]


class RadialDescription(C.Structure):
    _fields_ = [("size", C.c_size_t), ("isa", C.c_char_p), ("method", C.c_char_p),
                ("normalization", C.c_char_p), ("support", C.c_double),
                ("truncation_error", C.c_double), ("integral", C.c_double),
                ("width", C.c_double), ("pixel", C.c_double), ("nrings", C.c_int64),
                ("npix", C.c_int64), ("pairs", C.c_int64), ("plan_bytes", C.c_int64),
                ("workspace_bytes", C.c_int64)]


METHODS = {"fastest": 0, "pixels": 1, "rings": 2}


class Radial:
    """An armilla_radial: a Gaussian beam of a full width at half maximum (radians) on the grid that
    new_grid(library) makes. support: None for the one that armilla_radial_new chooses."""

    def __init__(self, library, new_grid, fwhm, support=None, method="fastest"):
        self.library, self.handle = library, C.c_void_p()
        kernel, grid, options = C.c_void_p(), new_grid(library), RadialOptions()
        library.lib.armilla_radial_options_init(C.byref(options))
        options.support, options.method = support or 0.0, METHODS[method]
        library.call("armilla_kernel_new_gaussian", C.c_double(fwhm), C.byref(kernel))
        try:
            library.call("armilla_radial_new", grid, kernel, C.byref(options),
                         C.byref(self.handle))
        finally:
            library.lib.armilla_kernel_free(kernel)
            library.free_grid(grid)

    def __del__(self):
        if self.handle:
            self.library.lib.armilla_radial_free(self.handle)

    def describe(self, nthreads=1):
        d = RadialDescription()
        d.size = C.sizeof(d)
        self.library.call("armilla_radial_describe", self.handle, C.c_int(nthreads), C.byref(d))
        names = ("support", "truncation_error", "pairs", "plan_bytes", "workspace_bytes")
        return dict({name: getattr(d, name) for name in names},
                    isa=d.isa.decode(), method=d.method.decode())

    def compare(self, plan):
        """(seconds of this convolution, of harmonic smoothing by an armilla_sht), by the model."""
        mine, harmonic = C.c_double(), C.c_double()
        self.library.call("armilla_radial_compare", self.handle, plan.handle, C.byref(mine),
                          C.byref(harmonic))
        return mine.value, harmonic.value

    def bind(self, source, target, nthreads=1):
        """A function without arguments that convolves one map."""
        function = self.library.lib.armilla_radial_convolve
        how = Exec()
        self.library.lib.armilla_exec_init(C.byref(how))
        how.nthreads = nthreads
        arguments = (self.handle, C.c_void_p(source.ctypes.data),
                     C.c_void_p(target.ctypes.data), C.byref(how))
        message = self.library.lib.armilla_status_message

        def run(keep=(self, source, target, how)):  # alive as long as the run is
            if function(*arguments):
                raise RuntimeError(f"convolve: {message().decode()}")
        return run
