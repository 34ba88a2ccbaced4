/* Decides on the host how each ring of a pass is transformed on a GPU: by sums, by a cuFFT of its
 * own length where that is worth another launch, or by Bluestein's algorithm, in shared memory or
 * by cuFFT. It then sorts the transforms by method and length, and cuts them into batches. */
#include "cuda/stages/ringfft_layout.h"

#include "base/integer.h"
#include "base/memory.h"
#include "fft/roots.h"
#include "ringfft/phase.h"

#include <math.h>
#include <stdlib.h>

enum {
    ALIGNED = 16,  /* complex numbers: runs begin at 256 bytes */
    ELSEWHERE = -1 /* the column of a slot that another rank has */
};

/* About the bytes that the device moves while it starts a kernel: a launch more must save so
 * many. */
static const int64_t launch_bytes = 12 << 20;

/* A batch has as many threads per kernel as its longest slot needs, for all: a grid of blocks of
 * 128 may have 2^31 - 1. */
static const int64_t most_threads = INT64_C(1) << 37;

/* --- Slots ----------------------------------------------------------------------------------- */

/* phi0 / pi in two doubles: what the first one misses, by the fused product with pi in two. */
static void set_turns(const armilla_phase *phase, armilla_cuda_ring_side *side)
{
    const double pi_rest = 1.2246467991473532e-16;
    side->turns = phase->phi0 / M_PI;
    const double missed = fma(-side->turns, M_PI, phase->phi0) - side->turns * pi_rest;
    side->turns_rest = (missed + phase->rest) / M_PI;
}

static armilla_cuda_ring_side make_side(const armilla_cuda_own_rings *rings, int64_t number)
{
    const armilla_ring *ring = &rings->rings[number];
    armilla_phase phase;
    armilla_phase_init(&phase, ring->phi0, ring->nphi);
    armilla_cuda_ring_side side = {.state = ARMILLA_CUDA_RING_HERE,
                                   .offset = rings->places ? rings->places[number] : ring->offset,
                                   .stride = rings->places ? 1 : ring->stride,
                                   .weight = ring->weight,
                                   .half = phase.exact ? phase.half_pixels : -1};
    if (!phase.exact) set_turns(&phase, &side);
    return side;
}

static int same_phase(const armilla_cuda_ring_side *a, const armilla_cuda_ring_side *b)
{
    return a->half == b->half && a->turns == b->turns && a->turns_rest == b->turns_rest;
}

static int ring_comes(const armilla_cuda_own_rings *rings, int64_t number)
{
    return number >= 0 && (!rings->places || rings->places[number] >= 0);
}

/* The slot of the rings of a pair of this length. Of a pair that comes, a ring that does not is
 * MISSING. */
static void add_slot(const armilla_cuda_own_rings *rings, const armilla_ring_pairs *pairs,
                     int64_t pair, int64_t column, int64_t n, armilla_cuda_ring_layout *layout)
{
    armilla_cuda_ring_slot *slot = &layout->slots[layout->nslots++];
    const int64_t number[2] = {pairs->north[pair], pairs->south[pair]};
    *slot = (armilla_cuda_ring_slot){.n = n, .limit = pairs->limit[pair], .column = column};
    for (int i = 0; i < 2; i++) {
        if (number[i] < 0 || (column != ELSEWHERE && !ring_comes(rings, number[i])))
            continue; /* MISSING */
        if (rings->rings[number[i]].nphi == n)
            slot->side[i] = make_side(rings, number[i]);
        else
            slot->side[i].state = ARMILLA_CUDA_RING_ELSEWHERE;
    }
    if (slot->side[0].state == ARMILLA_CUDA_RING_HERE &&
        slot->side[1].state == ARMILLA_CUDA_RING_HERE && same_phase(&slot->side[0], &slot->side[1]))
        slot->flags = ARMILLA_CUDA_RING_SAME_PHASE;
}

static void add_pair(const armilla_cuda_own_rings *rings, const armilla_ring_pairs *pairs,
                     int64_t pair, int64_t column, armilla_cuda_ring_layout *layout)
{
    const int64_t north = pairs->north[pair], south = pairs->south[pair];
    const armilla_ring *of = rings->rings;
    if (north >= 0) add_slot(rings, pairs, pair, column, of[north].nphi, layout);
    if (south >= 0 && (north < 0 || of[north].nphi != of[south].nphi))
        add_slot(rings, pairs, pair, column, of[south].nphi, layout);
}

