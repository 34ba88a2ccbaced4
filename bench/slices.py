#!/usr/bin/env python3
"""Prints errors of Legendre sums as products of matrices that are cut into slices.

    bench/slices.py [LMAX ...]        511 if none is named; docs/results/slices.md has 2047 and 4095

Functions are those of a few orders on all pairs of LMAX + 1 equidistant rings, from a recurrence in
long double, rounded to doubles. Sums of those doubles in long double are what the others are
compared with, so errors are those of the sums alone.
"""
import itertools
import sys
from typing import Dict, Iterator, List, NamedTuple, Tuple

import numpy as np

LONG = np.longdouble
COLUMNS = 8          # right-hand sides: real and imaginary parts of four sets
BLOCK = 64           # terms of a sum whose factors share a scale, and that are exact together
SLICES = range(4, 9)
BITS = (7, 8, 9, 10, 11)
FINE = (0.025, 0.04)  # radians from pole and equator within which p_k has other kernels
TERMS = 16           # of a product of matrices of FP16


class Order(NamedTuple):
    """An order: colatitudes, functions of even and of odd degrees [ring, degree], coefficients of
    both [degree, column], and p_k of docs/mathematics.md (2.5) with its coefficients (2.11)."""
    theta: np.ndarray
    even: Tuple[np.ndarray, np.ndarray]
    odd: Tuple[np.ndarray, np.ndarray]
    p: np.ndarray
    of_p: Tuple[np.ndarray, np.ndarray]


# --- Functions ------------------------------------------------------------------------------------

def roots(lmax: int, m: int) -> np.ndarray:
    """A_l of (2.1), for l = m ... lmax + 3."""
    l = np.arange(m, lmax + 4, dtype=LONG)
    return np.sqrt((l - m) * (l + m) / ((2 * l - 1) * (2 * l + 1)))


def functions(lmax: int, m: int, theta: np.ndarray) -> np.ndarray:
    """lambda_lm for l = m ... lmax + 1, by (2.1)."""
    x, a = np.cos(theta), roots(lmax, m)
    i = np.arange(1, m + 1, dtype=LONG)
    start = np.sqrt((2 * m + 1) / (4 * LONG(np.pi)) * np.prod((2 * i - 1) / (2 * i)))
    found = np.zeros((lmax + 2 - m, len(theta)), LONG)
    found[0] = start * np.sin(theta) ** m
    found[1] = x * found[0] / a[1]
    for k in range(2, len(found)):
        found[k] = (x * found[k - 1] - a[k - 1] * found[k - 2]) / a[k]
    return found.T


def scales(a: np.ndarray, steps: int) -> np.ndarray:
    """alpha_k of (2.4)."""
    g = a[:-1] * a[1:]  # g[i]: of l = m + i
    found = np.ones(steps, LONG)
    found[1] = np.sqrt(g[2] / g[4])
    for k in range(1, steps - 1):
        found[k + 1] = -found[k - 1] * g[2 * k] / g[2 * k + 2]
    return found


def spectrum(lmax: int, m: int, steepness: int) -> np.ndarray:
    """Random coefficients of the degrees m ... lmax."""
    random = np.random.default_rng(m).uniform(-1, 1, (lmax + 1 - m, COLUMNS))
    return random * np.arange(m + 1, lmax + 2.0)[:, None] ** -steepness


def make_order(lmax: int, m: int, steepness: int) -> Order:
    """On the rings where lmax sin theta >= m; the number of degrees is made even."""
    pairs = (lmax + 1) // 2
    theta = (np.arange(pairs, dtype=LONG) + LONG(0.5)) * (LONG(np.pi) / (lmax + 1))
    theta = theta[lmax * np.sin(theta) >= m]
    values, alm = functions(lmax, m, theta), spectrum(lmax, m, steepness)
    steps = (lmax + 2 - m) // 2
    alm = np.concatenate([alm, np.zeros((2 * steps - len(alm), COLUMNS))])
    values, a = values[:, :2 * steps], roots(lmax, m)
    alpha = scales(a, steps)
    p = values[:, 1::2] / (np.cos(theta)[:, None] * alpha)
    above = np.concatenate([alm[2::2], np.zeros((1, COLUMNS))])
    l = 2 * np.arange(steps) + 1
    e = alpha[:, None] * (a[l][:, None] * alm[::2] + a[l + 1][:, None] * above)
    doubles = [one.astype(float) for one in (values[:, ::2], values[:, 1::2], p, e,
                                             alpha[:, None] * alm[1::2])]
    return Order(theta, (doubles[0], alm[::2]), (doubles[1], alm[1::2]), doubles[2],
                 (doubles[3], doubles[4]))


