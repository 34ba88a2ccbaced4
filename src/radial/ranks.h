/* What the calls of a plan ask of other ranks where its maps are those of one rank: src/ranks fills
 * this in. All functions are collective. */
#ifndef ARMILLA_RADIAL_RANKS_H
#define ARMILLA_RADIAL_RANKS_H

#include "radial/sums.h"

typedef struct armilla_radial_ranks {
    void *context;
    double units;     /* of progress of a sum */
    int most_threads; /* of a call */

    /* As armilla_radial_sum. */
    armilla_status (*sum)(void *context, const armilla_radial_call *call, const armilla_maps *maps);

    /* The status of all ranks. */
    armilla_status (*agree)(void *context, armilla_status status);

    /* Replaces *value, at least 0, by the largest of all ranks. */
    armilla_status (*largest)(void *context, double *value);
} armilla_radial_ranks;

/* What all ranks do next: this rank's status where there are no others. */
static inline armilla_status armilla_radial_agree(const armilla_radial *radial,
                                                  armilla_status status)
{
    return radial->ranks ? radial->ranks->agree(radial->ranks->context, status) : status;
}

#endif
