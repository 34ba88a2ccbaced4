/* Oracle: synthesis and its adjoint as the sums they are, every (l, m) and every pixel, in long
 * double with lambda from lambda_oracle.h. For tiny lmax. */
#ifndef ARMILLA_TESTS_TRANSFORM_ORACLE_H
#define ARMILLA_TESTS_TRANSFORM_ORACLE_H

#include "armilla/grid.h"

/* map = Y alm. Given: alm  triangular, complex. Returned: the rings' pixels of map. */
void oracle_synthesis(int64_t nrings, const armilla_ring *rings, int64_t lmax, int64_t mmax,
                      const double *alm, double *map);

/* alm = Y^T map: a_lm = sum over pixels of f lambda_lm e^{-i m phi}. */
void oracle_adjoint_synthesis(int64_t nrings, const armilla_ring *rings, int64_t lmax, int64_t mmax,
                              const double *map, double *alm);

#endif