static int comes(const armilla_cuda_own_rings *rings, const armilla_ring_pairs *pairs, int64_t pair)
{
    return ring_comes(rings, pairs->north[pair]) || ring_comes(rings, pairs->south[pair]);
}

/* The slots of all pairs. Columns of those that never come are ELSEWHERE. */
static void add_pairs(const armilla_cuda_own_rings *rings, const armilla_ring_pairs *pairs,
                      int64_t first, int64_t count, armilla_cuda_ring_layout *layout)
{
    int64_t column = 0;
    for (int64_t i = first; i < first + count; i++)
        add_pair(rings, pairs, i, comes(rings, pairs, i) ? column++ : ELSEWHERE, layout);
}

/* --- Methods --------------------------------------------------------------------------------- */

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static armilla_cuda_ring_method method_of(const armilla_cuda_ring_slot *slot)
{
    if (slot->n <= ARMILLA_CUDA_RING_SUMS) return ARMILLA_CUDA_RING_SUM;
    if (!slot->padded) return ARMILLA_CUDA_RING_FFT;
    return slot->padded > ARMILLA_CUDA_RING_SHARED ? ARMILLA_CUDA_RING_BLUESTEIN
                                                   : ARMILLA_CUDA_RING_SHARED_BLUESTEIN;
}

/* By method, length, parts, samples, column: neighbours in leg stay neighbours where they can. */
static int compare_slots(const void *left, const void *right)
{
    const armilla_cuda_ring_slot *a = left, *b = right;
    int order = compare(method_of(a), method_of(b));
    if (!order && method_of(a) != ARMILLA_CUDA_RING_SUM) {
        order = compare(a->padded, b->padded);
        if (!order) order = compare(a->parts, b->parts);
        if (!order) order = compare(a->n, b->n);
    }
    return order ? order : compare(a->column, b->column);
}

static void sort_slots(armilla_cuda_ring_layout *layout)
{
    qsort(layout->slots, (size_t)layout->nslots, sizeof *layout->slots, compare_slots);
}

/* Convolutions in shared memory: the lengths that kernels have. */
enum { LENGTHS = 7 };
static const int64_t lengths[LENGTHS] = {128, 256, 512, 1024, 1536, 2048, ARMILLA_CUDA_RING_SHARED};

/* Numbers that a part of h has and needs on either side (kernels/ringfft_kernels.h), or more: one
 * of these lengths, or a power of two. Short parts share one. limit: the highest order. */
static int64_t padded_length(int64_t h, int64_t parts, int64_t limit)
{
    const int64_t reach = armilla_smaller(h / 2, (limit + parts - 1) / parts);
    for (int i = 0; i < LENGTHS; i++)
        if (lengths[i] >= h + 2 * reach) return lengths[i];
    int64_t length = ARMILLA_CUDA_RING_SHARED / 3 * 4;
    while (length < h + 2 * reach) length *= 2;
    return length;
}

/* Neighbours from `first` on with the same padded length (0 at first) and, if asked, as many
 * samples. */
static int64_t count_equal(const armilla_cuda_ring_layout *layout, int64_t first, int samples)
{
    const armilla_cuda_ring_slot *slots = layout->slots;
    int64_t end = first + 1;
    while (end < layout->nslots && slots[end].padded == slots[first].padded &&
           (!samples || slots[end].n == slots[first].n))
        end++;
    return end - first;
}

/* Do `count` slots of a length deserve a call of cuFFT? An FFT moves 4 n numbers; a convolution in
 * shared memory as many, but its arithmetic takes as long as if it moved some 2 n more; one by
 * cuFFT 8 for each in data and n more. */
static int deserves_fft(const armilla_cuda_ring_slot *slot, int64_t count, int64_t class_count)
{
    const int64_t saved = slot->padded <= ARMILLA_CUDA_RING_SHARED
                              ? 2 * slot->n
                              : 8 * slot->parts * slot->padded - 3 * slot->n;
    return 2 * count >= class_count || 16 * count * saved >= launch_bytes;
}

/* Numbers of a part in data. What kernels transform begins at 128 bytes, what cuFFT does is padded
 * there. */
static void set_length(armilla_cuda_ring_slot *slot)
{
    const armilla_cuda_ring_method method = method_of(slot);
    const int64_t h = slot->n / slot->parts, line = 8;
    slot->length = h;
    if (slot->padded) slot->flags |= ARMILLA_CUDA_RING_CHIRPED;
    if (method == ARMILLA_CUDA_RING_BLUESTEIN) slot->length = slot->padded;
    if (method == ARMILLA_CUDA_RING_SHARED_BLUESTEIN) slot->length = (h + line - 1) / line * line;
}

