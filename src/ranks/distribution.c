/* Says which rank has which orders and rings: as the caller wishes, or dealt by what the stages of
 * a transform cost, in units that plans take together.
 *
 * Orders are dealt by lmax, mmax and the number of members alone, so that plans on any grid, and
 * plans without one, have the same orders on a rank: costs are those of the fewest rings that carry
 * lmax, and the orders that the theta stage transforms together stay together, whether a plan has
 * such a stage or not. How even work is then on the grids themselves: docs/results/mpi_model.md. */
#include "ranks/distribution.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/options.h"
#include "grid/grid.h"
#include "leg/orders.h"
#include "leg/pairs.h"
#include "ranks/costs.h"
#include "ranks/deal.h"
#include "ranks/owners.h"
#include "sht/flow.h"
#include "theta/choose.h"

void armilla_distribution_options_init_sized(armilla_distribution_options *options, size_t size)
{
    const armilla_distribution_options defaults = {.groups = 1};
    armilla_options_give(&defaults, sizeof defaults, options, size);
}

/* --- Orders ---------------------------------------------------------------------------------- */

/* Work on the fewest rings that carry lmax, and of the theta stage from where on HEALPix has it, at
 * the largest nside that is usual, lmax + 1: without it, ranks with eight orders would have 9 %
 * more than the mean there; counted below that, it would make small transforms uneven. */
static armilla_status count_usual_costs(int64_t lmax, int64_t mmax, int64_t *cost)
{
    armilla_ring_pairs pairs = {.count = 0};
    const int fewer = armilla_theta_fewer_pay(lmax, 2 * (lmax + 1));
    armilla_status status = armilla_flow_coarse_pairs(lmax, mmax, 0, &pairs);
    if (!status) status = armilla_order_costs(&pairs, fewer, lmax, mmax, cost);
    armilla_ring_pairs_clear(&pairs);
    return status;
}

static armilla_status deal_orders(armilla_distribution *d)
{
    const int64_t norders = d->mmax + 1;
    int64_t *order_cost, *cost = NULL, *member = NULL, nunits = 0;
    armilla_status status = armilla_allocate(&order_cost, norders, sizeof *order_cost);
    if (!status) status = armilla_allocate_zero(&cost, norders + 3, sizeof *cost);
    if (!status) status = armilla_allocate(&member, norders + 3, sizeof *member);
    if (!status) status = count_usual_costs(d->lmax, d->mmax, order_cost);
    for (int64_t m = 0; m < norders && !status; m++) {
        const int64_t unit = armilla_orders_two(m);
        cost[unit] += order_cost[m];
        nunits = armilla_larger(nunits, unit + 1);
    }
    if (!status) status = armilla_deal(nunits, cost, d->nmembers, member);
    for (int64_t m = 0; m < norders && !status; m++)
        d->orders.member[m] = member[armilla_orders_two(m)];
    armilla_release(order_cost);
    armilla_release(cost);
    armilla_release(member);
    return status;
}

/* --- Rings ----------------------------------------------------------------------------------- */

/* Any two rings can share a row of leg behind the theta stage: they are on one rank. */
static armilla_status deal_rings(armilla_distribution *d, const armilla_ring_pairs *pairs)
{
    int64_t *cost, *member = NULL;
    armilla_status status = armilla_allocate(&cost, pairs->count, sizeof *cost);
    if (!status) status = armilla_allocate(&member, pairs->count, sizeof *member);
    for (int64_t i = 0; i < pairs->count && !status; i++)
        cost[i] = armilla_pair_cost(d->grid, pairs->limit[i], pairs->north[i], pairs->south[i]);
    if (!status && !(status = armilla_deal(pairs->count, cost, d->nmembers, member)))
        for (int64_t i = 0; i < pairs->count; i++) {
            if (pairs->north[i] >= 0) d->rings.member[pairs->north[i]] = member[i];
            if (pairs->south[i] >= 0) d->rings.member[pairs->south[i]] = member[i];
        }
    armilla_release(cost);
    armilla_release(member);
    return status;
}

/* --- Owners ---------------------------------------------------------------------------------- */

