/* Runs transforms between alm and points on a GPU: finds the arrays of a call, takes its memory
 * from the device's pool, copies what is on the host, and puts the stages on the stream, as many
 * transforms at once as memory allows. */
#include "base/integer.h"
#include "cuda/call.h"
#include "cuda/capture.h"
#include "cuda/device.h"
#include "cuda/device_memory.h"
#include "cuda/device_pool.h"
#include "cuda/kernels/lensing_kernels.h"
#include "cuda/marks.h"
#include "cuda/points_stages.h"
#include "cuda/reached.h"

typedef struct {
    const armilla_cuda_points_stages *s;
    const armilla_cuda_points *points;
    const armilla_cuda_points_call *call;
    armilla_cuda_array alm, values;
    int64_t batch; /* transforms at once */
    armilla_cuda_points_room room;
    char *memory; /* leg, area, copies of alm and of values */
    armilla_cuda_work work;
    armilla_progress progress;
} run;

/* --- Where arrays are ------------------------------------------------------------------------ */

/* Values of a component that are copied where they are on the host. */
static int64_t count_values(const run *r)
{
    return r->call->share ? r->call->share->nvalues : r->points->count;
}

/* An array that the GPU's share of the call has nothing of counts as one of the device. */
static armilla_status find_arrays(run *r)
{
    const armilla_cuda_points_call *call = r->call;
    const armilla_cuda_points_share *share = call->share;
    const int device = r->s->device;
    armilla_status status = ARMILLA_OK;
    r->alm = (armilla_cuda_array){.values = call->alm, .on_device = 1};
    r->values = (armilla_cuda_array){.values = call->values, .on_device = 1};
    if (!share || !share->rings)
        status = armilla_cuda_find_place("alm", call->memory, device, &r->alm);
    if (status || count_values(r) == 0 || (share && share->leg)) return status;
    return armilla_cuda_find_place("values", call->memory, device, &r->values);
}

static armilla_status check_capture(const run *r)
{
    const armilla_cuda_captured captured = {.stream = r->work.stream,
                                            .device = r->s->device,
                                            .host = !r->alm.on_device      ? "alm"
                                                    : !r->values.on_device ? "values"
                                                                           : NULL,
                                            .tells_progress = r->call->progress != NULL,
                                            .takes_memory = 1};
    return armilla_cuda_check_capture(&captured);
}

static int is_on_host(const run *r)
{
    return !r->alm.on_device || !r->values.on_device || r->call->share;
}

/* --- Memory ---------------------------------------------------------------------------------- */

/* How the components of an array lie on the host. numbers: real ones of a component. */
static void set_copied(int64_t numbers, int64_t distance, int64_t ncomp, armilla_cuda_array *array)
{
    const int64_t item = armilla_array_item_size(array->values);
    array->copied.size = item * numbers, array->copied.distance = item * distance;
    array->copied.ncomp = array->copied.step = ncomp;
}

static int64_t copy_bytes(const armilla_cuda_array *array, int64_t batch)
{
    if (array->on_device) return 0;
    return armilla_cuda_round_part(batch * array->copied.ncomp * array->copied.size);
}

static int64_t total_bytes(const run *r, int64_t batch)
{
    const armilla_cuda_points_room room =
        armilla_cuda_points_room_of(r->s, r->points, r->call->to_points, batch);
    return room.total + copy_bytes(&r->alm, batch) + copy_bytes(&r->values, batch);
}

/* As many transforms at once as memory allows, or one: launches have sets in one dimension of their
 * grids. */
static void choose_batch(run *r)
{
    enum { MOST_SETS = 32768 };
    const armilla_cuda_points_stages_problem *p = &r->s->problem;
    r->batch = armilla_smaller(r->call->ntrans, MOST_SETS / p->nmap);
    while (r->batch > 1 && total_bytes(r, r->batch) > p->memory_bytes) r->batch /= 2;
    r->room = armilla_cuda_points_room_of(r->s, r->points, r->call->to_points, r->batch);
}

