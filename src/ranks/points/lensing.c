/* Lensing over ranks. The deflected directions of each rank's pixels are points over ranks,
 * numbered as on one rank; what comes back is turned pixel by pixel. */
#include "base/geodesic.h"
#include "base/integer.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"
#include "call/call.h"
#include "grid/grid.h"
#include "points/check.h"
#include "points/device.h"
#include "ranks/agree.h"
#include "ranks/missing.h"
#include "ranks/plan.h"
#include "ranks/points/directions.h"
#include "ranks/points/plan.h"
#include "ranks/threads.h"

struct armilla_distributed_lensing {
    armilla_transport transport;
    const armilla_distribution *distribution;
    armilla_rank_directions *directions;
    armilla_distributed_points *points;
    armilla_delegation delegation; /* the rank's GPU, whose calls the host runs */
};

/* --- Plans ----------------------------------------------------------------------------------- */

/* What a plan is made of. */
typedef struct {
    const armilla_transport *transport;
    const armilla_distribution *distribution;
    armilla_points_options options;
    armilla_distributed_options distributed;
    armilla_delegation delegation;
} making;

static armilla_status take_options(const armilla_points_options *options,
                                   const armilla_distributed_options *distributed, making *m)
{
    const armilla_distribution *d = m->distribution;
    armilla_machine machine;
    armilla_status status = armilla_distribution_check(d, m->transport);
    if (!status)
        status = armilla_distribution_check_group("distribution", d, ARMILLA_OPERATION_LENSING);
    if (!status)
        status = armilla_points_take_plan_options(d->lmax, d->mmax, options, &m->options, &machine);
    if (!status) status = armilla_distributed_take_options(distributed, &m->distributed);
    if (status) return status;
    return armilla_distributed_points_delegate(m->transport, ARMILLA_OPERATION_LENSING,
                                               m->distributed.device_number, &m->options,
                                               &m->delegation);
}

static armilla_status begin(const making *m, armilla_distributed_lensing **lensing)
{
    armilla_distributed_lensing *made;
    const armilla_status status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (status) return status;
    made->transport = *m->transport, made->distribution = m->distribution;
    made->delegation = m->delegation;
    *lensing = made;
    return ARMILLA_OK;
}

/* Collective. status: that of the directions, of which the plan has a share if it is ARMILLA_OK; on
 * all ranks the same. */
static armilla_status finish(const making *m, armilla_status status,
                             armilla_distributed_lensing *made,
                             armilla_distributed_lensing **lensing)
{
    if (!status) {
        const armilla_rank_directions *d = made->directions;
        const armilla_point_numbers numbers = {d->nspans, d->spans};
        const armilla_own_points points = {d->npix, d->points, &numbers};
        status = armilla_distributed_points_numbered(m->transport, m->distribution, &points,
                                                     &m->options, &m->distributed, &made->points);
    }
    if (status)
        armilla_distributed_lensing_free(made);
    else
        *lensing = made;
    return status;
}

static armilla_status agree_on_deflection(const making *m,
                                          const armilla_distributed_deflection *deflection,
                                          armilla_status status)
{
    enum { WISHES = 3 };
    const armilla_common values[WISHES] = {{"deflection->has_curl", deflection->has_curl != 0},
                                           {"deflection->kind", (int64_t)deflection->kind},
                                           {"options->device", m->delegation.ndevices}};
    return armilla_agree_on(m->transport, status, WISHES, values, NULL);
}

armilla_status armilla_distributed_lensing_new(const armilla_transport *transport,
                                               const armilla_distribution *distribution,
                                               const armilla_distributed_deflection *deflection,
                                               const armilla_points_options *options,
                                               const armilla_distributed_options *distributed,
                                               armilla_distributed_lensing **lensing)
{
    making m = {.transport = transport, .distribution = distribution};
    armilla_distributed_deflection taken = {.size = 0};
    armilla_distributed_lensing *made = NULL;
    armilla_status status = armilla_check_transport(transport);
    if (status) return status;
    status = armilla_check_given("lensing", lensing);
    if (!status) status = take_options(options, distributed, &m);
    if (!status)
        status = armilla_rank_deflection_take(deflection, distribution, transport, &m.delegation,
                                              &taken);
    if (!status) status = begin(&m, &made);
    status = agree_on_deflection(&m, &taken, status);
    if (!status)
        status = armilla_rank_directions_new(transport, distribution, &taken, &m.options,
                                             &made->directions);
    return finish(&m, status, made, lensing);
}

