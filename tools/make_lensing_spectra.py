#!/usr/bin/env python3
"""Makes data/lensing_cl_LMAX.txt: CMB spectra before and after lensing, with CAMB.

All fields, the potential too, end at LMAX: lensing takes just these degrees, so that simulations
from the same coefficients have exactly these lensed spectra. CAMB's own lensed spectra know
degrees beyond. Lensed spectra are those of camb.correlations.lensed_cls: correlation functions on
the whole sphere (Challinor & Lewis 2005, astro-ph/0502425), to second order in the anisotropic part
of the deflections' correlation; phi is taken as independent of T and E.

Parameters: as in make_lcdm_spectrum.py. Needs Python 3 and CAMB (pip install camb).
Repeat:  python3 tools/make_lensing_spectra.py 2500 > data/lensing_cl_2500.txt
         python3 tools/make_lensing_spectra.py 800 > data/lensing_cl_800.txt
"""

import sys

import camb
import camb.correlations
import make_lcdm_spectrum as lcdm
import numpy as np

SAMPLING_FACTOR = 3.0  # nodes of the integral over angles per degree


def compute(lmax):
    """Returned: [l, (TT, EE, TE, PP, lensed TT, EE, BB, TE)], D_l in microkelvin^2;
    PP is [l (l + 1)]^2 C_l / 2 pi."""
    parameters = camb.CAMBparams()
    parameters.set_cosmology(TCMB=lcdm.MEAN_TEMPERATURE_K, **lcdm.COSMOLOGY)
    parameters.InitPower.set_params(**lcdm.PRIMORDIAL)
    parameters.set_accuracy(**lcdm.ACCURACY)
    parameters.set_for_lmax(lmax + lcdm.MARGIN,
                            lens_potential_accuracy=lcdm.LENS_POTENTIAL_ACCURACY)
    parameters.WantTensors = False
    results = camb.get_results(parameters)
    unlensed = results.get_unlensed_scalar_cls(lmax, CMB_unit="muK")
    potential = results.get_lens_potential_cls(lmax)[:, 0]
    lensed = camb.correlations.lensed_cls(unlensed, potential, lmax, theta_max=None,
                                          sampling_factor=SAMPLING_FACTOR)
    return np.column_stack([unlensed[:, 0], unlensed[:, 1], unlensed[:, 3], potential, lensed])


def header(lmax):
    values = {**lcdm.COSMOLOGY, **lcdm.PRIMORDIAL, "TCMB": lcdm.MEAN_TEMPERATURE_K}
    accuracy = {**lcdm.ACCURACY, "lens_potential_accuracy": lcdm.LENS_POTENTIAL_ACCURACY,
                "lmax": lmax + lcdm.MARGIN, "sampling_factor": SAMPLING_FACTOR}
    return [
        "CMB spectra of LambdaCDM before and after lensing, Planck 2018 best fit"
        " (A&A 641, A6, table 2)",
        f"All fields, the lensing potential too, end at l = {lmax}; lensed spectra are of these",
        f"Made by tools/make_lensing_spectra.py with CAMB {camb.__version__}",
        f"Repeat: python3 tools/make_lensing_spectra.py {lmax} > data/lensing_cl_{lmax}.txt",
        "Parameters: " + ", ".join(f"{name} = {value:g}" for name, value in values.items()),
        "Accuracy: " + ", ".join(f"{name} = {value:g}" for name, value in accuracy.items()),
        "  lensed: camb.correlations.lensed_cls, theta_max = None (whole sphere)",
        "Columns: D_l = l(l+1)C_l/2pi in microkelvin^2, unlensed (BB is 0); [l(l+1)]^2 C_l/2pi of"
        " the potential; lensed D_l",
        "l TT EE TE PP lensedTT lensedEE lensedBB lensedTE",
    ]


def main():
    lmax = int(sys.argv[1])
    spectra = compute(lmax)
    for line in header(lmax):
        print("#", line)
    for degree in range(2, lmax + 1):
        print(degree, *(f"{value:.5e}" for value in spectra[degree]))


if __name__ == "__main__":
    main()
