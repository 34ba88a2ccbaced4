/* Makes a plan's way from alm to maps and back: chooses the rings for the Legendre stage, cuts leg
 * into passes that fit the memory it may take, and finds room for parts of leg in the arrays that
 * the call writes, so that one pass is enough where it can be. */
#include "sht/flow.h"

#include "base/integer.h"
#include "base/memory.h"
#include "grid/equidistant.h"
#include "grid/grid.h"
#include "legendre/stage.h"
#include "theta/choose.h"
#include "theta/stage.h"

#include <math.h>
#include <string.h>

enum {
    SINGLE_PAIRS = 640, /* ring pairs that one pass takes: leg is small then */
    LEAST_PAIRS = 256,  /* of a pass, at least: they share what an order costs once */
    ROOM = 4,           /* ring pairs that the ring stage takes together */
    BLOCKS = 128        /* blocks of a part, about: a hundredth of leg has no entries */
};

/* --- Passes ---------------------------------------------------------------------------------- */

int armilla_flow_needs_parts(const armilla_flow_problem *problem)
{
    const int64_t size = 4 * problem->far->count * problem->norders;
    if (problem->on_device) return 0;
    const int64_t passes = size > problem->whole && size > problem->budget ? 2 : 1;
    return armilla_forced_choose(problem->forced, "sht.passes", 1, 2, passes) == 2;
}

static const armilla_cuda_shape *shape_for(const armilla_flow_problem *problem, int64_t npairs)
{
    return problem->shape ? problem->shape
                          : armilla_cuda()->shape->usual(npairs, problem->two_floats);
}

/* On a GPU a pass is as large as its memory allows, whole groups. */
static int64_t pairs_of_device_pass(const armilla_flow_problem *problem)
{
    const int64_t npairs = problem->pairs->count;
    const armilla_cuda_shape *shape = shape_for(problem, npairs);
    const int64_t group = shape->lanes * shape->vectors;
    const int64_t fitting = problem->budget / (4 * problem->norders);
    if (npairs <= fitting || npairs <= group) return npairs;
    return armilla_larger(1, fitting / group) * group;
}

/* The end of a pass that begins at pair `first` and whose leg is to have at most `size` doubles:
 * whole vectors of the largest length, and not less than LEAST_PAIRS. */
static int64_t end_of_pass(const armilla_ring_pairs *pairs, int64_t first, int64_t size)
{
    int64_t end = armilla_smaller(first + LEAST_PAIRS, pairs->count);
    while (end < pairs->count) {
        const int64_t next = armilla_smaller(end + ARMILLA_VECTOR_MAX, pairs->count);
        if (4 * (next - first) * armilla_ring_pairs_orders(pairs, next - 1) > size) break;
        end = next;
    }
    return end;
}

static int64_t count_passes(const armilla_ring_pairs *pairs, int64_t size)
{
    int64_t count = 0;
    for (int64_t first = 0; first < pairs->count; count++) first = end_of_pass(pairs, first, size);
    return count;
}

/* DIRECT: as few passes as the budget and LEAST_PAIRS allow, whose legs are about equally large.
 * Rings near the poles have few orders: passes there have more pairs. Returned: how many; ends:
 * where each ends. */
static int64_t cut_pairs(const armilla_flow_problem *problem, int64_t *ends)
{
    const armilla_ring_pairs *pairs = problem->pairs;
    const int64_t usual = pairs->count > SINGLE_PAIRS ? count_passes(pairs, problem->budget) : 1;
    int64_t count =
        armilla_forced_choose(problem->forced, "sht.passes", 1, count_passes(pairs, 0), usual);
    int64_t size = count < usual ? 4 * pairs->count * problem->norders : problem->budget;
    int64_t low = 0, end = 0;
    while (count > 1 && low + 1 < size) {
        const int64_t middle = (low + size) / 2;
        if (count_passes(pairs, middle) > count)
            low = middle;
        else
            size = middle;
    }
    if (count > 1) count = count_passes(pairs, size); /* not every number is possible */
    for (int64_t i = 0; i + 1 < count; i++) ends[i] = end = end_of_pass(pairs, end, size);
    ends[count - 1] = pairs->count;
    return count;
}

/* All pairs and orders. Near rings have their rows in the same memory, a rank those of its orders.
 */
