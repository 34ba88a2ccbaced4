/* Plans of a rank: the choices of the whole problem, and memory for the rank's own rings alone. */
#ifndef ARMILLA_RADIAL_PART_H
#define ARMILLA_RADIAL_PART_H

#include "radial/plan.h"

/* *options = the caller's, or the defaults in the place of NULL. Errors: ARGUMENT. */
armilla_status armilla_radial_take_options(const armilla_radial_options *given,
                                           armilla_radial_options *options);

/* As armilla_radial_new, without what has the size of maps: divisors, and tables of Fourier
 * transforms, which armilla_radial_take_rings and armilla_radial_make_divisors make later, of this
 * plan and of those that it needs. */
armilla_status armilla_radial_new_later(const armilla_grid *grid, const armilla_kernel *kernel,
                                        const armilla_radial_options *options,
                                        armilla_radial **radial);

/* As armilla_radial_new, for a grid whose first nsources rings are read alone, and the others made
 * alone, at places of the map that others may share: see armilla_radial_rows_make. Given: options
 * for the method PIXELS, and not for AUTO. */
armilla_status armilla_radial_new_between(const armilla_grid *grid, int64_t nsources,
                                          const armilla_kernel *kernel,
                                          const armilla_radial_options *options,
                                          armilla_radial **radial);

/* places[ring]: where a ring of this rank begins in its maps, which have them one behind the other;
 * -1: it is on another one. */
void armilla_radial_place_rings(const armilla_grid *grid, const uint8_t *mine, int64_t *places);

/* Prepares the rings of maps, of this plan alone.
 * Given:    mine[nrings]  0 or 1: those of this rank, whose maps have them one behind the other;
 *           with each ring goes its mirror image; borrowed. NULL: all, where the grid says.
 * Errors:   MEMORY. */
armilla_status armilla_radial_take_rings(armilla_radial *radial, const uint8_t *mine);

/* Rows first .. end - 1, all of one rank. */
typedef struct armilla_radial_run {
    int64_t first, end;
} armilla_radial_run;

/* The next rows of this rank at or behind run->end, of those that hold every ring once.
 * Returned: 0: there are none. Given: *run  {0, 0} at first. */
int armilla_radial_next_run(const armilla_radial *radial, armilla_radial_run *run);

#endif
