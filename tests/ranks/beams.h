/* Skies through beams over ranks against a plan of one rank with the pointings of all, bit by bit:
 * checks for any transport, threads of one process as well as MPI. Public functions only. */
#ifndef ARMILLA_TESTS_RANKS_BEAMS_H
#define ARMILLA_TESTS_RANKS_BEAMS_H

#include "armilla/armilla.h"

typedef struct ranks_beams_case {
    int64_t npointings; /* of all ranks; -1 in the last case of a list */
    int64_t lmax, mmax, kmax, components, nbeams;
    int by_the_last; /* the last rank has all pointings; else all have as many */
    int in_a_cap;    /* where the pointings are: else all over the sky, some at the poles */
    int is_float;
    int64_t ntrans;
    int dealt; /* orders: 0 by cost, 1 order m on rank m, 2 all on the last rank */
} ranks_beams_case;

/* All operators. All ranks call it. Returned: 0, or 1 after a sentence on stderr. */
int ranks_run_beams(const armilla_transport *transport, const ranks_beams_case *c);

extern const ranks_beams_case ranks_beams_cases[];

#endif
