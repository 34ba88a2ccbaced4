/* Makes what a plan for points has on a GPU of what it has on the processor, sorts points there,
 * and hands calls over. */
#include "points/device.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/runtime/device.h"
#include "cuda/points_group.h"
#include "points/samples.h"
#include "sht/mode.h"
#include "sht/plan_device.h"

struct armilla_points_device {
    const armilla_cuda_shape *shape;
    armilla_cuda_precision precision; /* of Legendre functions */
    armilla_leg_layout near;
    armilla_cuda_points_strip *strips;
    armilla_cuda_points_group *group;
};

/* --- What is asked for ------------------------------------------------------------------------ */

armilla_status armilla_points_device_check(const armilla_points_options *options)
{
    return options->device == ARMILLA_CUDA
               ? armilla_cuda_check_devices(options->devices, options->ndevices)
               : ARMILLA_OK;
}

/* --- Memory ---------------------------------------------------------------------------------- */

/* Legendre functions: coefficients of steps, or their sums for each block of threads, of 512 ring
 * pairs in the shapes for many. */
static int64_t degree_bytes(const armilla_points_core *given, const armilla_sampling *s)
{
    enum { RINGS = 1024 };
    return 8 * (given->lmax + 2) * (given->lmax + 2) * (s->near_rings / RINGS + 1);
}

/* Both circles of all columns, and cuFFT's work area, which is as large as what it transforms. */
static int64_t circle_bytes(const armilla_sampling *s)
{
    const int64_t longer = armilla_larger(s->near_rings, s->nrings);
    return 16 * (s->mmax / 2 + 1) * 2 * (s->near_rings + s->nrings + longer);
}

/* Samples of some rows of both hemispheres, cuFFT's data, and its work area. */
static int64_t sample_bytes(int64_t rows, int64_t pitch)
{
    return 3 * 8 * 2 * rows * pitch;
}

static int64_t leg_bytes(const armilla_sampling *s)
{
    const int64_t rings = armilla_larger(s->nrings, s->near_rings);
    return 8 * (s->mmax + 1) * armilla_leg_row_length((rings + 1) / 2);
}

/* An eighth more than what all stages need of a component where nothing goes piece by piece. */
static int64_t whole_bytes(const armilla_points_core *given, const armilla_sampling *s)
{
    enum { AROUND = 64 }; /* more than the rows, and columns, around samples */
    const int64_t samples = sample_bytes(s->nrings / 2 + AROUND, s->nphi + AROUND);
    const int64_t most = armilla_larger(samples, circle_bytes(s));
    return leg_bytes(s) + armilla_larger(most, degree_bytes(given, s)) / 8 * 9;
}

armilla_status armilla_points_device_budget(const armilla_points_core *given,
                                            const armilla_sampling *sampling, int64_t array_bytes,
                                            int64_t *bytes)
{
    const int64_t least = (int64_t)512 << 20; /* so that small transforms go together */
    const int64_t whole = armilla_mode_nmap(given->spin) * whole_bytes(given, sampling);
    int64_t spare = 0;
    const armilla_status status =
        armilla_cuda()->gpus->spare_bytes(given->devices, given->ndevices, &spare);
    if (status) return status;
    *bytes = armilla_larger(armilla_larger(least, 2 * array_bytes), armilla_smaller(spare, whole));
    return ARMILLA_OK;
}

static int64_t strip_bytes(const armilla_points_core *core, int64_t bands)
{
    const int64_t rows = bands * ARMILLA_TILE_RINGS + 2 * armilla_points_reach(core);
    return core->nmap * sample_bytes(rows, core->pitch);
}

int64_t armilla_points_device_strips(const armilla_points_core *core)
{
    const int64_t nbands = armilla_points_count_bands(&core->sampling);
    const int64_t left = core->device_bytes - core->nmap * leg_bytes(&core->sampling);
    const int64_t share = armilla_larger(1, core->ndevices);
    int64_t count = armilla_larger(1, armilla_smaller(share, nbands - 1));
    while (count < nbands - 1 && strip_bytes(core, (nbands + count - 1) / count) > left) count++;
    return armilla_larger(count, armilla_smaller((count + share - 1) / share * share, nbands - 1));
}

/* --- Stages ---------------------------------------------------------------------------------- */

/* Where doubles are slow, others are taken if what their sums may err, of the largest value and
 * more with lmax (docs/gpu_inside.md), is less than the plan may when it has been divided by the
 * transforms of windows, which are 0.1 and more at the highest frequencies. */
