"""What is computed: grids, band limits, spins, operators and their input, the same for every
library. Arrays: alm[ntrans][ncomp][coefficient], map[ntrans][ncomp][pixel]; one component for spin
0, else two."""
import copy

import numpy as np

import ring_counts
from libarmilla import aligned_zeros

SEED = 20240229


def alm_size(lmax):
    return (lmax + 1) * (lmax + 2) // 2


class Problem:
    """spin and ntrans, as every grid has them. grid: its name for people. group: the name of the
    scenario the problem belongs to."""

    def __init__(self, kind, size, grid, spin, ntrans):
        self.kind, self.size, self.grid = kind, size, grid
        self.spin, self.ntrans, self.ncomp = spin, ntrans, 2 if spin else 1
        self.group = None

    @property
    def key(self):
        return f"{self.kind}:{self.size}:{self.spin}:{self.ntrans}"

    @property
    def name(self):
        spin = f", spin {self.spin}" if self.spin else ""
        return self.grid + spin + (f", {self.ntrans} at once" if self.ntrans > 1 else "")

    @property
    def alm_shape(self):
        return self.ntrans, self.ncomp, alm_size(self.lmax)

    @property
    def map_shape(self):
        return self.ntrans, self.ncomp, self.npix

    def times(self, ntrans):
        """The same problem with another number of transforms."""
        other = copy.copy(self)
        other.ntrans = ntrans
        return other

    def of_size(self, size):
        return from_key(f"{self.kind}:{size}:{self.spin}:{self.ntrans}")


class GaussLegendre(Problem):
    """lmax + 1 rings of 2 lmax + 2 pixels: the smallest grid every library takes."""
    operators = ("synthesis", "analysis")

    def __init__(self, lmax, spin=0, ntrans=1):
        super().__init__("gl", lmax, f"GL lmax {lmax}", spin, ntrans)
        self.lmax, self.nrings, self.nphi = lmax, lmax + 1, 2 * lmax + 2
        self.npix = self.nrings * self.nphi

    def new_grid(self, library):
        return library.gauss_legendre(self.nrings, self.nphi)


class Equidistant(Problem):
    """Rings of 2 lmax + 2 pixels, as many as a choice of ring_counts.py says."""
    operators = ("synthesis", "analysis")

    def __init__(self, geometry, choice, lmax, spin=0, ntrans=1):
        self.geometry, self.lmax, self.nphi = geometry, lmax, 2 * lmax + 2
        self.nrings = ring_counts.rings(geometry, lmax, choice)
        self.npix = self.nrings * self.nphi
        super().__init__(f"{geometry}-{choice}", lmax,
                         f"{geometry} lmax {lmax}, {self.nrings} rings ({choice})", spin, ntrans)

    @property
    def colatitudes(self):
        return np.array(ring_counts.colatitudes(self.geometry, self.nrings))

    def new_grid(self, library):
        return library.equidistant(self.geometry, self.nrings, self.nphi)


class Healpix(Problem):
    """lmax = 2 nside. adjoint_synthesis has no weights: the heart of every analysis."""
    operators = ("synthesis", "adjoint_synthesis")

    def __init__(self, nside, spin=0, ntrans=1):
        super().__init__("healpix", nside, f"HEALPix nside {nside}, lmax {2 * nside}", spin,
                         ntrans)
        self.nside, self.lmax = nside, 2 * nside
        self.npix = 12 * nside * nside

    def new_grid(self, library):
        return library.healpix(self.nside)


def from_key(key):
    kind, *numbers = key.split(":")
    size, spin, ntrans = map(int, numbers)
    if kind in ("gl", "healpix"):
        return {"gl": GaussLegendre, "healpix": Healpix}[kind](size, spin, ntrans)
    return Equidistant(*kind.split("-"), size, spin, ntrans)


# --- Input --------------------------------------------------------------------------------------


def forget_low_degrees(alm, problem):
    """Degrees below the spin have no functions: libraries return what they like there."""
    lmax = problem.lmax
    for m in range(problem.spin):
        start = m * (2 * lmax + 1 - m) // 2
        alm[..., start + m:start + problem.spin] = 0.0


def random_alm(problem, uniform=False):
    """Coefficients of a real field, triangular layout: white, or uniform in [-1, 1)."""
    rng = np.random.default_rng(SEED)
    alm = aligned_zeros(problem.alm_shape, np.complex128)

    def draw():
        shape = problem.alm_shape
        return rng.uniform(-1.0, 1.0, shape) if uniform else rng.standard_normal(shape)
    alm.real = draw()
    alm.imag = draw()
    alm.imag[..., :problem.lmax + 1] = 0.0
    forget_low_degrees(alm, problem)
    return alm


def random_map(problem):
    """Input of adjoint_synthesis: white noise. (analysis gets a synthesised map.)"""
    rng = np.random.default_rng(SEED + 1)
    values = aligned_zeros(problem.map_shape, np.float64)
    values[:] = rng.standard_normal(problem.map_shape)
    return values


def source_for(problem, operator):
    return random_alm(problem) if operator == "synthesis" else random_map(problem)


def outputs(problem, operator):
    """New array for the operator's output."""
    if operator == "synthesis":
        return aligned_zeros(problem.map_shape, np.float64)
    return aligned_zeros(problem.alm_shape, np.complex128)


# --- Errors -------------------------------------------------------------------------------------


def rms(array):
    flat = np.asarray(array).ravel()
    return float(np.sqrt(np.vdot(flat, flat).real / flat.size))


def relative_error(result, reference):
    """rms of the difference over rms of the reference."""
    return rms(np.ravel(result) - np.ravel(reference)) / rms(reference)
