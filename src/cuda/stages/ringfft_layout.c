/* Decides on the host how each ring of a pass is transformed on a GPU: by passes over a smooth
 * length, by sums, by a cuFFT of its own length where that is worth another launch, or by
 * Bluestein's algorithm, in shared memory or by cuFFT. It then sorts the transforms by method and
 * length, and cuts them into batches. */
#include "cuda/stages/ringfft_layout.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/stages/ringfft_slots.h"
#include "cuda/stages/ringfft_smooth.h"
#include "fft/roots.h"

#include <stdlib.h>

enum { ALIGNED = 16 }; /* complex numbers: runs begin at 256 bytes */

/* About the bytes that the device moves while it starts a kernel: a launch more must save so
 * many. */
static const int64_t launch_bytes = 12 << 20;

/* A batch has as many threads per kernel as its longest slot needs, for all: a grid of blocks of
 * 128 may have 2^31 - 1. */
static const int64_t most_threads = INT64_C(1) << 37;

/* --- Methods --------------------------------------------------------------------------------- */

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static armilla_cuda_ring_method method_of(const armilla_cuda_ring_slot *slot)
{
    if (slot->radices) return ARMILLA_CUDA_RING_SMOOTH_PASSES;
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
 * shared memory as many, but its arithmetic takes as long as if it moved some 2 n more, and it
 * shares a launch with all others; one by cuFFT 8 for each in data and n more, and three launches
 * with others of its padded length. */
static int deserves_fft(const armilla_cuda_ring_slot *slot, int64_t count, int64_t class_count)
{
    const int shared = slot->padded <= ARMILLA_CUDA_RING_SHARED;
    const int64_t saved = shared ? 2 * slot->n : 8 * slot->parts * slot->padded - 3 * slot->n;
    return (!shared && 2 * count >= class_count) || 16 * count * saved >= launch_bytes;
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
    if (method == ARMILLA_CUDA_RING_SMOOTH_PASSES) slot->length = 0;
}

/* Given: slots that are sorted as if all that are neither smooth nor summed were Bluestein's. */
static void choose_methods(armilla_cuda_ring_layout *layout)
{
    for (int64_t first = 0; first < layout->nslots;) {
        const int64_t end = first + count_equal(layout, first, 0), class_count = end - first;
        while (first < end) {
            armilla_cuda_ring_slot *slot = &layout->slots[first];
            const int64_t count = count_equal(layout, first, 1);
            const int direct = slot->padded && deserves_fft(slot, count, class_count);
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
        if (layout->slots[i].column != ARMILLA_CUDA_NO_COLUMN)
            layout->slots[count++] = layout->slots[i];
    layout->nslots = count;
}

/* Convolutions of all slots that are not summed, as long for each number of samples as the most
 * orders need, so that these slots have one filter. */
static void set_padded(armilla_cuda_ring_layout *layout)
{
    for (int64_t i = 0; i < layout->nslots; i++)
        layout->slots[i].radices = armilla_cuda_smooth_radices(layout->slots[i].n);
    sort_slots(layout);
    for (int64_t first = 0, count; first < layout->nslots; first += count) {
        armilla_cuda_ring_slot *slot = &layout->slots[first];
        const int whole = slot->radices || slot->n <= ARMILLA_CUDA_RING_SUMS;
        int64_t limit = 0;
        count = count_equal(layout, first, 1);
        for (int64_t i = 0; i < count; i++) limit = armilla_larger(limit, slot[i].limit);
        for (int64_t i = 0; i < count; i++) {
            slot[i].parts = !whole && slot->n % 4 == 0 ? 4 : 1;
            slot[i].padded = whole ? 0 : padded_length(slot->n / slot->parts, slot->parts, limit);
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

/* One table for each smooth length. */
static void place_tables(armilla_cuda_ring_layout *layout)
{
    int64_t n = 0, size = 0;
    for (int64_t i = 0; i < layout->nslots; i++) {
        armilla_cuda_ring_slot *slot = &layout->slots[i];
        if (!slot->radices) continue;
        if (slot->n != n) layout->table_size += size;
        n = slot->n, size = armilla_cuda_smooth_table_size(n, slot->radices);
        slot->filter = layout->table_size;
    }
    layout->table_size += size;
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
    last->passes = armilla_larger(last->passes, more.passes);
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
    if (!slot->padded) return 0;
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

static armilla_cuda_ring_run run_of(const armilla_cuda_ring_slot *slot, int64_t number)
{
    const armilla_cuda_ring_method method = method_of(slot);
    const int smooth = method == ARMILLA_CUDA_RING_SMOOTH_PASSES;
    const int shared = method == ARMILLA_CUDA_RING_SHARED_BLUESTEIN;
    const int64_t length = shared ? slot->padded : slot->length;
    return (armilla_cuda_ring_run){.method = method,
                                   .length = smooth ? armilla_cuda_smooth_room(slot->n) : length,
                                   .parts = shared || smooth ? slot->parts : 0,
                                   .passes = armilla_cuda_smooth_passes(slot->radices),
                                   .count = slot->parts,
                                   .size = slot->parts * slot->length,
                                   .of.first = number};
}

static void add_to_batch(armilla_cuda_ring_layout *layout, armilla_cuda_ring_batch *batch,
                         int64_t number)
{
    armilla_cuda_ring_slot *slot = &layout->slots[number];
    const armilla_cuda_ring_method method = method_of(slot);
    if (method == ARMILLA_CUDA_RING_SUM) {
        slot->place = batch->data_size;
        batch->data_size += slot->n;
    } else {
        slot->place = extend_runs(run_of(slot, number), &batch->runs, layout->runs, &layout->nruns,
                                  &batch->data_size);
    }
    if (slot->padded) add_filter(layout, batch, slot);
    if (!batch->slots[method].count++) batch->slots[method].first = number;
    if (armilla_cuda_ring_is_whole(method)) return;
    batch->most_samples = armilla_larger(batch->most_samples, slot->n);
    batch->most_part = armilla_larger(batch->most_part, slot->n / slot->parts);
    batch->most_length = armilla_larger(batch->most_length, slot->length);
}

/* May one slot more go into a batch of `count`? Runs and filters begin at 256 bytes; smooth rings
 * need no scratch. */
static int fits(const armilla_cuda_ring_batch *batch, const armilla_cuda_ring_slot *slot,
                int64_t count, int64_t most)
{
    const int64_t size = batch->data_size + batch->filter_size + slot->parts * slot->length +
                         filter_size(slot) + 2 * ALIGNED;
    const int64_t longest = armilla_larger(batch->most_samples, batch->most_length);
    const int64_t threads = armilla_larger(longest, armilla_larger(slot->n, slot->length));
    return slot->radices || (size <= most && (count + 1) * threads <= most_threads);
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
    range.count -= batch->slots[ARMILLA_CUDA_RING_SHARED_BLUESTEIN].count +
                   batch->slots[ARMILLA_CUDA_RING_SMOOTH_PASSES].count;
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
    armilla_cuda_ring_add_slots(rings, pairs, first, count, layout);
    set_slots(layout);
    place_tables(layout);
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

/* Kernels of these runs in shared memory, and what others are, once each. */
static int64_t count_launches(const armilla_cuda_ring_run *runs, int64_t count, int64_t *others)
{
    int kernels[3] = {0, 0, 0};
    *others = 0;
    for (int64_t i = 0; i < count; i++)
        if (runs[i].method == ARMILLA_CUDA_RING_SMOOTH_PASSES)
            kernels[2] = 1;
        else if (runs[i].method == ARMILLA_CUDA_RING_SHARED_BLUESTEIN)
            kernels[runs[i].length % 3 == 0] = 1;
        else
            ++*others;
    return kernels[0] + kernels[1] + kernels[2];
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
