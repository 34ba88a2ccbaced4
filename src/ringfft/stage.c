/* Runs the ring FFT stage over a whole leg with a team of threads, to maps or from them: one loop
 * over the pairs of the leg, in memory or parked, which hands each run of pairs that share a way to
 * it.
 *
 * A task of the team is a batch of neighbouring pairs of one block: their entries of a row share
 * cache lines, so threads rarely write to the same line. The way of a pair is a matter of its own
 * rings and orders, never of its neighbours. */
#include "ringfft/stage.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "ringfft/plan.h"
#include "ringfft/way.h"

enum { BATCH = ARMILLA_RING_BATCH };

typedef struct {
    const armilla_leg *leg;
    const armilla_work *work;
    armilla_ring_batch all; /* what the batches have in common */
    int64_t batches;        /* of a block; of the last one there may be less */
    int64_t parked;         /* pairs that are parked, the first ones */
    int to_maps;
} ring_stage;

static armilla_ring_pair get_pair(const ring_stage *s, int64_t pair)
{
    const armilla_ring_pairs *pairs = s->leg->layout->pairs;
    return (armilla_ring_pair){pairs->north[pair], pairs->south[pair], pairs->limit[pair]};
}

/* Columns of the leg, from pair number i of a block on. */
static void run_columns(const ring_stage *s, const armilla_ring_way *way,
                        const armilla_leg_block *block, int64_t i, armilla_ring_batch *batch)
{
    batch->leg = armilla_leg_row(s->leg, block, 0, 0) + 4 * i;
    batch->sets.row_length = block->row_length;
    batch->sets.leg_step = armilla_leg_set_length(block);
    way->run(batch, s->to_maps);
}

/* Parked pairs from number i on, with all their orders, which are behind the scratch meanwhile. */
static void run_parked(const ring_stage *s, const armilla_ring_way *way, int64_t i,
                       armilla_ring_batch *batch)
{
    const armilla_leg_parking *parking = s->leg->parking;
    const int64_t step = batch->sets.map_step;
    batch->leg = batch->scratch + armilla_ringfft_scratch_size(batch->ringfft);
    batch->sets = (armilla_ring_sets){1, 4 * batch->count, 0, step};
    for (int64_t set = 0; set < s->leg->nsets; set++) {
        batch->map = armilla_array_from(s->all.map, set * step);
        batch->mode.again = set > 0;
        if (s->to_maps) armilla_parking_take_pairs(parking, set, i, batch->count, batch->leg);
        way->run(batch, s->to_maps);
        if (!s->to_maps) armilla_parking_put_pairs(parking, set, i, batch->count, batch->leg);
    }
}

/* The way of the first of some pairs. Returned: how many pairs it takes, at most `most`. */
static int64_t find_run(const ring_stage *s, const armilla_ring_batch *batch, int64_t most,
                        const armilla_ring_way **way)
{
    int64_t count = 1;
    *way = armilla_ring_way_find(batch, batch->pairs, s->to_maps);
    if ((*way)->takes_all && (*way)->takes_all(batch)) return most;
    while (count < most && armilla_ring_way_find(batch, &batch->pairs[count], s->to_maps) == *way)
        count++;
    return count;
}

/* Pairs first .. end - 1, of a block or, without one, parked. */
static void run_pairs(const ring_stage *s, const armilla_leg_block *block, int64_t first,
                      int64_t end, double *scratch)
{
    armilla_ring_pair pairs[BATCH];
    const int64_t start = block ? block->first : 0;
    for (int64_t i = first; i < end; i++) pairs[i - first] = get_pair(s, start + i);
    for (int64_t i = first, count; i < end; i += count) {
        armilla_ring_batch batch = s->all;
        const armilla_ring_way *way;
        batch.scratch = scratch, batch.pairs = &pairs[i - first];
        if (!block) batch.mode = (armilla_ringfft_mode){.weighted = s->all.mode.weighted};
        count = find_run(s, &batch, end - i, &way);
        if (!block)
            count = way->together ? armilla_smaller(count, way->together(batch.ringfft)) : 1;
        batch.count = count;
        if (block)
            run_columns(s, way, block, i, &batch);
        else
            run_parked(s, way, i, &batch);
    }
}

