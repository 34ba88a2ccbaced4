/* Holds what a plan has on a GPU and is the executor's backend there: arrays of the host are copied
 * to the device, stages are put on the caller's stream, results are copied back and waited for.
 * Memory of the device comes from the device's pool (device_pool.h), in the stream's own sequence:
 * so calls on several streams never share it, and none of them waits. A stream that is being
 * captured gets the same work; what would wait is refused before any of it. */
#include "cuda/transform.h"

#include "alm/rows.h"
#include "armilla/alm.h"
#include "base/integer.h"
#include "base/memory.h"
#include "base/progress.h"
#include "cuda/device_memory.h"
#include "cuda/device_pool.h"
#include "cuda/flow.h"
#include "cuda/marks.h"
#include "executor/executor.h"

#include <pthread.h>

struct armilla_cuda_transform {
    armilla_cuda_problem problem;
    armilla_cuda_flow flow, weighted_flow;
    int64_t *mstart; /* on the device, like factor */
    double *factor;
    int device;
    int open;                   /* is the device's pool open for it? */
    int64_t most;               /* bytes that a stage's scratch should not exceed */
    pthread_mutex_t *enqueuing; /* plans of cuFFT take one call after the other */
};

/* --- The plan -------------------------------------------------------------------------------- */

static armilla_status upload_layout(armilla_cuda_transform *t)
{
    const armilla_alm_layout *layout = t->problem.layout;
    armilla_status status = armilla_cuda_upload(layout->mstart, layout->mmax + 1, sizeof(int64_t),
                                                "the layout of alm", (void **)&t->mstart);
    if (status || !t->problem.degree_factor) return status;
    return armilla_cuda_upload(t->problem.degree_factor, layout->lmax + 1, sizeof(double),
                               "factors of degrees", (void **)&t->factor);
}

static armilla_status make_parts(armilla_cuda_transform *t)
{
    const armilla_cuda_problem *p = &t->problem;
    armilla_status status = armilla_allocate(&t->enqueuing, 1, sizeof *t->enqueuing);
    if (status) return status;
    pthread_mutex_init(t->enqueuing, NULL); /* holds nothing that had to be destroyed, on Linux */
    if ((status = armilla_cuda_pool_open(t->device))) return status;
    t->open = 1;
    if ((status = upload_layout(t)) ||
        (status = armilla_cuda_flow_make(&p->flow, p->nrings, p->rings, t->most, NULL, &t->flow)) ||
        !p->weighted_flow.legendre)
        return status;
    return armilla_cuda_flow_make(&p->weighted_flow, p->nrings, p->rings, t->most, &t->flow,
                                  &t->weighted_flow);
}

/* Copies from pageable memory may reach the device after the calls that made them, and streams that
 * do not meet the default one (those of other libraries) would not wait for them. */
static armilla_status finish_uploads(void)
{
    return armilla_cuda_status(cudaDeviceSynchronize(), "waiting for a plan's tables");
}

armilla_status armilla_cuda_transform_new(const armilla_cuda_problem *problem,
                                          armilla_cuda_transform **transform)
{
    armilla_cuda_transform *t;
    int device;
    armilla_status status = armilla_cuda_check_device();
    if (status || (status = armilla_cuda_status(cudaGetDevice(&device), "the current device")) ||
        (status = armilla_allocate_zero(&t, 1, sizeof *t)))
        return status;
    t->problem = *problem;
    t->device = device;
    t->most = problem->memory_bytes / 2;
    status = make_parts(t);
    if (!status) status = finish_uploads();
    t->problem.rings = NULL; /* the ring stage has its copy, the theta stage its tables */
    t->flow.problem.theta = t->weighted_flow.problem.theta = NULL;
    if (status)
        armilla_cuda_transform_free(t);
    else
        *transform = t;
    return status;
}

/* Memory and plans of cuFFT are those of the plan's device, whatever the caller's current one is.
 */
