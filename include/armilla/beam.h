/* Coefficients of beams, which armilla/beams.h takes: elliptical Gaussians in closed form, and sums
 * of symmetric kernels.
 *
 * A beam looks along the z axis, and its own x axis is to the south of it when it is turned to a
 * direction without psi. Its coefficients b_lk, |k| <= kmax, are those of a real field, complex, in
 * the triangular layout of armilla/alm.h with kmax for mmax: armilla_alm_size(lmax, kmax) of a
 * component. A beam whose integral over the sphere is 1 has b_00 = 1 / sqrt(4 pi).
 *
 * Angles in radians. Thread rule: any number of threads may call these functions at once.
 *
 * References: Challinor et al. 2000, PRD 62, 123002; docs/mathematics.md 15. */
#ifndef ARMILLA_BEAM_H
#define ARMILLA_BEAM_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The beam of an elliptical Gaussian that sees T: with u and v, the standard deviations of the long
 * and the short axis, for even k
 *   b_lk = sqrt((2 l + 1) / 4 pi) exp(-l (l + 1) (u^2 + v^2) / 4) I_{k/2}(z) e^{-i k psi},
 *   z = l (l + 1) (u^2 - v^2) / 4
 * and 0 for odd k: the closed form for narrow beams, with l (l + 1) for the square of the
 * frequency. Symmetric beams are the windows of armilla_spectrum_gaussian_beam; the pattern of
 * others is off by about the square of their width.
 * Given:    0 <= fwhm_min <= fwhm_max <= pi, full widths at half maximum of both axes;  psi  angle
 *           of the long axis, from the beam's x axis towards its y axis;  0 <= kmax <= lmax.
 * Returned: beam  [armilla_alm_size(lmax, kmax)]; its integral is 1.
 * Errors:   ARGUMENT, MEMORY. Error of a number: some 1e-14 of b_l0, with large kmax and psi
 *           k psi times 1e-16 more. */
ARMILLA_API armilla_status armilla_beam_elliptical(double fwhm_min, double fwhm_max, double psi,
                                                   int64_t lmax, int64_t kmax, double *beam);

/* The same beam behind a polariser: the detector sees T + Q cos 2a + U sin 2a, with
 * a = psi of the pointing + polarisation, smoothed.
 * Given:    as above;  polarisation  angle of the polariser, from the beam's x axis;
 *           0 <= cross_polar <= 1, the leakage e: Q and U are seen (1 - e) / (1 + e) times.
 * Returned: beam  [3][armilla_alm_size(lmax, kmax)]: T, E and B.
 * Errors:   as above. */
ARMILLA_API armilla_status armilla_beam_elliptical_polarised(double fwhm_min, double fwhm_max,
                                                             double psi, double polarisation,
                                                             double cross_polar, int64_t lmax,
                                                             int64_t kmax, double *beam);

/* A sum of symmetric kernels at offsets from the axis, exactly:
 *   b_lk = sum over kernels of weight w_l conj(Y_lk(offset))
 * with windows w_l as in armilla/kernel.h.
 * Given:    nkernels >= 1;  offsets  [nkernels][2], colatitude, 0 .. pi, and longitude of the
 *           centre of each kernel in the frame of the beam;  weights  [nkernels];  nwindows  1 (all
 *           kernels have the same window) or nkernels;  windows  [nwindows][lmax + 1];
 *           0 <= kmax <= lmax.
 * Returned: beam  [armilla_alm_size(lmax, kmax)]. Must not overlap the others.
 * Errors:   ARGUMENT (names the first number that is wrong), MEMORY. */
ARMILLA_API armilla_status armilla_beam_sum_of_kernels(int64_t nkernels, const double *offsets,
                                                       const double *weights, int64_t nwindows,
                                                       const double *windows, int64_t lmax,
                                                       int64_t kmax, double *beam);

#ifdef __cplusplus
}
#endif
#endif
