/* Runs the Legendre transforms between alm and the ring spectrum over all orders, on a team of
 * threads. A task is a row of leg, that is one order; or several rows, where calls can take their
 * orders together, or where leg wants them so (leg/home.h). */
#include "legendre/stage.h"

#include "base/integer.h"
#include "base/team.h"
#include "legendre/rows.h"

typedef struct {
    armilla_legendre_rows rows;
    const armilla_leg *leg;
    const armilla_work *work;
    int64_t ntrans;  /* transforms of the call */
    int64_t at_once; /* rows of a task */
} stage;

/* One thread's view of a task. Its scratch: copies of rows of alm | Legendre functions | rows of
 * leg. */
typedef struct {
    armilla_leg_rows leg;
    double *copies, *scratch;
    int thread;
} stage_task;

int64_t armilla_legendre_stage_scratch(const armilla_legendre *legendre, int64_t nsets)
{
    return nsets * armilla_legendre_most_together(legendre) *
               armilla_legendre_alm_row(legendre, legendre->mfirst) +
           armilla_legendre_scratch_size(legendre, nsets);
}

/* How many rows from this one on can go together. */
static int64_t rows_together(const stage *s, const armilla_leg_rows *leg, int64_t i)
{
    const armilla_leg_layout *layout = leg->leg->layout;
    const int64_t row = leg->row + i, *orders = layout->orders + row;
    const int64_t step = s->rows.legendre->step;
    if (layout->nblocks != 1 || i + 1 >= leg->count || orders[0] > s->rows.legendre->mmax) return 1;
    int64_t most = armilla_smaller(leg->count - i, layout->blocks->nrows - row);
    for (int64_t k = 1; k < most; k++)
        if (orders[k] != orders[0] + k * step) most = k;
    return most < 2 ? 1 : armilla_legendre_together(s->rows.legendre, orders[0], most);
}

static void run_together(const stage *s, const stage_task *task, int64_t first, int64_t count)
{
    const armilla_leg_rows *leg = &task->leg;
    const armilla_leg_block *block = leg->leg->layout->blocks;
    const int64_t m = armilla_leg_rows_order(leg, first), size = leg->nsets * s->rows.length;
    const int64_t step = s->rows.legendre->step;
    armilla_kernel_rows rows[ARMILLA_LEGENDRE_TOGETHER];
    armilla_legendre_sets sets = {.count = leg->nsets,
                                  .leg = armilla_leg_row(leg->leg, block, 0, leg->row + first),
                                  .leg_stride = armilla_leg_set_length(block)};
    for (int64_t i = 0; i < count; i++) {
        armilla_legendre_rows_bring(&s->rows, m + i * step, task->copies + i * size, &sets);
        rows[i] =
            (armilla_kernel_rows){sets.alm, sets.alm_stride, sets.leg + i * block->row_length};
    }
    (s->rows.to_leg ? armilla_legendre_synthesis_together : armilla_legendre_analysis_together)(
        s->rows.legendre, block->first, block->npairs, m, count, &sets, rows, task->scratch);
    for (int64_t i = 0; i < count && m + i * step < s->rows.in_place && !s->rows.to_leg; i++) {
        sets.alm = rows[i].alm, sets.alm_stride = rows[i].alm_far;
        armilla_legendre_rows_return(&s->rows, m + i * step, &sets);
    }
}

/* `count` rows from number i on, of orders `step` apart. A part of the orders may have a row whose
 * order is above mmax. */
static void run_rows(const stage *s, const stage_task *task, int64_t i, int64_t count)
{
    const int64_t m = armilla_leg_rows_order(&task->leg, i);
    const int64_t step = s->rows.legendre->step;
    const int64_t degrees = count * (s->rows.alm->lmax - m + 1) - step * (count * (count - 1) / 2);
    if (m > s->rows.legendre->mmax ||
        armilla_progress_advance(s->work->progress, s->ntrans * degrees, task->thread))
        return;
    if (count > 1)
        run_together(s, task, i, count);
    else
        armilla_legendre_rows_run(&s->rows, &task->leg, i, task->copies, task->scratch);
}

static void run_task(void *context, int64_t index, int thread)
{
    const stage *s = context;
    const armilla_legendre *legendre = s->rows.legendre;
    const int64_t first = index * s->at_once, nsets = s->leg->nsets;
    stage_task task = {.thread = thread, .copies = armilla_work_scratch(s->work, thread)};
    armilla_leg_rows *leg = &task.leg;
    task.scratch = task.copies + nsets * armilla_legendre_most_together(legendre) * s->rows.length;
    leg->of = s->leg, leg->nsets = nsets, leg->first = first;
    leg->count = armilla_smaller(s->at_once, s->leg->layout->norders - first);
    armilla_leg_rows_open(leg, !s->rows.to_leg,
                          task.scratch + armilla_legendre_scratch_size(legendre, nsets));
    for (int64_t i = 0, count; i < leg->count; i += count) {
        count = rows_together(s, leg, i);
        run_rows(s, &task, i, count);
    }
    if (s->rows.to_leg) armilla_leg_rows_close(leg, &legendre->machine);
}

/* Rows of a task: as many as calls can take, but enough tasks for the threads. */
static int64_t rows_of_task(const armilla_legendre *legendre, int64_t norders, int nthreads)
{
    const int64_t share = nthreads > 1 ? norders / (4 * nthreads) : norders;
    return armilla_larger(armilla_smaller(armilla_legendre_most_together(legendre), share), 1);
}

static void run(const armilla_legendre *legendre, const armilla_alm_rows *alm,
                const armilla_leg *leg, const armilla_work *work, int to_leg)
{
    const int64_t norders = leg->layout->norders;
    const int64_t most = rows_of_task(legendre, norders, work->nthreads);
    stage s = {.rows = armilla_legendre_rows_of(legendre, alm, to_leg),
               .leg = leg,
               .work = work,
               .ntrans = leg->nsets / alm->nsets,
               .at_once = armilla_leg_rows_at_once(leg->home, most)};
    if (armilla_progress_status(work->progress)) return;
    armilla_team_run(work->nthreads, (norders + s.at_once - 1) / s.at_once, run_task, &s);
}

void armilla_legendre_to_leg(const armilla_legendre *legendre, const armilla_alm_rows *alm,
                             const armilla_leg *leg, const armilla_work *work)
{
    run(legendre, alm, leg, work, 1);
}

void armilla_legendre_from_leg(const armilla_legendre *legendre, const armilla_leg *leg,
                               const armilla_alm_rows *alm, const armilla_work *work)
{
    run(legendre, alm, leg, work, 0);
}
