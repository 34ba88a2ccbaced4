/* Makes what the ring stage needs on a GPU: layouts in batches that fit the scratch, plans of
 * cuFFT, tables of smooth rings and of convolutions in shared memory, in double precision and for
 * floats in single. */
#include "cuda/stages/ringfft_plan.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/stages/ringfft_smooth.h"

static armilla_status plan_runs(armilla_cuda_fft_plans *plans, int64_t count,
                                const armilla_cuda_ring_run *runs, int of_set)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; i < count && !status; i++)
        if (!armilla_cuda_ring_is_whole(runs[i].method))
            status = armilla_cuda_fft_plans_add(plans, runs[i].length, runs[i].count, of_set);
    return status;
}

static armilla_status plan_pass(armilla_cuda_fft_plans *plans, const armilla_cuda_ring_pass *pass)
{
    const armilla_cuda_ring_layout *layout = &pass->layout;
    const armilla_status status = plan_runs(plans, layout->nruns, layout->runs, 1);
    return status ? status : plan_runs(plans, layout->nfilter_runs, layout->filter_runs, 0);
}

static armilla_status plan_passes(armilla_cuda_ringfft *cuda, int single)
{
    armilla_cuda_ring_numbers *in = &cuda->in[single];
    armilla_status status = armilla_cuda_fft_plans_new(single, &in->plans);
    for (int64_t i = 0; i < cuda->npasses && !status; i++)
        status = plan_pass(in->plans, &cuda->passes[i]);
    return status;
}

static void clear_layouts(armilla_cuda_ringfft *cuda)
{
    for (int64_t i = 0; i < cuda->npasses; i++)
        armilla_cuda_ring_layout_clear(&cuda->passes[i].layout);
    for (int single = 0; single < 2; single++) {
        armilla_cuda_fft_plans_free(cuda->in[single].plans);
        cuda->in[single].plans = NULL;
    }
}

/* Whether filters are kept: in both precisions they take half of `most`, or less. */
static void choose_to_keep(armilla_cuda_ringfft *cuda, int64_t most)
{
    int64_t bytes = 0;
    for (int single = 0; single <= cuda->single; single++)
        for (int64_t i = 0; i < cuda->npasses; i++)
            bytes += armilla_cuda_rings_complex_size(single) * cuda->passes[i].layout.filter_size;
    cuda->keep = bytes <= most / 2;
}

/* The sizes of the scratch in a precision: in single, rings in shared memory go by pairs of sets,
 * and the last set may have no other one. */
static void measure(armilla_cuda_ringfft *cuda, int single, int64_t most)
{
    const int64_t size = armilla_cuda_rings_complex_size(single);
    int64_t all_most = 0, data_most = 0, filter_most = 0;
    cuda->nbatches = 0;
    for (int64_t i = 0; i < cuda->npasses; i++) {
        const armilla_cuda_ring_layout *layout = &cuda->passes[i].layout;
        cuda->nbatches = armilla_larger(cuda->nbatches, layout->nbatches);
        for (int64_t b = 0; b < layout->nbatches; b++) {
            const armilla_cuda_ring_batch *batch = &layout->batches[b];
            const int64_t filter = cuda->keep ? 0 : batch->filter_size;
            all_most = armilla_larger(all_most, (1 + single) * batch->data_size + filter);
            data_most = armilla_larger(data_most, batch->data_size);
            filter_most = armilla_larger(filter_most, filter);
        }
    }
    filter_most += single * data_most;
    cuda->in[single].area = size * all_most;
    cuda->in[single].room = (armilla_cuda_fft_room){size * data_most, size * filter_most, most};
}

/* Layouts and plans with batches of `size` complex numbers. */
static armilla_status lay_out(armilla_cuda_ringfft *cuda, const armilla_cuda_own_rings *rings,
                              const armilla_leg_passes *passes, int64_t size, int64_t most)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; i < cuda->npasses && !status; i++) {
        const armilla_leg_layout *leg = &passes->layouts[i];
        const armilla_leg_block *block = leg->blocks;
        if (leg->nblocks == 0) continue;
        status = armilla_cuda_ring_layout_make(rings, leg->pairs, block->first, block->npairs, size,
                                               &cuda->passes[i].layout);
    }
    for (int single = 0; single <= cuda->single && !status; single++)
        status = plan_passes(cuda, single);
    if (status) return status;
    choose_to_keep(cuda, most);
    for (int single = 0; single <= cuda->single; single++) measure(cuda, single, most);
    return ARMILLA_OK;
}

/* cuFFT names its work area only when it has planned: batches are halved until all fits, or until
 * each has one slot. */
static armilla_status fit_layouts(armilla_cuda_ringfft *cuda, const armilla_cuda_own_rings *rings,
                                  const armilla_leg_passes *passes, int64_t most)
{
    int64_t size = most / armilla_cuda_rings_complex_size(0);
    for (;;) {
        const armilla_status status = lay_out(cuda, rings, passes, size, most);
        if (status || armilla_cuda_ringfft_scratch(cuda, 1) <= most || size == 0) return status;
        clear_layouts(cuda);
        size /= 2;
    }
}

