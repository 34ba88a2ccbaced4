/* Runs the Legendre transforms between alm and the ring spectrum over all orders, on a team of
 * threads, even where a part of the spectrum is parked in the output (leg/parking.h). A task is a
 * row of leg, that is one order, on all blocks; or several rows, where calls can take their orders
 * together. */
#include "legendre/stage.h"

#include "base/integer.h"
#include "base/team.h"
#include "legendre/rows.h"

#include <string.h>

typedef struct {
    const armilla_legendre *legendre;
    armilla_legendre_rows rows;
    const armilla_leg *leg;
    const armilla_work *work;
    int to_leg;
    int64_t ntrans;   /* transforms of the call */
    int64_t together; /* rows of a task */
} stage;

int64_t armilla_legendre_stage_scratch(const armilla_legendre *legendre, int64_t nsets)
{
    return nsets * armilla_legendre_most_together(legendre) *
               armilla_legendre_alm_row(legendre, legendre->mfirst) +
           armilla_legendre_scratch_size(legendre, nsets);
}

/* Degrees of `count` orders, for each transform. Returned: whether the call is cancelled. */
static int advance(const stage *s, int64_t m, int64_t count, int thread)
{
    const int64_t degrees = count * (s->rows.alm->lmax - m + 1) - count * (count - 1) / 2;
    return armilla_progress_advance(s->work->progress, s->ntrans * degrees, thread);
}

/* A thread's room for copies of alm; the Legendre stage's own lies behind it. */
static double *find_scratch(const stage *s, int thread, double **copies)
{
    *copies = armilla_work_scratch(s->work, thread);
    return *copies + s->leg->nsets * armilla_legendre_most_together(s->legendre) * s->rows.length;
}

static void point_at(const stage *s, const armilla_leg_block *block, int64_t row,
                     armilla_legendre_sets *sets)
{
    sets->leg = armilla_leg_row(s->leg, block, 0, row);
    sets->leg_stride = armilla_leg_set_length(block);
}

/* An order that is in no block. */
static void clear_rows(const stage *s, int64_t m, const armilla_legendre_sets *sets)
{
    const int64_t nrow = 2 * (s->legendre->lmax - m + 1);
    for (int64_t set = 0; set < sets->count; set++)
        memset(sets->alm + set * sets->alm_stride, 0, sizeof(double) * (size_t)nrow);
}

static void run_row(const stage *s, int64_t row, int thread)
{
    const armilla_leg_layout *layout = s->leg->layout;
    const int64_t m = layout->orders[row];
    if (m > s->legendre->mmax || advance(s, m, 1, thread)) return; /* a part may have such a row */
    double *copies, *scratch = find_scratch(s, thread, &copies);
    armilla_legendre_sets sets = {.count = s->leg->nsets};
    armilla_legendre_rows_bring(&s->rows, m, copies, s->to_leg, &sets);
    for (int64_t b = 0; b < layout->nblocks; b++) {
        const armilla_leg_block *block = &layout->blocks[b];
        if (row >= block->nrows) continue;
        point_at(s, block, row, &sets);
        (s->to_leg ? armilla_legendre_synthesis : armilla_legendre_analysis)(
            s->legendre, block->first, block->npairs, m, &sets, scratch);
        sets.add = 1;
    }
    if (s->to_leg) return;
    if (!sets.add) clear_rows(s, m, &sets);
    armilla_legendre_rows_return(&s->rows, m, &sets);
}

/* How many rows from this one on, before `end`, can go together. */
static int64_t rows_together(const stage *s, int64_t row, int64_t end)
{
    const armilla_leg_layout *layout = s->leg->layout;
    const int64_t *orders = layout->orders;
    if (layout->nblocks != 1 || row + 1 >= end || orders[row] > s->legendre->mmax) return 1;
    int64_t most = armilla_smaller(end, layout->blocks->nrows) - row;
    for (int64_t i = 1; i < most; i++)
        if (orders[row + i] != orders[row] + i) most = i;
    return most < 2 ? 1 : armilla_legendre_together(s->legendre, orders[row], most);
}

static void run_together(const stage *s, int64_t row, int64_t count, int thread)
{
    const int64_t m = s->leg->layout->orders[row], size = s->leg->nsets * s->rows.length;
    armilla_kernel_rows rows[ARMILLA_LEGENDRE_TOGETHER];
    if (advance(s, m, count, thread)) return;
    double *copies, *scratch = find_scratch(s, thread, &copies);
    const armilla_leg_block *block = s->leg->layout->blocks;
    armilla_legendre_sets sets = {.count = s->leg->nsets};
    point_at(s, block, row, &sets);
    for (int64_t i = 0; i < count; i++) {
        armilla_legendre_rows_bring(&s->rows, m + i, copies + i * size, s->to_leg, &sets);
        rows[i] =
            (armilla_kernel_rows){sets.alm, sets.alm_stride, sets.leg + i * block->row_length};
    }
    (s->to_leg ? armilla_legendre_synthesis_together : armilla_legendre_analysis_together)(
        s->legendre, block->first, block->npairs, m, count, &sets, rows, scratch);
    for (int64_t i = 0; i < count && m + i < s->rows.in_place && !s->to_leg; i++) {
        sets.alm = rows[i].alm, sets.alm_stride = rows[i].alm_far;
        armilla_legendre_rows_return(&s->rows, m + i, &sets);
    }
}

