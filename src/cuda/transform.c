/* Holds what a plan has on a GPU and is the executor's backend there: arrays of the host are copied
 * to the device, stages are put on the caller's stream, results are copied back and waited for
 * (call.h). */
#include "cuda/transform.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/call.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/runtime/device_pool.h"
#include "cuda/devices.h"
#include "cuda/stages/ringfft_layout.h"
#include "executor/executor.h"

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
    if ((status = armilla_allocate_zero(&t->second, 1, sizeof *t->second))) return status;
    if ((status = armilla_cuda_pool_open(t->object.device))) return status;
    t->open = 1;
    if ((status = upload_layout(t)) ||
        (status = armilla_cuda_flow_make(&p->flow, p->rings, p->places, t->most, NULL, &t->flow)) ||
        !p->weighted_flow.legendre)
        return status;
    return armilla_cuda_flow_make(&p->weighted_flow, p->rings, p->places, t->most, &t->flow,
                                  &t->weighted_flow);
}

/* Copies from pageable memory may reach the device after the calls that made them, and streams that
 * do not meet the default one (those of other libraries) would not wait for them. */
static armilla_status finish_uploads(void)
{
    return armilla_cuda_status(cudaDeviceSynchronize(), "waiting for a plan's tables");
}

/* Memory and plans of cuFFT are those of the plan's device, whatever the caller's current one is.
 */
static void free_transform(void *object)
{
    armilla_cuda_transform *t = object;
    int before;
    armilla_cuda_devices_free(t->all); /* borrows this one */
    armilla_cuda_enter_to_free(t->object.device, &before);
    armilla_cuda_flow_clear(&t->weighted_flow); /* borrows from the other one */
    armilla_cuda_flow_clear(&t->flow);
    armilla_cuda_release(t->mstart);
    armilla_cuda_release(t->factor);
    if (t->second) armilla_cuda_second_clear(t->second);
    if (t->open) armilla_cuda_pool_close(t->object.device);
    armilla_cuda_leave_device(t->object.device, before);
    armilla_release(t->second);
    armilla_release(t->enqueuing);
    armilla_release(t);
}

/* Device bytes of a transform whose parts exist. */
static int64_t count_bytes(const armilla_cuda_transform *t)
{
    const armilla_alm_layout *layout = t->problem.layout;
    const int64_t bytes =
        armilla_cuda_flow_bytes(&t->flow) +
        (t->weighted_flow.legendre ? armilla_cuda_flow_bytes(&t->weighted_flow) : 0);
    return bytes + 8 * (layout->mmax + 1) + (t->factor ? 8 * (layout->lmax + 1) : 0);
}

armilla_status armilla_cuda_transform_new(const armilla_cuda_problem *problem,
                                          armilla_cuda_transform **transform)
{
    armilla_cuda_transform *t;
    int device;
    armilla_status status = armilla_cuda_check_devices(NULL, 0);
    if (status || (status = armilla_cuda_status(cudaGetDevice(&device), "the current device")) ||
        (status = armilla_allocate_zero(&t, 1, sizeof *t)))
        return status;
    t->problem = *problem;
    t->object.free = free_transform, t->object.device = device;
    t->most = problem->memory_bytes / 2;
    status = make_parts(t);
    if (!status) status = finish_uploads();
    if (!status) t->object.bytes = count_bytes(t);
    t->problem.rings = NULL; /* the ring stage has its copy, the theta stage its tables */
    t->flow.problem.theta = t->weighted_flow.problem.theta = NULL;
    if (status)
        free_transform(t);
    else
        *transform = t;
    return status;
}

/* --- What a call takes ------------------------------------------------------------------------ */

armilla_cuda_needs armilla_cuda_transform_needs(const armilla_cuda_transform *t, int64_t ntrans)
{
    armilla_cuda_needs needs = {.batch = ntrans};
    const int ways = t->flow.problem.precision.of_floats == ARMILLA_CUDA_IN_DOUBLE ? 4 : 8;
    for (int i = 0; i < ways; i++) {
        const armilla_cuda_way way = {.weighted = i / 2 % 2, .to_map = i % 2, .is_float = i / 4};
        const armilla_cuda_batches batches = armilla_cuda_batches_of(t, &way, ntrans);
        const armilla_cuda_sizes sizes = armilla_cuda_sizes_of(t, &way, &batches);
        needs.bytes =
            armilla_larger(needs.bytes, batches.streams * sizes.leg + sizes.scratch + sizes.rings);
        needs.batch = armilla_smaller(needs.batch, batches.batch);
        needs.streams = (int)armilla_larger(needs.streams, batches.streams);
    }
    _Static_assert((int)ARMILLA_CUDA_RING_METHODS == (int)ARMILLA_CUDA_RING_WAYS, "each is told");
    armilla_cuda_ringfft_methods(t->flow.ringfft, needs.ring_pairs);
    return needs;
}

/* --- Stages ---------------------------------------------------------------------------------- */

