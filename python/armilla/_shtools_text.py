"""SHTOOLS' text files of coefficients (.sh, .tab, .txt): lines l, m, C, S, perhaps with errors."""
from __future__ import annotations

import re
from typing import List, NamedTuple, Optional, Sequence, Set, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import plain, reals
from ._errors import shown
from ._geo_text import Lines, Path, check_places, top_degree, whole_text, words


class ShtoolsFile(NamedTuple):
    """Coefficients of a text file of SHTOOLS' format.

    Attributes
    ----------
    cilm : ndarray, shape (2, lmax + 1, lmax + 1)
        C and S, in the norm that the file's author meant; the file does not say which.
    errors : ndarray, shape (2, lmax + 1, lmax + 1), or None
        Standard deviations of `cilm`, where the file has them.
    header : tuple of tuple of str
        What stands before the coefficients, line by line and word by word.

    Examples
    --------
    >>> import armilla
    >>> with open("small.sh", "w") as file:
    ...     _ = file.write("0, 0, 1.0, 0.0\\n1, 0, 2.0, 0.0\\n1, 1, 3.0, 4.0\\n")
    >>> armilla.geo.read_shtools("small.sh").lmax
    1
    """

    cilm: np.ndarray
    errors: Optional[np.ndarray]
    header: Tuple[Tuple[str, ...], ...]

    @property
    def lmax(self) -> int:
        """Largest degree."""
        return self.cilm.shape[-1] - 1


_REAL = re.compile(r"\d+\.\d*(?:[eEdD][+-]?\d+)?")


def _is_data(line: List[str]) -> bool:
    """Whether a line begins with degree and order."""
    return len(line) >= 3 and all(re.fullmatch(r"\d+", word) for word in line[:2])


def _is_data_of_reals(line: List[str]) -> bool:
    """Whether it does with both written as reals (2.000e+00), and is no header of radius and GM."""
    if len(line) not in (3, 4, 6) or not all(_REAL.fullmatch(word) for word in line[:2]):
        return False
    l, m = (float(re.sub("[dD]", "e", word)) for word in line[:2])
    return l.is_integer() and m.is_integer() and m <= l


