"""lenspyx' own test_*.py, programs that print or draw: run at smaller sizes, and looked at.

They have lmax 4096 and buffers of 1024; here these are 256 and 64. What they say should be zero
must be; what they draw is checked with the numbers that it is drawn from.
"""
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

SOURCE = Path(os.environ["PEERS_SOURCES"]) / "lenspyx-2.0.52" / "lenspyx"


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """A copy of the package with small sizes in its tests, on the path; its folder of tests."""
    place = tmp_path_factory.mktemp("lenspyx")
    shutil.copytree(SOURCE, place / "lenspyx")
    tests = place / "lenspyx" / "tests"
    for path in [tests / "helper.py", *tests.glob("test_*.py")]:
        text = path.read_text(encoding="utf-8")
        for large, small in (("4096", "256"), ("1024", "64"), ("2048, 8", "2048, 2")):
            text = text.replace(large, small)
        path.write_text(text, encoding="utf-8")
    sys.path.insert(0, str(place))
    for name in [key for key in sys.modules if key.split(".")[0] == "lenspyx"]:
        del sys.modules[name]
    yield tests
    sys.path.remove(str(place))


def printed(script, *arguments):
    """What a program prints."""
    path = os.pathsep.join([str(script.parents[2]), os.environ["PYTHONPATH"]])
    return subprocess.run([sys.executable, str(script), *arguments], check=True, text=True,
                          stdout=subprocess.PIPE, env=dict(os.environ, PYTHONPATH=path)).stdout


def test_funkypointing(scripts):
    """Deflections over the pole are rotations by pi: colatitude, longitude, gamma."""
    rows = re.findall(r"^[\d.]+ : (\S+) (\S+) (\S+)$", printed(scripts / "test_funkypointing.py"),
                      re.MULTILINE)
    assert len(rows) == 8 and np.abs(np.array(rows, float)).max() < 1e-10


def test_nocurlshts(scripts):
    """Without curl modes both modes of the transforms give the same."""
    text = printed(scripts / "test_nocurlshts.py", "-lmaxlen", "200", "-dlmax", "50", "-dlmaxgl",
                   "50")
    told = [float(number) for number in re.findall(r"should be zero: (\S+)", text)]
    assert len(told) == 6 and max(told) < 1e-9


def test_A(scripts):
    """The adjoint of lensing, with the magnification, undoes it; without, less so."""
    found = runpy.run_path(str(scripts / "test_A.py"))
    tlm, plain, weighted = (found[name] for name in ("tlm_unl", "tlm_unl_1", "tlm_unl_2"))
    error = [np.linalg.norm(tlm - other) / np.linalg.norm(tlm) for other in (plain, weighted)]
    assert error[1] < 1e-3 < error[0]


def test_epsilon(scripts):
    """Maps by ffi.gclm2lenmap against sums over pixels, at four accuracies (double: the last)."""
    found = runpy.run_path(str(scripts / "test_epsilon.py"))
    q, u, norm = found["Q"], found["U"], found["norm"]
    assert found["epsilon"] == 1e-3 and len(found["Pexs"]) == 4
    for exact, pixels in zip(found["Pexs"], found["pixels"]):
        assert np.abs(exact - (q[pixels] + 1j * u[pixels])).max() * norm < 5e-3


def test_FFP10fwd(scripts):
    pytest.importorskip("lenscarf", reason="it imports lenscarf")
    printed(scripts / "test_FFP10fwd.py")