static armilla_status make_device_pass(const armilla_flow_problem *problem,
                                       const armilla_leg_shape *shape, armilla_flow *flow)
{
    armilla_leg_shape near = *shape;
    armilla_leg_passes *passes = &flow->ways[ARMILLA_FLOW_IN_MEMORY].passes;
    armilla_status status = armilla_leg_passes_by_pairs(shape, shape->npairs, passes);
    near.pairs = &flow->near;
    near.npairs = near.block_size = flow->near.count;
    if (problem->share)
        near.kind = ARMILLA_ORDERS_LISTED, near.norders = problem->share->norders,
        near.orders = problem->share->orders;
    if (status || (status = armilla_leg_layout_make(&near, &flow->near_rows))) return status;
    armilla_leg_layout *far = passes->layouts;
    const int64_t row_length =
        armilla_larger(far->blocks->row_length, flow->near_rows.blocks->row_length);
    armilla_leg_layout_even(far, row_length);
    armilla_leg_layout_even(&flow->near_rows, row_length);
    passes->size = far->size;
    return ARMILLA_OK;
}

/* Orders in two parts. Rings near the poles have few orders: parts are cut into blocks, each with
 * the rows that matter there, unless every order has an entry. */
static armilla_status make_parts(armilla_leg_shape shape, armilla_leg_passes *passes)
{
    /* rows are an odd number of cache lines without any padding */
    shape.block_size = (shape.npairs / BLOCKS + 4) / 4 * 4 + 2, shape.room = 1;
    if (armilla_ring_pairs_orders(shape.pairs, shape.first_pair) == shape.mmax + 1)
        shape.block_size = shape.npairs;
    return armilla_leg_passes_by_parts(&shape, passes);
}

/* May leg wait in the arrays of calls? Asked only where it is larger than a pass. */
static int may_park(const armilla_flow_problem *problem)
{
    return (int)armilla_forced_choose(problem->forced, "sht.parking", 0, 1, 1);
}

/* Leg in the maps: a pass without any pairs of its own. Maps whose rings are short, or have
 * strides, may have so little room that the rest is larger than the passes are; then there is no
 * such pass. */
static armilla_status wait_in_maps(const armilla_flow_problem *problem,
                                   const armilla_leg_shape *shape, armilla_flow *flow)
{
    armilla_flow_way *way = &flow->ways[ARMILLA_FLOW_IN_MAPS];
    const int64_t no_pairs = 0;
    if (!may_park(problem)) return ARMILLA_OK;
    armilla_status status = armilla_leg_home_in_maps(
        shape->pairs, problem->grid->rings, armilla_grid_nested(problem->grid), &way->home);
    way->norder_passes = 1;
    if (status || way->home.rest_size > flow->ways[ARMILLA_FLOW_IN_MEMORY].passes.size)
        return status;
    return armilla_leg_passes_by_ends(shape, 1, &no_pairs, &way->passes);
}

/* The first pairs in alm; those behind them in one pass, or in parts. */
static armilla_status wait_in_alm(const armilla_leg_shape *shape, const armilla_leg_home *home,
                                  int in_parts, armilla_flow *flow)
{
    armilla_flow_way *way = &flow->ways[ARMILLA_FLOW_IN_ALM];
    armilla_leg_shape behind = *shape;
    behind.first_pair = home->npairs, behind.npairs -= home->npairs;
    way->home = *home, way->norder_passes = 1;
    return in_parts ? make_parts(behind, &way->passes)
                    : armilla_leg_passes_by_ends(&behind, 1, &behind.npairs, &way->passes);
}

/* All pairs; the orders at once, or, where memory is short, in two parts, unless leg has room in
 * the arrays of a call. */
