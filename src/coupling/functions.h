/* The functions of a coupling at nodes, all degrees: d^l_m,s and d^l_m,-s times sqrt(l + 1/2), by a
 * recurrence in the degree (docs/mathematics.md (14.4)). */
#ifndef ARMILLA_COUPLING_FUNCTIONS_H
#define ARMILLA_COUPLING_FUNCTIONS_H

#include "base/status.h"

/* What does not depend on the nodes, for each degree of one function. */
typedef struct armilla_wigner {
    int64_t lmax, m, s;       /* 0 <= m, |s| <= lmax */
    double *up, *back, *step; /* [lmax + 1], from degree l to l + 1 */
} armilla_wigner;

/* Errors: MEMORY; *wigner must be cleared all the same. */
armilla_status armilla_wigner_make(int64_t lmax, int64_t m, int64_t s, armilla_wigner *wigner);
void armilla_wigner_clear(armilla_wigner *wigner);

/* Given:    theta[count], 0 .. pi / 2; room[5 count].
 * Returned: values[lmax + 1][stride], count of each row; degrees below the larger of m and |s| are
 *           0. */
void armilla_wigner_fill(const armilla_wigner *wigner, int64_t count, const double *theta,
                         double *room, double *values, int64_t stride);

#endif