/* Given: slots that are sorted as if all were Bluestein's. */
static void choose_methods(armilla_cuda_ring_layout *layout)
{
    for (int64_t first = 0; first < layout->nslots;) {
        const int64_t end = first + count_equal(layout, first, 0), class_count = end - first;
        while (first < end) {
            armilla_cuda_ring_slot *slot = &layout->slots[first];
            const int64_t count = count_equal(layout, first, 1);
            const int direct =
                slot->n > ARMILLA_CUDA_RING_SUMS && deserves_fft(slot, count, class_count);
            for (int64_t i = 0; i < count && direct; i++) slot[i].padded = 0, slot[i].parts = 1;
            first += count;
        }
    }
}

/* Leaves out slots without a column. */
static void keep_own_slots(armilla_cuda_ring_layout *layout)
{
    int64_t count = 0;
    for (int64_t i = 0; i < layout->nslots; i++)
        if (layout->slots[i].column != ELSEWHERE) layout->slots[count++] = layout->slots[i];
    layout->nslots = count;
}

/* Convolutions of all slots that are not summed, as long for each number of samples as the most
 * orders need, so that these slots have one filter. */
static void set_padded(armilla_cuda_ring_layout *layout)
{
    sort_slots(layout);
    for (int64_t first = 0, count; first < layout->nslots; first += count) {
        armilla_cuda_ring_slot *slot = &layout->slots[first];
        const int summed = slot->n <= ARMILLA_CUDA_RING_SUMS;
        int64_t limit = 0;
        count = count_equal(layout, first, 1);
        for (int64_t i = 0; i < count; i++) limit = armilla_larger(limit, slot[i].limit);
        for (int64_t i = 0; i < count; i++) {
            slot[i].parts = !summed && slot->n % 4 == 0 ? 4 : 1;
            slot[i].padded = summed ? 0 : padded_length(slot->n / slot->parts, slot->parts, limit);
        }
    }
}

static void set_slots(armilla_cuda_ring_layout *layout)
{
    set_padded(layout);
    sort_slots(layout);
    choose_methods(layout);
    keep_own_slots(layout);
    for (int64_t i = 0; i < layout->nslots; i++) set_length(&layout->slots[i]);
    sort_slots(layout);
}

/* --- Batches --------------------------------------------------------------------------------- */

static int64_t align(int64_t size)
{
    return (size + ALIGNED - 1) / ALIGNED * ALIGNED;
}

/* Appends transforms to the last run, or begins another: more.count of them, numbers more.size, of
 * the slot or filter more.of.first. Returned: their place. */
static int64_t extend_runs(armilla_cuda_ring_run more, armilla_cuda_ring_range *range,
                           armilla_cuda_ring_run *runs, int64_t *nruns, int64_t *size)
{
    armilla_cuda_ring_run *last = range->count ? &runs[*nruns - 1] : NULL;
    if (!last || last->method != more.method || last->length != more.length ||
        last->parts != more.parts) {
        *size = align(*size);
        last = &runs[*nruns];
        *last = more;
        last->place = *size, last->count = last->size = last->of.count = 0;
        if (!range->count++) range->first = *nruns;
        ++*nruns;
    }
    const int64_t place = last->place + last->size;
    last->count += more.count, last->size += more.size, last->of.count++;
    *size = place + more.size;
    return place;
}

/* Is the filter of this slot that of the last one? */
static int has_filter(const armilla_cuda_ring_layout *layout, const armilla_cuda_ring_batch *batch,
                      const armilla_cuda_ring_slot *slot)
{
    if (!batch->filter_runs.count) return 0;
    const armilla_cuda_ring_filter *last = &layout->filters[layout->nfilters - 1];
    return last->h == slot->n / slot->parts && last->length == slot->padded &&
           last->parts == slot->parts;
}

/* Numbers of a slot's filter, and of what is kept behind it: the next one begins at 128 bytes. */
static int64_t filter_size(const armilla_cuda_ring_slot *slot)
{
    const int64_t turns = slot->n / slot->parts * (slot->parts == 4 ? 2 : 1), line = 8;
    if (method_of(slot) == ARMILLA_CUDA_RING_BLUESTEIN) return slot->padded;
    return slot->padded + (turns + line - 1) / line * line;
}

