/* Oracle: a potential in space with its local gradient and tensor, in long double, degree by
 * degree, from lambda_lm and its derivatives in theta; points and radius are exact. */
#ifndef ARMILLA_TESTS_SOLID_ORACLE_H
#define ARMILLA_TESTS_SOLID_ORACLE_H

#include <stdint.h>

/* Given:    alm in the default layout, mmax = lmax;  point  theta (not a pole), phi, r;  radius;
 *           interior  0 or 1.
 * Returned: value  V; V_r, V_t, V_p; V_rr, V_rt, V_rp, V_tt, V_tp, V_pp. With 64 bits errors are
 *           some 1e-19 l / sin(theta) of the largest term of a component. */
void oracle_solid(int64_t lmax, const double *alm, const double point[3], double radius,
                  int interior, long double value[10]);

#endif
