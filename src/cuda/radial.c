/* Keeps the tables of a radial convolution on a GPU, and runs calls: maps of the device where they
 * are, in one launch for each kind of rows; maps of the host one after the other through memory of
 * the device's pool. Nothing else is taken from the device by a call. */
#include "cuda/radial.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/call.h"
#include "cuda/device_memory.h"
#include "cuda/device_pool.h"
#include "cuda/kernels/radial_kernels.h"
#include "cuda/transform.h"

enum { MOST_MAPS = 65535 /* of a launch */ };

struct armilla_cuda_radial {
    armilla_cuda_radial_view view; /* on the device */
    int64_t bytes, npix, samples;
    int device, open;
};

/* --- Plans ------------------------------------------------------------------------------------ */

/* Replaces an array of the host by a copy on the device. */
static armilla_status upload(armilla_cuda_radial *r, const void *host, int64_t count, size_t size,
                             const void *at)
{
    void *device = NULL;
    const armilla_status status =
        armilla_cuda_upload(host, count, size, "tables of a radial convolution", &device);
    *(const void **)(uintptr_t)at = device;
    r->bytes += status ? 0 : count * (int64_t)size;
    return status;
}

static armilla_status upload_tables(armilla_cuda_radial *r,
                                    const armilla_cuda_radial_problem *problem)
{
    const armilla_cuda_radial_view *from = &problem->view;
    armilla_cuda_radial_view *to = &r->view;
    const int64_t ntiles = from->nuniform + from->nother;
    armilla_status status;
    if ((status = upload(r, from->rows, problem->nrows, sizeof *from->rows, &to->rows)) ||
        (status = upload(r, from->links, problem->nlinks, sizeof *from->links, &to->links)) ||
        (status = upload(r, from->tiles, ntiles, sizeof *from->tiles, &to->tiles)) ||
        (status = upload(r, from->values, problem->nvalues, sizeof(double), &to->values)) ||
        (status = upload(r, from->divisor, problem->ndivisors, sizeof(double), &to->divisor)) ||
        (status = upload(r, from->term, problem->nterms, sizeof(double), &to->term)) ||
        (status = upload(r, from->coef, problem->ncoef, sizeof(double), &to->coef)) ||
        (status = upload(r, from->border, from->ncells, sizeof(double), &to->border)))
        return status;
    return armilla_cuda_status(cudaDeviceSynchronize(), "waiting for a radial plan's tables");
}

armilla_status armilla_cuda_radial_new(const armilla_cuda_radial_problem *problem,
                                       armilla_cuda_radial **radial)
{
    armilla_cuda_radial *r;
    armilla_status status = armilla_allocate_zero(&r, 1, sizeof *r);
    if (status) return status;
    r->view = problem->view;
    r->view.rows = NULL, r->view.links = NULL, r->view.tiles = NULL, r->view.values = NULL;
    r->view.divisor = NULL, r->view.term = NULL, r->view.coef = NULL, r->view.border = NULL;
    r->npix = problem->npix, r->samples = problem->samples;
    if (!(status = armilla_cuda_current_device(&r->device)) &&
        !(status = armilla_cuda_pool_open(r->device))) {
        r->open = 1;
        status = upload_tables(r, problem);
    }
    if (status)
        armilla_cuda_radial_free(r);
    else
        *radial = r;
    return status;
}

static void release(const void *device)
{
    armilla_cuda_release((void *)(uintptr_t)device);
}

void armilla_cuda_radial_free(armilla_cuda_radial *radial)
{
    int before;
    if (!radial) return;
    const armilla_cuda_radial_view *view = &radial->view;
    (void)armilla_cuda_enter_device(radial->device, &before);
    release(view->rows), release(view->links), release(view->tiles), release(view->values);
    release(view->divisor), release(view->term), release(view->coef), release(view->border);
    if (radial->open) armilla_cuda_pool_close(radial->device);
    armilla_cuda_leave_device(radial->device, before);
    armilla_release(radial);
}

int64_t armilla_cuda_radial_bytes(const armilla_cuda_radial *radial)
{
    return radial->bytes;
}

static int64_t copy_bytes(const armilla_cuda_radial *radial)
{
    return armilla_cuda_round_part(8 * radial->npix);
}

int64_t armilla_cuda_radial_workspace(const armilla_cuda_radial *radial)
{
    return 2 * copy_bytes(radial);
}

/* --- Calls ------------------------------------------------------------------------------------ */

typedef struct {
    const armilla_cuda_radial *radial;
    const armilla_cuda_radial_call *call;
    armilla_cuda_array map, out;
    char *memory; /* of maps on the host: what is read, what is written */
    armilla_cuda_work work;
    armilla_progress progress;
} run;

static armilla_status find_arrays(run *r)
{
    const armilla_cuda_radial_call *call = r->call;
    const int device = r->radial->device;
    r->map.values = armilla_array_of_doubles(call->map);
    r->out.values = (armilla_array){call->out, 0};
    const armilla_status status = armilla_cuda_find_place("map", call->memory, device, &r->map);
    return status ? status : armilla_cuda_find_place("out", call->memory, device, &r->out);
}

