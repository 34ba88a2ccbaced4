"""The fit of a few symmetric Gaussians at offsets to a beam.

The unknowns are offsets and widths; weights follow from them by linear least squares, and are not
among the unknowns (variable projection, Kaufman 1975, BIT 15, 49). Kernels are added one by one
where the rest of the beam is largest, at the width that takes away most of it, and all are refined
together by damped Gauss-Newton steps, with derivatives in closed form. All inner products are those
of coefficients b_lk, |k| <= kmax, so that nothing is sampled; the beam has zeros in the highest of
these orders, which hold kernels near the axis. With kmax = 0 nothing does: they stay on it.
"""
from __future__ import annotations

import math
from typing import NamedTuple, Tuple

import numpy as np

from .alm import multiply_rows, size
from .grid import Grid
from .points import adjoint_evaluate
from .transform import SHT

WIDTH = math.sqrt(8 * math.log(2))  # full width at half maximum, in standard deviations
_WIDEST = math.pi / WIDTH
_LEAST_GAIN = 1e-3  # of a step; two with less are the last ones


class _Kernels(NamedTuple):
    """Centres, unit vectors [n, 3] in the frame of the beam, and standard deviations [n]."""

    centres: np.ndarray
    deviations: np.ndarray

    @property
    def places(self) -> np.ndarray:
        """Colatitudes and longitudes."""
        x, y, z = self.centres.T
        return np.column_stack([np.arctan2(np.hypot(x, y), z), np.arctan2(y, x)])


def _vectors(places: np.ndarray) -> np.ndarray:
    theta, phi = places.T
    return np.column_stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi),
                            np.cos(theta)])