class _Rows:
    """The lines of a file in turn: header, then coefficients by degree and order."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._reals = False  # are degrees and orders written as reals?
        self._first: Tuple[str, ...] = ()  # line of coefficients
        self.header: List[Tuple[str, ...]] = []
        self.rows: List[Tuple[int, int, List[float]]] = []
        self.seen: Set[Tuple[int, int]] = set()

    def _begins(self, word: List[str]) -> bool:
        """Whether the coefficients begin with a line, or have begun."""
        if self._reals and len(self.rows) == 1 and _is_data(word):
            self.header.append(self._first)  # which looked like coefficients
            self.rows.clear()
            self.seen.clear()
        if not self.rows:
            self._reals = _is_data_of_reals(word)
            self._first = tuple(word)
            if not self._reals and not _is_data(word):
                self.header.append(self._first)
                return False
        return True

    def _degree(self, word: str, name: str, most: int) -> int:
        if self._reals and _REAL.fullmatch(word):
            number = self._lines.real(word, name)
            word = str(int(number)) if number.is_integer() else word
        elif self._reals:
            self._lines.fail(f"{name} = {shown(word)}: must be a real, as in the lines before")
        return self._lines.whole(word, name, 0, most)

    def add(self, line: str) -> None:
        """One line that says something."""
        lines, word = self._lines, words(line)
        if not self._begins(word):
            return
        l = self._degree(word[0], "l", 1 << 15)
        m = self._degree(word[1], "m", l) if len(word) > 1 else lines.fail("has one word")
        if (l, m) in self.seen:
            lines.fail(f"l = {l}, m = {m}: stands there twice")
        self.seen.add((l, m))
        if re.search(r",\s*,", line):
            lines.fail("has nothing between two commas")
        self.rows.append((l, m, _numbers(lines, word, m)))


def _numbers(lines: Lines, line: List[str], m: int) -> List[float]:
    """C, S and the errors of a line; S may be missing where m = 0."""
    if len(line) not in (4, 6) and not (m == 0 and len(line) == 3):
        lines.fail(f"has {len(line)} words, must have 4 or, with errors, 6: l, m, C, S")
    return lines.coefficients(line[2:] if len(line) > 3 else [line[2], "0"], m)


def _last_degree(lines: Lines, seen: Set[Tuple[int, int]]) -> int:
    """The largest degree; of each degree from the first one on, all orders are there."""
    first, last = min(seen)[0], max(seen)[0]
    if len(seen) != (last + 1) * (last + 2) // 2 - first * (first + 1) // 2:
        l, m = next((l, m) for l in range(first, last + 1) for m in range(l + 1)
                    if (l, m) not in seen)
        lines.fail(f"the file ends without l = {l}, m = {m}, and has l = {last}")
    return last


def read_shtools(path: Path, *, lmax: Optional[int] = None, skip: int = 0) -> ShtoolsFile:
    """Read coefficients from a text file of SHTOOLS' format, such as those of planetary archives.

    Parameters
    ----------
    path : str or path-like
        Name of the file, which may be packed by gzip. Words are parted by blanks or commas; lines
        that begin with # say nothing; lines before the first one that begins with l and m are the
        header. l and m may be written as reals, such as 2.000e+00, in all lines. From its first
        degree on the file must have all orders of each.
    %(lmax.of_file)s
    skip : int, optional
        Number of lines at the beginning that are left out.

    Returns
    -------
    ShtoolsFile
        The coefficients, their errors, and the header.

    Raises
    ------
    %(FormatError.line)s

    Examples
    --------
    >>> import armilla, numpy as np
    >>> cilm = armilla.conventions.convert(armilla.alm.random(4, np.ones(5), seed=1), "healpy",
    ...                                    "shtools")
    >>> armilla.geo.write_shtools("moon.sh", cilm, header=["1738.0", "4902.8"])
    >>> read = armilla.geo.read_shtools("moon.sh")
    >>> read.lmax, read.header, bool((read.cilm == cilm).all())
    (4, (('1738.0', '4902.8'),), True)
    """
    with Lines(path) as lines:
        table = _Rows(lines)
        for line in lines:
            word = words(line)
            if lines.number > skip and word and not word[0].startswith("#"):
                table.add(line)
        rows = table.rows
        if not rows:
            lines.fail("the file has no coefficients: lines l, m, C, S")
        if len({len(one[2]) for one in rows}) > 1:
            lines.fail("some lines of the file have errors, and others have none")
        last = _last_degree(lines, table.seen)
    top = top_degree(lmax, last)
    count = max(len(one[2]) for one in rows)
    made = np.zeros((count, top + 1, top + 1))
    for l, m, numbers in rows:
        if l <= top:
            made[:len(numbers), l, m] = numbers
    return ShtoolsFile(made[:2], made[2:] if count == 4 else None, tuple(table.header))


def write_shtools(path: Path, cilm: ArrayLike, *, errors: Optional[ArrayLike] = None,
                  header: Sequence[str] = (), overwrite: bool = False) -> None:
    """Write coefficients to a text file of SHTOOLS' format, with all digits.

    Parameters
    ----------
    path : str or path-like
        Name of the file; one that ends in .gz is packed by gzip.
    cilm : array_like, shape (2, lmax + 1, lmax + 1)
        C and S; `armilla.conventions.convert` makes them.
    errors : array_like, shape (2, lmax + 1, lmax + 1), optional
        Standard deviations.
    header : sequence of str, optional
        Words of a first line, such as reference radius and GM.
    %(overwrite.short)s

    Raises
    ------
    %(FileExistsError)s
    ValueError
        If a shape is wrong, a number is not finite, or none that a line can have (S of m = 0, m
        above l, an error below 0), or a header would be read as a coefficient.
    """
    tables = [reals(plain(one, name), name)
              for one, name in ((cilm, "cilm"), (errors, "errors")) if one is not None]
    n = tables[0].shape[-1] if tables[0].ndim else 0
    for table in tables:
        if table.shape != (2, n, n) or not n or not np.isfinite(table).all():
            raise ValueError(f"cilm, errors: have shape {table.shape}, must have (2, lmax + 1, "
                             "lmax + 1), and finite numbers")
        check_places(table, "cilm" if table is tables[0] else "errors")
    if len(tables) > 1 and tables[1].min() < 0:
        raise ValueError("errors: has a standard deviation below 0")
    if header and _is_data(words(", ".join(header))):
        raise ValueError("header: begins with two whole numbers, as a line of coefficients does")
    with whole_text(path, overwrite) as file:
        if header:
            file.write(", ".join(header) + "\n")
        for l in range(n):
            for m in range(l + 1):
                numbers = ", ".join(f"{float(part):.17e}" for table in tables
                                    for part in table[:, l, m])
                file.write(f"{l}, {m}, {numbers}\n")
