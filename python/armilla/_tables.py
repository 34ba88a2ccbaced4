"""Binary tables of FITS files, decoded by numpy: any type of column, nothing interpreted.

value = TZERO + TSCAL * stored (FITS standard 4.0, section 7.3).
"""
from __future__ import annotations

import re
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np

from ._cards import Card, parse
from ._errors import characters, check, shown, whole
from ._native import ffi, lib

_FORMS = {"L": "S1", "B": "u1", "I": ">i2", "J": ">i4", "K": ">i8", "E": ">f4", "D": ">f8",
          "C": ">c8", "M": ">c16"}
_SIZES = {"A": 1, "P": 8, "Q": 16}


def _width(form: str) -> Tuple[int, str, int]:
    """Values per row, letter, and bytes per row of a TFORM."""
    found = re.match(r"\s*(\d*)([A-Za-z])", form)
    if not found:
        raise ValueError(f"TFORM = {shown(form)}: must be a number and a letter")
    count, letter = int(found[1] or 1), found[2].upper()
    if letter == "X":
        return count, letter, (count + 7) // 8
    return count, letter, count * (np.dtype(_FORMS[letter]).itemsize if letter in _FORMS
                                   else _SIZES[letter])


class Table:
    """A binary table of a FITS file: its header, and its columns one by one.

    Parameters
    ----------
    header : list of Card
        The keywords.
    rows : ndarray, shape (nrows, nbytes)
        The rows as bytes.

    Attributes
    ----------
    header : list of Card
        The keywords.

    See Also
    --------
    armilla.io.read_table : Reads a table.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> armilla.io.write_map("table.fits", np.arange(48.0))
    >>> table = armilla.io.read_table("table.fits")
    >>> table.names, table.column("temperature")[:3], table.said("NSIDE")
    (['TEMPERATURE'], array([0., 1., 2.], dtype=float32), 2)
    """

    def __init__(self, header: List[Card], rows: np.ndarray) -> None:
        self.header = header
        self._rows = rows  # (rows, bytes), uint8
        self._said: Dict[str, Any] = {}
        for card in header:
            self._said.setdefault(card.name, card.value)
        self._places: List[Tuple[int, int, str, int]] = []  # offset, count, letter, bytes
        offset = 0
        for number in range(1, int(self.said("TFIELDS", 0)) + 1):
            place = _width(str(self.said(f"TFORM{number}")))
            self._places.append((offset, *place))
            offset += place[2]

    def said(self, name: str, default: Any = None) -> Any:
        """Return the value of a keyword.

        Parameters
        ----------
        name : str
            The keyword.
        default : object, optional
            What is returned if there is none.

        Returns
        -------
        bool, int, float, complex, str or None
            The value.
        """
        return self._said.get(name, default)

    @property
    def names(self) -> List[str]:
        """Names of the columns; "" where there is none."""
        return [str(self.said(f"TTYPE{i + 1}", "")) for i in range(len(self._places))]

    def index(self, column: Any) -> int:
        """Return the number of a column.

        Parameters
        ----------
        column : int or str
            A number, negative from the end; or a name, in upper or lower case.

        Returns
        -------
        int
            The number, from 0.

        Raises
        ------
        KeyError
            If there is no such name.
        IndexError
            If there is no such number.
        """
        if isinstance(column, str):
            names = [name.upper() for name in self.names]
            if column.upper() not in names:
                raise KeyError(f"{shown(column)}: the table has {', '.join(self.names)}")
            return names.index(column.upper())
        if not -len(self._places) <= column < len(self._places):
            raise IndexError(f"column {column}: the table has {len(self._places)}, from 0")
        return int(column) % len(self._places)

    def column(self, column: Any) -> np.ndarray:
        """Return the values of a column, all rows one after the other.

        Parameters
        ----------
        column : int or str
            Number or name of the column.

        Returns
        -------
        ndarray, shape (n,)
            The values in the byte order of the machine, scaled as the header says.

        Raises
        ------
        ValueError
            If the column does not hold numbers.
        KeyError, IndexError
            If there is no such column.
        """
        number = self.index(column)
        offset, _, letter, width = self._places[number]
        if letter not in _FORMS:
            raise ValueError(f"column {number} ({self.names[number]}): has type {letter}: no "
                             "numbers")
        raw = np.ascontiguousarray(self._rows[:, offset:offset + width]).view(_FORMS[letter])
        if letter == "L":
            return raw.ravel() == b"T"
        values = raw.astype(raw.dtype.newbyteorder("=")).ravel()
        return self._scaled(number + 1, values)

    def missing(self, column: Any) -> Optional[np.ndarray]:
        """Tell where values of a column are marked as missing.

        The mark is TNULL, and a byte of 0 among truth values.

        Parameters
        ----------
        column : int or str
            Number or name of the column.

        Returns
        -------
        ndarray of bool, shape (n,), or None
            True where a value is missing; None if there is no such place.
        """
        number = self.index(column)
        offset, _, letter, width = self._places[number]
        null = 0 if letter == "L" else self.said(f"TNULL{number + 1}")
        if letter not in "LBIJK" or not isinstance(null, int):
            return None
        raw = np.ascontiguousarray(self._rows[:, offset:offset + width])
        found = (raw.view("u1" if letter == "L" else _FORMS[letter]) == null).ravel()
        return found if found.any() else None

    def _scaled(self, number: int, values: np.ndarray) -> np.ndarray:
        scale, zero = self.said(f"TSCAL{number}", 1), self.said(f"TZERO{number}", 0)
        if scale == 1 and zero == 0:
            return values
        kind = values.dtype
        if scale == 1 and kind.kind == "i" and zero == 2 ** (8 * kind.itemsize - 1):
            unsigned = values.view(np.dtype(f"u{kind.itemsize}"))  # the usual way to store these
            return unsigned + unsigned.dtype.type(zero)
        return values * float(scale) + float(zero)


