/* Values of maps between their pixels: analysis, then values at points; see armilla/points.h. Only
 * public operators do the work, one transform at a time. */
#include "armilla/points.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/progress.h"
#include "call/call.h"
#include "grid/missing.h"

void armilla_interpolation_options_init_sized(armilla_interpolation_options *options, size_t size)
{
    const armilla_interpolation_options defaults = {
        .lmax = -1, .mmax = -1, .max_iterations = 100, .epsilon = 1e-7};
    armilla_options_give(&defaults, sizeof defaults, options, size);
}

typedef struct {
    armilla_interpolation_options options;
    const armilla_grid *grid;
    int64_t lmax, mmax, npoints;
    const double *points;
    int is_float, is_exact, is_direct;
    armilla_points_options at;
    armilla_sht *sht;
    armilla_points *plan; /* NULL: direct */
    void *alm;            /* of one transform */
    armilla_exec exec, inner;
    armilla_relay relay;
} job;

/* --- What is asked for ------------------------------------------------------------------------ */

static int64_t longest_ring(const armilla_grid *grid)
{
    int64_t longest = 0;
    for (int64_t r = 0; r < armilla_grid_nrings(grid); r++) {
        armilla_ring ring = {0};
        if (!armilla_grid_ring(grid, r, &ring) && ring.nphi > longest) longest = ring.nphi;
    }
    return longest;
}

/* Reduced grids have rings that are too short for what their colatitudes allow; elsewhere mmax
 * follows. */
static int64_t default_lmax(const armilla_grid *grid, int64_t mmax)
{
    const int64_t most = armilla_grid_exact_lmax(grid);
    if (armilla_grid_get_kind(grid) != ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE) return most;
    const int64_t exact = armilla_grid_exact_lmax_for(grid, mmax);
    return exact < 0 ? most : exact;
}

static armilla_status find_band_limit(job *j)
{
    const int64_t exact = armilla_grid_exact_lmax(j->grid);
    const int64_t resolved = (longest_ring(j->grid) - 1) / 2;
    j->lmax = j->options.lmax, j->mmax = j->options.mmax;
    if (j->lmax == -1 && exact < 0)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->lmax = -1: must be given for a grid without an exact rule");
    if (j->lmax == -1) j->lmax = default_lmax(j->grid, j->mmax);
    if (j->mmax == -1) j->mmax = j->lmax <= exact && resolved < j->lmax ? resolved : j->lmax;
    j->is_exact = j->mmax >= 0 && j->lmax <= armilla_grid_exact_lmax_for(j->grid, j->mmax);
    return armilla_check_band_limit(j->lmax, j->mmax);
}

static int64_t components(const job *j)
{
    return j->options.spin ? 2 : 1;
}

