/* Iterative analysis of a map on a grid without an exact quadrature rule, or of values at points;
 * docs/mathematics.md 10.
 *
 *   Jacobi   a <- a + Y^T W w (map - Y a), from a = 0 or a first guess: HEALPix' "iter"    (10.1)
 *   AUTO     the same, until a step changes a by no more than rounding
 *   LSMR     min |sqrt(w) (Y a - map)| over the pixels of the rings                        (10.2)
 *
 * w are the weights of the pixels, 1 unless given. LSMR's unknowns are the coefficients of the real
 * harmonics, in which the plain dot product is the inner product of the operators; so
 * A = sqrt(w) Y U and A^T = U^T Y^T sqrt(w) with U the (orthogonal) real unpacking of
 * armilla/alm.h.
 *
 * Only the public operators are used. Everything runs in double, on zeroed arrays of whole maps:
 * pixels that belong to no ring stay 0 in them and add nothing to a norm. */
#include "sht/pseudo_job.h"

#include "base/memory.h"
#include "base/options.h"
#include "cuda/runtime/device.h"
#include "sht/lsmr.h"
#include "sht/vector.h"
#include <math.h>
#include <string.h>

static armilla_status agree(const armilla_pseudo_job *j, armilla_status status)
{
    const armilla_pseudo_ranks *ranks = j->field.ranks;
    return ranks ? ranks->agree(ranks->context, status) : status;
}

/* Multiplies a map by the factors of its pixels. */
static void multiply(const armilla_pseudo_job *j, double *map)
{
    for (int64_t c = 0; c < j->arrays.nmap; c++)
        armilla_vector_multiply(&j->component, j->factors, map + c * j->arrays.npix,
                                j->inner.nthreads);
}

/* The same. Returns its norm by these as weights. */
static double weigh(const armilla_pseudo_job *j, double *map)
{
    double norm = 0;
    for (int64_t c = 0; c < j->arrays.nmap; c++)
        norm = hypot(norm, armilla_vector_weigh(&j->component, j->factors, map + c * j->arrays.npix,
                                                j->inner.nthreads));
    return norm;
}

/* The next step of the call; an error of one rank is that of all. */
static armilla_status next_step(armilla_pseudo_job *j, double width)
{
    return agree(j, armilla_relay_next(j->relay, width));
}

/* --- LSMR ------------------------------------------------------------------------------------ */

/* The steps of one iteration together are worth no more than one part in max_iterations, which is
 * what LSMR adds to its fraction at the least: the fraction never falls. */
static double lsmr_step(const armilla_pseudo_job *j)
{
    return 0.5 * j->share / ((double)j->options.max_iterations + 1);
}

static int lsmr_progress(void *data, double fraction)
{
    armilla_pseudo_job *j = data;
    armilla_relay *relay = j->relay;
    double position = j->begin + j->share * fraction;
    if (position > relay->base + relay->width) relay->base = position, relay->width = 0;
    return armilla_relay_report(relay, 1);
}

static void unpack(const armilla_pseudo_job *j, const double *real, double *alm)
{
    int64_t ncomp = j->arrays.nalm;
    for (int64_t c = 0; c < ncomp; c++)
        armilla_alm_unpack(j->arrays.layout, real + c * (j->nreal / ncomp),
                           alm + c * (j->nalm / ncomp));
}

static void pack(const armilla_pseudo_job *j, const double *alm, double *real)
{
    int64_t ncomp = j->arrays.nalm;
    for (int64_t c = 0; c < ncomp; c++)
        armilla_alm_pack(j->arrays.layout, alm + c * (j->nalm / ncomp),
                         real + c * (j->nreal / ncomp));
}

static armilla_status forward(void *context, const double *real, double *map)
{
    armilla_pseudo_job *j = context;
    armilla_status status = next_step(j, lsmr_step(j));
    if (status) return status;
    unpack(j, real, j->alm);
    status = j->field.synthesis(j->field.plan, j->alm, map, &j->inner);
    if (!status && j->factors) multiply(j, map);
    return status;
}

