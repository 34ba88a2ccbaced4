/* Sums over ranks. */
#ifndef ARMILLA_RANKS_MOVES_SUMS_H
#define ARMILLA_RANKS_MOVES_SUMS_H

#include "armilla/transport.h"

/* Collective. Replaces `count` numbers >= 0, the same count on all ranks, by their sums.
 * Given:  status  of this rank so far, on which ranks agree here.
 * Errors: MEMORY, TRANSPORT: the same on all ranks. */
armilla_status armilla_ranks_add(const armilla_transport *transport, armilla_status status,
                                 int64_t count, int64_t *values);

#endif
