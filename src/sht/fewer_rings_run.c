/* Running a transform on fewer rings; see fewer_rings.h. Tasks are batches of rows and batches of
 * ring pairs; a batch always holds the same orders, whatever the number of threads. */
#include "sht/fewer_rings_plan.h"

#include "base/memory.h"
#include "base/team.h"

#include <string.h>

typedef struct {
    armilla_run *r;
    const armilla_fewer_rings *fewer;
    armilla_orders part;
    int to_map;
    int64_t nrows;
} pass;

/* One thread's view of a batch of rows. */
typedef struct {
    int64_t first, count; /* rows of the part */
    int64_t coarse_first; /* first coarse pair, and first block, on which an order matters */
    int64_t block_first;
    double *alm, *coarse, *fine, *resample, *legendre;
} batch;

/* --- Rows ------------------------------------------------------------------------------------ */

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

static int64_t order_of(const pass *p, const batch *b, int64_t row)
{
    return armilla_orders_at(p->part, b->first + row);
}

static batch make_batch(const pass *p, int64_t index, int thread)
{
    const armilla_run *r = p->r;
    const int64_t rows = r->sets * ARMILLA_FEWER_BATCH;
    batch b = {.first = index * ARMILLA_FEWER_BATCH};
    b.count = p->nrows - b.first < ARMILLA_FEWER_BATCH ? p->nrows - b.first : ARMILLA_FEWER_BATCH;
    const int64_t lowest = order_of(p, &b, 0);
    b.coarse_first = first_coarse(p->fewer, lowest);
    b.block_first = first_block(p->fewer, lowest);
    b.alm = armilla_run_scratch(r, thread);
    b.coarse = b.alm + r->sets * armilla_legendre_alm_row(r->sht->legendre, 0);
    b.fine = b.coarse + rows * p->fewer->coarse_row;
    b.resample = b.fine + rows * p->fewer->fine_row;
    b.legendre =
        b.resample + armilla_round_line(armilla_theta_resample_scratch_size(p->fewer->resample));
    return b;
}

static double *coarse_row(const pass *p, const batch *b, int64_t set, int64_t row)
{
    return b->coarse + (set * ARMILLA_FEWER_BATCH + row) * p->fewer->coarse_row;
}

static double *fine_row(const pass *p, const batch *b, int64_t set, int64_t row)
{
    return b->fine + (set * ARMILLA_FEWER_BATCH + row) * p->fewer->fine_row;
}

/* Entries that the Legendre stage leaves alone but the resampling reads. */
static void clear_small(const pass *p, const batch *b, int64_t row, int64_t m)
{
    const armilla_fewer_rings *fewer = p->fewer;
    const int64_t end = m <= fewer->mmax ? first_coarse(fewer, m) : fewer->ncoarse_pairs;
    for (int64_t set = 0; set < p->r->sets; set++)
        for (int64_t i = b->coarse_first; i < end; i++)
            memset(coarse_row(p, b, set, row) + 4 * fewer->places[i], 0, 4 * sizeof(double));
}

/* The Legendre stage of one row; one row of a part may have an order above mmax. */
static void coarse_legendre(const pass *p, const batch *b, int64_t row)
{
    const armilla_run *r = p->r;
    const int64_t m = order_of(p, b, row);
    if (p->to_map) clear_small(p, b, row, m);
    if (m > p->fewer->mmax) return;
    const armilla_legendre_sets sets = {
        r->sets, b->alm, armilla_legendre_alm_row(r->sht->legendre, 0), coarse_row(p, b, 0, row),
        ARMILLA_FEWER_BATCH * p->fewer->coarse_row};
    if (p->to_map)
        armilla_run_synthesis(r, &p->fewer->coarse, m, &sets, b->legendre);
    else
        armilla_run_analysis(r, &p->fewer->coarse, m, &sets, b->legendre);
}

static void resample(const pass *p, const batch *b, int64_t set)
{
    const armilla_fewer_rings *fewer = p->fewer;
    const armilla_theta_side coarse = {coarse_row(p, b, set, 0), fewer->coarse_row, fewer->places,
                                       b->coarse_first};
    const armilla_theta_side fine = {fine_row(p, b, set, 0), fewer->fine_row, NULL,
                                     b->block_first * fewer->block_size};
    if (p->to_map) {
        armilla_theta_resample_forward(fewer->resample, 0, b->count, &coarse, &fine, b->resample);
    } else {
        memset(coarse.rows, 0, sizeof(double) * (size_t)(b->count * coarse.row_length));
        armilla_theta_resample_adjoint(fewer->resample, 0, b->count, &fine, &coarse, b->resample);
    }
}

/* --- Between fine rows and the blocks of leg ------------------------------------------------- */

