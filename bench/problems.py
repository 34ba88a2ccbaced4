"""What is computed: grids, band limits, operators and their input, the same for every library."""
import numpy as np

from libarmilla import aligned_zeros

GL_LMAX = (63, 127, 255, 511, 1023, 2047, 4095)
HEALPIX_NSIDE = (512, 1024, 2048)
SEED = 20240229


def alm_size(lmax):
    return (lmax + 1) * (lmax + 2) // 2


def random_alm(lmax):
    """White coefficients of a real field, triangular layout."""
    rng = np.random.default_rng(SEED)
    alm = aligned_zeros(alm_size(lmax), np.complex128)
    alm.real = rng.standard_normal(alm.size)
    alm.imag = rng.standard_normal(alm.size)
    alm.imag[:lmax + 1] = 0.0
    return alm


def rms(array):
    flat = np.asarray(array).ravel()
    return float(np.sqrt(np.vdot(flat, flat).real / flat.size))


def relative_error(result, reference):
    """rms of the difference over rms of the reference."""
    return rms(np.ravel(result) - np.ravel(reference)) / rms(reference)


class GaussLegendre:
    """lmax + 1 rings of 2 lmax + 2 pixels: the smallest grid every library takes."""
    kind = "gl"
    operators = ("synthesis", "analysis")

    def __init__(self, lmax):
        self.lmax, self.nrings, self.nphi = lmax, lmax + 1, 2 * lmax + 2
        self.npix = self.nrings * self.nphi
        self.name = f"GL lmax {lmax}"
        self.key = f"gl:{lmax}"


class Healpix:
    """lmax = 2 nside. adjoint_synthesis has no weights: the heart of every analysis."""
    kind = "healpix"
    operators = ("synthesis", "adjoint_synthesis")

    def __init__(self, nside):
        self.nside, self.lmax = nside, 2 * nside
        self.npix = 12 * nside * nside
        self.name = f"HEALPix nside {nside}, lmax {self.lmax}"
        self.key = f"healpix:{nside}"


def from_key(key):
    kind, size = key.split(":")
    return {"gl": GaussLegendre, "healpix": Healpix}[kind](int(size))


def random_map(problem):
    """Input of adjoint_synthesis: white noise. (analysis gets a synthesised map.)"""
    rng = np.random.default_rng(SEED + 1)
    values = aligned_zeros(problem.npix, np.float64)
    values[:] = rng.standard_normal(problem.npix)
    return values
