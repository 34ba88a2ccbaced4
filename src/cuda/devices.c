/* Keeps one transform on each GPU of a plan, with a stream there, and gives each of them its share
 * of a call's transforms, which are arrays of the host. */
#include "cuda/devices.h"

#include "base/device_list.h"
#include "base/integer.h"
#include "base/memory.h"
#include "cuda/call.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/device_memory.h"
#include "base/parts.h"

#include <stdio.h>

/* --- Plans ------------------------------------------------------------------------------------ */

typedef struct {
    int device;
    const armilla_cuda_transform *transform;
    armilla_cuda_transform *own; /* the same, or NULL: it is another's */
    void *stream;
} member;

struct armilla_cuda_devices {
    int64_t count;
    member *members;
};

/* An armilla_cuda_make_fn. */
static armilla_status make(const void *problem, void *made)
{
    const armilla_cuda_problem *p = problem;
    member *m = made;
    if (m->transform) return ARMILLA_OK;
    armilla_status status = armilla_cuda_check_shape(p->flow.shape);
    if (!status && p->flow.precision.of_floats == ARMILLA_CUDA_IN_HALVES)
        status = armilla_cuda_check_halves();
    if (!status) status = armilla_cuda_transform_new(p, &m->own);
    m->transform = m->own;
    return status;
}

armilla_status armilla_cuda_devices_new(const armilla_cuda_problem *problem,
                                        armilla_cuda_transform *first, const int *devices,
                                        int64_t ndevices, armilla_cuda_devices **made)
{
    armilla_cuda_devices *d;
    armilla_status status = armilla_allocate_zero(&d, 1, sizeof *d);
    if (status) return status;
    if (!(status = armilla_allocate_zero(&d->members, ndevices, sizeof *d->members)))
        d->count = ndevices;
    for (int64_t i = 0; i < d->count && !status; i++) {
        member *m = &d->members[i];
        *m = (member){.device = devices[i], .transform = i ? NULL : first};
        status = armilla_cuda_member_make(m->device, make, problem, m, &m->stream);
        first->object.bytes = armilla_larger(first->object.bytes, armilla_cuda_bytes(m->transform));
    }
    if (status)
        armilla_cuda_devices_free(d);
    else
        *made = d;
    return status;
}

void armilla_cuda_devices_free(armilla_cuda_devices *devices)
{
    if (!devices) return;
    for (int64_t i = 0; i < devices->count; i++) {
        const member *m = &devices->members[i];
        armilla_cuda_stream_free(m->device, m->stream);
        armilla_cuda_free(m->own);
    }
    armilla_release(devices->members);
    armilla_release(devices);
}

/* GPUs may need different work areas of cuFFT. */
armilla_cuda_needs armilla_cuda_devices_needs(const armilla_cuda_devices *devices, int64_t ntrans)
{
    const int64_t nparts = armilla_smaller(devices->count, ntrans);
    armilla_cuda_needs needs = {.batch = ntrans};
    for (int64_t i = 0; i < nparts; i++) {
        const int64_t own =
            armilla_parts_first(ntrans, nparts, i + 1) - armilla_parts_first(ntrans, nparts, i);
        armilla_cuda_needs of = armilla_cuda_transform_needs(devices->members[i].transform, own);
        of.bytes = armilla_larger(needs.bytes, of.bytes);
        of.batch = armilla_smaller(needs.batch, of.batch);
        of.streams = (int)armilla_larger(needs.streams, of.streams);
        needs = of;
    }
    return needs;
}

/* --- Calls ------------------------------------------------------------------------------------ */

typedef struct {
    const armilla_cuda_devices *devices;
    const armilla_cuda_call *call;
    int64_t nparts;
} dealt_call;

/* An armilla_part_fn: the transforms that a GPU has of the call. */
static armilla_status run_part(void *context, int64_t part, const armilla_listener *listener)
{
    const dealt_call *d = context;
    const member *m = &d->devices->members[part];
    const armilla_cuda_problem *p = &m->transform->problem;
    const armilla_exec *exec = &d->call->exec;
    const int64_t first = armilla_parts_first(exec->ntrans, d->nparts, part);
    const int64_t end = armilla_parts_first(exec->ntrans, d->nparts, part + 1);
    armilla_cuda_call call = *d->call;
    const int64_t nalm = call.step ? call.step : p->nalm, nmap = call.step ? call.step : p->nmap;
    call.alm = armilla_array_from(call.alm, 2 * first * nalm * exec->alm_distance);
    call.map = armilla_array_from(call.map, first * nmap * exec->map_distance);
    call.exec = armilla_cuda_member_exec(exec, end - first, m->stream, listener);
    call.room = NULL;
    return armilla_device_name(m->device, armilla_cuda_transform_run(m->transform, &call));
}

armilla_status armilla_cuda_devices_run(const armilla_cuda_devices *devices,
                                        const armilla_cuda_call *call)
{
    const armilla_exec *exec = &call->exec;
    dealt_call d = {devices, call, armilla_smaller(devices->count, exec->ntrans)};
    const armilla_listener listener = {exec->progress, exec->progress_data};
    const armilla_cuda_shared shared = {
        {"alm", "map"}, {call->alm.values, call->map.values}, exec->memory, exec->stream};
    const armilla_status status = armilla_cuda_check_shared(&shared);
    return status ? status : armilla_parts_run(d.nparts, run_part, &d, &listener);
}
