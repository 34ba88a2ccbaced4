"""Gauss coefficients of geomagnetic models: tables of the IGRF and the WMM, .COF and .shc files.

All are piecewise linear in time. The IGRF's table has a column for each epoch and, last, the change
per year (SV) for the five years after the last one; the WMM's has g, h and their changes per year,
for five years; a .COF file of Geomag 7 has one model after the other, each for an epoch, the last
one with changes per year; an .shc file (of Swarm and of the IGRF) has epochs in a line of their
own, or only one, for a field that does not change (of the crust).
"""
from __future__ import annotations

import re
from typing import Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from ._errors import shown
from ._geo_text import Epoch, Lines, Path, epoch_year
from .conventions import convert

RADIUS = 6371200.0  # m, the reference radius of all of these models
_YEARS = 5.0  # that a change per year is meant for
_HEADS = {"IGRF", "DGRF", "SV"}  # of columns of the IGRF; not in all tables is c/s before them
Values = Dict[Tuple[int, int, int], List[float]]  # (0 for g and 1 for h, l, m): by epoch


class MagneticModel(NamedTuple):
    """A magnetic field: V = a sum of (a / r)^(l + 1) (g cos m phi + h sin m phi) P_lm.

    Attributes
    ----------
    gauss : ndarray, shape (2, lmax + 1, lmax + 1)
        g and h in Schmidt's norm, nT, at the epoch. The field is minus the gradient of V.
    change : ndarray, shape (2, lmax + 1, lmax + 1)
        Their change at the epoch, nT per year: the secular variation.
    epoch : float
        Decimal year.
    radius : float
        Reference radius a, m.
    name : str
        Name of the model, or "".

    Examples
    --------
    >>> import armilla, numpy as np
    >>> gauss = np.zeros((2, 2, 2))
    >>> gauss[0, 1, 0] = -29350.0
    >>> model = armilla.geo.MagneticModel(gauss, 0 * gauss, epoch=2025.0)
    >>> armilla.spectrum.lowes(model.alm).round(-6)
    array([0.000e+00, 1.723e+09])
    """

    gauss: np.ndarray
    change: np.ndarray
    epoch: float
    radius: float = RADIUS
    name: str = ""

    @property
    def lmax(self) -> int:
        """Largest degree."""
        return self.gauss.shape[-1] - 1

    @property
    def alm(self) -> np.ndarray:
        """Coefficients of V / a on the sphere r = a, in the order of healpy, nT."""
        return convert(self.gauss, "shtools:schmidt", "healpy")


class _Series(NamedTuple):
    """What a table has: values at epochs, all of one number."""

    epochs: List[float]
    values: Values
    lmax: int
    name: str
    ends_with_change: bool  # the last number is the change per year from the last epoch but one on

    @property
    def is_static(self) -> bool:
        """Whether there is one epoch only, so that nothing changes."""
        return len(self.epochs) == 1


def _put(lines: Lines, values: Values, key: Tuple[int, int, int], numbers: List[float]) -> None:
    if key in values:
        lines.fail(f"{'gh'[key[0]]} of l = {key[1]}, m = {key[2]}: stands there twice")
    if key[0] and key[2] == 0 and any(numbers):
        lines.fail("h of m = 0 must be 0")
    values[key] = numbers


def _complete(lines: Lines, values: Values, least: int, most: int, where: str = "") -> None:
    """Tables have every g, and every h of m > 0, of these degrees."""
    if not values:
        lines.fail(f"{where}the file has no coefficients")
    for l in range(least, most + 1):
        for m in range(l + 1):
            for kind in range(2 if m else 1):
                if (kind, l, m) not in values:
                    lines.fail(f"{where}the file ends without {'gh'[kind]} of l = {l}, m = {m}")


def _last_degree(lines: Lines, values: Values) -> int:
    """The largest degree of a table, which has all from its smallest one on."""
    degrees = [key[1] for key in values] or [0]
    _complete(lines, values, min(degrees), max(degrees))
    return max(degrees)


def _rising(lines: Lines, epochs: List[float]) -> List[float]:
    if len(epochs) < 2 or any(b <= a for a, b in zip(epochs, epochs[1:])):
        lines.fail("epochs must rise, and be two at least")
    return epochs


