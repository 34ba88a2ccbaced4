/* The adjoint of potentials at points: the public call. See armilla/solid.h; collect.h and
 * transpose.h have the work. */
#include "base/memory.h"
#include "base/team.h"
#include "solid/collect.h"
#include "solid/request.h"
#include "solid/transpose.h"

#include <string.h>

static armilla_status check_sums(const armilla_solid_request *q)
{
    if (q->options.epsilon == 0) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                        "options->epsilon = %g: the adjoint is that of sums; use 0",
                        q->options.epsilon);
}

/* No coefficients, whose factors are 0. */
static armilla_solid_source nothing(const armilla_solid_request *q)
{
    return (armilla_solid_source){
        .layout = q->layout, .interior = q->places.interior, .last = q->layout->mmax};
}

static void finish(const armilla_solid_request *q, armilla_solid_collection *c, double *alm)
{
    const armilla_solid_source none = nothing(q);
    for (int i = 0; i < c->ntables; i++) armilla_solid_table_fill(&c->table[i], &none, c->nthreads);
    armilla_solid_transpose(c->table, c->ntables, q->places.interior, q->layout, alm, c->nthreads);
}

static void clear_factors(const armilla_solid_request *q, armilla_solid_collection *c)
{
    const armilla_solid_source none = nothing(q);
    for (int i = 0; i < c->ntables; i++) {
        armilla_solid_table_clear_factors(&c->table[i]);
        armilla_solid_table_fill(&c->table[i], &none, c->nthreads);
    }
}

static armilla_status collect_all(const armilla_solid_request *q, armilla_solid_collection *c,
                                  const double *values, double *alm)
{
    const armilla_exec *exec = &q->call.exec;
    armilla_progress progress;
    armilla_status status = armilla_solid_collection_open(c);
    if (status) return status;
    c->progress = &progress;
    armilla_progress_start(&progress, exec->progress, exec->progress_data,
                           (double)exec->ntrans * (double)q->places.count *
                               (double)armilla_solid_tasks(c));
    for (int64_t t = 0; t < exec->ntrans && !status; t++) {
        c->values = values + t * q->arrays.nmap * exec->map_distance;
        clear_factors(q, c);
        armilla_solid_collect(c);
        status = armilla_progress_status(&progress);
        if (!status) finish(q, c, alm + 2 * t * exec->alm_distance);
    }
    return status;
}

static armilla_status run(armilla_solid_request *q, const double *values, double *alm)
{
    armilla_solid_table table[2] = {{.nfields = 0}};
    armilla_solid_collection c = {.places = &q->places,
                                  .kernels = armilla_solid_kernels_find(q->machine.isa),
                                  .table = table,
                                  .ntables = q->options.derivatives == 2 ? 2 : 1,
                                  .derivatives = q->options.derivatives,
                                  .local = q->options.frame == ARMILLA_SOLID_LOCAL,
                                  .distance = q->call.exec.map_distance,
                                  .nthreads = armilla_team_size(q->call.exec.nthreads)};
    armilla_status status =
        armilla_allocate(&q->places.place, q->places.count, sizeof *q->places.place);
    if (!status) {
        for (int64_t i = 0; i < q->places.count; i++) q->places.place[i].number = i;
        armilla_solid_places_sort(&q->places);
        const armilla_solid_source none = nothing(q);
        status = armilla_solid_tables_new(&none, q->options.derivatives, table);
    }
    if (!status) status = collect_all(q, &c, values, alm);
    armilla_solid_collection_clear(&c);
    for (int i = 0; i < 2; i++) armilla_solid_table_clear(&table[i]);
    armilla_release(q->places.place);
    return status;
}

armilla_status armilla_solid_adjoint_evaluate(int64_t lmax, int64_t mmax, int64_t npoints,
                                              const double *points,
                                              const armilla_solid_options *options,
                                              const double *values, double *alm,
                                              const armilla_exec *exec)
{
    armilla_solid_request q = {.layout = NULL};
    armilla_status status = armilla_solid_request_problem(lmax, mmax, npoints, points, options, &q);
    if (!status) status = armilla_solid_request_call(0, alm, values, exec, &q);
    if (!status) status = check_sums(&q);
    if (!status) status = run(&q, q.call.map.values, q.call.alm.values);
    return armilla_solid_request_close(&q, status);
}
