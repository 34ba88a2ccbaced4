/* What a case over ranks works with, and what its files share. */
#ifndef ARMILLA_TESTS_RANKS_SCENE_H
#define ARMILLA_TESTS_RANKS_SCENE_H

#include "ranks/cases.h"

#include <stdlib.h>

/* Numbers of float or double, by one function. */
typedef struct {
    void *values;
    int is_float;
} numbers;

/* Arrays of no numbers are NULL. */
static inline numbers make_numbers(int64_t count, int is_float)
{
    const size_t size = is_float ? sizeof(float) : sizeof(double);
    numbers n = {count ? calloc((size_t)count, size) : NULL, is_float};
    if (count && !n.values) abort();
    return n;
}

static inline double get(numbers n, int64_t i)
{
    return n.is_float ? (double)((float *)n.values)[i] : ((double *)n.values)[i];
}

static inline void put(numbers n, int64_t i, double value)
{
    if (n.is_float)
        ((float *)n.values)[i] = (float)value;
    else
        ((double *)n.values)[i] = value;
}

/* Between -1 and 1; the same number on all ranks. */
static inline double noise(uint64_t i)
{
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1;
}

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

/* Returned: 1 if a bit differs, which is told; b: over ranks. */
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
