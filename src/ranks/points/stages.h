/* The steps between a rank's orders of one transform and its values at the points here: Legendre
 * and theta stages by chunks of orders, the exchange of these, and the strips. Whoever has
 * coefficients in such orders and wants values at points here runs them: fields at points, skies
 * seen through beams. */
#ifndef ARMILLA_RANKS_POINTS_STAGES_H
#define ARMILLA_RANKS_POINTS_STAGES_H

#include "points/strip_stage.h"
#include "ranks/points/plan.h"

/* One call. */
typedef struct armilla_rank_stages {
    const armilla_distributed_points *plan;
    int to_points;
    int watched; /* has any rank a progress function? */
    double *chunk;
    armilla_leg by_strips;
    armilla_strip_traffic traffic;
    armilla_work work;
    armilla_progress progress;
} armilla_rank_stages;

/* A call that has no memory yet. Returned: *stages  with the number of threads. */
void armilla_rank_stages_init(armilla_rank_stages *stages, const armilla_distributed_points *plan,
                              int to_points, int nthreads);

/* Doubles of workspace. scratch: of a thread, enough for all cores that the call uses. */
int64_t armilla_rank_stages_size(const armilla_rank_stages *stages, int64_t scratch);

/* Takes that memory. Errors: MEMORY; armilla_rank_stages_clear all the same. */
armilla_status armilla_rank_stages_open(armilla_rank_stages *stages, int64_t scratch,
                                        double *memory);
void armilla_rank_stages_clear(armilla_rank_stages *stages);

/* Progress of the whole call. Given: exec  complete; units of work. */
void armilla_rank_stages_start(armilla_rank_stages *stages, const armilla_exec *exec, double units);

/* Degrees of all orders of the rank. */
double armilla_rank_stages_degrees(const armilla_distributed_points *plan);

/* Collective. pass: core  that of the plan, or a view of it with another spin; order, values,
 * component. Errors: CANCELLED, TRANSPORT: of all ranks. */
armilla_status armilla_rank_stages_to_points(armilla_rank_stages *stages,
                                             const armilla_alm_rows *alm,
                                             const armilla_points_pass *pass);
armilla_status armilla_rank_stages_from_points(armilla_rank_stages *stages,
                                               const armilla_alm_rows *alm,
                                               const armilla_points_pass *pass);

#endif
