"""The libraries compared. Each offers, for a problem and an operator, one or more variants (its
settings); a variant is a Run: call it to compute, `result()` gives the output in common order."""
import contextlib
import ctypes
import os

import numpy as np

from libarmilla import Library, aligned_zeros
from problems import alm_size


class Run:
    """run: the timed call. refresh: restores an input that the call destroys (not timed), or None.
    result: output as a map in ring order from the north, or triangular alm. copy_bytes: memory
    that this driver adds to refresh the input; the library is not charged for it."""

    def __init__(self, run, result, refresh=None, info=None, copy_bytes=0):
        self.run, self.result, self.refresh = run, result, refresh
        self.info, self.copy_bytes = info or {}, copy_bytes


def outputs(problem, operator, source):
    """New array for the operator's output."""
    if operator == "synthesis":
        return aligned_zeros(problem.npix, np.float64)
    return aligned_zeros(alm_size(problem.lmax), np.complex128)


@contextlib.contextmanager
def stdout_to_stderr():
    """Also for what C code prints."""
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
        ctypes.CDLL(None).fflush(None)
    finally:
        os.dup2(kept, 1)
        os.close(kept)


class Armilla:
    name = "armilla"

    def __init__(self, path):
        self.library = Library(path)
        self.version = self.library.version

    def variants(self, problem, operator):
        return ["plan"]

    def grid(self, problem):
        if problem.kind == "gl":
            return self.library.gauss_legendre(problem.nrings, problem.nphi)
        return self.library.healpix(problem.nside)

    def make(self, problem, operator, variant, source):
        grid = self.grid(problem)
        plan = self.library.plan(grid, problem.lmax)
        self.library.free_grid(grid)
        target = outputs(problem, operator, source)
        return Run(plan.bind(operator, source, target), lambda: target, info=plan.describe())


class Ducc:
    name = "ducc0"

    def __init__(self):
        import ducc0
        self.sht, self.healpix, self.misc = ducc0.sht, ducc0.healpix, ducc0.misc
        self.version = ducc0.__version__

    def variants(self, problem, operator):
        return ["2d", "theta_interpol"] if problem.kind == "gl" else ["rings", "theta_interpol"]

    def make(self, problem, operator, variant, source):
        target = outputs(problem, operator, source)
        if variant == "2d":
            run = self.bind_2d(problem, operator, source, target)
        else:
            run = self.bind_rings(problem, operator, variant == "theta_interpol", source, target)
        return Run(run, lambda: target)

    def bind_2d(self, problem, operator, source, target):
        shape = (1, problem.nrings, problem.nphi)
        common = {"spin": 0, "lmax": problem.lmax, "geometry": "GL", "nthreads": 1}
        if operator == "synthesis":
            alm, values = source.reshape(1, -1), target.reshape(shape)
            return lambda: self.sht.synthesis_2d(alm=alm, map=values, **common)
        alm, values = target.reshape(1, -1), source.reshape(shape)
        return lambda: self.sht.analysis_2d(alm=alm, map=values, **common)

    def rings(self, problem):
        if problem.kind == "healpix":
            return self.healpix.Healpix_Base(problem.nside, "RING").sht_info()
        n = problem.nrings
        return {"theta": self.misc.GL_thetas(n), "nphi": np.full(n, problem.nphi, np.uint64),
                "phi0": np.zeros(n),
                "ringstart": np.arange(n, dtype=np.uint64) * np.uint64(problem.nphi)}

    def bind_rings(self, problem, operator, interpolate, source, target):
        common = dict(self.rings(problem), spin=0, lmax=problem.lmax, nthreads=1,
                      theta_interpol=interpolate)
        if operator == "synthesis":
            alm, values = source.reshape(1, -1), target.reshape(1, -1)
            return lambda: self.sht.synthesis(alm=alm, map=values, **common)
        alm, values = target.reshape(1, -1), source.reshape(1, -1)
        if operator == "analysis":
            weights = self.sht.get_gridweights("GL", problem.nrings) / problem.nphi
            common["ringfactor"] = weights
        return lambda: self.sht.adjoint_synthesis(alm=alm, map=values, **common)


class Shtns:
    name = "shtns"
    LAYOUTS = {"phi": "SHT_PHI_CONTIGUOUS", "theta": "SHT_THETA_CONTIGUOUS"}

    def __init__(self):
        with stdout_to_stderr():  # it greets when imported
            import shtns
        self.module, self.version = shtns, shtns.__version__

    def variants(self, problem, operator):
        """Layout of the map, and polar optimisation off or at its default."""
        if problem.kind != "gl":
            return []
        return [f"{layout}, polar {polar}" for layout in self.LAYOUTS for polar in ("0", "1e-10")]

    def config(self, problem, layout, polar):
        """Tuned, not quick, initialisation. The constructor in Python also fills tables of l and m
        in an interpreted loop over all coefficients; this goes past it."""
        module = self.module
        config = module.sht.__new__(module.sht)
        handle = module._shtns.new_sht(problem.lmax, problem.lmax, 1, module.sht_orthonormal, 1)
        module._shtns.sht_swiginit(config, handle)
        flags = module.sht_gauss | module.SHT_SCALAR_ONLY | getattr(module, self.LAYOUTS[layout])
        config.set_grid(problem.nrings, problem.nphi, flags=flags, polar_opt=float(polar))
        return config

    def make(self, problem, operator, variant, source):
        layout, polar = variant.split(", polar ")
        config = self.config(problem, layout, polar)
        target = outputs(problem, operator, source)
        shape = tuple(config.spat_shape)
        if operator == "synthesis":
            values = target.reshape(shape)
            in_order = values if layout == "phi" else values.T
            return Run(lambda: config.SH_to_spat(source, values), lambda: in_order)
        rings = source.reshape(problem.nrings, problem.nphi)
        native = rings if layout == "phi" else rings.T
        values = aligned_zeros(shape, np.float64)

        def refresh():
            values[:] = native
        refresh()
        return Run(lambda: config.spat_to_SH(values, target), lambda: target, refresh,
                   copy_bytes=values.nbytes)


class Healpy:
    name = "healpy"

    def __init__(self):
        import healpy
        self.module, self.version = healpy, healpy.__version__

    def variants(self, problem, operator):
        return ["iter 0"] if problem.kind == "healpix" else []

    def make(self, problem, operator, variant, source):
        held = {}
        if operator == "synthesis":
            def run():
                held["out"] = self.module.alm2map(source, problem.nside, lmax=problem.lmax,
                                                  pol=False)
            return Run(run, lambda: held["out"])

        def run():
            held["out"] = self.module.map2alm(source, lmax=problem.lmax, iter=0, pol=False)
        return Run(run, lambda: held["out"] * (problem.npix / (4.0 * np.pi)))


def load_peers():
    """Those that are installed; a message for each that is not."""
    found, missing = [], []
    for candidate in (Ducc, Shtns, Healpy):
        try:
            found.append(candidate())
        except ImportError as error:
            missing.append(f"{candidate.name} skipped: {error}")
    return found, missing