/* LSMR goes on with its map, so that sqrt(w) map needs room of its own. */
static armilla_status adjoint(void *context, const double *map, double *real)
{
    armilla_pseudo_job *j = context;
    armilla_status status = next_step(j, lsmr_step(j));
    if (status) return status;
    if (j->factors) {
        memcpy(j->image, map, (size_t)j->nmap * sizeof *map);
        multiply(j, j->image);
        map = j->image;
    }
    status = j->field.adjoint(j->field.plan, map, j->alm, &j->inner);
    if (!status) pack(j, j->alm, real);
    return status;
}

static armilla_status agree_on_lsmr(void *context, armilla_status status)
{
    return agree(context, status);
}

static armilla_status run_lsmr(armilla_pseudo_job *j, armilla_pseudo_report *report)
{
    armilla_lsmr_problem problem = {.nrows = j->nmap,
                                    .ncolumns = j->nreal,
                                    .rows = &j->maps,
                                    .columns = &j->reals,
                                    .forward = forward,
                                    .adjoint = adjoint,
                                    .context = j,
                                    .tolerance = j->options.tolerance,
                                    .max_iterations = j->options.max_iterations,
                                    .has_guess = j->arrays.guess.values != NULL,
                                    .agree = j->field.ranks ? agree_on_lsmr : NULL,
                                    .nthreads = j->inner.nthreads,
                                    .progress = j->relay->callback ? lsmr_progress : NULL,
                                    .progress_data = j};
    if (problem.has_guess) pack(j, j->alm, j->real);
    armilla_status status = armilla_lsmr_solve(&problem, j->map, j->real, report);
    if (!status) unpack(j, j->real, j->alm);
    return status;
}

/* --- Jacobi ---------------------------------------------------------------------------------- */

/* image <- w (map - Y alm), where alm is 0 without a synthesis; *norm is that of map - Y alm. */
static armilla_status residual(armilla_pseudo_job *j, int alm_is_zero, double *norm)
{
    armilla_status status = ARMILLA_OK;
    if (alm_is_zero) {
        memcpy(j->image, j->map, (size_t)j->nmap * sizeof *j->map);
        *norm = armilla_vector_norm(&j->maps, j->map, j->inner.nthreads);
    } else {
        status = next_step(j, j->step);
        if (!status) status = j->field.synthesis(j->field.plan, j->alm, j->image, &j->inner);
        if (status) return status;
        *norm = armilla_vector_combine(&j->maps, 1, j->map, -1, j->image, j->inner.nthreads);
    }
    if (j->factors) *norm = weigh(j, j->image);
    return status;
}

/* alm <- alm + Y^T W image */
static armilla_status correct(armilla_pseudo_job *j)
{
    armilla_status status = next_step(j, j->step);
    if (!status) status = j->field.analysis(j->field.plan, j->image, j->correction, &j->inner);
    if (status) return status;
    armilla_vector_add(&j->coefficients, 1, j->correction, 1, j->alm, j->inner.nthreads);
    return ARMILLA_OK;
}

/* One synthesis more than healpy makes where a report is asked for: its residual is that of the
 * result. */
static armilla_status run_jacobi(armilla_pseudo_job *j, armilla_pseudo_report *report)
{
    const int64_t niter = j->options.max_iterations;
    int alm_is_zero = j->arrays.guess.values == NULL;
    double norm, norm_map;
    armilla_status status = ARMILLA_OK;
    j->step = j->share / (double)(2 * (niter + 1) - alm_is_zero + (report != NULL));
    if (alm_is_zero) memset(j->alm, 0, (size_t)j->nalm * sizeof *j->alm);
    for (int64_t i = 0; i <= niter && !status; i++, alm_is_zero = 0) {
        status = residual(j, alm_is_zero, &norm);
        if (!status) status = correct(j);
    }
    if (status || !report) return status;
    if ((status = residual(j, 0, &norm)) || (status = residual(j, 1, &norm_map))) return status;
    *report = (armilla_pseudo_report){.stop = ARMILLA_STOP_ITERATIONS,
                                      .iterations = niter,
                                      .residual = norm / norm_map,
                                      .gradient = NAN};
    return ARMILLA_OK;
}

