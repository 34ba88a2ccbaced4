"""Public names of the package that was built, found in its files, and what their docstrings say
in numpydoc's sections. Nothing is imported: modules count whose libraries are not installed."""
import ast
import importlib.util
import re
from functools import lru_cache
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1]  # without the texts of docstrings.txt
PACKAGE = Path(importlib.util.find_spec("armilla").origin).resolve().parent
MODULES = ("__init__", "alm", "beam", "conventions", "fields", "filters", "geo", "healpix", "io",
           "jax", "lensing", "libsharp", "misc", "mpi", "plot", "pseudo_cl", "pyshtools", "shtns",
           "so3", "spectrum", "torch", "totalconvolve", "wind", "xarray", "sht/__init__",
           "windspharm/standard", "windspharm/tools", "windspharm/xarray", "healpy/__init__",
           *(f"healpy/{name}" for name in ("colours", "cookbook", "fitsfunc", "newvisufunc",
                                           "pixelfunc", "projaxes", "projector", "rotator",
                                           "sphtfunc", "visufunc", "zoomtool")))
# What modules of armilla.healpy, which have no __all__, import for themselves.
HELPERS = ("angles", "band_of", "integer", "read_alms", "read_maps", "turn")
FUNCTIONS, CLASSES = (ast.FunctionDef, ast.AsyncFunctionDef), ast.ClassDef


@lru_cache(maxsize=None)
def source(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def imported_from(path, node):
    """The file of `from .x import y` in a file of the package, or None: `from . import y`."""
    if not node.module:
        return None
    folder = path.parent
    for _ in range(node.level - 1):
        folder = folder.parent
    base = folder.joinpath(*node.module.split("."))
    return next((one for one in (base.with_suffix(".py"), base / "__init__.py") if one.exists()),
                None)


def is_overload(node):
    return any(ast.unparse(one) == "overload" for one in node.decorator_list)


@lru_cache(maxsize=None)
def find(path, name):
    """(file, node) of the function or class that a file calls so; None: it is something else."""
    for node in reversed(source(path).body):
        if isinstance(node, (*FUNCTIONS, CLASSES)) and node.name == name and not is_overload(node):
            return path, node
    for node in source(path).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            for alias in node.names:
                home = imported_from(path, node)
                if (alias.asname or alias.name) == name and home:
                    return find(home, alias.name)
    return None


def names_of(path):
    """__all__, or all names without an underscore that a file defines, or imports from the
    package."""
    names = []
    for node in source(path).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return ast.literal_eval(node.value)
        if isinstance(node, (*FUNCTIONS, CLASSES)):
            names.append(node.name)
        if isinstance(node, ast.ImportFrom) and node.level:
            names += [alias.asname or alias.name for alias in node.names]
    return [name for name in names if not name.startswith("_") and name not in HELPERS]


def bases(path, node):
    """(file, class) of a class and of those that it inherits from in the package."""
    yield path, node
    for base in node.bases:
        found = find(path, ast.unparse(base))
        if found and isinstance(found[1], CLASSES):
            yield from bases(*found)


def members(path, node):
    """{name: function} of a class, those of its bases included."""
    found = {}
    for _, one in bases(path, node):
        for member in one.body:
            if isinstance(member, FUNCTIONS) and not is_overload(member):
                found.setdefault(member.name, member)
    return found


def public():
    """{dotted name: node, or (file, node) of a class} of all that a user may call."""
    found = {}
    for module in MODULES:
        path = PACKAGE / f"{module}.py"
        dotted = module.replace("/__init__", "").replace("/", ".").replace("__init__", "")
        for name in names_of(path):
            told = find(path, name)
            if told:
                found.setdefault(told[1], (".".join(filter(None, (dotted, name))), told[0]))
    return {name: (path, node) for node, (name, path) in found.items()}


# --- What a docstring says ------------------------------------------------------------------------

_ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*) : \S")


def sections(text):
    """{title: lines} of a docstring; "" has the summary and what follows it."""
    lines, title, made = text.splitlines(), "", {"": []}
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if line and following and set(following) == {"-"}:
            assert len(following) == len(line), f"{line}: underlined by {len(following)}"
            assert not lines[number - 1], f"{line}: no empty line before it"
            title, made[line] = line, []
        elif title == "" or set(line) != {"-"}:
            made[title].append(line)
    return made


def entries(lines):
    """Names in a section such as Parameters: at its margin, each with its type."""
    names = []
    for line in lines:
        if line and not line.startswith(" "):
            found = _ENTRY.match(line)
            assert found, f"{line!r}: must be `name : type`"
            names += found[1].split(", ")
    return names


def parameters(function, is_method=False):
    """Names of a function's parameters as numpydoc has them, without self and cls of methods."""
    given = function.args
    names = [one.arg for one in (*given.posonlyargs, *given.args)]
    if is_method and not any(ast.unparse(one) == "staticmethod" for one in function.decorator_list):
        names = names[1:]
    names += [f"*{given.vararg.arg}"] if given.vararg else []
    names += [one.arg for one in given.kwonlyargs]
    names += [f"**{given.kwarg.arg}"] if given.kwarg else []
    return names
