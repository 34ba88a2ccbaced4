/* Plans whose rings have fewer orders than matter there: the caller's, or ecTrans', limits. */
#ifndef ARMILLA_SHT_RING_ORDERS_H
#define ARMILLA_SHT_RING_ORDERS_H

#include "sht/plan.h"

/* Do options of a plan on this grid go together with its ring_orders? Errors: ARGUMENT,
 * UNSUPPORTED, which name the option. */
armilla_status armilla_ring_orders_check(const armilla_grid *grid, int64_t lmax,
                                         const armilla_sht_options *options);

/* Lowers the limits of the plan's pairs, which are made, and says whether anything is missing then.
 * Errors: ARGUMENT (a list that pairs cannot have), MEMORY. */
armilla_status armilla_ring_orders_cut(const armilla_sht_options *options, armilla_sht *sht);

#endif
