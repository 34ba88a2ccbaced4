/* Inside of a distributed plan: the stages of the own share, and the exchanges between them. */
#ifndef ARMILLA_RANKS_PLAN_H
#define ARMILLA_RANKS_PLAN_H

#include "armilla/distributed.h"
#include "ranks/device/rows.h"
#include "sht/plan.h"

/* The exchanges of a flow: by the way of the call, and whether it goes to the map. */
typedef struct armilla_flow_schedules {
    armilla_schedule to_map[ARMILLA_FLOW_PLACES], to_alm[ARMILLA_FLOW_PLACES];
    armilla_device_rows rows[2]; /* on a GPU, where leg is in memory: to alm, to the map */
} armilla_flow_schedules;

struct armilla_distributed_sht {
    armilla_transport transport;
    const armilla_distribution *distribution;
    armilla_share share;
    armilla_sht *sht;                           /* whose stages work on the share */
    armilla_flow_schedules flow, weighted_flow; /* as in sht */
    int64_t first_rank;                         /* of the group */
    int64_t batch[2][2]; /* of a GPU, by weighted, to_map: transforms at once, at most */
};

/* *taken = the caller's options, or the defaults in the place of NULL. Errors: ARGUMENT. */
armilla_status armilla_distributed_take_options(const armilla_distributed_options *given,
                                                armilla_distributed_options *taken);

static inline const armilla_flow_schedules *
armilla_distributed_schedules(const armilla_distributed_sht *plan, const armilla_flow *flow)
{
    return flow == &plan->sht->flow ? &plan->flow : &plan->weighted_flow;
}

static inline const armilla_schedule *
armilla_distributed_schedule(const armilla_distributed_sht *plan, const armilla_flow *flow,
                             const armilla_flow_way *way, int to_map)
{
    const armilla_flow_schedules *of = armilla_distributed_schedules(plan, flow);
    return (to_map ? of->to_map : of->to_alm) + (way - flow->ways);
}

#endif
