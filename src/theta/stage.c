/* Runs the theta stage over a whole leg with a team of threads, a batch of rows at a time: the
 * Legendre stage makes or takes rows of the near rings in a thread's scratch, and interpolation
 * turns these into rows of leg, or leg into these. Where the near rings have a leg of their own,
 * interpolation runs alone. The scratch of a thread is: a row of alm of each set | near rows | far
 * rows | theta | Legendre stage. */
#include "theta/stage.h"

#include "base/memory.h"
#include "base/team.h"
#include "legendre/rows.h"

#include <string.h>

enum { BATCH = ARMILLA_THETA_BATCH };

typedef struct {
    const armilla_theta *theta;
    const armilla_legendre *legendre;
    armilla_legendre_rows alm;
    const armilla_leg *leg;
    const armilla_work *work;
    int to_leg;
    int64_t near_length, far_length; /* doubles of a row */
} stage;

static stage make_stage(const armilla_theta *theta, const armilla_legendre *legendre,
                        const armilla_alm_rows *alm)
{
    return (stage){.theta = theta,
                   .legendre = legendre,
                   .alm = armilla_legendre_rows_of(legendre, alm),
                   .near_length = armilla_leg_row_length(armilla_theta_near(theta)->count),
                   .far_length = armilla_leg_row_length(armilla_theta_far(theta)->count)};
}

int64_t armilla_theta_stage_scratch(const armilla_theta *theta, const armilla_legendre *legendre,
                                    int64_t nsets)
{
    const int64_t near = armilla_leg_row_length(armilla_theta_near(theta)->count);
    const int64_t far = armilla_leg_row_length(armilla_theta_far(theta)->count);
    return nsets * (armilla_legendre_alm_row(legendre, legendre->mfirst) + BATCH * (near + far)) +
           armilla_round_line(armilla_theta_scratch_size(theta)) +
           armilla_legendre_scratch_size(legendre, nsets);
}

/* One thread's view of a batch. Near and far rows: [set][row]. */
typedef struct {
    int64_t first, count; /* rows of leg */
    const int64_t *orders;
    double *alm, *near, *far, *theta, *legendre;
} batch;

static batch make_batch(const stage *s, int64_t index, int thread)
{
    const armilla_leg_layout *layout = s->leg->layout;
    const int64_t nsets = s->leg->nsets, first = index * BATCH, rest = layout->norders - first;
    batch b = {
        .first = first, .count = rest < BATCH ? rest : BATCH, .orders = layout->orders + first};
    b.alm = armilla_work_scratch(s->work, thread);
    b.near = b.alm + nsets * s->alm.length;
    b.far = b.near + nsets * BATCH * s->near_length;
    b.theta = b.far + nsets * BATCH * s->far_length;
    b.legendre = b.theta + armilla_round_line(armilla_theta_scratch_size(s->theta));
    return b;
}

/* The Legendre stage of one row of all sets. */
static void run_legendre(const stage *s, const batch *b, int64_t row)
{
    const int64_t m = b->orders[row], npairs = armilla_theta_near(s->theta)->count;
    armilla_legendre_sets sets = {.count = s->leg->nsets,
                                  .leg = b->near + row * s->near_length,
                                  .leg_stride = BATCH * s->near_length};
    armilla_legendre_rows_bring(&s->alm, m, b->alm, s->to_leg, &sets);
    if (s->to_leg) {
        armilla_legendre_synthesis(s->legendre, 0, npairs, m, &sets, b->legendre);
        return;
    }
    armilla_legendre_analysis(s->legendre, 0, npairs, m, &sets, b->legendre);
    armilla_legendre_rows_return(&s->alm, m, &sets);
}

/* An order above mmax has no entries. */
static void run_orders(const stage *s, const batch *b)
{
    for (int64_t row = 0; row < b->count; row++)
        if (b->orders[row] <= s->legendre->mmax) run_legendre(s, b, row);
}

