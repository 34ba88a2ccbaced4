"""Predicts what an H100 takes, from counts and from ceilings; the one source of all such numbers.

Ceilings were measured on an H100 by others and are not those of its data sheet: 3.0 TB/s of its
memory, and a clock of 1.755 GHz. Counts are the loops of tests/cuda/sass_budget.txt, bytes that
follow from the sizes of arrays, and tests/cuda/counted_calls.jsonl, which bench_cuda has counted.
No GPU has been asked: tools/gpu_predictions.py writes the predictions to docs/gpu-figures.md.
"""
import functools
import json
import math
import re
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Tuple

ROOT = Path(__file__).resolve().parents[1]

# --- Ceilings -------------------------------------------------------------------------------------

CLOCK = 1.755e9          # a second, measured
MEMORY = 3.0e12          # bytes a second, measured
LAUNCH = 4.5e-6          # seconds: 224 launches take 0.9 to 1.1 ms
LINK = 50e9              # bytes a second from pinned memory: assumed
MULTIPROCESSORS, SCHEDULERS, FP64_LANES, SHARED_BYTES = 132, 4, 64, 128
FMA = MULTIPROCESSORS * FP64_LANES * CLOCK  # multiply-adds in double precision a second
PRODUCT_CYCLES = 8       # of a scheduler, for the 256 multiply-adds of a product by tensor cores
WAITING = 1.2            # the Legendre stage takes up to so much of its bound

Range = Tuple[float, float]  # seconds, least and most
Sines = Tuple[float, ...]    # of the colatitudes of ring pairs, from the pole on


def scheduler_seconds(cycles: float) -> float:
    """Seconds of the whole GPU for cycles that its schedulers share."""
    return cycles / (MULTIPROCESSORS * SCHEDULERS * CLOCK)


def issue_seconds(instructions: float) -> float:
    """Of instructions of threads, 32 of which are one of a warp."""
    return scheduler_seconds(instructions / 32)


# --- Loops of the Legendre kernels ----------------------------------------------------------------

class Loop(NamedTuple):
    """A turn of a kernel's loop: steps of the recurrence, instructions (at most), and cycles of
    the pipe for double precision of a warp."""
    steps: int
    instructions: int
    pipe: float

    @property
    def cycles(self) -> float:
        """Of a scheduler for each step: what is longer."""
        return max(self.instructions, self.pipe) / self.steps


