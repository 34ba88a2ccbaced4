/* Runs the operators of a plan for skies seen through beams over ranks, a transform at a time: the
 * steps are those of one rank, between which coefficients and samples move. */
#include "base/integer.h"
#include "base/memory.h"
#include "call/call.h"
#include "points/execute.h"
#include "ranks/agree.h"
#include "ranks/beams/plan.h"
#include "ranks/digest.h"
#include "ranks/points/stages.h"

#include <string.h>

typedef struct {
    const armilla_distributed_beams *plan;
    armilla_beams_operator op;
    int is_float;
    armilla_exec exec;
    armilla_array sky;     /* of the plan's orders, where the caller's are others */
    armilla_array samples; /* of the pointings here */
    double *memory;        /* of a transform */
    armilla_rank_stages stages;
} run;

/* --- What the ranks do between the steps ------------------------------------------------------ */

static armilla_alm_rows rows_of(const run *r, const armilla_points_core *core, double *rows)
{
    return armilla_points_alm_rows(core, (armilla_array){rows, 0}, r->plan->here.alm_size);
}

static armilla_points_pass pass_of(const run *r, const armilla_points_core *core, double *values)
{
    return (armilla_points_pass){
        .core = core, .order = &r->plan->here.order, .values = {values, 0}, .component = 1};
}

/* Strips make no values of the pointings that lie in bands beside them: these are 0. */
static armilla_status to_values(void *context, int64_t k, double *rows, double *values)
{
    run *r = context;
    const armilla_points_core *core = &r->plan->here.spins.of[k];
    memset(values, 0, (size_t)(core->nmap * r->plan->here.order.count) * sizeof *values);
    const armilla_alm_rows alm = rows_of(r, core, rows);
    const armilla_points_pass pass = pass_of(r, core, values);
    return armilla_rank_stages_to_points(&r->stages, &alm, &pass);
}

static armilla_status from_values(void *context, int64_t k, double *rows, double *values)
{
    run *r = context;
    const armilla_points_core *core = &r->plan->here.spins.of[k];
    const armilla_alm_rows alm = rows_of(r, core, rows);
    const armilla_points_pass pass = pass_of(r, core, values);
    return armilla_rank_stages_from_points(&r->stages, &alm, &pass);
}

static armilla_status to_degrees(void *context, int64_t nfields, const double *orders,
                                 int64_t distance, double *degrees)
{
    const run *r = context;
    return armilla_redistribution_run(r->plan->to_degrees, 2 * sizeof(double), nfields, orders,
                                      distance, degrees, r->plan->degrees.rows.size);
}

static armilla_status share_beams(void *context, double *beams)
{
    const run *r = context;
    const armilla_beams *here = &r->plan->here;
    const armilla_rank_degrees *degrees = &r->plan->degrees;
    const int64_t rows = here->nbeams * here->components;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0; k <= here->kmax; k++) {
            const int64_t first = armilla_alm_index(degrees->rows.lmax, k, k);
            armilla_rank_degrees_mark(degrees, k, 2, beams + 2 * (i * here->blm_size + first));
        }
    return armilla_rank_degrees_share(degrees, 2 * rows * here->blm_size, beams);
}

/* --- Memory ---------------------------------------------------------------------------------- */

/* Parts of the workspace, doubles. */
typedef struct {
    int64_t sky, samples, transform, scratch, total;
} sizes;

static int64_t room_for(const run *r, int64_t items)
{
    return armilla_round_line(r->is_float ? (items + 1) / 2 : items);
}

static sizes sizes_of(const run *r)
{
    const armilla_beams *here = &r->plan->here;
    sizes s = {.samples = room_for(r, here->order.count),
               .transform =
                   armilla_beams_transform_size(here, r->op, r->is_float, &r->plan->degrees.rows),
               .scratch = armilla_beams_scratch(here)};
    if (r->plan->points->alm_to_orders) s.sky = room_for(r, 2 * here->components * here->alm_size);
    s.total = s.sky + s.samples + s.transform + armilla_rank_stages_size(&r->stages, s.scratch);
    return s;
}

