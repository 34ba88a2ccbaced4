"""The page docs/doors.md is what languages/doors.py makes of the sources, and names what exists."""
import functools
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

from armilla.__main__ import find_command

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "languages"))

import doors  # noqa: E402
import doors_command  # noqa: E402
import doors_python  # noqa: E402
import headers  # noqa: E402

PAGE = (ROOT / "docs" / "doors.md").read_text(encoding="utf-8")


def rows(title):
    """{operation: cells} of a table of the page."""
    part = PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    cells = [re.split(r" *\| *", line)[1:-1] for line in part.splitlines() if line.startswith("|")]
    return {row[0]: row[1:] for row in cells[2:]}


def test_the_page_is_what_the_sources_say():
    found = headers.joined(headers.read_all(ROOT / "include" / "armilla"))
    assert doors.page(ROOT, found) == PAGE, "run languages/generate.py"


def test_c_agrees_with_the_table_of_the_contract():
    """docs/places.md has a table that tests/contract writes as it runs."""
    operations = {"sht": "sht", "iqu": "iqu", "vector": "vector", "complex": "complex_sht",
                  "solid": "solid", "points": "points", "lensing": "lensing", "beams": "beams",
                  "radial PIXELS": "radial"}
    said = re.findall(r"^\| (\w[\w ]*) \|(.*)\|$", (ROOT / "docs/places.md").read_text(), re.M)
    said = {name: [cell.strip() for cell in cells.split("|")] for name, cells in said}
    for name, noun in operations.items():
        cells = next(row for title, row in rows("C and Fortran").items()
                     if title.startswith(noun + ":"))
        words = ["no call" if cell == "no call" else "by the host" if "by the host" in cell
                 else "yes" for cell in cells]
        assert words == said[name], name


def test_python_names_are_there_with_their_arguments():
    needed = [(), ("device",), ("devices",), (), ("device",)]
    seen = 0
    for cells in rows("Python").values():
        for cell, arguments in zip(cells, needed):
            for title in re.findall(r"`(armilla[\w.]+)`", cell):
                module, name = title.rsplit(".", 1)
                if re.search(r"\.(mpi|torch|jax)$", module):  # maybe not installed
                    continue
                thing = getattr(importlib.import_module(module), name)
                has = inspect.signature(thing).parameters
                assert name == "convolve_many" or set(arguments) <= set(has), title
                assert "by the host" not in cell or "delegate" in has, title
                seen += 1
    assert seen > 40


@functools.lru_cache(None)
def help_of(name):
    return subprocess.run([find_command(), name, "--help"], capture_output=True, text=True,
                          check=True).stdout


def test_subcommands_have_their_options():
    for cells in rows("The command").values():
        for cell in cells:
            for program, name in re.findall(r"`(armilla(?:-mpi)?) (\w+)`", cell):
                for option in re.findall(r"`(--devices?)", cell):
                    assert f"{option} " in help_of(name), (program, name, option)


def test_python_is_read_through_private_names_only(tmp_path):
    """A package with a table, a base class, a helper and a second public name behind the first."""
    package = tmp_path / "small"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from .plans import Plan, forward\nfrom .others import Other\n"
        "__all__ = ['Plan', 'Other', 'forward']\n")
    (package / "plans.py").write_text(
        "from ._native import lib\nfrom ._tables import table\n__all__ = ['Plan', 'forward']\n"
        "class _Base:\n    def __init__(self, device='cpu'):\n        lib.armilla_x_new()\n"
        "    def run(self):\n        self._calls['there']()\n"
        "class Plan(_Base):\n    _calls = table('x')\n"
        "def forward(x):\n    return Plan().run()\n")
    (package / "_tables.py").write_text(
        "from ._native import lib\ndef table(noun):\n    return {name: getattr(lib, "
        "f'armilla_{noun}_{name}') for name in ('there', 'back')}\n")
    (package / "others.py").write_text(
        "from .plans import Plan\n__all__ = ['Other']\nclass Other:\n    plan = Plan\n")
    functions = {"armilla_x_new", "armilla_x_there", "armilla_x_back", "armilla_y_there"}
    found = doors_python.Package(package, functions).names()
    assert set(found) == {"small.Plan"}
    assert found["small.Plan"].functions == {"armilla_x_new", "armilla_x_there"}
    assert "device" in found["small.Plan"].arguments


def test_the_command_is_read_through_its_functions(tmp_path):
    (tmp_path / "commands.c").write_text(
        "const command *const all_commands[] = {\n    &walk_command,\n    NULL,\n};\n")
    (tmp_path / "walk.c").write_text(
        'static const option table[] = {\n    {"device", 1},\n};\n\n'
        "static int unused(void)\n{\n    return armilla_z_new();\n}\n\n"
        'static int work(void *self)\n{\n    say("armilla_w_new");\n    return helper(self);\n}\n\n'
        "const command walk_command = {\n    .tables = {table},\n    .work = work,\n};\n")
    (tmp_path / "helper.c").write_text(
        "int helper(void *self)\n{\n    return armilla_x_new(self); /* armilla_y_new */\n}\n")
    found = doors_command.commands(tmp_path)["walk"]
    assert found.functions == {"armilla_x_new"}
    assert found.options == {"device"} and not found.over_ranks
