/* Runs transforms between alm and points on a GPU, as many at once as memory allows: the stages,
 * and where a map is made of the values, or they come from one, the step between. */
#include "base/integer.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/runtime/frame.h"
#include "cuda/runtime/marks.h"
#include "cuda/stages/points_stages.h"

enum { ALM, MAP }; /* arrays of the frame; MAP: values at points, or a map that is made of them */

typedef struct {
    const armilla_cuda_points_stages *s;
    const armilla_cuda_points *points;
    const armilla_cuda_points_call *call;
    int64_t batch; /* transforms at once */
    int beside;    /* are values at points in memory of the call? */
    armilla_cuda_points_room room;
    armilla_cuda_frame frame; /* its memory: leg, area, values, copies */
} run;

/* --- Arrays ----------------------------------------------------------------------------------- */

/* Values at points, and numbers of the map, of a component. */
static int64_t count_values(const run *r)
{
    return r->call->share ? r->call->share->nvalues : r->points->count;
}

static int64_t map_size(const run *r)
{
    const armilla_cuda_points_end *end = r->call->end;
    return end && !r->call->share ? end->view.npix : count_values(r);
}

/* What the GPU's share of the call has nothing of is an array of no numbers. Places of a map of the
 * host that are no pixels stay as they are. */
static void set_arrays(run *r)
{
    const armilla_cuda_points_stages_problem *p = &r->s->problem;
    const armilla_cuda_points_call *call = r->call;
    const armilla_cuda_points_share *share = call->share;
    const int64_t nalm = share && share->rings ? 0 : 2 * p->layout->size;
    const int64_t nmap = share && share->leg ? 0 : map_size(r);
    armilla_cuda_array *alm = &r->frame.array[ALM], *map = &r->frame.array[MAP];
    *alm = armilla_cuda_array_of("alm", call->alm, p->nalm, nalm, 2 * call->exec.alm_distance);
    *map = armilla_cuda_array_of(call->end ? "map" : "values", call->values, p->nmap, nmap,
                                 call->exec.map_distance);
    alm->comes = call->to_points || p->layout->size != r->s->alm_numbers;
    alm->goes = !call->to_points, map->goes = call->to_points;
    map->comes = !call->to_points || (call->end && !call->end->view.placed);
}

/* Does something happen between points and map? */
static int turns(const run *r)
{
    const armilla_cuda_points_end *end = r->call->end;
    return end && (end->spin || !end->view.placed);
}

/* Values turn where they are if each is at a place of the map and nobody else has it: the map of an
 * adjoint on the device is an input. */
static int is_beside(const run *r)
{
    const int own = r->call->to_points || !r->frame.array[MAP].on_device;
    return turns(r) && !(r->call->end->view.placed && own);
}

/* --- Memory ---------------------------------------------------------------------------------- */

static int64_t value_bytes(const run *r, int64_t batch)
{
    if (!r->beside) return 0;
    return armilla_cuda_round_part(8 * batch * r->s->problem.nmap * count_values(r));
}

static int64_t total_bytes(const run *r, int64_t batch, int64_t slots)
{
    const armilla_cuda_points_room room =
        armilla_cuda_points_room_of(r->s, r->points, r->call->to_points, batch);
    return room.total + value_bytes(r, batch) +
           slots * armilla_cuda_frame_copy_bytes(&r->frame, batch);
}

/* As many transforms at once as memory allows, or one: launches have sets in one dimension of their
 * grids. Returned: slots for copies. */
static int64_t choose_batch(run *r)
{
    enum { MOST_SETS = 32768 };
    const armilla_cuda_points_stages_problem *p = &r->s->problem;
    const int64_t ntrans = r->call->exec.ntrans;
    int64_t batch = armilla_smaller(ntrans, MOST_SETS / p->nmap);
    batch = armilla_cuda_frame_cut(&r->frame, ntrans, batch);
    while (batch > 1 && total_bytes(r, batch, 1 + (batch < ntrans)) > p->memory_bytes) batch /= 2;
    r->batch = batch;
    r->room = armilla_cuda_points_room_of(r->s, r->points, r->call->to_points, batch);
    return batch < ntrans && total_bytes(r, batch, 2) <= p->memory_bytes ? 2 : 1;
}

