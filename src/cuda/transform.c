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
#include "executor/executor.h"

/* Sets of a batch: a launch has them in one dimension of its grid, of 16 bits. */
enum { MOST_SETS = 32768 };

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
    if (t->open) armilla_cuda_pool_close(t->object.device);
    armilla_cuda_leave_device(t->object.device, before);
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

/* --- Transforms at once ----------------------------------------------------------------------- */

static int64_t passes_of(const armilla_cuda_flow *flow)
{
    return flow->problem.passes->count;
}

static int64_t leg_bytes(const armilla_cuda_flow *flow, int64_t nsets)
{
    return 8 * flow->problem.passes->size * nsets;
}

/* Has the scratch of so many transforms at once room, as far as that of one has? Stages with a
 * bound take some of the sets after the others; what an order of the Legendre stage needs has none.
 */
static int has_room(const armilla_cuda_transform *t, const armilla_cuda_flow *flow, int to_map,
                    int64_t batch)
{
    const int64_t nsets = t->problem.nmap;
    const int64_t of_one = armilla_cuda_flow_scratch(flow, nsets, to_map, t->most);
    const int64_t of_all = armilla_cuda_flow_scratch(flow, nsets * batch, to_map, t->most);
    return of_all <= armilla_larger(t->most, of_one);
}

/* Batches of one size but for the last one: as few as `most` transforms at once make. Sizes that
 * are multiples of TOGETHER share recurrences to the last set. */
static int64_t even_batches(int64_t ntrans, int64_t most)
{
    enum { TOGETHER = 4 };
    const int64_t batches = (ntrans + most - 1) / most;
    const int64_t even = (ntrans + batches - 1) / batches;
    const int64_t round = (even + TOGETHER - 1) / TOGETHER * TOGETHER;
    return round <= most ? round : even;
}

/* As many as have room. */
static int64_t batch_of(const armilla_cuda_transform *t, int weighted, int to_map, int64_t ntrans)
{
    const armilla_cuda_flow *flow = armilla_cuda_choose_flow(t, weighted);
    const int64_t leg = armilla_larger(1, leg_bytes(flow, t->problem.nmap));
    int64_t batch = armilla_smaller(t->most / leg, MOST_SETS / t->problem.nmap);
    batch = armilla_smaller(batch, ntrans);
    while (batch > 1 && !has_room(t, flow, to_map, batch)) batch /= 2;
    return batch > 1 ? armilla_smaller(ntrans, even_batches(ntrans, batch)) : 1;
}

/* What a call in one direction takes, in parts as set_sizes of call.c has them. */
static armilla_cuda_needs needs_of(const armilla_cuda_transform *t, int weighted, int to_map,
                                   int64_t ntrans)
{
    const armilla_cuda_flow *flow = armilla_cuda_choose_flow(t, weighted);
    const int64_t batch = batch_of(t, weighted, to_map, ntrans);
    const int64_t nsets = batch * t->problem.nmap;
    const int64_t scratch = armilla_cuda_flow_scratch(flow, nsets, to_map, t->most);
    const int64_t leg = armilla_cuda_round_part(leg_bytes(flow, nsets));
    return (armilla_cuda_needs){.bytes = leg + armilla_cuda_round_part(scratch), .batch = batch};
}

armilla_cuda_needs armilla_cuda_transform_needs(const armilla_cuda_transform *t, int64_t ntrans)
{
    armilla_cuda_needs needs = {.batch = ntrans};
    for (int i = 0; i < 4; i++) {
        const armilla_cuda_needs of = needs_of(t, i / 2, i % 2, ntrans);
        needs.bytes = armilla_larger(needs.bytes, of.bytes);
        needs.batch = armilla_smaller(needs.batch, of.batch);
    }
    armilla_cuda_ringfft_methods(t->flow.ringfft, needs.ring_pairs);
    return needs;
}

/* --- Stages ---------------------------------------------------------------------------------- */

/* Has the leg floats? In calls of floats of plans that have them in single precision or in halves,
 * but for those with a theta stage. */
static int has_floats(const armilla_cuda_run *r)
{
    return r->call->map.is_float && r->call->alm.is_float && !r->flow->theta &&
           r->flow->problem.precision.of_floats != ARMILLA_CUDA_IN_DOUBLE;
}

static void run_stage(armilla_cuda_run *r, armilla_stage stage, const armilla_pass *pass)
{
    const armilla_leg leg = {.layout = &r->flow->problem.passes->layouts[pass->number],
                             .nsets = pass->nsets,
                             .values = r->leg,
                             .is_float = has_floats(r)};
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
    const int64_t batches = (exec->ntrans + r->batch - 1) / r->batch;
    armilla_progress_start(&r->frame.progress, exec->progress, exec->progress_data,
                           (double)(batches * passes_of(r->flow)));
    armilla_execution execution = {.backend = &gpu,
                                   .call = r,
                                   .to_map = r->call->to_map,
                                   .ntrans = exec->ntrans,
                                   .batch = r->batch,
                                   .npasses = passes_of(r->flow),
                                   .norder_passes = passes_of(r->flow),
                                   .pass.alm = armilla_cuda_run_rows(r),
                                   .pass.maps = armilla_cuda_run_maps(r)};
    return armilla_execute(&execution);
}

armilla_status armilla_cuda_transform_run(const armilla_cuda_transform *t,
                                          const armilla_cuda_call *call)
{
    armilla_cuda_run r = {.t = t,
                          .flow = armilla_cuda_choose_flow(t, call->weighted),
                          .call = call,
                          .batch = batch_of(t, call->weighted, call->to_map, call->exec.ntrans)};
    const armilla_status status = armilla_cuda_run_open(&r);
    return status ? status : armilla_cuda_frame_close(&r.frame, run_batches(&r));
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

static armilla_status spread(armilla_cuda_transform *t, const armilla_cuda_problem *problem,
                             const int *devices, int64_t ndevices)
{
    return armilla_cuda_devices_new(problem, t, devices, ndevices, &t->all);
}

const armilla_cuda_transform_table armilla_cuda_transform_functions = {
    .make = armilla_cuda_transform_new,
    .spread = spread,
    .needs = needs,
    .batch = batch_of,
    .run = run,
    .leave = leave,
    .time = armilla_cuda_transform_time,
    .tune = armilla_cuda_tune};
