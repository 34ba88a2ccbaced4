/* Radial convolution over ranks (armilla/distributed_radial.h) against that on one rank, bit by
 * bit: checks for any transport, threads of one process (tests/unit/test_ranks_radial.c) as well as
 * MPI (tests/mpi). Public functions only; no test library, since threads and ranks cannot end a
 * test. */
#ifndef ARMILLA_TESTS_RANKS_RADIAL_H
#define ARMILLA_TESTS_RANKS_RADIAL_H

#include "armilla/armilla.h"

typedef enum { RADIAL_GAUSS, RADIAL_DISC, RADIAL_HAT } ranks_radial_kernel;

/* Which pixels a rank has. */
typedef enum {
    RADIAL_BY_RINGS, /* those of a distribution */
    RADIAL_RANGES,   /* ranges of pixel numbers, some elements into the array */
    RADIAL_ON_ONE    /* the last rank has all */
} ranks_radial_layout;

typedef struct ranks_radial_case {
    const char *grid; /* as in ranks_case; a second number is the grid's lmax, else 12 */
    ranks_radial_kernel kernel;
    double angle, support; /* FWHM or radius; 0: chosen */
    int64_t spin;
    armilla_radial_mode mode;
    armilla_radial_method method;
    armilla_radial_normalization normalization;
    int64_t nfields;
    int nthreads;
    ranks_radial_layout layout;
    const char *made_by; /* method that describe must tell; NULL: any */
    int windows;         /* so many at least, of several ranks; 0: any */
} ranks_radial_case;

/* Convolves, and runs the adjoint and the mean over weights, in double and float. All ranks call
 * it. Returned: 0, or 1 after a sentence on stderr. */
int ranks_run_radial(const armilla_transport *transport, const ranks_radial_case *c);

/* The cases that every transport is tried with; the last one has no grid. */
extern const ranks_radial_case ranks_radial_cases[];

/* A kernel of a case; NULL if it cannot be made. */
armilla_kernel *ranks_radial_kernel_new(ranks_radial_kernel kernel, double angle);

#endif
