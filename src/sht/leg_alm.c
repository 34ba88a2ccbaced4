/* alm <-> the caller's leg, on any list of rings and orders. See leg.h and armilla/leg.h. */
#include "sht/leg.h"

#include "alm/layout.h"
#include "base/integer.h"
#include "base/memory.h"
#include "base/point.h"
#include "base/team.h"
#include "leg/passes.h"
#include "legendre/stage.h"
#include "sht/leg_copy.h"
#include "sht/mode.h"

#include <string.h>

enum {
    PASS_SIZE = 1 << 19, /* doubles of leg in a pass for one set, at most; but */
    LEAST_ROWS = 8       /* orders of a pass, at least */
};

struct armilla_leg_alm {
    armilla_leg_problem problem; /* without its arrays */
    int64_t *mstart;             /* by order */
    double *factor;              /* per degree, or NULL: 1 */
    armilla_ring_pairs pairs;
    armilla_legendre *legendre;
    int64_t rows;    /* orders of a pass */
    int64_t degrees; /* of all orders: units of progress */
    armilla_leg_passes passes;
};

static armilla_status make_starts(const armilla_leg_problem *problem, armilla_leg_alm *plan)
{
    armilla_status status =
        armilla_allocate_zero(&plan->mstart, problem->lmax + 1, sizeof(int64_t));
    for (int64_t i = 0; i < problem->norders && !status; i++)
        plan->mstart[armilla_leg_order(problem, i)] = armilla_leg_start(problem, i);
    return status;
}

static armilla_status make_passes(const int64_t *orders, armilla_leg_alm *plan)
{
    const int64_t npairs = plan->pairs.count, fit = PASS_SIZE / armilla_leg_row_length(npairs);
    const armilla_leg_shape shape = {.pairs = &plan->pairs,
                                     .npairs = npairs,
                                     .block_size = npairs,
                                     .kind = ARMILLA_ORDERS_LISTED,
                                     .norders = plan->problem.norders,
                                     .orders = orders};
    plan->rows = fit > LEAST_ROWS ? fit : LEAST_ROWS;
    return armilla_leg_passes_by_orders(&shape, plan->rows, &plan->passes);
}

static armilla_status make_legendre(const int64_t *orders, armilla_leg_alm *plan)
{
    armilla_legendre_problem problem = {.lmax = plan->problem.lmax,
                                        .norders = plan->problem.norders,
                                        .orders = orders,
                                        .spin = plan->problem.spin,
                                        .pairs = &plan->pairs};
    armilla_status status = armilla_machine_choose(plan->problem.isa, &problem.machine);
    return status ? status : armilla_legendre_new(&problem, &plan->legendre);
}

static armilla_status make_parts(const armilla_leg_problem *problem, armilla_leg_alm *plan)
{
    int64_t *orders, most = 0;
    const double *theta = problem->theta;
    double *own = NULL;
    armilla_status status = armilla_allocate(&orders, problem->norders, sizeof *orders);
    for (int64_t i = 0; i < problem->norders && !status; i++) {
        orders[i] = armilla_leg_order(problem, i);
        if (orders[i] > most) most = orders[i];
        plan->degrees += problem->lmax - orders[i] + 1;
    }
    if (!status) status = armilla_points_settle(problem->nrings, 1, &theta, &own);
    if (!status && !(status = make_starts(problem, plan)) &&
        !(status =
              armilla_mode_factors(problem->mode, problem->spin, problem->lmax, &plan->factor)) &&
        !(status = armilla_ring_pairs_make(problem->nrings, theta, problem->lmax, most,
                                           problem->spin, &plan->pairs)) &&
        !(status = make_legendre(orders, plan)))
        status = make_passes(orders, plan);
    armilla_release(orders);
    armilla_release(own);
    return status;
}

armilla_status armilla_leg_alm_new(const armilla_leg_problem *problem, armilla_leg_alm **plan)
{
    armilla_leg_alm *made;
    armilla_leg_problem resolved;
    armilla_status status = armilla_leg_check(problem, &resolved);
    if (status || (status = armilla_allocate_zero(&made, 1, sizeof *made))) return status;
    made->problem = resolved;
    status = make_parts(&resolved, made);
    made->problem.theta = NULL, made->problem.orders = made->problem.mstart = NULL;
    made->problem.isa = NULL;
    if (status)
        armilla_leg_alm_free(made);
    else
        *plan = made;
    return status;
}

