/* Points over ranks against a plan of one rank with the points of all, bit by bit: checks for any
 * transport, threads of one process (tests/unit/test_ranks_points.c) as well as MPI (tests/mpi).
 * Public functions only; no test library, since threads and ranks cannot end a test. */
#ifndef ARMILLA_TESTS_RANKS_POINTS_H
#define ARMILLA_TESTS_RANKS_POINTS_H

#include "armilla/armilla.h"

/* Where points are. */
typedef enum { IN_THE_SKY, AT_POLES, IN_A_STRIP, IN_A_CAP, MANY_TURNS, ON_PARALLELS } points_where;

/* Which ranks have them: as many each, the last one all, every second one none, of the first one a
 * few. */
typedef enum { BY_ALL, BY_THE_LAST, BY_SOME, BY_FEW } points_whose;

typedef struct ranks_points_case {
    int64_t npoints; /* of all ranks; -1 in the last case of a list */
    int64_t lmax, mmax, spin;
    points_where where;
    points_whose whose;
    armilla_sht_mode mode;
    int is_float, nthreads;
    int64_t ntrans, chunk_bytes;
    double epsilon; /* 0: the default */
    double upsampling;
    int64_t taps;
    int dealt; /* orders: 0 by cost, 1 order m on rank m, 2 all on the last rank, 3 see points.c */
} ranks_points_case;

/* Both operators. All ranks call it. Returned: 0, or 1 after a sentence on stderr. */
int ranks_run_points(const armilla_transport *transport, const ranks_points_case *c);

extern const ranks_points_case ranks_points_cases[];

/* Lensed maps against those of one rank, both operators. The last case of a list has no grid. */
typedef struct ranks_lensing_case {
    const char *grid; /* as in ranks_case */
    int64_t lmax, mmax, spin;
    int64_t deflection_lmax; /* 0: that of the fields, and the same distribution */
    int curl;
    armilla_deflection_kind kind;
    double amplitude; /* of potentials */
    int64_t ntrans;
    int scattered; /* ring r on rank r modulo their number, away from its mirror image; numbers
                      agree to rounding */
} ranks_lensing_case;

int ranks_run_lensing(const armilla_transport *transport, const ranks_lensing_case *c);

extern const ranks_lensing_case ranks_lensing_cases[];

#endif
