"""The programs of the documentation site run, page by page, as a reader would run them.

All blocks of a page that open with three backticks and `python` share one namespace, and run in
their order in an empty folder that has the repository's `data`. A block that opens with `>>>` is a
session: what it prints is compared (`...` stands for anything). A block of `sh` whose lines all
call `armilla` runs between them, in the same folder; in a block of `console` each such line opens
with `$`, and what it writes, errors included, is compared with the lines that follow. A block of
`c` that has a `main` is compiled, and must end with 0. A block is left out

- that opens with `python notest`, or has `<!-- not run: REASON -->` on the last line before it;
- that imports an optional package that is absent here, or uses a name that only such a block makes;
- that needs the command, the library or a compiler where there is none.
"""
import ast
import builtins
import doctest
import importlib.util
import os
import re
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

import armilla

SITE = Path(__file__).resolve().parents[2] / "docs" / "site"
OPTIONAL = {"torch", "jax", "optax", "cupy", "mpi4py", "matplotlib", "healpy", "ducc0", "scipy",
            "lenspyx", "pyshtools", "s2fft", "torch_harmonics", "astropy", "xarray", "tqdm",
            "pymaster", "jax_healpy"}
BUILD = Path(armilla.__file__).resolve().parents[2]  # the package is put together in build/python
BLOCK = re.compile(r"^(?P<indent> *)(?P<fence>```+)(?P<language>python|sh|console|c)\b"
                   r"(?P<how>[^\n]*)\n(?P<code>.*?)^(?P=indent)(?P=fence) *$",
                   re.MULTILINE | re.DOTALL)
CALLS = re.compile(r"(?:armilla (?:[^\n\\]|\\\n)*\n|#[^\n]*\n|\n)+\Z")
NOT_RUN = re.compile(r"<!-- not run: \S.* -->\s*\Z")
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks_of(text):
    """(line, language, code) of each block that is to run."""
    for found in BLOCK.finditer(text):
        how, language = found["how"].strip(), found["language"]
        assert how in ("", "notest"), f"no such word behind {language}: {how}"
        code = textwrap.dedent(found["code"])
        runs = {"python": True, "sh": CALLS.match(code), "console": code.startswith("$ armilla "),
                "c": re.search(r"^int main", code, re.M)}
        if not how and runs[language] and not NOT_RUN.search(text[:found.start()]):
            yield text[:found.start("code")].count("\n") + 1, language, code


def source_of(code):
    """The statements of a block, without the answers where it is a session."""
    if not code.lstrip().startswith(">>>"):
        return code
    return "".join(e.source for e in doctest.DocTestParser().get_examples(code))


def imported(tree):
    """The names of the modules that a tree imports, part by part: armilla.torch needs torch,
    but the modules with the names of SHTns and pyshtools need neither."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (part for alias in node.names for part in alias.name.split(".")
                        if alias.name not in ("armilla.pyshtools", "armilla.shtns"))
        elif isinstance(node, ast.ImportFrom):
            yield from node.module.split(".")
            if node.module == "armilla":
                yield from (alias.name for alias in node.names)


def names(tree, context):
    """The names that a tree reads (ast.Load) or makes (ast.Store; imports and functions, too)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, context):
            yield node.id
        elif context is ast.Store and isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif context is ast.Store and isinstance(node, ast.alias):
            yield (node.asname or node.name).split(".")[0]


def absent_packages(tree):
    """Optional packages that a block imports and that this Python lacks."""
    return {name for name in imported(tree)
            if name in OPTIONAL and importlib.util.find_spec(name) is None}


def run(path, line, code, space):
    """Runs one block; a failure shows the page and its line."""
    if code.lstrip().startswith(">>>"):
        test = doctest.DocTest(doctest.DocTestParser().get_examples(code), space, path.name,
                               str(path), line - 1, None)
        doctest.DebugRunner(optionflags=OPTIONS).run(test, clear_globs=False)
        space.update(test.globs)
    else:
        exec(compile("\n" * (line - 1) + code, str(path), "exec"), space)