static armilla_status take_parts(run *r)
{
    r->beside = is_beside(r);
    const int64_t slots = choose_batch(r);
    armilla_cuda_frame_plan(&r->frame, r->batch, slots);
    const int64_t own = r->room.total + value_bytes(r, r->batch);
    return armilla_cuda_frame_take(&r->frame, armilla_larger(own, ARMILLA_CUDA_ALIGNMENT), 1);
}

/* --- Stages ---------------------------------------------------------------------------------- */

/* Transforms at once, with arrays on the device. */
typedef struct {
    run *r;
    int64_t first, count;
    armilla_array alm, map, values; /* values: at points; they may be the map */
    int64_t alm_distance, map_distance, values_distance;
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
    r->frame.work.scratch = r->frame.memory + r->room.leg + from;
    r->frame.work.scratch_bytes = r->room.area - from;
}

static armilla_array samples_of(const run *r)
{
    return (armilla_array){r->frame.memory + r->room.leg,
                           armilla_cuda_points_are_single(r->points, r->call->values)};
}

static void alm_to_leg(const lot *l)
{
    run *r = l->r;
    const armilla_alm_rows rows = rows_of(l);
    use_area(r, 0);
    armilla_cuda_legendre_to_leg(r->s->legendre, &rows, &l->near, &r->frame.work);
    armilla_cuda_mark("legendre", r->frame.work.stream);
    armilla_cuda_theta_to_far(r->s->theta, &l->far, &r->frame.work);
    armilla_cuda_mark("theta", r->frame.work.stream);
}

static void leg_to_alm(const lot *l)
{
    run *r = l->r;
    const armilla_cuda_points_stages_problem *p = &r->s->problem;
    const armilla_alm_rows rows = rows_of(l);
    use_area(r, 0);
    armilla_cuda_theta_to_near(r->s->theta, &l->far, &r->frame.work);
    armilla_cuda_mark("theta", r->frame.work.stream);
    armilla_cuda_legendre_from_leg(r->s->legendre, &l->near, &rows, &r->frame.work);
    armilla_cuda_legendre_clear_orders(&rows, p->nmap * l->count, p->mmax + 1, p->layout->mmax,
                                       &r->frame.work);
    armilla_cuda_mark("legendre", r->frame.work.stream);
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
    armilla_cuda_strips_to_samples(r->s->strips, &strip, &l->far, samples_of(r), &r->frame.work);
    armilla_cuda_mark("rings", r->frame.work.stream);
    for (int64_t t = 0; t < l->count; t++) {
        const armilla_cuda_point_samples samples = samples_for(l, t, number);
        armilla_cuda_points_interpolate(r->points, &samples, values_of(l, t), l->values_distance,
                                        &r->frame.work);
    }
    armilla_cuda_mark("points", r->frame.work.stream);
}

