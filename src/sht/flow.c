/* See flow.h. */
#include "sht/flow.h"

#include "base/memory.h"
#include "grid/equidistant.h"
#include "grid/grid.h"
#include "legendre/stage.h"
#include "theta/stage.h"

#include <math.h>
#include <string.h>

enum {
    SINGLE_PAIRS = 640, /* ring pairs that one pass takes: leg is small then */
    LEAST_PAIRS = 256,  /* of a pass, at least: they share what an order costs once */
    ROOM = 4,           /* ring pairs that the ring stage takes together */
    BLOCKS = 128,       /* blocks of a part, about: a hundredth of leg has no entries */
    LEAST_GAIN = 300    /* lmax times the part of the pairs saved: measured break-even */
};

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* --- Passes ---------------------------------------------------------------------------------- */

int armilla_flow_needs_parts(const armilla_flow_problem *problem)
{
    const int64_t npairs = problem->far->count;
    return npairs > SINGLE_PAIRS && 4 * npairs * (problem->mmax + 1) > problem->budget;
}

/* On a GPU a pass is as large as its memory allows, whole groups. */
static int64_t pairs_of_device_pass(const armilla_flow_problem *problem)
{
    const int64_t npairs = problem->pairs->count, group = problem->lanes * problem->vectors;
    const int64_t fitting = problem->budget / (4 * (problem->mmax + 1));
    if (npairs <= fitting || npairs <= group) return npairs;
    return larger(1, fitting / group) * group;
}

/* DIRECT: pairs of a pass, whole vectors of the largest length. */
static int64_t pairs_per_pass(const armilla_flow_problem *problem)
{
    const int64_t npairs = problem->pairs->count, orders = problem->mmax + 1;
    if (problem->lanes) return pairs_of_device_pass(problem);
    if (npairs <= SINGLE_PAIRS) return npairs;
    const int64_t parts = npairs / larger(LEAST_PAIRS, problem->budget / (4 * orders));
    const int64_t size = npairs / larger(1, parts) + 1;
    return (size + ARMILLA_VECTOR_MAX - 1) / ARMILLA_VECTOR_MAX * ARMILLA_VECTOR_MAX;
}

/* All pairs; the orders at once, or in two parts. Rings near the poles have few orders: parts are
 * cut into blocks, each with the rows that matter there, unless every order has an entry. */
static armilla_status make_order_passes(const armilla_flow_problem *problem,
                                        const armilla_ring_pairs *pairs, armilla_flow *flow)
{
    const int64_t npairs = pairs->count;
    armilla_leg_shape shape = {
        .pairs = pairs, .npairs = npairs, .room = ROOM, .mmax = problem->mmax};
    flow->norder_passes = 1;
    if (!armilla_flow_needs_parts(problem))
        return armilla_leg_passes_by_pairs(&shape, npairs, &flow->passes);
    /* rows are an odd number of cache lines without any padding */
    shape.block_size = (npairs / BLOCKS + 4) / 4 * 4 + 2, shape.room = 1;
    if (pairs->limit[0] == problem->mmax) shape.block_size = npairs;
    return armilla_leg_passes_by_parts(&shape, &flow->passes);
}

/* --- Rings of the Legendre stage ------------------------------------------------------------- */

static armilla_status make_legendre(const armilla_flow_problem *problem,
                                    const armilla_ring_pairs *pairs, int64_t block_size,
                                    armilla_flow *flow)
{
    const armilla_legendre_problem legendre = {.isa = problem->isa,
                                               .lmax = problem->lmax,
                                               .norders = problem->mmax + 1,
                                               .spin = problem->spin,
                                               .recurrence_only = problem->recurrence_only,
                                               .pairs = pairs,
                                               .block_size = block_size,
                                               .lanes = problem->lanes,
                                               .vectors = problem->vectors,
                                               .keep_tables = problem->lanes > 0,
                                               .lender = problem->lender};
    return armilla_legendre_new(&legendre, &flow->legendre);
}

static armilla_status make_near(const armilla_flow_problem *problem, int64_t nrings,
                                const double *theta, armilla_flow *flow)
{
    return armilla_ring_pairs_make(nrings, theta, problem->lmax, problem->mmax, problem->spin,
                                   &flow->near);
}

