/* Makes plans for points over ranks. Choices are those of one rank with all points: the survey of
 * all points, the samples of the sphere, the strips. Then strips and orders are dealt, points go to
 * the ranks that have their strips, and each rank sorts what it has, by the numbers of the points,
 * as one rank does. */
#include "ranks/points/plan.h"

#include "base/memory.h"
#include "base/options.h"
#include "leg/orders.h"
#include "points/check.h"
#include "points/cores.h"
#include "points/device.h"
#include "ranks/agree.h"
#include "ranks/digest.h"
#include "ranks/plan.h"
#include "ranks/points/survey.h"
#include "ranks/threads.h"
#include "sht/share.h"

#include <stdatomic.h>
#include <string.h>

enum { CHUNK_BYTES = 1000000 };

/* What the caller asks for, and what is found out on the way. */
typedef struct {
    int64_t npoints;
    const double *points;
    const armilla_point_numbers *numbers;
    armilla_points_options options;
    armilla_distributed_options distributed;
    armilla_delegation delegation;
    armilla_machine machine;
    armilla_points_core given;
    armilla_points_locations locations; /* of the own points */
    armilla_ranks_survey survey;
    int64_t *band; /* of each own point */
    double *here;  /* points here */
    int nthreads;
} making;

/* --- Wishes ---------------------------------------------------------------------------------- */

static armilla_status check_distribution(const armilla_distribution *d,
                                         const armilla_transport *transport)
{
    const armilla_status status = armilla_distribution_check(d, transport);
    return status ? status
                  : armilla_distribution_check_group("distribution", d, ARMILLA_OPERATION_POINTS);
}

armilla_status armilla_distributed_points_delegate(const armilla_transport *transport,
                                                   armilla_operation operation,
                                                   int64_t device_number,
                                                   armilla_points_options *options,
                                                   armilla_delegation *delegation)
{
    const armilla_rank_delegates given = {.operation = operation,
                                          .device = options->device,
                                          .devices = options->devices,
                                          .ndevices = options->ndevices,
                                          .delegate = options->delegate,
                                          .device_number = device_number};
    const armilla_status status = armilla_rank_delegate(transport, &given, delegation);
    options->device = ARMILLA_CPU, options->devices = NULL, options->ndevices = 0;
    return status;
}

static armilla_status take_options(const armilla_distribution *d,
                                   const armilla_transport *transport,
                                   const armilla_points_options *options,
                                   const armilla_distributed_options *distributed, making *m)
{
    armilla_status status =
        armilla_points_take_plan_options(d->lmax, d->mmax, options, &m->options, &m->machine);
    if (!status) status = armilla_distributed_take_options(distributed, &m->distributed);
    if (!status)
        status = armilla_distributed_points_delegate(transport, ARMILLA_OPERATION_POINTS,
                                                     m->distributed.device_number, &m->options,
                                                     &m->delegation);
    if (!status) status = armilla_delegation_check_host(&m->delegation, "points", m->points);
    if (status) return status;
    if (m->options.layout)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->layout: must be NULL, for the rows of a rank's alm are one "
                            "behind the other");
    if ((status = armilla_points_check_count(m->npoints, m->points))) return status;
    m->given = armilla_points_core_given(d->lmax, d->mmax, &m->options, &m->machine);
    status = armilla_points_survey(m->given.kernels, m->npoints, m->points, &m->locations);
    m->points = m->locations.points;
    return status;
}

static armilla_status agree_on_wishes(const armilla_transport *transport,
                                      const armilla_distribution *d, const making *m,
                                      armilla_status status)
{
    enum { WISHES = 12 };
    armilla_common values[WISHES] = {{NULL, 0}};
    if (!status) {
        const armilla_common list[WISHES] = {
            {"lmax", d->lmax},
            {"mmax", d->mmax},
            {"members of orders", armilla_owned_digest(&d->orders)},
            {"options->spin", m->options.spin},
            {"options->mode", (int64_t)m->options.mode},
            {"options->spin_method", (int64_t)m->options.spin_method},
            {"options->epsilon (its bits)", armilla_digest_double(m->options.epsilon)},
            {"options->upsampling (its bits)", armilla_digest_double(m->options.upsampling)},
            {"options->taps", m->options.taps},
            {"options->device", m->delegation.ndevices},
            {ARMILLA_COMMON_ISA, (int64_t)m->machine.isa},
            {"distributed->chunk_bytes", m->distributed.chunk_bytes}};
        memcpy(values, list, sizeof list);
    }
    return armilla_agree_on(transport, status, WISHES, values, NULL);
}

/* --- Orders ---------------------------------------------------------------------------------- */

/* Is any two of orders that points need on two ranks? */
static int parts_twos(const armilla_distribution *d, int64_t mmax)
{
    for (int64_t m = 0; m <= mmax; m++)
        for (int64_t other = m + 1; other <= mmax && other / 8 == m / 8; other++)
            if (armilla_orders_two(m) == armilla_orders_two(other) &&
                d->orders.member[m] != d->orders.member[other])
                return 1;
    return 0;
}

