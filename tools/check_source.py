#!/usr/bin/env python3
"""Rules of docs/style.md and docs/architecture.md that a machine can check.

Usage: check_source.py [--root DIR] [RULE ...]     (no rule: all of them)

Prints one line per violation, `file:line: what is wrong`, and exits with 1 if there was any.
"""
import argparse
import ast
import os
import re
import sys

SOURCE_FOLDERS = ("src", "include", "cli", "bench", "tests", "examples", "tools", "cmake", "docs",
                  "python", "data", "languages")
SKIPPED_FOLDERS = {"__pycache__", "results", ".git"}
C_SUFFIXES = (".c", ".h", ".inc", ".cu", ".cpp", ".hpp")
TEXT_SUFFIXES = C_SUFFIXES + (".f90", ".jl", ".py", ".sh", ".cmake", ".txt", ".md", ".in", ".json",
                              ".yml")

MOST_FILE_LINES = 500
WRITTEN_BY_PROGRAMS = ("include/armilla/objects.hpp",)  # of any length
MOST_FUNCTION_LINES = 60
MOST_COLUMNS = 100
MOST_PARAMETERS = 8

# Which folders of src/ a folder may include besides itself and base: what it does include. Arrows
# point downwards only. docs/architecture.md, section 4, has the same table.
ALLOWED = {
    "base": set(),
    "fft": set(),
    "alm": set(),
    "io": set(),
    "mpi": set(),
    "leg": set(),
    "grid": {"fft"},
    "picture": {"io", "grid"},
    "legendre": {"alm", "leg"},
    "ringfft": {"fft", "leg"},
    "theta": {"fft", "alm", "leg", "legendre"},
    "executor": {"alm", "ringfft"},
    "cuda": {"fft", "alm", "leg", "legendre", "ringfft", "theta", "executor"},
    "call": {"alm", "grid", "cuda"},
    "sht": {"alm", "leg", "grid", "legendre", "ringfft", "theta", "executor", "cuda", "call"},
    "vector": {"alm", "call", "sht"},
    "solid": {"alm", "call"},
    "coupling": {"leg", "grid", "legendre"},
    "points": {"fft", "alm", "leg", "grid", "legendre", "ringfft", "theta", "executor", "cuda",
               "call", "sht"},
    "lensing": {"grid", "cuda", "call", "points"},
    "beams": {"alm", "leg", "legendre", "theta", "call", "sht", "points"},
    "so3": {"fft", "grid", "sht"},
    "radial": {"fft", "leg", "grid", "ringfft", "cuda", "call"},
    "ranks": {"alm", "leg", "grid", "theta", "executor", "cuda", "call", "sht", "points", "beams",
              "lensing", "radial"},
}
# Rooms of a folder, and which of its other rooms each may include: nothing of what lies in the
# folder itself, which is on top of them.
ROOMS = {
    "radial/profile": set(),
    "radial/pixels": {"radial/profile"},
    "radial/mixing": {"radial/profile"},
}
# Folders and installed headers of libarmilla_files: the core includes neither.
FILES = ("io", "picture")
# One stage; grids of the tests; who has which pairs; stages of a GPU: internals visible.
INSIDERS = ("bench/bench_kernels.c", "bench/bench_ranks.c", "bench/balance.c", "bench/gpu/")

# Headers of other projects, and the only folder that may include them.
ONE_DOOR = {
    r"fftw3.*\.h": "src/fft",
    r"fitsio.*\.h": "src/io",
    r"png\.h": "src/picture",
    r"(\w*mmintrin|immintrin|x86intrin|arm_neon|arm_sve)\.h": "src/legendre/simd",
    r"omp\.h": "src/base",
    r"(cuda_runtime|cufft)\w*\.h": "src/cuda",
}
GPU_DRIVERS = ("bench/gpu/",)  # checks and times on the device: CUDA's runtime
VOCABULARY = "legendre/simd/simd.h"  # what the kernels of any folder are written in
# Names that the library may not call, and the files that may.
FORBIDDEN_CALLS = {
    r"(malloc|calloc|realloc|aligned_alloc|posix_memalign)": {"src/base/memory.c",
                                                              "src/mpi/transport.c"},
    r"(printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|perror)": set(),
    r"(exit|_exit|abort|assert)": set(),
}
MACHINE_PATH = re.compile(r"(?<![\w.}~])/(work|home|root|Users)/\w|/tmp/(?!\$|XXX|armilla)\w")


