/* Calls of lensing on a GPU between maps and values at points: where the map is, memory for what is
 * not in the map itself, and the kernel that turns values on their way. See pointing.h. */
#include "base/integer.h"
#include "base/memory.h"
#include "cuda/call.h"
#include "cuda/capture.h"
#include "cuda/device.h"
#include "cuda/device_memory.h"
#include "cuda/device_pool.h"
#include "cuda/pointing_plan.h"
#include "cuda/points_group_plan.h"

enum { MOST_TRANSFORMS = 65535 /* of a launch */ };

typedef struct {
    armilla_cuda_lensed known;
    const armilla_cuda_pointing *pointing;
    armilla_cuda_lensed_call call;
    armilla_cuda_array alm, map;
    int before;     /* the device that was current */
    int turns;      /* does something happen between points and map? */
    int beside;     /* are values at points in memory of the call? */
    int64_t values; /* bytes of them */
    char *memory;   /* values of a batch; its maps, where the caller's are on the host */
    armilla_cuda_work work;
} lensed_call;

/* --- Opening ---------------------------------------------------------------------------------- */

static armilla_status find_arrays(lensed_call *l)
{
    const armilla_cuda_lensed_call *call = &l->call;
    const int device = l->pointing->object.device;
    l->alm.values = armilla_array_of_doubles(call->alm);
    l->map.values = armilla_array_of_doubles(call->map);
    const armilla_status status = armilla_cuda_find_place("alm", call->memory, device, &l->alm);
    return status ? status : armilla_cuda_find_place("map", call->memory, device, &l->map);
}

/* The points take memory in any case. */
static armilla_status check_capture(const lensed_call *l)
{
    const armilla_cuda_captured captured = {.stream = l->work.stream,
                                            .device = l->pointing->object.device,
                                            .host = !l->alm.on_device   ? "alm"
                                                    : !l->map.on_device ? "map"
                                                                        : NULL,
                                            .tells_progress = l->call.progress != 0,
                                            .takes_memory = 1};
    return armilla_cuda_check_capture(&captured);
}

/* Values at points can be the map where it is on the device, and nothing of it is read but them: an
 * adjoint's map is an input. */
static void choose_way(lensed_call *l)
{
    const int placed = l->pointing->placed;
    l->turns = l->call.spin != 0 || !placed;
    l->beside = l->turns && !(placed && l->call.to_map && l->map.on_device);
}

/* --- Memory ----------------------------------------------------------------------------------- */

static int64_t npix_of(const lensed_call *l)
{
    return armilla_cuda_pointing_view(l->pointing)->npix;
}

static int64_t value_bytes(const lensed_call *l, int64_t batch)
{
    return armilla_cuda_round_part(8 * batch * l->call.ncomp * l->pointing->count);
}

/* Bytes of the call's own copies of maps. */
static int64_t map_bytes(const lensed_call *l, int64_t batch)
{
    return l->map.on_device ? 0 : 8 * batch * l->call.ncomp * npix_of(l);
}

/* Device bytes that so many transforms at once take beside what points take. */
static int64_t room_of(const lensed_call *l, int64_t batch)
{
    return value_bytes(l, batch) + map_bytes(l, batch);
}

static int64_t choose_batch(const lensed_call *l)
{
    const armilla_cuda_lensed_call *call = &l->call;
    int64_t batch = call->points ? armilla_larger(1, call->ntrans) : 1;
    if (!l->beside) return batch;
    while (batch > 1 &&
           armilla_cuda_points_shares_room(call->points, call->to_map, batch) + room_of(l, batch) >
               call->device_bytes)
        batch = (batch + 1) / 2;
    return armilla_smaller(batch, MOST_TRANSFORMS);
}

/* Memory of a call is the device's, whatever the caller has said of his arrays; the driver tells
 * which is which. */
static armilla_status place_values(lensed_call *l)
{
    const armilla_cuda_lensed_call *call = &l->call;
    const int asks = l->beside && call->memory == ARMILLA_MEMORY_HOST;
    l->known =
        (armilla_cuda_lensed){.batch = choose_batch(l),
                              .memory = asks ? ARMILLA_MEMORY_ASK : call->memory,
                              .distance = l->beside ? l->pointing->count : call->map_distance};
    if (!l->beside) return ARMILLA_OK;
    l->values = value_bytes(l, l->known.batch);
    return armilla_cuda_pool_obtain(l->pointing->object.device, room_of(l, l->known.batch),
                                    l->work.stream, "lensed maps", 1, &l->memory);
}

