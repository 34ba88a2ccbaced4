/* Lensing over ranks. The deflection is a transform of spin 1 over ranks; each rank moves the
 * directions of its own pixels, which are then points over ranks, numbered as on one rank; what
 * comes back is turned pixel by pixel. */
#include "alm/layout.h"
#include "armilla/distributed_lensing.h"
#include "base/geodesic.h"
#include "base/integer.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/progress.h"
#include "base/team.h"
#include "call/call.h"
#include "grid/grid.h"
#include "lensing/pointing.h"
#include "points/check.h"
#include "points/device.h"
#include "ranks/agree.h"
#include "ranks/missing.h"
#include "ranks/plan.h"
#include "ranks/points/plan.h"
#include "ranks/threads.h"

#include <string.h>

/* Pixels of the rank's map: ring by ring, as the distribution has them. */
struct armilla_distributed_lensing {
    armilla_transport transport;
    const armilla_distribution *distribution;
    int64_t npix;
    double *gamma; /* [npix] */
    armilla_distributed_points *points;
    armilla_delegation delegation; /* the rank's GPU, whose calls the host runs */
};

void armilla_distributed_deflection_init_sized(armilla_distributed_deflection *deflection,
                                               size_t size)
{
    const armilla_distributed_deflection defaults = {.kind = ARMILLA_DEFLECTION_POTENTIAL};
    armilla_options_give(&defaults, sizeof defaults, deflection, size);
}

/* --- Deflections ----------------------------------------------------------------------------- */

/* What a plan is made of. */
typedef struct {
    armilla_distributed_deflection deflection;
    armilla_points_options options;
    armilla_distributed_options distributed;
    armilla_delegation delegation;
    int64_t size;           /* complex numbers of the rank's gradient */
    double *vector, *field; /* alm of spin 1; alpha_theta and alpha_phi, [2][npix] */
    double *points;         /* deflected directions */
    int64_t nspans;
    armilla_span *spans; /* numbers of pixels among those of all ranks */
} making;

static armilla_status check_deflection(const armilla_distribution *d,
                                       const armilla_transport *transport, making *m)
{
    const armilla_distributed_deflection *given = &m->deflection;
    armilla_status status = armilla_check_given("deflection->distribution", given->distribution);
    if (!status) status = armilla_distribution_check(given->distribution, transport);
    if (!status)
        status = armilla_distribution_check_group("deflection->distribution", given->distribution,
                                                  ARMILLA_OPERATION_LENSING);
    if (status) return status;
    if (armilla_owned_digest(&given->distribution->rings) != armilla_owned_digest(&d->rings) ||
        !armilla_grid_is_same(given->distribution->grid, d->grid, 0))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "deflection->distribution: must have the rings of the distribution, on "
                            "the same ranks");
    if (given->distribution->lmax < 1)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "deflection->distribution: lmax must be 1 or more");
    if (given->kind != ARMILLA_DEFLECTION_POTENTIAL && given->kind != ARMILLA_DEFLECTION_VECTOR)
        return armilla_fail_argument("deflection->kind", given->kind,
                                     "must be an armilla_deflection_kind");
    if (given->curl && !given->has_curl)
        return armilla_fail_argument("deflection->has_curl", given->has_curl,
                                     "must be 1 where curl is given");
    m->size = armilla_distribution_alm_size(given->distribution, transport->rank);
    if (m->size) status = armilla_alm_check_array("deflection->gradient", given->gradient);
    if (!status && m->size && given->has_curl)
        status = armilla_alm_check_array("deflection->curl", given->curl);
    if (!status)
        status =
            armilla_delegation_check_host(&m->delegation, "deflection->gradient", given->gradient);
    return status ? status
                  : armilla_delegation_check_host(&m->delegation, "deflection->curl", given->curl);
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {sizeof(armilla_distributed_deflection), 0};

static armilla_status take_wishes(const armilla_distribution *d, const armilla_transport *transport,
                                  const armilla_distributed_deflection *deflection,
                                  const armilla_points_options *options,
                                  const armilla_distributed_options *distributed, making *m)
{
    armilla_machine machine;
    armilla_status status = armilla_distribution_check(d, transport);
    if (!status) status = armilla_check_given("deflection", deflection);
    if (status) return status;
    armilla_distributed_deflection_init(&m->deflection);
    status = armilla_options_copy("deflection", "armilla_distributed_deflection", deflection,
                                  VERSIONS, &m->deflection);
    if (!status)
        status = armilla_points_take_plan_options(d->lmax, d->mmax, options, &m->options, &machine);
    if (!status) status = armilla_distributed_take_options(distributed, &m->distributed);
    if (!status)
        status = armilla_distributed_points_delegate(transport, ARMILLA_OPERATION_LENSING,
                                                     m->distributed.device_number, &m->options,
                                                     &m->delegation);
    return status ? status : check_deflection(d, transport, m);
}