class Tree:
    """The files of a checkout; they are read once."""

    def __init__(self, root):
        self.root = root
        self.paths = sorted(self._walk())
        self._lines = {}

    def _walk(self):
        for name in os.listdir(self.root):
            if os.path.isfile(os.path.join(self.root, name)) and name != ".git":
                yield name
        for folder in SOURCE_FOLDERS:
            for where, folders, names in os.walk(os.path.join(self.root, folder)):
                folders[:] = [f for f in folders
                              if f not in SKIPPED_FOLDERS and not f.startswith(".venv")]
                for name in names:
                    yield os.path.relpath(os.path.join(where, name), self.root)

    def select(self, suffixes, folders=("",)):
        for path in self.paths:
            if path.endswith(suffixes) and path.startswith(tuple(folders)):
                yield path

    def lines(self, path):
        if path not in self._lines:
            with open(os.path.join(self.root, path), encoding="utf-8") as file:
                self._lines[path] = file.read().splitlines()
        return self._lines[path]


def without_comments(lines):
    """The code of each line: comments and the contents of strings are blanked."""
    result, inside = [], False
    for line in lines:
        code, i = [], 0
        while i < len(line):
            if inside:
                end = line.find("*/", i)
                inside = end < 0
                i = len(line) if end < 0 else end + 2
            elif line.startswith("/*", i):
                inside, i = True, i + 2
            elif line.startswith("//", i):
                break
            elif line[i] in "\"'":
                end = i + 1
                while end < len(line) and line[end] != line[i]:
                    end += 2 if line[end] == "\\" else 1
                code.append(line[i] * 2)
                i = end + 1
            else:
                code.append(line[i])
                i += 1
        result.append("".join(code))
    return result


def folder_of(path):
    parts = path.split("/")
    return parts[1] if parts[0] == "src" and len(parts) > 2 else None


def room_of(name):
    """The room that a file is in, by its path below src/, or None."""
    return next((room for room in ROOMS if name.startswith(room + "/")), None)


def check_one_include(path, name):
    """What is wrong with `#include name` in path, or None."""
    for pattern, door in ONE_DOOR.items():
        if re.fullmatch(pattern, name) and path.startswith("src/") and not path.startswith(door):
            return f"only {door} may include <{name}>"
        if door == "src/cuda" and path.startswith(GPU_DRIVERS):
            continue
        if re.fullmatch(pattern, name) and path.startswith(("cli/", "bench/", "tests/flow/")):
            return f"<{name}> belongs to {door}"
    target = name.split("/")[0] if "/" in name else None
    users = ("cli/", "bench/", "examples/", "tests/flow/")
    if path.startswith(users) and not path.startswith(INSIDERS):
        if target in ALLOWED or name.startswith("../src"):
            return f'"{name}" is internal; use include/armilla only'
    here = folder_of(path)
    if "/kernels/" in path and name == VOCABULARY:
        return None
    if here is None:
        if path.startswith("include/") and target in ALLOWED:
            return f'installed headers must not include "{name}"'
        return None
    if here not in FILES and name in [f"armilla/{header}.h" for header in FILES]:
        return f'"{name}" belongs to libarmilla_files, which src/{here} is not in'
    room = room_of(path[len("src/"):])
    if target == here and room and room_of(name) not in ROOMS[room] | {room}:
        return f'src/{room} must not include "{name}"'
    if target is None or target in (here, "armilla", "base", "sys"):
        return None
    if here not in ALLOWED:
        return f"src/{here} is not in the list of folders in tools/check_source.py"
    if target in ALLOWED and target not in ALLOWED[here]:
        return f'src/{here} must not include "{name}"'
    return None


def rule_includes(tree):
    """Includes point downwards; other projects' headers have one door each."""
    for path in tree.select(C_SUFFIXES):
        for number, line in enumerate(tree.lines(path), 1):
            match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
            if match:
                problem = check_one_include(path, match.group(1))
                if problem:
                    yield path, number, problem


