"""What the tests of derivatives with respect to positions and deflections share."""
import numpy as np

import armilla

LMAX, MMAX = 6, 5
EPSILON = 1e-13  # differences see the error of values, divided by the step
LOC = np.stack([[0.0, 0.02, 1.1, 2.0, np.pi - 1e-3, 1.5], [0.3, 4.0, -1.0, 7.0, 2.0, 0.5]], axis=1)
# two rings, a pole, places in between that are no pixels
GRID = armilla.Grid.custom([0.7, 0.0, 2.5], [4, 1, 3], [0.1, 0.5, 0], [0, 5, 7], [1, 1, 2], 1)
SPINS = [0, 1, 2, 3]


def inputs(kind, spin, lead=(), seed=1, single=False):
    """Coefficients, positions, and values of the kind "points" or "lens"; deflections of all
    lengths, 0 among them."""
    rng = np.random.default_rng(seed)
    tail = (2,) if spin else ()
    shape = lead + tail + (armilla.alm.size(LMAX, MMAX),)
    alm = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
    positions = LOC.copy()
    if kind == "lens":
        positions = rng.standard_normal((2, GRID.npix)) * np.array([1, 0.3, 1e-2, 1e-4] * 5)[
            :GRID.npix]
        positions[:, 1] = 0
    count = len(LOC) if kind == "points" else GRID.npix
    values = rng.standard_normal(lead + tail + (count,))
    if single:
        return alm.astype("F"), positions, values.astype("f")
    return alm, positions, values


def options(kind, spin):
    """Arguments behind coefficients and positions."""
    more = dict(lmax=LMAX, mmax=MMAX, spin=spin, epsilon=EPSILON)
    return ((GRID,) if kind == "lens" else ()), more


def functions(module, kind):
    """The operator and its transpose."""
    if kind == "points":
        return module.synthesis_general, module.adjoint_synthesis_general
    return module.lens, module.adjoint_lens
