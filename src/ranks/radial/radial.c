/* The operators of plans for radial convolution over ranks: a few maps at once go from the caller's
 * pixels to belts, through the same steps as on one rank, and back. Const is cast away only to
 * share one view type; inputs are never written. See armilla/distributed_radial.h. */
#include "ranks/radial/radial.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"
#include "call/call.h"
#include "call/place.h"
#include "grid/grid.h"
#include "radial/apply.h"
#include "ranks/agree.h"
#include "ranks/digest.h"
#include "ranks/missing.h"
#include "ranks/threads.h"

#include <string.h>

/* What the caller gave. */
typedef struct {
    int transposed;
    armilla_array map, out;
    const armilla_radial_weights *weights; /* NULL: none */
} operation;

/* A call: belts of some maps and of weights. */
typedef struct {
    const armilla_distributed_radial *plan;
    const operation *op;
    armilla_call call; /* its `alm` is the map, its map the output */
    armilla_exec exec;
    int64_t nmaps, batch; /* maps of all transforms, and those that go together */
    double *memory, *weights;
    armilla_array map, out;
    armilla_progress progress;
} run;

/* --- Arguments ------------------------------------------------------------------------------- */

static armilla_status check_weights(const armilla_distributed_radial *plan,
                                    const armilla_radial_weights *weights)
{
    if (!(weights->least >= 0 && weights->least <= 1))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "least = %g: must be 0 to 1", weights->least);
    if (plan->npix && !weights->values) return armilla_check_given("weights", NULL);
    for (int64_t i = 0; i < plan->nspans; i++)
        for (int64_t k = 0; k < plan->spans[i].count; k++) {
            const int64_t place = plan->spans[i].place + k;
            if (!(weights->values[place] >= 0 && weights->values[place] <= 1e300))
                return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                    "weights[%lld] = %g: must be 0 or more, and finite",
                                    (long long)place, weights->values[place]);
        }
    return ARMILLA_OK;
}

static armilla_status check_exec(run *r, const armilla_exec *given)
{
    const int64_t ncomp = armilla_radial_ncomp(r->plan->radial);
    const armilla_call_arrays arrays = {.npix = r->plan->npix,
                                        .nmap = ncomp,
                                        .coefficients = "map",
                                        .samples = "out",
                                        .alm_is_map = 1,
                                        .delegation = r->plan->delegation};
    const armilla_status status = armilla_call_take(&arrays, given, &r->call);
    if (status) return status;
    r->exec = r->call.exec;
    r->nmaps = r->exec.ntrans * ncomp;
    r->batch = armilla_smaller(r->nmaps, ARMILLA_RADIAL_MAPS / ncomp * ncomp);
    return ARMILLA_OK;
}

static armilla_status check(run *r, const armilla_exec *exec)
{
    const operation *op = r->op;
    armilla_status status = ARMILLA_OK;
    if (r->plan->npix) {
        status = armilla_check_given("map", op->map.values);
        if (!status) status = armilla_check_given("out", op->out.values);
    }
    if (!status && op->weights)
        status =
            armilla_delegation_check_host(&r->plan->delegation, "weights", op->weights->values);
    if (!status && op->weights) status = check_weights(r->plan, op->weights);
    return status ? status : check_exec(r, exec);
}

/* What all ranks must ask for alike. */
static armilla_status agree_on_call(const run *r, armilla_status status)
{
    const armilla_radial_weights *weights = r->op->weights;
    const double least = weights ? weights->least : 0, fill = weights ? weights->fill : 0;
    const armilla_common values[] = {{"exec->ntrans", r->exec.ntrans},
                                     {"exec->missing", (int64_t)r->exec.missing},
                                     {"the operator", 2 * r->op->transposed + (weights != NULL)},
                                     {"floats (1) or doubles (0)", r->op->map.is_float},
                                     {"least (its bits)", armilla_digest_double(least)},
                                     {"fill (its bits)", armilla_digest_double(fill)}};
    return armilla_agree_on(&r->plan->transport, status, sizeof values / sizeof *values, values,
                            NULL);
}