def rule_folders(tree):
    """docs/architecture.md has the table of who may include whom."""
    page = "docs/architecture.md"
    told = {}
    for number, line in enumerate(tree.lines(page), 1):
        row = re.match(r"    ([a-z0-9]+) +((?:[a-z]+, )*[a-z]+|-)$", line)
        if row and (row[1] in ALLOWED or told) and row[1] != "folder":
            told[row[1]] = number, set(row[2].split(", ")) - {"-"}
    for name, allowed in ALLOWED.items():
        number, row = told.pop(name, (1, None))
        if row != allowed:
            yield page, number, f"{name} may include: {', '.join(sorted(allowed)) or '-'}"
    for name, (number, _) in told.items():
        yield page, number, f"there is no folder src/{name}"


def docstring_lines(lines):
    """How many lines of a file in Python are docstrings."""
    nodes = ast.walk(ast.parse("\n".join(lines)))
    owners = [node for node in nodes if isinstance(
        node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))]
    texts = [node.body[0] for node in owners if ast.get_docstring(node, clean=False) is not None]
    return sum(text.end_lineno - text.lineno + 1 for text in texts)


def rule_sizes(tree):
    """Files up to 500 lines, functions up to 60. Docstrings do not count: they are the reference
    that users read, and a file is not harder to follow for a table of parameters."""
    for path in tree.select(C_SUFFIXES + (".py", ".sh")):
        lines = tree.lines(path)
        size = len(lines)
        if size > MOST_FILE_LINES and path.endswith(".py"):
            size -= docstring_lines(lines)
        if size > MOST_FILE_LINES and path not in WRITTEN_BY_PROGRAMS:
            yield path, len(lines), f"{size} lines; at most {MOST_FILE_LINES}"
        if not path.endswith(C_SUFFIXES):
            continue
        start = None
        for number, line in enumerate(lines, 1):
            if line == "{" and not re.search(r"\b(class|namespace)\b", lines[number - 2]):
                start = number
            elif line.startswith("}") and start is not None:
                length = number - start - 1
                if length > MOST_FUNCTION_LINES:
                    yield path, start, f"function of {length} lines; at most {MOST_FUNCTION_LINES}"
                start = None


def parameters_before(code, index):
    """How many parameters the function has whose body begins at code[index]; 0: it is no function.
    Brackets are read backwards from the last one; those of templates count too."""
    head = "\n".join(code[max(0, index - MOST_FUNCTION_LINES):index]).rstrip()
    depth, count = 0, 1
    for letter in reversed(head if head.endswith(")") else ""):
        depth += (letter in ")]>") - (letter in "([<")
        if depth == 0:
            return count
        count += letter == "," and depth == 1
    return 0


def rule_parameters(tree):
    """Functions of the library and of the commands have up to 8 parameters."""
    for path in tree.select(C_SUFFIXES, ("src/", "cli/")):
        code = without_comments(tree.lines(path))
        for index, line in enumerate(code):
            count = parameters_before(code, index) if line == "{" else 0
            if count > MOST_PARAMETERS:
                yield path, index, f"{count} parameters; at most {MOST_PARAMETERS}"


def rule_columns(tree):
    """Lines up to 100 columns, no tabs, no blanks at the end."""
    for path in tree.select(C_SUFFIXES + (".py", ".sh")):
        for number, line in enumerate(tree.lines(path), 1):
            if len(line) > MOST_COLUMNS:
                yield path, number, f"{len(line)} columns; at most {MOST_COLUMNS}"
            if "\t" in line or line != line.rstrip():
                yield path, number, "tab, or blanks at the end"


def rule_dead(tree):
    """No code that is switched off, no unfinished marks."""
    for path in tree.select(C_SUFFIXES):
        for number, line in enumerate(tree.lines(path), 1):
            if re.match(r"\s*#\s*if\s+[01]\b", line):
                yield path, number, "code switched off by #if"
            if re.search(r"\b(TODO|FIXME|XXX)\b", line):
                yield path, number, "unfinished mark"


def rule_openings(tree):
    """A file of C begins with a comment that says what it is for, and points nowhere else."""
    for path in tree.select(C_SUFFIXES):
        first = next(iter(tree.lines(path)), "")
        if not first.startswith("/*"):
            yield path, 1, "must begin with a comment that says what the file is for"
        elif re.match(r"/\*+\s*See\b", first):
            yield path, 1, "must say what the file is for, not where that stands"


