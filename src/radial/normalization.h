/* Which normalization ARMILLA_RADIAL_AUTO stands for: the one place where that is decided. */
#ifndef ARMILLA_RADIAL_NORMALIZATION_H
#define ARMILLA_RADIAL_NORMALIZATION_H

#include "armilla/grid.h"
#include "armilla/radial.h"
#include "radial/profile/kernel.h"

/* Side of a square as large as a mean pixel, radians. */
double armilla_radial_pixel(const armilla_grid *grid);

/* NONE where the kernel is negative somewhere within the support; SUM where the grid's pixels
 * sample it badly; else INTEGRAL. */
armilla_radial_normalization armilla_radial_choose_normalization(const armilla_kernel *kernel,
                                                                 double support,
                                                                 const armilla_grid *grid);

#endif
