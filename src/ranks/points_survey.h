/* What ranks must know of the points of all of them before one plan can be made. */
#ifndef ARMILLA_RANKS_POINTS_SURVEY_H
#define ARMILLA_RANKS_POINTS_SURVEY_H

#include "armilla/transport.h"
#include "points/survey.h"

/* Points are numbered rank by rank. */
typedef struct armilla_ranks_survey {
    int64_t first, all; /* number of the rank's first point; points of all ranks */
    armilla_points_extent extent;
} armilla_ranks_survey;

/* Collective. Given: status  of this rank so far, on which ranks agree here;  locations  of the
 * rank's own points.
 * Errors: ARGUMENT (too many points), MEMORY, TRANSPORT: the same on all ranks. */
armilla_status armilla_ranks_survey_make(const armilla_transport *transport, armilla_status status,
                                         const armilla_points_locations *locations,
                                         armilla_ranks_survey *survey);

/* Collective. Adds up what all ranks have: `count` numbers >= 0, the same on all ranks. Given and
 * errors as above. */
armilla_status armilla_ranks_add(const armilla_transport *transport, armilla_status status,
                                 int64_t count, int64_t *values);

#endif
