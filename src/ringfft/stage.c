/* Runs the ring FFT stage over a whole leg with a team of threads, to maps or from them: pairs that
 * fit go in lanes, others one by one, parked ones with all their orders.
 *
 * A task of the team is a batch of neighbouring pairs of one block: their entries of a row share
 * cache lines, so threads rarely write to the same line. Whether a pair goes in lanes is a matter
 * of its own rings and orders, never of its neighbours. */
#include "ringfft/stage.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "ringfft/plan.h"

enum { BATCH = ARMILLA_RING_BATCH };

typedef struct {
    const armilla_ringfft *ringfft;
    const armilla_leg *leg;
    const armilla_ring_maps *maps;
    const armilla_work *work;
    armilla_ringfft_mode mode;
    int64_t batches; /* of a block; of the last one there may be less */
    int64_t parked;  /* pairs that are parked, the first ones */
    int lanes;       /* pairs that fit go together */
    int to_maps;
} ring_stage;

static armilla_ring_pair get_pair(const ring_stage *s, int64_t pair)
{
    const armilla_ring_pairs *pairs = s->leg->layout->pairs;
    return (armilla_ring_pair){pairs->north[pair], pairs->south[pair], pairs->limit[pair]};
}

/* The first row of a set at pair number i of a block. */
static double *find_column(const ring_stage *s, const armilla_leg_block *block, int64_t set,
                           int64_t i)
{
    return armilla_leg_row(s->leg, block, set, 0) + 4 * i;
}

static armilla_array map_of_set(const ring_stage *s, int64_t set)
{
    return armilla_array_from(s->maps->values, set * s->maps->distance);
}

static void run_alone(const ring_stage *s, const armilla_leg_block *block, int64_t i,
                      const armilla_ring_pair *rings, double *scratch)
{
    armilla_ringfft_mode mode = s->mode;
    for (int64_t set = 0; set < s->leg->nsets; set++) {
        double *column = find_column(s, block, set, i);
        mode.again = set > 0;
        if (s->to_maps)
            armilla_ringfft_synthesis(s->ringfft, rings, mode, column, block->row_length,
                                      map_of_set(s, set), scratch);
        else
            armilla_ringfft_analysis(s->ringfft, rings, mode, map_of_set(s, set), column,
                                     block->row_length, scratch);
    }
}

static void run_in_lanes(const ring_stage *s, const armilla_leg_block *block, int64_t i,
                         int64_t count, const armilla_ring_pair *rings, double *scratch)
{
    const armilla_ringfft_sets sets = {s->leg->nsets, block->row_length,
                                       armilla_leg_set_length(block), s->maps->distance};
    double *column = find_column(s, block, 0, i);
    if (s->to_maps)
        armilla_ringfft_lanes_synthesis(s->ringfft, count, rings, s->mode, &sets, column,
                                        s->maps->values, scratch);
    else
        armilla_ringfft_lanes_analysis(s->ringfft, count, rings, s->mode, &sets, s->maps->values,
                                       column, scratch);
}

static int fits_lanes(const ring_stage *s, const armilla_ring_pair *pair)
{
    return s->mode.part ? armilla_ringfft_parts_fit_lanes(s->ringfft, pair, s->maps->values)
                        : armilla_ringfft_fits_lanes(s->ringfft, pair);
}

/* Pairs i .. i + count - 1 of a block: in lanes where they fit, and after that, since lanes write
 * to the columns of all of them, the others one by one. */
static void run_neighbours(const ring_stage *s, const armilla_leg_block *block, int64_t i,
                           int64_t count, double *scratch)
{
    const armilla_ring_pair none = {.north = -1, .south = -1, .last = -1};
    const int all_fit = !s->mode.part && armilla_ringfft_all_fit_lanes(s->ringfft);
    armilla_ring_pair pairs[BATCH], alone[BATCH];
    for (int64_t k = 0; k < count; k++) {
        pairs[k] = get_pair(s, block->first + i + k), alone[k] = none;
        if (all_fit || fits_lanes(s, &pairs[k])) continue;
        alone[k] = pairs[k], pairs[k] = none;
    }
    run_in_lanes(s, block, i, count, pairs, scratch);
    for (int64_t k = 0; k < count && !all_fit; k++)
        if (alone[k].north >= 0 || alone[k].south >= 0)
            run_alone(s, block, i + k, &alone[k], scratch);
}

/* --- Parked pairs ---------------------------------------------------------------------------- */

/* Behind the scratch of the transforms: all orders of pairs that go together. */
static double *parked_columns(const ring_stage *s, double *scratch)
{
    return scratch + armilla_ringfft_scratch_size(s->ringfft);
}

static void run_columns(const ring_stage *s, int64_t set, int64_t count,
                        const armilla_ring_pair *pairs, double *columns, double *scratch)
{
    const armilla_ringfft_sets sets = {1, 4 * count, 0, s->maps->distance};
    const armilla_array map = map_of_set(s, set);
    armilla_ringfft_mode mode = {.weighted = s->mode.weighted, .again = set > 0};
    const int lanes = s->lanes && armilla_ringfft_fits_lanes(s->ringfft, pairs);
    if (lanes && s->to_maps)
        armilla_ringfft_lanes_synthesis(s->ringfft, count, pairs, mode, &sets, columns, map,
                                        scratch);
    else if (lanes)
        armilla_ringfft_lanes_analysis(s->ringfft, count, pairs, mode, &sets, map, columns,
                                       scratch);
    else if (s->to_maps)
        armilla_ringfft_synthesis(s->ringfft, pairs, mode, columns, 4, map, scratch);
    else
        armilla_ringfft_analysis(s->ringfft, pairs, mode, map, columns, 4, scratch);
}