/* --- As many steps as are of use -------------------------------------------------------------- */

/* What a step leaves to do, relative to alm, where that is rounding: of doubles, and of floats,
 * whose maps hold no more. A step leaves as much of its change as it changed of the one before, but
 * the first steps promise too much: not less than SURE. Rounding of large transforms is above that:
 * there steps no longer become smaller, and end below SMALL. */
static const double ROUNDING = 3e-15, ROUNDING_FLOAT = 1e-8, SURE = 1e-4, SMALL = 1e-12;

/* Nobody knows how many steps there will be: each is worth a fifth of what is left. */
static void set_step(armilla_pseudo_job *j)
{
    j->step = 0.2 * (j->begin + j->share - j->relay->base - j->relay->width);
}

/* Over all ranks, as these all go on or stop. */
static double norm_of_alm(const armilla_pseudo_job *j, const double *alm)
{
    pack(j, alm, j->real);
    return armilla_vector_norm(&j->reals, j->real, j->inner.nthreads);
}

/* One step. Returned: *change  of alm by it, relative to alm; *norm  of the residual before. */
static armilla_status change_by_step(armilla_pseudo_job *j, int alm_is_zero, double *norm,
                                     double *change)
{
    set_step(j);
    armilla_status status = residual(j, alm_is_zero, norm);
    set_step(j);
    if (status || (status = correct(j))) return status;
    const double step = norm_of_alm(j, j->correction), all = norm_of_alm(j, j->alm);
    *change = step == 0 ? 0 : step / all;
    return ARMILLA_OK;
}

/* Does the iteration end after this change, and why? ITERATIONS: it goes on. A step that changes
 * more than the one before leads away from the solution, unless both are rounding. */
static armilla_pseudo_stop end_of_steps(double change, double before, int is_float)
{
    const double left = change * fmax(change / before, SURE);
    if (left <= (is_float ? ROUNDING_FLOAT : ROUNDING)) return ARMILLA_STOP_CHANGE;
    if (change <= SMALL && change > 0.5 * before) return ARMILLA_STOP_CHANGE;
    return change < before ? ARMILLA_STOP_ITERATIONS : ARMILLA_STOP_CONDITION;
}

static armilla_status run_auto(armilla_pseudo_job *j, armilla_pseudo_report *report)
{
    const int from_zero = j->arrays.guess.values == NULL;
    const int is_exact = j->field.is_exact && !j->factors && from_zero;
    const int64_t most = is_exact ? 0 : j->options.max_iterations;
    armilla_pseudo_report made = {.stop = ARMILLA_STOP_ITERATIONS};
    double norm = NAN, before = INFINITY, norm_map = NAN;
    if (from_zero) memset(j->alm, 0, (size_t)j->nalm * sizeof *j->alm);
    armilla_status status = change_by_step(j, from_zero, &norm, &made.gradient);
    norm_map = norm;
    while (!status && made.stop == ARMILLA_STOP_ITERATIONS && made.iterations < most) {
        before = made.gradient;
        status = change_by_step(j, 0, &norm, &made.gradient);
        made.iterations++;
        if (!status) made.stop = end_of_steps(made.gradient, before, j->arrays.map.is_float);
    }
    if (!status && made.stop == ARMILLA_STOP_CONDITION) { /* back to where it was better */
        armilla_vector_add(&j->coefficients, -1, j->correction, 1, j->alm, j->inner.nthreads);
        made.iterations--;
    }
    if (status || !report) return status;
    if (!from_zero && (status = residual(j, 1, &norm_map))) return status;
    made.residual = made.iterations ? norm / norm_map : NAN;
    if (is_exact) made.stop = ARMILLA_STOP_EXACT, made.gradient = 0;
    *report = made;
    return ARMILLA_OK;
}

/* --- The job --------------------------------------------------------------------------------- */

