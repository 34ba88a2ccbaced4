"""What the tests with SHTns' and pyshtools' own programs share: copies, sizes, comparisons."""
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
SOURCES = Path(os.environ["PEERS_SOURCES"])


def run(peer, script, smaller, place, swapped):
    """A program's output and arrays, in a folder of its own, with some words replaced."""
    if not script.exists():
        pytest.skip(f"there is no {script.name}")
    text = script.read_text(encoding="utf-8")
    for large, small in smaller.items():
        assert large in text, f"{script.name} has changed: there is no {large!r}"
        text = text.replace(large, small)
    place = place / ("swapped" if swapped else "real")
    place.mkdir()
    (place / script.name).write_text(text, encoding="utf-8")
    path = [folder for folder in os.environ["PYTHONPATH"].split(os.pathsep)
            if Path(folder).name != "shim"]  # pyshtools calls ducc0
    done = subprocess.run(
        [sys.executable, str(HERE / "run_program.py"), peer, "kept.npz", script.name,
         *(["--swapped"] if swapped else [])], cwd=place, text=True, capture_output=True,
        env=dict(os.environ, PYTHONPATH=os.pathsep.join(path)), timeout=600)
    absent = re.search(r"No such file or directory: '.*ExampleDataFiles/(.*)'", done.stderr)
    if absent:
        pytest.skip(f"there is no {absent[1]}")
    assert done.returncode == 0, done.stderr[-3000:]
    with np.load(place / "kept.npz") as kept:
        return done.stdout, dict(kept)


def compare(peer, script, smaller, place, bound):
    """Runs a program twice; what both leave behind agrees to a part of its largest number."""
    _, theirs = run(peer, script, smaller, place, False)
    _, ours = run(peer, script, smaller, place, True)
    assert set(ours) == set(theirs)
    largest = 0.0
    for name, expected in theirs.items():
        assert ours[name].shape == expected.shape, name
        if not expected.size:
            continue
        error = np.abs(np.nan_to_num(ours[name] - expected)).max()
        size = np.abs(np.nan_to_num(expected)).max()
        largest = max(largest, error / (size or 1))
        assert error <= bound * (size or 1), f"{name}: {error / (size or 1):.1e}"
    return len(theirs), largest
