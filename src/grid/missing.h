/* Values of maps that stand for no measurement: NaN, infinities, and what is within a relative
 * 1e-5 of ARMILLA_UNSEEN, as files in single precision round it. docs/site/missing.md. */
#ifndef ARMILLA_GRID_MISSING_H
#define ARMILLA_GRID_MISSING_H

#include "armilla/redistribution.h"
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

/* --- Maps over ranks -------------------------------------------------------------------------- */

/* What a rank has of maps of all ranks. */
typedef struct armilla_missing_part {
    const int64_t *places; /* of each ring of the grid: where its samples begin in the rank's map,
                              one behind the other; -1: another rank has them. NULL: the rank has
                              the spans */
    int64_t npix;          /* of a map of all ranks */
    int64_t first;         /* number of the rank's first component among all */
    int64_t nspans;
    const armilla_span *spans; /* of pixels */
} armilla_missing_part;

typedef struct armilla_missing_values {
    int64_t count;
    int64_t first; /* the least of their indices: pixel + component distance, as the grid has it */
    double value;  /* the first one */
} armilla_missing_values;

/* Looks whatever exec says. part: NULL: all is here. distance of maps: in the rank's map; indices
 * of a part are npix apart. Errors: MEMORY. */
armilla_status armilla_missing_find(const armilla_grid *grid, int64_t ncomponents,
                                    const armilla_missing_maps *maps,
                                    const armilla_missing_part *part, int nthreads,
                                    armilla_missing_values *found);

/* The error of armilla_missing_check. Given: ncomponents, distance  of the maps that indices count.
 */
armilla_status armilla_missing_fail(const armilla_missing_values *found, int64_t ncomponents,
                                    int64_t distance);

#endif