Hdu = Union[int, str, Tuple[str, int]]  # as astropy has it; see hdu_number


def hdu_number(path: bytes, hdu: Hdu, needs_table: bool = True) -> int:
    """The number of an HDU: of itself, from the end (-1), EXTNAME, or EXTNAME and EXTVER."""
    if isinstance(hdu, tuple):
        if len(hdu) != 2 or not isinstance(hdu[0], str):
            raise ValueError(f"hdu = {shown(hdu)}: must be a number, a name, or a name and its "
                             "version")
        text = f"{hdu[0]},{whole('hdu', hdu[1])}"
    elif isinstance(hdu, str):
        text = hdu
    else:
        number = whole("hdu", hdu)
        if 0 <= number < 1 << 31:
            return number
        text = str(number)
    found = ffi.new("int *")
    check(lib.armilla_io_find_hdu(path, characters("hdu", text), needs_table, found))
    return int(found[0])


def header_of(path: bytes, hdu: Hdu) -> List[Card]:
    """The header of an HDU."""
    text = ffi.new("char **")
    check(lib.armilla_io_header(path, hdu_number(path, hdu, False), text))
    told = ffi.gc(text[0], lib.armilla_io_text_free)
    return parse(ffi.string(told).decode("latin-1"))


def read(path: bytes, hdu: Hdu) -> Table:
    """The table in an HDU."""
    found = ffi.new("armilla_raw_table **")
    check(lib.armilla_raw_table_read(path, hdu_number(path, hdu), found))
    told = ffi.gc(found[0], lib.armilla_raw_table_free)
    count = told.rows * told.row_bytes
    rows = np.frombuffer(ffi.buffer(told.bytes, count), np.uint8).copy()
    header = parse(ffi.string(told.header).decode("latin-1"))
    return Table(header, rows.reshape(told.rows, told.row_bytes))
