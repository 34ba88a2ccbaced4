"""Lists of Gauss coefficients as files have them, and how they depend on time: lines and splines.

The fitted splines are sums of B-splines by the recurrence of Cox and de Boor (C. de Boor, A
Practical Guide to Splines, 2001, chapters IX and X); a derivative of one of order k is one of order
k - 1, whose coefficients are k - 1 times the differences of neighbours over their knots' distance.
"""
from __future__ import annotations

from functools import partial
from typing import Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._geo_text import Lines

Key = Tuple[int, int, int]  # 0 for g and 1 for h, l, m
Values = Dict[Key, List[float]]  # by epoch


class Series(NamedTuple):
    """Gauss coefficients as functions of time."""

    keys: Sequence[Key]
    at: Callable[[float], np.ndarray]  # values, changes, accelerations, [3][key], of a year
    span: Optional[Tuple[float, float]]  # years that the model is made for; None: all
    epoch: float  # the first one
    name: str = ""
    changes: bool = True  # with time
    is_julian: bool = False  # whether years are 2000 and days since its beginning over 365.25

    @property
    def lmax(self) -> int:
        """Largest degree."""
        return max(key[1] for key in self.keys)


def put(lines: Lines, values: Values, key: Key, numbers: List[float]) -> None:
    """Take a coefficient from the line at hand, unless it has been there, or cannot be."""
    if key in values:
        lines.fail(f"{'gh'[key[0]]} of l = {key[1]}, m = {key[2]}: stands there twice")
    if key[0] and key[2] == 0 and any(numbers):
        lines.fail("h of m = 0 must be 0")
    values[key] = numbers


def complete(lines: Lines, values: Values, least: int, most: int, where: str = "") -> None:
    """Tables have every g, and every h of m > 0, of these degrees."""
    if not values:
        lines.fail(f"{where}the file has no coefficients")
    for l in range(least, most + 1):
        for m in range(l + 1):
            for kind in range(2 if m else 1):
                if (kind, l, m) not in values:
                    lines.fail(f"{where}the file ends without {'gh'[kind]} of l = {l}, m = {m}")


def rising(lines: Lines, epochs: List[float]) -> List[float]:
    """The epochs, which must be in order."""
    if len(epochs) < 2 or any(b <= a for a, b in zip(epochs, epochs[1:])):
        lines.fail("epochs must rise, and be two at least")
    return epochs


def _constant(epochs: np.ndarray, table: np.ndarray, year: float) -> np.ndarray:
    made = np.zeros((3, len(table)))
    made[0] = table[:, max(int(np.searchsorted(epochs, year, "right")) - 1, 0)]
    return made


def steps(values: Values, epochs: Sequence[float], end: Optional[float] = None) -> Series:
    """Coefficients that keep their values from an epoch to the next one, or for ever."""
    at = partial(_constant, np.array(epochs), np.array(list(values.values())))
    last = epochs[-1] if end is None else end
    changes = len(epochs) > 1
    return Series(list(values), at, (epochs[0], last) if changes else None, epochs[0],
                  changes=changes)


def _line(epochs: np.ndarray, table: np.ndarray, ends_with_change: bool, year: float) -> np.ndarray:
    at = max(0, min(int(np.searchsorted(epochs, year, "right")) - 1, len(epochs) - 2))
    change = (table[:, at + 1] if ends_with_change and at == len(epochs) - 2
              else (table[:, at + 1] - table[:, at]) / (epochs[at + 1] - epochs[at]))
    return np.array([table[:, at] + (year - epochs[at]) * change, change, 0 * change])


def linear(values: Values, epochs: Sequence[float], name: str = "", ends_with_change: bool = False
           ) -> Series:
    """Coefficients that are linear between epochs; the last number may be the change per year."""
    at = partial(_line, np.array(epochs), np.array(list(values.values())), ends_with_change)
    return Series(list(values), at, (epochs[0], epochs[-1]), epochs[0], name)


def knots_of(breaks: np.ndarray, order: int) -> np.ndarray:
    """Knots of all splines of an order with as many continuous derivatives as they can have."""
    return np.concatenate([np.full(order - 1, breaks[0]), breaks, np.full(order - 1, breaks[-1])])


def b_splines(knots: np.ndarray, order: int, x: np.ndarray) -> np.ndarray:
    """B-splines of an order at places, [len(x)][len(knots) - order]; at a knot from the right."""
    inner = len(knots) - order
    piece = np.clip(np.searchsorted(knots, x, "right") - 1, order - 1, inner - 1)
    made = (piece[:, None] == np.arange(len(knots) - 1)).astype(float)
    for k in range(2, order + 1):
        n = len(knots) - k
        with np.errstate(divide="ignore", invalid="ignore"):
            rise = (x[:, None] - knots[:n]) / (knots[k - 1:k - 1 + n] - knots[:n])
            fall = (knots[k:k + n] - x[:, None]) / (knots[k:k + n] - knots[1:1 + n])
        made = (np.where(made[:, :n] != 0, rise, 0) * made[:, :n]
                + np.where(made[:, 1:n + 1] != 0, fall, 0) * made[:, 1:n + 1])
    return made


Spline = Tuple[np.ndarray, int, np.ndarray]  # knots, order, coefficients [number][...]


def _derived(knots: np.ndarray, order: int, coefficients: np.ndarray) -> Spline:
    """A derivative, which has one order less."""
    apart = knots[order:-1] - knots[1:-order]
    with np.errstate(divide="ignore"):
        scale = np.where(apart > 0, (order - 1) / apart, 0)
    return knots[1:-1], order - 1, np.diff(coefficients, axis=0) * scale[:, None]


def _splines(derivatives: Sequence[Spline], year: float) -> np.ndarray:
    made = np.zeros((3, derivatives[0][2].shape[1]))
    for number, (knots, order, coefficients) in enumerate(derivatives):
        made[number] = (b_splines(knots, order, np.array([year])) @ coefficients)[0]
    return made


def spline(keys: Sequence[Key], knots: np.ndarray, order: int, coefficients: np.ndarray) -> Series:
    """Coefficients that are sums of B-splines, [number of splines][number of keys]."""
    derivatives = [(knots, order, coefficients)]
    while len(derivatives) < min(3, order):
        derivatives.append(_derived(*derivatives[-1]))
    at = partial(_splines, derivatives)
    return Series(keys, at, (float(knots[0]), float(knots[-1])), float(knots[0]))


def _polynomials(breaks: np.ndarray, table: np.ndarray, year: float) -> np.ndarray:
    at = min(int(np.searchsorted(breaks, year, "right")) - 1, len(breaks) - 2)
    past = year - breaks[at]
    value, change, half = np.zeros((3, table.shape[-1]))
    for coefficient in table[:, at]:
        half = half * past + change
        change = change * past + value
        value = value * past + coefficient
    return np.array([value, change, 2 * half])


def polynomials(keys: Sequence[Key], breaks: np.ndarray, table: np.ndarray) -> Series:
    """Coefficients that are polynomials from break to break: [power, highest first][piece][key]."""
    at = partial(_polynomials, breaks, table)
    return Series(keys, at, (float(breaks[0]), float(breaks[-1])), float(breaks[0]))
