/* Counts exactly how evenly ranks share a transform: no message is sent and nothing is timed.
 *
 *   bench_balance [gl|healpix] LMAX [RANKS...]      without RANKS: 1, 2, 4, ... 16384
 *
 * Gauss-Legendre grids have lmax + 1 rings of 2 lmax + 2 pixels, HEALPix has nside = (lmax + 1)
 * / 2. A line of JSON for each number of ranks has, for each of these quantities, the mean over
 * ranks and the largest of any rank:
 *
 *   work       armilla_distribution_order_cost
 *   ring_work  armilla_distribution_ring_cost
 *   orders     how many the rank has
 *   alm, pixels    numbers that the rank holds, of one component
 *   sent, received bytes of a scalar synthesis: entries (m, pair) with m <= limit[pair] whose order
 *              and pair are on two ranks, 32 bytes each; an analysis sends what a synthesis gets
 *
 * Which rank has what is asked of the public functions; which pairs an order has is not public,
 * which is why this driver, as bench_kernels, sees the library's internals. */
#include "base/memory.h"
#include "grid/grid.h"
#include "leg/pairs.h"
#include "ranks/distribution.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 16384, ENTRY_BYTES = 32 };

typedef struct {
    const char *name;
    int64_t lmax;
    armilla_grid *grid;
    armilla_ring_pairs pairs;
} problem;

static int report(armilla_status status, const char *what)
{
    if (status) fprintf(stderr, "bench_balance: %s: %s\n", what, armilla_status_message());
    return status != ARMILLA_OK;
}

/* --- The problem ------------------------------------------------------------------------------ */

static armilla_status new_grid(const char *name, int64_t lmax, armilla_grid **grid)
{
    return strcmp(name, "gl") == 0 ? armilla_grid_new_gauss_legendre(lmax + 1, 2 * lmax + 2, grid)
                                   : armilla_grid_new_healpix((lmax + 1) / 2, grid);
}

static armilla_status open_problem(const char *name, int64_t lmax, problem *p)
{
    double *theta = NULL;
    armilla_status status;
    *p = (problem){.name = name, .lmax = lmax};
    if ((status = new_grid(name, lmax, &p->grid)) ||
        (status = armilla_grid_copy_theta(p->grid, &theta)))
        return status;
    status = armilla_ring_pairs_make(p->grid->nrings, theta, lmax, lmax, 0, &p->pairs);
    armilla_release(theta);
    return status;
}

static void close_problem(problem *p)
{
    armilla_grid_free(p->grid);
    armilla_ring_pairs_clear(&p->pairs);
}

/* --- Ranks ------------------------------------------------------------------------------------ */

typedef struct {
    const char *name;
    int64_t sum, largest;
} quantity;

static void add(quantity *q, int64_t value)
{
    q->sum += value;
    if (value > q->largest) q->largest = value;
}

/* What a rank has, as lists of the caller. */
typedef struct {
    int64_t norders, nrings, *orders, *rings;
    int64_t *limits; /* of the rank's pairs, rising */
    int64_t npairs;
} belongings;

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* pair_of: of each ring. A pair's southern ring comes later than its northern one. */
static void take(const armilla_distribution *d, int64_t rank, const problem *p,
                 const int64_t *pair_of, belongings *b)
{
    b->norders = armilla_distribution_orders(d, rank, b->orders);
    b->nrings = armilla_distribution_rings(d, rank, b->rings);
    b->npairs = 0;
    for (int64_t i = 0; i < b->nrings; i++) {
        const int64_t pair = pair_of[b->rings[i]];
        const int alone = p->pairs.north[pair] < 0;
        if (p->pairs.north[pair] == b->rings[i] || alone)
            b->limits[b->npairs++] = p->pairs.limit[pair];
    }
    qsort(b->limits, (size_t)b->npairs, sizeof *b->limits, compare);
}

/* Entries of the rank's orders on all pairs, of all orders on its pairs, and of both. */
static void count_entries(const problem *p, const belongings *b, int64_t *of_orders,
                          int64_t *of_pairs, int64_t *own)
{
    *of_orders = *of_pairs = *own = 0;
    for (int64_t i = 0; i < b->npairs; i++) *of_pairs += b->limits[i] + 1;
    for (int64_t i = 0, first = 0; i < b->norders; i++) { /* orders rise */
        const int64_t m = b->orders[i];
        while (first < b->npairs && b->limits[first] < m) first++;
        *own += b->npairs - first;
        *of_orders += p->pairs.count - armilla_ring_pairs_first(&p->pairs, m);
    }
}