def _igrf_epochs(lines: Lines, word: List[str]) -> List[float]:
    """The columns of an IGRF table; the last one is the change per year, such as 2025-30."""
    if len(word) < 5 or "-" not in word[-1]:
        lines.fail("must be g/h n m, the epochs and, last, the years of the change per year")
    epochs = [lines.real(one, "epoch") for one in word[3:-1]]
    years = re.fullmatch(r"(\d{4})-(\d{2}|\d{4})", word[-1])
    if not years or float(years[1]) != epochs[-1]:
        lines.fail(f"{shown(word[-1])}: must be the years of the change per year, from the last "
                   f"epoch on, such as {epochs[-1]:.0f}-{(epochs[-1] + 5) % 100:02.0f}")
    end = float(years[1][:-len(years[2])] + years[2])
    return _rising(lines, epochs + [end if end > epochs[-1] else end + 100])


def _read_igrf(lines: Lines, first: List[str]) -> _Series:
    """From "c/s deg ord ..." or "g/h n m ..." on."""
    epochs: List[float] = []
    values: Values = {}
    if first[0].lower() == "g/h":
        epochs = _igrf_epochs(lines, first)
    for line in lines:
        word = line.split()
        if not word or word[0].startswith("#"):
            continue
        if not epochs:
            if word[0].lower() != "g/h":
                lines.fail(f"begins with {shown(word[0])}: must be the line of epochs, g/h n m ...")
            epochs = _igrf_epochs(lines, word)
            continue
        if word[0] not in ("g", "h"):
            lines.fail(f"begins with {shown(word[0])}: must be g or h")
        if len(word) != 3 + len(epochs):
            lines.fail(f"has {len(word)} words, must have {3 + len(epochs)}")
        l = lines.whole(word[1], "n", 1, 4000)
        m = lines.whole(word[2], "m", 0, l)
        numbers = [lines.real(one, "coefficient") for one in word[3:]]
        _put(lines, values, (0 if word[0] == "g" else 1, l, m), numbers)
    return _Series(epochs, values, _last_degree(lines, values), "IGRF", True)


def _read_wmm(lines: Lines, first: List[str]) -> _Series:
    """Behind the line of the epoch and the name."""
    start = lines.real(first[0], "epoch")
    values: Values = {}
    ended = False
    for line in lines:
        word = line.split()
        if not word:
            continue
        if len(word) == 1 and set(word[0]) == {"9"}:
            ended = True
            continue
        if ended:
            lines.fail("stands behind the line of 9s, which ends the table")
        if len(word) != 6:
            lines.fail(f"has {len(word)} words, must have 6: n, m, g, h and their change per year")
        l = lines.whole(word[0], "n", 1, 4000)
        m = lines.whole(word[1], "m", 0, l)
        for kind in range(2):
            value = lines.real(word[2 + kind], "coefficient")
            change = lines.real(word[4 + kind], "change")
            _put(lines, values, (kind, l, m), [value, change])
    if not ended:
        lines.fail("the file ends without the line of 9s that ends the table: is it cut off?")
    return _Series([start, start + _YEARS], values, _last_degree(lines, values), first[1], True)


class _Block(NamedTuple):
    """One of the models of a .COF file: its line, and the coefficients below it."""

    name: str
    epoch: float
    most: int  # largest degree
    rate: int  # largest degree with a change per year; 0: none
    end: float  # decimal year
    values: Values  # number and change per year


def _is_cof(word: List[str]) -> bool:
    """Name, epoch, three largest degrees, first and last year, least and largest altitude, ..."""
    return len(word) >= 9 and all(one.isdigit() for one in word[2:5])


def _new_block(lines: Lines, word: List[str]) -> _Block:
    epoch, start, end = (lines.real(word[i], name) for i, name in
                         ((1, "epoch"), (5, "first year"), (6, "last year")))
    most, rate, second = (lines.whole(one, "largest degree", least, 4000) for one, least in
                          zip(word[2:5], (1, 0, 0)))
    if second:
        lines.fail(f"has second derivatives up to degree {second}: these are not read")
    if start != epoch or end <= start:
        lines.fail(f"is for the years {start} to {end}: must begin with its epoch, {epoch}")
    return _Block(word[0], epoch, most, rate, end, {})


