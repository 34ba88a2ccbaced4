/* Values of maps that stand for no measurement: NaN, infinities, and what is within a relative
 * 1e-5 of ARMILLA_UNSEEN, as files in single precision round it. docs/missing.md. */
#ifndef ARMILLA_GRID_MISSING_H
#define ARMILLA_GRID_MISSING_H

#include "armilla/sht.h"
#include "base/array.h"

typedef struct armilla_missing_maps {
    armilla_array map;     /* of the host */
    int64_t distance;      /* values from one component to the next */
    const double *weights; /* one per pixel: those with 0 are not looked at; NULL: all are */
} armilla_missing_maps;

/* Looks at the pixels of the grid's rings if exec->missing is ARMILLA_MISSING_ERROR.
 * Given:  ncomponents  of all transforms together;  exec  checked.
 * Errors: ARGUMENT with the number of missing values and the index of the first one; MEMORY. */
armilla_status armilla_missing_check(const armilla_grid *grid, int64_t ncomponents,
                                     const armilla_missing_maps *maps, const armilla_exec *exec);

#endif