enum { WORK, RING_WORK, ORDERS, ALM, PIXELS, SENT, RECEIVED, QUANTITIES };

static void count_rank(const armilla_distribution *d, int64_t rank, const problem *p,
                       const belongings *b, quantity *found)
{
    int64_t of_orders, of_pairs, own;
    count_entries(p, b, &of_orders, &of_pairs, &own);
    add(&found[WORK], armilla_distribution_order_cost(d, rank));
    add(&found[RING_WORK], armilla_distribution_ring_cost(d, rank));
    add(&found[ORDERS], b->norders);
    add(&found[ALM], armilla_distribution_alm_size(d, rank));
    add(&found[PIXELS], armilla_distribution_npix(d, rank));
    add(&found[SENT], ENTRY_BYTES * (of_orders - own));
    add(&found[RECEIVED], ENTRY_BYTES * (of_pairs - own));
}

static void print(const problem *p, int64_t nranks, const quantity *found)
{
    printf("{\"grid\": \"%s\", \"lmax\": %lld, \"ranks\": %lld", p->name, (long long)p->lmax,
           (long long)nranks);
    for (int i = 0; i < QUANTITIES; i++)
        printf(", \"%s\": {\"mean\": %.17g, \"largest\": %lld}", found[i].name,
               (double)found[i].sum / (double)nranks, (long long)found[i].largest);
    printf("}\n");
    fflush(stdout);
}

static int count_ranks(const problem *p, int64_t nranks, const int64_t *pair_of, belongings *b)
{
    quantity found[QUANTITIES] = {{"work", 0, 0},    {"ring_work", 0, 0}, {"orders", 0, 0},
                                  {"alm", 0, 0},     {"pixels", 0, 0},    {"sent", 0, 0},
                                  {"received", 0, 0}};
    armilla_distribution *d;
    if (report(armilla_distribution_new(p->grid, p->lmax, p->lmax, nranks, NULL, &d), p->name))
        return 1;
    for (int64_t rank = 0; rank < nranks; rank++) {
        take(d, rank, p, pair_of, b);
        count_rank(d, rank, p, b, found);
    }
    print(p, nranks, found);
    armilla_distribution_free(d);
    return 0;
}

/* --- All -------------------------------------------------------------------------------------- */

static void list_pairs(const problem *p, int64_t *pair_of)
{
    for (int64_t i = 0; i < p->pairs.count; i++) {
        if (p->pairs.north[i] >= 0) pair_of[p->pairs.north[i]] = i;
        if (p->pairs.south[i] >= 0) pair_of[p->pairs.south[i]] = i;
    }
}

static int run(const problem *p, int count, char **ranks)
{
    const int64_t norders = p->lmax + 1, nrings = p->grid->nrings;
    int64_t *room; /* orders, rings, limits, pairs of rings */
    int failed = report(armilla_allocate(&room, norders + 3 * nrings, sizeof *room), "lists");
    if (failed) return 1;
    belongings b = {.orders = room, .rings = room + norders, .limits = room + norders + nrings};
    int64_t *pair_of = room + norders + 2 * nrings;
    list_pairs(p, pair_of);
    for (int i = 0; i < count && !failed; i++)
        failed = count_ranks(p, strtoll(ranks[i], NULL, 10), pair_of, &b);
    for (int64_t n = 1; count == 0 && n <= MOST_RANKS && !failed; n *= 2)
        failed = count_ranks(p, n, pair_of, &b);
    armilla_release(room);
    return failed;
}

int main(int argc, char **argv)
{
    problem p;
    if (argc < 3 || (strcmp(argv[1], "gl") != 0 && strcmp(argv[1], "healpix") != 0)) {
        fprintf(stderr, "usage: bench_balance gl|healpix LMAX [RANKS...]\n");
        return 2;
    }
    int failed = report(open_problem(argv[1], strtoll(argv[2], NULL, 10), &p), argv[1]);
    if (!failed) failed = run(&p, argc - 3, argv + 3);
    close_problem(&p);
    return failed;
}
