/* The sums of a plan, by the methods that it chose. */
#ifndef ARMILLA_RADIAL_SUMS_H
#define ARMILLA_RADIAL_SUMS_H

#include "radial/pixels/pixels.h"
#include "radial/plan.h"

/* Weights of pixels, and what a pixel is where the weights around it are below `least` of all. */
typedef struct armilla_radial_weights {
    const double *values;
    double least, fill;
} armilla_radial_weights;

/* What a call asks for. The maps go beside it from hand to hand. */
typedef struct armilla_radial_call {
    const armilla_radial *radial;
    int transposed;                        /* weights of the grid come last */
    int plain;                             /* without the divisors of SUM */
    const armilla_radial_weights *weights; /* NULL: none */
    int weights_there;                     /* in the memory of the GPU */
    double weight_scale;                   /* of weights beside maps there, but by PIXELS */
    int64_t nmaps;                         /* of spin 2 two for each pair */
    int nthreads;
    armilla_progress *progress;
    const struct armilla_mixing_spectra *spectra; /* see armilla_mixing_job; NULL: none */
} armilla_radial_call;

/* What PIXELS has to do in a call. */
armilla_radial_job armilla_radial_make_job(const armilla_radial_call *call);

/* Do the divisors of a map come before the sums? */
int armilla_radial_divides_first(const armilla_radial_call *call);

/* Units of progress of a call. */
double armilla_radial_sum_units(const armilla_radial *radial);

/* Bytes that sums of so many maps at once, of spin 2 two for each pair, take. */
int64_t armilla_radial_sum_bytes(const armilla_radial *radial, int64_t nmaps, int nthreads);

/* Given: a plan whose mode is EXACT; up to ARMILLA_RADIAL_MAPS maps; weights for plans of spin 0
 * without a mixing.
 * Errors: MEMORY, CANCELLED. */
armilla_status armilla_radial_sum(const armilla_radial_call *call, const armilla_maps *maps);

/* Where a sum of weights is below *least, there is nothing but rounding; what that is for the
 * largest of them. Errors: TRANSPORT. */
double armilla_radial_nothing_of(double largest);
armilla_status armilla_radial_nothing(const armilla_radial *radial, const double *weights,
                                      double *least);

/* What weights are multiplied by beside maps, so that products have a map's size, which floats have
 * room for, whatever the weights' unit is. nothing: of their largest one. */
double armilla_radial_weight_scale(double nothing);

/* Maps over the divisors of a plan that has a map of them. */
void armilla_radial_divide(const armilla_radial *radial, int64_t nmaps, const armilla_maps *maps);

#endif
