/* Takes the rings of a pass from leg to maps and back on a GPU, batch by batch, by kernels and by
 * transforms of cuFFT that it puts on the caller's stream. The scratch of a call has the batch's
 * data, its filters where they are not kept, and the work area of cuFFT. */
#include "cuda/stages/ringfft.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/runtime/fft_plans.h"
#include "cuda/stages/ringfft_layout.h"

enum { COMPLEX = 2 * sizeof(double) };

typedef struct {
    armilla_cuda_ring_layout layout;
    armilla_cuda_ring_slot *slots; /* on the device, as the next two */
    armilla_cuda_ring_filter *filters;
    double *kept; /* transforms of the filters of all batches; NULL: each call makes them */
} ring_pass;

static int is_shared(const armilla_cuda_ring_run *run)
{
    return run->method == ARMILLA_CUDA_RING_SHARED_BLUESTEIN;
}

struct armilla_cuda_ringfft {
    int64_t npasses;
    ring_pass *passes;
    armilla_cuda_fft_plans *plans;
    double *roots;    /* on the device: of convolutions in shared memory; NULL: there are none */
    int keep;         /* are filters kept? */
    int64_t area;     /* bytes of the scratch before the work area, sets one by one */
    int64_t nbatches; /* of the pass with the most */
    armilla_cuda_fft_room room;
    int64_t bytes;
};

/* What a call works with: a batch, sets that go together, and their places in the scratch. */
typedef struct {
    const armilla_cuda_ringfft *cuda;
    const ring_pass *pass;
    const armilla_cuda_ring_batch *batch;
    int64_t nsets;
    double *data, *filters;
    void *area;
    armilla_cuda_work *work;
} batch_call;

/* --- Transforms ------------------------------------------------------------------------------ */

static armilla_cuda_ring_slots slots_in(const batch_call *call, armilla_cuda_ring_range range)
{
    const armilla_cuda_ring_batch *batch = call->batch;
    return (armilla_cuda_ring_slots){call->pass->slots + range.first,
                                     range.count,
                                     call->nsets,
                                     batch->most_samples,
                                     batch->most_part,
                                     batch->most_length,
                                     call->data};
}

/* The slots of a method. */
static armilla_cuda_ring_slots slots_of(const batch_call *call, armilla_cuda_ring_method method)
{
    return slots_in(call, armilla_cuda_ring_batch_slots(call->batch, method));
}

/* A run of so many sets. */
static void run_fft(const batch_call *call, const armilla_cuda_ring_run *run, int64_t nsets,
                    int sign, double *data)
{
    const armilla_cuda_fft_rows rows = {data + 2 * nsets * run->place, run->length, run->count,
                                        nsets};
    armilla_cuda_fft_plans_run(call->cuda->plans, &rows, sign, call->area, call->work);
}

/* The batch's runs that have this method. */
static void run_ffts(const batch_call *call, armilla_cuda_ring_method method, int sign)
{
    const armilla_cuda_ring_range range = call->batch->runs;
    const armilla_cuda_ring_run *runs = call->pass->layout.runs + range.first;
    for (int64_t i = 0; i < range.count; i++)
        if (runs[i].method == method) run_fft(call, &runs[i], call->nsets, sign, call->data);
}

/* Which of these runs are convolutions in shared memory. Returned: how many. */
static int64_t find_classes(const armilla_cuda_ring_run *runs, int64_t count,
                            armilla_cuda_ring_class classes[ARMILLA_CUDA_RING_CLASSES])
{
    int64_t found = 0;
    for (int64_t i = 0; i < count; i++)
        if (is_shared(&runs[i]))
            classes[found++] = (armilla_cuda_ring_class){runs[i].length, runs[i].parts,
                                                         runs[i].of.first, runs[i].of.count, 0};
    return found;
}