static armilla_status place_all(run *r, const sizes *s, double *memory)
{
    r->sky = (armilla_array){memory, r->is_float}, memory += s->sky;
    r->samples = (armilla_array){memory, r->is_float}, memory += s->samples;
    r->memory = memory, memory += s->transform;
    return armilla_rank_stages_open(&r->stages, s->scratch, memory);
}

static void init(run *r, const armilla_distributed_beams *plan, armilla_beams_operator op,
                 int is_float, int nthreads)
{
    r->plan = plan, r->op = op, r->is_float = is_float;
    armilla_rank_stages_init(&r->stages, plan->points, op == ARMILLA_BEAMS_CONVOLVE, nthreads);
}

int64_t armilla_distributed_beams_workspace(const armilla_distributed_beams *plan,
                                            armilla_beams_operator op, int is_float, int nthreads)
{
    run r = {0};
    init(&r, plan, op, is_float, nthreads);
    return sizes_of(&r).total;
}

/* --- Between the caller's arrays and those of the steps --------------------------------------- */

static int64_t item_size(const run *r)
{
    return armilla_array_item_size(r->samples);
}

/* *transform becomes that of the plan's orders and pointings. */
static armilla_status take(run *r, const armilla_beams_transform *given,
                           armilla_beams_transform *transform)
{
    const armilla_distributed_points *points = r->plan->points;
    const armilla_beams *here = &r->plan->here;
    armilla_status status = ARMILLA_OK;
    *transform = *given, transform->arrays.samples = r->samples;
    if (points->alm_to_orders)
        transform->arrays.sky = r->sky, transform->sky_distance = here->alm_size;
    if (points->alm_to_orders && r->op != ARMILLA_BEAMS_ADJOINT)
        status = armilla_redistribution_run(points->alm_to_orders, 2 * item_size(r),
                                            here->components, given->arrays.sky.values,
                                            given->sky_distance, r->sky.values, here->alm_size);
    if (!status && r->op != ARMILLA_BEAMS_CONVOLVE)
        status = armilla_redistribution_run(points->routes.to_strips, item_size(r), 1,
                                            given->arrays.samples.values, 0, r->samples.values, 0);
    return status;
}

static armilla_status give(const run *r, const armilla_beams_transform *given)
{
    const armilla_distributed_points *points = r->plan->points;
    const armilla_beams *here = &r->plan->here;
    if (r->op == ARMILLA_BEAMS_CONVOLVE)
        return armilla_redistribution_run(points->routes.to_askers, item_size(r), 1,
                                          r->samples.values, 0, given->arrays.samples.values, 0);
    if (r->op == ARMILLA_BEAMS_BEAM_ADJOINT || !points->alm_to_orders) return ARMILLA_OK;
    return armilla_redistribution_run(points->alm_to_given, 2 * item_size(r), here->components,
                                      r->sky.values, here->alm_size, given->arrays.sky.values,
                                      given->sky_distance);
}

/* --- A call ---------------------------------------------------------------------------------- */

armilla_status armilla_distributed_beams_open(const armilla_distributed_beams *plan,
                                              armilla_beams_operator op,
                                              const armilla_beams_arrays *arrays,
                                              const armilla_exec *exec, armilla_call *call)
{
    const armilla_call_arrays of_plan = {.alm_size = armilla_distributed_points_alm(plan->points),
                                         .nalm = plan->here.components,
                                         .npix = plan->points->npoints,
                                         .nmap = 1,
                                         .samples = "samples",
                                         .coefficients = "sky",
                                         .delegation = plan->here.gpus};
    *call = armilla_call_of(op == ARMILLA_BEAMS_CONVOLVE, arrays->sky, arrays->samples);
    armilla_status status = armilla_beams_check_host(&plan->here, op, arrays);
    call->alm_is_read = op == ARMILLA_BEAMS_BEAM_ADJOINT;
    return status ? status : armilla_call_open(&of_plan, exec, call);
}