/* Not collective: all ranks come to the same. */
static armilla_status deal_orders(armilla_distributed_points *plan)
{
    const armilla_distribution *d = plan->given;
    armilla_distribution_options options;
    plan->orders = d;
    if (!parts_twos(d, plan->core->mmax)) return ARMILLA_OK;
    armilla_distribution_options_init(&options);
    options.ring_member = d->rings.member;
    const armilla_status status =
        armilla_distribution_new(d->grid, d->lmax, d->mmax, d->nranks, &options, &plan->dealt);
    plan->orders = plan->dealt;
    return status;
}

static armilla_status make_alm_routes(armilla_distributed_points *plan, armilla_status status)
{
    const armilla_transport *transport = &plan->transport;
    const int64_t rank = transport->rank;
    armilla_span *given = NULL, *own = NULL;
    int64_t ngiven = 0, nown = 0;
    if (!status) {
        ngiven = armilla_distribution_alm_spans(plan->given, rank, NULL);
        nown = armilla_distribution_alm_spans(plan->orders, rank, NULL);
        status = armilla_allocate(&given, ngiven, sizeof *given);
    }
    if (!status) status = armilla_allocate(&own, nown, sizeof *own);
    if (!(status = armilla_agree(transport, status))) {
        armilla_distribution_alm_spans(plan->given, rank, given);
        armilla_distribution_alm_spans(plan->orders, rank, own);
        status = armilla_redistribution_new(transport, ngiven, given, nown, own, NULL,
                                            &plan->alm_to_orders);
    }
    if (!status)
        status = armilla_redistribution_new(transport, nown, own, ngiven, given, NULL,
                                            &plan->alm_to_given);
    armilla_release(given);
    armilla_release(own);
    return status;
}

armilla_status armilla_distributed_points_layout(const armilla_distributed_points *plan,
                                                 const armilla_distribution *distribution,
                                                 armilla_alm_layout **layout)
{
    const armilla_owned *orders = &distribution->orders;
    const int64_t first = orders->start[plan->transport.rank];
    const armilla_share share = {.norders = orders->start[plan->transport.rank + 1] - first,
                                 .orders = orders->list + first};
    return armilla_share_make_layout(&share, distribution->lmax, distribution->mmax, layout);
}

/* --- Stages ---------------------------------------------------------------------------------- */

static armilla_status begin_core(making *m, armilla_distributed_points *plan)
{
    armilla_sampling sampling;
    armilla_status status = armilla_points_choose_sampling(
        &m->given, plan->given->mmax, m->survey.all, &m->survey.extent, &sampling);
    if (status || (status = armilla_points_core_new(&m->given, &sampling, &plan->core)))
        return status;
    atomic_fetch_add(plan->core->users, 1);
    if ((status = armilla_points_core_begin(plan->core)) ||
        (status = armilla_allocate(&m->band, m->npoints, sizeof *m->band)))
        return status;
    return armilla_points_find_bands(&m->locations, &plan->core->sampling, m->band);
}

/* Machines that count otherwise would exchange other messages. */
static armilla_status agree_on_sampling(const armilla_distributed_points *plan,
                                        armilla_status status)
{
    enum { NUMBERS = 6 };
    armilla_common values[NUMBERS] = {{NULL, 0}};
    if (!status) {
        const armilla_sampling *s = &plan->core->sampling;
        const armilla_common list[NUMBERS] = {
            {"rings of the samples", s->nrings},    {"samples of a ring", s->nphi},
            {"samples that a point sees", s->taps}, {"first ring of the samples", s->first},
            {"near rings", s->near_rings},          {"orders that points need", s->mmax}};
        memcpy(values, list, sizeof list);
    }
    return armilla_agree_on(&plan->transport, status, NUMBERS, values, NULL);
}

static armilla_status finish_core(const making *m, armilla_distributed_points *plan)
{
    const int64_t rank = plan->transport.rank;
    armilla_points_core *core = plan->core;
    armilla_strip_exchange *x = &plan->exchange;
    armilla_status status;
    core->first_strip = plan->owners.first[rank], core->end_strip = plan->owners.first[rank + 1];
    if ((status = armilla_distributed_points_layout(plan, plan->orders, &core->layout)) ||
        (status = armilla_strip_exchange_lists(&plan->transport, core, &plan->orders->orders,
                                               &plan->owners, x)))
        return status;
    core->norders = x->orders.start[rank + 1] - x->orders.start[rank];
    core->orders = x->orders.list + x->orders.start[rank];
    if ((status = armilla_points_core_finish(core))) return status;
    const int64_t bytes = m->distributed.chunk_bytes ? m->distributed.chunk_bytes : CHUNK_BYTES;
    return armilla_strip_exchange_chunks(core, bytes, x);
}

