/* Counts the work of orders and of rings without doing it.
 *
 * The Legendre stage costs as much for each degree l = m .. lmax on each pair where order m
 * matters, once more for the degrees whose functions are large enough to be summed, and something
 * for the ends of rows and pairs:
 *
 *     cost(m) = sum over pairs with limit >= m of (lmax + 1 - m) + (lmax + 1 - first degree)
 *               + EDGE (degrees + pairs)
 *
 * On a pair, functions of degree lmax are large enough up to order `limit`, those of order m from
 * degree m (lmax + 1) / (limit + 1) on, about: the first degree. Instructions of the stage (AVX2,
 * lmax 2047, twelve orders from 0 to 2000) are 0.67 cost(m), to 1.1 %.
 *
 * Where the theta stage follows, each order also costs something for the circle that is transformed
 * and something for each pair of the grid with limit >= m (lmax 1279, nside 640, the orders 0 to
 * 31, 0 to 639 and all). */
#include "ranks/costs.h"

#include "sht/flow.h"

enum {
    EDGE = 75,
    CIRCLE = 115, /* for each degree up to lmax */
    FAR_PAIR = 120,
    PARTS = 256 /* of a degree, in which first degrees are added */
};

/* PARTS times the first degree of an order over that order. */
static int64_t first_degree(const armilla_ring_pairs *pairs, int64_t lmax, int64_t pair)
{
    return PARTS * (lmax + 1) / (pairs->limit[pair] + 1);
}

static void count_orders(const armilla_ring_pairs *pairs, int64_t lmax, int64_t mmax, int64_t *cost)
{
    int64_t first = 0, starts = 0;
    for (int64_t i = 0; i < pairs->count; i++) starts += first_degree(pairs, lmax, i);
    for (int64_t m = 0; m <= mmax; m++) {
        while (first < pairs->count && pairs->limit[first] < m)
            starts -= first_degree(pairs, lmax, first++);
        const int64_t npairs = pairs->count - first, ndegrees = lmax + 1 - m;
        cost[m] = npairs * (ndegrees + lmax + 1) - starts / PARTS * m - starts % PARTS * m / PARTS +
                  (npairs ? EDGE * (npairs + ndegrees) : 0);
    }
}

static void add_theta(const armilla_ring_pairs *far, int64_t lmax, int64_t mmax, int64_t *cost)
{
    int64_t first = 0;
    for (int64_t m = 0; m <= mmax; m++) {
        while (first < far->count && far->limit[first] < m) first++;
        cost[m] += CIRCLE * (lmax + 1) + FAR_PAIR * (far->count - first);
    }
}

armilla_status armilla_order_costs(const armilla_ring_pairs *pairs, int fewer, int64_t lmax,
                                   int64_t mmax, int64_t *cost)
{
    armilla_ring_pairs near = {.count = 0};
    armilla_status status = fewer ? armilla_flow_coarse_pairs(lmax, mmax, 0, &near) : ARMILLA_OK;
    if (!status) count_orders(fewer ? &near : pairs, lmax, mmax, cost);
    if (!status && fewer) add_theta(pairs, lmax, mmax, cost);
    armilla_ring_pairs_clear(&near);
    return status;
}

/* n log n of a Fourier transform, and reading and writing the samples. */
static int64_t cost_of_ring(const armilla_ring *ring)
{
    int64_t log = 2;
    for (int64_t n = ring->nphi; n > 1; n /= 2) log++;
    return ring->nphi * log;
}

int64_t armilla_pair_cost(const armilla_grid *grid, int64_t limit, int64_t north, int64_t south)
{
    int64_t cost = 4 * (limit + 1);
    if (north >= 0) cost += cost_of_ring(&grid->rings[north]);
    if (south >= 0) cost += cost_of_ring(&grid->rings[south]);
    return cost;
}
