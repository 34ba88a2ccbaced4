"""Calls the libraries that are compared: Armilla and its peers ducc0, SHTns, healpy and libsharp.
Each offers, for a problem and an operator, one or more variants (its settings); a variant is
prepared once (its plan) and bound to arrays as Runs: call one to compute, `result()` gives the
output in common order. All but Armilla and ducc0 take their number of threads from OMP_NUM_THREADS,
which results.py sets."""
import contextlib
import ctypes as C
import ctypes.util
import os

import numpy as np

from libarmilla import Library, Plan, aligned_zeros
from problems import forget_low_degrees, outputs
from results import cpu_facts


class Run:
    """run: the timed call. refresh: restores an input that the call destroys (not timed), or None.
    result: output as maps in ring order from the north, or triangular alm. copy_bytes: memory that
    this driver adds to convert or refresh input; the library is not charged for it."""

    def __init__(self, run, result, refresh=None, info=None, copy_bytes=0):
        self.run, self.result, self.refresh = run, result, refresh
        self.info, self.copy_bytes = info or {}, copy_bytes


class Candidate:
    """variants(problem, operator): names of settings, none where it cannot.
    prepare(problem, operator, variant): a function from the input array to a Run. (Of Armilla and
    ducc0 it also takes an output array, else it makes one.)"""

    def make(self, problem, operator, variant, source):
        return self.prepare(problem, operator, variant)(source)


@contextlib.contextmanager
def stdout_to_stderr():
    """Also for what C code prints."""
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
        C.CDLL(None).fflush(None)
    finally:
        os.dup2(kept, 1)
        os.close(kept)


class Armilla(Candidate):
    name = "armilla"

    def __init__(self, path, threads=1):
        self.library, self.threads = Library(path), threads
        self.version = self.library.version

    def variants(self, problem, operator):
        return ["plan"]

    def prepare(self, problem, operator, variant):
        plan = Plan(self.library, problem)

        def bind(source, target=None):
            target = outputs(problem, operator) if target is None else target
            return Run(plan.bind(operator, source, target, self.threads), lambda: target,
                       info=plan.describe(self.threads))
        return bind


class OneByOne(Candidate):
    """A library that does the transforms of a problem one after the other, with one plan."""

    def __init__(self, library):
        self.library, self.version = library, library.version
        self.name = library.name + ", one by one"

    def variants(self, problem, operator):
        return self.library.variants(problem.times(1), operator)

    def prepare(self, problem, operator, variant):
        bind_one = self.library.prepare(problem.times(1), operator, variant)

        def bind(source, target=None):
            into = [()] * problem.ntrans if target is None else [
                (target[i:i + 1],) for i in range(problem.ntrans)]
            runs = [bind_one(source[i:i + 1], *into[i]) for i in range(problem.ntrans)]

            def run():
                for one in runs:
                    one.run()

            def refresh():
                for one in runs:
                    one.refresh()
            return Run(run, lambda: [one.result() for one in runs],
                       refresh if runs[0].refresh else None,
                       copy_bytes=sum(one.copy_bytes for one in runs))
        return bind


def common_result(run, problem, operator):
    """A copy of the output that can be compared."""
    shape = problem.map_shape if operator == "synthesis" else problem.alm_shape
    result = np.array(run.result()).reshape(shape)
    if operator != "synthesis":
        forget_low_degrees(result, problem)
    return result


# --- ducc0, SHTns, healpy -----------------------------------------------------------------------


class Ducc(Candidate):
    name = "ducc0"

    def __init__(self, threads=1):
        import ducc0
        self.sht, self.healpix, self.misc = ducc0.sht, ducc0.healpix, ducc0.misc
        self.version, self.threads = ducc0.__version__, threads

    def variants(self, problem, operator):
        if operator == "analysis" and self.geometry(problem) != "GL":
            return ["2d"]  # exact on equidistant rings; sums with weights are not
        plain = "2d" if problem.kind != "healpix" and problem.ntrans == 1 else "rings"
        return [plain, "theta_interpol"]

    @staticmethod
    def geometry(problem):
        """ducc0's name of the rings; those of MWSS are those of CC."""
        name = getattr(problem, "geometry", "GL")
        return {"MWSS": "CC", "MWFLIP": "MWflip"}.get(name, name)

    def prepare(self, problem, operator, variant):
        if variant == "2d":
            function = self.two_dimensional(problem, operator)
        else:
            function = self.on_rings(problem, operator, variant == "theta_interpol")

        def bind(source, target=None):
            target = outputs(problem, operator) if target is None else target
            return Run(function(source, target), lambda: target)
        return bind

    def two_dimensional(self, problem, operator):
        shape = (problem.ncomp, problem.nrings, problem.nphi)
        common = {"spin": problem.spin, "lmax": problem.lmax, "nthreads": self.threads,
                  "geometry": self.geometry(problem)}

        def synthesis(source, target):
            alm, values = source[0], target.reshape(shape)
            return lambda: self.sht.synthesis_2d(alm=alm, map=values, **common)

        def analysis(source, target):
            alm, values = target[0], source.reshape(shape)
            return lambda: self.sht.analysis_2d(alm=alm, map=values, **common)
        return synthesis if operator == "synthesis" else analysis

    def rings(self, problem):
        if problem.kind == "healpix":
            return self.healpix.Healpix_Base(problem.nside, "RING").sht_info()
        n = problem.nrings
        theta = self.misc.GL_thetas(n) if problem.kind == "gl" else problem.colatitudes
        return {"theta": theta, "nphi": np.full(n, problem.nphi, np.uint64),
                "phi0": np.zeros(n),
                "ringstart": np.arange(n, dtype=np.uint64) * np.uint64(problem.nphi)}

    def on_rings(self, problem, operator, interpolate):
        common = dict(self.rings(problem), spin=problem.spin, lmax=problem.lmax,
                      nthreads=self.threads, theta_interpol=interpolate)
        if operator == "analysis":
            weights = self.sht.get_gridweights("GL", problem.nrings) / problem.nphi
            common["ringfactor"] = weights

        def whole(array):  # without the axis of transforms where there is one
            return array[0] if problem.ntrans == 1 else array
        if operator == "synthesis":
            return lambda source, target: lambda: self.sht.synthesis(
                alm=whole(source), map=whole(target), **common)
        return lambda source, target: lambda: self.sht.adjoint_synthesis(
            alm=whole(target), map=whole(source), **common)


