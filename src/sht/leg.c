/* alm <-> leg on any list of rings. See armilla/leg.h.
 *
 * The Legendre stage keeps one order as pairs of rings, four doubles each, sorted by colatitude;
 * the caller's leg has one row of orders per ring. A task takes a few neighbouring orders, so that
 * what it writes to a ring lies in one cache line. */
#include "sht/leg.h"

#include "base/memory.h"
#include "base/team.h"
#include "legendre/legendre.h"
#include "sht/complex_array.h"
#include "sht/mode.h"

#include <string.h>

enum {
    COMPONENTS = 2, /* at most */
    ORDER_BATCH = 4
};

typedef struct {
    armilla_leg_problem problem;
    armilla_legendre *legendre;
    armilla_legendre_block block;
    double *factor; /* per degree, or NULL: 1 */
    armilla_array alm, leg;
    int64_t alm_row, leg_row; /* doubles per set */
    int64_t scratch_size;     /* doubles per thread */
    double *scratch;
} run;

static armilla_legendre_sets sets_of(const run *r, int64_t k, int thread)
{
    double *memory = r->scratch + (int64_t)thread * r->scratch_size;
    double *leg = memory + COMPONENTS * r->alm_row;
    return (armilla_legendre_sets){.count = armilla_mode_nmap(r->problem.spin),
                                   .alm = memory,
                                   .alm_stride = r->alm_row,
                                   .leg = leg + k * COMPONENTS * r->leg_row,
                                   .leg_stride = r->leg_row};
}

static double *kernel_scratch(const run *r, int thread)
{
    return r->scratch + (int64_t)thread * r->scratch_size + COMPONENTS * r->alm_row +
           ORDER_BATCH * COMPONENTS * r->leg_row;
}

/* --- Rows of alm ------------------------------------------------------------------------------ */

static void read_alm(const run *r, int64_t index, const armilla_legendre_sets *sets)
{
    const armilla_leg_problem *p = &r->problem;
    const int64_t m = armilla_leg_order(p, index), spin = r->legendre->spin;
    memset(sets->alm, 0, sizeof(double) * (size_t)(sets->count * sets->alm_stride));
    for (int64_t set = 0; set < armilla_mode_nalm(p->mode, p->spin); set++) {
        const int64_t start = set * p->alm_distance + armilla_leg_start(p, index);
        for (int64_t l = m > spin ? m : spin; l <= p->lmax; l++) {
            double *number = sets->alm + set * sets->alm_stride + 2 * (l - m);
            armilla_complex_get(r->alm, start + l * p->stride, number);
            if (r->factor) number[0] *= r->factor[l], number[1] *= r->factor[l];
        }
    }
}

static void write_alm(const run *r, int64_t index, const armilla_legendre_sets *sets)
{
    const armilla_leg_problem *p = &r->problem;
    const int64_t m = armilla_leg_order(p, index), spin = r->legendre->spin;
    for (int64_t set = 0; set < armilla_mode_nalm(p->mode, p->spin); set++) {
        const int64_t start = set * p->alm_distance + armilla_leg_start(p, index);
        for (int64_t l = m; l <= p->lmax; l++) {
            const double *number = sets->alm + set * sets->alm_stride + 2 * (l - m);
            double factor = l < spin ? 0 : r->factor ? r->factor[l] : 1;
            double made[2] = {l < spin ? 0 : number[0] * factor, l < spin ? 0 : number[1] * factor};
            armilla_complex_put(r->alm, start + l * p->stride, made);
        }
    }
}

/* --- Columns of leg --------------------------------------------------------------------------- */

/* The entries of orders first .. first + count - 1 on one ring: to the caller's array, or from it.
 */
static void exchange_ring(const run *r, int64_t first, int64_t count, int64_t ring, int64_t column,
                          int to_caller, int thread)
{
    const armilla_leg_problem *p = &r->problem;
    for (int64_t set = 0; set < armilla_mode_nmap(p->spin); set++) {
        const int64_t place = (set * p->nrings + ring) * p->norders + first;
        for (int64_t k = 0; k < count; k++) {
            const armilla_legendre_sets sets = sets_of(r, k, thread);
            double *number = sets.leg + set * sets.leg_stride + column;
            if (to_caller)
                armilla_complex_put(r->leg, place + k, number);
            else
                armilla_complex_get(r->leg, place + k, number);
        }
    }
}

static void exchange_leg(const run *r, int64_t first, int64_t count, int to_caller, int thread)
{
    const armilla_legendre *legendre = r->legendre;
    for (int64_t i = 0; i < legendre->npairs; i++) {
        if (legendre->north[i] >= 0)
            exchange_ring(r, first, count, legendre->north[i], 4 * i, to_caller, thread);
        if (legendre->south[i] >= 0)
            exchange_ring(r, first, count, legendre->south[i], 4 * i + 2, to_caller, thread);
    }
}

static void clear_leg(const run *r, int thread)
{
    memset(sets_of(r, 0, thread).leg, 0,
           sizeof(double) * (size_t)(ORDER_BATCH * COMPONENTS * r->leg_row));
}