static armilla_status take_memory(run *r)
{
    const armilla_cuda_points_stages_problem *p = &r->s->problem;
    set_copied(2 * p->layout->size, 2 * r->call->alm_distance, p->nalm, &r->alm);
    set_copied(count_values(r), r->call->values_distance, p->nmap, &r->values);
    choose_batch(r);
    const int64_t bytes = armilla_larger(total_bytes(r, r->batch), ARMILLA_CUDA_ALIGNMENT);
    return armilla_cuda_pool_obtain(r->s->device, bytes, r->work.stream, "values at points", 1,
                                    &r->memory);
}

/* --- Stages ---------------------------------------------------------------------------------- */

/* Transforms at once, with arrays on the device. */
typedef struct {
    run *r;
    int64_t first, count;
    armilla_array alm, values;
    int64_t alm_distance, values_distance;
    armilla_leg near, far;
} lot;

static armilla_alm_rows rows_of(const lot *l)
{
    const armilla_cuda_points_stages *s = l->r->s;
    const armilla_alm_layout *layout = s->problem.layout;
    armilla_alm_rows rows = armilla_alm_rows_of(layout, s->mstart, s->problem.spin, s->problem.nalm,
                                                s->problem.nmap, l->alm, l->alm_distance);
    rows.factor = s->degree_factor, rows.order_factor = s->order_factor;
    return rows;
}

/* The stages' scratch, all of the area behind leg. */
static void use_area(run *r, int64_t from)
{
    r->work.scratch = r->memory + r->room.leg + from;
    r->work.scratch_bytes = r->room.area - from;
}

static armilla_array samples_of(const run *r)
{
    return (armilla_array){r->memory + r->room.leg,
                           armilla_cuda_points_are_single(r->points, r->call->values)};
}

static void alm_to_leg(const lot *l)
{
    run *r = l->r;
    const armilla_alm_rows rows = rows_of(l);
    use_area(r, 0);
    armilla_cuda_legendre_to_leg(r->s->legendre, &rows, &l->near, &r->work);
    armilla_cuda_mark("legendre", r->work.stream);
    armilla_cuda_theta_to_far(r->s->theta, &l->far, &r->work);
    armilla_cuda_mark("theta", r->work.stream);
}

static void leg_to_alm(const lot *l)
{
    run *r = l->r;
    const armilla_cuda_points_stages_problem *p = &r->s->problem;
    const armilla_alm_rows rows = rows_of(l);
    use_area(r, 0);
    armilla_cuda_theta_to_near(r->s->theta, &l->far, &r->work);
    armilla_cuda_mark("theta", r->work.stream);
    armilla_cuda_legendre_from_leg(r->s->legendre, &l->near, &rows, &r->work);
    armilla_cuda_legendre_clear_orders(&rows, p->nmap * l->count, p->mmax + 1, p->layout->mmax,
                                       &r->work);
    armilla_cuda_mark("legendre", r->work.stream);
}

/* The samples of transform t, for the points of some bands. */
static armilla_cuda_point_samples samples_for(const lot *l, int64_t t, int64_t number)
{
    const armilla_cuda_points_stages_problem *p = &l->r->s->problem;
    const armilla_cuda_points_strip *strip = &p->strips[number];
    const int64_t component = armilla_cuda_points_component(l->r->s);
    const armilla_cuda_points_bands bands =
        armilla_cuda_points_bands_of(l->r->s, number, l->r->call->to_points);
    armilla_cuda_point_samples samples = {
        .values = armilla_array_from(samples_of(l->r), t * p->nmap * component),
        .ncomp = p->nmap,
        .component = component,
        .pitch = p->pitch,
        .left = p->left,
        .band = bands.begin,
        .end_band = bands.end};
    for (int south = 0; south < 2; south++)
        samples.side[south] = (armilla_cuda_point_side){.offset = south * p->most_rows * p->pitch,
                                                        .first = strip->side[south].first,
                                                        .rows = strip->rows,
                                                        .begin = strip->side[south].begin,
                                                        .end = strip->side[south].end};
    return samples;
}

static armilla_array values_of(const lot *l, int64_t t)
{
    return armilla_array_from(l->values, t * l->r->s->problem.nmap * l->values_distance);
}

