/* Transforms pairs of rings in the lanes of vectors: groups of pairs, one or several side by side.
 * See lanes.h. */
#include "base/integer.h"
#include "ringfft/lanes.h"
#include "ringfft/nested_samples.h"
#include "ringfft/way.h"

#include <string.h>

/* What a call has for all pairs. */
typedef struct {
    const armilla_ring_batch *batch;
    const armilla_ringfft *ringfft;
    armilla_array map; /* of the batch's first set */
    int to_maps, weighted;
    double *scratch;
    double *empty; /* samples of a ring that is missing */
    int64_t south; /* lane of the first southern ring */
} lanes_call;

/* Number k of the rings that go together, as doubles where the map has floats. */
static double *converted_samples(const lanes_call *c, int64_t k)
{
    return c->scratch + armilla_lanes_zeros(c->ringfft) + k * armilla_lanes_distance(c->ringfft);
}

static int has_shifts(const armilla_ringfft *ringfft)
{
    return ringfft->lanes.turn && ringfft->common.nphi > 0;
}

/* A ring of a map of doubles. */
ARMILLA_ALWAYS_INLINE void set_ring(const lanes_call *c, int64_t number, int64_t place,
                                    armilla_ring_lanes *lanes)
{
    if (number < 0) {
        lanes->ring[place] = c->empty, lanes->scale[place] = 0;
        return;
    }
    const armilla_ring *ring = &c->ringfft->rings[number];
    lanes->ring[place] = (double *)c->map.values + ring->offset;
    lanes->scale[place] = c->to_maps ? 1 : 0.5;
    if (c->weighted) lanes->scale[place] *= ring->weight;
}

/* The first map's rings, limits and weights of `count` pairs, and of lanes that stay empty. */
static void set_pairs(const lanes_call *c, int64_t count, const armilla_ring_pair *pairs,
                      armilla_ring_lanes *lanes)
{
    const int64_t together = c->ringfft->choices.lane_pairs, south = c->south;
    int64_t least = pairs[0].last, last = 0, i;
    for (i = 0; i < count; i++) {
        const int64_t limit = pairs[i].last;
        set_ring(c, pairs[i].north, i, lanes), set_ring(c, pairs[i].south, south + i, lanes);
        lanes->limit[i] = lanes->limit[south + i] = (double)limit;
        least = armilla_smaller(least, limit), last = armilla_larger(last, limit);
    }
    for (; i < together; i++) {
        set_ring(c, -1, i, lanes), set_ring(c, -1, south + i, lanes);
        lanes->limit[i] = lanes->limit[south + i] = least = -1;
    }
    lanes->width = 4 * count, lanes->least = least, lanes->last = last;
}

/* Maps of floats, and those in NESTED order, come as doubles without gaps, in the scratch. */
static int is_converted(const lanes_call *c)
{
    return c->map.is_float || c->ringfft->nested.nside;
}

/* Rings that are in the scratch. */
static void set_converted(const lanes_call *c, int64_t count, const armilla_ring_pair *pairs,
                          armilla_ring_lanes *lanes)
{
    for (int64_t i = 0; i < count; i++) {
        if (pairs[i].north >= 0) lanes->ring[i] = converted_samples(c, 2 * i);
        if (pairs[i].south >= 0) lanes->ring[c->south + i] = converted_samples(c, 2 * i + 1);
    }
}

static void set_shift(const lanes_call *c, int64_t number, int64_t place, armilla_ring_lanes *lanes)
{
    const int shifted = number >= 0 && armilla_phase_is_shifted(&c->ringfft->phases[number]);
    lanes->shifted[place] = shifted ? -1 : 1;
    if (shifted) lanes->phase = c->ringfft->common_table;
}

static void set_shifts(const lanes_call *c, int64_t count, const armilla_ring_pair *pairs,
                       armilla_ring_lanes *lanes)
{
    lanes->phase = NULL;
    for (int64_t i = 0; i < ARMILLA_RING_LANES; i++) lanes->shifted[i] = 1;
    for (int64_t i = 0; i < count; i++) {
        set_shift(c, pairs[i].north, i, lanes);
        set_shift(c, pairs[i].south, c->south + i, lanes);
    }
}

