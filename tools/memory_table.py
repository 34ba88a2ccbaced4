#!/usr/bin/env python3
"""Writes the table of memory in docs/site/threads_memory.md, from what `armilla info --plan` tells.

Usage: memory_table.py ARMILLA [--print] [NSIDE ...]     the command; default: nside 64 to 8192

The table stands between two comments of the page. --print: to standard output, nothing is written.
"""
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "site" / "threads_memory.md"
BEGIN, END = "<!-- memory table: begin -->\n", "<!-- memory table: end -->\n"
NSIDES = 64, 256, 512, 1024, 2048, 4096, 8192
HEAD = """\
| nside | lmax | spin | map | coefficients | plan | a call, 1 thread | a call, 16 threads | \
plan and call, 1 thread, of the arrays |
|---|---|---|---|---|---|---|---|---|
"""


def told(command, nside, spin, threads):
    """Megabytes of map, coefficients, plan and a call."""
    text = subprocess.run([command, "info", "--plan", f"healpix:{nside}", "--lmax", str(2 * nside),
                           "--spin", str(spin), "--threads", str(threads)], check=True,
                          capture_output=True, text=True).stdout
    found = re.search(r"^memory: map (\S+) MB, coefficients (\S+) MB, plan (\S+) MB, "
                      r"a call (\S+) MB$", text, re.MULTILINE)
    return [float(number) for number in found.groups()]


def shown(megabytes):
    if megabytes >= 1000:
        return f"{megabytes / 1000:.2f} GB"
    return f"{megabytes:.0f} MB" if megabytes >= 10 else f"{megabytes:.1f} MB"


def rows(command, nsides):
    for nside in nsides:
        for spin in (0, 2):
            *sizes, call = told(command, nside, spin, 1)
            many = told(command, nside, spin, 16)[3]
            share = (sizes[2] + call) / (sizes[0] + sizes[1])
            cells = [shown(size) for size in (*sizes, call, many)]
            yield (f"| {nside} | {2 * nside} | {spin} | " + " | ".join(cells)
                   + f" | {100 * share:.0f} % |\n")


def main() -> None:
    command, *rest = sys.argv[1:]
    nsides = [int(word) for word in rest if word != "--print"] or NSIDES
    table = HEAD + "".join(rows(command, nsides))
    if "--print" in rest:
        print(table, end="")
        return
    before, after = PAGE.read_text().split(BEGIN)
    PAGE.write_text(before + BEGIN + table + END + after.split(END)[1])


if __name__ == "__main__":
    main()
