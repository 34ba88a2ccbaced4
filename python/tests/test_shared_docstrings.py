"""Texts that docstrings share are written once, in docstrings.txt, and whole in the package."""
import ast
import os
import subprocess
import sys
from functools import lru_cache

import pytest

import docstrings

PROGRAM = docstrings.SOURCES / "fill_docstrings.py"
SHORTEST = 6  # lines that a block has which counts as written again
MOST_AGAIN = 620  # lines of docstrings in such blocks (572 in December 2026); it only falls


@lru_cache(maxsize=None)
def texts(folder):
    """[(place, lines that are not empty)] of the docstrings of a package."""
    owners, found = (ast.Module, docstrings.CLASSES, *docstrings.FUNCTIONS), []
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = ast.get_docstring(node) if isinstance(node, owners) else None
            if text:
                lines = [line.strip() for line in text.splitlines() if line.strip()]
                found.append((f"{path.relative_to(folder)}:{node.body[0].lineno}", lines))
    return found


def test_every_docstring_of_the_package_is_whole():
    found = texts(docstrings.PACKAGE)
    marks = [(place, line) for place, lines in found for line in lines if line.startswith("%(")]
    assert not marks and len(found) > 2000
    assert any("%(nthreads)s" in lines for _, lines in texts(docstrings.SOURCES / "armilla"))


def again(folder):
    """{place: lines} of blocks that stood before in another docstring, or higher up."""
    known, found = set(), {}
    for place, lines in texts(folder):
        repeated = set()
        for first in range(len(lines) - SHORTEST + 1):
            block = tuple(lines[first:first + SHORTEST])
            if block in known:
                repeated.update(range(first, first + SHORTEST))
            known.add(block)
        if repeated:
            found[place] = len(repeated)
    return found


def test_few_blocks_are_written_again():
    """Beyond the number a text belongs into docstrings.txt; the message has the longest places."""
    found = again(docstrings.SOURCES / "armilla")
    longest = sorted(found.items(), key=lambda one: -one[1])[:10]
    assert sum(found.values()) <= MOST_AGAIN, longest
    assert sum(again(docstrings.PACKAGE).values()) > 5 * MOST_AGAIN  # without the list


# --- The program that puts them in ----------------------------------------------------------------

SOURCE = '''"""A module."""


def turn(angle):
    """Turn.

    Parameters
    ----------
    %(angle)s

    %(Raises.angle)s
    """
'''
TEXTS = """# A comment.

[angle]
angle : float
    An angle.

[Raises.angle]
Raises
------
%(ValueError)s

[ValueError]
ValueError
    If it is wrong.
"""
WHOLE = '''"""A module."""


def turn(angle):
    """Turn.

    Parameters
    ----------
    angle : float
        An angle.

    Raises
    ------
    ValueError
        If it is wrong.
    """
'''


@pytest.fixture
def fill(tmp_path):
    """Runs the program on a package of two modules; gives its words, or None if it succeeds."""
    sources = tmp_path / "armilla"
    sources.mkdir()
    (sources / "plain.py").write_text('"""Nothing is shared."""\n')

    def run(source=SOURCE, listed=TEXTS):
        (sources / "turn.py").write_text(source)
        (tmp_path / "list.txt").write_text(listed)
        done = subprocess.run([sys.executable, str(PROGRAM), str(sources),
                               str(tmp_path / "list.txt"), str(tmp_path / "built")],
                              stderr=subprocess.PIPE, text=True)
        return done.stderr.replace(f"{tmp_path}{os.sep}", "") if done.returncode else None

    return run


def test_texts_are_put_in(fill, tmp_path):
    assert fill() is None
    first, _, rest = (tmp_path / "built" / "turn.py").read_text().partition("\n")
    assert rest == WHOLE
    assert first.startswith("# Made from python/armilla/turn.py")
    assert (tmp_path / "built" / "plain.py").read_text() == '"""Nothing is shared."""\n'


def test_what_changes_is_made_again_and_nothing_else(fill, tmp_path):
    """A change of the list counts, and a module without a source goes."""
    assert fill() is None
    built = tmp_path / "built"
    (built / "gone.py").write_text("")
    for path in built.iterdir():
        os.utime(path, (0, 0))
    assert fill() is None
    assert not (built / "gone.py").exists()
    assert {path.stat().st_mtime for path in built.iterdir()} == {0}
    assert fill(listed=TEXTS.replace("An angle.", "Another.")) is None
    assert "        Another.\n" in (built / "turn.py").read_text()
    assert (built / "plain.py").stat().st_mtime == 0


@pytest.mark.parametrize("source, listed, told", [
    (SOURCE.replace("%(angle)s", "%(angel)s"), TEXTS,
     "armilla/turn.py:9: the list has no entry [angel]"),
    (SOURCE, TEXTS.replace("%(ValueError)s", "%(Error)s"),
     "list.txt:7: the list has no entry [Error]"),
    (SOURCE, TEXTS.replace("    If it is wrong.", "%(Raises.angle)s"),
     "list.txt:12: [Raises.angle] contains itself"),
    (SOURCE, TEXTS + "\n[spare]\nspare\n", "list.txt:16: nothing uses [spare]"),
    (SOURCE, TEXTS + "\n[angle]\nangle\n", "list.txt:16: a second entry [angle]"),
    (SOURCE, TEXTS + "\n[spare]\nangle : float\n    An angle.\n",
     "list.txt:16: [spare] has the text of [angle]"),
    (SOURCE, TEXTS + "\n[spare]\n", "list.txt:16: [spare] has no text"),
    (SOURCE, "A word.\n" + TEXTS, "list.txt:1: a line before the first [name]"),
    (SOURCE, TEXTS.replace("An angle.", "x" * 93),
     "list.txt:3: more than 100 columns at its margin")])
def test_mistakes_are_told_and_nothing_is_made(fill, tmp_path, source, listed, told):
    assert fill(source, listed) == told + "\n"
    assert not (tmp_path / "built").exists()


def test_sources_say_that_they_are_not_the_package():
    done = subprocess.run([sys.executable, "-c", "import armilla"], text=True,
                          stderr=subprocess.PIPE,
                          env=dict(os.environ, PYTHONPATH=str(docstrings.SOURCES)))
    assert done.returncode and "these are armilla's sources" in done.stderr.splitlines()[-1]
