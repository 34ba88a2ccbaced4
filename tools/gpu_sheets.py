"""Predicts transforms on GPUs whose double precision is slow: in doubles, in two floats, in floats,
and what sums by matrices that are cut into slices would take.

Ceilings are those of data sheets, at the highest clock: nobody has measured them, and cards with
little power do not hold it. Counts are those of tools/gpu_model.py and the loops of
tests/cuda/sass_budget.txt in two floats and in single precision.
"""
import math
from typing import Dict, List, NamedTuple, Tuple

import gpu_model as model


class Gpu(NamedTuple):
    """What a data sheet says of a second: 1e12 operations in single and in double precision, two of
    which are a multiply-add; 1e12 bytes of memory; and 1e12 operations of dense matrices of INT8,
    and of FP16 with sums of FP32."""
    single: float
    double: float
    memory: float
    int8: float
    half: float

    def seconds(self, **done: float) -> float:
        """For so many multiply-adds, or bytes: each by its ceiling, one after the other."""
        return sum(number / getattr(self, what) * (1e-12 if what == "memory" else 2e-12)
                   for what, number in done.items())


SLOW = {"RTX 4090": Gpu(82.6, 82.6 / 64, 1.008, 660.6, 165.2),
        "L4": Gpu(30.3, 30.3 / 64, 0.3, 242, 121),
        "B300": Gpu(75, 1.25, 8, 150, 2250)}
GPUS = {"H100": Gpu(67, 34, 3.35, 1979, 989), **SLOW}
# Operations in double precision, and conversions, which a 64-bit number takes as long for, of a
# step, set and tile of four warps: coefficients to floats; sums to doubles.
CONVERTED = {"two_floats": {"synthesis": 20, "analysis": 16},
             "single": {"synthesis": 8, "analysis": 16}}
SKIPPED = 28            # instructions of a vector's step without sums, in two floats
FFT_OPERATIONS = 4      # n log2 n of these: 5 n log2 n sums and products, some of which are fused
EQUATOR, POLE = 0.04, 0.025   # radians within which groups of scalars are fine
FLOATS_POLE = {0: 0.025, 2: 0.5}  # the same where sums have one float
OWN_FUNCTIONS = 0.1     # radians from the poles: functions of spin 2


class Call(NamedTuple):
    """A transform, or so many scalar ones that share a recurrence; synthesis or analysis."""
    lmax: int
    spin: int
    sets: int
    kernel: str


class Cost(NamedTuple):
    """Seconds of 32 lanes: a step of the whole loop, and a vector's step that is skipped."""
    step: float
    skip: float


def double_cost(gpu: Gpu, kernel: str, shape: str, sets: int) -> Cost:
    """The pipe for doubles, of which a multiply-add takes two of the cycles that loops have."""
    loop = model.read_loops()[f"{kernel}.{shape}.{sets}"]
    skipped = 4 if kernel.startswith("spin") else 2
    return Cost(gpu.seconds(double=32 * loop.pipe / 2 / loop.steps),
                gpu.seconds(double=32 * skipped))


def float_cost(gpu: Gpu, call: Call, shape: str, numbers: str) -> Cost:
    """Every instruction takes the place of a multiply-add. A step has 6 multiply-adds and, for each
    set, 12 in two floats and 4 in one; analysis adds up 16 numbers over lanes. Coefficients of
    steps that are skipped are converted, too."""
    vectors, analysis = int(shape[1]), call.kernel == "analysis"
    name = f"legendre_{call.kernel}.{numbers}.{shape}.{call.sets}"
    fma, shuffles, instructions = next(rest for found, *rest in model.budget_lines()
                                       if found == name)
    if analysis:
        steps = shuffles / ((8 if numbers == "two_floats" else 4) * call.sets)
    else:
        steps = fma / ((6 + (12 if numbers == "two_floats" else 4) * call.sets) * vectors)
    converted = gpu.seconds(double=CONVERTED[numbers][call.kernel] * call.sets / 4)
    return Cost(gpu.seconds(single=32 * instructions / steps) + converted,
                gpu.seconds(single=32 * SKIPPED) + (0 if analysis else converted / vectors))


def pairs_within(sines: model.Sines, angle: float, size: int) -> int:
    """Pairs of whole groups of so many that have a ring so near to a pole (or to the equator)."""
    return math.ceil(angle / (math.pi / 2) * len(sines) / size) * size


def bands(sines: model.Sines, spin: int, numbers: str, size: int) -> List[Tuple[int, str]]:
    """Where rings begin that are made alike, from the pole on, and how: src/legendre/groups.c,
    src/cuda/stages/legendre_tiles.c."""
    equator = len(sines) - pairs_within(sines, EQUATOR, 32 if numbers == "single" else size)
    found = [(0, "spin")] if spin else []
    own = pairs_within(sines, OWN_FUNCTIONS, 32) if spin else 0
    if numbers == "double":
        return found + [(own, "double")]
    if numbers == "two_floats":
        pole = 0 if spin else pairs_within(sines, POLE, size)
        return ([(0, "double")] if pole else found) + [(own + pole, numbers), (equator, "double")]
    pole = pairs_within(sines, FLOATS_POLE[spin], 32)
    return found + [(own, "two_floats"), (pole, "single"), (equator, "two_floats")]


