/* Runs radial convolutions on a GPU: maps of the device where they are, in one launch for each kind
 * of rows; maps of the host one after the other through memory of the device's pool, as a whole or
 * by slabs (radial_slabs.c). Nothing else is taken from the device by a call, but for weights. */
#include "cuda/radial_plan.h"

#include "base/integer.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/radial_means.h"

enum { MOST_MAPS = 65535 /* of a launch */ };
enum { MAP = ARMILLA_CUDA_RADIAL_MAP, OUT = ARMILLA_CUDA_RADIAL_OUT };

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

/* Bytes of a call for whole maps besides copies of them. */
static int64_t own_bytes(const armilla_cuda_radial_run_state *r)
{
    return r->call->weights ? weight_bytes(r) + sums_bytes(r->radial) : 0;
}

/* Do the call's maps go by slabs? */
static int has_slabs(const armilla_cuda_radial_run_state *r)
{
    const armilla_cuda_radial *radial = r->radial;
    if (!armilla_cuda_frame_is_on_host(&r->frame)) return 0;
    if (r->begin > 0 || r->end < radial->nout) return 1;
    return radial->device_bytes &&
           own_bytes(r) + armilla_cuda_frame_copy_bytes(&r->frame, 1) > radial->device_bytes;
}

int64_t armilla_cuda_radial_workspace(const armilla_cuda_radial *radial)
{
    const int64_t whole = 2 * copy_bytes(radial, sizeof(double));
    if (!radial->device_bytes || whole <= radial->device_bytes) return whole;
    return armilla_cuda_radial_slab_bytes(radial, 0, radial->nout, sizeof(double), 0);
}

static armilla_status find_weights(armilla_cuda_radial_run_state *r)
{
    const armilla_cuda_array *arrays = r->frame.array;
    if (!r->call->weights) return ARMILLA_OK;
    if (arrays[MAP].on_device != arrays[OUT].on_device)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "weights: with them map and out must both be in the memory of the GPU, "
                            "or both in that of the host");
    return armilla_cuda_find_weights(r->call->weights, r->radial->device, &r->weights);
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
    if (r->frame.work.error) return;
    if (maps.weights || r->call->plain) view.divisor = NULL; /* means have their own */
    if (maps.weights) maps.fill = r->call->weights->fill;
    armilla_cuda_note(&r->frame.work,
                      armilla_cuda_radial_gather(&view, &maps, r->frame.work.stream));
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
    if (!r->frame.work.error)
        armilla_cuda_note(&r->frame.work, armilla_cuda_radial_gather_weights(&maker->view, &sums,
                                                                             r->frame.work.stream));
}

/* --- Whole maps ------------------------------------------------------------------------------- */

static armilla_cuda_radial_maps whole_maps(const armilla_cuda_radial_run_state *r)
{
    const armilla_cuda_radial *radial = r->radial;
    const int is_float = r->call->map.is_float;
    const armilla_cuda_radial_layout there = {.distance = r->call->exec.map_distance,
                                              .is_float = is_float};
    const armilla_cuda_radial_layout copied = {.distance = radial->npix, .is_float = is_float};
    const void *weights = r->weights.on_device ? r->weights.values.values : r->frame.memory;
    return (armilla_cuda_radial_maps){
        .in_layout = r->frame.array[MAP].on_device ? there : copied,
        .out_layout = r->frame.array[OUT].on_device ? there : copied,
        .weights = r->call->weights ? (const double *)weights : NULL,
        .means = r->call->weights
                     ? (const double *)(const void *)(r->frame.memory + weight_bytes(r))
                     : NULL,
        .adjoint = r->call->adjoint};
}

