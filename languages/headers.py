"""What the installed headers declare, as Python objects: constants, structs, functions. They are
plain enough for regular expressions: one typedef or function a statement, no macros but constants
and armilla_<noun>_init."""
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Tuple


@dataclass
class Variable:
    """A field of a struct or a parameter of a function."""
    name: str
    type: str         # "double", "armilla_grid", ...; "function" for a pointer to one
    stars: int = 0    # of a pointer
    const: bool = False
    length: str = ""  # of an array of characters: its constant
    list: bool = False  # an array of pointers that is read: `const armilla_radial *const *radials`


@dataclass
class Function:
    """A function that the library has."""
    name: str
    result: Variable
    parameters: List[Variable]


@dataclass
class Header:
    """One header, or all of them."""
    name: str
    constants: List[Tuple[str, str]] = field(default_factory=list)
    enums: List[str] = field(default_factory=list)
    callbacks: List[str] = field(default_factory=list)
    structs: Dict[str, List[Variable]] = field(default_factory=dict)
    handles: List[str] = field(default_factory=list)
    functions: List[Function] = field(default_factory=list)
    initialisers: List[str] = field(default_factory=list)


def bare(text: str) -> str:
    """The header without comments, continued lines and what only C++ sees."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL).replace("\\\n", " ")
    return re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.DOTALL)


def variable(text: str) -> Variable:
    """`const double *theta`, `char name[SIZE]`, `int (*start)(...)`."""
    text = " ".join(text.split())
    if re.match(r"[^()]*\(\*\w+\)\(", text):
        return Variable(re.search(r"\(\*(\w+)\)", text).group(1), "function", 1)
    text = re.sub(r"\(\*(\w+)\)\[\w+\]", r"*\1", text)  # a pointer to an array of characters
    match = re.fullmatch(r"(.*?)(\w+)(?:\[(\w+)\])?", text)
    words = match.group(1).replace("*", " * ").split()
    names = [word for word in words if word not in ("const", "*")]
    return Variable(match.group(2), " ".join(names), words.count("*"), words[0] == "const",
                    match.group(3) or "", ["*", "const", "*"] == words[-3:])


def fields(text: str) -> List[Variable]:
    """The fields between the braces of a struct."""
    found = []
    for statement in filter(str.strip, text.split(";")):
        if "(*" in statement:
            found.append(variable(statement))
            continue
        first, *others = statement.split(",")
        found.append(variable(first))
        kind = re.match(r"\s*(.*\W)\w+(\[\w+\])?\s*$", first, flags=re.DOTALL).group(1)
        found += [variable(kind.replace("*", " ") + other) for other in others]
    return found


def enum_constants(text: str) -> List[Tuple[str, str]]:
    """The names and numbers between the braces of an enum; each has a number."""
    return re.findall(r"(\w+)\s*=\s*(-?\w+)", text)


def function(text: str) -> Function:
    """A declaration behind ARMILLA_API."""
    head, parameters = re.fullmatch(r"(.*?)\((.*)\)", " ".join(text.split())).groups()
    result = variable(head)
    parameters = [] if parameters == "void" else parameters.split(",")
    return Function(result.name, result, [variable(parameter) for parameter in parameters])


def read(path: Path) -> Header:
    """One header."""
    text = bare(path.read_text(encoding="utf-8"))
    header = Header(path.stem)
    header.constants = [
        (name, value.strip("()")) for name, value in
        re.findall(r"^\s*#\s*define\s+(ARMILLA_\w+)\s+(\(?-?[\d.]+(?:e\d+)?\)?)\s*$", text, re.M)]
    header.initialisers = re.findall(r"#\s*define\s+(armilla_\w+)_init\(", text)
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
    for name, body in re.findall(r"\benum\s*(\w*)\s*\{(.*?)\}", text, flags=re.DOTALL):
        header.constants += enum_constants(body)
        header.enums += [name] if name else []
    for body, name in re.findall(r"typedef struct \w+ \{(.*?)\}\s*(\w+);", text, flags=re.DOTALL):
        header.structs[name] = fields(body)
    header.handles = re.findall(r"typedef struct \w+ (\w+);", text)
    header.callbacks = re.findall(r"typedef [\w ]+\(\*(\w+)\)\(", text)
    header.functions = [function(body) for body in
                        re.findall(r"ARMILLA_API\s+([^;]+);", text, flags=re.DOTALL)]
    return header


def read_all(folder: Path) -> List[Header]:
    """All headers, each behind those that it includes; that of MPI is the last."""
    done: List[Path] = []

    def visit(path: Path) -> None:
        for name in re.findall(r'#\s*include\s*"([^"]+)"', path.read_text(encoding="utf-8")):
            visit(folder / name)
        if path not in done:
            done.append(path)

    visit(folder / "armilla.h")
    visit(folder / "mpi.h")
    return [read(path) for path in done if path.name != "armilla.h"]


def joined(headers: List[Header]) -> Header:
    """All headers as one."""
    whole = Header("armilla")
    for header in headers:
        for name in ("constants", "enums", "callbacks", "handles", "functions", "initialisers"):
            getattr(whole, name).extend(getattr(header, name))
        whole.structs.update(header.structs)
    return whole