/* Pixels whose weight is 0 may miss. */
static armilla_status check_missing(const run *r)
{
    const armilla_distributed_radial *plan = r->plan;
    const armilla_rank_maps own = {
        .transport = &plan->transport,
        .grid = plan->radial->grid,
        .part = {.npix = plan->whole_npix, .nspans = plan->nspans, .spans = plan->spans},
        .ncomp = armilla_radial_ncomp(plan->radial),
        .nfields = r->exec.ntrans};
    const double *weights = r->op->weights ? r->op->weights->values : NULL;
    const armilla_missing_maps maps = {r->call.alm, r->exec.map_distance, weights};
    return armilla_rank_look(&own, &maps, &r->exec);
}

/* --- A call ---------------------------------------------------------------------------------- */

static armilla_status take_memory(run *r)
{
    const int64_t npix = r->plan->radial->grid->npix;
    const int64_t maps = armilla_round_line(r->batch * npix);
    armilla_status status =
        armilla_allocate_zero(&r->memory, 2 * maps + (r->op->weights ? npix : 0), sizeof(double));
    r->map = (armilla_array){r->memory, r->op->map.is_float};
    r->out = r->map;
    if (status) return status;
    r->out.values = r->memory + maps;
    r->weights = r->memory + 2 * maps;
    return ARMILLA_OK;
}

static armilla_radial_call make_call(run *r, int64_t nmaps, const armilla_radial_weights *weights)
{
    return (armilla_radial_call){.radial = r->plan->radial,
                                 .transposed = r->op->transposed,
                                 .weights = weights,
                                 .nmaps = nmaps,
                                 .nthreads =
                                     armilla_rank_threads(&r->plan->transport, r->exec.nthreads),
                                 .progress = &r->progress};
}

/* Moves maps from number `first` on. */
static armilla_status run_batch(run *r, int64_t first, const armilla_radial_call *call)
{
    const int64_t npix = r->plan->radial->grid->npix, distance = r->exec.map_distance;
    const int64_t item = armilla_array_item_size(r->map);
    const armilla_maps belts = {r->map, r->out, npix, npix};
    const void *source = armilla_array_from(r->call.alm, first * distance).values;
    void *target = armilla_array_from(r->call.map, first * distance).values;
    armilla_status status = armilla_redistribution_run(r->plan->to_belt, item, call->nmaps, source,
                                                       distance, r->map.values, npix);
    if (!status) status = armilla_radial_apply(call, &belts);
    if (!status)
        status = armilla_redistribution_run(r->plan->from_belt, item, call->nmaps, r->out.values,
                                            npix, target, distance);
    return status;
}

static armilla_status run_all(run *r)
{
    armilla_radial_weights weights = {0};
    const int weighted = r->op->weights != NULL;
    armilla_status status = ARMILLA_OK;
    double units = 0;
    if (weighted) {
        weights = (armilla_radial_weights){r->weights, r->op->weights->least, r->op->weights->fill};
        status = armilla_redistribution_run(r->plan->to_belt, 8, 1, r->op->weights->values, 0,
                                            r->weights, 0);
    }
    for (int go = 0; go < 2; go++) {
        for (int64_t i = 0; i < r->nmaps && !status; i += r->batch) {
            const int64_t nmaps = armilla_smaller(r->nmaps - i, r->batch);
            const armilla_radial_call call = make_call(r, nmaps, weighted ? &weights : NULL);
            if (go)
                status = run_batch(r, i, &call);
            else
                units += armilla_radial_units(&call);
        }
        if (!go)
            armilla_progress_start(&r->progress, r->exec.progress, r->exec.progress_data, units);
    }
    return status;
}