static void strip_to_points(const lot *l, int64_t number)
{
    run *r = l->r;
    const armilla_cuda_strip strip = armilla_cuda_points_strip_of(r->s, number, 1);
    armilla_cuda_strips_to_samples(r->s->strips, &strip, &l->far, samples_of(r), &r->work);
    armilla_cuda_mark("rings", r->work.stream);
    for (int64_t t = 0; t < l->count; t++) {
        const armilla_cuda_point_samples samples = samples_for(l, t, number);
        armilla_cuda_points_interpolate(r->points, &samples, values_of(l, t), l->values_distance,
                                        &r->work);
    }
    armilla_cuda_mark("points", r->work.stream);
}

static void points_to_strip(const lot *l, int64_t number)
{
    run *r = l->r;
    const armilla_cuda_strip strip = armilla_cuda_points_strip_of(r->s, number, 0);
    for (int64_t t = 0; t < l->count; t++) {
        const armilla_cuda_point_samples samples = samples_for(l, t, number);
        armilla_cuda_points_spread(r->points, values_of(l, t), l->values_distance, &samples,
                                   &r->work);
    }
    armilla_cuda_mark("points", r->work.stream);
    armilla_cuda_strips_from_samples(r->s->strips, &strip, samples_of(r), &l->far, &r->work);
    armilla_cuda_mark("rings", r->work.stream);
}

static void run_strips(const lot *l, int64_t first, int64_t end)
{
    run *r = l->r;
    use_area(r, r->room.samples);
    for (int64_t i = first; i < end; i++)
        (r->call->to_points ? strip_to_points : points_to_strip)(l, i);
}

static void copy_leg(const lot *l, void *to, const void *from, int64_t of_set,
                     enum cudaMemcpyKind kind)
{
    run *r = l->r;
    const int64_t bytes = 8 * r->s->problem.nmap * l->count * of_set;
    armilla_cuda_note(&r->work, cudaMemcpyAsync(to, from, (size_t)bytes, kind, r->work.stream));
}

/* A leg of the pairs that the strips own and no others, which goes to the host. */
static void values_to_rings(lot *l)
{
    const armilla_cuda_points_stages_problem *p = &l->r->s->problem;
    const armilla_cuda_points_share *share = l->r->call->share;
    const armilla_cuda_points_pairs own =
        armilla_cuda_points_own_pairs(p, share->first_strip, share->end_strip);
    armilla_leg_block block = *p->far->blocks;
    armilla_leg_layout layout = *p->far;
    block.first = own.first, block.npairs = own.count;
    block.row_length = armilla_leg_row_length(own.count);
    layout.blocks = &block, layout.size = armilla_leg_set_length(&block);
    l->far.layout = &layout;
    run_strips(l, share->first_strip, share->end_strip);
    copy_leg(l, share->rings + p->nmap * l->first * layout.size, l->far.values, layout.size,
             cudaMemcpyDeviceToHost);
}

static void leg_from_host(const lot *l)
{
    const armilla_cuda_points_stages_problem *p = &l->r->s->problem;
    copy_leg(l, l->far.values, l->r->call->share->leg + p->nmap * l->first * p->far->size,
             p->far->size, cudaMemcpyHostToDevice);
}

/* Values of doubles, where they are. */
static void turn(const lot *l)
{
    run *r = l->r;
    const armilla_cuda_points_share *share = r->call->share;
    if (!share || !share->gamma || share->leg || share->nvalues == 0) return;
    const armilla_cuda_lensing_view view = {.count = share->nvalues, .placed = 1};
    const armilla_cuda_turned turned = {.from = l->values.values,
                                        .to = l->values.values,
                                        .from_distance = l->values_distance,
                                        .to_distance = l->values_distance,
                                        .ncomp = r->s->problem.nmap,
                                        .ntrans = l->count,
                                        .spin = share->spin,
                                        .to_map = r->call->to_points,
                                        .gamma = share->gamma};
    armilla_cuda_note(&r->work, armilla_cuda_lensing_turn(&view, &turned, r->work.stream));
}

static void run_stages(lot *l)
{
    run *r = l->r;
    const armilla_cuda_points_stages_problem *p = &r->s->problem;
    const armilla_cuda_points_share *share = r->call->share;
    const int64_t nsets = p->nmap * l->count;
    double *leg = (double *)(void *)r->memory;
    l->near = (armilla_leg){p->near, nsets, leg, NULL};
    l->far = (armilla_leg){p->far, nsets, leg, NULL};
    if (share && share->rings) {
        values_to_rings(l);
        return;
    }
    if (r->call->to_points) alm_to_leg(l);
    if (share && share->leg)
        leg_from_host(l);
    else
        run_strips(l, share ? share->first_strip : 0, share ? share->end_strip : p->nstrips);
    if (!r->call->to_points) leg_to_alm(l);
}