/* Weights come to the device, and what becomes of them around each pixel. */
static void weigh(armilla_cuda_radial_run_state *r)
{
    const armilla_cuda_radial_maps maps = whole_maps(r);
    const armilla_cuda_copied copied = {
        .size = 8 * r->radial->npix, .distance = 8 * r->radial->npix, .ncomp = 1, .step = 1};
    if (!r->weights.on_device)
        armilla_cuda_copy_to_device(NULL, &copied, 1, r->frame.memory, r->weights.values.values,
                                    &r->frame.work);
    armilla_cuda_radial_sum_weights(r, r->begin, r->end, &maps,
                                    (double *)(void *)(r->frame.memory + weight_bytes(r)));
}

/* `count` maps from number `first` on; where one is on the host it is one map, or pair. */
static armilla_status run_maps(armilla_cuda_radial_run_state *r, int64_t first, int64_t count)
{
    const armilla_cuda_array *arrays = r->frame.array;
    const int64_t place = first * r->radial->view.ncomp * r->call->exec.map_distance;
    armilla_array here[ARMILLA_CUDA_ARRAYS] = {armilla_array_from(arrays[MAP].values, place),
                                               armilla_array_from(arrays[OUT].values, place)};
    armilla_cuda_radial_maps maps = whole_maps(r);
    armilla_cuda_frame_begin(&r->frame, count, here);
    maps.in = here[MAP].values, maps.out = here[OUT].values, maps.count = count;
    armilla_cuda_radial_launch(r, r->begin, r->end, maps);
    armilla_cuda_frame_end(&r->frame, count);
    return armilla_cuda_frame_reached(&r->frame, count * (r->end - r->begin));
}

static armilla_status run_whole(armilla_cuda_radial_run_state *r)
{
    const int64_t nmaps = r->call->exec.ntrans;
    const int one = armilla_cuda_frame_is_on_host(&r->frame) || r->call->exec.progress;
    const int64_t most = one ? 1 : MOST_MAPS;
    armilla_cuda_frame_plan(&r->frame, 1, 1);
    armilla_status status = armilla_cuda_frame_take(&r->frame, own_bytes(r), 0);
    if (!status && r->call->weights) weigh(r);
    for (int64_t first = 0; first < nmaps && !status; first += most)
        status = run_maps(r, first, armilla_smaller(most, nmaps - first));
    return status;
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* Units of progress: rows of output. */
static armilla_status run_all(armilla_cuda_radial_run_state *r)
{
    const armilla_exec *exec = &r->call->exec;
    const armilla_status status = find_weights(r);
    if (status) return status;
    armilla_progress_start(&r->frame.progress, exec->progress, exec->progress_data,
                           (double)(exec->ntrans * (r->end - r->begin)));
    return has_slabs(r) ? armilla_cuda_radial_run_slabs(r) : run_whole(r);
}

static void set_arrays(armilla_cuda_radial_run_state *r)
{
    const armilla_cuda_radial *radial = r->radial;
    const int64_t ncomp = radial->view.ncomp, distance = r->call->exec.map_distance;
    armilla_cuda_array *map = &r->frame.array[MAP], *out = &r->frame.array[OUT];
    *map = armilla_cuda_array_of("map", r->call->map, ncomp, radial->npix, distance);
    *out = armilla_cuda_array_of("out", r->call->out, ncomp, radial->npix, distance);
    map->comes = 1, out->goes = 1;
    out->comes = radial->npix != radial->samples; /* what is between rings stays */
}

armilla_status armilla_cuda_radial_run(const armilla_cuda_radial *radial,
                                       const armilla_cuda_radial_call *call)
{
    armilla_cuda_radial_run_state r = {
        .radial = radial,
        .call = call,
        .begin = call->begin,
        .end = call->end ? call->end : radial->nout,
        .frame = {.what = "a radial convolution",
                  .device = radial->device,
                  .exec = &call->exec,
                  .waits = call->weights ? armilla_cuda_weights_wait : NULL,
                  .takes_no_memory = 1}};
    set_arrays(&r);
    const armilla_status status = armilla_cuda_frame_open(&r.frame);
    return status ? status : armilla_cuda_frame_close(&r.frame, run_all(&r));
}