static armilla_status open_here(lensed_call *l)
{
    armilla_status status = find_arrays(l);
    if (status || (status = check_capture(l))) return status;
    choose_way(l);
    return place_values(l);
}

armilla_status armilla_cuda_lensed_open(const armilla_cuda_pointing *pointing,
                                        const armilla_cuda_lensed_call *call,
                                        armilla_cuda_lensed **lensed)
{
    const int device = pointing->object.device;
    lensed_call *l;
    armilla_status status = armilla_allocate_zero(&l, 1, sizeof *l);
    if (status) return status;
    l->pointing = pointing, l->call = *call, l->work.stream = call->stream;
    if (!(status = armilla_cuda_enter_device(device, &l->before)) && (status = open_here(l)))
        armilla_cuda_leave_device(device, l->before);
    if (status)
        armilla_release(l);
    else
        *lensed = &l->known;
    return status;
}

/* --- Values at points ------------------------------------------------------------------------- */

/* Transforms first .. first + count - 1, of which `first` is number `place` of its batch. */
typedef struct {
    int64_t first, count, place;
} some;

/* The map of transform t, number `place` of its batch, where kernels see it, and the distance of
 * its components. */
static double *map_there(const lensed_call *l, some of, int64_t *distance)
{
    const armilla_cuda_lensed_call *call = &l->call;
    double *map = l->map.values.values, *copies = (double *)(void *)(l->memory + l->values);
    *distance = l->map.on_device ? call->map_distance : npix_of(l);
    return l->map.on_device ? map + of.first * call->ncomp * *distance
                            : copies + of.place * call->ncomp * *distance;
}

/* Copies maps of the host to the call's memory, or back. */
static void copy_maps(lensed_call *l, some of, int to_host)
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

static void turn(lensed_call *l, some of)
{
    const armilla_cuda_lensed_call *call = &l->call;
    int64_t map_distance, distance = l->pointing->count;
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
    armilla_cuda_note(&l->work, armilla_cuda_lensing_turn(armilla_cuda_pointing_view(l->pointing),
                                                          &turned, l->work.stream));
}

/* Places of a map of the host that are no pixels stay as they are. */
static void move(lensed_call *l, int64_t t, int64_t count)
{
    const some all = {t, count, 0};
    const int copies = l->beside && !l->map.on_device;
    if (!l->turns) return;
    if (copies && (!l->call.to_map || !l->pointing->placed)) copy_maps(l, all, 0);
    for (int64_t i = 0; i < count; i += MOST_TRANSFORMS)
        turn(l, (some){t + i, armilla_smaller(count - i, MOST_TRANSFORMS), i});
    if (copies && l->call.to_map) copy_maps(l, all, 1);
}

double *armilla_cuda_lensed_begin(armilla_cuda_lensed *lensed, int64_t t, int64_t count)
{
    lensed_call *l = (lensed_call *)lensed;
    const armilla_cuda_lensed_call *call = &l->call;
    if (!call->to_map) move(l, t, count);
    return l->beside ? (double *)(void *)l->memory
                     : call->map + t * call->ncomp * call->map_distance;
}

void armilla_cuda_lensed_end(armilla_cuda_lensed *lensed, int64_t t, int64_t count)
{
    lensed_call *l = (lensed_call *)lensed;
    if (l->call.to_map) move(l, t, count);
}

/* --- Closing ---------------------------------------------------------------------------------- */

armilla_status armilla_cuda_lensed_close(armilla_cuda_lensed *lensed)
{
    lensed_call *l = (lensed_call *)lensed;
    armilla_cuda_work *work = &l->work;
    const int device = l->pointing->object.device;
    if (l->memory)
        armilla_cuda_note(work, armilla_cuda_pool_give_back(device, l->memory, work->stream));
    if (!l->alm.on_device || !l->map.on_device)
        armilla_cuda_note(work, cudaStreamSynchronize(work->stream));
    const armilla_status status = armilla_cuda_work_status(work, "lensed maps");
    armilla_cuda_leave_device(device, l->before);
    armilla_release(l);
    return status;
}
