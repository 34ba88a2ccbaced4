/* The samples of a strip and what is around them: of each hemisphere rows from the north to the
 * south, with columns before and behind the ring that repeat it; rows beyond a pole are those on
 * the other side of it, half a turn away, times (-1)^spin; rows beyond the equator those of the
 * other hemisphere.
 *
 *     samples[component][2][most_rows][pitch] */
#ifndef ARMILLA_POINTS_SAMPLES_H
#define ARMILLA_POINTS_SAMPLES_H

#include "points/plan.h"

/* One hemisphere of the first component. */
typedef struct armilla_points_side {
    double *samples;
    int64_t first; /* number of the ring of row 0; below 0, or beyond the last one: see above */
    int64_t begin, end; /* rings to whose samples points may be added: the strip's own, and those
                           beyond pole and equator that are folded back to them */
} armilla_points_side;

armilla_points_side armilla_points_side_of(const armilla_points_core *core,
                                           const armilla_points_strip *strip, int south,
                                           double *samples);

/* Which hemispheres a call works on: those with points, both if the strip reaches the equator. */
typedef struct armilla_points_sides {
    int used[2]; /* north, south */
} armilla_points_sides;

/* Fills what is around the samples. */
void armilla_points_fill_halo(const armilla_points_core *core, const armilla_points_strip *strip,
                              armilla_points_sides sides, double *samples);

/* Its transpose: adds what is around them to the samples. */
void armilla_points_fold_halo(const armilla_points_core *core, const armilla_points_strip *strip,
                              armilla_points_sides sides, double *samples);

void armilla_points_clear_samples(const armilla_points_core *core,
                                  const armilla_points_strip *strip, armilla_points_sides sides,
                                  double *samples);

#endif
