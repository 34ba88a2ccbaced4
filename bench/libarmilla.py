"""Calls the public C API of Armilla through ctypes: grids, and plans of transforms, of arbitrary
points and of radial convolution, as far as the benchmarks use them."""
import ctypes as C
import os

import numpy as np

EQUIDISTANT = {"CC": 4, "F1": 5, "MW": 8, "MWSS": 9, "MWFLIP": 10}  # armilla_grid_kind
RADIAL_METHODS = {"fastest": 0, "pixels": 1, "rings": 2}
TYPES = {"i": C.c_int64, "d": C.c_double, "n": C.c_int, "s": C.c_char_p, "p": C.c_void_p}


def struct(name, fields):
    """A struct of the API that begins with its size. fields: words such as "i:spin", the letter
    from TYPES. The room behind them is for what an older library's init writes, which takes the
    size of its own struct."""
    pairs = [word.split(":") for word in fields.split()]
    members = [("size", C.c_size_t)] + [(field, TYPES[kind]) for kind, field in pairs]
    return type(name, (C.Structure,), {"_fields_": members + [("room", C.c_int64 * 16)]})


Exec = struct("Exec", "n:nthreads i:ntrans i:alm_distance i:map_distance p:progress "
              "p:progress_data")
OPTIONS = {
    "sht": struct("ShtOptions", "i:spin p:layout s:isa n:mode n:method n:spin_method"),
    "points": struct("PointsOptions", "i:spin p:layout s:isa n:mode n:spin_method d:epsilon "
                     "i:derivatives n:nthreads"),
    "radial": struct("RadialOptions", "d:support d:truncation_error n:mode n:normalization "
                     "n:method s:isa"),
}
DESCRIPTIONS = {
    "sht": struct("ShtDescription", "s:backend s:isa s:method i:lmax i:mmax i:nrings i:npix "
                  "i:alm_size i:ncomp i:plan_bytes i:workspace_bytes d:useful_flops i:alm_ncomp"),
    "points": struct("PointsDescription", "s:isa i:lmax i:mmax i:npoints i:ncomp i:alm_ncomp "
                     "i:alm_size d:epsilon i:nrings i:nphi i:taps i:plan_bytes i:workspace_bytes"),
    "radial": struct("RadialDescription", "s:isa s:method s:normalization d:support "
                     "d:truncation_error d:integral d:width d:pixel i:nrings i:npix i:pairs "
                     "i:plan_bytes i:workspace_bytes"),
}
TOLD = {  # of a description, what results keep
    "sht": ("isa", "method", "plan_bytes", "workspace_bytes", "useful_flops"),
    "points": ("isa", "nrings", "nphi", "taps", "plan_bytes", "workspace_bytes"),
    "radial": ("isa", "method", "support", "truncation_error", "pairs", "plan_bytes",
               "workspace_bytes"),
}


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

    def defaults(self, kind, name):
        """A struct with its default values. Older libraries have no init that is told the size."""
        filled, function = kind(), f"armilla_{name}_init"
        if hasattr(self.lib, function + "_sized"):
            getattr(self.lib, function + "_sized")(C.byref(filled), C.c_size_t(kind.room.offset))
        else:
            getattr(self.lib, function)(C.byref(filled))
        return filled

    def how(self, nthreads, ntrans=1):
        filled = self.defaults(Exec, "exec")
        filled.nthreads, filled.ntrans = nthreads, ntrans
        return filled

    def instruction_sets(self):
        """Those of this machine that the library has kernels for."""
        found = []
        while True:
            name = self.lib.armilla_isa_available(C.c_int(len(found)))
            if name is None:
                return found
            found.append(name.decode())

    def new_grid(self, family, *arguments):
        grid = C.c_void_p()
        self.call("armilla_grid_new_" + family, *arguments, C.byref(grid))
        return grid

    def gauss_legendre(self, nrings, nphi):
        return self.new_grid("gauss_legendre", C.c_int64(nrings), C.c_int64(nphi))

    def healpix(self, nside):
        return self.new_grid("healpix", C.c_int64(nside))

    def equidistant(self, geometry, nrings, nphi):
        return self.new_grid("equidistant", C.c_int(EQUIDISTANT[geometry]), C.c_int64(nrings),
                             C.c_int64(nphi))