/* Rows of the rank's orders, one behind the other. */
static void fill_vector(const armilla_distributed_deflection *deflection, int64_t rank,
                        const double *alm, double *vector)
{
    const armilla_distribution *d = deflection->distribution;
    for (int64_t i = d->orders.start[rank]; i < d->orders.start[rank + 1]; i++)
        for (int64_t l = d->orders.list[i]; l <= d->lmax; l++, alm += 2, vector += 2) {
            const double factor = armilla_deflection_factor(deflection->kind, l);
            vector[0] = factor * alm[0], vector[1] = factor * alm[1];
        }
}

/* At most: see number_pixels. */
static int64_t count_spans(const armilla_distribution *d, int64_t rank)
{
    return armilla_larger(armilla_distribution_map_spans(d, rank, NULL),
                          d->rings.start[rank + 1] - d->rings.start[rank]);
}

static armilla_status allocate(const armilla_distribution *d, int64_t rank, making *m,
                               armilla_distributed_lensing *l)
{
    armilla_status status;
    l->npix = d->rings.size[rank];
    if ((status = armilla_allocate(&m->vector, 4 * m->size, sizeof *m->vector)) ||
        (status = armilla_allocate(&m->field, 2 * l->npix, sizeof *m->field)) ||
        (status = armilla_allocate(&m->points, 2 * l->npix, sizeof *m->points)) ||
        (status = armilla_allocate(&m->spans, count_spans(d, rank), sizeof *m->spans)))
        return status;
    return armilla_allocate(&l->gamma, l->npix, sizeof *l->gamma);
}

/* Collective. */
static armilla_status make_field(const armilla_transport *transport, int nthreads, making *m)
{
    const armilla_distributed_deflection *d = &m->deflection;
    armilla_distributed_sht *sht;
    armilla_sht_options options;
    armilla_exec exec;
    armilla_sht_options_init(&options);
    armilla_exec_init(&exec);
    options.spin = 1, options.isa = m->options.isa, exec.nthreads = nthreads;
    if (!d->has_curl) options.mode = ARMILLA_SHT_GRADIENT_ONLY;
    if (m->size) fill_vector(d, transport->rank, d->gradient, m->vector);
    if (m->size && d->has_curl) fill_vector(d, transport->rank, d->curl, m->vector + 2 * m->size);
    armilla_status status =
        armilla_distributed_sht_new(transport, d->distribution, &options, NULL, &sht);
    if (status) return status;
    status = armilla_distributed_sht_synthesis(sht, m->vector, m->field, &exec);
    armilla_distributed_sht_free(sht);
    return status;
}

/* --- Directions ------------------------------------------------------------------------------ */

typedef struct {
    const armilla_distribution *distribution;
    int64_t rank;
    const making *m;
    armilla_distributed_lensing *lensing;
} pointing;

static armilla_status check_field(const double *field, int64_t npix)
{
    for (int64_t i = 0; i < npix; i++)
        if (!isfinite(field[i]) || !isfinite(field[i + npix]))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "deflection: at pixel %lld of the rank's map it is (%g, %g): must "
                                "be finite",
                                (long long)i, field[i], field[i + npix]);
    return ARMILLA_OK;
}

static void deflect_ring(void *context, int64_t index, int thread)
{
    (void)thread;
    const pointing *p = context;
    const armilla_owned *rings = &p->distribution->rings;
    const int64_t ring = rings->list[rings->start[p->rank] + index], npix = p->lensing->npix;
    const armilla_ring *r = &p->distribution->grid->rings[ring];
    const armilla_colatitude start = armilla_colatitude_of(r->theta);
    for (int64_t j = 0, i = rings->place[ring]; j < r->nphi; j++, i++) {
        const double phi = r->phi0 + 2 * M_PI * (double)j / (double)r->nphi;
        p->lensing->gamma[i] = armilla_deflect_point(start, phi, p->m->field[i],
                                                     p->m->field[i + npix], p->m->points + 2 * i);
    }
}

/* On one rank points are numbered as pixels are, or, where the map has gaps, ring by ring. */
static void number_pixels(const armilla_distribution *d, int64_t rank, making *m)
{
    const armilla_owned *rings = &d->rings;
    if (armilla_grid_samples(d->grid) == d->grid->npix) {
        m->nspans = armilla_distribution_map_spans(d, rank, m->spans);
        return;
    }
    int64_t before = 0;
    for (int64_t ring = 0; ring < d->grid->nrings; ring++) {
        const int64_t count = d->grid->rings[ring].nphi;
        if (rings->member[ring] == rank)
            m->spans[m->nspans++] = (armilla_span){before, count, rings->place[ring]};
        before += count;
    }
}