static void add_filter(armilla_cuda_ring_layout *layout, armilla_cuda_ring_batch *batch,
                       armilla_cuda_ring_slot *slot)
{
    const armilla_cuda_ring_run run = {.method = method_of(slot),
                                       .length = slot->padded,
                                       .count = 1,
                                       .size = filter_size(slot),
                                       .parts = 1,
                                       .of.first = layout->nfilters};
    if (!has_filter(layout, batch, slot)) {
        if (run.method == ARMILLA_CUDA_RING_BLUESTEIN && !batch->filters.count++)
            batch->filters.first = layout->nfilters;
        layout->filters[layout->nfilters++] =
            (armilla_cuda_ring_filter){slot->n / slot->parts, slot->padded,
                                       extend_runs(run, &batch->filter_runs, layout->filter_runs,
                                                   &layout->nfilter_runs, &batch->filter_size),
                                       slot->parts};
    }
    slot->filter = layout->filters[layout->nfilters - 1].place;
}

static void add_to_batch(armilla_cuda_ring_layout *layout, armilla_cuda_ring_batch *batch,
                         int64_t number)
{
    armilla_cuda_ring_slot *slot = &layout->slots[number];
    const armilla_cuda_ring_method method = method_of(slot);
    const int shared = method == ARMILLA_CUDA_RING_SHARED_BLUESTEIN;
    const armilla_cuda_ring_run run = {.method = method,
                                       .length = shared ? slot->padded : slot->length,
                                       .parts = shared ? slot->parts : 0,
                                       .count = slot->parts,
                                       .size = slot->parts * slot->length,
                                       .of.first = number};
    if (method == ARMILLA_CUDA_RING_SUM) {
        slot->place = batch->data_size;
        batch->data_size += slot->n;
    } else {
        slot->place =
            extend_runs(run, &batch->runs, layout->runs, &layout->nruns, &batch->data_size);
    }
    if (slot->padded) add_filter(layout, batch, slot);
    if (!batch->slots[method].count++) batch->slots[method].first = number;
    if (shared) return;
    batch->most_samples = armilla_larger(batch->most_samples, slot->n);
    batch->most_part = armilla_larger(batch->most_part, slot->n / slot->parts);
    batch->most_length = armilla_larger(batch->most_length, slot->length);
}

/* May one slot more go into a batch of `count`? Runs and filters begin at 256 bytes. */
static int fits(const armilla_cuda_ring_batch *batch, const armilla_cuda_ring_slot *slot,
                int64_t count, int64_t most)
{
    const int64_t size = batch->data_size + batch->filter_size + slot->parts * slot->length +
                         filter_size(slot) + 2 * ALIGNED;
    const int64_t longest = armilla_larger(batch->most_samples, batch->most_length);
    const int64_t threads = armilla_larger(longest, armilla_larger(slot->n, slot->length));
    return size <= most && (count + 1) * threads <= most_threads;
}

/* A set's numbers of the run that each slot is in: sums are one run, at 0. */
static void find_runs(armilla_cuda_ring_layout *layout, const armilla_cuda_ring_batch *batch)
{
    const armilla_cuda_ring_range sums = batch->slots[ARMILLA_CUDA_RING_SUM];
    const int64_t first = armilla_cuda_ring_batch_slots(batch, ARMILLA_CUDA_RING_METHODS).first;
    int64_t number = first + sums.count, sums_size = 0;
    for (int64_t i = first; i < number; i++) sums_size += layout->slots[i].n;
    for (int64_t i = first; i < number; i++)
        layout->slots[i].run = 0, layout->slots[i].run_size = sums_size;
    for (int64_t r = 0; r < batch->runs.count; r++) {
        const armilla_cuda_ring_run *run = &layout->runs[batch->runs.first + r];
        for (int64_t parts = 0; parts < run->count; number++) {
            armilla_cuda_ring_slot *slot = &layout->slots[number];
            slot->run = run->place, slot->run_size = run->size;
            parts += slot->parts;
        }
    }
}

static void cut_batches(armilla_cuda_ring_layout *layout, int64_t most)
{
    for (int64_t i = 0; i < layout->nslots;) {
        armilla_cuda_ring_batch *batch = &layout->batches[layout->nbatches++];
        *batch = (armilla_cuda_ring_batch){.filter_begin = layout->filter_size};
        const int64_t first = i;
        do add_to_batch(layout, batch, i++);
        while (i < layout->nslots && fits(batch, &layout->slots[i], i - first, most));
        find_runs(layout, batch);
        batch->data_size = align(batch->data_size);
        batch->filter_size = align(batch->filter_size);
        layout->filter_size += batch->filter_size;
    }
}