/* Points go where their strips are. */
static armilla_status send_points(making *m, armilla_distributed_points *plan,
                                  armilla_status status)
{
    const armilla_point_numbers only = {1, &m->survey.only};
    const armilla_routed_points points = {.numbers = m->numbers ? *m->numbers : only,
                                          .band = m->band,
                                          .nbands =
                                              armilla_points_count_bands(&plan->core->sampling),
                                          .owner = plan->owners.owner};
    status = armilla_point_routes_make(&plan->transport, status, &points, &plan->routes);
    if (status) return status;
    status = armilla_allocate(&m->here, 2 * plan->routes.here, sizeof *m->here);
    if ((status = armilla_agree(&plan->transport, status))) return status;
    return armilla_redistribution_run(plan->routes.to_strips, 2 * sizeof(double), 1, m->points, 0,
                                      m->here, 0);
}

static armilla_status sort_points(const making *m, armilla_distributed_points *plan)
{
    armilla_points_locations here;
    armilla_status status =
        armilla_points_survey(m->given.kernels, plan->routes.here, m->here, &here);
    if (!status)
        status =
            armilla_points_order_make(&here, &plan->core->sampling, m->nthreads, 1, &plan->order);
    armilla_points_locations_clear(&here);
    return status;
}

/* Costs of strips are floating point: machines that count otherwise would deal otherwise. */
static armilla_status agree_on_owners(const armilla_distributed_points *plan)
{
    const int64_t nranks = plan->transport.nranks;
    const armilla_common same = {"owners of strips",
                                 armilla_digest_list(nranks + 1, plan->owners.first)};
    return armilla_agree_on(&plan->transport, ARMILLA_OK, 1, &same, NULL);
}

/* After all ranks have agreed on what they wish. */
static armilla_status make(making *m, armilla_distributed_points *plan)
{
    const armilla_transport *transport = &plan->transport;
    armilla_status status =
        armilla_ranks_survey_make(transport, ARMILLA_OK, &m->locations, m->numbers, &m->survey);
    if (status || (status = agree_on_sampling(plan, begin_core(m, plan)))) return status;
    plan->all_points = m->survey.all;
    status = armilla_strip_owners_make(transport, deal_orders(plan), plan->core, m->npoints,
                                       m->band, &plan->owners);
    if (status || (status = agree_on_owners(plan))) return status;
    if (plan->dealt && (status = make_alm_routes(plan, ARMILLA_OK))) return status;
    if ((status = send_points(m, plan, finish_core(m, plan)))) return status;
    return armilla_agree(transport, sort_points(m, plan));
}

armilla_status armilla_distributed_points_numbered(const armilla_transport *transport,
                                                   const armilla_distribution *distribution,
                                                   const armilla_own_points *points,
                                                   const armilla_points_options *options,
                                                   const armilla_distributed_options *distributed,
                                                   armilla_distributed_points **plan)
{
    making m = {.npoints = points->count, .points = points->points, .numbers = points->numbers};
    armilla_distributed_points *made = NULL;
    armilla_status status = armilla_check_transport(transport);
    if (status) return status;
    if (!(status = check_distribution(distribution, transport)) &&
        !(status = armilla_check_given("plan", plan)) &&
        !(status = take_options(distribution, transport, options, distributed, &m)))
        status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (!(status = agree_on_wishes(transport, distribution, &m, status))) {
        made->transport = *transport, made->given = distribution, made->npoints = points->count;
        made->delegation = m.delegation;
        m.nthreads = armilla_rank_threads(transport, m.options.nthreads);
        status = make(&m, made);
    }
    armilla_points_locations_clear(&m.locations);
    armilla_release(m.band);
    armilla_release(m.here);
    if (status)
        armilla_distributed_points_free(made);
    else
        *plan = made;
    return status;
}

armilla_status armilla_distributed_points_new(const armilla_transport *transport,
                                              const armilla_distribution *distribution,
                                              int64_t npoints, const double *points,
                                              const armilla_points_options *options,
                                              const armilla_distributed_options *distributed,
                                              armilla_distributed_points **plan)
{
    const armilla_own_points own = {npoints, points, NULL};
    return armilla_distributed_points_numbered(transport, distribution, &own, options, distributed,
                                               plan);
}

void armilla_distributed_points_free(armilla_distributed_points *plan)
{
    if (!plan) return;
    armilla_points_order_clear(&plan->order);
    armilla_point_routes_clear(&plan->routes);
    armilla_points_core_release(plan->core);
    armilla_strip_exchange_clear(&plan->exchange);
    armilla_strip_owners_clear(&plan->owners);
    armilla_redistribution_free(plan->alm_to_orders);
    armilla_redistribution_free(plan->alm_to_given);
    armilla_distribution_free(plan->dealt);
    armilla_release(plan);
}
