/* Coefficients of some degrees, all orders of them: order after order, l = max(m, first) .. end
 * - 1. */
#ifndef ARMILLA_ALM_DEGREE_ROWS_H
#define ARMILLA_ALM_DEGREE_ROWS_H

#include "armilla/status.h"

typedef struct armilla_degree_rows {
    int64_t lmax, mmax; /* of all coefficients */
    int64_t first, end; /* degrees first .. end - 1 */
    int64_t *start;     /* mmax + 1: a_lm is complex number start[m] + l */
    int64_t size;       /* complex numbers */
} armilla_degree_rows;

/* Sums over orders of these degrees, as armilla_spectrum_compute makes them.
 * Returned: cl  of degrees first .. end - 1, at their places among all lmax + 1. Errors: MEMORY. */
armilla_status armilla_degree_rows_spectrum(const armilla_degree_rows *rows, const double *alm_a,
                                            const double *alm_b, double *cl);

#endif