int64_t armilla_ringfft_parking_scratch_size(const armilla_ringfft *ringfft, int64_t mmax)
{
    const int64_t together = armilla_larger(1, armilla_ringfft_lanes(ringfft));
    return armilla_ringfft_scratch_size(ringfft) + armilla_round_line(4 * together * (mmax + 1));
}

/* --- Tasks ----------------------------------------------------------------------------------- */

static int64_t count_parked_batches(const ring_stage *s)
{
    return (s->parked + BATCH - 1) / BATCH;
}

static void run_batch(void *context, int64_t index, int thread)
{
    const ring_stage *s = context;
    const int64_t parked = count_parked_batches(s);
    const armilla_leg_block *block = NULL;
    double *scratch = armilla_work_scratch(s->work, thread);
    if (armilla_progress_advance(s->work->progress, 0, thread)) return; /* is it cancelled? */
    if (index >= parked) {
        block = &s->leg->layout->blocks[(index - parked) / s->batches];
        index = (index - parked) % s->batches;
    }
    const int64_t end = armilla_smaller((index + 1) * BATCH, block ? block->npairs : s->parked);
    run_pairs(s, block, index * BATCH, end, scratch);
}

static int64_t count_batches(const ring_stage *s)
{
    const armilla_leg_layout *layout = s->leg->layout;
    const int64_t parked = count_parked_batches(s);
    if (layout->nblocks == 0) return parked;
    const armilla_leg_block *last = &layout->blocks[layout->nblocks - 1];
    return parked + (layout->nblocks - 1) * s->batches + (last->npairs + BATCH - 1) / BATCH;
}

static int64_t count_parked(const armilla_leg *leg, int to_maps)
{
    if (!leg->parking) return 0;
    return to_maps ? leg->parking->maps->pairs->count : leg->parking->npairs;
}

static void run(const armilla_ringfft *ringfft, const armilla_leg *leg,
                const armilla_ring_maps *maps, const armilla_work *work, int to_maps, int add)
{
    const armilla_leg_layout *layout = leg->layout;
    const int64_t bytes = (int64_t)sizeof(double) * (to_maps ? ringfft->nsamples : layout->size);
    ring_stage s = {.leg = leg,
                    .work = work,
                    .all = {.ringfft = ringfft,
                            .mode = {.weighted = maps->weighted, .part = layout->kind, .add = add},
                            .sets = {.count = leg->nsets, .map_step = maps->distance},
                            .map = maps->values},
                    .batches = layout->nblocks ? (layout->blocks[0].npairs + BATCH - 1) / BATCH : 0,
                    .parked = count_parked(leg, to_maps),
                    .to_maps = to_maps};
    s.all.mode.stream = armilla_machine_stores_far(&ringfft->machine, leg->nsets * bytes, !to_maps);
    armilla_team_run(work->nthreads, count_batches(&s), run_batch, &s);
}

void armilla_ringfft_to_maps(const armilla_ringfft *ringfft, const armilla_leg *leg,
                             const armilla_ring_maps *maps, const armilla_work *work)
{
    run(ringfft, leg, maps, work, 1, 0);
}

void armilla_ringfft_add_to_maps(const armilla_ringfft *ringfft, const armilla_leg *leg,
                                 const armilla_ring_maps *maps, const armilla_work *work)
{
    run(ringfft, leg, maps, work, 1, 1);
}

void armilla_ringfft_from_maps(const armilla_ringfft *ringfft, const armilla_leg *leg,
                               const armilla_ring_maps *maps, const armilla_work *work)
{
    run(ringfft, leg, maps, work, 0, 0);
}