static armilla_status execute(const armilla_distributed_radial *plan, const operation *op,
                              const armilla_exec *exec)
{
    if (!plan) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "radial = NULL: must be a plan");
    run r = {.plan = plan, .op = op, .call = armilla_call_of(1, op->map, op->out)};
    armilla_status status = check(&r, exec);
    if (!status) status = take_memory(&r);
    status = agree_on_call(&r, status);
    if (!status) status = check_missing(&r);
    if (!status) status = run_all(&r);
    status = armilla_rank_close(&plan->transport, &plan->delegation, &r.call, status);
    armilla_release(r.memory);
    return status;
}

/* --- Operators ------------------------------------------------------------------------------- */

armilla_status armilla_distributed_radial_convolve(const armilla_distributed_radial *radial,
                                                   const double *map, double *out,
                                                   const armilla_exec *exec)
{
    const operation op = {.map = {(void *)map, 0}, .out = {out, 0}};
    return execute(radial, &op, exec);
}

armilla_status armilla_distributed_radial_convolve_float(const armilla_distributed_radial *radial,
                                                         const float *map, float *out,
                                                         const armilla_exec *exec)
{
    const operation op = {.map = {(void *)map, 1}, .out = {out, 1}};
    return execute(radial, &op, exec);
}

armilla_status armilla_distributed_radial_adjoint(const armilla_distributed_radial *radial,
                                                  const double *map, double *out,
                                                  const armilla_exec *exec)
{
    const operation op = {.transposed = 1, .map = {(void *)map, 0}, .out = {out, 0}};
    return execute(radial, &op, exec);
}

armilla_status armilla_distributed_radial_adjoint_float(const armilla_distributed_radial *radial,
                                                        const float *map, float *out,
                                                        const armilla_exec *exec)
{
    const operation op = {.transposed = 1, .map = {(void *)map, 1}, .out = {out, 1}};
    return execute(radial, &op, exec);
}

armilla_status
armilla_distributed_radial_convolve_weighted(const armilla_distributed_radial *radial,
                                             const double *map, const double *weights, double least,
                                             double fill, double *out, const armilla_exec *exec)
{
    const armilla_radial_weights means = {weights, least, fill};
    const operation op = {.map = {(void *)map, 0}, .out = {out, 0}, .weights = &means};
    return execute(radial, &op, exec);
}

armilla_status armilla_distributed_radial_convolve_weighted_float(
    const armilla_distributed_radial *radial, const float *map, const double *weights, double least,
    double fill, float *out, const armilla_exec *exec)
{
    const armilla_radial_weights means = {weights, least, fill};
    const operation op = {.map = {(void *)map, 1}, .out = {out, 1}, .weights = &means};
    return execute(radial, &op, exec);
}

/* --- Description ----------------------------------------------------------------------------- */

/* Tells the most that a stage has. */
static void describe_windows(const armilla_distributed_radial *plan,
                             armilla_distributed_radial_description *d)
{
    for (int64_t i = 0; i < plan->nstages; i++) {
        const armilla_belt_windows *w = &plan->stages[i].windows;
        const int64_t sides = 1 + plan->stages[i].radial->pixels.rows.mirrored;
        d->window_npix = armilla_larger(d->window_npix, sides * w->most_npix);
        d->windows = armilla_larger(d->windows, w->nfetches);
    }
}

armilla_status
armilla_distributed_radial_describe(const armilla_distributed_radial *radial,
                                    armilla_distributed_radial_description *description)
{
    if (!radial) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "radial = NULL: must be a plan");
    const armilla_radial *own = radial->radial;
    armilla_distributed_radial_description whole = {
        .method = armilla_radial_method_name(own),
        .normalization = armilla_radial_normalization_name(own),
        .support = own->options.support,
        .npix = radial->npix,
        .belt_rings = own->grid->nrings,
        .belt_npix = own->grid->npix,
        .isa = armilla_isa_label(own->isa),
        .width = armilla_kernel_half_width(own->kernel)};
    describe_windows(radial, &whole);
    const armilla_status status = armilla_kernel_truncation_error(own->kernel, whole.support, 0,
                                                                  NULL, &whole.truncation_error);
    if (status) return status;
    return armilla_description_give("description", "armilla_distributed_radial_description", &whole,
                                    sizeof whole, description);
}
