/* Takes the fields of a call through its plans: finds the arrays, copies what is on the host, and
 * takes memory from the device's pool, in the stream's own sequence. */
#include "cuda/map_call.h"

#include "base/integer.h"
#include "base/nested.h"
#include "base/progress.h"
#include "cuda/call.h"
#include "cuda/capture.h"
#include "cuda/device.h"
#include "cuda/device_memory.h"
#include "cuda/device_pool.h"
#include "cuda/kernels/ring_order_kernels.h"
#include "cuda/reached.h"

typedef struct {
    const armilla_cuda_map_call *call;
    armilla_cuda_array map, out;
    char *memory, *map_copy, *out_copy; /* copies: NULL: the array is used as it is */
    char *staged; /* a field of the host in NESTED order; NULL: there is none */
    armilla_cuda_work work;
    armilla_progress progress;
} run;

/* --- Memory ----------------------------------------------------------------------------------- */

static int64_t field_bytes(const armilla_cuda_map_call *call, int64_t item)
{
    return armilla_cuda_round_part(item * call->ncomp * call->npix);
}

int64_t armilla_cuda_map_call_bytes(const armilla_cuda_map_call *call, int on_host, int64_t item)
{
    const int nested = call->nside > 0;
    const int copies = on_host ? 2 + nested : nested ? 2 : call->copies != 0;
    return armilla_cuda_round_part(call->bytes) + copies * field_bytes(call, item);
}

static armilla_status find_arrays(run *r)
{
    const armilla_cuda_map_call *call = r->call;
    r->map.values = call->map, r->out.values = call->out;
    const armilla_status status =
        armilla_cuda_find_place("map", call->memory, call->device, &r->map);
    return status ? status : armilla_cuda_find_place("out", call->memory, call->device, &r->out);
}

static int is_on_host(const run *r)
{
    return !r->map.on_device || !r->out.on_device;
}

static armilla_status check_capture(const run *r)
{
    const armilla_cuda_captured captured = {.stream = r->work.stream,
                                            .device = r->call->device,
                                            .host = !r->map.on_device   ? "map"
                                                    : !r->out.on_device ? "out"
                                                                        : NULL,
                                            .tells_progress = r->call->progress != NULL,
                                            .takes_memory = 1};
    return armilla_cuda_check_capture(&captured);
}

/* Memory of the steps, then copies. */
static armilla_status take_memory(run *r)
{
    const armilla_cuda_map_call *call = r->call;
    const int64_t steps = armilla_cuda_round_part(call->bytes);
    const int nested = call->nside > 0, staged = nested && is_on_host(r);
    const int map_copy = !r->map.on_device || call->copies || nested;
    const int out_copy = !r->out.on_device || nested;
    const int64_t in = map_copy * field_bytes(call, armilla_array_item_size(call->map));
    const int64_t out = out_copy * field_bytes(call, armilla_array_item_size(call->out));
    const int64_t bytes = steps + in + out + staged * armilla_larger(in, out);
    if (!bytes) return ARMILLA_OK;
    const armilla_status status =
        armilla_cuda_pool_obtain(call->device, bytes, r->work.stream, call->what, 0, &r->memory);
    if (status) return status;
    r->work.scratch = r->memory, r->work.scratch_bytes = steps;
    if (map_copy) r->map_copy = r->memory + steps;
    if (out_copy) r->out_copy = r->memory + steps + in;
    if (staged) r->staged = r->memory + steps + in + out;
    return ARMILLA_OK;
}

/* --- Steps ------------------------------------------------------------------------------------ */

static armilla_cuda_copied copied_of(const armilla_cuda_map_call *call, armilla_array array,
                                     int64_t distance)
{
    const int64_t item = armilla_array_item_size(array);
    return (armilla_cuda_copied){.size = item * call->npix,
                                 .distance = item * distance,
                                 .ncomp = call->ncomp,
                                 .step = call->ncomp};
}

/* Between the order of the caller's maps and that of rings. */
static void reorder(run *r, int to_nested, armilla_array from, int64_t from_distance, char *to,
                    int64_t to_distance)
{
    const armilla_scheme scheme = armilla_nested_scheme(r->call->nside);
    const armilla_cuda_reordered maps = {.from = from.values,
                                         .to = to,
                                         .from_distance = from_distance,
                                         .to_distance = to_distance,
                                         .ncomp = r->call->ncomp,
                                         .is_float = from.is_float,
                                         .to_nested = to_nested};
    if (!r->work.error)
        armilla_cuda_note(&r->work, armilla_cuda_reorder(&scheme, &maps, r->work.stream));
}

