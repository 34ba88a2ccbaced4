/* Oracle: spin-weighted spherical harmonics in high precision.
 *
 *   sY_lm(theta, phi) = slambda_lm(theta) e^{i m phi}, orthonormal, raised from the Y_lm of
 *   lambda_oracle.h by edh = -(sin theta)^s (d/dtheta + i / sin theta d/dphi) (sin theta)^-s:
 *   edh sY_lm = sqrt((l-s) (l+s+1)) (s+1)Y_lm   (Goldberg et al. 1967; s, m of any sign).
 *
 * The one convention of a field of spin s of any sign:
 *
 *   Q + i U = -sum over l, m of (E + i B)_lm sY_lm,  E_{l,-m} = (-1)^m conj E_lm, B alike
 *
 * which nothing here splits into two real functions, as the library does. theta is an exact double.
 */
#ifndef ARMILLA_TESTS_SPIN_ORACLE_H
#define ARMILLA_TESTS_SPIN_ORACLE_H

#include "armilla/grid.h"

/* By the explicit sum, with as many bits as its cancellation needs.
 * Given:    |m|, |spin| <= l;  theta  radians, 0 .. pi.
 * Returned: slambda_lm(theta), rounded once to double. */
double oracle_spin_value(int64_t l, int64_t m, int64_t spin, double theta);

/* By the three-term recurrence in l, 320 bits, from the first value of the explicit sum.
 * Given:    spin != 0;  |m| <= lmax.
 * Returned: value[l - |m|], l = |m| .. lmax; 0 for l < |spin|. */
void oracle_spin_row(int64_t m, int64_t spin, int64_t lmax, double theta, double *value);

/* Returned: max over theta of |slambda_lm|, relative error below 1e-2 and never too large. */
double oracle_spin_peak(int64_t l, int64_t m, int64_t spin);

/* peak[l - |m|] for l = |m| .. lmax: as oracle_lambda_peaks; 0 for l < |spin|. */
void oracle_spin_peaks(int64_t m, int64_t spin, int64_t lmax, double *peak);

/* map = Y alm. Given: alm  E, then B, triangular. Returned: the rings' pixels of q and u. */
typedef struct {
    int64_t nrings;
    const armilla_ring *rings;
    int64_t lmax, mmax, spin;
} oracle_spin_problem;

void oracle_spin_synthesis(const oracle_spin_problem *p, const double *alm, double *q, double *u);

/* alm = Y^T map in the inner products of armilla/sht.h. */
void oracle_spin_adjoint(const oracle_spin_problem *p, const double *q, const double *u,
                         double *alm);

#endif
