#!/usr/bin/env python3
"""Makes data/lcdm_planck2018_cl.txt: the lensed CMB spectra of a LambdaCDM universe, with CAMB.

Parameters: base LambdaCDM best fit of Planck 2018 results VI (A&A 641, A6, 2020), table 2,
TT,TE,EE+lowE+lensing, rounded as that paper rounds them. Needs Python 3 and CAMB
(pip install camb).
Repeat:  python3 tools/make_lcdm_spectrum.py > data/lcdm_planck2018_cl.txt
"""

import sys

import camb

LMAX = 4096
MARGIN = 1500  # lensing moves power over several hundred degrees; CAMB wants room above LMAX
COSMOLOGY = dict(H0=67.36, ombh2=0.02237, omch2=0.1200, omk=0.0, tau=0.0544, mnu=0.06)
PRIMORDIAL = dict(As=2.1e-9, ns=0.9649, r=0.0)
ACCURACY = dict(AccuracyBoost=1.5, lAccuracyBoost=1.5, lSampleBoost=2.0)
LENS_POTENTIAL_ACCURACY = 3
MEAN_TEMPERATURE_K = 2.7255


def compute():
    """Returned: array [l, (TT, EE, BB, TE)] of D_l in microkelvin^2."""
    parameters = camb.CAMBparams()
    parameters.set_cosmology(TCMB=MEAN_TEMPERATURE_K, **COSMOLOGY)
    parameters.InitPower.set_params(**PRIMORDIAL)
    parameters.set_accuracy(**ACCURACY)
    parameters.set_for_lmax(LMAX + MARGIN, lens_potential_accuracy=LENS_POTENTIAL_ACCURACY)
    parameters.WantTensors = False
    results = camb.get_results(parameters)
    return results.get_lensed_scalar_cls(LMAX, CMB_unit="muK")


def header():
    values = {**COSMOLOGY, **PRIMORDIAL, "TCMB": MEAN_TEMPERATURE_K}
    accuracy = {**ACCURACY, "lens_potential_accuracy": LENS_POTENTIAL_ACCURACY,
                "lmax": LMAX + MARGIN}
    return [
        "Lensed scalar CMB spectra of LambdaCDM, Planck 2018 best fit (A&A 641, A6, table 2)",
        f"Made by tools/make_lcdm_spectrum.py with CAMB {camb.__version__}",
        "Repeat: python3 tools/make_lcdm_spectrum.py > data/lcdm_planck2018_cl.txt",
        "Parameters: " + ", ".join(f"{name} = {value:g}" for name, value in values.items()),
        "  H0 in km/s/Mpc, mnu in eV (one massive neutrino), TCMB in K, pivot scale 0.05/Mpc;",
        "  helium from big bang nucleosynthesis,"
        " non-linear lensing by CAMB's default (HMCode 2020)",
        "Accuracy: " + ", ".join(f"{name} = {value:g}" for name, value in accuracy.items()),
        "Columns of D_l = l(l+1)C_l/2pi in microkelvin^2",
        "unit: uK^2",
        "l TT EE BB TE",
    ]


def main():
    spectra = compute()
    for line in header():
        print("#", line)
    for degree in range(2, LMAX + 1):
        print(degree, *(f"{value:.6e}" for value in spectra[degree]))
    print("repeat: python3", sys.argv[0], "> data/lcdm_planck2018_cl.txt", file=sys.stderr)


if __name__ == "__main__":
    main()
