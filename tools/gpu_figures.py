#!/usr/bin/env python3
"""Fills the last column of the tables of docs/gpu-figures.md with what a GPU has shown.

Usage: gpu_figures.py FIGURES.MD RESULTS.JSONL ...

RESULTS.JSONL is what tools/gpu_check_run.sh leaves; of a key that is in it several times the last
value counts. The first cell of a table's row is the key of a figure. Each value gets the GPU's name
and the day; rows whose key nobody has found stay as they are. Says how many rows were filled, and
which figures were wrong; exits with 1 where none was filled.
"""
import json
import sys


def read_results(paths):
    """Figures by key, each with the GPU and the day of its file; and what was wrong."""
    figures, wrong = {}, []
    for path in paths:
        gpu, day = "unknown GPU", "unknown day"
        with open(path, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        for row in rows:
            gpu, day = row.get("gpu") or gpu, row.get("date") or day
        for row in rows:
            if "wrong" in row:
                wrong.append(f"{row.get('step')}: {row['wrong']}")
            if "key" in row and isinstance(row.get("value"), (int, float)):
                figures[row["key"]] = (row["value"], row.get("unit", ""), gpu, day)
    return figures, wrong


def cell_of(figure):
    value, unit, gpu, day = figure
    return f"{value:.4g} {unit}".strip() + f" ({gpu}, {day})"


NOBODY = "**No GPU has been asked yet.**"


def fill(lines, figures):
    """The lines with last cells filled; the keys that were."""
    filled, result = [], []
    asked = sorted({f"{gpu}, {day}" for _, _, gpu, day in figures.values()})
    for line in lines:
        if asked:
            line = line.replace(NOBODY, f"**Asked: {'; '.join(asked)}.**")
        cells = line.strip().split("|")
        key = cells[1].strip() if len(cells) > 3 else None
        if key in figures:
            cells[-2] = f" {cell_of(figures[key])} "
            line = "|".join(cells)
            filled.append(key)
        result.append(line)
    return result, filled


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    figures, wrong = read_results(sys.argv[2:])
    with open(sys.argv[1], encoding="utf-8") as file:
        lines, filled = fill(file.read().splitlines(), figures)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    print(f"{len(filled)} rows filled, of {len(figures)} figures")
    for text in wrong:
        print(f"wrong there: {text}")
    return 0 if filled else 1


if __name__ == "__main__":
    sys.exit(main())