/* Does what is copied to leg go past the caches? */
static int leg_is_far(const armilla_theta *theta, const armilla_leg *leg)
{
    const int64_t size = leg->nsets * leg->layout->size;
    return armilla_machine_stores_far(armilla_theta_machine(theta),
                                      (int64_t)sizeof *leg->values * size, 1);
}

/* Rows first .. first + count - 1 of a set, between leg and scratch. Blocks without a row have no
 * entry of its order. */
static void copy_rows(const armilla_theta *theta, const armilla_leg *leg, int64_t set,
                      int64_t first, int64_t count, double *rows, int64_t row_length, int to_leg)
{
    const int far = to_leg && leg_is_far(theta, leg);
    for (int64_t i = 0; i < leg->layout->nblocks; i++) {
        const armilla_leg_block *block = &leg->layout->blocks[i];
        for (int64_t row = 0; row < count && first + row < block->nrows; row++) {
            double *in_leg = armilla_leg_row(leg, block, set, first + row);
            double *in_rows = rows + row * row_length + 4 * block->first;
            const int64_t size = 4 * block->npairs;
            if (far)
                armilla_theta_stream(theta, in_leg, in_rows, size);
            else
                memcpy(to_leg ? in_leg : in_rows, to_leg ? in_rows : in_leg,
                       sizeof *rows * (size_t)size);
        }
    }
    if (far) armilla_theta_stream_end(theta);
}

/* The same of parked entries. */
static void put_parked(const stage *s, const batch *b, int64_t set, const double *far)
{
    if (s->leg->parking)
        armilla_parking_put_orders(s->leg->parking, set, b->first, b->count, far, s->far_length);
}

static void take_parked(const stage *s, const batch *b, int64_t set, double *far)
{
    for (int64_t row = 0; row < b->count && s->leg->parking; row++)
        if (b->orders[row] <= s->legendre->mmax)
            armilla_parking_take_order(s->leg->parking, set, b->orders[row],
                                       far + row * s->far_length);
}

/* One set, by way of far rows unless leg has all of them in one block. */
static void run_theta(const stage *s, const batch *b, int64_t set)
{
    const armilla_leg_block *block = s->leg->layout->blocks;
    const int direct =
        !s->leg->parking && s->leg->layout->nblocks == 1 && b->first + b->count <= block->nrows;
    double *far = b->far + set * BATCH * s->far_length;
    const armilla_theta_batch rows = {.count = b->count,
                                      .orders = b->orders,
                                      .near = b->near + set * BATCH * s->near_length,
                                      .far = direct ? armilla_leg_row(s->leg, block, set, b->first)
                                                    : far,
                                      .near_length = s->near_length,
                                      .far_length = direct ? block->row_length : s->far_length};
    if (!direct && !s->to_leg) {
        copy_rows(s->theta, s->leg, set, b->first, b->count, far, s->far_length, 0);
        take_parked(s, b, set, far);
    }
    (s->to_leg ? armilla_theta_to_far : armilla_theta_to_near)(s->theta, &rows, b->theta);
    if (!direct && s->to_leg) {
        copy_rows(s->theta, s->leg, set, b->first, b->count, far, s->far_length, 1);
        put_parked(s, b, set, far);
    }
}

/* Degrees of the rows, all transforms. */
static int64_t count_degrees(const stage *s, const batch *b)
{
    int64_t degrees = 0;
    for (int64_t row = 0; row < b->count; row++)
        if (b->orders[row] <= s->legendre->mmax) degrees += s->alm.alm->lmax - b->orders[row] + 1;
    return s->leg->nsets / s->alm.alm->nsets * degrees;
}

static void run_task(void *context, int64_t index, int thread)
{
    const stage *s = context;
    const batch b = make_batch(s, index, thread);
    if (armilla_progress_advance(s->work->progress, count_degrees(s, &b), thread)) return;
    if (s->to_leg) run_orders(s, &b);
    for (int64_t set = 0; set < s->leg->nsets; set++) run_theta(s, &b, set);
    if (!s->to_leg) run_orders(s, &b);
}

