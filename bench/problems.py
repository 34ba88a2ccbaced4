"""Defines the problems that libraries are compared at, and the tables of scenarios that consist of
them: grids, band limits, spins, operators and their input, the same for every library. Arrays:
alm[ntrans][ncomp][coefficient], map[ntrans][ncomp][pixel]; one component for spin 0, else two."""
import copy
import itertools
import math
from collections import namedtuple

import numpy as np

from libarmilla import aligned_zeros

SEED = 20240229


def alm_size(lmax):
    return (lmax + 1) * (lmax + 2) // 2


# --- Equidistant rings --------------------------------------------------------------------------

# Numbers of rings to try. Doubled over the poles, n rings are the points theta_j = pi (2 j + a) / P
# of a circle of P points, and P is the length of the FFTs in theta: what it factors into decides
# their speed. geometry: (P - 2 n, a)
CIRCLES = {"CC": (-2, 0), "F1": (0, 1), "MW": (-1, 1), "MWSS": (-2, 0), "MWFLIP": (-1, 0)}


def circle_length(geometry, nrings):
    return 2 * nrings + CIRCLES[geometry][0]


def colatitudes(geometry, nrings):
    shift = CIRCLES[geometry][1]
    return [math.pi * (2 * j + shift) / circle_length(geometry, nrings) for j in range(nrings)]


def fewest(geometry, lmax):
    """The smallest number of rings whose analysis is exact."""
    return lmax + (2 if geometry in ("CC", "MWSS") else 1)


def largest_prime(number):
    """The largest prime factor."""
    factor = 2
    while factor * factor <= number:
        if number % factor:
            factor += 1
        else:
            number //= factor
    return number


def is_prime(number):
    return number > 1 and largest_prime(number) == number


# What is asked of the circle's length. MW and MWFLIP have odd lengths: no twice there.
CHOICES = {
    "fewest": lambda length: True,
    "smooth": lambda length: largest_prime(length) <= 7,
    "eleven": lambda length: largest_prime(length) == 11,
    "prime": lambda length: is_prime(length if length % 2 else length // 2),
}


def ring_count(geometry, lmax, choice):
    """The smallest exact number of rings whose circle has a length of the choice."""
    return next(n for n in itertools.count(fewest(geometry, lmax))
                if CHOICES[choice](circle_length(geometry, n)))


def distinct_choices(geometry, lmax, choices):
    """Without those that give the number of rings of one before."""
    found = {}
    for choice in choices:
        found.setdefault(ring_count(geometry, lmax, choice), choice)
    return list(found.values())


# --- Grids --------------------------------------------------------------------------------------

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
    """Rings of 2 lmax + 2 pixels, as many as one of CHOICES says."""
    operators = ("synthesis", "analysis")

    def __init__(self, geometry, choice, lmax, spin=0, ntrans=1):
        self.geometry, self.lmax, self.nphi = geometry, lmax, 2 * lmax + 2
        self.nrings = ring_count(geometry, lmax, choice)
        self.npix = self.nrings * self.nphi
        super().__init__(f"{geometry}-{choice}", lmax,
                         f"{geometry} lmax {lmax}, {self.nrings} rings ({choice})", spin, ntrans)

    @property
    def colatitudes(self):
        return np.array(colatitudes(self.geometry, self.nrings))

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


# --- Scenarios ----------------------------------------------------------------------------------

MANY = 10
GL_LMAX = (63, 127, 255, 511, 1023, 2047, 4095)
SPIN_LMAX, SPIN_QUICK = GL_LMAX[2:], (255, 511)
NSIDE = (1024, 2048)
EQUIDISTANT = "equidistant"

# grids, spins and sizes; quick: sizes of --quick, where it takes others. by_spin: may --spin
# replace the spins? pair_from: from this size on spins 0 and 2 only, unless --spin asks for others.
Scenario = namedtuple("Scenario", "kind spins sizes quick ntrans by_spin pair_from asked choices",
                      defaults=(None, 1, True, math.inf, False, ()))
SCENARIOS = {
    "sht": {
        "gl": Scenario("gl", (0,), GL_LMAX, (255, 1023), by_spin=False),
        "gl-spin1": Scenario("gl", (1,), SPIN_LMAX, SPIN_QUICK, by_spin=False),
        "gl-spin2": Scenario("gl", (2,), SPIN_LMAX, SPIN_QUICK, by_spin=False),
        "gl-spin3": Scenario("gl", (3,), SPIN_LMAX, SPIN_QUICK, by_spin=False),
        "healpix": Scenario("healpix", (0,), NSIDE, (256, 512), by_spin=False),
        "healpix-spin2": Scenario("healpix", (2,), NSIDE, (128, 256), by_spin=False),
        "many": Scenario("gl", (0,), (255, 1023, 2047), (127, 511), MANY, by_spin=False),
        EQUIDISTANT: Scenario(EQUIDISTANT, (0, 2), (127, 255, 511, 1023, 2047), (127, 255),
                              asked=True, choices=tuple(CHOICES)),  # 170 problems
    },
    "ab": {
        "gl": Scenario("gl", (0, 1, 2, 3), GL_LMAX, pair_from=4095),
        "healpix": Scenario("healpix", (0, 2), (512, 1024, 2048)),
        "many": Scenario("gl", (0,), (255, 1023), ntrans=MANY),
        EQUIDISTANT: Scenario(EQUIDISTANT, (0, 2), (127, 255, 511, 1023, 2047), (127, 255),
                              choices=("fewest",)),
    },
}


def scenarios_of(command, options):
    """Names: those of --scenario, or all that need not be asked for."""
    every = SCENARIOS[command]
    return options.scenario or [name for name in every if not every[name].asked]


def problems_of(command, options):
    """All problems of a run. --lmax, --nside, --spin, --grid and --rings replace what the table
    says."""
    return [problem for name in scenarios_of(command, options)
            for problem in scenario_problems(name, SCENARIOS[command][name], options)]


def scenario_problems(name, scenario, options):
    asked = options.nside if scenario.kind == "healpix" else options.lmax
    sizes = asked or (scenario.quick if options.quick and scenario.quick else scenario.sizes)
    by_spin = scenario.by_spin and options.spin is not None
    chosen = []
    for grid, spin, size in itertools.product(grids_of(scenario, options),
                                              options.spin if by_spin else scenario.spins, sizes):
        if by_spin or size < scenario.pair_from or spin in (0, 2):
            chosen += grid(size, spin)
    for problem in chosen:
        problem.group = name
    return chosen


def grids_of(scenario, options):
    """Functions of a size and a spin that give a list of problems."""
    if scenario.kind != EQUIDISTANT:
        kind = GaussLegendre if scenario.kind == "gl" else Healpix
        return [lambda size, spin: [kind(size, spin, scenario.ntrans)]]

    def rings(geometry):
        return lambda size, spin: [
            Equidistant(geometry, choice, size, spin)
            for choice in distinct_choices(geometry, size, options.rings or scenario.choices)]
    return [rings(geometry) for geometry in options.grid or CIRCLES]


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
