"""The page docs/doors.md: which call of each door (C, C++, Fortran, Python, the command) runs an
operation at each place (host, GPUs, ranks), made from the sources of all of them.

    operations   functions of the headers that take armilla_exec, those that have a counterpart over
                 ranks, and the stages of transforms
    places       over ranks: the functions of plans that are made with a transport; GPUs: options
                 of a plan that name a device, and what tests/contract says of the operation there
    doors        the module for Fortran, the headers for C++, the Python package and the command,
                 each as its own sources say
"""
import re
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

import doors_command
import doors_python
from headers import Function, Header

PLACES = ("host", "one GPU", "several GPUs", "ranks", "ranks with GPUs")
HOST, GPU, GPUS, RANKS, RANKS_GPUS = range(5)
PLACE_OF = {"CONTRACT_GPU": GPU, "CONTRACT_GPUS": GPUS, "CONTRACT_OVER_RANKS": RANKS,
            "CONTRACT_RANKS_GPUS": RANKS_GPUS}
NO_CALL = "no call"
# Objects whose operation has another name in tests/contract.
CONTRACT_NAMES = {"complex": "complex_sht", "means": "radial"}
# Says which rank has what; it makes no plan.
NOT_A_PLAN = "armilla_distribution"
# Functions over ranks whose counterpart has another name than theirs without "distributed".
COUNTERPARTS = {"armilla_distributed_spectrum": "armilla_spectrum_compute"}

OPENING = """\
# Which call runs where

There is one table for each door to the library: C and Fortran, C++, Python, and the command. A
cell names the call that runs the operation at that place, or says "no call". A GPU is chosen by an
option of the same call: `device`, or `devices` for several GPUs. "by the host" means that the
option `delegate` must be set, and that the host then computes ([What runs where](places.md)
explains this). GPUs have been tried only on an emulation ([gpu.md](gpu.md)). A row is a call of C;
what a door does by other calls stands in the rows of those: `armilla-mpi` has I, Q and U by sht.

`languages/generate.py` writes this page from the headers, the sources of the command and of the
Python package, and the tables of tests/contract. A test fails if the page differs from what the
script writes.
"""


class Operation(NamedTuple):
    """A computation: its object, its verb, and the functions that run it alone and over ranks."""
    noun: str
    verb: str
    alone: Optional[str]
    ranks: Optional[str]


Cells = List[str]  # one for each of PLACES


# --- Operations -----------------------------------------------------------------------------------

def computes(function: Function) -> bool:
    """Is it a function that computes, and not its twin for floats?"""
    types = {parameter.type for parameter in function.parameters}
    is_stage = re.match(r"armilla_leg_(plan_)?(from|to)_", function.name)
    return (("armilla_exec" in types or bool(is_stage))
            and not re.search(r"(_float|_sized|_bytes)$", function.name))


def over_ranks(function: Function) -> bool:
    """Does the function do some rank's part of something?"""
    return (re.match(r"armilla_distribut(ed|ion)_", function.name) is not None
            and any(parameter.stars and parameter.type in ("double", "float")
                    for parameter in function.parameters))


def counterpart(name: str, names: Set[str]) -> Optional[str]:
    """The function that does on one process what this one does over ranks."""
    rest = re.sub(r"^armilla_distribut(ed|ion)_", "", name)
    for found in (COUNTERPARTS.get(name), f"armilla_{rest}", f"armilla_alm_{rest}"):
        if found in names:
            return found
    return None


def noun_of(name: str, handles: List[str]) -> str:
    """The object of a function: its handle, or the first word of its name."""
    fitting = [handle for handle in handles if name.startswith(handle + "_")]
    longest = max(fitting, key=len) if fitting else "armilla_" + name.split("_")[1]
    return longest[len("armilla_"):]


def operations(whole: Header) -> List[Operation]:
    """All operations, in the sequence of the headers."""
    names = {function.name for function in whole.functions}
    ranks = {counterpart(function.name, names): function.name for function in whole.functions
             if over_ranks(function) and not function.name.endswith("_float")}
    found = []
    for function in whole.functions:
        name = function.name
        if re.match(r"armilla_distribut(ed|ion)_", name):
            continue
        if (computes(function) or name in ranks) and not name.endswith("_new"):
            noun = noun_of(name, whole.handles)
            found.append(Operation(noun, name[len(f"armilla_{noun}_"):], name, ranks.get(name)))
    return found


# --- Places ---------------------------------------------------------------------------------------

