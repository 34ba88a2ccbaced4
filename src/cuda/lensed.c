/* Calls of lensing on a GPU between maps and values at points: where the map is, memory for what is
 * not in the map itself, and the kernel that turns values on their way. See pointing.h. */
#include "base/integer.h"
#include "base/memory.h"
#include "cuda/call.h"
#include "cuda/capture.h"
#include "cuda/device_memory.h"
#include "cuda/device_pool.h"
#include "cuda/pointing_plan.h"

enum { MOST_TRANSFORMS = 65535 /* of a launch */ };

struct armilla_cuda_lensed {
    const armilla_cuda_pointing *pointing;
    armilla_cuda_lensed_call call;
    armilla_cuda_array alm, map;
    int turns;      /* does something happen between points and map? */
    int beside;     /* are values at points in memory of the call? */
    int64_t batch;  /* transforms at once */
    int64_t values; /* bytes of them */
    char *memory;   /* values of a batch; its maps, where the caller's are on the host */
    armilla_cuda_work work;
};

/* --- Opening ---------------------------------------------------------------------------------- */

static armilla_status find_arrays(armilla_cuda_lensed *l)
{
    const armilla_cuda_lensed_call *call = &l->call;
    const int device = l->pointing->device;
    l->alm.values = armilla_array_of_doubles(call->alm);
    l->map.values = armilla_array_of_doubles(call->map);
    const armilla_status status = armilla_cuda_find_place("alm", call->memory, device, &l->alm);
    return status ? status : armilla_cuda_find_place("map", call->memory, device, &l->map);
}

/* The points take memory in any case. */
static armilla_status check_capture(const armilla_cuda_lensed *l)
{
    const armilla_cuda_captured captured = {.stream = l->work.stream,
                                            .device = l->pointing->device,
                                            .host = !l->alm.on_device   ? "alm"
                                                    : !l->map.on_device ? "map"
                                                                        : NULL,
                                            .tells_progress = l->call.progress != 0,
                                            .takes_memory = 1};
    return armilla_cuda_check_capture(&captured);
}

/* Values at points can be the map where it is on the device, and nothing of it is read but them: an
 * adjoint's map is an input. */
static armilla_status open_here(armilla_cuda_lensed *l)
{
    armilla_status status = find_arrays(l);
    if (status || (status = check_capture(l))) return status;
    const int placed = armilla_cuda_pointing_is_placed(l->pointing);
    l->turns = l->call.spin != 0 || !placed;
    l->beside = l->turns && !(placed && l->call.to_map && l->map.on_device);
    return ARMILLA_OK;
}

armilla_status armilla_cuda_lensed_open(const armilla_cuda_pointing *pointing,
                                        const armilla_cuda_lensed_call *call,
                                        armilla_cuda_lensed **lensed)
{
    armilla_cuda_lensed *l;
    armilla_status status = armilla_allocate_zero(&l, 1, sizeof *l);
    if (status) return status;
    l->pointing = pointing, l->call = *call, l->work.stream = call->stream;
    if ((status = open_here(l)))
        armilla_release(l);
    else
        *lensed = l;
    return status;
}

/* --- Memory ----------------------------------------------------------------------------------- */

static int64_t value_bytes(const armilla_cuda_pointing *pointing, int64_t ncomp, int64_t batch)
{
    return armilla_cuda_round_part(8 * batch * ncomp * pointing->view.count);
}

int64_t armilla_cuda_lensed_bytes(const armilla_cuda_pointing *pointing, int64_t ncomp)
{
    return value_bytes(pointing, ncomp, 1);
}

/* Bytes of the call's own copies of maps. */
static int64_t map_bytes(const armilla_cuda_lensed *l, int64_t batch)
{
    return l->map.on_device ? 0 : 8 * batch * l->call.ncomp * l->pointing->view.npix;
}

int64_t armilla_cuda_lensed_room(const armilla_cuda_lensed *l, int64_t batch)
{
    if (!l->beside) return 0;
    return value_bytes(l->pointing, l->call.ncomp, batch) + map_bytes(l, batch);
}

armilla_status armilla_cuda_lensed_begin(armilla_cuda_lensed *l, int64_t batch)
{
    l->batch = l->beside ? armilla_smaller(batch, MOST_TRANSFORMS) : batch;
    if (!l->beside) return ARMILLA_OK;
    l->values = value_bytes(l->pointing, l->call.ncomp, l->batch);
    return armilla_cuda_pool_obtain(l->pointing->device, armilla_cuda_lensed_room(l, l->batch),
                                    l->work.stream, "lensed maps", 1, &l->memory);
}

int64_t armilla_cuda_lensed_batch(const armilla_cuda_lensed *lensed)
{
    return lensed->batch;
}

