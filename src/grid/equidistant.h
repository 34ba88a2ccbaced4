/* Equidistant rings as points of the circle through both poles. */
#ifndef ARMILLA_GRID_EQUIDISTANT_H
#define ARMILLA_GRID_EQUIDISTANT_H

#include "armilla/grid.h"

/* Ring r lies at theta = pi (2 (r + first) + half_shifted) / length; length 0: not equidistant. */
typedef struct armilla_circle {
    int64_t length;
    int64_t half_shifted; /* 0 or 1 */
    int64_t first;
} armilla_circle;

armilla_circle armilla_grid_circle(armilla_grid_kind kind, int64_t nrings);

#endif
