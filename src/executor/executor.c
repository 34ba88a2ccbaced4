/* Strings the stages of a transform over batches and passes, and stops between two of them when the
 * backend says so. */
#include "executor/executor.h"

#include "base/integer.h"

static armilla_status reached(const armilla_execution *e, int pass_is_over)
{
    return e->backend->reached ? e->backend->reached(e->call, pass_is_over)
                               : armilla_progress_status(e->progress);
}

static armilla_status run_pass(armilla_execution *e)
{
    const armilla_backend *backend = e->backend;
    (e->to_map ? backend->alm_to_leg : backend->maps_to_leg)(e->call, &e->pass);
    const armilla_status status = reached(e, 0);
    if (status) return status;
    (e->to_map ? backend->leg_to_maps : backend->leg_to_alm)(e->call, &e->pass);
    return reached(e, 1);
}

static armilla_status run_passes(armilla_execution *e)
{
    const int several = e->norder_passes > 1;
    armilla_status status = ARMILLA_OK;
    for (int64_t number = 0; number < e->npasses && !status; number++) {
        e->pass.number = number;
        e->pass.alm.later = several && number > 0;
        e->pass.alm.last = !several || number + 1 == e->npasses;
        status = run_pass(e);
    }
    return status;
}

static armilla_status run_batch(armilla_execution *e, armilla_array alm, armilla_array map,
                                int64_t count)
{
    const armilla_backend *backend = e->backend;
    armilla_pass *pass = &e->pass;
    pass->nsets = count * pass->alm.nsets;
    pass->alm.values = alm, pass->maps.values = map;
    if (backend->begin_batch)
        backend->begin_batch(e->call, count, &pass->alm.values, &pass->maps.values);
    const armilla_status status = run_passes(e);
    if (!status && backend->end_batch) backend->end_batch(e->call, count, alm, map);
    return status;
}

static int64_t step_of(int64_t step, int64_t ncomp)
{
    return step ? step : ncomp;
}

/* A single transform may have any distance. */
armilla_status armilla_execute(armilla_execution *e)
{
    const armilla_pass *pass = &e->pass;
    const int64_t alm_step = step_of(pass->alm.step, pass->alm.ncomp) * pass->alm.distance;
    const int64_t map_step = step_of(pass->maps.step, pass->alm.nsets) * pass->maps.distance;
    const int64_t numbers = pass->alm.packed ? 1 : 2;
    const armilla_array alm = pass->alm.values, map = pass->maps.values;
    armilla_status status = ARMILLA_OK;
    for (int64_t t = 0; t < e->ntrans && !status; t += e->batch)
        status = run_batch(e, armilla_array_from(alm, numbers * t * alm_step),
                           armilla_array_from(map, t * map_step),
                           armilla_smaller(e->batch, e->ntrans - t));
    return status;
}