/* --- A batch --------------------------------------------------------------------------------- */

/* What the caller has on the host is copied to the device where it is read, or where the result
 * leaves some of it as it is. Returned: the batch's numbers on the device. */
static armilla_array bring(run *r, const armilla_cuda_array *array, int64_t first, int64_t count,
                           char *copy, int needed)
{
    const int64_t items = first * array->copied.ncomp * array->copied.distance /
                          armilla_array_item_size(array->values);
    const armilla_array here = armilla_array_from(array->values, items);
    if (array->on_device) return here;
    if (needed)
        armilla_cuda_copy_to_device(NULL, &array->copied, count, copy, here.values, &r->work);
    return (armilla_array){copy, here.is_float};
}

static void take_back(run *r, const armilla_cuda_array *array, int64_t first, int64_t count,
                      char *copy)
{
    if (array->on_device) return;
    char *host =
        (char *)array->values.values + first * array->copied.ncomp * array->copied.distance;
    armilla_cuda_copy_to_host(NULL, &array->copied, count, host, copy, &r->work);
}

static void run_batch(run *r, int64_t first, int64_t count)
{
    const armilla_cuda_points_stages_problem *p = &r->s->problem;
    const int to_points = r->call->to_points;
    char *alm = r->memory + r->room.total, *values = alm + copy_bytes(&r->alm, r->batch);
    lot l = {.r = r, .first = first, .count = count};
    armilla_cuda_mark("begin", r->work.stream);
    l.alm = bring(r, &r->alm, first, count, alm, to_points || p->layout->size != r->s->alm_numbers);
    l.values = bring(r, &r->values, first, count, values, !to_points);
    l.alm_distance = r->alm.on_device ? r->call->alm_distance : p->layout->size;
    l.values_distance = r->values.on_device ? r->call->values_distance : count_values(r);
    armilla_cuda_mark("copy to device", r->work.stream);
    if (!to_points) turn(&l);
    run_stages(&l);
    if (to_points) turn(&l);
    take_back(r, to_points ? &r->values : &r->alm, first, count, to_points ? values : alm);
    armilla_cuda_mark("copy to host", r->work.stream);
}

static armilla_status run_all(run *r)
{
    const armilla_cuda_points_call *call = r->call;
    const armilla_cuda_listened listened = {&r->progress, &r->work, r->s->enqueuing,
                                            "values at points"};
    armilla_status status = ARMILLA_OK;
    armilla_progress_start(&r->progress, call->progress, call->progress_data, (double)call->ntrans);
    for (int64_t first = 0; first < call->ntrans && !status; first += r->batch) {
        const int64_t count = armilla_smaller(r->batch, call->ntrans - first);
        run_batch(r, first, count);
        status = armilla_cuda_reached(&listened, count);
    }
    return status;
}

static armilla_status run_here(run *r)
{
    armilla_status status = find_arrays(r);
    if (status || (status = check_capture(r)) || (status = take_memory(r))) return status;
    status = run_all(r);
    armilla_cuda_note(&r->work,
                      armilla_cuda_pool_give_back(r->s->device, r->memory, r->work.stream));
    if (is_on_host(r)) armilla_cuda_note(&r->work, cudaStreamSynchronize(r->work.stream));
    const armilla_status device = armilla_cuda_work_status(&r->work, "values at points");
    return status ? status : device;
}

armilla_status armilla_cuda_points_run(const armilla_cuda_points_stages *stages,
                                       const armilla_cuda_points *points,
                                       const armilla_cuda_points_call *call)
{
    run r = {.s = stages, .points = points, .call = call, .work = {.stream = call->stream}};
    int before;
    armilla_status status = armilla_cuda_enter_device(stages->device, &before);
    if (status) return status;
    pthread_mutex_lock(stages->enqueuing);
    status = run_here(&r);
    pthread_mutex_unlock(stages->enqueuing);
    armilla_cuda_leave_device(stages->device, before);
    return status;
}
