"""Least squares from values at points: min |W (values - Y a)| over the coefficients a, by LSMR.

Fong & Saunders 2011, SIAM J. Sci. Comput. 33, 2950, doi 10.1137/10079687X (lambda = 0), with the
names and the stopping rules of src/sht/lsmr.c. Coefficients stay complex: in the inner product that
counts m > 0 twice, which _linear.py writes down, Y^T is the adjoint of Y.
"""
from __future__ import annotations

import math
from typing import Any, List, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import as_map
from ._errors import real, whole
from .transform import PseudoReport

_CONDITION_LIMIT = 1e12
_ROUNDOFF = float(np.finfo(np.float64).eps)


def _roots(weights: Optional[ArrayLike], npoints: int) -> Optional[np.ndarray]:
    """sqrt(weights), after a look at them."""
    if weights is None:
        return None
    given = as_map(weights, "weights")
    if given.shape != (npoints,):
        raise ValueError(f"weights: has shape {given.shape}, must have ({npoints},)")
    wrong = np.flatnonzero(~((given >= 0) & np.isfinite(given)))
    if wrong.size:
        raise ValueError(f"weights[{wrong[0]}] = {given[wrong[0]]}: must be finite and at least 0")
    if not given.any():
        raise ValueError("weights: all are 0; at least one must be positive")
    return np.sqrt(given / given.max())


class _Rotations:
    """What the rotations of LSMR keep from one iteration to the next: numbers only."""

    def __init__(self, alpha: float, beta: float) -> None:
        self.alphabar, self.zetabar = alpha, alpha * beta
        self.rho = self.rhobar = self.cbar = self.rhod = 1.0
        self.sbar = self.zeta = self.betad = self.tau = self.thetatilde = 0.0
        self.betadd = self.norm_r = beta
        self.sum_a2, self.norm_a = alpha * alpha, alpha
        self.largest, self.smallest, self.condition = 0.0, math.inf, 1.0

    def step(self, alpha: float, beta: float, iteration: int) -> Tuple[float, float, float]:
        """Factors of the old hbar, of hbar in x, and of the old h."""
        rho_old, rhobar_old, zeta_old = self.rho, self.rhobar, self.zeta
        self.rho = math.hypot(self.alphabar, beta)
        c, s = self.alphabar / self.rho, beta / self.rho
        theta, self.alphabar = s * alpha, c * alpha
        thetabar, last = self.sbar * self.rho, self.cbar * self.rho
        self.rhobar = math.hypot(last, theta)
        self.cbar, self.sbar = last / self.rhobar, theta / self.rhobar
        self.zeta, self.zetabar = self.cbar * self.zetabar, -self.sbar * self.zetabar
        self._residual(c, s, thetabar, zeta_old)
        self.norm_a = math.sqrt(self.sum_a2 + beta * beta)
        self.sum_a2 += beta * beta + alpha * alpha
        if iteration > 1:
            self.largest = max(self.largest, rhobar_old)
            self.smallest = min(self.smallest, rhobar_old)
        self.condition = max(self.largest, last) / min(self.smallest, last)
        return (-thetabar * self.rho / (rho_old * rhobar_old), self.zeta / (self.rho * self.rhobar),
                -theta / self.rho)

    def _residual(self, c: float, s: float, thetabar: float, zeta_old: float) -> None:
        betahat, self.betadd = c * self.betadd, -s * self.betadd
        rhotilde = math.hypot(self.rhod, thetabar)
        ctilde, stilde = self.rhod / rhotilde, thetabar / rhotilde
        thetatilde_old, self.thetatilde = self.thetatilde, stilde * self.rhobar
        self.rhod = ctilde * self.rhobar
        self.betad = -stilde * self.betad + ctilde * betahat
        self.tau = (zeta_old - thetatilde_old * self.tau) / rhotilde
        taud = (self.zeta - self.thetatilde * self.tau) / self.rhod
        self.norm_r = math.hypot(self.betad - taud, self.betadd)


