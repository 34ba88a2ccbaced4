/* The method PIXELS: sums of products of kernel values and pixels, row by row.
 *
 *     maps --pack--> rows of octets --stencil, products--> sums --unpack--> maps
 *
 * A task of the team is a block of neighbouring rows; it packs their sources once. */
#ifndef ARMILLA_RADIAL_PIXELS_H
#define ARMILLA_RADIAL_PIXELS_H

#include "base/array.h"
#include "base/work.h"
#include "radial/pixels/plan.h"

/* What is to be made of maps. */
typedef struct armilla_radial_job {
    const armilla_radial_pixels *pixels;
    int adjoint;           /* the weights of pixels come last */
    int plain;             /* without the divisors of SUM */
    int64_t nmaps;         /* 1 .. ARMILLA_RADIAL_MAPS, made together; spin 2: 2 for each pair */
    const double *weights; /* of pixels, spin 0; or NULL; else: */
    double least, fill;    /* where the weights' sum is below `least` of all: fill */
    double *divisor;       /* nmaps = 0: the divisors of SUM, made in place of maps */
    int64_t first, end;    /* rows of output first .. end - 1; end = 0: all */
    /* Where rings begin in the maps read and in weights, and in those written, if not where the
     * grid says: those of the rows of output and of their sources. Strides are 1 then. NULL: the
     * grid. */
    const int64_t *map_at, *out_at;
    /* Sources from .. to - 1 are there, to = 0: all. Calls for neighbouring ones, from north to
     * south, make the same sums as one call: they hand these on in `sums`, NULL otherwise, which
     * has armilla_radial_pixels_sums doubles. */
    int64_t from, to;
    double *sums;
    int64_t npix; /* of maps in memory, which bound what is packed at once; 0: the grid's */
} armilla_radial_job;

enum { ARMILLA_RADIAL_MAPS = 4 };

/* Doubles of the sums between two calls. */
int64_t armilla_radial_pixels_sums(const armilla_radial_job *job);

/* Doubles of scratch per thread. Given: sums, if there will be any, not NULL. */
int64_t armilla_radial_pixels_scratch(const armilla_radial_job *job, int nthreads);

/* maps: NULL for divisors. Units of progress: pixels of one map. */
void armilla_radial_pixels_run(const armilla_radial_job *job, const armilla_maps *maps,
                               const armilla_work *work);

#endif
