"""What the figures of bench/papers.py share: the description of a figure, pairs of transforms that
are timed and judged in one go, and the marks of what a paper says."""
import ctypes as C
import gc
import time
from typing import Any, Callable, NamedTuple

import numpy as np

import armilla
import problems
import timing
from libarmilla import Plan, aligned_zeros
from libraries import Run

OURS, PAPER, PREDICTED = "#0b3d91", "#c0392b", "#2a8f3c"
COLOURS = ("#0b3d91", "#e07b00", "#2a8f3c", "#c0392b", "#7d4bb0", "#444444")
BLOCK = 1 << 17  # numbers drawn at once, which stay in a cache
READ = {"color": PAPER, "linestyle": ":", "linewidth": 1.4}  # what a paper says
FORETOLD = {"color": PREDICTED, "linestyle": "--", "linewidth": 1.4}  # of a GPU


class Figure(NamedTuple):
    """A figure of a paper, as this library can repeat it. measure(context) yields records, which
    are kept as lines of JSON; draw(records, machine) makes the picture of them (None: there is
    none), and table(records) the header and the rows of the page. paper: what the paper says, and
    of which machine. missing: what of it was not run, and why."""
    name: str
    title: str
    caption: str
    paper: str
    measure: Callable[[Any], Any]
    draw: Callable[[Any, Any], Any]
    table: Callable[[Any], Any]
    missing: tuple = ()
    borrows: tuple = ()  # figures whose records it draws as well
    headline: Any = None  # function of the records: rows of (what, what the paper has, here)


class Context(NamedTuple):
    """How a run is done. threads: all cores. peers: {name: library}, those that are installed."""
    quick: bool
    threads: int
    ours: Any
    peers: dict
    say: Callable[[str], None]
    options: Any

    @property
    def library(self):
        return self.ours.library

    def choose(self, full, quick):
        return quick if self.quick else full


def best(context, runs, threads, rounds=3, budget=1.0):
    """{name: seconds}, the least of some rounds in turns; runs: {name: function}."""
    wrapped = {name: Run(run, lambda: None) for name, run in runs.items()}
    budget = min(budget, 0.3) if context.quick else budget
    return timing.alternate(wrapped, rounds, budget, timing.clock_for(threads))[0]


# --- Grids and coefficients -----------------------------------------------------------------------


class ReducedGauss(problems.Problem):
    """lmax + 1 Gauss-Legendre rings, which are shorter towards the poles: libsharp's grid."""
    operators = ("synthesis", "analysis")

    def __init__(self, lmax, spin=0, ntrans=1):
        super().__init__("reduced", lmax, f"reduced Gauss-Legendre, lmax {lmax}", spin, ntrans)
        self.lmax, self.nrings = lmax, lmax + 1
        self.npix = armilla.Grid.reduced_gauss_legendre(lmax + 1, lmax).npix

    def new_grid(self, library):
        return library.new_grid("reduced_gauss_legendre", C.c_int64(self.nrings),
                                C.c_int64(self.lmax))


def forced(problem):
    """Places of one component that are 0: imaginary parts of order 0 and degrees below the spin,
    as indices into the real and imaginary parts."""
    lmax, spin = problem.lmax, problem.spin
    places = [2 * np.arange(lmax + 1) + 1]
    for m in range(spin):
        start = m * (2 * lmax + 1 - m) // 2
        low = np.arange(start + m, start + spin)
        places += [2 * low, 2 * low + 1]
    return np.unique(np.concatenate(places))


def blocks(problem, zero):
    """Yields (start, numbers) of one component, uniform in [-1, 1), the same each time."""
    rng, count = np.random.default_rng(problems.SEED), 2 * problems.alm_size(problem.lmax)
    for start in range(0, count, BLOCK):
        numbers = rng.uniform(-1.0, 1.0, min(BLOCK, count - start))
        first, last = np.searchsorted(zero, (start, start + len(numbers)))
        numbers[zero[first:last] - start] = 0.0
        yield start, numbers


def uniform_alm(problem):
    """Coefficients as libsharp's paper takes them, without a second array of that size."""
    alm = aligned_zeros(problem.alm_shape, np.complex128)
    zero = forced(problem)
    for flat in alm.view(np.float64).reshape(-1, 2 * alm.shape[-1]):
        for start, numbers in blocks(problem, zero):
            flat[start:start + len(numbers)] = numbers
    return alm


def errors_of(problem, back):
    """(rms over rms, the largest error of a coefficient) of what came back."""
    squares, size, largest, zero = 0.0, 0.0, 0.0, forced(problem)
    for flat in back.view(np.float64).reshape(-1, 2 * back.shape[-1]):
        flat[zero] = 0.0
        for start, numbers in blocks(problem, zero):
            off = flat[start:start + len(numbers)] - numbers
            squares, size = squares + off @ off, size + numbers @ numbers
            largest = max(largest, float(np.square(off).reshape(-1, 2).sum(1).max()))
    return float(np.sqrt(squares / size)), float(np.sqrt(largest))


# --- Pairs ----------------------------------------------------------------------------------------


def pair(context, problem, threads, rounds=3, budget=1.0):
    """Synthesis and analysis of uniform coefficients: least times, errors, what the plan says. The
    analysis writes over the coefficients, so that arrays are two and not three."""
    gc.collect()
    alm, sky = uniform_alm(problem), problems.outputs(problem, "synthesis")
    sky.fill(1.0)
    start = time.perf_counter()
    plan = Plan(context.library, problem)
    plan_seconds = time.perf_counter() - start
    info = plan.describe(threads)
    there = best(context, {"there": plan.bind("synthesis", alm, sky, threads)}, threads, rounds,
                 budget)["there"]
    back = best(context, {"back": plan.bind("analysis", sky, alm, threads)}, threads, rounds,
                budget)["back"]
    rms, largest = errors_of(problem, alm)
    record = {"grid": problem.grid, "lmax": problem.lmax, "spin": problem.spin, "threads": threads,
              "synthesis": there, "analysis": back, "plan": plan_seconds, "rms": rms,
              "largest": largest, "in_out_bytes": alm.nbytes + sky.nbytes,
              "beyond_bytes": info["plan_bytes"] + info["workspace_bytes"],
              "flops": info["useful_flops"], "isa": info["isa"]}
    context.say(f"  {problem.name}, {threads} threads: {there:.4g} + {back:.4g} s, "
                f"rms {rms:.1e}, largest {largest:.1e}")
    return record


def select(records, **wanted):
    return [one for one in records if all(one.get(key) == value for key, value in wanted.items())]


def series(records, x, y):
    """([x], [y]) in the sequence of x; x and y: names of fields or functions of a record."""
    def get(one, what):
        return what(one) if callable(what) else one[what]
    points = sorted((get(one, x), get(one, y)) for one in records)
    return [p[0] for p in points], [p[1] for p in points]