static armilla_status check_options(const armilla_pseudo_field *field,
                                    const armilla_pseudo_options *options)
{
    if (options->method < ARMILLA_PSEUDO_LSMR || options->method > ARMILLA_PSEUDO_AUTO)
        return armilla_fail_argument("options->method", (int64_t)options->method,
                                     "must be ARMILLA_PSEUDO_LSMR, ARMILLA_PSEUDO_JACOBI or "
                                     "ARMILLA_PSEUDO_AUTO");
    if (options->method != ARMILLA_PSEUDO_LSMR && !field->analysis)
        return armilla_fail_argument("options->method", (int64_t)options->method,
                                     "must be ARMILLA_PSEUDO_LSMR where no quadrature is known");
    if (options->max_iterations < 0)
        return armilla_fail_argument("options->max_iterations", options->max_iterations,
                                     "must be at least 0");
    if (options->method == ARMILLA_PSEUDO_JACOBI && field->has_factors &&
        (options->max_iterations || options->guess))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->method = ARMILLA_PSEUDO_JACOBI: must be ARMILLA_PSEUDO_LSMR "
                            "with DERIVATIVES, where such steps diverge");
    int uses_tolerance = options->method == ARMILLA_PSEUDO_LSMR;
    if (uses_tolerance && (!(options->tolerance >= 0) || isinf(options->tolerance)))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->tolerance = %g: must be finite and at least 0",
                            options->tolerance);
    return ARMILLA_OK;
}

/* The operators see one transform with contiguous components and the caller's threads. */
static void set_execution(armilla_pseudo_job *j, const armilla_exec *exec)
{
    armilla_exec_init(&j->inner);
    j->inner.nthreads = exec->nthreads;
    if (!exec->progress) return;
    j->inner.progress = armilla_relay_report;
    j->inner.progress_data = j->relay;
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {ARMILLA_END_OF(armilla_pseudo_options, max_iterations),
                                  sizeof(armilla_pseudo_options), 0};

armilla_status armilla_pseudo_job_init(armilla_pseudo_job *j, const armilla_pseudo_field *field,
                                       const armilla_pseudo_options *options,
                                       const armilla_exec *exec, armilla_relay *relay)
{
    *j = (armilla_pseudo_job){.field = *field, .relay = relay};
    armilla_pseudo_options_init(&j->options);
    armilla_status status =
        armilla_options_copy("options", "armilla_pseudo_options", options, VERSIONS, &j->options);
    if (!status) status = check_options(field, &j->options);
    if (status) return status;
    const armilla_alm_layout *layout = field->layout;
    j->arrays = (armilla_pseudo_arrays){
        .grid = field->grid,
        .layout = layout,
        .weights = j->options.weights,
        .guess = {.values = (void *)j->options.guess},
        .spin = field->spin < 0 ? -field->spin : field->spin,
        .nmap = field->nmap,
        .nalm = field->nalm,
        .npix = field->npix,
        .map_period = field->nmap,
        .alm_period = field->nalm,
        .map_distance = exec->map_distance,
        .alm_distance = exec->alm_distance,
        .map_name = field->map_name,
        .pixel_name = field->pixel_name,
        .ranks = field->ranks,
    };
    j->nmap = field->nmap * field->npix;
    j->nalm = field->nalm * 2 * layout->size;
    j->nreal = field->nalm * armilla_alm_real_size(layout);
    set_execution(j, exec);
    return ARMILLA_OK;
}

armilla_status armilla_pseudo_job_check(const armilla_pseudo_job *j, int64_t ntrans)
{
    armilla_status status = agree(j, armilla_pseudo_check_weights(&j->arrays));
    if (!status) status = agree(j, armilla_pseudo_check_map(&j->arrays, ntrans));
    return status ? status : agree(j, armilla_pseudo_check_guess(&j->arrays, ntrans));
}

static armilla_status allocate_all(armilla_pseudo_job *j)
{
    const int lsmr = j->options.method == ARMILLA_PSEUDO_LSMR;
    armilla_status status = armilla_pseudo_make_spaces(j);
    if (!status) status = armilla_allocate_zero(&j->map, j->nmap, sizeof(double));
    if (!status) status = armilla_allocate_zero(&j->alm, j->nalm, sizeof(double));
    if (!status && j->arrays.weights)
        status = armilla_allocate_zero(&j->factors, j->arrays.npix, sizeof(double));
    if (!status && j->options.method != ARMILLA_PSEUDO_JACOBI)
        status = armilla_allocate(&j->real, j->nreal, sizeof(double));
    if (!status && !lsmr) status = armilla_allocate_zero(&j->correction, j->nalm, sizeof(double));
    if (status || (lsmr && !j->factors)) return status;
    return armilla_allocate_zero(&j->image, j->nmap, sizeof(double));
}

armilla_status armilla_pseudo_job_allocate(armilla_pseudo_job *j)
{
    const armilla_status status = agree(j, allocate_all(j));
    if (!status && j->arrays.weights) /* ranks tell each other the largest one */
        armilla_pseudo_load_weights(&j->arrays, j->options.method == ARMILLA_PSEUDO_LSMR,
                                    j->factors);
    return status;
}

void armilla_pseudo_job_release_work(armilla_pseudo_job *j)
{
    double **const arrays[] = {&j->map, &j->factors, &j->real, &j->correction, &j->image};
    armilla_vector_space *const spaces[] = {&j->maps, &j->component, &j->reals, &j->coefficients};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        armilla_vector_space_clear(spaces[i]);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        armilla_release(*arrays[i]);
        *arrays[i] = NULL;
    }
}

