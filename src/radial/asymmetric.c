/* Convolution with sums of radial kernels at offsets: see armilla/asymmetric.h.
 *
 * A kernel at an offset, looked up at the pixels of a ring, is the radial convolution at other
 * places: those of a ring at another colatitude, displaced in longitude, of as many pixels. So each
 * kernel has a plan whose grid has the rings of the map as sources and the displaced ones as
 * targets; a target lies in the map where the pixels are that it is for, since nobody reads it:
 *
 *     rings of the plan   0 .. nrings - 1           nrings .. 2 nrings - 1
 *     theta, phi0         of the grid               displaced
 *     offset, stride      of the grid, map is read  of the grid, out is written
 *
 * A kernel at offset 0 has a plain radial plan on the grid: psi plays no part there, and images of
 * rings share their kernel values. */
#include "armilla/asymmetric.h"

#include "base/colatitude.h"
#include "base/directions.h"
#include "base/integer.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"
#include "call/call.h"
#include "grid/grid.h"
#include "radial/apply.h"
#include "radial/normalization.h"
#include "radial/part.h"

#include <math.h>

struct armilla_asymmetric {
    armilla_grid *grid;
    int64_t count;
    armilla_radial **parts; /* [count] */
    double *weights;        /* [count] */
};

/* What a plan is made of. */
typedef struct {
    const armilla_grid *grid;
    int64_t count;
    const armilla_kernel *const *kernels;
    const double *offsets, *weights, *psi;
    armilla_radial_options options;
} request;

/* --- Arguments -------------------------------------------------------------------------------- */

static armilla_status check_kernels(const request *q)
{
    const armilla_directions places = {"offsets", "offset", q->count, 2, q->offsets};
    if (q->count < 1 || q->count > 1000000)
        return armilla_fail_argument("nkernels", q->count, "must be 1 to 1000000");
    armilla_status status = armilla_check_given("kernels", q->kernels);
    for (int64_t j = 0; j < q->count && !status; j++)
        if (!q->kernels[j])
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "kernels[%lld] = NULL: must be given",
                                (long long)j);
    if (!status) status = armilla_directions_check(&places);
    if (!status) status = armilla_check_finite("weights", q->count, 1, q->weights);
    if (status || !q->psi) return status;
    return armilla_check_finite("psi", q->grid->nrings, 1, q->psi);
}

static armilla_status check_options(const armilla_radial_options *options)
{
    if (options->mode != ARMILLA_RADIAL_EXACT)
        return armilla_fail_argument("options->mode", options->mode, "must be EXACT (0)");
    if (options->method == ARMILLA_RADIAL_RINGS)
        return armilla_fail_argument("options->method", options->method,
                                     "must be FASTEST (0) or PIXELS (1)");
    if (options->spin) return armilla_fail_argument("options->spin", options->spin, "must be 0");
    if (options->device != ARMILLA_CPU)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "options->device = ARMILLA_CUDA: kernels that are not symmetric run "
                            "on the processor alone");
    return ARMILLA_OK;
}

/* --- Plans ------------------------------------------------------------------------------------ */

/* The ring of places that a kernel away from the axis is looked up at for the pixels of a ring. */
static armilla_ring displace(const armilla_ring *ring, const double *offset, double psi)
{
    const double theta = armilla_colatitude_taken(ring->theta);
    const double away = armilla_colatitude_taken(offset[0]);
    const double x = sin(away) * cos(offset[1] + psi), y = sin(away) * sin(offset[1] + psi);
    const double z = away < M_PI ? cos(away) : -1;
    const double south = cos(theta) * x + sin(theta) * z, up = cos(theta) * z - sin(theta) * x;
    armilla_ring made = *ring;
    made.weight = 0;
    made.theta = atan2(hypot(south, y), up);
    made.phi0 = ring->phi0 + atan2(y, south);
    return made;
}

static armilla_status make_grid(const request *q, int64_t j, armilla_grid **grid)
{
    const int64_t nrings = q->grid->nrings;
    const armilla_status status = armilla_grid_allocate(ARMILLA_GRID_CUSTOM, 2 * nrings, grid);
    if (status) return status;
    (*grid)->npix = q->grid->npix;
    for (int64_t r = 0; r < nrings; r++) {
        (*grid)->rings[r] = q->grid->rings[r];
        (*grid)->rings[nrings + r] =
            displace(&q->grid->rings[r], q->offsets + 2 * j, q->psi ? q->psi[r] : 0);
    }
    return ARMILLA_OK;
}

