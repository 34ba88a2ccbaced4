#!/usr/bin/env python3
"""Writes docs/gpu-figures.md: the text of tools/gpu_figures_page.md with the numbers of
tools/gpu_model.py and of tools/gpu_sheets.py.

Usage: gpu_predictions.py            writes the page; what was measured must be filled in again
       gpu_predictions.py --check    exits with 1 if the page differs, but for what was measured

In the text `*` in a column "Predicted" is the prediction of the row's first cell, {{word ...}} a
number or a table of the functions below.
"""
import itertools
import re
import sys
from pathlib import Path
from typing import Callable, Dict, List

import gpu_model as model
import gpu_sheets as sheets

ROOT = Path(__file__).resolve().parents[1]
PAGE, TEXT = ROOT / "docs/gpu-figures.md", ROOT / "tools/gpu_figures_page.md"
CEILINGS = (("DFMA", "FP64 multiply-adds alone"), ("DMMA", "FP64 tensor cores alone"),
            ("memory", "copies on the device, read and written"), ("launches", "empty launches"),
            ("link", "copies from pinned memory"))
SHAPES = ("v1w4", "v2w4", "v2w8", "v4w4")


# --- Cells ----------------------------------------------------------------------------------------

def cycles(key: str) -> str:
    """Of a row of the rates: multiply-adds, uniform loads and products of a step."""
    adds = 2 * sum(map(int, re.findall(r"(\d+) DFMA", key)))
    if "DMMA" in key:
        rows, depth = map(int, re.search(r"m(\d+)n8k(\d+)", key).groups())
        product = model.PRODUCT_CYCLES * rows // 8 * depth // 4
        if not adds:
            return f"{product} cycles"
        return f"{product + adds} cycles if they share a pipe, {max(product, adds)} if not"
    loads = sum(map(int, re.findall(r"(\d+) uniform", key)))
    two, four = (max(adds, loads * each * model.SCHEDULERS) for each in (2, 4))
    return (f"{two} cycles" if two == four
            else f"{two} cycles with loads of 2 cycles, {four} with loads of 4")


def predicted(key: str, known: Dict[str, model.Range]) -> str:
    """The cell of a figure."""
    if key in known:
        return model.milliseconds(known[key])
    return model.rates().get(key) or cycles(key)


# --- Tables ---------------------------------------------------------------------------------------