/* Is the map along theta here: see kernels.h. */
static int is_mirrored(const lanes_call *c, const armilla_ring_lanes *lanes)
{
    double *const *north = lanes->ring, *const *south = lanes->ring + c->south;
    if (lanes->stride == 1) return 0;
    for (int64_t i = 0; i < c->ringfft->choices.lane_pairs; i++)
        if (!north[i] || !south[i] || north[i] != north[0] + i || south[i] != south[0] - i)
            return 0;
    return 1;
}

/* From the first map to the next one. */
static void move_rings(const lanes_call *c, armilla_ring_lanes *lanes)
{
    if (is_converted(c)) return;
    for (int64_t i = 0; i < c->ringfft->choices.lane_pairs; i++) {
        double **north = &lanes->ring[i], **south = &lanes->ring[c->south + i];
        if (*north != c->empty) *north += c->batch->sets.map_step;
        if (*south != c->empty) *south += c->batch->sets.map_step;
    }
}

/* Between the map of a set and what the kernels have. */
static void exchange_floats(const lanes_call *c, int64_t set, int64_t count,
                            const armilla_ring_pair *pairs)
{
    const int64_t n = c->ringfft->choices.longest;
    for (int64_t k = 0; k < 2 * count; k++) {
        const int64_t number = k % 2 ? pairs[k / 2].south : pairs[k / 2].north;
        if (number < 0) continue;
        const armilla_ring *ring = &c->ringfft->rings[number];
        double *samples = converted_samples(c, k);
        float *map = (float *)c->map.values + set * c->batch->sets.map_step + ring->offset;
        if (c->to_maps)
            for (int64_t j = 0; j < n; j++) map[j * ring->stride] = (float)samples[j];
        else
            for (int64_t j = 0; j < n; j++) samples[j] = (double)map[j * ring->stride];
    }
}

/* The same for maps in NESTED order, the northern rings first, then the southern ones. */
static void exchange_nested(const lanes_call *c, int64_t set, int64_t count,
                            const armilla_ring_pair *pairs)
{
    const int64_t n = c->ringfft->choices.longest;
    const armilla_array map = armilla_array_from(c->map, set * c->batch->sets.map_step);
    for (int south = 0; south < 2; south++) {
        armilla_nested_row rows[ARMILLA_RING_LANES];
        for (int64_t k = 0; k < count; k++)
            rows[k] = (armilla_nested_row){south ? pairs[k].south : pairs[k].north, n,
                                           converted_samples(c, 2 * k + south)};
        armilla_nested_move_rows(map, &c->ringfft->nested, count, rows, c->to_maps);
    }
}

static void exchange(const lanes_call *c, int64_t set, int64_t count,
                     const armilla_ring_pair *pairs)
{
    if (c->ringfft->nested.nside)
        exchange_nested(c, set, count, pairs);
    else
        exchange_floats(c, set, count, pairs);
}

enum { LINE = 64 }; /* bytes of a cache line */

/* Can the output of these rings go past the caches, line by line? place: of the first order in leg.
 * Near transforms are left out. */
static int can_stream(const lanes_call *c, const armilla_ring_lanes *lanes, int64_t place)
{
    const uintptr_t first = (uintptr_t)lanes->ring[0], point = 2 * sizeof(double);
    if (!c->batch->mode.stream || c->map.is_float || lanes->stride != 1 || !lanes->turn ||
        lanes->fft->input || (c->to_maps && is_converted(c)))
        return 0;
    if (!c->to_maps)
        return ((uintptr_t)(c->batch->leg + place) | (uintptr_t)(8 * lanes->row_length)) % LINE ==
               0;
    for (int64_t i = 0; i < 2 * c->ringfft->choices.lane_pairs; i++)
        if (((uintptr_t)lanes->ring[i] - first) % LINE) return 0;
    return first % point == 0;
}

/* One set of `groups` groups side by side, from pair number i on. */
static void run_set(const lanes_call *c, armilla_ring_lanes *lanes, int64_t groups, int64_t set,
                    int64_t i)
{
    const armilla_ring_kernels *kernels = c->ringfft->kernels;
    const int64_t place = 4 * i + set * c->batch->sets.leg_step;
    double *leg = c->batch->leg + place, *work = c->scratch + c->ringfft->lanes.work;
    for (int64_t g = 0; g < groups; g++) lanes[g].stream = can_stream(c, &lanes[g], place);
    if (lanes->turn && c->to_maps)
        kernels->lanes_synthesis(lanes, groups, leg, work);
    else if (lanes->turn)
        kernels->lanes_analysis(lanes, groups, leg, work);
    else if (c->to_maps)
        kernels->pairs_synthesis(lanes, leg, work);
    else
        kernels->pairs_analysis(lanes, leg, work);
}