def call_command(code):
    """What bash has done with lines that call the command."""
    return subprocess.run(["bash", "-ec", code], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PATH": f"{BUILD / 'bin'}:{os.environ['PATH']}"})


def run_command(path, line, code):
    """Runs lines that call the command."""
    done = call_command(code)
    assert done.returncode == 0, f"{path}, line {line}: {done.stderr}"


def run_console(path, line, code):
    """Runs the lines that open with $, whatever they return, and compares what they write."""
    for call, told in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", code, re.MULTILINE):
        done = call_command(call)
        made = done.stdout + done.stderr
        assert doctest.OutputChecker().check_output(told, made, OPTIONS), f"{path}, {line}: {made}"


def run_program(path, line, code):
    """Compiles a C program and runs it."""
    Path("program.c").write_text(f'#line {line + 1} "{path.name}"\n{code}')
    subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "program.c", "-o", "program",
                    f"-I{SITE.parents[1] / 'include'}", f"-L{BUILD}", f"-Wl,-rpath,{BUILD}",
                    "-larmilla_files", "-larmilla", "-lm"], check=True)
    done = subprocess.run(["./program"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"{path}, line {line}: {done.stdout}{done.stderr}"


def has_command():
    return (BUILD / "bin" / "armilla").exists()


OTHERS = {"sh": (run_command, "the command", has_command),
          "console": (run_console, "the command", has_command),
          "c": (run_program, "a compiler and the library",
                lambda: shutil.which("cc") and (BUILD / "libarmilla.so").exists())}


def run_page(path):
    """Runs a page's blocks. Returns how many ran, and what others lacked."""
    space, lost, lacking, count = {"__name__": path.stem}, set(), set(), 0
    for line, language, code in blocks_of(path.read_text()):
        if language != "python":
            execute, needed, is_there = OTHERS[language]
            if is_there():
                execute(path, line, code)
                count += 1
            else:
                lacking.add(needed)
            continue
        tree = ast.parse(source_of(code))
        absent = absent_packages(tree)
        made = set(names(tree, ast.Store))
        if absent or lost & set(names(tree, ast.Load)) - made - set(dir(builtins)):
            lacking |= absent
            lost |= made - set(space)
            continue
        run(path, line, code, space)
        lost -= made
        count += 1
    return count, lacking


def pages():
    """The README, and the pages of the site that have blocks to run."""
    written = [SITE.parents[1] / "README.md", *sorted(SITE.rglob("*.md"))]
    return [path for path in written if any(blocks_of(path.read_text()))]


@pytest.mark.parametrize("path", pages(), ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_page(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    (tmp_path / "data").symlink_to(SITE.parents[1] / "data")
    count, lacking = run_page(path)
    if not count:
        pytest.skip(f"needs {', '.join(sorted(lacking))}")


def test_blocks_are_run_or_left_out_as_told(tmp_path, monkeypatch):
    """The runner finds, leaves out and fails as its description says."""
    if not all(is_there() for _, _, is_there in OTHERS.values()):
        pytest.skip("needs the command, the library and a compiler")
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    page.write_text("```python\na = 1\n```\n\n- in a list:\n\n  ```python\n  b = a + 1\n  ```\n"
                    "```python notest\nraise ValueError\n```\n<!-- not run: no GPU -->\n"
                    "```python\nraise ValueError\n```\n```python\n>>> b\n2\n```\n"
                    "```sh\nmake nothing\n```\n```c\nint a;\n```\n"
                    "```python\nc = b / 0\n```\n")
    with pytest.raises(ZeroDivisionError) as failed:
        run_page(page)
    assert failed.traceback[-1].lineno + 1 == 28
    for text, error in (("python\n>>> 1 + 1\n3", doctest.DocTestFailure),
                        ("python later\n1", AssertionError),
                        ("sh\narmilla nonsense", AssertionError),
                        ("console\n$ armilla --version\narmilla ...\n$ armilla x\nno",
                         AssertionError),
                        ("c\nint main(void)\n{\n    return 3;\n}", AssertionError)):
        page.write_text(f"```{text}\n```\n")
        with pytest.raises(error):
            run_page(page)


def test_blocks_without_their_package_are_left_out(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "OPTIONAL", {"no_such_package"})
    page = tmp_path / "page.md"
    page.write_text("```python\nimport no_such_package as n\nx = n.x\n```\n"
                    "```python\ny = x\n```\n```python\nx = 1\nz = x\n```\n"
                    "```python\nassert z == x\n```\n")
    assert run_page(page) == (2, {"no_such_package"})


def module_at(path):
    made = importlib.util.spec_from_file_location(path.stem, SITE.parents[1] / path)
    module = importlib.util.module_from_spec(made)
    made.loader.exec_module(module)
    return module


def test_pages_of_docs_have_a_place_on_the_site():
    """Each is in a table of contents, and its links lead to files; else make docs would fail."""
    links = module_at(Path("docs/site/_ext/repository_links.py"))
    copied = [one for one in module_at(Path("tools/docs_stage.py")).sources()
              if one[2].suffix == ".md"]
    pages = {path: (part, str(place)) for part, place, path in copied}
    contents = {line for path in SITE.rglob("*.md") for line in path.read_text().splitlines()}
    for part, place, path in copied:
        if SITE in path.parents:
            continue
        page = str(place)
        assert page[:-3] in contents or str(place.parent / "*") in contents, page
        translator = links.Links(Path("/site") / part, page, {page: path}, pages)
        for link in links.LINK.findall(links.CODE.sub("", path.read_text())):
            target = link.split("#")[0]
            if target and not re.match("[a-z]+:", target):
                found = (path.parent / target).resolve()
                assert translator.page_of(found) or found.is_file(), (page, link)
