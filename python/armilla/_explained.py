"""Docstrings of functions, completed by what the module's says of the arguments they share."""
from __future__ import annotations

import inspect
import re
from typing import Any, Dict, Iterable

_ENTRY = re.compile(r"^    (\w+(?:, \w+)*) {2,}(\S.*)$")  # names, and what they mean
_MORE = re.compile(r"^ {8,}(\S.*)$")


def arguments_of(text: str) -> Dict[str, str]:
    """Names and meanings from a table like that of armilla.sht."""
    made: Dict[str, str] = {}
    names: Iterable[str] = ()
    for line in text.splitlines():
        entry, more = _ENTRY.match(line), _MORE.match(line)
        if entry:
            names = entry[1].split(", ")
            made.update(dict.fromkeys(names, entry[2]))
        elif more and names:
            made.update({name: f"{made[name]} {more[1]}" for name in names})
        else:
            names = ()
    return made


def explain(functions: Iterable[Any], text: str) -> None:
    """Adds a line "name: meaning" to each function's docstring for each of its arguments."""
    known = arguments_of(text)
    for function in functions:
        lines = [f"    {name}: {known[name]}" for name in inspect.signature(function).parameters
                 if name in known]
        if lines and function.__doc__:
            function.__doc__ = "\n".join([function.__doc__.rstrip(), "", *lines, "    "])
