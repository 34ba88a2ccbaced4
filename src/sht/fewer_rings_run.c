/* Running a transform on fewer rings; see fewer_rings.h. Tasks are batches of rows and batches of
 * ring pairs; a batch always holds the same orders, whatever the number of threads. */
#include "sht/fewer_rings_plan.h"

#include "base/team.h"

#include <string.h>

typedef struct {
    armilla_run *r;
    const armilla_fewer_rings *fewer;
    armilla_ringfft_part part;
    int to_map;
    int64_t nrows;
} pass;

/* One thread's view of a batch of rows. */
typedef struct {
    int64_t first, count; /* rows of the part */
    int64_t lowest;       /* order */
    double *alm, *coarse, *fine, *resample, *legendre;
} batch;

/* --- Rows ------------------------------------------------------------------------------------ */

static batch make_batch(const pass *p, int64_t index, int thread)
{
    const armilla_run *r = p->r;
    const int64_t rows = r->sets * ARMILLA_FEWER_BATCH;
    batch b = {.first = index * ARMILLA_FEWER_BATCH};
    b.count = p->nrows - b.first < ARMILLA_FEWER_BATCH ? p->nrows - b.first : ARMILLA_FEWER_BATCH;
    b.lowest = armilla_ringfft_order(p->part, b.first);
    b.alm = armilla_run_scratch(r, thread);
    b.coarse = b.alm + r->sets * armilla_legendre_alm_row(r->sht->legendre, 0);
    b.fine = b.coarse + rows * p->fewer->coarse_row;
    b.resample = b.fine + rows * armilla_fewer_row_length(p->fewer);
    b.legendre = b.resample + (armilla_theta_resample_scratch_size(p->fewer->resample) + 7) / 8 * 8;
    return b;
}

static double *coarse_row(const pass *p, const batch *b, int64_t set, int64_t row)
{
    return b->coarse + (set * ARMILLA_FEWER_BATCH + row) * p->fewer->coarse_row;
}

static double *fine_row(const pass *p, const batch *b, int64_t set, int64_t row)
{
    return b->fine + (set * ARMILLA_FEWER_BATCH + row) * armilla_fewer_row_length(p->fewer);
}

/* First coarse pair on which an order matters. */
static int64_t first_coarse(const armilla_fewer_rings *fewer, int64_t m)
{
    int64_t i = 0;
    while (i < fewer->ncoarse_pairs && fewer->coarse_limit[i] < m) i++;
    return i;
}

/* First block with rows of an order. */
static int64_t first_block(const armilla_fewer_rings *fewer, int64_t m)
{
    int64_t b = 0;
    while (b < fewer->nblocks && fewer->blocks[b].limit < m) b++;
    return b;
}

/* Entries that the Legendre stage leaves alone but the resampling reads. */
static void clear_small(const pass *p, double *row, int64_t from, int64_t m)
{
    int64_t end = m <= p->fewer->mmax ? first_coarse(p->fewer, m) : p->fewer->ncoarse_pairs;
    for (int64_t i = from; i < end; i++) memset(row + 4 * p->fewer->places[i], 0, 4 * sizeof *row);
}

static void coarse_synthesis(const pass *p, const batch *b, int64_t row)
{
    const armilla_run *r = p->r;
    const armilla_legendre *legendre = r->sht->legendre;
    const int64_t m = armilla_ringfft_order(p->part, b->first + row);
    const int64_t from = first_coarse(p->fewer, b->lowest);
    for (int64_t set = 0; set < r->sets; set++) clear_small(p, coarse_row(p, b, set, row), from, m);
    if (m > p->fewer->mmax) return;
    armilla_legendre_block block;
    armilla_legendre_get_block(legendre, legendre->npairs, 0, &block);
    const armilla_legendre_sets sets = {r->sets, b->alm, armilla_legendre_alm_row(legendre, 0),
                                        coarse_row(p, b, 0, row),
                                        ARMILLA_FEWER_BATCH * p->fewer->coarse_row};
    armilla_run_read(r, m, &sets);
    armilla_legendre_synthesis(legendre, &block, m, &sets, b->legendre);
}

static void coarse_analysis(const pass *p, const batch *b, int64_t row)
{
    const armilla_run *r = p->r;
    const armilla_legendre *legendre = r->sht->legendre;
    const int64_t m = armilla_ringfft_order(p->part, b->first + row);
    if (m > p->fewer->mmax) return;
    armilla_legendre_block block;
    armilla_legendre_get_block(legendre, legendre->npairs, 0, &block);
    const int64_t stride = armilla_legendre_alm_row(legendre, 0);
    const armilla_legendre_sets sets = {r->sets, b->alm, stride, coarse_row(p, b, 0, row),
                                        ARMILLA_FEWER_BATCH * p->fewer->coarse_row};
    memset(b->alm, 0, sizeof(double) * (size_t)(r->sets * stride));
    armilla_legendre_analysis(legendre, &block, m, &sets, b->legendre);
    armilla_run_write(r, m, &sets, 1);
}

static armilla_theta_side coarse_side(const pass *p, const batch *b, int64_t set)
{
    return (armilla_theta_side){coarse_row(p, b, set, 0), p->fewer->coarse_row, p->fewer->places,
                                first_coarse(p->fewer, b->lowest)};
}

static armilla_theta_side fine_side(const pass *p, const batch *b, int64_t set)
{
    int64_t first = first_block(p->fewer, b->lowest) * p->fewer->block_size;
    return (armilla_theta_side){fine_row(p, b, set, 0), armilla_fewer_row_length(p->fewer), NULL,
                                first};
}

