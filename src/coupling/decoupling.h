/* Band powers without a mask: the matrix of the bands of one pair of masks, factorised once and
 * solved for any number of sets of powers. */
#ifndef ARMILLA_COUPLING_DECOUPLING_H
#define ARMILLA_COUPLING_DECOUPLING_H

#include "base/status.h"

typedef struct armilla_decoupling {
    int64_t nbands, ncl, nkinds;
    double *lu[2]; /* of the only matrix, or of K+ + K- and of K+ - K- */
    int64_t *pivots[2];
    double condition; /* the larger one, in the 1-norm */
} armilla_decoupling;

/* Given:    matrix  [nkinds][nbands][nbands], finite;  name  of what cannot be solved, in messages.
 * Returned: *d, to be cleared whatever the status is.
 * Errors:   ARGUMENT (a singular matrix: names the band), MEMORY. */
armilla_status armilla_decoupling_make(int64_t nbands, int64_t ncl, int64_t nkinds,
                                       const double *matrix, const char *name,
                                       armilla_decoupling *d);
void armilla_decoupling_clear(armilla_decoupling *d);

/* powers[ncl][nbands]: bands of pseudo-spectra become powers. */
void armilla_decoupling_solve(const armilla_decoupling *d, double *powers);

#endif