/* --- Tasks ------------------------------------------------------------------------------------ */

static int64_t batch_count(const run *r, int64_t batch)
{
    const int64_t rest = r->problem.norders - batch * ORDER_BATCH;
    return rest < ORDER_BATCH ? rest : ORDER_BATCH;
}

static void from_alm_batch(void *context, int64_t batch, int thread)
{
    const run *r = context;
    const int64_t first = batch * ORDER_BATCH, count = batch_count(r, batch);
    clear_leg(r, thread); /* the Legendre stage leaves small entries alone */
    for (int64_t k = 0; k < count; k++) {
        const armilla_legendre_sets sets = sets_of(r, k, thread);
        read_alm(r, first + k, &sets);
        armilla_legendre_synthesis(r->legendre, &r->block,
                                   armilla_leg_order(&r->problem, first + k), &sets,
                                   kernel_scratch(r, thread));
    }
    exchange_leg(r, first, count, 1, thread);
}

static void to_alm_batch(void *context, int64_t batch, int thread)
{
    const run *r = context;
    const int64_t first = batch * ORDER_BATCH, count = batch_count(r, batch);
    clear_leg(r, thread); /* rings that are missing count as zeros */
    exchange_leg(r, first, count, 0, thread);
    for (int64_t k = 0; k < count; k++) {
        const armilla_legendre_sets sets = sets_of(r, k, thread);
        memset(sets.alm, 0, sizeof(double) * (size_t)(sets.count * sets.alm_stride));
        armilla_legendre_analysis(r->legendre, &r->block, armilla_leg_order(&r->problem, first + k),
                                  &sets, kernel_scratch(r, thread));
        write_alm(r, first + k, &sets);
    }
}

/* --- One call --------------------------------------------------------------------------------- */

static armilla_status make_legendre(run *r)
{
    const armilla_leg_problem *p = &r->problem;
    armilla_legendre_problem problem = {.lmax = p->lmax,
                                        .mfirst = p->lmax,
                                        .spin = p->spin,
                                        .nrings = p->nrings,
                                        .theta = p->theta};
    for (int64_t i = 0; i < p->norders; i++) {
        const int64_t m = armilla_leg_order(p, i);
        if (m < problem.mfirst) problem.mfirst = m;
        if (m > problem.mmax) problem.mmax = m;
    }
    armilla_status status = armilla_isa_choose(p->isa, &problem.isa);
    if (!status) status = armilla_legendre_new(&problem, &r->legendre);
    if (status) return status;
    armilla_legendre_get_block(r->legendre, r->legendre->npairs, 0, &r->block);
    r->alm_row = armilla_legendre_alm_row(r->legendre, problem.mfirst);
    r->leg_row = armilla_legendre_row_length(&r->block);
    return ARMILLA_OK;
}

static armilla_status execute(const armilla_leg_problem *problem, armilla_array alm,
                              armilla_array leg, armilla_team_task task)
{
    run r = {.alm = alm, .leg = leg};
    armilla_status status;
    if (!alm.values) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "alm = NULL: must be an array");
    if (!leg.values) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "leg = NULL: must be an array");
    if ((status = armilla_leg_check(problem, &r.problem)) || (status = make_legendre(&r)) ||
        (status = armilla_mode_factors(r.problem.mode, r.problem.spin, r.problem.lmax, &r.factor)))
        goto done;
    const int64_t batches = (r.problem.norders + ORDER_BATCH - 1) / ORDER_BATCH;
    int nthreads = armilla_team_size(r.problem.nthreads);
    if (nthreads > batches) nthreads = (int)batches;
    r.scratch_size =
        COMPONENTS * (r.alm_row + ORDER_BATCH * r.leg_row) +
        (armilla_legendre_scratch_size(r.legendre, r.block.npairs, COMPONENTS) + 15) / 8 * 8;
    status = armilla_allocate(&r.scratch, nthreads * r.scratch_size, sizeof *r.scratch);
    if (!status) armilla_team_run(nthreads, batches, task, &r);

done:
    armilla_release(r.scratch);
    armilla_release(r.factor);
    armilla_legendre_free(r.legendre);
    return status;
}

armilla_status armilla_leg_from_alm(const armilla_leg_problem *problem, const double *alm,
                                    double *leg)
{
    return execute(problem, (armilla_array){(void *)alm, 0}, (armilla_array){leg, 0},
                   from_alm_batch);
}

armilla_status armilla_leg_from_alm_float(const armilla_leg_problem *problem, const float *alm,
                                          float *leg)
{
    return execute(problem, (armilla_array){(void *)alm, 1}, (armilla_array){leg, 1},
                   from_alm_batch);
}

armilla_status armilla_leg_to_alm(const armilla_leg_problem *problem, const double *leg,
                                  double *alm)
{
    return execute(problem, (armilla_array){alm, 0}, (armilla_array){(void *)leg, 0}, to_alm_batch);
}

armilla_status armilla_leg_to_alm_float(const armilla_leg_problem *problem, const float *leg,
                                        float *alm)
{
    return execute(problem, (armilla_array){alm, 1}, (armilla_array){(void *)leg, 1}, to_alm_batch);
}
