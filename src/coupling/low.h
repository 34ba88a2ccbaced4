/* Rows of low degrees of the matrix of two pure fields, each number from 3j symbols. M_ll' of
 * scalars is there multiplied by (l' / l)^4, and so is what rounding leaves of it where it is
 * small: by 1e12 at l = 2. Other rows are products at nodes (product.h). */
#ifndef ARMILLA_COUPLING_LOW_H
#define ARMILLA_COUPLING_LOW_H

#include "coupling/plan.h"

/* How many rows there are, from l = 0 on: 0 of a plan without two pure fields. */
int64_t armilla_coupling_count_low(int64_t lmax, int npure);

/* Makes coupling->low. masks[nmasks][lmask + 1]. Errors: MEMORY. */
armilla_status armilla_coupling_make_low(armilla_coupling *coupling, const double *masks);

/* out_l = sum over l' of M_ll' in_l' for the rows, others are left as they are; and out_l' += sum
 * over the rows of M_ll' in_l, of spectra [lmax + 1]. */
void armilla_coupling_low_apply(const armilla_coupling *coupling, int64_t mask, const double *in,
                                double *out);
void armilla_coupling_low_adjoint(const armilla_coupling *coupling, int64_t mask, const double *in,
                                  double *out);

/* Adds to mask[lmask + 1] the gradient of the sum over the rows of g_l M_ll' cl_l'. */
armilla_status armilla_coupling_low_mask_adjoint(const armilla_coupling *coupling, const double *cl,
                                                 const double *g, double *mask);

#endif
