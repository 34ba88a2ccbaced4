"""Gauss coefficients of geomagnetic models: the IGRF, the WMM, .COF and .shc files, CHAOS' .mat.

Tables are piecewise linear in time. The IGRF's has a column for each epoch and, last, the change
per year (SV) for the five years after the last one; the WMM's has g, h and their changes per year,
for five years; a .COF file of Geomag 7 has one model after the other, each for an epoch, the last
one with changes per year. Files .shc and .mat have splines in time: _shc.py, _chaos_mat.py.
"""
from __future__ import annotations

import re
from typing import List, NamedTuple, Optional, Tuple, Union, overload

import numpy as np

from ._chaos_mat import is_mat, read_mat
from ._errors import choice, shown
from ._gauss import Series, Values, complete, linear, put, rising
from ._geo_text import Epoch, Lines, Path, epoch_year, top_degree
from ._shc import read_shc
from ._types import Years
from .conventions import convert

RADIUS = 6371200.0  # m, the reference radius of all of these models
_YEARS = 5.0  # that a change per year is meant for
_HEADS = {"IGRF", "DGRF", "SV"}  # of columns of the IGRF; not in all tables is c/s before them
_YEARS_OF = {"calendar": 0, "julian": 1}
Epochs = Union[List[Epoch], Tuple[Epoch, ...], np.ndarray]


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
    acceleration : ndarray, shape (2, lmax + 1, lmax + 1), or None
        The change of `change`, nT per year^2; 0 of a model that is linear in time.

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
    acceleration: Optional[np.ndarray] = None

    @property
    def lmax(self) -> int:
        """Largest degree."""
        return self.gauss.shape[-1] - 1

    @property
    def alm(self) -> np.ndarray:
        """Coefficients of V / a on the sphere r = a, in the order of healpy, nT."""
        return convert(self.gauss, "shtools:schmidt", "healpy")


def _check_degrees(lines: Lines, values: Values) -> None:
    """Tables have all coefficients from their smallest degree on."""
    degrees = [key[1] for key in values] or [0]
    complete(lines, values, min(degrees), max(degrees))


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
    return rising(lines, epochs + [end if end > epochs[-1] else end + 100])


def _read_igrf(lines: Lines, first: List[str]) -> Series:
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
        put(lines, values, (0 if word[0] == "g" else 1, l, m), numbers)
    _check_degrees(lines, values)
    return linear(values, epochs, "IGRF", True)


def _read_wmm(lines: Lines, first: List[str]) -> Series:
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
            put(lines, values, (kind, l, m), [value, change])
    if not ended:
        lines.fail("the file ends without the line of 9s that ends the table: is it cut off?")
    _check_degrees(lines, values)
    return linear(values, [start, start + _YEARS], first[1], True)


class _Block(NamedTuple):
    """One of the models of a .COF file: its line, and the coefficients below it."""

    name: str
    epoch: float
    most: int  # largest degree
    rate: int  # largest degree with a change per year; 0: none
    start: float  # decimal year
    end: float
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
    if start > epoch or end <= epoch or (start < epoch and not rate):
        lines.fail(f"is for the years {start} to {end}: must begin with its epoch, {epoch}, or "
                   "before it, and then have changes per year")
    return _Block(word[0], epoch, most, rate, start, end, {})


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
        put(lines, block.values, (kind, l, m), [value, change])


def _joined(lines: Lines, blocks: List[_Block]) -> Series:
    """Models that follow one another as one; what a model does not have is 0."""
    last = blocks[-1]
    values: Values = {}
    most = max(max(block.most, block.rate) for block in blocks)
    for block, after in zip(blocks, blocks[1:]):
        if block.rate or not block.end == after.epoch == after.start:
            lines.fail(f"{block.name}: {'has changes per year, and ' * bool(block.rate)}ends with "
                       f"{block.end}, {after.name} begins with {after.start}: must follow one "
                       "another, and only the last model may have changes per year")
    for block in blocks:
        complete(lines, block.values, 1, block.most, f"{block.name} in ")
    for key in ((kind, l, m) for l in range(1, most + 1) for m in range(l + 1)
                for kind in range(2)):
        numbers = [block.values.get(key, [0.0, 0.0]) for block in blocks]
        values[key] = [one[0] for one in numbers] + [numbers[-1][1]] * bool(last.rate)
    epochs = [block.epoch for block in blocks] + [last.end] * bool(last.rate)
    made = linear(values, rising(lines, epochs), last.name, bool(last.rate))
    return made._replace(span=(blocks[0].start, epochs[-1]))


