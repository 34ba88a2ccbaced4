/* Inside of a plan for points over ranks: the core of the rank, its points here, what is exchanged.
 *
 *     own orders of alm --legendre, theta--> chunks of leg on all fine rings
 *         --exchange--> leg on the rings that the rank's strips see
 *         --strips--> values of points here --routes--> values of own points
 *
 * The adjoint goes the same way back. Where the caller's orders part what the theta stage
 * transforms together, alm goes to other orders first. */
#ifndef ARMILLA_RANKS_POINTS_PLAN_H
#define ARMILLA_RANKS_POINTS_PLAN_H

#include "armilla/distributed_points.h"
#include "call/call.h"
#include "ranks/device/place.h"
#include "ranks/distribution.h"
#include "ranks/points/exchange.h"
#include "ranks/points/routes.h"

struct armilla_distributed_points {
    armilla_transport transport;
    const armilla_distribution *given;
    int64_t npoints, all_points;                          /* of the rank, of all ranks */
    armilla_points_core *core;                            /* layout: the rank's rows of `orders` */
    const armilla_distribution *orders;                   /* that the stages have */
    armilla_distribution *dealt;                          /* NULL: orders are those given */
    armilla_redistribution *alm_to_orders, *alm_to_given; /* NULL: orders are those given */
    armilla_strip_owners owners;
    armilla_strip_exchange exchange;
    armilla_point_routes routes;
    armilla_points_order order;    /* of the points here */
    armilla_delegation delegation; /* the rank's GPU, whose calls the host runs */
};

/* Complex numbers of the rank's alm as the caller has it. */
static inline int64_t armilla_distributed_points_alm(const armilla_distributed_points *plan)
{
    return plan->given->orders.size[plan->transport.rank];
}

/* A rank's own points, and their numbers: NULL: rank by rank, the same on all ranks. */
typedef struct armilla_own_points {
    int64_t count;
    const double *points;
    const armilla_point_numbers *numbers;
} armilla_own_points;

/* As armilla_distributed_points_new: the bits are those of one rank whose points have these
 * numbers. */
armilla_status armilla_distributed_points_numbered(const armilla_transport *transport,
                                                   const armilla_distribution *distribution,
                                                   const armilla_own_points *points,
                                                   const armilla_points_options *options,
                                                   const armilla_distributed_options *distributed,
                                                   armilla_distributed_points **plan);

/* Not collective. Whether the rank's GPU leaves the operation to the host, whose options they then
 * become. */
armilla_status armilla_distributed_points_delegate(const armilla_transport *transport,
                                                   armilla_operation operation,
                                                   int64_t device_number,
                                                   armilla_points_options *options,
                                                   armilla_delegation *delegation);

/* The layout of the rank's alm in a distribution. Returned: *layout  new; free with
 * armilla_alm_layout_free. Errors: MEMORY. */
armilla_status armilla_distributed_points_layout(const armilla_distributed_points *plan,
                                                 const armilla_distribution *distribution,
                                                 armilla_alm_layout **layout);

/* Not collective: armilla_call_open with the rank's arrays; armilla_rank_close ends the call. */
armilla_status armilla_distributed_points_open(const armilla_distributed_points *plan,
                                               const armilla_exec *exec, armilla_call *call);

/* Doubles of workspace of a call. */
int64_t armilla_distributed_points_workspace(const armilla_distributed_points *plan, int to_points,
                                             int is_float, int nthreads);

/* Collective. Given: alm, values  of the rank; exec  as the caller gave it. */
armilla_status armilla_distributed_points_run(const armilla_distributed_points *plan, int to_points,
                                              armilla_array alm, armilla_array values,
                                              const armilla_exec *exec);

#endif
