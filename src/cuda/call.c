/* Finds out where the arrays of a call are, takes what memory it needs from the device's pool
 * (device_pool.h), in the stream's own sequence, and copies what is on the host. So calls on
 * several streams never share memory, and none of them waits. A stream that is being captured gets
 * the same work; what would wait is refused before any of it. */
#include "cuda/call.h"

#include "armilla/alm.h"
#include "base/integer.h"
#include "cuda/capture.h"
#include "cuda/device.h"
#include "cuda/device_memory.h"
#include "cuda/device_pool.h"
#include "cuda/marks.h"

const armilla_cuda_flow *armilla_cuda_choose_flow(const armilla_cuda_transform *t, int weighted)
{
    return weighted && t->weighted_flow.legendre ? &t->weighted_flow : &t->flow;
}

/* --- Where arrays are ------------------------------------------------------------------------- */

/* Can the GPU use the array as it is? Then its address becomes that there, which may be another one
 * for memory that the caller has pinned or registered. Such memory is the host's, unless the caller
 * says that the device is meant. */
armilla_status armilla_cuda_find_place(const char *name, armilla_memory memory, int device,
                                       armilla_cuda_array *array)
{
    struct cudaPointerAttributes attributes;
    armilla_status status = armilla_cuda_status(
        cudaPointerGetAttributes(&attributes, array->values.values), "asking where an array is");
    if (status) return status;
    const enum cudaMemoryType type = attributes.type;
    array->copied.pinned = type == cudaMemoryTypeHost;
    array->on_device = 0;
    if (memory == ARMILLA_MEMORY_HOST) return ARMILLA_OK;
    if (type == cudaMemoryTypeDevice && attributes.device != device)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "%s: is in the memory of GPU %d, but the plan is on GPU %d", name,
                            attributes.device, device);
    array->on_device =
        type == cudaMemoryTypeDevice || type == cudaMemoryTypeManaged ||
        (type == cudaMemoryTypeHost && memory == ARMILLA_MEMORY_DEVICE && attributes.devicePointer);
    if (array->on_device) array->values.values = attributes.devicePointer;
    if (memory != ARMILLA_MEMORY_DEVICE || array->on_device) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "%s: is in host memory, but exec->memory = ARMILLA_MEMORY_DEVICE", name);
}

static cudaError_t ask_device(const void *values, int *there)
{
    struct cudaPointerAttributes attributes;
    const cudaError_t error = cudaPointerGetAttributes(&attributes, values);
    *there = !error && attributes.type == cudaMemoryTypeDevice;
    return error;
}

int armilla_cuda_is_device_array(const void *values)
{
    int there;
    armilla_cuda_forget(ask_device(values, &there));
    return there;
}

armilla_status armilla_cuda_find_device_array(const void *values, int *there)
{
    return armilla_cuda_status(ask_device(values, there), "asking where an array is");
}

/* numbers: of a component, 0: nothing is copied of arrays of no numbers. */
static armilla_status find_array(const armilla_cuda_run *r, const char *name, int64_t numbers,
                                 armilla_array values, armilla_cuda_array *array)
{
    *array = (armilla_cuda_array){.values = values, .on_device = 1};
    if (!numbers || !values.values) return ARMILLA_OK;
    return armilla_cuda_find_place(name, r->call->memory, r->t->object.device, array);
}

static armilla_status find_places(armilla_cuda_run *r)
{
    const armilla_cuda_problem *p = &r->t->problem;
    const armilla_cuda_call *call = r->call;
    const armilla_status status = find_array(r, "alm", p->layout->size, call->alm, &r->alm);
    return status ? status : find_array(r, "map", p->npix, call->map, &r->map);
}