def exact(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The product in long double."""
    return a.astype(LONG) @ b.astype(LONG)


# --- Slices ---------------------------------------------------------------------------------------

def digits(values: np.ndarray, axis: int, bits: int) -> Tuple[np.ndarray, List[np.ndarray]]:
    """A power of two above the largest of each row or column, and whole numbers from
    -2^(bits - 1) to 2^(bits - 1) - 1, the largest first."""
    largest = np.max(np.abs(values), axis=axis, keepdims=True) * (1 + 2.0 ** (1 - bits))
    scale = np.exp2(np.ceil(np.log2(np.maximum(largest, 1e-300))))
    rest, found = values / scale * 2 ** (bits - 1), []
    top = (2.0 ** (bits - 1) - 1) / (2 ** bits - 1)  # the most that later slices hold
    for _ in range(max(SLICES)):
        found.append(np.ceil(rest - top))
        rest = (rest - found[-1]) * 2 ** bits
    return scale, found


def sliced(a: np.ndarray, b: np.ndarray, bits: int) -> Dict[int, np.ndarray]:
    """a b with so many slices of each: products of slice i and slice j with i + j <= slices + 1."""
    found = {count: np.zeros((len(a), b.shape[1])) for count in SLICES}
    for first in range(0, len(b), BLOCK):
        part = slice(first, first + BLOCK)
        (of_a, left), (of_b, right) = digits(a[:, part], 1, bits), digits(b[part], 0, bits)
        for total in range(max(SLICES)):  # of slices that are counted from 0
            whole = sum(left[i] @ right[total - i] for i in range(total + 1))
            whole *= of_a * of_b * 2.0 ** (2 - 2 * bits - bits * total)
            for count in SLICES:
                if total < count:
                    found[count] += whole
    return found


# --- Floats ---------------------------------------------------------------------------------------

def cut(values: np.ndarray) -> np.ndarray:
    """To floats, towards zero."""
    found = values.astype(np.float32)
    return np.where(np.abs(found) > np.abs(values), np.nextafter(found, np.float32(0)), found)


def halves(values: np.ndarray, axis: int) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A scale for each row or column, and two numbers of FP16, as doubles."""
    largest = np.max(np.abs(values), axis=axis, keepdims=True)
    scale = np.exp2(np.ceil(np.log2(np.maximum(largest, 1e-300))) - 14)
    high = (values / scale).astype(np.float16).astype(float)
    return scale, high, (values / scale - high).astype(np.float16).astype(float)


def three_products(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """lo hi + hi lo + hi hi of 16 terms: each product of matrices adds them exactly to what is
    there and cuts to a float; then an addition in float."""
    (of_a, high, low), (of_b, right, right_low) = halves(a, 1), halves(b, 0)
    total = np.zeros((len(a), b.shape[1]), np.float32)
    for first in range(0, len(b), TERMS):
        part, some = slice(first, first + TERMS), np.zeros(total.shape, np.float32)
        for left, of in ((low, right), (high, right_low), (high, right)):
            some = cut(some + left[:, part] @ of[part])
        total = total + some
    return total.astype(float) * of_a * of_b


def fused(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Fused multiply-adds of floats, one term after the other."""
    left, right = (one.astype(np.float32).astype(float) for one in (a, b))
    total = np.zeros((len(a), b.shape[1]), np.float32)
    for k in range(len(b)):
        total = (total + left[:, k:k + 1] * right[k]).astype(np.float32)
    return total.astype(float)


# --- Errors ---------------------------------------------------------------------------------------

def largest_error(made: np.ndarray, wanted: np.ndarray) -> float:
    """Over the largest value."""
    return float(np.max(np.abs(made - wanted)) / np.max(np.abs(wanted)))


def rms_error(made: np.ndarray, wanted: np.ndarray) -> float:
    """Of the errors over that of the values."""
    return float(np.sqrt(np.mean((made - wanted) ** 2) / np.mean(wanted ** 2)))


def both(even: np.ndarray, odd: np.ndarray) -> np.ndarray:
    """Values of northern and southern rings."""
    return np.concatenate([even + odd, even - odd])


def slice_errors(one: Order, bits: int) -> Iterator[Tuple[str, Dict[int, float]]]:
    """Of a synthesis, and of an analysis of its map, by number of slices."""
    wanted = [exact(*part) for part in (one.even, one.odd)]
    made = [sliced(*part, bits) for part in (one.even, one.odd)]
    yield "synthesis", {count: largest_error(both(made[0][count], made[1][count]), both(*wanted))
                        for count in SLICES}
    weights = np.sin(one.theta).astype(float)[:, None]
    values = [weights * part.astype(float) for part in wanted]
    back = [part[0].T for part in (one.even, one.odd)]
    wanted = np.concatenate([exact(*of) for of in zip(back, values)])
    made = [sliced(*of, bits) for of in zip(back, values)]
    yield "analysis", {count: largest_error(np.concatenate([made[0][count], made[1][count]]),
                                            wanted) for count in SLICES}


def slice_errors_of_p(one: Order, bits: int) -> Dict[int, float]:
    """Of a synthesis by p_k, of which there are half as many."""
    x = np.cos(one.theta)[:, None].astype(float)
    made = [sliced(one.p, of, bits) for of in one.of_p]
    wanted = both(exact(one.p, one.of_p[0]), x * exact(one.p, one.of_p[1]))
    return {count: largest_error(both(made[0][count], x * made[1][count]), wanted)
            for count in SLICES}


def float_errors(one: Order) -> Iterator[Tuple[str, float, float]]:
    """rms and largest error of sums of floats, by lambda_lm on all rings and by p_k on those that
    are not fine."""
    plain = (one.theta >= FINE[0]) & (np.pi / 2 - one.theta >= FINE[1])
    x = np.cos(one.theta)[plain, None].astype(float)
    for name, product in (("three products of FP16", three_products), ("floats", fused)):
        wanted = both(*(exact(*part) for part in (one.even, one.odd)))
        made = both(*(product(*part) for part in (one.even, one.odd)))
        yield f"{name}, lambda", rms_error(made, wanted), largest_error(made, wanted)
        p = one.p[plain]
        wanted = both(exact(p, one.of_p[0]), x * exact(p, one.of_p[1]))
        made = both(product(p, one.of_p[0]), x * product(p, one.of_p[1]))
        yield f"{name}, p", rms_error(made, wanted), largest_error(made, wanted)


# --- Tables ---------------------------------------------------------------------------------------

def orders_of(lmax: int) -> List[int]:
    return [0, 1, lmax // 4, lmax // 2, 3 * lmax // 4]


def row(*cells: object) -> None:
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def worst(all_errors: Iterator[Dict[int, float]]) -> List[str]:
    """The largest of several orders, by number of slices."""
    found = list(all_errors)
    return [f"{max(errors[count] for errors in found):.1e}" for count in SLICES]


def print_slices(lmax: int, orders: Dict[str, List[Order]]) -> None:
    """The largest error of all orders."""
    row("lmax", "bits", "spectrum", "sums", *SLICES)
    print("|---" * (4 + len(SLICES)) + "|")
    for bits, (what, some) in itertools.product(BITS, orders.items()):
        errors = [dict(slice_errors(one, bits)) for one in some]
        for direction in ("synthesis", "analysis"):
            row(lmax, bits, what, direction, *worst(of[direction] for of in errors))
    for what, some in orders.items():
        row(lmax, 8, what, "synthesis by p", *worst(slice_errors_of_p(one, 8) for one in some))


def print_floats(lmax: int, orders: Dict[str, List[Order]]) -> None:
    """Each order by itself: rms, largest."""
    row("lmax", "sums", "spectrum", *(f"m = {m}" for m in orders_of(lmax)))
    print("|---" * (3 + len(orders_of(lmax))) + "|")
    for what, some in orders.items():
        for errors in zip(*(list(float_errors(one)) for one in some)):
            row(lmax, errors[0][0], what,
                *(f"{rms:.1e}, {largest:.1e}" for _, rms, largest in errors))


def main() -> int:
    for lmax in map(int, sys.argv[1:] or ["511"]):
        orders = {what: [make_order(lmax, m, steepness) for m in orders_of(lmax)]
                  for what, steepness in (("white", 0), ("l^-3", 3))}
        print_slices(lmax, orders)
        print()
        print_floats(lmax, orders)
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
