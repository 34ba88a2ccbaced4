/* Planes on GPUs: a plan of points for each spin makes them, from coefficients that the host has
 * multiplied, and the host turns them. */
#include "beams/execute.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "points/tell.h"

/* --- Plans ------------------------------------------------------------------------------------ */

/* The GPUs, and what the host has for their calls. */
static armilla_status begin(int64_t lmax, int64_t mmax, const armilla_beams_options *options,
                            const armilla_beams *beside, armilla_beams *plan)
{
    enum { ALLOWED = 1 };
    armilla_status status = ARMILLA_OK;
    if (beside)
        plan->gpus = beside->gpus;
    else
        status = armilla_delegate("options->device", ARMILLA_OPERATION_BEAMS, options->device,
                                  options->devices, options->ndevices, ALLOWED, &plan->gpus);
    if (!status) status = armilla_alm_layout_new(lmax, mmax, &plan->triangle);
    plan->layout = plan->triangle;
    return status ? status : armilla_workspace_store_new(&plan->store);
}

armilla_status armilla_beams_device_make(int64_t lmax, int64_t mmax, const double *points,
                                         const armilla_beams_options *options,
                                         const armilla_beams *beside, armilla_beams *plan)
{
    const int64_t count = plan->order.count;
    armilla_status status = begin(lmax, mmax, options, beside, plan);
    if (!status)
        status = armilla_allocate_zero(&plan->on_gpu, plan->kmax + 1, sizeof *plan->on_gpu);
    for (int64_t k = 0; k <= plan->kmax && !status; k++) {
        const armilla_points_options own = armilla_beams_points_options(k, options);
        armilla_points **made = &plan->on_gpu[k];
        status = beside ? armilla_points_new_beside(beside->on_gpu[k], count, points, made)
                        : armilla_points_new(lmax, mmax, count, points, &own, made);
    }
    return status;
}

void armilla_beams_device_clear(armilla_beams *plan)
{
    for (int64_t k = 0; plan->on_gpu && k <= plan->kmax; k++) armilla_points_free(plan->on_gpu[k]);
    armilla_release(plan->on_gpu);
    armilla_alm_layout_free(plan->triangle);
    armilla_workspace_store_free(plan->store);
}

void armilla_beams_device_tell(const armilla_beams *plan, const armilla_teller *teller)
{
    armilla_points_tell(plan->on_gpu[plan->kmax], teller);
    for (int64_t k = 0; k < plan->kmax; k++) {
        const armilla_teller own = armilla_points_teller_of_spin(teller, k);
        armilla_points_tell(plan->on_gpu[k], &own);
    }
}

/* --- Calls ------------------------------------------------------------------------------------ */

typedef struct {
    const armilla_beams *plan;
    armilla_call *call;
    armilla_exec inner;
    double share;  /* of the call's progress, of a plane */
    double *apart; /* [2][count]: Q, then U */
} gpu;

static void pair(const double *apart, int64_t count, double *values)
{
    for (int64_t i = 0; i < count; i++)
        values[2 * i] = apart[i], values[2 * i + 1] = apart[count + i];
}

static void part(const double *values, int64_t count, double *apart)
{
    for (int64_t i = 0; i < count; i++)
        apart[i] = values[2 * i], apart[count + i] = values[2 * i + 1];
}

static armilla_status to_values(void *context, int64_t k, double *rows, double *values)
{
    gpu *g = context;
    armilla_status status = armilla_relay_next(&g->call->relay, g->share);
    if (status) return status;
    status = armilla_points_synthesis(g->plan->on_gpu[k], rows, k ? g->apart : values, &g->inner);
    if (!status && k) pair(g->apart, g->plan->order.count, values);
    return status;
}

static armilla_status from_values(void *context, int64_t k, double *rows, double *values)
{
    gpu *g = context;
    const armilla_status status = armilla_relay_next(&g->call->relay, g->share);
    if (status) return status;
    if (k) part(values, g->plan->order.count, g->apart);
    return armilla_points_adjoint_synthesis(g->plan->on_gpu[k], k ? g->apart : values, rows,
                                            &g->inner);
}

armilla_status armilla_beams_device_run(const armilla_beams *plan, armilla_beams_operator op,
                                        const armilla_beams_arrays *arrays, armilla_call *call)
{
    const int64_t apart = armilla_round_line(2 * plan->order.count);
    const double planes = (double)call->exec.ntrans * armilla_beams_units(plan, 1);
    gpu g = {.plan = plan, .call = call, .inner = armilla_call_inner(call), .share = 1 / planes};
    const armilla_beams_place place = {.context = &g,
                                       .nthreads = armilla_team_size(call->exec.nthreads),
                                       .to_values = to_values,
                                       .from_values = from_values};
    armilla_status status = armilla_workspace_take(
        plan->store, apart + armilla_beams_transform_size(plan, op, arrays->beam.is_float, NULL),
        &g.apart);
    if (status) return status;
    g.inner.alm_distance = plan->alm_size, g.inner.map_distance = plan->order.count;
    g.inner.memory = ARMILLA_MEMORY_HOST, g.inner.stream = NULL;
    status = armilla_beams_transforms(plan, op, arrays, &call->exec, &place, g.apart + apart);
    if (!status) status = armilla_relay_next(&call->relay, 0);
    armilla_workspace_give(plan->store, g.apart);
    return status;
}
