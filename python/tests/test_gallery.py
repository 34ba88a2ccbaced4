"""The notebooks of the site's gallery run on a visitor's machine.

A notebook has the program's cells, runs in a folder that has nothing but the notebook, and has no
name of a file from which the repository could be found. Here each program runs like that.
"""
import runpy
from pathlib import Path

import pytest

SITE = Path(__file__).resolve().parents[2] / "docs" / "site"
PROGRAMS = sorted((SITE / "gallery").glob("plot_*.py"))
cells = runpy.run_path(str(SITE / "_ext" / "notebook_cells.py"))


def run(program):
    """Runs the cells of a program one after the other in one namespace."""
    space = {"__name__": "__main__"}
    for cell in program.read_text(encoding="utf-8").split("\n# %%"):
        exec(compile(cell, program.stem, "exec"), space)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_program_runs_without_the_repository(program, tmp_path, monkeypatch):
    for package in cells["packages_of"](program.read_text(encoding="utf-8")):
        pytest.importorskip(package)
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    monkeypatch.chdir(tmp_path)
    try:
        run(program)
        assert plt.get_fignums(), "the program draws nothing"
    finally:
        plt.close("all")


def test_there_are_programs():
    assert len(PROGRAMS) >= 14


def test_notebook_begins_with_what_it_needs():
    notebook = {"cells": [{"cell_type": "markdown", "source": ["import nothing"]},
                          {"cell_type": "code", "source": ["import numpy as np\nimport armilla.io\n"
                                                           "from jax import numpy\n"]},
                          {"cell_type": "code", "source": ["import matplotlib.pyplot as plt"]}]}
    first, *others = cells["with_install"](notebook)["cells"]
    assert first["cell_type"] == "code" and others == notebook["cells"]
    assert first["source"][0].splitlines()[-1] == (
        "%pip install --quiet armilla_sht-*.whl jax matplotlib")