void armilla_cuda_transform_free(armilla_cuda_transform *t)
{
    int before;
    if (!t) return;
    /* a device that cannot be had any more has nothing to be freed, but the host's memory has */
    (void)armilla_cuda_enter_device(t->device, &before);
    armilla_cuda_flow_clear(&t->weighted_flow); /* borrows from the other one */
    armilla_cuda_flow_clear(&t->flow);
    armilla_cuda_release(t->mstart);
    armilla_cuda_release(t->factor);
    if (t->open) armilla_cuda_pool_close(t->device);
    armilla_cuda_leave_device(t->device, before);
    armilla_release(t->enqueuing);
    armilla_release(t);
}

/* --- Memory of a call ------------------------------------------------------------------------- */

typedef struct {
    const armilla_cuda_transform *t;
    const armilla_cuda_flow *flow;
    const armilla_cuda_call *call;
    armilla_array alm, map;       /* the caller's, at the device's addresses if they are there */
    int64_t batch;                /* transforms at once */
    int64_t alm_items, map_items; /* of a batch: numbers from the first to the last one */
    int alm_on_device, map_on_device;
    int64_t leg_bytes, sums_bytes, scratch_bytes, alm_bytes, map_bytes; /* of the parts */
    char *memory, *alm_copy, *map_copy; /* copies: of the arrays that are on the host */
    double *leg;
    armilla_cuda_work work;
    armilla_progress progress;
} run;

static const armilla_cuda_flow *choose_flow(const armilla_cuda_transform *t, int weighted)
{
    return weighted && t->weighted_flow.legendre ? &t->weighted_flow : &t->flow;
}

static int64_t passes_of(const armilla_cuda_flow *flow)
{
    return flow->problem.passes->count;
}

static int64_t leg_bytes(const armilla_cuda_flow *flow, int64_t nsets)
{
    return 8 * flow->problem.passes->size * nsets;
}

/* Have leg and scratch of so many transforms at once room, as far as one has? */
static int has_room(const armilla_cuda_transform *t, const armilla_cuda_flow *flow, int to_map,
                    int64_t batch)
{
    const int64_t nsets = t->problem.nmap;
    if (leg_bytes(flow, nsets * batch) > t->most) return 0;
    const int64_t of_one = armilla_cuda_flow_scratch(flow, nsets, to_map, t->most);
    const int64_t of_all = armilla_cuda_flow_scratch(flow, nsets * batch, to_map, t->most);
    return of_all <= armilla_larger(t->most, of_one);
}

/* Transforms at once: as many as have room, so far as kernels take their sets together. */
static int64_t choose_batch(const armilla_cuda_transform *t, const armilla_cuda_flow *flow,
                            const armilla_cuda_call *call)
{
    int64_t batch = armilla_smaller(ARMILLA_CUDA_SETS / t->problem.nmap, call->ntrans);
    while (batch > 1 && !has_room(t, flow, call->to_map, batch)) batch--;
    return armilla_larger(1, batch);
}

/* The parts of a call's memory. Returns their bytes. */
static int64_t set_sizes(run *r)
{
    const armilla_cuda_problem *p = &r->t->problem;
    const armilla_cuda_call *call = r->call;
    const int64_t batch = r->batch;
    r->alm_items = 2 * ((batch * p->nalm - 1) * call->alm_distance + p->layout->size);
    r->map_items = (batch * p->nmap - 1) * call->map_distance + p->npix;
    r->leg_bytes = armilla_cuda_round_part(leg_bytes(r->flow, p->nmap * batch));
    r->scratch_bytes = armilla_cuda_round_part(
        armilla_cuda_flow_scratch(r->flow, p->nmap * batch, call->to_map, r->t->most));
    if (!call->to_map && call->alm.is_float && passes_of(r->flow) > 1)
        r->sums_bytes = armilla_cuda_round_part(16 * batch * p->nalm *
                                                armilla_alm_size(p->layout->lmax, p->layout->mmax));
    if (!r->alm_on_device)
        r->alm_bytes = armilla_cuda_round_part(r->alm_items * armilla_array_item_size(call->alm));
    if (!r->map_on_device)
        r->map_bytes = armilla_cuda_round_part(r->map_items * armilla_array_item_size(call->map));
    return r->leg_bytes + r->scratch_bytes + r->sums_bytes + r->alm_bytes + r->map_bytes;
}