static armilla_status check_exec(const armilla_exec *exec, job *j)
{
    const armilla_call_arrays arrays = {.alm_size = armilla_alm_size(j->lmax, j->mmax),
                                        .nalm = components(j),
                                        .npix = armilla_grid_npix(j->grid),
                                        .nmap = components(j)};
    armilla_status status = armilla_call_check(&arrays, exec, &j->exec);
    if (status) return status;
    if (exec && exec->map_distance)
        return armilla_fail_argument("map_distance", exec->map_distance, "must be 0");
    if (exec && exec->alm_distance)
        return armilla_fail_argument("alm_distance", exec->alm_distance, "must be 0");
    armilla_exec_init(&j->inner);
    j->inner.nthreads = j->exec.nthreads;
    armilla_relay_start(&j->relay, j->exec.progress, j->exec.progress_data);
    if (j->exec.progress) {
        j->inner.progress = armilla_relay_report;
        j->inner.progress_data = &j->relay;
    }
    return ARMILLA_OK;
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {sizeof(armilla_interpolation_options), 0};

static armilla_status take(const armilla_grid *grid, int64_t npoints, const double *points,
                           const armilla_interpolation_options *options, job *j)
{
    armilla_status status = armilla_check_given("grid", grid);
    armilla_interpolation_options_init(&j->options);
    if (!status)
        status = armilla_options_copy("options", "armilla_interpolation_options", options, VERSIONS,
                                      &j->options);
    if (status) return status;
    j->grid = grid, j->npoints = npoints, j->points = points;
    if (j->options.max_iterations < 0)
        return armilla_fail_argument("options->max_iterations", j->options.max_iterations,
                                     "must be at least 0");
    if ((status = find_band_limit(j))) return status;
    armilla_points_options_init(&j->at);
    j->at.spin = j->options.spin, j->at.isa = j->options.isa;
    j->at.derivatives = j->options.derivatives, j->at.epsilon = j->options.epsilon;
    status = armilla_points_few(j->lmax, j->mmax, npoints, points, &j->at, &j->is_direct);
    if (j->options.derivatives) j->is_direct = 1;
    return status;
}

/* --- Plans ------------------------------------------------------------------------------------ */

static int64_t components_at_points(const job *j)
{
    static const int64_t of_scalar[] = {1, 3, 6};
    return j->options.spin ? 2 + 4 * j->options.derivatives : of_scalar[j->options.derivatives];
}

static armilla_status make_plans(job *j)
{
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.spin = j->options.spin, options.isa = j->options.isa;
    armilla_status status = armilla_sht_new(j->grid, j->lmax, j->mmax, &options, &j->sht);
    if (!status && !j->is_direct)
        status = armilla_points_new(j->lmax, j->mmax, j->npoints, j->points, &j->at, &j->plan);
    return status
               ? status
               : armilla_allocate(&j->alm, 2 * components(j) * armilla_alm_size(j->lmax, j->mmax),
                                  j->is_float ? sizeof(float) : sizeof(double));
}

static void release(job *j)
{
    armilla_release(j->alm);
    armilla_points_free(j->plan);
    armilla_sht_free(j->sht);
}

/* --- One transform ---------------------------------------------------------------------------- */

static armilla_status analyze(const job *j, const void *map, armilla_pseudo_report *report)
{
    armilla_pseudo_options options;
    *report = (armilla_pseudo_report){.stop = ARMILLA_STOP_RESIDUAL};
    if (j->is_exact)
        return j->is_float ? armilla_sht_analysis_float(j->sht, map, j->alm, &j->inner)
                           : armilla_sht_analysis(j->sht, map, j->alm, &j->inner);
    armilla_pseudo_options_init(&options);
    options.tolerance = 0.1 * j->options.epsilon;
    options.max_iterations = j->options.max_iterations;
    return j->is_float
               ? armilla_sht_pseudo_analysis_float(j->sht, map, j->alm, &options, report, &j->inner)
               : armilla_sht_pseudo_analysis(j->sht, map, j->alm, &options, report, &j->inner);
}

static armilla_status evaluate(const job *j, void *values)
{
    if (j->is_float && j->plan)
        return armilla_points_synthesis_float(j->plan, j->alm, values, &j->inner);
    if (j->plan) return armilla_points_synthesis(j->plan, j->alm, values, &j->inner);
    if (j->is_float)
        return armilla_points_evaluate_float(j->lmax, j->mmax, j->npoints, j->points, &j->at,
                                             j->alm, values, &j->inner);
    return armilla_points_evaluate(j->lmax, j->mmax, j->npoints, j->points, &j->at, j->alm, values,
                                   &j->inner);
}

/* Analysis is half of the progress, at the least. */
static armilla_status run_all(job *j, armilla_array map, armilla_array values,
                              armilla_pseudo_report *reports)
{
    const int64_t of_map = components(j) * armilla_grid_npix(j->grid);
    const int64_t of_values = components_at_points(j) * j->npoints;
    const double step = 0.5 / (double)j->exec.ntrans;
    armilla_pseudo_report report;
    armilla_status status = ARMILLA_OK;
    for (int64_t t = 0; t < j->exec.ntrans && !status; t++) {
        status = armilla_relay_next(&j->relay, step);
        if (!status) status = analyze(j, armilla_array_from(map, t * of_map).values, &report);
        if (!status) status = armilla_relay_next(&j->relay, step);
        if (!status) status = evaluate(j, armilla_array_from(values, t * of_values).values);
        if (!status && reports) reports[t] = report;
    }
    return status;
}

static armilla_status check_missing(const job *j, const void *map)
{
    const armilla_missing_maps maps = {{(void *)map, j->is_float}, j->exec.map_distance, NULL};
    return armilla_missing_check(j->grid, j->exec.ntrans * components(j), &maps, &j->exec);
}

static armilla_status run(job *j, const void *map, const void *values,
                          armilla_pseudo_report *reports, const armilla_exec *exec)
{
    armilla_status status = check_exec(exec, j);
    if (!status) status = armilla_check_given("map", map);
    if (!status && j->npoints) status = armilla_check_given("values", values);
    if (!status) status = check_missing(j, map);
    if (!status) status = make_plans(j);
    if (!status)
        status = run_all(j, (armilla_array){(void *)map, j->is_float},
                         (armilla_array){(void *)values, j->is_float}, reports);
    release(j);
    return status;
}

armilla_status armilla_points_interpolate(const armilla_grid *grid, const double *map,
                                          int64_t npoints, const double *points,
                                          const armilla_interpolation_options *options,
                                          double *values, armilla_pseudo_report *reports,
                                          const armilla_exec *exec)
{
    job j = {.is_float = 0};
    const armilla_status status = take(grid, npoints, points, options, &j);
    return status ? status : run(&j, map, values, reports, exec);
}

armilla_status armilla_points_interpolate_float(const armilla_grid *grid, const float *map,
                                                int64_t npoints, const double *points,
                                                const armilla_interpolation_options *options,
                                                float *values, armilla_pseudo_report *reports,
                                                const armilla_exec *exec)
{
    job j = {.is_float = 1};
    const armilla_status status = take(grid, npoints, points, options, &j);
    return status ? status : run(&j, map, values, reports, exec);
}
