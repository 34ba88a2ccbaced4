/* Transforms over ranks against the same transforms on one rank: bit by bit, or to rounding where
 * the two rings of a pair may be on two ranks. Every transport is tried with these cases: threads
 * of one process (tests/unit/test_ranks.c) and MPI (tests/mpi).
 * Public functions only; no test library, since threads and ranks cannot end a test. */
#ifndef ARMILLA_TESTS_RANKS_CASES_H
#define ARMILLA_TESTS_RANKS_CASES_H

#include "armilla/armilla.h"
#include "armilla/distributed.h"

typedef struct ranks_case {
    const char *grid; /* "gl 24", "healpix 16", "nested 16", "octahedral 48", "cc 17", "patch 8",
                         "shuffled 9" */
    int64_t lmax, mmax, spin;
    armilla_sht_mode mode;
    int is_float, nthreads;
    int64_t nfields, groups; /* groups: used if it divides the number of ranks */
    int64_t chunk_bytes;     /* as in armilla_distributed_options */
    int listed;              /* orders and rings as a caller deals them: order m to member m */
    uint64_t scattered; /* not 0: orders and rings at random, by this seed, whatever rings mirror
                           each other; numbers then agree to rounding */
    armilla_sht_method method;
    int64_t host_bytes; /* as in armilla_sht_options: small ones cut leg into passes */
    const char *choices;
    armilla_device device; /* of all ranks, and of the rank alone, which takes the current GPU */
    int64_t device_bytes;
    armilla_device_precision device_precision;
    int iqu;     /* I, Q and U, too */
    int missing; /* values that are missing, too */
    int pseudo;  /* iterative analysis, too: 1 LSMR, 2 Jacobi, 3 and 4 the same with weights; with
                    iqu that of I, Q and U as well */
} ranks_case;

/* Runs the four operators. All ranks call it. Returned: 0, or 1 after a sentence on stderr. */
int ranks_run_case(const armilla_transport *transport, const ranks_case *c);

/* A grid by name; NULL if it cannot be made. */
armilla_grid *ranks_grid(const char *name, int64_t lmax);

/* Where pixel j of a ring is in a map: of stride 0 in NESTED order. */
int64_t ranks_pixel(const armilla_grid *grid, const armilla_ring *ring, int64_t j);

/* The cases that every transport is tried with; the last one has no grid. */
extern const ranks_case ranks_cases[];

#endif