class Shtns(Candidate):
    """Scalar transforms, and the vector transform of spin 1: its two scalars are E and -B over
    sqrt(l (l + 1)), converted outside of the timed calls."""
    name = "shtns"
    LAYOUTS = {"phi": "SHT_PHI_CONTIGUOUS", "theta": "SHT_THETA_CONTIGUOUS"}

    def __init__(self, threads=1):
        with stdout_to_stderr():  # it greets when imported
            import shtns
        self.module, self.version = shtns, shtns.__version__
        self.functions = C.CDLL(shtns._shtns.__file__)
        build_info = self.functions.shtns_get_build_info
        build_info.restype = C.c_char_p
        self.with_avx512 = b"avx512" in build_info()

    def call(self, name, config, *arrays):
        """A function without arguments that calls SHTns' own, past its module, whose checks of the
        arrays take longer than ctypes: 0.4 us, a tenth of a transform at lmax 31."""
        function = getattr(self.functions, name)
        arguments = (C.c_void_p(int(config.this)), *(C.c_void_p(a.ctypes.data) for a in arrays))
        return lambda keep=(config, arrays): function(*arguments)

    def variants(self, problem, operator):
        """Layout of the map, and polar optimisation off or at its default."""
        if problem.kind != "gl" or problem.spin > 1 or problem.ntrans > 1:
            return []
        if self.with_avx512 and problem.nrings < 32:  # it would end the process
            return []
        return [f"{layout}, polar {polar}" for layout in self.LAYOUTS for polar in ("0", "1e-10")]

    def config(self, problem, layout, polar):
        """Tuned, not quick, initialisation. The constructor in Python also fills tables of l and m
        in an interpreted loop over all coefficients; this goes past it."""
        module = self.module
        config = module.sht.__new__(module.sht)
        handle = module._shtns.new_sht(problem.lmax, problem.lmax, 1, module.sht_orthonormal, 1)
        module._shtns.sht_swiginit(config, handle)
        flags = module.sht_gauss | getattr(module, self.LAYOUTS[layout])
        if not problem.spin:
            flags |= module.SHT_SCALAR_ONLY
        config.set_grid(problem.nrings, problem.nphi, flags=flags, polar_opt=float(polar))
        return config

    def prepare(self, problem, operator, variant):
        layout, polar = variant.split(", polar ")
        config = self.config(problem, layout, polar)
        make = self.bind_synthesis if operator == "synthesis" else self.bind_analysis
        return lambda source: make(problem, config, layout == "phi", source)

    def bind_synthesis(self, problem, config, along_phi, source):
        shape = (problem.ncomp,) + tuple(config.spat_shape)
        values = aligned_zeros(shape, np.float64)
        in_order = values if along_phi else values.transpose(0, 2, 1)
        if not problem.spin:
            return Run(self.call("SH_to_spat", config, source[0, 0], values[0]), lambda: in_order)
        native = aligned_zeros(source.shape, np.complex128)
        native[:] = source / spin_one_factor(problem.lmax)
        s, t = native[0]
        run = self.call("SHsphtor_to_spat", config, s, t, values[0], values[1])
        return Run(run, lambda: in_order, copy_bytes=native.nbytes)

    def bind_analysis(self, problem, config, along_phi, source):
        """The map is destroyed where it lies along theta."""
        target = outputs(problem, "analysis")
        rings = source.reshape(problem.ncomp, problem.nrings, problem.nphi)
        native = rings if along_phi else rings.transpose(0, 2, 1)
        values = aligned_zeros((problem.ncomp,) + tuple(config.spat_shape), np.float64)

        def refresh():
            values[:] = native
        refresh()
        if not problem.spin:
            run = self.call("spat_to_SH", config, values[0], target[0, 0])
            return Run(run, lambda: target, refresh, copy_bytes=values.nbytes)
        s, t = target[0]
        run = self.call("spat_to_SHsphtor", config, values[0], values[1], s, t)
        return Run(run, lambda: target * spin_one_factor(problem.lmax), refresh,
                   copy_bytes=values.nbytes)