static armilla_status take_members(const int64_t *given, const char *name, int64_t nmembers,
                                   armilla_owned *owned)
{
    for (int64_t i = 0; i < owned->count; i++) {
        if (given[i] < 0 || given[i] >= nmembers)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "options->%s[%lld] = %lld: must be a member, 0 .. %lld", name,
                                (long long)i, (long long)given[i], (long long)nmembers - 1);
        owned->member[i] = given[i];
    }
    return ARMILLA_OK;
}

static armilla_status allocate_owned(int64_t count, int64_t nmembers, armilla_owned *owned)
{
    armilla_status status;
    owned->count = count;
    if ((status = armilla_allocate(&owned->member, count, sizeof(int64_t))) ||
        (status = armilla_allocate(&owned->list, count, sizeof(int64_t))) ||
        (status = armilla_allocate(&owned->place, count, sizeof(int64_t))) ||
        (status = armilla_allocate(&owned->start, nmembers + 1, sizeof(int64_t))) ||
        (status = armilla_allocate_zero(&owned->size, nmembers, sizeof(int64_t))) ||
        (status = armilla_allocate_zero(&owned->cost, nmembers, sizeof(int64_t))))
        return status;
    return ARMILLA_OK;
}

static void clear_owned(armilla_owned *owned)
{
    armilla_release(owned->member);
    armilla_release(owned->list);
    armilla_release(owned->place);
    armilla_release(owned->start);
    armilla_release(owned->size);
    armilla_release(owned->cost);
}

/* Where two members share a pair, each of them has all of its orders, and one of its rings. */
static void add_ring_costs(const armilla_grid *grid, const armilla_ring_pairs *pairs, int64_t pair,
                           armilla_owned *rings)
{
    const int64_t north = pairs->north[pair], south = pairs->south[pair];
    const int64_t limit = pairs->limit[pair];
    const int apart = north >= 0 && south >= 0 && rings->member[north] != rings->member[south];
    if (apart) rings->cost[rings->member[south]] += armilla_pair_cost(grid, limit, -1, south);
    rings->cost[rings->member[north >= 0 ? north : south]] +=
        armilla_pair_cost(grid, limit, north, apart ? -1 : south);
}

static void place_all(armilla_distribution *d, const armilla_ring_pairs *pairs,
                      const int64_t *order_cost)
{
    armilla_owned *orders = &d->orders, *rings = &d->rings;
    armilla_owners_list(orders->count, orders->member, 1, d->nmembers, orders->list, orders->start);
    armilla_owners_list(rings->count, rings->member, 1, d->nmembers, rings->list, rings->start);
    for (int64_t m = 0; m <= d->mmax; m++) {
        orders->place[m] = orders->size[orders->member[m]];
        orders->size[orders->member[m]] += d->lmax + 1 - m;
        orders->cost[orders->member[m]] += order_cost[m];
    }
    for (int64_t r = 0; r < d->grid->nrings; r++) {
        rings->place[r] = rings->size[rings->member[r]];
        rings->size[rings->member[r]] += d->grid->rings[r].nphi;
    }
    for (int64_t i = 0; i < pairs->count; i++) add_ring_costs(d->grid, pairs, i, rings);
}

/* --- All ------------------------------------------------------------------------------------- */

static armilla_status choose_owners(const armilla_distribution_options *options,
                                    const double *theta, armilla_distribution *d)
{
    armilla_ring_pairs pairs, any = {.count = 0};
    const int64_t n = d->grid->nrings;
    int64_t *cost = NULL;
    armilla_status status = armilla_ring_pairs_make(n, theta, d->lmax, d->mmax, 0, &pairs);
    const int fewer =
        !status && (options->count_resampling || armilla_theta_fewer_pay(d->lmax, pairs.count));
    if (!status) status = armilla_ring_pairs_make_any(n, theta, d->lmax, d->mmax, 0, &any);
    if (!status) status = armilla_allocate(&cost, d->mmax + 1, sizeof *cost);
    if (!status) status = armilla_order_costs(&pairs, fewer, d->lmax, d->mmax, cost);
    if (!status && options->order_member)
        status = take_members(options->order_member, "order_member", d->nmembers, &d->orders);
    else if (!status)
        status = deal_orders(d);
    if (!status && options->ring_member)
        status = take_members(options->ring_member, "ring_member", d->nmembers, &d->rings);
    else if (!status)
        status = deal_rings(d, &any);
    if (!status) place_all(d, &pairs, cost);
    armilla_ring_pairs_clear(&pairs);
    armilla_ring_pairs_clear(&any);
    armilla_release(cost);
    return status;
}

