/* Iterative analysis of a map on a grid without an exact quadrature rule; docs/mathematics.md 10.
 *
 *   Jacobi   a <- a + Y^T W (map - Y a) from a = 0: HEALPix' and healpy's "iter"        (10.1)
 *   LSMR     min |Y a - map| over the pixels of the rings                               (10.2)
 *
 * LSMR's unknowns are the coefficients of the real harmonics, in which the plain dot product is the
 * inner product of the operators; so A = Y U and A^T = U^T Y^T with U the (orthogonal) real
 * unpacking of armilla/alm.h.
 *
 * Only the public operators are used. Everything runs in double, on zeroed arrays of whole maps:
 * pixels that belong to no ring stay 0 in them and add nothing to a norm. */
#include "armilla/sht.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/progress.h"
#include "base/status.h"
#include "sht/lsmr.h"
#include "sht/plan.h"
#include "sht/pseudo_arrays.h"
#include "sht/vector.h"
#include <math.h>
#include <string.h>

static const double report_interval_s = 0.1;

/* Progress of one step, a transform, as a part base .. base + width of the whole call. */
typedef struct relay {
    armilla_progress_fn callback;
    void *data;
    double base, width, last_report_s;
} relay;

typedef struct job {
    const armilla_sht *sht;
    armilla_pseudo_options options;
    armilla_pseudo_arrays arrays;
    armilla_exec inner; /* how the operators run */
    int64_t ntrans, nmap, nalm, nreal;
    double *map, *alm;                    /* by component: [npix], [layout size] complex */
    double *image, *correction, *scratch; /* Jacobi only */
    double *real;                         /* LSMR only: the solution, by component */
    double begin, share;                  /* the present transform's part of the progress */
    relay relay;
} job;

void armilla_pseudo_options_init(armilla_pseudo_options *options)
{
    if (!options) return;
    *options = (armilla_pseudo_options){.size = sizeof *options,
                                        .method = ARMILLA_PSEUDO_LSMR,
                                        .tolerance = 1e-10,
                                        .max_iterations = 100};
}

/* --- Progress -------------------------------------------------------------------------------- */

static int relay_progress(void *data, double fraction)
{
    relay *r = data;
    double now = armilla_clock_s();
    if (now - r->last_report_s < report_interval_s) return 0;
    r->last_report_s = now;
    return r->callback(r->data, fmin(1, r->base + r->width * fraction));
}

/* The step before is done; the next one is worth `width`. Returns nonzero when cancelled. */
static armilla_status next_step(relay *r, double width)
{
    r->base += r->width;
    r->width = width;
    if (!r->callback || !relay_progress(r, 0)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_CANCELLED, "stopped by the progress callback");
}

/* --- LSMR ------------------------------------------------------------------------------------ */

/* The steps of one iteration together are worth no more than one part in max_iterations, which is
 * what LSMR adds to its fraction at the least: the fraction never falls. */
static double lsmr_step(const job *j)
{
    return 0.5 * j->share / ((double)j->options.max_iterations + 1);
}

static int lsmr_progress(void *data, double fraction)
{
    job *j = data;
    double position = j->begin + j->share * fraction;
    if (position > j->relay.base + j->relay.width) j->relay.base = position, j->relay.width = 0;
    return relay_progress(&j->relay, 1);
}

static void unpack(const job *j, const double *real, double *alm)
{
    int64_t ncomp = j->arrays.nalm;
    for (int64_t c = 0; c < ncomp; c++)
        armilla_alm_unpack(j->arrays.layout, real + c * (j->nreal / ncomp),
                           alm + c * (j->nalm / ncomp));
}

static armilla_status forward(void *context, const double *real, double *map)
{
    job *j = context;
    armilla_status status = next_step(&j->relay, lsmr_step(j));
    if (status) return status;
    unpack(j, real, j->alm);
    return armilla_sht_synthesis(j->sht, j->alm, map, &j->inner);
}

static armilla_status adjoint(void *context, const double *map, double *real)
{
    job *j = context;
    int64_t ncomp = j->arrays.nalm;
    armilla_status status = next_step(&j->relay, lsmr_step(j));
    if (!status) status = armilla_sht_adjoint_synthesis(j->sht, map, j->alm, &j->inner);
    if (status) return status;
    for (int64_t c = 0; c < ncomp; c++)
        armilla_alm_pack(j->arrays.layout, j->alm + c * (j->nalm / ncomp),
                         real + c * (j->nreal / ncomp));
    return ARMILLA_OK;
}