def spin_one_factor(lmax):
    """sqrt(l (l + 1)) for each E, its negative for each B; 1 for l = 0, which spin 1 lacks."""
    degrees = np.concatenate([np.arange(m, lmax + 1) for m in range(lmax + 1)])
    factor = np.sqrt(degrees * (degrees + 1.0))
    factor[0] = 1.0
    return np.stack([factor, -factor])


class Healpy(Candidate):
    name = "healpy"

    def __init__(self, threads=1):
        import healpy
        self.module, self.version = healpy, healpy.__version__

    def variants(self, problem, operator):
        return ["iter 0"] if problem.kind == "healpix" and problem.ntrans == 1 else []

    def prepare(self, problem, operator, variant):
        function = self.transform(problem, operator)
        factor = 1.0 if operator == "synthesis" else problem.npix / (4.0 * np.pi)

        def bind(source):
            held, components = {}, list(source[0])

            def run():
                held["out"] = function(components)
            return Run(run, lambda: np.asarray(held["out"]) * factor)
        return bind

    def transform(self, problem, operator):
        module, nside, lmax, spin = self.module, problem.nside, problem.lmax, problem.spin
        if operator == "synthesis":
            if spin:
                return lambda alm: module.alm2map_spin(alm, nside, spin, lmax)
            return lambda alm: module.alm2map(alm[0], nside, lmax=lmax, pol=False)
        if spin:
            return lambda maps: module.map2alm_spin(maps, spin, lmax=lmax)
        return lambda maps: module.map2alm(maps[0], lmax=lmax, iter=0, pol=False)


# --- libsharp -----------------------------------------------------------------------------------

JOBS = {"analysis": 0, "synthesis": 1, "adjoint_synthesis": 2}
DOUBLE = 1 << 4  # SHARP_DP


class SharpPlan:
    """libsharp's description of a grid and of the coefficients."""

    def __init__(self, lib, problem):
        self.lib, self.grid, self.layout = lib, C.c_void_p(), C.c_void_p()
        lmax = C.c_int(problem.lmax)
        lib.sharp_make_triangular_alm_info(lmax, lmax, C.c_int(1), C.byref(self.layout))
        if problem.kind == "gl":
            lib.sharp_make_gauss_geom_info(C.c_int(problem.nrings), C.c_int(problem.nphi),
                                           C.c_double(0.0), C.c_int(1), C.c_int(problem.nphi),
                                           C.byref(self.grid))
        else:
            lib.sharp_make_weighted_healpix_geom_info(C.c_int(problem.nside), C.c_int(1), None,
                                                      C.byref(self.grid))

    def __del__(self):
        self.lib.sharp_destroy_geom_info(self.grid)
        self.lib.sharp_destroy_alm_info(self.layout)


def pointers(array):
    """C array of pointers to the components."""
    return (C.c_void_p * len(array))(*[component.ctypes.data for component in array])


class Libsharp(Candidate):
    """Through ctypes: the package of the distribution (Debian: libsharp-dev), or the file that
    LIBSHARP names."""
    name = "libsharp"

    def __init__(self, threads=1):
        path = os.environ.get("LIBSHARP")
        if not path and os.environ.get("ARMILLA_ISA") == "avx2" and "avx512f" in cpu_facts()[1]:
            raise OSError("the distribution's takes AVX-512 here, whatever it is told: no peer of "
                          "avx2; LIBSHARP names another one")
        path = path or ctypes.util.find_library("sharp")
        if not path:
            raise OSError("no libsharp.so: bench/peers.sh installs it where the system has it")
        self.lib, self.version = C.CDLL(path), os.path.basename(path)

    def variants(self, problem, operator):
        known = problem.kind in ("gl", "healpix") and problem.ntrans == 1
        return ["double"] if known else []

    def prepare(self, problem, operator, variant):
        plan = SharpPlan(self.lib, problem)

        def bind(source):
            target = outputs(problem, operator)
            alm, values = (source, target) if operator == "synthesis" else (target, source)
            arguments = (C.c_int(JOBS[operator]), C.c_int(problem.spin), pointers(alm[0]),
                         pointers(values[0]), plan.grid, plan.layout, C.c_int(DOUBLE), None, None)

            def run(keep=(plan, source, target)):  # alive as long as the run is
                self.lib.sharp_execute(*arguments)
            return Run(run, lambda: target)
        return bind


# --- All of them --------------------------------------------------------------------------------

PEERS = (Ducc, Shtns, Healpy, Libsharp)


def load_peers(threads=1):
    """Those that are installed; a message for each that is not."""
    found, missing = [], []
    for candidate in PEERS:
        try:
            found.append(candidate(threads))
        except (ImportError, OSError) as error:
            missing.append(f"{candidate.name} skipped: {error}")
    return found, missing
