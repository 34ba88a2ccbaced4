/* Values at points without a plan: the public calls. See armilla/points.h; direct.h has the work.
 */
#include "alm/layout.h"
#include "base/integer.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/point.h"
#include "base/team.h"
#include "call/call.h"
#include "call/place.h"
#include "points/check.h"
#include "points/direct.h"
#include "points/plan.h"
#include "points/tiny.h"
#include "sht/mode.h"

#include <math.h>

/* --- What is asked for ------------------------------------------------------------------------ */

typedef struct {
    armilla_points_options options;
    armilla_alm_layout *layout;
    double *degree_factor; /* of the mode; NULL: 1 */
    armilla_direct_problem problem;
    double *own_points; /* instead of the caller's; NULL: none */
    armilla_delegation delegation;
    armilla_call_arrays arrays;
    armilla_call call;
} request;

static armilla_status check_derivatives(const armilla_points_options *options)
{
    const int64_t most = options->spin ? 1 : 2;
    if (options->derivatives >= 0 && options->derivatives <= most) return ARMILLA_OK;
    return armilla_fail_argument("options->derivatives", options->derivatives,
                                 options->spin ? "must be 0 or 1 where the spin is not 0"
                                               : "must be 0, 1 or 2");
}

static armilla_status take_options(int64_t lmax, int64_t mmax, int64_t npoints,
                                   const double *points, const armilla_points_options *options,
                                   request *q)
{
    armilla_status status = armilla_points_take_options(lmax, mmax, options, &q->options);
    if (!status) status = check_derivatives(&q->options);
    if (!status)
        status = armilla_delegate("options->device", ARMILLA_OPERATION_VALUES, q->options.device,
                                  q->options.devices, q->options.ndevices, q->options.delegate,
                                  &q->delegation);
    if (!status) status = armilla_delegation_check_host(&q->delegation, "points", points);
    if (!status) status = armilla_points_check_given(npoints, points);
    if (!status) status = armilla_points_settle(npoints, 2, &points, &q->own_points);
    if (status) return status;
    q->problem = (armilla_direct_problem){.lmax = lmax,
                                          .mmax = mmax,
                                          .spin = q->options.spin,
                                          .derivatives = q->options.derivatives,
                                          .recurrence_only =
                                              q->options.spin_method == ARMILLA_SPIN_RECURRENCE,
                                          .npoints = npoints,
                                          .points = points};
    return armilla_machine_choose(q->options.isa, &q->problem.machine);
}

static armilla_status take_call(const armilla_exec *exec, request *q)
{
    const armilla_points_options *options = &q->options;
    const armilla_direct_problem *p = &q->problem;
    armilla_status status = options->layout ? armilla_alm_layout_copy(options->layout, &q->layout)
                                            : armilla_alm_layout_new(p->lmax, p->mmax, &q->layout);
    if (!status) status = armilla_mode_factors(options->mode, p->spin, p->lmax, &q->degree_factor);
    if (status) return status;
    q->arrays = (armilla_call_arrays){.alm_size = q->layout->size,
                                      .nalm = armilla_mode_nalm(options->mode, p->spin),
                                      .npix = p->npoints,
                                      .nmap = armilla_jet_size(p->spin, p->derivatives),
                                      .samples = "values",
                                      .delegation = q->delegation};
    return armilla_call_open(&q->arrays, exec, &q->call);
}

static void release(request *q)
{
    armilla_alm_layout_free(q->layout);
    armilla_release(q->degree_factor);
    armilla_release(q->own_points);
}

/* --- The work --------------------------------------------------------------------------------- */

static armilla_alm_rows alm_rows(const request *q, armilla_array alm)
{
    const armilla_direct_problem *p = &q->problem;
    armilla_alm_rows rows =
        armilla_alm_rows_of(q->layout, q->layout->mstart, p->spin, q->arrays.nalm,
                            armilla_mode_nmap(p->spin), alm, q->call.exec.alm_distance);
    rows.factor = q->degree_factor;
    rows.sums_size = 2 * armilla_alm_size(p->lmax, p->mmax);
    return rows;
}

