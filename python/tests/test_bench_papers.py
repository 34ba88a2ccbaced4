"""Checks bench/papers.py, which measures and draws the figures of five papers: one figure from the
measurement to the page, what it computes by itself, and that the page in docs has every figure."""
import json
import pathlib
import re
import subprocess
import sys

import pytest

TREE = pathlib.Path(__file__).parents[2]
BENCH, LIBRARY = TREE / "bench", TREE / "build" / "libarmilla.so"
WANTED = ([f"arkcos-{n}" for n in range(2, 7)]
          + [f"s2hat-{n}" for n in ("6.1", "6.2", "sums", "operations", "6.4", "6.6",
                                     "6.7")]
          + [f"cunusht-{n}" for n in ("3", "4", "5", "6", "A1", "C1", "D1")]
          + [f"libsharp-{n}" for n in (*range(5, 13), "5-orders", "table-1")])
WITHOUT_PICTURE = {"cunusht-A1", "cunusht-D1", "libsharp-5-orders", "libsharp-table-1"}

needs_library = pytest.mark.skipif(not LIBRARY.exists(), reason="the library is not in build/")


def papers(*arguments):
    return subprocess.run([sys.executable, BENCH / "papers.py", *arguments], capture_output=True,
                          text=True, timeout=120)


def computed(text):
    """What lines of Python print that see the modules of bench."""
    begin = f"import sys; sys.path.insert(0, {str(BENCH)!r}); import numpy as np\n"
    result = subprocess.run([sys.executable, "-c", begin + text], capture_output=True, text=True,
                            timeout=120)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout.splitlines()[-1])


@pytest.fixture(autouse=True)
def matplotlib():
    pytest.importorskip("matplotlib")


def test_unknown_figures_are_refused():
    result = papers("--draw", "--only", "libsharp-4")
    assert result.returncode == 1
    assert "no figure libsharp-4" in result.stderr and "cunusht-C1" in result.stderr


@needs_library
def test_one_figure_from_measurement_to_page(tmp_path):
    result = papers("--quick", "--only", "libsharp-7", "--output", str(tmp_path))
    assert result.returncode == 0, result.stderr
    lines = [json.loads(text) for text in (tmp_path / "papers.jsonl").read_text().splitlines()]
    assert {one["figure"] for one in lines} == {"libsharp-7"}
    assert all(0 < one["rms"] < 1e-12 and one["synthesis"] > 0 for one in lines[1:])
    assert (tmp_path / "figures" / "libsharp-7.png").stat().st_size > 1000
    page = (tmp_path / "papers.md").read_text()
    (tmp_path / "papers.md").unlink()
    assert "| 1       | 511  |" in page
    assert papers("--draw", "--output", str(tmp_path)).returncode == 0
    assert (tmp_path / "papers.md").read_text() == page


def test_page_has_every_figure():
    """The newest page and its lines of JSON; each picture is there."""
    names = {json.loads(text)["figure"] for text in
             (TREE / "docs" / "results" / "papers.jsonl").read_text().splitlines()}
    assert names == set(WANTED)
    page = (TREE / "docs" / "results" / "papers.md").read_text()
    pictures = re.findall(r"\]\(\.\./figures/papers/(.*)\.png\)", page)
    assert sorted(pictures) == sorted(set(WANTED) - WITHOUT_PICTURE)
    assert page.count("*Not run:*") >= 15


def test_fits_recover_their_coefficients():
    there, clipped = computed("""
import json, papers_cunusht as paper
sizes = [255, 511, 1023, 2047]
bent = paper.model(sizes, (-0.01, 0.3))
print(json.dumps([paper.fit(sizes, paper.model(sizes, (0.2, 0.7))).tolist(),
                  paper.fit(sizes, bent).tolist()]))
""")
    assert there == pytest.approx([0.2, 0.7])
    assert clipped[0] == 0 and 0.28 < clipped[1] < 0.3


@needs_library
@pytest.mark.parametrize("spin", [0, 2, 37])
def test_errors_of_round_trips_are_seen(spin):
    """One coefficient that is off by 3e-6 + 4e-6 i; degrees below the spin do not count."""
    clean, off = computed(f"""
import json, papers_common as common
problem = common.ReducedGauss(63, {spin})
alm = common.uniform_alm(problem)
clean = common.errors_of(problem, alm)
alm[0, -1, 63 + 60] += 3e-6 + 4e-6j
alm[0, 0, :{spin}] += 7
print(json.dumps([clean, common.errors_of(problem, alm)]))
""")
    assert clean == [0, 0]
    assert off[1] == pytest.approx(5e-6) and 1e-8 < off[0] < 1e-6


def test_other_settings_are_not_the_plans_own():
    own, others = computed("""
import json, papers_s2hat as paper
plans = paper.plans_of(*paper.gauss_legendre(0.125))
print(json.dumps([paper.own_setting(plans[""]), sorted(plans)]))
""")
    assert own.startswith("legendre.starts=") and own not in others and len(others) >= 8
