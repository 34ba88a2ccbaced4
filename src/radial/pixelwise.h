/* What is done to maps pixel by pixel before and behind their sums, on the pixels of a grid's
 * rings: the maps read and written may be the same. */
#ifndef ARMILLA_RADIAL_PIXELWISE_H
#define ARMILLA_RADIAL_PIXELWISE_H

#include "armilla/grid.h"
#include "base/array.h"

/* Divides by one number per pixel. */
void armilla_radial_divide(const armilla_grid *grid, int64_t nmaps, const armilla_maps *maps,
                           const double *by);

/* Multiplies by one number per pixel: 0 makes 0 of any number, and of what is none. */
void armilla_radial_multiply(const armilla_grid *grid, int64_t nmaps, const armilla_maps *maps,
                             const double *by);

/* Sums of weights around each pixel, and of weights of 1: where the first are below `least` times
 * the second there is no mean, but fill. */
typedef struct armilla_radial_mean {
    const double *sums, *norm;
    double least, fill;
} armilla_radial_mean;

/* Sums become means. */
void armilla_radial_finish(const armilla_grid *grid, int64_t nmaps, const armilla_maps *maps,
                           const armilla_radial_mean *mean);

#endif