static void deflect_all(const armilla_distribution *d, int64_t rank, int nthreads, making *m,
                        armilla_distributed_lensing *l)
{
    pointing p = {d, rank, m, l};
    armilla_team_run(nthreads, d->rings.start[rank + 1] - d->rings.start[rank], deflect_ring, &p);
    number_pixels(d, rank, m);
}

/* --- Plans ----------------------------------------------------------------------------------- */

static armilla_status agree_on_deflection(const armilla_transport *transport, const making *m,
                                          armilla_status status)
{
    enum { WISHES = 3 };
    armilla_common values[WISHES] = {{"deflection->has_curl", m->deflection.has_curl != 0},
                                     {"deflection->kind", (int64_t)m->deflection.kind},
                                     {"options->device", m->delegation.ndevices}};
    return armilla_agree_on(transport, status, WISHES, values, NULL);
}

static armilla_status make(const armilla_transport *transport, const armilla_distribution *d,
                           making *m, armilla_distributed_lensing *l)
{
    const int nthreads = armilla_rank_threads(transport, m->options.nthreads);
    armilla_status status = make_field(transport, nthreads, m);
    if (status || (status = armilla_agree(transport, check_field(m->field, l->npix))))
        return status;
    deflect_all(d, transport->rank, nthreads, m, l);
    const armilla_point_numbers numbers = {m->nspans, m->spans};
    const armilla_own_points points = {l->npix, m->points, &numbers};
    return armilla_distributed_points_numbered(transport, d, &points, &m->options, &m->distributed,
                                               &l->points);
}

armilla_status armilla_distributed_lensing_new(const armilla_transport *transport,
                                               const armilla_distribution *distribution,
                                               const armilla_distributed_deflection *deflection,
                                               const armilla_points_options *options,
                                               const armilla_distributed_options *distributed,
                                               armilla_distributed_lensing **lensing)
{
    making m = {.size = 0};
    armilla_distributed_lensing *made = NULL;
    armilla_status status = armilla_check_transport(transport);
    if (status) return status;
    if (!(status = armilla_check_given("lensing", lensing)) &&
        !(status = take_wishes(distribution, transport, deflection, options, distributed, &m)) &&
        !(status = armilla_allocate_zero(&made, 1, sizeof *made))) {
        made->transport = *transport, made->distribution = distribution;
        made->delegation = m.delegation;
        status = armilla_distribution_check_group("distribution", distribution,
                                                  ARMILLA_OPERATION_LENSING);
        if (!status) status = allocate(distribution, transport->rank, &m, made);
    }
    if (!(status = agree_on_deflection(transport, &m, status)))
        status = make(transport, distribution, &m, made);
    armilla_release(m.vector);
    armilla_release(m.field);
    armilla_release(m.points);
    armilla_release(m.spans);
    if (status)
        armilla_distributed_lensing_free(made);
    else
        *lensing = made;
    return status;
}

void armilla_distributed_lensing_free(armilla_distributed_lensing *lensing)
{
    if (!lensing) return;
    armilla_distributed_points_free(lensing->points);
    armilla_release(lensing->gamma);
    armilla_release(lensing);
}

armilla_status
armilla_distributed_lensing_describe(const armilla_distributed_lensing *lensing, int nthreads,
                                     armilla_distributed_points_description *description)
{
    armilla_status status = armilla_check_given("lensing", lensing);
    return status ? status
                  : armilla_distributed_points_describe(lensing->points, nthreads, description);
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
    const int64_t end = (slice + 1) * SLICE < l->npix ? (slice + 1) * SLICE : l->npix;
    const double spin = (double)l->points->core->spin;
    for (int64_t i = slice * SLICE; i < end; i++) {
        double value[2] = {t->from[i], t->from[i + t->from_distance]};
        armilla_turn_value(t->sign * spin * l->gamma[i], value);
        t->to[i] = value[0], t->to[i + t->to_distance] = value[1];
    }
}

static void turn_all(turning t, int64_t ntrans, int nthreads)
{
    for (int64_t i = 0; i < ntrans; i++) {
        armilla_team_run(nthreads, (t.lensing->npix + SLICE - 1) / SLICE, turn_slice, &t);
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
    armilla_status status = armilla_allocate(&turned, 2 * exec->ntrans * l->npix, sizeof *turned);
    if (!(status = armilla_agree(&l->transport, status))) {
        turn_all((turning){l, -1, map, turned, exec->map_distance, l->npix}, exec->ntrans,
                 nthreads);
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
                                        .npix = l->npix,
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
