/* A field and its derivatives at points by its Legendre functions there, without a plan:
 *
 *     alm --legendre--> leg of the points' own rings --waves--> points
 *
 * Exact to rounding, at the cost of a ring of the grid for each colatitude. */
#ifndef ARMILLA_POINTS_DIRECT_H
#define ARMILLA_POINTS_DIRECT_H

#include "alm/rows.h"
#include "base/machine.h"
#include "leg/passes.h"
#include "legendre/legendre.h"
#include "points/waves.h"

typedef struct armilla_direct_problem {
    armilla_machine machine;
    int64_t lmax, mmax, spin; /* spin of any sign */
    int64_t derivatives;      /* 0, 1, 2 */
    int recurrence_only;      /* as in armilla_legendre_problem */
    int64_t npoints;
    const double *points;
    int64_t ntrans; /* of the call */
} armilla_direct_problem;

/* One part of the jet: the pairs on which its orders matter, its functions there. */
typedef struct armilla_direct_part {
    armilla_ring_pairs pairs;
    armilla_legendre *legendre; /* NULL: no degree has this spin, its fields are 0 */
    armilla_leg_passes passes;
} armilla_direct_part;

typedef struct armilla_direct {
    armilla_direct_problem problem;
    armilla_latitudes latitudes;
    armilla_jet jet;
    armilla_direct_part part[ARMILLA_JET_PARTS];
    int64_t pass_pairs, npasses;
    int64_t together; /* transforms that share what is made for points */
} armilla_direct;

/* Errors: MEMORY; *direct is empty then. */
armilla_status armilla_direct_make(const armilla_direct_problem *problem, armilla_direct *direct);
void armilla_direct_clear(armilla_direct *direct);

/* Given:    values  components `distance` apart; alm  as rows of nsets = 1 or 2 sets, those of the
 *           first transform; threads  their number, and progress.
 * Errors:   MEMORY, CANCELLED. */
armilla_status armilla_direct_run(const armilla_direct *direct, int to_points,
                                  const armilla_alm_rows *alm, armilla_array values,
                                  int64_t distance, const armilla_work *threads);

#endif
