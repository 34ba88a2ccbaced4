"""ICGEM's files of gravity fields (.gfc): all keywords of the header, errors, terms in time.

Format: ICGEM (Barthelmes & Foerste 2011; Ince et al. 2019, Earth Syst. Sci. Data 11, 647). With t
in years, of a coefficient that changes with time

    G(t) = gfct + trnd (t - t0) + sum of asin sin(2 pi (t - t0) / p) + acos cos(2 pi (t - t0) / p)

In icgem2.0 each line has the interval from t0 to t1 in which it holds. Lines that begin with #, %,
! or * are remarks, in the header and below it.
"""
from __future__ import annotations

import math
from array import array
from typing import Dict, List, NamedTuple, Optional, Set, Tuple

import numpy as np

from ._arrays import reals
from ._errors import shown
from ._geo_text import Epoch, Lines, Path, check_places, epoch_year, top_degree, whole_text
from .conventions import convert

_ERRORS: Dict[str, Tuple[str, ...]] = {
    "no": (), "calibrated": ("calibrated",), "formal": ("formal",), "unknown": ("unknown",),
    "calibrated_and_formal": ("calibrated", "formal")}
_TIDES = ("zero_tide", "tide_free", "mean_tide", "unknown")
_NORMS = {"fully_normalized": "4pi", "unnormalized": "unnorm"}
_TIME = {"gfct": 0, "trnd": 0, "dot": 0, "asin": 1, "acos": 1}  # numbers behind the dates
_REMARKS = ("#", "%", "!", "*")  # what a line that says nothing begins with


class GravityModel(NamedTuple):
    """A gravity field: V = GM / r times the sum of (R / r)^l (C cos m phi + S sin m phi) P_lm.

    Attributes
    ----------
    cilm : ndarray, shape (2, lmax + 1, lmax + 1)
        C and S in the 4 pi norm, without a unit.
    gm : float
        Gravity constant times mass, m^3 / s^2.
    radius : float
        Reference radius R, m.
    errors : dict of str to ndarray
        Standard deviations of `cilm`: "calibrated", "formal" or "unknown", as the file has them.
    name : str
        Name of the model.
    tide_system : str
        "zero_tide", "tide_free", "mean_tide" or "unknown".
    epoch : float or None
        Decimal year to which the coefficients belong; None: none of them changes with time.
    header : dict of str to str
        All keywords of the file's header, as they stand there.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> cilm = np.zeros((2, 3, 3))
    >>> cilm[0, 0, 0], cilm[0, 2, 0] = 1, -4.84e-4
    >>> model = armilla.geo.GravityModel(cilm, gm=3.986004415e14, radius=6378136.3)
    >>> model.lmax, model.alm.shape
    (2, (6,))
    """

    cilm: np.ndarray
    gm: float
    radius: float
    errors: Dict[str, np.ndarray] = {}
    name: str = "unknown"
    tide_system: str = "unknown"
    epoch: Optional[float] = None
    header: Dict[str, str] = {}

    @property
    def lmax(self) -> int:
        """Largest degree."""
        return self.cilm.shape[-1] - 1

    @property
    def alm(self) -> np.ndarray:
        """Coefficients of V R / GM on the sphere r = R, in the order of healpy."""
        return convert(self.cilm, "shtools", "healpy")


class _Header(NamedTuple):
    known: Dict[str, str]
    lmax: int
    gm: float
    radius: float
    kinds: Tuple[str, ...]
    norm: str
    intervals: bool  # icgem2.0
    tide: str


def _says_nothing(line: str) -> bool:
    """Whether a line is empty or a remark."""
    text = line.lstrip()
    return not text or text.startswith(_REMARKS)


def _keywords(lines: Lines) -> Dict[str, str]:
    """The header's keywords: behind begin_of_head, where that is."""
    found: Dict[str, str] = {}
    twice = ""
    for line in lines:
        if _says_nothing(line):
            continue
        parts = line.split(None, 1)
        key, value = parts[0], parts[1].strip() if len(parts) > 1 else ""
        if key.startswith("begin_of_head"):
            found, twice = {}, ""
        elif key.startswith("end_of_head"):
            if twice:
                lines.fail(f"{twice}: stands in the header twice, with two values")
            return found
        elif key in _CHECKED and found.get(key, value) != value:
            twice = key
        else:
            found[key] = value
    lines.fail("the file ends before end_of_head")


_CHECKED = ("product_type", "modelname", "earth_gravity_constant", "gravity_constant", "radius",
            "max_degree", "errors", "tide_system", "norm", "format")