def _read_coefficients(lines: Lines, block: _Block, word: List[str]) -> None:
    """Degree, order, g, h and their changes per year; what follows numbers the lines."""
    if len(word) < 6:
        lines.fail(f"has {len(word)} words, must have 6: n, m, g, h and their change per year")
    l = lines.whole(word[0], "n", 1, max(block.most, block.rate))
    m = lines.whole(word[1], "m", 0, l)
    for kind in range(2):
        value = lines.real(word[2 + kind], "coefficient")
        change = lines.real(word[4 + kind], "change")
        for number, most, name in ((value, block.most, "coefficient"),
                                   (change, block.rate, "change per year")):
            if number and l > most:
                lines.fail(f"has a {name} of degree {l}: the line of {block.name} says that they "
                           f"end with degree {most}")
        _put(lines, block.values, (kind, l, m), [value, change])


def _joined(lines: Lines, blocks: List[_Block]) -> _Series:
    """Models that follow one another as one; what a model does not have is 0."""
    last = blocks[-1]
    values: Values = {}
    most = max(max(block.most, block.rate) for block in blocks)
    for block, after in zip(blocks, blocks[1:]):
        if block.rate or block.end != after.epoch:
            lines.fail(f"{block.name}: {'has changes per year, and ' * bool(block.rate)}ends with "
                       f"{block.end}, {after.name} begins with {after.epoch}: must follow one "
                       "another, and only the last model may have changes per year")
    for block in blocks:
        _complete(lines, block.values, 1, block.most, f"{block.name} in ")
    for key in ((kind, l, m) for l in range(1, most + 1) for m in range(l + 1)
                for kind in range(2)):
        numbers = [block.values.get(key, [0.0, 0.0]) for block in blocks]
        values[key] = [one[0] for one in numbers] + [numbers[-1][1]] * bool(last.rate)
    epochs = [block.epoch for block in blocks] + [last.end] * bool(last.rate)
    return _Series(_rising(lines, epochs), values, most, last.name, bool(last.rate))


def _read_cof(lines: Lines, first: List[str]) -> _Series:
    """From the line of the first model on."""
    blocks = [_new_block(lines, first)]
    for line in lines:
        word = line.split()
        if _is_cof(word):
            blocks.append(_new_block(lines, word))
        elif word:
            _read_coefficients(lines, blocks[-1], word)
    return _joined(lines, blocks)


def _shc_epochs(lines: Lines, word: List[str], count: int) -> List[float]:
    epochs = [lines.real(one, "epoch") for one in word]
    if len(epochs) != count:
        lines.fail(f"has {len(epochs)} epochs, must have {count}")
    return epochs if count == 1 else _rising(lines, epochs)


def _read_shc(lines: Lines, first: List[str]) -> _Series:
    """From the line of degrees, epochs and order of the splines on."""
    least = lines.whole(first[0], "smallest degree", 0, 4000)
    most = lines.whole(first[1], "largest degree", least, 4000)
    count = lines.whole(first[2], "number of epochs", 1)
    if lines.whole(first[3], "order of the splines", 1) != min(count, 2):
        lines.fail("order of the splines: must be 2, linear in time, or 1 with one epoch; others "
                   "are not read")
    if len(first) > 4 and lines.whole(first[4], "steps", 1) != 1:
        lines.fail(f"steps = {first[4]}: must be 1, one epoch after the other")
    epochs: List[float] = []
    values: Values = {}
    for line in lines:
        word = line.split()
        if not word or word[0].startswith("#"):
            continue
        if not epochs:
            epochs = _shc_epochs(lines, word, count)
            continue
        if len(word) != 2 + count:
            lines.fail(f"has {len(word)} words, must have {2 + count}")
        l = lines.whole(word[0], "n", least, most)
        m = lines.whole(word[1], "m", -l, l)
        _put(lines, values, (int(m < 0), l, abs(m)),
             [lines.real(one, "coefficient") for one in word[2:]])
    _complete(lines, values, least, most)
    return _Series(epochs, values, most, "", False)