def table(rows: List[List[str]]) -> str:
    """Rows of cells; the first has the names of columns."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|"] + lines[1:])


def ceilings() -> str:
    rates = {**model.rates(), "copies from pinned memory": f"{1e-9 * model.LINK:.0f} GB/s"}
    return table([["Ceiling", "Figure", "Assumed"]]
                 + [[name, key, rates[key]] for name, key in CEILINGS])


def bounds() -> str:
    rows = [["Bound by"] + [name for name, _ in CEILINGS]]
    for key, of in model.shares().items():
        rows.append([key] + [f"{of[name]:.2f}" if of[name] >= 0.005 else ""
                             for name, _ in CEILINGS])
    return table(rows)


def loops() -> str:
    found = model.read_loops()
    rows = [["", *[f"`{shape}`" for shape in SHAPES]]]
    for kernel in dict.fromkeys(name.split(".")[0] for name in found):
        for sets in dict.fromkeys(name.split(".")[2] for name in found if name.startswith(kernel)):
            of = [found.get(f"{kernel}.{shape}.{sets}") for shape in SHAPES]
            what = "fields" if kernel.startswith("spin") else "sets"
            rows.append([f"`{kernel}`, {sets} {what[:-1] if sets == '1' else what}"]
                        + [f"{one.instructions} / {one.pipe:.0f}" if one else "" for one in of])
    return table(rows)


def legendre() -> str:
    rows = [["lmax", "sets", "useful", "synthesis", "share", "analysis", "share"]]
    found = model.read_loops()
    for lmax, sets in ((1023, 1), (2047, 1), (4095, 1), (4095, 2), (8191, 1)):
        sines = model.gauss_legendre(lmax)
        useful = sum(sines) * lmax ** 2 / 4 * (2 + 4 * sets) / model.FMA
        row = [str(lmax), str(sets), model.milliseconds((useful, useful))]
        for word in ("synthesis", "analysis"):
            bound = model.legendre_bound(sines, lmax, f"legendre_{word}.v4w4.{sets}", found)
            row += [model.milliseconds((bound, bound)), f"{100 * useful / bound:.0f} %"]
        rows.append(row)
    return table(rows)


def points() -> str:
    rows = [["epsilon", "Legendre", "columns", "rings", "points, synthesis", "points, adjoint"]]
    for epsilon in model.SPREAD_CYCLES:
        parts = model.points_parts(epsilon)
        rows.append([f"{epsilon:g}"] + [model.digits(1e3 * parts[name]) for name in parts]
                    + [model.milliseconds(model.spread(epsilon)).removesuffix(" ms")])
    return table(rows)


def counted() -> str:
    rows = [["Call", "Launches", "Plan", "Scratch of the call", "Moved by kernels", "by cuFFT",
             "ms by counts", "ms by the model"]]
    for call in model.counted():
        by_model = f"{call['model_ms']:.2g}" if call["model_ms"] else ""
        if "launches" not in call:
            rows.append([call["what"]] + 6 * [""] + [by_model])
            continue
        sizes = [1e-6 * call[name] for name in ("told_plan_bytes", "counted_call_bytes",
                                                "kernel_bytes", "cufft_bytes")]
        rows.append([f"{call['what']}, {call['operator']}", str(call["launches"])]
                    + [f"{size:.3g}" if size < 1000 else f"{size:.0f}" for size in sizes]
                    + [f"{1e3 * model.counted_seconds(call):.2g}", by_model])
    return table(rows)


def data_sheets() -> str:
    rows = [["GPU", "FP32", "FP64", "memory, TB/s", "INT8, dense matrices",
             "FP16 with sums of FP32, dense matrices"]]
    for name, gpu in sheets.GPUS.items():
        rows.append([name] + [f"{number:.3g}" if number < 1000 else f"{number:.0f}"
                              for number in gpu])
    return table(rows)


def slow() -> str:
    rows = [["GPU", "lmax", "transform", "doubles", "two floats", "one float",
             "two floats, fastest shape"]]
    ways = [("double", ("v4w4",)), ("two_floats", ("v4w4",)), ("single", ("v4w4",)),
            ("two_floats", ("v1w4", "v2w4", "v4w4"))]
    for name, lmax in itertools.product(sheets.SLOW, (2047, 4095)):
        for spin, kernel in itertools.product((0, 2), ("synthesis", "analysis")):
            call = sheets.Call(lmax, spin, 2 if spin else 1, kernel)
            rows.append([name, str(lmax), f"spin 2, {kernel}" if spin else kernel]
                        + [model.milliseconds(sheets.transform(sheets.SLOW[name], call, *way))
                           for way in ways])
    return table(rows)


def slices() -> str:
    rows = [["GPU", "lmax", "doubles", "two floats", *sheets.CUTS, "everything else"]]
    for name, lmax in itertools.product(sheets.GPUS, (2047, 4095)):
        rows.append([name, str(lmax)]
                    + [model.milliseconds(one) for one in sheets.batch(name, lmax).values()])
    return table(rows)


TABLES: Dict[str, Callable[[], str]] = {
    "ceilings": ceilings, "bounds": bounds, "loops": loops, "legendre": legendre, "points": points,
    "counted": counted, "sheets": data_sheets, "slow": slow, "slices": slices}


# --- The page -------------------------------------------------------------------------------------

def one(seconds: float) -> str:
    return model.milliseconds((seconds, seconds))


def there_and_back(one_way: Callable[[bool], model.Range]) -> model.Range:
    there, back = one_way(False), one_way(True)
    return there[0] + back[0], there[1] + back[1]


NUMBERS: Dict[str, Callable[[str], str]] = {
    "multiprocessors": lambda _: str(model.MULTIPROCESSORS),
    "clock": lambda _: f"{1e-9 * model.CLOCK:g}", "memory": lambda _: f"{1e-12 * model.MEMORY:.1f}",
    "tflops": lambda _: f"{2e-12 * model.FMA:.1f}",
    "bytes": lambda count: one(float(count) / model.MEMORY),
    "fma": lambda count: one(float(count) / model.FMA),
    "instructions": lambda count: one(model.issue_seconds(float(count))),
    "shared": lambda count: one(
        float(count) / (model.SHARED_BYTES * model.MULTIPROCESSORS * model.CLOCK)),
    "count": lambda _: f"{1e-9 * model.O1280_INSTRUCTIONS:.2g}",
    "o1280": lambda _: model.milliseconds(model.o1280_rings()),
    "halves": lambda fields: model.milliseconds(there_and_back(
        lambda back: model.o1280_halves(int(fields), back))),
    "tensor": lambda fields: model.milliseconds(there_and_back(
        lambda back: model.o1280(int(fields), back, model.read_loops(), "tensor"))),
    "mixing": lambda _: model.milliseconds(model.mixing()),
    "table": lambda name: TABLES[name]()}


def page(text: str) -> str:
    """The text with its numbers."""
    known = model.predictions()
    lines = []
    for line in text.splitlines():
        cells = line.split("|")
        if len(cells) > 3 and cells[2].strip() == "*":
            cells[2] = f" {predicted(cells[1].strip(), known)} "
        lines.append("|".join(cells))
    return re.sub(r"\{\{(\w+) ?([^}]*)\}\}", lambda mark: NUMBERS[mark[1]](mark[2]),
                  "\n".join(lines)) + "\n"


def unmeasured(text: str) -> List[str]:
    """The page without the cells that tools/gpu_figures.py fills."""
    found = []
    for line in text.splitlines():
        cells = line.split("|")
        if re.search(r"not measured yet|\(.*, \d{4}-\d\d-\d\d\) \|$", line):
            line = "|".join(cells[:3])
        found.append(re.sub(r"\*\*(No GPU has|Asked: ).*?\*\*", "", line))
    return found


def main() -> int:
    made = page(TEXT.read_text(encoding="utf-8"))
    if sys.argv[1:] != ["--check"]:
        PAGE.write_text(made, encoding="utf-8")
        return 0
    there = PAGE.read_text(encoding="utf-8")
    if unmeasured(there) == unmeasured(made):
        return 0
    print("docs/gpu-figures.md is not what tools/gpu_predictions.py writes: run it")
    return 1


if __name__ == "__main__":
    sys.exit(main())