static void make_filters(const batch_call *call)
{
    const armilla_cuda_ring_batch *batch = call->batch;
    const armilla_cuda_ring_run *runs = call->pass->layout.filter_runs + batch->filter_runs.first;
    const armilla_cuda_ring_filter *filters = call->pass->filters;
    armilla_cuda_ring_class classes[ARMILLA_CUDA_RING_CLASSES];
    const int64_t count = find_classes(runs, batch->filter_runs.count, classes);
    cudaStream_t stream = call->work->stream;
    armilla_cuda_note(call->work,
                      armilla_cuda_ring_make_shared(filters, classes, count, call->filters,
                                                    call->cuda->roots, stream));
    if (!batch->filters.count) return;
    armilla_cuda_note(call->work, armilla_cuda_ring_make_filters(
                                      filters + batch->filters.first, batch->filters.count,
                                      batch->most_length, call->filters, stream));
    for (int64_t i = 0; i < batch->filter_runs.count; i++)
        if (!is_shared(&runs[i])) run_fft(call, &runs[i], 1, CUFFT_FORWARD, call->filters);
}

static void transform(const batch_call *call)
{
    const armilla_cuda_ring_method bluestein = ARMILLA_CUDA_RING_BLUESTEIN;
    const armilla_cuda_ring_slots sums = slots_of(call, ARMILLA_CUDA_RING_SUM);
    const armilla_cuda_ring_slots padded = slots_of(call, bluestein);
    cudaStream_t stream = call->work->stream;
    if (sums.count) armilla_cuda_note(call->work, armilla_cuda_ring_sum(&sums, stream));
    run_ffts(call, ARMILLA_CUDA_RING_FFT, CUFFT_INVERSE);
    if (!padded.count) return;
    run_ffts(call, bluestein, CUFFT_FORWARD);
    armilla_cuda_note(call->work, armilla_cuda_ring_multiply(&padded, call->filters, stream));
    run_ffts(call, bluestein, CUFFT_INVERSE);
}

/* --- Calls ----------------------------------------------------------------------------------- */

/* Bytes of the scratch before the work area. */
static int64_t area_of(const armilla_cuda_ringfft *cuda, int64_t nsets)
{
    return nsets > 1 ? cuda->room.fixed + nsets * cuda->room.of_set : cuda->area;
}

/* How many of these sets go together: batches are for rings that have no room at once, where there
 * is none for several sets either. */
static int64_t sets_together(const armilla_cuda_ringfft *cuda, int64_t nsets)
{
    return cuda->nbatches > 1 ? 1 : armilla_cuda_fft_plans_fit(cuda->plans, &cuda->room, nsets);
}

static batch_call start_batch(const armilla_cuda_ringfft *cuda, const ring_pass *pass,
                              int64_t number, int64_t nsets, armilla_cuda_work *work)
{
    const armilla_cuda_ring_batch *batch = &pass->layout.batches[number];
    double *data = work->scratch;
    return (batch_call){cuda,
                        pass,
                        batch,
                        nsets,
                        data,
                        pass->kept ? pass->kept + 2 * batch->filter_begin
                                   : data + 2 * nsets * batch->data_size,
                        (char *)work->scratch + area_of(cuda, nsets),
                        work};
}

static armilla_cuda_ring_map maps_from(const armilla_ring_maps *maps, int64_t first)
{
    const int64_t together = maps->together ? maps->together : 1;
    return (armilla_cuda_ring_map){.values = maps->values.values,
                                   .distance = maps->distance,
                                   .first = first,
                                   .together = together,
                                   .step = maps->together ? maps->step : 1,
                                   .is_float = maps->values.is_float,
                                   .weighted = maps->weighted};
}

/* Slots by convolutions in shared memory. */
static void run_whole(const batch_call *call, const armilla_cuda_ring_rows *rows,
                      const armilla_cuda_ring_map *map, int to_maps)
{
    const armilla_cuda_ring_range range = call->batch->runs;
    const armilla_cuda_ring_slots slots = slots_in(call, (armilla_cuda_ring_range){0, 0});
    armilla_cuda_ring_class classes[ARMILLA_CUDA_RING_CLASSES];
    const armilla_cuda_ring_whole whole = {
        classes, find_classes(call->pass->layout.runs + range.first, range.count, classes),
        call->filters, call->cuda->roots};
    cudaStream_t stream = call->work->stream;
    armilla_cuda_note(call->work, to_maps
                                      ? armilla_cuda_ring_write(&slots, &whole, rows, map, stream)
                                      : armilla_cuda_ring_read(&slots, &whole, rows, map, stream));
}

