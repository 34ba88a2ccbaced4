"""Draws the pictures of the site's page of performance from the tables of docs/measurements.md.

Usage: docs_figures.py FOLDER        writes FOLDER/ratios.png

The tables stay the only place where the numbers are, so that pictures are never older than they.
"""
import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

PAGE = Path(__file__).resolve().parents[1] / "docs" / "measurements.md"
ROWS = {"Gauss-Legendre, scalars": ("C0", "o-"), "spin 1": ("C2", "s-"), "spin 2": ("C1", "^-"),
        "spin 3": ("C3", "v-"), "HEALPix, scalars": ("C0", "o:"), "HEALPix, spin 2": ("C1", "^:")}


def section(text, heading):
    """What stands under a heading, up to the next one of its level or above."""
    level = heading.split(" ")[0]
    found = re.search(rf"^{re.escape(heading)}$(.*?)(?=^#{{1,{len(level)}}} |\Z)", text,
                      re.M | re.S)
    if not found:
        raise SystemExit(f"docs_figures: {PAGE} has no heading {heading!r}")
    return found[1]


def table(text):
    """The first table of a text: a list of rows of cells."""
    rows = re.findall(r"^\|(.*)\|$", text, re.M)
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    return [row for row in cells if not re.fullmatch(r"[-: ]*", "".join(row))]


def numbers(cells):
    """The first number of each cell, that of the best instruction set; None for a dash."""
    found = [re.search(r"\d+\.\d+", cell) for cell in cells]
    return [float(number[0]) if number else None for number in found]


def machines(text):
    """(name, day of the measurement, its table) for each machine that has a table of ratios."""
    days = {re.sub(r"\[|\]\(.*", "", row[0]): row[-1]
            for row in table(section(text, "## Machines"))}
    for name in re.findall(r"^### (.*)$", section(text, "## Ratios today"), re.M):
        if name in days:
            yield name, days[name], table(section(text, f"### {name}"))


def draw(panel, rows):
    """The ratios of one machine, a line for each kind of transform."""
    lmax = [int(cell) for cell in rows[0][1:]]
    for name, *cells in rows[1:]:
        if name in ROWS:
            colour, style = ROWS[name]
            points = [(x, y) for x, y in zip(lmax, numbers(cells)) if y]
            panel.plot(*zip(*points), style, color=colour, label=name, markersize=4)
    panel.axhline(1, color="black", lw=1)
    panel.set_xscale("log", base=2)
    panel.set_xticks(lmax, [str(x) for x in lmax], rotation=60)
    panel.minorticks_off()
    panel.set_xlabel("lmax")
    panel.grid(alpha=0.3)


def main(folder):
    shown = list(machines(PAGE.read_text()))
    figure, panels = plt.subplots(1, len(shown), figsize=(11, 4.6), sharey=True,
                                  layout="constrained")
    for panel, (name, day, rows) in zip(panels, shown):
        draw(panel, rows)
        panel.set_title(f"{name}\n{day}", fontsize="medium")
    panels[0].set_ylabel("time of the fastest other library / Armilla's")
    panels[0].set_ylim(0)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=6)
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "ratios.png", dpi=120)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
