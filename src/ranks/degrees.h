/* All orders of some degrees on each rank, for what sums over orders, or mixes them: coefficients
 * go from orders to ranges of degrees, and back. */
#ifndef ARMILLA_RANKS_DEGREES_H
#define ARMILLA_RANKS_DEGREES_H

#include "alm/degree_rows.h"
#include "armilla/distribution.h"
#include "armilla/redistribution.h"

/* Made of the transport and the distribution, which the caller sets. */
typedef struct armilla_rank_degrees {
    const armilla_transport *transport;
    const armilla_distribution *distribution;
    armilla_degree_rows rows;       /* of this rank */
    armilla_span *orders, *degrees; /* of this rank's numbers, by order and by degree */
    int64_t norders, ndegrees, own; /* spans; complex numbers by order */
} armilla_rank_degrees;

/* Ranges of degrees whose work, the power-th power of the degree in all, is the same. Not
 * collective. Errors: ARGUMENT, MEMORY, UNSUPPORTED; armilla_rank_degrees_close all the same. */
armilla_status armilla_rank_degrees_open(armilla_rank_degrees *t, int power);
void armilla_rank_degrees_close(armilla_rank_degrees *t);

/* From orders to degrees, or back: collective. Returned: *route  new. Errors: MEMORY, TRANSPORT. */
armilla_status armilla_rank_degrees_route(const armilla_rank_degrees *t, int back,
                                          armilla_redistribution **route);

/* What each rank knows of its degrees becomes known on all, in the bits that it has there. First
 * what a rank does not know of a row of numbers, of the degrees first .. lmax with `width` doubles
 * each, is marked; then all numbers are shared: collective. Errors: TRANSPORT. */
void armilla_rank_degrees_mark(const armilla_rank_degrees *t, int64_t first, int64_t width,
                               double *row);
armilla_status armilla_rank_degrees_share(const armilla_rank_degrees *t, int64_t count,
                                          double *values);

#endif
