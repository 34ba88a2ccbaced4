/* Making a Legendre stage, and its scratch. See legendre.h; one order of a call: order.c. */
#include "legendre/plan.h"

#include "base/integer.h"
#include "legendre/choose.h"
#include "legendre/dispatch.h"
#include "legendre/spin.h"

#include <math.h>

int armilla_legendre_sums_scalars(int64_t spin, int64_t lmax, int on_device)
{
    if (spin < 0) spin = -spin;
    return spin <= 3 || (!on_device && spin <= ARMILLA_SPIN_LADDERS && 16 * spin <= lmax);
}

/* Below which colatitudes functions of spin s come from their own recurrence, orders below s and
 * others; above they are sums of scalar ones over sin^s theta, (3.5). Spin 1: rounding is amplified
 * by 1 / sin theta for m = 0 only, other orders vanish at the pole as the divisor does. Nearer than
 * 0.0005, what the range drops (kernels/range.h), 2^-56 / sin theta, would show. Above spin 3 the
 * divisor is at the border what it is for spin 3. Kernels of a GPU have each pair in one part. */
static void set_borders(const armilla_legendre_problem *problem, armilla_legendre *legendre)
{
    static const double borders[] = {0, 0.03, 0.1, 0.2};
    const int64_t spin = legendre->spin;
    double border = M_PI;
    const int only = problem->recurrence_only && spin;
    if (!only && armilla_legendre_sums_scalars(spin, problem->lmax, problem->lanes > 0))
        border = spin <= 3 ? borders[spin] : asin(pow(sin(borders[3]), 3.0 / (double)spin));
    legendre->grouping.border = legendre->grouping.low_border = border;
    if (spin == 1 && border < M_PI && !problem->lanes) legendre->grouping.low_border = 0.0005;
}

/* The last degree of the scalar recurrence: sums for spin s reach s degrees further. */
static int64_t find_top(const armilla_legendre *legendre)
{
    const armilla_legendre_part *scalar = &legendre->grouping.part[ARMILLA_PART_SCALAR];
    return legendre->lmax + (scalar->first_group < scalar->end_group ? legendre->spin : 0);
}

static void find_orders(const armilla_legendre_problem *problem, armilla_legendre *legendre)
{
    legendre->mfirst = problem->orders && problem->norders ? problem->lmax : 0;
    legendre->mmax = problem->orders ? 0 : problem->norders - 1;
    for (int64_t i = 0; i < problem->norders && problem->orders; i++) {
        const int64_t m = problem->orders[i];
        if (m < legendre->mfirst) legendre->mfirst = m;
        if (m > legendre->mmax) legendre->mmax = m;
    }
}

/* --- Scratch --------------------------------------------------------------------------------- */

/* Lane sums of one set, or of two, which have half as many steps; other sums have no lanes. */
enum { LANE_SUMS = 4 * ARMILLA_VECTOR_MAX * ARMILLA_ANALYSIS_STEPS };
_Static_assert((int)ARMILLA_LEGENDRE_GAP >= (int)ARMILLA_VECTOR_MAX,
               "gaps hold what is in front of sums of several sets side by side");

static void split_scratch(const armilla_legendre *legendre, int64_t nsets,
                          armilla_legendre_parts *p)
{
    const int64_t spin = legendre->functions != NULL;
    const int64_t orders =
        armilla_legendre_has_ladder(legendre) ? armilla_legendre_most_together(legendre) : 1;
    const int64_t row = armilla_legendre_alm_row(legendre, legendre->mfirst);
    int64_t steps = armilla_legendre_steps(legendre, legendre->mfirst);
    if (spin) steps += armilla_legendre_spin_steps(legendre, legendre->mfirst);
    steps = armilla_round_line(steps); /* whole vectors */
    p->recurrence = 0;
    p->coefficients = 8 * steps;
    /* one set more than there are: side by side, sums of all sets are whole vectors */
    p->table = p->coefficients + (nsets + 1) * (4 * steps + ARMILLA_LEGENDRE_GAP);
    p->lane_sums = p->table;
    if (!legendre->tables.steps.a)
        p->lane_sums += armilla_legendre_table_size(steps) +
                        armilla_round_line(armilla_legendre_table_work(legendre));
    p->state = p->lane_sums + LANE_SUMS;
    p->rows = p->state + (STATE_VALUES + armilla_kernel_sets_width(nsets, ARMILLA_VECTOR_MAX)) *
                             armilla_legendre_state_stride(legendre);
    p->ladder = p->rows + spin * armilla_larger(2 * orders, nsets) * row;
    p->functions = p->ladder + (spin ? armilla_legendre_ladder_size(legendre) : 0);
    p->total = p->functions + (spin ? armilla_legendre_spin_order_size(legendre) : 0);
    p->total = armilla_round_line(p->total);
}

