/* What a case over ranks works with, and what its files share. */
#ifndef ARMILLA_TESTS_RANKS_SCENE_H
#define ARMILLA_TESTS_RANKS_SCENE_H

#include "ranks/cases.h"
#include "ranks/numbers.h"

typedef struct {
    const ranks_case *c;
    const armilla_transport *transport;
    armilla_grid *grid;
    armilla_distribution *distribution;
    armilla_sht *sht; /* on one rank */
    armilla_distributed_sht *ranks;
    int64_t nalm, nmap;     /* components of a field */
    int64_t fields, first;  /* of the own group */
    int64_t alm_size, npix; /* of all ranks, one component */
    int64_t own_alm, own_npix;
} scene;

typedef enum { SYNTHESIS, ADJOINT_SYNTHESIS, ANALYSIS, ADJOINT_ANALYSIS, OPERATORS } operator_of;

/* The own part of coefficients of all ranks, and of a map. In cases.c, as what follows. */
void ranks_copy_alm(const scene *s, numbers whole, numbers own);
void ranks_copy_map(const scene *s, numbers whole, numbers own);

armilla_status ranks_run_alone(const armilla_sht *sht, operator_of op, numbers in, numbers out,
                               const armilla_exec *exec);
armilla_status ranks_run_operator(const armilla_distributed_sht *sht, operator_of op, numbers in,
                                  numbers out, const armilla_exec *exec);

/* Tells what is wrong on stderr. Returned: 1. */
int ranks_report(const scene *s, const char *what, const char *why);

/* Returned: 1 if a bit differs, of scattered cases more than rounding does, which is told; b: over
 * ranks. */
int ranks_compare(const scene *s, const char *what, int64_t count, numbers a, numbers b);

/* How one rank, or all of them, iterate: for I, Q and U where a scene has three components. */
enum { RANKS_REPORTS = 16 };
typedef struct {
    numbers map, alm;
    armilla_pseudo_options options;
    armilla_pseudo_report reports[RANKS_REPORTS];
} iteration;

/* In iterations.c, as what follows. */
armilla_status ranks_iterate_alone(const scene *s, iteration *i, const armilla_exec *exec);
armilla_status ranks_iterate(const scene *s, iteration *i, const armilla_exec *exec);

/* Iterative analysis has the bits and the reports of one rank. Returned: 1 if it has not. */
int ranks_run_pseudo(const scene *s);

/* Missing values are the same error as on one rank. In missing.c. Returned: 1 if they are not. */
int ranks_run_missing(const scene *s);

#endif