static armilla_status make(const armilla_grid *grid, const armilla_distribution_options *options,
                           armilla_distribution *d)
{
    double *theta;
    armilla_status status;
    if ((status = armilla_grid_copy(grid, &d->grid)) ||
        (status = allocate_owned(d->mmax + 1, d->nmembers, &d->orders)) ||
        (status = allocate_owned(grid->nrings, d->nmembers, &d->rings)) ||
        (status = armilla_grid_copy_theta(grid, &theta)))
        return status;
    status = choose_owners(options, theta, d);
    armilla_release(theta);
    return status;
}

static armilla_status check_ranks(int64_t nranks, int64_t groups)
{
    if (nranks < 1) return armilla_fail_argument("nranks", nranks, "must be at least 1");
    if (groups < 1 || nranks % groups != 0)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->groups = %lld: must divide the number of ranks, %lld",
                            (long long)groups, (long long)nranks);
    return ARMILLA_OK;
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {sizeof(armilla_distribution_options), 0};

armilla_status armilla_distribution_new(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                        int64_t nranks, const armilla_distribution_options *options,
                                        armilla_distribution **distribution)
{
    armilla_distribution_options chosen;
    armilla_distribution *result;
    armilla_status status;
    armilla_distribution_options_init(&chosen);
    if (!grid) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "grid = NULL: must be a grid");
    if ((status = armilla_check_band_limit(lmax, mmax)) ||
        (status = armilla_options_copy("options", "armilla_distribution_options", options, VERSIONS,
                                       &chosen)) ||
        (status = check_ranks(nranks, chosen.groups)) ||
        (status = armilla_check_given("distribution", distribution)) ||
        (status = armilla_allocate_zero(&result, 1, sizeof *result)))
        return status;
    result->lmax = lmax, result->mmax = mmax;
    result->nranks = nranks, result->nmembers = nranks / chosen.groups;
    if ((status = make(grid, &chosen, result)))
        armilla_distribution_free(result);
    else
        *distribution = result;
    return status;
}

int armilla_distribution_same_rings(const armilla_distribution *a, const armilla_distribution *b)
{
    return armilla_owned_digest(&a->rings) == armilla_owned_digest(&b->rings) &&
           armilla_grid_is_same(a->grid, b->grid, 0);
}

armilla_status armilla_distribution_places(const armilla_distribution *d, int64_t member,
                                           int64_t **places)
{
    const armilla_status status = armilla_allocate(places, d->rings.count, sizeof **places);
    for (int64_t r = 0; r < d->rings.count && !status; r++)
        (*places)[r] = d->rings.member[r] == member ? d->rings.place[r] : -1;
    return status;
}

armilla_status armilla_distribution_check(const armilla_distribution *distribution,
                                          const armilla_transport *transport)
{
    const armilla_status status = armilla_check_given("distribution", distribution);
    if (status || transport->nranks == distribution->nranks) return status;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "transport->nranks = %lld: the distribution is for %lld ranks",
                        (long long)transport->nranks, (long long)distribution->nranks);
}

armilla_status armilla_distribution_check_group(const char *argument,
                                                const armilla_distribution *distribution,
                                                armilla_operation operation)
{
    return distribution->nmembers == distribution->nranks
               ? ARMILLA_OK
               : armilla_refuse_place(argument, operation, ARMILLA_PLACE_GROUPS);
}

void armilla_distribution_free(armilla_distribution *distribution)
{
    if (!distribution) return;
    armilla_grid_free(distribution->grid);
    clear_owned(&distribution->orders);
    clear_owned(&distribution->rings);
    armilla_release(distribution);
}