static armilla_status make_direct(const armilla_flow_problem *problem, armilla_flow *flow)
{
    const int64_t size = pairs_per_pass(problem);
    const armilla_leg_shape shape = {.pairs = problem->pairs,
                                     .npairs = problem->pairs->count,
                                     .room = ROOM,
                                     .mmax = problem->mmax};
    armilla_status status = armilla_leg_passes_by_pairs(&shape, size, &flow->passes);
    flow->norder_passes = flow->passes.count;
    return status ? status : make_legendre(problem, problem->pairs, size, flow);
}

int armilla_flow_fewer_pay(const armilla_flow_problem *problem)
{
    const double near = (double)(armilla_theta_coarse_rings(problem->lmax) + 1) / 2;
    const double far = (double)problem->pairs->count;
    return near < far && (double)problem->lmax * (1 - near / far) > LEAST_GAIN;
}

static armilla_status make_fewer(const armilla_flow_problem *problem, armilla_flow *flow)
{
    const int64_t nrings = armilla_theta_coarse_rings(problem->lmax);
    double *theta;
    armilla_status status = armilla_allocate(&theta, nrings, sizeof *theta);
    if (status) return status;
    for (int64_t i = 0; i < nrings; i++) theta[i] = armilla_grid_pi_fraction(2 * i + 1, 2 * nrings);
    status = make_near(problem, nrings, theta, flow);
    armilla_release(theta);
    if (status) return status;
    const armilla_theta_problem theta_problem = {.isa = problem->isa,
                                                 .spin = problem->spin,
                                                 .band = problem->lmax,
                                                 .circle_length = 2 * nrings,
                                                 .half_shifted = 1,
                                                 .from = &flow->near,
                                                 .to = problem->far};
    if ((status = armilla_theta_new(&theta_problem, &flow->theta)) ||
        (status = make_legendre(problem, &flow->near, 0, flow)))
        return status;
    return make_order_passes(problem, problem->far, flow);
}

/* Gauss-Legendre rings, and the factor of each of their pairs: weight times 2 pi / nphi. */
static armilla_status make_gauss(const armilla_flow_problem *problem, int64_t nrings,
                                 armilla_flow *flow, double **factor)
{
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
    status = make_near(problem, nrings, theta, flow);

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
    double *factor = NULL;
    armilla_status status = make_gauss(problem, (problem->lmax + band) / 2 + 1, flow, &factor);
    if (!status) status = take_every_order(problem, flow);
    if (!status) {
        const armilla_theta_problem theta = {.isa = problem->isa,
                                             .spin = problem->spin,
                                             .band = band,
                                             .circle_length = circle.length,
                                             .half_shifted = circle.half_shifted,
                                             .first = circle.first,
                                             .from = &flow->every,
                                             .to = &flow->near,
                                             .to_factor = factor,
                                             .near_is_to = 1};
        status = armilla_theta_new(&theta, &flow->theta);
    }
    armilla_release(factor);
    if (status || (status = make_legendre(problem, &flow->near, 0, flow))) return status;
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
    armilla_leg_passes_clear(&flow->passes);
    armilla_legendre_free(flow->legendre);
    armilla_theta_free(flow->theta);
    armilla_ring_pairs_clear(&flow->near);
    armilla_ring_pairs_clear(&flow->every);
    memset(flow, 0, sizeof *flow);
}

/* --- Sizes ----------------------------------------------------------------------------------- */

int64_t armilla_flow_leg_size(const armilla_flow *flow, int64_t nsets)
{
    return nsets * flow->passes.size;
}

int64_t armilla_flow_scratch_size(const armilla_flow *flow, int64_t nsets)
{
    return flow->theta ? armilla_theta_stage_scratch(flow->theta, flow->legendre, nsets)
                       : armilla_legendre_stage_scratch(flow->legendre, nsets);
}

int64_t armilla_flow_bytes(const armilla_flow *flow)
{
    const int64_t bytes = flow->legendre->bytes + armilla_ring_pairs_bytes(&flow->near) +
                          armilla_ring_pairs_bytes(&flow->every) +
                          armilla_leg_passes_bytes(&flow->passes);
    return flow->theta ? bytes + armilla_theta_bytes(flow->theta) : bytes;
}