/* All others. */
static void run_rest(const batch_call *call, const armilla_cuda_ring_rows *rows,
                     const armilla_cuda_ring_map *map, int to_maps)
{
    const armilla_cuda_ring_slots slots = slots_in(call, armilla_cuda_ring_batch_rest(call->batch));
    cudaStream_t stream = call->work->stream;
    if (!slots.count) return;
    armilla_cuda_note(call->work, to_maps ? armilla_cuda_ring_fill(&slots, rows, stream)
                                          : armilla_cuda_ring_load(&slots, map, stream));
    transform(call);
    armilla_cuda_note(call->work,
                      to_maps ? armilla_cuda_ring_store(&slots, map, stream)
                              : armilla_cuda_ring_gather(&slots, rows, (int)map->weighted, stream));
}

static void run(const armilla_cuda_ringfft *cuda, int64_t number, const armilla_leg *leg,
                const armilla_ring_maps *maps, armilla_cuda_work *work, int to_maps)
{
    const ring_pass *pass = &cuda->passes[number];
    const armilla_leg_block *block = leg->layout->blocks;
    const int64_t together = sets_together(cuda, leg->nsets);
    for (int64_t b = 0; b < pass->layout.nbatches; b++) {
        batch_call call = start_batch(cuda, pass, b, together, work);
        if (!pass->kept) make_filters(&call);
        for (int64_t set = 0; set < leg->nsets; set += together) {
            const armilla_cuda_ring_rows rows = {armilla_leg_row(leg, block, set, 0),
                                                 block->row_length, armilla_leg_set_length(block)};
            const armilla_cuda_ring_map map = maps_from(maps, set);
            call.nsets = armilla_smaller(together, leg->nsets - set);
            run_whole(&call, &rows, &map, to_maps);
            run_rest(&call, &rows, &map, to_maps);
        }
    }
}

void armilla_cuda_ringfft_to_maps(const armilla_cuda_ringfft *cuda, int64_t pass,
                                  const armilla_leg *leg, const armilla_ring_maps *maps,
                                  armilla_cuda_work *work)
{
    run(cuda, pass, leg, maps, work, 1);
}

void armilla_cuda_ringfft_from_maps(const armilla_cuda_ringfft *cuda, int64_t pass,
                                    const armilla_leg *leg, const armilla_ring_maps *maps,
                                    armilla_cuda_work *work)
{
    run(cuda, pass, leg, maps, work, 0);
}

/* --- Plans ----------------------------------------------------------------------------------- */

static armilla_status plan_runs(armilla_cuda_fft_plans *plans, int64_t count,
                                const armilla_cuda_ring_run *runs, int of_set)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; i < count && !status; i++)
        if (!is_shared(&runs[i]))
            status = armilla_cuda_fft_plans_add(plans, runs[i].length, runs[i].count, of_set);
    return status;
}

static armilla_status plan_pass(armilla_cuda_ringfft *cuda, const ring_pass *pass)
{
    const armilla_cuda_ring_layout *layout = &pass->layout;
    const armilla_status status = plan_runs(cuda->plans, layout->nruns, layout->runs, 1);
    return status ? status : plan_runs(cuda->plans, layout->nfilter_runs, layout->filter_runs, 0);
}

static void clear_layouts(armilla_cuda_ringfft *cuda)
{
    for (int64_t i = 0; i < cuda->npasses; i++)
        armilla_cuda_ring_layout_clear(&cuda->passes[i].layout);
    armilla_cuda_fft_plans_free(cuda->plans);
    cuda->plans = NULL;
}

