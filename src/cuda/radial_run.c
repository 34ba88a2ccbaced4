/* Runs radial convolutions on a GPU: maps of the device where they are, in one launch for each kind
 * of rows; maps of the host one after the other through memory of the device's pool, as a whole or
 * by slabs (radial_slabs.c). Nothing else is taken from the device by a call, but for weights. */
#include "cuda/radial_plan.h"

#include "base/integer.h"
#include "cuda/capture.h"
#include "cuda/device.h"
#include "cuda/device_memory.h"
#include "cuda/device_pool.h"
#include "cuda/reached.h"

enum { MOST_MAPS = 65535 /* of a launch */ };

static const char what[] = "a radial convolution";

/* --- Arrays ----------------------------------------------------------------------------------- */

static armilla_status find_arrays(armilla_cuda_radial_run_state *r)
{
    const armilla_cuda_radial_call *call = r->call;
    const int device = r->radial->device;
    r->map.values = call->map, r->out.values = call->out;
    armilla_status status = armilla_cuda_find_place("map", call->memory, device, &r->map);
    if (!status) status = armilla_cuda_find_place("out", call->memory, device, &r->out);
    if (status || !call->weights) return status;
    if (r->map.on_device != r->out.on_device)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "weights: with them map and out must both be in the memory of the GPU, "
                            "or both in that of the host");
    const armilla_memory memory =
        call->weights->on_device ? ARMILLA_MEMORY_ASK : ARMILLA_MEMORY_HOST;
    r->weights.values = armilla_array_of_doubles(call->weights->values);
    return armilla_cuda_find_place("weights", memory, device, &r->weights);
}

static int is_on_host(const armilla_cuda_radial_run_state *r)
{
    return !r->map.on_device || !r->out.on_device || r->call->weights;
}

