"""libsharp through ctypes: the package of the distribution (Debian: libsharp-dev), or the file that
LIBSHARP names."""
import ctypes as C
import ctypes.util
import os

from candidates import Candidate, Run
from machine import cpu_facts
from problems import outputs

JOBS = {"analysis": 0, "synthesis": 1, "adjoint_synthesis": 2}
DOUBLE = 1 << 4  # SHARP_DP


class Plan:
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
    """Threads: OMP_NUM_THREADS."""
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
        plan = Plan(self.lib, problem)

        def bind(source):
            target = outputs(problem, operator)
            alm, values = (source, target) if operator == "synthesis" else (target, source)
            arguments = (C.c_int(JOBS[operator]), C.c_int(problem.spin), pointers(alm[0]),
                         pointers(values[0]), plan.grid, plan.layout, C.c_int(DOUBLE), None, None)

            def run(keep=(plan, source, target)):  # alive as long as the run is
                self.lib.sharp_execute(*arguments)
            return Run(run, lambda: target)
        return bind
