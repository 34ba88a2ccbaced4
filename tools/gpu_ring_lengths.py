#!/usr/bin/env python3
"""Counts what the ring stage of a GPU takes by the rule of src/cuda/stages/ringfft_layout.c, and by
rules that have been thought of: docs/results/gpu_ring_stage.md has the tables.

Usage: gpu_ring_lengths.py       prints the tables

Counts are for one set and one direction. Bytes of global memory are those of all rings;
instructions in double precision and bytes of shared memory are those of convolutions in shared
memory. A pass by eights takes 56 instructions for eight numbers and 52 for their roots. Ceilings
are those of tools/gpu_model.py.
"""
import functools
import math
import re
from collections import Counter
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple, Tuple

import gpu_model as model

ROOT = Path(__file__).resolve().parents[1]
SUMS, SHARED, LAUNCH_BYTES = 32, 3072, 12 << 20
LENGTHS = (128, 256, 512, 1024, 1536, 2048, 3072)
PASS, PRUNED = (56 + 52) / 8, 16 / 8  # instructions for a number; additions of zeros in the first
ENDS = 25                # for a number of a ring: phases, chirps, sums of parts
SMOOTH, SMOOTH_ENDS = 3072, 10  # most samples of a smooth ring in shared memory; only phases
SMOOTH_CONFLICTS = 1.3   # shared memory is busy so much longer, tests/cuda/access_budget.txt
FEW = {2: 4, 3: 14, 4: 16, 5: 36, 6: 48, 7: 66, 8: 56}  # instructions for so many numbers
ALL = model.O1280_INSTRUCTIONS / 0.70e9  # instructions for each one in double precision
# The same of smooth rings: N320, T319, two fields, 131.6 M and 135.5 M operations by nvcc's PTX.
SMOOTH_ALL = model.PTX_INSTRUCTIONS * 66.8e6 / 14.5e6
CALLS = {"O1280, T1279, v4w4": "O1280", "O1280, T1279, v4w4t": "O1280",
         "HEALPix nside 2048": "HEALPix nside 2048", "N640, T639": "N640", "N320, T319": "N320",
         "HEALPix nside 512": "HEALPix nside 512",
         "Gauss-Legendre lmax 4095": "Gauss-Legendre lmax 4095",
         "Gauss-Legendre lmax 1023": "Gauss-Legendre lmax 1023"}


class Slot(NamedTuple):
    """A pair of rings: samples, highest order, and what the rule has decided."""
    n: int
    limit: int
    parts: int = 1
    padded: int = 0      # numbers of a convolution; 0: direct sums or cuFFT
    need: int = 0        # that it must have at least
    radices: Tuple[int, ...] = ()  # of passes over a smooth length


class Rule(NamedTuple):
    """How rings are transformed."""
    pad: Callable[[int], int]  # numbers that a convolution needs -> its length
    few: bool = True           # only orders that exist are convolved
    shared: int = SHARED       # longest convolution in shared memory
    pruned: bool = False
    smooth: int = SMOOTH       # most samples of a smooth ring in shared memory
    halves: bool = False       # half of the pairs of a padded length in shared memory have cuFFT


# --- Grids ----------------------------------------------------------------------------------------

def decay(order: int, lmax: int, theta: float) -> float:
    """src/base/polar_limit.h: functions at theta are about exp(-decay)."""
    degree = lmax + 0.5
    turn = math.asin(min(1, order / degree))
    if theta >= turn:
        return 0
    total, steps = 0.0, 24
    for i in range(steps):
        u = (i + 0.5) / steps
        sine = math.sin(turn - (turn - theta) * u * u)
        total += math.sqrt(max(0, (order / sine) ** 2 - degree ** 2)) * 2 * u / steps
    return total * (turn - theta)


def polar_limit(lmax: int, sine: float) -> int:
    """Orders above it do not matter on a ring."""
    low, high = int(lmax * sine), lmax
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if decay(middle, lmax, math.asin(sine)) < 39 else (
            low, middle - 1)
    return low


def classic(number: int) -> List[int]:
    """Lengths of a hemisphere of ECMWF's N grids."""
    text = (ROOT / "src/grid/classic_tables.c").read_text(encoding="utf-8")
    grids = [list(map(int, row)) for row in
             re.findall(r"\{(\d+), (\d+), (\d+), (\d+)\}", text)]
    runs = list(map(int, re.findall(r"\d+", text.split("classic_runs[] = {")[1])))
    _, count, first, _ = next(row for row in grids if row[0] == number)
    return [runs[2 * i] for i in range(first, first + count) for _ in range(runs[2 * i + 1])]


