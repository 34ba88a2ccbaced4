/* What a plan has for the method PIXELS: the grid's rings as rows of octets, the kernel's profile,
 * the inner loops of an instruction set, and the divisors of the normalization SUM. */
#ifndef ARMILLA_RADIAL_PIXELS_PLAN_H
#define ARMILLA_RADIAL_PIXELS_PLAN_H

#include "base/healpix.h"
#include "radial/pixels/dispatch.h"
#include "radial/pixels/rows.h"
#include "radial/profile/profile.h"

/* A Chebyshev fit: the nodes; values there, one after the other, -> coefficients; these -> the
 * coefficients of powers. */
typedef struct armilla_radial_fit {
    double node[ARMILLA_RADIAL_NODES], chebyshev[ARMILLA_RADIAL_NODES][ARMILLA_RADIAL_NODES],
        power[ARMILLA_RADIAL_NODES][ARMILLA_RADIAL_NODES];
} armilla_radial_fit;

typedef struct armilla_radial_pixels {
    const armilla_grid *grid;       /* borrowed */
    const armilla_profile *profile; /* borrowed; of spin 2 it turns */
    armilla_scheme nested;          /* of maps in NESTED order, else nside = 0 */
    armilla_radial_rows rows;
    armilla_radial_fit fit;
    const armilla_radial_kernels *kernels;
    int64_t *divisor_first; /* SUM: where the divisors of a row begin */
    double *divisor; /* SUM: per row and position of an arc; of uniform rows one; else NULL */
} armilla_radial_pixels;

#endif
