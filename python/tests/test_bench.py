"""Checks that bench/run.py works: its help, its lists of scenarios, a smallest run of transforms,
and of one build against another."""
import json
import pathlib
import subprocess
import sys

import pytest

TREE = pathlib.Path(__file__).parents[2]
RUN, LIBRARY = TREE / "bench" / "run.py", TREE / "build" / "libarmilla.so"
SMALLEST = ["--scenario", "gl", "--lmax", "15", "--budget", "0.05", "--repeat", "1"]


def run(*arguments):
    return subprocess.run([sys.executable, RUN, *arguments], capture_output=True, text=True,
                          timeout=120)


def test_help():
    result = run("--help")
    assert result.returncode == 0 and "Candidates alternate" in result.stdout


@pytest.mark.parametrize("command, known", [("sht", "gl-spin1"), ("scaling", "strong"),
                                            ("ab", "healpix")])
def test_scenarios_are_told(command, known):
    result = run(command, "--scenario", "list")
    assert result.returncode == 1 and known in result.stderr


def test_scenarios_of_others_are_refused():
    result = run("radial", "--scenario", "list")
    assert result.returncode == 1 and "radial has no scenarios" in result.stderr


@pytest.mark.skipif(not LIBRARY.exists(), reason="the library is not in build/")
@pytest.mark.parametrize("command, more", [("sht", []), ("ab", ["--old", str(LIBRARY)])])
def test_smallest_run(command, more, tmp_path):
    result = run(command, *SMALLEST, "--library", str(LIBRARY), "--output", str(tmp_path), *more)
    assert result.returncode == 0, result.stderr
    assert "GL lmax 15" in result.stdout
    kept = json.loads(next(tmp_path.glob("*.json")).read_text())
    assert kept["command"] == command and kept["machine"]