/* Lets several sets go together. */
static armilla_status widen_plans(armilla_cuda_ringfft *cuda)
{
    armilla_status status = ARMILLA_OK;
    for (int single = 0; single <= cuda->single && !status; single++)
        status = armilla_cuda_fft_plans_widen(cuda->in[single].plans, &cuda->in[single].room);
    return status;
}

/* Tables of smooth lengths, if there are such. */
static armilla_status upload_tables(armilla_cuda_ringfft *cuda, armilla_cuda_ring_pass *pass,
                                    int single)
{
    const armilla_cuda_ring_layout *layout = &pass->layout;
    const int64_t size = armilla_cuda_rings_complex_size(single);
    char *tables;
    if (!layout->table_size) return ARMILLA_OK;
    armilla_status status = armilla_allocate_zero(&tables, layout->table_size, size);
    if (status) return status;
    for (int64_t i = 0, made = -1; i < layout->nslots; i++) {
        const armilla_cuda_ring_slot *slot = &layout->slots[i];
        if (slot->radices && slot->filter != made)
            armilla_cuda_smooth_table_fill(slot->n, slot->radices, single,
                                           tables + size * slot->filter);
        if (slot->radices) made = slot->filter;
    }
    status = armilla_cuda_upload(tables, layout->table_size, size, "tables of smooth rings",
                                 &pass->tables[single]);
    cuda->bytes += layout->table_size * size;
    armilla_release(tables);
    return status;
}

static armilla_status upload_pass(armilla_cuda_ringfft *cuda, armilla_cuda_ring_pass *pass)
{
    const armilla_cuda_ring_layout *layout = &pass->layout;
    armilla_status status;
    if ((status = armilla_cuda_upload(layout->slots, layout->nslots, sizeof *layout->slots, "rings",
                                      (void **)&pass->slots)) ||
        (status = armilla_cuda_upload(layout->filters, layout->nfilters, sizeof *layout->filters,
                                      "filters", (void **)&pass->filters)))
        return status;
    cuda->bytes += layout->nslots * (int64_t)sizeof *layout->slots +
                   layout->nfilters * (int64_t)sizeof *layout->filters;
    for (int single = 0; single <= cuda->single && cuda->keep && !status; single++) {
        const int64_t bytes = layout->filter_size * armilla_cuda_rings_complex_size(single);
        status = armilla_cuda_allocate(bytes, "transforms of filters", &pass->kept[single]);
        cuda->bytes += bytes;
    }
    for (int single = 0; single <= cuda->single && !status; single++)
        status = upload_tables(cuda, pass, single);
    return status;
}

static int has_shared(const armilla_cuda_ringfft *cuda)
{
    for (int64_t i = 0; i < cuda->npasses; i++) {
        const armilla_cuda_ring_layout *layout = &cuda->passes[i].layout;
        for (int64_t r = 0; r < layout->nruns; r++)
            if (layout->runs[r].method == ARMILLA_CUDA_RING_SHARED_BLUESTEIN) return 1;
    }
    return 0;
}

/* Tables of convolutions in shared memory, if there are such. */
static armilla_status upload_roots(armilla_cuda_ringfft *cuda)
{
    enum { COUNT = 2 * ARMILLA_CUDA_RING_ROOTS };
    double roots[COUNT];
    float rounded[COUNT];
    const void *tables[2] = {roots, rounded};
    armilla_status status = ARMILLA_OK;
    if (!has_shared(cuda)) return ARMILLA_OK;
    armilla_cuda_ring_roots_fill(roots);
    for (int i = 0; i < COUNT; i++) rounded[i] = (float)roots[i];
    for (int single = 0; single <= cuda->single && !status; single++) {
        status = armilla_cuda_upload(tables[single], ARMILLA_CUDA_RING_ROOTS,
                                     armilla_cuda_rings_complex_size(single), "roots of unity",
                                     &cuda->in[single].roots);
        cuda->bytes += ARMILLA_CUDA_RING_ROOTS * armilla_cuda_rings_complex_size(single);
    }
    return status;
}

static armilla_status keep_filters(const armilla_cuda_ringfft *cuda)
{
    armilla_status status = ARMILLA_OK;
    for (int single = 0; single <= cuda->single && !status; single++)
        status = armilla_cuda_ringfft_keep_filters(cuda, single);
    return status;
}

armilla_status armilla_cuda_ringfft_new(const armilla_ring *rings, const int64_t *places,
                                        const armilla_leg_passes *passes, int64_t most, int single,
                                        armilla_cuda_ringfft **cuda)
{
    const armilla_cuda_own_rings own = {rings, places};
    armilla_cuda_ringfft *result;
    armilla_status status = armilla_allocate_zero(&result, 1, sizeof *result);
    if (status) return status;
    status = armilla_allocate_zero(&result->passes, passes->count, sizeof *result->passes);
    if (!status) {
        result->npasses = passes->count, result->single = single;
        status = fit_layouts(result, &own, passes, most);
    }
    if (!status && result->nbatches == 1) status = widen_plans(result);
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
        for (int single = 0; single < 2; single++) {
            armilla_cuda_release(cuda->passes[i].kept[single]);
            armilla_cuda_release(cuda->passes[i].tables[single]);
        }
    }
    for (int single = 0; single < 2; single++) armilla_cuda_release(cuda->in[single].roots);
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