def legendre(gpu: Gpu, sines: model.Sines, call: Call, numbers: str, shape: str) -> float:
    """Seconds of the Legendre stage."""
    vectors, seconds = int(shape[1]), 0.0
    starts = bands(sines, call.spin, numbers, 32 * vectors)
    for (begin, what), (end, _) in zip(starts, starts[1:] + [(len(sines), "")]):
        if what == "spin":
            cost = double_cost(gpu, f"spin_{call.kernel}", shape, 1)
        elif what == "double":
            cost = double_cost(gpu, f"legendre_{call.kernel}", shape, call.sets)
        else:
            cost = float_cost(gpu, call, shape, what)
        seconds += model.legendre_cycles(sines[begin:end], call.lmax, vectors, *cost)
    return seconds


def best_legendre(gpu: Gpu, sines: model.Sines, call: Call, numbers: str,
                  shapes: Tuple[str, ...] = ("v1w4", "v2w4", "v4w4")) -> float:
    """By the shape that takes least."""
    return min(legendre(gpu, sines, call, numbers, shape) for shape in shapes)


def rest(gpu: Gpu, grid: model.Grid, call: Call) -> model.Range:
    """Everything else: bytes; at most cuFFT in two kernels and the operations of Fourier
    transforms, which are in doubles."""
    moved = (model.legendre_bytes(grid, call.lmax, call.sets, call.kernel == "analysis")
             + call.sets * (grid.rings + grid.map + model.leg_bytes(grid.sines, call.lmax)))
    nphi = 2 * (call.lmax + 1)
    fft = FFT_OPERATIONS * len(grid.sines) * nphi * math.log2(nphi)
    low = gpu.seconds(memory=moved) + 9 * model.LAUNCH
    return low, low + call.sets * gpu.seconds(memory=grid.more, double=fft)


def transform(gpu: Gpu, call: Call, numbers: str, shapes: Tuple[str, ...]) -> model.Range:
    """On Gauss-Legendre rings, by that one of the shapes that takes least."""
    grid = model.gauss_grid(call.lmax)
    pipe = best_legendre(gpu, grid.sines, call, numbers, shapes)
    low, high = rest(gpu, grid, call)
    return pipe + low, model.WAITING * pipe + high


# --- Slices ---------------------------------------------------------------------------------------

class Cut(NamedTuple):
    """How both factors are cut (bench/slices.py): bits of a slice, slices, into FP16 or INT8."""
    bits: int
    slices: int
    half: bool

    @property
    def products(self) -> int:
        """Of slice i and slice j with i + j <= slices + 1."""
        return self.slices * (self.slices + 1) // 2

    @property
    def taken(self) -> float:
        """Sums of whole numbers that are taken out for each step: products whose slices have the
        same i + j are one sum, of 64 steps or of as many as 24 bits of a float hold."""
        terms = 2 ** (26 - 2 * self.bits)
        return max(self.slices / 64, self.products / terms if self.half else 0)


CUTS = {"INT8, 6 slices": Cut(8, 6, False), "INT8, 7": Cut(8, 7, False),
        "FP16, 5 of 10 bits": Cut(10, 5, True), "FP16, 6 of 9 bits": Cut(9, 6, True)}
FUNCTIONS = 27 + 7 + 22  # operations of a step: p in two floats, and of it lambda of two degrees
DIGIT = 5                # of a slice of a function: scaled, rounded, taken away, put to its place
TAKE = {False: 10, True: 7}  # of a sum of whole numbers that is added to two floats; True: of FP16


def sliced(gpu: Gpu, sines: model.Sines, call: Call, cut: Cut) -> model.Range:
    """The Legendre stage. A step and pair has four multiply-adds for each set and product;
    functions are cut once for all sets. From tensor cores beside all other operations, to one after
    the other with matrices at half of their rate."""
    matrices = {"half" if cut.half else "int8": 128 * 4 * call.sets * cut.products}
    others = 128 * (FUNCTIONS + 2 * cut.slices * DIGIT + 4 * call.sets * TAKE[cut.half] * cut.taken)
    by_tensor, by_single = gpu.seconds(**matrices), gpu.seconds(single=others)
    low, high = (model.legendre_cycles(sines, call.lmax, 4, step,
                                       gpu.seconds(single=32 * SKIPPED))
                 for step in (max(by_tensor, by_single), 2 * by_tensor + by_single))
    return low, high


def batch(name: str, lmax: int) -> Dict[str, model.Range]:
    """The Legendre stage of 64 scalar syntheses in several ways, and everything else."""
    gpu, grid, found = GPUS[name], model.gauss_grid(lmax), {}
    for numbers, sets in (("double", 4), ("two_floats", 2)):
        pipe = 64 / sets * best_legendre(gpu, grid.sines, Call(lmax, 0, sets, "synthesis"), numbers)
        if name == "H100" and numbers == "double":
            pipe = 16 * model.legendre_bound(grid.sines, lmax, "tensor_synthesis.v4w4.4",
                                             model.read_loops())
        found[numbers] = pipe, model.WAITING * pipe
    call = Call(lmax, 0, 64, "synthesis")
    found.update({what: sliced(gpu, grid.sines, call, cut) for what, cut in CUTS.items()})
    found["all else"] = rest(gpu, grid, call)
    return found