static armilla_status make_order_passes(const armilla_flow_problem *problem,
                                        const armilla_ring_pairs *pairs, armilla_flow *flow)
{
    const armilla_leg_shape shape = {
        .pairs = pairs, .npairs = pairs->count, .room = ROOM, .mmax = problem->norders - 1};
    armilla_flow_way *memory = &flow->ways[ARMILLA_FLOW_IN_MEMORY];
    armilla_status status;
    memory->norder_passes = 1;
    if (problem->on_device) return make_device_pass(problem, &shape, flow);
    if (!armilla_flow_needs_parts(problem))
        return armilla_leg_passes_by_pairs(&shape, pairs->count, &memory->passes);
    if ((status = make_parts(shape, &memory->passes)) ||
        (status = wait_in_maps(problem, &shape, flow)) || !problem->alm_has_rows ||
        !may_park(problem))
        return status;
    const armilla_leg_home home = armilla_leg_home_in_alm(pairs, problem->lmax, problem->mmax);
    const int64_t behind = 4 * (pairs->count - home.npairs) * problem->norders;
    return home.npairs ? wait_in_alm(&shape, &home, behind > problem->budget, flow) : ARMILLA_OK;
}

/* --- Theta ----------------------------------------------------------------------------------- */

/* A GPU makes its own tables from the problem. */
static armilla_status make_theta(const armilla_flow_problem *problem, armilla_flow *flow)
{
    armilla_theta_problem *theta = &flow->theta_problem;
    theta->machine = problem->machine, theta->spin = problem->spin;
    theta->forced = problem->forced;
    return problem->on_device ? ARMILLA_OK : armilla_theta_new(theta, &flow->theta);
}

/* --- Rings of the Legendre stage ------------------------------------------------------------- */

/* ends: of the passes; NULL: there is one, or, on a GPU, they have block_size pairs each. */
static armilla_status make_legendre(const armilla_flow_problem *problem,
                                    const armilla_ring_pairs *pairs, int64_t block_size,
                                    const int64_t *ends, armilla_flow *flow)
{
    const armilla_cuda_shape *shape = problem->on_device ? shape_for(problem, pairs->count) : NULL;
    flow->shape = shape;
    const armilla_legendre_problem legendre = {
        .machine = problem->machine,
        .lmax = problem->lmax,
        .norders = problem->share ? problem->share->norders : problem->norders,
        .orders = problem->share ? problem->share->orders : problem->orders,
        .spin = problem->spin,
        .recurrence_only = problem->recurrence_only,
        .single = problem->single,
        .pairs = pairs,
        .block_size = block_size,
        .block_ends = ends,
        .whole = flow->ways[ARMILLA_FLOW_IN_MAPS].passes.count > 0,
        .lanes = shape ? shape->lanes : 0,
        .vectors = shape ? shape->vectors : 0,
        .keep_tables = problem->on_device,
        .cache_bytes = problem->cache_bytes,
        .forced = problem->forced,
        .lender = problem->lender};
    return armilla_legendre_new(&legendre, &flow->legendre);
}

/* One pass in each direction instead of several, if its leg takes less memory. */
static armilla_status wait_direct(const armilla_flow_problem *problem,
                                  const armilla_leg_shape *shape, armilla_flow *flow)
{
    const armilla_flow_way *ways = flow->ways;
    armilla_status status = wait_in_maps(problem, shape, flow);
    if (status || ways[ARMILLA_FLOW_IN_MAPS].passes.count == 0 || !problem->alm_has_rows)
        return status;
    const armilla_leg_home home =
        armilla_leg_home_in_alm(shape->pairs, problem->lmax, problem->mmax);
    const int64_t behind = armilla_leg_row_length(shape->npairs - home.npairs) * problem->norders;
    if (home.npairs == 0 || behind > ways[ARMILLA_FLOW_IN_MEMORY].passes.size) return ARMILLA_OK;
    return wait_in_alm(shape, &home, 0, flow);
}

static armilla_status make_direct(const armilla_flow_problem *problem, armilla_flow *flow)
{
    const armilla_leg_shape shape = {.pairs = problem->pairs,
                                     .npairs = problem->pairs->count,
                                     .room = ROOM,
                                     .mmax = problem->norders - 1};
    const int64_t size = problem->on_device ? pairs_of_device_pass(problem) : 0;
    armilla_flow_way *memory = &flow->ways[ARMILLA_FLOW_IN_MEMORY];
    int64_t *ends = NULL;
    armilla_status status;
    if (problem->on_device)
        status = armilla_leg_passes_by_pairs(&shape, size, &memory->passes);
    else if (!(status = armilla_allocate(&ends, shape.npairs / LEAST_PAIRS + 1, sizeof *ends)))
        status =
            armilla_leg_passes_by_ends(&shape, cut_pairs(problem, ends), ends, &memory->passes);
    memory->norder_passes = memory->passes.count;
    if (!status && !problem->on_device && memory->passes.count > 1)
        status = wait_direct(problem, &shape, flow);
    if (!status) status = make_legendre(problem, problem->pairs, size, ends, flow);
    armilla_release(ends);
    return status;
}

