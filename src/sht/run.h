/* A call in progress: what every way to run a transform shares. */
#ifndef ARMILLA_SHT_RUN_H
#define ARMILLA_SHT_RUN_H

#include "base/progress.h"
#include "sht/execute.h"

enum { ARMILLA_PAIR_BATCH = 8 }; /* pairs per task: vectors, and leg entries that share lines */

typedef struct armilla_run {
    const armilla_sht *sht;
    int weighted, mixed, nthreads;
    armilla_coefficients alm;
    armilla_samples map;
    double *leg, *scratch;
    int64_t scratch_size;
    int64_t batch, sets; /* transforms at once; leg rows per order: batch times components */
    int64_t alm_distance, map_distance; /* between components */
    int64_t pass_index;
    armilla_sht_pass pass;
    armilla_progress progress;
} armilla_run;

double *armilla_run_scratch(const armilla_run *r, int thread);

/* values + items, for arrays of float or double */
void *armilla_run_shift(void *values, int is_float, int64_t items);

/* The alm of a set, or values NULL for a component that is not there: it is zero. */
armilla_coefficients armilla_run_alm(const armilla_run *r, int64_t set);
armilla_samples armilla_run_map(const armilla_run *r, int64_t set);

/* alm of order m -> sets->leg of a block, through the rows sets->alm. */
void armilla_run_synthesis(const armilla_run *r, const armilla_legendre_block *block, int64_t m,
                           const armilla_legendre_sets *sets, double *scratch);

/* The other way; alm is stored, or added to. */
void armilla_run_analysis(const armilla_run *r, const armilla_legendre_block *block, int64_t m,
                          const armilla_legendre_sets *sets, int store, double *scratch);

#endif
