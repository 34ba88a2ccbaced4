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

#endif
