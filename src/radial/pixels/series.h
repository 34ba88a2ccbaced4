/* The kernel between two rows by polynomials in the longitude. */
#ifndef ARMILLA_RADIAL_SERIES_H
#define ARMILLA_RADIAL_SERIES_H

#include "radial/pixels/plan.h"

/* Where fits go. */
typedef struct armilla_radial_room {
    double *coef; /* the next free one */
    int64_t used; /* of them so far */
    double *work; /* armilla_radial_series_work(most) */
} armilla_radial_room;

void armilla_radial_fit_fill(armilla_radial_fit *tables);

/* Doubles that fits of distances up to `reach` pixels take: of one fit at most, and to work in. */
int64_t armilla_radial_series_size(int64_t reach);
int64_t armilla_radial_series_work(int64_t reach);

/* Fits within 4e-16 of the kernel's peak, if there are any: of K, or of spin 2 of both parts of the
 * weight, else NULL.
 * Given: largest  the largest difference in longitude within the support, below that of reach + 1/2
 *        pixels;  pixel  of the source;  reach >= 1.
 * Returned: *even and *odd, nterms = 0 where there are none. */
void armilla_radial_series_make(const armilla_radial_pixels *pixels,
                                const armilla_radial_curve *curve, int64_t reach, double pixel,
                                double largest, armilla_radial_room *room,
                                armilla_radial_series *even, armilla_radial_series *odd);

#endif
