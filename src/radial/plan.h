/* Inside of a plan for convolution with a radial kernel. */
#ifndef ARMILLA_RADIAL_PLAN_H
#define ARMILLA_RADIAL_PLAN_H

#include "armilla/radial.h"
#include "base/workspace.h"
#include "radial/pixels/dispatch.h"
#include "radial/mixing/mixing.h"
#include "radial/profile/profile.h"
#include "radial/pixels/rows.h"

/* Of a Chebyshev fit: the nodes; values there, one after the other, -> coefficients; those -> the
 * coefficients of powers. */
typedef struct armilla_radial_fit {
    double node[ARMILLA_RADIAL_NODES], chebyshev[ARMILLA_RADIAL_NODES][ARMILLA_RADIAL_NODES],
        power[ARMILLA_RADIAL_NODES][ARMILLA_RADIAL_NODES];
} armilla_radial_fit;

struct armilla_radial_standard;

struct armilla_radial {
    armilla_grid *grid;
    armilla_kernel *kernel;
    armilla_radial_options options; /* support and normalization as chosen */
    armilla_isa isa;
    double integral; /* of the kernel over the support, not normalized */
    armilla_profile profile;
    armilla_mixing *mixing; /* of the rings that the method RINGS makes; NULL: there are none */
    int all_mixed;          /* no ring is left for the method PIXELS */
    armilla_radial_rows rows;
    armilla_radial_fit fit;
    const armilla_radial_kernels *kernels;
    int64_t *divisor_first; /* SUM: where the divisors of a row begin */
    double *divisor_map;    /* SUM, in plans with a mixing: of every pixel; else NULL */
    double *divisor; /* SUM: per row and position of an arc; of uniform rows one; else NULL */
    struct armilla_radial_standard
        *standard; /* the mode; profile and rows are then empty; or NULL */
    /* Spin 2: the kernel that Q and U see, and the plan of the scalar one, which chooses the
     * support and makes the sums that results are divided by; else NULL. The divisors above are
     * then its, unless it has no map of them and this plan needs one. */
    armilla_kernel *turned;
    struct armilla_radial *scalar;
    armilla_workspace_store *workspace;
};

/* Components of a map. */
static inline int64_t armilla_radial_ncomp(const armilla_radial *radial)
{
    return radial->options.spin ? 2 : 1;
}

#endif
