"""A checker of types knows what the package's calls return."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_inferred_types():
    pytest.importorskip("mypy")
    path = "python/tests/typing/arrays.py"
    done = subprocess.run([sys.executable, "-m", "mypy", path], cwd=ROOT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={name: value for name, value in os.environ.items()
                               if name != "PYTHONPATH"})  # the sources, by pyproject.toml
    assert done.returncode == 0, done.stdout
