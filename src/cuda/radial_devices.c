/* Keeps the tables of a radial convolution on each GPU of a plan, with a stream there, and gives
 * each of them its share of a call: maps, or rows of output. */
#include "cuda/radial_devices.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/devices.h"
#include "cuda/parts.h"

typedef struct {
    int device;
    armilla_cuda_radial *radial;
    void *stream;
} member;

struct armilla_cuda_radials {
    int64_t count, ncomp;
    member *members;
};

/* --- Plans ------------------------------------------------------------------------------------ */

/* A plan on one GPU has the streams of its callers. */
static armilla_status make_member(const armilla_cuda_radial_problem *problem,
                                  const armilla_cuda_radials *scalars, int64_t i,
                                  armilla_cuda_radials *radials)
{
    member *m = &radials->members[i];
    armilla_cuda_radial_problem there = *problem;
    int before;
    if (scalars) there.scalar = scalars->members[i].radial;
    armilla_status status = armilla_cuda_enter_device(m->device, &before);
    if (!status) {
        status = armilla_cuda_radial_new(&there, &m->radial);
        armilla_cuda_leave_device(m->device, before);
    }
    if (radials->count == 1) return status;
    if (!status) status = armilla_cuda_stream_new(m->device, &m->stream);
    return armilla_cuda_name_device(m->device, status);
}

armilla_status armilla_cuda_radials_new(const armilla_cuda_radial_problem *problem,
                                        const armilla_cuda_radials *scalars, const int *devices,
                                        int64_t ndevices, armilla_cuda_radials **radials)
{
    armilla_cuda_radials *r;
    armilla_status status = armilla_allocate_zero(&r, 1, sizeof *r);
    if (status) return status;
    if (!(status = armilla_allocate_zero(&r->members, ndevices, sizeof *r->members)))
        r->count = ndevices, r->ncomp = problem->view.ncomp;
    for (int64_t i = 0; i < r->count && !status; i++) {
        r->members[i].device = devices[i];
        status = make_member(problem, scalars, i, r);
    }
    if (status)
        armilla_cuda_radials_free(r);
    else
        *radials = r;
    return status;
}

void armilla_cuda_radials_free(armilla_cuda_radials *radials)
{
    if (!radials) return;
    for (int64_t i = 0; i < radials->count; i++) {
        const member *m = &radials->members[i];
        armilla_cuda_stream_free(m->device, m->stream);
        armilla_cuda_radial_free(m->radial);
    }
    armilla_release(radials->members);
    armilla_release(radials);
}

const armilla_cuda_radial *armilla_cuda_radials_first(const armilla_cuda_radials *radials)
{
    return radials->members[0].radial;
}

/* --- Calls ------------------------------------------------------------------------------------ */

typedef struct {
    const armilla_cuda_radials *radials;
    const armilla_cuda_radial_call *call;
} dealt_call;

/* Maps where all GPUs get some: a GPU that makes some rows of a map needs the whole of it.
 * Returned: has the part anything to do? */
static int take_part(const dealt_call *d, int64_t part, armilla_cuda_radial_call *call)
{
    const int64_t count = d->radials->count, nmaps = call->nmaps;
    int64_t rows[2];
    if (nmaps >= count) {
        const int64_t first = armilla_cuda_deal(nmaps, count, part);
        const int64_t items = first * d->radials->ncomp * call->distance;
        call->nmaps = armilla_cuda_deal(nmaps, count, part + 1) - first;
        call->map = armilla_array_from(call->map, items);
        call->out = armilla_array_from(call->out, items);
        return 1;
    }
    armilla_cuda_radial_part(d->radials->members[part].radial, count, part, rows);
    call->begin = rows[0], call->end = rows[1];
    return rows[0] < rows[1];
}

/* An armilla_cuda_part_fn. */
static armilla_status run_part(void *context, int64_t part, const armilla_cuda_listener *listener)
{
    const dealt_call *d = context;
    const member *m = &d->radials->members[part];
    armilla_cuda_radial_call call = *d->call;
    if (!take_part(d, part, &call)) return ARMILLA_OK;
    call.memory = ARMILLA_MEMORY_HOST, call.stream = m->stream;
    call.progress = listener->progress, call.progress_data = listener->data;
    return armilla_cuda_name_device(m->device, armilla_cuda_radial_run(m->radial, &call));
}

armilla_status armilla_cuda_radials_run(const armilla_cuda_radials *radials,
                                        const armilla_cuda_radial_call *call)
{
    dealt_call d = {radials, call};
    const armilla_cuda_listener listener = {call->progress, call->progress_data};
    if (radials->count == 1) return armilla_cuda_radial_run(radials->members[0].radial, call);
    armilla_status status = armilla_cuda_check_shared_array("map", call->map.values);
    if (status || (status = armilla_cuda_check_shared_array("out", call->out.values)) ||
        (status = armilla_cuda_check_shared_call(call->memory, call->stream)))
        return status;
    return armilla_cuda_run_parts(radials->count, run_part, &d, &listener);
}