/* Measured, one core, AVX-512: each pair of colatitudes takes 2 us and 0.07 ns for each degree and
 * order (in vectors of eight; shorter ones take longer), each point 1.2 us and 2 ns for each order.
 * Nanoseconds of a transform. */
static double time_of_pair(const armilla_direct_problem *p)
{
    const double lanes = armilla_points_kernels_find(p->machine.isa)->vector_length;
    return 0.07 * (8 / lanes) * (double)armilla_alm_size(p->lmax, p->mmax);
}

static double time_of(const armilla_direct_problem *p, int64_t npairs)
{
    const double point = 1200 + 2 * (double)p->mmax;
    return (time_of_pair(p) + 2000) * (double)npairs + point * (double)p->npoints;
}

/* Other threads take some tens of microseconds to begin. */
static int team_of(const request *q, const armilla_direct *direct)
{
    const int most = armilla_team_size(q->call.exec.nthreads);
    const double time =
        (double)q->call.exec.ntrans * time_of(&q->problem, direct->latitudes.npairs);
    if (time < 2e5) return 1;
    return most <= q->problem.mmax + 1 ? most : (int)q->problem.mmax + 1;
}

static armilla_status run_all(const request *q, const armilla_direct *direct, int to_points,
                              armilla_array alm, armilla_array values)
{
    const armilla_exec *exec = &q->call.exec;
    const double degrees = (double)armilla_alm_size(q->problem.lmax, q->problem.mmax);
    armilla_progress progress;
    const armilla_work threads = {.nthreads = team_of(q, direct), .progress = &progress};
    armilla_progress_start(&progress, exec->progress, exec->progress_data,
                           degrees * (double)(exec->ntrans * direct->npasses));
    const armilla_alm_rows rows = alm_rows(q, alm);
    return armilla_direct_run(direct, to_points, &rows, values, exec->map_distance, &threads);
}

/* The adjoint of nothing. */
static armilla_status write_zeros(const request *q, armilla_array alm)
{
    double *row;
    const int64_t size = 2 * (q->problem.lmax + 1);
    const armilla_status status = armilla_allocate_zero(&row, size, sizeof *row);
    for (int64_t t = 0; t < q->call.exec.ntrans && !status; t++) {
        const armilla_alm_rows rows = alm_rows(
            q, armilla_array_from(alm, 2 * t * q->arrays.nalm * q->call.exec.alm_distance));
        for (int64_t set = 0; set < rows.nsets; set++)
            for (int64_t m = 0; m <= q->problem.mmax; m++)
                armilla_alm_rows_write(&rows, set, m, row);
    }
    armilla_release(row);
    return status;
}

/* Very few points, low degrees. */
static void run_tiny(const request *q, int to_points, armilla_array alm, armilla_array values)
{
    const armilla_exec *exec = &q->call.exec;
    for (int64_t t = 0; t < exec->ntrans; t++) {
        const armilla_alm_rows rows =
            alm_rows(q, armilla_array_from(alm, 2 * t * exec->alm_distance));
        armilla_tiny_run(&q->problem, to_points, &rows,
                         armilla_array_from(values, t * exec->map_distance));
    }
}

static armilla_status run(const request *q, int to_points, armilla_array alm, armilla_array values)
{
    armilla_direct direct;
    armilla_direct_problem problem = q->problem;
    problem.ntrans = q->call.exec.ntrans;
    if (q->problem.npoints == 0) return to_points ? ARMILLA_OK : write_zeros(q, alm);
    if (armilla_points_are_tiny(&problem)) {
        run_tiny(q, to_points, alm, values);
        return ARMILLA_OK;
    }
    armilla_status status = armilla_direct_make(&problem, &direct);
    if (status) return status;
    status = run_all(q, &direct, to_points, alm, values);
    armilla_direct_clear(&direct);
    return status;
}

