#!/usr/bin/env python3
"""Makes the table of ECMWF's classic reduced Gaussian grids, src/grid/classic_tables.c.

    git clone https://github.com/ecmwf/atlas
    tools/make_classic_grids.py atlas     # writes src/grid/classic_tables.c

Atlas (Apache License 2.0) has one file for each grid, with the pixels of each ring from the pole to
the equator. What is taken are these numbers, which ECMWF has published, as runs of equal lengths.
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = pathlib.Path("src/atlas/grid/detail/pl/classic_gaussian")
HEAD = """/* Numbers of pixels on the rings of ECMWF's classic reduced Gaussian grids N16 to N8000,
 * as runs of rings of one length from the pole to the equator: pixels, rings, pixels, rings, ...
 * Written by tools/make_classic_grids.py from the tables of ECMWF's Atlas (Apache License 2.0). */
#include "grid/classic.h"

"""


def lengths(path):
    """What a file of Atlas lists."""
    body = re.search(r"LIST\(([^)]*)\)", path.read_text())
    return [int(number) for number in body[1].split(",")]


def runs(numbers):
    """[[length, rings], ...]"""
    found = []
    for number in numbers:
        if found and found[-1][0] == number:
            found[-1][1] += 1
        else:
            found.append([number, 1])
    return found


def main():
    grids = {}
    for path in (pathlib.Path(sys.argv[1]) / FOLDER).glob("N*.cc"):
        name = re.fullmatch(r"N(\d+)", path.stem)
        if name:
            n = int(name[1])
            grids[n] = lengths(path)
            assert len(grids[n]) == n and sorted(grids[n]) == grids[n]
    flat, rows = [], []
    for n in sorted(grids):
        found = runs(grids[n])
        rows.append(f"    {{{n}, {len(found)}, {len(flat) // 2}, {2 * sum(grids[n])}}},\n")
        flat += [number for run in found for number in run]
    text = textwrap.fill(", ".join(map(str, flat)), 96, initial_indent="    ",
                         subsequent_indent="    ")
    (ROOT / "src/grid/classic_tables.c").write_text(
        HEAD + "/* n, runs, the first of them, pixels of the whole grid */\n"
        + "const armilla_classic_grid armilla_classic_grids[] = {\n" + "".join(rows) + "};\n"
        + f"const int64_t armilla_classic_count = {len(rows)};\n\n"
        + "/* clang-format off */\n"
        + f"const uint16_t armilla_classic_runs[] = {{\n{text},\n}};\n")


if __name__ == "__main__":
    main()