static armilla_status check_capture(const armilla_cuda_run *r)
{
    const armilla_cuda_captured captured = {
        .stream = r->work.stream,
        .device = r->t->object.device,
        .host = !r->alm.on_device   ? "alm"
                : !r->map.on_device ? "map"
                                    : NULL,
        .waits = r->over_ranks
                     ? "exec->stream: transforms over ranks cannot be captured, as ranks wait"
                     : NULL,
        .tells_progress = r->call->progress != NULL,
        .takes_memory = 1};
    return armilla_cuda_check_capture(&captured);
}

/* --- Memory ---------------------------------------------------------------------------------- */

/* How the components of an array lie on the host. numbers: real ones of a component. */
static void set_copied(const armilla_cuda_run *r, int64_t numbers, int64_t distance, int64_t ncomp,
                       armilla_cuda_array *array)
{
    const int64_t item = armilla_array_item_size(array->values);
    armilla_cuda_copied *copied = &array->copied;
    copied->size = item * numbers, copied->distance = item * distance;
    copied->ncomp = ncomp, copied->step = r->call->step ? r->call->step : ncomp;
}

/* Transforms on the host go by batches of some MB, or of four transforms, so that copies of one go
 * beside kernels of another. */
static void cut_host_batches(armilla_cuda_run *r)
{
    enum { LEAST = 4 };
    const int64_t usual = INT64_C(64) << 20;
    const int64_t alm = r->alm.on_device ? 0 : r->alm.copied.size * r->alm.copied.ncomp;
    const int64_t map = r->map.on_device ? 0 : r->map.copied.size * r->map.copied.ncomp;
    if (r->over_ranks || alm + map == 0) return;
    r->batch = armilla_smaller(r->batch, armilla_larger(LEAST, usual / (alm + map)));
    const int64_t batches = (r->call->ntrans + r->batch - 1) / r->batch;
    r->batch = (r->call->ntrans + batches - 1) / batches;
}

/* Bytes of a copy of a batch; 0: there is none. */
static void set_copy_bytes(const armilla_cuda_run *r, armilla_cuda_array *array)
{
    const armilla_cuda_copied *copied = &array->copied;
    if (!array->on_device)
        array->bytes = armilla_cuda_round_part(r->batch * copied->ncomp * copied->size);
}

static void set_copies(armilla_cuda_run *r)
{
    const armilla_cuda_problem *p = &r->t->problem;
    set_copied(r, 2 * p->layout->size, 2 * r->call->alm_distance, p->nalm, &r->alm);
    set_copied(r, p->npix, r->call->map_distance, p->nmap, &r->map);
    cut_host_batches(r);
    set_copy_bytes(r, &r->alm);
    set_copy_bytes(r, &r->map);
}

/* Copies of a batch, while kernels have that of another. */
static int64_t count_slots(const armilla_cuda_run *r)
{
    return r->beside && r->batch < r->call->ntrans ? 2 : 1;
}

/* The parts of a call's memory. Returns their bytes. */
static int64_t set_sizes(armilla_cuda_run *r)
{
    const armilla_cuda_problem *p = &r->t->problem;
    const armilla_cuda_call *call = r->call;
    const int64_t nsets = p->nmap * r->batch;
    if (!r->over_ranks) r->leg_bytes = 8 * r->flow->problem.passes->size * nsets;
    r->leg_bytes = armilla_cuda_round_part(r->leg_bytes);
    r->scratch_bytes = armilla_cuda_round_part(
        armilla_cuda_flow_scratch(r->flow, nsets, call->to_map, r->t->most));
    if (!call->to_map && call->alm.is_float && r->flow->problem.passes->count > 1)
        r->sums_bytes = armilla_cuda_round_part(16 * r->batch * p->nalm * p->alm_numbers);
    return r->leg_bytes + r->scratch_bytes + r->sums_bytes +
           count_slots(r) * (r->alm.bytes + r->map.bytes);
}

static armilla_status take_memory(armilla_cuda_run *r, int64_t bytes)
{
    return armilla_cuda_pool_obtain(r->t->object.device, bytes, r->work.stream, "a transform", 1,
                                    &r->memory);
}

