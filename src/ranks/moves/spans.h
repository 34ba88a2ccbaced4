/* Spans of distributions and of whole arrays, and what spans must fulfil
 * (armilla/redistribution.h).
 */
#ifndef ARMILLA_RANKS_MOVES_SPANS_H
#define ARMILLA_RANKS_MOVES_SPANS_H

#include "armilla/redistribution.h"
#include "base/status.h"

/* How far spans reach: the largest begin + count, and the largest place + count. */
typedef struct armilla_reach {
    int64_t number, place;
} armilla_reach;

/* Given:  name  "from" or "to", for messages.
 * Errors: ARGUMENT for negative numbers and for sums beyond int64_t. */
armilla_status armilla_spans_check(const char *name, int64_t count, const armilla_span *spans,
                                   armilla_reach *reach);

/* Errors: ARGUMENT where a place is in two spans, MEMORY. */
armilla_status armilla_spans_check_places(int64_t count, const armilla_span *spans);

/* The map of the whole grid, each pixel at its own index. Returned, given: as
 * armilla_distribution_map_spans. */
int64_t armilla_whole_map_spans(const armilla_grid *grid, armilla_span *spans);

/* The pixels of some rings in the grid's own numbers, those of a ring one behind the other from
 * places[ring] on; -1: the ring is left out. Returned, given: as armilla_distribution_map_spans. */
int64_t armilla_rings_map_spans(const armilla_grid *grid, const int64_t *places,
                                armilla_span *spans);

#endif
