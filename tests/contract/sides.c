/* The arrays on both sides of the contract's calls: which numbers they have, which of them a
 * process has, random numbers, and inner products. */
#include "contract/contract.h"

#include "grid/grid.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LMAX = CONTRACT_LMAX };

int64_t contract_size(const contract_side *side, const armilla_grid *grid)
{
    switch (side->kind) {
    case CONTRACT_ALM:
        return 2 * armilla_alm_size(LMAX, LMAX);
    case CONTRACT_COMPLEX_ALM:
        return 2 * (LMAX + 1) * (LMAX + 1);
    case CONTRACT_MAP:
        return side->unit * armilla_grid_npix(grid);
    default:
        return CONTRACT_POINTS;
    }
}

int64_t contract_first_point(int64_t rank, int64_t nranks)
{
    return rank * rank * CONTRACT_POINTS / (nranks * nranks); /* the first rank has few */
}

/* --- Numbers of a process -------------------------------------------------------------------- */

static void add(contract_numbers *n, int64_t own, int64_t whole, int64_t unit)
{
    for (int64_t i = 0; i < unit; i++, n->count++)
        n->own[n->count] = unit * own + i, n->whole[n->count] = unit * whole + i;
}

static void add_alm(contract_numbers *n, const contract_site *site)
{
    const armilla_distribution *d = site->distribution;
    const int64_t rank = d ? site->transport->rank : 0;
    n->size = 2 * (d ? armilla_distribution_alm_size(d, rank) : armilla_alm_size(LMAX, LMAX));
    for (int64_t m = 0; m <= LMAX; m++)
        for (int64_t l = m; l <= LMAX; l++) {
            const int64_t whole = armilla_alm_index(LMAX, l, m);
            const int64_t own = d ? armilla_distribution_alm_index(d, rank, l, m) : whole;
            if (own >= 0) add(n, own, whole, 2);
        }
}

static void add_map(contract_numbers *n, const contract_side *side, const contract_site *site)
{
    const armilla_distribution *d = site->distribution;
    const int64_t rank = d ? site->transport->rank : 0;
    n->size = side->unit * (d ? armilla_distribution_npix(d, rank) : armilla_grid_npix(site->grid));
    for (int64_t i = 0; i < armilla_grid_nrings(site->grid); i++) {
        armilla_ring ring;
        check_ok(armilla_grid_ring(site->grid, i, &ring));
        const int64_t first = d ? armilla_distribution_ring_offset(d, rank, i) : 0;
        for (int64_t j = 0; j < ring.nphi && first >= 0; j++) {
            const int64_t whole = armilla_grid_place(site->grid, i, j);
            add(n, d ? first + j : whole, whole, side->unit);
        }
    }
}

static void add_values(contract_numbers *n, const contract_site *site)
{
    const armilla_transport *t = site->transport;
    const int64_t first = t ? contract_first_point(t->rank, t->nranks) : 0;
    const int64_t end = t ? contract_first_point(t->rank + 1, t->nranks) : CONTRACT_POINTS;
    n->size = end - first;
    for (int64_t i = first; i < end; i++) add(n, i - first, i, 1);
}

contract_numbers contract_numbers_of(const contract_side *side, const contract_site *site)
{
    const int64_t most = contract_size(side, site->grid);
    contract_numbers n = {.own = checked_calloc(most, sizeof *n.own),
                          .whole = checked_calloc(most, sizeof *n.whole)};
    if (side->kind == CONTRACT_ALM)
        add_alm(&n, site);
    else if (side->kind == CONTRACT_MAP)
        add_map(&n, side, site);
    else if (side->kind == CONTRACT_VALUES)
        add_values(&n, site);
    else
        for (n.size = most; n.count < most;) add(&n, n.count, n.count, 1);
    return n;
}

void contract_numbers_free(contract_numbers *numbers)
{
    free(numbers->own);
    free(numbers->whole);
}

void contract_take(const contract_numbers *numbers, const double *whole, double *own)
{
    for (int64_t i = 0; i < numbers->count; i++) own[numbers->own[i]] = whole[numbers->whole[i]];
}

/* --- Whole arrays ---------------------------------------------------------------------------- */

/* Does a field have this number? */
static int exists(const contract_side *side, int64_t i)
{
    if (side->kind == CONTRACT_COMPLEX_ALM || side->kind == CONTRACT_VALUES) return 1;
    if (side->kind == CONTRACT_MAP) return 1;
    if (side->without_mean && i < 2) return 0;
    return i % 2 == 0 || i / 2 > LMAX; /* imaginary parts of m = 0 are 0 */
}

double *contract_random(const contract_operation *op, int side, int64_t ntrans, uint64_t seed)
{
    armilla_grid *grid = op->grid ? op->grid() : NULL;
    const contract_side *s = &op->sides[side];
    const int64_t size = contract_size(s, grid), count = ntrans * s->ncomp * size;
    double *values = checked_malloc(count, sizeof *values);
    random_fill(seed, count, values);
    for (int64_t i = 0; i < count; i++)
        values[i] = exists(s, i % size) ? (double)(float)values[i] : 0;
    armilla_grid_free(grid);
    return values;
}

double contract_dot(const contract_operation *op, int side, const double *a, const double *b)
{
    armilla_grid *grid = op->grid ? op->grid() : NULL;
    const contract_site site = {.grid = grid};
    const contract_side *s = &op->sides[side];
    const int64_t size = contract_size(s, grid);
    contract_numbers n = contract_numbers_of(s, &site);
    double sum = 0;
    for (int64_t k = 0; k < s->ncomp; k++)
        for (int64_t i = 0; i < n.count; i++) {
            const int64_t at = n.whole[i];
            const double twice = s->kind == CONTRACT_ALM && at > 2 * LMAX + 1 ? 2 : 1;
            sum += twice * a[k * size + at] * b[k * size + at];
        }
    contract_numbers_free(&n);
    armilla_grid_free(grid);
    return sum;
}

void contract_points(int64_t dimensions, double *points)
{
    for (int64_t i = 0; i < CONTRACT_POINTS; i++) {
        double *p = points + dimensions * i;
        p[0] = i == 3 ? 0 : 0.05 + 3.0 * fmod(0.618 * (double)i, 1);
        p[1] = 0.7 * (double)i;
        if (dimensions > 2) p[2] = 1.1 + 0.02 * (double)i;
    }
}
