/* Products of families of functions with one another: of bands with bands, which need the functions
 * at the nodes and no way back to degrees,
 *
 *     out_bb' = sum over nodes of  weight xi_w f_b f'_b',    f_b = sum_l lambda_l row_l
 *
 * the same as (14.3) between rows of degrees. */
#ifndef ARMILLA_COUPLING_GRAM_H
#define ARMILLA_COUPLING_GRAM_H

#include "coupling/plan.h"

/* Families of as many functions each; both kinds of a plan have the same rows. */
typedef struct armilla_coupling_families {
    int64_t nbands;
    /* row[lmax + 1], zeros before; called by any thread, for different functions at once. */
    void (*give)(const void *context, int64_t family, int64_t band, double *row);
    const void *context;
} armilla_coupling_families;

/* A matrix between two families, through a mask. */
typedef struct armilla_coupling_meeting {
    int64_t mask, left, right;
} armilla_coupling_meeting;

/* Given:    meetings[count]; those that share families are best next to one another.
 * Returned: out  [count][nkinds][nbands][nbands], of M+ and M- where there are two kinds.
 * Errors:   MEMORY, CANCELLED. */
armilla_status armilla_coupling_gram(const armilla_coupling *coupling,
                                     const armilla_coupling_families *families, int64_t count,
                                     const armilla_coupling_meeting *meetings, double *out,
                                     const armilla_exec *exec);

#endif
