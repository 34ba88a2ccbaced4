"""SHTns' own example programs in Python, with SHTns and with armilla.shtns: the same numbers."""
import pytest
from programs import SOURCES, compare, run

FOLDER = SOURCES / "shtns-3.7.5" / "examples"
PROGRAMS = {  # words that make a program shorter, and the bound
    "SHT_example.py": ({}, 1e-13),
    "SHT_fixed_m.py": ({}, 1e-13),
    "sht_rot.py": ({"show()": ""}, 1e-12),
    "shallow_water.py": ({"6*int(86400/dt)": "48"}, 1e-8)}  # steps
LEFT_OUT = {"SHT_gpu_example.py": "its maps are on a GPU"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, tmp_path, record_property):
    words, bound = PROGRAMS[name]
    count, error = compare("shtns", FOLDER / name, words, tmp_path, bound)
    assert count
    record_property("figure", f"{count} arrays, largest difference {error:.1e} of the largest")


@pytest.mark.parametrize("folder", ["doc/faq_01_divergence_freeness"])
def test_divergence_of_rotational_winds(folder, tmp_path):
    """A program that prints the largest divergence of winds from a stream function."""
    text, _ = run("shtns", FOLDER.parent / folder / "div_free_test.py", {}, tmp_path, True)
    assert text


@pytest.mark.parametrize("name", LEFT_OUT)
def test_left_out(name):
    assert (FOLDER / name).exists()
    pytest.skip(LEFT_OUT[name])