int64_t armilla_cuda_transform_bytes(const armilla_cuda_transform *t)
{
    const armilla_alm_layout *layout = t->problem.layout;
    const int64_t bytes =
        armilla_cuda_flow_bytes(&t->flow) +
        (t->weighted_flow.legendre ? armilla_cuda_flow_bytes(&t->weighted_flow) : 0);
    return bytes + 8 * (layout->mmax + 1) + (t->factor ? 8 * (layout->lmax + 1) : 0);
}

int64_t armilla_cuda_transform_workspace(const armilla_cuda_transform *t)
{
    const int64_t nsets = t->problem.nmap;
    int64_t most = 0;
    for (int weighted = 0; weighted < 2; weighted++)
        for (int to_map = 0; to_map < 2; to_map++) {
            const armilla_cuda_flow *flow = choose_flow(t, weighted);
            const int64_t scratch = armilla_cuda_flow_scratch(flow, nsets, to_map, t->most);
            most = armilla_larger(most, armilla_cuda_round_part(leg_bytes(flow, nsets)) +
                                            armilla_cuda_round_part(scratch));
        }
    return most;
}

/* --- Where arrays are ------------------------------------------------------------------------- */

/* Can the GPU use the array as it is? Then *values becomes its address there, which may be another
 * one for memory that the caller has pinned or registered. Such memory is the host's, unless the
 * caller says that the device is meant. */
static armilla_status find_place(const armilla_cuda_transform *t, const char *name,
                                 armilla_memory memory, void **values, int *on_device)
{
    struct cudaPointerAttributes attributes;
    *on_device = 0;
    if (memory == ARMILLA_MEMORY_HOST) return ARMILLA_OK;
    armilla_status status = armilla_cuda_status(cudaPointerGetAttributes(&attributes, *values),
                                                "asking where an array is");
    if (status) return status;
    const enum cudaMemoryType type = attributes.type;
    if (type == cudaMemoryTypeDevice && attributes.device != t->device)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "%s: is in the memory of GPU %d, but the plan is on GPU %d", name,
                            attributes.device, t->device);
    *on_device =
        type == cudaMemoryTypeDevice || type == cudaMemoryTypeManaged ||
        (type == cudaMemoryTypeHost && memory == ARMILLA_MEMORY_DEVICE && attributes.devicePointer);
    if (*on_device) *values = attributes.devicePointer;
    if (memory != ARMILLA_MEMORY_DEVICE || *on_device) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "%s: is in host memory, but exec->memory = ARMILLA_MEMORY_DEVICE", name);
}

int armilla_cuda_is_device_array(const void *values)
{
    struct cudaPointerAttributes attributes;
    const cudaError_t error = cudaPointerGetAttributes(&attributes, values);
    armilla_cuda_forget(error);
    return !error && attributes.type == cudaMemoryTypeDevice;
}

static armilla_status find_places(run *r)
{
    const armilla_cuda_call *call = r->call;
    r->alm = call->alm, r->map = call->map;
    armilla_status status =
        find_place(r->t, "alm", call->memory, &r->alm.values, &r->alm_on_device);
    return status ? status
                  : find_place(r->t, "map", call->memory, &r->map.values, &r->map_on_device);
}

/* A stream that is being captured runs nothing: a call that must wait for it is refused, while
 * nothing has been put on it. */
static armilla_status check_capture(const run *r)
{
    enum cudaStreamCaptureStatus capture;
    const armilla_status status = armilla_cuda_status(
        cudaStreamIsCapturing(r->work.stream, &capture), "asking whether the stream is captured");
    if (status || capture == cudaStreamCaptureStatusNone) return status;
    const char *reason =
        capture == cudaStreamCaptureStatusInvalidated ? "exec->stream: its capture is broken"
        : !r->alm_on_device ? "alm: host arrays cannot be captured, as a call waits for its result"
        : !r->map_on_device ? "map: host arrays cannot be captured, as a call waits for its result"
        : r->call->progress
            ? "exec->progress: cannot be told of a stream that is captured, and does not run"
        : !armilla_cuda_pool_exists(r->t->device)
            ? "exec->stream: cannot be captured on a GPU without memory pools"
            : NULL;
    return reason ? armilla_fail(ARMILLA_ERROR_UNSUPPORTED, "%s", reason) : ARMILLA_OK;
}

