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

/* What a power spectrum counts. All are sums over the orders of a degree. */
typedef enum armilla_power {
    ARMILLA_POWER_MEAN = 0,     /* mean of f g over the sphere: SHTOOLS' power */
    ARMILLA_POWER_INTEGRAL = 1, /* integral of f g over the sphere: SHTOOLS' energy */
    ARMILLA_POWER_SQUARES = 2   /* products of the coefficients of a norm: an l2 norm */
} armilla_power;

/* What a value of a power spectrum belongs to. */
typedef enum armilla_power_unit {
    ARMILLA_POWER_PER_DEGREE = 0,   /* a degree: per_l */
    ARMILLA_POWER_PER_ORDER = 1,    /* one of its 2 l + 1 orders: per_lm */
    ARMILLA_POWER_PER_LOGARITHM = 2 /* a unit of the natural logarithm of l: l times the first */
} armilla_power_unit;

/* Power of each degree, real fields: with S = sum over m of a_lm conj(b_lm), m of both signs,
 * S / (4 pi), S, and (for ARMILLA_POWER_SQUARES) S, S / (4 pi), (2 l + 1) S / (4 pi) in the
 * orthonormal, the 4 pi and Schmidt's norm; divided by 2 l + 1, or times l, as the unit says.
 * Given:    alm_a, alm_b  complex, triangular layout; the same pointer twice for one field;
 *           what  an armilla_power;  unit  an armilla_power_unit;
 *           normalization  an armilla_normalization (armilla/convention.h) for
 *           ARMILLA_POWER_SQUARES, of real or of complex harmonics, whose sums are the same;
 *           else not used. Unnormalised coefficients have no such sum.
 * Returned: power  lmax + 1 values, unit a * unit b.
 * Errors:   ARGUMENT, MEMORY.
 * Reference: Wieczorek & Meschede 2018, Geochem. Geophys. Geosyst. 19, 2574. */
ARMILLA_API armilla_status armilla_spectrum_power(int64_t lmax, int64_t mmax, const double *alm_a,
                                                  const double *alm_b, int what, int normalization,
                                                  int unit, double *power);

/* Lowes' spectrum of a magnetic potential V = a sum (a/r)^(l+1) (g cos m phi + h sin m phi) P_lm
 * of Schmidt's norm: R_l = (l + 1) (a/r)^(2 l + 4) sum over m of (g^2 + h^2), the mean square of
 * the field of degree l over the sphere of radius r.
 * Given:    alm  complex, triangular layout: of V / a at r = a, in the unit of the field
 *           (armilla_convention_to_alm makes them from g and h);
 *           ratio  a / r, finite, > 0: reference radius over that of the sphere.
 * Returned: power  lmax + 1 values, unit^2.
 * Errors:   ARGUMENT (also where a value leaves the doubles: names l), MEMORY.
 * Reference: Lowes 1966, J. Geophys. Res. 71, 2179. */
ARMILLA_API armilla_status armilla_spectrum_lowes(int64_t lmax, int64_t mmax, const double *alm,
                                                  double ratio, double *power);

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