/* Legs, scratch, sums, copies. */
static void cut_memory(armilla_cuda_run *r)
{
    char *scratch = r->memory + r->leg_bytes, *sums = scratch + r->scratch_bytes;
    char *copies = sums + r->sums_bytes;
    r->leg = (double *)(void *)r->memory;
    r->work.scratch = scratch, r->work.scratch_bytes = r->scratch_bytes;
    r->sums = r->sums_bytes ? (double *)(void *)sums : NULL;
    for (int slot = 0; slot < 2; slot++) {
        r->alm.copy[slot] = copies, r->map.copy[slot] = copies + r->alm.bytes;
        if (slot + 1 < count_slots(r)) copies += r->alm.bytes + r->map.bytes;
    }
}

armilla_status armilla_cuda_run_open(armilla_cuda_run *r)
{
    armilla_status status = find_places(r);
    if (status || (status = check_capture(r))) return status;
    set_copies(r);
    if (!r->over_ranks)
        r->beside =
            armilla_cuda_copier_take(r->t->copier, armilla_larger(r->alm.bytes, r->map.bytes));
    const int64_t bytes = set_sizes(r);
    status = take_memory(r, armilla_larger(bytes, ARMILLA_CUDA_ALIGNMENT));
    if (status && r->beside) armilla_cuda_copier_leave(r->t->copier);
    if (status) return status;
    cut_memory(r);
    if (r->beside) armilla_cuda_copier_begin(r->t->copier, &r->work); /* memory comes first */
    return ARMILLA_OK;
}

/* --- One batch of transforms ------------------------------------------------------------------ */

/* Has the array of the caller places that the call must leave as they are? Those between components
 * are never copied. */
static int alm_has_gaps(const armilla_cuda_run *r)
{
    return r->t->problem.layout->size != r->t->problem.alm_numbers;
}

static int map_has_gaps(const armilla_cuda_run *r)
{
    return r->t->problem.npix != r->t->problem.samples;
}

static armilla_cuda_copier *copier_of(const armilla_cuda_run *r)
{
    return r->beside ? r->t->copier : NULL;
}

/* The slot of the batch that comes; with one slot, 0. */
static int slot_of(const armilla_cuda_run *r, int64_t batch)
{
    return (int)(batch % count_slots(r));
}

/* What the caller has on the host is copied to the device where it is read, or where the result
 * leaves some of it as it is. */
static void bring(armilla_cuda_run *r, armilla_cuda_array *array, int needed, int64_t count,
                  armilla_array *values)
{
    char *copy = array->copy[slot_of(r, r->done)];
    if (array->on_device) return;
    if (needed)
        armilla_cuda_copy_to_device(copier_of(r), &array->copied, count, copy, values->values,
                                    &r->work);
    values->values = copy;
}

void armilla_cuda_run_begin_batch(void *call, int64_t count, armilla_array *alm, armilla_array *map)
{
    armilla_cuda_run *r = call;
    const int to_map = r->call->to_map;
    armilla_cuda_mark("begin", r->work.stream);
    armilla_cuda_copier_wait(copier_of(r), slot_of(r, r->done), &r->work);
    bring(r, &r->alm, to_map || alm_has_gaps(r), count, alm);
    bring(r, &r->map, !to_map || map_has_gaps(r), count, map);
    armilla_cuda_copier_arrive(copier_of(r), &r->work);
    armilla_cuda_mark("copy to device", r->work.stream);
}

/* Copies the result of a batch back, which waits for that. */
static void take_back(armilla_cuda_run *r, int64_t batch)
{
    armilla_cuda_array *array = r->call->to_map ? &r->map : &r->alm;
    const int slot = slot_of(r, batch);
    if (r->waiting && !array->on_device) {
        armilla_cuda_copier_wait(copier_of(r), slot, &r->work);
        armilla_cuda_copy_to_host(copier_of(r), &array->copied, r->waiting, r->waiting_at,
                                  array->copy[slot], &r->work);
    }
    r->waiting = 0;
}