void armilla_leg_alm_free(armilla_leg_alm *plan)
{
    if (!plan) return;
    armilla_leg_passes_clear(&plan->passes);
    armilla_legendre_free(plan->legendre);
    armilla_ring_pairs_clear(&plan->pairs);
    armilla_release(plan->mstart);
    armilla_release(plan->factor);
    armilla_release(plan);
}

static armilla_alm_rows alm_rows(const armilla_leg_alm *plan, armilla_array alm)
{
    const armilla_leg_problem *p = &plan->problem;
    const armilla_alm_layout layout = {.lmax = p->lmax, .stride = p->stride};
    armilla_alm_rows rows =
        armilla_alm_rows_of(&layout, plan->mstart, p->spin, armilla_mode_nalm(p->mode, p->spin),
                            armilla_mode_nmap(p->spin), alm, p->alm_distance);
    rows.factor = plan->factor;
    rows.real = 0; /* of legs, not of maps */
    return rows;
}

/* What does not change from pass to pass. */
typedef struct {
    const armilla_leg_alm *plan;
    int to_leg;
    armilla_array alm, leg; /* of all transforms */
    double *values;         /* leg of a pass */
    armilla_work work;
} run;

/* Some of the transforms. */
static void run_pass(const run *r, int64_t pass, int64_t first, int64_t count)
{
    const armilla_leg_alm *plan = r->plan;
    armilla_alm_rows rows = alm_rows(plan, r->alm);
    rows.values = armilla_array_from(r->alm, 2 * first * rows.ncomp * rows.distance);
    const armilla_leg leg = {&plan->passes.layouts[pass], count * rows.nsets, r->values, NULL, 0};
    const armilla_leg_copy copy = {.values = r->leg,
                                   .nrings = plan->problem.nrings,
                                   .norders = plan->problem.norders,
                                   .first_set = first * rows.nsets,
                                   .first_order = pass * plan->rows};
    if (r->to_leg) {
        armilla_legendre_to_leg(plan->legendre, &rows, &leg, &r->work);
        armilla_leg_copy_out(&copy, &leg, &r->work);
    } else {
        armilla_leg_copy_in(&copy, &leg, &r->work);
        armilla_legendre_from_leg(plan->legendre, &leg, &rows, &r->work);
    }
}

static armilla_status run_passes(const run *r, int64_t ntrans, int64_t batch)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t first = 0; first < ntrans && !status; first += batch)
        for (int64_t pass = 0; pass < r->plan->passes.count && !status; pass++) {
            run_pass(r, pass, first, armilla_smaller(batch, ntrans - first));
            status = armilla_progress_status(r->work.progress);
        }
    return status;
}

armilla_status armilla_leg_alm_run(const armilla_leg_alm *plan, int64_t ntrans, int to_leg,
                                   armilla_array alm, armilla_array leg)
{
    const int64_t nmap = armilla_mode_nmap(plan->problem.spin);
    const int64_t batch = armilla_legendre_batch(plan->legendre, nmap, to_leg, ntrans);
    const int64_t sets = batch * nmap;
    const int64_t size = sets * plan->passes.size;
    armilla_progress progress;
    run r = {.plan = plan, .to_leg = to_leg, .alm = alm, .leg = leg};
    r.work.nthreads = armilla_team_size(plan->problem.nthreads);
    if (r.work.nthreads > plan->problem.norders) r.work.nthreads = (int)plan->problem.norders;
    r.work.scratch_size = armilla_legendre_stage_scratch(plan->legendre, sets);
    r.work.progress = &progress;
    armilla_progress_start(&progress, plan->problem.progress, plan->problem.progress_data,
                           (double)plan->degrees * (double)ntrans);
    armilla_status status =
        armilla_allocate(&r.values, size + r.work.nthreads * r.work.scratch_size, sizeof *r.values);
    if (status) return status;
    r.work.scratch = r.values + size;
    status = run_passes(&r, ntrans, batch);
    armilla_release(r.values);
    return status;
}
