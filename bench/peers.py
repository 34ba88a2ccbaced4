"""The peers that have Python modules: ducc0, SHTns, healpy. (libsharp.py has the fourth.) All but
ducc0 take their number of threads from OMP_NUM_THREADS, which machine.py sets."""
import ctypes as C

import numpy as np

from candidates import Candidate, Run, stdout_to_stderr
from libarmilla import aligned_zeros
from problems import outputs


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