static void points_to_strip(const lot *l, int64_t number)
{
    run *r = l->r;
    const armilla_cuda_strip strip = armilla_cuda_points_strip_of(r->s, number, 0);
    for (int64_t t = 0; t < l->count; t++) {
        const armilla_cuda_point_samples samples = samples_for(l, t, number);
        armilla_cuda_points_spread(r->points, values_of(l, t), l->values_distance, &samples,
                                   &r->frame.work);
    }
    armilla_cuda_mark("points", r->frame.work.stream);
    armilla_cuda_strips_from_samples(r->s->strips, &strip, samples_of(r), &l->far, &r->frame.work);
    armilla_cuda_mark("rings", r->frame.work.stream);
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
    armilla_cuda_note(&r->frame.work,
                      cudaMemcpyAsync(to, from, (size_t)bytes, kind, r->frame.work.stream));
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

/* Values of doubles, to the map or from it. */
static void turn(const lot *l)
{
    run *r = l->r;
    const int to_map = r->call->to_points;
    const armilla_cuda_points_end *end = r->call->end;
    double *map = l->map.values, *values = l->values.values;
    if (!turns(r)) return;
    const armilla_cuda_turned turned = {
        .from = to_map ? values : map,
        .to = to_map ? map : values,
        .from_distance = to_map ? l->values_distance : l->map_distance,
        .to_distance = to_map ? l->map_distance : l->values_distance,
        .ncomp = r->s->problem.nmap,
        .ntrans = l->count,
        .spin = end->spin,
        .to_map = to_map,
        .gamma = end->gamma};
    armilla_cuda_note(&r->frame.work,
                      armilla_cuda_lensing_turn(&end->view, &turned, r->frame.work.stream));
}

static void run_stages(lot *l)
{
    run *r = l->r;
    const armilla_cuda_points_stages_problem *p = &r->s->problem;
    const armilla_cuda_points_share *share = r->call->share;
    const int64_t nsets = p->nmap * l->count;
    double *leg = (double *)(void *)r->frame.memory;
    l->near = (armilla_leg){p->near, nsets, leg, NULL, 0};
    l->far = (armilla_leg){p->far, nsets, leg, NULL, 0};
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

/* --- Calls ------------------------------------------------------------------------------------ */

/* Where a batch is on the device. */
static lot find_lot(run *r, int64_t first, int64_t count)
{
    const armilla_cuda_points_stages_problem *p = &r->s->problem;
    const armilla_exec *exec = &r->call->exec;
    const armilla_cuda_array *arrays = r->frame.array;
    armilla_array here[ARMILLA_CUDA_ARRAYS] = {
        armilla_array_from(arrays[ALM].values, 2 * first * p->nalm * exec->alm_distance),
        armilla_array_from(arrays[MAP].values, first * p->nmap * exec->map_distance)};
    armilla_cuda_frame_begin(&r->frame, count, here);
    lot l = {.r = r, .first = first, .count = count, .alm = here[ALM], .map = here[MAP]};
    l.alm_distance = arrays[ALM].on_device ? exec->alm_distance : p->layout->size;
    l.map_distance = arrays[MAP].on_device ? exec->map_distance : map_size(r);
    l.values = l.map, l.values_distance = l.map_distance;
    if (r->beside) {
        l.values = (armilla_array){r->frame.memory + r->room.total, 0};
        l.values_distance = count_values(r);
    }
    return l;
}

static armilla_status run_batch(run *r, int64_t first, int64_t count)
{
    lot l = find_lot(r, first, count);
    if (!r->call->to_points) turn(&l);
    run_stages(&l);
    if (r->call->to_points) turn(&l);
    armilla_cuda_frame_end(&r->frame, count);
    return armilla_cuda_frame_reached(&r->frame, count);
}

static armilla_status run_all(run *r)
{
    const armilla_exec *exec = &r->call->exec;
    armilla_status status = take_parts(r);
    armilla_progress_start(&r->frame.progress, exec->progress, exec->progress_data,
                           (double)exec->ntrans);
    for (int64_t first = 0; first < exec->ntrans && !status; first += r->batch)
        status = run_batch(r, first, armilla_smaller(r->batch, exec->ntrans - first));
    return status;
}

armilla_status armilla_cuda_points_run(const armilla_cuda_points_stages *stages,
                                       const armilla_cuda_points *points,
                                       const armilla_cuda_points_call *call)
{
    run r = {
        .s = stages,
        .points = points,
        .call = call,
        .frame = {.what = call->end ? "lensed maps" : "values at points",
                  .device = stages->device,
                  .exec = &call->exec,
                  .waits = call->share ? "exec->stream: several GPUs wait for each other" : NULL,
                  .lock = stages->enqueuing}};
    set_arrays(&r);
    const armilla_status status = armilla_cuda_frame_open(&r.frame);
    return status ? status : armilla_cuda_frame_close(&r.frame, run_all(&r));
}
