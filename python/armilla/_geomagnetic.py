"""Gauss coefficients of geomagnetic models: the tables of the IGRF and the WMM, and .shc files.

All three are piecewise linear in time. The IGRF's table has a column for each epoch and, last, the
change per year (SV) for the five years after the last one; the WMM's has g, h and their changes per
year, for five years; an .shc file (of Swarm and of the IGRF) has epochs in a line of their own.
"""
from __future__ import annotations

import re
from typing import Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from ._geo_text import Epoch, Lines, Path, epoch_year
from .conventions import convert

RADIUS = 6371200.0  # m, the reference radius of all of these models
_YEARS = 5.0  # that a change per year is meant for
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


def _put(lines: Lines, values: Values, key: Tuple[int, int, int], numbers: List[float]) -> None:
    if key in values:
        lines.fail(f"{'gh'[key[0]]} of l = {key[1]}, m = {key[2]}: stands there twice")
    if key[0] and key[2] == 0 and any(numbers):
        lines.fail("h of m = 0 must be 0")
    values[key] = numbers


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
        lines.fail(f"{word[-1]!r}: must be the years of the change per year, from the last epoch "
                   f"on, such as {epochs[-1]:.0f}-{(epochs[-1] + 5) % 100:02.0f}")
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
                lines.fail(f"begins with {word[0]!r}: must be the line of epochs, g/h n m ...")
            epochs = _igrf_epochs(lines, word)
            continue
        if word[0] not in ("g", "h"):
            lines.fail(f"begins with {word[0]!r}: must be g or h")
        if len(word) != 3 + len(epochs):
            lines.fail(f"has {len(word)} words, must have {3 + len(epochs)}")
        l = lines.whole(word[1], "n", 1, 4000)
        m = lines.whole(word[2], "m", 0, l)
        numbers = [lines.real(one, "coefficient") for one in word[3:]]
        _put(lines, values, (0 if word[0] == "g" else 1, l, m), numbers)
    return _Series(epochs, values, max((key[1] for key in values), default=0), "IGRF", True)


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
    return _Series([start, start + _YEARS], values, max((key[1] for key in values), default=0),
                   first[1], True)


def _read_shc(lines: Lines, first: List[str]) -> _Series:
    """From the line of degrees, epochs and order of the splines on."""
    least = lines.whole(first[0], "smallest degree", 0, 4000)
    most = lines.whole(first[1], "largest degree", least, 4000)
    count = lines.whole(first[2], "number of epochs", 1)
    if lines.whole(first[3], "order of the splines", 1) != 2:
        lines.fail("order of the splines: must be 2, linear in time; others are not read")
    if len(first) > 4 and lines.whole(first[4], "steps", 1) != 1:
        lines.fail(f"steps = {first[4]}: must be 1, one epoch after the other")
    epochs: List[float] = []
    values: Values = {}
    for line in lines:
        word = line.split()
        if not word or word[0].startswith("#"):
            continue
        if not epochs:
            epochs = _rising(lines, [lines.real(one, "epoch") for one in word])
            if len(epochs) != count:
                lines.fail(f"has {len(epochs)} epochs, must have {count}")
            continue
        if len(word) != 2 + count:
            lines.fail(f"has {len(word)} words, must have {2 + count}")
        l = lines.whole(word[0], "n", least, most)
        m = lines.whole(word[1], "m", -l, l)
        _put(lines, values, (int(m < 0), l, abs(m)),
             [lines.real(one, "coefficient") for one in word[2:]])
    return _Series(epochs, values, most, "", False)


def _series(lines: Lines) -> _Series:
    """The first line that says something tells the kind of the file."""
    for line in lines:
        word = line.split()
        if not word or word[0].startswith("#"):
            continue
        if word[0].lower() in ("c/s", "g/h"):
            return _read_igrf(lines, word)
        if len(word) >= 5 and all(one.lstrip("+-").isdigit() for one in word[:4]):
            return _read_shc(lines, word)
        if 2 <= len(word) <= 4:
            return _read_wmm(lines, word)
        break
    lines.fail("is of no known kind: a table of the IGRF, of the WMM, or an .shc file")


def _complete(lines: Lines, series: _Series) -> None:
    """Tables have every g, and every h of m > 0, from the smallest degree on."""
    if not series.values:
        lines.fail("the file has no coefficients")
    for l in range(min(key[1] for key in series.values), series.lmax + 1):
        for m in range(l + 1):
            for kind in range(2 if m else 1):
                if (kind, l, m) not in series.values:
                    lines.fail(f"the file ends without {'gh'[kind]} of l = {l}, m = {m}")


def read_geomagnetic(path: Path, *, epoch: Epoch, lmax: Optional[int] = None) -> MagneticModel:
    """Read the Gauss coefficients of a geomagnetic model for an epoch.

    Parameters
    ----------
    path : str or path-like
        A table of the IGRF (igrf14coeffs.txt), of the WMM (WMM.COF), or an .shc file that is linear
        in time; what it is is found out.
    epoch : float, str or date
        Decimal year, or date. It must be within the years that the model is made for.
    lmax : int, optional
        Largest degree to read. By default it is that of the file.

    Returns
    -------
    MagneticModel
        Coefficients at the epoch, and their change per year.

    Raises
    ------
    FormatError
        If the file is not what it should be; the text names the line.
    ValueError
        If the epoch is out of the model's range, or `lmax` above that of the file.

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
    if year is None:
        raise ValueError("epoch: must be given")
    with Lines(path) as lines:
        series = _series(lines)
        _complete(lines, series)
    epochs = series.epochs
    if not epochs[0] <= year <= epochs[-1]:
        raise ValueError(f"epoch = {epoch}: must be from {epochs[0]} to {epochs[-1]}, for which "
                         "the model is made")
    top = series.lmax if lmax is None else lmax
    if not 0 <= top <= series.lmax:
        raise ValueError(f"lmax = {top}: must be from 0 to {series.lmax}, which the file has")
    at = min(int(np.searchsorted(epochs, year, "right")) - 1, len(epochs) - 2)
    length, past = epochs[at + 1] - epochs[at], year - epochs[at]
    gauss, change = np.zeros((2, 2, top + 1, top + 1))
    for (kind, l, m), numbers in series.values.items():
        if l <= top:
            is_change = series.ends_with_change and at == len(epochs) - 2
            change[kind, l, m] = (numbers[at + 1] if is_change
                                  else (numbers[at + 1] - numbers[at]) / length)
            gauss[kind, l, m] = numbers[at] + past * change[kind, l, m]
    return MagneticModel(gauss, change, year, name=series.name)