/* --- One batch of transforms ------------------------------------------------------------------ */

static void copy(run *r, void *to, const void *from, int64_t bytes, enum cudaMemcpyKind kind)
{
    armilla_cuda_note(&r->work, cudaMemcpyAsync(to, from, (size_t)bytes, kind, r->work.stream));
}

/* Has the array of the caller places that the call must leave as they are? */
static int alm_has_gaps(const run *r)
{
    const armilla_alm_layout *layout = r->t->problem.layout;
    return layout->size != armilla_alm_size(layout->lmax, layout->mmax) ||
           (r->batch * r->t->problem.nalm > 1 && r->call->alm_distance != layout->size);
}

static int map_has_gaps(const run *r)
{
    const armilla_cuda_problem *p = &r->t->problem;
    return p->npix != p->samples || (r->batch * p->nmap > 1 && r->call->map_distance != p->npix);
}

static int64_t alm_bytes(const run *r, int64_t count)
{
    const armilla_cuda_problem *p = &r->t->problem;
    return 2 * armilla_array_item_size(r->call->alm) *
           ((count * p->nalm - 1) * r->call->alm_distance + p->layout->size);
}

static int64_t map_bytes(const run *r, int64_t count)
{
    const armilla_cuda_problem *p = &r->t->problem;
    return armilla_array_item_size(r->call->map) *
           ((count * p->nmap - 1) * r->call->map_distance + p->npix);
}

/* What the caller has on the host is copied to the device where it is read, or where the result
 * leaves some of it as it is. */
static void begin_batch(void *call, int64_t count, armilla_array *alm, armilla_array *map)
{
    run *r = call;
    const int to_map = r->call->to_map;
    armilla_cuda_mark("begin", r->work.stream);
    if (!r->alm_on_device) {
        if (to_map || alm_has_gaps(r))
            copy(r, r->alm_copy, alm->values, alm_bytes(r, count), cudaMemcpyHostToDevice);
        alm->values = r->alm_copy;
    }
    if (!r->map_on_device) {
        if (!to_map || map_has_gaps(r))
            copy(r, r->map_copy, map->values, map_bytes(r, count), cudaMemcpyHostToDevice);
        map->values = r->map_copy;
    }
    armilla_cuda_mark("copy to device", r->work.stream);
}

static void end_batch(void *call, int64_t count, armilla_array alm, armilla_array map)
{
    run *r = call;
    const int to_map = r->call->to_map;
    if (to_map && !r->map_on_device)
        copy(r, map.values, r->map_copy, map_bytes(r, count), cudaMemcpyDeviceToHost);
    if (!to_map && !r->alm_on_device)
        copy(r, alm.values, r->alm_copy, alm_bytes(r, count), cudaMemcpyDeviceToHost);
    armilla_cuda_mark("copy to host", r->work.stream);
}

/* --- Stages ---------------------------------------------------------------------------------- */

static void alm_to_leg(void *call, const armilla_pass *pass)
{
    run *r = call;
    armilla_cuda_flow_alm_to_leg(r->flow, pass, r->leg, &r->work);
}

static void leg_to_maps(void *call, const armilla_pass *pass)
{
    run *r = call;
    armilla_cuda_flow_leg_to_maps(r->flow, pass, r->leg, &r->work);
}

static void maps_to_leg(void *call, const armilla_pass *pass)
{
    run *r = call;
    armilla_cuda_flow_maps_to_leg(r->flow, pass, r->leg, &r->work);
}

static void leg_to_alm(void *call, const armilla_pass *pass)
{
    run *r = call;
    armilla_cuda_flow_leg_to_alm(r->flow, pass, r->leg, &r->work);
}

/* The caller's progress function hears of what is done, so the device is waited for. */
static armilla_status reached(void *call, int pass_is_over)
{
    run *r = call;
    if (pass_is_over && r->call->progress && !r->work.error) {
        armilla_cuda_note(&r->work, cudaStreamSynchronize(r->work.stream));
        armilla_progress_advance(&r->progress, 1, 0);
    }
    const armilla_status status = armilla_progress_status(&r->progress);
    return status ? status : armilla_cuda_status(r->work.error, "a transform");
}