/* --- Values at points ------------------------------------------------------------------------- */

double *armilla_cuda_lensed_values(const armilla_cuda_lensed *lensed, int64_t t, int64_t *distance)
{
    const armilla_cuda_lensed_call *call = &lensed->call;
    *distance = lensed->beside ? lensed->pointing->view.count : call->map_distance;
    return lensed->beside ? (double *)(void *)lensed->memory
                          : call->map + t * call->ncomp * call->map_distance;
}

/* Memory of a call is the device's, whatever the caller has said of his arrays; the driver tells
 * which is which. */
armilla_memory armilla_cuda_lensed_memory(const armilla_cuda_lensed *lensed)
{
    const armilla_memory memory = lensed->call.memory;
    return lensed->beside && memory == ARMILLA_MEMORY_HOST ? ARMILLA_MEMORY_ASK : memory;
}

/* Transforms first .. first + count - 1, of which `first` is number `place` of its batch. */
typedef struct {
    int64_t first, count, place;
} some;

/* The map of transform t, number `place` of its batch, where kernels see it, and the distance of
 * its components. */
static double *map_there(const armilla_cuda_lensed *l, some of, int64_t *distance)
{
    const armilla_cuda_lensed_call *call = &l->call;
    double *map = l->map.values.values, *copies = (double *)(void *)(l->memory + l->values);
    *distance = l->map.on_device ? call->map_distance : l->pointing->view.npix;
    return l->map.on_device ? map + of.first * call->ncomp * *distance
                            : copies + of.place * call->ncomp * *distance;
}

/* Copies maps of the host to the call's memory, or back. */
static void copy_maps(armilla_cuda_lensed *l, some of, int to_host)
{
    const armilla_cuda_lensed_call *call = &l->call;
    int64_t npix;
    char *copies = (char *)map_there(l, of, &npix);
    char *host = (char *)(call->map + of.first * call->ncomp * call->map_distance);
    const armilla_cuda_copied copied = {.size = 8 * npix,
                                        .distance = 8 * call->map_distance,
                                        .ncomp = call->ncomp,
                                        .step = call->ncomp};
    if (to_host)
        armilla_cuda_copy_to_host(NULL, &copied, of.count, host, copies, &l->work);
    else
        armilla_cuda_copy_to_device(NULL, &copied, of.count, copies, host, &l->work);
}

static void turn(armilla_cuda_lensed *l, some of)
{
    const armilla_cuda_lensed_call *call = &l->call;
    int64_t map_distance, distance = l->pointing->view.count;
    double *map = map_there(l, of, &map_distance), *values = map;
    if (l->beside)
        values = (double *)(void *)l->memory + of.place * call->ncomp * distance;
    else
        distance = map_distance;
    const armilla_cuda_turned turned = {.from = call->to_map ? values : map,
                                        .to = call->to_map ? map : values,
                                        .from_distance = call->to_map ? distance : map_distance,
                                        .to_distance = call->to_map ? map_distance : distance,
                                        .ncomp = call->ncomp,
                                        .ntrans = of.count,
                                        .spin = call->spin,
                                        .to_map = call->to_map,
                                        .gamma = l->pointing->gamma};
    armilla_cuda_note(&l->work,
                      armilla_cuda_lensing_turn(&l->pointing->view, &turned, l->work.stream));
}

/* Places of a map of the host that are no pixels stay as they are. */
void armilla_cuda_lensed_move(armilla_cuda_lensed *l, int64_t t, int64_t count)
{
    const some all = {t, count, 0};
    const int copies = l->beside && !l->map.on_device;
    if (!l->turns) return;
    if (copies && (!l->call.to_map || !armilla_cuda_pointing_is_placed(l->pointing)))
        copy_maps(l, all, 0);
    for (int64_t i = 0; i < count; i += MOST_TRANSFORMS)
        turn(l, (some){t + i, armilla_smaller(count - i, MOST_TRANSFORMS), i});
    if (copies && l->call.to_map) copy_maps(l, all, 1);
}

/* --- Closing ---------------------------------------------------------------------------------- */

armilla_status armilla_cuda_lensed_close(armilla_cuda_lensed *lensed)
{
    armilla_cuda_work *work = &lensed->work;
    const int device = lensed->pointing->device;
    if (lensed->memory)
        armilla_cuda_note(work, armilla_cuda_pool_give_back(device, lensed->memory, work->stream));
    if (!lensed->alm.on_device || !lensed->map.on_device)
        armilla_cuda_note(work, cudaStreamSynchronize(work->stream));
    const armilla_status status = armilla_cuda_work_status(work, "lensed maps");
    armilla_release(lensed);
    return status;
}
