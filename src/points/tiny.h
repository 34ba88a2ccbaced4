/* Values of a scalar at very few points, at low degrees, where the stages of direct.h would take
 * longer to set up than to work: the sums as they are written. */
#ifndef ARMILLA_POINTS_TINY_H
#define ARMILLA_POINTS_TINY_H

#include "points/direct.h"

/* Transforms: more of them hear of progress, and run in threads. */
enum { ARMILLA_TINY_DEGREE = 16, ARMILLA_TINY_POINTS = 8, ARMILLA_TINY_TRANSFORMS = 1024 };

static inline int armilla_points_are_tiny(const armilla_direct_problem *p)
{
    return p->spin == 0 && p->derivatives == 0 && p->lmax <= ARMILLA_TINY_DEGREE &&
           p->npoints <= ARMILLA_TINY_POINTS && p->ntrans <= ARMILLA_TINY_TRANSFORMS;
}

/* One transform, by the calling thread. Given: tiny points; alm, values as of armilla_direct_run.
 */
void armilla_tiny_run(const armilla_direct_problem *problem, int to_points,
                      const armilla_alm_rows *alm, armilla_array values);

#endif
