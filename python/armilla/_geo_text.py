"""Text files of coefficients: lines and their numbers for messages, dates, files that are whole."""
from __future__ import annotations

import calendar
import contextlib
import datetime
import gzip
import math
import os
import re
import tempfile
import zlib
from typing import Any, Iterator, List, NoReturn, Optional, Sequence, TextIO, Union

import numpy as np

from ._errors import FormatError, shown, whole

Path = Union[str, "os.PathLike[str]"]
Epoch = Union[float, str, datetime.date]
BAD_GZIP = (EOFError, gzip.BadGzipFile, zlib.error)  # what reading a damaged file raises


def opened(path: Path) -> Any:
    """A file for reading bytes, unpacked where its first ones say that gzip has packed it."""
    with open(path, "rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return gzip.open(path, "rb") if packed else open(path, "rb")


class Lines:
    """The lines of a text file, packed by gzip or not, and where one is for messages."""

    def __init__(self, path: Path) -> None:
        self.name = os.fspath(path)
        self.number = 0
        self._file = opened(path)

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *_: Any) -> None:
        self._file.close()

    def __iter__(self) -> Iterator[str]:
        try:
            for raw in self._file:
                self.number += 1
                if b"\0" in raw:
                    self.fail("has a byte 0: is this a text file?")
                yield raw.decode("utf-8", "replace")
        except BAD_GZIP as error:
            self.fail(f"cannot be unpacked: {error}")

    def fail(self, what: str) -> NoReturn:
        """FormatError that names the file and the line at hand."""
        raise FormatError(f"{self.name}, line {self.number}: {what}")

    def whole(self, word: str, name: str, least: int = 0, most: Optional[int] = None) -> int:
        """A whole number of a line."""
        if not re.fullmatch(r"[+-]?\d+", word):
            self.fail(f"{name} = {shown(word)}: must be a whole number")
        number = int(word)
        if number < least or (most is not None and number > most):
            self.fail(f"{name} = {number}: must be "
                      + (f"from {least} to {most}" if most is not None else f"at least {least}"))
        return number

    def real(self, word: str, name: str) -> float:
        """A finite number, with Fortran's D as an exponent as well."""
        try:
            if "_" in word:  # which Python takes between digits
                raise ValueError
            number = float(re.sub("[dD]", "e", word, count=1))
        except ValueError:
            self.fail(f"{name} = {shown(word)}: must be a number")
        if not math.isfinite(number):
            self.fail(f"{name} = {shown(word)}: must be finite")
        return number

    def coefficients(self, given: Sequence[str], m: int) -> List[float]:
        """C and S of an order, and standard deviations where they follow."""
        numbers = [self.real(word, "coefficient") for word in given]
        if m == 0 and numbers[1] != 0:
            self.fail(f"S = {numbers[1]} at m = 0: must be 0")
        if min(numbers[2:], default=0) < 0:
            self.fail("has a standard deviation below 0")
        return numbers

    def date(self, word: str, name: str) -> float:
        """A date yyyymmdd or yyyymmdd.hhmm as a decimal year."""
        return decimal_year(self.moment(word, name))

    def moment(self, word: str, name: str) -> datetime.datetime:
        """A date yyyymmdd or yyyymmdd.hhmm.

        Files round times up to the minute 60 (20041226.0060) and the hour 24.
        """
        found = re.fullmatch(r"(\d{4})(\d\d)(\d\d)(?:\.(\d{1,4}))?", word)
        try:
            if not found:
                raise ValueError
            clock = (found[4] or "").ljust(4, "0")
            minutes = 60 * int(clock[:2]) + int(clock[2:])
            if int(clock[2:]) > 60 or minutes > 1440:
                raise ValueError
            return (datetime.datetime(int(found[1]), int(found[2]), int(found[3]))
                    + datetime.timedelta(minutes=minutes))
        except (ValueError, OverflowError):
            self.fail(f"{name} = {shown(word)}: must be a date yyyymmdd or yyyymmdd.hhmm")


def decimal_year(day: datetime.date) -> float:
    """The year and the fraction of it that has passed."""
    when = day if isinstance(day, datetime.datetime) else datetime.datetime(day.year, day.month,
                                                                            day.day)
    seconds = (when.replace(tzinfo=None) - datetime.datetime(when.year, 1, 1)).total_seconds()
    return when.year + seconds / (86400 * (366 if calendar.isleap(when.year) else 365))


def julian_year(day: datetime.date) -> float:
    """2000 and the days since its beginning in years of 365.25 days."""
    when = day if isinstance(day, datetime.datetime) else datetime.datetime(day.year, day.month,
                                                                            day.day)
    past = when.replace(tzinfo=None) - datetime.datetime(2000, 1, 1)
    return 2000 + past.total_seconds() / (86400 * 365.25)


def epoch_year(epoch: Optional[Epoch], is_julian: bool = False) -> Optional[float]:
    """An epoch, which may be a decimal year, a date or the text of one, as a decimal year."""
    year_of = julian_year if is_julian else decimal_year
    if epoch is None:
        return None
    if isinstance(epoch, datetime.date):
        return year_of(epoch)
    if isinstance(epoch, str):
        try:
            return year_of(datetime.datetime.fromisoformat(epoch))
        except ValueError:
            raise ValueError(f"epoch = {shown(epoch)}: must be a decimal year, a date or YYYY-MM-DD"
                             ) from None
    try:
        year = float(epoch)
    except TypeError:
        raise TypeError(f"epoch = {shown(epoch)}: must be a decimal year, a date or YYYY-MM-DD"
                        ) from None
    if not 1 <= year < 10000:
        raise ValueError(f"epoch = {shown(epoch)}: must be a decimal year, such as 2025.5")
    return year


@contextlib.contextmanager
def whole_file(path: Path, overwrite: bool) -> Iterator[str]:
    """A temporary name in the folder of a file, which gets the file's name once all is written."""
    path = os.fspath(path)
    if not overwrite and os.path.exists(path):
        raise FileExistsError(17, "exists; overwrite=True replaces it", path)
    folder = os.path.dirname(os.path.abspath(path))
    number, temporary = tempfile.mkstemp(dir=folder, prefix=".armilla-")
    os.close(number)
    try:
        yield temporary
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


@contextlib.contextmanager
def whole_text(path: Path, overwrite: bool) -> Iterator[TextIO]:
    """A text file that appears when it is whole; packed by gzip if its name ends in .gz."""
    with whole_file(path, overwrite) as temporary:
        packed = os.fspath(path).endswith(".gz")
        with (gzip.open(temporary, "wt", encoding="utf-8") if packed
              else open(temporary, "w", encoding="utf-8")) as file:
            yield file


def top_degree(lmax: Optional[int], held: int) -> int:
    """The largest degree to read of a file that has degrees up to `held`; None asks for all."""
    top = held if lmax is None else whole("lmax", lmax)
    if not 0 <= top <= held:
        raise ValueError(f"lmax = {top}: must be from 0 to {held}, which the file has")
    return top


def check_places(table: np.ndarray, name: str) -> None:
    """ValueError unless numbers (2, l, m) are 0 where no line of a file has them."""
    if np.any(table[1, :, 0]):
        raise ValueError(f"{name}: S of m = 0 must be 0, it is not for l = "
                         f"{np.flatnonzero(table[1, :, 0])[0]}")
    above = np.argwhere(np.triu(table, 1))
    if len(above):
        raise ValueError(f"{name}: must be 0 for m above l, it is not for l = {above[0][1]}, m = "
                         f"{above[0][2]}")


def words(line: str) -> List[str]:
    """What stands between blanks and commas."""
    return line.replace(",", " ").split()