static armilla_status choose_precision(const armilla_points_core *core,
                                       armilla_cuda_precision *precision)
{
    const double epsilon = core->sampling.epsilon, rise = 10 * (1 + (double)core->lmax / 1000);
    const armilla_cuda_arithmetic in_double = ARMILLA_CUDA_IN_DOUBLE;
    const armilla_status status =
        armilla_sht_usual_precision(core->lmax, core->spin, core->spin_method, precision);
    if (epsilon < ARMILLA_CUDA_POINTS_SINGLE || 1e-6 * rise > epsilon)
        precision->of_floats = precision->of_doubles;
    if (ARMILLA_CUDA_TWO_FLOATS_ERROR * rise > epsilon)
        precision->of_floats = precision->of_doubles = in_double;
    return status;
}

armilla_status armilla_points_device_begin(armilla_points_core *core,
                                           armilla_legendre_problem *problem)
{
    armilla_status status = armilla_allocate_zero(&core->device, 1, sizeof *core->device);
    if (status) return status;
    armilla_cuda_precision *precision = &core->device->precision;
    status = choose_precision(core, precision);
    const armilla_cuda_shape *shape = armilla_cuda()->shape->usual(
        problem->pairs->count, precision->of_doubles == ARMILLA_CUDA_IN_TWO_FLOATS);
    core->device->shape = shape;
    problem->lanes = shape->lanes, problem->vectors = shape->vectors, problem->keep_tables = 1;
    problem->single = precision->of_floats == ARMILLA_CUDA_IN_SINGLE;
    return status;
}

/* Rows of near rings take the place of those of fine ones: both are as long as the longer ones. */
static armilla_status make_near_leg(armilla_points_core *core)
{
    armilla_leg_layout *near = &core->device->near, *far = &core->leg;
    const armilla_leg_shape shape = {.pairs = &core->near,
                                     .npairs = core->near.count,
                                     .block_size = core->near.count,
                                     .room = 4,
                                     .mmax = core->mmax};
    armilla_status status = armilla_leg_layout_make(&shape, near);
    if (status) return status;
    const int64_t row_length =
        armilla_larger(far->blocks->row_length, armilla_leg_row_length(near->blocks->npairs));
    armilla_leg_layout_even(far, row_length);
    armilla_leg_layout_even(near, row_length);
    core->row_length = row_length;
    return ARMILLA_OK;
}

static armilla_cuda_points_strip strip_of(const armilla_points_core *core,
                                          const armilla_points_strip *strip)
{
    armilla_cuda_points_strip made = {.band = strip->band,
                                      .end_band = strip->end_band,
                                      .first = strip->first,
                                      .rows = strip->rows,
                                      .first_pair = strip->first_pair,
                                      .npairs = strip->npairs,
                                      .first_own = strip->first_own,
                                      .nown = strip->nown};
    for (int south = 0; south < 2; south++) {
        const armilla_points_side side = armilla_points_side_of(core, strip, south, NULL);
        made.side[south].first = side.first;
        made.side[south].begin = side.begin, made.side[south].end = side.end;
    }
    return made;
}

static armilla_status make_strips(const armilla_points_core *core)
{
    armilla_points_device *device = core->device;
    armilla_status status =
        armilla_allocate(&device->strips, core->nstrips, sizeof *device->strips);
    for (int64_t i = 0; i < core->nstrips && !status; i++)
        device->strips[i] = strip_of(core, &core->strips[i]);
    return status;
}

armilla_status armilla_points_device_make(armilla_points_core *core,
                                          const armilla_theta_problem *theta)
{
    armilla_points_device *device = core->device;
    armilla_status status = make_near_leg(core);
    if (status || (status = make_strips(core))) return status;
    const armilla_cuda_points_stages_problem problem = {.legendre = core->legendre,
                                                        .shape = device->shape,
                                                        .precision = device->precision,
                                                        .theta = theta,
                                                        .near = &device->near,
                                                        .far = &core->leg,
                                                        .layout = core->layout,
                                                        .mmax = core->mmax,
                                                        .spin = core->spin,
                                                        .nalm = core->nalm,
                                                        .nmap = core->nmap,
                                                        .degree_factor = core->degree_factor,
                                                        .order_factor = core->order_factor,
                                                        .nphi = core->sampling.nphi,
                                                        .left = core->left,
                                                        .pitch = core->pitch,
                                                        .half = core->sampling.nrings / 2,
                                                        .most_rows = core->most_rows,
                                                        .nstrips = core->nstrips,
                                                        .strips = device->strips,
                                                        .memory_bytes = core->device_bytes};
    return armilla_cuda()->points->make(&problem, core->devices, core->ndevices, &device->group);
}