armilla_status armilla_flow_coarse_pairs(int64_t lmax, int64_t mmax, int64_t spin,
                                         armilla_ring_pairs *pairs)
{
    const int64_t nrings = armilla_theta_coarse_rings(lmax);
    double *theta;
    armilla_status status = armilla_allocate(&theta, nrings, sizeof *theta);
    if (status) return status;
    for (int64_t i = 0; i < nrings; i++) theta[i] = armilla_grid_pi_fraction(2 * i + 1, 2 * nrings);
    status = armilla_ring_pairs_make(nrings, theta, lmax, mmax, spin, pairs);
    armilla_release(theta);
    return status;
}

static armilla_status make_fewer(const armilla_flow_problem *problem, armilla_flow *flow)
{
    const int64_t lmax = problem->lmax;
    armilla_status status =
        armilla_flow_coarse_pairs(lmax, problem->mmax, problem->spin, &flow->near);
    if (status) return status;
    flow->theta_problem =
        (armilla_theta_problem){.band = lmax,
                                .circle_length = 2 * armilla_theta_coarse_rings(lmax),
                                .half_shifted = 1,
                                .from = &flow->near,
                                .to = problem->far};
    if ((status = make_theta(problem, flow)) ||
        (status = make_legendre(problem, &flow->near, 0, NULL, flow)))
        return status;
    return make_order_passes(problem, problem->far, flow);
}

/* Gauss-Legendre rings, and the factor of each of their pairs: weight times 2 pi / nphi. */
static armilla_status make_gauss(const armilla_flow_problem *problem, int64_t nrings,
                                 armilla_flow *flow)
{
    double **factor = &flow->theta_factor;
    const int64_t half = (nrings + 1) / 2;
    const double scale = 2 * M_PI / (double)problem->grid->rings[0].nphi;
    double *theta = NULL, *weight = NULL;
    armilla_status status;
    if ((status = armilla_allocate(&theta, nrings, sizeof *theta)) ||
        (status = armilla_allocate(&weight, half, sizeof *weight)) ||
        (status = armilla_allocate(factor, half, sizeof **factor)))
        goto done;
    armilla_gauss_legendre_half(nrings, theta, weight);
    for (int64_t i = 0; i < half; i++) {
        theta[nrings - 1 - i] = M_PI - theta[i];
        (*factor)[i] = scale * weight[i];
    }
    if (nrings % 2) theta[half - 1] = M_PI_2;
    status = armilla_ring_pairs_make(nrings, theta, problem->lmax, problem->mmax, problem->spin,
                                     &flow->near);

done:
    armilla_release(theta);
    armilla_release(weight);
    return status;
}

/* What a map has near the poles in orders that no harmonic has there is part of the interpolant,
 * and matters elsewhere. */
static armilla_status take_every_order(const armilla_flow_problem *problem, armilla_flow *flow)
{
    armilla_status status = armilla_ring_pairs_take(problem->far, 0, 1, &flow->every);
    for (int64_t i = 0; i < flow->every.count; i++) flow->every.limit[i] = problem->mmax;
    return status;
}

/* Sums over these rings are exact for products of a function of degree lmax and a column of any
 * frequency that the grid's circle has: of degree lmax + length / 2. */
static armilla_status make_quadrature(const armilla_flow_problem *problem, armilla_flow *flow)
{
    const armilla_circle circle = armilla_grid_circle(problem->grid->kind, problem->grid->nrings);
    const int64_t band = circle.length / 2;
    armilla_status status = make_gauss(problem, (problem->lmax + band) / 2 + 1, flow);
    if (status || (status = take_every_order(problem, flow))) return status;
    flow->theta_problem = (armilla_theta_problem){.band = band,
                                                  .circle_length = circle.length,
                                                  .half_shifted = circle.half_shifted,
                                                  .first = circle.first,
                                                  .from = &flow->every,
                                                  .to = &flow->near,
                                                  .to_factor = flow->theta_factor,
                                                  .near_is_to = 1};
    if ((status = make_theta(problem, flow)) ||
        (status = make_legendre(problem, &flow->near, 0, NULL, flow)))
        return status;
    flow->weighted = 1;
    return make_order_passes(problem, &flow->every, flow);
}