def _read_cof(lines: Lines, first: List[str]) -> Series:
    """From the line of the first model on."""
    blocks = [_new_block(lines, first)]
    for line in lines:
        word = line.split()
        if _is_cof(word):
            blocks.append(_new_block(lines, word))
        elif word:
            _read_coefficients(lines, blocks[-1], word)
    return _joined(lines, blocks)


def _series(lines: Lines) -> Series:
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
            return read_shc(lines, word)
        if 2 <= len(word) <= 4:
            return _read_wmm(lines, word)
        break
    lines.fail("is of no known kind: a table of the IGRF or of the WMM, a .COF or an .shc file")


def _read(path: Path) -> Series:
    if is_mat(path):
        return read_mat(path)
    with Lines(path) as lines:
        return _series(lines)


def _model(series: Series, keys: np.ndarray, top: int, epoch: Optional[Epoch], is_julian: bool
           ) -> MagneticModel:
    """The model at an epoch. keys: kind, l and m of its coefficients."""
    year = epoch_year(epoch, is_julian)
    if year is None and series.changes:
        raise ValueError("epoch: must be given, because the model changes with time")
    if year is not None and series.span and not series.span[0] <= year <= series.span[1]:
        raise ValueError(f"epoch = {year}: must be from {series.span[0]} to {series.span[1]}, for "
                         "which the model is made")
    when = series.epoch if year is None else year
    kind, l, m = keys
    kept = l <= top
    made = np.zeros((3, 2, top + 1, top + 1))
    made[:, kind[kept], l[kept], m[kept]] = series.at(when)[:, kept]
    return MagneticModel(made[0], made[1], when, name=series.name, acceleration=made[2])


@overload
def read_geomagnetic(path: Path, *, epoch: Optional[Epoch] = ..., lmax: Optional[int] = ...,
                     years: Optional[Years] = ...) -> MagneticModel: ...


@overload
def read_geomagnetic(path: Path, *, epoch: Epochs, lmax: Optional[int] = ...,
                     years: Optional[Years] = ...) -> List[MagneticModel]: ...


def read_geomagnetic(path: Path, *, epoch: Union[None, Epoch, Epochs] = None,
                     lmax: Optional[int] = None, years: Optional[Years] = None
                     ) -> Union[MagneticModel, List[MagneticModel]]:
    """Read the Gauss coefficients of a geomagnetic model for an epoch.

    Parameters
    ----------
    path : str or path-like
        A table of the IGRF (igrf14coeffs.txt) or of the WMM (WMM.COF), a .COF file of Geomag 7,
        which may have models of many epochs, an .shc file (IGRF, LCS-1, MF7, CHAOS) with splines of
        any order, or CHAOS' .mat file. The reader finds out which of them it is.
    epoch : float, str or date, or list of these, optional
        Decimal year, or date. It must be given, and within the years that the model is made for,
        unless the field does not change; that of the file is then the default. Of a list, all
        models are made by one reading.
    %(lmax.of_file)s
    years : {"calendar", "julian"}, optional
        How a date becomes a decimal year: by the days of its year, as in the IGRF and the WMM, or
        as 2000 + d / 365.25, d days after 2000-01-01, as in files of CHAOS. The default is "julian"
        for a .mat file, and for an .shc file whose first and last breaks are whole or half days in
        such years and not in calendar years. The two are up to 0.75 days apart. An epoch that is a
        number is taken as the file counts.

    Returns
    -------
    MagneticModel or list of MagneticModel
        Coefficients at the epoch, their change per year, and the change of that.

    Raises
    ------
    %(FormatError.line)s
    ValueError
        If the epoch is missing or out of the model's range, or `lmax` above that of the file.
    ImportError
        If the file is a .mat file, and SciPy (h5py for version 7.3) is not installed.

    Notes
    -----
    An .shc file holds values of splines; of order k they have k - 2 continuous derivatives. They
    are found by least squares, which reproduce the values to their rounding; a file whose values
    are none of such splines is refused. At the ends of pieces, derivatives that jump are those of
    the later piece. A .mat file holds the polynomials themselves, and the field of the crust, which
    is added above the degrees that change; the fields of the magnetosphere are not read.

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
    asked = None if years is None else bool(choice("years", years, _YEARS_OF))
    series = _read(path)
    top = top_degree(lmax, series.lmax)
    is_julian = series.is_julian if asked is None else asked
    keys = np.array(series.keys).T
    if isinstance(epoch, np.ndarray) and not epoch.ndim:
        epoch = epoch[()]
    if isinstance(epoch, (list, tuple, np.ndarray)):
        return [_model(series, keys, top, one, is_julian) for one in epoch]
    return _model(series, keys, top, epoch, is_julian)