static void run(stage *s, const armilla_leg *leg, const armilla_work *work, int to_leg)
{
    s->leg = leg, s->work = work, s->to_leg = to_leg;
    if (armilla_progress_status(work->progress)) return;
    armilla_team_run(work->nthreads, (leg->layout->norders + BATCH - 1) / BATCH, run_task, s);
}

void armilla_theta_to_leg(const armilla_theta *theta, const armilla_legendre *legendre,
                          const armilla_alm_rows *alm, const armilla_leg *leg,
                          const armilla_work *work)
{
    stage s = make_stage(theta, legendre, alm);
    run(&s, leg, work, 1);
}

void armilla_theta_from_leg(const armilla_theta *theta, const armilla_legendre *legendre,
                            const armilla_leg *leg, const armilla_alm_rows *alm,
                            const armilla_work *work)
{
    stage s = make_stage(theta, legendre, alm);
    run(&s, leg, work, 0);
}

/* --- Legs on both sides ---------------------------------------------------------------------- */

typedef struct {
    const armilla_theta *theta;
    const armilla_leg *near, *far;
    const armilla_work *work;
    int to_far;
    int64_t near_length, far_length;
} two_legs;

int64_t armilla_theta_legs_scratch(const armilla_theta *theta)
{
    const int64_t near = armilla_leg_row_length(armilla_theta_near(theta)->count);
    const int64_t far = armilla_leg_row_length(armilla_theta_far(theta)->count);
    return BATCH * (near + far) + armilla_theta_scratch_size(theta);
}

/* A batch of rows of one set. */
static void run_legs_task(void *context, int64_t index, int thread)
{
    const two_legs *t = context;
    const int64_t norders = t->far->layout->norders, nbatches = (norders + BATCH - 1) / BATCH;
    const int64_t set = index / nbatches, first = index % nbatches * BATCH;
    const int64_t count = norders - first < BATCH ? norders - first : BATCH;
    double *near = armilla_work_scratch(t->work, thread);
    double *far = near + BATCH * t->near_length, *scratch = far + BATCH * t->far_length;
    const armilla_theta_batch rows = {
        count, t->far->layout->orders + first, near, far, t->near_length, t->far_length};
    if (armilla_progress_advance(t->work->progress, 0, thread)) return;
    if (t->to_far) {
        copy_rows(t->theta, t->near, set, first, count, near, t->near_length, 0);
        armilla_theta_to_far(t->theta, &rows, scratch);
        copy_rows(t->theta, t->far, set, first, count, far, t->far_length, 1);
    } else {
        copy_rows(t->theta, t->far, set, first, count, far, t->far_length, 0);
        armilla_theta_to_near(t->theta, &rows, scratch);
        copy_rows(t->theta, t->near, set, first, count, near, t->near_length, 1);
    }
}

static void run_legs(const armilla_theta *theta, const armilla_leg *near, const armilla_leg *far,
                     const armilla_work *work, int to_far)
{
    two_legs t = {.theta = theta,
                  .near = near,
                  .far = far,
                  .work = work,
                  .to_far = to_far,
                  .near_length = armilla_leg_row_length(armilla_theta_near(theta)->count),
                  .far_length = armilla_leg_row_length(armilla_theta_far(theta)->count)};
    const int64_t nbatches = (far->layout->norders + BATCH - 1) / BATCH;
    if (armilla_progress_status(work->progress)) return;
    armilla_team_run(work->nthreads, far->nsets * nbatches, run_legs_task, &t);
}

void armilla_theta_legs_to_far(const armilla_theta *theta, const armilla_leg *near,
                               const armilla_leg *far, const armilla_work *work)
{
    run_legs(theta, near, far, work, 1);
}

void armilla_theta_legs_to_near(const armilla_theta *theta, const armilla_leg *far,
                                const armilla_leg *near, const armilla_work *work)
{
    run_legs(theta, near, far, work, 0);
}