static armilla_status run_lsmr(job *j, armilla_pseudo_report *report)
{
    armilla_lsmr_problem problem = {.nrows = j->nmap,
                                    .ncolumns = j->nreal,
                                    .forward = forward,
                                    .adjoint = adjoint,
                                    .context = j,
                                    .tolerance = j->options.tolerance,
                                    .max_iterations = j->options.max_iterations,
                                    .nthreads = j->inner.nthreads,
                                    .progress = j->relay.callback ? lsmr_progress : NULL,
                                    .progress_data = j};
    armilla_status status = armilla_lsmr_solve(&problem, j->map, j->real, report);
    if (!status) unpack(j, j->real, j->alm);
    return status;
}

/* --- Jacobi ---------------------------------------------------------------------------------- */

/* image <- map - Y alm; *norm is its Euclidean norm. */
static armilla_status residual(job *j, double width, double *norm)
{
    armilla_status status = next_step(&j->relay, width);
    if (!status) status = armilla_sht_synthesis(j->sht, j->alm, j->image, &j->inner);
    if (status) return status;
    *norm = armilla_vector_combine(j->nmap, 1, j->map, -1, j->image, j->scratch, j->inner.nthreads);
    return ARMILLA_OK;
}

static armilla_status analyse(job *j, double width, const double *map, double *alm)
{
    armilla_status status = next_step(&j->relay, width);
    return status ? status : armilla_sht_analysis(j->sht, map, alm, &j->inner);
}

/* One synthesis more than healpy makes where a report is asked for: its residual is that of the
 * result. */
static armilla_status run_jacobi(job *j, armilla_pseudo_report *report)
{
    int64_t niter = j->options.max_iterations;
    double width = 0.5 * j->share / ((double)niter + 1), norm = 0;
    armilla_status status = analyse(j, width, j->map, j->alm);
    for (int64_t i = 0; i < niter && !status; i++) {
        status = residual(j, width, &norm);
        if (!status) status = analyse(j, width, j->image, j->correction);
        if (!status)
            armilla_vector_combine(j->nalm, 1, j->correction, 1, j->alm, j->scratch,
                                   j->inner.nthreads);
    }
    if (status || !report) return status;
    status = residual(j, width, &norm);
    if (status) return status;
    double norm_map = armilla_vector_norm(j->nmap, j->map, j->scratch, j->inner.nthreads);
    *report = (armilla_pseudo_report){.stop = ARMILLA_STOP_ITERATIONS,
                                      .iterations = niter,
                                      .residual = norm / norm_map,
                                      .gradient = NAN};
    return ARMILLA_OK;
}

/* --- The call -------------------------------------------------------------------------------- */

static armilla_status check_options(const armilla_pseudo_options *options)
{
    if (options->method != ARMILLA_PSEUDO_LSMR && options->method != ARMILLA_PSEUDO_JACOBI)
        return armilla_fail_argument("options->method", (int64_t)options->method,
                                     "must be ARMILLA_PSEUDO_LSMR or ARMILLA_PSEUDO_JACOBI");
    if (options->max_iterations < 0)
        return armilla_fail_argument("options->max_iterations", options->max_iterations,
                                     "must be at least 0");
    int uses_tolerance = options->method == ARMILLA_PSEUDO_LSMR;
    if (uses_tolerance && (!(options->tolerance >= 0) || isinf(options->tolerance)))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->tolerance = %g: must be finite and at least 0",
                            options->tolerance);
    return ARMILLA_OK;
}

/* The operators see one transform with contiguous components and the caller's threads. */
static void set_execution(job *j, const armilla_exec *exec)
{
    armilla_exec_init(&j->inner);
    j->inner.nthreads = exec->nthreads;
    j->relay = (relay){.callback = exec->progress,
                       .data = exec->progress_data,
                       .last_report_s = armilla_clock_s()};
    if (exec->progress) j->inner.progress = relay_progress, j->inner.progress_data = &j->relay;
    j->ntrans = exec->ntrans;
    j->share = 1 / (double)exec->ntrans;
    j->arrays.alm_distance = exec->alm_distance;
    j->arrays.map_distance = exec->map_distance;
}

