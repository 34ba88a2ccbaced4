"""Lays out the sources of the documentation site in two folders of the build.

Usage: docs_stage.py COMMAND FOLDER

The site has two parts with contents and a search of their own. FOLDER/users gets a copy of every
file of docs/site and of those pages of docs/ that users read (as topics/), one page for each header
of the C library, one for each of healpy's modules, and the help of the command `armilla`, found at
COMMAND, as it prints it now. FOLDER/developers gets developers.md as its first page, the other
pages of docs/ and docs/results, and CHANGELOG.md. sources.json of each part gives the file of the
repository behind each copy. A file that has not changed is not written again, so that Sphinx
builds only what has changed.
"""
import inspect
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
TOPICS_OF_USERS = {"doors", "gpu", "languages", "lensing", "mpi", "places", "points", "radial"}
NOT_PAGES = {"conf.py", "Doxyfile"}
HEALPY_MODULES = ("sphtfunc", "pixelfunc", "fitsfunc", "rotator", "visufunc", "newvisufunc",
                  "projector")


def sources():
    """(part of the site, place in it, file of the repository) of all that is copied."""
    site = DOCS / "site"
    for path in sorted(site.rglob("*")):
        place = path.relative_to(site)
        if path.is_file() and place.parts[0] not in ("_ext", "_static", "_templates", "gallery"):
            if place.name == "developers.md":
                yield "developers", Path("index.md"), path
            elif place.name not in NOT_PAGES and "__pycache__" not in place.parts:
                yield "users", place, path
    for path in sorted(DOCS.glob("*.md")):
        part = "users" if path.stem in TOPICS_OF_USERS else "developers"
        yield part, "topics" / path.relative_to(DOCS), path
    for path in sorted(DOCS.glob("results/*.md")):
        yield "developers", "topics" / path.relative_to(DOCS), path
    for path in sorted((DOCS / "figures").rglob("*.png")):
        for part in ("users", "developers"):
            yield part, "topics" / path.relative_to(DOCS), path
    yield "developers", Path("changelog.md"), ROOT / "CHANGELOG.md"


def copy(part, folder):
    """Copies what has changed, and takes away what is no longer in the repository."""
    wanted = {place.as_posix(): path for its, place, path in sources() if its == part}
    record = folder / "sources.json"
    for place in json.loads(record.read_text()) if record.is_file() else ():
        if place not in wanted:
            (folder / place).unlink(missing_ok=True)
    for place, path in wanted.items():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or target.stat().st_mtime != path.stat().st_mtime:
            shutil.copy2(path, target)
    told = {place: path.relative_to(ROOT).as_posix() for place, path in wanted.items()}
    write(record, json.dumps(told, indent=1))


def write(path, text):
    """Writes a file that is not there yet, or differs."""
    if not path.is_file() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def unlisted(folder):
    """Says which how-to pages are in no group of their index, and lists them under "More"."""
    index = folder / "howto" / "index.md"
    listed = set(index.read_text().splitlines()) | {"index"}
    rest = [path.stem for path in sorted(index.parent.glob("*.md")) if path.stem not in listed]
    for name in rest:
        print(f"docs: howto/index.md has no group for {name}; it is listed under More",
              file=sys.stderr)
    if rest:
        with index.open("a") as page:
            page.write("\n```{toctree}\n:maxdepth: 1\n:caption: More\n\n" + "\n".join(rest)
                       + "\n```\n")


def header_pages(folder):
    """A page for each header."""
    for path in sorted((ROOT / "include" / "armilla").glob("*.h")):
        write(folder / "api" / "c" / f"{path.stem}.md",
              f"# {path.name}\n\n```c\n#include <armilla/{path.name}>\n```\n\n"
              f"```{{doxygenfile}} {path.name}\n```\n")


def is_documented(thing):
    """Is it a function or a class of armilla.healpy, in a module that is not private?"""
    if not inspect.isfunction(thing) and not inspect.isclass(thing):
        return False
    return re.match(r"armilla\.healpy(\.[a-z]|$)", thing.__module__) is not None


def healpy_names():
    """The functions and classes of each of healpy's modules, each name once: {module: names}."""
    import armilla.healpy as hp

    seen, found = set(), {}
    for module in HEALPY_MODULES:
        inside = getattr(hp, module)
        names = [name for name in dir(inside) if not name.startswith("_") and name not in seen
                 and is_documented(getattr(inside, name))]
        seen.update(names)
        found[inside] = names
    return found


def healpy_pages(folder):
    """A page for each of healpy's modules: its table of names, and their descriptions."""
    import armilla.healpy as hp

    for module, names in healpy_names().items():
        short = module.__name__.rsplit(".", 1)[1]
        lines = [f"armilla.healpy: {short}", "=" * 40, "", f".. automodule:: {module.__name__}",
                 "   :no-members:", "", ".. currentmodule:: armilla.healpy", "",
                 ".. autosummary::", "   :nosignatures:", ""]
        places = [name if hasattr(hp, name) else f"{short}.{name}" for name in names]
        lines += [f"   {place}" for place in places]
        for name, place in zip(names, places):
            is_class = inspect.isclass(getattr(module, name))
            lines += ["", f".. auto{'class' if is_class else 'function'}:: "
                      f"armilla.healpy.{place}"]
            lines += ["   :members:"] if is_class else []
        write(folder / "api" / "healpy" / f"{short}.rst", "\n".join(lines) + "\n")


def command_page(command, folder):
    """The help of the command and of each of its subcommands on one page."""
    def told(*words):
        return subprocess.run([command, *words, "--help"], check=True, capture_output=True,
                              text=True).stdout.rstrip()

    whole = told()
    names = re.findall(r"^  ([a-z][a-z-]*)  ", whole, re.MULTILINE)
    parts = ["# All options of the command\n\nThis is what `armilla --help` and the help of each "
             f"of its subcommands print.\n\n```text\n{whole}\n```\n"]
    parts += [f"## armilla {name}\n\n```text\n{told(name)}\n```\n" for name in names]
    write(folder / "api" / "command-options.md", "\n".join(parts))


if __name__ == "__main__":
    folder = Path(sys.argv[2])
    copy("developers", folder / "developers")
    users = folder / "users"
    copy("users", users)
    unlisted(users)
    header_pages(users)
    healpy_pages(users)
    command_page(sys.argv[1], users)
