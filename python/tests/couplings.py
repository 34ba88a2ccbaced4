"""Couplings of masks for tests of gradients."""
import numpy as np

from armilla import pseudo_cl

MASK_CL = 4 * np.pi * 0.5 ** np.arange(25.0)
COUPLINGS = {spins: pseudo_cl.Coupling.from_masks(
    MASK_CL, 12, 3, spins, window=np.linspace(1, 0.5, 13)) for spins in ((0, 0), (0, 2), (2, 2))}


def random_spectra(spins, lead=()):
    """Of a coupling, with leading axes."""
    ncl = len(COUPLINGS[spins].components)
    shape = (*lead, ncl, 13) if ncl > 1 else (*lead, 13)
    return np.random.default_rng(1).standard_normal(shape)
