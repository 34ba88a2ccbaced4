/* The deflected directions of a grid's pixels; shared by plans for several fields. */
#ifndef ARMILLA_LENSING_POINTING_H
#define ARMILLA_LENSING_POINTING_H

#include "armilla/lensing.h"
#include "cuda/pointing.h"
#include "grid/grid.h"

#include <math.h>
#include <stdatomic.h>

/* Entries are the map's places where each of these is a pixel, so that values at points are a map;
 * else pixels in the sequence of the rings. */
typedef struct armilla_pointing {
    _Atomic int64_t users;
    armilla_grid *grid;
    int64_t count;               /* of entries */
    int64_t *start;              /* entry of pixel 0 of each ring; NULL: entries are places */
    double *points;              /* [count][2]; like gamma NULL where they are on a GPU */
    double *gamma;               /* [count] */
    armilla_cuda_pointing *cuda; /* NULL: plans are on the processor, or on several GPUs */
    int64_t ndevices;            /* 0: plans are on the processor */
    int *devices;                /* the numbers of their GPUs */
    int64_t *place;              /* of each entry in the map, for plans on several GPUs; NULL where
                                    entries are places */
} armilla_pointing;

/* On the processor or, as options say, on the calling thread's current GPU. Errors: ARGUMENT,
 * MEMORY, UNSUPPORTED. */
armilla_status armilla_pointing_new(const armilla_grid *grid, const armilla_deflection *deflection,
                                    const armilla_points_options *options,
                                    armilla_pointing **pointing);
armilla_pointing *armilla_pointing_share(armilla_pointing *pointing);
void armilla_pointing_release(armilla_pointing *pointing);
int64_t armilla_pointing_bytes(const armilla_pointing *pointing);

/* Checks a caller's deflection and copies it, defaults for what his struct lacks. Errors: ARGUMENT.
 */
armilla_status armilla_deflection_take(const armilla_deflection *given, armilla_deflection *taken);

/* What a coefficient is times, in the vector field. */
static inline double armilla_deflection_factor(armilla_deflection_kind kind, int64_t l)
{
    return kind == ARMILLA_DEFLECTION_POTENTIAL ? sqrt((double)l * ((double)l + 1)) : 1;
}

/* alpha_theta and alpha_phi at the pixels of a grid: *field new, [2][npix]; armilla_release.
 * Errors: MEMORY, UNSUPPORTED (isa). */
armilla_status armilla_deflection_field(const armilla_grid *grid,
                                        const armilla_deflection *deflection, const char *isa,
                                        double **field);

/* Fields of the deflection's band limit on a grid. alm: of the gradient, and behind it of the curl
 * where there is one. map: of spin 0 a scalar from each, three maps apart; else E and B, [2][npix].
 * Errors: MEMORY, UNSUPPORTED (isa). */
armilla_status armilla_deflection_synthesize(const armilla_grid *grid,
                                             const armilla_deflection *deflection, const char *isa,
                                             int64_t spin, const double *alm, double *map);

/* ARGUMENT, naming the deflection at a place of the map. */
armilla_status armilla_deflection_fail(int64_t place, double alpha_theta, double alpha_phi);

/* ARGUMENT, and a pixel's number, where a field is not finite: coefficients were not, or so large
 * that their sums are not. */
armilla_status armilla_deflection_check(const armilla_grid *grid, const double *field);

/* Where pixel j of a ring is in the map, and among the entries. */
static inline int64_t armilla_pointing_place(const armilla_pointing *pointing, int64_t ring,
                                             int64_t j)
{
    return armilla_grid_place(pointing->grid, ring, j);
}

static inline int64_t armilla_pointing_entry(const armilla_pointing *pointing, int64_t ring,
                                             int64_t j)
{
    return pointing->start ? pointing->start[ring] + j : armilla_pointing_place(pointing, ring, j);
}

#endif