static armilla_status check_capture(const armilla_cuda_radial_run_state *r)
{
    const armilla_cuda_captured captured = {.stream = r->work.stream,
                                            .device = r->radial->device,
                                            .host = !r->map.on_device   ? "map"
                                                    : !r->out.on_device ? "out"
                                                    : r->call->weights  ? "weights"
                                                                        : NULL,
                                            .tells_progress = r->call->progress != NULL};
    return armilla_cuda_check_capture(&captured);
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* Bytes of one map, or pair. */
static int64_t copy_bytes(const armilla_cuda_radial *radial, int64_t item)
{
    return armilla_cuda_round_part(item * radial->view.ncomp * radial->npix);
}

static int64_t sums_bytes(const armilla_cuda_radial *radial)
{
    return armilla_cuda_round_part(8 * radial->npix);
}

/* What a copy of the weights takes. */
static int64_t weight_bytes(const armilla_cuda_radial_run_state *r)
{
    return r->weights.on_device ? 0 : sums_bytes(r->radial);
}

/* Bytes of a call for whole maps. */
static int64_t whole_bytes(const armilla_cuda_radial_run_state *r)
{
    const int64_t copy = copy_bytes(r->radial, armilla_array_item_size(r->map.values));
    return copy * (!r->map.on_device + !r->out.on_device) +
           (r->call->weights ? weight_bytes(r) + sums_bytes(r->radial) : 0);
}

int armilla_cuda_radial_has_slabs(const armilla_cuda_radial_run_state *r)
{
    const armilla_cuda_radial *radial = r->radial;
    if (r->map.on_device && r->out.on_device) return 0;
    if (r->begin > 0 || r->end < radial->nout) return 1;
    return radial->device_bytes && whole_bytes(r) > radial->device_bytes;
}

int64_t armilla_cuda_radial_workspace(const armilla_cuda_radial *radial)
{
    const int64_t whole = 2 * copy_bytes(radial, sizeof(double));
    if (!radial->device_bytes || whole <= radial->device_bytes) return whole;
    return armilla_cuda_radial_slab_bytes(radial, 0, radial->nout, sizeof(double), 0);
}

static armilla_status take_memory(armilla_cuda_radial_run_state *r)
{
    const int64_t item = armilla_array_item_size(r->map.values);
    const int64_t bytes = armilla_cuda_radial_has_slabs(r)
                              ? armilla_cuda_radial_slab_bytes(r->radial, r->begin, r->end, item,
                                                               r->call->weights != NULL)
                              : whole_bytes(r);
    if (!bytes) return ARMILLA_OK;
    return armilla_cuda_pool_obtain(r->radial->device, bytes, r->work.stream, what, 0, &r->memory);
}

/* --- Launches --------------------------------------------------------------------------------- */

static void take_rows(const armilla_cuda_radial *radial, int64_t begin, int64_t end,
                      armilla_cuda_radial_maps *maps)
{
    for (int k = 0; k < 2; k++) {
        maps->tile[k] = (k ? radial->view.nuniform : 0) + radial->tile[k][begin];
        maps->ntiles[k] = radial->tile[k][end] - radial->tile[k][begin];
    }
}

void armilla_cuda_radial_launch(armilla_cuda_radial_run_state *r, int64_t begin, int64_t end,
                                armilla_cuda_radial_maps maps)
{
    armilla_cuda_radial_view view = r->radial->view;
    take_rows(r->radial, begin, end, &maps);
    if (r->work.error) return;
    if (maps.weights || r->call->plain) view.divisor = NULL; /* means have their own */
    if (maps.weights) maps.fill = r->call->weights->fill;
    armilla_cuda_note(&r->work, armilla_cuda_radial_gather(&view, &maps, r->work.stream));
}

void armilla_cuda_radial_sum_weights(armilla_cuda_radial_run_state *r, int64_t begin, int64_t end,
                                     const armilla_cuda_radial_maps *maps, double *means)
{
    const armilla_cuda_radial *maker = r->radial->scalar ? r->radial->scalar : r->radial;
    armilla_cuda_radial_maps sums = *maps;
    take_rows(maker, begin, end, &sums);
    sums.in = maps->weights, sums.out = means, sums.weights = NULL, sums.means = NULL;
    sums.in_layout.is_float = sums.out_layout.is_float = 0;
    sums.least = r->call->weights->least, sums.count = 1;
    if (!r->work.error)
        armilla_cuda_note(&r->work,
                          armilla_cuda_radial_gather_weights(&maker->view, &sums, r->work.stream));
}

/* --- Whole maps ------------------------------------------------------------------------------- */

static armilla_cuda_radial_maps whole_maps(const armilla_cuda_radial_run_state *r)
{
    const armilla_cuda_radial *radial = r->radial;
    const int is_float = r->map.values.is_float;
    const armilla_cuda_radial_layout there = {.distance = r->call->distance, .is_float = is_float};
    const armilla_cuda_radial_layout copied = {.distance = radial->npix, .is_float = is_float};
    const void *weights = r->weights.on_device ? r->weights.values.values : r->memory;
    return (armilla_cuda_radial_maps){
        .in_layout = r->map.on_device ? there : copied,
        .out_layout = r->out.on_device ? there : copied,
        .weights = r->call->weights ? (const double *)weights : NULL,
        .means =
            r->call->weights ? (const double *)(const void *)(r->memory + weight_bytes(r)) : NULL,
        .adjoint = r->call->adjoint};
}

/* Weights come to the device, and what becomes of them around each pixel. */
static void weigh(armilla_cuda_radial_run_state *r)
{
    const armilla_cuda_radial_maps maps = whole_maps(r);
    const armilla_cuda_copied copied = {
        .size = 8 * r->radial->npix, .distance = 8 * r->radial->npix, .ncomp = 1, .step = 1};
    if (!r->weights.on_device)
        armilla_cuda_copy_to_device(NULL, &copied, 1, r->memory, r->weights.values.values,
                                    &r->work);
    armilla_cuda_radial_sum_weights(r, r->begin, r->end, &maps,
                                    (double *)(void *)(r->memory + weight_bytes(r)));
}

/* `count` maps from number `first` on; where one is on the host it is one map, or pair. */
static void run_maps(armilla_cuda_radial_run_state *r, int64_t first, int64_t count)
{
    const armilla_cuda_radial *radial = r->radial;
    const int64_t item = armilla_array_item_size(r->map.values), ncomp = radial->view.ncomp;
    const int64_t place = first * ncomp * r->call->distance, size = item * radial->npix;
    const armilla_cuda_copied copied = {
        .size = size, .distance = item * r->call->distance, .ncomp = ncomp, .step = ncomp};
    char *in = armilla_array_from(r->map.values, place).values;
    char *out = armilla_array_from(r->out.values, place).values;
    char *in_copy = r->memory + (r->call->weights ? weight_bytes(r) + sums_bytes(radial) : 0);
    char *out_copy = in_copy + (r->map.on_device ? 0 : copy_bytes(radial, item));
    armilla_cuda_radial_maps maps = whole_maps(r);
    maps.in = r->map.on_device ? in : in_copy, maps.out = r->out.on_device ? out : out_copy;
    maps.count = count;
    if (!r->map.on_device) armilla_cuda_copy_to_device(NULL, &copied, 1, in_copy, in, &r->work);
    if (!r->out.on_device && radial->npix != radial->samples) /* what is between rings stays */
        armilla_cuda_copy_to_device(NULL, &copied, 1, out_copy, out, &r->work);
    armilla_cuda_radial_launch(r, r->begin, r->end, maps);
    if (!r->out.on_device) armilla_cuda_copy_to_host(NULL, &copied, 1, out, out_copy, &r->work);
}

/* --- Calls ------------------------------------------------------------------------------------ */

armilla_status armilla_cuda_radial_reached(armilla_cuda_radial_run_state *r, int64_t units,
                                           pthread_mutex_t *held)
{
    const armilla_cuda_listened listened = {&r->progress, &r->work, held, what};
    return armilla_cuda_reached(&listened, units);
}

/* Units of progress: rows of output. */
static armilla_status run_all(armilla_cuda_radial_run_state *r)
{
    const int64_t nmaps = r->call->ntrans, rows = r->end - r->begin;
    const int one = !r->map.on_device || !r->out.on_device || r->call->progress;
    const int64_t most = one ? 1 : MOST_MAPS;
    armilla_status status = ARMILLA_OK;
    armilla_progress_start(&r->progress, r->call->progress, r->call->progress_data,
                           (double)(nmaps * rows));
    if (armilla_cuda_radial_has_slabs(r)) return armilla_cuda_radial_run_slabs(r);
    if (r->call->weights) weigh(r);
    for (int64_t first = 0; first < nmaps && !status; first += most) {
        const int64_t count = armilla_smaller(most, nmaps - first);
        run_maps(r, first, count);
        status = armilla_cuda_radial_reached(r, count * rows, NULL);
    }
    return status;
}

static armilla_status run_here(armilla_cuda_radial_run_state *r)
{
    armilla_status status = find_arrays(r);
    if (status || (status = check_capture(r)) || (status = take_memory(r))) return status;
    status = run_all(r);
    if (r->memory)
        armilla_cuda_note(
            &r->work, armilla_cuda_pool_give_back(r->radial->device, r->memory, r->work.stream));
    if (is_on_host(r)) armilla_cuda_note(&r->work, cudaStreamSynchronize(r->work.stream));
    const armilla_status device = armilla_cuda_work_status(&r->work, what);
    return status ? status : device;
}

armilla_status armilla_cuda_radial_run(const armilla_cuda_radial *radial,
                                       const armilla_cuda_radial_call *call)
{
    armilla_cuda_radial_run_state r = {.radial = radial,
                                       .call = call,
                                       .begin = call->begin,
                                       .end = call->end ? call->end : radial->nout,
                                       .work = {.stream = call->stream}};
    int before;
    armilla_status status = armilla_cuda_enter_device(radial->device, &before);
    if (status) return status;
    status = run_here(&r);
    armilla_cuda_leave_device(radial->device, before);
    return status;
}