def _first(known: Dict[str, str], key: str, default: Optional[str], lines: Lines) -> str:
    word = (known.get(key) or default or "").split()
    if not word:
        lines.fail(f"the header has no {key}")
    return word[0]


def _one_of(known: Dict[str, str], key: str, default: Optional[str], allowed: Tuple[str, ...],
            lines: Lines) -> str:
    """The word of a keyword that has a few; a remark may follow it, but no other of the words."""
    word, *rest = (known.get(key) or default or "").lower().split() or [""]
    if word not in allowed or set(rest) & set(allowed):
        lines.fail(f"{key} = {shown(known.get(key, ''))}: must be one of {', '.join(allowed)}")
    return word


def _header(lines: Lines) -> _Header:
    known = _keywords(lines)
    _one_of(known, "product_type", None, ("gravity_field",), lines)
    constant = next((key for key in ("earth_gravity_constant", "gravity_constant")
                     if key in known), "earth_gravity_constant")
    gm = lines.real(_first(known, constant, None, lines), constant)
    radius = lines.real(_first(known, "radius", None, lines), "radius")
    for key, value in ((constant, gm), ("radius", radius)):
        if value <= 0:
            lines.fail(f"{key} = {value}: must be above 0")
    errors = _one_of(known, "errors", "no", tuple(_ERRORS), lines)
    norm = _one_of(known, "norm", "fully_normalized", tuple(_NORMS), lines)
    form = _one_of(known, "format", "icgem1.0", ("icgem1.0", "icgem2.0"), lines)
    tide = _one_of(known, "tide_system", "unknown", _TIDES, lines)
    lmax = lines.whole(_first(known, "max_degree", None, lines), "max_degree", 0, 1 << 15)
    return _Header(known, lmax, gm, radius, _ERRORS[errors], _NORMS[norm], form == "icgem2.0", tide)