/* A digest of all bits of the beams that a call reads; a complex number has 8 bytes or 16. */
static int64_t digest_of(const run *r, const armilla_beams_arrays *arrays)
{
    const armilla_beams *here = &r->plan->here;
    const int64_t beams = r->exec.ntrans * here->nbeams * here->components * here->blm_size;
    if (r->op == ARMILLA_BEAMS_BEAM_ADJOINT) return 0;
    uint64_t digest = armilla_digest_start;
    for (int64_t i = 0; i < beams * 2 * item_size(r) / 8; i++) {
        int64_t bits;
        memcpy(&bits, (const char *)arrays->beam.values + 8 * i, sizeof bits);
        digest = armilla_digest_add(digest, bits);
    }
    return armilla_digest_end(digest);
}

/* Before anything is exchanged. */
static armilla_status begin(run *r, const armilla_beams_arrays *arrays, armilla_status status)
{
    const armilla_common values[] = {{"exec->ntrans", r->exec.ntrans},
                                     {"the operator", (int64_t)r->op},
                                     {"floats (1) or doubles (0)", r->is_float},
                                     {"beam (its bits)", status ? 0 : digest_of(r, arrays)}};
    r->stages.watched = !status && r->exec.progress != NULL;
    return armilla_agree_on(&r->plan->points->transport, status, 4, values, &r->stages.watched);
}

static armilla_status execute(run *r, const armilla_beams_arrays *arrays)
{
    const armilla_beams *here = &r->plan->here;
    const armilla_beams_place place = {.context = r,
                                       .nthreads = r->stages.work.nthreads,
                                       .to_values = to_values,
                                       .from_values = from_values,
                                       .degrees = &r->plan->degrees.rows,
                                       .to_degrees = to_degrees,
                                       .share_beams = share_beams};
    armilla_status status = ARMILLA_OK;
    armilla_rank_stages_start(
        &r->stages, &r->exec,
        armilla_beams_units(here, armilla_rank_stages_degrees(r->plan->points)) *
            (double)r->exec.ntrans);
    for (int64_t t = 0; t < r->exec.ntrans && !status; t++) {
        const armilla_beams_transform given =
            armilla_beams_transform_of(here, r->op, arrays, &r->exec, t);
        armilla_beams_transform transform;
        status = take(r, &given, &transform);
        if (!status) status = armilla_beams_transform_run(here, &place, &transform, r->memory);
        if (!status) status = give(r, &given);
    }
    return status;
}

armilla_status armilla_distributed_beams_run(const armilla_distributed_beams *plan,
                                             armilla_beams_operator op,
                                             const armilla_beams_arrays *arrays,
                                             const armilla_exec *exec)
{
    run r = {.plan = plan, .op = op, .is_float = arrays->beam.is_float};
    const armilla_transport *transport = &plan->points->transport;
    armilla_workspace_store *store = plan->points->core->workspace;
    double *memory = NULL;
    armilla_call call;
    armilla_status status = armilla_distributed_beams_open(plan, op, arrays, exec, &call);
    r.exec = call.exec;
    init(&r, plan, op, arrays->beam.is_float, r.exec.nthreads);
    const sizes s = sizes_of(&r);
    if (!status) status = armilla_workspace_take(store, s.total, &memory);
    if (!status) status = place_all(&r, &s, memory);
    const armilla_beams_arrays here = {call.alm, arrays->beam, call.map};
    if (!(status = begin(&r, arrays, status))) status = execute(&r, &here);
    status = armilla_rank_close(transport, &plan->here.gpus, &call, status);
    armilla_rank_stages_clear(&r.stages);
    if (memory) armilla_workspace_give(store, memory);
    return status;
}