/* The sizes of the scratch, and whether filters are kept: they take half of `most`, or less. */
static void measure(armilla_cuda_ringfft *cuda, int64_t most)
{
    int64_t filters = 0, data_most = 0, filter_most = 0;
    for (int64_t i = 0; i < cuda->npasses; i++) filters += cuda->passes[i].layout.filter_size;
    cuda->keep = filters * COMPLEX <= most / 2;
    cuda->area = cuda->nbatches = 0;
    for (int64_t i = 0; i < cuda->npasses; i++) {
        const armilla_cuda_ring_layout *layout = &cuda->passes[i].layout;
        cuda->nbatches = armilla_larger(cuda->nbatches, layout->nbatches);
        for (int64_t b = 0; b < layout->nbatches; b++) {
            const armilla_cuda_ring_batch *batch = &layout->batches[b];
            const int64_t filter = cuda->keep ? 0 : batch->filter_size;
            cuda->area = armilla_larger(cuda->area, COMPLEX * (batch->data_size + filter));
            data_most = armilla_larger(data_most, batch->data_size);
            filter_most = armilla_larger(filter_most, filter);
        }
    }
    cuda->room = (armilla_cuda_fft_room){COMPLEX * data_most, COMPLEX * filter_most, most};
}

/* Layouts and plans with batches of `size` complex numbers. */
static armilla_status lay_out(armilla_cuda_ringfft *cuda, const armilla_cuda_own_rings *rings,
                              const armilla_leg_passes *passes, int64_t size, int64_t most)
{
    armilla_status status = armilla_cuda_fft_plans_new(&cuda->plans);
    for (int64_t i = 0; i < cuda->npasses && !status; i++) {
        const armilla_leg_layout *leg = &passes->layouts[i];
        const armilla_leg_block *block = leg->blocks;
        if (leg->nblocks == 0) continue;
        status = armilla_cuda_ring_layout_make(rings, leg->pairs, block->first, block->npairs, size,
                                               &cuda->passes[i].layout);
        if (!status) status = plan_pass(cuda, &cuda->passes[i]);
    }
    if (!status) measure(cuda, most);
    return status;
}

/* cuFFT names its work area only when it has planned: batches are halved until all fits, or until
 * each has one slot. */
static armilla_status fit_layouts(armilla_cuda_ringfft *cuda, const armilla_cuda_own_rings *rings,
                                  const armilla_leg_passes *passes, int64_t most)
{
    int64_t size = most / COMPLEX;
    for (;;) {
        const armilla_status status = lay_out(cuda, rings, passes, size, most);
        if (status || armilla_cuda_ringfft_scratch(cuda, 1) <= most || size == 0) return status;
        clear_layouts(cuda);
        size /= 2;
    }
}

static armilla_status upload_pass(armilla_cuda_ringfft *cuda, ring_pass *pass)
{
    const armilla_cuda_ring_layout *layout = &pass->layout;
    const int64_t filters = cuda->keep ? layout->filter_size * COMPLEX : 0;
    armilla_status status;
    if ((status = armilla_cuda_upload(layout->slots, layout->nslots, sizeof *layout->slots, "rings",
                                      (void **)&pass->slots)) ||
        (status = armilla_cuda_upload(layout->filters, layout->nfilters, sizeof *layout->filters,
                                      "filters", (void **)&pass->filters)) ||
        (status = armilla_cuda_allocate(filters, "transforms of filters", (void **)&pass->kept)))
        return status;
    cuda->bytes += filters + layout->nslots * (int64_t)sizeof *layout->slots +
                   layout->nfilters * (int64_t)sizeof *layout->filters;
    return ARMILLA_OK;
}

static int has_shared(const armilla_cuda_ringfft *cuda)
{
    for (int64_t i = 0; i < cuda->npasses; i++) {
        const armilla_cuda_ring_layout *layout = &cuda->passes[i].layout;
        for (int64_t r = 0; r < layout->nruns; r++)
            if (is_shared(&layout->runs[r])) return 1;
    }
    return 0;
}

