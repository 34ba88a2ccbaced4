/* Potentials at points in space: the public call. See armilla/solid.h; sum.h has the work. */
#include "armilla/solid.h"

#include "base/machine.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"
#include "sht/call.h"
#include "solid/sum.h"

#include <math.h>

void armilla_solid_options_init_sized(armilla_solid_options *options, size_t size)
{
    const armilla_solid_options defaults = {.radius = 1};
    armilla_options_give(&defaults, sizeof defaults, options, size);
}

/* --- What is asked for ------------------------------------------------------------------------ */

typedef struct {
    armilla_solid_options options;
    armilla_alm_layout *layout;
    armilla_machine machine;
    armilla_solid_places places;
    armilla_call_arrays arrays;
    armilla_exec exec;
} request;

static armilla_status check_options(const armilla_solid_options *options)
{
    if (options->kind != ARMILLA_SOLID_EXTERIOR && options->kind != ARMILLA_SOLID_INTERIOR)
        return armilla_fail_argument("options->kind", options->kind,
                                     "must be EXTERIOR or INTERIOR");
    if (options->frame != ARMILLA_SOLID_CARTESIAN && options->frame != ARMILLA_SOLID_LOCAL)
        return armilla_fail_argument("options->frame", options->frame,
                                     "must be CARTESIAN or LOCAL");
    if (options->derivatives < 0 || options->derivatives > 2)
        return armilla_fail_argument("options->derivatives", options->derivatives,
                                     "must be 0, 1 or 2");
    if (!(options->radius >= 1e-100 && options->radius <= 1e100))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "options->radius = %g: must be 1e-100 to 1e100",
                            options->radius);
    return ARMILLA_OK;
}

static armilla_status take_layout(int64_t lmax, int64_t mmax, request *q)
{
    const armilla_alm_layout *given = q->options.layout;
    if (!given) return armilla_alm_layout_new(lmax, mmax, &q->layout);
    if (given->lmax != lmax || given->mmax != mmax)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->layout: its lmax = %lld and mmax = %lld must be those of "
                            "the call, %lld and %lld",
                            (long long)given->lmax, (long long)given->mmax, (long long)lmax,
                            (long long)mmax);
    return armilla_alm_layout_copy(given, &q->layout);
}

static armilla_status take_problem(int64_t lmax, int64_t mmax, const armilla_solid_options *options,
                                   request *q)
{
    armilla_solid_options_init(&q->options);
    armilla_status status = armilla_options_copy("options", "armilla_solid_options", options,
                                                 sizeof q->options, sizeof q->options, &q->options);
    if (!status) status = armilla_check_band_limit(lmax, mmax);
    if (!status) status = check_options(&q->options);
    if (!status) status = armilla_machine_choose(q->options.isa, &q->machine);
    return status ? status : take_layout(lmax, mmax, q);
}

static armilla_status take_points(int64_t npoints, const double *points, request *q)
{
    if (npoints < 0 || npoints >= (int64_t)1 << 32)
        return armilla_fail_argument("npoints", npoints, "must be 0 to 2^32 - 1");
    const armilla_status status = npoints ? armilla_check_given("points", points) : ARMILLA_OK;
    q->places = (armilla_solid_places){.count = npoints,
                                       .points = points,
                                       .radius = q->options.radius,
                                       .interior = q->options.kind == ARMILLA_SOLID_INTERIOR};
    if (status) return status;
    return armilla_solid_places_check(&q->places, q->layout->lmax + 1 + q->options.derivatives);
}

static armilla_status take_call(const double *alm, const double *values, const armilla_exec *exec,
                                request *q)
{
    const int64_t derivatives = q->options.derivatives;
    q->arrays = (armilla_call_arrays){q->layout->size, 1, q->places.count,
                                      derivatives == 2 ? 10
                                      : derivatives    ? 4
                                                       : 1};
    armilla_status status = armilla_call_check(&q->arrays, 0, exec, &q->exec);
    if (!status && q->exec.missing != ARMILLA_MISSING_PROPAGATE)
        status = armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                              "exec->missing = %d: solid harmonics read no map; use PROPAGATE",
                              (int)q->exec.missing);
    if (!status) status = armilla_check_given("alm", alm);
    if (!status && q->places.count) status = armilla_check_given("values", values);
    return status;
}

