/* Takes the fields of a call through its plans, one after the other. Kernels see maps in RING
 * order: those in NESTED order have copies of their own, whether they are the host's or the
 * device's. */
#include "cuda/map_call.h"

#include "base/integer.h"
#include "base/nested.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/runtime/frame.h"
#include "cuda/kernels/ring_order_kernels.h"

enum { MAP, OUT }; /* arrays of the frame */

typedef struct {
    const armilla_cuda_map_call *call;
    armilla_cuda_frame frame;  /* its memory: that of the steps, copies of a field on the device,
                                  then those of the host's */
    char *map_copy, *out_copy; /* on the device; NULL: fields are used as they are, or as they come
                                  from the host */
} run;

/* --- Memory ----------------------------------------------------------------------------------- */

static int64_t field_bytes(const armilla_cuda_map_call *call, armilla_array array)
{
    return armilla_cuda_round_part(armilla_array_item_size(array) * call->ncomp * call->npix);
}

int64_t armilla_cuda_map_call_bytes(const armilla_cuda_map_call *call, int on_host)
{
    const int nested = call->nside > 0;
    const int copies = on_host ? 2 + nested : nested ? 2 : call->copies != 0;
    const armilla_array doubles = {NULL, 0};
    return armilla_cuda_round_part(call->bytes) + copies * field_bytes(call, doubles);
}

static int64_t out_distance(const armilla_cuda_map_call *call)
{
    return call->out_distance ? call->out_distance : call->exec.map_distance;
}

/* What is between rings stays as it is: maps in NESTED order have nothing there. */
static void set_arrays(run *r)
{
    const armilla_cuda_map_call *call = r->call;
    armilla_cuda_array *map = &r->frame.array[MAP], *out = &r->frame.array[OUT];
    *map =
        armilla_cuda_array_of("map", call->map, call->ncomp, call->npix, call->exec.map_distance);
    *out = armilla_cuda_array_of("out", call->out, call->ncomp, call->npix, out_distance(call));
    out->comes = call->npix != call->samples, out->goes = 1;
    r->frame.share_copy = call->nside > 0;
}

static armilla_status take_parts(run *r)
{
    const armilla_cuda_map_call *call = r->call;
    const int nested = call->nside > 0;
    const int64_t steps = armilla_cuda_round_part(call->bytes);
    const int64_t in = nested || (call->copies && r->frame.array[MAP].on_device)
                           ? field_bytes(call, call->map)
                           : 0;
    const int64_t out = nested ? field_bytes(call, call->out) : 0;
    armilla_cuda_frame_plan(&r->frame, 1, 1);
    const armilla_status status = armilla_cuda_frame_take(&r->frame, steps + in + out, 0);
    if (status) return status;
    r->frame.work.scratch = r->frame.memory, r->frame.work.scratch_bytes = steps;
    if (in) r->map_copy = r->frame.memory + steps;
    if (out) r->out_copy = r->frame.memory + steps + in;
    return ARMILLA_OK;
}

/* --- Steps ------------------------------------------------------------------------------------ */

/* A field, and the distance of its components. */
typedef struct {
    armilla_array values;
    int64_t distance;
} field;

/* Between the order of the caller's maps and that of rings. */
static void reorder(run *r, int to_nested, field from, field to)
{
    armilla_cuda_work *work = &r->frame.work;
    const armilla_scheme scheme = armilla_nested_scheme(r->call->nside);
    const armilla_cuda_reordered maps = {.from = from.values.values,
                                         .to = to.values.values,
                                         .from_distance = from.distance,
                                         .to_distance = to.distance,
                                         .ncomp = r->call->ncomp,
                                         .is_float = from.values.is_float,
                                         .to_nested = to_nested};
    if (!work->error) armilla_cuda_note(work, armilla_cuda_reorder(&scheme, &maps, work->stream));
}

/* Where an array of the frame is on the device. */
static field find_field(const run *r, int array, armilla_array here, int64_t distance)
{
    return (field){here, r->frame.array[array].on_device ? distance : r->call->npix};
}

/* Field number t by plan number `number`. What a step reads comes once for all plans. */
static armilla_status run_step(run *r, int64_t t, int64_t number)
{
    const armilla_cuda_map_call *call = r->call;
    const armilla_exec *exec = &call->exec;
    armilla_cuda_frame *f = &r->frame;
    const int64_t ncomp = call->ncomp, out_at = (number * exec->ntrans + t) * ncomp;
    armilla_array here[ARMILLA_CUDA_ARRAYS] = {
        armilla_array_from(f->array[MAP].values, t * ncomp * exec->map_distance),
        armilla_array_from(f->array[OUT].values, out_at * out_distance(call))};
    f->array[MAP].comes = number == 0;
    armilla_cuda_frame_begin(f, 1, here);
    const field map = find_field(r, MAP, here[MAP], exec->map_distance);
    const field out = find_field(r, OUT, here[OUT], out_distance(call));
    const field ring_map = {{r->map_copy, map.values.is_float}, call->npix};
    const field ring_out = {{r->out_copy, out.values.is_float}, call->npix};
    char *copy = f->array[MAP].on_device || r->map_copy ? r->map_copy : f->array[MAP].copy[0];
    const field read = call->nside ? ring_map : map, written = call->nside ? ring_out : out;
    const armilla_cuda_map_step step = {.in = read.values,
                                        .out = written.values,
                                        .in_distance = read.distance,
                                        .out_distance = written.distance,
                                        .number = number,
                                        .copy = copy};
    if (call->nside && number == 0) reorder(r, 0, map, ring_map);
    const armilla_status status = call->run(call->context, &step, &f->work);
    if (status) return status;
    if (call->nside) reorder(r, 1, ring_out, out);
    armilla_cuda_frame_end(f, 1);
    return armilla_cuda_frame_reached(f, 1);
}

static armilla_status run_steps(run *r)
{
    const armilla_cuda_map_call *call = r->call;
    const armilla_exec *exec = &call->exec;
    armilla_status status = take_parts(r);
    armilla_progress_start(&r->frame.progress, exec->progress, exec->progress_data,
                           (double)(exec->ntrans * call->nplans));
    for (int64_t t = 0; t < exec->ntrans; t++)
        for (int64_t number = 0; number < call->nplans && !status; number++)
            status = run_step(r, t, number);
    return status;
}

armilla_status armilla_cuda_map_call_run(const armilla_cuda_map_call *call)
{
    run r = {
        .call = call,
        .frame = {
            .what = call->what, .device = call->device, .exec = &call->exec, .waits = call->waits}};
    set_arrays(&r);
    const armilla_status status = armilla_cuda_frame_open(&r.frame);
    return status ? status : armilla_cuda_frame_close(&r.frame, run_steps(&r));
}