static int64_t passes_of(const armilla_cuda_flow *flow)
{
    return flow->problem.passes->count;
}

static void run_stage(armilla_cuda_run *r, armilla_stage stage, const armilla_pass *pass)
{
    const armilla_cuda_way way = armilla_cuda_way_of(r->call);
    const armilla_leg leg = {.layout = &r->flow->problem.passes->layouts[pass->number],
                             .nsets = pass->nsets,
                             .values = armilla_cuda_run_leg(r),
                             .is_float = armilla_cuda_leg_has_floats(r->flow, &way)};
    armilla_cuda_run_stage(r, stage, pass, &leg);
}

static void alm_to_leg(void *call, const armilla_pass *pass)
{
    run_stage(call, ARMILLA_ALM_TO_LEG, pass);
}

static void leg_to_maps(void *call, const armilla_pass *pass)
{
    run_stage(call, ARMILLA_LEG_TO_MAPS, pass);
}

static void maps_to_leg(void *call, const armilla_pass *pass)
{
    run_stage(call, ARMILLA_MAPS_TO_LEG, pass);
}

static void leg_to_alm(void *call, const armilla_pass *pass)
{
    run_stage(call, ARMILLA_LEG_TO_ALM, pass);
}

static armilla_status reached(void *call, int pass_is_over)
{
    armilla_cuda_run *r = call;
    return armilla_cuda_frame_reached(&r->frame, pass_is_over ? 1 : 0);
}

static const armilla_backend gpu = {.begin_batch = armilla_cuda_run_begin_batch,
                                    .end_batch = armilla_cuda_run_end_batch,
                                    .alm_to_leg = alm_to_leg,
                                    .leg_to_maps = leg_to_maps,
                                    .maps_to_leg = maps_to_leg,
                                    .leg_to_alm = leg_to_alm,
                                    .reached = reached};

/* --- A call ----------------------------------------------------------------------------------- */

static armilla_status run_batches(armilla_cuda_run *r)
{
    const armilla_exec *exec = &r->call->exec;
    const int64_t batch = r->batches.batch, batches = (exec->ntrans + batch - 1) / batch;
    armilla_progress_start(&r->frame.progress, exec->progress, exec->progress_data,
                           (double)(batches * passes_of(r->flow)));
    armilla_execution execution = {.backend = &gpu,
                                   .call = r,
                                   .to_map = r->call->to_map,
                                   .ntrans = exec->ntrans,
                                   .batch = batch,
                                   .npasses = passes_of(r->flow),
                                   .norder_passes = passes_of(r->flow),
                                   .pass.alm = armilla_cuda_run_rows(r),
                                   .pass.maps = armilla_cuda_run_maps(r)};
    return armilla_execute(&execution);
}

armilla_status armilla_cuda_transform_run(const armilla_cuda_transform *t,
                                          const armilla_cuda_call *call)
{
    armilla_cuda_run r = {
        .t = t, .flow = armilla_cuda_choose_flow(t, call->weighted), .call = call};
    const armilla_status status = armilla_cuda_run_open(&r);
    return status ? status : armilla_cuda_run_close(&r, run_batches(&r));
}

static armilla_status leave(const armilla_cuda_room *room, void *stream)
{
    const int device = room->next->object.device;
    int before;
    if (!room->memory) return ARMILLA_OK;
    armilla_cuda_enter_to_free(device, &before);
    const cudaError_t error = armilla_cuda_pool_give_back(device, room->memory, stream);
    armilla_cuda_leave_device(device, before);
    return armilla_cuda_status(error, "giving memory back");
}

/* --- On one GPU or several -------------------------------------------------------------------- */

static armilla_status run(const armilla_cuda_transform *t, const armilla_cuda_call *call)
{
    return t->all ? armilla_cuda_devices_run(t->all, call) : armilla_cuda_transform_run(t, call);
}

static armilla_cuda_needs needs(const armilla_cuda_transform *t, int64_t ntrans)
{
    return t->all ? armilla_cuda_devices_needs(t->all, ntrans)
                  : armilla_cuda_transform_needs(t, ntrans);
}

static int64_t batch(const armilla_cuda_transform *t, int weighted, int to_map, int64_t ntrans)
{
    const armilla_cuda_way way = {.weighted = weighted, .to_map = to_map};
    return armilla_cuda_batches_of(t, &way, ntrans).batch;
}

static armilla_status spread(armilla_cuda_transform *t, const armilla_cuda_problem *problem,
                             const int *devices, int64_t ndevices)
{
    return armilla_cuda_devices_new(problem, t, devices, ndevices, &t->all);
}

const armilla_cuda_transform_table armilla_cuda_transform_functions = {
    .make = armilla_cuda_transform_new,
    .spread = spread,
    .needs = needs,
    .batch = batch,
    .run = run,
    .leave = leave,
    .time = armilla_cuda_transform_time,
    .tune = armilla_cuda_tune};
