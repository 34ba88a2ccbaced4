/* The deflected directions of a grid's pixels; shared by plans for several fields. */
#ifndef ARMILLA_LENSING_POINTING_H
#define ARMILLA_LENSING_POINTING_H

#include "armilla/lensing.h"
#include "grid/grid.h"

#include <stdatomic.h>

/* Entries are the map's places where each of these is a pixel, so that values at points are a map;
 * else pixels in the sequence of the rings. */
typedef struct armilla_pointing {
    _Atomic int64_t users;
    armilla_grid *grid;
    int64_t count;  /* of entries */
    int64_t *start; /* entry of pixel 0 of each ring; NULL: entries are places */
    double *points; /* [count][2] */
    double *gamma;  /* [count] */
} armilla_pointing;

/* Errors: ARGUMENT, MEMORY, UNSUPPORTED (isa). isa: NULL or a name, as in armilla_sht_options. */
armilla_status armilla_pointing_new(const armilla_grid *grid, const armilla_deflection *deflection,
                                    const char *isa, armilla_pointing **pointing);
armilla_pointing *armilla_pointing_share(armilla_pointing *pointing);
void armilla_pointing_release(armilla_pointing *pointing);
int64_t armilla_pointing_bytes(const armilla_pointing *pointing);

/* Where pixel j of a ring is in the map, and among the entries. */
static inline int64_t armilla_pointing_place(const armilla_pointing *pointing, int64_t ring,
                                             int64_t j)
{
    return pointing->grid->rings[ring].offset + j * pointing->grid->rings[ring].stride;
}

static inline int64_t armilla_pointing_entry(const armilla_pointing *pointing, int64_t ring,
                                             int64_t j)
{
    return pointing->start ? pointing->start[ring] + j : armilla_pointing_place(pointing, ring, j);
}

#endif
