/* See stage.h. A task is one row of leg, that is one order, on all blocks. */
#include "legendre/stage.h"

#include "base/team.h"
#include "legendre/rows.h"

#include <string.h>

typedef struct {
    const armilla_legendre *legendre;
    armilla_legendre_rows rows;
    const armilla_leg *leg;
    const armilla_work *work;
    int to_leg;
    int64_t ntrans; /* transforms of the call */
} stage;

int64_t armilla_legendre_stage_scratch(const armilla_legendre *legendre, int64_t nsets)
{
    return nsets * armilla_legendre_alm_row(legendre, legendre->mfirst) +
           armilla_legendre_scratch_size(legendre, nsets);
}

/* Degrees of an order, for each transform. Returned: whether the call is cancelled. */
static int advance(const stage *s, int64_t m, int thread)
{
    return armilla_progress_advance(s->work->progress, s->ntrans * (s->rows.alm->lmax - m + 1),
                                    thread);
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

static void run_row(void *context, int64_t row, int thread)
{
    const stage *s = context;
    const armilla_leg_layout *layout = s->leg->layout;
    const int64_t m = layout->orders[row];
    if (m > s->legendre->mmax || advance(s, m, thread)) return; /* a part may have such a row */
    double *copies = armilla_work_scratch(s->work, thread);
    double *scratch = copies + s->leg->nsets * s->rows.length;
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

static void run(const armilla_legendre *legendre, const armilla_alm_rows *alm,
                const armilla_leg *leg, const armilla_work *work, int to_leg)
{
    stage s = {.legendre = legendre,
               .rows = armilla_legendre_rows_of(legendre, alm),
               .leg = leg,
               .work = work,
               .to_leg = to_leg,
               .ntrans = leg->nsets / alm->nsets};
    if (armilla_progress_status(work->progress)) return;
    armilla_team_run(work->nthreads, leg->layout->norders, run_row, &s);
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
