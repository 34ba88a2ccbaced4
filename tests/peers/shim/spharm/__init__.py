"""The one function of spharm that windspharm's tests call; spharm itself is Fortran."""
import numpy as np


def gaussian_lats_wts(nlat):
    """Gaussian latitudes from north to south in degrees, and weights."""
    nodes, weights = np.polynomial.legendre.leggauss(nlat)
    return np.degrees(np.arcsin(nodes))[::-1], weights[::-1]
