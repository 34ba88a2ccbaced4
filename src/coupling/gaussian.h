/* What covariances of band powers are sums of: see armilla_gaussian_covariance. */
#ifndef ARMILLA_COUPLING_GAUSSIAN_H
#define ARMILLA_COUPLING_GAUSSIAN_H

#include "armilla/coupling.h"

/* factor times B x Xi y B and its transpose, halved, of a pair of masks between fields of two
 * spins. Spectra have numbers: see armilla_gaussian_spectrum. */
typedef struct armilla_gaussian_term {
    int64_t spin1, spin2, mask, x, y; /* spin1 <= spin2, x <= y: each term has one form */
    int kind;                         /* of Xi: 0, or 1 for that of M- */
    double factor;
    int64_t place, stride; /* where it is added: the first element, and between rows */
} armilla_gaussian_term;

/* A problem that has been checked. */
typedef struct armilla_gaussian {
    armilla_gaussian_problem problem;
    armilla_bands bands;
    int64_t ncomp;
    int64_t *first;    /* [nfields]: its first component */
    char *is_zero;     /* [spectra] */
    int64_t *block_at; /* [nblocks + 1]: where blocks begin in the result */
    armilla_gaussian_term *terms;
    int64_t nterms, room;
} armilla_gaussian;

/* Spectra of components i <= j are i ncomp + j. Behind them are two for each two fields of one spin
 * above 0, by which a mask mixes their E and B: (EE + BB) / 2 and (EB - BE) / 2. */
static inline int64_t armilla_gaussian_nspectra(const armilla_gaussian *g)
{
    return g->ncomp * g->ncomp + 2 * g->problem.nfields * g->problem.nfields;
}

/* Fills row[lmax + 1]. */
void armilla_gaussian_spectrum(const armilla_gaussian *g, int64_t number, double *row);

int64_t armilla_gaussian_ncl(const armilla_gaussian *g, int64_t pair);

/* Lists the terms of all blocks in g->terms, sorted so that those with the same masks, spins and x
 * follow one another. Errors: MEMORY. */
armilla_status armilla_gaussian_list(armilla_gaussian *g);

#endif
