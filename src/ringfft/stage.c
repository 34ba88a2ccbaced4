/* Runs the ring FFT stage over a whole leg with a team of threads, to maps or from them: one loop
 * over the pairs of the leg, wherever they are (leg/home.h), which hands each run of pairs that
 * share a way to it.
 *
 * A task of the team is a batch of neighbouring pairs of one block: their entries of a row share
 * cache lines, so threads rarely write to the same line. The way of a pair is a matter of its own
 * rings and orders, never of its neighbours. */
#include "ringfft/stage.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "leg/home.h"
#include "ringfft/plan.h"
#include "ringfft/way.h"

enum { BATCH = ARMILLA_RING_BATCH };

typedef struct {
    const armilla_leg *leg;
    const armilla_work *work;
    armilla_ring_batch all; /* what the batches have in common */
    int to_maps;
} ring_stage;

static armilla_ring_pair get_pair(const ring_stage *s, int64_t pair)
{
    const armilla_ring_pairs *pairs = s->leg->layout->pairs;
    return (armilla_ring_pair){pairs->north[pair], pairs->south[pair],
                               armilla_ring_pairs_orders(pairs, pair) - 1};
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

/* Pairs from number `first` on, all sets. */
static void run_way(const ring_stage *s, const armilla_ring_way *way,
                    const armilla_leg_columns *columns, int64_t first, armilla_ring_batch *batch)
{
    const int64_t step = s->all.sets.map_step;
    double *copies = batch->scratch + batch->ringfft->scratch_size; /* behind what ways need */
    armilla_leg_view view = {.first = first, .count = batch->count};
    for (; view.set < s->leg->nsets; view.set += view.nsets) {
        armilla_leg_columns_open(columns, s->to_maps, copies, &view);
        batch->leg = view.values;
        batch->sets = (armilla_ring_sets){view.nsets, view.row_length, view.set_length, step};
        batch->map = armilla_array_from(s->all.map, view.set * step);
        batch->mode.again = view.set > 0;
        way->run(batch, s->to_maps);
        if (!s->to_maps) armilla_leg_columns_close(columns, &view);
    }
}

static void run_columns(const ring_stage *s, const armilla_leg_columns *columns, double *scratch)
{
    armilla_ring_pair pairs[BATCH];
    for (int64_t i = 0; i < columns->count; i++) pairs[i] = get_pair(s, columns->first + i);
    for (int64_t i = 0, count; i < columns->count; i += count) {
        armilla_ring_batch batch = s->all;
        const armilla_ring_way *way;
        batch.scratch = scratch, batch.pairs = &pairs[i];
        batch.mode.part = columns->kind;
        if (armilla_leg_columns_are_near(columns)) batch.mode.stream = 0;
        count = find_run(s, &batch, columns->count - i, &way);
        count = armilla_leg_columns_at_once(columns, count,
                                            way->together ? way->together(batch.ringfft) : 1);
        batch.count = count;
        run_way(s, way, columns, columns->first + i, &batch);
    }
}

static void run_batch(void *context, int64_t index, int thread)
{
    const ring_stage *s = context;
    if (armilla_progress_advance(s->work->progress, 0, thread)) return; /* is it cancelled? */
    const armilla_leg_columns columns = armilla_leg_columns_batch(s->leg, BATCH, index);
    run_columns(s, &columns, armilla_work_scratch(s->work, thread));
}

static void run(const armilla_ringfft *ringfft, const armilla_leg *leg,
                const armilla_ring_maps *maps, const armilla_work *work, int to_maps, int add)
{
    const armilla_leg_layout *layout = leg->layout;
    const int64_t bytes = (int64_t)sizeof(double) * (to_maps ? ringfft->nsamples : layout->size);
    ring_stage s = {.leg = leg,
                    .work = work,
                    .all = {.ringfft = ringfft,
                            .mode = {.weighted = maps->weighted, .add = add},
                            .sets = {.map_step = maps->distance},
                            .map = maps->values},
                    .to_maps = to_maps};
    s.all.mode.stream = armilla_machine_stores_far(&ringfft->machine, leg->nsets * bytes, !to_maps);
    armilla_team_run(work->nthreads, armilla_leg_columns_count(leg, BATCH), run_batch, &s);
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
