/* Potentials at points in space: the public call. See armilla/solid.h; sum.h and shells.h have the
 * work. */
#include "base/memory.h"
#include "base/team.h"
#include "solid/request.h"
#include "solid/shells.h"
#include "solid/sum.h"
#include "solid/survey.h"

static void choose_orders(armilla_solid_source *source, int zonal)
{
    source->first = zonal ? 0 : 1, source->last = zonal ? 0 : source->layout->mmax;
}

/* Orders 0 and others have tables of their own: sum.h. */
static armilla_status make_tables(const armilla_solid_request *q, armilla_solid_source *source,
                                  armilla_solid_sum *sum)
{
    armilla_status status = ARMILLA_OK;
    for (int zonal = 0; zonal < 2 && !status; zonal++) {
        choose_orders(source, zonal);
        status = armilla_solid_tables_new(source, q->options.derivatives,
                                          zonal ? sum->zonal : sum->table);
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

/* All transforms at the points of sum->places. */
static armilla_status sum_all(const armilla_solid_request *q, armilla_solid_sum *sum,
                              const double *alm, double *values)
{
    const armilla_exec *exec = &q->call.exec;
    const int nthreads = armilla_team_size(exec->nthreads);
    armilla_solid_source source = {.layout = q->layout, .alm = alm, .interior = q->places.interior};
    armilla_status status = make_tables(q, &source, sum);
    if (!status)
        status =
            armilla_allocate(&sum->scratch, nthreads * armilla_solid_scratch(), sizeof(double));
    if (status) return status;
    for (int64_t t = 0; t < exec->ntrans && !armilla_progress_status(sum->progress); t++) {
        source.alm = alm + 2 * t * exec->alm_distance;
        sum->values = values + t * q->arrays.nmap * exec->map_distance;
        fill_tables(sum, &source, nthreads);
        armilla_solid_sum_run(sum, nthreads);
    }
    return armilla_progress_status(sum->progress);
}

/* places: those that are summed, not sorted yet. */
static armilla_status run_direct(const armilla_solid_request *q, armilla_solid_places *places,
                                 const double *alm, double *values, armilla_progress *progress)
{
    armilla_solid_sum sum = {.places = places,
                             .kernels = armilla_solid_kernels_find(q->machine.isa),
                             .derivatives = q->options.derivatives,
                             .local = q->options.frame == ARMILLA_SOLID_LOCAL,
                             .distance = q->call.exec.map_distance,
                             .progress = progress};
    armilla_solid_places_sort(places);
    const armilla_status status = sum_all(q, &sum, alm, values);
    for (int i = 0; i < 2; i++) {
        armilla_solid_table_clear(&sum.table[i]);
        armilla_solid_table_clear(&sum.zonal[i]);
    }
    armilla_release(sum.scratch);
    return status;
}

/* The points of shells that are summed, all at once, and then the others, shell by shell. */
static armilla_status run_shells(const armilla_solid_request *q, const armilla_solid_survey *survey,
                                 const double *alm, double *values, armilla_progress *progress)
{
    const armilla_solid_shells job = {.places = &q->places,
                                      .number = survey->number,
                                      .log_r = survey->log_r,
                                      .layout = q->layout,
                                      .options = &q->options,
                                      .alm = alm,
                                      .values = values,
                                      .ntrans = q->call.exec.ntrans,
                                      .ncomp = q->arrays.nmap,
                                      .alm_distance = q->call.exec.alm_distance,
                                      .distance = q->call.exec.map_distance,
                                      .nthreads = q->call.exec.nthreads,
                                      .progress = progress};
    armilla_solid_places some = q->places;
    armilla_status status = armilla_solid_survey_direct(survey, &some);
    if (!status && some.count) status = run_direct(q, &some, alm, values, progress);
    for (int64_t i = 0; i < survey->choice.count && !status; i++)
        if (survey->choice.shell[i].nodes)
            status = armilla_solid_shells_run(&job, &survey->choice.shell[i]);
    armilla_release(some.place);
    return status;
}

static armilla_status run(const armilla_solid_request *q, const double *alm, double *values)
{
    armilla_progress progress;
    armilla_solid_survey survey;
    if (q->places.count == 0) return ARMILLA_OK;
    armilla_status status = armilla_solid_survey_new(q, alm, &survey);
    if (!status) {
        armilla_progress_start(&progress, q->call.exec.progress, q->call.exec.progress_data,
                               (double)q->call.exec.ntrans * (double)q->places.count);
        status = run_shells(q, &survey, alm, values, &progress);
    }
    armilla_solid_survey_clear(&survey);
    return status;
}

armilla_status armilla_solid_evaluate(int64_t lmax, int64_t mmax, int64_t npoints,
                                      const double *points, const armilla_solid_options *options,
                                      const double *alm, double *values, const armilla_exec *exec)
{
    armilla_solid_request q = {.layout = NULL};
    armilla_status status = armilla_solid_request_problem(lmax, mmax, npoints, points, options, &q);
    if (!status) status = armilla_solid_request_call(1, alm, values, exec, &q);
    if (!status) status = run(&q, q.call.alm.values, q.call.map.values);
    return armilla_solid_request_close(&q, status);
}