/* Tables of convolutions in shared memory, if there are such. */
static armilla_status upload_roots(armilla_cuda_ringfft *cuda)
{
    double roots[2 * ARMILLA_CUDA_RING_ROOTS];
    if (!has_shared(cuda)) return ARMILLA_OK;
    armilla_cuda_ring_roots_fill(roots);
    cuda->bytes += (int64_t)sizeof roots;
    return armilla_cuda_upload(roots, ARMILLA_CUDA_RING_ROOTS, COMPLEX, "roots of unity",
                               (void **)&cuda->roots);
}

/* Makes the filters that are kept. Waits for the device. */
static armilla_status keep_filters(armilla_cuda_ringfft *cuda)
{
    void *area;
    const armilla_status status = armilla_cuda_allocate(
        armilla_cuda_fft_plans_work(cuda->plans, 1), "work area of the filters' transforms", &area);
    if (status) return status;
    armilla_cuda_work work = {0};
    for (int64_t i = 0; i < cuda->npasses; i++) {
        const ring_pass *pass = &cuda->passes[i];
        for (int64_t b = 0; b < pass->layout.nbatches && pass->kept; b++) {
            batch_call call = start_batch(cuda, pass, b, 1, &work);
            call.area = area;
            make_filters(&call);
        }
    }
    armilla_cuda_note(&work, cudaStreamSynchronize(work.stream));
    armilla_cuda_release(area);
    return armilla_cuda_work_status(&work, "filters of the ring transforms");
}

armilla_status armilla_cuda_ringfft_new(const armilla_ring *rings, const int64_t *places,
                                        const armilla_leg_passes *passes, int64_t most,
                                        armilla_cuda_ringfft **cuda)
{
    const armilla_cuda_own_rings own = {rings, places};
    armilla_cuda_ringfft *result;
    armilla_status status = armilla_allocate_zero(&result, 1, sizeof *result);
    if (status) return status;
    status = armilla_allocate_zero(&result->passes, passes->count, sizeof *result->passes);
    if (!status) {
        result->npasses = passes->count;
        status = fit_layouts(result, &own, passes, most);
    }
    if (!status && result->nbatches == 1)
        status = armilla_cuda_fft_plans_widen(result->plans, &result->room);
    for (int64_t i = 0; i < result->npasses && !status; i++)
        status = upload_pass(result, &result->passes[i]);
    if (!status) status = upload_roots(result);
    if (!status && result->keep) status = keep_filters(result);
    if (status) {
        armilla_cuda_ringfft_free(result);
        return status;
    }
    *cuda = result;
    return ARMILLA_OK;
}

void armilla_cuda_ringfft_free(armilla_cuda_ringfft *cuda)
{
    if (!cuda) return;
    clear_layouts(cuda);
    for (int64_t i = 0; i < cuda->npasses; i++) {
        armilla_cuda_release(cuda->passes[i].slots);
        armilla_cuda_release(cuda->passes[i].filters);
        armilla_cuda_release(cuda->passes[i].kept);
    }
    armilla_cuda_release(cuda->roots);
    armilla_release(cuda->passes);
    armilla_release(cuda);
}

int64_t armilla_cuda_ringfft_bytes(const armilla_cuda_ringfft *cuda)
{
    return cuda->bytes;
}

void armilla_cuda_ringfft_methods(const armilla_cuda_ringfft *cuda, int64_t *pairs)
{
    for (int method = 0; method < ARMILLA_CUDA_RING_METHODS; method++) pairs[method] = 0;
    for (int64_t i = 0; i < cuda->npasses; i++) {
        const armilla_cuda_ring_layout *layout = &cuda->passes[i].layout;
        for (int64_t batch = 0; batch < layout->nbatches; batch++)
            for (int method = 0; method < ARMILLA_CUDA_RING_METHODS; method++)
                pairs[method] += layout->batches[batch].slots[method].count;
    }
}

int64_t armilla_cuda_ringfft_scratch(const armilla_cuda_ringfft *cuda, int64_t nsets)
{
    const int64_t together = sets_together(cuda, nsets);
    return area_of(cuda, together) + armilla_cuda_fft_plans_work(cuda->plans, together);
}
