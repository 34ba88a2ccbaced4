/* Takes the rings of a pass from leg to maps and back on a GPU, batch by batch, by kernels and by
 * transforms of cuFFT that it puts on the caller's stream. The scratch of a call has the batch's
 * data, its filters where they are not kept, and the work area of cuFFT. */
#include "cuda/stages/ringfft_plan.h"

#include "base/array.h"
#include "base/integer.h"
#include "cuda/runtime/device_memory.h"

/* What a call works with: a batch, sets that go together, and their places in the scratch. */
typedef struct {
    const armilla_cuda_ringfft *cuda;
    const armilla_cuda_ring_pass *pass;
    const armilla_cuda_ring_batch *batch;
    int single;
    int64_t nsets;
    void *data, *filters, *area;
    armilla_cuda_work *work;
} batch_call;

static const armilla_cuda_ring_numbers *numbers_of(const batch_call *call)
{
    return &call->cuda->in[call->single];
}

/* The call's numbers from number `first` on. */
static void *numbers_from(const batch_call *call, void *numbers, int64_t first)
{
    return (char *)numbers + armilla_cuda_rings_complex_size(call->single) * first;
}

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
                                     call->data,
                                     call->single};
}

/* The slots of a method. */
static armilla_cuda_ring_slots slots_of(const batch_call *call, armilla_cuda_ring_method method)
{
    return slots_in(call, armilla_cuda_ring_batch_slots(call->batch, method));
}

/* A run of so many sets. */
static void run_fft(const batch_call *call, const armilla_cuda_ring_run *run, int64_t nsets,
                    int sign, void *data)
{
    const armilla_cuda_fft_rows rows = {numbers_from(call, data, nsets * run->place), run->length,
                                        run->count, nsets};
    armilla_cuda_fft_plans_run(numbers_of(call)->plans, &rows, sign, call->area, call->work);
}

/* The batch's runs that have this method. */
static void run_ffts(const batch_call *call, armilla_cuda_ring_method method, int sign)
{
    const armilla_cuda_ring_range range = call->batch->runs;
    const armilla_cuda_ring_run *runs = call->pass->layout.runs + range.first;
    for (int64_t i = 0; i < range.count; i++)
        if (runs[i].method == method) run_fft(call, &runs[i], call->nsets, sign, call->data);
}

/* Which of these runs have a method in shared memory. Returned: how many. */
static int64_t find_classes(const armilla_cuda_ring_run *runs, int64_t count,
                            armilla_cuda_ring_method method,
                            armilla_cuda_ring_class classes[ARMILLA_CUDA_RING_CLASSES])
{
    int64_t found = 0;
    for (int64_t i = 0; i < count; i++)
        if (runs[i].method == method)
            classes[found++] = (armilla_cuda_ring_class){
                runs[i].length, runs[i].passes ? runs[i].passes : runs[i].parts, runs[i].of.first,
                runs[i].of.count, 0};
    return found;
}