static const armilla_backend gpu = {.begin_batch = begin_batch,
                                    .end_batch = end_batch,
                                    .alm_to_leg = alm_to_leg,
                                    .leg_to_maps = leg_to_maps,
                                    .maps_to_leg = maps_to_leg,
                                    .leg_to_alm = leg_to_alm,
                                    .reached = reached};

/* --- A call ----------------------------------------------------------------------------------- */

static armilla_alm_rows alm_rows(const run *r, double *sums)
{
    const armilla_cuda_problem *problem = &r->t->problem;
    const armilla_alm_layout *layout = problem->layout;
    return (armilla_alm_rows){.values = r->alm,
                              .distance = r->call->alm_distance,
                              .ncomp = problem->nalm,
                              .nsets = problem->nmap,
                              .lmax = layout->lmax,
                              .stride = layout->stride,
                              .mstart = r->t->mstart,
                              .spin = problem->spin,
                              .factor = r->t->factor,
                              .real = 1,
                              .sums = sums,
                              .sums_size = 2 * armilla_alm_size(layout->lmax, layout->mmax)};
}

/* The parts of the memory: leg, scratch, sums, copies. */
static armilla_status run_batches(run *r)
{
    const armilla_cuda_call *call = r->call;
    char *scratch = r->memory + r->leg_bytes, *sums = scratch + r->scratch_bytes;
    r->leg = (double *)(void *)r->memory;
    r->work.scratch = scratch, r->work.scratch_bytes = r->scratch_bytes;
    r->alm_copy = sums + r->sums_bytes, r->map_copy = r->alm_copy + r->alm_bytes;
    armilla_execution execution = {
        .backend = &gpu,
        .call = r,
        .to_map = call->to_map,
        .ntrans = call->ntrans,
        .batch = r->batch,
        .npasses = passes_of(r->flow),
        .norder_passes = passes_of(r->flow),
        .pass.alm = alm_rows(r, r->sums_bytes ? (double *)(void *)sums : NULL),
        .pass.maps = {r->map, call->map_distance, call->weighted && !r->flow->problem.weighted}};
    return armilla_execute(&execution);
}

static armilla_status take_memory(run *r, int64_t bytes)
{
    void *memory;
    const cudaError_t error = armilla_cuda_pool_take(r->t->device, bytes, r->work.stream, &memory);
    r->memory = memory;
    if (error != cudaErrorMemoryAllocation)
        return armilla_cuda_status(error, "memory for a transform");
    char text[ARMILLA_SIZE_TEXT];
    return armilla_fail(ARMILLA_ERROR_MEMORY,
                        "a transform: %s of device memory are not to be had; set "
                        "options->device_bytes",
                        armilla_size_text((double)bytes, text));
}

static armilla_status run_here(run *r)
{
    armilla_status status = find_places(r);
    if (status || (status = check_capture(r)) || (status = take_memory(r, set_sizes(r))))
        return status;
    pthread_mutex_lock(r->t->enqueuing);
    status = run_batches(r);
    pthread_mutex_unlock(r->t->enqueuing);
    armilla_cuda_note(&r->work,
                      armilla_cuda_pool_give_back(r->t->device, r->memory, r->work.stream));
    if (!r->alm_on_device || !r->map_on_device)
        armilla_cuda_note(&r->work, cudaStreamSynchronize(r->work.stream));
    const armilla_status device = armilla_cuda_status(r->work.error, "a transform");
    return status ? status : device;
}

armilla_status armilla_cuda_transform_run(const armilla_cuda_transform *t,
                                          const armilla_cuda_call *call)
{
    run r = {.t = t,
             .flow = choose_flow(t, call->weighted),
             .call = call,
             .work = {.stream = call->stream}};
    int before;
    r.batch = choose_batch(t, r.flow, call);
    const int64_t batches = (call->ntrans + r.batch - 1) / r.batch;
    armilla_progress_start(&r.progress, call->progress, call->progress_data,
                           (double)(batches * passes_of(r.flow)));
    armilla_status status = armilla_cuda_enter_device(t->device, &before);
    if (status) return status;
    status = run_here(&r);
    armilla_cuda_leave_device(t->device, before);
    return status;
}
