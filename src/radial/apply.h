/* The sums of a plan, by the methods that it chose. */
#ifndef ARMILLA_RADIAL_APPLY_H
#define ARMILLA_RADIAL_APPLY_H

#include "radial/pixels/pixels.h"

/* ntrans maps, map_distance values apart, and those of out `distance`; of spin 2 two for each pair.
 * transposed: weights come last. plain: without the divisors of SUM. */
typedef struct armilla_radial_call {
    const armilla_radial *radial;
    int transposed, plain;
    int64_t ntrans, map_distance, distance;
    armilla_array map, out;
    int nthreads;
    armilla_progress *progress;
} armilla_radial_call;

/* Units of progress that a call advances by; weighted: one of armilla_radial_apply_weighted. */
double armilla_radial_units(const armilla_radial_call *call, int weighted);

/* Bytes that a call of nmaps maps (pairs of spin 2) takes. */
int64_t armilla_radial_workspace_bytes(const armilla_radial *radial, int nthreads, int64_t nmaps);

/* Errors: MEMORY, CANCELLED. */
armilla_status armilla_radial_apply(const armilla_radial_call *call);

/* The same of (sum of weights v times map) over (sum of weights): see armilla_radial_job. */
armilla_status armilla_radial_apply_weighted(const armilla_radial_call *call, const double *weights,
                                             double least, double fill);

/* Fills the divisors of SUM. Errors: MEMORY. */
armilla_status armilla_radial_make_divisors(armilla_radial *radial);

#endif