/* The choices that a plan on the grid of the maps would make. */
static armilla_status settle(const request *q, int64_t j, armilla_radial_options *options)
{
    const armilla_kernel *kernel = q->kernels[j];
    armilla_status status = ARMILLA_OK;
    *options = q->options;
    options->method = ARMILLA_RADIAL_PIXELS;
    if (options->support == 0)
        status = armilla_kernel_choose_support(kernel, options->truncation_error, 0, NULL,
                                               &options->support);
    if (!status && options->normalization == ARMILLA_RADIAL_AUTO)
        options->normalization =
            armilla_radial_choose_normalization(kernel, options->support, q->grid);
    return status;
}

static armilla_status make_part(const request *q, int64_t j, armilla_radial **part)
{
    armilla_radial_options options;
    armilla_grid *grid;
    armilla_status status = settle(q, j, &options);
    if (!status && q->offsets[2 * j] == 0)
        return armilla_radial_new(q->grid, q->kernels[j], &options, part);
    if (status || (status = make_grid(q, j, &grid))) return status;
    status = armilla_radial_new_between(grid, q->grid->nrings, q->kernels[j], &options, part);
    armilla_grid_free(grid);
    return status;
}

static armilla_status make_plan(const request *q, armilla_asymmetric *plan)
{
    armilla_status status = armilla_grid_copy(q->grid, &plan->grid);
    if (!status) status = armilla_allocate_zero(&plan->parts, q->count, sizeof(armilla_radial *));
    if (!status) status = armilla_allocate(&plan->weights, q->count, sizeof *plan->weights);
    for (int64_t j = 0; j < q->count && !status; j++, plan->count = j) {
        plan->weights[j] = q->weights[j];
        status = make_part(q, j, &plan->parts[j]);
    }
    return status;
}

armilla_status armilla_asymmetric_new(const armilla_grid *grid, int64_t nkernels,
                                      const armilla_kernel *const *kernels, const double *offsets,
                                      const double *weights, const double *psi,
                                      const armilla_radial_options *options,
                                      armilla_asymmetric **plan)
{
    request q = {grid, nkernels, kernels, offsets, weights, psi, {0}};
    armilla_asymmetric *made;
    armilla_status status = armilla_radial_take_options(options, &q.options);
    if (!status) status = check_options(&q.options);
    if (!status) status = armilla_check_given("grid", grid);
    if (!status) status = armilla_check_given("plan", plan);
    if (!status) status = armilla_grid_refuse_nested(grid, "a plan for asymmetric kernels");
    if (!status) status = check_kernels(&q);
    if (status || (status = armilla_allocate_zero(&made, 1, sizeof *made))) return status;
    status = make_plan(&q, made);
    if (status)
        armilla_asymmetric_free(made);
    else
        *plan = made;
    return status;
}

