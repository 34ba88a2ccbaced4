/* Makes means over weights on a GPU of a plan's sums, field by field, and looks at weights that are
 * there already. See radial_means.h. */
#include "cuda/radial_means.h"

#include "base/memory.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/kernels/radial_means_kernels.h"
#include "cuda/map_call.h"

#include <math.h>

static const char what[] = "means over weights";

/* --- Sums of weights -------------------------------------------------------------------------- */

typedef struct {
    const armilla_cuda_radial_call *call;
    const armilla_cuda_radial_plan *plan;
    armilla_cuda_array weights;
    int weighed;      /* are the divisors made? */
    const double *at; /* the weights, on the device */
} run;

/* Bytes of one number for each pixel. */
static int64_t map_bytes(const run *r)
{
    return armilla_cuda_round_part(8 * r->plan->npix);
}

/* Where the parts of the memory of a step are. */
typedef struct {
    double *weights, *divisors, *norm, *field;
} parts;

static parts find_parts(const run *r, void *scratch)
{
    char *memory = scratch;
    const int64_t size = map_bytes(r);
    return (parts){(double *)(void *)memory, (double *)(void *)(memory + size),
                   (double *)(void *)(memory + 2 * size), (double *)(void *)(memory + 3 * size)};
}

/* The plan's sums of one field on the device, without divisors; pixels of no ring stay as they are.
 * scalar: of one component, by the kernel that sums weights. */
static armilla_status sum(const run *r, int scalar, const double *in, armilla_array out,
                          int64_t out_distance, const armilla_cuda_work *work)
{
    const armilla_cuda_radial_plan *plan = scalar && r->plan->scalar ? r->plan->scalar : r->plan;
    const armilla_cuda_radial_call call = {.plans = &plan,
                                           .nplans = 1,
                                           .plain = 1,
                                           .scalar = scalar,
                                           .map = armilla_array_of_doubles(in),
                                           .out = out,
                                           .out_distance = out_distance,
                                           .exec = armilla_cuda_inner_exec(r->plan->npix, work)};
    return plan->run(&call);
}

static armilla_status sum_scalar(const run *r, const double *in, double *out,
                                 const armilla_cuda_work *work)
{
    if (work->error) return ARMILLA_OK;
    return sum(r, 1, in, (armilla_array){out, 0}, r->plan->npix, work);
}

static void bring_weights(run *r, double *device, armilla_cuda_work *work)
{
    const int64_t size = 8 * r->plan->npix;
    const armilla_cuda_copied copied = {.size = size, .distance = size, .ncomp = 1, .step = 1};
    r->at = r->weights.values.values;
    if (r->weights.on_device) return;
    armilla_cuda_copy_to_device(NULL, &copied, 1, (char *)device, r->weights.values.values, work);
    r->at = device;
}

/* What means are divided by, of each pixel: NaN on those of no ring, which the sums of ones leave
 * as they were. */
static armilla_status weigh(run *r, const parts *p, armilla_cuda_work *work)
{
    const int64_t npix = r->plan->npix;
    const armilla_cuda_radial_weights *weights = r->call->weights;
    const size_t size = 8 * (size_t)npix;
    armilla_status status = armilla_cuda_find_weights(weights, r->plan->object.device, &r->weights);
    if (status) return status;
    r->weighed = 1;
    bring_weights(r, p->weights, work);
    armilla_cuda_note(work,
                      armilla_cuda_means_weigh(npix, NULL, 1, 0, NULL, p->field, work->stream));
    armilla_cuda_note(work, cudaMemsetAsync(p->norm, 0xff, size, work->stream));
    status = sum_scalar(r, p->field, p->norm, work);
    if (!status) status = sum_scalar(r, r->at, p->divisors, work);
    if (!status && !work->error)
        armilla_cuda_note(work,
                          armilla_cuda_means_join(npix, weights->least, weights->scale, p->norm,
                                                  p->divisors, p->divisors, work->stream));
    return status;
}

/* --- Fields ----------------------------------------------------------------------------------- */

static void multiply(const run *r, const armilla_cuda_map_step *step, double *field,
                     armilla_cuda_work *work)
{
    const int64_t npix = r->plan->npix;
    for (int64_t c = 0; c < r->plan->ncomp; c++)
        armilla_cuda_note(work, armilla_cuda_means_weigh(
                                    npix, r->at, r->call->weights->scale, step->in.is_float,
                                    armilla_array_from(step->in, c * step->in_distance).values,
                                    field + c * npix, work->stream));
}

static void finish(const run *r, const armilla_cuda_map_step *step, const double *divisors,
                   armilla_cuda_work *work)
{
    for (int64_t c = 0; c < r->plan->ncomp && !work->error; c++)
        armilla_cuda_note(
            work, armilla_cuda_means_finish(
                      r->plan->npix, divisors, r->call->weights->fill, step->out.is_float,
                      armilla_array_from(step->out, c * step->out_distance).values, work->stream));
}

