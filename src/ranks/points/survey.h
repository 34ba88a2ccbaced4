/* What ranks must know of the points of all of them before one plan can be made. */
#ifndef ARMILLA_RANKS_POINTS_SURVEY_H
#define ARMILLA_RANKS_POINTS_SURVEY_H

#include "armilla/redistribution.h"
#include "points/survey.h"

/* The numbers of a rank's points among those of all ranks, which are 0, 1, and so on: spans by
 * place. */
typedef struct armilla_point_numbers {
    int64_t nspans;
    const armilla_span *spans;
} armilla_point_numbers;

typedef struct armilla_ranks_survey {
    int64_t all;       /* points of all ranks */
    armilla_span only; /* where numbers go rank by rank: those of this rank */
    armilla_points_extent extent;
} armilla_ranks_survey;

/* Collective. Given: status  of this rank so far, on which ranks agree here;  locations  of the
 * rank's own points;  numbers  of these, on all ranks or on none: NULL: rank by rank.
 * Errors: ARGUMENT (too many points), MEMORY, TRANSPORT: the same on all ranks. */
armilla_status armilla_ranks_survey_make(const armilla_transport *transport, armilla_status status,
                                         const armilla_points_locations *locations,
                                         const armilla_point_numbers *numbers,
                                         armilla_ranks_survey *survey);

#endif
