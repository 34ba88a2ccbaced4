#!/usr/bin/env python3
"""Makes the package that is imported: the sources, with the shared texts of docstrings put in.

Usage: fill_docstrings.py SOURCES LIST TARGET

A line `%(name)s` of a source stands for the entry `[name]` of the list, at the same margin; entries
may have such lines, too. Files that would not change are not written, and modules that no longer
have a source are removed. An unknown name, an entry that nothing uses, two entries with the same
text, and a line of more than 100 columns are errors: one line each, `file:line: what is wrong`.
"""
import os
import re
import shutil
import sys

MARK = re.compile(r"^( *)%\(([^()\s]+)\)s$")
HEADING = re.compile(r"^\[([^\[\]\s]+)\]$")
MOST_COLUMNS = 100


class Failure(Exception):
    """What is wrong, with its place."""


class Entry:
    """An entry of the list: its place there, its lines, and whether a source uses it."""

    def __init__(self, place):
        self.place, self.lines, self.is_used = place, [], False


def read(path):
    """{name: Entry} of the list. Lines that begin with # are comments."""
    entries, entry = {}, None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file.read().splitlines(), 1):
            heading = HEADING.match(line)
            if heading:
                if heading[1] in entries:
                    raise Failure(f"{path}:{number}: a second entry [{heading[1]}]")
                entry = entries[heading[1]] = Entry(f"{path}:{number}")
            elif line.startswith("#"):
                entry = None
            elif entry:
                entry.lines.append(line)
            elif line:
                raise Failure(f"{path}:{number}: a line before the first [name]")
    texts = {}
    for name, entry in entries.items():
        while entry.lines and not entry.lines[-1]:
            entry.lines.pop()
        other = texts.setdefault("\n".join(entry.lines), name)
        if not entry.lines or other != name:
            raise Failure(f"{entry.place}: [{name}] has " +
                          (f"the text of [{other}]" if entry.lines else "no text"))
    return entries


def filled(lines, entries, place, margin="", above=()):
    """The lines with those of entries put in for marks. place(n): where line n stands."""
    for number, line in enumerate(lines, 1):
        mark = MARK.match(line)
        if not mark:
            if margin and line and len(margin + line) > MOST_COLUMNS:
                raise Failure(f"{place(number)}: more than {MOST_COLUMNS} columns at its margin")
            yield margin + line if line else line
            continue
        entry = entries.get(mark[2])
        if not entry or mark[2] in above:
            raise Failure(f"{place(number)}: " + (f"[{mark[2]}] contains itself" if entry else
                                                  f"the list has no entry [{mark[2]}]"))
        entry.is_used = True
        yield from filled(entry.lines, entries, lambda _, entry=entry: entry.place,
                          margin + mark[1], (*above, mark[2]))


def made(path, name, entries):
    """What the package has for a source: its bytes, with a first line that says what was done."""
    with open(path, "rb") as file:
        given = file.read()
    lines = given.decode().split("\n") if path.endswith(".py") else []
    if not any(map(MARK.match, lines)):
        return given
    done = filled(lines, entries, lambda number: f"{path}:{number}")
    first = f"# Made from python/{name}: its docstrings have the texts of python/docstrings.txt."
    return "\n".join([first, *done]).encode()


def write(path, content):
    """Writes a file, unless it has that content."""
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read() == content:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def files(folder):
    """Paths of the files of a folder, from there. What Python compiled does not count."""
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        yield from (os.path.relpath(os.path.join(where, name), folder) for name in names)


def fill(sources, listed, target):
    """Makes the package. Nothing is written if there is an error."""
    entries = read(listed)
    package = os.path.basename(os.path.normpath(sources))
    contents = {name: made(os.path.join(sources, name), f"{package}/{name}", entries)
                for name in sorted(files(sources))}
    unused = [f"{entry.place}: nothing uses [{name}]" for name, entry in entries.items()
              if not entry.is_used]
    if unused:
        raise Failure("\n".join(unused))
    for name, content in contents.items():
        write(os.path.join(target, name), content)
        shutil.copymode(os.path.join(sources, name), os.path.join(target, name))
    for name in list(files(target)):
        if name.endswith(".py") and name not in contents:
            os.remove(os.path.join(target, name))


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    try:
        fill(*sys.argv[1:])
    except Failure as failure:
        sys.exit(str(failure))


if __name__ == "__main__":
    main()