def _series(lines: Lines) -> _Series:
    """The first line that says something tells the kind of the file."""
    for line in lines:
        word = line.split()
        if not word or word[0].startswith("#"):
            continue
        if word[0].lower() in ("c/s", "g/h") or set(word) <= _HEADS:
            return _read_igrf(lines, word)
        if _is_cof(word):
            return _read_cof(lines, word)
        if len(word) >= 5 and all(one.lstrip("+-").isdigit() for one in word[:4]):
            return _read_shc(lines, word)
        if 2 <= len(word) <= 4:
            return _read_wmm(lines, word)
        break
    lines.fail("is of no known kind: a table of the IGRF or of the WMM, a .COF or an .shc file")


def _at(series: _Series, year: float) -> Tuple[int, float, float]:
    """The epoch that an interval begins with, its length, and what of it has passed."""
    epochs = series.epochs
    if series.is_static:
        return 0, 1.0, 0.0
    if not epochs[0] <= year <= epochs[-1]:
        raise ValueError(f"epoch = {year}: must be from {epochs[0]} to {epochs[-1]}, for which the "
                         "model is made")
    at = min(int(np.searchsorted(epochs, year, "right")) - 1, len(epochs) - 2)
    return at, epochs[at + 1] - epochs[at], year - epochs[at]


def _change(series: _Series, numbers: List[float], at: int, length: float) -> float:
    """Of a coefficient, per year."""
    if series.is_static:
        return 0.0
    if series.ends_with_change and at == len(series.epochs) - 2:
        return numbers[at + 1]
    return (numbers[at + 1] - numbers[at]) / length


def read_geomagnetic(path: Path, *, epoch: Optional[Epoch] = None, lmax: Optional[int] = None
                     ) -> MagneticModel:
    """Read the Gauss coefficients of a geomagnetic model for an epoch.

    Parameters
    ----------
    path : str or path-like
        A table of the IGRF (igrf14coeffs.txt) or of the WMM (WMM.COF), a .COF file of Geomag 7,
        which may have models of many epochs, or an .shc file that is linear in time, or has one
        epoch and does not change (LCS-1, MF7). The reader finds out which of them it is.
    epoch : float, str or date, optional
        Decimal year, or date. It must be given, and within the years that the model is made for,
        unless the field does not change; that of the file is then the default.
    %(lmax.of_file)s

    Returns
    -------
    MagneticModel
        Coefficients at the epoch, and their change per year.

    Raises
    ------
    %(FormatError.line)s
    ValueError
        If the epoch is missing or out of the model's range, or `lmax` above that of the file.

    Examples
    --------
    >>> import armilla
    >>> with open("WMM.COF", "w") as file:
    ...     _ = file.write("2025.0 WMM-small 11/13/2024\\n 1 0 -29351.8 0.0 12.0 0.0\\n"
    ...                    " 1 1 -1410.8 4545.4 9.7 -21.5\\n999999999999\\n")
    >>> model = armilla.geo.read_geomagnetic("WMM.COF", epoch=2026.0)
    >>> model.gauss[0, 1, 0].round(6), model.name
    (np.float64(-29339.8), 'WMM-small')
    """
    year = epoch_year(epoch)
    with Lines(path) as lines:
        series = _series(lines)
    if year is None and not series.is_static:
        raise ValueError("epoch: must be given, because the model changes with time")
    when = series.epochs[0] if year is None else year
    at, length, past = _at(series, when)
    top = series.lmax if lmax is None else lmax
    if not 0 <= top <= series.lmax:
        raise ValueError(f"lmax = {top}: must be from 0 to {series.lmax}, which the file has")
    gauss, change = np.zeros((2, 2, top + 1, top + 1))
    for (kind, l, m), numbers in series.values.items():
        if l <= top:
            change[kind, l, m] = _change(series, numbers, at, length)
            gauss[kind, l, m] = numbers[at] + past * change[kind, l, m]
    return MagneticModel(gauss, change, when, name=series.name)