static double *block_leg(const pass *p, const armilla_fewer_block *block)
{
    return p->r->leg + p->r->sets * block->begin[p->part];
}

/* Pairs of a block on which an order does not matter: the ring stage leaves their entries as it
 * found them (of an earlier pass or call), and the resampling would spread these. Limits grow with
 * the pairs. */
static void clear_beyond_limit(const pass *p, const armilla_fewer_block *block, int64_t m,
                               double *fine)
{
    const int64_t *limit = p->fewer->limit + block->first;
    for (int64_t i = 0; i < block->npairs && limit[i] < m; i++)
        memset(fine + 4 * i, 0, 4 * sizeof *fine);
}

/* One row of all sets, to leg or from leg; from leg, blocks without this row give zeros. */
static void move_row(const pass *p, const batch *b, int64_t row)
{
    const armilla_fewer_rings *fewer = p->fewer;
    const int64_t m = order_of(p, b, row);
    for (int64_t i = b->block_first; i < fewer->nblocks; i++) {
        const armilla_fewer_block *block = &fewer->blocks[i];
        const int has_row = b->first + row < block->rows[p->part];
        double *leg = block_leg(p, block) + (b->first + row) * p->r->sets * block->row_length;
        const size_t bytes = sizeof(double) * (size_t)(4 * block->npairs);
        for (int64_t set = 0; set < p->r->sets; set++, leg += block->row_length) {
            double *fine = fine_row(p, b, set, row) + 4 * block->first;
            if (!has_row && !p->to_map)
                memset(fine, 0, bytes);
            else if (has_row && p->to_map)
                memcpy(leg, fine, bytes);
            else if (has_row) {
                memcpy(fine, leg, bytes);
                clear_beyond_limit(p, block, m, fine);
            }
        }
    }
}

/* Degrees of the rows, all transforms. */
static int64_t count_degrees(const pass *p, const batch *b)
{
    int64_t degrees = 0;
    for (int64_t row = 0; row < b->count; row++)
        if (order_of(p, b, row) <= p->fewer->mmax)
            degrees += p->r->sht->legendre->lmax - order_of(p, b, row) + 1;
    return p->r->batch * degrees;
}

static void run_rows(void *context, int64_t index, int thread)
{
    const pass *p = context;
    const batch b = make_batch(p, index, thread);
    void (*const first)(const pass *, const batch *, int64_t) =
        p->to_map ? coarse_legendre : move_row;
    void (*const last)(const pass *, const batch *, int64_t) =
        p->to_map ? move_row : coarse_legendre;
    if (armilla_progress_advance(&p->r->progress, count_degrees(p, &b), thread)) return;
    for (int64_t row = 0; row < b.count; row++) first(p, &b, row);
    for (int64_t set = 0; set < p->r->sets; set++) resample(p, &b, set);
    for (int64_t row = 0; row < b.count; row++) last(p, &b, row);
}

/* --- Ring pairs ------------------------------------------------------------------------------ */

static void run_pair(const pass *p, int64_t pair, double *scratch)
{
    const armilla_run *r = p->r;
    const armilla_fewer_rings *fewer = p->fewer;
    const armilla_fewer_block *block = &fewer->blocks[pair / fewer->block_size];
    const armilla_ringfft_mode mode = {.weighted = r->weighted, .part = p->part};
    const armilla_ring_pair rings = {fewer->north[pair], fewer->south[pair], 0, fewer->limit[pair]};
    double *leg = block_leg(p, block) + 4 * (pair - block->first);
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
    if (armilla_progress_advance(&p->r->progress, 0, thread)) return; /* cancelled? */
    for (int64_t i = first; i < first + ARMILLA_PAIR_BATCH && i < p->fewer->npairs; i++)
        run_pair(p, i, armilla_run_scratch(p->r, thread));
}

void armilla_fewer_rings_run(armilla_run *r, int to_map)
{
    const armilla_fewer_rings *fewer = r->sht->fewer;
    const int64_t pairs = (fewer->npairs + ARMILLA_PAIR_BATCH - 1) / ARMILLA_PAIR_BATCH;
    for (int part = ARMILLA_ORDERS_FIRST; part <= ARMILLA_ORDERS_SECOND; part++) {
        pass p = {r, fewer, (armilla_orders)part, to_map,
                  armilla_orders_rows((armilla_orders)part, fewer->mmax)};
        int64_t batches = (p.nrows + ARMILLA_FEWER_BATCH - 1) / ARMILLA_FEWER_BATCH;
        for (int stage = 0; stage < 2; stage++) {
            if (armilla_progress_status(&r->progress)) return;
            if (stage == to_map)
                armilla_team_run(r->nthreads, pairs, run_pairs, &p);
            else
                armilla_team_run(r->nthreads, batches, run_rows, &p);
        }
    }
}