def loop_of(kernel: str, shape: str, sets: int, fma: int, shuffles: int, instructions: int
            ) -> Loop:
    """A line of the budget. A multiply-add takes two cycles of the pipe; sums over lanes have an
    addition for each two shuffles, and scalar analysis a multiplication for each addition."""
    vectors = int(shape[1])
    if kernel == "legendre_analysis":
        return Loop(shuffles // (8 * sets), instructions, 2 * (fma + shuffles))
    if kernel == "spin_analysis":
        return Loop(shuffles // (8 * sets), instructions, 2 * fma + shuffles)
    of_step = {"legendre_synthesis": 2 + 4 * sets, "spin_synthesis": 4 + 8 * sets}.get(kernel, 2)
    steps = fma // (of_step * vectors)
    products = steps * vectors * sets // 2 if kernel.startswith("tensor") else 0
    return Loop(steps, instructions, 2 * fma + PRODUCT_CYCLES * products)


def budget_lines(path: Path = ROOT / "tests/cuda/sass_budget.txt"
                 ) -> Iterator[Tuple[str, int, int, int]]:
    """Name, multiply-adds, shuffles and instructions of each loop."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(("#", "compiler")) or not line.strip():
            continue
        name, *numbers = line.split()[:4]
        yield (name, *map(int, numbers))


def read_loops(path: Path = ROOT / "tests/cuda/sass_budget.txt") -> Dict[str, Loop]:
    """All loops in double precision, by kernel, shape and sets: "legendre_synthesis.v4w4.1"."""
    found = {}
    for name, fma, shuffles, instructions in budget_lines(path):
        if name.count(".") > 2:  # of another precision
            continue
        kernel, shape, sets = name.split(".")
        found[name] = loop_of(kernel, shape, int(sets), fma, shuffles, instructions)
    return found


# --- Rings ----------------------------------------------------------------------------------------

def gauss_legendre(lmax: int) -> Sines:
    """Sines of the colatitudes of ring pairs, from the pole on."""
    pairs = (lmax + 2) // 2
    return tuple(math.sin((i + 0.5) / pairs * math.pi / 2) for i in range(pairs))


def healpix(nside: int) -> Sines:
    """The same of HEALPix."""
    z = [1 - i * i / (3 * nside * nside) for i in range(1, nside)]
    z += [(4 * nside - 2 * i) / (3 * nside) for i in range(nside, 2 * nside + 1)]
    return tuple(math.sqrt(max(0, 1 - value * value)) for value in z)


@functools.lru_cache(None)
def legendre_cycles(sines: Sines, lmax: int, vectors: int, step: float, skip: float = 4
                    ) -> float:
    """Cycles of a scheduler; step: of one step of the whole loop, skip: of a vector's step that is
    skipped, by two multiply-adds. A group has 32 pairs for each vector. It skips from l = m on
    until the first of its pairs has values that matter, at l sin theta = m, and goes from there on
    through the whole loop; orders above lmax sin theta are left out."""
    size, cycles = 32 * vectors, 0.0
    for begin in range(0, len(sines), size):
        sine = sines[min(begin + size, len(sines)) - 1]
        for m in range(min(lmax, int(lmax * sine)) + 1):
            first = max(m, m / sine)
            cycles += ((first - m) / 2) * skip * vectors + (lmax - first) / 2 * step
    return cycles


def legendre_bound(sines: Sines, lmax: int, name: str, loops: Dict[str, Loop]) -> float:
    """Seconds of the pipe for double precision, or of issue where that is longer."""
    vectors = int(name.split(".")[1][1])
    return scheduler_seconds(legendre_cycles(sines, lmax, vectors, loops[name].cycles))


# --- Stages ---------------------------------------------------------------------------------------

class Grid(NamedTuple):
    """Ring pairs of a grid, and bytes of its ring stage besides the leg: for one set."""
    sines: Sines
    rings: float   # bytes: spectra, Fourier transforms, samples; cuFFT in one kernel
    more: float    # bytes where cuFFT takes two kernels
    map: float     # bytes


def gauss_grid(lmax: int) -> Grid:
    """Rings of 2 (lmax + 1) samples: numbers written, transformed in place, read, and the map."""
    sines, nphi = gauss_legendre(lmax), 2 * (lmax + 1)
    numbers = len(sines) * nphi
    return Grid(sines, 64.0 * numbers, 32.0 * numbers if nphi > 4096 else 0, 16.0 * numbers)


# Bytes of the ring stage of HEALPix nside 2048, lmax 4095, from the launches that tests count:
# leg to map, and what is more where cuFFT takes two kernels for the belt and for long convolutions.
HEALPIX_2048 = Grid((), 2.9e9, 1.6e9, 0.4e9)


def leg_bytes(sines: Sines, lmax: int) -> float:
    """Entries of 32 bytes with m up to lmax sin theta."""
    return 32 * sum(sines) * (lmax + 1)


def steps_of(lmax: int) -> float:
    """Of all orders."""
    return (lmax + 2) ** 2 / 4


def legendre_bytes(grid: Grid, lmax: int, sets: int, back: bool) -> float:
    """alm, tables of 33 bytes a step, coefficients or sums of 32 bytes a step written and read
    (sums once for each 512 pairs), and the leg."""
    tiles = math.ceil(len(grid.sines) / 512) if back else 1
    return (sets * (16 * steps_of(lmax) + 64 * steps_of(lmax) * tiles + leg_bytes(grid.sines, lmax))
            + 33 * steps_of(lmax))


class Parts(NamedTuple):
    """Seconds of one call: the pipe for double precision, and bytes over the memory's rate."""
    pipe: float
    memory: float
    launches: int = 9

    def range(self) -> Range:
        """From no waiting to a fifth of waiting in the Legendre stage."""
        rest = self.memory + self.launches * LAUNCH
        return self.pipe + rest, WAITING * self.pipe + rest


def transform(lmax: int, grid: Grid, back: bool, sets: int, loops: Dict[str, Loop],
              kind: str = "legendre", shape: str = "v4w4") -> Range:
    """A scalar transform, or one of spin 1 to 3 with two sets."""
    name = f"{kind}_{'analysis' if back else 'synthesis'}.{shape}.{sets}"
    pipe = legendre_bound(grid.sines, lmax, name, loops)
    rings = sets * (grid.rings + grid.map + leg_bytes(grid.sines, lmax))
    memory = (legendre_bytes(grid, lmax, sets, back) + rings) / MEMORY
    low, high = Parts(pipe, memory).range()
    return low, high + sets * grid.more / MEMORY


def healpix_transform(back: bool, loops: Dict[str, Loop]) -> Range:
    """nside 2048, lmax 4095; the ring stage's bytes have the leg and the map in them."""
    sines, lmax = healpix(2048), 4095
    name = f"legendre_{'analysis' if back else 'synthesis'}.v4w4.1"
    pipe = legendre_bound(sines, lmax, name, loops)
    grid = HEALPIX_2048._replace(sines=sines)
    low, high = Parts(pipe, (legendre_bytes(grid, lmax, 1, back) + grid.rings) / MEMORY).range()
    return low, high + grid.more / MEMORY


# --- Many transforms ------------------------------------------------------------------------------

# A field of T1279 on O1280, one direction, in the ring stage: instructions of threads, and bytes of
# all other traffic. 1.9e9 were counted in machine code with the paths that are taken, where nvcc's
# PTX ran 1.966e9 operations (tests/ptx_replay); later kernels have as many as their PTX has run:
# 1.681e9 in double precision, 1.169e9 in single, where a thread has two fields.
O1280_BYTES = 0.09e9
PTX_INSTRUCTIONS = 1.9e9 / 1.966e9
O1280_INSTRUCTIONS, O1280_SINGLE = PTX_INSTRUCTIONS * 1.681e9, PTX_INSTRUCTIONS * 1.169e9
O1280_ISSUE = (0.75, 0.95)  # share of the issue slots


def o1280_rings(instructions: float = O1280_INSTRUCTIONS) -> Range:
    """The ring stage of a field, one direction."""
    seconds = issue_seconds(instructions)
    return seconds / O1280_ISSUE[1], seconds / O1280_ISSUE[0]


def o1280(fields: int, back: bool, loops: Dict[str, Loop], kind: str = "legendre") -> Range:
    """Four sets share a recurrence."""
    sines = gauss_legendre(2559)
    name = f"{kind}_{'analysis' if back else 'synthesis'}.v4w4.4"
    pipe = legendre_bound(sines, 1279, name, loops) / 4
    rings = o1280_rings()
    other = O1280_BYTES / MEMORY
    return fields * (pipe + rings[0] + other), fields * (WAITING * pipe + rings[1] + other)


# Sums by products of halves: instructions of a warp for 16 steps of one vector and 16 sets, from
# machine code for sm_90: values (2 x 133), products (140, 8 x 28 in analysis), and their share of
# what is staged and written. Nothing else takes longer: conversions of doubles 256 cycles, 48
# products of 16 x 8 x 16 at most 384.
HALVES_SETS, HALVES_PAIRS = 16, 256
HALVES = {False: Loop(16, 500, 160), True: Loop(16, 600, 160)}


def o1280_halves(fields: int, back: bool) -> Range:
    """In single precision: floats of leg, coefficients, sums and maps."""
    sines, steps = gauss_legendre(2559), steps_of(1279)
    lots = math.ceil(fields / HALVES_SETS)
    issue = lots * scheduler_seconds(legendre_cycles(sines, 1279, 1, HALVES[back].cycles))
    tiles = math.ceil(len(sines) / HALVES_PAIRS) if back else 1
    moved = leg_bytes(sines, 1279) / 2 + 32 * steps * tiles + 16 * steps
    rings = o1280_rings(O1280_SINGLE)
    other = fields * moved / MEMORY
    return issue + fields * rings[0] + other, WAITING * issue + fields * rings[1] + other


def counted() -> List[dict]:
    """Calls as bench_cuda has counted them on the emulated GPU."""
    path = ROOT / "tests/cuda/counted_calls.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def counted_seconds(call: dict) -> float:
    """Bytes, or operations at four fifths of the rate where they take longer; and launches."""
    moved = (call["kernel_bytes"] + call["cufft_bytes"]) / MEMORY
    return max(moved, call.get("flops", 0) / (0.8 * 2 * FMA)) + call["launches"] * LAUNCH


def many(what: str, lmax: int, back: bool) -> Range:
    """From the bytes of all arrays and scratch once, to those that were counted, where what several
    blocks read counts for each."""
    call = next(one for one in counted() if one["what"] == what
                and one["operator"] == ("analysis" if back else "synthesis"))
    grid = gauss_grid(lmax)
    arrays = (legendre_bytes(grid, lmax, 1, back) - 33 * steps_of(lmax)
              + leg_bytes(grid.sines, lmax) + grid.rings + grid.map)
    least = call["ntrans"] * arrays / MEMORY + call["launches"] * LAUNCH
    most = counted_seconds(call)
    return min(least, most), max(least, most)


# --- Points, radial convolution -------------------------------------------------------------------

# Values to samples, by the machine code: cycles of a multiprocessor's shared memory for a point,
# least and most, and the share of waiting.
SPREAD_CYCLES = {1e-6: (30, 34), 1e-10: (43, 50)}
SPREAD_WAITING = 4 / 3


def prices_of_points() -> Dict[str, float]:
    """What the library's own model takes, in nanoseconds, at the ceilings above."""
    text = (ROOT / "src/points/sampling.c").read_text(encoding="utf-8")
    found = re.search(r"device_price = \{(.*?)\}", text).group(1)
    return {name: float(value) for name, value in re.findall(r"\.(\w+) = ([\d.e-]+)", found)}


def points_call(epsilon: float) -> dict:
    """7.4e7 points at lmax 6067: the samples that the library chooses."""
    return next(one for one in counted()
                if one["what"] == f"points lmax 6067, 7.4e+07 points, {epsilon:.0e}")


def points_parts(epsilon: float) -> Dict[str, float]:
    """Seconds of the stages of a synthesis. Columns and rings are bound by memory."""
    call, price = points_call(epsilon), prices_of_points()
    memory, clock = 1e-9 * 3.0e12 / MEMORY, 1e-9 * 1.755e9 / CLOCK
    columns = price["circle"] * call["orders"] * (call["rings"] + call["near_rings"])
    rings = price["sample"] * call["rings"] * call["nphi"]
    points = call["npoints"] * (price["point"] + price["tap"] * call["taps"])
    rest = 1e6 * call["model_ms"] - columns - rings - points
    return {"Legendre": clock * rest, "columns": memory * columns, "rings": memory * rings,
            "points": clock * points}


def points_synthesis(epsilon: float) -> Range:
    """All stages."""
    total = sum(points_parts(epsilon).values())
    return total, total


def spread(epsilon: float) -> Range:
    """Points to samples."""
    cycles = SPREAD_CYCLES[epsilon]
    npoints = points_call(epsilon)["npoints"]
    low, high = (npoints * one / (MULTIPROCESSORS * CLOCK) for one in cycles)
    return low, SPREAD_WAITING * high


def points_adjoint(epsilon: float) -> Range:
    """The other stages take up to a tenth more than in synthesis."""
    parts, (low, high) = points_parts(epsilon), spread(epsilon)
    rest = sum(parts.values()) - parts["points"]
    return rest + low, 1.1 * rest + high


def strips() -> Range:
    """lmax 2047, 3072 rings of 6144 samples: 9.4 million numbers. 0.56 GB, and 0.3 GB for each
    kernel of cuFFT, of which it may take two."""
    return 0.86e9 / MEMORY, 1.16e9 / MEMORY


# nside 2048, a Gaussian of 4.7 arcmin: products of a kernel value and a pixel, on equal rings (two
# thirds) four for 8 bytes of shared memory, elsewhere two; multiply-adds of kernel values by
# polynomials and by the profile; bytes of sources.
PIXELS_PRODUCTS, PIXELS_VALUES, PIXELS_BYTES = 8.6e9, (4.6e9, 1.3e10), (1.7e9, 3.4e9)
PIXELS_INSTRUCTIONS = 5.6e10  # of threads, from the loops in machine code
MAP_2048 = 8 * 12 * 2048 ** 2
# nside 2048, 1 degree: multiply-adds of the mixing, at a half to a quarter of the rate.
RINGS_FMA, RINGS_RATE = 1.8e10, (0.5, 0.25)


def pixels() -> Range:
    """Radial convolution by PIXELS."""
    products = PIXELS_PRODUCTS * (2 * 2 / 3 + 4 / 3) / (SHARED_BYTES * MULTIPROCESSORS * CLOCK)
    low, high = (products + values / FMA + moved / MEMORY
                 for values, moved in zip(PIXELS_VALUES, PIXELS_BYTES))
    return max(low, issue_seconds(PIXELS_INSTRUCTIONS)), high


def pixels_of_host() -> Range:
    """The same with pinned arrays: both maps over the link, with kernels beside or behind them."""
    link = 2 * MAP_2048 / LINK
    return max(link, pixels()[0]), link + pixels()[1]


def mixing() -> Range:
    """The mixing of RINGS."""
    low, high = (RINGS_FMA / FMA / rate for rate in RINGS_RATE)
    return low, high


def by_rings(fields: int = 1) -> Range:
    """Radial convolution by RINGS: the mixing and two ring stages."""
    stages = 2 * HEALPIX_2048.rings / MEMORY
    low, high = mixing()
    return fields * (low + stages), fields * (high + stages + 2 * HEALPIX_2048.more / MEMORY)


# --- All of them ----------------------------------------------------------------------------------

def predictions() -> Dict[str, Range]:
    """Seconds of every figure that is predicted, by its key in docs/gpu-figures.md."""
    loops, gauss = read_loops(), gauss_grid(4095)
    found: Dict[str, Range] = {}
    for back, word in ((False, "synthesis"), (True, "analysis")):
        found[f"GL lmax 4095, {word}"] = transform(4095, gauss, back, 1, loops)
        found[f"GL lmax 4095, spin 2, {word}"] = transform(4095, gauss, back, 2, loops)
        found[f"GL lmax 4095, spin 2, v4w4t, {word}"] = transform(4095, gauss, back, 2, loops,
                                                                  "tensor")
        found[f"HEALPix nside 2048 lmax 4095, {word}"] = healpix_transform(back, loops)
        found[f"GL lmax 255, 64 at once, {word}"] = many("GL lmax 255, 64 at once", 255, back)
        found[f"GL lmax 639, 32 at once, {word}"] = many("GL lmax 639, 32 at once", 639, back)
        found[f"O1280 lmax 1279, 40 at once, v4w4, {word}"] = o1280(40, back, loops)
        found[f"O1280 lmax 1279, 40 at once, v4w4t, {word}"] = o1280(40, back, loops, "tensor")
        found[f"O1280 lmax 1279, 400 at once, {word}"] = o1280(400, back, loops)
        found[f"O1280 lmax 1279, halves, 40 at once, {word}"] = o1280_halves(40, back)
        found[f"strips lmax 2047, {'from' if back else 'to'} samples"] = strips()
    for epsilon in SPREAD_CYCLES:
        key = f"points lmax 6067, 7.4e+07 points, {epsilon:.0e}"
        found[f"{key}, synthesis"] = points_synthesis(epsilon)
        found[f"{key}, adjoint"] = points_adjoint(epsilon)
    for shape in ("v4w4", "v4w4t"):
        kind = "GL lmax 4095, spin 2, v4w4t" if shape == "v4w4t" else "GL lmax 4095, spin 2"
        ways = [found[f"{kind}, {word}"] for word in ("synthesis", "analysis")]
        found[f"GL lmax 4095, spin 2, {shape}, there and back"] = (
            sum(one[0] for one in ways), sum(one[1] for one in ways))
        found[f"GL lmax 255, 64 at once, {shape}, there and back"] = (
            2 * found["GL lmax 255, 64 at once, synthesis"][0],
            2 * found["GL lmax 255, 64 at once, analysis"][1])
    key = "radial by pixels, nside 2048, 4.7 arcmin, spin 0"
    found[key], found[f"{key}, pinned host arrays"] = pixels(), pixels_of_host()
    for fields, spin in ((1, 0), (2, 2)):
        found[f"radial by rings, nside 2048, 1 deg, spin {spin}"] = by_rings(fields)
    return found


def shares() -> Dict[str, Dict[str, float]]:
    """How much of each prediction is bound by which ceiling: how much longer it takes where only
    this ceiling is lower."""
    lower = {"DFMA": {"CLOCK": 0.99 * CLOCK, "FMA": 0.99 * FMA,
                      "PRODUCT_CYCLES": 0.99 * PRODUCT_CYCLES},
             "DMMA": {"PRODUCT_CYCLES": PRODUCT_CYCLES / 0.99}, "memory": {"MEMORY": 0.99 * MEMORY},
             "launches": {"LAUNCH": LAUNCH / 0.99}, "link": {"LINK": 0.99 * LINK}}
    usual = {name: globals()[name] for change in lower.values() for name in change}
    before = predictions()
    found: Dict[str, Dict[str, float]] = {key: {} for key in before}
    for ceiling, change in lower.items():
        globals().update(change)
        for key, seconds in predictions().items():
            found[key][ceiling] = (sum(seconds) / sum(before[key]) - 1) / (1 / 0.99 - 1)
        globals().update(usual)
    return found


def digits(milli: float) -> str:
    """Two digits, or all before the point."""
    return f"{milli:.0f}" if milli >= 9.95 else f"{milli:.1f}" if milli >= 0.995 else \
        f"{milli:.2g}"


def milliseconds(seconds: Range) -> str:
    """ "3.4 to 3.9 ms"."""
    low, high = (digits(1e3 * one) for one in seconds)
    return f"{low} ms" if low == high else f"{low} to {high} ms"


def rates() -> Dict[str, str]:
    """What the rates that predictions rest on would be found to be."""
    return {"FP64 multiply-adds alone": f"{2e-12 * FMA:.1f} Tflop/s",
            "FP64 tensor cores alone":
                f"{2e-12 * 256 / scheduler_seconds(PRODUCT_CYCLES):.1f} Tflop/s",
            "empty launches": f"{1e6 * LAUNCH:g} us",
            "copies on the device, read and written": f"{1e-9 * MEMORY:.0f} GB/s"}