static armilla_status run_step(void *context, const armilla_cuda_map_step *step,
                               armilla_cuda_work *work)
{
    run *r = context;
    const parts p = find_parts(r, work->scratch);
    armilla_status status = r->weighed ? ARMILLA_OK : weigh(r, &p, work);
    if (status || work->error) return status;
    multiply(r, step, p.field, work);
    if (work->error || (status = sum(r, 0, p.field, step->out, step->out_distance, work)))
        return status;
    finish(r, step, p.divisors, work);
    return ARMILLA_OK;
}

/* --- Calls ------------------------------------------------------------------------------------ */

static armilla_cuda_map_call map_call_of(run *r)
{
    const armilla_cuda_radial_call *call = r->call;
    const armilla_cuda_radial_plan *plan = r->plan;
    const int64_t field = armilla_cuda_round_part(8 * plan->ncomp * plan->npix);
    return (armilla_cuda_map_call){.map = call->map,
                                   .out = call->out,
                                   .exec = call->exec,
                                   .ncomp = plan->ncomp,
                                   .nplans = 1,
                                   .waits = armilla_cuda_weights_wait,
                                   .device = plan->object.device,
                                   .npix = plan->npix,
                                   .samples = plan->samples,
                                   .bytes = 3 * map_bytes(r) + field,
                                   .what = what,
                                   .run = run_step,
                                   .context = r};
}

armilla_status armilla_cuda_means_run(const armilla_cuda_radial_call *call)
{
    run r = {.call = call, .plan = call->plans[0]};
    const armilla_cuda_map_call field = map_call_of(&r);
    return armilla_cuda_map_call_run(&field);
}

const char armilla_cuda_weights_wait[] =
    "weights: a call with them waits for its result, and cannot be captured";

armilla_status armilla_cuda_find_weights(const armilla_cuda_radial_weights *weights, int device,
                                         armilla_cuda_array *array)
{
    const armilla_memory memory = weights->on_device ? ARMILLA_MEMORY_ASK : ARMILLA_MEMORY_HOST;
    *array = (armilla_cuda_array){.name = "weights",
                                  .values = armilla_array_of_doubles(weights->values)};
    return armilla_cuda_find_place(memory, device, array);
}

/* --- Weights on the device -------------------------------------------------------------------- */

static armilla_status judge(int64_t threads, const armilla_cuda_weights_seen *seen, double *largest)
{
    int64_t wrong = -1;
    *largest = 0;
    for (int64_t i = 0; i < threads; i++) {
        *largest = fmax(*largest, seen[i].largest);
        if (seen[i].wrong >= 0 && (wrong < 0 || seen[i].wrong < wrong)) wrong = seen[i].wrong;
    }
    return wrong < 0
               ? ARMILLA_OK
               : armilla_fail(ARMILLA_ERROR_ARGUMENT,
                              "weights[%lld]: must be 0 or more, and finite", (long long)wrong);
}

/* Every thread looks at some of them. seen: room for what they see, on the host. */
static armilla_status look(armilla_cuda_frame *f, const double *weights, int64_t count,
                           armilla_cuda_weights_seen *seen)
{
    const int64_t bytes = armilla_cuda_weights_threads(count) * (int64_t)sizeof *seen;
    armilla_status status = armilla_cuda_frame_open(f);
    if (status) return status;
    if (!(status = armilla_cuda_frame_take(f, bytes, 0))) {
        void *memory = f->memory;
        cudaStream_t stream = f->work.stream;
        armilla_cuda_note(&f->work, armilla_cuda_weights_look(count, weights, memory, stream));
        if (!f->work.error)
            armilla_cuda_note(&f->work, cudaMemcpyAsync(seen, memory, (size_t)bytes,
                                                        cudaMemcpyDeviceToHost, stream));
    }
    return armilla_cuda_frame_close(f, status);
}

armilla_status armilla_cuda_weights_look_at(int device, const double *weights, int64_t count,
                                            void *stream, double *largest)
{
    const int64_t threads = armilla_cuda_weights_threads(count);
    const armilla_exec exec = {.stream = stream, .memory = ARMILLA_MEMORY_ASK};
    armilla_cuda_frame f = {
        .what = "looking at weights",
        .device = device,
        .exec = &exec,
        .waits =
            "weights: on a GPU they are looked at, for which a call waits: no such call can be "
            "captured",
        .array = {
            armilla_cuda_array_of("weights", armilla_array_of_doubles(weights), 1, count, count)}};
    armilla_cuda_weights_seen *seen;
    armilla_status status = armilla_allocate(&seen, threads, sizeof *seen);
    if (status) return status;
    status = look(&f, weights, count, seen);
    if (!status) status = judge(threads, seen, largest);
    armilla_release(seen);
    return status;
}

armilla_status armilla_cuda_weights_take(int device, const double *weights, int64_t count,
                                         void *stream, double *host)
{
    const armilla_exec exec = {.stream = stream};
    armilla_cuda_frame f = {.what = "copying weights to the host",
                            .device = device,
                            .exec = &exec,
                            .waits = armilla_cuda_weights_wait};
    const armilla_status status = armilla_cuda_frame_open(&f);
    if (status) return status;
    armilla_cuda_note(&f.work, cudaMemcpyAsync(host, weights, 8 * (size_t)count,
                                               cudaMemcpyDeviceToHost, f.work.stream));
    return armilla_cuda_frame_close(&f, ARMILLA_OK);
}
