/* See lanes.h and ringfft.h. Scratch: a ring of zeros for those that are missing | rings of maps of
 * floats, as doubles | work of the kernels | where orders come in parts, rows of both.
 *
 * Parts. The kernels have all orders. The second part of synthesis finds the first part's rows
 * parked in the map. Analysis makes all orders twice, and each part takes its own. */
#include "ringfft/lanes.h"

#include "base/integer.h"
#include "base/memory.h"
#include "ringfft/parked.h"
#include "ringfft/stage.h"

#include <string.h>

enum { SHORTEST = ARMILLA_RING_WIDTH, SHORTEST_ODD = 9, NEAR_BYTES = 24576 };
_Static_assert((int)ARMILLA_RING_LANES <= (int)ARMILLA_RING_BATCH, "a batch fills the lanes");

/* Longest rings that go in lanes, by measurement. Vectors of two lanes hold one pair, which is no
 * faster than FFTW. */
static int64_t longest_in_lanes(int lanes)
{
    return lanes < 4 ? 0 : 32768;
}

/* The stride of the longest rings, or of one of them. */
static int64_t find_stride(const armilla_ringfft *ringfft)
{
    int64_t i = 0;
    while (i + 1 < ringfft->nrings && ringfft->rings[i].nphi != ringfft->longest) i++;
    return ringfft->rings[i].stride;
}

/* Rings that lanes can take: of one length and stride, without a shift. Of an even length they may
 * have the commonest shift. */
static int ring_fits(const armilla_ringfft *ringfft, int64_t number, int64_t n, int64_t stride)
{
    const armilla_ring *ring = &ringfft->rings[number];
    const armilla_phase *phase = &ringfft->phases[number];
    if (ring->nphi != n || ring->stride != stride || !phase->exact) return 0;
    return !armilla_phase_is_shifted(phase) ||
           (n % 2 == 0 && armilla_ringfft_same_phase(phase, &ringfft->common));
}

/* Rings that go in lanes together. */
static int64_t rings_together(int lanes, int64_t n)
{
    return n % 2 ? 2 * lanes : lanes;
}

/* Does the first-level cache have room for all columns of a transform of this length and for other
 * things? */
static int is_near(int lanes, int64_t length)
{
    return (int64_t)sizeof(double) * 2 * lanes * length <= NEAR_BYTES;
}

/* Lanes without a ring cost what others do: where half of four are empty, or a third of those of
 * odd lengths, FFTW is faster, measured. Half of eight are worth it. */
static int fills_lanes(int lanes, int64_t n, int64_t nrings)
{
    const int64_t together = rings_together(lanes, n);
    if (lanes > 4) return 2 * nrings >= together;
    return n % 2 ? 4 * nrings > 3 * together : 2 * nrings > together;
}

/* Odd lengths that are not near, not rough and no product of two numbers from ARMILLA_RING_WIDTH
 * on, up to 343: the convolution that lanes would need takes up to 1.7 times as long as FFTW. */
static int has_no_halves(int lanes, int64_t n)
{
    const int64_t least = ARMILLA_RING_WIDTH;
    int64_t rest = n;
    if (n % 2 == 0 || is_near(lanes, n)) return 0;
    for (int64_t prime = 3; prime <= 13; prime += 2)
        while (rest % prime == 0) rest /= prime;
    for (int64_t half = least; half * least <= n; half++)
        if (n % half == 0) return 0;
    return rest == 1;
}

int armilla_ringfft_lanes_pay(const armilla_ringfft *ringfft)
{
    const int64_t n = ringfft->longest;
    const int64_t stride = ringfft->nrings > 0 ? find_stride(ringfft) : 1;
    const int lanes = ringfft->kernels->lanes;
    int64_t count = 0;
    for (int64_t i = 0; i < ringfft->nrings; i++) count += ring_fits(ringfft, i, n, stride);
    if (!fills_lanes(lanes, n, count) || has_no_halves(lanes, n)) return 0;
    return n <= longest_in_lanes(lanes) && 2 * count > ringfft->nrings;
}

