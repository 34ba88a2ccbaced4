"""The declarations for Julia: constants, structs, and a method for each function of the headers."""
from typing import Dict, List

from fortran import COMPLEX
from headers import Function, Header, Variable

KINDS = {"double": "Float64", "float": "Float32", "int": "Cint", "int64_t": "Int64",
         "uint64_t": "UInt64", "size_t": "Csize_t", "char": "UInt8"}

FILES = {"io", "picture"}  # headers of libarmilla_files

RESERVED = {"begin", "end", "function", "module", "struct"}  # these get a _ at the end

OPENING = """\
# Written by languages/generate.py from the headers (include/armilla/); do not edit it. Arguments
# are those of C: an array for a pointer to numbers, Ref(options) or C_NULL for options, Ref(C_NULL)
# for an object that is made.
"""


def named(item: Variable) -> str:
    """The name of a field or an argument."""
    return item.name + "_" * (item.name in RESERVED)


def known(header: Header, item: Variable) -> str:
    """What a variable is in Julia, pointers apart."""
    return "Cint" if item.type in header.enums else KINDS.get(item.type, "Cvoid")


def component(header: Header, item: Variable, lengths: Dict[str, str]) -> str:
    """The type of a field."""
    if item.stars or item.type == "function" or item.type in header.callbacks:
        return "Ptr{Cvoid}"
    if item.length:
        return f"NTuple{{{lengths.get(item.length, item.length)}, UInt8}}"
    return known(header, item)


def zero(kind: str) -> str:
    """What a field is before it is set."""
    if kind.startswith("NTuple"):
        return f"ntuple(_ -> 0x00, {kind[7:-8]})"
    return "C_NULL" if kind.startswith("Ptr") else "0"


def struct(header: Header, name: str, items: List[Variable]) -> List[str]:
    """A struct, and a constructor that fills it with zeros."""
    kinds = [component(header, item, dict(header.constants)) for item in items]
    width = max(len(named(item)) for item in items)
    lines = [f"mutable struct {name}"]
    lines += [f"    {named(item):<{width}} :: {kind}" for item, kind in zip(items, kinds)]
    call = f"    {name}() = new("
    for i, kind in enumerate(kinds):
        text = zero(kind) + (", " if i + 1 < len(kinds) else ")")
        if len(call.splitlines()[-1]) + len(text) > 98:
            call = call.rstrip() + "\n        "
        call += text
    return lines + [call, "end", ""]


def argument(header: Header, function: str, item: Variable) -> str:
    """The type of an argument."""
    if item.type in header.callbacks:
        return "Ptr{Cvoid}"
    if not item.stars:
        return known(header, item)
    if item.stars == 2:
        return "Ptr{Ptr{UInt8}}" if item.type == "char" else "Ptr{Ptr{Cvoid}}"
    if item.type == "char" and item.const:
        return "Cstring"
    if item.type in header.structs and not function.endswith("_free") and \
            item.type != "armilla_transport":
        return f"Ptr{{{item.type}}}"
    if item.name in COMPLEX or (function, item.name) == ("armilla_alm_rotate", "out"):
        return {"double": "Ptr{ComplexF64}", "float": "Ptr{ComplexF32}"}.get(
            item.type, "Ptr{Cvoid}")
    return f"Ptr{{{known(header, item)}}}"


def result(header: Header, item: Variable) -> str:
    """What a function returns."""
    if item.stars:
        return "Cstring" if item.type == "char" else "Ptr{Cvoid}"
    return known(header, item)


def method(header: Header, function: Function, library: str) -> List[str]:
    """A method that calls a function of a library."""
    names = ", ".join(named(item) for item in function.parameters)
    typed = [f"{named(item)}::{argument(header, function.name, item)}"
             for item in function.parameters]
    lines = [f"{function.name}({names}) = @ccall {library}.{function.name}("]
    for i, text in enumerate(typed):
        text += ", " if i + 1 < len(typed) else ""
        if len(lines[-1]) + len(text) > 96:
            lines.append("    ")
        lines[-1] += text
    lines[-1] += f")::{result(header, function.result)}"
    return [line.rstrip() for line in lines]


def declarations(headers: List[Header], whole: Header) -> str:
    """The text of julia/declarations.jl. Functions of MPI are left out: they are in a library of
    their own."""
    lines = [OPENING]
    for header in headers:
        lines += ["", f"# {header.name}.h"]
        for name, value in header.constants:
            kind = "Cint" if value.lstrip("-").isdigit() else "Float64"
            lines.append(f"const {name} = {kind}({value})")
        for name, items in header.structs.items():
            lines += struct(whole, name, items)
        library = "libarmilla_files" if header.name in FILES else "libarmilla"
        for function in header.functions if header.name != "mpi" else []:
            lines += method(whole, function, library)
    return "\n".join(lines) + "\n"