void armilla_pseudo_job_release(armilla_pseudo_job *j)
{
    armilla_pseudo_job_release_work(j);
    armilla_release(j->alm);
    j->alm = NULL;
}

armilla_status armilla_pseudo_job_solve(armilla_pseudo_job *j, int64_t transform, double begin,
                                        double share, armilla_pseudo_report *report)
{
    const int lsmr = j->options.method == ARMILLA_PSEUDO_LSMR;
    armilla_pseudo_report made = {.stop = ARMILLA_STOP_ZERO};
    armilla_status status = ARMILLA_OK;
    j->begin = begin, j->share = share;
    j->relay->base = begin, j->relay->width = 0;
    j->scale = armilla_pseudo_load_map(&j->arrays, transform, lsmr ? j->factors : NULL, j->map);
    if (j->scale == 0) {
        memset(j->alm, 0, (size_t)j->nalm * sizeof *j->alm);
    } else {
        if (j->arrays.guess.values)
            armilla_pseudo_load_guess(&j->arrays, transform, j->scale, j->alm);
        if (lsmr)
            status = run_lsmr(j, &made);
        else if (j->options.method == ARMILLA_PSEUDO_AUTO)
            status = run_auto(j, report ? &made : NULL);
        else
            status = run_jacobi(j, report ? &made : NULL);
    }
    if (!status && report) *report = made;
    return status;
}

void armilla_pseudo_job_store(const armilla_pseudo_job *j, int64_t transform)
{
    armilla_pseudo_store_alm(&j->arrays, transform, j->scale, j->alm);
}

armilla_status armilla_pseudo_job_run(armilla_pseudo_job *j, int64_t ntrans,
                                      armilla_pseudo_report *reports)
{
    armilla_status status = armilla_pseudo_job_check(j, ntrans);
    if (!status) status = armilla_pseudo_job_allocate(j);
    const double share = 1 / (double)ntrans;
    for (int64_t t = 0; t < ntrans && !status; t++) {
        status =
            armilla_pseudo_job_solve(j, t, share * (double)t, share, reports ? reports + t : NULL);
        if (!status) armilla_pseudo_job_store(j, t);
    }
    armilla_pseudo_job_release(j);
    return status;
}

static armilla_status check_host_array(const char *name, const void *values)
{
    int there;
    const armilla_status status = armilla_cuda()->gpus->find_array(values, &there);
    if (status || !there) return status;
    return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                        "%s: is in device memory, but pseudo_analysis works on arrays of the host",
                        name);
}

armilla_status armilla_pseudo_check_host(int on_device, const char *map_name, const void *map,
                                         const void *alm)
{
    if (!on_device) return ARMILLA_OK;
    const armilla_status status = map ? check_host_array(map_name, map) : ARMILLA_OK;
    return status || !alm ? status : check_host_array("alm", alm);
}