/* --- Plan ------------------------------------------------------------------------------------ */

static armilla_status make_parts(const armilla_legendre_problem *problem,
                                 armilla_legendre *legendre)
{
    armilla_status status;
    if ((status = armilla_legendre_make_groups(problem, legendre)) ||
        (status = armilla_legendre_make_places(legendre)))
        return status;
    legendre->top = find_top(legendre);
    const int keeps = armilla_legendre_is_for_calls(problem);
    if ((status = armilla_legendre_make_tables(legendre, problem)) ||
        (status = armilla_legendre_make_starts(legendre)) ||
        (status = armilla_legendre_make_matrices(legendre)) ||
        (legendre->spin && (status = armilla_legendre_make_spin(legendre, problem))) ||
        (legendre->spin && keeps &&
         ((status = armilla_legendre_make_links(legendre)) ||
          (status = armilla_legendre_keep_links(legendre, problem)))))
        return status;
    armilla_legendre_find_together(legendre);
    for (int64_t nsets = 1; nsets <= ARMILLA_SETS_MAX; nsets++)
        split_scratch(legendre, nsets, &legendre->parts[nsets]);
    return ARMILLA_OK;
}

armilla_status armilla_legendre_new(const armilla_legendre_problem *problem,
                                    armilla_legendre **legendre)
{
    armilla_legendre *result;
    armilla_status status = armilla_allocate_zero(&result, 1, sizeof *result);
    if (status) return status;
    result->machine = problem->machine, result->step = problem->pairs->step;
    result->kernels = armilla_kernels_find(problem->machine.isa);
    result->grouping.lanes = problem->lanes ? problem->lanes : result->kernels->vector_length;
    result->grouping.vectors = problem->vectors ? problem->vectors : result->kernels->vectors;
    result->lmax = problem->lmax;
    result->spin = problem->spin < 0 ? -problem->spin : problem->spin;
    result->twist = problem->spin < 0 ? -1 : 1;
    result->single = problem->single;
    set_borders(problem, result);
    result->pairs = problem->pairs;
    result->block_size = problem->block_size > 0 ? problem->block_size : problem->pairs->count + 1;
    result->bytes = (int64_t)sizeof *result;
    find_orders(problem, result);
    if ((status = make_parts(problem, result)))
        armilla_legendre_free(result);
    else
        *legendre = result;
    return status;
}

void armilla_legendre_free(armilla_legendre *legendre)
{
    if (!legendre) return;
    void *own[] = {legendre->places.theta,          legendre->places.argument,
                   legendre->places.cos_theta,      legendre->grouping.groups,
                   legendre->places.power_mantissa, legendre->places.power_exponent,
                   legendre->places.inverse_sine,   legendre->least_pair,
                   legendre->grouping.least_group,  legendre->tables.orders,
                   legendre->tables.recurrences};
    void *lendable[] = {
        legendre->tables.root,        legendre->tables.scale,   legendre->tables.square_scale,
        legendre->tables.start,       legendre->tables.steps.a, legendre->tables.steps.pair,
        legendre->tables.table_start, legendre->tables.steps.v, legendre->tables.steps.ceiling};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) armilla_release(own[i]);
    for (size_t i = 0; i < sizeof lendable / sizeof *lendable && !legendre->tables.lent; i++)
        armilla_release(lendable[i]);
    armilla_legendre_free_starts(&legendre->starts);
    armilla_legendre_free_matrices(&legendre->matrices);
    armilla_legendre_free_spin(legendre->functions);
    armilla_release(legendre);
}

double armilla_legendre_flops(const armilla_legendre *legendre)
{
    double flops = 0;
    const double each = legendre->spin == 0 ? 3 : legendre->top > legendre->lmax ? 5 : 12;
    const armilla_ring_pairs *pairs = legendre->pairs;
    for (int64_t i = 0; i < pairs->count; i++) {
        double sine = sin(pairs->theta[i]);
        double rings = (pairs->north[i] >= 0) + (pairs->south[i] >= 0);
        double top = fmin((double)legendre->mmax, (double)legendre->lmax * sine);
        /* degrees with l sin > m, summed over the orders up to top: lmax - m / sin each */
        double terms = (double)legendre->lmax * (top + 1);
        if (sine > 0) terms -= top * (top + 1) / 2 / sine;
        flops += each * rings * terms;
    }
    return flops;
}

int64_t armilla_legendre_batch(const armilla_legendre *legendre, int64_t nmap, int to_leg,
                               int64_t ntrans)
{
    const int64_t most = to_leg ? legendre->choices.synthesis_sets : ARMILLA_SETS_MAX;
    return nmap > 1 ? 1 : armilla_smaller(ntrans, most);
}