/* --- Parked entries -------------------------------------------------------------------------- */

enum { PARKED_ROWS = 8 }; /* that are put into maps together */

static int64_t parked_row_length(const armilla_legendre *legendre)
{
    return armilla_leg_row_length(legendre->pairs->count);
}

int64_t armilla_legendre_parking_scratch(const armilla_legendre *legendre, int64_t nsets)
{
    return armilla_legendre_stage_scratch(legendre, nsets) +
           nsets * PARKED_ROWS * parked_row_length(legendre);
}

/* All entries of a row, from leg and from where they are parked. */
static void gather_row(const stage *s, int64_t row, const armilla_legendre_sets *sets)
{
    const armilla_leg_layout *layout = s->leg->layout;
    for (int64_t set = 0; set < sets->count; set++) {
        double *to = sets->leg + set * sets->leg_stride;
        armilla_parking_take_order(s->leg->parking, set, layout->orders[row], to);
        for (int64_t b = 0; b < layout->nblocks; b++) {
            const armilla_leg_block *block = &layout->blocks[b];
            if (row >= block->nrows) continue;
            memcpy(to + 4 * block->first, armilla_leg_row(s->leg, block, set, row),
                   sizeof *to * (size_t)(4 * block->npairs));
        }
    }
}

/* rows: of this order, for the sets one after the other. */
static void run_parked_row(const stage *s, int64_t row, double *rows, int thread)
{
    const armilla_ring_pairs *pairs = s->legendre->pairs;
    const int64_t m = s->leg->layout->orders[row];
    if (advance(s, m, 1, thread)) return;
    double *copies, *scratch = find_scratch(s, thread, &copies);
    armilla_legendre_sets sets = {.count = s->leg->nsets,
                                  .leg = rows,
                                  .leg_stride = PARKED_ROWS * parked_row_length(s->legendre)};
    const int exists = armilla_ring_pairs_first(pairs, m) < pairs->count;
    armilla_legendre_rows_bring(&s->rows, m, copies, s->to_leg, &sets);
    if (s->to_leg) {
        if (exists) armilla_legendre_synthesis(s->legendre, 0, pairs->count, m, &sets, scratch);
        return;
    }
    if (exists) {
        gather_row(s, row, &sets);
        armilla_legendre_analysis(s->legendre, 0, pairs->count, m, &sets, scratch);
    } else {
        clear_rows(s, m, &sets);
    }
    armilla_legendre_rows_return(&s->rows, m, &sets);
}

static void run_parked_task(void *context, int64_t task, int thread)
{
    const stage *s = context;
    const int64_t first = task * PARKED_ROWS, length = parked_row_length(s->legendre);
    const int64_t count = armilla_smaller(PARKED_ROWS, s->leg->layout->norders - first);
    double *copies, *rows = find_scratch(s, thread, &copies);
    rows += armilla_legendre_scratch_size(s->legendre, s->leg->nsets);
    for (int64_t i = 0; i < count; i++) run_parked_row(s, first + i, rows + i * length, thread);
    for (int64_t set = 0; set < s->leg->nsets && s->to_leg; set++)
        armilla_parking_put_orders(s->leg->parking, set, first, count,
                                   rows + set * PARKED_ROWS * length, length);
}

/* --- All orders ------------------------------------------------------------------------------ */

static void run_task(void *context, int64_t task, int thread)
{
    const stage *s = context;
    const int64_t first = task * s->together;
    const int64_t end = armilla_smaller(first + s->together, s->leg->layout->norders);
    for (int64_t row = first, count; row < end; row += count) {
        count = rows_together(s, row, end);
        if (count > 1)
            run_together(s, row, count, thread);
        else
            run_row(s, row, thread);
    }
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
    stage s = {.legendre = legendre,
               .rows = armilla_legendre_rows_of(legendre, alm),
               .leg = leg,
               .work = work,
               .to_leg = to_leg,
               .ntrans = leg->nsets / alm->nsets};
    const int64_t norders = leg->layout->norders;
    if (armilla_progress_status(work->progress)) return;
    if (leg->parking) {
        const int64_t tasks = (norders + PARKED_ROWS - 1) / PARKED_ROWS;
        armilla_team_run(work->nthreads, tasks, run_parked_task, &s);
        return;
    }
    s.together = rows_of_task(legendre, norders, work->nthreads);
    armilla_team_run(work->nthreads, (norders + s.together - 1) / s.together, run_task, &s);
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