def rule_nouns(tree):
    """No comment of a line begins with words whose noun a reader has to look for."""
    for path in tree.select(C_SUFFIXES):
        for number, line in enumerate(tree.lines(path), 1):
            if re.match(r"\s*/\* (Of|Those|That of|In the place of) ", line):
                yield path, number, "a comment that begins with a noun that is missing"


def is_documented(lines, index):
    """Does the declaration at index follow a comment, or a declaration of the same block?"""
    above = index - 1
    while above >= 0 and lines[above].strip() and not lines[above].rstrip().endswith("*/"):
        above -= 1
    return above >= 0 and lines[above].rstrip().endswith("*/")


def rule_api(tree):
    """Every ARMILLA_API function has a comment above it or above its group; what _init_sized and
    _free do is said once for all, in docs/architecture.md. Labels with their texts aligned begin
    lines: clang-format joins the lines of a block of which one is too long."""
    for path in tree.select((".h",), ("include/armilla/",)):
        lines = tree.lines(path)
        for index, line in enumerate(lines):
            if re.search(r"\w\W*[.;] (Given|Returned|Errors|Notes|Reference):  ", line):
                yield path, index + 1, "a block of labels whose lines are joined"
            if not re.match(r"ARMILLA_API\b", line) or re.search(r"_(init_sized|free)\(", line):
                continue
            if not is_documented(lines, index):
                yield path, index + 1, "function without a comment above it"


def rule_calls(tree):
    """The library never prints or exits, and allocates in one place; GNU words and what differs
    between operating systems stay in one header each.
    """
    for path in tree.select(C_SUFFIXES, ("src/",)):
        code = without_comments(tree.lines(path))
        for number, line in enumerate(code, 1):
            for pattern, allowed in FORBIDDEN_CALLS.items():
                match = re.search(r"(?<![\w.>])" + pattern + r"\s*\(", line)
                if match and path not in allowed:
                    yield path, number, f"the library must not call {match.group(1)}"
            if re.search(r"__attribute__|__builtin_|__typeof", line):
                if path != "src/base/compiler.h" and not path.startswith("src/legendre/simd/"):
                    yield path, number, "GNU extension outside src/base/compiler.h"
            if re.search(r"\b(__linux__|__APPLE__|_WIN32|_GNU_SOURCE)\b", line):
                if not path.startswith("src/base/platform"):
                    yield path, number, "an operating system named outside src/base/platform.h"


def rule_paths(tree):
    """No paths of somebody's machine."""
    for path in tree.select(TEXT_SUFFIXES + ("Makefile", "run")):
        for number, line in enumerate(tree.lines(path), 1):
            if MACHINE_PATH.search(line) and path != "tools/check_source.py":
                yield path, number, "path of one machine"


def is_oracle(path):
    name = os.path.basename(path)
    return path.startswith("tests/oracle/") and not re.match(r"test_|\w*checks\.", name)


def rule_oracles(tree):
    """Judges share no code with the library: they know what a ring is, and call nothing."""
    for path in filter(is_oracle, tree.select(C_SUFFIXES)):
        for number, line in enumerate(tree.lines(path), 1):
            match = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
            if match and match.group(1) != "armilla/grid.h" and not is_oracle(
                    "tests/" + match.group(1)):
                yield path, number, f'a judge must not include "{match.group(1)}"'
        for number, line in enumerate(without_comments(tree.lines(path)), 1):
            match = re.search(r"\b(armilla_\w+)\s*\(", line)
            if match:
                yield path, number, f"a judge must not call {match.group(1)}"


def anchors(lines):
    """What the headings of a page are called in links to them."""
    for line in lines:
        if line.startswith("#"):
            words = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower())
            yield words.replace(" ", "-")


def broken_link(tree, page, link):
    """What is wrong with a link of a page, or None."""
    target, _, anchor = link.partition("#")
    path = os.path.normpath(os.path.join(os.path.dirname(page), target)) if target else page
    if not os.path.exists(os.path.join(tree.root, path)):
        return f"link to {path}, which does not exist"
    if anchor and anchor not in anchors(tree.lines(path)):
        return f"link to a heading that does not exist: {link}"
    return None


LABEL = re.compile(r"\((\d+\.\d+[a-z]?)\)")
CITED = re.compile(r"mathematics\.md,? ((?:\(\d+\.\d+[a-z]?\)(?:, | and | to )?)+)")


