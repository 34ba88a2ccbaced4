"""The examples run, check themselves, and write what they promise."""
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import armilla

PACKAGE = str(Path(armilla.__file__).resolve().parents[1])
EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


SMALLER = {"lensed_spectrum": ["4", "800"], "point_sources": ["128"],
           "satellites": ["5000"]}  # arguments behind the folder


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_example(path, tmp_path):
    text = path.read_text()
    told = text.split('"""')[1].split("writes")[-1]
    promised = re.findall(r"[\w.]+\.(?:png|txt)", told)
    if "import matplotlib" in text:
        pytest.importorskip("matplotlib")
    for framework in re.findall(r"^import (torch|jax)$", text, re.MULTILINE):
        pytest.importorskip(framework)
    assert os.access(path, os.X_OK) and len(re.findall("^Usage: ", text, re.MULTILINE)) == 1
    run = subprocess.run([sys.executable, str(path), str(tmp_path),
                          *SMALLER.get(path.stem, [])], cwd=tmp_path, timeout=120,
                         env={**os.environ, "PYTHONPATH": PACKAGE}, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout and not run.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(promised)
    for name in promised:
        assert (tmp_path / name).stat().st_size > 1000
