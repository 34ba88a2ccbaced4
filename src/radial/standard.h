/* The mode STANDARD: rings as the trigonometric polynomials through their pixels.
 *
 *     map --up--> all rings with n' pixels --exact convolution--> --down--> map
 *
 * Up evaluates a ring's polynomial, of orders up to n / 2, at n' >= n longitudes; down drops the
 * orders above n / 2 of the result and evaluates it at the ring's pixels. n' is the length of the
 * longest ring, or a little more. */
#ifndef ARMILLA_RADIAL_STANDARD_H
#define ARMILLA_RADIAL_STANDARD_H

#include "radial/sums.h"

typedef struct armilla_radial_standard armilla_radial_standard;

/* Makes radial->standard. Returned: *grid, *options  of the plan inside. Errors: MEMORY. */
armilla_status armilla_radial_standard_make(armilla_radial *radial, armilla_grid **grid,
                                            armilla_radial_options *options);

/* Makes the Fourier transforms of a plan that left them for later, mine: those of some rings.
 * Errors: MEMORY. */
armilla_status armilla_radial_standard_take_rings(armilla_radial *radial, const uint8_t *mine);

void armilla_radial_standard_free(armilla_radial_standard *standard);

/* Bytes beyond those of the plan inside: of the plan, and of a call. */
int64_t armilla_radial_standard_bytes(const armilla_radial_standard *standard);
int64_t armilla_radial_standard_workspace(const armilla_radial *radial, int nthreads);

/* As armilla_radial_sum, on a plan of this mode, for one map or pair. Errors: MEMORY, CANCELLED. */
armilla_status armilla_radial_standard_sum(const armilla_radial_call *call,
                                           const armilla_maps *maps);

#endif