/* Not collective. */
static armilla_status check_beside(const armilla_distributed_lensing *lensing, const making *m)
{
    const armilla_transport *t = m->transport;
    if (t->rank != lensing->transport.rank || t->nranks != lensing->transport.nranks)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "transport: is of rank %lld of %lld; lensing is on rank %lld of %lld",
                            (long long)t->rank, (long long)t->nranks,
                            (long long)lensing->transport.rank,
                            (long long)lensing->transport.nranks);
    if (!armilla_distribution_same_rings(m->distribution, lensing->distribution))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "distribution: must have the rings of lensing, on the same ranks");
    return ARMILLA_OK;
}

armilla_status armilla_distributed_lensing_new_beside(
    const armilla_distributed_lensing *lensing, const armilla_transport *transport,
    const armilla_distribution *distribution, const armilla_points_options *options,
    const armilla_distributed_options *distributed, armilla_distributed_lensing **result)
{
    making m = {.transport = transport, .distribution = distribution};
    armilla_distributed_lensing *made = NULL;
    armilla_status status = armilla_check_transport(transport);
    if (status) return status;
    status = armilla_check_given("lensing", lensing);
    if (!status) status = armilla_check_given("result", result);
    if (!status) status = take_options(options, distributed, &m);
    if (!status) status = check_beside(lensing, &m);
    if (!status) status = begin(&m, &made);
    if (!status) made->directions = armilla_rank_directions_share(lensing->directions);
    return finish(&m, armilla_agree(transport, status), made, result);
}

void armilla_distributed_lensing_free(armilla_distributed_lensing *lensing)
{
    if (!lensing) return;
    armilla_distributed_points_free(lensing->points);
    armilla_rank_directions_release(lensing->directions);
    armilla_release(lensing);
}

armilla_status
armilla_distributed_lensing_describe(const armilla_distributed_lensing *lensing, int nthreads,
                                     armilla_distributed_points_description *description)
{
    armilla_status status = armilla_check_given("lensing", lensing);
    if (!status)
        status = armilla_distributed_points_describe(lensing->points, nthreads, description);
    if (!status &&
        description->size >= ARMILLA_END_OF(armilla_distributed_points_description, plan_bytes))
        description->plan_bytes += armilla_rank_directions_bytes(lensing->directions);
    return status;
}

/* --- Operators ------------------------------------------------------------------------------- */

/* The map of all transforms, turned by +-spin gamma; to may be from. */
typedef struct {
    const armilla_distributed_lensing *lensing;
    double sign;
    const double *from;
    double *to;
    int64_t from_distance, to_distance;
} turning;

enum { SLICE = 4096 };

static void turn_slice(void *context, int64_t slice, int thread)
{
    (void)thread;
    const turning *t = context;
    const armilla_distributed_lensing *l = t->lensing;
    const int64_t end = armilla_smaller((slice + 1) * SLICE, l->directions->npix);
    const double spin = (double)l->points->core->spin;
    for (int64_t i = slice * SLICE; i < end; i++) {
        double value[2] = {t->from[i], t->from[i + t->from_distance]};
        armilla_turn_value(t->sign * spin * l->directions->gamma[i], value);
        t->to[i] = value[0], t->to[i + t->to_distance] = value[1];
    }
}

static void turn_all(turning t, int64_t ntrans, int nthreads)
{
    for (int64_t i = 0; i < ntrans; i++) {
        armilla_team_run(nthreads, (t.lensing->directions->npix + SLICE - 1) / SLICE, turn_slice,
                         &t);
        t.from += 2 * t.from_distance, t.to += 2 * t.to_distance;
    }
}

/* The map of an adjoint is an input: its values are turned elsewhere. Ranks agree on the memory
 * first. */
static armilla_status unlens(const armilla_distributed_lensing *l, const double *map, double *alm,
                             const armilla_exec *exec, int nthreads)
{
    double *turned = NULL;
    armilla_exec inner = *exec;
    inner.map_distance = 0;
    armilla_status status =
        armilla_allocate(&turned, 2 * exec->ntrans * l->directions->npix, sizeof *turned);
    if (!(status = armilla_agree(&l->transport, status))) {
        turn_all((turning){l, -1, map, turned, exec->map_distance, l->directions->npix},
                 exec->ntrans, nthreads);
        status = armilla_distributed_points_adjoint_synthesis(l->points, turned, alm, &inner);
    }
    armilla_release(turned);
    return status;
}