/* --- The work --------------------------------------------------------------------------------- */

static void choose_orders(armilla_solid_source *source, int zonal)
{
    source->first = zonal ? 0 : 1, source->last = zonal ? 0 : source->layout->mmax;
}

/* Orders 0 and others have tables of their own: sum.h. */
static armilla_status make_tables(const request *q, armilla_solid_source *source,
                                  armilla_solid_sum *sum)
{
    const int64_t derivatives = q->options.derivatives;
    armilla_status status = ARMILLA_OK;
    for (int zonal = 0; zonal < 2 && !status; zonal++) {
        armilla_solid_table *table = zonal ? sum->zonal : sum->table;
        choose_orders(source, zonal);
        status = armilla_solid_table_new(source, 0, derivatives ? ARMILLA_SOLID_FIRST_FIELDS : 1,
                                         derivatives ? 1 : 0, &table[0]);
        if (status || derivatives < 2) continue;
        status = armilla_solid_table_new(source, ARMILLA_SOLID_FIRST_FIELDS,
                                         ARMILLA_SOLID_FIELDS - ARMILLA_SOLID_FIRST_FIELDS, 2,
                                         &table[1]);
    }
    return status;
}

static void fill_tables(armilla_solid_sum *sum, armilla_solid_source *source, int nthreads)
{
    sum->mean = source->alm[2 * source->layout->mstart[0]];
    for (int zonal = 0; zonal < 2; zonal++) {
        const armilla_solid_table *table = zonal ? sum->zonal : sum->table;
        choose_orders(source, zonal);
        for (int i = 0; i < 2 && table[i].nfields; i++)
            armilla_solid_table_fill(&table[i], source, nthreads);
    }
}

static armilla_status sum_all(const request *q, armilla_solid_sum *sum, const double *alm,
                              double *values)
{
    const armilla_exec *exec = &q->exec;
    const int nthreads = armilla_team_size(exec->nthreads);
    armilla_progress progress;
    armilla_solid_source source = {.layout = q->layout, .alm = alm, .interior = q->places.interior};
    armilla_status status = make_tables(q, &source, sum);
    if (!status)
        status =
            armilla_allocate(&sum->scratch, nthreads * armilla_solid_scratch(), sizeof(double));
    if (status) return status;
    sum->progress = &progress;
    sum->distance = exec->map_distance;
    armilla_progress_start(&progress, exec->progress, exec->progress_data,
                           (double)exec->ntrans * (double)q->places.count);
    for (int64_t t = 0; t < exec->ntrans && !armilla_progress_status(&progress); t++) {
        source.alm = alm + 2 * t * exec->alm_distance;
        sum->values = values + t * q->arrays.nmap * exec->map_distance;
        fill_tables(sum, &source, nthreads);
        armilla_solid_sum_run(sum, nthreads);
    }
    return armilla_progress_status(&progress);
}

static armilla_status run(request *q, const double *alm, double *values)
{
    armilla_solid_sum sum = {.places = &q->places,
                             .kernels = armilla_solid_kernels_find(q->machine.isa),
                             .derivatives = q->options.derivatives,
                             .local = q->options.frame == ARMILLA_SOLID_LOCAL};
    if (q->places.count == 0) return ARMILLA_OK;
    armilla_status status = armilla_solid_places_sort(&q->places);
    if (!status) status = sum_all(q, &sum, alm, values);
    for (int i = 0; i < 2; i++) {
        armilla_solid_table_clear(&sum.table[i]);
        armilla_solid_table_clear(&sum.zonal[i]);
    }
    armilla_release(sum.scratch);
    armilla_release(q->places.place);
    return status;
}

armilla_status armilla_solid_evaluate(int64_t lmax, int64_t mmax, int64_t npoints,
                                      const double *points, const armilla_solid_options *options,
                                      const double *alm, double *values, const armilla_exec *exec)
{
    request q = {.layout = NULL};
    armilla_status status = take_problem(lmax, mmax, options, &q);
    if (!status) status = take_points(npoints, points, &q);
    if (!status) status = take_call(alm, values, exec, &q);
    if (!status) status = run(&q, alm, values);
    armilla_alm_layout_free(q.layout);
    return status;
}