/* With two slots a result is copied back while the kernels of the next batch run. */
void armilla_cuda_run_end_batch(void *call, int64_t count, armilla_array alm, armilla_array map)
{
    armilla_cuda_run *r = call;
    const int several = count_slots(r) > 1;
    armilla_cuda_copier_computed(copier_of(r), slot_of(r, r->done), &r->work);
    if (several && r->waiting) take_back(r, r->done - 1);
    r->waiting = count, r->waiting_at = r->call->to_map ? map.values : alm.values;
    if (!several) take_back(r, r->done);
    r->done++;
    armilla_cuda_mark("copy to host", r->work.stream);
}

armilla_status armilla_cuda_run_close(armilla_cuda_run *r, int finished)
{
    if (finished && r->waiting) take_back(r, r->done - 1);
    if (r->beside) armilla_cuda_copier_end(r->t->copier, &r->work);
    armilla_cuda_note(&r->work,
                      armilla_cuda_pool_give_back(r->t->object.device, r->memory, r->work.stream));
    if (!r->alm.on_device || !r->map.on_device || r->over_ranks)
        armilla_cuda_note(&r->work, cudaStreamSynchronize(r->work.stream));
    return armilla_cuda_work_status(&r->work, "a transform");
}

/* --- Rows and maps ------------------------------------------------------------------------------
 */

armilla_alm_rows armilla_cuda_run_rows(const armilla_cuda_run *r)
{
    const armilla_cuda_problem *problem = &r->t->problem;
    const armilla_alm_layout *layout = problem->layout;
    armilla_alm_rows rows =
        armilla_alm_rows_of(layout, r->t->mstart, problem->spin, problem->nalm, problem->nmap,
                            r->alm.values, r->call->alm_distance);
    rows.factor = r->t->factor;
    rows.sums = r->sums, rows.sums_size = 2 * problem->alm_numbers;
    rows.sums_as_array = problem->places != NULL;
    rows.step = r->call->step;
    return rows;
}

armilla_ring_maps armilla_cuda_run_maps(const armilla_cuda_run *r)
{
    const int64_t step = r->call->step;
    return (armilla_ring_maps){.values = r->map.values,
                               .distance = r->call->map_distance,
                               .weighted = r->call->weighted && !r->flow->problem.weighted,
                               .together = step ? r->t->problem.nmap : 0,
                               .step = step};
}

/* As kernels read it: components of copies follow each other. */
static armilla_pass pass_there(const armilla_cuda_run *r, const armilla_pass *pass)
{
    armilla_pass here = *pass;
    if (!r->alm.on_device) here.alm.distance = r->t->problem.layout->size, here.alm.step = 0;
    if (!r->map.on_device) here.maps.distance = r->t->problem.npix, here.maps.together = 0;
    return here;
}

void armilla_cuda_run_stage(armilla_cuda_run *r, armilla_stage stage, const armilla_pass *pass,
                            const armilla_leg *leg)
{
    const armilla_pass here = pass_there(r, pass);
    switch (stage) {
    case ARMILLA_ALM_TO_LEG:
        armilla_cuda_flow_alm_to_leg(r->flow, &here.alm, leg, &r->work);
        break;
    case ARMILLA_LEG_TO_MAPS:
        armilla_cuda_flow_leg_to_maps(r->flow, pass->number, leg, &here.maps, &r->work);
        break;
    case ARMILLA_MAPS_TO_LEG:
        armilla_cuda_flow_maps_to_leg(r->flow, pass->number, leg, &here.maps, &r->work);
        break;
    case ARMILLA_LEG_TO_ALM:
        armilla_cuda_flow_leg_to_alm(r->flow, leg, &here.alm, &r->work);
        break;
    }
}