class LeastSquares:
    """The operators of a plan for points, and when to stop."""

    def __init__(self, points: Any, weights: Optional[ArrayLike], tolerance: float,
                 max_iterations: int, nthreads: int) -> None:
        from ._linear import alm_weights  # which needs this module's users
        self._points, self._nthreads = points, nthreads
        self._roots = _roots(weights, points.map_shape[-1])
        self._tolerance = real("tolerance", tolerance)
        self._most = whole("max_iterations", max_iterations)
        if not 0 <= self._tolerance < 1:
            raise ValueError(f"tolerance = {self._tolerance}: must be 0 or more and below 1")
        if self._most < 0:
            raise ValueError(f"max_iterations = {self._most}: must be 0 or more")
        self._counts = alm_weights(points, np.float64)

    def _forward(self, alm: np.ndarray) -> np.ndarray:
        values = self._points.synthesis(alm, nthreads=self._nthreads)
        return values if self._roots is None else values * self._roots

    def _adjoint(self, values: np.ndarray) -> np.ndarray:
        values = values if self._roots is None else values * self._roots
        return self._points.adjoint_synthesis(values, nthreads=self._nthreads)

    def _norm(self, alm: np.ndarray) -> float:
        return math.sqrt(float((self._counts * (alm.real ** 2 + alm.imag ** 2)).sum()))

    def _unit(self, alm: np.ndarray) -> Tuple[np.ndarray, float]:
        norm = self._norm(alm)
        return alm / (norm or 1.0), norm

    def _values(self, values: np.ndarray) -> np.ndarray:
        values = values.astype(np.float64)
        if self._roots is not None:
            values = np.where(self._roots > 0, values, 0.0) * self._roots
        if not np.isfinite(values).all():
            at = tuple(np.argwhere(~np.isfinite(values))[0])
            raise ValueError(f"values: {values[at]} at point {at[-1]}: must be finite")
        return values

    def solve(self, values: np.ndarray, guess: np.ndarray) -> Tuple[np.ndarray, PseudoReport]:
        """Of one transform."""
        u, x = self._values(values), guess.astype(np.complex128)
        norm_b = float(np.linalg.norm(u))
        if not norm_b:
            return np.zeros_like(x), PseudoReport("zero", 0, 0.0, 0.0)
        if x.any():
            u = u - self._forward(x)
        beta = float(np.linalg.norm(u))
        u /= beta or 1.0
        v, alpha = self._unit(self._adjoint(u))
        h, hbar, state = v, np.zeros_like(v), _Rotations(alpha, beta)
        for iteration in range(self._most + 1):
            report = self._judge(state, norm_b, self._norm(x), iteration)
            if report is not None:
                return x, report
            u = self._forward(v) - alpha * u
            beta = float(np.linalg.norm(u))
            u /= beta or 1.0
            v, alpha = self._unit(self._adjoint(u) - beta * v)
            of_hbar, of_x, of_h = state.step(alpha, beta, iteration + 1)
            hbar = h + of_hbar * hbar
            x = x + of_x * hbar
            h = v + of_h * h
        raise AssertionError("the last iteration stops")

    def _judge(self, state: _Rotations, norm_b: float, norm_x: float, iteration: int
               ) -> Optional[PseudoReport]:
        """None: go on."""
        tolerance = max(self._tolerance, _ROUNDOFF)
        residual, scale = state.norm_r / norm_b, state.norm_a * state.norm_r
        gradient = abs(state.zetabar) / scale if scale > 0 else 0.0
        reasons = {"residual": residual <= tolerance * (1 + state.norm_a * norm_x / norm_b),
                   "gradient": gradient <= tolerance,
                   "condition": state.condition >= _CONDITION_LIMIT,
                   "iterations": iteration >= self._most}
        stop = next((word for word, holds in reasons.items() if holds), None)
        return None if stop is None else PseudoReport(stop, iteration, residual, gradient)


def joined(reports: List[PseudoReport], lead: Tuple[int, ...]) -> PseudoReport:
    """Arrays of the leading shape; numbers where there is none."""
    if not lead:
        return reports[0]
    kinds: Tuple[Any, ...] = ("U10", np.int64, np.float64, np.float64)
    columns = zip(*reports) if reports else ((), (), (), ())
    return PseudoReport(*(np.array(column, kind).reshape(lead)
                          for column, kind in zip(columns, kinds)))