/* Collective, like the agreement on what a look needs. status: of this rank so far. */
static armilla_status check_missing(const armilla_distributed_lensing *l, const double *map,
                                    const armilla_exec *exec, armilla_status status)
{
    const armilla_common values[] = {{"exec->ntrans", exec->ntrans},
                                     {"exec->missing", (int64_t)exec->missing}};
    const armilla_distribution *d = l->distribution;
    const armilla_missing_maps maps = {armilla_array_of_doubles(map), exec->map_distance, NULL};
    armilla_rank_maps own = {.transport = &l->transport,
                             .grid = d->grid,
                             .ncomp = l->points->core->nmap,
                             .nfields = exec->ntrans};
    int64_t *places = NULL;
    const int looks = !status && exec->missing == ARMILLA_MISSING_ERROR;
    if (looks) status = armilla_distribution_places(d, l->transport.rank, &places);
    status = armilla_agree_on(&l->transport, status, sizeof values / sizeof *values, values, NULL);
    own.part = (armilla_missing_part){.places = places, .npix = d->grid->npix};
    if (!status) status = armilla_rank_look(&own, &maps, exec);
    armilla_release(places);
    return status;
}

static armilla_status check_call(const armilla_distributed_lensing *l, const armilla_exec *exec,
                                 armilla_call *call)
{
    const armilla_points_core *core = l->points->core;
    const armilla_call_arrays arrays = {.alm_size = armilla_distributed_points_alm(l->points),
                                        .nalm = core->nalm,
                                        .npix = l->directions->npix,
                                        .nmap = core->nmap,
                                        .delegation = l->delegation};
    return armilla_call_take(&arrays, exec, call);
}

/* Collective, with a call that is checked. */
static armilla_status lens(const armilla_distributed_lensing *l, armilla_call *call)
{
    double *map = call->map.values;
    const armilla_exec *exec = &call->exec;
    const armilla_status status =
        armilla_distributed_points_synthesis(l->points, call->alm.values, map, exec);
    if (!status && l->points->core->spin)
        turn_all((turning){l, 1, map, map, exec->map_distance, exec->map_distance}, exec->ntrans,
                 armilla_rank_threads(&l->transport, exec->nthreads));
    return status;
}

static armilla_status lens_back(const armilla_distributed_lensing *l, armilla_call *call)
{
    const double *map = call->map.values;
    double *alm = call->alm.values;
    armilla_exec *exec = &call->exec;
    exec->missing = ARMILLA_MISSING_PROPAGATE;
    if (!l->points->core->spin)
        return armilla_distributed_points_adjoint_synthesis(l->points, map, alm, exec);
    return unlens(l, map, alm, exec, armilla_rank_threads(&l->transport, exec->nthreads));
}

armilla_status armilla_distributed_lensing_alm2lenmap(const armilla_distributed_lensing *lensing,
                                                      const double *alm, double *map,
                                                      const armilla_exec *exec)
{
    armilla_call call =
        armilla_call_of(1, armilla_array_of_doubles(alm), armilla_array_of_doubles(map));
    armilla_status status = armilla_check_given("lensing", lensing);
    if (status) return status;
    const armilla_transport *transport = &lensing->transport;
    status = armilla_agree(transport, check_call(lensing, exec, &call));
    if (!status) status = lens(lensing, &call);
    return armilla_rank_close(transport, &lensing->delegation, &call, status);
}

armilla_status armilla_distributed_lensing_adjoint(const armilla_distributed_lensing *lensing,
                                                   const double *map, double *alm,
                                                   const armilla_exec *exec)
{
    armilla_call call =
        armilla_call_of(0, armilla_array_of_doubles(alm), armilla_array_of_doubles(map));
    armilla_status status = armilla_check_given("lensing", lensing);
    if (status) return status;
    status = check_call(lensing, exec, &call);
    status = check_missing(lensing, call.map.values, &call.exec, status);
    if (!status) status = lens_back(lensing, &call);
    return armilla_rank_close(&lensing->transport, &lensing->delegation, &call, status);
}
