/* Runs the operators of a plan for points over ranks, a transform at a time: moves what is not
 * where the stages have it. */
#include "base/integer.h"
#include "base/memory.h"
#include "call/call.h"
#include "points/check.h"
#include "points/execute.h"
#include "ranks/agree.h"
#include "ranks/points/stages.h"

typedef struct {
    const armilla_distributed_points *plan;
    const armilla_points_core *core;
    armilla_exec exec;
    int to_points, is_float;
    int64_t alm_size, here; /* of the rows of the stages; points here */
    armilla_array alm;      /* of the stages: the caller's, or a copy */
    int64_t alm_distance;
    armilla_array values; /* of the points here */
    armilla_rank_stages stages;
} run;

/* --- Memory ---------------------------------------------------------------------------------- */

/* Doubles for so many items. */
static int64_t room_for(const run *r, int64_t items)
{
    return armilla_round_line(r->is_float ? (items + 1) / 2 : items);
}

/* Parts of the workspace, doubles. */
typedef struct {
    int64_t values, alm, scratch, stages, total;
} sizes;

static sizes sizes_of(const run *r)
{
    sizes s = {.values = room_for(r, r->core->nmap * r->here),
               .scratch = armilla_points_scratch_size(r->core)};
    if (r->plan->alm_to_orders) s.alm = room_for(r, 2 * r->core->nalm * r->alm_size);
    s.stages = armilla_rank_stages_size(&r->stages, s.scratch);
    s.total = s.values + s.alm + s.stages;
    return s;
}

static armilla_status place_all(run *r, const sizes *s, double *memory)
{
    r->values = (armilla_array){memory, r->is_float}, memory += s->values;
    r->alm = (armilla_array){memory, r->is_float}, memory += s->alm;
    return armilla_rank_stages_open(&r->stages, s->scratch, memory);
}

static run run_of(const armilla_distributed_points *plan, int to_points, int is_float)
{
    return (run){.plan = plan,
                 .core = plan->core,
                 .to_points = to_points,
                 .is_float = is_float,
                 .alm_size = plan->core->layout->size,
                 .here = plan->routes.here};
}

int64_t armilla_distributed_points_workspace(const armilla_distributed_points *plan, int to_points,
                                             int is_float, int nthreads)
{
    run r = run_of(plan, to_points, is_float);
    armilla_rank_stages_init(&r.stages, plan, to_points, nthreads);
    return sizes_of(&r).total;
}

/* --- Between the caller's arrays and those of the stages ---------------------------------------
 */

static int64_t item_size(const run *r)
{
    return armilla_array_item_size((armilla_array){NULL, r->is_float});
}

static armilla_status take_alm(run *r, armilla_array given)
{
    const armilla_distributed_points *plan = r->plan;
    if (!plan->alm_to_orders) {
        r->alm = given, r->alm_distance = r->exec.alm_distance;
        return ARMILLA_OK;
    }
    r->alm_distance = r->alm_size;
    if (!r->to_points) return ARMILLA_OK;
    return armilla_redistribution_run(plan->alm_to_orders, 2 * item_size(r), r->core->nalm,
                                      given.values, r->exec.alm_distance, r->alm.values,
                                      r->alm_size);
}

static armilla_status give_alm(run *r, armilla_array given)
{
    const armilla_distributed_points *plan = r->plan;
    if (!plan->alm_to_orders) return ARMILLA_OK;
    return armilla_redistribution_run(plan->alm_to_given, 2 * item_size(r), r->core->nalm,
                                      r->alm.values, r->alm_size, given.values,
                                      r->exec.alm_distance);
}

static armilla_status take_values(run *r, armilla_array given)
{
    return armilla_redistribution_run(r->plan->routes.to_strips, item_size(r), r->core->nmap,
                                      given.values, r->exec.map_distance, r->values.values,
                                      r->here);
}

static armilla_status give_values(run *r, armilla_array given)
{
    return armilla_redistribution_run(r->plan->routes.to_askers, item_size(r), r->core->nmap,
                                      r->values.values, r->here, given.values,
                                      r->exec.map_distance);
}