/* Pairs that go together, from number i on. */
static void run_parked_pairs(const ring_stage *s, int64_t i, int64_t count,
                             const armilla_ring_pair *pairs, double *scratch)
{
    const armilla_leg_parking *parking = s->leg->parking;
    double *columns = parked_columns(s, scratch);
    for (int64_t set = 0; set < s->leg->nsets; set++) {
        if (s->to_maps) armilla_parking_take_pairs(parking, set, i, count, columns);
        run_columns(s, set, count, pairs, columns, scratch);
        if (!s->to_maps) armilla_parking_put_pairs(parking, set, i, count, columns);
    }
}

static int all_fit_lanes(const ring_stage *s, int64_t count, const armilla_ring_pair *pairs)
{
    int64_t fitting = 0;
    while (fitting < count && armilla_ringfft_fits_lanes(s->ringfft, &pairs[fitting])) fitting++;
    return fitting == count;
}

/* Pairs first .. end - 1, each with all its orders. */
static void run_parked(const ring_stage *s, int64_t first, int64_t end, double *scratch)
{
    const int64_t most = s->lanes ? armilla_ringfft_lanes(s->ringfft) : 1;
    armilla_ring_pair pairs[BATCH];
    for (int64_t i = first; i < end; i += most) {
        const int64_t count = armilla_smaller(most, end - i);
        for (int64_t k = 0; k < count; k++) pairs[k] = get_pair(s, i + k);
        if (s->lanes && all_fit_lanes(s, count, pairs)) {
            run_parked_pairs(s, i, count, pairs, scratch);
            continue;
        }
        for (int64_t k = 0; k < count; k++) run_parked_pairs(s, i + k, 1, &pairs[k], scratch);
    }
}

int64_t armilla_ringfft_parking_scratch_size(const armilla_ringfft *ringfft, int64_t mmax)
{
    const int64_t together = armilla_larger(1, armilla_ringfft_lanes(ringfft));
    return armilla_ringfft_scratch_size(ringfft) + armilla_round_line(4 * together * (mmax + 1));
}

/* --- Tasks ----------------------------------------------------------------------------------- */

static void run_parked_batch(const ring_stage *s, int64_t index, double *scratch)
{
    run_parked(s, index * BATCH, armilla_smaller((index + 1) * BATCH, s->parked), scratch);
}

static void run_leg_batch(const ring_stage *s, int64_t index, double *scratch)
{
    const armilla_leg_block *block = &s->leg->layout->blocks[index / s->batches];
    const int64_t first = index % s->batches * BATCH,
                  end = armilla_smaller(first + BATCH, block->npairs);
    if (s->lanes) {
        run_neighbours(s, block, first, end - first, scratch);
        return;
    }
    for (int64_t i = first; i < end; i++) {
        const armilla_ring_pair pair = get_pair(s, block->first + i);
        run_alone(s, block, i, &pair, scratch);
    }
}

static void run_batch(void *context, int64_t index, int thread)
{
    const ring_stage *s = context;
    const int64_t parked = (s->parked + BATCH - 1) / BATCH;
    double *scratch = armilla_work_scratch(s->work, thread);
    if (armilla_progress_advance(s->work->progress, 0, thread)) return; /* is it cancelled? */
    if (index < parked)
        run_parked_batch(s, index, scratch);
    else
        run_leg_batch(s, index - parked, scratch);
}

static int64_t count_batches(const ring_stage *s)
{
    const armilla_leg_layout *layout = s->leg->layout;
    const int64_t parked = (s->parked + BATCH - 1) / BATCH;
    if (layout->nblocks == 0) return parked;
    const armilla_leg_block *last = &layout->blocks[layout->nblocks - 1];
    return parked + (layout->nblocks - 1) * s->batches + (last->npairs + BATCH - 1) / BATCH;
}

static int64_t count_parked(const armilla_leg *leg, int to_maps)
{
    if (!leg->parking) return 0;
    return to_maps ? leg->parking->maps->pairs->count : leg->parking->npairs;
}

static int output_is_far(const ring_stage *s)
{
    const int64_t size = s->to_maps ? s->ringfft->nsamples : s->leg->layout->size;
    return armilla_ring_output_is_far(&s->ringfft->machine, s->leg->nsets * size, s->to_maps);
}

static void run(const armilla_ringfft *ringfft, const armilla_leg *leg,
                const armilla_ring_maps *maps, const armilla_work *work, int to_maps, int add)
{
    const armilla_leg_layout *layout = leg->layout;
    const int parks = to_maps && layout->kind == ARMILLA_ORDERS_FIRST;
    ring_stage s = {.ringfft = ringfft,
                    .leg = leg,
                    .maps = maps,
                    .work = work,
                    .mode = {.weighted = maps->weighted, .part = layout->kind, .add = add},
                    .batches = layout->nblocks ? (layout->blocks[0].npairs + BATCH - 1) / BATCH : 0,
                    .parked = count_parked(leg, to_maps),
                    .to_maps = to_maps};
    s.lanes = !parks && !add && armilla_ringfft_lanes(ringfft) > 0;
    s.mode.stream = s.lanes && output_is_far(&s);
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