/* The field that a step reads, once for all plans. */
static void bring(run *r, armilla_cuda_map_step *step)
{
    const armilla_cuda_map_call *call = r->call;
    const armilla_cuda_copied copied = copied_of(call, call->map, call->distance);
    armilla_array from = step->in;
    int64_t distance = call->distance;
    if (r->map.on_device && !call->nside) return;
    step->in.values = r->map_copy, step->in_distance = call->npix;
    if (step->number > 0) return;
    if (!r->map.on_device) {
        char *to = call->nside ? r->staged : r->map_copy;
        armilla_cuda_copy_to_device(NULL, &copied, 1, to, from.values, &r->work);
        from.values = to, distance = call->npix;
    }
    if (call->nside) reorder(r, 0, from, distance, r->map_copy, call->npix);
}

/* Room for the field that a step writes. What is between rings stays as it is: maps in NESTED order
 * have nothing there. */
static void prepare(run *r, armilla_cuda_map_step *step)
{
    const armilla_cuda_map_call *call = r->call;
    const armilla_cuda_copied copied = copied_of(call, call->out, step->out_distance);
    const armilla_array out = step->out;
    if (!r->out_copy) return;
    step->out.values = r->out_copy, step->out_distance = call->npix;
    if (call->npix != call->samples)
        armilla_cuda_copy_to_device(NULL, &copied, 1, r->out_copy, out.values, &r->work);
}

/* From there to where the caller wants it. */
static void take(run *r, armilla_array out, int64_t distance)
{
    const armilla_cuda_map_call *call = r->call;
    const armilla_cuda_copied copied = copied_of(call, call->out, distance);
    const armilla_array made = {r->out_copy, out.is_float};
    const int host = !r->out.on_device;
    char *from = r->out_copy;
    if (!r->out_copy) return;
    if (call->nside) {
        from = host ? r->staged : out.values;
        reorder(r, 1, made, call->npix, from, host ? call->npix : distance);
    }
    if (host) armilla_cuda_copy_to_host(NULL, &copied, 1, out.values, from, &r->work);
}

/* Field number t by plan number `number`. */
static armilla_status run_step(run *r, int64_t t, int64_t number)
{
    const armilla_cuda_map_call *call = r->call;
    const int64_t ncomp = call->ncomp;
    const int64_t distance = call->out_distance ? call->out_distance : call->distance;
    const armilla_array out =
        armilla_array_from(r->out.values, (number * call->ntrans + t) * ncomp * distance);
    armilla_cuda_map_step step = {.in =
                                      armilla_array_from(r->map.values, t * ncomp * call->distance),
                                  .out = out,
                                  .in_distance = call->distance,
                                  .out_distance = distance,
                                  .number = number,
                                  .copy = r->map_copy};
    bring(r, &step);
    prepare(r, &step);
    const armilla_status status = call->run(call->context, &step, &r->work);
    if (!status) take(r, out, distance);
    return status;
}

static armilla_status run_steps(run *r)
{
    const armilla_cuda_map_call *call = r->call;
    const armilla_cuda_listened listened = {&r->progress, &r->work, NULL, call->what};
    armilla_status status = ARMILLA_OK;
    armilla_progress_start(&r->progress, call->progress, call->progress_data,
                           (double)(call->ntrans * call->nplans));
    for (int64_t t = 0; t < call->ntrans; t++)
        for (int64_t number = 0; number < call->nplans && !status; number++) {
            status = run_step(r, t, number);
            if (!status) status = armilla_cuda_reached(&listened, 1);
        }
    return status;
}

static armilla_status run_here(run *r)
{
    armilla_status status = find_arrays(r);
    if (status || (status = check_capture(r)) || (status = take_memory(r))) return status;
    status = run_steps(r);
    if (r->memory)
        armilla_cuda_note(&r->work,
                          armilla_cuda_pool_give_back(r->call->device, r->memory, r->work.stream));
    if (is_on_host(r)) armilla_cuda_note(&r->work, cudaStreamSynchronize(r->work.stream));
    return status ? status : armilla_cuda_work_status(&r->work, r->call->what);
}

armilla_status armilla_cuda_map_call_run(const armilla_cuda_map_call *call)
{
    run r = {.call = call, .work = {.stream = call->stream}};
    int before;
    armilla_status status = armilla_cuda_enter_device(call->device, &before);
    if (status) return status;
    status = run_here(&r);
    armilla_cuda_leave_device(call->device, before);
    return status;
}