/* 0: no lanes. */
static int64_t ring_length(const armilla_ringfft *ringfft)
{
    return ringfft->lane_turn ? 2 * ringfft->lane_fft.n : ringfft->lane_fft.n;
}

void armilla_ringfft_clear_lanes(armilla_ringfft *ringfft)
{
    armilla_lane_fft_clear(&ringfft->lane_fft);
    armilla_release(ringfft->lane_turn);
    armilla_release(ringfft->fits_lanes);
    ringfft->lane_turn = NULL, ringfft->fits_lanes = NULL, ringfft->all_fit = 0;
}

/* Lanes have the orders below this one. */
static int64_t orders_in_lanes(int64_t n)
{
    return n % 2 ? (n + 1) / 2 : n;
}

/* Which rings fit, found once: calls ask for each. */
static armilla_status mark_rings(armilla_ringfft *ringfft, int64_t n)
{
    armilla_status status = armilla_allocate(&ringfft->fits_lanes, ringfft->nrings, 1);
    ringfft->lane_stride = find_stride(ringfft);
    ringfft->all_fit = ringfft->mmax < orders_in_lanes(n);
    for (int64_t i = 0; i < ringfft->nrings && !status; i++) {
        const int fits = ring_fits(ringfft, i, n, ringfft->lane_stride);
        ringfft->fits_lanes[i] = (unsigned char)fits;
        ringfft->all_fit &= fits;
    }
    return status;
}

/* Mirror images to the last bit, so that orders k and n / 2 - k may change places. */
static armilla_status make_turn(int64_t n, double **turn)
{
    const int64_t h = n / 2;
    double work[ARMILLA_PHASE_WORK];
    armilla_status status = armilla_allocate(turn, n, sizeof **turn);
    if (!status) armilla_ringfft_fill_twist(n, h / 2 + 1, *turn, work);
    for (int64_t k = 1; 2 * k < h && !status; k++) {
        (*turn)[2 * (h - k)] = -(*turn)[2 * k];
        (*turn)[2 * (h - k) + 1] = (*turn)[2 * k + 1];
    }
    return status;
}

/* Lanes that are rings take half of an even length; those that are pairs, all of an odd one. Near
 * transforms, whose numbers are found one by one, may have halves of any length. */
static armilla_status make_fft(armilla_ringfft *ringfft, int64_t n)
{
    armilla_lane_fft *fft = &ringfft->lane_fft;
    const int64_t length = n % 2 ? n : n / 2;
    const int64_t width = n % 2 ? ARMILLA_RING_WIDTH : ARMILLA_RING_WIDTH / 2; /* of a block */
    const int lanes = ringfft->kernels->lanes, near = is_near(lanes, length);
    armilla_status status = armilla_lane_fft_make_any(length, near ? 1 : width, fft);
    if (!status && near) status = armilla_lane_fft_make_places(lanes, fft);
    return status || n % 2 ? status : make_turn(n, &ringfft->lane_turn);
}

static int64_t zeros_size(const armilla_ringfft *ringfft)
{
    return armilla_round_line(ring_length(ringfft));
}

/* Doubles from one ring of floats to the next; one cache line more, for they must not meet in the
 * cache. There is room for them in every plan: it does not know its maps. */
static int64_t ring_distance(const armilla_ringfft *ringfft)
{
    return zeros_size(ringfft) + 8;
}

/* Of the kernels: columns, and one more for samples read twice. */
static int64_t work_size(const armilla_ringfft *ringfft)
{
    const armilla_lane_fft *fft = &ringfft->lane_fft;
    return armilla_round_line(2 * ringfft->kernels->lanes * (fft->room + fft->step));
}

/* Longest rings of 4 k samples have FFTs for the orders of a part alone, one ring at a time:
 * analysis takes 3 to 6 % less than all orders twice in lanes, synthesis the same. */