void armilla_asymmetric_free(armilla_asymmetric *plan)
{
    if (!plan) return;
    for (int64_t j = 0; j < plan->count; j++) armilla_radial_free(plan->parts[j]);
    armilla_release(plan->parts);
    armilla_release(plan->weights);
    armilla_grid_free(plan->grid);
    armilla_release(plan);
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* Adds a part, times its weight, to the result. */
typedef struct {
    const armilla_grid *grid;
    armilla_maps maps; /* from the part to the result */
    int64_t nmaps;
    double weight;
    int is_first; /* nothing is there yet */
} addition;

static void add_ring(void *context, int64_t number, int thread)
{
    (void)thread;
    const addition *a = context;
    const int64_t r = number / a->nmaps;
    const armilla_maps one = armilla_maps_from(&a->maps, number % a->nmaps);
    for (int64_t j = 0; j < a->grid->rings[r].nphi; j++) {
        const int64_t at = armilla_grid_place(a->grid, r, j);
        const double before = a->is_first ? 0 : armilla_array_get(one.out, at);
        armilla_array_put(one.out, at, before + a->weight * armilla_array_get(one.in, at));
    }
}

/* Given: call with nmaps;  part  room for as many maps, of the type of those of the call. */
static armilla_status run_maps(const armilla_asymmetric *plan, armilla_radial_call call,
                               const armilla_maps *maps, armilla_array part)
{
    const int64_t npix = plan->grid->npix;
    armilla_status status = ARMILLA_OK;
    for (int64_t j = 0; j < plan->count && !status; j++) {
        const armilla_maps made = {maps->in, part, maps->in_distance, npix};
        addition a = {.grid = plan->grid,
                      .maps = {part, maps->out, npix, maps->out_distance},
                      .nmaps = call.nmaps,
                      .weight = plan->weights[j],
                      .is_first = j == 0};
        call.radial = plan->parts[j];
        status = armilla_radial_apply(&call, &made);
        if (!status) armilla_team_run(call.nthreads, plan->grid->nrings * call.nmaps, add_ring, &a);
    }
    return status;
}

static double count_units(const armilla_asymmetric *plan, int64_t ntrans)
{
    const int64_t steps = (ntrans + ARMILLA_RADIAL_MAPS - 1) / ARMILLA_RADIAL_MAPS;
    double units = 0;
    for (int64_t j = 0; j < plan->count; j++) units += armilla_radial_sum_units(plan->parts[j]);
    return units * (double)steps;
}

static armilla_status run(const armilla_asymmetric *plan, int transposed, const armilla_maps *maps,
                          const armilla_exec *exec)
{
    armilla_progress progress;
    armilla_radial_call call = {.transposed = transposed,
                                .nthreads = armilla_team_size(exec->nthreads),
                                .progress = &progress};
    const int64_t most = armilla_smaller(exec->ntrans, ARMILLA_RADIAL_MAPS);
    armilla_array part = {NULL, maps->in.is_float};
    armilla_status status = armilla_allocate_zero(&part.values, most * plan->grid->npix,
                                                  (size_t)armilla_array_item_size(part));
    armilla_progress_start(&progress, exec->progress, exec->progress_data,
                           count_units(plan, exec->ntrans));
    for (int64_t t = 0; t < exec->ntrans && !status; t += most) {
        const armilla_maps some = armilla_maps_from(maps, t);
        call.nmaps = armilla_smaller(exec->ntrans - t, most);
        status = run_maps(plan, call, &some, part);
    }
    armilla_release(part.values);
    return status;
}

static armilla_status execute(const armilla_asymmetric *plan, int transposed, armilla_array map,
                              armilla_array out, const armilla_exec *given)
{
    armilla_exec exec;
    armilla_status status = armilla_check_given("plan", plan);
    if (!status) status = armilla_check_given("map", map.values);
    if (!status) status = armilla_check_given("out", out.values);
    if (status) return status;
    const armilla_call_arrays arrays = {.npix = plan->grid->npix, .nmap = 1, .grid = plan->grid};
    if ((status = armilla_call_check(&arrays, given, &exec))) return status;
    const armilla_maps maps = {map, out, exec.map_distance, exec.map_distance};
    status = armilla_call_check_missing(&arrays, map, NULL, &exec);
    return status ? status : run(plan, transposed, &maps, &exec);
}

armilla_status armilla_asymmetric_convolve(const armilla_asymmetric *plan, const double *map,
                                           double *out, const armilla_exec *exec)
{
    return execute(plan, 0, armilla_array_of_doubles(map), armilla_array_of_doubles(out), exec);
}

armilla_status armilla_asymmetric_convolve_float(const armilla_asymmetric *plan, const float *map,
                                                 float *out, const armilla_exec *exec)
{
    return execute(plan, 0, armilla_array_of_floats(map), armilla_array_of_floats(out), exec);
}

armilla_status armilla_asymmetric_adjoint(const armilla_asymmetric *plan, const double *map,
                                          double *out, const armilla_exec *exec)
{
    return execute(plan, 1, armilla_array_of_doubles(map), armilla_array_of_doubles(out), exec);
}

armilla_status armilla_asymmetric_adjoint_float(const armilla_asymmetric *plan, const float *map,
                                                float *out, const armilla_exec *exec)
{
    return execute(plan, 1, armilla_array_of_floats(map), armilla_array_of_floats(out), exec);
}

/* --- What it is ------------------------------------------------------------------------------- */

static armilla_status add_part(const armilla_radial *part, int nthreads,
                               armilla_asymmetric_description *whole)
{
    armilla_radial_description told = {.size = sizeof told};
    const armilla_status status = armilla_radial_describe(part, nthreads, &told);
    whole->isa = told.isa;
    whole->support = fmax(whole->support, told.support);
    whole->truncation_error = fmax(whole->truncation_error, told.truncation_error);
    whole->width = fmin(whole->width, told.width);
    whole->pairs += told.pairs, whole->plan_bytes += told.plan_bytes;
    whole->workspace_bytes = armilla_larger(whole->workspace_bytes, told.workspace_bytes);
    return status;
}

armilla_status armilla_asymmetric_describe(const armilla_asymmetric *plan, int nthreads,
                                           armilla_asymmetric_description *description)
{
    armilla_status status = armilla_check_given("plan", plan);
    if (status) return status;
    armilla_asymmetric_description whole = {.nkernels = plan->count,
                                            .width = M_PI,
                                            .pixel = armilla_radial_pixel(plan->grid),
                                            .nrings = plan->grid->nrings,
                                            .npix = plan->grid->npix};
    for (int64_t j = 0; j < plan->count && !status; j++)
        status = add_part(plan->parts[j], nthreads, &whole);
    whole.workspace_bytes += 8 * plan->grid->npix;
    return status ? status
                  : armilla_description_give("description", "armilla_asymmetric_description",
                                             &whole, sizeof whole, description);
}