def contract_states(folder: Path) -> Dict[Tuple[str, str], Dict[int, str]]:
    """What the rows of tests/contract say of places: {(object, call): {place: "by the host" or
    "no call"}}, and of the first row of an object as (object, "")."""
    found: Dict[Tuple[str, str], Dict[int, str]] = {}
    for path in sorted(folder.glob("*.c")):
        text = path.read_text(encoding="utf-8")
        text = text.replace("ON_GPUS(", "[CONTRACT_GPU] [CONTRACT_GPUS]")
        for row in re.split(r"\.name = ", text)[1:]:
            word = (re.match(r'"(\w+)', row) or ["", "radial"])[1]
            said: Dict[int, str] = {}
            for kind, body in re.findall(r"\.(refused|delegated) =(.*?)(?=\.\w+ = |\Z)", row,
                                         re.DOTALL):
                state = "by the host" if kind == "delegated" else NO_CALL
                said.update({PLACE_OF[place]: state for place, empty
                             in re.findall(r'\[(CONTRACT_\w+)\](?: = (""))?', body)
                             if kind == "delegated" or empty})
            for verb in [""] + re.findall(r'\{"(\w+)", [01],', row):
                found.setdefault((CONTRACT_NAMES.get(word, word), verb), said)
    return found


def options_of(name: str, whole: Header) -> Set[str]:
    """The fields of all options that a function takes, those of options within options too."""
    rest = [parameter.type for function in whole.functions if function.name == name
            for parameter in function.parameters]
    found: Set[str] = set()
    while rest:
        for field in whole.structs.get(rest.pop(), []):
            found.add(field.name)
            if field.type.endswith("_options"):
                rest.append(field.type)
    return found


def refusals(folder: Path) -> Set[str]:
    """Functions whose source file refuses GPUs."""
    found: Set[str] = set()
    for path in sorted(folder.rglob("*.c")):
        text = path.read_text(encoding="utf-8")
        if re.search(r"device != ARMILLA_CPU|armilla_refuse_place\([^;]*PLACE_GPU\b", text):
            found.update(re.findall(r"^armilla_status (armilla_\w+)\(", text, re.MULTILINE))
    return found


class Places:
    """Where the functions of C run."""

    def __init__(self, root: Path, whole: Header) -> None:
        self.whole = whole
        self.contract = contract_states(root / "tests" / "contract")
        self.refused = refusals(root / "src")
        self.functions = {function.name: function for function in whole.functions}

    def maker(self, name: str) -> str:
        """The function that makes the plan which this one takes, or this one."""
        first = self.functions[name].parameters[0].type
        is_method = name.startswith(first + "_") and f"{first}_new" in self.functions
        return f"{first}_new" if is_method and first != NOT_A_PLAN else name

    def _is_offered(self, name: str, option: str) -> bool:
        return option in options_of(self.maker(name), self.whole)

    def _known(self, operation: Operation) -> Dict[int, str]:
        """What the contract says; where it has no such call, the sources of it and of its plan."""
        said = self.contract.get((operation.noun, operation.verb))
        if said is not None:
            return said
        of_plan = self.contract.get((operation.noun, ""))
        names = {operation.alone}
        if of_plan is None and operation.alone:
            names.add(self.maker(operation.alone))
        if names & self.refused:
            return {GPU: NO_CALL, GPUS: NO_CALL}
        return of_plan or {}

    def of(self, operation: Operation) -> List[Optional[str]]:
        """At each place: None: no call; "": it runs there; "by the host"."""
        found: List[Optional[str]] = [None] * len(PLACES)
        found[HOST] = "" if operation.alone else None
        for place, option in ((GPU, "device"), (GPUS, "devices")):
            if operation.alone and self._is_offered(operation.alone, option):
                found[place] = ""
        if operation.ranks:
            found[RANKS] = ""
            if self._is_offered(operation.ranks, "device"):
                found[RANKS_GPUS] = ""
        for place, state in self._known(operation).items():
            if found[place] is not None:
                found[place] = None if state == NO_CALL else state
        return found


# --- Doors ----------------------------------------------------------------------------------------

def shown(names: List[str], option: str, state: str) -> str:
    """Names of calls as a cell; of many the first ones."""
    if not names:
        return NO_CALL
    most = 4
    text = ", ".join(f"`{name}`" for name in names[:most])
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return text + more + option + (f", {state}" if state else "")


class Door:
    """One way to call the library. names(operation, place, state): the calls there."""

    options = ("", ", `device`", ", `devices`", "", ", `device`")

    def names(self, operation: Operation, place: int, state: str) -> List[str]:
        """The calls that reach it."""
        raise NotImplementedError

    def cells(self, operation: Operation, states: List[Optional[str]]) -> Cells:
        """A row of the door's table."""
        return [NO_CALL if state is None else
                shown(self.names(operation, place, state), self.options[place], state)
                for place, state in enumerate(states)]


def function_at(operation: Operation, place: int) -> str:
    """The function of C that runs there."""
    return (operation.ranks if place in (RANKS, RANKS_GPUS) else operation.alone) or ""


