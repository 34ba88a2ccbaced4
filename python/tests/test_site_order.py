"""What the site shows first on the pages of its reference, and that it loses nothing.

The extensions and scripts that order docstrings and comments of headers need nothing but Python.
"""
import importlib
import inspect
import re
import runpy
from pathlib import Path

import pytest

import docstrings

ROOT = Path(__file__).resolve().parents[2]
order = runpy.run_path(str(ROOT / "docs" / "site" / "_ext" / "docstring_order.py"))
comments = runpy.run_path(str(ROOT / "tools" / "docs_comments.py"))
PUBLIC = docstrings.public()


def documented():
    """(name, lines of its docstring) of all public names that can be imported here."""
    for name in sorted(PUBLIC):
        module, _, short = f"armilla.{name}".rpartition(".")
        try:
            thing = getattr(importlib.import_module(module), short)
        except (ImportError, AttributeError):
            continue
        yield name, (inspect.getdoc(thing) or "").split("\n")


DOCUMENTED = list(documented())


def told(lines):
    """The lines that say something, in alphabetical order, without headings."""
    return sorted(line for line in lines
                  if line.strip() and not order["UNDERLINE"].match(line)
                  and line not in ("Parameters", "Other Parameters", "Examples"))


def test_no_line_is_lost():
    assert len(DOCUMENTED) > 200
    for name, lines in DOCUMENTED:
        assert told(order["ordered"](lines)) == told(lines), name


def test_eight_parameters_come_first():
    most = 0
    for name, lines in DOCUMENTED:
        given = docstrings.entries(docstrings.sections("\n".join(lines)).get("Parameters", []))
        made = docstrings.sections("\n".join(order["ordered"](lines)))
        first = docstrings.entries(made.get("Parameters", []))
        assert first == given[:len(first)] and len(first) <= 8, name
        assert len(first) >= min(len(given), 3), name  # one entry may describe many parameters
        assert docstrings.entries(made.get("Other Parameters", [])) == given[len(first):], name
        most = max(most, len(given))
    assert most > 15


def test_the_first_example_is_near_the_top():
    """Within 25 lines: the signature takes up to three."""
    count = 0
    for name, lines in DOCUMENTED:
        ordered = order["ordered"](lines)
        first = next((i for i, line in enumerate(ordered) if line.startswith(">>>")), None)
        count += first is not None
        assert first is None or first < 22, f"{name}: line {first}"
    assert count > 150


@pytest.mark.parametrize("signature, shown", [
    ("(a, b=(1, 2), c=[3, 4], *, d=5)", "(a, b=(1, 2), c=[3, 4], *, d=5)"),
    ("(a, b, c, *, d, e, f, g, h)", "(a, b, c, *, d, e, f, g, h)"),
    ("(a, b, c, *, d, e, f, g, h=(1, 2), i=3, j=4)", "(a, b, c, *, d, e, f, g, h=(1, 2), ...)")])
def test_signature_has_eight_parameters(signature, shown):
    assert order["short"](signature) == shown


def test_every_init_has_a_sentence():
    found = 0
    for header in sorted((ROOT / "include" / "armilla").glob("*.h")):
        lines = comments["filtered"](header.read_text()).split("\n")
        for i, line in enumerate(lines):
            is_split = line == "ARMILLA_API void" and "_init_sized(" in lines[i + 1]
            if is_split or re.match(r"ARMILLA_API void armilla_\w+_init_sized\(|"
                                    r"#define armilla_\w+_init\(", line):
                found += 1
                assert lines[i - 1].endswith("*/"), f"{header.name}: {line}"
    assert found >= 56
