#!/usr/bin/env python3
"""Fills the tables of docs/gpu-figures.md with what a GPU has shown.

Usage: gpu_figures.py FIGURES.MD RESULTS.JSONL ...

RESULTS.JSONL is what tools/gpu_check_run.sh leaves; of a key that is in it several times the last
value counts, of a kernel that was profiled its longest launch. The first cell of a table's row is
the key of a figure. The column "Measured" gets the value, the GPU's name and the day. The column
"Scaled" gets the prediction for that GPU: its time is split as the table "Bound by" says, and each
part is scaled by the ceiling that the same GPU has shown over the assumed one (table "Ceiling").
Rows whose key nobody has found stay as they are. Says how many rows were filled, and which figures
were wrong; exits with 1 where none was filled.
"""
import fnmatch
import json
import re
import sys
from collections import defaultdict

NOBODY = "**No GPU has been asked yet.**"
NUMBER = r"\d+(?:\.\d+)?"
PREDICTION = re.compile(rf"({NUMBER})(?: to ({NUMBER}))? (ms|s)\b")


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class Results:
    """What was found: figures by key, ceilings by GPU and key, and what was wrong."""

    def __init__(self, paths):
        self.figures, self.of_gpu, self.wrong = {}, defaultdict(dict), []
        for path in paths:
            with open(path, encoding="utf-8") as file:
                self._add_rows([json.loads(line) for line in file])

    def _add_rows(self, rows):
        gpu, day = "unknown GPU", "unknown day"
        for row in rows:
            gpu, day = row.get("gpu") or gpu, row.get("date") or day
        for row in rows:
            if "wrong" in row:
                self.wrong.append(f"{row.get('step')}: {row['wrong']}")
            if "key" in row and is_number(row.get("value")):
                self._add_figure(row, gpu, day)

    def _add_figure(self, row, gpu, day):
        key, value = row["key"], row["value"]
        if row.get("step") == "ncu" and value <= self.of_gpu[gpu].get(key, 0):
            return
        self.figures[key] = (value, row.get("unit", ""), gpu, day)
        self.of_gpu[gpu][key] = value


def cells_of(line):
    """A table's row as its cells; None for other lines."""
    cells = line.strip().split("|")
    return [cell.strip() for cell in cells[1:-1]] if len(cells) > 3 else None


def tables_of(lines):
    """Each row of a table with the names of its columns."""
    names = None
    for line in lines:
        cells = cells_of(line)
        names = (names or cells) if cells else None
        yield line, names, cells


def read_bounds(lines):
    """Ceilings: name -> key, assumed value, is it a time; and shares: pattern -> name -> share."""
    ceilings, shares = {}, {}
    for _, names, cells in tables_of(lines):
        if not cells or cells is names or set("".join(cells)) <= set("-"):
            continue
        if names[0] == "Ceiling":
            value, unit = cells[2].split()[:2]
            ceilings[cells[0]] = (cells[1], float(value), unit == "us")
        elif names[0] == "Bound by":
            shares[cells[0]] = {name: float(cell) for name, cell in zip(names[1:], cells[1:])
                                if cell}
    return ceilings, shares


class Scale:
    """Predictions as they would be with the ceilings that a GPU has shown."""

    def __init__(self, lines, results):
        self.ceilings, self.shares = read_bounds(lines)
        self.of_gpu = results.of_gpu

    def _factor(self, key, gpu):
        """Of a time; None where nobody has split it, or where a ceiling is not known."""
        shares = next((s for p, s in self.shares.items() if fnmatch.fnmatchcase(key, p)), None)
        if not shares:
            return None
        factor = 0
        for name, share in shares.items():
            of, assumed, is_time = self.ceilings[name]
            found = self.of_gpu[gpu].get(of, 0)
            if found <= 0:
                return None
            factor += share * (found / assumed if is_time else assumed / found)
        return factor / sum(shares.values())

    def cell(self, key, predicted, gpu):
        match = PREDICTION.match(predicted)
        factor = self._factor(key, gpu)
        if not match or not factor:
            return ""
        values = [f"{float(value) * factor:.3g}" for value in match.group(1, 2) if value]
        return " to ".join(values) + f" {match.group(3)}"


def measured_cell(figure):
    value, unit, gpu, day = figure
    return f"{value:.4g} {unit}".strip() + f" ({gpu}, {day})"


def fill(lines, results):
    """The lines with cells filled; the keys that were."""
    filled, lines_filled = [], []
    scale = Scale(lines, results)
    asked = sorted({f"{gpu}, {day}" for _, _, gpu, day in results.figures.values()})
    for line, names, cells in tables_of(lines):
        if asked:
            line = line.replace(NOBODY, f"**Asked: {'; '.join(asked)}.**")
        if cells and "Measured" in names and cells[0] in results.figures:
            figure = results.figures[cells[0]]
            row = dict(zip(names, cells))
            row["Measured"] = measured_cell(figure)
            if "Scaled" in row:
                row["Scaled"] = scale.cell(cells[0], row.get("Predicted", ""), figure[2])
            line = "| " + " | ".join(row.values()) + " |"
            filled.append(cells[0])
        lines_filled.append(line)
    return lines_filled, filled


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    results = Results(sys.argv[2:])
    with open(sys.argv[1], encoding="utf-8") as file:
        lines, filled = fill(file.read().splitlines(), results)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    print(f"{len(filled)} rows filled, of {len(results.figures)} figures")
    for text in results.wrong:
        print(f"wrong there: {text}")
    return 0 if filled else 1


if __name__ == "__main__":
    sys.exit(main())
