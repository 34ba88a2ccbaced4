/* Which orders matter on a ring (polar optimisation, docs/mathematics.md 2). */
#ifndef ARMILLA_BASE_POLAR_LIMIT_H
#define ARMILLA_BASE_POLAR_LIMIT_H

#include <stdint.h>

#define ARMILLA_POLAR_DECAY 42.0 /* exp(-42) = 6e-19 */

/* Returned: an order, at most lmax, above which |lambda_lm(theta)| < 1e-17 for all l <= lmax.
 * Given: lmax >= 0;  theta in [0, pi], radians. */
int64_t armilla_polar_limit(int64_t lmax, double theta);

/* The same for functions below about exp(-decay), decay <= ARMILLA_POLAR_DECAY. */
int64_t armilla_polar_limit_of_decay(int64_t lmax, double theta, double decay);

/* Returned: the decay E: functions of order m and degree lmax are about exp(-E) as large at theta
 * as where they oscillate, and E = 0 there. Given: 0 < m <= lmax + 1/2. */
double armilla_polar_decay(double m, int64_t lmax, double theta);

#endif