class InC(Door):
    """The function, or the one that makes its plan."""

    def __init__(self, places: Places) -> None:
        self.places = places

    def names(self, operation: Operation, place: int, state: str) -> List[str]:
        return [self.places.maker(function_at(operation, place))]


class InCpp(Door):
    """The class that has the function; where none has it, the function."""

    def __init__(self, folder: Path) -> None:
        self.owner: Dict[str, str] = {}
        for path in sorted(folder.glob("*.hpp")):
            for part in re.split(r"(?=\bclass \w+ :)", path.read_text(encoding="utf-8"))[1:]:
                name = re.match(r"class (\w+?)(Members)? :", part).group(1)
                inside = part.partition("\n};")[0]
                for function in re.findall(r"\barmilla_\w+", inside):
                    self.owner.setdefault(function, name)

    def names(self, operation: Operation, place: int, state: str) -> List[str]:
        function = function_at(operation, place)
        return [f"armilla::{self.owner[function]}" if function in self.owner else function]


class InPython(Door):
    """The public names that reach the function; on GPUs those that have the argument."""

    def __init__(self, folder: Path, functions: Set[str]) -> None:
        self.found = doors_python.Package(folder, functions).names()

    def names(self, operation: Operation, place: int, state: str) -> List[str]:
        function = function_at(operation, place)
        needed = {"device" if place in (GPU, RANKS_GPUS) else "devices"} if place in (
            GPU, GPUS, RANKS_GPUS) else set()
        needed |= {"delegate"} if state else set()
        return [title for title, name in self.found.items()
                if {function, function + "_float"} & name.functions and needed <= name.arguments]


class InCommand(Door):
    """The subcommands that reach the function; over ranks those that armilla-mpi has."""

    options = ("", ", `--device cuda`", ", `--devices`", "", ", `--device cuda`")

    def __init__(self, folder: Path) -> None:
        self.found = doors_command.commands(folder)


    def names(self, operation: Operation, place: int, state: str) -> List[str]:
        function = function_at(operation, place)
        program = "armilla-mpi" if place in (RANKS, RANKS_GPUS) else "armilla"
        option = {GPU: "device", RANKS_GPUS: "device", GPUS: "devices"}.get(place)
        return [f"{program} {name}" for name, command in self.found.items()
                if {function, function + "_float"} & command.functions and not state
                and (program == "armilla" or command.over_ranks)
                and (option is None or option in command.options)]


# --- The page -------------------------------------------------------------------------------------

def table(rows: List[Tuple[str, Cells]]) -> Iterator[str]:
    """A door's table."""
    yield "| operation | " + " | ".join(PLACES) + " |"
    yield "|---" * (len(PLACES) + 1) + "|"
    for title, cells in rows:
        yield f"| {title} | " + " | ".join(cells) + " |"


def merged(rows: List[Tuple[Operation, Cells]]) -> List[Tuple[str, Cells]]:
    """Rows of an object whose cells are alike as one."""
    found: Dict[Tuple[str, ...], str] = {}
    for operation, cells in rows:
        key = (operation.noun, *cells)
        found[key] = (f"{found[key]}, {operation.verb}" if key in found
                      else f"{operation.noun}: {operation.verb}")
    return [(title, list(key[1:])) for key, title in found.items()]


def missing_in_fortran(module: Path, listed: List[Operation]) -> List[str]:
    """Functions of the page that the module does not declare."""
    names = set(re.findall(r"\barmilla_\w+", module.read_text(encoding="utf-8")))
    return [name for operation in listed for name in (operation.alone, operation.ranks)
            if name and name not in names]


def page(root: Path, whole: Header) -> str:
    """docs/doors.md."""
    places, listed = Places(root, whole), operations(whole)
    doors = [InC(places), InCpp(root / "include" / "armilla"),
             InPython(root / "python" / "armilla", {one.name for one in whole.functions}),
             InCommand(root / "cli")]
    states = {operation: places.of(operation) for operation in listed}
    lost = missing_in_fortran(root / "languages" / "fortran" / "armilla.f90", listed)
    titles = ["C and Fortran", "C++", "Python", "The command"]
    notes = ["The module for Fortran has the same names" +
             (", but not " + ", ".join(f"`{name}`" for name in lost) if lost else "") +
             ". A function whose name ends in `_new` makes the plan that the calls in the first "
             "column take.",
             "The calls are methods of the classes. Where no class has a call, a program uses the "
             "function of C.",
             "The calls of C are methods of the classes named here, or these functions make them.",
             "`armilla-mpi` has the subcommands that run over ranks."]
    lines = [OPENING]
    for index, title in enumerate(titles):
        lines += [f"## {title}", ""] + ([notes[index], ""] if notes[index] else [])
        rows = merged([(operation, doors[index].cells(operation, states[operation]))
                       for operation in listed])
        lines += list(table(rows)) + [""]
    return "\n".join(lines).rstrip("\n") + "\n"
