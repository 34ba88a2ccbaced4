"""Files .shc of Gauss coefficients: models in time as splines that are given by their values.

The format is that of Swarm's level 2 products (SW-DS-DTU-GS-0001), of CHAOS and of the IGRF: a line
with smallest and largest degree, number of epochs, order of the splines, and the number of epochs
from one break of the splines to the next; perhaps the years for which the model is meant; then the
epochs, and then lines n, m (negative for h) with a value for each epoch. Order 1 is constant from
an epoch to the next one, 2 linear, 6 with a break every 5 epochs is CHAOS.

A spline of order k has k - 2 continuous derivatives, so that its values say more than is needed:
least squares take the spline from them, and the rounding of values and epochs falls with each
derivative by a factor of 2 to 20 below that of polynomials through the values of each piece. A file
whose values are none of such a spline, to their rounding, is refused.
"""
from __future__ import annotations

import calendar
import math
from typing import List, Optional, Tuple

import numpy as np

from ._gauss import (Key, Series, Values, b_splines, complete, knots_of, linear, put, rising,
                     spline, steps)
from ._geo_text import Lines

_MOST_ORDER = 10  # above, the equations of the splines lose digits


class _Header:
    """The line of numbers before the epochs."""

    def __init__(self, lines: Lines, word: List[str]) -> None:
        self.least = lines.whole(word[0], "smallest degree", 0, 4000)
        self.most = lines.whole(word[1], "largest degree", self.least, 4000)
        self.count = lines.whole(word[2], "number of epochs", 1)
        self.order = lines.whole(word[3], "order of the splines", 1, _MOST_ORDER)
        self.step = max(1, lines.whole(word[4], "steps", 0))
        if self.count == 1 and self.order > 1:
            lines.fail(f"order of the splines = {self.order}: must be 1 where there is one epoch")
        if self.order == 1 and self.step > 1:
            lines.fail(f"steps = {self.step}: must be 1 for splines of order 1")
        self.pieces = (self.count - 1) // self.step
        if self.order > 1 and self.pieces < 1:
            lines.fail(f"steps = {self.step}: must be below the number of epochs, {self.count}")
        self.span: Optional[Tuple[float, float]] = None
        if len(word) > 5:
            start, *end = (lines.real(one, "year") for one in word[5:7])
            if not end or end[0] <= start:
                lines.fail("the years of the model: must be the first and the last one")
            self.span = start, end[0]


def _last_digit(word: str) -> float:
    """What the last decimal of a number is worth; 0 of a number without decimals."""
    number, _, power = word.lower().replace("d", "e").partition("e")
    decimals = number.partition(".")[2]
    return 10.0 ** (int(power or 0) - len(decimals)) if decimals else 0.0


class _Rounding:
    """What the last digits of epochs and of coefficients are worth."""

    def __init__(self) -> None:
        self.epochs = self.values = 0.0

    def of_values(self, words: List[str]) -> None:
        self.values = max(self.values, max(map(_last_digit, words)))


def _fitted(lines: Lines, head: _Header, epochs: np.ndarray, values: Values, rounding: _Rounding
            ) -> Series:
    """The splines that have the values of the file."""
    used = head.pieces * head.step + 1  # what follows the last break belongs to no whole piece
    x, table = epochs[:used], np.array(list(values.values()))[:, :used].T
    knots = knots_of(x[::head.step], head.order)
    matrix = b_splines(knots, head.order, x)
    found, _, rank, _ = np.linalg.lstsq(matrix, table, rcond=None)
    if rank < matrix.shape[1]:
        lines.fail(f"order of the splines = {head.order}, steps = {head.step}: {used} epochs do "
                   f"not determine the {matrix.shape[1]} splines")
    slope = np.abs(np.diff(table, axis=0) / np.diff(x)[:, None]).max(axis=0)
    bound = (2 * ((rounding.values or 1) + rounding.epochs * slope)
             + 1e-12 * np.abs(table).max(axis=0))
    off = np.abs(matrix @ found - table) - bound
    if off.max() > 0:
        row, column = np.unravel_index(off.argmax(), off.shape)
        kind, l, m = list(values)[column]
        lines.fail(f"{'gh'[kind]} of l = {l}, m = {m} at {x[row]}: is "
                   f"{off[row, column] + bound[column]:.3g} nT off the splines of order "
                   f"{head.order} with a break every {head.step} epochs, more than rounding makes: "
                   "the values are not what the line of degrees says")
    return spline(list(values), knots, head.order, found)


def _are_julian(epochs: np.ndarray, rounding: float) -> bool:
    """Whether breaks are whole or half days in years of 365.25 days from 2000 on, and only so."""

    def are_days(days: np.ndarray, length: np.ndarray) -> bool:
        off = np.abs(days - np.round(days * 2) / 2)
        return bool((off <= 0.6 * rounding * length + 1e-6).all())

    year = np.floor(epochs)
    length = np.where([calendar.isleap(int(one)) for one in year], 366.0, 365.0)
    return (are_days((epochs - 2000) * 365.25, np.full(len(epochs), 365.25))
            and not are_days((epochs - year) * length, length))


def _series(lines: Lines, head: _Header, epochs: List[float], values: Values, rounding: _Rounding
            ) -> Series:
    if head.order == 1:
        return steps(values, epochs, head.span[1] if head.span else None)
    if head.order == 2 and head.step == 1:
        return linear(values, epochs)
    return _fitted(lines, head, np.array(epochs), values, rounding)


def read_shc(lines: Lines, first: List[str]) -> Series:
    """The lines of a file from the one of degrees, epochs and order of the splines on."""
    head, rounding = _Header(lines, first), _Rounding()
    epochs: List[float] = []
    values: Values = {}
    for line in lines:
        word = line.split()
        if not word or word[0].startswith("#"):
            continue
        if not epochs:
            epochs = [lines.real(one, "epoch") for one in word]
            if len(epochs) != head.count:
                lines.fail(f"has {len(epochs)} epochs, must have {head.count}")
            rounding.epochs = max(map(_last_digit, word))
            if head.count > 1:
                rising(lines, epochs)
            continue
        if len(word) != 2 + head.count:
            lines.fail(f"has {len(word)} words, must have {2 + head.count}")
        l = lines.whole(word[0], "n", head.least, head.most)
        m = lines.whole(word[1], "m", -l, l)
        key: Key = (int(m < 0), l, abs(m))
        put(lines, values, key, [lines.real(one, "coefficient") for one in word[2:]])
        if head.order > 2 or head.step > 1:
            rounding.of_values(word[2:])
    complete(lines, values, head.least, head.most)
    made = _series(lines, head, epochs, values, rounding)
    span = made.span
    if head.span:
        start, end = span or (-math.inf, math.inf)
        span = max(start, head.span[0]), min(end, head.span[1])
    breaks = np.array(epochs)[::head.step]  # some between the first and the last may be inexact
    return made._replace(span=span, is_julian=_are_julian(breaks[[0, -1]], rounding.epochs))
