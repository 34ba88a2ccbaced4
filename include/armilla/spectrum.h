/* Angular power spectra and windows in harmonic space. */
#ifndef ARMILLA_SPECTRUM_H
#define ARMILLA_SPECTRUM_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* cl[l] = sum over m of a_lm conj(b_lm) / (2 l + 1), m from -min(l, mmax) to min(l, mmax), real
 * fields.
 * Given:    alm_a, alm_b  complex, triangular layout; the same pointer twice for an auto spectrum.
 * Returned: cl  lmax + 1 values, unit a * unit b.
 * Errors:   ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_spectrum_compute(int64_t lmax, int64_t mmax, const double *alm_a,
                                                    const double *alm_b, double *cl);

/* Window of a Gaussian beam of unit integral: b_l = exp(-(l (l + 1) - spin^2) sigma^2 / 2),
 * sigma = fwhm / sqrt(8 ln 2).
 * Given:    0 <= fwhm_rad <= pi, full width at half maximum, radians;  spin >= 0;  lmax >= 0.
 * Returned: window  lmax + 1 values (0 for l < spin).
 * Errors:   ARGUMENT.
 * Reference: Challinor et al. 2000, PRD 62, 123002 for spin > 0; as healpy's gauss_beam. */
ARMILLA_API armilla_status armilla_spectrum_gaussian_beam(double fwhm_rad, int64_t spin,
                                                          int64_t lmax, double *window);

#ifdef __cplusplus
}
#endif
#endif
