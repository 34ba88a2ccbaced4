/* Deals units of work to ranks so that all have about as much. */
#ifndef ARMILLA_RANKS_DEAL_H
#define ARMILLA_RANKS_DEAL_H

#include "base/status.h"

/* Given:    cost >= 0 of each unit, neighbours alike;  nmembers >= 1.
 * Returned: member[nunits]  0 .. nmembers - 1; the same everywhere, since costs are whole numbers.
 * Errors:   MEMORY. */
armilla_status armilla_deal(int64_t nunits, const int64_t *cost, int64_t nmembers, int64_t *member);

#endif
