"""What the tests of automatic differentiation share: plans, inputs, a judge by differences."""
import numpy as np

import armilla
from helpers import random_alm

LMAX, MMAX = 5, 4
TO_MAP = ("synthesis", "adjoint_analysis")
TO_ALM = ("adjoint_synthesis", "analysis")
OPERATORS = TO_MAP + TO_ALM
GRIDS = {"gauss": armilla.Grid.gauss_legendre(LMAX + 1, 2 * LMAX + 2),
         "healpix": armilla.Grid.healpix(2),
         "MW": armilla.Grid.equidistant("MW", LMAX + 1, 2 * LMAX + 1)}
LAYOUT = armilla.Layout.custom(LMAX, [40 + 20 * m for m in range(MMAX + 1)], -3)
RADIAL = {name: armilla.Radial(grid, armilla.Kernel.gaussian(0.9), 1.3, normalization="sum")
          for name, grid in GRIDS.items()}
RADIAL["spin 2"] = armilla.Radial(GRIDS["healpix"], armilla.Kernel.gaussian(0.9), 1.3, spin=2)
CONVOLUTIONS = {"convolve": "convolve", "adjoint_convolve": "adjoint"}  # name of Radial's method
LOC = np.stack([np.linspace(0, np.pi, 25), np.linspace(-3, 9, 25)], axis=1)
POINTS = {(spin, mode): armilla.Points(LMAX, LOC, spin, 1e-6, MMAX, mode, layout)
          for spin, mode, layout in ((0, "standard", LAYOUT), (2, "standard", None),
                                     (1, "derivatives", None))}
CASES = [(0, "standard"), (1, "standard"), (2, "standard"), (3, "standard"), (-2, "standard"),
         (2, "gradient_only"), (1, "derivatives")]


def plan(spin=0, mode="standard", grid="gauss", layout=None):
    return armilla.SHT(GRIDS[grid], LMAX, MMAX, spin=spin, mode=mode, layout=layout)


def random_input(sht, name, lead=(), seed=1, single=False):
    """Anything, also where operators do not look: imaginary parts of m = 0, degrees < spin."""
    rng = np.random.default_rng(seed)
    if name in TO_ALM:
        values = rng.standard_normal(lead + sht.map_shape)
        return values.astype(np.float32) if single else values
    shape = lead + sht.alm_shape
    values = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
    return values.astype(np.complex64) if single else values


def random_output(sht, name, lead=(), seed=2, single=False):
    return random_input(sht, "synthesis" if name in TO_ALM else "analysis", lead, seed, single)


def real_dot(a, b) -> float:
    """Sum over real and imaginary parts."""
    return float(np.vdot(np.asarray(a), np.asarray(b)).real)


def gradient_by_differences(function, values):
    """dL/dRe + i dL/dIm (real values: dL/dx) of a function that is at most quadratic."""
    values = np.array(values)
    gradient = np.zeros_like(values)
    for step in (0.5, 0.5j) if values.dtype.kind == "c" else (0.5,):
        for place in np.ndindex(*values.shape):
            up, down = values.copy(), values.copy()
            up[place] += step
            down[place] -= step
            gradient[place] += (function(up) - function(down)) * 2 * step
    return gradient


def sight():
    """A plan of beams, a sky, a beam and samples, whose coefficients of order 0 are real."""
    rng = np.random.default_rng(9)
    pointings = rng.uniform([0, 0, 0], [np.pi, 2 * np.pi, 2 * np.pi], (30, 3))
    beams = armilla.Beams(LMAX, 2, pointings, 2, 1e-10)
    return (beams, random_alm(LMAX, lead=(2,)), random_alm(LMAX, mmax=2, lead=(2,)),
            rng.uniform(-1, 1, 30))
