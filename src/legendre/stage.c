/* See stage.h. A task is one row of leg, that is one order, on all blocks. */
#include "legendre/stage.h"

#include "base/team.h"

#include <string.h>

typedef struct {
    const armilla_legendre *legendre;
    const armilla_alm_rows *alm;
    const armilla_leg *leg;
    const armilla_work *work;
    int to_leg;
    int64_t alm_stride; /* doubles between rows of alm */
} stage;

int64_t armilla_legendre_stage_scratch(const armilla_legendre *legendre, int64_t nsets)
{
    return nsets * armilla_legendre_alm_row(legendre, legendre->mfirst) +
           armilla_legendre_scratch_size(legendre, nsets);
}

/* Degrees of an order, for each transform. Returned: whether the call is cancelled. */
static int advance(const stage *s, int64_t m, int thread)
{
    const int64_t ntrans = s->leg->nsets / s->alm->nsets;
    return armilla_progress_advance(s->work->progress, ntrans * (s->alm->lmax - m + 1), thread);
}

static armilla_legendre_sets sets_of(const stage *s, int thread)
{
    return (armilla_legendre_sets){.count = s->leg->nsets,
                                   .alm = armilla_work_scratch(s->work, thread),
                                   .alm_stride = s->alm_stride};
}

static void point_at(const stage *s, const armilla_leg_block *block, int64_t row,
                     armilla_legendre_sets *sets)
{
    sets->leg = armilla_leg_row(s->leg, block, 0, row);
    sets->leg_stride = armilla_leg_set_length(block);
}

static void read_rows(const stage *s, int64_t m, const armilla_legendre_sets *sets)
{
    const int64_t nrow = armilla_legendre_alm_row(s->legendre, m);
    for (int64_t set = 0; set < sets->count; set++)
        armilla_alm_rows_read(s->alm, set, m, sets->alm + set * sets->alm_stride, nrow);
}

/* An order that is in no block. */
static void clear_rows(const stage *s, int64_t m, const armilla_legendre_sets *sets)
{
    const int64_t nrow = 2 * (s->legendre->lmax - m + 1);
    for (int64_t set = 0; set < sets->count; set++)
        memset(sets->alm + set * sets->alm_stride, 0, sizeof(double) * (size_t)nrow);
}

static void write_rows(const stage *s, int64_t m, const armilla_legendre_sets *sets)
{
    for (int64_t set = 0; set < sets->count; set++)
        armilla_alm_rows_write(s->alm, set, m, sets->alm + set * sets->alm_stride);
}

/* The caller's rows themselves, if they need no change on the way. Returned: 0 if they do. */
static int find_rows(const stage *s, int64_t m, armilla_legendre_sets *sets)
{
    if (!armilla_legendre_kept_matrix(s->legendre, m)) return 0;
    double *rows = armilla_alm_rows_find(s->alm, sets->count, m, &sets->alm_stride);
    if (rows) sets->alm = rows;
    return rows != NULL;
}

static void run_row(void *context, int64_t row, int thread)
{
    const stage *s = context;
    const armilla_leg_layout *layout = s->leg->layout;
    const int64_t m = layout->orders[row];
    if (m > s->legendre->mmax || advance(s, m, thread)) return; /* a part may have such a row */
    armilla_legendre_sets sets = sets_of(s, thread);
    double *scratch = sets.alm + sets.count * sets.alm_stride;
    const int in_place = find_rows(s, m, &sets);
    if (s->to_leg && !in_place) read_rows(s, m, &sets);
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
    if (!in_place) write_rows(s, m, &sets);
}

static void run(const armilla_legendre *legendre, const armilla_alm_rows *alm,
                const armilla_leg *leg, const armilla_work *work, int to_leg)
{
    const int64_t alm_stride = armilla_legendre_alm_row(legendre, legendre->mfirst);
    stage s = {legendre, alm, leg, work, to_leg, alm_stride};
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