static void make_filters(const batch_call *call)
{
    const armilla_cuda_ring_batch *batch = call->batch;
    const armilla_cuda_ring_run *runs = call->pass->layout.filter_runs + batch->filter_runs.first;
    const armilla_cuda_ring_filter *filters = call->pass->filters;
    armilla_cuda_ring_class classes[ARMILLA_CUDA_RING_CLASSES];
    const int64_t count =
        find_classes(runs, batch->filter_runs.count, ARMILLA_CUDA_RING_SHARED_BLUESTEIN, classes);
    cudaStream_t stream = call->work->stream;
    const int is_float = call->single;
    armilla_cuda_note(call->work,
                      armilla_cuda_ring_make_shared(filters, classes, count, call->filters,
                                                    is_float, call->cuda->in[0].roots, stream));
    if (!batch->filters.count) return;
    armilla_cuda_note(call->work, armilla_cuda_ring_make_filters(
                                      filters + batch->filters.first, batch->filters.count,
                                      batch->most_length, call->filters, is_float, stream));
    for (int64_t i = 0; i < batch->filter_runs.count; i++)
        if (!armilla_cuda_ring_is_whole(runs[i].method))
            run_fft(call, &runs[i], 1, CUFFT_FORWARD, call->filters);
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
static int64_t area_of(const armilla_cuda_ring_numbers *in, int64_t nsets)
{
    return nsets > 1 ? in->room.fixed + nsets * in->room.of_set : in->area;
}

/* How many of these sets go together: batches are for rings that have no room at once, where there
 * is none for several sets either. */
static int64_t sets_together(const armilla_cuda_ringfft *cuda, int single, int64_t nsets)
{
    const armilla_cuda_ring_numbers *in = &cuda->in[single];
    return cuda->nbatches > 1 ? 1 : armilla_cuda_fft_plans_fit(in->plans, &in->room, nsets);
}

static batch_call start_batch(const armilla_cuda_ringfft *cuda, const armilla_cuda_ring_pass *pass,
                              int64_t number, int single, int64_t nsets, armilla_cuda_work *work)
{
    const armilla_cuda_ring_batch *batch = &pass->layout.batches[number];
    void *kept = pass->kept[single];
    batch_call call = {.cuda = cuda,
                       .pass = pass,
                       .batch = batch,
                       .single = single,
                       .nsets = nsets,
                       .data = work->scratch,
                       .area = (char *)work->scratch + area_of(&cuda->in[single], nsets),
                       .work = work};
    /* in single precision the last set may be half of a pair */
    call.filters = kept ? numbers_from(&call, kept, batch->filter_begin)
                        : numbers_from(&call, call.data, (nsets + single) * batch->data_size);
    return call;
}

/* The leg from number `set` on. */
static armilla_cuda_ring_rows rows_from(const armilla_leg *leg, int64_t set)
{
    const armilla_leg_block *block = leg->layout->blocks;
    const armilla_array values = {leg->values, leg->is_float};
    const int64_t length = armilla_leg_set_length(block);
    return (armilla_cuda_ring_rows){armilla_array_from(values, set * length).values,
                                    block->row_length, length, leg->is_float};
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

typedef cudaError_t (*whole_function)(const armilla_cuda_ring_slots *slots,
                                      const armilla_cuda_ring_whole *whole,
                                      const armilla_cuda_ring_rows *rows,
                                      const armilla_cuda_ring_map *map, cudaStream_t stream);

/* Slots of a method in shared memory. */
static void run_whole(const batch_call *call, armilla_cuda_ring_method method,
                      whole_function function, const armilla_cuda_ring_rows *rows,
                      const armilla_cuda_ring_map *map)
{
    const armilla_cuda_ring_range range = call->batch->runs;
    const armilla_cuda_ring_slots slots = slots_in(call, (armilla_cuda_ring_range){0, 0});
    armilla_cuda_ring_class classes[ARMILLA_CUDA_RING_CLASSES];
    const armilla_cuda_ring_run *runs = call->pass->layout.runs + range.first;
    const armilla_cuda_ring_whole whole = {
        classes, find_classes(runs, range.count, method, classes),
        method == ARMILLA_CUDA_RING_SMOOTH_PASSES ? call->pass->tables[call->single]
                                                  : call->filters,
        numbers_of(call)->roots};
    armilla_cuda_note(call->work, function(&slots, &whole, rows, map, call->work->stream));
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
    const armilla_cuda_ring_pass *pass = &cuda->passes[number];
    const int single = maps->values.is_float && cuda->single;
    const int64_t together = sets_together(cuda, single, leg->nsets);
    for (int64_t b = 0; b < pass->layout.nbatches; b++) {
        batch_call call = start_batch(cuda, pass, b, single, together, work);
        if (!pass->kept[single]) make_filters(&call);
        for (int64_t set = 0; set < leg->nsets; set += together) {
            const armilla_cuda_ring_rows rows = rows_from(leg, set);
            const armilla_cuda_ring_map map = maps_from(maps, set);
            call.nsets = armilla_smaller(together, leg->nsets - set);
            run_whole(&call, ARMILLA_CUDA_RING_SHARED_BLUESTEIN,
                      to_maps ? armilla_cuda_ring_write : armilla_cuda_ring_read, &rows, &map);
            run_whole(&call, ARMILLA_CUDA_RING_SMOOTH_PASSES,
                      to_maps ? armilla_cuda_ring_write_smooth : armilla_cuda_ring_read_smooth,
                      &rows, &map);
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

int64_t armilla_cuda_ringfft_scratch(const armilla_cuda_ringfft *cuda, int64_t nsets)
{
    int64_t bytes = 0;
    for (int single = 0; single <= cuda->single; single++) {
        const armilla_cuda_ring_numbers *in = &cuda->in[single];
        const int64_t together = sets_together(cuda, single, nsets);
        bytes = armilla_larger(bytes, area_of(in, together) +
                                          armilla_cuda_fft_plans_work(in->plans, together));
    }
    return bytes;
}

/* --- Filters that are kept ------------------------------------------------------------------- */

armilla_status armilla_cuda_ringfft_keep_filters(const armilla_cuda_ringfft *cuda, int single)
{
    void *area;
    const armilla_status status =
        armilla_cuda_allocate(armilla_cuda_fft_plans_work(cuda->in[single].plans, 1),
                              "work area of the filters' transforms", &area);
    if (status) return status;
    armilla_cuda_work work = {0};
    for (int64_t i = 0; i < cuda->npasses; i++) {
        const armilla_cuda_ring_pass *pass = &cuda->passes[i];
        for (int64_t b = 0; b < pass->layout.nbatches && pass->kept[single]; b++) {
            batch_call call = start_batch(cuda, pass, b, single, 1, &work);
            call.area = area;
            make_filters(&call);
        }
    }
    armilla_cuda_note(&work, cudaStreamSynchronize(work.stream));
    armilla_cuda_release(area);
    return armilla_cuda_work_status(&work, "filters of the ring transforms");
}