@functools.lru_cache(None)
def grid(name: str) -> Tuple[Slot, ...]:
    """The pairs of rings of a grid, from the pole on."""
    number = int(re.findall(r"\d+", name)[-1])
    if name.startswith("HEALPix"):
        lmax, sines = 2 * number - 1, model.healpix(number)
        lengths = [4 * min(i + 1, number) for i in range(len(sines))]
    elif name.startswith("Gauss"):
        lmax, sines = number, model.gauss_legendre(number)
        lengths = [2 * (lmax + 1)] * len(sines)
    else:
        size = int(name[1:])
        lmax, sines = size - 1, model.gauss_legendre(2 * size - 1)
        lengths = classic(size) if name[0] == "N" else [16 + 4 * i for i in range(1, size + 1)]
    return tuple(Slot(n, polar_limit(lmax, sine)) for n, sine in zip(lengths, sines))


# --- Rules ----------------------------------------------------------------------------------------

def pad_today(need: int) -> int:
    """padded_length() of ringfft_layout.c."""
    for length in LENGTHS:
        if length >= need:
            return length
    return max(4096, 1 << (need - 1).bit_length())


def pad_smooth(need: int) -> int:
    """2^a times 1, 3, 5 or 15."""
    return min(factor << max(4, math.ceil(math.log2(need / factor))) for factor in (1, 3, 5, 15)
               if factor << 4 <= 2 * need)


def pad_more(need: int) -> int:
    """Today's, with 640, 1280 and 2560: what a middle of five numbers adds."""
    return next((length for length in sorted(LENGTHS + (640, 1280, 2560)) if length >= need),
                pad_today(need))