class _Table:
    """Coefficients, and their standard deviations, as lines come: [1 + kinds][2][l][m]."""

    def __init__(self, lines: Lines, header: _Header, lmax: int, year: Optional[float]) -> None:
        self._lines, self._header, self._lmax, self._year = lines, header, lmax, year
        self._tables = 1 + len(header.kinds)
        self._seen = bytearray()  # (l, m) at l (l + 1) / 2 + m, as far as lines have come
        self._last = -1  # the largest degree that a line has
        self._end = (-1, -1)  # l and m of the last line
        self._places, self._numbers = array("q"), array("d")  # (l, m) as one; C, S, deviations
        self._start: Dict[Tuple[int, int], float] = {}  # t0 of gfct
        self._later: List[Tuple[int, str, int, int, List[float], Optional[float], float]] = []
        self._terms: Set[Tuple[str, int, int, float]] = set()  # what is in the former
        self._elsewhen: Dict[Tuple[int, int], int] = {}  # line of a gfct of other epochs
        self.changes = False

    def _add_plain(self, word: List[str], line: str) -> bool:
        """A line gfc that is as it should be, in little time; False: look at it more closely."""
        try:
            l, m, numbers = int(word[1]), int(word[2]), [float(one) for one in
                                                         word[3:3 + 2 * self._tables]]
        except (ValueError, IndexError):
            return False
        if (len(numbers) < 2 * self._tables or not 0 <= m <= l <= self._header.lmax or "_" in line
                or not math.isfinite(sum(numbers)) or (m == 0 and numbers[1] != 0)
                or (self._tables > 1 and min(numbers[2:]) < 0)):
            return False
        self._last, self._end = max(self._last, l), (l, m)
        if l <= self._lmax:
            self._put(l, m, numbers)
        return True

    def add(self, line: str) -> None:
        """One line."""
        word = line.split()
        if word[0] == "gfc" and self._add_plain(word, line):
            return
        lines, key = self._lines, word[0].lower()
        if key != "gfc" and key not in _TIME:
            lines.fail(f"begins with {shown(word[0])}: must be gfc, gfct, trnd, dot, asin or acos")
        count = 2 * self._tables
        dates = 0 if key == "gfc" else 2 if self._header.intervals else 1 if key == "gfct" else 0
        needed = 3 + count + dates + _TIME.get(key, 0)
        if len(word) != needed and not (key == "gfc" and len(word) > needed):
            lines.fail(f"has {len(word)} words, must have {needed}: {key}, l, m, C, S"
                       + ", standard deviations" * bool(self._header.kinds)
                       + ", dates" * bool(dates) + ", period" * _TIME.get(key, 0))
        l = lines.whole(word[1], "l", 0, self._header.lmax)
        m = lines.whole(word[2], "m", 0, l)
        self._last, self._end = max(self._last, l), (l, m)
        if l > self._lmax:
            return
        numbers = lines.coefficients(word[3:3 + count], m)
        if key == "gfc":
            self._put(l, m, numbers)
        else:
            self._timed(key, l, m, numbers, word[3 + count:])

    def _put(self, l: int, m: int, numbers: List[float]) -> None:
        place = l * (l + 1) // 2 + m
        if place >= len(self._seen):
            self._seen.extend(bytes(place + 1 - len(self._seen)))
        if self._seen[place]:
            self._lines.fail(f"l = {l}, m = {m}: stands there twice")
        self._seen[place] = 1
        self._places.append(l * (self._lmax + 1) + m)
        self._numbers.extend(numbers)

    def _timed(self, key: str, l: int, m: int, numbers: List[float], rest: List[str]) -> None:
        lines, year = self._lines, self._year
        self.changes = True
        if year is None:
            raise ValueError(f"epoch: must be given; {lines.name}, line {lines.number}, has a "
                             f"coefficient that changes with time ({key})")
        start: Optional[float] = None
        if self._header.intervals:
            start = lines.date(rest[0], "t0")
            end = lines.date(rest[1], "t1")
            if not start <= year < end:
                if key == "gfct":
                    self._elsewhen[l, m] = lines.number
                return
        elif key == "gfct":
            start = lines.date(rest[0], "t0")
        if key == "gfct":
            self._put(l, m, numbers)
            self._start[l, m] = start if start is not None else year
            return
        period = lines.real(rest[-1], "period") if key in ("asin", "acos") else 1.0
        if period <= 0:
            lines.fail(f"period = {period}: must be above 0, in years")
        term = ("trnd" if key == "dot" else key, l, m, period)
        if term in self._terms:
            lines.fail(f"{key} of l = {l}, m = {m}: stands there twice")
        self._terms.add(term)
        self._later.append((lines.number, key, l, m, numbers, start, period))

    def _check_end(self) -> None:
        """FormatError for a file that is cut off, or has nothing for a coefficient's epoch."""
        lines, most, (l, m) = self._lines, self._header.lmax, self._end
        if self._last < most:
            lines.fail(f"the file ends with degree {self._last}, and its max_degree is {most}: is "
                       "it cut off?")
        row = l * (l + 1) // 2
        if 1 < l == most == self._lmax and 0 < m < l and all(self._seen[row - l:row + m]):
            lines.fail(f"the file ends with l = {l}, m = {m}, and has all orders of the degree "
                       f"before: is it cut off? lmax = {l - 1} reads what is whole")
        for (l, m), number in self._elsewhen.items():
            place = l * (l + 1) // 2 + m
            if place >= len(self._seen) or not self._seen[place]:
                raise ValueError(f"epoch = {self._year}: no line of {lines.name} has l = {l}, m = "
                                 f"{m} for it; line {number} has this coefficient for others")

    def finish(self) -> np.ndarray:
        """The coefficients, with the terms in time that belong to them."""
        self._check_end()
        n = self._lmax + 1
        made = np.zeros((self._tables, 2, n * n))
        made[:, :, np.array(self._places, np.int64)] = np.moveaxis(
            np.reshape(self._numbers, (-1, self._tables, 2)), 0, -1)
        values = made.reshape(self._tables, 2, n, n)
        for number, key, l, m, numbers, start, period in self._later:
            begin = start if start is not None else self._start.get((l, m))
            self._lines.number = number
            if begin is None or (l, m) not in self._start:
                self._lines.fail(f"{key} of l = {l}, m = {m}: there is no gfct of these"
                                 + " at this epoch" * self._header.intervals)
            assert self._year is not None
            past = self._year - begin
            angle = 2 * math.pi * past / period
            factor = {"asin": math.sin(angle), "acos": math.cos(angle)}.get(key, past)
            values[0, :, l, m] += factor * np.array(numbers[:2])
            for kind in range(1, self._tables):  # independent errors
                values[kind, :, l, m] = np.hypot(values[kind, :, l, m], factor
                                                 * np.array(numbers[2 * kind:2 * kind + 2]))
        return values


