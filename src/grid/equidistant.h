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

/* Is analysis exact by quadrature of whole columns (5.8a), which mixes rings? */
int armilla_grid_mixes_rings(armilla_grid_kind kind);

/* The kinds of equidistant grids by number, from 0 on; CUSTOM behind the last one. */
armilla_grid_kind armilla_grid_equidistant_kind(int64_t number);

#endif