static int is_on_host(const run *r)
{
    return !r->map.on_device || !r->out.on_device;
}

/* A stream that is being captured runs nothing: a call that must wait for it is refused. */
static armilla_status check_capture(const run *r)
{
    enum cudaStreamCaptureStatus capture;
    const armilla_status status = armilla_cuda_status(
        cudaStreamIsCapturing(r->work.stream, &capture), "asking whether the stream is captured");
    if (status || capture == cudaStreamCaptureStatusNone) return status;
    const char *reason =
        !r->map.on_device   ? "map: host arrays cannot be captured, as a call waits for its result"
        : !r->out.on_device ? "out: host arrays cannot be captured, as a call waits for its result"
        : r->call->progress
            ? "exec->progress: cannot be told of a stream that is captured, and does not run"
            : NULL;
    return reason ? armilla_fail(ARMILLA_ERROR_UNSUPPORTED, "%s", reason) : ARMILLA_OK;
}

static armilla_status take_memory(run *r)
{
    void *memory = NULL;
    if (!is_on_host(r)) return ARMILLA_OK;
    const int64_t bytes = armilla_cuda_radial_workspace(r->radial);
    const cudaError_t error =
        armilla_cuda_pool_take(r->radial->device, bytes, r->work.stream, &memory);
    r->memory = memory;
    if (error != cudaErrorMemoryAllocation)
        return armilla_cuda_status(error, "memory for a radial convolution");
    char text[ARMILLA_SIZE_TEXT];
    return armilla_fail(ARMILLA_ERROR_MEMORY,
                        "a radial convolution: %s of device memory are not to be had",
                        armilla_size_text((double)bytes, text));
}

/* `count` maps from number `first` on; where one is on the host it is one map. */
static void run_maps(run *r, int64_t first, int64_t count)
{
    const armilla_cuda_radial *radial = r->radial;
    const int64_t place = first * r->call->distance, bytes = 8 * radial->npix;
    const armilla_cuda_copied copied = {.size = bytes, .distance = bytes, .ncomp = 1, .step = 1};
    double *in = (double *)r->map.values.values + place;
    double *out = (double *)r->out.values.values + place;
    char *in_copy = r->memory, *out_copy = r->memory + copy_bytes(radial);
    armilla_cuda_radial_maps maps = {in, out, r->call->distance, count, r->call->adjoint};
    if (!r->map.on_device) {
        armilla_cuda_copy_to_device(NULL, &copied, 1, in_copy, (const char *)in, &r->work);
        maps.in = (const double *)(const void *)in_copy;
    }
    if (!r->out.on_device) {
        maps.out = (double *)(void *)out_copy;
        if (radial->npix != radial->samples) /* what is between rings stays as it is */
            armilla_cuda_copy_to_device(NULL, &copied, 1, out_copy, (const char *)out, &r->work);
    }
    if (!r->work.error)
        armilla_cuda_note(&r->work,
                          armilla_cuda_radial_gather(&radial->view, &maps, r->work.stream));
    if (!r->out.on_device)
        armilla_cuda_copy_to_host(NULL, &copied, 1, (char *)out, out_copy, &r->work);
}

/* The caller's progress function hears of what is done, so the device is waited for. */
static armilla_status reached(run *r, int64_t count)
{
    if (r->call->progress && !r->work.error) {
        armilla_cuda_note(&r->work, cudaStreamSynchronize(r->work.stream));
        armilla_progress_advance(&r->progress, count, 0);
    }
    const armilla_status status = armilla_progress_status(&r->progress);
    return status ? status : armilla_cuda_status(r->work.error, "a radial convolution");
}

static armilla_status run_all(run *r)
{
    const int64_t nmaps = r->call->nmaps;
    const int64_t most = is_on_host(r) || r->call->progress ? 1 : MOST_MAPS;
    armilla_status status = ARMILLA_OK;
    armilla_progress_start(&r->progress, r->call->progress, r->call->progress_data, (double)nmaps);
    for (int64_t first = 0; first < nmaps && !status; first += most) {
        const int64_t count = armilla_smaller(most, nmaps - first);
        run_maps(r, first, count);
        status = reached(r, count);
    }
    return status;
}

static armilla_status run_here(run *r)
{
    armilla_status status = find_arrays(r);
    if (status || (status = check_capture(r)) || (status = take_memory(r))) return status;
    status = run_all(r);
    if (!is_on_host(r)) return status;
    armilla_cuda_note(&r->work,
                      armilla_cuda_pool_give_back(r->radial->device, r->memory, r->work.stream));
    armilla_cuda_note(&r->work, cudaStreamSynchronize(r->work.stream));
    const armilla_status device = armilla_cuda_status(r->work.error, "a radial convolution");
    return status ? status : device;
}

armilla_status armilla_cuda_radial_run(const armilla_cuda_radial *radial,
                                       const armilla_cuda_radial_call *call)
{
    run r = {.radial = radial, .call = call, .work = {.stream = call->stream}};
    int before;
    armilla_status status = armilla_cuda_enter_device(radial->device, &before);
    if (status) return status;
    status = run_here(&r);
    armilla_cuda_leave_device(radial->device, before);
    return status;
}
