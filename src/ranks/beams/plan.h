/* Inside of a plan for skies seen through beams over ranks: points over ranks, of the largest spin,
 * and what the rank has of a plan for beams (beams/plan.h): its orders, and the pointings of its
 * strips and of the bands beside them.
 *
 *     own sky, beam --mix--> rows of spin k --stages of points--> plane k at pointings here
 *     samples here --routes--> own samples */
#ifndef ARMILLA_RANKS_BEAMS_PLAN_H
#define ARMILLA_RANKS_BEAMS_PLAN_H

#include "armilla/distributed_beams.h"
#include "beams/execute.h"
#include "ranks/degrees.h"
#include "ranks/points/plan.h"

struct armilla_distributed_beams {
    armilla_distributed_points *points; /* without the order of its points, which `here` has */
    armilla_beams here;
    armilla_rank_degrees degrees;       /* of the sums over orders */
    armilla_redistribution *to_degrees; /* rows of the plan's orders */
};

/* Not collective: checks the rank's arrays and opens the call, which armilla_rank_close ends. */
armilla_status armilla_distributed_beams_open(const armilla_distributed_beams *plan,
                                              armilla_beams_operator op,
                                              const armilla_beams_arrays *arrays,
                                              const armilla_exec *exec, armilla_call *call);

/* Doubles of workspace of a call. */
int64_t armilla_distributed_beams_workspace(const armilla_distributed_beams *plan,
                                            armilla_beams_operator op, int is_float, int nthreads);

/* Collective. Given: arrays  of the rank; exec  as the caller gave it. */
armilla_status armilla_distributed_beams_run(const armilla_distributed_beams *plan,
                                             armilla_beams_operator op,
                                             const armilla_beams_arrays *arrays,
                                             const armilla_exec *exec);

#endif