class Handle:
    """A plan of the API: an armilla_sht, armilla_points or armilla_radial, by the word `what`."""
    what = None

    def __init__(self, library, **options):
        self.library, self.handle = library, C.c_void_p()
        self.options = library.defaults(OPTIONS[self.what], f"{self.what}_options")
        for name, value in options.items():
            setattr(self.options, name, value)

    def make(self, *arguments):
        self.library.call(f"armilla_{self.what}_new", *arguments, C.byref(self.options),
                          C.byref(self.handle))

    def __del__(self):
        if self.handle:
            getattr(self.library.lib, f"armilla_{self.what}_free")(self.handle)

    def describe(self, nthreads=1):
        d = DESCRIPTIONS[self.what]()
        d.size = type(d).room.offset
        self.library.call(f"armilla_{self.what}_describe", self.handle, C.c_int(nthreads),
                          C.byref(d))
        values = {name: getattr(d, name) for name in TOLD[self.what]}
        return {name: value.decode() if isinstance(value, bytes) else value
                for name, value in values.items()}

    def bind(self, operator, source, target, nthreads=1):
        """A function without arguments that runs the operator from one array to the other: as many
        transforms as their first axis has."""
        function = getattr(self.library.lib, f"armilla_{self.what}_{operator}")
        how = self.library.how(nthreads, len(source))
        arguments = (self.handle, C.c_void_p(source.ctypes.data),
                     C.c_void_p(target.ctypes.data), C.byref(how))
        message = self.library.lib.armilla_status_message

        def run(keep=(self, source, target, how)):  # alive as long as the run is
            if function(*arguments):
                raise RuntimeError(f"{operator}: {message().decode()}")
        return run


class Plan(Handle):
    """A transform for a problem (problems.py). isa: instruction set, or None for the default."""
    what = "sht"

    def __init__(self, library, problem, isa=None):
        super().__init__(library, spin=problem.spin, isa=isa.encode() if isa else None)
        grid, lmax = problem.new_grid(library), C.c_int64(problem.lmax)
        try:
            self.make(grid, lmax, lmax)
        finally:
            library.lib.armilla_grid_free(grid)


class Points(Handle):
    """Transforms to arbitrary points. problem: lmax, spin, epsilon, loc."""
    what = "points"

    def __init__(self, library, problem, epsilon=None, nthreads=1):
        super().__init__(library, spin=problem.spin, epsilon=epsilon or problem.epsilon,
                         nthreads=nthreads)
        lmax = C.c_int64(problem.lmax)
        self.make(lmax, lmax, C.c_int64(problem.npix), C.c_void_p(problem.loc.ctypes.data))


class Radial(Handle):
    """Convolution with a Gaussian beam of a full width at half maximum (radians) on a problem's
    grid. support: None for the one that armilla_radial_new chooses."""
    what = "radial"

    def __init__(self, library, problem, fwhm, support=None, method="fastest"):
        super().__init__(library, support=support or 0.0, method=RADIAL_METHODS[method])
        kernel, grid = C.c_void_p(), problem.new_grid(library)
        library.call("armilla_kernel_new_gaussian", C.c_double(fwhm), C.byref(kernel))
        try:
            self.make(grid, kernel)
        finally:
            library.lib.armilla_kernel_free(kernel)
            library.lib.armilla_grid_free(grid)

    def compare(self, plan):
        """(seconds of this convolution, of harmonic smoothing by a Plan), by the model."""
        mine, harmonic = C.c_double(), C.c_double()
        self.library.call("armilla_radial_compare", self.handle, plan.handle, C.byref(mine),
                          C.byref(harmonic))
        return mine.value, harmonic.value


def aligned_zeros(shape, dtype):
    """Zeros on a 64-byte boundary: no candidate shall lose by where numpy puts its arrays."""
    count = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(count + 64, dtype=np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start:start + count].view(dtype).reshape(shape)
