/* Least squares from samples, values at points or of skies seen through beams, of which each rank
 * has its own. */
#ifndef ARMILLA_RANKS_POINTS_PSEUDO_H
#define ARMILLA_RANKS_POINTS_PSEUDO_H

#include "call/call.h"
#include "ranks/points/plan.h"
#include "sht/pseudo_job.h"

/* Collective.
 * Given:    points  whose orders and points are those of alm and samples;  field  its operators are
 *           collective, and layout, npix and ranks are set here;  status  of this rank so far;
 *           call  opened, which the caller closes;  options, reports  as the caller gave them.
 * Errors:   as armilla_distributed_points_pseudo_analysis. */
armilla_status armilla_rank_samples_fit(const armilla_distributed_points *points,
                                        const armilla_pseudo_field *field, armilla_status status,
                                        armilla_call *call, const armilla_pseudo_options *options,
                                        armilla_pseudo_report *reports);

#endif
