/* Keeps the tables of a radial convolution on each GPU of a plan, with a stream there, and gives
 * each of them its share of a call: maps, or rows of output. */
#include "cuda/radial_plan.h"

#include "base/device_list.h"
#include "base/integer.h"
#include "base/memory.h"
#include "base/parts.h"
#include "cuda/runtime/device.h"
#include "cuda/radial_mixing.h"
#include "cuda/radial_means.h"
#include "cuda/radial_standard.h"

typedef struct {
    int device;
    const armilla_cuda_radial *scalar; /* of another plan, on this device; or NULL */
    armilla_cuda_radial *radial;
    void *stream; /* NULL: a plan on one GPU has those of its callers */
} member;

typedef struct {
    armilla_cuda_radial_plan plan;
    int64_t count;
    member *members;
} shared_plan;

static const shared_plan *shared_of(const armilla_cuda_radial_plan *plan)
{
    return (const shared_plan *)plan;
}

/* --- Plans ------------------------------------------------------------------------------------ */

/* An armilla_cuda_make_fn. */
static armilla_status make(const void *problem, void *made)
{
    member *m = made;
    return armilla_cuda_radial_new(problem, m->scalar, &m->radial);
}

static void free_plan(void *object)
{
    shared_plan *s = object;
    for (int64_t i = 0; i < s->count; i++) {
        const member *m = &s->members[i];
        armilla_cuda_stream_free(m->device, m->stream);
        armilla_cuda_radial_free(m->radial);
    }
    armilla_release(s->members);
    armilla_release(s);
}

const armilla_cuda_radial *armilla_cuda_radial_first(const armilla_cuda_radial_plan *plan)
{
    return shared_of(plan)->members[0].radial;
}

/* Tables, and bytes of calls, are alike on all GPUs. */
static int64_t call_bytes(const armilla_cuda_radial_plan *const *plans, int64_t nplans, int on_host,
                          int adjoint)
{
    (void)nplans, (void)adjoint;
    return on_host ? armilla_cuda_radial_workspace(armilla_cuda_radial_first(plans[0])) : 0;
}

/* --- Calls ------------------------------------------------------------------------------------ */

typedef struct {
    const shared_plan *plan;
    const armilla_cuda_radial_call *call;
} dealt_call;

/* Maps where all GPUs get some: a GPU that makes some rows of a map needs the whole of it.
 * Returned: has the part anything to do? */
static int take_part(const dealt_call *d, int64_t part, armilla_cuda_radial_call *call)
{
    const int64_t count = d->plan->count, ntrans = call->exec.ntrans;
    int64_t rows[2];
    if (ntrans >= count) {
        const int64_t first = armilla_parts_first(ntrans, count, part);
        const int64_t items = first * d->plan->plan.ncomp * call->exec.map_distance;
        call->exec.ntrans = armilla_parts_first(ntrans, count, part + 1) - first;
        call->map = armilla_array_from(call->map, items);
        call->out = armilla_array_from(call->out, items);
        return 1;
    }
    armilla_cuda_radial_part(d->plan->members[part].radial, count, part, rows);
    call->begin = rows[0], call->end = rows[1];
    return rows[0] < rows[1];
}

/* An armilla_part_fn. */
static armilla_status run_part(void *context, int64_t part, const armilla_listener *listener)
{
    const dealt_call *d = context;
    const member *m = &d->plan->members[part];
    armilla_cuda_radial_call call = *d->call;
    if (!take_part(d, part, &call)) return ARMILLA_OK;
    call.exec = armilla_cuda_member_exec(&call.exec, call.exec.ntrans, m->stream, listener);
    return armilla_device_name(m->device, armilla_cuda_radial_run(m->radial, &call));
}

static armilla_status run(const armilla_cuda_radial_call *call)
{
    const shared_plan *s = shared_of(call->plans[0]);
    dealt_call d = {s, call};
    const armilla_exec *exec = &call->exec;
    const armilla_listener listener = {exec->progress, exec->progress_data};
    if (s->count == 1) return armilla_cuda_radial_run(s->members[0].radial, call);
    const armilla_cuda_shared shared = {
        {"map", "out"}, {call->map.values, call->out.values}, exec->memory, exec->stream};
    const armilla_status status = armilla_cuda_check_shared(&shared);
    return status ? status : armilla_parts_run(s->count, run_part, &d, &listener);
}

/* --- Making ----------------------------------------------------------------------------------- */

static armilla_status new_plan(const armilla_cuda_radial_problem *problem,
                               const armilla_cuda_radial_plan *scalar, const int *devices,
                               int64_t ndevices, armilla_cuda_radial_plan **plan)
{
    shared_plan *s;
    int current;
    armilla_status status = devices ? ARMILLA_OK : armilla_cuda_current_device(&current);
    if (status || (status = armilla_allocate_zero(&s, 1, sizeof *s))) return status;
    if (!devices) devices = &current, ndevices = 1;
    s->plan = (armilla_cuda_radial_plan){.object = {free_plan, devices[0], 0},
                                         .ncomp = problem->view.ncomp,
                                         .npix = problem->npix,
                                         .samples = problem->samples,
                                         .call_bytes = call_bytes,
                                         .run = run};
    if (!(status = armilla_allocate_zero(&s->members, ndevices, sizeof *s->members)))
        s->count = ndevices;
    for (int64_t i = 0; i < s->count && !status; i++) {
        member *m = &s->members[i];
        m->device = devices[i], m->scalar = scalar ? shared_of(scalar)->members[i].radial : NULL;
        status = armilla_cuda_member_make(m->device, make, problem, m,
                                          s->count == 1 ? NULL : &m->stream);
    }
    if (status) {
        free_plan(s);
        return status;
    }
    s->plan.object.bytes = s->members[0].radial->bytes;
    *plan = &s->plan;
    return ARMILLA_OK;
}

const armilla_cuda_radial_table armilla_cuda_radial_functions = {
    .by_pixels = new_plan,
    .by_rings = armilla_cuda_mixing_new,
    .standard = armilla_cuda_standard_new,
    .look_at_weights = armilla_cuda_weights_look_at,
    .take_weights = armilla_cuda_weights_take};
