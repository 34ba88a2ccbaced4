/* Numbers that move between layouts over ranks (armilla/redistribution.h): checks for any
 * transport, threads of one process (tests/unit/test_redistribution.c) as well as MPI (tests/mpi).
 * Public functions only; no test library, since threads and ranks cannot end a test. */
#ifndef ARMILLA_TESTS_RANKS_MOVES_H
#define ARMILLA_TESTS_RANKS_MOVES_H

#include "armilla/armilla.h"

/* All ranks call it. Returned: 0, or 1 after a sentence on stderr. */
typedef struct ranks_move {
    const char *name;
    int (*run)(const armilla_transport *transport);
} ranks_move;

/* The checks that every transport is tried with; the last one has no name. */
extern const ranks_move ranks_moves[];

/* Spans cut by chance (moves.c), spans of distributions (moves_layouts.c), and errors
 * (moves_errors.c). */
int ranks_move_by_chance(const armilla_transport *transport);
int ranks_move_maps(const armilla_transport *transport);
int ranks_move_alm(const armilla_transport *transport);
int ranks_gather_and_scatter(const armilla_transport *transport);
int ranks_refuse_spans(const armilla_transport *transport);
int ranks_refuse_runs(const armilla_transport *transport);

/* A sentence on stderr. Returned: 1. */
int ranks_complain(const armilla_transport *transport, const char *what, const char *why);

#endif
