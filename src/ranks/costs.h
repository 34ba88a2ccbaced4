/* What the stages of a transform cost, for each order and for each pair of rings: whole numbers, so
 * that all ranks deal alike. */
#ifndef ARMILLA_RANKS_COSTS_H
#define ARMILLA_RANKS_COSTS_H

#include "grid/grid.h"
#include "leg/pairs.h"

/* Work for each order, of a scalar: of the Legendre stage, and of the theta stage if there is one.
 * Given:    pairs  of the grid;  fewer: the Legendre stage works on the fewest equidistant rings
 *           instead, and the theta stage goes on from there to those of the grid.
 * Returned: cost[mmax + 1].
 * Errors:   MEMORY. */
armilla_status armilla_order_costs(const armilla_ring_pairs *pairs, int fewer, int64_t lmax,
                                   int64_t mmax, int64_t *cost);

/* Work of the ring stage for a pair with so large orders. Given: numbers of its rings, -1: none. */
int64_t armilla_pair_cost(const armilla_grid *grid, int64_t limit, int64_t north, int64_t south);

#endif