/* Pairs that go together, on the first map. */
static void set_group(const lanes_call *c, int64_t count, const armilla_ring_pair *pairs,
                      armilla_ring_lanes *lanes)
{
    const armilla_ringfft *ringfft = c->ringfft;
    lanes->fft = &ringfft->lanes.fft, lanes->turn = ringfft->lanes.turn, lanes->phase = NULL;
    lanes->row_length = c->batch->sets.row_length;
    lanes->stride = is_converted(c) ? 1 : ringfft->choices.lane_stride;
    set_pairs(c, count, pairs, lanes);
    if (is_converted(c)) set_converted(c, count, pairs, lanes);
    if (has_shifts(ringfft)) set_shifts(c, count, pairs, lanes);
    lanes->mirrored = is_mirrored(c, lanes);
}

/* Do the rings of this group lie behind those of the one before, so that the two share cache lines?
 */
static int continues(const armilla_ring_lanes *lanes, int64_t half)
{
    const armilla_ring_lanes *before = lanes - 1;
    return lanes->mirrored && before->mirrored && lanes->ring[0] == before->ring[0] + half &&
           lanes->ring[half] == before->ring[half] - half;
}

/* Groups from the first of `left` pairs on that go side by side: 1, 2 or 4. */
static int64_t set_groups(const lanes_call *c, int64_t left, const armilla_ring_pair *pairs,
                          armilla_ring_lanes *lanes)
{
    const int64_t half = c->ringfft->choices.lane_pairs, most = c->ringfft->choices.lane_groups;
    int64_t groups = 1;
    set_group(c, armilla_smaller(half, left), pairs, lanes);
    while (lanes->mirrored && groups < most && (groups + 1) * half <= left) {
        set_group(c, half, pairs + groups * half, &lanes[groups]);
        if (!continues(&lanes[groups], half)) break;
        groups++;
    }
    return groups == 3 ? 2 : groups;
}

/* Groups side by side, from pair number i on, `left` pairs before the end. Returned: how many. */
static int64_t run_groups(const lanes_call *c, int64_t i, int64_t left,
                          const armilla_ring_pair *pairs, armilla_ring_lanes *lanes)
{
    const int converted = is_converted(c);
    const int64_t count = armilla_smaller(c->ringfft->choices.lane_pairs, left);
    const int64_t groups = set_groups(c, left, pairs, lanes);
    for (int64_t set = 0; set < c->batch->sets.count; set++) {
        for (int64_t g = 0; g < groups && set > 0; g++) move_rings(c, &lanes[g]);
        if (converted && !c->to_maps) exchange(c, set, count, pairs);
        run_set(c, lanes, groups, set, i);
        if (converted && c->to_maps) exchange(c, set, count, pairs);
    }
    return groups;
}

static void run(const armilla_ring_batch *batch, int to_maps)
{
    const armilla_ringfft *ringfft = batch->ringfft;
    const armilla_ring_choices *choices = &ringfft->choices;
    const int along_rings = batch->map.is_float || choices->lane_stride == 1;
    const lanes_call call = {batch,
                             ringfft,
                             batch->map,
                             to_maps,
                             batch->mode.weighted,
                             batch->scratch,
                             along_rings ? batch->scratch : NULL,
                             ringfft->lanes.turn ? choices->lane_pairs : ARMILLA_RING_LANES};
    armilla_ring_lanes lanes[ARMILLA_RING_GROUPS];
    if (!to_maps) memset(call.scratch, 0, sizeof(double) * (size_t)choices->longest);
    for (int64_t i = 0, groups; i < batch->count; i += groups * choices->lane_pairs)
        groups = run_groups(&call, i, batch->count - i, batch->pairs + i, lanes);
}

static int fits(const armilla_ring_batch *batch, const armilla_ring_pair *pair, int to_maps)
{
    (void)to_maps;
    return !batch->mode.add && armilla_lanes_take(batch->ringfft, pair);
}

static int takes_all(const armilla_ring_batch *batch)
{
    return batch->ringfft->lanes.all_fit && !batch->mode.add;
}

const armilla_ring_way armilla_ring_way_lanes = {.fits = fits,
                                                 .takes_all = takes_all,
                                                 .together = armilla_ringfft_lanes,
                                                 .scratch_size = armilla_lanes_scratch_size,
                                                 .run = run};
