/* Chooses the normalization that ARMILLA_RADIAL_AUTO stands for, by whether the kernel is negative
 * somewhere and by how many pixels of the grid it is wide.
 *
 * The thresholds come from a measurement: by how much the sums of w_q K around pixels of HEALPix,
 * nside 64, differ from K's integral, which is what INTEGRAL makes of a map of ones. The table has
 * the largest difference and the rms, by the kernel's width at half maximum
 * (bench/radial_accuracy.py constants):
 *
 *     pixels      Gaussian          top hat         cone
 *     0.3         8.8   9           13    13        9.6   10
 *     1           0.21  0.1         0.27  0.3       0.33  0.1
 *     2           0.05  6e-4        0.7   0.6       0.07  0.03
 *     2.5         0.04  5e-4        0.4   0.2       0.04  0.02
 *     4           0.02  4e-4        0.3   0.2       0.02  5e-3
 *     10          3e-3  1e-4        0.07  0.04      2e-3  5e-4
 *
 * The largest ones of Gaussians are next to the poles from 1.5 pixels on, where HEALPix' weights
 * are a poor rule for any kernel. One that falls off is sampled as well as that rule can from 2.5
 * pixels on; of one that ends with a jump pixels go in and out, and it needs more. */
#include "radial/normalization.h"

#include "grid/grid.h"

#include <math.h>

static const double LEAST_PIXELS = 2.5, LEAST_PIXELS_JUMP = 10;
static const double LEAST_WEIGHT = 1e-8; /* of the largest one; see NOTHING in sums.c */

double armilla_radial_pixel(const armilla_grid *grid)
{
    double total = 0, pixels = 0;
    for (int64_t r = 0; r < grid->nrings; r++) {
        total += fabs(grid->rings[r].weight) * (double)grid->rings[r].nphi;
        pixels += (double)grid->rings[r].nphi;
    }
    return sqrt(total / pixels);
}

/* The kernel's width is that of what the support leaves of it; it jumps where it ends, by itself or
 * by the support, before it has fallen to half. */
static int is_resolved(const armilla_kernel *kernel, double support, double pixel)
{
    const double half = armilla_kernel_half_width(kernel);
    const double end = fmin(support, armilla_kernel_extent(kernel));
    const int has_jump = half >= end && end < M_PI;
    const double width = 2 * (has_jump ? end : half);
    return width >= pixel * (has_jump ? LEAST_PIXELS_JUMP : LEAST_PIXELS);
}

/* Is the sum around every pixel above 0, since the pixel itself has a part in it? */
static int has_sums(const armilla_kernel *kernel, const armilla_grid *grid)
{
    const long double zero = 0;
    long double centre;
    double least = (double)INFINITY, most = 0;
    for (int64_t r = 0; r < grid->nrings; r++) {
        least = fmin(least, grid->rings[r].weight);
        most = fmax(most, grid->rings[r].weight);
    }
    armilla_kernel_evaluate(kernel, 1, &zero, &centre);
    return centre > 0 && least > LEAST_WEIGHT * most;
}

armilla_radial_normalization armilla_radial_choose_normalization(const armilla_kernel *kernel,
                                                                 double support,
                                                                 const armilla_grid *grid)
{
    if (armilla_kernel_is_negative(kernel, support)) return ARMILLA_RADIAL_NONE;
    const int is_sum = !is_resolved(kernel, support, armilla_radial_pixel(grid));
    return is_sum && has_sums(kernel, grid) ? ARMILLA_RADIAL_SUM : ARMILLA_RADIAL_INTEGRAL;
}
