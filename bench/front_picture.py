"""Draws the README's first picture: the demo's sky, and the time of the fastest other library over
Armilla's for a handful of transforms, read from the results page of one machine.

    python bench/front_picture.py demo/sky.png docs/results/epyc_zen4.md docs/figures/front.png
"""
import sys

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

CHOSEN = {"GL lmax 1023": "Gauss-Legendre, lmax 1023", "GL lmax 1023, spin 2": "the same, spin 2",
          "GL lmax 1023, 10 at once": "the same, ten scalars at once",
          "HEALPix nside 1024, lmax 2048": "HEALPix, nside 1024",
          "HEALPix nside 1024, lmax 2048, spin 2": "the same, spin 2"}
BLUE = "#0b3d91"


def ratios(page):
    """(problem, fastest peer, ratio of both directions together) of each chosen row of a page."""
    rows = {}
    with open(page, encoding="utf-8") as file:
        for line in file:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if cells[0] in CHOSEN:
                words = cells[2].split(" / ")[0].split()[:-1]  # without the time
                rows.setdefault(cells[0], (" ".join(words), float(cells[4].strip("*"))))
    missing = set(CHOSEN) - set(rows)
    if missing:
        raise SystemExit(f"{page} has no row {', '.join(sorted(missing))}")
    return [(CHOSEN[name], *rows[name]) for name in CHOSEN]


def draw(sky, page, output):
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.4), layout="constrained",
                                         width_ratios=(1.25, 1))
    left.imshow(plt.imread(sky))
    left.set_axis_off()
    problems, peers, values = zip(*ratios(page))
    right.barh(range(len(values)), values, color=BLUE, height=0.62)
    for place, (peer, value) in enumerate(zip(peers, values)):
        right.text(value + 0.04, place, f"{value:.2f}  ({peer})", va="center", fontsize=9)
    right.axvline(1, color="#444444", linewidth=1)
    right.set_yticks(range(len(values)), problems, fontsize=9)
    right.invert_yaxis()
    right.set_xlim(0, max(values) * 1.55)
    right.set_title("Time of the fastest other library over Armilla's,\n"
                    "one core of an AMD EPYC (Zen 4), both directions", fontsize=10)
    for side in ("top", "right"):
        right.spines[side].set_visible(False)
    figure.savefig(output, dpi=110)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    draw(*sys.argv[1:])
