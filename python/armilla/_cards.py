"""Cards of FITS headers: values as text, and text as values (FITS standard 4.0, section 4)."""
from __future__ import annotations

import re
from typing import Any, Iterable, List, NamedTuple, Tuple

import numpy as np

from ._errors import shown
from ._native import ffi


class Card(NamedTuple):
    """A keyword of a FITS header.

    Attributes
    ----------
    name : str
        The keyword.
    value : bool, int, float, complex, str or None
        Its value; None where there is none.
    comment : str
        Its comment.
    """

    name: str
    value: Any  # bool, int, float, complex, str, or None: no value
    comment: str


# --- Values as text -------------------------------------------------------------------------------


def literal(name: str, value: Any) -> str:
    """A value as it stands in a header."""
    value = value.item() if isinstance(value, (np.generic, np.ndarray)) else value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "T" if value else "F"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _real(name, value)
    if isinstance(value, complex):
        return f"({_real(name, value.real)}, {_real(name, value.imag)})"
    if isinstance(value, str):
        return "'" + value.replace("'", "''").ljust(8) + "'"
    raise ValueError(f"{name} = {shown(value)}: a header holds text, numbers, True and False")


def _real(name: str, value: float) -> str:
    if not np.isfinite(value):
        raise ValueError(f"{name} = {value}: a header cannot hold it")
    return repr(value).upper()


def keywords(records: Iterable[Any]) -> Tuple[Any, List[Any]]:
    """The records (name, value) or (name, value, comment) as C wants them, and what must be kept
    alive as long."""
    given = [tuple(record) for record in records]
    made, kept = ffi.new("armilla_keyword[]", max(len(given), 1)), []
    for target, record in zip(made, given):
        if len(record) not in (2, 3) or not isinstance(record[0], str):
            raise ValueError(f"{shown(record)}: must be (name, value) or (name, value, comment)")
        name = record[0].upper().strip()
        is_text = name in ("COMMENT", "HISTORY")
        value = str(record[1]) if is_text else literal(name, record[1])
        texts = [ffi.new("char[]", text.encode("utf-8")) for text in (name, value)]
        target.name, target.value = texts
        if len(record) == 3 and record[2] is not None:
            texts.append(ffi.new("char[]", str(record[2]).encode("utf-8")))
            target.comment = texts[2]
        kept += texts
    return made, kept


# --- Text as values -------------------------------------------------------------------------------

_TEXT = re.compile(r"\s*'((?:[^']|'')*)'\s*(?:/(.*))?$", re.DOTALL)


def _value(text: str) -> Any:
    text = text.strip()
    if text in ("", "T", "F"):
        return {"": None, "T": True, "F": False}[text]
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    pair = re.fullmatch(r"\((.*),(.*)\)", text)
    try:
        if pair:
            return complex(float(pair[1]), float(pair[2]))
        return float(text.upper().replace("D", "E"))
    except ValueError:
        return text


def _split(text: str) -> Tuple[Any, str]:
    """Value and comment of what follows "KEYWORD = "."""
    quoted = _TEXT.match(text)
    if quoted:
        return quoted[1].replace("''", "'").rstrip(), (quoted[2] or "").strip()
    value, _, comment = text.partition("/")
    return _value(value), comment.strip()


def parse(header: str) -> List[Card]:
    """The cards of a header in lines; long texts are put together."""
    cards: List[Card] = []
    for line in header.split("\n")[:-1]:
        name = line[:8].rstrip()
        if name == "CONTINUE" and cards and str(cards[-1].value).endswith("&"):
            more, comment = _split(line[8:])
            cards[-1] = Card(cards[-1].name, cards[-1].value[:-1] + str(more),
                             (cards[-1].comment + " " + comment).strip())
        elif name == "HIERARCH" and "=" in line:
            key, _, rest = line[8:].partition("=")
            cards.append(Card(key.strip(), *_split(rest)))
        elif line[8:10] == "= ":
            cards.append(Card(name, *_split(line[10:])))
        else:
            cards.append(Card(name, line[8:].rstrip(), ""))
    return cards