void armilla_points_device_free(armilla_points_device *device)
{
    if (!device) return;
    armilla_cuda_free(device->group);
    armilla_leg_layout_clear(&device->near);
    armilla_release(device->strips);
    armilla_release(device);
}

/* --- Points ---------------------------------------------------------------------------------- */

/* Names the first point that is wrong, which the host looks for. */
static armilla_status fail_first(int64_t npoints, const double *points)
{
    double *host;
    armilla_status status = armilla_allocate(&host, 2 * npoints, sizeof *host);
    if (status) return status;
    status = armilla_cuda()->points->fetch(npoints, points, host);
    if (!status) status = armilla_points_check(npoints, host);
    armilla_release(host);
    return status;
}

static armilla_status check_shared_points(const double *points, armilla_memory memory)
{
    const armilla_cuda_shared shared = {.name = {"points"}, .values = {points}};
    if (memory != ARMILLA_MEMORY_DEVICE) return armilla_cuda()->gpus->check_shared(&shared);
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "options->points_memory = ARMILLA_MEMORY_DEVICE: a plan on several GPUs "
                        "(options->devices) takes points of the host");
}

/* number: of the points that were taken; it gets their cells. */
static void tell_extent(const armilla_cuda_points_survey *survey,
                        const armilla_cuda_point_bounds *found, int64_t *number,
                        armilla_points_extent *extent)
{
    const armilla_points_bounds bounds = {.theta = {found->north, found->south},
                                          .from_equator = found->from_equator};
    for (int64_t i = 0; i < survey->taken; i++)
        number[i] = armilla_points_cell(survey->sample + 2 * i);
    *extent = armilla_points_extent_by(&bounds, survey->count, number);
}

armilla_status armilla_points_device_see(const armilla_points_core *given, int64_t npoints,
                                         const double **points, armilla_memory memory, int *there,
                                         armilla_points_extent *extent)
{
    int64_t number[ARMILLA_SURVEY_SAMPLE];
    double sample[2 * ARMILLA_SURVEY_SAMPLE];
    armilla_cuda_point_bounds found;
    *there = 0;
    if (npoints == 0) return ARMILLA_OK;
    if (given->ndevices > 1) return check_shared_points(*points, memory);
    armilla_cuda_points_survey survey = {
        npoints, *points, armilla_points_take_sample(npoints, number), number, sample};
    const armilla_status status = armilla_cuda()->points->see(memory, &survey, there, &found);
    if (status || !*there) return status;
    *points = survey.points;
    if (found.wrong) return fail_first(npoints, *points);
    tell_extent(&survey, &found, number, extent);
    return ARMILLA_OK;
}

armilla_cuda_points_problem armilla_points_device_problem(const armilla_points_core *core)
{
    const armilla_sampling *sampling = &core->sampling;
    const armilla_window_table *table = &core->table;
    return (armilla_cuda_points_problem){.whole = sampling->whole,
                                         .first = sampling->first,
                                         .nrings = sampling->nrings,
                                         .nphi = sampling->nphi,
                                         .taps = sampling->taps,
                                         .degree = table->degree,
                                         .coefficient = table->coefficient[1] + ARMILLA_WINDOW_ROOM,
                                         .row_length = ARMILLA_WINDOW_ROW,
                                         .epsilon = sampling->epsilon};
}

armilla_status armilla_points_device_sort(const armilla_points_core *core, int64_t npoints,
                                          const double *points, int there,
                                          armilla_cuda_points_shares **sorted)
{
    const armilla_cuda_points_problem problem = armilla_points_device_problem(core);
    return armilla_cuda()->points->sort(core->device->group, &problem, npoints, points, there,
                                        sorted);
}

/* --- Calls ----------------------------------------------------------------------------------- */

armilla_status armilla_points_device_run(const armilla_points *plan, int to_points,
                                         armilla_array alm, armilla_array values,
                                         const armilla_exec *exec)
{
    const armilla_cuda_points_call call = {
        .to_points = to_points, .alm = alm, .values = values, .exec = *exec};
    return armilla_cuda()->points->run(plan->sorted, &call);
}

int armilla_points_device_number(const armilla_points_core *core)
{
    return armilla_cuda_device(core->device->group);
}

armilla_cuda_points_needs armilla_points_device_needs(const armilla_points *plan)
{
    const armilla_points_device *device = plan->core->device;
    return device ? armilla_cuda()->points->needs(device->group, plan->sorted)
                  : (armilla_cuda_points_needs){0};
}
