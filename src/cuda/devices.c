/* Keeps one transform on each GPU of a plan, with a stream there, and gives each of them its share
 * of a call's transforms, which are arrays of the host. */
#include "cuda/devices.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/call.h"
#include "cuda/device_memory.h"
#include "cuda/parts.h"

#include <stdio.h>

/* --- What is asked for ------------------------------------------------------------------------ */

armilla_status armilla_cuda_check_devices(const int *devices, int64_t ndevices)
{
    int count;
    const armilla_status status = armilla_cuda_count_devices(&count);
    if (status) return status;
    for (int64_t i = 0; i < ndevices; i++)
        if (devices[i] >= count)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "options->devices[%lld] = %d: the process sees %d GPUs",
                                (long long)i, devices[i], count);
    return ARMILLA_OK;
}

armilla_status armilla_cuda_name_device(int device, armilla_status status)
{
    enum { MESSAGE_SIZE = 512 };
    char message[MESSAGE_SIZE];
    if (!status || status == ARMILLA_ERROR_ARGUMENT || status == ARMILLA_ERROR_CANCELLED)
        return status;
    snprintf(message, sizeof message, "%s", armilla_status_message());
    return armilla_fail(status, "GPU %d: %s", device, message);
}

armilla_status armilla_cuda_check_shared_array(const char *name, const void *values)
{
    if (!armilla_cuda_is_device_array(values)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "%s: is in the memory of a GPU; a plan on several GPUs "
                        "(options->devices) takes arrays of the host",
                        name);
}

armilla_status armilla_cuda_check_shared_call(armilla_memory memory, const void *stream)
{
    if (memory == ARMILLA_MEMORY_DEVICE)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "exec->memory = ARMILLA_MEMORY_DEVICE: a plan on several GPUs "
                            "(options->devices) takes arrays of the host");
    if (stream)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "exec->stream: must be NULL for a plan on several GPUs "
                            "(options->devices), which has a stream on each of them");
    return ARMILLA_OK;
}

/* --- Streams ---------------------------------------------------------------------------------- */

armilla_status armilla_cuda_stream_new(int device, void **stream)
{
    int before;
    cudaStream_t made = NULL;
    *stream = NULL;
    armilla_status status = armilla_cuda_enter_device(device, &before);
    if (status) return status;
    status = armilla_cuda_status(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking),
                                 "a stream of a plan");
    armilla_cuda_leave_device(device, before);
    if (!status) *stream = made;
    return status;
}

void armilla_cuda_stream_free(int device, void *stream)
{
    int before;
    if (!stream) return;
    armilla_cuda_enter_to_free(device, &before);
    armilla_cuda_forget(cudaStreamDestroy(stream));
    armilla_cuda_leave_device(device, before);
}

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

/* The device is current. */
static armilla_status make_there(const armilla_cuda_problem *problem, member *m)
{
    if (m->transform) return ARMILLA_OK;
    armilla_status status = armilla_cuda_check_shape(problem->flow.shape);
    if (!status) status = armilla_cuda_transform_new(problem, &m->own);
    m->transform = m->own;
    return status;
}

static armilla_status make_member(const armilla_cuda_problem *problem, member *m)
{
    int before;
    armilla_status status = armilla_cuda_enter_device(m->device, &before);
    if (!status) {
        status = make_there(problem, m);
        armilla_cuda_leave_device(m->device, before);
    }
    if (!status) status = armilla_cuda_stream_new(m->device, &m->stream);
    return armilla_cuda_name_device(m->device, status);
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
        status = make_member(problem, m);
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
            armilla_cuda_deal(ntrans, nparts, i + 1) - armilla_cuda_deal(ntrans, nparts, i);
        armilla_cuda_needs of = armilla_cuda_transform_needs(devices->members[i].transform, own);
        of.bytes = armilla_larger(needs.bytes, of.bytes);
        of.batch = armilla_smaller(needs.batch, of.batch);
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

/* An armilla_cuda_part_fn: the transforms that a GPU has of the call. */
static armilla_status run_part(void *context, int64_t part, const armilla_cuda_listener *listener)
{
    const dealt_call *d = context;
    const member *m = &d->devices->members[part];
    const armilla_cuda_problem *p = &m->transform->problem;
    const int64_t first = armilla_cuda_deal(d->call->ntrans, d->nparts, part);
    const int64_t end = armilla_cuda_deal(d->call->ntrans, d->nparts, part + 1);
    armilla_cuda_call call = *d->call;
    const int64_t nalm = call.step ? call.step : p->nalm, nmap = call.step ? call.step : p->nmap;
    call.alm = armilla_array_from(call.alm, 2 * first * nalm * call.alm_distance);
    call.map = armilla_array_from(call.map, first * nmap * call.map_distance);
    call.ntrans = end - first;
    call.memory = ARMILLA_MEMORY_HOST, call.stream = m->stream;
    call.progress = listener->progress, call.progress_data = listener->data;
    return armilla_cuda_name_device(m->device, armilla_cuda_transform_run(m->transform, &call));
}

armilla_status armilla_cuda_devices_run(const armilla_cuda_devices *devices,
                                        const armilla_cuda_call *call)
{
    dealt_call d = {devices, call, armilla_smaller(devices->count, call->ntrans)};
    const armilla_cuda_listener listener = {call->progress, call->progress_data};
    armilla_status status = armilla_cuda_check_shared_array("alm", call->alm.values);
    if (status || (status = armilla_cuda_check_shared_array("map", call->map.values)) ||
        (status = armilla_cuda_check_shared_call(call->memory, call->stream)))
        return status;
    return armilla_cuda_run_parts(d.nparts, run_part, &d, &listener);
}
