"""A checker of types knows what the package's calls return."""
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def checked(path):
    """How mypy ends, and what it says of a file."""
    done = subprocess.run([sys.executable, "-m", "mypy", path], cwd=ROOT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={name: value for name, value in os.environ.items()
                               if name != "PYTHONPATH"})  # the sources, by pyproject.toml
    return done.returncode, done.stdout


def test_inferred_types():
    pytest.importorskip("mypy")
    status, told = checked("python/tests/typing/arrays.py")
    assert status == 0, told


def test_unknown_words_are_found():
    """Each line of words.py that has one, and no other."""
    pytest.importorskip("mypy")
    path = "python/tests/typing/words.py"
    _, told = checked(path)
    lines = (ROOT / path).read_text().splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if '"nonsense"' in line or '"X' in line}
    found = re.findall(re.escape(path) + r":(\d+): error: ", told)
    assert {int(number) for number in found} == wrong and len(wrong) > 10, told