def needed(slot: Slot, parts: int, few: bool) -> int:
    """Numbers that the convolution of a part must have."""
    part = slot.n // parts
    return part + 2 * min(part // 2, math.ceil(slot.limit / parts)) if few else 2 * part - 1


def smooth_radices(number: int) -> Tuple[int, ...]:
    """armilla_cuda_smooth_radices() of ringfft_smooth.c; (): not smooth."""
    powers = []
    for prime in (2, 3, 5, 7):
        powers.append(0)
        while number % prime == 0:
            number, powers[-1] = number // prime, powers[-1] + 1
    if number > 1:
        return ()
    twos, threes, fives, sevens = powers
    even = (twos - min(twos, threes) + 2) // 3
    sixes = max(0, twos - 3 * even)
    missing = 3 * even - (twos - sixes)
    two = int(even == 1 and missing == 2)
    fours = 0 if two else missing
    return ((8,) * (even - fours - two) + (6,) * sixes + (4,) * fours + (2,) * two
            + (7,) * sevens + (5,) * fives + (3,) * (threes - sixes))


def decide(slots: Tuple[Slot, ...], rule: Rule) -> List[Slot]:
    """set_padded() and choose_methods() of ringfft_layout.c."""
    made, limits = [], {}
    for slot in slots:
        limits[slot.n] = max(slot.limit, limits.get(slot.n, 0))
    for slot in slots:
        radices = smooth_radices(slot.n) if slot.n <= rule.smooth else ()
        if radices:
            made.append(slot._replace(radices=radices))
            continue
        parts = 4 if slot.n > SUMS and slot.n % 4 == 0 else 1
        need = needed(slot._replace(limit=limits[slot.n]), parts, rule.few)
        made.append(slot._replace(parts=parts, need=need,
                                  padded=rule.pad(need) if slot.n > SUMS else 0))
    classes, lengths = Counter(s.padded for s in made), Counter(s.n for s in made)

    def is_direct(slot: Slot) -> bool:
        saved = (2 * slot.n if slot.padded <= rule.shared
                 else 8 * slot.parts * slot.padded - 3 * slot.n)
        halves = rule.halves or slot.padded > rule.shared
        return (halves and 2 * lengths[slot.n] >= classes[slot.padded]
                or 16 * lengths[slot.n] * saved >= LAUNCH_BYTES)
    return [s._replace(parts=1, padded=0) if s.padded and is_direct(s) else s for s in made]


# --- Counts ---------------------------------------------------------------------------------------

class Count(NamedTuple):
    """Of all rings: numbers of convolutions in shared memory, instructions in double precision and
    bytes of shared memory there, bytes of global memory; instructions of any kind."""
    padded: float
    flops: float
    shared: float
    moved: float
    instructions: float

    def seconds(self) -> float:
        """What is longest in shared memory, and bytes of what is not there."""
        shared = self.shared / (model.SHARED_BYTES * model.MULTIPROCESSORS * model.CLOCK)
        return max(model.issue_seconds(self.instructions), shared, self.moved / model.MEMORY)


def passes_of(length: int) -> Tuple[int, float]:
    """Passes by eights of a convolution, both ways, and instructions for a number in the middle."""
    outer = 512 if length > 512 else 64
    middle = length // outer
    return (6 if outer == 512 else 4), {2: 8, 3: 40 / 3, 4: 12, 5: 18, 6: 20, 8: 18}.get(middle, 20)


def smooth_flops(radices: Tuple[int, ...]) -> float:
    """For a number; the first pass has no products with roots."""
    roots = sum(4 * (2 * radix - 3) / radix for radix in radices[1:])
    return sum(FEW[radix] / radix for radix in radices) + roots + SMOOTH_ENDS


def count_slot(slot: Slot, rule: Rule) -> Count:
    leg, samples = 32.0 * (slot.limit + 1), 16.0 * slot.n
    if slot.radices:
        touched = 16.0 * (2 * len(slot.radices) * SMOOTH_CONFLICTS + 2)
        flops = slot.n * smooth_flops(slot.radices)
        return Count(0, flops, slot.n * touched, leg + samples, SMOOTH_ALL * flops)
    if not slot.padded:
        return Count(0, 0, 0, leg + 5 * samples, 0)  # cuFFT in one kernel
    numbers = slot.parts * slot.padded
    if slot.padded > rule.shared:
        return Count(0, 0, 0, leg + 16.0 * numbers * 7 + 2 * samples, 0)
    passes, middle = passes_of(slot.padded)
    flops = numbers * (passes * PASS + middle - (PRUNED if rule.pruned else 0)) + ENDS * slot.n
    return Count(numbers, flops, 32.0 * numbers * passes, leg + 2 * samples, ALL * flops)


def count(name: str, rule: Rule) -> Dict[str, Count]:
    """By where the convolution is."""
    found = {key: [0.0] * 5 for key in ("shared", "cuFFT")}
    for slot in decide(grid(name), rule):
        key = "shared" if slot.radices or 0 < slot.padded <= rule.shared else "cuFFT"
        found[key] = [a + b for a, b in zip(found[key], count_slot(slot, rule))]
    return {key: Count(*values) for key, values in found.items()}


def seconds(name: str, rule: Rule) -> float:
    """The stage: kernels that convolve in shared memory, and then the others."""
    return sum(part.seconds() for part in count(name, rule).values())


# --- Smooth times rough ---------------------------------------------------------------------------

def fft_flops(length: float) -> float:
    return PASS * length * math.log(max(length, 1), 8)


def convolution_flops(rough: int) -> float:
    length = pad_smooth(max(2 * rough - 1, 16))
    return 2 * fft_flops(length) + 4 * length


def split_flops(part: int) -> float:
    """The least for a transform of so many numbers: a smooth factor s by passes, and s convolutions
    for the rest; in passes that need not be whole."""
    smooth = [s for s in range(1, part + 1) if part % s == 0 and is_smooth(s)]
    return min(fft_flops(s) * (part // s)
               + (s * convolution_flops(part // s) if part // s > 1 else 0) for s in smooth)


def is_smooth(number: int) -> bool:
    for prime in (2, 3, 5, 7):
        while number % prime == 0:
            number //= prime
    return number == 1


def split_gain(name: str) -> Tuple[float, float]:
    """Instructions of convolutions in shared memory whole, and split where that is less."""
    whole = split = 0.0
    for slot in decide(grid(name), TODAY):
        if 0 < slot.padded <= SHARED:
            part = slot.n // slot.parts
            usual = 2 * fft_flops(slot.padded) + 4 * slot.padded
            whole += slot.parts * usual + ENDS * slot.n
            split += slot.parts * min(usual, split_flops(part)) + ENDS * slot.n
    return whole, split


# --- Tables ---------------------------------------------------------------------------------------

TODAY = Rule(pad_today)
RULES = {"today": TODAY,
         "before smooth passes": Rule(pad_today, smooth=0, halves=True),
         "and all orders convolved": Rule(pad_today, few=False, smooth=0, halves=True),
         "2^a 3^(0,1) 5^(0,1)": Rule(pad_smooth),
         "640, 1280, 2560 as well": Rule(pad_more),
         "first pass pruned": Rule(pad_today, pruned=True),
         "4096 in shared memory": Rule(pad_today, shared=4096),
         "the last and 640, 1280, 2560": Rule(pad_more, shared=4096),
         "smooth up to 8192": Rule(pad_today, smooth=8192)}


class Legendre(NamedTuple):
    """Seconds of the Legendre stage of a field: pipe in double precision, issue, bytes."""
    pipe: float
    issue: float
    moved: float

    def seconds(self) -> float:
        return max(self.pipe, self.issue) + self.moved


@functools.lru_cache(None)
def legendre(name: str) -> Legendre:
    """Synthesis. Four fields of the weather's grids share a recurrence."""
    of, loops = CALLS[name], model.read_loops()
    if of[0] in "ON":
        size, sets, kind = int(of[1:]), 4, "tensor" if name.endswith("t") else "legendre"
        lmax, sines = size - 1, model.gauss_legendre(2 * size - 1)
        moved = model.O1280_BYTES * (size / 1280) ** 2
    else:
        number = int(re.findall(r"\d+", of)[-1])
        lmax, sets, kind = number if of[0] == "G" else 2 * number - 1, 1, "legendre"
        sines = model.gauss_legendre(lmax) if of[0] == "G" else model.healpix(number)
        moved = model.legendre_bytes(model.Grid(sines, 0, 0, 0), lmax, 1, False)
    loop = loops[f"{kind}_synthesis.v4w4.{sets}"]
    bound = [model.scheduler_seconds(model.legendre_cycles(sines, lmax, 4, cycles / loop.steps))
             for cycles in (loop.pipe, loop.instructions)]
    return Legendre(bound[0] / sets, bound[1] / sets, moved / model.MEMORY)


def call_seconds(name: str) -> float:
    """What a call takes but for the ring stage, a field."""
    return legendre(name).seconds()


def print_table(rows: List[List[str]]) -> None:
    print("\n".join(["| " + " | ".join(row) + " |" for row in rows[:1]]
                    + ["|---" * len(rows[0]) + "|"]
                    + ["| " + " | ".join(row) + " |" for row in rows[1:]]) + "\n")


def methods() -> List[List[str]]:
    rows = [["Grid", "direct sums", "smooth", "cuFFT", "convolved in shared memory", "longer",
             "numbers of rings", "padded in shared memory"]]
    for name in dict.fromkeys(CALLS.values()):
        made = decide(grid(name), TODAY)
        shared = [s for s in made if 0 < s.padded <= SHARED]
        rows.append([name] + [str(k) for k in (
            sum(s.n <= SUMS and not s.radices for s in made), sum(bool(s.radices) for s in made),
            sum(s.n > SUMS and not s.padded and not s.radices for s in made), len(shared),
            sum(s.padded > SHARED for s in made))]
            + [f"{1e-6 * sum(s.n for s in made):.2f} M",
               f"{1e-6 * sum(s.parts * s.padded for s in shared):.2f} M"])
    return rows


def stages() -> List[List[str]]:
    rows = [["Call, a field", "FP64", "shared", "global", "stage", "call", "share"]]
    for name, of in CALLS.items():
        parts, stage = count(of, TODAY), seconds(of, TODAY)
        call = call_seconds(name) + stage
        rows.append([name, f"{1e-9 * parts['shared'].flops:.2f} G",
                     f"{1e-9 * parts['shared'].shared:.2f} GB",
                     f"{1e-9 * sum(p.moved for p in parts.values()):.2f} GB",
                     model.milliseconds((stage, stage)), model.milliseconds((call, call)),
                     f"{100 * stage / call:.0f} %"])
    return rows


def gains() -> List[List[str]]:
    names = list(CALLS)
    rows = [["Rule"] + names]
    for what, rule in RULES.items():
        row = [what]
        for name in names:
            of = CALLS[name]
            before, now = seconds(of, TODAY), seconds(of, rule)
            row.append(f"{1e3 * now:.3f} ms" if rule is TODAY else
                       f"{100 * (before - now) / (before + call_seconds(name)):.1f} %")
        rows.append(row)
    return rows


def splits() -> List[List[str]]:
    rows = [["Call", "whole", "split where less", "of the call"]]
    for name, of in CALLS.items():
        whole, split = split_gain(of)
        if not whole:
            continue
        stage = count(of, TODAY)["shared"].seconds()
        gain = (1 - split / whole) * stage / (seconds(of, TODAY) + call_seconds(name))
        rows.append([name, f"{1e-9 * whole:.2f} G", f"{1e-9 * split:.2f} G", f"{100 * gain:.1f} %"])
    return rows


def streams() -> List[List[str]]:
    """Stages one after the other, and the longest resource where they run at the same time."""
    rows = [["Call of several batches, a field", "one after the other", "FP64 pipe", "issue",
             "shared memory", "global memory", "gain at most"]]
    for name, of in CALLS.items():
        first, parts = legendre(name), count(of, TODAY)
        flops = sum(part.flops for part in parts.values())
        issued = sum(part.instructions for part in parts.values())
        shared = sum(part.shared for part in parts.values())
        each = [first.pipe + flops / model.FMA, first.issue + model.issue_seconds(issued),
                shared / (model.SHARED_BYTES * model.MULTIPROCESSORS * model.CLOCK),
                first.moved + sum(part.moved for part in parts.values()) / model.MEMORY]
        usual = first.seconds() + seconds(of, TODAY)
        rows.append([name] + [model.milliseconds((s, s)) for s in [usual] + each]
                    + [f"{100 * (1 - max(each) / usual):.0f} %"])
    return rows


if __name__ == "__main__":
    for table in (methods, stages, gains, splits, streams):
        print_table(table())