def read_gfc(path: Path, *, epoch: Optional[Epoch] = None, lmax: Optional[int] = None
             ) -> GravityModel:
    """Read a gravity field from a file of ICGEM's format.

    Parameters
    ----------
    path : str or path-like
        Name of the file, which may be packed by gzip.
    epoch : float, str or date, optional
        Decimal year, or date, for which coefficients that change with time are wanted. It must be
        given where the file has such coefficients.
    %(lmax.of_file)s

    Returns
    -------
    GravityModel
        The coefficients, in the 4 pi norm, and what the header says.

    Raises
    ------
    %(FormatError.line)s
    ValueError
        If the epoch is missing, or none for which the file has all coefficients; or `lmax` is above
        that of the file.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> cilm = np.zeros((2, 3, 3))
    >>> cilm[0, 0, 0], cilm[0, 2, 0] = 1, -4.84e-4
    >>> model = armilla.geo.GravityModel(cilm, gm=3.986004415e14, radius=6378136.3, name="small")
    >>> armilla.geo.write_gfc("small.gfc", model)
    >>> armilla.geo.read_gfc("small.gfc").cilm[0, 2, 0]
    np.float64(-0.000484)
    """
    year = epoch_year(epoch)
    with Lines(path) as lines:
        header = _header(lines)
        top = top_degree(lmax, header.lmax)
        table = _Table(lines, header, top, year)
        for line in lines:
            if not _says_nothing(line):
                table.add(line)
        values = table.finish()
    if header.norm == "unnorm":
        values = convert(values, "shtools:unnorm", "shtools")
    errors = {kind: np.abs(values[1 + i]) for i, kind in enumerate(header.kinds)}
    return GravityModel(values[0], header.gm, header.radius, errors,
                        header.known.get("modelname", "unknown"), header.tide,
                        year if table.changes else None, header.known)


def checked_cilm(model: GravityModel) -> np.ndarray:
    """The coefficients of a model; ValueError for their shape, GM or radius."""
    cilm = reals(model.cilm, "cilm")
    if cilm.ndim != 3 or cilm.shape[0] != 2 or cilm.shape[1] != cilm.shape[2] or not cilm.size:
        raise ValueError(f"cilm: has shape {cilm.shape}, must have (2, lmax + 1, lmax + 1)")
    for name, number in (("gm", model.gm), ("radius", model.radius)):
        if not 0 < number < math.inf:
            raise ValueError(f"{name} = {number}: must be above 0 and finite")
    return cilm


def write_gfc(path: Path, model: GravityModel, *, overwrite: bool = False) -> None:
    """Write a gravity field to a file of ICGEM's format.

    Parameters
    ----------
    path : str or path-like
        Name of the file; one that ends in .gz is packed by gzip.
    model : GravityModel
        What is written: coefficients of one epoch, with all digits. Keywords of its header that the
        model itself does not say are kept.
    %(overwrite.short)s

    Raises
    ------
    %(FileExistsError)s
    ValueError
        If numbers are not finite, or none that the format has: S of m = 0, m above l, errors below
        0, GM or a radius that are not above 0; or errors are of an unknown kind or shape.
    """
    cilm = checked_cilm(model)
    kind = next((word for word, kinds in _ERRORS.items() if set(kinds) == set(model.errors)), None)
    if kind is None:
        raise ValueError(f"errors: {', '.join(model.errors)}: must be calibrated, formal, both, or "
                         "unknown")
    if model.tide_system not in _TIDES:
        raise ValueError(f"tide_system = {shown(model.tide_system)}: must be one of "
                         f"{', '.join(_TIDES)}")
    tables = [cilm] + [reals(model.errors[one], "errors") for one in _ERRORS[kind]]
    for table in tables:
        if table.shape != cilm.shape or not np.isfinite(table).all():
            raise ValueError("cilm, errors: must be finite and have one shape")
        check_places(table, "cilm" if table is cilm else "errors")
        if table is not cilm and table.min() < 0:
            raise ValueError("errors: has a standard deviation below 0")
    constant = ("gravity_constant" if "gravity_constant" in model.header
                else "earth_gravity_constant")
    said = {"product_type": "gravity_field", "modelname": model.name, constant: repr(model.gm),
            "radius": repr(model.radius), "max_degree": str(model.lmax), "errors": kind,
            "norm": "fully_normalized", "tide_system": model.tide_system}
    kept = {key: value for key, value in model.header.items()
            if key not in _CHECKED and key != "key" and value}
    for key, value in {**said, **kept}.items():
        if len(f"{key} {value}".splitlines()) > 1 or len(key.split()) != 1:
            raise ValueError(f"{key} = {shown(value)}: must be a keyword and one line")
    with whole_text(path, overwrite) as file:
        file.write("begin_of_head " + "=" * 60 + "\n")
        for key, value in {**said, **kept}.items():
            file.write(f"{key:<24} {value}\n")
        file.write("key L M C S" + " sigma_C sigma_S" * len(model.errors) + "\n")
        file.write("end_of_head " + "=" * 62 + "\n")
        for l in range(model.lmax + 1):
            for m in range(l + 1):
                numbers = " ".join(f"{float(part):.17e}" for table in tables
                                   for part in table[:, l, m])
                file.write(f"gfc {l:5d} {m:5d} {numbers}\n")
