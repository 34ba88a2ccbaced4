/* A call on a plan of any mode, with weights or without. */
#ifndef ARMILLA_RADIAL_APPLY_H
#define ARMILLA_RADIAL_APPLY_H

#include "radial/sums.h"

/* Units of progress that the call advances by. */
double armilla_radial_units(const armilla_radial_call *call);

/* With weights (sum of weights times map) over (sum of weights): see armilla_radial_job.
 * Errors: MEMORY, CANCELLED. */
armilla_status armilla_radial_apply(const armilla_radial_call *call, const armilla_maps *maps);

/* sums[pixel] = sum of weights and kernel values around it, of spin 2 of the scalar kernel, without
 * divisors. Given: values, of each pixel; or NULL: weights of 1, which ones[npix] then holds.
 * Errors: MEMORY, CANCELLED. */
armilla_status armilla_radial_sum_weights(const armilla_radial_call *call, const double *values,
                                          double *ones, double *sums);

/* Bytes that a call without weights takes for so many maps, of spin 2 two for each pair. */
int64_t armilla_radial_call_bytes(const armilla_radial *radial, int64_t nmaps, int nthreads);

#endif