def dead_names(tree, line, equations):
    """What a line names of docs/ that is not there."""
    for name in re.findall(r"\bdocs/(\w+\.md)", line):
        if not os.path.exists(os.path.join(tree.root, "docs", name)):
            yield f"docs/{name} does not exist"
    for equation in LABEL.findall(" ".join(CITED.findall(line))):
        if equation not in equations:
            yield f"docs/mathematics.md has no ({equation})"


def rule_links(tree):
    """Links of the documents lead to files and headings that exist; so do names of files of docs/,
    and numbers of equations, which stand at the end of their line in docs/mathematics.md."""
    ends = [line.rstrip()[-10:] for line in tree.lines("docs/mathematics.md")]
    equations = {match.group(1) for end in ends for match in re.finditer(LABEL.pattern + "$", end)}
    for path in tree.select((".md",)):
        for number, line in enumerate(tree.lines(path), 1):
            for link in re.findall(r"\]\(([^)\s]+)\)", line):
                problem = None if "://" in link else broken_link(tree, path, link)
                if problem:
                    yield path, number, problem
    for path in tree.select(TEXT_SUFFIXES):
        if path == "tests/flow/test_house.sh":
            continue
        for number, line in enumerate(tree.lines(path), 1):
            for problem in dead_names(tree, line, equations):
                yield path, number, problem


def rows_of_ways(tree):
    """The rows of the table of docs/ways.md: number of the line, names of choices, other cells."""
    for number, line in enumerate(tree.lines("docs/ways.md"), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if line.startswith("| ") and cells[0] != "path":
            yield number, re.findall(r"`([a-z]+\.[a-z_]{3,})`", cells[0]), cells[1:]


def rule_choices(tree):
    """Each choice that a plan tells has a row in docs/ways.md, whose rows say what they gain, and
    which test holds them; and rows name no choice that no plan tells."""
    told = re.compile(r'armilla_choice_tell\(\s*\w+,\s*"([^"]+)"')
    named = {name for _, names, _ in rows_of_ways(tree) for name in names}
    known = set()
    for path in tree.select((".c",), ("src",)):
        text = "\n".join(tree.lines(path))
        for match in told.finditer(text):
            known.add(match.group(1))
            if match.group(1) not in named:
                yield (path, text.count("\n", 0, match.start()) + 1,
                       f"docs/ways.md has no row for the choice {match.group(1)}")
    for number, names, cells in rows_of_ways(tree):
        if len(cells) != 3 or not all(cells) or "`" not in cells[-1]:
            yield "docs/ways.md", number, "a row says when, what it gains, and which test holds it"
        for name in names:
            if name not in known:
                yield "docs/ways.md", number, f"no plan tells a choice {name}"


def rule_raises(tree):
    """An error of the Python package shows arguments by _errors.shown, which shortens them."""
    for path in tree.select((".py",), ("python/armilla",)):
        for node in ast.walk(ast.parse("\n".join(tree.lines(path)))):
            pieces = [piece for text in ast.walk(node) if isinstance(text, ast.JoinedStr)
                      for piece in zip(text.values, text.values[1:])
                      ] if isinstance(node, ast.Raise) else []
            for before, value in pieces:
                whole = (isinstance(value, ast.FormattedValue) and value.conversion == ord("r")
                         and isinstance(before, ast.Constant) and before.value.endswith(" = "))
                if whole and ast.unparse(value.value) != "grid":
                    yield path, node.lineno, f"{{{ast.unparse(value.value)}!r}}: use shown()"


RULES = {name[5:]: rule for name, rule in globals().items() if name.startswith("rule_")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", default=os.path.dirname(os.path.dirname(__file__)) or ".")
    parser.add_argument("rule", nargs="*", help="one of: " + ", ".join(RULES))
    arguments = parser.parse_args()
    unknown = set(arguments.rule) - set(RULES)
    if unknown:
        parser.error(f"unknown rule {', '.join(sorted(unknown))}; known: {', '.join(RULES)}")
    tree = Tree(os.path.abspath(arguments.root))
    problems = 0
    for name in arguments.rule or RULES:
        for path, number, text in RULES[name](tree):
            print(f"{path}:{number}: {text} [{name}]")
            problems += 1
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