static int takes_parts(const armilla_ringfft *ringfft)
{
    return ringfft->parts && ringfft->part_kind == ARMILLA_SPECTRUM_WHOLE;
}

armilla_status armilla_ringfft_plan_lanes(armilla_ringfft *ringfft)
{
    const int64_t n = ringfft->longest, together = rings_together(ringfft->kernels->lanes, n);
    if (ringfft->lane_fft.n || ringfft->kernels->lanes < 2 || n < (n % 2 ? SHORTEST_ODD : SHORTEST))
        return ARMILLA_OK;
    armilla_status status = make_fft(ringfft, n);
    if (!status) status = mark_rings(ringfft, n);
    if (status) {
        armilla_ringfft_clear_lanes(ringfft);
        return status;
    }
    ringfft->lane_pairs = together / 2;
    ringfft->lane_work = zeros_size(ringfft) + together * ring_distance(ringfft);
    if (takes_parts(ringfft)) ringfft->lane_rows = ringfft->lane_work + work_size(ringfft);
    ringfft->bytes +=
        armilla_lane_fft_bytes(&ringfft->lane_fft) + (n % 2 ? 0 : 8 * n) + ringfft->nrings;
    return ARMILLA_OK;
}

int64_t armilla_ringfft_lanes(const armilla_ringfft *ringfft)
{
    return ringfft->lane_pairs;
}

int64_t armilla_ringfft_lanes_scratch_size(const armilla_ringfft *ringfft)
{
    if (!ringfft->lane_fft.n) return 0;
    if (!ringfft->lane_rows) return ringfft->lane_work + work_size(ringfft);
    return ringfft->lane_rows + 4 * ringfft->lane_pairs * (ringfft->mmax + 1);
}

int armilla_ringfft_fits_lanes(const armilla_ringfft *ringfft, const armilla_ring_pair *pair)
{
    return (pair->north < 0 || ringfft->fits_lanes[pair->north]) &&
           (pair->south < 0 || ringfft->fits_lanes[pair->south]) &&
           pair->last < orders_in_lanes(ring_length(ringfft));
}

int armilla_ringfft_all_fit_lanes(const armilla_ringfft *ringfft)
{
    return ringfft->all_fit;
}

int armilla_ringfft_parts_fit_lanes(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                                    armilla_array map)
{
    return ringfft->lane_rows > 0 && !map.is_float && ringfft->lane_stride == 1 &&
           pair->north >= 0 && pair->south >= 0 && armilla_ringfft_fits_lanes(ringfft, pair) &&
           !armilla_ringfft_must_split(ringfft, pair) &&
           armilla_parked_rows(pair, ring_length(ringfft)) > 0;
}

/* What a call has for all pairs. */
typedef struct {
    const armilla_ringfft *ringfft;
    const armilla_ringfft_sets *sets;
    armilla_array map;
    armilla_orders part;
    double factor; /* 1, or 1/2 */
    int weighted, stream;
    double *scratch;
    double *empty;       /* samples of a ring that is missing */
    int64_t south;       /* lane of the first southern ring */
    const double *input; /* leg of synthesis, or NULL */
    double *output;      /* of analysis */
} lanes_call;

/* Number k of the rings that go together, as doubles where the map has floats. */
static double *converted_samples(const lanes_call *c, int64_t k)
{
    return c->scratch + zeros_size(c->ringfft) + k * ring_distance(c->ringfft);
}

static int has_shifts(const armilla_ringfft *ringfft)
{
    return ringfft->lane_turn && ringfft->common.nphi > 0;
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
    lanes->scale[place] = c->weighted ? c->factor * ring->weight : c->factor;
}

