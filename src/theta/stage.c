/* Runs the theta stage over a whole leg with a team of threads, a batch of rows at a time: the
 * Legendre stage makes or takes rows of the near rings in a thread's scratch, and interpolation
 * turns these into rows of leg, or leg into these. The scratch of a thread is: a row of alm of each
 * set | near rows | far rows of one set | theta | Legendre stage. */
#include "theta/stage.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "legendre/rows.h"

enum { BATCH = ARMILLA_THETA_BATCH };

/* Doubles of the rows of a batch, near and far, one set. */
static int64_t near_size(const armilla_theta *theta)
{
    return BATCH * armilla_leg_row_length(armilla_theta_near(theta)->count);
}

static int64_t far_size(const armilla_theta *theta)
{
    return BATCH * armilla_leg_row_length(armilla_theta_far(theta)->count);
}

typedef struct {
    const armilla_theta *theta;
    armilla_legendre_rows alm;
    const armilla_leg *leg;
    const armilla_work *work;
} stage;

int64_t armilla_theta_stage_scratch(const armilla_theta *theta, const armilla_legendre *legendre,
                                    int64_t nsets)
{
    return nsets * (armilla_legendre_alm_row(legendre, legendre->mfirst) + near_size(theta)) +
           far_size(theta) + armilla_round_line(armilla_theta_scratch_size(theta)) +
           armilla_legendre_scratch_size(legendre, nsets);
}

/* One thread's view of a batch. */
typedef struct {
    armilla_leg_rows near, far;
    double *alm, *far_scratch, *theta, *legendre;
} batch;

static void open_batch(const stage *s, int64_t index, int thread, batch *b)
{
    const armilla_leg_layout *layout = s->leg->layout;
    const int64_t nsets = s->leg->nsets, first = index * BATCH;
    const int64_t count = armilla_smaller(BATCH, layout->norders - first);
    b->alm = armilla_work_scratch(s->work, thread);
    double *near = b->alm + nsets * s->alm.length;
    b->far_scratch = near + nsets * near_size(s->theta);
    b->theta = b->far_scratch + far_size(s->theta);
    b->legendre = b->theta + armilla_round_line(armilla_theta_scratch_size(s->theta));
    b->far =
        (armilla_leg_rows){.of = s->leg, .nsets = 1, .first = first, .count = count, .whole = 1};
    armilla_leg_rows_make(armilla_theta_near(s->theta), layout->orders + first, count, nsets, near,
                          &b->near);
}

/* An order above mmax has no entries. */
static int has_entries(const stage *s, const batch *b, int64_t row)
{
    return armilla_leg_rows_order(&b->near, row) <= s->alm.legendre->mmax;
}

static void run_orders(const stage *s, const batch *b)
{
    for (int64_t row = 0; row < b->near.count; row++)
        if (has_entries(s, b, row))
            armilla_legendre_rows_run(&s->alm, &b->near, row, b->alm, b->legendre);
}

static void run_theta(const stage *s, batch *b, int64_t set)
{
    const armilla_leg_rows *far = &b->far;
    b->far.first_set = set;
    armilla_leg_rows_open(&b->far, !s->alm.to_leg, b->far_scratch);
    const armilla_leg_block *block = far->leg->layout->blocks;
    const armilla_theta_batch rows = {.count = far->count,
                                      .orders = far->leg->layout->orders + far->row,
                                      .near = armilla_leg_row(b->near.leg, &b->near.block, set, 0),
                                      .far = armilla_leg_row(far->leg, block, far->set, far->row),
                                      .near_length = b->near.block.row_length,
                                      .far_length = block->row_length};
    (s->alm.to_leg ? armilla_theta_to_far : armilla_theta_to_near)(s->theta, &rows, b->theta);
    if (s->alm.to_leg) armilla_leg_rows_close(&b->far, armilla_theta_machine(s->theta));
}

/* Degrees of the rows, all transforms. */
static int64_t count_degrees(const stage *s, const batch *b)
{
    int64_t degrees = 0;
    for (int64_t row = 0; row < b->near.count; row++)
        if (has_entries(s, b, row))
            degrees += s->alm.alm->lmax - armilla_leg_rows_order(&b->near, row) + 1;
    return s->leg->nsets / s->alm.alm->nsets * degrees;
}

static void run_task(void *context, int64_t index, int thread)
{
    const stage *s = context;
    batch b;
    open_batch(s, index, thread, &b);
    if (armilla_progress_advance(s->work->progress, count_degrees(s, &b), thread)) return;
    if (s->alm.to_leg) run_orders(s, &b);
    for (int64_t set = 0; set < s->leg->nsets; set++) run_theta(s, &b, set);
    if (!s->alm.to_leg) run_orders(s, &b);
}

static void run(const armilla_theta *theta, const armilla_legendre *legendre,
                const armilla_alm_rows *alm, const armilla_leg *leg, const armilla_work *work,
                int to_leg)
{
    stage s = {.theta = theta,
               .alm = armilla_legendre_rows_of(legendre, alm, to_leg),
               .leg = leg,
               .work = work};
    if (armilla_progress_status(work->progress)) return;
    armilla_team_run(work->nthreads, (leg->layout->norders + BATCH - 1) / BATCH, run_task, &s);
}

void armilla_theta_to_leg(const armilla_theta *theta, const armilla_legendre *legendre,
                          const armilla_alm_rows *alm, const armilla_leg *leg,
                          const armilla_work *work)
{
    run(theta, legendre, alm, leg, work, 1);
}

void armilla_theta_from_leg(const armilla_theta *theta, const armilla_legendre *legendre,
                            const armilla_leg *leg, const armilla_alm_rows *alm,
                            const armilla_work *work)
{
    run(theta, legendre, alm, leg, work, 0);
}