/* status: of the request so far, whose memory is released in any case. */
static armilla_status operate(request *q, armilla_status status, armilla_call call,
                              const armilla_exec *exec)
{
    q->call = call;
    if (!status) status = take_call(exec, q);
    if (!status) status = run(q, call.to_map, q->call.alm, q->call.map);
    status = armilla_call_close(&q->call, status);
    release(q);
    return status;
}

/* --- Public ----------------------------------------------------------------------------------- */

armilla_status armilla_points_evaluate(int64_t lmax, int64_t mmax, int64_t npoints,
                                       const double *points, const armilla_points_options *options,
                                       const double *alm, double *values, const armilla_exec *exec)
{
    request q = {.layout = NULL};
    const armilla_status status = take_options(lmax, mmax, npoints, points, options, &q);
    return operate(
        &q, status,
        armilla_call_of(1, armilla_array_of_doubles(alm), armilla_array_of_doubles(values)), exec);
}

armilla_status armilla_points_evaluate_float(int64_t lmax, int64_t mmax, int64_t npoints,
                                             const double *points,
                                             const armilla_points_options *options,
                                             const float *alm, float *values,
                                             const armilla_exec *exec)
{
    request q = {.layout = NULL};
    const armilla_status status = take_options(lmax, mmax, npoints, points, options, &q);
    return operate(
        &q, status,
        armilla_call_of(1, armilla_array_of_floats(alm), armilla_array_of_floats(values)), exec);
}

armilla_status armilla_points_adjoint_evaluate(int64_t lmax, int64_t mmax, int64_t npoints,
                                               const double *points,
                                               const armilla_points_options *options,
                                               const double *values, double *alm,
                                               const armilla_exec *exec)
{
    request q = {.layout = NULL};
    const armilla_status status = take_options(lmax, mmax, npoints, points, options, &q);
    return operate(
        &q, status,
        armilla_call_of(0, armilla_array_of_doubles(alm), armilla_array_of_doubles(values)), exec);
}

armilla_status armilla_points_adjoint_evaluate_float(int64_t lmax, int64_t mmax, int64_t npoints,
                                                     const double *points,
                                                     const armilla_points_options *options,
                                                     const float *values, float *alm,
                                                     const armilla_exec *exec)
{
    request q = {.layout = NULL};
    const armilla_status status = take_options(lmax, mmax, npoints, points, options, &q);
    return operate(
        &q, status,
        armilla_call_of(0, armilla_array_of_floats(alm), armilla_array_of_floats(values)), exec);
}

/* A plan with its transform, of any accuracy, takes 3 ms and as long as lmax / 2 + 130 pairs for
 * each lane more than one point: its near rings, which are lmax / 2 pairs, and Fourier transforms.
 * (lmax 255, 1023, 2047: 8, 73 and 390 ms; a point 0.4, 7 and 24 ms.) */
static int is_few(const request *q, int64_t npairs)
{
    const armilla_direct_problem *p = &q->problem;
    const double lanes = armilla_points_kernels_find(p->machine.isa)->vector_length;
    return time_of(p, npairs) < 3e6 + time_of_pair(p) * (0.5 * (double)p->lmax + 130 * lanes);
}

armilla_status armilla_points_few(int64_t lmax, int64_t mmax, int64_t npoints, const double *points,
                                  const armilla_points_options *options, int *few)
{
    request q = {.layout = NULL};
    int64_t npairs = 0;
    armilla_status status = take_options(lmax, mmax, npoints, points, options, &q);
    if (!status) status = armilla_check_given("few", few);
    if (!status && npoints) status = armilla_latitudes_count(npoints, q.problem.points, &npairs);
    if (!status) *few = is_few(&q, npairs);
    release(&q);
    return status;
}