def _axes(places: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """e_theta and e_phi there."""
    theta, phi = places.T
    south = np.column_stack([np.cos(theta) * np.cos(phi), np.cos(theta) * np.sin(phi),
                             -np.sin(theta)])
    return south, np.column_stack([-np.sin(phi), np.cos(phi), np.zeros_like(phi)])


class Space:
    """Coefficients of a band limit as vectors of real numbers whose dot product is theirs."""

    def __init__(self, lmax: int, kmax: int) -> None:
        self.lmax, self.kmax = lmax, kmax
        degree = np.arange(lmax + 1.0)
        self.square = degree * (degree + 1)
        self.scale = np.full(size(lmax, kmax), math.sqrt(2))
        self.scale[:lmax + 1] = 1

    def vector(self, beam: np.ndarray) -> np.ndarray:
        """[..., 2 size]."""
        scaled = beam * self.scale
        return np.concatenate([scaled.real, scaled.imag], -1)

    def beam(self, vector: np.ndarray) -> np.ndarray:
        """The inverse."""
        real, imaginary = np.split(vector, 2, -1)
        return (real + 1j * imaginary) / self.scale

    def windowed(self, beam: np.ndarray, window: np.ndarray) -> np.ndarray:
        """A copy, times a window of degrees."""
        made = beam.copy()
        multiply_rows(made, window, self.lmax, self.kmax)
        return made

    def window(self, deviation: float) -> np.ndarray:
        """Of a Gaussian."""
        return np.exp(-self.square * deviation ** 2 / 2)

    def columns(self, kernels: _Kernels) -> Tuple[np.ndarray, np.ndarray]:
        """Kernels [2 size, n], and their derivatives [2 size, n, 3] by a way to the south and to
        the east and by the logarithm of the deviation."""
        values = np.eye(3)[:, :, None]
        made, derivatives = [], []
        for place, deviation in zip(kernels.places, kernels.deviations):
            parts = adjoint_evaluate(values, self.lmax, place[None], derivatives=1, mmax=self.kmax,
                                     nthreads=1)
            window = self.window(deviation)
            kernel, south, east = (self.windowed(part, window) for part in parts)
            wider = self.windowed(kernel, -self.square * deviation ** 2)
            made.append(self.vector(kernel))
            derivatives.append(self.vector(np.stack([south, east, wider])).T)
        return np.stack(made, 1), np.stack(derivatives, 1)


def _moved(kernels: _Kernels, step: np.ndarray, narrowest: float) -> _Kernels:
    """step [n, 3]: along great circles, and in the logarithm of the deviation."""
    south, east = _axes(kernels.places)
    way = step[:, :1] * south + step[:, 1:2] * east
    length = np.linalg.norm(way, axis=1, keepdims=True)
    centres = np.cos(length) * kernels.centres + np.sinc(length / np.pi) * way
    deviations = kernels.deviations * np.exp(np.clip(step[:, 2], -1, 1))
    return _Kernels(centres / np.linalg.norm(centres, axis=1, keepdims=True),
                    np.clip(deviations, narrowest, _WIDEST))


class _Fit:
    """Kernels, their weights, and what is left of the beam."""

    def __init__(self, space: Space, wanted: np.ndarray, kernels: _Kernels) -> None:
        columns, derivatives = space.columns(kernels)
        basis, triangle = np.linalg.qr(columns)
        self.kernels = kernels
        self.weights = np.linalg.lstsq(triangle, basis.T @ wanted, rcond=1e-13)[0]
        self.left = wanted - columns @ self.weights
        self.is_on_axis = space.kmax == 0
        self.size = float(np.linalg.norm(self.left))
        jacobian = (derivatives * self.weights[:, None]).reshape(len(wanted), -1)
        jacobian -= basis @ (basis.T @ jacobian)  # the weights take the rest
        self.normal, self.slope = jacobian.T @ jacobian, jacobian.T @ self.left

    def step(self, damping: float) -> np.ndarray:
        """[n, 3]; none moves by more than its own deviation."""
        scale = np.diag(self.normal)
        scale = np.maximum(scale, 1e-12 * scale.max() or 1.0)
        step = np.linalg.solve(self.normal + damping * np.diag(scale), self.slope).reshape(-1, 3)
        if self.is_on_axis:
            step[:, :2] = 0
        far = float((np.abs(step[:, :2]).max(1) / self.kernels.deviations).max())
        return step / max(1.0, far)


def refine(space: Space, wanted: np.ndarray, kernels: _Kernels, narrowest: float, goal: float,
           steps: int) -> _Fit:
    """Damped Gauss-Newton steps, until less than goal is left."""
    fit, damping, idle = _Fit(space, wanted, kernels), 1e-3, 0
    for _ in range(steps):
        if fit.size <= goal or idle > 1 or damping > 1e6:
            break
        moved = _moved(fit.kernels, fit.step(damping), narrowest)
        tried = _Fit(space, wanted, moved)
        if tried.size < fit.size:
            idle = idle + 1 if tried.size > (1 - _LEAST_GAIN) * fit.size else 0
            fit, damping = tried, max(damping / 5, 1e-14)
        else:
            damping *= 4
    return fit


# --- Where to begin -------------------------------------------------------------------------------


class _Search:
    """Finds the kernel that takes most from what is left of a beam: on a grid over the sphere, or
    on the axis alone, for a list of widths, the one with the largest product over its own norm."""

    def __init__(self, space: Space, narrowest: float) -> None:
        self.space, self.nphi = space, 4 * space.kmax + 4 if space.kmax else 1
        self.grid = (Grid.gauss_legendre(space.lmax + 1, self.nphi) if space.kmax
                     else Grid.custom([0.0], self.nphi))
        self.plan = SHT(self.grid, space.lmax, mmax=space.kmax)
        least = max(narrowest, 1.0 / (space.lmax + 1))
        count = 1 + math.ceil(2 * math.log2(max(2.0, 1.0 / least)))
        widths = np.geomspace(least, max(2 * least, 1.0), count).clip(None, _WIDEST)
        self.deviations = np.append(widths, narrowest)  # below least they hardly differ

    def best(self, left: np.ndarray) -> _Kernels:
        """One kernel."""
        space, beam = self.space, self.space.beam(left)
        degree = 2 * np.arange(space.lmax + 1) + 1
        best, pixel, width = -1.0, 0, 0.0
        for deviation in self.deviations:
            window = space.window(deviation)
            norm = math.sqrt(float((degree * window ** 2).sum()))
            match = np.abs(self.plan.synthesis(space.windowed(beam, window))) / norm
            at = int(match.argmax())
            if match[at] > best:
                best, pixel, width = float(match[at]), at, float(deviation)
        ring, place = divmod(pixel, self.nphi)
        direction = self.grid.rings["theta"][ring], 2 * math.pi * place / self.nphi
        return _Kernels(_vectors(np.array([direction])), np.array([width]))


def _together(one: _Kernels, other: _Kernels) -> _Kernels:
    return _Kernels(np.concatenate([one.centres, other.centres]),
                    np.concatenate([one.deviations, other.deviations]))


def padded(beam: np.ndarray, lmax: int, kmax: int) -> np.ndarray:
    """A beam with zeros in higher orders."""
    made = np.zeros(size(lmax, kmax), np.complex128)
    made[:len(beam)] = beam
    return made


def fitted(beam: np.ndarray, lmax: int, kmax: int, number: int, tolerance: float,
           fwhm_min: float) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Up to `number` kernels, fewer if less than tolerance of the beam is left: full widths at half
    maximum, places, weights. The norm of the beam should be near 1."""
    seen = min(lmax, max(2 * kmax, kmax + 8)) if kmax else 0
    space = Space(lmax, seen)
    wanted = space.vector(padded(beam, lmax, seen))
    narrowest = max(fwhm_min / WIDTH, 1e-3 / (lmax + 1))
    search, goal = _Search(space, narrowest), tolerance * float(np.linalg.norm(wanted))
    kernels = search.best(wanted)
    for count in range(1, number + 1):
        fit = refine(space, wanted, kernels, narrowest, goal, 40 if count < number else 150)
        if fit.size <= goal or count == number:
            break
        kernels = _together(fit.kernels, search.best(fit.left))
    order = np.argsort(-np.abs(fit.weights), kind="stable")
    return (WIDTH * fit.kernels.deviations[order], fit.kernels.places[order], fit.weights[order])