/* --- Between fine rows and the blocks of leg ------------------------------------------------- */

static double *block_leg(const pass *p, int64_t index)
{
    double *leg = p->r->leg;
    for (int64_t b = 0; b < index; b++)
        leg += armilla_fewer_block_rows(&p->fewer->blocks[b], p->part) * p->r->sets *
               p->fewer->blocks[b].row_length;
    return leg;
}

/* One row of all sets, to leg or from leg; from leg, blocks without this row give zeros. */
static void move_row(const pass *p, const batch *b, int64_t row)
{
    const armilla_fewer_rings *fewer = p->fewer;
    for (int64_t i = first_block(fewer, b->lowest); i < fewer->nblocks; i++) {
        const armilla_fewer_block *block = &fewer->blocks[i];
        const int has_row = b->first + row < armilla_fewer_block_rows(block, p->part);
        double *leg = block_leg(p, i) + (b->first + row) * p->r->sets * block->row_length;
        const size_t bytes = sizeof(double) * (size_t)(4 * block->npairs);
        for (int64_t set = 0; set < p->r->sets; set++, leg += block->row_length) {
            double *fine = fine_row(p, b, set, row) + 4 * block->first;
            if (!has_row && !p->to_map)
                memset(fine, 0, bytes);
            else if (has_row && p->to_map)
                memcpy(leg, fine, bytes);
            else if (has_row)
                memcpy(fine, leg, bytes);
        }
    }
}

static void run_rows(void *context, int64_t index, int thread)
{
    const pass *p = context;
    const armilla_run *r = p->r;
    const batch b = make_batch(p, index, thread);
    const double degrees = (double)(r->sht->legendre->lmax - b.lowest + 1);
    if (armilla_progress_advance(&p->r->progress, (int64_t)degrees * b.count * r->batch, thread))
        return;
    for (int64_t row = 0; row < b.count && p->to_map; row++) coarse_synthesis(p, &b, row);
    for (int64_t row = 0; row < b.count && !p->to_map; row++) move_row(p, &b, row);
    for (int64_t set = 0; set < r->sets; set++) {
        armilla_theta_side coarse = coarse_side(p, &b, set), fine = fine_side(p, &b, set);
        if (p->to_map) {
            armilla_theta_resample_forward(p->fewer->resample, 0, b.count, &coarse, &fine,
                                           b.resample);
        } else {
            memset(coarse.rows, 0, sizeof(double) * (size_t)(b.count * coarse.row_length));
            armilla_theta_resample_adjoint(p->fewer->resample, 0, b.count, &fine, &coarse,
                                           b.resample);
        }
    }
    for (int64_t row = 0; row < b.count && p->to_map; row++) move_row(p, &b, row);
    for (int64_t row = 0; row < b.count && !p->to_map; row++) coarse_analysis(p, &b, row);
}

/* --- Ring pairs ------------------------------------------------------------------------------ */

static void run_pair(const pass *p, int64_t pair, double *scratch)
{
    const armilla_run *r = p->r;
    const armilla_fewer_rings *fewer = p->fewer;
    const armilla_fewer_block *block = &fewer->blocks[pair / fewer->block_size];
    const armilla_ringfft_mode mode = {.weighted = r->weighted, .part = p->part};
    const armilla_ring_pair rings = {fewer->north[pair], fewer->south[pair], 0, fewer->limit[pair]};
    double *leg = block_leg(p, pair / fewer->block_size) + 4 * (pair - block->first);
    for (int64_t set = 0; set < r->sets; set++, leg += block->row_length)
        if (p->to_map)
            armilla_ringfft_synthesis(r->sht->ringfft, &rings, mode, leg,
                                      r->sets * block->row_length, armilla_run_map(r, set),
                                      scratch);
        else
            armilla_ringfft_analysis(r->sht->ringfft, &rings, mode, armilla_run_map(r, set), leg,
                                     r->sets * block->row_length, scratch);
}

static void run_pairs(void *context, int64_t index, int thread)
{
    const pass *p = context;
    int64_t first = index * ARMILLA_PAIR_BATCH;
    for (int64_t i = first; i < first + ARMILLA_PAIR_BATCH && i < p->fewer->npairs; i++)
        run_pair(p, i, armilla_run_scratch(p->r, thread));
}

void armilla_fewer_rings_run(armilla_run *r, int to_map)
{
    const armilla_fewer_rings *fewer = r->sht->fewer;
    const int64_t pairs = (fewer->npairs + ARMILLA_PAIR_BATCH - 1) / ARMILLA_PAIR_BATCH;
    for (int part = ARMILLA_RINGFFT_FIRST; part <= ARMILLA_RINGFFT_SECOND; part++) {
        pass p = {r, fewer, (armilla_ringfft_part)part, to_map,
                  armilla_ringfft_rows((armilla_ringfft_part)part, fewer->mmax)};
        int64_t batches = (p.nrows + ARMILLA_FEWER_BATCH - 1) / ARMILLA_FEWER_BATCH;
        if (armilla_progress_status(&r->progress)) return;
        if (!to_map) armilla_team_run(r->nthreads, pairs, run_pairs, &p);
        armilla_team_run(r->nthreads, batches, run_rows, &p);
        if (to_map) armilla_team_run(r->nthreads, pairs, run_pairs, &p);
    }
}
