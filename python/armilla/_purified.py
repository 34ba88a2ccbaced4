"""Pure coefficients of masked fields of spin 2: E without power of B, and B without power of E.

Integrals of the field times conj(eth^2 (w Y)) in place of w conj(eth^2 Y), for a mask w, are pure.
By the product rule these are transforms of spins 2, 1 and 0, of the field times the mask, its first
and its second derivative (Smith 2006; Smith & Zaldarriaga 2007): docs/mathematics.md, section 14.
"""
from __future__ import annotations

from typing import NamedTuple, Sequence, Tuple

import numpy as np

from ._field_plans import plan_of
from .alm import multiply_window
from .grid import Grid

# The share of |eth^2 w|^2 where w is 0 above which a mask has an edge. A step has 0.5, ringing 0.01
# to 0.05; a slope at the edge 0.3, but less where the edge is a ring of pixels.
EDGE = 0.1


class Pure(NamedTuple):
    """Which components are pure, and of the mask w eth w and eth^2 w, (2, npix) each."""

    e: bool
    b: bool
    slope: np.ndarray
    bend: np.ndarray


def _raised(lmax: int, spin: int) -> np.ndarray:
    """sqrt((l + s)! / (l - s)!), (lmax + 1,), for s = 1 or 2; 0 below s."""
    l = np.arange(lmax + 1.0)
    square = l * (l + 1)
    return np.sqrt(square * np.maximum(square - 2, 0) if spin == 2 else square)


def derivatives(mask_alm: np.ndarray, grid: Grid, lmask: int, nthreads: int
                ) -> Tuple[np.ndarray, ...]:
    """eth w and eth^2 w on a grid, of coefficients up to lmask >= 2 of a mask w."""
    made = []
    for spin in (1, 2):
        alm = multiply_window(mask_alm, -_raised(lmask, spin))
        made.append(plan_of(grid, lmask, None, spin, False).synthesis(
            np.stack([alm, np.zeros_like(alm)]), nthreads=nthreads))
        made[-1].flags.writeable = False
    return tuple(made)


def products(masked: np.ndarray, mask: np.ndarray, pure: Pure) -> Tuple[np.ndarray, ...]:
    """The maps of the terms of a masked field w (Q + iU), (2, npix), in its type: (Q + iU)
    conj(eth w) of spin 1, and of (Q + iU) conj(eth^2 w) the real and the imaginary part."""
    seen = np.broadcast_to(mask > 0, masked.shape)
    q, u = np.divide(masked, mask, out=np.zeros_like(masked), where=seen, casting="same_kind")
    first, second = (np.stack([q * a + u * b, u * a - q * b]).astype(masked.dtype, copy=False)
                     for a, b in (pure.slope, pure.bend))
    return first, second[:1], second[1:]


def purified(alm: np.ndarray, terms: Sequence[np.ndarray], pure: Pure, lmax: int) -> np.ndarray:
    """Coefficients (2, size) with the terms of `products` added to those of pure components."""
    whole = _raised(lmax, 2)
    low = np.divide(1, whole, out=np.zeros_like(whole), where=whole > 0)
    slopes, real, imaginary = terms
    made = alm.copy()
    for i, is_pure, bend in ((0, pure.e, real[0]), (1, pure.b, imaginary[0])):
        if is_pure:
            made[i] += multiply_window(slopes[i], 2 * _raised(lmax, 1) * low)
            made[i] -= multiply_window(bend, low)
    made.flags.writeable = False
    return made
