/* Inside of a plan for convolution with a radial kernel. */
#ifndef ARMILLA_RADIAL_PLAN_H
#define ARMILLA_RADIAL_PLAN_H

#include "armilla/radial.h"
#include "base/workspace.h"
#include "radial/mixing/mixing.h"
#include "radial/pixels/plan.h"

struct armilla_radial_standard;
struct armilla_radial_ranks;
struct armilla_radial_shares;
struct armilla_cuda_radial_plan;

struct armilla_radial {
    armilla_grid *grid;
    armilla_kernel *kernel;
    armilla_radial_options options; /* support and normalization as chosen */
    int64_t nsources;               /* of the rings: see armilla_radial_rows_make */
    armilla_isa isa;
    double integral; /* of the kernel over the support, not normalized */
    armilla_profile profile;
    armilla_radial_pixels pixels; /* the method PIXELS */
    armilla_mixing *mixing; /* of the rings that the method RINGS makes; NULL: there are none */
    int all_mixed;          /* no ring is left for the method PIXELS */
    double *divisor_map;    /* SUM, in plans with a mixing: of every pixel; else NULL */
    /* The mode STANDARD: the way to rings of one length and back, and the plan for these; else
     * NULL. Profile and rows are then empty. */
    struct armilla_radial_standard *standard;
    struct armilla_radial *inner;
    /* Spin 2: the kernel that Q and U see, and the plan of the scalar one, which chooses the
     * support and makes the sums that results are divided by; else NULL. The divisors of pixels and
     * map are then its, unless it has no map of them and this plan needs one. */
    armilla_kernel *turned;
    struct armilla_radial *scalar;
    armilla_workspace_store *workspace;
    struct armilla_cuda_radial_plan *cuda; /* runs calls on a GPU or several; NULL: here */
    struct armilla_radial_shares *shares;  /* RINGS, STANDARD: by other GPUs; else NULL */
    /* By a model of the cost, of a field on a GPU: by PIXELS, by RINGS; -1: not possible for all
     * rings, or not looked at. */
    double device_seconds[2];
    /* Plans of a rank, else NULL: what calls ask of the ranks, and the whole grid. `grid` is then
     * that of the rank's maps, with its rings alone; rows and mixing have all rings. */
    const struct armilla_radial_ranks *ranks;
    armilla_grid *whole;
    const uint8_t *mine; /* [rings of the whole grid] 0 or 1; borrowed */
    int later;           /* what has the size of maps is made later: radial/part.h */
};

/* The plan that makes the sums: the one inside, or this one. */
static inline const armilla_radial *armilla_radial_maker(const armilla_radial *radial)
{
    return radial->inner ? radial->inner : radial;
}

/* The grid of rows and mixing. */
static inline const armilla_grid *armilla_radial_whole(const armilla_radial *radial)
{
    return radial->whole ? radial->whole : radial->grid;
}

/* As armilla_radial_describe has them. */
const char *armilla_radial_method_name(const armilla_radial *radial);
const char *armilla_radial_normalization_name(const armilla_radial *radial);

/* Components of a map. */
static inline int64_t armilla_radial_ncomp(const armilla_radial *radial)
{
    return radial->options.spin ? 2 : 1;
}

#endif