static armilla_points_pass pass_of(const run *r)
{
    return (armilla_points_pass){
        .core = r->core, .order = &r->plan->order, .values = r->values, .component = r->here};
}

static armilla_status synthesis(run *r, armilla_array alm, armilla_array values)
{
    const armilla_points_pass pass = pass_of(r);
    armilla_status status = take_alm(r, alm);
    if (status) return status;
    const armilla_alm_rows rows = armilla_points_alm_rows(r->core, r->alm, r->alm_distance);
    status = armilla_rank_stages_to_points(&r->stages, &rows, &pass);
    return status ? status : give_values(r, values);
}

static armilla_status adjoint(run *r, armilla_array alm, armilla_array values)
{
    const armilla_points_pass pass = pass_of(r);
    armilla_status status = take_values(r, values);
    if (!status) status = take_alm(r, alm);
    if (status) return status;
    const armilla_alm_rows rows = armilla_points_alm_rows(r->core, r->alm, r->alm_distance);
    status = armilla_rank_stages_from_points(&r->stages, &rows, &pass);
    return status ? status : give_alm(r, alm);
}

/* --- A call ---------------------------------------------------------------------------------- */

armilla_status armilla_distributed_points_open(const armilla_distributed_points *plan,
                                               const armilla_exec *exec, armilla_call *call)
{
    const armilla_call_arrays arrays = {.alm_size = armilla_distributed_points_alm(plan),
                                        .nalm = plan->core->nalm,
                                        .npix = plan->npoints,
                                        .nmap = plan->core->nmap,
                                        .samples = "values",
                                        .delegation = plan->delegation};
    return armilla_call_open(&arrays, exec, call);
}

/* Before anything is exchanged: have all ranks their memory, and do they run the same operator? */
static armilla_status begin(run *r, armilla_status status)
{
    const armilla_common values[] = {{"exec->ntrans", r->exec.ntrans},
                                     {"the operator", r->to_points},
                                     {"floats (1) or doubles (0)", r->is_float}};
    r->stages.watched = !status && r->exec.progress != NULL;
    return armilla_agree_on(&r->plan->transport, status, 3, values, &r->stages.watched);
}

static armilla_status execute(run *r, armilla_array alm, armilla_array values)
{
    armilla_status status = ARMILLA_OK;
    armilla_rank_stages_start(&r->stages, &r->exec,
                              armilla_rank_stages_degrees(r->plan) * (double)r->exec.ntrans);
    const armilla_array copy = r->alm;
    for (int64_t t = 0; t < r->exec.ntrans && !status; t++) {
        const armilla_array alm_of =
            armilla_array_from(alm, 2 * t * r->core->nalm * r->exec.alm_distance);
        const armilla_array values_of =
            armilla_array_from(values, t * r->core->nmap * r->exec.map_distance);
        r->alm = copy;
        status = r->to_points ? synthesis(r, alm_of, values_of) : adjoint(r, alm_of, values_of);
    }
    return status;
}

armilla_status armilla_distributed_points_run(const armilla_distributed_points *plan, int to_points,
                                              armilla_array alm, armilla_array values,
                                              const armilla_exec *exec)
{
    run r = run_of(plan, to_points, alm.is_float);
    double *memory = NULL;
    armilla_call call = armilla_call_of(to_points, alm, values);
    armilla_status status = armilla_distributed_points_open(plan, exec, &call);
    r.exec = call.exec;
    armilla_rank_stages_init(&r.stages, plan, to_points, r.exec.nthreads);
    const sizes s = sizes_of(&r);
    if (!status) status = armilla_workspace_take(r.core->workspace, s.total, &memory);
    if (!status) status = place_all(&r, &s, memory);
    if (!(status = begin(&r, status))) status = execute(&r, call.alm, call.map);
    status = armilla_rank_close(&plan->transport, &plan->delegation, &call, status);
    armilla_rank_stages_clear(&r.stages);
    if (memory) armilla_workspace_give(r.core->workspace, memory);
    return status;
}
