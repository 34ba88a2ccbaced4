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
    int64_t ntrans;     /* transforms of the call */
    int64_t alm_stride; /* doubles between rows of alm in scratch */
    int64_t in_place;   /* the order from which on rows may be the caller's */
} stage;

int64_t armilla_legendre_stage_scratch(const armilla_legendre *legendre, int64_t nsets)
{
    return nsets * armilla_legendre_alm_row(legendre, legendre->mfirst) +
           armilla_legendre_scratch_size(legendre, nsets);
}

/* Degrees of an order, for each transform. Returned: whether the call is cancelled. */
static int advance(const stage *s, int64_t m, int thread)
{
    return armilla_progress_advance(s->work->progress, s->ntrans * (s->alm->lmax - m + 1), thread);
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

/* Rows of alm in scratch or, if they need no change on the way, the caller's. Returned: 1 if they
 * are the caller's. */
static int find_rows(const stage *s, int64_t m, double *scratch, armilla_legendre_sets *sets)
{
    const int in_place = m >= s->in_place;
    sets->count = s->leg->nsets, sets->add = 0;
    sets->alm = in_place ? armilla_alm_rows_place(s->alm, m) : scratch;
    sets->alm_stride = s->alm_stride;
    if (in_place) sets->alm_stride = sets->count > 1 ? 2 * s->alm->distance : 0;
    return in_place;
}

static void run_row(void *context, int64_t row, int thread)
{
    const stage *s = context;
    const armilla_leg_layout *layout = s->leg->layout;
    const int64_t m = layout->orders[row];
    if (m > s->legendre->mmax || advance(s, m, thread)) return; /* a part may have such a row */
    double *rows = armilla_work_scratch(s->work, thread);
    double *scratch = rows + s->leg->nsets * s->alm_stride;
    armilla_legendre_sets sets;
    const int in_place = find_rows(s, m, rows, &sets);
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
    stage s = {.legendre = legendre,
               .alm = alm,
               .leg = leg,
               .work = work,
               .to_leg = to_leg,
               .ntrans = leg->nsets / alm->nsets,
               .alm_stride = alm_stride,
               .in_place = armilla_alm_rows_in_place(alm)};
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
