"""C declarations of the installed headers, as cffi wants them: no comments, no preprocessor."""
import re
from pathlib import Path
from typing import List

# Callbacks implemented in Python: armilla/_progress.py, transform.py, _mpi_transport.py.
CALLBACKS = """
extern "Python" int armilla_python_progress(void *data, double fraction);
extern "Python" int armilla_python_signals(void *data, double fraction);
extern "Python" void armilla_python_choice(void *data, const armilla_choice *choice);
extern "Python" int armilla_python_start(
    void *context, int slot, int64_t nsends, const armilla_message *sends, int64_t nreceives,
    const armilla_message *receives);
extern "Python" int armilla_python_wait(void *context, int slot);
extern "Python" int armilla_python_largest(void *context, int64_t count, int64_t *values);
"""


# What the package has in C beside the library: values at positions, and functions for XLA.
OWN_HEADERS = ("held.h", "sights.h", "xla.h")


def without_comments(text: str) -> str:
    """Comments become blanks; no header has comment marks inside strings."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)


def constants(text: str) -> List[str]:
    """Object-like macros with a number: integers as they are, others by their type."""
    found = []
    for name, value in re.findall(r"^[ \t]*#[ \t]*define[ \t]+(ARMILLA_\w+)[ \t]+(\S+)[ \t]*$",
                                  text, flags=re.MULTILINE):
        if re.fullmatch(r"\d+", value):
            found.append(f"#define {name} {value}")
        elif re.fullmatch(r"\(?-?[\d.]+(e[+-]?\d+)?\)?", value):
            found.append(f"static const double {name};")
    return found


def initialisers(text: str) -> str:
    """The macros that fill a struct with defaults (armilla_exec_init) as functions, which is what
    they look like to the C compiler that compiles the bindings, in the place of those that they
    call."""
    text = re.sub(r"\bARMILLA_API void armilla_\w+_init_sized\([^;]*;", "", text)
    return re.sub(r"^[ \t]*#[ \t]*define[ \t]+(armilla_\w+)_init\((\w+)\)[^\n]*$",
                  r"void \1_init(\1 *\2);", text, flags=re.MULTILINE)


def declarations(text: str) -> str:
    """What a header declares to a C compiler (not to C++)."""
    text = initialisers(without_comments(text).replace("\\\n", " "))
    lines = constants(text)
    inside_cplusplus = False
    for line in text.splitlines():
        directive = re.match(r"\s*#\s*(\w+)\s*(.*)", line)
        if directive:
            if directive.group(1) == "ifdef" and directive.group(2).strip() == "__cplusplus":
                inside_cplusplus = True
            elif directive.group(1) == "endif":
                inside_cplusplus = False
        elif not inside_cplusplus and line.strip():
            lines.append(line.replace("ARMILLA_API ", "").rstrip())
    return "\n".join(lines)


def in_order(folder: Path) -> List[Path]:
    """The headers, each after those it includes."""
    done: List[Path] = []

    def visit(path: Path) -> None:
        for name in re.findall(r'#\s*include\s*"([^"]+)"', path.read_text(encoding="utf-8")):
            visit(folder / name)
        if path not in done:
            done.append(path)

    visit(folder / "armilla.h")
    return done


def all_declarations(folder: Path) -> str:
    """Everything that the umbrella header declares, and the headers beside this file."""
    own = [Path(__file__).with_name(name) for name in OWN_HEADERS]
    return "\n".join(declarations(path.read_text(encoding="utf-8"))
                     for path in in_order(folder) + own)
