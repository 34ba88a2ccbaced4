/* A call in progress: what every way to run a transform shares. */
#ifndef ARMILLA_SHT_RUN_H
#define ARMILLA_SHT_RUN_H

#include "base/progress.h"
#include "sht/execute.h"

typedef struct armilla_run {
    const armilla_sht *sht;
    int weighted, mixed, nthreads;
    armilla_array alm;
    armilla_array map;
    double *leg, *scratch;
    int64_t leg_size, scratch_size, sums_size; /* doubles; scratch of one thread */
    int64_t batch, sets; /* transforms at once; leg rows per order: batch times components */
    int64_t alm_distance, map_distance; /* between components */
    double *sums; /* alm of earlier passes in double, triangular, component after component; NULL
                     where the caller's array serves: it holds doubles, or there is one pass */
    int64_t pass_index, npasses;
    armilla_sht_pass pass;
    armilla_progress progress;
} armilla_run;

double *armilla_run_scratch(const armilla_run *r, int thread);

/* values + items, for arrays of float or double */
void *armilla_run_shift(void *values, int is_float, int64_t items);

/* The alm of a set, or values NULL for a component that is not there: it is zero. */
armilla_array armilla_run_alm(const armilla_run *r, int64_t set);
armilla_array armilla_run_map(const armilla_run *r, int64_t set);

/* alm of order m -> sets->leg of a block, through the rows sets->alm. */
void armilla_run_synthesis(const armilla_run *r, const armilla_legendre_block *block, int64_t m,
                           const armilla_legendre_sets *sets, double *scratch);

/* The other way. The first pass over pairs stores alm, later ones add to it. */
void armilla_run_analysis(const armilla_run *r, const armilla_legendre_block *block, int64_t m,
                          const armilla_legendre_sets *sets, double *scratch);

#endif
