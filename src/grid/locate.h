/* Which pixel of a grid shows a direction. */
#ifndef ARMILLA_GRID_LOCATE_H
#define ARMILLA_GRID_LOCATE_H

#include "grid/grid.h"

typedef struct armilla_locator armilla_locator;

/* Given:    grid  which must outlive the locator. Free with armilla_locator_free. Errors: MEMORY.
 */
ARMILLA_FOR_FILES armilla_status armilla_locator_new(const armilla_grid *grid,
                                                     armilla_locator **locator);
ARMILLA_FOR_FILES void armilla_locator_free(armilla_locator *locator); /* NULL is allowed */

/* Returned: index of the pixel; -1: the grid has no rings there. Any number of threads at once. */
ARMILLA_FOR_FILES int64_t armilla_locator_find(const armilla_locator *locator, double theta,
                                               double phi);

#endif