/* The first map's rings, limits and weights of `count` pairs, and of lanes that stay empty. */
static void set_pairs(const lanes_call *c, int64_t count, const armilla_ring_pair *pairs,
                      armilla_ring_lanes *lanes)
{
    const int64_t together = c->ringfft->lane_pairs, south = c->south;
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

/* Rings of a map of floats are in the scratch. */
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

/* Is the map along theta here: see kernels.h. half: lanes of one side. */
static int is_mirrored(const armilla_ring_lanes *lanes, int64_t half)
{
    double *const *north = lanes->ring, *const *south = lanes->ring + half;
    if (lanes->stride == 1 || !lanes->turn) return 0;
    for (int64_t i = 0; i < half; i++)
        if (!north[i] || !south[i] || north[i] != north[0] + i || south[i] != south[0] - i)
            return 0;
    return 1;
}

/* From the first map to the next one. */
static void move_rings(const lanes_call *c, armilla_ring_lanes *lanes)
{
    if (c->map.is_float) return;
    for (int64_t i = 0; i < c->ringfft->lane_pairs; i++) {
        double **north = &lanes->ring[i], **south = &lanes->ring[c->south + i];
        if (*north != c->empty) *north += c->sets->map_step;
        if (*south != c->empty) *south += c->sets->map_step;
    }
}

/* Between the map of a set and what the kernels have. */
static void exchange_floats(const lanes_call *c, int64_t set, int64_t count,
                            const armilla_ring_pair *pairs)
{
    const int64_t n = ring_length(c->ringfft);
    for (int64_t k = 0; k < 2 * count; k++) {
        const int64_t number = k % 2 ? pairs[k / 2].south : pairs[k / 2].north;
        if (number < 0) continue;
        const armilla_ring *ring = &c->ringfft->rings[number];
        double *samples = converted_samples(c, k);
        float *map = (float *)c->map.values + set * c->sets->map_step + ring->offset;
        if (c->input)
            for (int64_t j = 0; j < n; j++) map[j * ring->stride] = (float)samples[j];
        else
            for (int64_t j = 0; j < n; j++) samples[j] = (double)map[j * ring->stride];
    }
}

enum { LINE = 64 }; /* bytes of a cache line */

/* Can the output of these rings go past the caches, line by line? place: of the first order in leg.
 * Near transforms and analysis of a part, which goes by way of the scratch, are left out. */
static int can_stream(const lanes_call *c, const armilla_ring_lanes *lanes, int64_t place)
{
    const uintptr_t first = (uintptr_t)lanes->ring[0], point = 2 * sizeof(double);
    if (!c->stream || c->map.is_float || lanes->stride != 1 || !lanes->turn || lanes->fft->input)
        return 0;
    if (c->output)
        return !c->part &&
               ((uintptr_t)(c->output + place) | (uintptr_t)(8 * lanes->row_length)) % LINE == 0;
    for (int64_t i = 0; i < 2 * c->ringfft->lane_pairs; i++)
        if (((uintptr_t)lanes->ring[i] - first) % LINE) return 0;
    return first % point == 0;
}

static void run_kernel(const lanes_call *c, const armilla_ring_lanes *lanes, const double *input,
                       double *output)
{
    const armilla_ring_kernels *kernels = c->ringfft->kernels;
    double *work = c->scratch + c->ringfft->lane_work;
    if (input)
        (lanes->turn ? kernels->lanes_synthesis : kernels->pairs_synthesis)(lanes, input, work);
    else
        (lanes->turn ? kernels->lanes_analysis : kernels->pairs_analysis)(lanes, output, work);
}

/* One part of the orders, by way of rows with all of them. */
static void run_part(const lanes_call *c, armilla_ring_lanes *lanes, int64_t place)
{
    const armilla_all_rows all = {c->scratch + c->ringfft->lane_rows, lanes->width, lanes->last};
    const int64_t row_length = c->sets->row_length;
    lanes->row_length = lanes->width;
    if (c->output) {
        run_kernel(c, lanes, NULL, all.values);
        armilla_rows_to_part(c->part, &all, c->output + place, row_length);
        return;
    }
    armilla_rows_from_part(c->part, c->input + place, row_length, &all);
    for (int64_t i = 0; 4 * i < lanes->width; i++) {
        double *const samples[2] = {lanes->ring[i], lanes->ring[c->south + i]};
        armilla_rows_fetch_all((int64_t)lanes->limit[i], samples, 4 * i, &all);
    }
    run_kernel(c, lanes, all.values, NULL);
}

/* One set of pairs that go together, from number i on. */
static void run_set(const lanes_call *c, armilla_ring_lanes *lanes, int64_t set, int64_t i)
{
    const int64_t place = 4 * i + set * c->sets->leg_step;
    lanes->stream = can_stream(c, lanes, place);
    if (c->part)
        run_part(c, lanes, place);
    else if (c->input)
        run_kernel(c, lanes, c->input + place, NULL);
    else
        run_kernel(c, lanes, NULL, c->output + place);
}

static int has_rings(int64_t count, const armilla_ring_pair *pairs)
{
    for (int64_t i = 0; i < count; i++)
        if (pairs[i].north >= 0 || pairs[i].south >= 0) return 1;
    return 0;
}

/* Pairs that go together, from number i on. */
static void run_pairs(const lanes_call *c, int64_t i, int64_t count, const armilla_ring_pair *pairs,
                      armilla_ring_lanes *lanes)
{
    const int is_float = c->map.is_float;
    if (!has_rings(count, pairs)) return;
    set_pairs(c, count, pairs, lanes);
    if (is_float) set_converted(c, count, pairs, lanes);
    if (has_shifts(c->ringfft)) set_shifts(c, count, pairs, lanes);
    lanes->mirrored = is_mirrored(lanes, c->ringfft->lane_pairs);
    for (int64_t set = 0; set < c->sets->count; set++) {
        if (set > 0) move_rings(c, lanes);
        if (is_float && c->output) exchange_floats(c, set, count, pairs);
        run_set(c, lanes, set, i);
        if (is_float && c->input) exchange_floats(c, set, count, pairs);
    }
}

static void run(lanes_call *c, int64_t count, const armilla_ring_pair *pairs)
{
    const armilla_ringfft *ringfft = c->ringfft;
    const int64_t together = ringfft->lane_pairs;
    armilla_ring_lanes lanes;
    lanes.fft = &ringfft->lane_fft, lanes.turn = ringfft->lane_turn, lanes.phase = NULL;
    lanes.row_length = c->sets->row_length;
    lanes.stride = c->map.is_float ? 1 : ringfft->lane_stride;
    c->empty = lanes.stride == 1 ? c->scratch : NULL;
    c->south = lanes.turn ? together : ARMILLA_RING_LANES;
    for (int64_t i = 0; i < count; i += together)
        run_pairs(c, i, armilla_smaller(together, count - i), pairs + i, &lanes);
}

void armilla_ringfft_lanes_synthesis(const armilla_ringfft *ringfft, int64_t count,
                                     const armilla_ring_pair *pairs, armilla_ringfft_mode mode,
                                     const armilla_ringfft_sets *sets, const double *leg,
                                     armilla_array map, double *scratch)
{
    lanes_call c = {.ringfft = ringfft, .sets = sets, .map = map, .scratch = scratch};
    c.factor = 1, c.weighted = mode.weighted, c.part = mode.part, c.stream = mode.stream,
    c.input = leg;
    run(&c, count, pairs);
}

void armilla_ringfft_lanes_analysis(const armilla_ringfft *ringfft, int64_t count,
                                    const armilla_ring_pair *pairs, armilla_ringfft_mode mode,
                                    const armilla_ringfft_sets *sets, armilla_array map,
                                    double *leg, double *scratch)
{
    lanes_call c = {.ringfft = ringfft, .sets = sets, .map = map, .scratch = scratch};
    c.factor = 0.5, c.weighted = mode.weighted, c.part = mode.part, c.stream = mode.stream,
    c.output = leg;
    memset(scratch, 0, sizeof *scratch * (size_t)ring_length(ringfft));
    run(&c, count, pairs);
}
