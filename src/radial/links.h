/* The kernel between two rows, as a function of the difference in longitude. */
#ifndef ARMILLA_RADIAL_LINKS_H
#define ARMILLA_RADIAL_LINKS_H

#include "radial/plan.h"

/* Between a row and one of its sources, whose ring has another number of pixels. */
typedef struct armilla_radial_link {
    int64_t source, count,
        before;           /* kernel values of a position, and of them in front of nearest */
    double pixel, weight; /* of the source */
    armilla_radial_curve curve;
    armilla_radial_series series, odd; /* odd: of spin 2, see armilla_radial_kernels, turn */
    armilla_radial_places places;
} armilla_radial_link;

void armilla_radial_fit_fill(armilla_radial_fit *tables);

armilla_radial_link armilla_radial_link_make(const armilla_radial *radial,
                                             const armilla_radial_row *r, int64_t source);

/* largest: the largest difference in longitude that it is asked for, radians. */
armilla_radial_curve armilla_radial_curve_make(const armilla_radial *radial,
                                               const armilla_radial_row *r,
                                               const armilla_radial_row *e, double largest);

#endif
