"""Units as files write them: a grammar of products of powers, for winds and squares of units.

    product := factor { [operator] factor }      operator: * . / per, or a blank
    factor  := (name | 1 | "(" product ")") [ [^ | **] exponent ]
    exponent := whole number, which may be raised (m s⁻¹), in braces (s^{-1}) or in parentheses

A division concerns the next factor only. What follows it without another one, as in J/kg K, is read
in two ways, and so is none of the grammar.
"""
from __future__ import annotations

import re
import unicodedata
from typing import Dict, Hashable, List, Optional, Sequence, Tuple

from ._errors import shown

Factors = List[Tuple[str, int]]

_TOKENS = {kind: re.compile(pattern) for kind, pattern in (
    ("power", r"(?:\s*(?:\^|\*\*)\s*)?(?:([+-]?\d+)|\{\s*([+-]?\d+)\s*\}|\(\s*([+-]?\d+)\s*\))"),
    ("one", r"\s*1(?![\d.eE])"), ("name", r"\s*(°?[^\W\d_]+|[%°])"), ("times", r"\s*[*.]"),
    ("over", r"\s*(?:/|(?<!\w)(?i:per)(?!\w))"), ("open", r"\s*\("), ("close", r"\s*\)"))}
_SIGNS = str.maketrans({"\N{MINUS SIGN}": "-", "\N{MIDDLE DOT}": "*", "\N{DOT OPERATOR}": "*",
                        "\N{BULLET OPERATOR}": "*", "\N{MULTIPLICATION SIGN}": "*", "$": " "})
_WORDS = {**dict.fromkeys(("m", "meter", "meters", "metre", "metres"), "m"),
          **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s")}


class _Unknown(Exception):
    """The text is not of the grammar."""


class _Parser:
    """Reads the tokens of a unit from left to right."""

    def __init__(self, units: str) -> None:
        self._text = unicodedata.normalize("NFKC", units).translate(_SIGNS).strip()
        self._place = 0

    def _next(self, kind: str) -> Optional[str]:
        """Takes the next token if it is of this kind: what is in its group, or all of it."""
        found = _TOKENS[kind].match(self._text, self._place)
        if not found:
            return None
        self._place = found.end()
        return next((one for one in found.groups() if one is not None), found[0])

    def whole(self) -> Factors:
        """The factors of all of the text."""
        made = self._product()
        if self._place < len(self._text):
            raise _Unknown
        return made

    def _product(self) -> Factors:
        made, was_divided = self._factor(1), False
        while self._place < len(self._text) and not _TOKENS["close"].match(self._text, self._place):
            divides = self._next("over") is not None
            if was_divided and not divides:
                raise _Unknown
            if not divides:
                self._next("times")
            made += self._factor(-1 if divides else 1)
            was_divided = divides
        return made

    def _factor(self, sign: int) -> Factors:
        made: Factors = []
        if self._next("open"):
            made = self._product()
            if not self._next("close"):
                raise _Unknown
        elif not self._next("one"):
            name = self._next("name")
            if name is None:
                raise _Unknown
            made = [(name, 1)]
        count = sign * int(self._next("power") or 1)
        return [(name, count * power) for name, power in made]


def factors(units: str) -> Optional[Factors]:
    """m s-1 -> [(m, 1), (s, -1)]; None for what is not written so."""
    try:
        return _Parser(units).whole()
    except _Unknown:
        return None


def _written(made: Sequence[Tuple[str, int]]) -> str:
    return " ".join(f"{name}{'' if power == 1 else power}" for name, power in made)


def squared(units: Optional[str]) -> Optional[str]:
    """K -> K2, m s-1 -> m2 s-2; None stays."""
    if units is None or units in ("1", ""):
        return units
    made = factors(units)
    if not made:
        return f"({units})2"
    return _written([(name, 2 * power) for name, power in made])


def product(first: Optional[str], second: Optional[str]) -> Optional[str]:
    """The unit of a cross spectrum."""
    if first is None or second is None:
        return None
    if first == second:
        return squared(first)
    both = factors(first), factors(second)
    if both[0] and both[1]:
        return _written(both[0] + both[1])
    return " ".join(one if made else f"({one})" for one, made in zip((first, second), both)
                    if one not in ("1", ""))


# --- Winds ----------------------------------------------------------------------------------------


def _is_speed(units: str) -> bool:
    """Is it metres per second, whatever its names and signs?"""
    powers: Dict[str, int] = {}
    for name, power in factors(units) or []:
        name = _WORDS.get(name if len(name) == 1 else name.lower(), name)
        powers[name] = powers.get(name, 0) + power
    return {name: power for name, power in powers.items() if power} == {"m": 1, "s": -1}


def check_wind(name: Hashable, units: Optional[str]) -> None:
    """ValueError unless a component of the wind is in metres per second."""
    if isinstance(units, str) and _is_speed(units):
        return
    raise ValueError(f"{name}: units = {shown(units)}, must be m s-1; if the values are in metres "
                     f"per second, say so: assign_attrs(units='m s-1') on {name}; if not, convert "
                     "them first (a knot is 0.514444 m s-1)")