armilla_status armilla_flow_make(const armilla_flow_problem *problem, armilla_flow_kind kind,
                                 armilla_flow *flow)
{
    armilla_status status;
    memset(flow, 0, sizeof *flow);
    flow->kind = kind;
    if (kind == ARMILLA_FLOW_DIRECT)
        status = make_direct(problem, flow);
    else if (kind == ARMILLA_FLOW_FEWER)
        status = make_fewer(problem, flow);
    else
        status = make_quadrature(problem, flow);
    if (status) armilla_flow_clear(flow);
    return status;
}

void armilla_flow_clear(armilla_flow *flow)
{
    for (int i = 0; i < ARMILLA_FLOW_PLACES; i++) {
        armilla_leg_passes_clear(&flow->ways[i].passes);
        armilla_leg_home_clear(&flow->ways[i].home);
    }
    armilla_legendre_free(flow->legendre);
    armilla_theta_free(flow->theta);
    armilla_release(flow->theta_factor);
    armilla_leg_layout_clear(&flow->near_rows);
    armilla_ring_pairs_clear(&flow->near);
    armilla_ring_pairs_clear(&flow->every);
    memset(flow, 0, sizeof *flow);
}

/* --- Sizes ----------------------------------------------------------------------------------- */

const armilla_flow_way *armilla_flow_find_way(const armilla_flow *flow, int to_map, int lends)
{
    const armilla_flow_way *way = &flow->ways[to_map ? ARMILLA_FLOW_IN_MAPS : ARMILLA_FLOW_IN_ALM];
    return lends && way->passes.count ? way : &flow->ways[ARMILLA_FLOW_IN_MEMORY];
}

int64_t armilla_flow_leg_size(const armilla_flow_way *way, int64_t nsets)
{
    return nsets * (way->passes.size + way->home.rest_size);
}

int64_t armilla_flow_scratch_size(const armilla_flow *flow, const armilla_flow_way *way,
                                  int64_t nsets)
{
    if (flow->theta) return armilla_theta_stage_scratch(flow->theta, flow->legendre, nsets);
    return armilla_legendre_stage_scratch(flow->legendre, nsets) +
           armilla_leg_rows_scratch(&way->home, nsets);
}

int64_t armilla_flow_bytes(const armilla_flow *flow)
{
    int64_t bytes = flow->legendre->bytes + armilla_ring_pairs_bytes(&flow->near) +
                    armilla_ring_pairs_bytes(&flow->every) +
                    armilla_leg_layout_bytes(&flow->near_rows) +
                    (flow->theta_factor ? 8 * flow->near.count : 0);
    for (int i = 0; i < ARMILLA_FLOW_PLACES; i++)
        bytes += armilla_leg_passes_bytes(&flow->ways[i].passes) +
                 armilla_leg_home_bytes(&flow->ways[i].home);
    return flow->theta ? bytes + armilla_theta_bytes(flow->theta) : bytes;
}

/* --- Stages ---------------------------------------------------------------------------------- */

void armilla_flow_to_leg(const armilla_flow *flow, const armilla_alm_rows *alm,
                         const armilla_leg *leg, const armilla_work *work)
{
    if (flow->theta)
        armilla_theta_to_leg(flow->theta, flow->legendre, alm, leg, work);
    else
        armilla_legendre_to_leg(flow->legendre, alm, leg, work);
}

void armilla_flow_from_leg(const armilla_flow *flow, const armilla_leg *leg,
                           const armilla_alm_rows *alm, const armilla_work *work)
{
    if (flow->theta)
        armilla_theta_from_leg(flow->theta, flow->legendre, leg, alm, work);
    else
        armilla_legendre_from_leg(flow->legendre, leg, alm, work);
}

int armilla_flow_is_parked(const armilla_flow *flow)
{
    return flow->ways[ARMILLA_FLOW_IN_MAPS].passes.count > 0 ||
           flow->ways[ARMILLA_FLOW_IN_ALM].passes.count > 0;
}
