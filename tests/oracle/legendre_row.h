/* lambda_lm of one order by the kernels and tables of the transforms. */
#ifndef ARMILLA_TESTS_ORACLE_LEGENDRE_ROW_H
#define ARMILLA_TESTS_ORACLE_LEGENDRE_ROW_H

#include "base/cpu.h"
#include "base/status.h"

/* lambda_lm(theta) for l = m .. lmax. Error: <= 5e-16 max(l, 100) times the largest |lambda_lm| of
 * the degree. Errors: MEMORY. */
armilla_status legendre_row(armilla_isa isa, int64_t lmax, int64_t m, double theta, double *lambda);

#endif