armilla_cuda_ring_range armilla_cuda_ring_batch_slots(const armilla_cuda_ring_batch *batch,
                                                      armilla_cuda_ring_method method)
{
    armilla_cuda_ring_range range = {0, 0};
    for (int i = 0; i < ARMILLA_CUDA_RING_METHODS; i++) {
        if (method != ARMILLA_CUDA_RING_METHODS && method != (armilla_cuda_ring_method)i) continue;
        if (!range.count) range.first = batch->slots[i].first;
        range.count += batch->slots[i].count;
    }
    return range;
}

armilla_cuda_ring_range armilla_cuda_ring_batch_rest(const armilla_cuda_ring_batch *batch)
{
    armilla_cuda_ring_range range = armilla_cuda_ring_batch_slots(batch, ARMILLA_CUDA_RING_METHODS);
    range.count -= batch->slots[ARMILLA_CUDA_RING_SHARED_BLUESTEIN].count;
    return range;
}

/* --- Layouts --------------------------------------------------------------------------------- */

static armilla_status allocate_lists(int64_t slots, armilla_cuda_ring_layout *layout)
{
    armilla_status status;
    *layout = (armilla_cuda_ring_layout){.nslots = 0};
    if ((status = armilla_allocate(&layout->slots, slots, sizeof *layout->slots)) ||
        (status = armilla_allocate(&layout->runs, slots, sizeof *layout->runs)) ||
        (status = armilla_allocate(&layout->filter_runs, slots, sizeof *layout->filter_runs)) ||
        (status = armilla_allocate(&layout->filters, slots, sizeof *layout->filters)) ||
        (status = armilla_allocate(&layout->batches, slots, sizeof *layout->batches)))
        armilla_cuda_ring_layout_clear(layout);
    return status;
}

armilla_status armilla_cuda_ring_layout_make(const armilla_cuda_own_rings *rings,
                                             const armilla_ring_pairs *pairs, int64_t first,
                                             int64_t count, int64_t most,
                                             armilla_cuda_ring_layout *layout)
{
    const armilla_status status = allocate_lists(2 * count, layout);
    if (status) return status;
    add_pairs(rings, pairs, first, count, layout);
    set_slots(layout);
    cut_batches(layout, most);
    return ARMILLA_OK;
}

void armilla_cuda_ring_layout_clear(armilla_cuda_ring_layout *layout)
{
    armilla_release(layout->slots);
    armilla_release(layout->runs);
    armilla_release(layout->filter_runs);
    armilla_release(layout->filters);
    armilla_release(layout->batches);
    *layout = (armilla_cuda_ring_layout){.nslots = 0};
}

void armilla_cuda_ring_roots_fill(double *roots)
{
    for (int i = 0; i < LENGTHS; i++)
        for (int64_t n = lengths[i], pass = 0; pass < (lengths[i] < 1024 ? 2 : 3); pass++, n /= 8)
            for (int64_t j = 0; j < n / 8; j++, roots += 2) armilla_root_of_unity(j, n, roots);
}

/* Kernels of these runs' convolutions in shared memory, and what others are, once each. */
static int64_t count_launches(const armilla_cuda_ring_run *runs, int64_t count, int64_t *others)
{
    int kernels[2] = {0, 0};
    *others = 0;
    for (int64_t i = 0; i < count; i++)
        if (runs[i].method == ARMILLA_CUDA_RING_SHARED_BLUESTEIN)
            kernels[runs[i].length % 3 == 0] = 1;
        else
            ++*others;
    return kernels[0] + kernels[1];
}

int64_t armilla_cuda_ring_layout_launches(const armilla_cuda_ring_layout *layout, int keep)
{
    int64_t launches = 0;
    for (int64_t b = 0; b < layout->nbatches; b++) {
        const armilla_cuda_ring_batch *batch = &layout->batches[b];
        const int padded = batch->slots[ARMILLA_CUDA_RING_BLUESTEIN].count > 0;
        int64_t ffts, filters;
        if (armilla_cuda_ring_batch_rest(batch).count) launches += 2; /* both ends */
        launches += (batch->slots[ARMILLA_CUDA_RING_SUM].count > 0) + padded;
        launches += count_launches(layout->runs + batch->runs.first, batch->runs.count, &ffts);
        for (int64_t r = 0; r < batch->runs.count; r++)
            ffts += layout->runs[batch->runs.first + r].method == ARMILLA_CUDA_RING_BLUESTEIN;
        launches += ffts;
        if (keep) continue;
        launches += count_launches(layout->filter_runs + batch->filter_runs.first,
                                   batch->filter_runs.count, &filters);
        launches += filters + (batch->filters.count > 0);
    }
    return launches;
}
