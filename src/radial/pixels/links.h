/* The kernel between two rows, as a function of the difference in longitude. */
#ifndef ARMILLA_RADIAL_LINKS_H
#define ARMILLA_RADIAL_LINKS_H

#include "radial/pixels/series.h"

/* Between a row and one of its sources, whose ring has another number of pixels. */
typedef struct armilla_radial_link {
    int64_t source, count,
        before;           /* kernel values of a position, and of them in front of nearest */
    double pixel, weight; /* of the source */
    armilla_radial_curve curve;
    armilla_radial_series series, odd; /* odd: of spin 2, see armilla_radial_kernels, turn */
    armilla_radial_places places;
} armilla_radial_link;

/* Are links of a row polynomials, but for sources of which all pixels count, or one? */
int armilla_radial_link_has_fits(const armilla_radial_pixels *pixels,
                                 const armilla_radial_row *row);

/* room: for armilla_radial_series_size of each component. */
armilla_radial_link armilla_radial_link_make(const armilla_radial_pixels *pixels,
                                             const armilla_radial_row *r, int64_t source,
                                             armilla_radial_room *room);

/* largest: the largest difference in longitude that it is asked for, radians. */
armilla_radial_curve armilla_radial_curve_make(const armilla_radial_pixels *pixels,
                                               const armilla_radial_row *r,
                                               const armilla_radial_row *e, double largest);

/* Positions of a source less that of the row, between rows with as many pixels: first .. first +
 * count - 1 matter. */
typedef struct armilla_radial_span {
    int64_t first, count;
} armilla_radial_span;

armilla_radial_span armilla_radial_span_find(const armilla_radial_pixels *pixels,
                                             const armilla_radial_row *r,
                                             const armilla_radial_row *e);

/* The kernel there, one value per difference of positions; of spin 2 both parts. Returned: the
 * doubles that were written, whole octets. values, odd: 64-byte aligned. */
int64_t armilla_radial_span_values(const armilla_radial_pixels *pixels, const armilla_radial_row *r,
                                   const armilla_radial_row *e, const armilla_radial_span *span,
                                   double *values, double *odd);

/* Terms of the series of sin^2 in curves, and of those of half angles: [ARMILLA_RADIAL_HALVES][2].
 */
enum { ARMILLA_RADIAL_HALVES = 16 };
const double *armilla_radial_curve_terms(void);
const double *armilla_radial_curve_halves(void);

#endif