/* Fills all but the caller's arrays. */
static armilla_status set_job(job *j, const armilla_pseudo_options *options,
                              const armilla_exec *exec)
{
    armilla_exec resolved;
    armilla_sht_description description = {.size = sizeof description};
    armilla_pseudo_options_init(&j->options);
    armilla_status status = armilla_options_copy(
        "options", "armilla_pseudo_options", options,
        ARMILLA_END_OF(armilla_pseudo_options, max_iterations), sizeof j->options, &j->options);
    if (!status) status = check_options(&j->options);
    if (!status) status = armilla_alm_check_array("map", j->arrays.map);
    if (!status) status = armilla_alm_check_array("alm", j->arrays.alm);
    if (!status) status = armilla_sht_check_exec(j->sht, exec, &resolved);
    if (!status) status = armilla_sht_describe(j->sht, resolved.nthreads, &description);
    if (status) return status;
    j->arrays.grid = armilla_sht_get_grid(j->sht);
    j->arrays.layout = armilla_sht_get_layout(j->sht);
    j->arrays.nmap = description.ncomp;
    j->arrays.nalm = description.alm_ncomp;
    j->arrays.npix = description.npix;
    j->nmap = description.ncomp * description.npix;
    j->nalm = description.alm_ncomp * 2 * j->arrays.layout->size;
    j->nreal = description.alm_ncomp * armilla_alm_real_size(description.lmax, description.mmax);
    set_execution(j, &resolved);
    return ARMILLA_OK;
}

static armilla_status allocate_buffers(job *j)
{
    armilla_status status = armilla_allocate_zero(&j->map, j->nmap, sizeof(double));
    if (!status) status = armilla_allocate_zero(&j->alm, j->nalm, sizeof(double));
    if (j->options.method == ARMILLA_PSEUDO_LSMR)
        return status ? status : armilla_allocate(&j->real, j->nreal, sizeof(double));
    int64_t longest = j->nmap > j->nalm ? j->nmap : j->nalm;
    if (!status) status = armilla_allocate_zero(&j->image, j->nmap, sizeof(double));
    if (!status) status = armilla_allocate_zero(&j->correction, j->nalm, sizeof(double));
    if (!status)
        status = armilla_allocate(&j->scratch, armilla_vector_scratch(longest), sizeof(double));
    return status;
}

static void release_buffers(job *j)
{
    armilla_release(j->map);
    armilla_release(j->alm);
    armilla_release(j->real);
    armilla_release(j->image);
    armilla_release(j->correction);
    armilla_release(j->scratch);
}

static armilla_status run_transform(job *j, int64_t transform, armilla_pseudo_report *report)
{
    armilla_pseudo_report made = {.stop = ARMILLA_STOP_ZERO};
    j->begin = j->share * (double)transform;
    j->relay.base = j->begin, j->relay.width = 0;
    double scale = armilla_pseudo_load_map(&j->arrays, transform, j->map);
    armilla_status status = ARMILLA_OK;
    if (scale == 0)
        memset(j->alm, 0, (size_t)j->nalm * sizeof *j->alm);
    else if (j->options.method == ARMILLA_PSEUDO_LSMR)
        status = run_lsmr(j, &made);
    else
        status = run_jacobi(j, report ? &made : NULL);
    if (status) return status;
    armilla_pseudo_store_alm(&j->arrays, transform, scale, j->alm);
    if (report) *report = made;
    return ARMILLA_OK;
}

static armilla_status pseudo_analysis(job *j, const armilla_pseudo_options *options,
                                      armilla_pseudo_report *reports, const armilla_exec *exec)
{
    armilla_status status = set_job(j, options, exec);
    if (!status) status = armilla_pseudo_check_map(&j->arrays, j->ntrans);
    if (!status) status = allocate_buffers(j);
    for (int64_t t = 0; t < j->ntrans && !status; t++)
        status = run_transform(j, t, reports ? reports + t : NULL);
    release_buffers(j);
    return status;
}

armilla_status armilla_sht_pseudo_analysis(const armilla_sht *sht, const double *map, double *alm,
                                           const armilla_pseudo_options *options,
                                           armilla_pseudo_report *reports, const armilla_exec *exec)
{
    job j = {.sht = sht, .arrays = {.map = map, .alm = alm, .single = 0}};
    return pseudo_analysis(&j, options, reports, exec);
}

armilla_status armilla_sht_pseudo_analysis_float(const armilla_sht *sht, const float *map,
                                                 float *alm, const armilla_pseudo_options *options,
                                                 armilla_pseudo_report *reports,
                                                 const armilla_exec *exec)
{
    job j = {.sht = sht, .arrays = {.map = map, .alm = alm, .single = 1}};
    return pseudo_analysis(&j, options, reports, exec);
}
